//! `broccoli`: a k-d tree of boxes whose nodes sweep and prune.
//!
//! Boxes without an area never meet, so each is grown by a little and what is found is tested. The tree puts its boxes into
//! an order of its own; leaving them there from step to step, or laying them out by id again, is tried out.

use crate::contest::{Contestant, Entry, family};
use crate::tally::Tally;
use crate::work::{Question, Work};
use crate::world::World;
use broccoli::aabb::pin::AabbPin;
use broccoli::aabb::{BBox, Rect};
use broccoli::{Tree, TreeData};
use skirmish::geometry::{Aabb, Vec2};

#[cfg(feature = "parallel")]
mod in_parallel;

/// By how much every box is grown.
const GROWN: f32 = 5.0e-4;

struct Broccoli {
    boxes: Vec<BBox<f32, u32>>,
    data: Option<TreeData<f32>>,
    /// How far a box reaches beyond its unit.
    grown: f32,
    /// Whether the boxes stay in the tree's order.
    keeps_order: bool,
    /// Whether the tree is built when it is asked, which saves taking it apart and putting it together.
    is_late: bool,
}

fn rect(area: Aabb) -> Rect<f32> {
    broccoli::rect(area.min.x, area.max.x, area.min.y, area.max.y)
}

impl Broccoli {
    fn new(world: &World, work: Work, keeps_order: bool) -> Self {
        let is_for_pairs = work != Work::Rectangles;
        Self {
            boxes: Vec::new(),
            data: None,
            grown: if is_for_pairs { world.reach * 0.5 } else { 0.0 } + GROWN,
            keeps_order,
            is_late: work == Work::StepPairs,
        }
    }

    fn lay_out(&mut self, world: &World) {
        let grown = Vec2::splat(self.grown);
        if self.keeps_order && !self.boxes.is_empty() {
            for it in &mut self.boxes {
                it.rect = rect(world.aabb(it.inner).grown(grown));
            }
            return;
        }
        self.boxes.clear();
        let units = 0..world.scene.units as u32;
        self.boxes
            .extend(units.map(|unit| BBox::new(rect(world.aabb(unit).grown(grown)), unit)));
    }

    fn plant(&mut self) {
        if !self.is_late {
            self.data = Some(Tree::new(&mut self.boxes).get_tree_data());
        }
    }

    fn with_tree(&mut self, ask: impl FnOnce(&mut Tree<'_, BBox<f32, u32>>)) {
        match &self.data {
            Some(data) => ask(&mut Tree::from_tree_data(&mut self.boxes, data)),
            None => ask(&mut Tree::new(&mut self.boxes)),
        }
    }
}

impl Contestant for Broccoli {
    fn build(&mut self, world: &World) {
        self.boxes.clear();
        self.lay_out(world);
        self.plant();
    }

    fn update(&mut self, world: &World) {
        self.lay_out(world);
        self.plant();
    }

    fn pairs<T: Tally>(&mut self, world: &World, tally: &mut T) {
        self.with_tree(|tree| {
            tree.find_colliding_pairs(|a, b| {
                let (a, b) = (*a.unpack_inner(), *b.unpack_inner());
                if world.in_reach(a, b) {
                    tally.pair(a, b);
                }
            });
        });
    }

    fn rectangles<T: Tally>(&mut self, world: &World, tally: &mut T) {
        self.with_tree(|tree| {
            for (index, area) in world.rectangles.iter().enumerate() {
                tally.query(index);
                let mut asked = rect(*area);
                tree.find_all_intersect_rect(AabbPin::new(&mut asked), |_, found| {
                    let unit = *found.unpack_inner();
                    if world.aabb(unit).overlaps(*area) {
                        tally.unit(unit);
                    }
                });
            }
        });
    }
}

/// Enters it for boxes, and for pairs above all.
pub fn enter(_: &World, work: Work, entries: &mut Vec<Entry>) {
    let plain = Entry::peer(
        "broccoli",
        family::SWEEP_AND_PRUNE,
        Question::Pairs,
        move |world| Broccoli::new(world, work, false),
    );
    let entry = match work {
        Work::Build | Work::Pairs | Work::Rectangles => plain,
        Work::Step | Work::StepPairs => plain.or("in its own order", move |world| {
            Broccoli::new(world, work, true)
        }),
        Work::Nearest | Work::Move => return,
    };
    #[cfg(feature = "parallel")]
    let entry = in_parallel::with(entry, work);
    entries.push(entry);
}
