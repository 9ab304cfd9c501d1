//! The objects of the world by state, in colour and in shape.

use super::atlas::Atlas;
use crate::app::commands::Layer;
use crate::app::palette::{Palette, faded};
use crate::app::render::Mesh;
use crate::app::state::App;
use crate::app::stream::Stream;
use crate::app::view::marks::{dashed_rect, hatch};
use egui_macroquad::egui::{CornerRadius, Painter, Rect, Stroke, StrokeKind, vec2};
use egui_macroquad::macroquad::prelude::{
    Color, DrawTextureParams, Vec2 as ScreenVec2, draw_texture_ex,
};
use skirmish::geometry::Aabb;
use skirmish::streaming::State;

/// Below this many points to each side an object is drawn as a dot of its state's colour.
const DOT: f32 = 3.0;
/// From this many points on an object shows its picture.
const PICTURE: f32 = 10.0;
/// So many dashed and hatched outlines are drawn; beyond it they are plain, for a dash is a shape of its own.
const MOST_DASHED: usize = 400;

/// Whether anything of the object can be seen, and where.
pub fn on_screen(app: &App, area: Aabb) -> Option<Rect> {
    let rect = app.camera.rect_to_screen(area);
    rect.intersects(app.camera.screen).then_some(rect)
}

fn visible<'a>(app: &'a App, stream: &'a Stream) -> impl Iterator<Item = (u32, State, Rect)> + 'a {
    let shown = app.layers.shows(Layer::Objects);
    let objects = stream
        .objects()
        .iter()
        .zip(stream.states())
        .enumerate()
        .filter(move |_| shown);
    objects.filter_map(|(number, (object, state))| {
        let rect = on_screen(app, object.aabb())?;
        Some((number as u32, *state, rect))
    })
}

/// What lies under the pictures: objects that have none.
pub fn draw_under(mesh: &mut Mesh, app: &App, palette: &Palette) {
    let Some(stream) = &app.stream else { return };
    for (number, state, rect) in visible(app, stream) {
        let color = palette.states[state as usize];
        if rect.width().max(rect.height()) < DOT {
            let dot = Rect::from_center_size(rect.center(), vec2(2.0, 2.0));
            mesh.fill(
                dot,
                faded(color, if state == State::Unloaded { 0.5 } else { 0.9 }),
            );
            continue;
        }
        match state {
            State::Unloaded => {
                mesh.fill(rect, faded(color, 0.10));
                mesh.outline(rect, 1.0, faded(color, 0.6));
            }
            State::Queued => mesh.fill(rect, faded(color, 0.14)),
            State::Loading => {
                let progress = stream.progress(number);
                mesh.fill(rect, faded(color, 0.16));
                mesh.fill(
                    rect.with_min_y(rect.bottom() - rect.height() * progress),
                    color,
                );
            }
            State::Decoded => {
                mesh.fill(rect, faded(color, 0.16));
                mesh.triangle(
                    [rect.left_bottom(), rect.right_top(), rect.right_bottom()],
                    color,
                );
            }
            State::Resident => mesh.fill(rect, faded(color, 0.66)),
            State::Unloading => mesh.fill(rect, faded(color, 0.12)),
            State::Failed => mesh.fill(rect, faded(color, 0.08)),
        }
    }
}

/// The pictures of what is resident.
pub fn draw_pictures(atlas: &Atlas, app: &App) {
    let Some(stream) = &app.stream else { return };
    for (number, state, rect) in visible(app, stream) {
        if state != State::Resident || rect.width().min(rect.height()) < PICTURE {
            continue;
        }
        let asset = stream.objects()[number as usize].asset;
        let Some((texture, source)) = atlas.find(asset) else {
            continue;
        };
        let params = DrawTextureParams {
            dest_size: Some(ScreenVec2::new(rect.width(), rect.height())),
            source: Some(source),
            ..DrawTextureParams::default()
        };
        draw_texture_ex(
            texture,
            rect.left(),
            rect.top(),
            Color::from_rgba(255, 255, 255, 255),
            params,
        );
    }
}

/// Outlines over the pictures.
pub fn draw_over(mesh: &mut Mesh, app: &App, palette: &Palette) {
    let Some(stream) = &app.stream else { return };
    for (_, state, rect) in visible(app, stream) {
        if rect.width().max(rect.height()) < DOT {
            continue;
        }
        let color = palette.states[state as usize];
        // What is small may stand on the picture of something large, as a house does on a field: it lies on that, with a rim of ground.
        if rect.width().min(rect.height()) < PICTURE {
            let rim = faded(palette.field, 0.75);
            match state {
                State::Resident => {
                    mesh.fill(rect.expand(1.0), rim);
                    mesh.fill(rect, faded(color, 0.66));
                }
                State::Loading | State::Decoded | State::Failed => {
                    mesh.outline(rect.expand(1.0), 1.0, rim);
                }
                State::Unloaded | State::Queued | State::Unloading => {}
            }
        }
        match state {
            State::Resident => mesh.outline(rect, 1.5, color),
            State::Loading | State::Decoded => mesh.outline(rect, 1.5, color),
            State::Failed => {
                mesh.outline(rect, 1.5, color);
                mesh.line(rect.left_top(), rect.right_bottom(), 1.5, color);
                mesh.line(rect.right_top(), rect.left_bottom(), 1.5, color);
            }
            State::Unloaded | State::Queued | State::Unloading => {}
        }
    }
}

/// Outlines that are a shape of their own: dashed of what waits, hatched of what is given up.
pub fn dashes_and_hatches(painter: &Painter, app: &App, stream: &Stream, palette: &Palette) {
    let mut drawn = 0;
    for (_, state, rect) in visible(app, stream) {
        if rect.width().max(rect.height()) < DOT {
            continue;
        }
        let color = palette.states[state as usize];
        let stroke = Stroke::new(1.5, color);
        match state {
            State::Queued if drawn < MOST_DASHED => dashed_rect(painter, rect, stroke, 4.0, 3.0),
            State::Queued => {
                painter.rect_stroke(rect, CornerRadius::ZERO, stroke, StrokeKind::Inside);
            }
            State::Unloading => {
                painter.rect_stroke(
                    rect,
                    CornerRadius::ZERO,
                    Stroke::new(1.0, color),
                    StrokeKind::Inside,
                );
                if drawn < MOST_DASHED {
                    hatch(painter, rect, Stroke::new(1.0, faded(color, 0.8)), 5.0);
                }
            }
            _ => continue,
        }
        drawn += 1;
    }
}
