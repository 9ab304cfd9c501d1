//! Rectangles, discs, segments and nearest neighbours.

use super::BspTree;
use super::nodes::{Branch, Link, STACK_LENGTH};
use crate::partition::toolkit::leaves::LEAF_LIMIT;
use crate::partition::toolkit::stack::Stack;
use crate::partition::{Best, NearestQuery, Neighbor, Search, UnitId};
use crate::probe::{Event, Probe};

impl BspTree {
    /// Visits the units that `search` holds. A branch is entered only where neither its box nor the line turns the search
    /// away.
    #[inline]
    pub(super) fn walk<P: Probe>(
        &self,
        search: &impl Search,
        probe: &mut P,
        mut visit: impl FnMut(UnitId),
    ) {
        let (mut tests, mut hits) = (0, 0);
        let mut found = [0; LEAF_LIMIT];
        let mut look = |branch: &Branch, stack: &mut Stack<u32, STACK_LENGTH>, probe: &mut P| {
            let region = branch.link.region();
            if !search.holds(branch.bounds) {
                probe.on(Event::Prune(region));
            } else if search.swallows(branch.bounds) {
                probe.on(Event::Accept(region));
                hits += u64::from(branch.count);
                self.each_unit(branch, |unit| {
                    if P::DETAILED {
                        probe.on(Event::Hit(unit));
                    }
                    visit(unit);
                });
            } else if branch.link.is_leaf() {
                probe.on(Event::Visit(region));
                tests += u64::from(branch.count);
                // Packed first, without a branch that a processor could guess wrong, and then told.
                let mut filled = 0;
                for (unit, body) in self.run(*branch).units() {
                    let hit = search.holds(body);
                    if P::DETAILED {
                        probe.on(Event::Test(unit));
                    }
                    found[filled] = unit;
                    filled += usize::from(hit);
                }
                hits += filled as u64;
                for &unit in &found[..filled] {
                    if P::DETAILED {
                        probe.on(Event::Hit(unit));
                    }
                    visit(unit);
                }
            } else {
                stack.push(branch.link.index());
            }
        };
        let mut stack = Stack::new();
        if !self.is_empty() {
            look(&self.root, &mut stack, probe);
        }
        while let Some(index) = stack.pop() {
            probe.on(Event::Visit(Link::inner(index).region()));
            let branches = &self.nodes[index as usize].branches;
            let cut = &self.cuts[index as usize];
            // The second first, so that the first is the next to be taken from the stack.
            for side in [1, 0] {
                if cut.reaches(side, search) {
                    look(&branches[side], &mut stack, probe);
                } else {
                    probe.on(Event::Prune(branches[side].link.region()));
                }
            }
        }
        if !P::DETAILED {
            probe.tests(tests);
            probe.hits(hits);
        }
    }

    /// Calls `visit` with every unit of a branch.
    #[inline]
    fn each_unit(&self, branch: &Branch, mut visit: impl FnMut(UnitId)) {
        let mut stack = Stack::<(Link, u32), STACK_LENGTH>::new();
        stack.push((branch.link, branch.count));
        while let Some((link, count)) = stack.pop() {
            if link.is_leaf() {
                for &unit in self.slots.run(link.index(), count).ids {
                    visit(unit);
                }
            } else {
                let [a, b] = self.below(link);
                stack.push((b.link, b.count));
                stack.push((a.link, a.count));
            }
        }
    }

    /// Fills `out` with the nearest units: of two branches the nearer one is searched first, and the other one only if it
    /// can still hold somebody near enough.
    #[inline]
    pub(super) fn find_nearest<P: Probe>(
        &self,
        query: NearestQuery,
        mut filter: impl FnMut(UnitId) -> bool,
        probe: &mut P,
        out: &mut Vec<Neighbor>,
    ) {
        let mut best = Best::new(out, query.count, query.within);
        let mut tests = 0;
        let mut stack = Stack::<(Link, u32, f32), STACK_LENGTH>::new();
        if !self.is_empty() {
            let Branch {
                bounds,
                link,
                count,
            } = self.root;
            stack.push((link, count, bounds.distance_sq(query.point)));
        }
        while let Some((link, count, distance_sq)) = stack.pop() {
            if distance_sq > best.bound_sq() {
                probe.on(Event::Prune(link.region()));
                continue;
            }
            probe.on(Event::Visit(link.region()));
            if link.is_leaf() {
                tests += u64::from(count);
                for (unit, body) in self.slots.run(link.index(), count).units() {
                    if P::DETAILED {
                        probe.on(Event::Test(unit));
                    }
                    let distance_sq = body.distance_sq(query.point);
                    if best.wants(unit, distance_sq) && filter(unit) {
                        best.offer(unit, distance_sq);
                    }
                }
                continue;
            }
            let branches = self.below(link);
            let cut = &self.cuts[link.index() as usize];
            let [near, far] = [0, 1].map(|side| {
                let Branch {
                    bounds,
                    link: below,
                    count,
                } = branches[side];
                let distance_sq = bounds
                    .distance_sq(query.point)
                    .max(cut.apart_sq(side, query.point));
                (below, count, distance_sq)
            });
            let (near, far) = if far.2 < near.2 {
                (far, near)
            } else {
                (near, far)
            };
            stack.push(far);
            stack.push(near);
        }
        if !P::DETAILED {
            probe.tests(tests);
        }
        best.finish(probe);
    }
}
