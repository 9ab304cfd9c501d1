//! How many objects are in each state, and what the states look like.

use crate::app::glossary;
use crate::app::palette::Palette;
use crate::app::theme::{number, size, text};
use crate::app::view::marks::state_icon;
use crate::app::widgets::{place, with_commas};
use egui_macroquad::egui::{Align2, CornerRadius, Rect, Sense, Ui, pos2, vec2};
use skirmish::streaming::State;

/// A bar of all that is not unloaded, and a row for each state.
pub fn states(ui: &mut Ui, palette: &Palette, counts: &[u32; State::ALL.len()]) {
    let (rect, bar) = ui.allocate_exact_size(vec2(ui.available_width(), 12.0), Sense::hover());
    bar.on_hover_text("The states of all objects that are not unloaded, in the order of the rows.");
    let track = rect.with_max_y(rect.top() + 7.0);
    ui.painter()
        .rect_filled(track, CornerRadius::same(1), palette.hover);
    // What is unloaded would leave nothing of the others to see.
    let shown: u32 = State::ALL
        .iter()
        .filter(|state| **state != State::Unloaded)
        .map(|state| counts[*state as usize])
        .sum();
    let mut left = track.left();
    for state in State::ALL
        .into_iter()
        .filter(|state| *state != State::Unloaded)
    {
        let width = track.width() * counts[state as usize] as f32 / shown.max(1) as f32;
        let part = Rect::from_min_max(pos2(left, track.top()), pos2(left + width, track.bottom()));
        ui.painter()
            .rect_filled(part, CornerRadius::ZERO, palette.states[state as usize]);
        left += width;
    }
    for state in State::ALL {
        let (rect, response) =
            ui.allocate_exact_size(vec2(ui.available_width(), 20.0), Sense::hover());
        response.on_hover_text(glossary::means("state", state.name()));
        let mark =
            Rect::from_center_size(pos2(rect.left() + 6.0, rect.center().y), vec2(11.0, 11.0));
        state_icon(ui.painter(), palette, mark, state);
        let at = pos2(rect.left() + 20.0, rect.center().y);
        ui.painter().text(
            at,
            Align2::LEFT_CENTER,
            state.name(),
            text(size::LABEL),
            palette.text_second,
        );
        ui.painter().text(
            rect.right_center(),
            Align2::RIGHT_CENTER,
            with_commas(u64::from(counts[state as usize])),
            number(size::LABEL),
            palette.text,
        );
        place(ui.ctx(), &format!("state.{}", state.name()), rect);
    }
}
