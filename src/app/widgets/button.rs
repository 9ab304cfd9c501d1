//! Push buttons, and the line around what has the keyboard.

use super::places::place;
use crate::app::palette::Palette;
use crate::app::theme::{size, text};
use egui_macroquad::egui::{
    Align2, CornerRadius, Rect, Response, Sense, Stroke, StrokeKind, Ui, vec2,
};

/// A push button, as wide as its words. Returns whether it was clicked.
pub fn button(ui: &mut Ui, palette: &Palette, id: &str, word: &str, help: &str) -> bool {
    let width = ui.fonts(|fonts| {
        fonts
            .layout_no_wrap(word.to_owned(), text(size::SECOND), palette.text)
            .size()
            .x
    }) + 20.0;
    let (rect, response) = ui.allocate_exact_size(vec2(width, 24.0), Sense::click());
    place(ui.ctx(), id, rect);
    let fill = if response.hovered() {
        palette.hover
    } else {
        palette.raised
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
        palette.text,
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
