//! Who is in a rectangle, in a disc, on a line, nearest to a point: strip by strip.

use super::strip::{Strip, tell_end};
use super::strips::Strips;
use crate::geometry::{Aabb, Vec2};
use crate::partition::toolkit::rounding::ROUNDING;
use crate::partition::toolkit::sieve::Sieve;
use crate::partition::toolkit::simd::{self, Kernel, Task};
use crate::partition::{Best, NearestQuery, Neighbor, RegionId, Search, UnitId};
use crate::probe::{Event, Probe};

/// So many bodies are offered at once, to one side of the point.
const STRIDE: usize = 16;

impl Strips {
    /// Visits those that a search holds, which is turned like the strips.
    pub fn scan<P: Probe>(&self, search: &impl Search, probe: &mut P, visit: impl FnMut(UnitId)) {
        simd::dispatch(Scan {
            strips: self,
            search,
            probe,
            visit,
        });
    }

    /// Goes from strip to strip, the nearer first, after the oversize.
    pub fn nearest<P: Probe>(
        &self,
        query: NearestQuery,
        filter: impl FnMut(UnitId) -> bool,
        probe: &mut P,
        out: &mut Vec<Neighbor>,
    ) {
        simd::dispatch(Approach {
            strips: self,
            query,
            filter,
            probe,
            out,
        });
    }
}

/// A search about to begin, with whatever kernel there is.
struct Scan<'s, 'p, S: Search, P: Probe, V: FnMut(UnitId)> {
    strips: &'s Strips,
    search: &'s S,
    probe: &'p mut P,
    visit: V,
}

impl<S: Search, P: Probe, V: FnMut(UnitId)> Task for Scan<'_, '_, S, P, V> {
    const DETAILED: bool = P::DETAILED;

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) {
        if self.strips.oversize().is_sized() {
            self.scan::<K, true>(kernel);
        } else {
            self.scan::<K, false>(kernel);
        }
    }
}

impl<S: Search, P: Probe, V: FnMut(UnitId)> Scan<'_, '_, S, P, V> {
    #[inline(always)]
    fn scan<K: Kernel, const SIZED: bool>(self, kernel: K) {
        let Self {
            strips,
            search,
            probe,
            mut visit,
        } = self;
        let area = search.cover();
        let first = usize::from(strips.layout.number(area.min.y));
        let last = usize::from(strips.layout.number(area.max.y));
        let oversize = strips.layout.oversize();
        if SIZED && S::IS_THIN {
            // The test of a thin area makes no sense of a border at infinity.
            for number in (first..=last).chain([oversize]) {
                let strip = &strips.strips[number];
                if tell(strip, number, area, probe) {
                    let looked = (strip, number == first, strips.layout.axis);
                    test_one_by_one(looked, search, area, probe, &mut visit);
                }
            }
            return;
        }
        let mut sieve = Sieve::new(kernel, search, visit);
        let mut number = first;
        while number <= oversize {
            let strip = &strips.strips[number];
            if tell(strip, number, area, probe) {
                // Whoever touches several strips is found in the lowest of those that are looked at.
                let bodies = if number == first {
                    strip.all()
                } else {
                    strip.beginners()
                };
                let run = strip.places_touching(area.min.x, area.max.x, probe);
                let end = run.end;
                sieve.test::<SIZED, P>(bodies, run, probe);
                if P::DETAILED {
                    tell_end(None, (strips.layout.axis, area.max.x), bodies, end, probe);
                }
            }
            number = if number == last { oversize } else { number + 1 };
        }
        sieve.finish();
    }
}

/// Visits those of a strip along an axis that a search holds, and who were not met in a strip below unless it `is_first`.
fn test_one_by_one<S: Search, P: Probe>(
    (strip, is_first, axis): (&Strip, bool, usize),
    search: &S,
    area: Aabb,
    probe: &mut P,
    visit: &mut impl FnMut(UnitId),
) {
    let (mut tests, mut hits) = (0, 0);
    let run = strip.places_touching(area.min.x, area.max.x, probe);
    let end = run.end;
    for place in run {
        let unit = strip.units()[place];
        tests += 1;
        if P::DETAILED {
            probe.on(Event::Test(unit));
        }
        let is_new = is_first || strip.lows()[place].is_finite();
        if is_new && search.holds(strip.body(place)) {
            hits += 1;
            if P::DETAILED {
                probe.on(Event::Hit(unit));
            }
            visit(unit);
        }
    }
    if P::DETAILED {
        tell_end(None, (axis, area.max.x), strip.all(), end, probe);
    } else {
        probe.tests(tests);
        probe.hits(hits);
    }
}

/// Tells whether a strip is looked at.
#[inline(always)]
fn tell<P: Probe>(strip: &Strip, number: usize, area: Aabb, probe: &mut P) -> bool {
    let is_near = strip.band.overlaps(area);
    if is_near {
        probe.on(Event::Visit(number as RegionId));
    } else if !strip.is_empty() {
        probe.on(Event::Prune(number as RegionId));
    }
    is_near
}

/// A search for the nearest about to begin, with whatever kernel there is.
struct Approach<'s, 'p, 'o, F: FnMut(UnitId) -> bool, P: Probe> {
    strips: &'s Strips,
    query: NearestQuery,
    filter: F,
    probe: &'p mut P,
    out: &'o mut Vec<Neighbor>,
}

/// A search for the nearest under way.
struct Approaching<'s, 'p, 'o, F: FnMut(UnitId) -> bool, P: Probe> {
    strips: &'s Strips,
    point: Vec2,
    filter: F,
    probe: &'p mut P,
    best: Best<'o>,
}

/// Whom a search that goes from strip to strip has not met before.
#[derive(Clone, Copy)]
enum New {
    Everybody,
    /// Those who begin in this strip.
    Beginners(usize),
    /// Those who end in this strip.
    Enders(usize),
}

impl<F: FnMut(UnitId) -> bool, P: Probe> Task for Approach<'_, '_, '_, F, P> {
    const DETAILED: bool = P::DETAILED;

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) {
        // What is large is made here, so that it is not carried here.
        let mut approaching = Approaching {
            strips: self.strips,
            point: self.query.point,
            filter: self.filter,
            probe: self.probe,
            best: Best::new(self.out, self.query.count, self.query.within),
        };
        if self.strips.oversize().is_sized() {
            approaching.approach::<K, true>(kernel);
        } else {
            approaching.approach::<K, false>(kernel);
        }
        approaching.best.conclude(kernel, approaching.probe);
    }
}

impl<F: FnMut(UnitId) -> bool, P: Probe> Approaching<'_, '_, '_, F, P> {
    #[inline(always)]
    fn approach<K: Kernel, const SIZED: bool>(&mut self, kernel: K) {
        let (strips, y) = (self.strips, self.point.y);
        let oversize = strips.layout.oversize();
        let least_sq = |gap: f32| {
            let gap = (gap - strips.layout.slack(y)).max(0.0);
            gap * gap * (1.0 - ROUNDING)
        };
        // The oversize first, then outwards from the strip of the point.
        let (mut next, mut new) = (oversize, New::Everybody);
        let home = usize::from(strips.layout.number(y));
        let (mut above, mut below) = (home, home);
        loop {
            self.look::<K, SIZED>(kernel, next, new);
            let above_sq = if above < oversize {
                least_sq(strips.borders(above).0 - y)
            } else {
                f32::INFINITY
            };
            let below_sq = if below > 0 {
                least_sq(y - strips.borders(below - 1).1)
            } else {
                f32::INFINITY
            };
            if (above == oversize && below == 0) || above_sq.min(below_sq) > self.best.bound_sq() {
                return;
            }
            if below == 0 || (above < oversize && above_sq <= below_sq) {
                next = above;
                above += 1;
                new = if next == home {
                    New::Everybody
                } else {
                    New::Beginners(next)
                };
            } else {
                below -= 1;
                (next, new) = (below, New::Enders(below));
            }
        }
    }

    /// Looks into a strip, unless it is farther away than the last of those found.
    #[inline(always)]
    fn look<K: Kernel, const SIZED: bool>(&mut self, kernel: K, number: usize, new: New) {
        let strip = &self.strips.strips[number];
        if strip.is_empty() {
            return;
        }
        let across_sq = strip.band.distance_sq(self.point);
        if across_sq > self.best.bound_sq() {
            self.probe.on(Event::Prune(number as RegionId));
        } else {
            self.probe.on(Event::Visit(number as RegionId));
            self.look_into::<K, SIZED>(kernel, strip, across_sq, new);
        }
    }

    /// Offers bodies from the point's place outwards, a stride to both sides where there are too few before and then to the
    /// nearer side first, until what is left is farther along the strip alone than the last of those found. `across_sq` is how
    /// far they all are across it at the least, squared.
    #[inline(always)]
    fn look_into<K: Kernel, const SIZED: bool>(
        &mut self,
        kernel: K,
        strip: &Strip,
        across_sq: f32,
        new: New,
    ) {
        let x = self.point.x;
        let (lefts, width) = (strip.left(), strip.width());
        let least_sq = |way: f32, left: f32| {
            let slack = (x.abs() + left.abs() + width) * ROUNDING;
            let way = (way - slack).max(0.0);
            (way * way + across_sq) * (1.0 - ROUNDING)
        };
        let mut right = strip.first_from(x, self.probe);
        let mut left = right;
        let (strips, filter) = (self.strips, &mut self.filter);
        let mut filter = |unit: UnitId| {
            let is_new = match new {
                New::Everybody => true,
                _ if !SIZED => true,
                New::Beginners(number) => strips.begins_in(unit, number),
                New::Enders(number) => strips.ends_in(unit, number),
            };
            is_new && filter(unit)
        };
        let (bodies, point) = (strip.all(), self.point);
        let mut has_begun = self.best.is_full();
        loop {
            let before_sq = if left > 0 {
                least_sq(x - lefts[left - 1] - width, lefts[left - 1])
            } else {
                f32::INFINITY
            };
            let after_sq = if right < strip.len() {
                least_sq(lefts[right] - x, lefts[right])
            } else {
                f32::INFINITY
            };
            let is_over = left == 0 && right == strip.len();
            if is_over || before_sq.min(after_sq) > self.best.bound_sq() {
                break;
            }
            let (begin, end) = (left, right);
            let is_nearer_before = right == strip.len() || (left > 0 && before_sq <= after_sq);
            if !has_begun || is_nearer_before {
                left = left.saturating_sub(STRIDE);
            }
            if !has_begun || !is_nearer_before {
                right = strip.len().min(right + STRIDE);
            }
            let run = if !has_begun {
                left..right
            } else if is_nearer_before {
                left..begin
            } else {
                end..right
            };
            has_begun = true;
            self.best
                .offer_run::<SIZED, K, P>(kernel, bodies, run, point, &mut filter, self.probe);
            self.best.settle(kernel);
        }
    }
}
