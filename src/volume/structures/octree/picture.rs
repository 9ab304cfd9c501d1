//! What the tree tells of itself: nodes to draw, facts and quality.

use super::{FREE, NONE, Octree, ROOT};
use crate::partition::{Fact, RegionId, Role};
use crate::volume::{Region3, RegionQuery3};

impl Octree {
    /// Draws cells rather than boxes: those of neighbours do not overlap, however loose the tree is.
    pub(super) fn draw_regions(
        &self,
        node: u32,
        query: RegionQuery3,
        visit: &mut dyn FnMut(Region3),
    ) {
        let record = &self.records[node as usize];
        if !query.wants(record.cell) {
            return;
        }
        let here = &self.nodes[node as usize];
        visit(Region3 {
            id: node,
            bounds: record.cell,
            depth: u16::from(record.depth),
            load: here.list.load,
            capacity: self.capacity,
            role: if here.is_leaf() {
                Role::Leaf
            } else {
                Role::Inner
            },
            parent: (record.parent != NONE).then_some(record.parent),
        });
        if !here.is_leaf() {
            for child in here.children..here.children + 8 {
                self.draw_regions(child, query, visit);
            }
        }
    }

    pub(super) fn say_facts(&self, region: RegionId, say: &mut dyn FnMut(Fact)) {
        let record = self.records.get(region as usize);
        let Some(record) = record.filter(|record| record.depth != FREE) else {
            return;
        };
        let node = &self.nodes[region as usize];
        if !node.is_leaf() {
            let cut = record.cell.center();
            let cut = format!("{:.2}, {:.2}, {:.2}", cut.x, cut.y, cut.z);
            say(Fact::new("units here and below", node.total, ""));
            say(Fact::new("cut at", cut, "m"));
        } else if self.is_deepest(record.depth) {
            say(Fact::new("deepest level", "does not split any more", ""));
        }
        if self.blocks.is_sized() {
            let straddlers = node.list.load - record.fitting;
            say(Fact::new("straddlers", straddlers, "units"));
            if region != ROOT {
                let size = node.bounds.size();
                let size = format!("{:.2} × {:.2} × {:.2}", size.x, size.y, size.z);
                say(Fact::new("loose box", size, "m"));
            }
        }
    }

    pub(super) fn say_quality(&self, say: &mut dyn FnMut(Fact)) {
        let used = || {
            let both = self.records.iter().zip(&self.nodes);
            both.filter(|(record, _)| record.depth != FREE)
        };
        let leaves = || used().filter(|(_, node)| node.is_leaf());
        let node_count = used().count();
        let empty = leaves().filter(|(_, node)| node.total == 0).count();
        let filled = leaves().count() - empty;
        let in_leaves: u32 = leaves().map(|(_, node)| node.total).sum();
        let above = self.nodes[ROOT as usize].total - in_leaves;
        let overfull = leaves().filter(|(record, _)| record.fitting > self.capacity);
        let overfull = overfull.count();
        let height = used().map(|(record, _)| record.depth).max().unwrap_or(0);
        let mean = f64::from(in_leaves) / filled.max(1) as f64;
        let percent =
            |part: usize, whole: usize| format!("{:.0}", 100.0 * part as f64 / whole.max(1) as f64);
        say(Fact::new("nodes", node_count, ""));
        say(Fact::new("height", height, "levels"));
        if self.doublings > 0 {
            say(Fact::new("levels outside the field", self.doublings, ""));
        }
        say(Fact::new("leaves", filled + empty, ""));
        say(Fact::new("empty leaves", empty, ""));
        let fill = format!("{mean:.1} of {}", self.capacity);
        say(Fact::new("mean fill", fill, "units"));
        say(Fact::new("held above the leaves", above, "units"));
        say(Fact::new(
            "overfull at the deepest level",
            overfull,
            "leaves",
        ));
        let nodes_in_use = percent(node_count, self.nodes.len());
        say(Fact::new("node pool in use", nodes_in_use, "%"));
        let (blocks, free) = self.blocks.counts();
        let blocks_in_use = percent(blocks - free, blocks);
        say(Fact::new("block pool in use", blocks_in_use, "%"));
    }
}
