//! Inserting, removing and moving single units, and the rotations that keep the tree in shape.

use super::build::Item;
use super::{Bvh, NODE_COST, Update, weight};
use crate::geometry::Aabb;
use crate::partition::toolkit::box_tree::{Branch, HEIGHT_LIMIT, LEAF_LIMIT, Link, NONE, Node};
use crate::partition::{Bodies, Change, Course, Outgrown, UnitId};
use crate::probe::{Event, Probe, Work};

/// Where more than one unit in so many moves, refitting the whole tree is cheaper than climbing from each.
const MASS: usize = 8;

impl Bvh {
    /// Where the knob says that any change builds the tree, or points have become bodies, it is built. Where most units
    /// move and are only refitted, their boxes are written and joined together, after the others came and went: each
    /// node is joined once, where climbing from each unit would join those near the root again and again.
    pub(super) fn look_at<P: Probe>(
        &mut self,
        bodies: Bodies<'_>,
        changes: &[Change],
        probe: &mut P,
    ) -> Course {
        if changes.is_empty() {
            return Course::Done;
        }
        if self.update == Update::Rebuild || bodies.are_sized() != self.tree.slots.are_sized {
            return Course::Rebuild;
        }
        let moves = changes.iter().filter_map(|change| match *change {
            Change::Move(unit) => Some(unit),
            Change::Add(_) | Change::Remove(_) => None,
        });
        let is_mass = self.update == Update::Refit
            && moves.clone().count() * MASS > self.tree.root.count as usize;
        if !is_mass {
            return Course::OneByOne;
        }
        let mut done = changes.iter().try_for_each(|change| match *change {
            Change::Add(unit) => self.insert(bodies, unit, probe),
            Change::Remove(unit) => self.delete(unit, probe),
            Change::Move(_) => Ok(()),
        });
        if done.is_ok() {
            self.refit_all(bodies, moves, probe);
            done = self.look_after(changes.len());
        }
        match done {
            Ok(()) => Course::Done,
            Err(Outgrown) => Course::Rebuild,
        }
    }

    /// Whether the tree is no higher than it may be. Nobody moves so that it is but on purpose.
    fn fits(&self) -> Result<(), Outgrown> {
        if self.tree.is_empty() || self.height(self.tree.root.link) as usize <= HEIGHT_LIMIT {
            Ok(())
        } else {
            Err(Outgrown)
        }
    }

    /// Writes a unit where it is, or takes it to where it belongs.
    pub(super) fn update<P: Probe>(
        &mut self,
        bodies: Bodies<'_>,
        unit: UnitId,
        probe: &mut P,
    ) -> Result<(), Outgrown> {
        if self.stays(bodies, unit) {
            self.refit_one(bodies, unit, probe);
        } else {
            probe.on(Event::Work(Work::MoveRelink));
            self.take_out(unit, probe);
            self.put_in(bodies, unit, probe);
        }
        self.fits()
    }

    /// Adds a unit.
    pub(super) fn insert<P: Probe>(
        &mut self,
        bodies: Bodies<'_>,
        unit: UnitId,
        probe: &mut P,
    ) -> Result<(), Outgrown> {
        self.put_in(bodies, unit, probe);
        self.fits()
    }

    /// Removes a unit.
    pub(super) fn delete<P: Probe>(&mut self, unit: UnitId, probe: &mut P) -> Result<(), Outgrown> {
        self.take_out(unit, probe);
        self.fits()
    }

    /// Whether a unit that moved may remain in its leaf: always when refitting, else while it is within the box of the node
    /// above its leaf, which thus grows no larger.
    fn stays(&mut self, bodies: Bodies<'_>, unit: UnitId) -> bool {
        if self.update == Update::Refit {
            return true;
        }
        let leaf = self.leaf_of(self.tree.places[unit as usize]);
        match self.tree.nodes.get(self.parent(leaf) as usize) {
            Some(above) => {
                let [a, b] = &above.branches;
                a.bounds.join(b.bounds).contains_box(bodies.aabb(unit))
            }
            None => true,
        }
    }

    /// Puts a unit where it costs the least.
    fn put_in<P: Probe>(&mut self, bodies: Bodies<'_>, unit: UnitId, probe: &mut P) {
        let row = unit as usize;
        if row >= self.tree.places.len() {
            self.tree.places.resize(row + 1, NONE);
        }
        debug_assert_eq!(self.tree.places[row], NONE, "unit {unit} was added twice");
        let item = Item {
            bounds: bodies.aabb(unit),
            unit,
        };
        if self.tree.is_empty() {
            let link = self.plant(NONE, item);
            self.tree.root = Branch {
                bounds: item.bounds,
                link,
                count: 1,
            };
            return;
        }
        let (link, joins) = self.choose(item.bounds, probe);
        let branch = *self.branch_mut(link);
        if !joins {
            let leaf = Branch {
                bounds: item.bounds,
                link: self.plant(NONE, item),
                count: 1,
            };
            self.pair_up(link, [branch, leaf], probe);
        } else if branch.count < self.leaf_size {
            self.put(link.index() + branch.count, item);
            let branch = self.branch_mut(link);
            branch.count += 1;
            branch.bounds = branch.bounds.join(item.bounds);
            self.ascend(self.parent(link), probe);
        } else {
            self.split(branch, item, probe);
        }
    }

    /// Where a unit costs the least: a leaf to join, or a branch beside which it becomes a leaf of its own.
    fn choose<P: Probe>(&self, body: Aabb, probe: &mut P) -> (Link, bool) {
        let own = body.half_perimeter();
        let mut branch = self.tree.root;
        loop {
            let before = branch.bounds.half_perimeter();
            let joined = branch.bounds.join(body).half_perimeter();
            // A node around both, and a leaf with one unit.
            let beside = joined * NODE_COST + own;
            if branch.link.is_leaf() {
                let joining = joined + (joined - before) * weight(&branch);
                return (branch.link, joining <= beside);
            }
            let [a, b] = self.tree.below(branch.link).each_ref().map(|below| {
                let before = below.bounds.half_perimeter();
                let joined = below.bounds.join(body).half_perimeter();
                // In a leaf the unit is one more to test; under a node it costs no less than its own box.
                let least = if below.link.is_leaf() { joined } else { own };
                (least + (joined - before) * weight(below), below)
            });
            // Of two that cost the same, the one with fewer units: a crowd on one spot stays balanced.
            let (cost, cheaper) = if (a.0, a.1.count) <= (b.0, b.1.count) {
                a
            } else {
                b
            };
            if beside < (joined - before) * NODE_COST + cost {
                return (branch.link, false);
            }
            probe.on(Event::Work(Work::Descend));
            branch = *cheaper;
        }
    }

    /// Makes a leaf of one unit.
    fn plant(&mut self, owner: u32, item: Item) -> Link {
        let start = self.take_block(owner);
        self.put(start, item);
        Link::leaf(start)
    }

    /// Writes a unit into a slot.
    #[inline]
    fn put(&mut self, slot: u32, item: Item) {
        self.tree.slots.write(slot as usize, item.unit, item.bounds);
        self.tree.places[item.unit as usize] = slot;
    }

    /// Puts a node over two branches in the place where `link` is, and brings what is above it up to date.
    fn pair_up<P: Probe>(&mut self, link: Link, branches: [Branch; 2], probe: &mut P) {
        let parent = self.parent(link);
        let node = Node {
            branches,
            parent,
            height: 0,
        };
        self.is_ordered = false;
        let index = match self.free_nodes.pop() {
            Some(index) => {
                self.tree.nodes[index as usize] = node;
                index
            }
            None => {
                self.tree.nodes.push(node);
                self.tree.nodes.len() as u32 - 1
            }
        };
        *self.branch_mut(link) = node.branch(index);
        for branch in branches {
            self.set_parent(branch.link, index);
        }
        self.ascend(index, probe);
    }

    /// Cuts a full leaf and one more unit into two leaves, where the two cost the least.
    fn split<P: Probe>(&mut self, full: Branch, item: Item, probe: &mut P) {
        probe.on(Event::Split(full.link.region()));
        let mut room = [item; LEAF_LIMIT + 1];
        let items = &mut room[..=full.count as usize];
        for (item, (unit, bounds)) in items.iter_mut().zip(self.tree.run(full).units()) {
            *item = Item { bounds, unit };
        }
        let size = Aabb::of_points(items.iter().map(Item::key)).size();
        let axis = usize::from(size.y > size.x);
        items.sort_unstable_by(|a, b| {
            let keys = a.key()[axis].total_cmp(&b.key()[axis]);
            keys.then(a.unit.cmp(&b.unit))
        });
        let first = cheapest_cut(items);
        let start = full.link.index();
        let other = self.take_block(NONE);
        let (before, behind) = items.split_at(first);
        let branches = [(start, before), (other, behind)].map(|(start, part)| {
            let mut bounds = Aabb::EMPTY;
            for (slot, item) in (start..).zip(part) {
                self.put(slot, *item);
                bounds = bounds.join(item.bounds);
            }
            Branch {
                bounds,
                link: Link::leaf(start),
                count: part.len() as u32,
            }
        });
        self.pair_up(full.link, branches, probe);
    }

    /// Takes a unit out.
    fn take_out<P: Probe>(&mut self, unit: UnitId, probe: &mut P) {
        let slot = std::mem::replace(&mut self.tree.places[unit as usize], NONE);
        let leaf = self.leaf_of(slot);
        let count = self.branch_mut(leaf).count - 1;
        let last = leaf.index() + count;
        if slot != last {
            let moved = Item {
                unit: self.tree.slots.ids[last as usize],
                bounds: self.tree.slots.aabb(last as usize),
            };
            self.put(slot, moved);
        }
        let parent = self.parent(leaf);
        if count == 0 {
            self.free_blocks.push(leaf.index() / self.leaf_size);
            self.set_parent(leaf, NONE);
            match self.tree.nodes.get(parent as usize) {
                Some(above) => {
                    let sibling = above.branches[usize::from(above.branches[0].link == leaf)];
                    self.replace(parent, sibling, probe);
                }
                None => self.tree.root = Branch::NONE,
            }
            return;
        }
        let bounds = self.tree.slots.run(leaf.index(), count).bounds();
        let branch = self.branch_mut(leaf);
        (branch.bounds, branch.count) = (bounds, count);
        let Some(above) = self.tree.nodes.get(parent as usize) else {
            return;
        };
        let [a, b] = above.branches;
        if a.link.is_leaf() && b.link.is_leaf() && a.count + b.count <= self.leaf_size / 2 {
            probe.on(Event::Merge(Link::inner(parent).region()));
            for offset in 0..b.count {
                let from = (b.link.index() + offset) as usize;
                let item = Item {
                    unit: self.tree.slots.ids[from],
                    bounds: self.tree.slots.aabb(from),
                };
                self.put(a.link.index() + a.count + offset, item);
            }
            self.free_blocks.push(b.link.index() / self.leaf_size);
            self.set_parent(b.link, NONE);
            let merged = Branch {
                bounds: a.bounds.join(b.bounds),
                count: a.count + b.count,
                ..a
            };
            self.replace(parent, merged, probe);
        } else {
            self.ascend(parent, probe);
        }
    }

    /// Puts a branch where a node was, and frees the node.
    fn replace<P: Probe>(&mut self, index: u32, branch: Branch, probe: &mut P) {
        let link = Link::inner(index);
        let above = self.parent(link);
        *self.branch_mut(link) = branch;
        self.set_parent(branch.link, above);
        self.tree.nodes[index as usize] = Node {
            branches: [Branch::NONE; 2],
            parent: NONE,
            height: 0,
        };
        self.free_nodes.push(index);
        self.is_ordered = false;
        self.ascend(above, probe);
    }

    /// Brings counts, boxes and heights up to date from a node to the root, and rotates where that makes a box smaller.
    fn ascend<P: Probe>(&mut self, mut index: u32, probe: &mut P) {
        while index != NONE {
            probe.on(Event::Work(Work::Climb));
            self.rotate(index, probe);
            self.measure(index);
            let link = Link::inner(index);
            let branch = self.tree.nodes[index as usize].branch(index);
            *self.branch_mut(link) = branch;
            probe.on(Event::Refit(link.region()));
            index = self.parent(link);
        }
    }

    /// Exchanges one branch of a node with one of the branches below the other, where that makes the other's box smaller.
    fn rotate<P: Probe>(&mut self, index: u32, probe: &mut P) {
        let branches = self.tree.nodes[index as usize].branches;
        let mut best = (0.0, 0, 0);
        for side in [0, 1] {
            let (high, other) = (branches[side], branches[1 - side]);
            if high.link.is_leaf() {
                continue;
            }
            let before = high.bounds.half_perimeter();
            let below = self.tree.below(high.link);
            for which in [0, 1] {
                let after = below[1 - which].bounds.join(other.bounds);
                let gain = before - after.half_perimeter();
                if gain > best.0 {
                    best = (gain, side, which);
                }
            }
        }
        let (gain, side, which) = best;
        if gain <= 0.0 {
            return;
        }
        probe.on(Event::Work(Work::Rotate));
        self.is_ordered = false;
        let high = branches[side].link;
        let lowered = branches[1 - side];
        let node = &mut self.tree.nodes[high.index() as usize];
        let raised = std::mem::replace(&mut node.branches[which], lowered);
        let grown = node.branch(high.index());
        self.set_parent(lowered.link, high.index());
        self.set_parent(raised.link, index);
        self.measure(high.index());
        let node = &mut self.tree.nodes[index as usize];
        node.branches[1 - side] = raised;
        node.branches[side] = grown;
    }
}

/// How many of the sorted items belong to the first of two leaves so that both together cost the least; of equal cuts the
/// one nearest the middle.
fn cheapest_cut(items: &[Item]) -> usize {
    let mut behind = [0.0; LEAF_LIMIT + 2];
    let mut bounds = Aabb::EMPTY;
    for (place, item) in items.iter().enumerate().rev() {
        bounds = bounds.join(item.bounds);
        behind[place] = bounds.half_perimeter() * (items.len() - place) as f32;
    }
    let mut bounds = Aabb::EMPTY;
    let mut best = (f32::INFINITY, usize::MAX, items.len() / 2);
    for (place, item) in items.iter().enumerate().take(items.len() - 1) {
        bounds = bounds.join(item.bounds);
        let first = place + 1;
        let cost = bounds.half_perimeter() * first as f32 + behind[first];
        let candidate = (cost, first.abs_diff(items.len() / 2), first);
        if (candidate.0, candidate.1) < (best.0, best.1) {
            best = candidate;
        }
    }
    best.2
}
