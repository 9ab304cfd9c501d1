//! The bounding volume hierarchy: boxes around boxes, sixteen side by side, laid out in an order that keeps neighbours together.

use crate::geometry::Aabb;
use crate::partition::knob::settings;
use crate::partition::toolkit::leaves::Leaves;
use crate::partition::toolkit::scratch::Scratch;
use crate::partition::{
    Bodies, Change, Course, Fact, Info, Knob, KnobRange, KnobValue, Mark, MarkQuery, NearestQuery,
    Neighbor, Outgrown, Pair, Part, Partition, Placement, Region, RegionId, RegionQuery, Search,
    Setting, UnitId, Violation,
};
use crate::probe::Probe;

mod build;
mod cost;
mod edit;
mod levels;
mod order;
mod pairs;
mod picture;
mod query;
mod validate;

#[cfg(test)]
mod damage;
#[cfg(test)]
mod tests;

/// A tree of boxes around boxes, sixteen in a node, that needs no links: the children of node i are those from 16 · i on.
///
/// # Algorithm
///
/// 1. Build: sort the centres along a Hilbert curve of 2,048 × 2,048 cells, in two passes of a radix sort; units of a crowded
///    cell are sorted again along a curve of their own. Of units that follow each other on the curve as many as fourteen
///    leaves hold become a *group*, which is halved across its longer side until each part is a leaf. A group has sixteen
///    leaves; two are room for those who come.
/// 2. Level by level, sixteen boxes that follow each other are the children of one node, up to the root.
/// 3. A node's boxes lie in columns, and so do a leaf's units: one test of eight or sixteen at once, whose hits are packed
///    without a branch. Queries find what is near on one level before they enter the first of it on the next.
/// 4. Pairs: for each leaf, those that are near its box are gathered from the leaves behind it, and its units are tested with
///    each other and with them.
/// 5. Nearest: the nearest child first, and the others of a node while one of them may still be near enough.
/// 6. Insert: go down to the leaf whose box grows the least. A full leaf is halved into an unused one of its group; where
///    there is none, a near leaf of the group takes the unit, or else half of the group's leaves move to a new group behind
///    the last one, whose neighbours on higher levels are what they are. Remove: fill the hole with the leaf's last unit; a
///    leaf with few joins another one of its group.
/// 7. Refit: write the boxes of those who moved and join them again from the leaves upwards. The tree stays as it is, and
///    its boxes grow over each other; how much is seen in its *cost*: the sum of half perimeters, each as often as what is
///    tested on entering, for the chance that a small query meets a box grows with its perimeter.
/// 8. After every edit the cost is compared with that after the last build, and beyond `rebuild_at` times it the tree is
///    built anew, though not before one unit in 64 has changed since; so it is when groups behind the last one are more than half
///    as many as were built. Whatever changes a box adds to the cost what that has changed; the whole sum is made where all boxes
///    are written, and whenever an eighth of the units has changed. Then it is built as well where it was in the order of chance, as a crowd on
///    one spot is, and the box of everybody has more than doubled since: such a crowd that scatters costs no more than it did there,
///    relative to its box. What grows from nothing is compared with what it was when its sum was first made.
///
/// Build O(n). Move O(log n), about a sixteenth of a node a unit when all are refitted at once. Insert and remove O(log n),
/// and a rebuild for each so many insertions as are a fixed share of the units. Query O(log n + k) while boxes overlap
/// little. Points and boxes alike ([`Placement::Tight`]).
///
/// Reference: I. Kamel, C. Faloutsos, "On Packing R-trees" (1993), for the order of the leaves; J. Goldsmith, J. Salmon,
/// "Automatic Creation of Object Hierarchies for Ray Tracing" (1987), for the cost; H. Dammertz, J. Hanika, A. Keller,
/// "Shallow Bounding Volume Hierarchies for Fast SIMD Ray Tracing of Incoherent Rays" (2008), for wide nodes.
///
/// # Example
///
/// ```
/// use skirmish::geometry::{Aabb, Segment, Vec2};
/// use skirmish::partition::{Bodies, Change, Partition};
/// use skirmish::partition::structures::bvh::Bvh;
///
/// // A cannon ball half a metre wide, against ships that sail meanwhile.
/// let mut centers = vec![Vec2::new(100.0, 100.0), Vec2::new(300.0, 110.0), Vec2::new(500.0, 90.0)];
/// const HULLS: [Vec2; 3] = [Vec2::new(20.0, 5.0); 3];
/// fn fleet(centers: &[Vec2]) -> Bodies<'_> {
///     Bodies { centers, half_extents: &HULLS, alive: &[] }
/// }
/// let mut index = Bvh::new(Aabb::new(Vec2::ZERO, Vec2::new(600.0, 200.0)));
/// index.rebuild(fleet(&centers), &mut ());
/// centers[1].y += 60.0;
/// index.apply(fleet(&centers), &[Change::Move(1)], &mut ());
/// let shot = Segment {
///     from: Vec2::new(0.0, 100.0),
///     to: Vec2::new(600.0, 100.0),
///     half_width: 0.25,
/// };
/// let mut hit = Vec::new();
/// index.segment(fleet(&centers), shot, &mut (), |ship| hit.push(ship));
/// assert_eq!(hit, [0]);
/// ```
#[derive(Clone, Debug)]
pub struct Bvh {
    levels: levels::Levels,
    leaves: Leaves,
    /// Row of a unit → its slot; [`build::NONE`] for rows that are not in use.
    places: Vec<u32>,
    /// How many units there are.
    count: usize,
    /// How many units a leaf holds at most.
    leaf_size: u32,
    /// The knob `update`.
    update: Update,
    /// The knob `rebuild_at`.
    rebuild_at: f64,
    /// How many groups of leaves the last build made.
    built_groups: usize,
    /// What it was after the last build, or when it had grown from nothing; `None` until then, and where there is nobody.
    fresh: Option<cost::Fresh>,
    /// The cost as it was when the sum was last made, and what every change of a box has added since.
    cost: f64,
    /// The highest that it has been since then: it is rounded by a share of that.
    highest_cost: f64,
    /// How many changes there were since the sum was last made.
    changes: usize,
    /// How many there were since the last build.
    changes_since_build: usize,
    /// On how many threads it is built and refitted.
    threads: usize,
    /// Units while they are sorted; kept so that a rebuild does not have to ask for memory.
    sorter: Scratch<order::Sorter>,
}

/// How the tree follows those who move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Update {
    /// The tree stays, and its boxes grow.
    Refit,
    /// Who leaves the neighbourhood of its leaf is taken out and put in where it belongs.
    Incremental,
    /// Any change builds it anew.
    Rebuild,
}

impl KnobValue for Update {
    fn to_knob(self) -> f64 {
        f64::from(self as u8)
    }

    fn from_knob(value: f64) -> Self {
        [Self::Refit, Self::Incremental, Self::Rebuild][value as usize]
    }
}

/// The index of the knob `leaf_size`.
const LEAF_SIZE: usize = 0;
/// The index of the knob `rebuild_at`.
const REBUILD_AT: usize = 2;

const KNOBS: &[Knob] = &[
    Knob {
        key: "leaf_size",
        name: "leaf size",
        help: "How many units a leaf holds at most. Small leaves test fewer units and cost more nodes, to build and to search.",
        unit: "units",
        range: KnobRange::Number {
            min: 1.0,
            max: 32.0,
            whole: true,
            logarithmic: true,
        },
        default: 16.0,
        picture_only: false,
        acts_on_update: false,
        idle_with: &[],
    },
    Knob {
        key: "update",
        name: "update",
        help: "Whether moves only stretch the boxes, or take units to where they belong, or build the tree anew.",
        unit: "",
        range: KnobRange::Choice(&["refit", "incremental", "rebuild"]),
        default: 0.0,
        picture_only: false,
        acts_on_update: true,
        idle_with: &[],
    },
    Knob {
        key: "rebuild_at",
        name: "rebuild at",
        help: "How many times costlier than after the last build the tree may become before it is built anew.",
        unit: "×",
        range: KnobRange::Number {
            min: 1.05,
            max: 10.0,
            whole: false,
            logarithmic: true,
        },
        default: 1.2,
        picture_only: false,
        acts_on_update: true,
        // It is built anew as it is.
        idle_with: &[("update", Update::Rebuild as u8 as f64)],
    },
];

impl Partition for Bvh {
    const INFO: Info = Info {
        key: "bvh",
        name: "BVH",
        tagline: "boxes around boxes, sixteen side by side",
        placement: Placement::Tight,
        what: "A tree of boxes around boxes, sixteen in a node and tested at once. Leaves follow each other along a Hilbert curve, and sixteen of anything make one of the next level, so that nothing has to be linked. Moves stretch the boxes or take units elsewhere, as the knob says.",
        cost: "build O(n) · refit a sixteenth of a node a unit · insert and remove O(log n) · query O(log n + k)",
        wins: "bodies of mixed sizes, rays, and crowds that move little or together",
        loses: "mass movement in all directions, where boxes stretch over each other until a rebuild; short reach, where a grid does less",
        source: "Kamel, Faloutsos, On Packing R-trees (1993); Goldsmith, Salmon, Automatic Creation of Object Hierarchies for Ray Tracing (1987)",
        told: 9,
        told_of_sizes: 0,
        knobs: KNOBS,
    };

    const SETTINGS: &'static [Setting<Self>] = settings![leaf_size, update, rebuild_at];

    fn new(_field: Aabb) -> Self {
        Self {
            levels: levels::Levels::default(),
            leaves: Leaves::default(),
            places: Vec::new(),
            count: 0,
            leaf_size: KNOBS[LEAF_SIZE].default as u32,
            update: Update::Refit,
            rebuild_at: KNOBS[REBUILD_AT].default,
            built_groups: 0,
            fresh: None,
            cost: 0.0,
            highest_cost: 0.0,
            changes: 0,
            changes_since_build: 0,
            threads: 1,
            sorter: Scratch::default(),
        }
    }

    fn use_threads(&mut self, threads: usize) {
        self.threads = threads.max(1);
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
        self.insert(bodies, unit, probe)
    }

    fn relocate<P: Probe>(
        &mut self,
        bodies: Bodies<'_>,
        unit: UnitId,
        probe: &mut P,
    ) -> Result<(), Outgrown> {
        self.update(bodies, unit, probe)
    }

    fn remove<P: Probe>(&mut self, unit: UnitId, probe: &mut P) -> Result<(), Outgrown> {
        self.delete(unit, probe)
    }

    fn settle<P: Probe>(
        &mut self,
        _bodies: Bodies<'_>,
        changes: &[Change],
        _probe: &mut P,
    ) -> Result<(), Outgrown> {
        self.look_after(changes.len())
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
        self.find_nearest(query, filter, probe, out);
    }

    fn seek_pairs<P: Probe>(
        &self,
        _bodies: Bodies<'_>,
        reach: f32,
        part: Part,
        probe: &mut P,
        batch: impl FnMut(&[Pair]),
    ) {
        self.emit_pairs(reach, part, probe, batch);
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

    fn quality(&self, say: &mut dyn FnMut(Fact)) {
        self.say_quality(say);
    }

    fn validate(&self, bodies: Bodies<'_>) -> Result<(), Violation> {
        self.check(bodies)
    }

    fn memory(&self, say: &mut dyn FnMut(&'static str, usize)) {
        say("boxes", self.levels.byte_count());
        say("units by leaf", self.leaves.byte_count());
        say("places", self.places.capacity() * size_of::<u32>());
        say("build buffers", self.sorter.byte_count());
    }
}
