//! The packed pair buffer.

use super::simd::PADDING;
use crate::partition::{Pair, UnitId};

/// 32 KiB of pairs: they stay in the first-level cache between being written and being read.
const BATCH_LENGTH: usize = 4096;

/// The longest run of others that a kernel takes at once.
pub const RUN_LENGTH: usize = 512;

/// Pairs packed without branches and handed on a few thousand at a time.
///
/// Whether two units are in reach is a coin toss for a branch predictor; writing every pair and advancing only past the
/// hits costs no misprediction, and one closure call a batch instead of one a pair.
pub struct PairBatch<F: FnMut(&[Pair])> {
    buffer: [Pair; BATCH_LENGTH],
    filled: usize,
    sink: F,
}

impl<F: FnMut(&[Pair])> PairBatch<F> {
    /// An empty batch in front of `sink`.
    pub fn new(sink: F) -> Self {
        Self {
            buffer: [(0, 0); BATCH_LENGTH],
            filled: 0,
            sink,
        }
    }

    /// Takes the pair of `a` and `b`, in either order, if `hit`.
    #[inline(always)]
    pub fn push_if(&mut self, a: UnitId, b: UnitId, hit: bool) {
        // By hand: whether a library's `min` is inlined without optimization depends on what else is in the program.
        let is_in_order = a < b;
        self.buffer[self.filled] = (
            if is_in_order { a } else { b },
            if is_in_order { b } else { a },
        );
        self.filled += usize::from(hit);
        if self.filled == BATCH_LENGTH {
            self.flush();
        }
    }

    /// Room for [`RUN_LENGTH`] pairs, such as those of one unit with a run of as many others, and [`PADDING`] more, to be filled from the
    /// front by a kernel that overwrites what is behind its hits; then [`PairBatch::take`] says how many there are.
    #[inline(always)]
    pub(crate) fn room(&mut self) -> &mut [Pair] {
        if self.filled > BATCH_LENGTH - RUN_LENGTH - PADDING {
            self.flush();
        }
        &mut self.buffer[self.filled..]
    }

    /// Takes the first `count` pairs of the [`PairBatch::room`].
    #[inline(always)]
    pub(crate) fn take(&mut self, count: usize) {
        self.filled += count;
    }

    /// Hands on what has gathered. To be called once at the end.
    #[inline]
    pub fn flush(&mut self) {
        if self.filled > 0 {
            (self.sink)(&self.buffer[..self.filled]);
            self.filled = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    #[test]
    fn a_batch_hands_on_only_hits_and_orders_each_pair() {
        let mut seen = Vec::new();
        let mut batch = PairBatch::new(|pairs: &[Pair]| seen.extend_from_slice(pairs));
        for unit in 0..10_000 {
            batch.push_if(unit + 1, unit, unit % 2 == 0);
        }
        batch.flush();
        assert_eq!(seen.len(), 5_000);
        assert!(seen.iter().all(|(a, b)| a + 1 == *b));
    }

    #[test]
    fn a_batch_is_handed_on_when_the_next_run_may_not_fit_and_not_before() {
        let handed_on = Cell::new(0);
        let mut batch = PairBatch::new(|pairs: &[Pair]| handed_on.set(pairs.len()));
        // What is left is just enough for the longest run and what a kernel overwrites behind it.
        let most = BATCH_LENGTH - (RUN_LENGTH + PADDING);
        batch.take(most);
        assert_eq!(batch.room().len(), RUN_LENGTH + PADDING);
        assert_eq!(handed_on.get(), 0);
        batch.take(1);
        assert_eq!(batch.room().len(), BATCH_LENGTH);
        assert_eq!(handed_on.get(), most + 1);
    }
}
