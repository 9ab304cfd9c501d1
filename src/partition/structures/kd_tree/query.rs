//! Who is in a rectangle, in a disc, on a line, nearest to a point.

use super::KdTree;
use super::nodes::{Link, NONE, STACK_LENGTH, leaf_region, place_of};
use crate::geometry::{Aabb, Vec2};
use crate::partition::toolkit::boxes::WIDTH;
use crate::partition::toolkit::sieve::Sieve;
use crate::partition::toolkit::simd::{self, Kernel, PADDING, Task};
use crate::partition::toolkit::stack::Stack;
use crate::partition::{Best, NearestQuery, Neighbor, RegionId, Search, UnitId};
use crate::probe::{Event, Probe};

/// So many leaves wait at most.
const LEAVES: usize = 4 * WIDTH;

/// So many leaves of a node are looked at without looking which of them is nearest.
const AT_ONCE: usize = 5;

impl KdTree {
    /// Visits the units that `search` holds.
    pub(super) fn sift<P: Probe>(
        &self,
        search: &impl Search,
        probe: &mut P,
        visit: impl FnMut(UnitId),
    ) {
        simd::dispatch(Sifting {
            tree: self,
            search,
            probe,
            visit,
        });
    }

    /// Fills `out` with the nearest units.
    pub(super) fn find_nearest<P: Probe>(
        &self,
        query: NearestQuery,
        filter: impl FnMut(UnitId) -> bool,
        probe: &mut P,
        out: &mut Vec<Neighbor>,
    ) {
        simd::dispatch(Approach {
            tree: self,
            filter,
            probe,
            query,
            out,
        });
    }

    /// Asks for the leaves that these links lead to, before they are read.
    #[inline(always)]
    fn fetch<K: Kernel>(&self, kernel: K, links: &[u32]) {
        let leaves = links.iter().map(|link| Link(*link));
        let leaves = leaves.filter(|link| link.is_leaf()).map(Link::index);
        self.leaves.fetch(kernel, leaves);
    }

    /// The region that a link leads to.
    pub(super) fn region_of(&self, link: Link) -> RegionId {
        if link.is_leaf() {
            leaf_region(link.index())
        } else {
            self.nodes[link.index()].region(link.index())
        }
    }

    /// Tells of a node that is entered, unless it is no more than the leaf in it.
    #[inline(always)]
    pub(super) fn tell_visit<P: Probe>(&self, node: usize, probe: &mut P) {
        if P::HEARS && self.nodes[node].child_count > 1 {
            probe.on(Event::Visit(self.nodes[node].region(node)));
        }
    }

    /// Tells of the children of a node that are left out: all but those who are `found`.
    #[inline]
    pub(super) fn tell_prunes<P: Probe>(&self, node: usize, found: &[u32], probe: &mut P) {
        for link in self.nodes[node].links() {
            if !found.contains(&link.0) {
                probe.on(Event::Prune(self.region_of(link)));
            }
        }
    }
}

/// A search about to begin, with whatever kernel there is.
struct Sifting<'t, 's, 'p, S: Search, P: Probe, V: FnMut(UnitId)> {
    tree: &'t KdTree,
    search: &'s S,
    probe: &'p mut P,
    visit: V,
}

impl<S: Search, P: Probe, V: FnMut(UnitId)> Task for Sifting<'_, '_, '_, S, P, V> {
    const DETAILED: bool = P::DETAILED;

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) {
        let Self {
            tree,
            search,
            probe,
            visit,
        } = self;
        if tree.root == NONE {
            return;
        }
        let root = &tree.nodes[tree.root as usize];
        if !search.holds(root.bounds) {
            probe.on(Event::Prune(root.region(tree.root as usize)));
            return;
        }
        let mut sieve = Sieve::new(kernel, search, visit);
        if tree.leaves.are_sized {
            descend::<true, _, _, _, _>(tree, kernel, search, &mut sieve, probe);
        } else {
            descend::<false, _, _, _, _>(tree, kernel, search, &mut sieve, probe);
        }
        sieve.finish();
    }
}

/// Goes from the root down, node by node.
#[inline(always)]
fn descend<const SIZED: bool, K: Kernel, S: Search, V: FnMut(UnitId), P: Probe>(
    tree: &KdTree,
    kernel: K,
    search: &S,
    sieve: &mut Sieve<'_, K, S, V>,
    probe: &mut P,
) {
    let mut nodes = [0_u32; STACK_LENGTH + PADDING];
    nodes[0] = Link::node(tree.root).0;
    let mut waiting = 1;
    // Leaves wait until all nodes have been looked at, for then no look at a node waits for one at a leaf.
    let mut leaves = [0_u32; LEAVES + PADDING];
    let mut leaf_count = 0;
    let is_far = tree.leaves.are_far();
    while waiting > 0 {
        waiting -= 1;
        let index = Link(nodes[waiting]).index();
        // Who is nobody's child has a box that is nowhere, which a line may cross.
        if nodes[waiting] == Link::NONE.0 {
            continue;
        }
        let node = &tree.nodes[index];
        if search.swallows(node.bounds) {
            probe.on(Event::Accept(node.region(index)));
            accept(tree, index, sieve, probe);
            continue;
        }
        tree.tell_visit(index, probe);
        if leaf_count + WIDTH > LEAVES {
            test::<SIZED, _, _, _, _>(tree, &leaves[..leaf_count], sieve, probe);
            leaf_count = 0;
        }
        let boxes = node.linked_boxes();
        if !node.has_leaves() {
            let free = &mut nodes[waiting..];
            let count = search.sift::<K, true>(kernel, free, boxes, 0..WIDTH);
            if P::HEARS {
                tree.tell_prunes(index, &free[..count], probe);
            }
            waiting += count;
            continue;
        }
        let first = leaf_count;
        let free = &mut leaves[first..];
        let count = search.sift::<K, true>(kernel, free, boxes, 0..WIDTH);
        if P::HEARS {
            tree.tell_prunes(index, &free[..count], probe);
        }
        if node.has_nodes() {
            // Each is written to both lists, and only the one that it belongs to grows.
            let found = leaf_count..leaf_count + count;
            for place in found {
                let link = Link(leaves[place]);
                nodes[waiting] = link.0;
                waiting += usize::from(!link.is_leaf());
                leaves[leaf_count] = link.0;
                leaf_count += usize::from(link.is_leaf());
            }
        } else {
            leaf_count += count;
        }
        if is_far {
            tree.fetch(kernel, &leaves[first..leaf_count]);
        }
    }
    test::<SIZED, _, _, _, _>(tree, &leaves[..leaf_count], sieve, probe);
}

/// Tests the units of some leaves.
#[inline(always)]
fn test<const SIZED: bool, K: Kernel, S: Search, V: FnMut(UnitId), P: Probe>(
    tree: &KdTree,
    leaves: &[u32],
    sieve: &mut Sieve<'_, K, S, V>,
    probe: &mut P,
) {
    for &link in leaves {
        let leaf = Link(link).index();
        if link == Link::NONE.0 || tree.leaves.fill(leaf) == 0 {
            continue;
        }
        probe.on(Event::Visit(leaf_region(leaf)));
        let run = 0..tree.leaves.fill(leaf);
        sieve.test::<SIZED, P>(tree.leaves.columns::<SIZED>(leaf), run, probe);
    }
}

/// Takes everybody below a node.
#[inline(always)]
fn accept<K: Kernel, S: Search, V: FnMut(UnitId), P: Probe>(
    tree: &KdTree,
    node: usize,
    sieve: &mut Sieve<'_, K, S, V>,
    probe: &mut P,
) {
    let mut stack = Stack::<u32, STACK_LENGTH>::new();
    stack.push(node as u32);
    while let Some(node) = stack.pop() {
        let node = &tree.nodes[node as usize];
        for link in node.links() {
            if link.is_leaf() {
                sieve.accept(tree.leaves.ids(link.index()), probe);
            } else {
                stack.push(link.index() as u32);
            }
        }
    }
}

/// A search for the nearest about to begin, with whatever kernel there is.
struct Approach<'t, 'p, 'b, F: FnMut(UnitId) -> bool, P: Probe> {
    tree: &'t KdTree,
    filter: F,
    probe: &'p mut P,
    query: NearestQuery,
    out: &'b mut Vec<Neighbor>,
}

impl<F: FnMut(UnitId) -> bool, P: Probe> Task for Approach<'_, '_, '_, F, P> {
    const DETAILED: bool = P::DETAILED;

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) {
        // What is large is made here, so that it is not carried here.
        let mut approaching = Approaching {
            tree: self.tree,
            point: self.query.point,
            filter: self.filter,
            probe: self.probe,
            best: Best::new(self.out, self.query.count, self.query.within),
            waiting: Stack::new(),
        };
        if self.tree.root != NONE {
            if self.tree.leaves.are_sized {
                approaching.approach::<K, true>(kernel);
            } else {
                approaching.approach::<K, false>(kernel);
            }
        }
        approaching.best.conclude(kernel, approaching.probe);
    }
}

/// A search for the nearest under way.
struct Approaching<'t, 'p, 'b, F: FnMut(UnitId) -> bool, P: Probe> {
    tree: &'t KdTree,
    point: Vec2,
    filter: F,
    probe: &'p mut P,
    best: Best<'b>,
    /// Nodes and leaves that may still hold somebody near enough: squared distances above links.
    waiting: Stack<u64, STACK_LENGTH>,
}

/// How far away, squared.
#[inline(always)]
fn distance_of(key: u64) -> f32 {
    f32::from_bits((key >> u32::BITS) as u32)
}

impl<F: FnMut(UnitId) -> bool, P: Probe> Approaching<'_, '_, '_, F, P> {
    /// Goes down to the leaf in whose cell the point is, by the cuts alone, and from there upwards: at each node to those
    /// beside the way that are near enough, until the circle of those found lies within the node's cell.
    ///
    /// On the way down each node is asked for its children before its cuts have come: where they are is known, and they are read as soon
    /// as the first leaf has been. At a million that makes a search a seventh quicker. Leaves are not asked for: which of them are near
    /// enough is known only when they are read, and asking for those that may be was slower.
    #[inline(always)]
    fn approach<K: Kernel, const SIZED: bool>(&mut self, kernel: K) {
        let tree = self.tree;
        let (mut index, mut seen) = (0, Link::node(tree.root));
        while !seen.is_leaf() {
            index = seen.index();
            let node = &tree.nodes[index];
            node.fetch_children(kernel);
            let child = node.child_near(kernel, self.point);
            seen = node.link(child);
        }
        self.look_at::<K, SIZED>(kernel, seen.index());
        loop {
            self.enter::<K, SIZED>(kernel, index, seen);
            while let Some(key) = self.waiting.pop() {
                let link = Link(key as u32);
                if distance_of(key) > self.best.bound_sq() {
                    if P::HEARS {
                        self.probe.on(Event::Prune(tree.region_of(link)));
                    }
                } else if link.is_leaf() {
                    self.look_at::<K, SIZED>(kernel, link.index());
                } else {
                    self.enter::<K, SIZED>(kernel, link.index(), Link::NONE);
                }
            }
            let node = &tree.nodes[index];
            // A body with a size may stick out of its cell.
            if !SIZED && lies_within(self.point, self.best.bound_sq(), node.cell) {
                return;
            }
            if node.parent == NONE {
                return;
            }
            seen = Link::node(index as u32);
            (index, _) = place_of(node.parent);
        }
    }

    /// Offers the units of a leaf, and draws the bound closer.
    #[inline(always)]
    fn look_at<K: Kernel, const SIZED: bool>(&mut self, kernel: K, leaf: usize) {
        self.offer::<K, SIZED>(kernel, leaf);
        self.best.settle(kernel);
    }

    /// Offers the units of a leaf.
    #[inline(always)]
    fn offer<K: Kernel, const SIZED: bool>(&mut self, kernel: K, leaf: usize) {
        let run = 0..self.tree.leaves.fill(leaf);
        if !run.is_empty() {
            self.probe.on(Event::Visit(leaf_region(leaf)));
            let columns = self.tree.leaves.columns::<SIZED>(leaf);
            self.best.offer_run::<SIZED, K, P>(
                kernel,
                columns,
                run,
                self.point,
                &mut self.filter,
                self.probe,
            );
        }
    }

    /// Puts on the stack which children of a node are near enough, the nearest last, but for the one that has been seen. Where they are
    /// a few leaves they are looked at: to find out which of them are too far by then takes longer.
    #[inline(always)]
    fn enter<K: Kernel, const SIZED: bool>(&mut self, kernel: K, index: usize, seen: Link) {
        let tree = self.tree;
        let node = &tree.nodes[index];
        tree.tell_visit(index, self.probe);
        let mut links = [0; WIDTH + PADDING];
        let mut distances_sq = [0.0_f32; WIDTH + PADDING];
        let count = kernel.within::<true, true>(
            &mut links,
            &mut distances_sq,
            self.point,
            self.best.bound_sq(),
            node.linked_boxes(),
            0..WIDTH,
        );
        if P::HEARS {
            // The one that has been seen was not left out.
            links[count] = seen.0;
            tree.tell_prunes(index, &links[..=count], self.probe);
        }
        let is_bounded = self.best.is_full() && self.best.bound_sq() < f32::INFINITY;
        if count <= AT_ONCE && is_bounded && !node.has_nodes() {
            for &link in links[..count].iter().filter(|link| **link != seen.0) {
                self.offer::<K, SIZED>(kernel, Link(link).index());
            }
            self.best.settle(kernel);
            return;
        }
        let first = self.waiting.len();
        for (&link, distance_sq) in links[..count].iter().zip(&distances_sq) {
            // While nobody is found, who is nowhere is not too far either.
            if link != seen.0 && link != Link::NONE.0 {
                let key = u64::from(distance_sq.to_bits()) << u32::BITS | u64::from(link);
                self.waiting.push_sorted(first, key);
            }
        }
    }
}

/// Whether a circle of this squared radius is inside a cell, and nowhere on its border.
#[inline(always)]
fn lies_within(center: Vec2, radius_sq: f32, cell: Aabb) -> bool {
    // Whoever is not in the cell is no less far away along one axis, and rounding keeps order.
    let gaps = [
        center.x - cell.min.x,
        center.y - cell.min.y,
        cell.max.x - center.x,
        cell.max.y - center.y,
    ];
    gaps.iter().fold(true, |so_far, gap| {
        so_far & (*gap > 0.0) & (gap * gap > radius_sq)
    })
}
