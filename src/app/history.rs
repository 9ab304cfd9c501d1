//! The last ten seconds of every figure that is plotted.

use skirmish::streaming::Figures;
use std::collections::VecDeque;

/// How many samples are kept: ten seconds of ticks.
pub const LENGTH: usize = 600;

/// The last values of one figure.
#[derive(Clone, Debug, Default)]
pub struct Series {
    values: VecDeque<f32>,
}

impl Series {
    /// Takes one more value and forgets the oldest.
    pub fn push(&mut self, value: f32) {
        if self.values.len() == LENGTH {
            self.values.pop_front();
        }
        self.values.push_back(value);
    }

    /// Forgets all values.
    pub fn clear(&mut self) {
        self.values.clear();
    }

    /// Whether there is no value yet.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The values, oldest first.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = f32> + '_ {
        self.values.iter().copied()
    }

    /// The newest value.
    pub fn last(&self) -> f32 {
        self.values.back().copied().unwrap_or(0.0)
    }

    /// The value below which this part of the last `count` values lies.
    pub fn percentile(&self, part: f32, count: usize) -> f32 {
        let mut last: Vec<f32> = self.values.iter().rev().take(count).copied().collect();
        if last.is_empty() {
            return 0.0;
        }
        last.sort_by(f32::total_cmp);
        last[((last.len() - 1) as f32 * part.clamp(0.0, 1.0)).round() as usize]
    }

    /// The mean of the last `count` values.
    pub fn mean(&self, count: usize) -> f32 {
        let count = count.min(self.values.len());
        self.values.iter().rev().take(count).sum::<f32>() / count.max(1) as f32
    }

    /// The last values thinned to about `count`, for a small line.
    pub fn thinned(&self, count: usize) -> Vec<f32> {
        let step = (self.values.len() / count.max(1)).max(1);
        self.values
            .iter()
            .copied()
            .skip(self.values.len() % step)
            .step_by(step)
            .collect()
    }
}

/// Every figure of the battle that is plotted.
#[derive(Clone, Debug, Default)]
pub struct History {
    /// Tests of a tick.
    pub tests: Series,
    /// Pairs found in a tick.
    pub pairs: Series,
    /// Regions visited in a tick.
    pub visits: Series,
    /// Microseconds of upkeep of the structure.
    pub update_us: Series,
    /// Microseconds of queries.
    pub query_us: Series,
    /// Microseconds of the whole step.
    pub step_us: Series,
    /// Milliseconds between frames.
    pub frame_ms: Series,
    /// Milliseconds of work in a frame: all but the wait for the next one.
    pub work_ms: Series,
}

impl History {
    /// Takes over the figures of ticks, and leaves those of frames, which are the window's own.
    pub fn copy_ticks(&mut self, other: &Self) {
        self.tests.clone_from(&other.tests);
        self.pairs.clone_from(&other.pairs);
        self.visits.clone_from(&other.visits);
        self.update_us.clone_from(&other.update_us);
        self.query_us.clone_from(&other.query_us);
        self.step_us.clone_from(&other.step_us);
    }

    /// Forgets what belongs to one structure; the time of frames goes on.
    pub fn clear_structure(&mut self) {
        for series in [
            &mut self.tests,
            &mut self.pairs,
            &mut self.visits,
            &mut self.update_us,
            &mut self.query_us,
            &mut self.step_us,
        ] {
            series.clear();
        }
    }
}

/// Every figure of the streaming that is plotted.
#[derive(Clone, Debug, Default)]
pub struct TourHistory {
    /// Rectangle tests of the load tree, an update each.
    pub load_tests: Series,
    /// Rectangle tests of the unload tree.
    pub unload_tests: Series,
    /// Rectangle tests of both.
    pub tests: Series,
    /// What brute force would have tested.
    pub brute_force: Series,
    /// Megabytes read a second.
    pub read: Series,
    /// Late loads since the start.
    pub late: Series,
    /// Objects that are needed and not there.
    pub missing: Series,
    /// Objects given up on their way since the start.
    pub cancelled: Series,
    /// Bytes read for nothing since the start.
    pub wasted: Series,
}

impl TourHistory {
    /// Takes the figures of one more tick.
    pub fn push(&mut self, figures: &Figures) {
        let tests = figures.tests;
        self.load_tests.push(tests.load as f32);
        self.unload_tests.push(tests.unload as f32);
        self.tests.push((tests.load + tests.unload) as f32);
        self.brute_force.push(tests.brute_force as f32);
        self.read.push(figures.read_mbps());
        self.late.push(figures.late as f32);
        self.missing.push(figures.missing as f32);
        self.cancelled.push(figures.cancelled as f32);
        self.wasted.push(figures.wasted_bytes as f32);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_series_forgets_the_oldest() {
        let mut series = Series::default();
        for value in 0..LENGTH + 5 {
            series.push(value as f32);
        }
        assert_eq!(series.iter().len(), LENGTH);
        assert_eq!(series.iter().next(), Some(5.0));
        assert_eq!(series.last(), (LENGTH + 4) as f32);
        assert_eq!(series.percentile(1.0, 10), (LENGTH + 4) as f32);
        assert!(series.thinned(40).len() <= 41);
    }
}
