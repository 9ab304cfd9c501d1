//! The memory cap: who has to go so that somebody more needed can come.
//!
//! Invariant: what is there and what is on its way never take more than [`Settings::memory_cap`](super::Settings::memory_cap)
//! together, but for as long as releases take after the cap was lowered.
//!
//! Invariant: memory never makes objects come and go by turns. Whoever is evicted for another was at least half a margin further
//! from being needed, so the two change places again only after the character has moved by a quarter of the margin at least.

use super::history::Reason;
use super::holding::{Holding, NO_ASSET};
use super::{Flight, Loader, State, Streaming, Whose, WorldObject};
use crate::story::words::{bytes, with_commas};

/// Under this share of the cap nobody will have to go soon, and nobody's use is looked at.
const WATCHED_SHARE: f64 = 0.5;

/// By how much of the margin one object must be further from being needed than another to make room for it.
const HYSTERESIS_SHARE_OF_MARGIN: f32 = 0.5;

/// Somebody who may have to go.
struct Candidate {
    object: u32,
    asset: u32,
    /// What it takes beside its picture.
    bytes: u64,
    /// How far the character is from needing it, in metres; infinite outside of its load rectangle.
    gap: f32,
}

/// A picture that is to come.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arriving {
    picture: u32,
    /// How many bytes more it takes while it is on its way than when it is there.
    on_top: u64,
}

/// Who has what, if some came and others went.
struct Plan {
    holding: Holding,
    /// The bytes below the cap, pictures aside. Less than none where that is short.
    free: i128,
}

/// The bytes that pictures leave of what is `free` without them.
fn room(free: i128, holding: &Holding) -> i128 {
    let pictures = holding.bytes();
    free - i128::from(pictures.held) + i128::from(pictures.leaving)
}

impl Plan {
    /// The bytes that are left below the cap. Less than none where memory is short.
    fn room(&self) -> i128 {
        room(self.free, &self.holding)
    }

    /// An object comes that takes so much beside its picture.
    fn take(&mut self, asset: u32, bytes: u64) {
        self.holding.change(asset, |users| users.on_the_way += 1);
        self.free -= i128::from(bytes);
    }

    fn release(&mut self, candidate: &Candidate) {
        self.holding
            .change(candidate.asset, |users| users.leaving += 1);
        self.free += i128::from(candidate.bytes);
    }

    /// It stays after all.
    fn spare(&mut self, candidate: &Candidate) {
        self.holding
            .change(candidate.asset, |users| users.leaving -= 1);
        self.free -= i128::from(candidate.bytes);
    }

    /// Whether nobody who stays has the picture of an asset.
    fn is_given_back(&self, asset: u32) -> bool {
        let users = self.holding.users(asset);
        users.on_the_way == 0 && users.there == users.leaving
    }
}

impl<L: Loader> Streaming<L> {
    /// The bytes of memory of all that is there or on its way: what each object is said to take, and each picture once, however
    /// many objects show it. The memory cap is about these.
    pub(crate) fn held_bytes(&self) -> u64 {
        let pictures = self.holding.bytes().held;
        self.own_held_bytes().saturating_add(pictures)
    }

    /// A memory cap that is enough for all that is there and asked for by now, so that nobody waits for memory; `None` where that in
    /// force is. A smaller one may do: what waits for its release counts as well.
    pub(crate) fn enough_bytes(&self) -> Option<u64> {
        self.enough_bytes_by(&mut Vec::new())
    }

    /// The same by who keeps the list that it takes, for the next time. Goes through the whole queue.
    pub(super) fn enough_bytes_by(&self, arriving: &mut Vec<Arriving>) -> Option<u64> {
        let (own, shown) = self.bytes_of_queue(arriving);
        // While it is on its way a picture takes more than when it is there, and so many may be on their way at the same time. Of the
        // next ones it may be any: the most counts.
        let requests = self.settings.requests_in_flight as usize;
        if requests < arriving.len() {
            arriving.select_nth_unstable_by(requests, |a, b| b.on_top.cmp(&a.on_top));
            arriving.truncate(requests);
        }
        let on_top = arriving
            .iter()
            .fold(0, |sum: u64, it| sum.saturating_add(it.on_top));
        let queued = own.saturating_add(shown).saturating_add(on_top);
        let all = self.held_bytes().saturating_add(queued);
        (all > self.settings.memory_cap).then_some(all)
    }

    /// What all that waits takes once it is there, on top of what is held now: beside its pictures, and by them, which are listed, each
    /// of them once.
    fn bytes_of_queue(&self, arriving: &mut Vec<Arriving>) -> (u64, u64) {
        arriving.clear();
        let mut own: u64 = 0;
        for entry in &self.queue {
            own = own.saturating_add(self.own_bytes(entry.object));
            let picture = self.picture_of(entry.object);
            // What is on its way for another takes all its pixels by now.
            if picture != NO_ASSET && self.holding.users(picture).on_the_way == 0 {
                arriving.push(Arriving { picture, on_top: 0 });
            }
        }
        arriving.sort_unstable_by_key(|it| it.picture);
        arriving.dedup_by_key(|it| it.picture);
        let mut all_shown: u64 = 0;
        for it in arriving.iter_mut() {
            let shown = self.holding.shown_bytes(it.picture);
            it.on_top = self.holding.bytes_on_the_way(it.picture) - shown;
            if self.holding.users(it.picture).there == 0 {
                all_shown = all_shown.saturating_add(shown);
            }
        }
        (own, all_shown)
    }

    /// What a resident object takes, in words: bytes that are read of its file, and those of its decoded picture, which others share.
    pub(super) fn takes_in_words(&self, object: u32) -> String {
        let WorldObject {
            bytes: said, asset, ..
        } = self.objects[object as usize];
        let picture = self.picture_of(object);
        let shown = self.holding.shown_bytes(picture);
        if shown == 0 {
            return bytes(said);
        }
        let others = self.holding.users(asset).there.saturating_sub(1);
        let shared = match others {
            0 => String::new(),
            1 => ", shared with 1 other".to_owned(),
            many => format!(", shared with {} others", with_commas(u64::from(many))),
        };
        // What the world says of its size counts beside its picture.
        let counts = if self.own_bytes(object) > 0 {
            " that count as well"
        } else {
            ""
        };
        format!(
            "{} read{counts}, {} decoded{shared}",
            bytes(said),
            bytes(shown)
        )
    }

    /// Pictures aside.
    pub(super) fn own_held_bytes(&self) -> u64 {
        let flights = self.flights.iter().map(|flight| match flight.whose {
            Whose::Object(object) => self.own_bytes(object),
            Whose::Nobody { own_bytes, .. } => own_bytes,
        });
        let decoded = self.decoded.iter();
        flights
            .chain(decoded.map(|decoded| self.own_bytes(decoded.object)))
            .fold(self.resident_bytes, u64::saturating_add)
    }

    /// What an object takes beside its picture.
    pub(super) fn own_bytes(&self, object: u32) -> u64 {
        let said = self.objects[object as usize].bytes;
        self.holding.own_bytes(object, said)
    }

    /// The asset whose picture counts when an object is held.
    pub(super) fn picture_of(&self, object: u32) -> u32 {
        let metadata = &self.objects[object as usize];
        self.holding
            .picture_of(object, metadata.bytes, metadata.asset)
    }

    /// The asset whose picture a request holds.
    pub(super) fn picture_in_flight(&self, flight: &Flight) -> u32 {
        match flight.whose {
            Whose::Object(object) => self.picture_of(object),
            Whose::Nobody { picture, .. } => picture,
        }
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
        let free = (self.settings.requests_in_flight as usize).saturating_sub(self.flights.len());
        let coming: Vec<u32> = self
            .queue
            .iter()
            .take(free)
            .map(|entry| entry.object)
            .collect();
        // What waits for its release is as good as gone.
        let free = i128::from(self.settings.memory_cap) - i128::from(self.own_held_bytes())
            + i128::from(self.unloading_bytes);
        let most = |object: &u32| {
            let more = self.holding.more_bytes(self.picture_of(*object));
            i128::from(self.own_bytes(*object)) + i128::from(more)
        };
        if room(free, &self.holding) >= coming.iter().map(most).sum() {
            return;
        }
        let mut plan = Plan {
            holding: self.holding.clone(),
            free,
        };

        let candidates = self.candidates();
        let mut candidates = candidates.as_slice();
        // A cap that was lowered holds for those who are needed, too.
        while plan.room() < 0
            && let Some((first, rest)) = candidates.split_first()
        {
            plan.release(first);
            self.evict(first.object);
            candidates = rest;
        }
        for object in coming {
            let need = self.rectangles(object).need;
            let gap = need.distance_sq(self.position).sqrt();
            let least = gap + self.settings.margin * HYSTERESIS_SHARE_OF_MARGIN;
            let passing = i128::from(plan.holding.bytes().passing);
            plan.take(self.picture_of(object), self.own_bytes(object));
            if plan.room() < 0 && plan.room() + passing >= 0 {
                // What is on its way takes less when it is there: nobody has to go.
                break;
            }
            let mut count = 0;
            while plan.room() < 0
                && let Some(candidate) = candidates.get(count)
                && candidate.gap > least
            {
                plan.release(candidate);
                count += 1;
            }
            if plan.room() < 0 {
                // Nobody goes for somebody for whom it would still not be enough.
                self.bound.memory = true;
                break;
            }
            let (leaving, staying) = candidates.split_at(count);
            for candidate in leaving {
                // Who only shows what others show as well gives nothing back.
                if candidate.bytes > 0 || plan.is_given_back(candidate.asset) {
                    self.evict(candidate.object);
                } else {
                    plan.spare(candidate);
                }
            }
            candidates = staying;
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
                    asset: self.picture_of(object),
                    bytes: self.own_bytes(object),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::streaming::picture_size::PictureSize;
    use std::sync::Arc;

    #[test]
    fn a_picture_is_given_back_by_the_last_who_shows_it() {
        let size = PictureSize {
            width: 64,
            height: 64,
        };
        let holding = Holding::new(1).knowing(vec![size], Arc::new([true; 3]));
        let mut plan = Plan { holding, free: 0 };
        let full = plan.room();
        plan.holding.change(0, |users| users.there += 2);
        let candidate = |object| Candidate {
            object,
            asset: 0,
            bytes: 10,
            gap: 0.0,
        };
        plan.release(&candidate(0));
        assert!(!plan.is_given_back(0), "another shows it");
        assert_eq!(plan.room(), full - size.bytes() as i128 + 10);
        plan.release(&candidate(1));
        assert!(plan.is_given_back(0));
        assert_eq!(plan.room(), full + 20);
        plan.spare(&candidate(1));
        assert!(!plan.is_given_back(0), "the other stays after all");
        plan.release(&candidate(1));
        plan.take(0, 7);
        assert!(!plan.is_given_back(0), "a third comes");
        assert!(plan.room() < full + 20);
    }
}
