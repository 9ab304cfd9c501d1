//! A lane: one structure that follows the battle, and what that costs it.

use super::LaneWatch;
use super::followed::{AnyIndex, Truth};
use crate::battle::{Difference, Phase};
use crate::partition::{AnyPartition, RegionId};
use crate::probe::{Abandoned, Cancel, Counter, Event, Patient, Probe, Work};
use crate::scene::StructureChoice;
use crate::structure::StructureKind;
use crate::volume::AnyPartition3;

/// What one tick cost a lane, under the probes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// The structure's upkeep.
    pub update: Counter,
    /// The queries of the tick: who is nearest, and the pairs.
    pub query: Counter,
    /// Of the tests of these, those of who is nearest.
    pub lookup_tests: u64,
    /// Pairs within reach.
    pub pairs: u64,
    /// The tests that all pairs would have made.
    pub all_pairs: u64,
    /// Whether it was measured on a tick that stands: the upkeep is then that of building the index, and the queries are those
    /// that the next tick will ask.
    pub at_rest: bool,
    /// The bytes of the index that was built for that, in which nothing is left over from its past; `None` where none was.
    pub built_bytes: Option<usize>,
}

/// One structure that follows the battle, or the flight.
#[derive(Clone, Debug)]
pub struct Lane<I: AnyIndex = AnyPartition> {
    index: I,
    field: I::Field,
    /// What the last tick cost.
    pub cost: Cost,
    /// Whether `cost` is that of this index: not yet, when it has just been built.
    pub is_measured: bool,
    /// Whether an edit has come since `cost` was measured.
    pub is_edited: bool,
    /// The regions that were split or merged lately.
    pub flashes: Flashes,
    /// The first answer that differed from the first lane's: since then the lane stands still.
    pub difference: Option<Difference>,
    /// What the index was built for: how many rows, and whether bodies have a size.
    built_for: (usize, bool),
}

/// One structure that follows a flight.
pub type Lane3 = Lane<AnyPartition3>;

impl<I: AnyIndex> Lane<I> {
    /// A structure over the bodies as they are now.
    pub fn new<'t>(
        choice: &StructureChoice<I::Kind>,
        field: I::Field,
        truth: impl Into<Truth<'t, I>>,
    ) -> Self {
        let truth = truth.into();
        let mut update = Counter::default();
        Self {
            index: I::built(choice, field, &truth, &mut update),
            field,
            cost: Cost {
                update,
                at_rest: true,
                ..Cost::default()
            },
            is_measured: false,
            is_edited: false,
            flashes: Flashes::default(),
            difference: None,
            built_for: I::shape_of(truth.bodies),
        }
    }

    /// The structure.
    pub fn index(&self) -> &I {
        &self.index
    }

    /// Which structure it is, with the knobs that differ from their defaults.
    pub fn choice(&self) -> StructureChoice<I::Kind> {
        let knobs = self.index.info().knobs.iter().enumerate();
        StructureChoice {
            kind: self.index.kind(),
            knobs: knobs
                .map(|(knob, info)| (knob, info.default, self.index.knob(knob)))
                .filter(|(_, default, value)| default != value)
                .map(|(knob, _, value)| (knob, value))
                .collect(),
        }
    }

    /// The same structure, with one knob set to a value that the knob accepts. What changes the picture alone does not
    /// build the structure again.
    pub fn with_knob(&self, knob: usize, value: f64, bodies: I::Bodies<'_>) -> Self {
        let mut lane = self.clone();
        lane.index.set_knob(knob, value);
        if !lane.index.info().knobs[knob].picture_only {
            lane.difference = None;
            lane.rebuild(bodies);
        }
        lane
    }

    /// The field for which it was made.
    pub fn field(&self) -> I::Field {
        self.field
    }

    /// Which structure it is.
    pub fn kind(&self) -> I::Kind {
        self.index.kind()
    }

    /// Builds the index anew.
    pub fn rebuild(&mut self, bodies: I::Bodies<'_>) {
        let mut update = Counter::default();
        self.index.rebuild(bodies, &mut update);
        self.built_for = I::shape_of(bodies);
        self.flashes = Flashes::default();
        (self.is_measured, self.is_edited) = (false, false);
        self.cost = Cost {
            update,
            at_rest: true,
            ..Cost::default()
        };
    }

    /// What building this structure from nothing costs over these bodies, as a row of a table of all structures builds it: it looks for what
    /// it is left to choose, and comes to what this one has chosen. This one stays as it is.
    pub(super) fn count_build(
        &self,
        place: usize,
        truth: Truth<'_, I>,
        cancel: &Cancel,
        watch: &mut impl LaneWatch,
    ) -> Result<(Counter, usize), Abandoned> {
        let (choice, held) = (self.choice(), self.index.chosen());
        let mut bytes = 0;
        let mut update = Patient::new(Counter::default(), cancel);
        Cancel::attempt(|| {
            watch.begin(place);
            let built = I::built_holding(&choice, &held, self.field, &truth, &mut update);
            watch.lap(place, Phase::Update);
            bytes = built.byte_count();
            // To give its memory back is no part of it.
            drop(built);
        })?;
        Ok((update.probe, bytes))
    }

    /// Takes over what was measured of it on a tick that stands: its build, and what it was asked.
    pub(super) fn rests_at(&mut self, (update, bytes): (Counter, usize), asked: Cost) {
        self.cost = Cost {
            update,
            at_rest: true,
            built_bytes: Some(bytes),
            ..asked
        };
        (self.is_measured, self.is_edited) = (true, false);
    }

    /// Tells the index what the last step or edit changed. What a step costs is counted, an edit is not.
    pub fn follow<'t>(&mut self, truth: impl Into<Truth<'t, I>>, is_step: bool) {
        let Truth {
            bodies,
            changes,
            tick,
            reach,
        } = truth.into();
        let (rows, sized) = self.built_for;
        let (slots, are_sized) = I::shape_of(bodies);
        let mut probe = (Counter::default(), std::mem::take(&mut self.flashes));
        probe.1.begin(tick);
        // Where rows have been taken away, or points have become bodies, nothing that is known of a row need be so any more.
        if slots < rows || are_sized != sized {
            // What is built anew is not what was split: all of the field would flash.
            self.index.rebuild(bodies, &mut probe.0);
            probe.1 = Flashes::default();
            probe.1.begin(tick);
        } else {
            if !is_step {
                // A battle keeps the cells with which it began; it is edits that give it another reach.
                self.index.expect(reach);
            }
            self.index.apply(bodies, changes, &mut probe);
        }
        self.built_for = (slots, are_sized);
        self.is_edited = !is_step;
        if is_step {
            self.cost.update = probe.0;
        }
        self.flashes = probe.1;
    }

    /// The bytes that the lane takes on the heap.
    pub fn byte_count(&self) -> usize {
        self.index.byte_count()
    }

    #[cfg(test)]
    pub(super) fn index_mut(&mut self) -> &mut I {
        &mut self.index
    }
}

impl Lane {
    /// Says on how many threads the index may be kept up to date; a structure that does not share that work runs on one.
    pub fn use_threads(&mut self, threads: usize) {
        self.index.use_threads(threads);
    }
}

/// How a lane stands, whatever it follows.
#[derive(Clone, Copy, Debug)]
pub struct Standing {
    /// Its structure.
    pub kind: StructureKind,
    /// What the last tick cost.
    pub cost: Cost,
    /// Whether `cost` is that of this index.
    pub is_measured: bool,
    /// Whether an edit has come since then.
    pub is_edited: bool,
    /// The first answer that differed from the first lane's.
    pub difference: Option<Difference>,
}

impl Standing {
    /// How this lane stands.
    pub fn of<I: AnyIndex>(lane: &Lane<I>) -> Self {
        Self {
            kind: lane.kind().into(),
            cost: lane.cost,
            is_measured: lane.is_measured,
            is_edited: lane.is_edited,
            difference: lane.difference,
        }
    }
}

/// A region that was split or merged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flash {
    /// Which one.
    pub region: RegionId,
    /// Whether it was split rather than merged.
    pub split: bool,
    /// The battle's tick.
    pub tick: u64,
}

/// Hears which regions were split and merged: all of a tick, or every second, fourth, … of very many. They are kept for as many
/// ticks as a flash is seen, so that a tick that is gone back to flashes as it did.
#[derive(Clone, Debug, Default)]
pub struct Flashes {
    /// The regions, by ascending tick.
    pub recent: Vec<Flash>,
    /// Where those of the present tick begin.
    begins: usize,
    tick: u64,
    heard: usize,
    /// Of how many one is kept, as a power of two.
    thinning: u32,
}

impl Flashes {
    /// More flashes than this a tick are a blur, not a picture.
    const MOST: usize = 64;
    /// For how many ticks they are seen: 300 ms at sixty ticks a second.
    pub const TICKS: u64 = 18;

    /// A tick begins, or an edit after it.
    fn begin(&mut self, tick: u64) {
        let is_seen = |flash: &Flash| {
            let age = tick.checked_sub(flash.tick);
            age.is_some_and(|age| age < Self::TICKS)
        };
        self.recent.retain(is_seen);
        self.begins = self.recent.partition_point(|flash| flash.tick < tick);
        self.tick = tick;
        (self.heard, self.thinning) = (0, 0);
    }
}

impl Probe for Flashes {
    const DETAILED: bool = false;

    fn on(&mut self, event: Event) {
        let (region, split) = match event {
            Event::Split(region) => (region, true),
            Event::Merge(region) => (region, false),
            _ => return,
        };
        if self.heard.trailing_zeros() >= self.thinning {
            if self.recent.len() - self.begins >= Self::MOST {
                let (mut place, begins) = (0, self.begins);
                self.recent.retain(|_| {
                    place += 1;
                    place <= begins || (place - begins) % 2 == 1
                });
                self.thinning += 1;
            }
            let tick = self.tick;
            self.recent.push(Flash {
                region,
                split,
                tick,
            });
        }
        self.heard += 1;
    }

    fn visits(&mut self, _: u64) {}
    fn tests(&mut self, _: u64) {}

    fn hits(&mut self, _: u64) {}

    /// None of it is a split or a merge, and a crowd that moves in place is told of a million times.
    fn works(&mut self, _: Work, _: u64) {}
}

/// The lanes in the order in which they are asked, or follow, in a tick. What one leaves in the caches the next one finds there, so that over
/// the ticks each comes as often after every other one, and each is the first as often.
///
/// A zigzag 0, 1, n - 1, 2, n - 2, … has each step around the circle once, where n is even; begun at each lane in turn it is a row-complete
/// square (Williams, 1949), and where n is odd the same backwards makes up for it.
pub(super) fn in_turn(count: usize, tick: u64) -> impl Iterator<Item = usize> {
    let round = count.max(1);
    let first = tick as usize % round;
    let is_backwards = tick as usize / round % 2 == 1;
    (0..count).map(move |turn| {
        let way = turn.div_ceil(2);
        let is_ahead = (turn % 2 == 1) != is_backwards;
        (first + if is_ahead { way } else { round - way }) % round
    })
}
