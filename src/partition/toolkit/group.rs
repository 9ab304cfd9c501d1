//! The pair kernel of trees whose leaves lie in blocks: those of one leaf who are near another are copied together, and so are those
//! of the other who are near them.

use super::batch::PairBatch;
use super::simd::{Bodies, Copies, Kernel, PADDING};
use crate::geometry::Aabb;
use crate::partition::{Pair, UnitId};
use crate::probe::{Event, Probe};
use std::ops::Range;

/// So many units are tested in one go. A fuller leaf is taken in several.
const ROOM: usize = 64;

/// Units that lie in one run of columns after the other.
pub trait Runs<const SIZED: bool>: Clone {
    /// The next of them, at most so many.
    fn next_run(&mut self, most: usize) -> Option<(Bodies<'_>, Range<usize>)>;
}

/// Some units, copied together so that the innermost loop reads them in a row.
struct Group {
    left: [f32; ROOM + PADDING],
    bottom: [f32; ROOM + PADDING],
    right: [f32; ROOM + PADDING],
    top: [f32; ROOM + PADDING],
    ids: [UnitId; ROOM + PADDING],
    count: usize,
}

impl Group {
    /// Nobody yet.
    const NOBODY: Self = Self {
        left: [0.0; ROOM + PADDING],
        bottom: [0.0; ROOM + PADDING],
        right: [0.0; ROOM + PADDING],
        top: [0.0; ROOM + PADDING],
        ids: [0; ROOM + PADDING],
        count: 0,
    };

    /// Fills itself with those of the next units that are at most the root of `reach_sq` away from `area`, until it is full or
    /// there are no more.
    #[inline(always)]
    fn gather<const SIZED: bool, K: Kernel>(
        &mut self,
        kernel: K,
        runs: &mut impl Runs<SIZED>,
        area: Aabb,
        reach_sq: f32,
    ) {
        let mut count = 0;
        while count < ROOM
            && let Some((bodies, run)) = runs.next_run(ROOM - count)
        {
            let free = Copies::new(
                &mut self.left[count..],
                &mut self.bottom[count..],
                &mut self.right[count..],
                &mut self.top[count..],
                &mut self.ids[count..],
            );
            count += kernel.gather::<SIZED>(free, area, reach_sq, bodies, run);
        }
        self.count = count;
    }

    #[inline(always)]
    fn for_kernel<const SIZED: bool>(&self) -> Bodies<'_> {
        if SIZED {
            Bodies::new(&self.left, &self.bottom, &self.right, &self.top, &self.ids)
        } else {
            Bodies::new(&self.left, &self.bottom, &[], &[], &self.ids)
        }
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
            self.group
                .gather(kernel, &mut runs, Aabb::EVERYTHING, f32::INFINITY);
            let count = self.group.count;
            let bodies = self.group.for_kernel::<SIZED>();
            for place in 0..count {
                let (unit, body) = (self.group.ids[place], bodies.body::<SIZED>(place));
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
        self.group.gather(kernel, runs, area, reach_sq);
        self.group.count > 0
    }

    /// Tests each of those who were gathered with each of some units, which are others.
    #[inline(always)]
    pub fn meet(&mut self, mut runs: impl Runs<SIZED>) {
        let Test {
            kernel, reach_sq, ..
        } = self.test;
        let group = self.group.for_kernel::<SIZED>();
        // Who is far from all of them need not be compared with each of them.
        let area = kernel.enclose::<SIZED>(group, 0..self.group.count);
        loop {
            self.others.gather(kernel, &mut runs, area, reach_sq);
            let others = self.others.for_kernel::<SIZED>();
            for place in 0..self.others.count {
                let (unit, body) = (self.others.ids[place], others.body::<SIZED>(place));
                self.test.against(unit, body, group, self.group.count);
            }
            if self.others.count < ROOM {
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
        let reach_sq = self.reach_sq;
        if P::DETAILED {
            for (place, &other) in others.ids(0..count).iter().enumerate() {
                let (a, b) = (unit.min(other), unit.max(other));
                self.probe.on(Event::TestPair(a, b));
                if body.gap_sq(others.body::<SIZED>(place)) <= reach_sq {
                    self.probe.on(Event::HitPair(a, b));
                }
            }
        }
        let free = self.batch.room();
        let hits = self
            .kernel
            .pack::<SIZED>(free, unit, body, reach_sq, others, 0..count);
        self.batch.take(hits);
        if !P::DETAILED {
            self.probe.tests(count as u64);
            self.probe.hits(hits as u64);
        }
    }
}
