//! One operation on a structure in space: read from words, checked against the units that there are, and carried out under any
//! probe.

use crate::partition::shapes::Number;
use crate::partition::{Change, Pair, UnitId};
use crate::probe::Probe;
use crate::story::values::{Refused, Values};
use crate::story::{Answer, MOST_PAIRS};
use crate::volume::{Aabb3, AnyPartition3, Bodies3, NearestQuery3, Segment3, Vec3};
use std::fmt;

/// Something that a structure in space is asked or told.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Operation3 {
    /// Who comes within a distance of a point.
    Sphere {
        /// The point.
        center: Vec3,
        /// The distance, in metres; not negative.
        radius: f32,
    },
    /// Who overlaps a box.
    Range(Aabb3),
    /// Who is nearest to a point.
    Nearest {
        /// The point.
        point: Vec3,
        /// How many at the most; at least 1.
        count: usize,
    },
    /// Whom a way without thickness meets.
    Segment {
        /// Where it begins.
        from: Vec3,
        /// Where it ends.
        to: Vec3,
    },
    /// Who is within a reach of whom.
    Pairs {
        /// How far apart, in metres; not negative. Without it, as far as the flight asks.
        reach: Option<f32>,
    },
    /// A unit without a size comes.
    Insert {
        /// Where.
        at: Vec3,
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
        to: Vec3,
    },
    /// Everything is built anew.
    Rebuild,
}

/// How each operation is written.
pub(super) const FORMS: &[&str] = &[
    "sphere x,y,z,r",
    "box x,y,z,w,d,h",
    "nearest x,y,z,k",
    "segment x,y,z,x,y,z",
    "pairs",
    "pairs REACH",
    "insert x,y,z",
    "remove ID",
    "move ID,x,y,z",
    "rebuild",
];

/// The units of a flight, as an operation finds and leaves them.
#[derive(Clone, Debug, Default)]
pub struct Ground3 {
    centers: Vec<Vec3>,
    half_extents: Vec<Vec3>,
    alive: Vec<bool>,
}

impl Ground3 {
    /// A copy of these units.
    pub fn of(bodies: Bodies3<'_>) -> Self {
        Self {
            centers: bodies.centers.to_vec(),
            half_extents: bodies.half_extents.to_vec(),
            alive: bodies.alive.to_vec(),
        }
    }

    /// The units.
    pub fn bodies(&self) -> Bodies3<'_> {
        Bodies3 {
            centers: &self.centers,
            half_extents: &self.half_extents,
            alive: &self.alive,
        }
    }

    /// One more unit without a size; gives its number.
    fn insert(&mut self, at: Vec3) -> UnitId {
        let unit = self.centers.len() as UnitId;
        self.centers.push(at);
        if !self.half_extents.is_empty() {
            self.half_extents.push(Vec3::ZERO);
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

impl Operation3 {
    /// Reads an operation as it is written: a word, and its values with commas between them.
    pub fn read(text: &str) -> Result<Self, Refused> {
        let text = text.trim();
        let (word, values) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let values: Vec<&str> = match values.trim() {
            "" => Vec::new(),
            values => values.split(',').map(str::trim).collect(),
        };
        let width = |form: &str| match form.split_once(' ') {
            Some((_, values)) => values.split(',').count(),
            None => 0,
        };
        let mut forms = FORMS.iter().filter(|it| it.split(' ').next() == Some(word));
        let all: Vec<_> = forms.clone().copied().collect();
        if all.is_empty() {
            return Err(Refused(format!(
                "in space it must be one of {} (found '{word}')",
                FORMS.join("; ")
            )));
        }
        let Some(form) = forms.find(|form| width(form) == values.len()) else {
            return Err(Refused(format!(
                "it must be '{}' (found {} values)",
                all.join("' or '"),
                values.len()
            )));
        };
        let mut values = Values {
            form,
            rest: values.into_iter(),
        };
        Ok(match word {
            "sphere" => Self::Sphere {
                center: place(&mut values)?,
                radius: values.length("r")?,
            },
            "box" => {
                let low = place(&mut values)?;
                let mut size = Vec3::ZERO;
                for (axis, name) in ["w", "d", "h"].into_iter().enumerate() {
                    size[axis] = values.length(name)?;
                }
                Self::Range(Aabb3::new(low, low + size))
            }
            "nearest" => Self::Nearest {
                point: place(&mut values)?,
                count: values.count()?,
            },
            "segment" => Self::Segment {
                from: place(&mut values)?,
                to: place(&mut values)?,
            },
            "pairs" if width(form) == 0 => Self::Pairs { reach: None },
            "pairs" => Self::Pairs {
                reach: Some(values.length("REACH")?),
            },
            "insert" => Self::Insert {
                at: place(&mut values)?,
            },
            "remove" => Self::Remove {
                unit: values.unit()?,
            },
            "move" => Self::Move {
                unit: values.unit()?,
                to: place(&mut values)?,
            },
            _ => Self::Rebuild,
        })
    }

    /// Whether it can be carried out on these units.
    pub fn check(&self, bodies: Bodies3<'_>) -> Result<(), Refused> {
        match *self {
            Self::Remove { unit } | Self::Move { unit, .. } if !bodies.is_alive(unit) => Err(
                Refused(format!("unit {unit} is not alive; it must be one that is")),
            ),
            _ => Ok(()),
        }
    }

    /// Whether it changes the structure.
    pub const fn is_edit(&self) -> bool {
        matches!(
            self,
            Self::Insert { .. } | Self::Remove { .. } | Self::Move { .. } | Self::Rebuild
        )
    }

    /// The unit that it changes.
    pub(super) fn unit(&self, bodies: Bodies3<'_>) -> Option<UnitId> {
        match *self {
            Self::Insert { .. } => Some(bodies.slot_count() as UnitId),
            Self::Remove { unit } | Self::Move { unit, .. } => Some(unit),
            _ => None,
        }
    }

    /// Carries it out. Pairs without a reach of their own are asked for up to `reach`.
    pub(super) fn perform(
        &self,
        index: &mut AnyPartition3,
        ground: &mut Ground3,
        reach: f32,
        probe: &mut impl Probe,
    ) -> Answer {
        let mut units: Vec<UnitId> = Vec::new();
        let visit: &mut dyn FnMut(UnitId) = &mut |unit| units.push(unit);
        match *self {
            Self::Sphere { center, radius } => {
                index.sphere(ground.bodies(), center, radius, probe, visit);
            }
            Self::Range(area) => {
                index.range(ground.bodies(), area, probe, visit);
            }
            Self::Segment { from, to } => {
                let way = Segment3 {
                    from,
                    to,
                    half_width: 0.0,
                };
                index.segment(ground.bodies(), way, probe, visit);
            }
            Self::Nearest { point, count } => {
                let query = NearestQuery3 {
                    point,
                    count,
                    within: f32::INFINITY,
                };
                let mut found = Vec::new();
                index.nearest(ground.bodies(), query, |_| true, probe, &mut found);
                units.extend(found.iter().map(|neighbor| neighbor.unit));
            }
            Self::Pairs { reach: own } => {
                let mut pairs: Vec<Pair> = Vec::new();
                index.pairs(ground.bodies(), own.unwrap_or(reach), probe, |batch| {
                    let room = MOST_PAIRS - pairs.len();
                    pairs.extend(batch.iter().take(room));
                });
                pairs.sort_unstable();
                return Answer::Pairs(pairs);
            }
            Self::Insert { at } => {
                let unit = ground.insert(at);
                index.apply(ground.bodies(), &[Change::Add(unit)], probe);
            }
            Self::Remove { unit } => {
                ground.remove(unit);
                index.apply(ground.bodies(), &[Change::Remove(unit)], probe);
            }
            Self::Move { unit, to } => {
                ground.centers[unit as usize] = to;
                index.apply(ground.bodies(), &[Change::Move(unit)], probe);
            }
            Self::Rebuild => index.rebuild(ground.bodies(), probe),
        }
        units.sort_unstable();
        Answer::Units(units)
    }
}

/// As it is read.
impl fmt::Display for Operation3 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = |place: Vec3| format!("{},{},{}", place.x, place.y, place.z);
        match *self {
            Self::Sphere { center, radius } => write!(f, "sphere {},{radius}", at(center)),
            Self::Range(area) => write!(f, "box {},{}", at(area.min), at(area.size())),
            Self::Nearest { point, count } => write!(f, "nearest {},{count}", at(point)),
            Self::Segment { from, to } => write!(f, "segment {},{}", at(from), at(to)),
            Self::Pairs { reach: None } => f.write_str("pairs"),
            Self::Pairs { reach: Some(reach) } => write!(f, "pairs {reach}"),
            Self::Insert { at: place } => write!(f, "insert {}", at(place)),
            Self::Remove { unit } => write!(f, "remove {unit}"),
            Self::Move { unit, to } => write!(f, "move {unit},{}", at(to)),
            Self::Rebuild => f.write_str("rebuild"),
        }
    }
}

fn place(values: &mut Values<'_>) -> Result<Vec3, Refused> {
    let coordinate = Number::coordinate("");
    let mut at = Vec3::ZERO;
    for (axis, name) in ["x", "y", "z"].into_iter().enumerate() {
        at[axis] = values.number(name, &coordinate)?;
    }
    Ok(at)
}
