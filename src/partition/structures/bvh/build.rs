//! Building the whole tree from its leaves upwards, and computing all boxes again.

use super::Bvh;
use super::levels::{Levels, WIDTH, region};
use super::order::{BUILT_WIDTH, Divider, Record, Sorter};
use crate::partition::toolkit::boxes::Boxes;
use crate::partition::toolkit::leaves::{self, Leaves};
use crate::partition::toolkit::simd::{self, Kernel, Task};
use crate::partition::toolkit::threads::{front_mut, threads_for};
use crate::partition::{Bodies, Change};
use crate::probe::{Event, Probe, Work};
use rayon::prelude::*;

/// No slot.
pub(super) const NONE: u32 = u32::MAX;

impl Bvh {
    /// Forgets everything and indexes the units alive.
    pub(super) fn build<P: Probe>(&mut self, bodies: Bodies<'_>, probe: &mut P) {
        probe.on(Event::Work(Work::Rebuild));
        let leaf_size = self.leaf_size as usize;
        self.sorter.sort(bodies, leaf_size, self.threads);
        let count = self.sorter.records.len();
        let group_size = BUILT_WIDTH * leaf_size;
        let groups = count.div_ceil(group_size);
        self.levels.reset(groups);
        self.leaves
            .reset(groups * WIDTH, self.leaf_size, bodies.are_sized());
        self.places.clear();
        self.places.resize(bodies.slot_count(), NONE);
        self.count = count;
        self.built_groups = groups;
        let Sorter {
            records, dividers, ..
        } = &mut *self.sorter;
        // One a share, and small leaves are worth more threads than their units.
        let shares = shares_of(groups, self.leaves.part().room(), self.threads);
        if dividers.len() < shares {
            dividers.resize_with(shares, Divider::default);
        }
        let records = &*records;
        let mut dividers = dividers.iter_mut();
        let lend = || dividers.next();
        on_each(
            self.threads,
            (&mut self.leaves, &mut self.levels),
            lend,
            |share| {
                simd::dispatch(Filling {
                    share,
                    bodies,
                    records,
                    leaf_size,
                });
            },
        );
        for leaf in 0..self.leaves.fills.len() {
            let units = self.leaves.ids(leaf);
            for (slot, &unit) in (self.leaves.slot(leaf, 0)..).zip(units) {
                self.places[unit as usize] = slot;
            }
        }
        self.join_all();
        let cost = self.sum_up();
        self.look_first(cost);
        self.changes_since_build = 0;
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
        let nodes = (&mut self.leaves, &mut self.levels);
        let nobody = || None;
        on_each(self.threads, nodes, nobody, |share| share.write(bodies));
        self.join_all();
    }

    /// Computes the boxes of all nodes from those of the leaves.
    fn join_all(&mut self) {
        simd::dispatch(Joining(&mut self.levels));
    }

    /// Writes where those are who moved, which are many, and computes all boxes. What the tree costs then has to be summed up anew, for which
    /// they are enough.
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

/// Groups that follow each other, to be filled and written: what one thread has to itself.
struct Share<'t> {
    leaves: leaves::Part<'t>,
    /// The boxes of their leaves, those of a group together.
    boxes: &'t mut [Boxes],
    /// Where groups are divided; only a build does that.
    divider: Option<&'t mut Divider>,
}

/// In how many shares so many groups, with so much room a leaf, are filled or written, on as many threads as pay.
fn shares_of(groups: usize, room: usize, threads: usize) -> usize {
    threads_for(groups * BUILT_WIDTH * room, threads)
}

/// Does `what` with all groups, on as many threads as pay, each with as many of them as any other. `lend` has a divider for each, or none.
fn on_each<'t>(
    threads: usize,
    (leaves, levels): (&'t mut Leaves, &'t mut Levels),
    mut lend: impl FnMut() -> Option<&'t mut Divider>,
    what: impl Fn(&mut Share<'t>) + Sync,
) {
    let Some(boxes) = levels.leaf_boxes_mut() else {
        return;
    };
    let (mut leaves, mut boxes) = (leaves.part(), boxes);
    let groups = boxes.len();
    let threads = shares_of(groups, leaves.room(), threads);
    if threads == 1 {
        let divider = lend();
        return what(&mut Share {
            leaves,
            boxes,
            divider,
        });
    }
    let length = groups.div_ceil(threads);
    let mut shares = Vec::with_capacity(threads);
    while !boxes.is_empty() {
        shares.push(Share {
            leaves: leaves.split_off(length * WIDTH),
            boxes: front_mut(&mut boxes, length),
            divider: lend(),
        });
    }
    shares.par_iter_mut().for_each(&what);
}

/// Some groups about to be filled, with whatever kernel there is.
struct Filling<'s, 't, 'b> {
    share: &'s mut Share<'t>,
    bodies: Bodies<'b>,
    records: &'b [Record],
    leaf_size: usize,
}

impl Task for Filling<'_, '_, '_> {
    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) {
        if self.bodies.are_sized() {
            self.fill::<true, K>(kernel);
        } else {
            self.fill::<false, K>(kernel);
        }
    }
}

impl Filling<'_, '_, '_> {
    /// Divides each group into its leaves, writes where everybody is and computes the boxes of the leaves.
    #[inline(always)]
    fn fill<const SIZED: bool, K: Kernel>(self, kernel: K) {
        let Self {
            share:
                Share {
                    leaves,
                    boxes,
                    divider,
                },
            bodies,
            records,
            leaf_size,
        } = self;
        let divider = divider.as_deref_mut();
        let divider = divider.expect("a build lends one to each share");
        let group_size = BUILT_WIDTH * leaf_size;
        let first = leaves.first() / WIDTH;
        for (group, boxes) in boxes.iter_mut().enumerate() {
            let begin = (first + group) * group_size;
            let units = begin..records.len().min(begin + group_size);
            divider.take_in(kernel, bodies, &records[units], leaf_size);
            let mut child = 0;
            while let Some((keys, units)) = divider.next_leaf(kernel, leaf_size) {
                let leaf = group * WIDTH + child;
                leaves.fill_with(leaf, units.iter().copied());
                if SIZED {
                    leaves.write::<true>(bodies, leaf);
                } else {
                    leaves.write_points(leaf, keys);
                }
                boxes.set(child, leaves.bounds::<SIZED, K>(kernel, leaf));
                child += 1;
            }
        }
    }
}

impl Share<'_> {
    /// Writes where everybody is and computes the boxes of the leaves.
    fn write(&mut self, bodies: Bodies<'_>) {
        simd::dispatch(Writing {
            share: self,
            bodies,
        });
    }
}

/// Some leaves about to be written, with whatever kernel there is.
struct Writing<'s, 't, 'b> {
    share: &'s mut Share<'t>,
    bodies: Bodies<'b>,
}

impl Task for Writing<'_, '_, '_> {
    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) {
        let Self { share, bodies } = self;
        if bodies.are_sized() {
            share.write_with::<true, K>(kernel, bodies);
        } else {
            share.write_with::<false, K>(kernel, bodies);
        }
    }
}

impl Share<'_> {
    #[inline(always)]
    fn write_with<const SIZED: bool, K: Kernel>(&mut self, kernel: K, bodies: Bodies<'_>) {
        for leaf in 0..self.leaves.len() {
            self.leaves.write::<SIZED>(bodies, leaf);
            let bounds = self.leaves.bounds::<SIZED, K>(kernel, leaf);
            self.boxes[leaf / WIDTH].set(leaf % WIDTH, bounds);
        }
    }
}

/// All nodes about to be joined, with whatever kernel there is.
struct Joining<'t>(&'t mut Levels);

impl Task for Joining<'_> {
    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) {
        self.0.join_all(kernel);
    }
}
