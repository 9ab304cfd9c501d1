//! A lane: one structure that follows the battle, and what that costs it.

use crate::battle::{Battle, Difference};
use crate::geometry::Aabb;
use crate::partition::{AnyPartition, Bodies, Kind, RegionId};
use crate::probe::{Counter, Event, Probe};
use crate::scene::StructureChoice;

/// What one tick cost a lane, under the probes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// The structure's upkeep.
    pub update: Counter,
    /// The queries of the tick: who is nearest, and the pairs.
    pub query: Counter,
    /// Pairs within reach.
    pub pairs: u64,
    /// The tests that all pairs would have made.
    pub all_pairs: u64,
}

/// One structure that follows the battle.
#[derive(Clone, Debug)]
pub struct Lane {
    index: AnyPartition,
    field: Aabb,
    /// What the last tick cost.
    pub cost: Cost,
    /// The regions that the last tick split or merged.
    pub flashes: Flashes,
    /// The first answer that differed from the first lane's: since then the lane stands still.
    pub difference: Option<Difference>,
    /// What the index was built for: how many rows, and whether bodies have a size.
    built_for: (usize, bool),
}

impl Lane {
    /// A structure over the bodies as they are now.
    pub fn new(choice: &StructureChoice, field: Aabb, bodies: Bodies<'_>) -> Self {
        let mut index = AnyPartition::new(choice.kind, field);
        for &(knob, value) in &choice.knobs {
            index.set_knob(knob, value);
        }
        let mut lane = Self {
            index,
            field,
            cost: Cost::default(),
            flashes: Flashes::default(),
            difference: None,
            built_for: (0, false),
        };
        lane.rebuild(bodies);
        lane
    }

    /// The structure.
    pub fn index(&self) -> &AnyPartition {
        &self.index
    }

    /// Which structure it is, with the knobs that differ from their defaults.
    pub fn choice(&self) -> StructureChoice {
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
    pub fn with_knob(&self, knob: usize, value: f64, bodies: Bodies<'_>) -> Self {
        let mut lane = self.clone();
        lane.index.set_knob(knob, value);
        if !lane.index.info().knobs[knob].picture_only {
            lane.difference = None;
            lane.rebuild(bodies);
        }
        lane
    }

    /// The field for which it was made.
    pub fn field(&self) -> Aabb {
        self.field
    }

    /// Which structure it is.
    pub fn kind(&self) -> Kind {
        self.index.kind()
    }

    /// Builds the index anew.
    pub fn rebuild(&mut self, bodies: Bodies<'_>) {
        self.index.rebuild(bodies, &mut ());
        self.built_for = (bodies.slot_count(), bodies.are_sized());
        self.flashes = Flashes::default();
    }

    /// Tells the index what the last step or edit of the battle changed.
    pub fn follow(&mut self, battle: &Battle) {
        let bodies = battle.bodies();
        let (rows, sized) = self.built_for;
        let mut probe = (Counter::default(), std::mem::take(&mut self.flashes));
        probe.1.clear();
        // Where rows have been taken away, or points have become bodies, nothing that is known of a row need be so any more.
        if bodies.slot_count() < rows || bodies.are_sized() != sized {
            self.index.rebuild(bodies, &mut probe);
        } else {
            self.index.apply(bodies, battle.changes(), &mut probe);
        }
        self.built_for = (bodies.slot_count(), bodies.are_sized());
        self.cost.update = probe.0;
        self.flashes = probe.1;
    }

    /// The bytes that the lane takes on the heap.
    pub fn byte_count(&self) -> usize {
        self.index.byte_count()
    }

    #[cfg(test)]
    pub(super) fn index_mut(&mut self) -> &mut AnyPartition {
        &mut self.index
    }
}

/// Hears which regions were split and merged: all of them, or every second, fourth, … of very many.
#[derive(Clone, Debug, Default)]
pub struct Flashes {
    /// The regions, and whether each was split rather than merged.
    pub regions: Vec<(RegionId, bool)>,
    heard: usize,
    /// Of how many one is kept, as a power of two.
    thinning: u32,
}

impl Flashes {
    /// More flashes than this a tick are a blur, not a picture.
    const MOST: usize = 64;

    fn clear(&mut self) {
        self.regions.clear();
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
            if self.regions.len() == Self::MOST {
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
