//! The counted pass: a battle under one structure, every event of it summed, and abandoned where it takes too long.

use super::super::simulate::counts;
use super::super::stage::Stage;
use crate::probe::{Abandoned, Cancel, Counter, Patient};
use serde_json::{Value, json};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

/// What was counted. Sums are over all steps.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Counted {
    /// Units alive at the end: blue, orange.
    pub alive: [u32; 2],
    /// The state at the end, as a [`Battle::hash`](crate::battle::Battle::hash) or a [`Flight::hash`](crate::flight::Flight::hash).
    pub hash: u64,
    /// Pairs found.
    pub pairs: u64,
    /// Searches for the nearest enemy.
    pub lookups: u64,
    /// Units of which the index was told that they moved, fell or came.
    pub changes: u64,
    /// The work of the index's upkeep.
    pub update: Counter,
    /// The work of the queries.
    pub query: Counter,
    /// The knobs that the structure was left to choose, each with what it chose.
    pub chosen: Vec<(usize, f64)>,
    /// The bytes that each part of the index takes at the end.
    pub memory: Vec<(&'static str, usize)>,
}

impl Counted {
    /// The bytes that the index takes at the end.
    pub fn bytes(&self) -> usize {
        self.memory.iter().map(|(_, bytes)| bytes).sum()
    }

    /// What `skirmish simulate` says of the same steps, under the same names.
    pub fn to_json(&self) -> Value {
        json!({
            "alive": { "blue": self.alive[0], "orange": self.alive[1] },
            "hash": format!("{:016x}", self.hash),
            "pairs": self.pairs,
            "lookups": self.lookups,
            "tests": self.query.tests,
            "bytes": self.bytes(),
            "update": counts(&self.update),
            "query": counts(&self.query),
        })
    }
}

/// A battle on its way through the counted pass.
#[derive(Debug)]
pub struct Count {
    stage: Stage,
    sums: Counted,
    /// The battle's fingerprint after each step that is done.
    pub hashes: Vec<u64>,
    /// How long building the index took.
    pub build: Duration,
    /// How long the steps took that are done.
    pub time: Duration,
}

impl Count {
    /// Builds the index of what starts so, unless that takes longer than `limit`.
    pub(super) fn begin(stage: Stage, limit: Duration) -> Result<Self, Abandoned> {
        let mut count = Self {
            stage,
            sums: Counted::default(),
            hashes: Vec::new(),
            build: Duration::ZERO,
            time: Duration::ZERO,
        };
        let clock = Instant::now();
        within(limit, |cancel| {
            let mut probe = Patient::new(Counter::default(), cancel);
            count.stage.build(1, &mut probe);
            Ok(())
        })?;
        count.build = clock.elapsed();
        Ok(count)
    }

    /// Counts on until `ticks` steps are done, or as many as fit into `pause`, and at least one. What takes longer than `limit`
    /// is abandoned, and the count is then of no use any more.
    pub fn advance(
        &mut self,
        ticks: u64,
        threads: usize,
        pause: Duration,
        limit: Duration,
    ) -> Result<(), Abandoned> {
        let clock = Instant::now();
        within(limit, |cancel| {
            while self.done() < ticks {
                // Of a structure that tells nothing within a step it is heard here.
                cancel.check()?;
                let lap = Instant::now();
                let [mut query, mut update] =
                    [(); 2].map(|()| Patient::new(Counter::default(), cancel));
                let (summary, _) = self.stage.step(threads, &mut query, &mut update);
                self.sums.query.add(&query.probe);
                self.sums.update.add(&update.probe);
                self.time += lap.elapsed();
                self.sums.pairs += summary.pairs;
                self.sums.lookups += u64::from(summary.lookups);
                self.sums.changes += self.stage.change_count();
                self.hashes.push(self.stage.hash());
                if clock.elapsed() >= pause {
                    break;
                }
            }
            Ok(())
        })
    }

    /// How many steps are done.
    pub fn done(&self) -> u64 {
        self.hashes.len() as u64
    }

    /// About how long one step takes, counted.
    pub fn tick(&self) -> Duration {
        self.time / u32::try_from(self.done().max(1)).unwrap_or(u32::MAX)
    }

    /// About how many bytes the battle takes with its index and with what a step works with.
    pub fn byte_count(&self) -> usize {
        self.stage.byte_count()
    }

    /// What was counted, once all steps are done.
    pub fn finish(mut self) -> Counted {
        self.sums.alive = self.stage.alive();
        self.sums.hash = self.stage.hash();
        self.sums.chosen = self.stage.chosen();
        self.sums.memory = self.stage.memory();
        self.sums
    }
}

/// Does work whose probes are [`Patient`], and abandons it when it takes longer than `limit`.
fn within(
    limit: Duration,
    work: impl FnOnce(&Cancel) -> Result<(), Abandoned>,
) -> Result<(), Abandoned> {
    let cancel = Cancel::default();
    let (done, waits) = mpsc::channel::<()>();
    thread::scope(|scope| {
        let cancel = &cancel;
        scope.spawn(move || {
            if waits.recv_timeout(limit) == Err(RecvTimeoutError::Timeout) {
                cancel.cancel();
            }
        });
        let result = Cancel::attempt(|| work(cancel));
        drop(done);
        result.flatten()
    })
}
