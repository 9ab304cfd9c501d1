//! Two clocks at once: the thread's own processor time, which other programs disturb little, and the time on the wall.
//!
//! Where several threads work the first does not see what the others do for it, and the second counts.

use rustix::time::{ClockId, clock_gettime};
use std::time::Instant;

/// How long something took, in nanoseconds.
#[derive(Clone, Copy, Debug, Default)]
pub struct Taken {
    /// What contestants are compared by: the processor time of the calling thread where it is alone, otherwise the time on the wall.
    pub time: f64,
    /// Time on the wall.
    pub wall: f64,
}

impl Taken {
    /// Nothing yet.
    pub const ZERO: Self = Self {
        time: 0.0,
        wall: 0.0,
    };

    /// The share of one of `count` equal pieces of work.
    pub fn per(self, count: usize) -> Self {
        let count = count.max(1) as f64;
        Self {
            time: self.time / count,
            wall: self.wall / count,
        }
    }
}

impl std::ops::AddAssign for Taken {
    fn add_assign(&mut self, more: Self) {
        self.time += more.time;
        self.wall += more.wall;
    }
}

/// The processor time of this thread, in nanoseconds.
fn thread_time() -> f64 {
    let now = clock_gettime(ClockId::ThreadCPUTime);
    now.tv_sec as f64 * 1.0e9 + now.tv_nsec as f64
}

/// Does it, on as many threads as are told, and says how long it took and what it gave.
pub fn timed<R>(threads: usize, work: impl FnOnce() -> R) -> (Taken, R) {
    let wall = Instant::now();
    let cpu = thread_time();
    let result = work();
    let cpu = thread_time() - cpu;
    let wall = wall.elapsed().as_nanos() as f64;
    let time = if threads == 1 { cpu } else { wall };
    (Taken { time, wall }, result)
}
