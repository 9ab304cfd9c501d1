//! What queries read of the nodes: four siblings side by side.

use super::ROOT;
use crate::geometry::Aabb;
use crate::partition::toolkit::simd::{self, Boxes, Kernel};

/// No node, no block, no slot.
pub(super) const NONE: u32 = u32::MAX;

/// What a query reads of four siblings: their boxes in columns, to be tested at once, and what is in them. All of it but tight boxes is
/// there once more in the nodes and their records.
///
/// The boxes are one cache line, and what is in them is another.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct Four {
    /// The last sibling first.
    boxes: Boxes,
    fours: [u32; 4],
    blocks: [u32; 4],
    loads: [u32; 4],
}

const _: () = assert!(size_of::<Four>() == 2 * simd::LINE, "two cache lines");

/// For each set of siblings, one bit each: where they stand, one after the other.
static IN_ORDER: [[u32; 4]; 16] = in_order();

const fn in_order() -> [[u32; 4]; 16] {
    let mut table = [[0; 4]; 16];
    let mut set = 0;
    while set < table.len() {
        let (mut at, mut found) = (0, 0);
        while at < 4 {
            if set >> at & 1 == 1 {
                table[set][found] = at as u32;
                found += 1;
            }
            at += 1;
        }
        set += 1;
    }
    table
}

/// In which four a node is, and where it stands there.
pub(super) type Seat = (u32, u32);

/// Where the root is, counted along the fours: the first of one in which there is nobody else.
pub(super) const ROOT_PLACE: u32 = 4 * seat_of(ROOT).0 + seat_of(ROOT).1;

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
        boxes: Boxes::ZERO,
        fours: [NONE; 4],
        blocks: [NONE; 4],
        loads: [0; 4],
    };

    /// The boxes of all four.
    #[inline(always)]
    pub(super) fn boxes(&self) -> &Boxes {
        &self.boxes
    }

    /// Which of the four have children, and which hold bodies themselves, a bit each.
    #[inline(always)]
    pub(super) fn sets(&self, kernel: impl Kernel) -> (u32, u32) {
        let inner = kernel.differing(&self.fours, NONE);
        (inner, kernel.differing(&self.loads, 0))
    }

    /// The box of the one who stands there.
    #[inline(always)]
    pub(super) fn bounds(&self, at: u32) -> Aabb {
        self.boxes.get(at as usize % 4)
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
        self.boxes.set(at as usize % 4, bounds);
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

/// Appends the places of a `set` of siblings to a list that ends at `end`, and moves the end behind them: `first` is the place of the
/// first of the four, and the highest bit of an entry says whether it is among the `marked` ones.
///
/// No branch asks how many there are: four entries are written, and those behind the end mean nothing.
#[inline(always)]
pub(super) fn append(list: &mut [u32], end: &mut usize, first: u32, set: u32, marked: u32) {
    let free = &mut list[*end..][..4];
    for (slot, at) in free.iter_mut().zip(IN_ORDER[set as usize % 16]) {
        *slot = (first + at) | (marked >> at) << 31;
    }
    *end += set.count_ones() as usize;
}

/// Where those of a `set` of siblings stand.
#[inline(always)]
pub(super) fn members(mut set: u32) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let at = set.trailing_zeros();
        set &= set.wrapping_sub(1);
        (at < 4).then_some(at)
    })
}

/// The seat at a place that is counted along the fours.
#[inline(always)]
pub(super) const fn seat_in(place: u32) -> Seat {
    (place / 4, place % 4)
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
