//! Along a path.

use super::exact::{meets, side};
use super::{
    Figure, Form, MOST_CORNERS, Number, Outline, Written, corners_of, distance, enclosing, finite,
    numbers_of, part_within,
};
use crate::geometry::{Aabb, Vec2};
use glam::DVec2;

/// Bodies that come within half a width of a path from corner to corner.
///
/// Its ends and its bends are round. Unlike a thick [`Segment`](crate::geometry::Segment), which reaches as far along each axis,
/// it is as wide in every direction.
///
/// # Algorithm
///
/// A box is held where one of these comes to it: the disc around a corner, a leg of the path itself, or the rectangle around a
/// leg, which is parted from the box by no line parallel to a side of either. Each is a sum, a product or a square of what
/// grows with the box, and rounding keeps order. A test takes O(corners).
#[derive(Clone, Debug, PartialEq)]
pub struct Corridor {
    half_width: f32,
    /// Each is that of an `f32`; empty where there is no corridor.
    corners: Box<[DVec2]>,
    legs: Box<[Leg]>,
    /// The half width, in metres, as far as anybody is.
    reach: f64,
    bounds: Aabb,
}

/// A straight part of a path.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Leg {
    from: DVec2,
    to: DVec2,
    length_sq: f64,
    /// From the middle of the rectangle to its long sides, along each axis.
    side: DVec2,
    /// The greatest product of the way with a place beside it.
    farthest: f64,
}

impl Leg {
    fn new(from: DVec2, to: DVec2, reach: f64) -> Self {
        let way = to - from;
        let length_sq = way.length_squared();
        let length = length_sq.sqrt();
        let side = match length > 0.0 {
            true => way.perp().abs() / length * reach,
            false => DVec2::ZERO,
        };
        Self {
            from,
            to,
            length_sq,
            side,
            farthest: length * reach,
        }
    }

    /// Whether the rectangle around the leg meets a box.
    fn is_beside(&self, low: DVec2, high: DVec2) -> bool {
        let way = self.to - self.from;
        let (low, high) = (low - self.from, high - self.from);
        let (least, most) = (DVec2::ZERO.min(way), DVec2::ZERO.max(way));
        if (least - self.side).cmpgt(high).any() || (most + self.side).cmplt(low).any() {
            return false;
        }
        let (begin, end) = products(way, low, high);
        let (right, left) = products(way.perp(), low, high);
        begin <= self.length_sq && 0.0 <= end && right <= self.farthest && -self.farthest <= left
    }
}

/// The least and the greatest product of a direction with a place in a box.
fn products(direction: DVec2, low: DVec2, high: DVec2) -> (f64, f64) {
    let (a, b) = (direction * low, direction * high);
    let (least, most) = (a.min(b), a.max(b));
    (least.x + least.y, most.x + most.y)
}

impl Corridor {
    /// The fewest corners.
    pub const FEWEST: usize = 2;

    /// The corridor that reaches `half_width` metres to each side of the path through these corners. Fewer than
    /// [`Corridor::FEWEST`] or more than [`MOST_CORNERS`] are none, nor is one that is not finite, nor a width below zero: it
    /// holds nobody.
    pub fn new(half_width: f32, corners: &[Vec2]) -> Self {
        let is_sound = (Self::FEWEST..=MOST_CORNERS).contains(&corners.len())
            && corners.iter().all(|corner| corner.is_finite())
            && half_width >= 0.0;
        let corners = if is_sound { corners } else { &[] };
        let corners: Box<[DVec2]> = corners.iter().map(|corner| corner.as_dvec2()).collect();
        let reach = finite(half_width);
        let legs = corners
            .windows(2)
            .map(|ends| Leg::new(ends[0], ends[1], reach));
        let low = corners.iter().copied().reduce(DVec2::min);
        let high = corners.iter().copied().reduce(DVec2::max);
        Self {
            half_width,
            legs: legs.collect(),
            reach,
            bounds: match (low, high) {
                (Some(low), Some(high)) => enclosing(low - reach, high + reach),
                _ => Aabb::EMPTY,
            },
            corners,
        }
    }
}

impl Figure for Corridor {
    fn name(&self) -> &'static str {
        "corridor"
    }

    fn holds(&self, body: Aabb) -> bool {
        let Some((low, high)) = part_within(body, self.bounds) else {
            return false;
        };
        let reach_sq = self.reach * self.reach;
        let is_near = |corner: &DVec2| {
            let gap = (low - *corner).max(*corner - high).max(DVec2::ZERO);
            gap.length_squared() <= reach_sq
        };
        let comes_to = |leg: &Leg| {
            let Leg { from, to, .. } = *leg;
            meets((from, to), (low, high), |corner| side(from, to, corner))
                || (self.reach > 0.0 && leg.is_beside(low, high))
        };
        self.corners.iter().any(is_near) || self.legs.iter().any(comes_to)
    }

    /// All corners are in reach of one leg, by a little more than what a test may be off by.
    fn swallows(&self, area: Aabb) -> bool {
        if area.is_empty() || !self.bounds.contains_box(area) {
            return false;
        }
        let limit = self.reach - 1.0e-12 * self.outline().scale();
        let corners = distance::corners(area);
        self.legs.iter().any(|leg| {
            let is_near = |corner| distance::from_way(corner, leg.from, leg.to) <= limit;
            corners.into_iter().all(is_near)
        })
    }

    fn bounds(&self) -> Aabb {
        self.bounds
    }

    fn outline(&self) -> Outline<'_> {
        Outline {
            corners: &self.corners,
            is_closed: false,
            reach: self.reach,
        }
    }

    fn gap(&self, area: Aabb) -> f64 {
        if self.holds(area) {
            return 0.0;
        }
        let gaps = self
            .legs
            .iter()
            .map(|leg| distance::beside_way(area, leg.from, leg.to));
        (gaps.fold(f64::INFINITY, f64::min) - self.reach).max(0.0)
    }
}

impl Written for Corridor {
    const FORM: Form = Form {
        key: "path",
        text: "path w,x,y,x,y,...",
        numbers: &[Number::length("w")],
        corners: Some((Self::FEWEST, MOST_CORNERS)),
    };

    fn from_numbers(numbers: &[f32]) -> Self {
        let (half_width, corners) = numbers.split_first().unwrap_or((&f32::NAN, &[]));
        Self::new(*half_width, &corners_of(corners))
    }

    fn numbers(&self) -> Vec<f32> {
        let mut numbers = vec![self.half_width];
        numbers.extend(numbers_of(&self.corners));
        numbers
    }
}
