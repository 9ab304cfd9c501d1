//! The readings of a lane while time stands still: a time is the median of the last few, as in the table of all structures, and what those
//! say too little of is doubtful there and here alike. While time passes, the last ticks are read in the same way.

use super::surveyor::{LEAST_READINGS, Spread};
use super::*;

/// So many readings at rest are enough where they agree: a single one, of a structure that has just been built, is that of cold caches.
pub(super) const READINGS: usize = 7;

/// As many are made at rest where they do not: a machine that is busy with something else may stay it.
pub(super) const MOST_READINGS: usize = 15;

/// What has taken longer than this altogether is read no more often than it has to be, in microseconds,
const LONG_US: f32 = 420_000.0;

/// and what takes longer than this once is read once.
const TOO_LONG_US: f32 = 4_000_000.0;

/// The readings of a lane at rest.
#[derive(Clone, Debug, Default)]
pub(super) struct AtRest {
    /// The last ones, the latest last. Those of before are shown until there is one in their place.
    pub(super) last: VecDeque<Times>,
    /// How many were made since it was begun anew, ...
    pub(super) taken: usize,
    /// ... how long all of them took, ...
    spent_us: f32,
    /// ... and how long the slowest did.
    slowest_us: f32,
}

impl AtRest {
    /// From now on other readings are made.
    pub(super) fn begin_anew(&mut self) {
        (self.taken, self.spent_us, self.slowest_us) = (0, 0.0, 0.0);
    }

    pub(super) fn take(&mut self, times: Times) {
        if self.taken == 0 {
            self.last.clear();
        } else if self.last.len() == READINGS {
            self.last.pop_front();
        }
        let took = times.update_us + times.query_us;
        self.last.push_back(times);
        self.taken += 1;
        self.spent_us += took;
        self.slowest_us = self.slowest_us.max(took);
    }

    /// Whether it is to be read again, where `all` readings are wanted of what takes no time.
    pub(super) fn wants_more(&self, all: usize) -> bool {
        let wanted = match (self.spent_us, self.slowest_us) {
            (_, slowest) if slowest > TOO_LONG_US => 1,
            (spent, _) if spent > LONG_US => all.min(LEAST_READINGS),
            _ => all,
        };
        self.taken < wanted
    }

    /// Its times, and of how many readings they are the medians.
    pub(super) fn times(&self) -> Option<Timed> {
        let last: Vec<Times> = self.last.iter().copied().collect();
        Some(Timed {
            times: median(&last)?,
            count: self.taken.min(last.len()),
            doubtful_from: self.doubts(),
            middle: None,
        })
    }

    /// The least reading of the build and of the queries, where that is doubtful.
    pub(super) fn doubts(&self) -> [Option<f32>; 2] {
        let doubt = |of: fn(&Times) -> f32| {
            let all = self.last.iter().map(|times| f64::from(of(times)));
            let spread = Spread::of(all.collect())?;
            let is_sure = self.taken >= LEAST_READINGS && !spread.is_doubtful();
            (!is_sure).then_some(spread.least as f32)
        };
        [
            doubt(|times| times.update_us),
            doubt(|times| times.query_us),
        ]
    }

    /// Whether its last readings disagree.
    pub(super) fn is_doubtful(&self) -> bool {
        self.doubts().iter().any(Option::is_some)
    }
}

/// Of fewer ticks a time is doubtful: by chance half of them may be longer than it takes.
pub const LEAST_TICKS: usize = 30;

/// The times of a lane as they are shown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Timed {
    /// The medians ...
    pub(super) times: Times,
    /// ... of so many ticks, or readings at rest.
    pub(super) count: usize,
    /// What stands for the least of upkeep and of queries, where the median is doubtful.
    pub(super) doubtful_from: [Option<f32>; 2],
    /// Between which times the middle half of the ticks lies; `None` at rest.
    pub(super) middle: Option<Middle>,
}

impl Timed {
    /// That of some ticks; `None` of none.
    pub(super) fn of_ticks(ticks: &[Times]) -> Option<Self> {
        let spread = |of: fn(&Times) -> f32| {
            let mut values: Vec<f32> = ticks.iter().map(of).collect();
            values.sort_unstable_by(f32::total_cmp);
            // A tick asks a little less or more than the one before: the least of many is no time of all. A quarter of them stands for it.
            let at = |quarter: usize| {
                values
                    .get(values.len() * quarter / 4)
                    .map(|us| f64::from(*us))
            };
            Some(Spread {
                least: at(1)?,
                median: at(2)?,
                most: at(3)?,
            })
        };
        let spreads = [
            spread(|it| it.update_us)?,
            spread(|it| it.query_us)?,
            spread(|it| it.update_us + it.query_us)?,
        ];
        let doubt = |spread: Spread| {
            let is_sure = ticks.len() >= LEAST_TICKS && !spread.is_doubtful();
            (!is_sure).then_some(spread.least as f32)
        };
        Some(Self {
            times: median(ticks)?,
            count: ticks.len(),
            doubtful_from: [doubt(spreads[0]), doubt(spreads[1])],
            middle: Some(spreads.map(|it| [it.least, it.most])),
        })
    }
}

/// Between which times the middle half of some ticks lies, in microseconds: their upkeep, their queries, and both together.
pub type Middle = [[f64; 2]; 3];

/// The median of each of some times; `None` of none.
pub(super) fn median(times: &[Times]) -> Option<Times> {
    let median = |of: fn(&Times) -> f32| {
        let mut values: Vec<f32> = times.iter().map(of).collect();
        values.sort_unstable_by(f32::total_cmp);
        values.get(values.len() / 2).copied()
    };
    Some(Times {
        update_us: median(|times| times.update_us)?,
        query_us: median(|times| times.query_us)?,
        step_us: median(|times| times.step_us)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(build: f32, query: f32) -> Times {
        Times {
            update_us: build,
            query_us: query,
            step_us: build + query,
        }
    }

    #[test]
    fn a_reading_is_confirmed_by_others_before_anything_is_claimed_by_it() {
        let mut lane = AtRest::default();
        assert!(lane.times().is_none() && lane.wants_more(READINGS));
        lane.take(times(300.0, 7_040.0));
        assert_eq!(lane.doubts(), [Some(300.0), Some(7_040.0)]);
        lane.take(times(310.0, 3_000.0));
        lane.take(times(305.0, 2_990.0));
        assert_eq!(lane.doubts(), [None, None]);
        assert_eq!(
            lane.times().map(|it| (it.times.query_us, it.count)),
            Some((3_000.0, 3))
        );
        // Half of them were held up.
        for _ in 0..3 {
            lane.take(times(320.0, 9_000.0));
        }
        assert_eq!(lane.doubts(), [None, Some(2_990.0)]);
        assert!(lane.wants_more(READINGS) && lane.wants_more(MOST_READINGS));
        for _ in 0..READINGS {
            lane.take(times(300.0, 3_000.0));
        }
        assert_eq!(lane.last.len(), READINGS);
        assert!(!lane.is_doubtful() && !lane.wants_more(READINGS));
    }

    #[test]
    fn ticks_are_doubted_where_they_are_few_or_lie_far_apart_and_not_for_one_that_was_held_up() {
        let of = |ticks: &[Times]| Timed::of_ticks(ticks).expect("ticks");
        assert_eq!(Timed::of_ticks(&[]), None);
        let mut ticks = vec![times(100.0, 1_000.0); LEAST_TICKS - 1];
        assert_eq!(of(&ticks).doubtful_from, [Some(100.0), Some(1_000.0)]);
        ticks.push(times(900.0, 20_000.0));
        let timed = of(&ticks);
        assert_eq!(timed.doubtful_from, [None, None]);
        let whole = [[100.0, 100.0], [1_000.0, 1_000.0], [1_100.0, 1_100.0]];
        assert_eq!(timed.middle, Some(whole));
        assert_eq!((timed.times.query_us, timed.count), (1_000.0, LEAST_TICKS));
        // More than half of them were held up in their queries.
        ticks.resize(2 * LEAST_TICKS + 4, times(100.0, 2_000.0));
        let timed = of(&ticks);
        assert_eq!(timed.doubtful_from, [None, Some(1_000.0)]);
        assert_eq!(timed.times.query_us, 2_000.0);
    }

    #[test]
    fn readings_of_before_are_shown_until_there_are_others_and_are_worth_nothing() {
        let mut lane = AtRest::default();
        for _ in 0..READINGS {
            lane.take(times(10.0, 100.0));
        }
        lane.begin_anew();
        let shown = |lane: &AtRest| lane.times().map(|it| (it.times, it.count));
        assert_eq!(shown(&lane), Some((times(10.0, 100.0), 0)));
        assert_eq!(lane.doubts(), [Some(10.0), Some(100.0)]);
        lane.take(times(20.0, 900.0));
        assert_eq!(shown(&lane), Some((times(20.0, 900.0), 1)));
    }

    #[test]
    fn what_takes_long_is_read_as_often_as_it_has_to_be_and_what_nobody_would_wait_for_once() {
        let count = |took: f32| {
            let mut lane = AtRest::default();
            while lane.wants_more(MOST_READINGS) {
                lane.take(times(0.0, took));
            }
            lane.taken
        };
        assert_eq!(count(1_000.0), MOST_READINGS);
        assert_eq!(count(200_000.0), LEAST_READINGS);
        assert_eq!(count(700_000.0), LEAST_READINGS);
        assert_eq!(count(2_000_000.0), LEAST_READINGS);
        assert_eq!(count(5_000_000.0), 1);
        assert_eq!(count(f32::NAN), MOST_READINGS, "where no clock is shown");
    }
}
