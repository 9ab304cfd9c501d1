//! Sharing out work to threads.

use rayon::prelude::*;
use std::sync::{Mutex, PoisonError};

/// Of fewer units no work is shared out: it is done before a second thread has woken up.
const SHARED: usize = 1 << 15;

/// On how many threads so many units are worked on where there may be `threads`.
pub fn threads_for(units: usize, threads: usize) -> usize {
    if units < SHARED { 1 } else { threads.max(1) }
}

/// At most so many shares are made for each thread.
const SHARES_A_THREAD: usize = 8;
/// Below so many units a share is not worth being taken.
const LEAST_SHARE: usize = 1 << 12;

/// Into how many shares so many units are dealt for so many threads.
///
/// They are more than threads: a thread whose core also draws a frame is late with what it has, and then the others do not wait
/// for half of the work but for one share.
pub fn shares_for(units: usize, threads: usize) -> usize {
    match threads {
        0 | 1 => 1,
        _ => threads * (units / threads / LEAST_SHARE).clamp(1, SHARES_A_THREAD),
    }
}

/// Works on every share, on at most `threads` threads at once: each takes the next one as soon as it is done with one.
pub fn each_in_turn<T: Send>(shares: &mut [T], threads: usize, work: impl Fn(&mut T) + Sync) {
    let next = Mutex::new(shares.iter_mut());
    // No share is worked on while the lock is held, so that nothing is half done behind one who panics.
    let take = || next.lock().unwrap_or_else(PoisonError::into_inner).next();
    (0..threads).into_par_iter().for_each(|_| {
        while let Some(share) = take() {
            work(share);
        }
    });
}

/// Takes the first `length` entries of what is left of a column, or all of one that is shorter.
pub fn front<'a, T>(column: &mut &'a [T], length: usize) -> &'a [T] {
    let (front, rest) = column.split_at(length.min(column.len()));
    *column = rest;
    front
}

/// The same of a column that is written.
pub fn front_mut<'a, T>(column: &mut &'a mut [T], length: usize) -> &'a mut [T] {
    let all = std::mem::take(column);
    let (front, rest) = all.split_at_mut(length.min(all.len()));
    *column = rest;
    front
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

    #[test]
    fn many_units_are_dealt_to_more_shares_than_there_are_threads() {
        assert_eq!(shares_for(1_000_000, 1), 1);
        assert_eq!(shares_for(0, 3), 3);
        assert_eq!(shares_for(3 * LEAST_SHARE, 3), 3);
        assert_eq!(shares_for(1_000_000, 3), 3 * SHARES_A_THREAD);
    }

    #[test]
    fn every_share_is_worked_on_once_on_no_more_threads_than_allowed() {
        for threads in [1, 2] {
            let (at_once, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
            let mut shares = [0; 40];
            each_in_turn(&mut shares, threads, |share| {
                most.fetch_max(at_once.fetch_add(1, Relaxed) + 1, Relaxed);
                *share += 1;
                std::thread::yield_now();
                at_once.fetch_sub(1, Relaxed);
            });
            assert_eq!(shares, [1; 40]);
            assert!(most.into_inner() <= threads);
        }
        each_in_turn(&mut [0; 0], 2, |_| unreachable!());
    }
}
