//! All pairs within reach of each other.

use super::BspTree;
use super::nodes::{Branch, HEIGHT_LIMIT};
use crate::partition::toolkit::group::{GroupSearch, InGroups};
use crate::partition::toolkit::search::outwards;
use crate::partition::toolkit::shares::hands;
use crate::partition::toolkit::simd::Kernel;
use crate::partition::toolkit::stack::Stack;
use crate::partition::{Pair, Part};
use crate::probe::{Event, Probe};

/// Nodes that are dealt out together: enough to stay in one stretch of memory, few enough that a dense crowd is spread over
/// all shares.
const DEAL: usize = 32;

/// Each step goes down on one side at least and on both where it can; it takes one crossing from the stack and puts back at
/// most four. Two ways down of at most [`HEIGHT_LIMIT`] nodes cannot take more steps than the longer one has nodes.
const CROSSINGS: usize = 3 * HEIGHT_LIMIT + 1;

/// Two branches to be crossed.
type Crossings = Stack<(Branch, Branch), CROSSINGS>;

impl InGroups for BspTree {
    fn is_sized(&self) -> bool {
        self.slots.are_sized
    }

    /// Two units are either in one leaf, or there is one lowest node in whose two branches they are. So the search is no
    /// recursion from the root: for each node, in the order of memory, its branches are crossed and its leaves searched
    /// within; shares are stretches of nodes.
    #[inline(always)]
    fn walk<const SIZED: bool, K: Kernel, P: Probe, F: FnMut(&[Pair])>(
        &self,
        reach: f32,
        part: Part,
        search: GroupSearch<'_, SIZED, K, P, F>,
    ) {
        let mut walk = PairWalk {
            tree: self,
            stack: Crossings::new(),
            near: Stack::new(),
            search,
        };
        if part.index == 0 && !self.is_empty() && self.root.link.is_leaf() {
            walk.within(self.root);
        }
        let reach_along = outwards(reach);
        for hand in hands(part, 0..self.nodes.len(), DEAL) {
            for (node, cut) in self.nodes[hand.clone()].iter().zip(&self.cuts[hand]) {
                if node.is_free() {
                    continue;
                }
                for branch in node.branches {
                    if branch.link.is_leaf() {
                        walk.within(branch);
                    }
                }
                let [a, b] = node.branches;
                if cut.low - cut.high > reach_along {
                    let left_out = Event::Prune(b.link.region());
                    walk.search.tell_for(a.link.region(), left_out);
                } else {
                    walk.cross(a, b);
                }
            }
        }
        walk.search.finish();
    }
}

/// A pair search on its way through the tree.
struct PairWalk<'a, 'p, const SIZED: bool, K: Kernel, P: Probe, F: FnMut(&[Pair])> {
    tree: &'a BspTree,
    /// Branches that are near each other and not both leaves, to be opened.
    stack: Crossings,
    /// Those below the two that were opened last, to be looked at.
    near: Stack<(Branch, Branch), 4>,
    search: GroupSearch<'p, SIZED, K, P, F>,
}

impl<const SIZED: bool, K: Kernel, P: Probe, F: FnMut(&[Pair])> PairWalk<'_, '_, SIZED, K, P, F> {
    /// Tests each unit of a leaf with each other.
    #[inline(always)]
    fn within(&mut self, leaf: Branch) {
        self.search.tell(Event::Visit(leaf.link.region()));
        self.search.within(self.tree.leaf_runs(leaf));
    }

    /// Tests the units below one branch with those below another.
    #[inline(always)]
    fn cross(&mut self, a: Branch, b: Branch) {
        self.near.push((a, b));
        loop {
            while let Some((a, b)) = self.near.pop() {
                self.meet(a, b);
            }
            let Some((a, b)) = self.stack.pop() else {
                return;
            };
            self.open(a, b);
        }
    }

    /// Looks at two branches: tests their units where both are leaves, and keeps them for later where they are near.
    #[inline(always)]
    fn meet(&mut self, a: Branch, b: Branch) {
        if a.bounds.gap_sq(b.bounds) > self.search.reach_sq() {
            let left_out = Event::Prune(b.link.region());
            self.search.tell_for(a.link.region(), left_out);
        } else if a.link.is_leaf() && b.link.is_leaf() {
            let mut units = self.tree.leaf_runs(b);
            while self.search.gather(&mut units, a.bounds) {
                self.search.meet(self.tree.leaf_runs(a));
            }
        } else {
            self.stack.push((a, b));
        }
    }

    /// Goes down on both sides where both are nodes, else on the one that is: neighbours are of like size, and four looks
    /// wait for none of one another.
    #[inline(always)]
    fn open(&mut self, a: Branch, b: Branch) {
        let left = if a.link.is_leaf() {
            [a, Branch::NONE]
        } else {
            self.enter(a, b)
        };
        let right = if b.link.is_leaf() {
            [b, Branch::NONE]
        } else {
            self.enter(b, a)
        };
        // The first comes last onto the stack.
        for a in left.into_iter().rev() {
            for b in right.into_iter().rev() {
                if !a.is_none() && !b.is_none() {
                    self.near.push((a, b));
                }
            }
        }
    }

    #[inline(always)]
    fn enter(&mut self, branch: Branch, looker: Branch) -> [Branch; 2] {
        let entered = Event::Visit(branch.link.region());
        self.search.tell_for(looker.link.region(), entered);
        *self.tree.below(branch.link)
    }
}
