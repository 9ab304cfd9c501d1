//! The surveyor: measures all structures on one moment of the battle or the flight, or one of them with every value of a setting, one
//! after the other, on a thread of its own, so that neither that nor the window waits for it.
//!
//! A round begins with a copy of the battle; its rows come one by one, and are shown beside those of the round before until they
//! are replaced. What takes too long ends, and its row says so. Times are the medians of the last rounds: rows whose times are those
//! of a single reading change places for nothing. Where the machine is busy with something else, half of them may be wrong: a row
//! whose readings lie far apart is doubtful, and where time stands still there are more rounds then, though not for ever.
//!
//! All rows of a round are read alike: behind a rest and, among no more than `MOST_WARMED` units, a warming up of their own, without queries
//! where these are known to test too much for that, as without a structure; and each round begins at another row. A row that is read right
//! behind a build of its own, while the others come behind a rest, seems to be built and brought up to date twice as fast.
//!
//! Whoever compares two rows compares what was read of them in the same span of time: a machine has slow seconds. So a round is of all
//! rows, and where one of them is another one than before, all begin anew.
//!
//! What a lane was left to choose is held as it has chosen it, in every row that is of its structure: a lane and its row have
//! the one value that the lane has.

mod board;
mod held;

use super::{Moment, lock};
use board::Board;
pub use board::{LEAST_READINGS, OF_TICK, Outcome, Spread, SurveyRow, UPDATE_AND_QUERY};
use held::Held;
pub use held::LaneChoice;
use skirmish::measure::questions;
use skirmish::measure::survey::{FieldOf, KindOf, Survey, Surveyed};
use skirmish::partition::{AUTO, Knob};
use skirmish::probe::{Abandoned, Cancel};
use skirmish::scene::{AnyChoice, StructureChoice};
use skirmish::structure::AnyKind;
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Longer than this nobody waits for a row.
const PATIENCE: Duration = Duration::from_secs(2);

/// More tests than this are said and not made: they would take seconds.
const MOST_TESTS: u64 = 400_000_000;

/// As long nothing is read between two rounds: a second in which the machine is busy with something else does not hold up most of the
/// readings of every row.
const BETWEEN_ROUNDS: Duration = Duration::from_millis(200);

/// Among more units than this no row is warmed up before it counts: what they need has no room in the caches, and it would take long.
const MOST_WARMED: u64 = 30_000;

/// What is measured, a row each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rows {
    /// Every structure: those of lanes as they are set there, a row for each setting, the others with their defaults.
    #[default]
    Structures,
    /// The structure of a lane, with each value of a knob, those of other lanes of it among them.
    Values {
        /// The place of the lane.
        lane: usize,
        /// The place of the knob among those of its structure.
        knob: usize,
    },
}

impl Rows {
    /// What is measured beside these lanes.
    fn choices<K: AnyKind>(self, lanes: &[LaneChoice<K>], own: &Own) -> Vec<StructureChoice<K>> {
        let lanes = || lanes.iter().map(|lane| &lane.set);
        match self {
            Self::Structures => {
                let mut choices: Vec<StructureChoice<K>> = Vec::new();
                for kind in K::ALL {
                    let before = choices.len();
                    for lane in lanes().filter(|lane| lane.kind == *kind) {
                        let mut others = choices[before..].iter();
                        if !others.any(|other| is_set_like(other, lane)) {
                            choices.push(lane.clone());
                        }
                    }
                    if choices.len() == before {
                        choices.push(StructureChoice::new(*kind));
                    }
                }
                choices
            }
            Self::Values { lane, knob } => {
                let lane = lanes().nth(lane);
                lane.map_or_else(Vec::new, |lane| with_each_value(lane, knob, lanes(), own))
            }
        }
    }
}

/// So many values that somebody has set are kept among those of a knob.
pub const MOST_OWN: usize = 6;

/// Values of a knob that somebody has set.
pub type Own = [Option<f64>; MOST_OWN];

/// What a table is of.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Subject {
    /// What is measured.
    pub rows: Rows,
    /// What is asked besides what a tick asks.
    pub questions: questions::Asked,
    /// Values that have a row beside those that every table of the knob has.
    pub own: Own,
}

/// Whether two choices of one structure are set alike, but for what changes the picture alone.
fn is_set_like<K: AnyKind>(one: &StructureChoice<K>, other: &StructureChoice<K>) -> bool {
    let knobs = one.kind.into().info().knobs.iter().enumerate();
    let mut settings = knobs.filter(|(_, knob)| !knob.picture_only);
    settings.all(|(at, _)| one.value(at) == other.value(at))
}

/// The values of a knob that are measured, in their order; the `present` ones of all lanes are among them, and so are `auto`, the default and
/// those that somebody has set before.
pub fn values_of(knob: &Knob, present: impl Iterator<Item = f64>, own: &Own) -> Vec<f64> {
    let mut values = knob.range.spread();
    values.extend(knob.may_be_auto().then_some(AUTO));
    values.push(knob.default);
    values.extend(present);
    values.extend(own.iter().flatten());
    values.sort_by(f64::total_cmp);
    values.dedup();
    values.retain(|value| knob.accepts(*value));
    values
}

/// A structure with each value of a knob: those that lanes of it have are among them, and so is `auto`.
fn with_each_value<'l, K: AnyKind>(
    choice: &StructureChoice<K>,
    knob: usize,
    lanes: impl Iterator<Item = &'l StructureChoice<K>>,
    own: &Own,
) -> Vec<StructureChoice<K>> {
    let Some(of) = choice.kind.into().info().knobs.get(knob) else {
        return Vec::new();
    };
    let alike = lanes.filter(|lane| lane.kind == choice.kind);
    let values = values_of(of, alike.map(|lane| lane.value(knob)), own);
    let with = |value: f64| {
        let mut choice = choice.clone();
        choice.put(knob, value);
        choice
    };
    values.into_iter().map(with).collect()
}

/// The choices that a round measures, each with its place in the table, and the one with whose answers theirs are compared.
struct Round<W: Surveyed> {
    choices: Vec<(usize, Held<KindOf<W>>)>,
    /// How many rounds were of the same rows before: each begins one row farther on.
    turn: usize,
    questions: questions::Asked,
    reference: StructureChoice<KindOf<W>>,
}

impl<W: Surveyed> Round<W> {
    /// The choices in the order in which they are measured.
    fn in_turn(&self) -> impl Iterator<Item = &(usize, Held<KindOf<W>>)> {
        let first = self.turn % self.choices.len().max(1);
        let (later, sooner) = self.choices.split_at(first);
        sooner.iter().chain(later)
    }
}

/// By what a round is known.
#[derive(Clone, Debug, PartialEq)]
struct Asked {
    subject: Subject,
    choices: Vec<AnyChoice>,
    /// What is held of each.
    held: Vec<Vec<(usize, f64)>>,
    /// How often the units had been changed when it began.
    crowds: u64,
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
    /// How many rounds of that there were.
    turns: usize,
}

impl Surveyor {
    /// Ends what is under way and forgets its rows: another battle is here, or nobody looks. What was the least that was read of this
    /// moment stays known.
    pub fn stop(&mut self) {
        // Rows may stand that are to be read anew, before anybody has asked for that.
        if self.asked.take().is_none() && lock(&self.board).rows.is_empty() {
            return;
        }
        // A round that was ended writes onto a board that nobody reads any more.
        let board = self.end_round().without_rows();
        self.board = Arc::new(Mutex::new(board));
        self.row = Cancel::default();
        self.round = Cancel::default();
        self.thread = None;
    }

    /// Lets the rows reckon a tick with so many single rectangles, which changes nothing of what is measured but how often.
    pub fn reckon_with(&mut self, rectangles: u32) {
        lock(&self.board).reckon_with(rectangles);
    }

    /// Lets every row be read anew; those of before stand until then.
    pub fn again(&mut self) {
        let (rows, of) = {
            let mut board = lock(&self.board);
            (std::mem::take(&mut board.rows), board.of)
        };
        self.stop();
        let mut board = lock(&self.board);
        (board.rows, board.of) = (rows, of);
        board.begin_anew();
    }

    /// Ends the round under way where other units stand by now, and says at once that its rows are of before. The next one begins when
    /// the thread has heard of it.
    pub fn heed(&mut self, moment: Moment) {
        let is_of_others = |asked: &Asked| asked.crowds != moment.crowds;
        if self.asked.as_ref().is_some_and(is_of_others) {
            self.end_round().begin_anew();
        }
    }

    /// Ends the round under way, and gives the board, which is held until then: a row that begins just now hears of one or the other.
    fn end_round(&self) -> MutexGuard<'_, Board> {
        let board = lock(&self.board);
        self.round.cancel();
        self.row.cancel();
        board
    }

    /// Begins another round where the last one is over; ends a row that takes too long. `rests` says that time stands still: then
    /// one round of the moment is enough.
    pub fn go_on<W: Surveyed>(
        &mut self,
        battle: &W,
        field: FieldOf<W>,
        (lanes, subject): (&[LaneChoice<KindOf<W>>], Subject),
        moment: Moment,
        rests: bool,
    ) {
        // Nobody waits for the rest of a table that is not looked at any more.
        match self.asked.as_ref().map(|asked| asked.subject) {
            Some(asked) if asked.rows != subject.rows => self.stop(),
            // Nor for the answers to what nobody asks any more.
            Some(asked) if asked.questions != subject.questions => self.again(),
            _ => {}
        }
        if self.is_at_work() {
            // The board is held meanwhile: else what has begun since it was looked at would be ended for what was before it.
            let board = lock(&self.board);
            if board.since.is_some_and(|since| since.elapsed() > PATIENCE) {
                self.row.cancel();
            }
            return;
        }
        let Some(of) = self.begin::<W>(lanes, subject, moment, rests) else {
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
        (lanes, subject): (&[LaneChoice<KindOf<W>>], Subject),
        moment: Moment,
    ) {
        let Some(of) = self.begin::<W>(lanes, subject, moment, true) else {
            return;
        };
        let ends = Ends {
            board: Arc::clone(&self.board),
            row: self.row.clone(),
            round: self.round.clone(),
        };
        measure(battle.clone(), field, &of, moment.tick, &ends, false);
    }

    /// What another round measures, and whose answers the rows are compared with; `None` where it would show nothing new.
    fn begin<W: Surveyed>(
        &mut self,
        lanes: &[LaneChoice<KindOf<W>>],
        subject: Subject,
        moment: Moment,
        rests: bool,
    ) -> Option<Round<W>> {
        // Nothing is under way; the last round may have been ended.
        self.round.reset();
        self.row.reset();
        let choices = subject.rows.choices(lanes, &subject.own).into_iter();
        let own = match subject.rows {
            Rows::Structures => None,
            Rows::Values { lane, .. } => Some(lane),
        };
        let choices = choices.map(|choice| Held::by(choice, lanes, own));
        let choices: Vec<Held<KindOf<W>>> = choices.collect();
        let asked = Asked {
            // In which order values were set changes nothing: they are among the choices.
            subject: Subject {
                own: Own::default(),
                ..subject
            },
            choices: choices.iter().map(Held::of_either).collect(),
            held: choices.iter().map(|it| it.chosen.clone()).collect(),
            crowds: moment.crowds,
        };
        let mut board = lock(&self.board);
        // Those that are to be read anew may be of the table that was shown before.
        if board.of != subject.rows {
            board.rows.clear();
        }
        if self.asked.as_ref() != Some(&asked) {
            board.begin_anew();
        } else if rests && board.is_read_enough(moment.tick) {
            return None;
        }
        board.be_of(moment, subject.questions);
        let mut choices: Vec<_> = choices.into_iter().enumerate().collect();
        // What took too long at a moment that stands does so again.
        choices.retain(|(place, _)| !(rests && board.is_in_vain(*place, moment.tick)));
        if choices.is_empty() {
            return None;
        }
        // A row of before stands until the new one is there: of the same structure, or of the same value.
        let before = std::mem::take(&mut board.rows);
        let stands_for = |row: &SurveyRow, choice: &AnyChoice| match subject.rows {
            Rows::Structures => {
                let all = asked.choices.iter();
                let is_alone = all.filter(|other| other.kind == choice.kind).count() == 1;
                row.choice.kind == choice.kind && (is_alone || row.choice == *choice)
            }
            Rows::Values { .. } => row.choice == *choice,
        };
        let row_of = |choice: &AnyChoice| {
            let mut before = before.iter().flatten();
            before.find(|row| stands_for(row, choice)).cloned()
        };
        board.rows = asked.choices.iter().map(row_of).collect();
        board.of = subject.rows;
        drop(board);
        let turn = match self.asked.as_ref() == Some(&asked) {
            true => self.turns,
            false => 0,
        };
        self.turns = turn + 1;
        self.asked = Some(asked);
        // Whoever tests every pair would keep the whole round waiting.
        let lead = &lanes.first()?.set;
        let mut all = KindOf::<W>::ALL.iter();
        let other = all.find(|kind| !kind.tests_every_pair());
        let reference = match other {
            Some(other) if lead.kind.tests_every_pair() => StructureChoice::new(*other),
            _ => lead.clone(),
        };
        Some(Round {
            choices,
            turn,
            questions: subject.questions,
            reference,
        })
    }

    /// The rows that there are; gives of which table they are.
    pub fn rows(&self, into: &mut Vec<SurveyRow>) -> Rows {
        into.clear();
        let board = lock(&self.board);
        into.extend(board.rows_of_now());
        board.of
    }
}

/// Where a round writes, and what ends it.
struct Ends {
    board: Arc<Mutex<Board>>,
    row: Cancel,
    round: Cancel,
}

impl Ends {
    /// The row under way begins, and what ended something before it ends nothing of it; fails where the whole round is ended.
    fn begin_row(&self) -> Result<(), Abandoned> {
        let mut board = lock(&self.board);
        board.since = Some(Instant::now());
        self.row.reset();
        self.round.check()
    }
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
    // Half of a core is left to the battle and to who draws it.
    let rest = |begun: Instant| {
        if is_polite {
            std::thread::sleep(begun.elapsed().min(Duration::from_millis(250)));
        }
    };
    let begun = Instant::now();
    let Ok(survey) = Survey::new(battle, field, &of.reference, &of.questions, &ends.round) else {
        return;
    };
    // Where two runs must look alike no time is told.
    let is_warmed = is_polite && survey.unit_count() <= MOST_WARMED;
    // Before the first row as before every other one.
    rest(begun);
    for (place, of) in of.in_turn() {
        let begun = Instant::now();
        let expected = survey
            .expected_tests(of.choice.kind)
            .filter(|tests| *tests > MOST_TESTS);
        let outcome = match expected {
            Some(tests) => Outcome::TooMany(tests),
            None => outcome(&survey, of, ends, is_warmed),
        };
        let mut board = lock(&ends.board);
        if ends.round.is_cancelled() {
            return;
        }
        let of = (of.of_either(), of.chosen.clone());
        let row = board.take(of, tick, outcome, is_polite);
        board.since = None;
        if let Some(standing) = board.rows.get_mut(*place) {
            *standing = Some(match standing {
                Some(before) => row.after(before),
                None => row,
            });
        }
        drop(board);
        rest(begun);
    }
    if is_polite {
        std::thread::sleep(BETWEEN_ROUNDS);
    }
}

/// Measures a structure with what is held of it; its row says of that what it says of whatever a structure has chosen itself.
fn outcome<W: Surveyed>(
    survey: &Survey<W>,
    of: &Held<KindOf<W>>,
    ends: &Ends,
    is_warmed: bool,
) -> Outcome {
    let measured = || {
        // Nobody waits longer for either than for a row.
        if is_warmed {
            ends.begin_row()?;
            survey.warm_up(&of.choice, &of.chosen, &ends.row)?;
        }
        ends.begin_row()?;
        survey.measure(&of.choice, &of.chosen, &ends.row)
    };
    measured().map_or(Outcome::TooLong, |row| Outcome::Measured(Box::new(row)))
}

impl Drop for Surveyor {
    fn drop(&mut self) {
        drop(self.end_round());
    }
}

#[cfg(test)]
mod tests;
