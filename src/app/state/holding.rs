//! A unit or a place of the field at which query and inspector go on looking while the pointer is elsewhere.
//!
//! A pin on a unit is of the unit and goes with it; one beside all of them is of the place and stays. Who falls leaves the pin where it
//! stood last, and has it again where time goes back to before that.

use super::{App, Tool};
use skirmish::geometry::Vec2;
use skirmish::observe::PICK_PIXELS;
use skirmish::observe::space::Pointer3;
use skirmish::partition::UnitId;

/// A click so near to the pinned place lets it go, in points.
const NEAR: f32 = 8.0;

/// What is pinned.
#[derive(Clone, Copy, Debug)]
pub enum Held {
    /// A place on a plane, in metres.
    Plane(Vec2),
    /// A unit on a plane, and where it stood last.
    Unit(UnitId, Vec2),
    /// A place in space: the line from the eye on which it lies, and whether it is known by now that it is of no unit.
    Space(Pointer3, bool),
    /// A unit in space, and what is pointed at where it was last.
    Flying(UnitId, Pointer3),
}

impl App {
    /// Where on a plane query and inspector look: at the pinned place, else at the cursor.
    pub fn looked_at(&self) -> Option<Vec2> {
        self.held_place().or(self.cursor)
    }

    /// The pinned place of a plane, or that of the pinned unit.
    pub fn held_place(&self) -> Option<Vec2> {
        match self.held {
            Some(Held::Plane(place) | Held::Unit(_, place)) if !self.has_steps() => Some(place),
            _ => None,
        }
    }

    /// The pinned unit, while it stands.
    pub fn held_unit(&self) -> Option<UnitId> {
        match self.held.filter(|_| !self.has_steps())? {
            Held::Unit(unit, _) => Some(unit).filter(|it| self.battle.bodies().is_alive(*it)),
            Held::Flying(unit, _) => Some(unit).filter(|it| self.flying(*it).is_some()),
            Held::Plane(_) | Held::Space(..) => None,
        }
    }

    /// What is held in space.
    pub(super) fn held_pointer(&self) -> Option<Pointer3> {
        match self.held {
            Some(Held::Space(pointer, _) | Held::Flying(_, pointer)) if !self.has_steps() => {
                Some(pointer)
            }
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
            // Which unit that is, if any, is known once the structure has been asked.
            self.held = pointer.map(|pointer| Held::Space(pointer, false));
            return;
        }
        let is_near = self
            .held_place()
            .is_some_and(|held| held.distance(cursor) * self.camera.zoom <= NEAR);
        // A unit is under the cursor from farther away than a place is near.
        let unit = self.unit_under(cursor);
        let is_it = unit.is_some() && unit == self.held_unit();
        let held = match unit {
            Some(unit) => Held::Unit(unit, self.battle.positions()[unit as usize]),
            None => Held::Plane(cursor),
        };
        self.held = (!is_near && !is_it).then_some(held);
    }

    /// The unit that is under a cursor here: the nearest one, as near as a frame picks one.
    fn unit_under(&self, cursor: Vec2) -> Option<UnitId> {
        let within = PICK_PIXELS / self.camera.zoom;
        let bodies = self.battle.bodies();
        let distances = bodies
            .ids()
            .map(|unit| (bodies.aabb(unit).distance_sq(cursor), unit));
        distances
            .filter(|(distance_sq, _)| *distance_sq <= within * within)
            .min_by(|a, b| a.0.total_cmp(&b.0))
            .map(|(_, unit)| unit)
    }

    /// Goes on with the pinned unit to where it is by now.
    pub(super) fn follow_held(&mut self) {
        let Some(held) = self.held else { return };
        let frame = &self.lanes[0].frame3;
        let flying = |unit: UnitId, pointer: Pointer3| {
            let otherwise = self.flying(unit)?;
            // By its place: another unit may lie before it on the line.
            let picks = false;
            let pointer = Pointer3 {
                otherwise,
                picks,
                ..pointer
            };
            Some(Held::Flying(unit, pointer))
        };
        let now = match held {
            Held::Unit(unit, _) if self.battle.bodies().is_alive(unit) => {
                Some(Held::Unit(unit, self.battle.positions()[unit as usize]))
            }
            Held::Flying(unit, pointer) => flying(unit, pointer),
            Held::Space(pointer, false) if frame.pointer == Some(pointer) => {
                let unit = frame.unit.and_then(|unit| flying(unit, pointer));
                unit.or(Some(Held::Space(pointer, true)))
            }
            Held::Unit(..) | Held::Plane(_) | Held::Space(..) => None,
        };
        self.held = now.or(Some(held));
    }

    /// Lets go what is pinned.
    pub fn let_go(&mut self) {
        self.held = None;
    }

    /// Whether a click with or without Shift pins what it is on: it would place and take nothing.
    pub fn click_holds(&self, shift: bool) -> bool {
        (shift || self.brush.tool == Tool::Look) && !self.has_steps()
    }
}
