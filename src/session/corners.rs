//! The corners of a way that was taken down point by point.
//!
//! Source: C. M. Williams, "An efficient algorithm for the piecewise linear approximation of planar curves" (1978), the cone from a
//! corner in which all lines pass near enough.

use crate::geometry::Vec2;
use glam::DVec2;
use std::f64::consts::FRAC_1_SQRT_2;

/// As few of the points as a pass over them finds, in their order, the first and the last among them, so that no point of the way is
/// farther than `tolerance` (m) from the line between the two that it lies between. O(n).
pub fn corners(points: &[Vec2], tolerance: f32) -> Vec<Vec2> {
    // Beside the line and beyond its end may come together.
    let tolerance = f64::from(tolerance) * FRAC_1_SQRT_2;
    let Some(first) = points.first() else {
        return Vec::new();
    };
    let mut kept = vec![*first];
    let mut cone = Cone::default();
    let mut at = 0;
    let mut before: Option<Vec2> = None;
    while let Some(point) = points.get(at) {
        let from = kept.last().unwrap_or(first).as_dvec2();
        let way = point.as_dvec2() - from;
        if cone.holds(way, tolerance) {
            cone.narrow(way, tolerance);
            before = Some(*point);
            at += 1;
        } else {
            // The one before it is a corner; there is one, for the first behind a corner lies in every cone.
            kept.extend(before.take());
            cone = Cone::default();
        }
    }
    // Who stands at the end, or at the beginning, has no other corner there.
    kept.extend(before.filter(|last| kept.last() != Some(last)));
    kept
}

/// The directions from a corner in which a line passes near everybody so far: between the two, where somebody was too far to be near
/// every line.
#[derive(Default)]
struct Cone {
    /// The bounds, clockwise and anticlockwise.
    sides: Option<(DVec2, DVec2)>,
    /// How far away the farthest was, in metres.
    farthest: f64,
}

impl Cone {
    /// Whether the line that ends here passes near all of them.
    fn holds(&self, way: DVec2, tolerance: f64) -> bool {
        let is_between = self.sides.is_none_or(|(right, left)| {
            right.perp_dot(way) >= 0.0 && way.perp_dot(left) >= 0.0 && (right + left).dot(way) > 0.0
        });
        // Whoever has turned back has been farther out than the line goes.
        is_between && way.length() >= self.farthest - tolerance
    }

    /// Leaves those directions in which this one is passed near as well.
    fn narrow(&mut self, way: DVec2, tolerance: f64) {
        let length = way.length();
        self.farthest = self.farthest.max(length);
        if length <= tolerance {
            return;
        }
        // Without an angle: roots are the same on every machine, and so is the path that is kept.
        let sine = tolerance / length;
        let cosine = (1.0 - sine * sine).max(0.0).sqrt();
        let (right, left) = (
            DVec2::new(cosine, -sine).rotate(way) / length,
            DVec2::new(cosine, sine).rotate(way) / length,
        );
        self.sides = Some(match self.sides {
            None => (right, left),
            Some((old_right, old_left)) => (
                if old_right.perp_dot(right) > 0.0 {
                    right
                } else {
                    old_right
                },
                if left.perp_dot(old_left) > 0.0 {
                    left
                } else {
                    old_left
                },
            ),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::vec2;
    use proptest::prelude::*;

    /// How far a point is from a line.
    fn distance(point: Vec2, from: Vec2, to: Vec2) -> f32 {
        let (way, off) = (to - from, point - from);
        let along = match way.length_squared() {
            0.0 => 0.0,
            length => (off.dot(way) / length).clamp(0.0, 1.0),
        };
        off.distance(way * along)
    }

    /// Whether every point lies near a line from corner to corner, those in their order.
    fn is_near(points: &[Vec2], kept: &[Vec2], tolerance: f32) -> bool {
        let mut line = 0;
        points.iter().all(|point| {
            let rest = kept.windows(2).enumerate().skip(line);
            let mut near = rest.filter(|(_, two)| distance(*point, two[0], two[1]) <= tolerance);
            let found = near.next().map(|(place, _)| place);
            line = found.unwrap_or(line);
            found.is_some() || kept.len() == 1 && point.distance(kept[0]) <= tolerance
        })
    }

    #[test]
    fn a_way_along_streets_has_a_corner_at_each_turn() {
        let mut points = Vec::new();
        points.extend((0..=50).map(|step| vec2(step as f32, 0.0)));
        points.extend((1..=50).map(|step| vec2(50.0, step as f32)));
        points.extend((1..=50).map(|step| vec2(50.0 - step as f32, 50.0)));
        let kept = corners(&points, 0.5);
        assert_eq!(kept.len(), 4, "{kept:?}");
        assert_eq!((kept[0], kept[3]), (vec2(0.0, 0.0), vec2(0.0, 50.0)));
        assert!(is_near(&points, &kept, 0.501));
    }

    #[test]
    fn who_turns_back_stands_still_or_does_both_is_followed() {
        let there = (0..=20).map(|step| vec2(step as f32, 0.0));
        let back: Vec<Vec2> = there.clone().chain(there.rev()).collect();
        assert_eq!(
            corners(&back, 0.1),
            [vec2(0.0, 0.0), vec2(20.0, 0.0), vec2(0.0, 0.0)]
        );
        let stands = vec![vec2(3.0, 4.0); 1_000];
        assert_eq!(corners(&stands, 0.5), [vec2(3.0, 4.0)]);
        assert_eq!(corners(&[], 0.5), []);
        assert_eq!(corners(&stands[..1], 0.5), [vec2(3.0, 4.0)]);
    }

    proptest! {
        #[test]
        fn no_point_is_farther_away_than_may_be(
            steps in prop::collection::vec((-3.0f32..3.0, -3.0f32..3.0), 1..200),
            tolerance in 0.05f32..4.0,
        ) {
            let mut at = Vec2::ZERO;
            let points: Vec<Vec2> = steps
                .iter()
                .map(|(x, y)| {
                    at += vec2(*x, *y);
                    at
                })
                .collect();
            let kept = corners(&points, tolerance);
            prop_assert_eq!(kept.first(), points.first());
            prop_assert!(kept.len() <= points.len());
            prop_assert!(is_near(&points, &kept, tolerance * 1.001 + 1e-3), "{:?}", kept);
        }
    }
}
