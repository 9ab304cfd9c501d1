//! What the panels of more than one view show: the structure and its knobs, how many units there are, what all that costs, and the
//! moments that were pinned beside it.

mod brush;
mod cost;
mod inspector;
mod pinned;
mod plots;
mod structure;
mod units;

pub use brush::brush;
pub use cost::{cost, memory, quality, screen};
pub use inspector::{hold_by_click, inspector_caption, query_rows};
pub use pinned::pinned;
pub use plots::plots;
pub use structure::{knobs, structures};
pub use units::{choices_of_side, gauges, is_unfolded};

use crate::app::widgets::is_low;
use egui_macroquad::egui::{Rect, Sense, Ui, UiBuilder, vec2};

/// Draws two sliders, the left one first: side by side where the window is low, otherwise one below the other.
pub fn side_by_side(ui: &mut Ui, mut draw: impl FnMut(&mut Ui, bool)) {
    if !is_low(ui) {
        draw(ui, true);
        return draw(ui, false);
    }
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 36.0), Sense::hover());
    let width = (rect.width() - 16.0) / 2.0;
    for (left, is_left) in [(0.0, true), (width + 16.0, false)] {
        let corner = rect.min + vec2(left, 0.0);
        let half = Rect::from_min_size(corner, vec2(width, rect.height()));
        draw(&mut ui.new_child(UiBuilder::new().max_rect(half)), is_left);
    }
}
