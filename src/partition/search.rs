//! The three questions of which units are somewhere, as a tree asks them of a node and of a body alike.

use crate::geometry::{Aabb, Segment, Vec2};

/// An area of which a structure finds the units in it.
pub(super) trait Search {
    /// Whether a body with this box is a result, and whether a node with this box may hold one.
    fn holds(&self, bounds: Aabb) -> bool;

    /// Whether every body inside this box is a result, so that none of them has to be tested.
    fn swallows(&self, bounds: Aabb) -> bool;
}

/// Bodies that overlap a box.
pub(super) struct Rectangle(pub(super) Aabb);

impl Search for Rectangle {
    #[inline]
    fn holds(&self, bounds: Aabb) -> bool {
        bounds.overlaps(self.0)
    }

    #[inline]
    fn swallows(&self, bounds: Aabb) -> bool {
        self.0.contains_box(bounds)
    }
}

/// Bodies that come within a radius of a point.
pub(super) struct Disc {
    center: Vec2,
    radius: f32,
}

impl Disc {
    pub(super) fn new(center: Vec2, radius: f32) -> Self {
        Self { center, radius }
    }
}

impl Search for Disc {
    #[inline]
    fn holds(&self, bounds: Aabb) -> bool {
        bounds.distance_sq(self.center) <= self.radius * self.radius
    }

    /// The farthest corner is in reach. Its distance is rounded the same way as that of any box inside, so no body is
    /// taken that its own test would turn away.
    #[inline]
    fn swallows(&self, bounds: Aabb) -> bool {
        let farthest = (bounds.max - self.center).max(self.center - bounds.min);
        farthest.length_squared() <= self.radius * self.radius
    }
}

/// Bodies that a segment meets.
pub(super) struct Way(pub(super) Segment);

impl Search for Way {
    #[inline]
    fn holds(&self, bounds: Aabb) -> bool {
        self.0.meets(bounds)
    }

    #[inline]
    fn swallows(&self, _bounds: Aabb) -> bool {
        false
    }
}
