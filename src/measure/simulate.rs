//! A battle without a window: what it counts, how long it takes, and the fingerprint of how it ends.

use super::stage::Stage;
use super::times::{micros, quantile};
use crate::battle::{Battle, Phase};
use crate::partition::AnyPartition;
use crate::probe::{Cancel, Counter, Patient, Work};
use crate::scene::Scene;
use crate::session::Crowding;
use std::fmt;
use std::time::Instant;

/// How a scene is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// How many steps.
    pub ticks: u64,
    /// On how many threads; at least 1. Changes no result but the times.
    pub threads: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            ticks: 600,
            threads: 1,
        }
    }
}

/// What came of it. Times are of one step, in microseconds; sums are over all steps.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// The scene's name.
    pub scene: String,
    /// The structure's key.
    pub structure: &'static str,
    /// How many steps.
    pub ticks: u64,
    /// On how many threads.
    pub threads: usize,
    /// Units alive at the start.
    pub units: usize,
    /// Units alive at the end: blue, orange.
    pub alive: [u32; 2],
    /// The state at the end, as a [`Battle::hash`] or a [`Flight::hash`](crate::flight::Flight::hash).
    pub hash: u64,
    /// Pairs found.
    pub pairs: u64,
    /// Searches for the nearest enemy.
    pub lookups: u64,
    /// Units and pairs compared by the queries.
    pub tests: u64,
    /// Building the index at the start, in microseconds.
    pub build_us: f64,
    /// The median time in which the index learned of the movement.
    pub update_us_p50: f64,
    /// The median time of the queries: the enemies looked for, and the pairs with what they do to each other.
    pub query_us_p50: f64,
    /// The median time of a whole step.
    pub step_us_p50: f64,
    /// The time that 99 of 100 steps kept within.
    pub step_us_p99: f64,
    /// The bytes that the index takes at the end.
    pub bytes: usize,
    /// The work of the index's upkeep.
    pub update: Counter,
    /// The work of the queries.
    pub query: Counter,
}

/// The index that the scene asks for, built over the battle's units.
pub fn index_for(scene: &Scene, battle: &Battle) -> AnyPartition {
    let mut index = scene.structure.index(scene.field, battle.pair_reach());
    index.rebuild(battle.bodies(), &mut ());
    index
}

/// Runs the scene under its own structure. Before the first step `warn` hears whether one takes long.
pub fn run(scene: &Scene, options: &Options, warn: &mut dyn FnMut(&Crowding)) -> Report {
    let mut stage = Stage::of(scene);
    if options.ticks > 0
        && let Some(crowding) = stage.crowding()
    {
        warn(&crowding);
    }
    let start = Instant::now();
    stage.build(options.threads, &mut ());
    let built = start.elapsed();
    let units = stage.units();

    // The probe of a session: each kind is a copy of every traversal.
    let never = Cancel::default();
    let [mut update, mut query] = [(); 2].map(|()| Patient::new(Counter::default(), &never));
    let (mut pairs, mut lookups) = (0, 0);
    let (mut updates, mut queries, mut steps) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..options.ticks {
        let (summary, times) = stage.step(options.threads, &mut query, &mut update);
        pairs += summary.pairs;
        lookups += u64::from(summary.lookups);
        let time_of = |phase: Phase| micros(times[phase as usize]);
        updates.push(time_of(Phase::Update));
        queries.push(time_of(Phase::Think) + time_of(Phase::Pairs));
        steps.push(times.iter().copied().map(micros).sum());
    }
    let (update, query) = (update.probe, query.probe);
    Report {
        scene: scene.name.clone(),
        structure: stage.info().key,
        ticks: options.ticks,
        threads: options.threads,
        units: units as usize,
        alive: stage.alive(),
        hash: stage.hash(),
        pairs,
        lookups,
        tests: query.tests,
        build_us: micros(built),
        update_us_p50: quantile(&mut updates, 0.5),
        query_us_p50: quantile(&mut queries, 0.5),
        step_us_p50: quantile(&mut steps, 0.5),
        step_us_p99: quantile(&mut steps, 0.99),
        bytes: stage.index_bytes(),
        update,
        query,
    }
}

impl Report {
    /// One object, its keys as the fields, the hash in 16 hex digits.
    pub fn to_json(&self) -> serde_json::Value {
        serde_json::json!({
            "scene": self.scene,
            "structure": self.structure,
            "ticks": self.ticks,
            "threads": self.threads,
            "units": self.units,
            "alive": { "blue": self.alive[0], "orange": self.alive[1] },
            "hash": format!("{:016x}", self.hash),
            "pairs": self.pairs,
            "lookups": self.lookups,
            "tests": self.tests,
            "build_us": tenths(self.build_us),
            "update_us_p50": tenths(self.update_us_p50),
            "query_us_p50": tenths(self.query_us_p50),
            "step_us_p50": tenths(self.step_us_p50),
            "step_us_p99": tenths(self.step_us_p99),
            "bytes": self.bytes,
            "update": counts(&self.update),
            "query": counts(&self.query),
        })
    }
}

/// No clock is good for more than a tenth of a microsecond.
pub(super) fn tenths(us: f64) -> f64 {
    (us * 10.0).round() / 10.0
}

/// A counter as an object; of upkeep only what happened, as each structure knows other steps.
pub fn counts(counter: &Counter) -> serde_json::Value {
    let mut object = serde_json::json!({
        "visits": counter.visits,
        "prunes": counter.prunes,
        "accepts": counter.accepts,
        "tests": counter.tests,
        "hits": counter.hits,
        "splits": counter.splits,
        "merges": counter.merges,
        "refits": counter.refits,
    });
    for work in Work::ALL {
        if counter.of(work) > 0 {
            object[work.name()] = counter.of(work).into();
        }
    }
    object
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let per_tick = |sum: u64| sum as f64 / self.ticks.max(1) as f64;
        writeln!(
            f,
            "{}: {} units under {}, {} ticks on {} thread{}",
            self.scene,
            self.units,
            self.structure,
            self.ticks,
            self.threads,
            if self.threads == 1 { "" } else { "s" },
        )?;
        writeln!(
            f,
            "  standing   {} blue, {} orange",
            self.alive[0], self.alive[1]
        )?;
        writeln!(
            f,
            "  a tick     {:.0} pairs found, {:.0} enemies looked for, {:.0} tests",
            per_tick(self.pairs),
            per_tick(self.lookups),
            per_tick(self.tests)
        )?;
        writeln!(
            f,
            "  time       step {:.0} us (99 of 100 within {:.0}), of it queries {:.0}, update {:.0}; build {:.0}",
            self.step_us_p50,
            self.step_us_p99,
            self.query_us_p50,
            self.update_us_p50,
            self.build_us
        )?;
        writeln!(f, "  memory     {} bytes", self.bytes)?;
        write!(f, "  hash       {:016x}", self.hash)
    }
}
