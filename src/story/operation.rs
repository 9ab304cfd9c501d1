//! One operation on a structure: read from words, checked against the units that there are, and carried out under any probe.

use crate::geometry::{Aabb, Segment, Vec2};
use crate::partition::{
    AnyPartition, Bodies, COORDINATE_LIMIT, Change, NearestQuery, Pair, UnitId,
};
use crate::probe::Probe;
use std::fmt;

/// Something that a structure is asked or told.
#[derive(Clone, Copy, Debug, PartialEq)]
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

/// Why words are no operation, or an operation cannot be carried out: a sentence that says what would be right.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Refused(String);

/// How each operation is written.
const FORMS: &[&str] = &[
    "radius x,y,r",
    "range x,y,w,h",
    "nearest x,y,k",
    "segment x,y,x,y",
    "pairs",
    "pairs REACH",
    "insert x,y",
    "remove ID",
    "move ID,x,y",
    "rebuild",
];

/// The most that [`Operation::Nearest`] is asked for.
const MOST_NEAREST: usize = 1_000_000;

/// The values of an operation, as they are written.
struct Values<'a> {
    form: &'static str,
    rest: std::vec::IntoIter<&'a str>,
}

impl Values<'_> {
    fn refuse(&self, what: &str) -> Refused {
        Refused(format!("it must be '{}'; {what}", self.form))
    }

    fn next(&mut self) -> &str {
        self.rest.next().unwrap_or_default()
    }

    /// A number within limits, which NaN is not.
    fn number(&mut self, name: &str, least: f32, greatest: f32) -> Result<f32, Refused> {
        let text = self.next().to_owned();
        let number: Option<f32> = text.parse().ok();
        number
            .filter(|number| (least..=greatest).contains(number))
            // Less than nothing is nothing.
            .map(|number| number + 0.0)
            .ok_or_else(|| {
                self.refuse(&format!(
                    "{name} must be a number from {least} to {greatest} (found '{text}')"
                ))
            })
    }

    fn place(&mut self, x: &str, y: &str) -> Result<Vec2, Refused> {
        let x = self.number(x, -COORDINATE_LIMIT, COORDINATE_LIMIT)?;
        let y = self.number(y, -COORDINATE_LIMIT, COORDINATE_LIMIT)?;
        Ok(Vec2::new(x, y))
    }

    fn length(&mut self, name: &str) -> Result<f32, Refused> {
        // As far as any two places are apart.
        self.number(name, 0.0, 4.0 * COORDINATE_LIMIT)
    }

    fn unit(&mut self) -> Result<UnitId, Refused> {
        let text = self.next().to_owned();
        text.parse().map_err(|_| {
            self.refuse(&format!(
                "ID must be the number of a unit, a whole one from 0 on (found '{text}')"
            ))
        })
    }

    fn count(&mut self) -> Result<usize, Refused> {
        let text = self.next().to_owned();
        let count: Option<usize> = text.parse().ok();
        count
            .filter(|count| (1..=MOST_NEAREST).contains(count))
            .ok_or_else(|| {
                self.refuse(&format!(
                    "k must be a whole number from 1 to {MOST_NEAREST} (found '{text}')"
                ))
            })
    }
}

impl Operation {
    /// Reads an operation as the command line writes it: a word, and its values with commas between them.
    pub fn read(text: &str) -> Result<Self, Refused> {
        let text = text.trim();
        let (word, values) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let values: Vec<&str> = match values.trim() {
            "" => Vec::new(),
            values => values.split(',').map(str::trim).collect(),
        };
        let is_form = |form: &&&str| form.split(' ').next() == Some(word);
        let width = |form: &str| match form.split_once(' ') {
            Some((_, values)) => values.split(',').count(),
            None => 0,
        };
        let mut forms = FORMS.iter().filter(is_form);
        let Some(first) = forms.clone().next() else {
            return Err(Refused(format!(
                "it must be one of '{}' (found '{text}')",
                FORMS.join("', '")
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
            Self::Remove { unit } | Self::Move { unit, .. } => Some(unit),
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
        let (Self::Remove { unit } | Self::Move { unit, .. }) = *self else {
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
        let changes = match *self {
            Self::Radius { center, radius } => {
                index.radius(bodies, center, radius, probe, |unit| found.push(unit));
                return Answer::units(found);
            }
            Self::Range(area) => {
                index.range(bodies, area, probe, |unit| found.push(unit));
                return Answer::units(found);
            }
            Self::Segment { from, to } => {
                let segment = Segment {
                    from,
                    to,
                    half_width: 0.0,
                };
                index.segment(bodies, segment, probe, |unit| found.push(unit));
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
                    pairs.extend_from_slice(batch);
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

/// As the command line writes it.
impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Radius { center, radius } => {
                write!(f, "radius {},{},{radius}", center.x, center.y)
            }
            Self::Range(area) => {
                let (corner, size) = (area.min, area.size());
                write!(f, "range {},{},{},{}", corner.x, corner.y, size.x, size.y)
            }
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

/// What an operation found, sorted. An edit finds nobody.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Units, by ascending id.
    Units(Vec<UnitId>),
    /// Pairs, the smaller id of each first.
    Pairs(Vec<Pair>),
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
    use super::*;

    #[test]
    fn an_operation_is_read_as_it_is_written() {
        for text in [
            "radius 1,2.5,3",
            "range -1,2,3,4",
            "nearest 0,0,8",
            "segment 1,2,3,4",
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
}
