//! Everybody within reach of each other.

use super::RectQuadtree;
use super::pool::{FREE, NONE};
use crate::geometry::Aabb;
use crate::partition::toolkit::chunk::{Chunk, PairSearch};
use crate::partition::toolkit::shares::hands;
use crate::partition::{Pair, Part};
use crate::probe::{Event, Probe};

/// Nodes that are dealt out together: enough to stay in one stretch of memory, few enough that a dense crowd is spread over
/// all shares.
const DEAL: usize = 16;

impl RectQuadtree {
    /// Gives the pairs of this share.
    ///
    /// For each two bodies there is one lowest node that has both in it or below it. So the search is no recursion from the
    /// root: for each node, in the order of memory, its own bodies meet each other and everybody below, and its children
    /// meet each other; shares are stretches of nodes. The recursions below that go no deeper than the tree.
    pub(super) fn emit_pairs<const SIZED: bool, P: Probe>(
        &self,
        reach: f32,
        part: Part,
        probe: &mut P,
        batch: impl FnMut(&[Pair]),
    ) {
        let mut search = PairSearch::<'_, SIZED, P, _>::new(reach, probe, batch);
        let mut chunk = Chunk::EMPTY;
        for hand in hands(part, 0..self.pool.records.len(), DEAL) {
            for (node, record) in (hand.start as u32..).zip(&self.pool.records[hand]) {
                if record.depth == FREE || record.total < 2 {
                    continue;
                }
                search.tell(Event::Visit(node));
                search.within(self.pool.own(node), &mut chunk, |search, own| {
                    for child in self.children(node) {
                        self.below(child, (node, own), search);
                    }
                });
                for (place, a) in self.children(node).enumerate() {
                    for b in self.children(node).skip(place + 1) {
                        self.across(a, b, &mut chunk, &mut search);
                    }
                }
            }
        }
        search.finish();
    }

    /// The children of a node in which there is anybody.
    fn children(&self, node: u32) -> impl Iterator<Item = u32> {
        let first = self.pool.nodes[node as usize].children;
        let children = if first == NONE {
            0..0
        } else {
            first..first + 4
        };
        children.filter(|child| !self.pool.nodes[*child as usize].is_empty())
    }

    /// Tests some bodies of a node that looks with everybody in another node and below it.
    fn below<const SIZED: bool, P: Probe, F: FnMut(&[Pair])>(
        &self,
        node: u32,
        (looker, bodies): (u32, &Chunk),
        search: &mut PairSearch<'_, SIZED, P, F>,
    ) {
        let bounds = self.tested_bounds(node);
        let mut near = Chunk::EMPTY;
        if bodies.bounds().gap_sq(bounds) <= search.reach_sq() {
            near.gather_near(&mut bodies.bodies(), bounds, search.reach_sq());
        }
        if near.is_empty() {
            search.tell_for(looker, Event::Prune(node));
            return;
        }
        search.tell_for(looker, Event::Visit(node));
        search.between(&near, self.pool.own(node));
        for child in self.children(node) {
            self.below(child, (looker, &near), search);
        }
    }

    /// Tests everybody in and below one node with everybody in and below another.
    fn across<const SIZED: bool, P: Probe, F: FnMut(&[Pair])>(
        &self,
        a: u32,
        b: u32,
        chunk: &mut Chunk,
        search: &mut PairSearch<'_, SIZED, P, F>,
    ) {
        let [a_bounds, b_bounds] = [a, b].map(|node| self.tested_bounds(node));
        if a_bounds.gap_sq(b_bounds) > search.reach_sq() {
            search.tell_for(a, Event::Prune(b));
            return;
        }
        // Who is held here with all on the other side, and who is held there with all below here.
        self.own_near(a, b_bounds, chunk, search, |chunk, search| {
            self.below(b, (a, chunk), search);
        });
        self.own_near(b, a_bounds, chunk, search, |chunk, search| {
            for child in self.children(a) {
                self.below(child, (b, chunk), search);
            }
        });
        for a in self.children(a) {
            for b in self.children(b) {
                self.across(a, b, chunk, search);
            }
        }
    }

    /// Gathers a node's own bodies near a box and calls `then` with each chunkful.
    #[inline]
    fn own_near<const SIZED: bool, P: Probe, F: FnMut(&[Pair])>(
        &self,
        node: u32,
        area: Aabb,
        chunk: &mut Chunk,
        search: &mut PairSearch<'_, SIZED, P, F>,
        then: impl Fn(&Chunk, &mut PairSearch<'_, SIZED, P, F>),
    ) {
        let mut own = self.pool.own(node);
        loop {
            chunk.gather_near(&mut own, area, search.reach_sq());
            if chunk.is_empty() {
                return;
            }
            then(chunk, search);
        }
    }
}
