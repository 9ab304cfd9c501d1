//! The brush: what a click on the field places or takes, in which shape and how spread.

use crate::app::common_values::CommonValue;
use crate::app::palette::{Palette, faded};
use crate::app::state::{App, Tool};
use crate::app::view::tools::tools;
use crate::app::widgets::{halves, pictures_in, section, section_with, side_by_side, slider};
use egui_macroquad::egui::{
    self, Color32, CornerRadius, Painter, Rect, Sense, Stroke, StrokeKind, Ui, Vec2, pos2, vec2,
};
use skirmish::scene::Side;
use skirmish::session::{Shape, Shape3, Spread, Strewn};

/// How wide a picture of a shape or of a spread is at the most, and what is between the two rows of them at the least, in points.
const CELL: f32 = 30.0;
const BETWEEN: f32 = 10.0;

/// What a click on the field places or takes.
pub fn brush(ui: &mut Ui, app: &mut App, palette: &Palette) {
    let note = if app.shows_space() {
        "click on the field"
    } else {
        "click or drag on the field"
    };
    if !caption(ui, app, palette, note) {
        return;
    }
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 24.0), Sense::hover());
    tools(ui, app, palette, rect);
    ui.add_space(4.0);
    ways(ui, app, palette);
    side_by_side(ui, |ui, is_left| {
        let what = if is_left {
            CommonValue::Radius
        } else {
            CommonValue::Count
        };
        common(ui, app, palette, what);
    });
    halves(ui, |ui, is_left| {
        let what = if is_left {
            CommonValue::Width
        } else {
            CommonValue::Widest
        };
        common(ui, app, palette, what);
    });
}

/// The caption of the brush, with a note; where bodies are placed in a size of their own, with a word that takes that back. Whether the
/// rest is shown.
fn caption(ui: &mut Ui, app: &mut App, palette: &Palette, note: &str) -> bool {
    const NAME: &str = "brush";
    if app.brush.width.is_none() {
        return section(ui, palette, NAME, note);
    }
    let word = (
        "brush.as_scene",
        "own width, let go",
        "Bodies are placed in the width below. Click to place them as large as the scene says again.",
    );
    let (is_open, is_over) = section_with(ui, palette, (NAME, NAME), word);
    if is_over {
        app.brush.width = None;
    }
    is_open
}

/// The slider of a value of the brush.
fn common(ui: &mut Ui, app: &mut App, palette: &Palette, what: CommonValue) {
    if let Some(value) = slider(ui, palette, &what.slider(), what.of(app)) {
        what.set(app, value);
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
    let in_space = app.shows_space();
    let shapes: Vec<Way> = if in_space {
        let all = Shape3::ALL.iter();
        all.map(|shape| (shape.name(), shape.help())).collect()
    } else {
        let all = Shape::ALL.iter();
        all.map(|shape| (shape.name(), shape.help())).collect()
    };
    let spreads = Spread::ALL.map(|spread| (spread.name(), spread.help()));
    let all = (shapes.len() + spreads.len()) as f32;
    let cell = ((rect.width() - BETWEEN) / all).min(CELL);
    let left = rect.with_max_x(rect.left() + cell * shapes.len() as f32);
    let chosen = if in_space {
        Shape3::ALL.iter().position(|it| *it == app.brush.shape3)
    } else {
        Shape::ALL.iter().position(|it| *it == app.brush.shape)
    };
    let draw = |painter: &Painter, index: usize, cell: Rect, ink: Color32| {
        if in_space {
            shape3_picture(painter, Shape3::ALL[index], cell, ink);
        } else {
            shape_picture(painter, Shape::ALL[index], cell, ink);
        }
    };
    let way = (chosen, color);
    if let Some(picked) = pictures_in(ui, palette, "brush.shape", left, &shapes, way, draw) {
        if in_space {
            app.brush.shape3 = Shape3::ALL[picked];
        } else {
            app.brush.shape = Shape::ALL[picked];
        }
    }
    let right = rect.with_min_x(rect.right() - cell * spreads.len() as f32);
    let chosen = Spread::ALL.iter().position(|it| *it == app.brush.spread);
    let draw = |painter: &Painter, index: usize, cell: Rect, ink: Color32| {
        spread_picture(painter, Spread::ALL[index], cell, ink);
    };
    let way = (chosen, color);
    if let Some(picked) = pictures_in(ui, palette, "brush.spread", right, &spreads, way, draw) {
        app.brush.spread = Spread::ALL[picked];
    }
}

/// A word, and a sentence for its tooltip.
type Way = (&'static str, &'static str);

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

/// The outline of a shape in space.
fn shape3_picture(painter: &Painter, shape: Shape3, cell: Rect, ink: Color32) {
    let (at, stroke) = (cell.center(), Stroke::new(1.4, ink));
    let thin = Stroke::new(1.0, ink);
    // A level circle, as it is seen from a little above.
    let level = |radius: Vec2, stroke: Stroke| {
        painter.add(egui::Shape::ellipse_stroke(at, radius, stroke));
    };
    match shape {
        Shape3::Ball => {
            painter.circle(at, 6.5, faded(ink, 0.25), stroke);
            level(vec2(6.5, 2.4), thin);
        }
        Shape3::Shell => {
            painter.circle_stroke(at, 6.5, stroke);
            level(vec2(6.5, 2.4), thin);
            level(vec2(2.4, 6.5), thin);
        }
        Shape3::Cube => {
            let near = Rect::from_center_size(at + vec2(-2.0, 2.0), Vec2::splat(9.0));
            painter.rect_stroke(near, CornerRadius::ZERO, stroke, StrokeKind::Middle);
            let off = vec2(4.0, -4.0);
            let [a, b, c] = [near.left_top(), near.right_top(), near.right_bottom()];
            for (from, to) in [(a, a + off), (b, b + off), (c, c + off)] {
                painter.line_segment([from, to], thin);
            }
            for (from, to) in [(a, b), (b, c)] {
                painter.line_segment([from + off, to + off], thin);
            }
        }
        Shape3::Disc => level(vec2(7.0, 3.0), stroke),
        Shape3::Line => {
            let half = vec2(0.0, 6.5);
            painter.line_segment([at - half, at + half], stroke);
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
        size: None,
    };
    for at in strewn.places(skirmish::geometry::Vec2::ZERO) {
        let at = cell.center() + vec2(at.x, at.y);
        painter.circle_filled(pos2(at.x, at.y), 1.1, ink);
    }
}
