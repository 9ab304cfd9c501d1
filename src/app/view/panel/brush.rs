//! The brush: what a click on the field places or takes, in which shape and how spread.

use crate::app::palette::Palette;
use crate::app::state::{App, Tool};
use crate::app::view::tools::tools;
use crate::app::widgets::{Slider, Track, is_low, pictures_in, section, slider};
use egui_macroquad::egui::{
    Color32, CornerRadius, Painter, Rect, Sense, Stroke, StrokeKind, Ui, UiBuilder, Vec2, pos2,
    vec2,
};
use skirmish::scene::Side;
use skirmish::session::{Shape, Spread, Strewn};

/// How wide a picture of a shape or of a spread is, in points.
const CELL: f32 = 30.0;

/// What a click on the field places or takes.
pub fn brush(ui: &mut Ui, app: &mut App, palette: &Palette) {
    let note = if app.shows_space() {
        "click on the field"
    } else {
        "click or drag on the field"
    };
    if !section(ui, palette, "brush", note) {
        return;
    }
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 24.0), Sense::hover());
    tools(ui, app, palette, rect);
    if !app.shows_space() {
        ui.add_space(4.0);
        ways(ui, app, palette);
    }
    // Side by side where the window is low.
    if is_low(ui) {
        let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 36.0), Sense::hover());
        let width = (rect.width() - 16.0) / 2.0;
        for (left, which) in [
            (0.0, radius as fn(&mut Ui, &mut App, &Palette)),
            (width + 16.0, count),
        ] {
            let corner = rect.min + vec2(left, 0.0);
            let half = Rect::from_min_size(corner, vec2(width, rect.height()));
            which(
                &mut ui.new_child(UiBuilder::new().max_rect(half)),
                app,
                palette,
            );
        }
    } else {
        radius(ui, app, palette);
        count(ui, app, palette);
    }
}

/// How far the brush reaches.
fn radius(ui: &mut Ui, app: &mut App, palette: &Palette) {
    let what = Slider {
        id: "brush.radius",
        name: "radius",
        help: "The radius of the brush, and of the query under the cursor.",
        unit: "m",
        track: Track {
            min: 0.5,
            max: 500.0,
            logarithmic: true,
            whole: false,
        },
    };
    if let Some(radius) = slider(ui, palette, &what, f64::from(app.brush.radius)) {
        app.brush.radius = radius as f32;
    }
}

/// How many units it places.
fn count(ui: &mut Ui, app: &mut App, palette: &Palette) {
    let what = Slider {
        id: "brush.count",
        name: "units a click",
        help: "How many units a click places.",
        unit: "",
        track: Track {
            min: 1.0,
            max: 1000.0,
            logarithmic: true,
            whole: true,
        },
    };
    if let Some(count) = slider(ui, palette, &what, f64::from(app.brush.count)) {
        app.brush.count = count as u32;
    }
}

/// In which shape units are placed, and how they are spread over it.
fn ways(ui: &mut Ui, app: &mut App, palette: &Palette) {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 24.0), Sense::hover());
    let color = match app.brush.tool {
        Tool::Orange => palette.side(Side::Orange),
        Tool::Blue => palette.side(Side::Blue),
        Tool::Erase | Tool::Look => palette.accent,
    };
    let shapes = Shape::ALL.map(|shape| (shape.name(), shape.help()));
    let width = CELL * Shape::ALL.len() as f32;
    let left = rect.with_max_x(rect.left() + width);
    let chosen = Shape::ALL.iter().position(|it| *it == app.brush.shape);
    let draw = |painter: &Painter, index: usize, cell: Rect, ink: Color32| {
        shape_picture(painter, Shape::ALL[index], cell, ink);
    };
    let way = (chosen, color);
    if let Some(picked) = pictures_in(ui, palette, "brush.shape", left, &shapes, way, draw) {
        app.brush.shape = Shape::ALL[picked];
    }
    let spreads = Spread::ALL.map(|spread| (spread.name(), spread.help()));
    let width = CELL * Spread::ALL.len() as f32;
    let right = rect.with_min_x(rect.right() - width);
    let chosen = Spread::ALL.iter().position(|it| *it == app.brush.spread);
    let draw = |painter: &Painter, index: usize, cell: Rect, ink: Color32| {
        spread_picture(painter, Spread::ALL[index], cell, ink);
    };
    let way = (chosen, color);
    if let Some(picked) = pictures_in(ui, palette, "brush.spread", right, &spreads, way, draw) {
        app.brush.spread = Spread::ALL[picked];
    }
}

/// The outline of a shape.
fn shape_picture(painter: &Painter, shape: Shape, cell: Rect, ink: Color32) {
    let (at, stroke) = (cell.center(), Stroke::new(1.4, ink));
    match shape {
        Shape::Disc => {
            painter.circle_stroke(at, 6.0, stroke);
        }
        Shape::Square => {
            let rect = Rect::from_center_size(at, Vec2::splat(11.0));
            painter.rect_stroke(rect, CornerRadius::ZERO, stroke, StrokeKind::Middle);
        }
        Shape::Line => {
            painter.line_segment([at - vec2(0.0, 6.5), at + vec2(0.0, 6.5)], stroke);
        }
    }
}

/// A few points, spread as units are: drawn by the brush itself.
fn spread_picture(painter: &Painter, spread: Spread, cell: Rect, ink: Color32) {
    /// Shows best what chance does with so few.
    const SEED: u64 = 9;
    let (shape, count) = match spread {
        Spread::Even => (Shape::Disc, 14),
        Spread::Random | Spread::Normal => (Shape::Disc, 16),
        Spread::Lattice => (Shape::Square, 16),
    };
    let strewn = Strewn {
        shape,
        spread,
        radius: 8.0,
        count,
        seed: SEED,
    };
    for at in strewn.places(skirmish::geometry::Vec2::ZERO) {
        let at = cell.center() + vec2(at.x, at.y);
        painter.circle_filled(pos2(at.x, at.y), 1.1, ink);
    }
}
