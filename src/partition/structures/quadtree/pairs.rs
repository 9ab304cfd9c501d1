//! Everybody within reach of each other: a walk over pairs of nodes.

use super::pool::Kind;
use super::{LEVEL_LIMIT, Quadtree, ROOT};
use crate::partition::toolkit::group::{GroupSearch, InGroups};
use crate::partition::toolkit::simd::Kernel;
use crate::partition::toolkit::stack::Stack;
use crate::partition::{Pair, Part};
use crate::probe::{Event, Probe};

/// Shares are dealt at the first depth with at least so many nodes, so that a crowd in one corner is not one share's alone.
const TASK_NODES: u32 = 256;

/// What is still to be done: a node with itself leaves nine behind on each level, and two nodes leave three behind where one of them
/// is replaced by its children.
const STACK_LENGTH: usize = (9 + 2 * 3) * LEVEL_LIMIT + 1;

/// The units below one node are to be tested with those below another, or with each other where both are one.
#[derive(Clone, Copy)]
struct Job {
    a: u32,
    b: u32,
    /// Whether the nodes belong to a task of this share.
    is_owned: bool,
}

impl Quadtree {
    /// The depth at which work is dealt to shares.
    fn task_depth(&self, part: Part) -> u8 {
        let deepest = self.depth_counts.iter().rposition(|count| *count > 0);
        match part.count {
            1 => 0,
            _ => self
                .depth_counts
                .iter()
                .position(|count| *count >= TASK_NODES)
                .or(deepest)
                .unwrap_or(0) as u8,
        }
    }
}

impl InGroups for Quadtree {
    fn is_sized(&self) -> bool {
        self.pool.is_sized()
    }

    #[inline(always)]
    fn walk<const SIZED: bool, K: Kernel, P: Probe, F: FnMut(&[Pair])>(
        &self,
        _: f32,
        part: Part,
        search: GroupSearch<'_, SIZED, K, P, F>,
    ) {
        let mut walk = PairWalk {
            tree: self,
            part,
            task_depth: self.task_depth(part),
            tasks: 0,
            jobs: Stack::new(),
            search,
        };
        walk.all();
        walk.search.finish();
    }
}

/// A pair search on its way through the tree.
///
/// Every share goes the same way down to the depth at which work is dealt; there it takes each `part.count`-th task, a node
/// or a pair of nodes, and leaves the others out. What lies above is reported by the first share alone.
struct PairWalk<'a, 'p, const SIZED: bool, K: Kernel, P: Probe, F: FnMut(&[Pair])> {
    tree: &'a Quadtree,
    part: Part,
    task_depth: u8,
    tasks: u32,
    jobs: Stack<Job, STACK_LENGTH>,
    search: GroupSearch<'p, SIZED, K, P, F>,
}

impl<const SIZED: bool, K: Kernel, P: Probe, F: FnMut(&[Pair])> PairWalk<'_, '_, SIZED, K, P, F> {
    #[inline(always)]
    fn all(&mut self) {
        self.jobs.push(Job {
            a: ROOT,
            b: ROOT,
            is_owned: false,
        });
        while let Some(Job { a, b, is_owned }) = self.jobs.pop() {
            if a == b {
                self.within(a, is_owned);
            } else {
                self.across(a, b, is_owned);
            }
        }
    }

    /// Whether the next task is this share's.
    #[inline(always)]
    fn is_mine(&mut self) -> bool {
        let mine = self.tasks % self.part.count == self.part.index;
        self.tasks = self.tasks.wrapping_add(1);
        mine
    }

    /// Says what happened at a node, if it is this share's to say.
    #[inline(always)]
    fn tell(&mut self, is_owned: bool, event: Event) {
        if is_owned || self.part.index == 0 {
            self.search.tell(event);
        }
    }

    /// Tests the units below a node with each other. `is_owned` says that the node belongs to a task of this share.
    #[inline(always)]
    fn within(&mut self, node: u32, mut is_owned: bool) {
        let here = &self.tree.pool.nodes[node as usize];
        let is_leaf = here.kind != Kind::Inner;
        if !is_owned && (is_leaf || here.depth >= self.task_depth) {
            if !self.is_mine() {
                return;
            }
            is_owned = true;
        }
        self.tell(is_owned, Event::Visit(node));
        if is_leaf {
            self.search.within(self.tree.pool.runs(node));
            return;
        }
        // What is to be done first comes last onto the stack.
        let first = here.link;
        for a in (first..first + 4).rev() {
            for b in (a..first + 4).rev() {
                self.jobs.push(Job { a, b, is_owned });
            }
        }
    }

    /// Tests the units below one node with those below another.
    #[inline(always)]
    fn across(&mut self, a: u32, b: u32, mut is_owned: bool) {
        let pool = &self.tree.pool;
        let (node_a, node_b) = (&pool.nodes[a as usize], &pool.nodes[b as usize]);
        let are_leaves = [node_a.kind != Kind::Inner, node_b.kind != Kind::Inner];
        if (are_leaves[0] && node_a.load == 0) || (are_leaves[1] && node_b.load == 0) {
            return;
        }
        let gap_sq = pool
            .reach_box::<SIZED>(a)
            .gap_sq(pool.reach_box::<SIZED>(b));
        if gap_sq > self.search.reach_sq() {
            if is_owned || self.part.index == 0 {
                self.search.tell_for(a, Event::Prune(b));
            }
            return;
        }
        let is_task = |is_leaf: bool, depth: u8| is_leaf || depth >= self.task_depth;
        if !is_owned && is_task(are_leaves[0], node_a.depth) && is_task(are_leaves[1], node_b.depth)
        {
            if !self.is_mine() {
                return;
            }
            is_owned = true;
        }
        // The larger is replaced by its children, so that both shrink alike.
        if !are_leaves[0] && (are_leaves[1] || node_a.depth <= node_b.depth) {
            for a in (node_a.link..node_a.link + 4).rev() {
                self.jobs.push(Job { a, b, is_owned });
            }
        } else if !are_leaves[1] {
            for b in (node_b.link..node_b.link + 4).rev() {
                self.jobs.push(Job { a, b, is_owned });
            }
        } else {
            self.leaves(a, b);
        }
    }

    /// Tests the units of one leaf with those of another. Those who are too far from the other leaf are left out first.
    #[inline(always)]
    fn leaves(&mut self, a: u32, b: u32) {
        let pool = &self.tree.pool;
        let (a, b) = if pool.nodes[a as usize].load <= pool.nodes[b as usize].load {
            (a, b)
        } else {
            (b, a)
        };
        let area = pool.reach_box::<SIZED>(b);
        let mut rest = pool.runs(a);
        let mut is_met = false;
        while self.search.gather(&mut rest, area) {
            is_met = true;
            self.search.tell_for(a, Event::Visit(b));
            self.search.meet(pool.runs(b));
        }
        if P::HEARS && !is_met {
            self.search.tell_for(a, Event::Prune(b));
        }
    }
}
