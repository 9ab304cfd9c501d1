//! What a world is made of, and the books that are kept of it: who is in which state, and all that follows from that.

use super::history::Reason;
use super::scheduler::{QueueEntry, Urgency};
use super::states::Ahead;
use super::{Failure, Loader, State, Streaming, Ticket, Transition};
use crate::chance;
use crate::geometry::{Aabb, Vec2};
use crate::scene::generate;

/// What is known of an object before it is loaded.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WorldObject {
    /// Its middle, in metres; finite.
    pub center: Vec2,
    /// Half of its width and height, in metres; finite and at least 0.
    pub half_extent: Vec2,
    /// How many bytes its asset takes, for the budgets.
    pub bytes: u64,
    /// Its asset: an index into the assets of the world, which several objects may share.
    pub asset: u32,
}

impl WorldObject {
    /// The object's own box.
    pub fn aabb(&self) -> Aabb {
        Aabb::around(self.center, self.half_extent)
    }

    /// The objects that a scene's world was generated into, with the bytes that the scene says or else the `byte_sizes` of their
    /// assets.
    pub fn all_of(generated: &generate::WorldObjects, byte_sizes: &[u64]) -> Vec<Self> {
        let known = |object: &generate::WorldObject| Self {
            center: object.center,
            half_extent: object.half_extent,
            bytes: object.bytes.unwrap_or_else(|| {
                let size = byte_sizes.get(object.asset as usize);
                size.copied().unwrap_or_default()
            }),
            asset: object.asset,
        };
        generated.objects.iter().map(known).collect()
    }
}

/// What every change of state goes through.
impl<L: Loader> Streaming<L> {
    pub(super) fn ticket(&self, object: u32) -> Ticket {
        Ticket {
            object,
            generation: (self.first_generation)
                .wrapping_add(self.records[object as usize].generation),
        }
    }

    pub(super) fn urgency(&self, object: u32) -> Urgency {
        let body = self.objects[object as usize].aabb();
        let need = self.rectangles(object).need;
        Urgency::of(body, need, self.position, self.velocity)
    }

    pub(super) fn pending_count(&self) -> u32 {
        [State::Queued, State::Loading, State::Decoded]
            .map(|state| self.counts[state as usize])
            .iter()
            .sum()
    }

    /// Changes a state, and everything that follows from states.
    pub(super) fn enter(&mut self, object: u32, to: State, reason: Reason) {
        let from = std::mem::replace(&mut self.states[object as usize], to);
        self.counts[from as usize] -= 1;
        self.counts[to as usize] += 1;
        let metadata = &self.objects[object as usize];
        if from.is_wanted() != to.is_wanted() {
            self.trees
                .toggle(object, metadata, to.is_wanted(), &self.settings);
        }
        let bytes = self.holding.own_bytes(object, metadata.bytes);
        let asset = self.picture_of(object);
        // What waits for its release still takes its place in memory.
        let is_there = |state| matches!(state, State::Resident | State::Unloading);
        match (is_there(from), is_there(to)) {
            (false, true) => self.resident_bytes = self.resident_bytes.saturating_add(bytes),
            (true, false) => self.resident_bytes = self.resident_bytes.saturating_sub(bytes),
            _ => {}
        }
        self.holding.change(asset, |users| {
            let is_on_its_way = |state| matches!(state, State::Loading | State::Decoded);
            let is_leaving = |state| state == State::Unloading;
            for (count, before, after) in [
                (&mut users.there, is_there(from), is_there(to)),
                (&mut users.leaving, is_leaving(from), is_leaving(to)),
                (
                    &mut users.on_the_way,
                    is_on_its_way(from),
                    is_on_its_way(to),
                ),
            ] {
                *count = *count + u32::from(after) - u32::from(before);
            }
        });
        if to == State::Unloading {
            self.unloading_bytes = self.unloading_bytes.saturating_add(bytes);
        } else if from == State::Unloading {
            self.unloading_bytes = self.unloading_bytes.saturating_sub(bytes);
            self.records[object as usize].evicted = false;
        }
        let record = &mut self.records[object as usize];
        if to == State::Resident {
            record.used_at = self.now;
            if !record.listed {
                record.listed = true;
                self.residents.push(object);
            }
        }
        let resident = self.resident_bytes();
        self.statistics.peak_resident_bytes = self.statistics.peak_resident_bytes.max(resident);
        let change = u64::from(reason as u8) << 8 | u64::from(to as u8);
        self.fingerprint = chance::hash(self.fingerprint, u64::from(object), change);
        self.history.note(Transition {
            at: self.now,
            object,
            to,
            reason,
        });
    }

    pub(super) fn cancel_request(&mut self, object: u32) {
        let mut flights = self.flights.iter_mut();
        if let Some(flight) = flights.find(|flight| flight.waiting() == Some(object)) {
            flight.cancelled = true;
            self.loader.cancel(flight.ticket);
        }
        // Until the loader is done with it, it holds its picture beside whatever becomes of the object.
        let asset = self.picture_of(object);
        self.holding.change(asset, |users| users.on_the_way += 1);
        let record = &mut self.records[object as usize];
        record.generation = record.generation.wrapping_add(1);
    }

    pub(super) fn queue_up(&mut self, object: u32, excused: bool, reason: Reason) {
        let record = &mut self.records[object as usize];
        record.queued_at = self.now;
        record.needed_at = f64::INFINITY;
        record.missing = 0.0;
        record.is_missing = false;
        record.bytes_read = 0;
        // One that is never begun has waited for the disk of this time, whatever read it before.
        record.read_from = self.settings.disk();
        record.excused = excused;
        // Who is asked for once more after a failure is the same as before.
        if reason == Reason::LoadEntered {
            record.is_of_start = self.track.is_in_first_update();
        }
        record.idle = self.track.sums().unwrap_or_default();
        record.waits = true;
        record.ahead = Ahead::default();
        self.lateness.remove(&object);
        self.statistics.queued += 1;
        self.push_to_queue(object);
        self.enter(object, State::Queued, reason);
    }

    /// `object` waits in the queue no longer: what kept the disk from reading meanwhile is known from now on.
    pub(super) fn end_wait(&mut self, object: u32) {
        let record = &mut self.records[object as usize];
        if record.waits {
            record.idle = self.track.sums().unwrap_or_default().since(&record.idle);
            record.waits = false;
        }
    }

    /// Adds `object` at the end of the queue, which is sorted later in the same update.
    pub(super) fn push_to_queue(&mut self, object: u32) {
        let Urgency {
            time_to_need,
            distance_sq,
        } = self.urgency(object);
        self.queue.push(QueueEntry {
            object,
            time_to_need,
            distance_sq,
        });
    }

    pub(super) fn fail(&mut self, object: u32, sentence: String, reason: Reason) {
        let attempts = self
            .failures
            .get(&object)
            .map_or(0, |failure| failure.attempts)
            .saturating_add(1);
        let retry_at = self.now + self.settings.back_off(attempts);
        self.failures.insert(
            object,
            Failure {
                sentence,
                attempts,
                retry_at,
            },
        );
        self.failed.push(object);
        self.statistics.failed += 1;
        self.enter(object, State::Failed, reason);
    }
}
