//! Everybody within reach of each other: pairs of nodes, the larger of which is replaced by its children until both are leaves.

use super::query::STACK_LENGTH;
use super::{LEVEL_LIMIT, Octree, ROOT};
use crate::partition::Pair;
use crate::partition::toolkit::simd::Kernel;
use crate::partition::toolkit::stack::Stack;
use crate::probe::{Event, Probe};
use crate::volume::toolkit::pairs::PairSearch;

/// A node leaves three tasks a child and the ways to its siblings behind on each level, two nodes at most eight tasks each time
/// that one of them is replaced.
const TASK_LIMIT: usize = (3 * 8 + 2 * 8 + 8 * 7 / 2) * LEVEL_LIMIT;

/// What is left to do.
#[derive(Clone, Copy)]
enum Task {
    /// Test the units of a node and below it with each other.
    Within(u32),
    /// Test the units of one node and below it with those of another.
    Across(u32, u32),
    /// Test the units that one node holds itself with those of another and below it.
    Held(u32, u32),
}

impl Octree {
    #[inline(always)]
    pub(super) fn emit_pairs<const SIZED: bool, K: Kernel, P: Probe, F: FnMut(&[Pair])>(
        &self,
        search: &mut PairSearch<'_, SIZED, K, P, F>,
    ) {
        let mut tasks = Stack::<Task, TASK_LIMIT>::new();
        tasks.push(Task::Within(ROOT));
        // What comes last is pushed first.
        while let Some(task) = tasks.pop() {
            match task {
                Task::Within(node) => {
                    let here = &self.nodes[node as usize];
                    if here.total < 2 {
                        continue;
                    }
                    search.tell(Event::Visit(node));
                    search.within(here.list);
                    if here.is_leaf() {
                        continue;
                    }
                    let children = here.children..here.children + 8;
                    for child in children.clone().rev() {
                        if self.nodes[child as usize].total == 0 {
                            continue;
                        }
                        for sibling in (child + 1..children.end).rev() {
                            if self.nodes[sibling as usize].total > 0 {
                                tasks.push(Task::Across(child, sibling));
                            }
                        }
                        tasks.push(Task::Within(child));
                        if here.list.load > 0 {
                            tasks.push(Task::Held(node, child));
                        }
                    }
                }
                Task::Across(a, b) => {
                    let (node_a, node_b) = (&self.nodes[a as usize], &self.nodes[b as usize]);
                    if !search.reaches(node_a.bounds, node_b.bounds) {
                        search.tell_for(a, Event::Prune(b));
                        continue;
                    }
                    let depth = |node: u32| self.records[node as usize].depth;
                    // The larger is replaced by its children, so that both shrink alike.
                    let splits_a = !node_a.is_leaf() && (node_b.is_leaf() || depth(a) <= depth(b));
                    if splits_a {
                        for child in (node_a.children..node_a.children + 8).rev() {
                            if self.nodes[child as usize].total > 0 {
                                tasks.push(Task::Across(child, b));
                            }
                        }
                        if node_a.list.load > 0 {
                            tasks.push(Task::Held(a, b));
                        }
                    } else if !node_b.is_leaf() {
                        for child in (node_b.children..node_b.children + 8).rev() {
                            if self.nodes[child as usize].total > 0 {
                                tasks.push(Task::Across(a, child));
                            }
                        }
                        if node_b.list.load > 0 {
                            tasks.push(Task::Held(b, a));
                        }
                    } else {
                        search.tell_for(a, Event::Visit(b));
                        // Who is too far from the other leaf is left out: the fewer there are to look at, the better.
                        if node_a.total <= node_b.total {
                            search.between(node_a.list, node_b.list, node_b.bounds);
                        } else {
                            search.between(node_b.list, node_a.list, node_a.bounds);
                        }
                    }
                }
                Task::Held(holder, node) => self.held(holder, node, search),
            }
        }
    }

    /// Tests the units that one node holds itself with those of another, here and below.
    #[inline(always)]
    fn held<const SIZED: bool, K: Kernel, P: Probe, F: FnMut(&[Pair])>(
        &self,
        holder: u32,
        node: u32,
        search: &mut PairSearch<'_, SIZED, K, P, F>,
    ) {
        let mut stack = Stack::<u32, STACK_LENGTH>::new();
        for (unit, body) in self.blocks.units(self.nodes[holder as usize].list) {
            stack.push(node);
            while let Some(node) = stack.pop() {
                let here = &self.nodes[node as usize];
                if here.total == 0 {
                    continue;
                }
                if !search.reaches(body, here.bounds) {
                    search.tell_for(holder, Event::Prune(node));
                    continue;
                }
                search.tell_for(holder, Event::Visit(node));
                search.one(unit, body, here.list);
                if !here.is_leaf() {
                    for child in here.children..here.children + 8 {
                        stack.push(child);
                    }
                }
            }
        }
    }
}
