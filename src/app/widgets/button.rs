//! Push buttons, and the line around what has the keyboard.

use super::focus::tell;
use super::places::place;
use crate::app::palette::{Palette, faded};
use crate::app::theme::{size, text};
use egui_macroquad::egui::{
    Align2, Color32, CornerRadius, Rect, Response, Sense, Stroke, StrokeKind, Ui, WidgetType, vec2,
};

/// A push button, as wide as its words. Returns whether it was clicked.
pub fn button(ui: &mut Ui, palette: &Palette, id: &str, word: &str, help: &str) -> bool {
    let width = button_width(ui, word);
    let (rect, _) = ui.allocate_exact_size(vec2(width, 24.0), Sense::hover());
    button_in(ui, palette, id, rect, (word, help), true)
}

/// How wide a push button is.
pub fn button_width(ui: &Ui, word: &str) -> f32 {
    let words = ui.fonts(|fonts| {
        let font = text(size::SECOND);
        fonts.layout_no_wrap(word.to_owned(), font, Color32::PLACEHOLDER)
    });
    words.size().x + 20.0
}

/// [`button`] in a given rectangle; one that is not enabled is pale, and its help says why.
pub fn button_in(
    ui: &mut Ui,
    palette: &Palette,
    id: &str,
    rect: Rect,
    (word, help): (&str, &str),
    enabled: bool,
) -> bool {
    let sense = if enabled {
        Sense::click()
    } else {
        Sense::hover()
    };
    let response = ui.interact(rect, ui.id().with(id), sense);
    place(ui.ctx(), id, rect);
    tell(&response, WidgetType::Button, enabled, word);
    let (fill, ink) = match (enabled, response.hovered()) {
        (true, true) => (palette.hover, palette.text),
        (true, false) => (palette.raised, palette.text),
        (false, _) => (palette.raised, faded(palette.text, 0.4)),
    };
    ui.painter().rect(
        rect,
        CornerRadius::same(4),
        fill,
        Stroke::new(1.0, palette.strong_line),
        StrokeKind::Inside,
    );
    focus_ring(ui, palette, &response, rect);
    ui.painter().text(
        rect.center(),
        Align2::CENTER_CENTER,
        word,
        text(size::SECOND),
        ink,
    );
    let clicked = enabled && response.clicked();
    if !help.is_empty() {
        response.on_hover_text(help);
    }
    clicked
}

/// A button without a border, in a row of its own meaning: a sign that is lit under the pointer. Returns whether it was clicked.
pub fn cell_button(
    ui: &mut Ui,
    palette: &Palette,
    id: &str,
    rect: Rect,
    (sign, help): (&str, &str),
) -> bool {
    let response = ui.interact(rect, ui.id().with(id), Sense::click());
    place(ui.ctx(), id, rect);
    tell(&response, WidgetType::Button, true, help);
    let ink = if response.hovered() {
        palette.text
    } else {
        palette.text_third
    };
    if response.hovered() {
        ui.painter()
            .rect_filled(rect, CornerRadius::same(3), palette.hover);
    }
    focus_ring(ui, palette, &response, rect);
    ui.painter().text(
        rect.center(),
        Align2::CENTER_CENTER,
        sign,
        text(size::SECOND),
        ink,
    );
    let clicked = response.clicked();
    response.on_hover_text(help);
    clicked
}

/// What has the keyboard says so by a line around it.
pub fn focus_ring(ui: &Ui, palette: &Palette, response: &Response, rect: Rect) {
    if response.has_focus() {
        ui.painter().rect_stroke(
            rect.expand(1.0),
            CornerRadius::same(4),
            Stroke::new(1.0, palette.accent),
            StrokeKind::Outside,
        );
    }
}
