//! What is measured: the works, and one turn of each.

use crate::clock::{Taken, timed};
use crate::contest::{Crowd, Runner};
use crate::tally::{Light, Strong, Sum};
use std::hint::black_box;

/// How many of the nearest are asked for.
pub const NEAREST_COUNT: usize = 8;

/// The works, under the names that the table and the JSON give them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, clap::ValueEnum)]
#[value(rename_all = "snake_case")]
pub enum Work {
    /// The structure is built from the positions. Memory that it kept from the last time may be used again.
    Build,
    /// All units move, and the structure is brought up to date.
    Step,
    /// All pairs in reach.
    Pairs,
    /// A step, then all pairs.
    StepPairs,
    /// Ten thousand rectangles, or cubes, of about fifty units, one after the other.
    #[value(alias = "boxes")]
    Rectangles,
    /// Ten thousand times the eight nearest.
    Nearest,
    /// One unit moves, and the structure can be asked again.
    Move,
}

/// By what an update is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// By the work `pairs`.
    Pairs,
    /// By the work `rectangles`.
    Rectangles,
    /// By the work `nearest`.
    Nearest,
}

impl Work {
    /// Whether several threads may share it. Rectangles and the nearest are asked for one by one: whoever has threads hands the questions
    /// out, and no library is better at that than another.
    pub fn is_shared(self) -> bool {
        matches!(
            self,
            Self::Build | Self::Step | Self::Pairs | Self::StepPairs
        )
    }

    /// Whether the crowd goes on from round to round.
    pub fn moves_all(self) -> bool {
        matches!(self, Self::Step | Self::StepPairs)
    }

    /// What it answers itself, if anything.
    pub fn question(self) -> Option<Question> {
        match self {
            Self::Pairs | Self::StepPairs => Some(Question::Pairs),
            Self::Rectangles => Some(Question::Rectangles),
            Self::Nearest => Some(Question::Nearest),
            Self::Build | Self::Step | Self::Move => None,
        }
    }
}

/// How many moves a contestant has to make before its answers are looked at.
pub const CHECKED_MOVES: usize = 64;

/// Brings a contestant to where its answers can be checked, and gives them. The world is left as the work leaves it.
pub fn checked_answer<W: Crowd>(
    runner: &mut dyn Runner<W>,
    world: &mut W,
    work: Work,
    question: Question,
) -> Sum {
    world.rewind();
    runner.build(world);
    prepare(world, work, &mut |world, unit| match unit {
        None => runner.update(world),
        Some(unit) => runner.moved(world, unit),
    });
    runner.answer_strongly(world, question)
}

/// The changes between the build and the checked answer.
fn prepare<W: Crowd>(world: &mut W, work: Work, change: &mut dyn FnMut(&mut W, Option<usize>)) {
    match work {
        Work::Step | Work::StepPairs => {
            for _ in 0..2 {
                world.integrate();
                change(world, None);
            }
        }
        Work::Move => (0..CHECKED_MOVES).for_each(|index| change(world, Some(index))),
        _ => {}
    }
}

/// The right answer to the same.
pub fn right_answer<W: Crowd>(world: &mut W, work: Work, question: Question) -> Sum {
    world.rewind();
    prepare(world, work, &mut |world, unit| {
        if let Some(index) = unit {
            let (unit, way) = world.moves()[index];
            let center = &mut world.centers()[unit as usize];
            *center = *center + way;
        }
    });
    world.answer::<Strong>(question)
}

/// How often a work is done in one turn.
#[derive(Clone, Copy, Debug)]
pub struct Turn {
    /// Before the clock runs, so that the caches are as they are in a program that does nothing else.
    pub warm_ups: usize,
    /// While it runs.
    pub times: usize,
}

impl Turn {
    /// A turn of steps, the same for everybody, or the crowds would part.
    pub fn of_steps(units: usize) -> Self {
        let (warm_ups, times) = match units {
            0..20_000 => (1, 6),
            20_000..200_000 => (1, 2),
            _ => (0, 1),
        };
        Self { warm_ups, times }
    }

    /// A turn of something that took so many nanoseconds the first time.
    pub fn of(nanoseconds: f64) -> Self {
        Self {
            warm_ups: usize::from(nanoseconds < 2.0e7),
            times: (2.0e6 / nanoseconds.max(1.0)).clamp(1.0, 16.0) as usize,
        }
    }

    /// A turn of single moves, each of which took so many nanoseconds the first time.
    pub fn of_moves(nanoseconds: f64) -> Self {
        Self {
            warm_ups: usize::from(nanoseconds < 1.0e5),
            times: (2.0e6 / nanoseconds.max(1.0)).clamp(2.0, 2000.0) as usize,
        }
    }
}

/// What a turn took, one work of it, and what was answered in all of it.
pub struct Outcome {
    /// The mean of the turn.
    pub taken: Taken,
    /// The light sum of all answers while the clock ran.
    pub sum: Sum,
}

/// One contestant's turn. The crowd is where the round began, and the structure has been built and has seen all steps since.
pub fn turn<W: Crowd>(
    runner: &mut dyn Runner<W>,
    world: &mut W,
    work: Work,
    turn: Turn,
) -> Outcome {
    world.rewind();
    let threads = world.scene().threads;
    let mut taken = Taken::ZERO;
    let mut sum = Sum::default();
    if work == Work::Move {
        for _ in 0..turn.warm_ups {
            runner.moves(world, turn.times);
        }
        let (taken, ()) = timed(threads, || runner.moves(world, turn.times));
        return Outcome {
            taken: taken.per(2 * turn.times),
            sum,
        };
    }
    for time in 0..turn.warm_ups + turn.times {
        if work == Work::Build {
            runner.discard();
        }
        let (one, answer) = timed(threads, || match work {
            Work::Build => {
                runner.build(world);
                Sum::default()
            }
            Work::Step => {
                world.integrate();
                runner.update(world);
                Sum::default()
            }
            Work::StepPairs => {
                world.integrate();
                runner.update(world);
                black_box(runner.answer_lightly(world, Question::Pairs))
            }
            Work::Pairs | Work::Rectangles | Work::Nearest | Work::Move => {
                let question = work.question().unwrap_or(Question::Pairs);
                black_box(runner.answer_lightly(world, question))
            }
        });
        if time >= turn.warm_ups {
            taken += one;
            sum += answer;
        }
    }
    Outcome {
        taken: taken.per(turn.times),
        sum,
    }
}

/// What the answers of a turn should sum up to.
pub fn right_sum<W: Crowd>(world: &mut W, work: Work, steps: Turn) -> Option<Sum> {
    let question = work.question()?;
    world.rewind();
    if work != Work::StepPairs {
        return Some(world.answer::<Light>(question));
    }
    let mut sum = Sum::default();
    for time in 0..steps.warm_ups + steps.times {
        world.integrate();
        if time >= steps.warm_ups {
            sum += world.answer::<Light>(question);
        }
    }
    Some(sum)
}
