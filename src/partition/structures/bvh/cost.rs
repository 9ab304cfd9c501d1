//! What the tree costs, and when that has become too much.
//!
//! To make the whole sum takes a look at every box. Between two sums each change of a box adds what it has changed, so that after an edit
//! of a few it is known what the tree costs, and nobody has looked at the others.

use super::Bvh;
use super::levels::{WIDTH, weight};
use crate::partition::Outgrown;

/// The sum is made anew whenever one unit in so many has changed.
const LOOK_AFTER: usize = 8;

/// Before one unit in so many has changed since the last build there is no other: a build for a single one that goes far would take longer
/// than what it saves.
const BUILD_AFTER: usize = 64;

/// Once the box of everybody has become more than so many times longer, what a tree in the order of chance costs relative to it says
/// nothing: whoever was on one spot is in that order, and was so when the tree was first looked at. Any other tree costs less relative to
/// a box that one unit alone has made longer.
const SPREAD: f64 = 2.0;

/// Units are in the order of chance where what is below the root costs more than this share of what it would if each box were the root's.
const BY_CHANCE: f64 = 0.5;

/// What a tree was when it was first looked at: just built, or grown from nothing. With that it is compared later on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fresh {
    /// [`Bvh::relative_cost`] then.
    cost: f64,
    /// Half of the perimeter of everybody's box then, in metres.
    weight: f64,
    /// Whether its units were in the order of chance.
    by_chance: bool,
}

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
        match self.fresh {
            Some(fresh) if fresh.cost > 0.0 => relative_cost / fresh.cost,
            _ => 1.0,
        }
    }

    /// Takes a first look at the tree, of which the whole sum was just made, relative to the root's half perimeter.
    pub(super) fn look_first(&mut self, cost: f64) {
        self.fresh = (self.count > 0).then(|| {
            let weight = weight(self.levels.root());
            let worst = self.count as f64 + WIDTH as f64 * (self.levels.node_count() as f64 - 1.0);
            Fresh {
                cost,
                weight,
                by_chance: weight == 0.0 || cost - WIDTH as f64 > BY_CHANCE * worst,
            }
        });
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
        let Some(fresh) = self.fresh else {
            // Grown from nothing and never built: what there is now is what later is compared with.
            self.look_first(cost);
            return Ok(());
        };
        let has_spread = fresh.by_chance && weight(self.levels.root()) > SPREAD * fresh.weight;
        if has_spread || self.ratio(cost) > self.rebuild_at {
            return Err(Outgrown);
        }
        Ok(())
    }
}
