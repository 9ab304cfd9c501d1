//! Building the tree from sorted keys.

use super::key::{Key, branch_bit, key_of};
use super::{BUCKET, List, MortonTree3, NONE, Node, Record};
use crate::partition::UnitId;
use crate::probe::{Event, Probe, Work};
use crate::volume::{Aabb3, Bodies3};

impl MortonTree3 {
    /// The side of a cell, in metres.
    #[inline]
    pub(super) fn side(&self) -> f32 {
        self.cell_size as f32
    }

    /// Forgets everything and builds the tree over the units alive.
    pub(super) fn build<P: Probe>(&mut self, bodies: Bodies3<'_>, probe: &mut P) {
        probe.on(Event::Work(Work::Rebuild));
        self.nodes.clear();
        self.records.clear();
        (self.free, self.free_count) = (NONE, 0);
        self.blocks.reset(bodies.are_sized());
        self.slots.clear();
        self.slots.resize(bodies.slot_count(), NONE);
        let mut keys = std::mem::take(&mut self.keys);
        keys.clear();
        let side = self.side();
        keys.extend(
            bodies
                .ids()
                .map(|unit| key_of(bodies.aabb(unit), unit, side)),
        );
        keys.sort_unstable();
        self.root = if keys.is_empty() {
            NONE
        } else {
            self.grow(&keys, NONE, bodies)
        };
        self.keys = keys;
    }

    /// Makes the tree of some sorted keys, of which there is at least one, and gives its root. The recursion goes no deeper than
    /// a key has bits.
    fn grow(&mut self, keys: &[Key], parent: u32, bodies: Bodies3<'_>) -> u32 {
        let node = self.make_bucket(parent);
        let (first, last) = (keys[0], keys[keys.len() - 1]);
        if keys.len() <= self.bucket as usize {
            for key in keys {
                let unit = *key as UnitId;
                let body = bodies.aabb(unit);
                self.hold(node, unit, body);
                let bounds = &mut self.nodes[node as usize].bounds;
                *bounds = bounds.join(body);
            }
            return node;
        }
        let bit = branch_bit(first, last);
        self.records[node as usize].key = first;
        self.records[node as usize].bit = bit;
        let upper = keys.partition_point(|key| key >> bit & 1 == 0);
        let children = [
            self.grow(&keys[..upper], node, bodies),
            self.grow(&keys[upper..], node, bodies),
        ];
        self.nodes[node as usize].children = children;
        self.nodes[node as usize].bounds = self.joined(children);
        node
    }

    /// The union of the boxes of two nodes.
    #[inline]
    pub(super) fn joined(&self, [a, b]: [u32; 2]) -> Aabb3 {
        let bounds = |node: u32| self.nodes[node as usize].bounds;
        bounds(a).join(bounds(b))
    }

    /// An empty bucket.
    pub(super) fn make_bucket(&mut self, parent: u32) -> u32 {
        let node = Node {
            bounds: Aabb3::EMPTY,
            children: [NONE; 2],
            list: List::EMPTY,
        };
        let record = Record {
            key: 0,
            parent,
            bit: BUCKET,
        };
        let index = self.free;
        if index == NONE {
            self.nodes.push(node);
            self.records.push(record);
            return self.nodes.len() as u32 - 1;
        }
        self.free = self.nodes[index as usize].children[0];
        self.free_count -= 1;
        self.nodes[index as usize] = node;
        self.records[index as usize] = record;
        index
    }

    /// Writes a unit into the list of a bucket, whose box is left as it is.
    #[inline]
    pub(super) fn hold(&mut self, node: u32, unit: UnitId, body: Aabb3) {
        let list = &mut self.nodes[node as usize].list;
        self.slots[unit as usize] = self.blocks.push(list, node, unit, body);
    }
}
