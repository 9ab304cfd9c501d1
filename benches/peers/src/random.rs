//! Chance that repeats: `SplitMix64`.

use crate::tally::mixed;
use skirmish::geometry::Vec2;
use skirmish::volume::Vec3;

/// A stream of random numbers.
pub struct Random(u64);

impl Random {
    /// The stream of this seed.
    pub fn new(seed: u64) -> Self {
        Self(mixed(seed.wrapping_add(0x9E37_79B9_7F4A_7C15)))
    }

    /// Any number.
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        mixed(self.0)
    }

    /// From 0 to 1, without 1.
    pub fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// From `low` to `high`.
    pub fn within(&mut self, low: f32, high: f32) -> f32 {
        (f64::from(low) + self.unit() * (f64::from(high) - f64::from(low))) as f32
    }

    /// A whole number below `count`.
    pub fn below(&mut self, count: usize) -> usize {
        ((u128::from(self.next()) * count as u128) >> 64) as usize
    }

    /// From minus `most` to `most` along each axis.
    pub fn within3(&mut self, most: f32) -> Vec3 {
        Vec3::from_array(std::array::from_fn(|_| self.within(-most, most)))
    }

    /// One of so many, by the [weights](crate::world::ranks) that the first so many have together.
    pub fn rank(&mut self, ranks: &[f64]) -> usize {
        let last = ranks.len() - 1;
        let at = self.unit() * ranks[last];
        ranks.partition_point(|step| *step <= at).min(last)
    }

    /// Two numbers from the normal distribution (Box and Muller, 1958).
    pub fn gaussian(&mut self) -> Vec2 {
        let radius = (-2.0 * (1.0 - self.unit()).ln()).sqrt();
        let (sin, cos) = (std::f64::consts::TAU * self.unit()).sin_cos();
        Vec2::new((radius * cos) as f32, (radius * sin) as f32)
    }

    /// Three of them.
    pub fn gaussian3(&mut self) -> Vec3 {
        self.gaussian().extend(self.gaussian().x)
    }
}
