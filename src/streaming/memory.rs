//! The memory cap: who has to go so that somebody more needed can come.
//!
//! Invariant: what is there and what is on its way never take more than [`Settings::memory_cap`](super::Settings::memory_cap)
//! together, but for as long as releases take after the cap was lowered.
//!
//! Invariant: memory never makes objects come and go by turns. Whoever is evicted for another was at least half a margin further
//! from being needed, so the two change places again only after the character has moved by a quarter of the margin at least.

use super::history::Reason;
use super::{Loader, State, Streaming};

/// Under this share of the cap nobody will have to go soon, and nobody's use is looked at.
const WATCHED_SHARE: f64 = 0.5;

/// By how much of the margin one object must be further from being needed than another to make room for it.
const HYSTERESIS_SHARE_OF_MARGIN: f32 = 0.5;

/// Somebody who may have to go.
struct Candidate {
    object: u32,
    bytes: u64,
    /// How far the character is from needing it, in metres; infinite outside of its load rectangle.
    gap: f32,
}

impl<L: Loader> Streaming<L> {
    /// The bytes of all that is there or on its way, by the metadata. The memory cap is about these.
    pub fn held_bytes(&self) -> u64 {
        self.resident_bytes.saturating_add(self.bytes_in_flight())
    }

    /// Notes when each resident object was used last, which is to say that the character was within its load rectangle.
    pub(super) fn note_uses(&mut self) {
        let mut residents = std::mem::take(&mut self.residents);
        residents.retain(|&object| {
            let stays = self.states[object as usize] == State::Resident;
            self.records[object as usize].listed = stays;
            stays
        });
        let watched = self.settings.memory_cap as f64 * WATCHED_SHARE;
        if self.held_bytes() as f64 >= watched {
            self.tests.memory += residents.len() as u64;
            for &object in &residents {
                if self.rectangles(object).load.contains(self.position) {
                    self.records[object as usize].used_at = self.now;
                }
            }
        }
        self.residents = residents;
    }

    /// Evicts as much as the requests need that could start now: first what is outside of its load rectangle, the least
    /// recently used first, then what is furthest from being needed, as long as who comes is needed more.
    pub(super) fn make_room(&mut self) {
        let cap = i128::from(self.settings.memory_cap);
        // What waits for its release is as good as gone.
        let leaving = i128::from(self.unloading_bytes);
        let mut room = cap - i128::from(self.held_bytes()) + leaving;
        let free = (self.settings.requests_in_flight as usize).saturating_sub(self.flights.len());
        let coming: Vec<u32> = self
            .queue
            .iter()
            .take(free)
            .map(|entry| entry.object)
            .collect();
        let bytes_of = |objects: &[u32]| -> i128 {
            let bytes = |object: &u32| i128::from(self.objects[*object as usize].bytes);
            objects.iter().map(bytes).sum()
        };
        if room >= bytes_of(&coming) {
            return;
        }

        let candidates = self.candidates();
        let mut candidates = candidates.as_slice();
        // A cap that was lowered holds for those who are needed, too.
        while room < 0
            && let Some((first, rest)) = candidates.split_first()
        {
            room += i128::from(first.bytes);
            self.evict(first.object);
            candidates = rest;
        }
        for object in coming {
            let bytes = i128::from(self.objects[object as usize].bytes);
            let need = self.rectangles(object).need;
            let gap = need.distance_sq(self.position).sqrt();
            let least = gap + self.settings.margin * HYSTERESIS_SHARE_OF_MARGIN;
            let (mut found, mut count) = (room, 0);
            while found < bytes
                && let Some(candidate) = candidates.get(count)
                && candidate.gap > least
            {
                found += i128::from(candidate.bytes);
                count += 1;
            }
            if found < bytes {
                // Nobody goes for somebody for whom it would still not be enough.
                self.bound.memory = true;
                break;
            }
            let (leaving, staying) = candidates.split_at(count);
            for candidate in leaving {
                self.evict(candidate.object);
            }
            candidates = staying;
            room = found - bytes;
        }
    }

    /// Everybody who is there, in the order in which they would have to go.
    fn candidates(&mut self) -> Vec<Candidate> {
        self.tests.memory += self.residents.len() as u64;
        let mut candidates: Vec<Candidate> = self
            .residents
            .iter()
            .map(|&object| {
                let rectangles = self.rectangles(object);
                // What the way meets would be asked for again at once.
                let is_used = rectangles.load.overlaps(self.way);
                Candidate {
                    object,
                    bytes: self.objects[object as usize].bytes,
                    gap: if is_used {
                        rectangles.need.distance_sq(self.position).sqrt()
                    } else {
                        f32::INFINITY
                    },
                }
            })
            .collect();
        let used_at = |candidate: &Candidate| {
            let is_outside = candidate.gap == f32::INFINITY;
            let used_at = self.records[candidate.object as usize].used_at;
            if is_outside { used_at } else { f64::INFINITY }
        };
        let distance_sq = |candidate: &Candidate| {
            let body = self.objects[candidate.object as usize].aabb();
            body.distance_sq(self.position)
        };
        candidates.sort_unstable_by(|a, b| {
            used_at(a)
                .total_cmp(&used_at(b))
                .then(b.gap.total_cmp(&a.gap))
                .then(distance_sq(b).total_cmp(&distance_sq(a)))
                .then(a.object.cmp(&b.object))
        });
        candidates
    }

    fn evict(&mut self, object: u32) {
        self.statistics.evicted += 1;
        self.records[object as usize].evicted = true;
        self.unloading.push_back(object);
        self.enter(object, State::Unloading, Reason::Evicted);
    }
}
