//! Everybody within reach of each other.

use super::KdTree;
use super::nodes::{Link, STACK_LENGTH, leaf_region};
use crate::geometry::Aabb;
use crate::partition::toolkit::boxes::{Near, WIDTH};
use crate::partition::toolkit::crowd::Crowd;
use crate::partition::toolkit::shares::hands;
use crate::partition::toolkit::simd::{self, Kernel, Task};
use crate::partition::toolkit::stack::Stack;
use crate::partition::{Pair, PairBatch, Part};
use crate::probe::{Event, Probe};

/// So many nodes near one of them are found before the leaves in them are looked at.
const NODE_ROOM: usize = 128;

/// One pair search under way.
struct Search<'t, 'p, P: Probe, F: FnMut(&[Pair])> {
    tree: &'t KdTree,
    reach_sq: f32,
    probe: &'p mut P,
    batch: PairBatch<F>,
}

impl KdTree {
    /// Two units meet where the leaf that comes first looks at the other: each leaf looks at itself, at those behind it in
    /// its own node and at those in nodes that come after its own. Shares are nodes.
    pub(super) fn emit_pairs<P: Probe>(
        &self,
        reach: f32,
        part: Part,
        probe: &mut P,
        batch: impl FnMut(&[Pair]),
    ) {
        let search = Search {
            tree: self,
            reach_sq: reach * reach,
            probe,
            batch: PairBatch::new(batch),
        };
        simd::dispatch(Emission { search, part });
    }
}

/// A pair search about to begin, with whatever kernel there is.
struct Emission<'t, 'p, P: Probe, F: FnMut(&[Pair])> {
    search: Search<'t, 'p, P, F>,
    part: Part,
}

impl<P: Probe, F: FnMut(&[Pair])> Task for Emission<'_, '_, P, F> {
    const DETAILED: bool = P::DETAILED;

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) {
        let Self { mut search, part } = self;
        if search.tree.leaves.are_sized {
            search.all::<K, true>(kernel, part);
        } else {
            search.all::<K, false>(kernel, part);
        }
        search.batch.flush();
    }
}

impl<P: Probe, F: FnMut(&[Pair])> Search<'_, '_, P, F> {
    #[inline(always)]
    fn all<K: Kernel, const SIZED: bool>(&mut self, kernel: K, part: Part) {
        let tree = self.tree;
        let mut crowd = Crowd::NOBODY;
        let mut near = Near::NOBODY;
        let mut others = [0; NODE_ROOM];
        let mut stack = Stack::<u32, STACK_LENGTH>::new();
        for hand in hands(part, 0..tree.nodes.len(), 1) {
            for index in hand {
                // The box around those who are in leaves of the node itself.
                let node = &tree.nodes[index];
                let mut own = Aabb::EMPTY;
                for child in 0..node.children() {
                    if node.link(child).is_leaf() {
                        own = own.join(node.boxes.get(child));
                    }
                }
                if own.is_empty() {
                    continue;
                }
                // The node itself is the first that is near it.
                others[0] = index as u32;
                let mut count = 1;
                stack.push(tree.root);
                while let Some(other) = stack.pop() {
                    let (other, node) = (other as usize, &tree.nodes[other as usize]);
                    if P::DETAILED && node.child_count > 1 {
                        self.probe.looks(tree.nodes[index].region(index));
                    }
                    tree.tell_visit(other, self.probe);
                    if other > index && node.has_leaves() {
                        if count == NODE_ROOM {
                            self.meet::<K, SIZED>(kernel, index, &others, &mut crowd);
                            count = 0;
                        }
                        others[count] = other as u32;
                        count += 1;
                    }
                    if !node.has_nodes() {
                        continue;
                    }
                    let boxes = node.boxes.for_kernel();
                    let found = near.find(kernel, boxes, own, self.reach_sq);
                    for place in 0..found {
                        let link = node.link(near.child(place));
                        if !link.is_leaf() {
                            stack.push(link.index() as u32);
                        }
                    }
                }
                self.meet::<K, SIZED>(kernel, index, &others[..count], &mut crowd);
            }
        }
    }

    /// Tests the units in leaves of a node with those of others that are near it and come after it. Where the node itself is
    /// one of them, it is the first.
    #[inline(always)]
    fn meet<K: Kernel, const SIZED: bool>(
        &mut self,
        kernel: K,
        index: usize,
        others: &[u32],
        crowd: &mut Crowd,
    ) {
        let tree = self.tree;
        let (leaves, reach_sq) = (&tree.leaves, self.reach_sq);
        let mut near = Near::NOBODY;
        let node = &tree.nodes[index];
        for child in 0..node.children() {
            let link = node.link(child);
            let (leaf, own) = (link.index(), node.boxes.get(child));
            if !link.is_leaf() || leaves.fill(leaf) == 0 {
                continue;
            }
            let fill = leaves.fill(leaf);
            crowd.keep(0);
            crowd.gather::<SIZED, K>(kernel, own, 0.0, leaves, leaf);
            let mut is_new = others.first() == Some(&(index as u32));
            if is_new {
                self.probe.on(Event::Visit(leaf_region(leaf)));
            }
            for &other in others {
                let other = other as usize;
                let there = &tree.nodes[other];
                if there.bounds.gap_sq(own) > reach_sq {
                    continue;
                }
                let count = near.find(kernel, there.boxes.for_kernel(), own, reach_sq);
                // Those at the front of the node itself have looked at this leaf.
                let first = if other == index { child + 1 } else { 0 };
                for place in 0..count {
                    let (found, link) = (near.child(place), there.link(near.child(place) % WIDTH));
                    if found < first || !link.is_leaf() || link == Link::NONE {
                        continue;
                    }
                    let other = link.index();
                    if !crowd.has_room(leaves.fill(other)) {
                        let batch = &mut self.batch;
                        crowd.test::<SIZED, _, _, _>(
                            kernel, fill, is_new, reach_sq, batch, self.probe,
                        );
                        is_new = false;
                        crowd.keep(fill);
                    }
                    self.probe.looks(leaf_region(leaf));
                    self.probe.on(Event::Visit(leaf_region(other)));
                    crowd.gather::<SIZED, K>(kernel, own, reach_sq, leaves, other);
                }
            }
            let batch = &mut self.batch;
            crowd.test::<SIZED, _, _, _>(kernel, fill, is_new, reach_sq, batch, self.probe);
        }
    }
}
