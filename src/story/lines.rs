//! What the lines of a list call the steps of a story, and who looks in them.

use super::moments::Moments;
use super::{InTurn, Place, Step, Story};
use crate::partition::{RegionId, UnitId};
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
    /// the region itself is gone after the edit, and whoever has come to it is in it.
    pub fn place_then(&self, step: &Step) -> Option<Cow<'_, Place>> {
        let place = &self.places[step.place?];
        if (step.more, step.own) == (0, 0) {
            return Some(Cow::Borrowed(place));
        }
        let mut then = place.clone();
        then.load = then.load.saturating_add_signed(step.own.into());
        then.below = then.below.saturating_add_signed(step.more.into());
        Some(Cow::Owned(then))
    }

    /// A region, as it is shown once so many steps have happened, with as many in it as that step says of it, where it is the one that that names:
    /// whatever tells of it says the same.
    pub fn shown_then<'a>(&'a self, place: &'a Place, at: usize) -> Cow<'a, Place> {
        let now = at.checked_sub(1).and_then(|last| self.steps.get(last));
        let now = now.filter(|step| step.region == Some(place.region));
        let then = now.and_then(|step| self.place_then(step));
        then.unwrap_or(Cow::Borrowed(place))
    }

    /// Writes into the steps of an edit of a unit how many more there are in a region as it was before the edit than were in it then: one
    /// less from the step on by which the unit leaves it, one more from that on by which it comes.
    pub(super) fn count_then(&mut self, unit: UnitId) {
        let Some(after) = self.after.as_ref() else {
            return;
        };
        let when = |which: Work| {
            let is_it = |step: &Step| {
                let works = [which, Work::MoveRelink].map(Event::Work);
                works.contains(&step.event)
            };
            self.steps.iter().position(is_it)
        };
        let (leaves, comes) = (when(Work::Remove), when(Work::Add));
        let is_rebuilt = |step: &Step| step.event == Event::Work(Work::Rebuild);
        // Where all is built anew, what is told before that is of the regions of before.
        let is_rebuilt = self.steps.iter().any(is_rebuilt);
        let old = self.before.home(unit).map(|place| place.region);
        // Where it comes to what was not there before, that is in the deepest region above it that was.
        let events: Vec<Event> = self.steps.iter().map(|step| step.event).collect();
        let moments = Moments::new(&self.before, after, Some(unit), &events);
        let kept = after.home(unit).map(|place| place.region);
        let mut above = kept.into_iter().flat_map(|kept| after.upwards(kept));
        let new = above.find(|place| moments.is_same(place.region));
        let new = new.map(|place| place.region);
        let as_before = |number: usize| {
            let is_before = !self.identities[number].is_after;
            is_before.then(|| self.places[number].region)
        };
        // It comes to a leaf that is split for it, or to one that is there in the end as well.
        let target = comes.and_then(|at| self.steps[at].place);
        let target = target.and_then(as_before).or(new);
        let kept = kept.filter(|kept| target == Some(*kept));
        let changes = |at: usize, step: &Step| {
            let region = as_before(step.place?)?;
            let has = |turn: Option<usize>| turn.is_some_and(|turn| turn <= at);
            let holds =
                |place: Option<RegionId>| place.is_some_and(|it| self.before.is_above(region, it));
            let is_told = !is_rebuilt || leaves == Some(at);
            let has_left = is_told && has(leaves) && holds(old);
            let has_come = !is_rebuilt && has(comes) && holds(target);
            // A leaf holds all itself, and a node that says so itself has lost or got one of those that it holds itself.
            let is_all_its_own =
                !self.places[step.place?].is_inner() || matches!(step.event, Event::Work(_));
            let is_its_own = |place: Option<RegionId>| is_all_its_own || place == Some(region);
            let (comes_own, leaves_own) = (is_its_own(kept), is_its_own(old));
            let more = |comes: bool, leaves: bool| i8::from(comes) - i8::from(leaves);
            Some((
                more(has_come, has_left),
                more(has_come && comes_own, has_left && leaves_own),
            ))
        };
        let steps = self.steps.iter().enumerate();
        let more: Vec<(i8, i8)> = steps
            .map(|(at, step)| changes(at, step).unwrap_or((0, 0)))
            .collect();
        for (step, more) in self.steps.iter_mut().zip(more) {
            (step.more, step.own) = more;
        }
    }
}
