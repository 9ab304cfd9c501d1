//! What the two units of a pair do to each other: they push apart, and enemies within reach strike.

use super::{SEPARATION, UNIT_LIMIT};
use crate::chance;
use crate::geometry::{Aabb, Vec2};
use crate::partition::{Pair, UnitId};
use crate::scene::Side;
use rayon::prelude::*;

/// What share of an overlap the push takes away in a tick; all of it at once would set a crowd trembling.
const STIFFNESS: f32 = 0.25;
/// How far the push moves a unit in a tick at the most, in metres: a crowd on one spot spreads instead of exploding.
const PUSH_LIMIT: f32 = 0.125;
/// How many units of fixed point are a metre. A push is summed in these, so that its sum does not depend on the order.
const PUSH_SCALE: f32 = 1024.0;
const _: () = assert!(
    // One pair contributes at most half of SEPARATION along an axis, and a unit has at most UNIT_LIMIT neighbours.
    (SEPARATION * 0.5 * PUSH_SCALE) as i64 * UNIT_LIMIT as i64 <= i32::MAX as i64,
    "a sum of pushes overflows"
);

/// So many pairs are looked at together.
const BLOCK: usize = 64;

/// What the pair loop reads of a unit and what it writes, in one piece of memory: neighbours lie anywhere, and each piece that is
/// fetched for a pair costs more than the pair.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub(super) struct Fighter {
    position: Vec2,
    reach: f32,
    side: Side,
    pub(super) sum: Sum,
}
const _: () = assert!(size_of::<Fighter>() == 32, "two fighters fill a cache line");

impl Fighter {
    /// A unit that has met nobody yet.
    pub(super) fn new(position: Vec2, reach: f32, side: Side) -> Self {
        Self {
            position,
            reach,
            side,
            sum: Sum::NOTHING,
        }
    }
}

/// What a unit's neighbours add up to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sum {
    /// The push, in metres times [`PUSH_SCALE`].
    push: [i32; 2],
    /// The nearest enemy within reach: the bits of the squared distance, which order as the distances do, above its id.
    foe: u64,
}

impl Sum {
    const NOTHING: Self = Self {
        push: [0, 0],
        foe: u64::MAX,
    };

    /// Wraps rather than panics; [`UNIT_LIMIT`] is such that it never does.
    #[inline(always)]
    fn push(&mut self, [x, y]: [i32; 2]) {
        self.push = [self.push[0].wrapping_add(x), self.push[1].wrapping_add(y)];
    }

    #[inline(always)]
    fn add(&mut self, other: &Self) {
        self.push(other.push);
        self.foe = self.foe.min(other.foe);
    }

    /// The nearest enemy within reach.
    pub(super) fn nearest_foe(&self) -> Option<UnitId> {
        // The id is the low half.
        (self.foe != u64::MAX).then_some(self.foe as UnitId)
    }

    /// How far the pushes of all neighbours together move the unit.
    #[inline]
    pub(super) fn displacement(&self) -> Vec2 {
        if self.push == [0, 0] {
            return Vec2::ZERO;
        }
        let way = Vec2::new(self.push[0] as f32, self.push[1] as f32) * (STIFFNESS / PUSH_SCALE);
        let length_sq = way.length_squared();
        if length_sq > PUSH_LIMIT * PUSH_LIMIT {
            way * (PUSH_LIMIT / length_sq.sqrt())
        } else {
            way
        }
    }
}

/// Where pairs meet.
#[derive(Clone, Copy)]
pub(super) struct Ground<'a> {
    pub(super) half_extents: &'a [Vec2],
    pub(super) seed: u64,
    pub(super) tick: u64,
}

impl Ground<'_> {
    /// Adds what the units of each pair do to each other.
    ///
    /// A block of pairs is read before any of it is written: what is read far apart is then fetched at the same time, while a
    /// pair that waits for the one before waits for the memory at each.
    #[inline]
    pub(super) fn clash(&self, batch: &[Pair], fighters: &mut [Fighter]) {
        let (mut ways, mut gaps_sq) = ([Vec2::ZERO; BLOCK], [0.0; BLOCK]);
        for block in batch.chunks(BLOCK) {
            let measured = ways.iter_mut().zip(&mut gaps_sq).zip(block);
            if self.half_extents.is_empty() {
                for ((way, gap_sq), &(a, b)) in measured {
                    *way = fighters[b as usize].position - fighters[a as usize].position;
                    *gap_sq = way.length_squared();
                }
            } else {
                for ((way, gap_sq), &(a, b)) in measured {
                    let (one, other) =
                        (fighters[a as usize].position, fighters[b as usize].position);
                    *way = other - one;
                    let one = Aabb::around(one, self.half_extents[a as usize]);
                    *gap_sq = one.gap_sq(Aabb::around(other, self.half_extents[b as usize]));
                }
            }
            for ((way, gap_sq), &(a, b)) in ways.iter().zip(&gaps_sq).zip(block) {
                self.clash_pair(a, b, *way, *gap_sq, fighters);
            }
        }
    }

    /// `way` leads from the middle of `a` to that of `b`; `gap_sq` is the squared distance between their edges.
    #[inline(always)]
    fn clash_pair(&self, a: UnitId, b: UnitId, way: Vec2, gap_sq: f32, fighters: &mut [Fighter]) {
        let (one, other) = (fighters[a as usize], fighters[b as usize]);
        let mut separation = SEPARATION;
        if one.side != other.side {
            // Enemies must come close enough to strike, so that they keep apart by less than the longer arm. Those who
            // cannot strike at all keep apart like friends.
            let arm = one.reach.max(other.reach);
            if arm > 0.0 {
                separation = separation.min(arm * 0.5);
            }
            let distance = u64::from(gap_sq.to_bits()) << 32;
            if gap_sq <= one.reach * one.reach {
                let sum = &mut fighters[a as usize].sum;
                sum.foe = sum.foe.min(distance | u64::from(b));
            }
            if gap_sq <= other.reach * other.reach {
                let sum = &mut fighters[b as usize].sum;
                sum.foe = sum.foe.min(distance | u64::from(a));
            }
        }
        if gap_sq < separation * separation {
            let depth = (separation - gap_sq.sqrt()) * 0.5;
            let length_sq = way.length_squared();
            let away = if length_sq > 0.0 {
                way / length_sq.sqrt()
            } else {
                // On one spot there is no way apart but one by chance, the same for both.
                let tick = self.tick.wrapping_mul(UNIT_LIMIT as u64);
                chance::direction(chance::hash(self.seed, u64::from(a), tick ^ u64::from(b)))
            };
            let push = away * (depth * PUSH_SCALE);
            let push = [push.x as i32, push.y as i32];
            fighters[b as usize].sum.push(push);
            fighters[a as usize].sum.push([-push[0], -push[1]]);
        }
    }
}

/// Adds the sums of all threads into those of the first.
pub(super) fn add_up(armies: &mut [Vec<Fighter>]) {
    const CHUNK: usize = 4096;
    let Some((total, others)) = armies.split_first_mut() else {
        return;
    };
    total
        .par_chunks_mut(CHUNK)
        .enumerate()
        .for_each(|(chunk, total)| {
            for other in &*others {
                let stretch = &other[chunk * CHUNK..][..total.len()];
                for (fighter, more) in total.iter_mut().zip(stretch) {
                    fighter.sum.add(&more.sum);
                }
            }
        });
}
