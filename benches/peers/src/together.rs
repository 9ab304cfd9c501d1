//! Several threads at one piece of work: those of one pool, of which the thread that measures is one.

use crate::tally::{Sum, Tally};
use rayon::prelude::*;
use std::ops::Range;

/// So many lots there are for each thread, so that none waits long for the last of them.
const LOTS_A_THREAD: usize = 8;

/// How many of so many things one thread takes at a time: all of them where it is alone.
pub fn lot(count: usize) -> usize {
    let lots = match rayon::current_num_threads() {
        1 => 1,
        threads => threads * LOTS_A_THREAD,
    };
    count.div_ceil(lots).max(1)
}

/// Deals with so many things on all threads, a lot at a time, each into a tally of its own, and adds up.
pub fn tallied<T: Tally>(
    count: usize,
    tally: &mut T,
    deal_with: impl Fn(Range<usize>, &mut T) + Sync,
) {
    let length = lot(count);
    let lots = (0..count.div_ceil(length)).into_par_iter().with_max_len(1);
    let sums = lots.map(|index| {
        let begin = index * length;
        let mut own = T::default();
        deal_with(begin..count.min(begin + length), &mut own);
        own.sum()
    });
    tally.add(added(sums));
}

/// What the tallies of all threads come to.
pub fn added(sums: impl ParallelIterator<Item = Sum>) -> Sum {
    sums.reduce(Sum::default, |mut one, other| {
        one += other;
        one
    })
}

/// Makes the calling thread one of so many. What peers put on a stack must find room on each.
pub fn begin(threads: usize, stack_bytes: usize) -> Result<(), rayon::ThreadPoolBuildError> {
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .stack_size(stack_bytes)
        .use_current_thread()
        .build_global()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tally::Strong;

    #[test]
    fn what_is_dealt_with_in_lots_is_all_of_it() {
        for count in [0, 1, 7, 8, 9, 1000] {
            let mut alone = Strong::default();
            (0..count).for_each(|it| alone.pair(it as u32, 5000));
            let mut shared = Strong::default();
            tallied(count, &mut shared, |lot, tally: &mut Strong| {
                lot.for_each(|it| tally.pair(it as u32, 5000));
            });
            assert_eq!(shared.sum(), alone.sum());
        }
    }
}
