//! Comparing every link, cell, count and copy with the truth.

use super::four::seat_of;
use super::pool::{BLOCK, FREE, NONE, Node, Pool, Record};
use super::{ROOT, RectQuadtree, STACK_LENGTH, quarter_of};
use crate::partition::toolkit::roll::Roll;
use crate::partition::toolkit::stack::Stack;
use crate::partition::{Bodies, Violation};

impl RectQuadtree {
    /// Checks cells, links, counts, that each body is in a node that holds it and in none that a child would relieve of it,
    /// that full leaves are split and sparse nodes merged, and the pools.
    pub(super) fn check(&self, bodies: Bodies<'_>) -> Result<(), Violation> {
        let root = self.pool.records.first();
        Violation::unless(
            root.is_some_and(|root| root.parent == NONE && root.depth == 0)
                && self.pool.records.len() == self.pool.nodes.len()
                && self.pool.fours.len() * 4 == self.pool.nodes.len() + 3,
            ROOT,
            || {
                format!(
                    "a root, and a record and a seat for each of {} nodes",
                    self.pool.nodes.len()
                )
            },
            || {
                let Pool { records, fours, .. } = &self.pool;
                format!("{root:?}, {} records, {} fours", records.len(), fours.len())
            },
        )?;
        let (mut nodes, mut blocks) = (0, 0);
        let mut roll = Roll::new(bodies);
        let mut stack = Stack::<u32, STACK_LENGTH>::new();
        stack.push(ROOT);
        while let Some(index) = stack.pop() {
            nodes += 1;
            let record = self.pool.records[index as usize];
            let node = self.pool.nodes[index as usize];
            Violation::unless(
                node.cut == record.cell.center(),
                index,
                || format!("a cut at {}", record.cell.center()),
                || node.cut.to_string(),
            )?;
            Violation::unless(
                node.is_leaf() || node.children as usize + 4 <= self.pool.nodes.len(),
                index,
                || "four children".to_owned(),
                || format!("a link to {}", node.children),
            )?;
            let (found, truth) = (self.pool.contents(seat_of(index)), self.pool.truth(index));
            Violation::unless(
                found == truth,
                index,
                || format!("{truth:?} among those of the four"),
                || format!("{found:?}"),
            )?;
            blocks += self.check_bodies(index, bodies, &mut roll)?;
            let mut total = u64::from(record.own);
            if !node.is_leaf() {
                for quarter in 0..4 {
                    total += u64::from(self.check_child(index, quarter)?);
                    stack.push(node.children + quarter);
                }
            }
            Violation::unless(
                u64::from(record.total) == total,
                index,
                || format!("{total} here and below"),
                || format!("{}", record.total),
            )?;
            if self.is_tight && index != ROOT {
                let (least, found) = (self.around_all(index), self.tested_bounds(index));
                Violation::unless(
                    found.contains_box(least),
                    index,
                    || format!("a box of at least {least:?} among those of the four"),
                    || format!("{found:?}"),
                )?;
            }
            let is_right = if node.is_leaf() {
                record.fitting <= self.capacity || self.is_deepest(record.depth)
            } else {
                total - u64::from(record.own) > u64::from(self.capacity / 2)
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
        let listed = self.pool.listed_free();
        let idle = |record: &&Record| record.depth == FREE;
        Violation::unless(
            nodes + free_nodes == self.pool.nodes.len()
                && self.pool.records.iter().filter(idle).count() == free_nodes
                && blocks + free_blocks == self.pool.owners.len()
                && listed == (Some(free_nodes), Some(free_blocks)),
            None,
            || format!("{nodes} nodes and {blocks} blocks in use, and the others in lists"),
            || {
                format!(
                    "{free_nodes} of {} and {free_blocks} of {} free, {listed:?} listed",
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
        let record = self.pool.records[index as usize];
        let cell = quarter_of(above.cell, cut, quarter);
        Violation::unless(
            record.cell == cell
                && record.parent == parent
                && record.depth == above.depth + 1
                && self.pool.nodes[index as usize].bounds == self.loosened(cell).meet(bounds),
            index,
            || format!("a child of {parent} in {cell:?}"),
            || format!("{record:?}"),
        )?;
        let found = self.pool.bounds(seat_of(index));
        let bounds = self.pool.nodes[index as usize].bounds;
        let is_right = match self.is_tight {
            true => bounds.contains_box(found),
            false => found == bounds,
        };
        Violation::unless(
            is_right,
            index,
            || format!("{bounds:?} among those of the four, or a tight box within"),
            || format!("{found:?}"),
        )?;
        Ok(record.total)
    }

    /// The bodies of a node are alive, filed where they are, copied truly, and nowhere else to be held. Gives in how many blocks
    /// they are.
    fn check_bodies(
        &self,
        index: u32,
        bodies: Bodies<'_>,
        roll: &mut Roll<'_>,
    ) -> Result<usize, Violation> {
        let Record { own, fitting, .. } = self.pool.records[index as usize];
        let node = self.pool.nodes[index as usize];
        let (mut blocks, mut held, mut fits) = (0, 0, 0);
        let mut block = node.blocks;
        while block != NONE {
            // Only the first block of a node may have room.
            let least = if blocks == 0 { 1 } else { BLOCK };
            let owner = self.pool.owners.get(block as usize).filter(|owner| {
                owner.node == index && (least..=BLOCK).contains(&(owner.length as usize))
            });
            let Some(owner) = owner else {
                return Err(Violation {
                    region: Some(index),
                    expected: format!("{least} to {BLOCK} bodies of node {index}"),
                    found: format!("block {block}: {:?}", self.pool.owners.get(block as usize)),
                });
            };
            blocks += 1;
            held += owner.length;
            let first = block * BLOCK as u32;
            for slot in first..first + owner.length {
                let (unit, body) = self.pool.body(slot);
                roll.meet(unit, index)?;
                let place = self.places.get(unit as usize).copied();
                Violation::unless(
                    place == Some(slot) && body == bodies.aabb(unit),
                    index,
                    || format!("unit {unit} filed in slot {slot} and copied truly"),
                    || format!("filed in {place:?}, copied as {body:?}"),
                )?;
                let sinks = self.quarter_for(index, body).is_some();
                fits += u32::from(sinks);
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
            block = owner.next;
        }
        Violation::unless(
            (held, fits) == (own, fitting),
            index,
            || format!("{held} bodies of which {fits} would fit a quarter"),
            || format!("{own} and {fitting}"),
        )?;
        Ok(blocks)
    }
}
