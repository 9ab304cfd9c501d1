//! Adding, removing and moving single units.

use super::buckets::{of_place, place};
use super::key::side;
use super::{
    ABSENT, Link, MAX_BUCKET, MOVE_COLUMNS, MortonTree, NO_NODE, NO_SHELF, Node, leaf_box,
};
use crate::geometry::Aabb;
use crate::partition::{Bodies, UnitId};
use crate::probe::{Event, Probe, Work};

/// Counts the nodes that are refitted, climbed over and descended through. It hears the very events that any other probe
/// hears, so that the histogram of moves and the counters cannot disagree.
#[derive(Default)]
pub(super) struct NodesTouched {
    pub count: usize,
}

impl Probe for NodesTouched {
    const DETAILED: bool = false;
    const HEARS: bool = false;
    #[inline(always)]
    fn on(&mut self, event: Event) {
        self.count += usize::from(matches!(
            event,
            Event::Refit(_) | Event::Climb(_) | Event::Descend(_)
        ));
    }
    #[inline(always)]
    fn visits(&mut self, _: u64) {}
    #[inline(always)]
    fn tests(&mut self, _: u64) {}
    #[inline(always)]
    fn hits(&mut self, _: u64) {}
}

/// A child of a node, or the root, and its box now: where to refit from.
#[derive(Clone, Copy)]
pub(super) struct Spot {
    pub node: u32,
    pub slot: usize,
    pub bounds: Aabb,
}

/// A unit to be filed.
#[derive(Clone, Copy)]
pub(super) struct Entry {
    pub unit: UnitId,
    pub key: u64,
    pub body: Aabb,
}

/// Whether a body lies on the border of the box that holds it, so that the box may shrink without it.
#[inline(always)]
fn is_on_border(bounds: Aabb, body: Aabb) -> bool {
    bounds.min.cmpeq(body.min).any() | bounds.max.cmpeq(body.max).any()
}

impl MortonTree {
    /// Adds a unit that is not in the tree.
    pub(super) fn insert<P: Probe>(&mut self, bodies: Bodies<'_>, unit: UnitId, probe: &mut P) {
        let row = unit as usize;
        if row >= self.places.len() {
            Self::check_row_count(row + 1);
            self.places.resize(row + 1, ABSENT);
        }
        debug_assert_eq!(self.places[row], ABSENT, "unit {unit} was added twice");
        let entry = self.entry(bodies, unit);
        self.unit_count += 1;
        if self.root == Link::NONE {
            let bucket = self.buckets.take();
            self.put(bucket, entry);
            self.hang(NO_NODE, 0, Link::bucket(bucket), entry.body);
            return;
        }
        let (under, link) = self.descend(NO_NODE, self.root, entry.key, probe);
        let spot = self.file(under, link, entry, probe);
        self.refit(spot, NO_NODE, probe);
    }

    /// Takes a unit out of the tree.
    pub(super) fn delete<P: Probe>(&mut self, unit: UnitId, probe: &mut P) {
        let Some(place) = self.place_of(unit) else {
            debug_assert!(false, "unit {unit} was removed and is not in the tree");
            return;
        };
        self.places[unit as usize] = ABSENT;
        self.unit_count -= 1;
        let spot = self.take_out(place, probe);
        self.refit(spot, NO_NODE, probe);
    }

    /// Files a unit anew whose centre or size changed: in place, by key alone, or in another bucket.
    pub(super) fn update<P: Probe>(&mut self, bodies: Bodies<'_>, unit: UnitId, probe: &mut P) {
        let Some(place) = self.place_of(unit) else {
            debug_assert!(false, "unit {unit} moved and is not in the tree");
            return;
        };
        let entry = self.entry(bodies, unit);
        let mut probe = (probe, NodesTouched::default());
        let (bucket, at) = of_place(place);
        let (node, slot) = self.hanger(bucket);
        if self.is_on_side(node, slot, entry.key) {
            let old = self.buckets.body(bucket, at);
            probe.on(Event::Work(if self.key_of(old, unit) == entry.key {
                Work::MoveInPlace
            } else {
                Work::MoveKeyOnly
            }));
            self.buckets.set_body(bucket, at, entry.body);
            let before = self.child_box(node, slot);
            // Whoever was on no border leaves the box as it is, or widens it.
            let bounds = if is_on_border(before, old) {
                self.buckets.enclosed(bucket)
            } else {
                before.join(entry.body)
            };
            if bounds != before {
                self.refit(Spot { node, slot, bounds }, NO_NODE, &mut probe);
            }
        } else {
            self.relink(place, entry, &mut probe);
        }
        self.count_move(probe.1.count);
    }

    /// Enters a move that touched so many nodes into the histogram.
    #[inline(always)]
    pub(super) fn count_move(&mut self, nodes: usize) {
        self.moves_by_nodes[nodes.min(MOVE_COLUMNS - 1)] += 1;
    }

    /// Moves a unit to another bucket.
    fn relink<P: Probe>(&mut self, place: u32, entry: Entry, probe: &mut P) {
        let own = self.buckets.parent(of_place(place).0);
        let mut spot = self.take_out(place, probe);

        // Climb to the first ancestor that covers the new key, refitting on the way. The step past the bucket's own parent
        // is no climb, whether the parent goes with the bucket or stays: that the unit is to go was seen there.
        let mut before = Aabb::EMPTY;
        while let Some(ancestor) = self.nodes.get_mut(spot.node as usize) {
            before = ancestor.bounds();
            let after = ancestor.set_box(spot.slot, spot.bounds);
            let covers = ancestor.covers(entry.key);
            self.show(spot.node, spot.slot, spot.bounds);
            if covers {
                break;
            }
            probe.on(Event::Refit(Link::inner(spot.node).region()));
            if spot.node != own {
                probe.on(Event::Climb(Link::inner(spot.node).region()));
            }
            let (node, slot) = self.above(spot.node);
            spot = Spot {
                node,
                slot,
                bounds: after,
            };
        }
        let meeting = spot.node;
        if meeting == NO_NODE {
            self.root_box = spot.bounds;
        }

        let start = self.child_for(meeting, entry.key);
        let (under, link) = self.descend(meeting, start, entry.key, probe);
        probe.on(Event::Work(Work::MoveRelink));
        let spot = self.file(under, link, entry, probe);
        self.refit(spot, meeting, probe);

        // Both ways up end here. The way from the old place may have changed the ancestor's box even where the way from
        // the new place changed nothing, so it is computed again in any case.
        if let Some(ancestor) = self.nodes.get(meeting as usize) {
            let after = ancestor.bounds();
            probe.on(Event::Refit(Link::inner(meeting).region()));
            if after != before {
                let (node, slot) = self.above(meeting);
                let spot = Spot {
                    node,
                    slot,
                    bounds: after,
                };
                self.refit(spot, NO_NODE, probe);
            }
        }
    }

    /// What is to be filed for `unit`.
    #[inline(always)]
    pub(super) fn entry(&self, bodies: Bodies<'_>, unit: UnitId) -> Entry {
        let body = leaf_box(bodies, unit);
        Entry {
            unit,
            key: self.key_of(body, unit),
            body,
        }
    }

    /// Where a unit is, if it is in the tree.
    #[inline]
    pub(super) fn place_of(&self, unit: UnitId) -> Option<u32> {
        let place = self.places.get(unit as usize).copied();
        place.filter(|place| *place != ABSENT)
    }

    /// The node above `node` and which of its children `node` is.
    #[inline]
    pub(super) fn above(&self, node: u32) -> (u32, usize) {
        let Node { parent, key, .. } = self.nodes[node as usize];
        let slot = match self.nodes.get(parent as usize) {
            Some(above) => side(key, above.bit),
            None => 0,
        };
        (parent, slot)
    }

    /// The node above a bucket and which of its children the bucket is.
    #[inline(always)]
    pub(super) fn hanger(&self, bucket: u32) -> (u32, usize) {
        let parent = self.buckets.parent(bucket);
        let slot = match self.nodes.get(parent as usize) {
            Some(above) => usize::from(above.children[1] == Link::bucket(bucket)),
            None => 0,
        };
        (parent, slot)
    }

    /// Whether `key` belongs on this side of a node. Everybody belongs below the root.
    #[inline(always)]
    pub(super) fn is_on_side(&self, node: u32, slot: usize, key: u64) -> bool {
        match self.nodes.get(node as usize) {
            Some(node) => node.covers(key) & (side(key, node.bit) == slot),
            None => true,
        }
    }

    /// The box of a child of a node, or of the root.
    #[inline(always)]
    pub(super) fn child_box(&self, node: u32, slot: usize) -> Aabb {
        match self.nodes.get(node as usize) {
            Some(node) => node.boxes[slot],
            None => self.root_box,
        }
    }

    /// The child of a node on whose side `key` is, or the root.
    #[inline(always)]
    pub(super) fn child_for(&self, node: u32, key: u64) -> Link {
        match self.nodes.get(node as usize) {
            Some(node) => node.children[side(key, node.bit)],
            None => self.root,
        }
    }

    /// Makes `link` a child of `node`, or the root, with this box.
    #[inline]
    pub(super) fn hang(&mut self, node: u32, slot: usize, link: Link, bounds: Aabb) {
        if link.is_bucket() {
            self.buckets.set_parent(link.index(), node);
        } else {
            self.nodes[link.index() as usize].parent = node;
        }
        match self.nodes.get_mut(node as usize) {
            Some(above) => (above.children[slot], above.boxes[slot]) = (link, bounds),
            None => (self.root, self.root_box) = (link, bounds),
        }
    }

    /// Puts a unit behind the others of a bucket that has room.
    #[inline]
    fn put(&mut self, bucket: u32, entry: Entry) {
        let at = self.buckets.fill(bucket);
        self.buckets.set(bucket, at, entry.unit, entry.body);
        self.buckets.set_fill(bucket, at + 1);
        self.places[entry.unit as usize] = place(bucket, at);
    }

    /// Closes the gap that a unit leaves in its bucket with the last one.
    #[inline(always)]
    pub(super) fn close_gap(&mut self, bucket: u32, at: usize) {
        let last = self.buckets.fill(bucket) - 1;
        if at != last {
            let unit = self.buckets.ids(bucket)[last];
            let body = self.buckets.body(bucket, last);
            self.buckets.set(bucket, at, unit, body);
            self.places[unit as usize] = place(bucket, at);
        }
        self.buckets.set_fill(bucket, last);
    }

    /// Takes whoever is at a place out of its bucket, and the bucket out of the tree where it is not worth its node any more.
    /// Says where to refit from.
    fn take_out<P: Probe>(&mut self, place: u32, probe: &mut P) -> Spot {
        let (bucket, at) = of_place(place);
        let (node, slot) = self.hanger(bucket);
        let old = self.buckets.body(bucket, at);
        self.close_gap(bucket, at);
        let before = self.child_box(node, slot);
        let bounds = if is_on_border(before, old) {
            self.buckets.enclosed(bucket)
        } else {
            before
        };
        self.tidy(bucket, Spot { node, slot, bounds }, probe)
    }

    /// Takes an empty bucket out of the tree, and pours two neighbours together that are half of a bucket between them: twice
    /// as many as make a bucket split have to come and go before it does so again. Says where to refit from.
    pub(super) fn tidy<P: Probe>(&mut self, bucket: u32, mut spot: Spot, probe: &mut P) -> Spot {
        let mut link = Link::bucket(bucket);
        if self.buckets.fill(bucket) == 0 {
            self.give_back(bucket);
            let Some(parent) = self.nodes.get(spot.node as usize) else {
                (self.root, self.root_box) = (Link::NONE, Aabb::EMPTY);
                return spot;
            };
            // The sibling takes the parent's place.
            link = parent.children[1 - spot.slot];
            let bounds = parent.boxes[1 - spot.slot];
            spot = self.replace(spot.node, link, bounds, probe);
        }
        while link.is_bucket()
            && let Some(parent) = self.nodes.get(spot.node as usize)
        {
            let sibling = parent.children[1 - spot.slot];
            let sibling_box = parent.boxes[1 - spot.slot];
            let (to, from) = (link.index(), sibling.index());
            if !sibling.is_bucket()
                || self.buckets.fill(to) + self.buckets.fill(from) > self.bucket as usize / 2
            {
                break;
            }
            for at in 0..self.buckets.fill(from) {
                let entry = Entry {
                    unit: self.buckets.ids(from)[at],
                    key: 0,
                    body: self.buckets.body(from, at),
                };
                self.put(to, entry);
            }
            self.give_back(from);
            spot = self.replace(spot.node, link, spot.bounds.join(sibling_box), probe);
        }
        spot
    }

    /// Puts one child of a node in its place. Says where to refit from.
    #[inline]
    fn replace<P: Probe>(&mut self, node: u32, link: Link, bounds: Aabb, probe: &mut P) -> Spot {
        let (above, slot) = self.above(node);
        self.close_shelf(node, link, bounds);
        self.hang_unfitted(above, slot, link);
        let freed = &mut self.nodes[node as usize];
        freed.children = [Link::NONE; 2];
        freed.parent = std::mem::replace(&mut self.free, node);
        probe.on(Event::Merge(Link::inner(node).region()));
        Spot {
            node: above,
            slot,
            bounds,
        }
    }

    /// [`MortonTree::hang`] where the box is left to a refit, which has to know what it was.
    #[inline]
    fn hang_unfitted(&mut self, node: u32, slot: usize, link: Link) {
        let before = self.child_box(node, slot);
        self.hang(node, slot, link, before);
    }

    /// Goes down from below `under`, where `start` is on the side of a key, as far as nodes cover that. Gives the node below which
    /// its place is, and what is on its side there.
    #[inline]
    pub(super) fn descend<P: Probe>(
        &self,
        mut under: u32,
        start: Link,
        key: u64,
        probe: &mut P,
    ) -> (u32, Link) {
        let mut link = start;
        while !link.is_bucket() {
            let node = &self.nodes[link.index() as usize];
            if !node.covers(key) {
                break;
            }
            under = link.index();
            link = node.children[side(key, node.bit)];
            probe.on(Event::Descend(link.region()));
        }
        (under, link)
    }

    /// Files a unit below `under`, where `link` is on its side: in that bucket, in half of it where it is full, or in one of its
    /// own. Says where to refit from.
    #[inline]
    pub(super) fn file<P: Probe>(
        &mut self,
        under: u32,
        link: Link,
        entry: Entry,
        probe: &mut P,
    ) -> Spot {
        let slot = match self.nodes.get(under as usize) {
            Some(above) => side(entry.key, above.bit),
            None => 0,
        };
        let bounds = self.child_box(under, slot);
        let bucket = link.index();
        if link.is_bucket() && self.buckets.fill(bucket) < self.bucket as usize {
            self.put(bucket, entry);
            return Spot {
                node: under,
                slot,
                bounds: bounds.join(entry.body),
            };
        }
        let home = self.room_beside(link);
        let made = if link.is_bucket() {
            self.split(bucket, entry)
        } else {
            let apart = self.nodes[link.index() as usize].key;
            let bit = (entry.key ^ apart).ilog2() as u8;
            let alone = self.buckets.take();
            self.put(alone, entry);
            let alone = (Link::bucket(alone), entry.body);
            Self::parent_of(bit, entry.key, alone, (link, bounds))
        };
        let node = self.take_free_node();
        self.nodes[node as usize] = made;
        for slot in 0..2 {
            self.hang(node, slot, made.children[slot], made.boxes[slot]);
        }
        self.hang_unfitted(under, slot, Link::inner(node));
        self.put_on_shelf(node, home);
        probe.on(Event::Split(Link::inner(node).region()));
        probe.on(Event::Refit(Link::inner(node).region()));
        Spot {
            node: under,
            slot,
            bounds: made.bounds(),
        }
    }

    /// Divides a full bucket and one more unit at the highest bit in which they differ. Returns the node above the two.
    fn split(&mut self, bucket: u32, entry: Entry) -> Node {
        let fill = self.buckets.fill(bucket);
        let mut keys = [0; MAX_BUCKET];
        let mut differ = 0;
        for (at, key) in keys[..fill].iter_mut().enumerate() {
            *key = self.key_of(self.buckets.body(bucket, at), self.buckets.ids(bucket)[at]);
            differ |= *key ^ entry.key;
        }
        let bit = differ.ilog2() as u8;
        let stays = side(keys[0], bit);
        let other = self.buckets.take();
        let mut count = 0;
        for (at, key) in keys[..fill].iter().enumerate() {
            let unit = self.buckets.ids(bucket)[at];
            let body = self.buckets.body(bucket, at);
            if side(*key, bit) == stays {
                self.buckets.set(bucket, count, unit, body);
                self.places[unit as usize] = place(bucket, count);
                count += 1;
            } else {
                self.put(
                    other,
                    Entry {
                        unit,
                        key: *key,
                        body,
                    },
                );
            }
        }
        self.buckets.set_fill(bucket, count);
        let own = side(entry.key, bit) == stays;
        self.put(if own { bucket } else { other }, entry);
        let [first, second] =
            [bucket, other].map(|half| (Link::bucket(half), self.buckets.enclosed(half)));
        Self::parent_of(bit, keys[0], first, second)
    }

    /// A node with these children, of which the first is on the side of `key`. Its parent is to be set.
    fn parent_of(bit: u8, key: u64, first: (Link, Aabb), second: (Link, Aabb)) -> Node {
        let mut halves = [first, second];
        if side(key, bit) == 1 {
            halves.reverse();
        }
        Node {
            boxes: halves.map(|half| half.1),
            key,
            children: halves.map(|half| half.0),
            parent: NO_NODE,
            shelf: NO_SHELF,
            bit,
        }
    }

    /// Writes the box of a child, and computes boxes again upwards until one stays as it is or `end` is reached, in which the
    /// box of the child is written and nothing else.
    #[inline]
    pub(super) fn refit<P: Probe>(&mut self, spot: Spot, end: u32, probe: &mut P) {
        let Spot {
            mut node,
            mut slot,
            mut bounds,
        } = spot;
        while node != end {
            let refitted = &mut self.nodes[node as usize];
            // The node above holds the same box; computing it here leaves that one untouched where nothing changes.
            let before = refitted.bounds();
            let after = refitted.set_box(slot, bounds);
            self.show(node, slot, bounds);
            bounds = after;
            probe.on(Event::Refit(Link::inner(node).region()));
            if bounds == before {
                return;
            }
            (node, slot) = self.above(node);
        }
        match self.nodes.get_mut(end as usize) {
            Some(last) => {
                last.boxes[slot] = bounds;
                self.show(end, slot, bounds);
            }
            None => self.root_box = bounds,
        }
    }

    /// A node to be filled: a free one, or a new one.
    fn take_free_node(&mut self) -> u32 {
        if let Some(free) = self.nodes.get(self.free as usize) {
            return std::mem::replace(&mut self.free, free.parent);
        }
        self.nodes.push(Node {
            boxes: [Aabb::EMPTY; 2],
            key: 0,
            children: [Link::NONE; 2],
            parent: NO_NODE,
            shelf: NO_SHELF,
            bit: 0,
        });
        self.nodes.len() as u32 - 1
    }
}
