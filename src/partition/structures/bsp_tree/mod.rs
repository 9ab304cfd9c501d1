//! The BSP tree: the crowd halved by lines of any direction, each across the crowd's own longest way.

use crate::geometry::Aabb;
use crate::partition::knob::settings;
use crate::partition::toolkit::group::emit_in_groups;
use crate::partition::{
    Bodies, Change, Course, Fact, Info, Knob, KnobRange, Mark, MarkQuery, NearestQuery, Neighbor,
    Outgrown, Pair, Part, Partition, Placement, Region, RegionId, RegionQuery, Search, Setting,
    UnitId, Violation,
};
use crate::probe::Probe;
use cut::LineCut;
use nodes::{Branch, LeafRuns, Link, Node, Place, Run, Slots};

mod build;
mod cut;
mod edit;
mod nodes;
mod pairs;
mod picture;
mod query;
mod validate;

#[cfg(test)]
mod damage;
#[cfg(test)]
mod tests;

/// A balanced tree of binary space partitions: each line parts the units below it in two halves, and its direction follows
/// the crowd.
///
/// # Algorithm
///
/// 1. Find the principal axis of the units' centres: the direction in which they are spread the widest, which is the larger
///    eigenvector of their covariance, a square root and no trigonometry. Where they are all on one spot, take x.
/// 2. Cut across that axis at the median, one half to each side, and go on with each half until it fits a leaf. Centres on
///    the line itself go to either side, so any number of units on one spot or one line is halved like any other. (The
///    centre of a body is the middle of its box.)
/// 3. What the lines leave of the field, grown to hold every unit, is a convex *room* for each node.
/// 4. A room need not be kept, for bodies stick out of it. What is kept of a cut is how far the true boxes of each side
///    reach along its normal, in `f64` and rounded outwards: whoever reaches farther widens that, and nobody narrows it until
///    the line is drawn anew. Every branch carries the tight box of what is below. A query enters a branch that neither the
///    box nor the line turns away; what it finds is decided by the boxes alone.
/// 5. For whoever moves, the lines above it are asked from the top down. Where it is on the right side of all of them, it is
///    written where it stands; else it goes over the highest line that it has crossed to the leaf where it belongs now.
///    Whoever comes goes down from the top. Who lies on a line goes to the side with fewer. Boxes follow as far up as they
///    change.
/// 6. A leaf has a place of its own in memory, with room for one unit more than it may hold; then it is halved. A node is out
///    of order as soon as a side has more than two thirds of its units, or both have no more than half a leaf's, or since it
///    was cut twice as many came to a side or left one as there are now. All units below the highest such node are halved
///    anew, or become one leaf. So no tree is higher than log₁.₅ n.
///
/// Invariant: the shape follows from the calls alone. Each change is made as if it were the only one, by the boxes that the
/// leaves keep; a crowd of which more than a quarter changes at once is built.
///
/// Build O(n log n). Move, add and remove O(log n + leaf), and of m units below a node that is halved anew O(m log m) after
/// at least m/4 that came or left: O(log² n) each, amortised, over all levels at the worst. Query O(log n + k): the boxes of
/// slanting rooms overlap, which is what the lines are for. Points and boxes alike ([`Placement::Tight`]).
///
/// Reference: H. Fuchs, Z. M. Kedem, B. F. Naylor, "On Visible Surface Generation by A Priori Tree Structures" (1980);
/// the principal direction as the cut: R. F. Sproull, "Refinements to Nearest-Neighbor Searching in k-Dimensional Trees"
/// (1991); halving anew what is out of balance: I. Galperin, R. L. Rivest, "Scapegoat Trees" (1993).
///
/// # Example
///
/// ```
/// use skirmish::geometry::{Aabb, Segment, Vec2};
/// use skirmish::partition::{Bodies, Partition};
/// use skirmish::partition::structures::bsp_tree::BspTree;
///
/// // May the archer shoot, or does a tree stand in the line of sight?
/// let centers = [Vec2::new(20.0, 20.0), Vec2::new(50.0, 52.0), Vec2::new(70.0, 30.0)];
/// let trunks = [Vec2::splat(3.0); 3];
/// let forest = Bodies { centers: &centers, half_extents: &trunks, alive: &[] };
/// let mut index = BspTree::new(Aabb::new(Vec2::ZERO, Vec2::splat(100.0)));
/// index.rebuild(forest, &mut ());
/// let is_free = |from, to| {
///     let mut hit = false;
///     let sight = Segment { from, to, half_width: 0.0 };
///     index.segment(forest, sight, &mut (), |_tree| hit = true);
///     !hit
/// };
/// assert!(!is_free(Vec2::ZERO, Vec2::splat(40.0)));
/// assert!(is_free(Vec2::new(40.0, 0.0), Vec2::new(40.0, 99.0)));
/// ```
#[derive(Clone, Debug)]
pub struct BspTree {
    /// Nodes, in use and free.
    nodes: Vec<Node>,
    /// The line of each node.
    cuts: Vec<LineCut>,
    free_nodes: Vec<u32>,
    /// The whole tree, which may be a single leaf; [`Branch::NONE`] when it is empty.
    root: Branch,
    /// The units, leaf by leaf.
    slots: Slots,
    /// Where each leaf is; [`Place::NOWHERE`] for one that is not in use.
    owners: Vec<Place>,
    free_leaves: Vec<u32>,
    /// Row of a unit → its slot; [`nodes::NONE`] for rows that are not in use.
    places: Vec<u32>,
    field: Aabb,
    /// How many units a leaf holds at most.
    leaf_size: u32,
    /// The knob `update`: whether any change builds the whole tree anew.
    rebuilds: bool,
    room: build::Room,
}

/// The index of the knob `leaf_size`.
const LEAF_SIZE: usize = 0;

const KNOBS: &[Knob] = &[
    Knob {
        key: "leaf_size",
        name: "leaf size",
        help: "How many units a room without a line holds at most. Small rooms test fewer units and cost more lines, to cut and to search.",
        unit: "units",
        range: KnobRange::Number {
            min: 1.0,
            max: 64.0,
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
        help: "Whether units come, go and cross lines one by one and only rooms out of balance are halved anew, or any change builds the whole tree.",
        unit: "",
        range: KnobRange::Choice(&["partial", "rebuild"]),
        default: 0.0,
        picture_only: false,
        acts_on_update: true,
        idle_with: &[],
    },
];

impl Partition for BspTree {
    const INFO: Info = Info {
        key: "bsp-tree",
        name: "BSP tree",
        tagline: "lines of any direction",
        placement: Placement::Tight,
        what: "A balanced binary tree of lines: each cuts its crowd in two halves across the direction in which it is spread the widest. The rooms between the lines are convex polygons.",
        cost: "build O(n log n) · move, add and remove O(log n), and now and then a part is halved anew · query O(log n + k)",
        wins: "crowds that stand still in slanting ranks, which lines across the axes would cut badly",
        loses: "wherever things lie along the axes, for a slanting line costs more to ask; mass movement, for most of it is built anew each step",
        source: "Fuchs, Kedem, Naylor, On Visible Surface Generation by A Priori Tree Structures (1980)",
        told: 2,
        told_of_sizes: 0,
        knobs: KNOBS,
    };

    const SETTINGS: &'static [Setting<Self>] = settings![leaf_size, rebuilds];

    fn new(field: Aabb) -> Self {
        Self {
            nodes: Vec::new(),
            cuts: Vec::new(),
            free_nodes: Vec::new(),
            root: Branch::NONE,
            slots: Slots::default(),
            owners: Vec::new(),
            free_leaves: Vec::new(),
            places: Vec::new(),
            field,
            leaf_size: KNOBS[LEAF_SIZE].default as u32,
            rebuilds: false,
            room: build::Room::default(),
        }
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

    fn quality(&self, say: &mut dyn FnMut(Fact)) {
        self.say_quality(say);
    }

    fn validate(&self, bodies: Bodies<'_>) -> Result<(), Violation> {
        self.check(bodies)
    }

    fn memory(&self, say: &mut dyn FnMut(&'static str, usize)) {
        let words = |list: &Vec<u32>| list.capacity() * size_of::<u32>();
        let nodes = self.nodes.capacity() * size_of::<Node>();
        say("nodes", nodes + words(&self.free_nodes));
        let owners = self.owners.capacity() * size_of::<Place>();
        let leaves = owners + words(&self.free_leaves);
        say("units by leaf", self.slots.byte_count() + leaves);
        say("places", words(&self.places));
        say("cuts", self.cuts.capacity() * size_of::<LineCut>());
        say("build buffers", self.room.byte_count());
    }
}

impl BspTree {
    /// Whether there are no units.
    #[inline]
    fn is_empty(&self) -> bool {
        self.root.is_none()
    }

    /// The branch at a place.
    #[inline]
    fn branch(&self, place: Place) -> &Branch {
        match place.below() {
            Some((node, side)) => &self.nodes[node as usize].branches[side],
            None => &self.root,
        }
    }

    #[inline]
    fn branch_mut(&mut self, place: Place) -> &mut Branch {
        match place.below() {
            Some((node, side)) => &mut self.nodes[node as usize].branches[side],
            None => &mut self.root,
        }
    }

    /// The units of the leaf at the end of this branch.
    #[inline]
    fn run(&self, branch: Branch) -> Run<'_> {
        self.slots.run(branch.link.index(), branch.count)
    }

    /// The units of a leaf, for a kernel.
    #[inline(always)]
    fn leaf_runs(&self, branch: Branch) -> LeafRuns<'_> {
        self.slots.leaf_runs(branch.link.index(), branch.count)
    }

    /// The two branches below the node with this link.
    #[inline]
    fn below(&self, link: Link) -> &[Branch; 2] {
        &self.nodes[link.index() as usize].branches
    }
}
