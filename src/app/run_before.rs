//! What streaming came to in the run before the last restart, to compare the run of now with.

use skirmish::streaming::Statistics;
use std::collections::BTreeMap;

/// What a run came to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Run {
    /// Objects that were needed and not there, and how many were needed.
    pub late: u64,
    /// See [`late`](Self::late).
    pub needed: u64,
    /// How long it took until half of what was asked for was seen, and until all but one in a hundred was, in milliseconds.
    pub visible_ms: [Option<f32>; 2],
    /// Bytes that were read, and those of them that nobody needed.
    pub read: u64,
    /// See [`read`](Self::read).
    pub wasted: u64,
    /// How long it was, in seconds.
    pub seconds: f64,
}

impl Run {
    /// What these figures say of a run that ended so many seconds after its beginning.
    pub fn of(statistics: &Statistics, seconds: f64) -> Self {
        let visible = |share| statistics.time_to_visible_ms.percentile(share);
        Self {
            late: statistics.late_loads,
            needed: statistics.needed,
            visible_ms: [visible(0.5), visible(0.99)],
            read: statistics.loaded_bytes,
            wasted: statistics.wasted_bytes,
            seconds,
        }
    }
}

/// Where time stands: the tick, the last one that is known, and the tick at which the world was made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stands {
    /// The tick.
    pub tick: u64,
    /// The last one.
    pub end: u64,
    /// When the world was made: at the start, or by a restart.
    pub made: u64,
}

/// The run of now and those before it.
#[derive(Clone, Debug, Default)]
pub struct Runs {
    last: Option<Stands>,
    /// At which tick the run before each restart began, and what it came to, by the tick of that, which is its last one: undo leads back
    /// beyond a restart, and redo on again.
    before: BTreeMap<u64, (u64, Run)>,
}

impl Runs {
    /// Beyond more restarts than this nobody goes back.
    const MOST: usize = 64;

    /// Takes down where time stands. Where the world is a newer one than before, and nobody has come here from the past, there was a restart,
    /// and what the run had come to then is asked for. A world that is older than the last tick is one to which redo has led back: what is
    /// known of it stays.
    pub fn note(&mut self, stands: Stands, came_to: impl FnOnce() -> Run) {
        if let Some(last) = self.last.replace(stands)
            && last.tick == last.end
            && last.made < stands.made
            && last.tick <= stands.made
        {
            self.before.insert(stands.made, (last.made, came_to()));
            while self.before.len() > Self::MOST {
                self.before.pop_first();
            }
        }
    }

    /// What the run before the one whose world was made then came to.
    pub fn before(&self, made: u64) -> Option<Run> {
        self.before.get(&made).map(|(_, run)| *run)
    }

    /// The tick at which that had begun.
    pub fn began_before(&self, made: u64) -> Option<u64> {
        self.before.get(&made).map(|(began, _)| *began)
    }

    /// The same of a scene that is left: whatever is seen next is no restart of it.
    fn left(mut self) -> Self {
        self.last = None;
        self
    }
}

/// What runs came to in scenes that were left, to which undo may lead back.
#[derive(Clone, Debug, Default)]
pub struct LeftRuns {
    /// By the number that the scene had while it was open.
    of: BTreeMap<u64, Runs>,
    /// Those of the scene that has just come, until its world is seen; `None` where it has none.
    come: Option<Runs>,
}

impl LeftRuns {
    /// So many are kept: more than there are scenes that were only looked at, and of those with changes more than anybody is likely to
    /// have. Where there are more of them still, the ones that were left first have no run before.
    const MOST: usize = 128;

    /// The scene of this number is left; the one that comes had another number where undo or redo leads back to it. One whose world was
    /// never seen, as another one came at once, is left with the runs with which it came.
    pub fn leave(&mut self, number: u64, runs: Option<Runs>, comes: Option<u64>) {
        let runs = runs.or(self.come.take());
        self.of.extend(runs.map(|runs| (number, runs.left())));
        self.come = comes.and_then(|comes| self.of.remove(&comes));
        while self.of.len() > Self::MOST {
            self.of.pop_first();
        }
    }

    /// The world of the scene is not seen any more: another scene has come, of which nothing was heard yet.
    pub fn hold(&mut self, runs: Runs) {
        self.come = Some(runs.left());
    }

    /// Those of the scene that has come.
    pub fn take(&mut self) -> Runs {
        self.come.take().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_restart_leaves_behind_what_the_run_before_it_came_to() {
        let mut runs = Runs::default();
        let run = |late| Run {
            late,
            ..Run::of(&Statistics::default(), 1.0)
        };
        let at = |tick, end, made| Stands { tick, end, made };
        runs.note(at(0, 0, 0), || run(0));
        runs.note(at(90, 90, 0), || run(4));
        assert_eq!(runs.before(0), None);
        runs.note(at(91, 91, 91), || run(8));
        assert_eq!(runs.before(91), Some(run(8)));
        assert_eq!(runs.began_before(91), Some(0));
        // Back in the first run there was none before it, and from there it is no restart that leads back.
        runs.note(at(40, 91, 0), || run(3));
        assert_eq!(runs.before(0), None);
        runs.note(at(91, 91, 91), || run(3));
        assert_eq!(runs.before(91), Some(run(8)));
        runs.note(at(140, 140, 140), || run(0));
        assert_eq!(runs.before(140), Some(run(0)));
    }

    #[test]
    fn a_restart_that_is_taken_back_leaves_the_run_before_the_one_before_it() {
        let mut runs = Runs::default();
        let run = |late| Run {
            late,
            ..Run::of(&Statistics::default(), 1.0)
        };
        let at = |tick, made| Stands {
            tick,
            end: tick,
            made,
        };
        runs.note(at(60, 0), || run(9));
        runs.note(at(61, 60), || run(9));
        runs.note(at(100, 60), || run(0));
        runs.note(at(101, 100), || run(10));
        assert_eq!(runs.before(100), Some(run(10)));
        // Undo, a while of the run that goes on then, and redo.
        runs.note(at(150, 60), || run(3));
        assert_eq!(runs.before(60), Some(run(9)));
        runs.note(at(180, 60), || run(3));
        runs.note(at(181, 100), || run(12));
        assert_eq!(runs.before(100), Some(run(10)));
        // However often somebody restarts, few are kept.
        for tick in 200..400 {
            runs.note(at(tick, tick), || run(0));
        }
        assert_eq!(runs.before.len(), Runs::MOST);
    }

    #[test]
    fn who_goes_back_to_a_scene_has_its_run_before_and_no_other_one() {
        let once_restarted = || {
            let mut runs = Runs::default();
            let stands = |made| Stands {
                tick: made,
                end: made,
                made,
            };
            let run = || Run::of(&Statistics::default(), 1.0);
            runs.note(stands(0), run);
            runs.note(stands(60), run);
            runs
        };
        let mut left = LeftRuns::default();
        left.leave(0, Some(once_restarted()), None);
        assert_eq!(left.take().before(60), None);
        left.leave(1, Some(Runs::default()), Some(0));
        assert!(left.take().before(60).is_some());
        // Two steps of undo at once: nobody has seen the scene between them, which keeps its own.
        left.leave(2, Some(once_restarted()), None);
        left.leave(3, Some(once_restarted()), Some(2));
        left.leave(4, None, Some(1));
        assert_eq!(left.take().before(60), None);
        left.leave(5, Some(Runs::default()), Some(4));
        assert!(left.take().before(60).is_some());
        // Its world is gone before anything is heard of the scene that has come.
        left.hold(once_restarted());
        left.leave(6, None, None);
        assert_eq!(left.take().before(60), None);
        left.leave(7, None, Some(6));
        assert!(left.take().before(60).is_some());
        // However many are left, few are kept.
        for number in 2..200 {
            left.leave(number, Some(Runs::default()), None);
        }
        assert!(left.of.len() <= LeftRuns::MOST);
    }
}
