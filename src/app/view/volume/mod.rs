//! The third dimension: units in space, the structure that indexes them, and what its queries cost.

mod inspector;
mod left;
mod overlay;

use super::contract::{Grip, Press, View, inspector_height};
use super::panel;
use super::space::{self, Hand, Scenery};
use crate::app::input::Modifiers;
use crate::app::palette::Palette;
use crate::app::render::Canvas;
use crate::app::state::App;
use crate::app::view::caption::Caption;
use crate::app::worker::Ask;
use egui_macroquad::egui::{Pos2, Rect, Ui};

/// How much of the left panel the brush takes, in points.
const BRUSH_HEIGHT: f32 = 142.0;

/// The view of a volume.
#[derive(Default)]
pub struct Volume {
    caption: Caption,
    scenery: Scenery,
    hand: Hand,
}

impl View for Volume {
    fn left(&mut self, ui: &mut Ui, app: &mut App, palette: &Palette) {
        panel::structures(ui, app, palette);
        panel::knobs(ui, app, palette);
        left::flocks(ui, app, palette);
        left::slice(ui, app, palette);
    }

    fn left_pinned_height(&self, _app: &App) -> f32 {
        BRUSH_HEIGHT
    }

    fn left_pinned(&mut self, ui: &mut Ui, app: &mut App, palette: &Palette) {
        panel::brush(ui, app, palette);
    }

    fn right(&mut self, ui: &mut Ui, app: &mut App, palette: &Palette) {
        panel::cost(ui, app, palette);
        panel::pinned(ui, app, palette);
        panel::quality(ui, app, palette);
        panel::memory(ui, app, palette);
    }

    fn right_pinned_height(&self, _app: &App, whole: f32) -> f32 {
        inspector_height(whole)
    }

    fn right_pinned(&mut self, ui: &mut Ui, app: &mut App, palette: &Palette) {
        inspector::query(ui, app, palette);
        inspector::inspector(ui, app, palette);
    }

    fn plots(&self, ui: &mut Ui, app: &App, palette: &Palette, left: Rect, right: Rect) {
        panel::plots(ui, app, palette, left, right);
    }

    fn status(&self, app: &App, time: &str) -> String {
        format!("{time} · {}", app.lane().structure.info().name)
    }

    fn hints(&self, _app: &App) -> &'static [(&'static str, &'static str)] {
        &[
            ("F1", "all keys"),
            ("Home", "frame all"),
            ("Wheel", "zoom"),
            ("Shift+drag", "pan"),
            ("Drag", "orbit"),
            ("Space", "pause"),
        ]
    }

    fn draw(&mut self, app: &App, palette: &Palette, canvas: &mut Canvas<'_>) {
        if let Some(eye) = &app.space.eye {
            self.scenery.draw(app, app.lane(), eye, palette, canvas);
        }
    }

    fn overlay(&mut self, ui: &mut Ui, app: &mut App, palette: &Palette) {
        overlay::show(ui, app, palette, &mut self.caption, self.scenery.painted);
    }

    fn ask(&self, app: &App, ask: Ask) -> Ask {
        app.space_ask(ask)
    }

    fn pressed(&mut self, app: &mut App, press: Press) -> Grip {
        let handle = overlay::handle(app);
        self.hand.pressed(press, handle)
    }

    fn dragged(&mut self, app: &mut App, at: Pos2) -> Grip {
        self.hand.dragged(app, at)
    }

    fn released(&mut self, app: &mut App, at: Pos2) {
        self.hand.released(app, at);
    }

    fn wheel(&mut self, app: &mut App, factor: f32, modifiers: Modifiers) -> bool {
        space::wheel(app, factor, modifiers)
    }

    fn cancel(&mut self, _app: &mut App) {
        self.hand.cancel();
    }
}
