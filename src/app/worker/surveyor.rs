//! The surveyor: measures all structures on one moment of the battle or the flight, or one of them with every value of a setting, one
//! after the other, on a thread of its own, so that neither that nor the window waits for it.
//!
//! A round begins with a copy of the battle; its rows come one by one, and are shown beside those of the round before until they
//! are replaced. What takes too long ends, and its row says so. Times are the medians of the last rounds: rows whose times are those
//! of a single reading change places for nothing. Where the machine is busy with something else, half of them may be wrong: a row
//! whose readings lie far apart is doubtful, and read again where time stands still, though not for ever.

use super::{Moment, lock};
use skirmish::measure::survey::{FieldOf, KindOf, Row, Survey, Surveyed};
use skirmish::partition::{AUTO, Knob};
use skirmish::probe::Cancel;
use skirmish::scene::{AnyChoice, StructureChoice};
use skirmish::structure::AnyKind;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Longer than this nobody waits for a row.
const PATIENCE: Duration = Duration::from_secs(2);

/// More tests than this are said and not made: they would take seconds.
const MOST_TESTS: u64 = 400_000_000;

/// Among more units than this the first reading is not made in vain before it counts.
const MOST_WARMED: u64 = 2_000;

/// As many rounds as times are the median of; where time stands still, no more are made of rows whose readings agree.
const READINGS: usize = 5;

/// As many readings are made of a moment that stands before a row whose last ones disagree is left as it is: a machine that has been busy
/// for so long may stay it.
const MOST_READINGS: usize = 15;

/// By how many times the median may exceed the least reading. Whatever else the machine does can only lengthen a time, so the least one is
/// the nearest to what it costs. Structures are told apart from 1.15 times on: a median that is more than three times as far off says
/// nothing of who is quicker.
const DOUBTFUL: f64 = 1.5;

/// Shorter times, in microseconds, are those of looking at the clock.
const LEAST_US: f64 = 2.0;

/// What is measured, a row each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rows {
    /// Every structure: those of lanes as they are set there, of two lanes that of the first, the others with their defaults.
    #[default]
    Structures,
    /// The structure of the first lane, with each value of this knob.
    Values(usize),
}

impl Rows {
    /// What is measured beside these lanes.
    fn choices<K: AnyKind>(self, lanes: &[StructureChoice<K>]) -> Vec<StructureChoice<K>> {
        let (Some(lead), all) = (lanes.first(), K::ALL.iter()) else {
            return Vec::new();
        };
        match self {
            Self::Structures => all
                .map(|kind| {
                    let of_lane = lanes.iter().find(|lane| lane.kind == *kind);
                    of_lane
                        .cloned()
                        .unwrap_or_else(|| StructureChoice::new(*kind))
                })
                .collect(),
            Self::Values(knob) => with_each_value(lead, knob),
        }
    }
}

/// The values of a knob that are measured, in their order; the `present` one is among them, and so is `auto`.
pub fn values_of(knob: &Knob, present: f64) -> Vec<f64> {
    let mut values = knob.range.spread();
    values.extend(knob.may_be_auto().then_some(AUTO));
    values.push(present);
    values.sort_by(f64::total_cmp);
    values.dedup();
    values.retain(|value| knob.accepts(*value));
    values
}

/// A structure with each value of a knob: the one that it has is among them, and so is `auto`.
fn with_each_value<K: AnyKind>(
    choice: &StructureChoice<K>,
    knob: usize,
) -> Vec<StructureChoice<K>> {
    let Some(of) = choice.kind.into().info().knobs.get(knob) else {
        return Vec::new();
    };
    let values = values_of(of, choice.value(knob));
    let with = |value: f64| {
        let mut choice = choice.clone();
        choice.put(knob, value);
        choice
    };
    values.into_iter().map(with).collect()
}

/// What came of measuring a structure.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// It was measured. The counters are those of the last reading, the times the medians of the last few.
    Measured(Box<Row>),
    /// It would make so many tests, which nobody would wait for.
    TooMany(u64),
    /// It took too long.
    TooLong,
}

/// A row of the table.
#[derive(Clone, Debug)]
pub struct SurveyRow {
    /// The structure, as it was asked for.
    pub choice: AnyChoice,
    /// The tick of the moment on which it was measured.
    pub tick: u64,
    /// What came of it.
    pub outcome: Outcome,
    /// Of how many readings the times are the medians.
    pub readings: usize,
    /// These readings; none where two runs must look alike.
    last: Vec<Reading>,
    /// How many were made of this very tick.
    taken: usize,
}

/// The times of one reading, in microseconds, by the numbers by which they are asked for: build, update, query, one rectangle, one
/// search for the nearest.
type Reading = [f64; TIMES];

/// How many times a reading has.
const TIMES: usize = 5;

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
    pub(super) fn of(mut all: Vec<f64>) -> Option<Self> {
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

/// What both threads reach.
#[derive(Debug, Default)]
struct Board {
    /// As they were asked for: structures in the order of the registry, values of a knob upwards.
    rows: Vec<Option<SurveyRow>>,
    /// The last readings of each.
    readings: Vec<Readings>,
    /// Since when the row under way is measured.
    since: Option<Instant>,
}

impl SurveyRow {
    /// Whether as many readings were made as its times are to be the medians of, or there is none to be had.
    pub fn is_read(&self) -> bool {
        self.readings >= READINGS || !matches!(self.outcome, Outcome::Measured(_))
    }

    /// How far its readings of a time lie apart, or of a sum of some, if what is shown of it says little: they lie far apart, or there is
    /// but one, which nothing confirms.
    pub fn doubt(&self, times: &[usize]) -> Option<Spread> {
        let sum = |reading: &Reading| times.iter().map(|time| reading[*time]).sum();
        let of_one = |time: &usize| Spread::of(self.last.iter().map(|it| it[*time]).collect());
        // A sum is shown as that of the medians: what holds now one part of it up and now the other changes neither of them.
        let spread = Spread {
            median: times.iter().filter_map(of_one).map(|it| it.median).sum(),
            ..Spread::of(self.last.iter().map(sum).collect())?
        };
        (self.is_single() || spread.is_doubtful()).then_some(spread)
    }

    /// Whether it has been read once, and is to be read again.
    pub fn is_single(&self) -> bool {
        self.readings == 1 && !self.is_read()
    }

    /// Whether another reading of the same moment would change little, or there is none to be had.
    fn is_read_enough(&self) -> bool {
        let is_doubtful = || {
            let each = (0..TIMES).any(|time| self.doubt(&[time]).is_some());
            each || self.doubt(OF_TICK).is_some()
        };
        self.is_read() && (self.is_given_up() || !is_doubtful())
    }

    /// Whether it is left as it is while time stands still.
    pub fn is_given_up(&self) -> bool {
        self.taken >= MOST_READINGS
    }
}

/// What a tick takes, of the times of a reading: upkeep and queries together.
pub const OF_TICK: &[usize] = &[1, 2];

impl Board {
    /// The row of an outcome, with the medians of the last readings in the place of its times. `repeats` says whether others follow.
    fn take(
        &mut self,
        choice: AnyChoice,
        tick: u64,
        mut outcome: Outcome,
        repeats: bool,
    ) -> SurveyRow {
        let (mut last, mut taken) = (Vec::new(), 0);
        let asked = choice.clone();
        if let Outcome::Measured(row) = &mut outcome {
            let known = self.readings.iter().position(|it| it.choice == choice);
            let place = known.unwrap_or_else(|| {
                self.readings.push(Readings {
                    choice,
                    last: VecDeque::with_capacity(READINGS),
                    of_tick: (tick, 0),
                });
                self.readings.len() - 1
            });
            let readings = &mut self.readings[place];
            readings.take(row, tick);
            last.extend(&readings.last);
            taken = readings.of_tick.1;
        }
        SurveyRow {
            choice: asked,
            tick,
            outcome,
            readings: if repeats { last.len() } else { READINGS },
            last: if repeats { last } else { Vec::new() },
            taken,
        }
    }
}

/// The choices that a round measures, each with its place in the table, and the one with whose answers theirs are compared.
struct Round<W: Surveyed> {
    choices: Vec<(usize, StructureChoice<KindOf<W>>)>,
    reference: StructureChoice<KindOf<W>>,
}

/// By what a round is known.
#[derive(Clone, Debug, PartialEq)]
struct Asked {
    rows: Rows,
    choices: Vec<AnyChoice>,
    /// How much had been changed when it began.
    changes: u64,
}

/// The thread, while there is one, and what it has found out.
#[derive(Debug, Default)]
pub struct Surveyor {
    board: Arc<Mutex<Board>>,
    /// Ends the row under way.
    row: Cancel,
    /// Ends the round.
    round: Cancel,
    thread: Option<JoinHandle<()>>,
    /// What the last round measures; `None` before the first one.
    asked: Option<Asked>,
}

impl Surveyor {
    /// Forgets everything: another battle is here, or nobody looks.
    pub fn stop(&mut self) {
        if self.asked.take().is_none() {
            return;
        }
        self.round.cancel();
        self.row.cancel();
        // A round that was ended writes onto a board that nobody reads any more.
        self.board = Arc::default();
        self.row = Cancel::default();
        self.round = Cancel::default();
        self.thread = None;
    }

    /// Begins another round where the last one is over; ends a row that takes too long. `rests` says that time stands still: then
    /// one round of the moment is enough.
    pub fn go_on<W: Surveyed>(
        &mut self,
        battle: &W,
        field: FieldOf<W>,
        (lanes, rows): (&[StructureChoice<KindOf<W>>], Rows),
        moment: Moment,
        rests: bool,
    ) {
        // Nobody waits for the rest of a table that is not looked at any more.
        if self.asked.as_ref().is_some_and(|asked| asked.rows != rows) {
            self.stop();
        }
        if self.is_at_work() {
            let since = lock(&self.board).since;
            if since.is_some_and(|since| since.elapsed() > PATIENCE) {
                self.row.cancel();
            }
            return;
        }
        let Some(of) = self.begin::<W>(lanes, rows, moment, rests) else {
            return;
        };
        let (board, row, round) = (
            Arc::clone(&self.board),
            self.row.clone(),
            self.round.clone(),
        );
        let (battle, tick) = (battle.clone(), moment.tick);
        let work = move || {
            let ends = Ends { board, row, round };
            measure(battle, field, &of, tick, &ends, true)
        };
        // Without a thread there is no table; the battle goes on.
        self.thread = std::thread::Builder::new()
            .name("survey".to_owned())
            .spawn(work)
            .ok();
    }

    /// Whether a round is under way.
    pub fn is_at_work(&self) -> bool {
        self.thread.as_ref().is_some_and(|it| !it.is_finished())
    }

    /// A whole round at once, for where two runs must look alike.
    pub fn round<W: Surveyed>(
        &mut self,
        battle: &W,
        field: FieldOf<W>,
        (lanes, rows): (&[StructureChoice<KindOf<W>>], Rows),
        moment: Moment,
    ) {
        let Some(of) = self.begin::<W>(lanes, rows, moment, true) else {
            return;
        };
        let ends = Ends {
            board: Arc::clone(&self.board),
            row: self.row.clone(),
            round: self.round.clone(),
        };
        measure(battle.clone(), field, &of, moment.tick, &ends, false);
    }

    /// What another round measures, and whose answers the rows are compared with; `None` where it would show nothing new. Readings and
    /// rows of before that it will not make anew are dropped.
    fn begin<W: Surveyed>(
        &mut self,
        lanes: &[StructureChoice<KindOf<W>>],
        rows: Rows,
        moment: Moment,
        rests: bool,
    ) -> Option<Round<W>> {
        let choices = rows.choices(lanes);
        let either: Vec<AnyChoice> = choices
            .iter()
            .cloned()
            .map(StructureChoice::of_either)
            .collect();
        let asked = Asked {
            rows,
            choices: either,
            changes: moment.changes,
        };
        let mut board = lock(&self.board);
        // What has been read enough at a moment that stands is not read again, whatever the others still need.
        let is_same = rests && self.asked.as_ref() == Some(&asked);
        let is_done = |place: usize| {
            let row = board.rows.get(place).and_then(Option::as_ref);
            is_same && row.is_some_and(|row| row.tick == moment.tick && row.is_read_enough())
        };
        let mut choices: Vec<_> = choices.into_iter().enumerate().collect();
        choices.retain(|(place, _)| !is_done(*place));
        if choices.is_empty() {
            return None;
        }
        // Units that came, went or were moved make readings of before worthless.
        let is_other_crowd = self
            .asked
            .as_ref()
            .is_none_or(|it| it.changes != moment.changes);
        board
            .readings
            .retain(|it| !is_other_crowd && asked.choices.contains(&it.choice));
        // A row of before stands until the new one is there: of the same structure, or of the same value.
        let before = std::mem::take(&mut board.rows);
        let stands_for = |row: &SurveyRow, choice: &AnyChoice| match rows {
            Rows::Structures => row.choice.kind == choice.kind,
            Rows::Values(_) => row.choice == *choice,
        };
        let row_of = |choice: &AnyChoice| {
            let mut before = before.iter().flatten();
            before.find(|row| stands_for(row, choice)).cloned()
        };
        board.rows = asked.choices.iter().map(row_of).collect();
        drop(board);
        self.asked = Some(asked);
        // Whoever tests every pair would keep the whole round waiting.
        let lead = lanes.first()?;
        let mut all = KindOf::<W>::ALL.iter();
        let other = all.find(|kind| !kind.tests_every_pair());
        let reference = match other {
            Some(other) if lead.kind.tests_every_pair() => StructureChoice::new(*other),
            _ => lead.clone(),
        };
        Some(Round { choices, reference })
    }

    /// The rows that there are.
    pub fn rows(&self, into: &mut Vec<SurveyRow>) {
        into.clear();
        into.extend(lock(&self.board).rows.iter().flatten().cloned());
    }
}

/// Where a round writes, and what ends it.
struct Ends {
    board: Arc<Mutex<Board>>,
    row: Cancel,
    round: Cancel,
}

/// Measures every choice, and compares the answers with those of the reference.
fn measure<W: Surveyed>(
    battle: W,
    field: FieldOf<W>,
    of: &Round<W>,
    tick: u64,
    ends: &Ends,
    is_polite: bool,
) {
    let Ok(survey) = Survey::new(battle, field, &of.reference, &ends.round) else {
        return;
    };
    // Whoever is first would pay for what nobody has touched yet; where that would take long it does not matter.
    let is_short = survey.unit_count() <= MOST_WARMED;
    if let Some((_, first)) = of.choices.first().filter(|_| is_short) {
        let _ = survey.measure(first, &ends.row);
    }
    for (place, choice) in &of.choices {
        let begun = Instant::now();
        lock(&ends.board).since = Some(begun);
        let expected = survey
            .expected_tests(choice.kind)
            .filter(|tests| *tests > MOST_TESTS);
        let outcome = match expected {
            Some(tests) => Outcome::TooMany(tests),
            None => match survey.measure(choice, &ends.row) {
                Ok(row) => Outcome::Measured(Box::new(row)),
                Err(_) => Outcome::TooLong,
            },
        };
        if ends.round.is_cancelled() {
            return;
        }
        ends.row.reset();
        let mut board = lock(&ends.board);
        let row = board.take(choice.clone().of_either(), tick, outcome, is_polite);
        board.since = None;
        if let Some(before) = board.rows.get_mut(*place) {
            *before = Some(row);
        }
        drop(board);
        if is_polite {
            // Half of a core is left to the battle and to who draws it.
            std::thread::sleep(begun.elapsed().min(Duration::from_millis(250)));
        }
    }
}

impl Drop for Surveyor {
    fn drop(&mut self) {
        self.round.cancel();
        self.row.cancel();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use skirmish::battle::Battle;
    use skirmish::partition::Kind;
    use skirmish::scene::file;
    use skirmish::session::Session;
    use skirmish::structure::StructureKind;
    use std::path::Path;

    /// The rows of a round over the built-in scene with 200 units.
    fn round(lead: &StructureChoice, rows: Rows) -> Vec<SurveyRow> {
        let mut scene = file::built_in();
        scene.scale_units(200);
        let field = scene.field;
        let (session, _) = Session::new(scene, Path::new(""));
        let mut surveyor = Surveyor::default();
        let lanes = std::slice::from_ref(lead);
        surveyor.round(session.battle(), field, (lanes, rows), Moment::default());
        let mut all = Vec::new();
        surveyor.rows(&mut all);
        all
    }

    #[test]
    fn a_setting_is_measured_with_auto_with_the_value_that_it_has_and_with_values_from_end_to_end()
    {
        let mut lead = StructureChoice::new(Kind::SortedGrid);
        lead.set("cell_size", "7.5").expect("a cell size");
        let rows = round(&lead, Rows::Values(0));
        let values: Vec<f64> = rows.iter().map(|row| row.choice.value(0)).collect();
        assert_eq!(values[..3], [AUTO, 0.5, 1.0]);
        assert!(
            values.contains(&7.5) && values.ends_with(&[1000.0]),
            "{values:?}"
        );
        let mut tests = Vec::new();
        for row in &rows {
            let Outcome::Measured(row) = &row.outcome else {
                panic!("{row:?}");
            };
            assert_eq!(row.fault(), None);
            assert_eq!(row.chosen.is_empty(), row.choice.value(0) != AUTO);
            tests.push(row.tests);
        }
        assert!(tests.last() > tests.get(2), "{tests:?}");
    }

    #[test]
    fn readings_that_lie_far_apart_are_doubted_and_made_again_but_not_for_ever() {
        let rows = round(&StructureChoice::new(Kind::KdTree), Rows::Structures);
        let measured = rows.iter().find_map(|row| match &row.outcome {
            Outcome::Measured(row) => Some(row.clone()),
            _ => None,
        });
        let (template, mut board) = (measured.expect("a row"), Board::default());
        let mut read = |query_us: f64, tick: u64| {
            let mut row = template.clone();
            for time in times_of(&mut row) {
                *time = 100.0;
            }
            row.query_us = query_us;
            let choice = row.choice.clone();
            board.take(choice, tick, Outcome::Measured(row), true)
        };
        let mut last = read(1_500.0, 7);
        // The first one is doubtful until it is confirmed, and it is not.
        assert!(last.is_single() && last.doubt(OF_TICK).is_some() && last.doubt(&[0]).is_some());
        for query_us in [16_000.0, 1_500.0, 17_000.0] {
            last = read(query_us, 7);
            assert!(!last.is_single() && last.doubt(&[0]).is_none());
        }
        assert!(!last.is_read() && last.doubt(OF_TICK).is_some());
        last = read(16_500.0, 7);
        let spread = last.doubt(OF_TICK).expect("two of five were not held up");
        let expected = Spread {
            least: 1_600.0,
            median: 16_100.0,
            most: 17_100.0,
        };
        assert_eq!(spread, expected);
        assert_eq!(last.doubt(&[0]), None, "its build");
        assert!(last.is_read() && !last.is_read_enough());
        // Where the machine is at rest again, the last ones agree. A single one that was held up changes no median.
        for query_us in [1_500.0, 1_550.0] {
            last = read(query_us, 7);
        }
        assert!(last.is_read_enough() && last.doubt(OF_TICK).is_none());
        // One that stays doubtful is left as it is, until another tick comes.
        for place in 0..MOST_READINGS {
            last = read(if place % 3 == 0 { 1_500.0 } else { 16_000.0 }, 7);
        }
        assert!(last.doubt(OF_TICK).is_some() && last.is_given_up());
        assert!(last.is_read_enough());
        last = read(16_000.0, 8);
        assert!(!last.is_given_up() && !last.is_read_enough());
    }

    #[test]
    fn at_rest_only_doubtful_rows_are_read_again() {
        let mut scene = file::built_in();
        scene.scale_units(60);
        let field = scene.field;
        let (session, _) = Session::new(scene, Path::new(""));
        let mut surveyor = Surveyor::default();
        let lanes = [StructureChoice::new(Kind::KdTree)];
        let (moment, rows) = (Moment::default(), Rows::Structures);
        surveyor.round(session.battle(), field, (&lanes, rows), moment);
        let mut again = |rests: bool| -> Vec<usize> {
            let of = surveyor.begin::<Battle>(&lanes, rows, moment, rests);
            let places = of.map(|of| of.choices.iter().map(|(place, _)| *place).collect());
            // From now on one of them is doubtful.
            let mut board = lock(&surveyor.board);
            let row = board.rows[3].as_mut().expect("a row of each");
            row.last = vec![[1.0, 1.0, 900.0, 1.0, 1.0]; READINGS];
            row.last[0][2] = 100.0;
            row.taken = READINGS;
            places.unwrap_or_default()
        };
        assert!(again(true).is_empty(), "all of them are read enough");
        assert_eq!(again(true), [3]);
        assert_eq!(again(false).len(), Kind::ALL.len(), "time passes");
    }

    #[test]
    fn all_structures_are_measured_with_lanes_as_they_are_set() {
        let mut lead = StructureChoice::new(Kind::KdTree);
        lead.set("leaf_size", "3").expect("a leaf size");
        let rows = round(&lead, Rows::Structures);
        let kinds: Vec<_> = rows.iter().map(|row| row.choice.kind).collect();
        let all: Vec<StructureKind> = Kind::ALL.iter().map(|kind| (*kind).into()).collect();
        assert_eq!(kinds, all);
        let set: Vec<_> = rows
            .iter()
            .filter(|row| !row.choice.knobs.is_empty())
            .collect();
        assert_eq!(set.len(), 1);
        assert_eq!(set[0].choice, lead.of_either());
    }
}
