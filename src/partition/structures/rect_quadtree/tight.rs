//! The boxes that queries test, where they end with the bodies: made by a build and kept up by edits.

use super::four::seat_of;
use super::pool::NONE;
use super::{ROOT, RectQuadtree};
use crate::geometry::Aabb;
use crate::probe::{Event, Probe};

/// The box of a leaf with more bodies than this is not sought anew when one of them leaves: at the deepest level any number may be on one
/// spot, and each of them lies on the border.
const SOUGHT_ANEW: u32 = 128;

impl RectQuadtree {
    /// The box that queries test of a node: that of its cell, or the one around its bodies where boxes are tight. The root's is never
    /// tested, and stays that of its cell.
    #[inline(always)]
    pub(super) fn tested_bounds(&self, node: u32) -> Aabb {
        if self.is_tight && node != ROOT {
            self.pool.bounds(seat_of(node))
        } else {
            self.pool.nodes[node as usize].bounds
        }
    }

    /// Makes all boxes as small as they can be. Of a tree fresh from a build, in which all children come after their parents.
    pub(super) fn tighten(&mut self) {
        if self.is_tight {
            for node in (1..self.pool.nodes.len() as u32).rev() {
                self.pool.set_bounds(node, self.around_all(node));
            }
        }
    }

    /// Makes the boxes of the parts of a node that has just been split as small as they can be. Its own holds them all.
    pub(super) fn tighten_parts(&mut self, node: u32) {
        if self.is_tight {
            for part in self.children_of(node) {
                self.pool.set_bounds(part, self.around_own(part));
            }
        }
    }

    /// Makes the box of a node hold a body that has come to it, and those of the nodes above it.
    #[inline(always)]
    pub(super) fn embrace<P: Probe>(&mut self, node: u32, body: Aabb, probe: &mut P) {
        if self.is_tight {
            self.grow(node, body, probe);
        }
    }

    /// Makes boxes large enough, upwards until one is so already.
    fn grow<P: Probe>(&mut self, mut node: u32, body: Aabb, probe: &mut P) {
        while node != ROOT {
            let bounds = self.tested_bounds(node);
            if bounds.contains_box(body) {
                // So do all above: theirs hold this one.
                return;
            }
            self.pool.set_bounds(node, bounds.join(body));
            probe.on(Event::Refit(node));
            node = self.pool.records[node as usize].parent;
        }
    }

    /// Makes the box of a leaf as small as its bodies are, of whom one has left that may have been what made it so large. Those above stay
    /// as they are: to shrink them, each would have to look at all that is in it.
    #[inline(always)]
    pub(super) fn let_go<P: Probe>(&mut self, node: u32, gone: Aabb, probe: &mut P) {
        if self.is_tight && self.shrinks_without(node, gone) {
            self.shrink(node, probe);
        }
    }

    /// The same, where one of them has become another one.
    #[inline(always)]
    pub(super) fn replace<P: Probe>(
        &mut self,
        node: u32,
        (before, body): (Aabb, Aabb),
        probe: &mut P,
    ) {
        if !self.is_tight {
            return;
        }
        if self.shrinks_without(node, before) {
            self.shrink(node, probe);
            // It may have grown on another side.
            let parent = self.pool.records[node as usize].parent;
            self.grow(parent, self.tested_bounds(node), probe);
        } else {
            self.grow(node, body, probe);
        }
    }

    /// Whether the box of a node may be smaller where a body is not in it any more, and is sought anew then. A leaf that thins out is so
    /// once more when it comes to the limit.
    fn shrinks_without(&self, node: u32, body: Aabb) -> bool {
        let own = self.pool.records[node as usize].own;
        if node == ROOT || own > SOUGHT_ANEW || !self.pool.nodes[node as usize].is_leaf() {
            return false;
        }
        let Aabb { min, max } = self.tested_bounds(node);
        let is_within = body.min.cmpgt(min).all() && body.max.cmplt(max).all();
        !is_within || own == SOUGHT_ANEW
    }

    /// Makes the box of a leaf as small as its bodies are.
    fn shrink<P: Probe>(&mut self, node: u32, probe: &mut P) {
        let bounds = self.around_own(node);
        if bounds != self.tested_bounds(node) {
            self.pool.set_bounds(node, bounds);
            probe.on(Event::Refit(node));
        }
    }

    /// Makes the box of a node that has taken its parts back as small as its bodies are, unless they are too many.
    pub(super) fn tighten_joined(&mut self, node: u32) {
        let is_small = self.pool.records[node as usize].own <= SOUGHT_ANEW;
        if self.is_tight && node != ROOT && is_small {
            self.pool.set_bounds(node, self.around_own(node));
        }
    }

    /// The box around the bodies that a node holds itself.
    pub(super) fn around_own(&self, node: u32) -> Aabb {
        let own = self.pool.own(node);
        own.fold(Aabb::EMPTY, |sum, (_, body)| sum.join(body))
    }

    /// The box around the bodies that a node holds itself and the tested boxes of its children.
    pub(super) fn around_all(&self, node: u32) -> Aabb {
        let own = self.around_own(node);
        let children = self.children_of(node);
        children.fold(own, |sum, child| sum.join(self.tested_bounds(child)))
    }

    /// The children of a node; none of a leaf.
    fn children_of(&self, node: u32) -> std::ops::Range<u32> {
        match self.pool.nodes[node as usize].children {
            NONE => 0..0,
            first => first..first + 4,
        }
    }
}
