//! Inserting, removing and moving single units.

use super::build::NONE;
use super::levels::{WIDTH, region, weight};
use super::{Bvh, Update};
use crate::geometry::{Aabb, Vec2};
use crate::partition::toolkit::simd::{self, Kernel, Task};
use crate::partition::{Bodies, Change, Course, Outgrown, Partition, UnitId};
use crate::probe::{Event, Probe, Work};

/// Where more than one unit in so many moves, refitting the whole tree is cheaper than climbing from each.
const MASS: usize = 8;

/// Any tree may have so many groups that no build has made.
const FREE_GROUPS: usize = 4;

/// Another leaf takes the unit that a full one cannot where it grows by no more than this share of the full one's half
/// perimeter: beyond, half of the leaves move to a new group.
const MAY_GROW: f32 = 0.5;

/// No leaf holds more units than this.
pub(super) const LEAF_LIMIT: usize = 32;

/// A unit while a leaf is split.
#[derive(Clone, Copy)]
struct Item {
    unit: UnitId,
    body: Aabb,
}

/// Twice the centre of a box along its own axes.
fn key(bounds: Aabb) -> Vec2 {
    bounds.min + bounds.max
}

/// How much half of a box's perimeter grows when it takes in another one.
fn growth(bounds: Aabb, body: Aabb) -> f32 {
    bounds.join(body).half_perimeter() - bounds.half_perimeter()
}

impl Bvh {
    /// Where the knob says that any change builds the tree, or points have become bodies, it is built. Where most units
    /// move and are only refitted, all boxes are written and joined anew, after the others came and went: each node is
    /// joined once, where climbing from each unit would join those near the root again and again.
    pub(super) fn look_at<P: Probe>(
        &mut self,
        bodies: Bodies<'_>,
        changes: &[Change],
        probe: &mut P,
    ) -> Course {
        if changes.is_empty() {
            return Course::Done;
        }
        if self.update == Update::Rebuild
            || (bodies.are_sized() != self.leaves.are_sized && !self.levels.is_empty())
        {
            return Course::Rebuild;
        }
        let is_move = |change: &&Change| matches!(change, Change::Move(_));
        let is_mass = self.update == Update::Refit
            && changes.iter().filter(is_move).count() * MASS > self.count;
        if !is_mass {
            return Course::OneByOne;
        }
        let mut others = changes.iter().filter(|change| !is_move(change));
        let mut done = others.try_for_each(|change| self.make(bodies, *change, probe));
        if done.is_ok() {
            self.refit_all(bodies, changes, probe);
            done = self.look_after(changes.len());
        }
        match done {
            Ok(()) => Course::Done,
            Err(Outgrown) => Course::Rebuild,
        }
    }

    /// Writes a unit where it is, or takes it to where it belongs.
    pub(super) fn update<P: Probe>(
        &mut self,
        bodies: Bodies<'_>,
        unit: UnitId,
        probe: &mut P,
    ) -> Result<(), Outgrown> {
        let body = bodies.aabb(unit);
        let (leaf, place) = self.leaves.of_slot(self.places[unit as usize]);
        if self.update == Update::Refit || self.stays(leaf, body) {
            probe.on(Event::Work(Work::MoveInPlace));
            self.leaves.set_body(leaf, place, body);
            self.refit(leaf, probe);
            return Ok(());
        }
        self.take_out(unit, probe);
        let leaf = self.choose(body, probe);
        probe.on(Event::Work(Work::MoveRelink));
        self.put_in(leaf, unit, body, probe)
    }

    /// Whether a unit that moved may remain in its leaf: while that grows by no more than half, and no other leaf of its group
    /// would grow less.
    fn stays(&self, leaf: usize, body: Aabb) -> bool {
        let own = self.levels.level(0).get(leaf);
        let grown = growth(own, body);
        grown <= 0.0
            || (grown <= own.half_perimeter() * 0.5
                && self.children_of_group(leaf / WIDTH).all(|other| {
                    other == leaf || growth(self.levels.level(0).get(other), body) >= grown
                }))
    }

    /// The leaves of a group in which somebody is.
    fn children_of_group(&self, group: usize) -> impl Iterator<Item = usize> {
        let leaves = group * WIDTH..(group + 1) * WIDTH;
        leaves.filter(|leaf| self.leaves.fills[*leaf] > 0)
    }

    /// Adds a unit.
    pub(super) fn insert<P: Probe>(
        &mut self,
        bodies: Bodies<'_>,
        unit: UnitId,
        probe: &mut P,
    ) -> Result<(), Outgrown> {
        let row = unit as usize;
        if row >= self.places.len() {
            self.places.resize(row + 1, NONE);
        }
        debug_assert_eq!(self.places[row], NONE, "unit {unit} was added twice");
        if self.levels.is_empty() {
            self.levels.resize(1);
            self.leaves.reset(WIDTH, self.leaf_size, bodies.are_sized());
        }
        let body = bodies.aabb(unit);
        let leaf = self.choose(body, probe);
        self.put_in(leaf, unit, body, probe)
    }

    /// Removes a unit.
    pub(super) fn delete<P: Probe>(&mut self, unit: UnitId, probe: &mut P) -> Result<(), Outgrown> {
        self.take_out(unit, probe);
        if self.count == 0 {
            self.levels.clear();
            self.leaves.resize(0);
            (self.built_groups, self.fresh) = (0, None);
            (self.cost, self.highest_cost) = (0.0, 0.0);
        }
        Ok(())
    }

    /// Puts a unit into the leaf that was chosen for it, or beside those in it where that is full.
    fn put_in<P: Probe>(
        &mut self,
        mut leaf: usize,
        unit: UnitId,
        body: Aabb,
        probe: &mut P,
    ) -> Result<(), Outgrown> {
        if self.leaves.fill(leaf) == self.leaf_size as usize {
            let mut group = leaf / WIDTH;
            let mut new = self.unused_leaf(group);
            if new.is_none() {
                let limit = self.levels.level(0).get(leaf).half_perimeter() * MAY_GROW;
                if let Some(other) = self.leaf_with_room(group, body, limit) {
                    self.put(other, unit, body);
                    self.refit(other, probe);
                    self.count += 1;
                    return Ok(());
                }
                leaf = self.split_group(leaf, probe)?;
                group = leaf / WIDTH;
                new = self.unused_leaf(group);
            }
            if let Some(new) = new {
                leaf = self.split(leaf, new, body, probe);
            }
        }
        self.put(leaf, unit, body);
        self.refit(leaf, probe);
        self.count += 1;
        Ok(())
    }

    /// Goes down to the leaf on the way to which boxes grow the least; of equal ones to the smaller.
    fn choose<P: Probe>(&self, body: Aabb, probe: &mut P) -> usize {
        let mut node = 0;
        for level in (0..self.levels.top()).rev() {
            let children = self.levels.level(level).children(node);
            let mut best = (f32::INFINITY, f32::INFINITY, 0);
            for child in 0..WIDTH {
                let bounds = children.get(child);
                if !bounds.is_empty() {
                    let found = (growth(bounds, body), bounds.half_perimeter(), child);
                    if (found.0, found.1) < (best.0, best.1) {
                        best = found;
                    }
                }
            }
            node = node * WIDTH + best.2;
            probe.on(Event::Descend(region(level, node)));
        }
        node
    }

    /// A leaf of a group in which nobody is.
    fn unused_leaf(&self, group: usize) -> Option<usize> {
        (group * WIDTH..(group + 1) * WIDTH).find(|leaf| self.leaves.fills[*leaf] == 0)
    }

    /// The leaf of a group that is not full and grows the least, and by no more than the limit.
    fn leaf_with_room(&self, group: usize, body: Aabb, limit: f32) -> Option<usize> {
        let leaves = self.children_of_group(group);
        leaves
            .filter(|leaf| self.leaves.fills[*leaf] < self.leaf_size as u8)
            .map(|leaf| (growth(self.levels.level(0).get(leaf), body), leaf))
            .filter(|(growth, _)| *growth <= limit)
            .min_by(|a, b| a.0.total_cmp(&b.0))
            .map(|(_, leaf)| leaf)
    }

    /// Puts a unit in a leaf that is not full.
    fn put(&mut self, leaf: usize, unit: UnitId, body: Aabb) {
        let place = self.leaves.fill(leaf);
        self.leaves.set(leaf, place, unit, body);
        self.leaves.fills[leaf] += 1;
        self.cost += weight(self.levels.level(0).get(leaf));
        self.places[unit as usize] = self.leaves.slot(leaf, place);
    }

    /// Halves a full leaf and says which half grows less by a body.
    fn split<P: Probe>(&mut self, leaf: usize, new: usize, body: Aabb, probe: &mut P) -> usize {
        probe.on(Event::Split(region(0, leaf)));
        let mut room = [Item { unit: 0, body }; LEAF_LIMIT];
        let items = &mut room[..self.leaves.fill(leaf)];
        for (place, item) in items.iter_mut().enumerate() {
            *item = Item {
                unit: self.leaves.ids(leaf)[place],
                body: self.leaves.body(leaf, place),
            };
        }
        let size = Aabb::of_points(items.iter().map(|item| key(item.body))).size();
        let axis = usize::from(size.y > size.x);
        items.sort_unstable_by(|a, b| {
            let keys = key(a.body)[axis].total_cmp(&key(b.body)[axis]);
            keys.then(a.unit.cmp(&b.unit))
        });
        let halves = items.split_at(items.len().div_ceil(2));
        for (leaf, items) in [(leaf, halves.0), (new, halves.1)] {
            let before = weight(self.levels.level(0).get(leaf));
            self.cost -= before * f64::from(self.leaves.fills[leaf]);
            self.leaves.fills[leaf] = 0;
            for item in items {
                self.put(leaf, item.unit, item.body);
            }
            self.refit(leaf, probe);
        }
        let [first, second] = [leaf, new].map(|leaf| growth(self.levels.level(0).get(leaf), body));
        // A leaf of one unit has no halves.
        if second < first || self.leaves.fill(leaf) == self.leaf_size as usize {
            new
        } else {
            leaf
        }
    }

    /// Moves half of the leaves of a full group to a new one, unless there are too many such groups for a tree in which
    /// neighbours are to be together. Says where a leaf is then.
    fn split_group<P: Probe>(&mut self, leaf: usize, probe: &mut P) -> Result<usize, Outgrown> {
        let (group, new) = (leaf / WIDTH, self.levels.group_count());
        if new > self.built_groups + self.built_groups / 2 + FREE_GROUPS {
            return Err(Outgrown);
        }
        probe.on(Event::Split(region(1, group)));
        self.levels.resize(new + 1);
        self.leaves.resize((new + 1) * WIDTH);
        let children = *self.levels.level(0).children(group);
        let mut order: [usize; WIDTH] = std::array::from_fn(|child| child);
        let size = Aabb::of_points(order.map(|child| key(children.get(child)))).size();
        let axis = usize::from(size.y > size.x);
        order.sort_unstable_by(|a, b| {
            let [a, b] = [a, b].map(|child| key(children.get(*child))[axis]);
            a.total_cmp(&b)
        });
        let mut found = leaf;
        for (to, child) in (new * WIDTH..).zip(&order[WIDTH / 2..]) {
            let from = group * WIDTH + child;
            self.move_leaf(from, to);
            if from == leaf {
                found = to;
            }
        }
        simd::dispatch(Rejoining {
            tree: self,
            groups: [group, new],
        });
        Ok(found)
    }

    /// Moves everybody of a leaf to one in which nobody is, or has room for them. The boxes of their group are to be computed.
    fn move_leaf(&mut self, from: usize, to: usize) {
        let moved = f64::from(self.leaves.fills[from]);
        for place in 0..self.leaves.fill(from) {
            let unit = self.leaves.ids(from)[place];
            self.put(to, unit, self.leaves.body(from, place));
        }
        self.leaves.fills[from] = 0;
        let both = [from, to].map(|leaf| self.levels.level(0).get(leaf));
        let joined = both[0].join(both[1]);
        self.levels.level_mut(0).set(to, joined);
        self.levels.level_mut(0).set(from, Aabb::EMPTY);
        let all = f64::from(self.leaves.fills[to]);
        self.cost += all * (weight(joined) - weight(both[1])) - moved * weight(both[0]);
    }

    /// Takes a unit out.
    fn take_out<P: Probe>(&mut self, unit: UnitId, probe: &mut P) {
        let slot = std::mem::replace(&mut self.places[unit as usize], NONE);
        let (leaf, place) = self.leaves.of_slot(slot);
        let last = self.leaves.fill(leaf) - 1;
        if place != last {
            let moved = self.leaves.ids(leaf)[last];
            let body = self.leaves.body(leaf, last);
            self.leaves.set(leaf, place, moved, body);
            self.places[moved as usize] = slot;
        }
        self.leaves.fills[leaf] -= 1;
        self.cost -= weight(self.levels.level(0).get(leaf));
        self.count -= 1;
        self.refit(leaf, probe);
        let few = self.leaf_size as usize / 2;
        if 0 < last && last <= few / 2 {
            let own = self.levels.level(0).get(leaf);
            let other = self
                .children_of_group(leaf / WIDTH)
                .filter(|other| *other != leaf && self.leaves.fill(*other) + last <= few)
                .map(|other| (growth(self.levels.level(0).get(other), own), other))
                .min_by(|a, b| a.0.total_cmp(&b.0));
            if let Some((_, other)) = other {
                probe.on(Event::Merge(region(1, leaf / WIDTH)));
                self.move_leaf(leaf, other);
            }
        }
    }

    /// Computes the box of a leaf and those above it, until one stays as it was.
    fn refit<P: Probe>(&mut self, leaf: usize, probe: &mut P) {
        simd::dispatch(Refitting {
            tree: self,
            leaf,
            probe,
        });
    }
}

/// A refit of one leaf about to begin, with whatever kernel there is.
struct Refitting<'t, 'p, P: Probe> {
    tree: &'t mut Bvh,
    leaf: usize,
    probe: &'p mut P,
}

impl<P: Probe> Task for Refitting<'_, '_, P> {
    const DETAILED: bool = P::DETAILED;

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) {
        let Self { tree, leaf, probe } = self;
        let levels = &mut tree.levels;
        let bounds = tree.leaves.bounds(kernel, leaf);
        let before = levels.level(0).get(leaf);
        if bounds == before {
            return;
        }
        levels.level_mut(0).set(leaf, bounds);
        let fill = f64::from(tree.leaves.fills[leaf]);
        let mut grown = (weight(bounds) - weight(before)) * fill;
        let mut index = leaf;
        for level in 1..=levels.top() {
            index /= WIDTH;
            let before = levels.level(level).get(index);
            let after = levels.join(kernel, level, index);
            if after == before {
                break;
            }
            grown += (weight(after) - weight(before)) * WIDTH as f64;
            probe.on(Event::Refit(region(level, index)));
        }
        tree.add_cost(grown);
    }
}

/// Computing the boxes of two groups and all that is above them, with whatever kernel there is.
struct Rejoining<'t> {
    tree: &'t mut Bvh,
    groups: [usize; 2],
}

impl Task for Rejoining<'_> {
    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) {
        let levels = &mut self.tree.levels;
        let mut grown = 0.0;
        for group in self.groups {
            let mut index = group;
            for level in 1..=levels.top() {
                let before = levels.level(level).get(index);
                let after = levels.join(kernel, level, index);
                grown += (weight(after) - weight(before)) * WIDTH as f64;
                index /= WIDTH;
            }
        }
        self.tree.add_cost(grown);
    }
}
