//! Building the whole tree: the crowd is [parted](super::parting), and the tree that is drafted then is written.

use super::KdTree;
use super::nodes::{HEIGHT_LIMIT, Link, NONE, Node, Step, cut_region, place_number, place_of};
use super::parting::{Branch, Builder, Draft, Plan};
use crate::geometry::Aabb;
use crate::partition::toolkit::boxes::WIDTH;
use crate::partition::toolkit::leaves::Part;
use crate::partition::toolkit::simd::{self, Kernel, Task};
use crate::partition::toolkit::stack::Stack;
use crate::partition::toolkit::threads::threads_for;
use crate::partition::{Bodies, UnitId};
use crate::probe::{Event, Probe, Work};
use rayon::prelude::*;

impl KdTree {
    /// Forgets everything and indexes the units alive.
    pub(super) fn build<P: Probe>(&mut self, bodies: Bodies<'_>, probe: &mut P) {
        probe.on(Event::Work(Work::Rebuild));
        let mut builder = std::mem::take(&mut self.builder);
        builder.take_in(bodies);
        self.edits = 0;
        self.count = builder.rows[0].len();
        self.leaves.suit(self.leaf_size, bodies.are_sized());
        self.clear();
        self.places.clear();
        self.places.resize(bodies.slot_count(), NONE);
        if self.count > 0 {
            // Four fifths full at most and two thirds on average, so that those who come find room.
            let leaf_size = (self.leaf_size as usize * 4 / 5).max(1);
            for may_sample in [true, false] {
                let top = builder.part(leaf_size, self.rule, may_sample, self.threads);
                builder.pack(top);
                self.reserve(builder.plan.runs.len());
                simd::dispatch(Planting {
                    tree: self,
                    builder: &mut builder,
                    bodies,
                    top,
                });
                // Cuts at exact medians make a tree that is low enough, whatever the crowd.
                if self.built_height <= HEIGHT_LIMIT {
                    break;
                }
                builder.take_in(bodies);
                self.clear();
            }
        }
        self.builder = builder;
        self.tell_cuts(probe);
    }

    /// Tells every cut of a tree that has just been built, those above before those below, for nodes are written in that order.
    fn tell_cuts<P: Probe>(&self, probe: &mut P) {
        if !P::HEARS {
            return;
        }
        for (index, node) in self.nodes.iter().enumerate() {
            for number in 0..node.cuts() {
                probe.on(Event::Split(cut_region(index, number)));
            }
        }
    }

    /// Makes room for so many leaves and for half as many more, which those who come may need. While there is room for a
    /// quarter more nothing is asked for: no two builds make quite as many leaves.
    fn reserve(&mut self, leaves: usize) {
        let enough = leaves + leaves / 4;
        let leaves = leaves + leaves / 2 + WIDTH;
        let nodes = leaves / 4;
        let leavers = self.count.saturating_sub(self.leavers.len());
        self.leavers.reserve_exact(leavers);
        if self.leaves.capacity() < enough {
            let are_sized = self.leaves.are_sized;
            self.leaves.reset(0, self.leaf_size, are_sized);
            self.leaves.reserve(leaves);
        }
        if self.owners.capacity() >= enough {
            return;
        }
        fn make_room<T>(list: &mut Vec<T>, count: usize) {
            list.reserve_exact(count.saturating_sub(list.len()));
        }
        make_room(&mut self.cells, leaves);
        make_room(&mut self.owners, leaves);
        make_room(&mut self.free_leaves, leaves);
        make_room(&mut self.nodes, nodes);
        make_room(&mut self.order, nodes);
        make_room(&mut self.free_nodes, nodes);
    }

    /// Computes the box of each leaf and each node, and says how many nodes are on the longest way down.
    #[inline(always)]
    pub(super) fn join_all<K: Kernel>(&mut self, kernel: K) -> usize {
        for leaf in 0..self.owners.len() {
            if self.owners[leaf] != NONE {
                let (node, child) = place_of(self.owners[leaf]);
                let bounds = self.leaves.bounds(kernel, leaf);
                self.nodes[node].boxes.set(child, bounds);
            }
        }
        // Those below before those above.
        let mut order = std::mem::take(&mut self.order);
        order.clear();
        order.push(self.root);
        let (mut next, mut height, mut level_end) = (0, 0, 0);
        while next < order.len() {
            if next == level_end {
                height += 1;
                level_end = order.len();
            }
            let node = &self.nodes[order[next] as usize];
            for link in node.links() {
                if !link.is_leaf() {
                    order.push(link.index() as u32);
                }
            }
            next += 1;
        }
        for &index in order.iter().rev() {
            let node = &mut self.nodes[index as usize];
            node.bounds = node.boxes.bounds(kernel);
            let (bounds, parent) = (node.bounds, node.parent);
            if parent != NONE {
                let (above, child) = place_of(parent);
                self.nodes[above].boxes.set(child, bounds);
            }
        }
        self.order = order;
        height
    }
}

/// Writing the tree that is drafted, with whatever kernel there is.
struct Planting<'t, 'b> {
    tree: &'t mut KdTree,
    builder: &'t mut Builder,
    bodies: Bodies<'b>,
    top: Branch,
}

impl Task for Planting<'_, '_> {
    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) {
        let Self {
            tree,
            builder,
            bodies,
            top,
        } = self;
        let Builder {
            rows,
            plan: Plan { drafts, runs, .. },
            nodes,
            planted,
            ..
        } = builder;
        planted.clear();
        tree.root = 0;
        tree.leaves.resize(runs.len());
        nodes.clear();
        nodes.push((top, NONE, Aabb::EVERYTHING));
        while let Some((first, parent, cell)) = nodes.pop() {
            let index = tree.nodes.len();
            tree.nodes.push(Node::new(parent, cell));
            if parent != NONE {
                let (above, child) = place_of(parent);
                tree.nodes[above].set_link(child, Link::node(index as u32));
            }
            let waiting = nodes.len();
            let mut stack = Stack::<_, { WIDTH + 1 }>::new();
            stack.push((first, cell, None));
            let mut cuts = 0;
            while let Some((branch, cell, above)) = stack.pop() {
                let node = &mut tree.nodes[index];
                match branch {
                    Branch::Cut(cut) if !drafts[cut as usize].is_first || branch == first => {
                        let Draft { cut, sides, .. } = drafts[cut as usize];
                        node.set_cut(cuts, cut);
                        node.set_step(above, Step::cut(cuts));
                        let halves = cut.halves(cell);
                        stack.push((sides[1], halves[1], Some((cuts, 1))));
                        stack.push((sides[0], halves[0], Some((cuts, 0))));
                        cuts += 1;
                    }
                    Branch::Cut(_) => {
                        let child = node.push_child(Link::NONE, Aabb::EMPTY);
                        node.set_step(above, Step::child(child));
                        nodes.push((branch, place_number(index, child), cell));
                    }
                    Branch::Run(run) => {
                        let leaf = tree.owners.len();
                        let child = node.push_child(Link::leaf(leaf as u32), Aabb::EMPTY);
                        node.set_step(above, Step::child(child));
                        tree.owners.push(place_number(index, child));
                        tree.cells.push(cell);
                        planted.push(run);
                    }
                }
            }
            // The first is the next to be written.
            nodes[waiting..].reverse();
        }
        tree.plant(planted, |run| runs[run as usize].columns(rows), bodies);
        tree.built_height = tree.join_all(kernel);
    }
}

impl KdTree {
    /// Writes the units of all leaves, each of which has a run of keys and numbers.
    #[inline(always)]
    fn plant<'i>(
        &mut self,
        runs: &[u32],
        columns_of: impl Fn(u32) -> [&'i [i32]; 3] + Sync,
        bodies: Bodies<'_>,
    ) {
        let write = |leaves: &mut Part<'_>| {
            let runs = &runs[leaves.first()..][..leaves.len()];
            for (leaf, run) in runs.iter().enumerate() {
                let [x, y, units] = columns_of(*run);
                leaves.fill_with(leaf, units.iter().map(|unit| *unit as UnitId));
                if bodies.are_sized() {
                    leaves.write::<true>(bodies, leaf);
                } else {
                    leaves.write_points(leaf, [x, y]);
                }
            }
        };
        let threads = threads_for(self.count, self.threads);
        let mut leaves = self.leaves.part();
        if threads == 1 {
            write(&mut leaves);
        } else {
            let length = runs.len().div_ceil(threads);
            let shares = (0..threads).map(|_| leaves.split_off(length));
            let mut shares: Vec<_> = shares.collect();
            shares.par_iter_mut().for_each(write);
        }
        for leaf in 0..runs.len() {
            for (slot, unit) in (self.leaves.slot(leaf, 0)..).zip(self.leaves.ids(leaf)) {
                self.places[*unit as usize] = slot;
            }
        }
    }
}
