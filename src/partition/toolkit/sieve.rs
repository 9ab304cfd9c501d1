//! The kernel of searches that the grids and the trees share: runs of bodies in columns, tested many at once.

use super::search::Search;
use super::simd::{Bodies, Kernel, PADDING};
use crate::partition::UnitId;
use crate::probe::{Event, Probe};
use std::ops::Range;

/// So many results are gathered before they are visited.
const ROOM: usize = 128;

/// A search under way: tests runs of bodies, and visits those that the search holds a hundred at a time.
///
/// Hits are packed without a branch and visited from a buffer, so that neither the test nor the visitor mispredicts at each
/// of them.
pub struct Sieve<'s, K: Kernel, S: Search, V: FnMut(UnitId)> {
    kernel: K,
    search: &'s S,
    visit: V,
    found: [UnitId; ROOM + PADDING],
    filled: usize,
}

impl<'s, K: Kernel, S: Search, V: FnMut(UnitId)> Sieve<'s, K, S, V> {
    /// A sieve in front of a visitor. [`Sieve::finish`] has to be called at the end.
    #[inline(always)]
    pub fn new(kernel: K, search: &'s S, visit: V) -> Self {
        Self {
            kernel,
            search,
            visit,
            found: [0; ROOM + PADDING],
            filled: 0,
        }
    }

    /// Tests a run of bodies and tells of each test and each hit.
    #[inline(always)]
    pub fn test<const SIZED: bool, P: Probe>(
        &mut self,
        bodies: Bodies<'_>,
        run: Range<usize>,
        probe: &mut P,
    ) {
        if P::DETAILED {
            for (place, &unit) in run.clone().zip(bodies.ids(run.clone())) {
                probe.on(Event::Test(unit));
                if self.search.holds(bodies.body::<SIZED>(place)) {
                    probe.on(Event::Hit(unit));
                }
            }
        }
        let (mut begin, mut hits) = (run.start, 0);
        while begin < run.end {
            if self.filled > ROOM / 2 {
                self.hand_on();
            }
            let end = run.end.min(begin + ROOM - self.filled);
            let free = &mut self.found[self.filled..];
            let count = self
                .search
                .sift::<K, SIZED>(self.kernel, free, bodies, begin..end);
            self.filled += count;
            hits += count;
            begin = end;
        }
        if !P::DETAILED {
            probe.tests(run.len() as u64);
            probe.hits(hits as u64);
        }
    }

    /// Visits everybody of a run without a test.
    #[inline(always)]
    pub fn accept<P: Probe>(&mut self, ids: &[UnitId], probe: &mut P) {
        for &unit in ids {
            if P::DETAILED {
                probe.on(Event::Hit(unit));
            }
            (self.visit)(unit);
        }
        if !P::DETAILED {
            probe.hits(ids.len() as u64);
        }
    }

    #[inline(always)]
    fn hand_on(&mut self) {
        for &unit in &self.found[..self.filled] {
            (self.visit)(unit);
        }
        self.filled = 0;
    }

    /// Visits the last of those found.
    #[inline(always)]
    pub fn finish(&mut self) {
        self.hand_on();
    }
}
