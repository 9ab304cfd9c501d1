//! The pair kernel of trees whose leaves lie in blocks: those of one leaf who are near another are copied together, and so are those
//! of the other who are near them.

use super::batch::PairBatch;
use super::copied::{Copied, against, lanes};
use super::simd::{Bodies, Kernel};
use crate::geometry::Aabb;
use crate::partition::{Pair, RegionId, UnitId};
use crate::probe::{Event, Probe};
use std::ops::Range;

/// So many units are tested in one go. A fuller leaf is taken in several.
const ROOM: usize = 64;

/// Units that lie in one run of columns after the other.
pub trait Runs<const SIZED: bool>: Clone {
    /// The next of them, at most so many.
    fn next_run(&mut self, most: usize) -> Option<(Bodies<'_>, Range<usize>)>;
}

/// Some units, copied together.
type Group = Copied<{ lanes(ROOM) }>;

/// Fills a group with those of the next units that are at most the root of `reach_sq` away from `area`, until it is full or there are
/// no more.
#[inline(always)]
fn fill<const SIZED: bool, K: Kernel>(
    group: &mut Group,
    kernel: K,
    runs: &mut impl Runs<SIZED>,
    (area, reach_sq): (Aabb, f32),
) {
    group.keep(0);
    while group.room() > 0
        && let Some((bodies, run)) = runs.next_run(group.room())
    {
        group.gather::<SIZED, K>(kernel, (area, reach_sq), bodies, run);
    }
}

/// One pair search under way. `SIZED` says whether boxes have a size; without, they are compared as points.
pub struct GroupSearch<'p, const SIZED: bool, K: Kernel, P: Probe, F: FnMut(&[Pair])> {
    test: Test<'p, SIZED, K, P, F>,
    /// Those who look for others.
    group: Group,
    /// Room for those who are near them.
    others: Group,
}

impl<'p, const SIZED: bool, K: Kernel, P: Probe, F: FnMut(&[Pair])>
    GroupSearch<'p, SIZED, K, P, F>
{
    /// A search that hands its pairs to `sink`.
    #[inline(always)]
    pub fn new(kernel: K, reach: f32, probe: &'p mut P, sink: F) -> Self {
        Self {
            test: Test {
                kernel,
                reach_sq: reach * reach,
                probe,
                batch: PairBatch::new(sink),
            },
            group: Group::NOBODY,
            others: Group::NOBODY,
        }
    }

    /// The square of the reach.
    #[inline(always)]
    pub fn reach_sq(&self) -> f32 {
        self.test.reach_sq
    }

    /// Tells the probe.
    #[inline(always)]
    pub fn tell(&mut self, event: Event) {
        self.test.probe.on(event);
    }

    /// Tells the probe what happens on behalf of a region that looks.
    #[inline(always)]
    pub fn tell_for(&mut self, looker: RegionId, event: Event) {
        self.test.probe.looks(looker);
        self.test.probe.on(event);
    }

    /// Hands on the last pairs.
    #[inline(always)]
    pub fn finish(&mut self) {
        self.test.batch.flush();
    }

    /// Tests each of some units with each other.
    #[inline(always)]
    pub fn within(&mut self, mut runs: impl Runs<SIZED>) {
        loop {
            // All of them, wherever they are.
            let kernel = self.test.kernel;
            let all = (Aabb::EVERYTHING, f32::INFINITY);
            fill(&mut self.group, kernel, &mut runs, all);
            let count = self.group.count();
            let bodies = self.group.for_kernel::<SIZED>();
            for place in 0..count {
                let (unit, body) = (self.group.id(place), bodies.body::<SIZED>(place));
                self.test.against(unit, body, bodies, place);
            }
            if count < ROOM {
                return;
            }
            self.meet(runs.clone());
        }
    }

    /// Gathers the next units that are in reach of an area as those who look for others. Says whether there are any.
    #[inline(always)]
    pub fn gather(&mut self, runs: &mut impl Runs<SIZED>, area: Aabb) -> bool {
        let Test {
            kernel, reach_sq, ..
        } = self.test;
        fill(&mut self.group, kernel, runs, (area, reach_sq));
        self.group.count() > 0
    }

    /// Tests each of those who were gathered with each of some units, which are others.
    #[inline(always)]
    pub fn meet(&mut self, mut runs: impl Runs<SIZED>) {
        let Test {
            kernel, reach_sq, ..
        } = self.test;
        let group = self.group.for_kernel::<SIZED>();
        // Who is far from all of them need not be compared with each of them.
        let area = kernel.enclose::<SIZED>(group, 0..self.group.count());
        loop {
            fill(&mut self.others, kernel, &mut runs, (area, reach_sq));
            let others = self.others.for_kernel::<SIZED>();
            for place in 0..self.others.count() {
                let (unit, body) = (self.others.id(place), others.body::<SIZED>(place));
                self.test.against(unit, body, group, self.group.count());
            }
            if self.others.count() < ROOM {
                return;
            }
        }
    }
}

/// What the innermost loop needs.
struct Test<'p, const SIZED: bool, K: Kernel, P: Probe, F: FnMut(&[Pair])> {
    kernel: K,
    reach_sq: f32,
    probe: &'p mut P,
    batch: PairBatch<F>,
}

impl<const SIZED: bool, K: Kernel, P: Probe, F: FnMut(&[Pair])> Test<'_, SIZED, K, P, F> {
    /// Tests one unit with the first so many of others.
    #[inline(always)]
    fn against(&mut self, unit: UnitId, body: Aabb, others: Bodies<'_>, count: usize) {
        let told = (&mut self.batch, &mut *self.probe);
        let others = (others, 0..count);
        let hits =
            against::<SIZED, K, P, F>(self.kernel, (unit, body), others, self.reach_sq, told);
        if !P::DETAILED {
            self.probe.tests(count as u64);
            self.probe.hits(hits as u64);
        }
    }
}
