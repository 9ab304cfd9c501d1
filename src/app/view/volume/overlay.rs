//! What lies over the picture of space: chips, labels, the handle of the slice.

use crate::app::commands::{Command, Layer};
use crate::app::palette::Palette;
use crate::app::state::App;
use crate::app::view::caption::Caption;
use crate::app::view::chips::{layer_chip, look_chip, look_width, title_chip};
use crate::app::view::space::draw::Painted;
use crate::app::view::structures::knobs_in_words;
use crate::app::widgets::clear_covers;
use egui_macroquad::egui::{Pos2, Ui};

/// The width of the switches of the layers, in points.
const LAYER_CHIP: f32 = 240.0;

/// What may be looked at beside the field.
const LOOKS: [Command; 2] = [Command::LookInto, Command::Tree];

/// Where the handle of the slice is on the screen, and where the slice crosses its axis.
pub fn handle(_app: &App) -> Option<(Pos2, f32)> {
    None
}

/// Draws all of it; the switches in the chips act.
pub fn show(
    ui: &mut Ui,
    app: &mut App,
    palette: &Palette,
    caption: &mut Caption,
    _painted: Painted,
) {
    clear_covers(ui.ctx());
    if app.bare {
        return;
    }
    let field = app.camera.screen;
    let lane = app.lane();
    let knobs = knobs_in_words(&lane.structure, &[], 2);
    let name = lane.structure.info().name;
    let taken = LAYER_CHIP + look_width(&LOOKS) + 8.0;
    title_chip(ui, app.camera, palette, name, &knobs, taken);
    layer_chip(ui, app, palette, &Layer::VOLUME, LAYER_CHIP);
    look_chip(ui, app, palette, LAYER_CHIP, &LOOKS);
    if app.has_steps() {
        super::tools::tools(ui, app, palette);
    }
    caption.show(ui, app, palette, field, 38.0);
}
