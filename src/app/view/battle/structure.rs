//! The structure and its knobs, for the left panel.

use crate::app::palette::Palette;
use crate::app::state::App;
use crate::app::view::structures::{Turned, knob_rows, structure_list};
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
    section(ui, palette, "knobs", app.lane().structure.info().name);
    match knob_rows(ui, palette, "knob", &app.lane().structure) {
        Some(Turned::Knob(knob, value)) => app.set_knob(knob, value),
        Some(Turned::Defaults) => app.reset_knobs(),
        None => {}
    }
}
