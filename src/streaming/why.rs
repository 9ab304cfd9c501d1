//! Why is this object (not) loaded? In plain sentences.

use super::late::name_in;
use super::lateness::{Reading, SINCE, UNTIL_IT_CAME, cause, span};
use super::remedy::{Said, Why};
use super::scheduler::{Approach, speed_towards};
use super::{Clock, Flight, Lateness, Loader, Remedy, State, Streaming, called};
use crate::geometry::Aabb;
use crate::story::words::{bytes, bytes_enough, capital, with_commas};

/// How many of the last things that happened to an object are told.
pub const EVENTS_TOLD: usize = 8;

/// So many of those that go before an object are called by their names.
const NAMED: usize = 3;

/// A lower speed is told as none, in m/s.
const LEAST_TOLD: f32 = 0.05;

impl<L: Loader> Streaming<L> {
    /// Says in plain sentences why `object` is or is not loaded: its state, where the character is among its rectangles, its
    /// priority, what went wrong, and what happened to it lately, the latest first.
    pub(crate) fn why(&self, object: u32) -> Vec<String> {
        let enough = self.enough_while_bound();
        self.why_knowing(object, Clock::Start, None, enough)
            .sentences
    }

    /// The same by who knows from when the seconds are counted, how late it will come where time has been gone back in, and what memory
    /// cap would be enough, as [`Self::enough_while_bound`] says.
    pub(super) fn why_knowing(
        &self,
        object: u32,
        clock: Clock,
        future: Option<&Lateness>,
        enough: Option<u64>,
    ) -> Why {
        let Some(&state) = self.states.get(object as usize) else {
            return Why::of(vec![format!("There is no object {object}.").into()], None);
        };
        let of_state = [
            Some(self.state_sentence(object, state)),
            Some(self.place_sentence(object)),
            self.priority_sentence(object, state),
            self.others_sentence(object, state),
            self.decoded_sentence(object, state),
        ];
        let of_state = of_state.into_iter().flatten();
        let mut sentences: Vec<Said> = of_state.map(Said::from).collect();
        let verdict = sentences.len();
        let of_lateness = self.lateness_sentences((object, state), clock, future);
        let came_late = !of_lateness.is_empty() && self.was_late(object);
        sentences.extend(of_lateness);
        let needed_at = self.records[object as usize].needed_at;
        let is_said = sentences.len() > verdict && needed_at <= self.now;
        let needed = is_said.then_some((verdict, needed_at));
        // What is asked for sooner comes sooner: beside the lead it is the margin that decides how far ahead is looked.
        if (came_late || state.is_pending())
            && let Some(cut) = self.settings().cut_ahead(self.velocity)
        {
            sentences.push(Said {
                words: cut.words(self.settings()),
                enough: cut.enough().into_iter().collect(),
            });
        }
        if state == State::Queued && self.is_bound_by_memory() {
            sentences.push(self.memory_sentence(enough));
        }
        sentences.extend(self.failure_sentence(object).map(Said::from));
        let events = self.history(object).rev().take(EVENTS_TOLD);
        sentences.extend(events.map(|event| {
            format!(
                "{}: {}, because {}.",
                capital(&clock.moment(event.at)),
                event.to.name(),
                event.reason.clause()
            )
            .into()
        }));
        Why::of(sentences, needed)
    }

    /// A memory cap that would be enough, while the one in force keeps the queue waiting.
    pub(super) fn enough_while_bound(&self) -> Option<u64> {
        self.is_bound_by_memory()
            .then(|| self.enough_bytes())
            .flatten()
    }

    /// Whether the memory cap keeps the queue waiting. What the last update found says nothing of settings and objects that are others by
    /// now.
    pub(super) fn is_bound_by_memory(&self) -> bool {
        self.bound().memory && self.is_as_decided()
    }

    fn memory_sentence(&self, enough: Option<u64>) -> Said {
        let cap = bytes(self.settings().memory_cap);
        let words = format!(
            "The memory cap of {cap} keeps the queue waiting: what is there is needed as much."
        );
        match enough {
            Some(enough) => Said {
                words: format!(
                    "{words} A cap of {} would be enough for all that is there and asked for by now.",
                    bytes_enough(enough)
                ),
                enough: vec![Remedy::cap(enough)],
            },
            None => words.into(),
        }
    }

    fn state_sentence(&self, object: u32, state: State) -> String {
        let bytes = bytes(self.objects[object as usize].bytes);
        let name = self.called(object);
        match state {
            State::Unloaded => format!("{name} is not loaded."),
            State::Queued => format!("{name} is waiting to be loaded."),
            State::Loading => format!(
                "{name} is being loaded: {:.0} % of {bytes} are read.",
                self.progress(object) * 100.0
            ),
            State::Decoded => format!("{name} is decoded and waits for its upload."),
            State::Resident => {
                let takes = self.takes_in_words(object);
                format!("{name} is resident with {takes}.")
            }
            State::Unloading => format!("{name} is waiting to be released."),
            State::Failed => format!("{name} could not be loaded."),
        }
    }

    fn place_sentence(&self, object: u32) -> String {
        let rectangles = self.rectangles(object);
        let gap = |area: Aabb| area.distance_sq(self.position).sqrt();
        let inside = |area: Aabb| area.contains(self.position);
        if inside(rectangles.need) {
            "The character is inside its need rectangle: the object must be there.".to_owned()
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
                "The character is inside its unload rectangle, {:.1} m from its load rectangle.",
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
            self.when_needed(object, seconds)
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

    /// In how many seconds an object may be needed, and at what speed: as the character goes, or as it might. Where that is not the speed
    /// at which it goes, both are told: the panel shows the other one.
    fn when_needed(&self, object: u32, seconds: f32) -> String {
        let need = self.rectangles(object).need;
        let (speed, approach) = speed_towards(need, self.position, self.velocity);
        let [at, goes] = [speed, self.velocity.length()].map(|it| format!("{it:.1} m/s"));
        let may = format!("it may be needed in {seconds:.1} s");
        match approach {
            // Who stands is told by no velocity at all.
            _ if self.velocity.length() == 0.0 => format!(
                "it is not needed while the character stands; at {at} it would be in {seconds:.1} s"
            ),
            Approach::AsItGoes if at == goes => {
                format!("{may}, at the {at} at which the character comes nearer")
            }
            Approach::AsItGoes => {
                format!(
                    "{may}: the character goes at {goes} aslant to it, and comes nearer by {at}"
                )
            }
            Approach::Turning(share) => format!(
                "{may}, if the character turns to it: a turn is reckoned at {:.0} % of its {goes}, which is {at}",
                share * 100.0
            ),
            // It may come nearer already, more slowly than that.
            Approach::Slowest if self.speed_nearer_to(need) >= LEAST_TOLD => format!(
                "{may} at {at}, the least that is reckoned with: the character comes nearer by {:.1} m/s",
                self.speed_nearer_to(need)
            ),
            Approach::Slowest => format!(
                "{may}, if the character turns to it: it goes at {goes}, and {at} is the least that is reckoned with"
            ),
        }
    }

    /// At how many metres a second the character comes nearer to a rectangle in which it is not.
    fn speed_nearer_to(&self, area: Aabb) -> f32 {
        let way = self.position.clamp(area.min, area.max) - self.position;
        self.velocity.dot(way) / way.length()
    }

    /// Who goes before one that is queued: those that are being loaded, and those ahead of it in the queue, the next one first.
    fn others_sentence(&self, object: u32, state: State) -> Option<String> {
        if state != State::Queued {
            return None;
        }
        let loading: Vec<u32> = self.flights.iter().filter_map(Flight::waiting).collect();
        let place = self.queue.iter().position(|entry| entry.object == object)?;
        let ahead: Vec<u32> = self.queue[..place].iter().map(|it| it.object).collect();
        let are = |all: &[u32]| if all.len() == 1 { "is" } else { "are" };
        let loading = (!loading.is_empty()).then(|| {
            let names = self.names(&loading);
            format!("{names} {} being loaded", are(&loading))
        });
        let ahead = (!ahead.is_empty()).then(|| {
            let names = self.names(&ahead);
            format!("{names} {} ahead of it in the queue", are(&ahead))
        });
        let all: Vec<String> = loading.into_iter().chain(ahead).collect();
        let sentence = (!all.is_empty()).then(|| all.join("; "));
        sentence.map(|words| format!("Before it: {words}."))
    }

    /// That somebody else has the picture of one that is on its way already: a file is read for each object, and only what it is decoded to
    /// is shared.
    fn decoded_sentence(&self, object: u32, state: State) -> Option<String> {
        if !state.is_pending() {
            return None;
        }
        let picture = self.picture_of(object);
        // Where nobody has it, nobody is sought among all who are there: each picture of the world asks for this.
        let is_there = self.holding.users(picture).there > 0;
        if !is_there || self.holding.shown_bytes(picture) == 0 {
            return None;
        }
        let asset = self.objects[object as usize].asset;
        let has_it = |other: &&u32| {
            let is_there = self.states[**other as usize] == State::Resident;
            is_there && self.objects[**other as usize].asset == asset
        };
        let other = self.residents.iter().find(has_it)?;
        let file = self.assets.get(asset as usize)?.file_name()?;
        Some(format!(
            "{} is already decoded for {}, but each object reads its file anew.",
            file.to_string_lossy(),
            self.called(*other)
        ))
    }

    /// What some objects are called: a few of them, and how many more there are.
    fn names(&self, objects: &[u32]) -> String {
        let named = objects.iter().take(NAMED);
        let named = named.map(|object| self.called(*object));
        let named: Vec<String> = named.collect();
        match objects.len().saturating_sub(NAMED) {
            0 => named.join(", "),
            more => format!("{} and {} more", named.join(", "), with_commas(more as u64)),
        }
    }

    /// What an object is called wherever one is named.
    pub(crate) fn called(&self, object: u32) -> String {
        called(&name_in(self.objects(), self.assets(), object), object)
    }

    /// Whether an object came late, or is missing and late, and that counts.
    fn was_late(&self, object: u32) -> bool {
        let record = self.records[object as usize];
        let mut all = self.history(object);
        let came = all.find(|it| it.at >= record.queued_at && it.to == State::Resident);
        let until = came.map_or(self.now, |it| it.at);
        !record.excused && record.needed_at < until
    }

    /// Whether it came before it was needed, how late it was otherwise, and where that time went by.
    fn lateness_sentences(
        &self,
        (object, state): (u32, State),
        clock: Clock,
        future: Option<&Lateness>,
    ) -> Vec<Said> {
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
                Some(came) => {
                    let words = format!(
                        "It came {}, {} after it was queued, and has not been needed yet.",
                        clock.moment(came),
                        span(came - queued_at)
                    );
                    vec![words.into()]
                }
                // Before the first tick nobody was asked for.
                None if state == State::Unloaded && self.now > 0.0 => {
                    vec![never_needed(queued_at, clock).into()]
                }
                None => Vec::new(),
            };
        }
        let needed = clock.moment(record.needed_at);
        let until = came.unwrap_or(self.now);
        let late = until - record.needed_at;
        let excuse = if record.excused {
            " It was asked for when it was needed already (or had failed before): that is no question of the lead, and not counted as late."
        } else {
            ""
        };
        // The character may have come by and gone on meanwhile.
        let is_needed = self.rectangles(object).need.contains(self.position);
        let missed = || {
            format!(
                "It was needed {needed}, and was missing for {}: then it was no longer needed.",
                span(record.missing_until(self.now))
            )
        };
        if let Some(future) = future {
            let so_far = if !is_needed {
                missed()
            } else if late > 0.0 {
                format!("It is {} late by now: needed {needed}.", span(late))
            } else {
                format!("It is needed from this tick on, {needed}, and is not there yet.")
            };
            let at = clock.moment(future.came_at());
            let comes = if future.is_given_up() {
                format!("It is given up before it comes, {at}, in the future that is known.")
            } else if future.is_on_its_way() {
                format!(
                    "It is no longer needed after {}, {at}, and has not come by then, in the future that is known.",
                    future.missing_words()
                )
            } else {
                let late = future.words();
                format!("It comes {late} late, {at}, in the future that is known.")
            };
            let all = [so_far, comes].into_iter().map(Said::from);
            return all.chain(future.told_to_come(clock)).collect();
        }
        let verdict = match came {
            Some(_) if late == 0.0 => {
                let words = format!(
                    "It was just on time: there in the very tick in which it was needed, {needed}."
                );
                return vec![words.into()];
            }
            Some(came) if late < 0.0 => {
                let words = format!(
                    "It was on time: it came {}, {} before it was needed ({needed}).",
                    clock.moment(came),
                    span(-late)
                );
                return vec![words.into()];
            }
            // To call it late and say in the next breath that it does not count would contradict itself.
            Some(_) if record.excused => {
                format!(
                    "It was needed {needed}, and came {} later, {}.{excuse}",
                    span(late),
                    clock.moment(until)
                )
            }
            Some(_) => {
                // The character may have gone on before that, and come by again.
                let known = self.lateness.get(&object);
                let missing = known.filter(|it| it.has_come() && !it.is_late_alone());
                let missing = missing.map_or(String::new(), |it| {
                    format!(
                        " Of that time it was needed for {}, and missing.",
                        it.missing_words()
                    )
                });
                format!(
                    "It was {} late: needed {needed}, there {}.{missing}",
                    span(late),
                    clock.moment(until)
                )
            }
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
                if is_needed && record.excused {
                    format!(
                        "It has been needed for {}, since {}.{excuse}",
                        span(late),
                        clock.since(record.needed_at)
                    )
                } else if is_needed {
                    format!("It is {} late by now: needed {needed}.", span(late))
                } else if record.excused {
                    format!(
                        "It was needed {needed}, was not there, and is not needed at present.{excuse}"
                    )
                } else {
                    format!("{} It is not there yet.", missed())
                }
            }
            // What is said of its failure says it.
            None if state == State::Failed => return Vec::new(),
            None => {
                let known = self.lateness.get(&object);
                let given_up = known.filter(|it| it.is_given_up());
                let when = given_up.map_or(String::new(), |it| format!(", {} later", it.words()));
                // It may have been needed no more long before that.
                let missing = given_up.map_or(String::new(), |it| {
                    format!(" and missing for {} while it was", it.missing_words())
                });
                let verdict = format!(
                    "It was needed {needed}{missing}, and was given up before it came{when}.{excuse}"
                );
                let why = given_up.map_or(Vec::new(), |it| it.told_of(clock));
                return std::iter::once(verdict.into()).chain(why).collect();
            }
        };
        // What came late was reckoned when it came: settings and disk may be others by now.
        if let Some(lateness) = self.lateness.get(&object).filter(|_| came.is_some()) {
            return std::iter::once(verdict.into())
                .chain(lateness.told_of(clock))
                .collect();
        }
        let read_at = came_at(State::Loading);
        let begun = read_at.unwrap_or(until);
        let decoded = came_at(State::Decoded).unwrap_or(until).max(begun);
        let wait = self.wait_of(object, begun);
        let bytes = self.objects[object as usize].bytes;
        let reading = Reading::of(bytes, record.read_from, record.ahead);
        let times = [queued_at, begun, decoded, until];
        let which = came.map_or(SINCE, |_| UNTIL_IT_CAME);
        let cause = cause(times, wait.as_ref(), &reading, (which, false));
        std::iter::once(verdict.into()).chain(cause).collect()
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

/// Why one that is not there, and has not been needed since it was queued, was not; 0 is said of one that never was queued.
fn never_needed(queued_at: f64, clock: Clock) -> String {
    match queued_at {
        0.0 => {
            "It was never needed: the character has never come near enough for it to be asked for."
                .to_owned()
        }
        at => format!(
            "It was asked for last {}, and has not been needed since: the character has not come into its need rectangle.",
            clock.moment(at)
        ),
    }
}

#[cfg(test)]
mod tests;
