//! A story of something that is no partition: somebody else has heard the events, and says why.

use super::moments::Moments;
use super::{Answer, Atlas, InTurn, Pages, Place, Step, Story, compared_last, concerned};
use crate::partition::{RegionId, UnitId};
use crate::probe::{Abandoned, Cancel, Counter, Event};
use std::collections::HashMap;
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
    /// Tells it. `reason` is asked for the sentence of each note by its number, with its region. Where it is an edit there are the
    /// regions `after` it too, and the unit that is edited, unless everything is built anew: then each step is told by the regions
    /// of one moment.
    pub fn told(
        self,
        atlas: Atlas,
        after: Option<(Atlas, Option<UnitId>)>,
        mut reason: impl FnMut(usize, Option<&Place>) -> String,
        cancel: &Cancel,
    ) -> Result<Story, Abandoned> {
        let mut pages = Pages::default();
        let mut steps = Vec::with_capacity(self.notes.len());
        let mut compared = None;
        let events: Vec<Event> = match after {
            Some(_) => self.notes.iter().map(|note| note.event).collect(),
            None => Vec::new(),
        };
        let moments = after
            .as_ref()
            .map(|(after, unit)| Moments::new(&atlas, after, *unit, &events));
        let arrival = moments.as_ref().and_then(|it| it.arrival(&events));
        let arrival = arrival.map(|(leaf, _)| leaf);
        let mut merges = 0;
        for (at, note) in self.notes.iter().enumerate() {
            cancel.check()?;
            compared = compared_last(compared, note.event);
            let place = match &moments {
                Some(moments) => {
                    let is_in_vain = moments.is_rebuilt && at < moments.turn;
                    let place = match note.event {
                        Event::Work(kind) => moments.stand(kind, at, arrival),
                        event => moments.place(event, at, merges, is_in_vain),
                    };
                    merges += usize::from(matches!(note.event, Event::Merge(_)) && !is_in_vain);
                    place
                }
                None => note.region.and_then(|region| atlas.place(region)),
            };
            let number = place.map(|place| match &moments {
                Some(moments) => {
                    let (is_after, is_same) = moments.moment_of(place);
                    pages.number_of(place, is_after, is_same)
                }
                None => pages.number(place),
            });
            steps.push(Step {
                event: note.event,
                // What an edit calls a region by may be the number of another one by the time at which it is shown.
                region: place.map(|place| place.region).or(note.region),
                place: number,
                turn: None,
                in_turn: InTurn::Apart,
                units: concerned(note.event, place, compared),
                reason: reason(at, place),
                more: 0,
                own: 0,
            });
        }
        let turn = moments.map_or(self.notes.len(), |moments| moments.turn);
        let unit = after.as_ref().and_then(|(_, unit)| *unit);
        let mut story = Story {
            steps,
            turn,
            identities: pages.identities,
            reaches: Vec::new(),
            stays: Vec::new(),
            looked: HashMap::new(),
            names: Vec::new(),
            newcomer: None,
            places: pages.places,
            answer: self.answer,
            counters: self.counters,
            left_out: self.left_out,
            before: Arc::new(atlas),
            after: after.map(|(after, _)| after),
        };
        if let Some(unit) = unit {
            story.count_then(unit);
        }
        Ok(story)
    }
}
