//! Points, boxes and segments, and the few exact predicates on which every structure agrees.
//!
//! Invariant: every interval is closed (`<=`), so touching counts as overlapping and reach 0 means "on the same spot".
//!
//! Invariant: every predicate here is **monotone under rounding**: if box `a` lies inside box `b`, then `b` overlaps,
//! is as near as, or is crossed by whatever `a` overlaps, is near to, or is crossed by, in `f32` arithmetic and not just
//! on paper. A tree may therefore prune a node with the very predicate that it applies to a body.

pub use glam::Vec2;

/// An axis-aligned box, closed on every side, in metres.
///
/// `min > max` on an axis is an *inverted* interval: it contains nothing. Joins and meets never repair one, because an
/// intersection of boxes that is empty has to stay empty.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aabb {
    /// The lower corner.
    pub min: Vec2,
    /// The upper corner.
    pub max: Vec2,
}

impl Aabb {
    /// The identity of [`Aabb::join`]: it contains nothing.
    pub const EMPTY: Self = Self {
        min: Vec2::INFINITY,
        max: Vec2::NEG_INFINITY,
    };
    /// The identity of [`Aabb::meet`]: it contains everything.
    pub const EVERYTHING: Self = Self {
        min: Vec2::NEG_INFINITY,
        max: Vec2::INFINITY,
    };

    /// The box between two corners, which must already be ordered.
    #[inline]
    pub const fn new(min: Vec2, max: Vec2) -> Self {
        Self { min, max }
    }

    /// The box around `center` that reaches `half_extent` to each side.
    #[inline]
    pub fn around(center: Vec2, half_extent: Vec2) -> Self {
        Self {
            min: center - half_extent,
            max: center + half_extent,
        }
    }

    /// The smallest box that holds all of `points`; [`Aabb::EMPTY`] when there is none.
    pub fn of_points(points: impl IntoIterator<Item = Vec2>) -> Self {
        points
            .into_iter()
            .fold(Self::EMPTY, |sum, point| sum.join(Self::new(point, point)))
    }

    /// Whether the box contains no point at all.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.min.x > self.max.x || self.min.y > self.max.y
    }

    /// The middle.
    #[inline]
    pub fn center(self) -> Vec2 {
        (self.min + self.max) * 0.5
    }

    /// Width and height.
    #[inline]
    pub fn size(self) -> Vec2 {
        self.max - self.min
    }

    /// Half of width and height.
    #[inline]
    pub fn half_extent(self) -> Vec2 {
        self.size() * 0.5
    }

    /// Half of the perimeter: the measure by which a bounding volume hierarchy judges a box in two dimensions.
    #[inline]
    pub fn half_perimeter(self) -> f32 {
        let size = self.size();
        size.x + size.y
    }

    /// Width times height.
    #[inline]
    pub fn area(self) -> f32 {
        let size = self.size();
        size.x * size.y
    }

    /// Whether `point` is inside or on the border.
    #[inline]
    pub fn contains(self, point: Vec2) -> bool {
        self.min.x <= point.x
            && point.x <= self.max.x
            && self.min.y <= point.y
            && point.y <= self.max.y
    }

    /// Whether `other` lies inside, borders included. An empty `other` lies inside only where its inverted bounds do.
    #[inline]
    pub fn contains_box(self, other: Self) -> bool {
        // All four, for that takes one branch: trees and grids ask it of everything that they look at.
        (self.min.x <= other.min.x)
            & (other.max.x <= self.max.x)
            & (self.min.y <= other.min.y)
            & (other.max.y <= self.max.y)
    }

    /// Whether the two boxes share a point; touching is enough.
    #[inline]
    pub fn overlaps(self, other: Self) -> bool {
        // All four, as in `contains_box`.
        (self.min.x <= other.max.x)
            & (other.min.x <= self.max.x)
            & (self.min.y <= other.max.y)
            & (other.min.y <= self.max.y)
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
    pub fn grown(self, by: Vec2) -> Self {
        Self {
            min: self.min - by,
            max: self.max + by,
        }
    }

    /// The squared distance from the box to `point`; 0 inside.
    #[inline]
    pub fn distance_sq(self, point: Vec2) -> f32 {
        self.gap_sq(Self::new(point, point))
    }

    /// The squared gap between two boxes; 0 when they overlap or touch. For two points it is their squared distance.
    #[inline]
    pub fn gap_sq(self, other: Self) -> f32 {
        let x = (self.min.x - other.max.x)
            .max(other.min.x - self.max.x)
            .max(0.0);
        let y = (self.min.y - other.max.y)
            .max(other.min.y - self.max.y)
            .max(0.0);
        x * x + y * y
    }
}

/// A straight way from one point to another, as thick as a bullet: it meets every box that comes within `half_width` of it
/// along either axis. Both ends belong to it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Segment {
    /// Where it begins.
    pub from: Vec2,
    /// Where it ends.
    pub to: Vec2,
    /// How far it reaches to each side along x and along y, in metres; 0 is a line without thickness.
    pub half_width: f32,
}

impl Segment {
    /// The box around the whole segment, thickness included.
    pub fn aabb(self) -> Aabb {
        Aabb::new(self.from.min(self.to), self.from.max(self.to))
            .grown(Vec2::splat(self.half_width))
    }

    /// Whether the segment meets `area` (slab test).
    ///
    /// A larger box never fails where a smaller one inside it passes: each bound is one subtraction and one division by
    /// the same number, and rounding keeps order.
    #[inline]
    pub fn meets(self, area: Aabb) -> bool {
        let area = area.grown(Vec2::splat(self.half_width));
        let way = self.to - self.from;
        let (mut enter, mut leave) = (0.0_f32, 1.0_f32);
        for axis in 0..2 {
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

    fn boxed(x0: f32, y0: f32, x1: f32, y1: f32) -> Aabb {
        Aabb::new(Vec2::new(x0, y0), Vec2::new(x1, y1))
    }

    #[test]
    fn touching_boxes_overlap() {
        let left = boxed(0.0, 0.0, 1.0, 1.0);
        assert!(left.overlaps(boxed(1.0, 1.0, 2.0, 2.0)));
        assert!(!left.overlaps(boxed(1.1, 0.0, 2.0, 1.0)));
        assert_eq!(left.gap_sq(boxed(4.0, 5.0, 6.0, 6.0)), 25.0);
        assert_eq!(left.gap_sq(boxed(0.5, 0.5, 6.0, 6.0)), 0.0);
    }

    #[test]
    fn an_empty_meet_stays_empty() {
        let none = boxed(0.0, 0.0, 1.0, 1.0).meet(boxed(2.0, 0.0, 3.0, 1.0));
        assert!(none.is_empty());
        assert!(!none.contains(Vec2::new(1.5, 0.5)));
        assert!(none.meet(Aabb::EVERYTHING).is_empty());
    }

    #[test]
    fn a_segment_meets_what_it_touches() {
        let flat = Segment {
            from: Vec2::new(0.0, 1.0),
            to: Vec2::new(10.0, 1.0),
            half_width: 0.0,
        };
        assert!(flat.meets(boxed(4.0, 0.0, 5.0, 1.0)));
        assert!(!flat.meets(boxed(4.0, 1.5, 5.0, 2.0)));
        assert!(
            Segment {
                half_width: 0.5,
                ..flat
            }
            .meets(boxed(4.0, 1.5, 5.0, 2.0))
        );
        assert!(!flat.meets(boxed(10.5, 0.0, 11.0, 2.0)));
        let spot = Segment {
            from: Vec2::ONE,
            to: Vec2::ONE,
            half_width: 0.0,
        };
        assert!(spot.meets(boxed(1.0, 1.0, 1.0, 1.0)));
        assert!(!spot.meets(boxed(1.5, 1.0, 2.0, 1.0)));
    }
}
