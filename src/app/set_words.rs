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
    told_in_words(structure, others, most, knob_in_words)
}

/// The values of the same knobs alone.
pub fn values_in_words(structure: &Structure, others: &[&Structure], most: usize) -> String {
    told_in_words(structure, others, most, |_, value| value.to_owned())
}

/// At most so many of them, each as `of` has it.
fn told_in_words(
    structure: &Structure,
    others: &[&Structure],
    most: usize,
    of: impl Fn(&str, &str) -> String,
) -> String {
    let told = knobs_told(structure, others).into_iter().take(most);
    let told: Vec<String> = told.map(|(name, value)| of(name, &value)).collect();
    told.join(BETWEEN)
}

/// Between two knobs, or two values, that are told of a structure.
pub const BETWEEN: &str = " \u{b7} ";

/// A knob and its value. A level of so many levels is a level too often.
pub fn knob_in_words(name: &str, value: &str) -> String {
    let is_number = |words: &str| words.ends_with(|it: char| it.is_ascii_digit());
    let is_said = |unit: &str| name.ends_with(unit.strip_suffix('s').unwrap_or(unit));
    match value.rsplit_once(' ') {
        Some((number, unit)) if is_number(number) && is_said(unit) => format!("{name} {number}"),
        _ => format!("{name} {value}"),
    }
}

/// A value of a knob with its unit, which what is left to choose has none of.
pub fn value_in_words(knob: &Knob, value: f64) -> String {
    let words = knob.format(value).replace('_', " ");
    match knob.is_auto(value) {
        true => words,
        false => format!("{words} {}", unit_of(&words, knob.unit))
            .trim_end()
            .to_owned(),
    }
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
            let value = value_in_words(knob, in_effect);
            (knob.name, format!("{auto}{value}"))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use skirmish::partition::Kind;

    #[test]
    fn knobs_that_are_set_come_first_and_those_that_do_nothing_beside_them_are_left_out() {
        let info = Kind::SweepAndPrune.info();
        let knob = |key: &str| {
            let mut knobs = info.knobs.iter();
            knobs.position(|knob| knob.key == key).expect("a knob")
        };
        let sweep = |axes: f64| {
            let mut knobs: Vec<f64> = info.knobs.iter().map(|knob| knob.default).collect();
            knobs[knob("axes")] = axes;
            let mut effects = knobs.clone();
            effects[knob("strip_height")] = 16.0;
            Structure {
                kind: Kind::SweepAndPrune.into(),
                knobs,
                effects,
                bytes: 0,
            }
        };
        let said = |of: f64, others: &[&Structure]| knobs_in_words(&sweep(of), others, 3);
        assert_eq!(said(0.0, &[]), "strip height auto 16 m");
        assert_eq!(said(1.0, &[]), "axes y · strip height auto 16 m");
        assert_eq!(said(2.0, &[]), "axes both · kept reach 2 m");
        // What tells it from another one is said, though it is the default.
        let both = sweep(2.0);
        assert_eq!(said(0.0, &[&both]), "axes x · strip height auto 16 m");
    }

    #[test]
    fn one_of_a_unit_is_one_and_a_knob_that_says_its_unit_says_it_once() {
        let info = Kind::Quadtree.info();
        let knob = |key: &str| {
            let mut knobs = info.knobs.iter();
            knobs.find(|knob| knob.key == key).expect("a knob")
        };
        let (capacity, depth) = (knob("capacity"), knob("max_depth"));
        let values = [1.0, 2.0].map(|value| [capacity, depth].map(|it| value_in_words(it, value)));
        assert_eq!(values, [["1 unit", "1 level"], ["2 units", "2 levels"]]);
        let [one, two] = values.map(|[units, levels]| {
            let units = knob_in_words(capacity.name, &units);
            [units, knob_in_words(depth.name, &levels)]
        });
        assert_eq!(one, ["capacity 1 unit", "deepest level 1"]);
        assert_eq!(two, ["capacity 2 units", "deepest level 2"]);
        assert_eq!(
            knob_in_words(depth.name, "auto 1 level"),
            "deepest level auto 1"
        );
        let mut knobs: Vec<f64> = info.knobs.iter().map(|knob| knob.default).collect();
        let place = info.knobs.iter().position(|it| it.key == capacity.key);
        knobs[place.expect("a knob")] = 1.0;
        let structure = Structure {
            kind: Kind::Quadtree.into(),
            effects: knobs.clone(),
            knobs,
            bytes: 0,
        };
        assert_eq!(knobs_in_words(&structure, &[], 1), "capacity 1 unit");
        assert_eq!(values_in_words(&structure, &[], 1), "1 unit");
    }
}
