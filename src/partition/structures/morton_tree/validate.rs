//! Comparing every link, key and box with the truth.

use super::buckets::place;
use super::key::side;
use super::shelves::of_place;
use super::{
    ABSENT, DEPTH_LIMIT, Link, MortonTree, NO_NODE, NO_SHELF, Node, STACK_LENGTH, Stack, leaf_box,
};
use crate::geometry::Aabb;
use crate::partition::toolkit::boxes::WIDTH;
use crate::partition::toolkit::roll::Roll;
use crate::partition::{Bodies, Violation};

/// What a node's place says about it.
#[derive(Clone, Copy)]
struct Expected {
    link: Link,
    bounds: Aabb,
    parent: u32,
}

impl MortonTree {
    /// Checks topology, branch bits, prefixes, boxes, membership and the free lists.
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
        let (mut buckets, mut inner, mut shelves, mut things) = (0, 0, 0, 0);
        let mut stack = Stack::<_, STACK_LENGTH>::new();
        if self.root != Link::NONE {
            stack.push(Expected {
                link: self.root,
                bounds: self.root_box,
                parent: NO_NODE,
            });
        }
        while let Some(expected) = stack.pop() {
            if expected.link.is_bucket() {
                buckets += 1;
                self.check_bucket(expected, bodies, &mut roll)?;
                let place = self.buckets.shelf_place(expected.link.index());
                things += self.check_place(expected, expected.link, place)?;
            } else {
                inner += 1;
                let node = self.check_node(expected)?;
                if let Some(place) = self.check_shelf(expected, node)? {
                    shelves += 1;
                    things += self.check_place(expected, Link::inner(node.shelf), place)?;
                }
                for slot in [1, 0] {
                    stack.push(Expected {
                        link: node.children[slot],
                        bounds: node.boxes[slot],
                        parent: expected.link.index(),
                    });
                }
            }
        }
        roll.close(self.unit_count)?;
        let placed = self.places.iter().filter(|place| **place != ABSENT).count();
        Violation::unless(
            placed == self.unit_count,
            None,
            || format!("places for {} units", self.unit_count),
            || format!("{placed} places"),
        )?;
        self.check_free_nodes(inner)?;
        self.check_free_buckets(buckets)?;
        self.check_shelves(shelves, things)
    }

    /// The bucket hangs where its head says, holds as many units as it may, and its box is around them.
    fn check_bucket(
        &self,
        expected: Expected,
        bodies: Bodies<'_>,
        roll: &mut Roll<'_>,
    ) -> Result<(), Violation> {
        let (bucket, region) = (expected.link.index(), expected.link.region());
        let is_known = (bucket as usize) < self.buckets.len();
        let found = is_known.then(|| self.buckets.parent(bucket));
        Violation::unless(
            found == Some(expected.parent),
            region,
            || format!("bucket {bucket} below node {}", expected.parent),
            || format!("below {found:?}"),
        )?;
        let fill = self.buckets.fill(bucket);
        Violation::unless(
            (1..=self.bucket as usize).contains(&fill),
            region,
            || format!("one to {} units", self.bucket),
            || format!("{fill} units"),
        )?;
        let mut around = Aabb::EMPTY;
        for (at, &unit) in self.buckets.ids(bucket).iter().enumerate() {
            roll.meet(unit, region)?;
            let truth = leaf_box(bodies, unit);
            let found = self.buckets.body(bucket, at);
            Violation::unless(
                same_bits(found, truth),
                region,
                || format!("unit {unit} at {truth:?}"),
                || format!("{found:?}"),
            )?;
            let filed = self.place_of(unit);
            Violation::unless(
                filed == Some(place(bucket, at)),
                region,
                || format!("unit {unit} at place {at}"),
                || format!("{filed:?}"),
            )?;
            let key = self.key_of(truth, unit);
            let (node, slot) = self.hanger(bucket);
            Violation::unless(
                self.is_on_side(node, slot, key),
                region,
                || format!("unit {unit} on the bucket's side of node {node}"),
                || format!("key {key:x}"),
            )?;
            around = around.join(truth);
        }
        Violation::unless(
            same_bits(expected.bounds, around),
            region,
            || format!("{around:?}"),
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
            node.bit < limit,
            region,
            || format!("a branch bit below {limit}"),
            || format!("branch bit {}", node.bit),
        )?;
        for slot in 0..2 {
            let link = node.children[slot];
            let row = link.index() as usize;
            // What a bucket holds is checked there.
            let key = if link.is_bucket() {
                Some(node.key & !(1 << node.bit) | (slot as u64) << node.bit)
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

    /// What is below a node is on a shelf that the node above it has too, or on its own. Says where the latter is.
    fn check_shelf(&self, expected: Expected, node: &Node) -> Result<Option<u32>, Violation> {
        let (index, region) = (expected.link.index(), expected.link.region());
        let shelf = self.shelves.list.get(node.shelf as usize);
        let Some(shelf) = shelf.filter(|shelf| shelf.count > 0) else {
            return Err(Violation {
                region: Some(region),
                expected: "a shelf for what is below".to_owned(),
                found: format!("shelf {}", node.shelf),
            });
        };
        let above = self.nodes.get(expected.parent as usize);
        if above.is_some_and(|above| above.shelf == node.shelf) {
            return Ok(None);
        }
        Violation::unless(
            shelf.top == index,
            region,
            || format!("the shelf of node {index}"),
            || format!("that of node {}", shelf.top),
        )?;
        Ok(Some(shelf.place))
    }

    /// A thing is on the shelf of the node above it, with the box that it has there; the root is on none. Gives how many things
    /// that is.
    fn check_place(&self, expected: Expected, thing: Link, place: u32) -> Result<usize, Violation> {
        let region = expected.link.region();
        let Some(above) = self.nodes.get(expected.parent as usize) else {
            Violation::unless(
                place == NO_SHELF,
                region,
                || "the root on no shelf".to_owned(),
                || format!("place {place}"),
            )?;
            return Ok(0);
        };
        let (shelf, at) = of_place(place);
        Violation::unless(
            shelf == above.shelf as usize,
            region,
            || format!("a place on shelf {}", above.shelf),
            || format!("place {at} on shelf {shelf}"),
        )?;
        let shelf = &self.shelves.list[shelf];
        Violation::unless(
            at < shelf.len() && shelf.thing(at) == thing,
            region,
            || format!("{thing:?} at place {at} of {}", shelf.count),
            || format!("{:?}", shelf.thing(at)),
        )?;
        Violation::unless(
            same_bits(shelf.bounds(at), expected.bounds),
            region,
            || format!("{:?} on the shelf", expected.bounds),
            || format!("{:?}", shelf.bounds(at)),
        )?;
        Ok(1)
    }

    /// There is nothing else on shelves, and those that are not in use are on the free list, each once.
    fn check_shelves(&self, used: usize, things: usize) -> Result<(), Violation> {
        let (mut in_use, mut found) = (0, 0);
        for (index, shelf) in self.shelves.list.iter().enumerate() {
            in_use += usize::from(shelf.count > 0);
            found += shelf.len();
            let is_sound = |at: usize| {
                let (thing, bounds) = (shelf.thing(at), shelf.bounds(at));
                at < shelf.len() || (thing == Link::NONE && bounds == Aabb::EMPTY)
            };
            let is_marked =
                |at: usize| shelf.thing(at).is_bucket() == (shelf.buckets >> at & 1 == 1);
            Violation::unless(
                (0..WIDTH).all(|at| is_sound(at) && is_marked(at)),
                None,
                || format!("a bit for each bucket on shelf {index}, and nothing behind its things"),
                || format!("{shelf:?}"),
            )?;
        }
        Violation::unless(
            (in_use, found) == (used, things),
            None,
            || format!("{things} things on {used} shelves"),
            || format!("{found} on {in_use}"),
        )?;
        let free = self.shelves.list.len() - used;
        let (mut listed, mut next) = (0, self.shelves.free);
        while listed <= free
            && let Some(shelf) = self.shelves.list.get(next as usize)
        {
            Violation::unless(
                shelf.count == 0,
                None,
                || "a free shelf on the free list".to_owned(),
                || format!("the shelf of node {}", shelf.top),
            )?;
            listed += 1;
            next = shelf.place;
        }
        Violation::unless(
            listed == free,
            None,
            || format!("{free} free shelves"),
            || format!("{listed} on the free list"),
        )
    }

    /// The nodes that are not in the tree are on the free list, each once.
    fn check_free_nodes(&self, used: usize) -> Result<(), Violation> {
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

    /// The buckets that are not in the tree are on the free list, each once.
    fn check_free_buckets(&self, used: usize) -> Result<(), Violation> {
        let free = self.buckets.len() - used;
        let mut listed = 0;
        for bucket in self.buckets.free_list() {
            Violation::unless(
                self.buckets.is_free(bucket),
                Link::bucket(bucket).region(),
                || "a free bucket on the free list".to_owned(),
                || "a bucket in use".to_owned(),
            )?;
            listed += 1;
        }
        Violation::unless(
            listed == free,
            None,
            || format!("{free} free buckets"),
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
