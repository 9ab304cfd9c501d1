//! Comparing every cut, box, slot and copy with the truth.

use super::KdTree;
use super::nodes::{HEIGHT_LIMIT, Link, NONE, Node, Step, leaf_region, place_number};
use crate::geometry::Aabb;
use crate::partition::toolkit::boxes::WIDTH;
use crate::partition::toolkit::roll::Roll;
use crate::partition::{Bodies, Violation};
use std::collections::BTreeSet;

impl KdTree {
    /// Every unit is in one leaf, in whose cell its middle is, filed and copied truly; every box is that of what is below it;
    /// the cuts of each node part its cell among its children; whatever is in no use is in the lists of that.
    pub(super) fn check(&self, bodies: Bodies<'_>) -> Result<(), Violation> {
        let mut roll = Roll::new(bodies);
        let (mut nodes, mut leaves) = (0, 0);
        let mut stack = vec![(self.root, NONE, Aabb::EVERYTHING, 1)];
        stack.retain(|(root, ..)| *root != NONE);
        while let Some((index, parent, cell, depth)) = stack.pop() {
            let index = index as usize;
            let node = self
                .nodes
                .get(index)
                .filter(|node| (1..=WIDTH).contains(&node.children()));
            let Some(node) = node else {
                return Err(Violation {
                    region: None,
                    expected: format!("node {index} in use"),
                    found: "a link to no node".to_owned(),
                });
            };
            nodes += 1;
            let own = node.region(index);
            Violation::unless(
                node.parent == parent && node.cell == cell && depth <= HEIGHT_LIMIT,
                own,
                || format!("child {parent} with cell {cell:?}, {HEIGHT_LIMIT} nodes deep at most"),
                || format!("child {} with cell {:?} at {depth}", node.parent, node.cell),
            )?;
            let leaf_count = node.links().filter(|link| link.is_leaf()).count();
            Violation::unless(
                usize::from(node.leaf_count) == leaf_count,
                own,
                || format!("{leaf_count} leaves"),
                || node.leaf_count.to_string(),
            )?;
            let cells = self.check_cuts(index, node)?;
            let mut bounds = Aabb::EMPTY;
            for (child, cell) in cells.into_iter().enumerate() {
                let (link, found) = (node.link(child), node.boxes.get(child));
                let expected = if child >= node.children() {
                    Violation::unless(
                        link == Link::NONE,
                        own,
                        || format!("no child {child}"),
                        || format!("{link:?}"),
                    )?;
                    Aabb::EMPTY
                } else if link.is_leaf() {
                    leaves += 1;
                    let place = place_number(index, child);
                    self.check_leaf(link.index(), place, cell, bodies, &mut roll)?
                } else {
                    stack.push((
                        link.index() as u32,
                        place_number(index, child),
                        cell,
                        depth + 1,
                    ));
                    self.nodes
                        .get(link.index())
                        .map_or(Aabb::EMPTY, |node| node.bounds)
                };
                check_box(own, expected, found)?;
                bounds = bounds.join(found);
            }
            check_box(own, bounds, node.bounds)?;
        }
        roll.close(self.places.iter().filter(|place| **place != NONE).count())?;
        Violation::unless(
            self.count == bodies.count() && (self.count > 0) == (self.root != NONE),
            None,
            || format!("{} units", bodies.count()),
            || format!("{}", self.count),
        )?;
        self.check_unused(nodes, leaves)
    }

    /// Whatever is not in the tree is in the lists of what is not in use.
    fn check_unused(&self, nodes: usize, leaves: usize) -> Result<(), Violation> {
        // Each counts once, however often it is listed.
        let free = |list: &[u32], is_free: &dyn Fn(usize) -> bool| {
            let listed: BTreeSet<_> = list.iter().map(|index| *index as usize).collect();
            listed.into_iter().filter(|index| is_free(*index)).count()
        };
        let free_nodes = free(&self.free_nodes, &|index| {
            self.nodes
                .get(index)
                .is_some_and(|node| node.child_count == 0)
        });
        let free_leaves = free(&self.free_leaves, &|leaf| {
            self.owners.get(leaf) == Some(&NONE) && self.leaves.fills.get(leaf) == Some(&0)
        });
        Violation::unless(
            nodes + free_nodes == self.nodes.len()
                && free_nodes == self.free_nodes.len()
                && leaves + free_leaves == self.owners.len()
                && free_leaves == self.free_leaves.len()
                && self.cells.len() == self.owners.len()
                && self.leaves.fills.len() == self.owners.len(),
            None,
            || {
                format!(
                    "{} nodes and {} leaves",
                    self.nodes.len(),
                    self.owners.len()
                )
            },
            || format!("{nodes} and {free_nodes} free, {leaves} and {free_leaves} free"),
        )
    }

    /// The cuts of a node lead to each of its children once. Says the cell of each.
    fn check_cuts(&self, index: usize, node: &Node) -> Result<[Aabb; WIDTH], Violation> {
        let mut cells = [Aabb::EMPTY; WIDTH];
        let (mut cuts, mut steps) = (0_u32, 0);
        let mut stack = vec![(node.entrance(), node.cell)];
        while let Some((step, cell)) = stack.pop() {
            // Cuts that lead back to each other leave some child without a way to it.
            steps += 1;
            if steps > 2 * WIDTH {
                break;
            }
            match step.as_child() {
                Some(child) => cells[child] = cell,
                None => {
                    cuts |= 1 << step.index();
                    let halves = node.cut(step.index()).halves(cell);
                    let sides: [Step; 2] = node.sides(step.index());
                    stack.extend(sides.into_iter().zip(halves));
                }
            }
        }
        // A child without a way to it is left with an empty cell, which is not its own.
        Violation::unless(
            cuts == (1 << node.cuts()) - 1,
            node.region(index),
            || format!("{} cuts", node.cuts()),
            || format!("cuts {cuts:b}"),
        )?;
        Ok(cells)
    }

    /// Every unit of a leaf is alive, filed under its slot, copied truly and in the cell. Says the box around them.
    fn check_leaf(
        &self,
        leaf: usize,
        owner: u32,
        cell: Aabb,
        bodies: Bodies<'_>,
        roll: &mut Roll<'_>,
    ) -> Result<Aabb, Violation> {
        let own = leaf_region(leaf);
        Violation::unless(
            self.owners.get(leaf) == Some(&owner)
                && self.cells.get(leaf) == Some(&cell)
                && self.leaves.fill(leaf) <= self.leaf_size as usize,
            own,
            || {
                format!(
                    "child {owner} with cell {cell:?}, {} units at most",
                    self.leaf_size
                )
            },
            || {
                format!(
                    "child {:?} with cell {:?}",
                    self.owners.get(leaf),
                    self.cells.get(leaf)
                )
            },
        )?;
        let mut bounds = Aabb::EMPTY;
        for (place, &unit) in self.leaves.ids(leaf).iter().enumerate() {
            roll.meet(unit, own)?;
            let slot = self.leaves.slot(leaf, place);
            let filed = self.places.get(unit as usize).copied();
            let body = self.leaves.body(leaf, place);
            Violation::unless(
                filed == Some(slot) && body == bodies.aabb(unit) && cell.contains(body.center()),
                own,
                || format!("a unit filed in slot {slot}, where it is, in {cell:?}"),
                || format!("unit {unit}, filed in {filed:?}, copied as {body:?}"),
            )?;
            bounds = bounds.join(body);
        }
        Ok(bounds)
    }
}

fn check_box(own: u32, expected: Aabb, found: Aabb) -> Result<(), Violation> {
    Violation::unless(
        found == expected,
        own,
        || format!("{expected:?}"),
        || format!("{found:?}"),
    )
}
