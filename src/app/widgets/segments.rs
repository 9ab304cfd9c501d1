//! Words of which one is chosen, and words that are lit or not.

use super::button::focus_ring;
use super::focus::{set_walks, tell_state};
use super::places::place;
use super::values::take_wanted;
use crate::app::palette::{Palette, mixed};
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
    let word = |painter: &Painter, index: usize, cell: Rect, ink: Color32| {
        let (word, _): (&str, _) = words[index];
        painter.text(
            cell.center(),
            Align2::CENTER_CENTER,
            word.replace('_', " "),
            text(size::SECOND),
            ink,
        );
    };
    let cells = cells_of(ui, rect, words);
    segmented(
        ui,
        palette,
        id,
        (rect, &cells),
        words,
        (chosen, color),
        word,
    )
}

/// The cells of words: all as wide, and where one of them would fill its cell as wide as their words, and what is left alike.
fn cells_of(ui: &Ui, rect: Rect, words: &[(&str, &str)]) -> Vec<Rect> {
    /// Beside a word, on both sides together.
    const AIR: f32 = 16.0;
    let count = words.len().max(1) as f32;
    let width = |(word, _): &(&str, &str)| {
        let (word, font) = (word.replace('_', " "), text(size::SECOND));
        let galley = ui
            .painter()
            .layout_no_wrap(word, font, Color32::PLACEHOLDER);
        galley.size().x
    };
    let widths: Vec<f32> = words.iter().map(width).collect();
    let all: f32 = widths.iter().sum();
    let most = widths.iter().copied().fold(0.0, f32::max);
    let is_tight = most + AIR > rect.width() / count && all <= rect.width();
    cells_as_wide_as(rect, widths, is_tight)
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
        (chosen, color),
        picture,
    )
}

fn segmented(
    ui: &mut Ui,
    palette: &Palette,
    id: &str,
    (rect, cells): (Rect, &[Rect]),
    words: &[(&str, &str)],
    (chosen, color): (Option<usize>, Color32),
    picture: impl Fn(&Painter, usize, Rect, Color32),
) -> Option<usize> {
    let mut picked = None;
    ui.painter()
        .rect_filled(rect, CornerRadius::same(4), palette.raised);
    for (index, ((word, help), &cell)) in words.iter().zip(cells).enumerate() {
        let response = ui.interact(cell, ui.id().with((id, index)), Sense::click());
        place(ui.ctx(), &format!("{id}.{}", word.to_lowercase()), cell);
        let on = chosen == Some(index);
        // The same words may stand for each of two sides, or of several knobs.
        let group = id.rsplit_once('.').map(|(_, of)| format!("{of}: "));
        let name = group.unwrap_or_default() + &word.replace('_', " ");
        tell_state(&response, WidgetType::RadioButton, &name, on);
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
        } else if response.hovered() {
            ui.painter()
                .rect_filled(cell, CornerRadius::same(4), palette.hover);
        }
        focus_ring(ui, palette, &response, cell);
        let ink = if on || response.hovered() {
            palette.text
        } else {
            palette.text_third
        };
        picture(ui.painter(), index, cell, ink);
        if response.clicked() {
            picked = Some(index);
        }
        if !help.is_empty() {
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
