//! Who is in a rectangle, in a disc, on a line, nearest to a point.

use super::pool::{Boxes, Kind, NONE};
use super::{LEVEL_LIMIT, Quadtree, ROOT};
use crate::geometry::Vec2;
use crate::partition::toolkit::sieve::Sieve;
use crate::partition::toolkit::simd::{self, Kernel, Task};
use crate::partition::toolkit::stack::{Stack, in_order};
use crate::partition::{Best, NearestQuery, Neighbor, Search, UnitId};
use crate::probe::{Event, Probe};

/// A depth-first search leaves at most three nodes behind on each level and looks at four on the last; one more is written, and
/// not kept, for each child that is left out.
const STACK_LENGTH: usize = 3 * LEVEL_LIMIT + 5;

/// Set beside a node that lies inside the area, so that everybody below it is a result.
const INSIDE: u32 = 1 << 31;

impl Quadtree {
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

    /// Fills `out` with the nearest units, the nearer of four children first.
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
}

/// A search about to begin, with whatever kernel there is.
struct Sifting<'t, 's, 'p, S: Search, P: Probe, V: FnMut(UnitId)> {
    tree: &'t Quadtree,
    search: &'s S,
    probe: &'p mut P,
    visit: V,
}

impl<S: Search, P: Probe, V: FnMut(UnitId)> Task for Sifting<'_, '_, '_, S, P, V> {
    const DETAILED: bool = P::DETAILED;

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) {
        if self.tree.pool.is_sized() {
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
        let core = search.core();
        let mut sieve = Sieve::new(kernel, search, visit);
        let mut stack = Stack::<u32, STACK_LENGTH>::new();
        // A node holds centres, so what is inside it does not follow from its box unless centres are enough.
        let bounds = pool.nodes[ROOT as usize].bounds;
        let is_inside = core.is_some_and(|core| core.contains_box(bounds));
        let is_near = search.holds(pool.reach_box::<SIZED>(ROOT));
        stack.push_if(ROOT | (INSIDE * u32::from(is_inside)), is_near);
        if !is_near {
            probe.on(Event::Prune(ROOT));
        }
        let mut boxes = Boxes::EMPTY;
        let is_far = pool.is_far();
        while let Some(entry) = stack.pop() {
            let node = entry & !INSIDE;
            if entry != node {
                probe.on(Event::Accept(node));
                tree.accept_below(node, &mut sieve, probe);
                continue;
            }
            probe.on(Event::Visit(node));
            let here = &pool.nodes[node as usize];
            if here.kind != Kind::Inner {
                let mut block = here.link;
                while block != NONE {
                    let (bodies, length) = pool.columns::<SIZED>(block, &mut boxes);
                    sieve.test::<SIZED, P>(bodies, 0..length, probe);
                    block = pool.owners[block as usize].next;
                }
                continue;
            }
            // The last first, so that the first is the next to be taken from the stack. Which of them are near is a coin toss, so
            // each is written, and kept without a branch.
            for child in (here.link..here.link + 4).rev() {
                let below = &pool.nodes[child as usize];
                let is_inside = core.is_some_and(|core| core.contains_box(below.bounds));
                let is_near = search.holds(pool.reach_box::<SIZED>(child));
                let is_near = is_near & ((below.kind == Kind::Inner) | (below.load > 0));
                stack.push_if(child | (INSIDE * u32::from(is_inside)), is_near);
                if is_far && is_near {
                    pool.fetch::<SIZED>(kernel, below);
                }
                if P::HEARS && !is_near {
                    probe.on(Event::Prune(child));
                }
            }
        }
        sieve.finish();
    }
}

impl Quadtree {
    /// Visits everybody below a node.
    #[inline(always)]
    fn accept_below<K: Kernel, S: Search, V: FnMut(UnitId), P: Probe>(
        &self,
        node: u32,
        sieve: &mut Sieve<'_, K, S, V>,
        probe: &mut P,
    ) {
        let pool = &self.pool;
        let mut stack = Stack::<u32, STACK_LENGTH>::new();
        stack.push(node);
        while let Some(node) = stack.pop() {
            let here = &pool.nodes[node as usize];
            if here.kind == Kind::Inner {
                for child in (here.link..here.link + 4).rev() {
                    stack.push(child);
                }
                continue;
            }
            let mut block = here.link;
            while block != NONE {
                let owner = &pool.owners[block as usize];
                let ids = &pool.blocks[block as usize].ids;
                sieve.accept(&ids[..owner.length as usize], probe);
                block = owner.next;
            }
        }
    }
}

/// A search for the nearest about to begin, with whatever kernel there is.
struct Approach<'t, 'p, 'b, F: FnMut(UnitId) -> bool, P: Probe> {
    tree: &'t Quadtree,
    point: Vec2,
    filter: F,
    probe: &'p mut P,
    best: Best<'b>,
}

impl<F: FnMut(UnitId) -> bool, P: Probe> Task for Approach<'_, '_, '_, F, P> {
    const DETAILED: bool = P::DETAILED;

    #[inline(always)]
    fn run<K: Kernel>(mut self, kernel: K) {
        if self.tree.pool.is_sized() {
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
        let mut boxes = Boxes::EMPTY;
        let mut stack = Stack::<(u32, f32), STACK_LENGTH>::new();
        let distance_sq = pool.reach_box::<SIZED>(ROOT).distance_sq(point);
        stack.push((ROOT, distance_sq));
        while let Some((node, distance_sq)) = stack.pop() {
            if distance_sq > self.best.bound_sq() {
                self.probe.on(Event::Prune(node));
                continue;
            }
            self.probe.on(Event::Visit(node));
            let here = &pool.nodes[node as usize];
            if here.kind == Kind::Inner {
                let mut children = [(0, 0.0); 4];
                for (place, child) in children.iter_mut().zip(here.link..here.link + 4) {
                    *place = (child, pool.reach_box::<SIZED>(child).distance_sq(point));
                }
                for (child, distance_sq) in in_order(children).into_iter().rev() {
                    stack.push((child, distance_sq));
                }
                continue;
            }
            let mut block = here.link;
            while block != NONE {
                let (bodies, length) = pool.columns::<SIZED>(block, &mut boxes);
                self.best.offer_run::<SIZED, K, P>(
                    kernel,
                    bodies,
                    0..length,
                    point,
                    &mut self.filter,
                    self.probe,
                );
                block = pool.owners[block as usize].next;
            }
            self.best.settle(kernel);
        }
    }
}
