//! The octree.

use crate::partition::{
    Change, Course, Fact, Info, Joining, Knob, KnobRange, Neighbor, Outgrown, Pair, Placement,
    RegionId, Setting, UnitId, Violation,
};
use crate::probe::Probe;
use crate::volume::toolkit::blocks::{Blocks, List, NONE};
use crate::volume::toolkit::lists;
use crate::volume::toolkit::setting::settings;
use crate::volume::{
    Aabb3, Bodies3, NearestQuery3, Partition3, Region3, RegionQuery3, Search3, Vec3,
};
use build::Room;

mod build;
mod edit;
mod pairs;
mod picture;
mod query;
mod validate;

#[cfg(test)]
mod damage;
#[cfg(test)]
mod tests;

/// An octree whose leaves hold up to a capacity of units; a body that straddles a plane between octants stays above it, or goes
/// down into loose cells.
///
/// # Algorithm
///
/// 1. The root is the field, made at least half as long along each axis as along its longest. A body belongs to the octant in
///    which its middle lies; what is exactly on a plane belongs to the upper one. If the octant's box holds the whole body it
///    goes down there, and on; else it *straddles* and stays. A point never straddles.
/// 2. A node's box is its cell, made `looseness` times as large about its middle. At 1 a pebble on the root's plane stays in
///    the root, where every query meets it; at 2 a body goes down at least as far as the cells that are as large as it, and
///    the boxes of neighbours overlap.
/// 3. A leaf splits into eight when more units than its capacity would go down; straddlers do not count, for no split would
///    move them. Below `max_depth` it does not split any more, so any number of units on one spot ends somewhere.
/// 4. A unit that leaves its node, or that has come to fit an octant, climbs to the first node whose cell its middle is in and
///    whose box holds it, and descends from there. When at most half a capacity is left below a node, it takes its children
///    back: half, so that a unit which steps to and fro over a border does not split and merge at each step.
/// 5. A middle outside the root makes the root double towards it, and the tree is built anew: at most once a doubling. Levels
///    above the field do not count towards `max_depth`. A body too large for the root, or sticking out of it, is held by the
///    root, which every query enters.
/// 6. Pairs: within a node, the straddlers with each other and with whoever is below, each child with itself and with each
///    sibling; across two nodes within reach of each other, the larger is replaced by its children until both are leaves.
///
/// Build O(n · depth), add, remove and move O(depth) and O(1) for small steps; a query O(depth + results) and the straddlers
/// on its way; pairs O(n) at a given density. Points and boxes alike ([`Placement::Straddle`]).
///
/// Nodes are pooled, eight siblings in a row; the units of a node lie in blocks of columns.
///
/// Reference: D. Meagher, "Geometric Modeling Using Octree Encoding" (1982); H. Samet, *The Design and Analysis of Spatial
/// Data Structures* (1990); T. Ulrich, "Loose Octrees", *Game Programming Gems* (2000); R. Nystrom, *Game Programming
/// Patterns* (2014), "Spatial Partition", whose list of structures ends with the octree.
///
/// # Example
///
/// ```
/// use skirmish::volume::{Aabb3, Bodies3, Partition3, Vec3};
/// use skirmish::volume::structures::octree::Octree;
///
/// // A mine in space: which ships come within reach of it?
/// let centers = [Vec3::new(10.0, 10.0, 10.0), Vec3::new(60.0, 10.0, 10.0)];
/// let hulls = [Vec3::new(2.0, 1.0, 1.0), Vec3::new(30.0, 8.0, 8.0)];
/// let fleet = Bodies3 { centers: &centers, half_extents: &hulls, alive: &[] };
/// let mut index = Octree::new(Aabb3::new(Vec3::ZERO, Vec3::splat(100.0)));
/// index.rebuild(fleet, &mut ());
/// let mut near = Vec::new();
/// index.sphere(fleet, Vec3::new(25.0, 10.0, 10.0), 6.0, &mut (), |ship| near.push(ship));
/// assert_eq!(near, [1]);
/// ```
#[derive(Clone, Debug)]
pub struct Octree {
    field: Aabb3,
    /// The knob `capacity`.
    capacity: u32,
    /// The knob `max_depth`.
    max_depth: u32,
    /// The knob `looseness`.
    looseness: f64,
    /// The depth at which a leaf does not split any more: `max_depth` below the field, however often the root has doubled
    /// beyond it.
    depth_cap: u8,
    /// How often the root has doubled.
    doublings: u8,
    /// The root, and then children in eights.
    nodes: Vec<Node>,
    /// Node → what queries do not read.
    records: Vec<Record>,
    /// The first child of the first free eight, whose `children` names the next one; [`NONE`] for no eight.
    free: u32,
    /// How many eights are free.
    free_count: u32,
    blocks: Blocks,
    /// Row of a unit → its slot in the blocks; [`NONE`] for rows that are not in use.
    slots: Vec<u32>,
    /// Room in which a build deals out units.
    room: Room,
}

/// What queries read of a node.
#[derive(Clone, Copy, Debug)]
struct Node {
    /// The cell made loose, no part of it outside of the parent's: it holds the boxes of all units below. That of the root
    /// holds everything.
    bounds: Aabb3,
    /// The first of eight children; [`NONE`] for a leaf. Of the first of a free eight, the next one.
    children: u32,
    /// How many units there are here and below.
    total: u32,
    /// The units held here.
    list: List,
}

/// What edits and pictures read of a node.
#[derive(Clone, Copy, Debug)]
struct Record {
    cell: Aabb3,
    /// The node above; [`NONE`] for the root.
    parent: u32,
    /// Of a leaf, how many of its units would go down if it split.
    fitting: u32,
    /// The distance from the root; [`FREE`] for a node that is not in use.
    depth: u8,
}

const _: () = assert!(size_of::<Node>() == 40);
const _: () = assert!(size_of::<Record>() == 36);

impl Node {
    const fn leaf(bounds: Aabb3) -> Self {
        Self {
            bounds,
            children: NONE,
            total: 0,
            list: List::EMPTY,
        }
    }

    #[inline(always)]
    const fn is_leaf(&self) -> bool {
        self.children == NONE
    }
}

/// The root's index.
const ROOT: u32 = 0;

/// The depth of a node that is not in use.
const FREE: u8 = u8::MAX;

/// The most levels that a tree may have. From a field of 1 m to the limit of coordinates the root doubles some 31 times,
/// and `max_depth` adds 16 below.
const LEVEL_LIMIT: usize = 64;

/// So often the root doubles at the most.
const DOUBLING_LIMIT: u8 = 40;

/// The least side of the first root, in metres, and its least ratio to the field's distance from the origin:
/// below that a doubling could vanish in rounding.
const LEAST_SIDE: f32 = 1.0;
const LEAST_SIDE_RATIO: f32 = 1.0e-5;

const CAPACITY: usize = 0;
const MAX_DEPTH: usize = 1;
const LOOSENESS: usize = 2;

const KNOBS: &[Knob] = &[
    Knob {
        key: "capacity",
        name: "capacity",
        help: "How many units a leaf holds before it splits into eight; the eight of a node are joined again once the node and they hold no more than half of that together. Small leaves test fewer pairs and cost more nodes.",
        unit: "units",
        range: KnobRange::Number {
            min: 1.0,
            max: 64.0,
            whole: true,
            logarithmic: false,
        },
        default: 64.0,
        picture_only: false,
        acts_on_update: false,
        idle_with: &[],
    },
    Knob {
        key: "max_depth",
        name: "deepest level",
        help: "How often the field may be halved. Leaves at this depth hold any number of units.",
        unit: "levels",
        range: KnobRange::Number {
            min: 1.0,
            max: 16.0,
            whole: true,
            logarithmic: false,
        },
        default: 10.0,
        picture_only: false,
        acts_on_update: false,
        idle_with: &[],
    },
    Knob {
        key: "looseness",
        name: "looseness",
        help: "How much larger than its cell a node's box is. At 1 whatever lies across a plane stays above it, in the way of every query; at 2 a body goes as far down as its size allows, and the boxes overlap. Points do not care.",
        unit: "× the cell",
        range: KnobRange::Number {
            min: 1.0,
            max: 4.0,
            whole: false,
            logarithmic: false,
        },
        default: 1.5,
        picture_only: false,
        acts_on_update: false,
        idle_with: &[],
    },
];

impl Octree {
    /// The field as a root, before any doubling: itself, unless it is a plate, a strip or a spot.
    fn home(&self) -> Aabb3 {
        let Aabb3 { min, max } = self.field;
        let far = min.abs().max(max.abs()).max_element();
        let size = max - min;
        let least = (size.max_element() / 2.0)
            .max(LEAST_SIDE)
            .max(far * LEAST_SIDE_RATIO);
        // The sum may round to less than the field's own border.
        Aabb3::new(min, (min + size.max(Vec3::splat(least))).max(max))
    }

    /// Which of eight children a middle belongs to: one bit an axis.
    #[inline(always)]
    fn octant(cut: Vec3, middle: Vec3) -> u32 {
        u32::from(middle.x >= cut.x)
            | u32::from(middle.y >= cut.y) << 1
            | u32::from(middle.z >= cut.z) << 2
    }

    /// The cell of a child.
    fn octant_cell(cell: Aabb3, octant: u32) -> Aabb3 {
        let cut = cell.center();
        let mut part = Aabb3::new(cell.min, cut);
        for axis in 0..3 {
            if octant >> axis & 1 == 1 {
                (part.min[axis], part.max[axis]) = (cut[axis], cell.max[axis]);
            }
        }
        part
    }

    /// The box of a child with this cell, of a node with these bounds: the cell made loose.
    fn octant_bounds(&self, cell: Aabb3, bounds: Aabb3) -> Aabb3 {
        if !self.blocks.is_sized() {
            return cell;
        }
        let grow = (self.looseness as f32 - 1.0) * 0.5;
        cell.grown(cell.size() * grow).meet(bounds)
    }

    /// The octant into which a body goes from a node, whether it is there or not; none if it straddles.
    #[inline]
    fn octant_for(&self, node: u32, body: Aabb3) -> Option<u32> {
        let here = &self.nodes[node as usize];
        let cell = self.records[node as usize].cell;
        let octant = Self::octant(cell.center(), body.center());
        let bounds = if here.is_leaf() {
            self.octant_bounds(Self::octant_cell(cell, octant), here.bounds)
        } else {
            self.nodes[(here.children + octant) as usize].bounds
        };
        bounds.contains_box(body).then_some(octant)
    }

    /// Whether a node of this depth does not split, whatever it holds.
    #[inline]
    fn is_deepest(&self, depth: u8) -> bool {
        depth >= self.depth_cap
    }
}

impl Partition3 for Octree {
    const JOINING: Joining = Joining::Whole;

    const INFO: Info = Info {
        key: "octree",
        name: "octree",
        tagline: "splits in eight past a capacity",
        placement: Placement::Straddle,
        what: "A space that splits into eight where units crowd, and takes its octants back where they have left. A body that lies across a plane is held above it, or goes down into boxes that are larger than their cells.",
        cost: "build O(n · depth) · move O(1) to O(depth) · pairs O(n) at a given density",
        wins: "crowds and empty space side by side, where no cell size fits both: most of space is empty",
        loses: "even crowds that all move, where a grid does the same without a tree; everybody on one spot; bodies across planes where the boxes are not loose",
        source: "Meagher (1982); Samet (1990); Ulrich, Loose Octrees (2000); Nystrom, Game Programming Patterns (2014)",
        // With the eighths in which it lies.
        told: 6,
        told_of_sizes: 2,
        knobs: KNOBS,
    };

    const SETTINGS: &'static [Setting<Self>] = settings![capacity, max_depth, looseness];

    fn new(field: Aabb3) -> Self {
        let mut tree = Self {
            field,
            capacity: KNOBS[CAPACITY].default as u32,
            max_depth: KNOBS[MAX_DEPTH].default as u32,
            looseness: KNOBS[LOOSENESS].default,
            depth_cap: 0,
            doublings: 0,
            nodes: Vec::new(),
            records: Vec::new(),
            free: NONE,
            free_count: 0,
            blocks: Blocks::new(false),
            slots: Vec::new(),
            room: Room::default(),
        };
        tree.build(Bodies3::points(&[]), &mut ());
        tree
    }

    fn rebuild<P: Probe>(&mut self, bodies: Bodies3<'_>, probe: &mut P) {
        self.build(bodies, probe);
    }

    fn prepare<P: Probe>(
        &mut self,
        bodies: Bodies3<'_>,
        changes: &[Change],
        _probe: &mut P,
    ) -> Course {
        self.look_at(bodies, changes)
    }

    fn add<P: Probe>(
        &mut self,
        bodies: Bodies3<'_>,
        unit: UnitId,
        probe: &mut P,
    ) -> Result<(), Outgrown> {
        self.insert(unit, bodies.aabb(unit), probe);
        Ok(())
    }

    #[inline]
    fn relocate<P: Probe>(
        &mut self,
        bodies: Bodies3<'_>,
        unit: UnitId,
        probe: &mut P,
    ) -> Result<(), Outgrown> {
        self.update(unit, bodies.aabb(unit), probe);
        Ok(())
    }

    fn remove<P: Probe>(&mut self, unit: UnitId, probe: &mut P) -> Result<(), Outgrown> {
        self.delete(unit, probe);
        Ok(())
    }

    fn search<S: Search3, P: Probe>(
        &self,
        _bodies: Bodies3<'_>,
        search: &S,
        probe: &mut P,
        visit: impl FnMut(UnitId),
    ) {
        lists::sift(self, search, probe, visit);
    }

    fn seek_nearest<P: Probe>(
        &self,
        _bodies: Bodies3<'_>,
        query: NearestQuery3,
        filter: impl FnMut(UnitId) -> bool,
        probe: &mut P,
        out: &mut Vec<Neighbor>,
    ) {
        lists::find_nearest(self, query, filter, probe, out);
    }

    fn seek_pairs<P: Probe>(
        &self,
        _bodies: Bodies3<'_>,
        reach: f32,
        probe: &mut P,
        batch: impl FnMut(&[Pair]),
    ) {
        lists::seek_pairs(self, reach, probe, batch);
    }

    fn regions(&self, query: RegionQuery3, visit: &mut dyn FnMut(Region3)) {
        self.draw_regions(ROOT, query, visit);
    }

    fn facts(&self, _bodies: Bodies3<'_>, region: RegionId, say: &mut dyn FnMut(Fact)) {
        self.say_facts(region, say);
    }

    fn quality(&self, say: &mut dyn FnMut(Fact)) {
        self.say_quality(say);
    }

    fn validate(&self, bodies: Bodies3<'_>) -> Result<(), Violation> {
        self.check(bodies)
    }

    fn memory(&self, say: &mut dyn FnMut(&'static str, usize)) {
        say("nodes", self.nodes.capacity() * size_of::<Node>());
        say("records", self.records.capacity() * size_of::<Record>());
        self.blocks.memory(say);
        say("slots", self.slots.capacity() * size_of::<u32>());
        say("room for building", self.room.byte_count());
    }
}
