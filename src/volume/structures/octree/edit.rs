//! Adding, moving, removing; splitting and merging.

use super::{DOUBLING_LIMIT, FREE, List, NONE, Octree, ROOT};
use crate::partition::{Change, Course, UnitId};
use crate::probe::{Event, Probe, Work};
use crate::volume::{Aabb3, Bodies3, Vec3};

impl Octree {
    /// Makes room for new rows. The bodies are the truth after all the changes: where one of them is outside the root, a
    /// build does them all.
    pub(super) fn look_at(&mut self, bodies: Bodies3<'_>, changes: &[Change]) -> Course {
        if changes.is_empty() {
            return Course::Done;
        }
        if bodies.are_sized() != self.blocks.is_sized() {
            // Points have become bodies, or bodies points.
            return Course::Rebuild;
        }
        let must_grow = |change: &Change| match *change {
            Change::Add(unit) | Change::Move(unit) => {
                bodies.is_alive(unit) && self.is_outside(bodies.aabb(unit).center())
            }
            Change::Remove(_) => false,
        };
        if changes.iter().any(must_grow) {
            return Course::Rebuild;
        }
        if bodies.slot_count() > self.slots.len() {
            self.slots.resize(bodies.slot_count(), NONE);
        }
        Course::OneByOne
    }

    /// Whether the root should double: it does not beyond all coordinates, but holds what is there.
    fn is_outside(&self, middle: Vec3) -> bool {
        self.doublings < DOUBLING_LIMIT && !self.records[ROOT as usize].cell.contains(middle)
    }

    /// Adds a unit.
    pub(super) fn insert<P: Probe>(&mut self, unit: UnitId, body: Aabb3, probe: &mut P) {
        debug_assert_eq!(
            self.slots[unit as usize], NONE,
            "unit {unit} was added twice"
        );
        self.nodes[ROOT as usize].total += 1;
        let target = self.descend(ROOT, body, probe);
        self.put(target, unit, body, probe);
    }

    /// Takes a unit out.
    pub(super) fn delete<P: Probe>(&mut self, unit: UnitId, probe: &mut P) {
        let node = self.take(unit);
        let mut above = node;
        while above != NONE {
            self.nodes[above as usize].total -= 1;
            above = self.records[above as usize].parent;
        }
        self.merge_from(node, probe);
    }

    /// Writes a unit where it is, or puts it in the node in which it is now.
    #[inline]
    pub(super) fn update<P: Probe>(&mut self, unit: UnitId, body: Aabb3, probe: &mut P) {
        let slot = self.slots[unit as usize];
        let node = self.blocks.owner(slot);
        let is_leaf = self.nodes[node as usize].is_leaf();
        if self.is_home(node, body) {
            let fits = self.octant_for(node, body).is_some();
            if is_leaf || !fits {
                if is_leaf {
                    let did_fit = self.octant_for(node, self.blocks.body(slot)).is_some();
                    let fitting = &mut self.records[node as usize].fitting;
                    *fitting = *fitting + u32::from(fits) - u32::from(did_fit);
                }
                self.blocks.write(slot, body);
                probe.on(Event::Work(Work::MoveInPlace));
                self.split_if_full(node, probe);
                return;
            }
        }
        // Up to the first node that holds it: those below hold one unit less.
        let mut top = node;
        while top != ROOT && !self.is_home(top, body) {
            probe.on(Event::Climb(top));
            top = self.records[top as usize].parent;
        }
        self.take(unit);
        let mut left = node;
        while left != top {
            self.nodes[left as usize].total -= 1;
            left = self.records[left as usize].parent;
        }
        let target = self.descend(top, body, probe);
        probe.on(Event::Work(Work::MoveRelink));
        self.put(target, unit, body, probe);
        self.merge_from(node, probe);
    }

    /// Whether a body belongs to a node or below it. The far borders of a cell are those of its neighbours: units on the far
    /// border of the root therefore take the long way, and end in the same node.
    #[inline]
    fn is_home(&self, node: u32, body: Aabb3) -> bool {
        let cell = self.records[node as usize].cell;
        let middle = body.center();
        middle.cmpge(cell.min).all()
            && middle.cmplt(cell.max).all()
            && self.nodes[node as usize].bounds.contains_box(body)
    }

    /// The smallest node below `node` that holds a body. Those on the way hold one unit more from now on, `node` itself does
    /// so already.
    #[inline]
    fn descend<P: Probe>(&mut self, mut node: u32, body: Aabb3, probe: &mut P) -> u32 {
        while !self.nodes[node as usize].is_leaf()
            && let Some(octant) = self.octant_for(node, body)
        {
            node = self.nodes[node as usize].children + octant;
            probe.on(Event::Descend(node));
            self.nodes[node as usize].total += 1;
        }
        node
    }

    /// Puts a unit that is counted already into a node, which splits if it has to.
    fn put<P: Probe>(&mut self, node: u32, unit: UnitId, body: Aabb3, probe: &mut P) {
        self.hold(node, unit, body);
        if self.nodes[node as usize].is_leaf() && self.octant_for(node, body).is_some() {
            self.records[node as usize].fitting += 1;
            self.split_if_full(node, probe);
        }
    }

    /// Takes a unit out of its node's list, and gives the node.
    fn take(&mut self, unit: UnitId) -> u32 {
        let slot = std::mem::replace(&mut self.slots[unit as usize], NONE);
        debug_assert_ne!(slot, NONE, "unit {unit} was removed twice");
        let node = self.blocks.owner(slot);
        if self.nodes[node as usize].is_leaf() {
            let did_fit = self.octant_for(node, self.blocks.body(slot)).is_some();
            self.records[node as usize].fitting -= u32::from(did_fit);
        }
        let list = &mut self.nodes[node as usize].list;
        if let Some(moved) = self.blocks.remove(list, slot) {
            self.slots[moved as usize] = slot;
        }
        node
    }

    /// Splits a leaf of which more units than the capacity would go down, and its octants if they are as full again. The
    /// recursion goes no deeper than the tree.
    fn split_if_full<P: Probe>(&mut self, node: u32, probe: &mut P) {
        let record = self.records[node as usize];
        if record.fitting <= self.capacity || self.is_deepest(record.depth) {
            return;
        }
        let first = self.make_children(node, probe);
        // Copies are dealt out and not the truth: whoever has yet to be moved belongs where it was.
        let mut units = std::mem::replace(&mut self.nodes[node as usize].list, List::EMPTY);
        while let Some(block) = self.blocks.take_block(&mut units) {
            for &(unit, body) in block.units() {
                let Some(octant) = self.octant_for(node, body) else {
                    self.hold(node, unit, body);
                    continue;
                };
                let child = first + octant;
                self.nodes[child as usize].total += 1;
                self.hold(child, unit, body);
                let fits = self.octant_for(child, body).is_some();
                self.records[child as usize].fitting += u32::from(fits);
            }
        }
        for child in first..first + 8 {
            self.split_if_full(child, probe);
        }
    }

    /// Lets a node that lost a unit, and those above it, take their children back where at most half a capacity is left.
    ///
    /// A node with children has more than that, so those that come to have less have leaves for children.
    fn merge_from<P: Probe>(&mut self, mut node: u32, probe: &mut P) {
        if self.nodes[node as usize].is_leaf() {
            node = self.records[node as usize].parent;
        }
        while node != NONE && self.nodes[node as usize].total <= self.capacity / 2 {
            self.merge(node, probe);
            node = self.records[node as usize].parent;
        }
    }

    /// Takes the units of eight leaves back into their parent.
    fn merge<P: Probe>(&mut self, node: u32, probe: &mut P) {
        probe.on(Event::Merge(node));
        let first = std::mem::replace(&mut self.nodes[node as usize].children, NONE);
        for child in first..first + 8 {
            let below = &mut self.nodes[child as usize];
            let mut units = std::mem::replace(&mut below.list, List::EMPTY);
            below.total = 0;
            self.records[child as usize].depth = FREE;
            // Who went down fits, and who stayed does not.
            self.records[node as usize].fitting += units.load;
            while let Some(block) = self.blocks.take_block(&mut units) {
                for &(unit, body) in block.units() {
                    self.hold(node, unit, body);
                }
            }
        }
        self.nodes[first as usize].children = self.free;
        self.free = first;
        self.free_count += 1;
    }
}
