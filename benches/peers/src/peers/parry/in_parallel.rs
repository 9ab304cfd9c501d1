//! `parry2d` with its feature `parallel`: it moves leaves, refits and searches pairs on several threads. A tree it builds on one.

use super::{Parry, Upkeep};
use crate::contest::{Contestant, Entry};
use crate::tally::Tally;
use crate::together;
use crate::work::Work;
use crate::world::World;
use parry2d::bounding_volume::Aabb;
use parry2d::partitioning::BvhLeafUpdateStatus;
use rayon::prelude::*;

struct Shared {
    parry: Parry,
    updates: Vec<(Aabb, u32, f32)>,
    statuses: Vec<BvhLeafUpdateStatus>,
}

impl Contestant for Shared {
    fn build(&mut self, world: &World) {
        self.parry.build(world);
    }

    fn discard(&mut self) {
        self.parry.discard();
    }

    fn update(&mut self, world: &World) {
        let parry = &mut self.parry;
        if parry.upkeep == Upkeep::Rebuild {
            return parry.build(world);
        }
        let units = (0..world.scene.units as u32).into_par_iter();
        units
            .map(|unit| (parry.leaf(world, unit), unit, parry.margin))
            .collect_into_vec(&mut self.updates);
        parry
            .tree
            .insert_or_update_batch_partially_parallel(&self.updates, &mut self.statuses);
        parry.tree.refit_parallel(&mut parry.workspace);
        if parry.upkeep == Upkeep::Optimize {
            parry.tree.optimize_incremental(&mut parry.workspace);
        }
    }

    fn pairs<T: Tally>(&mut self, world: &World, tally: &mut T) {
        let found = self
            .parry
            .tree
            .traverse_bvtt_single_tree_parallel::<false>();
        together::tallied(found.len(), tally, |lot, tally| {
            for &(a, b) in &found[lot] {
                if world.in_reach(a, b) {
                    tally.pair(a, b);
                }
            }
        });
    }

    fn rectangles<T: Tally>(&mut self, world: &World, tally: &mut T) {
        self.parry.rectangles(world, tally);
    }
}

/// Adds what it can do on several threads.
pub fn with(entry: Entry, work: Work) -> Entry {
    let make = move |upkeep, margin| {
        move |world: &World| Shared {
            parry: Parry::new(work, world, upkeep, margin),
            updates: Vec::new(),
            statuses: Vec::new(),
        }
    };
    match work {
        Work::Pairs => entry.or("parallel", make(Upkeep::Rebuild, 0.0)),
        Work::Step | Work::StepPairs => entry
            .or("parallel, rebuilt", make(Upkeep::Rebuild, 0.0))
            .or("parallel, refit", make(Upkeep::Refit, 0.0))
            .or("parallel, optimized", make(Upkeep::Optimize, 0.0))
            .or(
                "parallel, optimized, margin 0.3",
                make(Upkeep::Optimize, 0.3),
            ),
        _ => entry,
    }
}
