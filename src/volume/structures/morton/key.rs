//! Keys: a unit's cell with its three coordinates interleaved, and behind it the unit's row.

use crate::partition::UnitId;
use crate::volume::{Aabb3, Vec3};
use glam::IVec3;

/// 63 bits of an address and 32 of a row.
pub(super) type Key = u128;

/// Bits of a coordinate.
pub(super) const BITS: u32 = 21;

/// Bits of a key that name the row.
pub(super) const ROW_BITS: u32 = 32;

/// Branch bits fall from at most 94 to at least 0 on every way down: no way passes more inner nodes than this.
pub(super) const DEPTH_LIMIT: usize = (3 * BITS + ROW_BITS) as usize;

/// The cell of a middle, clamped to what a coordinate has bits for.
#[inline]
pub(super) fn cell_at(middle: Vec3, side: f32) -> IVec3 {
    const LIMIT: f32 = (1 << (BITS - 1)) as f32;
    (middle / side)
        .floor()
        .clamp(Vec3::splat(-LIMIT), Vec3::splat(LIMIT - 1.0))
        .as_ivec3()
}

/// The bits of a coordinate in two's complement, two places apart.
#[inline]
fn spread(number: i32) -> u64 {
    let mut bits = u64::from(number as u32) & 0x1f_ffff;
    bits = (bits | bits << 32) & 0x001f_0000_0000_ffff;
    bits = (bits | bits << 16) & 0x001f_0000_ff00_00ff;
    bits = (bits | bits << 8) & 0x100f_00f0_0f00_f00f;
    bits = (bits | bits << 4) & 0x10c3_0c30_c30c_30c3;
    (bits | bits << 2) & 0x1249_2492_4924_9249
}

/// The address of a cell, x first.
#[inline]
pub(super) fn address(cell: IVec3) -> u64 {
    spread(cell.x) << 2 | spread(cell.y) << 1 | spread(cell.z)
}

/// The key of a unit with this box.
#[inline]
pub(super) fn key_of(body: Aabb3, unit: UnitId, side: f32) -> Key {
    let address = address(cell_at(body.center(), side));
    Key::from(address) << ROW_BITS | Key::from(unit)
}

/// The highest bit in which two keys differ that are not equal.
#[inline]
pub(super) fn branch_bit(a: Key, b: Key) -> u8 {
    (a ^ b).ilog2() as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_interleaves_x_first() {
        assert_eq!(address(IVec3::new(1, 0, 0)), 0b100);
        assert_eq!(address(IVec3::new(0, 1, 0)), 0b010);
        assert_eq!(address(IVec3::new(0b11, 0b00, 0b01)), 0b100_101);
        assert_eq!(address(IVec3::splat(-1)), (1 << 63) - 1);
    }

    #[test]
    fn every_bit_of_a_coordinate_has_its_place() {
        for bit in 0..BITS - 1 {
            let cell = IVec3::new(0, 0, 1 << bit);
            assert_eq!(address(cell), 1 << (3 * bit), "{bit}");
        }
    }

    #[test]
    fn cells_are_rounded_down_and_clamped() {
        let cell = cell_at(Vec3::new(-0.1, 0.9, -1.0e9), 0.5);
        assert_eq!(cell, IVec3::new(-1, 1, -(1 << 20)));
        assert_eq!(
            cell_at(Vec3::splat(1.0e9), 0.5),
            IVec3::splat((1 << 20) - 1)
        );
    }

    #[test]
    fn units_on_one_spot_have_keys_of_their_own() {
        let spot = Aabb3::point(Vec3::ONE);
        let (a, b) = (key_of(spot, 4, 0.5), key_of(spot, 5, 0.5));
        assert_eq!(branch_bit(a, b), 0);
        let beside = Aabb3::point(Vec3::new(1.5, 1.0, 1.0));
        assert_eq!(branch_bit(a, key_of(beside, 4, 0.5)), 34);
    }
}
