//! The captions between the parts of a panel.

use crate::app::palette::Palette;
use crate::app::theme::{layout, number, size, text};
use egui_macroquad::egui::{Align2, Color32, Painter, Pos2, Rect, Sense, Stroke, Ui, pos2, vec2};

/// A line across the panel and a caption below it; `right` stands at the right edge.
pub fn section(ui: &mut Ui, palette: &Palette, caption: &str, right: &str) {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 32.0), Sense::hover());
    let line = rect.top() + 4.0;
    let edge = rect.expand2(vec2(layout::PADDING, 0.0));
    ui.painter()
        .hline(edge.x_range(), line, Stroke::new(1.0, palette.line));
    captioned(ui, palette, rect.with_min_y(line + 4.0), caption, right);
}

/// The first caption of a panel, with no line above it.
pub fn first_section(ui: &mut Ui, palette: &Palette, caption: &str, right: &str) {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 24.0), Sense::hover());
    captioned(ui, palette, rect, caption, right);
}

fn captioned(ui: &Ui, palette: &Palette, rect: Rect, caption: &str, right: &str) {
    spaced_capitals(
        ui.painter(),
        pos2(rect.left(), rect.center().y),
        caption,
        palette.text_third,
    );
    ui.painter().text(
        rect.right_center(),
        Align2::RIGHT_CENTER,
        right,
        number(size::CAPTION),
        palette.text_third,
    );
}

/// A caption: capitals, a little apart.
pub fn spaced_capitals(painter: &Painter, left_center: Pos2, words: &str, color: Color32) -> f32 {
    let mut job = egui_macroquad::egui::text::LayoutJob::default();
    job.append(
        &words.to_uppercase(),
        0.0,
        egui_macroquad::egui::TextFormat {
            font_id: text(size::CAPTION),
            extra_letter_spacing: 0.9,
            color,
            ..Default::default()
        },
    );
    let galley = painter.layout_job(job);
    let top = left_center.y - galley.size().y / 2.0;
    let width = galley.size().x;
    painter.galley(pos2(left_center.x, top), galley, color);
    width
}

/// Whether the window is too low for all that the panel could say: the controls come first then.
pub fn is_low(ui: &Ui) -> bool {
    /// In points, enough for eleven structures of two lines, the knobs, and the number of units.
    const ENOUGH: f32 = 960.0;
    ui.ctx().screen_rect().height() < ENOUGH
}
