//! Everybody within reach of each other, found by sweeping along the strips.

use super::strip::{Strip, tell_end};
use super::strips::Strips;
use crate::geometry::Aabb;
use crate::partition::toolkit::batch::RUN_LENGTH;
use crate::partition::toolkit::rounding::{ROUNDING, widened};
use crate::partition::toolkit::shares::hands;
use crate::partition::toolkit::simd::{self, Bodies, Kernel, Looker, Task};
use crate::partition::{Pair, PairBatch, Part, RegionId, UnitId};
use crate::probe::{Event, Probe};
use std::ops::Range;

/// Bodies are dealt to the shares of a pair search this many at a time.
const DEAL: usize = 256;

impl Strips {
    /// Every pair is met where the body that begins first along the axis looks ahead: in the strip in which the upper one of the
    /// two begins if both touch it, else from the strip in which the lower one ends to that in which the upper one begins,
    /// or the other way round. The oversize meet the others, wherever these begin.
    pub fn emit_pairs<P: Probe>(
        &self,
        reach: f32,
        part: Part,
        probe: &mut P,
        batch: impl FnMut(&[Pair]),
    ) {
        simd::dispatch(Sweep {
            strips: self,
            reach,
            reach_sq: reach * reach,
            part,
            probe,
            batch: PairBatch::new(batch),
        });
    }
}

/// A pair search, with whatever kernel there is.
struct Sweep<'s, 'p, P: Probe, F: FnMut(&[Pair])> {
    strips: &'s Strips,
    reach: f32,
    reach_sq: f32,
    part: Part,
    probe: &'p mut P,
    batch: PairBatch<F>,
}

impl<P: Probe, F: FnMut(&[Pair])> Task for Sweep<'_, '_, P, F> {
    const DETAILED: bool = P::DETAILED;

    #[inline(always)]
    fn run<K: Kernel>(mut self, kernel: K) {
        // Points are told apart at compile time: their kernel reads two columns and not four.
        if self.strips.oversize().is_sized() {
            self.sweep_all::<K, true>(kernel);
        } else {
            self.sweep_all::<K, false>(kernel);
        }
        self.batch.flush();
    }
}

/// Those of a strip who look at another one.
struct Lookers<'a> {
    strip: &'a Strip,
    places: Range<usize>,
    /// How far each of them reaches towards the other strip.
    borders: &'a [f32],
    /// Whether those who begin where the looker does are met by the looker, and not the looker by them.
    first_at_ties: bool,
}

impl<P: Probe, F: FnMut(&[Pair])> Sweep<'_, '_, P, F> {
    #[inline(always)]
    fn sweep_all<K: Kernel, const SIZED: bool>(&mut self, kernel: K) {
        let strips = self.strips;
        let oversize = strips.layout.oversize();
        let mut first_place = 0;
        for (number, strip) in strips.strips.iter().enumerate() {
            let whole = first_place..first_place + strip.len();
            for hand in hands(self.part, whole, DEAL) {
                let hand = hand.start - first_place..hand.end - first_place;
                self.probe.on(Event::Visit(number as RegionId));
                self.sweep::<K, SIZED>(kernel, strip, hand.clone());
                if number == oversize {
                    self.meet_from_oversize::<K>(kernel, strip, hand);
                    continue;
                }
                self.upwards::<K, SIZED>(kernel, number, hand.clone());
                self.downwards::<K, SIZED>(kernel, number, hand);
            }
            first_place += strip.len();
        }
    }

    /// Tests bodies with those that begin later in the same strip, where one of the two begins in it.
    #[inline(always)]
    fn sweep<K: Kernel, const SIZED: bool>(
        &mut self,
        kernel: K,
        strip: &Strip,
        places: Range<usize>,
    ) {
        let (all, beginners) = (strip.all(), strip.beginners());
        let (units, lows) = (strip.units(), strip.lows());
        let mut sum = (0, 0);
        for place in places {
            let (unit, body) = (units[place], all.body::<SIZED>(place));
            // Most begin where they are: bodies are about as high as strips, or less.
            let others = if SIZED && lows[place] == f32::INFINITY {
                beginners
            } else {
                all
            };
            self.test_onward::<K, SIZED>(kernel, unit, body, others, place + 1, &mut sum);
        }
        self.tell(sum);
    }

    /// Those who end in a strip look ahead into the strips above that are within reach.
    #[inline(always)]
    fn upwards<K: Kernel, const SIZED: bool>(
        &mut self,
        kernel: K,
        number: usize,
        places: Range<usize>,
    ) {
        let (strips, strip) = (self.strips, &self.strips.strips[number]);
        if strip.highest == f32::NEG_INFINITY {
            return;
        }
        let top = strip.highest + widened(self.reach);
        let last = usize::from(strips.layout.number(top + strips.layout.slack(top)));
        for other in number + 1..=last {
            let others = &strips.strips[other];
            if self.is_near(strip, others, (number, other)) {
                let lookers = Lookers {
                    strip,
                    places: places.clone(),
                    borders: strip.highs(),
                    first_at_ties: true,
                };
                let gap = |high: f32| (others.lowest - high).max(0.0);
                self.look_ahead::<K, SIZED>(kernel, lookers, gap, others, others.beginners());
            }
        }
    }

    /// Those who begin in a strip look ahead into the strips below that are within reach.
    #[inline(always)]
    fn downwards<K: Kernel, const SIZED: bool>(
        &mut self,
        kernel: K,
        number: usize,
        places: Range<usize>,
    ) {
        let (strips, strip) = (self.strips, &self.strips.strips[number]);
        if strip.lowest == f32::INFINITY {
            return;
        }
        let bottom = strip.lowest - widened(self.reach);
        let first = usize::from(strips.layout.number(bottom - strips.layout.slack(bottom)));
        for other in first..number {
            let others = &strips.strips[other];
            if self.is_near(others, strip, (number, other)) {
                let lookers = Lookers {
                    strip,
                    places: places.clone(),
                    borders: strip.lows(),
                    first_at_ties: false,
                };
                let gap = |low: f32| (low - others.highest).max(0.0);
                let bodies = if SIZED { others.enders() } else { others.all() };
                self.look_ahead::<K, SIZED>(kernel, lookers, gap, others, bodies);
            }
        }
    }

    /// Whether the end of somebody in the lower strip may be within reach of the beginning of somebody in the upper one, and
    /// tells so of the `other` one, at which the `number`th looks.
    #[inline(always)]
    fn is_near(&mut self, lower: &Strip, upper: &Strip, (number, other): (usize, usize)) -> bool {
        if lower.is_empty() || upper.is_empty() {
            return false;
        }
        let gap = (upper.lowest - lower.highest).max(0.0);
        let is_near = gap * gap <= self.reach_sq;
        self.probe.looks(number as RegionId);
        self.probe.on(if is_near {
            Event::Visit(other as RegionId)
        } else {
            Event::Prune(other as RegionId)
        });
        is_near
    }

    /// Tests those who are near enough, by the `gap` between their border and all others, with those of another strip that
    /// begin no earlier along the axis.
    #[inline(always)]
    fn look_ahead<K: Kernel, const SIZED: bool>(
        &mut self,
        kernel: K,
        lookers: Lookers<'_>,
        gap: impl Fn(f32) -> f32,
        others: &Strip,
        bodies: Bodies<'_>,
    ) {
        let (own, units) = (lookers.strip.all(), lookers.strip.units());
        let mut start = None;
        let mut sum = (0, 0);
        let mut near = [0_u32; DEAL];
        for begin in lookers.places.clone().step_by(DEAL) {
            let places = begin..lookers.places.end.min(begin + DEAL);
            // Who is near is packed without a branch: a guess would be wrong too often.
            let mut count = 0;
            for (border, place) in lookers.borders[places.clone()].iter().zip(places) {
                let gap = gap(*border);
                near[count] = place as u32;
                count += usize::from(gap * gap <= self.reach_sq);
            }
            for &place in &near[..count] {
                let place = place as usize;
                let (unit, body) = (units[place], own.body::<SIZED>(place));
                let x = body.min.x;
                // Bodies come in the order in which they begin, so the first one ahead only moves on.
                let from = match start {
                    Some(start) => start,
                    None => others.first_from(x, self.probe),
                };
                let first = if lookers.first_at_ties {
                    others.start_of(from, x)
                } else {
                    others.end_of(from, x)
                };
                start = Some(first);
                self.test_onward::<K, SIZED>(kernel, unit, body, bodies, first, &mut sum);
            }
        }
        self.tell(sum);
    }

    /// The oversize look around in the strips that they reach; whoever touches several of them is met in the lowest. They are
    /// few: if everybody looked for them, that would take far longer.
    #[inline(always)]
    fn meet_from_oversize<K: Kernel>(&mut self, kernel: K, strip: &Strip, places: Range<usize>) {
        let layout = self.strips.layout;
        let mut sum = (0, 0);
        for place in places {
            let (unit, body) = (strip.units()[place], strip.body(place));
            let bottom = body.min.y - widened(self.reach);
            let top = body.max.y + widened(self.reach);
            let first = usize::from(layout.number(bottom - layout.slack(bottom)));
            let last = usize::from(layout.number(top + layout.slack(top)));
            for number in first..=last {
                let others = &self.strips.strips[number];
                if others.is_empty() {
                    continue;
                }
                self.probe.looks(layout.oversize() as RegionId);
                self.probe.on(Event::Visit(number as RegionId));
                let bodies = if number == first {
                    others.all()
                } else {
                    others.beginners()
                };
                let low = body.min.x - widened(self.reach);
                let limit = self.limit(body);
                let run = others.places_touching(low, limit, self.probe);
                let end = run.end;
                self.test::<K, true>(kernel, unit, body, bodies, run, &mut sum);
                if P::DETAILED {
                    tell_end(Some(unit), (layout.axis, limit), bodies, end, self.probe);
                }
            }
        }
        self.tell(sum);
    }

    /// Beyond this, nobody begins who is within reach of a body.
    #[inline(always)]
    fn limit(&self, body: Aabb) -> f32 {
        let end = body.max.x + widened(self.reach);
        (end + end.abs() * ROUNDING).min(f32::MAX)
    }

    /// Tests a body with those of `others` that begin where it does or later, from place `first` on, and adds up tests and hits.
    #[inline(always)]
    fn test_onward<K: Kernel, const SIZED: bool>(
        &mut self,
        kernel: K,
        unit: UnitId,
        body: Aabb,
        others: Bodies<'_>,
        first: usize,
        sum: &mut (u64, u64),
    ) {
        let looker = Looker {
            unit,
            body,
            reach_sq: self.reach_sq,
            limit: self.limit(body),
        };
        let mut place = first;
        loop {
            let onward = kernel.pack_onward::<SIZED>(self.batch.room(), looker, others, place);
            if P::DETAILED {
                self.tell_of::<SIZED>(unit, body, others, place..place + onward.tests);
            }
            self.batch.take(onward.hits);
            sum.0 += onward.tests as u64;
            sum.1 += onward.hits as u64;
            if onward.is_over {
                if P::DETAILED {
                    let end = place + onward.tests;
                    let limit = (self.strips.layout.axis, looker.limit);
                    tell_end(Some(unit), limit, others, end, self.probe);
                }
                return;
            }
            place += onward.tests;
        }
    }

    /// Tells of each test of a body with a run of others, and of each pair found.
    fn tell_of<const SIZED: bool>(
        &mut self,
        unit: UnitId,
        body: Aabb,
        others: Bodies<'_>,
        run: Range<usize>,
    ) {
        for (place, &other) in run.clone().zip(others.ids(run)) {
            let (a, b) = (unit.min(other), unit.max(other));
            self.probe.on(Event::TestPair(a, b));
            if body.gap_sq(others.body::<SIZED>(place)) <= self.reach_sq {
                self.probe.on(Event::HitPair(a, b));
            }
        }
    }

    /// Tests a body with a run of others and adds up tests and hits.
    #[inline(always)]
    fn test<K: Kernel, const SIZED: bool>(
        &mut self,
        kernel: K,
        unit: UnitId,
        body: Aabb,
        others: Bodies<'_>,
        run: Range<usize>,
        sum: &mut (u64, u64),
    ) {
        if P::DETAILED {
            self.tell_of::<SIZED>(unit, body, others, run.clone());
        }
        let mut begin = run.start;
        while begin < run.end {
            let end = run.end.min(begin + RUN_LENGTH);
            let (free, reach_sq) = (self.batch.room(), self.reach_sq);
            let count = kernel.pack::<SIZED>(free, unit, body, reach_sq, others, begin..end);
            self.batch.take(count);
            sum.1 += count as u64;
            begin = end;
        }
        sum.0 += run.len() as u64;
    }

    /// Tells of tests and hits that were added up.
    #[inline(always)]
    fn tell(&mut self, (tests, hits): (u64, u64)) {
        if !P::DETAILED {
            self.probe.tests(tests);
            self.probe.hits(hits);
        }
    }
}
