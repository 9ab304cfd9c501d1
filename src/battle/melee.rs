//! What the two units of a pair do to each other: they push apart, and enemies within reach strike.

use super::UNIT_LIMIT;
use super::names::named;
use crate::chance;
use crate::geometry::{Aabb, Vec2};
use crate::partition::toolkit::simd::{are_far, ask_for};
use crate::partition::{Pair, UnitId};
use crate::scene::{Scene, Side};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// What share of an overlap the push takes away in a tick; all of it at once would set a crowd trembling.
const STIFFNESS: f32 = 0.25;
/// How far the push moves a unit in a tick at the most, in metres: a crowd on one spot spreads instead of exploding.
const PUSH_LIMIT: f32 = 0.125;
/// How many units of fixed point are a metre where units keep no farther apart than usual. A push is summed in these, so that its sum does
/// not depend on the order.
const PUSH_SCALE: f32 = 1024.0;
const _: () = assert!(
    // One pair contributes at most half of that along an axis, and a unit has at most UNIT_LIMIT neighbours.
    (Scene::KEEP_APART * 0.5 * PUSH_SCALE) as i64 * UNIT_LIMIT as i64 <= i32::MAX as i64,
    "a sum of pushes overflows"
);

/// So many pairs are looked at together.
const BLOCK: usize = 64;

/// How hard units push each other who try to keep so far apart: what is the same for all pairs of a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spacing {
    /// How far apart units try to keep, in metres.
    apart: f32,
    /// How many units of fixed point are a metre: fewer where units keep farther apart than usual, so that no sum is larger for that. A push
    /// of less than one of them is none: at 100 m pairs are left alone who lack less than a tenth of a metre, foes who keep nearer included.
    scale: f32,
    /// How much less than usual they keep apart, in metres. Up to as much bodies that overlap push each other by their overlap beside that:
    /// where they may touch, they part until they do no more than touch.
    less: f32,
}

impl Spacing {
    pub(super) fn new(apart: f32) -> Self {
        Self {
            apart,
            scale: PUSH_SCALE * Scene::KEEP_APART / apart.max(Scene::KEEP_APART),
            less: (Scene::KEEP_APART - apart).max(0.0),
        }
    }

    /// How far a unit of fixed point moves, in metres.
    pub(super) fn give(self) -> f32 {
        STIFFNESS / self.scale
    }
}

/// What a unit's neighbours add up to, in one piece of memory. Sums and minima do not depend on their order, so threads that share them need
/// no turn.
///
/// All else that the pair loop reads of a unit it reads where that lies anyway: a copy beside the sum would be written and read anew in
/// every step.
#[derive(Debug)]
#[repr(align(16))]
pub(super) struct Sum {
    /// The push along x and along y, in units of fixed point, [together].
    push: AtomicU64,
    /// The nearest enemy within reach, by name where several are as near: the bits of the squared distance, which order as the distances do,
    /// above its row.
    foe: AtomicU64,
}
const _: () = assert!(size_of::<Sum>() == 16, "four sums fill a cache line");

/// What there is in place of a foe's distance and row where there is none.
const NO_FOE: u64 = u64::MAX;

impl Sum {
    /// That of a unit that has met nobody.
    fn nothing() -> Self {
        Self {
            push: AtomicU64::new(0),
            foe: AtomicU64::new(NO_FOE),
        }
    }

    /// The nearest enemy within reach.
    #[inline(always)]
    pub(super) fn nearest_foe(&self) -> Option<UnitId> {
        let foe = self.foe.load(Relaxed);
        // The row is the low half.
        (foe != NO_FOE).then_some(foe as UnitId)
    }

    /// How far all neighbours together move each of some units, which a unit of fixed point does [so far](Spacing::give), into a slice as
    /// long as they are many; after that they have met nobody.
    #[inline(always)]
    pub(super) fn take_all(sums: &mut [Self], give: f32, shifts: &mut [Vec2]) {
        // Whether there is a push at all is not asked: in a thin crowd it is a coin toss.
        for (sum, shift) in sums.iter_mut().zip(&mut *shifts) {
            let [x, y] = apart(*sum.push.get_mut());
            *shift = Vec2::new(x as f32, y as f32) * give;
            *sum = Self::nothing();
        }
        for shift in shifts {
            let length_sq = shift.length_squared();
            // To multiply by 1 changes nothing, and is done by lanes.
            let less = if length_sq > PUSH_LIMIT * PUSH_LIMIT {
                PUSH_LIMIT / length_sq.sqrt()
            } else {
                1.0
            };
            *shift *= less;
        }
    }

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

/// The sums of all units, by row.
///
/// Who moves [takes](Sum::take_all) its own, so that they are nothing by the next step without being written for it.
#[derive(Debug, Default)]
pub(super) struct Sums {
    rows: Vec<Sum>,
    /// Whether something may be left of pairs that nobody has taken: a step was given up, or is under way.
    is_used: bool,
}

impl Sums {
    /// Nothing for each of so many units, to be added to.
    pub(super) fn begin(&mut self, count: usize) -> &[Sum] {
        if std::mem::replace(&mut self.is_used, true) {
            self.rows.clear();
        }
        self.rows.resize_with(count, Sum::nothing);
        &self.rows
    }

    /// The sums, all of which are to be taken.
    pub(super) fn finish(&mut self) -> &mut [Sum] {
        self.is_used = false;
        &mut self.rows
    }
}

/// How far a unit strikes and for whom, in one number: its reach, which is negative on the second side, be it zero.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Arm(f32);

impl Arm {
    pub(super) fn new(reach: f32, side: Side) -> Self {
        // Zero may come with a sign of its own.
        let reach = reach.abs();
        Self(match side {
            Side::Blue => reach,
            Side::Orange => -reach,
        })
    }

    #[inline(always)]
    fn reach(self) -> f32 {
        self.0.abs()
    }

    #[inline(always)]
    fn is_foe(self, other: Self) -> bool {
        (self.0.to_bits() ^ other.0.to_bits()) >> 31 != 0
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

/// Who has an enemy within reach: a byte a unit, which is written without a look at it, whoever else is about.
#[derive(Debug, Default)]
pub(super) struct Engaged {
    rows: Vec<AtomicBool>,
}

impl Engaged {
    /// Nobody, of so many units.
    pub(super) fn clear(&mut self, count: usize) -> &[AtomicBool] {
        self.rows.clear();
        self.rows.resize_with(count, AtomicBool::default);
        &self.rows
    }

    /// Whether each of the units is.
    pub(super) fn of_all(&mut self) -> &mut [AtomicBool] {
        &mut self.rows
    }
}

/// Where pairs meet.
#[derive(Clone, Copy)]
pub(super) struct Ground<'a> {
    pub(super) engaged: &'a [AtomicBool],
    pub(super) sums: &'a [Sum],
    pub(super) positions: &'a [Vec2],
    pub(super) half_extents: &'a [Vec2],
    pub(super) squad_ids: &'a [u32],
    /// How far those of each squad strike.
    pub(super) arms: &'a [Arm],
    pub(super) spacing: Spacing,
    /// What units are called, as far as they are not called as their rows.
    pub(super) names: &'a [UnitId],
    pub(super) seed: u64,
    pub(super) tick: u64,
    /// Whether mostly each pair reads what none before it has read, far away: then it is asked for a block ahead.
    pub(super) are_pairs_far: bool,
}

/// Whether so many pairs among so many units mostly read what none before them has read, beyond the near caches. In a crowd that has more
/// pairs than units most of it has just been read, and to ask for it all the same costs a quarter of the step. Of 0 pairs nothing is
/// known: none there were, or no step was yet.
pub(super) fn are_pairs_far(pairs: u64, units: usize) -> bool {
    (1..=units as u64).contains(&pairs) && are_far(units * (size_of::<Vec2>() + size_of::<Sum>()))
}

impl Ground<'_> {
    /// Adds what the units of each pair do to each other.
    ///
    /// A block of pairs is read before any of it is written: what is read far apart is then fetched at the same time, while a
    /// pair that waits for the one before waits for the memory at each. `SHARED` where other threads add at the same time.
    #[inline]
    pub(super) fn clash<const SHARED: bool>(&self, batch: &[Pair]) {
        let (mut ways, mut gaps_sq) = ([Vec2::ZERO; BLOCK], [0.0; BLOCK]);
        let mut ahead = batch.chunks(BLOCK).skip(1);
        for block in batch.chunks(BLOCK) {
            if self.are_pairs_far {
                self.ask_for_all(ahead.next().unwrap_or_default());
            }
            let measured = ways.iter_mut().zip(&mut gaps_sq).zip(block);
            if self.half_extents.is_empty() {
                for ((way, gap_sq), &(a, b)) in measured {
                    *way = self.positions[b as usize] - self.positions[a as usize];
                    *gap_sq = way.length_squared();
                }
            } else {
                for ((way, gap_sq), &(a, b)) in measured {
                    let (one, other) = (self.positions[a as usize], self.positions[b as usize]);
                    *way = other - one;
                    let one = Aabb::around(one, self.half_extents[a as usize]);
                    *gap_sq = one.gap_sq(Aabb::around(other, self.half_extents[b as usize]));
                }
            }
            for ((way, gap_sq), &(a, b)) in ways.iter().zip(&gaps_sq).zip(block) {
                self.clash_pair::<SHARED>(a, b, *way, *gap_sq);
            }
        }
        if self.spacing.less > 0.0 && !self.half_extents.is_empty() {
            self.part_bodies::<SHARED>(batch);
        }
    }

    /// Adds by what those of each pair whose bodies overlap push each other beside the rest, where units keep less apart than usual: a loop
    /// of its own, so that it costs nothing where they do not.
    #[inline(never)]
    fn part_bodies<const SHARED: bool>(&self, batch: &[Pair]) {
        for &(a, b) in batch {
            let [one, other] = [a, b].map(|unit| unit as usize);
            let way = self.positions[other] - self.positions[one];
            let overlap = self.half_extents[one] + self.half_extents[other] - way.abs();
            // Who touches overlaps by nothing.
            let overlap = overlap.min_element().min(self.spacing.less);
            if overlap > 0.0 {
                let sums = [&self.sums[one], &self.sums[other]];
                self.part::<SHARED>((a, b), sums, way, overlap * 0.5);
            }
        }
    }

    /// Asks for what is read of the units of a block.
    #[inline(always)]
    fn ask_for_all(&self, block: &[Pair]) {
        for &(a, b) in block {
            for row in [a as usize, b as usize] {
                ask_for(&self.positions[row]);
                ask_for(&self.sums[row]);
                ask_for(&self.squad_ids[row]);
                if !self.half_extents.is_empty() {
                    ask_for(&self.half_extents[row]);
                }
            }
        }
    }

    /// How far the unit in a row strikes.
    #[inline(always)]
    fn arm(&self, row: UnitId) -> Arm {
        self.arms[self.squad_ids[row as usize] as usize]
    }

    /// `way` leads from the middle of `a` to that of `b`; `gap_sq` is the squared distance between their edges.
    #[inline(always)]
    fn clash_pair<const SHARED: bool>(&self, a: UnitId, b: UnitId, way: Vec2, gap_sq: f32) {
        let (one, other) = (self.arm(a), self.arm(b));
        let (one_sum, other_sum) = (&self.sums[a as usize], &self.sums[b as usize]);
        let mut separation = self.spacing.apart;
        if one.is_foe(other) {
            // Enemies must come close enough to strike, so that they keep apart by less than the longer arm. Those who
            // cannot strike at all keep apart like friends.
            let (one, other) = (one.reach(), other.reach());
            let arm = one.max(other);
            if arm > 0.0 {
                separation = separation.min(arm * 0.5);
            }
            let distance = u64::from(gap_sq.to_bits()) << 32;
            if gap_sq <= one * one {
                one_sum.meet::<SHARED>(distance | u64::from(b), self.names);
                self.engaged[a as usize].store(true, Relaxed);
            }
            if gap_sq <= other * other {
                other_sum.meet::<SHARED>(distance | u64::from(a), self.names);
                self.engaged[b as usize].store(true, Relaxed);
            }
        }
        if gap_sq < separation * separation {
            let depth = (separation - gap_sq.sqrt()) * 0.5;
            self.part::<SHARED>((a, b), [one_sum, other_sum], way, depth);
        }
    }

    /// Pushes the units of a pair so far from each other, in metres each.
    #[inline(always)]
    fn part<const SHARED: bool>(&self, (a, b): Pair, sums: [&Sum; 2], way: Vec2, depth: f32) {
        let length_sq = way.length_squared();
        let away = if length_sq > 0.0 {
            way / length_sq.sqrt()
        } else {
            self.away_by_chance(a, b)
        };
        let push = away * (depth * self.spacing.scale);
        let push = [push.x as i32, push.y as i32];
        sums[1].push::<SHARED>(together(push));
        sums[0].push::<SHARED>(together([-push[0], -push[1]]));
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
    use crate::scene::limits::MAX_KEEP_APART;
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
    fn however_far_apart_units_keep_no_sum_of_pushes_overflows() {
        for apart in [0.0, 0.1, 1.9, 2.0, 2.1, 7.0, 99.9, MAX_KEEP_APART] {
            let Spacing { scale, less, .. } = Spacing::new(apart);
            let most = ((apart * 0.5 * scale) as i64) + ((less * 0.5 * scale) as i64);
            let sum = most * UNIT_LIMIT as i64;
            assert!((1..=i64::from(i32::MAX)).contains(&sum), "{apart}: {sum}");
        }
        // As ever, to the last bit.
        let Spacing { scale, less, .. } = Spacing::new(Scene::KEEP_APART);
        assert_eq!((scale, less), (PUSH_SCALE, 0.0));
    }

    #[test]
    fn threads_that_share_sums_lose_nothing() {
        let mut sums = Sums::default();
        let sum = &sums.begin(1)[0];
        (0..4u64).into_par_iter().for_each(|thread| {
            for turn in 0..1000 {
                sum.push::<true>(together([3, -5]));
                sum.meet::<true>((2000 - turn) << 32 | thread, &[]);
            }
        });
        assert_eq!(apart(sum.push.load(Relaxed)), [12_000, -20_000]);
        assert_eq!(sum.nearest_foe(), Some(0));
    }

    #[test]
    fn who_cannot_strike_has_a_side_all_the_same() {
        for reach in [0.0, -0.0, 1.5] {
            let [blue, orange] = [Side::Blue, Side::Orange].map(|side| Arm::new(reach, side));
            assert!(blue.is_foe(orange) && orange.is_foe(blue));
            assert!(!blue.is_foe(blue) && !orange.is_foe(orange));
            assert_eq!((blue.reach(), orange.reach()), (reach, reach));
        }
    }

    #[test]
    fn what_a_step_that_was_given_up_added_is_not_there_in_the_next_one() {
        let mut sums = Sums::default();
        sums.begin(3)[1].meet::<false>(7, &[]);
        assert_eq!(sums.begin(3)[1].nearest_foe(), None);
        sums.begin(3)[1].push::<false>(together([2000, 0]));
        let give = Spacing::new(Scene::KEEP_APART).give();
        let mut shifts = [Vec2::ZERO; 3];
        Sum::take_all(sums.finish(), give, &mut shifts);
        assert!(shifts[1].x > 0.0 && shifts[2] == Vec2::ZERO);
        assert_eq!(sums.begin(4)[1].push.load(Relaxed), 0);
    }
}
