//! Cells, addresses and keys: how a place becomes a number whose order follows the Z curve.

use crate::geometry::{Aabb, Vec2};
use crate::partition::UnitId;

/// Bits of one cell coordinate in two's complement: 1,048,576 cells along each axis, half of them negative.
pub(super) const AXIS_BITS: u32 = 20;
/// Bits of an address, which interleaves two coordinates.
pub(super) const ADDRESS_BITS: u32 = 2 * AXIS_BITS;
/// Bits below the address in which a key carries the unit's row, so that no two keys are equal.
pub(super) const SLOT_BITS: u32 = u64::BITS - ADDRESS_BITS;

/// The cell of an infinite grid in which a centre lies, clamped to what [`AXIS_BITS`] can tell apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cell {
    pub(super) x: i32,
    pub(super) y: i32,
}

impl Cell {
    /// `floor(center / cell_size)` along each axis: -0.5 lies in cell -1. With `truncates` the fraction is cut off and it
    /// lies in cell 0, as a program has it that converts without a thought.
    #[inline]
    pub(super) fn at(center: Vec2, cell_size: f32, truncates: bool) -> Self {
        let round = |value: f32| {
            const HALF: f32 = (1 << (AXIS_BITS - 1)) as f32;
            // Clamping first is the same as clamping the floor, for the limits are whole numbers, and it keeps the
            // conversion in range. The conversion truncates towards 0, which is one too many where it went up. This is
            // how `floor` compiles to a few instructions on processors that have no instruction for it, and what makes
            // rounding a knob that costs one more of them and no jump.
            let value = (value / cell_size).clamp(-HALF, HALF - 1.0);
            let truncated = value as i32;
            truncated - i32::from((truncated as f32 > value) & !truncates)
        };
        Self {
            x: round(center.x),
            y: round(center.y),
        }
    }

    /// The coordinates' low [`AXIS_BITS`] bits interleaved, x first: x = 3 (11) and y = 1 (01) give 1011.
    #[inline]
    pub(super) const fn address(self) -> u64 {
        spread(self.x) << 1 | spread(self.y)
    }

    /// The cell with this address.
    pub(super) const fn with_address(address: u64) -> Self {
        Self {
            x: gather(address >> 1),
            y: gather(address),
        }
    }
}

/// The bits of a coordinate moved apart, so that bit i comes to bit 2i.
#[inline]
const fn spread(coordinate: i32) -> u64 {
    let mut bits = (coordinate as u32 & ((1 << AXIS_BITS) - 1)) as u64;
    bits = (bits | bits << 16) & 0x0000_ffff_0000_ffff;
    bits = (bits | bits << 8) & 0x00ff_00ff_00ff_00ff;
    bits = (bits | bits << 4) & 0x0f0f_0f0f_0f0f_0f0f;
    bits = (bits | bits << 2) & 0x3333_3333_3333_3333;
    (bits | bits << 1) & 0x5555_5555_5555_5555
}

/// The inverse of [`spread`]: takes every other bit together and extends the sign.
const fn gather(address: u64) -> i32 {
    let mut bits = address & 0x5555_5555_5555_5555;
    bits = (bits | bits >> 1) & 0x3333_3333_3333_3333;
    bits = (bits | bits >> 2) & 0x0f0f_0f0f_0f0f_0f0f;
    bits = (bits | bits >> 4) & 0x00ff_00ff_00ff_00ff;
    bits = (bits | bits >> 8) & 0x0000_ffff_0000_ffff;
    bits = (bits | bits >> 16) & 0x0000_0000_ffff_ffff;
    let unused = i32::BITS - AXIS_BITS;
    ((bits as u32) << unused) as i32 >> unused
}

/// The key of the unit in row `unit` whose centre lies in a cell with this address.
#[inline]
pub(super) const fn key(address: u64, unit: UnitId) -> u64 {
    address << SLOT_BITS | unit as u64
}

/// On which side of branch bit `bit` a key belongs: 0 or 1.
#[inline]
pub(super) const fn side(key: u64, bit: u8) -> usize {
    (key >> bit & 1) as usize
}

/// How many low bits of the address a node with this branch bit leaves open: 0 where it only tells apart units of one cell.
pub(super) const fn open_bits(bit: u8) -> u32 {
    (bit as u32 + 1).saturating_sub(SLOT_BITS)
}

/// How many cells along each axis have addresses that agree above their lowest `open` bits.
pub(super) fn nominal_size(open: u32) -> Vec2 {
    // The lowest bit of an address is y's, so of an odd number of open bits y has one more.
    Vec2::new(
        (1_u32 << (open / 2)) as f32,
        (1_u32 << open.div_ceil(2)) as f32,
    )
}

/// The box that all cells make up together whose addresses agree with `address` above its lowest `open` bits.
///
/// Where fractions are cut off, cell 0 is twice as wide, and the cells below it end where others begin.
pub(super) fn nominal_box(address: u64, open: u32, cell_size: f32, truncates: bool) -> Aabb {
    let first = Cell::with_address(address >> open << open);
    let mut min = Vec2::new(first.x as f32, first.y as f32);
    let mut max = min + nominal_size(open);
    if truncates {
        min -= Vec2::select(min.cmple(Vec2::ZERO), Vec2::ONE, Vec2::ZERO);
        max -= Vec2::select(max.cmple(Vec2::ZERO), Vec2::ONE, Vec2::ZERO);
    }
    Aabb::new(min * cell_size, max * cell_size)
}

/// The lowest `shown` bits of an address in groups of four, with a dot for each of its lowest `open` bits.
pub(super) fn address_text(address: u64, open: u32, shown: u32) -> String {
    bit_text(shown, |bit| match address >> bit & 1 {
        _ if bit < open => '·',
        0 => '0',
        _ => '1',
    })
}

/// The mask of a node that leaves the lowest `open` bits of the address open.
pub(super) fn mask_text(open: u32, shown: u32) -> String {
    bit_text(shown, |bit| if bit < open { '0' } else { '1' })
}

/// `shown` digits from the highest bit to bit 0, in groups of four.
fn bit_text(shown: u32, digit: impl Fn(u32) -> char) -> String {
    let mut text = String::new();
    for bit in (0..shown).rev() {
        text.push(digit(bit));
        if bit > 0 && bit % 4 == 0 {
            text.push(' ');
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_table_of_four_by_four_cells() {
        let rows = [
            [0b0000, 0b0010, 0b1000, 0b1010],
            [0b0001, 0b0011, 0b1001, 0b1011],
            [0b0100, 0b0110, 0b1100, 0b1110],
            [0b0101, 0b0111, 0b1101, 0b1111],
        ];
        for (y, row) in (0..).zip(rows) {
            for (x, address) in (0..).zip(row) {
                let cell = Cell { x, y };
                assert_eq!(cell.address(), address, "({x}, {y})");
                assert_eq!(Cell::with_address(address), cell);
                let center = Vec2::new(x as f32 + 0.5, y as f32 + 0.5);
                assert_eq!(Cell::at(center, 1.0, false), cell);
            }
        }
        assert_eq!(address_text(0b1011, 0, 4), "1011");
        assert_eq!(address_text(0b1011, 1, 4), "101·");
        assert_eq!(address_text(0b11_0110, 2, 6), "11 01··");
        assert_eq!(mask_text(2, 4), "1100");
    }

    #[test]
    fn cells_are_floored_and_clamped() {
        let at = |x: f32, y: f32| Cell::at(Vec2::new(x, y), 1.0, false);
        assert_eq!(at(-0.5, 0.5), Cell { x: -1, y: 0 });
        assert_eq!(at(-1.0, -1.0001), Cell { x: -1, y: -2 });
        assert_eq!(at(-0.0, 0.999), Cell { x: 0, y: 0 });
        let (low, high) = (-(1 << 19), (1 << 19) - 1);
        assert_eq!(at(-1.0e9, 1.0e9), Cell { x: low, y: high });
        assert_eq!(at(high as f32 + 0.5, low as f32), Cell { x: high, y: low });
        for x in [low, -3, -2, -1, 0, 1, 2, 77, high] {
            for y in [low, -1, 0, 1, high] {
                let cell = Cell { x, y };
                assert_eq!(Cell::with_address(cell.address()), cell);
                assert!(cell.address() < 1 << ADDRESS_BITS);
            }
        }
        // -1 is 11...1 and 0 is 00...0: across the origin the addresses have nothing in common.
        assert_eq!(Cell { x: -1, y: -1 }.address(), (1 << ADDRESS_BITS) - 1);
    }

    #[test]
    fn a_nominal_box_doubles_along_y_first() {
        let boxed =
            |x0: f32, y0: f32, x1: f32, y1: f32| Aabb::new(Vec2::new(x0, y0), Vec2::new(x1, y1));
        assert_eq!(
            nominal_box(0b1011, 0, 2.0, false),
            boxed(6.0, 2.0, 8.0, 4.0)
        );
        assert_eq!(
            nominal_box(0b1011, 1, 2.0, false),
            boxed(6.0, 0.0, 8.0, 4.0)
        );
        assert_eq!(
            nominal_box(0b1011, 2, 2.0, false),
            boxed(4.0, 0.0, 8.0, 4.0)
        );
        assert_eq!(
            nominal_box(0b1011, 4, 2.0, false),
            boxed(0.0, 0.0, 8.0, 8.0)
        );
    }

    #[test]
    fn cut_off_the_cells_at_the_origin_are_one_and_twice_as_wide() {
        let at = |x: f32, y: f32| Cell::at(Vec2::new(x, y), 1.0, true);
        for (x, y) in [(-0.6, 0.6), (0.6, -0.6), (-0.999, -0.999), (0.0, 0.5)] {
            assert_eq!(at(x, y), Cell { x: 0, y: 0 });
        }
        assert_eq!(at(-1.0, 1.5), Cell { x: -1, y: 1 });
        assert_eq!(at(-2.5, 2.5), Cell { x: -2, y: 2 });
        let (low, high) = (-(1 << 19), (1 << 19) - 1);
        assert_eq!(at(-1.0e9, 1.0e9), Cell { x: low, y: high });
        // Every place lies in the box of its cell, and in those of the ever larger blocks around it.
        for x in -9..9 {
            for y in -9..9 {
                let center = Vec2::new(x as f32 + 0.25, y as f32 + 0.75);
                let address = at(center.x, center.y).address();
                for open in 0..8 {
                    let block = nominal_box(address, open, 1.0, true);
                    assert!(block.contains(center), "{center} {open} {block:?}");
                }
            }
        }
        let zero = Aabb::new(-Vec2::ONE, Vec2::ONE);
        assert_eq!(nominal_box(0, 0, 1.0, true), zero);
    }
}
