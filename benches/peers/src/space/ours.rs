//! Skirmish's structures of space, set up as [those of the plane](crate::ours) are.

use super::World3;
use crate::contest::{Contestant, Entry, Variant, family};
use crate::ours::{ALL_PAIRS_LIMIT, Settings, Upkeep, each, known, words};
use crate::tally::Tally;
use crate::work::{NEAREST_COUNT, Question, Work};
use skirmish::partition::{Change, Neighbor};
use skirmish::volume::structures::{
    all_pairs::AllPairs3, grid::Grid3, morton::MortonTree3, octree::Octree,
};
use skirmish::volume::{Bodies3, Kind3, NearestQuery3, Partition3};

/// A structure of the library.
struct Ours<P> {
    index: P,
    upkeep: Upkeep,
    changes: Vec<Change>,
    found: Vec<Neighbor>,
}

fn bodies(world: &World3) -> Bodies3<'_> {
    Bodies3 {
        centers: &world.centers,
        half_extents: &world.half_extents,
        alive: &[],
    }
}

impl<P: Partition3> Contestant<World3> for Ours<P> {
    fn build(&mut self, world: &World3) {
        self.index.rebuild(bodies(world), &mut ());
    }

    fn update(&mut self, world: &World3) {
        match self.upkeep {
            Upkeep::Apply => self.index.apply(bodies(world), &self.changes, &mut ()),
            Upkeep::Rebuild => self.index.rebuild(bodies(world), &mut ()),
        }
    }

    fn pairs<T: Tally>(&mut self, world: &World3, tally: &mut T) {
        self.index
            .pairs(bodies(world), world.reach, &mut (), |batch| {
                tally.pairs(batch);
            });
    }

    fn rectangles<T: Tally>(&mut self, world: &World3, tally: &mut T) {
        for (index, area) in world.boxes.iter().enumerate() {
            tally.query(index);
            self.index.range(bodies(world), *area, &mut (), |unit| {
                tally.unit(unit);
            });
        }
    }

    fn nearest<T: Tally>(&mut self, world: &World3, tally: &mut T) {
        for (index, point) in world.points.iter().enumerate() {
            tally.query(index);
            let query = NearestQuery3 {
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

/// What is worth trying for this structure on this crowd.
fn candidates(kind: Kind3, world: &World3) -> Vec<Settings> {
    match kind {
        Kind3::AllPairs => vec![Settings::new()],
        Kind3::Grid => {
            let base = if world.is_sized() {
                1.0
            } else {
                f64::from(world.reach) * 1.0005
            };
            each(
                "cell_size",
                &[0.5, 0.75, 1.0, 1.5, 2.0, 3.0].map(|factor| base * factor),
            )
        }
        Kind3::Octree => {
            let mut all = each("capacity", &[8.0, 24.0, 32.0, 48.0]);
            if world.is_sized() {
                all.push(vec![("looseness", 1.0)]);
                all.push(vec![("looseness", 2.0)]);
            }
            all
        }
        Kind3::Morton => {
            let mut all = each("bucket", &[8.0, 24.0, 32.0]);
            all.push(vec![("cell_size", 0.25)]);
            all
        }
    }
}

/// Enters one structure with all its candidates.
fn entry<P: Partition3>(kind: Kind3, world: &World3, work: Work) -> Entry<World3> {
    let mut variants = Vec::new();
    for settings in candidates(kind, world) {
        let Some(settings) = known(&P::INFO, &settings) else {
            continue;
        };
        for &upkeep in Upkeep::candidates(work) {
            let settings = settings.clone();
            variants.push(Variant {
                words: words(&P::INFO, &settings, upkeep),
                make: Box::new(move |world: &World3| {
                    let mut index = P::new(world.field);
                    for (knob, value) in &settings {
                        index.set_knob(*knob, *value);
                    }
                    index.expect(world.reach);
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
        family: match kind {
            Kind3::AllPairs => family::NONE,
            Kind3::Grid => family::GRID,
            Kind3::Octree => family::OCTREE,
            Kind3::Morton => family::MORTON_TREE,
        },
        ours: true,
        checked_by: Question::Rectangles,
        variants,
    }
}

/// Enters all of them.
pub fn enter(world: &World3, work: Work, entries: &mut Vec<Entry<World3>>) {
    for &kind in Kind3::ALL {
        entries.push(match kind {
            Kind3::AllPairs if world.scene.units > ALL_PAIRS_LIMIT => continue,
            Kind3::AllPairs => entry::<AllPairs3>(kind, world, work),
            Kind3::Grid => entry::<Grid3>(kind, world, work),
            Kind3::Octree => entry::<Octree>(kind, world, work),
            Kind3::Morton => entry::<MortonTree3>(kind, world, work),
        });
    }
}
