//! The last while: where the character was in each update, how long the disk read nothing, and what kept it from reading. What can be
//! said of a lead that was too short, and of a wait, goes by it.

use super::{Bound, TELEPORT_METRES};
use crate::geometry::Vec2;
use std::collections::VecDeque;

/// How many updates are kept: half a minute and more, in 100 kilobytes.
const STEPS_KEPT: usize = 2048;

/// Of so many moments at which the memory cap made somebody late it is kept how large a cap would have done.
const SHORTAGES_KEPT: usize = 256;

/// How long what would have done is taken to be so, in seconds, while nothing else is asked for: then it can only have become less.
const SHORTAGE_HOLDS_SECONDS: f64 = 0.5;

/// The memory cap kept somebody away who came to be needed.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Shortage {
    /// Since when, and until when that is known, in seconds.
    from: f64,
    until: f64,
    /// A cap that would have been enough all that time for what was there and asked for.
    enough: u64,
    /// How many objects had been asked for by then.
    asked: u64,
}

/// Why whoever waits to be asked for is not asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Kept {
    /// Nobody waits.
    #[default]
    Nobody,
    /// As many requests are in flight as may be.
    ByRequests,
    /// As many bytes are in flight as may be.
    ByBytes,
    /// Below the memory cap there is no room.
    ByMemory,
}

impl Kept {
    /// What kept the first of the queue from being asked for in an update that left somebody waiting, by the budgets that it used up.
    pub(super) fn by(bound: Bound) -> Self {
        match bound {
            Bound { requests: true, .. } => Self::ByRequests,
            Bound {
                bytes_in_flight: true,
                ..
            } => Self::ByBytes,
            // Whoever has to go first has not gone yet.
            _ => Self::ByMemory,
        }
    }
}

/// One update.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Step {
    /// When, in seconds.
    pub(super) at: f64,
    /// How long nothing was read until then, in seconds since the world began.
    idle: f64,
    pub(super) position: Vec2,
    pub(super) velocity: Vec2,
    /// Who waited since the update before, and why.
    kept: Kept,
    /// Whether the settings are others than in the update before.
    is_changed: bool,
}

/// How long nothing was read in a while, in seconds, by what kept it from being read.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Idle {
    /// Nobody waited.
    pub(super) paused: f64,
    /// As many requests were in flight as may be.
    pub(super) by_requests: f64,
    /// As many bytes were in flight as may be.
    pub(super) by_bytes: f64,
    /// The memory cap left no room.
    pub(super) by_memory: f64,
}

impl Idle {
    pub(super) const NONE: Self = Self {
        paused: 0.0,
        by_requests: 0.0,
        by_bytes: 0.0,
        by_memory: 0.0,
    };

    /// What has come on top since another sum.
    pub(super) fn since(&self, before: &Self) -> Self {
        Self {
            paused: (self.paused - before.paused).max(0.0),
            by_requests: (self.by_requests - before.by_requests).max(0.0),
            by_bytes: (self.by_bytes - before.by_bytes).max(0.0),
            by_memory: (self.by_memory - before.by_memory).max(0.0),
        }
    }

    fn add(&mut self, kept: Kept, seconds: f64) {
        match kept {
            // An idle disk on which somebody waits is no pause of which a larger lead could make use.
            Kept::Nobody => self.paused += seconds,
            Kept::ByRequests => self.by_requests += seconds,
            Kept::ByBytes => self.by_bytes += seconds,
            Kept::ByMemory => self.by_memory += seconds,
        }
    }

    /// How long somebody waited meanwhile.
    pub(super) fn held(&self) -> f64 {
        self.by_requests + self.by_bytes + self.by_memory
    }
}

/// The last updates since the character was put where it set off, the oldest first.
#[derive(Clone, Debug, Default)]
pub(super) struct Track {
    steps: VecDeque<Step>,
    /// Whether it began with a leap of the character, and not with the world.
    is_of_leap: bool,
    /// Whether older steps of the same stay are forgotten.
    is_cut: bool,
    /// How long the disk had been idle when it was asked last; `None` of one that does not say.
    known_idle: Option<f64>,
    idle: f64,
    /// How long nothing was read since the world began, which no leap forgets.
    sums: Idle,
    /// When settings were changed last, in seconds, which no leap forgets.
    changed_at: Option<f64>,
    /// When the memory cap kept somebody away who came to be needed. The last of them, the oldest first; no leap forgets them.
    shortages: VecDeque<Shortage>,
}

impl Track {
    /// Another update. The disk has been idle for so many seconds by now; `kept` says why somebody waited to be asked for since the
    /// update before, and `is_changed` whether the settings are others than in that.
    pub(super) fn note(
        &mut self,
        at: f64,
        (position, velocity): (Vec2, Vec2),
        known_idle: Option<f64>,
        (kept, is_changed): (Kept, bool),
    ) {
        let more = known_idle.unwrap_or(0.0) - self.known_idle.unwrap_or(0.0);
        self.idle += more.max(0.0);
        self.sums.add(kept, more.max(0.0));
        self.known_idle = known_idle;
        if is_changed {
            self.changed_at = Some(at);
        }
        // Who is so quick that each update takes it as far as a leap goes on its way all the same.
        let is_leap = |last: &Step| {
            let way = (position - last.position).length();
            way > TELEPORT_METRES.max(2.0 * velocity.length() * (at - last.at) as f32)
        };
        if self.steps.back().is_some_and(is_leap) {
            self.steps.clear();
            self.is_of_leap = true;
            self.is_cut = false;
        }
        if self.steps.len() == STEPS_KEPT {
            self.steps.pop_front();
            self.is_cut = true;
        }
        self.steps.push_back(Step {
            at,
            idle: self.idle,
            position,
            velocity,
            kept,
            is_changed,
        });
    }

    /// The memory cap keeps somebody away who comes to be needed now, when so many objects have been asked for; a cap of so many bytes
    /// would be enough for all that is there and asked for.
    pub(super) fn note_shortage(&mut self, at: f64, enough: u64, asked: u64) {
        if self.shortages.len() == SHORTAGES_KEPT {
            self.shortages.pop_front();
        }
        self.shortages.push_back(Shortage {
            from: at,
            until: at,
            enough,
            asked,
        });
    }

    /// Whether what was noted of the last shortage is so of one now, when so many objects have been asked for: as long as nobody else has
    /// been asked for under the same settings, and no longer than a while. If it is, that is noted.
    pub(super) fn has_shortage_gone_on(&mut self, at: f64, asked: u64) -> bool {
        let changed_at = self.changed_at;
        let Some(last) = self.shortages.back_mut() else {
            return false;
        };
        let is_steady = changed_at.is_none_or(|changed| changed <= last.from);
        let goes_on = is_steady && last.asked == asked && at - last.from < SHORTAGE_HOLDS_SECONDS;
        if goes_on {
            last.until = at;
        }
        goes_on
    }

    /// What cap would have been enough at a moment; `None` where the cap kept nobody away then, or where that is forgotten.
    pub(super) fn enough_at(&self, seconds: f64) -> Option<u64> {
        let mut known = self.shortages.iter().rev();
        let found = known.find(|it| it.from <= seconds && seconds <= it.until);
        found.map(|it| it.enough)
    }

    /// The first update of the stay; `None` once that is forgotten.
    pub(super) fn beginning(&self) -> Option<&Step> {
        self.steps.front().filter(|_| !self.is_cut)
    }

    /// Whether it began with a leap of the character, and not with the world.
    pub(super) fn is_of_leap(&self) -> bool {
        self.is_of_leap
    }

    /// Whether the last update was the first one of the world.
    pub(super) fn is_in_first_update(&self) -> bool {
        self.steps.len() == 1 && !self.is_of_leap && !self.is_cut
    }

    /// How many updates were no later.
    fn count_until(&self, seconds: f64) -> usize {
        self.steps.partition_point(|step| step.at <= seconds)
    }

    /// The last update that was no later.
    pub(super) fn step_at(&self, seconds: f64) -> Option<&Step> {
        self.steps.get(self.count_until(seconds).checked_sub(1)?)
    }

    /// The first update from which on until a moment the settings stayed as they were then.
    pub(super) fn steady_since(&self, until: f64) -> Option<&Step> {
        let last = self.count_until(until).checked_sub(1)?;
        let changed = (0..=last).rev().find(|place| self.steps[*place].is_changed);
        self.steps.get(changed.unwrap_or(0))
    }

    /// Whether all updates since then are known, of the same stay.
    pub(super) fn reaches(&self, seconds: f64) -> bool {
        self.steps.front().is_some_and(|step| step.at <= seconds)
    }

    /// How long nothing was read since the world began; `None` where the disk does not say.
    pub(super) fn sums(&self) -> Option<Idle> {
        self.known_idle.map(|_| self.sums)
    }

    /// Whether settings were changed since a moment, however long ago that was and wherever the character was put since.
    pub(super) fn is_changed_since(&self, seconds: f64) -> bool {
        self.changed_at.is_some_and(|at| at > seconds)
    }

    /// How long nothing was read between two moments, of which the first is not forgotten; `None` where the disk does not say.
    pub(super) fn idle_between(&self, from: f64, until: f64) -> Option<Idle> {
        self.known_idle?;
        let [first, end] = [self.count_until(from), self.count_until(until)];
        let mut sum = Idle::default();
        for place in first.max(1)..end {
            let step = &self.steps[place];
            let more = step.idle - self.steps[place - 1].idle;
            sum.add(step.kept, more);
        }
        (first > 0 && end > 0).then_some(sum)
    }

    /// When the last pause ended before a moment; `None` where none is known.
    pub(super) fn last_pause(&self, before: f64) -> Option<f64> {
        let is_pause = |place: &usize| {
            let [last, step] = [&self.steps[*place - 1], &self.steps[*place]];
            step.kept == Kept::Nobody && step.idle > last.idle
        };
        let place = (1..self.count_until(before)).rev().find(is_pause);
        place.map(|place| self.steps[place].at)
    }

    /// The bytes that it takes on the heap.
    pub(super) fn byte_count(&self) -> usize {
        self.steps.len() * size_of::<Step>() + self.shortages.len() * size_of::<Shortage>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Half of the time the disk is idle, and every other time somebody waits.
    fn walked(updates: u32) -> Track {
        let mut track = Track::default();
        for update in 1..=updates {
            let at = f64::from(update);
            let place = (Vec2::new(update as f32, 0.0), Vec2::X);
            let kept = match update % 4 {
                0 => Kept::ByRequests,
                2 => Kept::ByMemory,
                _ => Kept::Nobody,
            };
            track.note(at, place, Some(at / 2.0), (kept, false));
        }
        track
    }

    const PASSING: (Kept, bool) = (Kept::Nobody, false);

    #[test]
    fn a_pause_is_an_idle_disk_for_which_nobody_waits() {
        let track = walked(100);
        let expected = Idle {
            paused: 2.5,
            by_requests: 1.5,
            by_bytes: 0.0,
            by_memory: 1.0,
        };
        assert_eq!(track.idle_between(10.0, 20.0), Some(expected));
        assert_eq!(track.idle_between(10.2, 20.9), Some(expected));
        assert_eq!(expected.held(), 2.5);
        assert_eq!(track.idle_between(0.5, 20.0), None);
        assert_eq!(track.last_pause(20.5), Some(19.0));
        assert_eq!(track.beginning().map(|step| step.at), Some(1.0));
        let mut silent = Track::default();
        silent.note(1.0, (Vec2::ZERO, Vec2::ZERO), None, PASSING);
        assert_eq!(silent.idle_between(1.0, 2.0), None);
    }

    #[test]
    fn what_keeps_the_first_of_the_queue_is_the_budget_that_was_used_up() {
        let requests = Bound {
            requests: true,
            memory: true,
            ..Bound::default()
        };
        assert_eq!(Kept::by(requests), Kept::ByRequests);
        let bytes = Bound {
            bytes_in_flight: true,
            ..Bound::default()
        };
        assert_eq!(Kept::by(bytes), Kept::ByBytes);
        assert_eq!(Kept::by(Bound::default()), Kept::ByMemory);
    }

    #[test]
    fn other_settings_begin_another_part_of_the_stay() {
        let mut track = walked(10);
        assert_eq!(track.steady_since(10.0).map(|step| step.at), Some(1.0));
        let place = (Vec2::new(11.0, 0.0), Vec2::X);
        track.note(11.0, place, Some(5.5), (Kept::Nobody, true));
        track.note(12.0, place, Some(6.0), PASSING);
        assert_eq!(track.steady_since(12.0).map(|step| step.at), Some(11.0));
        assert_eq!(track.steady_since(10.9).map(|step| step.at), Some(1.0));
        // A leap forgets the way, and not that.
        track.note(13.0, (Vec2::ZERO, Vec2::X), Some(6.5), PASSING);
        assert!(track.is_changed_since(10.0) && !track.is_changed_since(11.0));
        let sums = track.sums().expect("a disk that says it");
        assert_eq!(sums.paused + sums.held(), 6.5);
    }

    #[test]
    fn what_is_older_than_all_that_is_kept_or_of_another_stay_is_not_reached() {
        let mut track = walked(10);
        assert!(track.reaches(1.0) && !track.reaches(0.5));
        let mut at = 10.0;
        let mut go = |track: &mut Track, x: f32| {
            at += 1.0;
            let place = (Vec2::new(x, 0.0), Vec2::X);
            track.note(at, place, None, PASSING);
        };
        for step in 0..STEPS_KEPT {
            go(&mut track, 10.0 + step as f32);
        }
        assert!(!track.reaches(5.0) && track.reaches(11.0));
        go(&mut track, 1.0e6);
        assert!(!track.reaches(12.0) && track.reaches(2_059.0));
    }

    #[test]
    fn of_the_last_shortages_of_memory_it_is_known_what_would_have_done() {
        let mut track = Track::default();
        for at in 0..=SHORTAGES_KEPT as u64 {
            track.note_shortage(at as f64, 1_000 + at, at);
        }
        assert_eq!(track.enough_at(0.0), None, "it is forgotten");
        assert_eq!(track.enough_at(1.0), Some(1_001));
        assert_eq!(track.enough_at(1.5), None);
        let last = SHORTAGES_KEPT as u64;
        assert_eq!(track.enough_at(last as f64), Some(1_000 + last));
        assert_eq!(track.byte_count(), size_of::<Shortage>() * SHORTAGES_KEPT);
    }

    #[test]
    fn a_shortage_that_goes_on_is_not_reckoned_anew_until_somebody_else_is_asked_for() {
        let mut track = Track::default();
        assert!(!track.has_shortage_gone_on(1.0, 7));
        track.note_shortage(1.0, 500, 7);
        assert!(track.has_shortage_gone_on(1.25, 7));
        assert_eq!(track.enough_at(1.125), Some(500));
        assert_eq!(track.enough_at(1.375), None);
        assert!(!track.has_shortage_gone_on(1.25, 8), "more is needed");
        assert!(!track.has_shortage_gone_on(1.5, 7), "less may do by now");
        let place = (Vec2::ZERO, Vec2::ZERO);
        track.note(1.25, place, None, (Kept::ByMemory, true));
        assert!(!track.has_shortage_gone_on(1.25, 7), "it is another cap");
    }

    #[test]
    fn a_stay_begins_with_a_leap_and_its_beginning_is_forgotten_after_a_while() {
        let mut track = walked(STEPS_KEPT as u32);
        assert!(track.beginning().is_some() && !track.is_of_leap());
        let at = STEPS_KEPT as f64 + 1.0;
        track.note(at, (Vec2::new(at as f32, 0.0), Vec2::X), None, PASSING);
        assert!(track.beginning().is_none());
        assert_eq!(track.steps.front().map(|step| step.at), Some(2.0));
        track.note(at + 1.0, (Vec2::ZERO, Vec2::X), None, PASSING);
        assert_eq!(track.beginning().map(|step| step.at), Some(at + 1.0));
        assert!(track.is_of_leap());
    }
}
