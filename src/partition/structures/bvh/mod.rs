//! The bounding volume hierarchy: boxes around boxes, chosen so that they are small, and kept small while units move.

use crate::geometry::Aabb;
use crate::partition::knob::settings;
use crate::partition::toolkit::box_tree::BoxTree;
use crate::partition::toolkit::box_tree::{Branch, Link};
use crate::partition::{
    Bodies, Change, Course, Fact, Info, Knob, KnobRange, KnobValue, Mark, MarkQuery, NearestQuery,
    Neighbor, Outgrown, Pair, Part, Partition, Placement, Region, RegionId, RegionQuery, Search,
    Setting, UnitId, Violation,
};
use crate::probe::Probe;

mod build;
mod edit;
mod picture;
mod refit;
mod validate;

#[cfg(test)]
mod tests;

/// A binary tree of boxes around boxes, built, and kept, by how often a query would have to enter them.
///
/// # Algorithm
///
/// 1. The chance that a small query meets a box grows with its perimeter, the surface area of two dimensions. So the *cost*
///    of a tree is the sum of half perimeters: of its leaves, once for each unit to be tested, and of its nodes, as often as
///    entering one costs as much as a test.
/// 2. Build: sort the centres into 16 bins along the longer side of their box and cut between the two bins where the cost of
///    both sides is least; go on until a side fits a leaf. Where that would grow too deep, halve instead.
/// 3. Insert: go down to the branch that the unit makes costlier the least, join its leaf or branch off before it. A leaf
///    that overflows is cut where its two parts cost the least. Remove: fill the hole with the leaf's last unit; a leaf that
///    is empty goes, and two that fit half a leaf become one.
/// 4. On the way up, each node tries the four *rotations* that exchange a child with a child of its sibling, and takes the one
///    that makes a box smallest.
/// 5. Refit: write the boxes of those who moved and join them again from the leaves upwards. The tree stays as it is, and
///    its boxes grow over each other; how much is seen in its cost.
/// 6. Whenever an eighth of the units has changed, the cost is compared with that after the last build, and beyond
///    `rebuild_at` times it the tree is built anew.
///
/// Build O(n log n). Move O(log n) when it is incremental, about one node a unit when all are refitted at once. Query O(log
/// n + k) while boxes overlap little. Points and boxes alike ([`Placement::Tight`]).
///
/// Reference: J. Goldsmith, J. Salmon, "Automatic Creation of Object Hierarchies for Ray Tracing" (1987), for the cost;
/// I. Wald, "On Fast Construction of SAH-based Bounding Volume Hierarchies" (2007), for the bins; A. Kensler, "Tree
/// Rotations for Improving Bounding Volume Hierarchies" (2008).
#[derive(Clone, Debug)]
pub struct Bvh {
    tree: BoxTree,
    /// How many units a leaf holds at most; its slots are as many, from a multiple of it on: a *block*.
    leaf_size: u32,
    /// The node above the leaf in each block, [`crate::partition::toolkit::box_tree::NONE`] for the root and for a free block.
    owners: Vec<u32>,
    /// Blocks that are not in use.
    free_blocks: Vec<u32>,
    /// Nodes that are not in use.
    free_nodes: Vec<u32>,
    /// The knob `update`.
    update: Update,
    /// The knob `rebuild_at`.
    rebuild_at: f64,
    /// [`Bvh::relative_cost`] after the last build.
    fresh_cost: f64,
    /// How many changes there were since the cost was last looked at.
    changes: usize,
    /// Whether each node lies in memory before those below it, as a build leaves them.
    is_ordered: bool,
    /// Units while they are sorted into bins; kept so that a rebuild does not have to ask for memory.
    items: Vec<build::Item>,
    /// Nodes, each before those below it, for a refit when they do not lie in memory so.
    order: Vec<u32>,
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

impl Bvh {
    /// How high a node or leaf is.
    #[inline]
    fn height(&self, link: Link) -> u32 {
        if link.is_leaf() {
            0
        } else {
            self.tree.nodes[link.index() as usize].height
        }
    }

    /// Tells a node or leaf what is above it.
    #[inline]
    fn set_parent(&mut self, link: Link, parent: u32) {
        if link.is_leaf() {
            self.owners[(link.index() / self.leaf_size) as usize] = parent;
        } else {
            self.tree.nodes[link.index() as usize].parent = parent;
        }
    }

    /// What is above a node or leaf.
    #[inline]
    fn parent(&self, link: Link) -> u32 {
        if link.is_leaf() {
            self.owners[(link.index() / self.leaf_size) as usize]
        } else {
            self.tree.nodes[link.index() as usize].parent
        }
    }

    /// The branch with this link, as what is above it knows it.
    #[inline]
    fn branch_mut(&mut self, link: Link) -> &mut Branch {
        let parent = self.parent(link);
        match self.tree.nodes.get_mut(parent as usize) {
            Some(above) => {
                let side = usize::from(above.branches[1].link == link);
                &mut above.branches[side]
            }
            None => &mut self.tree.root,
        }
    }

    /// The sum of half perimeters, weighted by what is to be done on entering, relative to the root's.
    fn relative_cost(&self) -> f64 {
        let mut cost = 0.0;
        for node in self.tree.nodes.iter().filter(|node| !node.is_free()) {
            for branch in &node.branches {
                cost += f64::from(branch.bounds.half_perimeter()) * f64::from(weight(branch));
            }
        }
        let whole = f64::from(self.tree.root.bounds.half_perimeter());
        if whole > 0.0 { cost / whole } else { 0.0 }
    }

    /// How many times costlier the tree is than after the last build.
    fn cost_ratio(&self) -> f64 {
        if self.fresh_cost > 0.0 {
            self.relative_cost() / self.fresh_cost
        } else {
            1.0
        }
    }
}

/// What entering a node costs, in tests of a unit: its two boxes lie side by side, but where they are is not known before,
/// and units lie in a row.
const NODE_COST: f32 = 4.0;

/// What entering a branch costs, in tests of a unit.
#[inline]
fn weight(branch: &Branch) -> f32 {
    if branch.link.is_leaf() {
        branch.count as f32
    } else {
        NODE_COST
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
    },
    Knob {
        key: "update",
        name: "update",
        help: "Whether moves only stretch the boxes, or take units to where they belong, or build the tree anew.",
        unit: "",
        range: KnobRange::Choice(&["refit", "incremental", "rebuild"]),
        default: 0.0,
        picture_only: false,
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
    },
];

impl Partition for Bvh {
    const INFO: Info = Info {
        key: "bvh",
        name: "BVH",
        tagline: "boxes around boxes, as small as can be",
        placement: Placement::Tight,
        what: "A binary tree of boxes around boxes, cut where the perimeters of both sides are least, so that a query enters as few as possible. Moves stretch the boxes or rearrange them, as the knob says.",
        cost: "build O(n log n) · refit about a node a unit · insert and remove O(log n) · query O(log n + k)",
        wins: "bodies of mixed sizes, rays, and crowds that move little or together",
        loses: "mass movement in all directions, where boxes stretch over each other until a rebuild; short reach, where a grid does less",
        source: "Goldsmith, Salmon, Automatic Creation of Object Hierarchies for Ray Tracing (1987); Kensler, Tree Rotations (2008)",
        knobs: KNOBS,
    };

    const SETTINGS: &'static [Setting<Self>] = settings![leaf_size, update, rebuild_at];

    fn new(_field: Aabb) -> Self {
        Self {
            tree: BoxTree::new(),
            leaf_size: KNOBS[LEAF_SIZE].default as u32,
            owners: Vec::new(),
            free_blocks: Vec::new(),
            free_nodes: Vec::new(),
            update: Update::Refit,
            rebuild_at: KNOBS[REBUILD_AT].default,
            fresh_cost: 0.0,
            changes: 0,
            is_ordered: true,
            items: Vec::new(),
            order: Vec::new(),
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
        self.tree.walk(search, |_, _| true, probe, visit);
    }

    fn seek_nearest<P: Probe>(
        &self,
        _bodies: Bodies<'_>,
        query: NearestQuery,
        filter: impl FnMut(UnitId) -> bool,
        probe: &mut P,
        out: &mut Vec<Neighbor>,
    ) {
        self.tree.nearest(query, filter, |_, _| 0.0, probe, out);
    }

    fn seek_pairs<P: Probe>(
        &self,
        _bodies: Bodies<'_>,
        reach: f32,
        part: Part,
        probe: &mut P,
        batch: impl FnMut(&[Pair]),
    ) {
        self.tree.pairs(reach, part, |_| false, probe, batch);
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
        self.tree.memory(say);
        let links = [
            &self.owners,
            &self.free_blocks,
            &self.free_nodes,
            &self.order,
        ];
        say(
            "links and free lists",
            links.map(|list| list.capacity()).iter().sum::<usize>() * size_of::<u32>(),
        );
        say(
            "build buffer",
            self.items.capacity() * size_of::<build::Item>(),
        );
    }
}
