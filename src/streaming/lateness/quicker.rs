//! How quick a disk would have been enough for a late object, or why that cannot be told.

use super::{Lateness, SAFETY, TICK};
use crate::streaming::history::{Reason, Transition};
use crate::streaming::{Loader, Settings, State, Streaming};
use std::collections::HashMap;

/// A quicker disk is advised so many times as quick as was reckoned where an object waited for others: with it some of them wait
/// elsewhere, and so in another order.
const SAFETY_AMONG_OTHERS: f64 = 1.1;

/// So much of the time in which an object has to be read is left for what cannot be reckoned, as a share, where there is little of it.
const OF_LITTLE: f64 = 0.1;

/// Why no quicker disk is said to be enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::streaming) enum NoDisk {
    /// It was held back while the disk had nothing to do.
    HeldBack,
    /// It waited for its upload.
    Upload,
    /// Most of its reading was the latency.
    Latency,
    /// The same, and others were read meanwhile, who are quicker off a quicker disk as well.
    LatencyAmongOthers,
    /// It was late by more than a disk could have saved.
    TooLate,
    /// It was late by about as much as a disk could have saved.
    Barely,
    /// So few requests bring no more at such a latency.
    Requests,
    /// By all that is known this disk was quick enough.
    IsQuick,
    /// What the disk did meanwhile is not known, or not with which settings.
    Forgotten,
    /// Of each of very many that come at once it is not reckoned.
    OneOfMany,
}

impl Lateness {
    /// How many megabytes a second would have been enough, which of one that waited for others may be more than had to be; or why
    /// that is not said.
    pub(in crate::streaming) fn quicker_disk(&self) -> Result<f64, NoDisk> {
        let is_told = self.is_known && self.is_remembered && !self.is_changed;
        if self.is_held_back() {
            return Err(NoDisk::HeldBack);
        } else if self.waits_for_upload() {
            return Err(NoDisk::Upload);
        } else if !is_told {
            return Err(NoDisk::Forgotten);
        }
        let enough = if self.is_reckoned_behind_others() {
            let is_of_disk = self.is_read_slowly() || self.waited_for_the_disk();
            if !is_of_disk {
                let alone = self.latency() + self.transfer;
                let is_alone = self.read.1 - self.read.0 <= alone + 2.0 * TICK;
                return Err(if is_alone {
                    NoDisk::Latency
                } else {
                    NoDisk::LatencyAmongOthers
                });
            }
            SAFETY_AMONG_OTHERS * self.behind_others?
        } else {
            // A quicker disk waits as long before it reads.
            let on_disk = self.read.1 - self.queued_at - self.latency();
            let late = SAFETY * self.seconds();
            if !self.is_read_slowly() {
                return Err(NoDisk::Latency);
            } else if on_disk <= self.seconds() {
                return Err(NoDisk::TooLate);
            } else if on_disk <= late {
                return Err(NoDisk::Barely);
            }
            f64::from(self.disk.mbps) * on_disk / (on_disk - late)
        };
        let is_quicker = enough > f64::from(self.disk.mbps);
        is_quicker.then_some(enough).ok_or(NoDisk::IsQuick)
    }
}

impl<L: Loader> Streaming<L> {
    /// How many megabytes a second a disk has to read so that `object` is there in time behind all that goes before it. Whenever the
    /// disk begins anew after a pause, what is asked for from then on has to be read by the time at which `object` is needed: the
    /// beginning at which that is hardest decides.
    pub(super) fn rate_behind_others(&self, object: u32, late: &Lateness) -> Result<f64, NoDisk> {
        let steady = self.track.steady_since(late.came_at);
        let steady = steady.ok_or(NoDisk::Forgotten)?;
        let pause = self.track.last_pause(late.queued_at);
        let from = pause.unwrap_or(steady.at).max(steady.at);
        // Of what was read before that nobody knows.
        if late.queued_at < from || !self.history.reaches(from) {
            return Err(NoDisk::Forgotten);
        }
        let in_time = late.needed_at - late.latency();
        if in_time < late.queued_at - TICK {
            return Err(NoDisk::TooLate);
        }
        // It is seen to be there in a tick, and asked for in one. Who is read as soon as it is queued, and by the very tick in which it is needed,
        // is in time: of little time nearly all counts then.
        let had = in_time - late.queued_at;
        let is_begun_at_once = late.read.0 <= late.queued_at;
        let ahead = self.ahead_of(object, from, late);
        let with_it = || self.uploaded_with(&ahead, from, late).chain([object]);
        // Where all of them have room so have those that are left of them, and nobody looks for these.
        let fits = || {
            let all = ahead.iter().map(|(_, who)| *who).chain([object]);
            self.are_uploaded_at_once(all) || self.are_uploaded_at_once(with_it())
        };
        // What is read in time and does not fit into the uploads of one tick comes later all the same.
        let slack = match is_begun_at_once && fits() {
            true => (2.0 * TICK).min(OF_LITTLE * had),
            false => 2.0 * TICK,
        };
        let until = in_time - slack;
        if until <= late.queued_at {
            return Err(NoDisk::Barely);
        }
        let mut bytes = self.objects[object as usize].bytes as f64;
        let mut most = bytes / (until - late.queued_at);
        let requests = self.decided_with.requests_in_flight.max(1);
        // A request is given on in the first tick after its latency, which a rounding makes no later.
        let round = ((late.latency() / TICK + 1.0e-6).floor() + 1.0) * TICK;
        for (count, &(at, who)) in (1..).zip(ahead.iter().rev()) {
            bytes += self.objects[who as usize].bytes as f64;
            // Who was asked for behind it and goes before it comes on top.
            let at = at.min(late.queued_at);
            // As many as there are requests are begun at once; so many later ones wait for a round, however quick the disk is.
            let rounds: u32 = count / requests;
            if f64::from(rounds) * round > until - at {
                return Err(NoDisk::Requests);
            }
            most = most.max(bytes / (until - at));
        }
        Ok(most / 1.0e6)
    }

    /// Those `ahead` of an object that may be uploaded in the same update as it: who was asked for with it, and who was on the way by then.
    fn uploaded_with(
        &self,
        ahead: &[(f64, u32)],
        from: f64,
        late: &Lateness,
    ) -> impl Iterator<Item = u32> {
        let before = self.history.since(from);
        let before = before.take_while(|it| it.at <= late.queued_at);
        let stood: HashMap<u32, State> = before.map(|it| (it.object, it.to)).collect();
        let is_on_its_way = move |who| stood.get(who).is_none_or(|state| state.is_pending());
        let with_it = late.queued_at - 2.0 * TICK;
        let all = ahead.iter();
        all.filter(move |(at, who)| *at >= with_it || is_on_its_way(who))
            .map(|(_, who)| *who)
    }

    /// Whether all of these objects are uploaded in one update, if they have been read by then.
    fn are_uploaded_at_once(&self, all: impl Iterator<Item = u32>) -> bool {
        let (mut count, mut bytes) = (0, 0_u64);
        for who in all {
            count += 1;
            let asset = self.objects[who as usize].asset;
            bytes = bytes.saturating_add(self.holding.shown_bytes(asset));
        }
        let Settings {
            uploads_per_update: most,
            upload_bytes_per_update: most_bytes,
            ..
        } = self.decided_with;
        // The first one fits however large it is.
        count <= most && (count == 1 || bytes <= most_bytes)
    }

    /// Those that are read before `object`: when each was asked for, but not before `from`, and who it is, in the order of these moments.
    /// They are all that were begun before it, and all that were needed before it.
    fn ahead_of(&self, object: u32, from: f64, late: &Lateness) -> Vec<(f64, u32)> {
        let mut asked: Vec<(f64, u32, bool)> = Vec::new();
        let mut places: HashMap<u32, usize> = HashMap::new();
        let since = self
            .history
            .since(from)
            .take_while(|it| it.at <= late.came_at);
        for &Transition {
            at,
            object: who,
            to,
            reason,
        } in since
        {
            if who == object {
                continue;
            }
            let is_before = at <= late.read.0;
            match to {
                State::Queued if reason != Reason::GivenBack => {
                    let record = &self.records[who as usize];
                    // Of who was asked for anew the first time is forgotten.
                    let is_first = record.queued_at == at && record.needed_at <= late.needed_at;
                    places.insert(who, asked.len());
                    asked.push((at, who, is_first));
                }
                State::Loading if is_before => match places.get(&who) {
                    Some(place) => asked[*place].2 = true,
                    None => {
                        places.insert(who, asked.len());
                        asked.push((from, who, true));
                    }
                },
                // What was in flight when the disk began anew.
                State::Decoded if at <= late.read.1 && !places.contains_key(&who) => {
                    places.insert(who, asked.len());
                    asked.push((from, who, true));
                }
                _ => {}
            }
        }
        let first = asked.into_iter().filter(|(.., is_first)| *is_first);
        let mut first: Vec<_> = first.map(|(at, who, _)| (at, who)).collect();
        first.sort_by(|a, b| a.0.total_cmp(&b.0));
        first
    }
}
