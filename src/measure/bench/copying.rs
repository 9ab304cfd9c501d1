//! How fast this machine copies memory, beside which a structure's own traffic is set.

use super::super::times::{micros, quantile};
use std::hint::black_box;
use std::time::{Duration, Instant};

/// The sizes that are measured, in bytes of the source and the destination together: from what fits into the nearest cache
/// to what is larger than the caches of most machines.
const FOOTPRINTS: [usize; 8] = [
    1 << 15,
    1 << 17,
    1 << 19,
    1 << 21,
    1 << 23,
    1 << 25,
    1 << 27,
    1 << 28,
];

/// For how long each size is copied, so often that no clock is too coarse for it.
const TIME: Duration = Duration::from_millis(10);

/// How fast a copy of one size is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Copy {
    /// The bytes of the source and the destination together.
    pub footprint: usize,
    /// Bytes that are read and bytes that are written, in 10^9 a second; the copied bytes count twice.
    pub gb_per_s: f64,
}

/// Measures every size, from the smallest to the largest.
pub fn measure() -> Vec<Copy> {
    let most = FOOTPRINTS[FOOTPRINTS.len() - 1] / 2;
    // Written, not only asked for: a page that nobody has touched is no memory yet.
    let source = vec![1_u8; most];
    let mut target = vec![2_u8; most];
    FOOTPRINTS
        .iter()
        .map(|&footprint| Copy {
            footprint,
            gb_per_s: speed(&source[..footprint / 2], &mut target[..footprint / 2]),
        })
        .collect()
}

/// The median speed of copies of the whole, in 10^9 bytes read and written a second.
fn speed(source: &[u8], target: &mut [u8]) -> f64 {
    let bytes = (source.len() + target.len()) as f64;
    // Of small ones so many at once that the clock itself takes no part of it.
    let at_once = ((1 << 20) / source.len()).max(1);
    let mut times = Vec::new();
    let start = Instant::now();
    while times.len() < 3 || start.elapsed() < TIME {
        let lap = Instant::now();
        for _ in 0..at_once {
            black_box(&mut *target).copy_from_slice(black_box(source));
        }
        times.push(micros(lap.elapsed()) / at_once as f64);
    }
    bytes / quantile(&mut times, 0.5).max(1.0e-3) / 1.0e3
}

/// The copy that a working set of so many bytes is set beside: the smallest that is no smaller, or the largest.
pub fn nearest(copies: &[Copy], working_set: usize) -> Option<Copy> {
    let large_enough = copies.iter().find(|copy| copy.footprint >= working_set);
    large_enough.or(copies.last()).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_working_set_is_set_beside_a_copy_no_smaller_than_it() {
        let copies: Vec<Copy> = FOOTPRINTS
            .map(|footprint| Copy {
                footprint,
                gb_per_s: 1.0,
            })
            .to_vec();
        let footprint = |bytes| nearest(&copies, bytes).map(|copy| copy.footprint);
        assert_eq!(footprint(0), Some(1 << 15));
        assert_eq!(footprint(1 << 17), Some(1 << 17));
        assert_eq!(footprint((1 << 17) + 1), Some(1 << 19));
        assert_eq!(footprint(usize::MAX), Some(1 << 28));
        assert_eq!(nearest(&[], 5), None);
    }

    #[test]
    fn a_copy_has_a_speed() {
        let mut target = vec![0; 1 << 16];
        let found = speed(&vec![1; 1 << 16], &mut target);
        assert!(found.is_finite() && found > 0.0, "{found}");
        assert!(target.iter().all(|byte| *byte == 1));
    }
}
