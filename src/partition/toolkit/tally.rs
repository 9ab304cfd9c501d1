//! What a thread has to tell a probe that another one has.

use crate::probe::{Counter, Event, Probe, Work};
use std::marker::PhantomData;

/// Counts the steps of upkeep that a probe of kind `P` would hear of, and nothing where it hears nothing.
///
/// It is for probes that do not need every step on its own, and for work that tells of [`Event::Work`] alone.
#[derive(Debug)]
pub struct Tally<P> {
    counter: Counter,
    listener: PhantomData<fn() -> P>,
}

impl<P> Default for Tally<P> {
    fn default() -> Self {
        Self {
            counter: Counter::default(),
            listener: PhantomData,
        }
    }
}

impl<P: Probe> Tally<P> {
    /// Tells the probe of all steps, those of a kind together.
    pub fn tell(&self, probe: &mut P) {
        if !P::HEARS {
            return;
        }
        for kind in Work::ALL {
            for _ in 0..self.counter.of(kind) {
                probe.on(Event::Work(kind));
            }
        }
    }
}

impl<P: Probe> Probe for Tally<P> {
    const DETAILED: bool = false;
    const HEARS: bool = P::HEARS;

    #[inline(always)]
    fn on(&mut self, event: Event) {
        if P::HEARS {
            debug_assert!(matches!(event, Event::Work(_)), "{event:?} would be lost");
            self.counter.on(event);
        }
    }

    fn visits(&mut self, _: u64) {
        debug_assert!(!P::HEARS, "visits would be lost");
    }

    fn tests(&mut self, _: u64) {
        debug_assert!(!P::HEARS, "tests would be lost");
    }

    fn hits(&mut self, _: u64) {
        debug_assert!(!P::HEARS, "hits would be lost");
    }
}
