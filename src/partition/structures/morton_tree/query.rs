//! Rectangles, discs, segments and nearest neighbours.

use super::key::side;
use super::{Link, MortonTree, STACK_LENGTH, Stack};
use crate::geometry::Vec2;
use crate::partition::toolkit::sieve::Sieve;
use crate::partition::toolkit::simd::{self, Kernel, Task};
use crate::partition::{Best, NearestQuery, Neighbor, Search, UnitId};
use crate::probe::{Event, Probe};

/// So many buckets are found before their units are tested.
const WAITING: usize = 64;

impl MortonTree {
    /// Visits the units that `search` holds. A node is entered only where its own box is held too.
    pub(super) fn walk<P: Probe>(
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

    /// Calls `visit` with every bucket below `link`.
    #[inline(always)]
    pub(super) fn each_bucket(&self, link: Link, mut visit: impl FnMut(u32)) {
        let mut stack = Stack::<Link, STACK_LENGTH>::new(Link::NONE);
        stack.push(link);
        while let Some(link) = stack.pop() {
            if link.is_bucket() {
                visit(link.index());
            } else {
                let [first, second] = self.nodes[link.index() as usize].children;
                stack.push(second);
                stack.push(first);
            }
        }
    }

    /// Fills `out` with the nearest units.
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
}

/// A search about to begin, with whatever kernel there is.
struct Sifting<'t, 's, 'p, S: Search, P: Probe, V: FnMut(UnitId)> {
    tree: &'t MortonTree,
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
        if tree.root == Link::NONE {
            return;
        }
        let mut sieve = Sieve::new(kernel, search, visit);
        if tree.buckets.are_sized {
            descend::<true, _, _, _, _>(tree, search, &mut sieve, probe);
        } else {
            descend::<false, _, _, _, _>(tree, search, &mut sieve, probe);
        }
        sieve.finish();
    }
}

/// Goes down from the root. Where a bucket is one unit, the look at its box is not counted, but the test. Whether a box is held is a coin toss, so children are put on the stack or among the buckets that
/// wait without a branch.
#[inline(always)]
fn descend<const SIZED: bool, K: Kernel, S: Search, V: FnMut(UnitId), P: Probe>(
    tree: &MortonTree,
    search: &S,
    sieve: &mut Sieve<'_, K, S, V>,
    probe: &mut P,
) {
    if !search.holds(tree.root_box) {
        probe.on(Event::Prune(tree.root.region()));
        return;
    }
    if search.swallows(tree.root_box) {
        accept(tree, tree.root, sieve, probe);
        return;
    }
    if tree.root.is_bucket() {
        test::<SIZED, _, _, _, _>(tree, &[tree.root.index()], sieve, probe);
        return;
    }
    // A box of one unit says of it what a test says.
    let single = tree.is_single();
    let mut stack = [0; STACK_LENGTH];
    let mut waiting = [0; WAITING];
    stack[0] = tree.root.index();
    let (mut depth, mut found) = (1, 0);
    while depth > 0 {
        depth -= 1;
        let index = stack[depth];
        probe.on(Event::Visit(Link::inner(index).region()));
        let node = &tree.nodes[index as usize];
        // The second child first, so that the first is the next to be taken from the stack: in the curve's order.
        for slot in [1, 0] {
            let (link, bounds) = (node.children[slot], node.boxes[slot]);
            let holds = search.holds(bounds) | (single & link.is_bucket());
            if P::HEARS && !holds {
                probe.on(Event::Prune(link.region()));
            }
            if holds & search.swallows(bounds) & !(single & link.is_bucket()) {
                accept(tree, link, sieve, probe);
                continue;
            }
            stack[depth] = link.index();
            depth += usize::from(holds & !link.is_bucket());
            waiting[found] = link.index();
            found += usize::from(holds & link.is_bucket());
        }
        if found > WAITING - 2 {
            test::<SIZED, _, _, _, _>(tree, &waiting[..found], sieve, probe);
            found = 0;
        }
    }
    test::<SIZED, _, _, _, _>(tree, &waiting[..found], sieve, probe);
}

/// Visits everybody below `link`.
#[inline(always)]
fn accept<K: Kernel, S: Search, V: FnMut(UnitId), P: Probe>(
    tree: &MortonTree,
    link: Link,
    sieve: &mut Sieve<'_, K, S, V>,
    probe: &mut P,
) {
    probe.on(Event::Accept(link.region()));
    tree.each_bucket(link, |bucket| {
        sieve.accept(tree.buckets.ids(bucket), probe);
    });
}

/// Tests the units of these buckets.
#[inline(always)]
fn test<const SIZED: bool, K: Kernel, S: Search, V: FnMut(UnitId), P: Probe>(
    tree: &MortonTree,
    buckets: &[u32],
    sieve: &mut Sieve<'_, K, S, V>,
    probe: &mut P,
) {
    for &bucket in buckets {
        if !tree.is_single() {
            probe.on(Event::Visit(Link::bucket(bucket).region()));
        }
        let run = 0..tree.buckets.fill(bucket);
        sieve.test::<SIZED, P>(tree.buckets.columns::<SIZED>(bucket), run, probe);
    }
}

/// A search for the nearest about to begin, with whatever kernel there is.
struct Approach<'t, 'p, 'b, F: FnMut(UnitId) -> bool, P: Probe> {
    tree: &'t MortonTree,
    point: Vec2,
    filter: F,
    probe: &'p mut P,
    best: Best<'b>,
}

impl<F: FnMut(UnitId) -> bool, P: Probe> Task for Approach<'_, '_, '_, F, P> {
    const DETAILED: bool = P::DETAILED;

    #[inline(always)]
    fn run<K: Kernel>(mut self, kernel: K) {
        if self.tree.root != Link::NONE {
            if self.tree.buckets.are_sized {
                self.approach::<K, true>(kernel);
            } else {
                self.approach::<K, false>(kernel);
            }
        }
        self.best.finish(self.probe);
    }
}

impl<F: FnMut(UnitId) -> bool, P: Probe> Approach<'_, '_, '_, F, P> {
    /// Enters by the bucket in which a unit at the point would be, so that the first bound is a good one wherever boxes
    /// overlap, and leaves what is beside the way on the stack. Then of two children the nearer one is searched first, and
    /// the other one only if it can still hold somebody near enough.
    #[inline(always)]
    fn approach<K: Kernel, const SIZED: bool>(&mut self, kernel: K) {
        let (tree, point) = (self.tree, self.point);
        let mut stack = Stack::<(Link, f32), STACK_LENGTH>::new((Link::NONE, 0.0));
        let key = tree.key_at(point, 0);
        let mut by_key = true;
        stack.push((tree.root, tree.root_box.distance_sq(point)));
        while let Some((mut link, mut distance_sq)) = stack.pop() {
            loop {
                if distance_sq > self.best.bound_sq() {
                    self.probe.on(Event::Prune(link.region()));
                    break;
                }
                self.probe.on(Event::Visit(link.region()));
                if link.is_bucket() {
                    self.offer::<K, SIZED>(kernel, link.index());
                    by_key = false;
                    break;
                }
                let node = &tree.nodes[link.index() as usize];
                let distances = [0, 1].map(|slot| node.boxes[slot].distance_sq(point));
                let first = if by_key {
                    side(key, node.bit)
                } else {
                    usize::from(distances[1] < distances[0])
                };
                let far = (node.children[1 - first], distances[1 - first]);
                if far.1 > self.best.bound_sq() {
                    self.probe.on(Event::Prune(far.0.region()));
                } else {
                    stack.push(far);
                }
                (link, distance_sq) = (node.children[first], distances[first]);
            }
        }
    }

    /// Offers the units of a bucket.
    #[inline(always)]
    fn offer<K: Kernel, const SIZED: bool>(&mut self, kernel: K, bucket: u32) {
        let buckets = &self.tree.buckets;
        self.best.offer_run::<SIZED, K, P>(
            kernel,
            buckets.columns::<SIZED>(bucket),
            0..buckets.fill(bucket),
            self.point,
            &mut self.filter,
            self.probe,
        );
        self.best.settle(kernel);
    }
}
