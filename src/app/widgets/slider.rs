//! Sliders, whose values can be dragged, nudged by keys, and typed.

use super::places::place;
use super::track::Track;
use super::value::value_at_right;
use super::words::with_commas;
use crate::app::palette::{Palette, mixed};
use crate::app::theme::{number, size, text};
use egui_macroquad::egui::{
    Align, Align2, CornerRadius, Key, Margin, Pos2, Rect, Sense, Stroke, StrokeKind, TextEdit, Ui,
    UiBuilder, pos2, vec2,
};

/// What a slider is for.
#[derive(Clone, Copy, Debug)]
pub struct Slider<'a> {
    /// What the report calls it.
    pub id: &'a str,
    /// The words beside it.
    pub name: &'a str,
    /// A sentence for its tooltip.
    pub help: &'a str,
    /// The unit of its value; empty for none.
    pub unit: &'a str,
    /// How its values lie.
    pub track: Track,
}

/// A slider, 36 points high: name and value above a thin track. Returns the new value when it changed.
pub fn slider(ui: &mut Ui, palette: &Palette, what: &Slider<'_>, value: f64) -> Option<f64> {
    let Slider {
        id,
        name,
        help,
        unit: _,
        track,
    } = *what;
    let (rect, mut response) =
        ui.allocate_exact_size(vec2(ui.available_width(), 36.0), Sense::click_and_drag());
    let line = Rect::from_min_max(
        pos2(rect.left() + 4.0, rect.top() + 26.0),
        pos2(rect.right() - 4.0, rect.top() + 29.0),
    );
    place(ui.ctx(), id, line.expand2(vec2(0.0, 6.0)));
    let mut new = None;
    // Only the lower half is the handle, so that a click on the name changes nothing.
    let on_track = response.interact_pointer_pos().is_some_and(|at| {
        response.dragged() || (at.y >= rect.top() + 16.0 && at.y <= rect.bottom())
    });
    if on_track
        && response.is_pointer_button_down_on()
        && let Some(at) = response.interact_pointer_pos()
    {
        new = Some(track.value_at(f64::from((at.x - line.left()) / line.width())));
    }
    if response.clicked() || response.dragged() {
        response.request_focus();
    }
    if response.has_focus() {
        // One percent of the track a key press.
        let (left, right) = ui.input(|input| {
            (
                input.key_pressed(Key::ArrowLeft),
                input.key_pressed(Key::ArrowRight),
            )
        });
        let way = f64::from(i8::from(right) - i8::from(left));
        if way != 0.0 {
            let nudged = track.value_at(track.part_of(value) + 0.01 * way);
            new = Some(if nudged == value {
                track.round(value + way)
            } else {
                nudged
            });
        }
    }
    let shown = new.unwrap_or(value);
    let painter = ui.painter().clone();
    let name_color = if response.hovered() {
        palette.text
    } else {
        palette.text_second
    };
    painter.text(
        pos2(rect.left(), rect.top() + 10.0),
        Align2::LEFT_CENTER,
        name,
        text(size::LABEL),
        name_color,
    );
    let place_of_value = (pos2(rect.right(), rect.top() + 10.0), rect.width() * 0.6);
    new = typed_value(ui, palette, what, shown, place_of_value).or(new);
    let part = track.part_of(shown) as f32;
    let knob = pos2(line.left() + line.width() * part, line.center().y);
    painter.rect_filled(line, CornerRadius::same(1), palette.hover);
    painter.rect_filled(
        line.with_max_x(knob.x),
        CornerRadius::same(1),
        mixed(palette.panel, palette.accent, 0.8),
    );
    painter.circle_filled(
        knob,
        if response.hovered() || response.dragged() {
            6.0
        } else {
            5.0
        },
        palette.text,
    );
    if response.has_focus() {
        painter.rect_stroke(
            rect.expand(2.0),
            CornerRadius::same(4),
            Stroke::new(1.0, palette.accent),
            StrokeKind::Outside,
        );
    }
    response = response.on_hover_text(help);
    drop(response);
    new.filter(|new| *new != value)
}

/// The value of a slider, which a click turns into a field to type into. Returns what was typed.
fn typed_value(
    ui: &mut Ui,
    palette: &Palette,
    what: &Slider<'_>,
    shown: f64,
    (right_center, most): (Pos2, f32),
) -> Option<f64> {
    let id = ui.id().with((what.id, "typed"));
    let typing: Option<String> = ui.data(|data| data.get_temp(id));
    let Some(mut typed) = typing else {
        let words = slider_value(shown, what.track);
        let width = value_at_right(
            ui,
            palette,
            (right_center, most),
            &words,
            what.unit,
            palette.text,
        );
        let area = Rect::from_min_max(
            right_center - vec2(width + 6.0, 9.0),
            right_center + vec2(2.0, 9.0),
        );
        let response = ui.interact(area, id.with("click"), Sense::click());
        place(ui.ctx(), &format!("{}.value", what.id), area);
        if response.clicked() {
            ui.data_mut(|data| data.insert_temp(id, format!("{shown}")));
        }
        response.on_hover_text("Click to type a value.");
        return None;
    };
    let area = Rect::from_min_max(
        right_center - vec2(96.0, 10.0),
        right_center + vec2(0.0, 10.0),
    );
    let edit = TextEdit::singleline(&mut typed)
        .id(id.with("edit"))
        .font(number(size::LABEL))
        .margin(Margin::symmetric(4, 1))
        .horizontal_align(Align::RIGHT);
    // A child of its own, so that the field does not move what comes below the slider.
    let response = ui
        .new_child(UiBuilder::new().max_rect(area))
        .add_sized(area.size(), edit);
    let ended = response.lost_focus();
    if !ended && !response.has_focus() {
        response.request_focus();
    }
    let given_up = ui.input(|input| input.key_pressed(Key::Escape));
    ui.data_mut(|data| {
        if ended {
            data.remove_temp::<String>(id);
        } else {
            data.insert_temp(id, typed.clone());
        }
    });
    let value = typed.replace([',', ' '], "").parse::<f64>().ok()?;
    let value = if what.track.whole {
        value.round()
    } else {
        value
    };
    (ended && !given_up && value.is_finite()).then(|| value.clamp(what.track.min, what.track.max))
}

fn slider_value(value: f64, track: Track) -> String {
    if track.whole {
        with_commas(value as u64)
    } else if value.abs() >= 100.0 {
        format!("{value:.0}")
    } else if value.abs() >= 10.0 {
        format!("{value:.1}")
    } else {
        format!("{value:.2}")
    }
}
