//! `static_aabb2d_index`: a packed tree along the Hilbert curve, with the unchecked code that it offers.

use crate::contest::{Contestant, Entry, family};
use crate::tally::Tally;
use crate::work::{NEAREST_COUNT, Question, Work};
use crate::world::World;
use skirmish::geometry::Vec2;
use static_aabb2d_index::{
    Control, NeighborPriorityQueue, StaticAABB2DIndex, StaticAABB2DIndexBuilder,
};

struct Static {
    node_size: usize,
    index: Option<StaticAABB2DIndex<f32>>,
    stack: Vec<usize>,
    queue: NeighborPriorityQueue<f32>,
}

impl Static {
    fn new(node_size: usize) -> Self {
        Self {
            node_size,
            index: None,
            stack: Vec::new(),
            queue: NeighborPriorityQueue::new(),
        }
    }
}

impl Contestant for Static {
    fn build(&mut self, world: &World) {
        let count = world.scene.units;
        let mut builder = StaticAABB2DIndexBuilder::new_with_node_size(count, self.node_size);
        for unit in 0..count as u32 {
            let it = world.aabb(unit);
            builder.add(it.min.x, it.min.y, it.max.x, it.max.y);
        }
        self.index = builder.build().ok();
    }

    fn discard(&mut self) {
        self.index = None;
    }

    fn pairs<T: Tally>(&mut self, world: &World, tally: &mut T) {
        let Some(index) = &self.index else { return };
        let around = Vec2::splat(world.reach * 1.0005);
        for unit in 0..world.scene.units as u32 {
            let area = world.aabb(unit).grown(around);
            index.visit_query_with_stack(
                area.min.x,
                area.min.y,
                area.max.x,
                area.max.y,
                &mut |other: usize| {
                    let other = other as u32;
                    if unit < other && world.in_reach(unit, other) {
                        tally.pair(unit, other);
                    }
                },
                &mut self.stack,
            );
        }
    }

    fn rectangles<T: Tally>(&mut self, world: &World, tally: &mut T) {
        let Some(index) = &self.index else { return };
        for (place, area) in world.rectangles.iter().enumerate() {
            tally.query(place);
            index.visit_query_with_stack(
                area.min.x,
                area.min.y,
                area.max.x,
                area.max.y,
                &mut |unit: usize| tally.unit(unit as u32),
                &mut self.stack,
            );
        }
    }

    fn nearest<T: Tally>(&mut self, world: &World, tally: &mut T) {
        let Some(index) = &self.index else { return };
        for (place, point) in world.points.iter().enumerate() {
            tally.query(place);
            let mut left = NEAREST_COUNT;
            index.visit_neighbors_with_queue(
                point.x,
                point.y,
                &mut |_: usize, distance_sq: f32| {
                    tally.distance_sq(distance_sq);
                    left -= 1;
                    if left == 0 {
                        Control::Break(())
                    } else {
                        Control::Continue
                    }
                },
                &mut self.queue,
            );
        }
    }
}

/// Enters it for everything; for a step it is built anew.
pub fn enter(_: &World, work: Work, entries: &mut Vec<Entry>) {
    if work == Work::Move {
        return;
    }
    let plain = Entry::peer(
        "static_aabb2d_index",
        family::BVH,
        Question::Rectangles,
        |_| Static::new(16),
    );
    entries.push(plain.or("nodes of 8", |_| Static::new(8)));
}
