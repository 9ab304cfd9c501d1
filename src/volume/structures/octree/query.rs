//! Who is in a box, in a ball, on a line, nearest to a point.

use super::{LEVEL_LIMIT, Octree, ROOT};
use crate::partition::{Best, Neighbor, UnitId};
use crate::probe::{Event, Probe};
use crate::volume::toolkit::stack::Stack;
use crate::volume::{NearestQuery3, Search3};

/// A depth-first search leaves at most seven nodes behind on each level and looks at eight on the last.
pub(super) const STACK_LENGTH: usize = 7 * LEVEL_LIMIT + 1;

impl Octree {
    /// Visits the units that `search` holds.
    pub(super) fn sift<S: Search3, P: Probe>(
        &self,
        search: &S,
        probe: &mut P,
        mut visit: impl FnMut(UnitId),
    ) {
        let mut stack = Stack::<u32, STACK_LENGTH>::new(0);
        stack.push(ROOT);
        while let Some(node) = stack.pop() {
            let here = &self.nodes[node as usize];
            if search.swallows(here.bounds) {
                probe.on(Event::Accept(node));
                self.accept_below(node, probe, &mut visit);
                continue;
            }
            probe.on(Event::Visit(node));
            self.blocks.sift(here.list, search, probe, &mut visit);
            if here.is_leaf() {
                continue;
            }
            // The last first, so that the first is the next to be taken from the stack.
            for child in (here.children..here.children + 8).rev() {
                let below = &self.nodes[child as usize];
                if below.total == 0 {
                    continue;
                }
                if search.holds(below.bounds) {
                    stack.push(child);
                } else {
                    probe.on(Event::Prune(child));
                }
            }
        }
    }

    /// Visits everybody here and below.
    fn accept_below<P: Probe>(&self, node: u32, probe: &mut P, visit: &mut impl FnMut(UnitId)) {
        let mut stack = Stack::<u32, STACK_LENGTH>::new(0);
        stack.push(node);
        while let Some(node) = stack.pop() {
            let here = &self.nodes[node as usize];
            self.blocks.accept(here.list, probe, visit);
            if !here.is_leaf() {
                for child in (here.children..here.children + 8).rev() {
                    if self.nodes[child as usize].total > 0 {
                        stack.push(child);
                    }
                }
            }
        }
    }

    /// Fills `out` with the nearest units, the nearest of eight children first.
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
        stack.push((ROOT, 0.0));
        while let Some((node, distance_sq)) = stack.pop() {
            if distance_sq > best.bound_sq() {
                probe.on(Event::Prune(node));
                continue;
            }
            probe.on(Event::Visit(node));
            let here = &self.nodes[node as usize];
            self.blocks
                .offer(here.list, point, &mut best, &mut filter, probe);
            if here.is_leaf() {
                continue;
            }
            // Sorted in one by one, the nearest last.
            let mut order = [(0, 0.0); 8];
            let mut count = 0;
            for child in here.children..here.children + 8 {
                let below = &self.nodes[child as usize];
                if below.total == 0 {
                    continue;
                }
                let distance_sq = below.bounds.distance_sq(point);
                let mut place = count;
                while place > 0 && order[place - 1].1 < distance_sq {
                    order[place] = order[place - 1];
                    place -= 1;
                }
                order[place] = (child, distance_sq);
                count += 1;
            }
            for &item in &order[..count] {
                stack.push(item);
            }
        }
        best.finish(probe);
    }
}
