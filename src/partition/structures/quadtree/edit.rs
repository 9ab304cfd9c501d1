//! Adding, moving, removing; splitting and merging.

use super::pool::{BLOCK, Kind, NONE, Node, place_of};
use super::{Quadtree, ROOT};
use crate::geometry::Vec2;
use crate::partition::{Bodies, Change, Course, Outgrown, UnitId};
use crate::probe::{Event, Probe, Work};

impl Quadtree {
    pub(super) fn make_children<P: Probe>(&mut self, node: u32, probe: &mut P) -> u32 {
        let depth = usize::from(self.pool.nodes[node as usize].depth);
        self.depth_counts[depth + 1] += 4;
        probe.on(Event::Split(node));
        self.pool.make_children(node)
    }

    /// Makes room for new rows. Where everybody moves, all are moved here: in the order of memory, most of them
    /// are written where they are without looking up where that is.
    pub(super) fn look_at<P: Probe>(
        &mut self,
        bodies: Bodies<'_>,
        changes: &[Change],
        probe: &mut P,
    ) -> Course {
        if bodies.are_sized() != self.pool.is_sized() && bodies.slot_count() > 0 {
            // Points have become bodies, or bodies points.
            return Course::Rebuild;
        }
        if bodies.slot_count() > self.slots.len() {
            self.slots.resize(bodies.slot_count(), NONE);
        }
        let everybody_moves = changes.len() >= self.count as usize
            && changes
                .iter()
                .all(|change| matches!(change, Change::Move(_)));
        if !everybody_moves {
            return Course::OneByOne;
        }
        match self.relocate_all(bodies, probe) {
            Ok(()) => Course::Done,
            Err(Outgrown) => Course::Rebuild,
        }
    }

    /// Adds a unit. One outside of the root is too much for it.
    pub(super) fn insert<P: Probe>(
        &mut self,
        bodies: Bodies<'_>,
        unit: UnitId,
        probe: &mut P,
    ) -> Result<(), Outgrown> {
        let position = bodies.center(unit);
        debug_assert_eq!(
            self.slots[unit as usize], NONE,
            "unit {unit} was added twice"
        );
        if !self.pool.nodes[ROOT as usize].bounds.contains(position) {
            return Err(Outgrown);
        }
        let leaf = self.descend(ROOT, position, probe);
        self.put(leaf, unit, position, bodies.half_extent(unit), probe);
        self.count += 1;
        Ok(())
    }

    /// Takes a unit out.
    pub(super) fn delete<P: Probe>(&mut self, unit: UnitId, probe: &mut P) {
        let leaf = self.take(unit);
        self.count -= 1;
        self.merge_above(leaf, probe);
    }

    /// Writes a unit where it is, or puts it in the leaf in which it is now.
    #[inline]
    pub(super) fn update<P: Probe>(
        &mut self,
        bodies: Bodies<'_>,
        unit: UnitId,
        probe: &mut P,
    ) -> Result<(), Outgrown> {
        let position = bodies.center(unit);
        let (block, lane) = place_of(self.slots[unit as usize]);
        let leaf = self.pool.owners[block].leaf;
        self.copy_size(bodies, unit, leaf, block, lane);
        if Self::owns(self.pool.nodes[leaf as usize].bounds, position) {
            self.write(block, lane, position);
            probe.on(Event::Work(Work::MoveInPlace));
            return Ok(());
        }
        let target = self.find(leaf, position, probe)?;
        if target == leaf {
            self.write(block, lane, position);
            probe.on(Event::Work(Work::MoveInPlace));
            return Ok(());
        }
        probe.on(Event::Work(Work::MoveRelink));
        self.take(unit);
        self.put(target, unit, position, bodies.half_extent(unit), probe);
        self.merge_above(leaf, probe);
        Ok(())
    }

    /// Moves everybody: walks the blocks in the order of memory, writes those who stayed where they are, and relocates the
    /// others afterwards.
    fn relocate_all<P: Probe>(
        &mut self,
        bodies: Bodies<'_>,
        probe: &mut P,
    ) -> Result<(), Outgrown> {
        let mut leavers = std::mem::take(&mut self.leavers);
        leavers.clear();
        for block in 0..self.pool.block_count() as usize {
            let owner = self.pool.owners[block];
            if owner.length == 0 {
                continue;
            }
            let bounds = self.pool.nodes[owner.leaf as usize].bounds;
            for lane in 0..owner.length as usize {
                let unit = self.pool.blocks[block].ids[lane];
                let position = bodies.center(unit);
                if Self::owns(bounds, position) {
                    self.write(block, lane, position);
                    self.copy_size(bodies, unit, owner.leaf, block, lane);
                    probe.on(Event::Work(Work::MoveInPlace));
                } else {
                    leavers.push(unit);
                }
            }
        }
        let done = leavers
            .iter()
            .try_for_each(|unit| self.update(bodies, *unit, probe));
        self.leavers = leavers;
        done
    }

    #[inline]
    fn write(&mut self, block: usize, lane: usize, position: Vec2) {
        let columns = &mut self.pool.blocks[block];
        columns.xs[lane] = position.x;
        columns.ys[lane] = position.y;
    }

    /// Writes down the size of a unit, where units have sizes and this one's has changed.
    #[inline]
    fn copy_size(
        &mut self,
        bodies: Bodies<'_>,
        unit: UnitId,
        leaf: u32,
        block: usize,
        lane: usize,
    ) {
        if !self.pool.is_sized() {
            return;
        }
        let new = bodies.half_extent(unit);
        let old = std::mem::replace(&mut self.pool.half_extents[block][lane], new);
        if old != new {
            // Growing comes first: it ends at the first node that holds the new size, which a shrunk leaf already would.
            self.grow_reach(leaf, new);
            self.shrink_reach(leaf, old);
        }
    }

    /// The leaf of a position outside of `leaf`: up to the first node that holds it, and down from there.
    fn find<P: Probe>(&self, leaf: u32, position: Vec2, probe: &mut P) -> Result<u32, Outgrown> {
        let (mut below, mut node) = (leaf, self.pool.nodes[leaf as usize].parent);
        while node != NONE {
            probe.on(Event::Climb(below));
            let here = &self.pool.nodes[node as usize];
            if Self::owns(here.bounds, position) {
                return Ok(self.descend(node, position, probe));
            }
            (below, node) = (node, here.parent);
        }
        if self.pool.nodes[ROOT as usize].bounds.contains(position) {
            Ok(self.descend(ROOT, position, probe))
        } else {
            Err(Outgrown)
        }
    }

    /// The leaf of a position below `node`.
    #[inline]
    pub(super) fn descend<P: Probe>(&self, mut node: u32, position: Vec2, probe: &mut P) -> u32 {
        loop {
            let here = &self.pool.nodes[node as usize];
            if here.kind != Kind::Inner {
                return node;
            }
            node = here.link + Node::quarter(here.cut(), position);
            probe.on(Event::Descend(node));
        }
    }

    /// Puts a unit into a leaf, which splits if it has to.
    fn put<P: Probe>(
        &mut self,
        leaf: u32,
        unit: UnitId,
        position: Vec2,
        half_extent: Vec2,
        probe: &mut P,
    ) {
        self.slots[unit as usize] = self.pool.push(leaf, unit, position, half_extent);
        self.grow_reach(leaf, half_extent);
        let node = &self.pool.nodes[leaf as usize];
        if node.load > self.capacity && node.depth < self.depth_cap {
            self.split(leaf, probe);
        }
    }

    /// Takes a unit out of its leaf, and gives the leaf.
    fn take(&mut self, unit: UnitId) -> u32 {
        let slot = std::mem::replace(&mut self.slots[unit as usize], NONE);
        debug_assert_ne!(slot, NONE, "unit {unit} was removed twice");
        let (block, lane) = place_of(slot);
        let leaf = self.pool.owners[block].leaf;
        let half_extent = self.pool.half_extent(block, lane);
        if let Some(moved) = self.pool.swap_remove(slot) {
            self.slots[moved as usize] = slot;
        }
        self.shrink_reach(leaf, half_extent);
        leaf
    }

    /// Deals the units of a leaf to four new leaves, and goes on with one that gets too many.
    fn split<P: Probe>(&mut self, leaf: u32, probe: &mut P) {
        let mut block = self.pool.nodes[leaf as usize].link;
        let cut = self.pool.nodes[leaf as usize].cut();
        let first = self.make_children(leaf, probe);
        while block != NONE {
            let owner = self.pool.owners[block as usize];
            let columns = self.pool.blocks[block as usize];
            let half_extents = self.pool.half_extents.get(block as usize).copied();
            self.pool.free_block(block);
            for lane in 0..owner.length as usize {
                let position = columns.position(lane);
                let half_extent = half_extents.map_or(Vec2::ZERO, |column| column[lane]);
                let child = first + Node::quarter(cut, position);
                self.move_to(child, columns.ids[lane], position, half_extent);
            }
            block = owner.next;
        }
        for child in first..first + 4 {
            let node = &self.pool.nodes[child as usize];
            if node.load > self.capacity && node.depth < self.depth_cap {
                self.split(child, probe);
            }
        }
    }

    /// Puts a unit that another node held into a leaf of the same path, so that only the leaf's own reach can change.
    fn move_to(&mut self, leaf: u32, unit: UnitId, position: Vec2, half_extent: Vec2) {
        self.slots[unit as usize] = self.pool.push(leaf, unit, position, half_extent);
        if let Some(reach) = self.pool.reaches.get_mut(leaf as usize) {
            *reach = reach.max(half_extent);
        }
    }

    /// Merges the family of a leaf that lost a unit, and the families above, while they fit into half a leaf.
    fn merge_above<P: Probe>(&mut self, leaf: u32, probe: &mut P) {
        let mut parent = self.pool.nodes[leaf as usize].parent;
        while parent != NONE {
            let first = self.pool.nodes[parent as usize].link;
            let family = &self.pool.nodes[first as usize..first as usize + 4];
            let load: u32 = family.iter().map(|node| node.load).sum();
            let are_leaves = family.iter().all(|node| node.kind == Kind::Leaf);
            if !are_leaves || load > self.capacity / 2 {
                return;
            }
            self.merge(parent, probe);
            parent = self.pool.nodes[parent as usize].parent;
        }
    }

    /// Takes the units of four leaves back into their parent.
    fn merge<P: Probe>(&mut self, parent: u32, probe: &mut P) {
        probe.on(Event::Merge(parent));
        let node = &mut self.pool.nodes[parent as usize];
        let first = node.link;
        node.kind = Kind::Leaf;
        node.link = NONE;
        self.depth_counts[usize::from(node.depth) + 1] -= 4;
        for child in first..first + 4 {
            let mut block = self.pool.nodes[child as usize].link;
            while block != NONE {
                let owner = self.pool.owners[block as usize];
                for lane in 0..owner.length as usize {
                    let columns = &self.pool.blocks[block as usize];
                    let (unit, position) = (columns.ids[lane], columns.position(lane));
                    let half_extent = self.pool.half_extent(block as usize, lane);
                    self.slots[unit as usize] = self.pool.push(parent, unit, position, half_extent);
                }
                self.pool.free_block(block);
                block = owner.next;
            }
        }
        self.pool.free_children(first);
    }

    /// Widens the reach of a node and of those above it to hold a body.
    #[inline]
    fn grow_reach(&mut self, mut node: u32, half_extent: Vec2) {
        if !self.pool.is_sized() {
            return;
        }
        while node != NONE {
            let reach = &mut self.pool.reaches[node as usize];
            if half_extent.cmple(*reach).all() {
                return;
            }
            *reach = reach.max(half_extent);
            node = self.pool.nodes[node as usize].parent;
        }
    }

    /// Computes the reach of a leaf and of those above it anew after a body has gone, if it was the one that set it.
    fn shrink_reach(&mut self, leaf: u32, half_extent: Vec2) {
        if !self.pool.is_sized() {
            return;
        }
        let mut node = leaf;
        while node != NONE {
            let old = self.pool.reaches[node as usize];
            if half_extent.cmplt(old).all() {
                return;
            }
            let here = self.pool.nodes[node as usize];
            let new = if here.kind == Kind::Inner {
                let first = here.link as usize;
                self.pool.reaches[first..first + 4]
                    .iter()
                    .fold(Vec2::ZERO, |sum, reach| sum.max(*reach))
            } else {
                self.leaf_reach(leaf)
            };
            if new == old {
                return;
            }
            self.pool.reaches[node as usize] = new;
            node = here.parent;
        }
    }

    /// The largest half extent of a leaf's units, computed anew.
    pub(super) fn leaf_reach(&self, leaf: u32) -> Vec2 {
        let mut reach = Vec2::ZERO;
        let mut block = self.pool.nodes[leaf as usize].link;
        while block != NONE {
            let owner = self.pool.owners[block as usize];
            let column: &[Vec2; BLOCK] = &self.pool.half_extents[block as usize];
            reach = column[..owner.length as usize]
                .iter()
                .fold(reach, |sum, half_extent| sum.max(*half_extent));
            block = owner.next;
        }
        reach
    }
}
