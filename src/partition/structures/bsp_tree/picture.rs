//! What the tree tells of itself: rooms to draw, the way to the cursor, facts.

use super::BspTree;
use super::cut::LineCut;
use super::nodes::{Branch, HEIGHT_LIMIT, Link, Place, STACK_LENGTH};
use crate::geometry::{Aabb, Vec2};
use crate::partition::toolkit::search::project;
use crate::partition::toolkit::stack::Stack;
use crate::partition::{
    Fact, Mark, MarkQuery, MarkRole, Region, RegionId, RegionQuery, Role, Shape,
};
use glam::DVec2;
use std::borrow::Cow;

/// A room has the four corners of the field at first, and a line adds one at the most on each level.
const CORNER_LIMIT: usize = 4 + HEIGHT_LIMIT;

/// A convex polygon, its corners counterclockwise. In `f64`, for a room among units may have corners where the field ends,
/// far away, and a line through it has to be right where the units are.
#[derive(Clone, Copy)]
struct Room {
    corners: [DVec2; CORNER_LIMIT],
    count: usize,
}

impl Room {
    /// A box as a room.
    fn of_box(area: Aabb) -> Self {
        let (min, max) = (area.min.as_dvec2(), area.max.as_dvec2());
        let mut room = Self {
            corners: [min; CORNER_LIMIT],
            count: 4,
        };
        room.corners[1].x = max.x;
        room.corners[2] = max;
        room.corners[3].y = max.y;
        room
    }

    fn corners(&self) -> &[DVec2] {
        &self.corners[..self.count]
    }

    /// Each corner with the one after it.
    fn edges(&self) -> impl Iterator<Item = (DVec2, DVec2)> {
        let following = self.corners().iter().cycle().skip(1);
        self.corners().iter().copied().zip(following.copied())
    }

    fn push(&mut self, corner: DVec2) {
        if self.count < CORNER_LIMIT {
            self.corners[self.count] = corner;
            self.count += 1;
        }
    }

    fn bounds(&self) -> Aabb {
        Aabb::of_points(self.corners().iter().map(|corner| corner.as_vec2()))
    }

    /// The two parts of the room, and the line between them from wall to wall: the clip of Sutherland and Hodgman.
    ///
    /// A part of which the line leaves less than three corners gets its last one again: a hundred units on one spot are in
    /// rooms without width.
    fn parts(&self, cut: &LineCut) -> ([Self; 2], [Vec2; 2]) {
        let normal = cut.normal.as_dvec2();
        let behind = |corner: DVec2| normal.dot(corner) - cut.at;
        let nothing = Self { count: 0, ..*self };
        let (mut parts, mut line) = ([nothing; 2], nothing);
        // The corners that lie the farthest to each side.
        let mut extremes = [self.corners[0]; 2];
        for (corner, next) in self.edges() {
            let (here, there) = (behind(corner), behind(next));
            if here < behind(extremes[0]) {
                extremes[0] = corner;
            }
            if here > behind(extremes[1]) {
                extremes[1] = corner;
            }
            if here <= 0.0 {
                parts[0].push(corner);
            }
            if here >= 0.0 {
                parts[1].push(corner);
            }
            if here == 0.0 {
                line.push(corner);
            } else if (here < 0.0 && there > 0.0) || (here > 0.0 && there < 0.0) {
                let crossing = corner.lerp(next, here / (here - there));
                parts[0].push(crossing);
                parts[1].push(crossing);
                line.push(crossing);
            }
        }
        for (part, extreme) in parts.iter_mut().zip(extremes) {
            let corner = part.corners().last().copied().unwrap_or(extreme);
            while part.count < 3 {
                part.push(corner);
            }
        }
        // Where the line misses the room by rounding, it is drawn as a point.
        let from = line.corners().first().copied().unwrap_or(extremes[0]);
        let to = line.corners().last().copied().unwrap_or(from);
        (parts, [from, to].map(|end| end.as_vec2()))
    }

    /// Whether the room and the box share a point, but for rounding.
    fn overlaps(&self, area: Aabb) -> bool {
        if !self.bounds().overlaps(area) {
            return false;
        }
        // Convex shapes are apart if the line along an edge of one of them lies between.
        let (min, max) = (area.min.as_dvec2(), area.max.as_dvec2());
        !self.edges().any(|(a, b)| {
            let outwards = DVec2::new(b.y - a.y, a.x - b.x);
            let nearest = DVec2::new(
                if outwards.x > 0.0 { min.x } else { max.x },
                if outwards.y > 0.0 { min.y } else { max.y },
            );
            outwards.dot(nearest - a) > 0.0
        })
    }
}

/// A node or leaf of the picture.
#[derive(Clone, Copy)]
struct RoomOfNode {
    branch: Branch,
    depth: u16,
    room: Room,
    parent: Option<RegionId>,
}

impl BspTree {
    /// The whole tree as a room: the field, and more where units are outside.
    fn root_room(&self) -> Option<RoomOfNode> {
        (!self.is_empty()).then(|| RoomOfNode {
            branch: self.root,
            depth: 0,
            room: Room::of_box(self.field.join(self.root.bounds)),
            parent: None,
        })
    }

    /// The two parts of a node's room and the line between them; nothing for a leaf.
    fn parts(&self, whole: &RoomOfNode) -> Option<([RoomOfNode; 2], [Vec2; 2])> {
        let link = whole.branch.link;
        if link.is_leaf() {
            return None;
        }
        let (rooms, line) = whole.room.parts(&self.cuts[link.index() as usize]);
        let parts = [0, 1].map(|side| RoomOfNode {
            branch: self.below(link)[side],
            depth: whole.depth + 1,
            room: rooms[side],
            parent: Some(link.region()),
        });
        Some((parts, line))
    }

    pub(super) fn draw_regions(&self, query: RegionQuery, visit: &mut dyn FnMut(Region<'_>)) {
        let Some(root) = self.root_room() else {
            return;
        };
        let mut stack = Stack::<RoomOfNode, STACK_LENGTH>::new();
        stack.push(root);
        let mut corners = [Vec2::ZERO; CORNER_LIMIT];
        while let Some(node) = stack.pop() {
            for (corner, exact) in corners.iter_mut().zip(node.room.corners()) {
                *corner = exact.as_vec2();
            }
            let size = node.room.bounds().size().max_element();
            if !node.room.overlaps(query.area) || size < query.min_size {
                continue;
            }
            let parts = self.parts(&node);
            let is_leaf = parts.is_none();
            visit(Region {
                id: node.branch.link.region(),
                shape: Shape::Convex(&corners[..node.room.count]),
                depth: node.depth,
                load: if is_leaf { node.branch.count } else { 0 },
                capacity: if is_leaf { self.leaf_size } else { 0 },
                role: if is_leaf { Role::Leaf } else { Role::Inner },
                parent: node.parent,
            });
            if let Some(([first, second], _)) = parts {
                stack.push(second);
                stack.push(first);
            }
        }
    }

    /// The way down to the room under the cursor: every line on it, and the box that is really searched.
    pub(super) fn draw_marks(&self, query: MarkQuery, visit: &mut dyn FnMut(Mark<'_>)) {
        let (Some(cursor), Some(mut node)) = (query.cursor, self.root_room()) else {
            return;
        };
        if !node.room.overlaps(Aabb::new(cursor, cursor)) {
            return;
        }
        while let Some((parts, [from, to])) = self.parts(&node) {
            if from.distance_squared(to) >= query.min_size * query.min_size {
                visit(Mark {
                    role: MarkRole::Guide,
                    shape: Shape::Line(from, to),
                    label: Cow::Owned(format!("depth {}", node.depth)),
                });
            }
            let cut = &self.cuts[node.branch.link.index() as usize];
            let side = usize::from(project(cut.normal, cursor) > cut.at);
            node = parts[side];
        }
        let Branch { bounds, count, .. } = node.branch;
        visit(Mark {
            role: MarkRole::Home,
            shape: Shape::Rect(bounds),
            label: Cow::Owned(format!("{count} units")),
        });
    }

    pub(super) fn say_facts(&self, region: RegionId, say: &mut dyn FnMut(Fact)) {
        let link = Link::of_region(region);
        let Some(Branch { bounds, count, .. }) = self.find(link) else {
            return;
        };
        if !link.is_leaf() {
            let cut = self.cuts[link.index() as usize];
            let [first, second] = self.below(link);
            say(Fact::new("line", cut.text(), "m"));
            say(Fact::new(
                "units on each side",
                format!("{} and {}", first.count, second.count),
                "",
            ));
            // Less than nothing where bodies stick out over the line.
            say(Fact::new(
                "clear strip",
                format!("{:.2}", cut.low - cut.high),
                "m",
            ));
        }
        say(Fact::new("units", count, ""));
        let size = bounds.size();
        say(Fact::new(
            "tight box",
            format!("{:.2} × {:.2}", size.x, size.y),
            "m",
        ));
    }

    /// The branch with this link, if it is in the tree.
    pub(super) fn find(&self, link: Link) -> Option<Branch> {
        let index = link.index();
        if link.is_leaf() {
            let place = *self.owners.get(index as usize)?;
            return (place != Place::NOWHERE).then(|| *self.branch(place));
        }
        let node = self.nodes.get(index as usize)?;
        (!node.is_free()).then(|| node.branch(index))
    }

    /// Says how well the tree is built.
    pub(super) fn say_quality(&self, say: &mut dyn FnMut(Fact)) {
        let census = self.census();
        let units = f64::from(self.root.count);
        say(Fact::new("nodes", census.nodes + census.leaves, ""));
        say(Fact::new("leaves", census.leaves, ""));
        say(Fact::new("height", census.height, "levels"));
        // What it would be if each node halved the leaves.
        let ideal = census.leaves.max(1).next_power_of_two().trailing_zeros();
        say(Fact::new("ideal height", ideal, "levels"));
        say(Fact::new(
            "mean depth",
            format!("{:.1}", census.depth_sum as f64 / units.max(1.0)),
            "levels",
        ));
        let room = census.leaves.max(1) as f64 * f64::from(self.leaf_size);
        say(Fact::new(
            "leaf occupancy",
            format!("{:.0}", 100.0 * units / room),
            "%",
        ));
    }

    /// The shape of the tree, by walking all of it.
    pub(super) fn census(&self) -> Census {
        let mut census = Census::default();
        let mut stack = Stack::<_, STACK_LENGTH>::new();
        if !self.is_empty() {
            stack.push((self.root, 0_u32));
        }
        while let Some((branch, depth)) = stack.pop() {
            if branch.link.is_leaf() {
                census.leaves += 1;
                census.height = census.height.max(depth);
                census.depth_sum += u64::from(depth) * u64::from(branch.count);
            } else {
                census.nodes += 1;
                for below in self.below(branch.link) {
                    stack.push((*below, depth + 1));
                }
            }
        }
        census
    }
}

/// The shape of a tree.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Census {
    /// Nodes in use.
    pub(super) nodes: usize,
    /// Leaves in use.
    pub(super) leaves: usize,
    /// The greatest depth of a leaf.
    pub(super) height: u32,
    /// The depths of all units' leaves, summed.
    depth_sum: u64,
}
