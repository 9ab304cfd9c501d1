//! Adding, moving, removing.

use super::key::{Key, branch_bit, key_of};
use super::{BUCKET, FREE, List, MortonTree3, NONE, Record};
use crate::partition::{Change, Course, UnitId};
use crate::probe::{Event, Probe, Work};
use crate::volume::{Aabb3, Bodies3};

impl MortonTree3 {
    /// Makes room for new rows.
    pub(super) fn look_at(&mut self, bodies: Bodies3<'_>, changes: &[Change]) -> Course {
        if changes.is_empty() {
            return Course::Done;
        }
        if bodies.are_sized() != self.blocks.is_sized() {
            // Points have become bodies, or bodies points.
            return Course::Rebuild;
        }
        if bodies.slot_count() > self.slots.len() {
            self.slots.resize(bodies.slot_count(), NONE);
        }
        Course::OneByOne
    }

    /// Adds a unit.
    pub(super) fn insert<P: Probe>(&mut self, unit: UnitId, body: Aabb3, probe: &mut P) {
        debug_assert_eq!(
            self.slots[unit as usize], NONE,
            "unit {unit} was added twice"
        );
        if self.root == NONE {
            self.root = self.make_bucket(NONE);
        }
        let key = key_of(body, unit, self.side());
        let target = self.descend(self.root, key, probe);
        self.put_at(target, key, unit, body, probe);
    }

    /// The bucket for a key below a node, or the first node on the way that does not cover it.
    fn descend<P: Probe>(&self, mut node: u32, key: Key, probe: &mut P) -> u32 {
        while !self.nodes[node as usize].is_bucket() {
            let record = self.records[node as usize];
            if !record.covers(key) {
                break;
            }
            node = self.nodes[node as usize].children[record.side(key)];
            probe.on(Event::Descend(node));
        }
        node
    }

    /// Puts a unit with this key into a bucket, or beside a node that does not cover the key.
    fn put_at<P: Probe>(
        &mut self,
        mut node: u32,
        key: Key,
        unit: UnitId,
        body: Aabb3,
        probe: &mut P,
    ) {
        if !self.nodes[node as usize].is_bucket() {
            node = self.put_beside(node, key);
        }
        self.hold(node, unit, body);
        self.widen(node, body, probe);
        if self.nodes[node as usize].list.load > self.bucket {
            self.halve(node, probe);
        }
    }

    /// Makes a bucket for a key that an inner node does not cover, and a node above the two. Gives the bucket.
    fn put_beside(&mut self, node: u32, key: Key) -> u32 {
        let Record {
            key: other, parent, ..
        } = self.records[node as usize];
        let bit = branch_bit(key, other);
        let above = self.make_bucket(parent);
        let bucket = self.make_bucket(above);
        let mut children = [node, bucket];
        if key >> bit & 1 == 0 {
            children.swap(0, 1);
        }
        self.records[above as usize].key = key;
        self.records[above as usize].bit = bit;
        self.nodes[above as usize].children = children;
        self.nodes[above as usize].bounds = self.nodes[node as usize].bounds;
        self.records[node as usize].parent = above;
        self.replace(parent, node, above);
        bucket
    }

    /// Lets a parent, or the root, name another child.
    fn replace(&mut self, parent: u32, old: u32, new: u32) {
        if parent == NONE {
            self.root = new;
            return;
        }
        let children = &mut self.nodes[parent as usize].children;
        let side = usize::from(children[1] == old);
        children[side] = new;
    }

    /// Turns a bucket that is too full into a node with two, cut at the highest bit in which its keys differ.
    fn halve<P: Probe>(&mut self, node: u32, probe: &mut P) {
        probe.on(Event::Split(node));
        let side = self.side();
        let mut units = std::mem::replace(&mut self.nodes[node as usize].list, List::EMPTY);
        let mut keys = self.blocks.units(units);
        let first = keys
            .next()
            .map_or(0, |(unit, body)| key_of(body, unit, side));
        let differing = keys.fold(0, |sum, (unit, body)| {
            sum | (key_of(body, unit, side) ^ first)
        });
        let bit = branch_bit(differing, 0);
        let children = [self.make_bucket(node), self.make_bucket(node)];
        while let Some(block) = self.blocks.take_block(&mut units) {
            for &(unit, body) in block.units() {
                let child = children[(key_of(body, unit, side) >> bit & 1) as usize];
                self.hold(child, unit, body);
                let bounds = &mut self.nodes[child as usize].bounds;
                *bounds = bounds.join(body);
            }
        }
        self.nodes[node as usize].children = children;
        self.records[node as usize].key = first;
        self.records[node as usize].bit = bit;
    }

    /// Writes a unit where it is, or puts it into the bucket in which it belongs now.
    #[inline]
    pub(super) fn update<P: Probe>(&mut self, unit: UnitId, body: Aabb3, probe: &mut P) {
        let slot = self.slots[unit as usize];
        let node = self.blocks.owner(slot);
        let key = key_of(body, unit, self.side());
        let parent = self.records[node as usize].parent;
        let stays = parent == NONE || {
            let above = self.records[parent as usize];
            above.covers(key) && self.nodes[parent as usize].children[above.side(key)] == node
        };
        let old = self.blocks.body(slot);
        if stays {
            let is_same = key == key_of(old, unit, self.side());
            probe.on(Event::Work(if is_same {
                Work::MoveInPlace
            } else {
                Work::MoveKeyOnly
            }));
            self.blocks.write(slot, body);
            self.narrow(node, old, probe);
            self.widen(node, body, probe);
            return;
        }
        let mut top = parent;
        while top != self.root && !self.records[top as usize].covers(key) {
            probe.on(Event::Climb(top));
            top = self.records[top as usize].parent;
        }
        // First to the new place and then from the old one, for a bucket that is left empty takes its parent with it.
        let target = self.descend(top, key, probe);
        probe.on(Event::Work(Work::MoveRelink));
        self.put_at(target, key, unit, body, probe);
        self.take(slot, probe);
    }

    /// Takes whoever is at a slot out of its bucket.
    pub(super) fn take<P: Probe>(&mut self, slot: u32, probe: &mut P) {
        let node = self.blocks.owner(slot);
        let old = self.blocks.body(slot);
        let list = &mut self.nodes[node as usize].list;
        if let Some(moved) = self.blocks.remove(list, slot) {
            self.slots[moved as usize] = slot;
        }
        let load = list.load;
        let parent = self.records[node as usize].parent;
        if parent == NONE {
            if load == 0 {
                self.free_node(node);
                self.root = NONE;
            } else {
                self.narrow(node, old, probe);
            }
            return;
        }
        let children = self.nodes[parent as usize].children;
        let sibling = children[usize::from(children[0] == node)];
        if load == 0 {
            // The sibling takes the parent's place.
            let above = self.records[parent as usize].parent;
            self.records[sibling as usize].parent = above;
            self.replace(above, parent, sibling);
            self.free_node(node);
            self.free_node(parent);
            self.refit(above, probe);
            return;
        }
        let beside = &self.nodes[sibling as usize];
        if beside.is_bucket() && load + beside.list.load <= self.bucket / 2 {
            self.merge(parent, probe);
            self.refit(self.records[parent as usize].parent, probe);
            return;
        }
        self.narrow(node, old, probe);
    }

    /// Takes the units of two buckets back into their parent.
    fn merge<P: Probe>(&mut self, node: u32, probe: &mut P) {
        probe.on(Event::Merge(node));
        let children = self.nodes[node as usize].children;
        self.nodes[node as usize].children = [NONE; 2];
        self.records[node as usize].bit = BUCKET;
        for child in children {
            let mut units = std::mem::replace(&mut self.nodes[child as usize].list, List::EMPTY);
            while let Some(block) = self.blocks.take_block(&mut units) {
                for &(unit, body) in block.units() {
                    self.hold(node, unit, body);
                }
            }
            self.free_node(child);
        }
        let list = self.nodes[node as usize].list;
        self.nodes[node as usize].bounds = self.blocks.bounds(list);
    }

    fn free_node(&mut self, node: u32) {
        self.records[node as usize].bit = FREE;
        self.nodes[node as usize].children = [self.free, NONE];
        self.free = node;
        self.free_count += 1;
    }

    /// Widens the box of a node and of those above it to hold a body.
    fn widen<P: Probe>(&mut self, mut node: u32, body: Aabb3, probe: &mut P) {
        while node != NONE {
            let bounds = &mut self.nodes[node as usize].bounds;
            if bounds.contains_box(body) {
                return;
            }
            probe.on(Event::Refit(node));
            *bounds = bounds.join(body);
            node = self.records[node as usize].parent;
        }
    }

    /// Computes the box of a bucket and of those above it anew, if a box that is there no more was on its border.
    fn narrow<P: Probe>(&mut self, node: u32, old: Aabb3, probe: &mut P) {
        let here = &self.nodes[node as usize];
        let bounds = here.bounds;
        if old.min.cmpgt(bounds.min).all() && old.max.cmplt(bounds.max).all() {
            return;
        }
        probe.on(Event::Refit(node));
        let new = self.blocks.bounds(here.list);
        if new != bounds {
            self.nodes[node as usize].bounds = new;
            self.refit(self.records[node as usize].parent, probe);
        }
    }

    /// Computes the box of an inner node and of those above it anew, until one stays as it is.
    fn refit<P: Probe>(&mut self, mut node: u32, probe: &mut P) {
        while node != NONE {
            probe.on(Event::Refit(node));
            let new = self.joined(self.nodes[node as usize].children);
            let bounds = &mut self.nodes[node as usize].bounds;
            if *bounds == new {
                return;
            }
            *bounds = new;
            node = self.records[node as usize].parent;
        }
    }
}
