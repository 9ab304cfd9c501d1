//! Building the whole tree: sort the keys, then read the tree off them.

use super::key::{ADDRESS_BITS, SLOT_BITS};
use super::{ABSENT, Leaf, Link, MortonTree, NO_NODE, Node, STACK_LENGTH, Stack, leaf_box};
use crate::geometry::Aabb;
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
        keys.extend(bodies.ids().map(|unit| self.key_of(bodies, unit)));
        sort_keys(&mut keys, &mut self.sorted);

        self.leaves.clear();
        self.leaves.resize(
            bodies.slot_count(),
            Leaf {
                key: 0,
                parent: ABSENT,
            },
        );
        self.nodes.clear();
        self.free = NO_NODE;
        self.moves_by_nodes.fill(0);
        self.leaf_count = keys.len();
        self.read_tree_off(&keys, bodies);
        self.keys = keys;
    }

    /// Makes the nodes over sorted keys in one pass.
    ///
    /// Between each key and the next lies the inner node whose branch bit is the highest in which the two differ; it has
    /// the index of the key before it, so nodes lie in memory in the order of the curve. The stack holds the nodes whose
    /// second child is not known yet: the right edge of the tree so far, with falling branch bits. A new node with a
    /// higher branch bit closes those below it.
    fn read_tree_off(&mut self, keys: &[u64], bodies: Bodies<'_>) {
        self.root = Link::NONE;
        self.root_box = Aabb::EMPTY;
        let Some((&first, rest)) = keys.split_first() else {
            return;
        };
        self.nodes.reserve(rest.len());
        let mut open = Stack::<u32, STACK_LENGTH>::new(NO_NODE);
        let mut key = first;
        let (mut link, mut bounds) = self.plant(key, bodies);
        for &next in rest {
            let bit = (key ^ next).ilog2() as u8;
            while let Some(node) = open.last()
                && self.nodes[node as usize].bit < bit
            {
                open.pop();
                (link, bounds) = self.close(node, link, bounds);
            }
            let node = self.nodes.len() as u32;
            self.nodes.push(Node {
                boxes: [bounds, Aabb::EMPTY],
                key,
                children: [link, Link::NONE],
                parent: NO_NODE,
                bit,
            });
            self.set_parent(link, node);
            open.push(node);
            key = next;
            (link, bounds) = self.plant(key, bodies);
        }
        while let Some(node) = open.pop() {
            (link, bounds) = self.close(node, link, bounds);
        }
        self.root = link;
        self.root_box = bounds;
    }

    /// Gives an open node its second child.
    #[inline]
    fn close(&mut self, node: u32, link: Link, bounds: Aabb) -> (Link, Aabb) {
        self.set_parent(link, node);
        let closed = &mut self.nodes[node as usize];
        closed.children[1] = link;
        closed.boxes[1] = bounds;
        (Link::inner(node), closed.bounds())
    }

    /// Files the leaf with this key; its parent is set when there is one.
    #[inline]
    fn plant(&mut self, key: u64, bodies: Bodies<'_>) -> (Link, Aabb) {
        let unit = (key & ((1 << SLOT_BITS) - 1)) as UnitId;
        self.leaves[unit as usize] = Leaf {
            key,
            parent: NO_NODE,
        };
        (Link::leaf(unit), leaf_box(bodies, unit))
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
