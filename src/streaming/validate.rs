//! Whether the books agree with each other.

use super::{Loader, State, Streaming};
use crate::partition::Violation;

impl<L: Loader> Streaming<L> {
    /// Compares the trees, the counts, the lists and the figures with the states. Looks at every object.
    pub fn validate(&self) -> Result<(), Violation> {
        self.trees.validate(self.world())?;
        for state in State::ALL {
            self.expect(
                self.states.iter().filter(|other| **other == state).count(),
                self.counts[state as usize] as usize,
                || format!("{} objects", state.name()),
            )?;
        }

        let is_in = |object: u32, state| self.states[object as usize] == state;
        let queued = self
            .queue
            .iter()
            .filter(|entry| is_in(entry.object, State::Queued));
        self.expect_listed(State::Queued, queued.count(), self.queue.len())?;
        let decoded = self
            .decoded
            .iter()
            .filter(|decoded| is_in(decoded.object, State::Decoded));
        self.expect_listed(State::Decoded, decoded.count(), self.decoded.len())?;
        let loading = self.flights.iter().filter(|flight| {
            is_in(flight.ticket.object, State::Loading)
                && self.ticket(flight.ticket.object) == flight.ticket
        });
        let loading = loading.count();
        self.expect_listed(State::Loading, loading, loading)?;
        let failed = self
            .failed
            .iter()
            .filter(|object| is_in(**object, State::Failed));
        self.expect_listed(State::Failed, failed.count(), self.failed.len())?;

        let resident_bytes = (0..)
            .zip(self.objects.iter())
            .filter(|(object, _)| {
                is_in(*object, State::Resident) || is_in(*object, State::Unloading)
            })
            .fold(0, |sum: u64, (_, object)| sum.saturating_add(object.bytes));
        Violation::unless(
            resident_bytes == self.resident_bytes,
            None,
            || format!("{resident_bytes} resident bytes"),
            || format!("{}", self.resident_bytes),
        )?;

        let unloading_bytes = (0..)
            .zip(self.objects.iter())
            .filter(|(object, _)| is_in(*object, State::Unloading))
            .fold(0, |sum: u64, (_, object)| sum.saturating_add(object.bytes));
        Violation::unless(
            unloading_bytes == self.unloading_bytes,
            None,
            || format!("{unloading_bytes} bytes wait for their release"),
            || format!("{}", self.unloading_bytes),
        )?;
        let listed = self
            .residents
            .iter()
            .filter(|object| is_in(**object, State::Resident))
            .count();
        let resident = self.counts[State::Resident as usize] as usize;
        self.expect(resident, listed, || "residents in their list".to_owned())?;

        let sums = &self.statistics;
        let ended = sums.loaded + sums.cancelled + sums.failed;
        Violation::unless(
            sums.queued == ended + u64::from(self.pending_count()),
            None,
            || {
                format!(
                    "each of {} queued objects to end or be on its way",
                    sums.queued
                )
            },
            || format!("{ended} ended and {} on their way", self.pending_count()),
        )
    }

    fn expect(
        &self,
        expected: usize,
        found: usize,
        what: impl Fn() -> String,
    ) -> Result<(), Violation> {
        Violation::unless(
            expected == found,
            None,
            || format!("{expected} {}", what()),
            || found.to_string(),
        )
    }

    /// Each object in `state` is in its list once, and nobody else is.
    fn expect_listed(&self, state: State, rightly: usize, length: usize) -> Result<(), Violation> {
        let count = self.counts[state as usize] as usize;
        self.expect(count, rightly, || {
            format!("{} objects in their list", state.name())
        })?;
        self.expect(count, length, || {
            format!("entries in the list of {} objects", state.name())
        })
    }
}
