//! The ledger: what every tick cost, so that a switch of structures ends no curve, and a tick that is gone back to shows what it
//! showed the first time.
//!
//! Invariant: a row is written once. Who goes over a tick again finds the figures of the first time, its times included, unless another
//! structure follows since then: then it is another row.

use super::followed::AnyIndex;
use super::lane::Lane;
use crate::scene::StructureChoice;
use crate::streaming::Figures as WorldFigures;
use crate::structure::StructureKind;
use std::ops::Range;

/// What a tick cost one lane. Counts are kept as they are drawn, to seven digits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figures {
    /// Which of [`Ledger::runs`] it belongs to.
    pub run: u32,
    /// Units and pairs compared by the queries.
    pub tests: f32,
    /// Regions entered by the queries.
    pub visits: f32,
    /// Pairs found.
    pub pairs: f32,
    /// The bytes that the index takes.
    pub bytes: f32,
    /// How long it took.
    pub times: Times,
}

/// How long a tick took a lane, in microseconds; not a number where nobody had a clock.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Times {
    /// The index learned what had changed.
    pub update_us: f32,
    /// The queries: who is nearest, and the pairs.
    pub query_us: f32,
    /// All of it, with the movement of the units where this lane answers the battle.
    pub step_us: f32,
}

impl Times {
    /// Nobody had a clock.
    pub const UNKNOWN: Self = Self {
        update_us: f32::NAN,
        query_us: f32::NAN,
        step_us: f32::NAN,
    };
}

/// A stretch of ticks in which a lane had the same structure with the same knobs.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// Which lane.
    pub lane: usize,
    /// The first tick that it answered.
    pub from: u64,
    /// The structure.
    pub kind: StructureKind,
    /// The value of each of its knobs.
    pub knobs: Vec<f64>,
}

impl Run {
    fn is_of<I: AnyIndex>(&self, lane: &Lane<I>) -> bool {
        let index = lane.index();
        let mut knobs = self.knobs.iter().enumerate();
        self.kind == index.kind().into() && knobs.all(|(knob, value)| index.knob(knob) == *value)
    }

    /// The structure, with the knobs that differ from their defaults.
    pub fn choice(&self) -> StructureChoice<StructureKind> {
        let knobs = self.kind.info().knobs.iter().zip(&self.knobs).enumerate();
        StructureChoice {
            kind: self.kind,
            knobs: knobs
                .filter(|(_, (info, value))| info.default != **value)
                .map(|(knob, (_, value))| (knob, *value))
                .collect(),
        }
    }
}

/// The ticks of one row of the coarse curve.
const BLOCK: u64 = 64;

/// More rows than this are not kept: two and a half hours at sixty a second. The oldest eighth then goes, and its coarse curve stays.
const ROWS: usize = 1 << 19;

/// The heaviest tick of a block.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Peak {
    tick: u64,
    tests: f32,
}

/// Of which run of the scene each tick is: from its start, or a restart, to the next one. Where a restart was taken back a run goes on after
/// the ticks of another one.
#[derive(Debug, Default, PartialEq)]
pub struct RunTicks {
    /// The first tick of each stretch of ticks of one run, and the tick at which that run had begun.
    begins: Vec<(u64, u64)>,
    /// The tick after the last one that is known.
    end: u64,
}

impl Clone for RunTicks {
    fn clone(&self) -> Self {
        let mut copy = Self::default();
        copy.clone_from(self);
        copy
    }

    /// Keeps the room that it has: a window is told of them again and again.
    fn clone_from(&mut self, of: &Self) {
        let Self { begins, end } = of;
        self.begins.clone_from(begins);
        self.end = *end;
    }
}

impl RunTicks {
    /// Takes down that a tick, which comes after those that are known, is of the run that `began` at a tick.
    fn note(&mut self, tick: u64, began: u64) {
        if self.began(tick) != Some(began) {
            self.begins.push((tick, began));
        }
        self.end = tick + 1;
    }

    /// Forgets what lies after `tick`.
    fn cut(&mut self, tick: u64) {
        self.begins.retain(|(from, _)| *from <= tick);
        self.end = self.end.min(tick + 1);
    }

    /// See [`Ledger::began`].
    pub fn began(&self, tick: u64) -> Option<u64> {
        let until = self.begins.partition_point(|(from, _)| *from <= tick);
        let last = self.begins[..until].last();
        last.map(|(_, began)| *began)
    }

    /// The ticks of the run that `began` at a tick, by stretches: where a restart was taken back, those of what it had begun lie between
    /// them. Behind what is known the last one goes on.
    pub fn stretches_since(&self, began: u64) -> impl Iterator<Item = Range<u64>> {
        let next = self.begins.iter().skip(1).map(|(from, _)| *from);
        let stretches = self.begins.iter().zip(next.chain([u64::MAX]));
        let own = stretches.filter(move |((_, of), _)| *of == began);
        own.map(|((from, _), to)| *from..to)
    }

    /// From which tick to which that run went, by stretches, as far as it is known and no further than to the tick `until`. Each begins at
    /// the tick behind which it goes on, which is that of the restart or of the undo.
    pub fn spans(&self, began: u64, until: u64) -> impl Iterator<Item = [u64; 2]> {
        let until = until.min(self.end.saturating_sub(1));
        let known = self.stretches_since(began);
        let known = known.take_while(move |ticks| ticks.start <= until);
        known.map(move |ticks| [ticks.start.saturating_sub(1), until.min(ticks.end - 1)])
    }

    /// The last tick of that run that is known: that of the restart, or of the undo of one, that has ended it at last. `None` where none is.
    pub fn last_tick(&self, began: u64) -> Option<u64> {
        self.spans(began, u64::MAX).last().map(|[_, last]| last)
    }

    /// The bytes that it takes on the heap.
    fn byte_count(&self) -> usize {
        self.begins.capacity() * size_of::<(u64, u64)>()
    }
}

/// What every tick cost.
#[derive(Clone, Debug, Default)]
pub struct Ledger {
    /// The tick of the first row.
    first: u64,
    /// Where the lanes of each row begin.
    starts: Vec<u32>,
    lanes: Vec<Figures>,
    /// How many units stood after it, one a row.
    units: Vec<u32>,
    /// One a row, where there is a world.
    world: Vec<WorldFigures>,
    run_ticks: RunTicks,
    runs: Vec<Run>,
    /// The run of each lane at the last row.
    present: Vec<u32>,
    /// The heaviest tick of each [`BLOCK`] ticks from 0 on, by its tests.
    peaks: Vec<Peak>,
}

impl Ledger {
    /// Writes down what `tick` cost with so many units, in a scene that `began` at a tick, unless that is known already. Ticks come in their
    /// order.
    pub fn note<I: AnyIndex>(
        &mut self,
        (tick, began, units): (u64, u64, u64),
        lanes: &[Lane<I>],
        times: impl Fn(usize) -> Times,
        world: Option<&WorldFigures>,
    ) {
        if self.starts.is_empty() {
            self.first = tick;
        }
        if tick != self.end() {
            return;
        }
        if self.starts.len() == ROWS {
            self.forget(ROWS / 8);
        }
        self.starts.push(self.lanes.len() as u32);
        self.units.push(u32::try_from(units).unwrap_or(u32::MAX));
        for (place, lane) in lanes.iter().enumerate() {
            let cost = &lane.cost;
            let figures = Figures {
                run: self.run_of(place, lane, tick),
                tests: cost.query.tests as f32,
                visits: cost.query.visits as f32,
                pairs: cost.pairs as f32,
                bytes: lane.byte_count() as f32,
                times: if lane.difference.is_none() {
                    times(place)
                } else {
                    Times::UNKNOWN
                },
            };
            self.lanes.push(figures);
        }
        self.present.truncate(lanes.len());
        self.world.extend(world.copied());
        self.run_ticks.note(tick, began);
        self.peak(tick, self.tests(tick));
    }

    fn run_of<I: AnyIndex>(&mut self, place: usize, lane: &Lane<I>, tick: u64) -> u32 {
        if let Some(run) = self.present.get(place)
            && self.runs[*run as usize].is_of(lane)
        {
            return *run;
        }
        let index = lane.index();
        self.runs.push(Run {
            lane: place,
            from: tick,
            kind: index.kind().into(),
            knobs: (0..index.info().knobs.len())
                .map(|knob| index.knob(knob))
                .collect(),
        });
        let run = self.runs.len() as u32 - 1;
        if place < self.present.len() {
            self.present[place] = run;
        } else {
            self.present.push(run);
        }
        run
    }

    fn peak(&mut self, tick: u64, tests: f32) {
        let block = (tick / BLOCK) as usize;
        if self.peaks.len() <= block {
            self.peaks.resize(block + 1, Peak::default());
        }
        let peak = &mut self.peaks[block];
        if tests > peak.tests || peak.tick == 0 {
            *peak = Peak { tick, tests };
        }
    }

    /// Forgets the oldest rows.
    fn forget(&mut self, count: usize) {
        let lanes = self.starts[count];
        self.starts.drain(..count);
        for start in &mut self.starts {
            *start -= lanes;
        }
        self.lanes.drain(..lanes as usize);
        self.units.drain(..count);
        self.world.drain(..count.min(self.world.len()));
        self.first += count as u64;
    }

    /// Forgets what lies after `tick`.
    pub fn cut(&mut self, tick: u64) {
        let kept = (tick + 1).saturating_sub(self.first) as usize;
        if kept >= self.starts.len() {
            return;
        }
        self.lanes.truncate(self.starts[kept] as usize);
        self.starts.truncate(kept);
        self.units.truncate(kept);
        self.world.truncate(kept);
        self.runs.retain(|run| run.from <= tick);
        self.run_ticks.cut(tick);
        let last = self.row(self.end().saturating_sub(1));
        self.present = last.iter().map(|figures| figures.run).collect();
        let block = (tick / BLOCK) as usize;
        self.peaks.truncate(block);
        for tick in (block as u64 * BLOCK).max(self.first)..self.end() {
            self.peak(tick, self.tests(tick));
        }
    }

    /// The tick after the last row.
    pub fn end(&self) -> u64 {
        self.first + self.starts.len() as u64
    }

    /// The tick of the first row that is still there.
    pub fn first(&self) -> u64 {
        self.first
    }

    /// What a tick cost each lane; nothing where that is not known.
    pub fn row(&self, tick: u64) -> &[Figures] {
        let Some(row) = tick.checked_sub(self.first).map(|row| row as usize) else {
            return &[];
        };
        let Some(&start) = self.starts.get(row) else {
            return &[];
        };
        let next = self.starts.get(row + 1);
        let end = next.map_or(self.lanes.len(), |start| *start as usize);
        &self.lanes[start as usize..end]
    }

    /// The tests of a tick: of the structure that answers the battle, and of the trees of the world.
    pub fn tests(&self, tick: u64) -> f32 {
        let lane = self.row(tick).first().map_or(0.0, |lane| lane.tests);
        let world = self
            .world(tick)
            .map_or(0, |world| world.tests.load + world.tests.unload);
        lane + world as f32
    }

    /// How many units stood after a tick; `None` where that is not known.
    pub fn units(&self, tick: u64) -> Option<u32> {
        let row = tick.checked_sub(self.first)?;
        self.units.get(row as usize).copied()
    }

    /// What a tick cost the world.
    pub fn world(&self, tick: u64) -> Option<&WorldFigures> {
        self.world.get(tick.checked_sub(self.first)? as usize)
    }

    /// The tick at which the scene had begun that a tick was one of; `None` where that is not known.
    pub fn began(&self, tick: u64) -> Option<u64> {
        self.run_ticks.began(tick)
    }

    /// Of which run each tick is.
    pub fn run_ticks(&self) -> &RunTicks {
        &self.run_ticks
    }

    /// Every stretch of ticks in which a lane had one structure, by the tick at which it began.
    pub fn runs(&self) -> &[Run] {
        &self.runs
    }

    /// The tick with the most tests, and how many; none where no tick had any, for then none is heavier than another.
    pub fn heaviest(&self) -> Option<(u64, f32)> {
        let known = self.peaks.iter();
        let known = known.filter(|peak| peak.tick > 0 && peak.tests > 0.0);
        known
            .max_by(|a, b| a.tests.total_cmp(&b.tests).then(b.tick.cmp(&a.tick)))
            .map(|peak| (peak.tick, peak.tests))
    }

    /// The tests from tick 0 to tick `last`, the greatest of each of at most `columns` stretches of equal
    /// length. O(columns + rows of one stretch) blocks and rows are looked at, not each tick of a long battle.
    pub fn curve(&self, last: u64, columns: usize, into: &mut Vec<f32>) {
        into.clear();
        let columns = (columns as u64).min(last + 1).max(1);
        for column in 0..columns {
            let from = column * (last + 1) / columns;
            let to = ((column + 1) * (last + 1) / columns).max(from + 1);
            let most = if to - from > BLOCK {
                let blocks = (from / BLOCK) as usize..to.div_ceil(BLOCK) as usize;
                let known = blocks.filter_map(|block| self.peaks.get(block));
                known.map(|peak| peak.tests).fold(0.0, f32::max)
            } else {
                (from..to).map(|tick| self.tests(tick)).fold(0.0, f32::max)
            };
            into.push(most);
        }
    }

    /// The bytes that it takes on the heap.
    pub fn byte_count(&self) -> usize {
        self.starts.capacity() * size_of::<u32>()
            + self.lanes.capacity() * size_of::<Figures>()
            + self.units.capacity() * size_of::<u32>()
            + self.world.capacity() * size_of::<WorldFigures>()
            + self.run_ticks.byte_count()
            + self.runs.capacity() * size_of::<Run>()
            + self.peaks.capacity() * size_of::<Peak>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::partition::AnyPartition;

    #[test]
    fn the_ticks_of_a_run_are_told_from_those_of_a_restart_that_was_taken_back() {
        let none: [Lane<AnyPartition>; 0] = [];
        let mut ledger = Ledger::default();
        // A restart at tick 4, taken back at tick 7.
        for (tick, began) in [0, 0, 0, 0, 0, 4, 4, 4, 0, 0].into_iter().enumerate() {
            ledger.note((tick as u64, began, 1), &none, |_| Times::UNKNOWN, None);
        }
        let of = |ledger: &Ledger, began| {
            let stretches = ledger.run_ticks().stretches_since(began);
            stretches
                .map(|ticks| (ticks.start, ticks.end))
                .collect::<Vec<_>>()
        };
        assert_eq!(of(&ledger, 0), [(0, 5), (8, u64::MAX)]);
        assert_eq!(of(&ledger, 4), [(5, 8)]);
        assert_eq!(
            [4, 5, 7, 8].map(|tick| ledger.began(tick)),
            [0, 4, 4, 0].map(Some)
        );
        // A restart of which no tick has passed yet has none.
        assert!(of(&ledger, 9).is_empty());
        let spans = |ledger: &Ledger, began, until| {
            let spans = ledger.run_ticks().spans(began, until);
            spans.collect::<Vec<_>>()
        };
        assert_eq!(spans(&ledger, 0, 9), [[0, 4], [7, 9]]);
        assert_eq!(spans(&ledger, 0, 100), [[0, 4], [7, 9]]);
        assert_eq!(spans(&ledger, 0, 7), [[0, 4]]);
        assert_eq!(spans(&ledger, 4, 6), [[4, 6]]);
        assert!(spans(&ledger, 4, 4).is_empty() && spans(&ledger, 9, 100).is_empty());
        let last = |ledger: &Ledger| [0, 4, 9].map(|began| ledger.run_ticks().last_tick(began));
        assert_eq!(last(&ledger), [Some(9), Some(7), None]);
        ledger.cut(6);
        assert_eq!(last(&ledger), [Some(4), Some(6), None]);
        assert_eq!(of(&ledger, 0), [(0, 5)]);
        assert_eq!(of(&ledger, 4), [(5, u64::MAX)]);
    }

    #[test]
    fn a_copy_of_the_ticks_of_runs_that_is_made_anew_keeps_its_room() {
        let runs = |restarts: u64| {
            let mut runs = RunTicks::default();
            (0..restarts).for_each(|tick| runs.note(tick, tick));
            runs
        };
        let mut copy = runs(100);
        let room = copy.byte_count();
        for restarts in [3, 100, 0] {
            copy.clone_from(&runs(restarts));
            assert_eq!(copy, runs(restarts));
            assert_eq!(copy.byte_count(), room, "{restarts}");
        }
        assert_eq!(runs(7).clone(), runs(7));
    }

    #[test]
    fn of_ticks_without_tests_none_is_the_heaviest() {
        let none: [Lane<AnyPartition>; 0] = [];
        let heaviest = |tests: &[u64]| {
            let mut ledger = Ledger::default();
            for (tick, load) in (0..).zip(tests) {
                let mut world = WorldFigures::default();
                world.tests.load = *load;
                ledger.note((tick, 0, 1), &none, |_| Times::UNKNOWN, Some(&world));
            }
            ledger.heaviest()
        };
        assert_eq!(heaviest(&[0; 100]), None);
        assert_eq!(heaviest(&[0, 0, 3, 0, 3]), Some((2, 3.0)));
    }
}
