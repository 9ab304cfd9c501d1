//! Building the whole tree: bins along the longer side, cut where both sides cost the least.

use super::Bvh;
use crate::geometry::{Aabb, Vec2};
use crate::partition::toolkit::box_tree::{Branch, HEIGHT_LIMIT, Link, NONE, Node, STACK_LENGTH};
use crate::partition::toolkit::stack::Stack;
use crate::partition::{Bodies, UnitId};
use crate::probe::{Event, Probe, Work};

/// A unit while it is sorted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item {
    pub(super) bounds: Aabb,
    pub(super) unit: UnitId,
}

impl Item {
    /// Twice the centre: what units are sorted by.
    #[inline]
    pub(super) fn key(&self) -> Vec2 {
        self.bounds.min + self.bounds.max
    }
}

/// Between so many bins a cut is looked for; more find hardly better ones.
const BINS: usize = 16;

/// Fewer units than this are cut between half as many bins: there, looking at the bins costs as much as filling them.
const CROWD: usize = 64;

/// A build leaves room below [`HEIGHT_LIMIT`] for what grows afterwards.
pub(super) const BUILD_HEIGHT: u32 = HEIGHT_LIMIT as u32 * 3 / 4;

/// The units whose keys fall in one stretch of the axis.
#[derive(Clone, Copy)]
struct Bin {
    bounds: Aabb,
    count: u32,
}

/// A run of items that is to become a branch.
#[derive(Clone, Copy)]
struct Task {
    parent: u32,
    side: usize,
    from: usize,
    count: usize,
    bounds: Aabb,
    /// How high the branch may be.
    height: u32,
}

/// 0 where a box is wider than high, 1 where it is not.
fn longer_axis(bounds: Aabb) -> usize {
    let size = bounds.size();
    usize::from(size.y > size.x)
}

impl Bvh {
    /// Forgets everything and indexes the units alive.
    pub(super) fn build<P: Probe>(&mut self, bodies: Bodies<'_>, probe: &mut P) {
        probe.on(Event::Work(Work::Rebuild));
        self.items.clear();
        let mut bounds = Aabb::EMPTY;
        self.items.extend(bodies.ids().map(|unit| {
            let body = bodies.aabb(unit);
            bounds = bounds.join(body);
            Item { bounds: body, unit }
        }));
        self.tree.nodes.clear();
        self.tree.root = Branch::NONE;
        self.tree.places.clear();
        self.tree.places.resize(bodies.slot_count(), NONE);
        self.tree.slots.reset(0, bodies.are_sized());
        self.owners.clear();
        self.free_blocks.clear();
        self.free_nodes.clear();
        self.grow(bounds);
        self.is_ordered = true;
        self.fresh_cost = self.relative_cost();
        self.changes = 0;
    }

    /// Makes the nodes and leaves over the items, whose box this is, each node before those below it.
    fn grow(&mut self, bounds: Aabb) {
        let mut items = std::mem::take(&mut self.items);
        let count = items.len();
        // Behind the items, as much room to put some of them aside.
        items.resize(2 * count, Item { bounds, unit: NONE });
        let (items_in_use, aside) = items.split_at_mut(count);
        let nothing = Task {
            parent: NONE,
            side: 0,
            from: 0,
            count: 0,
            bounds,
            height: 0,
        };
        let mut stack = Stack::<Task, STACK_LENGTH>::new(nothing);
        if count > 0 {
            stack.push(Task {
                count,
                height: BUILD_HEIGHT,
                ..nothing
            });
        }
        while let Some(task) = stack.pop() {
            let part = &mut items_in_use[task.from..task.from + task.count];
            let link = if part.len() <= self.leaf_size as usize {
                let start = self.take_block(task.parent);
                for (slot, item) in (start..).zip(part) {
                    self.tree.slots.write(slot as usize, item.unit, item.bounds);
                    self.tree.places[item.unit as usize] = slot;
                }
                Link::leaf(start)
            } else {
                let (first, bounds) = self.cut(part, aside, task.bounds, task.height);
                let index = self.tree.nodes.len() as u32;
                self.tree.nodes.push(Node {
                    branches: [Branch::NONE; 2],
                    parent: task.parent,
                    height: 0,
                });
                let below = Task {
                    parent: index,
                    height: task.height - 1,
                    ..task
                };
                stack.push(Task {
                    side: 1,
                    from: task.from + first,
                    count: task.count - first,
                    bounds: bounds[1],
                    ..below
                });
                stack.push(Task {
                    side: 0,
                    count: first,
                    bounds: bounds[0],
                    ..below
                });
                Link::inner(index)
            };
            let branch = match self.tree.nodes.get_mut(task.parent as usize) {
                Some(above) => &mut above.branches[task.side],
                None => &mut self.tree.root,
            };
            *branch = Branch {
                bounds: task.bounds,
                link,
                count: task.count as u32,
            };
        }
        self.items = items;
        for index in (0..self.tree.nodes.len() as u32).rev() {
            self.measure(index);
        }
    }

    /// Brings the items of two branches into order. Says how many belong to the first, and the boxes of both.
    fn cut(
        &self,
        items: &mut [Item],
        aside: &mut [Item],
        bounds: Aabb,
        height: u32,
    ) -> (usize, [Aabb; 2]) {
        let leaves = items.len().div_ceil(self.leaf_size as usize);
        let must_halve = leaves.next_power_of_two().trailing_zeros() + 1 >= height;
        if !must_halve {
            // Bins over the box of the bodies, which is known, find a cut unless the centres are crowded within it.
            let keys = Aabb::new(bounds.min + bounds.min, bounds.max + bounds.max);
            if let Some(found) = self.cut_between_bins(items, aside, keys) {
                return found;
            }
        }
        let keys = Aabb::of_points(items.iter().map(Item::key));
        if !must_halve && let Some(found) = self.cut_between_bins(items, aside, keys) {
            return found;
        }
        // All on one spot, or the tree would grow too high.
        let half = items.len() / 2;
        let axis = longer_axis(keys);
        if keys.size()[axis] > 0.0 {
            items.select_nth_unstable_by(half, |a, b| a.key()[axis].total_cmp(&b.key()[axis]));
        }
        let (first, second) = items.split_at(half);
        let join = |part: &[Item]| {
            part.iter()
                .fold(Aabb::EMPTY, |sum, item| sum.join(item.bounds))
        };
        (half, [join(first), join(second)])
    }

    /// Cuts between two bins along the longer side of the box of the keys, where both sides cost the least; nothing where
    /// all are in one bin.
    fn cut_between_bins(
        &self,
        items: &mut [Item],
        aside: &mut [Item],
        keys: Aabb,
    ) -> Option<(usize, [Aabb; 2])> {
        let axis = longer_axis(keys);
        let bins = if items.len() < CROWD { BINS / 2 } else { BINS };
        let range = (keys.min[axis], keys.max[axis]);
        if axis == 0 {
            self.cut_along(items, aside, range, bins, |item| {
                item.bounds.min.x + item.bounds.max.x
            })
        } else {
            self.cut_along(items, aside, range, bins, |item| {
                item.bounds.min.y + item.bounds.max.y
            })
        }
    }

    #[inline]
    fn cut_along(
        &self,
        items: &mut [Item],
        aside: &mut [Item],
        (low, high): (f32, f32),
        bin_count: usize,
        key: impl Fn(&Item) -> f32,
    ) -> Option<(usize, [Aabb; 2])> {
        let scale = bin_count as f32 / (high - low);
        // Where the scale overflows, the product does or is no number, and either is brought into range.
        let bin_of = |item: &Item| (((key(item) - low) * scale) as i32).min(bin_count as i32 - 1);
        let mut bins = [Bin {
            bounds: Aabb::EMPTY,
            count: 0,
        }; BINS];
        for item in items.iter() {
            let bin = &mut bins[bin_of(item).max(0) as usize];
            bin.bounds = bin.bounds.join(item.bounds);
            bin.count += 1;
        }
        let (last, bounds) = self.best_cut(&bins[..bin_count])?;
        // Each item is written to both sides, and only the one where it belongs advances: no branch to guess wrong.
        let (mut first, mut second) = (0, 0);
        for place in 0..items.len() {
            let item = items[place];
            let is_first = bin_of(&item) <= last as i32;
            items[first] = item;
            aside[second] = item;
            first += usize::from(is_first);
            second += usize::from(!is_first);
        }
        items[first..].copy_from_slice(&aside[..second]);
        Some((first, bounds))
    }

    /// The last bin of the first side where both sides cost the least, and the boxes of both; nothing where all are in one
    /// bin.
    fn best_cut(&self, bins: &[Bin]) -> Option<(usize, [Aabb; 2])> {
        // The cost of a side is that of its whole leaves: one that is not full is entered as often.
        let cost = |bounds: Aabb, count: u32| {
            bounds.half_perimeter() * count.div_ceil(self.leaf_size) as f32
        };
        let mut behind = [(f32::INFINITY, Aabb::EMPTY); BINS];
        let (mut bounds, mut count) = (Aabb::EMPTY, 0);
        for bin in (1..bins.len()).rev() {
            bounds = bounds.join(bins[bin].bounds);
            count += bins[bin].count;
            if count > 0 {
                behind[bin] = (cost(bounds, count), bounds);
            }
        }
        let (mut bounds, mut count) = (Aabb::EMPTY, 0);
        let (mut best, mut least) = (None, f32::INFINITY);
        for bin in 0..bins.len() - 1 {
            bounds = bounds.join(bins[bin].bounds);
            count += bins[bin].count;
            if count == 0 {
                continue;
            }
            let (behind, other) = behind[bin + 1];
            let sum = behind + cost(bounds, count);
            if sum < least {
                (best, least) = (Some((bin, [bounds, other])), sum);
            }
        }
        best
    }

    /// Takes a block for a new leaf and returns its first slot.
    pub(super) fn take_block(&mut self, owner: u32) -> u32 {
        let block = match self.free_blocks.pop() {
            Some(block) => {
                self.owners[block as usize] = owner;
                block
            }
            None => {
                self.owners.push(owner);
                let slots = self.owners.len() * self.leaf_size as usize;
                self.tree.slots.resize(slots);
                self.owners.len() as u32 - 1
            }
        };
        block * self.leaf_size
    }
}
