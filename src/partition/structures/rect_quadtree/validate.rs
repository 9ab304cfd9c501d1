//! Comparing every link, cell, count and copy with the truth.

use super::pool::{FREE, NONE, Node, Record};
use super::{ROOT, RectQuadtree, STACK_LENGTH, quarter_of};
use crate::partition::toolkit::roll::Roll;
use crate::partition::toolkit::stack::Stack;
use crate::partition::{Bodies, Violation};

impl RectQuadtree {
    /// Checks cells, links, counts, that each body is in a node that holds it and in none that a child would relieve of it,
    /// that full leaves are split and sparse nodes merged, and the pools.
    pub(super) fn check(&self, bodies: Bodies<'_>) -> Result<(), Violation> {
        let (mut nodes, mut blocks) = (0, 0);
        let mut roll = Roll::new(bodies);
        let mut stack = Stack::<u32, STACK_LENGTH>::new(NONE);
        stack.push(ROOT);
        while let Some(index) = stack.pop() {
            nodes += 1;
            let Some(record) = self.pool.records.get(index as usize).copied() else {
                return Err(Violation {
                    region: Some(index),
                    expected: "a node in use".to_owned(),
                    found: "a link to no node".to_owned(),
                });
            };
            let node = self.pool.nodes[index as usize];
            self.check_bodies(index, bodies, &mut roll)?;
            blocks += (record.own as usize).div_ceil(super::pool::BLOCK);
            let mut total = record.own;
            if !node.is_leaf() {
                for quarter in 0..4 {
                    total += self.check_child(index, quarter)?;
                    stack.push(node.children + quarter);
                }
            }
            Violation::unless(
                record.total == total && total as usize <= bodies.count(),
                index,
                || format!("{total} here and below"),
                || format!("{}", record.total),
            )?;
            let is_right = if node.is_leaf() {
                record.fitting <= self.capacity || self.is_deepest(record.depth)
            } else {
                record.fitting == 0 && total - record.own > self.capacity / 2
            };
            Violation::unless(
                is_right,
                index,
                || format!("a leaf or node for a capacity of {}", self.capacity),
                || format!("{record:?}"),
            )?;
        }
        roll.close(self.places.iter().filter(|place| **place != NONE).count())?;
        let free_nodes = self.pool.free_node_count as usize;
        let free_blocks = self.pool.free_block_count as usize;
        let idle = |record: &&Record| record.depth == FREE;
        Violation::unless(
            nodes + free_nodes == self.pool.nodes.len()
                && self.pool.records.iter().filter(idle).count() == free_nodes
                && blocks + free_blocks == self.pool.owners.len(),
            None,
            || format!("{nodes} nodes and {blocks} blocks in use"),
            || {
                format!(
                    "{free_nodes} of {} and {free_blocks} of {} free",
                    self.pool.nodes.len(),
                    self.pool.owners.len()
                )
            },
        )
    }

    /// A child lies in its quarter and knows what is above it. Gives how many bodies it counts.
    fn check_child(&self, parent: u32, quarter: u32) -> Result<u32, Violation> {
        let Node {
            bounds,
            cut,
            children,
            ..
        } = self.pool.nodes[parent as usize];
        let above = self.pool.records[parent as usize];
        let index = children + quarter;
        let found = self.pool.records.get(index as usize).copied();
        let cell = quarter_of(above.cell, cut, quarter);
        let is_right = found.is_some_and(|record| {
            record.cell == cell && record.parent == parent && record.depth == above.depth + 1
        }) && self.pool.nodes[index as usize].bounds
            == self.loosened(cell).meet(bounds);
        Violation::unless(
            is_right,
            index,
            || format!("a child of {parent} in {cell:?}"),
            || format!("{found:?}"),
        )?;
        Ok(found.map_or(0, |record| record.total))
    }

    /// The bodies of a node are alive, filed where they are, copied truly, and nowhere else to be held.
    fn check_bodies(
        &self,
        index: u32,
        bodies: Bodies<'_>,
        roll: &mut Roll<'_>,
    ) -> Result<(), Violation> {
        let Record { own, fitting, .. } = self.pool.records[index as usize];
        let node = self.pool.nodes[index as usize];
        let (mut held, mut fits) = (0, 0);
        for (unit, body) in self.pool.own(index) {
            held += 1;
            roll.meet(unit, index)?;
            let place = self.places.get(unit as usize).copied();
            let is_filed = place.is_some_and(|place| {
                place != NONE
                    && self.pool.node_of(place) == index
                    && self.pool.body(place).0 == unit
            });
            Violation::unless(
                is_filed && body == bodies.aabb(unit),
                index,
                || format!("unit {unit} filed and copied truly"),
                || format!("filed in {place:?}, copied as {body:?}"),
            )?;
            let sinks = self.quarter_for(index, body).is_some();
            fits += u32::from(sinks && node.is_leaf());
            Violation::unless(
                (index == ROOT || node.bounds.contains_box(body)) && (node.is_leaf() || !sinks),
                index,
                || {
                    format!(
                        "a body within {:?} and in none of its quarters",
                        node.bounds
                    )
                },
                || format!("unit {unit} in {body:?}"),
            )?;
        }
        Violation::unless(
            (held, fits) == (own, fitting),
            index,
            || format!("{held} bodies of which {fits} would fit a quarter"),
            || format!("{own} and {fitting}"),
        )
    }
}
