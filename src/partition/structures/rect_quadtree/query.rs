//! Rectangles, discs, segments and nearest neighbours.

use super::four::{ROOT_PLACE, append, members, node_at, seat_in, seat_of};
use super::{ROOT, RectQuadtree, STACK_LENGTH};
use crate::geometry::Vec2;
use crate::partition::toolkit::sieve::Sieve;
use crate::partition::toolkit::simd::{self, Kernel, Task};
use crate::partition::toolkit::stack::{Stack, in_order};
use crate::partition::{Best, NearestQuery, Neighbor, Search, UnitId};
use crate::probe::{Event, Probe};

/// So many nodes, at most, are looked at in the order in which they were found.
const FIRST_COME: usize = 32;

/// Room for those, and for a depth-first search behind them.
const ROOM: usize = FIRST_COME + STACK_LENGTH;

/// So many nodes, at most, are found before their own bodies are tested.
const WAITING: usize = 64;

/// Set beside the seat of a node that lies inside the area, so that everybody below it is a result.
const INSIDE: u32 = 1 << 31;

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
        let mut stack = Stack::<u32, STACK_LENGTH>::new();
        stack.push(node);
        while let Some(index) = stack.pop() {
            let contents = self.pool.contents(seat_of(index));
            for (half, length) in self.pool.halves(contents) {
                sieve.accept(&self.pool.ids(half)[..length], probe);
            }
            if !contents.is_leaf() {
                for at in 0..4 {
                    stack.push(node_at((contents.four, at)));
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
        // The places of inner nodes whose children are to be looked at. Whoever came first is looked at first, so that several looks are
        // under way at once: in a stack each would wait for the one before. Where there are too many for that, the last goes first, and
        // no more than on one way down come on top.
        let mut queue = [0; ROOM];
        let (mut first, mut end) = (0, 0);
        // The places of nodes whose own bodies are tested when other nodes have been looked at: so no look at a node waits for a test
        // of bodies.
        let mut waiting = [0; WAITING];
        let mut found = 0;
        let (are_fours_far, are_blocks_far) = pool.are_far();
        // The root holds what sticks out of it: so it is always looked at, and its box says nothing.
        let root = pool.contents(seat_in(ROOT_PLACE));
        let is_held = root.is_leaf() | (root.load > 0);
        append(&mut waiting, &mut found, ROOT_PLACE, u32::from(is_held), 0);
        append(
            &mut queue,
            &mut end,
            ROOT_PLACE,
            u32::from(!root.is_leaf()),
            0,
        );
        loop {
            while (first < end) & (found <= WAITING - 4) {
                let place = if end < FIRST_COME {
                    first += 1;
                    queue[first - 1]
                } else {
                    end -= 1;
                    queue[end]
                };
                let below = pool.contents(seat_in(place)).four;
                probe.on(Event::Visit(node_at(seat_in(place))));
                let four = &pool.fours[below as usize];
                let (held, swallowed) = search.look_at(kernel, four.boxes());
                let (inner, loaded) = four.sets(kernel);
                if P::HEARS {
                    for at in (0..4).rev() {
                        if !four.contents(at).is_empty() && held >> at & 1 == 0 {
                            probe.on(Event::Prune(node_at((below, at))));
                        }
                    }
                }
                // Whether a box is met, and whether it is that of a leaf, is a coin toss for a branch predictor: so there is no branch,
                // and nobody comes into the queue who would leave it at once.
                let waits = held & (loaded | (inner & swallowed));
                append(&mut waiting, &mut found, 4 * below, waits, swallowed);
                let enters = held & inner & !swallowed;
                append(&mut queue, &mut end, 4 * below, enters, 0);
                if are_fours_far {
                    for at in members(enters) {
                        pool.fetch_below(kernel, four.contents(at));
                    }
                }
                if are_blocks_far {
                    for at in members(waits) {
                        pool.fetch::<SIZED>(kernel, four.contents(at));
                    }
                }
            }
            test::<SIZED, _, _, _, _>(tree, &waiting[..found], &mut sieve, probe);
            found = 0;
            if first == end {
                break;
            }
        }
        sieve.finish();
    }
}

/// Tests the bodies that the nodes at these places hold themselves, and visits everybody below those that are inside.
#[inline(always)]
fn test<const SIZED: bool, K: Kernel, S: Search, V: FnMut(UnitId), P: Probe>(
    tree: &RectQuadtree,
    places: &[u32],
    sieve: &mut Sieve<'_, K, S, V>,
    probe: &mut P,
) {
    for place in places {
        let seat = seat_in(place & !INSIDE);
        let node = node_at(seat);
        if place & INSIDE != 0 {
            probe.on(Event::Accept(node));
            tree.accept_below(node, sieve, probe);
            continue;
        }
        let contents = tree.pool.contents(seat);
        if contents.is_leaf() {
            probe.on(Event::Visit(node));
        }
        for (half, length) in tree.pool.halves(contents) {
            let bodies = tree.pool.columns::<SIZED>(half);
            sieve.test::<SIZED, P>(bodies, 0..length, probe);
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
        let mut stack = Stack::<(u32, f32), STACK_LENGTH>::new();
        stack.push((ROOT, 0.0));
        while let Some((index, distance_sq)) = stack.pop() {
            if distance_sq > self.best.bound_sq() {
                self.probe.on(Event::Prune(index));
                continue;
            }
            self.probe.on(Event::Visit(index));
            let contents = pool.contents(seat_of(index));
            for (half, length) in pool.halves(contents) {
                let bodies = pool.columns::<SIZED>(half);
                self.best.offer_run::<SIZED, K, P>(
                    kernel,
                    bodies,
                    0..length,
                    point,
                    &mut self.filter,
                    self.probe,
                );
            }
            self.best.settle(kernel);
            if contents.is_leaf() {
                continue;
            }
            // Where loose boxes overlap, several are no distance away: the quarter of the point itself goes first, which is
            // last onto the stack. Quarters are numbered from it on to be told apart.
            let home = pool.nodes[index as usize].quarter(point);
            let four = &pool.fours[contents.four as usize];
            let mut quarters = [(0, 0.0); 4];
            for (turn, quarter) in (0..).zip(&mut quarters) {
                *quarter = (turn, four.bounds(3 - (home ^ turn)).distance_sq(point));
            }
            for (turn, distance_sq) in in_order(quarters).into_iter().rev() {
                let at = 3 - (home ^ turn);
                let is_empty = four.contents(at).is_empty();
                stack.push_if((node_at((contents.four, at)), distance_sq), !is_empty);
            }
        }
    }
}
