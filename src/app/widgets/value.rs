//! Text that fits where it stands: values at an edge, names that end in dots.

use crate::app::palette::Palette;
use crate::app::theme::{number, size, text};
use egui_macroquad::egui::{Align2, Color32, Galley, Pos2, Ui, pos2};
use std::sync::Arc;

/// How far below the top of laid out words their first line stands.
pub fn baseline(words: &Galley) -> f32 {
    let first = words.rows.first().and_then(|row| row.glyphs.first());
    first.map_or(0.0, |letter| letter.pos.y)
}

/// How wide a label is.
pub fn name_width(ui: &Ui, name: &str) -> f32 {
    ui.fonts(|fonts| {
        fonts
            .layout_no_wrap(name.to_owned(), text(size::LABEL), Color32::WHITE)
            .size()
            .x
    })
}

/// What stands for the value of several that have not the same.
pub const DIFFER: &str = "differ";

/// The unit behind a value: of one it is one. What is no word, as `ms`, stays, and what is no number has none.
pub fn unit_of<'a>(value: &str, unit: &'a str) -> &'a str {
    if value == DIFFER {
        return "";
    }
    match unit.strip_suffix('s') {
        Some(one) if value == "1" && one.len() > 3 => one,
        _ => unit,
    }
}

/// A value at the right edge with its unit behind it, in at most so much room, and the width that they took; whether the value is cut.
pub fn value_at_right(
    ui: &Ui,
    palette: &Palette,
    (right_center, most): (Pos2, f32),
    value: &str,
    unit: &str,
    color: Color32,
) -> (f32, bool) {
    let mut right = right_center;
    let (whole, unit) = (value, unit_of(value, unit));
    if !unit.is_empty() {
        let drawn = ui.painter().text(
            right,
            Align2::RIGHT_CENTER,
            unit,
            text(size::CAPTION),
            palette.text_third,
        );
        right.x = drawn.left() - 3.0;
    }
    // Of a list whole items: half a number is another number.
    let value = elided_at_word(
        ui,
        value,
        number(size::LABEL),
        color,
        most - (right_center.x - right.x),
    );
    let left = right.x - value.size().x;
    let is_cut = is_cut(&value, whole);
    ui.painter()
        .galley(pos2(left, right.y - value.size().y / 2.0), value, color);
    (right_center.x - left, is_cut)
}

/// Words in one line, cut to this width.
pub fn elided(
    ui: &Ui,
    words: &str,
    font: egui_macroquad::egui::FontId,
    color: Color32,
    width: f32,
) -> Arc<Galley> {
    let mut job =
        egui_macroquad::egui::text::LayoutJob::simple_singleline(words.to_owned(), font, color);
    job.wrap = egui_macroquad::egui::text::TextWrapping::truncate_at_width(width.max(0.0));
    ui.fonts(|fonts| fonts.layout_job(job))
}

/// Whether words are not all there: cut by a letter or by a word.
pub fn is_cut(galley: &Galley, words: &str) -> bool {
    galley.elided || galley.text() != words
}

/// Like [`elided`], but cut behind a whole word, which [`is_cut`] knows: half a word would be read as another one.
pub fn elided_at_word(
    ui: &Ui,
    words: &str,
    font: egui_macroquad::egui::FontId,
    color: Color32,
    width: f32,
) -> Arc<Galley> {
    let whole = elided(ui, words, font.clone(), color, width);
    if !whole.elided {
        return whole;
    }
    let ends = words.match_indices(' ').map(|(end, _)| end).rev();
    let mut cut =
        ends.map(|end| elided(ui, &cut_behind(&words[..end]), font.clone(), color, width));
    cut.find(|cut| !cut.elided).unwrap_or(whole)
}

/// The first words of some, and that there are more.
pub fn cut_behind(words: &str) -> String {
    let begin = words.trim_end_matches([',', ';', '·', '→', ' ']);
    // Behind an item of a list it stands for others, not for the rest of this one.
    let apart = if begin.len() < words.trim_end().len() {
        " "
    } else {
        ""
    };
    format!("{begin}{apart}…")
}
