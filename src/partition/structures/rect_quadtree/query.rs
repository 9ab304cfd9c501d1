//! Rectangles, discs, segments and nearest neighbours.

use super::pool::NONE;
use super::{ROOT, RectQuadtree, STACK_LENGTH};
use crate::geometry::Aabb;
use crate::partition::Search;
use crate::partition::toolkit::stack::Stack;
use crate::partition::{Best, NearestQuery, Neighbor, UnitId};
use crate::probe::{Event, Probe};

/// A stack of nodes.
type Nodes = Stack<u32, STACK_LENGTH>;

impl RectQuadtree {
    /// Visits the units that `search` holds. The root is always entered, for it holds what sticks out of it.
    #[inline]
    pub(super) fn walk<P: Probe>(
        &self,
        search: &impl Search,
        probe: &mut P,
        mut visit: impl FnMut(UnitId),
    ) {
        let (mut tests, mut hits) = (0, 0);
        let mut stack = Nodes::new(NONE);
        stack.push(ROOT);
        while let Some(index) = stack.pop() {
            probe.on(Event::Visit(index));
            for (unit, body) in self.pool.own(index) {
                tests += 1;
                if P::DETAILED {
                    probe.on(Event::Test(unit));
                }
                if search.holds(body) {
                    hits += 1;
                    if P::DETAILED {
                        probe.on(Event::Hit(unit));
                    }
                    visit(unit);
                }
            }
            let children = self.pool.nodes[index as usize].children;
            if children == NONE {
                continue;
            }
            // The last first, so that the first is the next to be taken from the stack.
            for child in (children..children + 4).rev() {
                let node = &self.pool.nodes[child as usize];
                if node.is_empty() {
                    continue;
                }
                if !search.holds(node.bounds) {
                    probe.on(Event::Prune(child));
                } else if search.swallows(node.bounds) {
                    probe.on(Event::Accept(child));
                    self.each_below(child, |unit, _| {
                        hits += 1;
                        if P::DETAILED {
                            probe.on(Event::Hit(unit));
                        }
                        visit(unit);
                    });
                } else {
                    stack.push(child);
                }
            }
        }
        if !P::DETAILED {
            probe.tests(tests);
            probe.hits(hits);
        }
    }

    /// Calls `visit` with everybody in a node and below it.
    #[inline]
    fn each_below(&self, node: u32, mut visit: impl FnMut(UnitId, Aabb)) {
        let mut stack = Nodes::new(NONE);
        stack.push(node);
        while let Some(index) = stack.pop() {
            for (unit, body) in self.pool.own(index) {
                visit(unit, body);
            }
            let children = self.pool.nodes[index as usize].children;
            if children != NONE {
                for child in (children..children + 4).rev() {
                    stack.push(child);
                }
            }
        }
    }

    /// Fills `out` with the nearest units: of four children the nearest is searched first, and each of the others only if
    /// it can still hold somebody near enough.
    pub(super) fn search_nearest<P: Probe>(
        &self,
        query: NearestQuery,
        mut filter: impl FnMut(UnitId) -> bool,
        probe: &mut P,
        out: &mut Vec<Neighbor>,
    ) {
        let mut best = Best::new(out, query.count, query.within);
        let mut tests = 0;
        let mut stack = Stack::<(u32, f32), STACK_LENGTH>::new((NONE, 0.0));
        stack.push((ROOT, 0.0));
        while let Some((index, distance_sq)) = stack.pop() {
            if distance_sq > best.bound_sq() {
                probe.on(Event::Prune(index));
                continue;
            }
            probe.on(Event::Visit(index));
            for (unit, body) in self.pool.own(index) {
                tests += 1;
                if P::DETAILED {
                    probe.on(Event::Test(unit));
                }
                let distance_sq = body.distance_sq(query.point);
                if best.wants(unit, distance_sq) && filter(unit) {
                    best.offer(unit, distance_sq);
                }
            }
            let children = self.pool.nodes[index as usize].children;
            if children == NONE {
                continue;
            }
            // Where loose boxes overlap, several are no distance away: the quarter of the point itself goes first, which is
            // last onto the stack.
            let home = self.pool.nodes[index as usize].quarter(query.point);
            let mut order = [home ^ 3, home ^ 2, home ^ 1, home].map(|quarter| {
                let bounds = self.pool.nodes[(children + quarter) as usize].bounds;
                (children + quarter, bounds.distance_sq(query.point))
            });
            order.sort_by(|a, b| b.1.total_cmp(&a.1));
            for (child, distance_sq) in order {
                if !self.pool.nodes[child as usize].is_empty() {
                    stack.push((child, distance_sq));
                }
            }
        }
        if P::DETAILED {
            for neighbor in out.iter() {
                probe.on(Event::Hit(neighbor.unit));
            }
        } else {
            probe.tests(tests);
            probe.hits(out.len() as u64);
        }
    }
}
