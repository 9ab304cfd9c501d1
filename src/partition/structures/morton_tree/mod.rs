//! The Morton tree: a binary radix tree over interleaved cell coordinates, with tight boxes.

use self::buckets::Buckets;
use self::key::Cell;
use self::mass::Leaver;
use self::shelves::{NO_SHELF, Shelf, Shelves};
use crate::geometry::{Aabb, Vec2};
use crate::partition::knob::settings;
use crate::partition::toolkit::boxes::WIDTH;
use crate::partition::toolkit::scratch::Scratch;
use crate::partition::toolkit::stack::Stack;
use crate::partition::{
    Bodies, Change, Course, Fact, Info, Joining, Knob, KnobRange, Mark, MarkQuery, NearestQuery,
    Neighbor, Outgrown, Pair, Part, Partition, Placement, Region, RegionId, RegionQuery, Search,
    Setting, UnitId, Violation,
};
use crate::probe::Probe;

mod buckets;
mod build;
mod edit;
mod key;
mod mass;
mod pairs;
mod picture;
mod query;
mod shelves;
mod validate;

#[cfg(test)]
mod damage;
#[cfg(test)]
mod tests;

/// A path-compressed binary radix tree along the Z curve over buckets of up to 32 units: each inner node has exactly two
/// children, so n buckets have n - 1 inner nodes. With buckets of one unit it is the tree of its source.
///
/// # Algorithm
///
/// 1. A unit's *cell* is `floor(center / cell_size)`, where the centre is that of the box by which it is filed; its *address*
///    interleaves the two coordinates in two's complement, x first; its *key* is the address followed by the unit's row, so
///    no two keys are equal and a thousand units on one point make a tree of depth log₂ 1000 and not a chain. The knob
///    `rounding` can cut the fraction off instead, to show what that costs: along each axis the two cells at the origin share
///    a number then. Keys are not kept: a unit's box says what its key is.
/// 2. An inner node stands for all keys that agree above its *branch bit*; those with a 0 in that bit are below its first
///    child, those with a 1 below its second. Branch bits fall on every way down, so no way is longer than a key has bits.
///    Whatever is left below a node when it fits a *bucket* is one: its units lie in columns, eight of which are tested at once.
/// 3. A node's box is the union of the true boxes below it, bit for bit. Queries are answered by boxes alone: the key decides
///    how good the tree is, never what it answers, so clamping a far away centre into the last cell loses nothing.
/// 4. Build: sort the keys (radix sort), then halve them at the highest bit in which they differ until they fit a bucket.
/// 5. Insert: descend while the node covers the key; into the bucket there, which is halved where it is full, or into one of
///    its own where the node does not cover the key; refit upwards until a box stays as it is. Remove: where a bucket is
///    empty its sibling takes the parent's place, and two buckets become one that are half of one between them; refit.
/// 6. Move. The key stays on its side of the bucket's parent: write the box, and look at the bucket's box only where the unit
///    was on its border or is outside now. Else take it out, climb to the first ancestor that covers the new key, descend
///    from there, and refit both ways up to and including that ancestor.
/// 7. A query does not stop at each branch. The boxes of up to sixteen buckets and nodes a few levels below a node lie side by side
///    on its *shelf* and are tested at once by rectangles, discs and ways; a bucket's units are tested when all shelves have been looked at. Each box is on
///    one shelf besides, and is written there too when it changes. A full shelf is parted, a nearly empty one cleared.
/// 8. Where one unit in eight moves, bucket by bucket: in each of them everybody is written and the box computed once; those
///    who have left are filed afterwards. Where a third have left, the tree is built anew.
///
/// Build O(n) but for the sort. Move: a handful of nodes whatever n is when the step is small, O(key bits) at worst:
/// a teleport, or a step over the origin, where addresses have nothing in common. Query O(log n + k) when the units are
/// spread evenly; boxes of neighbouring nodes may overlap where bodies are large. It is not balanced: the depth follows
/// the density. Points and boxes alike ([`Placement::Tight`]).
///
/// A key has room for [`MortonTree::ROW_LIMIT`] rows. The limit is checked, for beyond it keys would no longer be unique.
///
/// Reference: goldpotion, "Quadtree for Seamless Loading" (2011), there QuadTreeA, which has one object a leaf; G. M. Morton,
/// "A Computer Oriented Geodetic Data Base and a New Technique in File Sequencing" (1966); D. R. Morrison, "PATRICIA" (1968).
///
/// # Example
///
/// ```
/// use skirmish::geometry::{Aabb, Vec2};
/// use skirmish::partition::{Bodies, Change, Partition};
/// use skirmish::partition::structures::morton_tree::MortonTree;
///
/// // Monsters appear and vanish; the camera draws those in its view. A row that is free is used again.
/// let mut centers = vec![Vec2::splat(10.0), Vec2::splat(20.0), Vec2::splat(30.0)];
/// let mut alive = vec![true; 3];
/// let mut index = MortonTree::new(Aabb::new(Vec2::ZERO, Vec2::splat(100.0)));
/// index.rebuild(Bodies { centers: &centers, half_extents: &[], alive: &alive }, &mut ());
/// // One is slain, and one appears.
/// alive[1] = false;
/// centers.push(Vec2::splat(15.0));
/// alive.push(true);
/// let world = Bodies { centers: &centers, half_extents: &[], alive: &alive };
/// index.apply(world, &[Change::Remove(1), Change::Add(3)], &mut ());
/// let mut drawn = Vec::new();
/// let view = Aabb::new(Vec2::ZERO, Vec2::splat(25.0));
/// index.range(world, view, &mut (), |monster| drawn.push(monster));
/// drawn.sort();
/// assert_eq!(drawn, [0, 3]);
/// ```
#[derive(Clone, Debug)]
pub struct MortonTree {
    /// Inner nodes, in use and free.
    nodes: Vec<Node>,
    buckets: Buckets,
    /// What is below nodes a few levels down, for rectangles, discs and ways.
    shelves: Shelves,
    /// Row of a unit → its place in a bucket; [`ABSENT`] for a row that is not in the tree.
    places: Vec<u32>,
    /// The root, an inner node or the only bucket; [`Link::NONE`] when the tree is empty.
    root: Link,
    /// The box of the root; [`Aabb::EMPTY`] when the tree is empty.
    root_box: Aabb,
    /// How many units there are.
    unit_count: usize,
    /// The first free inner node, [`NO_NODE`] for none; each free node names the next one as its parent.
    free: u32,
    /// How many moves since the last build touched so many nodes; the last place also holds all beyond it.
    moves_by_nodes: [u64; MOVE_COLUMNS],
    /// The knob `cell_size`, in metres, as it was set; [`MortonTree::cell_side`] is what is reckoned with.
    cell_size: f64,
    /// The knob `bucket`: how many units a leaf holds at most.
    bucket: u32,
    /// The knob `update`: whether any change builds the whole tree anew.
    rebuilds: bool,
    /// The knob `rounding`: whether a coordinate's fraction is cut off rather than rounded down.
    truncates: bool,
    /// The knob `z_curve`.
    draws_curve: bool,
    /// The knob `addresses`.
    draws_addresses: bool,
    /// Keys while they are sorted; kept so that a rebuild does not have to ask for memory.
    keys: Scratch<Vec<u64>>,
    /// The other buffer of the radix sort.
    sorted: Scratch<Vec<u64>>,
    /// A bit for each row: whether it moved, among many.
    moved: Scratch<Vec<u64>>,
    /// Those who leave their buckets, among many.
    leavers: Scratch<Vec<Leaver>>,
}

/// The columns of the histogram of moves. Small steps fill the first few, a jump among a million units takes some 60 nodes.
const MOVE_COLUMNS: usize = 128;

/// There is room for one shelf for so many buckets: even those that have gone through a lot hold more.
const SHELF_SHARE: usize = 5;

/// The most units that a bucket holds.
const MAX_BUCKET: usize = 32;

/// The index of no node.
const NO_NODE: u32 = u32::MAX;

/// The index of no bucket.
const NO_BUCKET: u32 = u32::MAX;

/// The place of a row that is in no bucket, and the parent of a free bucket.
const ABSENT: u32 = u32::MAX - 1;

/// Branch bits fall from at most 63 to at least 0 on every way down: no way passes more inner nodes than this.
const DEPTH_LIMIT: usize = u64::BITS as usize;

/// A depth-first search leaves at most one node behind on each level, and looks at two on the last.
const STACK_LENGTH: usize = DEPTH_LIMIT + 1;

/// An inner node and all that a query or a move needs of it, in one cache line.
///
/// The boxes are those of the *children*: whoever looks at a node knows about both children without touching them, and a
/// move finds in one place whether its unit stays in its bucket and whether the bucket's box holds it.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
struct Node {
    /// The boxes of the two children.
    boxes: [Aabb; 2],
    /// Any key below this node; only its bits from the branch bit's left neighbour upwards are meaningful.
    key: u64,
    /// The child with a 0 in the branch bit, then the one with a 1; [`Link::NONE`] twice for a free node.
    children: [Link; 2],
    /// The node above, [`NO_NODE`] for the root; of a free node, the next free one.
    parent: u32,
    /// The shelf on which the buckets and nodes below it are, or some below which they are.
    shelf: u32,
    /// The highest bit in which keys below this node differ.
    bit: u8,
}

const _: () = assert!(size_of::<Node>() == 64, "a node is one cache line");

/// An inner node or a bucket, told apart by the lowest bit. Its number is also the region's id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Link(u32);

impl Link {
    /// Neither.
    const NONE: Self = Self(u32::MAX);

    #[inline]
    const fn bucket(bucket: u32) -> Self {
        Self(bucket << 1)
    }

    #[inline]
    const fn inner(node: u32) -> Self {
        Self(node << 1 | 1)
    }

    #[inline]
    const fn is_bucket(self) -> bool {
        self.0 & 1 == 0
    }

    /// The index of a bucket or of an inner node.
    #[inline]
    const fn index(self) -> u32 {
        self.0 >> 1
    }

    #[inline]
    const fn region(self) -> RegionId {
        self.0
    }
}

impl Node {
    /// The union of the children's boxes.
    #[inline]
    fn bounds(&self) -> Aabb {
        self.boxes[0].join(self.boxes[1])
    }

    /// Writes the box of one child and returns the union of both.
    #[inline]
    fn set_box(&mut self, slot: usize, bounds: Aabb) -> Aabb {
        self.boxes[slot] = bounds;
        // Not read back: a processor that has to wait for its own store takes half as long again for a whole move.
        self.boxes[1 - slot].join(bounds)
    }

    /// Whether `key` belongs below this node.
    #[inline]
    const fn covers(&self, key: u64) -> bool {
        // In two steps, for the branch bit may be 63.
        ((self.key ^ key) >> self.bit) >> 1 == 0
    }

    #[inline]
    fn is_free(&self) -> bool {
        self.children[0] == Link::NONE
    }
}

/// The box of `unit` as the tree keeps it. Adding 0 turns -0 into 0, so that equal boxes are equal bit for bit and a union
/// does not depend on the order of its parts.
#[inline]
fn leaf_box(bodies: Bodies<'_>, unit: UnitId) -> Aabb {
    let body = bodies.aabb(unit);
    Aabb::new(body.min + Vec2::ZERO, body.max + Vec2::ZERO)
}

impl MortonTree {
    /// How many rows a tree can hold: a key has 24 bits for a unit's row.
    ///
    /// Building or adding beyond it panics with a sentence that says so; whoever takes units from outside checks first.
    pub const ROW_LIMIT: usize = 1 << key::SLOT_BITS;

    /// The side of a cell, in metres.
    #[inline]
    fn cell_side(&self) -> f32 {
        self.cell_size as f32
    }

    /// Whether each unit has a leaf of its own.
    #[inline(always)]
    fn is_single(&self) -> bool {
        self.bucket == 1
    }

    /// The key under which a unit in row `unit` belongs whose centre is there.
    #[inline(always)]
    fn key_at(&self, center: Vec2, unit: UnitId) -> u64 {
        key::key(
            Cell::at(center, self.cell_side(), self.truncates).address(),
            unit,
        )
    }

    /// The key under which `unit` belongs with this box.
    #[inline(always)]
    fn key_of(&self, body: Aabb, unit: UnitId) -> u64 {
        self.key_at(body.center(), unit)
    }

    /// Asks for memory for a few more nodes and buckets than there are, so that a crowd that stays as large does not have to
    /// ask for it while it moves.
    fn make_room(&mut self) {
        let count = self.buckets.len();
        let count = count + count / 4 + MAX_BUCKET;
        self.buckets.reserve(count);
        self.nodes.reserve(count.saturating_sub(self.nodes.len()));
        let shelves = &mut self.shelves.list;
        shelves.reserve((count / SHELF_SHARE).saturating_sub(shelves.len()));
    }

    /// Checks that a key has room for this many rows.
    fn check_row_count(count: usize) {
        assert!(
            count <= Self::ROW_LIMIT,
            "a Morton tree holds at most {} rows, not {count}",
            Self::ROW_LIMIT
        );
    }
}

/// The index of the knob `cell_size`.
const CELL_SIZE: usize = 0;
/// The index of the knob `bucket`.
const BUCKET: usize = 1;

const KNOBS: &[Knob] = &[
    Knob {
        key: "cell_size",
        name: "cell size",
        help: "The side of the cells that addresses number. Smaller cells order a crowd better; larger ones let more moves keep their key, but those that leave climb higher.",
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
        help: "How many units a leaf holds at most. Two leaves beside each other are joined again once they hold no more than half of that together. At 1 every unit has an address and a leaf of its own, as in the source; more of them together are searched and moved several times faster, and more pairs of them are compared.",
        unit: "units",
        range: KnobRange::Number {
            min: 1.0,
            max: MAX_BUCKET as f64,
            whole: true,
            logarithmic: true,
        },
        default: 32.0,
        picture_only: false,
        acts_on_update: false,
        idle_with: &[],
    },
    Knob {
        key: "update",
        name: "update",
        help: "Whether each change is made in its place, or any change builds the tree anew: dearer for a few units, cheaper where nearly all of them move.",
        unit: "",
        range: KnobRange::Choice(&["incremental", "rebuild"]),
        default: 0.0,
        picture_only: false,
        acts_on_update: true,
        idle_with: &[],
    },
    Knob {
        key: "rounding",
        name: "rounding",
        help: "How a place becomes a cell. Cut off instead of rounded down, the two cells at the origin share one address along each axis, and the units of four cells lie mixed below it; boxes decide, so the answers stay right.",
        unit: "",
        range: KnobRange::Choice(&["floor", "truncate"]),
        default: 0.0,
        picture_only: false,
        acts_on_update: false,
        idle_with: &[],
    },
    Knob {
        key: "z_curve",
        name: "Z curve",
        help: "Draws the curve along which the units are filed, from the lowest key to the highest.",
        unit: "",
        range: KnobRange::Switch,
        default: 0.0,
        picture_only: true,
        acts_on_update: false,
        idle_with: &[],
    },
    Knob {
        key: "addresses",
        name: "addresses",
        help: "Draws the cell of every unit in view with its address, while they are few enough to read.",
        unit: "",
        range: KnobRange::Switch,
        default: 0.0,
        picture_only: true,
        acts_on_update: false,
        idle_with: &[],
    },
];

impl Partition for MortonTree {
    const SIDE_BY_SIDE: Option<usize> = Some(WIDTH);

    const JOINING: Joining = Joining::Parts;

    const INFO: Info = Info {
        key: "morton-tree",
        name: "Morton tree",
        tagline: "radix tree, along the Z curve",
        placement: Placement::Tight,
        what: "A binary radix tree over the interleaved bits of each unit's cell, with buckets of up to 32 units as leaves; every node carries the union of the boxes below it. A unit that moves a little stays in its bucket, or finds its new one a step or two up the tree.",
        cost: "build O(n) · move: a few nodes for a small step, at most one for each of 64 key bits · query O(log n + k) when spread evenly",
        wins: "bodies of mixed sizes in a large world where most stand still and the others move little",
        loses: "mass movement and short reach, where a grid does less; a bucket whose units lie on both sides of a high bit has a wide box; a step over the origin climbs to the root",
        source: "goldpotion, Quadtree for Seamless Loading (2011), QuadTreeA: there one object a leaf",
        told: 10,
        told_of_sizes: 0,
        knobs: KNOBS,
    };

    const SETTINGS: &'static [Setting<Self>] = settings![
        cell_size,
        bucket,
        rebuilds,
        truncates,
        draws_curve,
        draws_addresses
    ];

    fn new(_field: Aabb) -> Self {
        Self {
            nodes: Vec::new(),
            buckets: Buckets::new(),
            shelves: Shelves::new(),
            places: Vec::new(),
            root: Link::NONE,
            root_box: Aabb::EMPTY,
            unit_count: 0,
            free: NO_NODE,
            moves_by_nodes: [0; MOVE_COLUMNS],
            cell_size: KNOBS[CELL_SIZE].default,
            bucket: KNOBS[BUCKET].default as u32,
            rebuilds: false,
            truncates: false,
            draws_curve: false,
            draws_addresses: false,
            keys: Scratch::default(),
            sorted: Scratch::default(),
            moved: Scratch::default(),
            leavers: Scratch::default(),
        }
    }

    fn rebuild<P: Probe>(&mut self, bodies: Bodies<'_>, probe: &mut P) {
        self.build(bodies, probe);
    }

    fn prepare<P: Probe>(
        &mut self,
        bodies: Bodies<'_>,
        changes: &[Change],
        probe: &mut P,
    ) -> Course {
        self.look_at(bodies, changes, probe)
    }

    fn add<P: Probe>(
        &mut self,
        bodies: Bodies<'_>,
        unit: UnitId,
        probe: &mut P,
    ) -> Result<(), Outgrown> {
        self.insert(bodies, unit, probe);
        Ok(())
    }

    fn relocate<P: Probe>(
        &mut self,
        bodies: Bodies<'_>,
        unit: UnitId,
        probe: &mut P,
    ) -> Result<(), Outgrown> {
        self.update(bodies, unit, probe);
        Ok(())
    }

    fn remove<P: Probe>(&mut self, unit: UnitId, probe: &mut P) -> Result<(), Outgrown> {
        self.delete(unit, probe);
        Ok(())
    }

    fn search<S: Search, P: Probe>(
        &self,
        _bodies: Bodies<'_>,
        search: &S,
        probe: &mut P,
        visit: impl FnMut(UnitId),
    ) {
        self.walk(search, probe, visit);
    }

    fn seek_nearest<P: Probe>(
        &self,
        _bodies: Bodies<'_>,
        query: NearestQuery,
        filter: impl FnMut(UnitId) -> bool,
        probe: &mut P,
        out: &mut Vec<Neighbor>,
    ) {
        self.search_nearest(query, filter, probe, out);
    }

    fn seek_pairs<P: Probe>(
        &self,
        _bodies: Bodies<'_>,
        reach: f32,
        part: Part,
        probe: &mut P,
        batch: impl FnMut(&[Pair]),
    ) {
        self.cross_children(reach, part, probe, batch);
    }

    fn regions(&self, query: RegionQuery, visit: &mut dyn FnMut(Region<'_>)) {
        self.draw_regions(query, visit);
    }

    fn marks(&self, _bodies: Bodies<'_>, query: MarkQuery, visit: &mut dyn FnMut(Mark<'_>)) {
        self.draw_marks(query, visit);
    }

    fn facts(&self, _bodies: Bodies<'_>, region: RegionId, say: &mut dyn FnMut(Fact)) {
        self.say_facts(region, say);
    }

    fn address(&self, _bodies: Bodies<'_>, unit: UnitId) -> Option<String> {
        self.say_address(unit)
    }

    fn quality(&self, say: &mut dyn FnMut(Fact)) {
        self.say_quality(say);
    }

    fn validate(&self, bodies: Bodies<'_>) -> Result<(), Violation> {
        self.check(bodies)
    }

    fn memory(&self, say: &mut dyn FnMut(&'static str, usize)) {
        say("inner nodes", self.nodes.capacity() * size_of::<Node>());
        say("buckets", self.buckets.byte_count());
        say("shelves", self.shelves.list.capacity() * size_of::<Shelf>());
        say(
            "unit places",
            self.places.capacity() * size_of::<u32>() + self.moved.capacity() * size_of::<u64>(),
        );
        say(
            "sort buffers",
            (self.keys.capacity() + self.sorted.capacity()) * size_of::<u64>(),
        );
        say("leavers", self.leavers.capacity() * size_of::<Leaver>());
    }
}
