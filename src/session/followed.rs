//! What a lane has to know of an index and of what it follows, whether that is a battle on a plane or a flight in space.

use crate::battle::Battle;
use crate::flight::Flight;
use crate::geometry::Aabb;
use crate::partition::{AnyPartition, Bodies, Change, Fact, Info, Kind};
use crate::probe::Probe;
use crate::scene::StructureChoice;
use crate::structure::AnyKind;
use crate::volume::{Aabb3, AnyPartition3, Bodies3, Kind3};

/// An index of either dimension, as far as keeping one up to date knows no dimension.
pub trait AnyIndex: Clone + Send + Sync + 'static {
    /// The rows of its registry.
    type Kind: AnyKind;
    /// The part of the plane or of space in which units mostly are.
    type Field: Copy + Send + Sync + std::fmt::Debug;
    /// The truth that it indexes.
    type Bodies<'a>: Copy;

    /// An empty index of this structure with its knobs set.
    fn of(choice: &StructureChoice<Self::Kind>, field: Self::Field, reach: f32) -> Self;

    /// Which structure it is.
    fn kind(&self) -> Self::Kind;

    /// The value of a knob.
    fn knob(&self, index: usize) -> f64;

    /// Sets a knob to a value that it accepts.
    fn set_knob(&mut self, index: usize, value: f64);

    /// The value with which a knob is reckoned.
    fn knob_in_effect(&self, index: usize) -> f64;

    /// Says how far apart pairs will be asked for.
    fn expect(&mut self, reach: f32);

    /// Lets a knob that it is left to choose come to this value when it is next built: it chooses all the same.
    fn hold_knob(&mut self, index: usize, value: f64);

    /// Forgets everything and indexes the units alive.
    fn rebuild<P: Probe>(&mut self, bodies: Self::Bodies<'_>, probe: &mut P);

    /// Brings the index up to date.
    fn apply<P: Probe>(&mut self, bodies: Self::Bodies<'_>, changes: &[Change], probe: &mut P);

    /// The knobs that the structure was left to choose, each with what it chose.
    fn chosen(&self) -> Vec<(usize, f64)>;

    /// Says how well it fits what it holds.
    fn quality(&self, say: &mut dyn FnMut(Fact));

    /// The bytes that it takes on the heap.
    fn byte_count(&self) -> usize;

    /// How many rows the truth has, and whether any unit has a size.
    fn shape_of(bodies: Self::Bodies<'_>) -> (usize, bool);

    /// An index that is built from nothing over the units: in memory that is asked for anew, and with what it is left to choose chosen
    /// for them. That is what is called its build, wherever it is counted or timed: a rebuild of one that is there already has its memory
    /// and its choices.
    fn built<P: Probe>(
        choice: &StructureChoice<Self::Kind>,
        field: Self::Field,
        truth: &Truth<'_, Self>,
        probe: &mut P,
    ) -> Self {
        Self::built_holding(choice, &[], field, truth, probe)
    }

    /// The same where some of the knobs that it is left to choose come to what is held: it chooses them all the same, as any other build
    /// does, and takes these values in place of its own.
    fn built_holding<P: Probe>(
        choice: &StructureChoice<Self::Kind>,
        held: &[(usize, f64)],
        field: Self::Field,
        truth: &Truth<'_, Self>,
        probe: &mut P,
    ) -> Self {
        let mut index = Self::of(choice, field, truth.reach);
        for (knob, value) in held {
            index.hold_knob(*knob, *value);
        }
        index.rebuild(truth.bodies, probe);
        index
    }

    /// What is known of the structure before it is built.
    fn info(&self) -> &'static Info {
        self.kind().info()
    }
}

/// What is to be followed: the truth, and what the last step or edit changed of it.
pub struct Truth<'a, I: AnyIndex> {
    /// The units.
    pub bodies: I::Bodies<'a>,
    /// What the last step or edit changed.
    pub changes: &'a [Change],
    /// How many steps have passed.
    pub tick: u64,
    /// How far apart pairs are asked for, in metres.
    pub reach: f32,
}

impl<'a> From<&'a Battle> for Truth<'a, AnyPartition> {
    fn from(battle: &'a Battle) -> Self {
        Self {
            bodies: battle.bodies(),
            changes: battle.changes(),
            tick: battle.tick(),
            reach: battle.pair_reach(),
        }
    }
}

impl<'a> From<&'a Flight> for Truth<'a, AnyPartition3> {
    fn from(flight: &'a Flight) -> Self {
        Self {
            bodies: flight.bodies(),
            changes: flight.changes(),
            tick: flight.tick(),
            reach: flight.pair_reach(),
        }
    }
}

macro_rules! of_a_dimension {
    ($kind:ty, $index:ty, $field:ty, $bodies:ident) => {
        impl AnyIndex for $index {
            type Kind = $kind;
            type Field = $field;
            type Bodies<'a> = $bodies<'a>;

            fn of(choice: &StructureChoice<$kind>, field: $field, reach: f32) -> Self {
                choice.index(field, reach)
            }

            fn kind(&self) -> $kind {
                <$index>::kind(self)
            }

            fn knob(&self, index: usize) -> f64 {
                <$index>::knob(self, index)
            }

            fn set_knob(&mut self, index: usize, value: f64) {
                <$index>::set_knob(self, index, value);
            }

            fn knob_in_effect(&self, index: usize) -> f64 {
                <$index>::knob_in_effect(self, index)
            }

            fn expect(&mut self, reach: f32) {
                <$index>::expect(self, reach);
            }

            fn hold_knob(&mut self, index: usize, value: f64) {
                <$index>::hold_knob(self, index, value);
            }

            fn rebuild<P: Probe>(&mut self, bodies: $bodies<'_>, probe: &mut P) {
                <$index>::rebuild(self, bodies, probe);
            }

            fn apply<P: Probe>(&mut self, bodies: $bodies<'_>, changes: &[Change], probe: &mut P) {
                <$index>::apply(self, bodies, changes, probe);
            }

            fn chosen(&self) -> Vec<(usize, f64)> {
                <$index>::chosen(self)
            }

            fn quality(&self, say: &mut dyn FnMut(Fact)) {
                self.quality(say);
            }

            fn byte_count(&self) -> usize {
                <$index>::byte_count(self)
            }

            fn shape_of(bodies: $bodies<'_>) -> (usize, bool) {
                (bodies.slot_count(), bodies.are_sized())
            }
        }
    };
}

of_a_dimension!(Kind, AnyPartition, Aabb, Bodies);
of_a_dimension!(Kind3, AnyPartition3, Aabb3, Bodies3);
