//! Joining the boxes again, and looking after the tree's cost.

use super::Bvh;
use crate::geometry::Aabb;
use crate::partition::toolkit::box_tree::{Branch, Link, NONE, STACK_LENGTH};
use crate::partition::toolkit::stack::Stack;
use crate::partition::{Bodies, Outgrown, UnitId};
use crate::probe::{Event, Probe, Work};

/// The cost is looked at whenever one unit in so many has changed.
const LOOK_AFTER: usize = 8;

impl Bvh {
    /// Computes every box and height from the leaves upwards.
    pub(super) fn join_all(&mut self) {
        if self.tree.is_empty() {
            return;
        }
        if self.is_ordered {
            for index in (0..self.tree.nodes.len() as u32).rev() {
                self.join(index);
            }
        } else {
            let mut order = std::mem::take(&mut self.order);
            order.clear();
            let mut stack = Stack::<u32, STACK_LENGTH>::new(NONE);
            let keep = |link: Link, stack: &mut Stack<u32, STACK_LENGTH>| {
                if !link.is_leaf() {
                    stack.push(link.index());
                }
            };
            keep(self.tree.root.link, &mut stack);
            while let Some(index) = stack.pop() {
                order.push(index);
                for branch in self.tree.nodes[index as usize].branches {
                    keep(branch.link, &mut stack);
                }
            }
            for &index in order.iter().rev() {
                self.join(index);
            }
            self.order = order;
        }
        self.tree.root.bounds = self.bounds_below(&self.tree.root);
    }

    /// Computes the boxes of a node's branches and its height; those below it must be right.
    fn join(&mut self, index: u32) {
        for side in [0, 1] {
            let branch = self.tree.nodes[index as usize].branches[side];
            let bounds = self.bounds_below(&branch);
            self.tree.nodes[index as usize].branches[side].bounds = bounds;
        }
        self.measure(index);
    }

    /// Computes a node's height from those below it.
    #[inline]
    pub(super) fn measure(&mut self, index: u32) {
        let [a, b] = self.tree.nodes[index as usize].branches;
        let height = 1 + self.height(a.link).max(self.height(b.link));
        self.tree.nodes[index as usize].height = height;
    }

    /// The box of a branch, read off what is right below it.
    #[inline]
    pub(super) fn bounds_below(&self, branch: &Branch) -> Aabb {
        if branch.link.is_leaf() {
            self.tree.run(*branch).bounds()
        } else {
            let [a, b] = self.tree.below(branch.link);
            a.bounds.join(b.bounds)
        }
    }

    /// Writes where the units of many moves are, but for those who have gone since, and joins all boxes again.
    pub(super) fn refit_all<P: Probe>(
        &mut self,
        bodies: Bodies<'_>,
        moved: impl Iterator<Item = UnitId>,
        probe: &mut P,
    ) {
        for unit in moved {
            let slot = self.tree.places[unit as usize];
            if slot != NONE {
                self.tree.slots.write_box(slot as usize, bodies.aabb(unit));
                probe.on(Event::Work(Work::MoveInPlace));
            }
        }
        self.join_all();
        for (index, node) in (0..).zip(&self.tree.nodes) {
            if !node.is_free() {
                probe.on(Event::Refit(Link::inner(index).region()));
            }
        }
    }

    /// Writes where a unit is and joins the boxes above it until one stays as it was.
    pub(super) fn refit_one<P: Probe>(&mut self, bodies: Bodies<'_>, unit: UnitId, probe: &mut P) {
        probe.on(Event::Work(Work::MoveInPlace));
        let slot = self.tree.places[unit as usize];
        self.tree.slots.write_box(slot as usize, bodies.aabb(unit));
        let mut link = self.leaf_of(slot);
        loop {
            let branch = *self.branch_mut(link);
            let bounds = self.bounds_below(&branch);
            if bounds == branch.bounds {
                return;
            }
            self.branch_mut(link).bounds = bounds;
            let above = self.parent(link);
            if above == NONE {
                return;
            }
            link = Link::inner(above);
            probe.on(Event::Refit(link.region()));
        }
    }

    /// The leaf that holds a slot.
    #[inline]
    pub(super) fn leaf_of(&self, slot: u32) -> Link {
        Link::leaf(slot - slot % self.leaf_size)
    }

    /// Says when the tree has become too costly.
    pub(super) fn look_after(&mut self, changes: usize) -> Result<(), Outgrown> {
        self.changes += changes;
        if self.changes * LOOK_AFTER >= self.tree.root.count as usize {
            self.changes = 0;
            if self.fresh_cost == 0.0 {
                // Grown from nothing and never built: what there is now is what later is compared with.
                self.fresh_cost = self.relative_cost();
            } else if self.cost_ratio() > self.rebuild_at {
                return Err(Outgrown);
            }
        }
        Ok(())
    }
}
