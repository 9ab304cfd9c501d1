//! What the rows of a battle do at the end of a step: they strike, they move, they fall.

use super::fingerprint::Fingerprint;
use super::melee::Sum;
use super::names::Names;
use super::{COORDINATE_LIMIT, STEP_SECONDS};
use crate::chance;
use crate::geometry::Vec2;
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
/// So many rows are asked at once whether they strike.
const LOT: usize = 64;
/// What share of its velocity a unit keeps in a tick in which it has an enemy within reach.
const BRAKE: f32 = 0.5;

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

/// Rows that follow each other, as columns: a share that one thread has to itself.
pub(super) struct Ranks<'a> {
    /// The first of the rows.
    pub(super) first: usize,
    pub(super) sums: &'a mut [Sum],
    /// Whether each has an enemy within reach.
    pub(super) engaged: &'a mut [AtomicBool],
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

    /// Everybody who has an enemy within reach turns to that one, and everybody moves but who falls. What changes is told. `done` is
    /// called with each row as it then is, in their order.
    #[inline(always)]
    pub(super) fn advance(
        &mut self,
        deeds: &mut Deeds,
        done: &mut impl FnMut(u16, bool, Vec2, Vec2),
    ) {
        deeds.change_count = 0;
        deeds.fallen.clear();
        let (limit, give) = (Vec2::splat(COORDINATE_LIMIT), self.give);
        let (changes, change_count) = (&mut *self.changes, &mut deeds.change_count);
        let mut tell = |change| {
            changes[*change_count] = change;
            *change_count += 1;
        };
        let columns = self.positions.iter_mut().zip(&mut *self.velocities);
        let columns = columns.zip(&mut *self.hit_points).zip(&mut *self.alive);
        let foes = self.targets.iter_mut().zip(&mut *self.look_delays);
        let rows = columns.zip(&mut *self.sums).zip(foes).enumerate();
        for (row, (((((position, velocity), hit_points), alive), sum), (target, look_delay))) in
            rows
        {
            let unit = (self.first + row) as UnitId;
            let foe = sum.nearest_foe();
            let is_engaged = foe.is_some();
            *target = select_unpredictable(is_engaged, foe.unwrap_or_default(), *target);
            *look_delay = select_unpredictable(is_engaged, LOOK_TICKS, *look_delay);
            *velocity *= select_unpredictable(is_engaged, BRAKE, 1.0);
            let displacement = sum.take(give);
            if *alive && *hit_points == 0 {
                (*alive, *velocity) = (false, Vec2::ZERO);
                tell(Change::Remove(unit));
                deeds.fallen.push(unit);
            } else if *alive {
                let to = *position + *velocity * STEP_SECONDS + displacement;
                let to = to.clamp(-limit, limit);
                if to != *position {
                    *position = to;
                    tell(Change::Move(unit));
                }
            }
            done(*hit_points, *alive, *position, *velocity);
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
