//! Cells, cuts and boxes, for whoever draws them.

use super::KdTree;
use super::nodes::{CUTS_DEEP, Cut, Link, NONE, Step, cut_region, leaf_region, of_region};
use crate::geometry::Aabb;
use crate::partition::toolkit::stack::Stack;
use crate::partition::{
    Fact, Mark, MarkQuery, MarkRole, Region, RegionId, RegionQuery, Role, Shape,
};
use std::borrow::Cow;

/// A part of the tree: a cut with all that is on its two sides, or a leaf.
#[derive(Clone, Copy)]
pub(super) struct Cell {
    node: usize,
    step: Step,
    /// Drawn no larger than the field and the crowd.
    bounds: Aabb,
    depth: u16,
    parent: Option<RegionId>,
}

impl KdTree {
    /// The whole tree as a cell: the field, and more where units are outside.
    pub(super) fn root_cell(&self) -> Option<Cell> {
        (self.root != NONE).then(|| {
            let root = &self.nodes[self.root as usize];
            Cell {
                node: self.root as usize,
                step: root.entrance(),
                bounds: self.field.join(root.bounds),
                depth: 0,
                parent: None,
            }
            .entered(self)
        })
    }

    /// The cut of a cell and its two parts; nothing for a leaf.
    pub(super) fn parts(&self, cell: Cell) -> Option<(Cut, [Cell; 2])> {
        if cell.step.as_child().is_some() {
            return None;
        }
        let node = &self.nodes[cell.node];
        let number = cell.step.index();
        let (cut, sides) = (node.cut(number), node.sides(number));
        let halves = cut.halves(cell.bounds);
        let parts = [0, 1].map(|side| {
            Cell {
                node: cell.node,
                step: sides[side],
                bounds: halves[side],
                depth: cell.depth + 1,
                parent: Some(cut_region(cell.node, number)),
            }
            .entered(self)
        });
        Some((cut, parts))
    }

    pub(super) fn draw_regions(&self, query: RegionQuery, visit: &mut dyn FnMut(Region<'_>)) {
        let Some(root) = self.root_cell() else {
            return;
        };
        let mut stack = Stack::<Cell, { CUTS_DEEP + 1 }>::new();
        stack.push(root);
        while let Some(cell) = stack.pop() {
            let size = cell.bounds.size().max_element();
            if !cell.bounds.overlaps(query.area) || size < query.min_size {
                continue;
            }
            let parts = self.parts(cell);
            let leaf = parts.is_none().then(|| cell.leaf(self));
            visit(Region {
                id: cell.region(self),
                shape: Shape::Rect(cell.bounds),
                depth: cell.depth,
                load: leaf.map_or(0, |leaf| self.leaves.fill(leaf) as u32),
                capacity: leaf.map_or(0, |_| self.leaf_size),
                role: if leaf.is_some() {
                    Role::Leaf
                } else {
                    Role::Inner
                },
                parent: cell.parent,
            });
            if let Some((_, [first, second])) = parts {
                stack.push(second);
                stack.push(first);
            }
        }
    }

    /// The way down to the leaf under the cursor: every cut on it, and the box that is really searched.
    pub(super) fn draw_marks(&self, query: MarkQuery, visit: &mut dyn FnMut(Mark<'_>)) {
        let (Some(cursor), Some(mut cell)) = (query.cursor, self.root_cell()) else {
            return;
        };
        if !cell.bounds.contains(cursor) {
            return;
        }
        while let Some((cut, parts)) = self.parts(cell) {
            if cell.bounds.size().max_element() >= query.min_size {
                let [first, second] = cut.halves(cell.bounds);
                visit(Mark {
                    role: MarkRole::Guide,
                    shape: Shape::Line(second.min, first.max),
                    label: Cow::Owned(format!("depth {}: {} m", cell.depth, cut.text())),
                });
            }
            cell = parts[usize::from(cursor[cut.axis] > cut.at)];
        }
        let leaf = cell.leaf(self);
        let count = self.leaves.fill(leaf);
        if count > 0 {
            visit(Mark {
                role: MarkRole::Home,
                shape: Shape::Rect(self.below(cell.node, cell.step).1),
                label: Cow::Owned(format!("{count} units")),
            });
        }
    }

    pub(super) fn say_facts(&self, region: RegionId, say: &mut dyn FnMut(Fact)) {
        let (node, step) = match of_region(region) {
            Ok(leaf) => match self.owners.get(leaf) {
                Some(&owner) if owner != NONE => {
                    let (node, child) = super::nodes::place_of(owner);
                    (node, Step::child(child))
                }
                _ => return,
            },
            Err((node, cut)) => match self.nodes.get(node) {
                Some(found) if cut < found.cuts() => (node, Step::cut(cut)),
                _ => return,
            },
        };
        let (count, bounds) = self.below(node, step);
        if step.as_child().is_none() {
            let found = &self.nodes[node];
            let sides = found.sides(step.index());
            let [first, second] = sides.map(|step| self.below(node, step).0);
            say(Fact::new("cut", found.cut(step.index()).text(), "m"));
            say(Fact::new(
                "units on each side",
                format!("{first} and {second}"),
                "",
            ));
        }
        say(Fact::new("units", count, ""));
        if count > 0 {
            let size = bounds.size();
            say(Fact::new(
                "tight box",
                format!("{:.2} × {:.2}", size.x, size.y),
                "m",
            ));
        }
    }

    /// How many units there are at and below a step of a node, and the box around them.
    pub(super) fn below(&self, node: usize, step: Step) -> (usize, Aabb) {
        let (mut count, mut bounds) = (0, Aabb::EMPTY);
        let mut stack = Stack::<_, { CUTS_DEEP + 1 }>::new();
        stack.push((node, step));
        while let Some((index, step)) = stack.pop() {
            let node = &self.nodes[index];
            let Some(child) = step.as_child() else {
                for step in node.sides(step.index()) {
                    stack.push((index, step));
                }
                continue;
            };
            let link = node.link(child);
            if link.is_leaf() {
                count += self.leaves.fill(link.index());
                bounds = bounds.join(node.boxes.get(child));
            } else {
                stack.push((link.index(), self.nodes[link.index()].entrance()));
            }
        }
        (count, bounds)
    }

    pub(super) fn say_quality(&self, say: &mut dyn FnMut(Fact)) {
        let (mut cuts, mut records, mut leaves, mut height, mut depth_sum) = (0, 0, 0, 0, 0);
        if let Some(root) = self.root_cell() {
            let mut stack = Stack::<Cell, { CUTS_DEEP + 1 }>::new();
            stack.push(root);
            while let Some(cell) = stack.pop() {
                if let Some((_, parts)) = self.parts(cell) {
                    stack.push(parts[1]);
                    stack.push(parts[0]);
                    cuts += 1;
                    records += usize::from(cell.step == Step::cut(0));
                } else {
                    leaves += 1;
                    height = height.max(cell.depth);
                    depth_sum += usize::from(cell.depth) * self.leaves.fill(cell.leaf(self));
                }
            }
        }
        let units = self.count as f64;
        let ideal = usize::max(leaves, 1).next_power_of_two().trailing_zeros();
        let room = f64::from(self.leaf_size) * usize::max(leaves, 1) as f64;
        say(Fact::new("nodes", cuts + leaves, ""));
        say(Fact::new("leaves", leaves, ""));
        say(Fact::new("height", height, "cuts"));
        say(Fact::new("ideal height", ideal, "cuts"));
        say(Fact::new(
            "mean depth",
            format!("{:.1}", depth_sum as f64 / units.max(1.0)),
            "cuts",
        ));
        say(Fact::new(
            "leaf occupancy",
            format!("{:.0}", 100.0 * units / room),
            "%",
        ));
        // Who is alone in a leaf has a record all the same.
        let records = usize::max(records, usize::from(self.root != NONE));
        say(Fact::new("records", records, ""));
        say(Fact::new("edits since the build", self.edits, ""));
    }
}

impl Cell {
    /// The same cell, by the step within the node that is there, if it is one.
    fn entered(mut self, tree: &KdTree) -> Self {
        while let Some(child) = self.step.as_child() {
            let link = tree.nodes[self.node].link(child);
            if link.is_leaf() {
                break;
            }
            self.node = link.index();
            self.step = tree.nodes[self.node].entrance();
        }
        self
    }

    /// The leaf, of a cell that is one.
    fn leaf(&self, tree: &KdTree) -> usize {
        let link = tree.nodes[self.node].link(self.step.index());
        debug_assert!(link.is_leaf() && link != Link::NONE);
        link.index()
    }

    fn region(&self, tree: &KdTree) -> RegionId {
        if self.step.as_child().is_some() {
            leaf_region(self.leaf(tree))
        } else {
            cut_region(self.node, self.step.index())
        }
    }
}
