//! Everybody within reach of each other: a recursion over pairs of nodes.

use super::query::STACK_LENGTH;
use super::{Octree, ROOT};
use crate::partition::{Pair, UnitId};
use crate::probe::{Event, Probe};
use crate::volume::Aabb3;
use crate::volume::toolkit::pairs::PairSearch;
use crate::volume::toolkit::stack::Stack;

impl Octree {
    pub(super) fn emit_pairs<const SIZED: bool, P: Probe>(
        &self,
        reach: f32,
        probe: &mut P,
        batch: impl FnMut(&[Pair]),
    ) {
        let mut walk = PairWalk {
            tree: self,
            search: PairSearch::<SIZED, P, _>::new(&self.blocks, reach, probe, batch),
        };
        walk.within(ROOT);
        walk.search.finish();
    }
}

/// A pair search on its way through the tree. Its recursion goes no deeper than twice the tree.
struct PairWalk<'a, const SIZED: bool, P: Probe, F: FnMut(&[Pair])> {
    tree: &'a Octree,
    search: PairSearch<'a, SIZED, P, F>,
}

impl<const SIZED: bool, P: Probe, F: FnMut(&[Pair])> PairWalk<'_, SIZED, P, F> {
    /// Tests the units here and below with each other.
    fn within(&mut self, node: u32) {
        let here = &self.tree.nodes[node as usize];
        if here.total < 2 {
            return;
        }
        self.search.tell(Event::Visit(node));
        self.search.within(here.list);
        if here.is_leaf() {
            return;
        }
        let children = here.children..here.children + 8;
        for child in children.clone() {
            if self.tree.nodes[child as usize].total == 0 {
                continue;
            }
            self.held(node, child);
            self.within(child);
            for sibling in child + 1..children.end {
                self.across(child, sibling);
            }
        }
    }

    /// Tests the units here and below of one node with those of another.
    fn across(&mut self, a: u32, b: u32) {
        let (node_a, node_b) = (&self.tree.nodes[a as usize], &self.tree.nodes[b as usize]);
        if node_a.total == 0 || node_b.total == 0 {
            return;
        }
        if !self.search.reaches(node_a.bounds, node_b.bounds) {
            self.search.tell(Event::Prune(b));
            return;
        }
        let depth = |node: u32| self.tree.records[node as usize].depth;
        // The larger is replaced by its children, so that both shrink alike.
        let splits_a = !node_a.is_leaf() && (node_b.is_leaf() || depth(a) <= depth(b));
        if splits_a {
            self.held(a, b);
            for child in node_a.children..node_a.children + 8 {
                self.across(child, b);
            }
        } else if !node_b.is_leaf() {
            self.held(b, a);
            for child in node_b.children..node_b.children + 8 {
                self.across(a, child);
            }
        } else {
            self.search.tell(Event::Visit(b));
            // Who is too far from the other leaf is left out: the fewer there are to look at, the better.
            if node_a.total <= node_b.total {
                self.search.between(node_a.list, node_b.list, node_b.bounds);
            } else {
                self.search.between(node_b.list, node_a.list, node_a.bounds);
            }
        }
    }

    /// Tests the units that one node holds itself with those of another, here and below.
    fn held(&mut self, holder: u32, node: u32) {
        let tree = self.tree;
        for (unit, body) in tree.blocks.units(tree.nodes[holder as usize].list) {
            self.one(unit, body, node);
        }
    }

    /// Tests a unit with those of a node, here and below.
    fn one(&mut self, unit: UnitId, body: Aabb3, node: u32) {
        let mut stack = Stack::<u32, STACK_LENGTH>::new(0);
        stack.push(node);
        while let Some(node) = stack.pop() {
            let here = &self.tree.nodes[node as usize];
            if here.total == 0 {
                continue;
            }
            if !self.search.reaches(body, here.bounds) {
                self.search.tell(Event::Prune(node));
                continue;
            }
            self.search.tell(Event::Visit(node));
            self.search.one(unit, body, here.list);
            if !here.is_leaf() {
                for child in here.children..here.children + 8 {
                    stack.push(child);
                }
            }
        }
    }
}
