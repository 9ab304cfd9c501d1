//! The pair kernel of trees with leaves: who is near a leaf is copied together, and then tested with those in it.

use super::batch::PairBatch;
use super::leaves::Leaves;
use super::simd::{self, Copies, Kernel, PADDING};
use crate::geometry::Aabb;
use crate::partition::{Pair, UnitId};
use crate::probe::{Event, Probe};

/// So many units that are near a leaf are gathered before they are tested.
const ROOM: usize = 192;

/// Units that are near each other, copied together: those of one leaf and then others that are near it.
pub struct Crowd {
    left: [f32; ROOM + PADDING],
    bottom: [f32; ROOM + PADDING],
    right: [f32; ROOM + PADDING],
    top: [f32; ROOM + PADDING],
    ids: [UnitId; ROOM + PADDING],
    count: usize,
}

impl Crowd {
    /// Nobody yet.
    pub const NOBODY: Self = Self {
        left: [0.0; ROOM + PADDING],
        bottom: [0.0; ROOM + PADDING],
        right: [0.0; ROOM + PADDING],
        top: [0.0; ROOM + PADDING],
        ids: [0; ROOM + PADDING],
        count: 0,
    };

    /// Whether one more leaf has room.
    #[inline(always)]
    pub fn has_room(&self, fill: usize) -> bool {
        self.count + fill <= ROOM
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
        let count = self.count;
        let free = Copies::new(
            &mut self.left[count..],
            &mut self.bottom[count..],
            &mut self.right[count..],
            &mut self.top[count..],
            &mut self.ids[count..],
        );
        let run = 0..leaves.fill(leaf);
        let bodies = leaves.columns::<SIZED>(leaf);
        self.count += kernel.gather::<SIZED>(free, area, reach_sq, bodies, run);
    }

    #[inline(always)]
    fn for_kernel<const SIZED: bool>(&self) -> simd::Bodies<'_> {
        if SIZED {
            simd::Bodies::new(&self.left, &self.bottom, &self.right, &self.top, &self.ids)
        } else {
            simd::Bodies::new(&self.left, &self.bottom, &[], &[], &self.ids)
        }
    }

    /// Keeps the first `count` and forgets the others.
    #[inline(always)]
    pub fn keep(&mut self, count: usize) {
        self.count = count;
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
        let bodies = self.for_kernel::<SIZED>();
        let (mut tests, mut hits) = (0, 0);
        for place in 0..own {
            let (unit, body) = (self.ids[place], bodies.body::<SIZED>(place));
            let run = if is_new { place + 1 } else { own }..self.count;
            if P::DETAILED {
                for place in run.clone() {
                    let other = self.ids[place];
                    let (a, b) = (unit.min(other), unit.max(other));
                    probe.on(Event::TestPair(a, b));
                    if body.gap_sq(bodies.body::<SIZED>(place)) <= reach_sq {
                        probe.on(Event::HitPair(a, b));
                    }
                }
            }
            tests += run.len();
            let count = kernel.pack::<SIZED>(batch.room(), unit, body, reach_sq, bodies, run);
            batch.take(count);
            hits += count;
        }
        if !P::DETAILED {
            probe.tests(tests as u64);
            probe.hits(hits as u64);
        }
    }
}
