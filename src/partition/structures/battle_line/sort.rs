//! Three ways to put the line in order, each telling what it compares and swaps.

use super::Entry;
use crate::probe::{Event, Neighbors, Probe, Work};

/// Insertion gives up after this many swaps for each unit: by then it has cost more than a sort by comparison.
pub(super) const SWAPS_PER_UNIT: usize = 32;

/// A pigeonhole with more units than this is sorted by comparison.
const HOLE_LIMIT: usize = 32;

/// Room for a pigeonhole sort, kept from one to the next.
#[derive(Clone, Debug, Default)]
pub(super) struct Sorter {
    /// Hole → the place of its first entry.
    holes: Vec<u32>,
    /// The entries in the order of their holes.
    dropped: Vec<Entry>,
}

/// O(n log n), stable; on a line that is nearly sorted it finds the sorted stretches and merges them.
pub(super) fn by_comparison<P: Probe>(entries: &mut [Entry], probe: &mut P) {
    entries.sort_by(|a, b| {
        probe.on(Event::Work(Work::Compare));
        a.key.total_cmp(&b.key)
    });
}

/// One swap for each two entries that are in the wrong order: O(n) on a line that hardly changed, O(n²) on any other, so
/// it gives up and goes on by comparison where there are too many.
pub(super) fn by_insertion<P: Probe>(entries: &mut [Entry], probe: &mut P) {
    let mut budget = entries.len().saturating_mul(SWAPS_PER_UNIT);
    for place in 1..entries.len() {
        budget = match budget.checked_sub(insert(entries, place, probe)) {
            Some(left) => left,
            None => return by_comparison(entries, probe),
        };
    }
}

/// Moves the entry at `place` down to where it belongs among those before it, and says past how many.
#[inline]
fn insert<P: Probe>(entries: &mut [Entry], place: usize, probe: &mut P) -> usize {
    let entry = entries[place];
    let mut to = place;
    while to > 0 {
        let neighbors = Neighbors {
            unit: entry.unit,
            other: entries[to - 1].unit,
            place: to - 1,
        };
        probe.orders(neighbors);
        probe.on(Event::Work(Work::Compare));
        if entries[to - 1].key <= entry.key {
            break;
        }
        probe.orders(neighbors);
        probe.on(Event::Work(Work::Swap));
        entries[to] = entries[to - 1];
        to -= 1;
    }
    if to < place {
        entries[to] = entry;
    }
    place - to
}

impl Sorter {
    /// O(n): as many holes as entries between the ends of the line, each entry dropped into its own.
    ///
    /// Only the part of the line between `low` and `high` is cut evenly, so that one unit far outside does not leave all
    /// the others in a single hole; those outside share the first hole and the last.
    pub fn by_pigeonhole<P: Probe>(
        &mut self,
        entries: &mut Vec<Entry>,
        low: f32,
        high: f32,
        probe: &mut P,
    ) {
        if entries.len() < 2 {
            return;
        }
        let (mut first, mut last) = (f32::INFINITY, f32::NEG_INFINITY);
        for entry in entries.iter() {
            (first, last) = (first.min(entry.key), last.max(entry.key));
        }
        let (first, last) = if first.max(low) < last.min(high) {
            (first.max(low), last.min(high))
        } else {
            (first, last)
        };
        let count = entries.len();
        let scale = count as f32 / (last - first);
        // Never decreases with the key. What is before the first hole becomes 0, as does the number of no number where
        // the line has no length.
        let hole = |key: f32| (((key - first) * scale) as usize).min(count - 1);
        self.holes.clear();
        self.holes.resize(count + 1, 0);
        for entry in entries.iter() {
            self.holes[hole(entry.key)] += 1;
        }
        let mut next = 0;
        for start in &mut self.holes {
            next += std::mem::replace(start, next);
        }
        self.dropped.resize(count, entries[0]);
        for entry in entries.iter() {
            let place = &mut self.holes[hole(entry.key)];
            self.dropped[*place as usize] = *entry;
            *place += 1;
        }
        std::mem::swap(entries, &mut self.dropped);
        // Each start has become the end of its hole.
        let mut begin = 0;
        for &end in &self.holes[..count] {
            let shared = &mut entries[begin..end as usize];
            begin = end as usize;
            if shared.len() > HOLE_LIMIT {
                by_comparison(shared, probe);
            } else {
                for place in 1..shared.len() {
                    insert(shared, place, probe);
                }
            }
        }
    }

    /// The bytes on the heap.
    pub fn byte_count(&self) -> usize {
        self.holes.capacity() * size_of::<u32>() + self.dropped.capacity() * size_of::<Entry>()
    }
}
