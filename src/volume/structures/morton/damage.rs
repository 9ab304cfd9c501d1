//! Damage to a Morton tree, which its check has to notice.

use super::*;
use crate::partition::damage::Damage;
use crate::volume::Vec3;
use crate::volume::trial::{Crowd, Patient};

/// A node, not the root, that is as wanted.
fn find(tree: &MortonTree3, wanted: impl Fn(&Node, &Record) -> bool) -> usize {
    let mut nodes = 0..tree.nodes.len();
    let is_wanted = |node: &usize| {
        *node as u32 != tree.root && wanted(&tree.nodes[*node], &tree.records[*node])
    };
    nodes.find(is_wanted).expect("a node")
}

fn bucket(tree: &MortonTree3) -> usize {
    find(tree, |node, record| {
        record.bit == BUCKET && node.list.load > 1
    })
}

fn inner_node(tree: &MortonTree3) -> usize {
    find(tree, |_, record| record.bit < BUCKET)
}

/// The slot of somebody in a bucket.
fn slot(tree: &MortonTree3) -> u32 {
    tree.nodes[bucket(tree)].list.head * 8
}

const DAMAGES: &[Damage<MortonTree3>] = &[
    ("the root is nobody", |tree| tree.root = NONE),
    ("the root is no node", |tree| tree.root = u32::MAX - 1),
    ("the root is a child", |tree| {
        tree.root = inner_node(tree) as u32;
    }),
    ("somebody else's child", |tree| {
        let node = inner_node(tree);
        tree.records[node].parent += 1;
    }),
    ("children exchanged", |tree| {
        let node = inner_node(tree);
        tree.nodes[node].children.swap(0, 1);
    }),
    ("a child that is its own parent", |tree| {
        let node = inner_node(tree);
        tree.nodes[node].children[0] = node as u32;
    }),
    ("a child that is no node", |tree| {
        let node = inner_node(tree);
        tree.nodes[node].children[1] = u32::MAX - 1;
    }),
    ("a branch bit that is too high", |tree| {
        let node = inner_node(tree);
        tree.records[node].bit += 40;
    }),
    ("a key of another place", |tree| {
        let node = inner_node(tree);
        tree.records[node].key ^= 1 << 94;
    }),
    ("an inner node with units", |tree| {
        let (node, bucket) = (inner_node(tree), bucket(tree));
        tree.nodes[node].list = tree.nodes[bucket].list;
    }),
    ("an inner node that is said to be a bucket", |tree| {
        let node = inner_node(tree);
        tree.records[node].bit = BUCKET;
    }),
    ("a box that is too small", |tree| {
        let node = inner_node(tree);
        tree.nodes[node].bounds.min.x += 0.5;
    }),
    ("a bucket's box that is too large", |tree| {
        let bucket = bucket(tree);
        let bounds = tree.nodes[bucket].bounds;
        tree.nodes[bucket].bounds = bounds.grown(Vec3::ONE);
    }),
    ("a bucket that counts one more", |tree| {
        let bucket = bucket(tree);
        tree.nodes[bucket].list.load += 1;
    }),
    ("a bucket that has lost its units", |tree| {
        let bucket = bucket(tree);
        tree.nodes[bucket].list = List::EMPTY;
    }),
    ("buckets that are too full", |tree| tree.bucket = 1),
    ("cells of another size", |tree| tree.cell_size = 3.0),
    ("free nodes that are lost", |tree| tree.free = NONE),
    ("free nodes in a circle", |tree| {
        let first = tree.free;
        tree.nodes[first as usize].children[0] = first;
    }),
    ("a free node that is said to be used", |tree| {
        let first = tree.free as usize;
        tree.records[first].bit = BUCKET;
    }),
    ("a record too many", |tree| {
        tree.records.push(tree.records[0])
    }),
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
    ("a unit there twice", |tree| {
        let slot = slot(tree);
        tree.blocks.harm_unit(slot, tree.blocks.unit(slot + 1));
    }),
    ("a block that is another's", |tree| {
        let slot = slot(tree);
        tree.blocks.harm_owner(slot, u32::MAX - 3);
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
];

#[test]
fn damage_is_noticed() {
    for sized in [false, true] {
        let patient = Patient::<MortonTree3>::aged(Crowd::Even, sized, &[("bucket", "6")]);
        assert!(patient.index.free_count > 0);
        patient.notices(DAMAGES);
    }
}
