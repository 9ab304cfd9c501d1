//! The tree's own check: topology, cells, boxes, membership, books and copies.

use super::{FREE, LEVEL_LIMIT, NONE, Node, Octree, ROOT};
use crate::partition::Violation;
use crate::volume::toolkit::roll::Roll;
use crate::volume::{Aabb3, Bodies3};

/// What a check has counted.
struct Tally<'a> {
    roll: Roll<'a>,
    nodes: usize,
    blocks: usize,
}

impl Octree {
    pub(super) fn check(&self, bodies: Bodies3<'_>) -> Result<(), Violation> {
        let root = self.records[ROOT as usize];
        let bounds = self.nodes[ROOT as usize].bounds;
        Violation::unless(
            root.parent == NONE && root.depth == 0 && bounds == Aabb3::EVERYTHING,
            ROOT,
            || "a root that holds everything".to_owned(),
            || format!("{root:?} with {bounds:?}"),
        )?;
        Violation::unless(
            self.nodes.len() == self.records.len(),
            None,
            || format!("a record for each of {} nodes", self.nodes.len()),
            || format!("{}", self.records.len()),
        )?;
        let mut tally = Tally {
            roll: Roll::new(bodies),
            nodes: 0,
            blocks: 0,
        };
        self.check_node(ROOT, &mut tally)?;
        self.check_free(tally.nodes)?;
        self.blocks.check_free(tally.blocks)?;
        let booked = self.slots.iter().filter(|slot| **slot != NONE).count();
        tally.roll.close(booked)
    }

    fn check_node(&self, node: u32, tally: &mut Tally<'_>) -> Result<(), Violation> {
        let here = self.nodes[node as usize];
        let record = self.records[node as usize];
        tally.nodes += 1;
        Violation::unless(
            usize::from(record.depth) < LEVEL_LIMIT && record.depth <= self.depth_cap,
            node,
            || format!("at most {} levels", self.depth_cap),
            || format!("depth {}", record.depth),
        )?;
        // Whether units fit is asked of the children, so these come first.
        if !here.is_leaf() {
            for octant in 0..8 {
                self.check_child(node, octant)?;
            }
        }
        let mut fitting = 0;
        let blocks = self
            .blocks
            .check(here.list, node, node, |slot, unit, copy| {
                tally.roll.meet_at(unit, copy, node)?;
                let booked = self.slots.get(unit as usize).copied();
                Violation::unless(
                    booked == Some(slot),
                    node,
                    || format!("unit {unit} at slot {slot}"),
                    || format!("{booked:?}"),
                )?;
                let is_within = node == ROOT || record.cell.contains(copy.center());
                Violation::unless(
                    is_within && here.bounds.contains_box(copy),
                    node,
                    || format!("units within {:?}", here.bounds),
                    || format!("unit {unit} at {copy:?}"),
                )?;
                let fits = self.octant_for(node, copy).is_some();
                fitting += u32::from(fits);
                Violation::unless(
                    here.is_leaf() || !fits,
                    node,
                    || "straddlers alone above the leaves".to_owned(),
                    || format!("unit {unit}, which fits an octant"),
                )
            })?;
        tally.blocks += blocks;
        if here.is_leaf() {
            let is_full = fitting > self.capacity && !self.is_deepest(record.depth);
            return Violation::unless(
                !is_full && fitting == record.fitting && here.total == here.list.load,
                node,
                || format!("a leaf with at most {} units that fit", self.capacity),
                || {
                    let books = (record.fitting, here.total);
                    format!("{fitting} of {}, in the books {books:?}", here.list.load)
                },
            );
        }
        let mut total = u64::from(here.list.load);
        for child in here.children..here.children + 8 {
            self.check_node(child, tally)?;
            total += u64::from(self.nodes[child as usize].total);
        }
        Violation::unless(
            total == u64::from(here.total) && here.total > self.capacity / 2 && record.fitting == 0,
            node,
            || format!("{total} units, more than half a capacity"),
            || format!("{} in the books, {} to fit", here.total, record.fitting),
        )
    }

    /// Whether a child is there, and names its parent and has the right part of its cell.
    fn check_child(&self, node: u32, octant: u32) -> Result<(), Violation> {
        let record = self.records[node as usize];
        let cell = Self::octant_cell(record.cell, octant);
        let bounds = self.octant_bounds(cell, self.nodes[node as usize].bounds);
        // An index that leads back up is caught by the depth.
        let child = self.nodes[node as usize].children as usize + octant as usize;
        let found = self.records.get(child);
        let is_sound = found.is_some_and(|below| {
            let is_below = below.depth == record.depth + 1;
            below.parent == node && is_below && below.cell == cell
        });
        Violation::unless(
            is_sound,
            node,
            || format!("octant {octant} with {cell:?}"),
            || format!("{found:?}"),
        )?;
        let found = self.nodes[child].bounds;
        Violation::unless(
            found == bounds,
            node,
            || format!("octant {octant} with a box {bounds:?}"),
            || format!("{found:?}"),
        )
    }

    /// All nodes that are not in use are free, and in the list of what is free.
    fn check_free(&self, used: usize) -> Result<(), Violation> {
        let is_free = |first: u32| {
            let eight = first as usize..(first as usize).saturating_add(8);
            let is_bare = |node: &Node| node.total == 0 && node.list.load == 0;
            let records = self.records.get(eight.clone());
            records.is_some_and(|them| them.iter().all(|it| it.depth == FREE))
                && self.nodes[eight].iter().all(is_bare)
        };
        let (mut eight, mut listed) = (self.free, 0_usize);
        while listed <= self.nodes.len() && is_free(eight) {
            listed += 1;
            eight = self.nodes[eight as usize].children;
        }
        Violation::unless(
            eight == NONE
                && listed == self.free_count as usize
                && used + 8 * listed == self.nodes.len(),
            None,
            || format!("{} nodes in use or free", self.nodes.len()),
            || format!("{used} in use, {listed} of {} eights", self.free_count),
        )
    }
}
