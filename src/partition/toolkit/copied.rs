//! Units that are copied together in columns, so that the innermost loop of a pair search reads them in a row; and that loop.

use super::batch::PairBatch;
use super::simd::{Bodies, Copies, Kernel, PADDING};
use crate::geometry::Aabb;
use crate::partition::{Pair, UnitId};
use crate::probe::{Event, Probe};
use std::ops::Range;

/// How many lanes columns for so many units have: a kernel writes whole registers.
pub const fn lanes(room: usize) -> usize {
    room + PADDING
}

/// Some units; `LANES` are [`lanes`] for as many as have room.
#[derive(Clone, Copy)]
pub struct Copied<const LANES: usize> {
    left: [f32; LANES],
    bottom: [f32; LANES],
    right: [f32; LANES],
    top: [f32; LANES],
    ids: [UnitId; LANES],
    count: usize,
}

impl<const LANES: usize> Copied<LANES> {
    /// Nobody yet.
    pub const NOBODY: Self = Self {
        left: [0.0; LANES],
        bottom: [0.0; LANES],
        right: [0.0; LANES],
        top: [0.0; LANES],
        ids: [0; LANES],
        count: 0,
    };

    /// How many there are.
    #[inline(always)]
    pub fn count(&self) -> usize {
        self.count
    }

    /// How many more have room.
    #[inline(always)]
    pub fn room(&self) -> usize {
        LANES - PADDING - self.count
    }

    /// Who they are.
    #[inline(always)]
    pub fn id(&self, place: usize) -> UnitId {
        self.ids[place]
    }

    /// Keeps the first `count` and forgets the others.
    #[inline(always)]
    pub fn keep(&mut self, count: usize) {
        self.count = count;
    }

    /// Takes those of a run of bodies as well who are at most the root of `reach_sq` away from `area`. There is room for all of the run.
    #[inline(always)]
    pub fn gather<const SIZED: bool, K: Kernel>(
        &mut self,
        kernel: K,
        (area, reach_sq): (Aabb, f32),
        bodies: Bodies<'_>,
        run: Range<usize>,
    ) {
        let count = self.count;
        let free = Copies::new(
            &mut self.left[count..],
            &mut self.bottom[count..],
            &mut self.right[count..],
            &mut self.top[count..],
            &mut self.ids[count..],
        );
        self.count += kernel.gather::<SIZED>(free, area, reach_sq, bodies, run);
    }

    /// Takes a unit as well if `is_near`, without a branch: whether a unit is near is a coin toss for a branch predictor. There is room
    /// for it in either case.
    #[inline(always)]
    pub fn push_if<const SIZED: bool>(&mut self, unit: UnitId, body: Aabb, is_near: bool) {
        let place = self.count;
        self.ids[place] = unit;
        (self.left[place], self.bottom[place]) = (body.min.x, body.min.y);
        if SIZED {
            (self.right[place], self.top[place]) = (body.max.x, body.max.y);
        }
        self.count += usize::from(is_near);
    }

    /// The box around all of them; one of nothing where there are none.
    #[inline(always)]
    pub fn bounds<const SIZED: bool, K: Kernel>(&self, kernel: K) -> Aabb {
        let bodies = self.for_kernel::<SIZED>();
        match self.count {
            // For what is in most cells a kernel would take longer.
            1 | 2 => {
                let last = bodies.body::<SIZED>(self.count - 1);
                bodies.body::<SIZED>(0).join(last)
            }
            count => kernel.enclose::<SIZED>(bodies, 0..count),
        }
    }

    /// All of them, for a kernel.
    #[inline(always)]
    pub fn for_kernel<const SIZED: bool>(&self) -> Bodies<'_> {
        if SIZED {
            Bodies::new(&self.left, &self.bottom, &self.right, &self.top, &self.ids)
        } else {
            Bodies::new(&self.left, &self.bottom, &[], &[], &self.ids)
        }
    }
}

/// Tests a unit with each of a run of others, tells a detailed probe of each, and hands on who is in reach. How many that are.
#[inline(always)]
pub fn against<const SIZED: bool, K: Kernel, P: Probe, F: FnMut(&[Pair])>(
    kernel: K,
    (unit, body): (UnitId, Aabb),
    (others, run): (Bodies<'_>, Range<usize>),
    reach_sq: f32,
    (batch, probe): (&mut PairBatch<F>, &mut P),
) -> usize {
    if P::DETAILED {
        for (place, &other) in run.clone().zip(others.ids(run.clone())) {
            let (a, b) = (unit.min(other), unit.max(other));
            probe.on(Event::TestPair(a, b));
            if body.gap_sq(others.body::<SIZED>(place)) <= reach_sq {
                probe.on(Event::HitPair(a, b));
            }
        }
    }
    let hits = kernel.pack::<SIZED>(batch.room(), unit, body, reach_sq, others, run);
    batch.take(hits);
    hits
}
