//! What the tree costs, and when that has become too much.
//!
//! To make the whole sum takes a look at every box. Between two sums each change of a box adds what it has changed, so that after an edit
//! of a few it is known what the tree costs, and nobody has looked at the others.

use super::Bvh;
use super::levels::weight;
use crate::partition::Outgrown;

/// The sum is made anew whenever one unit in so many has changed.
const LOOK_AFTER: usize = 8;

/// Before one unit in so many has changed since the last build there is no other: a build for a single one that goes far would take longer
/// than what it saves.
const BUILD_AFTER: usize = 64;

/// Once the box of everybody has become more than so many times longer, what the tree costs relative to it says nothing: whoever was on
/// one spot is in the order of chance, and was so when it was built.
const SPREAD: f64 = 2.0;

impl Bvh {
    /// The sum of half perimeters, weighted by what is to be done on entering, relative to the root's.
    pub(super) fn relative_cost(&self) -> f64 {
        self.relative(self.levels.cost(&self.leaves.fills))
    }

    /// A cost relative to the root's half perimeter.
    fn relative(&self, cost: f64) -> f64 {
        let whole = weight(self.levels.root());
        if whole > 0.0 { cost / whole } else { 0.0 }
    }

    /// How many times costlier the tree is than after the last build.
    pub(super) fn cost_ratio(&self) -> f64 {
        self.ratio(self.relative_cost())
    }

    fn ratio(&self, relative_cost: f64) -> f64 {
        if self.fresh_cost > 0.0 {
            relative_cost / self.fresh_cost
        } else {
            1.0
        }
    }

    /// Makes the sum anew. Gives it relative to the root's half perimeter.
    pub(super) fn sum_up(&mut self) -> f64 {
        self.cost = self.levels.cost(&self.leaves.fills);
        self.highest_cost = self.cost;
        self.changes = 0;
        self.relative(self.cost)
    }

    /// Adds what boxes have grown.
    pub(super) fn add_cost(&mut self, grown: f64) {
        self.cost += grown;
        self.highest_cost = self.highest_cost.max(self.cost);
    }

    /// Says when the tree has become too costly.
    pub(super) fn look_after(&mut self, changes: usize) -> Result<(), Outgrown> {
        self.changes += changes;
        self.changes_since_build += changes;
        let is_due = self.changes * LOOK_AFTER >= self.count;
        let may_build = self.changes_since_build * BUILD_AFTER >= self.count;
        // A few who went far may have made it costlier than all others together.
        let seems_outgrown = may_build && self.ratio(self.relative(self.cost)) > self.rebuild_at;
        if !is_due && !seems_outgrown {
            return Ok(());
        }
        let cost = self.sum_up();
        if self.built_groups == 0 {
            if self.fresh_cost == 0.0 {
                // Grown from nothing and never built: what there is now is what later is compared with.
                self.fresh_cost = cost;
                return Ok(());
            }
        } else if weight(self.levels.root()) > SPREAD * self.fresh_weight {
            return Err(Outgrown);
        }
        if self.ratio(cost) > self.rebuild_at {
            return Err(Outgrown);
        }
        Ok(())
    }
}
