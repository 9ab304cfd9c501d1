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
        sentences.extend(self.lateness_sentences(object, state));
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
            None => format!("It is on its way: {when}."),
        })
    }

    /// Whether it came before it was needed, how late it was otherwise, and where that time went by.
    fn lateness_sentences(&self, object: u32, state: State) -> Vec<String> {
        let record = self.records[object as usize];
        let queued_at = record.queued_at;
        let came_at = |to: State| {
            let mut all = self.history(object);
            all.find(|it| it.at >= queued_at && it.to == to)
                .map(|it| it.at)
        };
        let is_there = matches!(state, State::Resident | State::Unloading);
        let came = came_at(State::Resident);
        if is_there && came.is_none() {
            // So much has happened since that it is forgotten.
            return Vec::new();
        }
        if record.needed_at.is_infinite() {
            return match came.filter(|_| is_there) {
                Some(came) => vec![format!(
                    "It came {}, {} after it was queued, and has not been needed yet.",
                    clock(came),
                    span(came - queued_at)
                )],
                None => Vec::new(),
            };
        }
        let needed = clock(record.needed_at);
        let until = came.unwrap_or(self.now);
        let late = until - record.needed_at;
        let excuse = if record.excused {
            " It was asked for when it was needed already (or had failed before): that is no question of the lead, and not counted as late."
        } else {
            ""
        };
        let verdict = match came {
            Some(_) if late <= 0.0 => {
                return vec![format!(
                    "It was on time: there {} before it was needed, {needed}.",
                    span(-late)
                )];
            }
            Some(_) => format!("It was {} late: needed {needed}.{excuse}", span(late)),
            None if state.is_pending() => {
                format!("It is {} late by now: needed {needed}.{excuse}", span(late))
            }
            // What is said of its failure says it.
            None if state == State::Failed => return Vec::new(),
            None => {
                return vec![format!(
                    "It was needed {needed}, and was given up before it came.{excuse}"
                )];
            }
        };
        let read_at = came_at(State::Loading);
        let decoded_at = came_at(State::Decoded);
        let begun = read_at.unwrap_or(until);
        let decoded = decoded_at.unwrap_or(until).max(begun);
        // Whose reading takes longer than its wait keeps the disk busy: more requests would share it, and end later.
        let settings = self.settings();
        let reading =
            self.objects()[object as usize].bytes as f64 / 1.0e6 / f64::from(settings.mbps);
        let is_busy = settings.mbps > 0.0 && reading > f64::from(settings.latency_ms) * 1.0e-3;
        let of_queue = if is_busy {
            "the disk is busy with what came before it, so that more throughput empties the queue sooner, more requests in flight do not; a larger lead fills it sooner"
        } else {
            "more requests in flight empty it sooner, for each waits longer than it reads; a larger lead fills it sooner"
        };
        let parts = [
            (begun - queued_at, "in the queue", of_queue),
            (
                decoded - begun,
                "reading",
                "throughput, latency and the size of its asset decide that",
            ),
            (
                until - decoded,
                "waiting for its upload",
                "uploads a tick decide that",
            ),
        ];
        let longest = parts.iter().max_by(|a, b| a.0.total_cmp(&b.0));
        let cause = longest.map(|(time, where_to, remedy)| {
            format!(
                "Of the {} since it was queued, {} went by {where_to}: {remedy}.",
                span(until - queued_at),
                span(*time)
            )
        });
        std::iter::once(verdict).chain(cause).collect()
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

/// A moment.
fn clock(at: f64) -> String {
    format!("at {at:.2} s")
}

/// A time that goes by.
fn span(seconds: f64) -> String {
    if seconds < 1.0 {
        format!("{:.0} ms", seconds * 1.0e3)
    } else {
        format!("{seconds:.2} s")
    }
}
