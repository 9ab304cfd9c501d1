//! Rows of figures: a name, a value, a small line or a bar. Each says under the cursor what its name means.

use super::button::focus_ring;
use super::focus::tell_button;
use super::list::beside;
use super::polyline::without_the_unseen;
use super::scroll::lit;
use super::value::{elided, name_width, value_at_right};
use super::words::measures_together;
use crate::app::glossary::Named;
use crate::app::palette::Palette;
use crate::app::theme::{number, size, text};
use egui_macroquad::egui::{
    Align2, Color32, CornerRadius, Label, Painter, Rect, Response, RichText, Sense, Shape, Stroke,
    Ui, pos2, vec2,
};

/// A name, a value and its unit, 20 points high. A name alone is looked up in the glossary.
pub fn stat<'a>(
    ui: &mut Ui,
    palette: &Palette,
    name: impl Into<Named<'a>>,
    value: &str,
    unit: &str,
) -> Response {
    stat_with_history(ui, palette, name, value, unit, &[])
}

/// A [`stat`] with the last values as a small line between name and value.
pub fn stat_with_history<'a>(
    ui: &mut Ui,
    palette: &Palette,
    name: impl Into<Named<'a>>,
    value: &str,
    unit: &str,
    history: &[f32],
) -> Response {
    let Named { name, means } = name.into();
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 20.0), Sense::hover());
    // A value may take all but the room of its name.
    let most = (rect.width() - name_width(ui, name) - 10.0).max(rect.width() * 0.5);
    let (taken, is_cut) = value_at_right(
        ui,
        palette,
        (rect.right_center(), most),
        value,
        unit,
        palette.text,
    );
    let room = rect.width() - taken - 10.0;
    let name = elided(ui, name, text(size::LABEL), palette.text_second, room);
    let name_width = name.size().x;
    ui.painter().galley(
        pos2(rect.left(), rect.center().y - name.size().y / 2.0),
        name,
        palette.text_second,
    );
    let spark = Rect::from_min_max(
        pos2(rect.left() + 116.0, rect.top() + 5.0),
        pos2(rect.left() + 176.0, rect.bottom() - 5.0),
    );
    if history.len() > 1
        && spark.left() > rect.left() + name_width + 6.0
        && spark.right() < rect.right() - taken - 6.0
    {
        sparkline(
            ui.painter(),
            spark,
            history,
            palette.text_third,
            palette.text,
        );
    }
    let response = explained(response, means);
    if is_cut {
        return response.on_hover_text(value);
    }
    response
}

/// A [`stat`] that can be clicked: it is lit under the cursor, and `help` stands beside it.
pub fn stat_to_click(
    ui: &mut Ui,
    palette: &Palette,
    name: &str,
    (value, unit): (&str, &str),
    help: impl FnOnce(&mut Ui),
) -> Response {
    // Whether it is lit is known when its words are drawn, and they lie on it.
    let ground = ui.painter().add(Shape::Noop);
    let response = stat(ui, palette, (name, ""), value, unit).interact(Sense::click());
    let wide = lit(response.rect);
    if response.hovered() {
        let fill = Shape::rect_filled(wide, CornerRadius::same(3), palette.hover);
        ui.painter().set(ground, fill);
    }
    focus_ring(ui, palette, &response, wide);
    beside(ui, response.clone(), wide, help);
    response
}

/// A sentence that can be clicked, lit where the cursor is on it; `help` says what that does.
pub fn sentence_to_click(ui: &mut Ui, palette: &Palette, words: &str, help: &str) -> Response {
    let ground = ui.painter().add(Shape::Noop);
    let said = RichText::new(measures_together(words))
        .size(size::DESCRIPTION)
        .color(palette.text_second);
    let response = ui.add(Label::new(said).selectable(false).sense(Sense::click()));
    let wide = response.rect.expand2(vec2(6.0, 1.5));
    if response.hovered() {
        let lit = Shape::rect_filled(wide, CornerRadius::same(3), palette.hover);
        ui.painter().set(ground, lit);
    }
    focus_ring(ui, palette, &response, wide);
    tell_button(&response, words);
    response.on_hover_text(help)
}

/// Says a sentence under the cursor, where there is one.
pub fn explained(response: Response, means: &str) -> Response {
    if means.is_empty() {
        response
    } else {
        response.on_hover_text(means)
    }
}

fn sparkline(painter: &Painter, rect: Rect, values: &[f32], color: Color32, dot: Color32) {
    let (low, high) = values
        .iter()
        .fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), v| {
            (low.min(*v), high.max(*v))
        });
    let span = (high - low).max(high.abs() * 0.05).max(f32::MIN_POSITIVE);
    let points: Vec<_> = values
        .iter()
        .enumerate()
        .map(|(index, value)| {
            let x = rect.left() + rect.width() * index as f32 / (values.len() - 1) as f32;
            pos2(x, rect.bottom() - rect.height() * (value - low) / span)
        })
        .collect();
    let last = points[points.len() - 1];
    let points = without_the_unseen(points);
    painter.add(Shape::line(points, Stroke::new(1.0, color)));
    painter.circle_filled(last, 1.5, dot);
}

/// A name, a bar and a value; `part` of the track is filled.
pub fn bar<'a>(
    ui: &mut Ui,
    palette: &Palette,
    name: impl Into<Named<'a>>,
    part: f32,
    color: Color32,
    value: &str,
) -> Response {
    let Named { name, means } = name.into();
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 20.0), Sense::hover());
    ui.painter().text(
        rect.left_center(),
        Align2::LEFT_CENTER,
        name,
        text(size::SECOND),
        palette.text_second,
    );
    ui.painter().text(
        rect.right_center(),
        Align2::RIGHT_CENTER,
        value,
        number(size::LABEL),
        palette.text,
    );
    let track = Rect::from_min_max(
        pos2(rect.left() + 92.0, rect.center().y - 3.0),
        pos2(rect.right() - 96.0, rect.center().y + 3.0),
    );
    ui.painter()
        .rect_filled(track, CornerRadius::same(2), palette.hover);
    if part > 0.0 {
        let width = (track.width() * part.clamp(0.0, 1.0)).max(2.0);
        ui.painter().rect_filled(
            track.with_max_x(track.left() + width),
            CornerRadius::same(2),
            color,
        );
    }
    explained(response, means)
}

/// The part of a logarithmic bar from 1 to `most`.
pub fn log_part(value: u64, most: u64) -> f32 {
    if value == 0 {
        0.0
    } else {
        (value as f32).ln_1p() / (most.max(1) as f32).ln_1p()
    }
}
