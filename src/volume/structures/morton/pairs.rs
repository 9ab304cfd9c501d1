//! Everybody within reach of each other: a recursion over pairs of nodes.

use super::{MortonTree3, NONE};
use crate::partition::Pair;
use crate::probe::{Event, Probe};
use crate::volume::toolkit::pairs::PairSearch;

impl MortonTree3 {
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
        if self.root != NONE {
            walk.within(self.root);
        }
        walk.search.finish();
    }
}

/// A pair search on its way through the tree. Its recursion goes no deeper than twice the bits of a key.
struct PairWalk<'a, const SIZED: bool, P: Probe, F: FnMut(&[Pair])> {
    tree: &'a MortonTree3,
    search: PairSearch<'a, SIZED, P, F>,
}

impl<const SIZED: bool, P: Probe, F: FnMut(&[Pair])> PairWalk<'_, SIZED, P, F> {
    /// Tests the units below a node with each other.
    fn within(&mut self, node: u32) {
        self.search.tell(Event::Visit(node));
        let here = &self.tree.nodes[node as usize];
        if here.is_bucket() {
            self.search.within(here.list);
            return;
        }
        let [a, b] = here.children;
        self.within(a);
        self.within(b);
        self.across(a, b);
    }

    /// Tests the units below one node with those below another.
    fn across(&mut self, a: u32, b: u32) {
        let (node_a, node_b) = (&self.tree.nodes[a as usize], &self.tree.nodes[b as usize]);
        if !self.search.reaches(node_a.bounds, node_b.bounds) {
            self.search.tell(Event::Prune(b));
            return;
        }
        let is_larger = || node_a.bounds.half_surface() >= node_b.bounds.half_surface();
        // The larger is replaced by its children, so that both shrink alike.
        if !node_a.is_bucket() && (node_b.is_bucket() || is_larger()) {
            for child in node_a.children {
                self.across(child, b);
            }
        } else if !node_b.is_bucket() {
            for child in node_b.children {
                self.across(a, child);
            }
        } else {
            self.search.tell(Event::Visit(b));
            if node_a.list.load <= node_b.list.load {
                self.search.between(node_a.list, node_b.list, node_b.bounds);
            } else {
                self.search.between(node_b.list, node_a.list, node_a.bounds);
            }
        }
    }
}
