//! A place on the field at which query and inspector go on looking while the pointer is elsewhere.

use super::{App, Tool};
use skirmish::geometry::Vec2;
use skirmish::observe::space::Pointer3;

/// A click so near to the pinned place lets it go, in points.
const NEAR: f32 = 8.0;

/// The pinned place.
#[derive(Clone, Copy, Debug)]
pub enum Held {
    /// On a plane, in metres.
    Plane(Vec2),
    /// In space: the line from the eye on which it lies.
    Space(Pointer3),
}

impl App {
    /// Where on a plane query and inspector look: at the pinned place, else at the cursor.
    pub fn looked_at(&self) -> Option<Vec2> {
        self.held_place().or(self.cursor)
    }

    /// The pinned place of a plane.
    pub fn held_place(&self) -> Option<Vec2> {
        match self.held {
            Some(Held::Plane(place)) if !self.has_steps() => Some(place),
            _ => None,
        }
    }

    /// What is held in space.
    pub(super) fn held_pointer(&self) -> Option<Pointer3> {
        match self.held {
            Some(Held::Space(pointer)) if !self.has_steps() => Some(pointer),
            _ => None,
        }
    }

    /// Whether query and inspector are pinned.
    pub fn is_held(&self) -> bool {
        self.held_place().is_some() || self.held_pointer().is_some()
    }

    /// Pins query and inspector to what is under the cursor; where they are pinned already, lets them go.
    pub fn hold(&mut self) {
        let Some(cursor) = self.cursor.filter(|_| !self.has_steps()) else {
            return;
        };
        if self.shows_space() {
            let pointer = self.pointer().and_then(|at| self.pointed(at));
            self.held = pointer.map(Held::Space);
            return;
        }
        let is_near = self
            .held_place()
            .is_some_and(|held| held.distance(cursor) * self.camera.zoom <= NEAR);
        self.held = (!is_near).then_some(Held::Plane(cursor));
    }

    /// Lets the pinned place go.
    pub fn let_go(&mut self) {
        self.held = None;
    }

    /// Whether a click with or without Shift pins what it is on: it would place and take nothing.
    pub fn click_holds(&self, shift: bool) -> bool {
        (shift || self.brush.tool == Tool::Look) && !self.has_steps()
    }
}
