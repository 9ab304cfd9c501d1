//! Everybody within reach of each other.

use super::Bvh;
use super::levels::{WIDTH, region};
use super::query::Waiting;
use crate::geometry::Aabb;
use crate::partition::toolkit::boxes::Near;
use crate::partition::toolkit::crowd::Crowd;
use crate::partition::toolkit::shares::hands;
use crate::partition::toolkit::simd::{self, Kernel, Task};
use crate::partition::{Pair, PairBatch, Part};
use crate::probe::{Event, Probe};

/// So many groups near one of them are found before the leaves in them are looked at.
const GROUP_ROOM: usize = 128;

/// One pair search under way.
struct Search<'t, 'p, P: Probe, F: FnMut(&[Pair])> {
    tree: &'t Bvh,
    reach_sq: f32,
    probe: &'p mut P,
    batch: PairBatch<F>,
}

impl Bvh {
    /// Two units meet where the leaf that comes first looks at the other: each leaf looks at itself and at what comes after
    /// it. Shares are groups of leaves.
    pub(super) fn emit_pairs<P: Probe>(
        &self,
        reach: f32,
        part: Part,
        probe: &mut P,
        batch: impl FnMut(&[Pair]),
    ) {
        let search = Search {
            tree: self,
            reach_sq: reach * reach,
            probe,
            batch: PairBatch::new(batch),
        };
        simd::dispatch(Emission { search, part });
    }
}

/// A pair search about to begin, with whatever kernel there is.
struct Emission<'t, 'p, P: Probe, F: FnMut(&[Pair])> {
    search: Search<'t, 'p, P, F>,
    part: Part,
}

impl<P: Probe, F: FnMut(&[Pair])> Task for Emission<'_, '_, P, F> {
    const DETAILED: bool = P::DETAILED;

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) {
        let Self { mut search, part } = self;
        if search.tree.leaves.are_sized {
            search.all::<K, true>(kernel, part);
        } else {
            search.all::<K, false>(kernel, part);
        }
        search.batch.flush();
    }
}

impl<P: Probe, F: FnMut(&[Pair])> Search<'_, '_, P, F> {
    #[inline(always)]
    fn all<K: Kernel, const SIZED: bool>(&mut self, kernel: K, part: Part) {
        let mut crowd = Crowd::NOBODY;
        let mut groups = [0; GROUP_ROOM + WIDTH];
        for hand in hands(part, 0..self.tree.levels.group_count(), 1) {
            for group in hand {
                let own = self.tree.levels.level(1).get(group);
                if own.is_empty() {
                    continue;
                }
                self.probe.on(Event::Visit(region(1, group)));
                // The group itself is the first that is near it.
                groups[0] = group as u32;
                let mut count = 1;
                let mut waiting = Waiting::NOBODY;
                let top = self.tree.levels.top();
                waiting.push(top, 0);
                let mut next = (top > 1).then_some(top);
                while let Some(level) = next {
                    if level == 1 {
                        while count < GROUP_ROOM
                            && let Some(other) = waiting.pop(1)
                        {
                            groups[count] = other as u32;
                            count += usize::from(other > group);
                        }
                    } else {
                        self.open(kernel, group, own, level, &mut waiting);
                    }
                    if count >= GROUP_ROOM {
                        self.meet::<K, SIZED>(kernel, group, &groups[..count], &mut crowd);
                        count = 0;
                    }
                    next = waiting.lowest(level.saturating_sub(1).max(1), top);
                }
                self.meet::<K, SIZED>(kernel, group, &groups[..count], &mut crowd);
            }
        }
    }

    /// Looks for nodes that are near a group and do not come before it, among the children of those that wait on a level.
    #[inline(always)]
    fn open<K: Kernel>(
        &mut self,
        kernel: K,
        group: usize,
        own: Aabb,
        level: usize,
        waiting: &mut Waiting,
    ) {
        let levels = &self.tree.levels;
        let below = level - 1;
        // The node above the group.
        let first = group / WIDTH.pow(below as u32);
        let mut near = Near::NOBODY;
        while waiting.has_room(below)
            && let Some(node) = waiting.pop(level)
        {
            if node < first {
                continue;
            }
            self.probe.looks(region(1, group));
            self.probe.on(Event::Visit(region(level, node)));
            let boxes = levels.level(below).children(node).for_kernel();
            let count = near.find(kernel, boxes, own, self.reach_sq);
            for place in 0..count {
                waiting.push(below, (node * WIDTH + near.child(place)) as u32);
            }
            if P::HEARS {
                let found = (0..count).map(|place| near.child(place));
                let looker = Some(region(1, group));
                self.tree
                    .tell_prunes(below, node, found, looker, self.probe);
            }
        }
    }

    /// Tests the units of a group with those of others that are near it and do not come before it. Where the group itself is
    /// one of them, it is the first.
    #[inline(always)]
    fn meet<K: Kernel, const SIZED: bool>(
        &mut self,
        kernel: K,
        group: usize,
        others: &[u32],
        crowd: &mut Crowd,
    ) {
        let (levels, leaves) = (&self.tree.levels, &self.tree.leaves);
        let reach_sq = self.reach_sq;
        let mut near = Near::NOBODY;
        for leaf in group * WIDTH..(group + 1) * WIDTH {
            let fill = leaves.fill(leaf);
            if fill == 0 {
                continue;
            }
            let own = levels.level(0).get(leaf);
            crowd.keep(0);
            crowd.gather::<SIZED, K>(kernel, own, 0.0, leaves, leaf);
            let mut is_new = others.first() == Some(&(group as u32));
            if is_new {
                self.probe.on(Event::Visit(region(0, leaf)));
            }
            for &other in others {
                let other = other as usize;
                if levels.level(1).get(other).gap_sq(own) > reach_sq {
                    continue;
                }
                let boxes = levels.level(0).children(other).for_kernel();
                let count = near.find(kernel, boxes, own, reach_sq);
                for place in 0..count {
                    let other = other * WIDTH + near.child(place);
                    if other <= leaf {
                        continue;
                    }
                    if !crowd.has_room(leaves.fill(other)) {
                        crowd.test::<SIZED, _, _, _>(
                            kernel,
                            fill,
                            is_new,
                            reach_sq,
                            &mut self.batch,
                            self.probe,
                        );
                        is_new = false;
                        crowd.keep(fill);
                    }
                    self.probe.looks(region(0, leaf));
                    self.probe.on(Event::Visit(region(0, other)));
                    crowd.gather::<SIZED, K>(kernel, own, reach_sq, leaves, other);
                }
            }
            crowd.test::<SIZED, _, _, _>(
                kernel,
                fill,
                is_new,
                reach_sq,
                &mut self.batch,
                self.probe,
            );
        }
    }
}
