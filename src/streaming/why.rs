//! Why is this object (not) loaded? In plain sentences.

use super::lateness::{cause, clock, span, transfer};
use super::{Lateness, Loader, State, Streaming};
use crate::geometry::Aabb;
use crate::story::words::with_commas;

/// How many of the last things that happened to an object are told.
const EVENTS_TOLD: usize = 8;

impl<L: Loader> Streaming<L> {
    /// Says in plain sentences why `object` is or is not loaded: its state, where the character is among its rectangles, its
    /// priority, what went wrong, and what happened to it lately, the latest first.
    pub(crate) fn why(&self, object: u32) -> Vec<String> {
        self.why_knowing(object, None)
    }

    /// The same by who knows how late it will come, for time has been gone back in.
    pub(super) fn why_knowing(&self, object: u32, future: Option<&Lateness>) -> Vec<String> {
        let Some(&state) = self.states.get(object as usize) else {
            return vec![format!("There is no object {object}.")];
        };
        let mut sentences = vec![
            self.state_sentence(object, state),
            self.place_sentence(object),
        ];
        sentences.extend(self.priority_sentence(object, state));
        sentences.extend(self.lateness_sentences(object, state, future));
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
        let bytes = with_commas(self.objects[object as usize].bytes);
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
    fn lateness_sentences(
        &self,
        object: u32,
        state: State,
        future: Option<&Lateness>,
    ) -> Vec<String> {
        let record = self.records[object as usize];
        // Of another stay it says nothing.
        let future = future.filter(|it| {
            !record.excused && state.is_pending() && it.needed_at() == record.needed_at
        });
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
        if let Some(future) = future {
            let so_far = if late > 0.0 {
                format!("It is {} late by now: needed {needed}.", span(late))
            } else {
                format!("It is needed from this tick on, {needed}, and is not there yet.")
            };
            let comes = format!(
                "It comes {} late, {}, in the future that is known.",
                future.words(),
                clock(future.came_at())
            );
            let all = [so_far, comes].into_iter();
            return all.chain(future.sentences()).collect();
        }
        let verdict = match came {
            Some(_) if late == 0.0 => {
                return vec![format!(
                    "It was just on time: there in the very tick in which it was needed, {needed}."
                )];
            }
            Some(_) if late < 0.0 => {
                return vec![format!(
                    "It was on time: needed {needed}, and there {} before.",
                    span(-late)
                )];
            }
            // To call it late and say in the next breath that it does not count would contradict itself.
            Some(_) if record.excused => {
                format!(
                    "It was needed {needed}, and came {} later, {}.{excuse}",
                    span(late),
                    clock(until)
                )
            }
            Some(_) => format!(
                "It was {} late: needed {needed}, there {}.",
                span(late),
                clock(until)
            ),
            // Needed in this very tick: no time has gone by that it could be late by.
            None if state.is_pending() && late == 0.0 => {
                let next = if record.excused {
                    excuse
                } else {
                    " How late it comes, and what would have been enough for it, is told once it is there."
                };
                format!("It is needed from this tick on, {needed}, and is not there yet.{next}")
            }
            None if state.is_pending() => {
                // The character may have come by and gone on meanwhile.
                let is_needed = self.rectangles(object).need.contains(self.position);
                if is_needed && record.excused {
                    format!(
                        "It has been needed for {}, since {}.{excuse}",
                        span(late),
                        needed.trim_start_matches("at ")
                    )
                } else if is_needed {
                    format!("It is {} late by now: needed {needed}.", span(late))
                } else if record.excused {
                    format!(
                        "It was needed {needed}, was not there, and is not needed at present.{excuse}"
                    )
                } else {
                    format!(
                        "It was needed {needed}, was not there, and is not needed at present: it would come {} late.",
                        span(late)
                    )
                }
            }
            // What is said of its failure says it.
            None if state == State::Failed => return Vec::new(),
            None => {
                return vec![format!(
                    "It was needed {needed}, and was given up before it came.{excuse}"
                )];
            }
        };
        // What came late was reckoned when it came: settings and disk may be others by now.
        if let Some(lateness) = self.lateness.get(&object).filter(|_| came.is_some()) {
            return std::iter::once(verdict)
                .chain(lateness.sentences())
                .collect();
        }
        let read_at = came_at(State::Loading);
        let begun = read_at.unwrap_or(until);
        let decoded = came_at(State::Decoded).unwrap_or(until).max(begun);
        // What is being read is read on the disk of the time at which that began.
        let disk = read_at.map_or_else(|| self.settings().disk(), |_| record.read_from);
        let reading = transfer(self.objects()[object as usize].bytes, disk);
        let is_busy = disk.mbps > 0.0 && reading > f64::from(disk.latency_ms) * 1.0e-3;
        let cause = cause([queued_at, begun, decoded, until], is_busy);
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

#[cfg(test)]
mod tests {
    use super::super::{Settings, SimulatedLoader, Streaming, WorldObject};
    use crate::geometry::Vec2;

    /// What is needed is needed within 10 m, and nobody looks ahead.
    fn narrow() -> Settings {
        Settings {
            need_factor: 0.0,
            need_min: 10.0,
            need_max: 10.0,
            margin: 40.0,
            predict_seconds: 0.0,
            ..Settings::default()
        }
    }

    /// A world of one object of 200 kB, 100 m away.
    fn world(settings: Settings) -> Streaming<SimulatedLoader> {
        let object = WorldObject {
            center: Vec2::new(100.0, 0.0),
            half_extent: Vec2::ZERO,
            bytes: 200_000,
            asset: 0,
        };
        let loader = SimulatedLoader::default();
        Streaming::new(vec![object], ["a.png".into()], settings, loader)
    }

    /// That world, once the character has come by the object at 20 m/s, which is needed within 10 m.
    fn passed(settings: Settings) -> Streaming<SimulatedLoader> {
        let mut streaming = world(settings);
        let speed = 20.0;
        for tick in 0..330 {
            let seconds = f64::from(tick) / 60.0;
            let position = Vec2::new(seconds as f32 * speed, 0.0);
            streaming.update(seconds, position, Vec2::new(speed, 0.0));
            while let Some(upload) = streaming.next_upload() {
                streaming.uploaded(upload.object);
            }
        }
        streaming
    }

    #[test]
    fn who_has_gone_nowhere_yet_is_about_to_enter_nothing() {
        let mut streaming = world(narrow());
        streaming.objects = [WorldObject {
            center: Vec2::ZERO,
            ..streaming.objects[0]
        }]
        .into();
        let streaming = streaming.seen_from(Vec2::new(960.0, 40.0));
        let why = streaming.why(0);
        assert!(
            why[1].starts_with("The character is outside its unload rectangle"),
            "{why:?}"
        );
    }

    /// Whether the object was late then, and why.
    fn told(settings: Settings) -> (bool, Vec<String>) {
        let streaming = passed(settings);
        (streaming.statistics().late_loads > 0, streaming.why(0))
    }

    /// The number before these words of a sentence.
    fn number_before(sentences: &[String], words: &str) -> f32 {
        let sentence = sentences.iter().find(|it| it.contains(words));
        let sentence = sentence.unwrap_or_else(|| panic!("{sentences:?}"));
        let before = sentence.split(words).next().expect("what is before it");
        let number = before.split(' ').next_back().expect("a number");
        number.parse().expect("a number")
    }

    #[test]
    fn what_is_said_to_be_enough_for_a_late_load_is_enough_and_little_more() {
        let settings = Settings {
            lead: 10.0,
            mbps: 0.2,
            latency_ms: 50.0,
            ..narrow()
        };
        let (is_late, why) = told(settings);
        assert!(is_late, "{why:?}");
        let more = number_before(&why, " m more lead");
        let with_lead = |lead| told(Settings { lead, ..settings }).0;
        assert!(!with_lead(10.0 + more), "{why:?}");
        assert!(with_lead(10.0 + 0.8 * more), "{why:?}");
        let mbps = number_before(&why, " MB a second");
        let on_disk = |mbps| told(Settings { mbps, ..settings }).0;
        assert!(!on_disk(mbps), "{why:?}");
        assert!(on_disk(0.2 + 0.8 * (mbps - 0.2)), "{why:?}");
    }

    #[test]
    fn what_is_said_of_a_wait_that_is_over_speaks_of_the_disk_of_that_time() {
        let slow = Settings {
            lead: 10.0,
            mbps: 0.2,
            latency_ms: 50.0,
            ..narrow()
        };
        let mut streaming = passed(slow);
        let before = streaming.why(0);
        assert!(
            before.iter().any(|it| it.contains("instead of 0.2")),
            "{before:?}"
        );
        let of_the_wait = |all: &[String]| -> Vec<String> {
            let is_of_it = |it: &&String| it.starts_with("Of the") || it.starts_with("Enough");
            all.iter().filter(is_of_it).cloned().collect()
        };
        for mbps in [0.0, 2.0, 500.0] {
            let now = Settings {
                mbps,
                latency_ms: 900.0,
                ..slow
            };
            streaming.set_settings(now);
            assert_eq!(of_the_wait(&streaming.why(0)), of_the_wait(&before));
        }
    }

    #[test]
    fn what_comes_in_the_tick_in_which_it_is_needed_is_neither_counted_nor_told_as_late() {
        let mut just_on_time = 0;
        for step in 0_u8..40 {
            let settings = Settings {
                lead: 0.1 * f32::from(step),
                mbps: 40.0,
                latency_ms: 30.0,
                ..narrow()
            };
            let (is_late, why) = told(settings);
            let says = |words: &str| why.iter().any(|it| it.contains(words));
            let is_excused = says("not counted as late");
            assert_eq!(is_late, says(" late: needed") && !is_excused, "{why:?}");
            assert_eq!(!is_late, says("on time") || is_excused, "{why:?}");
            assert!(!says("-0") && !says("there 0 ms before"), "{why:?}");
            just_on_time += u32::from(says("just on time"));
        }
        assert!(just_on_time > 0);
    }

    #[test]
    fn what_was_needed_and_is_not_any_more_is_not_called_late_by_now() {
        let settings = Settings {
            mbps: 0.01,
            ..narrow()
        };
        let mut streaming = world(settings);
        let said = |streaming: &Streaming<_>, words: &str| {
            streaming.why(0).iter().any(|it| it.contains(words))
        };
        streaming.update(0.0, Vec2::new(80.0, 0.0), Vec2::ZERO);
        streaming.update(1.0, Vec2::new(95.0, 0.0), Vec2::ZERO);
        // In the tick in which it comes to be needed it is late by nothing.
        assert!(
            said(&streaming, "needed from this tick on"),
            "{:?}",
            streaming.why(0)
        );
        assert!(!said(&streaming, "late by now"), "{:?}", streaming.why(0));
        streaming.update(2.0, Vec2::new(95.0, 0.0), Vec2::ZERO);
        assert!(
            said(&streaming, "1.00 s late by now"),
            "{:?}",
            streaming.why(0)
        );
        streaming.update(3.0, Vec2::new(120.0, 0.0), Vec2::ZERO);
        assert!(!said(&streaming, "late by now"), "{:?}", streaming.why(0));
        assert!(said(&streaming, "is not needed at present"));
    }
}
