//! Everybody within reach of each other.

use super::SortedGrid;
use super::layer::{Layer, Run};
use crate::geometry::{Aabb, Vec2};
use crate::partition::kernel::{hands, widened};
use crate::partition::{Pair, PairBatch, Part, RegionId, UnitId};
use crate::probe::{Event, Probe};
use std::ops::Range;

/// Units are dealt to the shares this many at a time, so that a crowd in one corner is not one share's alone.
const DEAL: usize = 256;

/// One pair search under way.
struct Search<'p, P: Probe, F: FnMut(&[Pair])> {
    reach: f32,
    reach_sq: f32,
    part: Part,
    probe: &'p mut P,
    batch: PairBatch<F>,
}

impl SortedGrid {
    /// Each pair of units of one size class is met where the one that comes first in the order of cells looks at the
    /// other; a pair of two classes where the smaller body looks at the larger.
    pub(super) fn emit_pairs<P: Probe>(
        &self,
        reach: f32,
        part: Part,
        probe: &mut P,
        batch: impl FnMut(&[Pair]),
    ) {
        let mut search = Search {
            reach,
            reach_sq: reach * reach,
            part,
            probe,
            batch: PairBatch::new(batch),
        };
        for (place, (first, layer)) in self.occupied_layers().enumerate() {
            // Points are told apart at compile time: their kernel reads two columns and not four.
            if layer.bodies.right.is_empty() {
                search.within::<false>(layer, first);
            } else {
                search.within::<true>(layer, first);
                for (first_above, above) in self.occupied_layers().skip(place + 1) {
                    search.between(layer, above, first_above);
                }
            }
        }
        search.batch.flush();
    }
}

impl<P: Probe, F: FnMut(&[Pair])> Search<'_, P, F> {
    /// The pairs of one layer.
    fn within<const SIZED: bool>(&mut self, layer: &Layer, first_region: RegionId) {
        for home in 0..layer.occupied_rows().len() {
            let rows = layer.rows_touching(
                layer.rows[home].low - widened(self.reach),
                layer.rows[home].high + widened(self.reach),
            );
            for units in hands(self.part, layer.units_of(home), DEAL) {
                for row in home..rows.end.max(home + 1) {
                    self.row_against::<SIZED>(layer, home, units.clone(), row, first_region);
                }
            }
        }
    }

    /// Tests units of the row `home` with those of `row`, which is the same or comes later, as far as they come later.
    #[inline(never)]
    fn row_against<const SIZED: bool>(
        &mut self,
        layer: &Layer,
        home: usize,
        units: Range<usize>,
        row: usize,
        first_region: RegionId,
    ) {
        let reach = widened(self.reach);
        let band = layer.band(row);
        let places = layer.stretches_of(row);
        let stretches = &layer.stretches[places];
        let mut near = 0;
        let mut cell = HomeCell::new(layer, home);
        for place in units {
            let body = layer.body::<SIZED>(place);
            if row != home && body.gap_sq(band) > self.reach_sq {
                continue;
            }
            let entered = P::HEARS && cell.advance(layer, place);
            let (first, last) = layer.columns_touching(body.min.x - reach, body.max.x + reach);
            // The first stretch that is not wholly to the left is the one for the unit before, or close to it.
            while near > 0 && stretches[near - 1].last >= first {
                near -= 1;
            }
            while near < stretches.len() && stretches[near].last < first {
                near += 1;
            }
            for stretch in &stretches[near..] {
                if stretch.first > last {
                    break;
                }
                let run = stretch.run(first, last);
                if entered {
                    self.tell_visits(
                        layer,
                        run,
                        cell.entry * u32::from(row == home),
                        first_region,
                    );
                }
                let run = layer.units(run);
                self.test::<SIZED>(layer, place, body, run.start.max(place + 1)..run.end);
            }
        }
    }

    /// Tells of the occupied cells of a run from entry `least` on.
    fn tell_visits(&mut self, layer: &Layer, run: Run, least: u32, first_region: RegionId) {
        for entry in run.begin.max(least)..run.end {
            let starts = &layer.starts[entry as usize..];
            if starts[0] < starts[1] {
                self.probe.on(Event::Visit(first_region + entry));
            }
        }
    }

    /// The pairs of a body of one layer and a body of another with larger bodies.
    fn between(&mut self, layer: &Layer, larger: &Layer, first_region: RegionId) {
        for home in 0..layer.occupied_rows().len() {
            for units in hands(self.part, layer.units_of(home), DEAL) {
                for place in units {
                    let body = layer.body::<true>(place);
                    let area = body.grown(Vec2::splat(widened(self.reach)));
                    let (first, last) = larger.columns_touching(area.min.x, area.max.x);
                    for row in larger.rows_touching(area.min.y, area.max.y) {
                        larger.for_runs(row, first, last, |run| {
                            if P::HEARS {
                                self.tell_visits(larger, run, 0, first_region);
                            }
                            self.test_other(layer, place, body, larger, larger.units(run));
                        });
                    }
                }
            }
        }
    }

    /// Tests the unit at `place` with a run of others of its layer.
    #[inline(always)]
    fn test<const SIZED: bool>(
        &mut self,
        layer: &Layer,
        place: usize,
        body: Aabb,
        run: Range<usize>,
    ) {
        if run.is_empty() {
            return;
        }
        let (columns, reach_sq) = (&layer.bodies, self.reach_sq);
        let unit = columns.ids[place];
        let ids = &columns.ids[run.clone()];
        if SIZED {
            let first = run.start;
            self.take(unit, ids, |place| {
                body.gap_sq(layer.body::<true>(first + place)) <= reach_sq
            });
        } else {
            let xs = &columns.left[run.clone()][..ids.len()];
            let ys = &columns.bottom[run][..ids.len()];
            self.take(unit, ids, |place| {
                // The gap of two boxes without size, to the last bit.
                let (dx, dy) = (body.min.x - xs[place], body.min.y - ys[place]);
                dx * dx + dy * dy <= reach_sq
            });
        }
    }

    /// Tests the unit at `place` of one layer with a run of another.
    #[inline]
    fn test_other(
        &mut self,
        layer: &Layer,
        place: usize,
        body: Aabb,
        larger: &Layer,
        run: Range<usize>,
    ) {
        let (first, reach_sq) = (run.start, self.reach_sq);
        self.take(layer.bodies.ids[place], &larger.bodies.ids[run], |place| {
            body.gap_sq(larger.body::<true>(first + place)) <= reach_sq
        });
    }

    /// Keeps the pairs of `unit` with those of `others` whose place among them is a hit, and tells of the tests.
    #[inline(always)]
    fn take(&mut self, unit: UnitId, others: &[UnitId], is_hit: impl Fn(usize) -> bool) {
        if P::DETAILED {
            for (place, &other) in others.iter().enumerate() {
                let (a, b) = (unit.min(other), unit.max(other));
                self.probe.on(Event::TestPair(a, b));
                if is_hit(place) {
                    self.probe.on(Event::HitPair(a, b));
                }
            }
        }
        let hits = self.batch.push_hits(unit, others, is_hit);
        if !P::DETAILED {
            self.probe.tests(others.len() as u64);
            self.probe.hits(hits);
        }
    }
}

/// The cell of the unit at hand, for a probe that hears.
struct HomeCell {
    /// The stretches of the row that are still to come.
    stretches: Range<usize>,
    /// The cell's entry in the table of starts.
    entry: u32,
    /// The place behind its last unit.
    end: usize,
}

impl HomeCell {
    fn new(layer: &Layer, row: usize) -> Self {
        Self {
            stretches: layer.stretches_of(row),
            entry: 0,
            end: 0,
        }
    }

    /// Goes on to the cell of the unit at `place`, and says whether it is another one than before.
    fn advance(&mut self, layer: &Layer, place: usize) -> bool {
        if place < self.end {
            return false;
        }
        for index in self.stretches.clone() {
            let stretch = layer.stretches[index];
            let width = stretch.last.abs_diff(stretch.first) + 1;
            let starts = &layer.starts[stretch.offset as usize..][..width as usize + 1];
            if place < starts[width as usize] as usize {
                let column = starts.partition_point(|start| *start as usize <= place) - 1;
                self.stretches.start = index;
                self.entry = stretch.offset + column as u32;
                self.end = starts[column + 1] as usize;
                return true;
            }
        }
        false
    }
}
