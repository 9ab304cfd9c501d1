//! Comparing every box, slot and copy with the truth.

use super::Bvh;
use super::build::NONE;
use super::levels::{WIDTH, region};
use crate::geometry::Aabb;
use crate::partition::toolkit::roll::Roll;
use crate::partition::toolkit::simd::Plain;
use crate::partition::{Bodies, Violation};

impl Bvh {
    /// Every unit is in one leaf, filed and copied truly; every box is that of what is below it; each level has as many boxes
    /// as the one below it needs.
    pub(super) fn check(&self, bodies: Bodies<'_>) -> Result<(), Violation> {
        let mut expected = self.leaves.fills.len();
        let found = match self.levels.is_empty() {
            true => 0,
            false => self.levels.level(0).count,
        };
        Violation::unless(
            found == expected,
            None,
            || format!("{expected} boxes of leaves"),
            || format!("{found}"),
        )?;
        let mut roll = Roll::new(bodies);
        for leaf in 0..self.leaves.fills.len() {
            self.check_leaf(leaf, bodies, &mut roll)?;
        }
        roll.close(self.places.iter().filter(|place| **place != NONE).count())?;
        Violation::unless(
            self.count == bodies.count(),
            None,
            || format!("{} units", bodies.count()),
            || format!("{}", self.count),
        )?;
        if self.levels.is_empty() {
            return Ok(());
        }
        for level in 0..=self.levels.top() {
            let count = self.levels.level(level).count;
            Violation::unless(
                count == expected && (count == 1) == (level == self.levels.top()),
                None,
                || format!("{expected} boxes on level {level}"),
                || format!("{count}"),
            )?;
            expected = count.div_ceil(WIDTH);
            for index in (0..count).filter(|_| level > 0) {
                let below = self.levels.level(level - 1).children(index);
                let bounds = below.bounds(Plain);
                self.check_box(level, index, bounds)?;
            }
            // Those that would be behind the last one are empty, for they are tested with the others.
            for index in count..count.next_multiple_of(WIDTH) {
                self.check_box(level, index, Aabb::EMPTY)?;
            }
        }
        self.check_cost()
    }

    /// The kept cost is the sum of what every box costs, but for rounding, and for boxes without end.
    fn check_cost(&self) -> Result<(), Violation> {
        let cost = self.levels.cost(&self.leaves.fills);
        // Where somebody was far away for a while, it was rounded by more than it is now: with each change, and with each box that was
        // in the whole sum.
        let terms = self.changes + self.leaves.fills.len() + 1;
        let far = 1.0e-13 * self.highest_cost * terms as f64;
        let rounding = 1.0e-6 * cost.abs().max(1.0e-3) + far;
        let is_near = (self.cost - cost).abs() <= rounding;
        let is_finite = self.cost.is_finite() && cost.is_finite();
        Violation::unless(
            is_near || !is_finite,
            None,
            || format!("a cost of {cost}"),
            || format!("{}", self.cost),
        )
    }

    fn check_box(&self, level: usize, index: usize, expected: Aabb) -> Result<(), Violation> {
        let found = self.levels.level(level).get(index);
        Violation::unless(
            found == expected,
            region(level, index),
            || format!("{expected:?}"),
            || format!("{found:?}"),
        )
    }

    /// Every unit of a leaf is alive, filed under its slot and copied truly, and the box is theirs.
    fn check_leaf(
        &self,
        leaf: usize,
        bodies: Bodies<'_>,
        roll: &mut Roll<'_>,
    ) -> Result<(), Violation> {
        let own = region(0, leaf);
        Violation::unless(
            self.leaves.fill(leaf) <= self.leaf_size as usize,
            own,
            || format!("at most {} units", self.leaf_size),
            || format!("{}", self.leaves.fill(leaf)),
        )?;
        let mut bounds = Aabb::EMPTY;
        for (place, &unit) in self.leaves.ids(leaf).iter().enumerate() {
            roll.meet(unit, own)?;
            let slot = self.leaves.slot(leaf, place);
            let filed = self.places.get(unit as usize).copied();
            let body = self.leaves.body(leaf, place);
            Violation::unless(
                filed == Some(slot) && body == bodies.aabb(unit),
                own,
                || format!("a unit filed in slot {slot}, where it is"),
                || format!("unit {unit}, filed in {filed:?}, copied as {body:?}"),
            )?;
            bounds = bounds.join(body);
        }
        self.check_box(0, leaf, bounds)
    }
}
