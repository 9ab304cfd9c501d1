//! `bolt-quadtree`: a loose quadtree for collisions. What only touches is not found, so shapes are grown a little and what is
//! found is tested. It is known to miss pairs; then it is named, and gets no time.

use crate::contest::{Contestant, Entry, family};
use crate::tally::Tally;
use crate::work::{Question, Work};
use crate::world::World;
use bolt_quadtree::quadtree::{Config, EntityTypeUpdate, QuadTree};
use bolt_quadtree::shapes::Rectangle;
use skirmish::geometry::{Aabb, Vec2};

/// By how much every box is grown.
const GROWN: f32 = 1.0e-3;

struct Bolt {
    config: Config,
    tree: Option<QuadTree>,
    grown: f32,
}

impl Bolt {
    fn new(world: &World, work: Work, max_depth: usize) -> Self {
        let is_for_pairs = matches!(work, Work::Pairs | Work::StepPairs);
        Self {
            config: Config {
                pool_size: world.scene.units,
                node_capacity: 32,
                max_depth,
                ..Config::default()
            },
            tree: None,
            grown: if is_for_pairs { world.reach * 0.5 } else { 0.0 } + GROWN,
        }
    }

    fn area(&self, world: &World, unit: u32) -> Aabb {
        world.aabb(unit).grown(Vec2::splat(self.grown))
    }
}

impl Contestant for Bolt {
    fn build(&mut self, world: &World) {
        let (middle, size) = (world.field.center(), world.field.size());
        let bounds = Rectangle::new(middle.x, middle.y, size.x, size.y);
        let Ok(mut tree) = QuadTree::new_with_config(bounds, self.config.clone()) else {
            return;
        };
        for unit in 0..world.scene.units as u32 {
            let it = self.area(world, unit);
            // A unit that is refused is missed by the answers.
            let _ = tree.insert_rect_extent(unit, it.min.x, it.min.y, it.max.x, it.max.y, None);
        }
        tree.update();
        self.tree = Some(tree);
    }

    fn discard(&mut self) {
        self.tree = None;
    }

    fn update(&mut self, world: &World) {
        for unit in 0..world.scene.units as u32 {
            self.relocate(world, unit, Vec2::ZERO);
        }
        self.settle(world);
    }

    fn relocate(&mut self, world: &World, unit: u32, _from: Vec2) {
        let it = self.area(world, unit);
        if let Some(tree) = &mut self.tree {
            let _ = tree.relocate_rect_extent(
                unit,
                it.min.x,
                it.min.y,
                it.max.x,
                it.max.y,
                EntityTypeUpdate::Preserve,
            );
        }
    }

    fn settle(&mut self, _world: &World) {
        if let Some(tree) = &mut self.tree {
            tree.update();
        }
    }

    fn pairs<T: Tally>(&mut self, world: &World, tally: &mut T) {
        if let Some(tree) = &mut self.tree {
            tree.for_each_collision_pair(|a, b| {
                if world.in_reach(a, b) {
                    tally.pair(a, b);
                }
            });
        }
    }

    fn rectangles<T: Tally>(&mut self, world: &World, tally: &mut T) {
        let Some(tree) = &mut self.tree else { return };
        for (index, area) in world.rectangles.iter().enumerate() {
            tally.query(index);
            let wide = area.grown(Vec2::splat(GROWN));
            let _ = tree.collisions_rect_extent_with(
                wide.min.x,
                wide.min.y,
                wide.max.x,
                wide.max.y,
                |unit| {
                    if world.aabb(unit).overlaps(*area) {
                        tally.unit(unit);
                    }
                },
            );
        }
    }
}

/// Enters it for all but the nearest.
pub fn enter(world: &World, work: Work, entries: &mut Vec<Entry>) {
    if work == Work::Nearest {
        return;
    }
    let family = if world.is_sized() {
        family::RECT_QUADTREE
    } else {
        family::QUADTREE
    };
    let with = move |depth| move |world: &World| Bolt::new(world, work, depth);
    let plain = Entry::peer("bolt-quadtree", family, Question::Rectangles, with(6));
    entries.push(plain.or("9 deep", with(9)));
}
