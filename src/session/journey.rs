//! How time is gone to and fro in: from the nearest keyframe, or from the beginning, along what was done.
//!
//! Invariant: who gives up on the way is where the journey began.

use super::lane::Lane;
use super::timeline::Keyframe;
use super::undo::{Snapshot, UndoStack};
use super::{LaneWatch, Refusal, Session};
use crate::flight::Flight;
use crate::probe::Cancel;
use crate::scene::Scene;
use crate::streaming::Tour;
use std::sync::Arc;

/// A seek that is under way, and where it began.
#[derive(Clone, Debug)]
pub struct Journey {
    pub(super) to: u64,
    pub(super) from: (u64, usize),
    pub(super) state: Arc<Snapshot>,
    pub(super) undo: UndoStack,
}

impl Session {
    /// Goes to a tick, back or ahead on what is known. Refused or abandoned, the session is where it was.
    pub fn seek(
        &mut self,
        tick: u64,
        cancel: &Cancel,
        watch: &mut impl LaneWatch,
    ) -> Result<(), Refusal> {
        let journey = self.set_out(tick)?;
        let result = self.arrive(&journey, cancel, watch);
        if result.is_err() {
            self.turn_back(&journey);
        }
        result
    }

    /// The first half of [`Session::seek`]: goes to the nearest keyframe from which the tick is reached, at once.
    pub fn set_out(&mut self, tick: u64) -> Result<Journey, Refusal> {
        self.check_seek(tick)?;
        let mut journey = Journey {
            to: tick,
            from: (self.tick, self.timeline.done()),
            state: Arc::new(self.snapshot()),
            undo: self.undo.clone(),
        };
        self.head_for(&mut journey, tick)?;
        Ok(journey)
    }

    /// Sets out for another tick, on the way: the journey still began where it did.
    pub fn head_for(&mut self, journey: &mut Journey, tick: u64) -> Result<(), Refusal> {
        self.check_seek(tick)?;
        journey.to = tick;
        let nearest = self.timeline.keyframe_before(tick).cloned();
        // Ahead it may be nearer from here than from the keyframe.
        let from_here =
            tick >= self.tick && nearest.as_ref().is_none_or(|key| key.tick <= self.tick);
        match nearest {
            _ if from_here => {}
            Some(key) => self.restore(key.tick, key.done, &key.state, key.undo),
            None => self.begin_again(),
        }
        Ok(())
    }

    fn check_seek(&self, tick: u64) -> Result<(), Refusal> {
        let end = self.timeline.end();
        if tick > end {
            return Err(Refusal::because(format_args!(
                "tick {tick} lies beyond the last tick that is known, {end}"
            )));
        }
        Ok(())
    }

    /// The second half: runs the rest of the way. Where that fails it stands on the way, until it [turns
    /// back](Session::turn_back) or [heads for](Session::head_for) another tick.
    pub fn arrive(
        &mut self,
        journey: &Journey,
        cancel: &Cancel,
        watch: &mut impl LaneWatch,
    ) -> Result<(), Refusal> {
        self.do_what_is_due(cancel)?;
        while self.tick < journey.to {
            cancel.check()?;
            self.tick(cancel, watch)?;
        }
        Ok(())
    }

    /// Goes back to where a journey began.
    pub fn turn_back(&mut self, journey: &Journey) {
        let (tick, done) = journey.from;
        self.restore(tick, done, &journey.state, journey.undo.clone());
    }

    /// Starts from the scene with which the session began: the way to any tick where no keyframe is left.
    pub(super) fn begin_again(&mut self) {
        let (fresh, _) = Self::new(Scene::clone(&self.origin), &self.folder);
        let state = fresh.snapshot();
        self.restore(0, 0, &state, UndoStack::default());
    }

    /// Keeps a keyframe of the present state.
    pub(super) fn keep(&mut self) {
        let lanes: usize = self.lanes.iter().map(Lane::byte_count).sum();
        let lanes3: usize = self.lanes3.iter().map(Lane::byte_count).sum();
        let flight = self.flight.as_ref().map_or(0, Flight::byte_count);
        let bytes = self.battle.byte_count() + lanes + flight + lanes3;
        let bytes = self.timeline.likely_bytes(bytes);
        if self.timeline.wants_keyframe(self.tick) && self.timeline.make_room(self.tick, bytes) {
            let keyframe = Keyframe::new(
                self.tick,
                self.timeline.done(),
                self.snapshot(),
                self.undo.clone(),
            );
            self.timeline.keep(keyframe);
        }
    }

    /// Everything, as it is.
    pub(super) fn snapshot(&self) -> Snapshot {
        Snapshot {
            battle: self.battle.clone(),
            lanes: self.lanes.clone(),
            flight: self.flight.clone(),
            lanes3: self.lanes3.clone(),
            document: self.document.clone(),
            world: self.world.as_ref().map(Tour::keep),
            world_made: self.world_made,
            armies: self.armies,
        }
    }

    pub(super) fn restore(&mut self, tick: u64, done: usize, state: &Snapshot, undo: UndoStack) {
        self.put_back(state);
        (self.tick, self.undo) = (tick, undo);
        self.timeline.rewind(done);
    }

    /// Makes everything but time what it was.
    pub(super) fn put_back(&mut self, state: &Snapshot) {
        self.battle.clone_from(&state.battle);
        self.lanes.clone_from(&state.lanes);
        self.flight.clone_from(&state.flight);
        self.lanes3.clone_from(&state.lanes3);
        self.document.clone_from(&state.document);
        match (&mut self.world, &state.world) {
            (Some(world), Some(kept)) => world.restore(kept),
            (world, None) => *world = None,
            (None, Some(_)) => {}
        }
        self.world_made = state.world_made;
        self.armies = state.armies;
        self.keep_name();
    }
}
