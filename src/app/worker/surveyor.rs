//! The surveyor: measures all structures on one moment of the battle or the flight, one after the other, on a thread of its own, so
//! that neither that nor the window waits for it.
//!
//! A round begins with a copy of the battle; its rows come one by one, and are shown beside those of the round before until they
//! are replaced. What takes too long ends, and its row says so. Times are the medians of the last rounds: rows whose times are those
//! of a single reading change places for nothing.

use super::{Moment, lock};
use skirmish::measure::survey::{FieldOf, KindOf, Row, Survey, Surveyed};
use skirmish::probe::Cancel;
use skirmish::scene::{AnyChoice, StructureChoice};
use skirmish::structure::{AnyKind, StructureKind};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Longer than this nobody waits for a row.
const PATIENCE: Duration = Duration::from_secs(2);

/// More tests than this are said and not made: they would take seconds.
const MOST_TESTS: u64 = 400_000_000;

/// As many rounds as times are the median of; where time stands still, no more are made.
const READINGS: usize = 5;

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

/// A structure of the table.
#[derive(Clone, Debug)]
pub struct SurveyRow {
    /// Which one.
    pub kind: StructureKind,
    /// The tick of the moment on which it was measured.
    pub tick: u64,
    /// What came of it.
    pub outcome: Outcome,
    /// Of how many readings the times are the medians.
    pub readings: usize,
}

/// The times of one reading, in microseconds: build, update, query.
type Reading = [f64; 3];

/// The last readings of a structure, the latest last.
#[derive(Clone, Debug)]
struct Readings {
    choice: AnyChoice,
    last: VecDeque<Reading>,
}

impl Readings {
    /// Takes a reading, and puts the medians into its place.
    fn take(&mut self, row: &mut Row) {
        if self.last.len() == READINGS {
            self.last.pop_front();
        }
        self.last
            .push_back([row.build_us, row.update_us, row.query_us]);
        let median = |which: usize| {
            let mut all: Vec<f64> = self.last.iter().map(|reading| reading[which]).collect();
            all.sort_by(f64::total_cmp);
            let middle = all.len() / 2;
            match all.len() % 2 {
                0 => (all[middle - 1] + all[middle]) / 2.0,
                _ => all[middle],
            }
        };
        [row.build_us, row.update_us, row.query_us] = [median(0), median(1), median(2)];
    }
}

/// What both threads reach.
#[derive(Debug, Default)]
struct Board {
    /// By their place in the registry.
    rows: Vec<SurveyRow>,
    /// The last readings of each.
    readings: Vec<Readings>,
    /// Since when the row under way is measured.
    since: Option<Instant>,
}

impl SurveyRow {
    /// Whether another reading would change little, or there is none to be had.
    fn is_read_enough(&self) -> bool {
        self.readings >= READINGS || !matches!(self.outcome, Outcome::Measured(_))
    }
}

impl Board {
    /// The row of an outcome, with the medians of the last readings in the place of its times. `repeats` says whether others follow.
    fn take(
        &mut self,
        kind: StructureKind,
        choice: AnyChoice,
        tick: u64,
        mut outcome: Outcome,
        repeats: bool,
    ) -> SurveyRow {
        let mut readings = 0;
        if let Outcome::Measured(row) = &mut outcome {
            let known = self.readings.iter().position(|it| it.choice == choice);
            let place = known.unwrap_or_else(|| {
                let last = VecDeque::with_capacity(READINGS);
                self.readings.push(Readings { choice, last });
                self.readings.len() - 1
            });
            self.readings[place].take(row);
            readings = self.readings[place].last.len();
        }
        SurveyRow {
            kind,
            tick,
            outcome,
            readings: if repeats { readings } else { READINGS },
        }
    }
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
    /// How the lanes were set when the last round began, and how much had been changed by then; `None` before the first one.
    asked: Option<(Vec<AnyChoice>, u64)>,
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
        lanes: &[StructureChoice<KindOf<W>>],
        moment: Moment,
        rests: bool,
    ) {
        if self.is_at_work() {
            let since = lock(&self.board).since;
            if since.is_some_and(|since| since.elapsed() > PATIENCE) {
                self.row.cancel();
            }
            return;
        }
        let (asked, tick) = ((either(lanes), moment.changes), moment.tick);
        if rests && self.is_of::<W>(&asked, tick) {
            return;
        }
        // Units that came, went or were moved make readings of before worthless, and so does another structure in the lead.
        if self.asked.as_ref() != Some(&asked) {
            lock(&self.board).readings.clear();
        }
        self.asked = Some(asked);
        let (board, row, round) = (
            Arc::clone(&self.board),
            self.row.clone(),
            self.round.clone(),
        );
        let (battle, lanes) = (battle.clone(), lanes.to_vec());
        let work = move || {
            measure(
                battle,
                field,
                &lanes,
                tick,
                &Ends { board, row, round },
                true,
            )
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
        lanes: &[StructureChoice<KindOf<W>>],
        moment: Moment,
    ) {
        let (asked, tick) = ((either(lanes), moment.changes), moment.tick);
        if self.is_of::<W>(&asked, tick) {
            return;
        }
        self.asked = Some(asked);
        let ends = Ends {
            board: Arc::clone(&self.board),
            row: self.row.clone(),
            round: self.round.clone(),
        };
        measure(battle.clone(), field, lanes, tick, &ends, false);
    }

    /// Whether all rows are of this tick, of lanes that were set like this, and of units that nobody has changed since.
    fn is_of<W: Surveyed>(&self, asked: &(Vec<AnyChoice>, u64), tick: u64) -> bool {
        if self.asked.as_ref() != Some(asked) {
            return false;
        }
        let board = lock(&self.board);
        let is_done = |row: &SurveyRow| row.tick == tick && row.is_read_enough();
        board.rows.len() == KindOf::<W>::ALL.len() && board.rows.iter().all(is_done)
    }

    /// The rows that there are.
    pub fn rows(&self, into: &mut Vec<SurveyRow>) {
        into.clone_from(&lock(&self.board).rows);
    }
}

/// Where a round writes, and what ends it.
struct Ends {
    board: Arc<Mutex<Board>>,
    row: Cancel,
    round: Cancel,
}

/// The choices of lanes, whatever they are of.
fn either<K: AnyKind>(lanes: &[StructureChoice<K>]) -> Vec<AnyChoice> {
    lanes.iter().map(|lane| lane.clone().of_either()).collect()
}

/// Measures every structure of the registry, with its knobs at their defaults; those of lanes as they are set there, of two lanes that of
/// the first.
fn measure<W: Surveyed>(
    battle: W,
    field: FieldOf<W>,
    lanes: &[StructureChoice<KindOf<W>>],
    tick: u64,
    ends: &Ends,
    is_polite: bool,
) {
    let Some(lead) = lanes.first() else {
        return;
    };
    // Whoever tests every pair would keep the whole round waiting.
    let others = KindOf::<W>::ALL
        .iter()
        .find(|kind| !kind.tests_every_pair());
    let reference = match others {
        Some(other) if lead.kind.tests_every_pair() => StructureChoice::new(*other),
        _ => lead.clone(),
    };
    let Ok(survey) = Survey::new(battle, field, &reference, &ends.round) else {
        return;
    };
    for &kind in KindOf::<W>::ALL {
        let of_lane = lanes.iter().find(|lane| lane.kind == kind);
        let choice = of_lane
            .cloned()
            .unwrap_or_else(|| StructureChoice::new(kind));
        let begun = Instant::now();
        lock(&ends.board).since = Some(begun);
        let expected = survey
            .expected_tests(kind)
            .filter(|tests| *tests > MOST_TESTS);
        let outcome = match expected {
            Some(tests) => Outcome::TooMany(tests),
            None => match survey.measure(&choice, &ends.row) {
                Ok(row) => Outcome::Measured(Box::new(row)),
                Err(_) => Outcome::TooLong,
            },
        };
        if ends.round.is_cancelled() {
            return;
        }
        ends.row.reset();
        let mut board = lock(&ends.board);
        let row = board.take(kind.into(), choice.of_either(), tick, outcome, is_polite);
        board.since = None;
        match board.rows.iter_mut().find(|row| row.kind == kind.into()) {
            Some(before) => *before = row,
            None => board.rows.push(row),
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
