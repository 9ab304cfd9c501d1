//! Nodes of up to sixteen children, which are cut from each other by up to fifteen lines.

use crate::geometry::{Aabb, Vec2};
use crate::partition::toolkit::boxes::{Boxes, WIDTH};
use crate::partition::toolkit::simd;
use crate::partition::{RegionId, UnitId};

/// The index of no node, no leaf, no slot.
pub(super) const NONE: u32 = u32::MAX;

/// No tree is higher, counted in nodes on the way down to a leaf: halves that differ by one leaf at most make nodes that are
/// all as deep and have eight children at least, but for the root. One that would grow beyond is built anew.
pub(super) const HEIGHT_LIMIT: usize = 16;

/// A depth-first search takes one node from its stack and puts back at most sixteen, on each level.
pub(super) const STACK_LENGTH: usize = HEIGHT_LIMIT * (WIDTH - 1) + 1;

/// So many cuts, at most, are on the way down to a leaf.
pub(super) const CUTS_DEEP: usize = HEIGHT_LIMIT * (WIDTH - 1);

/// A node or a leaf, told apart by the lowest bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Link(pub u32);

impl Link {
    /// Neither. Where no branch is to be taken for it, it is a leaf in which nobody is.
    pub const NONE: Self = Self(NONE - 1);

    #[inline(always)]
    pub const fn leaf(leaf: u32) -> Self {
        Self(leaf << 1)
    }

    #[inline(always)]
    pub const fn node(node: u32) -> Self {
        Self(node << 1 | 1)
    }

    #[inline(always)]
    pub const fn is_leaf(self) -> bool {
        self.0 & 1 == 0
    }

    /// The index of the node or the leaf.
    #[inline(always)]
    pub const fn index(self) -> usize {
        (self.0 >> 1) as usize
    }
}

/// Cuts take so many bits of a region's number.
const CUT_BITS: u32 = 4;

/// The number of the region that is a leaf.
#[inline]
pub(super) const fn leaf_region(leaf: usize) -> RegionId {
    (leaf << 1) as RegionId
}

/// The number of the region that a cut of a node parts.
#[inline]
pub(super) const fn cut_region(node: usize, cut: usize) -> RegionId {
    ((node << CUT_BITS | cut) << 1 | 1) as RegionId
}

/// What a region's number stands for: a leaf, or a cut of a node.
pub(super) const fn of_region(region: RegionId) -> Result<usize, (usize, usize)> {
    let rest = (region >> 1) as usize;
    if region & 1 == 0 {
        Ok(rest)
    } else {
        Err((rest >> CUT_BITS, rest & (WIDTH - 1)))
    }
}

/// Where a way down through a node comes to: one of its cuts or one of its children.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Step(u8);

impl Step {
    #[inline(always)]
    pub const fn cut(cut: usize) -> Self {
        Self(cut as u8)
    }

    #[inline(always)]
    pub const fn child(child: usize) -> Self {
        Self((WIDTH + child) as u8)
    }

    /// The child, where it is one.
    #[inline(always)]
    pub const fn as_child(self) -> Option<usize> {
        if self.0 as usize >= WIDTH {
            Some(self.0 as usize - WIDTH)
        } else {
            None
        }
    }

    /// The number of the cut, of one that is no child.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize & (WIDTH - 1)
    }
}

/// A line across one axis.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cut {
    /// 0 for x, 1 for y.
    pub axis: usize,
    /// In metres. Who is on the line itself may be on either side.
    pub at: f32,
}

impl Cut {
    /// The two parts of a cell.
    pub fn halves(self, cell: Aabb) -> [Aabb; 2] {
        let mut halves = [cell; 2];
        halves[0].max[self.axis] = self.at;
        halves[1].min[self.axis] = self.at;
        halves
    }

    pub fn text(self) -> String {
        let axis = ["x", "y"][self.axis];
        format!("{axis} = {:.2}", self.at)
    }
}

/// A piece of the tree with up to sixteen children: their boxes side by side, to be tested at once, and the cuts between them,
/// to find the one in whose cell a place is.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(super) struct Node {
    /// The unions of the true boxes of all units below each child.
    pub boxes: Boxes,
    /// What each child is: a [`Link`], by which a kernel names those that it finds.
    links: [UnitId; WIDTH],
    /// Where each cut is, in metres.
    ats: [f32; WIDTH],
    /// What is on the two sides of each cut.
    sides: [[Step; 2]; WIDTH],
    /// One bit a cut: 0 where it is across x, 1 where it is across y.
    axes: u16,
    /// How many children there are, one more than cuts; 0 for a node that is not in use.
    pub child_count: u8,
    /// How many of the children are leaves.
    pub leaf_count: u8,
    /// The node above it and which of its children it is, as in [`place_of`]; [`NONE`] for the root.
    pub parent: u32,
    /// The box around all of its children's boxes.
    pub bounds: Aabb,
    /// What the cuts above have left of the plane, which is without end.
    pub cell: Aabb,
}

/// A child of a node as one number.
#[inline(always)]
pub(super) const fn place_number(node: usize, child: usize) -> u32 {
    (node * WIDTH + child) as u32
}

/// The node and which of its children.
#[inline(always)]
pub(super) const fn place_of(number: u32) -> (usize, usize) {
    (number as usize / WIDTH, number as usize % WIDTH)
}

impl Node {
    /// A node that nobody is below.
    pub fn new(parent: u32, cell: Aabb) -> Self {
        Self {
            boxes: Boxes::EMPTY,
            links: [Link::NONE.0; WIDTH],
            leaf_count: 0,
            ats: [0.0; WIDTH],
            sides: [[Step::child(0); 2]; WIDTH],
            axes: 0,
            child_count: 0,
            parent,
            bounds: Aabb::EMPTY,
            cell,
        }
    }

    #[inline(always)]
    pub fn children(&self) -> usize {
        usize::from(self.child_count)
    }

    #[inline(always)]
    pub fn cuts(&self) -> usize {
        self.children().saturating_sub(1)
    }

    pub fn is_full(&self) -> bool {
        self.children() == WIDTH
    }

    /// Where each way down begins: at the first cut, or at the only child.
    #[inline(always)]
    pub fn entrance(&self) -> Step {
        if self.child_count > 1 {
            Step::cut(0)
        } else {
            Step::child(0)
        }
    }

    #[inline]
    pub fn cut(&self, cut: usize) -> Cut {
        Cut {
            axis: usize::from(self.axes >> cut & 1),
            at: self.ats[cut],
        }
    }

    #[inline]
    pub fn sides(&self, cut: usize) -> [Step; 2] {
        self.sides[cut]
    }

    /// The child in whose cell a place is. Where it lies on a cut, each next bit of `ties` says on which side.
    #[inline(always)]
    pub fn child_at(&self, place: Vec2, ties: &mut u32) -> usize {
        let mut step = self.entrance();
        loop {
            if let Some(child) = step.as_child() {
                return child;
            }
            let cut = step.index();
            let coordinate = if self.axes >> cut & 1 == 0 {
                place.x
            } else {
                place.y
            };
            let at = self.ats[cut];
            *ties = ties.rotate_left(1);
            let side = (coordinate > at) | ((coordinate == at) & (*ties & 1 == 1));
            step = self.sides[cut][usize::from(side)];
        }
    }

    /// A child in whose cell a place is: where it lies on a cut, that of either side. All cuts are looked at at once, and the way down
    /// by what came of it waits for no coordinate.
    #[inline(always)]
    pub fn child_near<K: simd::Kernel>(&self, kernel: K, place: Vec2) -> usize {
        let beyond = kernel.beyond(&self.ats, self.axes, place);
        let mut step = self.entrance();
        loop {
            if let Some(child) = step.as_child() {
                return child;
            }
            let cut = step.index();
            step = self.sides[cut][(beyond >> cut & 1) as usize];
        }
    }

    /// The cut right above a step and the side on which it is; nothing for the entrance.
    pub fn above(&self, step: Step) -> Option<(usize, usize)> {
        (0..self.cuts())
            .flat_map(|cut| [(cut, 0), (cut, 1)])
            .find(|(cut, side)| self.sides[*cut][*side] == step)
    }

    /// The step below a cut, or the entrance where nothing is above.
    pub fn set_step(&mut self, above: Option<(usize, usize)>, step: Step) {
        if let Some((cut, side)) = above {
            self.sides[cut][side] = step;
        }
    }

    /// Writes a cut with the number `cut`, whose sides are to be written.
    pub fn set_cut(&mut self, number: usize, cut: Cut) {
        self.ats[number] = cut.at;
        self.axes = self.axes & !(1 << number) | (cut.axis as u16) << number;
    }

    pub fn set_sides(&mut self, cut: usize, sides: [Step; 2]) {
        self.sides[cut] = sides;
    }

    /// Writes one more child.
    pub fn push_child(&mut self, link: Link, bounds: Aabb) -> usize {
        let child = self.children();
        self.child_count += 1;
        self.set_link(child, link);
        self.boxes.set(child, bounds);
        child
    }

    /// What a child is.
    #[inline(always)]
    pub fn link(&self, child: usize) -> Link {
        Link(self.links[child])
    }

    /// What the children are.
    #[inline(always)]
    pub fn links(&self) -> impl Iterator<Item = Link> {
        self.links[..self.children()].iter().map(|link| Link(*link))
    }

    /// Makes this link the child.
    pub fn set_link(&mut self, child: usize, link: Link) {
        self.links[child] = link.0;
        self.leaf_count = self.links().filter(|link| link.is_leaf()).count() as u8;
    }

    /// Whether some children are leaves.
    #[inline(always)]
    pub fn has_leaves(&self) -> bool {
        self.leaf_count > 0
    }

    /// Whether some children are nodes.
    #[inline(always)]
    pub fn has_nodes(&self) -> bool {
        self.leaf_count < self.child_count
    }

    /// Asks for what the children are and for their boxes, before they are read.
    #[inline(always)]
    pub fn fetch_children<K: simd::Kernel>(&self, kernel: K) {
        kernel.fetch(&self.links);
        kernel.fetch(std::slice::from_ref(&self.boxes));
    }

    /// The boxes of the children as bodies, named by their links.
    #[inline(always)]
    pub fn linked_boxes(&self) -> simd::Bodies<'_> {
        self.boxes.named(&self.links)
    }

    /// The number of the region that is the whole node, which has this index.
    #[inline]
    pub fn region(&self, index: usize) -> RegionId {
        if self.child_count > 1 {
            cut_region(index, 0)
        } else {
            leaf_region(self.link(0).index())
        }
    }
}

/// Bits by which a unit that lies on cuts is sent to one side or the other of each: a crowd on one spot is parted like any
/// other.
#[inline(always)]
pub(super) fn ties_of(unit: UnitId) -> u32 {
    let mixed = unit.wrapping_mul(0x9E37_79B9);
    mixed ^ mixed >> 15
}
