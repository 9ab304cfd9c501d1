//! What a scene costs under a structure: measured without a window.
//!
//! Invariant: besides the window, this is the only place that reads the clock.

pub mod bench;
pub mod compare;
pub mod decide;
pub mod questions;
pub mod replay;
pub mod simulate;
mod stage;
pub mod stream;
pub mod survey;
mod times;
pub mod trace;

/// Two times of which one is less than so many times the other are about as quick: they come out a little otherwise each time.
pub const ALIKE_TIMES: f64 = 1.15;
