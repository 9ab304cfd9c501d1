//! Where nodes and bodies lie: flat pools with free lists.

use crate::geometry::{Aabb, Vec2};
use crate::partition::UnitId;
use crate::partition::toolkit::simd::{self, Kernel};

/// No node, no block, no slot.
pub(super) const NONE: u32 = u32::MAX;

/// How many bodies a block has room for. With 32, a leaf that is as full as it may be is one, unless bodies straddle.
pub(super) const BLOCK: usize = 32;

/// What a query reads of a node.
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

/// The boxes of four siblings once more, in columns to be tested at once, the last sibling first. As long as a kernel reads
/// at once; what is behind the four is nothing.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub(super) struct Four {
    left: [f32; simd::PADDING],
    bottom: [f32; simd::PADDING],
    right: [f32; simd::PADDING],
    top: [f32; simd::PADDING],
    nodes: [u32; simd::PADDING],
}

impl Four {
    /// Four that are nowhere.
    const NOWHERE: Self = Self {
        left: [0.0; simd::PADDING],
        bottom: [0.0; simd::PADDING],
        right: [0.0; simd::PADDING],
        top: [0.0; simd::PADDING],
        nodes: [NONE; simd::PADDING],
    };

    /// The four as bodies whose names are their numbers.
    #[inline(always)]
    pub(super) fn for_kernel(&self) -> simd::Bodies<'_> {
        simd::Bodies::new(
            &self.left,
            &self.bottom,
            &self.right,
            &self.top,
            &self.nodes,
        )
    }

    /// The number and the box at a place.
    pub(super) fn get(&self, at: usize) -> (u32, Aabb) {
        let bounds = Aabb::new(
            Vec2::new(self.left[at], self.bottom[at]),
            Vec2::new(self.right[at], self.top[at]),
        );
        (self.nodes[at], bounds)
    }

    /// Writes the box of the child of a quarter, whose number that is.
    pub(super) fn set(&mut self, quarter: u32, node: u32, bounds: Aabb) {
        let at = 3 - quarter as usize;
        (self.left[at], self.bottom[at]) = (bounds.min.x, bounds.min.y);
        (self.right[at], self.top[at]) = (bounds.max.x, bounds.max.y);
        self.nodes[at] = node;
    }
}

/// Where the four that begin with this node are.
#[inline(always)]
pub(super) const fn four_of(first: u32) -> usize {
    (first as usize - 1) / 4
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

/// Some bodies of one node, in columns.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct Block {
    ids: [UnitId; BLOCK],
    min_x: [f32; BLOCK],
    min_y: [f32; BLOCK],
}

// A run is read by whole registers.
const _: () = assert!(BLOCK.is_multiple_of(simd::PADDING));

/// The high corners of a block's bodies.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct HighCorners {
    max_x: [f32; BLOCK],
    max_y: [f32; BLOCK],
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
    /// Four children after the other: the same nodes once more, but for the root.
    pub(super) fours: Vec<Four>,
    blocks: Vec<Block>,
    /// Block → high corners; empty in a world of points, whose corners are one.
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
            blocks: Vec::new(),
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
        self.blocks.clear();
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
            block = self.blocks.len() as u32;
            self.blocks.push(Block {
                ids: [NONE; BLOCK],
                min_x: [0.0; BLOCK],
                min_y: [0.0; BLOCK],
            });
            if self.is_sized {
                self.highs.push(HighCorners {
                    max_x: [0.0; BLOCK],
                    max_y: [0.0; BLOCK],
                });
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
        std::mem::replace(&mut self.nodes[node as usize].blocks, NONE)
    }

    /// Puts a body into a node and gives its slot.
    #[inline]
    pub(super) fn push(&mut self, node: u32, unit: UnitId, body: Aabb) -> u32 {
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
        let (block, lane) = place_of(slot);
        let columns = &mut self.blocks[block];
        columns.ids[lane] = unit;
        (columns.min_x[lane], columns.min_y[lane]) = (body.min.x, body.min.y);
        if self.is_sized {
            let high = &mut self.highs[block];
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
        let (block, lane) = place_of(slot);
        let columns = &self.blocks[block];
        let min = Vec2::new(columns.min_x[lane], columns.min_y[lane]);
        let max = match self.highs.get(block) {
            Some(high) => Vec2::new(high.max_x[lane], high.max_y[lane]),
            None => min,
        };
        (columns.ids[lane], Aabb::new(min, max))
    }

    /// The bodies of a block as kernels read them, how many there are, and the block after it.
    #[inline(always)]
    pub(super) fn columns<const SIZED: bool>(&self, block: u32) -> (simd::Bodies<'_>, usize, u32) {
        let owner = &self.owners[block as usize];
        let low = &self.blocks[block as usize];
        let bodies = if SIZED {
            let high = &self.highs[block as usize];
            simd::Bodies::new(&low.min_x, &low.min_y, &high.max_x, &high.max_y, &low.ids)
        } else {
            simd::Bodies::new(&low.min_x, &low.min_y, &[], &[], &low.ids)
        };
        (bodies, owner.length as usize, owner.next)
    }

    /// Asks for the boxes of a node's children, which are to be read soon, if it has some.
    #[inline(always)]
    pub(super) fn fetch_below(&self, kernel: impl Kernel, node: u32) {
        let children = self.nodes.get(node as usize).map(|node| node.children);
        let four = children.map(|first| four_of(first.max(1)));
        if let Some(four) = four.and_then(|four| self.fours.get(four..=four)) {
            kernel.fetch(four);
        }
    }

    /// Asks for a block that is to be read soon, if it is one.
    #[inline(always)]
    pub(super) fn fetch<const SIZED: bool>(&self, kernel: impl Kernel, block: u32) {
        let block = block as usize;
        if let Some(low) = self.blocks.get(block..=block) {
            kernel.fetch(&self.owners[block..=block]);
            kernel.fetch(low);
            if SIZED {
                kernel.fetch(&self.highs[block..=block]);
            }
        }
    }

    /// Who is in a block, and the block after it.
    #[inline(always)]
    pub(super) fn ids(&self, block: u32) -> (&[UnitId], u32) {
        let owner = &self.owners[block as usize];
        let ids = &self.blocks[block as usize].ids;
        (&ids[..owner.length as usize], owner.next)
    }

    /// The bodies that a node holds itself.
    #[inline]
    pub(super) fn own(&self, node: u32) -> Own<'_> {
        self.chain(self.nodes[node as usize].blocks)
    }

    /// The bodies in a block and those after it.
    #[inline]
    pub(super) fn chain(&self, block: u32) -> Own<'_> {
        let mut own = Own {
            pool: self,
            next: block,
            slot: 0,
            end: 0,
        };
        own.enter_next();
        own
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
            self.blocks.capacity() * size_of::<Block>()
                + self.highs.capacity() * size_of::<HighCorners>(),
        );
        say("block owners", self.owners.capacity() * size_of::<Owner>());
    }
}

/// A walk along the bodies of a node.
#[derive(Clone)]
pub(super) struct Own<'a> {
    pool: &'a Pool,
    /// The block after the one at hand.
    next: u32,
    slot: u32,
    end: u32,
}

impl Own<'_> {
    /// Goes to the next block; at the end there is none.
    #[inline]
    fn enter_next(&mut self) {
        if self.next != NONE {
            let owner = &self.pool.owners[self.next as usize];
            self.slot = self.next * BLOCK as u32;
            self.end = self.slot + owner.length;
            self.next = owner.next;
        }
    }
}

impl Iterator for Own<'_> {
    type Item = (UnitId, Aabb);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        if self.slot == self.end {
            self.enter_next();
            if self.slot == self.end {
                return None;
            }
        }
        let slot = self.slot;
        self.slot += 1;
        Some(self.pool.body(slot))
    }
}

/// The block and the lane of a slot.
#[inline]
fn place_of(slot: u32) -> (usize, usize) {
    (slot as usize / BLOCK, slot as usize % BLOCK)
}
