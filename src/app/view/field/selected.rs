//! Who is selected: outlined in white, where they stand and where they are carried.

use super::look::Look;
use super::units::{
    DENSITY_BELOW, SQUARE_BELOW, arrow, arrow_carried, corners, fitted, length, length_alone,
    square,
};
use crate::app::camera::Camera;
use crate::app::palette::{Palette, faded};
use crate::app::render::Mesh;
use crate::app::view::marks::box_around;
use egui_macroquad::egui::{Painter, vec2};
use skirmish::geometry::{Aabb, Vec2};
use skirmish::partition::UnitId;

/// So many have a line around each.
const MOST_LINED: usize = 4_000;
/// So many are drawn one by one; of more there is one box around all of them.
const MOST_DRAWN: usize = 30_000;
/// How wide the outline is, in points.
const LINE: f32 = 1.6;
/// How much longer than its arrow the rim of a unit in a crowd is, in points.
const RIM: f32 = 4.0;
/// How much wider than its square that of a unit in a crowd is, in points.
const RIM_OF_SQUARE: f32 = 2.5;
/// How much longer than its arrow an outline is, in points, which leaves three between the two.
const LONGER: f32 = 10.0;

/// Draws the outlines of those who are selected together, over the others. One alone has a ring, as who is under the cursor has.
pub fn draw_selected(mesh: &mut Mesh, look: &Look<'_>, palette: &Palette) {
    let units = look.selection.units();
    if units.is_empty() || (units.len() == 1 && look.carried.is_none()) {
        return;
    }
    let by = look.carried.map(|way| way * look.camera.zoom);
    let by = by.map(|way| vec2(way.x, way.y));
    let whole = length(look);
    if length_alone(look.camera.zoom) < DENSITY_BELOW || units.len() > MOST_DRAWN {
        if let Some(area) = around(look, units) {
            let rect = look.camera.rect_to_screen(area).expand(3.0);
            mesh.outline(rect, LINE, palette.mark);
            if let Some(by) = by {
                mesh.outline(rect.translate(by), LINE, faded(palette.mark, 0.6));
            }
        }
        return;
    }
    let has_room = around(look, units).is_some_and(|area| {
        let size = (area.size() * look.camera.zoom).max(Vec2::splat(whole + LONGER));
        let apart = (size.x * size.y / units.len() as f32).sqrt();
        apart >= whole + 2.0 * LONGER && units.len() <= MOST_LINED
    });
    let view = look.camera.view();
    let margin = Vec2::splat((whole + LONGER) / look.camera.zoom);
    let (near, positions) = (view.grown(margin), look.battle.positions());
    let are_squares = whole < SQUARE_BELOW;
    let standing = units.iter().filter(|unit| look.stands(**unit));
    if are_squares && !has_room {
        // All of them before the first square: a rim would lie over the one beside it.
        for &unit in standing.clone() {
            if near.contains(positions[unit as usize]) {
                let side = fitted(look, unit, whole) + RIM_OF_SQUARE;
                mesh.fill(square(look, unit, side), palette.mark);
            }
        }
    }
    for &unit in standing {
        let at = positions[unit as usize];
        let length = fitted(look, unit, whole);
        let color = palette.side(look.battle.sides()[unit as usize]);
        if near.contains(at) {
            if has_room {
                outline(mesh, look, unit, length, palette);
            } else {
                // Lines around a crowd would hide it: a rim does not.
                if !are_squares {
                    mesh.triangle(corners(look, unit, length + RIM), palette.mark);
                }
                arrow(mesh, look, unit, length, color);
            }
        }
        if let (Some(by), Some(way)) = (by, look.carried)
            && near.contains(at + way)
        {
            arrow_carried(mesh, look, (unit, length), by, faded(color, 0.6));
        }
    }
}

fn outline(mesh: &mut Mesh, look: &Look<'_>, unit: UnitId, length: f32, palette: &Palette) {
    if length < SQUARE_BELOW {
        mesh.outline(square(look, unit, length + LONGER), LINE, palette.mark);
        return;
    }
    let [a, b, c] = corners(look, unit, length + LONGER);
    for (from, to) in [(a, b), (b, c), (c, a)] {
        mesh.line(from, to, LINE, palette.mark);
    }
}

/// The box around units; `None` where none of them stands.
fn around(look: &Look<'_>, units: &[UnitId]) -> Option<Aabb> {
    let positions = look.battle.positions();
    let standing = units.iter().filter(|unit| look.stands(**unit));
    let places = standing.map(|unit| positions[*unit as usize]);
    places.map(|at| Aabb::new(at, at)).reduce(Aabb::join)
}

/// The box that the pointer draws, and how many are selected by it.
pub fn selection_box(
    painter: &Painter,
    camera: &Camera,
    (area, count): (Option<Aabb>, usize),
    palette: &Palette,
) {
    if let Some(area) = area {
        let rect = camera.rect_to_screen(area);
        box_around(painter, camera.screen, rect, count, palette);
    }
}
