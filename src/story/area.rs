//! What a search looks for its results in, and how far from it something lies.
//!
//! Who is found is decided by the predicates of [`crate::geometry`], in `f32`; here are the distances to go with them, in `f64`.

use crate::geometry::{Aabb, Segment, Vec2};
use glam::DVec2;

/// The area of a search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Area {
    /// All within a distance of a point.
    Disc {
        /// The point.
        center: Vec2,
        /// The distance, in metres.
        radius: f32,
    },
    /// A rectangle.
    Rectangle(Aabb),
    /// A straight way.
    Way(Segment),
}

/// How far two boxes are apart; 0 where they touch.
pub fn gap(a: Aabb, b: Aabb) -> f64 {
    let axis = |a_min: f32, a_max: f32, b_min: f32, b_max: f32| {
        (f64::from(a_min) - f64::from(b_max))
            .max(f64::from(b_min) - f64::from(a_max))
            .max(0.0)
    };
    let x = axis(a.min.x, a.max.x, b.min.x, b.max.x);
    let y = axis(a.min.y, a.max.y, b.min.y, b.max.y);
    x.hypot(y)
}

/// How far a box is from a point; 0 where it holds it.
pub fn distance(bounds: Aabb, point: Vec2) -> f64 {
    gap(bounds, Aabb::new(point, point))
}

/// How far a point is from the way between two others.
fn from_way(point: DVec2, from: DVec2, to: DVec2) -> f64 {
    let way = to - from;
    let length_sq = way.length_squared();
    let along = if length_sq > 0.0 {
        ((point - from).dot(way) / length_sq).clamp(0.0, 1.0)
    } else {
        0.0
    };
    point.distance(from + way * along)
}

/// How far a box is from a way without thickness; 0 where the two meet.
fn way_gap(bounds: Aabb, from: Vec2, to: Vec2) -> f64 {
    let segment = Segment {
        from,
        to,
        half_width: 0.0,
    };
    if segment.meets(bounds) {
        return 0.0;
    }
    // What does not meet is nearest at an end of the way or at a corner of the box.
    let (a, b) = (from.as_dvec2(), to.as_dvec2());
    let corners = [
        bounds.min,
        bounds.max,
        Vec2::new(bounds.min.x, bounds.max.y),
        Vec2::new(bounds.max.x, bounds.min.y),
    ];
    let corners = corners.map(|corner| from_way(corner.as_dvec2(), a, b));
    let ends = [distance(bounds, from), distance(bounds, to)];
    corners
        .into_iter()
        .chain(ends)
        .fold(f64::INFINITY, f64::min)
}

impl Area {
    /// The word for it.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Disc { .. } => "disc",
            Self::Rectangle(_) => "rectangle",
            Self::Way(_) => "segment",
        }
    }

    /// Whether a body with this box is a result: by the very numbers by which a structure decides.
    pub fn holds(&self, body: Aabb) -> bool {
        match *self {
            Self::Disc { center, radius } => body.distance_sq(center) <= radius * radius,
            Self::Rectangle(area) => body.overlaps(area),
            Self::Way(segment) => segment.meets(body),
        }
    }

    /// How far beside the area a box ends; 0 where they meet.
    pub fn gap(&self, bounds: Aabb) -> f64 {
        match *self {
            Self::Disc { center, radius } => {
                (distance(bounds, center) - f64::from(radius)).max(0.0)
            }
            Self::Rectangle(area) => gap(bounds, area),
            Self::Way(segment) => {
                let thick = bounds.grown(Vec2::splat(segment.half_width));
                way_gap(thick, segment.from, segment.to)
            }
        }
    }

    /// Whether a box lies inside.
    pub fn is_around(&self, bounds: Aabb) -> bool {
        match *self {
            Self::Disc { center, radius } => {
                let farthest = (bounds.max - center).max(center - bounds.min);
                farthest.as_dvec2().length() <= f64::from(radius)
            }
            Self::Rectangle(area) => area.contains_box(bounds),
            Self::Way(_) => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gap_is_that_between_the_nearest_points() {
        let bounds = Aabb::new(Vec2::new(10.0, 10.0), Vec2::new(20.0, 20.0));
        let disc = Area::Disc {
            center: Vec2::new(7.0, 6.0),
            radius: 2.0,
        };
        assert_eq!(disc.gap(bounds), 3.0);
        let area = Aabb::new(Vec2::ZERO, Vec2::new(7.0, 6.0));
        assert_eq!(Area::Rectangle(area).gap(bounds), 5.0);
        let way = |from, to| {
            Area::Way(Segment {
                from,
                to,
                half_width: 0.0,
            })
        };
        // Past a corner, short of a side, and across.
        let past = way(Vec2::new(0.0, 10.0), Vec2::new(10.0, 0.0));
        assert!((past.gap(bounds) - 50.0_f64.sqrt()).abs() < 1.0e-9);
        let short = way(Vec2::new(0.0, 15.0), Vec2::new(6.0, 15.0));
        assert_eq!(short.gap(bounds), 4.0);
        assert_eq!(way(Vec2::ZERO, Vec2::splat(30.0)).gap(bounds), 0.0);
    }
}
