//! Who of a group was moved or given a size, and units that belong to no scene: those of a clipboard.

use super::volume::flock_text;
use super::{Checked, Converter, List, Place, Whole, army_text, with_room, written};
use crate::scene::{Army, Flock, Muster, limits};

/// The units that `text` describes; `source` is what it was read from.
pub(in crate::scene::file) fn to_units(source: &str, text: written::Units) -> Checked<Vec<Army>> {
    let converter = Converter { source };
    converter.units(text.version, "units", |place| {
        converter.armies(place, text.units.0)
    })
}

/// The same of units in space.
pub(in crate::scene::file) fn to_flocks(
    source: &str,
    text: written::volume::Units,
) -> Checked<Vec<Flock>> {
    let converter = Converter { source };
    converter.units(text.version, "flocks", |place| {
        converter.flocks(place, text.flocks.0)
    })
}

/// What a clipboard says of these units.
pub(in crate::scene::file) fn from_units(armies: &[Army]) -> written::Units {
    written::Units {
        version: Whole(limits::VERSION.into()),
        units: List(armies.iter().map(army_text).collect()),
    }
}

/// The same of units in space.
pub(in crate::scene::file) fn from_flocks(flocks: &[Flock]) -> written::volume::Units {
    written::volume::Units {
        version: Whole(limits::VERSION.into()),
        flocks: List(flocks.iter().map(flock_text).collect()),
    }
}

impl Converter<'_> {
    /// Units that belong to no scene: whatever `read` finds in the field of this name, each in a place of its own.
    fn units<G: Muster>(
        &self,
        version: Whole,
        name: &str,
        read: impl FnOnce(&Place<'_>) -> Checked<Vec<G>>,
    ) -> Checked<Vec<G>> {
        let root = Place::ROOT;
        let known = i128::from(limits::VERSION);
        self.whole(&root, "version", version, known..=known)?;
        let units = root.field(name);
        let groups = read(&units)?;
        if let Some(index) = groups.iter().position(|group| group.explicit().is_none()) {
            let place = units.item(index);
            let place = place.field("formation");
            return Err(self.must(&place, "the formation of copied units", "Explicit"));
        }
        Ok(groups)
    }

    /// Who of an army, a flock or a scatter is elsewhere than it says; `read` checks a place.
    pub(super) fn moved<G: Muster, P: Copy>(
        &self,
        place: &Place<'_>,
        moved: &[(Whole, P)],
        (name, group): (&str, &G),
        read: impl Fn(&Place<'_>, P) -> Checked<G::Place>,
    ) -> Checked<Vec<(u32, G::Place)>> {
        if !moved.is_empty() && group.explicit().is_some() {
            let words = "moved is for units that a formation places; an Explicit one has each of their places already";
            return Err(self.flaw(place, words.to_owned()));
        }
        self.of_each(place, "moved", moved, (name, group.count()), read)
    }

    /// What is said of some of a group of so many under this name, each by its number; `read` checks what it is.
    pub(super) fn of_each<T: Copy, P: Copy>(
        &self,
        place: &Place<'_>,
        word: &str,
        told: &[(Whole, P)],
        (name, count): (&str, u32),
        read: impl Fn(&Place<'_>, P) -> Checked<T>,
    ) -> Checked<Vec<(u32, T)>> {
        let mut known: Vec<(u32, T)> = with_room(told.len())?;
        for (index, (number, what)) in told.iter().enumerate() {
            let item = place.item(index);
            if !(0..i128::from(count)).contains(&number.0) {
                let what = if word == "moved" { "place" } else { "size" };
                let expected = format!(
                    "whole numbers from 0 and below the {name}'s count, {count}, each with a {what}"
                );
                return Err(self.must(&item, word, expected));
            }
            let number = number.0 as u32;
            if let Some((before, _)) = known.last().filter(|(before, _)| *before >= number) {
                let message =
                    format!("{word} must be in ascending order (found {number} after {before})");
                return Err(self.flaw(&item, message));
            }
            known.push((number, read(&item.item(1), *what)?));
        }
        Ok(known)
    }
}
