//! How many units there are, what each side is told, and the brush.

use crate::app::palette::Palette;
use crate::app::state::App;
use crate::app::theme::{number, size, text};
use crate::app::widgets::{
    Slider, Track, elided, is_low, section, segments, segments_in, slider, with_commas,
};
use egui_macroquad::egui::{
    Align2, Color32, CornerRadius, Pos2, Rect, Sense, Shape, Stroke, Ui, pos2, vec2,
};
use skirmish::scene::Side;

/// How many there are at the start, under a caption that says how many stand. Whether what belongs to it is to be shown.
#[must_use]
pub fn unit_count(ui: &mut Ui, app: &mut App, palette: &Palette, caption: &str) -> bool {
    let alive = format!("{} alive", with_commas(app.alive()));
    if !section(ui, palette, caption, &alive) {
        return false;
    }
    let track = Track {
        min: 2.0,
        max: 1.0e6,
        logarithmic: true,
        whole: true,
    };
    let wanted = ui.make_persistent_id("units wanted");
    let pending: Option<u32> = ui.data(|data| data.get_temp(wanted));
    let at_start = pending.map_or(app.scene.unit_count(), u64::from);
    let what = Slider {
        id: "units",
        name: "units at start",
        help: "How many units there are at the start; the battle starts again with them.",
        unit: "",
        track,
    };
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
    true
}

/// By what every reach is multiplied, which is `scale` now; gives another one.
pub fn unit_reach(ui: &mut Ui, palette: &Palette, help: &str, scale: f32) -> Option<f32> {
    let track = Track {
        min: 0.0,
        max: 8.0,
        logarithmic: false,
        whole: false,
    };
    let what = Slider {
        id: "reach",
        name: "reach",
        help,
        unit: "×",
        track,
    };
    slider(ui, palette, &what, f64::from(scale)).map(|scale| scale as f32)
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
        return in_a_line(ui, palette, (side, count), &id, words, chosen);
    }
    let part = count as f32 / most.max(1) as f32;
    side_bar(ui, palette, side, name, count, part);
    let told = segments(ui, palette, &id, words, chosen, color);
    ui.add_space(4.0);
    told
}

/// So many words stand in a line with what they are about.
const FEW_WORDS: usize = 4;

/// The same in one line: where the window is low, both sides are to be seen.
fn in_a_line(
    ui: &mut Ui,
    palette: &Palette,
    (side, count): (Side, u32),
    id: &str,
    words: &[(&str, &str)],
    chosen: Option<usize>,
) -> Option<usize> {
    /// Of the arrow and of six digits.
    const HEAD: f32 = 66.0;
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 26.0), Sense::hover());
    let color = palette.side(side);
    arrow_icon(ui, pos2(rect.left() + 6.0, rect.center().y), side, color);
    let font = number(size::SECOND);
    let count = with_commas(u64::from(count));
    let count = elided(ui, &count, font, palette.text, HEAD - 22.0);
    let at = pos2(rect.left() + 17.0, rect.center().y - count.size().y / 2.0);
    ui.painter().galley(at, count, palette.text);
    response.on_hover_text("How many of this side stand, and what they are told.");
    let cells = Rect::from_min_max(
        pos2(rect.left() + HEAD, rect.top() + 1.0),
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
        pos2(rect.right() - 68.0, rect.center().y + 2.0),
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
