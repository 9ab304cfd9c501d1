//! On how many threads a tick is quickest. That depends on the structure, the crowd and on what else the machine is doing, so
//! it is measured, and measured again now and then.

/// Chooses between one thread and several by trying both.
#[derive(Debug)]
pub struct Gear {
    most: usize,
    threads: usize,
    /// What each choice took in this round, all of its ticks together: one thread, several.
    ///
    /// Not the least: several threads are quickest in the one tick in which no frame is drawn, and in all others wait for a processor.
    spent: [f64; 2],
    /// Ticks left in this stage.
    left: u32,
    stage: Stage,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    TryOne,
    TrySeveral,
    Settled,
}

impl Gear {
    /// Fewer units than this are done before a second thread has woken up.
    const LEAST_UNITS: u64 = 4_000;
    /// How many ticks a choice is tried for, of which the first does not count: memory is taken in it.
    const TRIAL: u32 = 9;
    /// For how many ticks the better one is kept.
    const SETTLED: u32 = 600;

    /// A choice among one thread and at most `most`.
    pub fn new(most: usize) -> Self {
        Self {
            most,
            threads: 1,
            spent: [0.0; 2],
            left: Self::TRIAL,
            stage: Stage::TryOne,
        }
    }

    /// On how many threads the next tick is to run.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// Everything is different now: measure anew.
    pub fn reset(&mut self) {
        *self = Self::new(self.most);
    }

    /// A tick of so many units took so many seconds.
    pub fn note(&mut self, units: u64, seconds: f64) {
        if self.most < 2 || units < Self::LEAST_UNITS {
            self.threads = 1;
            return;
        }
        if self.left < Self::TRIAL {
            self.spent[usize::from(self.threads > 1)] += seconds;
        }
        self.left = self.left.saturating_sub(1);
        if self.left > 0 {
            return;
        }
        (self.stage, self.left) = match self.stage {
            Stage::TryOne => (Stage::TrySeveral, Self::TRIAL),
            Stage::TrySeveral => (Stage::Settled, Self::SETTLED),
            Stage::Settled => (Stage::TryOne, Self::TRIAL),
        };
        self.threads = match self.stage {
            Stage::TryOne => {
                self.spent = [0.0; 2];
                1
            }
            Stage::TrySeveral => self.most,
            Stage::Settled if self.spent[1] < self.spent[0] => self.most,
            Stage::Settled => 1,
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
