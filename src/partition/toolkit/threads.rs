//! Sharing out work to threads.

/// Of fewer units no work is shared out: it is done before a second thread has woken up.
const SHARED: usize = 1 << 15;

/// On how many threads so many units are worked on where there may be `threads`.
pub fn threads_for(units: usize, threads: usize) -> usize {
    if units < SHARED { 1 } else { threads.max(1) }
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
