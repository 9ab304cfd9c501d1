//! Adding, moving, removing; splitting and merging.

use super::pool::{BLOCK, Block, Kind, NONE, Node, Owner, Pool, place_of, slot_of};
use super::{Quadtree, ROOT};
use crate::geometry::Vec2;
use crate::partition::toolkit::threads::{front, front_mut, threads_for};
use crate::partition::{Bodies, Change, Course, Outgrown, Partition, UnitId};
use crate::probe::{Event, Probe, Work};
use rayon::prelude::*;

/// What a thread finds when it goes through blocks.
#[derive(Clone, Debug, Default)]
pub(super) struct Found {
    /// Who has left its leaf, in the order of memory.
    pub leavers: Vec<UnitId>,
    /// The slots of those who stay and have another size than before.
    resized: Vec<u32>,
    /// How many stay.
    stay: u64,
}

impl Found {
    /// The bytes that it takes on the heap.
    pub fn byte_count(&self) -> usize {
        self.leavers.capacity() * size_of::<UnitId>() + self.resized.capacity() * size_of::<u32>()
    }
}

/// Blocks that follow each other, which one thread goes through.
struct Stretch<'t> {
    bodies: Bodies<'t>,
    nodes: &'t [Node],
    /// The number of the first of them.
    first: usize,
    owners: &'t [Owner],
    blocks: &'t mut [Block],
    /// Empty in a world of points.
    half_extents: &'t mut [[Vec2; BLOCK]],
}

impl<'t> Stretch<'t> {
    /// All blocks.
    fn all(pool: &'t mut Pool, bodies: Bodies<'t>) -> Self {
        let count = pool.block_count() as usize;
        let sized = if pool.is_sized() { count } else { 0 };
        Self {
            bodies,
            nodes: &pool.nodes,
            first: 0,
            owners: &pool.owners[..count],
            blocks: &mut pool.blocks[..count],
            half_extents: &mut pool.half_extents[..sized],
        }
    }

    /// Takes the first `count` blocks, or all that there are.
    fn split_off(&mut self, count: usize) -> Self {
        let count = count.min(self.owners.len());
        let first = self.first;
        self.first += count;
        Self {
            first,
            owners: front(&mut self.owners, count),
            blocks: front_mut(&mut self.blocks, count),
            half_extents: front_mut(&mut self.half_extents, count),
            ..*self
        }
    }

    /// Writes those who stayed in their leaf, and notes the others.
    fn go_through(&mut self, found: &mut Found) {
        found.leavers.clear();
        found.resized.clear();
        found.stay = 0;
        for (place, (owner, block)) in self.owners.iter().zip(&mut *self.blocks).enumerate() {
            if owner.length == 0 {
                continue;
            }
            let bounds = self.nodes[owner.leaf as usize].bounds;
            for lane in 0..owner.length as usize {
                let unit = block.ids[lane];
                let position = self.bodies.center(unit);
                if !Quadtree::owns(bounds, position) {
                    found.leavers.push(unit);
                    continue;
                }
                (block.xs[lane], block.ys[lane]) = (position.x, position.y);
                found.stay += 1;
                // The nodes above know the largest size below them, so a size is no matter of this block alone.
                if let Some(sizes) = self.half_extents.get(place)
                    && sizes[lane] != self.bodies.half_extent(unit)
                {
                    found
                        .resized
                        .push(slot_of((self.first + place) as u32, lane));
                }
            }
        }
    }
}

impl Quadtree {
    pub(super) fn make_children<P: Probe>(&mut self, node: u32, probe: &mut P) -> u32 {
        let depth = usize::from(self.pool.nodes[node as usize].depth);
        self.depth_counts[depth + 1] += 4;
        probe.on(Event::Split(node));
        self.pool.make_children(node)
    }

    /// Writes down in which slot each unit is, unless that was done since the tree was built: it is put off until something changes,
    /// for to write it in the order of ids costs a build in random order a fifth of its time.
    pub(super) fn know_slots(&mut self) {
        if std::mem::replace(&mut self.are_slots_known, true) {
            return;
        }
        if self.count as usize != self.slots.len() {
            self.slots.fill(NONE);
        }
        for ((block, owner), columns) in (0..).zip(&self.pool.owners).zip(&self.pool.blocks) {
            for lane in 0..owner.length as usize {
                self.slots[columns.ids[lane] as usize] = slot_of(block, lane);
            }
        }
    }

    /// Makes room for new rows. Where everybody moves who does not come or go, all are moved here, after the others: in the order of
    /// memory, most of them are written where they are without looking up where that is.
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
        if !changes.is_empty() {
            self.know_slots();
        }
        if bodies.slot_count() > self.slots.len() {
            self.slots.resize(bodies.slot_count(), NONE);
        }
        let is_move = |change: &&Change| matches!(change, Change::Move(_));
        let (mut moves, mut count) = (0, self.count as usize);
        for change in changes {
            match change {
                Change::Move(_) => moves += 1,
                Change::Add(_) => count += 1,
                Change::Remove(_) => count = count.saturating_sub(1),
            }
        }
        if moves == 0 || moves < count {
            return Course::OneByOne;
        }
        let mut others = changes.iter().filter(|change| !is_move(change));
        let done = others.try_for_each(|change| self.make(bodies, *change, probe));
        match done.and_then(|()| self.relocate_all(bodies, probe)) {
            Ok(()) => {
                self.shrink_put_off();
                Course::Done
            }
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
        let threads = threads_for(self.count as usize, self.threads);
        let (mut found, mut helpers) = (
            std::mem::take(&mut *self.found),
            std::mem::take(&mut *self.helpers),
        );
        if helpers.len() + 1 < threads {
            helpers.resize_with(threads - 1, Found::default);
        }
        let mut rest = Stretch::all(&mut self.pool, bodies);
        if threads == 1 {
            rest.go_through(&mut found);
        } else {
            let length = rest.owners.len().div_ceil(threads);
            let all = std::iter::once(&mut found).chain(&mut helpers[..threads - 1]);
            let shares = all.map(|found| (rest.split_off(length), found));
            let mut shares: Vec<_> = shares.collect();
            let walk = |(stretch, found): &mut (Stretch<'_>, &mut Found)| stretch.go_through(found);
            shares.par_iter_mut().for_each(walk);
        }
        let all = std::iter::once(&found).chain(&helpers[..threads - 1]);
        let done = self.finish(bodies, all, probe);
        (*self.found, *self.helpers) = (found, helpers);
        done
    }

    /// Does what is left to do after all blocks have been gone through.
    fn finish<'f, P: Probe>(
        &mut self,
        bodies: Bodies<'_>,
        mut all: impl Iterator<Item = &'f Found> + Clone,
        probe: &mut P,
    ) -> Result<(), Outgrown> {
        if P::HEARS {
            for _ in 0..all.clone().map(|found| found.stay).sum() {
                probe.on(Event::Work(Work::MoveInPlace));
            }
        }
        // All sizes are written before a leaf is looked through, once.
        for slot in all.clone().flat_map(|found| &found.resized) {
            let (block, lane) = place_of(*slot);
            let unit = self.pool.blocks[block].ids[lane];
            let leaf = self.pool.owners[block].leaf;
            let half_extent = bodies.half_extent(unit);
            self.pool.half_extents[block][lane] = half_extent;
            // Growing comes first, as where one alone has another size.
            self.grow_reach(leaf, half_extent);
            self.put_off(leaf);
        }
        self.shrink_put_off();
        all.try_for_each(|found| {
            let mut leavers = found.leavers.iter();
            leavers.try_for_each(|unit| self.update(bodies, *unit, probe))
        })
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
            if !self.shrinking.is_empty() {
                // What was put off for one of the four is of a leaf that there is no more.
                self.renew_reach(parent);
            }
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

    /// Computes the reach of a leaf and of those above it anew after a body has gone, if it was the one that set it. A crowd that
    /// cannot be split is looked through once after all changes: it may be everybody, and each of them may go.
    fn shrink_reach(&mut self, leaf: u32, half_extent: Vec2) {
        if !self.pool.is_sized() || half_extent.cmplt(self.reach(leaf)).all() {
            return;
        }
        if self.pool.nodes[leaf as usize].load > self.capacity {
            self.put_off(leaf);
        } else {
            self.renew_reach(leaf);
        }
    }

    /// Notes a leaf whose reach may be less by now.
    fn put_off(&mut self, leaf: u32) {
        if self.shrinking.last() != Some(&leaf) {
            self.shrinking.push(leaf);
        }
    }

    /// Computes the reach of all leaves anew for which that was put off.
    pub(super) fn shrink_put_off(&mut self) {
        if self.shrinking.is_empty() {
            return;
        }
        let mut leaves = std::mem::take(&mut *self.shrinking);
        leaves.sort_unstable();
        leaves.dedup();
        for leaf in leaves.drain(..) {
            // Whoever has been merged is not there, or is another one that is in order.
            if self.pool.nodes[leaf as usize].kind == Kind::Leaf {
                self.renew_reach(leaf);
            }
        }
        *self.shrinking = leaves;
    }

    /// Computes the reach of a leaf anew, and of those above it as long as the leaf's may have set theirs. Which that was is asked of the
    /// leaf, and not of the body that has gone: a leaf that was noted may reach as far as several who went before.
    fn renew_reach(&mut self, leaf: u32) {
        let most = self.reach(leaf);
        let mut node = leaf;
        while node != NONE {
            let old = self.reach(node);
            if most.cmplt(old).all() {
                return;
            }
            let here = self.pool.nodes[node as usize];
            let new = if here.kind == Kind::Inner {
                let first = here.link as usize;
                self.pool.reaches[first..first + 4]
                    .iter()
                    .fold(Vec2::ZERO, |sum, reach| sum.max(*reach))
            } else {
                self.leaf_reach(leaf, old)
            };
            if new == old {
                return;
            }
            self.pool.reaches[node as usize] = new;
            node = here.parent;
        }
    }

    /// The largest half extent of a leaf's units, computed anew. It is not more than `most`: once that is found, nobody else is looked at.
    pub(super) fn leaf_reach(&self, leaf: u32, most: Vec2) -> Vec2 {
        let mut reach = Vec2::ZERO;
        let mut block = self.pool.nodes[leaf as usize].link;
        while block != NONE && !reach.cmpge(most).all() {
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
