//! What a search looks for its results in, and how far from it something lies.
//!
//! Who is found is decided by the predicates of [`crate::geometry`] and of figures; here are the distances to go with them, in
//! `f64`.

use crate::geometry::{Aabb, Segment, Vec2};
use crate::partition::shapes::distance::beside_way;
use crate::partition::{Around, Figure, UnitId};

pub use crate::partition::shapes::distance::gap;

/// The area of a search.
#[derive(Clone, Copy, Debug)]
pub enum Area<'a> {
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
    /// A figure of any shape.
    Figure(&'a dyn Figure),
    /// All within a reach of a unit.
    Near {
        /// Who, and is left out.
        unit: UnitId,
        /// Its box.
        body: Aabb,
        /// How far, in metres.
        reach: f32,
        /// The same as a figure.
        around: Around,
    },
}

/// How far a box is from a point; 0 where it holds it.
pub fn distance(bounds: Aabb, point: Vec2) -> f64 {
    gap(bounds, Aabb::new(point, point))
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
    beside_way(bounds, from.as_dvec2(), to.as_dvec2())
}

impl Area<'_> {
    /// All within a reach of a unit with this box.
    pub fn near(unit: UnitId, body: Aabb, reach: f32) -> Self {
        Self::Near {
            unit,
            body,
            reach,
            around: Around::new(body, reach),
        }
    }

    /// The word for it.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Disc { .. } => "disc",
            Self::Rectangle(_) => "rectangle",
            Self::Way(_) => "segment",
            Self::Figure(figure) => figure.name(),
            Self::Near { around, .. } => around.name(),
        }
    }

    /// Whether a body with this box is a result: by the very numbers by which a structure decides.
    pub fn holds(&self, body: Aabb) -> bool {
        match *self {
            Self::Disc { center, radius } => body.distance_sq(center) <= radius * radius,
            Self::Rectangle(area) => body.overlaps(area),
            Self::Way(segment) => segment.meets(body),
            Self::Figure(figure) => figure.holds(body),
            Self::Near { around, .. } => around.holds(body),
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
            Self::Figure(figure) => figure.gap(bounds),
            Self::Near { around, .. } => around.gap(bounds),
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
            Self::Figure(figure) => figure.swallows(bounds),
            Self::Near { around, .. } => around.swallows(bounds),
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
