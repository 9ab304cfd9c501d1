//! What queries read of the nodes: four siblings side by side.

use super::ROOT;
use crate::geometry::{Aabb, Vec2};
use crate::partition::toolkit::simd;

/// No node, no block, no slot.
pub(super) const NONE: u32 = u32::MAX;

/// What a query reads of four siblings: their boxes in columns, to be tested at once, and what is in them. All of it is there once
/// more in the nodes and their records.
///
/// A kernel reads eight numbers of a column, of which the last four are whatever comes behind: so all of it is two cache lines.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct Four {
    /// Four left borders, bottoms, right borders and tops, the last sibling first, and four numbers that mean nothing.
    borders: [f32; 5 * 4],
    fours: [u32; 4],
    blocks: [u32; 4],
    loads: [u32; 4],
}

const _: () = assert!(size_of::<Four>() == 2 * simd::LINE, "two cache lines");

/// The siblings in the order in which they stand, and as many again that are not looked at.
static SIBLINGS: [u32; simd::PADDING] = [0, 1, 2, 3, 0, 0, 0, 0];

/// In which four a node is, and where it stands there.
pub(super) type Seat = (u32, u32);

/// Where the root is: the first of a four in which there is nobody else.
pub(super) const ROOT_SEAT: Seat = seat_of(ROOT);

/// What a node holds, and what is below it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Contents {
    /// Which four is below; [`NONE`] for a leaf.
    pub(super) four: u32,
    /// The first block of the bodies that the node holds itself; [`NONE`] when it holds none.
    pub(super) blocks: u32,
    /// How many bodies these are.
    pub(super) load: u32,
}

impl Contents {
    #[inline(always)]
    pub(super) fn is_leaf(&self) -> bool {
        self.four == NONE
    }

    /// Whether there is nobody here and below.
    #[inline(always)]
    pub(super) fn is_empty(&self) -> bool {
        (self.four == NONE) & (self.load == 0)
    }
}

impl Four {
    /// Four that are nowhere, with nobody in them.
    pub(super) const NOWHERE: Self = Self {
        borders: [0.0; 20],
        fours: [NONE; 4],
        blocks: [NONE; 4],
        loads: [0; 4],
    };

    /// The four as bodies whose names are where they stand.
    #[inline(always)]
    pub(super) fn for_kernel(&self) -> simd::Bodies<'_> {
        const COUNT: usize = simd::PADDING;
        let [left, bottom, right, top] = [0, 4, 8, 12].map(|at| &self.borders[at..at + COUNT]);
        simd::Bodies::new(left, bottom, right, top, &SIBLINGS)
    }

    /// The box of the one who stands there.
    #[inline(always)]
    pub(super) fn bounds(&self, at: u32) -> Aabb {
        let at = at as usize % 4;
        let [left, bottom, right, top] = [0, 4, 8, 12].map(|column| self.borders[column + at]);
        Aabb::new(Vec2::new(left, bottom), Vec2::new(right, top))
    }

    /// What is in the one who stands there.
    #[inline(always)]
    pub(super) fn contents(&self, at: u32) -> Contents {
        let at = at as usize % 4;
        Contents {
            four: self.fours[at],
            blocks: self.blocks[at],
            load: self.loads[at],
        }
    }

    /// Writes the box of the one who stands there.
    pub(super) fn set_bounds(&mut self, at: u32, bounds: Aabb) {
        let borders = [bounds.min.x, bounds.min.y, bounds.max.x, bounds.max.y];
        for (column, border) in borders.into_iter().enumerate() {
            self.borders[4 * column + at as usize] = border;
        }
    }

    /// Writes what is in the one who stands there.
    #[inline]
    pub(super) fn set_contents(&mut self, at: u32, contents: Contents) {
        let at = at as usize % 4;
        self.fours[at] = contents.four;
        self.blocks[at] = contents.blocks;
        self.loads[at] = contents.load;
    }
}

/// Where a node is.
#[inline(always)]
pub(super) const fn seat_of(node: u32) -> Seat {
    // The first four is the root's, which stands where a last sibling would.
    (node.wrapping_add(3) / 4, 3 - node.wrapping_add(3) % 4)
}

/// The node that stands there.
#[inline(always)]
pub(super) const fn node_at((four, at): Seat) -> u32 {
    (4 * four + 3 - at).wrapping_sub(3)
}
