//! What ends the program from outside: Ctrl+C in its terminal, a terminal that closes, a system that shuts down.

use super::wake;
use std::sync::atomic::{AtomicU32, Ordering};

/// How often the program has been told to end.
static TOLD: AtomicU32 = AtomicU32::new(0);

/// From now on a signal to end is heeded as closing the window is. The second one ends the program where it stands.
pub fn heed_signals() {
    let heed = || {
        if TOLD.fetch_add(1, Ordering::Relaxed) > 0 {
            std::process::exit(130);
        }
        wake::ring();
    };
    // Where the system has no such handler, a signal ends the program as it always did; unsaved work was kept a moment before.
    let _ = ctrlc::set_handler(heed);
}

/// Whether the program has been told to end.
pub fn is_told() -> bool {
    TOLD.load(Ordering::Relaxed) > 0
}
