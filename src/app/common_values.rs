//! Values that a view of a battle has, whether or not a panel shows their controls: of the scene, of the brush, and of the table of Compare.

use super::commands::View;
use super::state::App;
use super::widgets::{Slider, Track};
use skirmish::scene::limits;

/// One of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CommonValue {
    /// How many units there are at the start.
    Units,
    /// By what every reach is multiplied.
    Reach,
    /// How far apart units try to keep; in space none do whatever their reach.
    KeepApart,
    /// The radius of the brush.
    Radius,
    /// How many units the brush places.
    Count,
    /// How wide they are, the least of them where they differ.
    Width,
    /// How wide the greatest of them are.
    Widest,
    /// With how many single rectangles the table reckons a tick.
    Rectangles,
}

/// How the widths of bodies lie on a track, in metres; at its left end they are points.
pub const WIDTHS: Track = track((0.0, limits::MAX_BRUSH_WIDTH as f64), true, false);

/// How the radius of the brush lies on one.
const RADII: Track = {
    let (least, greatest) = limits::BRUSH_RADIUS;
    track((least as f64, greatest as f64), true, false)
};

impl CommonValue {
    /// All of them, in the order of the panels.
    pub const ALL: [Self; 8] = [
        Self::Units,
        Self::Reach,
        Self::KeepApart,
        Self::Radius,
        Self::Count,
        Self::Width,
        Self::Widest,
        Self::Rectangles,
    ];

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
            Self::KeepApart => Slider {
                id: "keep_apart",
                name: "keep apart",
                help: "How far apart units try to keep, from edge to edge. At 0 only who touches, overlaps or is within reach is a pair, and points, which push nobody then, may stand on one spot.",
                unit: "m",
                track: track((0.0, limits::MAX_KEEP_APART as f64), true, false),
            },
            Self::Radius => Slider {
                id: "brush.radius",
                name: "radius",
                help: "The radius of the brush, and of the query under the cursor.",
                unit: "m",
                track: RADII,
            },
            Self::Count => Slider {
                id: "brush.count",
                name: "units a click",
                help: "How many units a click places.",
                unit: "",
                track: track((1.0, 1000.0), true, true),
            },
            Self::Width => Slider {
                id: "brush.width",
                name: "width",
                help: "How wide the bodies are that a click places: as the scene says until it is set.",
                unit: "m",
                track: WIDTHS,
            },
            Self::Widest => Slider {
                id: "brush.widest",
                name: "widest",
                help: "Above the width each body is drawn between the two; at it all are alike.",
                unit: "m",
                track: WIDTHS,
            },
            Self::Rectangles => Slider {
                id: "table.rate",
                name: "rectangles a tick",
                help: "How many such rectangles a tick of a game asks for: as many times what one costs is added to update + query, which is then a whole tick, and by which the quickest is named. At 0 none are. What is measured stays the same.",
                unit: "",
                track: track((0.0, limits::MAX_RECTANGLES as f64), false, true),
            },
        }
    }

    /// Whether what is shown has it.
    pub fn is_there(self, app: &App) -> bool {
        match self {
            Self::KeepApart => app.flight.is_none(),
            // Where two runs must look alike the table has no times.
            Self::Rectangles => app.view == View::Compare && app.all_structures && !app.fixed,
            _ => true,
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
            Self::KeepApart => f64::from(app.battle.keep_apart()),
            Self::Radius => f64::from(app.brush.radius),
            Self::Count => f64::from(app.brush.count),
            Self::Width => f64::from(app.placed_widths().0),
            Self::Widest => f64::from(app.placed_widths().1),
            Self::Rectangles => f64::from(app.rectangles()),
        }
    }

    /// Sets it.
    pub fn set(self, app: &mut App, value: f64) {
        match self {
            Self::Units => app.set_unit_count(value as u32),
            Self::Reach => app.set_reach(value as f32),
            Self::KeepApart => app.set_keep_apart(value as f32),
            Self::Radius => app.brush.radius = value as f32,
            Self::Count => app.brush.count = value as u32,
            Self::Width => {
                let (least, greatest) = app.placed_widths();
                let width = value as f32;
                // Those that are alike stay so.
                let greatest = match least < greatest {
                    true => greatest.max(width),
                    false => width,
                };
                app.brush.width = Some((width, greatest));
            }
            Self::Widest => {
                let widest = value as f32;
                // Where the scene has points, the least are bodies all the same, as long as nobody says otherwise.
                let least = match app.brush.width {
                    Some((least, _)) => least,
                    None => app.placed_widths().0.max(Track::LEAST as f32),
                };
                app.brush.width = Some((least.min(widest), widest));
            }
            Self::Rectangles => app.reckon_with(value as u32),
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
