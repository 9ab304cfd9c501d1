//! Where decisions come from: from a seed ([`Dice`], to make inputs), or from the bytes of an input ([`Choices`], to make a
//! list of deeds of it).

use rand::{Rng, RngCore, SeedableRng};
use rand_pcg::Pcg64Mcg;

/// Random numbers of a seed.
pub struct Dice(Pcg64Mcg);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Self(Pcg64Mcg::seed_from_u64(seed))
    }

    /// A number below `count`; 0 where there is none.
    pub fn below(&mut self, count: usize) -> usize {
        if count == 0 {
            0
        } else {
            self.0.random_range(0..count)
        }
    }

    /// True once in `count`.
    pub fn once_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    pub fn pick<'a, T>(&mut self, among: &'a [T]) -> &'a T {
        &among[self.below(among.len())]
    }

    pub fn byte(&mut self) -> u8 {
        self.0.random()
    }

    /// `count` bytes of which any decision can be made.
    pub fn bytes(&mut self, count: usize) -> Vec<u8> {
        let mut bytes = vec![0; count];
        self.0.fill_bytes(&mut bytes);
        bytes
    }
}

/// Decisions read from an input. When it is used up, each is the first of what there is to choose from.
pub struct Choices<'a>(&'a [u8]);

impl<'a> Choices<'a> {
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    pub const fn are_over(&self) -> bool {
        self.0.is_empty()
    }

    pub fn byte(&mut self) -> u8 {
        match self.0.split_first() {
            Some((first, rest)) => {
                self.0 = rest;
                *first
            }
            None => 0,
        }
    }

    /// A number below `count`, which is at most 256.
    pub fn below(&mut self, count: usize) -> usize {
        usize::from(self.byte()) % count
    }

    pub fn pick<T: Copy>(&mut self, among: &[T]) -> T {
        among[self.below(among.len())]
    }

    /// From 0 to 1, in 255 steps.
    pub fn fraction(&mut self) -> f32 {
        f32::from(self.byte()) / 255.0
    }

    pub fn flag(&mut self) -> bool {
        self.byte() & 1 == 1
    }

    fn four(&mut self) -> [u8; 4] {
        [self.byte(), self.byte(), self.byte(), self.byte()]
    }

    pub fn number(&mut self) -> u32 {
        u32::from_le_bytes(self.four())
    }

    /// Any number of single precision from -`limit` to `limit`, denormal ones and both zeros among them.
    pub fn any_float(&mut self, limit: f32) -> f32 {
        let value = f32::from_bits(self.number());
        if value.is_finite() {
            value.clamp(-limit, limit)
        } else {
            limit.copysign(value)
        }
    }
}
