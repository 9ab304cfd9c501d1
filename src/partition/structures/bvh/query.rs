//! Who is in a rectangle, in a disc, on a line, nearest to a point.

use super::Bvh;
use super::levels::{LEVEL_LIMIT, WIDTH, region};
use crate::geometry::Vec2;
use crate::partition::toolkit::sieve::Sieve;
use crate::partition::toolkit::simd::{self, Kernel, PADDING, Task};
use crate::partition::{Best, NearestQuery, Neighbor, RegionId, Search, UnitId};
use crate::probe::{Event, Probe};

/// So many nodes of a level wait at most.
const ROOM: usize = 4 * WIDTH;

/// The nodes and leaves that are to be entered, level by level. All that are near on one level are found before the first of
/// them is entered, as far as there is room: so no look at a node waits for that at another.
pub(super) struct Waiting {
    nodes: [[u32; ROOM + PADDING]; LEVEL_LIMIT],
    counts: [usize; LEVEL_LIMIT],
}

impl Waiting {
    pub const NOBODY: Self = Self {
        nodes: [[0; ROOM + PADDING]; LEVEL_LIMIT],
        counts: [0; LEVEL_LIMIT],
    };

    /// Puts a node in its row.
    #[inline(always)]
    pub fn push(&mut self, level: usize, node: u32) {
        self.nodes[level][self.counts[level]] = node;
        self.counts[level] += 1;
    }

    /// Takes the last node of a level.
    #[inline(always)]
    pub fn pop(&mut self, level: usize) -> Option<usize> {
        self.counts[level] = self.counts[level].checked_sub(1)?;
        Some(self.nodes[level][self.counts[level]] as usize)
    }

    /// Whether all children of one more node have room.
    #[inline(always)]
    pub fn has_room(&self, level: usize) -> bool {
        self.counts[level] + WIDTH <= ROOM
    }

    /// Room for the children of a node, which begin with child `first` of the level: numbers are counted from there.
    #[inline(always)]
    pub fn room(&mut self, level: usize) -> &mut [u32] {
        &mut self.nodes[level][self.counts[level]..]
    }

    /// Takes the first `count` children in the [`Waiting::room`], which are numbered from `first` on.
    #[inline(always)]
    pub fn take(&mut self, level: usize, count: usize, first: usize) {
        // All sixteen, for that takes no branch.
        for node in &mut self.nodes[level][self.counts[level]..][..WIDTH] {
            *node = node.wrapping_add(first as u32);
        }
        self.counts[level] += count;
    }

    /// The lowest level on which some wait, from this one up.
    #[inline(always)]
    pub fn lowest(&self, from: usize, top: usize) -> Option<usize> {
        let mut level = from;
        while level <= top {
            if self.counts[level] > 0 {
                return Some(level);
            }
            level += 1;
        }
        None
    }
}

impl Bvh {
    /// Visits the units that `search` holds.
    pub(super) fn sift<P: Probe>(
        &self,
        search: &impl Search,
        probe: &mut P,
        visit: impl FnMut(UnitId),
    ) {
        simd::dispatch(Sifting {
            tree: self,
            search,
            probe,
            visit,
        });
    }

    /// Fills `out` with the nearest units.
    pub(super) fn find_nearest<P: Probe>(
        &self,
        query: NearestQuery,
        filter: impl FnMut(UnitId) -> bool,
        probe: &mut P,
        out: &mut Vec<Neighbor>,
    ) {
        simd::dispatch(Approach {
            tree: self,
            point: query.point,
            filter,
            probe,
            best: Best::new(out, query.count, query.within),
        });
    }

    /// Tells of the children of a node that are left out, on behalf of the `looker` if there is one: all but those who are `found`.
    #[inline]
    pub(super) fn tell_prunes<P: Probe>(
        &self,
        level: usize,
        parent: usize,
        found: impl Iterator<Item = usize>,
        looker: Option<RegionId>,
        probe: &mut P,
    ) {
        let mut left_out = (1_u32 << WIDTH) - 1;
        for child in found {
            left_out &= !(1 << child);
        }
        for child in 0..WIDTH {
            let is_empty = self
                .levels
                .level(level)
                .children(parent)
                .get(child)
                .is_empty();
            if left_out >> child & 1 == 1 && !is_empty {
                if let Some(looker) = looker {
                    probe.looks(looker);
                }
                probe.on(Event::Prune(region(level, parent * WIDTH + child)));
            }
        }
    }
}

/// A search about to begin, with whatever kernel there is.
struct Sifting<'t, 's, 'p, S: Search, P: Probe, V: FnMut(UnitId)> {
    tree: &'t Bvh,
    search: &'s S,
    probe: &'p mut P,
    visit: V,
}

impl<S: Search, P: Probe, V: FnMut(UnitId)> Task for Sifting<'_, '_, '_, S, P, V> {
    const DETAILED: bool = P::DETAILED;

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) {
        let Self {
            tree,
            search,
            probe,
            visit,
        } = self;
        if tree.levels.is_empty() {
            return;
        }
        let top = tree.levels.top();
        if !search.holds(tree.levels.root()) {
            probe.on(Event::Prune(region(top, 0)));
            return;
        }
        let mut sieve = Sieve::new(kernel, search, visit);
        if tree.leaves.are_sized {
            descend::<true, _, _, _, _>(tree, kernel, search, &mut sieve, probe);
        } else {
            descend::<false, _, _, _, _>(tree, kernel, search, &mut sieve, probe);
        }
        sieve.finish();
    }
}

/// Goes from the root down, level by level.
#[inline(always)]
fn descend<const SIZED: bool, K: Kernel, S: Search, V: FnMut(UnitId), P: Probe>(
    tree: &Bvh,
    kernel: K,
    search: &S,
    sieve: &mut Sieve<'_, K, S, V>,
    probe: &mut P,
) {
    let (levels, leaves) = (&tree.levels, &tree.leaves);
    let top = levels.top();
    let mut waiting = Waiting::NOBODY;
    waiting.push(top, 0);
    let mut next = Some(top);
    let is_far = leaves.are_far();
    while let Some(level) = next {
        if level == 0 {
            while let Some(leaf) = waiting.pop(0) {
                let fill = leaves.fill(leaf);
                // Whoever is nobody's leaf has a box that is nowhere, which a line may cross.
                if fill > 0 {
                    probe.on(Event::Visit(region(0, leaf)));
                    sieve.test::<SIZED, P>(leaves.columns::<SIZED>(leaf), 0..fill, probe);
                }
            }
        } else {
            let below = level - 1;
            while waiting.has_room(below)
                && let Some(node) = waiting.pop(level)
            {
                let bounds = levels.level(level).get(node);
                if bounds.is_empty() {
                    continue;
                }
                if search.swallows(bounds) {
                    probe.on(Event::Accept(region(level, node)));
                    let width = WIDTH.pow(level as u32);
                    for leaf in node * width..leaves.fills.len().min((node + 1) * width) {
                        sieve.accept(leaves.ids(leaf), probe);
                    }
                    continue;
                }
                probe.on(Event::Visit(region(level, node)));
                let boxes = levels.level(below).children(node).for_kernel();
                let room = waiting.room(below);
                let count = search.sift::<K, true>(kernel, room, boxes, 0..WIDTH);
                if P::HEARS {
                    let found = room[..count].iter().map(|child| *child as usize);
                    tree.tell_prunes(below, node, found, None, probe);
                }
                if is_far && below == 0 {
                    let found = room[..count].iter();
                    leaves.fetch(kernel, found.map(|child| node * WIDTH + *child as usize));
                }
                waiting.take(below, count, node * WIDTH);
            }
        }
        next = waiting.lowest(level.saturating_sub(1), top);
    }
}

/// A search for the nearest about to begin, with whatever kernel there is.
struct Approach<'t, 'p, 'b, F: FnMut(UnitId) -> bool, P: Probe> {
    tree: &'t Bvh,
    point: Vec2,
    filter: F,
    probe: &'p mut P,
    best: Best<'b>,
}

impl<F: FnMut(UnitId) -> bool, P: Probe> Task for Approach<'_, '_, '_, F, P> {
    const DETAILED: bool = P::DETAILED;

    #[inline(always)]
    fn run<K: Kernel>(mut self, kernel: K) {
        if !self.tree.levels.is_empty() {
            if self.tree.leaves.are_sized {
                self.approach::<K, true>(kernel);
            } else {
                self.approach::<K, false>(kernel);
            }
        }
        self.best.finish(self.probe);
    }
}

/// The children of a node that are near enough, as far as was known when it was entered.
#[derive(Clone, Copy)]
struct Candidates {
    /// Squared distances above numbers among the children, in any order.
    keys: [u64; WIDTH],
    count: usize,
    parent: usize,
}

/// How far away, squared.
#[inline(always)]
fn distance_of(key: u64) -> f32 {
    f32::from_bits((key >> u32::BITS) as u32)
}

impl Candidates {
    const NOBODY: Self = Self {
        keys: [0; WIDTH],
        count: 0,
        parent: 0,
    };

    /// Takes the nearest.
    #[inline(always)]
    fn take_nearest(&mut self) -> Option<u64> {
        if self.count == 0 {
            return None;
        }
        let (mut nearest, mut at) = (self.keys[0], 0);
        for place in 1..self.count {
            let is_nearer = self.keys[place] < nearest;
            nearest = if is_nearer { self.keys[place] } else { nearest };
            at = if is_nearer { place } else { at };
        }
        self.count -= 1;
        self.keys[at] = self.keys[self.count];
        Some(nearest)
    }
}

impl<F: FnMut(UnitId) -> bool, P: Probe> Approach<'_, '_, '_, F, P> {
    /// Goes down to the nearest child again and again, and up where no child can be near enough any more.
    #[inline(always)]
    fn approach<K: Kernel, const SIZED: bool>(&mut self, kernel: K) {
        let tree = self.tree;
        let top = tree.levels.top();
        let root_sq = tree.levels.root().distance_sq(self.point);
        if root_sq > self.best.bound_sq() {
            self.probe.on(Event::Prune(region(top, 0)));
            return;
        }
        let mut candidates = [Candidates::NOBODY; LEVEL_LIMIT];
        let mut level = top - 1;
        self.enter(kernel, level, 0, &mut candidates[level]);
        loop {
            let here = &mut candidates[level];
            let parent = here.parent;
            let nearest = here.take_nearest();
            let Some(key) = nearest.filter(|key| distance_of(*key) <= self.best.bound_sq()) else {
                if P::HEARS
                    && let Some(nearest) = nearest
                {
                    let others = &candidates[level];
                    let boxes = tree.levels.level(level).children(parent);
                    for key in others.keys[..others.count].iter().chain([&nearest]) {
                        let child = *key as u32 as usize;
                        // While nobody is found, places where no node is are candidates too.
                        if !boxes.get(child).is_empty() {
                            let child = parent * WIDTH + child;
                            self.probe.on(Event::Prune(region(level, child)));
                        }
                    }
                }
                level += 1;
                if level == top {
                    return;
                }
                continue;
            };
            let child = parent * WIDTH + key as u32 as usize;
            if level > 0 {
                // While nobody is found, who is nowhere is not too far either.
                if !tree.levels.level(level).get(child).is_empty() {
                    level -= 1;
                    self.enter(kernel, level, child, &mut candidates[level]);
                }
                continue;
            }
            let run = 0..tree.leaves.fill(child);
            if !run.is_empty() {
                self.probe.on(Event::Visit(region(0, child)));
                self.best.offer_run::<SIZED, K, P>(
                    kernel,
                    tree.leaves.columns::<SIZED>(child),
                    run,
                    self.point,
                    &mut self.filter,
                    self.probe,
                );
                self.best.settle(kernel);
            }
        }
    }

    /// Makes those the candidates who are near enough of the children of a node, on this level.
    #[inline(always)]
    fn enter<K: Kernel>(
        &mut self,
        kernel: K,
        level: usize,
        parent: usize,
        candidates: &mut Candidates,
    ) {
        self.probe.on(Event::Visit(region(level + 1, parent)));
        let boxes = self.tree.levels.level(level).children(parent).for_kernel();
        let mut children = [0; WIDTH + PADDING];
        let mut distances_sq = [0.0; WIDTH + PADDING];
        let count = kernel.within::<true, true>(
            &mut children,
            &mut distances_sq,
            self.point,
            self.best.bound_sq(),
            boxes,
            0..WIDTH,
        );
        if P::HEARS {
            let found = children[..count].iter().map(|child| *child as usize);
            self.tree
                .tell_prunes(level, parent, found, None, self.probe);
        }
        if level == 0 && self.tree.leaves.are_far() {
            let found = children[..count].iter();
            let found = found.map(|child| parent * WIDTH + *child as usize);
            self.tree.leaves.fetch(kernel, found);
        }
        let found = children.iter().zip(&distances_sq);
        for (key, (child, distance_sq)) in candidates.keys.iter_mut().zip(found) {
            *key = u64::from(distance_sq.to_bits()) << u32::BITS | u64::from(*child);
        }
        (candidates.count, candidates.parent) = (count, parent);
    }
}
