//! `broccoli` with `broccoli-rayon`, its form for several threads: they build a tree together and find its pairs.

use super::{Broccoli, rect};
use crate::contest::{Contestant, Entry};
use crate::tally::Tally;
use crate::work::Work;
use crate::world::World;
use broccoli::Tree;
use broccoli::aabb::BBox;
use broccoli_rayon::prelude::{RayonBuildPar, RayonQueryPar};
use rayon::prelude::*;
use skirmish::geometry::Vec2;

struct Shared(Broccoli);

impl Shared {
    fn lay_out(&mut self, world: &World) {
        let it = &mut self.0;
        let grown = Vec2::splat(it.grown);
        let area = |unit| rect(world.aabb(unit).grown(grown));
        if it.keeps_order && !it.boxes.is_empty() {
            let boxes = it.boxes.par_iter_mut();
            return boxes.for_each(|it| it.rect = area(it.inner));
        }
        let units = (0..world.scene.units as u32).into_par_iter();
        let boxes = units.map(|unit| BBox::new(area(unit), unit));
        boxes.collect_into_vec(&mut it.boxes);
    }

    fn plant(&mut self) {
        let it = &mut self.0;
        if !it.is_late {
            it.data = Some(Tree::par_new(&mut it.boxes).get_tree_data());
        }
    }
}

impl Contestant for Shared {
    fn build(&mut self, world: &World) {
        self.0.boxes.clear();
        self.lay_out(world);
        self.plant();
    }

    fn update(&mut self, world: &World) {
        self.lay_out(world);
        self.plant();
    }

    fn pairs<T: Tally>(&mut self, world: &World, tally: &mut T) {
        let it = &mut self.0;
        let mut tree = match &it.data {
            Some(data) => Tree::from_tree_data(&mut it.boxes, data),
            None => Tree::par_new(&mut it.boxes),
        };
        let found = tree.par_find_colliding_pairs_acc_closure(
            T::default(),
            |_| T::default(),
            |one, other| one.add(other.sum()),
            |tally, a, b| {
                let (a, b) = (*a.unpack_inner(), *b.unpack_inner());
                if world.in_reach(a, b) {
                    tally.pair(a, b);
                }
            },
        );
        tally.add(found.sum());
    }
}

/// Adds what it can do on several threads.
pub fn with(entry: Entry, work: Work) -> Entry {
    let make =
        move |keeps_order| move |world: &World| Shared(Broccoli::new(world, work, keeps_order));
    match work {
        Work::Build | Work::Pairs => entry.or("parallel", make(false)),
        Work::Step | Work::StepPairs => entry
            .or("parallel", make(false))
            .or("parallel, in its own order", make(true)),
        _ => entry,
    }
}
