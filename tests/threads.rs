//! On several threads every structure is built and follows as on one: the same regions, the same counters, the same bytes, bit for bit.

#[path = "common/probes.rs"]
mod probes;

use probes::counting;
use skirmish::geometry::{Aabb, Vec2};
use skirmish::partition::{AnyPartition, Bodies, Change, Kind, RegionQuery, UnitId};
use skirmish::probe::Counter;

const FIELD: Aabb = Aabb::new(Vec2::ZERO, Vec2::splat(1000.0));

/// So many that every structure shares its work out.
const UNITS: usize = 140_000;

/// How units stand.
#[derive(Clone, Copy, Debug)]
enum Crowd {
    /// Evenly over the field.
    Even,
    /// Nine of ten in a corner, and some of these on one spot.
    Corner,
    /// On one line.
    Line,
}

/// Chance, the same on every machine.
struct Chance(u64);

impl Chance {
    /// A number from 0 to 1.
    fn share(&mut self) -> f32 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 40) as f32 / (1_u64 << 24) as f32
    }
}

struct World {
    chance: Chance,
    centers: Vec<Vec2>,
    half_extents: Vec<Vec2>,
    alive: Vec<bool>,
}

impl World {
    fn new(crowd: Crowd, sized: bool, some_are_dead: bool) -> Self {
        let mut chance = Chance(7);
        let mut centers = Vec::with_capacity(UNITS);
        for unit in 0..UNITS {
            let spot = Vec2::new(chance.share(), chance.share());
            centers.push(match crowd {
                Crowd::Even => spot * 1000.0,
                Crowd::Line => Vec2::new(spot.x * 1000.0, 250.0),
                Crowd::Corner if unit % 10 == 0 => spot * 1000.0,
                Crowd::Corner if unit % 10 == 1 => Vec2::splat(11.0),
                Crowd::Corner => spot * spot * 20.0,
            });
        }
        let size = |unit: usize| Vec2::splat(if unit.is_multiple_of(40) { 1.5 } else { 0.1 });
        Self {
            half_extents: (0..if sized { UNITS } else { 0 }).map(size).collect(),
            alive: (0..UNITS)
                .map(|unit| !(some_are_dead && unit % 3 == 1))
                .collect(),
            chance,
            centers,
        }
    }

    fn bodies(&self) -> Bodies<'_> {
        Bodies {
            centers: &self.centers,
            half_extents: &self.half_extents,
            // Nobody has to look up who is alive while everybody is.
            alive: if self.alive.contains(&false) {
                &self.alive
            } else {
                &[]
            },
        }
    }

    /// A step: most move a little, a few go.
    fn step(&mut self) -> Vec<Change> {
        let mut changes = Vec::new();
        for unit in 0..UNITS {
            if !self.alive[unit] {
                continue;
            }
            if self.chance.share() < 0.001 {
                self.alive[unit] = false;
                changes.push(Change::Remove(unit as UnitId));
                continue;
            }
            let way = Vec2::new(self.chance.share() - 0.5, self.chance.share() - 0.5);
            self.centers[unit] += way * 2.0;
            changes.push(Change::Move(unit as UnitId));
        }
        changes
    }
}

/// What can be seen of an index.
struct Look {
    regions: Vec<String>,
    /// Who is found in some rectangles, in the order in which they are found: that in which they are kept.
    found: Vec<Vec<UnitId>>,
    memory: Vec<(&'static str, usize)>,
    counter: String,
}

fn look(index: &AnyPartition, bodies: Bodies<'_>, counter: &Counter) -> Look {
    let mut regions = Vec::new();
    let query = RegionQuery {
        area: Aabb::EVERYTHING,
        min_size: 0.0,
    };
    index.regions(query, &mut |region| regions.push(format!("{region:?}")));
    let mut memory = Vec::new();
    index.memory(&mut |part, bytes| {
        // Where they are sorted, and who has left its leaf, each thread has for itself.
        if !part.contains("buffers") && part != "leavers" {
            memory.push((part, bytes));
        }
    });
    let corners = [(0.0, 0.0), (5.0, 240.0), (480.0, 230.0), (700.0, 900.0)];
    let found = corners.map(|(x, y)| {
        let mut found = Vec::new();
        let corner = Vec2::new(x, y);
        let area = Aabb::new(corner, corner + Vec2::splat(20.0));
        index.range(bodies, area, &mut (), |unit| found.push(unit));
        found
    });
    Look {
        regions,
        found: found.to_vec(),
        memory,
        counter: format!("{counter:?}"),
    }
}

#[test]
fn on_several_threads_every_structure_is_the_same_to_the_last_bit() {
    for kind in Kind::ALL {
        for (crowd, sized, some_are_dead) in [
            (Crowd::Even, true, true),
            (Crowd::Corner, false, true),
            (Crowd::Line, false, false),
        ] {
            let mut all = [1, 15].map(|threads| {
                let mut world = World::new(crowd, sized, some_are_dead);
                let mut index = AnyPartition::new(*kind, FIELD);
                index.use_threads(threads);
                let mut counting = counting();
                let mut looks = Vec::new();
                index.rebuild(world.bodies(), &mut counting);
                index.validate(world.bodies()).expect("built");
                looks.push(look(&index, world.bodies(), &counting.probe));
                for _ in 0..2 {
                    let changes = world.step();
                    index.apply(world.bodies(), &changes, &mut counting);
                    index.validate(world.bodies()).expect("followed");
                    looks.push(look(&index, world.bodies(), &counting.probe));
                }
                looks
            });
            let [one, other] = &mut all;
            for (turn, (one, other)) in one.iter().zip(other).enumerate() {
                let what = format!("{kind:?}, {crowd:?}, turn {turn}");
                assert_eq!(one.counter, other.counter, "{what}");
                assert_eq!(one.memory, other.memory, "{what}");
                assert_eq!(one.found, other.found, "{what}");
                let mut both = one.regions.iter().zip(&other.regions);
                assert_eq!(both.find(|(one, other)| one != other), None, "{what}");
                assert_eq!(one.regions.len(), other.regions.len(), "{what}");
            }
        }
    }
}

#[test]
fn small_leaves_are_worth_more_threads_than_their_units_and_nobody_is_lost() {
    for (units, leaf_size) in [(5_000, 1.0), (20_000, 9.0), (32_760, 16.0)] {
        let world = World::new(Crowd::Even, false, false);
        let bodies = Bodies {
            centers: &world.centers[..units],
            half_extents: &[],
            alive: &[],
        };
        let built = [1, 3].map(|threads| {
            let mut index = AnyPartition::new(Kind::Bvh, FIELD);
            let knob = Kind::Bvh.info().knob_index("leaf_size").expect("a knob");
            index.set_knob(knob, leaf_size);
            index.use_threads(threads);
            let mut counting = counting();
            index.rebuild(bodies, &mut counting);
            index.validate(bodies).expect("built");
            let mut found = 0;
            index.range(bodies, FIELD, &mut (), |_| found += 1);
            assert_eq!(found, units, "leaves of {leaf_size} on {threads} threads");
            look(&index, bodies, &counting.probe)
        });
        assert_eq!(built[0].regions, built[1].regions);
        assert_eq!(built[0].found, built[1].found);
    }
}
