//! What the two units of a pair do to each other: they push apart, and enemies within reach strike.

use super::names::named;
use super::{SEPARATION, UNIT_LIMIT};
use crate::chance;
use crate::geometry::{Aabb, Vec2};
use crate::partition::{Pair, UnitId};
use crate::scene::Side;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

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
#[derive(Debug)]
#[repr(align(32))]
pub(super) struct Fighter {
    position: Vec2,
    reach: f32,
    side: Side,
    sum: Sum,
}
const _: () = assert!(size_of::<Fighter>() == 32, "two fighters fill a cache line");

impl Fighter {
    /// A unit that has met nobody yet.
    #[inline(always)]
    pub(super) fn new(position: Vec2, reach: f32, side: Side) -> Self {
        Self {
            position,
            reach,
            side,
            sum: Sum {
                push: AtomicU64::new(0),
                foe: AtomicU64::new(u64::MAX),
            },
        }
    }

    /// The nearest enemy within reach.
    #[inline(always)]
    pub(super) fn nearest_foe(&self) -> Option<UnitId> {
        let foe = self.sum.foe.load(Relaxed);
        // The row is the low half.
        (foe != u64::MAX).then_some(foe as UnitId)
    }

    /// How far the pushes of all neighbours together move the unit.
    #[inline(always)]
    pub(super) fn displacement(&self) -> Vec2 {
        let sum = self.sum.push.load(Relaxed);
        if sum == 0 {
            return Vec2::ZERO;
        }
        let [x, y] = apart(sum);
        let way = Vec2::new(x as f32, y as f32) * (STIFFNESS / PUSH_SCALE);
        let length_sq = way.length_squared();
        if length_sq > PUSH_LIMIT * PUSH_LIMIT {
            way * (PUSH_LIMIT / length_sq.sqrt())
        } else {
            way
        }
    }
}

/// What a unit's neighbours add up to. Sums and minima do not depend on their order, so threads that share them need no turn.
#[derive(Debug)]
struct Sum {
    /// The push along x and along y, in metres times [`PUSH_SCALE`], [together].
    push: AtomicU64,
    /// The nearest enemy within reach, by name where several are as near: the bits of the squared distance, which order as the distances do,
    /// above its row.
    foe: AtomicU64,
}

impl Sum {
    /// `SHARED` says whether other threads may be about it; alone, one need not pay for their absence.
    #[inline(always)]
    fn push<const SHARED: bool>(&self, push: u64) {
        if SHARED {
            self.push.fetch_add(push, Relaxed);
        } else {
            let sum = self.push.load(Relaxed).wrapping_add(push);
            self.push.store(sum, Relaxed);
        }
    }

    #[inline(always)]
    fn meet<const SHARED: bool>(&self, foe: u64, names: &[UnitId]) {
        let nearest = |before| nearer(before, foe, names);
        if SHARED {
            // Where it is no nearer, nothing is written.
            let write = |before| Some(nearest(before)).filter(|after| *after != before);
            let _ = self.foe.fetch_update(Relaxed, Relaxed, write);
        } else {
            self.foe.store(nearest(self.foe.load(Relaxed)), Relaxed);
        }
    }
}

/// The nearer of two foes; of two that are as far away, the one whose name comes first.
#[inline(always)]
fn nearer(one: u64, other: u64, names: &[UnitId]) -> u64 {
    #[cold]
    fn by_name(one: u64, other: u64, names: &[UnitId]) -> u64 {
        let name = |foe: u64| named(names, foe as UnitId);
        if name(one) < name(other) { one } else { other }
    }
    if one >> 32 == other >> 32 {
        by_name(one, other, names)
    } else {
        one.min(other)
    }
}

/// Two numbers in one: sums of such are the sums of both, as long as neither overflows, and [`UNIT_LIMIT`] is such that it never
/// does.
#[inline(always)]
fn together([x, y]: [i32; 2]) -> u64 {
    ((i64::from(y) << 32).wrapping_add(i64::from(x))) as u64
}

/// The two numbers that are [together] in one.
#[inline(always)]
fn apart(both: u64) -> [i32; 2] {
    let x = both as i32;
    let y = (both as i64).wrapping_sub(i64::from(x)) >> 32;
    [x, y as i32]
}

/// Who has an enemy within reach: a bit a unit, so that whoever asks for them need not look at all.
#[derive(Debug, Default)]
pub(super) struct Engaged {
    words: Vec<AtomicU64>,
}

impl Engaged {
    /// Nobody, of so many units.
    pub(super) fn clear(&mut self, count: usize) {
        self.words.clear();
        let words = count.div_ceil(u64::BITS as usize);
        self.words.resize_with(words, || AtomicU64::new(0));
    }

    #[inline(always)]
    fn mark<const SHARED: bool>(&self, unit: UnitId) {
        let (word, bit) = (&self.words[unit as usize / 64], 1 << (unit % 64));
        if SHARED {
            // Most have met somebody before, and a look takes the line from nobody.
            if word.load(Relaxed) & bit == 0 {
                word.fetch_or(bit, Relaxed);
            }
        } else {
            word.store(word.load(Relaxed) | bit, Relaxed);
        }
    }

    /// Those of some units that follow each other, in their order.
    pub(super) fn among(&self, units: Range<usize>) -> impl Iterator<Item = UnitId> {
        let words = units.start / 64..units.end.div_ceil(64);
        words.flat_map(move |place| {
            let first = place * 64;
            let mut bits = self.words[place].load(Relaxed);
            if first < units.start {
                bits &= u64::MAX << (units.start - first);
            }
            if units.end < first + 64 {
                bits &= !(u64::MAX << (units.end - first));
            }
            std::iter::from_fn(move || {
                let next = (bits != 0).then(|| first as UnitId + bits.trailing_zeros());
                bits &= bits.wrapping_sub(1);
                next
            })
        })
    }
}

/// Where pairs meet.
#[derive(Clone, Copy)]
pub(super) struct Ground<'a> {
    pub(super) engaged: &'a Engaged,
    pub(super) half_extents: &'a [Vec2],
    /// What units are called, as far as they are not called as their rows.
    pub(super) names: &'a [UnitId],
    pub(super) seed: u64,
    pub(super) tick: u64,
}

impl Ground<'_> {
    /// Adds what the units of each pair do to each other.
    ///
    /// A block of pairs is read before any of it is written: what is read far apart is then fetched at the same time, while a
    /// pair that waits for the one before waits for the memory at each. `SHARED` where other threads add at the same time.
    #[inline]
    pub(super) fn clash<const SHARED: bool>(&self, batch: &[Pair], fighters: &[Fighter]) {
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
                self.clash_pair::<SHARED>(a, b, *way, *gap_sq, fighters);
            }
        }
    }

    /// `way` leads from the middle of `a` to that of `b`; `gap_sq` is the squared distance between their edges.
    #[inline(always)]
    fn clash_pair<const SHARED: bool>(
        &self,
        a: UnitId,
        b: UnitId,
        way: Vec2,
        gap_sq: f32,
        fighters: &[Fighter],
    ) {
        let (one, other) = (&fighters[a as usize], &fighters[b as usize]);
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
                one.sum.meet::<SHARED>(distance | u64::from(b), self.names);
                self.engaged.mark::<SHARED>(a);
            }
            if gap_sq <= other.reach * other.reach {
                other
                    .sum
                    .meet::<SHARED>(distance | u64::from(a), self.names);
                self.engaged.mark::<SHARED>(b);
            }
        }
        if gap_sq < separation * separation {
            let depth = (separation - gap_sq.sqrt()) * 0.5;
            let length_sq = way.length_squared();
            let away = if length_sq > 0.0 {
                way / length_sq.sqrt()
            } else {
                self.away_by_chance(a, b)
            };
            let push = away * (depth * PUSH_SCALE);
            let push = [push.x as i32, push.y as i32];
            other.sum.push::<SHARED>(together(push));
            one.sum.push::<SHARED>(together([-push[0], -push[1]]));
        }
    }

    /// On one spot there is no way apart but one by chance, the same for both: that of the second from the first.
    #[cold]
    fn away_by_chance(&self, a: UnitId, b: UnitId) -> Vec2 {
        let (one, other) = (named(self.names, a), named(self.names, b));
        let (first, last) = (u64::from(one.min(other)), u64::from(one.max(other)));
        let tick = self.tick.wrapping_mul(UNIT_LIMIT as u64);
        let away = chance::direction(chance::hash(self.seed, first, tick ^ last));
        if one < other { away } else { -away }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rayon::prelude::*;

    #[test]
    fn two_sums_in_one_are_both_sums() {
        let numbers = [
            0,
            1,
            -1,
            7,
            -7,
            1 << 20,
            -(1 << 20),
            i32::MAX / 2,
            i32::MIN / 2,
        ];
        for x in numbers {
            for y in numbers {
                assert_eq!(apart(together([x, y])), [x, y]);
                for (u, v) in numbers.into_iter().zip(numbers.into_iter().rev()) {
                    let sum = together([x, y]).wrapping_add(together([u, v]));
                    assert_eq!(apart(sum), [x + u, y + v]);
                }
            }
        }
    }

    #[test]
    fn whoever_is_engaged_is_found_among_the_units_that_are_asked_for() {
        let mut engaged = Engaged::default();
        engaged.clear(200);
        for unit in [0, 63, 64, 65, 127, 130, 199] {
            engaged.mark::<true>(unit);
            engaged.mark::<false>(unit);
        }
        let among = |units| engaged.among(units).collect::<Vec<_>>();
        assert_eq!(among(0..200), [0, 63, 64, 65, 127, 130, 199]);
        assert_eq!(among(0..63), [0]);
        assert_eq!(among(1..64), [63]);
        assert_eq!(among(64..128), [64, 65, 127]);
        assert!(among(66..127).is_empty());
        assert_eq!(among(100..131), [127, 130]);
        assert!(among(131..131).is_empty());
        engaged.clear(200);
        assert_eq!(engaged.among(0..200).count(), 0);
    }

    #[test]
    fn threads_that_share_sums_lose_nothing() {
        let fighter = Fighter::new(Vec2::ZERO, 1.0, Side::Blue);
        (0..4u64).into_par_iter().for_each(|thread| {
            for turn in 0..1000 {
                fighter.sum.push::<true>(together([3, -5]));
                fighter.sum.meet::<true>((2000 - turn) << 32 | thread, &[]);
            }
        });
        assert_eq!(apart(fighter.sum.push.load(Relaxed)), [12_000, -20_000]);
        assert_eq!(fighter.nearest_foe(), Some(0));
    }
}
