//! `parry2d`: the bounding volume hierarchy of the physics engine Rapier.
//!
//! For pairs each unit is a box grown by half of the reach, and what it finds is tested by distance; otherwise its own box.
//! Boxes may have a margin, so that small moves change nothing; whether they do, and how a step is made, is tried out.

use crate::contest::{Contestant, Entry, family};
use crate::tally::Tally;
use crate::work::{Question, Work};
use crate::world::World;
use parry2d::bounding_volume::Aabb;
use parry2d::math::Vector;
use parry2d::partitioning::{Bvh, BvhBuildStrategy, BvhWorkspace};
use skirmish::geometry::Vec2;

#[cfg(feature = "parallel")]
mod in_parallel;

/// How a step is made.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Upkeep {
    /// By a new tree.
    Rebuild,
    /// By stretching the boxes.
    Refit,
    /// By stretching the boxes, and turning some of the tree for the better.
    Optimize,
}

struct Parry {
    tree: Bvh,
    workspace: BvhWorkspace,
    upkeep: Upkeep,
    /// How far each box reaches beyond its unit.
    grown: f32,
    /// How far a box reaches beyond that, once it moved.
    margin: f32,
    strategy: BvhBuildStrategy,
}

fn vector(of: Vec2) -> Vector {
    Vector::new(of.x, of.y)
}

fn aabb(area: skirmish::geometry::Aabb) -> Aabb {
    Aabb::new(vector(area.min), vector(area.max))
}

impl Parry {
    fn new(work: Work, world: &World, upkeep: Upkeep, margin: f32) -> Self {
        let is_for_pairs = matches!(work, Work::Pairs | Work::StepPairs | Work::Step);
        Self {
            tree: Bvh::new(),
            workspace: BvhWorkspace::default(),
            upkeep,
            // A little more than half, for what rounding takes away.
            grown: if is_for_pairs {
                world.reach * 0.5005
            } else {
                0.0
            },
            margin,
            strategy: BvhBuildStrategy::Binned,
        }
    }

    fn leaf(&self, world: &World, unit: u32) -> Aabb {
        aabb(world.aabb(unit).grown(Vec2::splat(self.grown)))
    }
}

impl Contestant for Parry {
    fn build(&mut self, world: &World) {
        let leaves =
            (0..world.scene.units as u32).map(|unit| (unit as usize, self.leaf(world, unit)));
        self.tree = Bvh::from_iter(self.strategy, leaves);
    }

    fn discard(&mut self) {
        self.tree = Bvh::new();
    }

    fn update(&mut self, world: &World) {
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

    fn relocate(&mut self, world: &World, unit: u32, _from: Vec2) {
        let leaf = self.leaf(world, unit);
        if self.upkeep == Upkeep::Rebuild {
            // Out of the tree and in again: boxes never grow for good.
            self.tree.remove(unit);
        }
        self.tree
            .insert_with_change_detection(leaf, unit, self.margin);
    }

    fn pairs<T: Tally>(&mut self, world: &World, tally: &mut T) {
        self.tree
            .traverse_bvtt_single_tree::<false>(&mut self.workspace, &mut |a, b| {
                if world.in_reach(a, b) {
                    tally.pair(a, b);
                }
            });
    }

    fn rectangles<T: Tally>(&mut self, world: &World, tally: &mut T) {
        for (index, area) in world.rectangles.iter().enumerate() {
            tally.query(index);
            let exact = self.margin == 0.0 && self.grown == 0.0;
            for unit in self.tree.intersect_aabb(&aabb(*area)) {
                if exact || world.aabb(unit).overlaps(*area) {
                    tally.unit(unit);
                }
            }
        }
    }
}

/// Enters it for everything but the nearest, of which it knows one at a time only.
pub fn enter(_: &World, work: Work, entries: &mut Vec<Entry>) {
    let with = move |upkeep, margin| move |world: &World| Parry::new(work, world, upkeep, margin);
    let plain = Entry::peer(
        "parry2d",
        family::BVH,
        Question::Rectangles,
        with(Upkeep::Rebuild, 0.0),
    );
    let entry = match work {
        Work::Nearest => return,
        Work::Build | Work::Pairs | Work::Rectangles => plain,
        Work::Step | Work::StepPairs => plain
            .or("refit", with(Upkeep::Refit, 0.0))
            .or("optimized", with(Upkeep::Optimize, 0.0))
            .or("optimized, margin 0.3", with(Upkeep::Optimize, 0.3)),
        Work::Move => {
            // Boxes that only grow: quick, but no longer the tree that a build would give.
            entries.push(Entry::peer(
                "parry2d stretched",
                family::BVH,
                Question::Rectangles,
                with(Upkeep::Refit, 0.0),
            ));
            plain
        }
    };
    #[cfg(feature = "parallel")]
    let entry = in_parallel::with(entry, work);
    entries.push(entry);
}
