//! Everybody within reach of each other: pairs of nodes, the larger of which is replaced by its children until both are buckets.

use super::key::DEPTH_LIMIT;
use super::{MortonTree3, NONE};
use crate::partition::Pair;
use crate::partition::toolkit::simd::Kernel;
use crate::partition::toolkit::stack::Stack;
use crate::probe::{Event, Probe};
use crate::volume::toolkit::pairs::PairSearch;

/// A node with itself leaves two behind on each level. Two nodes leave one each time that one of them is replaced, and look
/// at two in the end.
const STACK_LENGTH: usize = 4 * DEPTH_LIMIT + 4;

impl MortonTree3 {
    #[inline(always)]
    pub(super) fn emit_pairs<const SIZED: bool, K: Kernel, P: Probe, F: FnMut(&[Pair])>(
        &self,
        search: &mut PairSearch<'_, SIZED, K, P, F>,
    ) {
        if self.root == NONE {
            return;
        }
        // Two nodes whose units are to be tested with each other; twice the same for those of one.
        let mut stack = Stack::<[u32; 2], STACK_LENGTH>::new();
        stack.push([self.root; 2]);
        while let Some([a, b]) = stack.pop() {
            let (node_a, node_b) = (&self.nodes[a as usize], &self.nodes[b as usize]);
            if a == b {
                search.tell(Event::Visit(a));
                if node_a.is_bucket() {
                    search.within(node_a.list);
                } else {
                    let [a, b] = node_a.children;
                    stack.push([a, b]);
                    stack.push([b, b]);
                    stack.push([a, a]);
                }
                continue;
            }
            if !search.reaches(node_a.bounds, node_b.bounds) {
                search.tell_for(a, Event::Prune(b));
                continue;
            }
            let is_larger = || node_a.bounds.half_surface() >= node_b.bounds.half_surface();
            // The larger is replaced by its children, so that both shrink alike.
            if !node_a.is_bucket() && (node_b.is_bucket() || is_larger()) {
                for child in node_a.children.into_iter().rev() {
                    stack.push([child, b]);
                }
            } else if !node_b.is_bucket() {
                for child in node_b.children.into_iter().rev() {
                    stack.push([a, child]);
                }
            } else {
                search.tell_for(a, Event::Visit(b));
                if node_a.list.load <= node_b.list.load {
                    search.between(node_a.list, node_b.list, node_b.bounds);
                } else {
                    search.between(node_b.list, node_a.list, node_a.bounds);
                }
            }
        }
    }
}
