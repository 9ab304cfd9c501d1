//! The tick: the fixed step in which battles, streamed worlds and recordings advance.
//!
//! Invariant: this is the only place that knows how long a step is.

/// How long one step is, in seconds. What counts in `f32` rounds it once more, and nobody widens that again.
pub const STEP_SECONDS: f64 = 1.0 / 60.0;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_rounded_twice_is_the_step_rounded_once() {
        assert_eq!((STEP_SECONDS as f32).to_bits(), (1.0_f32 / 60.0).to_bits());
    }
}
