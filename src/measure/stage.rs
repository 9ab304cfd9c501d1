//! What is simulated, counted and timed alike: a battle on a plane or a flight in space, with the index that answers it.

use super::questions::{Answers, Asked, Batches, Questions};
use crate::battle::{Battle, Phase, StepSummary, Stopwatch};
use crate::flight::{Decision3, Flight};
use crate::geometry::Vec2;
use crate::partition::{AnyPartition, Info, Kind};
use crate::probe::{Cancel, Fork, Probe};
use crate::scene::{AnyChoice, Scene, Side};
use crate::session::Crowding;
use crate::volume::{AnyPartition3, Kind3, Vec3};
use std::time::{Duration, Instant};

/// What happens in a scene, and the index of it.
// A few exist at a time; a box would only put a pointer in front of it.
#[allow(clippy::large_enum_variant)]
#[derive(Debug)]
pub(super) enum Stage {
    /// On a plane.
    Plane(Battle, AnyPartition),
    /// In space.
    Space(Flight, AnyPartition3, Decision3),
}

impl Stage {
    /// The scene as it starts, with an index of its own structure that is still empty.
    pub fn of(scene: &Scene) -> Self {
        match &scene.volume {
            Some(volume) => {
                let flight = Flight::new(scene);
                let index = volume.structure.index(flight.field(), flight.pair_reach());
                Self::Space(flight, index, Decision3::default())
            }
            None => {
                let battle = Battle::new(scene);
                let index = scene.structure.index(scene.field, battle.pair_reach());
                Self::Plane(battle, index)
            }
        }
    }

    /// Whether units stand so dense that a step takes long.
    pub fn crowding(&self) -> Option<Crowding> {
        match self {
            Self::Plane(battle, _) => Crowding::of_battle(battle),
            Self::Space(flight, ..) => Crowding::of_flight(flight),
        }
    }

    /// The same, with an empty index of another structure; `None` where that is of another dimension.
    pub fn under(&self, choice: &AnyChoice) -> Option<Self> {
        Some(match self {
            Self::Plane(battle, _) => {
                let index = choice
                    .within::<Kind>()?
                    .index(battle.field(), battle.pair_reach());
                Self::Plane(battle.clone(), index)
            }
            Self::Space(flight, ..) => {
                let index = choice
                    .within::<Kind3>()?
                    .index(flight.field(), flight.pair_reach());
                Self::Space(flight.clone(), index, Decision3::default())
            }
        })
    }

    /// Puts an empty index of a structure of its dimension into the place of its own.
    pub fn renew(&mut self, choice: &AnyChoice) {
        match self {
            Self::Plane(battle, index) => {
                if let Some(choice) = choice.within::<Kind>() {
                    *index = choice.index(battle.field(), battle.pair_reach());
                }
            }
            Self::Space(flight, index, _) => {
                if let Some(choice) = choice.within::<Kind3>() {
                    *index = choice.index(flight.field(), flight.pair_reach());
                }
            }
        }
    }

    /// Builds the index over everybody, on so many threads where its structure shares that out.
    pub fn build<U: Probe>(&mut self, threads: usize, probe: &mut U) {
        match self {
            Self::Plane(battle, index) => {
                index.use_threads(threads);
                index.rebuild(battle.bodies(), probe);
            }
            Self::Space(flight, index, _) => index.rebuild(flight.bodies(), probe),
        }
    }

    /// Lets one step pass and tells the index what it changed. `query` hears what was asked of the index, `update` the index's
    /// upkeep.
    pub fn step<Q: Fork, U: Probe>(
        &mut self,
        threads: usize,
        query: &mut Q,
        update: &mut U,
    ) -> (StepSummary, Times) {
        match self {
            Self::Plane(battle, index) => step(battle, index, threads, query, update),
            Self::Space(flight, index, decision) => {
                step3(flight, index, decision, threads, query, update)
            }
        }
    }

    /// Single questions over the units as they are now.
    pub fn questions(&self, asked: &Asked) -> Questions {
        match self {
            Self::Plane(battle, _) => {
                let reach = battle.pair_reach();
                Questions::over::<AnyPartition>(battle.bodies(), reach, asked)
            }
            Self::Space(flight, ..) => {
                let reach = flight.pair_reach();
                Questions::over::<AnyPartition3>(flight.bodies(), reach, asked)
            }
        }
    }

    /// Asks the index each of the questions once, and counts.
    pub fn count(&self, questions: &Questions) -> Answers {
        let never = Cancel::default();
        match self {
            Self::Plane(battle, index) => questions.count_in(index, battle.bodies(), &never),
            Self::Space(flight, index, _) => questions.count_in(index, flight.bodies(), &never),
        }
    }

    /// Asks the index the questions for as long as `limit` once more, and times them.
    pub fn time(&self, questions: &Questions, limit: Duration, batches: &mut Batches) {
        match self {
            Self::Plane(battle, index) => questions.time_in(index, battle.bodies(), limit, batches),
            Self::Space(flight, index, _) => {
                questions.time_in(index, flight.bodies(), limit, batches);
            }
        }
    }

    /// Units alive.
    pub fn units(&self) -> u64 {
        self.alive().into_iter().map(u64::from).sum()
    }

    /// Units alive: blue, orange.
    pub fn alive(&self) -> [u32; 2] {
        [Side::Blue, Side::Orange].map(|side| match self {
            Self::Plane(battle, _) => battle.count(side),
            Self::Space(flight, ..) => flight.count(side),
        })
    }

    /// A fingerprint of the units.
    pub fn hash(&self) -> u64 {
        match self {
            Self::Plane(battle, _) => battle.hash(),
            Self::Space(flight, ..) => flight.hash(),
        }
    }

    /// How many steps have passed.
    #[cfg(test)]
    pub fn tick(&self) -> u64 {
        match self {
            Self::Plane(battle, _) => battle.tick(),
            Self::Space(flight, ..) => flight.tick(),
        }
    }

    /// Of how many units the index was told in the last step.
    pub fn change_count(&self) -> u64 {
        let changes = match self {
            Self::Plane(battle, _) => battle.changes(),
            Self::Space(flight, ..) => flight.changes(),
        };
        changes.len() as u64
    }

    /// The bytes of a body: a centre, and half extents where anybody has a size.
    pub fn body_bytes(&self) -> usize {
        let (corner, are_sized) = match self {
            Self::Plane(battle, _) => (size_of::<Vec2>(), battle.bodies().are_sized()),
            Self::Space(flight, ..) => (size_of::<Vec3>(), flight.bodies().are_sized()),
        };
        corner * if are_sized { 2 } else { 1 }
    }

    /// About how many bytes everything takes, with what a step works with.
    pub fn byte_count(&self) -> usize {
        match self {
            // A step has columns of its own beside the truth, and sums of the pairs: about as much again, and a half.
            Self::Plane(battle, index) => battle.byte_count() / 2 * 5 + index.byte_count(),
            // Those of a flight have three parts in the place of one: three times as much again.
            Self::Space(flight, index, _) => flight.byte_count() * 4 + index.byte_count(),
        }
    }

    /// What is known of the structure.
    pub fn info(&self) -> &'static Info {
        match self {
            Self::Plane(_, index) => index.info(),
            Self::Space(_, index, _) => index.info(),
        }
    }

    /// The knobs that the structure was left to choose, each with what it chose.
    pub fn chosen(&self) -> Vec<(usize, f64)> {
        match self {
            Self::Plane(_, index) => index.chosen(),
            Self::Space(_, index, _) => index.chosen(),
        }
    }

    /// The bytes that each part of the index takes.
    pub fn memory(&self) -> Vec<(&'static str, usize)> {
        let mut parts = Vec::new();
        let mut say = |part, bytes| parts.push((part, bytes));
        match self {
            Self::Plane(_, index) => index.memory(&mut say),
            Self::Space(_, index, _) => index.memory(&mut say),
        }
        parts
    }

    /// The bytes that the index takes.
    pub fn index_bytes(&self) -> usize {
        match self {
            Self::Plane(_, index) => index.byte_count(),
            Self::Space(_, index, _) => index.byte_count(),
        }
    }
}

/// How long each phase of a step took, in the order of [`Phase::ALL`].
pub(super) type Times = [Duration; Phase::ALL.len()];

/// Measures how long each phase of a step takes.
struct Laps {
    last: Instant,
    times: Times,
}

impl Laps {
    fn start() -> Self {
        Self {
            last: Instant::now(),
            times: [Duration::ZERO; Phase::ALL.len()],
        }
    }
}

impl Stopwatch for Laps {
    fn lap(&mut self, phase: Phase) {
        let now = Instant::now();
        self.times[phase as usize] = now - self.last;
        self.last = now;
    }
}

/// Lets one step pass and tells the index what it changed: what is simulated, counted and timed alike. `query` hears what the
/// battle asked of the index, `update` the index's upkeep.
pub(super) fn step<Q: Fork, U: Probe>(
    battle: &mut Battle,
    index: &mut AnyPartition,
    threads: usize,
    query: &mut Q,
    update: &mut U,
) -> (StepSummary, Times) {
    let mut laps = Laps::start();
    let summary = battle.step(index, threads, query, &mut laps);
    index.use_threads(threads);
    index.apply(battle.bodies(), battle.changes(), update);
    laps.lap(Phase::Update);
    (summary, laps.times)
}

/// Lets one step pass in space, as [`step`] does.
fn step3<Q: Fork, U: Probe>(
    flight: &mut Flight,
    index: &mut AnyPartition3,
    decision: &mut Decision3,
    threads: usize,
    query: &mut Q,
    update: &mut U,
) -> (StepSummary, Times) {
    let mut laps = Laps::start();
    let summary = flight.step(decision, index, threads, query, &mut laps);
    index.apply(flight.bodies(), flight.changes(), update);
    laps.lap(Phase::Update);
    (summary, laps.times)
}
