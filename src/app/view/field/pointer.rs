//! What the pointer does on a picture of the battle: strokes of the brush, the selection, and units that are moved.

use crate::app::input::Modifiers;
use crate::app::state::{App, Tool};
use crate::app::view::contract::{Grip, Press};
use egui_macroquad::egui::Pos2;
use skirmish::geometry::Vec2;
use skirmish::partition::UnitId;

/// A press that goes so far, in points, is a drag.
const DRAG: f32 = 3.0;

/// What the left button holds.
#[derive(Debug, Default)]
enum Hold {
    /// Nothing.
    #[default]
    Nothing,
    /// The brush.
    Brush {
        /// The last place where it placed or took units.
        last: Vec2,
    },
    /// A unit.
    Unit(Moving),
}

/// A unit in the hand.
#[derive(Clone, Copy, Debug)]
struct Moving {
    unit: UnitId,
    /// From the pointer to the unit, in metres.
    off: Vec2,
    /// Where the button went down.
    pressed: Pos2,
    /// Where the unit is to be; `None` until the press has become a drag.
    to: Option<Vec2>,
    /// Where it was put last.
    put: Option<Vec2>,
}

/// A stroke of the brush, or of the hand.
#[derive(Debug, Default)]
pub struct BrushStroke {
    hold: Hold,
}

impl BrushStroke {
    /// Begins a stroke, or takes a unit.
    pub fn pressed(&mut self, app: &mut App, press: Press) -> Grip {
        let point = app.camera.to_world(press.at);
        let takes = press.modifiers.shift || app.brush.tool == Tool::Look;
        if !takes {
            app.brush_at(point, true);
            self.hold = Hold::Brush { last: point };
            return Grip::Held;
        }
        app.selection = unit_at(app, point);
        let Some(unit) = app.selection else {
            return Grip::Nothing;
        };
        self.hold = Hold::Unit(Moving {
            unit,
            off: app.battle.positions()[unit as usize] - point,
            pressed: press.at,
            to: None,
            put: None,
        });
        Grip::Held
    }

    /// Goes on with the stroke.
    pub fn dragged(&mut self, app: &mut App, at: Pos2) -> Grip {
        let point = app.camera.to_world(at);
        match &mut self.hold {
            Hold::Nothing => return Grip::Nothing,
            Hold::Brush { last } => {
                // A stroke places anew after a diameter, so that it lays circles side by side.
                let step = if app.brush.tool == Tool::Erase {
                    0.5
                } else {
                    2.0
                };
                if point.distance(*last) >= app.brush.radius * step {
                    app.brush_at(point, false);
                    *last = point;
                }
            }
            Hold::Unit(moving) => {
                if moving.to.is_some() || moving.pressed.distance(at) >= DRAG {
                    moving.to = Some(point + moving.off);
                }
            }
        }
        Grip::Held
    }

    /// Keeps the unit that is held under the hand, once a frame: the battle would have it go on.
    pub fn serve(&mut self, app: &mut App) {
        let Hold::Unit(moving) = &mut self.hold else {
            return;
        };
        if !app.battle.bodies().is_alive(moving.unit) {
            self.hold = Hold::Nothing;
            return;
        }
        let Some(to) = moving.to else { return };
        // While time stands still it stays where it was put.
        let goes = moving
            .put
            .is_none_or(|put| put != to || app.battle.positions()[moving.unit as usize] != put);
        if goes {
            app.move_unit(moving.unit, to);
            moving.put = Some(to);
        }
    }

    /// Ends the stroke; a unit that is held is put down where the pointer is.
    pub fn end(&mut self, app: &mut App) {
        self.serve(app);
        self.hold = Hold::Nothing;
    }

    /// Ends the stroke where it was last.
    pub fn cancel(&mut self) {
        self.hold = Hold::Nothing;
    }
}

/// The unit nearest to the point, if there is one within a few pixels.
pub fn unit_at(app: &App, point: Vec2) -> Option<UnitId> {
    let within = 14.0 / app.camera.zoom;
    let bodies = app.battle.bodies();
    let distances = bodies
        .ids()
        .map(|unit| (bodies.aabb(unit).distance_sq(point), unit));
    distances
        .filter(|(distance_sq, _)| *distance_sq <= within * within)
        .min_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, unit)| unit)
}

/// Takes a turn of the wheel: with Ctrl it is the radius of the brush. Whether it was that.
pub fn wheel(app: &mut App, factor: f32, modifiers: Modifiers) -> bool {
    if modifiers.ctrl {
        app.brush.radius = (app.brush.radius * factor).clamp(0.5, 500.0);
    }
    modifiers.ctrl
}
