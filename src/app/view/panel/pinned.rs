//! Pinned moments: a column of what one of them cost beside the present, and by how many per cent the present differs.

use crate::app::glossary;
use crate::app::palette::Palette;
use crate::app::pins::{Row, rows};
use crate::app::state::App;
use crate::app::theme::{number, size, text};
use crate::app::widgets::{FADE, button, elided, place, section, segments, with_commas};
use egui_macroquad::egui::style::ScrollAnimation;
use egui_macroquad::egui::{Align, Align2, Rect, Sense, Ui, pos2, vec2};

/// The column, where there is a pin; a new one comes into sight, once.
pub fn pinned(ui: &mut Ui, app: &mut App, palette: &Palette) {
    let top = ui.cursor().top();
    column(ui, app, palette);
    if !app.pins.is_empty() && std::mem::take(&mut app.pin_is_new) {
        let whole = Rect::from_x_y_ranges(ui.max_rect().x_range(), top..=ui.cursor().top());
        // Of one that is higher than the panel, its head.
        let is_high = whole.height() > ui.clip_rect().height();
        let align = is_high.then_some(Align::TOP);
        // And what is at its edges is not faded.
        let whole = whole.expand2(vec2(0.0, FADE));
        ui.scroll_to_rect_animation(whole, align, ScrollAnimation::none());
    }
}

fn column(ui: &mut Ui, app: &mut App, palette: &Palette) {
    let Some((pin, is_known)) = app.pins.get(app.pin) else {
        return;
    };
    let cut = if *is_known { "" } else { ", cut" };
    let title = format!("tick {}{cut}", with_commas(pin.tick));
    if !section(ui, palette, "pinned", &title) {
        return;
    }
    let structure = pin.choice.kind.info().name;
    let knobs: Vec<String> = pin
        .choice
        .knobs
        .iter()
        .map(|(knob, value)| {
            let knob = &pin.choice.kind.info().knobs[*knob];
            format!("{} {} {}", knob.name, knob.format(*value), knob.unit)
                .trim_end()
                .to_owned()
        })
        .collect();
    let rows = rows(app, pin);
    let what = if knobs.is_empty() {
        structure.to_owned()
    } else {
        format!("{structure}, {}", knobs.join(", "))
    };
    head(ui, palette, &format!("vs {what}"));
    for row in rows {
        line(ui, palette, &row);
    }
    ui.add_space(4.0);
    choices(ui, app, palette);
}

/// Where the columns end, from the right edge.
const COLUMNS: [f32; 3] = [0.0, 56.0, 134.0];

fn head(ui: &mut Ui, palette: &Palette, what: &str) {
    let width = ui.available_width();
    let (rect, response) = ui.allocate_exact_size(vec2(width, 18.0), Sense::hover());
    let font = text(size::DESCRIPTION);
    let name = elided(ui, what, font, palette.text, rect.width() - 190.0);
    let at = rect.left_center() - vec2(0.0, name.size().y / 2.0);
    ui.painter().galley(at, name, palette.text);
    for (word, from_right) in ["", "pinned", "now"].into_iter().zip(COLUMNS) {
        ui.painter().text(
            pos2(rect.right() - from_right, rect.center().y),
            Align2::RIGHT_CENTER,
            word,
            text(size::CAPTION),
            palette.text_third,
        );
    }
    response.on_hover_text(what);
}

fn line(ui: &mut Ui, palette: &Palette, row: &Row) {
    let width = ui.available_width();
    let (rect, response) = ui.allocate_exact_size(vec2(width, 20.0), Sense::hover());
    place(ui.ctx(), &format!("pinned.{}", row.name), rect);
    let painter = ui.painter();
    painter.text(
        rect.left_center(),
        Align2::LEFT_CENTER,
        row.name,
        text(size::LABEL),
        palette.text_second,
    );
    let written = |value: Option<f64>| value.map_or("–".to_owned(), row.write);
    let (difference, color) = match row.difference() {
        None => ("–".to_owned(), palette.text_third),
        Some(percent) if percent.abs() < 0.05 => ("±0 %".to_owned(), palette.text_third),
        Some(percent) => {
            let sign = if percent > 0.0 { "+" } else { "−" };
            let size = percent.abs();
            let words = match size {
                size if size >= 1000.0 => format!("{sign}{}k %", (size / 1000.0).round()),
                size if size >= 10.0 => format!("{sign}{size:.0} %"),
                size => format!("{sign}{size:.1} %"),
            };
            // More cost is worse; more pairs or units are neither.
            let is_cost = !matches!(row.name, "pairs" | "units");
            let color = match is_cost {
                true if percent < 0.0 => palette.accent,
                true => palette.warning,
                false => palette.text_second,
            };
            (words, color)
        }
    };
    for (words, from_right, color) in [
        (difference, COLUMNS[0], color),
        (written(row.pinned), COLUMNS[1], palette.text_second),
        (written(row.now), COLUMNS[2], palette.text),
    ] {
        painter.text(
            pos2(rect.right() - from_right, rect.center().y),
            Align2::RIGHT_CENTER,
            words,
            number(size::DESCRIPTION),
            color,
        );
    }
    response.on_hover_text(glossary::means("", row.name));
}

/// Which pin it is, and what can be done with it.
fn choices(ui: &mut Ui, app: &mut App, palette: &Palette) {
    if app.pins.len() > 1 {
        let ticks: Vec<String> = app
            .pins
            .iter()
            .map(|(pin, _)| with_commas(pin.tick))
            .collect();
        let words: Vec<(&str, &str)> = ticks
            .iter()
            .map(|tick| (tick.as_str(), "Compare with what was pinned at this tick."))
            .collect();
        let chosen = Some(app.pin);
        if let Some(picked) = segments(ui, palette, "pin", &words, chosen, palette.accent) {
            app.pin = picked;
        }
        ui.add_space(4.0);
    }
    ui.horizontal(|ui| {
        let help = "Go to the pinned tick.";
        if button(ui, palette, "pin.go", "Go there", help) {
            app.go_to_pin();
        }
        let help = "Take this pin away.";
        if button(ui, palette, "pin.drop", "Unpin", help) {
            app.unpin();
        }
    });
    ui.add_space(4.0);
}
