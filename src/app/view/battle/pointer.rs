//! What the pointer does on the battle's field: strokes of the brush, and the selection.

use crate::app::state::{App, Tool};
use crate::app::view::contract::{Grip, Press};
use egui_macroquad::egui::Pos2;
use skirmish::geometry::Vec2;

/// A stroke of the brush.
#[derive(Debug, Default)]
pub struct BrushStroke {
    /// The last place where it placed or took units, while there is a stroke.
    last: Option<Vec2>,
}

impl BrushStroke {
    /// Begins a stroke, or selects a unit.
    pub fn pressed(&mut self, app: &mut App, press: Press) -> Grip {
        let point = app.camera.to_world(press.at);
        if press.modifiers.shift {
            select(app, point);
            return Grip::Nothing;
        }
        app.brush_at(point, true);
        self.last = Some(point);
        Grip::Held
    }

    /// Goes on with the stroke.
    pub fn dragged(&mut self, app: &mut App, at: Pos2) -> Grip {
        let Some(last) = self.last else {
            return Grip::Nothing;
        };
        let point = app.camera.to_world(at);
        // A stroke places anew after a diameter, so that it lays circles side by side.
        let step = if app.brush.tool == Tool::Erase {
            0.5
        } else {
            2.0
        };
        if point.distance(last) >= app.brush.radius * step {
            app.brush_at(point, false);
            self.last = Some(point);
        }
        Grip::Held
    }

    /// Ends the stroke.
    pub fn end(&mut self) {
        self.last = None;
    }
}

/// Selects the unit nearest to the point, if there is one within a few pixels.
fn select(app: &mut App, point: Vec2) {
    let within = 14.0 / app.camera.zoom;
    let bodies = app.battle.bodies();
    let distances = bodies
        .ids()
        .map(|unit| (bodies.aabb(unit).distance_sq(point), unit));
    app.selection = distances
        .filter(|(distance_sq, _)| *distance_sq <= within * within)
        .min_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, unit)| unit);
}
