//! Skirmish's own structures, through the library's public traits.
//!
//! Each is set up as someone would who knows the crowd: a few values of the knobs that matter are tried on the very scene,
//! and the quickest takes part. The untouched defaults are always among them.

use crate::contest::{Contestant, Entry, Variant, family};
use crate::tally::Tally;
use crate::together;
use crate::work::{NEAREST_COUNT, Question, Work};
use crate::world::World;
use skirmish::geometry::Vec2;
use skirmish::partition::structures::{
    all_pairs::AllPairs, battle_line::BattleLine, bsp_tree::BspTree, bvh::Bvh,
    hierarchical_grid::HierarchicalGrid, kd_tree::KdTree, linked_grid::LinkedGrid,
    morton_tree::MortonTree, quadtree::Quadtree, rect_quadtree::RectQuadtree,
    sorted_grid::SortedGrid, sweep_and_prune::SweepAndPrune,
};
use skirmish::partition::{
    Bodies, Change, Info, Kind, KnobRange, NearestQuery, Neighbor, Part, Partition,
};

/// Above this many units the double loop is left out: it would take all the time that there is.
pub const ALL_PAIRS_LIMIT: usize = 2_000;

/// Into so many shares pairs are dealt for each thread.
const SHARES_A_THREAD: usize = 8;

/// How a mass of moves is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Upkeep {
    /// As changes.
    Apply,
    /// By building anew.
    Rebuild,
}

impl Upkeep {
    /// What is worth trying for this work.
    pub fn candidates(work: Work) -> &'static [Self] {
        if work.moves_all() {
            &[Self::Apply, Self::Rebuild]
        } else {
            &[Self::Apply]
        }
    }
}

/// A structure of the library.
struct Ours<P> {
    index: P,
    upkeep: Upkeep,
    changes: Vec<Change>,
    found: Vec<Neighbor>,
}

fn bodies(world: &World) -> Bodies<'_> {
    Bodies {
        centers: &world.centers,
        half_extents: &world.half_extents,
        alive: &[],
    }
}

impl<P: Partition + Sync> Contestant for Ours<P> {
    fn build(&mut self, world: &World) {
        self.index.rebuild(bodies(world), &mut ());
    }

    fn update(&mut self, world: &World) {
        match self.upkeep {
            Upkeep::Apply => self.index.apply(bodies(world), &self.changes, &mut ()),
            Upkeep::Rebuild => self.index.rebuild(bodies(world), &mut ()),
        }
    }

    fn relocate(&mut self, world: &World, unit: u32, _from: Vec2) {
        self.index
            .apply(bodies(world), &[Change::Move(unit)], &mut ());
    }

    fn pairs<T: Tally>(&mut self, world: &World, tally: &mut T) {
        let (index, bodies, reach) = (&self.index, bodies(world), world.reach);
        if world.scene.threads == 1 {
            return index.pairs(bodies, reach, &mut (), |batch| tally.pairs(batch));
        }
        let count = world.scene.threads * SHARES_A_THREAD;
        together::tallied(count, tally, |shares, tally| {
            for share in shares {
                let part = Part {
                    index: share as u32,
                    count: count as u32,
                };
                index.pairs_part(bodies, reach, part, &mut (), |batch| tally.pairs(batch));
            }
        });
    }

    fn rectangles<T: Tally>(&mut self, world: &World, tally: &mut T) {
        for (index, area) in world.rectangles.iter().enumerate() {
            tally.query(index);
            self.index.range(bodies(world), *area, &mut (), |unit| {
                tally.unit(unit);
            });
        }
    }

    fn nearest<T: Tally>(&mut self, world: &World, tally: &mut T) {
        for (index, point) in world.points.iter().enumerate() {
            tally.query(index);
            let query = NearestQuery {
                point: *point,
                count: NEAREST_COUNT,
                within: f32::INFINITY,
            };
            self.index
                .nearest(bodies(world), query, |_| true, &mut (), &mut self.found);
            for neighbor in &self.found {
                tally.distance_sq(neighbor.distance_sq);
            }
        }
    }
}

/// Values of knobs, by their keys.
pub type Settings = Vec<(&'static str, f64)>;

/// One knob at each of these values, and the default.
pub fn each(key: &'static str, values: &[f64]) -> Vec<Settings> {
    let mut all = vec![Settings::new()];
    all.extend(values.iter().map(|value| vec![(key, *value)]));
    all
}

/// What is worth trying for this structure on this work.
fn candidates(kind: Kind, world: &World, work: Work) -> Vec<Settings> {
    // What is wide enough for a pair: the reach with slack for rounding, or the width of most sized bodies.
    let base = if world.reach > 0.0 {
        f64::from(world.reach) * 1.0005
    } else {
        1.0
    };
    let cells = [0.5, 1.0, 1.5, 2.0, 3.0, 4.0].map(|factor| (base * factor).max(0.5));
    match kind {
        Kind::AllPairs => vec![Settings::new()],
        Kind::BattleLine => vec![Settings::new()],
        Kind::LinkedGrid | Kind::SortedGrid => each("cell_size", &cells),
        Kind::HierarchicalGrid => {
            let mut all = each("cell_size", &cells[1..]);
            if world.is_sized() {
                for cell in [base, 2.0 * base] {
                    // The second choice: four times as wide from level to level.
                    all.push(vec![("cell_size", cell), ("level_ratio", 1.0)]);
                }
            }
            all
        }
        Kind::Quadtree => each("capacity", &[8.0, 32.0, 64.0, 128.0]),
        Kind::RectQuadtree => {
            let mut all = each("capacity", &[8.0, 32.0]);
            for (capacity, looseness, tight) in [
                (32.0, 1.0, 0.0),
                (32.0, 1.5, 0.0),
                (64.0, 1.0, 0.0),
                (64.0, 1.5, 0.0),
                (64.0, 1.1, 1.0),
                (64.0, 1.5, 1.0),
                (64.0, 2.0, 1.0),
                (96.0, 1.5, 1.0),
                (96.0, 2.0, 1.0),
                (128.0, 1.5, 1.0),
                (128.0, 2.0, 1.0),
            ] {
                all.push(vec![
                    ("capacity", capacity),
                    ("looseness", looseness),
                    ("tight", tight),
                ]);
            }
            all
        }
        Kind::KdTree => each("leaf_size", &[8.0, 32.0, 64.0]),
        Kind::BspTree => each("leaf_size", &[8.0, 32.0]),
        Kind::Bvh => {
            let mut all = each("leaf_size", &[4.0, 8.0, 32.0]);
            if matches!(work, Work::Move | Work::Step | Work::StepPairs) {
                all.push(vec![("update", 1.0)]);
            }
            all
        }
        Kind::MortonTree => each("cell_size", &[0.25, 1.0]),
        Kind::SweepAndPrune => each("strip_height", &cells[1..]),
    }
}

/// Enters one structure with all its candidates.
fn entry<P: Partition + Sync>(kind: Kind, world: &World, work: Work) -> Entry {
    let mut variants = Vec::new();
    for settings in candidates(kind, world, work) {
        // A knob may have gone, or may take other values by now.
        let Some(settings) = known(&P::INFO, &settings) else {
            continue;
        };
        for &upkeep in Upkeep::candidates(work) {
            let settings = settings.clone();
            variants.push(Variant {
                words: words(&P::INFO, &settings, upkeep),
                make: Box::new(move |world: &World| {
                    let mut index = P::new(world.field);
                    for (knob, value) in &settings {
                        index.set_knob(*knob, *value);
                    }
                    index.use_threads(world.scene.threads);
                    Box::new(Ours {
                        index,
                        upkeep,
                        changes: (0..world.scene.units as u32).map(Change::Move).collect(),
                        found: Vec::new(),
                    })
                }),
            });
        }
    }
    Entry {
        name: kind.info().key.to_owned(),
        family: family_of(kind),
        ours: true,
        checked_by: Question::Rectangles,
        variants,
    }
}

/// The settings by index, if the structure has these knobs and they take these values.
pub fn known(info: &Info, settings: &Settings) -> Option<Vec<(usize, f64)>> {
    settings
        .iter()
        .map(|(key, value)| {
            let index = info.knob_index(key).ok()?;
            info.knobs[index].accepts(*value).then_some((index, *value))
        })
        .collect()
}

/// The settings and the upkeep, for the table.
pub fn words(info: &Info, settings: &[(usize, f64)], upkeep: Upkeep) -> String {
    let mut words: Vec<String> = settings
        .iter()
        .map(|(index, value)| {
            let knob = &info.knobs[*index];
            let value = match knob.range {
                KnobRange::Number { .. } => format!("{value:.2}"),
                _ => knob.format(*value),
            };
            format!("{}={value}", knob.key)
        })
        .collect();
    if upkeep == Upkeep::Rebuild {
        words.push("rebuilt".to_owned());
    }
    words.join(" ")
}

/// Which peers a structure is compared with.
fn family_of(kind: Kind) -> &'static str {
    match kind {
        Kind::Quadtree => family::QUADTREE,
        Kind::RectQuadtree => family::RECT_QUADTREE,
        Kind::Bvh => family::BVH,
        Kind::SweepAndPrune => family::SWEEP_AND_PRUNE,
        Kind::MortonTree => family::MORTON_TREE,
        Kind::KdTree => family::KD_TREE,
        Kind::LinkedGrid | Kind::SortedGrid | Kind::HierarchicalGrid => family::GRID,
        Kind::AllPairs | Kind::BattleLine | Kind::BspTree => family::NONE,
    }
}

/// Enters all of them.
pub fn enter(world: &World, work: Work, entries: &mut Vec<Entry>) {
    for &kind in Kind::ALL {
        entries.push(match kind {
            Kind::AllPairs if world.scene.units > ALL_PAIRS_LIMIT => continue,
            Kind::AllPairs => entry::<AllPairs>(kind, world, work),
            Kind::BattleLine => entry::<BattleLine>(kind, world, work),
            Kind::LinkedGrid => entry::<LinkedGrid>(kind, world, work),
            Kind::SortedGrid => entry::<SortedGrid>(kind, world, work),
            Kind::Quadtree => entry::<Quadtree>(kind, world, work),
            Kind::RectQuadtree => entry::<RectQuadtree>(kind, world, work),
            Kind::KdTree => entry::<KdTree>(kind, world, work),
            Kind::BspTree => entry::<BspTree>(kind, world, work),
            Kind::Bvh => entry::<Bvh>(kind, world, work),
            Kind::MortonTree => entry::<MortonTree>(kind, world, work),
            Kind::SweepAndPrune => entry::<SweepAndPrune>(kind, world, work),
            Kind::HierarchicalGrid => entry::<HierarchicalGrid>(kind, world, work),
        });
    }
}
