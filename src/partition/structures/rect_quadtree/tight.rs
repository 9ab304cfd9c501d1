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
    pub(super) fn tighten<P: Probe>(&mut self, probe: &mut P) {
        if !self.is_tight {
            return;
        }
        for node in (1..self.pool.nodes.len() as u32).rev() {
            let bounds = self.around_own(node);
            let first = self.pool.nodes[node as usize].children;
            let below = if first == NONE {
                0..0
            } else {
                first..first + 4
            };
            let bounds = below.fold(bounds, |sum, child| sum.join(self.tested_bounds(child)));
            probe.on(Event::Refit(node));
            self.pool.set_bounds(node, bounds);
        }
    }

    /// Makes the box of a node, and those of the nodes above it, hold a body that has come to it.
    #[inline(always)]
    pub(super) fn embrace<P: Probe>(&mut self, node: u32, body: Aabb, probe: &mut P) {
        if self.is_tight {
            self.grow(node, body, probe);
        }
    }

    /// Makes those boxes larger, upwards until one holds the body already.
    fn grow<P: Probe>(&mut self, mut node: u32, body: Aabb, probe: &mut P) {
        while node != ROOT {
            let bounds = self.tested_bounds(node);
            if bounds.contains_box(body) {
                // So do all above: theirs hold this one.
                return;
            }
            probe.on(Event::Refit(node));
            self.pool.set_bounds(node, bounds.join(body));
            node = self.pool.records[node as usize].parent;
        }
    }

    /// Makes the box of a node as small as its bodies are, if it is a leaf and a body on the border has left it or become another one.
    #[inline(always)]
    pub(super) fn let_go<P: Probe>(&mut self, node: u32, body: Aabb, probe: &mut P) {
        if self.is_tight && node != ROOT {
            self.shrink_from(node, body, probe);
        }
    }

    /// The same, where boxes are tight. Those above stay as they are: to shrink them, each would have to look at all that is in it.
    fn shrink_from<P: Probe>(&mut self, node: u32, body: Aabb, probe: &mut P) {
        let Aabb { min, max } = self.tested_bounds(node);
        let is_within = body.min.cmpgt(min).all() && body.max.cmplt(max).all();
        if !is_within {
            self.shrink(node, probe);
        }
    }

    /// Makes the box of a node as small as its bodies are, if it is a leaf.
    pub(super) fn shrink<P: Probe>(&mut self, node: u32, probe: &mut P) {
        let is_small = self.pool.records[node as usize].own <= SOUGHT_ANEW;
        if self.is_tight && node != ROOT && is_small && self.pool.nodes[node as usize].is_leaf() {
            let bounds = self.around_own(node);
            probe.on(Event::Refit(node));
            self.pool.set_bounds(node, bounds);
        }
    }

    /// The box around the bodies that a node holds itself.
    pub(super) fn around_own(&self, node: u32) -> Aabb {
        let own = self.pool.own(node);
        own.fold(Aabb::EMPTY, |sum, (_, body)| sum.join(body))
    }
}
