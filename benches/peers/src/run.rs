//! One work on one crowd: everybody is checked, set up, and then measured in turns.

use crate::clock::Taken;
use crate::contest::{Crowd, Entry, Runner, Variant};
use crate::tally::Sum;
use crate::work::{self, Question, Turn, Work};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// How thoroughly it is measured.
#[derive(Clone, Copy, Debug)]
pub struct Care {
    /// How many turns everybody has.
    pub rounds: usize,
    /// Who takes longer than this many times the quickest has fewer turns.
    pub slow: f64,
    /// How many those have.
    pub slow_rounds: usize,
    /// Whether ways to set a contestant up are compared by a single trial.
    pub is_quick: bool,
}

/// What became of a contestant.
pub struct Row {
    /// Its name.
    pub name: String,
    /// Its family.
    pub family: &'static str,
    /// Whether it is one of Skirmish's.
    pub ours: bool,
    /// How it was set up.
    pub setup: String,
    /// What came of it.
    pub result: Result<Times, &'static str>,
}

/// The times of all turns, in nanoseconds, of one work each.
#[derive(Clone, Debug)]
pub struct Times {
    /// What is compared, ascending: processor times of one thread, or times on the wall of several.
    compared: Vec<f64>,
    /// Times on the wall, ascending.
    wall: Vec<f64>,
}

impl Times {
    fn new(turns: &[Taken]) -> Self {
        let sorted = |of: fn(&Taken) -> f64| {
            let mut times: Vec<f64> = turns.iter().map(of).collect();
            times.sort_unstable_by(f64::total_cmp);
            times
        };
        Self {
            compared: sorted(|turn| turn.time),
            wall: sorted(|turn| turn.wall),
        }
    }

    /// The median of what is compared.
    pub fn median(&self) -> f64 {
        median(&self.compared)
    }

    /// The least of it.
    pub fn min(&self) -> f64 {
        self.compared[0]
    }

    /// The median of the times on the wall.
    pub fn wall(&self) -> f64 {
        median(&self.wall)
    }

    /// How far the longest and the shortest turn are apart, as a part of the median.
    pub fn spread(&self) -> f64 {
        (self.compared[self.compared.len() - 1] - self.compared[0]) / self.median()
    }

    /// How many turns there were.
    pub fn turns(&self) -> usize {
        self.compared.len()
    }
}

/// The middle of ascending numbers; of two middles, their mean.
pub fn median(ascending: &[f64]) -> f64 {
    let middle = ascending.len() / 2;
    if ascending.len().is_multiple_of(2) {
        (ascending[middle - 1] + ascending[middle]) * 0.5
    } else {
        ascending[middle]
    }
}

/// A contestant that has been let in.
struct Runs<W> {
    row: usize,
    runner: Box<dyn Runner<W>>,
    turn: Turn,
    /// What its first turns took.
    first: f64,
    turns: Vec<Taken>,
}

/// Measures all `entries`. The rows come in the order of the entries.
pub fn run<W: Crowd>(world: &mut W, work: Work, entries: Vec<Entry<W>>, care: Care) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut running = Vec::new();
    let mut answers = Answers::default();
    for entry in entries {
        let (result, setup) = match prepared(world, work, &entry, &mut answers, care) {
            Ok((runner, setup, turn, first)) => {
                running.push(Runs {
                    row: rows.len(),
                    runner,
                    turn,
                    first,
                    turns: Vec::new(),
                });
                (Err("not measured"), setup)
            }
            Err(why) => (Err(why), String::new()),
        };
        rows.push(Row {
            name: entry.name,
            family: entry.family,
            ours: entry.ours,
            setup,
            result,
        });
    }
    // Everybody stands where the first round begins.
    world.rewind();
    for it in &mut running {
        it.runner.build(world);
    }
    let quickest = running
        .iter()
        .map(|it| it.first)
        .fold(f64::INFINITY, f64::min);
    let steps = Turn::of_steps(world.scene().units);
    for round in 0..care.rounds {
        let right = work::right_sum(world, work, steps);
        let count = running.len();
        for place in 0..count {
            // Each begins once: what the one before left in the caches falls on all alike.
            let it = &mut running[(place + round) % count];
            let is_out = rows[it.row]
                .result
                .as_ref()
                .is_err_and(|why| *why != "not measured");
            if is_out || round >= care.slow_rounds && it.first > care.slow * quickest {
                continue;
            }
            let outcome = catch_unwind(AssertUnwindSafe(|| {
                work::turn(&mut *it.runner, world, work, it.turn)
            }));
            match outcome {
                Err(_) => rows[it.row].result = Err("panicked"),
                Ok(outcome) => {
                    let times = it.turn.times as u64;
                    let expected = right.map(|right| match work {
                        Work::StepPairs => right,
                        _ => Sum {
                            count: right.count * times,
                            hash: right.hash.wrapping_mul(times),
                        },
                    });
                    if expected.is_some_and(|expected| expected != outcome.sum) {
                        rows[it.row].result = Err("wrong answer");
                    }
                    it.turns.push(outcome.taken);
                }
            }
        }
        if work.moves_all() {
            // Somebody has to move them, whether or not the last one panicked.
            world.rewind();
            for _ in 0..steps.warm_ups + steps.times {
                world.integrate();
            }
            world.go_on();
        }
    }
    for it in running {
        if matches!(rows[it.row].result, Err("not measured")) {
            rows[it.row].result = Ok(Times::new(&it.turns));
        }
    }
    rows
}

/// The right answers, reckoned once each.
#[derive(Default)]
struct Answers(Vec<(Question, Sum)>);

impl Answers {
    fn get<W: Crowd>(&mut self, world: &mut W, work: Work, question: Question) -> Sum {
        if let Some((_, sum)) = self.0.iter().find(|(known, _)| *known == question) {
            return *sum;
        }
        let sum = work::right_answer(world, work, question);
        self.0.push((question, sum));
        sum
    }
}

type Prepared<W> = (Box<dyn Runner<W>>, String, Turn, f64);

/// Finds the best variant that answers rightly, and says how long a turn it should have.
fn prepared<W: Crowd>(
    world: &mut W,
    work: Work,
    entry: &Entry<W>,
    answers: &mut Answers,
    care: Care,
) -> Result<Prepared<W>, &'static str> {
    let question = entry.question(work);
    let right = answers.get(world, work, question);
    let mut why = "has no variant";
    let mut tried: Vec<(f64, Turn, &Variant<W>)> = Vec::new();
    for variant in &entry.variants {
        let best = tried.iter().map(|it| it.0).fold(f64::INFINITY, f64::min);
        let trial = catch_unwind(AssertUnwindSafe(|| {
            let mut runner = (variant.make)(world);
            tried_out(&mut *runner, world, work, best, care)
        }));
        match trial {
            Err(_) => why = "panicked",
            Ok((turn, taken)) => tried.push((taken, turn, variant)),
        }
    }
    tried.sort_by(|a, b| a.0.total_cmp(&b.0));
    // The quickest is of no use if it is wrong.
    for (taken, turn, variant) in tried {
        let checked = catch_unwind(AssertUnwindSafe(|| {
            let mut runner = (variant.make)(world);
            let answer = work::checked_answer(&mut *runner, world, work, question);
            (runner, answer == right)
        }));
        match checked {
            Err(_) => why = "panicked",
            Ok((_, false)) => why = "wrong answer",
            Ok((runner, true)) => return Ok((runner, variant.words.clone(), turn, taken)),
        }
    }
    Err(why)
}

/// How long it takes, roughly, and how long a turn it therefore should have. What is not near the `best` is not tried twice.
fn tried_out<W: Crowd>(
    runner: &mut dyn Runner<W>,
    world: &mut W,
    work: Work,
    best: f64,
    care: Care,
) -> (Turn, f64) {
    let time = |runner: &mut dyn Runner<W>, world: &mut W, turn: Turn| {
        world.rewind();
        runner.build(world);
        work::turn(runner, world, work, turn).taken.time
    };
    let short = Turn {
        warm_ups: 0,
        times: if work == Work::Move { 64 } else { 1 },
    };
    let first = time(runner, world, short);
    let turn = match work {
        Work::Step | Work::StepPairs => Turn::of_steps(world.scene().units),
        Work::Move => Turn::of_moves(first),
        _ => Turn::of(first),
    };
    let is_worth_more = if care.is_quick {
        first < 2.0e6
    } else {
        first < 2.0e8 && first < 4.0 * best
    };
    let again = is_worth_more.then(|| time(runner, world, turn));
    (turn, again.unwrap_or(first).min(first))
}
