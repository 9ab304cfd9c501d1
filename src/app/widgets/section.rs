//! The captions between the parts of a panel.

use super::button::focus_ring;
use super::focus::tell;
use super::places::place;
use crate::app::glossary;
use crate::app::palette::Palette;
use crate::app::theme::{layout, number, size, text};
use egui_macroquad::egui::{
    Align2, Color32, Painter, Pos2, Rect, Sense, Stroke, Ui, WidgetType, pos2, vec2,
};

/// A line across the panel and a caption below it; `right` stands at the right edge.
pub fn section(ui: &mut Ui, palette: &Palette, caption: &str, right: &str) {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 32.0), Sense::hover());
    let line = rect.top() + 4.0;
    let edge = rect.expand2(vec2(layout::PADDING, 0.0));
    ui.painter()
        .hline(edge.x_range(), line, Stroke::new(1.0, palette.line));
    captioned(ui, palette, rect.with_min_y(line + 4.0), caption, right);
    if let Some(means) = glossary::caption(caption) {
        response.on_hover_text(means);
    }
}

/// A [`section`] whose word at the right edge does something: what the report calls it, the word, and a sentence. Whether it was
/// clicked. No word is nothing to click.
pub fn section_with(
    ui: &mut Ui,
    palette: &Palette,
    caption: &str,
    (id, word, help): (&str, &str, &str),
) -> bool {
    section(ui, palette, caption, "");
    if word.is_empty() {
        return false;
    }
    let below = ui.min_rect().bottom();
    let font = text(size::DESCRIPTION);
    let words = ui
        .painter()
        .layout_no_wrap(word.to_owned(), font, palette.text_third);
    let right = ui.max_rect().left() + ui.available_width();
    let rect = Rect::from_min_max(
        pos2(right - words.size().x - 10.0, below - 24.0),
        pos2(right + 4.0, below - 2.0),
    );
    let response = ui.interact(rect, ui.id().with(id), Sense::click());
    place(ui.ctx(), id, rect);
    tell(
        &response,
        WidgetType::Button,
        true,
        &format!("{caption}: {word}"),
    );
    let ink = if response.hovered() {
        palette.text
    } else {
        palette.text_second
    };
    let at = pos2(
        right - words.size().x,
        rect.center().y - words.size().y / 2.0,
    );
    ui.painter().galley_with_override_text_color(at, words, ink);
    focus_ring(ui, palette, &response, rect);
    let clicked = response.clicked();
    response.on_hover_text(help);
    clicked
}

/// The first caption of a panel, with no line above it.
pub fn first_section(ui: &mut Ui, palette: &Palette, caption: &str, right: &str) {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 24.0), Sense::hover());
    captioned(ui, palette, rect, caption, right);
    if let Some(means) = glossary::caption(caption) {
        response.on_hover_text(means);
    }
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
