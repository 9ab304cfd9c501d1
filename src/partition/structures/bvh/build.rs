//! Building the whole tree from its leaves upwards, and computing all boxes again.

use super::Bvh;
use super::levels::{WIDTH, region};
use super::order::BUILT_WIDTH;
use crate::partition::toolkit::simd::{self, Kernel, Task};
use crate::partition::{Bodies, Change};
use crate::probe::{Event, Probe, Work};

/// No slot.
pub(super) const NONE: u32 = u32::MAX;

impl Bvh {
    /// Forgets everything and indexes the units alive.
    pub(super) fn build<P: Probe>(&mut self, bodies: Bodies<'_>, probe: &mut P) {
        probe.on(Event::Work(Work::Rebuild));
        let leaf_size = self.leaf_size as usize;
        self.sorter.sort(bodies, leaf_size);
        let count = self.sorter.records.len();
        let group_size = BUILT_WIDTH * leaf_size;
        let groups = count.div_ceil(group_size);
        self.levels.reset(groups);
        self.leaves
            .reset(groups * WIDTH, self.leaf_size, bodies.are_sized());
        self.places.clear();
        self.places.resize(bodies.slot_count(), NONE);
        for group in 0..groups {
            let units = group * group_size..count.min((group + 1) * group_size);
            let mut units = self.sorter.halve(bodies, units, leaf_size);
            for leaf in group * WIDTH.. {
                if units.len() == 0 {
                    break;
                }
                self.leaves.fill_with(leaf, units.by_ref().take(leaf_size));
                let filled = self.leaves.ids(leaf);
                for (slot, &unit) in (self.leaves.slot(leaf, 0)..).zip(filled) {
                    self.places[unit as usize] = slot;
                }
            }
        }
        self.count = count;
        self.built_groups = groups;
        self.write_all(bodies);
        self.fresh_cost = self.relative_cost();
        self.changes = 0;
        self.tell_boxes(probe);
    }

    /// Tells every box of a tree that has just been built: those of the leaves along the curve, and then those of the nodes, level
    /// by level from below.
    fn tell_boxes<P: Probe>(&self, probe: &mut P) {
        if !P::HEARS || self.levels.is_empty() {
            return;
        }
        for level in 0..=self.levels.top() {
            for index in 0..self.levels.level(level).count {
                if !self.levels.level(level).get(index).is_empty() {
                    probe.on(Event::Refit(region(level, index)));
                }
            }
        }
    }

    /// Writes where everybody is and computes all boxes.
    pub(super) fn write_all(&mut self, bodies: Bodies<'_>) {
        if self.count > 0 {
            simd::dispatch(Writing { tree: self, bodies });
        }
    }

    /// Writes where those are who moved, which are many, and computes all boxes.
    pub(super) fn refit_all<P: Probe>(
        &mut self,
        bodies: Bodies<'_>,
        changes: &[Change],
        probe: &mut P,
    ) {
        self.write_all(bodies);
        if P::HEARS {
            for change in changes {
                if let Change::Move(unit) = *change
                    && self.places[unit as usize] != NONE
                {
                    probe.on(Event::Work(Work::MoveInPlace));
                }
            }
            for level in 1..=self.levels.top() {
                for index in 0..self.levels.level(level).count {
                    if !self.levels.level(level).get(index).is_empty() {
                        probe.on(Event::Refit(region(level, index)));
                    }
                }
            }
        }
    }
}

/// A refit of everything about to begin, with whatever kernel there is.
struct Writing<'t, 'b> {
    tree: &'t mut Bvh,
    bodies: Bodies<'b>,
}

impl Task for Writing<'_, '_> {
    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) {
        let Self { tree, bodies } = self;
        let (leaves, levels) = (&mut tree.leaves, &mut tree.levels);
        if leaves.are_sized {
            for leaf in 0..leaves.fills.len() {
                leaves.write::<true>(bodies, leaf);
                levels.level_mut(0).set(leaf, leaves.bounds(kernel, leaf));
            }
        } else {
            for leaf in 0..leaves.fills.len() {
                leaves.write::<false>(bodies, leaf);
                levels.level_mut(0).set(leaf, leaves.bounds(kernel, leaf));
            }
        }
        levels.join_all(kernel);
    }
}
