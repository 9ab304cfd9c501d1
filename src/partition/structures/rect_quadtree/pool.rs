//! Where nodes and bodies lie: flat pools with free lists.

use super::ROOT;
pub(super) use super::four::NONE;
use super::four::{Contents, Four, Seat, seat_of};
use crate::geometry::{Aabb, Vec2};
use crate::partition::UnitId;
use crate::partition::toolkit::simd::{self, Kernel};

/// How many bodies a block has room for. With 32, a leaf that is as full as it may be is one, unless bodies straddle.
pub(super) const BLOCK: usize = 32;

/// A block is two halves, and each column of a half is one cache line: so no more is read of a sparse block than is in it.
pub(super) const HALF: usize = BLOCK / 2;

/// So many bytes of fours are near enough to be waited for. That is less than what is [far](simd::are_far) for others: a query looks at
/// many fours one after the other, so that even what a middling cache holds has time to come.
const NEAR_FOURS: usize = 1 << 19;

/// So many bytes of bodies are near enough to be waited for. That is more than what is far for others: the tests of one node do not wait
/// for those of another, and in the far end of a large cache to ask for bodies costs more than it saves.
const NEAR_BODIES: usize = 1 << 23;

/// How many bodies are in the first block of a node that holds so many: only that may have room.
#[inline(always)]
pub(super) fn first_length(load: u32) -> u32 {
    match load {
        0 => 0,
        load => (load - 1) % BLOCK as u32 + 1,
    }
}

/// A node, of which most queries read the [copy](Four) alone.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub(super) struct Node {
    /// The cell, grown by the looseness but not beyond the parent's: every body in the node and below it lies within,
    /// unless the node is the root.
    pub(super) bounds: Aabb,
    /// Where the cell is cut in four: what is at the cut belongs to the right or upper half.
    pub(super) cut: Vec2,
    /// The first of four children in a row; [`NONE`] for a leaf.
    pub(super) children: u32,
    /// The first block of the bodies that the node holds itself; [`NONE`] when it holds none.
    pub(super) blocks: u32,
}

const _: () = assert!(size_of::<Node>() == 32, "two nodes to a cache line");

impl Node {
    #[inline]
    pub(super) fn is_leaf(&self) -> bool {
        self.children == NONE
    }

    /// Whether there is nobody here and below.
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.blocks == NONE && self.children == NONE
    }

    /// Which child a place belongs to: 1 for the right half, and 2 more for the upper one.
    #[inline]
    pub(super) fn quarter(&self, place: Vec2) -> u32 {
        u32::from(place.x >= self.cut.x) + 2 * u32::from(place.y >= self.cut.y)
    }
}

/// What only edits and pictures need of a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Record {
    /// The quarter of the parent's cell.
    pub(super) cell: Aabb,
    /// The node above; [`NONE`] for the root. Of the first of four free nodes, the first of the next four.
    pub(super) parent: u32,
    /// How many bodies the node holds itself.
    pub(super) own: u32,
    /// How many there are in it and below it.
    pub(super) total: u32,
    /// How many of a leaf's bodies would fit a child; 0 in inner nodes, which hold only those that would not.
    pub(super) fitting: u32,
    /// The distance from the root; [`FREE`] for a node that is not in use.
    pub(super) depth: u8,
}

/// The depth of a node that is not in use.
pub(super) const FREE: u8 = u8::MAX;

/// Half a block: some bodies of one node, in columns.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct Half {
    ids: [UnitId; HALF],
    min_x: [f32; HALF],
    min_y: [f32; HALF],
}

impl Half {
    /// The bodies as kernels read them.
    #[inline(always)]
    pub(super) fn columns<'a, const SIZED: bool>(
        &'a self,
        high: &'a HighCorners,
    ) -> simd::Bodies<'a> {
        if SIZED {
            simd::Bodies::new(
                &self.min_x,
                &self.min_y,
                &high.max_x,
                &high.max_y,
                &self.ids,
            )
        } else {
            simd::Bodies::new(&self.min_x, &self.min_y, &[], &[], &self.ids)
        }
    }
}

// A run is read by whole registers.
const _: () = assert!(HALF.is_multiple_of(simd::PADDING));

/// The high corners of the bodies of half a block.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct HighCorners {
    max_x: [f32; HALF],
    max_y: [f32; HALF],
}

impl HighCorners {
    /// Those of points, which nobody reads.
    const NONE: Self = Self {
        max_x: [0.0; HALF],
        max_y: [0.0; HALF],
    };
}

/// Whose a block is, apart from what queries read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Owner {
    /// The node; [`NONE`] for a free block.
    pub(super) node: u32,
    /// The next block of the same node, or the next free one; [`NONE`] at the end.
    pub(super) next: u32,
    /// How many bodies are in it. Only the first block of a node may have room.
    pub(super) length: u32,
}

/// Nodes, blocks, and what is free among them.
#[derive(Clone, Debug)]
pub(super) struct Pool {
    /// The root, and then children in fours.
    pub(super) nodes: Vec<Node>,
    /// The same nodes again.
    pub(super) records: Vec<Record>,
    /// The root, and then children in fours: the same nodes once more, as queries read them.
    pub(super) fours: Vec<Four>,
    /// Two a block.
    halves: Vec<Half>,
    /// Half → high corners; empty in a world of points, whose corners are one.
    highs: Vec<HighCorners>,
    pub(super) owners: Vec<Owner>,
    free_four: u32,
    free_block: u32,
    /// How many nodes and blocks are not in use.
    pub(super) free_node_count: u32,
    pub(super) free_block_count: u32,
    pub(super) is_sized: bool,
}

impl Pool {
    /// A pool without nodes.
    pub(super) fn new() -> Self {
        Self {
            nodes: Vec::new(),
            records: Vec::new(),
            fours: Vec::new(),
            halves: Vec::new(),
            highs: Vec::new(),
            owners: Vec::new(),
            free_four: NONE,
            free_block: NONE,
            free_node_count: 0,
            free_block_count: 0,
            is_sized: false,
        }
    }

    /// Leaves an empty root and nothing else.
    pub(super) fn reset(&mut self, cell: Aabb, bounds: Aabb, is_sized: bool) {
        self.nodes.clear();
        self.records.clear();
        self.fours.clear();
        self.halves.clear();
        self.highs.clear();
        self.owners.clear();
        (self.free_four, self.free_block) = (NONE, NONE);
        (self.free_node_count, self.free_block_count) = (0, 0);
        self.is_sized = is_sized;
        self.nodes.push(Node {
            bounds,
            cut: cell.center(),
            children: NONE,
            blocks: NONE,
        });
        self.records.push(Record {
            cell,
            parent: NONE,
            own: 0,
            total: 0,
            fitting: 0,
            depth: 0,
        });
        self.fours.push(Four::NOWHERE);
        self.copy_contents(ROOT);
    }

    /// Takes four nodes in a row, whose contents are to be written, and gives the first.
    pub(super) fn take_four(&mut self) -> u32 {
        let first = self.free_four;
        if first != NONE {
            self.free_four = self.records[first as usize].parent;
            self.free_node_count -= 4;
            return first;
        }
        let first = self.nodes.len();
        self.nodes.resize(first + 4, self.nodes[0]);
        self.records.resize(first + 4, self.records[0]);
        self.fours.push(Four::NOWHERE);
        first as u32
    }

    /// Takes four siblings back, which hold nobody.
    pub(super) fn free_four(&mut self, first: u32) {
        for index in first..first + 4 {
            self.records[index as usize].depth = FREE;
            let node = &mut self.nodes[index as usize];
            (node.children, node.blocks) = (NONE, NONE);
        }
        self.records[first as usize].parent = self.free_four;
        self.free_four = first;
        self.free_node_count += 4;
    }

    /// Puts an empty block in front of a node's blocks.
    fn push_block(&mut self, node: u32) -> u32 {
        let owner = Owner {
            node,
            next: self.nodes[node as usize].blocks,
            length: 0,
        };
        let mut block = self.free_block;
        if block == NONE {
            block = self.owners.len() as u32;
            let low = Half {
                ids: [NONE; HALF],
                min_x: [0.0; HALF],
                min_y: [0.0; HALF],
            };
            self.halves.extend([low; 2]);
            if self.is_sized {
                self.highs.extend([HighCorners::NONE; 2]);
            }
            self.owners.push(owner);
        } else {
            self.free_block = self.owners[block as usize].next;
            self.free_block_count -= 1;
            self.owners[block as usize] = owner;
        }
        self.nodes[node as usize].blocks = block;
        block
    }

    /// Takes a block back, which is no node's by now, and gives the one after it.
    pub(super) fn free_block(&mut self, block: u32) -> u32 {
        let owner = &mut self.owners[block as usize];
        let next = owner.next;
        *owner = Owner {
            node: NONE,
            next: self.free_block,
            length: 0,
        };
        self.free_block = block;
        self.free_block_count += 1;
        next
    }

    /// Takes all blocks from a node and gives the first; what is in them is to be put elsewhere.
    pub(super) fn take_blocks(&mut self, node: u32) -> u32 {
        let record = &mut self.records[node as usize];
        (record.own, record.fitting) = (0, 0);
        let first = std::mem::replace(&mut self.nodes[node as usize].blocks, NONE);
        self.copy_contents(node);
        first
    }

    /// Puts a body into a node and gives its slot.
    #[inline]
    pub(super) fn push(&mut self, node: u32, unit: UnitId, body: Aabb) -> u32 {
        let slot = self.push_one_of_many(node, unit, body);
        self.copy_contents(node);
        slot
    }

    /// Puts a body into a node, whose contents are to be [copied](Self::copy_contents) when all who come are there, and gives its slot.
    #[inline]
    pub(super) fn push_one_of_many(&mut self, node: u32, unit: UnitId, body: Aabb) -> u32 {
        let mut block = self.nodes[node as usize].blocks;
        if block == NONE || self.owners[block as usize].length as usize == BLOCK {
            block = self.push_block(node);
        }
        let length = &mut self.owners[block as usize].length;
        let slot = block * BLOCK as u32 + *length;
        *length += 1;
        self.records[node as usize].own += 1;
        self.write(slot, unit, body);
        slot
    }

    /// Writes a body into a slot that is in use.
    #[inline]
    pub(super) fn write(&mut self, slot: u32, unit: UnitId, body: Aabb) {
        let (half, lane) = place_of(slot);
        let columns = &mut self.halves[half];
        columns.ids[lane] = unit;
        (columns.min_x[lane], columns.min_y[lane]) = (body.min.x, body.min.y);
        if self.is_sized {
            let high = &mut self.highs[half];
            (high.max_x[lane], high.max_y[lane]) = (body.max.x, body.max.y);
        }
    }

    /// Takes the body at a slot out of its node. The last body of the node's first block takes the slot; who that is, is
    /// given, unless it was the one.
    pub(super) fn swap_remove(&mut self, slot: u32) -> Option<UnitId> {
        let node = self.node_of(slot);
        let first = self.nodes[node as usize].blocks;
        let owner = &mut self.owners[first as usize];
        owner.length -= 1;
        let is_empty = owner.length == 0;
        let last = first * BLOCK as u32 + owner.length;
        let moved = (last != slot).then(|| self.body(last));
        if let Some((unit, body)) = moved {
            self.write(slot, unit, body);
        }
        self.records[node as usize].own -= 1;
        if is_empty {
            self.nodes[node as usize].blocks = self.free_block(first);
        }
        self.copy_contents(node);
        moved.map(|(unit, _)| unit)
    }

    /// The node that holds the body at a slot.
    #[inline]
    pub(super) fn node_of(&self, slot: u32) -> u32 {
        self.owners[slot as usize / BLOCK].node
    }

    /// Who is at a slot, and where.
    #[inline]
    pub(super) fn body(&self, slot: u32) -> (UnitId, Aabb) {
        let (half, lane) = place_of(slot);
        let columns = &self.halves[half];
        let min = Vec2::new(columns.min_x[lane], columns.min_y[lane]);
        let max = match self.highs.get(half) {
            Some(high) => Vec2::new(high.max_x[lane], high.max_y[lane]),
            None => min,
        };
        (columns.ids[lane], Aabb::new(min, max))
    }

    /// The bodies of half a block as kernels read them.
    #[inline(always)]
    pub(super) fn columns<const SIZED: bool>(&self, half: usize) -> simd::Bodies<'_> {
        let low = &self.halves[half];
        let high = if SIZED {
            &self.highs[half]
        } else {
            &HighCorners::NONE
        };
        low.columns::<SIZED>(high)
    }

    /// A copy of half a block from a lane on.
    #[cold]
    pub(super) fn half_from(&self, half: usize, lane: usize) -> (Half, HighCorners) {
        let (mut low, mut high) = (self.halves[half], HighCorners::NONE);
        low.ids.copy_within(lane.., 0);
        low.min_x.copy_within(lane.., 0);
        low.min_y.copy_within(lane.., 0);
        if let Some(own) = self.highs.get(half) {
            high = *own;
            high.max_x.copy_within(lane.., 0);
            high.max_y.copy_within(lane.., 0);
        }
        (low, high)
    }

    /// Copies what queries read of a node to where they read it.
    #[inline]
    pub(super) fn copy_contents(&mut self, node: u32) {
        let contents = self.truth(node);
        let (four, at) = seat_of(node);
        self.fours[four as usize].set_contents(at, contents);
    }

    /// What is in a node, by the node itself.
    pub(super) fn truth(&self, node: u32) -> Contents {
        let Node {
            children, blocks, ..
        } = self.nodes[node as usize];
        Contents {
            four: match children {
                NONE => NONE,
                first => seat_of(first).0,
            },
            blocks,
            load: self.records[node as usize].own,
        }
    }

    /// What is in a node, as it is copied for queries.
    #[inline(always)]
    pub(super) fn contents(&self, (four, at): Seat) -> Contents {
        self.fours[four as usize].contents(at)
    }

    /// The box of a node other than the root, as queries test it.
    #[inline(always)]
    pub(super) fn bounds(&self, (four, at): Seat) -> Aabb {
        self.fours[four as usize].bounds(at)
    }

    /// Writes the box of a node other than the root, as queries test it.
    #[inline]
    pub(super) fn set_bounds(&mut self, node: u32, bounds: Aabb) {
        let (four, at) = seat_of(node);
        self.fours[four as usize].set_bounds(at, bounds);
    }

    /// Whether fours, and whether bodies, are worth to be asked for.
    #[inline(always)]
    pub(super) fn are_far(&self) -> (bool, bool) {
        (
            size_of_val(&self.fours[..]) > NEAR_FOURS,
            size_of_val(&self.halves[..]) > NEAR_BODIES,
        )
    }

    /// Asks for the four below a node, which is to be read soon, if there is one.
    #[inline(always)]
    pub(super) fn fetch_below(&self, kernel: impl Kernel, contents: Contents) {
        let four = contents.four as usize;
        if let Some(four) = self.fours.get(four..=four) {
            kernel.fetch(four);
        }
    }

    /// Asks for the bodies of a node, which are to be read soon, if it has some.
    #[inline(always)]
    pub(super) fn fetch<const SIZED: bool>(&self, kernel: impl Kernel, contents: Contents) {
        // Where there is but one half it is asked for twice, which costs less than to ask whether there are two.
        let first = (contents.blocks as usize).wrapping_mul(2);
        let second = first + usize::from(first_length(contents.load) > HALF as u32);
        if second >= self.halves.len() {
            return;
        }
        kernel.fetch(&self.halves[first..=first]);
        kernel.fetch(&self.halves[second..=second]);
        if SIZED {
            kernel.fetch(&self.highs[first..=first]);
            kernel.fetch(&self.highs[second..=second]);
        }
        if contents.load > BLOCK as u32 {
            let block = contents.blocks as usize;
            kernel.fetch(&self.owners[block..=block]);
        }
    }

    /// Who is in half a block, of which the last places may be free.
    #[inline(always)]
    pub(super) fn ids(&self, half: usize) -> &[UnitId; HALF] {
        &self.halves[half].ids
    }

    /// How many nodes and how many blocks the lists of what is free lead to; none where a list leads to something else or does
    /// not end. For whoever checks them.
    pub(super) fn listed_free(&self) -> (Option<usize>, Option<usize>) {
        let (mut nodes, mut four) = (0, self.free_four);
        while nodes <= self.records.len()
            && let Some(record) = self.records.get(four as usize)
            && record.depth == FREE
        {
            nodes += 4;
            four = record.parent;
        }
        let (mut blocks, mut block) = (0, self.free_block);
        while blocks <= self.owners.len()
            && let Some(owner) = self.owners.get(block as usize)
            && owner.node == NONE
        {
            blocks += 1;
            block = owner.next;
        }
        (
            (four == NONE).then_some(nodes),
            (block == NONE).then_some(blocks),
        )
    }

    /// Says how many bytes each part takes.
    pub(super) fn memory(&self, say: &mut dyn FnMut(&'static str, usize)) {
        say("nodes", self.nodes.capacity() * size_of::<Node>());
        say(
            "node records",
            self.records.capacity() * size_of::<Record>(),
        );
        say(
            "boxes of children",
            self.fours.capacity() * size_of::<Four>(),
        );
        say(
            "blocks of bodies",
            self.halves.capacity() * size_of::<Half>()
                + self.highs.capacity() * size_of::<HighCorners>(),
        );
        say("block owners", self.owners.capacity() * size_of::<Owner>());
    }
}

/// The half of a block and the lane of a slot.
#[inline]
fn place_of(slot: u32) -> (usize, usize) {
    (slot as usize / HALF, slot as usize % HALF)
}
