//! Adding, removing and moving single units.

use super::key::side;
use super::{ABSENT, Leaf, Link, MOVE_COLUMNS, MortonTree, NO_NODE, Node, leaf_box};
use crate::geometry::Aabb;
use crate::partition::{Bodies, UnitId};
use crate::probe::{Event, Probe, Work};

/// Counts the nodes that are refitted, climbed over and descended through. It hears the very events that any other probe
/// hears, so that the histogram of moves and the counters cannot disagree.
#[derive(Default)]
struct NodesTouched {
    count: usize,
}

impl Probe for NodesTouched {
    const DETAILED: bool = false;
    const HEARS: bool = false;
    #[inline(always)]
    fn on(&mut self, event: Event) {
        self.count += usize::from(matches!(
            event,
            Event::Refit(_) | Event::Work(Work::Climb | Work::Descend)
        ));
    }
    #[inline(always)]
    fn tests(&mut self, _: u64) {}
    #[inline(always)]
    fn hits(&mut self, _: u64) {}
}

impl MortonTree {
    /// Adds a unit that is not in the tree.
    pub(super) fn insert<P: Probe>(&mut self, bodies: Bodies<'_>, unit: UnitId, probe: &mut P) {
        let row = unit as usize;
        if row >= self.leaves.len() {
            Self::check_row_count(row + 1);
            self.leaves.resize(
                row + 1,
                Leaf {
                    key: 0,
                    parent: ABSENT,
                },
            );
        }
        debug_assert_eq!(
            self.leaves[row].parent, ABSENT,
            "unit {unit} was added twice"
        );
        let key = self.key_of(bodies, unit);
        let bounds = leaf_box(bodies, unit);
        self.leaf_count += 1;
        if self.root == Link::NONE {
            self.leaves[row] = Leaf {
                key,
                parent: NO_NODE,
            };
            self.root = Link::leaf(unit);
            self.root_box = bounds;
            return;
        }
        let under = self.descend(NO_NODE, self.root, key, probe);
        let node = self.take_free_node();
        let (slot, joined) = self.attach(node, under, key, unit, bounds, probe);
        self.refit(under, slot, joined, NO_NODE, probe);
    }

    /// Takes a unit out of the tree.
    pub(super) fn delete<P: Probe>(&mut self, unit: UnitId, probe: &mut P) {
        let Some(leaf) = self.leaf(unit) else {
            debug_assert!(false, "unit {unit} was removed and is not in the tree");
            return;
        };
        self.leaves[unit as usize].parent = ABSENT;
        self.leaf_count -= 1;
        if leaf.parent == NO_NODE {
            self.root = Link::NONE;
            self.root_box = Aabb::EMPTY;
            return;
        }
        let (above, slot, sibling_box) = self.detach(leaf, probe);
        self.refit(above, slot, sibling_box, NO_NODE, probe);
        let freed = &mut self.nodes[leaf.parent as usize];
        freed.children = [Link::NONE; 2];
        freed.parent = std::mem::replace(&mut self.free, leaf.parent);
    }

    /// Files a unit anew whose centre or size changed: in place, by key alone, or in another place.
    pub(super) fn update<P: Probe>(&mut self, bodies: Bodies<'_>, unit: UnitId, probe: &mut P) {
        let Some(leaf) = self.leaf(unit) else {
            debug_assert!(false, "unit {unit} moved and is not in the tree");
            return;
        };
        let key = self.key_of(bodies, unit);
        let bounds = leaf_box(bodies, unit);
        let changed = key ^ leaf.key;
        let mut probe = (probe, NodesTouched::default());
        // A leaf that is the root has no branch bit above it: any key stays.
        let (slot, stays) = match self.nodes.get(leaf.parent as usize) {
            Some(parent) => (side(leaf.key, parent.bit), changed >> parent.bit == 0),
            None => (0, true),
        };
        if stays {
            let kind = if changed == 0 {
                Work::MoveInPlace
            } else {
                self.leaves[unit as usize].key = key;
                Work::MoveKeyOnly
            };
            probe.on(Event::Work(kind));
            self.refit(leaf.parent, slot, bounds, NO_NODE, &mut probe);
        } else {
            probe.on(Event::Work(Work::MoveRelink));
            self.relink(leaf, key, unit, bounds, &mut probe);
        }
        let column = probe.1.count.min(MOVE_COLUMNS - 1);
        self.moves_by_nodes[column] += 1;
    }

    /// Moves a leaf to another place in the tree and its parent node with it.
    fn relink<P: Probe>(
        &mut self,
        leaf: Leaf,
        key: u64,
        unit: UnitId,
        bounds: Aabb,
        probe: &mut P,
    ) {
        let (mut node, mut slot, mut below) = self.detach(leaf, probe);

        // Climb to the first ancestor that covers the new key, refitting on the way.
        let mut before = Aabb::EMPTY;
        while let Some(ancestor) = self.nodes.get_mut(node as usize) {
            before = ancestor.bounds();
            let after = ancestor.set_box(slot, below);
            if ancestor.covers(key) {
                break;
            }
            below = after;
            probe.on(Event::Refit(Link::inner(node).region()));
            probe.on(Event::Work(Work::Climb));
            (node, slot) = self.above(node);
        }
        let meeting = node;
        if meeting == NO_NODE {
            self.root_box = below;
        }

        let start = match self.nodes.get(meeting as usize) {
            Some(ancestor) => ancestor.children[side(key, ancestor.bit)],
            None => self.root,
        };
        let under = self.descend(meeting, start, key, probe);
        let (slot, joined) = self.attach(leaf.parent, under, key, unit, bounds, probe);
        self.refit(under, slot, joined, meeting, probe);

        // Both ways up end here. The way from the old place may have changed the ancestor's box even where the way from
        // the new place changed nothing, so it is computed again in any case.
        if let Some(ancestor) = self.nodes.get(meeting as usize) {
            let after = ancestor.bounds();
            probe.on(Event::Refit(Link::inner(meeting).region()));
            if after != before {
                let (above, slot) = self.above(meeting);
                self.refit(above, slot, after, NO_NODE, probe);
            }
        }
    }

    /// What is filed for `unit`, if it is in the tree.
    #[inline]
    fn leaf(&self, unit: UnitId) -> Option<Leaf> {
        self.leaves
            .get(unit as usize)
            .copied()
            .filter(|leaf| leaf.parent != ABSENT)
    }

    /// The node above `node` and which of its children `node` is.
    #[inline]
    fn above(&self, node: u32) -> (u32, usize) {
        let Node { parent, key, .. } = self.nodes[node as usize];
        let slot = match self.nodes.get(parent as usize) {
            Some(above) => side(key, above.bit),
            None => 0,
        };
        (parent, slot)
    }

    #[inline]
    pub(super) fn set_parent(&mut self, link: Link, parent: u32) {
        if link.is_leaf() {
            self.leaves[link.index() as usize].parent = parent;
        } else {
            self.nodes[link.index() as usize].parent = parent;
        }
    }

    /// Makes `link` the child of `parent` in `slot`, or the root; the box there is left to a refit.
    #[inline]
    fn set_child(&mut self, parent: u32, slot: usize, link: Link) {
        match self.nodes.get_mut(parent as usize) {
            Some(above) => above.children[slot] = link,
            None => self.root = link,
        }
    }

    /// The last node on the way down from `start`, which is below `under`, that covers `key`: `under` if `start` does not.
    #[inline]
    fn descend<P: Probe>(&self, mut under: u32, start: Link, key: u64, probe: &mut P) -> u32 {
        let mut link = start;
        while !link.is_leaf() {
            let node = &self.nodes[link.index() as usize];
            if !node.covers(key) {
                break;
            }
            probe.on(Event::Work(Work::Descend));
            under = link.index();
            link = node.children[side(key, node.bit)];
        }
        under
    }

    /// Makes `node` the parent of a leaf with this key and of what was below `under` on its side. Returns the side of
    /// `under` on which the node is now, and its box, for a refit from there.
    #[inline]
    fn attach<P: Probe>(
        &mut self,
        node: u32,
        under: u32,
        key: u64,
        unit: UnitId,
        bounds: Aabb,
        probe: &mut P,
    ) -> (usize, Aabb) {
        let (slot, sibling, sibling_box) = match self.nodes.get(under as usize) {
            Some(above) => {
                let slot = side(key, above.bit);
                (slot, above.children[slot], above.boxes[slot])
            }
            None => (0, self.root, self.root_box),
        };
        let bit = (key ^ self.key_below(sibling)).ilog2() as u8;
        let mut children = [Link::leaf(unit), sibling];
        let mut boxes = [bounds, sibling_box];
        if side(key, bit) == 1 {
            children.reverse();
            boxes.reverse();
        }
        let made = Node {
            boxes,
            key,
            children,
            parent: under,
            bit,
        };
        let joined = made.bounds();
        self.nodes[node as usize] = made;
        self.leaves[unit as usize] = Leaf { key, parent: node };
        self.set_parent(sibling, node);
        self.set_child(under, slot, Link::inner(node));
        probe.on(Event::Split(Link::inner(node).region()));
        probe.on(Event::Refit(Link::inner(node).region()));
        (slot, joined)
    }

    /// Puts the sibling of a leaf, which is not the root, in the place of their parent. The parent node is left over.
    /// Returns the node above, the side on which the sibling is now, and its box, for a refit from there.
    #[inline]
    fn detach<P: Probe>(&mut self, leaf: Leaf, probe: &mut P) -> (u32, usize, Aabb) {
        let parent = &self.nodes[leaf.parent as usize];
        let other = 1 - side(leaf.key, parent.bit);
        let (sibling, sibling_box) = (parent.children[other], parent.boxes[other]);
        let (above, slot) = self.above(leaf.parent);
        self.set_parent(sibling, above);
        self.set_child(above, slot, sibling);
        probe.on(Event::Merge(Link::inner(leaf.parent).region()));
        (above, slot, sibling_box)
    }

    /// Writes the box of the child of `node` in `slot`, and computes boxes again upwards until one stays as it is or `end`
    /// is reached, in which the box of the child is written and nothing else.
    #[inline]
    fn refit<P: Probe>(
        &mut self,
        mut node: u32,
        mut slot: usize,
        mut bounds: Aabb,
        end: u32,
        probe: &mut P,
    ) {
        while node != end {
            let refitted = &mut self.nodes[node as usize];
            // The node above holds the same box; computing it here leaves that one untouched where nothing changes.
            let before = refitted.bounds();
            bounds = refitted.set_box(slot, bounds);
            probe.on(Event::Refit(Link::inner(node).region()));
            if bounds == before {
                return;
            }
            (node, slot) = self.above(node);
        }
        match self.nodes.get_mut(end as usize) {
            Some(last) => last.boxes[slot] = bounds,
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
            bit: 0,
        });
        self.nodes.len() as u32 - 1
    }
}
