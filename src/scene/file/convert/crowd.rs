//! Who of a group was moved, and units that belong to no scene: those of a clipboard.

use super::{Checked, Converter, List, Place, Whole, army_text, with_room, written};
use crate::geometry::Vec2;
use crate::scene::file::written::Point;
use crate::scene::{Army, Formation, limits};

/// The units that `text` describes; `source` is what it was read from.
pub(in crate::scene::file) fn to_units(source: &str, text: written::Units) -> Checked<Vec<Army>> {
    let (converter, root) = (Converter { source }, Place::ROOT);
    let version = i128::from(limits::VERSION);
    converter.whole(&root, "version", text.version, version..=version)?;
    let units = root.field("units");
    let armies = converter.armies(&units, text.units.0)?;
    for (index, army) in armies.iter().enumerate() {
        if !matches!(army.formation, Formation::Explicit(_)) {
            let place = units.item(index);
            let place = place.field("formation");
            return Err(converter.must(&place, "the formation of copied units", "Explicit"));
        }
    }
    Ok(armies)
}

/// What a clipboard says of these units.
pub(in crate::scene::file) fn from_units(armies: &[Army]) -> written::Units {
    written::Units {
        version: Whole(limits::VERSION.into()),
        units: List(armies.iter().map(army_text).collect()),
    }
}

/// What a file says of those who were moved.
pub(super) fn moved_text<const MAX: usize>(moved: &[(u32, Vec2)]) -> List<(Whole, Point), MAX> {
    let text = |(number, at): &(u32, Vec2)| (Whole((*number).into()), (*at).into());
    List(moved.iter().map(text).collect())
}

impl Converter<'_> {
    /// Who of a group of `count`, which is an army or a scatter, stands elsewhere than it says.
    pub(super) fn moved(
        &self,
        place: &Place<'_>,
        moved: &[(Whole, Point)],
        group: &str,
        count: u32,
    ) -> Checked<Vec<(u32, Vec2)>> {
        let mut known: Vec<(u32, Vec2)> = with_room(moved.len())?;
        for (index, (number, at)) in moved.iter().enumerate() {
            let item = place.item(index);
            if !(0..i128::from(count)).contains(&number.0) {
                let expected = format!(
                    "whole numbers from 0 and below the {group}'s count, {count}, each with a place"
                );
                return Err(self.must(&item, "moved", expected));
            }
            let number = number.0 as u32;
            if let Some((before, _)) = known.last().filter(|(before, _)| *before >= number) {
                let message =
                    format!("moved must be in ascending order (found {number} after {before})");
                return Err(self.flaw(&item, message));
            }
            known.push((number, self.point(&item.item(1), "a place", *at)?));
        }
        Ok(known)
    }
}
