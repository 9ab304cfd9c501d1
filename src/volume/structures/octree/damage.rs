//! Damage to an octree, which its check has to notice.

use super::*;
use crate::partition::damage::Damage;
use crate::volume::trial::{Crowd, Patient};

/// A node, not the root, that is as wanted.
fn find(tree: &Octree, wanted: impl Fn(&Node, &Record) -> bool) -> usize {
    let mut others = 1..tree.nodes.len();
    let is_wanted = |node: &usize| wanted(&tree.nodes[*node], &tree.records[*node]);
    others.find(is_wanted).expect("a node")
}

fn leaf_with_units(tree: &Octree) -> usize {
    find(tree, |node, record| {
        record.depth != FREE && node.is_leaf() && node.total > 1
    })
}

fn inner_node(tree: &Octree) -> usize {
    find(tree, |node, record| record.depth != FREE && !node.is_leaf())
}

fn free_node(tree: &Octree) -> usize {
    find(tree, |_, record| record.depth == FREE)
}

/// The slot of somebody in a leaf.
fn slot(tree: &Octree) -> u32 {
    tree.nodes[leaf_with_units(tree)].list.head * 8
}

fn far_away(body: Aabb3) -> Aabb3 {
    body.grown(Vec3::splat(-1.0))
}

const DAMAGES: &[Damage<Octree>] = &[
    ("the root has a parent", |tree| tree.records[0].parent = 1),
    ("the root does not hold everything", |tree| {
        tree.nodes[0].bounds = tree.records[0].cell;
    }),
    ("the root counts one more", |tree| tree.nodes[0].total += 1),
    ("a leaf counts one more", |tree| {
        let leaf = leaf_with_units(tree);
        tree.nodes[leaf].total += 1;
    }),
    ("a leaf's list counts one less", |tree| {
        let leaf = leaf_with_units(tree);
        tree.nodes[leaf].list.load -= 1;
    }),
    ("a leaf has another number of those who fit", |tree| {
        let leaf = leaf_with_units(tree);
        tree.records[leaf].fitting -= 1;
    }),
    ("a leaf has lost its units", |tree| {
        let leaf = leaf_with_units(tree);
        tree.nodes[leaf].list = List::EMPTY;
    }),
    ("an inner node has lost its children", |tree| {
        let node = inner_node(tree);
        tree.nodes[node].children = NONE;
    }),
    ("children that are no nodes", |tree| {
        let node = inner_node(tree);
        tree.nodes[node].children = u32::MAX - 7;
    }),
    ("children that are the node itself", |tree| {
        let node = inner_node(tree);
        tree.nodes[node].children = node as u32;
    }),
    ("somebody else's child", |tree| {
        let node = inner_node(tree);
        tree.records[node].parent += 1;
    }),
    ("a depth that is wrong", |tree| {
        let node = inner_node(tree);
        tree.records[node].depth += 1;
    }),
    ("a cell that is too small", |tree| {
        let leaf = leaf_with_units(tree);
        tree.records[leaf].cell = far_away(tree.records[leaf].cell);
    }),
    ("a box that is too small", |tree| {
        let leaf = leaf_with_units(tree);
        tree.nodes[leaf].bounds = far_away(tree.nodes[leaf].bounds);
    }),
    ("leaves that are too full", |tree| tree.capacity = 1),
    ("nodes that should have merged", |tree| tree.capacity = 64),
    ("nodes that are too deep", |tree| tree.depth_cap = 1),
    ("a slot that leads elsewhere", |tree| {
        let unit = tree.blocks.unit(slot(tree));
        tree.slots[unit as usize] += 1;
    }),
    ("a slot too many", |tree| {
        let row = tree.slots.iter().position(|slot| *slot == NONE);
        tree.slots[row.expect("a row that is not in use")] = 0;
    }),
    ("a copy that is elsewhere", |tree| {
        let slot = slot(tree);
        tree.blocks.harm_copy(slot);
    }),
    ("a unit under another's name", |tree| {
        let slot = slot(tree);
        tree.blocks.harm_unit(slot, u32::MAX - 5);
    }),
    ("a unit there twice", |tree| {
        let slot = slot(tree);
        tree.blocks.harm_unit(slot, tree.blocks.unit(slot + 1));
    }),
    ("a block that is another's", |tree| {
        let slot = slot(tree);
        tree.blocks.harm_owner(slot, 0);
    }),
    ("a block that is too short", |tree| {
        let slot = slot(tree);
        tree.blocks.harm_length(slot);
    }),
    ("blocks without an end", |tree| {
        let slot = slot(tree);
        tree.blocks.harm_chain(slot);
    }),
    ("a free block too many", |tree| tree.blocks.harm_free()),
    ("free nodes that are lost", |tree| tree.free = NONE),
    ("free nodes in a circle", |tree| {
        let first = tree.free as usize;
        tree.nodes[first].children = first as u32;
    }),
    ("a free node that is said to be used", |tree| {
        let node = free_node(tree);
        tree.records[node].depth = 1;
    }),
    ("a free node with a unit", |tree| {
        let node = free_node(tree);
        tree.nodes[node].total = 1;
    }),
    ("a record too many", |tree| {
        tree.records.push(tree.records[0]);
    }),
];

#[test]
fn damage_is_noticed() {
    for sized in [false, true] {
        let knobs = [("capacity", "6"), ("looseness", "1.25")];
        let patient = Patient::<Octree>::aged(Crowd::Even, sized, &knobs);
        assert!(patient.index.free_count > 0);
        patient.notices(DAMAGES);
    }
}
