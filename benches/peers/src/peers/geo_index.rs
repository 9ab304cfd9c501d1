//! `geo-index`: packed trees in one buffer, an R-tree of boxes and a k-d tree of points.

use crate::contest::{Contestant, Entry, family};
use crate::tally::Tally;
use crate::work::{NEAREST_COUNT, Question, Work};
use crate::world::World;
use geo_index::kdtree::{KDTree, KDTreeBuilder, KDTreeIndex};
use geo_index::rtree::sort::{HilbertSort, STRSort};
use geo_index::rtree::{NeighborsOptions, RTree, RTreeBuilder, RTreeIndex};
use skirmish::geometry::{Aabb, Vec2};

/// The R-tree, sorted along the Hilbert curve or tile by tile.
struct Boxes<const TILES: bool>(Option<RTree<f32>>);

impl<const TILES: bool> Contestant for Boxes<TILES> {
    fn build(&mut self, world: &World) {
        let count = world.scene.units as u32;
        let mut builder = RTreeBuilder::new(count);
        for unit in 0..count {
            let it = world.aabb(unit);
            builder.add(it.min.x, it.min.y, it.max.x, it.max.y);
        }
        self.0 = Some(if TILES {
            builder.finish::<STRSort>()
        } else {
            builder.finish::<HilbertSort>()
        });
    }

    fn discard(&mut self) {
        self.0 = None;
    }

    fn pairs<T: Tally>(&mut self, world: &World, tally: &mut T) {
        let Some(tree) = &self.0 else { return };
        let around = Vec2::splat(world.reach * 1.0005);
        for unit in 0..world.scene.units as u32 {
            let area = world.aabb(unit).grown(around);
            for other in tree.search(area.min.x, area.min.y, area.max.x, area.max.y) {
                if unit < other && world.in_reach(unit, other) {
                    tally.pair(unit, other);
                }
            }
        }
    }

    fn rectangles<T: Tally>(&mut self, world: &World, tally: &mut T) {
        let Some(tree) = &self.0 else { return };
        for (index, area) in world.rectangles.iter().enumerate() {
            tally.query(index);
            tally.units(&tree.search(area.min.x, area.min.y, area.max.x, area.max.y));
        }
    }

    fn nearest<T: Tally>(&mut self, world: &World, tally: &mut T) {
        let Some(tree) = &self.0 else { return };
        for (index, point) in world.points.iter().enumerate() {
            tally.query(index);
            let distance_sq = |[left, bottom, right, top]: [f32; 4]| {
                Aabb::new(Vec2::new(left, bottom), Vec2::new(right, top)).distance_sq(*point)
            };
            let found = tree.neighbors_with_callbacks(
                NeighborsOptions::k(NEAREST_COUNT),
                distance_sq,
                |_, area| Some(distance_sq(area)),
            );
            for (_, distance_sq) in found {
                tally.distance_sq(distance_sq);
            }
        }
    }
}

/// The k-d tree.
struct Points(Option<KDTree<f32>>);

impl Contestant for Points {
    fn build(&mut self, world: &World) {
        let mut builder = KDTreeBuilder::new(world.scene.units as u32);
        for center in &world.centers {
            builder.add(center.x, center.y);
        }
        self.0 = Some(builder.finish());
    }

    fn discard(&mut self) {
        self.0 = None;
    }

    fn pairs<T: Tally>(&mut self, world: &World, tally: &mut T) {
        let Some(tree) = &self.0 else { return };
        for (unit, center) in (0..).zip(&world.centers) {
            for other in tree.within(center.x, center.y, world.reach) {
                if unit < other {
                    tally.pair(unit, other);
                }
            }
        }
    }

    fn rectangles<T: Tally>(&mut self, world: &World, tally: &mut T) {
        let Some(tree) = &self.0 else { return };
        for (index, area) in world.rectangles.iter().enumerate() {
            tally.query(index);
            tally.units(&tree.range(area.min.x, area.min.y, area.max.x, area.max.y));
        }
    }
}

/// Enters both; for a step they are built anew.
pub fn enter(world: &World, work: Work, entries: &mut Vec<Entry>) {
    if work == Work::Move {
        return;
    }
    let boxes = Entry::peer("geo-index", family::BVH, Question::Rectangles, |_| {
        Boxes::<false>(None)
    });
    entries.push(boxes.or("tiles", |_| Boxes::<true>(None)));
    if work != Work::Nearest && !world.is_sized() {
        entries.push(Entry::peer(
            "geo-index kd-tree",
            family::KD_TREE,
            Question::Rectangles,
            |_| Points(None),
        ));
    }
}
