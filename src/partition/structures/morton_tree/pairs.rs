//! All pairs within reach of each other.

use super::{DEPTH_LIMIT, Link, MortonTree, Stack};
use crate::geometry::Aabb;
use crate::partition::toolkit::shares::hands;
use crate::partition::{Pair, PairBatch, Part};
use crate::probe::{Event, Probe};

/// Nodes that are dealt out together: enough to stay in one stretch of memory, few enough that a dense crowd is spread over
/// all shares.
const DEAL: usize = 256;

/// Two subtrees to be crossed: their links and boxes.
type Crossing = (Link, Aabb, Link, Aabb);

/// Each step goes down on one side at least and on both where it can; it takes one crossing from the stack and puts back at
/// most four. Two ways down of at most [`DEPTH_LIMIT`] nodes cannot take more steps than the longer one has nodes.
const CROSSINGS: usize = 3 * DEPTH_LIMIT + 1;

impl MortonTree {
    /// Gives the pairs of this share.
    ///
    /// Every pair has one lowest common node, in whose two children its units are. So the search is no recursion from the
    /// root: for each node, in the order of memory, its children are crossed, and shares are stretches of nodes.
    /// Where both sides are inner nodes both are opened at once: a fifth more tests than opening the larger one alone,
    /// and a third less time, for neighbours on the curve are of like size and four tests wait for none of one another.
    pub(super) fn cross_children<P: Probe>(
        &self,
        reach: f32,
        part: Part,
        probe: &mut P,
        batch: impl FnMut(&[Pair]),
    ) {
        let reach_sq = reach * reach;
        let mut batch = PairBatch::new(batch);
        let (mut tests, mut hits) = (0, 0);
        let none = (Link::NONE, Aabb::EMPTY);
        let mut stack = Stack::<Crossing, CROSSINGS>::new((none.0, none.1, none.0, none.1));
        let mut meet =
            |a: Link, a_box: Aabb, b: Link, b_box: Aabb, stack: &mut Stack<_, _>, probe: &mut P| {
                let near = a_box.gap_sq(b_box) <= reach_sq;
                if a.is_leaf() && b.is_leaf() {
                    let (a, b) = (a.index(), b.index());
                    tests += 1;
                    hits += u64::from(near);
                    if P::DETAILED {
                        probe.on(Event::TestPair(a.min(b), a.max(b)));
                        if near {
                            probe.on(Event::HitPair(a.min(b), a.max(b)));
                        }
                    }
                    batch.push_if(a, b, near);
                } else if near {
                    stack.push((a, a_box, b, b_box));
                } else {
                    let inner = if a.is_leaf() { b } else { a };
                    probe.on(Event::Prune(inner.region()));
                }
            };
        for hand in hands(part, 0..self.nodes.len(), DEAL) {
            for node in self.nodes[hand].iter().filter(|node| !node.is_free()) {
                let [a, b] = node.children;
                let [a_box, b_box] = node.boxes;
                meet(a, a_box, b, b_box, &mut stack, probe);
                while let Some((a, a_box, b, b_box)) = stack.pop() {
                    match (a.is_leaf(), b.is_leaf()) {
                        (false, false) => {
                            let [left, right] =
                                [a, b].map(|link| &self.nodes[link.index() as usize]);
                            probe.on(Event::Visit(a.region()));
                            probe.on(Event::Visit(b.region()));
                            for i in 0..2 {
                                for j in 0..2 {
                                    let (a, a_box) = (left.children[i], left.boxes[i]);
                                    let (b, b_box) = (right.children[j], right.boxes[j]);
                                    meet(a, a_box, b, b_box, &mut stack, probe);
                                }
                            }
                        }
                        (a_is_leaf, _) => {
                            let (leaf, leaf_box, inner) = if a_is_leaf {
                                (a, a_box, b)
                            } else {
                                (b, b_box, a)
                            };
                            probe.on(Event::Visit(inner.region()));
                            let node = &self.nodes[inner.index() as usize];
                            for slot in 0..2 {
                                let (other, other_box) = (node.children[slot], node.boxes[slot]);
                                meet(leaf, leaf_box, other, other_box, &mut stack, probe);
                            }
                        }
                    }
                }
            }
        }
        batch.flush();
        if !P::DETAILED {
            probe.tests(tests);
            probe.hits(hits);
        }
    }
}
