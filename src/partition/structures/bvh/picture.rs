//! What is drawn and said of the tree: boxes, the leaves under the cursor, the inspector's facts, quality.

use super::Bvh;
use crate::partition::toolkit::box_tree::{Branch, Link, STACK_LENGTH};
use crate::partition::toolkit::median_tree::say_census;
use crate::partition::toolkit::stack::Stack;
use crate::partition::{
    Fact, Mark, MarkQuery, MarkRole, Region, RegionId, RegionQuery, Role, Shape,
};
use std::borrow::Cow;

impl Bvh {
    /// Visits the boxes in view, parents first.
    pub(super) fn draw_regions(&self, query: RegionQuery, visit: &mut dyn FnMut(Region<'_>)) {
        let mut stack = Stack::<_, STACK_LENGTH>::new((Branch::NONE, 0_u16, None));
        if !self.tree.is_empty() {
            stack.push((self.tree.root, 0, None));
        }
        while let Some((branch, depth, parent)) = stack.pop() {
            let Branch {
                bounds,
                link,
                count,
            } = branch;
            if !bounds.overlaps(query.area) || bounds.size().max_element() < query.min_size {
                continue;
            }
            let is_leaf = link.is_leaf();
            visit(Region {
                id: link.region(),
                shape: Shape::Rect(bounds),
                depth,
                load: if is_leaf { count } else { 0 },
                capacity: if is_leaf { self.leaf_size } else { 0 },
                role: if is_leaf { Role::Leaf } else { Role::Inner },
                parent,
            });
            if !is_leaf {
                let [a, b] = self.tree.below(link);
                stack.push((*b, depth + 1, Some(link.region())));
                stack.push((*a, depth + 1, Some(link.region())));
            }
        }
    }

    /// Every leaf that a question about the cursor's spot has to enter, and the boxes that it looks at in vain.
    pub(super) fn draw_marks(&self, query: MarkQuery, visit: &mut dyn FnMut(Mark<'_>)) {
        let Some(cursor) = query.cursor.filter(|_| !self.tree.is_empty()) else {
            return;
        };
        let mut stack = Stack::<Branch, STACK_LENGTH>::new(Branch::NONE);
        stack.push(self.tree.root);
        while let Some(branch) = stack.pop() {
            let is_met = branch.bounds.contains(cursor);
            if is_met && !branch.link.is_leaf() {
                for below in self.tree.below(branch.link) {
                    stack.push(*below);
                }
            } else if branch.bounds.size().max_element() >= query.min_size {
                visit(Mark {
                    role: if is_met {
                        MarkRole::Scanned
                    } else {
                        MarkRole::Skipped
                    },
                    shape: Shape::Rect(branch.bounds),
                    label: Cow::Owned(format!("{} units", branch.count)),
                });
            }
        }
    }

    /// Says what the inspector shows of a node or a leaf.
    pub(super) fn say_facts(&self, region: RegionId, say: &mut dyn FnMut(Fact)) {
        let link = Link::of_region(region);
        let Some(branch) = self.find(link) else {
            return;
        };
        let size = branch.bounds.size();
        say(Fact::new("units", branch.count, ""));
        say(Fact::new(
            "box",
            format!("{:.2} × {:.2}", size.x, size.y),
            "m",
        ));
        say(Fact::new(
            "half perimeter",
            format!("{:.2}", branch.bounds.half_perimeter()),
            "m",
        ));
        if !link.is_leaf() {
            let [a, b] = self.tree.below(link);
            let shared = a.bounds.meet(b.bounds);
            let area = branch.bounds.area();
            let overlap = if shared.is_empty() || area <= 0.0 {
                0.0
            } else {
                shared.area() / area
            };
            say(Fact::new("height", self.height(link), "levels"));
            say(Fact::new(
                "children overlap",
                format!("{:.0}", overlap * 100.0),
                "%",
            ));
        }
    }

    /// The branch with this link, if it is in the tree.
    fn find(&self, link: Link) -> Option<Branch> {
        let index = link.index();
        if link.is_leaf() {
            if !index.is_multiple_of(self.leaf_size) {
                return None;
            }
            let owner = *self.owners.get((index / self.leaf_size) as usize)?;
            let above = match self.tree.nodes.get(owner as usize) {
                Some(above) => above.branches,
                None => [self.tree.root; 2],
            };
            return above.into_iter().find(|branch| branch.link == link);
        }
        let node = self.tree.nodes.get(index as usize)?;
        (!node.is_free()).then(|| node.branch(index))
    }

    /// Says how well the tree is built. Walks all of it.
    pub(super) fn say_quality(&self, say: &mut dyn FnMut(Fact)) {
        say_census(&self.tree.census(), self.leaf_size, say);
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
        let used = self.tree.nodes.len() - self.free_nodes.len();
        say(Fact::new(
            "node pool",
            format!("{used} of {} in use", self.tree.nodes.len()),
            "",
        ));
    }
}
