//! Rectangles, discs, segments and nearest neighbours.

use super::pool::{NONE, four_of};
use super::{ROOT, RectQuadtree, STACK_LENGTH};
use crate::geometry::Vec2;
use crate::partition::toolkit::sieve::Sieve;
use crate::partition::toolkit::simd::{self, Kernel, PADDING, Task};
use crate::partition::toolkit::stack::{Stack, in_order};
use crate::partition::{Best, NearestQuery, Neighbor, Search, UnitId};
use crate::probe::{Event, Probe};

/// A stack of nodes.
type Nodes = Stack<u32, STACK_LENGTH>;

/// So many nodes, at most, are looked at in the order in which they were found.
const FIRST_COME: usize = 64;

/// So many nodes are found before their own bodies are tested.
const WAITING: usize = 64;

impl RectQuadtree {
    /// Visits the units that `search` holds. The root is always entered, for it holds what sticks out of it.
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

    /// Fills `out` with the nearest units: of four children the nearest is searched first, and each of the others only if
    /// it can still hold somebody near enough.
    pub(super) fn search_nearest<P: Probe>(
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

    /// Visits everybody in a node and below it.
    #[inline(always)]
    fn accept_below<K: Kernel, S: Search, V: FnMut(UnitId), P: Probe>(
        &self,
        node: u32,
        sieve: &mut Sieve<'_, K, S, V>,
        probe: &mut P,
    ) {
        let mut stack = Nodes::new(NONE);
        stack.push(node);
        while let Some(index) = stack.pop() {
            let node = &self.pool.nodes[index as usize];
            let mut block = node.blocks;
            while block != NONE {
                let (ids, next) = self.pool.ids(block);
                sieve.accept(ids, probe);
                block = next;
            }
            if node.children != NONE {
                for child in (node.children..node.children + 4).rev() {
                    stack.push(child);
                }
            }
        }
    }
}

/// A search about to begin, with whatever kernel there is.
struct Sifting<'t, 's, 'p, S: Search, P: Probe, V: FnMut(UnitId)> {
    tree: &'t RectQuadtree,
    search: &'s S,
    probe: &'p mut P,
    visit: V,
}

impl<S: Search, P: Probe, V: FnMut(UnitId)> Task for Sifting<'_, '_, '_, S, P, V> {
    const DETAILED: bool = P::DETAILED;

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) {
        if self.tree.pool.is_sized {
            self.sift::<K, true>(kernel);
        } else {
            self.sift::<K, false>(kernel);
        }
    }
}

impl<S: Search, P: Probe, V: FnMut(UnitId)> Sifting<'_, '_, '_, S, P, V> {
    #[inline(always)]
    fn sift<K: Kernel, const SIZED: bool>(self, kernel: K) {
        let Self {
            tree,
            search,
            probe,
            visit,
        } = self;
        let pool = &tree.pool;
        let mut sieve = Sieve::new(kernel, search, visit);
        // Whoever came first is looked at first, so that several looks are under way at once: in a stack each would wait for the
        // one before. Where there are too many for that, the last goes first, and no more than on one way down come on top.
        let mut nodes = [ROOT; FIRST_COME + STACK_LENGTH + PADDING];
        let (mut first, mut end) = (0, 1);
        // Nodes whose own bodies are tested when other nodes have been looked at: so no look at a node waits for that at a body.
        let mut waiting = [NONE; WAITING];
        let mut found = 0;
        while first < end {
            let index = if end < FIRST_COME {
                first += 1;
                pool.fetch_below(kernel, nodes[first]);
                nodes[first - 1]
            } else {
                end -= 1;
                nodes[end]
            };
            let node = &pool.nodes[index as usize];
            if index != ROOT {
                if node.is_empty() {
                    continue;
                }
                if search.swallows(node.bounds) {
                    probe.on(Event::Accept(index));
                    tree.accept_below(index, &mut sieve, probe);
                    continue;
                }
            }
            waiting[found] = index;
            pool.fetch::<SIZED>(kernel, node.blocks);
            found += usize::from((node.blocks != NONE) | node.is_leaf());
            if found == WAITING {
                test::<SIZED, _, _, _, _>(tree, &waiting[..found], &mut sieve, probe);
                found = 0;
            }
            if node.is_leaf() {
                continue;
            }
            probe.on(Event::Visit(index));
            let four = &pool.fours[four_of(node.children)];
            kernel.fetch(&pool.nodes[node.children as usize..][..4]);
            let free = &mut nodes[end..];
            let count = search.sift::<K, true>(kernel, free, four.for_kernel(), 0..4);
            if P::HEARS {
                for child in node.children..node.children + 4 {
                    let is_empty = pool.nodes[child as usize].is_empty();
                    if !is_empty && !free[..count].contains(&child) {
                        probe.on(Event::Prune(child));
                    }
                }
            }
            end += count;
        }
        test::<SIZED, _, _, _, _>(tree, &waiting[..found], &mut sieve, probe);
        sieve.finish();
    }
}

/// Tests the bodies that these nodes hold themselves.
#[inline(always)]
fn test<const SIZED: bool, K: Kernel, S: Search, V: FnMut(UnitId), P: Probe>(
    tree: &RectQuadtree,
    nodes: &[u32],
    sieve: &mut Sieve<'_, K, S, V>,
    probe: &mut P,
) {
    for &index in nodes {
        let node = &tree.pool.nodes[index as usize];
        if node.is_leaf() {
            probe.on(Event::Visit(index));
        }
        let mut block = node.blocks;
        while block != NONE {
            let (bodies, length, next) = tree.pool.columns::<SIZED>(block);
            sieve.test::<SIZED, P>(bodies, 0..length, probe);
            block = next;
        }
    }
}

/// A search for the nearest about to begin, with whatever kernel there is.
struct Approach<'t, 'p, 'b, F: FnMut(UnitId) -> bool, P: Probe> {
    tree: &'t RectQuadtree,
    point: Vec2,
    filter: F,
    probe: &'p mut P,
    best: Best<'b>,
}

impl<F: FnMut(UnitId) -> bool, P: Probe> Task for Approach<'_, '_, '_, F, P> {
    const DETAILED: bool = P::DETAILED;

    #[inline(always)]
    fn run<K: Kernel>(mut self, kernel: K) {
        if self.tree.pool.is_sized {
            self.approach::<K, true>(kernel);
        } else {
            self.approach::<K, false>(kernel);
        }
        self.best.finish(self.probe);
    }
}

impl<F: FnMut(UnitId) -> bool, P: Probe> Approach<'_, '_, '_, F, P> {
    #[inline(always)]
    fn approach<K: Kernel, const SIZED: bool>(&mut self, kernel: K) {
        let pool = &self.tree.pool;
        let point = self.point;
        let mut stack = Stack::<(u32, f32), STACK_LENGTH>::new((NONE, 0.0));
        stack.push((ROOT, 0.0));
        while let Some((index, distance_sq)) = stack.pop() {
            if distance_sq > self.best.bound_sq() {
                self.probe.on(Event::Prune(index));
                continue;
            }
            self.probe.on(Event::Visit(index));
            let node = &pool.nodes[index as usize];
            let mut block = node.blocks;
            while block != NONE {
                let (bodies, length, next) = pool.columns::<SIZED>(block);
                self.best.offer_run::<SIZED, K, P>(
                    kernel,
                    bodies,
                    0..length,
                    point,
                    &mut self.filter,
                    self.probe,
                );
                block = next;
            }
            self.best.settle(kernel);
            if node.children == NONE {
                continue;
            }
            // Where loose boxes overlap, several are no distance away: the quarter of the point itself goes first, which is
            // last onto the stack. Quarters are numbered from it on to be told apart.
            let home = node.quarter(point);
            let mut quarters = [(0, 0.0); 4];
            for (turn, quarter) in (0..).zip(&mut quarters) {
                let bounds = pool.nodes[(node.children + (home ^ turn)) as usize].bounds;
                *quarter = (turn, bounds.distance_sq(point));
            }
            for (turn, distance_sq) in in_order(quarters).into_iter().rev() {
                let child = node.children + (home ^ turn);
                let is_empty = pool.nodes[child as usize].is_empty();
                stack.push_if((child, distance_sq), !is_empty);
            }
        }
    }
}
