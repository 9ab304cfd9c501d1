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

/// By what it is reckoned how quickly a character comes nearer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Approach {
    /// As it goes by now.
    AsItGoes,
    /// It would have to turn: a share of its speed.
    Turning(f32),
    /// It goes more slowly than the slowest that is reckoned with, or stands.
    Slowest,
}

/// The seconds until a character may be inside `need`, if it goes on or, more slowly, turns towards it; 0 inside.
fn time_to_need(need: Aabb, position: Vec2, velocity: Vec2) -> f32 {
    let gap = (position.clamp(need.min, need.max) - position).length();
    if gap == 0.0 {
        return 0.0;
    }
    gap / speed_towards(need, position, velocity).0
}

/// At how many metres a second a character outside of `need` is taken to come nearer, and by what that is reckoned.
pub(super) fn speed_towards(need: Aabb, position: Vec2, velocity: Vec2) -> (f32, Approach) {
    let way = position.clamp(need.min, need.max) - position;
    // A velocity that is no number loses against both floors.
    let closing = velocity.dot(way) / way.length();
    let turning = velocity.length() * TURNING_SHARE;
    let speed = closing.max(turning).max(IDLE_SPEED);
    let approach = if closing >= speed {
        Approach::AsItGoes
    } else if turning >= speed {
        Approach::Turning(TURNING_SHARE)
    } else {
        Approach::Slowest
    };
    (speed, approach)
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
///
/// Who does not come after every update finds what the updates since allowed, each of which is a budget of its own: how much is
/// handed over does not depend on how often the caller comes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Allowance {
    pub(super) uploads: Budget,
    pub(super) unloads: Budget,
    /// Whether nothing was uploaded yet: the first picture of an update is allowed however large it is.
    first_upload: bool,
}

/// How much may be handed over, in one update and until the next.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Budget {
    count: u32,
    bytes: u64,
    /// What one update allows.
    each: (u32, u64),
    /// How many updates before allowed as much, and nobody came.
    missed: u32,
    /// Whether nobody has come since the update.
    is_untouched: bool,
}

impl Budget {
    /// That of the next update.
    fn next(self, count: u32, bytes: u64) -> Self {
        Self {
            count,
            bytes,
            each: (count, bytes),
            missed: if self.is_untouched {
                self.missed.saturating_add(1)
            } else {
                0
            },
            is_untouched: true,
        }
    }

    /// Goes on to what an update allowed in which nobody came; false if there is none.
    fn make_up(&mut self) -> bool {
        let is_missed = self.missed > 0;
        if is_missed {
            self.missed -= 1;
            (self.count, self.bytes) = self.each;
        }
        is_missed
    }
}

impl Allowance {
    /// The budgets of the next update.
    pub(super) fn next(self, settings: &super::Settings) -> Self {
        let bytes = settings.upload_bytes_per_update;
        Self {
            uploads: self.uploads.next(settings.uploads_per_update, bytes),
            unloads: self.unloads.next(settings.unloads_per_update, 0),
            first_upload: true,
        }
    }

    /// Takes an upload of `bytes` out of the budget, if it fits.
    pub(super) fn take_upload(&mut self, bytes: u64) -> bool {
        let uploads = &mut self.uploads;
        uploads.is_untouched = false;
        loop {
            if uploads.count > 0 && (self.first_upload || bytes <= uploads.bytes) {
                uploads.count -= 1;
                uploads.bytes = uploads.bytes.saturating_sub(bytes);
                self.first_upload = false;
                return true;
            }
            if !uploads.make_up() {
                return false;
            }
            self.first_upload = true;
        }
    }

    /// Says that somebody came for uploads and found none: what the updates until now allowed is over.
    pub(super) fn end_uploads(&mut self) {
        self.uploads.is_untouched = false;
        self.uploads.missed = 0;
    }

    /// The same of releases.
    pub(super) fn end_unloads(&mut self) {
        self.unloads.is_untouched = false;
        self.unloads.missed = 0;
    }

    /// Whether something may be released.
    pub(super) fn has_unload(&mut self) -> bool {
        self.unloads.is_untouched = false;
        self.unloads.count > 0 || self.unloads.make_up()
    }

    /// Takes a release out of the budget, of which there must be one.
    pub(super) fn take_unload(&mut self) {
        self.unloads.count = self.unloads.count.saturating_sub(1);
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
        let settings = crate::streaming::Settings {
            uploads_per_update: 3,
            upload_bytes_per_update: 10,
            ..Default::default()
        };
        let mut allowance = Allowance::default().next(&settings);
        assert!(allowance.take_upload(100));
        assert!(!allowance.take_upload(1));
        assert!(allowance.take_upload(0));
        assert!(allowance.take_upload(0));
        assert!(!allowance.take_upload(0));
    }

    #[test]
    fn updates_in_which_nobody_came_allow_what_each_would_have_allowed() {
        let settings = crate::streaming::Settings {
            uploads_per_update: 2,
            upload_bytes_per_update: 10,
            unloads_per_update: 3,
            ..Default::default()
        };
        let sizes = [100, 4, 100, 7, 7, 1, 20, 1, 1, 1, 1, 1];
        let handed_over = |looks_every: u32| {
            let mut allowance = Allowance::default();
            let (mut uploads, mut unloads) = (sizes.iter().copied().cycle().peekable(), 0);
            let mut bytes = Vec::new();
            for update in 1..=48 {
                allowance = allowance.next(&settings);
                if update % looks_every == 0 {
                    while let Some(size) = uploads.peek()
                        && allowance.take_upload(*size)
                    {
                        bytes.extend(uploads.next());
                    }
                    while allowance.has_unload() {
                        allowance.take_unload();
                        unloads += 1;
                    }
                }
            }
            (bytes, unloads)
        };
        let first = handed_over(1);
        assert_eq!(first.1, 144);
        for looks_every in [2, 3, 4, 6, 8, 12, 16, 24, 48] {
            assert_eq!(handed_over(looks_every), first, "every {looks_every}");
        }
        // Who came and found nothing has not saved anything up.
        let mut allowance = Allowance::default().next(&settings).next(&settings);
        allowance.end_uploads();
        assert!(allowance.take_upload(1) && allowance.take_upload(1));
        assert!(!allowance.take_upload(1));
    }
}
