//! The load tree: which objects that nobody has asked for yet does the character's way meet?

use super::radix::{Place, RadixTree, Shown, Union};
use crate::geometry::Aabb;
use crate::partition::{Region, RegionId, RegionQuery, Violation};
use crate::probe::Probe;

/// A radix tree over the load rectangles of objects that are not wanted, whose inner boxes are **unions**: what does not meet
/// an inner box meets nothing below it. (QuadTreeA of "Quadtree for Seamless Loading".)
///
/// A query costs about two tests for each level on the way to each leaf that it finds, and about one path of tests when it
/// finds none. An object's coming and going costs O(depth).
#[derive(Debug)]
pub(super) struct LoadTree {
    tree: RadixTree<Union>,
}

impl LoadTree {
    /// An empty tree for objects numbered below `slot_count`.
    pub(super) fn with_slots(slot_count: usize) -> Self {
        Self {
            tree: RadixTree::with_slots(slot_count),
        }
    }

    /// Takes the memory for `count` objects at once.
    pub(super) fn reserve(&mut self, count: usize) {
        self.tree.reserve(count);
    }

    /// Puts in `object` with its load rectangle.
    pub(super) fn insert<P: Probe>(
        &mut self,
        object: u32,
        address: u64,
        load: Aabb,
        probe: &mut P,
    ) {
        self.tree.insert(object, address, load, probe);
    }

    /// Takes out `object`.
    pub(super) fn remove<P: Probe>(&mut self, object: u32, probe: &mut P) {
        self.tree.remove(object, probe);
    }

    /// Visits the objects whose load rectangles overlap `way`.
    pub(super) fn overlapping<P: Probe>(&self, way: Aabb, probe: &mut P, visit: impl FnMut(u32)) {
        self.tree
            .descend(|bounds| bounds.overlaps(way), probe, visit);
    }

    /// Visits the nodes that are in view and large enough.
    pub(super) fn regions(&self, query: RegionQuery, visit: &mut dyn FnMut(Region<'static>)) {
        self.tree
            .regions(visit, |bounds| (Shown::of_union(bounds, query), bounds));
    }

    /// Visits every node.
    pub(super) fn every_region(&self, visit: &mut dyn FnMut(Region<'static>)) {
        self.tree.regions(visit, |bounds| (Shown::Whole, bounds));
    }

    /// Whether `object` is in the tree.
    pub(super) fn holds(&self, object: u32) -> bool {
        self.tree.holds(object)
    }

    /// How many objects are in the tree.
    pub(super) fn count(&self) -> u32 {
        self.tree.count()
    }

    /// The object whose leaf is `region`.
    pub(super) fn object_of(&self, region: RegionId) -> Option<u32> {
        self.tree.object_of(region)
    }

    /// The box of a node, or of the leaf of an object.
    pub(super) fn bounds_of(&self, place: Place) -> Option<Aabb> {
        self.tree.bounds_at(place)
    }

    /// The number of steps from the root to the deepest leaf.
    pub(super) fn depth(&self) -> u32 {
        self.tree.depth()
    }

    /// The bytes of the tree: a number of who is in it, and of nothing else.
    pub(super) fn byte_count(&self) -> usize {
        self.tree.byte_count()
    }

    /// Checks the tree, and that each leaf has the address and the rectangle that `expected` says.
    pub(super) fn validate(
        &self,
        expected: impl Fn(u32) -> Option<(u64, Aabb)>,
    ) -> Result<(), Violation> {
        self.tree.validate(expected)
    }
}
