//! Between two updates: pictures to be uploaded, and pictures to be released.

use super::history::Reason;
use super::scheduler::Urgency;
use super::{Failure, Image, Loader, State, Streaming};
use std::sync::Arc;

/// A picture to be uploaded.
#[derive(Clone, Debug)]
pub struct Upload {
    /// Whose it is.
    pub object: u32,
    /// Its asset: objects with the same one have the same picture.
    pub asset: u32,
    /// The picture.
    pub image: Arc<Image>,
}

/// An object whose picture waits for its upload.
#[derive(Clone, Debug)]
pub(super) struct Decoded {
    pub(super) object: u32,
    pub(super) urgency: Urgency,
    /// The picture; `None` while the caller has it.
    pub(super) image: Option<Arc<Image>>,
}

impl<L: Loader> Streaming<L> {
    /// The next picture to upload, the most urgent first; `None` when there is none or the budgets of this update are used
    /// up, and of those before it after which nobody has asked. The caller uploads it and says so by [`Streaming::uploaded`] or [`Streaming::upload_refused`].
    pub fn next_upload(&mut self) -> Option<Upload> {
        let next = self
            .decoded
            .iter_mut()
            .find(|decoded| decoded.image.is_some());
        let Some(next) = next else {
            self.allowance.end_uploads();
            return None;
        };
        let object = next.object;
        let asset = self.objects[object as usize].asset;
        // A picture that is there is there: whoever else shows it has nothing to upload.
        let bytes = match (&next.image, self.holding.users(asset).there) {
            (Some(image), 0) => image.rgba.len() as u64,
            _ => 0,
        };
        if !self.allowance.take_upload(bytes) {
            self.bound.uploads = true;
            return None;
        }
        self.records[object as usize].handed_out = true;
        Some(Upload {
            object,
            asset,
            image: next.image.take()?,
        })
    }

    /// Says that the picture of `object` is where it can be seen. Without an upload under way this does nothing.
    pub fn uploaded(&mut self, object: u32) {
        if !self.take_back_upload(object) {
            return;
        }
        self.failures.remove(&object);
        let record = self.records[object as usize];
        self.statistics.loaded += 1;
        let since = |from: f64| ((self.now - from) * 1.0e3) as f32;
        self.statistics
            .time_to_visible_ms
            .note(since(record.queued_at));
        if record.needed_at.is_infinite() {
            self.unneeded.push(object);
        } else if !record.excused {
            if record.needed_at == self.now {
                // It has become needed in this very update, and is there before anybody has looked: it was never missing.
                let sums = &mut self.statistics;
                sums.late_loads = sums.late_loads.saturating_sub(1);
                if record.is_of_start {
                    sums.late_at_start = sums.late_at_start.saturating_sub(1);
                }
            } else {
                self.statistics.lateness_ms.note(since(record.needed_at));
                let lateness = self.lateness_now(object);
                self.lateness.insert(object, lateness);
                self.came_late.push(object);
            }
        }
        self.enter(object, State::Resident, Reason::Uploaded);
    }

    /// Says that the picture of `object` could not be taken, and why, in a sentence. The object fails, and is asked for
    /// again later. Whoever said too early that it was uploaded may say so as well. Without an upload under way, and of an
    /// object that is not resident, this does nothing.
    pub fn upload_refused(&mut self, object: u32, sentence: &str) {
        if !self.take_back_upload(object) {
            if self.states.get(object as usize) != Some(&State::Resident) {
                return;
            }
            // It was never there: its load ends anew, as a failure.
            match self.statistics.loaded.checked_sub(1) {
                Some(loaded) => self.statistics.loaded = loaded,
                None => self.statistics.queued += 1,
            }
            // Having been taken to be there has cut its failures short; they are counted apart, so that its waits grow.
            let refusals = self.refusals.entry(object).or_insert(0);
            self.failures.insert(
                object,
                Failure {
                    sentence: String::new(),
                    attempts: *refusals,
                    retry_at: self.now,
                },
            );
            *refusals = refusals.saturating_add(1);
        }
        self.waste(object);
        self.fail(object, sentence.to_owned(), Reason::UploadRefused);
    }

    /// The next object whose picture is to be released; `None` when there is none or the budget of this update is used up,
    /// and of those before it after which nobody has asked.
    /// The caller releases it and says so by [`Streaming::unloaded`].
    pub fn next_unload(&mut self) -> Option<u32> {
        if !self.allowance.has_unload() {
            self.bound.unloads |= self.counts[State::Unloading as usize] > 0;
            return None;
        }
        while let Some(object) = self.unloading.pop_front() {
            let record = &mut self.records[object as usize];
            // One that came back in time is still in the list.
            if self.states[object as usize] == State::Unloading && !record.handed_out {
                record.handed_out = true;
                self.allowance.take_unload();
                return Some(object);
            }
        }
        self.allowance.end_unloads();
        None
    }

    /// Says that the picture of `object` is released. Without a release under way this does nothing.
    pub fn unloaded(&mut self, object: u32) {
        let Some(record) = self.records.get_mut(object as usize) else {
            return;
        };
        if self.states[object as usize] != State::Unloading || !record.handed_out {
            return;
        }
        record.handed_out = false;
        self.statistics.released += 1;
        if record.needed_at.is_infinite() {
            self.waste(object);
        }
        self.enter(object, State::Unloaded, Reason::Released);
    }

    /// What was read of `object` was read for nothing. What the figures do not have as read they do not have as wasted.
    pub(super) fn waste(&mut self, object: u32) {
        let record = &self.records[object as usize];
        if record.is_counted {
            self.statistics.wasted_bytes += record.bytes_read;
        }
    }

    /// Takes an object that the caller is uploading off the list; false if there is no such.
    fn take_back_upload(&mut self, object: u32) -> bool {
        let place = self
            .decoded
            .iter()
            .position(|decoded| decoded.object == object && decoded.image.is_none());
        if let Some(place) = place {
            self.decoded.remove(place);
            self.records[object as usize].handed_out = false;
        }
        place.is_some()
    }
}

#[cfg(test)]
mod tests {
    use crate::geometry::Vec2;
    use crate::streaming::{Settings, SimulatedLoader, State, Streaming, WorldObject};

    #[test]
    fn what_was_read_before_the_figures_began_is_neither_read_nor_wasted() {
        let object = WorldObject {
            center: Vec2::ZERO,
            half_extent: Vec2::ONE,
            bytes: 1_000,
            asset: 0,
        };
        let (settings, loader) = (Settings::default(), SimulatedLoader::default());
        let mut streaming = Streaming::new([object], ["a.png".into()], settings, loader);
        let far = Vec2::new(1.0e6, 0.0);
        // So near that it is loaded, and so far that it is not needed.
        let rectangles = streaming.rectangles(0);
        let near = Vec2::new(rectangles.need.max.x.midpoint(rectangles.load.max.x), 0.0);
        let mut tick = 0_u32;
        let mut stand = |streaming: &mut Streaming<SimulatedLoader>, at: Vec2| {
            for _ in 0..120 {
                tick += 1;
                streaming.update(f64::from(tick) / 60.0, at, Vec2::ZERO);
                while let Some(upload) = streaming.next_upload() {
                    streaming.uploaded(upload.object);
                }
                while let Some(object) = streaming.next_unload() {
                    streaming.unloaded(object);
                }
            }
            let sums = streaming.statistics();
            let bytes = (sums.loaded_bytes, sums.wasted_bytes);
            (streaming.states()[0], bytes)
        };
        let there = State::Resident;
        assert_eq!(stand(&mut streaming, near), (there, (1_000, 0)));
        streaming.reset_statistics();
        assert_eq!(stand(&mut streaming, far), (State::Unloaded, (0, 0)));
        assert_eq!(stand(&mut streaming, near), (there, (1_000, 0)));
        assert_eq!(
            stand(&mut streaming, far),
            (State::Unloaded, (1_000, 1_000))
        );
    }
}
