//! Where nodes and units lie: flat pools with free lists.

use crate::geometry::{Aabb, Vec2};
use crate::partition::UnitId;
use crate::partition::toolkit::group::Runs;
use crate::partition::toolkit::simd::{self, Kernel};
use std::ops::Range;

/// No node, no block, no slot.
pub(super) const NONE: u32 = u32::MAX;

/// How many units a block has room for. With 16, each of its columns is one cache line.
pub(super) const BLOCK: usize = 16;

/// What a place in the node pool is used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Kind {
    /// Nothing; it waits in the free list.
    Free,
    /// A node that holds units.
    Leaf,
    /// A node with four children.
    Inner,
}

/// A node of the tree.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// The cell.
    pub bounds: Aabb,
    /// The first of four children, the first block of a leaf, or the next free four.
    pub link: u32,
    /// How many units a leaf holds; 0 for inner nodes.
    pub load: u32,
    /// The node above; [`NONE`] for the root.
    pub parent: u32,
    /// The distance from the root.
    pub depth: u8,
    /// What it is.
    pub kind: Kind,
}

// Two to a cache line, four siblings in two.
const _: () = assert!(size_of::<Node>() == 32);

impl Node {
    pub fn leaf(bounds: Aabb, parent: u32, depth: u8) -> Self {
        Self {
            bounds,
            link: NONE,
            load: 0,
            parent,
            depth,
            kind: Kind::Leaf,
        }
    }

    /// Where the node is cut: a position at the cut belongs to the right or upper half.
    #[inline]
    pub fn cut(&self) -> Vec2 {
        self.bounds.center()
    }

    /// Which of the four children a position belongs to.
    #[inline]
    pub fn quarter(cut: Vec2, position: Vec2) -> u32 {
        u32::from(position.x >= cut.x) + 2 * u32::from(position.y >= cut.y)
    }

    /// The cell of a child.
    pub fn quarter_bounds(&self, quarter: u32) -> Aabb {
        let Aabb { min, max } = self.bounds;
        let cut = self.cut();
        let (left, right) = if quarter & 1 == 0 {
            (min.x, cut.x)
        } else {
            (cut.x, max.x)
        };
        let (bottom, top) = if quarter & 2 == 0 {
            (min.y, cut.y)
        } else {
            (cut.y, max.y)
        };
        Aabb::new(Vec2::new(left, bottom), Vec2::new(right, top))
    }
}

/// Some units of one leaf, in columns.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct Block {
    pub ids: [UnitId; BLOCK],
    pub xs: [f32; BLOCK],
    pub ys: [f32; BLOCK],
}

impl Block {
    const EMPTY: Self = Self {
        ids: [0; BLOCK],
        xs: [0.0; BLOCK],
        ys: [0.0; BLOCK],
    };

    #[inline]
    pub fn position(&self, lane: usize) -> Vec2 {
        Vec2::new(self.xs[lane], self.ys[lane])
    }
}

// A run is read by whole registers.
const _: () = assert!(BLOCK.is_multiple_of(simd::PADDING));

/// The boxes of the units of a block, which keeps their middles.
#[derive(Clone)]
pub(super) struct Boxes {
    /// Who they are, where that is not what the block says.
    ids: [UnitId; BLOCK],
    left: [f32; BLOCK],
    bottom: [f32; BLOCK],
    right: [f32; BLOCK],
    top: [f32; BLOCK],
}

impl Boxes {
    pub const EMPTY: Self = Self {
        ids: [0; BLOCK],
        left: [0.0; BLOCK],
        bottom: [0.0; BLOCK],
        right: [0.0; BLOCK],
        top: [0.0; BLOCK],
    };
}

/// Whose a block is, apart from what queries read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Owner {
    /// The leaf; [`NONE`] for a free block.
    pub leaf: u32,
    /// The next block of the same leaf, or the next free one; [`NONE`] at the end.
    pub next: u32,
    /// How many units are in it; 0 for a free block. Only the first block of a leaf may have room.
    pub length: u32,
}

/// Nodes, blocks, and what is free among them.
#[derive(Clone, Debug)]
pub(super) struct Pool {
    /// The root, and then children in fours.
    pub nodes: Vec<Node>,
    /// Node → the largest half extent below it; empty in a world of points.
    pub reaches: Vec<Vec2>,
    pub blocks: Vec<Block>,
    /// Block → half extents of its units; empty in a world of points. Of blocks and of these there may be more than are in use, as
    /// many as there once were: so a build does not write what it will write again.
    pub half_extents: Vec<[Vec2; BLOCK]>,
    /// Block → whose it is.
    pub owners: Vec<Owner>,
    free_four: u32,
    pub free_four_count: u32,
    free_block: u32,
    pub free_block_count: u32,
    is_sized: bool,
}

impl Default for Pool {
    fn default() -> Self {
        Self {
            nodes: Vec::new(),
            reaches: Vec::new(),
            blocks: Vec::new(),
            half_extents: Vec::new(),
            owners: Vec::new(),
            free_four: NONE,
            free_four_count: 0,
            free_block: NONE,
            free_block_count: 0,
            is_sized: false,
        }
    }
}

impl Pool {
    /// Whether what is below a node is worth to be asked for.
    #[inline(always)]
    pub fn is_far(&self) -> bool {
        simd::are_far(size_of_val(&self.blocks[..]))
    }

    /// Asks for what is below a node, to be read soon. Not to be inlined: where nothing is far, this would be in the way.
    #[inline(never)]
    pub fn fetch<const SIZED: bool>(&self, kernel: impl Kernel, node: &Node) {
        let link = node.link as usize;
        if node.kind == Kind::Inner {
            kernel.fetch(&self.nodes[link..link + 4]);
            if SIZED {
                kernel.fetch(&self.reaches[link..link + 4]);
            }
        } else if let Some(block) = self.blocks.get(link..=link) {
            kernel.fetch(block);
            kernel.fetch(&self.owners[link..=link]);
            if SIZED {
                kernel.fetch(&self.half_extents[link..=link]);
            }
        }
    }

    /// Leaves a root with these bounds and nothing else.
    pub fn reset(&mut self, bounds: Aabb, is_sized: bool) {
        self.nodes.clear();
        self.reaches.clear();
        // Blocks stay as they are, to be written anew.
        self.owners.clear();
        if !is_sized {
            self.half_extents.clear();
        }
        (self.free_four, self.free_four_count) = (NONE, 0);
        (self.free_block, self.free_block_count) = (NONE, 0);
        self.is_sized = is_sized;
        self.nodes.push(Node::leaf(bounds, NONE, 0));
        if is_sized {
            self.reaches.push(Vec2::ZERO);
        }
    }

    /// Whether units have sizes.
    #[inline]
    pub fn is_sized(&self) -> bool {
        self.is_sized
    }

    /// Makes four empty leaves under a node and turns the node into an inner one. Gives the first.
    pub fn make_children(&mut self, parent: u32) -> u32 {
        let above = self.nodes[parent as usize];
        let first = self.free_four;
        let first = if first == NONE {
            let end = self.nodes.len();
            self.nodes
                .resize(end + 4, Node::leaf(above.bounds, parent, 0));
            if self.is_sized {
                self.reaches.resize(end + 4, Vec2::ZERO);
            }
            end as u32
        } else {
            self.free_four = self.nodes[first as usize].link;
            self.free_four_count -= 1;
            first
        };
        for quarter in 0..4 {
            let child = (first + quarter) as usize;
            self.nodes[child] = Node::leaf(above.quarter_bounds(quarter), parent, above.depth + 1);
            if self.is_sized {
                self.reaches[child] = Vec2::ZERO;
            }
        }
        let node = &mut self.nodes[parent as usize];
        node.kind = Kind::Inner;
        node.link = first;
        node.load = 0;
        first
    }

    /// Takes four siblings, whose units are elsewhere by now, back.
    pub fn free_children(&mut self, first: u32) {
        for child in first..first + 4 {
            let node = &mut self.nodes[child as usize];
            node.kind = Kind::Free;
            node.load = 0;
            node.link = NONE;
        }
        self.nodes[first as usize].link = self.free_four;
        self.free_four = first;
        self.free_four_count += 1;
    }

    /// Puts an empty block in front of a leaf's blocks.
    fn push_block(&mut self, leaf: u32) -> u32 {
        let owner = Owner {
            leaf,
            next: self.nodes[leaf as usize].link,
            length: 0,
        };
        let block = self.free_block;
        let block = if block == NONE {
            let block = self.owners.len();
            self.owners.push(owner);
            if self.blocks.len() == block {
                self.blocks.push(Block::EMPTY);
            }
            if self.is_sized && self.half_extents.len() == block {
                self.half_extents.push([Vec2::ZERO; BLOCK]);
            }
            block as u32
        } else {
            self.free_block = self.owners[block as usize].next;
            self.free_block_count -= 1;
            self.owners[block as usize] = owner;
            block
        };
        self.nodes[leaf as usize].link = block;
        block
    }

    /// Gives an empty leaf blocks which are to be filled with so many units, and gives the first of them. In a pool in which
    /// nothing is free they follow each other, and only the last, which is the leaf's first, has room.
    pub fn add_blocks(&mut self, leaf: u32, load: u32) -> u32 {
        debug_assert_eq!(self.free_block, NONE, "blocks that follow each other");
        let first = self.block_count();
        let mut rest = load;
        while rest > 0 {
            let block = self.push_block(leaf);
            let length = rest.min(BLOCK as u32);
            self.owners[block as usize].length = length;
            rest -= length;
        }
        self.nodes[leaf as usize].load = load;
        first
    }

    /// How many blocks are a leaf's or free. There may be more behind them, which nobody has used since the tree was built.
    #[inline]
    pub fn block_count(&self) -> u32 {
        self.owners.len() as u32
    }

    /// Takes a block back, which is no leaf's by now.
    pub fn free_block(&mut self, block: u32) {
        self.owners[block as usize] = Owner {
            leaf: NONE,
            next: self.free_block,
            length: 0,
        };
        self.free_block = block;
        self.free_block_count += 1;
    }

    /// Puts a unit into a leaf and gives its slot.
    #[inline]
    pub fn push(&mut self, leaf: u32, unit: UnitId, position: Vec2, half_extent: Vec2) -> u32 {
        let mut block = self.nodes[leaf as usize].link;
        if block == NONE || self.owners[block as usize].length as usize == BLOCK {
            block = self.push_block(leaf);
        }
        let length = &mut self.owners[block as usize].length;
        let lane = *length as usize;
        *length += 1;
        self.nodes[leaf as usize].load += 1;
        let columns = &mut self.blocks[block as usize];
        columns.ids[lane] = unit;
        columns.xs[lane] = position.x;
        columns.ys[lane] = position.y;
        if self.is_sized {
            self.half_extents[block as usize][lane] = half_extent;
        }
        slot_of(block, lane)
    }

    /// Takes the unit at a slot out of its leaf. The leaf's last unit takes the slot; it is given, unless it was the one.
    #[inline]
    pub fn swap_remove(&mut self, slot: u32) -> Option<UnitId> {
        let (block, lane) = place_of(slot);
        let leaf = self.owners[block].leaf;
        let first = self.nodes[leaf as usize].link;
        let last = self.owners[first as usize].length as usize - 1;
        let moved = if (first as usize, last) == (block, lane) {
            None
        } else {
            let from = self.blocks[first as usize];
            let columns = &mut self.blocks[block];
            columns.ids[lane] = from.ids[last];
            columns.xs[lane] = from.xs[last];
            columns.ys[lane] = from.ys[last];
            if self.is_sized {
                self.half_extents[block][lane] = self.half_extents[first as usize][last];
            }
            Some(from.ids[last])
        };
        self.owners[first as usize].length = last as u32;
        self.nodes[leaf as usize].load -= 1;
        if last == 0 {
            self.nodes[leaf as usize].link = self.owners[first as usize].next;
            self.free_block(first);
        }
        moved
    }

    /// The half extent copied at a slot.
    #[inline]
    pub fn half_extent(&self, block: usize, lane: usize) -> Vec2 {
        if self.is_sized {
            self.half_extents[block][lane]
        } else {
            Vec2::ZERO
        }
    }

    /// The units of a leaf with their boxes, which are the same numbers that `Bodies::aabb` gives.
    #[inline(always)]
    pub fn runs(&self, leaf: u32) -> LeafRuns<'_> {
        LeafRuns {
            pool: self,
            block: self.nodes[leaf as usize].link,
            lane: 0,
            boxes: Boxes::EMPTY,
        }
    }

    /// The box that holds the bodies of all units below a node.
    #[inline(always)]
    pub fn reach_box<const SIZED: bool>(&self, node: u32) -> Aabb {
        let bounds = self.nodes[node as usize].bounds;
        if SIZED {
            bounds.grown(self.reaches[node as usize])
        } else {
            bounds
        }
    }

    /// The units of a block as kernels read them, and how many there are. Where they have sizes, their boxes are written down in
    /// `boxes`.
    #[inline(always)]
    pub fn columns<'a, const SIZED: bool>(
        &'a self,
        block: u32,
        boxes: &'a mut Boxes,
    ) -> (simd::Bodies<'a>, usize) {
        let block = block as usize;
        let length = self.owners[block].length as usize;
        let columns = &self.blocks[block];
        if !SIZED {
            let bodies = simd::Bodies::new(&columns.xs, &columns.ys, &[], &[], &columns.ids);
            return (bodies, length);
        }
        let half_extents = &self.half_extents[block];
        for (lane, half_extent) in half_extents.iter().enumerate() {
            let body = Aabb::around(columns.position(lane), *half_extent);
            (boxes.left[lane], boxes.bottom[lane]) = (body.min.x, body.min.y);
            (boxes.right[lane], boxes.top[lane]) = (body.max.x, body.max.y);
        }
        let bodies = simd::Bodies::new(
            &boxes.left,
            &boxes.bottom,
            &boxes.right,
            &boxes.top,
            &columns.ids,
        );
        (bodies, length)
    }

    /// The units of a block from a lane on: written down from the front, for a kernel does not begin just anywhere.
    #[cold]
    fn columns_from<'a>(&self, block: u32, first: usize, boxes: &'a mut Boxes) -> simd::Bodies<'a> {
        let columns = &self.blocks[block as usize];
        for (to, lane) in (first..BLOCK).enumerate() {
            let half_extent = self.half_extent(block as usize, lane);
            let body = Aabb::around(columns.position(lane), half_extent);
            boxes.ids[to] = columns.ids[lane];
            (boxes.left[to], boxes.bottom[to]) = (body.min.x, body.min.y);
            (boxes.right[to], boxes.top[to]) = (body.max.x, body.max.y);
        }
        let Boxes { ids, .. } = &*boxes;
        simd::Bodies::new(&boxes.left, &boxes.bottom, &boxes.right, &boxes.top, ids)
    }

    /// How many fours of nodes and how many blocks are free.
    pub fn free_counts(&self) -> (u32, u32) {
        (self.free_four_count, self.free_block_count)
    }

    /// How many fours of nodes and how many blocks the lists of what is free lead to; none where a list leads to something else or
    /// does not end. For whoever checks them.
    pub fn listed_free(&self) -> (Option<u32>, Option<u32>) {
        let (mut fours, mut four) = (0, self.free_four);
        while fours as usize <= self.nodes.len()
            && let Some(node) = self.nodes.get(four as usize)
            && node.kind == Kind::Free
        {
            fours += 1;
            four = node.link;
        }
        let (mut blocks, mut block) = (0, self.free_block);
        while blocks as usize <= self.owners.len()
            && let Some(owner) = self.owners.get(block as usize)
            && owner.leaf == NONE
        {
            blocks += 1;
            block = owner.next;
        }
        (
            (four == NONE).then_some(fours),
            (block == NONE).then_some(blocks),
        )
    }

    pub fn memory(&self, say: &mut dyn FnMut(&'static str, usize)) {
        say("nodes", self.nodes.capacity() * size_of::<Node>());
        say(
            "node half extents",
            self.reaches.capacity() * size_of::<Vec2>(),
        );
        say("blocks", self.blocks.capacity() * size_of::<Block>());
        say(
            "half extents",
            self.half_extents.capacity() * size_of::<[Vec2; BLOCK]>(),
        );
        say("owners", self.owners.capacity() * size_of::<Owner>());
    }
}

/// A walk along the units of a leaf.
#[derive(Clone)]
pub(super) struct LeafRuns<'a> {
    pool: &'a Pool,
    block: u32,
    /// The first lane of the block that has not been given yet.
    lane: usize,
    boxes: Boxes,
}

impl<const SIZED: bool> Runs<SIZED> for LeafRuns<'_> {
    #[inline(always)]
    fn next_run(&mut self, most: usize) -> Option<(simd::Bodies<'_>, Range<usize>)> {
        if self.block == NONE {
            return None;
        }
        let Self {
            pool, block, lane, ..
        } = *self;
        let length = pool.owners[block as usize].length as usize;
        let count = most.min(length - lane);
        if lane + count == length {
            (self.block, self.lane) = (pool.owners[block as usize].next, 0);
        } else {
            self.lane += count;
        }
        let bodies = if lane == 0 {
            pool.columns::<SIZED>(block, &mut self.boxes).0
        } else {
            pool.columns_from(block, lane, &mut self.boxes)
        };
        Some((bodies, 0..count))
    }
}

/// The slot of a lane in a block.
#[inline]
pub(super) fn slot_of(block: u32, lane: usize) -> u32 {
    block * BLOCK as u32 + lane as u32
}

/// The block and the lane of a slot.
#[inline]
pub(super) fn place_of(slot: u32) -> (usize, usize) {
    (slot as usize / BLOCK, slot as usize % BLOCK)
}
