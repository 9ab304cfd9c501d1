//! Dealing the work of a pair search to its shares.

use crate::partition::Part;
use std::ops::Range;

/// Deals `places` to the shares of a search like cards, `length` at a time, and gives the hands of one share. The whole
/// search gets everything in one hand.
pub fn hands(
    part: Part,
    places: Range<usize>,
    length: usize,
) -> impl Iterator<Item = Range<usize>> {
    let length = if part.count == 1 { usize::MAX } else { length };
    let mut begin = places.start;
    std::iter::from_fn(move || {
        while begin < places.end {
            let hand = begin / length;
            let end = hand
                .saturating_add(1)
                .saturating_mul(length)
                .min(places.end);
            let dealt = std::mem::replace(&mut begin, end)..end;
            if hand % part.count as usize == part.index as usize {
                return Some(dealt);
            }
        }
        None
    })
}
