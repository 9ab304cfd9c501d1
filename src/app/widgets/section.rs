//! The captions between the parts of a panel. A click on one collapses its part, another opens it.
//!
//! Which are collapsed is the window's to keep ([`Layout`](crate::app::layout::Layout)): it tells before a frame and takes the clicks
//! after it.

use super::button::focus_ring;
use super::focus::{tell_button, tell_switch};
use super::places::place;
use super::scroll::whole_or_not;
use super::value::{elided, is_cut};
use super::values::note_section;
use crate::app::glossary;
use crate::app::palette::Palette;
use crate::app::theme::{layout, number, size, text};
use egui_macroquad::egui::{
    Color32, Context, CornerRadius, Galley, Id, Painter, Pos2, Rect, Sense, Shape, Stroke,
    StrokeKind, Ui, pos2, vec2,
};
use std::collections::BTreeSet;
use std::sync::Arc;

/// How high a caption is with the line above it, in points.
pub const SECTION: f32 = 32.0;

/// How far below its top the line of a section is, in points.
pub const SECTION_LINE: f32 = 4.0;

/// Between a caption and the words at its right end.
const GAP: f32 = 12.0;

fn collapsed_id() -> Id {
    Id::new("collapsed sections")
}

fn clicked_id() -> Id {
    Id::new("clicked sections")
}

/// Tells the sections which of them are collapsed.
pub fn know_collapsed(ctx: &Context, collapsed: &BTreeSet<String>) {
    ctx.data_mut(|data| {
        let known = data.get_temp_mut_or_default::<Arc<BTreeSet<String>>>(collapsed_id());
        if **known != *collapsed {
            *known = Arc::new(collapsed.clone());
        }
    });
}

/// The sections that were clicked since this was asked last.
pub fn take_clicked_sections(ctx: &Context) -> Vec<String> {
    ctx.data_mut(|data| std::mem::take(data.get_temp_mut_or_default(clicked_id())))
}

/// Whether what belongs to the section of this name is hidden.
pub fn is_collapsed(ctx: &Context, name: &str) -> bool {
    ctx.data_mut(|data| {
        data.get_temp_mut_or_default::<Arc<BTreeSet<String>>>(collapsed_id())
            .contains(name)
    })
}

/// A line across the panel and a caption below it; `right` stands at the right edge. Whether what belongs to it is to be shown.
#[must_use]
pub fn section(ui: &mut Ui, palette: &Palette, caption: &str, right: &str) -> bool {
    section_named(ui, palette, (caption, caption), (right, right))
}

/// A [`section`] of whose words at the right end of its line there are more than have room there: those, and all of them, which are read under
/// the cursor.
#[must_use]
pub fn section_in_short(
    ui: &mut Ui,
    palette: &Palette,
    caption: &str,
    words: (&str, &str),
) -> bool {
    section_named(ui, palette, (caption, caption), words)
}

/// A [`section`] that is known by a name of its own, because its caption changes: the name, then the caption.
#[must_use]
fn section_named(
    ui: &mut Ui,
    palette: &Palette,
    (name, caption): (&str, &str),
    right: (&str, &str),
) -> bool {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), SECTION), Sense::hover());
    let line = rect.top() + SECTION_LINE;
    let edge = rect.expand2(vec2(layout::PADDING, 0.0));
    // Where the part is cut so that nothing of the caption is seen, its line would divide what is above from nothing.
    if has_caption(rect, ui.clip_rect().bottom()) {
        ui.painter()
            .hline(edge.x_range(), line, Stroke::new(1.0, palette.line));
    }
    let is_open = folding(
        ui,
        palette,
        rect.with_min_y(line + 4.0),
        (name, caption),
        right,
    );
    // Alone it would seem to be of an empty part. Who comes to it by keys sees where he is.
    let has_keys = ui.memory(|memory| memory.has_focus(section_id(ui, name)));
    if is_open && !has_keys {
        whole_or_not(ui, pos2(rect.left(), line - 1.0), rect.bottom() + FIRST_ROW);
    }
    is_open
}

/// As much of a section says what it is about: its first row, in points.
const FIRST_ROW: f32 = 20.0;

fn section_id(ui: &Ui, name: &str) -> Id {
    ui.id().with(("section", name))
}

/// Whether enough is seen of the caption in `rect`, the line above it included, where everything ends at `bottom`: half of its letters.
fn has_caption(rect: Rect, bottom: f32) -> bool {
    rect.bottom() - 12.0 <= bottom
}

/// The first caption of a panel, with no line above it; the rest as in [`section_named`].
#[must_use]
pub fn first_section(ui: &mut Ui, palette: &Palette, names: (&str, &str), right: &str) -> bool {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 24.0), Sense::hover());
    folding(ui, palette, rect, names, (right, right))
}

/// A [`section`] whose word at the right edge does something: what the report calls it, the word, and a sentence. Whether what
/// belongs to the section is to be shown, and whether the word was clicked. No word is nothing to click.
#[must_use]
pub fn section_with(
    ui: &mut Ui,
    palette: &Palette,
    names: (&str, &str),
    word: (&str, &str, &str),
) -> (bool, bool) {
    let is_open = section_named(ui, palette, names, ("", ""));
    let rect = Rect::from_min_max(
        pos2(ui.max_rect().left(), ui.min_rect().bottom() - 24.0),
        pos2(
            ui.max_rect().left() + ui.available_width(),
            ui.min_rect().bottom(),
        ),
    );
    (is_open, word_at_right(ui, palette, rect, names.1, word))
}

/// A caption that collapses nothing, with such a word: for what is opened by a click anyway.
pub fn caption_with(
    ui: &mut Ui,
    palette: &Palette,
    caption: &str,
    word: (&str, &str, &str),
) -> bool {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 24.0), Sense::hover());
    captioned(ui, palette, rect, caption, "", palette.text_third);
    word_at_right(ui, palette, rect, caption, word)
}

/// Draws a caption that collapses what is below it, and whether that is open. Of the words at its right end all are read under the cursor where
/// some are cut, or where they stand for others.
fn folding(
    ui: &mut Ui,
    palette: &Palette,
    rect: Rect,
    (name, caption): (&str, &str),
    (right, in_full): (&str, &str),
) -> bool {
    let is_open = !is_collapsed(ui.ctx(), name);
    note_section(ui.ctx(), caption);
    let id = section_id(ui, name);
    // The triangle in the margin is part of what is clicked: it looks like the handle of it all.
    let whole = rect.with_min_x(rect.left() - layout::PADDING);
    let response = ui.interact(whole, id, Sense::click());
    place(ui.ctx(), &format!("section.{name}"), whole);
    tell_switch(&response, &format!("Section {caption}"), is_open);
    let ink = if response.hovered() {
        palette.text
    } else {
        palette.text_third
    };
    // In the margin, so that captions and rows go on standing on one edge.
    let middle = pos2(rect.left() - 7.5, rect.center().y);
    let corners = if is_open {
        [vec2(-3.0, -1.5), vec2(3.0, -1.5), vec2(0.0, 2.5)]
    } else {
        [vec2(-1.5, -3.0), vec2(-1.5, 3.0), vec2(2.5, 0.0)]
    };
    let corners = corners.map(|corner| middle + corner).to_vec();
    ui.painter()
        .add(Shape::convex_polygon(corners, ink, Stroke::NONE));
    let is_short = captioned(ui, palette, rect, caption, right, ink) || right != in_full;
    focus_ring(ui, palette, &response, rect);
    if response.clicked() {
        ui.data_mut(|data| {
            data.get_temp_mut_or_default::<Vec<String>>(clicked_id())
                .push(name.to_owned());
        });
    }
    let what = if is_open { "collapses" } else { "opens" };
    let means = glossary::caption(caption).unwrap_or_default();
    let words = format!("{means} A click {what} this part.");
    let words = words.trim_start();
    response.on_hover_text(match is_short {
        true => format!("At the right: {in_full}. {words}"),
        false => words.to_owned(),
    });
    is_open
}

/// A word at the right end of a caption that does something, and whether it was clicked.
fn word_at_right(
    ui: &mut Ui,
    palette: &Palette,
    rect: Rect,
    caption: &str,
    (id, word, help): (&str, &str, &str),
) -> bool {
    if word.is_empty() {
        return false;
    }
    let font = text(size::DESCRIPTION);
    let words = ui
        .painter()
        .layout_no_wrap(word.to_owned(), font, palette.text_third);
    let area = Rect::from_min_max(
        pos2(rect.right() - words.size().x - 14.0, rect.top()),
        rect.right_bottom() - vec2(0.0, 2.0),
    );
    let response = ui.interact(area, ui.id().with(id), Sense::click());
    place(ui.ctx(), id, area);
    tell_button(&response, &format!("{caption}: {word}"));
    let ink = if response.hovered() {
        palette.text
    } else {
        palette.text_second
    };
    // Its frame ends where all else below ends.
    let around = vec2(4.0, 1.0);
    let at = pos2(
        rect.right() - words.size().x - around.x,
        area.center().y - words.size().y / 2.0,
    );
    // It looks like what it is, something to press: beside it notes stand in the same place.
    let frame = Rect::from_min_size(at, words.size()).expand2(around);
    let fill = match response.hovered() {
        true => palette.hover,
        false => Color32::TRANSPARENT,
    };
    ui.painter().rect(
        frame,
        CornerRadius::same(4),
        fill,
        Stroke::new(1.0, palette.line),
        StrokeKind::Inside,
    );
    ui.painter().galley_with_override_text_color(at, words, ink);
    focus_ring(ui, palette, &response, area);
    let clicked = response.clicked();
    response.on_hover_text(help);
    clicked
}

/// A caption and the words at the right end of its line, which give way to it; whether some of them are not to be seen.
fn captioned(
    ui: &Ui,
    palette: &Palette,
    rect: Rect,
    caption: &str,
    right: &str,
    ink: Color32,
) -> bool {
    let left = pos2(rect.left(), rect.center().y);
    let width = spaced_capitals(ui.painter(), left, caption, ink);
    let room = rect.width() - width - GAP;
    if right.is_empty() || room < 16.0 {
        return !right.is_empty();
    }
    let font = number(size::CAPTION);
    let words = elided(ui, right, font, palette.text_third, room);
    let at = pos2(
        rect.right() - words.size().x,
        rect.center().y - words.size().y / 2.0,
    );
    let is_short = is_cut(&words, right);
    ui.painter().galley(at, words, palette.text_third);
    is_short
}

/// A caption: capitals, a little apart.
pub fn spaced_capitals(painter: &Painter, left_center: Pos2, words: &str, color: Color32) -> f32 {
    let galley = capitals(painter, words, color);
    let top = left_center.y - galley.size().y / 2.0;
    let width = galley.size().x;
    painter.galley(pos2(left_center.x, top), galley, color);
    width
}

/// How wide such a caption is.
pub fn capitals_width(painter: &Painter, words: &str) -> f32 {
    capitals(painter, words, Color32::PLACEHOLDER).size().x
}

fn capitals(painter: &Painter, words: &str, color: Color32) -> Arc<Galley> {
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
    painter.layout_job(job)
}

/// Whether the window is too low for controls at their full height: they stand closer then, so that all of them are in sight.
pub fn is_low(ui: &Ui) -> bool {
    /// In points, enough for the scene, twelve structures of one line, the knobs, the armies and the brush: a screen of 1080 is not. A scene
    /// of space, which has a row less, is asked for as much, so that no control stands elsewhere there in the same window.
    const ENOUGH: f32 = 1212.0;
    ui.ctx().screen_rect().height() < ENOUGH
}

/// Whether the window is too low for lists of two lines a row.
pub fn has_low_rows(ui: &Ui) -> bool {
    /// In points, enough for the same with structures of two lines.
    const ENOUGH: f32 = 1312.0;
    ui.ctx().screen_rect().height() < ENOUGH
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_its_caption_below_it() {
        let rect = Rect::from_min_size(pos2(0.0, 288.0), vec2(270.0, SECTION));
        assert!(!has_caption(rect, 305.0) && has_caption(rect, 309.0));
        assert!(has_caption(rect, f32::INFINITY));
    }
}
