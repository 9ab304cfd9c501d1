//! How many processors there are.
//!
//! A graphics driver may confine the thread that it draws on, and with it every thread that this one starts from then on: NVIDIA's leaves it
//! half of the processors where there are four or more. So they are counted, and the threads that share in ticks are started, before the
//! window opens.

use std::sync::OnceLock;
use std::thread::available_parallelism;

static COUNT: OnceLock<usize> = OnceLock::new();

/// So many threads run at once on this machine.
pub fn count() -> usize {
    *COUNT.get_or_init(|| available_parallelism().map_or(1, usize::from))
}

/// Counts the processors, and starts the threads that share in ticks. To be called before the window opens.
pub fn take() {
    count();
    // Where somebody has started them already they are there, and that is all that is wanted.
    let _ = rayon::ThreadPoolBuilder::new().build_global();
}
