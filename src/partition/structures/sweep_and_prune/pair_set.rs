//! A set of pairs that changes a little all the time.

use crate::chance::mix;
use crate::partition::Pair;

/// Pairs in a plain list, and a table by which each is found in it: adding, removing and asking O(1), going through all
/// of them as fast as memory is read. The same edits give the same order on every machine.
#[derive(Clone, Debug, Default)]
pub(super) struct PairSet {
    /// The pairs, in no order.
    pub pairs: Vec<Pair>,
    /// An open table: the place of a pair in the list, or [`FREE`]. A power of two long, and never more than half full.
    table: Vec<u32>,
}

/// An entry of the table that leads nowhere.
const FREE: u32 = u32::MAX;

impl PairSet {
    /// The pairs.
    pub fn pairs(&self) -> &[Pair] {
        &self.pairs
    }

    /// Forgets all pairs and keeps the memory.
    pub fn clear(&mut self) {
        self.pairs.clear();
        self.table.fill(FREE);
    }

    /// Forgets all pairs and gives the memory back.
    pub fn free(&mut self) {
        *self = Self::default();
    }

    /// Adds a pair unless it is there.
    pub fn add(&mut self, pair: Pair) {
        if (self.pairs.len() + 1) * 2 > self.table.len() {
            self.grow();
        }
        let slot = self.slot_of(pair);
        if self.table[slot] == FREE {
            self.table[slot] = self.pairs.len() as u32;
            self.pairs.push(pair);
        }
    }

    /// Adds a pair that is known not to be there. The set is of no use until [`PairSet::finish_appending`].
    pub fn append_new(&mut self, pair: Pair) {
        self.pairs.push(pair);
    }

    /// Makes the pairs that were appended known to the table, all at once.
    pub fn finish_appending(&mut self) {
        let length = (self.pairs.len() * 2).next_power_of_two().max(16);
        self.table.resize(length, FREE);
        self.fill_table();
    }

    /// Removes a pair if it is there.
    pub fn remove(&mut self, pair: Pair) {
        if self.table.is_empty() {
            return;
        }
        let slot = self.slot_of(pair);
        let place = self.table[slot];
        if place == FREE {
            return;
        }
        self.free_slot(slot);
        self.pairs.swap_remove(place as usize);
        if let Some(moved) = self.pairs.get(place as usize) {
            // Its table entry still says the old place, the end of the list.
            let old = self.pairs.len() as u32;
            let mut slot = self.home(*moved);
            while self.table[slot] != old {
                slot = self.after(slot);
            }
            self.table[slot] = place;
        }
    }

    /// Whether the pair is there.
    pub fn contains(&self, pair: Pair) -> bool {
        !self.table.is_empty() && self.table[self.slot_of(pair)] != FREE
    }

    /// Keeps the pairs for which `stays` holds.
    pub fn retain(&mut self, stays: impl FnMut(&Pair) -> bool) {
        self.pairs.retain(stays);
        self.fill_table();
    }

    /// The bytes on the heap.
    pub fn byte_count(&self) -> usize {
        self.pairs.capacity() * size_of::<Pair>() + self.table.capacity() * size_of::<u32>()
    }

    /// Where the search for a pair begins.
    fn home(&self, (a, b): Pair) -> usize {
        mix(u64::from(a) << 32 | u64::from(b)) as usize & (self.table.len() - 1)
    }

    fn after(&self, slot: usize) -> usize {
        (slot + 1) & (self.table.len() - 1)
    }

    /// The slot that leads to the pair, or the free one where it would be.
    fn slot_of(&self, pair: Pair) -> usize {
        let mut slot = self.home(pair);
        while self.table[slot] != FREE && self.pairs[self.table[slot] as usize] != pair {
            slot = self.after(slot);
        }
        slot
    }

    /// Frees a slot, and moves up those behind it that would no longer be found.
    fn free_slot(&mut self, mut hole: usize) {
        let mut slot = self.after(hole);
        while self.table[slot] != FREE {
            let home = self.home(self.pairs[self.table[slot] as usize]);
            let mask = self.table.len() - 1;
            // How far each is behind its home, going round the end of the table.
            if (slot.wrapping_sub(home) & mask) >= (slot.wrapping_sub(hole) & mask) {
                self.table[hole] = self.table[slot];
                hole = slot;
            }
            slot = self.after(slot);
        }
        self.table[hole] = FREE;
    }

    fn grow(&mut self) {
        let length = (self.table.len() * 2).max(16);
        self.table.resize(length, FREE);
        self.fill_table();
    }

    fn fill_table(&mut self) {
        self.table.fill(FREE);
        for place in 0..self.pairs.len() {
            let mut slot = self.home(self.pairs[place]);
            while self.table[slot] != FREE {
                slot = self.after(slot);
            }
            self.table[slot] = place as u32;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::Stream;
    use std::collections::BTreeSet;

    #[test]
    fn it_holds_what_an_ordered_set_holds() {
        let mut stream = Stream::new(5);
        let (mut set, mut truth) = (PairSet::default(), BTreeSet::new());
        for round in 0..20_000 {
            let a = stream.below(40) as u32;
            let pair = (a, a + 1 + stream.below(20) as u32);
            if stream.below(5) < 2 + (round / 5_000) % 2 {
                set.add(pair);
                truth.insert(pair);
            } else {
                set.remove(pair);
                truth.remove(&pair);
            }
            assert_eq!(set.contains(pair), truth.contains(&pair));
            assert_eq!(set.pairs().len(), truth.len());
        }
        let mut copy = PairSet::default();
        truth.iter().for_each(|pair| copy.append_new(*pair));
        copy.finish_appending();
        assert!(truth.iter().all(|pair| copy.contains(*pair)));
        set.retain(|pair| pair.0 % 2 == 0);
        truth.retain(|pair| pair.0 % 2 == 0);
        assert!(truth.iter().all(|pair| set.contains(*pair)));
        assert_eq!(set.pairs().len(), truth.len());
    }
}
