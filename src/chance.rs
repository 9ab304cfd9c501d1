//! Chance that is the same on every machine, in every build and on any number of threads.
//!
//! Two forms: [`hash`] answers "what would chance say to this unit at this tick?" without any state, so it does not matter
//! who asks first; [`Stream`] draws one number after another where the order is fixed anyway.
//!
//! Invariant: only operations that IEEE 754 defines to the last bit are used (sums, products, quotients, square roots).
//! Sines, logarithms and powers of a platform's library differ from one to the next, so the few needed are made here.

use crate::geometry::Vec2;
use std::f64::consts::{LN_2, SQRT_2};

/// The step of splitmix64: 2^64 divided by the golden ratio, made odd.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// The finaliser of splitmix64: every bit of the result depends on every bit of `value`.
#[inline]
pub const fn mix(value: u64) -> u64 {
    let value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}

/// A random number for this seed and these two words, such as a unit and a tick.
#[inline]
pub const fn hash(seed: u64, first: u64, second: u64) -> u64 {
    let seeded = mix(seed.wrapping_add(GOLDEN));
    let once = mix(seeded ^ first.wrapping_mul(GOLDEN));
    mix(once ^ second.wrapping_add(GOLDEN))
}

/// A random direction of length 1 that depends on nothing but `hash`.
#[inline]
pub fn direction(hash: u64) -> Vec2 {
    Stream::new(hash).direction()
}

/// A stream of random numbers (splitmix64: Steele, Lea, Flood, 2014).
#[derive(Clone, Debug)]
pub struct Stream {
    state: u64,
}

impl Stream {
    /// The stream of this seed.
    #[inline]
    pub const fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// 64 random bits.
    #[inline]
    pub const fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(GOLDEN);
        mix(self.state)
    }

    /// A number from 0 to below 1.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        // 53 bits fill the mantissa, so every value is exact and 1 is never reached.
        (self.bits() >> 11) as f64 * (1.0 / (1_u64 << 53) as f64)
    }

    /// A whole number from 0 to below `count`; 0 when `count` is 0.
    #[inline]
    pub const fn below(&mut self, count: u64) -> u64 {
        // The high half of a 128-bit product: fairer and faster than a remainder.
        ((self.bits() as u128 * count as u128) >> 64) as u64
    }

    /// A number from `low` to `high`, both included.
    #[inline]
    pub fn between(&mut self, low: f32, high: f32) -> f32 {
        let (from, to) = (f64::from(low), f64::from(high));
        ((from + (to - from) * self.unit()) as f32)
            .min(high)
            .max(low)
    }

    /// A number of mean 0 and standard deviation 1, never beyond 6: the sum of twelve even ones, whose variances of a
    /// twelfth add up to 1.
    pub fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.unit()).sum::<f64>() - 6.0
    }

    /// A direction of length 1, every angle as likely as any other.
    #[inline]
    pub fn direction(&mut self) -> Vec2 {
        loop {
            let bits = self.bits();
            let scale = 1.0 / 2_147_483_648.0;
            let point = Vec2::new(
                (bits as u32 as i32) as f32 * scale,
                ((bits >> 32) as i32) as f32 * scale,
            );
            // Points in a ring are even in angle, those in a square are not; four draws of five lie in the ring.
            let length_sq = point.length_squared();
            if (0.01..=1.0).contains(&length_sq) {
                return point / length_sq.sqrt();
            }
        }
    }

    /// A number from `min` to `max` that follows a Pareto law of this exponent, cut off at `max` (inverse of the
    /// distribution function, so nothing piles up at the end).
    pub fn pareto(&mut self, min: f32, max: f32, exponent: f32) -> f32 {
        pareto_at(self.unit(), min, max, exponent)
    }
}

/// What so great a share of the numbers of [`Stream::pareto`] is below.
pub fn pareto_at(below: f64, min: f32, max: f32, exponent: f32) -> f32 {
    let exponent = f64::from(exponent);
    let tail = power(f64::from(min) / f64::from(max), exponent);
    let share = 1.0 - below * (1.0 - tail);
    ((f64::from(min) * power(share, -1.0 / exponent)) as f32)
        .min(max)
        .max(min)
}

/// `base` to the power of `exponent`, for a normal `base` greater than 0.
fn power(base: f64, exponent: f64) -> f64 {
    exponential(exponent * logarithm(base))
}

/// The natural logarithm of a normal number greater than 0.
fn logarithm(value: f64) -> f64 {
    const MANTISSA: u64 = (1 << 52) - 1;
    let bits = value.to_bits();
    let mut exponent = (bits >> 52) as i64 - 1023;
    let mut mantissa = f64::from_bits((bits & MANTISSA) | (1023 << 52));
    if mantissa > SQRT_2 {
        mantissa *= 0.5;
        exponent += 1;
    }
    // ln m = 2 artanh((m - 1) / (m + 1)); the argument is at most 0.172, so that 12 terms reach the last bit.
    let ratio = (mantissa - 1.0) / (mantissa + 1.0);
    let square = ratio * ratio;
    let series = (0..12).rev().fold(0.0, |sum, term| {
        sum * square + 1.0 / f64::from(2 * term + 1)
    });
    2.0 * ratio * series + exponent as f64 * LN_2
}

/// e to the power of `value`, held between the least and the greatest normal number.
fn exponential(value: f64) -> f64 {
    let value = value.clamp(-700.0, 700.0);
    let halvings = (value / LN_2 + 0.5).floor();
    let rest = value - halvings * LN_2;
    // The rest is at most 0.35, so that 16 terms of Taylor's series reach the last bit.
    let series = (1..=16)
        .rev()
        .fold(1.0, |sum, term| 1.0 + sum * rest / f64::from(term));
    series * f64::from_bits(((halvings as i64 + 1023) as u64) << 52)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stream_is_splitmix64() {
        // The published first outputs for seed 1234567.
        let mut stream = Stream::new(1_234_567);
        assert_eq!(stream.bits(), 6_457_827_717_110_365_317);
        assert_eq!(stream.bits(), 3_203_168_211_198_807_973);
    }

    #[test]
    fn powers_agree_with_the_library_to_the_last_digits() {
        for base in [1e-30, 0.001, 0.5, 1.0, 1.4143, 2.0, 10.0, 3e8] {
            for exponent in [-2.0, -0.5, 0.0, 0.3, 1.0, 1.16] {
                let (ours, theirs) = (power(base, exponent), base.powf(exponent));
                assert!((ours / theirs - 1.0).abs() < 1e-12, "{base} {exponent}");
            }
        }
    }

    #[test]
    fn draws_stay_within_their_bounds() {
        let mut stream = Stream::new(7);
        for _ in 0..1_000 {
            assert!((0.0..1.0).contains(&stream.unit()));
            assert!((-1.0..=2.0).contains(&stream.between(-1.0, 2.0)));
            assert!(stream.below(3) < 3);
            assert!((0.5..=8.0).contains(&stream.pareto(0.5, 8.0, 1.2)));
            assert!((stream.direction().length() - 1.0).abs() < 1e-6);
        }
        assert_eq!(stream.below(0), 0);
        assert_eq!(stream.pareto(2.0, 2.0, 1.0), 2.0);
    }
}
