//! The rectangle that a scene asks about, and what a source's own rule would return for it beside what is in it.
//!
//! Invariant: the rule is evaluated for the picture alone, by [`skirmish::sources`]. No structure knows of it.

use super::look::Look;
use crate::app::palette::{Palette, faded};
use crate::app::state::App;
use crate::app::theme::{layout, number, size, text};
use crate::app::view::chips::{chip, scale_rect};
use crate::app::view::marks::{dashed_rect, label};
use crate::app::widgets::{clear_place, float, place};
use egui_macroquad::egui::{
    Align2, Color32, CornerRadius, Painter, Rect, Stroke, StrokeKind, Ui, Vec2, pos2, vec2,
};
use skirmish::geometry::Aabb;
use skirmish::partition::UnitId;
use skirmish::scene::SourceRule;
use skirmish::sources;

/// For more units than this no rule of a source is evaluated in every frame.
const MOST: u64 = 1_000;

/// The chip with the numbers: as wide as this, a line as high as this, in points.
const CHIP: (f32, f32) = (252.0, 22.0);

/// Draws the rectangle, and whom the rule returns and misses.
pub fn asked(ui: &Ui, app: &App, look: &Look<'_>, palette: &Palette) {
    let Some(area) = app.asked_area() else { return };
    let painter = ui.painter().with_clip_rect(look.camera.screen);
    let rect = look.camera.rect_to_screen(area);
    painter.rect_stroke(
        rect,
        CornerRadius::ZERO,
        Stroke::new(2.0, palette.error),
        StrokeKind::Middle,
    );
    match rule_beside(app, look) {
        Some(rule) => beside(ui, &painter, look, palette, (area, rule, app.bare)),
        None if app.bare => {}
        None => compared(ui, &painter, app, look, palette),
    }
}

/// The rule of a source that is evaluated beside the right one: then frames say who is found by which, and no marks.
pub fn rule_beside(app: &App, look: &Look<'_>) -> Option<SourceRule> {
    app.asked_area()?;
    app.scene.view.beside.filter(|_| look.alive() <= MOST)
}

/// How many were found and how many tested, beside how many there are: counted in the very search that the scene names. Who was found is
/// marked among the units.
fn compared(ui: &Ui, painter: &Painter, app: &App, look: &Look<'_>, palette: &Palette) {
    let Some((tests, hits)) = app.asked_counts() else {
        return;
    };
    let lines = [
        ("found in the rectangle", hits, palette.text),
        ("tested", tests, palette.accent),
        (
            "tested without a structure",
            look.alive(),
            palette.text_second,
        ),
    ];
    numbers(ui, painter, look, palette, &lines);
}

/// A chip with a few numbers above the scale, beside the caption: the units keep off both.
fn numbers(
    ui: &Ui,
    painter: &Painter,
    look: &Look<'_>,
    palette: &Palette,
    lines: &[(&str, u64, Color32)],
) {
    let (width, line) = CHIP;
    let height = lines.len() as f32 * line + 12.0;
    // Above the scale; where the caption lies there, at the top below the chips.
    let field = look.room;
    let size_of_chip = vec2(width, height);
    let scale = scale_rect(field);
    let top = field.top() + layout::CHIP + 38.0;
    let corners = [
        scale.right_top() - vec2(width, height + 8.0),
        pos2(scale.right() - width, top),
        pos2(field.left() + layout::CHIP, top),
    ];
    let room = field.shrink(8.0);
    let clear = |taken: &[Rect]| clear_place(room, size_of_chip, corners, taken);
    // Off the units as well, where that goes: they are what the numbers are of.
    let Some(rect) = clear(&with_units(look)).or_else(|| clear(look.taken)) else {
        return;
    };
    if rect.width() > field.width() * 0.6 {
        return;
    }
    chip(painter, palette, rect);
    float(ui.ctx(), rect);
    place(ui.ctx(), "chip.beside", rect);
    for (index, &(words, count, color)) in lines.iter().enumerate() {
        let y = rect.top() + 6.0 + line * (index as f32 + 0.5);
        let left = pos2(rect.left() + 12.0, y);
        let font = text(size::SECOND);
        let ink = palette.text_second;
        painter.text(left, Align2::LEFT_CENTER, words, font, ink);
        let right = pos2(rect.right() - 12.0, y);
        painter.text(
            right,
            Align2::RIGHT_CENTER,
            count,
            number(size::NAME),
            color,
        );
        if index > 0 {
            let stroke = Stroke::new(1.0, faded(palette.line, 0.8));
            painter.hline(rect.x_range().shrink(8.0), y - line / 2.0, stroke);
        }
    }
}

/// The frame around a unit.
fn frame_of(look: &Look<'_>, unit: UnitId) -> Rect {
    let body = look.camera.rect_to_screen(look.battle.bodies().aabb(unit));
    Rect::from_center_size(body.center(), body.size().max(Vec2::splat(14.0))).expand(5.0)
}

/// What is taken already, and the units where they are few.
fn with_units(look: &Look<'_>) -> Vec<Rect> {
    let mut taken = look.taken.to_vec();
    if look.alive() <= MOST {
        let bodies = look.battle.bodies();
        taken.extend(bodies.ids().map(|unit| frame_of(look, unit)));
    }
    taken
}

fn beside(
    ui: &Ui,
    painter: &Painter,
    look: &Look<'_>,
    palette: &Palette,
    (area, rule, is_bare): (Aabb, SourceRule, bool),
) {
    let bodies = look.battle.bodies();
    let returned = match rule {
        SourceRule::BasicQuadtree => sources::basic_quadtree(look.field, bodies, area),
    };
    let is_in = |unit: &UnitId| bodies.aabb(*unit).overlaps(area);
    let (found, missed): (Vec<UnitId>, Vec<UnitId>) = bodies
        .ids()
        .filter(is_in)
        .partition(|unit| returned.contains(unit));
    let frame = |unit: UnitId| frame_of(look, unit);
    for &unit in &found {
        let stroke = Stroke::new(1.6, palette.mark);
        painter.rect_stroke(frame(unit), CornerRadius::ZERO, stroke, StrokeKind::Middle);
    }
    for &unit in &missed {
        let rect = frame(unit);
        dashed_rect(painter, rect, Stroke::new(1.6, palette.error), 4.0, 3.0);
        label(
            painter,
            palette,
            rect.left_bottom() + vec2(0.0, 18.0),
            "missed",
        );
    }
    if is_bare {
        return;
    }
    let returns = format!("{} returns", rule.name());
    let all = (found.len() + missed.len()) as u64;
    let lines = [
        ("in the red rectangle", all, palette.text),
        (returns.as_str(), found.len() as u64, palette.text),
        ("and misses", missed.len() as u64, palette.error),
    ];
    numbers(ui, painter, look, palette, &lines);
}
