//! A unit or a place of the field at which query and inspector go on looking while the pointer is elsewhere.
//!
//! A pin on a unit is of the unit and goes with it; one beside all of them is of the place and stays. Who falls leaves the pin where it
//! stood last, and has it again where time goes back to before that.
//!
//! Invariant: it goes to no other unit. Numbers are used again: who comes with that of a unit that is gone is a stranger.

use super::{App, Tool};
use crate::app::worker::LaneView;
use skirmish::geometry::Vec2;
use skirmish::observe::PICK_PIXELS;
use skirmish::observe::space::Pointer3;
use skirmish::partition::UnitId;
use skirmish::volume::Vec3;

/// A click so near to the pinned place lets it go, in points.
const NEAR: f32 = 8.0;

/// What is pinned.
#[derive(Clone, Copy, Debug)]
pub enum Held {
    /// A place on a plane, in metres.
    Plane(Vec2),
    /// A unit on a plane, and where it stood last.
    Unit(Pinned, Vec2),
    /// A place in space: the line from the eye on which it lies, and whether it is known by now that it is of no unit.
    Space(Pointer3, bool),
    /// A unit in space, and what is pointed at where it was last.
    Flying(Pinned, Pointer3),
}

/// A unit that is pinned.
#[derive(Clone, Copy, Debug)]
pub struct Pinned {
    unit: UnitId,
    /// Of which armies, by how many have begun on the way to them.
    armies: u64,
    /// The last tick of which it is known, and once it is gone the one at which it was missed: before that its number was its own.
    until: u64,
    /// Whether it is gone since then.
    is_gone: bool,
}

impl Pinned {
    /// A unit of these armies that stands at this tick.
    fn standing(unit: UnitId, armies: u64, tick: u64) -> Self {
        Self {
            unit,
            armies,
            until: tick,
            is_gone: false,
        }
    }

    /// How it is at a tick at which nobody has its number, or somebody who stands exactly where it stood last or elsewhere. `None` where
    /// that is another one: whoever it is can only be the one that is gone where time has gone back, or where undo has brought it back.
    fn at(self, tick: u64, is_where_it_was: Option<bool>) -> Option<Self> {
        let Some(is_where_it_was) = is_where_it_was else {
            let until = match self.is_gone {
                true => self.until,
                false => self.until.max(tick),
            };
            let is_gone = true;
            return Some(Self {
                until,
                is_gone,
                ..self
            });
        };
        let is_it = !self.is_gone || tick < self.until || (tick == self.until && is_where_it_was);
        is_it.then(|| Self::standing(self.unit, self.armies, tick))
    }
}

/// A pointer at a unit that is here: by its place, as another one may lie before it on the line.
fn pointer_at(otherwise: Vec3, pointer: Pointer3) -> Pointer3 {
    let picks = false;
    Pointer3 {
        otherwise,
        picks,
        ..pointer
    }
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
        let held = self.held.filter(|_| !self.has_steps())?;
        let (Held::Unit(pinned, _) | Held::Flying(pinned, _)) = held else {
            return None;
        };
        // On the way through time others may have its number for a moment.
        let is_known = !pinned.is_gone && pinned.armies == self.place.armies;
        let stands = |unit: UnitId| match held {
            Held::Flying(..) => self.flying(unit).is_some(),
            _ => self.battle.bodies().is_alive(unit),
        };
        Some(pinned.unit).filter(|unit| is_known && stands(*unit))
    }

    /// Who is looked at in a lane: the pinned unit, else the one that is under the cursor there. Ring and card are both of it.
    pub fn looked_at_unit(&self, lane: &LaneView) -> Option<UnitId> {
        let pointed = match self.shows_space() {
            true => lane.frame3.unit,
            false => lane.frame.unit,
        };
        self.held_unit().or(pointed)
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

    /// Pins query and inspector to what a click in space was on, of which the structure has been asked: to the very unit that it selects.
    pub fn hold_clicked(&mut self) {
        let pointer = self.lanes[0].frame3.pointer;
        self.held = pointer.map(|pointer| Held::Space(pointer, false));
        self.follow_held();
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
            Some(unit) => {
                let pinned = Pinned::standing(unit, self.place.armies, self.place.tick);
                Held::Unit(pinned, self.battle.positions()[unit as usize])
            }
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

    /// Goes on with the pinned unit to where it is by now. Where another one has its number, or undo and redo have led to other armies, the
    /// place stays pinned. On the way to another tick nothing is known yet: there are the armies of a keyframe, from before edits at it.
    pub(super) fn follow_held(&mut self) {
        let Some(held) = self.held else { return };
        if self.place.is_on_way {
            return;
        }
        let (frame, tick) = (&self.lanes[0].frame3, self.place.tick);
        let armies = self.place.armies;
        self.held = Some(match held {
            Held::Unit(pinned, before) if pinned.armies != armies => Held::Plane(before),
            Held::Flying(pinned, before) if pinned.armies != armies => Held::Space(before, true),
            Held::Unit(pinned, before) => {
                let unit = pinned.unit;
                let stands = self.battle.bodies().is_alive(unit);
                let at = stands.then(|| self.battle.positions()[unit as usize]);
                match pinned.at(tick, at.map(|at| at == before)) {
                    Some(pinned) => Held::Unit(pinned, at.unwrap_or(before)),
                    None => Held::Plane(before),
                }
            }
            Held::Flying(pinned, before) => {
                let at = self.flying(pinned.unit);
                match pinned.at(tick, at.map(|at| at == before.otherwise)) {
                    Some(pinned) => {
                        let now = at.map_or(before, |at| pointer_at(at, before));
                        Held::Flying(pinned, now)
                    }
                    None => Held::Space(before, true),
                }
            }
            Held::Space(pointer, false) if frame.pointer == Some(pointer) => {
                let flying = frame.unit.and_then(|unit| Some((unit, self.flying(unit)?)));
                match flying {
                    Some((unit, at)) => {
                        let pinned = Pinned::standing(unit, armies, tick);
                        Held::Flying(pinned, pointer_at(at, pointer))
                    }
                    None => Held::Space(pointer, true),
                }
            }
            Held::Plane(_) | Held::Space(..) => held,
        });
    }

    /// Other armies begin here: the pin stays where its unit is, of which nothing will be known.
    pub(super) fn leave_held_unit(&mut self) {
        self.held = self.held.map(|held| match held {
            Held::Unit(_, place) => Held::Plane(place),
            Held::Flying(_, pointer) => Held::Space(pointer, true),
            Held::Plane(_) | Held::Space(..) => held,
        });
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_comes_with_the_number_of_a_unit_that_is_gone_is_it_only_where_time_went_back() {
        let pinned = Pinned::standing(3, 0, 100);
        let still = pinned.at(101, Some(false)).expect("it stands");
        assert!(!still.is_gone && still.until == 101);
        let gone = still.at(104, None).expect("nobody else has its number");
        assert!(gone.is_gone && gone.until == 104);
        let gone = gone.at(140, None).expect("nor has anybody later");
        // A moment at which it still stood was seen by nobody.
        let back = gone.at(103, Some(false)).expect("time went back");
        assert!(!back.is_gone && back.until == 103);
        assert!(gone.at(104, Some(true)).is_some(), "undo");
        assert!(gone.at(104, Some(false)).is_none());
        assert!(gone.at(140, Some(true)).is_none());
        // Before it came it is not there either, and it comes again.
        let before = pinned.at(60, None).expect("nobody has its number");
        assert!(before.at(90, Some(false)).is_some());
        assert!(before.at(101, Some(false)).is_none());
    }
}
