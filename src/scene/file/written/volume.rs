//! The part of a scene that is of the third dimension, as it is written.

use super::{List, Side, Whole};
use crate::scene::limits;
use serde::{Deserialize, Serialize};

/// A point or a size: `(x, y, z)` in metres.
pub(in crate::scene::file) type Point = (f32, f32, f32);

/// A box: its lower and its upper corner.
pub(in crate::scene::file) type Corners = (Point, Point);

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::scene::file) struct Volume {
    pub heights: (f32, f32),
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hills: Option<Hills>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reach: Option<f32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub camera: Option<Camera>,
    #[serde(default, skip_serializing_if = "List::is_empty")]
    pub flocks: List<Flock, { limits::MAX_ARMIES }>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::scene::file) struct Hills {
    pub height: f32,
    pub spacing: f32,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::scene::file) struct Camera {
    pub pivot: Point,
    pub distance: f32,
    pub azimuth: f32,
    pub elevation: f32,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::scene::file) struct Flock {
    pub side: Side,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<Whole>,
    pub formation: Formation,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub motion: Option<Motion>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speed: Option<f32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sight: Option<f32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hit_points: Option<Whole>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<Size>,
    #[serde(default, skip_serializing_if = "List::is_empty")]
    pub without: List<Whole, { limits::MAX_UNITS as usize }>,
    #[serde(default, skip_serializing_if = "List::is_empty")]
    pub moved: List<(Whole, Point), { limits::MAX_UNITS as usize }>,
    #[serde(default, skip_serializing_if = "List::is_empty")]
    pub sized: List<(Whole, Point), { limits::MAX_UNITS as usize }>,
}

/// Units of space without a scene, as a clipboard has them.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::scene::file) struct Units {
    pub version: Whole,
    pub flocks: List<Flock, { limits::MAX_ARMIES }>,
}

#[derive(Serialize, Deserialize)]
pub(in crate::scene::file) enum Motion {
    Hold,
    Drift,
    Flock,
    Chase,
    Flee,
    Orbit,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::scene::file) enum Formation {
    Uniform(Point, Point),
    Ball {
        center: Point,
        radius: f32,
    },
    Disc {
        center: Point,
        radius: f32,
        thickness: f32,
    },
    Clusters {
        area: Corners,
        count: Whole,
        spread: f32,
    },
    Spot(f32, f32, f32),
    Explicit(List<Point, { limits::MAX_UNITS as usize }>),
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::scene::file) enum Size {
    Point,
    Fixed(f32, f32, f32),
    Between(f32, f32),
    Pareto { min: f32, max: f32, exponent: f32 },
}
