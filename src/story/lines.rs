//! What the lines of a list call the steps of a story, and who looks in them.

use super::{InTurn, Place, Step, Story};
use crate::probe::{Event, Work};
use std::borrow::Cow;

impl Story {
    /// The region whose turn goes on with a step, to which the search comes back so that another one is looked at.
    pub fn going_on(&self, step: &Step) -> Option<&Place> {
        let turn = &self.places[step.turn?];
        let comes_back = step.event == Event::Visit(turn.region);
        (comes_back && step.region != Some(turn.region)).then_some(turn)
    }

    /// The region that looks at the one of a step, where the list of them would not say it: it is another one than at the step before, or
    /// has not its turn.
    pub fn looks_at(&self, at: usize) -> Option<&Place> {
        let step = &self.steps[at];
        let is_of_region = matches!(step.event, Event::Visit(_) | Event::Prune(_));
        let turn = step.turn.filter(|_| is_of_region)?;
        let before = at.checked_sub(1).and_then(|at| self.steps[at].turn);
        let is_known = step.in_turn == InTurn::Within && before == Some(turn);
        let is_other = step.place != Some(turn) && self.going_on(step).is_none();
        (is_other && !is_known).then(|| &self.places[turn])
    }

    /// What stands before the region that a step names, or before its units, in this story.
    pub fn word(&self, step: &Step) -> Cow<'static, str> {
        match self.going_on(step) {
            Some(turn) => format!("turn of {} goes on with", turn.name()).into(),
            None => step.word().into(),
        }
    }

    /// The region of a step with as many in it as there are once that has happened: whoever is taken out of it is not in it any more, also where
    /// the region itself is gone after the edit.
    pub fn place_then(&self, step: &Step) -> Option<Cow<'_, Place>> {
        let number = step.place?;
        let place = &self.places[number];
        let is_taken_out = step.event == Event::Work(Work::Remove);
        if !is_taken_out || self.identities[number].is_after {
            return Some(Cow::Borrowed(place));
        }
        let mut left = place.clone();
        left.load = left.load.saturating_sub(1);
        left.below = left.below.saturating_sub(1);
        Some(Cow::Owned(left))
    }
}
