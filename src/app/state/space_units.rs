//! Many units at once in space: who is seen in a box of the screen, and where a hand or a key moves those who are selected.

use super::selection::BESIDE;
use super::{App, Space};
use crate::app::eye::{Lens, Slice};
use egui_macroquad::egui::{Pos2, Rect};
use skirmish::geometry::Vec2;
use skirmish::partition::UnitId;
use skirmish::session::Action;
use skirmish::volume::Vec3;

/// Who is taken by the hand is no farther from the pointer, in points.
const NEAR: f32 = 12.0;

/// What the eye sees of places.
#[derive(Clone, Copy)]
struct Sight {
    lens: Lens,
    slice: Option<Slice>,
    screen: Rect,
}

impl Sight {
    /// Where a place is on the screen; `None` where it is cut away or off it.
    fn of(&self, place: Vec3) -> Option<Pos2> {
        let is_hidden = |slice: Slice| slice.hides(self.lens.origin, place);
        if self.slice.is_some_and(is_hidden) {
            return None;
        }
        let (at, _) = self.lens.project(place)?;
        self.screen.contains(at).then_some(at)
    }
}

impl Space {
    fn sight(&self) -> Option<Sight> {
        let eye = self.eye.as_ref()?;
        Some(Sight {
            lens: eye.lens(),
            slice: self.slice,
            screen: eye.screen,
        })
    }

    /// The place that a point of the screen means to a hand that moves something from `from`: in the plane through it that faces
    /// the eye, or, where space is cut open, in the one along the cut. `None` where that plane is seen from its edge.
    pub fn carried_to(&self, from: Vec3, at: Pos2) -> Option<Vec3> {
        /// From where on a plane is seen from its edge: the sine of the angle.
        const EDGE: f32 = 0.05;
        let eye = self.eye.as_ref()?;
        let (origin, way) = eye.line_through(at);
        let normal = match self.slice {
            Some(slice) => Vec3::AXES[slice.axis.min(2)],
            None => eye.lens().forward,
        };
        let slope = way.dot(normal);
        let distance = (from - origin).dot(normal) / slope;
        let is_met = slope.abs() > EDGE && distance.is_finite() && distance > 0.0;
        is_met.then(|| origin + way * distance)
    }

    /// The way of an arrow key that goes so far to the right and down on the screen: along the axes that lie nearest to that, so that
    /// it is as long as it says. `None` on a plane.
    pub(super) fn way_of_nudge(&self, way: Vec2) -> Option<Vec3> {
        let lens = self.eye.as_ref()?.lens();
        let right = nearest_axis(lens.right);
        let up = nearest_axis(lens.up * (Vec3::ONE - right.abs()));
        Some(right * way.x - up * way.y)
    }

    /// From what is copied to its copy: a little to the right and down on the screen. `None` on a plane.
    pub(super) fn way_beside(&self) -> Option<Vec3> {
        let eye = self.eye.as_ref()?;
        let lens = eye.lens();
        Some((lens.right - lens.up) * (BESIDE * eye.metres_per_point_at_pivot()))
    }
}

/// The axis that lies nearest to a way, one metre long.
fn nearest_axis(way: Vec3) -> Vec3 {
    let axis = way.abs().max_position();
    Vec3::AXES[axis] * way[axis].signum()
}

impl App {
    /// The units that are seen in a box of the screen, by ascending id.
    pub fn units_seen_in(&self, area: Rect) -> Vec<UnitId> {
        let (Some(flight), Some(sight)) = (&self.flight, self.space.sight()) else {
            return Vec::new();
        };
        let bodies = flight.bodies();
        let is_in = |unit: &UnitId| {
            let seen = sight.of(bodies.center(*unit));
            seen.is_some_and(|at| area.contains(at))
        };
        bodies.ids().filter(is_in).collect()
    }

    /// Where the selected unit is that is seen nearest to a point of the screen; `None` where none is near.
    pub fn selected_at(&self, at: Pos2) -> Option<Vec3> {
        let sight = self.space.sight()?;
        let places = self.selection.units().iter();
        let seen = places.filter_map(|unit| {
            let place = self.flying(*unit)?;
            Some((sight.of(place)?.distance(at), place))
        });
        let near = seen.filter(|(distance, _)| *distance <= NEAR);
        let nearest = near.min_by(|a, b| a.0.total_cmp(&b.0));
        nearest.map(|(_, place)| place)
    }

    /// A way in space, or as much higher that nobody who is selected goes into the ground by it. Whoever is below it already goes no
    /// deeper.
    pub fn above_ground(&self, way: Vec3) -> Vec3 {
        let Some(flight) = &self.flight else {
            return way;
        };
        let (ground, bodies) = (flight.ground(), flight.bodies());
        let lift = |unit: &UnitId| {
            let before = self.flying(*unit)?;
            let half = if bodies.are_sized() {
                bodies.half_extent(*unit).z
            } else {
                0.0
            };
            let to = before + way;
            let floor = ground.height(to.x, to.y) + half;
            Some(floor.min(before.z) - to.z)
        };
        let lifts = self.selection.units().iter().filter_map(lift);
        way + Vec3::Z * lifts.fold(0.0, f32::max)
    }

    /// Moves who is selected by a way in space; `more` says that it goes on with the edit before.
    pub fn move_selection_in_space(&mut self, way: Vec3, more: bool) {
        let way = self.above_ground(way);
        if !self.selection.is_empty() && way != Vec3::ZERO {
            let action = Action::Shift3(self.selected(), way.into());
            self.post_act(action, more);
        }
    }

    /// Puts who is selected on the ground, each where it is seen from above.
    pub(super) fn put_on_ground(&mut self) {
        let Some(flight) = &self.flight else {
            return;
        };
        let (ground, bodies) = (flight.ground(), flight.bodies());
        let put = |unit: &UnitId| {
            let at = self.flying(*unit)?;
            let half = if bodies.are_sized() {
                bodies.half_extent(*unit).z
            } else {
                0.0
            };
            let z = ground.height(at.x, at.y) + half;
            Some((*unit, (at.x, at.y, z)))
        };
        let moves: Vec<_> = self.selection.units().iter().filter_map(put).collect();
        let units = self.selected();
        if !moves.is_empty() {
            self.post_act(Action::Move3(moves), false);
            // The scene begins with them there.
            let stays = Action::Shift3(units, (0.0, 0.0, 0.0));
            self.post_act(stays, true);
        }
    }

    /// Where in space a paste goes: to what is under the pointer, or to the middle of the view. `None` on a plane.
    pub(super) fn place_to_paste(&self) -> Option<Vec3> {
        let eye = self.space.eye.as_ref()?;
        let pointed = self.pointer().and_then(|at| self.pointed(at));
        let Some(pointed) = pointed else {
            return Some(eye.pivot);
        };
        // What was found under it is known where it has not moved since.
        let frame = &self.lane().frame3;
        let found = frame.point.filter(|_| frame.pointer == Some(pointed));
        Some(found.unwrap_or(pointed.otherwise))
    }
}
