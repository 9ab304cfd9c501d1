//! Bodies in the order in which they begin along an axis, and what can be done with any such order.
//!
//! Everything here is turned so that the axis is x.

use crate::geometry::{Aabb, Vec2};
use crate::partition::toolkit::rounding::{ROUNDING, widened};
use crate::partition::{Best, Pair, PairBatch, Search, UnitId};
use crate::probe::{Event, Probe, SweepEnd, Work};
use std::ops::Range;

/// A sorted sequence of places, at some or all of which a body begins.
pub(super) trait Line {
    /// The number of places.
    fn len(&self) -> usize;

    /// By what the line is sorted: at most the lower border of the body that begins here.
    fn key(&self, place: usize) -> f32;

    /// Who begins here, if anybody does.
    fn begins(&self, place: usize) -> Option<(UnitId, Aabb)>;

    /// How far beyond its key any body reaches.
    fn width(&self) -> f32;

    /// The axis of the field to which this is turned.
    fn axis(&self) -> usize;

    /// The first place whose key is not below `key`, by halving.
    fn first_from<P: Probe>(&self, key: f32, probe: &mut P) -> usize {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low + (high - low) / 2;
            probe.on(Event::Work(Work::Compare));
            if self.key(middle) < key {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }

    /// The least key that a body may have which reaches `low`.
    ///
    /// Widths and keys are rounded differences of borders, so the way back needs the slack of a few roundings.
    #[inline]
    fn least_key(&self, low: f32) -> f32 {
        low - self.width() - (low.abs() + self.width()) * ROUNDING
    }

    /// The places at which a body may begin that touches what lies from `low` to `high`.
    fn places_touching<P: Probe>(&self, low: f32, high: f32, probe: &mut P) -> Range<usize> {
        let begin = self.first_from(self.least_key(low), probe);
        let more = (begin..self.len()).take_while(|place| self.key(*place) <= high);
        begin..begin + more.count()
    }

    /// Tells where the sweep of `unit`, or of what a search asks about, ends: at the first one from a `place` on who begins, beyond the
    /// `limit`. Whoever only ends there is not looked for.
    fn tell_end<P: Probe>(&self, unit: Option<UnitId>, limit: f32, place: usize, probe: &mut P) {
        let mut begun = (place..self.len()).filter_map(|place| self.begins(place));
        if let Some((other, body)) = begun.next() {
            probe.ends(SweepEnd {
                unit,
                other,
                axis: self.axis(),
                beyond: body.min.x - limit,
                // How many more begin is not counted, but whether anybody does.
                behind: begun.next().is_none().then_some(0),
            });
        }
    }

    /// Tests those who may touch what a search covers and visits those that it holds.
    fn scan<P: Probe>(&self, search: &impl Search, probe: &mut P, mut visit: impl FnMut(UnitId)) {
        let (mut tests, mut hits) = (0, 0);
        let area = search.cover();
        let run = self.places_touching(area.min.x, area.max.x, probe);
        let end = run.end;
        for place in run {
            let Some((unit, body)) = self.begins(place) else {
                continue;
            };
            tests += 1;
            if P::DETAILED {
                probe.on(Event::Test(unit));
            }
            if search.holds(body) {
                hits += 1;
                if P::DETAILED {
                    probe.on(Event::Hit(unit));
                }
                visit(unit);
            }
        }
        if P::DETAILED {
            self.tell_end(None, area.max.x, end, probe);
        } else {
            probe.tests(tests);
            probe.hits(hits);
        }
    }

    /// Offers bodies from the point's place outwards, to the nearer side first, until what is left is farther along the
    /// line alone than the last of those found. `across_sq` is how far they all are across it at the least, squared.
    fn nearest<P: Probe>(
        &self,
        point: Vec2,
        across_sq: f32,
        filter: &mut impl FnMut(UnitId) -> bool,
        probe: &mut P,
        best: &mut Best<'_>,
    ) {
        let mut right = self.first_from(point.x, probe);
        let mut left = right;
        let least_sq = |way: f32, key: f32| {
            let slack = (point.x.abs() + key.abs() + self.width()) * ROUNDING;
            let way = (way - slack).max(0.0);
            (way * way + across_sq) * (1.0 - ROUNDING)
        };
        let left_sq = |left: usize| match left.checked_sub(1).map(|place| self.key(place)) {
            Some(key) => least_sq(point.x - key - self.width(), key),
            None => f32::INFINITY,
        };
        let right_sq = |right: usize| {
            if right < self.len() {
                least_sq(self.key(right) - point.x, self.key(right))
            } else {
                f32::INFINITY
            }
        };
        let mut tests = 0;
        while left > 0 || right < self.len() {
            let (before_sq, after_sq) = (left_sq(left), right_sq(right));
            if before_sq.min(after_sq) > best.bound_sq() {
                break;
            }
            let place = if right == self.len() || (left > 0 && before_sq <= after_sq) {
                left -= 1;
                left
            } else {
                right += 1;
                right - 1
            };
            let Some((unit, body)) = self.begins(place) else {
                continue;
            };
            tests += 1;
            if P::DETAILED {
                probe.on(Event::Test(unit));
            }
            let distance_sq = body.distance_sq(point);
            if best.wants(unit, distance_sq) && filter(unit) {
                best.offer(unit, distance_sq);
            }
        }
        if !P::DETAILED {
            probe.tests(tests);
        }
    }
}

/// One pair search under way. `SIZED` says whether bodies have a size; without, they are compared as points.
pub(super) struct PairSweep<'p, const SIZED: bool, P: Probe, F: FnMut(&[Pair])> {
    pub reach: f32,
    pub reach_sq: f32,
    pub probe: &'p mut P,
    pub batch: PairBatch<F>,
}

impl<'p, const SIZED: bool, P: Probe, F: FnMut(&[Pair])> PairSweep<'p, SIZED, P, F> {
    /// A search that hands its pairs to `sink`.
    pub fn new(reach: f32, probe: &'p mut P, sink: F) -> Self {
        Self {
            reach,
            reach_sq: reach * reach,
            probe,
            batch: PairBatch::new(sink),
        }
    }

    /// Hands on the last pairs.
    pub fn finish(mut self) {
        self.batch.flush();
    }

    /// Tests the bodies that begin at `places` with those that begin later on the same line and before they end.
    pub fn sweep(&mut self, line: &impl Line, places: Range<usize>) {
        for place in places {
            if let Some((unit, body)) = line.begins(place) {
                self.test(line, place + 1, unit, body);
            }
        }
    }

    /// Tests a body with those that begin on a line from place `first` on, until they begin out of its reach.
    #[inline(always)]
    fn test(&mut self, line: &impl Line, first: usize, unit: UnitId, body: Aabb) {
        let end = body.max.x + widened(self.reach);
        let limit = end + end.abs() * ROUNDING;
        let (mut tests, mut hits) = (0, 0);
        for place in first..line.len() {
            if line.key(place) > limit {
                if P::DETAILED {
                    line.tell_end(Some(unit), limit, place, self.probe);
                }
                break;
            }
            let Some((other, other_body)) = line.begins(place) else {
                continue;
            };
            tests += 1;
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
            self.probe.tests(tests);
            self.probe.hits(hits);
        }
    }
}
