//! Damage to a BSP tree, which its check has to notice.

use super::nodes::NONE;
use super::*;
use crate::geometry::Vec2;
use crate::partition::damage::{Damage, Patient};
use crate::partition::trial::Crowd;

/// A node and the two leaves below it.
fn above_leaves(tree: &BspTree) -> (usize, [Branch; 2]) {
    let mut nodes = tree.nodes.iter();
    let has_leaves = |node: &Node| node.branches.iter().all(|branch| branch.link.is_leaf());
    let node = nodes.position(has_leaves).expect("a node above two leaves");
    (node, tree.nodes[node].branches)
}

/// A node above two leaves of as many units.
fn above_equals(tree: &BspTree) -> (usize, [Branch; 2]) {
    let mut nodes = tree.nodes.iter();
    let is_it = |node: &Node| {
        let [a, b] = node.branches;
        a.link.is_leaf() && b.link.is_leaf() && a.count == b.count
    };
    let node = nodes.position(is_it).expect("a node above two like leaves");
    (node, tree.nodes[node].branches)
}

/// A leaf with a node above it.
fn leaf(tree: &BspTree) -> u32 {
    let (_, [_, second]) = above_leaves(tree);
    second.link.index()
}

/// The first slot of such a leaf, in which there are two units at least.
fn first_slot(tree: &BspTree) -> usize {
    tree.slots.start(leaf(tree)) as usize
}

/// Gives the leaf on one side of a node so many units of the other one, where they are three and two on one spot.
fn share(tree: &mut BspTree, side: usize, moves: u32) {
    let is_it = |node: &Node| {
        let [a, b] = node.branches;
        let is_spot = a.bounds.min == a.bounds.max && b.bounds == a.bounds;
        a.link.is_leaf() && b.link.is_leaf() && (a.count, b.count) == (3, 2) && is_spot
    };
    let node = tree.nodes.iter().position(is_it);
    let node = node.expect("a node whose units are all on one spot");
    for _ in 0..moves {
        let branches = &mut tree.nodes[node].branches;
        branches[1 - side].count -= 1;
        let [from, to] = [branches[1 - side], branches[side]];
        branches[side].count += 1;
        let last = tree.slots.start(from.link.index()) + from.count;
        let slot = tree.slots.start(to.link.index()) + to.count;
        let (unit, body) = tree.slots.read(last);
        tree.slots.write(slot, unit, body);
        tree.places[unit as usize] = slot;
    }
}

fn is_strictly_within(inner: Aabb, outer: Aabb) -> bool {
    inner.min.cmpgt(outer.min).all() && inner.max.cmplt(outer.max).all()
}

/// A slot whose body is not at the border of its leaf's box.
fn inside(tree: &BspTree) -> u32 {
    let branches = tree.nodes.iter().flat_map(|node| node.branches);
    let mut leaves = branches.filter(|branch| branch.link.is_leaf());
    leaves
        .find_map(|leaf| {
            let mut units = tree.run(leaf).units();
            let place = units.position(|(_, body)| {
                body.min != body.max && is_strictly_within(body, leaf.bounds)
            })?;
            Some(tree.slots.start(leaf.link.index()) + place as u32)
        })
        .expect("a body inside of its leaf's box")
}

const DAMAGES: &[Damage<BspTree>] = &[
    ("no root", |tree| tree.root = Branch::NONE),
    ("the root is no node", |tree| {
        tree.root.link = Link::inner(1_000_000);
    }),
    ("the root is no leaf", |tree| {
        tree.root.link = Link::leaf(1_000_000);
    }),
    ("the root's box", |tree| {
        tree.root.bounds.max.x += 1.0;
    }),
    ("the root's count", |tree| tree.root.count += 1),
    ("the place of a node", |tree| {
        let (node, _) = above_leaves(tree);
        tree.nodes[node].place = Place::of(1_000, 1);
    }),
    ("a node that says it is free", |tree| {
        let (node, _) = above_leaves(tree);
        tree.nodes[node].branches[0].link = Link::NONE;
    }),
    ("a branch that is no leaf", |tree| {
        let (node, _) = above_leaves(tree);
        tree.nodes[node].branches[1].link = Link::leaf(1_000_000);
    }),
    ("a leaf without units", |tree| {
        let (node, _) = above_leaves(tree);
        tree.nodes[node].branches[1].count = 0;
    }),
    ("the box of a leaf", |tree| {
        let (node, _) = above_leaves(tree);
        let bounds = &mut tree.nodes[node].branches[1].bounds;
        *bounds = Aabb::new(bounds.center(), bounds.center());
    }),
    ("a place of a unit that is not there", |tree| {
        let mut places = tree.places.iter_mut();
        let absent = places.find(|place| **place == NONE);
        *absent.expect("a row not in use") = 0;
    }),
    ("two units in each other's slot", |tree| {
        let start = first_slot(tree);
        let ids = tree.slots.ids();
        let [a, b] = [ids[start], ids[start + 1]].map(|unit| unit as usize);
        tree.places.swap(a, b);
    }),
    ("a unit that is there twice", |tree| {
        let start = first_slot(tree);
        let ids = tree.slots.ids();
        ids[start + 1] = ids[start];
    }),
    ("a body that is copied wrongly", |tree| {
        let slot = inside(tree);
        let (_, body) = tree.slots.read(slot);
        let spot = body.center();
        tree.slots.write_box(slot, Aabb::new(spot, spot));
    }),
    ("the place of a leaf", |tree| {
        let leaf = leaf(tree);
        tree.owners[leaf as usize] = Place::of(1_000, 1);
    }),
    ("a node that nobody knows", |tree| {
        let (node, _) = above_leaves(tree);
        tree.nodes.push(tree.nodes[node]);
        tree.cuts.push(tree.cuts[node]);
    }),
    ("a free node that nobody knows", |tree| {
        tree.nodes.push(Node::FREE);
        tree.cuts.push(LineCut::UNCUT);
    }),
    ("a node in use that is said to be free", |tree| {
        let (node, _) = above_leaves(tree);
        tree.free_nodes.push(node as u32);
    }),
    ("a node that is said to be free twice", |tree| {
        tree.nodes.extend([Node::FREE; 2]);
        tree.cuts.extend([LineCut::UNCUT; 2]);
        let node = tree.nodes.len() as u32 - 1;
        tree.free_nodes.extend([node; 2]);
    }),
    ("a cut that nobody knows", |tree| {
        tree.cuts.push(LineCut::UNCUT);
    }),
    ("a free leaf that nobody knows", |tree| {
        tree.owners.push(Place::NOWHERE);
        let leaves = tree.owners.len();
        tree.slots.resize(leaves);
    }),
    ("a leaf in use that is said to be free", |tree| {
        let leaf = leaf(tree);
        tree.free_leaves.push(leaf);
    }),
    ("a leaf that is said to be free twice", |tree| {
        tree.owners.extend([Place::NOWHERE; 2]);
        let leaves = tree.owners.len();
        tree.slots.resize(leaves);
        tree.free_leaves.extend([leaves as u32 - 1; 2]);
    }),
    ("leaves without slots", |tree| {
        let leaves = tree.owners.len();
        tree.owners.push(Place::NOWHERE);
        tree.free_leaves.push(leaves as u32);
        tree.slots.resize(leaves);
    }),
    ("a line through another crowd", |tree| {
        let (node, [a, b]) = above_leaves(tree);
        tree.nodes[node].edits = 2 * (a.count + b.count) + 1;
    }),
    ("two leaves in each other's place", |tree| {
        let (node, [first, second]) = above_equals(tree);
        tree.nodes[node].branches = [second, first];
    }),
    ("leaves that are too full", |tree| tree.leaf_size = 1),
    ("a line on the wrong side of some units", |tree| {
        let (node, _) = above_leaves(tree);
        tree.cuts[node].at += 1.0e6;
    }),
    ("a line on the other wrong side", |tree| {
        let (node, _) = above_leaves(tree);
        tree.cuts[node].at -= 1.0e6;
    }),
    ("how far the first side reaches", |tree| {
        let (node, _) = above_leaves(tree);
        tree.cuts[node].high -= 1.0e6;
    }),
    ("how far the second side reaches", |tree| {
        let (node, _) = above_leaves(tree);
        tree.cuts[node].low += 1.0e6;
    }),
];

/// Damages to a tree over many units on few spots.
const DAMAGES_ON_A_SPOT: &[Damage<BspTree>] = &[
    ("a side of more than two thirds", |tree| share(tree, 0, 1)),
    ("another side of more than two thirds", |tree| {
        share(tree, 1, 2)
    }),
    ("a node with few units", |tree| tree.leaf_size *= 4),
];

/// Damages to a tree that is one leaf.
const DAMAGES_TO_A_LEAF: &[Damage<BspTree>] = &[
    ("a leaf beyond all leaves", |tree| {
        tree.root.count = tree.slots.ids().len() as u32;
        tree.leaf_size = 1_000;
    }),
    ("a leaf that is not there", |tree| {
        tree.root.link = Link::leaf(1);
    }),
];

/// Damages to a tree with a single unit.
const DAMAGES_TO_ONE: &[Damage<BspTree>] = &[("a leaf without units", |tree| {
    let leaf = tree.take_leaf(Place::of(0, 1));
    let branch = Branch {
        bounds: Aabb::EMPTY,
        link: Link::leaf(leaf),
        count: 0,
    };
    tree.owners[tree.root.link.index() as usize] = Place::of(0, 0);
    tree.nodes.push(Node {
        branches: [tree.root, branch],
        ..Node::at(Place::ROOT)
    });
    tree.root = tree.nodes[0].branch(0);
    tree.cuts.push(LineCut {
        normal: Vec2::X,
        at: 1.0e6,
        high: 1.0e6,
        low: 1.0e6,
    });
})];

/// Damages to a tree of which everybody has gone.
const DAMAGES_TO_NOTHING: &[Damage<BspTree>] = &[
    ("a box around nobody", |tree| {
        tree.root.bounds = Aabb::new(Vec2::ZERO, Vec2::ONE);
    }),
    ("a count of nobody", |tree| tree.root.count = 1),
];

#[test]
fn every_damage_is_noticed() {
    let knobs = [("leaf_size", "4")];
    let patient = Patient::new(Crowd::Even, 400, true, &knobs).aged();
    patient.notices(DAMAGES);
    Patient::new(Crowd::Lattice, 300, false, &knobs).notices(DAMAGES_ON_A_SPOT);
    Patient::new(Crowd::Even, 4, true, &knobs).notices(DAMAGES_TO_A_LEAF);
    Patient::new(Crowd::Even, 1, true, &knobs).notices(DAMAGES_TO_ONE);
    let mut patient = Patient::new(Crowd::Even, 20, true, &knobs);
    patient.follow(|trial| trial.fall(20));
    patient.notices(DAMAGES_TO_NOTHING);
}
