//! Sorting the bodies of a strip: by radix when they are taken in, by insertion when they have moved.

use super::strip::Entry;
use crate::probe::{Event, Neighbors, Probe, Work};

/// Room to sort in, kept from one strip to the next.
#[derive(Clone, Debug, Default)]
pub(super) struct Sorter {
    /// The key of a body and, below it, its place.
    keys: Vec<u64>,
    other: Vec<u64>,
    sorted: Vec<Entry>,
}

/// Insertion gives up after this many swaps for each unit and goes on by radix.
const SWAPS_PER_UNIT: usize = 32;

/// So few are sorted by insertion alone.
const FEW: usize = 32;

/// The most bits of a digit: as many counters still fit the first-level cache.
const DIGIT_LIMIT: u32 = 11;

/// A whole number in the order of the coordinate, exact to the last bit. Both zeros are one.
#[inline(always)]
fn key_of(x: f32) -> u32 {
    let bits = (x + 0.0).to_bits();
    bits ^ ((bits as i32 >> 31) as u32 | 1 << 31)
}

#[inline(always)]
fn key(entry: &Entry) -> f32 {
    entry.body.min.x
}

impl Sorter {
    /// Sorts anew: the leading digits of the key by radix, and what they leave by insertion. Gives the entries in order.
    pub fn sort<'a, P: Probe>(&'a mut self, entries: &[Entry], probe: &mut P) -> &'a [Entry] {
        let keys = &mut self.keys;
        keys.clear();
        let with_place = |(place, entry)| u64::from(key_of(key(entry))) << 32 | place as u64;
        keys.extend(entries.iter().enumerate().map(with_place));
        if entries.len() > FEW {
            sort_by_digits(keys, &mut self.other);
        }
        insert(keys, probe);
        let in_order = keys.iter().map(|key| entries[*key as u32 as usize]);
        self.sorted.clear();
        self.sorted.extend(in_order);
        &self.sorted
    }

    /// Sorts by insertion those that are in order but for a few.
    pub fn put_in_order<P: Probe>(&mut self, entries: &mut [Entry], probe: &mut P) {
        let mut budget = entries.len().saturating_mul(SWAPS_PER_UNIT);
        for place in 1..entries.len() {
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
                if key(&entries[to - 1]) <= key(&entry) {
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
            budget = match budget.checked_sub(place - to) {
                Some(left) => left,
                None => {
                    self.sort(entries, probe);
                    entries.copy_from_slice(&self.sorted);
                    return;
                }
            };
        }
    }

    /// The bytes that it takes on the heap.
    pub fn byte_count(&self) -> usize {
        (self.keys.capacity() + self.other.capacity()) * size_of::<u64>()
            + self.sorted.capacity() * size_of::<Entry>()
    }
}

/// Sorts by insertion, or by comparison where too many are out of order.
fn insert<P: Probe>(keys: &mut [u64], probe: &mut P) {
    let mut budget = keys.len() * SWAPS_PER_UNIT;
    for place in 1..keys.len() {
        let key = keys[place];
        let mut to = place;
        while to > 0 {
            probe.on(Event::Work(Work::Compare));
            if keys[to - 1] <= key {
                break;
            }
            probe.on(Event::Work(Work::Swap));
            keys[to] = keys[to - 1];
            to -= 1;
        }
        keys[to] = key;
        budget = match budget.checked_sub(place - to) {
            Some(left) => left,
            None => {
                keys.sort_unstable_by(|a, b| {
                    probe.on(Event::Work(Work::Compare));
                    a.cmp(b)
                });
                return;
            }
        };
    }
}

/// Sorts by the leading bits of the part of the keys in which they differ: by two digits as long as their number asks for.
fn sort_by_digits(keys: &mut [u64], other: &mut Vec<u64>) {
    let (least, greatest) = keys.iter().fold((u64::MAX, 0), |(least, greatest), key| {
        (least.min(*key), greatest.max(*key))
    });
    let least = least >> 32;
    let bits = u64::BITS - ((greatest >> 32) - least).leading_zeros();
    let digit = (usize::BITS - keys.len().leading_zeros()).min(DIGIT_LIMIT);
    let shift = bits.saturating_sub(2 * digit);
    let mask = (1_usize << digit) - 1;
    let number = |key: u64| (((key >> 32) - least) >> shift) as usize;
    let mut counts = [[0_u32; 1 << DIGIT_LIMIT]; 2];
    let [lower, upper] = &mut counts;
    for key in keys.iter() {
        let number = number(*key);
        lower[number & mask] += 1;
        upper[number >> digit & mask] += 1;
    }
    for counts in [&mut lower[..=mask], &mut upper[..=mask]] {
        let mut sum = 0;
        for count in counts {
            sum += std::mem::replace(count, sum);
        }
    }
    other.resize(keys.len(), 0);
    for key in keys.iter() {
        let at = &mut lower[number(*key) & mask];
        other[*at as usize] = *key;
        *at += 1;
    }
    for key in other.iter() {
        let at = &mut upper[number(*key) >> digit & mask];
        keys[*at as usize] = *key;
        *at += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::Stream;
    use crate::geometry::{Aabb, Vec2};

    #[test]
    fn bodies_are_sorted_by_where_they_begin() {
        let mut stream = Stream::new(5);
        let mut sorter = Sorter::default();
        for count in [0, 1, 2, 31, 33, 500, 5_000] {
            for spread in [0.0, 1.0e-3, 1.0, 1.0e3, 1.0e9] {
                for base in [0.0, -500.0, 1.0e6] {
                    let mut entries: Vec<_> = (0..count)
                        .map(|unit| {
                            let far = stream.below(50) == 0;
                            let way = spread * if far { 1.0 } else { 1.0e-3 };
                            let at = Vec2::new(base + stream.between(-way, way), 0.0);
                            Entry {
                                body: Aabb::new(at, at),
                                unit,
                            }
                        })
                        .collect();
                    if count > 1 {
                        entries[0].body.min.x = 0.0;
                        entries[1].body.min.x = -0.0;
                    }
                    let sorted = sorter.sort(&entries, &mut ()).to_vec();
                    assert!(sorted.is_sorted_by_key(|entry| entry.body.min.x));
                    let mut units: Vec<_> = sorted.iter().map(|entry| entry.unit).collect();
                    units.sort_unstable();
                    assert!(units.into_iter().eq(0..count));
                    sorter.put_in_order(&mut entries, &mut ());
                    assert!(entries.is_sorted_by_key(|entry| entry.body.min.x));
                }
            }
        }
    }
}
