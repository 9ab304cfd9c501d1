//! The pair kernel of trees with leaves: who is near a leaf is copied together, and then tested with those in it.

use super::batch::PairBatch;
use super::copied::{Copied, against, lanes};
use super::leaves::Leaves;
use super::simd::Kernel;
use crate::geometry::Aabb;
use crate::partition::Pair;
use crate::probe::Probe;

/// So many units that are near a leaf are gathered before they are tested.
const ROOM: usize = 192;

/// Units that are near each other, copied together: those of one leaf and then others that are near it.
pub struct Crowd(Copied<{ lanes(ROOM) }>);

impl Crowd {
    /// Nobody yet.
    pub const NOBODY: Self = Self(Copied::NOBODY);

    /// Whether one more leaf has room.
    #[inline(always)]
    pub fn has_room(&self, fill: usize) -> bool {
        fill <= self.0.room()
    }

    /// Takes those of a leaf who are near an area.
    #[inline(always)]
    pub fn gather<const SIZED: bool, K: Kernel>(
        &mut self,
        kernel: K,
        area: Aabb,
        reach_sq: f32,
        leaves: &Leaves,
        leaf: usize,
    ) {
        let run = 0..leaves.fill(leaf);
        let bodies = leaves.columns::<SIZED>(leaf);
        self.0
            .gather::<SIZED, K>(kernel, (area, reach_sq), bodies, run);
    }

    /// Keeps the first `count` and forgets the others.
    #[inline(always)]
    pub fn keep(&mut self, count: usize) {
        self.0.keep(count);
    }

    /// Tests each of the first `own` units with those behind them, and with each other where they have not been.
    #[inline(always)]
    pub fn test<const SIZED: bool, K: Kernel, P: Probe, F: FnMut(&[Pair])>(
        &self,
        kernel: K,
        own: usize,
        is_new: bool,
        reach_sq: f32,
        batch: &mut PairBatch<F>,
        probe: &mut P,
    ) {
        let bodies = self.0.for_kernel::<SIZED>();
        let (mut tests, mut hits) = (0, 0);
        for place in 0..own {
            let who = (self.0.id(place), bodies.body::<SIZED>(place));
            let run = if is_new { place + 1 } else { own }..self.0.count();
            tests += run.len();
            let told = (&mut *batch, &mut *probe);
            hits += against::<SIZED, K, P, F>(kernel, who, (bodies, run), reach_sq, told);
        }
        if !P::DETAILED {
            probe.tests(tests as u64);
            probe.hits(hits as u64);
        }
    }
}
