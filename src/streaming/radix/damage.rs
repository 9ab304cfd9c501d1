//! Damage to a radix tree, which its check has to notice.

use super::*;
use crate::chance::Stream;
use crate::partition::damage::{Damage, assert_noticed};

const SLOT_COUNT: u32 = 64;

/// Where objects are; some of them are on one spot.
fn boxes() -> Vec<Aabb> {
    let mut stream = Stream::new(3);
    (0..SLOT_COUNT)
        .map(|_| {
            let center = Vec2::new(stream.between(0.0, 9.0), stream.between(0.0, 9.0)).floor();
            Aabb::around(center, Vec2::splat(stream.between(0.1, 3.0)))
        })
        .collect()
}

/// A tree that objects have left: some nodes are free.
fn tree(boxes: &[Aabb], address: impl Fn(u32) -> u64) -> RadixTree<Union> {
    let mut tree = RadixTree::with_slots(SLOT_COUNT as usize);
    for object in 0..SLOT_COUNT {
        tree.insert(object, address(object), boxes[object as usize], &mut ());
    }
    for object in (0..SLOT_COUNT).step_by(5) {
        tree.remove(object, &mut ());
    }
    tree
}

/// The first node in use that is as wanted.
fn find(tree: &RadixTree<Union>, wanted: impl Fn(u32, &Node) -> bool) -> usize {
    let mut stack = vec![tree.root];
    while let Some(at) = stack.pop() {
        let node = &tree.nodes[at as usize];
        if wanted(at, node) {
            return at as usize;
        }
        if !node.is_leaf() {
            stack.extend(node.children);
        }
    }
    panic!("no such node");
}

fn inner_below_the_root(tree: &RadixTree<Union>) -> usize {
    find(tree, |_, node| node.parent != NONE && !node.is_leaf())
}

/// Lets a node and the one above it decide by each other's bit: all is in order below each of them, and the order of bits
/// is wrong.
fn exchange_bits(tree: &mut RadixTree<Union>) {
    let lower = find(tree, |_, node| {
        node.parent != NONE && tree.nodes[node.parent as usize].parent != NONE && !node.is_leaf()
    });
    let upper = tree.nodes[lower].parent as usize;
    let (low, high) = (tree.nodes[lower].bit, tree.nodes[upper].bit);
    let place = usize::from(tree.nodes[upper].children[0] != lower as u32);
    let other = tree.nodes[upper].children[1 - place];
    let [first, second] = tree.nodes[lower].children;
    let address = tree.nodes[first as usize].address;
    let mut below = [first; 2];
    below[1 - side(address, high)] = other;
    let mut above = [lower as u32; 2];
    above[1 - side(address, low)] = second;
    tree.nodes[lower].children = below;
    tree.nodes[upper].children = above;
    (tree.nodes[lower].bit, tree.nodes[upper].bit) = (high, low);
    tree.nodes[lower].address = address;
    tree.nodes[upper].address = address;
    tree.nodes[other as usize].parent = lower as u32;
    tree.nodes[second as usize].parent = upper as u32;
    tree.bounds[lower] = tree.bounds[first as usize].join(tree.bounds[other as usize]);
}

const DAMAGES: &[Damage<RadixTree<Union>>] = &[
    ("a box too many", |tree| tree.bounds.push(Aabb::EMPTY)),
    ("a box too few", |tree| _ = tree.bounds.pop()),
    ("the root is no node", |tree| tree.root = 1_000_000),
    ("the root has a parent", |tree| {
        let root = tree.root as usize;
        tree.nodes[root].parent = 0;
    }),
    ("a leaf with another parent", |tree| {
        let leaf = find(tree, |_, node| node.is_leaf());
        tree.nodes[leaf].parent = leaf as u32;
    }),
    ("an inner node with another parent", |tree| {
        let node = inner_below_the_root(tree);
        tree.nodes[node].parent = node as u32;
    }),
    ("two objects with each other's leaf", |tree| {
        tree.leaves.swap(1, 2)
    }),
    ("a leaf of an object that is none", |tree| {
        let leaf = find(tree, |_, node| node.is_leaf());
        tree.nodes[leaf].children[1] = 1_000_000;
    }),
    ("a leaf's address", |tree| {
        let leaf = find(tree, |_, node| {
            node.is_leaf() && tree.nodes[node.parent as usize].bit > 0
        });
        tree.nodes[leaf].address ^= 1;
    }),
    ("a leaf's box", |tree| {
        let leaf = find(tree, |at, node| {
            let spot = tree.bounds[at as usize].center();
            let above = tree.nodes.get(node.parent as usize);
            node.is_leaf()
                && above.is_some_and(|above| {
                    let sibling = above.children[usize::from(above.children[0] == at)];
                    tree.bounds[sibling as usize].join(Aabb::new(spot, spot))
                        == tree.bounds[node.parent as usize]
                })
        });
        let spot = tree.bounds[leaf].center();
        tree.bounds[leaf] = Aabb::new(spot, spot);
    }),
    ("a child that is no node", |tree| {
        let root = tree.root as usize;
        tree.nodes[root].children[0] = 1_000_000;
    }),
    ("the other child that is no node", |tree| {
        let root = tree.root as usize;
        tree.nodes[root].children[1] = 1_000_000;
    }),
    ("a child that is the node above it", |tree| {
        let node = inner_below_the_root(tree);
        tree.nodes[node].children[1] = tree.root;
    }),
    ("the root's box", |tree| {
        let root = tree.root as usize;
        tree.bounds[root].max.x += 1.0;
    }),
    ("the bits that a node's leaves have in common", |tree| {
        // Between the node's own bit and that of the one above, which sees nothing of it.
        let node = find(tree, |_, node| {
            let above = tree.nodes.get(node.parent as usize);
            !node.is_leaf() && above.is_some_and(|above| above.bit > node.bit + 1)
        });
        let bit = tree.nodes[node].bit + 1;
        tree.nodes[node].address ^= 1 << bit;
    }),
    ("children on each other's side", |tree| {
        let root = tree.root as usize;
        tree.nodes[root].children.swap(0, 1);
    }),
    ("a bit that does not fall", exchange_bits),
    ("the count of objects", |tree| tree.count += 1),
    ("a leaf of an object that is not there", |tree| {
        tree.leaves[0] = tree.leaves[1]
    }),
    ("no free list", |tree| tree.free = NONE),
    ("a free list that is a ring", |tree| {
        let first = tree.free;
        let second = tree.nodes[first as usize].parent;
        tree.nodes[second as usize].parent = first;
    }),
    ("a free list of nothing", |tree| tree.free = 1_000_000),
    ("a free list of what is in use", |tree| {
        tree.free = tree.root
    }),
];

#[test]
fn every_damage_is_noticed() {
    let mut boxes = boxes();
    // Two that only the last bit of their number tells apart.
    boxes[3] = boxes[2];
    let centers = boxes.iter().map(|bounds| bounds.center());
    let space = AddressSpace::over(Aabb::of_points(centers));
    let address = |object: u32| space.address(boxes[object as usize].center(), object);
    let expected = |object: u32| {
        let bounds = *boxes.get(object as usize)?;
        Some((address(object), bounds))
    };
    let tree = tree(&boxes, address);
    assert_noticed(&tree, DAMAGES, |tree| tree.validate(expected));
}
