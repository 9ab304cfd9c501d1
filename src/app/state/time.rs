//! Time: how many ticks a frame takes, what a tick costs, and what it flashes.

use super::{App, Cost, RunMode};
use skirmish::battle::{Phase, Stopwatch};
use skirmish::observe::Outline;
use skirmish::partition::RegionId;
use skirmish::probe::{Counter, Event, Probe};
use skirmish::tick::STEP_SECONDS;
use std::time::{Duration, Instant};

/// Times the phases of a step.
struct Clock {
    last: Instant,
    update: Duration,
    query: Duration,
}

impl Stopwatch for Clock {
    fn lap(&mut self, phase: Phase) {
        let now = Instant::now();
        let took = now - self.last;
        self.last = now;
        match phase {
            Phase::Think | Phase::Pairs => self.query += took,
            Phase::Update => self.update += took,
            Phase::Integrate => {}
        }
    }
}

/// Figures are shown anew every so many ticks: five times a second.
const SHOWN_EVERY: u64 = 12;

/// A tick that takes longer than this is not gone through again unasked: the window would not answer.
const HEAVY_TICK: Duration = Duration::from_secs(1);

/// No frame spends longer than this on ticks: a scene too heavy for 60 ticks a second runs slower and stays in hand.
const STEP_BUDGET: Duration = Duration::from_millis(40);

impl App {
    /// The seconds that a tick lasts at this pace.
    fn tick_seconds(&self) -> f64 {
        STEP_SECONDS / f64::from(self.pace)
    }

    /// Lets time pass: as many ticks as `elapsed` asks for and the budget allows.
    pub fn advance(&mut self, elapsed: f64) {
        if self.mode == RunMode::Step {
            self.tick();
            self.mode = RunMode::Paused;
        } else if self.mode == RunMode::Running {
            if self.fixed {
                self.tick();
            } else {
                self.owed_seconds += elapsed.min(0.25);
                let begun = Instant::now();
                while self.owed_seconds >= self.tick_seconds() {
                    self.owed_seconds -= self.tick_seconds();
                    self.tick();
                    if begun.elapsed() > STEP_BUDGET {
                        // What could not be done in time is dropped: the battle runs slower, it never runs after itself.
                        self.owed_seconds = self.owed_seconds.min(self.tick_seconds());
                        break;
                    }
                }
            }
        }
        let (since, count) = self.steps_counted;
        let passed = since.elapsed().as_secs_f32();
        if passed >= 1.0 {
            self.steps_per_second = count as f32 / passed;
            self.steps_counted = (Instant::now(), 0);
        }
        // Who drags the character while time stands still wants to see what it does.
        if self.mode == RunMode::Paused
            && let Some(stream) = self.stream.as_mut().filter(|stream| stream.is_grabbed())
        {
            stream.tick(elapsed);
        }
    }

    fn tick(&mut self) {
        let begun = Instant::now();
        let mut clock = Clock {
            last: begun,
            update: Duration::ZERO,
            query: Duration::ZERO,
        };
        let mut update = (Counter::default(), Flashes::default());
        let mut query = Counter::default();
        let summary = self.battle.step(&self.index, 1, &mut query, &mut clock);
        self.tell_index(&mut update);
        clock.lap(Phase::Update);
        let took = begun.elapsed();
        let alive = self.alive();
        self.cost = Cost {
            update: update.0,
            query,
            pairs: summary.pairs,
            // Without a structure, each search for the nearest enemy would look at everybody as well.
            all_pairs: alive * alive.saturating_sub(1) / 2 + u64::from(summary.lookups) * alive,
        };
        // A slow scene has few ticks: each is worth being read. Where two runs are to look alike, no clock decides.
        let slow = took > HEAVY_TICK / 10 && !self.fixed;
        let fresh = self.shown_cost.all_pairs == 0 || slow;
        if fresh || self.mode != RunMode::Running || self.battle.tick().is_multiple_of(SHOWN_EVERY)
        {
            self.shown_cost = self.cost;
        }
        self.steps_counted.1 += 1;
        let micros = |time: Duration| time.as_secs_f32() * 1.0e6;
        self.history.tests.push(query.tests as f32);
        self.history.pairs.push(summary.pairs as f32);
        self.history.visits.push(query.visits as f32);
        self.history.update_us.push(micros(clock.update));
        self.history.query_us.push(micros(clock.query));
        self.history.step_us.push(micros(took));
        if took > HEAVY_TICK && !self.fixed && self.mode == RunMode::Running {
            self.mode = RunMode::Paused;
            self.fail(format!(
                "A tick took {:.1} s, so the battle is paused. Fewer units or another structure help; Space goes on.",
                took.as_secs_f32()
            ));
        }
        self.remember_flashes(&update.1);
        if self
            .selection
            .is_some_and(|unit| !self.battle.bodies().is_alive(unit))
        {
            self.selection = None;
        }
        if let Some(stream) = &mut self.stream {
            stream.tick(STEP_SECONDS);
        }
    }

    /// Notes where the nodes are that the tick split or merged, so that they flash.
    fn remember_flashes(&mut self, flashes: &Flashes) {
        /// Long enough to be seen: 300 ms at 60 ticks a second.
        const TICKS: u64 = 18;
        let now = self.battle.tick();
        self.flashes
            .retain(|(_, _, born)| now.saturating_sub(*born) < TICKS);
        if flashes.regions.is_empty() {
            return;
        }
        for region in &self.frame.regions.list {
            if let Outline::Rect(area) = region.outline
                && let Some((_, split)) = flashes.regions.iter().find(|(id, _)| *id == region.id)
            {
                self.flashes.push((area, *split, now));
            }
        }
    }
}

/// Hears which regions were split and merged: all of them, or every second, fourth, … of very many.
#[derive(Default)]
struct Flashes {
    regions: Vec<(RegionId, bool)>,
    heard: usize,
    /// Of how many one is kept, as a power of two.
    thinning: u32,
}

impl Probe for Flashes {
    const DETAILED: bool = false;

    fn on(&mut self, event: Event) {
        /// More flashes than this a tick are a blur, not a picture.
        const MOST: usize = 64;
        let (region, split) = match event {
            Event::Split(region) => (region, true),
            Event::Merge(region) => (region, false),
            _ => return,
        };
        if self.heard.trailing_zeros() >= self.thinning {
            if self.regions.len() == MOST {
                let mut place = 0;
                self.regions.retain(|_| {
                    place += 1;
                    place % 2 == 1
                });
                self.thinning += 1;
            }
            self.regions.push((region, split));
        }
        self.heard += 1;
    }

    fn tests(&mut self, _: u64) {}

    fn hits(&mut self, _: u64) {}
}
