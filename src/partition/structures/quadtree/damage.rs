//! Damage to a quadtree, which its check has to notice.

use super::pool::{BLOCK, Block, Kind, NONE, Node, Owner, slot_of};
use super::*;
use crate::partition::damage::{Damage, Patient};
use crate::partition::trial::Crowd;

/// A node, not the root, that is as wanted.
fn find(tree: &Quadtree, wanted: impl Fn(&Node) -> bool) -> usize {
    let nodes = &tree.pool.nodes;
    let mut others = 1..nodes.len();
    others.find(|node| wanted(&nodes[*node])).expect("a node")
}

fn leaf_with_units(tree: &Quadtree) -> usize {
    find(tree, |node| node.kind == Kind::Leaf && node.load > 1)
}

fn empty_leaf(tree: &Quadtree) -> usize {
    find(tree, |node| node.kind == Kind::Leaf && node.load == 0)
}

fn inner_node(tree: &Quadtree) -> usize {
    find(tree, |node| node.kind == Kind::Inner)
}

fn free_block(tree: &mut Quadtree, wanted: impl Fn(&Owner) -> bool) -> &mut Owner {
    let mut owners = tree.pool.owners.iter_mut();
    let is_it = |owner: &&mut Owner| owner.leaf == NONE && wanted(owner);
    owners.find(is_it).expect("a free block")
}

/// The node whose fourth in the list of free ones is as wanted.
fn free_node(tree: &mut Quadtree, wanted: impl Fn(&Node) -> bool) -> &mut Node {
    let mut firsts = tree.pool.nodes.iter_mut().skip(1).step_by(4);
    let is_it = |node: &&mut Node| node.kind == Kind::Free && wanted(node);
    firsts.find(is_it).expect("a free node")
}

/// The block, the lane and the leaf of a unit whose half extent is less than the leaf's reach.
fn small_unit(tree: &Quadtree) -> (usize, usize) {
    let blocks = 0..tree.pool.owners.len();
    let mut lanes = blocks.flat_map(|block| {
        (0..tree.pool.owners[block].length as usize).map(move |lane| (block, lane))
    });
    let is_small = |(block, lane): &(usize, usize)| {
        let reach = tree.reach(tree.pool.owners[*block].leaf);
        let half_extent = tree.pool.half_extent(*block, *lane);
        half_extent != Vec2::ZERO && half_extent.cmplt(reach).all()
    };
    lanes.find(is_small).expect("a small unit")
}

const DAMAGES: &[Damage<Quadtree>] = &[
    ("the count of units", |tree| tree.count += 1),
    ("the root has a parent", |tree| {
        tree.pool.nodes[0].parent = 1;
    }),
    ("no nodes at all", |tree| tree.pool.nodes.clear()),
    ("a child that is no node", |tree| {
        tree.pool.nodes[0].link = 1_000_000;
    }),
    ("children of nobody's", |tree| {
        tree.pool.nodes[0].link = NONE
    }),
    ("a leaf that says it is a node", |tree| {
        let leaf = empty_leaf(tree);
        tree.pool.nodes[leaf].kind = Kind::Inner;
    }),
    ("children that are another's", |tree| {
        let node = inner_node(tree);
        tree.pool.nodes[node].link = tree.pool.nodes[0].link;
    }),
    ("the parent of a leaf", |tree| {
        let leaf = leaf_with_units(tree);
        tree.pool.nodes[leaf].parent = leaf as u32;
    }),
    ("the depth of a leaf, and the counts by depth", |tree| {
        let leaf = leaf_with_units(tree);
        let depth = usize::from(tree.pool.nodes[leaf].depth);
        tree.pool.nodes[leaf].depth += 1;
        tree.depth_counts[depth] -= 1;
        tree.depth_counts[depth + 1] += 1;
    }),
    ("a leaf that says it is free", |tree| {
        // Of the others one is in use instead, that as many are.
        let leaf = leaf_with_units(tree);
        tree.pool.nodes[leaf].kind = Kind::Free;
        let mut nodes = tree.pool.nodes.iter_mut();
        let last = nodes.rfind(|node| node.kind == Kind::Free);
        last.expect("a free node").kind = Kind::Leaf;
    }),
    ("the cell of a leaf", |tree| {
        let leaf = empty_leaf(tree);
        tree.pool.nodes[leaf].bounds.max.x += 0.1;
    }),
    ("nodes that should have merged", |tree| tree.capacity = 32),
    ("leaves that should have split", |tree| tree.capacity = 1),
    ("units of an inner node", |tree| {
        let node = inner_node(tree);
        tree.pool.nodes[node].load = 1;
    }),
    ("how far the root reaches", |tree| {
        tree.pool.reaches[0].x += 1.0;
    }),
    ("how far a leaf reaches", |tree| {
        let leaf = find(tree, |node| {
            let own = tree.pool.nodes.iter().position(|it| std::ptr::eq(it, node));
            let own = tree.reach(own.expect("it is one of them") as u32);
            node.kind == Kind::Leaf && own.cmplt(tree.reach(node.parent)).all()
        });
        tree.pool.reaches[leaf] = tree.reach(tree.pool.nodes[leaf].parent);
    }),
    ("a leaf's blocks are none", |tree| {
        let leaf = leaf_with_units(tree);
        tree.pool.nodes[leaf].link = 1_000_000;
    }),
    ("a block with another owner", |tree| {
        let block = tree.pool.nodes[leaf_with_units(tree)].link;
        tree.pool.owners[block as usize].leaf = 0;
    }),
    ("an empty block", |tree| {
        let leaf = empty_leaf(tree);
        let slot = tree.pool.push(leaf as u32, 0, Vec2::ZERO, Vec2::ZERO);
        tree.pool.owners[pool::place_of(slot).0].length = 0;
        tree.pool.nodes[leaf].load = 0;
    }),
    ("a block that is too long", |tree| {
        let leaf = leaf_with_units(tree);
        let block = tree.pool.nodes[leaf].link as usize;
        tree.pool.owners[block].length = BLOCK as u32 + 1;
    }),
    ("blocks that are a ring", |tree| {
        let block = tree.pool.nodes[leaf_with_units(tree)].link;
        tree.pool.owners[block as usize].next = block;
    }),
    ("the load of a leaf", |tree| {
        let leaf = leaf_with_units(tree);
        tree.pool.nodes[leaf].load -= 1;
    }),
    ("two units in each other's slot", |tree| {
        let block = tree.pool.nodes[leaf_with_units(tree)].link as usize;
        let ids = tree.pool.blocks[block].ids;
        tree.slots.swap(ids[0] as usize, ids[1] as usize);
    }),
    ("a unit in no slot at all", |tree| {
        let block = tree.pool.nodes[leaf_with_units(tree)].link as usize;
        tree.slots[tree.pool.blocks[block].ids[0] as usize] = 1_000_000;
    }),
    ("a slot of a unit that is not there", |tree| {
        let row = tree.slots.iter().position(|slot| *slot == NONE);
        tree.slots[row.expect("a row not in use")] = 0;
    }),
    ("a unit that is there twice", |tree| {
        let leaf = leaf_with_units(tree);
        let block = tree.pool.nodes[leaf].link as usize;
        let columns: &mut Block = &mut tree.pool.blocks[block];
        columns.ids[1] = columns.ids[0];
    }),
    ("a unit that is lost", |tree| {
        let (block, lane) = small_unit(tree);
        let unit = tree.pool.blocks[block].ids[lane];
        let slot = slot_of(block as u32, lane);
        if let Some(moved) = tree.pool.swap_remove(slot) {
            tree.slots[moved as usize] = slot;
        }
        tree.slots[unit as usize] = 1_000_000;
    }),
    ("a position that is copied wrongly", |tree| {
        let leaf = leaf_with_units(tree);
        let middle = tree.pool.nodes[leaf].cut();
        let block = tree.pool.nodes[leaf].link as usize;
        tree.pool.blocks[block].xs[0] = middle.x;
    }),
    ("a size that is copied wrongly", |tree| {
        let (block, lane) = small_unit(tree);
        tree.pool.half_extents[block][lane] = Vec2::ZERO;
    }),
    ("the count of free nodes", |tree| {
        tree.pool.free_four_count += 1;
    }),
    ("the count of free blocks", |tree| {
        tree.pool.free_block_count += 1;
    }),
    ("a list of free nodes that is a ring", |tree| {
        let mut nodes = tree.pool.nodes.iter();
        let first = nodes.position(|node| node.kind == Kind::Free);
        let first = first.expect("a free node") as u32;
        free_node(tree, |_| true).link = first;
    }),
    ("a list of free nodes that leads to nothing", |tree| {
        free_node(tree, |node| node.link == NONE).link = 1_000_000;
    }),
    ("a list of free nodes that ends with one in use", |tree| {
        let nodes = &tree.pool.nodes;
        let is_free = |place: &usize| nodes[*place].kind == Kind::Free;
        let mut firsts = (1..nodes.len()).step_by(4).filter(is_free);
        let place = firsts.find(|place| {
            let next = nodes.get(nodes[*place].link as usize);
            next.is_some_and(|next| next.link == NONE)
        });
        let used = empty_leaf(tree) as u32;
        tree.pool.nodes[place.expect("two free fours")].link = used;
    }),
    ("a list of free blocks that is a ring", |tree| {
        let mut owners = tree.pool.owners.iter();
        let first = owners.position(|owner| owner.leaf == NONE);
        let first = first.expect("a free block") as u32;
        free_block(tree, |_| true).next = first;
    }),
    ("a list of free blocks that leads to nothing", |tree| {
        free_block(tree, |owner| owner.next == NONE).next = 1_000_000;
    }),
    ("a list of free blocks that ends with one in use", |tree| {
        let owners = &tree.pool.owners;
        let is_last_but_one = |owner: &Owner| {
            let next = owners.get(owner.next as usize);
            owner.leaf == NONE && next.is_some_and(|next| next.next == NONE)
        };
        let place = owners.iter().position(is_last_but_one);
        let mut used = owners.iter();
        let used = used.position(|owner| owner.leaf != NONE && owner.next == NONE);
        let used = used.expect("a block in use") as u32;
        tree.pool.owners[place.expect("two free blocks")].next = used;
    }),
    ("a node that nobody knows", |tree| {
        let leaf = tree.pool.nodes[leaf_with_units(tree)];
        tree.pool.nodes.push(leaf);
    }),
    ("a free node that looks used", |tree| {
        let mut nodes = tree.pool.nodes.iter_mut();
        let last = nodes.rfind(|node| node.kind == Kind::Free);
        last.expect("a free node").kind = Kind::Leaf;
    }),
    ("free nodes that nobody knows", |tree| {
        let free = *free_node(tree, |_| true);
        tree.pool.nodes.push(free);
    }),
    ("a block that nobody knows", |tree| {
        let owner = tree.pool.owners[0];
        tree.pool.owners.push(owner);
        let block = tree.pool.blocks[0];
        tree.pool.blocks.push(block);
    }),
    ("the count of nodes at a depth", |tree| {
        tree.depth_counts[1] += 1;
    }),
    ("nodes where it is too deep for any", |tree| {
        tree.depth_counts[LEVEL_LIMIT - 1] = 1;
    }),
];

/// Damages to a root that is a leaf, which nobody below it notices.
const DAMAGES_TO_A_LEAF: &[Damage<Quadtree>] = &[
    ("the root has a parent", |tree| {
        tree.pool.nodes[0].parent = 1;
    }),
    ("the root has a depth", |tree| {
        tree.pool.nodes[0].depth = 1;
        tree.depth_counts.swap(0, 1);
    }),
    ("the root is too deep for any", |tree| {
        tree.pool.nodes[0].depth = u8::MAX;
    }),
    ("the root is free", |tree| {
        tree.pool.nodes[0].kind = Kind::Free;
    }),
    ("a root that does not hold a unit", |tree| {
        let right = tree.pool.blocks[0].xs[0];
        tree.pool.nodes[0].bounds.max.x = right - 0.1;
    }),
];

/// Damages to a tree of points on borders between cells.
const DAMAGES_ON_A_BORDER: &[Damage<Quadtree>] = &[
    ("a unit on the wrong side of its cell's border", |tree| {
        let pool = &tree.pool;
        let touches = |leaf: &u32, place: Vec2| {
            let node = &pool.nodes[*leaf as usize];
            node.kind == Kind::Leaf && node.load == 0 && node.bounds.contains(place)
        };
        let blocks = 0..pool.owners.len();
        let mut firsts = blocks.filter(|block| pool.owners[*block].length > 0);
        let (block, leaf) = firsts
            .find_map(|block| {
                let place = pool.blocks[block].position(0);
                let mut leaves = 0..pool.nodes.len() as u32;
                let leaf = leaves.find(|leaf| touches(leaf, place))?;
                Some((block, leaf))
            })
            .expect("a unit on a border");
        let unit = pool.blocks[block].ids[0];
        let place = pool.blocks[block].position(0);
        let slot = slot_of(block as u32, 0);
        if let Some(moved) = tree.pool.swap_remove(slot) {
            tree.slots[moved as usize] = slot;
        }
        tree.slots[unit as usize] = tree.pool.push(leaf, unit, place, Vec2::ZERO);
    }),
    ("room in a block that is not the first", |tree| {
        let mut owners = tree.pool.owners.iter();
        let first = owners.position(|owner| owner.leaf != NONE && owner.next != NONE);
        let first = first.expect("a leaf with two blocks");
        let second = tree.pool.owners[first].next;
        tree.pool.owners[second as usize].length -= 1;
        let lane = tree.pool.owners[second as usize].length as usize;
        let columns = tree.pool.blocks[second as usize];
        let leaf = tree.pool.owners[first].leaf;
        tree.pool.nodes[leaf as usize].load -= 1;
        let slot = tree
            .pool
            .push(leaf, columns.ids[lane], columns.position(lane), Vec2::ZERO);
        tree.slots[columns.ids[lane] as usize] = slot;
    }),
];

#[test]
fn every_damage_is_noticed() {
    let knobs = [("capacity", "4"), ("max_depth", "12")];
    let mut patient = Patient::new(Crowd::Even, 600, true, &knobs).aged();
    patient.follow(|trial| trial.fall(350));
    patient.notices(DAMAGES);
    Patient::new(Crowd::Even, 3, false, &knobs).notices(DAMAGES_TO_A_LEAF);
    let patient = Patient::new(Crowd::Lattice, 600, false, &knobs);
    patient.notices(DAMAGES_ON_A_BORDER);
}
