//! What has been read: the last readings of each row, and the least of the moment.

use super::Rows;
use crate::app::worker::Moment;
use skirmish::measure::ALIKE_TIMES;
use skirmish::measure::questions::Asked;
use skirmish::measure::survey::Row;
use skirmish::probe::Counter;
use skirmish::scene::AnyChoice;
use std::collections::VecDeque;
use std::time::Instant;

/// As many are made of what takes long, and no time is sure of which there are fewer.
pub const LEAST_READINGS: usize = 3;

/// As many rounds as times are the median of; where time stands still, no more are made where all readings agree.
const READINGS: usize = 5;

/// As many readings are made of a moment that stands before rows whose last ones disagree are left as they are: a machine that has been
/// busy for so long may stay it.
const MOST_READINGS: usize = 15;

/// By how many times the median may exceed the least reading. Whatever else the machine does can only lengthen a time, so the least one is
/// the nearest to what it costs. Structures are told apart from 1.15 times on: a median that is more than three times as far off says
/// nothing of who is quicker.
const DOUBTFUL: f64 = 1.5;

/// A round that takes longer than this, in microseconds, is made no more often than it has to be.
const LONG_US: f64 = 1_000_000.0;

/// Shorter times, in microseconds, are those of looking at the clock.
const LEAST_US: f64 = 2.0;

/// What came of measuring a structure.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// It was measured. The counters are those of the last reading, the times the medians of the last few.
    Measured(Box<Row>),
    /// It would make so many tests, which nobody would wait for.
    TooMany(u64),
    /// It took too long.
    TooLong,
}

/// A row of the table.
#[derive(Clone, Debug, PartialEq)]
pub struct SurveyRow {
    /// The structure, as it was asked for.
    pub choice: AnyChoice,
    /// The tick of the moment on which it was measured.
    pub tick: u64,
    /// What came of it.
    pub outcome: Outcome,
    /// Of how many readings the times are the medians.
    pub readings: usize,
    /// With how many single rectangles a tick is reckoned: nothing is measured otherwise for it, but what is doubtful is read again.
    pub rectangles: u32,
    /// Whether it was read in another span of time than rows that have been read since: it is compared with none of them, and read again.
    pub is_of_before: bool,
    /// What it came to when it was measured before, on another tick.
    worked_before: Option<(u64, Worked)>,
    /// These readings; none where two runs must look alike.
    last: Vec<Reading>,
    /// Of all readings of this moment those that are the least in something.
    best: Vec<Reading>,
    /// How many were made of this very tick.
    taken: usize,
    /// How many are made of one at the most.
    most: usize,
}

/// All that is counted of a row.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Worked {
    /// Tests and visits of its queries, the work of its upkeep and that of its building.
    tick: (u64, u64, Counter, Counter),
    /// Tests and visits of a single rectangle.
    rectangle: [f64; 2],
}

impl Worked {
    /// Whether both are the very same, as far as a tick with so many rectangles is concerned.
    fn is_as(&self, other: &Self, rectangles: u32) -> bool {
        self.tick == other.tick && (rectangles == 0 || self.rectangle == other.rectangle)
    }
}

/// The times of one reading, in microseconds, by the numbers by which they are asked for: build, update, query, one rectangle, one
/// search for the nearest.
type Reading = [f64; TIMES];

/// How many times a reading has.
const TIMES: usize = 5;

/// What a tick asks by itself, of the times of a reading: upkeep and queries together.
pub const UPDATE_AND_QUERY: &[usize] = &[1, 2];

/// The number of a time that is in no reading: that of all rectangles with which a tick is reckoned.
const RECTANGLES: usize = TIMES;

/// What a tick takes: what it asks by itself, and the rectangles with which it is reckoned.
pub const OF_TICK: &[usize] = &[1, 2, RECTANGLES];

/// All that is asked of a reading: each time alone, and what a tick takes without rectangles and with them.
const ASKED: [&[usize]; TIMES + 2] = [&[0], &[1], &[2], &[3], &[4], UPDATE_AND_QUERY, OF_TICK];

/// Some of the times of a reading together, with so many rectangles a tick.
fn sum(reading: &Reading, times: &[usize], rectangles: u32) -> f64 {
    let time = |time: &usize| match *time {
        RECTANGLES => f64::from(rectangles) * reading[3],
        time => reading[time],
    };
    times.iter().map(time).sum()
}

/// How far the readings of a time lie apart, in microseconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// The least of them.
    pub least: f64,
    /// The median.
    pub median: f64,
    /// The most of them.
    pub most: f64,
}

impl Spread {
    /// That of these; `None` of none.
    pub fn of(mut all: Vec<f64>) -> Option<Self> {
        all.sort_by(f64::total_cmp);
        let middle = all.len() / 2;
        let (&least, &most) = (all.first()?, all.last()?);
        let median = match all.len() % 2 {
            0 => (all[middle - 1] + all[middle]) / 2.0,
            _ => all[middle],
        };
        Some(Self {
            least,
            median,
            most,
        })
    }

    /// Whether so many of them were lengthened by something else that the median says little.
    pub fn is_doubtful(&self) -> bool {
        self.median.max(LEAST_US) >= DOUBTFUL * self.least.max(LEAST_US)
    }
}

/// Where a row keeps them.
fn times_of(row: &mut Row) -> [&mut f64; TIMES] {
    let [rectangle, nearest] = &mut row.prices;
    [
        &mut row.build_us,
        &mut row.update_us,
        &mut row.query_us,
        &mut rectangle.us,
        &mut nearest.us,
    ]
}

impl SurveyRow {
    /// Whether as many readings were made as its times are to be the medians of, or there is none to be had.
    pub fn is_read(&self) -> bool {
        self.readings >= READINGS || !self.is_measured()
    }

    /// The same row in the place of one that was measured before it.
    pub(super) fn after(mut self, before: &Self) -> Self {
        if before.choice == self.choice && !before.is_of_before {
            self.worked_before = match before.tick == self.tick {
                true => before.worked_before,
                false => before.worked().map(|worked| (before.tick, worked)),
            };
        }
        self
    }

    fn worked(&self) -> Option<Worked> {
        match &self.outcome {
            Outcome::Measured(row) => Some(Worked {
                tick: (row.tests, row.visits, row.update, row.build),
                rectangle: [row.prices[0].tests, row.prices[0].visits],
            }),
            _ => None,
        }
    }

    /// Whether it came to the very same work as another one, on a tick on which both were measured; `None` where there is none. While time
    /// passes a round is of another tick than the one before, and rows of both stand beside each other.
    pub fn worked_as(&self, other: &Self) -> Option<bool> {
        let all = |row: &Self| {
            let now = row.worked().map(|worked| (row.tick, worked));
            [now, row.worked_before].into_iter().flatten()
        };
        let comparable = !self.is_of_before && !other.is_of_before;
        let mut own = all(self).filter(|_| comparable);
        own.find_map(|(tick, worked)| {
            let (_, other) = all(other).find(|(of, _)| *of == tick)?;
            Some(other.is_as(&worked, self.rectangles))
        })
    }

    /// The first of these rows that came to the very same work, where the figures that are shown of both say so: those of another tick may
    /// be others. While time passes that is this one or none, and never one behind it.
    pub fn first_alike<'r>(&self, mut others: impl Iterator<Item = &'r Self>) -> Option<&'r Self> {
        let first = others.find(|other| self.worked_as(other) == Some(true));
        let worked = self.worked();
        first.filter(|other| match (worked, other.worked()) {
            (Some(one), Some(other)) => one.is_as(&other, self.rectangles),
            (one, other) => one.is_none() && other.is_none(),
        })
    }

    /// What a tick takes of what was measured, in microseconds: its upkeep, its queries, and the rectangles with which it is reckoned.
    pub fn parts_of_tick(&self, measured: &Row) -> [f64; 3] {
        let rectangles = f64::from(self.rectangles) * measured.prices[0].us;
        [measured.update_us, measured.query_us, rectangles]
    }

    fn is_measured(&self) -> bool {
        matches!(self.outcome, Outcome::Measured(_))
    }

    /// How far its readings of a time lie apart, or of a sum of some, if what is shown of it says little: they lie far apart, or there are
    /// too few of them, or the others have been read since. The least is that of the moment, however often that was
    /// measured: a slow phase of the machine may hold up every one of the last readings, and then they agree.
    pub fn doubt(&self, times: &[usize]) -> Option<Spread> {
        let readings_of = |times: &[usize]| {
            let all = self.last.iter().map(|it| sum(it, times, self.rectangles));
            Spread::of(all.collect())
        };
        let of_one = |time: &usize| readings_of(std::slice::from_ref(time));
        let last = readings_of(times)?;
        let spread = Spread {
            least: self.least(times).unwrap_or(last.least),
            // A sum is shown as that of the medians: what holds now one part of it up and now the other changes neither of them.
            median: times.iter().filter_map(of_one).map(|it| it.median).sum(),
            most: last.most,
        };
        let is_doubtful = spread.is_doubtful() || self.is_doubted_by_parts(times, spread.median);
        (self.is_of_before || self.is_hardly_read() || is_doubtful).then_some(spread)
    }

    /// Whether parts of a sum are doubtful that make up so much of it that it may be told apart from others by them.
    fn is_doubted_by_parts(&self, times: &[usize], whole: f64) -> bool {
        let doubtful = times.iter().filter(|_| times.len() > 1);
        let doubtful = doubtful.filter_map(|time| self.doubt(std::slice::from_ref(time)));
        let sure = whole - doubtful.map(|spread| spread.median).sum::<f64>();
        sure < whole && whole >= ALIKE_TIMES * sure
    }

    /// The least reading of a time, or of a sum of some, of all those of this moment, however often that was measured; `None` where none
    /// is known. Of a sum with other rectangles than it was read with it is the least of those readings that are kept.
    pub fn least(&self, times: &[usize]) -> Option<f64> {
        let all = self.best.iter().chain(&self.last);
        all.map(|it| sum(it, times, self.rectangles))
            .min_by(f64::total_cmp)
    }

    /// Whether it has been read so few times that one that was held up may be what is shown, and is to be read again.
    pub fn is_hardly_read(&self) -> bool {
        self.readings < LEAST_READINGS && !self.is_read()
    }

    /// Whether anything that is shown of it says little.
    pub fn is_doubtful(&self) -> bool {
        ASKED.iter().any(|times| self.doubt(times).is_some())
    }

    /// How long one reading of it took, without the single questions, in microseconds.
    fn took_us(&self) -> f64 {
        self.last
            .last()
            .map_or(0.0, |reading| sum(reading, &[0, 1, 2], 0))
    }

    /// Whether it is left as it is while time stands still.
    pub fn is_given_up(&self) -> bool {
        self.taken >= self.most
    }
}

/// The last readings of a structure, the latest last.
#[derive(Clone, Debug)]
struct Readings {
    choice: AnyChoice,
    last: VecDeque<Reading>,
    /// Of which tick the latest is, and how many were made of it.
    of_tick: (u64, usize),
}

impl Readings {
    /// Takes a reading of a tick, and puts the medians into its place.
    fn take(&mut self, row: &mut Row, tick: u64) {
        if self.last.len() == READINGS {
            self.last.pop_front();
        }
        self.last.push_back(times_of(row).map(|time| *time));
        let before = match self.of_tick {
            (of, count) if of == tick => count,
            _ => 0,
        };
        self.of_tick = (tick, before + 1);
        for (which, time) in times_of(row).into_iter().enumerate() {
            let all = self.last.iter().map(|reading| reading[which]).collect();
            *time = Spread::of(all).map_or(*time, |spread| spread.median);
        }
    }
}

/// A structure as it is asked for, and the knobs that it is not left to choose then, with their values.
pub(super) type OfHeld = (AnyChoice, Vec<(usize, f64)>);

/// What both threads reach.
#[derive(Debug, Default)]
pub(super) struct Board {
    /// As they were asked for: structures in the order of the registry, values of a knob upwards.
    pub(super) rows: Vec<Option<SurveyRow>>,
    /// Of which table these are.
    pub(super) of: Rows,
    /// The last readings of each, all of them of one span of time.
    readings: Vec<Readings>,
    /// Of the readings of one moment those that are the least in something, of each structure that was read there, with what was held of
    /// it: with another value it is as good as another one.
    best: Vec<(OfHeld, Vec<Reading>)>,
    /// That moment: its tick, and how often the units had been changed; and what was asked then besides.
    best_of: Option<(u64, u64, Asked)>,
    /// Since when the row under way is measured.
    pub(super) since: Option<Instant>,
    /// With how many single rectangles its rows reckon a tick.
    rectangles: u32,
}

impl Board {
    /// What is known of the moment, without any row.
    pub(super) fn without_rows(&mut self) -> Self {
        Self {
            best: std::mem::take(&mut self.best),
            best_of: self.best_of,
            rectangles: self.rectangles,
            ..Self::default()
        }
    }

    /// Lets its rows reckon a tick with so many single rectangles: by what a tick takes then it is known whether they are read enough.
    pub(super) fn reckon_with(&mut self, rectangles: u32) {
        self.rectangles = rectangles;
        for row in self.rows.iter_mut().flatten() {
            row.rectangles = rectangles;
        }
    }

    /// From now on other readings are made, and no row of before is compared with theirs.
    pub(super) fn begin_anew(&mut self) {
        self.readings.clear();
        for row in self.rows.iter_mut().flatten() {
            row.is_of_before = true;
        }
    }

    /// A round of this moment begins.
    pub(super) fn be_of(&mut self, moment: Moment, questions: Asked) {
        let now = Some((moment.tick, moment.crowds, questions));
        if self.best_of != now {
            (self.best, self.best_of) = (Vec::new(), now);
        }
    }

    /// Whether another round of the same tick would change little: each row that can be had was read as often as its times are to be the
    /// medians of, and none is doubtful, or all have been read so often that it will not change.
    pub(super) fn is_read_enough(&self, tick: u64) -> bool {
        let is_there = |row: &Option<SurveyRow>| {
            let row = row.as_ref();
            row.is_some_and(|row| row.tick == tick && !row.is_of_before)
        };
        let measured = || self.rows.iter().flatten().filter(|row| row.is_measured());
        let most = self.most_readings();
        self.rows.iter().all(is_there)
            && measured().all(|row| row.taken >= READINGS)
            && (measured().all(|row| row.taken >= most) || !measured().any(SurveyRow::is_doubtful))
    }

    /// How many readings are made of a moment that stands: what would keep a processor busy for minutes is left as it is sooner.
    fn most_readings(&self) -> usize {
        let rows = self.rows.iter().flatten().filter(|row| row.is_measured());
        match rows.map(SurveyRow::took_us).sum::<f64>() > LONG_US {
            true => READINGS,
            false => MOST_READINGS,
        }
    }

    /// The rows that there are. How often they are read hangs together: one that takes long lets all be read less often.
    pub(super) fn rows_of_now(&self) -> impl Iterator<Item = SurveyRow> {
        let most = self.most_readings();
        let rows = self.rows.iter().flatten().cloned();
        rows.map(move |row| SurveyRow { most, ..row })
    }

    /// Whether it is known of a row that it cannot be had at this tick.
    pub(super) fn is_in_vain(&self, place: usize, tick: u64) -> bool {
        let row = self.rows.get(place).and_then(Option::as_ref);
        row.is_some_and(|row| row.tick == tick && !row.is_of_before && !row.is_measured())
    }

    /// The row of an outcome, with the medians of the last readings in the place of its times. `repeats` says whether others follow.
    pub(super) fn take(
        &mut self,
        of: OfHeld,
        tick: u64,
        mut outcome: Outcome,
        repeats: bool,
    ) -> SurveyRow {
        let mut row = SurveyRow {
            choice: of.0.clone(),
            tick,
            outcome: Outcome::TooLong,
            readings: READINGS,
            rectangles: self.rectangles,
            is_of_before: false,
            worked_before: None,
            last: Vec::new(),
            best: Vec::new(),
            taken: READINGS,
            most: self.most_readings(),
        };
        if let Outcome::Measured(measured) = &mut outcome
            && repeats
        {
            let reading = times_of(measured).map(|time| *time);
            row.best = self.keep_best(&of, reading).to_vec();
            let readings = self.readings_of(of.0, tick);
            readings.take(measured, tick);
            row.last.extend(&readings.last);
            (row.readings, row.taken) = (row.last.len(), readings.of_tick.1);
        }
        row.outcome = outcome;
        row
    }

    fn readings_of(&mut self, choice: AnyChoice, tick: u64) -> &mut Readings {
        let known = self.readings.iter().position(|it| it.choice == choice);
        let place = known.unwrap_or_else(|| {
            self.readings.push(Readings {
                choice,
                last: VecDeque::with_capacity(READINGS),
                of_tick: (tick, 0),
            });
            self.readings.len() - 1
        });
        &mut self.readings[place]
    }

    /// Takes a reading among the best ones of its structure, a reading for each of what is asked, and gives these.
    fn keep_best(&mut self, of: &OfHeld, reading: Reading) -> &[Reading] {
        let known = self.best.iter().position(|(it, _)| it == of);
        let place = known.unwrap_or_else(|| {
            self.best.push((of.clone(), vec![reading; ASKED.len()]));
            self.best.len() - 1
        });
        let (best, rectangles) = (&mut self.best[place].1, self.rectangles);
        for (best, times) in best.iter_mut().zip(ASKED) {
            if sum(&reading, times, rectangles) < sum(best, times, rectangles) {
                *best = reading;
            }
        }
        best
    }
}

#[cfg(test)]
impl SurveyRow {
    /// A quadtree that was asked by 1,200 units and found 31 pairs within 2.5 m, in no time.
    pub fn measured() -> Row {
        use skirmish::measure::questions::Price;
        use skirmish::partition::Kind;
        Row {
            choice: AnyChoice::new(Kind::Quadtree.into()),
            units: 1_200,
            reach: 2.5,
            chosen: Vec::new(),
            cells: None,
            build_us: 0.0,
            update_us: 0.0,
            query_us: 0.0,
            tests: 0,
            visits: 0,
            pairs: 31,
            bytes: 0,
            build: Counter::default(),
            update: Counter::default(),
            difference: None,
            prices: [Price::default(); 2],
            size: [0.0; 2],
            nearest: 0,
            wrong_answer: None,
        }
    }

    /// What comes of a structure with these readings, the latest last, where a tick is reckoned with so many rectangles. `repeats` is not
    /// where two runs must look alike.
    pub fn of_readings(
        measured: &Row,
        readings: &[[f64; TIMES]],
        rectangles: u32,
        repeats: bool,
    ) -> Self {
        let mut board = Board::default();
        board.reckon_with(rectangles);
        let rows = readings.iter().map(|reading| {
            let mut row = Box::new(measured.clone());
            for (time, read) in times_of(&mut row).into_iter().zip(reading) {
                *time = *read;
            }
            let of = (row.choice.clone(), Vec::new());
            board.take(of, 0, Outcome::Measured(row), repeats)
        });
        rows.last().expect("a reading")
    }
}

#[cfg(test)]
impl Board {
    /// Lets the readings of a row lie far apart.
    pub(super) fn doubt_row(&mut self, place: usize) {
        let row = self.rows[place].as_mut().expect("a row of each");
        row.last = vec![[1.0, 1.0, 900.0, 1.0, 1.0]; READINGS];
        row.last[0][2] = 100.0;
    }

    /// Reads every time of a structure as this long; gives the least of its moment.
    pub(super) fn read_in(&mut self, of: &OfHeld, us: f64) -> f64 {
        self.keep_best(of, [us; TIMES])[0][0]
    }

    pub(super) fn has_no_readings(&self) -> bool {
        self.readings.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use skirmish::measure::survey::Survey;
    use skirmish::partition::Kind;
    use skirmish::probe::Cancel;
    use skirmish::scene::{StructureChoice, file};
    use skirmish::session::Session;
    use std::path::Path;

    /// A row of the built-in scene with 60 units.
    fn template() -> Row {
        let mut scene = file::built_in();
        scene.scale_units(60);
        let field = scene.field;
        let (session, _) = Session::new(scene, Path::new(""));
        let (choice, cancel) = (StructureChoice::new(Kind::KdTree), Cancel::default());
        let survey = Survey::new(
            session.battle().clone(),
            field,
            &choice,
            &Asked::default(),
            &cancel,
        );
        let survey = survey.expect("nobody cancels it");
        survey
            .measure(&choice, &[], &cancel)
            .expect("nobody cancels it")
    }

    /// A reading of a tick in which everything but the queries takes 100 microseconds.
    fn read(board: &mut Board, template: &Row, query_us: f64, tick: u64) -> SurveyRow {
        let reading = [100.0, 100.0, query_us, 100.0, 100.0];
        read_all(board, template, reading, tick)
    }

    /// A reading of all times of a tick.
    fn read_all(board: &mut Board, template: &Row, reading: Reading, tick: u64) -> SurveyRow {
        let mut row = Box::new(template.clone());
        for (time, read) in times_of(&mut row).into_iter().zip(reading) {
            *time = read;
        }
        let of = (row.choice.clone(), Vec::new());
        let row = board.take(of, tick, Outcome::Measured(row), true);
        board.rows = vec![Some(row.clone())];
        row
    }

    #[test]
    fn readings_that_lie_far_apart_are_doubted_and_made_again_but_not_for_ever() {
        let (template, mut board) = (template(), Board::default());
        let mut last = read(&mut board, &template, 1_500.0, 7);
        // The first one is doubtful until it is confirmed, and it is not.
        assert!(last.is_hardly_read() && last.doubt(&[0]).is_some());
        assert!(last.doubt(OF_TICK).is_some());
        for query_us in [16_000.0, 1_500.0, 17_000.0] {
            last = read(&mut board, &template, query_us, 7);
            // Of two nobody knows which one was held up, though they may agree.
            let are_few = last.readings < LEAST_READINGS;
            assert_eq!(last.is_hardly_read(), are_few);
            assert_eq!(last.doubt(&[0]).is_some(), are_few);
        }
        assert!(!last.is_read() && last.doubt(OF_TICK).is_some());
        last = read(&mut board, &template, 16_500.0, 7);
        let spread = last.doubt(OF_TICK).expect("two of five were not held up");
        let expected = Spread {
            least: 1_600.0,
            median: 16_100.0,
            most: 17_100.0,
        };
        assert_eq!(spread, expected);
        assert_eq!(last.doubt(&[0]), None, "its build");
        assert!(last.is_read() && !board.is_read_enough(7));
        // Where the machine is at rest again, the last ones agree. A single one that was held up changes no median.
        for query_us in [1_500.0, 1_550.0] {
            last = read(&mut board, &template, query_us, 7);
        }
        assert!(board.is_read_enough(7) && last.doubt(OF_TICK).is_none());
        // One that stays doubtful is left as it is, until another tick comes.
        for place in 0..MOST_READINGS {
            let query_us = if place % 3 == 0 { 1_500.0 } else { 16_000.0 };
            last = read(&mut board, &template, query_us, 7);
        }
        assert!(last.doubt(OF_TICK).is_some() && last.is_given_up());
        assert!(board.is_read_enough(7));
        last = read(&mut board, &template, 16_000.0, 8);
        assert!(!last.is_given_up() && !board.is_read_enough(8));
    }

    #[test]
    fn rows_of_two_rounds_are_compared_by_their_work_on_a_tick_that_both_had() {
        let (template, mut board) = (template(), Board::default());
        let mut round = |tick, tests: [u64; 2]| {
            tests.map(|tests| {
                let mut row = template.clone();
                row.tests = tests;
                read(&mut board, &row, 1_000.0, tick)
            })
        };
        let before = round(7, [500, 500]);
        assert_eq!(before[0].worked_as(&before[1]), Some(true));
        // The next round is under way: the first row is of another tick than the second one.
        let [first, second] = round(8, [510, 520]);
        assert_eq!(first.worked_as(&before[1]), None);
        let first = first.after(&before[0]);
        assert_eq!(first.worked_as(&before[1]), Some(true));
        assert_eq!(before[1].worked_as(&first), Some(true));
        // The figures that stand there are of two ticks, and differ.
        let alike = |row: &SurveyRow, others: [&SurveyRow; 2]| {
            row.first_alike(others.into_iter()).map(|row| row.tick)
        };
        let [a, b] = &before;
        assert_eq!(alike(a, [b, b]), Some(7));
        assert_eq!(alike(&first, [b, b]), None);
        // No other one stands in for it, though its figures are the same.
        assert_eq!(alike(&first, [&first, b]), Some(8));
        assert_eq!(alike(&first, [b, &first]), None);
        let second = second.after(&before[1]);
        assert_eq!(first.worked_as(&second), Some(false));
        let mut of_before = second;
        of_before.is_of_before = true;
        assert_eq!(first.worked_as(&of_before), None);
    }

    #[test]
    fn a_sum_is_as_doubtful_as_a_part_that_counts() {
        let (template, mut board) = (template(), Board::default());
        let mut row = read(&mut board, &template, 1_000.0, 7);
        for _ in 1..READINGS {
            row = read(&mut board, &template, 1_000.0, 7);
        }
        assert!(row.doubt(OF_TICK).is_none());
        // The update is doubtful, but the least reading of both together is not far from what is shown.
        let with_updates = |all: [f64; READINGS]| {
            let mut row = row.clone();
            (row.best, row.last) = (Vec::new(), vec![[100.0, 0.0, 1_000.0, 1.0, 1.0]; READINGS]);
            for (reading, update) in row.last.iter_mut().zip(all) {
                reading[1] = update;
            }
            row
        };
        let mostly = with_updates([1_900.0, 3_300.0, 3_300.0, 3_300.0, 3_400.0]);
        assert!(mostly.doubt(&[1]).is_some() && mostly.doubt(&[2]).is_none());
        assert!(mostly.doubt(OF_TICK).is_some());
        // It takes so little that the sum is what it is.
        let hardly = with_updates([10.0, 30.0, 30.0, 30.0, 30.0]);
        assert!(hardly.doubt(&[1]).is_some() && hardly.doubt(OF_TICK).is_none());
    }

    #[test]
    fn a_tick_is_reckoned_with_as_many_rectangles_as_are_said() {
        let (template, mut board) = (template(), Board::default());
        let mut row = read(&mut board, &template, 1_000.0, 7);
        for _ in 1..READINGS {
            row = read(&mut board, &template, 1_000.0, 7);
        }
        let whole = |row: &SurveyRow| match &row.outcome {
            Outcome::Measured(measured) => row.parts_of_tick(measured).iter().sum::<f64>(),
            _ => 0.0,
        };
        assert_eq!((whole(&row), row.least(OF_TICK)), (1_100.0, Some(1_100.0)));
        row.rectangles = 3;
        assert_eq!((whole(&row), row.least(OF_TICK)), (1_400.0, Some(1_400.0)));
        // What a tick asks by itself stays what it is.
        assert_eq!(row.least(UPDATE_AND_QUERY), Some(1_100.0));
        assert_eq!(row.doubt(OF_TICK), None);
        // Whose price is doubtful makes the sum so from as many on as count in it.
        (row.best, row.last) = (
            Vec::new(),
            vec![[100.0, 100.0, 1_000.0, 90.0, 1.0]; READINGS],
        );
        row.last[0][3] = 10.0;
        assert!(row.doubt(&[3]).is_some() && row.doubt(OF_TICK).is_some());
        row.rectangles = 1;
        assert!(row.doubt(OF_TICK).is_none());
        row.rectangles = 0;
        assert!(row.doubt(OF_TICK).is_none());
    }

    #[test]
    fn many_rectangles_that_are_too_quick_to_be_doubted_alone_are_read_on_until_their_sum_is_sure()
    {
        let (template, mut board) = (template(), Board::default());
        let with = |rectangle_us: f64| [1_000.0, 50.0, 50.0, rectangle_us, 1.0];
        board.be_of(Moment::default(), Asked::default());
        board.reckon_with(1_000);
        let mut row = read_all(&mut board, &template, with(0.4), 7);
        for _ in 1..READINGS {
            row = read_all(&mut board, &template, with(0.9), 7);
        }
        // A look at the clock takes longer than one rectangle, and no time than all of them.
        assert_eq!((row.rectangles, row.doubt(&[3])), (1_000, None));
        assert!(row.doubt(OF_TICK).is_some() && !board.is_read_enough(7));
        assert_eq!(row.least(OF_TICK), Some(500.0));
        // As soon as none are asked for, what has been read is enough, and with them again it is not.
        board.reckon_with(0);
        assert!(board.is_read_enough(7));
        board.reckon_with(1_000);
        assert!(!board.is_read_enough(7));
        // Left and looked at again it is reckoned so as well.
        board = board.without_rows();
        for _ in 0..READINGS {
            row = read_all(&mut board, &template, with(0.9), 7);
        }
        assert!(row.doubt(OF_TICK).is_some() && !row.is_given_up());
        for _ in READINGS..MOST_READINGS {
            row = read_all(&mut board, &template, with(0.9), 7);
        }
        assert!(row.is_given_up() && board.is_read_enough(7));
        // Nothing was held up, or so it is read at last.
        let mut board = Board::default();
        board.reckon_with(1_000);
        for _ in 0..READINGS {
            row = read_all(&mut board, &template, with(0.4), 7);
        }
        assert!(row.doubt(OF_TICK).is_none() && board.is_read_enough(7));
    }

    #[test]
    fn the_least_sum_with_rectangles_is_kept_though_it_is_the_least_in_no_part_of_it() {
        let (template, mut board) = (template(), Board::default());
        board.reckon_with(10);
        let all = [
            [1.0, 10.0, 900.0, 60.0, 1.0],
            [2.0, 100.0, 10.0, 90.0, 2.0],
            [2.0, 90.0, 90.0, 40.0, 2.0],
            [2.0, 900.0, 900.0, 30.0, 2.0],
        ];
        let mut row = None;
        for reading in all {
            row = Some(read_all(&mut board, &template, reading, 7));
        }
        for _ in 0..READINGS {
            row = Some(read_all(&mut board, &template, [950.0; TIMES], 7));
        }
        let least = |times: &[usize]| row.as_ref().and_then(|row| row.least(times));
        assert_eq!(least(OF_TICK), Some(580.0));
        assert_eq!(least(UPDATE_AND_QUERY), Some(110.0));
        assert_eq!(
            [0, 1, 2, 3].map(|time| least(&[time])),
            [Some(1.0), Some(10.0), Some(10.0), Some(30.0)]
        );
    }

    #[test]
    fn a_row_is_doubtful_where_its_update_and_query_are_though_the_whole_tick_is_not() {
        let (template, mut board) = (template(), Board::default());
        board.reckon_with(1_000);
        let with = |us: f64| [100.0, us, us, 0.1, 1.0];
        let mut row = read_all(&mut board, &template, with(1.0), 7);
        for _ in 1..READINGS {
            row = read_all(&mut board, &template, with(1.9), 7);
        }
        assert!(
            [0, 1, 2, 3, 4]
                .iter()
                .all(|time| row.doubt(&[*time]).is_none())
        );
        assert!(row.doubt(OF_TICK).is_none() && row.doubt(UPDATE_AND_QUERY).is_some());
        assert!(row.is_doubtful() && !board.is_read_enough(7));
    }

    #[test]
    fn a_slow_phase_that_holds_up_every_one_of_the_last_readings_is_doubted_by_what_was_read_before()
     {
        let (template, mut board) = (template(), Board::default());
        let moment = |tick| Moment {
            tick,
            ..Moment::default()
        };
        let phase = |board: &mut Board, query_us, tick| {
            board.be_of(moment(tick), Asked::default());
            let all = (0..READINGS).map(|_| read(board, &template, query_us, tick));
            all.last().expect("readings")
        };
        assert_eq!(phase(&mut board, 1_100.0, 7).doubt(OF_TICK), None);
        let doubt = phase(&mut board, 1_900.0, 7).doubt(OF_TICK);
        let doubt = doubt.expect("the same was read quicker");
        assert_eq!((doubt.least, doubt.median), (1_200.0, 2_000.0));
        // Nor is that forgotten where the table was left, or is measured again, ...
        board = board.without_rows();
        let again = phase(&mut board, 2_000.0, 7);
        assert!(again.doubt(OF_TICK).is_some());
        assert_eq!(again.least(OF_TICK), Some(1_200.0));
        assert!(!board.is_read_enough(7));
        // ... until the machine is as quick as it was, or another tick asks something else.
        assert_eq!(phase(&mut board, 1_100.0, 7).doubt(OF_TICK), None);
        let other = phase(&mut board, 2_000.0, 8);
        assert_eq!(other.doubt(OF_TICK), None);
        assert_eq!(other.least(OF_TICK), Some(2_100.0));
    }

    #[test]
    fn a_row_that_takes_long_lets_all_be_given_up_sooner() {
        let (template, mut board) = (template(), Board::default());
        let mut quick = read(&mut board, &template, 1_500.0, 7);
        for _ in 1..READINGS {
            quick = read(&mut board, &template, 1_500.0, 7);
        }
        let mut slow = quick.clone();
        slow.last = vec![[LONG_US; TIMES]; READINGS];
        board.rows = vec![Some(quick.clone()), Some(slow)];
        assert!(!quick.is_given_up());
        assert!(board.rows_of_now().all(|row| row.is_given_up()));
    }

    #[test]
    fn the_readings_of_a_moment_that_stands_are_of_that_moment() {
        let (template, mut board) = (template(), Board::default());
        for _ in 0..READINGS {
            read(&mut board, &template, 1_500.0, 7);
        }
        assert!(board.is_read_enough(7));
        for _ in 1..READINGS {
            assert!(read(&mut board, &template, 1_500.0, 8).is_read());
            assert!(!board.is_read_enough(8));
        }
        read(&mut board, &template, 1_500.0, 8);
        assert!(board.is_read_enough(8));
    }
}
