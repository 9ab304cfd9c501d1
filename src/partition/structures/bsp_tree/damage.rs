//! Damage to a BSP tree, which its check has to notice: what it shares with other trees is damaged here, too.

use super::*;
use crate::geometry::Vec2;
use crate::partition::damage::{Damage, Patient};
use crate::partition::toolkit::box_tree::{Branch, HEIGHT_LIMIT, Link, NONE, Node};
use crate::partition::trial::Crowd;

/// A node and the two leaves below it.
fn above_leaves(tree: &BspTree) -> (usize, [Branch; 2]) {
    let mut nodes = tree.median.tree.nodes.iter();
    let has_leaves = |node: &Node| node.branches.iter().all(|branch| branch.link.is_leaf());
    let node = nodes.position(has_leaves).expect("a node above two leaves");
    (node, tree.median.tree.nodes[node].branches)
}

/// A node above two leaves of as many units.
fn above_equals(tree: &BspTree) -> (usize, [Branch; 2]) {
    let mut nodes = tree.median.tree.nodes.iter();
    let is_it = |node: &Node| {
        let [a, b] = node.branches;
        a.link.is_leaf() && b.link.is_leaf() && a.count == b.count
    };
    let node = nodes.position(is_it).expect("a node above two like leaves");
    (node, tree.median.tree.nodes[node].branches)
}

/// Gives the leaves of a node other shares of their units, who all are on one spot.
fn share(tree: &mut BspTree, first: impl Fn(u32) -> u32) {
    let slots = &tree.median.tree.slots;
    let nodes = tree.median.tree.nodes.iter();
    let are_alike = |node: &Node| {
        let [a, b] = node.branches;
        let spot = a.bounds;
        let is_spot = spot.min == spot.max && b.bounds == spot;
        a.link.is_leaf() && b.link.is_leaf() && a.count == b.count && is_spot
    };
    assert!(!slots.are_sized);
    let node = nodes.enumerate().find(|(_, node)| are_alike(node));
    let (node, _) = node.expect("a node whose units are all on one spot");
    let [a, b] = &mut tree.median.tree.nodes[node].branches;
    let all = a.count + b.count;
    a.count = first(a.count);
    b.count = all - a.count;
    b.link = Link::leaf(a.link.index() + a.count);
}

fn is_strictly_within(inner: Aabb, outer: Aabb) -> bool {
    inner.min.cmpgt(outer.min).all() && inner.max.cmplt(outer.max).all()
}

/// A slot whose body is not at the border of its leaf's box.
fn inside(tree: &BspTree) -> usize {
    let tree = &tree.median.tree;
    let branches = tree.nodes.iter().flat_map(|node| node.branches);
    let mut leaves = branches.filter(|branch| branch.link.is_leaf());
    leaves
        .find_map(|leaf| {
            let mut units = tree.run(leaf).units();
            let place = units.position(|(_, body)| {
                body.min != body.max && is_strictly_within(body, leaf.bounds)
            })?;
            Some(leaf.link.index() as usize + place)
        })
        .expect("a body inside of its leaf's box")
}

const DAMAGES: &[Damage<BspTree>] = &[
    ("no root", |tree| tree.median.tree.root = Branch::NONE),
    ("the root is no node", |tree| {
        tree.median.tree.root.link = Link::inner(1_000_000);
    }),
    ("the root is no leaf", |tree| {
        tree.median.tree.root.link = Link::leaf(1_000_000);
    }),
    ("the root's box", |tree| {
        tree.median.tree.root.bounds.max.x += 1.0;
    }),
    ("the root's count", |tree| tree.median.tree.root.count += 1),
    ("the parent of a node", |tree| {
        let (node, _) = above_leaves(tree);
        tree.median.tree.nodes[node].parent ^= 1;
    }),
    ("a node that says it is free", |tree| {
        let (node, _) = above_leaves(tree);
        tree.median.tree.nodes[node].branches[0].link = Link::NONE;
    }),
    ("a branch that is no leaf", |tree| {
        let (node, _) = above_leaves(tree);
        tree.median.tree.nodes[node].branches[1].link = Link::leaf(1_000_000);
    }),
    ("a leaf without units", |tree| {
        let (node, _) = above_leaves(tree);
        tree.median.tree.nodes[node].branches[1].count = 0;
    }),
    ("the box of a leaf", |tree| {
        let (node, _) = above_leaves(tree);
        let bounds = &mut tree.median.tree.nodes[node].branches[1].bounds;
        *bounds = Aabb::new(bounds.center(), bounds.center());
    }),
    ("a place of a unit that is not there", |tree| {
        let mut places = tree.median.tree.places.iter_mut();
        let absent = places.find(|place| **place == NONE);
        *absent.expect("a row not in use") = 0;
    }),
    ("two units in each other's slot", |tree| {
        let ids = &tree.median.tree.slots.ids;
        let [a, b] = [ids[0], ids[1]].map(|unit| unit as usize);
        tree.median.tree.places.swap(a, b);
    }),
    ("a unit that is there twice", |tree| {
        tree.median.tree.slots.ids[1] = tree.median.tree.slots.ids[0];
    }),
    ("a body that is copied wrongly", |tree| {
        let slot = inside(tree);
        let run = tree.median.tree.slots.run(slot as u32, 1);
        let spot = run.bounds().center();
        let slots = &mut tree.median.tree.slots;
        slots.write_box(slot, Aabb::new(spot, spot));
    }),
    ("a node that nobody knows", |tree| {
        let node = tree.median.tree.nodes[0];
        tree.median.tree.nodes.push(node);
    }),
    ("a cut that nobody knows", |tree| {
        let cut = tree.median.cuts[0];
        tree.median.cuts.push(cut);
    }),
    ("two leaves in each other's place", |tree| {
        let (node, [first, second]) = above_equals(tree);
        tree.median.tree.nodes[node].branches = [second, first];
    }),
    ("leaves that are too full", |tree| tree.median.leaf_size = 1),
    ("a line on the wrong side of some units", |tree| {
        let (node, _) = above_leaves(tree);
        tree.median.cuts[node].at += 1.0e6;
    }),
    ("a line on the other wrong side", |tree| {
        let (node, _) = above_leaves(tree);
        tree.median.cuts[node].at -= 1.0e6;
    }),
    ("how far the first side reaches", |tree| {
        let (node, _) = above_leaves(tree);
        tree.median.cuts[node].high -= 1.0e6;
    }),
    ("how far the second side reaches", |tree| {
        let (node, _) = above_leaves(tree);
        tree.median.cuts[node].low += 1.0e6;
    }),
];

/// Damages to a tree over many units on few spots.
const DAMAGES_ON_A_SPOT: &[Damage<BspTree>] = &[
    ("a second half that is smaller", |tree| {
        share(tree, |count| count + 1);
    }),
    ("a second half that is larger", |tree| {
        share(tree, |count| count - 1);
    }),
];

/// Damages to a tree that is one leaf, whose units may be more than any leaf may hold.
const DAMAGES_TO_A_LEAF: &[Damage<BspTree>] = &[
    ("a leaf beyond all leaves", |tree| {
        let tree = &mut tree.median;
        let bounds = tree.tree.root.bounds;
        tree.tree.nodes.clear();
        tree.cuts.clear();
        tree.tree.root = Branch {
            bounds,
            link: Link::leaf(0),
            count: tree.tree.slots.ids.len() as u32,
        };
        tree.leaf_size = 1_000;
    }),
    ("a tree that is too high", |tree| {
        // Each node has one unit on its first side, and all others on its second.
        let tree = &mut tree.median.tree;
        let count = tree.slots.ids.len() as u32;
        let branch = |link, start| Branch {
            bounds: tree.slots.run(start, 1).bounds(),
            link,
            count: 1,
        };
        let mut nodes = Vec::new();
        for start in 0..count - 1 {
            nodes.push(Node {
                branches: [branch(Link::leaf(start), start), Branch::NONE],
                parent: start.checked_sub(1).unwrap_or(NONE),
                height: 0,
            });
        }
        let mut below = branch(Link::leaf(count - 1), count - 1);
        for (index, node) in nodes.iter_mut().enumerate().rev() {
            node.branches[1] = below;
            below = node.branch(index as u32);
        }
        assert!(nodes.len() > HEIGHT_LIMIT);
        (tree.nodes, tree.root) = (nodes, below);
    }),
];

/// Damages to a tree with a single unit.
const DAMAGES_TO_ONE: &[Damage<BspTree>] = &[("a leaf without units", |tree| {
    let tree = &mut tree.median;
    let branch = Branch {
        bounds: Aabb::EMPTY,
        link: Link::leaf(1),
        count: 0,
    };
    tree.tree.nodes.push(Node {
        branches: [tree.tree.root, branch],
        parent: NONE,
        height: 0,
    });
    tree.tree.root = tree.tree.nodes[0].branch(0);
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
        tree.median.tree.root.bounds = Aabb::new(Vec2::ZERO, Vec2::ONE);
    }),
    ("a count of nobody", |tree| tree.median.tree.root.count = 1),
];

#[test]
fn every_damage_is_noticed() {
    let knobs = [("leaf_size", "4")];
    let patient = Patient::new(Crowd::Even, 400, true, &knobs).aged();
    patient.notices(DAMAGES);
    Patient::new(Crowd::Lattice, 400, false, &knobs).notices(DAMAGES_ON_A_SPOT);
    Patient::new(Crowd::Even, 80, true, &knobs).notices(DAMAGES_TO_A_LEAF);
    Patient::new(Crowd::Even, 1, true, &knobs).notices(DAMAGES_TO_ONE);
    let mut patient = Patient::new(Crowd::Even, 20, true, &knobs);
    patient.follow(|trial| trial.fall(20));
    patient.notices(DAMAGES_TO_NOTHING);
}
