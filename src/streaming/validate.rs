//! Whether the books agree with each other.

use super::holding::Holding;
use super::{Flight, Loader, State, Streaming, WorldObject};
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
        let loading = self.flights.iter().filter_map(Flight::waiting);
        let loading = loading
            .filter(|object| is_in(*object, State::Loading))
            .count();
        self.expect_listed(State::Loading, loading, loading)?;
        let failed = self
            .failed
            .iter()
            .filter(|object| is_in(**object, State::Failed));
        self.expect_listed(State::Failed, failed.count(), self.failed.len())?;

        let own = |sum: u64, (number, object): (u32, &WorldObject)| {
            sum.saturating_add(self.holding.own_bytes(number, object.bytes))
        };
        let resident_bytes = (0..)
            .zip(self.objects.iter())
            .filter(|(object, _)| {
                is_in(*object, State::Resident) || is_in(*object, State::Unloading)
            })
            .fold(0, own);
        Violation::unless(
            resident_bytes == self.resident_bytes,
            None,
            || format!("{resident_bytes} resident bytes"),
            || format!("{}", self.resident_bytes),
        )?;

        let unloading_bytes = (0..)
            .zip(self.objects.iter())
            .filter(|(object, _)| is_in(*object, State::Unloading))
            .fold(0, own);
        Violation::unless(
            unloading_bytes == self.unloading_bytes,
            None,
            || format!("{unloading_bytes} bytes wait for their release"),
            || format!("{}", self.unloading_bytes),
        )?;
        let held = self.count_holders();
        Violation::unless(
            held == self.holding,
            None,
            || format!("{:?} held by pictures", held.bytes()),
            || format!("{:?}", self.holding.bytes()),
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

    /// The books of who has which picture, from the states and the requests.
    fn count_holders(&self) -> Holding {
        let mut holding = self.holding.emptied();
        for (object, state) in (0..).zip(&self.states) {
            holding.change(self.picture_of(object), |users| match state {
                State::Loading | State::Decoded => users.on_the_way += 1,
                State::Resident => users.there += 1,
                State::Unloading => {
                    users.there += 1;
                    users.leaving += 1;
                }
                State::Unloaded | State::Queued | State::Failed => {}
            });
        }
        for flight in self.flights.iter().filter(|flight| flight.cancelled) {
            let asset = self.picture_in_flight(flight);
            holding.change(asset, |users| users.on_the_way += 1);
        }
        holding
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
