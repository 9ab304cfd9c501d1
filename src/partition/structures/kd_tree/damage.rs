//! Damage to a k-d tree, which its check has to notice.

use super::nodes::{Cut, HEIGHT_LIMIT, Link, NONE, Node, Step, place_number, place_of};
use super::*;
use crate::partition::damage::{Damage, Patient};
use crate::partition::toolkit::boxes::WIDTH;
use crate::partition::trial::Crowd;

/// A node in use that is as wanted.
fn find(tree: &KdTree, wanted: impl Fn(&Node) -> bool) -> usize {
    let is_it = |node: &Node| node.child_count > 0 && wanted(node);
    tree.nodes.iter().position(is_it).expect("such a node")
}

fn below_the_root(tree: &KdTree) -> usize {
    find(tree, |node| node.parent != NONE)
}

/// A node with room for another child.
fn with_room(tree: &KdTree) -> usize {
    find(tree, |node| node.children() > 2 && !node.is_full())
}

/// A leaf of some units.
fn leaf(tree: &KdTree) -> usize {
    let mut leaves = 0..tree.owners.len();
    let is_it = |leaf: &usize| tree.owners[*leaf] != NONE && tree.leaves.fill(*leaf) > 1;
    leaves.find(is_it).expect("a leaf of two")
}

/// A node and one of its cuts that parts two leaves, and these two.
fn between_leaves(tree: &KdTree) -> (usize, usize, [usize; 2]) {
    let nodes = 0..tree.nodes.len();
    let mut cuts = nodes.flat_map(|node| (0..tree.nodes[node].cuts()).map(move |cut| (node, cut)));
    cuts.find_map(|(node, cut)| {
        let here = &tree.nodes[node];
        let [first, second] = here.sides(cut).map(|step| {
            let link = here.link(step.as_child()?);
            link.is_leaf().then(|| link.index())
        });
        Some((node, cut, [first?, second?]))
    })
    .expect("a cut between two leaves")
}

fn is_strictly_within(inner: Aabb, outer: Aabb) -> bool {
    inner.min.cmpgt(outer.min).all() && inner.max.cmplt(outer.max).all()
}

/// A leaf and a place in it whose body is not at the border of the leaf's box.
fn inside(tree: &KdTree) -> (usize, usize) {
    let leaves = 0..tree.owners.len();
    let mut places =
        leaves.flat_map(|leaf| (0..tree.leaves.fill(leaf)).map(move |place| (leaf, place)));
    places
        .find(|(leaf, place)| {
            let (above, child) = place_of(tree.owners[*leaf]);
            let body = tree.leaves.body(*leaf, *place);
            body.min != body.max && is_strictly_within(body, tree.nodes[above].boxes.get(child))
        })
        .expect("a body inside of its leaf's box")
}

/// Puts a node with a single child, the old root, on top of the tree.
fn heighten(tree: &mut KdTree) {
    let top = tree.nodes.len();
    let bounds = tree.nodes[tree.root as usize].bounds;
    let mut node = Node::new(NONE, Aabb::EVERYTHING);
    node.push_child(Link::node(tree.root), bounds);
    node.bounds = bounds;
    tree.nodes[tree.root as usize].parent = place_number(top, 0);
    tree.nodes.push(node);
    tree.root = top as u32;
}

const DAMAGES: &[Damage<KdTree>] = &[
    ("the root is no node", |tree| tree.root = 1_000_000),
    ("no root", |tree| tree.root = NONE),
    ("a child that is no node", |tree| {
        let node = find(tree, Node::has_nodes);
        let is_node = |child: &usize| !tree.nodes[node].link(*child).is_leaf();
        let child = (0..WIDTH).find(is_node).expect("a child that is a node");
        tree.nodes[node].set_link(child, Link::node(1_000_000));
    }),
    ("a child that is no leaf", |tree| {
        let node = find(tree, |node| node.link(0).is_leaf());
        tree.nodes[node].set_link(0, Link::leaf(1_000_000));
    }),
    ("a child that is the node itself", |tree| {
        let node = below_the_root(tree);
        tree.nodes[node].set_link(0, Link::node(node as u32));
    }),
    ("the parent of a node", |tree| {
        let node = below_the_root(tree);
        tree.nodes[node].parent ^= 1;
    }),
    ("all cells end before the plane does", |tree| {
        let nodes = tree.nodes.iter_mut().map(|node| &mut node.cell);
        for cell in nodes.chain(&mut tree.cells) {
            cell.max.x = cell.max.x.min(1.0e9);
        }
    }),
    ("a tree that is too high", |tree| {
        for _ in 0..HEIGHT_LIMIT {
            heighten(tree);
        }
    }),
    ("the count of a node's leaves", |tree| {
        let node = below_the_root(tree);
        tree.nodes[node].leaf_count += 1;
    }),
    ("a cut that leads to one side only", |tree| {
        let (node, cut, _) = between_leaves(tree);
        let [first, _] = tree.nodes[node].sides(cut);
        tree.nodes[node].set_sides(cut, [first; 2]);
    }),
    ("a cut that leads to itself", |tree| {
        let (node, cut, _) = between_leaves(tree);
        let [first, _] = tree.nodes[node].sides(cut);
        tree.nodes[node].set_sides(cut, [first, Step::cut(cut)]);
    }),
    ("a cut too many", |tree| {
        // All of the cell is on its first side, and both sides lead to the same child.
        let (node, cut, [leaf, _]) = between_leaves(tree);
        let [first, second] = tree.nodes[node].sides(cut);
        let last = WIDTH - 1;
        let at = tree.cells[leaf].max.x;
        tree.nodes[node].set_cut(last, Cut { axis: 0, at });
        tree.nodes[node].set_sides(last, [first; 2]);
        tree.nodes[node].set_sides(cut, [Step::cut(last), second]);
    }),
    ("a child behind the last", |tree| {
        let node = with_room(tree);
        tree.nodes[node].set_link(WIDTH - 1, Link::leaf(0));
    }),
    ("a box of no child", |tree| {
        let node = with_room(tree);
        let bounds = tree.nodes[node].bounds;
        tree.nodes[node].boxes.set(WIDTH - 1, bounds);
    }),
    ("a child's box", |tree| {
        let (node, child) = (0..tree.nodes.len())
            .flat_map(|node| (0..tree.nodes[node].children()).map(move |child| (node, child)))
            .find(|(node, child)| {
                let node = &tree.nodes[*node];
                is_strictly_within(node.boxes.get(*child), node.bounds)
            })
            .expect("a child inside of its node's box");
        let spot = tree.nodes[node].boxes.get(child).center();
        tree.nodes[node].boxes.set(child, Aabb::new(spot, spot));
    }),
    ("the root's box", |tree| {
        let root = tree.root as usize;
        tree.nodes[root].bounds.max.x += 1.0;
    }),
    ("the owner of a leaf", |tree| {
        let leaf = leaf(tree);
        tree.owners[leaf] ^= 1;
    }),
    ("the cell of a leaf", |tree| {
        let leaf = leaf(tree);
        tree.cells[leaf] = tree.cells[leaf].grown(Vec2::ONE);
        tree.cells[leaf].min -= 1.0;
        tree.cells[leaf].max += 1.0;
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
    ("a cut on the wrong side of some units", |tree| {
        let (node, cut, [first, second]) = between_leaves(tree);
        let Cut { axis, .. } = tree.nodes[node].cut(cut);
        let places = 0..tree.leaves.fill(second);
        let along = |place| tree.leaves.body(second, place).center()[axis];
        let farthest = places.map(along).fold(f32::NEG_INFINITY, f32::max);
        let cut_there = Cut {
            axis,
            at: farthest + 0.1,
        };
        let whole = tree.cells[first].join(tree.cells[second]);
        let halves = cut_there.halves(whole);
        tree.nodes[node].set_cut(cut, cut_there);
        (tree.cells[first], tree.cells[second]) = (halves[0], halves[1]);
    }),
    ("the count of units", |tree| tree.count += 1),
    ("a node that nobody knows", |tree| {
        let node = tree.nodes[tree.root as usize];
        tree.nodes.push(node);
    }),
    ("a list of free nodes with one in use", |tree| {
        tree.free_nodes.push(tree.root);
    }),
    ("a list of free nodes with none", |tree| {
        tree.free_nodes.push(1_000_000);
    }),
    ("a leaf that nobody knows", |tree| {
        let count = tree.owners.len();
        tree.owners.push(0);
        tree.cells.push(Aabb::EVERYTHING);
        tree.leaves.resize(count + 1);
    }),
    ("a list of free leaves with one in use", |tree| {
        let leaf = leaf(tree) as u32;
        tree.free_leaves.push(leaf);
    }),
    ("a list of free leaves with none", |tree| {
        tree.free_leaves.push(1_000_000);
    }),
    ("a list of free leaves that names one twice", |tree| {
        let first = tree.free_leaves[0];
        tree.free_leaves.push(first);
    }),
    ("a free leaf with an owner", |tree| {
        let leaf = tree.free_leaves[0] as usize;
        tree.owners[leaf] = 0;
    }),
    ("a free leaf with a unit", |tree| {
        let leaf = tree.free_leaves[0] as usize;
        tree.leaves.fills[leaf] = 1;
    }),
    ("a cell too many", |tree| tree.cells.push(Aabb::EVERYTHING)),
    ("leaves too many", |tree| {
        let count = tree.owners.len();
        tree.leaves.resize(count + 1);
    }),
];

/// Damages to a tree of which nearly everybody has gone, and nodes with them.
const DAMAGES_BESIDE_FREE_NODES: &[Damage<KdTree>] = &[
    ("the root is free", |tree| {
        tree.root = tree.free_nodes[0];
    }),
    ("a list of free nodes that names one twice", |tree| {
        let first = tree.free_nodes[0];
        tree.free_nodes.push(first);
    }),
];

/// Damages to a tree of which everybody has gone.
const DAMAGES_TO_NOTHING: &[Damage<KdTree>] = &[("a root above nobody", |tree| {
    let mut root = Node::new(NONE, Aabb::EVERYTHING);
    root.push_child(Link::leaf(0), Aabb::EMPTY);
    tree.nodes = vec![root];
    tree.free_nodes.clear();
    tree.root = 0;
    tree.owners = vec![place_number(0, 0)];
    tree.cells = vec![Aabb::EVERYTHING];
    tree.free_leaves.clear();
    tree.leaves.resize(1);
})];

#[test]
fn every_damage_is_noticed() {
    let knobs = [("leaf_size", "4")];
    let mut patient = Patient::new(Crowd::Even, 600, true, &knobs);
    patient.follow(|trial| trial.fall(240));
    patient.notices(DAMAGES);
    let mut patient = Patient::new(Crowd::Even, 70, true, &knobs);
    for count in [35, 17, 9, 4] {
        patient.follow(|trial| trial.fall(count));
    }
    patient.notices(DAMAGES_BESIDE_FREE_NODES);
    let mut patient = Patient::new(Crowd::Even, 20, true, &knobs);
    patient.follow(|trial| trial.fall(20));
    patient.notices(DAMAGES_TO_NOTHING);
}
