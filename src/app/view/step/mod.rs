//! One operation taken apart: what of it has happened on the field, each event with its reason at the right, the tree, the tools
//! and the steps below.
//!
//! Invariant: what is shown is what was told ([`skirmish::story`]); nothing here decides what a structure does.

mod events;
mod fate;
mod field;
mod found;
mod hand;
mod legend;
mod looked;
mod measure;
mod names;
mod overlay;
mod panel;
mod seen;
mod shape;
mod sight;
mod strip;
mod tag;
mod tree;

use super::contract::{Grip, Press, lower_part_up_to};
use super::field::{Crowd, Look, Sheet};
use crate::app::palette::Palette;
use crate::app::render::Canvas;
use crate::app::state::{App, Pointed};
use egui_macroquad::egui::{Pos2, Rect, Ui, Vec2};
use events::Events;
pub use fate::fate;
use hand::Hand;
pub use measure::measured;
pub use overlay::words_of_two;
use skirmish::partition::UnitId;
use tree::Tree;

/// What stepping keeps from frame to frame.
#[derive(Default)]
pub struct Step {
    hand: Hand,
    events: Events,
    tree: Tree,
    /// What many regions are painted on.
    sheet: Sheet,
}

impl Step {
    /// How high the strip below the field is in a window of this size, in points.
    pub fn height(&self, app: &App, window: Vec2) -> f32 {
        strip::height(app, window)
    }

    /// Draws the tree, the tools and the steps.
    pub fn strip(&mut self, ui: &mut Ui, app: &mut App, palette: &Palette) {
        strip::show(ui, app, palette, &mut self.tree);
    }

    /// How high the strip is where it holds nothing but the tree, which stands beside the battle; nothing where that is hidden.
    pub fn tree_height(&self, app: &App, window: Vec2) -> Option<f32> {
        app.diagram
            .as_ref()
            .map(|_| strip::alone_height(app, window))
    }

    /// How high the tree is that is shown, if one is.
    pub fn tree_part(&self, app: &App, window: Vec2) -> Option<f32> {
        if app.is_stepping() {
            let height = strip::tree_height(app, window.y);
            return (height > 0.0).then_some(height);
        }
        self.tree_height(app, window)
    }

    /// Draws the tree beside the battle.
    pub fn tree(&mut self, ui: &mut Ui, app: &mut App, palette: &Palette) {
        strip::alone(ui, app, palette, &mut self.tree);
    }

    /// Draws on the field what is pointed at or was clicked in the tree beside the battle.
    pub fn tree_marks(
        &self,
        ui: &Ui,
        look: &Look<'_>,
        app: &App,
        (palette, crowd): (&Palette, &Crowd),
    ) {
        overlay::tree_marks(ui, look, app, palette, crowd);
    }

    /// Fills the right panel.
    pub fn right(&mut self, ui: &mut Ui, app: &mut App, palette: &Palette) {
        let wanted = panel::show(ui, app, palette);
        if let (Some(wanted), Some(stepping)) = (wanted, &mut app.stepping) {
            stepping.plays = false;
            stepping.go_to(wanted);
        }
    }

    /// How much of the right panel, which is `whole` points high, the events take.
    pub fn right_pinned_height(&self, app: &App, whole: f32) -> f32 {
        /// The sentence of a step has a fourth line above them in a window of 700 points, and its sums stay in sight.
        const PART: f32 = 0.5;
        lower_part_up_to(app, whole, &[("events", 2.0 * whole)], PART)
    }

    /// Fills the part of the right panel that stays in sight: the events.
    pub fn right_pinned(&mut self, ui: &mut Ui, app: &mut App, palette: &Palette) {
        self.events.show(ui, app, palette);
    }

    /// Draws the regions and what has happened to them.
    pub fn draw_regions(
        &mut self,
        canvas: &mut Canvas<'_>,
        look: &Look<'_>,
        palette: &Palette,
        app: &App,
    ) {
        field::regions(canvas, &mut self.sheet, look, palette, app);
        field::pairs(canvas.mesh, look, palette, app);
    }

    /// Draws over the units what of the operation lies over them.
    pub fn overlay(&self, ui: &Ui, look: &Look<'_>, app: &App, palette: &Palette) {
        overlay::overlay(ui, look, app, palette);
    }

    /// Where the chip lies that says what the marks mean.
    pub fn legend_rect(&self, ui: &Ui, app: &App, palette: &Palette, field: Rect) -> Option<Rect> {
        legend::legend_rect(ui, app, palette, field)
    }

    /// The chip that says what the marks mean.
    pub fn legend(&self, ui: &mut Ui, app: &App, palette: &Palette, corner: Rect) {
        legend::legend(ui, app, palette, corner);
    }

    /// Takes a press on the field.
    pub fn pressed(&mut self, app: &mut App, press: Press) -> Grip {
        self.hand.pressed(app, press)
    }

    /// Takes a move of what is held.
    pub fn dragged(&mut self, app: &mut App, at: Pos2) -> Grip {
        self.hand.dragged(app, at)
    }

    /// Ends what is held.
    pub fn cancel(&mut self) {
        self.hand = Hand::default();
    }

    /// What the cursor points at on the field: the region that it lies in, and while one steps the unit before it.
    pub fn point(&self, app: &mut App) {
        let unit: Option<UnitId> = app.lane().frame.unit;
        hand::point(app, unit);
    }

    /// The same in space.
    pub fn point_in_space(&self, app: &mut App) {
        let frame = &app.lane().frame3;
        let region = frame.path.last().map(|region| region.id);
        let unit = frame.unit;
        let pointed = hand::first_of(app.is_stepping(), unit, region);
        let pointed = app.cursor.and(pointed);
        if let Some(treed) = app.treed() {
            treed.point(pointed);
        }
    }

    /// The cursor points at this object of a world, or at none: then what it points at in the tree stays.
    pub fn point_at(&self, app: &mut App, object: Option<UnitId>) {
        if let Some(stepping) = &mut app.stepping {
            stepping.point(object.map(Pointed::Unit));
        }
    }

    /// Goes through the steps of what is pointed at alone.
    pub fn focus(&self, app: &mut App) {
        let pointed = app.stepping.as_ref().and_then(|it| it.pointed);
        app.focus_steps(pointed);
    }
}
