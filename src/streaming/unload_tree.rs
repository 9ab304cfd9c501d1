//! The unload tree: which of the objects that are there, or on their way, has the character left behind?

use super::radix::{Intersection, Place, RadixTree, Shown};
use crate::geometry::{Aabb, Vec2};
use crate::partition::{Region, RegionId, RegionQuery, Violation};
use crate::probe::Probe;

/// A radix tree over the unload rectangles of objects that are wanted, whose inner boxes are **intersections**: a point inside
/// an inner box is inside every rectangle below it, so there is nothing to unload there. (QuadTreeB of "Quadtree for
/// Seamless Loading".)
///
/// While nothing is left behind, and the rectangles of what is near do have a spot in common, a query is one test. Where it
/// finds k objects it takes at most 1 + 2·k·depth: an intersection that does not contain the point has a child that does not
/// either, so every inner node that is entered leads to a find.
///
/// An empty intersection stays the inverted interval that it is: it contains nothing, so the search goes on below it and
/// misses nothing. Setting it right would invent an area that no child has.
#[derive(Debug)]
pub(super) struct UnloadTree {
    tree: RadixTree<Intersection>,
}

impl UnloadTree {
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

    /// Puts in `object` with its unload rectangle.
    pub(super) fn insert<P: Probe>(
        &mut self,
        object: u32,
        address: u64,
        unload: Aabb,
        probe: &mut P,
    ) {
        self.tree.insert(object, address, unload, probe);
    }

    /// Takes out `object`.
    pub(super) fn remove<P: Probe>(&mut self, object: u32, probe: &mut P) {
        self.tree.remove(object, probe);
    }

    /// Visits the objects whose unload rectangles do not contain `position`.
    pub(super) fn not_containing<P: Probe>(
        &self,
        position: Vec2,
        probe: &mut P,
        visit: impl FnMut(u32),
    ) {
        self.tree
            .descend(|bounds| !bounds.contains(position), probe, visit);
    }

    /// Visits the nodes that are in view and large enough. An empty intersection is inverted, and counts as in view where
    /// the gap between its sides is.
    pub(super) fn regions(&self, query: RegionQuery, visit: &mut dyn FnMut(Region<'static>)) {
        self.tree.regions(visit, |bounds| {
            (Shown::of_intersection(bounds, query), bounds)
        });
    }

    /// Visits every node; empty intersections come inverted.
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

#[cfg(test)]
mod tests {
    use super::super::radix::AddressSpace;
    use super::*;
    use crate::probe::Counter;

    /// A row of squares with side 10 that overlap their neighbours by 5.
    fn row() -> UnloadTree {
        let centers: Vec<Vec2> = (0..4).map(|x| Vec2::new(x as f32 * 5.0, 0.0)).collect();
        let space = AddressSpace::over(Aabb::of_points(centers.iter().copied()));
        let mut tree = UnloadTree::with_slots(4);
        for (object, center) in (0..).zip(centers) {
            let unload = Aabb::around(center, Vec2::splat(5.0));
            tree.insert(object, space.address(center, object), unload, &mut ());
        }
        tree
    }

    fn left_behind(tree: &UnloadTree, x: f32) -> (Vec<u32>, u64) {
        let mut counter = Counter::default();
        let mut found = Vec::new();
        tree.not_containing(Vec2::new(x, 0.0), &mut counter, |object| found.push(object));
        found.sort_unstable();
        (found, counter.visits + counter.prunes + counter.tests)
    }

    #[test]
    fn a_point_in_the_common_area_takes_one_test() {
        let mut tree = row();
        tree.remove(3, &mut ());
        assert_eq!(left_behind(&tree, 5.0), (vec![], 1));
        assert_eq!(left_behind(&tree, 0.0).0, [2]);
    }

    #[test]
    fn an_empty_intersection_misses_nothing() {
        let tree = row();
        for x in [-20.0, -5.0, 0.0, 5.0, 7.5, 10.0, 20.0, 30.0] {
            let truth: Vec<u32> = (0..4)
                .filter(|object| (x - *object as f32 * 5.0).abs() > 5.0)
                .collect();
            assert_eq!(left_behind(&tree, x).0, truth, "at {x}");
        }
        let mut empty = 0;
        let everywhere = RegionQuery {
            area: Aabb::EVERYTHING,
            min_size: 0.0,
        };
        tree.regions(everywhere, &mut |region| {
            if let crate::partition::Shape::Rect(bounds) = region.shape {
                empty += u32::from(bounds.is_empty());
            }
        });
        assert_eq!(empty, 1, "the root's");
    }
}
