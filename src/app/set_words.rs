//! What a structure is set to, and in which pane it is, in words.

use super::widgets::unit_of;
use super::worker::Structure;
use skirmish::partition::{Knob, KnobRange};
use skirmish::scene::limits::MAX_LANES;

/// What a pane is called by its place.
pub const PANES: [&str; MAX_LANES] = ["first pane", "second pane", "third pane", "fourth pane"];

/// The pane of a lane in words.
pub fn pane_in_words(lane: usize) -> String {
    match PANES.get(lane) {
        Some(name) => format!("the {name}"),
        None => format!("pane {}", lane + 1),
    }
}

/// The knobs in words, at most `most` of them, as [`knobs_told`] has them.
pub fn knobs_in_words(structure: &Structure, others: &[&Structure], most: usize) -> String {
    let told = knobs_told(structure, others).into_iter().take(most);
    let knobs: Vec<String> = told
        .map(|(name, value)| knob_in_words(name, &value))
        .collect();
    knobs.join(" · ")
}

/// The values of the same knobs alone.
pub fn values_in_words(structure: &Structure, others: &[&Structure], most: usize) -> String {
    let told = knobs_told(structure, others).into_iter().take(most);
    let values: Vec<String> = told.map(|(_, value)| value).collect();
    values.join(" · ")
}

/// A knob and its value. A level of so many levels is a level too often.
pub fn knob_in_words(name: &str, value: &str) -> String {
    let value = match value.rsplit_once(' ') {
        Some((number, unit))
            if unit
                .strip_suffix('s')
                .is_some_and(|one| name.ends_with(one)) =>
        {
            number.to_owned()
        }
        Some((number, unit)) => format!("{number} {}", unit_of(number, unit)),
        _ => value.to_owned(),
    };
    format!("{name} {value}")
}

/// The knobs with their values: those first in which it differs from `others` of its kind, then those that are not at their defaults, then
/// the numbers. A knob that does nothing where it stands, as a skin of nothing, or beside what another one is set to, is left out.
pub fn knobs_told(structure: &Structure, others: &[&Structure]) -> Vec<(&'static str, String)> {
    let info = structure.info();
    let differs = |index: usize| {
        let mut alike = others.iter().filter(|other| other.kind == structure.kind);
        alike.any(|other| other.knob(index) != structure.knob(index))
    };
    let is_number = |knob: &Knob| matches!(knob.range, KnobRange::Number { .. });
    let mut told: Vec<(usize, &Knob)> = info.knobs.iter().enumerate().collect();
    let does_nothing = |(index, knob): (usize, &Knob)| {
        let value = structure.knob(index);
        value == knob.default && !knob.is_auto(value) && structure.in_effect(index) == 0.0
    };
    let is_set = |(index, knob): (usize, &Knob)| {
        !knob.picture_only && structure.knob(index) != knob.default && !structure.is_idle(index)
    };
    told.retain(|(index, knob)| {
        let is_told = is_number(knob) && !does_nothing((*index, knob));
        let is_told = is_told && !structure.is_idle(*index);
        differs(*index) || is_told || is_set((*index, knob))
    });
    told.sort_by_key(|(index, knob)| (!differs(*index), !is_set((*index, knob))));
    told.into_iter()
        .map(|(index, knob)| {
            let in_effect = structure.in_effect(index);
            // Of one that is gone nobody knows what it chose.
            let is_known = !knob.is_auto(in_effect);
            let auto = match knob.is_auto(structure.knob(index)) && is_known {
                true => "auto ",
                false => "",
            };
            let value = knob.format(in_effect).replace('_', " ");
            let unit = if is_known { knob.unit } else { "" };
            let value = format!("{auto}{value} {unit}");
            (knob.name, value.trim_end().to_owned())
        })
        .collect()
}
