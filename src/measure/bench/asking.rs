//! Single questions to all structures, in turns.

use super::super::questions::{Answers, Batches, Questions};
use super::timing::Run;
use std::time::{Duration, Instant};

/// In so many turns each structure is asked all questions, where there is time.
const TURNS: usize = 20;

/// No structure is timed for longer than this,
const MOST: Duration = Duration::from_millis(100);

/// nor all of them for more than this share of the time that is left.
const SHARE: u32 = 10;

/// Asks each run every question once and counts, then times them in turns, as long as there is time and at least one batch of each
/// kind. Gives a row a run.
pub fn take_turns(runs: &[Run], questions: &Questions, left: Duration) -> Vec<(Answers, Batches)> {
    let count = |run: &Run| (run.stage().count(questions), Batches::default());
    let mut all: Vec<(Answers, Batches)> = runs.iter().map(count).collect();
    let runs_count = u32::try_from(runs.len().max(1)).unwrap_or(u32::MAX);
    let each = MOST.min(left / SHARE / runs_count);
    let clock = Instant::now();
    for round in 0..TURNS {
        for place in 0..runs.len() {
            // Nobody always comes after the same one.
            let place = (round + place) % runs.len();
            let batches = &mut all[place].1;
            if round == 0 || batches.spent < each {
                let limit = each.saturating_sub(batches.spent);
                runs[place].stage().time(questions, limit, batches);
            }
        }
        if clock.elapsed() > each * runs_count {
            break;
        }
    }
    all
}
