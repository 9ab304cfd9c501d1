//! What the sources' own rules would give, where these are wrong: for pictures that show it beside the right answer, and for the
//! tests that say the same in numbers.
//!
//! Invariant: no structure uses any of it.

use crate::geometry::{Aabb, Vec2};
use crate::partition::{Bodies, UnitId};

/// Deeper squares are split no more: BasicQuadtree would split units on one point without end.
const MAX_DEPTH: u32 = 20;

/// Whom BasicQuadtree retrieves for `query`, in the order of its nodes: an object to a square, each in the smallest square of
/// `field` that holds it whole. It returns the objects of every node on the way to the one that holds the query whole, and
/// nothing of what lies below that.
pub fn basic_quadtree(field: Aabb, bodies: Bodies<'_>, query: Aabb) -> Vec<UnitId> {
    let mut root = Node::new(field);
    for unit in bodies.ids() {
        root.insert(bodies, unit, 0);
    }
    let mut found = Vec::new();
    let mut node = &root;
    loop {
        found.extend(&node.objects);
        match node.child_around(query) {
            Some(child) => node = &node.children[child],
            None => return found,
        }
    }
}

struct Node {
    area: Aabb,
    objects: Vec<UnitId>,
    children: Vec<Node>,
}

impl Node {
    fn new(area: Aabb) -> Self {
        Self {
            area,
            objects: Vec::new(),
            children: Vec::new(),
        }
    }

    fn insert(&mut self, bodies: Bodies<'_>, unit: UnitId, depth: u32) {
        if let Some(child) = self.child_around(bodies.aabb(unit)) {
            return self.children[child].insert(bodies, unit, depth + 1);
        }
        self.objects.push(unit);
        if self.children.is_empty() && self.objects.len() > 1 && depth < MAX_DEPTH {
            let (min, middle, max) = (self.area.min, self.area.center(), self.area.max);
            let corners = [
                (min, middle),
                (Vec2::new(middle.x, min.y), Vec2::new(max.x, middle.y)),
                (Vec2::new(min.x, middle.y), Vec2::new(middle.x, max.y)),
                (middle, max),
            ];
            let child = |(min, max)| Self::new(Aabb::new(min, max));
            self.children = corners.map(child).into();
            for unit in std::mem::take(&mut self.objects) {
                self.insert(bodies, unit, depth);
            }
        }
    }

    fn child_around(&self, area: Aabb) -> Option<usize> {
        let holds = |child: &Self| child.area.contains_box(area);
        self.children.iter().position(holds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lies_below_a_straddled_node_is_missed_and_one_point_ends() {
        let field = Aabb::new(Vec2::ZERO, Vec2::splat(64.0));
        let centers = [(32.0, 32.0), (22.0, 25.0), (22.0, 25.0)].map(Vec2::from);
        let bodies = Bodies {
            centers: &centers,
            half_extents: &[Vec2::splat(2.0); 3],
            alive: &[],
        };
        let around = |x: f32, y: f32, half: f32| Aabb::around(Vec2::new(x, y), Vec2::splat(half));
        assert_eq!(basic_quadtree(field, bodies, around(32.0, 32.0, 14.0)), [0]);
        let mut found = basic_quadtree(field, bodies, around(22.0, 25.0, 1.0));
        found.sort_unstable();
        assert_eq!(found, [0, 1, 2]);
    }

    #[test]
    fn units_on_one_point_end_the_splitting() {
        let field = Aabb::new(Vec2::ZERO, Vec2::splat(64.0));
        let centers = [Vec2::new(13.0, 13.0); 40];
        let found = basic_quadtree(field, Bodies::points(&centers), field);
        assert!(found.is_empty(), "all of them lie below the root");
    }
}
