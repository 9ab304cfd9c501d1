//! The crowds on which everybody is measured.
//!
//! On average there is one unit on a unit of area, and the reach is √(4/π), so that a unit of a uniform crowd has four others
//! in reach. All of it follows from a seed.

use crate::contest::Crowd;
use crate::random::Random;
use crate::reference::Reference;
use crate::tally::{Sum, Tally};
use crate::together;
use crate::work::Question;
use rayon::prelude::*;
use skirmish::geometry::{Aabb, Vec2};

/// How many rectangles, and how many nearest queries, are asked in one turn.
pub const QUERY_COUNT: usize = 10_000;

/// About how many units a rectangle holds.
pub const HITS: usize = 50;

/// How the crowd stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, clap::ValueEnum)]
pub enum Distribution {
    /// Everywhere alike.
    Uniform,
    /// Fifty gaussian blobs, their sizes by Zipf's law.
    Clustered,
    /// Two armies in a thin band.
    Front,
    /// Dense at two sides and thinning out far into the distance: both coordinates are lognormal.
    Lognormal,
    /// A thin band that no axis follows.
    Diagonal,
}

/// In which order the units are numbered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, clap::ValueEnum)]
pub enum Ids {
    /// Neighbours have nothing to do with each other.
    Random,
    /// Along the Z curve: neighbours in space are neighbours in memory.
    Coherent,
}

/// How large the units are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, clap::ValueEnum)]
pub enum Sizes {
    /// Points; pairs are those in reach.
    Points,
    /// Nine of ten about one wide, some five, a few twelve; pairs are those that overlap.
    Mixed,
    /// A heavy tail, cut off at 64; pairs are those that overlap.
    Pareto,
}

/// The lower-case word for it, as on the command line.
pub fn word(value: impl clap::ValueEnum) -> String {
    value
        .to_possible_value()
        .map(|word| word.get_name().to_owned())
        .unwrap_or_default()
}

/// Which crowd.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Scene {
    /// How it stands.
    pub distribution: Distribution,
    /// How it is numbered.
    pub ids: Ids,
    /// How large its units are.
    pub sizes: Sizes,
    /// How many there are.
    pub units: usize,
    /// Whether it stands in space and not on a plane.
    pub in_space: bool,
    /// How many threads work on it.
    pub threads: usize,
}

/// A crowd, and what is asked about it.
pub struct World {
    /// Which it is.
    pub scene: Scene,
    /// Where each unit is now.
    pub centers: Vec<Vec2>,
    /// Half of each unit's width and height; empty for points.
    pub half_extents: Vec<Vec2>,
    /// How far each unit goes in a step.
    pub velocities: Vec<Vec2>,
    /// Where all units stay, steps and single moves included.
    pub field: Aabb,
    /// How near two units have to be to make a pair. Zero for sized ones: they have to overlap or touch.
    pub reach: f32,
    /// What is asked for by the work `rectangles`.
    pub rectangles: Vec<Aabb>,
    /// From where the nearest are asked for.
    pub points: Vec<Vec2>,
    /// Single moves: who, and by how much.
    pub moves: Vec<(u32, Vec2)>,
    /// Where each unit was when the round began.
    begin: Vec<Vec2>,
}

impl World {
    /// The crowd of `scene`, whose units move by up to `speed` along each axis.
    pub fn new(scene: Scene, speed: f32) -> Self {
        let mut random = Random::new(0x5EED ^ scene.units as u64);
        let mut centers = positions(scene.distribution, scene.units, &mut random);
        if scene.ids == Ids::Coherent {
            along_the_curve(&mut centers);
        }
        let half_extents = half_extents(scene.sizes, scene.units, &mut random);
        let speed_of = |random: &mut Random| {
            Vec2::new(random.within(-speed, speed), random.within(-speed, speed))
        };
        let velocities = (0..scene.units).map(|_| speed_of(&mut random)).collect();
        let moves = (0..4096)
            .map(|_| (random.below(scene.units) as u32, speed_of(&mut random)))
            .collect();
        let points = (0..QUERY_COUNT)
            .map(|_| {
                let aside = Vec2::new(random.within(-1.0, 1.0), random.within(-1.0, 1.0));
                centers[random.below(scene.units)] + aside
            })
            .collect();
        let field = Aabb::of_points(centers.iter().copied()).grown(Vec2::splat(16.0 * speed + 1.0));
        let mut world = Self {
            scene,
            begin: centers.clone(),
            centers,
            half_extents,
            velocities,
            field,
            reach: match scene.sizes {
                Sizes::Points => (4.0 / std::f32::consts::PI).sqrt(),
                _ => 0.0,
            },
            rectangles: Vec::new(),
            points,
            moves,
        };
        world.rectangles = rectangles(&world, &mut random);
        world
    }

    /// Numbers the units strip by strip from the lowest up, in each along x.
    pub fn number_by_strips(&mut self, height: f32) {
        let place = |center: &Vec2| ((center.y / height).floor(), center.x);
        self.centers.sort_by(|a, b| {
            let (a, b) = (place(a), place(b));
            a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1))
        });
        self.begin.copy_from_slice(&self.centers);
    }

    /// Whether the units have a size.
    pub fn is_sized(&self) -> bool {
        !self.half_extents.is_empty()
    }

    /// Half of the width and height of `unit`.
    #[inline]
    pub fn half_extent(&self, unit: u32) -> Vec2 {
        self.half_extents
            .get(unit as usize)
            .copied()
            .unwrap_or(Vec2::ZERO)
    }

    /// The box of `unit`.
    #[inline]
    pub fn aabb(&self, unit: u32) -> Aabb {
        let center = self.centers[unit as usize];
        if self.half_extents.is_empty() {
            Aabb::new(center, center)
        } else {
            Aabb::around(center, self.half_extents[unit as usize])
        }
    }

    /// Whether two units are in reach of each other: the one test that decides, for everybody.
    #[inline(always)]
    pub fn in_reach(&self, a: u32, b: u32) -> bool {
        if self.half_extents.is_empty() {
            let way = self.centers[a as usize] - self.centers[b as usize];
            way.x * way.x + way.y * way.y <= self.reach * self.reach
        } else {
            self.aabb(a).gap_sq(self.aabb(b)) <= self.reach * self.reach
        }
    }
}

impl Crowd for World {
    type Place = Vec2;

    fn scene(&self) -> Scene {
        self.scene
    }

    fn centers(&mut self) -> &mut [Vec2] {
        &mut self.centers
    }

    fn moves(&self) -> &[(u32, Vec2)] {
        &self.moves
    }

    #[inline(never)]
    fn integrate(&mut self) {
        let length = together::lot(self.centers.len());
        let lots = self.centers.par_chunks_mut(length);
        let velocities = self.velocities.par_chunks(length);
        let go = |(centers, velocities): (&mut [Vec2], &[Vec2])| {
            for (center, velocity) in centers.iter_mut().zip(velocities) {
                *center += *velocity;
            }
        };
        lots.zip(velocities).for_each(go);
    }

    fn rewind(&mut self) {
        self.centers.copy_from_slice(&self.begin);
    }

    /// All turn to the left, so that nobody strays in the long run.
    fn go_on(&mut self) {
        self.begin.copy_from_slice(&self.centers);
        for velocity in &mut self.velocities {
            *velocity = velocity.perp();
        }
    }

    fn answer<T: Tally>(&self, question: Question) -> Sum {
        let (reference, mut tally) = (Reference::new(self), T::default());
        match question {
            Question::Pairs => reference.pairs(self, &mut tally),
            Question::Rectangles => reference.rectangles(self, &mut tally),
            Question::Nearest => reference.nearest_all(self, &mut tally),
        }
        tally.sum()
    }
}

/// Where the units stand.
fn positions(distribution: Distribution, units: usize, random: &mut Random) -> Vec<Vec2> {
    let side = (units as f32).sqrt();
    match distribution {
        Distribution::Uniform => (0..units)
            .map(|_| Vec2::new(random.within(0.0, side), random.within(0.0, side)))
            .collect(),
        Distribution::Clustered => {
            let blobs: Vec<(Vec2, f32)> = (0..50)
                .map(|_| {
                    let middle = Vec2::new(random.within(0.0, side), random.within(0.0, side));
                    (middle, random.within(0.02, 0.06) * side)
                })
                .collect();
            let ranks = ranks(50);
            (0..units)
                .map(|_| {
                    let (middle, spread) = blobs[random.rank(&ranks)];
                    middle + random.gaussian() * spread
                })
                .collect()
        }
        Distribution::Front => {
            let (length, width) = (5.0 * side, 0.1 * side);
            (0..units)
                .map(|unit| {
                    let army = if unit % 2 == 0 { 0.25 } else { -0.25 };
                    let y = (army + 0.125 * random.gaussian().x) * width;
                    Vec2::new(random.within(0.0, length), y)
                })
                .collect()
        }
        Distribution::Lognormal => (0..units)
            .map(|_| {
                let at = random.gaussian();
                Vec2::new(at.x.exp(), at.y.exp()) * (0.25 * side)
            })
            .collect(),
        Distribution::Diagonal => (0..units)
            .map(|_| {
                let along = random.within(0.0, 3.0 * side);
                Vec2::splat(along) + random.gaussian() * (0.03 * side)
            })
            .collect(),
    }
}

/// Zipf's law: how much the first so many weigh together.
pub fn ranks(count: u32) -> Vec<f64> {
    let mut reached = 0.0;
    let step = |rank| {
        reached += 1.0 / f64::from(rank);
        reached
    };
    (1..=count).map(step).collect()
}

/// How wide a unit is.
pub fn width(sizes: Sizes, random: &mut Random) -> f32 {
    match sizes {
        Sizes::Points => 0.0,
        Sizes::Mixed => match random.below(100) {
            0 => random.within(8.0, 16.0),
            1..10 => random.within(2.0, 8.0),
            _ => random.within(0.5, 1.5),
        },
        Sizes::Pareto => (0.5 * (random.unit() as f32).max(1.0e-9).powf(-1.0 / 2.2)).min(64.0),
    }
}

/// How large the units are.
fn half_extents(sizes: Sizes, units: usize, random: &mut Random) -> Vec<Vec2> {
    match sizes {
        Sizes::Points => Vec::new(),
        _ => (0..units)
            .map(|_| {
                let side = width(sizes, random) * 0.5;
                // Not all are squares.
                Vec2::new(side, side * if side > 0.5 { 0.75 } else { 1.0 })
            })
            .collect(),
    }
}

/// Sorts positions along the Z curve.
fn along_the_curve(centers: &mut [Vec2]) {
    let bounds = Aabb::of_points(centers.iter().copied());
    let scale = Vec2::splat(65_535.0) / bounds.size().max(Vec2::splat(1.0e-6));
    centers.sort_by_cached_key(|center| {
        let at = (*center - bounds.min) * scale;
        spread(at.x as u32) | spread(at.y as u32) << 1
    });
}

/// Puts a zero between the lower sixteen bits.
fn spread(value: u32) -> u32 {
    let value = (value | value << 8) & 0x00FF_00FF;
    let value = (value | value << 4) & 0x0F0F_0F0F;
    let value = (value | value << 2) & 0x3333_3333;
    (value | value << 1) & 0x5555_5555
}

/// Squares around random units, each as large as its surroundings ask for.
fn rectangles(world: &World, random: &mut Random) -> Vec<Aabb> {
    let reference = Reference::new(world);
    let mut nearest = Vec::new();
    (0..QUERY_COUNT)
        .map(|_| {
            let middle = world.centers[random.below(world.scene.units)];
            reference.nearest(world, middle, HITS, &mut nearest);
            let radius = nearest.last().copied().unwrap_or(0.0).sqrt();
            // The square of the same area as the disc that holds them.
            Aabb::around(middle, Vec2::splat(radius * 0.886))
        })
        .collect()
}
