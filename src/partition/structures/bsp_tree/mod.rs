//! The BSP tree: the crowd halved by lines of any direction, each across the crowd's own longest way.

use crate::geometry::Aabb;
use crate::partition::knob::settings;
use crate::partition::toolkit::median_tree::MedianTree;
use crate::partition::toolkit::search::outwards;
use crate::partition::{
    Bodies, Change, Course, Fact, Info, Knob, KnobRange, Mark, MarkQuery, NearestQuery, Neighbor,
    Outgrown, Pair, Part, Partition, Placement, Region, RegionId, RegionQuery, Search, Setting,
    UnitId, Violation,
};
use crate::probe::Probe;
use cut::LineCut;

mod cut;
mod picture;

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
///    the line itself go to either side, so any number of units on one spot or one line is halved like any other.
/// 3. What the lines leave of the field, grown to hold every unit, is a convex *room* for each node.
/// 4. A room need not be kept, for bodies stick out of it. What is kept of a cut is how far the true boxes of each side
///    reach along its normal, in `f64` and rounded outwards; and every branch carries the tight box of what is below. A
///    query enters a branch that neither the box nor the line turns away; what it finds is decided by the boxes alone.
/// 5. Moves are followed as in the k-d tree: in place within a room, halved anew below the highest line that was crossed.
///
/// Build O(n log n). Move O(log n) within a room, O(m log m) over a line between m units. Query O(log n + k): the boxes of
/// slanting rooms overlap, which is what the lines are for. Points and boxes alike ([`Placement::Tight`]).
///
/// Reference: H. Fuchs, Z. M. Kedem, B. F. Naylor, "On Visible Surface Generation by A Priori Tree Structures" (1980);
/// the principal direction as the cut: R. F. Sproull, "Refinements to Nearest-Neighbor Searching in k-Dimensional Trees"
/// (1991).
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
    median: MedianTree<LineCut>,
    field: Aabb,
    /// The knob `update`: whether any change builds the whole tree anew.
    rebuilds: bool,
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
        default: 16.0,
        picture_only: false,
    },
    Knob {
        key: "update",
        name: "update",
        help: "Whether only those rooms are halved anew of which a unit crossed the line, or any change builds the whole tree.",
        unit: "",
        range: KnobRange::Choice(&["partial", "rebuild"]),
        default: 0.0,
        picture_only: false,
    },
];

impl Partition for BspTree {
    const INFO: Info = Info {
        key: "bsp-tree",
        name: "BSP tree",
        tagline: "lines of any direction",
        placement: Placement::Tight,
        what: "A balanced binary tree of lines: each cuts its crowd in two halves across the direction in which it is spread the widest. The rooms between the lines are convex polygons.",
        cost: "build O(n log n) · a move within its room O(log n), over a line as much as is below it · query O(log n + k)",
        wins: "crowds that stand still in slanting ranks, which lines across the axes would cut badly",
        loses: "wherever things lie along the axes, for a slanting line costs more to ask; mass movement, for most of it is built anew each step",
        source: "Fuchs, Kedem, Naylor, On Visible Surface Generation by A Priori Tree Structures (1980)",
        knobs: KNOBS,
    };

    const SETTINGS: &'static [Setting<Self>] = settings![median.leaf_size, rebuilds];

    fn new(field: Aabb) -> Self {
        Self {
            median: MedianTree::new(KNOBS[LEAF_SIZE].default as u32),
            field,
            rebuilds: false,
        }
    }

    fn rebuild<P: Probe>(&mut self, bodies: Bodies<'_>, probe: &mut P) {
        self.median.build(bodies, (), probe);
    }

    fn prepare<P: Probe>(
        &mut self,
        bodies: Bodies<'_>,
        changes: &[Change],
        _probe: &mut P,
    ) -> Course {
        if self.rebuilds && !changes.is_empty() {
            Course::Rebuild
        } else {
            self.median.look_at(bodies, changes)
        }
    }

    fn relocate<P: Probe>(
        &mut self,
        bodies: Bodies<'_>,
        unit: UnitId,
        probe: &mut P,
    ) -> Result<(), Outgrown> {
        self.median.follow(bodies, unit, probe);
        Ok(())
    }

    fn settle<P: Probe>(
        &mut self,
        bodies: Bodies<'_>,
        _changes: &[Change],
        probe: &mut P,
    ) -> Result<(), Outgrown> {
        self.median.rearrange(bodies, (), probe);
        Ok(())
    }

    fn search<S: Search, P: Probe>(
        &self,
        _bodies: Bodies<'_>,
        search: &S,
        probe: &mut P,
        visit: impl FnMut(UnitId),
    ) {
        let cuts = &self.median.cuts;
        let reaches = |node: u32, side| cuts[node as usize].reaches(side, search);
        self.median.tree.walk(search, reaches, probe, visit);
    }

    fn seek_nearest<P: Probe>(
        &self,
        _bodies: Bodies<'_>,
        query: NearestQuery,
        filter: impl FnMut(UnitId) -> bool,
        probe: &mut P,
        out: &mut Vec<Neighbor>,
    ) {
        let cuts = &self.median.cuts;
        let apart_sq = |node: u32, side| cuts[node as usize].apart_sq(side, query.point);
        self.median
            .tree
            .nearest(query, filter, apart_sq, probe, out);
    }

    fn seek_pairs<P: Probe>(
        &self,
        _bodies: Bodies<'_>,
        reach: f32,
        part: Part,
        probe: &mut P,
        batch: impl FnMut(&[Pair]),
    ) {
        let cuts = &self.median.cuts;
        let reach_along = outwards(reach);
        let parts = |node: u32| {
            let cut = &cuts[node as usize];
            cut.low - cut.high > reach_along
        };
        self.median.tree.pairs(reach, part, parts, probe, batch);
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
        self.median.say_quality(say);
    }

    fn validate(&self, bodies: Bodies<'_>) -> Result<(), Violation> {
        self.median.check(bodies)
    }

    fn memory(&self, say: &mut dyn FnMut(&'static str, usize)) {
        self.median.memory(say);
    }
}
