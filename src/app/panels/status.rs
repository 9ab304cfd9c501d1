//! The status bar: what the program is doing, and the keys that matter here.

use crate::app::palette::Palette;
use crate::app::state::{App, RunMode};
use crate::app::theme::{number, size, text};
use crate::app::view::View;
use crate::app::widgets::{elided_at_word, toasts, value_has_keys, walks, with_commas};
use egui_macroquad::egui::{CornerRadius, Rect, Stroke, StrokeKind, Ui, pos2, vec2};

/// Draws the bar.
pub fn show(ui: &mut Ui, app: &App, palette: &Palette, view: &dyn View) {
    let bar = ui.max_rect();
    ui.painter().hline(
        bar.expand(14.0).x_range(),
        bar.top(),
        Stroke::new(1.0, palette.line),
    );
    let (color, time) = match app.mode {
        RunMode::Running => (palette.accent, "Running"),
        RunMode::Paused | RunMode::Step => (palette.warning, "Paused"),
    };
    // Why it stopped is said for as long as it stands there, and not for as long as what is said in passing.
    let stopped = app.stop_in_sight();
    let stopped = stopped.map(|it| format!("Stopped: {}", it.words.trim_end_matches('.')));
    // In the past, what is known goes on by itself until somebody changes something.
    let is_past = app.place.tick < app.place.end;
    let time = if is_past {
        let word = if app.mode == RunMode::Running {
            "Going over what is known"
        } else {
            "In the past"
        };
        format!(
            "{word}, tick {} of {}",
            with_commas(app.place.tick),
            with_commas(app.place.end)
        )
    } else if app.mode != RunMode::Running && app.is_dragging() {
        format!("{time}, but time passes while the character is led")
    } else {
        time.to_owned()
    };
    let time = match stopped {
        Some(stopped) if is_past => format!("{time} \u{b7} {stopped}"),
        Some(stopped) => stopped,
        None => time,
    };
    ui.painter()
        .circle_filled(bar.left_center() + vec2(3.0, 0.5), 3.0, color);
    let mut words = view.status(app, &time);
    // What it has changed may be out of sight.
    if let Some((turned, left)) = app.said_of_turn() {
        words = format!("{turned} \u{b7} {words}");
        ui.ctx().request_repaint_after(left);
    }
    if let Some(selected) = app.selected_words() {
        words = format!("{words} · {selected}");
    }
    // What is said in passing stands there for a while.
    let said = toasts(ui.ctx()).into_iter();
    let said = said
        .filter(|toast| toast.intersects(bar))
        .map(|toast| toast.left());
    let mut right = said.map(|left| left - 12.0).fold(bar.right(), f32::min);
    let (font, ink) = (text(size::DESCRIPTION), palette.text_second);
    let words = elided_at_word(ui, &words, font, ink, right - bar.left() - 14.0);
    let at = bar.left_center() + vec2(14.0, 0.5 - words.size().y / 2.0);
    let drawn = Rect::from_min_size(at, words.size());
    ui.painter().galley(at, words, ink);
    // While a value has the keyboard the digits and the point are no keys of the window.
    const OF_TYPED: &[(&str, &str)] = &[("Esc", "leave the value"), ("Enter", "take it")];
    const OF_VALUE: &[(&str, &str)] = &[
        ("Esc", "the keys back to the window"),
        ("0-9 .", "type the value anew"),
    ];
    let hints = match (value_has_keys(ui.ctx()), walks(ui.ctx())) {
        (true, true) => OF_VALUE,
        (true, false) => OF_TYPED,
        (false, _) => view.hints(app),
    };
    for (key, does) in hints {
        // The key that stops time lets it go on.
        let does = match app.mode {
            RunMode::Paused | RunMode::Step if *does == "pause" => "run",
            _ => does,
        };
        let name = ui.painter().layout_no_wrap(
            does.to_owned(),
            text(size::DESCRIPTION),
            palette.text_third,
        );
        let label = ui.painter().layout_no_wrap(
            (*key).to_owned(),
            number(size::CAPTION),
            palette.text_second,
        );
        let width = name.size().x + label.size().x + 30.0;
        if right - width < drawn.right() + 16.0 {
            break;
        }
        let at = pos2(
            right - name.size().x,
            bar.center().y - name.size().y / 2.0 + 0.5,
        );
        let key_right = at.x - 6.0;
        ui.painter().galley(at, name, palette.text_third);
        let key_box = Rect::from_min_max(
            pos2(key_right - label.size().x - 8.0, bar.center().y - 7.5),
            pos2(key_right, bar.center().y + 8.5),
        );
        ui.painter().rect_stroke(
            key_box,
            CornerRadius::same(3),
            Stroke::new(1.0, palette.strong_line),
            StrokeKind::Inside,
        );
        let at = key_box.center() - label.size() / 2.0;
        ui.painter().galley(at, label, palette.text_second);
        right -= width;
    }
}
