//! The probe that keeps every event.

use super::{Event, Fork, Neighbors, Probe, SweepEnd};
use crate::ids::RegionId;

/// The events in their order, up to a cap; beyond it they are counted as dropped, never silently lost.
#[derive(Clone, Debug)]
pub struct Trace {
    events: Vec<Event>,
    /// Of the events of which it is told, who looks, in their order.
    lookers: Vec<(usize, RegionId)>,
    /// Of the events of which it is told, which two neighbours in an order they are about, in their order.
    neighbors: Vec<(usize, Neighbors)>,
    /// Where sweeps end, each with how many events were heard before, in their order.
    ends: Vec<(usize, SweepEnd)>,
    cap: usize,
    dropped: u64,
}

impl Trace {
    /// A trace that keeps the first `cap` events.
    pub fn with_cap(cap: usize) -> Self {
        Self {
            events: Vec::new(),
            lookers: Vec::new(),
            neighbors: Vec::new(),
            ends: Vec::new(),
            cap,
            dropped: 0,
        }
    }

    /// What was heard, in order.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// On whose behalf regions are entered or left out: places in the [events](Trace::events) where it is told, in order, each with the
    /// region that looks.
    pub fn lookers(&self) -> &[(usize, RegionId)] {
        &self.lookers
    }

    /// Which two neighbours in an order are compared, or change places: places in the [events](Trace::events) where it is told, in order.
    pub fn neighbors(&self) -> &[(usize, Neighbors)] {
        &self.neighbors
    }

    /// Where sweeps end: how many of the [events](Trace::events) were heard before that, in order.
    pub fn ends(&self) -> &[(usize, SweepEnd)] {
        &self.ends
    }

    /// What was heard, in order, and no more of the trace.
    pub fn into_events(self) -> Vec<Event> {
        self.events
    }

    /// How many events came after the cap was reached.
    pub fn dropped(&self) -> u64 {
        self.dropped
    }

    /// Forgets everything and keeps the memory.
    pub fn clear(&mut self) {
        self.events.clear();
        self.lookers.clear();
        self.neighbors.clear();
        self.ends.clear();
        self.dropped = 0;
    }
}

impl Probe for Trace {
    const DETAILED: bool = true;
    fn on(&mut self, event: Event) {
        if self.events.len() < self.cap {
            self.events.push(event);
        } else {
            self.dropped += 1;
        }
    }
    fn looks(&mut self, looker: RegionId) {
        if self.events.len() < self.cap {
            self.lookers.push((self.events.len(), looker));
        }
    }
    fn orders(&mut self, neighbors: Neighbors) {
        if self.events.len() < self.cap {
            self.neighbors.push((self.events.len(), neighbors));
        }
    }
    fn ends(&mut self, end: SweepEnd) {
        // Behind the last event that is kept there may be those of other sweeps.
        if self.dropped == 0 {
            self.ends.push((self.events.len(), end));
        }
    }
    fn visits(&mut self, count: u64) {
        debug_assert_eq!(
            count, 0,
            "a kernel reported in bulk to a probe that needs every event"
        );
    }
    fn tests(&mut self, count: u64) {
        debug_assert_eq!(
            count, 0,
            "a kernel reported in bulk to a probe that needs every event"
        );
    }
    fn hits(&mut self, count: u64) {
        debug_assert_eq!(
            count, 0,
            "a kernel reported in bulk to a probe that needs every event"
        );
    }
}

impl Fork for Trace {
    type Share = Self;
    fn fork(&self) -> Self {
        Self::with_cap(self.cap)
    }
    fn join(&mut self, share: Self) {
        self.dropped += share.dropped;
        for event in share.events {
            self.on(event);
        }
    }
}
