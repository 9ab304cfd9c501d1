//! The truth that a structure indexes, lent by its owner, and the edits to it.

use super::UnitId;
use crate::geometry::{Aabb, Vec2};

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
    pub fn ids(self) -> impl Iterator<Item = UnitId> + Clone + 'a {
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

/// How an index goes on once it has looked at its changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Course {
    /// One change after the other is made.
    OneByOne,
    /// All of them are made already.
    Done,
    /// The index has to be built anew.
    Rebuild,
}

/// A single edit that the index cannot make as it stands. It is built anew, and since the bodies are the truth after all
/// the changes, the build makes those that are left as well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outgrown;
