//! Probes of the very types under which the program itself counts and explains: a traversal under one of them is in the library already,
//! where one under a bare `Counter` or `Trace` is compiled anew for each test that asks so. Both hear the same.

// Not every test needs all of it.
#![allow(dead_code)]

use skirmish::probe::{Cancel, Counter, Listening, Patient, Trace};
use std::sync::LazyLock;

/// Nobody says it.
static NEVER: LazyLock<Cancel> = LazyLock::new(Cancel::default);

/// Sums what it hears in its `probe`.
pub type Counting = Patient<'static, Counter>;

/// Has heard nothing yet.
pub fn counting() -> Counting {
    Patient::new(Counter::default(), &NEVER)
}

/// Keeps each event, and sums them.
pub fn listening(heard: &mut (Trace, Counter)) -> Listening<'_> {
    Patient::new(heard, &NEVER)
}

/// Every event of `work`, as many as are kept.
pub fn heard(cap: usize, work: impl FnOnce(&mut Listening<'_>)) -> Trace {
    let mut heard = (Trace::with_cap(cap), Counter::default());
    work(&mut listening(&mut heard));
    heard.0
}
