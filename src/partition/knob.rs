//! What is known of a structure before it is built, and its settings.

/// When the parts of a node become one leaf again: by which rule a structure joins what units have left.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Joining {
    /// By another one, or never.
    #[default]
    Never,
    /// Once no more are in all parts together than half of what a leaf may hold, whatever the node holds itself.
    Parts,
    /// The same, where those count as well whom the node holds itself.
    Whole,
    /// A leaf and the one beside it once no more are in both than half of what a leaf may hold, which is looked at only once no more are in
    /// the one that has lost a unit than a quarter of it.
    Beside,
}

/// How a structure places a body that has a size: the real difference between them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placement {
    /// By its centre; a query grows by the largest half extent that it may meet.
    Center,
    /// Nodes carry the union of the true boxes.
    Tight,
    /// In the smallest node that holds the whole body.
    Straddle,
    /// In every cell that it touches, with duplicates removed.
    Replicate,
}

impl Placement {
    /// The name for a panel.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Center => "by centre",
            Self::Tight => "tight boxes",
            Self::Straddle => "straddlers stay up",
            Self::Replicate => "in every cell touched",
        }
    }
}

/// What values a knob takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum KnobRange {
    /// A number from `min` to `max`.
    Number {
        /// The least value.
        min: f64,
        /// The greatest value.
        max: f64,
        /// Whether only whole numbers are meant.
        whole: bool,
        /// Whether a slider moves by ratios rather than by steps.
        logarithmic: bool,
    },
    /// One of these words; the value is the index.
    Choice(&'static [&'static str]),
    /// Off or on: 0 or 1, written `off` and `on`.
    Switch,
}

/// The value of a knob at `auto`: the structure chooses what fits, when it is built.
///
/// A knob [may be so](Knob::may_be_auto) if this is its default and lies below what it takes else.
pub const AUTO: f64 = 0.0;

/// One setting of a structure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Knob {
    /// The word in scenes and on the command line, in snake_case.
    pub key: &'static str,
    /// The name in a panel.
    pub name: &'static str,
    /// One sentence: what it changes and what it costs.
    pub help: &'static str,
    /// The unit of the value; empty for none.
    pub unit: &'static str,
    /// What it may be.
    pub range: KnobRange,
    /// What it is unless somebody says otherwise.
    pub default: f64,
    /// Whether it changes the picture alone, so that nothing needs to be built again.
    pub picture_only: bool,
    /// Whether it acts when the structure learns of changes: what it is worth shows over many steps, and hardly on one that has just been
    /// built.
    pub acts_on_update: bool,
    /// With which values of other knobs of the structure, by their keys, it does nothing: each is enough.
    pub idle_with: &'static [(&'static str, f64)],
}

/// Why a knob was not set.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum KnobError {
    /// The structure has no such knob.
    #[error("{structure} has no knob '{key}'; it has {known}")]
    Unknown {
        /// The structure's key.
        structure: &'static str,
        /// What was asked for.
        key: String,
        /// The knobs that there are.
        known: String,
    },
    /// The value is not one that the knob takes.
    #[error("{key} must be {expected} (found {found})")]
    Value {
        /// The knob's key.
        key: &'static str,
        /// What would be right.
        expected: String,
        /// What was given.
        found: String,
    },
}

impl Knob {
    /// Whether the structure may be left to choose the value.
    pub fn may_be_auto(&self) -> bool {
        matches!(self.range, KnobRange::Number { min, .. } if min > AUTO && self.default == AUTO)
    }

    /// Whether the structure is left to choose, with this value.
    pub fn is_auto(&self, value: f64) -> bool {
        value == AUTO && self.may_be_auto()
    }

    /// What values the knob takes, in words.
    pub fn expectation(&self) -> String {
        let numbers = self.range.expectation();
        if self.may_be_auto() {
            format!("auto or {numbers}")
        } else {
            numbers
        }
    }

    /// Whether `value` is one that the knob takes.
    pub fn accepts(&self, value: f64) -> bool {
        self.is_auto(value) || self.range.holds(value)
    }

    /// Reads a value as scenes and the command line write it.
    pub fn parse(&self, text: &str) -> Result<f64, KnobError> {
        let text = text.trim();
        if text == "auto" && self.may_be_auto() {
            return Ok(AUTO);
        }
        let value = match self.range {
            KnobRange::Number { .. } => text.parse::<f64>().ok(),
            KnobRange::Choice(words) => words
                .iter()
                .position(|word| *word == text)
                .map(|index| index as f64),
            KnobRange::Switch => match text {
                "off" => Some(0.0),
                "on" => Some(1.0),
                _ => None,
            },
        };
        value
            .filter(|value| self.range.holds(*value))
            .ok_or_else(|| KnobError::Value {
                key: self.key,
                expected: self.expectation(),
                found: text.to_owned(),
            })
    }

    /// Writes a value as scenes and the command line read it.
    pub fn format(&self, value: f64) -> String {
        match self.range {
            KnobRange::Number { .. } if self.is_auto(value) => "auto".to_owned(),
            KnobRange::Number { .. } => format!("{value}"),
            KnobRange::Choice(words) => words
                .get(value as usize)
                .copied()
                .unwrap_or_default()
                .to_owned(),
            KnobRange::Switch => if value == 0.0 { "off" } else { "on" }.to_owned(),
        }
    }
}

impl KnobRange {
    /// Values spread over the range, ascending, its ends among them: what is worth trying when nobody knows better. Small whole ranges
    /// and choices come whole; a range of many magnitudes is gone through by round ratios, at most 24 values.
    pub fn spread(self) -> Vec<f64> {
        match self {
            Self::Choice(words) => (0..words.len()).map(|index| index as f64).collect(),
            Self::Switch => vec![0.0, 1.0],
            Self::Number {
                min, max, whole, ..
            } => {
                let mut values = if whole && max - min < 16.0 {
                    (0..=(max - min) as u32)
                        .map(|at| min + f64::from(at))
                        .collect()
                } else if min > 0.0 && max >= 4.0 * min {
                    ladder(min, max, whole)
                } else if min == 0.0 && max >= 10.0 {
                    ladder(max / 100.0, max, whole)
                } else {
                    let share = |at: u32| min + (max - min) * f64::from(at) / 8.0;
                    (0..=8).map(share).collect::<Vec<f64>>()
                };
                if whole {
                    values.iter_mut().for_each(|value| *value = value.round());
                }
                values.push(min);
                values.push(max);
                values.sort_by(f64::total_cmp);
                values.dedup();
                values
            }
        }
    }

    /// What values are in the range, in words.
    fn expectation(self) -> String {
        match self {
            Self::Number {
                min,
                max,
                whole: false,
                ..
            } => format!("a number from {min} to {max}"),
            Self::Number {
                min,
                max,
                whole: true,
                ..
            } => format!("a whole number from {min} to {max}"),
            Self::Choice(words) => format!("one of {}", words.join(", ")),
            Self::Switch => "off or on".to_owned(),
        }
    }

    /// Whether `value` is in the range.
    fn holds(self, value: f64) -> bool {
        match self {
            Self::Number {
                min, max, whole, ..
            } => {
                value.is_finite()
                    && min <= value
                    && value <= max
                    && (!whole || value.fract() == 0.0)
            }
            Self::Choice(words) => {
                value.fract() == 0.0 && value >= 0.0 && (value as usize) < words.len()
            }
            Self::Switch => value == 0.0 || value == 1.0,
        }
    }
}

/// The round numbers between two positive ones: powers of two and what is halfway for whole numbers, 1, 2, 3 and 5 of each power of ten
/// for others; of more than six powers of ten without the 3.
fn ladder(min: f64, max: f64, whole: bool) -> Vec<f64> {
    let (base, rungs): (f64, &[f64]) = match whole {
        true => (2.0, &[1.0, 1.5]),
        false if max > min * 1e6 => (10.0, &[1.0, 2.0, 5.0]),
        false => (10.0, &[1.0, 2.0, 3.0, 5.0]),
    };
    let first = min.log(base).floor() as i32;
    let last = max.log(base).ceil() as i32;
    let all = (first..=last).flat_map(|power| {
        rungs.iter().map(move |rung| match power {
            // A tenth is not what a negative power of ten makes of it.
            ..0 => rung / base.powi(-power),
            _ => rung * base.powi(power),
        })
    });
    all.filter(|value| (min..=max).contains(value)).collect()
}

/// What is known of a structure before it is built: the row that panels, help, command line and reports print.
#[derive(Clone, Copy, Debug)]
pub struct Info {
    /// The word in scenes and on the command line.
    pub key: &'static str,
    /// The name in the field's own terms.
    pub name: &'static str,
    /// A handful of words under the name.
    pub tagline: &'static str,
    /// How it places bodies that have a size.
    pub placement: Placement,
    /// What it is, in one or two sentences.
    pub what: &'static str,
    /// The cost of build, move and query.
    pub cost: &'static str,
    /// Where it wins.
    pub wins: &'static str,
    /// Where it loses.
    pub loses: &'static str,
    /// Author, title, year.
    pub source: &'static str,
    /// How many things are told of a region at which a search for a point ends, at the most, be it a leaf, a node in whose box no child's
    /// lies there, or a cell outside the field: how many units it holds, from where to where it goes on each axis, by which eighths one
    /// comes to it where boxes are cut into those, and what the structure says of it beyond that. 0 where it has no regions.
    pub told: usize,
    /// How many more where bodies have a size.
    pub told_of_sizes: usize,
    /// Its settings.
    pub knobs: &'static [Knob],
}

/// A letter that somebody types, as it is in a key. A hyphen for an underscore is what fingers type on a command line, and a space what the
/// window writes.
pub(crate) const fn as_in_key(letter: char) -> char {
    match letter {
        '-' | ' ' => '_',
        letter => letter,
    }
}

/// What somebody types, as a key is written.
pub(crate) fn typed_key(text: &str) -> String {
    text.chars().map(as_in_key).collect()
}

impl Info {
    /// The index of the knob called `key`.
    pub fn knob_index(&self, key: &str) -> Result<usize, KnobError> {
        let typed = typed_key(key);
        self.knobs
            .iter()
            .position(|knob| knob.key == typed)
            .ok_or_else(|| KnobError::Unknown {
                structure: self.key,
                key: key.to_owned(),
                known: match self.knobs {
                    [] => "none".to_owned(),
                    knobs => knobs
                        .iter()
                        .map(|knob| knob.key)
                        .collect::<Vec<_>>()
                        .join(", "),
                },
            })
    }
}

/// How one knob's value is read from a structure and written to it.
#[derive(Debug)]
pub struct Setting<T> {
    /// The value now.
    pub get: fn(&T) -> f64,
    /// Takes over a value that the knob [accepts](Knob::accepts).
    pub set: fn(&mut T, f64),
    /// The value with which it is reckoned: another one where the knob is [`AUTO`].
    pub in_effect: fn(&T) -> f64,
    /// Hears how far apart pairs will be asked for.
    pub expect: fn(&mut T, f32),
    /// Lets what it is left to choose come to this.
    pub hold: fn(&mut T, f64),
}

/// A field in which a structure keeps a knob.
pub trait KnobField {
    /// The knob's value.
    fn get(&self) -> f64;

    /// Takes over a value that the knob accepts.
    fn set(&mut self, value: f64);

    /// The value with which it is reckoned.
    fn in_effect(&self) -> f64 {
        self.get()
    }

    /// Hears how far apart pairs will be asked for.
    fn expect(&mut self, _reach: f32) {}

    /// Where the knob is [`AUTO`], what is chosen comes to this: it is chosen all the same, and takes as long.
    fn hold(&mut self, _value: f64) {}
}

impl<T: KnobValue> KnobField for T {
    fn get(&self) -> f64 {
        self.to_knob()
    }

    fn set(&mut self, value: f64) {
        *self = Self::from_knob(value);
    }
}

/// What a structure may keep a knob's value as.
pub trait KnobValue: Copy {
    /// As panels, scenes and the command line know it.
    fn to_knob(self) -> f64;

    /// As the structure keeps it.
    fn from_knob(value: f64) -> Self;
}

impl KnobValue for f64 {
    fn to_knob(self) -> f64 {
        self
    }

    fn from_knob(value: f64) -> Self {
        value
    }
}

impl KnobValue for u32 {
    fn to_knob(self) -> f64 {
        f64::from(self)
    }

    fn from_knob(value: f64) -> Self {
        value as Self
    }
}

/// The index of a choice.
impl KnobValue for usize {
    fn to_knob(self) -> f64 {
        self as f64
    }

    fn from_knob(value: f64) -> Self {
        value as Self
    }
}

/// A switch, or a choice of two of which the first is `false`.
impl KnobValue for bool {
    fn to_knob(self) -> f64 {
        f64::from(u8::from(self))
    }

    fn from_knob(value: f64) -> Self {
        value != 0.0
    }
}

/// The table of [`Setting`]s that are kept in these fields, in the order of the knobs.
macro_rules! settings {
    ($($($field:ident).+),+ $(,)?) => {
        &[$($crate::partition::Setting {
            get: |it| $crate::partition::KnobField::get(&it.$($field).+),
            set: |it, value| $crate::partition::KnobField::set(&mut it.$($field).+, value),
            in_effect: |it| $crate::partition::KnobField::in_effect(&it.$($field).+),
            expect: |it, reach| $crate::partition::KnobField::expect(&mut it.$($field).+, reach),
            hold: |it, value| $crate::partition::KnobField::hold(&mut it.$($field).+, value),
        }),+]
    };
}
pub(crate) use settings;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::partition::trial::{Crowd, FIELD, Trial};
    use crate::partition::{AnyPartition, Kind};
    use crate::probe::{Cancel, Counter, Patient};
    use crate::structure::{AnyKind, StructureKind};
    use crate::volume::Kind3;

    fn knob(range: KnobRange) -> Knob {
        Knob {
            key: "k",
            name: "k",
            help: "",
            unit: "",
            range,
            default: 1.0,
            picture_only: false,
            acts_on_update: false,
            idle_with: &[],
        }
    }

    #[test]
    fn what_a_knob_takes_is_said_and_read() {
        let number = |min, whole| KnobRange::Number {
            min,
            max: 9.0,
            whole,
            logarithmic: false,
        };
        for (range, said) in [
            (number(0.5, false), "a number from 0.5 to 9"),
            (number(1.0, true), "a whole number from 1 to 9"),
        ] {
            assert_eq!(knob(range).expectation(), said);
        }
        let switch = knob(KnobRange::Switch);
        assert_eq!(switch.parse("off").ok(), Some(0.0));
        assert_eq!(switch.parse("on").ok(), Some(1.0));
        assert!(switch.parse("1").is_err());
    }

    #[test]
    fn a_knob_is_known_by_its_key_with_an_underscore_a_dash_or_a_space() {
        for kind in StructureKind::ALL {
            let info = kind.info();
            for (place, knob) in info.knobs.iter().enumerate() {
                for between in ["_", "-", " "] {
                    let key = knob.key.replace('_', between);
                    assert_eq!(info.knob_index(&key).ok(), Some(place), "{key}");
                }
            }
        }
    }

    #[test]
    fn every_knob_has_values_to_try_from_one_end_to_the_other_that_it_takes() {
        for kind in StructureKind::ALL {
            for knob in kind.info().knobs {
                let values = knob.range.spread();
                let said = format!("{} {} {values:?}", kind.info().key, knob.key);
                assert!((2..=24).contains(&values.len()), "{said}");
                assert!(values.is_sorted_by(|a, b| a < b), "{said}");
                assert!(values.iter().all(|value| knob.accepts(*value)), "{said}");
                if let KnobRange::Number { min, max, .. } = knob.range {
                    assert_eq!((values[0], values[values.len() - 1]), (min, max), "{said}");
                }
            }
        }
    }

    #[test]
    fn what_spans_magnitudes_is_tried_at_round_numbers() {
        let number = |min, max, whole| KnobRange::Number {
            min,
            max,
            whole,
            logarithmic: true,
        };
        assert_eq!(
            number(0.05, 20.0, false).spread(),
            [0.05, 0.1, 0.2, 0.3, 0.5, 1.0, 2.0, 3.0, 5.0, 10.0, 20.0]
        );
        assert_eq!(
            number(1.0, 64.0, true).spread(),
            [
                1.0, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0, 24.0, 32.0, 48.0, 64.0
            ]
        );
        assert_eq!(number(2.0, 5.0, true).spread(), [2.0, 3.0, 4.0, 5.0]);
        assert_eq!(
            KnobRange::Choice(&["a", "b", "c"]).spread(),
            [0.0, 1.0, 2.0]
        );
    }

    #[test]
    fn a_knob_that_does_nothing_beside_others_changes_no_count() {
        let in_space = Kind3::ALL.iter().flat_map(|kind| kind.info().knobs);
        let mut names_one = in_space.map(|knob| knob.idle_with);
        assert!(names_one.all(<[_]>::is_empty), "play it here as well");
        let mut played = Vec::new();
        for &kind in Kind::ALL {
            for (place, knob) in kind.info().knobs.iter().enumerate() {
                for &(key, beside) in knob.idle_with {
                    let other = kind.info().knob_index(key).expect("one of its knobs");
                    let counted = |value: f64| {
                        let mut trial = Trial::new(Crowd::Even, 600, true);
                        let mut index = AnyPartition::new(kind, FIELD);
                        index.set_knob(other, beside);
                        index.set_knob(place, value);
                        let never = Cancel::default();
                        let mut counting = Patient::new(Counter::default(), &never);
                        index.rebuild(trial.bodies(), &mut counting);
                        for round in 0..8 {
                            let changes = match round {
                                2 | 5 => trial.step(1),
                                4 => trial.turn_over(10),
                                6 => trial.drift(),
                                7 => trial.fall(200),
                                _ => trial.step(15),
                            };
                            index.apply(trial.bodies(), &changes, &mut counting);
                            index.pairs(trial.bodies(), 2.0, &mut counting, |_| {});
                        }
                        counting.probe
                    };
                    let usual = counted(knob.default);
                    for value in knob.range.spread() {
                        let said =
                            format!("{} {key} {beside}: {} {value}", kind.info().key, knob.key);
                        assert_eq!(counted(value), usual, "{said}");
                    }
                    played.push((kind, knob.key));
                }
            }
        }
        assert!(played.contains(&(Kind::Bvh, "rebuild_at")), "{played:?}");
    }
}
