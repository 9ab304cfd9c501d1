//! The truth that a structure indexes, lent by its owner.

use crate::geometry3::{Aabb3, Vec3};
use crate::partition::UnitId;

/// The truth about every unit, lent by its owner: columns indexed by [`UnitId`].
///
/// Positions and sizes are finite and within [`COORDINATE_LIMIT`](crate::partition::COORDINATE_LIMIT); half extents are not
/// negative.
#[derive(Clone, Copy, Debug)]
pub struct Bodies3<'a> {
    /// Where each unit's middle is, in metres.
    pub centers: &'a [Vec3],
    /// Half of each unit's width, height and depth, in metres; empty when all units are points.
    pub half_extents: &'a [Vec3],
    /// Whether each row is in use; empty when all are.
    pub alive: &'a [bool],
}

impl<'a> Bodies3<'a> {
    /// Points, all alive.
    pub const fn points(centers: &'a [Vec3]) -> Self {
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
    pub fn center(self, unit: UnitId) -> Vec3 {
        self.centers[unit as usize]
    }

    /// Half of the width, height and depth of `unit`; zero for a point.
    #[inline]
    pub fn half_extent(self, unit: UnitId) -> Vec3 {
        if self.half_extents.is_empty() {
            Vec3::ZERO
        } else {
            self.half_extents[unit as usize]
        }
    }

    /// The box of `unit`. This, and nothing computed another way, is what queries test.
    #[inline]
    pub fn aabb(self, unit: UnitId) -> Aabb3 {
        let center = self.center(unit);
        if self.half_extents.is_empty() {
            Aabb3::point(center)
        } else {
            Aabb3::around(center, self.half_extents[unit as usize])
        }
    }
}
