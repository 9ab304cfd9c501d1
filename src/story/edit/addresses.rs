//! Under which addresses things are filed, in a structure that has any.

use super::Teller;
use crate::probe::{Event, Work};
use crate::story::atlas::Place;

impl Teller<'_> {
    /// The address of who is edited, or the bits with which those in the region of a step begin; nothing where there are none, or
    /// where the sentence of the step says them itself.
    pub fn addresses(&self, event: Event, place: Option<&Place>) -> String {
        match event {
            Event::Split(_) | Event::Merge(_) | Event::Refit(_) => {
                place.map_or_else(String::new, |place| self.begin(place))
            }
            // Of all who are gone through it is not said who is it.
            Event::Work(Work::MoveInPlace) if self.all[Work::MoveInPlace as usize] > 1 => {
                String::new()
            }
            Event::Work(
                Work::Add | Work::Remove | Work::MoveInPlace | Work::MoveKeyOnly | Work::MoveRelink,
            ) => self.own_address(),
            _ => String::new(),
        }
    }

    /// With which bits the addresses in a region begin, as it is at the moment by which it is told. Those below a node that stays are
    /// the same at both.
    fn begin(&self, place: &Place) -> String {
        let (is_after, is_same) = self.moment_of(place);
        let (own, other) = match is_after {
            true => (self.after, self.before),
            false => (self.before, self.after),
        };
        let is_known = own.address(place.region).is_some();
        match is_known || !(is_same && place.is_inner()) {
            true => own.begins_with(place),
            false => other.begins_with(place),
        }
    }

    /// The address of who is edited.
    fn own_address(&self) -> String {
        let Some(unit) = self.unit else {
            return String::new();
        };
        match (self.before.code(unit), self.after.code(unit)) {
            (Some(old), Some(new)) if old == new => {
                format!(" The address of unit {unit} stays {new}.")
            }
            (Some(old), Some(new)) => {
                format!(" The address of unit {unit} was {old}, and is {new} now.")
            }
            (Some(code), None) | (None, Some(code)) => {
                format!(" The address of unit {unit} is {code}.")
            }
            (None, None) => String::new(),
        }
    }
}
