//! Damage to a bounding volume hierarchy, which its check has to notice.

use super::build::NONE;
use super::levels::{Level, WIDTH};
use super::*;
use crate::geometry::Vec2;
use crate::partition::damage::{Damage, Patient};
use crate::partition::toolkit::boxes::Boxes;
use crate::partition::trial::Crowd;

/// A leaf of some units.
fn leaf(tree: &Bvh) -> usize {
    let mut leaves = 0..tree.leaves.fills.len();
    leaves
        .find(|leaf| tree.leaves.fill(*leaf) > 1)
        .expect("a leaf of two")
}

fn is_strictly_within(inner: Aabb, outer: Aabb) -> bool {
    inner.min.cmpgt(outer.min).all() && inner.max.cmplt(outer.max).all()
}

/// A leaf and a place in it whose body is not at the border of the leaf's box.
fn inside(tree: &Bvh) -> (usize, usize) {
    let leaves = 0..tree.leaves.fills.len();
    let mut places =
        leaves.flat_map(|leaf| (0..tree.leaves.fill(leaf)).map(move |place| (leaf, place)));
    places
        .find(|(leaf, place)| {
            let body = tree.leaves.body(*leaf, *place);
            body.min != body.max && is_strictly_within(body, tree.levels.level(0).get(*leaf))
        })
        .expect("a body inside of its leaf's box")
}

/// A spot inside of the box of everybody.
fn spot(tree: &Bvh) -> Aabb {
    let center = tree.levels.root().center();
    Aabb::new(center, center)
}

const DAMAGES: &[Damage<Bvh>] = &[
    ("a leaf without a box", |tree| {
        let count = tree.leaves.fills.len();
        tree.leaves.resize(count + 1);
    }),
    ("a box without a leaf", |tree| {
        tree.levels.level_mut(0).count += 1;
    }),
    ("no boxes at all", |tree| tree.levels.clear()),
    ("a cost that is not that of its boxes", |tree| {
        tree.cost += 1.0;
    }),
    ("leaves that are too full", |tree| tree.leaf_size = 1),
    ("two units in each other's slot", |tree| {
        let ids = tree.leaves.ids(leaf(tree));
        let [a, b] = [ids[0], ids[1]].map(|unit| unit as usize);
        tree.places.swap(a, b);
    }),
    ("a unit in no slot at all", |tree| {
        let unit = tree.leaves.ids(leaf(tree))[0];
        tree.places[unit as usize] = 1_000_000;
    }),
    ("a slot of a unit that is not there", |tree| {
        let row = tree.places.iter().position(|place| *place == NONE);
        tree.places[row.expect("a row not in use")] = 0;
    }),
    ("a unit that is there twice", |tree| {
        let leaf = leaf(tree);
        let unit = tree.leaves.ids(leaf)[0];
        let body = tree.leaves.body(leaf, 1);
        tree.leaves.set(leaf, 1, unit, body);
    }),
    ("a unit that is lost", |tree| {
        let (leaf, place) = inside(tree);
        let last = tree.leaves.fill(leaf) - 1;
        let (unit, body) = (tree.leaves.ids(leaf)[last], tree.leaves.body(leaf, last));
        tree.leaves.set(leaf, place, unit, body);
        tree.places[unit as usize] = tree.leaves.slot(leaf, place);
        tree.leaves.fills[leaf] -= 1;
    }),
    ("a body that is copied wrongly", |tree| {
        let (leaf, place) = inside(tree);
        let spot = tree.leaves.body(leaf, place).center();
        tree.leaves.set_body(leaf, place, Aabb::new(spot, spot));
    }),
    ("the count of units", |tree| tree.count += 1),
    ("the box of a leaf", |tree| {
        let is_inside = |leaf: &usize| {
            let bounds = tree.levels.level(0).get(*leaf);
            !bounds.is_empty()
                && is_strictly_within(bounds, tree.levels.level(1).get(*leaf / WIDTH))
        };
        let mut leaves = 0..tree.leaves.fills.len();
        let leaf = leaves.find(is_inside).expect("a leaf inside of its group");
        let spot = tree.levels.level(0).get(leaf).center();
        tree.levels.level_mut(0).set(leaf, Aabb::new(spot, spot));
    }),
    ("the box of an empty leaf", |tree| {
        let mut leaves = 0..tree.leaves.fills.len();
        let empty = leaves.find(|leaf| tree.leaves.fill(*leaf) == 0);
        let empty = empty.expect("an empty leaf");
        let group = tree.levels.level(1).get(empty / WIDTH).center();
        tree.levels.level_mut(0).set(empty, Aabb::new(group, group));
    }),
    ("a group too many", |tree| {
        tree.levels.level_mut(1).count += 1;
    }),
    ("a group too few", |tree| {
        tree.levels.level_mut(1).count -= 1;
    }),
    ("the root's box", |tree| {
        let root = tree.levels.root().grown(Vec2::ONE);
        let top = tree.levels.top();
        tree.levels.level_mut(top).set(0, root);
    }),
    ("a box behind the last group", |tree| {
        let (count, spot) = (tree.levels.level(1).count, spot(tree));
        tree.levels.level_mut(1).set(count, spot);
    }),
    ("a box behind the root", |tree| {
        let (top, spot) = (tree.levels.top(), spot(tree));
        tree.levels.level_mut(top).set(1, spot);
    }),
    ("a root above the root", |tree| {
        let mut boxes = Boxes::EMPTY;
        boxes.set(0, tree.levels.root());
        tree.levels.levels.push(Level {
            boxes: vec![boxes],
            count: 1,
        });
    }),
    ("no root", |tree| {
        _ = tree.levels.levels.pop();
    }),
];

#[test]
fn every_damage_is_noticed() {
    let knobs = [("leaf_size", "4"), ("update", "incremental")];
    let patient = Patient::new(Crowd::Even, 400, true, &knobs).aged();
    patient.notices(DAMAGES);
}
