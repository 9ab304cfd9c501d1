//! What each structure costs for a scene, with each value of its knobs that is asked for: update, queries and memory apart.
//!
//! # Algorithm
//!
//! 1. Every structure is built, and counts some steps of the scene's battle: from that it is known how long all of them take.
//! 2. The counted pass: each counts the whole battle on its own, exactly as [`simulate`](super::simulate) does, the scene's own
//!    structure first and then the quickest, as many as fit into the time; the others are rows that say why they were left out.
//! 3. The timed pass: the same battles once more with nobody counting, the structures in turns, so that whatever else the
//!    machine does hits all of them alike.
//!
//! Before the first of the timed steps, single [questions](super::questions) are asked of each structure, in turns as well, as the
//! scene starts: who stands in this rectangle, and who are the nearest to this place?
//!
//! Both passes are one and the same traversal under two probes, and it is checked that they end in the same state; and so
//! are the states under all structures, step by step.
//!
//! # What is touched
//!
//! The bytes that a step touches are reckoned from what was counted, not measured. Of the upkeep: each change that is read,
//! each body that moved, and as much of the index as it holds for one body, for each change, or for everybody where it was
//! built anew. Of the queries: a body for each test, a [line](LINE) for each visit, the pair for each pair that is found. That
//! is what the structure asks of the caches and the memory together. Beside it stands the speed at which this machine copies
//! as much memory as the index and the bodies take, reads and writes both counted: at one hundred per cent nothing is left to
//! gain but to touch less; far below, the time goes into computing, branching and waiting for single lines. More than that is
//! possible where the same bytes are touched again and again and are in registers by then.
//!
//! Invariant: what is counted does not depend on the time; only which structures are left out does.

use super::questions::{Answers, Asked, Price, Questions};
use super::stage::Stage;
use crate::partition::{Change, Pair};
use crate::probe::Work;
use crate::scene::{AnyChoice, Scene, WrongDimension};
use crate::session::Crowding;
use counting::{Count, Counted};
use std::time::{Duration, Instant};
use timing::{Run, Timed};

mod asking;
pub mod copying;
pub mod counting;
mod report;
pub mod timing;

/// How many rows there may be: every structure with a hundred values of a knob, say.
pub const MOST: usize = 1_000;

/// What a visit to a node or a cell is reckoned with at the least, in bytes: one line of the cache.
pub const LINE: usize = 64;

/// So many bytes of battles and indices are held at once at the most; what is beyond has its turns afterwards.
const MEMORY: usize = 2 << 30;

/// What share of the time may go into finding out how long each structure takes, all of them together and any one.
const TRIAL_SHARES: (f64, f64) = (0.4, 0.2);

/// For how long a structure counts in order to know that, unless it needs longer for one step.
const TRIAL: Duration = Duration::from_millis(30);

/// What share of the time that is left is given away.
const MARGIN: f64 = 0.95;

/// By how much more than the first steps take the later ones are reckoned, in which the armies meet.
const GROWTH: f64 = 1.3;

/// How a scene is benchmarked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// How many steps; at least 1.
    pub ticks: u64,
    /// How many of them pass before any is timed; fewer than `ticks`.
    pub warm_up: u64,
    /// On how many threads; at least 1.
    pub threads: usize,
    /// For how long, in seconds, about: what will not fit is left out.
    pub seconds: f64,
    /// Which single questions are asked, besides those of the steps.
    pub asked: Asked,
}

impl Options {
    /// The usual time, well within a minute.
    pub const SECONDS: f64 = 45.0;

    /// How many steps are usual with so many units: ten seconds of a small battle, fewer of a large one.
    pub fn usual_ticks(units: u64) -> u64 {
        (2_000_000 / units.max(1)).clamp(8, 600)
    }

    /// How many of so many steps are usually not timed.
    pub fn usual_warm_up(ticks: u64) -> u64 {
        (ticks / 4).min(60)
    }
}

/// What came of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// The scene's name.
    pub scene: String,
    /// Units alive at the start.
    pub units: u64,
    /// How it was run.
    pub options: Options,
    /// How fast this machine copies memory.
    pub copies: Vec<copying::Copy>,
    /// The single questions that were asked.
    pub questions: Questions,
    /// A row a structure and knobs, in the order in which they were given.
    pub rows: Vec<Row>,
}

/// One structure with its knobs.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The structure, with the knobs that differ from their defaults.
    pub choice: AnyChoice,
    /// What it cost, or why it was left out.
    pub outcome: Result<Box<Cost>, String>,
}

/// What a structure cost.
#[derive(Clone, Debug, PartialEq)]
pub struct Cost {
    /// The counted pass.
    pub counted: Counted,
    /// The timed pass.
    pub timed: Timed,
    /// The first tick after which the battle was not what it is under the first structure, or not twice the same.
    pub differs_at: Option<u64>,
    /// What a single question of each [kind](super::questions::Question::ALL) costs.
    pub prices: [Price; 2],
    /// The first of these questions whose answer is not that of the first structure.
    pub wrong_answer: Option<String>,
    /// The bytes of the bodies and the index.
    pub working_set: usize,
    /// The bytes that a step touches; see [above](self#what-is-touched).
    pub touched: f64,
    /// The copy that it is set beside.
    pub copy: Option<copying::Copy>,
}

impl Cost {
    /// Whether everything was answered as the first structure answers it.
    pub fn agrees(&self) -> bool {
        self.differs_at.is_none() && self.wrong_answer.is_none()
    }

    /// At what share of that copy's speed the structure touches its bytes.
    pub fn share_of_copy(&self) -> f64 {
        let ms = self.timed.update.median + self.timed.queries.median;
        let speed = self.copy.map_or(0.0, |copy| copy.gb_per_s);
        if ms > 0.0 && speed > 0.0 {
            self.touched / ms / 1.0e6 / speed
        } else {
            0.0
        }
    }
}

/// How far it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progress<'a> {
    /// What is being done.
    pub stage: &'a str,
    /// How much of it is done,
    pub done: u64,
    /// and of how much.
    pub total: u64,
}

/// One structure on its way.
struct Entrant<'a> {
    choice: &'a AnyChoice,
    /// Where it has got to, or why it is left out.
    state: Result<State, String>,
}

enum State {
    /// What its first steps told: how long all of them take in both passes, and how many bytes they work with; with the count
    /// itself where there was memory to keep it.
    Tried {
        time: f64,
        bytes: usize,
        count: Option<Box<Count>>,
    },
    Counted {
        counted: Box<Counted>,
        hashes: Vec<u64>,
        time: f64,
        bytes: usize,
    },
    Done {
        cost: Box<Cost>,
    },
}

/// Measures every one of `choices` on what happens in the scene. Before the first step `warn` hears whether one takes long, and `progress`
/// hears how far it is. A structure of another dimension is a row that says so.
pub fn run(
    scene: &Scene,
    choices: &[AnyChoice],
    options: &Options,
    warn: &mut dyn FnMut(&Crowding),
    progress: &mut dyn FnMut(&Progress<'_>),
) -> Report {
    let budget = Budget {
        begun: Instant::now(),
        seconds: options.seconds,
    };
    let copies = copying::measure();
    let start = Stage::of(scene);
    if let Some(crowding) = start.crowding() {
        warn(&crowding);
    }
    let bench = Bench {
        own: scene.own_choice(),
        questions: start.questions(&options.asked),
        start,
        options,
        budget,
        copies: &copies,
    };
    let state = |choice| Entrant {
        choice,
        state: Err(String::new()),
    };
    let mut entrants: Vec<Entrant> = choices.iter().map(state).collect();
    bench.try_all(&mut entrants, progress);
    bench.count_all(&mut entrants, progress);
    bench.time_all(&mut entrants, progress);
    let rows = entrants.into_iter().map(|entrant| Row {
        choice: entrant.choice.clone(),
        outcome: match entrant.state {
            Ok(State::Done { cost }) => Ok(cost),
            Ok(_) => Err("it was not measured".to_owned()),
            Err(reason) => Err(reason),
        },
    });
    let rows = rows.collect();
    Report {
        scene: scene.name.clone(),
        units: bench.start.units(),
        options: *options,
        questions: bench.questions,
        copies,
        rows,
    }
}

/// The time that there is.
struct Budget {
    begun: Instant,
    seconds: f64,
}

impl Budget {
    /// How many seconds are left.
    fn left(&self) -> f64 {
        (self.seconds - self.begun.elapsed().as_secs_f64()).max(0.0)
    }
}

/// What the first structure answered, with which the others are compared.
struct Truth {
    /// The battle's fingerprint after each step.
    hashes: Vec<u64>,
    /// The single questions; `None` before they were asked.
    answers: Option<Answers>,
}

/// What all structures are measured on.
struct Bench<'a> {
    /// The scene's own structure, which is measured before all others.
    own: AnyChoice,
    start: Stage,
    /// What is asked of it besides.
    questions: Questions,
    options: &'a Options,
    budget: Budget,
    copies: &'a [copying::Copy],
}

impl Bench<'_> {
    /// What happens, as it starts, with an empty index of a structure; or why there is none.
    fn begin(&self, choice: &AnyChoice) -> Result<Stage, String> {
        self.start.under(choice).ok_or_else(|| {
            let (kind, own) = (choice.kind, self.own.kind);
            WrongDimension { kind, own }.to_string()
        })
    }

    /// Builds each structure and counts its first steps.
    fn try_all(&self, entrants: &mut [Entrant<'_>], progress: &mut dyn FnMut(&Progress<'_>)) {
        let (together, one) = TRIAL_SHARES;
        let share = (together / entrants.len().max(1) as f64).min(one);
        let limit = duration(self.options.seconds * share);
        let Options { ticks, threads, .. } = *self.options;
        let (mut held, total) = (0, entrants.len() as u64);
        for (place, entrant) in entrants.iter_mut().enumerate() {
            progress(&Progress {
                stage: "trying",
                done: place as u64,
                total,
            });
            let stage = match self.begin(entrant.choice) {
                Ok(stage) => stage,
                Err(reason) => {
                    entrant.state = Err(reason);
                    continue;
                }
            };
            let tried = Count::begin(stage, limit).and_then(|mut count| {
                count.advance(ticks, threads, TRIAL.min(limit), limit)?;
                Ok(count)
            });
            entrant.state = match tried {
                Err(_) => Err(format!(
                    "its first step was not done within {}",
                    rounded(limit.as_secs_f64())
                )),
                Ok(count) => {
                    let tick = count.tick().as_secs_f64() * GROWTH;
                    let bytes = count.byte_count();
                    let keeps = held + bytes <= MEMORY;
                    held += if keeps { bytes } else { 0 };
                    let counted = if keeps { count.done() } else { 0 };
                    let builds = count.build.as_secs_f64() * if keeps { 1.0 } else { 2.0 };
                    Ok(State::Tried {
                        time: builds + tick * (2 * ticks - counted) as f64,
                        bytes,
                        count: keeps.then(|| Box::new(count)),
                    })
                }
            };
        }
    }

    /// Counts the whole battle under each structure for which there is time: under the scene's own first, then under the quickest.
    /// How long the others take is known better with each that is counted.
    fn count_all(&self, entrants: &mut [Entrant<'_>], progress: &mut dyn FnMut(&Progress<'_>)) {
        let all = self.budget.left() * MARGIN;
        let mut order: Vec<(bool, f64, &mut Entrant)> = entrants
            .iter_mut()
            .filter_map(|entrant| match entrant.state {
                Ok(State::Tried { time, .. }) => Some((*entrant.choice != self.own, time, entrant)),
                _ => None,
            })
            .collect();
        order.sort_by(|(a, one, _), (b, other, _)| a.cmp(b).then(one.total_cmp(other)));
        let total = order.len() as u64;
        // What timing those will take that are counted.
        let mut reserved = 0.0;
        for (done, (_, time, entrant)) in (0..).zip(order) {
            progress(&Progress {
                stage: "counting",
                done,
                total,
            });
            if time > self.budget.left() * MARGIN - reserved {
                entrant.state = Err(self.too_slow(time, time <= all));
                continue;
            }
            let state = std::mem::replace(&mut entrant.state, Err(String::new()));
            if let Ok(State::Tried { time, bytes, count }) = state {
                let counted = self.count(entrant.choice, time, count, reserved);
                reserved += counted.as_ref().map_or(0.0, |(.., time)| *time);
                entrant.state = counted.map(|(counted, hashes, time)| State::Counted {
                    counted: Box::new(counted),
                    hashes,
                    time,
                    bytes,
                });
            }
        }
    }

    fn too_slow(&self, time: f64, fits_alone: bool) -> String {
        let Options { ticks, seconds, .. } = *self.options;
        let steps = if ticks == 1 { "step" } else { "steps" };
        let beside = if fits_alone {
            " beside those that take less"
        } else {
            ""
        };
        let time = rounded(time);
        format!(
            "{ticks} {steps}, counted and timed, take about {time}, which does not fit into {seconds} s{beside}"
        )
    }

    /// Counts the whole battle; gives also its fingerprints, and how long timing it will take, in seconds.
    fn count(
        &self,
        choice: &AnyChoice,
        time: f64,
        count: Option<Box<Count>>,
        reserved: f64,
    ) -> Result<(Counted, Vec<u64>, f64), String> {
        let Options { ticks, threads, .. } = *self.options;
        // Later steps may take far longer than the first ones: then one structure must not take the time of all.
        let left = (self.budget.left() - reserved).max(time);
        let limit = duration((4.0 * time + 0.5).min(left));
        let abandoned = |_| {
            format!(
                "{ticks} steps were not counted within {}, as the first ones had promised",
                rounded(limit.as_secs_f64())
            )
        };
        let mut count = match count {
            Some(count) => *count,
            None => Count::begin(self.begin(choice)?, limit).map_err(abandoned)?,
        };
        count
            .advance(ticks, threads, Duration::MAX, limit)
            .map_err(abandoned)?;
        let hashes = std::mem::take(&mut count.hashes);
        let time = count.build.as_secs_f64() + count.time.as_secs_f64();
        Ok((count.finish(), hashes, time))
    }

    /// Times those that were counted, as many at once as there is memory for.
    fn time_all(&self, entrants: &mut [Entrant<'_>], progress: &mut dyn FnMut(&Progress<'_>)) {
        let truth = entrants.iter().find_map(|entrant| match &entrant.state {
            Ok(State::Counted { hashes, .. }) => Some(hashes.clone()),
            _ => None,
        });
        let mut truth = Truth {
            hashes: truth.unwrap_or_default(),
            answers: None,
        };
        let mut waiting: Vec<&mut Entrant> = entrants
            .iter_mut()
            .filter(|entrant| matches!(entrant.state, Ok(State::Counted { .. })))
            .collect();
        while !waiting.is_empty() {
            let (mut bytes, mut count) = (0, 0);
            for entrant in &waiting {
                bytes += entrant.bytes();
                if count > 0 && bytes > MEMORY {
                    break;
                }
                count += 1;
            }
            let all: f64 = waiting.iter().map(|entrant| entrant.time()).sum();
            let rest = waiting.split_off(count);
            let mine: f64 = waiting.iter().map(|entrant| entrant.time()).sum();
            let limit = self.budget.left() * (mine / all.max(f64::MIN_POSITIVE)).min(1.0);
            self.time_together(&mut waiting, duration(limit), &mut truth, progress);
            waiting = rest;
        }
    }

    fn time_together(
        &self,
        entrants: &mut [&mut Entrant<'_>],
        limit: Duration,
        truth: &mut Truth,
        progress: &mut dyn FnMut(&Progress<'_>),
    ) {
        let Options {
            ticks,
            warm_up,
            threads,
            ..
        } = *self.options;
        let begin = |entrant: &&mut Entrant| {
            // Whoever was counted is of this dimension.
            let stage = self.start.under(entrant.choice)?;
            Some(Run::begin(stage, entrant.choice, threads))
        };
        let clock = Instant::now();
        let mut runs: Vec<Run> = entrants.iter().filter_map(begin).collect();
        progress(&Progress {
            stage: "asking",
            done: 0,
            total: runs.len() as u64,
        });
        let left = limit.saturating_sub(clock.elapsed());
        let asked = asking::take_turns(&runs, &self.questions, left);
        let limit = limit.saturating_sub(clock.elapsed());
        let mut told = |done| {
            progress(&Progress {
                stage: "timing",
                done,
                total: ticks,
            });
        };
        let done = timing::take_turns(&mut runs, (ticks, warm_up), threads, limit, &mut told);
        for ((entrant, run), (answers, batches)) in entrants.iter_mut().zip(runs).zip(asked) {
            let state = std::mem::replace(&mut entrant.state, Err(String::new()));
            if let Ok(State::Counted {
                counted, hashes, ..
            }) = state
            {
                let apart = hashes.iter().zip(&truth.hashes).position(|(a, b)| a != b);
                let again = hashes.get(done as usize - 1) == Some(&run.hash());
                let differs_at = apart.map(|place| place as u64 + 1);
                let differs_at = differs_at.or((!again).then_some(done));
                let right = truth.answers.get_or_insert_with(|| answers.clone());
                let wrong = answers.compare(right);
                let cost = Cost {
                    differs_at,
                    prices: answers.prices(batches),
                    wrong_answer: wrong.map(|wrong| self.questions.tell(wrong)),
                    ..self.cost(*counted, run.finish())
                };
                entrant.state = Ok(State::Done {
                    cost: Box::new(cost),
                });
            }
        }
    }

    /// What the two passes cost; it is left to be said whether all was answered alike, and what single questions cost.
    fn cost(&self, counted: Counted, timed: Timed) -> Cost {
        let (count, body) = (self.start.units() as usize, self.start.body_bytes());
        let units = count.max(1) as f64;
        let ticks = self.options.ticks as f64;
        let working_set = counted.bytes() + body * count;
        let held = counted.bytes() as f64 / units;
        let changes = counted.changes as f64;
        let built = counted.update.of(Work::Rebuild) as f64 * units;
        let update =
            changes * size_of::<Change>() as f64 + changes.max(built) * (body as f64 + held);
        let query = counted.query.tests as f64 * body as f64
            + counted.query.visits as f64 * LINE as f64
            + counted.pairs as f64 * size_of::<Pair>() as f64;
        Cost {
            touched: (update + query) / ticks,
            copy: copying::nearest(self.copies, working_set),
            counted,
            timed,
            differs_at: None,
            prices: Default::default(),
            wrong_answer: None,
            working_set,
        }
    }
}

impl Entrant<'_> {
    fn time(&self) -> f64 {
        match self.state {
            Ok(State::Counted { time, .. }) => time,
            _ => 0.0,
        }
    }

    fn bytes(&self) -> usize {
        match self.state {
            Ok(State::Counted { bytes, .. }) => bytes,
            _ => 0,
        }
    }
}

/// Any number of seconds that is none below zero, cut off where a duration ends.
fn duration(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX)
}

/// Seconds as they are said: two digits are all that an estimate is worth.
fn rounded(seconds: f64) -> String {
    if seconds < 0.1 {
        format!("{:.1} ms", seconds * 1.0e3)
    } else if seconds < 10.0 {
        format!("{seconds:.1} s")
    } else {
        format!("{seconds:.0} s")
    }
}
