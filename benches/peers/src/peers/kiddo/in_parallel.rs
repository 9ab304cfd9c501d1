//! `kiddo` with its feature `multi-threaded`, with which it builds on several threads; several may ask it at once.

use super::{Immutable, Metric, points};
use crate::contest::{Contestant, Entry};
use crate::tally::Tally;
use crate::together;
use crate::work::Work;
use crate::world::World;
use kiddo::ImmutableKdTree;

/// `JOIN` as in [`Immutable`].
struct Shared<const JOIN: bool> {
    it: Immutable<JOIN>,
    /// From how many units on a half is built beside the other one.
    threshold: usize,
}

impl<const JOIN: bool> Contestant for Shared<JOIN> {
    fn build(&mut self, world: &World) {
        let points = points(world);
        let plant = || {
            let builder = ImmutableKdTree::<f32, 2>::builder();
            let builder = builder.with_parallel_construction_threshold(self.threshold);
            builder.build_from_slice(&points).ok()
        };
        self.it.tree = plant();
        if JOIN {
            self.it.other = plant();
        }
    }

    fn discard(&mut self) {
        self.it.discard();
    }

    fn pairs<T: Tally>(&mut self, world: &World, tally: &mut T) {
        let Some(tree) = &self.it.tree else { return };
        if let Some(other) = &self.it.other {
            let both = tree
                .query_tree(other)
                .within::<Metric>(world.reach * world.reach)
                .without_distances()
                .execute();
            return together::tallied(both.len(), tally, |lot, tally| {
                for pair in &both[lot] {
                    if pair.left_item < pair.right_item {
                        tally.pair(pair.left_item, pair.right_item);
                    }
                }
            });
        }
        together::tallied(world.centers.len(), tally, |lot, tally| {
            for unit in lot {
                super::pairs_of(unit, tree, world, tally);
            }
        });
    }

    fn nearest<T: Tally>(&mut self, world: &World, tally: &mut T) {
        self.it.nearest(world, tally);
    }
}

/// Adds what it can do on several threads.
pub fn with(mut entry: Entry, work: Work) -> Entry {
    fn shared<const JOIN: bool>(threshold: usize) -> impl Fn(&World) -> Shared<JOIN> {
        move |_| Shared {
            it: Immutable::new(),
            threshold,
        }
    }
    if !work.is_shared() {
        return entry;
    }
    for threshold in [2_048, 16_384] {
        let words = format!("parallel from {threshold}");
        entry = entry.or(&words, shared::<false>(threshold));
        if matches!(work, Work::Pairs | Work::StepPairs) {
            entry = entry.or(&format!("{words}, join"), shared::<true>(threshold));
        }
    }
    entry
}
