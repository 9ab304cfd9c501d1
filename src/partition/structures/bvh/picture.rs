//! What is drawn and said of the tree: boxes, the leaves under the cursor, the inspector's facts, quality.

use super::Bvh;
use super::levels::{LEVEL_LIMIT, WIDTH, of_region, region};
use crate::geometry::Aabb;
use crate::partition::toolkit::stack::Stack;
use crate::partition::{
    Fact, Mark, MarkQuery, MarkRole, Region, RegionId, RegionQuery, Role, Shape,
};
use std::borrow::Cow;

/// A node or, on level 0, a leaf.
type Node = (usize, usize);

/// Of each level at most the children of one node wait.
type Nodes = Stack<Node, { LEVEL_LIMIT * WIDTH }>;

impl Bvh {
    /// The root, if there is one.
    fn root(&self) -> Nodes {
        let mut stack = Nodes::new();
        if !self.levels.is_empty() {
            stack.push((self.levels.top(), 0));
        }
        stack
    }

    fn bounds(&self, (level, index): Node) -> Aabb {
        self.levels.level(level).get(index)
    }

    /// The children of a node below which somebody is, the last one first.
    fn children(&self, (level, index): Node) -> impl Iterator<Item = Node> {
        let children = (index * WIDTH..(index + 1) * WIDTH).rev();
        children
            .map(move |child| (level - 1, child))
            .filter(|(level, child)| {
                *child < self.levels.level(*level).count
                    && !self.bounds((*level, *child)).is_empty()
            })
    }

    /// How many units are below a node.
    fn units_below(&self, (level, index): Node) -> usize {
        let width = WIDTH.pow(level as u32);
        let fills = &self.leaves.fills;
        let leaves = (index * width).min(fills.len())..((index + 1) * width).min(fills.len());
        fills[leaves].iter().map(|fill| usize::from(*fill)).sum()
    }

    /// Visits the boxes in view, parents first.
    pub(super) fn draw_regions(&self, query: RegionQuery, visit: &mut dyn FnMut(Region<'_>)) {
        let mut stack = self.root();
        while let Some(node) = stack.pop() {
            let (level, index) = node;
            let bounds = self.bounds(node);
            let size = bounds.size().max_element();
            if bounds.is_empty() || !bounds.overlaps(query.area) || size < query.min_size {
                continue;
            }
            let top = self.levels.top();
            let is_leaf = level == 0;
            visit(Region {
                id: region(level, index),
                shape: Shape::Rect(bounds),
                depth: (top - level) as u16,
                load: if is_leaf {
                    self.leaves.fill(index) as u32
                } else {
                    0
                },
                capacity: if is_leaf { self.leaf_size } else { 0 },
                role: if is_leaf { Role::Leaf } else { Role::Inner },
                parent: (level < top).then(|| region(level + 1, index / WIDTH)),
            });
            if !is_leaf {
                for child in self.children(node) {
                    stack.push(child);
                }
            }
        }
    }

    /// Every leaf that a question about the cursor's spot has to enter, and the boxes that it looks at in vain.
    pub(super) fn draw_marks(&self, query: MarkQuery, visit: &mut dyn FnMut(Mark<'_>)) {
        let Some(cursor) = query.cursor.filter(|_| self.count > 0) else {
            return;
        };
        let mut stack = self.root();
        while let Some(node) = stack.pop() {
            let bounds = self.bounds(node);
            let is_met = bounds.contains(cursor);
            if is_met && node.0 > 0 {
                for child in self.children(node) {
                    stack.push(child);
                }
            } else if bounds.size().max_element() >= query.min_size {
                visit(Mark {
                    role: if is_met {
                        MarkRole::Scanned
                    } else {
                        MarkRole::Skipped
                    },
                    shape: Shape::Rect(bounds),
                    // Of the many leaves beside the one that is entered each saves a few tests: their words would hide them.
                    label: if is_met || node.0 > 0 {
                        Cow::Owned(format!("{} units", self.units_below(node)))
                    } else {
                        Cow::Borrowed("")
                    },
                });
            }
        }
    }

    /// Says what the inspector shows of a node or a leaf.
    pub(super) fn say_facts(&self, region: RegionId, say: &mut dyn FnMut(Fact)) {
        let node = of_region(region);
        let (level, index) = node;
        let is_known = !self.levels.is_empty()
            && level <= self.levels.top()
            && index < self.levels.level(level).count;
        if !is_known || self.bounds(node).is_empty() {
            return;
        }
        let bounds = self.bounds(node);
        let size = bounds.size();
        say(Fact::new("units", self.units_below(node), ""));
        say(Fact::new(
            "box",
            format!("{:.2} × {:.2}", size.x, size.y),
            "m",
        ));
        say(Fact::new(
            "half perimeter",
            format!("{:.2}", bounds.half_perimeter()),
            "m",
        ));
        if level > 0 {
            let mut boxes = [Aabb::EMPTY; WIDTH];
            let mut count = 0;
            let mut shared = 0.0;
            for child in self.children(node) {
                let own = self.bounds(child);
                for other in &boxes[..count] {
                    let meet = own.meet(*other);
                    shared += if meet.is_empty() { 0.0 } else { meet.area() };
                }
                boxes[count] = own;
                count += 1;
            }
            let area = bounds.area();
            let overlap = if area > 0.0 { shared / area } else { 0.0 };
            say(Fact::new("children", count, ""));
            say(Fact::new("height", level, "levels"));
            say(Fact::new(
                "children overlap",
                format!("{:.0}", overlap * 100.0),
                "%",
            ));
        }
    }

    /// Says how well the tree is built. Walks all of it.
    pub(super) fn say_quality(&self, say: &mut dyn FnMut(Fact)) {
        let top = self.levels.top();
        let in_use = |level: usize| {
            let level = self.levels.level(level);
            (0..level.count)
                .filter(|index| !level.get(*index).is_empty())
                .count()
        };
        let (mut nodes, mut leaves) = (0, 0);
        if !self.levels.is_empty() {
            nodes = (1..=top).map(in_use).sum::<usize>();
            leaves = in_use(0);
        }
        let percent =
            |part: usize, whole: usize| format!("{:.0}", 100.0 * part as f64 / whole.max(1) as f64);
        say(Fact::new("nodes", nodes + leaves, ""));
        say(Fact::new("leaves", leaves, ""));
        say(Fact::new("height", top, "levels"));
        say(Fact::new(
            "leaf occupancy",
            percent(self.count, leaves * self.leaf_size as usize),
            "%",
        ));
        say(Fact::new(
            "node occupancy",
            percent((nodes + leaves).saturating_sub(1), nodes * WIDTH),
            "%",
        ));
        say(Fact::new(
            "groups behind the last one built",
            self.levels.group_count().saturating_sub(self.built_groups),
            "",
        ));
        say(Fact::new(
            "cost",
            format!("{:.1}", self.relative_cost()),
            "× the root's perimeter",
        ));
        say(Fact::new(
            "cost against the last build",
            format!("{:.2}", self.cost_ratio()),
            "×",
        ));
    }
}
