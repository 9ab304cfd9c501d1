//! What is asked of a structure and what it answers.

use super::UnitId;
use crate::geometry::{Aabb, Vec2};

/// What [`Partition::nearest`](super::Partition::nearest) looks for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NearestQuery {
    /// From where.
    pub point: Vec2,
    /// How many at the most.
    pub count: usize,
    /// How far at the most, in metres, closed; infinity for no limit. Below zero nobody is found.
    pub within: f32,
}

/// One result of [`Partition::nearest`](super::Partition::nearest).
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

/// Which regions are asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RegionQuery {
    /// Only regions that overlap this box, which may be the view or a single point.
    pub area: Aabb,
    /// Regions whose longer side is below this, in metres, are left out together with all below them; 0 gives all.
    pub min_size: f32,
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
    /// How far apart pairs are asked for, in metres: where that is more than a cell, a search looks beyond the next one.
    pub reach: f32,
}

impl MarkQuery {
    /// So many cells around one are marked at the most, in each direction: more of them are no picture.
    const MOST_RINGS: u32 = 8;

    /// How many cells away a search for pairs looks from one that is so wide, whose bodies stand out by so much.
    pub fn rings(&self, cell_size: f32, stands_out: f32) -> u32 {
        // Who ends at a border is no neighbour of the cell behind the next one.
        const ROUNDING: f32 = 1.0e-3;
        let cells = (self.reach + 2.0 * stands_out) / cell_size - ROUNDING;
        (cells.ceil() as u32).clamp(1, Self::MOST_RINGS)
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
}
