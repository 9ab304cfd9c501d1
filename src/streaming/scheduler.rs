//! Who is served first: the order of the queue, and the budgets of one update.

use crate::geometry::{Aabb, Vec2};

/// The slowest that a character is taken to be, in m/s: one that stands may set off.
const IDLE_SPEED: f32 = 1.0;

/// The share of its speed at which a character is taken to approach what is not on its way: it may turn around.
const TURNING_SHARE: f32 = 0.25;

/// How soon an object is needed; the smaller goes first.
///
/// By time and not by distance: a large object is needed from further away, and would starve behind small ones that are
/// nearer and not yet needed. Among objects that are needed now, the nearest edge goes first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Urgency {
    /// The seconds until the character may need the object; 0 when it does already.
    pub time_to_need: f32,
    /// The squared distance from the character to the object's own box, in m².
    pub distance_sq: f32,
}

impl Urgency {
    /// How soon an object with the box `body` that is needed within `need` is needed by a character.
    pub fn of(body: Aabb, need: Aabb, position: Vec2, velocity: Vec2) -> Self {
        Self {
            time_to_need: time_to_need(need, position, velocity),
            distance_sq: body.distance_sq(position),
        }
    }

    /// A total order: more urgent first, then by `object`, so that equal ones never change places.
    pub(super) fn compare(
        &self,
        object: u32,
        other: &Self,
        other_object: u32,
    ) -> std::cmp::Ordering {
        self.time_to_need
            .total_cmp(&other.time_to_need)
            .then(self.distance_sq.total_cmp(&other.distance_sq))
            .then(object.cmp(&other_object))
    }
}

/// The seconds until a character may be inside `need`, if it goes on or, more slowly, turns towards it; 0 inside.
fn time_to_need(need: Aabb, position: Vec2, velocity: Vec2) -> f32 {
    let way = position.clamp(need.min, need.max) - position;
    let gap = way.length();
    if gap == 0.0 {
        return 0.0;
    }
    // A velocity that is no number loses against both floors.
    let closing = velocity.dot(way) / gap;
    let speed = closing
        .max(velocity.length() * TURNING_SHARE)
        .max(IDLE_SPEED);
    gap / speed
}

/// An object that waits for a place among the requests in flight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct QueueEntry {
    /// Which.
    pub object: u32,
    /// The seconds until the character may need it; 0 when it does already.
    pub time_to_need: f32,
    /// The squared distance from the character to the object's own box, in m²: it decides between equal times.
    pub distance_sq: f32,
}

impl QueueEntry {
    pub(super) fn urgency(&self) -> Urgency {
        Urgency {
            time_to_need: self.time_to_need,
            distance_sq: self.distance_sq,
        }
    }

    pub(super) fn set_urgency(&mut self, urgency: Urgency) {
        self.time_to_need = urgency.time_to_need;
        self.distance_sq = urgency.distance_sq;
    }
}

/// Which budgets of an update were used up, so that something had to wait for the next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bound {
    /// As many requests were in flight as may be.
    pub requests: bool,
    /// As many bytes were in flight as may be.
    pub bytes_in_flight: bool,
    /// Below the memory cap there was no room for what is most urgent, and nobody who had to go for it.
    pub memory: bool,
    /// As many pictures were uploaded as may be.
    pub uploads: bool,
    /// As many pictures were released as may be.
    pub unloads: bool,
}

/// What may still be handed to the caller before the next update.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Allowance {
    pub(super) uploads: u32,
    pub(super) upload_bytes: u64,
    /// Whether nothing was uploaded yet: the first picture is allowed however large it is.
    pub(super) first_upload: bool,
    pub(super) unloads: u32,
}

impl Allowance {
    /// The budgets of one update.
    pub(super) fn of(settings: &super::Settings) -> Self {
        Self {
            uploads: settings.uploads_per_update,
            upload_bytes: settings.upload_bytes_per_update,
            first_upload: true,
            unloads: settings.unloads_per_update,
        }
    }

    /// Takes an upload of `bytes` out of the budget, if it fits.
    pub(super) fn take_upload(&mut self, bytes: u64) -> bool {
        let fits = self.uploads > 0 && (self.first_upload || bytes <= self.upload_bytes);
        if fits {
            self.uploads -= 1;
            self.upload_bytes = self.upload_bytes.saturating_sub(bytes);
            self.first_upload = false;
        }
        fits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn need(x: f32, reach: f32) -> Aabb {
        Aabb::around(Vec2::new(x, 0.0), Vec2::splat(reach))
    }

    #[test]
    fn what_is_ahead_comes_before_what_is_as_near_behind() {
        let velocity = Vec2::new(10.0, 0.0);
        assert_eq!(time_to_need(need(30.0, 10.0), Vec2::ZERO, velocity), 2.0);
        assert_eq!(time_to_need(need(-30.0, 10.0), Vec2::ZERO, velocity), 8.0);
        assert_eq!(time_to_need(need(5.0, 10.0), Vec2::ZERO, velocity), 0.0);
        assert_eq!(time_to_need(need(30.0, 10.0), Vec2::ZERO, Vec2::ZERO), 20.0);
        assert_eq!(time_to_need(need(30.0, 10.0), Vec2::ZERO, Vec2::NAN), 20.0);
    }

    #[test]
    fn a_large_object_is_not_starved_by_nearer_small_ones() {
        let velocity = Vec2::new(5.0, 0.0);
        let small = Urgency::of(need(30.0, 1.0), need(30.0, 10.0), Vec2::ZERO, velocity);
        let large = Urgency::of(need(150.0, 40.0), need(150.0, 140.0), Vec2::ZERO, velocity);
        assert!(small.distance_sq < large.distance_sq);
        assert!(large.compare(1, &small, 0).is_lt());
    }

    #[test]
    fn one_upload_is_always_allowed() {
        let mut allowance = Allowance {
            uploads: 3,
            upload_bytes: 10,
            first_upload: true,
            unloads: 0,
        };
        assert!(allowance.take_upload(100));
        assert!(!allowance.take_upload(1));
        assert!(allowance.take_upload(0));
        assert!(allowance.take_upload(0));
        assert!(!allowance.take_upload(0));
    }
}
