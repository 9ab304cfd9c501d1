//! Where units go that look at nobody: they hold, they march, or they wander by chance.

use super::names::Names;
use super::{COORDINATE_LIMIT, Squad};
use crate::chance;
use crate::geometry::{Aabb, Vec2};
use crate::partition::UnitId;
use crate::partition::toolkit::rounding::ROUNDING;
use crate::scene::Order;

/// What share of the way to its wanted velocity a unit makes in one tick.
const STEERING: f32 = 0.25;
/// Below this, in m/s, a unit that wants to stand does stand.
const STANDSTILL: f32 = 1.0e-3;
/// How far ahead a wanderer sees the border, in metres.
const AHEAD: f32 = 2.0;
/// For how many ticks a wanderer keeps its direction.
const WANDER_TICKS: u64 = 90;

/// The directions of wanderers. Each is chance's answer to the same question for many ticks, and to ask at each costs more than all
/// else that a wanderer decides.
#[derive(Debug, Default)]
pub(super) struct Courses {
    /// One a row; empty where nobody wanders.
    pub(super) rows: Vec<Course>,
    /// Of which seed, of units of which names, and in which [era](ERA).
    of: (u64, Names, u64),
}

/// A direction that chance gave to whom, and until when: the first tick after it, counted from the begin of its [era](ERA) on.
///
/// The name stands here, for few turn at a tick, and to look each of them up elsewhere is to wait for the memory each time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Course {
    end: u32,
    name: UnitId,
    direction: Vec2,
}

/// Ticks are counted anew after a year, so that half a word is enough for one.
const ERA: u64 = 1 << 31;

impl Course {
    /// Of a unit of whom none is known: it has ended before each tick.
    fn unknown(name: UnitId) -> Self {
        Self {
            end: 0,
            name,
            direction: Vec2::ZERO,
        }
    }

    /// Whether it is that of a tick, counted as its end is.
    #[inline(always)]
    fn is_of(self, tick: u32) -> bool {
        // It is not before it has begun either: a battle may go back in time.
        self.end.wrapping_sub(tick).wrapping_sub(1) < WANDER_TICKS as u32
    }
}

impl Courses {
    /// As many rows as there are of units of these names in a battle of this seed; what is known of it stays known.
    pub(super) fn begin(&mut self, (seed, names): (u64, &Names), tick: u64, rows: usize) {
        let (known_seed, known_names, known_era) = &self.of;
        if (*known_seed, *known_era) != (seed, tick / ERA) || !known_names.are(names) {
            self.rows.clear();
            self.of = (seed, names.clone(), tick / ERA);
        }
        self.rows.truncate(rows);
        let new = self.rows.len() as UnitId..rows as UnitId;
        self.rows
            .extend(new.map(|row| Course::unknown(names.of(row))));
    }
}

/// What a unit has to know that decides without a look at others.
#[derive(Clone, Copy)]
pub(super) struct Will<'a> {
    pub(super) seed: u64,
    pub(super) tick: u64,
    /// The tick as [`Courses`] count it.
    tick_of_courses: u32,
    field: Aabb,
    /// See [`interior`].
    interior: Aabb,
    pub(super) squads: &'a [Squad],
}

impl Squad {
    /// Top speed, in m/s.
    pub(super) fn speed(&self) -> f32 {
        self.template.speed.min(COORDINATE_LIMIT)
    }
}

impl<'a> Will<'a> {
    /// In a battle of this seed and field at this tick, with these squads.
    pub(super) fn new((seed, tick): (u64, u64), field: Aabb, squads: &'a [Squad]) -> Self {
        Self {
            seed,
            tick,
            tick_of_courses: (tick % ERA) as u32,
            field,
            interior: interior(field),
            squads,
        }
    }

    /// The velocities that units want which follow each other and look at nobody, into a slice as long as they are many.
    #[inline(always)]
    pub(super) fn all_of(
        &self,
        wanted: &mut [Vec2],
        squad_ids: &[u32],
        positions: &[Vec2],
        courses: &mut [Course],
    ) {
        let Some(squad_id) = squad_ids.first() else {
            return;
        };
        let squad = &self.squads[*squad_id as usize];
        let brawls = squad.template.order == Order::Brawl && courses.len() == wanted.len();
        // Mostly a squad's units follow each other.
        if brawls
            && squad_ids
                .iter()
                .fold(true, |all, id| all & (id == squad_id))
        {
            self.wander_all(wanted, positions, courses);
            let speed = squad.speed();
            for wanted in wanted {
                *wanted *= speed;
            }
            return;
        }
        let places = positions.iter().zip(squad_ids);
        for (row, (wanted, (position, squad_id))) in wanted.iter_mut().zip(places).enumerate() {
            let squad = &self.squads[*squad_id as usize];
            *wanted = self.of(squad, *position, courses.get_mut(row));
        }
    }

    /// The directions of wanderers that follow each other, each as [`Will::wander`] has it.
    #[inline(always)]
    fn wander_all(&self, directions: &mut [Vec2], positions: &[Vec2], courses: &mut [Course]) {
        let tick = self.tick_of_courses;
        let is_of_tick = |course: &Course| course.is_of(tick);
        if !courses.iter().fold(true, |all, it| all & is_of_tick(it)) {
            for course in &mut *courses {
                if !is_of_tick(course) {
                    self.turn_by_chance(course);
                }
            }
        }
        for (direction, course) in directions.iter_mut().zip(courses) {
            *direction = course.direction;
        }
        let is_inside = |at: &Vec2| {
            let Aabb { min, max } = self.interior;
            (at.x >= min.x) & (at.x <= max.x) & (at.y >= min.y) & (at.y <= max.y)
        };
        if !positions.iter().fold(true, |all, at| all & is_inside(at)) {
            for (direction, position) in directions.iter_mut().zip(positions) {
                if !is_inside(position) {
                    *direction = turned_back(self.field, *position, *direction);
                }
            }
        }
    }

    /// The velocity that a unit wants which looks at nobody. Where anybody wanders it has a course.
    #[inline(always)]
    pub(super) fn of(&self, squad: &Squad, at: Vec2, course: Option<&mut Course>) -> Vec2 {
        match (squad.template.order, course) {
            (Order::March(_), _) => squad.heading * squad.speed(),
            (Order::Brawl, Some(course)) => self.wander(at, course) * squad.speed(),
            (Order::Brawl | Order::Hold | Order::Charge, _) => Vec2::ZERO,
        }
    }

    /// The direction of a wanderer: by chance for a while, and back in from outside the field.
    #[inline(always)]
    fn wander(&self, position: Vec2, course: &mut Course) -> Vec2 {
        if !course.is_of(self.tick_of_courses) {
            self.turn_by_chance(course);
        }
        if self.interior.contains(position) {
            course.direction
        } else {
            turned_back(self.field, position, course.direction)
        }
    }

    /// Gives a unit the course on which chance sends it at this tick. Few turn at a tick: the loop over all of them is quicker without what
    /// that takes.
    #[inline(never)]
    fn turn_by_chance(&self, course: &mut Course) {
        let name = u64::from(course.name);
        // Everybody turns at a tick of their own.
        let since_turn = self.tick + name.wrapping_mul(7);
        let turn = since_turn / WANDER_TICKS;
        let left = WANDER_TICKS - since_turn % WANDER_TICKS;
        course.end = self.tick_of_courses + left as u32;
        course.direction = chance::direction(chance::hash(self.seed, name, turn));
    }
}

/// Where a wanderer goes who is near the border of the field or outside, and would go in this direction.
#[inline(never)]
fn turned_back(field: Aabb, position: Vec2, direction: Vec2) -> Vec2 {
    let inside = position.clamp(field.min.min(field.max), field.max.max(field.min));
    if inside != position {
        return super::heading(inside - position);
    }
    let ahead = position + direction * AHEAD;
    let bounce = |axis: usize| {
        let leaves = (direction[axis] < 0.0 && ahead[axis] < field.min[axis])
            || (direction[axis] > 0.0 && ahead[axis] > field.max[axis]);
        if leaves {
            -direction[axis]
        } else {
            direction[axis]
        }
    };
    Vec2::new(bounce(0), bounce(1))
}

/// The velocity of a unit that wants another one: it takes its time.
#[inline(always)]
pub(super) fn steered(velocity: Vec2, wanted: Vec2) -> Vec2 {
    velocity + (wanted - velocity) * STEERING
}

/// The velocity of a unit that has steered: who wants to stand does at last.
#[inline(always)]
pub(super) fn stopped(velocity: Vec2, wanted: Vec2) -> Vec2 {
    if wanted == Vec2::ZERO && velocity.length_squared() < STANDSTILL * STANDSTILL {
        Vec2::ZERO
    } else {
        velocity
    }
}

/// A box within the field from which nobody who looks [`AHEAD`] sees its border: half of the margin is for that, the rest for
/// rounding.
fn interior(field: Aabb) -> Aabb {
    let margin = |border: Vec2| border.abs() * ROUNDING + Vec2::splat(2.0 * AHEAD);
    Aabb::new(field.min + margin(field.min), field.max - margin(field.max))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_in_the_interior_is_turned_back() {
        let mut corner = Vec2::new(3.0, 7.0);
        while corner.x < COORDINATE_LIMIT {
            let power = Vec2::splat(corner.x.log2().floor().exp2());
            for min in [corner, -corner, power, -power] {
                let field = Aabb::new(min, min + corner + Vec2::splat(64.0));
                let interior = interior(field);
                for place in [interior.min, interior.max] {
                    for direction in [Vec2::X, Vec2::Y, -Vec2::X, -Vec2::Y, Vec2::ONE] {
                        if interior.contains(place) {
                            assert_eq!(turned_back(field, place, direction), direction);
                        }
                    }
                }
            }
            corner *= 1.37;
        }
        let field = Aabb::new(Vec2::ZERO, Vec2::splat(50.0));
        assert!(interior(field).contains(field.center()));
        let turned = turned_back(field, Vec2::new(1.0, 25.0), -Vec2::X);
        assert_eq!(turned, Vec2::X);
    }
}
