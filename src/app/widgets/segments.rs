//! Words of which one is chosen, and words that are lit or not.

use super::button::{focus_ring, told};
use super::focus::{set_walks, tell_choice, tell_state};
use super::places::place;
use super::value::elided;
use super::values::take_wanted;
use crate::app::palette::{Palette, faded, mixed};
use crate::app::theme::{size, text};
use egui_macroquad::egui::{
    Align2, Color32, CornerRadius, Painter, Rect, Sense, Stroke, StrokeKind, Ui, WidgetType, pos2,
    vec2,
};

/// A row of words of which one is chosen. Returns the index of a newly chosen one.
pub fn segments(
    ui: &mut Ui,
    palette: &Palette,
    id: &str,
    words: &[(&str, &str)],
    chosen: Option<usize>,
    color: Color32,
) -> Option<usize> {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 24.0), Sense::hover());
    segments_in(ui, palette, id, rect, words, chosen, color)
}

/// [`segments`] in a given rectangle.
pub fn segments_in(
    ui: &mut Ui,
    palette: &Palette,
    id: &str,
    rect: Rect,
    words: &[(&str, &str)],
    chosen: Option<usize>,
    color: Color32,
) -> Option<usize> {
    let look = (chosen, color);
    segments_of_which(ui, palette, id, rect, words, look, |_| true)
}

/// [`segments_in`] of which only those can be chosen of which `may` says so: another one is pale, and its help says why.
pub fn segments_of_which(
    ui: &mut Ui,
    palette: &Palette,
    id: &str,
    rect: Rect,
    words: &[(&str, &str)],
    look: (Option<usize>, Color32),
    may: impl Fn(usize) -> bool,
) -> Option<usize> {
    let word = |ui: &Ui, index: usize, cell: Rect, ink: Color32| {
        let word = words[index].0.replace('_', " ");
        // What fits to a hair is whole.
        let room = match words_width(ui, words[index]) <= cell.width() + 0.5 {
            true => f32::INFINITY,
            false => cell.width() - LEAST_AIR,
        };
        let shown = elided(ui, &word, text(size::SECOND), ink, room);
        let is_cut = shown.elided;
        let at = Align2::CENTER_CENTER.anchor_size(cell.center(), shown.size());
        ui.painter().galley(at.min, shown, ink);
        is_cut
    };
    let cells = cells_of(ui, rect, words);
    segmented(ui, palette, id, (rect, &cells), words, (look, &may), word)
}

/// Beside a word, on both sides together, and the least of that, in points.
const AIR: f32 = 16.0;
const LEAST_AIR: f32 = 8.0;

/// How wide a row of words has to be for each of them to stand in it whole.
pub fn segments_width(ui: &Ui, words: &[(&str, &str)]) -> f32 {
    let each = words.iter().map(|word| words_width(ui, *word) + LEAST_AIR);
    each.sum()
}

fn words_width(ui: &Ui, (word, _): (&str, &str)) -> f32 {
    let (word, font) = (word.replace('_', " "), text(size::SECOND));
    let galley = ui
        .painter()
        .layout_no_wrap(word, font, Color32::PLACEHOLDER);
    galley.size().x
}

/// The cells of words: all as wide, and where one of them would fill its cell as wide as their words, and what is left alike. Where they have
/// no room together, the longest are cut.
fn cells_of(ui: &Ui, rect: Rect, words: &[(&str, &str)]) -> Vec<Rect> {
    let count = words.len().max(1) as f32;
    let widths: Vec<f32> = words.iter().map(|word| words_width(ui, *word)).collect();
    let all: f32 = widths.iter().sum();
    let most = widths.iter().copied().fold(0.0, f32::max);
    if all > rect.width() {
        let widths = widths.into_iter().map(|width| width + LEAST_AIR);
        return cells_as_wide_as(rect, cut_to(rect.width(), widths.collect()), true);
    }
    let is_tight = most + AIR > rect.width() / count;
    cells_as_wide_as(rect, widths, is_tight)
}

/// Widths that come to no more than so much, of which the greatest have become smaller, all to the same.
fn cut_to(room: f32, widths: Vec<f32>) -> Vec<f32> {
    let mut ordered = widths.clone();
    ordered.sort_by(f32::total_cmp);
    let (mut left, mut count) = (room, ordered.len());
    for width in ordered {
        let each = left / count as f32;
        if width > each {
            return widths.into_iter().map(|width| width.min(each)).collect();
        }
        left -= width;
        count -= 1;
    }
    widths
}

/// Cells beside each other: all alike, or each as wide as is told, and what is left of the rectangle alike.
fn cells_as_wide_as(rect: Rect, widths: Vec<f32>, is_tight: bool) -> Vec<Rect> {
    let count = widths.len().max(1) as f32;
    let all: f32 = widths.iter().sum();
    let mut left = rect.left();
    let cell = |width: f32| {
        let wide = match is_tight {
            true => width + (rect.width() - all) / count,
            false => rect.width() / count,
        };
        let cell = Rect::from_min_size(pos2(left, rect.top()), vec2(wide, rect.height()));
        left = cell.right();
        cell
    };
    widths.into_iter().map(cell).collect()
}

/// [`segments_in`] with pictures in the place of words: `picture` draws the one of a cell in an ink.
pub fn pictures_in(
    ui: &mut Ui,
    palette: &Palette,
    id: &str,
    rect: Rect,
    words: &[(&str, &str)],
    (chosen, color): (Option<usize>, Color32),
    picture: impl Fn(&Painter, usize, Rect, Color32),
) -> Option<usize> {
    let cells = cells_as_wide_as(rect, vec![0.0; words.len()], false);
    segmented(
        ui,
        palette,
        id,
        (rect, &cells),
        words,
        ((chosen, color), &|_| true),
        |ui, index, cell, ink| {
            picture(ui.painter(), index, cell, ink);
            false
        },
    )
}

/// A cell each, in which `draw` draws in an ink, and says whether it had to cut its word; `may` says which of them can be chosen.
fn segmented(
    ui: &mut Ui,
    palette: &Palette,
    id: &str,
    (rect, cells): (Rect, &[Rect]),
    words: &[(&str, &str)],
    ((chosen, color), may): ((Option<usize>, Color32), &dyn Fn(usize) -> bool),
    draw: impl Fn(&Ui, usize, Rect, Color32) -> bool,
) -> Option<usize> {
    let mut picked = None;
    ui.painter()
        .rect_filled(rect, CornerRadius::same(4), palette.raised);
    for (index, ((word, help), &cell)) in words.iter().zip(cells).enumerate() {
        let is_enabled = may(index);
        let sense = match is_enabled {
            true => Sense::click(),
            false => Sense::hover(),
        };
        let response = ui.interact(cell, ui.id().with((id, index)), sense);
        place(ui.ctx(), &format!("{id}.{}", word.to_lowercase()), cell);
        let on = chosen == Some(index);
        // The same words may stand for each of two sides, or of several knobs.
        let group = id.rsplit_once('.').map(|(_, of)| format!("{of}: "));
        let name = group.unwrap_or_default() + &word.replace('_', " ");
        tell_choice(&response, is_enabled, &name, on);
        if (on || index == 0)
            && chosen.is_none_or(|chosen| chosen == index)
            && take_wanted(ui.ctx(), id).is_some()
        {
            ui.scroll_to_rect(rect, None);
            set_walks(ui.ctx(), true);
            response.request_focus();
        }
        if on {
            let fill = mixed(palette.raised, color, 0.28);
            ui.painter().rect(
                cell,
                CornerRadius::same(4),
                fill,
                Stroke::new(1.0, mixed(palette.raised, color, 0.75)),
                StrokeKind::Inside,
            );
        } else if is_enabled && response.hovered() {
            ui.painter()
                .rect_filled(cell, CornerRadius::same(4), palette.hover);
        }
        focus_ring(ui, palette, &response, cell);
        let ink = match (is_enabled, on || response.hovered()) {
            (true, true) => palette.text,
            (true, false) => palette.text_third,
            (false, _) => faded(palette.text, 0.4),
        };
        let is_cut = draw(ui, index, cell, ink);
        if is_enabled && response.clicked() {
            picked = Some(index);
        }
        if is_cut {
            response.on_hover_text(told(&word.replace('_', " "), help));
        } else if !help.is_empty() {
            response.on_hover_text(*help);
        }
    }
    picked.filter(|index| chosen != Some(*index))
}

/// A switch in a chip: a word that is lit when on. Returns whether it was clicked.
pub fn switch_in(
    ui: &mut Ui,
    palette: &Palette,
    id: &str,
    rect: Rect,
    (word, name): (&str, &str),
    on: bool,
    help: &str,
) -> bool {
    let response = ui.interact(rect, ui.id().with(id), Sense::click());
    place(ui.ctx(), id, rect);
    tell_state(&response, WidgetType::Checkbox, name, on);
    if on {
        ui.painter().rect_filled(
            rect,
            CornerRadius::same(3),
            mixed(palette.panel, palette.accent, 0.2),
        );
    } else if response.hovered() {
        ui.painter()
            .rect_filled(rect, CornerRadius::same(3), palette.hover);
    }
    focus_ring(ui, palette, &response, rect);
    let ink = if on { palette.text } else { palette.text_third };
    ui.painter().text(
        rect.center(),
        Align2::CENTER_CENTER,
        word,
        text(size::SECOND),
        ink,
    );
    let clicked = response.clicked();
    response.on_hover_text(help);
    clicked
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_words_have_no_room_together_the_longest_are_cut() {
        let widths = vec![60.0, 20.0, 100.0, 30.0];
        assert_eq!(cut_to(210.0, widths.clone()), widths);
        assert_eq!(cut_to(150.0, widths.clone()), [50.0, 20.0, 50.0, 30.0]);
        assert_eq!(cut_to(40.0, widths), [10.0; 4]);
        assert!(cut_to(40.0, Vec::new()).is_empty());
    }
}
