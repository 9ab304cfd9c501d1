//! Building the whole tree: sort the keys, then read the tree off them.

use super::buckets::place;
use super::key::{ADDRESS_BITS, SLOT_BITS, side};
use super::{ABSENT, Link, MortonTree, NO_NODE, NO_SHELF, Node, STACK_LENGTH, Stack, leaf_box};
use crate::geometry::Aabb;
use crate::partition::toolkit::simd::{self, Kernel, Task};
use crate::partition::{Bodies, UnitId};
use crate::probe::{Event, Probe, Work};

/// Bits sorted by one pass of the radix sort: 1,024 counters fit the first-level cache, and four passes cover an address.
const DIGIT_BITS: u32 = 10;
const DIGITS: usize = (ADDRESS_BITS / DIGIT_BITS) as usize;
const BUCKETS: usize = 1 << DIGIT_BITS;

/// Below this many keys, clearing and summing the counters costs more than comparing.
const SMALL: usize = 2048;

impl MortonTree {
    /// Forgets everything and indexes the units alive.
    pub(super) fn build<P: Probe>(&mut self, bodies: Bodies<'_>, probe: &mut P) {
        Self::check_row_count(bodies.slot_count());
        probe.on(Event::Work(Work::Rebuild));

        let mut keys = std::mem::take(&mut self.keys);
        keys.clear();
        keys.extend(
            bodies
                .ids()
                .map(|unit| self.key_of(leaf_box(bodies, unit), unit)),
        );
        sort_keys(&mut keys, &mut self.sorted);

        self.places.clear();
        self.places.resize(bodies.slot_count(), ABSENT);
        self.nodes.clear();
        self.free = NO_NODE;
        self.buckets.reset(self.bucket, bodies.are_sized());
        self.moves_by_nodes.fill(0);
        self.unit_count = keys.len();
        self.root = Link::NONE;
        self.root_box = Aabb::EMPTY;
        simd::dispatch(Reading {
            tree: self,
            keys: &keys,
            bodies,
        });
        self.fill_shelves();
        self.keys = keys;
        self.make_room();
        self.tell_splits(probe);
    }

    /// Tells every node of a tree that has just been built, those above before those below, for nodes are written in that order.
    fn tell_splits<P: Probe>(&self, probe: &mut P) {
        if P::HEARS {
            for node in 0..self.nodes.len() as u32 {
                probe.on(Event::Split(Link::inner(node).region()));
            }
        }
    }
}

/// A tree about to be read off sorted keys, with whatever kernel there is.
struct Reading<'t, 'k, 'b> {
    tree: &'t mut MortonTree,
    keys: &'k [u64],
    bodies: Bodies<'b>,
}

/// A stretch of the keys that has yet to become a child of a node.
#[derive(Clone, Copy)]
struct Stretch {
    begin: usize,
    end: usize,
    parent: u32,
    slot: usize,
}

impl Task for Reading<'_, '_, '_> {
    /// Halves the keys at the highest bit in which they differ, again and again, until a stretch fits a bucket. Nodes and
    /// buckets come to lie in memory in the order of the curve, and each node before those below it, so that boxes can be
    /// joined from the last node to the first.
    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) {
        let Self { tree, keys, bodies } = self;
        let room = tree.bucket as usize;
        let whole = Stretch {
            begin: 0,
            end: keys.len(),
            parent: NO_NODE,
            slot: 0,
        };
        let mut stack = Stack::<Stretch, STACK_LENGTH>::new();
        if !keys.is_empty() {
            stack.push(whole);
        }
        while let Some(stretch) = stack.pop() {
            let Stretch {
                begin,
                end,
                parent,
                slot,
            } = stretch;
            let here = &keys[begin..end];
            if here.len() <= room {
                let bucket = tree.buckets.take();
                tree.buckets.set_fill(bucket, here.len());
                for (at, key) in here.iter().enumerate() {
                    let unit = (key & ((1 << SLOT_BITS) - 1)) as UnitId;
                    tree.buckets.set(bucket, at, unit, leaf_box(bodies, unit));
                    tree.places[unit as usize] = place(bucket, at);
                }
                let bounds = tree.buckets.bounds(kernel, bucket);
                tree.buckets.set_parent(bucket, parent);
                tree.hang(parent, slot, Link::bucket(bucket), bounds);
                continue;
            }
            let bit = (here[0] ^ here[here.len() - 1]).ilog2() as u8;
            let middle = begin + here.partition_point(|key| side(*key, bit) == 0);
            let node = tree.nodes.len() as u32;
            tree.nodes.push(Node {
                boxes: [Aabb::EMPTY; 2],
                key: here[0],
                children: [Link::NONE; 2],
                parent,
                shelf: NO_SHELF,
                bit,
            });
            tree.hang(parent, slot, Link::inner(node), Aabb::EMPTY);
            // The second child first, so that the first is the next to be taken from the stack.
            for (slot, begin, end) in [(1, middle, end), (0, begin, middle)] {
                stack.push(Stretch {
                    begin,
                    end,
                    parent: node,
                    slot,
                });
            }
        }
        for node in (0..tree.nodes.len() as u32).rev() {
            let (above, slot) = tree.above(node);
            let bounds = tree.nodes[node as usize].bounds();
            match tree.nodes.get_mut(above as usize) {
                Some(above) => above.boxes[slot] = bounds,
                None => tree.root_box = bounds,
            }
        }
    }
}

/// Sorts keys that come in by ascending row.
///
/// A radix sort that takes the least digit first leaves equal addresses in the order in which they came, which is that of
/// the rows: only the address has to be sorted, and of that only the digits that are not the same in all keys.
fn sort_keys(keys: &mut Vec<u64>, buffer: &mut Vec<u64>) {
    if keys.is_sorted() {
        return;
    }
    if keys.len() < SMALL {
        keys.sort_unstable();
        return;
    }
    let digit = |key: u64, place: usize| {
        (key >> (SLOT_BITS + place as u32 * DIGIT_BITS)) as usize & (BUCKETS - 1)
    };
    let mut counts = [[0_u32; BUCKETS]; DIGITS];
    for &key in keys.iter() {
        for (place, counts) in counts.iter_mut().enumerate() {
            counts[digit(key, place)] += 1;
        }
    }
    buffer.clear();
    buffer.resize(keys.len(), 0);
    for (place, counts) in counts.iter_mut().enumerate() {
        if counts[digit(keys[0], place)] as usize == keys.len() {
            continue;
        }
        let mut start = 0;
        for count in counts.iter_mut() {
            start += std::mem::replace(count, start);
        }
        for &key in keys.iter() {
            let next = &mut counts[digit(key, place)];
            buffer[*next as usize] = key;
            *next += 1;
        }
        std::mem::swap(keys, buffer);
    }
}

#[cfg(test)]
mod tests {
    use super::super::key;
    use super::*;
    use rand::{Rng, SeedableRng};

    #[test]
    fn keys_come_out_sorted_however_many_there_are() {
        let mut random = rand_pcg::Pcg64Mcg::seed_from_u64(5);
        for (count, addresses) in [
            (0, 1),
            (1, 1),
            (100, 16),
            (5_000, 1 << ADDRESS_BITS),
            (5_000, 40),
            (5_000, 1),
            (SMALL, 1 << 20),
        ] {
            let mut keys: Vec<u64> = (0..count)
                .map(|unit| key::key(random.random_range(0..addresses), unit as UnitId))
                .collect();
            let mut expected = keys.clone();
            expected.sort_unstable();
            sort_keys(&mut keys, &mut Vec::new());
            assert_eq!(keys, expected);
        }
    }
}
