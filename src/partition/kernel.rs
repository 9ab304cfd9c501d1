//! What the structures share in their innermost loops: the packed pair buffer, the list of the nearest so far, and the
//! stack of a traversal.

use super::simd::PADDING;
use super::{Neighbor, Pair, Part, UnitId};
use crate::geometry::{Aabb, Segment, Vec2};
use std::ops::Range;

/// A few units in the last place of an `f32`: more than the roundings between a body's centre and a query's border add
/// up to.
pub(super) const ROUNDING: f32 = 1.0 / (1 << 20) as f32;

/// A length whose square is still above zero in `f32`, with room to spare.
pub(super) const UNDERFLOW: f32 = 1.0e-20;

/// A distance that is certain to hold everybody whom the squared comparison finds: squares of tiny distances underflow to
/// 0 and pass where the distances themselves would not.
#[inline]
pub(super) fn widened(distance: f32) -> f32 {
    distance * (1.0 + ROUNDING) + UNDERFLOW
}

/// Exchanges the axes where `axis` is 1, so that x is always along it: no predicate can tell, down to the last bit.
#[inline(always)]
pub(super) fn turned(axis: usize, point: Vec2) -> Vec2 {
    if axis == 0 {
        point
    } else {
        Vec2::new(point.y, point.x)
    }
}

/// [`turned`] for a box.
#[inline(always)]
pub(super) fn turned_box(axis: usize, area: Aabb) -> Aabb {
    Aabb::new(turned(axis, area.min), turned(axis, area.max))
}

/// [`turned`] for a segment.
pub(super) fn turned_segment(axis: usize, segment: Segment) -> Segment {
    Segment {
        from: turned(axis, segment.from),
        to: turned(axis, segment.to),
        ..segment
    }
}

/// Deals `places` to the shares of a search like cards, `length` at a time, and gives the hands of one share. The whole
/// search gets everything in one hand.
pub(super) fn hands(
    part: Part,
    places: Range<usize>,
    length: usize,
) -> impl Iterator<Item = Range<usize>> {
    let length = if part.count == 1 { usize::MAX } else { length };
    let mut begin = places.start;
    std::iter::from_fn(move || {
        while begin < places.end {
            let hand = begin / length;
            let end = hand
                .saturating_add(1)
                .saturating_mul(length)
                .min(places.end);
            let dealt = std::mem::replace(&mut begin, end)..end;
            if hand % part.count as usize == part.index as usize {
                return Some(dealt);
            }
        }
        None
    })
}

/// 32 KiB of pairs: they stay in the first-level cache between being written and being read.
const BATCH_LENGTH: usize = 4096;

/// The longest run of others that a kernel takes at once.
pub(super) const RUN_LENGTH: usize = 512;

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
        self.buffer[self.filled] = (a.min(b), a.max(b));
        self.filled += usize::from(hit);
        if self.filled == BATCH_LENGTH {
            self.flush();
        }
    }

    /// Room for the pairs of one unit with a run of at most [`RUN_LENGTH`] others, and [`PADDING`] more, to be filled from the
    /// front by a kernel that overwrites what is behind its hits; then [`PairBatch::take`] says how many there are.
    #[inline(always)]
    pub(super) fn room(&mut self) -> &mut [Pair] {
        if self.filled > BATCH_LENGTH - RUN_LENGTH - PADDING {
            self.flush();
        }
        &mut self.buffer[self.filled..]
    }

    /// Takes the first `count` pairs of the [`PairBatch::room`].
    #[inline(always)]
    pub(super) fn take(&mut self, count: usize) {
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

/// The nearest units found so far, kept sorted by (distance², id) in the caller's own buffer.
pub struct Best<'a> {
    out: &'a mut Vec<Neighbor>,
    count: usize,
    within_sq: f32,
}

impl<'a> Best<'a> {
    /// Clears `out` and gathers at most `count` units at most `within` away in it.
    pub fn new(out: &'a mut Vec<Neighbor>, count: usize, within: f32) -> Self {
        out.clear();
        Self {
            out,
            count,
            within_sq: within * within,
        }
    }

    /// The squared distance beyond which nothing can enter any more. A region exactly that far away may still hold a
    /// unit that wins by its smaller id, so only what is farther may be pruned.
    #[inline]
    pub fn bound_sq(&self) -> f32 {
        if self.count == 0 {
            f32::NEG_INFINITY
        } else if self.out.len() < self.count {
            self.within_sq
        } else {
            self.out[self.count - 1].distance_sq
        }
    }

    /// Whether a unit at this distance would enter. Lets a caller skip a costly filter.
    #[inline]
    pub fn wants(&self, unit: UnitId, distance_sq: f32) -> bool {
        if self.out.len() < self.count {
            distance_sq <= self.within_sq
        } else {
            self.out
                .last()
                .is_some_and(|last| (distance_sq, unit) < (last.distance_sq, last.unit))
        }
    }

    /// Takes the unit if it is near enough, and says whether it was.
    #[inline]
    pub fn offer(&mut self, unit: UnitId, distance_sq: f32) -> bool {
        if !self.wants(unit, distance_sq) {
            return false;
        }
        if self.out.len() == self.count {
            self.out.pop();
        }
        let place = self
            .out
            .partition_point(|other| (other.distance_sq, other.unit) < (distance_sq, unit));
        self.out.insert(place, Neighbor { unit, distance_sq });
        true
    }
}

/// A stack of fixed size, so that no query allocates.
pub(super) struct Stack<T, const LENGTH: usize> {
    items: [T; LENGTH],
    count: usize,
}

impl<T: Copy, const LENGTH: usize> Stack<T, LENGTH> {
    /// An empty stack; `filler` is never seen.
    #[inline]
    pub(super) fn new(filler: T) -> Self {
        Self {
            items: [filler; LENGTH],
            count: 0,
        }
    }

    #[inline]
    pub(super) fn push(&mut self, item: T) {
        self.items[self.count] = item;
        self.count += 1;
    }

    #[inline]
    pub(super) fn last(&self) -> Option<T> {
        self.items[..self.count].last().copied()
    }

    #[inline]
    pub(super) fn pop(&mut self) -> Option<T> {
        self.count = self.count.checked_sub(1)?;
        Some(self.items[self.count])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn the_best_are_sorted_by_distance_then_id() {
        let mut out = Vec::new();
        let mut best = Best::new(&mut out, 3, 10.0);
        for (unit, distance_sq) in [
            (7, 4.0),
            (3, 4.0),
            (9, 1.0),
            (1, 101.0),
            (2, 100.0),
            (5, 4.0),
        ] {
            best.offer(unit, distance_sq);
        }
        assert_eq!(best.bound_sq(), 4.0);
        assert_eq!(out.iter().map(|n| n.unit).collect::<Vec<_>>(), [9, 3, 5]);
        assert!(!Best::new(&mut out, 0, 10.0).offer(1, 0.0));
    }
}
