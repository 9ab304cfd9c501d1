//! Comparing every link, key and box with the truth.

use super::key::side;
use super::{ABSENT, DEPTH_LIMIT, Link, MortonTree, NO_NODE, Node, STACK_LENGTH, Stack, leaf_box};
use crate::geometry::Aabb;
use crate::partition::toolkit::roll::Roll;
use crate::partition::{Bodies, Violation};

/// What a node's place says about it.
#[derive(Clone, Copy)]
struct Expected {
    link: Link,
    bounds: Aabb,
    parent: u32,
    depth: usize,
}

impl MortonTree {
    /// Checks topology, branch bits, prefixes, boxes, membership and the free list.
    pub(super) fn check(&self, bodies: Bodies<'_>) -> Result<(), Violation> {
        let mut roll = Roll::new(bodies);
        if self.root == Link::NONE {
            Violation::unless(
                self.root_box == Aabb::EMPTY,
                None,
                || "an empty box over an empty tree".to_owned(),
                || format!("{:?}", self.root_box),
            )?;
        }
        let (mut leaves, mut inner) = (0, 0);
        let mut stack = Stack::<_, STACK_LENGTH>::new(Expected {
            link: Link::NONE,
            bounds: Aabb::EMPTY,
            parent: NO_NODE,
            depth: 0,
        });
        if self.root != Link::NONE {
            stack.push(Expected {
                link: self.root,
                bounds: self.root_box,
                parent: NO_NODE,
                depth: 0,
            });
        }
        while let Some(expected) = stack.pop() {
            if expected.link.is_leaf() {
                leaves += 1;
                roll.meet(expected.link.index(), expected.link.region())?;
                self.check_leaf(expected, bodies)?;
            } else {
                inner += 1;
                let node = self.check_node(expected)?;
                for slot in [1, 0] {
                    stack.push(Expected {
                        link: node.children[slot],
                        bounds: node.boxes[slot],
                        parent: expected.link.index(),
                        depth: expected.depth + 1,
                    });
                }
            }
        }
        Violation::unless(
            leaves == self.leaf_count && inner == leaves.saturating_sub(1),
            None,
            || format!("{0} leaves and one node less", self.leaf_count),
            || format!("{leaves} leaves and {inner} inner nodes"),
        )?;
        let filed = self.leaves.iter().filter(|leaf| leaf.parent != ABSENT);
        roll.close(filed.count())?;
        self.check_free_list(inner)
    }

    /// The leaf hangs where its own record says, under the key of its place, and its box is its body's.
    fn check_leaf(&self, expected: Expected, bodies: Bodies<'_>) -> Result<(), Violation> {
        let (unit, region) = (expected.link.index(), expected.link.region());
        let filed = self.leaves.get(unit as usize);
        let filed = filed.map(|leaf| (leaf.parent, leaf.key));
        let place = (expected.parent, self.key_of(bodies, unit));
        Violation::unless(
            filed == Some(place),
            region,
            || format!("unit {unit} below node {} under key {:x}", place.0, place.1),
            || format!("{filed:x?}"),
        )?;
        let truth = leaf_box(bodies, unit);
        Violation::unless(
            same_bits(expected.bounds, truth),
            region,
            || format!("{truth:?}"),
            || format!("{:?}", expected.bounds),
        )
    }

    /// The node's links are mutual, its branch bit falls, its children are on their sides of one prefix, and its box is
    /// theirs joined.
    fn check_node(&self, expected: Expected) -> Result<&Node, Violation> {
        let (index, region) = (expected.link.index(), expected.link.region());
        let Some(node) = self
            .nodes
            .get(index as usize)
            .filter(|node| !node.is_free())
        else {
            return Err(Violation {
                region: Some(region),
                expected: format!("node {index} in use"),
                found: "a link to no node".to_owned(),
            });
        };
        Violation::unless(
            node.parent == expected.parent,
            region,
            || format!("parent {}", expected.parent),
            || format!("parent {}", node.parent),
        )?;
        let limit = match self.nodes.get(expected.parent as usize) {
            Some(above) => above.bit,
            None => DEPTH_LIMIT as u8,
        };
        Violation::unless(
            node.bit < limit && expected.depth < DEPTH_LIMIT,
            region,
            || format!("a branch bit below {limit} at depth {}", expected.depth),
            || format!("branch bit {}", node.bit),
        )?;
        for slot in 0..2 {
            let link = node.children[slot];
            let row = link.index() as usize;
            let key = if link.is_leaf() {
                self.leaves.get(row).map(|leaf| leaf.key)
            } else {
                self.nodes.get(row).map(|node| node.key)
            };
            Violation::unless(
                key.is_some_and(|key| node.covers(key) && side(key, node.bit) == slot),
                region,
                || {
                    format!(
                        "child {slot} on its side of bit {} of {:x}",
                        node.bit, node.key
                    )
                },
                || format!("a child with key {key:x?}"),
            )?;
        }
        Violation::unless(
            same_bits(node.bounds(), expected.bounds),
            region,
            || format!("the children joined: {:?}", node.bounds()),
            || format!("{:?}", expected.bounds),
        )?;
        Ok(node)
    }

    /// The nodes that are not in the tree are on the free list, each once.
    fn check_free_list(&self, used: usize) -> Result<(), Violation> {
        let free = self.nodes.len() - used;
        let (mut listed, mut next) = (0, self.free);
        while listed <= free
            && let Some(node) = self.nodes.get(next as usize)
        {
            Violation::unless(
                node.is_free(),
                Link::inner(next).region(),
                || "a free node on the free list".to_owned(),
                || "a node in use".to_owned(),
            )?;
            listed += 1;
            next = node.parent;
        }
        Violation::unless(
            listed == free,
            None,
            || format!("{free} free nodes"),
            || format!("{listed} on the free list"),
        )
    }
}

/// Whether two boxes are the same number for number and bit for bit.
fn same_bits(a: Aabb, b: Aabb) -> bool {
    let bits =
        |bounds: Aabb| [bounds.min.x, bounds.min.y, bounds.max.x, bounds.max.y].map(f32::to_bits);
    bits(a) == bits(b)
}
