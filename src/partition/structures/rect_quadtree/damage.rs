//! Damage to a rectangle quadtree, which its check has to notice.

use super::four::seat_of;
use super::pool::{BLOCK, FREE, NONE, Node, Record};
use super::*;
use crate::partition::damage::{Damage, Patient};
use crate::partition::trial::Crowd;

/// A node in use, not the root, that is as wanted.
fn find(tree: &RectQuadtree, wanted: impl Fn(&Node, &Record) -> bool) -> usize {
    let is_it = |index: &usize| {
        let record = &tree.pool.records[*index];
        record.depth != FREE && wanted(&tree.pool.nodes[*index], record)
    };
    (1..tree.pool.nodes.len()).find(is_it).expect("such a node")
}

fn leaf_with_bodies(tree: &RectQuadtree) -> usize {
    find(tree, |node, record| node.is_leaf() && record.own > 1)
}

/// A cell may change a little where nobody asks whether he fits.
fn empty_leaf(tree: &RectQuadtree) -> usize {
    find(tree, |node, _| node.is_empty())
}

fn inner_node(tree: &RectQuadtree) -> usize {
    find(tree, |node, _| !node.is_leaf())
}

/// The first slot of a node that has bodies.
fn slot_in(tree: &RectQuadtree, node: usize) -> u32 {
    tree.pool.nodes[node].blocks * BLOCK as u32
}

/// Counts a body more, or fewer, in a node and all above it.
fn count_up(tree: &mut RectQuadtree, mut node: u32, more: i32) {
    while node != NONE {
        let record = &mut tree.pool.records[node as usize];
        record.total = record.total.wrapping_add_signed(more);
        node = record.parent;
    }
}

/// Takes the first body of one node to another, and keeps all books.
fn carry(tree: &mut RectQuadtree, from: usize, to: usize) {
    let slot = slot_in(tree, from);
    let (unit, body) = tree.pool.body(slot);
    if let Some(moved) = tree.pool.swap_remove(slot) {
        tree.places[moved as usize] = slot;
    }
    count_up(tree, from as u32, -1);
    tree.places[unit as usize] = tree.pool.push(to as u32, unit, body);
    count_up(tree, to as u32, 1);
    for node in [from as u32, to as u32] {
        if tree.pool.nodes[node as usize].is_leaf() {
            tree.recount_fitting(node);
        }
    }
}

/// A node with more than one block.
fn long_node(tree: &RectQuadtree) -> usize {
    let has_next = |node: &Node| {
        let owner = tree.pool.owners.get(node.blocks as usize);
        owner.is_some_and(|owner| owner.next != NONE)
    };
    let mut nodes = tree.pool.nodes.iter();
    nodes.position(has_next).expect("a node with two blocks")
}

const DAMAGES: &[Damage<RectQuadtree>] = &[
    ("the root has a parent", |tree| {
        tree.pool.records[0].parent = 1;
    }),
    ("the root has a depth", |tree| {
        tree.pool.records[0].depth = 1;
    }),
    ("four boxes too many", |tree| {
        let four = tree.pool.fours[0];
        tree.pool.fours.push(four);
    }),
    ("a box among those of four", |tree| {
        let bounds = tree.pool.nodes[1].bounds;
        let (four, at) = seat_of(1);
        tree.pool.fours[four as usize].set_bounds(at, bounds.grown(Vec2::splat(0.01)));
    }),
    ("a load among those of four", |tree| {
        let leaf = leaf_with_bodies(tree) as u32;
        let mut contents = tree.pool.truth(leaf);
        contents.load -= 1;
        let (four, at) = seat_of(leaf);
        tree.pool.fours[four as usize].set_contents(at, contents);
    }),
    ("children among those of four", |tree| {
        let node = inner_node(tree) as u32;
        let mut contents = tree.pool.truth(node);
        contents.four = NONE;
        let (four, at) = seat_of(node);
        tree.pool.fours[four as usize].set_contents(at, contents);
    }),
    ("a record too many", |tree| {
        let record = tree.pool.records[0];
        tree.pool.records.push(record);
    }),
    ("nodes without records", |tree| {
        tree.pool.records.truncate(9)
    }),
    ("no nodes at all", |tree| {
        tree.pool.records.clear();
        tree.pool.nodes.clear();
    }),
    ("the cut of a leaf", |tree| {
        let leaf = empty_leaf(tree);
        tree.pool.nodes[leaf].cut.x += 0.1;
    }),
    ("a total too large", |tree| {
        let leaf = leaf_with_bodies(tree);
        tree.pool.records[leaf].total += 1;
    }),
    ("a total beyond all numbers", |tree| {
        let leaf = leaf_with_bodies(tree);
        tree.pool.records[leaf].total = u32::MAX;
    }),
    ("a root's total", |tree| tree.pool.records[0].total -= 1),
    ("leaves that should have split", |tree| tree.capacity = 1),
    ("nodes that should have merged", |tree| tree.capacity = 64),
    ("a place of a unit that is not there", |tree| {
        let row = tree.places.iter().position(|place| *place == NONE);
        tree.places[row.expect("a row not in use")] = 0;
    }),
    ("a unit that is lost", |tree| {
        let leaf = leaf_with_bodies(tree);
        let slot = slot_in(tree, leaf);
        if let Some(moved) = tree.pool.swap_remove(slot) {
            tree.places[moved as usize] = slot;
        }
        count_up(tree, leaf as u32, -1);
        tree.recount_fitting(leaf as u32);
    }),
    ("a unit that is there twice", |tree| {
        let leaf = leaf_with_bodies(tree);
        let (unit, body) = tree.pool.body(slot_in(tree, leaf));
        tree.places[unit as usize] = tree.pool.push(leaf as u32, unit, body);
        count_up(tree, leaf as u32, 1);
        tree.recount_fitting(leaf as u32);
    }),
    ("nodes that nobody knows", |tree| {
        for _ in 0..4 {
            let (node, record) = (tree.pool.nodes[0], tree.pool.records[0]);
            tree.pool.nodes.push(node);
            tree.pool.records.push(record);
        }
    }),
    ("a free node that looks used", |tree| {
        let mut records = tree.pool.records.iter_mut();
        let last = records.rfind(|record| record.depth == FREE);
        last.expect("a free node").depth = 1;
    }),
    ("the count of free nodes", |tree| {
        tree.pool.free_node_count += 4;
    }),
    ("the count of free blocks", |tree| {
        tree.pool.free_block_count += 1;
    }),
    ("blocks that nobody knows", |tree| {
        let owner = tree.pool.owners[0];
        tree.pool.owners.push(owner);
    }),
    ("a free node that is not listed", |tree| {
        let free = tree.pool.take_four();
        tree.pool.free_node_count += 4;
        tree.pool.records[free as usize].parent = NONE;
    }),
    ("a list of free nodes that is a ring", |tree| {
        let free = tree.pool.take_four();
        tree.pool.free_four(free);
        tree.pool.free_node_count -= 4;
        tree.pool.records[free as usize].parent = free;
    }),
    ("a list of free blocks that is a ring", |tree| {
        let mut owners = tree.pool.owners.iter();
        let free = owners.position(|owner| owner.node == NONE);
        let free = free.expect("a free block");
        tree.pool.owners[free].next = free as u32;
    }),
    ("a list of free blocks that leads to nothing", |tree| {
        let is_last = |owner: &&mut pool::Owner| owner.node == NONE && owner.next == NONE;
        let last = tree.pool.owners.iter_mut().find(is_last);
        last.expect("the last free block").next = 1_000_000;
    }),
    ("a list of free nodes that ends with one in use", |tree| {
        let records = &tree.pool.records;
        let is_last_but_one = |record: &&Record| {
            let next = records.get(record.parent as usize);
            record.depth == FREE
                && next.is_some_and(|next| next.depth == FREE && next.parent == NONE)
        };
        let place = (1..records.len())
            .step_by(4)
            .find(|place| is_last_but_one(&&records[*place]));
        tree.pool.records[place.expect("two free fours")].parent = ROOT;
    }),
    ("a list of free blocks that ends with one in use", |tree| {
        let owners = &tree.pool.owners;
        let is_last_but_one = |owner: &pool::Owner| {
            let next = owners.get(owner.next as usize);
            owner.node == NONE && next.is_some_and(|next| next.next == NONE)
        };
        let place = owners.iter().position(is_last_but_one);
        let mut used = owners.iter();
        let used = used.position(|owner| owner.node != NONE && owner.next == NONE);
        let used = used.expect("a block in use") as u32;
        tree.pool.owners[place.expect("two free blocks")].next = used;
    }),
    ("a list of free nodes that leads to nothing", |tree| {
        let mut records = tree.pool.records.iter_mut();
        let last = records.find(|record| record.depth == FREE && record.parent == NONE);
        last.expect("the last free node").parent = 1_000_000;
    }),
    ("a child that is no node", |tree| {
        tree.pool.nodes[0].children = 1_000_000;
    }),
    ("children that are another's", |tree| {
        let node = inner_node(tree);
        tree.pool.nodes[node].children = tree.pool.nodes[0].children;
        tree.pool.copy_contents(node as u32);
    }),
    ("the cell of a leaf", |tree| {
        // The same middle, and so the same cut.
        let leaf = empty_leaf(tree);
        let record = &mut tree.pool.records[leaf];
        record.cell = record.cell.grown(Vec2::ONE);
    }),
    ("the parent of a leaf", |tree| {
        let leaf = leaf_with_bodies(tree);
        tree.pool.records[leaf].parent = leaf as u32;
    }),
    ("the depth of a leaf", |tree| {
        let leaf = leaf_with_bodies(tree);
        tree.pool.records[leaf].depth += 1;
    }),
    ("the box of a leaf", |tree| {
        let leaf = empty_leaf(tree);
        tree.pool.nodes[leaf].bounds.max.x -= 0.1;
    }),
    ("a node's blocks are none", |tree| {
        let leaf = leaf_with_bodies(tree);
        tree.pool.nodes[leaf].blocks = 1_000_000;
        tree.pool.copy_contents(leaf as u32);
    }),
    ("a block with another owner", |tree| {
        let leaf = leaf_with_bodies(tree);
        let block = tree.pool.nodes[leaf].blocks as usize;
        tree.pool.owners[block].node = 0;
    }),
    ("an empty block", |tree| {
        let leaf = empty_leaf(tree) as u32;
        let slot = tree.pool.push(leaf, 0, Aabb::EMPTY);
        tree.pool.owners[slot as usize / BLOCK].length = 0;
        tree.pool.records[leaf as usize].own = 0;
        tree.pool.copy_contents(leaf);
    }),
    ("a block that is too long", |tree| {
        let leaf = leaf_with_bodies(tree);
        let block = tree.pool.nodes[leaf].blocks as usize;
        tree.pool.owners[block].length = BLOCK as u32 + 1;
    }),
    ("blocks that are a ring", |tree| {
        let leaf = leaf_with_bodies(tree);
        let block = tree.pool.nodes[leaf].blocks;
        tree.pool.owners[block as usize].next = block;
    }),
    ("two units in each other's place", |tree| {
        let leaf = leaf_with_bodies(tree);
        let slot = slot_in(tree, leaf);
        let [a, b] = [slot, slot + 1].map(|slot| tree.pool.body(slot).0 as usize);
        tree.places.swap(a, b);
    }),
    ("a unit filed where it was before", |tree| {
        let leaf = leaf_with_bodies(tree);
        let slot = slot_in(tree, leaf);
        let (unit, body) = tree.pool.body(slot);
        let beyond = tree.pool.nodes[leaf].blocks as usize;
        let beyond = slot + tree.pool.owners[beyond].length;
        tree.pool.write(beyond, unit, body);
        tree.places[unit as usize] = beyond;
    }),
    ("a unit filed nowhere at all", |tree| {
        let (unit, _) = tree.pool.body(slot_in(tree, leaf_with_bodies(tree)));
        tree.places[unit as usize] = 1_000_000;
    }),
    ("a body that is copied wrongly", |tree| {
        let slot = slot_in(tree, leaf_with_bodies(tree));
        let (unit, body) = tree.pool.body(slot);
        tree.pool
            .write(slot, unit, Aabb::new(body.center(), body.center()));
    }),
    ("a body in a leaf that does not hold it", |tree| {
        carry(tree, leaf_with_bodies(tree), empty_leaf(tree));
    }),
    ("a body above the node that holds it", |tree| {
        let crowded = find(tree, |node, record| {
            let above = &tree.pool.records[record.parent as usize];
            node.is_leaf() && record.own > 0 && above.total - above.own > tree.capacity / 2 + 1
        });
        let above = tree.pool.records[crowded].parent as usize;
        carry(tree, crowded, above);
        // As if it was a leaf.
        tree.pool.records[above].fitting = 1;
    }),
    ("a count of a node's own bodies", |tree| {
        let leaf = leaf_with_bodies(tree);
        tree.pool.records[leaf].own += 1;
        tree.pool.copy_contents(leaf as u32);
        count_up(tree, leaf as u32, 1);
    }),
    ("a count of those that would fit a quarter", |tree| {
        let leaf = find(tree, |node, record| node.is_leaf() && record.fitting > 0);
        tree.pool.records[leaf].fitting -= 1;
    }),
    ("a count of those that would fit in an inner node", |tree| {
        let node = inner_node(tree);
        tree.pool.records[node].fitting = 1;
    }),
];

/// Damages to a root that is a leaf, which nobody below it notices.
const DAMAGES_TO_A_LEAF: &[Damage<RectQuadtree>] = &[
    ("the root has a parent", |tree| {
        tree.pool.records[0].parent = 1;
    }),
    ("the root has a depth", |tree| {
        tree.pool.records[0].depth = 1;
    }),
];

/// Damages to a tree whose leaves may not split and hold several blocks.
const DAMAGES_TO_LONG_LEAVES: &[Damage<RectQuadtree>] =
    &[("room in a block that is not the first", |tree| {
        // The last body of the second block comes to the first.
        let node = long_node(tree);
        let first = tree.pool.nodes[node].blocks as usize;
        let second = tree.pool.owners[first].next as usize;
        tree.pool.owners[second].length -= 1;
        let last = second * BLOCK + tree.pool.owners[second].length as usize;
        let (unit, body) = tree.pool.body(last as u32);
        tree.pool.records[node].own -= 1;
        tree.places[unit as usize] = tree.pool.push(node as u32, unit, body);
    })];

#[test]
fn every_damage_is_noticed() {
    let knobs = [("capacity", "4"), ("max_depth", "16"), ("looseness", "1.2")];
    let mut patient = Patient::new(Crowd::Even, 600, true, &knobs).aged();
    patient.follow(|trial| trial.fall(350));
    patient.notices(DAMAGES);
    Patient::new(Crowd::Even, 3, true, &knobs).notices(DAMAGES_TO_A_LEAF);
    let shallow = [("capacity", "4"), ("max_depth", "1"), ("looseness", "1.2")];
    Patient::new(Crowd::Even, 400, true, &shallow).notices(DAMAGES_TO_LONG_LEAVES);
    // On a few spots the deepest leaves hold more than the capacity.
    Patient::<RectQuadtree>::new(Crowd::Lattice, 400, false, &knobs).notices(&[]);
}
