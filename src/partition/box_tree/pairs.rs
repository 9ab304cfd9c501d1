//! All pairs within reach of each other.

use super::super::kernel::Stack;
use super::{BoxTree, Branch, HEIGHT_LIMIT, LEAF_LIMIT, Run};
use crate::geometry::Aabb;
use crate::partition::{Pair, PairBatch, Part, UnitId};
use crate::probe::{Event, Probe};

/// Nodes that are dealt out together: enough to stay in one stretch of memory, few enough that a dense crowd is spread over
/// all shares.
const DEAL: usize = 32;

/// Each step goes down on one side at least and on both where it can; it takes one crossing from the stack and puts back at
/// most four. Two ways down of at most [`HEIGHT_LIMIT`] nodes cannot take more steps than the longer one has nodes.
const CROSSINGS: usize = 3 * HEIGHT_LIMIT + 1;

/// Those units of one leaf that are near another one, side by side.
struct Near {
    ids: [UnitId; LEAF_LIMIT],
    boxes: [Aabb; LEAF_LIMIT],
    count: usize,
}

/// A pair search under way. `SIZED` says whether units have sizes; without, they are compared as points.
struct PairSearch<'p, const SIZED: bool, P: Probe, F: FnMut(&[Pair])> {
    reach_sq: f32,
    probe: &'p mut P,
    batch: PairBatch<F>,
    near: Near,
    tests: u64,
    hits: u64,
}

impl<const SIZED: bool, P: Probe, F: FnMut(&[Pair])> PairSearch<'_, SIZED, P, F> {
    /// Tests one unit with each of those gathered.
    #[inline(always)]
    fn against_near(&mut self, unit: UnitId, body: Aabb) {
        let Near { ids, boxes, count } = &self.near;
        for (&other, &other_body) in ids[..*count].iter().zip(boxes) {
            let hit = if SIZED {
                body.gap_sq(other_body) <= self.reach_sq
            } else {
                // The gap of two boxes without size, to the last bit.
                let way = body.min - other_body.min;
                way.x * way.x + way.y * way.y <= self.reach_sq
            };
            if P::DETAILED {
                let (a, b) = (unit.min(other), unit.max(other));
                self.probe.on(Event::TestPair(a, b));
                if hit {
                    self.probe.on(Event::HitPair(a, b));
                }
            }
            self.hits += u64::from(hit);
            self.batch.push_if(unit, other, hit);
        }
        self.tests += self.near.count as u64;
    }

    /// Tests each unit of a leaf with each other.
    fn within(&mut self, run: Run<'_>) {
        self.near.count = 0;
        for (unit, body) in run.units() {
            self.against_near(unit, body);
            self.near.push_if(unit, body, true);
        }
    }

    /// Tests the units of two leaves, but for those that are far from the other leaf as a whole.
    fn between(&mut self, a: Run<'_>, a_bounds: Aabb, b: Run<'_>, b_bounds: Aabb) {
        self.near.count = 0;
        for (unit, body) in b.units() {
            let is_near = body.gap_sq(a_bounds) <= self.reach_sq;
            self.near.push_if(unit, body, is_near);
        }
        if self.near.count == 0 {
            return;
        }
        for (unit, body) in a.units() {
            if body.gap_sq(b_bounds) <= self.reach_sq {
                self.against_near(unit, body);
            }
        }
    }
}

impl Near {
    #[inline(always)]
    fn push_if(&mut self, unit: UnitId, body: Aabb, is_near: bool) {
        // The last unit of a full leaf is written over itself at the worst: at most as many come as there is room for.
        self.ids[self.count] = unit;
        self.boxes[self.count] = body;
        self.count += usize::from(is_near);
    }
}

impl BoxTree {
    /// Gives the pairs of this share. `parts` says of a node whether its two branches are known to be farther apart than
    /// the reach.
    ///
    /// Two units are either in one leaf, or there is one lowest node in whose two branches they are. So the search is no
    /// recursion from the root: for each node, in the order of memory, its branches are crossed and its leaves searched
    /// within; shares are stretches of nodes.
    pub(in crate::partition) fn pairs<P: Probe>(
        &self,
        reach: f32,
        part: Part,
        parts: impl Fn(u32) -> bool,
        probe: &mut P,
        batch: impl FnMut(&[Pair]),
    ) {
        if self.slots.are_sized {
            self.pairs_of::<true, P>(reach, part, parts, probe, batch);
        } else {
            self.pairs_of::<false, P>(reach, part, parts, probe, batch);
        }
    }

    fn pairs_of<const SIZED: bool, P: Probe>(
        &self,
        reach: f32,
        part: Part,
        parts: impl Fn(u32) -> bool,
        probe: &mut P,
        batch: impl FnMut(&[Pair]),
    ) {
        let mut search = PairSearch::<'_, SIZED, P, _> {
            reach_sq: reach * reach,
            probe,
            batch: PairBatch::new(batch),
            near: Near {
                ids: [0; LEAF_LIMIT],
                boxes: [Aabb::EMPTY; LEAF_LIMIT],
                count: 0,
            },
            tests: 0,
            hits: 0,
        };
        if part.index == 0 && !self.is_empty() && self.root.link.is_leaf() {
            search.probe.on(Event::Visit(self.root.link.region()));
            search.within(self.run(self.root));
        }
        let mut stack = Stack::<(Branch, Branch), CROSSINGS>::new((Branch::NONE, Branch::NONE));
        let dealt = self.nodes.chunks(DEAL).enumerate();
        for (chunk, nodes) in dealt.skip(part.index as usize).step_by(part.count as usize) {
            for (index, node) in ((chunk * DEAL) as u32..).zip(nodes) {
                if node.is_free() {
                    continue;
                }
                for branch in node.branches {
                    if branch.link.is_leaf() {
                        search.probe.on(Event::Visit(branch.link.region()));
                        search.within(self.run(branch));
                    }
                }
                let [a, b] = node.branches;
                if parts(index) {
                    search.probe.on(Event::Prune(b.link.region()));
                } else {
                    self.meet(a, b, &mut stack, &mut search);
                }
                while let Some((a, b)) = stack.pop() {
                    self.open(a, b, &mut stack, &mut search);
                }
            }
        }
        search.batch.flush();
        if !P::DETAILED {
            search.probe.tests(search.tests);
            search.probe.hits(search.hits);
        }
    }

    /// Looks at two branches: tests their units where both are leaves, and keeps them for later where they are near.
    #[inline(always)]
    fn meet<const SIZED: bool, P: Probe, F: FnMut(&[Pair])>(
        &self,
        a: Branch,
        b: Branch,
        stack: &mut Stack<(Branch, Branch), CROSSINGS>,
        search: &mut PairSearch<'_, SIZED, P, F>,
    ) {
        if a.bounds.gap_sq(b.bounds) > search.reach_sq {
            search.probe.on(Event::Prune(b.link.region()));
        } else if a.link.is_leaf() && b.link.is_leaf() {
            search.between(self.run(a), a.bounds, self.run(b), b.bounds);
        } else {
            stack.push((a, b));
        }
    }

    /// Goes down on both sides where both are nodes, else on the one that is: neighbours are of like size, and four looks
    /// wait for none of one another.
    #[inline]
    fn open<const SIZED: bool, P: Probe, F: FnMut(&[Pair])>(
        &self,
        a: Branch,
        b: Branch,
        stack: &mut Stack<(Branch, Branch), CROSSINGS>,
        search: &mut PairSearch<'_, SIZED, P, F>,
    ) {
        let enter = |branch: Branch, search: &mut PairSearch<'_, SIZED, P, F>| {
            search.probe.on(Event::Visit(branch.link.region()));
            *self.below(branch.link)
        };
        match (a.link.is_leaf(), b.link.is_leaf()) {
            (false, false) => {
                let (left, right) = (enter(a, search), enter(b, search));
                for a in left {
                    for b in right {
                        self.meet(a, b, stack, search);
                    }
                }
            }
            (true, _) => {
                for below in enter(b, search) {
                    self.meet(a, below, stack, search);
                }
            }
            (_, true) => {
                for below in enter(a, search) {
                    self.meet(below, b, stack, search);
                }
            }
        }
    }
}
