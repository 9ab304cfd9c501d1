//! One operation on a structure: read from words, checked against the units that there are, and carried out under any probe.

use super::values::{Refused, Values, figure};
use super::words::{metres, number, place, size};
use crate::geometry::{Aabb, Segment, Vec2};
use crate::partition::shapes::Number;
use crate::partition::{AnyFigure, AnyPartition, Bodies, Change, NearestQuery, Pair, UnitId};
use crate::probe::Probe;
use std::fmt;

/// Something that a structure is asked or told.
#[derive(Clone, Debug, PartialEq)]
pub enum Operation {
    /// Who comes within a distance of a point.
    Radius {
        /// The point.
        center: Vec2,
        /// The distance, in metres; not negative.
        radius: f32,
    },
    /// Who overlaps a rectangle.
    Range(Aabb),
    /// Who is nearest to a point.
    Nearest {
        /// The point.
        point: Vec2,
        /// How many at the most; at least 1.
        count: usize,
    },
    /// Whom a way without thickness meets.
    Segment {
        /// Where it begins.
        from: Vec2,
        /// Where it ends.
        to: Vec2,
    },
    /// Who comes into a figure: a sector, a polygon, a corridor along a path.
    Within(AnyFigure),
    /// Who is within a reach of a unit, but itself.
    Near {
        /// Who.
        unit: UnitId,
        /// How far apart, in metres; not negative.
        reach: f32,
    },
    /// Who is within a reach of whom.
    Pairs {
        /// How far apart, in metres; not negative. Without it, as far as the battle asks.
        reach: Option<f32>,
    },
    /// A unit without a size comes.
    Insert {
        /// Where.
        at: Vec2,
    },
    /// A unit goes.
    Remove {
        /// Who.
        unit: UnitId,
    },
    /// A unit moves.
    Move {
        /// Who.
        unit: UnitId,
        /// Where to.
        to: Vec2,
    },
    /// Everything is built anew.
    Rebuild,
}

/// How each operation is written, but for the figures, which say so themselves.
const FORMS: &[&str] = &[
    "radius x,y,r",
    "range x,y,w,h",
    "nearest x,y,k",
    "segment x,y,x,y",
    "near ID,r",
    "pairs",
    "pairs REACH",
    "insert x,y",
    "remove ID",
    "move ID,x,y",
    "rebuild",
];

/// How every operation is written, the figures behind the segment.
fn all_forms() -> Vec<&'static str> {
    let before = FORMS.iter().position(|form| form.starts_with("near "));
    let (first, rest) = FORMS.split_at(before.unwrap_or_default());
    let figures = AnyFigure::FORMS.iter().map(|form| form.text);
    let forms = first.iter().copied().chain(figures);
    forms.chain(rest.iter().copied()).collect()
}

impl Operation {
    /// Reads an operation as the command line writes it: a word, and its values with commas between them.
    pub fn read(text: &str) -> Result<Self, Refused> {
        Self::read_beside(text, &[])
    }

    /// The same where `others` can be meant as well: they are named where the word is none of either.
    pub fn read_beside(text: &str, others: &[&str]) -> Result<Self, Refused> {
        let text = text.trim();
        let (word, values) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let values: Vec<&str> = match values.trim() {
            "" => Vec::new(),
            values => values.split(',').map(str::trim).collect(),
        };
        if let Some(form) = AnyFigure::FORMS.iter().find(|form| form.key == word) {
            return figure(form, values).map(Self::Within);
        }
        let is_form = |form: &&&str| form.split(' ').next() == Some(word);
        let width = |form: &str| match form.split_once(' ') {
            Some((_, values)) => values.split(',').count(),
            None => 0,
        };
        let mut forms = FORMS.iter().filter(is_form);
        let Some(first) = forms.clone().next() else {
            let mut forms = all_forms();
            forms.extend(others);
            return Err(Refused(format!(
                "it must be one of '{}' (found '{text}')",
                forms.join("', '")
            )));
        };
        let Some(form) = forms.find(|form| width(form) == values.len()) else {
            let wanted = match width(first) {
                0 => "no value behind it".to_owned(),
                1 => "one value behind it".to_owned(),
                many => format!("{many} values with commas between them"),
            };
            let also = if *first == "pairs" {
                ", or a reach"
            } else {
                ""
            };
            return Err(Refused(format!(
                "it must be '{first}', with {wanted}{also} (found {})",
                values.len()
            )));
        };
        let mut values = Values {
            form,
            rest: values.into_iter(),
        };
        Ok(match word {
            "radius" => Self::Radius {
                center: values.place("x", "y")?,
                radius: values.length("r")?,
            },
            "range" => {
                let corner = values.place("x", "y")?;
                let size = Vec2::new(values.length("w")?, values.length("h")?);
                Self::Range(Aabb::new(corner, corner + size))
            }
            "nearest" => Self::Nearest {
                point: values.place("x", "y")?,
                count: values.count()?,
            },
            "segment" => Self::Segment {
                from: values.place("the first x", "the first y")?,
                to: values.place("the second x", "the second y")?,
            },
            "near" => Self::Near {
                unit: values.unit()?,
                reach: values.length("r")?,
            },
            "pairs" if *form == "pairs" => Self::Pairs { reach: None },
            "pairs" => Self::Pairs {
                reach: Some(values.length("REACH")?),
            },
            "insert" => Self::Insert {
                at: values.place("x", "y")?,
            },
            "remove" => Self::Remove {
                unit: values.unit()?,
            },
            "move" => Self::Move {
                unit: values.unit()?,
                to: values.place("x", "y")?,
            },
            _ => Self::Rebuild,
        })
    }

    /// Whether it changes who is where.
    pub fn is_edit(&self) -> bool {
        matches!(
            self,
            Self::Insert { .. } | Self::Remove { .. } | Self::Move { .. }
        )
    }

    /// The unit that it is about, once it is [carried out](Operation::perform) on `bodies`.
    pub fn unit(&self, bodies: Bodies<'_>) -> Option<UnitId> {
        match *self {
            Self::Insert { .. } => Some(bodies.slot_count() as UnitId),
            Self::Near { unit, .. } | Self::Remove { unit } | Self::Move { unit, .. } => Some(unit),
            _ => None,
        }
    }

    /// Whether it makes sense with these units.
    pub fn check(&self, bodies: Bodies<'_>) -> Result<(), Refused> {
        if bodies.count() == 0 && !matches!(self, Self::Insert { .. }) {
            return Err(Refused(
                "there is no unit on this field at this tick; it must be 'insert x,y', or another scene or tick"
                    .to_owned(),
            ));
        }
        let (Self::Near { unit, .. } | Self::Remove { unit } | Self::Move { unit, .. }) = *self
        else {
            return Ok(());
        };
        if bodies.is_alive(unit) {
            return Ok(());
        }
        let last = bodies.ids().last().unwrap_or_default();
        let why = if (unit as usize) < bodies.slot_count() {
            format!("unit {unit} is not alive at this tick")
        } else {
            format!("there is no unit {unit}")
        };
        Err(Refused(format!(
            "{why}; it must be one of the {} alive, the last of which is unit {last}",
            bodies.count()
        )))
    }

    /// Carries it out on an index that is up to date with `ground`, under a probe, and gives what was found. Without a reach
    /// of their own, pairs are asked for up to `reach`.
    ///
    /// It is the operation that everybody else calls, and nothing beside it.
    pub fn perform<P: Probe>(
        &self,
        index: &mut AnyPartition,
        ground: &mut Ground,
        reach: f32,
        probe: &mut P,
    ) -> Answer {
        let mut found = Vec::new();
        let bodies = ground.bodies();
        // One type for all of them: each is a copy of every traversal.
        let visit: &mut dyn FnMut(UnitId) = &mut |unit| found.push(unit);
        let changes = match *self {
            Self::Radius { center, radius } => {
                index.radius(bodies, center, radius, probe, visit);
                return Answer::units(found);
            }
            Self::Range(area) => {
                index.range(bodies, area, probe, visit);
                return Answer::units(found);
            }
            Self::Segment { from, to } => {
                let segment = Segment {
                    from,
                    to,
                    half_width: 0.0,
                };
                index.segment(bodies, segment, probe, visit);
                return Answer::units(found);
            }
            Self::Within(ref figure) => {
                index.within(bodies, figure.figure(), probe, visit);
                return Answer::units(found);
            }
            Self::Near { unit, reach } => {
                index.near(bodies, unit, reach, probe, visit);
                return Answer::units(found);
            }
            Self::Nearest { point, count } => {
                let query = NearestQuery {
                    point,
                    count,
                    within: f32::INFINITY,
                };
                let mut out = Vec::new();
                index.nearest(bodies, query, |_| true, probe, &mut out);
                return Answer::units(out.iter().map(|neighbor| neighbor.unit).collect());
            }
            Self::Pairs { reach: own } => {
                let mut pairs: Vec<Pair> = Vec::new();
                index.pairs(bodies, own.unwrap_or(reach), probe, |batch| {
                    let room = MOST_PAIRS - pairs.len();
                    pairs.extend_from_slice(&batch[..batch.len().min(room)]);
                });
                pairs.sort_unstable();
                return Answer::Pairs(pairs);
            }
            Self::Rebuild => {
                index.rebuild(bodies, probe);
                return Answer::Units(Vec::new());
            }
            Self::Insert { at } => [Change::Add(ground.add(at))],
            Self::Remove { unit } => {
                ground.remove(unit);
                [Change::Remove(unit)]
            }
            Self::Move { unit, to } => {
                ground.centers[unit as usize] = to;
                [Change::Move(unit)]
            }
        };
        index.apply(ground.bodies(), &changes, probe);
        Answer::Units(Vec::new())
    }
}

/// The length that leads from one number to another, so that it does so again when it is read: a difference is rounded, and where
/// it lies in the middle between two sums, the wrong one comes of it. Nor is it more than may be written, which a sum that was
/// rounded up may lie beyond.
fn length_between(low: f32, high: f32) -> f32 {
    let length = (high - low).min(Number::LONGEST);
    let near = [length, length.next_down(), length.next_up()];
    let leads = |length: &f32| (0.0..=Number::LONGEST).contains(length) && low + length == high;
    near.into_iter().find(leads).unwrap_or(length)
}

/// As the command line writes it: [`Operation::read`] makes the same of it.
impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Radius { center, radius } => {
                write!(f, "radius {},{},{radius}", center.x, center.y)
            }
            Self::Range(area) => {
                let Aabb { min, max } = area;
                let (width, height) = (length_between(min.x, max.x), length_between(min.y, max.y));
                write!(f, "range {},{},{width},{height}", min.x, min.y)
            }
            Self::Within(ref figure) => {
                let numbers: Vec<String> = figure.numbers().iter().map(f32::to_string).collect();
                write!(f, "{} {}", figure.form().key, numbers.join(","))
            }
            Self::Near { unit, reach } => write!(f, "near {unit},{reach}"),
            Self::Nearest { point, count } => write!(f, "nearest {},{},{count}", point.x, point.y),
            Self::Segment { from, to } => {
                write!(f, "segment {},{},{},{}", from.x, from.y, to.x, to.y)
            }
            Self::Pairs { reach: None } => f.write_str("pairs"),
            Self::Pairs { reach: Some(reach) } => write!(f, "pairs {reach}"),
            Self::Insert { at } => write!(f, "insert {},{}", at.x, at.y),
            Self::Remove { unit } => write!(f, "remove {unit}"),
            Self::Move { unit, to } => write!(f, "move {unit},{},{}", to.x, to.y),
            Self::Rebuild => f.write_str("rebuild"),
        }
    }
}

impl Operation {
    /// The same to be read, and not to be typed: with rounded numbers, and with whom it is about as `who` calls him.
    pub fn in_words(&self, who: impl Fn(UnitId) -> String) -> String {
        match *self {
            Self::Radius { center, radius } => {
                format!("radius {} around {}", metres(radius.into()), place(center))
            }
            Self::Range(area) => format!("range {} from {}", size(area.size()), place(area.min)),
            Self::Within(ref figure) => {
                let numbers = figure.numbers().into_iter();
                let numbers: Vec<String> = numbers.map(|it| number(it.into())).collect();
                format!("{} {}", figure.form().key, numbers.join(" "))
            }
            Self::Near { unit, reach } => format!("near {}, {}", who(unit), metres(reach.into())),
            Self::Nearest { point, count } => format!("nearest {count} to {}", place(point)),
            Self::Segment { from, to } => format!("segment {} to {}", place(from), place(to)),
            Self::Pairs { reach: None } => "pairs".to_owned(),
            Self::Pairs { reach: Some(0.0) } => "pairs in touch".to_owned(),
            Self::Pairs { reach: Some(reach) } => format!("pairs within {}", metres(reach.into())),
            Self::Insert { at } => format!("insert at {}", place(at)),
            Self::Remove { unit } => format!("remove {}", who(unit)),
            Self::Move { unit, to } => format!("move {} to {}", who(unit), place(to)),
            Self::Rebuild => "rebuild".to_owned(),
        }
    }
}

/// More pairs than these are counted and not listed.
pub const MOST_PAIRS: usize = 10_000_000;

/// What an operation found, sorted. An edit finds nobody.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Units, by ascending id.
    Units(Vec<UnitId>),
    /// Pairs, the smaller id of each first: at the most [`MOST_PAIRS`] of them, for a crowd has as many as its square.
    Pairs(Vec<Pair>),
    /// Objects of a world that change sides, by ascending number.
    Sides {
        /// Those to be loaded.
        load: Vec<UnitId>,
        /// Those to be unloaded.
        unload: Vec<UnitId>,
    },
}

impl Answer {
    fn units(mut found: Vec<UnitId>) -> Self {
        found.sort_unstable();
        Self::Units(found)
    }
}

/// The units of a moment, owned, so that an operation may change them.
#[derive(Clone, Debug)]
pub struct Ground {
    centers: Vec<Vec2>,
    half_extents: Vec<Vec2>,
    alive: Vec<bool>,
}

impl Ground {
    /// A copy of these.
    pub fn of(bodies: Bodies<'_>) -> Self {
        Self {
            centers: bodies.centers.to_vec(),
            half_extents: bodies.half_extents.to_vec(),
            alive: bodies.alive.to_vec(),
        }
    }

    /// The units as an index sees them.
    pub fn bodies(&self) -> Bodies<'_> {
        Bodies {
            centers: &self.centers,
            half_extents: &self.half_extents,
            alive: &self.alive,
        }
    }

    /// Puts one more behind all rows.
    fn add(&mut self, at: Vec2) -> UnitId {
        let unit = self.centers.len() as UnitId;
        self.centers.push(at);
        if !self.half_extents.is_empty() {
            self.half_extents.push(Vec2::ZERO);
        }
        if !self.alive.is_empty() {
            self.alive.push(true);
        }
        unit
    }

    fn remove(&mut self, unit: UnitId) {
        self.alive.resize(self.centers.len(), true);
        self.alive[unit as usize] = false;
    }
}

#[cfg(test)]
mod tests {
    use super::super::values::MOST_NEAREST;
    use super::*;
    use crate::partition::COORDINATE_LIMIT;
    use proptest::prelude::*;

    #[test]
    fn what_is_read_has_rounded_numbers_and_names() {
        for (text, words) in [
            ("remove 3", "remove unit 4"),
            ("insert 38.913803,35.776665", "insert at (38.9, 35.8)"),
            ("move 3,1.23456,2", "move unit 4 to (1.23, 2)"),
            ("range 10,20,30.456,5", "range 30.5 × 5 m from (10, 20)"),
            ("segment 1,2,3,4.5678", "segment (1, 2) to (3, 4.57)"),
            ("pairs", "pairs"),
            ("pairs 0", "pairs in touch"),
        ] {
            let operation = Operation::read(text).expect(text);
            let read = operation.in_words(|unit| format!("unit {}", unit + 1));
            assert_eq!(read, words);
        }
    }

    #[test]
    fn an_operation_is_read_as_it_is_written() {
        for text in [
            "radius 1,2.5,3",
            "range -1,2,3,4",
            "nearest 0,0,8",
            "segment 1,2,3,4",
            "sector 1,2,-90,60.5,12",
            "polygon 0,0,4,0,4,3.5,-1,2",
            "path 0.5,0,0,10,0,10,10",
            "near 7,2.5",
            "pairs",
            "pairs 1.5",
            "insert 1,2",
            "remove 7",
            "move 7,1,2",
            "rebuild",
        ] {
            let operation = Operation::read(text).expect("an operation");
            assert_eq!(operation.to_string(), text);
        }
        let spaced = Operation::read("  nearest  1 , 2 , 3 ");
        assert_eq!(spaced.expect("an operation").to_string(), "nearest 1,2,3");
    }

    #[test]
    fn what_is_no_operation_is_said_in_a_sentence() {
        for (text, part) in [
            ("", "it must be one of 'radius x,y,r'"),
            ("find 1,2", "found 'find 1,2'"),
            ("radius 1,2", "3 values with commas between them (found 2)"),
            ("rebuild 1", "with no value behind it (found 1)"),
            (
                "pairs 1,2",
                "'pairs', with no value behind it, or a reach (found 2)",
            ),
            ("remove", "with one value behind it (found 0)"),
            (
                "radius 1,2,-3",
                "r must be a number from 0 to 4000000000 (found '-3')",
            ),
            (
                "radius NaN,2,3",
                "x must be a number from -1000000000 to 1000000000",
            ),
            ("range 1,2,3,inf", "h must be"),
            ("insert 1,1e10", "y must be"),
            (
                "nearest 1,2,0",
                "k must be a whole number from 1 to 1000000 (found '0')",
            ),
            ("nearest 1,2,2.5", "found '2.5'"),
            ("remove -1", "from 0 on (found '-1')"),
            (
                "sector 1,2,3,4",
                "it must be 'sector x,y,direction,angle,r', with 5 values with commas between them (found 4)",
            ),
            (
                "sector 1,2,400,90,5",
                "direction must be a number from -360 to 360 (found '400')",
            ),
            (
                "sector 1,2,0,0,5",
                "angle must be a number above 0 and up to 360 (found '0')",
            ),
            ("sector 1,2,0,NaN,5", "(found 'NaN')"),
            ("sector 1,2,0,90,-5", "r must be a number from 0 to"),
            (
                "polygon 1,2,3,4",
                "it must be 'polygon x,y,x,y,x,y,...', with 3 to 64 corners of two values each (found 4 values)",
            ),
            ("polygon 1,2,3,4,5,6,7", "(found 7 values)"),
            ("polygon 1,2,3,inf,5,6", "y of corner 2 must be a number"),
            (
                "path 1,2,3",
                "it must be 'path w,x,y,x,y,...', with one value and behind it 2 to 64 corners of two values each (found 3 values)",
            ),
            ("path", "(found 0 values)"),
            ("path -1,2,3,4,5", "w must be a number from 0 to"),
            (
                "near 3",
                "it must be 'near ID,r', with 2 values with commas between them (found 1)",
            ),
            ("near x,3", "ID must be the number of a unit"),
            ("near 3,-0.5", "r must be a number from 0 to"),
            ("pairs far", "REACH must be"),
        ] {
            let sentence = Operation::read(text).expect_err(text).to_string();
            assert!(sentence.contains(part), "{text}: {sentence}");
        }
    }

    #[test]
    fn only_who_is_alive_can_go_or_move() {
        let centers = [Vec2::ZERO, Vec2::ONE, Vec2::splat(2.0)];
        let bodies = Bodies {
            alive: &[true, false, true],
            ..Bodies::points(&centers)
        };
        let check = |text| Operation::read(text).expect(text).check(bodies);
        assert_eq!(check("remove 2"), Ok(()));
        assert_eq!(check("near 2,1"), Ok(()));
        assert!(check("near 1,1").is_err() && check("near 9,1").is_err());
        let said = check("move 1,3,3").expect_err("nobody").to_string();
        assert_eq!(
            said,
            "unit 1 is not alive at this tick; it must be one of the 2 alive, the last of which is unit 2"
        );
        assert!(
            check("remove 9")
                .expect_err("nobody")
                .to_string()
                .contains("there is no unit 9")
        );
        let nobody = Bodies::points(&[]);
        assert!(Operation::Rebuild.check(nobody).is_err());
        assert!(Operation::Insert { at: Vec2::ZERO }.check(nobody).is_ok());
    }

    /// Numbers as somebody may write them, out to the limits.
    fn number(least: f32, greatest: f32) -> BoxedStrategy<f32> {
        prop_oneof![
            least..=greatest,
            prop_oneof![
                Just(least),
                Just(greatest),
                Just(0.0_f32.clamp(least, greatest))
            ],
            (least.max(-9.0)..=greatest.min(9.0)),
            (-200_i16..200).prop_map(move |it| (f32::from(it) * 0.1).clamp(least, greatest)),
            (0.0_f32..1.0e-6).prop_map(move |it| it.clamp(least, greatest)),
        ]
        .boxed()
    }

    fn text() -> BoxedStrategy<String> {
        let coordinate = || number(-COORDINATE_LIMIT, COORDINATE_LIMIT);
        let length = || number(0.0, Number::LONGEST);
        let angles = (number(-360.0, 360.0), number(f32::MIN_POSITIVE, 360.0));
        let places = |fewest: usize| {
            prop::collection::vec((coordinate(), coordinate()), fewest..=64).prop_map(|places| {
                let texts: Vec<String> = places.iter().map(|(x, y)| format!("{x},{y}")).collect();
                texts.join(",")
            })
        };
        let pair = || (coordinate(), coordinate());
        prop_oneof![
            (pair(), length()).prop_map(|((x, y), r)| format!("radius {x},{y},{r}")),
            (pair(), length(), length())
                .prop_map(|((x, y), w, h)| format!("range {x},{y},{w},{h}")),
            (pair(), 1_usize..MOST_NEAREST).prop_map(|((x, y), k)| format!("nearest {x},{y},{k}")),
            (pair(), pair()).prop_map(|((a, b), (c, d))| format!("segment {a},{b},{c},{d}")),
            (pair(), angles, length()).prop_map(|((x, y), (direction, angle), r)| {
                format!("sector {x},{y},{direction},{angle},{r}")
            }),
            places(3).prop_map(|places| format!("polygon {places}")),
            (length(), places(2)).prop_map(|(w, places)| format!("path {w},{places}")),
            (any::<u32>(), length()).prop_map(|(unit, r)| format!("near {unit},{r}")),
            length().prop_map(|reach| format!("pairs {reach}")),
            pair().prop_map(|(x, y)| format!("insert {x},{y}")),
            any::<u32>().prop_map(|unit| format!("remove {unit}")),
            (any::<u32>(), pair()).prop_map(|(unit, (x, y))| format!("move {unit},{x},{y}")),
            prop_oneof![Just("pairs"), Just("rebuild")].prop_map(str::to_owned),
        ]
        .boxed()
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 4_000, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn what_is_written_is_read_as_the_same(text in text()) {
            is_read_as_written(&text);
        }
    }

    fn is_read_as_written(text: &str) {
        let operation = Operation::read(text).expect("an operation");
        let written = operation.to_string();
        assert_eq!(Operation::read(&written), Ok(operation), "{written}");
    }

    #[test]
    fn the_longest_range_that_can_be_written_is_written_no_longer() {
        for y in [
            "0",
            "-1",
            "0.1",
            "987971300",
            "1000000000",
            "-1000000000",
            "64",
            "300000000",
        ] {
            is_read_as_written(&format!("range 0,{y},0,{}", Number::LONGEST));
            is_read_as_written(&format!("range {y},0,{},0", Number::LONGEST.next_down()));
        }
    }
}
