//! The last while: where the character was in each update, and how long the disk had nothing to do. What can be said of a lead that
//! was too short goes by it.

use super::TELEPORT_METRES;
use crate::geometry::Vec2;
use std::collections::VecDeque;

/// How many updates are kept: half a minute and more, in 100 kilobytes.
const STEPS_KEPT: usize = 2048;

/// One update.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Step {
    /// When, in seconds.
    pub(super) at: f64,
    /// How long until then neither anybody waited nor anything was read, in seconds since the world began.
    pub(super) paused: f64,
    /// How long until then somebody waited and nothing was read: the memory cap, or the number of requests, held them back.
    pub(super) held: f64,
    pub(super) position: Vec2,
    pub(super) velocity: Vec2,
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
    idle: Option<f64>,
    paused: f64,
    held: f64,
}

impl Track {
    /// Another update. The disk has been idle for so many seconds by now; `is_waiting` says whether somebody waited to be asked for
    /// since the update before.
    pub(super) fn note(
        &mut self,
        at: f64,
        (position, velocity): (Vec2, Vec2),
        idle: Option<f64>,
        is_waiting: bool,
    ) {
        let more = idle.unwrap_or(0.0) - self.idle.unwrap_or(0.0);
        // An idle disk on which somebody waits, for memory or for a request, is no pause of which a larger lead could make use.
        match is_waiting {
            true => self.held += more.max(0.0),
            false => self.paused += more.max(0.0),
        }
        self.idle = idle;
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
            paused: self.paused,
            held: self.held,
            position,
            velocity,
        });
    }

    /// The oldest that is known.
    pub(super) fn first(&self) -> Option<&Step> {
        self.steps.front()
    }

    /// The first update of the stay; `None` once that is forgotten.
    pub(super) fn beginning(&self) -> Option<&Step> {
        self.first().filter(|_| !self.is_cut)
    }

    /// Whether it began with a leap of the character, and not with the world.
    pub(super) fn is_of_leap(&self) -> bool {
        self.is_of_leap
    }

    /// The last update that was no later.
    pub(super) fn step_at(&self, seconds: f64) -> Option<&Step> {
        let after = self.steps.partition_point(|step| step.at <= seconds);
        self.steps.get(after.checked_sub(1)?)
    }

    /// How long neither anybody waited nor anything was read between two moments, of which the first is not forgotten; `None` where
    /// the disk does not say.
    pub(super) fn paused_between(&self, from: f64, until: f64) -> Option<f64> {
        self.idle?;
        let [from, until] = [from, until].map(|at| self.step_at(at));
        Some(until?.paused - from?.paused)
    }

    /// How long between two moments somebody waited and nothing was read; nothing where that is not known.
    pub(super) fn held_between(&self, from: f64, until: f64) -> f64 {
        let [from, until] = [from, until].map(|at| self.step_at(at));
        let held = from.zip(until).map(|(from, until)| until.held - from.held);
        held.filter(|_| self.idle.is_some()).unwrap_or(0.0)
    }

    /// When the last pause ended before a moment; `None` where none is known.
    pub(super) fn last_pause(&self, before: f64) -> Option<f64> {
        let after = self.steps.partition_point(|step| step.at <= before);
        let pairs = (1..after)
            .rev()
            .map(|place| (&self.steps[place - 1], &self.steps[place]));
        let mut pauses = pairs.filter(|(before, step)| step.paused > before.paused);
        pauses.next().map(|(_, step)| step.at)
    }

    /// The bytes that it takes on the heap.
    pub(super) fn byte_count(&self) -> usize {
        self.steps.len() * size_of::<Step>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn walked(updates: u32) -> Track {
        let mut track = Track::default();
        for update in 1..=updates {
            let at = f64::from(update);
            let place = (Vec2::new(update as f32, 0.0), Vec2::X);
            // Half of the time the disk is idle, and every other time somebody waits.
            track.note(at, place, Some(at / 2.0), update % 2 == 0);
        }
        track
    }

    #[test]
    fn a_pause_is_an_idle_disk_for_which_nobody_waits() {
        let track = walked(100);
        assert_eq!(track.paused_between(10.0, 20.0), Some(2.5));
        assert_eq!(track.paused_between(10.2, 20.9), Some(2.5));
        assert_eq!(track.held_between(10.0, 20.0), 2.5);
        assert_eq!(track.held_between(0.5, 20.0), 0.0);
        assert_eq!(track.paused_between(0.5, 20.0), None);
        assert_eq!(track.beginning().map(|step| step.at), Some(1.0));
        let mut silent = Track::default();
        silent.note(1.0, (Vec2::ZERO, Vec2::ZERO), None, false);
        assert_eq!(silent.paused_between(1.0, 2.0), None);
    }

    #[test]
    fn a_stay_begins_with_a_leap_and_its_beginning_is_forgotten_after_a_while() {
        let mut track = walked(STEPS_KEPT as u32);
        assert!(track.beginning().is_some() && !track.is_of_leap());
        let at = STEPS_KEPT as f64 + 1.0;
        track.note(at, (Vec2::new(at as f32, 0.0), Vec2::X), None, false);
        assert!(track.beginning().is_none());
        assert_eq!(track.first().map(|step| step.at), Some(2.0));
        track.note(at + 1.0, (Vec2::ZERO, Vec2::X), None, false);
        assert_eq!(track.beginning().map(|step| step.at), Some(at + 1.0));
        assert!(track.is_of_leap());
    }
}
