//! Comparing every line, count, box, slot and copy with the truth.

use super::BspTree;
use super::cut::LineCut;
use super::nodes::{Branch, HEIGHT_LIMIT, NONE, Node, Place};
use crate::geometry::Aabb;
use crate::partition::toolkit::roll::Roll;
use crate::partition::{Bodies, UnitId, Violation};
use std::collections::BTreeSet;

/// What a check has found on its way.
struct Found<'b> {
    bodies: Bodies<'b>,
    roll: Roll<'b>,
    nodes: usize,
    leaves: usize,
    /// The units of the leaves visited, in the order of the tree.
    units: Vec<(UnitId, Aabb)>,
}

impl BspTree {
    /// Every unit is in one leaf, filed and copied truly, and on the right side of each line above it; every box is that of
    /// what is below it, every count is right, no node is out of order; whatever is in no use is in the lists of that.
    pub(super) fn check(&self, bodies: Bodies<'_>) -> Result<(), Violation> {
        let mut found = Found {
            bodies,
            roll: Roll::new(bodies),
            nodes: 0,
            leaves: 0,
            units: Vec::new(),
        };
        if self.is_empty() {
            Violation::unless(
                self.root.bounds == Aabb::EMPTY && self.root.count == 0,
                None,
                || "nothing in an empty tree".to_owned(),
                || format!("{:?}", self.root),
            )?;
        } else {
            self.check_branch(&self.root, Place::ROOT, 0, &mut found)?;
        }
        let filed = self.places.iter().filter(|slot| **slot != NONE).count();
        found.roll.close(filed)?;
        self.check_unused(found.nodes, found.leaves)
    }

    /// Checks what is below a branch, which is so many nodes deep.
    fn check_branch(
        &self,
        branch: &Branch,
        place: Place,
        depth: usize,
        found: &mut Found<'_>,
    ) -> Result<(), Violation> {
        let first = found.units.len();
        if branch.link.is_leaf() {
            self.check_leaf(branch, place, found)?;
        } else {
            self.check_node(branch, place, depth, found)?;
        }
        let units = &found.units[first..];
        let bounds = units
            .iter()
            .fold(Aabb::EMPTY, |sum, (_, body)| sum.join(*body));
        Violation::unless(
            bounds == branch.bounds && units.len() == branch.count as usize,
            branch.link.region(),
            || format!("{} units in {bounds:?}", units.len()),
            || format!("{} in {:?}", branch.count, branch.bounds),
        )
    }

    /// A node knows where it is, is in order, and its line parts what is below it.
    fn check_node(
        &self,
        branch: &Branch,
        place: Place,
        depth: usize,
        found: &mut Found<'_>,
    ) -> Result<(), Violation> {
        let (index, region) = (branch.link.index(), branch.link.region());
        let node = self.nodes.get(index as usize);
        let Some(node) = node.filter(|node| !node.is_free() && depth < HEIGHT_LIMIT) else {
            return Err(Violation {
                region: Some(region),
                expected: format!("node {index} in use, less than {HEIGHT_LIMIT} deep"),
                found: format!("{node:?} at {depth}"),
            });
        };
        found.nodes += 1;
        Violation::unless(
            node.place == place && self.is_in_order(node),
            region,
            || format!("a node in order at {place:?}"),
            || format!("{node:?}"),
        )?;
        // Whoever harms a list may have left a node without a line.
        let cut = self.cuts.get(index as usize).unwrap_or(&LineCut::UNCUT);
        for (side, below) in node.branches.iter().enumerate() {
            let first = found.units.len();
            self.check_branch(below, Place::of(index, side), depth + 1, found)?;
            for (unit, body) in &found.units[first..] {
                Violation::unless(
                    cut.admits(side, body.center()) && cut.covers(side, *body),
                    region,
                    || format!("unit {unit} on side {side} of {cut:?}"),
                    || format!("{body:?}"),
                )?;
            }
        }
        Ok(())
    }

    /// A leaf knows where it is, and has room for its units, who are alive, filed under their slots and copied truly.
    fn check_leaf(
        &self,
        branch: &Branch,
        place: Place,
        found: &mut Found<'_>,
    ) -> Result<(), Violation> {
        let (leaf, region) = (branch.link.index(), branch.link.region());
        let limit = self.leaf_size.min(self.slots.leaf_size());
        Violation::unless(
            self.owners.get(leaf as usize) == Some(&place)
                && (leaf as usize) < self.slots.leaf_count()
                && (1..=limit).contains(&branch.count),
            region,
            || format!("1 to {limit} units at {place:?}"),
            || {
                let owner = self.owners.get(leaf as usize);
                format!("{} at {owner:?}", branch.count)
            },
        )?;
        found.leaves += 1;
        for (slot, (unit, body)) in (self.slots.start(leaf)..).zip(self.run(*branch).units()) {
            found.roll.meet(unit, region)?;
            let filed = self.places.get(unit as usize).copied();
            Violation::unless(
                filed == Some(slot) && body == found.bodies.aabb(unit),
                region,
                || format!("a unit filed in slot {slot}, where it is"),
                || format!("unit {unit}, filed in {filed:?}, copied as {body:?}"),
            )?;
            found.units.push((unit, body));
        }
        Ok(())
    }

    /// Whatever is not in the tree is in the lists of what is not in use.
    fn check_unused(&self, nodes: usize, leaves: usize) -> Result<(), Violation> {
        // Each counts once, however often it is listed.
        let free = |list: &[u32], is_free: &dyn Fn(usize) -> bool| {
            let listed: BTreeSet<_> = list.iter().map(|index| *index as usize).collect();
            listed.into_iter().filter(|index| is_free(*index)).count()
        };
        let free_nodes = free(&self.free_nodes, &|index| {
            self.nodes.get(index).is_some_and(Node::is_free)
        });
        let free_leaves = free(&self.free_leaves, &|leaf| {
            self.owners.get(leaf) == Some(&Place::NOWHERE)
        });
        Violation::unless(
            nodes + free_nodes == self.nodes.len()
                && free_nodes == self.free_nodes.len()
                && self.cuts.len() == self.nodes.len()
                && leaves + free_leaves == self.owners.len()
                && free_leaves == self.free_leaves.len()
                && self.slots.leaf_count() >= self.owners.len(),
            None,
            || {
                let (nodes, leaves) = (self.nodes.len(), self.owners.len());
                format!("{nodes} nodes with a line each and {leaves} leaves")
            },
            || format!("{nodes} and {free_nodes} free, {leaves} and {free_leaves} free"),
        )
    }
}
