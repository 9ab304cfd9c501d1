//! Structures, of a plane or of space, from what a scene's file says and back.

use super::{Checked, Converter};
use crate::partition::{Kind, KnobRange};
use crate::scene::StructureChoice;
use crate::scene::file::tokens::{Flaw, Place};
use crate::scene::file::written::{self, Knobs, List};
use crate::scene::limits;
use crate::structure::{AnyKind, StructureKind};
use crate::volume::Kind3;
use std::borrow::Cow;

impl Converter<'_> {
    /// One structure of the dimension that is asked for, with its knobs.
    pub(super) fn structure<K: AnyKind>(
        &self,
        place: &Place<'_>,
        text: &written::Structure,
    ) -> Checked<StructureChoice<K>> {
        let mut all = K::ALL.iter().copied();
        let kind = all.find(|kind| kind.info().key == text.kind);
        let kind = kind.ok_or_else(|| self.no_such_kind::<K>(&place.field("kind"), &text.kind))?;
        let mut choice = StructureChoice::new(kind);
        let knobs = place.field("knobs");
        for (key, value) in &text.knobs.0 {
            let value = match value {
                written::Knob::Number(number) => Cow::from(number.to_string()),
                written::Knob::Word(word) => Cow::from(word),
            };
            let set_before = choice.knobs.len();
            choice
                .set(key, &value)
                .map_err(|error| self.flaw(&knobs.field(key), error.to_string()))?;
            if choice.knobs.len() == set_before {
                return Err(self.flaw(&knobs, format!("{key} is set twice")));
            }
        }
        Ok(choice)
    }

    /// The flaw that no structure of this dimension has this key: one of the other dimension is called what it is.
    fn no_such_kind<K: AnyKind>(&self, place: &Place<'_>, key: &str) -> Flaw {
        fn keys<K: AnyKind>() -> String {
            let keys: Vec<&str> = K::ALL.iter().map(|kind| kind.info().key).collect();
            keys.join(", ")
        }
        let is_of_plane = Kind::from_key(key).is_some();
        let is_of_space = Kind3::from_key(key).is_some();
        match K::ALL.first().map(|kind| (*kind).into()) {
            Some(StructureKind::Plane(_)) if is_of_space => {
                let message = format!(
                    "{key} is for a scene with a volume; without one there are {}",
                    keys::<K>()
                );
                self.flaw(place, message)
            }
            Some(StructureKind::Space(_)) if is_of_plane => {
                let message = format!(
                    "{key} is for a scene without a volume; with one there are {}",
                    keys::<K>()
                );
                self.flaw(place, message)
            }
            _ => self.must(place, "kind", format!("one of {}", keys::<K>())),
        }
    }

    pub(super) fn lanes<K: AnyKind>(
        &self,
        place: &Place<'_>,
        texts: &[written::Structure],
    ) -> Checked<Vec<StructureChoice<K>>> {
        let lanes = texts.iter().enumerate();
        lanes
            .map(|(index, text)| self.structure(&place.item(index), text))
            .collect()
    }

    /// Checks that no lane would take minutes for a tick of so many units.
    pub(super) fn lanes_keep_up<K: AnyKind>(
        &self,
        place: &Place<'_>,
        lanes: &[StructureChoice<K>],
        units: u64,
    ) -> Checked<()> {
        let most = limits::MAX_EVERY_PAIR_UNITS;
        let mut lanes = lanes.iter();
        match lanes.position(|lane| lane.kind.tests_every_pair()) {
            Some(lane) if units > most => Err(self.flaw(
                &place.item(lane),
                format!(
                    "a lane that tests every pair follows at most {most} units (found {units})"
                ),
            )),
            _ => Ok(()),
        }
    }
}

/// A structure and its lanes.
pub(super) type Structures = (
    written::Structure,
    List<written::Structure, { limits::MAX_LANES - 1 }>,
);

pub(super) fn structures_text<K: AnyKind>(
    choice: &StructureChoice<K>,
    lanes: &[StructureChoice<K>],
) -> Structures {
    let lanes = lanes.iter().map(structure_text).collect();
    (structure_text(choice), List(lanes))
}

fn structure_text<K: AnyKind>(choice: &StructureChoice<K>) -> written::Structure {
    let info = choice.kind.info();
    let knobs = choice.knobs.iter().filter_map(|(index, value)| {
        let knob = info.knobs.get(*index)?;
        let text = match knob.range {
            KnobRange::Number { .. } if !knob.is_auto(*value) => written::Knob::Number(*value),
            _ => written::Knob::Word(knob.format(*value)),
        };
        Some((knob.key.to_owned(), text))
    });
    written::Structure {
        kind: info.key.to_owned(),
        knobs: Knobs(knobs.collect()),
    }
}
