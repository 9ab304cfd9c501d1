//! Two sliders that share a row.

use super::is_low;
use egui_macroquad::egui::{Rect, Sense, Ui, UiBuilder, vec2};

/// Draws two sliders, the left one first: side by side where the window is low, otherwise one below the other.
pub fn side_by_side(ui: &mut Ui, mut draw: impl FnMut(&mut Ui, bool)) {
    if !is_low(ui) {
        draw(ui, true);
        return draw(ui, false);
    }
    halves(ui, draw);
}

/// Draws two sliders side by side, the left one first.
pub fn halves(ui: &mut Ui, mut draw: impl FnMut(&mut Ui, bool)) {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 36.0), Sense::hover());
    let width = (rect.width() - 16.0) / 2.0;
    for (left, is_left) in [(0.0, true), (width + 16.0, false)] {
        let corner = rect.min + vec2(left, 0.0);
        let half = Rect::from_min_size(corner, vec2(width, rect.height()));
        draw(&mut ui.new_child(UiBuilder::new().max_rect(half)), is_left);
    }
}
