//! `rstar`: an R*-tree that can be edited.

use crate::contest::{Contestant, Entry, family};
use crate::tally::Tally;
use crate::work::{NEAREST_COUNT, Question, Work};
use crate::world::World;
use rstar::primitives::GeomWithData;
use rstar::{AABB, RTree};
use skirmish::geometry::Vec2;
use std::ops::ControlFlow;

type Item = GeomWithData<[f32; 2], u32>;

#[derive(Default)]
struct Rstar(RTree<Item>);

impl Contestant for Rstar {
    fn build(&mut self, world: &World) {
        let items = (0..)
            .zip(&world.centers)
            .map(|(unit, center)| Item::new(center.to_array(), unit))
            .collect();
        self.0 = RTree::bulk_load(items);
    }

    fn discard(&mut self) {
        self.0 = RTree::new();
    }

    fn relocate(&mut self, world: &World, unit: u32, from: Vec2) {
        self.0.remove(&Item::new(from.to_array(), unit));
        let to = world.centers[unit as usize].to_array();
        self.0.insert(Item::new(to, unit));
    }

    fn pairs<T: Tally>(&mut self, world: &World, tally: &mut T) {
        let reach_sq = world.reach * world.reach;
        for (unit, center) in (0..).zip(&world.centers) {
            for other in self.0.locate_within_distance(center.to_array(), reach_sq) {
                if unit < other.data {
                    tally.pair(unit, other.data);
                }
            }
        }
    }

    fn rectangles<T: Tally>(&mut self, world: &World, tally: &mut T) {
        for (index, area) in world.rectangles.iter().enumerate() {
            tally.query(index);
            let envelope = AABB::from_corners(area.min.to_array(), area.max.to_array());
            let _ = self
                .0
                .locate_in_envelope_intersecting_int(envelope, |found| {
                    tally.unit(found.data);
                    ControlFlow::<()>::Continue(())
                });
        }
    }

    fn nearest<T: Tally>(&mut self, world: &World, tally: &mut T) {
        for (index, point) in world.points.iter().enumerate() {
            tally.query(index);
            let nearest = self
                .0
                .nearest_neighbor_iter_with_distance_2(point.to_array());
            for (_, distance_sq) in nearest.take(NEAREST_COUNT) {
                tally.distance_sq(distance_sq);
            }
        }
    }
}

/// Enters it for points; for a step it is built anew.
pub fn enter(world: &World, work: Work, entries: &mut Vec<Entry>) {
    if !world.is_sized() && work != Work::Step {
        entries.push(Entry::peer(
            "rstar",
            family::BVH,
            Question::Rectangles,
            |_| Rstar::default(),
        ));
    }
}
