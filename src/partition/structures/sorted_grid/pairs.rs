//! Everybody within reach of each other.

use super::SortedGrid;
use super::layer::{Layer, Run, Stretch};
use crate::geometry::{Aabb, Vec2};
use crate::partition::toolkit::batch::RUN_LENGTH;
use crate::partition::toolkit::rounding::widened;
use crate::partition::toolkit::shares::hands;
use crate::partition::toolkit::simd::{self, Kernel, PADDING, Task};
use crate::partition::{Pair, PairBatch, Part, RegionId, UnitId};
use crate::probe::{Event, Probe};
use std::ops::Range;

/// Units are dealt to the shares so many at a time at least ...
const DEAL: usize = 256;
/// ... and at most so often, so that a crowd in one corner is not one share's alone, and yet a share of many goes through memory in its
/// order.
const DEALS: usize = 4;

/// A search in so many shares at least is cut into strips of rows. Fewer would be too large to be dealt out evenly ...
const FEWEST_STRIPS: u32 = 8;
/// ... and so would they be where one of them had more than so many times as many units as they have on average.
const UNEVEN: usize = 2;

/// After so many tests a probe is told of them, and may end the search.
const TOLD: u64 = 1 << 12;

/// So many units are looked at together.
const BLOCK_LENGTH: usize = 64;

/// The units of a block are tested abreast with those behind them in their stretch where none of them has more than so many within its
/// columns: beyond it one after the other is as quick.
const ABREAST: u32 = 24;
const _: () = assert!(
    ABREAST as usize * PADDING <= RUN_LENGTH,
    "a batch has room for the pairs of eight units"
);

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
        simd::dispatch(Emission {
            grid: self,
            search: Search {
                reach,
                reach_sq: reach * reach,
                part,
                probe,
                batch: PairBatch::new(batch),
            },
        });
    }
}

impl Layer {
    /// Whether no unit is in pairs of two strips that are not neighbours, where a search is cut into so many.
    pub(super) fn strips_lie_apart(&self, reach: f32, count: u32) -> bool {
        let stays_near = |index| {
            let end = self.end_of_share(index as usize + 2, count as usize);
            let mut strip = self.strip(Part { index, count });
            strip.all(|home| self.rows_seen_from(home, reach).end <= end)
        };
        self.is_cut_into_strips(count) && (0..count - 1).all(stays_near)
    }

    /// Whether a search in so many shares is cut into strips. They come out even where there are many rows that are filled alike.
    fn is_cut_into_strips(&self, count: u32) -> bool {
        let most = UNEVEN * self.len() / count as usize;
        let is_even = |index| {
            let strip = self.strip(Part { index, count });
            (self.rows[strip.end].first_unit - self.rows[strip.start].first_unit) as usize <= most
        };
        // Rows that have been given room need not follow each other.
        count >= FEWEST_STRIPS && !self.is_loose && (0..count).all(is_even)
    }

    /// The rows from which a share looks of a search that is cut into strips.
    fn strip(&self, part: Part) -> Range<usize> {
        let end = |share: u32| self.end_of_share(share as usize, part.count as usize);
        end(part.index)..end(part.index + 1)
    }

    /// The rows in which somebody may be whom somebody in a row has within reach.
    fn rows_seen_from(&self, home: usize, reach: f32) -> Range<usize> {
        self.rows_touching(
            self.rows[home].low - widened(reach),
            self.rows[home].high + widened(reach),
        )
    }
}

/// A pair search about to begin, with whatever kernel there is.
struct Emission<'g, 'p, P: Probe, F: FnMut(&[Pair])> {
    grid: &'g SortedGrid,
    search: Search<'p, P, F>,
}

impl<P: Probe, F: FnMut(&[Pair])> Task for Emission<'_, '_, P, F> {
    const DETAILED: bool = P::DETAILED;

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) {
        let Self { grid, mut search } = self;
        for (place, (first, layer)) in grid.occupied_layers().enumerate() {
            // Points are told apart at compile time: their kernel reads two columns and not four.
            if layer.bodies.right.is_empty() {
                search.within::<K, false>(kernel, layer, first);
            } else {
                search.within::<K, true>(kernel, layer, first);
                for (first_above, above) in grid.occupied_layers().skip(place + 1) {
                    search.between(kernel, (layer, first), (above, first_above));
                }
            }
        }
        search.batch.flush();
    }
}

impl<P: Probe, F: FnMut(&[Pair])> Search<'_, P, F> {
    /// The pairs of one layer.
    #[inline(always)]
    fn within<K: Kernel, const SIZED: bool>(
        &mut self,
        kernel: K,
        layer: &Layer,
        first_region: RegionId,
    ) {
        let mut block = Block::EMPTY;
        let deal = DEAL.max(layer.len() / (DEALS * self.part.count as usize));
        // A share has either a strip of rows to itself or a hand of the units of all.
        let (homes, part) = if layer.is_cut_into_strips(self.part.count) {
            (layer.strip(self.part), Part::WHOLE)
        } else {
            (0..layer.listed_rows().len(), self.part)
        };
        for home in homes {
            let rows = layer.rows_seen_from(home, self.reach);
            for place in layer.stretches_of(home) {
                let stretch = layer.stretches[place];
                let whole = layer.units(stretch.run(stretch.first, stretch.last));
                for units in hands(part, whole, deal) {
                    for begin in units.clone().step_by(BLOCK_LENGTH) {
                        let units = begin..units.end.min(begin + BLOCK_LENGTH);
                        block.fill::<SIZED, P>(layer, stretch, units, widened(self.reach));
                        for row in home..rows.end.max(home + 1) {
                            // In its own row what comes before has looked at the block already.
                            let own = (row == home).then_some(place);
                            self.block_against::<K, SIZED>(
                                kernel,
                                layer,
                                &block,
                                row,
                                own,
                                first_region,
                            );
                        }
                    }
                }
            }
        }
    }

    /// Tests the units of a block with those of a row that come later: with all of them but where the block is of that row, of which
    /// then its `own` stretch is told.
    #[inline(always)]
    fn block_against<K: Kernel, const SIZED: bool>(
        &mut self,
        kernel: K,
        layer: &Layer,
        block: &Block,
        row: usize,
        own: Option<usize>,
        first_region: RegionId,
    ) {
        let (low, high) = (layer.rows[row].low, layer.rows[row].high);
        let mut runs = Runs::EMPTY;
        let places = layer.stretches_of(row);
        let stretches = &layer.stretches[places.clone()];
        let own = own.map(|own| own - places.start);
        // Most rows are a single stretch, which needs no search.
        let near = if let Some(own) = own {
            own
        } else if stretches.len() > 1 {
            stretches.partition_point(|stretch| stretch.last < block.first)
        } else {
            0
        };
        for (place, stretch) in stretches.iter().enumerate().skip(near) {
            let is_own = own == Some(place);
            if stretch.first > block.last {
                break;
            }
            if P::HEARS {
                let mut visits = 0;
                for &index in &block.entering[..block.entering_count] {
                    let index = usize::from(index);
                    let (first, last) = (block.firsts[index], block.lasts[index]);
                    if stretch.first <= last && first <= stretch.last {
                        let mut run = stretch.run(first, last);
                        if is_own {
                            run.begin = run.begin.max(block.cells[index]);
                        }
                        if P::DETAILED {
                            let looker = first_region + block.cells[index];
                            self.tell_visits(layer, run, (first_region, looker));
                        } else {
                            visits += layer.occupied_count(run);
                        }
                    }
                }
                if !P::DETAILED {
                    self.probe.visits(visits);
                }
            }
            let columns = layer.bodies.for_kernel();
            let (few, more) = if is_own {
                let own = block.find_own_ends(layer, stretch, &mut runs);
                // Whoever hears of each test hears of them unit by unit; who is found is the same in another order.
                if !P::DETAILED && own.longest <= ABREAST {
                    let found = self.test_abreast::<K, SIZED>(kernel, block, columns, &runs, own);
                    self.tell_found(found);
                    continue;
                }
                (0, block.find_own_runs(kernel, &mut runs))
            } else {
                let heights = (low, high);
                let reach_sq = self.reach_sq;
                block.find_runs::<K, SIZED, P>(kernel, layer, stretch, heights, reach_sq, &mut runs)
            };
            let mut found = Found::default();
            for turn in 0..few {
                let index = runs.short[turn];
                let (run, place) = (runs.of(index), block.units.start + usize::from(index));
                let (unit, body) = (layer.bodies.ids[place], layer.body::<SIZED>(place));
                found.add(self.test::<K, SIZED>(kernel, unit, body, layer, columns, run));
            }
            for turn in 0..more {
                let index = runs.of_somebody[turn];
                let (run, place) = (runs.of(index), block.units.start + usize::from(index));
                let (unit, body) = (layer.bodies.ids[place], layer.body::<SIZED>(place));
                found.add(self.test::<K, SIZED>(kernel, unit, body, layer, columns, run));
                if found.tests > TOLD {
                    self.tell_found(std::mem::take(&mut found));
                }
            }
            self.tell_found(found);
        }
    }

    /// Tells of the occupied cells of a run, at which a cell looks: itself, or others.
    fn tell_visits(
        &mut self,
        layer: &Layer,
        run: Run,
        (first_region, looker): (RegionId, RegionId),
    ) {
        for entry in run.begin..run.end {
            let starts = &layer.starts[entry as usize..];
            if starts[0] < starts[1] {
                if first_region + entry != looker {
                    self.probe.looks(looker);
                }
                self.probe.on(Event::Visit(first_region + entry));
            }
        }
    }

    /// The pairs of a body of one layer and a body of another with larger bodies.
    #[inline(always)]
    fn between<K: Kernel>(
        &mut self,
        kernel: K,
        (layer, first_own): (&Layer, RegionId),
        (larger, first_region): (&Layer, RegionId),
    ) {
        for home in 0..layer.listed_rows().len() {
            for units in hands(self.part, layer.units_of(home), DEAL) {
                for place in units {
                    let body = layer.body::<true>(place);
                    let area = body.grown(Vec2::splat(widened(self.reach)));
                    let (first, last) = larger.columns_touching(area.min.x, area.max.x);
                    for row in larger.rows_touching(area.min.y, area.max.y) {
                        for stretch in larger.stretches_touching(row, first, last) {
                            let run = stretch.run(first, last);
                            if P::HEARS {
                                let looker = match P::DETAILED {
                                    true => first_own + layer.entry_of(home, place),
                                    false => first_own,
                                };
                                self.tell_visits(larger, run, (first_region, looker));
                            }
                            let (unit, run) = (layer.bodies.ids[place], larger.units(run));
                            let columns = larger.bodies.for_kernel();
                            let found =
                                self.test::<K, true>(kernel, unit, body, larger, columns, run);
                            self.tell_found(found);
                        }
                    }
                }
            }
        }
    }

    /// Tests each unit of a block with those behind it and before its end, which are few.
    #[inline(always)]
    fn test_abreast<K: Kernel, const SIZED: bool>(
        &mut self,
        kernel: K,
        block: &Block,
        columns: simd::Bodies<'_>,
        runs: &Runs,
        own: Own,
    ) -> Found {
        let count = block.units.len().div_ceil(PADDING);
        let mut hits = 0;
        let eights = runs.ends.as_chunks::<PADDING>().0;
        for (eight, ends) in eights[..count].iter().enumerate() {
            let (first, free) = (block.units.start + eight * PADDING, self.batch.room());
            let count = kernel.pack_abreast::<SIZED>(free, self.reach_sq, columns, first, ends);
            self.batch.take(count);
            hits += count as u64;
        }
        Found {
            tests: own.tests,
            hits,
        }
    }

    /// Tests a unit with a run of others, which lie in these columns.
    #[inline(always)]
    fn test<K: Kernel, const SIZED: bool>(
        &mut self,
        kernel: K,
        unit: UnitId,
        body: Aabb,
        others: &Layer,
        columns: simd::Bodies<'_>,
        run: Range<usize>,
    ) -> Found {
        if P::DETAILED {
            for place in run.clone() {
                let other = others.bodies.ids[place];
                let (a, b) = (unit.min(other), unit.max(other));
                self.probe.on(Event::TestPair(a, b));
                if body.gap_sq(others.body::<SIZED>(place)) <= self.reach_sq {
                    self.probe.on(Event::HitPair(a, b));
                }
            }
        }
        let (mut begin, mut hits) = (run.start, 0);
        while begin < run.end {
            let end = run.end.min(begin + RUN_LENGTH);
            let (free, reach_sq) = (self.batch.room(), self.reach_sq);
            let count = kernel.pack::<SIZED>(free, unit, body, reach_sq, columns, begin..end);
            self.batch.take(count);
            hits += count;
            begin = end;
        }
        Found {
            tests: run.len() as u64,
            hits: hits as u64,
        }
    }

    /// Tells a probe that was not told of each test how many there were.
    #[inline(always)]
    fn tell_found(&mut self, found: Found) {
        if !P::DETAILED {
            self.probe.tests(found.tests);
            self.probe.hits(found.hits);
        }
    }
}

/// What came of tests that have not been told of yet.
#[derive(Clone, Copy, Default)]
struct Found {
    tests: u64,
    hits: u64,
}

impl Found {
    #[inline(always)]
    fn add(&mut self, more: Self) {
        self.tests += more.tests;
        self.hits += more.hits;
    }
}

/// Units that follow each other in a stretch of a row, with the columns within their reach: found for all of them in one
/// loop that has no branch, and used for every row above.
struct Block {
    units: Range<usize>,
    /// For each unit the first column in which somebody within its reach may be.
    firsts: [i32; BLOCK_LENGTH],
    /// For each unit the last such column.
    lasts: [i32; BLOCK_LENGTH],
    /// The least first column.
    first: i32,
    /// The greatest last column.
    last: i32,
    /// The units with which the block enters another cell; only for a probe that hears.
    entering: [u8; BLOCK_LENGTH],
    entering_count: usize,
    /// For each of them that cell.
    cells: [u32; BLOCK_LENGTH],
}

/// For each unit of a block the run of places with which it is tested.
struct Runs {
    begins: [u32; BLOCK_LENGTH],
    ends: [u32; BLOCK_LENGTH],
    /// How many places that are: none where the unit is too far from the row, and none behind the block up to a full eight.
    lengths: [u32; BLOCK_LENGTH],
    /// The units whose runs are not empty, but for those that are kept in `short`.
    of_somebody: [u8; BLOCK_LENGTH],
    /// In other rows than their own, the units whose runs are not empty and so short that a kernel needs one turn for each: apart from the
    /// others, so that nobody has to guess how many turns come next.
    short: [u8; BLOCK_LENGTH],
}

/// What units of a block are tested with in their own stretch, those behind them.
#[derive(Clone, Copy)]
struct Own {
    /// How many that are, all together.
    tests: u64,
    /// How many of them at the most are one unit's.
    longest: u32,
}

impl Runs {
    const EMPTY: Self = Self {
        begins: [0; BLOCK_LENGTH],
        ends: [0; BLOCK_LENGTH],
        lengths: [0; BLOCK_LENGTH],
        of_somebody: [0; BLOCK_LENGTH],
        short: [0; BLOCK_LENGTH],
    };

    #[inline(always)]
    fn of(&self, index: u8) -> Range<usize> {
        let index = usize::from(index);
        self.begins[index] as usize..self.ends[index] as usize
    }

    /// Tells the first so many units with runs of up to `few` and those with longer ones apart, and says how many they are.
    #[inline(always)]
    fn sort_out<K: Kernel>(&mut self, kernel: K, length: usize, few: u32) -> (usize, usize) {
        let lengths = &self.lengths[..length.next_multiple_of(PADDING)];
        kernel.sort_out(lengths, few, &mut self.short, &mut self.of_somebody)
    }
}

impl Block {
    /// A block without units.
    const EMPTY: Self = Self {
        units: 0..0,
        firsts: [0; BLOCK_LENGTH],
        lasts: [0; BLOCK_LENGTH],
        first: 0,
        last: 0,
        entering: [0; BLOCK_LENGTH],
        entering_count: 0,
        cells: [0; BLOCK_LENGTH],
    };

    /// Finds for each unit the place in its own stretch behind all that its reach touches. Those with whom it is tested begin right behind
    /// it, for it is filed in a cell that its reach touches.
    #[inline(always)]
    fn find_own_ends(&self, layer: &Layer, stretch: &Stretch, runs: &mut Runs) -> Own {
        let length = self.units.len();
        let starts = stretch.starts(layer);
        let ends = &mut runs.ends[..length];
        for (end, last) in ends.iter_mut().zip(&self.lasts[..length]) {
            *end = stretch.entry_behind(*last);
        }
        for end in &mut *ends {
            *end = starts[*end as usize];
        }
        let (lengths, ends) = (&mut runs.lengths[..length], &runs.ends[..length]);
        let first = self.units.start as u32 + 1;
        let mut own = Own {
            tests: 0,
            longest: 0,
        };
        for index in 0..length {
            let count = ends[index].saturating_sub(first + index as u32);
            lengths[index] = count;
            own.tests += u64::from(count);
            own.longest = own.longest.max(count);
        }
        // Nobody is behind those who are in the last eight and not in the block.
        let padded = length..length.next_multiple_of(PADDING);
        runs.ends[padded.clone()].fill(0);
        runs.lengths[padded].fill(0);
        own
    }

    /// Finds the runs of those who have anybody behind them, whose ends and lengths [`Self::find_own_ends`] has found, and says how many that
    /// are.
    #[inline(always)]
    fn find_own_runs<K: Kernel>(&self, kernel: K, runs: &mut Runs) -> usize {
        let length = self.units.len();
        let first = self.units.start as u32 + 1;
        for (index, begin) in runs.begins[..length].iter_mut().enumerate() {
            *begin = first + index as u32;
        }
        runs.sort_out(kernel, length, 0).1
    }

    /// Finds for each unit that is near enough to a row the places in a stretch of it that its reach touches, and says how many have
    /// a few, and how many more.
    ///
    /// Loops of one kind of work each: those that only reckon are done by lanes.
    #[inline(always)]
    fn find_runs<K: Kernel, const SIZED: bool, P: Probe>(
        &self,
        kernel: K,
        layer: &Layer,
        stretch: &Stretch,
        (low, high): (f32, f32),
        reach_sq: f32,
        runs: &mut Runs,
    ) -> (usize, usize) {
        let length = self.units.len();
        let starts = stretch.starts(layer);
        let (begins, ends) = (&mut runs.begins[..length], &mut runs.ends[..length]);
        for (begin, first) in begins.iter_mut().zip(&self.firsts[..length]) {
            *begin = stretch.entry_from(*first);
        }
        for (end, last) in ends.iter_mut().zip(&self.lasts[..length]) {
            *end = stretch.entry_behind(*last);
        }
        for (begin, end) in begins.iter_mut().zip(&mut *ends) {
            (*begin, *end) = (starts[*begin as usize], starts[*end as usize]);
        }
        let bottom = &layer.bodies.bottom[self.units.clone()];
        let top = if SIZED {
            &layer.bodies.top[self.units.clone()]
        } else {
            bottom
        };
        let (lengths, bottom, top) = (
            &mut runs.lengths[..length],
            &bottom[..length],
            &top[..length],
        );
        // Of a chain of iterators each link would be a call.
        #[allow(clippy::needless_range_loop)]
        for index in 0..length {
            let gap = (low - top[index]).max(bottom[index] - high).max(0.0);
            let count = ends[index].saturating_sub(begins[index]);
            lengths[index] = if gap * gap <= reach_sq { count } else { 0 };
        }
        runs.lengths[length..length.next_multiple_of(PADDING)].fill(0);
        // Whoever hears of each test hears of all of them in one order.
        let few = if P::DETAILED { 0 } else { PADDING as u32 };
        runs.sort_out(kernel, length, few)
    }

    #[inline(always)]
    fn fill<const SIZED: bool, P: Probe>(
        &mut self,
        layer: &Layer,
        stretch: Stretch,
        units: Range<usize>,
        reach: f32,
    ) {
        self.units = units.clone();
        let length = units.len();
        let columns = &layer.bodies;
        let left = &columns.left[units.clone()];
        let right = if SIZED {
            &columns.right[units.clone()]
        } else {
            left
        };
        for (first, x) in self.firsts.iter_mut().zip(left) {
            *first = layer.columns_touching(x - reach, x - reach).0;
        }
        for (last, x) in self.lasts.iter_mut().zip(right) {
            *last = layer.columns_touching(x + reach, x + reach).1;
        }
        let least = |sum: i32, number: &i32| sum.min(*number);
        let greatest = |sum: i32, number: &i32| sum.max(*number);
        self.first = self.firsts[..length].iter().fold(i32::MAX, least);
        self.last = self.lasts[..length].iter().fold(i32::MIN, greatest);
        if P::HEARS {
            let starts = stretch.starts(layer);
            let is_before = |start: &u32| *start as usize <= units.start;
            let mut entry = starts.partition_point(is_before) - 1;
            let (mut count, mut place) = (0, units.start);
            while place < units.end {
                let index = place - units.start;
                self.entering[count] = index as u8;
                self.cells[index] = stretch.offset + entry as u32;
                entry += 1;
                // An empty cell begins where the next one does, which then takes its place.
                let next = starts[entry] as usize;
                count += usize::from(next > place);
                place = next;
            }
            self.entering_count = count;
        }
    }
}
