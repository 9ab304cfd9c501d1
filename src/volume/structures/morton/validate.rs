//! The tree's own check: topology, keys, boxes, membership and copies.

use super::key::{Key, key_of};
use super::{BUCKET, FREE, MortonTree3, NONE};
use crate::partition::Violation;
use crate::volume::Bodies3;
use crate::volume::toolkit::roll::Roll;

/// What a check has counted.
struct Tally<'a> {
    roll: Roll<'a>,
    nodes: usize,
    blocks: usize,
}

/// What keys below a node have in common: from the lowest bit that is given upwards, that of `key`.
#[derive(Clone, Copy)]
struct Prefix {
    key: Key,
    /// Bits from this one upwards are the same; more than a key has for none.
    from: u32,
}

impl Prefix {
    fn holds(self, key: Key) -> bool {
        (self.key ^ key).checked_shr(self.from).unwrap_or(0) == 0
    }
}

impl MortonTree3 {
    pub(super) fn check(&self, bodies: Bodies3<'_>) -> Result<(), Violation> {
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
        if self.root != NONE {
            let everything = Prefix {
                key: 0,
                from: Key::BITS,
            };
            self.check_node(self.root, NONE, everything, &mut tally)?;
        }
        self.check_free(tally.nodes)?;
        self.blocks.check_free(tally.blocks)?;
        let booked = self.slots.iter().filter(|slot| **slot != NONE).count();
        tally.roll.close(booked)
    }

    fn check_node(
        &self,
        node: u32,
        parent: u32,
        prefix: Prefix,
        tally: &mut Tally<'_>,
    ) -> Result<(), Violation> {
        tally.nodes += 1;
        let record = self.records.get(node as usize).copied();
        let is_sound = record.is_some_and(|it| {
            let is_bucket = it.bit == BUCKET;
            let is_inner = u32::from(it.bit) < prefix.from && it.bit < BUCKET;
            it.parent == parent
                && self.nodes[node as usize].is_bucket() == is_bucket
                && (is_bucket || (is_inner && prefix.holds(it.key)))
        });
        Violation::unless(
            is_sound,
            parent,
            || {
                format!(
                    "a child of {parent} that branches below bit {}",
                    prefix.from
                )
            },
            || format!("node {node}, {record:?}"),
        )?;
        let here = self.nodes[node as usize];
        let bounds = if here.is_bucket() {
            self.check_bucket(node, prefix, tally)?;
            self.blocks.bounds(here.list)
        } else {
            Violation::unless(
                here.list.load == 0 && here.list.head == NONE,
                node,
                || "units in buckets alone".to_owned(),
                || format!("{:?} above", here.list),
            )?;
            let record = self.records[node as usize];
            for (side, child) in (0..).zip(here.children) {
                let bit = u32::from(record.bit);
                let without = record.key & !(1 << bit);
                let below = Prefix {
                    key: without | side << bit,
                    from: bit,
                };
                self.check_node(child, node, below, tally)?;
            }
            self.joined(here.children)
        };
        Violation::unless(
            here.bounds == bounds,
            node,
            || format!("a box {bounds:?}"),
            || format!("{:?}", here.bounds),
        )
    }

    fn check_bucket(
        &self,
        node: u32,
        prefix: Prefix,
        tally: &mut Tally<'_>,
    ) -> Result<(), Violation> {
        let list = self.nodes[node as usize].list;
        Violation::unless(
            (1..=self.bucket).contains(&list.load),
            node,
            || format!("1 to {} units", self.bucket),
            || format!("{}", list.load),
        )?;
        let side = self.side();
        tally.blocks += self.blocks.check(list, node, node, |slot, unit, copy| {
            tally.roll.meet_at(unit, copy, node)?;
            let booked = self.slots.get(unit as usize).copied();
            Violation::unless(
                booked == Some(slot),
                node,
                || format!("unit {unit} at slot {slot}"),
                || format!("{booked:?}"),
            )?;
            let key = key_of(copy, unit, side);
            Violation::unless(
                prefix.holds(key),
                node,
                || format!("keys like {:x} from bit {} up", prefix.key, prefix.from),
                || format!("unit {unit} with {key:x}"),
            )
        })?;
        Ok(())
    }

    /// All nodes that are not in use are free, and in the list of what is free.
    fn check_free(&self, used: usize) -> Result<(), Violation> {
        let (mut node, mut listed) = (self.free, 0);
        while let Some(record) = self.records.get(node as usize)
            && record.bit == FREE
            && listed <= self.nodes.len()
        {
            listed += 1;
            node = self.nodes[node as usize].children[0];
        }
        Violation::unless(
            node == NONE && listed == self.free_count as usize && used + listed == self.nodes.len(),
            None,
            || format!("{} nodes in use or free", self.nodes.len()),
            || format!("{used} in use, {listed} of {}", self.free_count),
        )
    }
}
