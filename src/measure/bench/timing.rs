//! The timed pass: the same battle under the same structures, nobody counting, in turns.

use super::super::stage::Stage;
use super::super::times::{micros, quantile};
use crate::battle::Phase;
use crate::scene::AnyChoice;
use std::time::{Duration, Instant};

/// Builds are cheap beside the steps, and vary more: so many are made of each structure,
const BUILDS: usize = 5;
/// as long as they take no longer than this together.
const BUILD_TIME: Duration = Duration::from_millis(50);

/// In so many turns the steps of each structure are shared out: enough of them that whatever else the machine does hits all
/// structures alike, and few enough that most steps find the caches as their own structure left them.
const TURNS: u64 = 20;

/// Times of one kind, in milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Spread {
    /// The time that half of the steps kept within.
    pub median: f64,
    /// The time that 99 of 100 steps kept within; of fewer steps the longest.
    pub p99: f64,
    /// The shortest.
    pub least: f64,
}

impl Spread {
    fn of(times: &mut [f64]) -> Self {
        let mut at = |share| quantile(times, share) / 1.0e3;
        Self {
            median: at(0.5),
            p99: at(0.99),
            least: at(0.0),
        }
    }
}

/// How long a structure took.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Timed {
    /// How many steps were timed.
    pub ticks: u64,
    /// Building it from nothing.
    pub build: Spread,
    /// The index learned what had changed.
    pub update: Spread,
    /// The enemies were looked for, and the units chose where to go.
    pub lookups: Spread,
    /// The pairs were found, with what they do to each other.
    pub pairs: Spread,
    /// Lookups and pairs.
    pub queries: Spread,
    /// A whole step: besides update and queries the battle's own strikes and movement.
    pub step: Spread,
}

/// A battle on its way through the timed pass.
#[derive(Debug)]
pub struct Run {
    stage: Stage,
    builds: Vec<f64>,
    /// The times of the steps that are timed, in single precision: finer than a clock is good for, and they may be many.
    laps: Vec<[f32; Phase::ALL.len()]>,
}

impl Run {
    /// Builds the index of what starts so, of the structure that is chosen for it, on so many threads.
    pub(super) fn begin(mut stage: Stage, choice: &AnyChoice, threads: usize) -> Self {
        let mut builds = Vec::new();
        let clock = Instant::now();
        while builds.is_empty() || builds.len() < BUILDS && clock.elapsed() < BUILD_TIME {
            stage.renew(choice);
            let lap = Instant::now();
            stage.build(threads, &mut ());
            builds.push(micros(lap.elapsed()));
        }
        Self {
            stage,
            builds,
            laps: Vec::new(),
        }
    }

    /// Lets `ticks` steps pass, of which those that `is_timed` names by their place are timed.
    fn turn(&mut self, ticks: u64, threads: usize, is_timed: impl Fn(u64) -> bool) {
        for place in 0..ticks {
            let (_, times) = self.stage.step(threads, &mut (), &mut ());
            if is_timed(place) {
                self.laps.push(times.map(|time| micros(time) as f32));
            }
        }
    }

    /// What it runs, as it stands.
    pub(super) fn stage(&self) -> &Stage {
        &self.stage
    }

    /// The battle's fingerprint.
    pub fn hash(&self) -> u64 {
        self.stage.hash()
    }

    /// What came of it.
    pub fn finish(mut self) -> Timed {
        let laps = &self.laps;
        let spread = |phases: &[Phase]| {
            let sum = |lap: &[f32; Phase::ALL.len()]| {
                let parts = phases.iter().map(|phase| f64::from(lap[*phase as usize]));
                parts.sum::<f64>()
            };
            Spread::of(&mut laps.iter().map(sum).collect::<Vec<_>>())
        };
        Timed {
            ticks: laps.len() as u64,
            update: spread(&[Phase::Update]),
            lookups: spread(&[Phase::Think]),
            pairs: spread(&[Phase::Pairs]),
            queries: spread(&[Phase::Think, Phase::Pairs]),
            step: spread(&Phase::ALL),
            build: Spread::of(&mut self.builds),
        }
    }
}

/// Lets all of `runs` take turns until `ticks` steps are done or `limit` has passed, but one step of each is timed in any
/// case. The first `warm_up` steps are not timed, and neither is the first one of a turn of several: it finds the caches full
/// of others. Returns how many steps were done, by each of them the same number. `progress` hears of every turn: how many
/// steps are done.
pub fn take_turns(
    runs: &mut [Run],
    (ticks, warm_up): (u64, u64),
    threads: usize,
    limit: Duration,
    progress: &mut dyn FnMut(u64),
) -> u64 {
    let clock = Instant::now();
    let length = ticks.div_ceil(TURNS);
    let (mut done, mut round) = (0, 0);
    while done < ticks && !runs.is_empty() {
        let begun = Instant::now();
        progress(done);
        let turn = length.min(ticks - done);
        // Nobody always comes after the same one.
        let first = round % runs.len();
        for place in 0..runs.len() {
            let run = &mut runs[(first + place) % runs.len()];
            run.turn(turn, threads, |step| {
                done + step >= warm_up && (step > 0 || turn == 1)
            });
        }
        done += turn;
        round += 1;
        let is_timed = runs.iter().all(|run| !run.laps.is_empty());
        if is_timed && clock.elapsed() + begun.elapsed() > limit {
            break;
        }
    }
    done
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::partition::Kind;
    use crate::scene::{StructureChoice, file};

    fn runs(units: u32) -> Vec<Run> {
        let mut scene = file::built_in();
        scene.scale_units(units);
        let start = Stage::of(&scene);
        let choices = Kind::ALL[..3]
            .iter()
            .map(|kind| StructureChoice::new(*kind).of_either());
        choices
            .map(|choice| Run::begin(start.under(&choice).expect("a plane's"), &choice, 1))
            .collect()
    }

    #[test]
    fn every_run_has_its_turn_and_warm_up_and_first_steps_are_not_timed() {
        let limit = Duration::from_secs(600);
        for (ticks, warm_up, timed) in [(1, 0, 1), (20, 4, 16), (60, 6, 36), (61, 60, 1)] {
            let mut runs = runs(40);
            let mut told = Vec::new();
            let done = take_turns(&mut runs, (ticks, warm_up), 1, limit, &mut |tick| {
                told.push(tick);
            });
            assert_eq!(done, ticks);
            assert_eq!(told.len() as u64, ticks.div_ceil(ticks.div_ceil(TURNS)));
            let hash = runs[0].hash();
            for run in runs {
                assert_eq!((run.hash(), run.stage.tick()), (hash, ticks));
                let found = run.finish();
                assert_eq!(found.ticks, timed, "{ticks} ticks after {warm_up}");
                assert!(found.build.least > 0.0 && found.build.median <= found.build.p99);
                assert!(found.step.least <= found.step.median);
                assert!(found.queries.median <= found.step.p99);
            }
        }
    }

    #[test]
    fn when_time_is_up_all_runs_end_at_the_same_step_and_one_is_timed() {
        let mut runs = runs(40);
        let done = take_turns(&mut runs, (40, 9), 1, Duration::ZERO, &mut |_| {});
        // Two steps a turn, of which the second is timed, and nine of warm-up.
        assert_eq!(done, 10);
        assert!(runs.iter().all(|run| run.laps.len() == 1));
        assert_eq!(
            take_turns(&mut [], (40, 9), 1, Duration::ZERO, &mut |_| {}),
            0
        );
    }

    #[test]
    fn a_spread_is_in_milliseconds() {
        let mut times: Vec<f64> = (1..=200).map(|time| f64::from(time) * 1_000.0).collect();
        times.reverse();
        let found = Spread::of(&mut times);
        assert_eq!((found.median, found.p99, found.least), (100.0, 198.0, 1.0));
        assert_eq!(Spread::of(&mut []), Spread::default());
    }
}
