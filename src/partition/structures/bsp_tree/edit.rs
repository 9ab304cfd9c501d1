//! Adding, removing and moving single units.

use super::BspTree;
use super::nodes::{Branch, HEIGHT_LIMIT, Link, NONE, Node, Place};
use crate::geometry::Aabb;
use crate::partition::toolkit::stack::Stack;
use crate::partition::{Bodies, Change, Course, UnitId};
use crate::probe::{Event, Probe, Work};

/// Where more than one unit in so many changes, halving the whole crowd anew is cheaper than following each.
const MASS: usize = 4;

/// A node is cut anew when so many times as many units as it has have come to one of its sides or left one since it was
/// cut: its halves may still be halves, but its line is one through another crowd.
const TURNOVERS: u32 = 2;

impl BspTree {
    /// Where most units come, go or move, or points have become bodies, it is built. A few changes are made one by one, and
    /// so is a single one in any case.
    pub(super) fn look_at(&mut self, bodies: Bodies<'_>, changes: &[Change]) -> Course {
        let is_mass = changes.len() > 1 && changes.len() * MASS > self.root.count as usize;
        let is_other = !self.is_empty() && bodies.are_sized() != self.slots.are_sized;
        if is_mass || is_other || (self.rebuilds && !changes.is_empty()) {
            return Course::Rebuild;
        }
        if self.places.len() < bodies.slot_count() {
            self.places.resize(bodies.slot_count(), NONE);
        }
        Course::OneByOne
    }

    /// Adds a unit.
    pub(super) fn insert<P: Probe>(&mut self, bodies: Bodies<'_>, unit: UnitId, probe: &mut P) {
        let row = unit as usize;
        if row >= self.places.len() {
            self.places.resize(row + 1, NONE);
        }
        debug_assert_eq!(self.places[row], NONE, "unit {unit} was added twice");
        if self.is_empty() {
            self.clear(bodies.are_sized());
            let leaf = self.take_leaf(Place::ROOT);
            self.root.link = Link::leaf(leaf);
        }
        self.root.count += 1;
        let body = bodies.aabb(unit);
        let leaf = self.descend(self.root.link, body, probe);
        self.put_in(leaf, unit, body, probe);
        if let Some(place) = self.worst_above(leaf) {
            self.halve_anew(place, probe);
        }
    }

    /// Removes a unit.
    pub(super) fn delete<P: Probe>(&mut self, unit: UnitId, probe: &mut P) {
        let slot = std::mem::replace(&mut self.places[unit as usize], NONE);
        debug_assert_ne!(slot, NONE, "unit {unit} was removed twice");
        if self.root.count == 1 {
            self.clear(self.slots.are_sized);
            return;
        }
        let leaf = self.take_out(slot, None, probe);
        if let Some(place) = self.worst_above(leaf) {
            self.halve_anew(place, probe);
        }
    }

    /// Writes a unit where it is, or takes it over the highest line that it has crossed to the leaf to which it belongs now.
    pub(super) fn update<P: Probe>(&mut self, bodies: Bodies<'_>, unit: UnitId, probe: &mut P) {
        let slot = self.places[unit as usize];
        let leaf = self.slots.leaf_of(slot);
        let body = bodies.aabb(unit);
        let Some(crossed) = self.crossed(leaf, body, probe) else {
            probe.on(Event::Work(Work::MoveInPlace));
            self.slots.write_box(slot, body);
            self.refit(leaf, probe);
            return;
        };
        self.take_out(slot, Some(crossed), probe);
        let new_leaf = self.descend(Link::inner(crossed), body, probe);
        probe.on(Event::Work(Work::MoveRelink));
        self.put_in(new_leaf, unit, body, probe);
        // Above the line that was crossed all is as it was. So it is the same part that is out of order on both ways up, or
        // one on each side of the line, and neither is touched where the other is halved anew.
        let worst = self.worst_above(leaf);
        let other = self.worst_above(new_leaf);
        for place in worst.into_iter().chain(other.filter(|_| other != worst)) {
            self.halve_anew(place, probe);
        }
    }

    /// The highest node on the way to a leaf whose line parts the leaf from where one of its units is now. The lines above
    /// that, or all of them, take note of the unit's box.
    fn crossed<P: Probe>(&mut self, leaf: u32, body: Aabb, probe: &mut P) -> Option<u32> {
        let mut way = Stack::<Place, HEIGHT_LIMIT>::new();
        let mut place = self.owners[leaf as usize];
        while let Some((node, _)) = place.below() {
            way.push(place);
            place = self.nodes[node as usize].place;
        }
        let middle = body.center();
        while let Some((node, side)) = way.pop().and_then(Place::below) {
            let cut = &mut self.cuts[node as usize];
            if !cut.admits(side, middle) {
                return Some(node);
            }
            cut.widen(side, body);
            let below = self.nodes[node as usize].branches[side].link;
            probe.on(Event::Descend(below.region()));
        }
        None
    }

    /// The leaf below a link in whose room a body is, which is counted on the way.
    fn descend<P: Probe>(&mut self, mut link: Link, body: Aabb, probe: &mut P) -> u32 {
        let middle = body.center();
        while !link.is_leaf() {
            let index = link.index() as usize;
            let (node, cut) = (&mut self.nodes[index], &mut self.cuts[index]);
            // Whoever is on the line itself goes to where fewer are: so any number on one spot is halved like any other.
            let [first, second] = node.branches.map(|branch| branch.count);
            let side = cut
                .side_of(middle)
                .unwrap_or_else(|| usize::from(second < first));
            cut.widen(side, body);
            node.edits += 1;
            node.branches[side].count += 1;
            link = node.branches[side].link;
            probe.on(Event::Descend(link.region()));
        }
        link.index()
    }

    /// Writes a unit into a leaf in which it is counted already, where there is always room for one.
    fn put_in<P: Probe>(&mut self, leaf: u32, unit: UnitId, body: Aabb, probe: &mut P) {
        let last = self.branch(self.owners[leaf as usize]).count - 1;
        let slot = self.slots.start(leaf) + last;
        self.slots.write(slot, unit, body);
        self.places[unit as usize] = slot;
        self.refit(leaf, probe);
    }

    /// Takes the unit out of a slot, and counts that on the way up to a node or all the way. Says which leaf it was in, which
    /// may have nobody left.
    fn take_out<P: Probe>(&mut self, slot: u32, until: Option<u32>, probe: &mut P) -> u32 {
        let leaf = self.slots.leaf_of(slot);
        let branch = *self.branch(self.owners[leaf as usize]);
        let last = self.slots.start(leaf) + branch.count - 1;
        if slot != last {
            let (unit, body) = self.slots.read(last);
            self.slots.write(slot, unit, body);
            self.places[unit as usize] = slot;
        }
        let mut place = self.owners[leaf as usize];
        loop {
            self.branch_mut(place).count -= 1;
            let Some((index, _)) = place.below() else {
                break;
            };
            if until == Some(index) {
                break;
            }
            let node = &mut self.nodes[index as usize];
            node.edits += 1;
            place = node.place;
        }
        self.refit(leaf, probe);
        leaf
    }

    /// The highest place on the way up from a leaf where something is out of order.
    fn worst_above(&self, leaf: u32) -> Option<Place> {
        let mut place = self.owners[leaf as usize];
        let mut worst = (self.branch(place).count > self.leaf_size).then_some(place);
        while let Some((index, _)) = place.below() {
            let node = &self.nodes[index as usize];
            place = node.place;
            if !self.is_in_order(node) {
                worst = Some(place);
            }
        }
        worst
    }

    /// Whether a node may stay as it is: none of its sides has more than two thirds of its units, which are too many for half
    /// a leaf, and they are not all others than those for whom it was cut.
    pub(super) fn is_in_order(&self, node: &Node) -> bool {
        let [Branch { count: a, .. }, Branch { count: b, .. }] = node.branches;
        let few = (self.leaf_size / 2).max(1);
        a.abs_diff(b) <= a.min(b) && a + b > few && node.edits <= TURNOVERS * (a + b)
    }

    /// Computes the box of a leaf and those above it, until one stays as it was.
    fn refit<P: Probe>(&mut self, leaf: u32, probe: &mut P) {
        let mut place = self.owners[leaf as usize];
        let mut bounds = self.run(*self.branch(place)).bounds();
        loop {
            let branch = self.branch_mut(place);
            if branch.bounds == bounds {
                return;
            }
            branch.bounds = bounds;
            let Some((index, _)) = place.below() else {
                return;
            };
            probe.on(Event::Refit(Link::inner(index).region()));
            let node = &self.nodes[index as usize];
            (bounds, place) = (node.bounds(), node.place);
        }
    }
}
