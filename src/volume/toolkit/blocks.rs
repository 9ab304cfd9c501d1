//! Where units lie: lists of small blocks of columns in one pool, so that the units of a leaf or a cell are read in a few cache
//! lines and a crowd on one spot is a list of blocks.
//!
//! Invariant: only the first block of a list may have room; a free block has no owner and no units.

use crate::partition::toolkit::simd::{Eight, PADDING};
use crate::partition::{UnitId, Violation};
use crate::volume::{Aabb3, Vec3};

/// No block, no owner, no slot.
pub const NONE: u32 = u32::MAX;

/// How many units a block has room for: a register of the widest kind that is common.
pub const LANES: usize = PADDING;

/// One number of each unit of a block.
type Column = [f32; LANES];

/// The units of one leaf or cell, as its node keeps them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct List {
    /// The first block; [`NONE`] for no unit.
    pub head: u32,
    /// How many units there are.
    pub load: u32,
}

impl List {
    /// Nobody.
    pub const EMPTY: Self = Self {
        head: NONE,
        load: 0,
    };
}

/// What queries read of some units of one list: who they are, and the lower corners of their boxes.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Block {
    ids: [UnitId; LANES],
    low: [Column; 3],
}

// Two cache lines.
const _: () = assert!(size_of::<Block>() == 128);

/// Whose a block is, apart from what queries read of its units.
#[derive(Clone, Copy, Debug)]
struct Owner {
    /// The leaf or cell; [`NONE`] for a free block.
    owner: u32,
    /// The next block of the same list, or the next free one; [`NONE`] at the end.
    next: u32,
    /// How many units are in it.
    length: u32,
}

/// The pool.
#[derive(Clone, Debug)]
pub struct Blocks {
    blocks: Vec<Block>,
    /// Block → the upper corners; empty in a world of points, where they are the lower ones.
    highs: Vec<[Column; 3]>,
    /// Block → whose it is.
    owners: Vec<Owner>,
    free: u32,
    free_count: u32,
    is_sized: bool,
}

/// The units of a block that was taken out of a list, with their boxes.
#[derive(Clone, Copy, Debug)]
pub struct Taken {
    items: [(UnitId, Aabb3); LANES],
    length: usize,
}

impl Taken {
    /// They.
    pub fn units(&self) -> &[(UnitId, Aabb3)] {
        &self.items[..self.length]
    }
}

impl Blocks {
    /// A pool without a block, for points or for bodies.
    pub const fn new(is_sized: bool) -> Self {
        Self {
            blocks: Vec::new(),
            highs: Vec::new(),
            owners: Vec::new(),
            free: NONE,
            free_count: 0,
            is_sized,
        }
    }

    /// Forgets all blocks, but not the memory that they were in.
    pub fn reset(&mut self, is_sized: bool) {
        self.blocks.clear();
        self.highs.clear();
        self.owners.clear();
        (self.free, self.free_count) = (NONE, 0);
        self.is_sized = is_sized;
    }

    /// Whether units have sizes.
    #[inline]
    pub fn is_sized(&self) -> bool {
        self.is_sized
    }

    /// Puts an empty block in front of a list.
    fn push_block(&mut self, list: &mut List, owner: u32) -> u32 {
        let owner = Owner {
            owner,
            next: list.head,
            length: 0,
        };
        let block = self.free;
        let block = if block == NONE {
            self.blocks.push(Block {
                ids: [0; LANES],
                low: [[0.0; LANES]; 3],
            });
            if self.is_sized {
                self.highs.push([[0.0; LANES]; 3]);
            }
            self.owners.push(owner);
            self.blocks.len() as u32 - 1
        } else {
            self.free = self.owners[block as usize].next;
            self.free_count -= 1;
            self.owners[block as usize] = owner;
            block
        };
        list.head = block;
        block
    }

    /// Takes the first block of a list back.
    fn free_head(&mut self, list: &mut List) {
        let block = list.head;
        let owner = &mut self.owners[block as usize];
        list.head = owner.next;
        *owner = Owner {
            owner: NONE,
            next: self.free,
            length: 0,
        };
        self.free = block;
        self.free_count += 1;
    }

    /// Puts a unit into the list of `owner` and gives its slot.
    #[inline]
    pub fn push(&mut self, list: &mut List, owner: u32, unit: UnitId, body: Aabb3) -> u32 {
        let mut block = list.head;
        if block == NONE || self.owners[block as usize].length as usize == LANES {
            block = self.push_block(list, owner);
        }
        let length = &mut self.owners[block as usize].length;
        let lane = *length as usize;
        *length += 1;
        list.load += 1;
        let slot = block * LANES as u32 + lane as u32;
        self.blocks[block as usize].ids[lane] = unit;
        self.write(slot, body);
        slot
    }

    /// Takes the unit at a slot out of its list. The list's last unit takes the slot; it is given, unless it was the one.
    #[inline]
    pub fn remove(&mut self, list: &mut List, slot: u32) -> Option<UnitId> {
        let head = list.head;
        let last = head * LANES as u32 + self.owners[head as usize].length - 1;
        let moved = (last != slot).then(|| {
            let unit = self.unit(last);
            let (block, lane) = place_of(slot);
            self.blocks[block].ids[lane] = unit;
            self.write(slot, self.body(last));
            unit
        });
        list.load -= 1;
        self.owners[head as usize].length -= 1;
        if self.owners[head as usize].length == 0 {
            self.free_head(list);
        }
        moved
    }

    /// Takes the first block of a list out of it, with the units in it.
    pub fn take_block(&mut self, list: &mut List) -> Option<Taken> {
        let head = list.head;
        if head == NONE {
            return None;
        }
        let length = self.owners[head as usize].length as usize;
        let mut items = [(0, Aabb3::EMPTY); LANES];
        for (lane, item) in items[..length].iter_mut().enumerate() {
            let slot = head * LANES as u32 + lane as u32;
            *item = (self.unit(slot), self.body(slot));
        }
        list.load -= length as u32;
        self.free_head(list);
        Some(Taken { items, length })
    }

    /// Writes the box of the unit at a slot.
    #[inline]
    pub fn write(&mut self, slot: u32, body: Aabb3) {
        let (block, lane) = place_of(slot);
        for axis in 0..3 {
            self.blocks[block].low[axis][lane] = body.min[axis];
        }
        if self.is_sized {
            for axis in 0..3 {
                self.highs[block][axis][lane] = body.max[axis];
            }
        }
    }

    /// Who is at a slot.
    #[inline]
    pub fn unit(&self, slot: u32) -> UnitId {
        let (block, lane) = place_of(slot);
        self.blocks[block].ids[lane]
    }

    /// Whose list the slot is in.
    #[inline]
    pub fn owner(&self, slot: u32) -> u32 {
        self.owners[slot as usize / LANES].owner
    }

    /// The box at a slot, the same numbers that `Bodies3::aabb` gave.
    #[inline]
    pub fn body(&self, slot: u32) -> Aabb3 {
        let (block, lane) = place_of(slot);
        if self.is_sized {
            self.lane::<true>(block, lane)
        } else {
            self.lane::<false>(block, lane)
        }
    }

    /// The box of one unit of a block, in a world of bodies or of points.
    #[inline(always)]
    pub fn lane<const SIZED: bool>(&self, block: usize, lane: usize) -> Aabb3 {
        let corner =
            |columns: &[Column; 3]| Vec3::new(columns[0][lane], columns[1][lane], columns[2][lane]);
        let min = corner(&self.blocks[block].low);
        let max = if SIZED {
            corner(&self.highs[block])
        } else {
            min
        };
        Aabb3::new(min, max)
    }

    /// The blocks of a list, each with how many units are in it.
    #[inline(always)]
    pub fn chain(&self, list: List) -> impl Iterator<Item = (usize, usize)> + Clone + '_ {
        let mut block = list.head;
        std::iter::from_fn(move || {
            let owner = self.owners.get(block as usize)?;
            let item = (block as usize, owner.length as usize);
            block = owner.next;
            Some(item)
        })
    }

    /// The units of a list with their boxes.
    pub fn units(&self, list: List) -> impl Iterator<Item = (UnitId, Aabb3)> + Clone + '_ {
        self.chain(list).flat_map(|(block, length)| {
            let slots = (0..length).map(move |lane| (block * LANES + lane) as u32);
            slots.map(|slot| (self.unit(slot), self.body(slot)))
        })
    }

    /// The box around the units of a list.
    pub fn bounds(&self, list: List) -> Aabb3 {
        self.units(list)
            .fold(Aabb3::EMPTY, |sum, (_, body)| sum.join(body))
    }

    /// The same, where they are all within `most`: once they fill it, nobody else is looked at.
    pub fn bounds_within(&self, list: List, most: Aabb3) -> Aabb3 {
        let mut sum = Aabb3::EMPTY;
        for (_, body) in self.units(list) {
            sum = sum.join(body);
            if sum.contains_box(most) {
                break;
            }
        }
        sum
    }

    /// The ids of a block.
    #[inline(always)]
    pub fn ids(&self, block: usize) -> &[UnitId; LANES] {
        &self.blocks[block].ids
    }

    /// The boxes of a block, those behind its end included.
    #[inline(always)]
    pub fn eight<const SIZED: bool>(&self, block: usize) -> Eight<'_> {
        let low = &self.blocks[block].low;
        let high = if SIZED { &self.highs[block] } else { low };
        Eight { low, high }
    }

    /// Checks that a list is one: its blocks are all `owner`'s, only the first has room, and they hold as many units as it says.
    /// Gives each slot with who is there, and says how many blocks there are.
    pub fn check(
        &self,
        list: List,
        owner: u32,
        region: u32,
        mut each: impl FnMut(u32, UnitId, Aabb3) -> Result<(), Violation>,
    ) -> Result<usize, Violation> {
        let (mut block, mut count, mut load) = (list.head, 0, 0_usize);
        while block != NONE {
            let found = self.owners.get(block as usize).copied();
            let is_sound = found.is_some_and(|it| {
                let length = it.length as usize;
                let is_full = length == LANES || (count == 0 && (1..LANES).contains(&length));
                it.owner == owner && is_full && count < self.blocks.len()
            });
            Violation::unless(
                is_sound,
                region,
                || format!("blocks of {owner}, none empty and only the first with room"),
                || format!("block {block}, {found:?}"),
            )?;
            let Some(found) = found else { break };
            for lane in 0..found.length {
                let slot = block * LANES as u32 + lane;
                each(slot, self.unit(slot), self.body(slot))?;
            }
            load += found.length as usize;
            count += 1;
            block = found.next;
        }
        Violation::unless(
            load == list.load as usize,
            region,
            || format!("{} units", list.load),
            || format!("{load} in its blocks"),
        )?;
        Ok(count)
    }

    /// Checks that all blocks but the `used` ones are free and in the list of what is free.
    pub fn check_free(&self, used: usize) -> Result<(), Violation> {
        let (mut block, mut listed) = (self.free, 0);
        while let Some(owner) = self.owners.get(block as usize)
            && owner.owner == NONE
            && listed <= self.owners.len()
        {
            listed += 1;
            block = owner.next;
        }
        let columns = if self.is_sized { self.blocks.len() } else { 0 };
        Violation::unless(
            block == NONE
                && listed == self.free_count as usize
                && listed + used == self.blocks.len()
                && self.owners.len() == self.blocks.len()
                && self.highs.len() == columns,
            None,
            || format!("{used} blocks in use and the others free"),
            || {
                let count = self.blocks.len();
                format!("{count} blocks, {listed} of {} free ones", self.free_count)
            },
        )
    }

    /// How many blocks there are, and how many of them are free.
    pub fn counts(&self) -> (usize, usize) {
        (self.blocks.len(), self.free_count as usize)
    }

    /// Says how many bytes the pool takes.
    pub fn memory(&self, say: &mut dyn FnMut(&'static str, usize)) {
        say("blocks", self.blocks.capacity() * size_of::<Block>());
        say(
            "upper corners",
            self.highs.capacity() * size_of::<[Column; 3]>(),
        );
        say("owners", self.owners.capacity() * size_of::<Owner>());
    }
}

/// The block and the lane of a slot.
#[inline]
fn place_of(slot: u32) -> (usize, usize) {
    (slot as usize / LANES, slot as usize % LANES)
}

/// Ways to harm a pool, for whoever tests that a check notices.
#[cfg(test)]
impl Blocks {
    pub fn harm_copy(&mut self, slot: u32) {
        let (block, lane) = place_of(slot);
        self.blocks[block].low[1][lane] -= 1.0;
    }

    pub fn harm_unit(&mut self, slot: u32, unit: UnitId) {
        let (block, lane) = place_of(slot);
        self.blocks[block].ids[lane] = unit;
    }

    pub fn harm_owner(&mut self, slot: u32, owner: u32) {
        self.owners[slot as usize / LANES].owner = owner;
    }

    pub fn harm_length(&mut self, slot: u32) {
        self.owners[slot as usize / LANES].length -= 1;
    }

    /// A chain that does not end.
    pub fn harm_chain(&mut self, slot: u32) {
        let block = slot as usize / LANES;
        self.owners[block].next = block as u32;
    }

    pub fn harm_free(&mut self) {
        self.free_count += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_grows_and_shrinks_and_its_blocks_are_used_again() {
        for is_sized in [false, true] {
            let size = if is_sized { 1.0 } else { 0.0 };
            let body = |unit: UnitId| Aabb3::around(Vec3::splat(unit as f32), Vec3::splat(size));
            let mut blocks = Blocks::new(is_sized);
            let mut list = List::EMPTY;
            let mut slots: Vec<u32> = (0..20)
                .map(|unit| blocks.push(&mut list, 7, unit, body(unit)))
                .collect();
            assert_eq!((list.load, blocks.counts()), (20, (3, 0)));
            for unit in [3, 19, 0, 8] {
                if let Some(moved) = blocks.remove(&mut list, slots[unit]) {
                    slots[moved as usize] = slots[unit];
                }
                slots[unit] = NONE;
            }
            assert_eq!((list.load, blocks.counts()), (16, (3, 1)));
            let mut met = Vec::new();
            let used = blocks.check(list, 7, 0, |slot, unit, copy| {
                assert_eq!((slots[unit as usize], copy), (slot, body(unit)));
                met.push(unit);
                Ok(())
            });
            assert_eq!((used, met.len()), (Ok(2), 16));
            assert_eq!(blocks.check_free(2), Ok(()));
            assert_eq!(blocks.bounds(list), body(1).join(body(18)));
            let mut taken = 0;
            while let Some(block) = blocks.take_block(&mut list) {
                taken += block.units().len();
            }
            assert_eq!((taken, list), (16, List::EMPTY));
            assert_eq!(blocks.check_free(0), Ok(()));
        }
    }
}
