//! Between lines from corner to corner.

use super::exact::{meets, side};
use super::{
    Figure, Form, MOST_CORNERS, Outline, Written, corners_of, distance, enclosing, numbers_of,
    part_within,
};
use crate::geometry::{Aabb, Vec2};
use glam::DVec2;
use std::cmp::Ordering;

/// Bodies that come into a polygon, convex or not.
///
/// A place is inside where a line from it to far away crosses the border an odd number of times; the border itself belongs to
/// it, whatever it encloses. So a polygon that crosses itself is hollow where it lies on itself twice, and one without a
/// content is its lines.
///
/// # Algorithm
///
/// 1. Where a line of the border meets a box, the box is held.
/// 2. Where none does, the whole box is on one side of it, and one of its corners says on which.
///
/// Both are told by signs that are not rounded, so that they agree. A test takes O(corners).
///
/// Reference: M. Shimrat, "Algorithm 112: Position of point relative to polygon" (1962).
#[derive(Clone, Debug, PartialEq)]
pub struct Polygon {
    /// Each is that of an `f32`; empty where there is no polygon.
    corners: Box<[DVec2]>,
    bounds: Aabb,
}

impl Polygon {
    /// The fewest corners.
    pub const FEWEST: usize = 3;

    /// The polygon with these corners, in order, the last next to the first. Fewer than [`Polygon::FEWEST`] or more than
    /// [`MOST_CORNERS`] are none, nor is one that is not finite: it holds nobody.
    pub fn new(corners: &[Vec2]) -> Self {
        let is_sound = (Self::FEWEST..=MOST_CORNERS).contains(&corners.len())
            && corners.iter().all(|corner| corner.is_finite());
        let corners = if is_sound { corners } else { &[] };
        let around = Aabb::of_points(corners.iter().copied());
        Self {
            corners: corners.iter().map(|corner| corner.as_dvec2()).collect(),
            bounds: match is_sound {
                true => enclosing(around.min.as_dvec2(), around.max.as_dvec2()),
                false => Aabb::EMPTY,
            },
        }
    }

    /// Whether the border meets a box, and where it does not, whether the box is inside.
    fn look(&self, low: DVec2, high: DVec2) -> Seen {
        let mut is_inside = false;
        for (from, to) in self.outline().lines() {
            if meets((from, to), (low, high), |corner| side(from, to, corner)) {
                return Seen::Border;
            }
            // The line to the right of the lowest corner, where a corner of the polygon counts as above it.
            if (from.y > low.y) != (to.y > low.y) {
                let crosses = side(from, to, low)
                    == match from.y < to.y {
                        true => Ordering::Greater,
                        false => Ordering::Less,
                    };
                is_inside ^= crosses;
            }
        }
        if is_inside {
            Seen::Inside
        } else {
            Seen::Outside
        }
    }
}

/// Where a box is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Seen {
    Outside,
    Border,
    Inside,
}

impl Figure for Polygon {
    fn name(&self) -> &'static str {
        "polygon"
    }

    fn holds(&self, body: Aabb) -> bool {
        part_within(body, self.bounds)
            .is_some_and(|(low, high)| self.look(low, high) != Seen::Outside)
    }

    fn swallows(&self, area: Aabb) -> bool {
        self.bounds.contains_box(area)
            && part_within(area, self.bounds)
                .is_some_and(|(low, high)| self.look(low, high) == Seen::Inside)
    }

    fn bounds(&self) -> Aabb {
        self.bounds
    }

    fn outline(&self) -> Outline<'_> {
        Outline {
            corners: &self.corners,
            is_closed: true,
            reach: 0.0,
        }
    }

    fn gap(&self, area: Aabb) -> f64 {
        if self.holds(area) {
            return 0.0;
        }
        self.outline()
            .lines()
            .map(|(from, to)| distance::beside_way(area, from, to))
            .fold(f64::INFINITY, f64::min)
    }
}

impl Written for Polygon {
    const FORM: Form = Form {
        key: "polygon",
        text: "polygon x,y,x,y,x,y,...",
        numbers: &[],
        corners: Some((Self::FEWEST, MOST_CORNERS)),
    };

    fn from_numbers(numbers: &[f32]) -> Self {
        Self::new(&corners_of(numbers))
    }

    fn numbers(&self) -> Vec<f32> {
        numbers_of(&self.corners)
    }
}
