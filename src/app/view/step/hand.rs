//! What the pointer does on the field while an operation is looked into: it draws the operation, or drags it by its handles.

use super::shape::{Sizes, clicked, dragged, drawn, handles};
use crate::app::state::{App, Pointed, Probed, Stepping};
use crate::app::view::contract::{Grip, Press};
use crate::app::view::field::unit_at;
use egui_macroquad::egui::Pos2;
use skirmish::geometry::Vec2;
use skirmish::partition::shapes::MOST_CORNERS;
use skirmish::partition::{RegionId, UnitId};
use skirmish::story::Operation;

/// A press that goes so far, in points, is a drag.
const DRAG: f32 = 3.0;

/// So near to a handle, in points, the handle is meant.
const NEAR: f32 = 9.0;

/// What the left button holds.
#[derive(Debug, Default)]
pub struct Hand {
    hold: Hold,
}

#[derive(Debug, Default)]
enum Hold {
    /// Nothing.
    #[default]
    Nothing,
    /// A handle of the operation.
    Handle(usize),
    /// A new operation, from here on; it is none until the press has become a drag.
    New {
        /// The way of the pointer, in metres.
        trail: Vec<Vec2>,
        /// Where the last point of it lies in the window.
        last: Pos2,
        is_drawn: bool,
    },
}

/// How far apart the corners of a line are that is drawn by hand, in points.
const APART: f32 = 16.0;

/// How large things are that are made by a click.
fn sizes(stepping: &Stepping) -> Sizes {
    Sizes {
        radius: stepping.radius,
        half: stepping.half,
        reach: stepping.reach,
        count: stepping.count,
    }
}

/// The place at a point of the window, with no more digits than can be told apart there.
fn place_at(app: &App, at: Pos2) -> Vec2 {
    let at = app.camera.to_world(at);
    let digits = -(0.5 / app.camera.zoom).log10().floor();
    let scale = 10_f32.powf(digits.abs());
    // A power of ten above 1 is exact, one below is not.
    let rounded = if digits > 0.0 {
        (at * scale).round() / scale
    } else {
        (at / scale).round() * scale
    };
    if rounded.is_finite() { rounded } else { at }
}

/// The handle at a point of the window.
fn handle_at(app: &App, stepping: &Stepping, at: Pos2) -> Option<usize> {
    let on_screen = |place: Vec2| app.camera.to_screen(place).distance(at);
    // The edge of a disc is a handle all around.
    let operation = stepping.operation()?;
    if let Operation::Radius { center, radius } = *operation {
        let off = on_screen(center) - radius * app.camera.zoom;
        if off.abs() <= NEAR && on_screen(center) > NEAR {
            return Some(1);
        }
    }
    let places = handles(operation);
    let near = places.iter().enumerate().rev();
    near.filter(|(_, place)| on_screen(**place) <= NEAR)
        .map(|(handle, _)| handle)
        .next()
}

impl Hand {
    /// Takes a press.
    pub fn pressed(&mut self, app: &mut App, press: Press) -> Grip {
        let from = place_at(app, press.at);
        let unit = app.lane().frame.unit.or_else(|| unit_at(app, from));
        self.hold = Hold::Nothing;
        let Some(stepping) = &app.stepping else {
            return Grip::Nothing;
        };
        // With Shift one asks of who stands here when it was their turn.
        if press.modifiers.shift {
            // Where nobody stands, of the region of which it is told beside the pointer.
            let region = app.lane().frame.path.last().map(|region| region.id);
            app.focus_steps(first_of(true, unit, region));
            return Grip::Nothing;
        }
        if let Some(handle) = handle_at(app, stepping, press.at) {
            self.hold = Hold::Handle(handle);
            return Grip::Held;
        }
        match (stepping.tool, unit) {
            (Probed::Remove, Some(unit)) => app.set_operation(Operation::Remove { unit }),
            (Probed::Move, Some(unit)) => {
                app.set_operation(Operation::Move { unit, to: from });
                self.hold = Hold::Handle(0);
                return Grip::Held;
            }
            (Probed::Near, Some(unit)) => {
                let reach = stepping.near.unwrap_or(app.battle.pair_reach());
                app.set_operation(Operation::Near { unit, reach });
            }
            (Probed::Near | Probed::Remove | Probed::Move, None) => {
                app.say("There is no unit: point at one.")
            }
            (Probed::Pairs | Probed::Rebuild, _) => {}
            _ => {
                self.hold = Hold::New {
                    trail: vec![from],
                    last: press.at,
                    is_drawn: false,
                };
                if let Some(operation) = clicked(stepping.tool, from, sizes(stepping)) {
                    app.set_operation(operation);
                }
                return Grip::Held;
            }
        }
        Grip::Nothing
    }

    /// Takes a move of what is held.
    pub fn dragged(&mut self, app: &mut App, at: Pos2) -> Grip {
        let to = place_at(app, at);
        let Some(stepping) = &app.stepping else {
            return Grip::Nothing;
        };
        let operation = match &mut self.hold {
            Hold::Nothing => return Grip::Nothing,
            Hold::Handle(handle) => {
                let operation = stepping.operation();
                operation.map(|operation| dragged(operation, *handle, to))
            }
            Hold::New {
                trail,
                last,
                is_drawn,
            } => {
                *is_drawn |= last.distance(at) >= DRAG;
                // The last point is where the pointer is; those before it are a little apart, and no more than a line may have.
                if *is_drawn {
                    let is_first = trail.len() == 1;
                    if is_first || (last.distance(at) >= APART && trail.len() < MOST_CORNERS) {
                        trail.push(to);
                        *last = at;
                    } else if let Some(end) = trail.last_mut() {
                        *end = to;
                    }
                }
                is_drawn
                    .then(|| drawn(stepping.tool, trail, sizes(stepping)))
                    .flatten()
            }
        };
        if let Some(operation) = operation {
            match (&operation, &mut app.stepping) {
                (Operation::Radius { radius, .. }, Some(stepping)) => stepping.radius = *radius,
                // One without width or height is no size for the next.
                (Operation::Range(area), Some(stepping)) if area.size().min_element() > 0.0 => {
                    stepping.half = area.size() / 2.0;
                }
                _ => {}
            }
            app.set_operation(operation);
        }
        Grip::Held
    }
}

/// Takes down what the cursor points at on the field. Where steps are gone through, one asks what became of who stands there; the tree alone
/// marks what the inspector is about, and a unit near the cursor may be at home in the region beside it.
pub fn point(app: &mut App, unit: Option<UnitId>) {
    let region = app.lane().frame.path.last().map(|region| region.id);
    let pointed = first_of(app.is_stepping(), unit, region);
    let pointed = app.cursor.and(pointed);
    if let Some(treed) = app.treed() {
        treed.point(pointed);
    }
}

/// The unit before the region, or the other way round.
pub fn first_of(
    unit_first: bool,
    unit: Option<UnitId>,
    region: Option<RegionId>,
) -> Option<Pointed> {
    let (unit, region) = (unit.map(Pointed::Unit), region.map(Pointed::Region));
    match unit_first {
        true => unit.or(region),
        false => region.or(unit),
    }
}
