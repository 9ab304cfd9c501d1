//! The Morton tree in three dimensions.

use crate::partition::{
    Change, Course, Fact, Info, Joining, Knob, KnobRange, Neighbor, Outgrown, Pair, Placement,
    RegionId, Setting, UnitId, Violation,
};
use crate::probe::Probe;
use crate::volume::toolkit::blocks::{Blocks, List, NONE};
use crate::volume::toolkit::lists;
use crate::volume::toolkit::setting::settings;
use crate::volume::{Aabb3, Bodies3, NearestQuery3, Partition3, Region3, RegionQuery3, Search3};

mod build;
mod edit;
mod key;
mod pairs;
mod picture;
mod query;
mod validate;

#[cfg(test)]
mod damage;
#[cfg(test)]
mod tests;

/// A path-compressed binary radix tree over Morton keys of three interleaved axes, with buckets of units as leaves: the tree of
/// seamless loading with one axis more.
///
/// # Algorithm
///
/// 1. A unit's middle is rounded down to a cell, clamped to 2²⁰ cells to each side of the origin; its *address* interleaves
///    the three coordinates in two's complement, x first; its *key* is the address followed by the unit's row, so no two keys
///    are equal and a thousand units on one point make a tree of depth log₂ 1000 and not a chain. Keys are not kept: a unit's
///    box says what its key is.
/// 2. An inner node stands for all keys that agree above its *branch bit*; those with a 0 in that bit are below its first
///    child, those with a 1 below its second. Branch bits fall on every way down, so no way is longer than a key has bits.
///    Whatever is left below a node when it fits a *bucket* is one.
/// 3. A node's box is the union of the true boxes below it. Queries are answered by boxes alone: the key decides how good
///    the tree is, never what it answers, so clamping a far away middle into the last cell loses nothing.
/// 4. Build: sort the keys, then halve them at the highest bit in which they differ until they fit a bucket.
/// 5. Insert: descend while the node covers the key; into the bucket there, which is halved where it is full, or into one of
///    its own where the node does not cover the key; refit upwards until a box stays as it is. Remove: where a bucket is
///    empty its sibling takes the parent's place, and two buckets become one that are half of one between them; refit.
/// 6. Move. The key stays on its side of the bucket's parent: write the box, and refit where the unit was on the border or is
///    outside now. Else climb to the first ancestor that covers the new key, descend from there, and refit both ways.
///
/// Build O(n log n). Move: a handful of nodes whatever n is when the step is small, O(key bits) at worst: a teleport, or a
/// step over the origin, where addresses have nothing in common. Query O(log n + k) when the units are spread evenly; boxes
/// of neighbouring nodes may overlap where bodies are large. It is not balanced: the depth follows the density. Points and
/// boxes alike ([`Placement::Tight`]).
///
/// Reference: goldpotion, "Quadtree for Seamless Loading" (2011), there QuadTreeA, on a plane and with one object a leaf;
/// G. M. Morton, "A Computer Oriented Geodetic Data Base and a New Technique in File Sequencing" (1966); D. R. Morrison,
/// "PATRICIA" (1968); T. Karras, "Maximizing Parallelism in the Construction of BVHs, Octrees, and k-d Trees" (2012).
///
/// # Example
///
/// ```
/// use skirmish::partition::Change;
/// use skirmish::volume::{Aabb3, Bodies3, NearestQuery3, Partition3, Vec3};
/// use skirmish::volume::structures::morton::MortonTree3;
///
/// // A ship of many flies on, and looks for the three nearest to it.
/// let mut ships: Vec<Vec3> = (0..1000)
///     .map(|i| Vec3::new((i % 10) as f32, (i / 10 % 10) as f32, (i / 100) as f32))
///     .collect();
/// let mut index = MortonTree3::new(Aabb3::new(Vec3::ZERO, Vec3::splat(10.0)));
/// index.rebuild(Bodies3::points(&ships), &mut ());
/// ships[0] = Vec3::new(5.1, 5.2, 5.3);
/// let bodies = Bodies3::points(&ships);
/// index.apply(bodies, &[Change::Move(0)], &mut ());
/// let query = NearestQuery3 { point: ships[0], count: 3, within: f32::INFINITY };
/// let mut found = Vec::new();
/// index.nearest(bodies, query, |ship| ship != 0, &mut (), &mut found);
/// assert_eq!(found[0].unit, 555);
/// ```
#[derive(Clone, Debug)]
pub struct MortonTree3 {
    /// The knob `cell_size`, in metres.
    cell_size: f64,
    /// The knob `bucket`.
    bucket: u32,
    /// Nodes in use and free.
    nodes: Vec<Node>,
    /// Node → what queries do not read.
    records: Vec<Record>,
    /// [`NONE`] when nobody is there.
    root: u32,
    /// The first free node, whose first child names the next one; [`NONE`] for none.
    free: u32,
    free_count: u32,
    blocks: Blocks,
    /// Row of a unit → its slot in the blocks; [`NONE`] for rows that are not in use.
    slots: Vec<u32>,
    /// Keys while they are sorted; kept so that a rebuild does not have to ask for memory.
    keys: Vec<key::Key>,
}

/// What queries read of a node.
#[derive(Clone, Copy, Debug)]
struct Node {
    /// The union of the boxes below.
    bounds: Aabb3,
    /// The child with a 0 in the branch bit, then the one with a 1; [`NONE`] twice for a bucket.
    children: [u32; 2],
    /// The units of a bucket.
    list: List,
}

/// What edits and pictures read of a node.
#[derive(Clone, Copy, Debug)]
struct Record {
    /// Of an inner node, any key below it; only its bits above the branch bit are meaningful.
    key: key::Key,
    /// The node above; [`NONE`] for the root.
    parent: u32,
    /// The highest bit in which keys below an inner node differ; [`BUCKET`] or [`FREE`].
    bit: u8,
}

const _: () = assert!(size_of::<Node>() == 40);

/// The branch bit of a bucket, which has none.
const BUCKET: u8 = 254;

/// The branch bit of a node that is not in use.
const FREE: u8 = 255;

impl Node {
    #[inline(always)]
    const fn is_bucket(&self) -> bool {
        self.children[0] == NONE
    }
}

impl Record {
    /// Whether a key belongs below an inner node.
    #[inline]
    const fn covers(&self, key: key::Key) -> bool {
        // In two steps, as the branch bit may be the highest there is.
        ((self.key ^ key) >> self.bit) >> 1 == 0
    }

    /// Below which child of an inner node a key belongs that it covers.
    #[inline]
    const fn side(&self, key: key::Key) -> usize {
        (key >> self.bit & 1) as usize
    }
}

const KNOBS: &[Knob] = &[
    Knob {
        key: "cell_size",
        name: "cell size",
        help: "The side of the cells that addresses number. Smaller cells order a crowd better; larger ones let more moves keep their key.",
        unit: "m",
        range: KnobRange::Number {
            min: 0.01,
            max: 1000.0,
            whole: false,
            logarithmic: true,
        },
        default: 0.5,
        picture_only: false,
        acts_on_update: false,
        idle_with: &[],
    },
    Knob {
        key: "bucket",
        name: "bucket",
        help: "How many units a leaf holds at most. Two leaves beside each other are joined again once they hold no more than half of that together. At 1 every unit has a leaf of its own, as in the source; more of them together are searched and moved faster, and more pairs of them are compared.",
        unit: "units",
        range: KnobRange::Number {
            min: 1.0,
            max: 64.0,
            whole: true,
            logarithmic: true,
        },
        default: 48.0,
        picture_only: false,
        acts_on_update: false,
        idle_with: &[],
    },
];

impl Partition3 for MortonTree3 {
    const JOINING: Joining = Joining::Parts;

    const INFO: Info = Info {
        key: "morton-3d",
        name: "Morton tree, 3-D",
        tagline: "radix tree, along the Z curve of space",
        placement: Placement::Tight,
        what: "A binary radix tree over the interleaved bits of each unit's cell, x, y and z by turns, with buckets of units as leaves; every node carries the union of the boxes below it. A unit that moves a little stays in its bucket, or finds its new one a step or two up the tree.",
        cost: "build O(n log n) · move: a few nodes for a small step, at most one for each of 95 key bits · query O(log n + k) when spread evenly",
        wins: "bodies of mixed sizes in a large world where most stand still and the others move little",
        loses: "mass movement and short reach, where a grid does less; a step over the origin climbs to the root",
        source: "goldpotion, Quadtree for Seamless Loading (2011), QuadTreeA; Morton (1966); Morrison (1968)",
        told: 6,
        told_of_sizes: 0,
        knobs: KNOBS,
    };

    const SETTINGS: &'static [Setting<Self>] = settings![cell_size, bucket];

    fn new(_field: Aabb3) -> Self {
        Self {
            cell_size: KNOBS[0].default,
            bucket: KNOBS[1].default as u32,
            nodes: Vec::new(),
            records: Vec::new(),
            root: NONE,
            free: NONE,
            free_count: 0,
            blocks: Blocks::new(false),
            slots: Vec::new(),
            keys: Vec::new(),
        }
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
        let slot = std::mem::replace(&mut self.slots[unit as usize], NONE);
        debug_assert_ne!(slot, NONE, "unit {unit} was removed twice");
        self.take(slot, probe);
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
        if self.root != NONE {
            self.draw_regions(self.root, 0, query, visit);
        }
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
        say("keys", self.keys.capacity() * size_of::<key::Key>());
    }
}
