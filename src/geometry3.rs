//! Boxes and segments in three dimensions, and the few exact predicates on which every structure agrees.
//!
//! Invariant: every interval is closed (`<=`), so touching counts as overlapping and reach 0 means "on the same spot".
//!
//! Invariant: every predicate here is **monotone under rounding**, as in [`crate::geometry`]: if box `a` lies inside box `b`,
//! then `b` overlaps, is as near as, or is crossed by whatever `a` overlaps, is near to, or is crossed by, in `f32` arithmetic.
//! A tree may therefore prune a node with the very predicate that it applies to a body.

pub use glam::Vec3;

/// An axis-aligned box, closed on every side, in metres.
///
/// `min > max` on an axis is an *inverted* interval: it contains nothing, and neither joins nor meets repair it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aabb3 {
    /// The lower corner.
    pub min: Vec3,
    /// The upper corner.
    pub max: Vec3,
}

impl Aabb3 {
    /// The identity of [`Aabb3::join`]: it contains nothing.
    pub const EMPTY: Self = Self {
        min: Vec3::INFINITY,
        max: Vec3::NEG_INFINITY,
    };
    /// The identity of [`Aabb3::meet`]: it contains everything.
    pub const EVERYTHING: Self = Self {
        min: Vec3::NEG_INFINITY,
        max: Vec3::INFINITY,
    };

    /// The box between two corners, which must already be ordered.
    #[inline]
    pub const fn new(min: Vec3, max: Vec3) -> Self {
        Self { min, max }
    }

    /// The box around `center` that reaches `half_extent` to each side.
    #[inline]
    pub fn around(center: Vec3, half_extent: Vec3) -> Self {
        Self {
            min: center - half_extent,
            max: center + half_extent,
        }
    }

    /// The box that is a single point.
    #[inline]
    pub const fn point(at: Vec3) -> Self {
        Self { min: at, max: at }
    }

    /// The smallest box that holds all of `points`; [`Aabb3::EMPTY`] when there is none.
    pub fn of_points(points: impl IntoIterator<Item = Vec3>) -> Self {
        points
            .into_iter()
            .fold(Self::EMPTY, |sum, point| sum.join(Self::point(point)))
    }

    /// Whether the box contains no point at all.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.min.cmpgt(self.max).any()
    }

    /// The middle. It is never outside of a box that is not empty: rounding keeps order.
    #[inline]
    pub fn center(self) -> Vec3 {
        (self.min + self.max) * 0.5
    }

    /// Width, height and depth.
    #[inline]
    pub fn size(self) -> Vec3 {
        self.max - self.min
    }

    /// Half of width, height and depth.
    #[inline]
    pub fn half_extent(self) -> Vec3 {
        self.size() * 0.5
    }

    /// Half of the surface: the measure by which a hierarchy of boxes is judged in three dimensions.
    #[inline]
    pub fn half_surface(self) -> f32 {
        let Vec3 { x, y, z } = self.size();
        x * y + y * z + z * x
    }

    /// Whether `point` is inside or on the border.
    #[inline]
    pub fn contains(self, point: Vec3) -> bool {
        self.contains_box(Self::point(point))
    }

    /// Whether `other` lies inside, borders included. An empty `other` lies inside only where its inverted bounds do.
    #[inline]
    pub fn contains_box(self, other: Self) -> bool {
        // All six, for that takes one branch: trees and grids ask it of everything that they look at.
        (self.min.x <= other.min.x)
            & (other.max.x <= self.max.x)
            & (self.min.y <= other.min.y)
            & (other.max.y <= self.max.y)
            & (self.min.z <= other.min.z)
            & (other.max.z <= self.max.z)
    }

    /// Whether the two boxes share a point; touching is enough.
    #[inline]
    pub fn overlaps(self, other: Self) -> bool {
        // All six, as in `contains_box`.
        (self.min.x <= other.max.x)
            & (other.min.x <= self.max.x)
            & (self.min.y <= other.max.y)
            & (other.min.y <= self.max.y)
            & (self.min.z <= other.max.z)
            & (other.min.z <= self.max.z)
    }

    /// The smallest box that holds both (the union).
    #[inline]
    pub fn join(self, other: Self) -> Self {
        Self {
            min: self.min.min(other.min),
            max: self.max.max(other.max),
        }
    }

    /// What both hold (the intersection), possibly inverted.
    #[inline]
    pub fn meet(self, other: Self) -> Self {
        Self {
            min: self.min.max(other.min),
            max: self.max.min(other.max),
        }
    }

    /// The box moved outwards by `by` on each side.
    #[inline]
    pub fn grown(self, by: Vec3) -> Self {
        Self {
            min: self.min - by,
            max: self.max + by,
        }
    }

    /// The squared distance from the box to `point`; 0 inside.
    #[inline]
    pub fn distance_sq(self, point: Vec3) -> f32 {
        self.gap_sq(Self::point(point))
    }

    /// The squared gap between two boxes; 0 when they overlap or touch. For two points it is their squared distance.
    #[inline]
    pub fn gap_sq(self, other: Self) -> f32 {
        let gap = |low: f32, high: f32, other_low: f32, other_high: f32| {
            (low - other_high).max(other_low - high).max(0.0)
        };
        let x = gap(self.min.x, self.max.x, other.min.x, other.max.x);
        let y = gap(self.min.y, self.max.y, other.min.y, other.max.y);
        let z = gap(self.min.z, self.max.z, other.min.z, other.max.z);
        x * x + y * y + z * z
    }
}

/// A straight way from one point to another, as thick as a bullet: it meets every box that comes within `half_width` of it
/// along any axis. Both ends belong to it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Segment3 {
    /// Where it begins.
    pub from: Vec3,
    /// Where it ends.
    pub to: Vec3,
    /// How far it reaches to each side along each axis, in metres; 0 is a line without thickness.
    pub half_width: f32,
}

impl Segment3 {
    /// The box around the whole segment, thickness included.
    pub fn aabb(self) -> Aabb3 {
        Aabb3::new(self.from.min(self.to), self.from.max(self.to))
            .grown(Vec3::splat(self.half_width))
    }

    /// Whether the segment meets `area` (slab test).
    ///
    /// A larger box never fails where a smaller one inside it passes: each bound is one subtraction and one division by
    /// the same number, and rounding keeps order.
    #[inline]
    pub fn meets(self, area: Aabb3) -> bool {
        let area = area.grown(Vec3::splat(self.half_width));
        let way = self.to - self.from;
        let (mut enter, mut leave) = (0.0_f32, 1.0_f32);
        for axis in 0..3 {
            let (low, high) = (area.min[axis], area.max[axis]);
            let (start, step) = (self.from[axis], way[axis]);
            if step == 0.0 {
                if start < low || start > high {
                    return false;
                }
            } else {
                let (a, b) = ((low - start) / step, (high - start) / step);
                enter = enter.max(a.min(b));
                leave = leave.min(a.max(b));
            }
        }
        enter <= leave
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn boxed(low: [f32; 3], high: [f32; 3]) -> Aabb3 {
        Aabb3::new(low.into(), high.into())
    }

    #[test]
    fn touching_boxes_overlap() {
        let one = boxed([0.0; 3], [1.0; 3]);
        assert!(one.overlaps(boxed([1.0; 3], [2.0; 3])));
        assert!(!one.overlaps(boxed([0.0, 0.0, 1.1], [2.0; 3])));
        assert_eq!(one.gap_sq(boxed([3.0, 4.0, 7.0], [9.0; 3])), 49.0);
        assert_eq!(one.gap_sq(boxed([0.5; 3], [9.0; 3])), 0.0);
        assert_eq!(one.distance_sq(Vec3::new(0.5, 0.5, -2.0)), 4.0);
    }

    #[test]
    fn an_empty_meet_stays_empty() {
        let none = boxed([0.0; 3], [1.0; 3]).meet(boxed([0.0, 0.0, 2.0], [1.0, 1.0, 3.0]));
        assert!(none.is_empty());
        assert!(!none.contains(Vec3::new(0.5, 0.5, 1.5)));
        assert!(none.meet(Aabb3::EVERYTHING).is_empty());
        assert!(Aabb3::of_points([]).is_empty());
    }

    #[test]
    fn sizes_are_reckoned_on_all_three_axes() {
        let brick = boxed([0.0; 3], [2.0, 3.0, 4.0]);
        assert_eq!(brick.half_surface(), 26.0);
        assert_eq!(brick.center(), Vec3::new(1.0, 1.5, 2.0));
        assert_eq!(Aabb3::around(brick.center(), brick.half_extent()), brick);
    }

    #[test]
    fn a_segment_meets_what_it_touches() {
        let way = Segment3 {
            from: Vec3::new(0.0, 1.0, 5.0),
            to: Vec3::new(10.0, 1.0, 5.0),
            half_width: 0.0,
        };
        assert!(way.meets(boxed([4.0, 0.0, 5.0], [5.0, 1.0, 6.0])));
        assert!(!way.meets(boxed([4.0, 0.0, 5.5], [5.0, 1.0, 6.0])));
        let thick = Segment3 {
            half_width: 0.5,
            ..way
        };
        assert!(thick.meets(boxed([4.0, 0.0, 5.5], [5.0, 1.0, 6.0])));
        assert!(!way.meets(boxed([10.5, 0.0, 0.0], [11.0, 2.0, 9.0])));
        let spot = Segment3 {
            from: Vec3::ONE,
            to: Vec3::ONE,
            half_width: 0.0,
        };
        assert!(spot.meets(Aabb3::point(Vec3::ONE)));
        assert!(!spot.meets(boxed([1.0, 1.0, 1.5], [2.0; 3])));
    }
}
