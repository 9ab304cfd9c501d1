//! Which structure a lane has, as the window is told.

use skirmish::partition::Info;
use skirmish::session::{AnyIndex, Lane};
use skirmish::structure::StructureKind;

/// Which structure it is and how it is set.
#[derive(Clone, Debug)]
pub struct Structure {
    /// Which one.
    pub kind: StructureKind,
    /// The value of each knob.
    pub knobs: Vec<f64>,
    /// The value with which each of them is reckoned: another one where the structure is left to choose.
    pub effects: Vec<f64>,
    /// The bytes that it takes.
    pub bytes: usize,
}

impl Structure {
    /// Whether another one is the same structure with the same settings, and is reckoned with the same values.
    pub fn is_set_as(&self, other: &Self) -> bool {
        (self.kind, &self.knobs, &self.effects) == (other.kind, &other.knobs, &other.effects)
    }

    /// Becomes that of a lane.
    pub(super) fn take<I: AnyIndex>(&mut self, lane: &Lane<I>) {
        let index = lane.index();
        self.kind = index.kind().into();
        self.knobs.clear();
        let knobs = 0..index.info().knobs.len();
        self.knobs
            .extend(knobs.clone().map(|knob| index.knob(knob)));
        self.effects.clear();
        self.effects
            .extend(knobs.map(|knob| index.knob_in_effect(knob)));
        self.bytes = index.byte_count();
    }

    /// What is known of the structure before it is built.
    pub fn info(&self) -> &'static Info {
        self.kind.info()
    }

    /// Which structure it is.
    pub fn kind(&self) -> StructureKind {
        self.kind
    }

    /// The value of a knob.
    pub fn knob(&self, index: usize) -> f64 {
        self.knobs.get(index).copied().unwrap_or_default()
    }

    /// The value with which a knob is reckoned: where the structure is left to choose, what it chose.
    pub fn in_effect(&self, index: usize) -> f64 {
        let knob = self.knob(index);
        match self.info().knobs.get(index) {
            Some(info) if info.is_auto(knob) => self.effects.get(index).copied().unwrap_or(knob),
            _ => knob,
        }
    }

    /// Whether a knob does nothing beside what others are set to.
    pub fn is_idle(&self, index: usize) -> bool {
        let all = self.info().knobs;
        let is_it = |(key, value): &(&str, f64)| {
            let other = all.iter().position(|knob| knob.key == *key);
            other.is_some_and(|other| self.knob(other) == *value)
        };
        all.get(index)
            .is_some_and(|knob| knob.idle_with.iter().any(is_it))
    }

    /// Whether it is left to choose a value that does something.
    pub fn chooses(&self) -> bool {
        let mut knobs = self.info().knobs.iter().enumerate();
        knobs.any(|(index, knob)| knob.is_auto(self.knob(index)) && !self.is_idle(index))
    }

    /// The bytes that it takes.
    pub fn byte_count(&self) -> usize {
        self.bytes
    }
}
