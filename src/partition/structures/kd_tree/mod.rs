//! The k-d tree: the crowd halved at its median, now along x, now along y.

use crate::geometry::{Aabb, Vec2};
use crate::partition::knob::settings;
use crate::partition::toolkit::leaves::Leaves;
use crate::partition::toolkit::scratch::Scratch;
use crate::partition::{
    Bodies, Change, Course, Fact, Info, Joining, Knob, KnobRange, KnobValue, Mark, MarkQuery,
    NearestQuery, Neighbor, Outgrown, Pair, Part, Partition, Placement, Region, RegionId,
    RegionQuery, Search, Setting, UnitId, Violation,
};
use crate::probe::Probe;

mod build;
mod dealing;
mod edit;
mod nodes;
mod pairs;
mod parting;
mod picture;
mod query;
mod validate;

#[cfg(test)]
mod damage;
#[cfg(test)]
mod tests;

use nodes::{NONE, Node};

/// A balanced tree that halves the units at the median of one coordinate after the other.
///
/// # Algorithm
///
/// 1. Cut the units at the median of one axis: along the longer side of the box around their middles, or along x and y in
///    turn. The first half is those below the median, the second those above; equal coordinates go to either side, so a
///    million units on one spot are halved like any others. Go on until a part is no more than four fifths of a leaf.
/// 2. A large crowd is not halved again and again: a sample of it is, and the crowd is dealt out by the sample's cuts, up to
///    64 ways at a time. Only the last levels are cut at the very median. Where the sample does not show the crowd, for a
///    part became three times too large, the crowd is halved itself.
/// 3. Up to fifteen cuts that are together, from below, are one *node* of up to sixteen children, nodes or leaves. Each
///    child has the box around the true boxes of its units, and the sixteen boxes lie side by side and are tested at once.
///    Queries are answered by these boxes: a body may stick out of its cell. A leaf's units lie in columns, with room for
///    more.
/// 4. Nearest: down by the cuts, of which those of a node are looked at at once, to the leaf in whose cell the point is, then
///    upwards, at each node to those beside the way that are near enough, until the circle around those found is within the
///    node's cell; with sizes, up to the root. A few leaves of a node are looked at together, more of them the nearest first.
/// 5. Pairs: for each leaf, those that are near its box are gathered from the leaves behind it, and its units are tested with
///    each other and with them.
/// 6. A unit that moves within its leaf's cell is written over where it is. One that left it goes up to the first node in
///    whose cell it is, and down from there. A full leaf is cut at its median, also where everybody in it is on one spot, for
///    who lies on a cut goes to a side by its number. A node that is full gives half of its leaves to a new one. A leaf in
///    which few are left merges with the one on the other side of its cut.
/// 7. Boxes follow as far up as they change. Where more than a quarter of the units moved, all are looked at leaf by leaf, and
///    each box is joined once.
/// 8. When half as many units as there are have come, gone or crossed a cut since, the tree is built anew: so its cost is a
///    fixed share of each of those.
///
/// Build O(n log n), of which most levels are one pass. Move, add and remove O(log n). Query O(log n + k), pairs O(n + k)
/// for a short reach. Points and boxes alike ([`Placement::Tight`]).
///
/// Reference: J. L. Bentley, "Multidimensional Binary Search Trees Used for Associative Searching" (1975); J. H. Friedman,
/// J. L. Bentley, R. A. Finkel, "An Algorithm for Finding Best Matches in Logarithmic Expected Time" (1977), for the median
/// and the longer side; W. D. Frazer, A. C. McKellar, "Samplesort" (1970), for the sample.
///
/// # Example
///
/// ```
/// use skirmish::geometry::{Aabb, Vec2};
/// use skirmish::partition::{Bodies, NearestQuery, Partition};
/// use skirmish::partition::structures::kd_tree::KdTree;
///
/// // A wounded knight calls the two nearest healers of its own side.
/// let places: Vec<Vec2> = (0..100).map(|i| Vec2::new(i as f32, (i * 37 % 100) as f32)).collect();
/// let is_healer = |unit: u32| unit % 10 == 0;
/// let side = |unit: u32| unit % 20 / 10;
/// let bodies = Bodies::points(&places);
/// let mut index = KdTree::new(Aabb::new(Vec2::ZERO, Vec2::splat(100.0)));
/// index.rebuild(bodies, &mut ());
/// let knight = 42;
/// let query = NearestQuery { point: places[knight as usize], count: 2, within: f32::INFINITY };
/// let mut healers = Vec::new();
/// let mine = |unit| is_healer(unit) && side(unit) == side(knight);
/// index.nearest(bodies, query, mine, &mut (), &mut healers);
/// assert_eq!(healers.len(), 2);
/// assert!(healers[0].distance_sq <= healers[1].distance_sq);
/// assert!(healers.iter().all(|healer| mine(healer.unit)));
/// ```
#[derive(Clone, Debug)]
pub struct KdTree {
    /// Nodes, in use and free.
    nodes: Vec<Node>,
    free_nodes: Vec<u32>,
    /// The node at the top; [`NONE`] while nobody is there.
    root: u32,
    leaves: Leaves,
    /// Of each leaf, what the cuts have left of the plane, which is without end.
    cells: Vec<Aabb>,
    /// Of each leaf, its node and which child of that it is; [`NONE`] where it is not in use.
    owners: Vec<u32>,
    free_leaves: Vec<u32>,
    /// Row of a unit → its slot; [`NONE`] for rows that are not in use.
    places: Vec<u32>,
    /// How many units there are.
    count: usize,
    /// How many came, went or crossed a cut since the tree was built.
    edits: usize,
    /// How many nodes were on the longest way down when all boxes were computed.
    built_height: usize,
    field: Aabb,
    /// How many units a leaf holds at most.
    leaf_size: u32,
    /// The knob `split`.
    rule: Rule,
    /// The knob `update`: whether any change builds the whole tree anew.
    rebuilds: bool,
    /// Units that left their cells in a mass of moves; kept so that a step does not have to ask for memory, as is what follows.
    leavers: Scratch<Vec<UnitId>>,
    /// Nodes, those above before those below.
    order: Scratch<Vec<u32>>,
    builder: Scratch<parting::Builder>,
    /// On how many threads it is built.
    threads: usize,
}

/// Along which axis a node is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rule {
    /// Along the longer side of the box around the centres, along x where both are as long.
    LongestSide,
    /// Along x and y in turn.
    Alternate,
}

impl KnobValue for Rule {
    fn to_knob(self) -> f64 {
        f64::from(self as u8)
    }

    fn from_knob(value: f64) -> Self {
        if value == 0.0 {
            Self::LongestSide
        } else {
            Self::Alternate
        }
    }
}

impl Rule {
    /// The axis along which a crowd is cut that has so many cuts above it.
    #[inline(always)]
    fn axis(self, depth: u32, size: impl FnOnce() -> Vec2) -> usize {
        match self {
            Self::Alternate => depth as usize % 2,
            Self::LongestSide => {
                let size = size();
                usize::from(size.y > size.x)
            }
        }
    }
}

/// The index of the knob `leaf_size`.
const LEAF_SIZE: usize = 0;

const KNOBS: &[Knob] = &[
    Knob {
        key: "leaf_size",
        name: "leaf size",
        help: "How many units a leaf holds at most; a build fills four fifths of it at most (25 of 32, 1 of 2), so that there is room for who comes. Two leaves on either side of a cut are joined again once they hold no more than half of that together. Small leaves test fewer units and cost more nodes, to build and to search.",
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
        key: "split",
        name: "split rule",
        help: "Whether a node is cut across the longer side of its crowd, which keeps cells near to square, or along x and y in turn.",
        unit: "",
        range: KnobRange::Choice(&["longest_side", "alternate"]),
        default: 0.0,
        picture_only: false,
        acts_on_update: false,
        idle_with: &[],
    },
    Knob {
        key: "update",
        name: "update",
        help: "Whether leaves are changed, split and merged one by one until the tree is out of balance, or any change builds the whole of it.",
        unit: "",
        range: KnobRange::Choice(&["partial", "rebuild"]),
        default: 0.0,
        picture_only: false,
        acts_on_update: true,
        idle_with: &[],
    },
];

impl Partition for KdTree {
    const JOINING: Joining = Joining::Beside;

    /// A few leaves of a node are looked at together.
    const NEAREST_PART_FIRST: bool = false;

    const INFO: Info = Info {
        key: "kd-tree",
        name: "k-d tree",
        tagline: "halved at the median, again and again",
        placement: Placement::Tight,
        what: "A balanced tree: its units are parted at the median of one axis, one half to each side, and each half again. Up to fifteen cuts that are together make one node, whose sixteen children carry the boxes around their units, to be tested at once.",
        cost: "build O(n log n), 64 ways a pass · move, add and remove O(log n) · query O(log n + k)",
        wins: "crowds that no one cell size fits, and many units on one spot: nearest neighbours and rectangles, with no size to choose",
        loses: "crowds that one cell size does fit, where a sorted grid answers sooner; mass movement with a short reach",
        source: "Bentley, Multidimensional Binary Search Trees (1975); Friedman, Bentley, Finkel (1977)",
        told: 4,
        told_of_sizes: 0,
        knobs: KNOBS,
    };

    const SETTINGS: &'static [Setting<Self>] = settings![leaf_size, rule, rebuilds];

    fn new(field: Aabb) -> Self {
        Self {
            nodes: Vec::new(),
            free_nodes: Vec::new(),
            root: NONE,
            leaves: Leaves::default(),
            cells: Vec::new(),
            owners: Vec::new(),
            free_leaves: Vec::new(),
            places: Vec::new(),
            count: 0,
            edits: 0,
            built_height: 0,
            field,
            leaf_size: KNOBS[LEAF_SIZE].default as u32,
            rule: Rule::LongestSide,
            rebuilds: false,
            leavers: Scratch::default(),
            order: Scratch::default(),
            builder: Scratch::default(),
            threads: 1,
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

    #[inline]
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
        _changes: &[Change],
        _probe: &mut P,
    ) -> Result<(), Outgrown> {
        self.look_after()
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
        let words = |lists: &[&Vec<u32>]| -> usize {
            let capacities = lists.iter().map(|list| list.capacity());
            capacities.sum::<usize>() * size_of::<u32>()
        };
        let lists = words(&[&self.free_nodes, &self.order]);
        say("nodes", self.nodes.capacity() * size_of::<Node>() + lists);
        say("units by leaf", self.leaves.byte_count());
        let cells = self.cells.capacity() * size_of::<Aabb>();
        say("cells", cells + words(&[&self.owners, &self.free_leaves]));
        say("places", words(&[&self.places]));
        say(
            "build buffers",
            self.builder.byte_count() + words(&[&self.leavers]),
        );
    }
}
