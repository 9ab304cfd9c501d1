//! The three questions of which units are somewhere, as a tree asks them of a node and of a body alike.

use crate::geometry::{Aabb, Segment, Vec2};

/// An area of which a structure finds the units in it.
pub trait Search {
    /// Whether a body with this box is a result, and whether a node with this box may hold one.
    fn holds(&self, bounds: Aabb) -> bool;

    /// Whether every body inside this box is a result, so that none of them has to be tested.
    fn swallows(&self, bounds: Aabb) -> bool;

    /// How far the area reaches along a direction of length 1: from the lowest to the highest product with `normal`.
    ///
    /// Rounded outwards far enough that a body whose own stretch does not overlap this one fails [`Search::holds`], whose
    /// rounding is not the same.
    fn along(&self, normal: Vec2) -> (f64, f64);
}

/// The product of a place with a direction. Both products are exact in `f64`; only their sum is rounded.
#[inline]
pub fn project(normal: Vec2, place: Vec2) -> f64 {
    f64::from(normal.x) * f64::from(place.x) + f64::from(normal.y) * f64::from(place.y)
}

/// How far a box reaches along a direction of length 1, rounded outwards.
#[inline]
pub fn project_box(normal: Vec2, bounds: Aabb) -> (f64, f64) {
    let along = |direction: f32, low: f32, high: f32| {
        let (a, b) = (
            f64::from(direction) * f64::from(low),
            f64::from(direction) * f64::from(high),
        );
        (a.min(b), a.max(b))
    };
    let x = along(normal.x, bounds.min.x, bounds.max.x);
    let y = along(normal.y, bounds.min.y, bounds.max.y);
    let slack = PROJECTION_SLACK * (x.0.abs() + x.1.abs() + y.0.abs() + y.1.abs());
    (x.0 + y.0 - slack, x.1 + y.1 + slack)
}

/// A sum of two numbers is off by at most 2⁻⁵³ of itself; this is a generous multiple.
const PROJECTION_SLACK: f64 = 1.0e-15;

/// How far a reach in metres may lie behind what rounded squares of distances let pass: three roundings of 2⁻²⁴ each, and
/// the squares that are too small for an `f32` at all.
#[inline]
pub fn outwards(reach: f32) -> f64 {
    f64::from(reach.abs()) * (1.0 + 1.0e-6) + 1.0e-18
}

/// The squared distance of two things that are `gap` apart, rounded down far enough to be no more than any distance that
/// is computed in `f32`.
#[inline]
pub fn inwards_sq(gap: f64) -> f32 {
    let gap = (gap * (1.0 - 1.0e-6) - 1.0e-18).max(0.0);
    (gap * gap) as f32
}

/// Bodies that overlap a box.
pub struct Rectangle(pub Aabb);

impl Search for Rectangle {
    #[inline]
    fn holds(&self, bounds: Aabb) -> bool {
        bounds.overlaps(self.0)
    }

    #[inline]
    fn swallows(&self, bounds: Aabb) -> bool {
        self.0.contains_box(bounds)
    }

    #[inline]
    fn along(&self, normal: Vec2) -> (f64, f64) {
        project_box(normal, self.0)
    }
}

/// Bodies that come within a radius of a point.
pub struct Disc {
    center: Vec2,
    radius: f32,
}

impl Disc {
    pub fn new(center: Vec2, radius: f32) -> Self {
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

    #[inline]
    fn along(&self, normal: Vec2) -> (f64, f64) {
        let (low, high) = project_box(normal, Aabb::new(self.center, self.center));
        let reach = outwards(self.radius);
        (low - reach, high + reach)
    }
}

/// Bodies that a segment meets.
pub struct Way(pub Segment);

impl Search for Way {
    #[inline]
    fn holds(&self, bounds: Aabb) -> bool {
        self.0.meets(bounds)
    }

    #[inline]
    fn swallows(&self, _bounds: Aabb) -> bool {
        false
    }

    /// The slab test divides in `f32`: where on its way the segment enters a box is known to a few millionths of the
    /// coordinates in play.
    fn along(&self, normal: Vec2) -> (f64, f64) {
        let Segment {
            from,
            to,
            half_width,
        } = self.0;
        let (a, b) = (project(normal, from), project(normal, to));
        let thickness = f64::from(half_width) * f64::from(normal.x.abs() + normal.y.abs());
        let scale = from.abs().max(to.abs()).element_sum() + half_width;
        let slack = thickness + 4.0e-6 * f64::from(scale) + 1.0e-18;
        (a.min(b) - slack, a.max(b) + slack)
    }
}
