//! What the tree tells of itself: nodes to draw, facts and quality.

use super::key::{BITS, ROW_BITS, cell_at};
use super::{FREE, MortonTree3, NONE};
use crate::partition::{Fact, RegionId, Role};
use crate::volume::{Region3, RegionQuery3};

impl MortonTree3 {
    pub(super) fn draw_regions(
        &self,
        node: u32,
        depth: u16,
        query: RegionQuery3,
        visit: &mut dyn FnMut(Region3),
    ) {
        let here = &self.nodes[node as usize];
        if !query.wants(here.bounds) {
            return;
        }
        let parent = self.records[node as usize].parent;
        let is_bucket = here.is_bucket();
        visit(Region3 {
            id: node,
            bounds: here.bounds,
            depth,
            load: here.list.load,
            capacity: if is_bucket { self.bucket } else { 0 },
            role: if is_bucket { Role::Leaf } else { Role::Inner },
            parent: (parent != NONE).then_some(parent),
        });
        if !is_bucket {
            for child in here.children {
                self.draw_regions(child, depth + 1, query, visit);
            }
        }
    }

    pub(super) fn say_facts(&self, region: RegionId, say: &mut dyn FnMut(Fact)) {
        let record = self.records.get(region as usize);
        let Some(record) = record.filter(|record| record.bit != FREE) else {
            return;
        };
        let node = &self.nodes[region as usize];
        if node.is_bucket() {
            if let Some((_, body)) = self.blocks.units(node.list).next() {
                let cell = cell_at(body.center(), self.side());
                let cell = format!("{}, {}, {}", cell.x, cell.y, cell.z);
                say(Fact::new("cell of one of its units", cell, ""));
            }
        } else if u32::from(record.bit) < ROW_BITS {
            say(Fact::new("branches at", "the unit's row: one cell", ""));
        } else {
            let place = u32::from(record.bit) - ROW_BITS;
            // The highest of three interleaved bits is that of x.
            let axis = ["z", "y", "x"][(place % 3) as usize];
            let at = format!("bit {} of {axis}", place / 3);
            say(Fact::new("branches at", at, ""));
            let level = BITS - 1 - place / 3;
            say(Fact::new("octree level", level, ""));
        }
    }

    pub(super) fn say_quality(&self, say: &mut dyn FnMut(Fact)) {
        let used = || {
            let both = self.records.iter().zip(&self.nodes);
            both.filter(|(record, _)| record.bit != FREE)
        };
        let buckets = || used().filter(|(_, node)| node.is_bucket());
        let (count, units) = (
            buckets().count(),
            buckets().map(|(_, node)| node.list.load).sum::<u32>(),
        );
        let mean = f64::from(units) / count.max(1) as f64;
        let (blocks, free) = self.blocks.counts();
        let in_use = 100.0 * (blocks - free) as f64 / blocks.max(1) as f64;
        say(Fact::new("nodes", used().count(), ""));
        say(Fact::new("height", self.height(), "levels"));
        let ideal = count.max(1).next_power_of_two().ilog2();
        say(Fact::new("height of a balanced tree", ideal, "levels"));
        say(Fact::new("buckets", count, ""));
        let fill = format!("{mean:.1} of {}", self.bucket);
        say(Fact::new("mean fill", fill, "units"));
        say(Fact::new("block pool in use", format!("{in_use:.0}"), "%"));
    }

    /// How many inner nodes there are on the longest way down.
    fn height(&self) -> u32 {
        let depth = |node: u32| {
            let mut above = self.records[node as usize].parent;
            let mut depth = 0;
            while above != NONE {
                above = self.records[above as usize].parent;
                depth += 1;
            }
            depth
        };
        let nodes = (0..self.nodes.len() as u32).zip(&self.records);
        let used = nodes.filter(|(_, record)| record.bit != FREE);
        used.map(|(node, _)| depth(node)).max().unwrap_or(0)
    }
}
