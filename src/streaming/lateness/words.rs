//! How late an object came, in words: what would have been enough for it, and where its time went by.

use super::{Lateness, Lead, TICK, Wait};
use crate::story::words::bytes;
use crate::streaming::history::TRANSITIONS_KEPT;

impl Lateness {
    /// What would have been enough for it, and where its time went by, in sentences.
    pub fn sentences(&self) -> Vec<String> {
        let quicker = self.quicker_disk().map(|enough| {
            let (enough, mbps) = (up(enough), self.disk.mbps);
            // Of a wait among others it is known that so much is enough, and not that less is too little.
            match self.is_among_others() {
                true => format!(
                    "a disk of at most about {enough} MB a second instead of {mbps} (less may do)"
                ),
                false => format!("a disk of about {enough} MB a second instead of {mbps}"),
            }
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
                "A larger lead asks for the others sooner too, and in the {} before it was needed they left the disk free for no more than {}.",
                span(of),
                span(paused)
            ),
            Lead::Pauses { paused, of } => format!(
                "A larger lead may help: it asks for others sooner as well, and in the {} before it was needed the disk had nothing to do for {}. How much is enough cannot be told.",
                span(of),
                span(paused)
            ),
            Lead::Changed => {
                "Settings were changed while it was on its way: what would have been enough cannot be told.".to_owned()
            }
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
        cause(
            [self.queued_at, self.read.0, self.read.1, self.came_at],
            self.wait.as_ref(),
        )
    }
}

/// Where most of the time went by of an object that was queued, begun, decoded and there at these moments.
pub(in crate::streaming) fn cause(
    [queued_at, begun, decoded, until]: [f64; 4],
    wait: Option<&Wait>,
) -> Option<String> {
    let of_queue = wait.map_or_else(
        || "disk, requests in flight and memory cap decide that".to_owned(),
        Wait::words,
    );
    let of_disk = "throughput, latency and the size of its asset decide that".to_owned();
    let of_uploads = "uploads a tick decide that".to_owned();
    let parts = [
        (begun - queued_at, "in the queue", of_queue),
        (decoded - begun, "reading", of_disk),
        (until - decoded, "waiting for its upload", of_uploads),
    ];
    let longest = parts.into_iter().max_by(|a, b| a.0.total_cmp(&b.0));
    // Where it was queued in this very tick, none has gone by anywhere.
    let longest = longest.filter(|(time, ..)| *time > 0.0);
    longest.map(|(time, where_to, remedy)| {
        format!(
            "Of the {} since it was queued, {} went by {where_to}: {remedy}.",
            span(until - queued_at),
            span(time)
        )
    })
}

impl Wait {
    /// What a wait in the queue was for, and what helps.
    fn words(&self) -> String {
        let requests = match self.requests {
            1 => "the one request that may be in flight was taken".to_owned(),
            many => format!("all {many} requests that may be in flight were taken"),
        };
        let [most_bytes, cap] = [self.bytes, self.memory].map(bytes);
        // As long as nothing else was to be waited for.
        let of_the_disk = if self.idle.by_requests < TICK.max(0.05 * self.busy) {
            "A quicker one or smaller files help; by more requests it reads no more"
        } else {
            "A quicker one or smaller files help"
        };
        let mut all = [
            (
                self.busy,
                "the disk was busy with what came before it".to_owned(),
                of_the_disk,
            ),
            (
                self.idle.by_requests,
                format!("{requests}, and nothing was being read"),
                "More requests empty it sooner",
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
                format!("the memory cap of {cap} left no room, and nothing was being read"),
                "A larger cap empties it sooner; a quicker disk helps little",
            ),
        ];
        all.sort_by(|a, b| b.0.total_cmp(&a.0));
        let [(longest, why, help), others @ ..] = &all;
        let others: Vec<_> = others.iter().filter(|it| self.is_much(it.0)).collect();
        if others.is_empty() {
            return format!("{why}. {help}");
        }
        // What was so for a while only is said with that while.
        let mut words = format!("for {} {why}", span(*longest));
        for (time, why, _) in &others {
            words = format!("{words}; for {} {why}", span(*time));
        }
        let helps = others.iter().map(|(.., help)| *help);
        let helps: Vec<&str> = std::iter::once(*help).chain(helps).collect();
        format!("{words}. {}", helps.join(". "))
    }
}

/// A moment.
pub(in crate::streaming) fn clock(at: f64) -> String {
    format!("at {at:.2} s")
}

/// A number with two digits that is not less.
pub(super) fn up(value: f64) -> f64 {
    let digits = 1 - value.abs().max(1.0e-9).log10().floor() as i32;
    match digits {
        ..=0 => (value / 10.0_f64.powi(-digits)).ceil() * 10.0_f64.powi(-digits),
        _ => (value * 10.0_f64.powi(digits)).ceil() / 10.0_f64.powi(digits),
    }
}

/// A time that goes by.
pub(in crate::streaming) fn span(seconds: f64) -> String {
    if seconds < 1.0 {
        format!("{:.0} ms", seconds * 1.0e3)
    } else {
        format!("{seconds:.2} s")
    }
}
