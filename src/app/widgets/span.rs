//! A slider with two ends.

use super::places::place;
use super::slider::{asked_way, knob, named, track_in, track_of};
use super::track::Slider;
use super::value::value_at_right;
use crate::app::palette::Palette;
use egui_macroquad::egui::{Rect, Response, Sense, Stroke, Ui, WidgetInfo, pos2, vec2};

/// A slider with two ends, 36 points high: name and words above a thin track. Returns both values when one of them changed; the
/// lower one never passes the upper one.
pub fn span(
    ui: &mut Ui,
    palette: &Palette,
    what: &Slider<'_>,
    words: &str,
    (low, high): (f64, f64),
) -> Option<(f64, f64)> {
    let (rect, whole) = ui.allocate_exact_size(vec2(ui.available_width(), 36.0), Sense::hover());
    whole.on_hover_text(what.help);
    let line = track_in(rect);
    let x_of = |value: f64| line.left() + line.width() * what.track.part_of(value) as f32;
    // Whatever is nearer to one end is that end's.
    let border = (x_of(low) + x_of(high)) / 2.0;
    let reach = line.expand2(vec2(4.0, 6.0));
    let ends = [
        (
            "from",
            low,
            reach.with_max_x(border.max(reach.left() + 4.0)),
        ),
        (
            "to",
            high,
            reach.with_min_x(border.min(reach.right() - 4.0)),
        ),
    ];
    let [from, to] = ends.map(|(end, value, area)| {
        let id = format!("{}.{end}", what.id);
        let response = ui.interact(area, ui.id().with(&id), Sense::click_and_drag());
        response.widget_info(|| WidgetInfo::slider(true, value, format!("{} {end}", what.name)));
        let at = pos2(x_of(value), line.center().y);
        place(ui.ctx(), &id, Rect::from_center_size(at, vec2(12.0, 12.0)));
        let value = moved(ui, what, line, &response, value);
        (response, value)
    });
    let new = (from.1.min(high), to.1.max(low));

    let painter = ui.painter().clone();
    let is_hot = from.0.hovered() || to.0.hovered();
    named(&painter, palette, rect, what.name, is_hot);
    let right_center = pos2(rect.right(), rect.top() + 10.0);
    let place_of_value = (right_center, rect.width() * 0.6);
    value_at_right(ui, palette, place_of_value, words, what.unit, palette.text);
    track_of(&painter, palette, line, x_of(new.0)..=x_of(new.1));
    for (response, value) in [(&from.0, new.0), (&to.0, new.1)] {
        let at = pos2(x_of(value), line.center().y);
        let radius = knob(&painter, palette, at, response);
        if response.has_focus() {
            painter.circle_stroke(at, radius + 3.0, Stroke::new(1.0, palette.accent));
        }
    }
    (new != (low, high)).then_some(new)
}

/// The value to which an end is brought by the pointer or by the arrow keys.
fn moved(ui: &Ui, what: &Slider<'_>, line: Rect, response: &Response, value: f64) -> f64 {
    if response.clicked() || response.dragged() {
        response.request_focus();
    }
    if response.is_pointer_button_down_on()
        && let Some(at) = response.interact_pointer_pos()
    {
        let part = f64::from((at.x - line.left()) / line.width());
        return what.track.value_at(part);
    }
    let way = asked_way(ui, response);
    if way == 0.0 {
        return value;
    }
    what.track.round(value + way)
}
