//! All pairs within reach of each other.

use super::{DEPTH_LIMIT, Link, MAX_BUCKET, MortonTree, Stack};
use crate::geometry::Aabb;
use crate::partition::toolkit::copied::{Copied, against, lanes};
use crate::partition::toolkit::shares::hands;
use crate::partition::toolkit::simd::{self, Kernel, Task};
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
type Near = Copied<{ lanes(MAX_BUCKET) }>;

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
        let mut stack = Stack::<Crossing, CROSSINGS>::new();
        let mut near = [Near::NOBODY; 2];
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
            let (looker, left_out) = if a.is_bucket() { (a, b) } else { (b, a) };
            self.probe.looks(looker.region());
            self.probe.on(Event::Prune(left_out.region()));
        }
    }

    #[inline(always)]
    fn cross<K: Kernel, const SIZED: bool>(
        &mut self,
        kernel: K,
        (a, a_box, b, b_box): Crossing,
        stack: &mut Stack<Crossing, CROSSINGS>,
        near: &mut [Near; 2],
    ) {
        let tree = self.tree;
        match (a.is_bucket(), b.is_bucket()) {
            (true, true) => self.between::<K, SIZED>(kernel, (a, a_box, b, b_box), near),
            (false, false) => {
                let [left, right] = [a, b].map(|link| &tree.nodes[link.index() as usize]);
                self.visit_both(a, b);
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
                self.probe.looks(bucket.region());
                self.probe.on(Event::Visit(inner.region()));
                let node = &tree.nodes[inner.index() as usize];
                for slot in 0..2 {
                    let (other, other_box) = (node.children[slot], node.boxes[slot]);
                    self.look((bucket, bucket_box, other, other_box), stack);
                }
            }
        }
    }

    /// Tells that two are entered, each on behalf of the other.
    #[inline(always)]
    fn visit_both(&mut self, a: Link, b: Link) {
        for (entered, looker) in [(a, b), (b, a)] {
            self.probe.looks(looker.region());
            self.probe.on(Event::Visit(entered.region()));
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
        near: &mut [Near; 2],
    ) {
        let buckets = &self.tree.buckets;
        if self.tree.is_single() {
            let unit = buckets.ids(a.index())[0];
            let others = buckets.columns::<SIZED>(b.index());
            self.test::<K, SIZED>(kernel, unit, a_box, others, 0..1);
            return;
        }
        self.visit_both(a, b);
        let sides = [(a, b_box), (b, a_box)];
        for (near, (link, other_box)) in near.iter_mut().zip(sides) {
            near.keep(0);
            let bodies = buckets.columns::<SIZED>(link.index());
            let run = 0..buckets.fill(link.index());
            near.gather::<SIZED, K>(kernel, (other_box, self.reach_sq), bodies, run);
            if near.count() == 0 {
                return;
            }
        }
        let [own, others] = [&near[0], &near[1]].map(|near| near.for_kernel::<SIZED>());
        for at in 0..near[0].count() {
            let (unit, body) = (near[0].id(at), own.body::<SIZED>(at));
            self.test::<K, SIZED>(kernel, unit, body, others, 0..near[1].count());
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
        let length = run.len() as u64;
        let told = (&mut self.batch, &mut *self.probe);
        let others = (others, run);
        let count = against::<SIZED, K, P, F>(kernel, (unit, body), others, self.reach_sq, told);
        if !P::DETAILED {
            self.probe.tests(length);
            self.probe.hits(count as u64);
        }
    }
}
