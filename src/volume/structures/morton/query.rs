//! Who is in a box, in a ball, on a line, nearest to a point.

use super::key::DEPTH_LIMIT;
use super::{MortonTree3, NONE};
use crate::partition::{Best, Neighbor, UnitId};
use crate::probe::{Event, Probe};
use crate::volume::toolkit::stack::Stack;
use crate::volume::{NearestQuery3, Search3};

/// A depth-first search leaves at most one node behind on each level, and looks at two on the last.
const STACK_LENGTH: usize = DEPTH_LIMIT + 2;

impl MortonTree3 {
    /// Visits the units that `search` holds.
    pub(super) fn sift<S: Search3, P: Probe>(
        &self,
        search: &S,
        probe: &mut P,
        mut visit: impl FnMut(UnitId),
    ) {
        if self.root == NONE {
            return;
        }
        let mut stack = Stack::<u32, STACK_LENGTH>::new(0);
        stack.push(self.root);
        while let Some(node) = stack.pop() {
            let here = &self.nodes[node as usize];
            if search.swallows(here.bounds) {
                probe.on(Event::Accept(node));
                self.accept_below(node, probe, &mut visit);
            } else if !search.holds(here.bounds) {
                probe.on(Event::Prune(node));
            } else {
                probe.on(Event::Visit(node));
                if here.is_bucket() {
                    self.blocks.sift(here.list, search, probe, &mut visit);
                } else {
                    stack.push(here.children[1]);
                    stack.push(here.children[0]);
                }
            }
        }
    }

    /// Visits everybody below.
    fn accept_below<P: Probe>(&self, node: u32, probe: &mut P, visit: &mut impl FnMut(UnitId)) {
        let mut stack = Stack::<u32, STACK_LENGTH>::new(0);
        stack.push(node);
        while let Some(node) = stack.pop() {
            let here = &self.nodes[node as usize];
            if here.is_bucket() {
                self.blocks.accept(here.list, probe, visit);
            } else {
                stack.push(here.children[1]);
                stack.push(here.children[0]);
            }
        }
    }

    /// Fills `out` with the nearest units, the nearer of two children first.
    pub(super) fn find_nearest<P: Probe>(
        &self,
        query: NearestQuery3,
        mut filter: impl FnMut(UnitId) -> bool,
        probe: &mut P,
        out: &mut Vec<Neighbor>,
    ) {
        let point = query.point;
        let mut best = Best::new(out, query.count, query.within);
        let mut stack = Stack::<(u32, f32), STACK_LENGTH>::new((0, 0.0));
        let entry = |node: u32| (node, self.nodes[node as usize].bounds.distance_sq(point));
        if self.root != NONE {
            stack.push(entry(self.root));
        }
        while let Some((node, distance_sq)) = stack.pop() {
            if distance_sq > best.bound_sq() {
                probe.on(Event::Prune(node));
                continue;
            }
            probe.on(Event::Visit(node));
            let here = &self.nodes[node as usize];
            if here.is_bucket() {
                self.blocks
                    .offer(here.list, point, &mut best, &mut filter, probe);
                continue;
            }
            let [a, b] = here.children.map(entry);
            let (near, far) = if a.1 <= b.1 { (a, b) } else { (b, a) };
            stack.push(far);
            stack.push(near);
        }
        best.finish(probe);
    }
}
