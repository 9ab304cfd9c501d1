//! How late an object came, where that time went by, and what would have been enough for it.
//!
//! It is reckoned once, when the object comes: what was read then was read on the disk of that time, with the lead of that time, and
//! how busy the disk was is not known for ever.
//!
//! # What is said of the lead
//!
//! There is one lead for all objects: a larger one asks sooner for the others as well, and for more of them. So it is advised with a
//! figure only where an object waited for its own reading, on a disk with room for more. An object that waited for others comes sooner
//! only if these do, and they do only as far as the disk had pauses.

use super::history::{Reason, TRANSITIONS_KEPT};
use super::states::State;
use super::{Latecomers, Loader, Streaming, way_ahead};
use crate::geometry::{Aabb, Vec2};
use crate::scene::Disk;

/// What is decided, read and uploaded once in an update comes up to so many seconds later, in each of the two.
const TICK: f64 = crate::tick::STEP_SECONDS;

/// How much later it might come than was reckoned, as a share.
const SAFETY: f64 = 1.05;

/// A quicker disk is advised so many times as quick as was reckoned where an object waited for others: with it some of them wait
/// elsewhere, and so in another order.
const SAFETY_AMONG_OTHERS: f64 = 1.25;

/// What would have become of a late object with a larger lead.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Lead {
    /// So many metres more would have been enough.
    Enough {
        /// How many.
        more: f64,
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
    /// It waited for others, and the disk had no time for them sooner.
    NoPause {
        /// How long the disk paused, in seconds.
        paused: f64,
        /// Of how much time until it came, in seconds.
        of: f64,
    },
    /// It waited for others, and the disk had time for them sooner.
    Pauses {
        /// How long the disk paused, in seconds.
        paused: f64,
        /// Of how much time until it came, in seconds.
        of: f64,
    },
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
    /// When its reading began, and when that had ended, in seconds: the moment at which it came where so much has happened since that
    /// it is forgotten.
    pub(super) read: (f64, f64),
    /// Whether these two are known.
    pub(super) is_known: bool,
    /// On which disk.
    pub(super) disk: Disk,
    /// How many seconds its bytes took on that disk, apart from the latency.
    pub(super) transfer: f64,
    /// For how many seconds, while it was queued, nothing was read although somebody waited.
    pub(super) held: f64,
    /// On how quick a disk it would have come after all that was needed before it, in megabytes a second.
    pub(super) behind_others: f64,
    /// What a larger lead would have done.
    pub(super) lead: Lead,
}

impl Lateness {
    /// Of one that was needed and there at these moments, of which nothing else is known.
    #[cfg(test)]
    pub(crate) fn at(needed_at: f64, came_at: f64) -> Self {
        Self {
            queued_at: needed_at,
            needed_at,
            came_at,
            read: (needed_at, came_at),
            is_known: true,
            disk: Disk {
                mbps: 0.0,
                latency_ms: 0.0,
            },
            transfer: 0.0,
            held: 0.0,
            behind_others: 0.0,
            lead: Lead::Unknown,
        }
    }

    /// When it came to be needed, in seconds.
    pub fn needed_at(&self) -> f64 {
        self.needed_at
    }

    /// When it was there, in seconds.
    pub fn came_at(&self) -> f64 {
        self.came_at
    }

    /// For how many seconds it was needed and not there.
    pub fn seconds(&self) -> f64 {
        self.came_at - self.needed_at
    }

    /// The same in words.
    pub fn words(&self) -> String {
        span(self.seconds())
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

    /// Whether its reading takes longer than its latency: more requests would share the disk, and end later.
    fn is_disk_busy(&self) -> bool {
        self.disk.mbps > 0.0 && self.transfer > self.latency()
    }

    /// Whether it was held back while the disk had nothing to do, by the memory cap or by the number of requests: what is reckoned of the
    /// disk and of who goes first says nothing then.
    fn is_held_back(&self) -> bool {
        self.held > (0.25 * (self.read.0 - self.queued_at)).max(2.0 * TICK)
    }

    /// Whether it waited for its upload for a good part of its time.
    fn waits_for_upload(&self) -> bool {
        self.came_at - self.read.1 > (0.25 * (self.came_at - self.queued_at)).max(2.0 * TICK)
    }

    /// How many megabytes a second would have been enough; `None` where a quicker disk would not have helped.
    pub(super) fn quicker_disk(&self) -> Option<f64> {
        // A quicker disk waits as long before it reads.
        let on_disk = self.read.1 - self.queued_at - self.latency();
        let late = SAFETY * self.seconds();
        let is_of_others = self.is_held_back() || self.waits_for_upload();
        if !self.is_known || !self.is_disk_busy() || is_of_others || on_disk <= late {
            return None;
        }
        let enough = f64::from(self.disk.mbps) * on_disk / (on_disk - late);
        if self.waited() <= 2.0 * TICK {
            return Some(enough);
        }
        // Who is late may go before others who are, and whom a quicker disk reads first.
        let enough = SAFETY_AMONG_OTHERS * enough.max(self.behind_others);
        enough.is_finite().then_some(enough)
    }

    /// What would have been enough for it, and where its time went by, in sentences.
    pub(super) fn sentences(&self) -> Vec<String> {
        let quicker = self.quicker_disk().map(|enough| {
            let (enough, mbps) = (up(enough), self.disk.mbps);
            format!("a disk of about {enough} MB a second instead of {mbps}")
        });
        let (more, of_lead) = self.words_of_lead();
        let enough: Vec<String> = more.into_iter().chain(quicker).collect();
        let enough = (!enough.is_empty()).then(|| {
            let enough = enough.join("; or ");
            format!("Enough for it, all else as it was: {enough}.")
        });
        let all = of_lead.into_iter().chain(enough);
        all.chain(self.cause()).collect()
    }

    /// A lead that would have been enough; and a sentence where there is none.
    fn words_of_lead(&self) -> (Option<String>, Option<String>) {
        let sentence = match self.lead {
            Lead::Enough { more, speed } => {
                let more = up(more);
                let more =
                    format!("about {more} m more lead, at the {speed:.1} m/s of the character");
                return (Some(more), None);
            }
            Lead::FirstTick { at, is_of_leap } => {
                let since = if is_of_leap {
                    "after the character was put there"
                } else {
                    "after the start"
                };
                format!(
                    "No lead would have been enough: it was asked for in the first tick {since}, {}.",
                    clock(at)
                )
            }
            Lead::TooSoon { had, takes } => format!(
                "No lead would have been enough: it was needed {} after the beginning, and takes {} with the disk to itself.",
                span(had),
                span(takes)
            ),
            Lead::OthersFirst { takes, had } => format!(
                "No lead would have been enough: what was needed before it took the disk {}, and it was needed {} after the beginning.",
                span(takes),
                span(had)
            ),
            Lead::NoPause { paused, of } => format!(
                "A larger lead asks for the others sooner too, and of the {} until it came they left the disk free for no more than {}.",
                span(of),
                span(paused)
            ),
            Lead::Pauses { paused, of } => format!(
                "A larger lead may help: of the {} until it came nothing waited or was read for {}. How much is enough cannot be told, as it asks for others sooner too.",
                span(of),
                span(paused)
            ),
            Lead::Unknown => return (None, None),
        };
        (None, Some(sentence))
    }

    /// Where most of its time went by.
    fn cause(&self) -> Option<String> {
        if !self.is_known {
            return Some(format!(
                "Where the {} since it was queued went by is forgotten: no more than the last {TRANSITIONS_KEPT} changes of state are kept.",
                span(self.came_at - self.queued_at)
            ));
        }
        let queued = self.read.0 - self.queued_at;
        if self.is_held_back() && queued >= 0.5 * (self.came_at - self.queued_at) {
            return Some(format!(
                "Of the {} since it was queued, {} went by in the queue, and for {} of them nothing was read: the memory cap or the number of requests held it back, and a quicker disk helps little.",
                span(self.came_at - self.queued_at),
                span(queued),
                span(self.held)
            ));
        }
        cause(
            [self.queued_at, self.read.0, self.read.1, self.came_at],
            self.is_disk_busy(),
        )
    }
}

/// Where most of the time went by of an object that was queued, begun, decoded and there at these moments.
pub(super) fn cause(
    [queued_at, begun, decoded, until]: [f64; 4],
    is_disk_busy: bool,
) -> Option<String> {
    let of_queue = if is_disk_busy {
        "the disk is busy with what came before it. A quicker one or smaller files help; more requests do not"
    } else {
        "more requests in flight empty it sooner, for each waits longer than it reads"
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
    // Where it was queued in this very tick, none has gone by anywhere.
    let longest = longest.filter(|(time, ..)| *time > 0.0);
    longest.map(|(time, where_to, remedy)| {
        format!(
            "Of the {} since it was queued, {} went by {where_to}: {remedy}.",
            span(until - queued_at),
            span(*time)
        )
    })
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
            read: (begun, decoded.max(begun)),
            is_known: known.is_some(),
            disk,
            transfer: transfer(self.objects[object as usize].bytes, disk),
            held: self.track.held_between(queued_at, begun),
            behind_others: 0.0,
            lead: Lead::Unknown,
        };
        // Of each of very many that come at once nobody asks what would have been enough, and each takes a walk through all of late.
        if lateness.is_known && self.came_late.len() < Latecomers::MOST {
            lateness.behind_others = self.rate_behind_others(object, &lateness);
            lateness.lead = self.lead_for(object, &lateness);
        }
        lateness
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
        let Some(first) = self.track.first() else {
            return Lead::Unknown;
        };
        let from = first.at;
        if late.queued_at < from {
            // Asked for in a stay before, or longer ago than is known.
            return Lead::Unknown;
        }
        // As much sooner it would have had to be there.
        let sooner = SAFETY * late.seconds() + TICK;
        let is_beginning = self.track.beginning().is_some();
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
        let of = late.came_at - from;
        let paused = self.track.paused_between(from, late.came_at);
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
            return match paused {
                Some(paused) if paused < sooner => Lead::NoPause { paused, of },
                Some(paused) => Lead::Pauses { paused, of },
                None => Lead::Unknown,
            };
        }
        let asked_at = late.queued_at - sooner - late.waited();
        let (Some(then), Some(asked)) = (
            self.track.step_at(asked_at).or(self.track.beginning()),
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
            // It was not asked for where the lead begins: it was put there, moved, or given up before.
            return Lead::Unknown;
        }
        let more = gap(then.position, then.velocity) - asked_from;
        if more <= 0.0 {
            // The character came another way, and had been nearer before.
            return Lead::Unknown;
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
            let Some(idle) = self.track.paused_between(since, until) else {
                continue;
            };
            let others = (until - since - idle - own - TICK).max(0.0);
            if others * more_of_them + late.transfer > until - since + TICK {
                let paused = paused.unwrap_or_default();
                return Lead::Pauses { paused, of };
            }
        }
        let speed = f64::from(self.records[object as usize].needed_at_speed);
        Lead::Enough { more, speed }
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

    /// How many megabytes a second a disk has to read so that all of them come before `object`, and that on time: since the beginning,
    /// and since the last pause before it was asked for.
    fn rate_behind_others(&self, object: u32, late: &Lateness) -> f64 {
        let since = [
            self.track.first().map(|it| it.at),
            self.track.last_pause(late.queued_at),
        ];
        let rates = since.into_iter().flatten().map(|from| {
            let before = self.before(object, from, late.needed_at).chain([object]);
            let bytes = before.map(|it| self.objects[it as usize].bytes as f64);
            let seconds = (late.needed_at - from - late.latency()).max(0.0);
            bytes.sum::<f64>() / 1.0e6 / seconds
        });
        rates.fold(0.0, f64::max)
    }
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

/// A moment.
pub(super) fn clock(at: f64) -> String {
    format!("at {at:.2} s")
}

/// A number with two digits that is not less.
fn up(value: f64) -> f64 {
    let digits = 1 - value.abs().max(1.0e-9).log10().floor() as i32;
    match digits {
        ..=0 => (value / 10.0_f64.powi(-digits)).ceil() * 10.0_f64.powi(-digits),
        _ => (value * 10.0_f64.powi(digits)).ceil() / 10.0_f64.powi(digits),
    }
}

/// A time that goes by.
pub(super) fn span(seconds: f64) -> String {
    if seconds < 1.0 {
        format!("{:.0} ms", seconds * 1.0e3)
    } else {
        format!("{seconds:.2} s")
    }
}

#[cfg(test)]
mod tests;
