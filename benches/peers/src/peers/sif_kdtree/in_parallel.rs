//! `sif-kdtree` with its feature `rayon`: it sorts on several threads, and several may ask it at once.

use super::{Sif, items};
use crate::contest::{Contestant, Entry};
use crate::tally::Tally;
use crate::together;
use crate::world::World;
use sif_kdtree::KdTree;

struct Shared(Sif);

impl Contestant for Shared {
    fn build(&mut self, world: &World) {
        self.0.0 = Some(KdTree::par_new(items(world)));
    }

    fn discard(&mut self) {
        self.0.discard();
    }

    fn pairs<T: Tally>(&mut self, world: &World, tally: &mut T) {
        let Some(tree) = &self.0.0 else { return };
        together::tallied(tree.len(), tally, |lot, tally| {
            for item in &tree[lot] {
                super::pairs_of(item, tree, world, tally);
            }
        });
    }

    fn rectangles<T: Tally>(&mut self, world: &World, tally: &mut T) {
        self.0.rectangles(world, tally);
    }
}

/// Adds what it can do on several threads.
pub fn with(entry: Entry) -> Entry {
    entry.or("parallel", |_| Shared(Sif(None)))
}
