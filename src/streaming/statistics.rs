//! What streaming did, in figures.

use super::Index;

/// Rectangle tests of one update.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FrameTests {
    /// The structure that made them, which may be another one than that of the next update.
    pub index: Index,
    /// Boxes that were looked at to find what to load.
    pub load: u64,
    /// Boxes that were looked at to find what to unload.
    pub unload: u64,
    /// Boxes that brute force would look at for the same decisions: one an object.
    pub brute_force: u64,
    /// Need rectangles looked at for priorities and for these statistics: one for each object on its way, and one for
    /// each that is there and was not needed yet. Brute force would have to do the same.
    pub need: u64,
    /// Objects that were looked at for who was used last and who has to go; none while memory is plenty.
    pub memory: u64,
}

/// The last samples of a quantity, for percentiles; older ones are forgotten.
#[derive(Clone, Debug, Default)]
pub struct Samples {
    values: Vec<f32>,
    /// How many were ever noted.
    count: u64,
}

/// How many samples are kept: hours of walking, in a quarter of a megabyte.
const SAMPLES_KEPT: usize = 1 << 16;

impl Samples {
    pub(super) fn note(&mut self, value: f32) {
        let place = (self.count % SAMPLES_KEPT as u64) as usize;
        if place < self.values.len() {
            self.values[place] = value;
        } else {
            self.values.push(value);
        }
        self.count += 1;
    }

    /// Is as `other`, in the memory that it has.
    fn copy_from(&mut self, other: &Self) {
        self.values.clone_from(&other.values);
        self.count = other.count;
    }

    /// How many were noted since the start, forgotten ones included.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The least value that at least the `share` (0 to 1) of the samples does not exceed; `None` without samples.
    pub fn percentile(&self, share: f64) -> Option<f32> {
        let mut sorted = self.values.clone();
        let last = sorted.len().checked_sub(1)?;
        let rank = (share.clamp(0.0, 1.0) * sorted.len() as f64).ceil() as usize;
        let (_, value, _) =
            sorted.select_nth_unstable_by(rank.saturating_sub(1).min(last), f32::total_cmp);
        Some(*value)
    }
}

/// Sums since the start or since the last [`super::Streaming::reset_statistics`].
#[derive(Clone, Debug, Default)]
pub struct Statistics {
    /// Since when these are the figures, in seconds.
    pub since: f64,
    /// Updates.
    pub updates: u64,
    /// Objects put into the queue, retries included. Each of them was then loaded, cancelled or failed, or is on its way.
    pub queued: u64,
    /// Objects that became resident after they were queued.
    pub loaded: u64,
    /// Objects given up while they were on their way.
    pub cancelled: u64,
    /// Loads that failed, each attempt counted.
    pub failed: u64,
    /// Objects released.
    pub released: u64,
    /// Objects that had to go because of the memory cap. Each of them is then released.
    pub evicted: u64,
    /// Updates in which something had to wait because of the memory cap, and nobody had to go for it.
    pub memory_bound_updates: u64,
    /// Objects that were wanted again before they were released, and so had not to be loaded.
    pub returned: u64,
    /// Pictures that arrived although their request was cancelled.
    pub dropped: u64,
    /// Objects that the character came to need, each once between being asked for and being given up.
    pub needed: u64,
    /// Pop-ins: objects that the character needed before they were there, although it came by the load rectangle. One that is
    /// uploaded after the very update in which it became needed was never missing, and is taken out again.
    pub late_loads: u64,
    /// So many of the late loads were asked for in the first update, which is what the start waits for.
    pub late_at_start: u64,
    /// Whether the start is over: all that was asked for in the first update was there at the end of an update, as
    /// [`super::Streaming::is_ready`] says. To start the figures anew leaves that as it is.
    pub started: bool,
    /// Objects needed at the moment they were asked for: the start, a teleport, or a character that is dragged. No lead could have helped.
    pub sudden_loads: u64,
    /// Bytes that the loader read: of each load those that its object is said to have, whoever else has the same asset.
    pub loaded_bytes: u64,
    /// Of those the ones read for nothing: the object was given up on its way, or released without ever having been needed.
    pub wasted_bytes: u64,
    /// The most that the resident objects ever took together, in bytes.
    pub peak_resident_bytes: u64,
    /// The most that what was there and what was on its way ever took together, in bytes.
    pub peak_held_bytes: u64,
    /// Updates in which the trees did not decide as brute force does. Counted while that is checked; always 0.
    pub mismatches: u64,
    /// From being queued to being there, in milliseconds.
    pub time_to_visible_ms: Samples,
    /// From being needed to being there, of the late loads, in milliseconds.
    pub lateness_ms: Samples,
}

impl Statistics {
    /// Is as `other`, in the memory that it has.
    pub(super) fn copy_from(&mut self, other: &Self) {
        let mut time_to_visible_ms = std::mem::take(&mut self.time_to_visible_ms);
        let mut lateness_ms = std::mem::take(&mut self.lateness_ms);
        time_to_visible_ms.copy_from(&other.time_to_visible_ms);
        lateness_ms.copy_from(&other.lateness_ms);
        *self = Self {
            time_to_visible_ms,
            lateness_ms,
            ..*other
        };
    }

    /// The bytes that the samples take on the heap.
    pub(super) fn byte_count(&self) -> usize {
        let samples =
            self.time_to_visible_ms.values.capacity() + self.lateness_ms.values.capacity();
        samples * size_of::<f32>()
    }
}

/// What going over known time again took of the disk, since the tour began. No keyframe takes it back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reread {
    /// Loads that were answered from what was read before.
    pub from_cache: u64,
    /// Files that had to be read again, because they were not kept.
    pub read_again: u64,
    /// The bytes of those files.
    pub bytes: u64,
    /// The bytes that what is kept takes. Pictures that the world shows or a keyframe holds are shared with them.
    pub cache_bytes: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_values_that_occurred() {
        let mut samples = Samples::default();
        assert_eq!(samples.percentile(0.5), None);
        for value in (1..=100).rev() {
            samples.note(value as f32);
        }
        assert_eq!(samples.percentile(0.0), Some(1.0));
        assert_eq!(samples.percentile(0.5), Some(50.0));
        assert_eq!(samples.percentile(0.99), Some(99.0));
        assert_eq!(samples.percentile(1.0), Some(100.0));
    }

    #[test]
    fn old_samples_are_forgotten() {
        let mut samples = Samples::default();
        for value in 0..SAMPLES_KEPT + 10 {
            samples.note(value as f32);
        }
        assert_eq!(samples.percentile(0.0), Some(10.0));
        assert_eq!(samples.count(), SAMPLES_KEPT as u64 + 10);
    }

    #[test]
    fn a_sample_takes_four_bytes() {
        let mut statistics = Statistics::default();
        assert_eq!(statistics.byte_count(), 0);
        for sample in 0..1_000 {
            statistics.time_to_visible_ms.note(sample as f32);
        }
        for sample in 0..24 {
            statistics.lateness_ms.note(sample as f32);
        }
        // A copy has no room to spare.
        assert_eq!(statistics.clone().byte_count(), 4_096);
    }
}
