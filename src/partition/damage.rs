//! Damage from within: a structure that has followed a crowd for a while is harmed in one private place after another, and
//! its own check has to say so each time.

use super::trial::{Crowd, FIELD, Trial};
use super::{Change, Partition, Violation};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What is done to a structure, in words and in code.
pub(crate) type Damage<S> = (&'static str, fn(&mut S));

/// Harms a copy of a sound structure in each way, and expects `check` to find a fault with every copy, without a panic.
pub(crate) fn assert_noticed<S: Clone>(
    sound: &S,
    damages: &[Damage<S>],
    check: impl Fn(&S) -> Result<(), Violation>,
) {
    assert_eq!(check(sound), Ok(()), "before any damage");
    let outcome = |damage: &Damage<S>| {
        let mut harmed = sound.clone();
        if catch_unwind(AssertUnwindSafe(|| damage.1(&mut harmed))).is_err() {
            return Some(format!("{}: it cannot be done", damage.0));
        }
        match catch_unwind(AssertUnwindSafe(|| check(&harmed))) {
            Ok(Err(_)) => None,
            Ok(Ok(())) => Some(format!("{}: nothing is noticed", damage.0)),
            Err(_) => Some(format!("{}: the check panics", damage.0)),
        }
    };
    let missed: Vec<_> = damages.iter().filter_map(outcome).collect();
    assert!(missed.is_empty(), "{missed:#?}");
}

/// A structure and the crowd that it has followed.
pub(super) struct Patient<S> {
    pub(super) trial: Trial,
    pub(super) index: S,
}

impl<S: Partition + Clone> Patient<S> {
    /// Builds the structure over `count` units, as points or bodies, with its knobs at these values.
    pub(super) fn new(crowd: Crowd, count: usize, sized: bool, knobs: &[(&str, &str)]) -> Self {
        let trial = Trial::new(crowd, count, sized);
        let mut index = S::new(FIELD);
        for (key, value) in knobs {
            let knob = S::INFO.knob_index(key).expect("a knob");
            index.set_knob(knob, S::INFO.knobs[knob].parse(value).expect("a value"));
        }
        index.rebuild(trial.bodies(), &mut ());
        Self { trial, index }
    }

    /// Lets units come, go and move for some rounds, so few at a time that the structure follows each by itself: then some
    /// rows are not in use, and there are free places and loose ones.
    pub(super) fn aged(mut self) -> Self {
        for _ in 0..6 {
            self.follow(|trial| trial.turn_over(60));
            self.follow(|trial| trial.step(40));
        }
        self
    }

    /// Changes the crowd and tells the structure.
    pub(super) fn follow(&mut self, change: impl FnOnce(&mut Trial) -> Vec<Change>) {
        let changes = change(&mut self.trial);
        self.index.apply(self.trial.bodies(), &changes, &mut ());
    }

    /// Expects the structure to notice each damage.
    pub(super) fn notices(&self, damages: &[Damage<S>]) {
        let bodies = self.trial.bodies();
        assert_noticed(&self.index, damages, |index| index.validate(bodies));
    }
}
