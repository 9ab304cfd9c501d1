//! The battle: the armies on the field, the structure that indexes them, and what its queries cost.

mod armies;
mod inspector;
mod overlay;
mod won;

use super::contract::{Grip, Press, View, lower_part};
use super::field::{
    self, BrushStroke, Density, Look, MOST_ARROWS, RegionsPicture, Units, draw_found, draw_marked,
    draw_selected, guide_lines, rule_beside,
};
use crate::app::commands::Layer;
use crate::app::input::Modifiers;
use crate::app::palette::Palette;
use crate::app::render::Canvas;
use crate::app::state::{App, Stepping, Tool};
use crate::app::view::caption::Caption;
use crate::app::view::panel;
use crate::app::view::step::Step;
use crate::app::worker::Ask;
use egui_macroquad::egui::{Context, Pos2, Rect, Ui, Vec2};
pub use inspector::many_selected;
use skirmish::observe;
use skirmish::scene::Side;
use skirmish::story::Standing;
use won::Won;

/// The view of the battle.
#[derive(Default)]
pub struct Battle {
    regions: RegionsPicture,
    units: Units,
    density: Density,
    stroke: BrushStroke,
    caption: Caption,
    step: Step,
    won: Won,
}

impl View for Battle {
    fn left(&mut self, ui: &mut Ui, app: &mut App, palette: &Palette) {
        panel::structures(ui, app, palette);
        panel::knobs(ui, app, palette, |ui, app| {
            armies::armies(ui, app, palette);
        });
    }

    fn has_left_pinned(&self, app: &App) -> bool {
        // A press on the field draws the operation then.
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
        panel::screen(ui, app, palette);
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
        let structure = app.lane().structure.info().name;
        match winner(app) {
            Some(side) => format!("{time} · {side} has won, R restarts · {structure}"),
            None => format!("{time} · {structure}"),
        }
    }

    fn hints(&self, app: &App) -> &'static [(&'static str, &'static str)] {
        if app.has_steps() {
            return &[
                ("F1", "all keys"),
                ("Esc", "leave"),
                ("Space", "play"),
                ("← →", "step"),
                ("Shift+click", "to its next step"),
                ("Home", "first step"),
            ];
        }
        if !app.selection.is_empty() && app.brush.tool == Tool::Look {
            return &[
                ("F1", "all keys"),
                ("Drag", "move"),
                ("Delete", "delete"),
                ("Arrows", "move by 1 m"),
                ("Ctrl+C", "copy"),
                ("Ctrl+V", "paste"),
                ("Ctrl+D", "duplicate"),
            ];
        }
        if app.brush.tool == Tool::Look {
            return &[
                ("F1", "all keys"),
                ("Drag", "a box around units"),
                ("Click", "select"),
                ("Shift+drag", "select more"),
                ("Wheel", "zoom"),
                ("Ctrl+A", "all"),
            ];
        }
        &[
            ("F1", "all keys"),
            ("Space", "pause"),
            (".", "step"),
            ("[ ]", "structure"),
            ("Wheel", "zoom"),
            ("Shift+click", "select"),
        ]
    }

    fn draw(&mut self, app: &App, palette: &Palette, canvas: &mut Canvas<'_>) {
        let look = Look::first(app);
        if app.has_steps() {
            return self.draw_steps(&look, app, palette, canvas);
        }
        self.regions.draw(canvas, &look, palette);
        guide_lines(canvas.mesh, &look, palette);
        if self.units.choose(&look, MOST_ARROWS) {
            canvas.flush();
            self.density.draw(&look, palette, &[look.camera.screen]);
        } else {
            self.units.draw(canvas.mesh, &look, palette);
        }
        // Where a source's own rule stands beside the right one, frames say who is found by which.
        if rule_beside(app, &look).is_none() {
            draw_found(canvas.mesh, &look, palette, app.asked_found());
        }
        draw_marked(canvas.mesh, &look, palette);
        draw_selected(canvas.mesh, &look, palette);
    }

    fn overlay(&mut self, ui: &mut Ui, app: &mut App, palette: &Palette) {
        panel::hold_by_click(ui, app);
        overlay::show(ui, app, palette, &mut self.caption, &mut self.step);
        if !app.bare && !app.is_stepping() {
            let winner = winner(app);
            self.won.show(ui, app, palette, winner);
        }
    }

    fn ask(&self, app: &App, ask: Ask) -> Ask {
        let regions = app.layers.shows(Layer::Nodes) || app.layers.shows(Layer::Load);
        Ask {
            observe: observe::Ask {
                cursor: if app.has_steps() {
                    app.cursor
                } else {
                    app.looked_at()
                },
                regions: regions && !app.has_steps(),
                query_radius: ask.observe.query_radius.filter(|_| !app.is_stepping()),
                ..ask.observe
            },
            story: app.to_be_told(),
            cull: field::area(&Look::first(app), MOST_ARROWS),
            counted: app.counted_area(),
            ..ask
        }
    }

    fn answered(&mut self, app: &mut App) {
        self.won.note(winner(app).is_some(), app.battle.tick());
        self.step.point(app);
    }

    fn pressed(&mut self, app: &mut App, press: Press) -> Grip {
        if app.has_steps() {
            return self.step.pressed(app, press);
        }
        self.stroke.pressed(app, press)
    }

    fn dragged(&mut self, app: &mut App, at: Pos2) -> Grip {
        if app.has_steps() {
            return self.step.dragged(app, at);
        }
        self.stroke.dragged(app, at)
    }

    fn released(&mut self, app: &mut App, _at: Pos2) {
        self.stroke.end(app);
    }

    fn serve(&mut self, app: &mut App) {
        self.stroke.serve(app);
    }

    fn wheel(&mut self, app: &mut App, factor: f32, modifiers: Modifiers) -> bool {
        field::wheel(app, factor, modifiers)
    }

    fn cancel(&mut self, app: &mut App) {
        self.step.cancel();
        self.stroke.cancel(app);
    }
}

impl Battle {
    /// Draws the field as it is at a step of the operation that is looked into.
    fn draw_steps(
        &mut self,
        look: &Look<'_>,
        app: &App,
        palette: &Palette,
        canvas: &mut Canvas<'_>,
    ) {
        let stepping = app.stepping.as_ref();
        let shown = stepping.and_then(|it| Some((it.shown()?, it.at())));
        if shown.is_some() {
            self.step.draw_regions(canvas, look, palette, app);
        }
        // Of an order along a line the intervals are what a search goes through, and what an edit goes past.
        // So is the curve along which keys lie, where it is drawn at all: what is told speaks of them.
        let has_curve = look.lane.structure.info().knob_index("z_curve").is_ok();
        if has_curve || stepping.is_some_and(Stepping::is_of_order) {
            guide_lines(canvas.mesh, look, palette);
        }
        // How many have been tested, whether they are in view or not.
        let tested = shown.map_or(0, |(reel, at)| reel.tested_by(at));
        let standing = |unit| shown.map_or(Standing::NotYet, |(reel, at)| reel.standing(unit, at));
        if self.units.choose(look, MOST_ARROWS) {
            canvas.flush();
            self.density.draw(look, palette, &[look.camera.screen]);
            if let Some((reel, at)) = shown {
                let units = reel.concerned(at);
                Units::draw_few_told(canvas.mesh, look, palette, (units, tested));
            }
        } else {
            let units = &mut self.units;
            units.draw_told(canvas.mesh, look, palette, &standing, tested);
        }
    }
}

/// The side that stands alone after a battle between two.
fn winner(app: &App) -> Option<&'static str> {
    let began = |side| {
        app.scene
            .armies
            .iter()
            .any(|army| army.side == side && army.count > 0)
    };
    if !began(Side::Blue) || !began(Side::Orange) {
        return None;
    }
    match (app.battle.count(Side::Blue), app.battle.count(Side::Orange)) {
        (1.., 0) => Some("blue"),
        (0, 1..) => Some("orange"),
        _ => None,
    }
}
