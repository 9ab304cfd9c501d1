//! All pairs within reach of each other.

use super::BspTree;
use super::nodes::{Branch, HEIGHT_LIMIT};
use crate::partition::toolkit::chunk::{Chunk, PairSearch};
use crate::partition::toolkit::search::outwards;
use crate::partition::toolkit::shares::hands;
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

/// A pair search on its way through the tree.
struct PairWalk<'a, 'p, const SIZED: bool, P: Probe, F: FnMut(&[Pair])> {
    tree: &'a BspTree,
    /// Room for units of one leaf.
    chunk: Chunk,
    search: PairSearch<'p, SIZED, P, F>,
}

impl BspTree {
    /// Gives the pairs of this share.
    ///
    /// Two units are either in one leaf, or there is one lowest node in whose two branches they are. So the search is no
    /// recursion from the root: for each node, in the order of memory, its branches are crossed and its leaves searched
    /// within; shares are stretches of nodes.
    pub(super) fn emit_pairs<P: Probe>(
        &self,
        reach: f32,
        part: Part,
        probe: &mut P,
        batch: impl FnMut(&[Pair]),
    ) {
        if self.slots.are_sized {
            self.pairs_of::<true, P>(reach, part, probe, batch);
        } else {
            self.pairs_of::<false, P>(reach, part, probe, batch);
        }
    }

    fn pairs_of<const SIZED: bool, P: Probe>(
        &self,
        reach: f32,
        part: Part,
        probe: &mut P,
        batch: impl FnMut(&[Pair]),
    ) {
        let mut walk = PairWalk {
            tree: self,
            chunk: Chunk::EMPTY,
            search: PairSearch::<'_, SIZED, P, _>::new(reach, probe, batch),
        };
        if part.index == 0 && !self.is_empty() && self.root.link.is_leaf() {
            walk.within(&self.root);
        }
        let mut stack = Crossings::new();
        let reach_along = outwards(reach);
        for hand in hands(part, 0..self.nodes.len(), DEAL) {
            for (node, cut) in self.nodes[hand.clone()].iter().zip(&self.cuts[hand]) {
                if node.is_free() {
                    continue;
                }
                for branch in &node.branches {
                    if branch.link.is_leaf() {
                        walk.within(branch);
                    }
                }
                let [a, b] = node.branches;
                if cut.low - cut.high > reach_along {
                    let left_out = Event::Prune(b.link.region());
                    walk.search.tell_for(a.link.region(), left_out);
                } else {
                    walk.meet(a, b, &mut stack);
                }
                while let Some((a, b)) = stack.pop() {
                    walk.open(a, b, &mut stack);
                }
            }
        }
        walk.search.finish();
    }
}

impl<const SIZED: bool, P: Probe, F: FnMut(&[Pair])> PairWalk<'_, '_, SIZED, P, F> {
    /// Tests each unit of a leaf with each other.
    fn within(&mut self, leaf: &Branch) {
        self.search.tell(Event::Visit(leaf.link.region()));
        let units = self.tree.run(*leaf).units();
        self.search.within(units, &mut self.chunk, |_, _| {});
    }

    /// Looks at two branches: tests their units where both are leaves, and keeps them for later where they are near.
    #[inline(always)]
    fn meet(&mut self, a: Branch, b: Branch, stack: &mut Crossings) {
        if a.bounds.gap_sq(b.bounds) > self.search.reach_sq() {
            let left_out = Event::Prune(b.link.region());
            self.search.tell_for(a.link.region(), left_out);
        } else if a.link.is_leaf() && b.link.is_leaf() {
            // A leaf is no more than a chunkful.
            let mut units = self.tree.run(b).units();
            self.chunk
                .gather_near(&mut units, a.bounds, self.search.reach_sq());
            if !self.chunk.is_empty() {
                let others = self.tree.run(a).units();
                self.search.between(&self.chunk, others);
            }
        } else {
            stack.push((a, b));
        }
    }

    /// Goes down on both sides where both are nodes, else on the one that is: neighbours are of like size, and four looks
    /// wait for none of one another.
    #[inline]
    fn open(&mut self, a: Branch, b: Branch, stack: &mut Crossings) {
        match (a.link.is_leaf(), b.link.is_leaf()) {
            (false, false) => {
                let (left, right) = (self.enter(a, b), self.enter(b, a));
                for a in left {
                    for b in right {
                        self.meet(a, b, stack);
                    }
                }
            }
            (true, _) => {
                for below in self.enter(b, a) {
                    self.meet(a, below, stack);
                }
            }
            (_, true) => {
                for below in self.enter(a, b) {
                    self.meet(below, b, stack);
                }
            }
        }
    }

    fn enter(&mut self, branch: Branch, looker: Branch) -> [Branch; 2] {
        let entered = Event::Visit(branch.link.region());
        self.search.tell_for(looker.link.region(), entered);
        *self.tree.below(branch.link)
    }
}
