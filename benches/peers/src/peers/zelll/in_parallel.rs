//! `zelll` with its feature `rayon`: it gives its cells to several threads. A grid it builds on one.

use super::Zelll;
use crate::contest::{Contestant, Entry};
use crate::tally::Tally;
use crate::together;
use crate::work::Work;
use crate::world::World;
use rayon::prelude::*;

#[derive(Default)]
struct Shared(Zelll);

impl Contestant for Shared {
    fn build(&mut self, world: &World) {
        self.0.build(world);
    }

    fn discard(&mut self) {
        self.0.discard();
    }

    fn update(&mut self, world: &World) {
        self.0.update(world);
    }

    fn pairs<T: Tally>(&mut self, world: &World, tally: &mut T) {
        let Some(grid) = &self.0.0 else { return };
        let reach_sq = world.reach * world.reach;
        let tallies = grid.par_iter().fold(T::default, |mut tally, cell| {
            cell.particle_pairs().for_each(|((a, p), (b, q))| {
                let (x, y) = (p[0] - q[0], p[1] - q[1]);
                if x * x + y * y <= reach_sq {
                    tally.pair(*a, *b);
                }
            });
            tally
        });
        tally.add(together::added(tallies.map(|tally| tally.sum())));
    }
}

/// Adds what it can do on several threads.
pub fn with(entry: Entry, work: Work) -> Entry {
    match work {
        Work::Pairs | Work::StepPairs => entry.or("parallel", |_| Shared::default()),
        _ => entry,
    }
}
