//! The structures that answer *who is near whom?*, one file each, and the registry that lists them.
//!
//! Every structure means the same by every operation:
//!
//! - Rectangles, discs, reach and segments are closed: what only touches is found.
//! - The distance between two bodies is the gap between their boxes; a point is a box of size 0.
//! - A result is a set: a visitor sees each unit once, in any order. [`Partition::nearest`] alone is ordered, by
//!   (distance², id). [`Partition::pairs`] gives each pair once, the smaller id first.
//! - A unit outside the field is legal and found like any other.
//!
//! The battle owns the positions; a structure is a secondary index which may copy what it sorts by, and
//! [`Partition::validate`] compares every copy with the truth.
//!
//! Invariant: a structure knows no colours, and nobody outside this folder knows a structure: panels, command line, tests
//! and benchmarks loop over [`Kind::ALL`]. A new structure is one file and one row in the registry at the end of this file.
//!
//! Invariant: no query allocates.

use crate::geometry::{Aabb, Segment, Vec2};
use crate::probe::Probe;
use std::borrow::Cow;

#[cfg(test)]
mod against_all_pairs;
mod box_tree;
mod chunk;
mod kernel;
mod median_tree;
mod registry;
mod search;
mod simd;

pub mod all_pairs;
pub mod battle_line;
pub mod bsp_tree;
pub mod bvh;
pub mod kd_tree;
pub mod linked_grid;
pub mod morton_tree;
pub mod quadtree;
pub mod rect_quadtree;
pub mod sorted_grid;
pub mod sweep_and_prune;

pub use crate::ids::{Pair, RegionId, UnitId};
pub use kernel::{Best, PairBatch};
pub use registry::{AnyPartition, Kind};

/// Coordinates and sizes beyond this, in metres to each side of the origin, are turned away where a scene, a spawn or an
/// import enters: within it no square of a distance overflows.
pub const COORDINATE_LIMIT: f32 = 1.0e9;

/// The truth about every unit, lent by its owner: columns indexed by [`UnitId`].
///
/// Positions and sizes are finite and within [`COORDINATE_LIMIT`]; half extents are not negative.
#[derive(Clone, Copy, Debug)]
pub struct Bodies<'a> {
    /// Where each unit's middle is, in metres.
    pub centers: &'a [Vec2],
    /// Half of each unit's width and height, in metres; empty when all units are points.
    pub half_extents: &'a [Vec2],
    /// Whether each row is in use; empty when all are.
    pub alive: &'a [bool],
}

impl<'a> Bodies<'a> {
    /// Points, all alive.
    pub const fn points(centers: &'a [Vec2]) -> Self {
        Self {
            centers,
            half_extents: &[],
            alive: &[],
        }
    }

    /// The number of rows, unused ones included: every id is below it.
    #[inline]
    pub fn slot_count(self) -> usize {
        self.centers.len()
    }

    /// The number of units alive. Counts the rows when some are not in use.
    pub fn count(self) -> usize {
        if self.alive.is_empty() {
            self.centers.len()
        } else {
            self.alive.iter().filter(|alive| **alive).count()
        }
    }

    /// Whether row `unit` exists and is in use.
    #[inline]
    pub fn is_alive(self, unit: UnitId) -> bool {
        let row = unit as usize;
        row < self.centers.len() && (self.alive.is_empty() || self.alive[row])
    }

    /// The units alive, by ascending id.
    pub fn ids(self) -> impl Iterator<Item = UnitId> + 'a {
        (0..self.centers.len() as UnitId)
            .filter(move |unit| self.alive.is_empty() || self.alive[*unit as usize])
    }

    /// Whether any unit has a size.
    #[inline]
    pub fn are_sized(self) -> bool {
        !self.half_extents.is_empty()
    }

    /// The middle of `unit`.
    #[inline]
    pub fn center(self, unit: UnitId) -> Vec2 {
        self.centers[unit as usize]
    }

    /// Half of the width and height of `unit`; zero for a point.
    #[inline]
    pub fn half_extent(self, unit: UnitId) -> Vec2 {
        if self.half_extents.is_empty() {
            Vec2::ZERO
        } else {
            self.half_extents[unit as usize]
        }
    }

    /// The box of `unit`. This, and nothing computed another way, is what queries test.
    #[inline]
    pub fn aabb(self, unit: UnitId) -> Aabb {
        let center = self.center(unit);
        if self.half_extents.is_empty() {
            Aabb::new(center, center)
        } else {
            Aabb::around(center, self.half_extents[unit as usize])
        }
    }
}

/// One edit to the set of units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// The unit is new.
    Add(UnitId),
    /// The unit's centre or size changed.
    Move(UnitId),
    /// The unit is gone; its row may be reused by a later `Add`.
    Remove(UnitId),
}

/// What [`Partition::nearest`] looks for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NearestQuery {
    /// From where.
    pub point: Vec2,
    /// How many at the most.
    pub count: usize,
    /// How far at the most, in metres, closed; infinity for no limit.
    pub within: f32,
}

/// One result of [`Partition::nearest`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Neighbor {
    /// Who.
    pub unit: UnitId,
    /// The squared distance from the query's point to the unit's box, in m².
    pub distance_sq: f32,
}

/// One of several disjoint shares of a pair search, for work on several threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// Which share: 0 to `count` - 1.
    pub index: u32,
    /// Into how many shares the search is cut; at least 1.
    pub count: u32,
}

impl Part {
    /// The whole search.
    pub const WHOLE: Self = Self { index: 0, count: 1 };

    /// This share's stretch of `length` items laid in a row.
    pub fn stretch(self, length: usize) -> std::ops::Range<usize> {
        let at = |index: u32| (length as u64 * u64::from(index) / u64::from(self.count)) as usize;
        at(self.index)..at(self.index + 1)
    }
}

/// The outline of a region.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shape<'a> {
    /// A box.
    Rect(Aabb),
    /// A convex polygon, its corners in order.
    Convex(&'a [Vec2]),
    /// A line from point to point.
    Line(Vec2, Vec2),
}

/// What a region is to its structure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A node that has others below it.
    Inner,
    /// A node with nothing below it but units.
    Leaf,
    /// A cell of a grid.
    Cell,
    /// A stretch of a sorted line.
    Slot,
}

/// A region as it is drawn and inspected.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Region<'a> {
    /// The same id that the probe's events name.
    pub id: RegionId,
    /// Its outline, in metres.
    pub shape: Shape<'a>,
    /// Its distance from the root; 0 for cells.
    pub depth: u16,
    /// How many units it holds itself.
    pub load: u32,
    /// How many it may hold before it splits; 0 where there is no such number.
    pub capacity: u32,
    /// What it is.
    pub role: Role,
    /// The region above it.
    pub parent: Option<RegionId>,
}

/// Which regions are asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RegionQuery {
    /// Only regions that overlap this box, which may be the view or a single point.
    pub area: Aabb,
    /// Regions whose longer side is below this, in metres, are left out together with all below them; 0 gives all.
    pub min_size: f32,
}

/// What a mark means; the view gives it its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MarkRole {
    /// A line or box that explains how space is cut: an axis, a curve, a nominal cell.
    Guide,
    /// The place where the explained step starts.
    Home,
    /// A place that the step looks at.
    Scanned,
    /// A place that a more naive step would look at too, and need not.
    Skipped,
    /// A body that is held somewhere unusual, such as a straddler.
    Special,
}

/// A piece of a structure's own teaching picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark<'a> {
    /// What it means.
    pub role: MarkRole,
    /// Where it is.
    pub shape: Shape<'a>,
    /// A few words beside it; empty for none.
    pub label: Cow<'a, str>,
}

/// For what a structure's teaching picture is asked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MarkQuery {
    /// What is in view.
    pub area: Aabb,
    /// Marks smaller than this, in metres, may be left out.
    pub min_size: f32,
    /// Where the cursor points, when it is over the field.
    pub cursor: Option<Vec2>,
}

/// One line about a structure or a region: a name, a value, a unit.
#[derive(Clone, Debug, PartialEq)]
pub struct Fact {
    /// What is said.
    pub name: &'static str,
    /// Its value, ready to print.
    pub value: String,
    /// The unit of the value; empty for none.
    pub unit: &'static str,
}

impl Fact {
    /// A fact whose value prints as `value`.
    pub fn new(name: &'static str, value: impl ToString, unit: &'static str) -> Self {
        Self {
            name,
            value: value.to_string(),
            unit,
        }
    }
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
    /// What values the knob takes, in words.
    pub fn expectation(&self) -> String {
        match self.range {
            KnobRange::Number { min, whole, .. } if !whole && min > 0.0 && min < 0.1 => {
                let KnobRange::Number { max, .. } = self.range else {
                    unreachable!()
                };
                format!("greater than 0, from {min} to {max}")
            }
            KnobRange::Number {
                min,
                max,
                whole: false,
                ..
            } => format!("a number from {min} to {max}"),
            KnobRange::Number {
                min,
                max,
                whole: true,
                ..
            } => format!("a whole number from {min} to {max}"),
            KnobRange::Choice(words) => format!("one of {}", words.join(", ")),
            KnobRange::Switch => "off or on".to_owned(),
        }
    }

    /// Whether `value` is one that the knob takes.
    pub fn accepts(&self, value: f64) -> bool {
        match self.range {
            KnobRange::Number {
                min, max, whole, ..
            } => {
                value.is_finite()
                    && min <= value
                    && value <= max
                    && (!whole || value.fract() == 0.0)
            }
            KnobRange::Choice(words) => {
                value.fract() == 0.0 && value >= 0.0 && (value as usize) < words.len()
            }
            KnobRange::Switch => value == 0.0 || value == 1.0,
        }
    }

    /// Reads a value as scenes and the command line write it.
    pub fn parse(&self, text: &str) -> Result<f64, KnobError> {
        let text = text.trim();
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
            .filter(|value| self.accepts(*value))
            .ok_or_else(|| KnobError::Value {
                key: self.key,
                expected: self.expectation(),
                found: text.to_owned(),
            })
    }

    /// Writes a value as scenes and the command line read it.
    pub fn format(&self, value: f64) -> String {
        match self.range {
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
    /// Its settings.
    pub knobs: &'static [Knob],
}

impl Info {
    /// The index of the knob called `key`.
    pub fn knob_index(&self, key: &str) -> Result<usize, KnobError> {
        // A hyphen for an underscore is what fingers type on a command line.
        self.knobs
            .iter()
            .position(|knob| knob.key == key.replace('-', "_"))
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

/// Something in a structure that does not agree with the truth.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("region {region:?}: expected {expected}, found {found}")]
pub struct Violation {
    /// Where, when it has a place.
    pub region: Option<RegionId>,
    /// What should be.
    pub expected: String,
    /// What is.
    pub found: String,
}

impl Violation {
    /// Ok when `holds`; else a violation at `region` whose words are made only then.
    pub fn unless(
        holds: bool,
        region: impl Into<Option<RegionId>>,
        expected: impl FnOnce() -> String,
        found: impl FnOnce() -> String,
    ) -> Result<(), Self> {
        if holds {
            Ok(())
        } else {
            Err(Self {
                region: region.into(),
                expected: expected(),
                found: found(),
            })
        }
    }
}

/// An index over bodies that answers who is near whom.
///
/// `bodies` is always the present truth. Queries may be asked only when every edit since the last one was told through
/// [`Partition::rebuild`] or [`Partition::apply`].
pub trait Partition: Sized + Send + Sync {
    /// What it is called, what it costs, what can be set.
    const INFO: Info;

    /// An empty index, its knobs at their defaults, for units that are mostly within `field`.
    fn new(field: Aabb) -> Self;

    /// The value of the knob at `index` in [`Info::knobs`].
    fn knob(&self, index: usize) -> f64;

    /// Sets the knob at `index` to a value that the knob [accepts](Knob::accepts). Unless it is
    /// [`Knob::picture_only`], the index has to be rebuilt before it is used again.
    fn set_knob(&mut self, index: usize, value: f64);

    /// Forgets everything and indexes the units alive.
    fn rebuild<P: Probe>(&mut self, bodies: Bodies<'_>, probe: &mut P);

    /// Brings the index up to date. `bodies` is the truth after all of `changes`; they are taken in order, and the same
    /// unit may occur several times (a removal followed by an addition reuses its row). A unit that moved and is not
    /// named is a broken promise. A structure that cannot edit itself rebuilds.
    fn apply<P: Probe>(&mut self, bodies: Bodies<'_>, changes: &[Change], probe: &mut P);

    /// Visits the units whose boxes overlap `area`.
    fn range<P: Probe>(
        &self,
        bodies: Bodies<'_>,
        area: Aabb,
        probe: &mut P,
        visit: impl FnMut(UnitId),
    );

    /// Visits the units whose boxes come within `radius` of `center`.
    fn radius<P: Probe>(
        &self,
        bodies: Bodies<'_>,
        center: Vec2,
        radius: f32,
        probe: &mut P,
        visit: impl FnMut(UnitId),
    );

    /// Clears `out` and fills it with the units nearest to the query's point that pass `filter`, sorted by
    /// (distance², id).
    fn nearest<P: Probe>(
        &self,
        bodies: Bodies<'_>,
        query: NearestQuery,
        filter: impl FnMut(UnitId) -> bool,
        probe: &mut P,
        out: &mut Vec<Neighbor>,
    );

    /// Visits the units whose boxes the segment meets (line of sight, a bullet's way).
    fn segment<P: Probe>(
        &self,
        bodies: Bodies<'_>,
        segment: Segment,
        probe: &mut P,
        visit: impl FnMut(UnitId),
    );

    /// Gives the pairs of units whose boxes are at most `reach` apart that belong to share `part`, in batches, the smaller
    /// id of each pair first. The shares are disjoint and together they are all pairs; the tests of the shares also add
    /// up to the tests of the whole.
    fn pairs_part<P: Probe>(
        &self,
        bodies: Bodies<'_>,
        reach: f32,
        part: Part,
        probe: &mut P,
        batch: impl FnMut(&[Pair]),
    );

    /// Gives each pair of units whose boxes are at most `reach` apart once, in batches, the smaller id first.
    fn pairs<P: Probe>(
        &self,
        bodies: Bodies<'_>,
        reach: f32,
        probe: &mut P,
        batch: impl FnMut(&[Pair]),
    ) {
        self.pairs_part(bodies, reach, Part::WHOLE, probe, batch);
    }

    /// Visits the regions that overlap the query's area, every parent before its children.
    fn regions(&self, query: RegionQuery, visit: &mut dyn FnMut(Region<'_>));

    /// Visits the pieces of the structure's own teaching picture.
    fn marks(&self, _bodies: Bodies<'_>, _query: MarkQuery, _visit: &mut dyn FnMut(Mark<'_>)) {}

    /// Says what is worth knowing of one region beyond what [`Region`] carries. An id that is not in use says nothing.
    fn facts(&self, _bodies: Bodies<'_>, _region: RegionId, _say: &mut dyn FnMut(Fact)) {}

    /// Says how well the structure is built: depth, occupancy, height against ideal.
    fn quality(&self, _say: &mut dyn FnMut(Fact)) {}

    /// Compares topology, bounds, membership and every copy with the truth.
    fn validate(&self, bodies: Bodies<'_>) -> Result<(), Violation>;

    /// Says how many bytes each part of the index takes on the heap.
    fn memory(&self, say: &mut dyn FnMut(&'static str, usize));

    /// The bytes that the index takes on the heap.
    fn byte_count(&self) -> usize {
        let mut sum = 0;
        self.memory(&mut |_, bytes| sum += bytes);
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_of_a_row_are_disjoint_and_whole() {
        for length in [0, 1, 2, 7, 100] {
            for count in 1..9 {
                let mut next = 0;
                for index in 0..count {
                    let stretch = Part { index, count }.stretch(length);
                    assert_eq!(stretch.start, next);
                    next = stretch.end;
                }
                assert_eq!(next, length);
            }
        }
    }

    #[test]
    fn every_key_is_unique_and_every_default_accepted() {
        for (index, kind) in Kind::ALL.iter().enumerate() {
            let info = kind.info();
            assert_eq!(Kind::from_key(info.key), Some(*kind));
            assert!(
                Kind::ALL[..index]
                    .iter()
                    .all(|other| other.info().key != info.key)
            );
            let structure = AnyPartition::new(*kind, Aabb::new(Vec2::ZERO, Vec2::splat(100.0)));
            for (index, knob) in info.knobs.iter().enumerate() {
                assert!(knob.accepts(knob.default), "{}.{}", info.key, knob.key);
                assert_eq!(
                    structure.knob(index),
                    knob.default,
                    "{}.{}",
                    info.key,
                    knob.key
                );
                assert_eq!(knob.parse(&knob.format(knob.default)), Ok(knob.default));
                assert!(knob.parse("NaN").is_err());
            }
        }
    }
}
