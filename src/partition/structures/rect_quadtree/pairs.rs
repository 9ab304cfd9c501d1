//! Everybody within reach of each other.

use super::pool::{FREE, NONE};
use super::{DEPTH_LIMIT, RectQuadtree, STACK_LENGTH};
use crate::geometry::Aabb;
use crate::partition::toolkit::group::{Group, GroupSearch, InGroups};
use crate::partition::toolkit::shares::hands;
use crate::partition::toolkit::simd::Kernel;
use crate::partition::toolkit::stack::Stack;
use crate::partition::{Pair, Part};
use crate::probe::{Event, Probe};

/// Nodes that are dealt out together: enough to stay in one stretch of memory, few enough that a dense crowd is spread over
/// all shares.
const DEAL: usize = 16;

/// Two nodes are taken from the stack, and sixteen pairs of their children, at most, are put back on each level.
const CROSSINGS: usize = 15 * DEPTH_LIMIT + 1;

impl RectQuadtree {
    /// The children of a node in which there is anybody.
    #[inline(always)]
    fn children(&self, node: u32) -> impl DoubleEndedIterator<Item = u32> {
        let first = self.pool.nodes[node as usize].children;
        let children = if first == NONE {
            0..0
        } else {
            first..first + 4
        };
        children.filter(|child| !self.pool.nodes[*child as usize].is_empty())
    }
}

impl InGroups for RectQuadtree {
    fn is_sized(&self) -> bool {
        self.pool.is_sized
    }

    /// For each two bodies there is one lowest node that has both in it or below it. So the search is no recursion from the
    /// root: for each node, in the order of memory, its own bodies meet each other and everybody below, and its children
    /// meet each other; shares are stretches of nodes. The walks below that go no deeper than the tree.
    #[inline(always)]
    fn walk<const SIZED: bool, K: Kernel, P: Probe, F: FnMut(&[Pair])>(
        &self,
        _: f32,
        part: Part,
        search: GroupSearch<'_, SIZED, K, P, F>,
    ) {
        let mut walk = PairWalk {
            tree: self,
            crossings: Stack::new(),
            waiting: Stack::new(),
            lookers: Group::NOBODY,
            search,
        };
        let records = &self.pool.records;
        for hand in hands(part, 0..records.len(), DEAL) {
            for (node, record) in (hand.start as u32..).zip(&records[hand]) {
                if record.depth != FREE && record.total >= 2 {
                    walk.all_of(node);
                }
            }
        }
        walk.search.finish();
    }
}

/// A pair search on its way through the tree.
struct PairWalk<'a, 'p, const SIZED: bool, K: Kernel, P: Probe, F: FnMut(&[Pair])> {
    tree: &'a RectQuadtree,
    /// Pairs of nodes with a node above them in common whose bodies are still to meet; or one node twice.
    crossings: Stack<(u32, u32), CROSSINGS>,
    /// Nodes at which those who look have still to look.
    waiting: Stack<u32, STACK_LENGTH>,
    /// Bodies of one node.
    lookers: Group,
    search: GroupSearch<'p, SIZED, K, P, F>,
}

/// Who looks, and whom they look at.
#[derive(Clone, Copy)]
struct Look {
    /// Those are its own bodies ...
    from: u32,
    /// ... near this box.
    area: Aabb,
    /// Those are in and below this node, ...
    at: u32,
    /// ... or below it alone.
    is_whole: bool,
}

impl<const SIZED: bool, K: Kernel, P: Probe, F: FnMut(&[Pair])> PairWalk<'_, '_, SIZED, K, P, F> {
    /// Tests a node's own bodies with each other and with those below, and those of its children with each other.
    #[inline(always)]
    fn all_of(&mut self, node: u32) {
        let tree = self.tree;
        self.crossings.push((node, node));
        // What is to be done first comes last onto the stack.
        while let Some((a, b)) = self.crossings.pop() {
            let is_one = a == b;
            let [area, b_area] = [tree.tested_bounds(a), tree.tested_bounds(b)];
            if is_one {
                self.search.tell(Event::Visit(a));
            } else if area.gap_sq(b_area) > self.search.reach_sq() {
                self.search.tell_for(a, Event::Prune(b));
                continue;
            }
            // Who is held here with all on the other side, and who is held there with all below here.
            let here = Look {
                from: a,
                area: b_area,
                at: b,
                is_whole: !is_one,
            };
            let there = Look {
                from: b,
                area,
                at: a,
                is_whole: false,
            };
            for look in [here, there].into_iter().take(if is_one { 1 } else { 2 }) {
                self.look(look, is_one);
            }
            for child in tree.children(a).rev() {
                for other in tree.children(b).rev() {
                    if !is_one || other > child {
                        self.crossings.push((child, other));
                    }
                }
            }
        }
    }

    /// Tests some bodies of a node with everybody in or below another one; where that is itself, with each other as well.
    #[inline(always)]
    fn look(&mut self, look: Look, is_one: bool) {
        let Look { from, area, .. } = look;
        let (tree, pool) = (self.tree, &self.tree.pool);
        if pool.nodes[from as usize].blocks == NONE {
            return;
        }
        let mut own = pool.own_runs(from);
        loop {
            let are_some = if is_one {
                self.search.within_next(&mut self.lookers, &mut own)
            } else {
                self.search.take_near(&mut self.lookers, &mut own, area)
            };
            if !are_some {
                return;
            }
            if look.is_whole {
                self.waiting.push(look.at);
            } else {
                self.wait_for_children(look.at);
            }
            let around = self.search.bounds_of(&self.lookers);
            while let Some(node) = self.waiting.pop() {
                let bounds = tree.tested_bounds(node);
                let is_near = around.gap_sq(bounds) <= self.search.reach_sq();
                if !is_near || !self.search.gather_of(&self.lookers, bounds) {
                    self.search.tell_for(from, Event::Prune(node));
                    continue;
                }
                self.search.tell_for(from, Event::Visit(node));
                if pool.nodes[node as usize].blocks != NONE {
                    self.search.meet(pool.own_runs(node));
                }
                self.wait_for_children(node);
            }
            if self.lookers.room() > 0 {
                return;
            }
        }
    }

    /// Has the children of a node looked at, the first one first.
    #[inline(always)]
    fn wait_for_children(&mut self, node: u32) {
        for child in self.tree.children(node).rev() {
            self.waiting.push(child);
        }
    }
}
