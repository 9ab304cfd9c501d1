//! Push buttons, and the line around what has the keyboard.

use super::focus::tell;
use super::places::place;
use super::value::elided;
use crate::app::palette::{Palette, faded};
use crate::app::theme::{size, text};
use egui_macroquad::egui::{
    Align2, Color32, CornerRadius, Rect, Response, Sense, Stroke, StrokeKind, Ui, WidgetType, vec2,
};

/// What a word keeps free of both edges of its button together, in points.
const BESIDE: f32 = 8.0;

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

/// [`button`] in a given rectangle; one that is not enabled is pale, and its help says why. A word that is too long for it is cut, and whole
/// where the pointer rests and for assistive technology.
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
    let shown = elided(ui, word, text(size::SECOND), ink, rect.width() - BESIDE);
    let is_cut = shown.elided;
    let at = Align2::CENTER_CENTER.anchor_size(rect.center(), shown.size());
    ui.painter().galley(at.min, shown, ink);
    let clicked = enabled && response.clicked();
    if is_cut {
        response.on_hover_text(told(word, help));
    } else if !help.is_empty() {
        response.on_hover_text(help);
    }
    clicked
}

/// What is told where the pointer rests on a word that is cut: the whole of it, and what there is to say of it.
pub fn told(word: &str, help: &str) -> String {
    match help {
        "" => word.to_owned(),
        help => format!("{word}. {help}"),
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use egui_macroquad::egui::{CentralPanel, Context, Pos2, RawInput, Shape};

    #[test]
    fn a_word_that_is_cut_is_told_alone_where_there_is_nothing_else_to_tell() {
        assert_eq!(told("a.png", ""), "a.png");
        assert_eq!(told("a.png", "Adds it."), "a.png. Adds it.");
    }

    #[test]
    fn a_word_that_is_too_long_for_its_button_is_cut() {
        let word = "Add a file whose name goes on and on and on.png";
        for (width, is_cut) in [(60.0, true), (600.0, false)] {
            let rect = Rect::from_min_size(Pos2::ZERO, vec2(width, 24.0));
            let output = Context::default().run(RawInput::default(), |ctx| {
                crate::app::theme::apply(ctx, &Palette::DARK);
                CentralPanel::default().show(ctx, |ui| {
                    button_in(ui, &Palette::DARK, "add", rect, (word, ""), true);
                });
            });
            let words: Vec<_> = output
                .shapes
                .iter()
                .filter_map(|clipped| match &clipped.shape {
                    Shape::Text(text) => Some(text),
                    _ => None,
                })
                .collect();
            assert_eq!(words.len(), 1);
            assert_eq!(words[0].galley.elided, is_cut, "{width}");
            assert!(rect.contains_rect(words[0].visual_bounding_rect()));
        }
    }
}
