//! How late an object came, in words: what would have been enough for it, and where its time went by.

use super::{Ahead, Budgets, Idle, Lateness, Lead, NoDisk, TICK, Wait, is_some, transfer};
use crate::scene::Disk;
use crate::story::words::{bytes, bytes_enough};
use crate::streaming::history::TRANSITIONS_KEPT;
use crate::streaming::remedy::Said;
use crate::streaming::{Clock, Remedy};

impl Lateness {
    /// What would have been enough for it, and where its time went by, in sentences. `clock` is that of its world.
    pub fn sentences(&self, clock: Clock) -> Vec<String> {
        let told = self.told(clock, false).into_iter();
        told.map(|said| said.words).collect()
    }

    /// The same for who has gone back to before it came: not all of that time has gone by there.
    pub(in crate::streaming) fn told_to_come(&self, clock: Clock) -> Vec<Said> {
        self.told(clock, true)
    }

    /// The same as [`Self::sentences`], with what they say is enough.
    pub(in crate::streaming) fn told_of(&self, clock: Clock) -> Vec<Said> {
        self.told(clock, false)
    }

    fn told(&self, clock: Clock, is_to_come: bool) -> Vec<Said> {
        if !self.has_come() {
            // To whom it is to come that is said beside when; and that one was given up is said before.
            let verdict = (self.is_on_its_way && !is_to_come)
                .then(|| "It was no longer needed before it came.".to_owned().into());
            // How late it would have come nobody knows, and so no lead is named.
            let enough = self.quicker_disk().ok().map(|enough| Said {
                words: words_of_enough(&[self.words_of_disk(enough)]),
                enough: vec![disk_of(enough)],
            });
            let says_cause = self.is_given_up || self.is_known;
            let cause = says_cause.then(|| self.cause(is_to_come)).flatten();
            return verdict.into_iter().chain(enough).chain(cause).collect();
        }
        let disk = self.quicker_disk();
        let quicker = disk.ok().map(|enough| self.words_of_disk(enough));
        let (more, of_lead) = self.words_of_lead(clock);
        let enough: Vec<String> = more.into_iter().chain(quicker).collect();
        let enough = match disk {
            _ if !enough.is_empty() => Some(Said {
                words: words_of_enough(&enough),
                enough: (self.larger_lead().into_iter())
                    .chain(disk.ok().map(disk_of))
                    .collect(),
            }),
            Err(why) => self.words_of_no_disk(why).map(Said::from),
            Ok(_) => None,
        };
        let all = of_lead.map(Said::from).into_iter().chain(enough);
        all.chain(self.cause(is_to_come)).collect()
    }

    /// The lead that would have been enough.
    fn larger_lead(&self) -> Option<Remedy> {
        match self.lead {
            Lead::Enough { more, lead, .. } => {
                let steps = (lead + up(more)) * 1.0e4;
                let of = |steps: f64| (steps / 1.0e4) as f32;
                let is_enough = |it: &f32| f64::from(*it) >= lead + more;
                // The nearest short decimal where that is no less, as a lead that was read need not be one; and where a lead is not as
                // fine as that, the next one that there is.
                let next = of(steps.floor() + 1.0);
                let mut all = [of(steps.round()), next].into_iter();
                let enough = all.find(is_enough).unwrap_or(next.next_up());
                Some(Remedy::Lead(enough))
            }
            _ => None,
        }
    }

    /// A disk of so many megabytes a second, which is enough.
    fn words_of_disk(&self, enough: f64) -> String {
        let (enough, mbps) = (said_mbps(enough), self.disk.mbps);
        // Of a wait among others it is known that so much is enough, and not that less is too little.
        match self.is_reckoned_behind_others() {
            true => format!(
                "a disk of at most about {enough} MB a second instead of {mbps} (less may do)"
            ),
            false => format!("a disk of about {enough} MB a second instead of {mbps}"),
        }
    }

    /// Why no quicker disk is said to be enough.
    fn words_of_no_disk(&self, why: NoDisk) -> Option<String> {
        if self.is_changed || !self.is_known {
            // That is said already, and is why.
            return None;
        }
        let untold = match self.lead {
            Lead::Unknown => "What lead or disk would have been enough cannot be told",
            _ => "What disk would have been enough cannot be told",
        };
        Some(match why {
            NoDisk::HeldBack => self.words_of_held_back(untold),
            NoDisk::Upload => format!("{untold}: it had been read, and waited for its upload."),
            NoDisk::Latency => format!(
                "A quicker disk helps little: of the {} that it takes with the disk to itself {} are latency.",
                span(self.own()),
                span(self.latency())
            ),
            NoDisk::TooLate => {
                "However quick the disk, it would have been late: it was asked for too late."
                    .to_owned()
            }
            NoDisk::LatencyAmongOthers => format!(
                "{untold}: of its own reading most was latency, and how much less others would have taken of the rest is not known."
            ),
            NoDisk::Barely => format!(
                "{untold}: even off one that reads in no time it would have come at about the moment at which it was needed."
            ),
            NoDisk::Requests => format!(
                "{untold}: with {} of latency no more may come by {}, however quick the disk.",
                span(self.latency()),
                match self.wait.and_then(|wait| wait.budgets) {
                    Some(Budgets { requests: 1, .. }) => "one request at a time".to_owned(),
                    Some(budgets) => format!("{} requests at a time", budgets.requests),
                    None => "so few requests at a time".to_owned(),
                }
            ),
            NoDisk::IsQuick => format!(
                "{untold}: for all that is known to go before it this one was quick enough."
            ),
            NoDisk::Forgotten => format!(
                "{untold}: what the disk did is not kept for longer, nor beyond a leap of the character."
            ),
            NoDisk::OneOfMany => {
                format!("{untold}: that is not reckoned of each of so many that came at once.")
            }
        })
    }

    /// The same of one that was held back while the disk read nothing.
    fn words_of_held_back(&self, untold: &str) -> String {
        let idle = self.wait.map_or(Idle::NONE, |wait| wait.idle);
        let whole = self.wait.map_or(0.0, |wait| wait.seconds());
        // A disk that is quicker is no sooner done with a latency.
        if self.latency() > 0.0 && idle.by_requests > 0.5 * whole {
            let little = format!(
                "quicker disk would help little: for {} of its wait in the queue the requests in flight waited out their latency.",
                span(idle.by_requests)
            );
            return match self.lead {
                Lead::Unknown => {
                    format!("What lead would have been enough cannot be told, and a {little}")
                }
                _ => format!("A {little}"),
            };
        }
        format!(
            "{untold}: for {} it waited for something while the disk read nothing.",
            span(idle.held())
        )
    }

    /// A lead that would have been enough; and a sentence where there is none.
    fn words_of_lead(&self, clock: Clock) -> (Option<String>, Option<String>) {
        let sentence = match self.lead {
            Lead::Enough { more, speed, .. } => {
                let more = up(more);
                let more =
                    format!("about {more} m more lead, at the {speed:.1} m/s of the character then");
                return (Some(more), None);
            }
            Lead::FirstTick { at, is_of_leap } => format!(
                "No lead would have been enough: it was asked for in the {}.",
                first_tick(at, is_of_leap, clock)
            ),
            Lead::TooSoon { had, takes } => format!(
                "No lead would have been enough: {}, and takes {} with the disk to itself.",
                self.had_since_the_first_tick(had, clock),
                span(takes)
            ),
            Lead::OthersFirst { takes, had } => format!(
                "No lead would have been enough: what was needed before it took the disk {}, and {}.",
                span(takes),
                self.had_since_the_first_tick(had, clock)
            ),
            Lead::NoPause { paused, by_requests, of } => {
                let (beside, remedy) = match is_some(by_requests, of) {
                    true => {
                        let seconds = span(by_requests);
                        let beside = format!(", beside {seconds} in which it read nothing as no more requests might be in flight");
                        (beside, "; more requests may help")
                    }
                    false => (String::new(), ""),
                };
                format!(
                    "A larger lead asks for the others sooner too, and in the {} before it was needed they left the disk free for no more than {}{beside}: so a somewhat larger lead alone would hardly have brought it in time{remedy}.",
                    span(of),
                    span(paused)
                )
            }
            Lead::Pauses { paused, of } => format!(
                "A larger lead may help: it asks for others sooner as well, and in the {} before it was needed the disk had nothing to do for {}. How much is enough cannot be told.",
                span(of),
                span(paused)
            ),
            Lead::Moved => {
                "What lead would have been enough cannot be told: the character was put elsewhere after it was asked for.".to_owned()
            }
            Lead::LongAgo => {
                "What lead would have been enough cannot be told: the character's way is not kept for as long as it was waited for.".to_owned()
            }
            Lead::AskedLater => {
                "What lead would have been enough cannot be told: it was not asked for where the lead begins, for it was put there, or given up before."
                    .to_owned()
            }
            Lead::Turned => {
                "What lead would have been enough cannot be told: the character turned, and the way ahead of it, by which is asked, met it at once nearer than where the lead begins."
                    .to_owned()
            }
            Lead::AnotherWay => {
                "What lead would have been enough cannot be told: the character did not come straight to it.".to_owned()
            }
            Lead::Changed => {
                "Settings were changed while it was on its way: what would have been enough cannot be told.".to_owned()
            }
            Lead::Unknown => return (None, None),
        };
        (None, Some(sentence))
    }

    /// How long there was until it was needed since anything could be asked for, and from when that is counted: not from the moment from
    /// which seconds are, which is a tick before.
    fn had_since_the_first_tick(&self, had: f64, clock: Clock) -> String {
        let at = self.needed_at - had;
        // A world begins with its first tick, whoever is put elsewhere is so later.
        let first = first_tick(at, at > 1.5 * TICK, clock);
        format!("it was needed {} after the {first}", span(had))
    }

    /// For what it waited most of its time, in a few words that tell several such apart; nothing of one of which that is forgotten.
    pub fn waited_for(&self) -> Option<&'static str> {
        let reading = Reading {
            disk: self.disk,
            transfer: self.transfer,
            ahead: self.ahead,
        };
        let [queued, read, up] = [
            self.read.0 - self.queued_at,
            self.read.1 - self.read.0,
            self.came_at - self.read.1,
        ];
        if !self.is_known {
            return None;
        } else if up > queued.max(read) {
            return Some("for their upload");
        } else if read > queued {
            return Some(match reading.shared(read) > 0.5 * read {
                true => "for others that were asked for before",
                false => "for their own reading",
            });
        }
        let Some(wait) = &self.wait else {
            return Some("in the queue");
        };
        let of = [
            (wait.busy, "for the disk to read others"),
            (wait.idle.by_requests, "for a free request"),
            (wait.idle.by_bytes, "for bytes in flight"),
            (wait.idle.by_memory, "for memory"),
        ];
        let longest = of.into_iter().max_by(|a, b| a.0.total_cmp(&b.0));
        Some(longest.map_or("in the queue", |(_, words)| words))
    }

    /// Where most of its time went by.
    fn cause(&self, is_to_come: bool) -> Option<Said> {
        let which = match (self.is_on_its_way, is_to_come) {
            (true, true) => "from its queueing until it is no longer needed",
            // What was told of it then is kept for longer.
            (true, false) => "from its queueing until it was no longer needed",
            (false, true) if self.is_given_up => "from its queueing until it is given up",
            (false, true) => "from its queueing until it comes",
            (false, false) if self.is_given_up => "from its queueing until it was given up",
            (false, false) => UNTIL_IT_CAME,
        };
        if !self.is_known {
            let words = format!(
                "Where the {} {which} went by is forgotten: no more than the last {TRANSITIONS_KEPT} changes of state are kept.",
                span(self.came_at - self.queued_at)
            );
            return Some(words.into());
        }
        cause(
            [self.queued_at, self.read.0, self.read.1, self.came_at],
            self.wait.as_ref(),
            &Reading {
                disk: self.disk,
                transfer: self.transfer,
                ahead: self.ahead,
            },
            (which, is_to_come),
        )
    }
}

/// That each of these would have been enough.
fn words_of_enough(each: &[String]) -> String {
    let each = each.join("; or ");
    format!("Enough for it, all else as it was: {each}.")
}

/// A disk of so many megabytes a second, as it is said.
fn disk_of(enough: f64) -> Remedy {
    Remedy::Disk(said_mbps(enough))
}

/// Two digits of so many megabytes a second that are not less, nor what a setting keeps of them: of 3.3 that is 3.299 999 95, so of a disk
/// that has to have just 3.3 it is 3.4.
pub(super) fn said_mbps(enough: f64) -> f32 {
    let said = up(enough);
    let kept = said as f32;
    if f64::from(kept) < enough {
        up(said * (1.0 + 1.0e-6)) as f32
    } else {
        kept
    }
}

/// The first tick in which anything could be asked for, and when that was.
fn first_tick(at: f64, is_of_leap: bool, clock: Clock) -> String {
    let which = match (is_of_leap, clock) {
        (true, _) => "first tick after the character was put there",
        (false, Clock::Start) => "first tick after the start",
        (false, _) => "first tick of its world",
    };
    format!("{which}, {}", clock.moment(at))
}

/// Which time it is of one that is on its way still.
pub(in crate::streaming) const SINCE: &str = "since it was queued";
/// Which time it is of one that has come, and may have been there for long.
pub(in crate::streaming) const UNTIL_IT_CAME: &str = "from its queueing until it came";

/// Where most of the time went by of an object that was queued, begun, decoded and there at these moments, which is called `which`; and whether some
/// of it is still to come.
pub(in crate::streaming) fn cause(
    [queued_at, begun, decoded, until]: [f64; 4],
    wait: Option<&Wait>,
    reading: &Reading,
    (which, is_to_come): (&str, bool),
) -> Option<Said> {
    let of_queue = wait.map_or_else(
        || "what the disk did meanwhile is not known".to_owned().into(),
        |wait| wait.words(reading.latency()),
    );
    let of_disk = reading.words(decoded - begun).into();
    let of_uploads = "uploads a tick decide that".to_owned().into();
    let parts = [
        (begun - queued_at, "in the queue", of_queue),
        (decoded - begun, "reading", of_disk),
        (until - decoded, "waiting for its upload", of_uploads),
    ];
    let longest = parts.into_iter().max_by(|a, b| a.0.total_cmp(&b.0));
    // Where it was queued in this very tick, none has gone by anywhere.
    let longest = longest.filter(|(time, ..)| *time > 0.0);
    longest.map(|(time, where_to, remedy): (f64, &str, Said)| {
        let whole = until - queued_at;
        let go_by = if is_to_come { "go by" } else { "went by" };
        let mut words = format!(
            "Of the {} {which}, {} {go_by} {where_to}: {}.",
            span(whole),
            span(time),
            remedy.words
        );
        // What others took of its reading is told also where the queue took longer.
        let shared = reading.shared(decoded - begun);
        if time > decoded - begun && shared > 0.25 * whole && reading.ahead.later > 0 {
            words = format!(
                "{words} Of its reading, {}.",
                reading.words_of_sharing(shared)
            );
        }
        Said { words, ..remedy }
    })
}

/// What is known of how a file was read.
pub(in crate::streaming) struct Reading {
    /// On which disk.
    pub(in crate::streaming) disk: Disk,
    /// How many seconds its bytes take on that, apart from the latency.
    pub(in crate::streaming) transfer: f64,
    /// Who was read before it although it was in flight.
    pub(in crate::streaming) ahead: Ahead,
}

impl Reading {
    /// Of so many bytes.
    pub(in crate::streaming) fn of(bytes: u64, disk: Disk, ahead: Ahead) -> Self {
        Self {
            disk,
            transfer: transfer(bytes, disk),
            ahead,
        }
    }

    fn latency(&self) -> f64 {
        f64::from(self.disk.latency_ms) * 1.0e-3
    }

    /// How much of so many seconds others took, as far as that is worth a word.
    fn shared(&self, seconds: f64) -> f64 {
        let shared = seconds - self.latency() - self.transfer;
        let is_much = shared > 2.0 * TICK && self.ahead.others > 0;
        if is_much { shared } else { 0.0 }
    }

    /// What so many seconds of reading went by with, and what helps.
    fn words(&self, seconds: f64) -> String {
        let (mbps, latency) = (self.disk.mbps, span(self.latency()));
        let alone = self.latency() + self.transfer;
        let alone = match mbps > 0.0 {
            true => format!(
                "with the disk to itself it takes {}, at {mbps} MB/s and {latency} of latency",
                span(alone)
            ),
            false => format!("with the disk to itself it takes the {latency} of latency"),
        };
        let shared = self.shared(seconds);
        if shared > 0.0 {
            return format!("{alone}, and {}", self.words_of_sharing(shared));
        }
        match self.transfer > self.latency() {
            true => format!("{alone}. A quicker one or a smaller file helps"),
            false => format!("{alone}. A shorter latency helps"),
        }
    }

    /// For how long it shared the disk, and with whom.
    fn words_of_sharing(&self, shared: f64) -> String {
        let Ahead { others, later } = self.ahead;
        let (others, were) = match others {
            1 => ("1 other".to_owned(), "was"),
            many => (format!("{many} others"), "were"),
        };
        let words = format!(
            "{} went by sharing the disk with {others} that {were} asked for before it",
            span(shared)
        );
        let later = match later {
            0 => {
                return format!("{words}, and needed sooner. A quicker disk or smaller files help");
            }
            1 => "1 is needed later than it".to_owned(),
            many => format!("{many} are needed later than it"),
        };
        format!(
            "{words}, of which {later}. Fewer requests may help: those would wait in the queue then, behind it; how many cannot be told"
        )
    }
}

impl Wait {
    /// What a wait in the queue was for, and what helps. Each request waits for so many seconds before its file is read.
    fn words(&self, latency: f64) -> Said {
        let is_one = self.budgets.is_some_and(|it| it.requests == 1);
        // Of budgets that were changed meanwhile no figure is that of the whole wait.
        let (requests, most_bytes, cap) = match self.budgets {
            Some(budgets) => {
                let requests = match budgets.requests {
                    1 => "the one request that may be in flight was taken".to_owned(),
                    many => format!("all {many} requests that may be in flight were taken"),
                };
                let most_bytes = bytes(budgets.bytes);
                let cap = format!("the memory cap of {}", bytes(budgets.memory));
                (requests, most_bytes, cap)
            }
            None => (
                "all requests that might be in flight were taken".to_owned(),
                "as many bytes as might be".to_owned(),
                "the memory cap".to_owned(),
            ),
        };
        // As long as nothing else was to be waited for.
        let of_the_disk = match self.is_of_requests() {
            false => "A quicker one or smaller files help; by more requests it reads no more",
            true => "A quicker one or smaller files help",
        };
        // Others may go first by that, and where it is the smaller part it may come to no more than that.
        let is_much_of_requests =
            self.is_much(self.idle.by_requests) || self.busy < self.idle.by_requests;
        let of_requests = match is_much_of_requests {
            true => "More requests empty it sooner",
            false => "More requests may help",
        };
        let larger = match self.enough {
            Some(enough) => format!(
                "A larger cap empties it sooner: when it came to be needed, one of {} would have been enough for all that was there and asked for. A quicker disk helps little",
                bytes_enough(enough)
            ),
            None => "A larger cap empties it sooner; a quicker disk helps little".to_owned(),
        };
        let by_requests = match (latency > 0.0, is_one) {
            (false, _) => "and nothing was being read",
            (true, true) => {
                "waiting out its latency or the next tick, in which the disk reads nothing"
            }
            (true, false) => {
                "waiting out their latency or the next tick, in which the disk reads nothing"
            }
        };
        let mut all = [
            (
                self.busy,
                "the disk was busy with what came before it".to_owned(),
                of_the_disk,
            ),
            (
                self.idle.by_requests,
                format!("{requests}, {by_requests}"),
                of_requests,
            ),
            (
                self.idle.by_bytes,
                format!(
                    "{most_bytes} were in flight, or more than that would have been, and nothing was being read"
                ),
                "More bytes in flight empty it sooner",
            ),
            (
                self.idle.by_memory,
                format!("{cap} left no room, and nothing was being read"),
                larger.as_str(),
            ),
        ];
        all.sort_by(|a, b| b.0.total_cmp(&a.0));
        let [(longest, why, help), others @ ..] = &all;
        // That the disk was busy is not all where it waited between two reads.
        let is_between = |it: &&Reason<'_>| {
            *longest == self.busy && it.0 == self.idle.by_requests && self.is_of_requests()
        };
        let is_helped = others.iter();
        let is_helped = is_helped.filter(|it| self.is_much(it.0) || is_between(it));
        let is_helped: Vec<_> = is_helped.collect();
        // Where the disk has read at all it is not said to have read nothing all along.
        let is_told = |it: &&Reason<'_>| {
            self.is_much(it.0) || it.0 == self.busy && it.0 > 2.0 * TICK || is_between(it)
        };
        let others: Vec<_> = others.iter().filter(is_told).collect();
        // A cap that is said to be enough is one that can be set.
        let of_memory = |help: &str| help == larger;
        let is_of_memory = of_memory(help) || is_helped.iter().any(|it| of_memory(it.2));
        let enough = self.enough.filter(|_| is_of_memory).map(Remedy::cap);
        let enough = enough.into_iter().collect();
        if others.is_empty() {
            let words = format!("{why}. {help}");
            return Said { words, enough };
        }
        // What was so for a while only is said with that while.
        let mut words = format!("for {} {why}", span(*longest));
        for (time, why, _) in &others {
            words = format!("{words}; for {} {why}", span(*time));
        }
        let helps = is_helped.iter().map(|(.., help)| *help);
        let helps: Vec<&str> = std::iter::once(*help).chain(helps).collect();
        let words = format!("{words}. {}", helps.join(". "));
        Said { words, enough }
    }
}

/// For how many seconds something was waited for, what it was, and what helps.
type Reason<'a> = (f64, String, &'a str);

/// A number with two digits that is not less.
pub(super) fn up(value: f64) -> f64 {
    let digits = 1 - value.abs().max(1.0e-9).log10().floor() as i32;
    match digits {
        ..=0 => (value / 10.0_f64.powi(-digits)).ceil() * 10.0_f64.powi(-digits),
        _ => (value * 10.0_f64.powi(digits)).ceil() / 10.0_f64.powi(digits),
    }
}

/// A time that goes by, in words.
pub fn span(seconds: f64) -> String {
    if seconds < 1.0 {
        format!("{:.0} ms", seconds * 1.0e3)
    } else {
        format!("{seconds:.2} s")
    }
}
