//! Everybody within reach of each other: a recursion over pairs of nodes.

use super::pool::Kind;
use super::{Quadtree, ROOT};
use crate::partition::toolkit::chunk::{Chunk, PairSearch};
use crate::partition::{Pair, Part};
use crate::probe::{Event, Probe};

/// Shares are dealt at the first depth with at least so many nodes, so that a crowd in one corner is not one share's alone.
const TASK_NODES: u32 = 256;

impl Quadtree {
    pub(super) fn emit_pairs<const SIZED: bool, P: Probe>(
        &self,
        reach: f32,
        part: Part,
        probe: &mut P,
        batch: impl FnMut(&[Pair]),
    ) {
        let deepest = self.depth_counts.iter().rposition(|count| *count > 0);
        let task_depth = match part.count {
            1 => 0,
            _ => self
                .depth_counts
                .iter()
                .position(|count| *count >= TASK_NODES)
                .or(deepest)
                .unwrap_or(0) as u8,
        };
        let mut walk = PairWalk {
            tree: self,
            part,
            task_depth,
            tasks: 0,
            chunk: Chunk::EMPTY,
            near: Chunk::EMPTY,
            search: PairSearch::<SIZED, P, _>::new(reach, probe, batch),
        };
        walk.within(ROOT, false);
        walk.search.finish();
    }
}

/// A pair search on its way through the tree.
///
/// Every share goes the same way down to the depth at which work is dealt; there it takes each `part.count`-th task, a node
/// or a pair of nodes, and leaves the others out. What lies above is reported by the first share alone.
struct PairWalk<'a, 'p, const SIZED: bool, P: Probe, F: FnMut(&[Pair])> {
    tree: &'a Quadtree,
    part: Part,
    task_depth: u8,
    tasks: u32,
    chunk: Chunk,
    near: Chunk,
    search: PairSearch<'p, SIZED, P, F>,
}

impl<const SIZED: bool, P: Probe, F: FnMut(&[Pair])> PairWalk<'_, '_, SIZED, P, F> {
    /// Whether the next task is this share's.
    fn is_mine(&mut self) -> bool {
        let mine = self.tasks % self.part.count == self.part.index;
        self.tasks = self.tasks.wrapping_add(1);
        mine
    }

    /// Says what happened at a node, if it is this share's to say.
    fn tell(&mut self, owned: bool, event: Event) {
        if owned || self.part.index == 0 {
            self.search.tell(event);
        }
    }

    /// Tests the units below a node with each other. `owned` says that the node belongs to a task of this share.
    fn within(&mut self, node: u32, mut owned: bool) {
        let here = &self.tree.pool.nodes[node as usize];
        let is_leaf = here.kind != Kind::Inner;
        if !owned && (is_leaf || here.depth >= self.task_depth) {
            if !self.is_mine() {
                return;
            }
            owned = true;
        }
        self.tell(owned, Event::Visit(node));
        if is_leaf {
            let bodies = self.tree.pool.bodies(node);
            self.search.within(bodies, &mut self.chunk, |_, _| {});
            return;
        }
        let first = here.link;
        for child in first..first + 4 {
            self.within(child, owned);
            for sibling in child + 1..first + 4 {
                self.across(child, sibling, owned);
            }
        }
    }

    /// Tests the units below one node with those below another.
    fn across(&mut self, a: u32, b: u32, mut owned: bool) {
        let (node_a, node_b) = (
            &self.tree.pool.nodes[a as usize],
            &self.tree.pool.nodes[b as usize],
        );
        let are_leaves = [node_a.kind != Kind::Inner, node_b.kind != Kind::Inner];
        if (are_leaves[0] && node_a.load == 0) || (are_leaves[1] && node_b.load == 0) {
            return;
        }
        let gap_sq = self.tree.reach_box(a).gap_sq(self.tree.reach_box(b));
        if gap_sq > self.search.reach_sq() {
            self.tell(owned, Event::Prune(b));
            return;
        }
        let is_task = |is_leaf: bool, depth: u8| is_leaf || depth >= self.task_depth;
        if !owned && is_task(are_leaves[0], node_a.depth) && is_task(are_leaves[1], node_b.depth) {
            if !self.is_mine() {
                return;
            }
            owned = true;
        }
        // The larger is replaced by its children, so that both shrink alike.
        if !are_leaves[0] && (are_leaves[1] || node_a.depth <= node_b.depth) {
            for child in node_a.link..node_a.link + 4 {
                self.across(child, b, owned);
            }
        } else if !are_leaves[1] {
            for child in node_b.link..node_b.link + 4 {
                self.across(a, child, owned);
            }
        } else {
            self.leaves(a, b);
        }
    }

    /// Tests the units of one leaf with those of another. Those who are too far from the other leaf are left out first.
    fn leaves(&mut self, a: u32, b: u32) {
        let (a, b) =
            if self.tree.pool.nodes[a as usize].load <= self.tree.pool.nodes[b as usize].load {
                (a, b)
            } else {
                (b, a)
            };
        let pool = &self.tree.pool;
        let area = self.tree.reach_box(b);
        let mut rest = pool.bodies(a);
        loop {
            let reach_sq = self.search.reach_sq();
            self.near.gather_near(&mut rest, area, reach_sq);
            if self.near.is_empty() {
                return;
            }
            self.search.tell(Event::Visit(b));
            self.search.between(&self.near, pool.bodies(b));
        }
    }
}
