//! One look at the battle: through which camera, under which structure, and what of it is shown.

use crate::app::camera::Camera;
use crate::app::commands::Layer;
use crate::app::state::{App, Brush, Layers, RunMode, Selection};
use crate::app::worker::{Culled, LaneView};
use egui_macroquad::egui::Rect;
use skirmish::battle::Battle;
use skirmish::geometry::{Aabb, Vec2};
use skirmish::observe::QueryView;
use skirmish::partition::UnitId;
use skirmish::scene::Side;

/// The most regions that are outlined in the window.
pub const MOST_OUTLINES: usize = 8_000;

/// Everything that a picture of the battle is drawn from. Two looks that differ in the rectangle and in the lane alone show the
/// same units at the same places.
#[derive(Clone, Copy)]
pub struct Look<'a> {
    /// Through which rectangle of the window, and what lies in its middle.
    pub camera: Camera,
    /// What of that no drawer lies over: words about the picture stand there.
    pub room: Rect,
    /// Which answer of the worker it is of: two looks of one answer are at the same battle.
    pub moment: u64,
    /// Whether time goes on.
    pub runs: bool,
    /// Who stands where.
    pub battle: &'a Battle,
    /// The structure that is drawn, and what it answered.
    pub lane: &'a LaneView,
    /// How far units are from the nearest other one as a rule, in metres; infinity where their arrows do not give way to each other.
    pub apart: f32,
    /// Who was in view.
    pub culled: &'a Culled,
    /// The field of the scene.
    pub field: Aabb,
    /// What is drawn.
    pub layers: Layers,
    /// What a click does, and how far the query reaches.
    pub brush: Brush,
    /// Regions narrower than this, in points, have no outline: where pictures are small their lines would be a carpet over the
    /// units, and cost more than all else.
    pub least_outline: f32,
    /// At most so many regions have one: the widest. Of a crowd's tree the rest is the same carpet.
    pub most_outlines: usize,
    /// Whether it is of one of the panes of Compare: what is found stands beside the field there, where that leaves room, for it is short
    /// and the pictures are what is compared.
    pub is_pane: bool,
    /// What lies over the picture already, in points of the window.
    pub taken: &'a [Rect],
    /// Who was selected.
    pub selection: &'a Selection,
    /// Whether a box is drawn around units, or several are selected: what is said of others beside them would be taken for how many they are.
    pub counts_selected: bool,
    /// By which way those are carried, before they are put down.
    pub carried: Option<Vec2>,
    /// Where the cursor points, when it is over the field.
    pub cursor: Option<Vec2>,
    /// Where the query is pinned.
    pub held: Option<Vec2>,
    /// Who is pinned, or else under the cursor.
    pub pointed: Option<UnitId>,
}

impl<'a> Look<'a> {
    /// At a lane of what the window holds, through a rectangle of the window.
    pub fn at(app: &'a App, lane: &'a LaneView, screen: Rect) -> Self {
        Self {
            camera: Camera {
                screen,
                ..app.camera
            },
            room: app.beside_drawers(screen),
            moment: app.moment,
            runs: app.mode == RunMode::Running,
            battle: &app.battle,
            lane,
            // What marks a side has no room in a shorter arrow.
            apart: match app.settings.mark_sides {
                true => f32::INFINITY,
                false => app.apart,
            },
            culled: &app.culled,
            field: app.scene.field,
            layers: app.layers,
            brush: app.brush,
            least_outline: 0.0,
            most_outlines: MOST_OUTLINES,
            is_pane: false,
            taken: &[],
            selection: &app.selection,
            counts_selected: app.holds_units() || app.selection.len() > 1,
            carried: app.carried,
            cursor: app.cursor,
            held: app.held_place(),
            pointed: app.looked_at_unit(lane),
        }
    }

    /// At the first lane, through the whole field.
    pub fn first(app: &'a App) -> Self {
        Self::at(app, app.lane(), app.camera.screen)
    }

    /// The query under the cursor, where it is shown.
    pub fn query(&self) -> Option<&'a QueryView> {
        let query = self.lane.frame.query.as_ref();
        query.filter(|_| self.layers.shows(Layer::Query))
    }

    /// How many units stand.
    pub fn alive(&self) -> u64 {
        u64::from(self.battle.count(Side::Blue)) + u64::from(self.battle.count(Side::Orange))
    }

    /// Whether a unit stands.
    pub fn stands(&self, unit: UnitId) -> bool {
        self.battle.bodies().is_alive(unit)
    }
}
