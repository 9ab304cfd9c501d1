//! What the trees with tight boxes and runs of units share: nodes, leaves, and one traversal for each kind of query.
//!
//! The k-d tree, the BSP tree and the bounding volume hierarchy differ in how they cut a crowd and how they follow it when
//! it moves. Once the boxes are there, the search through them is the same, and it is here.

use super::roll::Roll;
use crate::geometry::{Aabb, Vec2};
use crate::partition::{Bodies, RegionId, UnitId, Violation};

mod pairs;
mod query;

/// The index of no node, no slot.
pub const NONE: u32 = u32::MAX;

/// No tree is higher than this, counted in nodes on the way down to a leaf. Trees that halve their units cannot be, for
/// there are fewer than 2³² of them; a tree that grows by single units has to see to it.
pub const HEIGHT_LIMIT: usize = 64;

/// A depth-first search leaves at most one branch behind on each level and looks at two on the last.
pub const STACK_LENGTH: usize = HEIGHT_LIMIT + 1;

/// No leaf holds more units than this.
pub const LEAF_LIMIT: usize = 64;

/// A node or a leaf, told apart by the lowest bit. Its number is also the region's id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link(u32);

impl Link {
    /// Neither.
    pub const NONE: Self = Self(NONE);

    /// The leaf whose units begin in slot `start`.
    #[inline]
    pub const fn leaf(start: u32) -> Self {
        Self(start << 1)
    }

    #[inline]
    pub const fn inner(node: u32) -> Self {
        Self(node << 1 | 1)
    }

    #[inline]
    pub const fn is_leaf(self) -> bool {
        self.0 & 1 == 0
    }

    /// The first slot of a leaf or the index of a node.
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

/// A subtree as the node above it knows it.
#[derive(Clone, Copy, Debug)]
pub struct Branch {
    /// The union of the true boxes of all units below; [`Aabb::EMPTY`] where there are none.
    pub bounds: Aabb,
    /// Where it is.
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
pub struct Node {
    /// The two subtrees; of a free node, [`Branch::NONE`] twice.
    pub branches: [Branch; 2],
    /// The node above, [`NONE`] for the root; of a free node, the next free one.
    pub parent: u32,
    /// How many nodes a way down passes at most, this one included; kept by trees that grow by single units.
    pub height: u32,
}

const _: () = assert!(size_of::<Node>() == 64, "a node is one cache line");

impl Node {
    /// The node as its parent knows it.
    #[inline]
    pub fn branch(&self, index: u32) -> Branch {
        let [a, b] = &self.branches;
        Branch {
            bounds: a.bounds.join(b.bounds),
            link: Link::inner(index),
            count: a.count + b.count,
        }
    }

    #[inline]
    pub fn is_free(&self) -> bool {
        self.branches[0].is_none()
    }
}

/// The units in the order of the leaves, in columns: a leaf is a run of slots.
#[derive(Clone, Debug, Default)]
pub struct Slots {
    /// Who is in each slot.
    pub ids: Vec<UnitId>,
    /// The low corners of their boxes.
    min_x: Vec<f32>,
    min_y: Vec<f32>,
    /// The high corners; empty when all units are points, whose corners are one.
    max_x: Vec<f32>,
    max_y: Vec<f32>,
    /// Whether units have sizes.
    pub are_sized: bool,
}

impl Slots {
    /// Makes it `count` slots, whose contents are to be written.
    pub fn reset(&mut self, count: usize, are_sized: bool) {
        self.are_sized = are_sized;
        self.resize(0);
        self.resize(count);
    }

    /// Makes it `count` slots and keeps those that there are.
    pub fn resize(&mut self, count: usize) {
        self.ids.resize(count, NONE);
        self.min_x.resize(count, 0.0);
        self.min_y.resize(count, 0.0);
        let high = if self.are_sized { count } else { 0 };
        self.max_x.resize(high, 0.0);
        self.max_y.resize(high, 0.0);
    }

    #[inline]
    pub fn write(&mut self, slot: usize, unit: UnitId, body: Aabb) {
        self.ids[slot] = unit;
        self.write_box(slot, body);
    }

    #[inline]
    pub fn write_box(&mut self, slot: usize, body: Aabb) {
        (self.min_x[slot], self.min_y[slot]) = (body.min.x, body.min.y);
        if self.are_sized {
            (self.max_x[slot], self.max_y[slot]) = (body.max.x, body.max.y);
        }
    }

    /// The `count` slots from `start` on.
    #[inline]
    pub fn run(&self, start: u32, count: u32) -> Run<'_> {
        let slots = start as usize..(start + count) as usize;
        let (max_x, max_y) = if self.are_sized {
            (&self.max_x, &self.max_y)
        } else {
            (&self.min_x, &self.min_y)
        };
        Run {
            ids: &self.ids[slots.clone()],
            min_x: &self.min_x[slots.clone()],
            min_y: &self.min_y[slots.clone()],
            max_x: &max_x[slots.clone()],
            max_y: &max_y[slots],
        }
    }

    fn byte_count(&self) -> usize {
        self.ids.capacity() * size_of::<UnitId>()
            + [&self.min_x, &self.min_y, &self.max_x, &self.max_y]
                .map(|column| column.capacity() * size_of::<f32>())
                .iter()
                .sum::<usize>()
    }
}

/// The units of a leaf, in columns of equal length.
#[derive(Clone, Copy)]
pub struct Run<'a> {
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

/// A binary tree whose branches carry tight boxes, over units in columns.
#[derive(Clone, Debug)]
pub struct BoxTree {
    /// Nodes, in use and free.
    pub nodes: Vec<Node>,
    /// The whole tree, which may be a single leaf; [`Branch::NONE`] when it is empty.
    pub root: Branch,
    /// The units in the order of the leaves.
    pub slots: Slots,
    /// Row of a unit → its slot; [`NONE`] for rows that are not in use.
    pub places: Vec<u32>,
}

impl BoxTree {
    pub fn new() -> Self {
        Self {
            nodes: Vec::new(),
            root: Branch::NONE,
            slots: Slots::default(),
            places: Vec::new(),
        }
    }

    /// Whether there are no units.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.root.is_none()
    }

    /// The units of the leaf at the end of this branch.
    #[inline]
    pub fn run(&self, branch: Branch) -> Run<'_> {
        self.slots.run(branch.link.index(), branch.count)
    }

    /// The two subtrees below an inner link.
    #[inline]
    pub fn below(&self, link: Link) -> &[Branch; 2] {
        &self.nodes[link.index() as usize].branches
    }

    /// Says how many bytes each part takes.
    pub fn memory(&self, say: &mut dyn FnMut(&'static str, usize)) {
        say("nodes", self.nodes.capacity() * size_of::<Node>());
        say("units by leaf", self.slots.byte_count());
        say("places", self.places.capacity() * size_of::<u32>());
    }

    /// The shape of the tree, by walking all of it.
    pub fn census(&self) -> Census {
        let mut census = Census::default();
        let mut stack = super::stack::Stack::<_, STACK_LENGTH>::new((Branch::NONE, 0));
        if !self.is_empty() {
            stack.push((self.root, 0_u32));
        }
        while let Some((branch, depth)) = stack.pop() {
            if branch.link.is_leaf() {
                census.leaves += 1;
                census.units += branch.count as usize;
                census.height = census.height.max(depth);
                census.depth_sum += u64::from(depth) * u64::from(branch.count);
            } else {
                census.nodes += 1;
                for below in self.below(branch.link) {
                    stack.push((*below, depth + 1));
                }
            }
        }
        census
    }

    /// Checks links, counts, boxes, copies and membership, and calls `check` with each node in use, its index and the
    /// slots below it: where its first branch begins, where its second does, where that ends.
    pub fn check(&self, bodies: Bodies<'_>) -> Result<Census, Violation> {
        let mut census = Census::default();
        let mut roll = Roll::new(bodies);
        let mut stack = super::stack::Stack::<_, STACK_LENGTH>::new((Branch::NONE, NONE, 0));
        if self.is_empty() {
            Violation::unless(
                self.root.bounds == Aabb::EMPTY && self.root.count == 0,
                None,
                || "nothing in an empty tree".to_owned(),
                || format!("{:?}", self.root),
            )?;
        } else {
            stack.push((self.root, NONE, 0_usize));
        }
        while let Some((branch, parent, depth)) = stack.pop() {
            let region = branch.link.region();
            let (bounds, count) = if branch.link.is_leaf() {
                census.leaves += 1;
                census.units += branch.count as usize;
                (self.check_leaf(branch, bodies, &mut roll)?, branch.count)
            } else {
                census.nodes += 1;
                let index = branch.link.index();
                let node = self
                    .nodes
                    .get(index as usize)
                    .filter(|node| !node.is_free());
                let Some(node) = node else {
                    return Err(Violation {
                        region: Some(region),
                        expected: format!("node {index} in use"),
                        found: "a link to no node".to_owned(),
                    });
                };
                Violation::unless(
                    node.parent == parent && depth < HEIGHT_LIMIT,
                    region,
                    || format!("parent {parent} at a depth below {HEIGHT_LIMIT}"),
                    || format!("parent {} at depth {depth}", node.parent),
                )?;
                for below in node.branches {
                    stack.push((below, index, depth + 1));
                }
                let whole = node.branch(index);
                (whole.bounds, whole.count)
            };
            Violation::unless(
                bounds == branch.bounds && count == branch.count,
                region,
                || format!("{count} units in {bounds:?}"),
                || format!("{} in {:?}", branch.count, branch.bounds),
            )?;
        }
        roll.close(self.places.iter().filter(|place| **place != NONE).count())?;
        Ok(census)
    }

    /// Every unit of a leaf is alive, filed under its slot and copied truly. Returns their box.
    fn check_leaf(
        &self,
        branch: Branch,
        bodies: Bodies<'_>,
        roll: &mut Roll<'_>,
    ) -> Result<Aabb, Violation> {
        let (start, region) = (branch.link.index(), branch.link.region());
        Violation::unless(
            (start as usize + branch.count as usize) <= self.slots.ids.len()
                && (1..=LEAF_LIMIT).contains(&(branch.count as usize)),
            region,
            || format!("1 to {LEAF_LIMIT} units"),
            || format!("{} from slot {start} on", branch.count),
        )?;
        for (slot, (unit, body)) in (start..).zip(self.run(branch).units()) {
            roll.meet(unit, region)?;
            let place = self.places.get(unit as usize).copied();
            Violation::unless(
                place == Some(slot) && body == bodies.aabb(unit),
                region,
                || format!("a unit filed in slot {slot}, where it is"),
                || format!("unit {unit}, filed in {place:?}, copied as {body:?}"),
            )?;
        }
        Ok(self.run(branch).bounds())
    }
}

/// The shape of a tree.
#[derive(Clone, Copy, Debug, Default)]
pub struct Census {
    /// Nodes in use.
    pub nodes: usize,
    /// Leaves.
    pub leaves: usize,
    /// Units.
    pub units: usize,
    /// The greatest depth of a leaf.
    pub height: u32,
    /// The depths of all units' leaves, summed.
    pub depth_sum: u64,
}

impl Census {
    /// The height that the same leaves would have if each node halved them.
    pub fn ideal_height(&self) -> u32 {
        self.leaves.max(1).next_power_of_two().trailing_zeros()
    }
}
