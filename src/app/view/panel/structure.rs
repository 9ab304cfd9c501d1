//! The structure and its knobs, for the left panel.

use crate::app::palette::Palette;
use crate::app::state::App;
use crate::app::view::structures::{knob_rows, knob_section, knobs_height, structure_list};
use crate::app::widgets::{GUTTER, LOW_ROW, has_low_rows, is_low, scrolled, section};
use egui_macroquad::egui::{Rect, Sense, Ui, UiBuilder, vec2};

/// As much room for knobs there is where the window is low: for all of every structure, the Morton tree with its six included. Both
/// armies are in sight below them in a window of this height.
const LOW_KNOBS: f32 = 108.0 + BELOW;
const LOW_HEIGHT: f32 = 900.0;
/// Where a title bar takes of that height, the knobs give it: two rows of them stay, and the armies are in sight still.
const LEAST_KNOBS: f32 = 72.0 + BELOW;
/// The same where the window is not low; then the Morton tree alone does without a row.
const MOST_KNOBS: f32 = 150.0 + BELOW;
const HEIGHT: f32 = 1080.0;
const FEWER_KNOBS: f32 = 134.0 + BELOW;
/// That room is reckoned for so many structures above; where there are fewer, the knobs have theirs too.
const STRUCTURES: usize = 12;
/// Below the last of them.
const BELOW: f32 = 4.0;

/// The list of structures.
pub fn structures(ui: &mut Ui, app: &mut App, palette: &Palette) {
    if !section(ui, palette, "structure", "[ ] to cycle") {
        return;
    }
    let (chosen, rows) = (app.lane().structure.kind(), (true, has_low_rows(ui)));
    let list = (&chosen.siblings()[..], Some(chosen));
    if let Some(kind) = structure_list(ui, palette, "structure", list, rows) {
        app.choose_structure(kind);
    }
}

/// The knobs of the structure that is chosen.
pub fn knobs(ui: &mut Ui, app: &mut App, palette: &Palette) {
    let (is_open, reset) = knob_section(ui, palette, "knob", &app.lane().structure);
    if reset {
        app.reset_knobs();
    }
    if !is_open {
        return;
    }
    // As high under every structure, so that what is below keeps its place: it scrolls where a structure has more of them.
    let siblings = app.lane().structure.kind().siblings();
    let heights = siblings.iter().map(|kind| knobs_height(ui, kind.info()));
    let highest = heights.fold(0.0, f32::max);
    let window = ui.ctx().screen_rect().height();
    let most = match is_low(ui) {
        true => (LOW_KNOBS - (LOW_HEIGHT - window).max(0.0)).max(LEAST_KNOBS),
        false => (MOST_KNOBS - (HEIGHT - window).max(0.0)).max(FEWER_KNOBS),
    };
    // The brush is not there then, and leaves its room: the lowest window has what a higher one has.
    let most = if app.has_steps() {
        most.max(LOW_KNOBS)
    } else {
        most
    };
    let fewer = STRUCTURES.saturating_sub(siblings.len());
    let height = (highest + BELOW).min(most + LOW_ROW * fewer as f32);
    let top = ui.available_rect_before_wrap().min;
    // The bar of the panel and theirs stand one over the other.
    let size = vec2(ui.available_width(), height);
    ui.allocate_exact_size(size, Sense::hover());
    let rect = Rect::from_min_size(top, size + vec2(GUTTER, 0.0));
    let mut turned = None;
    // A child of its own: it is wider than what it stands in, which goes on as wide as it was.
    let mut child = ui.new_child(UiBuilder::new().max_rect(rect));
    if knobs_height(ui, app.lane().structure.info()) <= height {
        child.set_max_width(size.x);
        turned = knob_rows(&mut child, palette, "knob", app.lane());
    } else {
        scrolled(&mut child, palette, "knob scroll", |ui| {
            turned = knob_rows(ui, palette, "knob", app.lane());
        });
    }
    if let Some((knob, value)) = turned {
        app.set_knob(knob, value);
    }
}
