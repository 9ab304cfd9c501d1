//! Two indices that are asked the same must answer alike. Where they do not, the first answer that differs is named.

use super::{Decision3, Flight, NOBODY};
use crate::battle::{Difference, first_fault};
use crate::partition::{Pair, UnitId};
use crate::volume::AnyPartition3;

impl Flight {
    /// Compares what was decided under two indices at this very tick, both with [`Decision3::compares`]. Where they differ, names
    /// the first unit that found another enemy, or else the first pair that only one of them found.
    pub fn compare(
        &self,
        (right, right_index): (&Decision3, &AnyPartition3),
        (other, other_index): (&Decision3, &AnyPartition3),
    ) -> Option<Difference> {
        let tick = self.tick;
        let targets = right.targets.iter().zip(&other.targets);
        if let Some((unit, (&expected, &found))) = targets.enumerate().find(|(_, (a, b))| a != b) {
            let someone = |unit| (unit != NOBODY).then_some(unit);
            return Some(Difference::Lookup {
                tick,
                unit: unit as UnitId,
                expected: someone(expected),
                found: someone(found),
            });
        }
        if (right.pairs, right.digest) == (other.pairs, other.digest) {
            return None;
        }
        let pairs_of = |index: &AnyPartition3| {
            let mut all: Vec<Pair> = Vec::new();
            index.pairs(self.bodies(), self.pair_reach(), &mut (), |batch| {
                all.extend_from_slice(batch);
            });
            all
        };
        first_fault(pairs_of(right_index), pairs_of(other_index))
            .map(|(pair, fault)| Difference::Pair { tick, pair, fault })
    }
}
