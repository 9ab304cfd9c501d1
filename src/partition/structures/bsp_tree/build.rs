//! Halving a crowd, all of it or a part, and the nodes and leaves that come of it.

use super::BspTree;
use super::cut::{BodyItem, Item, LineCut, PointItem};
use super::nodes::{Branch, HEIGHT_LIMIT, Link, NONE, Node, Place, STACK_LENGTH, make_room};
use crate::geometry::Aabb;
use crate::partition::Bodies;
use crate::partition::toolkit::stack::Stack;
use crate::probe::{Event, Probe, Work};

/// Room to build in, kept so that nothing has to ask for memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Room {
    /// The units that are parted, where they are points.
    points: Vec<PointItem>,
    /// The same where they have sizes.
    bodies: Vec<BodyItem>,
    /// The nodes that were cut last, each before those below it.
    cut: Vec<u32>,
}

impl Room {
    pub fn byte_count(&self) -> usize {
        self.points.capacity() * size_of::<PointItem>()
            + self.bodies.capacity() * size_of::<BodyItem>()
            + self.cut.capacity() * size_of::<u32>()
    }
}

impl BspTree {
    /// Forgets everything and halves the units alive.
    pub(super) fn build<P: Probe>(&mut self, bodies: Bodies<'_>, probe: &mut P) {
        probe.on(Event::Work(Work::Rebuild));
        self.places.clear();
        self.places.resize(bodies.slot_count(), NONE);
        self.clear(bodies.are_sized());
        let mut room = std::mem::take(&mut self.room);
        if bodies.are_sized() {
            self.build_of(bodies, &mut room.bodies, &mut room.cut);
        } else {
            self.build_of(bodies, &mut room.points, &mut room.cut);
        }
        self.room = room;
        self.tell_cuts(probe);
    }

    fn build_of<T: Item>(&mut self, bodies: Bodies<'_>, items: &mut Vec<T>, cut: &mut Vec<u32>) {
        cut.clear();
        items.clear();
        items.extend(bodies.ids().map(|unit| T::new(unit, bodies.aabb(unit))));
        if !items.is_empty() {
            let leaves = items.len().div_ceil(self.leaf_size as usize);
            // Halves are halved until all are small enough: then there are a power of two, or somewhat less.
            self.reserve(leaves.next_power_of_two());
            self.plant(Place::ROOT, items, cut);
        }
    }

    /// Forgets everything but who is filed where.
    pub(super) fn clear(&mut self, are_sized: bool) {
        self.root = Branch::NONE;
        self.nodes.clear();
        self.cuts.clear();
        self.free_nodes.clear();
        self.owners.clear();
        self.free_leaves.clear();
        self.slots.reset(self.leaf_size, are_sized);
    }

    /// Makes so many leaves, of which none is in use yet, and room for more.
    fn reserve(&mut self, leaves: usize) {
        make_room(&mut self.owners, leaves);
        make_room(&mut self.free_leaves, leaves);
        make_room(&mut self.nodes, leaves);
        make_room(&mut self.cuts, leaves);
        make_room(&mut self.free_nodes, leaves);
        self.slots.reserve(leaves);
        self.slots.resize(leaves);
    }

    /// Halves the units below a place anew: as many nodes as it takes, or a single leaf.
    ///
    /// They are taken as they are written in their leaves. What the bodies say may be of another time: of several changes,
    /// each is made as if it were alone.
    pub(super) fn halve_anew<P: Probe>(&mut self, place: Place, probe: &mut P) {
        let Branch { link, count, .. } = *self.branch(place);
        if !link.is_leaf() && count <= self.leaf_size {
            probe.on(Event::Merge(link.region()));
        }
        let mut room = std::mem::take(&mut self.room);
        if self.slots.are_sized {
            self.uproot(place, &mut room.bodies);
            self.plant(place, &mut room.bodies, &mut room.cut);
        } else {
            self.uproot(place, &mut room.points);
            self.plant(place, &mut room.points, &mut room.cut);
        }
        self.room = room;
        self.tell_cuts(probe);
    }

    /// Tells every cut that has just been made, those above before those below.
    fn tell_cuts<P: Probe>(&self, probe: &mut P) {
        if P::HEARS {
            for &node in &self.room.cut {
                probe.on(Event::Split(Link::inner(node).region()));
            }
        }
    }

    /// Takes all units from below a place, and gives its nodes and leaves up.
    fn uproot<T: Item>(&mut self, place: Place, items: &mut Vec<T>) {
        items.clear();
        let (nodes, leaves) = (self.free_nodes.len(), self.free_leaves.len());
        let mut stack = Stack::<Branch, STACK_LENGTH>::new();
        stack.push(*self.branch(place));
        while let Some(branch) = stack.pop() {
            let index = branch.link.index();
            if branch.link.is_leaf() {
                items.extend(
                    self.run(branch)
                        .units()
                        .map(|(unit, body)| T::new(unit, body)),
                );
                self.owners[index as usize] = Place::NOWHERE;
                self.free_leaves.push(index);
            } else {
                let [first, second] =
                    std::mem::replace(&mut self.nodes[index as usize], Node::FREE).branches;
                self.free_nodes.push(index);
                stack.push(second);
                stack.push(first);
            }
        }
        // Who is freed last is taken first: so each gets back where it was in memory, but for what has changed.
        self.free_nodes[nodes..].reverse();
        self.free_leaves[leaves..].reverse();
    }

    /// Halves `items`, of which there is one at least, below a place where nothing is, and writes down which nodes were `cut`.
    fn plant<T: Item>(&mut self, place: Place, items: &mut [T], cut: &mut Vec<u32>) {
        cut.clear();
        let mut stack = Stack::<_, HEIGHT_LIMIT>::new();
        stack.push((place, 0, items.len()));
        while let Some((place, begin, end)) = stack.pop() {
            let items = &mut items[begin..end];
            let branch = if items.len() <= self.leaf_size as usize {
                self.plant_leaf(place, items)
            } else {
                // The first half gets the odd one.
                let first = items.len().div_ceil(2);
                let node = self.take_node(place);
                self.cuts[node as usize] = LineCut::between(items, first);
                cut.push(node);
                let middle = begin + first;
                stack.push((Place::of(node, 1), middle, end));
                stack.push((Place::of(node, 0), begin, middle));
                Branch {
                    bounds: Aabb::EMPTY,
                    link: Link::inner(node),
                    count: items.len() as u32,
                }
            };
            *self.branch_mut(place) = branch;
        }
        for &node in cut.iter().rev() {
            let node = self.nodes[node as usize];
            self.branch_mut(node.place).bounds = node.bounds();
        }
    }

    /// Writes units into a new leaf.
    fn plant_leaf<T: Item>(&mut self, place: Place, items: &[T]) -> Branch {
        let leaf = self.take_leaf(place);
        let mut bounds = Aabb::EMPTY;
        for (slot, item) in (self.slots.start(leaf)..).zip(items) {
            let (unit, body) = (item.unit(), item.body());
            self.slots.write(slot, unit, body);
            self.places[unit as usize] = slot;
            bounds = bounds.join(body);
        }
        Branch {
            bounds,
            link: Link::leaf(leaf),
            count: items.len() as u32,
        }
    }

    /// A node that is not in use.
    fn take_node(&mut self, place: Place) -> u32 {
        if let Some(node) = self.free_nodes.pop() {
            self.nodes[node as usize] = Node::at(place);
            return node;
        }
        self.nodes.push(Node::at(place));
        self.cuts.push(LineCut::UNCUT);
        self.nodes.len() as u32 - 1
    }

    /// A leaf that is not in use.
    pub(super) fn take_leaf(&mut self, place: Place) -> u32 {
        if let Some(leaf) = self.free_leaves.pop() {
            self.owners[leaf as usize] = place;
            return leaf;
        }
        self.owners.push(place);
        if self.slots.leaf_count() < self.owners.len() {
            self.slots.resize(self.owners.len());
        }
        self.owners.len() as u32 - 1
    }
}
