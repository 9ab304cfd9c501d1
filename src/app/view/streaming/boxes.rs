//! The trees at work and the rectangles of the objects.

use super::objects::on_screen;
use crate::app::commands::Layer;
use crate::app::palette::{Palette, faded};
use crate::app::state::App;
use crate::app::stream::Stream;
use crate::app::view::marks::{dashed_rect, hatch, label};
use egui_macroquad::egui::{CornerRadius, Painter, Rect, Stroke, StrokeKind, pos2, vec2};
use skirmish::geometry::Aabb;

/// Node boxes smaller than this, in points, are left out.
const SMALLEST_NODE: f32 = 14.0;

/// The boxes that the last update looked at: dashed unions of the load tree, hatched intersections of the unload tree.
pub fn trees(painter: &Painter, app: &App, stream: &Stream, palette: &Palette) {
    let smallest = SMALLEST_NODE / app.camera.zoom;
    let looked = stream.looked();
    if app.layers.shows(Layer::Unions) {
        let inner = looked.load.iter().filter(|it| it.object.is_none());
        for node in inner.filter(|node| !node.is_empty()) {
            let size = node.area.size();
            if size.x.max(size.y) < smallest || !node.area.overlaps(app.camera.view()) {
                continue;
            }
            let color = faded(palette.at_depth(node.depth / 2 + 2), 0.6);
            dashed_rect(
                painter,
                app.camera.rect_to_screen(node.area),
                Stroke::new(1.2, color),
                9.0,
                5.0,
            );
        }
    }
    if app.layers.shows(Layer::Intersections) {
        for node in looked.unload.iter().filter(|it| it.object.is_none()) {
            intersection(painter, app, palette, node.area, node.depth);
        }
    }
}

fn intersection(painter: &Painter, app: &App, palette: &Palette, area: Aabb, depth: u16) {
    let color = palette.second;
    if area.is_empty() {
        // Nothing lies in all of them: the gap between the sides that crossed is shaded, and the search goes on below.
        let gap = Aabb::new(area.min.min(area.max), area.min.max(area.max));
        let rect = app.camera.rect_to_screen(gap);
        painter.rect_filled(rect, CornerRadius::ZERO, faded(color, 0.05));
        dashed_rect(
            painter,
            rect,
            Stroke::new(1.0, faded(color, 0.55)),
            2.0,
            4.0,
        );
        if depth == 0 {
            label(
                painter,
                palette,
                rect.left_bottom() + vec2(4.0, -4.0),
                "intersection B: empty, look below",
            );
        }
    } else {
        let rect = app.camera.rect_to_screen(area);
        painter.rect_stroke(
            rect,
            CornerRadius::ZERO,
            Stroke::new(1.2, color),
            StrokeKind::Inside,
        );
        hatch(painter, rect, Stroke::new(1.0, faded(color, 0.30)), 7.0);
        if depth == 0 {
            // Below the box, and below the character where it stands at the lower border.
            let foot = app.stream.as_ref().map_or(rect.bottom(), |stream| {
                app.camera.to_screen(stream.character()).y + 14.0
            });
            let at = pos2(rect.left(), rect.bottom().max(foot) + 20.0);
            label(
                painter,
                palette,
                at,
                "intersection B: inside, all residents stay",
            );
        }
    }
}

/// The load rectangles of all objects whose rectangles are in view, and the unload rectangles of those that are there.
fn all_rectangles(painter: &Painter, app: &App, stream: &Stream, palette: &Palette) {
    /// More lines than this are a carpet.
    const MOST: usize = 600;
    let mut drawn = 0;
    for (number, state) in stream.states().iter().enumerate() {
        let rectangles = stream.rectangles(number as u32);
        let (area, color) = if state.is_wanted() {
            (rectangles.unload, palette.second)
        } else {
            (rectangles.load, palette.warning)
        };
        let Some(rect) = on_screen(app, area) else {
            continue;
        };
        painter.rect_stroke(
            rect,
            CornerRadius::ZERO,
            Stroke::new(1.0, faded(color, 0.12)),
            StrokeKind::Middle,
        );
        drawn += 1;
        if drawn == MOST {
            break;
        }
    }
}

/// The need, load and unload rectangles of the selected object.
pub fn rectangles(painter: &Painter, app: &App, stream: &Stream, palette: &Palette) {
    if app.layers.shows(Layer::AllRectangles) {
        all_rectangles(painter, app, stream, palette);
    }
    // Who is pointed at shows its rectangles too, until somebody is selected.
    let hovered = app.cursor.and_then(|cursor| stream.object_at(cursor));
    let Some(object) = stream.selection.or(hovered) else {
        return;
    };
    if let Some(rect) = on_screen(app, stream.body(object)) {
        painter.rect_stroke(
            rect,
            CornerRadius::ZERO,
            Stroke::new(1.6, palette.mark),
            StrokeKind::Outside,
        );
    }
    if !app.layers.shows(Layer::Rectangles) {
        return;
    }
    let rectangles = stream.rectangles(object);
    let named = |area: Aabb, word: &str, draw: &dyn Fn(Rect)| {
        let rect = app.camera.rect_to_screen(area);
        draw(rect);
        label(
            painter,
            palette,
            rect.right_bottom() - vec2(46.0, 2.0),
            word,
        );
    };
    named(rectangles.need, "need", &|rect| {
        painter.rect_stroke(
            rect,
            CornerRadius::ZERO,
            Stroke::new(1.5, palette.mark),
            StrokeKind::Middle,
        );
    });
    named(rectangles.load, "load", &|rect| {
        dashed_rect(painter, rect, Stroke::new(1.5, palette.warning), 8.0, 4.0)
    });
    named(rectangles.unload, "unload", &|rect| {
        dashed_rect(painter, rect, Stroke::new(1.5, palette.second), 1.5, 4.0)
    });
}
