//! What lies over the units: the query's circle and its tag, what is hovered and selected, and the chips at the edges.

use super::structure_marks::marks;
use super::units;
use crate::app::commands::Layer;
use crate::app::palette::{Palette, faded};
use crate::app::state::{App, Tool};
use crate::app::theme::{layout, number, size, text};
use crate::app::view::chips::{chip, layer_chip, scale_chip, title_chip};
use crate::app::view::marks::border;
use crate::app::widgets::{clear_covers, cover, spaced_capitals, with_commas};
use egui_macroquad::egui::{
    Align2, CornerRadius, Painter, Pos2, Rect, Stroke, StrokeKind, Ui, pos2, vec2,
};
use skirmish::observe::{Outline, QueryView};
use skirmish::partition::{KnobRange, Role, UnitId};
use skirmish::scene::Side;

/// The width of the switches of the battle's layers, in points.
const LAYER_CHIP: f32 = 300.0;

/// Draws all of it; the switches in the chips act.
pub fn show(ui: &mut Ui, app: &mut App, palette: &Palette) {
    let field = app.camera.screen;
    let painter = ui.painter().with_clip_rect(field);
    clear_covers(ui.ctx());
    border(&painter, app, palette);
    marks(&painter, app, palette);
    hovered_region(&painter, app, palette);
    query(&painter, app, palette);
    rings(&painter, app, palette);
    if app.alive() == 0 {
        empty(&painter, app, palette);
    }
    structure_chip(ui, app, palette);
    layer_chip(ui, app, palette, &Layer::BATTLE, LAYER_CHIP);
    if app.layers.shows(Layer::Nodes) {
        legend(ui, app, palette);
    }
    scale_chip(ui, app, palette);
}

fn hovered_region(painter: &Painter, app: &App, palette: &Palette) {
    let Some(region) = app
        .lane()
        .frame
        .path
        .last()
        .filter(|_| app.layers.shows(Layer::Nodes))
    else {
        return;
    };
    if let Outline::Rect(area) = region.outline {
        let rect = app.camera.rect_to_screen(area);
        painter.rect_stroke(
            rect,
            CornerRadius::ZERO,
            Stroke::new(2.0, palette.accent),
            StrokeKind::Inside,
        );
    }
}

fn query(painter: &Painter, app: &App, palette: &Palette) {
    let Some(cursor) = app.cursor else { return };
    let center = app.camera.to_screen(cursor);
    let radius = app.brush.radius * app.camera.zoom;
    let color = match app.brush.tool {
        Tool::Blue => palette.side(Side::Blue),
        Tool::Orange => palette.side(Side::Orange),
        Tool::Erase => palette.error,
        Tool::Look => palette.mark,
    };
    painter.circle_stroke(center, radius.max(2.0), Stroke::new(1.5, palette.mark));
    if app.brush.tool != Tool::Look {
        painter.circle_stroke(
            center,
            (radius + 3.0).max(5.0),
            Stroke::new(1.0, faded(color, 0.9)),
        );
    }
    let Some(query) = &app.lane().frame.query else {
        return;
    };
    if !app.layers.shows(Layer::Query) {
        return;
    }
    // A structure that has no regions to show shows its tests.
    if app.layers.shows(Layer::Tests) || app.lane().frame.regions.list.is_empty() {
        tests(painter, app, palette, query);
    }
    let too_far = query.counter.tests.saturating_sub(query.counter.hits);
    let first = format!("{} in reach", with_commas(query.counter.hits));
    let second = format!("{} tested, too far", with_commas(too_far));
    let metres = if app.brush.radius < 10.0 {
        format!("{:.1} m", app.brush.radius)
    } else {
        format!("{:.0} m", app.brush.radius)
    };
    let circle = (center, radius);
    tag(
        painter,
        app.camera.screen,
        palette,
        circle,
        [&first, &second, &metres],
    );
}

/// Every test of the query as a line from its middle to the unit tested.
fn tests(painter: &Painter, app: &App, palette: &Palette, query: &QueryView) {
    /// More lines than this are a solid disc, not a picture.
    const MOST: usize = 4000;
    let center = app.camera.to_screen(query.center);
    let opacity = (60.0 / query.tested.len().max(1) as f32).clamp(0.05, 0.5);
    let stroke = Stroke::new(1.0, faded(palette.accent, opacity));
    let alive = |unit: &&UnitId| app.battle.bodies().is_alive(**unit);
    for &unit in query.tested.iter().filter(alive).take(MOST) {
        let at = app.camera.to_screen(app.battle.positions()[unit as usize]);
        painter.line_segment([center, at], stroke);
    }
}

/// Two lines and a number on a chip beside the circle, kept inside the field.
fn tag(painter: &Painter, field: Rect, palette: &Palette, circle: (Pos2, f32), words: [&str; 3]) {
    let (center, radius) = circle;
    let [first, second, right] = words;
    let first = painter.layout_no_wrap(first.to_owned(), text(size::SECOND), palette.text);
    let second = painter.layout_no_wrap(second.to_owned(), text(size::SECOND), palette.text_second);
    let right = painter.layout_no_wrap(right.to_owned(), number(size::CAPTION), palette.text_third);
    let width = (first.size().x + right.size().x + 18.0).max(second.size().x) + 20.0;
    let size_of_tag = vec2(width, 40.0);
    let reach = radius.min(field.width() / 3.0) * 0.72 + 10.0;
    let mut at = center + vec2(reach, -reach - size_of_tag.y);
    let room = field.shrink(8.0);
    if at.x + size_of_tag.x > room.right() {
        at.x = center.x - reach - size_of_tag.x;
    }
    if at.y < room.top() + 44.0 {
        at.y = center.y + reach;
    }
    at.x =
        at.x.clamp(room.left(), (room.right() - size_of_tag.x).max(room.left()));
    at.y =
        at.y.clamp(room.top(), (room.bottom() - size_of_tag.y).max(room.top()));
    let rect = Rect::from_min_size(at, size_of_tag);
    chip(painter, palette, rect);
    painter.galley(rect.min + vec2(10.0, 5.0), first, palette.text);
    painter.galley(rect.min + vec2(10.0, 20.0), second, palette.text_second);
    painter.galley(
        pos2(rect.right() - 10.0 - right.size().x, rect.top() + 7.0),
        right,
        palette.text_third,
    );
}

fn rings(painter: &Painter, app: &App, palette: &Palette) {
    let ring = |unit: UnitId, off: f32, width: f32| {
        let at = app.camera.to_screen(app.battle.positions()[unit as usize]);
        let radius = units::length(app.camera.zoom) / 2.0 + off;
        painter.circle_stroke(at, radius, Stroke::new(width, palette.mark));
    };
    if let Some(unit) = app
        .lane()
        .frame
        .unit
        .filter(|unit| app.battle.bodies().is_alive(*unit))
    {
        ring(unit, 4.0, 2.0);
    }
    if let Some(unit) = app.selection {
        ring(unit, 3.0, 1.6);
    }
}

fn empty(painter: &Painter, app: &App, palette: &Palette) {
    painter.text(
        app.camera.screen.center(),
        Align2::CENTER_CENTER,
        "No units. Click to place some, or open a scene.",
        text(size::NAME),
        palette.text_second,
    );
}

fn structure_chip(ui: &Ui, app: &App, palette: &Palette) {
    let info = app.lane().structure.info();
    let knobs: Vec<String> = info
        .knobs
        .iter()
        .enumerate()
        .filter(|(_, knob)| matches!(knob.range, KnobRange::Number { .. }))
        .take(2)
        .map(|(index, knob)| {
            format!(
                "{} {} {}",
                knob.name,
                knob.format(app.lane().structure.knob(index)),
                knob.unit
            )
            .trim_end()
            .to_owned()
        })
        .collect();
    title_chip(
        ui,
        app.camera,
        palette,
        info.name,
        &knobs.join(" · "),
        LAYER_CHIP,
    );
}

fn legend(ui: &Ui, app: &App, palette: &Palette) {
    let regions = &app.lane().frame.regions.list;
    let cells = regions
        .iter()
        .any(|region| matches!(region.role, Role::Cell | Role::Slot));
    if regions.is_empty() {
        return;
    }
    let field = app.camera.screen;
    let (word, steps) = if cells { ("load", 8) } else { ("depth", 8) };
    let width = 62.0 + steps as f32 * 17.0;
    let rect = Rect::from_min_size(
        pos2(
            field.left() + layout::CHIP,
            field.bottom() - layout::CHIP - 30.0,
        ),
        vec2(width, 30.0),
    );
    chip(ui.painter(), palette, rect);
    cover(ui.ctx(), rect);
    spaced_capitals(
        ui.painter(),
        rect.left_center() + vec2(10.0, 0.0),
        word,
        palette.text_third,
    );
    let deepest = regions.iter().map(|region| region.depth).max().unwrap_or(0);
    for step in 0..steps {
        let left = rect.left() + 54.0 + step as f32 * 17.0;
        let swatch = Rect::from_min_size(pos2(left, rect.top() + 6.0), vec2(15.0, 7.0));
        let (color, tick) = if cells {
            let part = (step + 1) as f32 / 8.0;
            (
                faded(palette.depth[7], 0.05 + 0.6 * part * part),
                (step + 1).to_string(),
            )
        } else {
            (
                palette.depth[step],
                if deepest > 10 {
                    (step * 2).to_string()
                } else {
                    step.to_string()
                },
            )
        };
        ui.painter().rect_filled(swatch, CornerRadius::ZERO, color);
        ui.painter().text(
            pos2(swatch.center().x, rect.top() + 21.0),
            Align2::CENTER_CENTER,
            tick,
            number(9.0),
            palette.text_third,
        );
    }
}
