//! What is done to all at once who are selected.

use super::{App, Selection, Tool};
use crate::app::commands::View;
use crate::app::widgets::with_commas;
use crate::app::worker::Placed;
use skirmish::geometry::{Aabb, Vec2};
use skirmish::partition::UnitId;
use skirmish::session::{Action, Units, copied};

/// Among so many those in a box are found anew while it is drawn; among more when it is done.
pub const MOST_LIVE: u64 = 300_000;
/// How far an arrow key moves who is selected, in metres; with Shift ten times as far.
const NUDGE: f32 = 1.0;
/// How far a copy stands from where it was copied, in points of the window.
pub(super) const BESIDE: f32 = 24.0;
/// A nudge goes on with the edit before for at most so many: what undo keeps of very many is kept once a nudge, and not for as long as a
/// key is held.
const MOST_IN_STROKE: usize = 20_000;

/// How wide the bodies are that are selected: of very many that is no question for every frame.
#[derive(Debug, Default)]
pub(super) struct Widths {
    /// After so many answers of the worker.
    moment: u64,
    /// Of whom.
    of: Vec<UnitId>,
    /// At the least and at the most.
    widths: Option<(f32, f32)>,
}

impl App {
    /// The units that stand in a part of the field, by ascending id.
    pub fn units_in(&self, area: Aabb) -> impl Iterator<Item = UnitId> + '_ {
        let (bodies, positions) = (self.battle.bodies(), self.battle.positions());
        let ids = bodies.ids();
        ids.filter(move |unit| area.contains(positions[*unit as usize]))
    }

    /// Selects these, which come by ascending id, and who was selected before.
    pub fn select_beside(&mut self, units: Vec<UnitId>, before: &Selection) {
        self.selection.replace(units);
        if !before.is_empty() {
            self.selection.add(before.units().iter().copied());
        }
    }

    /// Whether the pointer draws a box, or carries who is selected: what lies under it is not asked then.
    pub fn holds_units(&self) -> bool {
        let in_space = self.space.boxed.is_some() || self.space.carried.is_some();
        self.boxed.is_some() || self.carried.is_some() || in_space
    }

    /// Selects everybody.
    pub(super) fn select_all(&mut self) {
        if self.view == View::Streaming {
            return self.select_all_objects();
        }
        match &self.flight {
            Some(flight) => self.selection.replace(flight.bodies().ids()),
            None => self.selection.replace(self.battle.bodies().ids()),
        }
        if self.selection.is_empty() {
            self.say("There are no units to select.");
        } else {
            self.brush.tool = Tool::Look;
        }
    }

    /// What is selected, as an action names it.
    pub(super) fn selected(&self) -> Units {
        Units::new(self.selection.units().to_vec())
    }

    /// How many of what the view shows are selected, in words.
    pub fn selected_words(&self) -> Option<String> {
        let (count, one) = match &self.stream {
            Some(stream) if self.view == View::Streaming => (stream.selection.len(), "object"),
            _ => (self.selection.len(), "unit"),
        };
        match count {
            0 => None,
            1 => Some(format!("1 {one} selected")),
            count => Some(format!("{} {one}s selected", with_commas(count as u64))),
        }
    }

    /// How wide the bodies are that are selected, at the least and at the most, in metres; `None` where nobody is.
    pub fn selected_widths(&self) -> Option<(f32, f32)> {
        let mut known = self.widths.borrow_mut();
        if (known.moment, &known.of[..]) != (self.moment, self.selection.units()) {
            known.moment = self.moment;
            known.of.clear();
            known.of.extend_from_slice(self.selection.units());
            known.widths = self.walked_widths();
        }
        known.widths
    }

    /// The same, found by a walk over all of them.
    fn walked_widths(&self) -> Option<(f32, f32)> {
        let halves = |unit: &UnitId| match &self.flight {
            Some(flight) => {
                let half = flight.bodies().half_extent(*unit);
                (half.min_element(), half.max_element())
            }
            None => {
                let half = self.battle.bodies().half_extent(*unit);
                (half.min_element(), half.max_element())
            }
        };
        let units = self.selection.units().iter();
        let alive = units.filter(|unit| self.is_alive(**unit));
        let all = alive.map(halves);
        let (least, greatest) =
            all.reduce(|(least, greatest), (a, b)| (least.min(a), greatest.max(b)))?;
        Some((2.0 * least, 2.0 * greatest))
    }

    /// Whether anybody who is selected is alive, and so has a width that can be set. Asked in every frame: it looks for one and no further.
    pub fn can_set_width(&self) -> bool {
        let units = self.selection.units();
        units.iter().any(|unit| self.is_alive(*unit))
    }

    /// Whether a unit of what the view shows is alive.
    fn is_alive(&self, unit: UnitId) -> bool {
        match &self.flight {
            Some(flight) => flight.is_alive(unit),
            None => self.battle.bodies().is_alive(unit),
        }
    }

    /// Makes who is selected so wide, in metres.
    pub fn set_selected_width(&mut self, width: f32) {
        if !self.selection.is_empty() {
            self.act_in_stroke("size", Action::Size(self.selected(), 0.5 * width));
        }
    }

    /// Moves who is selected by a way; `more` says that it goes on with the edit before.
    pub fn move_selection(&mut self, way: Vec2, more: bool) {
        if !self.selection.is_empty() && way != Vec2::ZERO {
            let action = Action::Shift(self.selected(), way.into());
            self.post_act(action, more);
        }
    }

    /// Moves who is selected a little, if the arrow keys are theirs. Whether they are.
    pub(super) fn nudge(&mut self, x: i8, y: i8) -> bool {
        let is_theirs = self.brush.tool == Tool::Look
            && !self.selection.is_empty()
            && self.view.row().shows_battle;
        if !is_theirs || self.holds_timeline() {
            return is_theirs;
        }
        // The field's y goes down on the screen, as the arrows do.
        let far = if x.abs().max(y.abs()) > 1 { 10.0 } else { 1.0 };
        let way = Vec2::new(f32::from(x.signum()), f32::from(y.signum())) * far * NUDGE;
        let of = (self.worker.posted(), self.selection.len());
        let more = self.nudged == Some(of) && self.selection.len() <= MOST_IN_STROKE;
        match self.space.way_of_nudge(way) {
            Some(way) => self.move_selection_in_space(way, more),
            None => self.move_selection(way, more),
        }
        self.nudged = Some((self.worker.posted(), self.selection.len()));
        true
    }

    /// Removes who is selected.
    pub(super) fn delete_selection(&mut self) {
        if self.view == View::Streaming {
            return self.delete_objects();
        }
        if !self.selection.is_empty() {
            let units = self.selection.units().to_vec();
            self.selection.clear();
            self.act(Action::Remove(units));
        }
    }

    /// Places copies of who is selected beside them; they are selected then.
    pub(super) fn duplicate_selection(&mut self) {
        if self.view == View::Streaming {
            return self.duplicate_objects();
        }
        if self.selection.is_empty() {
            return self.say(NOBODY);
        }
        let units = self.selected();
        self.act(match self.space.way_beside() {
            Some(way) => Action::Copy3(units, way.into()),
            None => {
                let beside = BESIDE / self.camera.zoom;
                Action::Copy(units, (beside, beside))
            }
        });
    }

    /// The text of who is selected, for the clipboard; nothing where that was refused, which has been said then.
    pub fn copy_selection(&mut self) -> Option<String> {
        if self.view == View::Streaming {
            return self.copy_objects();
        }
        if self.selection.is_empty() {
            self.say(NOBODY);
            return None;
        }
        let units = self.selection.units();
        let text = match &self.flight {
            Some(flight) => copied(flight, units),
            None => copied(&self.battle, units),
        };
        match text {
            Ok(text) => {
                let count = with_commas(self.selection.len() as u64);
                let word = if self.selection.len() == 1 {
                    "unit"
                } else {
                    "units"
                };
                self.say(format!(
                    "{count} {word} copied; Ctrl+V places them at the cursor."
                ));
                Some(text)
            }
            Err(sentence) => {
                self.fail(sentence);
                None
            }
        }
    }

    /// Places what a clipboard holds where the cursor is, or in the middle of the view.
    pub fn paste(&mut self, text: &str) {
        if let Some(at) = self.place_to_paste() {
            return self.act(Action::Paste3(text.to_owned(), at.into()));
        }
        let at = self.cursor.unwrap_or(self.camera.center);
        let text = text.to_owned();
        if self.view == View::Streaming {
            return self.act(Action::PasteObjects(text, at.into()));
        }
        self.act(Action::Paste(text, at.into()));
    }

    /// Selects what the last paste, or the last duplication, has placed, or what the undo of a deletion has brought back.
    pub(super) fn select_placed(&mut self, placed: &Placed) {
        match (placed, &mut self.stream) {
            (Placed::Units(units), _) => {
                self.selection.replace(units.iter().copied());
                self.brush.tool = Tool::Look;
                let are_inside = match &self.flight {
                    Some(flight) => {
                        let (field, bodies) = (self.scene.field3(), flight.bodies());
                        let mut units = units.iter();
                        units.all(|unit| field.contains(bodies.center(*unit)))
                    }
                    None => {
                        let (field, bodies) = (self.scene.field, self.battle.bodies());
                        let mut units = units.iter();
                        units.all(|unit| field.contains(bodies.center(*unit)))
                    }
                };
                self.note_placed(are_inside);
            }
            (Placed::Back(units), _) => self.selection.replace(units.iter().copied()),
            (Placed::Objects(objects), Some(stream)) => {
                stream.selection.replace(objects.iter().copied());
            }
            (Placed::Objects(_), None) => {}
        }
    }
}

/// Said where somebody has to be selected.
const NOBODY: &str = "Nobody is selected. Shift+drag draws a box; Ctrl+A selects all.";
