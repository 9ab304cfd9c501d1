//! Comparing every link, height, box and block with the truth.

use super::Bvh;
use crate::partition::toolkit::box_tree::{Link, NONE};
use crate::partition::{Bodies, Violation};

impl Bvh {
    /// Beside what every tree checks: heights, the leaves' owners, room in the leaves, and the pools.
    pub(super) fn check(&self, bodies: Bodies<'_>) -> Result<(), Violation> {
        let census = self.tree.check(bodies)?;
        for (index, node) in (0..).zip(&self.tree.nodes) {
            if node.is_free() {
                continue;
            }
            let region = Link::inner(index).region();
            let [a, b] = node.branches;
            let height = 1 + self.height(a.link).max(self.height(b.link));
            Violation::unless(
                node.height == height,
                region,
                || format!("height {height}"),
                || format!("{}", node.height),
            )?;
            for branch in node.branches {
                if branch.link.is_leaf() {
                    let block = branch.link.index() / self.leaf_size;
                    let owner = self.owners.get(block as usize).copied();
                    Violation::unless(
                        branch.link.index() == block * self.leaf_size
                            && branch.count <= self.leaf_size
                            && owner == Some(index),
                        branch.link.region(),
                        || format!("at most {} units below {index}", self.leaf_size),
                        || format!("{} below {owner:?}", branch.count),
                    )?;
                }
            }
        }
        let free = |list: &[u32], is_free: &dyn Fn(u32) -> bool| {
            let mut sorted = list.to_vec();
            sorted.sort_unstable();
            sorted.dedup();
            sorted.len() == list.len() && sorted.iter().all(|index| is_free(*index))
        };
        let nodes = &self.tree.nodes;
        Violation::unless(
            census.nodes + self.free_nodes.len() == nodes.len()
                && free(&self.free_nodes, &|index| nodes[index as usize].is_free())
                && census.leaves + self.free_blocks.len() == self.owners.len()
                && free(&self.free_blocks, &|block| {
                    self.owners[block as usize] == NONE
                }),
            None,
            || format!("{} nodes and {} leaves", census.nodes, census.leaves),
            || {
                format!(
                    "{} free of {} nodes, {} of {} blocks",
                    self.free_nodes.len(),
                    nodes.len(),
                    self.free_blocks.len(),
                    self.owners.len()
                )
            },
        )
    }
}
