//! The pair kernel that the grid and the trees share: some units copied together, and others tested against them.

use crate::geometry::Aabb;
use crate::partition::{Pair, PairBatch, RegionId, UnitId};
use crate::probe::{Event, Probe, Work};

/// How many units are tested in one go. A fuller cell or leaf is taken in several.
const LENGTH: usize = 64;

/// Some units, copied together so that the innermost loop reads them in a row.
pub struct Chunk {
    ids: [UnitId; LENGTH],
    boxes: [Aabb; LENGTH],
    length: usize,
    bounds: Aabb,
}

impl Chunk {
    /// A chunk without units.
    pub const EMPTY: Self = Self {
        ids: [0; LENGTH],
        boxes: [Aabb::EMPTY; LENGTH],
        length: 0,
        bounds: Aabb::EMPTY,
    };

    /// Whether nobody is in it.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// The box around all of its units.
    pub fn bounds(&self) -> Aabb {
        self.bounds
    }

    fn clear(&mut self) {
        self.length = 0;
        self.bounds = Aabb::EMPTY;
    }

    /// Takes a unit if `near`, without a branch: whether a unit is near is a coin toss for a branch predictor.
    #[inline(always)]
    fn push_if(&mut self, unit: UnitId, body: Aabb, near: bool) {
        self.ids[self.length] = unit;
        self.boxes[self.length] = body;
        self.length += usize::from(near);
    }

    /// Computes the box around the units.
    #[inline]
    fn enclose(&mut self) {
        self.bounds = self.boxes[..self.length]
            .iter()
            .fold(Aabb::EMPTY, |sum, body| sum.join(*body));
    }

    /// The units of the chunk with their boxes.
    #[inline]
    pub fn bodies(&self) -> impl Iterator<Item = (UnitId, Aabb)> {
        // Copied last: a copied iterator is zipped by a call where little is optimized, or not, by where the compiler cuts the crate.
        let both = self.ids[..self.length]
            .iter()
            .zip(&self.boxes[..self.length]);
        both.map(|(unit, body)| (*unit, *body))
    }

    /// Fills itself with those of the next `units` that are at most the root of `reach_sq` away from `area`, until it is
    /// full or there are no more.
    #[inline]
    pub fn gather_near(
        &mut self,
        units: &mut impl Iterator<Item = (UnitId, Aabb)>,
        area: Aabb,
        reach_sq: f32,
    ) {
        self.clear();
        while self.length < LENGTH
            && let Some((unit, body)) = units.next()
        {
            self.push_if(unit, body, body.gap_sq(area) <= reach_sq);
        }
        self.enclose();
    }
}

/// One pair search under way. `SIZED` says whether boxes have a size; without, they are compared as points.
pub struct PairSearch<'p, const SIZED: bool, P: Probe, F: FnMut(&[Pair])> {
    kernel: Kernel<'p, SIZED, P, F>,
    /// Room for those who are near a chunk.
    others: Chunk,
}

impl<'p, const SIZED: bool, P: Probe, F: FnMut(&[Pair])> PairSearch<'p, SIZED, P, F> {
    /// A search that hands its pairs to `sink`.
    pub fn new(reach: f32, probe: &'p mut P, sink: F) -> Self {
        Self {
            kernel: Kernel {
                reach_sq: reach * reach,
                probe,
                batch: PairBatch::new(sink),
            },
            others: Chunk::EMPTY,
        }
    }

    /// The square of the reach.
    #[inline]
    pub fn reach_sq(&self) -> f32 {
        self.kernel.reach_sq
    }

    /// Tells the probe.
    #[inline]
    pub fn tell(&mut self, event: Event) {
        self.kernel.probe.on(event);
    }

    /// Tells the probe what happens on behalf of a region that looks.
    #[inline]
    pub fn tell_for(&mut self, looker: RegionId, event: Event) {
        self.kernel.probe.looks(looker);
        self.kernel.probe.on(event);
    }

    /// Hands on the last pairs.
    pub fn finish(mut self) {
        self.kernel.batch.flush();
    }

    /// Tests each of `units` with each other. Gathers them in `chunk`, which is room to work in, and calls `then` with each
    /// chunkful.
    #[inline]
    pub fn within(
        &mut self,
        mut units: impl Iterator<Item = (UnitId, Aabb)> + Clone,
        chunk: &mut Chunk,
        mut then: impl FnMut(&mut Self, &Chunk),
    ) {
        loop {
            chunk.clear();
            while chunk.length < LENGTH
                && let Some((unit, body)) = units.next()
            {
                self.kernel.against(unit, body, chunk);
                chunk.push_if(unit, body, true);
            }
            if chunk.is_empty() {
                return;
            }
            chunk.enclose();
            if chunk.length == LENGTH {
                self.between(chunk, units.clone());
            }
            then(self, chunk);
        }
    }

    /// Tests each of a chunk with each of `units`, of which none is in the chunk.
    #[inline]
    pub fn between(&mut self, chunk: &Chunk, mut units: impl Iterator<Item = (UnitId, Aabb)>) {
        loop {
            // A unit that is far from the whole chunk need not be compared with each of it.
            self.others
                .gather_near(&mut units, chunk.bounds, self.kernel.reach_sq);
            if self.others.is_empty() {
                return;
            }
            for (unit, body) in self.others.bodies() {
                self.kernel.against(unit, body, chunk);
            }
        }
    }

    /// Tests as [`PairSearch::between`] does where each pair has been met before: who is in reach is told as
    /// [`Work::DoubleAttack`] and not handed on.
    #[inline]
    pub fn between_again(
        &mut self,
        chunk: &Chunk,
        mut units: impl Iterator<Item = (UnitId, Aabb)>,
    ) {
        loop {
            self.others
                .gather_near(&mut units, chunk.bounds, self.kernel.reach_sq);
            if self.others.is_empty() {
                return;
            }
            for (unit, body) in self.others.bodies() {
                self.kernel.again(unit, body, chunk);
            }
        }
    }
}

/// What the innermost loop needs.
struct Kernel<'p, const SIZED: bool, P: Probe, F: FnMut(&[Pair])> {
    reach_sq: f32,
    probe: &'p mut P,
    batch: PairBatch<F>,
}

impl<const SIZED: bool, P: Probe, F: FnMut(&[Pair])> Kernel<'_, SIZED, P, F> {
    /// Tests one unit with each of a chunk.
    #[inline]
    fn against(&mut self, unit: UnitId, body: Aabb, chunk: &Chunk) {
        let mut hits = 0;
        for (other, other_body) in chunk.bodies() {
            let hit = if SIZED {
                body.gap_sq(other_body) <= self.reach_sq
            } else {
                // The gap of two boxes without size, to the last bit.
                let way = body.min - other_body.min;
                way.x * way.x + way.y * way.y <= self.reach_sq
            };
            if P::DETAILED {
                let (a, b) = (unit.min(other), unit.max(other));
                self.probe.on(Event::TestPair(a, b));
                if hit {
                    self.probe.on(Event::HitPair(a, b));
                }
            }
            hits += u64::from(hit);
            self.batch.push_if(unit, other, hit);
        }
        if !P::DETAILED {
            self.probe.tests(chunk.length as u64);
            self.probe.hits(hits);
        }
    }

    /// Tests one unit with each of a chunk, with each of which it has been tested before.
    fn again(&mut self, unit: UnitId, body: Aabb, chunk: &Chunk) {
        for (other, other_body) in chunk.bodies() {
            if P::DETAILED {
                let (a, b) = (unit.min(other), unit.max(other));
                self.probe.on(Event::TestPair(a, b));
            }
            // A point is a box without size, and its gaps are the same to the last bit.
            if body.gap_sq(other_body) <= self.reach_sq {
                self.probe.on(Event::Work(Work::DoubleAttack));
            }
        }
        if !P::DETAILED {
            self.probe.tests(chunk.length as u64);
        }
    }
}
