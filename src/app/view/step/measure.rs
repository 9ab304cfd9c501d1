//! The size of what is asked for, in the row of the tools: a slider and a number that can be typed, and of a rectangle one of each for
//! its width and its height.

use super::shape::{reach_of, size_of, with_reach, with_size};
use crate::app::palette::Palette;
use crate::app::state::{App, COUNTS, Probed, RADII, SIDES as LIMITS};
use crate::app::theme::{number, size, text};
use crate::app::widgets::{
    Slider, Track, asked_way, elided, focus_ring, place, tell_way, typed_value,
};
use egui_macroquad::egui::{Align2, CornerRadius, Galley, Rect, Sense, Ui, pos2, vec2};
use skirmish::geometry::Vec2;
use skirmish::story::Operation;
use std::sync::Arc;

/// The size of what is asked for, as a slider at the right.
pub fn measure(ui: &mut Ui, app: &mut App, palette: &Palette, rect: Rect) {
    let Some(stepping) = &mut app.stepping else {
        return;
    };
    let Some(operation) = stepping.operation().cloned() else {
        return;
    };
    if let Some(size) = size_of(&operation).filter(|_| rect.width() >= LEAST_MEASURE) {
        return sides(ui, app, palette, rect, (&operation, size));
    }
    let (name, value, range, unit) = match operation.clone() {
        Operation::Radius { radius, .. } => ("radius", radius, RADII, "m"),
        Operation::Nearest { count, .. } => ("k", count as f32, COUNTS, "units"),
        // That of the battle until it is set. Where there is no room for it the words say it.
        Operation::Pairs { reach } if rect.width() >= LEAST_MEASURE => {
            let reach = reach.unwrap_or(app.battle.pair_reach());
            ("reach", reach, (0.0, 100.0), "m")
        }
        _ if reach_of(&operation).is_some() => {
            let (name, value) = reach_of(&operation).unwrap_or_default();
            // Who touches a unit is asked as well.
            let least = if name == "reach" { 0.0 } else { RADII.0 };
            (name, value, (least, RADII.1), "m")
        }
        _ => {
            let font = number(size::CAPTION);
            let stream = app.stream.as_ref();
            let words = operation.in_words(|unit| stepping.who(unit, stream));
            // One that has no numbers says no more than the word that is lit.
            if words == stepping.tool.name() {
                return;
            }
            let words = elided(ui, &words, font, palette.text_third, rect.width().max(1.0));
            let at = rect.right_center() - vec2(words.size().x, words.size().y / 2.0);
            let said = Rect::from_min_size(at, words.size());
            ui.painter().galley(at, words, palette.text_third);
            // As it is typed it has all its digits, and units by their numbers.
            ui.interact(said, ui.id().with("step operation"), Sense::hover())
                .on_hover_text(format!("Typed: {operation}"));
            return;
        }
    };
    let tool = stepping.tool.name();
    let said = whose(ui, palette, tool, (rect, LEAST_MEASURE));
    let own = rect.width() - said.as_ref().map_or(0.0, |said| said.size().x + BESIDE);
    say_whose(ui, palette, said, (rect, own.min(MOST_MEASURE)));
    let own = rect.with_min_x(rect.right() - own);
    let set = measured(ui, palette, own, (name, value, range, unit));
    let Some(stepping) = &mut app.stepping else {
        return;
    };
    if let Some(value) = set {
        let new = match operation {
            Operation::Radius { center, .. } => {
                let radius = (value * 10.0).round() / 10.0;
                stepping.radius = radius;
                Operation::Radius { center, radius }
            }
            Operation::Pairs { .. } => {
                let reach = Some((value * 10.0).round() / 10.0);
                Operation::Pairs { reach }
            }
            Operation::Nearest { point, .. } => {
                let count = value.round() as usize;
                stepping.count = count;
                Operation::Nearest { point, count }
            }
            other => {
                let reach = (value * 10.0).round() / 10.0;
                match other {
                    Operation::Near { .. } => stepping.near = Some(reach),
                    _ if name != "radius" => stepping.reach = reach,
                    _ => {}
                }
                with_reach(&other, reach)
            }
        };
        app.set_operation(new);
    }
}

/// How wide the room has to be for the width and the height of a rectangle as sliders, and what is between the two, in points.
const SIDES: f32 = 2.0 * LEAST_MEASURE + BESIDE;
const BESIDE: f32 = 20.0;

/// The width and the height of a rectangle, as two sliders, or where these have no room as two numbers.
fn sides(
    ui: &mut Ui,
    app: &mut App,
    palette: &Palette,
    rect: Rect,
    (operation, sides): (&Operation, Vec2),
) {
    let has_tracks = rect.width() >= SIDES;
    let most = if has_tracks { MOST_MEASURE } else { MOST_TYPED };
    let said = whose(ui, palette, Probed::Rectangle.name(), (rect, SIDES));
    let own = rect.width() - said.as_ref().map_or(0.0, |said| said.size().x + BESIDE);
    let width = ((own - BESIDE) / 2.0).min(most);
    say_whose(ui, palette, said, (rect, 2.0 * width + BESIDE));
    let right = rect.with_min_x(rect.right() - width);
    let left = right.translate(vec2(-width - BESIDE, 0.0));
    if !has_tracks {
        let at = pos2(right.left() - BESIDE / 2.0, right.center().y);
        let (font, ink) = (text(size::SECOND), palette.text_second);
        ui.painter()
            .text(at, Align2::CENTER_CENTER, "\u{d7}", font, ink);
    }
    let mut new = sides;
    for (at, (name, rect)) in [("width", left), ("height", right)].into_iter().enumerate() {
        let what = (name, sides[at], LIMITS, "m");
        let id = ["step.measure", "step.height"][at];
        let set = match has_tracks {
            true => measured_as(ui, palette, rect, id, what),
            false => typed_as(ui, palette, rect, id, what),
        };
        if let Some(side) = set {
            new[at] = (side * 10.0).round() / 10.0;
        }
    }
    if new == sides {
        return;
    }
    if let Some(stepping) = &mut app.stepping {
        stepping.half = new / 2.0;
    }
    app.set_operation(with_size(operation, new));
}

/// The name of the question of which a size is, where a row has room for it beside so much: a row that begins with the tools that edit would seem
/// to say it of these.
fn whose(
    ui: &Ui,
    palette: &Palette,
    name: &str,
    (rect, least): (Rect, f32),
) -> Option<Arc<Galley>> {
    let (name, font) = (name.to_owned(), text(size::SECOND));
    let painter = ui.painter();
    let said = painter.layout_no_wrap(name, font, palette.text_third);
    (rect.width() >= least + BESIDE + said.size().x).then_some(said)
}

/// Writes it before the size, which takes so much at the right of the row.
fn say_whose(ui: &Ui, palette: &Palette, said: Option<Arc<Galley>>, (rect, taken): (Rect, f32)) {
    let Some(said) = said else {
        return;
    };
    let right = rect.right_center() - vec2(taken + BESIDE, 0.0);
    let at = right - vec2(said.size().x, said.size().y / 2.0);
    ui.painter().galley(at, said, palette.text_third);
}

/// How wide the slider of a size is at least and at most, with its name and its value, in points.
const LEAST_MEASURE: f32 = 150.0;
const MOST_MEASURE: f32 = 300.0;
/// How wide a number is at most that has no slider, with its name, and how wide it has to be for that.
const MOST_TYPED: f32 = 112.0;
const LEAST_NAMED: f32 = 96.0;
/// A shorter track cannot be dragged on: then the number stands without one.
const LEAST_TRACK: f32 = 12.0;

/// What is set, under a name by which its place is known.
fn slider_of(
    id: &'static str,
    (name, _, range, unit): (&'static str, f32, (f32, f32), &'static str),
) -> Slider<'static> {
    Slider {
        id,
        name,
        help: match name {
            "width" => "How wide the rectangle is, around the same middle.",
            "height" => "How high the rectangle is, around the same middle.",
            _ => "How far is asked, or for how many.",
        },
        unit,
        track: Track {
            min: f64::from(range.0),
            max: f64::from(range.1),
            logarithmic: true,
            whole: name == "k",
        },
    }
}

/// A size as a number alone that can be typed, with its name where there is room for that. Gives what it is set to.
fn typed_as(
    ui: &mut Ui,
    palette: &Palette,
    rect: Rect,
    id: &'static str,
    what: (&'static str, f32, (f32, f32), &'static str),
) -> Option<f32> {
    let (name, value, ..) = what;
    let line = Rect::from_center_size(rect.center(), vec2(rect.width(), 20.0));
    if rect.width() >= LEAST_NAMED {
        let (at, font) = (line.left_center(), text(size::SECOND));
        let ink = palette.text_second;
        ui.painter().text(at, Align2::LEFT_CENTER, name, font, ink);
    }
    let typed = typed_value(ui, palette, &slider_of(id, what), f64::from(value), line);
    typed.map(|value| value as f32)
}

/// A size of what is asked, as a slider at the right with its value beside it, which can be typed. Gives what it is set to.
pub fn measured(
    ui: &mut Ui,
    palette: &Palette,
    rect: Rect,
    what: (&'static str, f32, (f32, f32), &'static str),
) -> Option<f32> {
    measured_as(ui, palette, rect, "step.measure", what)
}

/// The same under a name by which its place is known.
fn measured_as(
    ui: &mut Ui,
    palette: &Palette,
    rect: Rect,
    id: &'static str,
    what: (&'static str, f32, (f32, f32), &'static str),
) -> Option<f32> {
    let (name, value, range, _) = what;
    if rect.width() < LEAST_MEASURE {
        return None;
    }
    let width = rect.width().min(MOST_MEASURE);
    let rect = rect.with_min_x(rect.right() - width);
    let middle = rect.center().y;
    let font = text(size::SECOND);
    let ink = palette.text_second;
    // Who is within no distance of each other touches.
    let said = if name == "reach" && value == 0.0 {
        "in touch"
    } else {
        name
    };
    let name_at = ui
        .painter()
        .text(rect.left_center(), Align2::LEFT_CENTER, said, font, ink);
    let what = slider_of(id, what);
    let line = Rect::from_x_y_ranges(
        rect.right() - 76.0..=rect.right(),
        middle - 10.0..=middle + 10.0,
    );
    let typed = typed_value(ui, palette, &what, f64::from(value), line);
    let track = Rect::from_min_max(
        pos2(name_at.right() + 14.0, middle - 1.5),
        pos2(rect.right() - 84.0, middle + 1.5),
    );
    // A long name, as that of who is in touch, may leave nothing of it.
    if track.width() < LEAST_TRACK {
        return typed.map(|value| value as f32);
    }
    let handle = track.expand2(vec2(4.0, 9.0));
    place(ui.ctx(), id, handle);
    let response = ui.interact(handle, ui.id().with(id), Sense::click_and_drag());
    let (least, high): (f32, f32) = range;
    // A way that begins at nothing goes on from here by factors.
    let low = least.max(0.1);
    let span = (high / low).ln();
    let part = ((value.max(low) / low).ln() / span).clamp(0.0, 1.0);
    let painter = ui.painter();
    let x = track.left() + track.width() * part;
    painter.rect_filled(track, CornerRadius::same(2), palette.hover);
    painter.rect_filled(track.with_max_x(x), CornerRadius::same(2), palette.accent);
    painter.circle_filled(pos2(x, middle), 5.0, palette.text);
    tell_way(&response, name, f64::from(value));
    focus_ring(ui, palette, &response, handle);
    let way = asked_way(ui, &response) as f32;
    let pointed = response
        .interact_pointer_pos()
        .map(|at| (at.x - track.left()) / track.width());
    // A key press goes at least as far as one that is counted.
    let nudged = part + way * (1.05 / value.max(1.0)).ln_1p().max(0.05) / span;
    let turned = pointed.or((way != 0.0).then_some(nudged));
    let turned = turned.map(|part| match part <= 0.0 {
        true => least,
        false => low * (span * part.min(1.0)).exp(),
    });
    turned.or(typed.map(|value| value as f32))
}
