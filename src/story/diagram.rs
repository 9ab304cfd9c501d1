//! The tree of a structure laid out flat: who is below whom, from left to right.

use super::atlas::bits;
use super::{Answer, Atlas, Outline, Place, Reel};
use crate::geometry::Aabb;
use crate::partition::{RegionId, Role};
use std::collections::HashMap;

/// A region in the layout.
#[derive(Clone, Copy, Debug)]
pub struct DiagramNode {
    /// Which one it is.
    pub region: RegionId,
    /// From where it reaches, in leaves.
    pub from: f32,
    /// Where it ends, in leaves.
    pub to: f32,
    /// Where it stands, in leaves.
    pub x: f32,
    /// How many nodes are above it.
    pub level: u16,
    /// Its place among the places that the story names.
    pub told: Option<usize>,
    /// The node above it.
    pub parent: Option<usize>,
    /// The first node that is not below it: those of a node follow it.
    pub end: usize,
    /// How many units it holds itself.
    pub load: u32,
    /// Whether there are nodes below it.
    pub is_inner: bool,
}

/// The layout of a tree, or of cells that stand in a row.
///
/// Invariant: it depends on the regions and on the order in which the whole story names them, not on a step of it: while one
/// steps, nothing moves.
#[derive(Clone, Debug, Default)]
pub struct Diagram {
    /// A node before those below it, and those before whatever is beside it.
    pub nodes: Vec<DiagramNode>,
    /// How wide it is, in leaves.
    pub leaves: f32,
    /// How many levels it has.
    pub levels: u16,
    /// Whether nothing is below anything: then it is a row of cells. A root alone is a tree, but for an object of a world.
    pub is_flat: bool,
    /// Whether whoever goes from step to step goes from left to right over the leaves, and never back.
    pub goes_on: bool,
    /// The most units that a region holds itself.
    pub most: u32,
}

impl Diagram {
    /// Lays a tree out in O(n log n) of its regions: the parts of a node in the order in which they are first named, at this moment or at the
    /// other one where they cover the same there, then as the picture has them; but the two sides of a cut as they lie on the field, whichever the walk meets first, for left is left there.
    ///
    /// The regions are those after the operation of the reel, or those before it.
    pub fn of(atlas: &Atlas, reel: &Reel, is_after: bool) -> Self {
        let step_at = |region: RegionId, is_after: bool| {
            let place = reel.place_among(region, is_after);
            let step = place.and_then(|place| reel.steps_of_place(place).first());
            step.copied()
        };
        // What is built anew as it was before stands where it stood.
        let elsewhere = Elsewhere::of(reel, is_after);
        let first = |region: RegionId| {
            let other = || {
                let same = elsewhere.same(atlas.place(region)?)?;
                step_at(same, !is_after)
            };
            step_at(region, is_after).or_else(other).unwrap_or(u32::MAX)
        };
        let places = atlas.places();
        let mut roots: Vec<RegionId> = places
            .iter()
            .filter(|place| place.parent.is_none())
            .map(|place| place.region)
            .collect();
        // An object of a world without a tree is a leaf as well.
        let is_of_world = matches!(reel.story().answer, Answer::Sides { .. });
        let is_flat = match places {
            [root] => root.role != Role::Leaf || is_of_world,
            _ => places.iter().all(|place| place.role != Role::Inner),
        };
        if !is_flat {
            roots.sort_by_key(|region| first(*region));
        }
        let mut layout = Self {
            is_flat,
            most: places.iter().map(|place| place.load).max().unwrap_or(0),
            ..Self::default()
        };
        // Each with the node above it; what is below a node is laid out before what is beside it.
        let mut stack: Vec<(RegionId, Option<usize>, u16)> = Vec::new();
        stack.extend(roots.into_iter().rev().map(|region| (region, None, 0)));
        let mut parts = Vec::new();
        while let Some((region, parent, level)) = stack.pop() {
            let Some(place) = atlas.place(region) else {
                continue;
            };
            let number = layout.nodes.len();
            parts.clear();
            parts.extend_from_slice(place.parts());
            parts.sort_by_key(|part| first(*part));
            if let [left, right] = &mut parts[..]
                && let Some((a, b)) = atlas.place(*left).zip(atlas.place(*right))
                && are_sides_of_cut(a, b)
                && lies_at(a) > lies_at(b)
            {
                std::mem::swap(left, right);
            }
            let below = parts.iter().rev();
            stack.extend(below.map(|part| (*part, Some(number), level.saturating_add(1))));
            layout.nodes.push(DiagramNode {
                region,
                from: layout.leaves,
                to: layout.leaves,
                x: 0.0,
                level,
                told: reel.place_among(region, is_after),
                parent,
                end: number + 1,
                load: place.load,
                is_inner: place.role == Role::Inner,
            });
            layout.levels = layout.levels.max(level.saturating_add(1));
            if parts.is_empty() {
                layout.leaves += 1.0;
            }
        }
        // Upwards: a node reaches as far as what is below it, and stands in its middle.
        for number in (0..layout.nodes.len()).rev() {
            let node = layout.nodes[number];
            let to = if node.end == number + 1 {
                node.from + 1.0
            } else {
                node.to
            };
            let middle = (node.from + to) / 2.0;
            (layout.nodes[number].to, layout.nodes[number].x) = (to, middle);
            if let Some(parent) = node.parent {
                let parent = &mut layout.nodes[parent];
                parent.to = parent.to.max(to);
                parent.end = parent.end.max(node.end);
            }
        }
        layout.goes_on = layout.goes_from_left_to_right(reel);
        layout
    }

    /// Whether each leaf that is named is so for the last time before any to the right of it is.
    fn goes_from_left_to_right(&self, reel: &Reel) -> bool {
        let leaves = self.nodes.iter().filter(|node| !node.is_inner);
        let rows = leaves.filter_map(|leaf| match reel.steps_of_place(leaf.told?) {
            [first, .., last] => Some((*first, *last)),
            [one] => Some((*one, *one)),
            [] => None,
        });
        let rows: Vec<(u32, u32)> = rows.collect();
        rows.windows(2).all(|pair| pair[0].1 < pair[1].0)
    }

    /// Where a region stands among the nodes.
    pub fn find(&self, region: RegionId) -> Option<usize> {
        self.nodes.iter().position(|node| node.region == region)
    }
}

/// The regions at the other moment of an edit, by what they cover and how deep they lie: their numbers may be others.
struct Elsewhere(HashMap<([u32; 6], u16), RegionId>);

impl Elsewhere {
    /// Of what is no edit there are none.
    fn of(reel: &Reel, is_after: bool) -> Self {
        let story = reel.story();
        let other = story.after.as_ref().map(|after| match is_after {
            true => &*story.before,
            false => after,
        });
        let places = other.map_or(&[][..], Atlas::places).iter();
        Self(
            places
                .map(|place| (Self::key(place), place.region))
                .collect(),
        )
    }

    fn key(place: &Place) -> ([u32; 6], u16) {
        let [a, b, c, d] = bits(place.bounds);
        let [from, to] = place.heights.unwrap_or_default();
        // Zero has two signs.
        let heights = [from, to].map(|height| (height + 0.0).to_bits());
        ([a, b, c, d, heights[0], heights[1]], place.depth)
    }

    fn same(&self, place: &Place) -> Option<RegionId> {
        self.0.get(&Self::key(place)).copied()
    }
}

/// Whether two regions are what a cut has made of one: they have a whole side in common, or are rooms between lines. Boxes around whom they
/// hold are no such sides.
fn are_sides_of_cut(one: &Place, other: &Place) -> bool {
    let (a, b) = match (&one.outline, &other.outline) {
        (Outline::Rect(a), Outline::Rect(b)) => (a, b),
        (Outline::Convex(_), Outline::Convex(_)) => return true,
        _ => return false,
    };
    let are_alike = [
        a.min.x == b.min.x && a.max.x == b.max.x,
        a.min.y == b.min.y && a.max.y == b.max.y,
    ];
    match are_alike {
        [true, true] => {
            let heights = one.heights.zip(other.heights);
            heights.is_some_and(|(a, b)| a[1] == b[0] || b[1] == a[0])
        }
        [true, false] => a.max.y == b.min.y || b.max.y == a.min.y,
        [false, true] => a.max.x == b.min.x || b.max.x == a.min.x,
        [false, false] => false,
    }
}

/// Where a region lies among those beside it: by its least coordinates, and where these are the same by its greatest.
fn lies_at(place: &Place) -> [f32; 5] {
    let Aabb { min, max } = place.bounds;
    let height = place.heights.map_or(0.0, |[from, _]| from);
    [min.x, min.y, height, max.x, max.y]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Vec2;
    use crate::partition::{AnyPartition, Bodies, Kind};
    use crate::probe::Cancel;
    use crate::story::{Ground, Operation, Stage};

    #[test]
    fn a_tree_that_is_built_anew_as_it_was_stands_still() {
        let centers = [
            (8.0, 56.0),
            (40.0, 40.0),
            (50.0, 12.0),
            (56.0, 56.0),
            (44.0, 50.0),
            (46.0, 34.0),
            (34.0, 46.0),
        ]
        .map(Vec2::from);
        let bodies = Bodies::points(&centers);
        let never = Cancel::default();
        for key in ["quadtree", "rect-quadtree"] {
            let kind = Kind::from_key(key).expect("a structure");
            let mut index = AnyPartition::new(kind, Aabb::new(Vec2::ZERO, Vec2::splat(64.0)));
            index.set_knob_text("capacity", "2").expect("a knob");
            index.rebuild(bodies, &mut ());
            let stage = Stage::new(index, Ground::of(bodies), 4.0, &never).expect("a stage");
            let story = stage.tell(&Operation::Rebuild, usize::MAX, &never);
            let reel = Reel::new(story.expect("a story"));
            let after = reel.story().after.as_ref().expect("it is built anew");
            let laid = |atlas: &Atlas, is_after: bool| -> Vec<(u32, u16, bool)> {
                let nodes = Diagram::of(atlas, &reel, is_after).nodes;
                let nodes = nodes.iter();
                nodes
                    .map(|node| (node.x.to_bits(), node.level, node.is_inner))
                    .collect()
            };
            let before = laid(stage.atlas(), false);
            assert!(before.len() > 5, "{key}");
            assert_eq!(before, laid(after, true), "{key}");
        }
    }

    #[test]
    fn a_search_that_comes_back_to_leaves_does_not_go_from_left_to_right() {
        let centers: Vec<Vec2> = (0..60_u32)
            .map(|unit| Vec2::new((unit * 37 % 64) as f32, (unit * 53 % 61) as f32))
            .collect();
        let bodies = Bodies::points(&centers);
        for (key, operation, goes_on) in [
            ("quadtree", "radius 30,30,12", true),
            ("kd-tree", "pairs 9", false),
            ("quadtree", "pairs 9", false),
        ] {
            let kind = Kind::from_key(key).expect("a structure");
            let mut index = AnyPartition::new(kind, Aabb::new(Vec2::ZERO, Vec2::splat(64.0)));
            for knob in ["capacity", "leaf_size"] {
                // Only one of them has it.
                let _ = index.set_knob_text(knob, "2");
            }
            index.rebuild(bodies, &mut ());
            let never = Cancel::default();
            let stage = Stage::new(index, Ground::of(bodies), 4.0, &never).expect("a stage");
            let operation = Operation::read(operation).expect("an operation");
            let story = stage.tell(&operation, usize::MAX, &never).expect("a story");
            let diagram = Diagram::of(stage.atlas(), &Reel::new(story), false);
            assert_eq!(diagram.goes_on, goes_on, "{key}, {operation}");
        }
    }

    #[test]
    fn a_tree_of_one_leaf_is_a_tree_and_a_grid_of_one_cell_is_a_row_of_cells() {
        let centers = [Vec2::splat(5.0), Vec2::splat(6.0)];
        let bodies = Bodies::points(&centers);
        let never = Cancel::default();
        let (mut trees, mut rows) = (0, 0);
        for &kind in Kind::ALL {
            let mut index = AnyPartition::new(kind, Aabb::new(Vec2::ZERO, Vec2::splat(64.0)));
            index.rebuild(bodies, &mut ());
            let stage = Stage::new(index, Ground::of(bodies), 4.0, &never).expect("a stage");
            if let [place] = stage.atlas().places() {
                let diagram = Diagram::of(stage.atlas(), &Reel::new(stage.still()), false);
                let is_leaf = place.role == Role::Leaf;
                assert_eq!(diagram.is_flat, !is_leaf, "{kind:?}");
                *if is_leaf { &mut trees } else { &mut rows } += 1;
            }
        }
        assert!(trees > 3 && rows > 0, "{trees} trees, {rows} rows");
    }

    #[test]
    fn of_two_sides_of_a_cut_the_left_one_stands_at_the_left_whichever_the_walk_meets_first() {
        let centers: Vec<Vec2> = (0..24_u32)
            .map(|unit| Vec2::new((unit * 37 % 64) as f32, (unit * 53 % 61) as f32))
            .collect();
        let bodies = Bodies::points(&centers);
        let never = Cancel::default();
        let mut turned = 0;
        for key in ["kd-tree", "bsp-tree"] {
            for at in ["20,30", "33,32", "60,50"] {
                let kind = Kind::from_key(key).expect("a structure");
                let mut index = AnyPartition::new(kind, Aabb::new(Vec2::ZERO, Vec2::splat(64.0)));
                index.set_knob_text("leaf_size", "2").expect("a knob");
                index.rebuild(bodies, &mut ());
                let stage = Stage::new(index, Ground::of(bodies), 4.0, &never).expect("a stage");
                let nearest = Operation::read(&format!("nearest {at},3")).expect("an operation");
                let story = stage.tell(&nearest, usize::MAX, &never).expect("a story");
                let reel = Reel::new(story);
                let nodes = Diagram::of(stage.atlas(), &reel, false).nodes;
                let first = |node: &DiagramNode| {
                    let row = reel.steps_of_place(node.told?);
                    row.first().copied()
                };
                for (number, node) in nodes.iter().enumerate().filter(|(_, node)| node.is_inner) {
                    let (left, right) = (&nodes[number + 1], &nodes[nodes[number + 1].end]);
                    assert_eq!([left.parent, right.parent], [Some(number); 2]);
                    let sides = [left, right].map(|node| {
                        let place = stage.atlas().place(node.region).expect("a region");
                        lies_at(place)
                    });
                    assert!(sides[0] < sides[1], "{key}, {at}, {node:?}: {sides:?}");
                    turned += usize::from(first(left) > first(right) && first(right).is_some());
                }
            }
        }
        assert!(turned > 0, "the walk meets some of the right ones first");
    }

    #[test]
    fn whoever_is_below_a_node_lies_below_it_and_all_leaves_stand_side_by_side() {
        let centers: Vec<Vec2> = (0..700_u32)
            .map(|unit| {
                let mixed = unit.wrapping_mul(2_654_435_761);
                Vec2::new((mixed >> 20) as f32, (mixed & 0xfff) as f32) * 0.05
            })
            .collect();
        let bodies = Bodies::points(&centers);
        for &kind in Kind::ALL {
            let mut index = AnyPartition::new(kind, Aabb::new(Vec2::ZERO, Vec2::splat(210.0)));
            index.rebuild(bodies, &mut ());
            let stage = Stage::new(index, Ground::of(bodies), 4.0, &Cancel::default());
            let stage = stage.expect("nobody ends it");
            let disc = Operation::Radius {
                center: Vec2::splat(100.0),
                radius: 20.0,
            };
            let story = stage.tell(&disc, usize::MAX, &Cancel::default());
            for story in [story.expect("nobody ends it"), stage.still()] {
                let reel = Reel::new(story);
                let diagram = Diagram::of(stage.atlas(), &reel, false);
                let nodes = &diagram.nodes;
                assert_eq!(nodes.len(), stage.atlas().places().len());
                let leaves = nodes.iter().filter(|node| node.to - node.from == 1.0);
                assert!(leaves.count() as f32 >= diagram.leaves);
                for (number, node) in nodes.iter().enumerate() {
                    assert!(node.from < node.to && node.to <= diagram.leaves);
                    assert!(node.level < diagram.levels && node.load <= diagram.most);
                    assert_eq!(diagram.find(node.region), Some(number));
                    if let Some(parent) = node.parent {
                        let parent = &nodes[parent];
                        assert!(parent.from <= node.from && node.to <= parent.to);
                        assert!(parent.end >= node.end && parent.level + 1 == node.level);
                    }
                }
            }
        }
    }
}
