//! Where cells are found: tiles of 4 × 4 × 4 cells, by a hash of their place.

use super::NONE;
use crate::volume::Vec3;
use glam::IVec3;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// Cells along each side of a tile: a power of two.
pub(super) const SPAN: i32 = 4;
/// Its logarithm.
const BITS: u32 = 2;
/// Cells in a tile.
pub(super) const CELLS: usize = 64;

/// Cells are numbered from minus this to this less 1 along each axis.
pub(super) const LIMIT: i32 = 1 << 20;

/// Some cells side by side.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tile {
    /// Its place: that of its cells by [`SPAN`], rounded down.
    pub place: IVec3,
    /// How many of its cells exist; 0 for a free tile.
    pub count: u32,
    /// Place in the tile → the cell; [`NONE`] where nobody is. Of a free tile, the first is the next free one.
    pub cells: [u32; CELLS],
}

/// All tiles.
#[derive(Clone, Debug, Default)]
pub(super) struct Tiles {
    /// In use and free.
    pub all: Vec<Tile>,
    /// How many are free, and which.
    pub free: Vec<u32>,
    /// Place → tile.
    map: HashMap<u64, u32, BuildHasherDefault<Mix>>,
}

/// Mixes a place's bits; the same in every run, unlike the hash that is usual.
#[derive(Default)]
pub(super) struct Mix(u64);

impl Hasher for Mix {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u64(u64::from(*byte));
        }
    }

    /// Multiplied by 2⁶⁴ over the golden ratio, and the well mixed high bits brought down.
    fn write_u64(&mut self, value: u64) {
        let mixed = (self.0 ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed ^ mixed >> 32;
    }
}

/// A cell's number along each axis.
#[inline(always)]
pub(super) fn cell_at(middle: Vec3, inverse: f32) -> IVec3 {
    const FIRST: Vec3 = Vec3::splat(-LIMIT as f32);
    const LAST: Vec3 = Vec3::splat((LIMIT - 1) as f32);
    (middle * inverse).floor().clamp(FIRST, LAST).as_ivec3()
}

/// The tile of a cell.
#[inline(always)]
pub(super) fn tile_of(cell: IVec3) -> IVec3 {
    cell >> BITS
}

/// A cell's place in its tile.
#[inline(always)]
pub(super) fn inner_of(cell: IVec3) -> usize {
    let IVec3 { x, y, z } = cell & (SPAN - 1);
    (x | y << BITS | z << (2 * BITS)) as usize
}

/// The cell at a place in a tile.
#[inline(always)]
pub(super) fn cell_in(tile: IVec3, inner: usize) -> IVec3 {
    let inner = inner as i32;
    let part = IVec3::new(inner, inner >> BITS, inner >> (2 * BITS)) & (SPAN - 1);
    tile * SPAN + part
}

/// One number for a tile's place: 19 bits an axis.
#[inline(always)]
pub(super) fn key_of(tile: IVec3) -> u64 {
    let part = |number: i32| (number + LIMIT / SPAN) as u64;
    part(tile.z) << 38 | part(tile.y) << 19 | part(tile.x)
}

impl Tiles {
    /// Forgets all.
    pub fn clear(&mut self) {
        self.all.clear();
        self.free.clear();
        self.map.clear();
    }

    /// The tile at a place; [`NONE`] where nobody is.
    #[inline]
    pub fn find(&self, place: IVec3) -> u32 {
        let is_within = place.cmpge(IVec3::splat(-LIMIT / SPAN)).all()
            && place.cmplt(IVec3::splat(LIMIT / SPAN)).all();
        if !is_within {
            return NONE;
        }
        self.map.get(&key_of(place)).copied().unwrap_or(NONE)
    }

    /// The tile at a place, made if there is none.
    pub fn find_or_make(&mut self, place: IVec3) -> u32 {
        let found = self.find(place);
        if found != NONE {
            return found;
        }
        let tile = Tile {
            place,
            count: 0,
            cells: [NONE; CELLS],
        };
        let index = match self.free.pop() {
            Some(index) => {
                self.all[index as usize] = tile;
                index
            }
            None => {
                self.all.push(tile);
                self.all.len() as u32 - 1
            }
        };
        self.map.insert(key_of(place), index);
        index
    }

    /// Gives back a tile without a cell.
    pub fn give_back(&mut self, index: u32) {
        let place = self.all[index as usize].place;
        self.map.remove(&key_of(place));
        self.free.push(index);
    }

    /// How many tiles the map knows.
    pub fn known(&self) -> usize {
        self.map.len()
    }

    pub fn memory(&self, say: &mut dyn FnMut(&'static str, usize)) {
        say("tiles", self.all.capacity() * size_of::<Tile>());
        let free = self.free.capacity() * size_of::<u32>();
        // A byte of a tag stands beside each entry.
        let map = self.map.capacity() * (size_of::<(u64, u32)>() + 1);
        say("tile table", map + free);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_rounded_down_on_both_sides_of_the_origin() {
        let at = |x: f32| cell_at(Vec3::new(x, 0.0, -x), 0.5);
        assert_eq!(at(0.5), IVec3::new(0, 0, -1));
        assert_eq!(at(-0.5), IVec3::new(-1, 0, 0));
        assert_eq!(at(-1.0e9), IVec3::new(-LIMIT, 0, LIMIT - 1));
        for cell in [IVec3::new(-1, 0, 5), IVec3::new(-LIMIT, LIMIT - 1, -4)] {
            assert_eq!(cell_in(tile_of(cell), inner_of(cell)), cell);
        }
        assert_eq!(tile_of(IVec3::new(-1, 3, 4)), IVec3::new(-1, 0, 1));
    }

    #[test]
    fn a_tile_is_found_until_it_is_given_back() {
        let mut tiles = Tiles::default();
        let place = IVec3::new(-7, 0, 3);
        assert_eq!(tiles.find(place), NONE);
        let tile = tiles.find_or_make(place);
        assert_eq!((tiles.find(place), tiles.find_or_make(place)), (tile, tile));
        tiles.give_back(tile);
        assert_eq!(tiles.find(place), NONE);
        assert_eq!(tiles.find_or_make(IVec3::ZERO), tile, "used again");
        assert_eq!(tiles.find(IVec3::splat(i32::MAX / 4)), NONE);
    }
}
