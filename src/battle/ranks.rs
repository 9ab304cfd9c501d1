//! What the rows of a battle do at the end of a step: they strike, they move, they fall.

use super::fingerprint::Fingerprint;
use super::melee::Sum;
use super::names::Names;
use super::will::{Course, Will, steered, stopped};
use super::{COORDINATE_LIMIT, STEP_SECONDS};
use crate::chance;
use crate::geometry::Vec2;
use crate::partition::toolkit::simd::{self, Kernel, Task};
use crate::partition::toolkit::threads::{each_in_turn, front_mut};
use crate::partition::{Change, UnitId};
use std::hint::select_unpredictable;
use std::ops::Range;
use std::sync::atomic::AtomicBool;

/// How often a unit looks for the nearest enemy when one is close, in ticks.
pub(super) const LOOK_TICKS: u8 = 16;
/// The time between two strikes of a unit, in ticks.
pub(super) const STRIKE_TICKS: u8 = 30;
/// The least and the most that one strike takes, in hit points.
const STRIKE_DAMAGE: Range<u64> = 6..15;

/// So many rows strike, and move, together.
const LOT: usize = 64;
/// What share of its velocity a unit keeps in a tick in which it has an enemy within reach.
const BRAKE: f32 = 0.5;

/// One of two places or velocities, without a branch.
#[inline(always)]
fn select(is_first: bool, one: Vec2, other: Vec2) -> Vec2 {
    Vec2::new(
        select_unpredictable(is_first, one.x, other.x),
        select_unpredictable(is_first, one.y, other.y),
    )
}

/// What the units of some rows did, beside what they did to themselves.
#[derive(Debug, Default)]
pub(super) struct Deeds {
    /// Whom they struck, and what that took.
    pub(super) blows: Vec<(UnitId, u16)>,
    /// How many of them moved or fell.
    pub(super) change_count: usize,
    /// Who fell, by ascending row.
    pub(super) fallen: Vec<UnitId>,
    /// The fingerprint that is to be taken of its rows on the way.
    pub(super) fingerprint: Option<Fingerprint>,
}

/// How many of so many rows each of so many shares has, but for the last ones.
pub(super) fn share_length(rows: usize, shares: usize) -> usize {
    rows.div_ceil(shares).max(1)
}

/// Rows about to move, with whatever instructions there are.
///
/// Loops of one kind of work each: those that only reckon are done by lanes.
struct Advance<'r, 'a, 'w> {
    ranks: &'r mut Ranks<'a>,
    deeds: &'r mut Deeds,
    will: Option<&'r Will<'w>>,
}

impl Task for Advance<'_, '_, '_> {
    #[inline(always)]
    fn run<K: Kernel>(self, _: K) {
        let Self { ranks, deeds, will } = self;
        deeds.change_count = 0;
        deeds.fallen.clear();
        for begin in (0..ranks.positions.len()).step_by(LOT) {
            let rows = begin..ranks.positions.len().min(begin + LOT);
            if let Some(will) = will {
                ranks.steer(rows.clone(), will);
            }
            ranks.engage(rows.clone());
            ranks.go(rows.clone(), deeds);
            if let Some(fingerprint) = &mut deeds.fingerprint {
                for row in rows {
                    fingerprint.take(
                        ranks.hit_points[row],
                        ranks.alive[row],
                        ranks.positions[row],
                        ranks.velocities[row],
                    );
                }
            }
        }
    }
}

/// Rows that follow each other, as columns: a share that one thread has to itself.
pub(super) struct Ranks<'a> {
    /// The first of the rows.
    pub(super) first: usize,
    pub(super) sums: &'a mut [Sum],
    /// Whether each has an enemy within reach.
    pub(super) engaged: &'a mut [AtomicBool],
    /// Empty where nobody wanders, or all have turned already.
    pub(super) courses: &'a mut [Course],
    /// Of all rows.
    pub(super) squad_ids: &'a [u32],
    /// How far a unit of fixed point moves whom it pushes, in metres.
    pub(super) give: f32,
    pub(super) names: &'a Names,
    pub(super) targets: &'a mut [UnitId],
    pub(super) look_delays: &'a mut [u8],
    pub(super) strike_delays: &'a mut [u8],
    pub(super) hit_points: &'a mut [u16],
    pub(super) alive: &'a mut [bool],
    pub(super) velocities: &'a mut [Vec2],
    pub(super) positions: &'a mut [Vec2],
    /// Room to tell who moved or fell, by ascending row from the first on.
    pub(super) changes: &'a mut [Change],
}

impl Ranks<'_> {
    /// Does `what` with as many shares as there are `deeds`, each with as many rows as any other, on at most `threads` threads.
    pub(super) fn on_each(
        mut self,
        threads: usize,
        deeds: &mut [Deeds],
        what: impl Fn(&mut Ranks<'_>, &mut Deeds) + Sync,
    ) {
        if let [deeds] = deeds {
            return what(&mut self, deeds);
        }
        let length = share_length(self.positions.len(), deeds.len());
        let mut shares = Vec::with_capacity(deeds.len());
        for deeds in deeds {
            shares.push((self.split_off(length), deeds));
        }
        each_in_turn(&mut shares, threads, |(ranks, deeds)| what(ranks, deeds));
    }

    /// Everybody who has an enemy within reach strikes if it is time. Whom it hits is told, not done: two units may well kill each other in
    /// the same tick.
    pub(super) fn strike(&mut self, (seed, tick): (u64, u64), blows: &mut Vec<(UnitId, u16)>) {
        blows.clear();
        let lots = self.strike_delays.chunks_mut(LOT);
        let lots = lots.zip(self.engaged.chunks_mut(LOT)).enumerate();
        for (lot, (delays, engaged)) in lots {
            let mut due = [0; LOT];
            for ((due, delay), is_engaged) in due.iter_mut().zip(&mut *delays).zip(engaged) {
                *delay = delay.saturating_sub(1);
                *due = u8::from(*is_engaged.get_mut() & (*delay == 0));
            }
            // Mostly nobody of eight strikes.
            for (word, eight) in due.as_chunks().0.iter().enumerate() {
                let mut bits = u64::from_le_bytes(*eight);
                while bits != 0 {
                    let row = word * 8 + bits.trailing_zeros() as usize / 8;
                    bits &= bits - 1;
                    delays[row] = STRIKE_TICKS;
                    blows.push(((self.first + lot * LOT + row) as UnitId, 0));
                }
            }
        }
        // Who strikes is found first: whom they strike lies far apart, and is fetched at the same time for many.
        blows.retain_mut(|(unit, damage)| {
            let name = u64::from(self.names.of(*unit));
            let chance = chance::hash(seed, name, tick);
            let range = STRIKE_DAMAGE.end - STRIKE_DAMAGE.start;
            *damage = (STRIKE_DAMAGE.start + chance % range) as u16;
            let foe = self.sums[*unit as usize - self.first].nearest_foe();
            *unit = foe.unwrap_or(*unit);
            foe.is_some()
        });
    }

    /// Everybody takes the velocity that `will` wants, unless that has been thought of already; whoever has an enemy within reach turns to
    /// that one, and everybody moves but who falls. What changes is told, and a fingerprint that is to be taken of the rows is taken of them.
    pub(super) fn advance(&mut self, deeds: &mut Deeds, will: Option<&Will<'_>>) {
        simd::dispatch(Advance {
            ranks: self,
            deeds,
            will,
        });
    }

    /// The rows of a lot take the velocities that `will` wants.
    #[inline(always)]
    fn steer(&mut self, rows: Range<usize>, will: &Will<'_>) {
        let velocities = &mut self.velocities[rows.clone()];
        let mut wanted = [Vec2::ZERO; LOT];
        let wanted = &mut wanted[..velocities.len()];
        let courses = match &mut *self.courses {
            [] => &mut [],
            courses => &mut courses[rows.clone()],
        };
        let first = self.first + rows.start;
        let squad_ids = &self.squad_ids[first..][..velocities.len()];
        let positions = &self.positions[rows.clone()];
        will.all_of(wanted, squad_ids, positions, courses);
        let rows = velocities.iter_mut().zip(&*wanted).zip(&self.alive[rows]);
        if wanted
            .iter()
            .fold(false, |any, to| any | to.eq(&Vec2::ZERO))
        {
            for ((velocity, wanted), is_alive) in rows {
                if *is_alive {
                    *velocity = stopped(steered(*velocity, *wanted), *wanted);
                }
            }
        } else {
            for ((velocity, wanted), is_alive) in rows {
                *velocity = select(*is_alive, steered(*velocity, *wanted), *velocity);
            }
        }
    }

    /// Those of a lot who have an enemy within reach turn to that one.
    #[inline(always)]
    fn engage(&mut self, rows: Range<usize>) {
        let sums = &self.sums[rows.clone()];
        let mut engaged = 0_u64;
        for (row, sum) in sums.iter().enumerate() {
            engaged |= u64::from(sum.nearest_foe().is_some()) << row;
        }
        while engaged != 0 {
            let row = engaged.trailing_zeros() as usize;
            engaged &= engaged - 1;
            if let Some(foe) = sums[row].nearest_foe() {
                let row = rows.start + row;
                self.targets[row] = foe;
                self.look_delays[row] = LOOK_TICKS;
                self.velocities[row] *= BRAKE;
            }
        }
    }

    /// Those of a lot move but who falls.
    #[inline(always)]
    fn go(&mut self, rows: Range<usize>, deeds: &mut Deeds) {
        let first = self.first + rows.start;
        let positions = &mut self.positions[rows.clone()];
        let velocities = &self.velocities[rows.clone()];
        let (alive, hit_points) = (&self.alive[rows.clone()], &self.hit_points[rows.clone()]);
        let mut places = [Vec2::ZERO; LOT];
        let places = &mut places[..positions.len()];
        Sum::take_all(&mut self.sums[rows.clone()], self.give, places);
        let limit = Vec2::splat(COORDINATE_LIMIT);
        let ways = positions.iter().zip(velocities);
        for (place, (position, velocity)) in places.iter_mut().zip(ways) {
            *place = (*position + *velocity * STEP_SECONDS + *place).clamp(-limit, limit);
        }
        let states = alive.iter().zip(hit_points);
        let falls = |(alive, left): (&bool, &u16)| alive & (*left == 0);
        if states.clone().fold(false, |any, state| any | falls(state)) {
            return self.fall_or_go(rows, places, deeds);
        }
        // In a crowd that melts away it is a coin toss who is still alive.
        let mut told = deeds.change_count;
        for (row, to) in places.iter().enumerate() {
            let (unit, from) = ((first + row) as UnitId, positions[row]);
            let moves = alive[row] & ((to.x != from.x) | (to.y != from.y));
            positions[row] = select(moves, *to, from);
            self.changes[told] = Change::Move(unit);
            told += usize::from(moves);
        }
        deeds.change_count = told;
    }

    /// Those of a lot go to their `places` of whom some fall.
    #[inline(never)]
    fn fall_or_go(&mut self, rows: Range<usize>, places: &[Vec2], deeds: &mut Deeds) {
        for (row, to) in rows.zip(places) {
            let unit = (self.first + row) as UnitId;
            let change = if self.alive[row] && self.hit_points[row] == 0 {
                (self.alive[row], self.velocities[row]) = (false, Vec2::ZERO);
                deeds.fallen.push(unit);
                Change::Remove(unit)
            } else if self.alive[row] && *to != self.positions[row] {
                self.positions[row] = *to;
                Change::Move(unit)
            } else {
                continue;
            };
            self.changes[deeds.change_count] = change;
            deeds.change_count += 1;
        }
    }

    /// Takes the first `length` rows, or all that there are.
    fn split_off(&mut self, length: usize) -> Self {
        let length = length.min(self.positions.len());
        let first = self.first;
        self.first += length;
        Self {
            first,
            sums: front_mut(&mut self.sums, length),
            engaged: front_mut(&mut self.engaged, length),
            courses: front_mut(&mut self.courses, length),
            squad_ids: self.squad_ids,
            give: self.give,
            names: self.names,
            targets: front_mut(&mut self.targets, length),
            look_delays: front_mut(&mut self.look_delays, length),
            strike_delays: front_mut(&mut self.strike_delays, length),
            hit_points: front_mut(&mut self.hit_points, length),
            alive: front_mut(&mut self.alive, length),
            velocities: front_mut(&mut self.velocities, length),
            positions: front_mut(&mut self.positions, length),
            changes: front_mut(&mut self.changes, length),
        }
    }
}
