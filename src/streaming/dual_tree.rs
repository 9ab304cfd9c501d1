//! The dual tree: one tree for both questions, what to load and what to unload.

use super::radix::{Combine, Place, RadixTree, Shown};
use super::rectangles::Rectangles;
use crate::geometry::{Aabb, Vec2};
use crate::partition::{Region, RegionId, RegionQuery, Violation};
use crate::probe::Probe;

/// The two boxes of a node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Sides {
    /// The union of the load rectangles of what is not wanted below; [`Aabb::EMPTY`] where all is.
    load: Aabb,
    /// The intersection of the unload rectangles of what is wanted below; [`Aabb::EVERYTHING`] where nothing is.
    unload: Aabb,
}

impl Sides {
    /// The boxes of a leaf. The side that does not concern it is the identity of its operation, so that nobody above sees it.
    fn of(rectangles: Rectangles, is_wanted: bool) -> Self {
        if is_wanted {
            Self {
                load: Aabb::EMPTY,
                unload: rectangles.unload,
            }
        } else {
            Self {
                load: rectangles.load,
                unload: Aabb::EVERYTHING,
            }
        }
    }
}

/// Union and intersection side by side.
#[derive(Clone, Copy, Debug)]
struct Both;

impl Combine for Both {
    type Bounds = Sides;

    #[inline]
    fn combine(a: Sides, b: Sides) -> Sides {
        Sides {
            load: a.load.join(b.load),
            unload: a.unload.meet(b.unload),
        }
    }
}

/// A radix tree over all objects, each of whose nodes has two boxes: the **union** of the load rectangles of what is not wanted
/// below it, and the **intersection** of the unload rectangles of what is.
///
/// # Algorithm
///
/// 1. What to load is asked as of the load tree, over the unions; what to unload as of the unload tree, over the intersections.
/// 2. When an object comes or goes, its leaf swaps one rectangle for the other, and the boxes above it are combined anew, until
///    one does not change. No node is made, freed or moved.
///
/// A query costs what the two trees cost, with a level more here and there: paths are those of all objects and not of half of
/// them. A toggle costs one way up instead of one out of a tree and one into another. 56 bytes a node.
#[derive(Debug)]
pub(super) struct DualTree {
    tree: RadixTree<Both>,
}

impl DualTree {
    /// An empty tree for objects numbered below `slot_count`, with memory for all of them.
    pub(super) fn with_slots(slot_count: usize) -> Self {
        let mut tree = RadixTree::with_slots(slot_count);
        tree.reserve(slot_count);
        Self { tree }
    }

    /// Puts in `object`.
    pub(super) fn insert(
        &mut self,
        object: u32,
        address: u64,
        rectangles: Rectangles,
        is_wanted: bool,
    ) {
        let sides = Sides::of(rectangles, is_wanted);
        self.tree.insert(object, address, sides, &mut ());
    }

    /// Notes whether `object` is wanted.
    pub(super) fn set(&mut self, object: u32, rectangles: Rectangles, is_wanted: bool) {
        let sides = Sides::of(rectangles, is_wanted);
        self.tree.set(object, sides, &mut ());
    }

    /// Visits what is not wanted and whose load rectangle overlaps `way`.
    pub(super) fn overlapping<P: Probe>(&self, way: Aabb, probe: &mut P, visit: impl FnMut(u32)) {
        self.tree
            .descend(|sides| sides.load.overlaps(way), probe, visit);
    }

    /// Visits what is wanted and whose unload rectangle does not contain `position`.
    pub(super) fn not_containing<P: Probe>(
        &self,
        position: Vec2,
        probe: &mut P,
        visit: impl FnMut(u32),
    ) {
        self.tree
            .descend(|sides| !sides.unload.contains(position), probe, visit);
    }

    /// Visits the unions that are in view and large enough.
    pub(super) fn load_regions(&self, query: RegionQuery, visit: &mut dyn FnMut(Region<'static>)) {
        self.tree.regions(visit, |sides| {
            (Shown::of_union(sides.load, query), sides.load)
        });
    }

    /// Visits the intersections that are in view and large enough.
    pub(super) fn unload_regions(
        &self,
        query: RegionQuery,
        visit: &mut dyn FnMut(Region<'static>),
    ) {
        self.tree.regions(visit, |sides| {
            let shown = if sides.unload == Aabb::EVERYTHING {
                Shown::NothingBelow
            } else {
                Shown::of_intersection(sides.unload, query)
            };
            (shown, sides.unload)
        });
    }

    /// Visits every node with its union: [`Aabb::EMPTY`] where all below is wanted.
    pub(super) fn every_load_region(&self, visit: &mut dyn FnMut(Region<'static>)) {
        self.tree.regions(visit, |sides| (Shown::Whole, sides.load));
    }

    /// Visits every node with its intersection: [`Aabb::EVERYTHING`] where nothing below is wanted.
    pub(super) fn every_unload_region(&self, visit: &mut dyn FnMut(Region<'static>)) {
        self.tree
            .regions(visit, |sides| (Shown::Whole, sides.unload));
    }

    /// How many objects are in the tree.
    pub(super) fn count(&self) -> u32 {
        self.tree.count()
    }

    /// The object whose leaf is `region`.
    pub(super) fn object_of(&self, region: RegionId) -> Option<u32> {
        self.tree.object_of(region)
    }

    /// The union of a node, or of the leaf of an object.
    pub(super) fn load_bounds_of(&self, place: Place) -> Option<Aabb> {
        self.tree.bounds_at(place).map(|sides| sides.load)
    }

    /// The intersection of a node, or of the leaf of an object.
    pub(super) fn unload_bounds_of(&self, place: Place) -> Option<Aabb> {
        self.tree.bounds_at(place).map(|sides| sides.unload)
    }

    /// The number of steps from the root to the deepest leaf.
    pub(super) fn depth(&self) -> u32 {
        self.tree.depth()
    }

    /// The bytes of the tree: a number of who is in it, and of nothing else.
    pub(super) fn byte_count(&self) -> usize {
        self.tree.byte_count()
    }

    /// Checks the tree, and that each leaf has the address, the rectangle and the side that `expected` says.
    pub(super) fn validate(
        &self,
        expected: impl Fn(u32) -> (u64, Rectangles, bool),
    ) -> Result<(), Violation> {
        self.tree.validate(|object| {
            let (address, rectangles, is_wanted) = expected(object);
            Some((address, Sides::of(rectangles, is_wanted)))
        })
    }
}
