//! `obvhs`: a bounding volume hierarchy for rays, in three dimensions, of which one is flat here.

use crate::contest::{Contestant, Entry, family};
use crate::tally::Tally;
use crate::work::{Question, Work};
use crate::world::World;
use obvhs::aabb::Aabb;
use obvhs::bvh2::Bvh2;
use obvhs::ploc::{PlocBuilder, PlocSearchDistance, SortPrecision};
use skirmish::geometry::Vec2;

struct Obvhs {
    builder: PlocBuilder,
    tree: Bvh2,
    search: PlocSearchDistance,
}

impl Obvhs {
    fn new(search: PlocSearchDistance) -> Self {
        Self {
            builder: PlocBuilder::new(),
            tree: Bvh2::default(),
            search,
        }
    }
}

fn aabb(area: skirmish::geometry::Aabb) -> Aabb {
    Aabb {
        min: [area.min.x, area.min.y, 0.0].into(),
        max: [area.max.x, area.max.y, 0.0].into(),
    }
}

impl Contestant for Obvhs {
    fn build(&mut self, world: &World) {
        let units = 0..world.scene.units as u32;
        let boxes: Vec<Aabb> = units.clone().map(|unit| aabb(world.aabb(unit))).collect();
        self.tree = self
            .builder
            .build(self.search, &boxes, units.collect(), SortPrecision::U64, 1);
    }

    fn discard(&mut self) {
        self.tree = Bvh2::default();
    }

    fn relocate(&mut self, world: &World, unit: u32, _from: Vec2) {
        self.tree.move_primitive(aabb(world.aabb(unit)), unit);
    }

    fn rectangles<T: Tally>(&mut self, world: &World, tally: &mut T) {
        for (index, area) in world.rectangles.iter().enumerate() {
            tally.query(index);
            self.tree.aabb_traverse(aabb(*area), |tree, node| {
                let node = &tree.nodes[node as usize];
                let first = node.first_index as usize;
                for unit in &tree.primitive_indices[first..first + node.prim_count as usize] {
                    if node.prim_count == 1 || world.aabb(*unit).overlaps(*area) {
                        tally.unit(*unit);
                    }
                }
                true
            });
        }
    }
}

/// Enters it for rectangles and single moves.
pub fn enter(_: &World, work: Work, entries: &mut Vec<Entry>) {
    if matches!(
        work,
        Work::Build | Work::Step | Work::Rectangles | Work::Move
    ) {
        let plain = Entry::peer("obvhs", family::BVH, Question::Rectangles, |_| {
            Obvhs::new(PlocSearchDistance::VeryLow)
        });
        entries.push(match work {
            Work::Rectangles => plain.or("wide search", |_| Obvhs::new(PlocSearchDistance::Medium)),
            _ => plain.or("least search", |_| Obvhs::new(PlocSearchDistance::Minimum)),
        });
    }
}
