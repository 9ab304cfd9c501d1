//! The list of the nearest so far.

use super::simd::{Bodies, Kernel, LEAST, PADDING, Plain};
use crate::geometry::Vec2;
use crate::partition::{Neighbor, UnitId};
use crate::probe::{Event, Probe};
use std::ops::Range;

/// So many are kept in an array of one length, in which new ones are sorted in without a branch; more are kept in the
/// caller's own list.
const FEW: usize = LEAST;

/// So many wait at most before they are sorted in together.
const WAITING: usize = 32;

/// So many wait at the most when a run has been tested.
const SOON: usize = 8;
const _: () = assert!(SOON + PADDING <= WAITING, "eight more may come");

/// The nearest units found so far, sorted by (distance², id).
///
/// Each is one number: squared distances are not negative, so their bits are in the order of their values, and the id below
/// them decides where distances are equal. Call [`Best::finish`] when nobody nearer is left.
pub struct Best<'a> {
    out: &'a mut Vec<Neighbor>,
    count: usize,
    /// Beyond this key nobody enters: the last of those kept, or the farthest that was asked for.
    limit: i64,
    bound_sq: f32,
    few: [i64; FEW],
    /// Those who are near enough, as far as is known, and not yet sorted in.
    waiting: [i64; WAITING],
    waiting_count: usize,
}

/// The place of nobody.
const NOBODY: i64 = i64::MAX;

#[inline(always)]
fn key(unit: UnitId, distance_sq: f32) -> i64 {
    i64::from(distance_sq.to_bits()) << 32 | i64::from(unit)
}

#[inline(always)]
fn neighbor(key: i64) -> Neighbor {
    Neighbor {
        unit: key as UnitId,
        distance_sq: f32::from_bits((key >> 32) as u32),
    }
}

impl<'a> Best<'a> {
    /// Clears `out` and gathers at most `count` units at most `within` away, which is not negative.
    pub fn new(out: &'a mut Vec<Neighbor>, count: usize, within: f32) -> Self {
        out.clear();
        let (limit, bound_sq) = if count == 0 {
            (0, f32::NEG_INFINITY)
        } else {
            (key(UnitId::MAX, within * within), within * within)
        };
        Self {
            out,
            count,
            limit,
            bound_sq,
            few: [NOBODY; FEW],
            waiting: [0; WAITING],
            waiting_count: 0,
        }
    }

    /// The squared distance beyond which nothing can enter any more. A region exactly that far away may still hold a
    /// unit that wins by its smaller id, so only what is farther may be pruned.
    #[inline(always)]
    pub fn bound_sq(&self) -> f32 {
        self.bound_sq
    }

    /// Whether as many as were asked for are found: from now on whoever enters drives another one out.
    #[inline(always)]
    pub fn is_full(&self) -> bool {
        if self.count <= FEW {
            self.count == 0 || self.few[self.count - 1] != NOBODY
        } else {
            self.out.len() == self.count
        }
    }

    /// Whether a unit at this distance would enter. Lets a caller skip a costly filter.
    #[inline(always)]
    pub fn wants(&self, unit: UnitId, distance_sq: f32) -> bool {
        key(unit, distance_sq) < self.limit
    }

    /// Takes the unit if it is near enough, and says whether it was.
    #[inline(always)]
    pub fn offer(&mut self, unit: UnitId, distance_sq: f32) -> bool {
        let key = key(unit, distance_sq);
        if key >= self.limit {
            return false;
        }
        if self.count <= FEW {
            Plain.keep_least(&mut self.few, &[key]);
            let last = self.few[self.count - 1];
            if last < self.limit {
                self.set_limit(last);
            }
        } else {
            self.offer_many(key);
        }
        true
    }

    fn offer_many(&mut self, key: i64) {
        if self.out.len() == self.count {
            self.out.pop();
        }
        let new = neighbor(key);
        let place = self
            .out
            .partition_point(|other| (other.distance_sq, other.unit) < (new.distance_sq, new.unit));
        self.out.insert(place, new);
        if self.out.len() == self.count {
            let last = self.out[self.count - 1];
            self.set_limit(self::key(last.unit, last.distance_sq));
        }
    }

    #[inline(always)]
    fn set_limit(&mut self, limit: i64) {
        self.limit = limit;
        self.bound_sq = f32::from_bits((limit >> 32) as u32);
    }

    /// Offers whoever of a run of bodies is near enough and passes the filter, and tells of each that is tested. They are
    /// found by [`Best::bound_sq`] and the others only after [`Best::settle`].
    #[inline(always)]
    pub(in crate::partition) fn offer_run<const SIZED: bool, K: Kernel, P: Probe>(
        &mut self,
        kernel: K,
        bodies: Bodies<'_>,
        run: Range<usize>,
        point: Vec2,
        filter: &mut impl FnMut(UnitId) -> bool,
        probe: &mut P,
    ) {
        if P::DETAILED {
            for &unit in bodies.ids(run.clone()) {
                probe.on(Event::Test(unit));
            }
        } else {
            probe.tests(run.len() as u64);
        }
        let mut ids = [0; WAITING + PADDING];
        let mut distances_sq = [0.0; WAITING + PADDING];
        for begin in run.clone().step_by(WAITING) {
            let piece = begin..run.end.min(begin + WAITING);
            let count = kernel.within::<SIZED, true>(
                &mut ids,
                &mut distances_sq,
                point,
                self.bound_sq,
                bodies,
                piece,
            );
            if self.count > FEW {
                for (&unit, &distance_sq) in ids[..count].iter().zip(&distances_sq[..count]) {
                    if self.wants(unit, distance_sq) && filter(unit) {
                        self.offer(unit, distance_sq);
                    }
                }
                continue;
            }
            if self.waiting_count + count > WAITING {
                self.settle(kernel);
            }
            for (&unit, &distance_sq) in ids[..count].iter().zip(&distances_sq[..count]) {
                if filter(unit) {
                    self.waiting[self.waiting_count] = key(unit, distance_sq);
                    self.waiting_count += 1;
                }
            }
            // The sooner there are enough, the fewer of the next run are near enough to be sorted in.
            if self.waiting_count >= SOON {
                self.settle(kernel);
            }
        }
    }

    /// Offers those of eight units whose bits are in `set` and who pass the filter. They are found by [`Best::bound_sq`] and the
    /// others once there are some of them, and by [`Best::finish`].
    #[inline(always)]
    pub(crate) fn offer_eight<K: Kernel>(
        &mut self,
        kernel: K,
        ids: &[UnitId; PADDING],
        distances_sq: &[f32; PADDING],
        set: u32,
        filter: &mut impl FnMut(UnitId) -> bool,
    ) {
        let mut left = set;
        while left != 0 {
            let lane = left.trailing_zeros() as usize % PADDING;
            left &= left - 1;
            let (unit, distance_sq) = (ids[lane], distances_sq[lane]);
            if !(self.wants(unit, distance_sq) && filter(unit)) {
            } else if self.count > FEW {
                self.offer(unit, distance_sq);
            } else {
                // Fewer than `SOON` wait before, and there are eight at the most.
                self.waiting[self.waiting_count] = key(unit, distance_sq);
                self.waiting_count += 1;
            }
        }
        if self.waiting_count >= SOON {
            self.settle(kernel);
        }
    }

    /// Sorts in those who wait.
    #[inline(always)]
    pub(in crate::partition) fn settle<K: Kernel>(&mut self, kernel: K) {
        if self.waiting_count > 0 {
            kernel.keep_least(&mut self.few, &self.waiting[..self.waiting_count]);
            self.waiting_count = 0;
            let last = self.few[self.count - 1];
            if last < self.limit {
                self.set_limit(last);
            }
        }
    }

    /// Hands on those found, the nearest first, and tells of them.
    pub fn finish<P: Probe>(mut self, probe: &mut P) {
        if self.count <= FEW {
            self.settle(Plain);
            let found = self.few[..self.count].iter().copied();
            let found = found.take_while(|key| *key != NOBODY);
            self.out.extend(found.map(neighbor));
        }
        if P::DETAILED {
            for found in self.out.iter() {
                probe.on(Event::Hit(found.unit));
            }
        } else {
            probe.hits(self.out.len() as u64);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_are_sorted_by_distance_then_id() {
        let offers = [
            (7, 4.0),
            (3, 4.0),
            (9, 1.0),
            (1, 101.0),
            (2, 100.0),
            (5, 4.0),
        ];
        let mut out = Vec::new();
        let mut best = Best::new(&mut out, 3, 10.0);
        assert_eq!(best.bound_sq(), 100.0);
        for (unit, distance_sq) in offers {
            best.offer(unit, distance_sq);
        }
        assert!(best.is_full());
        assert_eq!(best.bound_sq(), 4.0);
        best.finish(&mut ());
        assert_eq!(out.iter().map(|n| n.unit).collect::<Vec<_>>(), [9, 3, 5]);
        let mut none = Best::new(&mut out, 0, 10.0);
        assert!(none.is_full() && !none.offer(1, 0.0));
        none.finish(&mut ());
        assert!(out.is_empty());
    }

    #[test]
    fn few_and_many_are_sorted_alike() {
        let mut stream = crate::chance::Stream::new(9);
        for count in 0..3 * FEW {
            let offers: Vec<(UnitId, f32)> = (0..40)
                .map(|unit| (unit * 7 % 40, stream.below(9) as f32))
                .collect();
            let mut expected = offers.clone();
            expected.retain(|(_, distance_sq)| *distance_sq <= 5.0 * 5.0);
            expected.sort_by(|a, b| (a.1, a.0).partial_cmp(&(b.1, b.0)).unwrap());
            expected.truncate(count);
            let mut out = Vec::new();
            let mut best = Best::new(&mut out, count, 5.0);
            for (unit, distance_sq) in offers {
                assert_eq!(best.wants(unit, distance_sq), best.offer(unit, distance_sq));
            }
            best.finish(&mut ());
            let found: Vec<_> = out.iter().map(|n| (n.unit, n.distance_sq)).collect();
            assert_eq!(found, expected, "{count}");
        }
    }
}
