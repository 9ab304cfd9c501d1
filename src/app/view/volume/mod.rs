//! The third dimension: units in space, the structure that indexes them, and what its queries cost.

mod compared;
mod inspector;
mod left;
mod overlay;
mod pointed;
mod tools;

use super::contract::{Grip, Press, View, lower_part};
use super::panel;
use super::space::{self, Hand, Scenery};
use crate::app::input::Modifiers;
use crate::app::palette::Palette;
use crate::app::render::Canvas;
use crate::app::state::App;
use crate::app::view::caption::Caption;
use crate::app::view::step::Step;
use crate::app::worker::Ask;
use egui_macroquad::egui::{Context, Pos2, Rect, Ui, Vec2};

/// The view of a volume.
#[derive(Default)]
pub struct Volume {
    caption: Caption,
    step: Step,
    scenery: Scenery,
    hand: Hand,
}

impl View for Volume {
    fn left(&mut self, ui: &mut Ui, app: &mut App, palette: &Palette) {
        panel::structures(ui, app, palette);
        let painted = self.scenery.painted;
        panel::knobs(ui, app, palette, |ui, app| {
            left::slice(ui, app, palette);
            left::flocks(ui, app, palette);
            left::depths(ui, app, palette, painted);
        });
    }

    fn has_left_pinned(&self, app: &App) -> bool {
        // A press on the field is for the operation then.
        !app.has_steps()
    }

    fn left_pinned(&mut self, ui: &mut Ui, app: &mut App, palette: &Palette) {
        panel::brush(ui, app, palette);
    }

    fn right(&mut self, ui: &mut Ui, app: &mut App, palette: &Palette) {
        if app.is_stepping() {
            return self.step.right(ui, app, palette);
        }
        panel::cost(ui, app, palette);
        panel::pinned(ui, app, palette);
        panel::quality(ui, app, palette);
        panel::memory(ui, app, palette);
    }

    fn right_pinned_height(&self, _context: &Context, app: &App, whole: f32) -> f32 {
        if app.is_stepping() {
            return self.step.right_pinned_height(app, whole);
        }
        lower_part(app, whole, &inspector::heights(app))
    }

    fn right_pinned(&mut self, ui: &mut Ui, app: &mut App, palette: &Palette) {
        if app.is_stepping() {
            return self.step.right_pinned(ui, app, palette);
        }
        inspector::query(ui, app, palette);
        inspector::inspector(ui, app, palette);
    }

    fn strip_height(&self, app: &App, window: Vec2) -> Option<f32> {
        if app.is_stepping() {
            return Some(self.step.height(app, window));
        }
        self.step.tree_height(app, window)
    }

    fn tree_height(&self, app: &App, window: Vec2) -> Option<f32> {
        self.step.tree_part(app, window)
    }

    fn strip(&mut self, ui: &mut Ui, app: &mut App, palette: &Palette) {
        if app.is_stepping() {
            self.step.strip(ui, app, palette);
        } else {
            self.step.tree(ui, app, palette);
        }
    }

    fn plots(&self, ui: &mut Ui, app: &App, palette: &Palette, left: Rect, right: Rect) {
        panel::plots(ui, app, palette, left, right);
    }

    fn status(&self, app: &App, time: &str) -> String {
        format!("{time} · {}", app.lane().structure.info().name)
    }

    fn hints(&self, app: &App) -> &'static [(&'static str, &'static str)] {
        if app.has_steps() {
            return &[
                ("F1", "all keys"),
                ("Esc", "leave"),
                ("Space", "play"),
                ("← →", "step"),
                ("Click", "ask there"),
                ("Shift+click", "to its next step"),
                ("Home", "first step"),
            ];
        }
        &[
            ("F1", "all keys"),
            ("Space", "pause"),
            ("Drag", "orbit"),
            ("Wheel", "zoom"),
            ("Right drag", "pan"),
            ("Shift+drag", "select"),
            ("Home", "frame all"),
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
        let ask = app.space_ask(ask);
        Ask {
            story: app.to_be_told(),
            ..ask
        }
    }

    fn answered(&mut self, app: &mut App) {
        self.step.point_in_space(app);
        match app.take_click() {
            Some(modifiers) if app.has_steps() => tools::click(app, modifiers.shift),
            Some(modifiers) => {
                if app.click_holds(modifiers.shift) && !app.scripted {
                    app.hold_clicked();
                }
                space::click(app, modifiers);
            }
            None => {}
        }
    }

    fn pressed(&mut self, app: &mut App, press: Press) -> Grip {
        let handle = overlay::handle(app).zip(app.space.slice);
        self.hand.pressed(press, handle)
    }

    fn dragged(&mut self, app: &mut App, at: Pos2) -> Grip {
        self.hand.dragged(app, at)
    }

    fn released(&mut self, app: &mut App, at: Pos2) {
        if let Some(modifiers) = self.hand.end(app) {
            app.click_space(at, modifiers);
        }
    }

    fn wheel(&mut self, app: &mut App, factor: f32, modifiers: Modifiers) -> bool {
        space::wheel(app, factor, modifiers)
    }

    fn cancel(&mut self, app: &mut App) {
        app.drop_click();
        self.step.cancel();
        self.hand.cancel(app);
    }
}
