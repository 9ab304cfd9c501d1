//! Where the cells are: blocks of 8 × 8 neighbouring cells, found by hashing, and only those in which somebody is.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

/// A block is 2³ cells wide and as high.
const SIDE_BITS: u32 = 3;

/// The cells of a block; also the bits of its mask.
pub(super) const BLOCK_CELLS: u32 = 1 << (2 * SIDE_BITS);

/// How many levels there may be: with cells from half a metre on, and bodies of a quarter of a cell or less, bodies as large as
/// coordinates may be fit the last.
pub(super) const LEVEL_LIMIT: usize = 37;

/// Nobody, nothing.
pub(super) const NONE: u32 = u32::MAX;

/// A cell by its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cell {
    /// The level of its grid; 0 is the finest.
    pub level: u32,
    /// Its column: 0 begins at the origin of the world.
    pub column: i32,
    /// Its row.
    pub row: i32,
}

/// The cells of one level from one column and row to another, all four included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cells {
    pub level: u32,
    /// The lowest column and row.
    pub first: [i32; 2],
    /// The highest column and row; below the lowest where there is no cell.
    pub last: [i32; 2],
}

impl Cells {
    /// The columns and rows of the blocks in which these cells lie.
    pub fn blocks(&self) -> [RangeInclusive<i32>; 2] {
        [0, 1].map(|axis| self.first[axis] >> SIDE_BITS..=self.last[axis] >> SIDE_BITS)
    }

    /// In how many blocks these cells lie.
    pub fn block_count(&self) -> u64 {
        let side = |axis: usize| {
            let [low, high] =
                [self.first[axis], self.last[axis]].map(|it| i64::from(it >> SIDE_BITS));
            (high - low + 1).max(0) as u64
        };
        side(0).saturating_mul(side(1))
    }

    /// The two halves of cells that lie in more than one block, cut between two blocks across the longer side.
    pub fn halves(&self) -> [Self; 2] {
        let [columns, rows] = self.blocks();
        let length = |side: &RangeInclusive<i32>| i64::from(*side.end()) - i64::from(*side.start());
        let axis = usize::from(length(&rows) > length(&columns));
        let side = if axis == 0 { columns } else { rows };
        let middle = i64::from(*side.start()) + (length(&side) + 1) / 2;
        let cut = (middle << SIDE_BITS) as i32;
        let (mut low, mut high) = (*self, *self);
        low.last[axis] = cut - 1;
        high.first[axis] = cut;
        [low, high]
    }

    /// Which of a block's cells are among these, one bit each.
    #[inline]
    pub fn mask_in(&self, block: &Block) -> u64 {
        let [column, row] = block.place;
        let (first, last) = (
            self.first.map(|it| it >> SIDE_BITS),
            self.last.map(|it| it >> SIDE_BITS),
        );
        if column < first[0] || column > last[0] || row < first[1] || row > last[1] {
            return 0;
        }
        // Where the cells begin or end in another block, all of this one's columns or rows are among them.
        let left = if column == first[0] {
            self.first[0] & 7
        } else {
            0
        };
        let right = if column == last[0] {
            self.last[0] & 7
        } else {
            7
        };
        let bottom = if row == first[1] {
            self.first[1] & 7
        } else {
            0
        };
        let top = if row == last[1] { self.last[1] & 7 } else { 7 };
        let columns = 0xff_u64 << left & 0xff >> (7 - right);
        let rows = u64::MAX << (8 * bottom) & u64::MAX >> (8 * (7 - top));
        (columns * 0x0101_0101_0101_0101) & rows
    }
}

/// Neighbouring cells of one level.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block {
    pub level: u32,
    /// Its column and row, in blocks.
    pub place: [i32; 2],
    /// Its place in the list of its level's blocks.
    pub order: u32,
    /// One bit a cell, row by row: whether anybody is in it. Without any, the block is not in use.
    pub mask: u64,
}

// Two or three blocks share a cache line; the heads, which are read only where a bit is set, lie apart.
const _: () = assert!(size_of::<Block>() == 24);

impl Block {
    /// The cell at a bit of the mask.
    #[inline]
    pub fn cell(&self, bit: u32) -> Cell {
        Cell {
            level: self.level,
            column: (self.place[0] << SIDE_BITS) + (bit & 7) as i32,
            row: (self.place[1] << SIDE_BITS) + (bit >> SIDE_BITS) as i32,
        }
    }

    /// All cells of the block.
    pub fn cells(&self) -> Cells {
        let [first, last] = [self.cell(0), self.cell(BLOCK_CELLS - 1)];
        Cells {
            level: self.level,
            first: [first.column, first.row],
            last: [last.column, last.row],
        }
    }
}

/// The bits that are set in a mask, from the lowest.
#[inline]
pub(super) fn bits(mut mask: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let bit = mask.trailing_zeros();
        mask &= mask.wrapping_sub(1);
        (bit < u64::BITS).then_some(bit)
    })
}

/// All blocks of all levels.
#[derive(Clone, Debug)]
pub(super) struct Blocks {
    pub blocks: Vec<Block>,
    /// Block → cell → the first unit in it; of no meaning where the cell's bit is not set.
    pub heads: Vec<[u32; BLOCK_CELLS as usize]>,
    /// Open addressing: the block whose place hashes here or a little before, or [`NONE`]. Its length is a power of two, at
    /// least twice the number of blocks in use.
    pub table: Vec<u32>,
    /// Blocks that are not in use.
    pub free: Vec<u32>,
    /// Level → its blocks, in no order.
    pub levels: Vec<Vec<u32>>,
}

/// The least length of the table.
const LEAST_TABLE: usize = 16;

impl Blocks {
    pub fn new() -> Self {
        Self {
            blocks: Vec::new(),
            heads: Vec::new(),
            table: vec![NONE; LEAST_TABLE],
            free: Vec::new(),
            levels: vec![Vec::new(); LEVEL_LIMIT],
        }
    }

    /// Forgets all blocks and keeps the memory.
    pub fn clear(&mut self) {
        self.blocks.clear();
        self.heads.clear();
        self.table.fill(NONE);
        self.free.clear();
        for level in &mut self.levels {
            level.clear();
        }
    }

    /// Every block, those not in use included.
    #[inline]
    pub fn all(&self) -> &[Block] {
        &self.blocks
    }

    #[inline]
    pub fn get(&self, block: u32) -> &Block {
        &self.blocks[block as usize]
    }

    /// The blocks of a level.
    pub fn of_level(&self, level: u32) -> &[u32] {
        &self.levels[level as usize]
    }

    /// The number of blocks in use.
    pub fn used(&self) -> usize {
        self.blocks.len() - self.free.len()
    }

    /// The block with this place, if anybody is in it.
    #[inline]
    pub fn find(&self, level: u32, place: [i32; 2]) -> Option<u32> {
        let index = self.table[self.slot_of(level, place)];
        (index != NONE).then_some(index)
    }

    /// The first unit of the cell at a bit of a block's mask that is set.
    #[inline]
    pub fn head(&self, block: u32, bit: u32) -> u32 {
        self.heads[block as usize][bit as usize]
    }

    /// The number by which regions name a cell: stable for as long as anybody is in its block.
    #[inline]
    pub fn id(block: u32, bit: u32) -> u32 {
        block * BLOCK_CELLS + bit
    }

    /// Calls `visit` with each block in which some of `cells` are occupied, and with the mask of those.
    ///
    /// Looks up each block or, where the level has fewer, goes through those that there are: land without anybody costs
    /// nothing, however wide.
    #[inline]
    pub fn for_blocks(&self, cells: Cells, mut visit: impl FnMut(u32, u64)) {
        for index in self.within(cells) {
            let block = self.get(index);
            let mask = block.mask & cells.mask_in(block);
            if mask != 0 {
                visit(index, mask);
            }
        }
    }

    /// The blocks in which `cells` lie, and maybe others of their level, as [`Blocks::for_blocks`] finds them.
    #[inline]
    pub fn within(&self, cells: Cells) -> impl Iterator<Item = u32> {
        let list = self.of_level(cells.level);
        let are_many = cells.block_count() > list.len() as u64;
        let listed = if are_many { list } else { &[] };
        let places = (!are_many).then(|| {
            let [columns, rows] = cells.blocks();
            rows.flat_map(move |row| columns.clone().map(move |column| [column, row]))
        });
        let sought = places.into_iter().flatten();
        let sought = sought.filter_map(move |place| self.find(cells.level, place));
        listed.iter().copied().chain(sought)
    }

    /// Makes `unit` the first of a cell, and gives the one that was first before.
    #[inline]
    pub fn push(&mut self, cell: Cell, unit: u32) -> Option<u32> {
        let (place, bit) = split(cell);
        let slot = self.slot_of(cell.level, place);
        let index = match self.table[slot] {
            NONE => self.open(cell.level, place, slot),
            index => index,
        };
        let head = &mut self.heads[index as usize][bit as usize];
        let block = &mut self.blocks[index as usize];
        let before = std::mem::replace(head, unit);
        let was_occupied = block.mask >> bit & 1 == 1;
        block.mask |= 1 << bit;
        was_occupied.then_some(before)
    }

    /// Makes `unit` the first of a cell in place of the one that leaves it; [`NONE`] empties the cell.
    #[inline]
    pub fn replace_head(&mut self, cell: Cell, unit: u32) {
        let (place, bit) = split(cell);
        let slot = self.slot_of(cell.level, place);
        let index = self.table[slot];
        self.heads[index as usize][bit as usize] = unit;
        if unit == NONE {
            let block = &mut self.blocks[index as usize];
            block.mask &= !(1 << bit);
            if block.mask == 0 {
                self.close(index, slot);
            }
        }
    }

    /// A new block without anybody, for whose place a look-up ended at the empty `slot`.
    fn open(&mut self, level: u32, place: [i32; 2], mut slot: usize) -> u32 {
        if 2 * (self.used() + 1) > self.table.len() {
            self.widen();
            slot = self.slot_of(level, place);
        }
        let list = &mut self.levels[level as usize];
        let block = Block {
            level,
            place,
            order: list.len() as u32,
            mask: 0,
        };
        let index = match self.free.pop() {
            Some(index) => {
                self.blocks[index as usize] = block;
                index
            }
            None => {
                self.blocks.push(block);
                self.heads.push([NONE; BLOCK_CELLS as usize]);
                self.blocks.len() as u32 - 1
            }
        };
        list.push(index);
        self.table[slot] = index;
        index
    }

    /// Forgets a block in which nobody is any more, which is at `slot` of the table.
    fn close(&mut self, index: u32, slot: usize) {
        let Block { level, order, .. } = self.blocks[index as usize];
        let list = &mut self.levels[level as usize];
        list.swap_remove(order as usize);
        if let Some(moved) = list.get(order as usize) {
            self.blocks[*moved as usize].order = order;
        }
        self.free.push(index);
        // Whoever was put off behind the slot moves up, so that look-ups need no marks of what was there.
        let last = self.table.len() - 1;
        let (mut gap, mut next) = (slot, slot);
        loop {
            next = (next + 1) & last;
            let follower = self.table[next];
            if follower == NONE {
                break;
            }
            let Block { level, place, .. } = self.blocks[follower as usize];
            let home = self.home_slot(level, place);
            if (next.wrapping_sub(home) & last) >= (next.wrapping_sub(gap) & last) {
                self.table[gap] = follower;
                gap = next;
            }
        }
        self.table[gap] = NONE;
    }

    /// Doubles the table.
    fn widen(&mut self) {
        let length = self.table.len() * 2;
        self.table.clear();
        self.table.resize(length, NONE);
        for list in 0..self.levels.len() {
            for place in 0..self.levels[list].len() {
                let index = self.levels[list][place];
                let Block { level, place, .. } = self.blocks[index as usize];
                let slot = self.slot_of(level, place);
                self.table[slot] = index;
            }
        }
    }

    /// Where in the table a place begins to be looked for.
    #[inline]
    fn home_slot(&self, level: u32, place: [i32; 2]) -> usize {
        // Odd constants of the golden ratio and of a common mixer; the high bits of the product are the best mixed.
        let key = u64::from(place[0] as u32) << 32 | u64::from(place[1] as u32);
        let mixed = (key ^ u64::from(level) << 27).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mixed = (mixed ^ mixed >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
        (mixed >> (u64::BITS - self.table.len().trailing_zeros())) as usize
    }

    /// The slot of the block with this place, or the empty slot where it would be put.
    #[inline]
    fn slot_of(&self, level: u32, place: [i32; 2]) -> usize {
        let last = self.table.len() - 1;
        let mut slot = self.home_slot(level, place);
        loop {
            let index = self.table[slot];
            if index == NONE {
                return slot;
            }
            let block = self.get(index);
            if block.place == place && block.level == level {
                return slot;
            }
            slot = (slot + 1) & last;
        }
    }

    /// Whether a block is where its level's list and the table say.
    pub fn knows(&self, index: u32) -> bool {
        let block = self.get(index);
        let list = self.levels.get(block.level as usize);
        let listed = list.and_then(|list| list.get(block.order as usize));
        listed == Some(&index) && self.find(block.level, block.place) == Some(index)
    }

    /// How many of the blocks that are not in use are in the list of those, however often.
    pub fn idle(&self) -> usize {
        let listed: BTreeSet<_> = self.free.iter().collect();
        let is_idle = |index: &u32| {
            let block = self.blocks.get(*index as usize);
            block.is_some_and(|block| block.mask == 0)
        };
        listed.into_iter().filter(|index| is_idle(index)).count()
    }

    /// How many slots of the table name a block.
    pub fn named(&self) -> usize {
        self.table.iter().filter(|index| **index != NONE).count()
    }

    /// Says how many bytes each part takes.
    pub fn memory(&self, say: &mut dyn FnMut(&'static str, usize)) {
        say(
            "cell heads",
            self.heads.capacity() * size_of::<[u32; BLOCK_CELLS as usize]>(),
        );
        let lists = self.levels.iter().map(Vec::capacity).sum::<usize>() + self.free.capacity();
        say(
            "blocks",
            self.blocks.capacity() * size_of::<Block>()
                + lists * size_of::<u32>()
                + self.levels.capacity() * size_of::<Vec<u32>>(),
        );
        say("hash table", self.table.capacity() * size_of::<u32>());
    }
}

/// The block of a cell, and the cell's bit in it.
#[inline]
fn split(cell: Cell) -> ([i32; 2], u32) {
    let bit = (cell.row & 7) << SIDE_BITS | cell.column & 7;
    (
        [cell.column >> SIDE_BITS, cell.row >> SIDE_BITS],
        bit as u32,
    )
}
