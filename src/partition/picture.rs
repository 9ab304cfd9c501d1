//! How a structure shows itself: regions, marks and facts, without colours.

use super::RegionId;
use crate::geometry::{Aabb, Vec2};
use std::borrow::Cow;

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
    /// The list of those that are too large for the cells or slots: it lies over all of them, parts nothing, and is no fuller in one
    /// place than in another.
    Oversize,
}

impl Role {
    /// Whether its load says how many units are where it lies: not of a node, whose units are in those below it or are held above them,
    /// and not of a list over everything, which would make all below it look fuller than it is.
    pub fn shows_load(self) -> bool {
        !matches!(self, Self::Inner | Self::Oversize)
    }
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
    /// The name of the fact that says how large the cells are in which bodies are filed, where these are not as large as the knob says:
    /// bodies wider than a cell have larger ones.
    pub const CELLS: &'static str = "cells in use";

    /// The names of the facts that say where in its grid a cell is.
    pub const PLACES: [&'static str; 2] = ["column, row", "column, row, layer"];

    /// The names of the facts that tell cells apart that have one column and row.
    pub const STOREYS: [&'static str; 2] = ["level", "size class"];

    /// A fact whose value prints as `value`.
    pub fn new(name: &'static str, value: impl ToString, unit: &'static str) -> Self {
        Self {
            name,
            value: value.to_string(),
            unit,
        }
    }
}

/// By what a region is called behind the word for what it is: a cell by its column and its row, where its facts say them, everything
/// else by its number. The number of a cell would jump from row to row.
pub fn called<'f>(region: RegionId, facts: impl IntoIterator<Item = &'f Fact> + Clone) -> String {
    let of = |names: &[&str]| {
        let mut facts = facts.clone().into_iter();
        facts.find(|fact| names.contains(&fact.name))
    };
    match (of(&Fact::PLACES), of(&Fact::STOREYS)) {
        (Some(place), None) => place.value.clone(),
        (Some(place), Some(storey)) => {
            format!("{} of {} {}", place.value, storey.name, storey.value)
        }
        (None, _) => region.to_string(),
    }
}
