//! The k-d tree: the crowd halved at its median, now along x, now along y.

use crate::geometry::{Aabb, Vec2};
use crate::partition::knob::settings;
use crate::partition::toolkit::box_tree::{Link, STACK_LENGTH};
use crate::partition::toolkit::median_tree::{Cut, Item, MedianTree, Stretch};
use crate::partition::toolkit::stack::Stack;
use crate::partition::{
    Bodies, Change, Course, Fact, Info, Knob, KnobRange, KnobValue, Mark, MarkQuery, MarkRole,
    NearestQuery, Neighbor, Outgrown, Pair, Part, Partition, Placement, Region, RegionId,
    RegionQuery, Role, Search, Setting, Shape, UnitId, Violation,
};
use crate::probe::Probe;
use std::borrow::Cow;

/// A balanced binary tree that halves the units at the median of one coordinate after the other.
///
/// # Algorithm
///
/// 1. Cut the units at the median of one axis: along the longer side of the box around their centres, or along x and y in
///    turn. The first half is those below the median, the second those above; equal coordinates go to either side, so a
///    million units on one spot are halved like any others. Go on until a half fits a leaf.
/// 2. Leaves lie in memory from left to right, their units side by side in columns of x, y and id. Every branch carries the
///    union of the true boxes below it, and queries are answered by boxes alone: a body may stick out of its cell.
/// 3. The shape depends on the number of units alone, so the tree is as low as a tree can be: ⌈log₂(n / leaf size)⌉.
/// 4. A unit that moves within its cell is written over where it is. One that crosses a cut makes the highest node of which
///    it did so stale, and the units of that node are halved anew in their places. Where more than a quarter of the units
///    moved, or anybody came or went, the whole is built anew: there is no cheap way to keep a median.
///
/// Build O(n log n). Move O(log n) within a cell, O(m log m) over a cut between m units. Query O(log n + k), pairs O(n + k)
/// for a short reach. Points and boxes alike ([`Placement::Tight`]).
///
/// Reference: J. L. Bentley, "Multidimensional Binary Search Trees Used for Associative Searching" (1975); J. H. Friedman,
/// J. L. Bentley, R. A. Finkel, "An Algorithm for Finding Best Matches in Logarithmic Expected Time" (1977), for the median
/// and the longer side.
#[derive(Clone, Debug)]
pub struct KdTree {
    median: MedianTree<AxisCut>,
    field: Aabb,
    /// The knob `split`.
    rule: Rule,
    /// The knob `update`: whether any change builds the whole tree anew.
    rebuilds: bool,
}

/// Along which axis a node is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rule {
    /// Along the longer side of the box around the centres.
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

/// A line across one axis.
#[derive(Clone, Copy, Debug)]
struct AxisCut {
    /// 0 for x, 1 for y.
    axis: u8,
    /// Midway between the last centre below and the first above, in metres.
    at: f32,
}

impl Cut for AxisCut {
    type Rule = Rule;

    const UNCUT: Self = Self { axis: 0, at: 0.0 };

    fn between(
        items: &mut [Item],
        middle: usize,
        depth: u32,
        rule: Rule,
        _bodies: Bodies<'_>,
    ) -> Self {
        let axis = match rule {
            Rule::Alternate => depth as usize % 2,
            Rule::LongestSide => {
                let size = Aabb::of_points(items.iter().map(|item| item.center)).size();
                usize::from(size.y > size.x)
            }
        };
        let at = if axis == 0 {
            halve(items, middle, |item| item.center.x)
        } else {
            halve(items, middle, |item| item.center.y)
        };
        Self {
            axis: axis as u8,
            at,
        }
    }

    fn admits(&self, side: usize, center: Vec2) -> bool {
        let coordinate = center[usize::from(self.axis)];
        if side == 0 {
            coordinate <= self.at
        } else {
            coordinate >= self.at
        }
    }
}

/// Brings the `middle` items with the least coordinate to the front, and returns a place between the two sides.
fn halve(items: &mut [Item], middle: usize, coordinate: impl Fn(&Item) -> f32) -> f32 {
    let (below, least, _) =
        items.select_nth_unstable_by(middle, |a, b| coordinate(a).total_cmp(&coordinate(b)));
    let greatest = below
        .iter()
        .map(&coordinate)
        .fold(f32::NEG_INFINITY, f32::max);
    // Rounding keeps order: half of the rounded sum lies between the two.
    (greatest + coordinate(least)) * 0.5
}

impl AxisCut {
    /// The two parts of a cell.
    fn halves(&self, cell: Aabb) -> [Aabb; 2] {
        let mut halves = [cell; 2];
        let axis = usize::from(self.axis);
        halves[0].max[axis] = self.at;
        halves[1].min[axis] = self.at;
        halves
    }

    /// The line within a cell.
    fn line(&self, cell: Aabb) -> Shape<'static> {
        let [first, second] = self.halves(cell);
        Shape::Line(second.min, first.max)
    }

    fn text(&self) -> String {
        let axis = ["x", "y"][usize::from(self.axis)];
        format!("{axis} = {:.2}", self.at)
    }
}

/// A node or leaf of the picture.
#[derive(Clone, Copy)]
struct Cell {
    stretch: Stretch,
    bounds: Aabb,
    parent: Option<RegionId>,
}

impl KdTree {
    /// The whole tree as a cell: the field, and more where units are outside.
    fn root_cell(&self) -> Option<Cell> {
        Some(Cell {
            stretch: self.median.whole()?,
            bounds: self.field.join(self.median.tree.root.bounds),
            parent: None,
        })
    }

    /// The cut of a node's cell and its two parts; nothing for a leaf.
    fn parts(&self, cell: Cell) -> Option<(AxisCut, [Cell; 2])> {
        let link = cell.stretch.link;
        if link.is_leaf() {
            return None;
        }
        let cut = self.median.cuts[link.index() as usize];
        let stretches = self.median.halves(cell.stretch);
        let halves = cut.halves(cell.bounds);
        Some((
            cut,
            [0, 1].map(|side| Cell {
                stretch: stretches[side],
                bounds: halves[side],
                parent: Some(link.region()),
            }),
        ))
    }
}

/// The index of the knob `leaf_size`.
const LEAF_SIZE: usize = 0;

const KNOBS: &[Knob] = &[
    Knob {
        key: "leaf_size",
        name: "leaf size",
        help: "How many units a leaf holds at most. Small leaves test fewer units and cost more nodes, to build and to search.",
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
        key: "split",
        name: "split rule",
        help: "Whether a node is cut across the longer side of its crowd, which keeps cells near to square, or along x and y in turn.",
        unit: "",
        range: KnobRange::Choice(&["longest_side", "alternate"]),
        default: 0.0,
        picture_only: false,
    },
    Knob {
        key: "update",
        name: "update",
        help: "Whether only those parts are halved anew of which a unit crossed the cut, or any change builds the whole tree.",
        unit: "",
        range: KnobRange::Choice(&["partial", "rebuild"]),
        default: 0.0,
        picture_only: false,
    },
];

impl Partition for KdTree {
    const INFO: Info = Info {
        key: "kd-tree",
        name: "k-d tree",
        tagline: "halved at the median, again and again",
        placement: Placement::Tight,
        what: "A balanced binary tree: each node parts its units at the median of one axis, one half to each side. Every branch carries the box around the units below it.",
        cost: "build O(n log n) · a move within its cell O(log n), over a cut as much as is below it · query O(log n + k)",
        wins: "crowds that stand still, however unevenly they are spread: nearest neighbours, rectangles, many questions a build",
        loses: "mass movement, for a median cannot be kept and most of the tree is built anew each step",
        source: "Bentley, Multidimensional Binary Search Trees (1975); Friedman, Bentley, Finkel (1977)",
        knobs: KNOBS,
    };

    const SETTINGS: &'static [Setting<Self>] = settings![median.leaf_size, rule, rebuilds];

    fn new(field: Aabb) -> Self {
        Self {
            median: MedianTree::new(KNOBS[LEAF_SIZE].default as u32),
            field,
            rule: Rule::LongestSide,
            rebuilds: false,
        }
    }

    fn rebuild<P: Probe>(&mut self, bodies: Bodies<'_>, probe: &mut P) {
        self.median.build(bodies, self.rule, probe);
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
        self.median.rearrange(bodies, self.rule, probe);
        Ok(())
    }

    fn search<S: Search, P: Probe>(
        &self,
        _bodies: Bodies<'_>,
        search: &S,
        probe: &mut P,
        visit: impl FnMut(UnitId),
    ) {
        self.median.tree.walk(search, |_, _| true, probe, visit);
    }

    fn seek_nearest<P: Probe>(
        &self,
        _bodies: Bodies<'_>,
        query: NearestQuery,
        filter: impl FnMut(UnitId) -> bool,
        probe: &mut P,
        out: &mut Vec<Neighbor>,
    ) {
        let tree = &self.median.tree;
        tree.nearest(query, filter, |_, _| 0.0, probe, out);
    }

    fn seek_pairs<P: Probe>(
        &self,
        _bodies: Bodies<'_>,
        reach: f32,
        part: Part,
        probe: &mut P,
        batch: impl FnMut(&[Pair]),
    ) {
        let tree = &self.median.tree;
        tree.pairs(reach, part, |_| false, probe, batch);
    }

    fn regions(&self, query: RegionQuery, visit: &mut dyn FnMut(Region<'_>)) {
        let Some(root) = self.root_cell() else {
            return;
        };
        let mut stack = Stack::<Cell, STACK_LENGTH>::new(root);
        stack.push(root);
        while let Some(cell) = stack.pop() {
            let size = cell.bounds.size().max_element();
            if !cell.bounds.overlaps(query.area) || size < query.min_size {
                continue;
            }
            let parts = self.parts(cell);
            let is_leaf = parts.is_none();
            visit(Region {
                id: cell.stretch.link.region(),
                shape: Shape::Rect(cell.bounds),
                depth: cell.stretch.depth as u16,
                load: if is_leaf { cell.stretch.count } else { 0 },
                capacity: if is_leaf { self.median.leaf_size } else { 0 },
                role: if is_leaf { Role::Leaf } else { Role::Inner },
                parent: cell.parent,
            });
            if let Some((_, [first, second])) = parts {
                stack.push(second);
                stack.push(first);
            }
        }
    }

    /// The way down to the leaf under the cursor: every cut on it, and the box that is really searched.
    fn marks(&self, _bodies: Bodies<'_>, query: MarkQuery, visit: &mut dyn FnMut(Mark<'_>)) {
        let (Some(cursor), Some(mut cell)) = (query.cursor, self.root_cell()) else {
            return;
        };
        if !cell.bounds.contains(cursor) {
            return;
        }
        while let Some((cut, parts)) = self.parts(cell) {
            if cell.bounds.size().max_element() >= query.min_size {
                visit(Mark {
                    role: MarkRole::Guide,
                    shape: cut.line(cell.bounds),
                    label: Cow::Owned(format!("{}: {}", cell.stretch.depth, cut.text())),
                });
            }
            let side = usize::from(cursor[usize::from(cut.axis)] > cut.at);
            cell = parts[side];
        }
        let Stretch { start, count, .. } = cell.stretch;
        visit(Mark {
            role: MarkRole::Home,
            shape: Shape::Rect(self.median.tree.slots.run(start, count).bounds()),
            label: Cow::Owned(format!("{count} units")),
        });
    }

    fn facts(&self, _bodies: Bodies<'_>, region: RegionId, say: &mut dyn FnMut(Fact)) {
        let link = Link::of_region(region);
        let Some((stretch, bounds)) = self.median.find(link) else {
            return;
        };
        if !link.is_leaf() {
            let cut = self.median.cuts[link.index() as usize];
            let [first, second] = self.median.halves(stretch);
            say(Fact::new("cut", cut.text(), "m"));
            say(Fact::new(
                "units on each side",
                format!("{} and {}", first.count, second.count),
                "",
            ));
        }
        say(Fact::new("units", stretch.count, ""));
        let size = bounds.size();
        say(Fact::new(
            "tight box",
            format!("{:.2} × {:.2}", size.x, size.y),
            "m",
        ));
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::partition::trial::{Crowd, FIELD, Trial, stands_trial};
    use crate::probe::{Counter, Work};

    #[test]
    fn every_split_rule_and_update_answers_like_all_pairs() {
        for split in ["longest_side", "alternate"] {
            for update in ["partial", "rebuild"] {
                stands_trial::<KdTree>(&[("leaf_size", "3"), ("split", split), ("update", update)]);
            }
        }
        stands_trial::<KdTree>(&[("leaf_size", "1")]);
        stands_trial::<KdTree>(&[("leaf_size", "64")]);
    }

    #[test]
    fn a_tree_is_as_low_as_a_tree_can_be_even_on_one_spot() {
        for crowd in [Crowd::Even, Crowd::Line] {
            let mut trial = Trial::new(crowd, 1000, false);
            let mut tree = KdTree::new(FIELD);
            tree.set_knob(LEAF_SIZE, 4.0);
            for _ in 0..2 {
                tree.rebuild(trial.bodies(), &mut ());
                assert_eq!(tree.median.tree.census().height, 8);
                trial.step(1);
            }
        }
        let tree = {
            let centers = vec![Vec2::ONE; 1000];
            let mut tree = KdTree::new(FIELD);
            tree.rebuild(Bodies::points(&centers), &mut ());
            tree.validate(Bodies::points(&centers))
                .expect("a tree on one spot");
            tree
        };
        assert_eq!(tree.median.tree.census().height, 6);
    }

    #[test]
    fn a_step_within_a_cell_cuts_nothing_and_a_step_over_a_cut_only_what_is_below_it() {
        let centers: Vec<_> = (0..16).map(|x| Vec2::new(x as f32 * 4.0, 0.0)).collect();
        let mut tree = KdTree::new(FIELD);
        tree.set_knob(LEAF_SIZE, 2.0);
        tree.rebuild(Bodies::points(&centers), &mut ());
        // Cuts at 30, 14 and 46, then 6, 22, 38 and 54. Unit 3 stands at 12.
        let mut moved = centers.clone();
        for (x, splits, place) in [
            (13.9, 0, Work::MoveInPlace),
            (14.1, 3, Work::MoveRelink),
            (31.0, 7, Work::MoveRelink),
        ] {
            moved[3].x = x;
            let mut counter = Counter::default();
            tree.apply(Bodies::points(&moved), &[Change::Move(3)], &mut counter);
            tree.validate(Bodies::points(&moved)).expect("a tree");
            assert_eq!(
                (counter.splits, counter.of(place), counter.of(Work::Rebuild)),
                (splits, 1, 0)
            );
        }
    }
}
