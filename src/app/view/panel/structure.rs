//! The structure and its knobs, for the left panel.

use crate::app::palette::Palette;
use crate::app::state::App;
use crate::app::view::structures::{knob_caption, knob_rows, structure_list};
use crate::app::widgets::{is_low, section};
use egui_macroquad::egui::Ui;

/// The list of structures.
pub fn structures(ui: &mut Ui, app: &mut App, palette: &Palette) {
    section(ui, palette, "structure", "[ ] to cycle");
    let (chosen, rows) = (app.lane().structure.kind(), (true, is_low(ui)));
    if let Some(kind) = structure_list(ui, palette, "structure", chosen, rows) {
        app.choose_structure(kind);
    }
}

/// The knobs of the structure that is chosen.
pub fn knobs(ui: &mut Ui, app: &mut App, palette: &Palette) {
    if knob_caption(ui, palette, "knob", &app.lane().structure) {
        app.reset_knobs();
    }
    if let Some((knob, value)) = knob_rows(ui, palette, "knob", &app.lane().structure) {
        app.set_knob(knob, value);
    }
}
