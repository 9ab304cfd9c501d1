//! A fingerprint of a battle, taken row by row.

use crate::chance;
use crate::geometry::Vec2;

/// A fingerprint under way: rows are taken in their order.
///
/// It is one chain from the first row to the last, so that most of its time is waiting: whoever goes through the rows anyway takes it
/// beside the other work for little.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fingerprint(u64);

/// A fingerprint of which the first rows are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PartialHash {
    pub(super) fingerprint: Fingerprint,
    /// How many rows that are.
    pub(super) rows: usize,
}

impl Fingerprint {
    /// That of a battle at this tick with so many rows, of which none has been taken.
    #[inline]
    pub fn new(tick: u64, rows: usize) -> Self {
        Self(chance::mix(tick ^ (rows as u64) << 40))
    }

    /// Takes the next row.
    #[inline(always)]
    pub fn take(&mut self, hit_points: u16, is_alive: bool, position: Vec2, velocity: Vec2) {
        let both = |v: Vec2| u64::from(v.x.to_bits()) << 32 | u64::from(v.y.to_bits());
        let standing = u64::from(hit_points) << 1 | u64::from(is_alive);
        for word in [standing, both(position), both(velocity)] {
            self.0 = chance::mix(self.0 ^ word).wrapping_add(word);
        }
    }

    /// The fingerprint, once all rows have been taken.
    #[inline]
    pub fn finish(self) -> u64 {
        self.0
    }
}
