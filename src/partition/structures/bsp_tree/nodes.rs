//! Nodes, leaves, and the numbers by which they know each other.

use crate::geometry::{Aabb, Vec2};
use crate::partition::toolkit::group::Runs;
use crate::partition::toolkit::simd::{self, PADDING};
use crate::partition::{RegionId, UnitId};
use std::ops::Range;

/// The index of no slot.
pub(super) const NONE: u32 = u32::MAX;

/// No tree is higher than this, counted in nodes on the way down to a leaf: a side has two thirds of its node's units at
/// most, a node has two units at least, and (3/2)⁵⁵ is more than the 2³² units that can be told apart.
pub(super) const HEIGHT_LIMIT: usize = 56;

/// A depth-first search leaves at most one branch behind on each level and looks at two on the last.
pub(super) const STACK_LENGTH: usize = HEIGHT_LIMIT + 1;

/// A node or a leaf, told apart by the lowest bit. Its number is also the region's id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Link(u32);

impl Link {
    /// Neither.
    pub const NONE: Self = Self(NONE);

    #[inline]
    pub const fn leaf(leaf: u32) -> Self {
        Self(leaf << 1)
    }

    #[inline]
    pub const fn inner(node: u32) -> Self {
        Self(node << 1 | 1)
    }

    #[inline]
    pub const fn is_leaf(self) -> bool {
        self.0 & 1 == 0
    }

    /// The index of the leaf or the node.
    #[inline]
    pub const fn index(self) -> u32 {
        self.0 >> 1
    }

    #[inline]
    pub const fn region(self) -> RegionId {
        self.0
    }

    #[inline]
    pub const fn of_region(region: RegionId) -> Self {
        Self(region)
    }
}

/// Where a branch is: on one side of a node, or at the top.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place(u32);

impl Place {
    /// The top of the tree.
    pub const ROOT: Self = Self(NONE);

    /// Where nothing is: the place of a node or leaf that is not in use.
    pub const NOWHERE: Self = Self(NONE - 1);

    #[inline]
    pub const fn of(node: u32, side: usize) -> Self {
        Self(node << 1 | side as u32)
    }

    /// The node and the side; nothing at the top.
    #[inline]
    pub const fn below(self) -> Option<(u32, usize)> {
        if self.0 == NONE {
            None
        } else {
            Some((self.0 >> 1, (self.0 & 1) as usize))
        }
    }
}

/// A subtree as the node above it knows it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Branch {
    /// The union of the true boxes of all units below; [`Aabb::EMPTY`] where there are none.
    pub bounds: Aabb,
    /// What it is.
    pub link: Link,
    /// How many units are below.
    pub count: u32,
}

impl Branch {
    /// The branch of an empty tree.
    pub const NONE: Self = Self {
        bounds: Aabb::EMPTY,
        link: Link::NONE,
        count: 0,
    };

    /// Whether there is no such branch.
    #[inline]
    pub fn is_none(&self) -> bool {
        self.link == Link::NONE
    }
}

/// Two branches, in one cache line: whoever looks at a node knows both children's boxes without touching them.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(super) struct Node {
    /// The two subtrees; of a free node, [`Branch::NONE`] twice.
    pub branches: [Branch; 2],
    /// Where it is; [`Place::NOWHERE`] for a free node.
    pub place: Place,
    /// How many units have come to a side of it, or left one, since it was cut.
    pub edits: u32,
}

const _: () = assert!(size_of::<Node>() == 64, "a node is one cache line");

impl Node {
    /// A node that is not in use.
    pub const FREE: Self = Self {
        branches: [Branch::NONE; 2],
        place: Place::NOWHERE,
        edits: 0,
    };

    /// A node at this place, whose branches are to be written.
    pub const fn at(place: Place) -> Self {
        Self {
            place,
            ..Self::FREE
        }
    }

    /// The box around both branches.
    #[inline]
    pub fn bounds(&self) -> Aabb {
        let [a, b] = &self.branches;
        a.bounds.join(b.bounds)
    }

    /// The node as it is known above it.
    #[inline]
    pub fn branch(&self, index: u32) -> Branch {
        Branch {
            bounds: self.bounds(),
            link: Link::inner(index),
            count: self.branches[0].count + self.branches[1].count,
        }
    }

    #[inline]
    pub fn is_free(&self) -> bool {
        self.branches[0].is_none()
    }
}

/// The units of all leaves. A leaf is a run of slots, with room for one unit more than it may keep, and has its own short
/// columns side by side: one look at it touches few cache lines.
#[derive(Clone, Debug, Default)]
pub(super) struct Slots {
    /// So many slots a leaf has.
    stride: u32,
    /// Who is in each slot; [`PADDING`] more than there are slots.
    ids: Vec<UnitId>,
    /// Of each leaf the left borders, the bottoms and, where units have sizes, the right borders and the tops; [`PADDING`] more than that.
    borders: Vec<f32>,
    /// Whether units have sizes.
    pub are_sized: bool,
}

impl Slots {
    /// Makes it no leaves, each of which keeps so many units at most.
    pub fn reset(&mut self, leaf_size: u32, are_sized: bool) {
        // The one more is there while its leaf is parted.
        self.stride = leaf_size + 1;
        self.are_sized = are_sized;
        self.resize(0);
    }

    /// How many units a leaf keeps at most.
    #[inline]
    pub fn leaf_size(&self) -> u32 {
        self.stride.saturating_sub(1)
    }

    /// For how many leaves there are slots.
    #[inline]
    pub fn leaf_count(&self) -> usize {
        self.ids.len().saturating_sub(PADDING) / (self.stride as usize).max(1)
    }

    /// How many borders a leaf has room for.
    #[inline]
    fn width(&self) -> usize {
        self.stride as usize * if self.are_sized { 4 } else { 2 }
    }

    /// Makes it so many leaves and keeps those that there are.
    pub fn resize(&mut self, leaves: usize) {
        self.ids
            .resize(leaves * self.stride as usize + PADDING, NONE);
        self.borders.resize(leaves * self.width() + PADDING, 0.0);
    }

    /// Makes [room](make_room) for so many leaves and more.
    pub fn reserve(&mut self, leaves: usize) {
        let width = self.width();
        // What is made for those who may come is room for the padding as well.
        make_room(&mut self.ids, leaves * self.stride as usize);
        make_room(&mut self.borders, leaves * width);
    }

    /// Who is in each slot, those that nobody is in among them.
    #[cfg(test)]
    pub fn ids(&mut self) -> &mut [UnitId] {
        let slots = self.leaf_count() * self.stride as usize;
        &mut self.ids[..slots]
    }

    /// The first slot of a leaf.
    #[inline]
    pub fn start(&self, leaf: u32) -> u32 {
        leaf * self.stride
    }

    /// The leaf of a slot.
    #[inline]
    pub fn leaf_of(&self, slot: u32) -> u32 {
        slot / self.stride
    }

    /// Where the left border of a slot is.
    #[inline]
    fn first_border(&self, slot: u32) -> usize {
        let leaf = self.leaf_of(slot);
        leaf as usize * self.width() + (slot - self.start(leaf)) as usize
    }

    #[inline]
    pub fn read(&self, slot: u32) -> (UnitId, Aabb) {
        let (stride, first) = (self.stride as usize, self.first_border(slot));
        let borders = &self.borders[first..];
        let min = Vec2::new(borders[0], borders[stride]);
        let max = if self.are_sized {
            Vec2::new(borders[2 * stride], borders[3 * stride])
        } else {
            min
        };
        (self.ids[slot as usize], Aabb::new(min, max))
    }

    #[inline]
    pub fn write(&mut self, slot: u32, unit: UnitId, body: Aabb) {
        self.ids[slot as usize] = unit;
        self.write_box(slot, body);
    }

    #[inline]
    pub fn write_box(&mut self, slot: u32, body: Aabb) {
        let (stride, first) = (self.stride as usize, self.first_border(slot));
        let borders = &mut self.borders[first..];
        (borders[0], borders[stride]) = (body.min.x, body.min.y);
        if self.are_sized {
            (borders[2 * stride], borders[3 * stride]) = (body.max.x, body.max.y);
        }
    }

    /// The first `count` slots of a leaf.
    #[inline]
    pub fn run(&self, leaf: u32, count: u32) -> Run<'_> {
        let (leaf, count) = (leaf as usize, count as usize);
        let (stride, width) = (self.stride as usize, self.width());
        let borders = &self.borders[leaf * width..][..width];
        let column = |at: usize| &borders[at * stride..][..count];
        // The corners of a point are one.
        let high = if self.are_sized { 2 } else { 0 };
        Run {
            ids: &self.ids[leaf * stride..][..count],
            min_x: column(0),
            min_y: column(1),
            max_x: column(high),
            max_y: column(high + 1),
        }
    }

    /// The first `count` slots of a leaf, for a kernel.
    #[inline(always)]
    pub fn leaf_runs(&self, leaf: u32, count: u32) -> LeafRuns<'_> {
        LeafRuns {
            slots: self,
            leaf: leaf as usize,
            rest: 0..count as usize,
        }
    }

    pub fn byte_count(&self) -> usize {
        self.ids.capacity() * size_of::<UnitId>() + self.borders.capacity() * size_of::<f32>()
    }
}

/// Makes room for so many in all and for half as many more, which those who come may need. While there is room for a quarter
/// more nothing is asked for.
pub(super) fn make_room<T>(list: &mut Vec<T>, count: usize) {
    if list.capacity() < count + count / 4 {
        let wanted = count + count / 2 + 1;
        list.reserve_exact(wanted.saturating_sub(list.len()));
    }
}

/// The units of a leaf, as runs of columns.
#[derive(Clone)]
pub(super) struct LeafRuns<'a> {
    slots: &'a Slots,
    leaf: usize,
    /// Those who have not been given yet.
    rest: Range<usize>,
}

impl<const SIZED: bool> Runs<SIZED> for LeafRuns<'_> {
    #[inline(always)]
    fn next_run(&mut self, most: usize) -> Option<(simd::Bodies<'_>, Range<usize>)> {
        if self.rest.is_empty() {
            return None;
        }
        let run = self.rest.start..self.rest.start + most.min(self.rest.len());
        self.rest.start = run.end;
        let slots = self.slots;
        let stride = slots.stride as usize;
        let width = if SIZED { 4 * stride } else { 2 * stride };
        // Behind each column is another one, or what is behind all: whole registers can be read from any of its slots.
        let length = stride + PADDING;
        let borders = &slots.borders[self.leaf * width..][..width + PADDING];
        let column = |at: usize| &borders[at * stride..][..length];
        let (right, top) = if SIZED {
            (column(2), column(3))
        } else {
            (&[][..], &[][..])
        };
        let ids = &slots.ids[self.leaf * stride..][..length];
        let bodies = simd::Bodies::new(column(0), column(1), right, top, ids);
        Some((bodies, run))
    }
}

/// The units of a leaf, in columns of equal length.
#[derive(Clone, Copy)]
pub(super) struct Run<'a> {
    pub ids: &'a [UnitId],
    min_x: &'a [f32],
    min_y: &'a [f32],
    max_x: &'a [f32],
    max_y: &'a [f32],
}

impl<'a> Run<'a> {
    /// Who, and where.
    #[inline]
    pub fn units(self) -> impl Iterator<Item = (UnitId, Aabb)> + Clone + 'a {
        let corners = |x: &'a [f32], y: &'a [f32]| x.iter().zip(y).map(|(x, y)| Vec2::new(*x, *y));
        let boxes = corners(self.min_x, self.min_y).zip(corners(self.max_x, self.max_y));
        self.ids
            .iter()
            .zip(boxes)
            .map(|(unit, (min, max))| (*unit, Aabb::new(min, max)))
    }

    /// The union of their boxes.
    pub fn bounds(self) -> Aabb {
        self.units()
            .fold(Aabb::EMPTY, |sum, (_, body)| sum.join(body))
    }
}
