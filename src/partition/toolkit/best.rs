//! The list of the nearest so far.

use crate::partition::{Neighbor, UnitId};

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

#[cfg(test)]
mod tests {
    use super::*;

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
