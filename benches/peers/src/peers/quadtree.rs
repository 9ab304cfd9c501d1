//! `quadtree` and `quadtree-f32`: quadtrees that are built and asked. The first refuses some points within its bounds; where
//! it does, it is named, and gets no time.

use crate::contest::{Contestant, Entry, family};
use crate::tally::Tally;
use crate::work::{Question, Work};
use crate::world::{Distribution, Ids, World};
use quadtree::shapes::Rect;
use quadtree::{Point, Quadtree, Vec2};
use quadtree_f32::{Item, ItemId, QuadTree};

/// Beyond this many units building the second takes longer than everything else together.
const LIMIT: usize = 20_000;

#[derive(Clone)]
struct Unit {
    unit: u32,
    place: Vec2,
}

impl Point for Unit {
    fn point(&self) -> Vec2 {
        self.place
    }
}

struct Plain {
    capacity: usize,
    tree: Option<Quadtree<Unit>>,
}

fn corner(of: skirmish::geometry::Vec2) -> Vec2 {
    Vec2::new(of.x, of.y)
}

impl Contestant for Plain {
    fn build(&mut self, world: &World) {
        let bounds = Rect::new(corner(world.field.min), corner(world.field.max));
        let mut tree = Quadtree::new(bounds, self.capacity, 16);
        let units: Vec<Unit> = (0..)
            .zip(&world.centers)
            .map(|(unit, center)| Unit {
                unit,
                place: corner(*center),
            })
            .collect();
        tree.insert_many(&units);
        self.tree = Some(tree);
    }

    fn discard(&mut self) {
        self.tree = None;
    }

    fn pairs<T: Tally>(&mut self, world: &World, tally: &mut T) {
        let Some(tree) = &self.tree else { return };
        let around = skirmish::geometry::Vec2::splat(world.reach * 1.0005);
        for (unit, center) in (0..).zip(&world.centers) {
            let area = Rect::new(corner(*center - around), corner(*center + around));
            for found in tree.query_ref(&area) {
                if unit < found.unit && world.in_reach(unit, found.unit) {
                    tally.pair(unit, found.unit);
                }
            }
        }
    }

    fn rectangles<T: Tally>(&mut self, world: &World, tally: &mut T) {
        let Some(tree) = &self.tree else { return };
        for (index, area) in world.rectangles.iter().enumerate() {
            tally.query(index);
            for found in tree.query_ref(&Rect::new(corner(area.min), corner(area.max))) {
                tally.unit(found.unit);
            }
        }
    }
}

struct F32(Option<QuadTree>);

impl Contestant for F32 {
    fn build(&mut self, world: &World) {
        let mut tree = QuadTree::new();
        for (unit, center) in world.centers.iter().enumerate() {
            let place = quadtree_f32::Point::new(center.x, center.y);
            tree.insert(ItemId(unit), Item::Point(place));
        }
        self.0 = Some(tree);
    }

    fn discard(&mut self) {
        self.0 = None;
    }

    fn rectangles<T: Tally>(&mut self, world: &World, tally: &mut T) {
        let Some(tree) = &self.0 else { return };
        for (index, area) in world.rectangles.iter().enumerate() {
            tally.query(index);
            let found = tree.get_ids_that_overlap(&quadtree_f32::Rect {
                min_x: area.min.x,
                min_y: area.min.y,
                max_x: area.max.x,
                max_y: area.max.y,
            });
            for unit in found {
                tally.unit(unit.0 as u32);
            }
        }
    }
}

/// Enters both for building and for rectangles, and the first for pairs, unit by unit.
pub fn enter(world: &World, work: Work, entries: &mut Vec<Entry>) {
    if world.is_sized() || !matches!(work, Work::Build | Work::Pairs | Work::Rectangles) {
        return;
    }
    let of = |capacity| {
        move |_: &World| Plain {
            capacity,
            tree: None,
        }
    };
    // One of Skirmish's structures goes by the same name.
    let plain = Entry::peer(
        "quadtree crate",
        family::QUADTREE,
        Question::Rectangles,
        of(16),
    );
    entries.push(plain.or("capacity 64", of(64)));
    // Units in the order of a curve make the second call itself once for each of them, and so do crowds with a long tail or in a thin band: no
    // stack is deep enough, and all the others would end with it.
    let is_shallow = world.scene.ids == Ids::Random
        && world.scene.units <= LIMIT
        && !matches!(
            world.scene.distribution,
            Distribution::Lognormal | Distribution::Diagonal
        );
    if work != Work::Pairs && is_shallow {
        entries.push(Entry::peer(
            "quadtree-f32",
            family::QUADTREE,
            Question::Rectangles,
            |_| F32(None),
        ));
    }
}
