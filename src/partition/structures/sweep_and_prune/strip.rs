//! One strip: its bodies in columns, in the order in which they begin along the axis.

use crate::geometry::{Aabb, Vec2};
use crate::partition::UnitId;
use crate::partition::toolkit::rounding::ROUNDING;
use crate::partition::toolkit::simd::{Bodies, PADDING};
use crate::probe::{Event, Probe, SweepEnd, Work};
use std::ops::Range;

/// A strip: the bodies that touch it in the order of their left borders.
///
/// Invariant: columns are [`PADDING`] longer than there are bodies, and behind the last one nobody begins before infinity. Those
/// that points have no use for are empty.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Strip {
    pub left: Vec<f32>,
    pub bottom: Vec<f32>,
    pub right: Vec<f32>,
    pub top: Vec<f32>,
    /// The lower border of whoever begins in this strip; infinity for those who begin in one below, so that nothing is near
    /// them.
    pub begun: Vec<f32>,
    /// The upper border of whoever ends in this strip; minus infinity for those who go on above.
    pub ended: Vec<f32>,
    pub ids: Vec<UnitId>,
    /// The widest body.
    pub width: f32,
    /// The band from the lowest to the highest border of any body.
    pub band: Aabb,
    /// The lowest border of those who begin here.
    pub lowest: f32,
    /// The highest border of those who end here.
    pub highest: f32,
}

/// A body in a strip.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub body: Aabb,
    pub unit: UnitId,
}

/// The band of nobody, endless along the line.
const EMPTY_BAND: Aabb = Aabb::new(
    Vec2::new(f32::NEG_INFINITY, f32::INFINITY),
    Vec2::new(f32::INFINITY, f32::NEG_INFINITY),
);

/// Makes a column as long as it has to be for `count` bodies, and gives the part for them.
fn stretched<T: Copy>(column: &mut Vec<T>, count: usize, padding: T) -> &mut [T] {
    // Crowds change a little from step to step, and room that is short by one would be asked for again and again.
    let length = count + PADDING;
    if column.capacity() < length {
        column.reserve(length + length / 4 - column.len());
    }
    column.resize(length, padding);
    column[count..].fill(padding);
    &mut column[..count]
}

/// Tells where the sweep of `unit`, or of what a search asks about, ends: at a `place` in the columns of a strip, where the first one begins
/// beyond the `limit` along the `axis`. Behind the last body there is nobody who could end it.
pub(super) fn tell_end<P: Probe>(
    unit: Option<UnitId>,
    (axis, limit): (usize, f32),
    bodies: Bodies<'_>,
    place: usize,
    probe: &mut P,
) {
    let lefts = bodies.lefts_from(place);
    let count = lefts.partition_point(|left| left.is_finite());
    if let Some(behind) = count.checked_sub(1) {
        probe.ends(SweepEnd {
            unit,
            other: bodies.ids(place..place + 1)[0],
            axis,
            beyond: lefts[0] - limit,
            behind: Some(behind),
        });
    }
}

impl Strip {
    /// A strip without bodies.
    pub fn new() -> Self {
        let mut strip = Self {
            left: Vec::new(),
            bottom: Vec::new(),
            right: Vec::new(),
            top: Vec::new(),
            begun: Vec::new(),
            ended: Vec::new(),
            ids: Vec::new(),
            width: 0.0,
            band: EMPTY_BAND,
            lowest: f32::INFINITY,
            highest: f32::NEG_INFINITY,
        };
        strip.fill(&[], false, |_| (true, true));
        strip
    }

    /// Takes in bodies that are in order. `ends` says of a body whether it begins and whether it ends in this strip.
    pub fn fill(&mut self, entries: &[Entry], sized: bool, ends: impl Fn(Aabb) -> (bool, bool)) {
        let count = entries.len();
        let mut band = EMPTY_BAND;
        let left = stretched(&mut self.left, count, f32::INFINITY);
        let bottom = stretched(&mut self.bottom, count, 0.0);
        let ids = stretched(&mut self.ids, count, 0);
        for (place, Entry { body, unit }) in entries.iter().enumerate() {
            left[place] = body.min.x;
            bottom[place] = body.min.y;
            ids[place] = *unit;
            band.min.y = band.min.y.min(body.min.y);
            band.max.y = band.max.y.max(body.max.y);
        }
        self.width = 0.0;
        (self.lowest, self.highest) = (band.min.y, band.max.y);
        if sized {
            let right = stretched(&mut self.right, count, 0.0);
            let top = stretched(&mut self.top, count, 0.0);
            let begun = stretched(&mut self.begun, count, f32::INFINITY);
            let ended = stretched(&mut self.ended, count, f32::NEG_INFINITY);
            (self.lowest, self.highest) = (f32::INFINITY, f32::NEG_INFINITY);
            for (place, Entry { body, .. }) in entries.iter().enumerate() {
                right[place] = body.max.x;
                top[place] = body.max.y;
                let (begins, stops) = ends(*body);
                let low = if begins { body.min.y } else { f32::INFINITY };
                let high = if stops { body.max.y } else { f32::NEG_INFINITY };
                begun[place] = low;
                ended[place] = high;
                self.lowest = self.lowest.min(low);
                self.highest = self.highest.max(high);
                self.width = self.width.max(body.max.x - body.min.x);
            }
        } else {
            for column in [
                &mut self.right,
                &mut self.top,
                &mut self.begun,
                &mut self.ended,
            ] {
                column.clear();
            }
        }
        self.band = band;
    }

    /// How many bodies touch the strip.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.ids.len() - PADDING
    }

    /// Whether nobody touches it.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether its bodies have a size.
    #[inline(always)]
    pub fn is_sized(&self) -> bool {
        !self.right.is_empty()
    }

    /// Who is in the strip, in order.
    #[inline(always)]
    pub fn units(&self) -> &[UnitId] {
        &self.ids[..self.len()]
    }

    /// The body at a place.
    #[inline(always)]
    pub fn body(&self, place: usize) -> Aabb {
        if self.is_sized() {
            self.all().body::<true>(place)
        } else {
            self.all().body::<false>(place)
        }
    }

    /// Its bodies, in order.
    pub fn bodies(&self) -> impl Iterator<Item = Aabb> + Clone {
        (0..self.len()).map(|place| self.body(place))
    }

    /// Where its bodies begin, and infinity behind them.
    #[inline(always)]
    pub fn left(&self) -> &[f32] {
        &self.left
    }

    /// Everybody who touches the strip.
    #[inline(always)]
    pub fn all(&self) -> Bodies<'_> {
        Bodies::new(&self.left, &self.bottom, &self.right, &self.top, &self.ids)
    }

    /// The same, but nothing is near those who do not begin here.
    #[inline(always)]
    pub fn beginners(&self) -> Bodies<'_> {
        let bottom = if self.is_sized() {
            &self.begun
        } else {
            &self.bottom
        };
        Bodies::new(&self.left, bottom, &self.right, &self.top, &self.ids)
    }

    /// The same, but nothing is near those who do not end here.
    #[inline(always)]
    pub fn enders(&self) -> Bodies<'_> {
        Bodies::new(
            &self.left,
            &self.bottom,
            &self.right,
            &self.ended,
            &self.ids,
        )
    }

    /// The lower borders of those who begin here; infinity for the others.
    #[inline(always)]
    pub fn lows(&self) -> &[f32] {
        if self.is_sized() {
            &self.begun
        } else {
            &self.bottom
        }
    }

    /// The upper borders of those who end here; minus infinity for the others.
    #[inline(always)]
    pub fn highs(&self) -> &[f32] {
        if self.is_sized() {
            &self.ended
        } else {
            &self.bottom
        }
    }

    /// The first place whose body does not begin before `x`, by halving.
    #[inline(always)]
    pub fn first_from<P: Probe>(&self, x: f32, probe: &mut P) -> usize {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low + (high - low) / 2;
            probe.on(Event::Work(Work::Compare));
            if self.left[middle] < x {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }

    /// The first place behind which everybody begins beyond `x`: looks onward from place `from`, before which nobody does.
    #[inline(always)]
    pub fn end_of(&self, from: usize, x: f32) -> usize {
        self.onward(from, |left| left <= x)
    }

    /// The first place from `from` on whose body does not begin before `x`.
    #[inline(always)]
    pub fn start_of(&self, from: usize, x: f32) -> usize {
        self.onward(from, |left| left < x)
    }

    /// Goes on from place `from` for as long as the left borders are `before`. As many as a kernel takes are asked at once,
    /// because whether there is one more would be guessed wrong for every second body.
    #[inline(always)]
    fn onward(&self, from: usize, before: impl Fn(f32) -> bool) -> usize {
        let mut place = from;
        loop {
            let lefts = &self.left[place..place + PADDING];
            let mut count = 0_u32;
            for left in lefts {
                count += u32::from(before(*left));
            }
            place += count as usize;
            if count < PADDING as u32 {
                return place;
            }
        }
    }

    /// The places at which a body may begin that touches what lies from `low` to `high`.
    #[inline(always)]
    pub fn places_touching<P: Probe>(&self, low: f32, high: f32, probe: &mut P) -> Range<usize> {
        let begin = self.first_from(self.least_touching(low), probe);
        begin..self.end_of(begin, high.min(f32::MAX))
    }

    /// The same places, found by halving at both ends: for what may be most of the strip.
    pub fn places_between(&self, low: f32, high: f32) -> Range<usize> {
        let begin = self.first_from(self.least_touching(low), &mut ());
        begin..self.count_begun(high).max(begin)
    }

    /// How many bodies begin at `x` or before.
    pub fn count_begun(&self, x: f32) -> usize {
        self.first_from(x.min(f32::MAX).next_up(), &mut ())
    }

    /// The least left border that a body can have which reaches `low`.
    #[inline(always)]
    fn least_touching(&self, low: f32) -> f32 {
        // Widths are rounded differences of borders, so the way back needs the slack of a few roundings.
        low - self.width - (low.abs() + self.width) * ROUNDING
    }

    /// How far beyond its left border any body reaches.
    pub fn width(&self) -> f32 {
        self.width
    }

    /// The bytes that it takes on the heap.
    pub fn byte_count(&self) -> usize {
        let columns = [
            &self.left,
            &self.bottom,
            &self.right,
            &self.top,
            &self.begun,
            &self.ended,
        ];
        let floats: usize = columns.iter().map(|column| column.capacity()).sum();
        floats * size_of::<f32>() + self.ids.capacity() * size_of::<UnitId>()
    }
}
