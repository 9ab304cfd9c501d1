//! What is drawn and said of the tree: cells, straddlers, the boxes under the cursor, the inspector's facts, quality.

use super::pool::{FREE, NONE, Node, Record};
use super::{ROOT, RectQuadtree, STACK_LENGTH};
use crate::geometry::Aabb;
use crate::partition::toolkit::stack::Stack;
use crate::partition::{
    Fact, Mark, MarkQuery, MarkRole, Region, RegionId, RegionQuery, Role, Shape,
};
use std::borrow::Cow;

/// At most so many straddlers are marked: more cannot be told apart on any screen.
const STRADDLER_LIMIT: usize = 1 << 12;

impl RectQuadtree {
    /// Visits the nodes' boxes in view, parents first: the cells when the tree is classic, overlapping ones when it is loose.
    /// An inner node's load is that of its straddlers.
    pub(super) fn draw_regions(&self, query: RegionQuery, visit: &mut dyn FnMut(Region<'_>)) {
        let mut stack = Stack::<u32, STACK_LENGTH>::new();
        stack.push(ROOT);
        while let Some(index) = stack.pop() {
            let Node {
                bounds, children, ..
            } = self.pool.nodes[index as usize];
            if !bounds.overlaps(query.area) || bounds.size().max_element() < query.min_size {
                continue;
            }
            let Record {
                parent, own, depth, ..
            } = self.pool.records[index as usize];
            let is_leaf = children == NONE;
            visit(Region {
                id: index,
                shape: Shape::Rect(bounds),
                depth: u16::from(depth),
                load: own,
                capacity: if is_leaf { self.capacity } else { 0 },
                role: if is_leaf { Role::Leaf } else { Role::Inner },
                parent: (parent != NONE).then_some(parent),
            });
            if !is_leaf {
                for child in (children..children + 4).rev() {
                    stack.push(child);
                }
            }
        }
    }

    /// The bodies that straddle a line, and the boxes that a question about the cursor's spot has to enter.
    pub(super) fn draw_marks(&self, query: MarkQuery, visit: &mut dyn FnMut(Mark<'_>)) {
        if self.draws_straddlers {
            self.mark_straddlers(query, visit);
        }
        let Some(cursor) = query.cursor else {
            return;
        };
        let mut stack = Stack::<u32, STACK_LENGTH>::new();
        stack.push(ROOT);
        while let Some(index) = stack.pop() {
            let children = self.pool.nodes[index as usize].children;
            let bounds = self.tested_bounds(index);
            if !bounds.contains(cursor) {
                continue;
            }
            let Record {
                cell, own, depth, ..
            } = self.pool.records[index as usize];
            if own > 0 && bounds.size().max_element() >= query.min_size {
                visit(Mark {
                    role: if children == NONE && cell.contains(cursor) {
                        MarkRole::Home
                    } else {
                        MarkRole::Scanned
                    },
                    shape: Shape::Rect(bounds),
                    label: Cow::Owned(format!("{own} at level {depth}")),
                });
            }
            if children != NONE {
                for child in (children..children + 4).rev() {
                    stack.push(child);
                }
            }
        }
    }

    /// Every body in view that an inner node holds, because none of its quarters would.
    fn mark_straddlers(&self, query: MarkQuery, visit: &mut dyn FnMut(Mark<'_>)) {
        let mut marks = 0;
        let mut stack = Stack::<u32, STACK_LENGTH>::new();
        stack.push(ROOT);
        while let Some(index) = stack.pop() {
            let children = self.pool.nodes[index as usize].children;
            if children == NONE {
                continue;
            }
            let depth = self.pool.records[index as usize].depth;
            for (_, body) in self.pool.own(index) {
                if !body.overlaps(query.area) || body.size().max_element() < query.min_size {
                    continue;
                }
                visit(Mark {
                    role: MarkRole::Special,
                    shape: Shape::Rect(body),
                    label: Cow::Owned(depth.to_string()),
                });
                marks += 1;
                if marks == STRADDLER_LIMIT {
                    return;
                }
            }
            for child in (children..children + 4).rev() {
                if self.pool.nodes[child as usize].bounds.overlaps(query.area) {
                    stack.push(child);
                }
            }
        }
    }

    /// Says what the inspector shows of a node.
    pub(super) fn say_facts(&self, region: RegionId, say: &mut dyn FnMut(Fact)) {
        let record = self.pool.records.get(region as usize);
        let Some(record) = record.filter(|record| record.depth != FREE) else {
            return;
        };
        let Node {
            bounds, children, ..
        } = self.pool.nodes[region as usize];
        let below = record.total - record.own;
        if children == NONE {
            say(Fact::new("held", record.own, ""));
            say(Fact::new("would fit a quarter", record.fitting, ""));
        } else {
            say(Fact::new("straddlers", record.own, ""));
            say(Fact::new("below", below, ""));
        }
        say(Fact::new(
            "level below the field",
            i64::from(record.depth) - i64::from(self.doublings),
            "",
        ));
        let size = bounds.size();
        say(Fact::new(
            "box",
            format!("{:.2} × {:.2}", size.x, size.y),
            "m",
        ));
        if let Some(tight) = self.tight_bounds(region).filter(|it| !it.is_empty()) {
            let size = tight.size();
            say(Fact::new(
                "tight box",
                format!("{:.2} × {:.2}", size.x, size.y),
                "m",
            ));
        }
    }

    /// The box around the bodies of a node, where queries test that; empty where it holds nobody. None of the root, which is always entered.
    pub(super) fn tight_bounds(&self, node: RegionId) -> Option<Aabb> {
        let record = self.pool.records.get(node as usize)?;
        let is_one = self.is_tight && node != ROOT && record.depth != FREE;
        is_one.then(|| self.tested_bounds(node))
    }

    /// Says how well the tree is built. Looks at every node.
    pub(super) fn say_quality(&self, say: &mut dyn FnMut(Fact)) {
        let (mut nodes, mut leaves, mut height, mut straddlers) = (0_usize, 0_usize, 0, 0_usize);
        let (mut in_leaves, mut crowded) = (0_usize, 0_usize);
        for (node, record) in self.pool.nodes.iter().zip(&self.pool.records) {
            if record.depth == FREE {
                continue;
            }
            nodes += 1;
            height = height.max(record.depth);
            if node.is_leaf() {
                leaves += 1;
                in_leaves += record.own as usize;
                if record.fitting > self.capacity {
                    crowded += record.fitting as usize;
                }
            } else {
                straddlers += record.own as usize;
            }
        }
        let total = self.pool.records[ROOT as usize].total;
        let share =
            |part: usize, whole: f64| format!("{:.1}", 100.0 * part as f64 / whole.max(1.0));
        say(Fact::new("nodes", nodes, ""));
        say(Fact::new("leaves", leaves, ""));
        say(Fact::new("height", height, "levels"));
        say(Fact::new("levels above the field", self.doublings, ""));
        say(Fact::new(
            "straddlers",
            share(straddlers, f64::from(total)),
            "%",
        ));
        say(Fact::new(
            "leaf occupancy",
            share(in_leaves, f64::from(self.capacity) * leaves as f64),
            "%",
        ));
        say(Fact::new("crowded at the deepest level", crowded, ""));
        say(Fact::new(
            "node pool",
            format!("{nodes} of {} in use", self.pool.nodes.len()),
            "",
        ));
        say(Fact::new(
            "block pool",
            format!(
                "{} of {} in use",
                self.pool.owners.len() - self.pool.free_block_count as usize,
                self.pool.owners.len()
            ),
            "",
        ));
    }
}
