//! Everybody of one list with each other, and everybody of one list with everybody of another.

use super::blocks::{Blocks, List};
use crate::partition::toolkit::simd::Kernel;
use crate::partition::{Pair, PairBatch, RegionId, UnitId};
use crate::probe::{Event, Probe};
use crate::volume::Aabb3;
use std::ops::Range;

/// A pair search on its way: what it found is handed on in batches. Call [`PairSearch::finish`] at the end.
pub struct PairSearch<'a, const SIZED: bool, K: Kernel, P: Probe, F: FnMut(&[Pair])> {
    kernel: K,
    blocks: &'a Blocks,
    reach_sq: f32,
    batch: PairBatch<F>,
    probe: &'a mut P,
}

impl<'a, const SIZED: bool, K: Kernel, P: Probe, F: FnMut(&[Pair])> PairSearch<'a, SIZED, K, P, F> {
    /// A search among the units of a pool for those who are at most `reach` apart.
    pub fn new(kernel: K, blocks: &'a Blocks, reach: f32, probe: &'a mut P, sink: F) -> Self {
        Self {
            kernel,
            blocks,
            reach_sq: reach * reach,
            batch: PairBatch::new(sink),
            probe,
        }
    }

    /// Whether two boxes are within reach of each other.
    #[inline(always)]
    pub fn reaches(&self, a: Aabb3, b: Aabb3) -> bool {
        a.gap_sq(b) <= self.reach_sq
    }

    /// Tells the probe.
    #[inline(always)]
    pub fn tell(&mut self, event: Event) {
        self.probe.on(event);
    }

    /// Tells the probe what happens on behalf of a region that looks.
    #[inline(always)]
    pub fn tell_for(&mut self, looker: RegionId, event: Event) {
        self.probe.looks(looker);
        self.probe.on(event);
    }

    /// Tests one unit with some of a block.
    #[inline(always)]
    fn test(&mut self, unit: UnitId, body: Aabb3, block: usize, lanes: Range<usize>) {
        let ids = self.blocks.ids(block);
        let bodies = self.blocks.eight::<SIZED>(block);
        // All lanes are tested, those who are not meant and what lies behind the end too: that takes no branch.
        let (near, _) = self.kernel.near_eight::<SIZED>(bodies, body, self.reach_sq);
        let hits = near & ((1 << lanes.end) - 1) & !((1 << lanes.start) - 1);
        if P::DETAILED {
            for lane in lanes {
                let (a, b) = (unit.min(ids[lane]), unit.max(ids[lane]));
                self.probe.on(Event::TestPair(a, b));
                if hits >> lane & 1 == 1 {
                    self.probe.on(Event::HitPair(a, b));
                }
            }
        } else {
            self.probe.tests(lanes.len() as u64);
            self.probe.hits(u64::from(hits.count_ones()));
        }
        let found = self.kernel.pair_eight(self.batch.room(), unit, ids, hits);
        self.batch.take(found);
    }

    /// Tests the units of a list with each other.
    #[inline(always)]
    pub fn within(&mut self, list: List) {
        let blocks = self.blocks;
        let mut chain = blocks.chain(list);
        while let Some((block, length)) = chain.next() {
            for lane in 0..length {
                let unit = blocks.ids(block)[lane];
                let body = blocks.lane::<SIZED>(block, lane);
                if lane + 1 < length {
                    self.test(unit, body, block, lane + 1..length);
                }
                for (other, length) in chain.clone() {
                    self.test(unit, body, other, 0..length);
                }
            }
        }
    }

    /// Tests a unit with all of a list that it is not in.
    #[inline(always)]
    pub fn one(&mut self, unit: UnitId, body: Aabb3, list: List) {
        let blocks = self.blocks;
        for (block, length) in blocks.chain(list) {
            self.test(unit, body, block, 0..length);
        }
    }

    /// Tests the units of one list with those of another, which lie within `area`. Those of the first who are too far from it
    /// are left out.
    #[inline(always)]
    pub fn between(&mut self, list: List, other: List, area: Aabb3) {
        let blocks = self.blocks;
        for (block, length) in blocks.chain(list) {
            let bodies = blocks.eight::<SIZED>(block);
            // The area has a size, whatever the bodies have.
            let (near, _) = self.kernel.near_eight::<true>(bodies, area, self.reach_sq);
            let mut left = near & ((1 << length) - 1);
            while left != 0 {
                let lane = left.trailing_zeros() as usize;
                left &= left - 1;
                let body = blocks.lane::<SIZED>(block, lane);
                self.one(blocks.ids(block)[lane], body, other);
            }
        }
    }

    /// Hands on what has gathered.
    pub fn finish(mut self) {
        self.batch.flush();
    }
}
