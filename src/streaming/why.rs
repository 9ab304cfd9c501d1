//! Why is this object (not) loaded? In plain sentences.

use super::{Loader, State, Streaming};
use crate::geometry::Aabb;

/// How many of the last things that happened to an object are told.
const EVENTS_TOLD: usize = 8;

impl<L: Loader> Streaming<L> {
    /// Says in plain sentences why `object` is or is not loaded: its state, where the character is among its rectangles, its
    /// priority, what went wrong, and what happened to it lately, the latest first.
    pub(crate) fn why(&self, object: u32) -> Vec<String> {
        let Some(&state) = self.states.get(object as usize) else {
            return vec![format!("There is no object {object}.")];
        };
        let mut sentences = vec![
            self.state_sentence(object, state),
            self.place_sentence(object),
        ];
        sentences.extend(self.priority_sentence(object, state));
        if state == State::Queued && self.bound().memory {
            sentences.push(format!(
                "The memory cap of {} bytes keeps the queue waiting: what is there is needed as much.",
                self.settings().memory_cap
            ));
        }
        sentences.extend(self.failure_sentence(object));
        let events = self.history(object).rev().take(EVENTS_TOLD);
        sentences.extend(events.map(|event| {
            format!(
                "At {:.2} s: {}, because {}.",
                event.at,
                event.to.name(),
                event.reason.clause()
            )
        }));
        sentences
    }

    fn state_sentence(&self, object: u32, state: State) -> String {
        let bytes = self.objects[object as usize].bytes;
        match state {
            State::Unloaded => format!("Object {object} is not loaded."),
            State::Queued => format!("Object {object} is waiting to be loaded."),
            State::Loading => format!(
                "Object {object} is being loaded: {:.0} % of {bytes} bytes are read.",
                self.progress(object) * 100.0
            ),
            State::Decoded => format!("Object {object} is decoded and waits for its upload."),
            State::Resident => format!("Object {object} is resident with {bytes} bytes."),
            State::Unloading => format!("Object {object} is waiting to be released."),
            State::Failed => format!("Object {object} could not be loaded."),
        }
    }

    fn place_sentence(&self, object: u32) -> String {
        let rectangles = self.rectangles(object);
        let gap = |area: Aabb| area.distance_sq(self.position).sqrt();
        let inside = |area: Aabb| area.contains(self.position);
        if inside(rectangles.need) {
            "The character is inside its need rectangle: it must be there.".to_owned()
        } else if inside(rectangles.load) {
            format!(
                "The character is inside its load rectangle, {:.1} m from its need rectangle.",
                gap(rectangles.need)
            )
        } else if rectangles.load.overlaps(self.way) {
            format!(
                "The character is about to enter its load rectangle, {:.1} m away.",
                gap(rectangles.load)
            )
        } else if inside(rectangles.unload) {
            format!(
                "The character is inside its unload rectangle, {:.1} m from its load rectangle: nothing changes here.",
                gap(rectangles.load)
            )
        } else {
            format!(
                "The character is outside its unload rectangle, {:.1} m from its load rectangle.",
                gap(rectangles.load)
            )
        }
    }

    fn priority_sentence(&self, object: u32, state: State) -> Option<String> {
        if !state.is_pending() {
            return None;
        }
        let seconds = self.urgency(object).time_to_need;
        let when = if seconds == 0.0 {
            "it is needed now".to_owned()
        } else {
            format!("it may be needed in {seconds:.1} s")
        };
        let place = self.queue.iter().position(|entry| entry.object == object);
        Some(match place {
            Some(place) => format!(
                "It is number {} of {} in the queue: {when}.",
                place + 1,
                self.queue.len()
            ),
            None => format!("It has left the queue: {when}."),
        })
    }

    fn failure_sentence(&self, object: u32) -> Option<String> {
        let failure = self.failures.get(&object)?;
        let times = if failure.attempts == 1 {
            "once".to_owned()
        } else {
            format!("{} times in a row", failure.attempts)
        };
        Some(format!(
            "It failed {times}, at last with \"{}\"; it may be tried again {}.",
            failure.sentence,
            if failure.retry_at <= self.now {
                "now".to_owned()
            } else {
                format!("in {:.1} s", failure.retry_at - self.now)
            }
        ))
    }
}
