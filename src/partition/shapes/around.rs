//! Around a box.

use super::{Figure, Outline, distance, enclosing, part_within};
use crate::geometry::{Aabb, Vec2};
use crate::partition::toolkit::rounding::{ROUNDING, widened};
use glam::DVec2;

/// Bodies whose boxes are within a reach of a box: a rectangle with round corners.
///
/// The gap between two boxes is that of [`Aabb::gap_sq`], so those who are near a unit are its partners among the pairs of the
/// same reach.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Around {
    body: Aabb,
    reach: f32,
    bounds: Aabb,
    corners: [DVec2; 4],
    /// A little more than the reach, in metres.
    widened: f64,
}

impl Around {
    /// All within `reach` metres of `body`. Nobody where the reach is below zero or no number, or the box is empty or endless.
    pub fn new(body: Aabb, reach: f32) -> Self {
        let is_sound = body.min.is_finite() && body.max.is_finite() && !body.is_empty();
        let limit = widened(reach.min(f32::MAX));
        let grow = Vec2::splat(limit) + body.min.abs().max(body.max.abs()) * ROUNDING;
        let bounds = match is_sound && reach >= 0.0 {
            true => enclosing(
                body.min.as_dvec2() - grow.as_dvec2(),
                body.max.as_dvec2() + grow.as_dvec2(),
            ),
            false => Aabb::EMPTY,
        };
        let (low, high) = (body.min.as_dvec2(), body.max.as_dvec2());
        Self {
            body,
            reach,
            bounds,
            corners: [
                low,
                DVec2::new(high.x, low.y),
                high,
                DVec2::new(low.x, high.y),
            ],
            widened: limit.min(f32::MAX).into(),
        }
    }
}

impl Figure for Around {
    fn name(&self) -> &'static str {
        "surroundings"
    }

    fn holds(&self, body: Aabb) -> bool {
        part_within(body, self.bounds).is_some()
            && body.gap_sq(self.body) <= self.reach * self.reach
    }

    /// The farthest places of both axes are in reach. How far is rounded the same way as for any body inside.
    fn swallows(&self, area: Aabb) -> bool {
        let farthest = (area.max - self.body.max)
            .max(self.body.min - area.min)
            .max(Vec2::ZERO);
        self.bounds.contains_box(area)
            && !area.is_empty()
            && farthest.length_squared() <= self.reach * self.reach
    }

    fn bounds(&self) -> Aabb {
        self.bounds
    }

    fn outline(&self) -> Outline<'_> {
        Outline {
            corners: &self.corners,
            is_closed: true,
            reach: self.widened,
        }
    }

    fn gap(&self, area: Aabb) -> f64 {
        if self.holds(area) {
            return 0.0;
        }
        (distance::gap(area, self.body) - f64::from(self.reach)).max(0.0)
    }
}
