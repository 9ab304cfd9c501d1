//! The quadtree for sized objects: whatever straddles a line between quarters stays above it.

use crate::geometry::{Aabb, Vec2};
use crate::partition::knob::settings;
use crate::partition::toolkit::group::emit_in_groups;
use crate::partition::toolkit::scratch::Scratch;
use crate::partition::{
    Bodies, Change, Course, Fact, Info, Joining, Knob, KnobRange, Mark, MarkQuery, NearestQuery,
    Neighbor, Outgrown, Pair, Part, Partition, Placement, Region, RegionId, RegionQuery, Search,
    Setting, UnitId, Violation,
};
use crate::probe::Probe;
use pool::{Node, Pool};

mod edit;
mod four;
mod pairs;
mod picture;
mod pool;
mod query;
mod tight;
mod validate;
mod walks;

#[cfg(test)]
mod damage;
#[cfg(test)]
mod tests;

/// A quadtree in which each body is held by the smallest node that holds the whole of it: an MX-CIF quadtree, or a loose
/// one when the knob says so.
///
/// # Algorithm
///
/// 1. A body belongs to the quarter in which its centre lies. If the quarter's box holds the whole body it goes down there,
///    and on; else it *straddles* and stays. Quarters are half open: what is exactly on a line belongs to the right or
///    upper one, so a point never straddles.
/// 2. A node's box is its cell, made `looseness` times as large about its middle. At 1 a pebble on the root's line stays in
///    the root, where every query meets it; at 2 a body goes down at least as far as the cells that are as large as it, and
///    the boxes of neighbours overlap.
///    Where boxes are *tight*, what queries test is not the node's box but the one around the bodies in it and below it: edits make it
///    larger all the way up, and smaller only in leaves of up to 128 bodies, until all is built anew.
/// 3. A leaf splits when more bodies than its capacity would go down; straddlers do not count, for no split would move
///    them. Below `max_depth` it does not split any more, so any number of bodies on one spot ends somewhere.
/// 4. A body that leaves its node's box, or that has come to fit a quarter, climbs to the first node whose cell its centre
///    is in and whose box holds it, and descends from there. When less than half a capacity is left below a node, the node
///    takes its children back.
/// 5. A query enters every node whose box it meets, the inner ones too, and tests what is held there: a range that lies
///    across a line finds the straddlers above and the bodies of both sides. The boxes of four children lie side by side and are
///    tested at once; nodes are looked at in the order in which they were found, and bodies when that is done.
/// 6. A centre outside the root makes the root double towards it, and the tree is built anew: at most once a doubling.
///    Levels above the field do not count towards `max_depth`. A body too large for the root, or sticking out of it, is held
///    by the root, which every query enters.
///
/// Build O(n · depth), add, remove and move O(depth) and O(1) for small steps; a query O(depth + results) and all the
/// straddlers on its way. Points and boxes alike ([`Placement::Straddle`]).
///
/// Reference: G. Kedem, "The Quad-CIF Tree" (1982), there MX-CIF; T. Ulrich, "Loose Octrees" (2000); the article on
/// BasicQuadtree (yazilimperver), whose `Retrieve` misses what lies across a line, and "Quadtree for Seamless Loading"
/// (goldpotion, 2011), there the original quadtree.
///
/// # Example
///
/// ```
/// use skirmish::geometry::{Aabb, Vec2};
/// use skirmish::partition::{Bodies, Partition};
/// use skirmish::partition::structures::rect_quadtree::RectQuadtree;
///
/// // A city builder: does the new house stand in the way of another, or of the road?
/// let centers = [Vec2::new(10.0, 10.0), Vec2::new(60.0, 50.0), Vec2::new(50.0, 80.0)];
/// let half_extents = [Vec2::new(4.0, 3.0), Vec2::new(6.0, 6.0), Vec2::new(50.0, 2.0)];
/// let city = Bodies { centers: &centers, half_extents: &half_extents, alive: &[] };
/// let mut index = RectQuadtree::new(Aabb::new(Vec2::ZERO, Vec2::splat(100.0)));
/// index.rebuild(city, &mut ());
/// let in_the_way = |house| {
///     let mut found = Vec::new();
///     index.range(city, house, &mut (), |other| found.push(other));
///     found
/// };
/// let size = Vec2::splat(5.0);
/// assert_eq!(in_the_way(Aabb::around(Vec2::new(30.0, 75.0), size)), [2]);
/// assert!(in_the_way(Aabb::around(Vec2::new(30.0, 30.0), size)).is_empty());
/// ```
#[derive(Clone, Debug)]
pub struct RectQuadtree {
    field: Aabb,
    /// The knob `capacity`.
    capacity: u32,
    /// The knob `max_depth`.
    max_depth: u32,
    /// The knob `looseness`.
    looseness: f64,
    /// The knob `tight`.
    is_tight: bool,
    /// The knob `straddlers`.
    draws_straddlers: bool,
    /// How often the root has doubled beyond the field.
    doublings: u32,
    pool: Pool,
    /// Row of a unit → its slot in the blocks; [`pool::NONE`] for rows that are not in use.
    places: Vec<u32>,
    /// Bodies while they are dealt to quarters; kept so that a rebuild does not have to ask for memory.
    items: Scratch<Vec<Item>>,
}

/// A body while the tree is built.
#[derive(Clone, Copy, Debug)]
struct Item {
    bounds: Aabb,
    unit: UnitId,
}

/// The root's index in the pool.
const ROOT: u32 = 0;

/// How often the root doubles at the most: from a field of a metre to twice the limit of coordinates, and one more.
const DOUBLING_LIMIT: u32 = 33;

/// What `max_depth` may be at the most.
const MAX_DEPTH: u32 = 16;

/// No node is deeper than this.
const DEPTH_LIMIT: usize = (DOUBLING_LIMIT + MAX_DEPTH) as usize;

/// A depth-first search leaves at most three nodes behind on each level and looks at four on the last; one more is written, and not
/// kept, for each that is left out.
const STACK_LENGTH: usize = 3 * DEPTH_LIMIT + 5;

/// The least side of the first root, in metres, and its least ratio to the field's distance from the origin: below that a
/// doubling could vanish in rounding.
const LEAST_SIDE: f32 = 1.0;
const LEAST_SIDE_RATIO: f32 = 1.0e-5;

/// The quarter of a cell.
fn quarter_of(cell: Aabb, cut: Vec2, quarter: u32) -> Aabb {
    let mut part = cell;
    if quarter & 1 == 0 {
        part.max.x = cut.x;
    } else {
        part.min.x = cut.x;
    }
    if quarter & 2 == 0 {
        part.max.y = cut.y;
    } else {
        part.min.y = cut.y;
    }
    part
}

impl RectQuadtree {
    /// The field as a root, before any doubling: a square around it, so that no cell is a strip.
    fn home(&self) -> Aabb {
        let Aabb { min, max } = self.field;
        let far = min.abs().max(max.abs()).max_element();
        let side = (max - min)
            .max_element()
            .max(LEAST_SIDE)
            .max(far * LEAST_SIDE_RATIO);
        // The sum may round to less than the field's own border.
        Aabb::new(min, (min + Vec2::splat(side)).max(max))
    }

    /// A cell grown by the looseness.
    fn loosened(&self, cell: Aabb) -> Aabb {
        cell.grown(cell.half_extent() * (self.looseness as f32 - 1.0))
    }

    /// The box of a node's child, whether there are children or not.
    #[inline]
    fn child_bounds(&self, node: u32, quarter: u32) -> Aabb {
        let Node {
            bounds,
            cut,
            children,
            ..
        } = self.pool.nodes[node as usize];
        if children == pool::NONE {
            let cell = self.pool.records[node as usize].cell;
            self.loosened(quarter_of(cell, cut, quarter)).meet(bounds)
        } else {
            self.pool.nodes[(children + quarter) as usize].bounds
        }
    }

    /// The quarter of a node that holds the whole body, if there is one.
    #[inline]
    fn quarter_for(&self, node: u32, body: Aabb) -> Option<u32> {
        let quarter = self.pool.nodes[node as usize].quarter(body.center());
        let holds = self.child_bounds(node, quarter).contains_box(body);
        holds.then_some(quarter)
    }

    /// Whether a node at this depth may not split.
    #[inline]
    fn is_deepest(&self, depth: u8) -> bool {
        u32::from(depth) >= self.doublings + self.max_depth
    }
}

/// The index of the knob `capacity`.
const CAPACITY: usize = 0;
/// The index of the knob `max_depth`.
const DEEPEST: usize = 1;
/// The index of the knob `looseness`.
const LOOSENESS: usize = 2;
/// The index of the knob `tight`.
const TIGHT: usize = 3;
/// The index of the knob `straddlers`.
const STRADDLERS: usize = 4;

const KNOBS: &[Knob] = &[
    Knob {
        key: "capacity",
        name: "capacity",
        help: "How many bodies that fit a quarter a leaf holds before it splits; straddlers do not count. Quarters are joined again once they hold no more than half of that together. Small leaves test fewer bodies and cost more nodes.",
        unit: "units",
        range: KnobRange::Number {
            min: 1.0,
            max: 128.0,
            whole: true,
            logarithmic: true,
        },
        default: 32.0,
        picture_only: false,
        acts_on_update: false,
        idle_with: &[],
    },
    Knob {
        key: "max_depth",
        name: "deepest level",
        help: "How often the field may be quartered. Leaves at this depth hold any number of bodies.",
        unit: "levels",
        range: KnobRange::Number {
            min: 1.0,
            max: MAX_DEPTH as f64,
            whole: true,
            logarithmic: false,
        },
        default: 12.0,
        picture_only: false,
        acts_on_update: false,
        idle_with: &[],
    },
    Knob {
        key: "looseness",
        name: "looseness",
        help: "How large a node's box is against its cell. 1 is the classic quadtree, in which a pebble on a line stays above it; 2 lets every body sink to cells of its own size, and a query enters more of them.",
        unit: "×",
        range: KnobRange::Number {
            min: 1.0,
            max: 2.0,
            whole: false,
            logarithmic: false,
        },
        default: 1.2,
        picture_only: false,
        acts_on_update: false,
        idle_with: &[],
    },
    Knob {
        key: "tight",
        name: "tight boxes",
        help: "Of each node a query tests the box around the bodies in it and below it, not the one of its cell. Fewer nodes are entered, above all where bodies have sizes or stand in clusters. Moves keep the boxes up; those of inner nodes shrink only when all is built anew.",
        unit: "",
        range: KnobRange::Switch,
        default: 0.0,
        picture_only: false,
        acts_on_update: false,
        idle_with: &[],
    },
    Knob {
        key: "straddlers",
        name: "straddlers",
        help: "Marks the bodies that straddle a line and are held above it.",
        unit: "",
        range: KnobRange::Switch,
        default: 1.0,
        picture_only: true,
        acts_on_update: false,
        idle_with: &[],
    },
];

impl Partition for RectQuadtree {
    const JOINING: Joining = Joining::Parts;

    const INFO: Info = Info {
        key: "rect-quadtree",
        name: "rectangle quadtree",
        tagline: "straddlers above, the rest below",
        placement: Placement::Straddle,
        what: "A quadtree whose nodes hold bodies, not centres: each body is in the smallest node that holds the whole of it, and what lies across a line between quarters stays in the node that it cuts.",
        cost: "build O(n · depth) · move O(1) for a small step, O(depth) else · query O(depth + k) and the straddlers on its way",
        wins: "bodies of mixed sizes that come, go and move one by one",
        loses: "many bodies on the lines of the first levels: every query tests them, unless the tree is loose",
        source: "Kedem, The Quad-CIF Tree (1982); Ulrich, Loose Octrees (2000); the BasicQuadtree article",
        told: 8,
        told_of_sizes: 0,
        knobs: KNOBS,
    };

    const SETTINGS: &'static [Setting<Self>] =
        settings![capacity, max_depth, looseness, is_tight, draws_straddlers];

    fn new(field: Aabb) -> Self {
        let mut tree = Self {
            field,
            capacity: KNOBS[CAPACITY].default as u32,
            max_depth: KNOBS[DEEPEST].default as u32,
            looseness: KNOBS[LOOSENESS].default,
            is_tight: KNOBS[TIGHT].default != 0.0,
            draws_straddlers: KNOBS[STRADDLERS].default != 0.0,
            doublings: 0,
            pool: Pool::new(),
            places: Vec::new(),
            items: Scratch::default(),
        };
        tree.clear(false);
        tree
    }

    fn rebuild<P: Probe>(&mut self, bodies: Bodies<'_>, probe: &mut P) {
        self.build(bodies, probe);
    }

    fn prepare<P: Probe>(
        &mut self,
        bodies: Bodies<'_>,
        changes: &[Change],
        _probe: &mut P,
    ) -> Course {
        self.look_at(bodies, changes)
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
        self.sift(search, probe, visit);
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
        emit_in_groups(self, (reach, part), probe, batch);
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

    fn tight_box(&self, region: RegionId) -> Option<Aabb> {
        self.tight_bounds(region)
    }

    fn quality(&self, say: &mut dyn FnMut(Fact)) {
        self.say_quality(say);
    }

    fn validate(&self, bodies: Bodies<'_>) -> Result<(), Violation> {
        self.check(bodies)
    }

    fn memory(&self, say: &mut dyn FnMut(&'static str, usize)) {
        self.pool.memory(say);
        say("places", self.places.capacity() * size_of::<u32>());
        say("build buffer", self.items.capacity() * size_of::<Item>());
    }
}
