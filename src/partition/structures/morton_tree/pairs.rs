//! All pairs within reach of each other.

use super::{DEPTH_LIMIT, Link, MAX_BUCKET, MortonTree, Stack};
use crate::geometry::Aabb;
use crate::partition::toolkit::shares::hands;
use crate::partition::toolkit::simd::{self, Copies, Kernel, PADDING, Task};
use crate::partition::{Pair, PairBatch, Part, UnitId};
use crate::probe::{Event, Probe};

/// Nodes or buckets that are dealt out together: enough to stay in one stretch of memory, few enough that a dense crowd is
/// spread over all shares.
const DEAL: usize = 16;

/// Two subtrees to be crossed: their links and boxes.
type Crossing = (Link, Aabb, Link, Aabb);

/// Each step goes down on one side at least and on both where it can; it takes one crossing from the stack and puts back at
/// most four. Two ways down of at most [`DEPTH_LIMIT`] nodes cannot take more steps than the longer one has nodes.
const CROSSINGS: usize = 3 * DEPTH_LIMIT + 1;

impl MortonTree {
    /// Gives the pairs of this share.
    ///
    /// Every pair is in one bucket or has one lowest common node, in whose two children its units are. So the search is no
    /// recursion from the root: for each node, in the order of memory, its children are crossed, then each bucket is looked
    /// at by itself; shares are stretches of nodes and of buckets.
    /// Where both sides are inner nodes both are opened at once: a fifth more tests than opening the larger one alone,
    /// and a third less time, for neighbours on the curve are of like size and four tests wait for none of one another.
    pub(super) fn cross_children<P: Probe>(
        &self,
        reach: f32,
        part: Part,
        probe: &mut P,
        batch: impl FnMut(&[Pair]),
    ) {
        simd::dispatch(Emission {
            tree: self,
            reach_sq: reach * reach,
            part,
            probe,
            batch: PairBatch::new(batch),
        });
    }
}

/// Those of a bucket who are near another one.
#[derive(Clone, Copy)]
struct Crowd {
    left: [f32; MAX_BUCKET + PADDING],
    bottom: [f32; MAX_BUCKET + PADDING],
    right: [f32; MAX_BUCKET + PADDING],
    top: [f32; MAX_BUCKET + PADDING],
    ids: [UnitId; MAX_BUCKET + PADDING],
}

impl Crowd {
    const NOBODY: Self = Self {
        left: [0.0; MAX_BUCKET + PADDING],
        bottom: [0.0; MAX_BUCKET + PADDING],
        right: [0.0; MAX_BUCKET + PADDING],
        top: [0.0; MAX_BUCKET + PADDING],
        ids: [0; MAX_BUCKET + PADDING],
    };

    #[inline(always)]
    fn copies(&mut self) -> Copies<'_> {
        Copies::new(
            &mut self.left,
            &mut self.bottom,
            &mut self.right,
            &mut self.top,
            &mut self.ids,
        )
    }

    #[inline(always)]
    fn for_kernel<const SIZED: bool>(&self) -> simd::Bodies<'_> {
        if SIZED {
            simd::Bodies::new(&self.left, &self.bottom, &self.right, &self.top, &self.ids)
        } else {
            simd::Bodies::new(&self.left, &self.bottom, &[], &[], &self.ids)
        }
    }
}

/// A pair search about to begin, with whatever kernel there is.
struct Emission<'t, 'p, P: Probe, F: FnMut(&[Pair])> {
    tree: &'t MortonTree,
    reach_sq: f32,
    part: Part,
    probe: &'p mut P,
    batch: PairBatch<F>,
}

impl<P: Probe, F: FnMut(&[Pair])> Task for Emission<'_, '_, P, F> {
    const DETAILED: bool = P::DETAILED;

    #[inline(always)]
    fn run<K: Kernel>(mut self, kernel: K) {
        if self.tree.buckets.are_sized {
            self.all::<K, true>(kernel);
        } else {
            self.all::<K, false>(kernel);
        }
        self.batch.flush();
    }
}

impl<P: Probe, F: FnMut(&[Pair])> Emission<'_, '_, P, F> {
    #[inline(always)]
    fn all<K: Kernel, const SIZED: bool>(&mut self, kernel: K) {
        let tree = self.tree;
        let none = (Link::NONE, Aabb::EMPTY);
        let mut stack = Stack::<Crossing, CROSSINGS>::new((none.0, none.1, none.0, none.1));
        let mut near = [Crowd::NOBODY; 2];
        for hand in hands(self.part, 0..tree.nodes.len(), DEAL) {
            for node in tree.nodes[hand].iter().filter(|node| !node.is_free()) {
                let [a, b] = node.children;
                let [a_box, b_box] = node.boxes;
                self.look((a, a_box, b, b_box), &mut stack);
                while let Some(crossing) = stack.pop() {
                    self.cross::<K, SIZED>(kernel, crossing, &mut stack, &mut near);
                }
            }
        }
        if tree.is_single() {
            return;
        }
        for hand in hands(self.part, 0..tree.buckets.len(), DEAL) {
            for bucket in hand {
                if !tree.buckets.is_free(bucket as u32) {
                    self.within::<K, SIZED>(kernel, bucket as u32);
                }
            }
        }
    }

    /// Puts a crossing on the stack where the two are near each other.
    #[inline(always)]
    fn look(&mut self, crossing: Crossing, stack: &mut Stack<Crossing, CROSSINGS>) {
        let (a, a_box, b, b_box) = crossing;
        // Two boxes of one unit each are looked at by the test of the two.
        let is_pair = a.is_bucket() & b.is_bucket() & self.tree.is_single();
        if is_pair | (a_box.gap_sq(b_box) <= self.reach_sq) {
            stack.push(crossing);
        } else {
            let left_out = if a.is_bucket() { b } else { a };
            self.probe.on(Event::Prune(left_out.region()));
        }
    }

    #[inline(always)]
    fn cross<K: Kernel, const SIZED: bool>(
        &mut self,
        kernel: K,
        (a, a_box, b, b_box): Crossing,
        stack: &mut Stack<Crossing, CROSSINGS>,
        near: &mut [Crowd; 2],
    ) {
        let tree = self.tree;
        match (a.is_bucket(), b.is_bucket()) {
            (true, true) => self.between::<K, SIZED>(kernel, (a, a_box, b, b_box), near),
            (false, false) => {
                let [left, right] = [a, b].map(|link| &tree.nodes[link.index() as usize]);
                self.probe.on(Event::Visit(a.region()));
                self.probe.on(Event::Visit(b.region()));
                for i in 0..2 {
                    for j in 0..2 {
                        let (a, a_box) = (left.children[i], left.boxes[i]);
                        let (b, b_box) = (right.children[j], right.boxes[j]);
                        self.look((a, a_box, b, b_box), stack);
                    }
                }
            }
            (a_is_bucket, _) => {
                let (bucket, bucket_box, inner) = if a_is_bucket {
                    (a, a_box, b)
                } else {
                    (b, b_box, a)
                };
                self.probe.on(Event::Visit(inner.region()));
                let node = &tree.nodes[inner.index() as usize];
                for slot in 0..2 {
                    let (other, other_box) = (node.children[slot], node.boxes[slot]);
                    self.look((bucket, bucket_box, other, other_box), stack);
                }
            }
        }
    }

    /// Tests the units of a bucket with each other: each with those before it, so that every run begins where the columns do
    /// and can be read eight at a time.
    #[inline(always)]
    fn within<K: Kernel, const SIZED: bool>(&mut self, kernel: K, bucket: u32) {
        let buckets = &self.tree.buckets;
        let bodies = buckets.columns::<SIZED>(bucket);
        self.probe.on(Event::Visit(Link::bucket(bucket).region()));
        for (at, &unit) in buckets.ids(bucket).iter().enumerate().skip(1) {
            let body = bodies.body::<SIZED>(at);
            self.test::<K, SIZED>(kernel, unit, body, bodies, 0..at);
        }
    }

    /// Tests the units of a bucket with those of another. Those who are too far from the other bucket are left out first.
    #[inline(always)]
    fn between<K: Kernel, const SIZED: bool>(
        &mut self,
        kernel: K,
        (a, a_box, b, b_box): Crossing,
        near: &mut [Crowd; 2],
    ) {
        let buckets = &self.tree.buckets;
        if self.tree.is_single() {
            let unit = buckets.ids(a.index())[0];
            let others = buckets.columns::<SIZED>(b.index());
            self.test::<K, SIZED>(kernel, unit, a_box, others, 0..1);
            return;
        }
        self.probe.on(Event::Visit(a.region()));
        self.probe.on(Event::Visit(b.region()));
        let mut counts = [0; 2];
        for (side, link, other_box) in [(0, a, b_box), (1, b, a_box)] {
            counts[side] = kernel.gather::<SIZED>(
                near[side].copies(),
                other_box,
                self.reach_sq,
                buckets.columns::<SIZED>(link.index()),
                0..buckets.fill(link.index()),
            );
            if counts[side] == 0 {
                return;
            }
        }
        let [own, others] = [&near[0], &near[1]].map(|crowd| crowd.for_kernel::<SIZED>());
        for at in 0..counts[0] {
            let (unit, body) = (near[0].ids[at], own.body::<SIZED>(at));
            self.test::<K, SIZED>(kernel, unit, body, others, 0..counts[1]);
        }
    }

    /// Tests a unit with a run of others.
    #[inline(always)]
    fn test<K: Kernel, const SIZED: bool>(
        &mut self,
        kernel: K,
        unit: UnitId,
        body: Aabb,
        others: simd::Bodies<'_>,
        run: std::ops::Range<usize>,
    ) {
        if P::DETAILED {
            for (place, &other) in run.clone().zip(others.ids(run.clone())) {
                let (a, b) = (unit.min(other), unit.max(other));
                self.probe.on(Event::TestPair(a, b));
                if body.gap_sq(others.body::<SIZED>(place)) <= self.reach_sq {
                    self.probe.on(Event::HitPair(a, b));
                }
            }
        }
        let length = run.len() as u64;
        let room = self.batch.room();
        let count = kernel.pack::<SIZED>(room, unit, body, self.reach_sq, others, run);
        self.batch.take(count);
        if !P::DETAILED {
            self.probe.tests(length);
            self.probe.hits(count as u64);
        }
    }
}
