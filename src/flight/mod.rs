//! The flight: the truth about every unit in space, and the fixed step that moves it. The sibling of [`battle`](crate::battle)
//! in the third dimension.
//!
//! Swarms keep together and apart by the pairs that the structure finds; squadrons chase the nearest enemy that it names; a galaxy
//! turns and counts who comes near whom.
//!
//! Invariant: the same scene and the same commands at the same ticks give the same [`Flight::hash`] under every structure, knob,
//! number of threads and build profile, for the reasons that the battle has: a unit decides on what was true when the tick began,
//! what pairs contribute is summed in integers, chance is a hash, and only operations that IEEE 754 defines to the last bit are
//! used.
//!
//! Invariant: every position is finite and within [`COORDINATE_LIMIT`]. What enters is checked, what moves is clamped.

use crate::chance::{self, Stream};
use crate::partition::{COORDINATE_LIMIT, Change, UnitId};
use crate::scene::limits::{MAX_REACH_SCALE, MAX_UNITS};
use crate::scene::{Flock, Motion, Scene, Side, Size, generate};
use crate::volume::{Aabb3, Bodies3, Vec3};

mod compare;
mod edit;
mod fixed;
mod motion;
mod step;
#[cfg(test)]
mod tests;

pub use edit::{Edit3, Group3, SpawnError3};
pub use step::Decision3;

/// How long one step is, in seconds.
const STEP_SECONDS: f32 = crate::tick::STEP_SECONDS as f32;

/// The most units that a flight holds, as many as a scene may have.
const UNIT_LIMIT: usize = MAX_UNITS as usize;

/// "No unit", in columns that name one.
const NOBODY: UnitId = UnitId::MAX;

/// What a unit is, apart from its side and its place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Template3 {
    /// How it moves.
    pub motion: Motion,
    /// Top speed, in m/s; at least 0.
    pub speed: f32,
    /// How far it sees an enemy, in metres; at least 0.
    pub sight: f32,
    /// Hit points at the start; at least 1.
    pub hit_points: u16,
    /// How large it is.
    pub size: Size<Vec3>,
}

impl From<&Flock> for Template3 {
    fn from(flock: &Flock) -> Self {
        Self {
            motion: flock.motion,
            speed: flock.speed,
            sight: flock.sight,
            hit_points: flock.hit_points,
            size: flock.size,
        }
    }
}

/// Units that have everything but their rows in common.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Squadron {
    side: Side,
    template: Template3,
}

/// Two sides in space, and the truth about each of their units.
#[derive(Clone, Debug)]
pub struct Flight {
    seed: u64,
    field: Aabb3,
    ground: generate::Ground,
    tick: u64,

    /// The columns: one entry a row.
    positions: Vec<Vec3>,
    velocities: Vec<Vec3>,
    /// Empty as long as all units are points.
    half_extents: Vec<Vec3>,
    sides: Vec<Side>,
    hit_points: Vec<u16>,
    alive: Vec<bool>,
    /// Index into `squadrons`.
    squadron_ids: Vec<u32>,
    /// The enemy that the unit remembers, or [`NOBODY`].
    targets: Vec<UnitId>,

    /// Rows that are not alive, by descending id: the last one is taken first.
    free: Vec<UnitId>,
    squadrons: Vec<Squadron>,
    /// The motion last given to each side.
    motions: [Motion; 2],
    /// How many of each side are alive.
    counts: [u32; 2],
    reach: f32,
    reach_scale: f32,
    /// What the last step or edit changed.
    changes: Vec<Change>,
}

impl Flight {
    /// The flight as it starts; empty for a scene that has no volume.
    pub fn new(scene: &Scene) -> Self {
        let flocks = scene.volume.as_ref().map_or(&[][..], |it| &it.flocks);
        let motion_of = |side| {
            let flock = flocks.iter().find(|flock| flock.side == side);
            flock.map_or(Motion::Hold, |flock| flock.motion)
        };
        let mut flight = Self {
            seed: scene.seed,
            field: scene.field3(),
            ground: generate::ground(scene),
            tick: 0,
            positions: Vec::new(),
            velocities: Vec::new(),
            half_extents: Vec::new(),
            sides: Vec::new(),
            hit_points: Vec::new(),
            alive: Vec::new(),
            squadron_ids: Vec::new(),
            targets: Vec::new(),
            free: Vec::new(),
            squadrons: Vec::new(),
            motions: [motion_of(Side::Blue), motion_of(Side::Orange)],
            counts: [0; 2],
            reach: scene.volume.as_ref().map_or(0.0, |it| it.reach),
            reach_scale: scene.reach_scale,
            changes: Vec::new(),
        };
        for (index, flock) in flocks.iter().enumerate() {
            let mut recruits = generate::flock(scene, index);
            let room = UNIT_LIMIT - flight.positions.len();
            recruits.positions.truncate(room);
            let squadron = flight.enlist(flock.side, &flock.into());
            for (unit, &position) in recruits.positions.iter().enumerate() {
                flight.enter(squadron, position, recruits.half_extents.get(unit).copied());
            }
        }
        flight.changes.clear();
        flight
    }

    /// The units as an index sees them.
    pub fn bodies(&self) -> Bodies3<'_> {
        Bodies3 {
            centers: &self.positions,
            half_extents: &self.half_extents,
            // Nobody has to look up who is alive while everybody is.
            alive: if self.free.is_empty() {
                &[]
            } else {
                &self.alive
            },
        }
    }

    /// What the last step or edit changed, for who keeps an index.
    pub fn changes(&self) -> &[Change] {
        &self.changes
    }

    /// How many steps have passed since it started.
    pub fn tick(&self) -> u64 {
        self.tick
    }

    /// Where units are mostly.
    pub fn field(&self) -> Aabb3 {
        self.field
    }

    /// What they fly over.
    pub fn ground(&self) -> &generate::Ground {
        &self.ground
    }

    /// How fast each row flies, in m/s.
    pub fn velocities(&self) -> &[Vec3] {
        &self.velocities
    }

    /// Whose each row is.
    pub fn sides(&self) -> &[Side] {
        &self.sides
    }

    /// How many hit points each row has.
    pub fn hit_points(&self) -> &[u16] {
        &self.hit_points
    }

    /// How a unit moves.
    pub fn motion_of(&self, unit: UnitId) -> Motion {
        self.template(unit).map_or(Motion::Hold, |it| it.motion)
    }

    /// What a unit is, apart from its side and its place. `None` for a row that does not exist.
    pub fn template(&self, unit: UnitId) -> Option<&Template3> {
        let squadron = *self.squadron_ids.get(unit as usize)?;
        Some(&self.squadrons[squadron as usize].template)
    }

    /// Which units are of one kind with this one: they share this number. `None` for a row that does not exist.
    pub(crate) fn squadron_of(&self, unit: UnitId) -> Option<u32> {
        self.squadron_ids.get(unit as usize).copied()
    }

    /// The motion last given to a side.
    pub fn motion(&self, side: Side) -> Motion {
        self.motions[side as usize]
    }

    /// How many of a side are alive.
    pub fn count(&self, side: Side) -> u32 {
        self.counts[side as usize]
    }

    /// Whether a row exists and is in use.
    pub fn is_alive(&self, unit: UnitId) -> bool {
        self.alive.get(unit as usize).copied().unwrap_or(false)
    }

    /// Up to which distance pairs are asked for, from edge to edge, in metres.
    pub fn pair_reach(&self) -> f32 {
        self.reach * self.reach_scale
    }

    /// By what every reach is multiplied.
    pub fn reach_scale(&self) -> f32 {
        self.reach_scale
    }

    /// A fingerprint of the units alive: where each is, how it flies, and what it can take.
    pub fn hash(&self) -> u64 {
        let mut sum = chance::mix(self.tick);
        for unit in self.bodies().ids() {
            let row = unit as usize;
            let (position, velocity) = (self.positions[row], self.velocities[row]);
            let both = |a: f32, b: f32| u64::from(a.to_bits()) << 32 | u64::from(b.to_bits());
            let standing = u64::from(unit) << 32 | u64::from(self.hit_points[row]);
            let words = [
                both(position.x, position.y),
                both(position.z, velocity.x),
                both(velocity.y, velocity.z),
            ];
            let chain = |hash: u64, word: u64| chance::mix(hash ^ word).wrapping_add(word);
            // A sum, so that rows that are not in use and their number are nothing.
            sum = sum.wrapping_add(words.into_iter().fold(chance::mix(standing), chain));
        }
        sum
    }

    /// The bytes that it takes on the heap.
    pub fn byte_count(&self) -> usize {
        let row = 2 * size_of::<Vec3>()
            + size_of::<Side>()
            + size_of::<u16>()
            + size_of::<bool>()
            + 2 * size_of::<UnitId>();
        self.positions.capacity() * row
            + self.half_extents.capacity() * size_of::<Vec3>()
            + self.free.capacity() * size_of::<UnitId>()
            + self.squadrons.capacity() * size_of::<Squadron>()
            + self.changes.capacity() * size_of::<Change>()
    }

    /// Makes `to` look the same to who draws it; what only the next step needs is left out.
    pub fn mirror(&self, to: &mut Self) {
        to.positions.clone_from(&self.positions);
        to.velocities.clone_from(&self.velocities);
        to.half_extents.clone_from(&self.half_extents);
        to.sides.clone_from(&self.sides);
        to.hit_points.clone_from(&self.hit_points);
        to.alive.clone_from(&self.alive);
        to.squadron_ids.clone_from(&self.squadron_ids);
        to.free.clone_from(&self.free);
        to.squadrons.clone_from(&self.squadrons);
        to.ground.clone_from(&self.ground);
        (to.seed, to.field, to.tick) = (self.seed, self.field, self.tick);
        (to.motions, to.counts) = (self.motions, self.counts);
        (to.reach, to.reach_scale) = (self.reach, self.reach_scale);
    }

    /// The squadron of such units, which is set up where there is none yet.
    fn enlist(&mut self, side: Side, template: &Template3) -> u32 {
        let squadron = Squadron {
            side,
            template: *template,
        };
        let known = self.squadrons.iter().position(|it| *it == squadron);
        known.unwrap_or_else(|| {
            self.squadrons.push(squadron);
            self.squadrons.len() - 1
        }) as u32
    }

    /// Puts a new unit of a squadron on a free row.
    fn enter(&mut self, squadron: u32, position: Vec3, half_extent: Option<Vec3>) -> UnitId {
        let unit = self.free.pop().unwrap_or_else(|| {
            self.add_row();
            self.positions.len() as UnitId - 1
        });
        let row = unit as usize;
        let Squadron { side, template } = self.squadrons[squadron as usize];
        if half_extent.is_some() && self.half_extents.is_empty() {
            self.half_extents.resize(self.positions.len(), Vec3::ZERO);
        }
        if let Some(size) = self.half_extents.get_mut(row) {
            *size = half_extent.unwrap_or(Vec3::ZERO);
        }
        self.positions[row] = position;
        self.velocities[row] = match template.motion {
            Motion::Hold => Vec3::ZERO,
            _ => direction3(chance::hash(self.seed, u64::from(unit), self.tick)) * template.speed,
        };
        self.sides[row] = side;
        self.hit_points[row] = template.hit_points;
        self.alive[row] = true;
        self.squadron_ids[row] = squadron;
        self.targets[row] = NOBODY;
        self.counts[side as usize] += 1;
        unit
    }

    /// Makes every column one row longer; the row is nobody's.
    fn add_row(&mut self) {
        self.positions.push(Vec3::ZERO);
        self.velocities.push(Vec3::ZERO);
        if !self.half_extents.is_empty() {
            self.half_extents.push(Vec3::ZERO);
        }
        self.sides.push(Side::Blue);
        self.hit_points.push(0);
        self.alive.push(false);
        self.squadron_ids.push(0);
        self.targets.push(NOBODY);
    }

    /// Takes units that are alive off the field.
    fn leave(&mut self, units: &[UnitId]) {
        for &unit in units {
            let row = unit as usize;
            self.alive[row] = false;
            self.hit_points[row] = 0;
            self.counts[self.sides[row] as usize] -= 1;
        }
        if !units.is_empty() {
            self.free.extend_from_slice(units);
            self.free.sort_unstable_by(|a, b| b.cmp(a));
        }
    }

    fn clamp_scale(scale: f32) -> f32 {
        scale.clamp(0.0, MAX_REACH_SCALE)
    }
}

/// A direction of length 1 that depends on nothing but `hash`, every one as likely as any other.
fn direction3(hash: u64) -> Vec3 {
    let mut stream = Stream::new(hash);
    loop {
        let mut number = || stream.between(-1.0, 1.0);
        let point = Vec3::new(number(), number(), number());
        // Points in a ball are even in direction, those in a cube are not; half of the draws lie in the ball.
        let length_sq = point.length_squared();
        if (0.01..=1.0).contains(&length_sq) {
            return point / length_sq.sqrt();
        }
    }
}

/// A place that is within the limits of coordinates, whatever `at` is.
fn within_limits(at: Vec3) -> Vec3 {
    let limit = Vec3::splat(COORDINATE_LIMIT);
    at.clamp(-limit, limit)
}
