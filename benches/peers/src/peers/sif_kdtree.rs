//! `sif-kdtree`: a k-d tree that is nothing but its points in order.

use crate::contest::{Contestant, Entry, family};
use crate::tally::Tally;
use crate::work::{Question, Work};
use crate::world::World;
use sif_kdtree::{KdTree, Object, WithinBoundingBox, WithinDistance};
use std::ops::ControlFlow;

#[cfg(feature = "parallel")]
mod in_parallel;

struct Item {
    unit: u32,
    place: [f32; 2],
}

impl Object for Item {
    type Point = [f32; 2];

    fn position(&self) -> &[f32; 2] {
        &self.place
    }
}

type Tree = KdTree<Item, Vec<Item>>;

struct Sif(Option<Tree>);

fn items(world: &World) -> Vec<Item> {
    (0..)
        .zip(&world.centers)
        .map(|(unit, center)| Item {
            unit,
            place: center.to_array(),
        })
        .collect()
}

/// The pairs of one unit and those that come after it.
#[inline]
fn pairs_of<T: Tally>(item: &Item, tree: &Tree, world: &World, tally: &mut T) {
    // A little more than the reach, for the box that it looks into first; the distance decides.
    let reach_sq = world.reach * world.reach;
    let query = WithinDistance::new(item.place, world.reach * 1.0005);
    let _ = tree.look_up(&query, |other| {
        let (x, y) = (
            item.place[0] - other.place[0],
            item.place[1] - other.place[1],
        );
        if item.unit < other.unit && x * x + y * y <= reach_sq {
            tally.pair(item.unit, other.unit);
        }
        ControlFlow::<()>::Continue(())
    });
}

impl Contestant for Sif {
    fn build(&mut self, world: &World) {
        self.0 = Some(KdTree::new(items(world)));
    }

    fn discard(&mut self) {
        self.0 = None;
    }

    fn pairs<T: Tally>(&mut self, world: &World, tally: &mut T) {
        let Some(tree) = &self.0 else { return };
        for item in tree.iter() {
            pairs_of(item, tree, world, tally);
        }
    }

    fn rectangles<T: Tally>(&mut self, world: &World, tally: &mut T) {
        let Some(tree) = &self.0 else { return };
        for (index, area) in world.rectangles.iter().enumerate() {
            tally.query(index);
            let query = WithinBoundingBox::new(area.min.to_array(), area.max.to_array());
            let _ = tree.look_up(&query, |found| {
                tally.unit(found.unit);
                ControlFlow::<()>::Continue(())
            });
        }
    }
}

/// Enters it for points; for a step it is built anew. It knows the nearest one only.
pub fn enter(world: &World, work: Work, entries: &mut Vec<Entry>) {
    if !world.is_sized() && !matches!(work, Work::Nearest | Work::Move) {
        let entry = Entry::peer("sif-kdtree", family::KD_TREE, Question::Rectangles, |_| {
            Sif(None)
        });
        #[cfg(feature = "parallel")]
        let entry = in_parallel::with(entry);
        entries.push(entry);
    }
}
