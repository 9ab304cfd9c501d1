//! How many units there are, what each side is told, and the brush.

use crate::app::commands::Command;
use crate::app::common_values::CommonValue;
use crate::app::palette::Palette;
use crate::app::state::App;
use crate::app::theme::{number, size, text};
use crate::app::widgets::{
    Slider, elided, focus_ring, found_once, is_cut, is_low, metres, place, section, segments,
    segments_in, side_by_side, slider, tell_button, told, with_commas,
};
use egui_macroquad::egui::{
    Align2, Color32, CornerRadius, FontId, Id, Pos2, Rect, Sense, Shape, Stroke, Ui, pos2, vec2,
};
use skirmish::scene::{Muster, Scene, Side};
use skirmish::session::BodySize;
use std::sync::Arc;

/// A caption that says how many stand. Whether what belongs to it is to be shown.
#[must_use]
pub fn is_unfolded(ui: &mut Ui, app: &App, palette: &Palette, caption: &str) -> bool {
    let alive = format!("{} alive", with_commas(app.alive()));
    section(ui, palette, caption, &alive)
}

/// How many there are at the start, by what every reach is multiplied, which is `scale` now, how far apart they try to keep on a plane,
/// and how large bodies are. `help` says what the reach is.
pub fn gauges(ui: &mut Ui, app: &mut App, palette: &Palette, help: &str, scale: f32) {
    let (pairs, is_least) = app.pair_reach();
    let why = match is_least {
        true => ": units keep so far apart, and need to know of each other whatever their reach",
        false if pairs == 0.0 => ": only who touches or overlaps is one",
        false => "",
    };
    let pairs = metres(pairs);
    // Where it makes no difference the value says what counts, and not the tooltip alone.
    let unit = match is_short(app, scale) {
        true => format!("×, pairs to {pairs} m"),
        false => "×".to_owned(),
    };
    let help = format!("{help} Pairs are looked for up to {pairs} m from edge to edge now{why}.");
    side_by_side(ui, |ui, is_left| {
        if is_left {
            count(ui, app, palette);
        } else if let Some(scale) = reach(ui, palette, [&help, &unit], scale) {
            app.set_reach(scale);
        }
    });
    if !CommonValue::KeepApart.is_there(app) {
        return bodies(ui, app, palette);
    }
    // A track ends above the foot of its row, and so close both armies' orders are in sight below where the window is low.
    let closer = |ui: &mut Ui, points: f32| {
        if is_low(ui) {
            ui.add_space(-points);
        }
    };
    closer(ui, 4.0);
    side_by_side(ui, |ui, is_left| {
        if is_left {
            keep_apart(ui, app, palette);
        } else {
            bodies(ui, app, palette);
        }
    });
    closer(ui, 6.0);
}

fn keep_apart(ui: &mut Ui, app: &mut App, palette: &Palette) {
    /// In less room than this the name takes that of the unit, in points.
    const ROOM: f32 = 110.0;
    let what = CommonValue::KeepApart;
    let plain = what.slider();
    let unit = match ui.available_width() >= ROOM {
        true => plain.unit,
        false => "",
    };
    if let Some(metres) = slider(ui, palette, &Slider { unit, ..plain }, what.of(app)) {
        what.set(app, metres);
    }
}

fn count(ui: &mut Ui, app: &mut App, palette: &Palette) {
    let wanted = ui.make_persistent_id("units wanted");
    let pending: Option<u32> = ui.data(|data| data.get_temp(wanted));
    let at_start = pending.map_or(app.scene.unit_count(), u64::from);
    let what = CommonValue::Units.slider();
    let moved = slider(ui, palette, &what, at_start as f64).map(|count| count as u32);
    // A battle of a million is not set up anew for every pixel of a drag.
    match moved.or(pending) {
        Some(count) if ui.input(|input| input.pointer.any_down()) => {
            ui.data_mut(|data| data.insert_temp(wanted, count))
        }
        Some(count) => {
            ui.data_mut(|data| data.remove_temp::<u32>(wanted));
            app.set_unit_count(count);
        }
        None => {}
    }
}

/// Whether nobody of a battle strikes as far as pairs are looked for.
fn is_short(app: &App, scale: f32) -> bool {
    let armies = app.scene.armies.iter();
    let armies = armies.filter(|army| army.present_count() > 0);
    let reaches = armies.map(|army| army.reach * scale);
    app.flight.is_none()
        && reaches
            .reduce(f32::max)
            .is_some_and(|longest| longest < app.battle.keep_apart())
}

/// In less room than this a value has no words behind it, in points: side by side with another one.
const ROOM: f32 = 180.0;

fn reach(ui: &mut Ui, palette: &Palette, [help, unit]: [&str; 2], scale: f32) -> Option<f32> {
    let plain = CommonValue::Reach.slider();
    let unit = match ui.available_width() >= ROOM {
        true => unit,
        false => plain.unit,
    };
    let what = Slider {
        help,
        unit,
        ..plain
    };
    slider(ui, palette, &what, f64::from(scale)).map(|scale| scale as f32)
}

/// How large bodies are: a row that opens the page on which that is set.
fn bodies(ui: &mut Ui, app: &mut App, palette: &Palette) {
    let half = |half: f32| metres(2.0 * half);
    let words = match bodies_of(ui, &app.scene) {
        None => "of several kinds".to_owned(),
        Some(BodySize::Point) => "points".to_owned(),
        Some(BodySize::Alike(side)) => format!("{} m wide", half(side)),
        Some(BodySize::Between(least, greatest)) => {
            format!("{} to {} m wide", half(least), half(greatest))
        }
        Some(BodySize::Pareto(least, greatest, _)) => {
            format!("Pareto, {} to {} m", half(least), half(greatest))
        }
    };
    let help =
        "How large the bodies of units are, and the field on which they stand. Click to set it.";
    let range = words.trim_start_matches("Pareto, ");
    let range = range.trim_end_matches(" wide");
    if row_that_opens(ui, palette, "bodies", [&words, range], help) {
        app.run(Command::Describe);
    }
}

/// How large they are; found out once for a scene, since each of its units may have a size of its own.
fn bodies_of(ui: &Ui, scene: &Arc<Scene>) -> Option<BodySize> {
    let id = Id::new("bodies of the scene");
    found_once(ui.ctx(), id, scene, &(), || BodySize::of(scene)).value
}

/// A name and what stands for it, which is a button: behind the name, or below it in half a row, in a short form where all of it has no room
/// there. Whether it was pressed.
fn row_that_opens(
    ui: &mut Ui,
    palette: &Palette,
    name: &str,
    [all, short]: [&str; 2],
    help: &str,
) -> bool {
    let width = ui.available_width();
    let is_half = width < ROOM;
    // As high as the slider beside it, and with its name as high.
    let (height, line) = if is_half { (36.0, 10.0) } else { (22.0, 11.0) };
    let (rect, response) = ui.allocate_exact_size(vec2(width, height), Sense::click());
    place(ui.ctx(), name, rect);
    tell_button(&response, &format!("{name}: {all}"));
    focus_ring(ui, palette, &response, rect.expand2(vec2(4.0, 0.0)));
    let ink = if response.hovered() {
        palette.accent
    } else {
        palette.text
    };
    let painter = ui.painter();
    let left = painter.text(
        pos2(rect.left(), rect.top() + line),
        Align2::LEFT_CENTER,
        name,
        text(size::LABEL),
        palette.text_second,
    );
    let tip = pos2(rect.right() - 1.0, rect.top() + line);
    let line = Stroke::new(1.2, palette.text_third);
    painter.line_segment([tip - vec2(4.0, 4.0), tip], line);
    painter.line_segment([tip - vec2(4.0, -4.0), tip], line);
    let beside = rect.right() - 12.0 - left.right() - 10.0;
    let lay_out = |words: &str, high: f32, room: f32| elided(ui, words, number(high), ink, room);
    let whole = lay_out(all, size::SECOND, width);
    // In a half it stands below its name where it has no room beside it, and in smaller letters, or shorter, before it is cut.
    let (words, at) = if is_half && whole.size().x > beside {
        let less = [(all, size::CAPTION), (short, size::SECOND)];
        let mut less = less
            .map(|(words, high)| lay_out(words, high, width))
            .into_iter();
        let words = match whole.elided {
            true => less.find(|words| !words.elided).unwrap_or(whole),
            false => whole,
        };
        let at = pos2(rect.left(), rect.top() + 22.0 - words.size().y / 2.0);
        (words, at)
    } else {
        let words = lay_out(all, size::SECOND, beside);
        let back = vec2(12.0 + words.size().x, words.size().y / 2.0);
        (words, pos2(rect.right(), left.center().y) - back)
    };
    // What is cut is read whole where the pointer rests.
    let help = match is_cut(&words, all) {
        true => told(all, help),
        false => help.to_owned(),
    };
    ui.painter().galley(at, words, ink);
    let clicked = response.clicked();
    response.on_hover_text(help);
    clicked
}

/// A side: how many of it stand, of the `most` of either, and what it is told; gives what else it is to be told.
pub fn choices_of_side(
    ui: &mut Ui,
    palette: &Palette,
    (side, name): (Side, &str),
    (count, most): (u32, u64),
    words: &[(&str, &str)],
    chosen: Option<usize>,
) -> Option<usize> {
    let id = format!("order.{name}");
    let color = palette.side(side);
    if is_low(ui) && words.len() <= FEW_WORDS {
        return in_a_line(ui, palette, (side, count, most), &id, words, chosen);
    }
    let part = count as f32 / most.max(1) as f32;
    side_bar(ui, palette, side, name, count, part);
    let told = segments(ui, palette, &id, words, chosen, color);
    ui.add_space(4.0);
    told
}

/// So many words stand in a line with what they are about.
const FEW_WORDS: usize = 4;

/// Before a count in a line, for its arrow, and behind it, in points.
const ARROW: f32 = 17.0;
const BEHIND: f32 = 5.0;

/// In which font the counts of both sides stand before what they are told, and where that begins: as many as there are of the larger
/// one, in digits that are read whole.
fn head(ui: &Ui, most: u64) -> (FontId, f32) {
    /// Of the arrow and of five digits.
    const USUAL: f32 = 66.0;
    let needed = |font: &FontId| {
        let digits = with_commas(most);
        let galley = ui
            .painter()
            .layout_no_wrap(digits, font.clone(), Color32::WHITE);
        ARROW + galley.size().x + BEHIND
    };
    let font = number(size::SECOND);
    if needed(&font) <= USUAL {
        return (font, USUAL);
    }
    // Six digits and more are smaller, so that the words keep their room.
    let font = number(size::CAPTION);
    let needed = needed(&font);
    (font, needed.max(USUAL))
}

/// The same in one line: where the window is low, both sides are to be seen.
fn in_a_line(
    ui: &mut Ui,
    palette: &Palette,
    (side, count, most): (Side, u32, u64),
    id: &str,
    words: &[(&str, &str)],
    chosen: Option<usize>,
) -> Option<usize> {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 24.0), Sense::hover());
    let color = palette.side(side);
    arrow_icon(ui, pos2(rect.left() + 6.0, rect.center().y), side, color);
    let (font, head) = head(ui, most);
    let count = with_commas(u64::from(count));
    let count = elided(ui, &count, font, palette.text, head - ARROW);
    let at = pos2(rect.left() + ARROW, rect.center().y - count.size().y / 2.0);
    ui.painter().galley(at, count, palette.text);
    response.on_hover_text("How many of this side stand, and what they are told.");
    let cells = Rect::from_min_max(
        pos2(rect.left() + head, rect.top() + 1.0),
        rect.max - vec2(0.0, 1.0),
    );
    segments_in(ui, palette, id, cells, words, chosen, color)
}

fn side_bar(ui: &mut Ui, palette: &Palette, side: Side, name: &str, count: u32, part: f32) {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 26.0), Sense::hover());
    let color = palette.side(side);
    arrow_icon(ui, pos2(rect.left() + 6.0, rect.center().y), side, color);
    ui.painter().text(
        pos2(rect.left() + 22.0, rect.center().y),
        Align2::LEFT_CENTER,
        name,
        text(size::LABEL),
        palette.text,
    );
    let track = Rect::from_min_max(
        pos2(rect.left() + 72.0, rect.center().y - 2.0),
        pos2(rect.right() - 76.0, rect.center().y + 2.0),
    );
    ui.painter()
        .rect_filled(track, CornerRadius::same(2), palette.hover);
    ui.painter().rect_filled(
        track.with_max_x(track.left() + track.width() * part),
        CornerRadius::same(2),
        color,
    );
    ui.painter().text(
        rect.right_center(),
        Align2::RIGHT_CENTER,
        with_commas(u64::from(count)),
        number(size::LABEL),
        palette.text,
    );
}

/// A unit as it is drawn on the field.
fn arrow_icon(ui: &Ui, at: Pos2, side: Side, color: Color32) {
    let way = if side == Side::Blue { 1.0 } else { -1.0 };
    let corners = vec![
        at + vec2(6.0 * way, 0.0),
        at + vec2(-5.0 * way, 3.6),
        at + vec2(-5.0 * way, -3.6),
    ];
    ui.painter()
        .add(Shape::convex_polygon(corners, color, Stroke::NONE));
}
