//! Times and what is said of many of them.

use std::time::Duration;

/// Microseconds, to the nanosecond.
pub(super) fn micros(time: Duration) -> f64 {
    time.as_nanos() as f64 / 1_000.0
}

/// The least value that at least this share of `values` does not exceed; 0 when there is none.
pub(super) fn quantile(values: &mut [f64], share: f64) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    let rank = (values.len() as f64 * share).ceil() as usize;
    values.get(rank.max(1) - 1).copied().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quantile_is_one_of_the_values() {
        let mut values = [4.0, 1.0, 3.0, 2.0];
        assert_eq!(quantile(&mut values, 0.5), 2.0);
        assert_eq!(quantile(&mut values, 0.99), 4.0);
        assert_eq!(quantile(&mut [], 0.5), 0.0);
        assert_eq!(quantile(&mut [7.0], 0.5), 7.0);
    }
}
