//! How a unit in space moves in one tick, from what it knows when the tick begins.

use super::fixed::floating;
use super::{STEP_SECONDS, Template3, direction3, within_limits};
use crate::chance;
use crate::partition::UnitId;
use crate::scene::{Motion, generate};
use crate::volume::{Aabb3, Vec3};

/// What share of the way to its wanted velocity a unit makes in one tick.
const STEERING: f32 = 0.06;
/// For how many ticks a wanderer keeps the direction in which it strays.
const STRAY_TICKS: u64 = 120;
/// How much of the way to its target's next place a chaser looks ahead, in seconds.
const LEAD_SECONDS: f32 = 0.75;

/// What the neighbours of a unit add up to, in fixed point.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Near {
    /// How many are of its own side.
    pub friends: u32,
    /// How many are enemies that chase.
    pub foes: u32,
    /// The ways to its friends.
    pub toward: [i64; 3],
    /// The velocities of its friends.
    pub along: [i64; 3],
    /// The pushes of whoever is too close.
    pub apart: [i64; 3],
}

/// What everybody knows when a tick begins.
pub(super) struct Mind<'a> {
    pub field: Aabb3,
    pub ground: &'a generate::Ground,
    pub reach: f32,
    pub tick: u64,
    pub seed: u64,
    /// Where everybody is.
    pub places: &'a [Vec3],
    /// How everybody flies.
    pub ways: &'a [Vec3],
}

impl Mind<'_> {
    /// Where a unit is after the tick, and how it flies then.
    pub fn fly(
        &self,
        row: usize,
        template: &Template3,
        half_extent: Vec3,
        target: Option<UnitId>,
        near: &Near,
    ) -> (Vec3, Vec3) {
        let (place, way) = (self.places[row], self.ways[row]);
        let (place, way) = match template.motion {
            Motion::Hold => (self.over_hills(place, half_extent), Vec3::ZERO),
            Motion::Orbit => {
                let (place, way) = self.orbit(place, template.speed);
                (self.over_hills(place, half_extent), way)
            }
            Motion::Drift => {
                let way = self.rebound(place, way, row, template.speed, half_extent);
                (
                    self.over_ground(place + way * STEP_SECONDS, half_extent),
                    way,
                )
            }
            Motion::Flock | Motion::Chase | Motion::Flee => {
                let way = self.steer(row, template, target, near);
                (
                    self.over_ground(place + way * STEP_SECONDS, half_extent),
                    way,
                )
            }
        };
        (within_limits(place), way)
    }

    /// The place, or the one above it on the ground: a slope may rise faster than who flies at it.
    fn over_ground(&self, place: Vec3, half_extent: Vec3) -> Vec3 {
        let floor = self.ground.height(place.x, place.y) + half_extent.z;
        place.with_z(place.z.max(floor))
    }

    /// The same for who keeps its height: only hills are in its way.
    fn over_hills(&self, place: Vec3, half_extent: Vec3) -> Vec3 {
        if self.ground.has_hills() {
            self.over_ground(place, half_extent)
        } else {
            place
        }
    }

    /// In a circle around the upright axis through the middle of the field. The place is put back onto its circle, so that nobody
    /// spirals outward.
    fn orbit(&self, place: Vec3, speed: f32) -> (Vec3, Vec3) {
        let from_axis = (place - self.field.center()).with_z(0.0);
        let radius = from_axis.length();
        if radius == 0.0 {
            return (place, Vec3::ZERO);
        }
        let way = Vec3::new(-from_axis.y, from_axis.x, 0.0) / radius * speed;
        let straight = from_axis + way * STEP_SECONDS;
        let onto = straight * (radius / straight.length());
        (place + (onto - from_axis), way)
    }

    /// The velocity of who flies straight ahead: back into the field where it ends, and over the ground.
    fn rebound(&self, place: Vec3, way: Vec3, row: usize, speed: f32, half_extent: Vec3) -> Vec3 {
        let mut way = if way.length_squared() > 0.0 {
            way
        } else {
            // It held until now, and has no direction yet.
            direction3(chance::hash(self.seed, row as u64, self.tick)) * speed
        };
        let floor = self.ground.height(place.x, place.y);
        for axis in 0..3 {
            let low = if axis == 2 {
                floor
            } else {
                self.field.min[axis]
            };
            if place[axis] - half_extent[axis] < low {
                way[axis] = way[axis].abs();
            } else if place[axis] + half_extent[axis] > self.field.max[axis] {
                way[axis] = -way[axis].abs();
            }
        }
        way
    }

    /// The velocity of who heeds its neighbours: with them, apart from them, at its target or away from it, within the field.
    fn steer(&self, row: usize, template: &Template3, target: Option<UnitId>, near: &Near) -> Vec3 {
        let (place, way) = (self.places[row], self.ways[row]);
        let ahead = way.normalize_or_zero();
        let mut wish = ahead;
        if near.friends > 0 {
            let count = near.friends as f32;
            wish += floating(near.toward) / (count * self.reach.max(f32::MIN_POSITIVE)) * 0.9;
            wish += floating(near.along).normalize_or_zero() * 0.8;
        }
        let apart = floating(near.apart);
        // Never so strong that a crowd on one spot knows nothing else.
        wish += apart / (1.0 + apart.length()) * 2.0;
        if let Some(target) = target {
            let led = self.places[target as usize] + self.ways[target as usize] * LEAD_SECONDS;
            let goal = (led - place).normalize_or_zero();
            let sign = if template.motion == Motion::Flee {
                -1.6
            } else {
                1.6
            };
            wish += goal * sign;
        }
        let epoch = self.tick / STRAY_TICKS;
        wish += direction3(chance::hash(self.seed, row as u64, epoch)) * 0.35;
        wish += self.inward(place) * 3.0;
        let wanted = wish.normalize_or_zero() * template.speed;
        let way = way + (wanted - way) * STEERING;
        // It neither stalls in a turn nor outruns itself.
        let speed = way.length();
        let least = template.speed * 0.6;
        if speed > template.speed {
            way * (template.speed / speed)
        } else if speed < least && speed > 0.0 {
            way * (least / speed)
        } else if speed == 0.0 {
            direction3(chance::hash(self.seed, row as u64, self.tick)) * least
        } else {
            way
        }
    }

    /// Which way it is back into the middle of the field, the stronger the nearer its border is; nothing where that is far.
    fn inward(&self, place: Vec3) -> Vec3 {
        let mut push = Vec3::ZERO;
        let floor = self.ground.height(place.x, place.y);
        for axis in 0..3 {
            let low = if axis == 2 {
                floor
            } else {
                self.field.min[axis]
            };
            let high = self.field.max[axis];
            let margin = ((high - low) * 0.15).max(f32::MIN_POSITIVE);
            let under = ((low + margin - place[axis]) / margin).clamp(0.0, 2.0);
            let over = ((place[axis] - high + margin) / margin).clamp(0.0, 2.0);
            push[axis] = under - over;
        }
        push
    }
}
