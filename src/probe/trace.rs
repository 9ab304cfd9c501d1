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

    /// Where sweeps end: how many of the [events](Trace::events) were heard before that, in order; no more of them than events are kept.
    pub fn ends(&self) -> &[(usize, SweepEnd)] {
        &self.ends
    }

    /// Whether as many ends of sweeps are kept as may be, and others may have followed.
    pub fn may_lack_ends(&self) -> bool {
        self.ends.len() >= self.cap
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
        // Behind the last event that is kept there may be those of other sweeps. Where few stand near each other there are as many of
        // them as units, and hardly any events.
        if self.dropped == 0 && self.ends.len() < self.cap {
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
        let (before, is_whole) = (self.events.len(), self.dropped == 0);
        self.dropped += share.dropped;
        for event in share.events {
            self.on(event);
        }
        let kept = self.events.len();
        let at = |place: usize| before + place;
        let lookers = share.lookers.into_iter();
        let lookers = lookers.map(|(place, it)| (at(place), it));
        self.lookers.extend(lookers.filter(|(at, _)| *at < kept));
        let neighbors = share.neighbors.into_iter();
        let neighbors = neighbors.map(|(place, it)| (at(place), it));
        self.neighbors
            .extend(neighbors.filter(|(at, _)| *at < kept));
        if is_whole {
            let room = self.cap.saturating_sub(self.ends.len());
            let ends = share.ends.into_iter().map(|(place, it)| (at(place), it));
            self.ends
                .extend(ends.filter(|(at, _)| *at <= kept).take(room));
        }
    }
    /// It keeps tests, and counts none.
    fn tested(&self) -> u64 {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn end(other: u32) -> SweepEnd {
        SweepEnd {
            unit: None,
            other,
            axis: 0,
            beyond: 1.0,
            behind: None,
        }
    }

    #[test]
    fn no_more_ends_of_sweeps_are_kept_than_events() {
        let mut trace = Trace::with_cap(2);
        trace.on(Event::Visit(0));
        Probe::ends(&mut trace, end(1));
        assert!(!trace.may_lack_ends());
        (2..5).for_each(|other| Probe::ends(&mut trace, end(other)));
        assert_eq!(trace.ends(), [(1, end(1)), (1, end(2))]);
        assert!(trace.may_lack_ends());
    }

    #[test]
    fn traces_that_are_joined_tell_what_one_would_have_told() {
        let hear = |trace: &mut Trace, from: u32| {
            trace.looks(from);
            trace.on(Event::Visit(from));
            Probe::ends(trace, end(from));
            trace.on(Event::Visit(from + 1));
            Probe::ends(trace, end(from + 1));
        };
        for cap in [1, 2, 3, 9] {
            let mut whole = Trace::with_cap(cap);
            let mut joined = Trace::with_cap(cap);
            for from in [0, 10] {
                hear(&mut whole, from);
                let mut share = joined.fork();
                hear(&mut share, from);
                joined.join(share);
            }
            assert_eq!(joined.events(), whole.events(), "{cap}");
            assert_eq!(joined.ends(), whole.ends(), "{cap}");
            assert_eq!(joined.lookers(), whole.lookers(), "{cap}");
            assert_eq!(joined.dropped(), whole.dropped(), "{cap}");
        }
    }
}
