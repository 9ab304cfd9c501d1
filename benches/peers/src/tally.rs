//! What a contestant answers into: sums that do not depend on the order of the answers.
//!
//! There are two of them. [`Strong`] tells two different answers apart and is what decides whether a contestant gets a time
//! at all; [`Light`] costs next to nothing, so that it does not level the contestants while they are timed. Both are fed by
//! the same code of the contestant.

/// How many results there were, and a sum over them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sum {
    /// The number of results.
    pub count: u64,
    /// The sum over all results, wrapping.
    pub hash: u64,
}

impl std::ops::AddAssign for Sum {
    fn add_assign(&mut self, more: Self) {
        self.count += more.count;
        self.hash = self.hash.wrapping_add(more.hash);
    }
}

/// Receives results. Threads have one each.
pub trait Tally: Default + Send {
    /// A rectangle or a nearest query begins; what follows belongs to it.
    fn query(&mut self, index: usize);

    /// A pair was found. The order of the two does not matter.
    fn pair(&mut self, a: u32, b: u32);

    /// Many pairs were found.
    #[inline]
    fn pairs(&mut self, pairs: &[(u32, u32)]) {
        for (a, b) in pairs {
            self.pair(*a, *b);
        }
    }

    /// A unit was found in a rectangle.
    fn unit(&mut self, unit: u32);

    /// Many units were found in a rectangle.
    #[inline]
    fn units(&mut self, units: &[u32]) {
        for unit in units {
            self.unit(*unit);
        }
    }

    /// One of the nearest units is this far away, squared. Distances are summed, not ids: of two that are equally far, either
    /// may be the last.
    fn distance_sq(&mut self, distance_sq: f32);

    /// Takes what another one has received.
    fn add(&mut self, sum: Sum);

    /// The sum of everything.
    fn sum(&self) -> Sum;
}

/// For the times: counts and adds.
#[derive(Default)]
pub struct Light(Sum);

impl Tally for Light {
    #[inline(always)]
    fn query(&mut self, _: usize) {}

    #[inline(always)]
    fn pair(&mut self, a: u32, b: u32) {
        self.0.count += 1;
        self.0.hash = self.0.hash.wrapping_add(u64::from(a) + u64::from(b));
    }

    #[inline(always)]
    fn unit(&mut self, unit: u32) {
        self.0.count += 1;
        self.0.hash = self.0.hash.wrapping_add(u64::from(unit));
    }

    #[inline(always)]
    fn distance_sq(&mut self, distance_sq: f32) {
        self.0.count += 1;
        self.0.hash = self
            .0
            .hash
            .wrapping_add(u64::from((distance_sq + 0.0).to_bits()));
    }

    #[inline(always)]
    fn add(&mut self, sum: Sum) {
        self.0 += sum;
    }

    fn sum(&self) -> Sum {
        self.0
    }
}

/// For the checks: a hash of each result, summed.
#[derive(Default)]
pub struct Strong {
    sum: Sum,
    query: u64,
}

/// The finalizer of `SplitMix64`.
#[inline]
pub fn mixed(value: u64) -> u64 {
    let value = (value ^ (value >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    value ^ (value >> 31)
}

impl Strong {
    fn take(&mut self, value: u64) {
        self.sum.count += 1;
        self.sum.hash = self
            .sum
            .hash
            .wrapping_add(mixed(mixed(self.query) ^ value.wrapping_add(1)));
    }
}

impl Tally for Strong {
    fn query(&mut self, index: usize) {
        self.query = index as u64 + 1;
    }

    fn pair(&mut self, a: u32, b: u32) {
        self.take(u64::from(a.min(b)) << 32 | u64::from(a.max(b)));
    }

    fn unit(&mut self, unit: u32) {
        self.take(u64::from(unit));
    }

    fn distance_sq(&mut self, distance_sq: f32) {
        // Zero has two signs.
        self.take(u64::from((distance_sq + 0.0).to_bits()));
    }

    fn add(&mut self, sum: Sum) {
        self.sum += sum;
    }

    fn sum(&self) -> Sum {
        self.sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_of_results_does_not_matter_and_their_query_does() {
        let mut one = Strong::default();
        one.query(0);
        one.unit(3);
        one.query(1);
        one.unit(4);
        let mut other = Strong::default();
        other.query(1);
        other.unit(4);
        other.query(0);
        other.unit(3);
        assert_eq!(one.sum(), other.sum());
        let mut swapped = Strong::default();
        swapped.query(0);
        swapped.unit(4);
        swapped.query(1);
        swapped.unit(3);
        assert_ne!(one.sum(), swapped.sum());
    }
}
