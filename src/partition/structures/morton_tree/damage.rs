//! Damage to a Morton tree, which its check has to notice.

use super::key::side;
use super::*;
use crate::partition::damage::{Damage, Patient};
use crate::partition::trial::Crowd;

/// A node in use that is as wanted.
fn find(tree: &MortonTree, wanted: impl Fn(&Node) -> bool) -> usize {
    let is_it = |node: &Node| !node.is_free() && wanted(node);
    tree.nodes.iter().position(is_it).expect("such a node")
}

fn below_the_root(tree: &MortonTree) -> usize {
    find(tree, |node| node.parent != NO_NODE)
}

/// A node whose children are both nodes.
fn above_nodes(tree: &MortonTree) -> usize {
    find(tree, |node| {
        node.children.iter().all(|child| !child.is_bucket())
    })
}

/// A bucket of some units.
fn bucket(tree: &MortonTree) -> u32 {
    let mut buckets = 0..tree.buckets.len() as u32;
    let is_it = |bucket: &u32| !tree.buckets.is_free(*bucket) && tree.buckets.fill(*bucket) > 1;
    buckets.find(is_it).expect("a bucket of two")
}

/// A shelf below the root's with some things and some room.
fn shelf(tree: &MortonTree) -> usize {
    let is_it = |shelf: &Shelf| (2..16).contains(&shelf.count) && shelf.place != NO_SHELF;
    tree.shelves.list.iter().position(is_it).expect("a shelf")
}

/// A key of somebody below a link.
fn some_key(tree: &MortonTree, link: Link) -> u64 {
    if link.is_bucket() {
        let (unit, body) = (
            tree.buckets.ids(link.index())[0],
            tree.buckets.body(link.index(), 0),
        );
        tree.key_of(body, unit)
    } else {
        tree.nodes[link.index() as usize].key
    }
}

/// Hangs a child below a node.
fn hang(tree: &mut MortonTree, link: Link, node: usize) {
    if link.is_bucket() {
        tree.buckets.set_parent(link.index(), node as u32);
    } else {
        tree.nodes[link.index() as usize].parent = node as u32;
    }
}

/// Lets a node and the one above it part units by each other's bit: all is in order below each of them, and the order of
/// bits is wrong.
fn exchange_bits(tree: &mut MortonTree) {
    let lower = below_the_root(tree);
    let upper = tree.nodes[lower].parent as usize;
    let (low, high) = (tree.nodes[lower], tree.nodes[upper]);
    let own = usize::from(high.children[1] == Link::inner(lower as u32));
    let other = 1 - own;
    let key = some_key(tree, low.children[0]);
    for node in [lower, upper] {
        tree.nodes[node].key = key;
    }
    let mut below = Node {
        children: [low.children[0]; 2],
        boxes: [low.boxes[0]; 2],
        bit: high.bit,
        ..tree.nodes[lower]
    };
    below.children[other] = high.children[other];
    below.boxes[other] = high.boxes[other];
    let mut above = Node {
        bit: low.bit,
        ..tree.nodes[upper]
    };
    above.children = [Link::inner(lower as u32), low.children[1]];
    above.boxes = [below.bounds(), low.boxes[1]];
    (tree.nodes[lower], tree.nodes[upper]) = (below, above);
    hang(tree, high.children[other], lower);
    hang(tree, low.children[1], upper);
}

/// Puts an empty bucket beside the root.
fn hang_an_empty_bucket(tree: &mut MortonTree) {
    let (empty, top) = (tree.buckets.take(), tree.nodes.len() as u32);
    let old = tree.nodes[tree.root.index() as usize];
    let bit = old.bit + 1;
    let own = side(old.key, bit);
    let mut node = Node { bit, ..old };
    node.children[own] = tree.root;
    node.boxes[own] = tree.root_box;
    node.children[1 - own] = Link::bucket(empty);
    node.boxes[1 - own] = Aabb::EMPTY;
    tree.nodes[tree.root.index() as usize].parent = top;
    tree.buckets.set_parent(empty, top);
    tree.nodes.push(node);
    tree.root = Link::inner(top);
}

const DAMAGES: &[Damage<MortonTree>] = &[
    ("the root is no node", |tree| {
        tree.root = Link::inner(1_000_000);
    }),
    ("the root is no bucket", |tree| {
        tree.root = Link::bucket(1_000_000);
    }),
    ("no root", |tree| tree.root = Link::NONE),
    ("the root's box", |tree| tree.root_box.max.x += 1.0),
    ("the parent of a node", |tree| {
        let node = below_the_root(tree);
        tree.nodes[node].parent ^= 1;
    }),
    ("a child that is no node", |tree| {
        let node = above_nodes(tree);
        tree.nodes[node].children[0] = Link::inner(1_000_000);
    }),
    ("a child that is free", |tree| {
        let node = above_nodes(tree);
        tree.nodes[node].children[0] = Link::inner(tree.free);
    }),
    ("a bit that does not fall", exchange_bits),
    ("what those below a node have in common", |tree| {
        let node = find(tree, |node| {
            let above = tree.nodes.get(node.parent as usize);
            above.is_none_or(|above| above.bit > node.bit + 1)
                && node.bit < 63
                && node.children.iter().all(|child| !child.is_bucket())
        });
        let bit = tree.nodes[node].bit + 1;
        tree.nodes[node].key ^= 1 << bit;
    }),
    ("children on each other's side", |tree| {
        let node = above_nodes(tree);
        tree.nodes[node].children.swap(0, 1);
        tree.nodes[node].boxes.swap(0, 1);
    }),
    ("the parent of a bucket", |tree| {
        let bucket = bucket(tree);
        let parent = tree.buckets.parent(bucket);
        tree.buckets.set_parent(bucket, parent ^ 1);
    }),
    ("a bucket that says it is free", |tree| {
        let bucket = bucket(tree);
        tree.buckets.give_back(bucket);
    }),
    ("a bucket that is empty", hang_an_empty_bucket),
    ("buckets that are too full", |tree| tree.bucket = 1),
    ("a unit that is lost", |tree| {
        let bucket = bucket(tree);
        let fill = tree.buckets.fill(bucket);
        tree.buckets.set_fill(bucket, fill - 1);
    }),
    ("a unit that is there twice", |tree| {
        let bucket = bucket(tree);
        let unit = tree.buckets.ids(bucket)[0];
        let body = tree.buckets.body(bucket, 1);
        tree.buckets.set(bucket, 1, unit, body);
    }),
    ("a body that is copied wrongly", |tree| {
        let bucket = bucket(tree);
        let spot = tree.buckets.body(bucket, 0).center();
        let grown = Aabb::around(spot, Vec2::splat(0.01));
        tree.buckets.set_body(bucket, 0, grown);
    }),
    ("two units in each other's place", |tree| {
        let ids = tree.buckets.ids(bucket(tree));
        let [a, b] = [ids[0], ids[1]].map(|unit| unit as usize);
        tree.places.swap(a, b);
    }),
    ("a place of a unit that is not there", |tree| {
        let row = tree.places.iter().position(|place| *place == ABSENT);
        tree.places[row.expect("a row not in use")] = 0;
    }),
    (
        "cells that are smaller than those it was built with",
        |tree| {
            tree.cell_size = 0.4;
        },
    ),
    ("the count of units", |tree| tree.unit_count += 1),
    ("no list of free nodes", |tree| tree.free = NO_NODE),
    ("a box on a shelf", |tree| {
        let shelf = shelf(tree);
        tree.shelves.list[shelf].spoil_box(0);
    }),
    ("two things on a shelf in each other's place", |tree| {
        let shelf = shelf(tree);
        tree.shelves.list[shelf].exchange(0, 1);
    }),
    ("something behind what is on a shelf", |tree| {
        let shelf = shelf(tree);
        let free = tree.shelves.list[shelf].len();
        tree.shelves.list[shelf].spoil_box(free);
    }),
    ("how many things are on a shelf", |tree| {
        let shelf = shelf(tree);
        tree.shelves.list[shelf].count -= 1;
    }),
    ("where buckets are on a shelf", |tree| {
        let shelf = shelf(tree);
        tree.shelves.list[shelf].buckets ^= 1;
    }),
    ("whose shelf it is", |tree| {
        let shelf = shelf(tree);
        tree.shelves.list[shelf].top ^= 1;
    }),
    ("the place of a shelf", |tree| {
        let shelf = shelf(tree);
        tree.shelves.list[shelf].place ^= 1;
    }),
    ("the place of a bucket on a shelf", |tree| {
        let bucket = bucket(tree);
        let place = tree.buckets.shelf_place(bucket);
        tree.buckets.set_shelf_place(bucket, place ^ 1);
    }),
    ("the place of the root on a shelf", |tree| {
        let shelf = tree.nodes[tree.root.index() as usize].shelf;
        tree.shelves.list[shelf as usize].place = 0;
    }),
    ("the shelf of a node", |tree| {
        let node = below_the_root(tree);
        tree.nodes[node].shelf ^= 1;
    }),
    ("a shelf that is none", |tree| {
        let node = below_the_root(tree);
        tree.nodes[node].shelf = 1_000_000;
    }),
    ("a list of free nodes that is a ring", |tree| {
        let free = tree.free;
        tree.nodes[free as usize].parent = free;
    }),
    ("a list of free nodes with one in use", |tree| {
        // It is put in front of the first, so that none too few are listed.
        let used = find(tree, |node| node.parent == NO_NODE) as u32;
        let mut nodes = tree.nodes.iter_mut();
        let last = nodes.find(|node| node.is_free() && node.parent == NO_NODE);
        last.expect("the last free node").parent = used;
        tree.free = tree.nodes[tree.free as usize].parent;
    }),
    ("a free bucket that is not listed", |tree| {
        _ = tree.buckets.take();
    }),
    ("a list of free buckets that is a ring", |tree| {
        let free = tree.buckets.free_list().next().expect("a free bucket");
        tree.buckets.set_fill(free, free as usize);
    }),
    ("a list of free buckets with one in use", |tree| {
        let free = tree.buckets.free_list().last().expect("a free bucket");
        let used = bucket(tree);
        tree.buckets.set_fill(free, used as usize);
    }),
];

/// Damages to a tree of which most have gone, and with them some shelves.
const DAMAGES_TO_WHAT_IS_LEFT: &[Damage<MortonTree>] = &[
    ("a free shelf that is not listed", |tree| {
        tree.shelves.free = NO_SHELF;
    }),
    ("a list of free shelves that is a ring", |tree| {
        let free = tree.shelves.free;
        tree.shelves.list[free as usize].place = free;
    }),
    ("a list of free shelves with one in use", |tree| {
        let used = shelf(tree) as u32;
        let lists = tree.shelves.list.iter_mut();
        let mut free = lists.filter(|shelf| shelf.count == 0 && shelf.place == NO_SHELF);
        free.next().expect("the last free shelf").place = used;
        tree.shelves.free = tree.shelves.list[tree.shelves.free as usize].place;
    }),
];

/// Damages to a tree that is one bucket, beside which another one is free.
const DAMAGES_BESIDE_A_FREE_BUCKET: &[Damage<MortonTree>] =
    &[("a list of free buckets with one in use instead", |tree| {
        tree.buckets.free = tree.root.index();
    })];

/// Damages to a tree that is one bucket.
const DAMAGES_TO_A_BUCKET: &[Damage<MortonTree>] =
    &[("the root's box", |tree| tree.root_box.max.x += 1.0)];

/// Damages to a tree of which everybody has gone.
const DAMAGES_TO_NOTHING: &[Damage<MortonTree>] = &[
    ("a box around nobody", |tree| {
        tree.root_box = Aabb::new(Vec2::ZERO, Vec2::ONE);
    }),
    ("a root above nobody", |tree| {
        tree.root = Link::bucket(tree.buckets.take());
    }),
];

#[test]
fn every_damage_is_noticed() {
    let knobs = [("cell_size", "0.5"), ("bucket", "4")];
    let mut patient = Patient::new(Crowd::Even, 400, true, &knobs).aged();
    patient.follow(|trial| trial.fall(40));
    patient.notices(DAMAGES);
    let mut patient = Patient::new(Crowd::Even, 400, true, &knobs);
    patient.follow(|trial| trial.fall(330));
    patient.notices(DAMAGES_TO_WHAT_IS_LEFT);
    Patient::new(Crowd::Even, 3, true, &knobs).notices(DAMAGES_TO_A_BUCKET);
    let mut patient = Patient::new(Crowd::Even, 5, true, &knobs);
    patient.follow(|trial| trial.fall(3));
    patient.notices(DAMAGES_BESIDE_A_FREE_BUCKET);
    let mut patient = Patient::new(Crowd::Even, 20, true, &knobs);
    patient.follow(|trial| trial.fall(20));
    patient.notices(DAMAGES_TO_NOTHING);
}
