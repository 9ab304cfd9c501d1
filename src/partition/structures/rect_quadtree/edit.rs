//! Building, adding, removing and moving; splits and merges.

use super::pool::{NONE, Node, Record};
use super::{DOUBLING_LIMIT, Item, MAX_DEPTH, ROOT, RectQuadtree, STACK_LENGTH, quarter_of};
use crate::geometry::{Aabb, Vec2};
use crate::partition::toolkit::stack::Stack;
use crate::partition::{Bodies, Change, Course, UnitId};
use crate::probe::{Event, Probe, Work};
use std::hint::select_unpredictable;

/// A cell twice as wide and high, away from which `place` lies no farther than before.
fn doubled(cell: Aabb, place: Vec2) -> Aabb {
    let size = cell.size();
    let mut twice = cell;
    for axis in 0..2 {
        if place[axis] < cell.min[axis] {
            twice.min[axis] -= size[axis];
        } else {
            twice.max[axis] += size[axis];
        }
    }
    twice
}

impl RectQuadtree {
    /// Leaves an empty root as large as the field.
    pub(super) fn clear(&mut self, is_sized: bool) {
        self.doublings = 0;
        let cell = self.home();
        self.pool.reset(cell, self.loosened(cell), is_sized);
        self.places.clear();
    }

    /// Forgets everything and indexes the units alive.
    pub(super) fn build<P: Probe>(&mut self, bodies: Bodies<'_>, probe: &mut P) {
        probe.on(Event::Work(Work::Rebuild));
        self.clear(bodies.are_sized());
        self.places.resize(bodies.slot_count(), NONE);
        let mut items = std::mem::take(&mut self.items);
        items.clear();
        items.extend(bodies.ids().map(|unit| Item {
            bounds: bodies.aabb(unit),
            unit,
        }));
        let centers = Aabb::of_points(items.iter().map(|item| item.bounds.center()));
        let mut cell = self.home();
        for corner in [centers.min, centers.max] {
            while !items.is_empty() && !cell.contains(corner) && self.doublings < DOUBLING_LIMIT {
                cell = doubled(cell, corner);
                self.doublings += 1;
            }
        }
        self.pool
            .reset(cell, self.loosened(cell), bodies.are_sized());
        self.deal(&mut items, probe);
        self.items = items;
        self.tighten();
    }

    /// Deals the items to the nodes, from the root downwards.
    fn deal<P: Probe>(&mut self, items: &mut Vec<Item>, probe: &mut P) {
        let count = items.len();
        // Behind the items, as much room to sort them by quarter.
        items.extend_from_within(..);
        let (items, aside) = items.split_at_mut(count);
        let mut stack = Stack::<(u32, usize, usize), STACK_LENGTH>::new();
        stack.push((ROOT, 0, count));
        while let Some((node, from, count)) = stack.pop() {
            let part = &mut items[from..from + count];
            self.pool.records[node as usize].total = count as u32;
            let depth = self.pool.records[node as usize].depth;
            // The quarters first and those who straddle last: as [`RectQuadtree::quarter_for`] says, but without a branch, and for all with
            // the same boxes.
            let here = self.pool.nodes[node as usize];
            let quarters = [0, 1, 2, 3].map(|quarter| self.child_bounds(node, quarter));
            let group = |item: &Item| {
                let quarter = here.quarter(item.bounds.center()) as usize;
                let holds = quarters[quarter % 4].contains_box(item.bounds);
                select_unpredictable(holds, quarter, 4)
            };
            let mut counts = [0; 5];
            for item in part.iter() {
                counts[group(item)] += 1;
            }
            let fitting = count - counts[4];
            if fitting <= self.capacity as usize || self.is_deepest(depth) {
                self.put_all(node, part);
                self.pool.records[node as usize].fitting = fitting as u32;
                continue;
            }
            let mut starts = [0; 5];
            for group in 1..5 {
                starts[group] = starts[group - 1] + counts[group - 1];
            }
            let mut ends = starts;
            for item in part.iter() {
                let end = &mut ends[group(item)];
                aside[*end] = *item;
                *end += 1;
            }
            part.copy_from_slice(&aside[..count]);
            self.put_all(node, &part[fitting..]);
            probe.on(Event::Split(node));
            let children = self.make_children(node);
            for quarter in (0..4).rev() {
                let place = from + starts[quarter];
                stack.push((children + quarter as u32, place, counts[quarter]));
            }
        }
    }

    /// Puts bodies into a node.
    #[inline]
    fn put_all(&mut self, node: u32, items: &[Item]) {
        for Item { bounds, unit } in items {
            self.places[*unit as usize] = self.pool.push_one_of_many(node, *unit, *bounds);
        }
        self.pool.copy_contents(node);
    }

    /// Puts four empty leaves under a leaf and gives the first.
    fn make_children(&mut self, node: u32) -> u32 {
        let Record { cell, depth, .. } = self.pool.records[node as usize];
        let Node { bounds, cut, .. } = self.pool.nodes[node as usize];
        let first = self.pool.take_four();
        for quarter in 0..4 {
            let index = (first + quarter) as usize;
            let part = quarter_of(cell, cut, quarter);
            let bounds = self.loosened(part).meet(bounds);
            // A tight box holds nobody yet.
            let tested = if self.is_tight { Aabb::EMPTY } else { bounds };
            self.pool.set_bounds(first + quarter, tested);
            self.pool.nodes[index] = Node {
                bounds,
                cut: part.center(),
                children: NONE,
                blocks: NONE,
            };
            self.pool.records[index] = Record {
                cell: part,
                parent: node,
                own: 0,
                total: 0,
                fitting: 0,
                depth: depth + 1,
            };
            self.pool.copy_contents(first + quarter);
        }
        self.pool.nodes[node as usize].children = first;
        self.pool.records[node as usize].fitting = 0;
        self.pool.copy_contents(node);
        first
    }

    /// The bodies are the truth after all the changes: where one of them is outside the root, a build does them all.
    pub(super) fn look_at(&self, bodies: Bodies<'_>, changes: &[Change]) -> Course {
        let must_grow = |change: &Change| match *change {
            Change::Add(unit) | Change::Move(unit) => {
                bodies.is_alive(unit) && self.is_outside(bodies.aabb(unit).center())
            }
            Change::Remove(_) => false,
        };
        let is_other_kind = !changes.is_empty() && bodies.are_sized() != self.pool.is_sized;
        if is_other_kind || changes.iter().any(must_grow) {
            Course::Rebuild
        } else {
            Course::OneByOne
        }
    }

    /// Whether the root should double: it does not beyond all coordinates, but holds what is there.
    fn is_outside(&self, center: Vec2) -> bool {
        self.doublings < DOUBLING_LIMIT && !self.pool.records[ROOT as usize].cell.contains(center)
    }

    /// Adds a unit.
    pub(super) fn insert<P: Probe>(&mut self, bodies: Bodies<'_>, unit: UnitId, probe: &mut P) {
        let row = unit as usize;
        if row >= self.places.len() {
            self.places.resize(row + 1, NONE);
        }
        debug_assert_eq!(self.places[row], NONE, "unit {unit} was added twice");
        self.pool.records[ROOT as usize].total += 1;
        let body = bodies.aabb(unit);
        let node = self.descend(ROOT, body, probe);
        self.put(node, unit, body, probe);
    }

    /// The smallest node below `node`, in which a body is counted already, that holds it. The body is counted on the way.
    fn descend<P: Probe>(&mut self, mut node: u32, body: Aabb, probe: &mut P) -> u32 {
        while !self.pool.nodes[node as usize].is_leaf()
            && let Some(quarter) = self.quarter_for(node, body)
        {
            node = self.pool.nodes[node as usize].children + quarter;
            probe.on(Event::Descend(node));
            self.pool.records[node as usize].total += 1;
        }
        node
    }

    /// Puts a body into a node in which it is counted already, which splits if it has to.
    fn put<P: Probe>(&mut self, node: u32, unit: UnitId, body: Aabb, probe: &mut P) {
        self.places[unit as usize] = self.pool.push(node, unit, body);
        self.embrace(node, body, probe);
        if self.pool.nodes[node as usize].is_leaf() && self.quarter_for(node, body).is_some() {
            self.pool.records[node as usize].fitting += 1;
            self.split_if_full(node, probe);
        }
    }

    /// Splits a leaf of which more bodies than the capacity would go down, and its quarters if they are as full again. The
    /// recursion goes no deeper than the tree.
    fn split_if_full<P: Probe>(&mut self, node: u32, probe: &mut P) {
        let Record { fitting, depth, .. } = self.pool.records[node as usize];
        if fitting <= self.capacity || self.is_deepest(depth) {
            return;
        }
        probe.on(Event::Split(node));
        let mut block = self.pool.take_blocks(node);
        let children = self.make_children(node);
        while block != NONE {
            let length = self.pool.owners[block as usize].length;
            let first = block * super::pool::BLOCK as u32;
            for slot in first..first + length {
                let (unit, body) = self.pool.body(slot);
                let quarter = self.quarter_for(node, body);
                let target = quarter.map_or(node, |quarter| children + quarter);
                self.places[unit as usize] = self.pool.push(target, unit, body);
                if target != node {
                    let fits = self.quarter_for(target, body).is_some();
                    let record = &mut self.pool.records[target as usize];
                    record.total += 1;
                    record.fitting += u32::from(fits);
                }
            }
            block = self.pool.free_block(block);
        }
        self.tighten_parts(node);
        for child in children..children + 4 {
            self.split_if_full(child, probe);
        }
    }

    /// Takes a unit out.
    pub(super) fn delete<P: Probe>(&mut self, unit: UnitId, probe: &mut P) {
        let node = self.take_out(unit, probe);
        let mut above = node;
        while above != NONE {
            let record = &mut self.pool.records[above as usize];
            record.total -= 1;
            above = record.parent;
        }
        self.merge_up(node, ROOT, probe);
    }

    /// Takes a unit out of its node, which is given and in which it is still counted.
    fn take_out<P: Probe>(&mut self, unit: UnitId, probe: &mut P) -> u32 {
        let slot = std::mem::replace(&mut self.places[unit as usize], NONE);
        let node = self.pool.node_of(slot);
        let (_, body) = self.pool.body(slot);
        if self.pool.nodes[node as usize].is_leaf() && self.quarter_for(node, body).is_some() {
            self.pool.records[node as usize].fitting -= 1;
        }
        if let Some(moved) = self.pool.swap_remove(slot) {
            self.places[moved as usize] = slot;
        }
        self.let_go(node, body, probe);
        node
    }

    /// Whether a body may stay in its node: the node holds it, and no child would.
    fn stays(&self, node: u32, body: Aabb) -> bool {
        let here = &self.pool.nodes[node as usize];
        (node == ROOT || here.bounds.contains_box(body))
            && (here.is_leaf() || self.quarter_for(node, body).is_none())
    }

    /// Writes a unit where it is, or puts it in the node in which it is now.
    pub(super) fn update<P: Probe>(&mut self, bodies: Bodies<'_>, unit: UnitId, probe: &mut P) {
        let slot = self.places[unit as usize];
        let node = self.pool.node_of(slot);
        let body = bodies.aabb(unit);
        if self.stays(node, body) {
            probe.on(Event::Work(Work::MoveInPlace));
            let (_, before) = self.pool.body(slot);
            if self.pool.nodes[node as usize].is_leaf() {
                let fitted = self.quarter_for(node, before).is_some();
                let fits = self.quarter_for(node, body).is_some();
                let record = &mut self.pool.records[node as usize];
                record.fitting = record.fitting + u32::from(fits) - u32::from(fitted);
            }
            self.pool.write(slot, unit, body);
            self.replace(node, (before, body), probe);
            if self.pool.nodes[node as usize].is_leaf() {
                self.split_if_full(node, probe);
            }
            return;
        }
        self.take_out(unit, probe);
        let center = body.center();
        let mut top = node;
        while top != ROOT
            && !(self.pool.nodes[top as usize].bounds.contains_box(body)
                && self.pool.records[top as usize].cell.contains(center))
        {
            probe.on(Event::Climb(top));
            let record = &mut self.pool.records[top as usize];
            record.total -= 1;
            top = record.parent;
        }
        let target = self.descend(top, body, probe);
        probe.on(Event::Work(Work::MoveRelink));
        self.put(target, unit, body, probe);
        self.merge_up(node, top, probe);
    }

    /// From a node upwards, up to and including `top`: takes the children back where at most half a capacity is below.
    ///
    /// Half, so that a body which steps to and fro over a line does not split and merge at each step. Where so few are
    /// below a node, none of its children has children, for it would have taken them back.
    fn merge_up<P: Probe>(&mut self, mut node: u32, top: u32, probe: &mut P) {
        loop {
            let Record {
                own, total, parent, ..
            } = self.pool.records[node as usize];
            let children = self.pool.nodes[node as usize].children;
            if children != NONE && total - own <= self.capacity / 2 {
                probe.on(Event::Merge(node));
                for child in children..children + 4 {
                    let mut block = self.pool.take_blocks(child);
                    while block != NONE {
                        let length = self.pool.owners[block as usize].length;
                        let first = block * super::pool::BLOCK as u32;
                        for slot in first..first + length {
                            let (unit, body) = self.pool.body(slot);
                            self.places[unit as usize] = self.pool.push(node, unit, body);
                        }
                        block = self.pool.free_block(block);
                    }
                }
                self.pool.free_four(children);
                self.pool.nodes[node as usize].children = NONE;
                self.pool.copy_contents(node);
                self.recount_fitting(node);
                self.tighten_joined(node);
            }
            if node == top || parent == NONE {
                return;
            }
            node = parent;
        }
    }

    /// Counts the bodies of a leaf that would fit a quarter.
    pub(super) fn recount_fitting(&mut self, node: u32) {
        let own = self.pool.own(node);
        let fits = |body: Aabb| self.quarter_for(node, body).is_some();
        let fitting = own.filter(|(_, body)| fits(*body)).count();
        self.pool.records[node as usize].fitting = fitting as u32;
    }
}

const _: () = assert!(DOUBLING_LIMIT + MAX_DEPTH < super::pool::FREE as u32);
