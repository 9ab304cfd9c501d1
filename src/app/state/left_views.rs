//! How scenes were looked at that were left for another one: whoever goes back by undo finds them so.

use super::saved::Looked;
use super::{App, Layers, RunMode, Space};
use crate::app::camera::Camera;
use crate::app::commands::View;
use egui_macroquad::egui::Rect;
use skirmish::geometry::Aabb;
use std::collections::BTreeMap;

/// How a scene was looked at when it was left.
#[derive(Clone, Debug)]
struct LeftView {
    field: Aabb,
    camera: Camera,
    framed: bool,
    framed_area: Option<Aabb>,
    shifted: f32,
    left_world: Option<Camera>,
    posed_in: Rect,
    space: Space,
    view: View,
    layers: Layers,
    tree: bool,
    follows: bool,
    looked: Looked,
    /// Whether time stood.
    is_paused: bool,
    /// The radius of the brush, and the width of what it places.
    brush: (f32, Option<(f32, f32)>),
}

/// The same of all to which undo and redo may lead.
#[derive(Debug, Default)]
pub(super) struct LeftViews {
    /// By the number that the scene had while it was open.
    of: BTreeMap<u64, LeftView>,
    /// Whether the camera goes with the character of the scene that has come, until its world is seen; `None` where the scene says so.
    pub follows: Option<bool>,
    /// Whether the scene that has come is looked at in Compare, and its lanes have not been seen yet.
    awaits_lanes: bool,
}

impl LeftViews {
    /// So many are kept: more than there are scenes that were only looked at, and of those with changes more than anybody is likely to
    /// have. Where there are more of them still, the ones that were left first are looked at as they say themselves.
    const MOST: usize = 128;
}

impl App {
    /// The scene of this number is left. Of what is told of it and what is shown of the next one the first that comes says so, while all
    /// is still looked at as it was.
    pub(super) fn leave_view(&mut self, number: u64) {
        if self.left_views.of.contains_key(&number) {
            return;
        }
        let view = LeftView {
            field: self.scene.field,
            camera: self.camera,
            framed: self.framed,
            framed_area: self.framed_area,
            shifted: self.shifted,
            left_world: self.left_world,
            posed_in: self.posed_in,
            space: self.space.clone(),
            view: self.view,
            layers: self.layers,
            tree: self.diagram.is_some(),
            follows: self.follows(),
            looked: self.looked.clone(),
            // Whose last step is under way stands behind it.
            is_paused: self.mode != RunMode::Running,
            brush: (self.brush.radius, self.brush.width),
        };
        let of = &mut self.left_views.of;
        of.insert(number, view);
        while of.len() > LeftViews::MOST {
            of.pop_first();
        }
    }

    /// The field of the scene of this number, if it is one that was left.
    pub(super) fn left_field(&self, number: u64) -> Option<Aabb> {
        self.left_views.of.get(&number).map(|left| left.field)
    }

    /// The scene that has come is the one of this number, if it is one that was left: it is looked at as it was.
    pub(super) fn return_to_view(&mut self, number: Option<u64>) {
        self.left_views.follows = None;
        self.left_views.awaits_lanes = false;
        let left = number.and_then(|number| self.left_views.of.remove(&number));
        let Some(left) = left else { return };
        let screen = self.camera.screen;
        self.glide = None;
        self.framed = left.framed;
        self.framed_area = left.framed_area;
        self.shifted = left.shifted;
        self.left_world = left.left_world;
        self.camera = Camera {
            screen,
            ..left.camera
        };
        self.posed_in = left.posed_in;
        self.space = left.space;
        self.space.let_go();
        self.view = left.view;
        self.left_views.awaits_lanes = left.view == View::Compare;
        self.layers = left.layers;
        self.show_tree(left.tree);
        self.left_views.follows = Some(left.follows);
        self.looked = left.looked;
        (self.brush.radius, self.brush.width) = left.brush;
        self.set_mode(match left.is_paused {
            true => RunMode::Paused,
            false => RunMode::Running,
        });
        // In a window of another size all of it is shown anew.
        if self.framed && !self.shows_space() && screen != left.camera.screen {
            self.frame_all();
        }
    }

    /// Whoever comes back to Compare finds two structures in its panes, though he left its table, which needs no second one: once it is seen
    /// who follows there.
    pub(super) fn look_beside_again(&mut self) {
        if self.left_views.awaits_lanes && self.place.session == self.files.session {
            self.left_views.awaits_lanes = false;
            if self.view == View::Compare {
                self.look_beside();
            }
        }
    }
}
