//! Rectangles, discs, segments and nearest neighbours.

use super::key::side;
use super::{DEPTH_LIMIT, Link, MortonTree, STACK_LENGTH, Shelf, Stack};
use crate::geometry::Vec2;
use crate::partition::toolkit::boxes::WIDTH;
use crate::partition::toolkit::sieve::Sieve;
use crate::partition::toolkit::simd::{self, Kernel, PADDING, Task};
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
        let mut stack = Stack::<Link, STACK_LENGTH>::new();
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

    /// Tells of the things on a shelf that are left out: all but those who are `found`, and but the units, each of which is said to
    /// be tested.
    #[inline]
    fn tell_prunes<P: Probe>(&self, shelf: u32, found: &[u32], probe: &mut P) {
        let shelf = &self.shelves.list[shelf as usize];
        for (thing, name) in shelf.things().zip(shelf.names()) {
            let is_tested = self.is_single() && thing.is_bucket();
            if !is_tested && !found.contains(name) {
                probe.on(Event::Prune(self.region_of(thing)));
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
            descend::<true, _, _, _, _>(tree, kernel, search, &mut sieve, probe);
        } else {
            descend::<false, _, _, _, _>(tree, kernel, search, &mut sieve, probe);
        }
        sieve.finish();
    }
}

/// A shelf that is not done with.
#[derive(Clone, Copy)]
struct Open {
    shelf: u32,
    /// One bit for each place at which there is a node to be entered.
    left: u32,
}

/// Goes down from the root, from shelf to shelf. Whether a box is held is a coin toss, so what is found on a shelf is put among
/// the buckets that wait, or is left to be entered, without a branch.
#[inline(always)]
fn descend<const SIZED: bool, K: Kernel, S: Search, V: FnMut(UnitId), P: Probe>(
    tree: &MortonTree,
    kernel: K,
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
        test::<SIZED, _, _, _, _>(tree, &[tree.root.0], sieve, probe);
        return;
    }
    let shelves = &tree.shelves.list;
    // No more shelves are on a way down than nodes.
    let mut open = [Open { shelf: 0, left: 0 }; DEPTH_LIMIT + 1];
    let mut waiting = [0; WAITING + PADDING];
    let mut next = tree.nodes[tree.root.index() as usize].shelf;
    let (mut depth, mut found) = (0, 0);
    let is_far = tree.buckets.are_far();
    'down: loop {
        let shelf = &shelves[next as usize];
        probe.on(Event::Visit(Link::inner(shelf.top).region()));
        if found + WIDTH > WAITING {
            test::<SIZED, _, _, _, _>(tree, &waiting[..found], sieve, probe);
            found = 0;
        }
        let free = &mut waiting[found..];
        let count = search.sift::<K, true>(kernel, free, shelf.for_kernel(), 0..WIDTH);
        if P::HEARS {
            tree.tell_prunes(next, &free[..count], probe);
        }
        let (before, mut left) = (found, 0);
        if tree.is_single() {
            left = find_units(tree, shelf, &waiting[found..found + count], sieve, probe);
        } else if shelf.has_only_buckets() {
            found += count;
        } else {
            let set = set_of(&waiting[found..found + WIDTH], count);
            left = set & shelf.nodes();
            let mut buckets = set & u32::from(shelf.buckets);
            while buckets != 0 {
                waiting[found] = shelf.thing(buckets.trailing_zeros() as usize).0;
                found += 1;
                buckets &= buckets - 1;
            }
        }
        if is_far {
            let links = waiting[before..found].iter();
            tree.buckets
                .fetch(kernel, links.map(|link| Link(*link).index()));
        }
        open[depth] = Open { shelf: next, left };
        depth += usize::from(left != 0);
        loop {
            if depth == 0 {
                break 'down;
            }
            let from = &mut open[depth - 1];
            let at = from.left.trailing_zeros() as usize;
            let above = &shelves[from.shelf as usize];
            from.left &= from.left - 1;
            depth -= usize::from(from.left == 0);
            next = above.thing(at).index();
            if !search.swallows(above.bounds(at)) {
                break;
            }
            let top = shelves[next as usize].top;
            accept(tree, Link::inner(top), sieve, probe);
        }
    }
    test::<SIZED, _, _, _, _>(tree, &waiting[..found], sieve, probe);
}

/// The first `count` of these places, which are below 32, as one bit each: all of them are looked at, for how many count is not
/// foreseen.
#[inline(always)]
fn set_of(places: &[u32], count: usize) -> u32 {
    let mut set = 0;
    for (turn, &at) in places[..WIDTH].iter().enumerate() {
        set |= u32::from(turn < count) << (at & 31);
    }
    set
}

/// Takes the units that are `found` on a shelf where each bucket is one unit, whose box says of it what a test says. Gives the
/// places of the nodes among what was found.
#[inline(always)]
fn find_units<K: Kernel, S: Search, V: FnMut(UnitId), P: Probe>(
    tree: &MortonTree,
    shelf: &Shelf,
    found: &[u32],
    sieve: &mut Sieve<'_, K, S, V>,
    probe: &mut P,
) -> u32 {
    if P::DETAILED {
        for thing in shelf.things().filter(|thing| thing.is_bucket()) {
            for &unit in tree.buckets.ids(thing.index()) {
                probe.on(Event::Test(unit));
            }
        }
    } else {
        probe.tests(u64::from(shelf.bucket_count()));
    }
    let mut left = 0;
    for &name in found {
        let thing = shelf.named(name);
        if thing == Link::NONE {
            continue;
        }
        if thing.is_bucket() {
            sieve.accept(tree.buckets.ids(thing.index()), probe);
        } else {
            left |= 1 << name;
        }
    }
    left
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

/// Tests the units of buckets, to which these links lead.
#[inline(always)]
fn test<const SIZED: bool, K: Kernel, S: Search, V: FnMut(UnitId), P: Probe>(
    tree: &MortonTree,
    buckets: &[u32],
    sieve: &mut Sieve<'_, K, S, V>,
    probe: &mut P,
) {
    for &link in buckets {
        let bucket = Link(link).index();
        if Link(link) == Link::NONE {
            continue;
        }
        if !tree.is_single() {
            probe.on(Event::Visit(Link(link).region()));
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
        let mut stack = Stack::<(Link, f32), STACK_LENGTH>::new();
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
