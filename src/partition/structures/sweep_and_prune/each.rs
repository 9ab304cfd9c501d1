//! What is done to each strip on its own: on several threads where there are many units.

use super::order::Sorter;
use super::strip::{Entry, Strip};
use crate::partition::toolkit::tally::Tally;
use crate::partition::toolkit::threads::{front_mut, threads_for};
use crate::probe::Probe;
use rayon::prelude::*;

/// Room to work on a strip, kept from one to the next.
#[derive(Clone, Debug, Default)]
pub(super) struct Desk {
    pub entries: Vec<Entry>,
    pub sorter: Sorter,
    /// How many more entries the strips have that were worked on here.
    pub more: isize,
}

impl Desk {
    /// The bytes that it takes on the heap.
    pub fn byte_count(&self) -> usize {
        self.entries.capacity() * size_of::<Entry>() + self.sorter.byte_count()
    }
}

/// What is done to each strip, knowing nothing of the others.
pub(super) trait Chore: Sync {
    /// How many units it is about in a strip, as far as that is known before.
    fn load(&self, number: usize, strip: &Strip) -> usize;

    /// Does it.
    fn work<P: Probe>(&self, number: usize, strip: &mut Strip, desk: &mut Desk, probe: &mut P);
}

/// Strips that follow each other, and where one thread works on them.
struct Share<'a, P> {
    first: usize,
    strips: &'a mut [Strip],
    desk: &'a mut Desk,
    told: Tally<P>,
}

/// Does it to all strips, which have so many units, on up to so many threads. Whoever hears every step hears them in order, on one.
pub(super) fn on_each<P: Probe>(
    strips: &mut [Strip],
    desks: &mut Vec<Desk>,
    (units, threads): (usize, usize),
    chore: &impl Chore,
    probe: &mut P,
) {
    let threads = if P::DETAILED {
        1
    } else {
        threads_for(units, threads)
    };
    if desks.len() < threads {
        desks.resize_with(threads, Desk::default);
    }
    if threads == 1 {
        for (number, strip) in strips.iter_mut().enumerate() {
            chore.work(number, strip, &mut desks[0], probe);
        }
        return;
    }
    let loads = strips.iter().enumerate();
    let total: usize = loads.map(|(number, strip)| chore.load(number, strip)).sum();
    let (mut rest, mut first, mut dealt) = (strips, 0, 0);
    let mut shares = Vec::with_capacity(threads);
    for (place, desk) in desks.iter_mut().take(threads).enumerate() {
        let wanted = total * (place + 1) / threads;
        let mut length = 0;
        while length < rest.len() && (dealt < wanted || place + 1 == threads) {
            dealt += chore.load(first + length, &rest[length]);
            length += 1;
        }
        let strips = front_mut(&mut rest, length);
        shares.push(Share {
            first,
            strips,
            desk,
            told: Tally::<P>::default(),
        });
        first += length;
    }
    shares.par_iter_mut().for_each(|share| {
        for (number, strip) in (share.first..).zip(&mut *share.strips) {
            chore.work(number, strip, share.desk, &mut share.told);
        }
    });
    for share in shares {
        share.told.tell(probe);
    }
}
