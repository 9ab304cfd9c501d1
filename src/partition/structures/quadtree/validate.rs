//! Whether the tree is in order.

use super::pool::{BLOCK, Kind, NONE, Node, slot_of};
use super::{LEVEL_LIMIT, Quadtree, ROOT};
use crate::geometry::Vec2;
use crate::partition::toolkit::roll::Roll;
use crate::partition::{Bodies, UnitId, Violation};

impl Quadtree {
    pub(super) fn check(&self, bodies: Bodies<'_>) -> Result<(), Violation> {
        let count = bodies.count();
        Violation::unless(
            self.count as usize == count,
            None,
            || format!("{count} units"),
            || format!("{} units", self.count),
        )?;
        let root = self.pool.nodes.first();
        Violation::unless(
            root.is_some_and(|root| root.parent == NONE && root.depth == 0),
            ROOT,
            || "a root".to_owned(),
            || format!("{root:?}"),
        )?;
        let mut found = Found {
            roll: Roll::new(bodies),
            nodes: 1,
            blocks: 0,
            depth_counts: [0; LEVEL_LIMIT],
        };
        self.check_node(ROOT, bodies, &mut found)?;
        let (free_fours, free_blocks) = self.pool.free_counts();
        let listed = self.pool.listed_free();
        Violation::unless(
            listed == (Some(free_fours), Some(free_blocks)),
            None,
            || format!("{free_fours} fours of nodes and {free_blocks} blocks in the free lists"),
            || format!("{listed:?}"),
        )?;
        let is_idle = |node: &&Node| node.kind == Kind::Free;
        let idle = self.pool.nodes.iter().filter(is_idle).count();
        Violation::unless(
            found.nodes + idle == self.pool.nodes.len() && idle == 4 * free_fours as usize,
            None,
            || format!("{} nodes in the tree or free", self.pool.nodes.len()),
            || {
                format!(
                    "{} in the tree, {idle} free, {free_fours} fours",
                    found.nodes
                )
            },
        )?;
        Violation::unless(
            found.blocks + free_blocks as usize == self.pool.owners.len(),
            None,
            || format!("{} blocks in leaves or free", self.pool.block_count()),
            || format!("{} in leaves, {free_blocks} free", found.blocks),
        )?;
        Violation::unless(
            found.depth_counts == self.depth_counts,
            None,
            || format!("{:?} nodes by depth", self.depth_counts),
            || format!("{:?}", found.depth_counts),
        )?;
        found.roll.close(if self.are_slots_known {
            self.slots.iter().filter(|slot| **slot != NONE).count()
        } else {
            self.count as usize
        })
    }

    fn check_node(
        &self,
        node: u32,
        bodies: Bodies<'_>,
        found: &mut Found<'_>,
    ) -> Result<(), Violation> {
        let here = &self.pool.nodes[node as usize];
        found.depth_counts[usize::from(here.depth)] += 1;
        if here.kind != Kind::Inner {
            return self.check_leaf(node, bodies, found);
        }
        let first = here.link as usize;
        let Some(family) = self.pool.nodes.get(first..first + 4) else {
            return Err(Violation {
                region: Some(node),
                expected: "four nodes".to_owned(),
                found: format!("a link to {first}"),
            });
        };
        let mut reach = Vec2::ZERO;
        for ((quarter, child), below) in (0..).zip(here.link..).zip(family) {
            found.nodes += 1;
            Violation::unless(
                below.parent == node
                    && below.depth == here.depth + 1
                    && below.kind != Kind::Free
                    && below.bounds == here.quarter_bounds(quarter),
                child,
                || format!("quarter {quarter} of {here:?}"),
                || format!("{below:?}"),
            )?;
            self.check_node(child, bodies, found)?;
            reach = reach.max(self.reach(child));
        }
        let load: u32 = family.iter().map(|child| child.load).sum();
        Violation::unless(
            load > self.capacity / 2 || family.iter().any(|child| child.kind == Kind::Inner),
            node,
            || format!("more than {} units below", self.capacity / 2),
            || format!("{load}"),
        )?;
        Violation::unless(
            here.load == 0 && reach == self.reach(node),
            node,
            || format!("no units of its own and half extents up to {reach}"),
            || format!("{} units and {}", here.load, self.reach(node)),
        )
    }

    fn check_leaf(
        &self,
        leaf: u32,
        bodies: Bodies<'_>,
        found: &mut Found<'_>,
    ) -> Result<(), Violation> {
        let here = &self.pool.nodes[leaf as usize];
        Violation::unless(
            here.load <= self.capacity || here.depth >= self.depth_cap,
            leaf,
            || format!("at most {} units", self.capacity),
            || format!("{}", here.load),
        )?;
        let mut load = 0;
        let mut block = here.link;
        while block != NONE {
            // Only the first block of a leaf may have room.
            let least = if block == here.link { 1 } else { BLOCK };
            let owner = self.pool.owners.get(block as usize).filter(|owner| {
                owner.leaf == leaf && (least..=BLOCK).contains(&(owner.length as usize))
            });
            let Some(owner) = owner else {
                return Err(Violation {
                    region: Some(leaf),
                    expected: format!("{least} to {BLOCK} units of leaf {leaf}"),
                    found: format!("block {block}: {:?}", self.pool.owners.get(block as usize)),
                });
            };
            for lane in 0..owner.length as usize {
                let unit = self.pool.blocks[block as usize].ids[lane];
                found.roll.meet(unit, leaf)?;
                self.check_unit(leaf, block, lane, bodies)?;
            }
            load += owner.length;
            found.blocks += 1;
            block = owner.next;
        }
        Violation::unless(
            load == here.load,
            leaf,
            || format!("{} units", here.load),
            || format!("{load} in blocks"),
        )?;
        if self.pool.is_sized() {
            let reach = self.leaf_reach(leaf, Vec2::INFINITY);
            Violation::unless(
                reach == self.reach(leaf),
                leaf,
                || format!("half extents up to {reach}"),
                || format!("{}", self.reach(leaf)),
            )?;
        }
        Ok(())
    }

    fn check_unit(
        &self,
        leaf: u32,
        block: u32,
        lane: usize,
        bodies: Bodies<'_>,
    ) -> Result<(), Violation> {
        let columns = &self.pool.blocks[block as usize];
        let unit: UnitId = columns.ids[lane];
        let slot = self.slots.get(unit as usize).copied();
        Violation::unless(
            slot == Some(slot_of(block, lane)) || !self.are_slots_known,
            leaf,
            || format!("unit {unit} in slot {}", slot_of(block, lane)),
            || format!("slot {slot:?}"),
        )?;
        let position = columns.position(lane);
        let half_extent = self.pool.half_extent(block as usize, lane);
        Violation::unless(
            position == bodies.center(unit) && half_extent == bodies.half_extent(unit),
            leaf,
            || format!("unit {unit} at {:?}", bodies.aabb(unit)),
            || format!("a copy at {position} with half extent {half_extent}"),
        )?;
        let home = self.descend(ROOT, position, &mut ());
        let bounds = self.pool.nodes[leaf as usize].bounds;
        Violation::unless(
            home == leaf && bounds.contains(position),
            leaf,
            || format!("unit {unit} at {position} in leaf {home}"),
            || format!("it in leaf {leaf}, {bounds:?}"),
        )
    }
}

/// What a check has met on its way.
struct Found<'a> {
    roll: Roll<'a>,
    nodes: usize,
    blocks: usize,
    depth_counts: [u32; LEVEL_LIMIT],
}
