//! The pair kernel in two forms: plain, and with 8 lanes where the processor has AVX2. The only `unsafe` of the core.
//!
//! One body is tested with a run of others that lie in columns. Hits are packed by a permutation from a table, so there is no
//! branch on hit or miss: whether two units are in reach is a coin toss, and mispredicted tosses are what pairs cost.
//!
//! Invariant: both forms do the same operations in the same precision (no fused multiply-add), so they find the same hits
//! to the last bit. A test compares them.

use crate::geometry::Aabb;
use crate::partition::{Pair, UnitId};
use std::ops::Range;

/// So many values behind the last may be read: columns are that much longer than what is in them.
pub const PADDING: usize = 8;

/// Bodies in columns that are all as long, [`PADDING`] longer than what is in them.
///
/// Invariant: the upper columns are as long as the others, or the lower ones once more where bodies are points.
#[derive(Clone, Copy)]
pub struct Bodies<'a> {
    left: &'a [f32],
    bottom: &'a [f32],
    right: &'a [f32],
    top: &'a [f32],
    ids: &'a [UnitId],
}

impl<'a> Bodies<'a> {
    /// Bodies in these columns; the upper ones are empty where bodies are points.
    #[inline(always)]
    pub fn new(
        left: &'a [f32],
        bottom: &'a [f32],
        right: &'a [f32],
        top: &'a [f32],
        ids: &'a [UnitId],
    ) -> Self {
        let (right, top) = if right.is_empty() {
            (left, bottom)
        } else {
            (right, top)
        };
        let lengths = [left.len(), bottom.len(), right.len(), top.len()];
        assert!(
            lengths.iter().all(|length| *length == ids.len()),
            "columns of one length"
        );
        Self {
            left,
            bottom,
            right,
            top,
            ids,
        }
    }
}

/// A way to test one body with a run of others.
pub trait Kernel: Copy {
    /// Writes the pairs of `unit` with those of a `run` of `others` that are at most the root of `reach_sq`
    /// away from its body, to the front of `free`, and says how many.
    ///
    /// `free` is at least [`PADDING`] longer than the run; what is behind the hits is overwritten with anything.
    fn pack<const SIZED: bool>(
        self,
        free: &mut [Pair],
        unit: UnitId,
        body: Aabb,
        reach_sq: f32,
        others: Bodies<'_>,
        run: Range<usize>,
    ) -> usize;
}

/// Some work that is done with whichever kernel is best. Everything in it that is to be quick has to be inlined into
/// [`Task::run`], because only then is it compiled for the kernel's instructions.
pub trait Task {
    fn run<K: Kernel>(self, kernel: K);
}

/// Does the work with the best kernel that this processor has. Builds with `--cfg skirmish_plain` have no other than the plain
/// one, so that its hashes can be compared (`tests/attack/hashes`).
pub fn dispatch(task: impl Task) {
    #[cfg(all(target_arch = "x86_64", not(skirmish_plain)))]
    if let Some(kernel) = wide::Avx2::detect() {
        return kernel.run(task);
    }
    task.run(Plain);
}

/// The greatest whole number not above `value`, as far as an `i32` goes. It never decreases with the value.
///
/// The floor of the standard library is a call on a plain x86-64, and its conversion to a whole number asks three times
/// whether there is one.
#[inline(always)]
pub fn floor(value: f32) -> i32 {
    /// The greatest `f32` below 2³¹.
    const LIMIT: f32 = 2_147_483_520.0;
    // What is no number becomes the lower limit; `clamp` would let it through.
    #[allow(clippy::manual_clamp)]
    let value = value.max(-LIMIT).min(LIMIT);
    // SAFETY: `value` is a number, and within what an `i32` holds.
    let towards_zero: i32 = unsafe { value.to_int_unchecked() };
    towards_zero - i32::from((towards_zero as f32) > value)
}

/// One at a time.
#[derive(Clone, Copy)]
pub struct Plain;

impl Kernel for Plain {
    #[inline(always)]
    fn pack<const SIZED: bool>(
        self,
        free: &mut [Pair],
        unit: UnitId,
        body: Aabb,
        reach_sq: f32,
        others: Bodies<'_>,
        run: Range<usize>,
    ) -> usize {
        let mut count = 0;
        let begin = run.start;
        let ids = &others.ids[run.clone()];
        let (left, bottom) = (&others.left[run.clone()], &others.bottom[run]);
        let free = &mut free[..ids.len() + 1];
        for (place, &id) in ids.iter().enumerate() {
            let hit = if SIZED {
                let x = (body.min.x - others.right[begin + place])
                    .max(left[place] - body.max.x)
                    .max(0.0);
                let y = (body.min.y - others.top[begin + place])
                    .max(bottom[place] - body.max.y)
                    .max(0.0);
                x * x + y * y <= reach_sq
            } else {
                // The gap of two boxes without size, to the last bit.
                let (x, y) = (body.min.x - left[place], body.min.y - bottom[place]);
                x * x + y * y <= reach_sq
            };
            free[count] = (unit.min(id), unit.max(id));
            count += usize::from(hit);
        }
        count
    }
}

#[cfg(all(target_arch = "x86_64", not(skirmish_plain)))]
mod wide {
    use super::{Aabb, Bodies, Kernel, PADDING, Pair, Task, UnitId};
    use std::arch::x86_64::*;
    use std::mem::offset_of;
    use std::ops::Range;

    /// Eight at a time. A value of this type is a proof that the processor has AVX2, BMI2 and POPCNT.
    #[derive(Clone, Copy)]
    pub struct Avx2(());

    // Pairs are written as they lie in memory.
    const _: () = assert!(
        size_of::<Pair>() == 8 && offset_of!(Pair, 0) == 0 && offset_of!(Pair, 1) == 4,
        "a pair is two numbers, the first one first"
    );

    const LANES: usize = 8;

    /// For each set of lanes, one bit a lane: the lanes of the set one after the other, laid so that interleaving two
    /// registers by halves, which does not cross their middles, puts them in order.
    static LANE_TABLE: [[u8; LANES]; 1 << LANES] = {
        // The first lanes of the set are the outer pairs of the first register written, the next those of the second.
        const ORDER: [usize; LANES] = [0, 1, 4, 5, 2, 3, 6, 7];
        let mut table = [[0; LANES]; 1 << LANES];
        let mut set = 0;
        while set < table.len() {
            let (mut lane, mut found) = (0, 0);
            while lane < LANES {
                if set >> lane & 1 == 1 {
                    table[set][ORDER[found]] = lane as u8;
                    found += 1;
                }
                lane += 1;
            }
            set += 1;
        }
        table
    };

    impl Avx2 {
        /// The kernel, if the processor has what it takes.
        pub fn detect() -> Option<Self> {
            (is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("bmi2")
                && is_x86_feature_detected!("popcnt"))
            .then_some(Self(()))
        }

        /// Does the work, compiled for these instructions.
        pub fn run(self, task: impl Task) {
            #[target_feature(enable = "avx2,bmi2,popcnt")]
            fn run<T: Task>(task: T, kernel: Avx2) {
                task.run(kernel);
            }
            // SAFETY: a value of `Avx2` is only made where the processor has these instructions.
            unsafe { run(task, self) }
        }
    }

    impl Kernel for Avx2 {
        #[inline(always)]
        fn pack<const SIZED: bool>(
            self,
            free: &mut [Pair],
            unit: UnitId,
            body: Aabb,
            reach_sq: f32,
            others: Bodies<'_>,
            run: Range<usize>,
        ) -> usize {
            let length = run.len();
            assert!(
                run.end + PADDING <= others.ids.len() && length + PADDING <= free.len(),
                "padded columns, and room for all"
            );
            let first = run.start;
            let mut count = 0;
            let mut place = 0;
            // SAFETY: a value of `Avx2` is a proof of the instructions. All columns are as long as `ids`, so PADDING = LANES
            // values can be read from any place of the run; at most `place` pairs have been written before the LANES pairs
            // written for `place` < `length`, so they fit `free`.
            unsafe {
                let limit = _mm256_set1_ps(reach_sq);
                let zero = _mm256_setzero_ps();
                let (min_x, min_y) = (_mm256_set1_ps(body.min.x), _mm256_set1_ps(body.min.y));
                let (max_x, max_y) = (_mm256_set1_ps(body.max.x), _mm256_set1_ps(body.max.y));
                let own = _mm256_set1_epi32(unit as i32);
                while place < length {
                    let load = |column: &[f32]| _mm256_loadu_ps(column.as_ptr().add(first + place));
                    let (mut x, mut y) = (
                        _mm256_sub_ps(min_x, load(others.right)),
                        _mm256_sub_ps(min_y, load(others.top)),
                    );
                    if SIZED {
                        x = _mm256_max_ps(x, _mm256_sub_ps(load(others.left), max_x));
                        x = _mm256_max_ps(x, zero);
                        y = _mm256_max_ps(y, _mm256_sub_ps(load(others.bottom), max_y));
                        y = _mm256_max_ps(y, zero);
                    }
                    let gap_sq = _mm256_add_ps(_mm256_mul_ps(x, x), _mm256_mul_ps(y, y));
                    let near = _mm256_cmp_ps::<_CMP_LE_OQ>(gap_sq, limit);
                    let left_over = (length - place).min(LANES) as u32;
                    let set = _bzhi_u32(_mm256_movemask_ps(near) as u32, left_over);

                    let lanes = _mm_loadl_epi64(LANE_TABLE[usize::from(set as u8)].as_ptr().cast());
                    let lanes = _mm256_cvtepu8_epi32(lanes);
                    let other = _mm256_loadu_si256(others.ids.as_ptr().add(first + place).cast());
                    let other = _mm256_permutevar8x32_epi32(other, lanes);
                    let (low, high) = (_mm256_min_epu32(own, other), _mm256_max_epu32(own, other));
                    let to = free.as_mut_ptr().add(count).cast::<__m256i>();
                    _mm256_storeu_si256(to, _mm256_unpacklo_epi32(low, high));
                    _mm256_storeu_si256(to.add(1), _mm256_unpackhi_epi32(low, high));
                    count += set.count_ones() as usize;
                    place += LANES;
                }
            }
            count
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::Stream;
    use crate::geometry::Vec2;

    /// A random coordinate on a lattice of quarters, so that many distances are exactly the reach.
    fn coordinate(stream: &mut Stream) -> f32 {
        stream.below(48) as f32 * 0.25
    }

    struct Run<'a> {
        others: Bodies<'a>,
        places: Range<usize>,
        body: Aabb,
        sized: bool,
        found: &'a mut Vec<Pair>,
    }

    impl Task for Run<'_> {
        #[inline(always)]
        fn run<K: Kernel>(self, kernel: K) {
            let Self {
                others,
                places,
                body,
                sized,
                found,
            } = self;
            let mut free = vec![(7, 7); places.len() + PADDING];
            let count = if sized {
                kernel.pack::<true>(&mut free, 50, body, 1.0, others, places)
            } else {
                kernel.pack::<false>(&mut free, 50, body, 1.0, others, places)
            };
            found.extend_from_slice(&free[..count]);
        }
    }

    #[test]
    fn a_floor_is_that_of_the_standard_library_as_far_as_there_is_one() {
        let mut values = vec![
            0.0_f32,
            -0.0,
            0.5,
            -0.5,
            1.0,
            -1.0,
            16_777_217.0,
            2.0e9,
            -2.0e9,
        ];
        let mut stream = Stream::new(4);
        values.extend((0..10_000).map(|_| stream.between(-3.0e4, 3.0e4)));
        for value in values {
            assert_eq!(floor(value), value.floor() as i32, "{value}");
        }
        assert!(floor(f32::INFINITY) > 2_147_483_000);
        assert!(floor(f32::NEG_INFINITY) < -2_147_483_000);
        assert_eq!(floor(f32::NAN), floor(f32::NEG_INFINITY));
    }

    #[test]
    fn the_wide_kernel_finds_what_the_plain_one_finds_in_the_same_order() {
        let mut stream = Stream::new(3);
        // Miri runs some hundred times slower than the machine.
        let rounds = if cfg!(miri) { 200 } else { 4_000 };
        for round in 0..rounds {
            let sized = round % 2 == 1;
            let length = stream.below(40) as usize;
            let begin = stream.below(length as u64 + 1) as usize;
            let end = begin + stream.below((length - begin) as u64 + 1) as usize;
            let mut column = || -> Vec<f32> {
                (0..length + PADDING)
                    .map(|_| coordinate(&mut stream))
                    .collect()
            };
            let (left, bottom) = (column(), column());
            let (mut right, mut top) = (column(), column());
            for place in 0..right.len() {
                right[place] = left[place] + right[place] * 0.125;
                top[place] = bottom[place] + top[place] * 0.125;
            }
            let ids: Vec<UnitId> = (0..(length + PADDING) as u32).map(|id| id * 3).collect();
            let corner = Vec2::new(coordinate(&mut stream), coordinate(&mut stream));
            let size = if sized { Vec2::splat(0.5) } else { Vec2::ZERO };
            let (mut best, mut plain) = (Vec::new(), Vec::new());
            let run = |found| Run {
                others: if sized {
                    Bodies::new(&left, &bottom, &right, &top, &ids)
                } else {
                    Bodies::new(&left, &bottom, &[], &[], &ids)
                },
                places: begin..end,
                body: Aabb::new(corner, corner + size),
                sized,
                found,
            };
            dispatch(run(&mut best));
            run(&mut plain).run(Plain);
            assert_eq!(best, plain);
            let expected: Vec<Pair> = (begin..end)
                .filter(|place| {
                    let min = Vec2::new(left[*place], bottom[*place]);
                    let max = if sized {
                        Vec2::new(right[*place], top[*place])
                    } else {
                        min
                    };
                    let body = Aabb::new(corner, corner + size);
                    body.gap_sq(Aabb::new(min, max)) <= 1.0
                })
                .map(|place| (ids[place].min(50), ids[place].max(50)))
                .collect();
            assert_eq!(plain, expected);
        }
    }
}
