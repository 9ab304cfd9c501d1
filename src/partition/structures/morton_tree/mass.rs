//! Moving many units at once, bucket by bucket, which is in the order of their keys.

use super::edit::{NodesTouched, Spot};
use super::{Link, MAX_BUCKET, MortonTree, NO_NODE};
use crate::partition::toolkit::simd::{self, Kernel, Task};
use crate::partition::{Bodies, Change, Course, Partition, UnitId};
use crate::probe::{Event, Probe, Work};

/// Where at least one unit in so many moves, all buckets are gone through: looking at one costs less than finding the way to
/// a few of its units one by one.
const MASS: usize = 8;

/// Where more than one unit in so many leaves its bucket, a build costs less than the ways of all of them.
const LEAVERS: usize = 3;

/// A unit that has left its bucket and is yet to be filed elsewhere.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leaver {
    unit: UnitId,
    bucket: u32,
}

impl MortonTree {
    /// Says how changes are made, or makes them.
    pub(super) fn look_at<P: Probe>(
        &mut self,
        bodies: Bodies<'_>,
        changes: &[Change],
        probe: &mut P,
    ) -> Course {
        if changes.is_empty() {
            return Course::Done;
        }
        if self.rebuilds {
            return Course::Rebuild;
        }
        if self.unit_count == 0 {
            self.nodes.clear();
            self.shelves.clear();
            self.free = NO_NODE;
            self.buckets.reset(self.bucket, bodies.are_sized());
        } else if self.buckets.are_sized != bodies.are_sized() {
            return Course::Rebuild;
        }
        if changes.len() * MASS < self.unit_count || changes.len() < MAX_BUCKET {
            return Course::OneByOne;
        }
        self.moved.clear();
        self.moved.resize(self.places.len().div_ceil(64), 0);
        let mut count = 0;
        for change in changes {
            match *change {
                Change::Add(_) | Change::Remove(_) => {
                    if self.make(bodies, *change, probe).is_err() {
                        return Course::Rebuild;
                    }
                }
                Change::Move(unit) => {
                    let row = unit as usize;
                    // Whoever came in by now is where it belongs.
                    if let Some(word) = self.moved.get_mut(row / 64) {
                        *word |= 1 << (row % 64);
                        count += 1;
                    }
                }
            }
        }
        if count == 0 {
            return Course::Done;
        }
        self.move_many(bodies, probe)
    }

    /// Moves everybody who is marked as moved.
    fn move_many<P: Probe>(&mut self, bodies: Bodies<'_>, probe: &mut P) -> Course {
        self.leavers.clear();
        let mut stays = true;
        simd::dispatch(Round {
            tree: self,
            bodies,
            probe,
            stays: &mut stays,
        });
        if !stays {
            return Course::Rebuild;
        }
        let leavers = std::mem::take(&mut *self.leavers);
        for leaver in &leavers {
            self.place_leaver(*leaver, bodies, probe);
        }
        // Only now that nobody looks for the way up from a bucket any more may buckets go.
        for (place, leaver) in leavers.iter().enumerate() {
            let is_new = place == 0 || leavers[place - 1].bucket != leaver.bucket;
            if is_new && !self.buckets.is_free(leaver.bucket) {
                let (node, slot) = self.hanger(leaver.bucket);
                let bounds = self.child_box(node, slot);
                // What an empty bucket leaves behind, and what two pour together, has the box that their node had.
                self.tidy(leaver.bucket, Spot { node, slot, bounds }, probe);
            }
        }
        *self.leavers = leavers;
        Course::Done
    }

    /// Files a unit that has left its bucket: up to the first ancestor that covers its key, and down from there.
    fn place_leaver<P: Probe>(&mut self, leaver: Leaver, bodies: Bodies<'_>, probe: &mut P) {
        let entry = self.entry(bodies, leaver.unit);
        let mut probe = (probe, NodesTouched::default());
        let own = self.buckets.parent(leaver.bucket);
        let mut meeting = own;
        while let Some(ancestor) = self.nodes.get(meeting as usize)
            && !ancestor.covers(entry.key)
        {
            if meeting != own {
                probe.on(Event::Climb(Link::inner(meeting).region()));
            }
            meeting = ancestor.parent;
        }
        let start = self.child_for(meeting, entry.key);
        let (under, link) = self.descend(meeting, start, entry.key, &mut probe);
        probe.on(Event::Work(Work::MoveRelink));
        let spot = self.file(under, link, entry, &mut probe);
        if spot.bounds != self.child_box(spot.node, spot.slot) {
            self.refit(spot, NO_NODE, &mut probe);
        }
        self.count_move(probe.1.count);
    }
}

/// A round through all buckets about to begin, with whatever kernel there is.
struct Round<'t, 'b, 'p, P: Probe> {
    tree: &'t mut MortonTree,
    bodies: Bodies<'b>,
    probe: &'p mut P,
    /// Whether few enough leave their buckets.
    stays: &'p mut bool,
}

impl<P: Probe> Task for Round<'_, '_, '_, P> {
    const DETAILED: bool = P::DETAILED;

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) {
        let Self {
            tree,
            bodies,
            probe,
            stays,
        } = self;
        for bucket in 0..tree.buckets.len() as u32 {
            if tree.buckets.is_free(bucket) {
                continue;
            }
            let (node, slot) = tree.hanger(bucket);
            let (mut at, mut moves) = (0, 0);
            while at < tree.buckets.fill(bucket) {
                let unit = tree.buckets.ids(bucket)[at];
                let row = unit as usize;
                if tree
                    .moved
                    .get(row / 64)
                    .is_none_or(|word| word >> (row % 64) & 1 == 0)
                {
                    at += 1;
                    continue;
                }
                let entry = tree.entry(bodies, unit);
                if tree.is_on_side(node, slot, entry.key) {
                    if P::HEARS {
                        let old = tree.buckets.body(bucket, at);
                        probe.on(Event::Work(if tree.key_of(old, unit) == entry.key {
                            Work::MoveInPlace
                        } else {
                            Work::MoveKeyOnly
                        }));
                    }
                    tree.buckets.set_body(bucket, at, entry.body);
                    moves += 1;
                    at += 1;
                } else {
                    tree.close_gap(bucket, at);
                    tree.leavers.push(Leaver { unit, bucket });
                }
            }
            let before = tree.child_box(node, slot);
            let bounds = tree.buckets.bounds(kernel, bucket);
            let mut touched = NodesTouched::default();
            if bounds != before {
                let mut both = (&mut *probe, &mut touched);
                tree.refit(Spot { node, slot, bounds }, NO_NODE, &mut both);
            }
            // All of them have the way up in common: one is said to have gone it.
            if moves > 0 {
                tree.count_move(touched.count);
                tree.moves_by_nodes[0] += moves - 1;
            }
            if tree.leavers.len() > tree.unit_count / LEAVERS + MAX_BUCKET {
                *stays = false;
                return;
            }
        }
    }
}
