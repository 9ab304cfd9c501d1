//! A cone of sight.

use super::exact::{agreement, meets, turn};
use super::{Figure, Form, Number, Outline, Written, distance, enclosing, finite, part_within};
use crate::geometry::{Aabb, Vec2};
use glam::DVec2;
use std::f64::consts::FRAC_1_SQRT_2;

/// Bodies that come into a sector of a disc: whom somebody sees who looks in one direction.
///
/// The centre belongs to it, and so do both edges and the arc.
///
/// # Algorithm
///
/// Whatever place of a box within the opening is nearest to the centre, it is either the nearest of the whole box or on an edge.
/// So a box is held where
///
/// 1. the nearest of its places is within the opening and within the radius, or
/// 2. an edge meets it.
///
/// All is reckoned from the centre, where sides are signs of products that are not rounded; the edges are longer than the radius
/// by more than its square is rounded by, so that whatever the first rule lets in, the second does not lose in a larger box.
#[derive(Clone, Debug, PartialEq)]
pub struct Sector {
    center: Vec2,
    direction: f32,
    angle: f32,
    radius: f32,
    bounds: Aabb,
    /// Where the edges end, seen from the centre: the one on the right of the direction, and the one on its left.
    right: DVec2,
    left: DVec2,
    /// The direction, of length 1.
    ahead: DVec2,
    /// The radius, in metres, as far as anybody is.
    reach: f64,
    /// Around the arc, and the centre.
    outline: Box<[DVec2]>,
}

/// An edge is so much longer than the radius.
const LONGER: f64 = 1.0 + 1.0e-12;

/// A line of the outline spans no more of the arc than this, in degrees, and lies a fiftieth beyond it at the most.
const SPAN: f64 = 22.5;

/// The direction of an angle, of length 1. Eighths of a turn are exact, and so is a quarter more or less.
fn unit(degrees: f64) -> DVec2 {
    let degrees = degrees % 360.0;
    let quarters = (degrees / 90.0).round();
    let rest = degrees - quarters * 90.0;
    let (sin, cos) = if rest.abs() == 45.0 {
        (FRAC_1_SQRT_2.copysign(rest), FRAC_1_SQRT_2)
    } else {
        rest.to_radians().sin_cos()
    };
    match quarters.rem_euclid(4.0) as u8 {
        0 => DVec2::new(cos, sin),
        1 => DVec2::new(-sin, cos),
        2 => DVec2::new(-cos, -sin),
        _ => DVec2::new(sin, -cos),
    }
}

impl Sector {
    /// The sector of the disc of `radius` metres around `center` that opens by `angle` degrees, half to each side of
    /// `direction`, in degrees from x towards y. An angle has to be above 0 and no more than 360, a radius not below 0, and
    /// everything but the radius finite: else it holds nobody.
    pub fn new(center: Vec2, direction: f32, angle: f32, radius: f32) -> Self {
        let is_sound = center.is_finite()
            && direction.is_finite()
            && angle > 0.0
            && angle <= 360.0
            && radius >= 0.0;
        let mut sector = Self {
            center,
            direction,
            angle,
            radius,
            bounds: Aabb::EMPTY,
            right: DVec2::ZERO,
            left: DVec2::ZERO,
            ahead: DVec2::X,
            reach: 0.0,
            outline: Box::default(),
        };
        if is_sound {
            sector.lay_out();
        }
        sector
    }

    /// Finds edges, bounds and outline.
    fn lay_out(&mut self) {
        let (middle, opening) = (f64::from(self.direction) % 360.0, f64::from(self.angle));
        let (from, center) = (middle - opening * 0.5, self.center.as_dvec2());
        self.reach = finite(self.radius);
        self.ahead = unit(middle);
        self.right = unit(from) * (self.reach * LONGER);
        self.left = unit(middle + opening * 0.5) * (self.reach * LONGER);
        let edges = [DVec2::ZERO, self.right, self.left];
        let axes = [DVec2::X, DVec2::Y, -DVec2::X, -DVec2::Y];
        let extremes = axes
            .into_iter()
            .filter(|axis| self.opens_towards(*axis))
            .map(|axis| axis * self.reach);
        let (mut low, mut high) = (DVec2::ZERO, DVec2::ZERO);
        for place in edges.into_iter().chain(extremes) {
            (low, high) = (low.min(place), high.max(place));
        }
        self.bounds = enclosing(center + low, center + high);
        let count = (opening / SPAN).ceil().max(1.0);
        let span = opening / count;
        // Lines that touch the arc in their middles, and a little more for what is rounded.
        let beyond = self.reach / (span * 0.5).to_radians().cos() * (1.0 + 1.0e-9);
        let around = (0..=count as u32).map(|place| {
            let corner = unit(from + span * f64::from(place)) * beyond;
            center + corner
        });
        self.outline = std::iter::once(center).chain(around).collect();
    }

    /// Whether a place, seen from the centre, is within the opening.
    fn opens_towards(&self, place: DVec2) -> bool {
        let is_left_of_right = turn(self.right, place).is_ge();
        let is_right_of_left = turn(self.left, place).is_le();
        if self.angle >= 360.0 {
            true
        } else if self.angle > 180.0 {
            is_left_of_right || is_right_of_left
        } else {
            // Edges so close that they are one would let in what is behind.
            let is_ahead = self.angle > 90.0 || agreement(self.ahead, place).is_ge();
            is_left_of_right && is_right_of_left && is_ahead
        }
    }

    /// A box as it is seen from the centre.
    fn seen(&self, (low, high): (DVec2, DVec2)) -> (DVec2, DVec2) {
        let center = self.center.as_dvec2();
        (low - center, high - center)
    }
}

impl Figure for Sector {
    fn name(&self) -> &'static str {
        "sector"
    }

    fn holds(&self, body: Aabb) -> bool {
        let Some(part) = part_within(body, self.bounds) else {
            return false;
        };
        let (low, high) = self.seen(part);
        let nearest = DVec2::ZERO.max(low).min(high);
        if nearest.length_squared() <= self.reach * self.reach && self.opens_towards(nearest) {
            return true;
        }
        let meets_edge =
            |end: DVec2| meets((DVec2::ZERO, end), (low, high), |corner| turn(end, corner));
        self.angle < 360.0 && (meets_edge(self.right) || meets_edge(self.left))
    }

    /// The farthest corner is in reach, and all are within the opening, or on one side of what is not.
    fn swallows(&self, area: Aabb) -> bool {
        let Some(part) = part_within(area, self.bounds) else {
            return false;
        };
        let (low, high) = self.seen(part);
        let farthest = high.max(-low);
        if !self.bounds.contains_box(area) || farthest.length_squared() > self.reach * self.reach {
            return false;
        }
        let corners = [
            low,
            high,
            DVec2::new(low.x, high.y),
            DVec2::new(high.x, low.y),
        ];
        if self.angle >= 360.0 {
            true
        } else if self.angle > 180.0 {
            corners
                .iter()
                .all(|corner| turn(self.right, *corner).is_ge())
                || corners
                    .iter()
                    .all(|corner| turn(self.left, *corner).is_le())
        } else {
            corners.iter().all(|corner| self.opens_towards(*corner))
        }
    }

    fn bounds(&self) -> Aabb {
        self.bounds
    }

    fn outline(&self) -> Outline<'_> {
        Outline {
            corners: &self.outline,
            is_closed: true,
            reach: 0.0,
        }
    }

    /// Nearest on an edge, or on the arc where the box is nearest to the centre.
    fn gap(&self, area: Aabb) -> f64 {
        if self.holds(area) {
            return 0.0;
        }
        let center = self.center.as_dvec2();
        let edge = |end: DVec2| distance::beside_way(area, center, center + end);
        let (low, high) = self.seen((area.min.as_dvec2(), area.max.as_dvec2()));
        let nearest = DVec2::ZERO.max(low).min(high);
        let arc = match self.opens_towards(nearest) {
            true => (nearest.length() - self.reach).max(0.0),
            false => f64::INFINITY,
        };
        // The edges of a whole disc are none.
        match self.angle < 360.0 {
            true => edge(self.right).min(edge(self.left)).min(arc),
            false => arc,
        }
    }
}

impl Written for Sector {
    const FORM: Form = Form {
        key: "sector",
        text: "sector x,y,direction,angle,r",
        numbers: &[
            Number::coordinate("x"),
            Number::coordinate("y"),
            Number::from_to("direction", -360.0, 360.0),
            Number {
                is_above: true,
                ..Number::from_to("angle", 0.0, 360.0)
            },
            Number::length("r"),
        ],
        corners: None,
    };

    fn from_numbers(numbers: &[f32]) -> Self {
        let number = |place: usize| numbers.get(place).copied().unwrap_or(f32::NAN);
        let center = Vec2::new(number(0), number(1));
        Self::new(center, number(2), number(3), number(4))
    }

    fn numbers(&self) -> Vec<f32> {
        let Vec2 { x, y } = self.center;
        vec![x, y, self.direction, self.angle, self.radius]
    }
}
