//! The tree that the load tree, the unload tree and the dual tree share: a compressed binary radix tree over Morton addresses,
//! whose inner boxes are combined from their children in one way or another.

use crate::geometry::{Aabb, Vec2};
use crate::partition::{Region, RegionId, RegionQuery, Role, Shape, Violation};
use crate::probe::{Event, Probe};
use std::fmt::Debug;
use std::marker::PhantomData;

/// How the box of an inner node follows from those of its children.
pub(super) trait Combine {
    /// What a node knows of all below it: a box, or one for each of two questions.
    type Bounds: Copy + PartialEq + Debug;

    /// The box above `a` and `b`.
    fn combine(a: Self::Bounds, b: Self::Bounds) -> Self::Bounds;
}

/// The box that holds both children: a point outside of it is outside of each leaf below.
#[derive(Clone, Copy, Debug)]
pub(super) struct Union;

impl Combine for Union {
    type Bounds = Aabb;

    #[inline]
    fn combine(a: Aabb, b: Aabb) -> Aabb {
        a.join(b)
    }
}

/// The box that both children hold: a point inside of it is inside of each leaf below. An empty one stays inverted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Intersection;

impl Combine for Intersection {
    type Bounds = Aabb;

    #[inline]
    fn combine(a: Aabb, b: Aabb) -> Aabb {
        a.meet(b)
    }
}

/// Bits of a cell's address along one axis. What is left of 64 bits is the object's number.
const CELL_BITS: u32 = 16;

/// Gives every object of one world its address.
///
/// The address of an object is the Morton number of its centre's cell, x first, and then its own number, so that no two are
/// the same and a thousand objects on one spot are about log₂ deep, not a chain. Addresses decide only who is near whom in
/// the tree; queries go by boxes.
#[derive(Clone, Copy, Debug)]
pub(super) struct AddressSpace {
    origin: Vec2,
    cell_size: f32,
}

impl AddressSpace {
    /// Cells that cover `bounds` as finely as the address allows.
    pub(super) fn over(bounds: Aabb) -> Self {
        let longest = bounds.size().max_element();
        let cell_size = longest / (1_u32 << CELL_BITS) as f32;
        Self {
            origin: if bounds.is_empty() {
                Vec2::ZERO
            } else {
                bounds.min
            },
            // No extent at all (one object, or all on one spot) leaves the number alone to tell objects apart.
            cell_size: if cell_size > 0.0 { cell_size } else { 1.0 },
        }
    }

    /// The address of the object `number` with this `center`.
    pub(super) fn address(self, center: Vec2, number: u32) -> u64 {
        let cell = ((center - self.origin) / self.cell_size).floor();
        // The conversion is clamped at both ends of u16.
        let (x, y) = (cell.x as u16, cell.y as u16);
        (u64::from(spread(x) << 1 | spread(y)) << 32) | u64::from(number)
    }
}

/// Moves the bits of `value` to the even places.
fn spread(value: u16) -> u32 {
    let mut bits = u32::from(value);
    bits = (bits | bits << 8) & 0x00ff_00ff;
    bits = (bits | bits << 4) & 0x0f0f_0f0f;
    bits = (bits | bits << 2) & 0x3333_3333;
    (bits | bits << 1) & 0x5555_5555
}

/// No node.
const NONE: u32 = u32::MAX;

/// Each step down clears one more of 64 address bits, and each inner node that is entered puts one node more on the stack
/// than it takes off.
const STACK_SIZE: usize = 64 + 2;

/// What connects a node with others. Its box lies apart, for a query reads boxes more often than links.
#[derive(Clone, Copy, Debug)]
struct Node {
    /// A leaf's address; an inner node's is that of any leaf below it, of which the bits above `bit` count.
    address: u64,
    /// The two children; of a leaf [`NONE`] and the object's number.
    children: [u32; 2],
    /// The node above, [`NONE`] at the root; the next free node while this one is not in use.
    parent: u32,
    /// The bit that decides between the children; without meaning for a leaf.
    bit: u8,
}

const _: () = assert!(size_of::<Node>() == 24);

impl Node {
    #[inline]
    fn is_leaf(&self) -> bool {
        self.children[0] == NONE
    }

    #[inline]
    fn object(&self) -> u32 {
        self.children[1]
    }

    /// Whether `address` has the bits that all below this inner node have in common.
    #[inline]
    fn covers(&self, address: u64) -> bool {
        ((address ^ self.address) >> self.bit) >> 1 == 0
    }
}

#[inline]
fn side(address: u64, bit: u8) -> usize {
    (address >> bit & 1) as usize
}

/// A compressed binary radix tree: each object is a leaf, each inner node has two children and a box combined from theirs.
///
/// # Algorithm
///
/// 1. Insert: go down while the node covers the address; put a new inner node above the node that does not, at the highest
///    bit in which the two addresses differ.
/// 2. Remove: the sibling takes the parent's place.
/// 3. Either way combine the boxes upwards, until one does not change.
/// 4. Query: [`RadixTree::descend`] looks at a node's box and goes on to the children where the caller says so.
///
/// Insert and remove O(depth), of which most ends early; n objects have n - 1 inner nodes. Not balanced, but never deeper
/// than the 64 bits of an address.
///
/// Reference: D. Morrison, "PATRICIA" (1968); goldpotion, "Quadtree for Seamless Loading" (2011).
#[derive(Debug)]
#[cfg_attr(test, derive(Clone))]
pub(super) struct RadixTree<C: Combine> {
    /// Boxes, by node.
    bounds: Vec<C::Bounds>,
    /// Links, by node.
    nodes: Vec<Node>,
    /// Object → its leaf; [`NONE`] where the object is not in the tree.
    leaves: Vec<u32>,
    root: u32,
    /// The first node not in use.
    free: u32,
    /// How many objects are in the tree.
    count: u32,
    combine: PhantomData<C>,
}

impl<C: Combine> RadixTree<C> {
    /// An empty tree for objects numbered below `slot_count`.
    pub(super) fn with_slots(slot_count: usize) -> Self {
        Self {
            bounds: Vec::new(),
            nodes: Vec::new(),
            leaves: vec![NONE; slot_count],
            root: NONE,
            free: NONE,
            count: 0,
            combine: PhantomData,
        }
    }

    /// Takes the memory for `count` objects at once, and no more: n leaves have n - 1 inner nodes.
    pub(super) fn reserve(&mut self, count: usize) {
        let nodes = (2 * count).saturating_sub(1);
        self.bounds.reserve_exact(nodes);
        self.nodes.reserve_exact(nodes);
    }

    /// Puts in `object`, which is not in the tree, under an `address` that no other object has.
    pub(super) fn insert<P: Probe>(
        &mut self,
        object: u32,
        address: u64,
        bounds: C::Bounds,
        probe: &mut P,
    ) {
        debug_assert_eq!(self.leaves[object as usize], NONE);
        let leaf = self.allocate(
            Node {
                address,
                children: [NONE, object],
                parent: NONE,
                bit: 0,
            },
            bounds,
        );
        self.leaves[object as usize] = leaf;
        self.count += 1;
        if self.root == NONE {
            self.root = leaf;
            return;
        }
        let mut sibling = self.root;
        loop {
            let node = &self.nodes[sibling as usize];
            if node.is_leaf() || !node.covers(address) {
                break;
            }
            sibling = node.children[side(address, node.bit)];
            probe.on(Event::Descend(sibling));
        }
        let Node {
            address: other,
            parent,
            ..
        } = self.nodes[sibling as usize];
        debug_assert_ne!(address, other, "two objects have one address");
        let bit = (63 - (address ^ other).leading_zeros()) as u8;
        let mut children = [sibling; 2];
        children[side(address, bit)] = leaf;
        let combined = C::combine(bounds, self.bounds[sibling as usize]);
        let inner = self.allocate(
            Node {
                address,
                children,
                parent,
                bit,
            },
            combined,
        );
        self.nodes[leaf as usize].parent = inner;
        self.nodes[sibling as usize].parent = inner;
        self.replace_child(parent, sibling, inner);
        self.refit(parent, probe);
    }

    /// Takes out `object`, which is in the tree.
    pub(super) fn remove<P: Probe>(&mut self, object: u32, probe: &mut P) {
        let leaf = std::mem::replace(&mut self.leaves[object as usize], NONE);
        debug_assert_ne!(leaf, NONE, "object {object} is not in the tree");
        self.count -= 1;
        let parent = self.nodes[leaf as usize].parent;
        self.release(leaf);
        if parent == NONE {
            self.root = NONE;
            return;
        }
        let Node {
            children,
            parent: above,
            ..
        } = self.nodes[parent as usize];
        let sibling = children[usize::from(children[0] == leaf)];
        self.nodes[sibling as usize].parent = above;
        self.replace_child(above, parent, sibling);
        self.release(parent);
        self.refit(above, probe);
    }

    /// Gives `object`, which is in the tree, another box: one way up, and no node moves.
    pub(super) fn set<P: Probe>(&mut self, object: u32, bounds: C::Bounds, probe: &mut P) {
        let leaf = self.leaves[object as usize];
        debug_assert_ne!(leaf, NONE, "object {object} is not in the tree");
        self.bounds[leaf as usize] = bounds;
        self.refit(self.nodes[leaf as usize].parent, probe);
    }

    /// Whether `object` is in the tree.
    #[inline]
    pub(super) fn holds(&self, object: u32) -> bool {
        self.leaves[object as usize] != NONE
    }

    /// How many objects are in the tree.
    pub(super) fn count(&self) -> u32 {
        self.count
    }

    /// Looks at boxes from the root down. Where `enter` says yes, an inner node's children are looked at and a leaf's
    /// object is visited; where it says no, nothing below is.
    ///
    /// The probe hears of each box that is looked at exactly once: [`Event::Visit`] or [`Event::Prune`] of an inner node,
    /// [`Event::Test`] of a leaf.
    #[inline]
    pub(super) fn descend<P: Probe>(
        &self,
        enter: impl Fn(C::Bounds) -> bool,
        probe: &mut P,
        mut visit: impl FnMut(u32),
    ) {
        if self.root == NONE {
            return;
        }
        let mut stack = [NONE; STACK_SIZE];
        stack[0] = self.root;
        let mut height = 1;
        while height > 0 {
            height -= 1;
            let at = stack[height];
            let entered = enter(self.bounds[at as usize]);
            let node = &self.nodes[at as usize];
            if node.is_leaf() {
                probe.on(Event::Test(node.object()));
                if entered {
                    probe.on(Event::Hit(node.object()));
                    visit(node.object());
                }
            } else if entered {
                probe.on(Event::Visit(at));
                stack[height] = node.children[1];
                stack[height + 1] = node.children[0];
                height += 2;
            } else {
                probe.on(Event::Prune(at));
            }
        }
    }

    /// Visits nodes, parents first; `shown` says which, with what box, and whether to go on to the children.
    pub(super) fn regions(
        &self,
        visit: &mut dyn FnMut(Region<'static>),
        mut shown: impl FnMut(C::Bounds) -> (Shown, Aabb),
    ) {
        let mut stack = Vec::new();
        if self.root != NONE {
            stack.push((self.root, 0_u16));
        }
        while let Some((at, depth)) = stack.pop() {
            let bounds = self.bounds[at as usize];
            let node = &self.nodes[at as usize];
            let (shown, drawn) = shown(bounds);
            if shown == Shown::Whole {
                visit(Region {
                    id: at,
                    shape: Shape::Rect(drawn),
                    depth,
                    load: u32::from(node.is_leaf()),
                    capacity: 1,
                    role: if node.is_leaf() {
                        Role::Leaf
                    } else {
                        Role::Inner
                    },
                    parent: (node.parent != NONE).then_some(node.parent),
                });
            }
            if !node.is_leaf() && shown != Shown::NothingBelow {
                stack.extend(node.children.map(|child| (child, depth + 1)));
            }
        }
    }

    /// The object whose leaf is `region`, if it is a leaf in use.
    pub(super) fn object_of(&self, region: RegionId) -> Option<u32> {
        let node = self.nodes.get(region as usize)?;
        (node.is_leaf() && self.leaves.get(node.object() as usize) == Some(&region))
            .then(|| node.object())
    }

    /// The box of a node that is in use.
    pub(super) fn bounds_at(&self, place: Place) -> Option<C::Bounds> {
        let node = match place {
            Place::Inner(region) => region,
            Place::LeafOf(object) => *self.leaves.get(object as usize)?,
        };
        self.bounds.get(node as usize).copied()
    }

    /// The number of steps from the root to the deepest leaf.
    pub(super) fn depth(&self) -> u32 {
        let mut deepest = 0;
        self.regions(
            &mut |region| deepest = deepest.max(u32::from(region.depth)),
            |_| (Shown::Whole, Aabb::EMPTY),
        );
        deepest
    }

    /// The bytes of the nodes in use and of the list of leaves. Room for who may come is left out: how much of it there is depends on
    /// who came and went before, and not on the tree.
    pub(super) fn byte_count(&self) -> usize {
        // A full binary tree of n leaves has 2n - 1 nodes.
        let nodes = (2 * self.count as usize).saturating_sub(1);
        nodes * (size_of::<C::Bounds>() + size_of::<Node>()) + size_of_val(&*self.leaves)
    }

    /// Compares links, addresses and boxes with each other, and each leaf with what it should be.
    pub(super) fn validate(
        &self,
        expected: impl Fn(u32) -> Option<(u64, C::Bounds)>,
    ) -> Result<(), Violation> {
        Violation::unless(
            self.bounds.len() == self.nodes.len(),
            None,
            || format!("a box for each of {} nodes", self.nodes.len()),
            || format!("{} boxes", self.bounds.len()),
        )?;
        let mut met = vec![false; self.nodes.len()];
        let mut leaves = 0;
        let mut stack = Vec::new();
        if self.root != NONE {
            meet(&mut met, self.root)?;
            stack.push((self.root, NONE));
        }
        while let Some((at, parent)) = stack.pop() {
            let node = &self.nodes[at as usize];
            let bounds = self.bounds[at as usize];
            Violation::unless(
                node.parent == parent,
                at,
                || format!("parent {parent}"),
                || format!("parent {}", node.parent),
            )?;
            if node.is_leaf() {
                leaves += 1;
                let object = node.object();
                Violation::unless(
                    self.leaves.get(object as usize) == Some(&at),
                    at,
                    || format!("to be the leaf of object {object}"),
                    || format!("{:?}", self.leaves.get(object as usize)),
                )?;
                Violation::unless(
                    expected(object) == Some((node.address, bounds)),
                    at,
                    || format!("{:?}", expected(object)),
                    || format!("object {object} with {:x} {bounds:?}", node.address),
                )?;
                continue;
            }
            let [zero, one] = node.children;
            meet(&mut met, zero)?;
            meet(&mut met, one)?;
            let combined = C::combine(self.bounds[zero as usize], self.bounds[one as usize]);
            Violation::unless(
                bounds == combined,
                at,
                || format!("{combined:?}"),
                || format!("{bounds:?}"),
            )?;
            for (wanted, child) in node.children.into_iter().enumerate() {
                let below = &self.nodes[child as usize];
                Violation::unless(
                    node.covers(below.address) && side(below.address, node.bit) == wanted,
                    at,
                    || format!("child {child} on side {wanted} of bit {}", node.bit),
                    || format!("address {:x} under {:x}", below.address, node.address),
                )?;
                Violation::unless(
                    below.is_leaf() || below.bit < node.bit,
                    at,
                    || format!("a bit below {}", node.bit),
                    || format!("bit {} of child {child}", below.bit),
                )?;
                stack.push((child, at));
            }
        }
        Violation::unless(
            leaves == self.count
                && leaves as usize == self.leaves.iter().filter(|leaf| **leaf != NONE).count(),
            None,
            || format!("{} leaves", self.count),
            || format!("{leaves} leaves"),
        )?;
        let mut next = self.free;
        while next != NONE {
            meet(&mut met, next)?;
            next = self.nodes[next as usize].parent;
        }
        let lost = met.iter().filter(|met| !**met).count();
        Violation::unless(
            lost == 0,
            None,
            || format!("{} nodes, each in use or free", self.nodes.len()),
            || format!("{lost} that are neither"),
        )
    }

    fn allocate(&mut self, node: Node, bounds: C::Bounds) -> u32 {
        if self.free == NONE {
            self.nodes.push(node);
            self.bounds.push(bounds);
            self.nodes.len() as u32 - 1
        } else {
            let at = self.free;
            self.free = self.nodes[at as usize].parent;
            self.nodes[at as usize] = node;
            self.bounds[at as usize] = bounds;
            at
        }
    }

    fn release(&mut self, at: u32) {
        self.nodes[at as usize].parent = self.free;
        self.free = at;
    }

    fn replace_child(&mut self, parent: u32, old: u32, new: u32) {
        if parent == NONE {
            self.root = new;
        } else {
            let children = &mut self.nodes[parent as usize].children;
            children[usize::from(children[0] != old)] = new;
        }
    }

    /// Combines boxes from `at` upwards, until one does not change.
    fn refit<P: Probe>(&mut self, mut at: u32, probe: &mut P) {
        while at != NONE {
            let node = &self.nodes[at as usize];
            let [zero, one] = node.children;
            let combined = C::combine(self.bounds[zero as usize], self.bounds[one as usize]);
            probe.on(Event::Refit(at));
            if combined == self.bounds[at as usize] {
                break;
            }
            self.bounds[at as usize] = combined;
            at = node.parent;
        }
    }
}

/// Meets a node on the way through the tree or through what is free: it exists and was not met before.
fn meet(met: &mut [bool], node: u32) -> Result<(), Violation> {
    let is_new = met
        .get_mut(node as usize)
        .is_some_and(|met| !std::mem::replace(met, true));
    Violation::unless(
        is_new,
        None,
        || "links to nodes, to each one".to_owned(),
        || format!("one to node {node}"),
    )
}

/// Names a node as a probe hears of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// An inner node.
    Inner(RegionId),
    /// The leaf of an object.
    LeafOf(u32),
}

/// What a caller of [`RadixTree::regions`] wants of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shown {
    /// The node, and a look at those below.
    Whole,
    /// Not the node, but a look at those below.
    OnlyBelow,
    /// Neither.
    NothingBelow,
}

impl Shown {
    /// Of a union: a child is never larger than its parent, so what is left out is left out with all below it.
    pub(super) fn of_union(bounds: Aabb, query: RegionQuery) -> Self {
        if bounds.overlaps(query.area) && bounds.size().max_element() >= query.min_size {
            Self::Whole
        } else {
            Self::NothingBelow
        }
    }

    /// Of an intersection: a child is larger than its parent, so each node is judged alone. An empty one counts as in view
    /// where the gap between its sides is.
    pub(super) fn of_intersection(bounds: Aabb, query: RegionQuery) -> Self {
        let drawn = Aabb::new(bounds.min.min(bounds.max), bounds.min.max(bounds.max));
        if drawn.overlaps(query.area) && drawn.size().max_element() >= query.min_size {
            Self::Whole
        } else {
            Self::OnlyBelow
        }
    }
}

#[cfg(test)]
mod damage;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::probe::Counter;
    use rand::{Rng, SeedableRng};
    use rand_pcg::Pcg64Mcg;

    fn check<C: Combine<Bounds = Aabb>>(seed: u64, spread: f32) {
        let mut random = Pcg64Mcg::seed_from_u64(seed);
        let slot_count = 64_u32;
        let boxes: Vec<Aabb> = (0..slot_count)
            .map(|_| {
                Aabb::around(
                    Vec2::new(
                        random.random_range(-1.0..=1.0),
                        random.random_range(-1.0..=1.0),
                    ) * spread,
                    Vec2::splat(random.random_range(0.0..50.0)),
                )
            })
            .collect();
        let bounds = Aabb::of_points(boxes.iter().map(|bounds| bounds.center()));
        let space = AddressSpace::over(bounds);
        let address = |object: u32| space.address(boxes[object as usize].center(), object);
        let mut tree = RadixTree::<C>::with_slots(slot_count as usize);
        for _ in 0..2_000 {
            let object = random.random_range(0..slot_count);
            let held = tree.holds(object);
            if held {
                tree.remove(object, &mut ());
            } else {
                tree.insert(object, address(object), boxes[object as usize], &mut ());
            }
            assert_ne!(tree.holds(object), held);
            tree.validate(|object| Some((address(object), boxes[object as usize])))
                .unwrap();
            assert!(tree.depth() <= 64);
        }
    }

    #[test]
    fn inserting_and_removing_keeps_every_invariant() {
        check::<Union>(1, 100.0);
        check::<Intersection>(2, 100.0);
        check::<Intersection>(3, 20.0);
    }

    #[test]
    fn a_thousand_objects_on_one_spot_are_not_a_chain() {
        check::<Union>(4, 0.0);
        let spot = Aabb::around(Vec2::ONE, Vec2::ONE);
        let space = AddressSpace::over(Aabb::of_points([Vec2::ONE]));
        let mut tree = RadixTree::<Union>::with_slots(1_024);
        for object in 0..1_024 {
            tree.insert(object, space.address(Vec2::ONE, object), spot, &mut ());
        }
        assert_eq!(tree.depth(), 10);
        let mut counter = Counter::default();
        let mut found = 0;
        tree.descend(
            |bounds| bounds.contains(Vec2::ONE),
            &mut counter,
            |_| found += 1,
        );
        assert_eq!((found, counter.hits, counter.visits), (1_024, 1_024, 1_023));
    }

    #[test]
    fn a_leaf_is_that_of_its_object_as_long_as_it_is_there() {
        let boxes = |object: u32| Aabb::around(Vec2::splat(object as f32), Vec2::ONE);
        let mut tree = RadixTree::<Union>::with_slots(16);
        for object in 0..16 {
            tree.insert(object, u64::from(object), boxes(object), &mut ());
        }
        let leaves = tree.leaves.clone();
        for (object, leaf) in leaves.iter().enumerate() {
            assert_eq!(tree.object_of(*leaf), Some(object as u32));
        }
        let others = (0..tree.nodes.len() as u32).filter(|node| !leaves.contains(node));
        for inner in others {
            assert_eq!(tree.object_of(inner), None, "an inner node");
        }
        for object in [3, 9, 10] {
            tree.remove(object, &mut ());
        }
        for (object, leaf) in leaves.iter().enumerate() {
            let is_there = tree.holds(object as u32);
            assert_eq!(tree.object_of(*leaf), is_there.then_some(object as u32));
        }
        assert_eq!(tree.object_of(1_000), None);
    }

    #[test]
    fn addresses_interleave_x_first() {
        let space = AddressSpace {
            origin: Vec2::ZERO,
            cell_size: 1.0,
        };
        assert_eq!(space.address(Vec2::new(3.5, 1.0), 0) >> 32, 0b1011);
        assert_eq!(space.address(Vec2::new(-9.0, 1.0e9), 0) >> 32, 0x5555_5555);
        assert_eq!(space.address(Vec2::new(0.0, 0.0), 7), 7);
    }
}
