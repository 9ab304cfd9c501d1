//! Values that every view of a battle has, whether or not a panel shows their controls: of the scene, and of the brush.

use super::state::App;
use super::widgets::{Slider, Track};

/// One of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CommonValue {
    /// How many units there are at the start.
    Units,
    /// By what every reach is multiplied.
    Reach,
    /// The radius of the brush.
    Radius,
    /// How many units the brush places.
    Count,
}

impl CommonValue {
    /// All of them, in the order of the panels.
    pub const ALL: [Self; 4] = [Self::Units, Self::Reach, Self::Radius, Self::Count];

    /// The control of it.
    pub const fn slider(self) -> Slider<'static> {
        match self {
            Self::Units => Slider {
                id: "units",
                name: "units",
                help: "How many units there are at the start; the battle starts again with them.",
                unit: "",
                track: track((2.0, 1.0e6), true, true),
            },
            Self::Reach => Slider {
                id: "reach",
                name: "reach",
                help: "How far units reach, as a multiple of what the scene says.",
                unit: "×",
                track: track((0.0, 8.0), false, false),
            },
            Self::Radius => Slider {
                id: "brush.radius",
                name: "radius",
                help: "The radius of the brush, and of the query under the cursor.",
                unit: "m",
                track: track((0.5, 500.0), true, false),
            },
            Self::Count => Slider {
                id: "brush.count",
                name: "units a click",
                help: "How many units a click places.",
                unit: "",
                track: track((1.0, 1000.0), true, true),
            },
        }
    }

    /// What it is at present.
    pub fn of(self, app: &App) -> f64 {
        match self {
            Self::Units => app.scene.unit_count() as f64,
            Self::Reach => f64::from(match &app.flight {
                Some(flight) => flight.reach_scale(),
                None => app.battle.reach_scale(),
            }),
            Self::Radius => f64::from(app.brush.radius),
            Self::Count => f64::from(app.brush.count),
        }
    }

    /// Sets it.
    pub fn set(self, app: &mut App, value: f64) {
        match self {
            Self::Units => app.set_unit_count(value as u32),
            Self::Reach => app.set_reach(value as f32),
            Self::Radius => app.brush.radius = value as f32,
            Self::Count => app.brush.count = value as u32,
        }
    }
}

const fn track((min, max): (f64, f64), logarithmic: bool, whole: bool) -> Track {
    Track {
        min,
        max,
        logarithmic,
        whole,
    }
}
