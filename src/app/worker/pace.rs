//! On how many threads a tick is quickest. That depends on the structure, the crowd and on what else the machine is doing, so
//! it is measured, and measured again now and then.

/// Chooses the number of threads by trying some: as long as it is quicker twice as many, or half as many while that is as quick.
#[derive(Debug)]
pub struct Gear {
    most: usize,
    threads: usize,
    /// What the ticks of this trial took so far, all of them together.
    ///
    /// Not the least: several threads are quickest in the one tick in which no frame is drawn, and in all others wait for a processor.
    spent: f64,
    /// The longest of them, which does not count: to one of so many falls what is kept of a tick now and then.
    worst: f64,
    /// On how many threads the round began.
    begun: usize,
    /// The number of threads that was the best of this round, and what its trial took.
    best: (usize, f64),
    /// Ticks left in this stage.
    left: u32,
    stage: Stage,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// How long ticks take as they are: the round begins.
    Measure,
    TryMore,
    TryFewer,
    Settled,
}

impl Gear {
    /// Fewer units than this are done before a second thread has woken up.
    const LEAST_UNITS: u64 = 4_000;
    /// How many ticks a choice is tried for, of which the first does not count: memory is taken in it.
    const TRIAL: u32 = 9;
    /// For how many ticks the better one is kept.
    const SETTLED: u32 = 600;
    /// More threads have to take so much less: somebody else may have work for the processors as well.
    const WORTH_IT: f64 = 0.95;
    /// A trial that takes less than so many seconds is of ticks that nobody waits for.
    const QUICK: f64 = 0.007;

    /// A choice from one thread to `most`.
    pub fn new(most: usize) -> Self {
        Self::begin(most, 1)
    }

    fn begin(most: usize, threads: usize) -> Self {
        Self {
            most,
            threads,
            spent: 0.0,
            worst: 0.0,
            begun: threads,
            best: (threads, f64::INFINITY),
            left: Self::TRIAL,
            stage: Stage::Measure,
        }
    }

    /// On how many threads the next tick is to run.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// Everything is different now but the machine: measure anew.
    pub fn reset(&mut self) {
        *self = Self::begin(self.most, self.best.0);
    }

    /// A tick of so many units took so many seconds.
    pub fn note(&mut self, units: u64, seconds: f64) {
        if self.most < 2 || units < Self::LEAST_UNITS {
            *self = Self::new(self.most);
            return;
        }
        if self.left < Self::TRIAL {
            self.spent += seconds;
            self.worst = self.worst.max(seconds);
        }
        self.left = self.left.saturating_sub(1);
        let spent = self.spent - self.worst;
        let is_better = match self.stage {
            Stage::Measure => true,
            Stage::TryMore => spent < self.best.1 * Self::WORTH_IT,
            Stage::TryFewer => spent * Self::WORTH_IT <= self.best.1,
            Stage::Settled => false,
        };
        // What is spent never becomes less: a trial that is lost ends at once.
        let is_lost = self.stage != Stage::Settled && !is_better;
        if self.left > 0 && !is_lost {
            return;
        }
        let tried = self.threads;
        if is_better {
            // Fewer and fewer threads are not slower and slower.
            let fewer = self.stage == Stage::TryFewer;
            let bar = if fewer { spent.min(self.best.1) } else { spent };
            self.best = (tried, bar);
        }
        let more = (2 * tried).min(self.most);
        let fewer = |threads: usize| threads.next_power_of_two() / 2;
        // One that is no better is passed over: a second thread may cost more than it brings, and the next ones not.
        let goes_on = is_better || tried <= 2 * self.best.0;
        let is_quick = self.best.1 < Self::QUICK;
        (self.stage, self.threads) = match self.stage {
            Stage::Settled => {
                self.begun = tried;
                (Stage::Measure, tried)
            }
            Stage::Measure | Stage::TryMore if more > tried && goes_on && !is_quick => {
                (Stage::TryMore, more)
            }
            // Nothing above is better.
            Stage::Measure | Stage::TryMore if self.best.0 == self.begun && self.begun > 1 => {
                (Stage::TryFewer, fewer(self.begun))
            }
            Stage::TryFewer if is_better && tried > 1 => (Stage::TryFewer, fewer(tried)),
            _ => (Stage::Settled, self.best.0),
        };
        (self.spent, self.worst) = (0.0, 0.0);
        self.left = match self.stage {
            Stage::Settled => Self::SETTLED,
            _ => Self::TRIAL,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs ticks that take `one` second on one thread and `several` on more; returns what is used in the end.
    fn settle(units: u64, one: f64, several: f64) -> usize {
        let mut gear = Gear::new(2);
        for _ in 0..40 {
            let seconds = if gear.threads() == 1 { one } else { several };
            gear.note(units, seconds);
        }
        gear.threads()
    }

    #[test]
    fn the_quicker_number_of_threads_is_kept() {
        assert_eq!(settle(50_000, 1.0, 0.6), 2);
        assert_eq!(settle(50_000, 1.0, 1.1), 1);
        assert_eq!(settle(100, 1.0, 0.6), 1, "a few units are not worth it");
    }

    /// Runs so many ticks that take as long as `seconds` says on so many threads; returns what is the best at the end.
    fn settle_among(most: usize, seconds: impl Fn(usize, u32) -> f64, ticks: u32) -> usize {
        let mut gear = Gear::new(most);
        for tick in 0..ticks {
            gear.note(50_000, seconds(gear.threads(), tick));
        }
        gear.best.0
    }

    #[test]
    fn as_many_threads_are_used_as_make_it_quicker() {
        let up_to = |limit: usize| move |threads: usize, _| 1.0 / threads.min(limit) as f64;
        assert_eq!(settle_among(15, up_to(100), 100), 15);
        assert_eq!(settle_among(15, up_to(4), 100), 4);
        assert_eq!(settle_among(3, up_to(100), 100), 3);
        assert_eq!(settle_among(15, up_to(1), 100), 1);
        // Ticks that nobody waits for wake nobody.
        let quick = |threads: usize, _| 1.0e-4 / threads as f64;
        assert_eq!(settle_among(15, quick, 2000), 1);
    }

    #[test]
    fn a_step_that_is_no_better_is_passed_over() {
        let seconds = |threads: usize, _| match threads {
            1 => 1.0,
            2 => 1.1,
            4 => 0.6,
            8 => 0.4,
            _ => 0.3,
        };
        assert_eq!(settle_among(15, seconds, 2000), 15);
        // All three numbers that there are have been tried, be the first one at the top or at the bottom.
        let seconds = |threads: usize, _| [0.46, 0.36, 0.40][threads - 1];
        assert_eq!(settle_among(3, seconds, 2000), 2);
    }

    #[test]
    fn what_is_kept_now_and_then_decides_nothing() {
        for offset in 0..16 {
            let seconds = |threads: usize, tick: u32| {
                let kept = if tick % 16 == offset { 0.4 } else { 0.0 };
                kept + if threads >= 8 {
                    0.10
                } else {
                    0.8 / threads as f64
                }
            };
            assert_eq!(settle_among(15, seconds, 3000), 8, "{offset}");
        }
    }

    #[test]
    fn when_others_need_the_processors_fewer_threads_are_used_and_then_more_again() {
        let seconds = |threads: usize, tick| {
            let limit = if (900..2900).contains(&tick) { 2 } else { 8 };
            // Whoever waits for a processor is late, and all wait for that one.
            let late = if threads > limit { 2.0 } else { 1.0 };
            late / threads.min(limit) as f64
        };
        assert_eq!(settle_among(15, seconds, 800), 8);
        assert_eq!(settle_among(15, seconds, 2800), 2);
        assert_eq!(settle_among(15, seconds, 4200), 8);
    }

    #[test]
    fn what_begins_anew_begins_with_what_was_good() {
        let mut gear = Gear::new(15);
        for _ in 0..100 {
            gear.note(50_000, 1.0 / gear.threads() as f64);
        }
        gear.reset();
        assert_eq!(gear.threads(), 15);
        gear.note(100, 0.1);
        assert_eq!(gear.threads(), 1, "a few units are not worth it");
    }

    #[test]
    fn a_number_of_threads_that_is_quick_now_and_then_is_not_kept() {
        let mut gear = Gear::new(2);
        for tick in 0..40 {
            let seconds = match (gear.threads(), tick % 4) {
                (1, _) => 1.0,
                (_, 0) => 0.5,
                _ => 1.3,
            };
            gear.note(50_000, seconds);
        }
        assert_eq!(gear.threads(), 1);
    }
}
