//! Rectangles, discs, segments and nearest neighbours.

use super::{Link, MortonTree, STACK_LENGTH, Stack};
use crate::geometry::Aabb;
use crate::partition::{Best, NearestQuery, Neighbor, Search, UnitId};
use crate::probe::{Event, Probe};

impl MortonTree {
    /// Visits the units that `search` holds. A node is entered only where its own box is held too.
    #[inline]
    pub(super) fn walk<P: Probe>(
        &self,
        search: &impl Search,
        probe: &mut P,
        mut visit: impl FnMut(UnitId),
    ) {
        let (mut tests, mut hits) = (0, 0);
        let mut stack = Stack::<Link, STACK_LENGTH>::new(Link::NONE);
        let mut look = |link: Link, bounds: Aabb, stack: &mut Stack<_, _>, probe: &mut P| {
            if link.is_leaf() {
                let unit = link.index();
                tests += 1;
                if P::DETAILED {
                    probe.on(Event::Test(unit));
                }
                if search.holds(bounds) {
                    hits += 1;
                    if P::DETAILED {
                        probe.on(Event::Hit(unit));
                    }
                    visit(unit);
                }
            } else if !search.holds(bounds) {
                probe.on(Event::Prune(link.region()));
            } else if search.swallows(bounds) {
                probe.on(Event::Accept(link.region()));
                self.each_leaf(link, |unit| {
                    hits += 1;
                    if P::DETAILED {
                        probe.on(Event::Hit(unit));
                    }
                    visit(unit);
                });
            } else {
                stack.push(link);
            }
        };
        if self.root != Link::NONE {
            look(self.root, self.root_box, &mut stack, probe);
        }
        while let Some(link) = stack.pop() {
            probe.on(Event::Visit(link.region()));
            let node = &self.nodes[link.index() as usize];
            // The second child first, so that the first is the next to be taken from the stack: in the curve's order.
            look(node.children[1], node.boxes[1], &mut stack, probe);
            look(node.children[0], node.boxes[0], &mut stack, probe);
        }
        if !P::DETAILED {
            probe.tests(tests);
            probe.hits(hits);
        }
    }

    /// Calls `visit` with every unit below `link`.
    #[inline]
    pub(super) fn each_leaf(&self, link: Link, mut visit: impl FnMut(UnitId)) {
        let mut stack = Stack::<Link, STACK_LENGTH>::new(Link::NONE);
        stack.push(link);
        while let Some(link) = stack.pop() {
            if link.is_leaf() {
                visit(link.index());
            } else {
                let [first, second] = self.nodes[link.index() as usize].children;
                stack.push(second);
                stack.push(first);
            }
        }
    }

    /// Fills `out` with the nearest units: of two children the nearer one is searched first, and the other one only if it
    /// can still hold somebody near enough.
    pub(super) fn search_nearest<P: Probe>(
        &self,
        query: NearestQuery,
        mut filter: impl FnMut(UnitId) -> bool,
        probe: &mut P,
        out: &mut Vec<Neighbor>,
    ) {
        let mut best = Best::new(out, query.count, query.within);
        let mut stack = Stack::<(Link, f32), STACK_LENGTH>::new((Link::NONE, 0.0));
        if self.root != Link::NONE {
            stack.push((self.root, self.root_box.distance_sq(query.point)));
        }
        while let Some((link, distance_sq)) = stack.pop() {
            if link.is_leaf() {
                let unit = link.index();
                probe.on(Event::Test(unit));
                if best.wants(unit, distance_sq) && filter(unit) {
                    best.offer(unit, distance_sq);
                }
            } else if distance_sq > best.bound_sq() {
                probe.on(Event::Prune(link.region()));
            } else {
                probe.on(Event::Visit(link.region()));
                let node = &self.nodes[link.index() as usize];
                let [mut near, mut far] = [0, 1].map(|slot| {
                    (
                        node.children[slot],
                        node.boxes[slot].distance_sq(query.point),
                    )
                });
                if far.1 < near.1 {
                    std::mem::swap(&mut near, &mut far);
                }
                stack.push(far);
                stack.push(near);
            }
        }
        for neighbor in out.iter() {
            probe.on(Event::Hit(neighbor.unit));
        }
    }
}
