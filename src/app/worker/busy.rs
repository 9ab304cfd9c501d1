//! A long piece of work, of which the window says what it is, and what may end it.

use std::time::{Duration, Instant};

/// A long piece of work.
#[derive(Clone, Debug)]
pub struct Busy {
    /// What it is, in a few words.
    pub what: String,
    /// Since when.
    pub since: Instant,
    pub(super) errand: Errand,
    /// Whether it is a tick after one that was long: as long as that, as likely as not.
    pub(super) follows_long: bool,
}

/// Nobody should wait longer without a word.
pub(super) const PATIENCE: Duration = Duration::from_millis(200);

impl Busy {
    /// Whether it has taken so long that the window says so.
    pub(super) fn is_long(&self) -> bool {
        self.since.elapsed() > PATIENCE
    }

    /// Whether it is a tick of time.
    pub fn is_tick(&self) -> bool {
        self.errand == Errand::Tick
    }
}

/// For whose sake something is done, which decides what may end it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Errand {
    /// Somebody wants it done.
    Asked,
    /// Time passes: a tick, and after it another one.
    Tick,
    /// Somebody wants to be at another tick, by the message of this number; ends when they want to be elsewhere, and have said nothing in
    /// between: a save there is of the scene as it is at that tick.
    Seek(u64),
    /// Nobody asked for it; ends when anybody asks for anything.
    Idle,
}
