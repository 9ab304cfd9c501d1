//! Adding, removing and moving single units, and many at once.

use super::KdTree;
use super::nodes::{
    Cut, HEIGHT_LIMIT, Link, NONE, Node, Step, cut_region, place_number, place_of, ties_of,
};
use crate::geometry::{Aabb, Vec2};
use crate::partition::toolkit::boxes::WIDTH;
use crate::partition::toolkit::leaves::LEAF_LIMIT;
use crate::partition::toolkit::simd::{self, Kernel, Task};
use crate::partition::toolkit::stack::Stack;
use crate::partition::{Bodies, Change, Course, Outgrown, Partition, UnitId};
use crate::probe::{Event, Probe, Work};

/// Where more than one unit in so many moves, all are looked at in the order of memory.
const MASS: usize = 4;

/// Any tree may have so many edits before it is built anew, however few units are in it.
const FREE_EDITS: usize = 64;

/// Of a full node no more than so many children move to a new one, so that both have room afterwards.
const MOVED: usize = WIDTH * 3 / 4;

/// A unit while a leaf is split.
#[derive(Clone, Copy)]
struct Item {
    middle: Vec2,
    unit: UnitId,
    body: Aabb,
}

/// Whether a box reaches as far as another one on any side.
#[inline]
fn touches(bounds: Aabb, body: Aabb) -> bool {
    (bounds.min.cmpeq(body.min) | bounds.max.cmpeq(body.max)).any()
}

/// Brings the `middle` items with the least coordinate to the front, and returns a place between the two sides.
fn halve(items: &mut [Item], middle: usize, axis: usize) -> f32 {
    let (below, least, _) =
        items.select_nth_unstable_by(middle, |a, b| a.middle[axis].total_cmp(&b.middle[axis]));
    let least = least.middle[axis];
    let coordinates = below.iter().map(|item| item.middle[axis]);
    // Rounding keeps order: half of the rounded sum lies between the two.
    (coordinates.fold(f32::NEG_INFINITY, f32::max) + least) * 0.5
}

impl KdTree {
    /// Forgets everything but who is filed where.
    pub(super) fn clear(&mut self) {
        self.root = NONE;
        self.nodes.clear();
        self.free_nodes.clear();
        self.leaves.fills.clear();
        self.cells.clear();
        self.owners.clear();
        self.free_leaves.clear();
    }

    /// Where most units move, all of them are looked at together, after the others came and went. Where the knob says that
    /// any change builds the tree, most units came or went, or points have become bodies, it is built.
    pub(super) fn look_at<P: Probe>(
        &mut self,
        bodies: Bodies<'_>,
        changes: &[Change],
        probe: &mut P,
    ) -> Course {
        if changes.is_empty() {
            return Course::Done;
        }
        let is_move = |change: &&Change| matches!(change, Change::Move(_));
        let moves = changes.iter().filter(is_move).count();
        if self.rebuilds
            || (bodies.are_sized() != self.leaves.are_sized && self.root != NONE)
            || (changes.len() - moves) * 2 > self.count
        {
            return Course::Rebuild;
        }
        if self.places.len() < bodies.slot_count() {
            self.places.resize(bodies.slot_count(), NONE);
        }
        if moves * MASS <= self.count {
            return Course::OneByOne;
        }
        let mut others = changes.iter().filter(|change| !is_move(change));
        let mut done = others.try_for_each(|change| self.make(bodies, *change, probe));
        done = done
            .and_then(|()| self.relocate_all(bodies, probe))
            .and_then(|()| self.look_after());
        match done {
            Ok(()) => Course::Done,
            Err(Outgrown) => Course::Rebuild,
        }
    }

    /// Says when so many have come, gone or crossed a cut since the tree was built that its halves are none any more.
    pub(super) fn look_after(&self) -> Result<(), Outgrown> {
        if self.edits > self.count / 2 + FREE_EDITS {
            Err(Outgrown)
        } else {
            Ok(())
        }
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
        if self.root == NONE {
            self.leaves.reset(0, self.leaf_size, bodies.are_sized());
            self.clear();
            self.root = self.take_node(NONE, Aabb::EVERYTHING) as u32;
            let leaf = self.take_leaf(Aabb::EVERYTHING);
            self.push_child(0, Link::leaf(leaf as u32), Aabb::EMPTY);
        }
        self.count += 1;
        self.edits += 1;
        let body = bodies.aabb(unit);
        let leaf = self.descend(self.root as usize, unit, body, probe);
        self.put_in::<true, P>(leaf, unit, body, probe)
    }

    /// Removes a unit.
    pub(super) fn delete<P: Probe>(&mut self, unit: UnitId, probe: &mut P) -> Result<(), Outgrown> {
        let slot = std::mem::replace(&mut self.places[unit as usize], NONE);
        debug_assert_ne!(slot, NONE, "unit {unit} was removed twice");
        self.count -= 1;
        self.edits += 1;
        if self.count == 0 {
            self.clear();
            self.edits = 0;
        } else {
            self.take_out::<true, P>(slot, probe);
        }
        Ok(())
    }

    /// Writes a unit where it is, or takes it to the leaf in whose cell it is now.
    #[inline]
    pub(super) fn update<P: Probe>(
        &mut self,
        bodies: Bodies<'_>,
        unit: UnitId,
        probe: &mut P,
    ) -> Result<(), Outgrown> {
        let slot = self.places[unit as usize];
        let body = bodies.aabb(unit);
        let (leaf, place) = self.leaves.of_slot(slot);
        if !self.cells[leaf].contains(body.center()) {
            return self.relink::<true, P>(unit, body, probe);
        }
        probe.on(Event::Work(Work::MoveInPlace));
        let old = self.leaves.body(leaf, place);
        self.leaves.set_body(leaf, place, body);
        let (node, child) = place_of(self.owners[leaf]);
        let own = self.nodes[node].boxes.get(child);
        if touches(own, old) {
            self.refit(leaf, probe);
        } else if !own.contains_box(body) {
            self.widen(leaf, body, probe);
        }
        Ok(())
    }

    /// Moves everybody: walks the leaves in the order of memory, writes those who stayed in their cells, and takes the others
    /// to theirs afterwards. The boxes come last, each once.
    fn relocate_all<P: Probe>(
        &mut self,
        bodies: Bodies<'_>,
        probe: &mut P,
    ) -> Result<(), Outgrown> {
        if self.root == NONE {
            return Ok(());
        }
        let mut leavers = std::mem::take(&mut *self.leavers);
        leavers.clear();
        for leaf in 0..self.owners.len() {
            let cell = self.cells[leaf];
            for place in 0..self.leaves.fill(leaf) {
                let unit = self.leaves.ids(leaf)[place];
                let body = bodies.aabb(unit);
                if cell.contains(body.center()) {
                    self.leaves.set_body(leaf, place, body);
                    probe.on(Event::Work(Work::MoveInPlace));
                } else {
                    leavers.push(unit);
                }
            }
        }
        let done = leavers
            .iter()
            .try_for_each(|unit| self.relink::<false, P>(*unit, bodies.aabb(*unit), probe));
        *self.leavers = leavers;
        done?;
        simd::dispatch(Joining { tree: self });
        if P::HEARS {
            for index in 0..self.nodes.len() {
                if self.nodes[index].child_count > 1 {
                    probe.on(Event::Refit(self.nodes[index].region(index)));
                }
            }
        }
        Ok(())
    }

    /// Takes a unit from its leaf to the one in whose cell its new body is: up to the first node that holds it, and down from
    /// there.
    fn relink<const REFIT: bool, P: Probe>(
        &mut self,
        unit: UnitId,
        body: Aabb,
        probe: &mut P,
    ) -> Result<(), Outgrown> {
        let slot = self.places[unit as usize];
        let (leaf, place) = self.leaves.of_slot(slot);
        if self.cells[leaf].contains(body.center()) {
            // Since it was seen to leave, so many others have that its leaf was merged with the one to which it goes. Its own leaf
            // cannot take it: were it full, it would be split with the unit in it twice.
            debug_assert!(!REFIT, "who leaves alone leaves a cell as it was");
            probe.on(Event::Work(Work::MoveInPlace));
            self.leaves.set_body(leaf, place, body);
            return Ok(());
        }
        self.edits += 1;
        let (mut node, _) = place_of(self.owners[leaf]);
        while node != self.root as usize && !self.nodes[node].cell.contains(body.center()) {
            probe.on(Event::Climb(self.nodes[node].region(node)));
            (node, _) = place_of(self.nodes[node].parent);
        }
        let target = self.descend(node, unit, body, probe);
        probe.on(Event::Work(Work::MoveRelink));
        // Another leaf than its own takes it, and that stays where it is while the other one is split.
        self.put_in::<REFIT, P>(target, unit, body, probe)?;
        self.take_out::<REFIT, P>(slot, probe);
        Ok(())
    }

    /// The leaf below a node in whose cell a unit is.
    fn descend<P: Probe>(&self, mut node: usize, unit: UnitId, body: Aabb, probe: &mut P) -> usize {
        let middle = body.center();
        let mut ties = ties_of(unit);
        loop {
            let here = &self.nodes[node];
            let link = here.link(here.child_at(middle, &mut ties));
            probe.on(Event::Descend(self.region_of(link)));
            if link.is_leaf() {
                return link.index();
            }
            node = link.index();
        }
    }

    /// Puts a unit in the leaf in whose cell it is. The boxes are brought up to date where `REFIT` says so.
    fn put_in<const REFIT: bool, P: Probe>(
        &mut self,
        leaf: usize,
        unit: UnitId,
        body: Aabb,
        probe: &mut P,
    ) -> Result<(), Outgrown> {
        if self.leaves.fill(leaf) < self.leaf_size as usize {
            self.push(leaf, unit, body);
        } else {
            self.split(leaf, unit, body, probe)?;
        }
        if REFIT {
            // A split may have put it in the other half.
            let (leaf, _) = self.leaves.of_slot(self.places[unit as usize]);
            self.widen(leaf, body, probe);
        }
        Ok(())
    }

    /// Writes a unit behind the others of a leaf that is not full.
    fn push(&mut self, leaf: usize, unit: UnitId, body: Aabb) {
        let place = self.leaves.fill(leaf);
        self.leaves.set(leaf, place, unit, body);
        self.leaves.fills[leaf] += 1;
        self.places[unit as usize] = self.leaves.slot(leaf, place);
    }

    /// Takes the unit out of a slot, and merges a leaf in which few are left with the one beside it.
    fn take_out<const REFIT: bool, P: Probe>(&mut self, slot: u32, probe: &mut P) {
        let (leaf, place) = self.leaves.of_slot(slot);
        let last = self.leaves.fill(leaf) - 1;
        let old = self.leaves.body(leaf, place);
        if place != last {
            let moved = self.leaves.ids(leaf)[last];
            let body = self.leaves.body(leaf, last);
            self.leaves.set(leaf, place, moved, body);
            self.places[moved as usize] = slot;
        }
        self.leaves.fills[leaf] -= 1;
        if REFIT {
            let (node, child) = place_of(self.owners[leaf]);
            if touches(self.nodes[node].boxes.get(child), old) {
                self.refit(leaf, probe);
            }
        }
        if last <= self.leaf_size as usize / 4 {
            self.merge(leaf, probe);
        }
    }

    /// Parts a full leaf and one more unit at the median. The box of the node is to be widened by the new one.
    fn split<P: Probe>(
        &mut self,
        leaf: usize,
        unit: UnitId,
        body: Aabb,
        probe: &mut P,
    ) -> Result<(), Outgrown> {
        if self.nodes[place_of(self.owners[leaf]).0].is_full() {
            self.make_room(leaf)?;
        }
        let (index, child) = place_of(self.owners[leaf]);
        let new = Item {
            middle: body.center(),
            unit,
            body,
        };
        let mut room = [new; LEAF_LIMIT + 1];
        let fill = self.leaves.fill(leaf);
        for (place, item) in room[..fill].iter_mut().enumerate() {
            let body = self.leaves.body(leaf, place);
            *item = Item {
                middle: body.center(),
                unit: self.leaves.ids(leaf)[place],
                body,
            };
        }
        let items = &mut room[..fill + 1];
        let above = self.nodes[index].above(Step::child(child));
        let before = above.map(|(cut, _)| self.nodes[index].cut(cut).axis);
        let size = || Aabb::of_points(items.iter().map(|item| item.middle)).size();
        let axis = self
            .rule
            .axis(before.map_or(0, |axis| 1 - axis as u32), size);
        let middle = items.len().div_ceil(2);
        let cut = Cut {
            axis,
            at: halve(items, middle, axis),
        };
        let [first, second] = cut.halves(self.cells[leaf]);
        let other = self.take_leaf(second);
        self.cells[leaf] = first;
        self.leaves.fills[leaf] = 0;
        let mut bounds = [Aabb::EMPTY; 2];
        for (place, item) in items.iter().enumerate() {
            let side = usize::from(place >= middle);
            self.push([leaf, other][side], item.unit, item.body);
            bounds[side] = bounds[side].join(item.body);
        }
        let node = &mut self.nodes[index];
        let number = node.cuts();
        let other_child = node.push_child(Link::leaf(other as u32), bounds[1]);
        node.boxes.set(child, bounds[0]);
        node.set_cut(number, cut);
        node.set_sides(number, [Step::child(child), Step::child(other_child)]);
        node.set_step(above, Step::cut(number));
        self.owners[other] = place_number(index, other_child);
        probe.on(Event::Split(cut_region(index, number)));
        Ok(())
    }

    /// Makes room for one more child in the full node that holds a leaf: moves some leaves that are together to a new node
    /// below it, or at least this one.
    fn make_room(&mut self, leaf: usize) -> Result<(), Outgrown> {
        let (index, child) = place_of(self.owners[leaf]);
        let (mut depth, mut above) = (1, self.nodes[index].parent);
        while above != NONE {
            depth += 1;
            above = self.nodes[place_of(above).0].parent;
        }
        if depth == HEIGHT_LIMIT {
            return Err(Outgrown);
        }
        let old = self.nodes[index];
        // Cuts come before those below them.
        let mut widths = [0; WIDTH];
        let mut best = (0, Step::child(child));
        for cut in (0..old.cuts()).rev() {
            let width: usize = old
                .sides(cut)
                .map(|step| match step.as_child() {
                    Some(child) if old.link(child).is_leaf() => 1,
                    // Who has nodes below is not to become deeper.
                    Some(_) => WIDTH,
                    None => widths[step.index()],
                })
                .iter()
                .sum();
            widths[cut] = width;
            if width <= MOVED && width > best.0 {
                best = (width, Step::cut(cut));
            }
        }
        let below = self.take_node(place_number(index, 0), Aabb::EVERYTHING);
        self.copy_part(&old, best.1, below, None);
        let mut bounds = Aabb::EMPTY;
        let mut cell = Aabb::EMPTY;
        let node = &self.nodes[below];
        for child in 0..node.children() {
            bounds = bounds.join(node.boxes.get(child));
            cell = cell.join(self.cells[node.link(child).index()]);
        }
        let node = &mut self.nodes[below];
        (node.bounds, node.cell) = (bounds, cell);
        self.rewrite(index, &old, (best.1, Link::node(below as u32), bounds));
        Ok(())
    }

    /// Merges a leaf with the one on the other side of the cut above it, if that is one and few are in the two.
    fn merge<P: Probe>(&mut self, leaf: usize, probe: &mut P) {
        let (index, child) = place_of(self.owners[leaf]);
        let old = self.nodes[index];
        let Some((cut, side)) = old.above(Step::child(child)) else {
            return;
        };
        let Some(beside) = old.sides(cut)[1 - side].as_child() else {
            return;
        };
        let other = old.link(beside).index();
        let few = self.leaf_size as usize / 2;
        if !old.link(beside).is_leaf() || self.leaves.fill(leaf) + self.leaves.fill(other) > few {
            return;
        }
        probe.on(Event::Merge(cut_region(index, cut)));
        for place in 0..self.leaves.fill(other) {
            let unit = self.leaves.ids(other)[place];
            self.push(leaf, unit, self.leaves.body(other, place));
        }
        self.leaves.fills[other] = 0;
        self.cells[leaf] = self.cells[leaf].join(self.cells[other]);
        self.owners[other] = NONE;
        self.free_leaves.push(other as u32);
        let bounds = old.boxes.get(child).join(old.boxes.get(beside));
        let link = Link::leaf(leaf as u32);
        self.rewrite(index, &old, (Step::cut(cut), link, bounds));
        // A node with one child is no more than that.
        let Node {
            parent,
            child_count,
            ..
        } = self.nodes[index];
        if child_count == 1 && parent != NONE {
            let (above, child) = place_of(parent);
            self.nodes[above].set_link(child, link);
            self.adopt(link, above, child);
            self.nodes[index].child_count = 0;
            self.free_nodes.push(index as u32);
        }
    }

    /// Writes a node again with one step replaced, and all that is below that left out.
    fn rewrite(&mut self, index: usize, old: &Node, instead: (Step, Link, Aabb)) {
        let mut new = Node::new(old.parent, old.cell);
        new.bounds = old.bounds;
        self.nodes[index] = new;
        self.copy_part(old, old.entrance(), index, Some(instead));
    }

    /// Copies what is below a step of a node to another one, in which nothing is yet. The part below `instead` becomes that
    /// child.
    fn copy_part(
        &mut self,
        old: &Node,
        from: Step,
        to: usize,
        instead: Option<(Step, Link, Aabb)>,
    ) {
        let mut stack = Stack::<_, { WIDTH + 1 }>::new();
        stack.push((from, None));
        let mut cuts = 0;
        while let Some((step, above)) = stack.pop() {
            let child = match instead {
                Some((replaced, link, bounds)) if replaced == step => Some((link, bounds)),
                _ => step
                    .as_child()
                    .map(|child| (old.link(child), old.boxes.get(child))),
            };
            if let Some((link, bounds)) = child {
                let child = self.push_child(to, link, bounds);
                self.nodes[to].set_step(above, Step::child(child));
            } else {
                let node = &mut self.nodes[to];
                node.set_cut(cuts, old.cut(step.index()));
                node.set_step(above, Step::cut(cuts));
                let [first, second] = old.sides(step.index());
                stack.push((second, Some((cuts, 1))));
                stack.push((first, Some((cuts, 0))));
                cuts += 1;
            }
        }
    }

    /// Writes one more child of a node, and tells it so.
    fn push_child(&mut self, index: usize, link: Link, bounds: Aabb) -> usize {
        let child = self.nodes[index].push_child(link, bounds);
        self.adopt(link, index, child);
        child
    }

    /// Tells a child where it is.
    fn adopt(&mut self, link: Link, index: usize, child: usize) {
        if link.is_leaf() {
            self.owners[link.index()] = place_number(index, child);
        } else {
            self.nodes[link.index()].parent = place_number(index, child);
        }
    }

    /// A node that is not in use.
    fn take_node(&mut self, parent: u32, cell: Aabb) -> usize {
        let new = Node::new(parent, cell);
        if let Some(index) = self.free_nodes.pop() {
            self.nodes[index as usize] = new;
            return index as usize;
        }
        self.nodes.push(new);
        self.nodes.len() - 1
    }

    /// A leaf that is not in use, and whose owner is to be written.
    fn take_leaf(&mut self, cell: Aabb) -> usize {
        if let Some(leaf) = self.free_leaves.pop() {
            self.cells[leaf as usize] = cell;
            return leaf as usize;
        }
        let leaf = self.owners.len();
        self.leaves.resize(leaf + 1);
        self.owners.push(NONE);
        self.cells.push(cell);
        leaf
    }

    /// Widens the boxes above a leaf to hold a body of the leaf, as far up as that is needed.
    fn widen<P: Probe>(&mut self, leaf: usize, body: Aabb, probe: &mut P) {
        let mut place = self.owners[leaf];
        // A body that is not in its leaf's box yet may be in the node's, so each is looked at on its own.
        let (node, child) = place_of(place);
        let boxes = &mut self.nodes[node].boxes;
        boxes.set(child, boxes.get(child).join(body));
        while place != NONE {
            let (index, _) = place_of(place);
            let node = &mut self.nodes[index];
            if node.bounds.contains_box(body) {
                return;
            }
            node.bounds = node.bounds.join(body);
            let (bounds, parent) = (node.bounds, node.parent);
            if P::HEARS {
                probe.on(Event::Refit(self.nodes[index].region(index)));
            }
            if parent != NONE {
                let (above, child) = place_of(parent);
                self.nodes[above].boxes.set(child, bounds);
            }
            place = parent;
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
    tree: &'t mut KdTree,
    leaf: usize,
    probe: &'p mut P,
}

impl<P: Probe> Task for Refitting<'_, '_, P> {
    const DETAILED: bool = P::DETAILED;

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) {
        let Self { tree, leaf, probe } = self;
        let mut bounds = tree.leaves.bounds(kernel, leaf);
        let mut place = tree.owners[leaf];
        while place != NONE {
            let (index, child) = place_of(place);
            let node = &mut tree.nodes[index];
            if node.boxes.get(child) == bounds {
                return;
            }
            node.boxes.set(child, bounds);
            bounds = node.boxes.bounds(kernel);
            if node.bounds == bounds {
                return;
            }
            node.bounds = bounds;
            place = node.parent;
            if P::HEARS {
                probe.on(Event::Refit(tree.nodes[index].region(index)));
            }
        }
    }
}

/// Computing all boxes, with whatever kernel there is.
struct Joining<'t> {
    tree: &'t mut KdTree,
}

impl Task for Joining<'_> {
    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) {
        self.tree.join_all(kernel);
    }
}
