//! What the tree tells of itself: nodes to draw, facts and quality.

use super::Quadtree;
use super::pool::{Kind, NONE, Node};
use crate::partition::{Fact, Region, RegionId, RegionQuery, Role, Shape};

impl Quadtree {
    pub(super) fn draw_regions(
        &self,
        node: u32,
        query: RegionQuery,
        visit: &mut dyn FnMut(Region<'_>),
    ) {
        let here = &self.pool.nodes[node as usize];
        if !here.bounds.overlaps(query.area) || here.bounds.size().max_element() < query.min_size {
            return;
        }
        visit(Region {
            id: node,
            shape: Shape::Rect(here.bounds),
            depth: u16::from(here.depth),
            load: here.load,
            capacity: self.capacity,
            role: if here.kind == Kind::Inner {
                Role::Inner
            } else {
                Role::Leaf
            },
            parent: (here.parent != NONE).then_some(here.parent),
        });
        if here.kind == Kind::Inner {
            for child in here.link..here.link + 4 {
                self.draw_regions(child, query, visit);
            }
        }
    }

    pub(super) fn say_facts(&self, region: RegionId, say: &mut dyn FnMut(Fact)) {
        let Some(node) = self
            .pool
            .nodes
            .get(region as usize)
            .filter(|node| node.kind != Kind::Free)
        else {
            return;
        };
        if node.kind == Kind::Inner {
            let cut = node.cut();
            say(Fact::new("units below", self.count_below(region), ""));
            say(Fact::new(
                "cut at",
                format!("{:.2}, {:.2}", cut.x, cut.y),
                "m",
            ));
        } else if node.depth >= self.depth_cap {
            say(Fact::new("deepest level", "does not split any more", ""));
        }
        if self.pool.is_sized() {
            let reach = self.reach(region);
            say(Fact::new(
                "queries grow by",
                format!("{:.2} × {:.2}", reach.x, reach.y),
                "m",
            ));
        }
    }

    fn count_below(&self, node: u32) -> u32 {
        let here = &self.pool.nodes[node as usize];
        if here.kind == Kind::Inner {
            (here.link..here.link + 4)
                .map(|child| self.count_below(child))
                .sum()
        } else {
            here.load
        }
    }

    pub(super) fn say_quality(&self, say: &mut dyn FnMut(Fact)) {
        let is = |kind: Kind| move |node: &&Node| node.kind == kind;
        let leaves = || self.pool.nodes.iter().filter(is(Kind::Leaf));
        let leaf_count = leaves().count();
        let empty = leaves().filter(|node| node.load == 0).count();
        let at_cap = leaves()
            .filter(|node| node.depth >= self.depth_cap && node.load > self.capacity)
            .count();
        let height = self.depth_counts.iter().rposition(|count| *count > 0);
        let filled = (leaf_count - empty).max(1);
        let (free_fours, free_blocks) = self.pool.free_counts();
        let nodes_used = self.pool.nodes.len() - 4 * free_fours as usize;
        let percent =
            |part: usize, whole: usize| format!("{:.0}", 100.0 * part as f64 / whole.max(1) as f64);
        say(Fact::new("nodes", nodes_used, ""));
        say(Fact::new("height", height.unwrap_or(0), "levels"));
        if self.doublings > 0 {
            say(Fact::new("levels outside the field", self.doublings, ""));
        }
        say(Fact::new("leaves", leaf_count, ""));
        say(Fact::new("empty leaves", empty, ""));
        say(Fact::new(
            "mean fill",
            format!(
                "{:.1} of {}",
                f64::from(self.count) / filled as f64,
                self.capacity
            ),
            "units",
        ));
        say(Fact::new("overfull at the deepest level", at_cap, "leaves"));
        say(Fact::new(
            "node pool in use",
            percent(nodes_used, self.pool.nodes.len()),
            "%",
        ));
        say(Fact::new(
            "block pool in use",
            percent(
                self.pool.owners.len() - free_blocks as usize,
                self.pool.owners.len(),
            ),
            "%",
        ));
    }
}
