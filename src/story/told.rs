//! A story of something that is no partition: somebody else has heard the events, and says why.

use super::{Answer, Atlas, Pages, Place, Step, Story, compared_last, concerned};
use crate::partition::RegionId;
use crate::probe::{Abandoned, Cancel, Counter, Event};
use std::sync::Arc;

/// An event and the region that it names.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Note {
    /// What happened. The region in it is that of the atlas.
    pub event: Event,
    /// The region; of a test or a hit that in which the unit is looked for, where it has one of its own.
    pub region: Option<RegionId>,
}

/// What was heard.
#[derive(Clone, Debug)]
pub struct Heard {
    /// What happened, in order, up to the cap.
    pub notes: Vec<Note>,
    /// What happened, summed up, what is beyond the cap included.
    pub counters: Counter,
    /// How many events came after the cap.
    pub left_out: u64,
    /// What was found.
    pub answer: Answer,
}

impl Heard {
    /// Tells it. `reason` is asked for the sentence of each note by its number, with its region where either atlas has that: the
    /// one before it, or the one after it where it changes something.
    pub fn told(
        self,
        atlas: Atlas,
        after: Option<Atlas>,
        mut reason: impl FnMut(usize, Option<&Place>) -> String,
        cancel: &Cancel,
    ) -> Result<Story, Abandoned> {
        let mut pages = Pages::default();
        let mut steps = Vec::with_capacity(self.notes.len());
        let mut compared = None;
        for (at, note) in self.notes.iter().enumerate() {
            cancel.check()?;
            compared = compared_last(compared, note.event);
            let new = |region| after.as_ref().and_then(|after| after.place(region));
            let place = note
                .region
                .and_then(|it| atlas.place(it).or_else(|| new(it)));
            steps.push(Step {
                event: note.event,
                region: note.region,
                place: place.map(|place| pages.number(place)),
                units: concerned(note.event, place, compared),
                reason: reason(at, place),
            });
        }
        Ok(Story {
            steps,
            turn: self.notes.len(),
            identities: pages.identities,
            places: pages.places,
            answer: self.answer,
            counters: self.counters,
            left_out: self.left_out,
            before: Arc::new(atlas),
            after,
        })
    }
}
