//! How late an object came, where that time went by, and what would have been enough for it.
//!
//! It is reckoned once, when the object comes: what was read then was read on the disk of that time, with the lead of that time, and
//! how busy the disk was is not known for ever.
//!
//! # What is said of the lead
//!
//! There is one lead for all objects: a larger one asks sooner for the others as well, and for more of them. So it is advised with a
//! figure only where an object waited for its own reading, on a disk with room for more. An object that waited for others comes sooner
//! only if these do, and they do only as far as the disk had pauses shortly before: pauses of less than it was late by do not bring it in
//! time, and with longer ones a larger lead may, so that nothing is said against it. Nor is it where it was late by less than its own
//! reading takes: so much may be saved where another one goes behind it.
//!
//! # What is said of the disk
//!
//! Of an object that waited for others a disk is said that is quick enough and may be quicker than has to be: on it others go first.
//!
//! # What is said of requests
//!
//! Whoever is asked for is read behind all that were asked for before it, also behind those that are needed later. With fewer requests
//! more of these would still have been in the queue, behind it. That may help, and is said so where others took much of its reading: tried
//! on rides, most of these came sooner with half as many requests, and few of them in time, so that no number is named.
//!
//! Between two reads of one request the disk waits for the next tick and for the latency of the next one: with few requests in flight that
//! adds up to more than many an object is late by, also where it is the smaller part of a wait. So it is told apart from the time in which
//! the disk was busy wherever it is not next to nothing, and more requests are said to help, or to be able to.
//!
//! Where settings were changed while it waited, or since whatever a lead could have reached, nothing of that is said.

use super::history::Reason;
use super::states::{Ahead, State};
use super::track::Idle;
use super::{Latecomers, Loader, Settings, Streaming, way_ahead};
use crate::geometry::{Aabb, Vec2};
use crate::scene::Disk;

mod quicker;
mod words;

pub(super) use quicker::NoDisk;
pub use words::span;
pub(super) use words::{Reading, SINCE, UNTIL_IT_CAME, cause};

/// What is decided, read and uploaded once in an update comes up to so many seconds later, in each of the two.
const TICK: f64 = crate::tick::STEP_SECONDS;

/// How much later it might come than was reckoned, as a share.
const SAFETY: f64 = 1.05;

/// Pauses of the disk are looked for so many seconds before an object was asked for: no larger lead that anybody would choose reaches
/// farther.
const LOOKED_BACK: f64 = 20.0;

/// What would have become of a late object with a larger lead.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Lead {
    /// So many metres more would have been enough.
    Enough {
        /// How many.
        more: f64,
        /// Beside the lead of then, in metres.
        lead: f64,
        /// How fast the character came, in metres a second.
        speed: f64,
    },
    /// It was asked for as soon as anything could be.
    FirstTick {
        /// When that was, in seconds.
        at: f64,
        /// Whether the character was put there then, and the world had not just begun.
        is_of_leap: bool,
    },
    /// From the beginning until it was needed there was less time than it takes alone.
    TooSoon {
        /// How much time there was, in seconds.
        had: f64,
        /// How much it takes, in seconds.
        takes: f64,
    },
    /// What was needed before it took the disk too long.
    OthersFirst {
        /// How long, in seconds.
        takes: f64,
        /// Of how much time until it was needed, in seconds.
        had: f64,
    },
    /// The character was put elsewhere after it was asked for.
    Moved,
    /// It was asked for longer ago than is kept of the character's way.
    LongAgo,
    /// It was not asked for where the lead begins.
    AskedLater,
    /// It was not asked for where the lead begins, as the character turned, and the way ahead of it met it all at once.
    Turned,
    /// The character came another way than straight to it.
    AnotherWay,
    /// It waited for others, and the disk had less time for them sooner than it was late by.
    NoPause {
        /// How long the disk paused, in seconds.
        paused: f64,
        /// How long it read nothing as no more requests might be in flight, in seconds.
        by_requests: f64,
        /// Of how much time before it was needed, in seconds.
        of: f64,
    },
    /// It waited for others, and the disk had time for them sooner.
    Pauses {
        /// How long the disk paused, in seconds.
        paused: f64,
        /// Of how much time before it was needed, in seconds.
        of: f64,
    },
    /// Settings were changed while it was on its way.
    Changed,
    /// Nobody can say.
    Unknown,
}

/// How late an object came that was needed before, and why.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lateness {
    /// When it was queued, in seconds.
    pub(super) queued_at: f64,
    /// When it came to be needed, in seconds.
    pub(super) needed_at: f64,
    /// When it was there, in seconds.
    pub(super) came_at: f64,
    /// For how many seconds it was needed and not there.
    pub(super) missing: f64,
    /// When its reading began, and when that had ended, in seconds: the moment at which it came where so much has happened since that
    /// it is forgotten.
    pub(super) read: (f64, f64),
    /// Whether these two are known.
    pub(super) is_known: bool,
    /// On which disk.
    pub(super) disk: Disk,
    /// How many seconds its bytes took on that disk, apart from the latency.
    pub(super) transfer: f64,
    /// Where the time went by in which it was queued; `None` where that is not known.
    pub(super) wait: Option<Wait>,
    /// Whether settings were changed between its being queued and its coming.
    pub(super) is_changed: bool,
    /// Whether it is known what the character and the disk did since it was queued, and with which settings: that is kept for a while, and
    /// of one stay.
    pub(super) is_remembered: bool,
    /// On how quick a disk it would have come after all that went before it, in megabytes a second; or why that is not known.
    pub(super) behind_others: Result<f64, NoDisk>,
    /// What a larger lead would have done.
    pub(super) lead: Lead,
    /// Who was read before it although it was in flight already.
    pub(super) ahead: Ahead,
    /// Which number it had when it came to be needed.
    pub(super) needed_as: u32,
    /// Where its middle was, and half of its size, in metres: it may be moved or taken away later, or its world may begin anew.
    pub(super) stood: [Vec2; 2],
    /// Whether it was given up, and did not come: then that was the moment at which it is said to have come.
    pub(super) is_given_up: bool,
    /// Whether it was on its way still when it was no longer needed, which is that moment then: it may come yet, or be given up.
    pub(super) is_on_its_way: bool,
}

/// Where the time of an object in the queue went by, and the budgets of that time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Wait {
    /// For how many seconds something else was read.
    pub(super) busy: f64,
    /// For how many seconds nothing was read, and why.
    pub(super) idle: Idle,
    /// The budgets of that time; `None` where they were changed meanwhile.
    pub(super) budgets: Option<Budgets>,
    /// A memory cap that would have been enough for all that was there and asked for when the object came to be needed, if the cap kept
    /// something away just then.
    pub(super) enough: Option<u64>,
}

/// What may be in flight, and what may be held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Budgets {
    /// How many requests might be in flight.
    pub(super) requests: u32,
    /// How many bytes might be in flight.
    pub(super) bytes: u64,
    /// How many bytes might be held.
    pub(super) memory: u64,
}

impl Wait {
    fn seconds(&self) -> f64 {
        self.busy + self.idle.paused + self.idle.held()
    }

    /// Whether the disk would have read noticeably more with more requests.
    fn is_of_requests(&self) -> bool {
        is_some(self.idle.by_requests, self.busy)
    }

    /// Whether so much of it is worth a word.
    fn is_much(&self, seconds: f64) -> bool {
        seconds > (0.25 * self.seconds()).max(2.0 * TICK)
    }
}

impl Lateness {
    /// Of one that was needed and there at these moments, of which nothing else is known.
    #[cfg(test)]
    pub(crate) fn at(needed_at: f64, came_at: f64) -> Self {
        Self {
            queued_at: needed_at,
            needed_at,
            came_at,
            missing: came_at - needed_at,
            read: (needed_at, came_at),
            is_known: true,
            disk: Disk {
                mbps: 0.0,
                latency_ms: 0.0,
            },
            transfer: 0.0,
            wait: None,
            is_changed: false,
            is_remembered: true,
            behind_others: Err(NoDisk::OneOfMany),
            lead: Lead::Unknown,
            ahead: Ahead::default(),
            needed_as: 0,
            stood: [Vec2::ZERO; 2],
            is_given_up: false,
            is_on_its_way: false,
        }
    }

    /// The same of one that had not come by then, when it was no longer needed.
    #[cfg(test)]
    pub(crate) fn on_its_way(self) -> Self {
        Self {
            is_on_its_way: true,
            ..self
        }
    }

    /// The same of one that had this number then.
    #[cfg(test)]
    pub(crate) fn of(self, needed_as: u32) -> Self {
        Self { needed_as, ..self }
    }

    /// When it came to be needed, in seconds.
    pub fn needed_at(&self) -> f64 {
        self.needed_at
    }

    /// When it was there, or given up, or no longer needed, in seconds.
    pub fn came_at(&self) -> f64 {
        self.came_at
    }

    /// Whether it was given up before it came.
    pub fn is_given_up(&self) -> bool {
        self.is_given_up
    }

    /// Whether it was on its way still when it was no longer needed, and no more is known of it.
    pub fn is_on_its_way(&self) -> bool {
        self.is_on_its_way
    }

    /// Whether it has come.
    pub fn has_come(&self) -> bool {
        !self.is_given_up && !self.is_on_its_way
    }

    /// Whether both are of one object that came to be needed at one moment.
    pub(crate) fn is_of_same_need(&self, other: &Self) -> bool {
        (self.needed_as, self.needed_at) == (other.needed_as, other.needed_at)
    }

    /// Which number it had when it came to be needed: objects that were taken away or added since may have given it another one.
    pub fn needed_as(&self) -> u32 {
        self.needed_as
    }

    /// Where its middle was when it was there, or given up, or no longer needed, and half of its size, in metres.
    pub fn stood(&self) -> [Vec2; 2] {
        self.stood
    }

    /// How many seconds after it came to be needed it was there, or given up, or no longer needed.
    pub fn seconds(&self) -> f64 {
        self.came_at - self.needed_at
    }

    /// The same in words.
    pub fn words(&self) -> String {
        span(self.seconds())
    }

    /// For how many seconds it was needed and not there: the times between in which it was not needed do not count.
    pub fn missing(&self) -> f64 {
        self.missing
    }

    /// The same in words.
    pub fn missing_words(&self) -> String {
        span(self.missing)
    }

    /// Whether it has come, and was needed all the time until then: how late it was is how long it was missing.
    pub fn is_late_alone(&self) -> bool {
        self.has_come() && self.seconds() - self.missing < 0.5 * TICK
    }

    fn latency(&self) -> f64 {
        f64::from(self.disk.latency_ms) * 1.0e-3
    }

    /// How much of its time it would have taken with the disk to itself.
    fn own(&self) -> f64 {
        self.latency() + self.transfer
    }

    /// For how long it waited for others.
    fn waited(&self) -> f64 {
        (self.came_at - self.queued_at - self.own()).max(0.0)
    }

    /// Whether its reading takes longer than its latency, so that a quicker disk ends it sooner.
    fn is_read_slowly(&self) -> bool {
        self.disk.mbps > 0.0 && self.transfer > self.latency()
    }

    /// Whether it waited mostly while the disk read what came before it.
    fn waited_for_the_disk(&self) -> bool {
        let wait = self.wait.filter(|_| self.disk.mbps > 0.0);
        wait.is_some_and(|wait| wait.busy >= 0.5 * (self.came_at - self.queued_at))
    }

    /// Whether it was held back while the disk had nothing to do, by the memory cap or by the number of requests or bytes: what is
    /// reckoned of the disk and of who goes first says nothing then.
    fn is_held_back(&self) -> bool {
        self.wait.is_some_and(|wait| wait.is_much(wait.idle.held()))
    }

    /// Whether it waited for its upload for a good part of its time.
    fn waits_for_upload(&self) -> bool {
        self.came_at - self.read.1 > (0.25 * (self.came_at - self.queued_at)).max(2.0 * TICK)
    }

    /// Whether it waited for others.
    fn is_among_others(&self) -> bool {
        self.waited() > 2.0 * TICK
    }

    /// Whether a disk is reckoned for it by what goes before it: how late one would have come that has not is not known.
    fn is_reckoned_behind_others(&self) -> bool {
        !self.has_come() || self.is_among_others()
    }
}

impl<L: Loader> Streaming<L> {
    /// How late `object` is that is there now and was needed before.
    pub(super) fn lateness_now(&self, object: u32) -> Lateness {
        let record = &self.records[object as usize];
        let queued_at = record.queued_at;
        let known = self.read_since(object, queued_at);
        let (begun, decoded) = known.unwrap_or((self.now, self.now));
        let disk = record.read_from;
        let mut lateness = Lateness {
            queued_at,
            needed_at: record.needed_at,
            came_at: self.now,
            missing: record.missing_until(self.now),
            read: (begun, decoded.max(begun)),
            is_known: known.is_some(),
            disk,
            transfer: transfer(self.objects[object as usize].bytes, disk),
            wait: self.wait_of(object, begun),
            is_changed: self.track.is_changed_since(queued_at),
            is_remembered: self.track.reaches(queued_at),
            behind_others: Err(NoDisk::OneOfMany),
            lead: Lead::Unknown,
            ahead: record.ahead,
            needed_as: record.needed_as,
            stood: self.stands(object),
            is_given_up: false,
            is_on_its_way: false,
        };
        // Of each of very many that come at once nobody asks what would have been enough, and each takes a walk through all of late.
        if lateness.is_known && self.came_late.len() < Latecomers::MOST {
            lateness.behind_others = self.rate_behind_others(object, &lateness);
            lateness.lead = self.lead_for(object, &lateness);
        }
        lateness
    }

    /// `object`, which is on its way, is given up, or goes on being so and is no longer needed: if it has been needed, keeps why it has not
    /// come by now.
    pub(super) fn note_not_come(&mut self, object: u32, is_on_its_way: bool) {
        let record = &self.records[object as usize];
        let queued_at = record.queued_at;
        if record.excused || record.needed_at >= self.now {
            return;
        }
        // Of very many that are given up at once nobody asks, and each takes a walk through what happened lately.
        let is_asked = self.came_late.len() < Latecomers::MOST;
        let mut all = self.history.since(queued_at).filter(|_| is_asked);
        let mut at = |to: State| {
            let found = all.find(|it| it.object == object && it.to == to);
            found.map_or(self.now, |it| it.at)
        };
        let begun = at(State::Loading);
        let decoded = at(State::Decoded);
        let mut lateness = Lateness {
            queued_at,
            needed_at: record.needed_at,
            came_at: self.now,
            missing: record.missing_until(self.now),
            read: (begun, decoded),
            is_known: is_asked && self.history.reaches(queued_at),
            disk: record.read_from,
            transfer: transfer(self.objects[object as usize].bytes, record.read_from),
            wait: self.wait_of(object, begun),
            is_changed: self.track.is_changed_since(queued_at),
            is_remembered: self.track.reaches(queued_at),
            behind_others: Err(NoDisk::OneOfMany),
            lead: Lead::Unknown,
            ahead: record.ahead,
            needed_as: record.needed_as,
            stood: self.stands(object),
            is_given_up: !is_on_its_way,
            is_on_its_way,
        };
        // Up to when it had to be there is known though it never came by then. What has gone before it since it was no longer needed had the
        // time for that.
        if lateness.is_known {
            let before = self
                .lateness
                .get(&object)
                .filter(|it| !is_on_its_way && it.is_on_its_way && it.is_of_same_need(&lateness));
            lateness.behind_others = match before {
                Some(before) => before.behind_others,
                None => self.rate_behind_others(object, &lateness),
            };
        }
        self.lateness.insert(object, lateness);
        self.came_late.push(object);
    }

    /// Where the middle of an object is by now, and half of its size.
    fn stands(&self, object: u32) -> [Vec2; 2] {
        let object = &self.objects[object as usize];
        [object.center, object.half_extent]
    }

    /// Where the time went by in which `object` has waited in the queue since it was queued last, until a moment; `None` of a disk that
    /// does not say.
    pub(super) fn wait_of(&self, object: u32, until: f64) -> Option<Wait> {
        let record = &self.records[object as usize];
        let sums = self.track.sums()?;
        let idle = match record.waits {
            true => sums.since(&record.idle),
            false => record.idle,
        };
        // No time has gone by since the last update, whatever was set meanwhile.
        let Settings {
            requests_in_flight: requests,
            bytes_in_flight: bytes,
            memory_cap: memory,
            ..
        } = self.decided_with;
        let budgets = Budgets {
            requests,
            bytes,
            memory,
        };
        // The budgets of now have to be those of then.
        let is_changed = self.track.is_changed_since(record.queued_at);
        let queued = until - record.queued_at;
        Some(Wait {
            busy: (queued - idle.paused - idle.held()).max(0.0),
            idle,
            budgets: (!is_changed).then_some(budgets),
            enough: self.track.enough_at(record.needed_at),
        })
    }

    /// When the reading of an object that was queued at a moment began, and when it had ended; `None` where that is forgotten.
    fn read_since(&self, object: u32, queued_at: f64) -> Option<(f64, f64)> {
        let mut all = self.history.since(queued_at);
        let mut at = |to: State| {
            let found = all.find(|it| it.object == object && it.to == to);
            found.map(|it| it.at)
        };
        let begun = at(State::Loading)?;
        Some((begun, at(State::Decoded)?))
    }

    /// What a larger lead would have done for `object`, which came so late.
    fn lead_for(&self, object: u32, late: &Lateness) -> Lead {
        if late.is_changed {
            return Lead::Changed;
        }
        let Some(from) = self.track.steady_since(late.came_at).map(|step| step.at) else {
            return Lead::Unknown;
        };
        if late.queued_at < from {
            // Asked for in a stay before, or longer ago than is known.
            let stay = self.track.beginning().filter(|_| self.track.is_of_leap());
            return stay.map_or(Lead::LongAgo, |_| Lead::Moved);
        }
        // As much sooner it would have had to be there.
        let sooner = SAFETY * late.seconds() + TICK;
        let is_beginning = (self.track.beginning()).is_some_and(|step| step.at == from);
        let had = late.needed_at - from;
        if is_beginning {
            if late.queued_at == from {
                let is_of_leap = self.track.is_of_leap();
                return Lead::FirstTick {
                    at: from,
                    is_of_leap,
                };
            }
            let takes = late.own();
            if takes > had {
                return Lead::TooSoon { had, takes };
            }
        }
        let looked_from = from.max(late.queued_at - LOOKED_BACK);
        let of = late.needed_at - looked_from;
        let idle = self.track.idle_between(looked_from, late.needed_at);
        // What the disk did before that is forgotten, or it was another one: it may have had time.
        let is_all_known = is_beginning || late.queued_at - from >= sooner;
        // By less than one reading it may come sooner only as another one goes behind it.
        let is_in_order = sooner > late.transfer;
        let of_pauses = || match idle {
            Some(Idle { paused, .. }) if paused >= sooner => Lead::Pauses { paused, of },
            Some(idle) if is_all_known && is_in_order => Lead::NoPause {
                paused: idle.paused,
                by_requests: idle.by_requests,
                of,
            },
            _ => Lead::Unknown,
        };
        if late.is_held_back() || late.waits_for_upload() {
            return Lead::Unknown;
        }
        if late.waited() > (2.0 * TICK).max(0.25 * late.own()) {
            if is_beginning {
                let takes = self.seconds_before(object, from, late.needed_at);
                if takes + late.own() > had {
                    return Lead::OthersFirst { takes, had };
                }
            }
            return of_pauses();
        }
        let asked_at = late.queued_at - sooner - late.waited();
        let (Some(then), Some(asked)) = (
            self.track
                .step_at(asked_at)
                .filter(|step| step.at >= from)
                .or(self.track.beginning().filter(|_| is_beginning)),
            self.track.step_at(late.queued_at),
        ) else {
            return Lead::Unknown;
        };
        let rectangles = self.rectangles(object);
        let gap = |position: Vec2, velocity: Vec2| {
            f64::from(gap(
                rectangles.need,
                way_ahead(position, velocity, &self.settings),
            ))
        };
        let asked_from = gap(asked.position, asked.velocity);
        let in_a_tick = f64::from(asked.velocity.length()) * TICK;
        if asked_from + in_a_tick + 1.0 < f64::from(self.settings.lead) {
            // It was put there, moved, or given up before, unless it was out of reach until then.
            let before = self.track.step_at(late.queued_at - 0.5 * TICK);
            let reach = f64::from(self.settings.lead);
            let is_new = before.is_some_and(|step| gap(step.position, step.velocity) > reach);
            return match is_new {
                true => Lead::Turned,
                false => Lead::AskedLater,
            };
        }
        let more = gap(then.position, then.velocity) - asked_from;
        if more <= 0.0 {
            // The character had been nearer before.
            return Lead::AnotherWay;
        }
        // Whoever asks farther ahead asks for more, by the area from which it is asked for: the disk must have room for that.
        let reach = f64::from(rectangles.load.size().max_element()) / 2.0;
        let more_of_them = ((reach + more) / reach).powi(2);
        // From when it could be read until it is to be there, and all along.
        let ready_at = asked_at.max(from) + late.latency();
        let own_then = late
            .transfer
            .min((late.needed_at - late.read.1 + late.transfer).max(0.0));
        for (since, until, own) in [
            (ready_at, late.needed_at, own_then),
            (from, late.came_at, late.transfer),
        ] {
            let Some(idle) = self.track.idle_between(since, until) else {
                continue;
            };
            let idle = idle.paused;
            let others = (until - since - idle - own - TICK).max(0.0);
            if others * more_of_them + late.transfer > until - since + TICK {
                return of_pauses();
            }
        }
        let speed = f64::from(self.records[object as usize].needed_at_speed);
        let lead = f64::from(self.settings.lead);
        Lead::Enough { more, lead, speed }
    }

    /// Those, but for `object`, that were asked for since `from` and needed by `until`: they go first, whatever the lead.
    fn before(&self, object: u32, from: f64, until: f64) -> impl Iterator<Item = u32> {
        let queued = self.history.since(from);
        let queued = queued.filter(|it| it.to == State::Queued && it.reason != Reason::GivenBack);
        let others = queued.filter(move |it| it.object != object);
        let first = others.filter(move |it| {
            let record = &self.records[it.object as usize];
            // Of who was asked for anew the first time is forgotten.
            record.queued_at == it.at && record.needed_at <= until
        });
        first.map(|it| it.object)
    }

    /// How long the disk has read of them, those that it has read to their end by now: who was given up meanwhile was not.
    fn seconds_before(&self, object: u32, from: f64, until: f64) -> f64 {
        let before = self.before(object, from, until);
        let is_read = |it: &u32| {
            let state = self.states[*it as usize];
            let was_read = self.records[*it as usize].bytes_read > 0;
            was_read && !matches!(state, State::Queued | State::Loading)
        };
        let seconds = before.filter(is_read).map(|it| {
            let disk = self.records[it as usize].read_from;
            transfer(self.objects[it as usize].bytes, disk)
        });
        seconds.sum()
    }
}

/// Whether a time in which nothing was read is more than next to nothing, beside another one.
fn is_some(seconds: f64, of: f64) -> bool {
    seconds >= TICK.max(0.05 * of)
}

/// How long a disk reads so many bytes, in seconds.
pub(super) fn transfer(bytes: u64, disk: Disk) -> f64 {
    if disk.mbps > 0.0 {
        bytes as f64 / 1.0e6 / f64::from(disk.mbps)
    } else {
        0.0
    }
}

/// By how much a rectangle has to grow on each side to meet another one, in metres.
fn gap(need: Aabb, way: Aabb) -> f32 {
    let apart = (need.min - way.max).max(way.min - need.max);
    apart.max_element().max(0.0)
}

#[cfg(test)]
mod tests;
