//! The libraries that know of a third dimension, each in the mode in which it is best; [`crate::peers`] has them on a plane.

use super::World3;
use crate::contest::{Contestant, Entry, family};
use crate::peers::kiddo::ask_for_the_nearest;
use crate::tally::Tally;
use crate::work::{NEAREST_COUNT, Question, Work};
use kiddo::{ImmutableKdTree, SquaredEuclidean};
use parry3d::bounding_volume::Aabb;
use parry3d::math::Vector;
use parry3d::partitioning::{Bvh, BvhBuildStrategy, BvhWorkspace};
use rstar::primitives::{GeomWithData, Rectangle};
use rstar::{AABB, RTree};
use skirmish::volume::{Aabb3, Vec3};
use std::num::NonZero;
use std::ops::ControlFlow;

/// `kiddo`: the immutable k-d tree of points, built anew for each step.
#[derive(Default)]
struct Kiddo {
    tree: Option<ImmutableKdTree<f32, 3>>,
    /// Pairs are searched by walking it together with a copy of itself, otherwise unit by unit.
    joins: bool,
    /// The copy: it refuses to be joined with itself, and cannot be copied.
    other: Option<ImmutableKdTree<f32, 3>>,
}

type Metric = SquaredEuclidean<f32>;

const COUNT: NonZero<usize> = NonZero::new(NEAREST_COUNT).expect("more than none");

impl Contestant<World3> for Kiddo {
    fn build(&mut self, world: &World3) {
        let points: Vec<[f32; 3]> = world.centers.iter().map(Vec3::to_array).collect();
        self.tree = ImmutableKdTree::new_from_slice(&points).ok();
        if self.joins {
            self.other = ImmutableKdTree::new_from_slice(&points).ok();
        }
    }

    fn discard(&mut self) {
        (self.tree, self.other) = (None, None);
    }

    fn pairs<T: Tally>(&mut self, world: &World3, tally: &mut T) {
        let Some(tree) = &self.tree else { return };
        let reach_sq = world.reach * world.reach;
        if let Some(other) = &self.other {
            let both = tree
                .query_tree(other)
                .within::<Metric>(reach_sq)
                .without_distances()
                .execute();
            for pair in both {
                // Both orders come, and everybody with themselves.
                if pair.left_item < pair.right_item {
                    tally.pair(pair.left_item, pair.right_item);
                }
            }
            return;
        }
        for (unit, center) in (0..).zip(&world.centers) {
            tree.query(&center.to_array())
                .within::<Metric>(reach_sq)
                .unsorted()
                .visit(|found| {
                    if unit < found.item {
                        tally.pair(unit, found.item);
                    }
                });
        }
    }

    ask_for_the_nearest!(tree, World3);
}

fn envelope(area: Aabb3) -> AABB<[f32; 3]> {
    AABB::from_corners(area.min.to_array(), area.max.to_array())
}

type Item = GeomWithData<[f32; 3], u32>;

/// `rstar` with points, built anew for each step.
#[derive(Default)]
struct Points(RTree<Item>);

impl Contestant<World3> for Points {
    fn build(&mut self, world: &World3) {
        let items = (0..).zip(&world.centers);
        let items = items.map(|(unit, center)| Item::new(center.to_array(), unit));
        self.0 = RTree::bulk_load(items.collect());
    }

    fn discard(&mut self) {
        self.0 = RTree::new();
    }

    fn pairs<T: Tally>(&mut self, world: &World3, tally: &mut T) {
        let reach_sq = world.reach * world.reach;
        for (unit, center) in (0..).zip(&world.centers) {
            for other in self.0.locate_within_distance(center.to_array(), reach_sq) {
                if unit < other.data {
                    tally.pair(unit, other.data);
                }
            }
        }
    }

    fn rectangles<T: Tally>(&mut self, world: &World3, tally: &mut T) {
        for (index, area) in world.boxes.iter().enumerate() {
            tally.query(index);
            let _ = self
                .0
                .locate_in_envelope_intersecting_int(envelope(*area), |found| {
                    tally.unit(found.data);
                    ControlFlow::<()>::Continue(())
                });
        }
    }

    fn nearest<T: Tally>(&mut self, world: &World3, tally: &mut T) {
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

/// `rstar` with boxes, joined with itself for pairs. Points grow to boxes of half the reach then.
#[derive(Default)]
struct Boxes(RTree<GeomWithData<Rectangle<[f32; 3]>, u32>>);

impl Contestant<World3> for Boxes {
    fn build(&mut self, world: &World3) {
        // A little more than half, for what rounding takes away.
        let grown = Vec3::splat(world.reach * 0.5005);
        let items = (0..world.scene.units as u32).map(|unit| {
            let area = envelope(world.aabb(unit).grown(grown));
            GeomWithData::new(Rectangle::from_aabb(area), unit)
        });
        self.0 = RTree::bulk_load(items.collect());
    }

    fn discard(&mut self) {
        self.0 = RTree::new();
    }

    fn pairs<T: Tally>(&mut self, world: &World3, tally: &mut T) {
        for (a, b) in self.0.intersection_candidates_with_other_tree(&self.0) {
            if a.data < b.data && world.in_reach(a.data, b.data) {
                tally.pair(a.data, b.data);
            }
        }
    }

    fn rectangles<T: Tally>(&mut self, world: &World3, tally: &mut T) {
        for (index, area) in world.boxes.iter().enumerate() {
            tally.query(index);
            let _ = self
                .0
                .locate_in_envelope_intersecting_int(envelope(*area), |found| {
                    if world.aabb(found.data).overlaps(*area) {
                        tally.unit(found.data);
                    }
                    ControlFlow::<()>::Continue(())
                });
        }
    }
}

/// How `parry3d` makes a step.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Upkeep {
    /// By a new tree.
    Rebuild,
    /// By stretching the boxes.
    Refit,
    /// By stretching the boxes, and turning some of the tree for the better.
    Optimize,
}

/// `parry3d`: for pairs each unit is a box grown by half of the reach, and what it finds is tested by distance.
struct Parry {
    tree: Bvh,
    workspace: BvhWorkspace,
    strategy: BvhBuildStrategy,
    upkeep: Upkeep,
    /// How far each box reaches beyond its unit.
    grown: f32,
    /// How far a box reaches beyond that, once it moved.
    margin: f32,
}

fn aabb(area: Aabb3) -> Aabb {
    let vector = |of: Vec3| Vector::new(of.x, of.y, of.z);
    Aabb::new(vector(area.min), vector(area.max))
}

impl Parry {
    fn leaf(&self, world: &World3, unit: u32) -> Aabb {
        aabb(world.aabb(unit).grown(Vec3::splat(self.grown)))
    }
}

impl Contestant<World3> for Parry {
    fn build(&mut self, world: &World3) {
        let units = 0..world.scene.units as u32;
        let leaves = units.map(|unit| (unit as usize, self.leaf(world, unit)));
        self.tree = Bvh::from_iter(self.strategy, leaves);
    }

    fn discard(&mut self) {
        self.tree = Bvh::new();
    }

    fn update(&mut self, world: &World3) {
        if self.upkeep == Upkeep::Rebuild {
            return self.build(world);
        }
        for unit in 0..world.scene.units as u32 {
            let leaf = self.leaf(world, unit);
            self.tree
                .insert_or_update_partially(leaf, unit, self.margin);
        }
        self.tree.refit(&mut self.workspace);
        if self.upkeep == Upkeep::Optimize {
            self.tree.optimize_incremental(&mut self.workspace);
        }
    }

    fn pairs<T: Tally>(&mut self, world: &World3, tally: &mut T) {
        self.tree
            .traverse_bvtt_single_tree::<false>(&mut self.workspace, &mut |a, b| {
                if world.in_reach(a, b) {
                    tally.pair(a, b);
                }
            });
    }

    fn rectangles<T: Tally>(&mut self, world: &World3, tally: &mut T) {
        let is_exact = self.margin == 0.0 && self.grown == 0.0;
        for (index, area) in world.boxes.iter().enumerate() {
            tally.query(index);
            for unit in self.tree.intersect_aabb(&aabb(*area)) {
                if is_exact || world.aabb(unit).overlaps(*area) {
                    tally.unit(unit);
                }
            }
        }
    }
}

/// Enters those that do this work on this crowd.
pub fn enter(world: &World3, work: Work, entries: &mut Vec<Entry<World3>>) {
    let joins = matches!(work, Work::Pairs | Work::StepPairs);
    if !world.is_sized() && work != Work::Rectangles {
        let kiddo = |joins| {
            move |_: &World3| Kiddo {
                joins,
                ..Kiddo::default()
            }
        };
        let mut entry = Entry::peer("kiddo", family::KD_TREE, Question::Nearest, kiddo(false));
        if joins {
            entry = entry.or("join", kiddo(true));
        }
        entries.push(entry);
    }
    let question = Question::Rectangles;
    let boxes = |_: &World3| Boxes::default();
    let mut rstar = if world.is_sized() {
        Entry::peer("rstar", family::BVH, question, boxes)
    } else {
        Entry::peer("rstar", family::BVH, question, |_| Points::default())
    };
    if joins && !world.is_sized() {
        rstar = rstar.or("boxes, join", boxes);
    }
    if work == Work::Nearest {
        if !world.is_sized() {
            entries.push(rstar);
        }
        // The others know the nearest of points alone, and `parry3d` one at a time.
        return;
    }
    entries.push(rstar);
    let with = |strategy, upkeep, margin| {
        let is_for_pairs = joins || work == Work::Step;
        move |world: &World3| Parry {
            tree: Bvh::new(),
            workspace: BvhWorkspace::default(),
            strategy,
            upkeep,
            // A little more than half, for what rounding takes away.
            grown: if is_for_pairs {
                world.reach * 0.5005
            } else {
                0.0
            },
            margin,
        }
    };
    let (binned, ploc) = (BvhBuildStrategy::Binned, BvhBuildStrategy::Ploc);
    let mut parry = Entry::peer(
        "parry3d",
        family::BVH,
        question,
        with(binned, Upkeep::Rebuild, 0.0),
    );
    if work.moves_all() {
        parry = parry
            .or("refit", with(binned, Upkeep::Refit, 0.0))
            .or("optimized", with(binned, Upkeep::Optimize, 0.0))
            .or("optimized, margin 0.3", with(binned, Upkeep::Optimize, 0.3));
    } else if work != Work::Build {
        parry = parry.or("ploc", with(ploc, Upkeep::Rebuild, 0.0));
    }
    entries.push(parry);
}
