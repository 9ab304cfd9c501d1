//! The objects that are selected: outlined, where they stand and where they are carried.

use super::objects::on_screen;
use crate::app::palette::{Palette, faded};
use crate::app::render::Mesh;
use crate::app::state::App;
use egui_macroquad::egui::{Rect, vec2};
use skirmish::geometry::Aabb;

/// So many are outlined one by one; of more there is one box around all of them.
const MOST_OUTLINED: usize = 20_000;
/// How wide the outline is, in points.
const LINE: f32 = 1.6;
/// How far it stands from the object, in points.
const APART: f32 = 2.0;
/// What is smaller than this many points has an outline of this size.
const LEAST: f32 = 7.0;

/// Draws the outlines, and where a carried object would be put down.
pub fn draw(mesh: &mut Mesh, app: &App, palette: &Palette) {
    let Some(stream) = &app.stream else { return };
    // What steps find has such a frame.
    if app.has_steps() && app.carried.is_none() {
        return;
    }
    let selected = stream.selection.units().iter();
    let objects = stream.objects();
    let known = selected.filter_map(|object| objects.get(*object as usize));
    let bodies = known.map(|object| object.aabb());
    let way = app.carried.unwrap_or_default();
    let mut draw = |body: Aabb| {
        if let Some(rect) = on_screen(app, body) {
            mesh.outline(around(rect), LINE, palette.mark);
        }
        if app.carried.is_none() {
            return;
        }
        if let Some(rect) = on_screen(app, Aabb::new(body.min + way, body.max + way)) {
            mesh.fill(rect, faded(palette.mark, 0.22));
            mesh.outline(around(rect), LINE, faded(palette.mark, 0.7));
        }
    };
    if stream.selection.len() > MOST_OUTLINED {
        bodies.reduce(Aabb::join).into_iter().for_each(draw);
    } else {
        bodies.for_each(&mut draw);
    }
}

/// The outline of what is drawn at a place of the window.
fn around(rect: Rect) -> Rect {
    let size = (rect.size() + vec2(APART, APART) * 2.0).max(vec2(LEAST, LEAST));
    Rect::from_center_size(rect.center(), size)
}
