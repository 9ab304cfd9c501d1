//! Which tool the pointer is on the field.

use crate::app::palette::Palette;
use crate::app::state::{App, Tool};
use crate::app::widgets::segments_in;
use egui_macroquad::egui::{Rect, Ui};
use skirmish::scene::Side;

/// The tools, of which one is chosen.
pub fn tools(ui: &mut Ui, app: &mut App, palette: &Palette, rect: Rect) {
    let words: Vec<_> = Tool::ALL
        .iter()
        .map(|tool| (tool.name(), tool.help(app.shows_space())))
        .collect();
    let chosen = Tool::ALL.iter().position(|tool| *tool == app.brush.tool);
    let color = match app.brush.tool {
        Tool::Blue => palette.side(Side::Blue),
        Tool::Orange => palette.side(Side::Orange),
        Tool::Erase | Tool::Look => palette.accent,
    };
    if let Some(tool) = segments_in(ui, palette, "brush", rect, &words, chosen, color) {
        app.brush.tool = Tool::ALL[tool];
    }
}
