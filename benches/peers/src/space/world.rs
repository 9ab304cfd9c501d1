//! The crowds of space.
//!
//! On average there is one unit in a unit of volume, and the reach is ∛(3/π), so that a unit of a uniform crowd has four others
//! in reach.

use super::reference::Reference3;
use crate::contest::Crowd;
use crate::random::Random;
use crate::tally::{Sum, Tally};
use crate::work::Question;
use crate::world::{Distribution, HITS, Ids, QUERY_COUNT, Scene, Sizes, ranks, width};
use skirmish::volume::{Aabb3, Vec3};

/// A crowd in space, and what is asked about it.
pub struct World3 {
    /// Which it is.
    pub scene: Scene,
    /// Where each unit is now.
    pub centers: Vec<Vec3>,
    /// Half of each unit's width, height and depth; empty for points.
    pub half_extents: Vec<Vec3>,
    /// How far each unit goes in a step.
    velocities: Vec<Vec3>,
    /// Where all units stay, steps included.
    pub field: Aabb3,
    /// How near two units have to be to make a pair. Zero for sized ones: they have to overlap or touch.
    pub reach: f32,
    /// What is asked for by the work `rectangles`.
    pub boxes: Vec<Aabb3>,
    /// From where the nearest are asked for.
    pub points: Vec<Vec3>,
    /// Where each unit was when the round began.
    begin: Vec<Vec3>,
}

impl World3 {
    /// The crowd of `scene`, whose units move by up to `speed` along each axis.
    pub fn new(scene: Scene, speed: f32) -> Self {
        let mut random = Random::new(0x5EED ^ scene.units as u64);
        let mut centers = positions(scene.distribution, scene.units, &mut random);
        if scene.ids == Ids::Coherent {
            along_the_curve(&mut centers);
        }
        let half_extents = half_extents(scene.sizes, scene.units, &mut random);
        let velocities = (0..scene.units).map(|_| random.within3(speed)).collect();
        let points = (0..QUERY_COUNT)
            .map(|_| centers[random.below(scene.units)] + random.within3(1.0))
            .collect();
        let field =
            Aabb3::of_points(centers.iter().copied()).grown(Vec3::splat(16.0 * speed + 1.0));
        let mut world = Self {
            scene,
            begin: centers.clone(),
            centers,
            half_extents,
            velocities,
            field,
            reach: match scene.sizes {
                Sizes::Points => (3.0 / std::f32::consts::PI).cbrt(),
                _ => 0.0,
            },
            boxes: Vec::new(),
            points,
        };
        world.boxes = boxes(&world, &mut random);
        world
    }

    /// Whether the units have a size.
    pub fn is_sized(&self) -> bool {
        !self.half_extents.is_empty()
    }

    /// The box of `unit`.
    #[inline]
    pub fn aabb(&self, unit: u32) -> Aabb3 {
        let center = self.centers[unit as usize];
        if self.half_extents.is_empty() {
            Aabb3::point(center)
        } else {
            Aabb3::around(center, self.half_extents[unit as usize])
        }
    }

    /// Whether two units are in reach of each other: the one test that decides, for everybody.
    #[inline(always)]
    pub fn in_reach(&self, a: u32, b: u32) -> bool {
        self.aabb(a).gap_sq(self.aabb(b)) <= self.reach * self.reach
    }
}

impl Crowd for World3 {
    type Place = Vec3;

    fn scene(&self) -> Scene {
        self.scene
    }

    fn centers(&mut self) -> &mut [Vec3] {
        &mut self.centers
    }

    fn moves(&self) -> &[(u32, Vec3)] {
        &[]
    }

    #[inline(never)]
    fn integrate(&mut self) {
        for (center, velocity) in self.centers.iter_mut().zip(&self.velocities) {
            *center += *velocity;
        }
    }

    fn rewind(&mut self) {
        self.centers.copy_from_slice(&self.begin);
    }

    /// All turn to the left and about, so that nobody strays in the long run.
    fn go_on(&mut self) {
        self.begin.copy_from_slice(&self.centers);
        for velocity in &mut self.velocities {
            *velocity = Vec3::new(-velocity.y, velocity.x, -velocity.z);
        }
    }

    fn answer<T: Tally>(&self, question: Question) -> Sum {
        let (reference, mut tally) = (Reference3::new(self), T::default());
        match question {
            Question::Pairs => reference.pairs(self, &mut tally),
            Question::Rectangles => reference.boxes(self, &mut tally),
            Question::Nearest => reference.nearest_all(self, &mut tally),
        }
        tally.sum()
    }
}

/// Where the units stand.
fn positions(distribution: Distribution, units: usize, random: &mut Random) -> Vec<Vec3> {
    let side = (units as f32).cbrt();
    let half = Vec3::splat(0.5 * side);
    match distribution {
        Distribution::Uniform => (0..units)
            .map(|_| half + random.within3(0.5 * side))
            .collect(),
        Distribution::Clustered => {
            // As wide as makes them about as dense as on a plane.
            let blobs: Vec<(Vec3, f32)> = (0..50)
                .map(|_| {
                    let middle = half + random.within3(0.5 * side);
                    (middle, random.within(0.054, 0.113) * side)
                })
                .collect();
            let ranks = ranks(50);
            (0..units)
                .map(|_| {
                    let (middle, spread) = blobs[random.rank(&ranks)];
                    middle + random.gaussian3() * spread
                })
                .collect()
        }
        Distribution::Front => {
            let (length, width) = (2.5 * side, 0.16 * side);
            (0..units)
                .map(|unit| {
                    let army = if unit % 2 == 0 { 0.25 } else { -0.25 };
                    let y = (army + 0.125 * random.gaussian().x) * width;
                    Vec3::new(0.0, y, 0.0) + random.within3(0.5 * length) * Vec3::new(1.0, 0.0, 1.0)
                })
                .collect()
        }
        Distribution::Lognormal => (0..units)
            .map(|_| random.gaussian3().exp() * (0.25 * side))
            .collect(),
        Distribution::Diagonal => (0..units)
            .map(|_| {
                let along = random.within(0.0, 3.0 * side);
                Vec3::splat(along) + random.gaussian3() * (0.1 * side)
            })
            .collect(),
    }
}

/// How large the units are: half as large as on a plane, or everybody would overlap somebody large.
fn half_extents(sizes: Sizes, units: usize, random: &mut Random) -> Vec<Vec3> {
    match sizes {
        Sizes::Points => Vec::new(),
        _ => (0..units)
            .map(|_| {
                let side = width(sizes, random) * 0.25;
                // Not all are cubes.
                side * if side > 0.25 {
                    Vec3::new(1.0, 0.75, 0.5)
                } else {
                    Vec3::ONE
                }
            })
            .collect(),
    }
}

/// Sorts positions along the Z curve.
fn along_the_curve(centers: &mut [Vec3]) {
    let bounds = Aabb3::of_points(centers.iter().copied());
    let scale = Vec3::splat(1023.0) / bounds.size().max(Vec3::splat(1.0e-6));
    centers.sort_by_cached_key(|center| {
        let at = (*center - bounds.min) * scale;
        spread(at.x as u32) | spread(at.y as u32) << 1 | spread(at.z as u32) << 2
    });
}

/// Puts two zeros between the lower ten bits.
fn spread(value: u32) -> u32 {
    let value = (value | value << 16) & 0x0300_00FF;
    let value = (value | value << 8) & 0x0300_F00F;
    let value = (value | value << 4) & 0x030C_30C3;
    (value | value << 2) & 0x0924_9249
}

/// Cubes around random units, each as large as its surroundings ask for.
fn boxes(world: &World3, random: &mut Random) -> Vec<Aabb3> {
    let reference = Reference3::new(world);
    let mut nearest = Vec::new();
    (0..QUERY_COUNT)
        .map(|_| {
            let middle = world.centers[random.below(world.scene.units)];
            reference.nearest(world, middle, HITS, &mut nearest);
            let radius = nearest.last().copied().unwrap_or(0.0).sqrt();
            // The cube of the same volume as the ball that holds them.
            Aabb3::around(middle, Vec3::splat(radius * 0.806))
        })
        .collect()
}
