//! Numbering units, and sorting the numbers, on several threads.

use super::threads::front_mut;
use crate::partition::{Bodies, UnitId};
use rayon::prelude::*;
use std::ops::Range;

/// By so many leading bits of those in which the numbers differ they are shared out.
const DIGIT_BITS: u32 = 11;

/// The rows of as many threads, each about as many as any other.
fn rows_of(bodies: Bodies<'_>, threads: usize) -> Vec<Range<UnitId>> {
    let slots = bodies.slot_count();
    let piece = slots.div_ceil(threads).max(1);
    let begins = (0..slots).step_by(piece);
    begins
        .map(|begin| begin as UnitId..slots.min(begin + piece) as UnitId)
        .collect()
}

/// The units alive of some rows.
fn alive<'b>(bodies: Bodies<'b>, rows: &Range<UnitId>) -> impl Iterator<Item = UnitId> + 'b {
    rows.clone().filter(move |unit| bodies.is_alive(*unit))
}

/// Gives the units alive their numbers, by ascending row, on so many threads.
pub fn number_together(
    bodies: Bodies<'_>,
    numbers: &mut Vec<u64>,
    threads: usize,
    number: impl Fn(UnitId) -> u64 + Sync,
) {
    let rows = rows_of(bodies, threads);
    let counts = rows.par_iter().map(|rows| alive(bodies, rows).count());
    let counts: Vec<usize> = counts.collect();
    numbers.resize(counts.iter().sum(), 0);
    let mut rest = &mut numbers[..];
    let own = counts.iter().map(|count| front_mut(&mut rest, *count));
    let shares: Vec<_> = own.zip(&rows).collect();
    shares.into_par_iter().for_each(|(own, rows)| {
        for (place, unit) in own.iter_mut().zip(alive(bodies, rows)) {
            *place = number(unit);
        }
    });
}

/// Sorts numbers that are all different, on so many threads. Each takes those between two bounds, about as many as any other, and
/// sorts them by `sort`, which is given as much room beside them.
///
/// There is but one order of numbers that differ, so it is the one that `sort` gives all of them.
pub fn sort_together(
    numbers: &mut Vec<u64>,
    spare: &mut Vec<u64>,
    threads: usize,
    sort: impl Fn(&mut [u64], &mut [u64]) + Sync,
) {
    let piece = numbers.len().div_ceil(threads).max(1);
    let ends = numbers.par_chunks(piece).map(|numbers| {
        let ends = (u64::MAX, 0);
        let join = |(low, high): (u64, u64), number: &u64| (low.min(*number), high.max(*number));
        numbers.iter().fold(ends, join)
    });
    let (low, high) = ends.reduce(|| (u64::MAX, 0), |a, b| (a.0.min(b.0), a.1.max(b.1)));
    if low >= high {
        return;
    }
    let shift = (u64::BITS - (low ^ high).leading_zeros()).saturating_sub(DIGIT_BITS);
    let first = low >> shift;
    let digit = |number: u64| ((number >> shift) - first) as usize;
    let counts = numbers.par_chunks(piece).map(|numbers| {
        let mut counts = vec![0_u32; digit(high) + 1];
        for &number in numbers {
            counts[digit(number)] += 1;
        }
        counts
    });
    let counts = counts.reduce(Vec::new, |a, b| match (a.len(), b.len()) {
        (0, _) => b,
        (_, 0) => a,
        _ => a.into_iter().zip(b).map(|(a, b)| a + b).collect(),
    });
    spare.resize(numbers.len(), 0);
    let (mut rest, mut end, mut taken) = (&mut spare[..], 0, 0);
    let mut shares = Vec::with_capacity(threads);
    for share in 1..=threads {
        let (begin, before, wanted) = (end, taken, numbers.len() * share / threads);
        while end < counts.len() && (taken < wanted || share == threads) {
            taken += counts[end] as usize;
            end += 1;
        }
        shares.push((begin..end, front_mut(&mut rest, taken - before)));
    }
    shares.par_iter_mut().for_each(|(digits, own)| {
        let mut next = 0;
        for &number in numbers.iter() {
            // Whose it is nobody can guess, so it is written down before it is asked.
            if let Some(place) = own.get_mut(next) {
                *place = number;
            }
            next += usize::from(digits.contains(&digit(number)));
        }
    });
    let mut rest = &mut numbers[..];
    let rooms = shares.iter().map(|(_, own)| own.len());
    let rooms: Vec<_> = rooms.map(|count| front_mut(&mut rest, count)).collect();
    let shares = shares.par_iter_mut().zip(rooms);
    shares.for_each(|((_, own), room)| sort(own, room));
    std::mem::swap(numbers, spare);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::Stream;

    #[test]
    fn numbers_are_sorted_wherever_they_differ_and_on_however_many_threads() {
        let mut stream = Stream::new(2);
        for (count, above, scale) in [
            (0, 1, 0),
            (1, 1, 0),
            (2, 2, 0),
            (5_000, 1, 0),
            (5_000, 1 << 22, 40),
            (5_000, 1 << 22, 24),
            (5_000, 2, 63),
            (20_000, 900, 24),
        ] {
            let numbers: Vec<u64> = (0..count)
                .map(|unit| stream.below(above) << scale | unit)
                .collect();
            let mut expected = numbers.clone();
            expected.sort_unstable();
            for threads in [1, 2, 3, 64] {
                let (mut numbers, mut spare) = (numbers.clone(), vec![7; 30_000]);
                let sort = |own: &mut [u64], room: &mut [u64]| {
                    assert_eq!(own.len(), room.len());
                    own.sort_unstable();
                };
                sort_together(&mut numbers, &mut spare, threads, sort);
                assert_eq!(numbers, expected, "{count} on {threads}");
            }
        }
    }
}
