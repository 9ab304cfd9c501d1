//! The kernel of eight lanes.

use super::{
    Bodies, Boxes, Copies, Eight, FEW, FOUR, Kernel, Keyed, KeyedMut, LEAST, LIMITS, LINE, Looker,
    Onward, PADDING, Task, WAYS, fits,
};
use crate::geometry::{Aabb, Vec2};
use crate::geometry3::Aabb3;
use crate::partition::{Pair, UnitId};
use std::arch::x86_64::*;
use std::ops::Range;

mod halves;
mod least;

/// Eight at a time. A value of this type is a proof that the processor has AVX2, BMI2 and POPCNT.
#[derive(Clone, Copy)]
pub struct Avx2(());

const LANES: usize = 8;
const _: () = assert!(LANES == PADDING, "one register holds eight");

/// For each set of lanes, one bit a lane: the lanes of the set one after the other.
static IN_ORDER: [[u8; LANES]; 1 << LANES] = lane_table([0, 1, 2, 3, 4, 5, 6, 7]);

/// The same, laid so that interleaving two registers by halves, which does not cross their middles, puts them in order: the first
/// lanes of the set are the outer pairs of the first register written, the next those of the second.
static INTERLEAVED: [[u8; LANES]; 1 << LANES] = lane_table([0, 1, 4, 5, 2, 3, 6, 7]);

/// For each set of lanes where each lane of the set has to come from: the first one found is laid at `order[0]`, and so on.
const fn lane_table(order: [usize; LANES]) -> [[u8; LANES]; 1 << LANES] {
    let mut table = [[0; LANES]; 1 << LANES];
    let mut set = 0;
    while set < table.len() {
        let (mut lane, mut found) = (0, 0);
        while lane < LANES {
            if set >> lane & 1 == 1 {
                table[set][order[found]] = lane as u8;
                found += 1;
            }
            lane += 1;
        }
        set += 1;
    }
    table
}

/// [`super::ask_for`], for which any processor of this kind has the instruction.
#[inline(always)]
pub(super) fn ask_for<T>(item: &T) {
    // SAFETY: a prefetch reads nothing.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(item).cast()) };
}

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

/// Where the lanes of a `set` have to come from.
///
/// # Safety
///
/// The processor has AVX2.
#[inline(always)]
unsafe fn lanes(table: &[[u8; LANES]; 1 << LANES], set: u32) -> __m256i {
    // SAFETY: a row of the table is eight bytes long.
    unsafe {
        _mm256_cvtepu8_epi32(_mm_loadl_epi64(
            table[usize::from(set as u8)].as_ptr().cast(),
        ))
    }
}

/// The lanes of `found` that are at the front of what is left of a run.
///
/// # Safety
///
/// The processor has AVX2 and BMI2.
#[inline(always)]
unsafe fn set_of(found: __m256, left_over: usize) -> u32 {
    // SAFETY: said above.
    unsafe {
        _bzhi_u32(
            _mm256_movemask_ps(found) as u32,
            left_over.min(LANES) as u32,
        )
    }
}

/// The least of eight numbers.
///
/// # Safety
///
/// The processor has AVX2.
#[inline(always)]
unsafe fn least(numbers: __m256) -> f32 {
    // SAFETY: said above.
    unsafe {
        let four = _mm_min_ps(
            _mm256_castps256_ps128(numbers),
            _mm256_extractf128_ps::<1>(numbers),
        );
        let two = _mm_min_ps(four, _mm_movehl_ps(four, four));
        _mm_cvtss_f32(_mm_min_ss(two, _mm_movehdup_ps(two)))
    }
}

/// The greatest of eight numbers.
///
/// # Safety
///
/// The processor has AVX2.
#[inline(always)]
unsafe fn greatest(numbers: __m256) -> f32 {
    // SAFETY: said above.
    unsafe {
        let four = _mm_max_ps(
            _mm256_castps256_ps128(numbers),
            _mm256_extractf128_ps::<1>(numbers),
        );
        let two = _mm_max_ps(four, _mm_movehl_ps(four, four));
        _mm_cvtss_f32(_mm_max_ss(two, _mm_movehdup_ps(two)))
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
            fits(&run, others.ids.len()) && fits(&(0..length), free.len()),
            "padded columns, and room for all"
        );
        let first = run.start;
        let mut count = 0;
        let mut place = 0;
        // SAFETY: a value of `Avx2` is a proof of the instructions. All columns are as long as `ids`, so LANES values can
        // be read from each place at which LANES of the run begin; at most `place` pairs have been written before the LANES
        // pairs written for `place`, so they fit `free`.
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
                let set = set_of(near, length - place);
                let lanes = lanes(&INTERLEAVED, set);
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

    #[inline(always)]
    fn pack_abreast<const SIZED: bool>(
        self,
        free: &mut [Pair],
        reach_sq: f32,
        bodies: Bodies<'_>,
        first: usize,
        ends: &[u32; LANES],
    ) -> usize {
        let length = bodies.ids.len();
        assert!(
            LANES <= length && first <= length - LANES && i32::try_from(length).is_ok(),
            "padded columns, whose places are numbers with a sign"
        );
        // First come those of all with the next one, then with the one behind that, and so on: where few are behind each, there are fewer
        // turns of this kind than of one after the other.
        let (mut count, mut other) = (0, first + 1);
        // SAFETY: a value of `Avx2` is a proof of the instructions. All columns are as long as `ids`, and LANES values are read from no
        // place but `first`, where they are there, and such as are asked about; so is the room for LANES pairs.
        unsafe {
            let limit = _mm256_set1_ps(reach_sq);
            let zero = _mm256_setzero_ps();
            let load = |column: &[f32], place: usize| _mm256_loadu_ps(column.as_ptr().add(place));
            let load_ids = |place: usize| _mm256_loadu_si256(bodies.ids.as_ptr().add(place).cast());
            let (min_x, min_y) = (load(bodies.left, first), load(bodies.bottom, first));
            let (max_x, max_y) = (load(bodies.right, first), load(bodies.top, first));
            let own = load_ids(first);
            // How far the end of each is ahead of where it is tested next.
            let next = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
            let next = _mm256_add_epi32(next, _mm256_set1_epi32(other as i32));
            let mut ahead = _mm256_sub_epi32(_mm256_loadu_si256(ends.as_ptr().cast()), next);
            loop {
                let some = _mm256_cmpgt_epi32(ahead, _mm256_setzero_si256());
                if _mm256_testz_si256(some, some) != 0 {
                    break;
                }
                assert!(
                    other <= length - LANES && LANES <= free.len() - count,
                    "padded columns, and room for all"
                );
                let (mut x, mut y) = (
                    _mm256_sub_ps(min_x, load(bodies.right, other)),
                    _mm256_sub_ps(min_y, load(bodies.top, other)),
                );
                if SIZED {
                    x = _mm256_max_ps(x, _mm256_sub_ps(load(bodies.left, other), max_x));
                    x = _mm256_max_ps(x, zero);
                    y = _mm256_max_ps(y, _mm256_sub_ps(load(bodies.bottom, other), max_y));
                    y = _mm256_max_ps(y, zero);
                }
                let gap_sq = _mm256_add_ps(_mm256_mul_ps(x, x), _mm256_mul_ps(y, y));
                let near = _mm256_cmp_ps::<_CMP_LE_OQ>(gap_sq, limit);
                let near = _mm256_and_ps(near, _mm256_castsi256_ps(some));
                let set = _mm256_movemask_ps(near) as u32;
                let lanes = lanes(&INTERLEAVED, set);
                let one = _mm256_permutevar8x32_epi32(own, lanes);
                let two = _mm256_permutevar8x32_epi32(load_ids(other), lanes);
                let (low, high) = (_mm256_min_epu32(one, two), _mm256_max_epu32(one, two));
                let to = free.as_mut_ptr().add(count).cast::<__m256i>();
                _mm256_storeu_si256(to, _mm256_unpacklo_epi32(low, high));
                _mm256_storeu_si256(to.add(1), _mm256_unpackhi_epi32(low, high));
                count += set.count_ones() as usize;
                other += 1;
                ahead = _mm256_sub_epi32(ahead, _mm256_set1_epi32(1));
            }
        }
        count
    }

    #[inline(always)]
    fn pack_onward<const SIZED: bool>(
        self,
        free: &mut [Pair],
        looker: Looker,
        others: Bodies<'_>,
        first: usize,
    ) -> Onward {
        let length = others.ids.len();
        let (mut hits, mut tests, mut place) = (0, 0, first);
        let mut is_over = false;
        let body = looker.body;
        // SAFETY: a value of `Avx2` is a proof of the instructions. All columns are as long as `ids`, and both what is read and
        // what is written are only touched where there are LANES of them.
        unsafe {
            let (limit, reach_sq) = (
                _mm256_set1_ps(looker.limit),
                _mm256_set1_ps(looker.reach_sq),
            );
            let zero = _mm256_setzero_ps();
            let (min_x, min_y) = (_mm256_set1_ps(body.min.x), _mm256_set1_ps(body.min.y));
            let (max_x, max_y) = (_mm256_set1_ps(body.max.x), _mm256_set1_ps(body.max.y));
            let own = _mm256_set1_epi32(looker.unit as i32);
            while !is_over && hits + LANES <= free.len() {
                if place > length || length - place < LANES {
                    is_over = true;
                    break;
                }
                let left = _mm256_loadu_ps(others.left.as_ptr().add(place));
                let top = _mm256_loadu_ps(others.top.as_ptr().add(place));
                let (mut x, mut y) = (_mm256_sub_ps(min_x, left), _mm256_sub_ps(min_y, top));
                if SIZED {
                    // Who begins later does not end before.
                    x = _mm256_max_ps(_mm256_sub_ps(left, max_x), zero);
                    let bottom = _mm256_loadu_ps(others.bottom.as_ptr().add(place));
                    y = _mm256_max_ps(y, _mm256_sub_ps(bottom, max_y));
                    y = _mm256_max_ps(y, zero);
                }
                let gap_sq = _mm256_add_ps(_mm256_mul_ps(x, x), _mm256_mul_ps(y, y));
                let near = _mm256_cmp_ps::<_CMP_LE_OQ>(gap_sq, reach_sq);
                let ahead = _mm256_cmp_ps::<_CMP_LE_OQ>(left, limit);
                let set = _mm256_movemask_ps(_mm256_and_ps(near, ahead)) as u32;
                let lanes = lanes(&INTERLEAVED, set);
                let other = _mm256_loadu_si256(others.ids.as_ptr().add(place).cast());
                let other = _mm256_permutevar8x32_epi32(other, lanes);
                let (low, high) = (_mm256_min_epu32(own, other), _mm256_max_epu32(own, other));
                let to = free.as_mut_ptr().add(hits).cast::<__m256i>();
                _mm256_storeu_si256(to, _mm256_unpacklo_epi32(low, high));
                _mm256_storeu_si256(to.add(1), _mm256_unpackhi_epi32(low, high));
                hits += set.count_ones() as usize;
                let ahead = _mm256_movemask_ps(ahead) as u32;
                tests += ahead.count_ones() as usize;
                is_over = ahead != (1 << LANES) - 1;
                place += LANES;
            }
        }
        Onward {
            hits,
            tests,
            is_over,
        }
    }

    #[inline(always)]
    fn beyond(self, ats: &[f32; 16], axes: u16, place: Vec2) -> u32 {
        // SAFETY: a value of `Avx2` is a proof of the instructions, and there are two registers of cuts.
        unsafe {
            let bits = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
            let (x, y) = (_mm256_set1_ps(place.x), _mm256_set1_ps(place.y));
            let of = |at: usize| {
                let own = _mm256_and_si256(_mm256_set1_epi32(i32::from(axes >> at)), bits);
                let is_across_y = _mm256_cmpeq_epi32(own, bits);
                let coordinate = _mm256_blendv_ps(x, y, _mm256_castsi256_ps(is_across_y));
                let cut = _mm256_loadu_ps(ats.as_ptr().add(at));
                _mm256_movemask_ps(_mm256_cmp_ps::<_CMP_GT_OQ>(coordinate, cut)) as u32
            };
            of(0) | of(LANES) << LANES
        }
    }

    #[inline(always)]
    fn overlapping<const SIZED: bool>(
        self,
        free: &mut [UnitId],
        area: Aabb,
        bodies: Bodies<'_>,
        run: Range<usize>,
    ) -> usize {
        let length = run.len();
        assert!(
            fits(&run, bodies.ids.len()) && fits(&(0..length), free.len()),
            "padded columns, and room for all"
        );
        let first = run.start;
        let mut count = 0;
        let mut place = 0;
        // SAFETY: as in `pack`.
        unsafe {
            let (min_x, min_y) = (_mm256_set1_ps(area.min.x), _mm256_set1_ps(area.min.y));
            let (max_x, max_y) = (_mm256_set1_ps(area.max.x), _mm256_set1_ps(area.max.y));
            while place < length {
                let load = |column: &[f32]| _mm256_loadu_ps(column.as_ptr().add(first + place));
                let (left, bottom) = (load(bodies.left), load(bodies.bottom));
                let (right, top) = if SIZED {
                    (load(bodies.right), load(bodies.top))
                } else {
                    (left, bottom)
                };
                let x = _mm256_and_ps(
                    _mm256_cmp_ps::<_CMP_LE_OQ>(left, max_x),
                    _mm256_cmp_ps::<_CMP_LE_OQ>(min_x, right),
                );
                let y = _mm256_and_ps(
                    _mm256_cmp_ps::<_CMP_LE_OQ>(bottom, max_y),
                    _mm256_cmp_ps::<_CMP_LE_OQ>(min_y, top),
                );
                let set = set_of(_mm256_and_ps(x, y), length - place);
                let ids = _mm256_loadu_si256(bodies.ids.as_ptr().add(first + place).cast());
                let ids = _mm256_permutevar8x32_epi32(ids, lanes(&IN_ORDER, set));
                _mm256_storeu_si256(free.as_mut_ptr().add(count).cast(), ids);
                count += set.count_ones() as usize;
                place += LANES;
            }
        }
        count
    }

    #[inline(always)]
    fn within<const SIZED: bool, const FAR: bool>(
        self,
        free: &mut [UnitId],
        distances_sq: &mut [f32],
        point: Vec2,
        limit_sq: f32,
        bodies: Bodies<'_>,
        run: Range<usize>,
    ) -> usize {
        let length = run.len();
        assert!(
            fits(&run, bodies.ids.len())
                && fits(&(0..length), free.len())
                && (!FAR || fits(&(0..length), distances_sq.len())),
            "padded columns, and room for all"
        );
        let first = run.start;
        let mut count = 0;
        let mut place = 0;
        // SAFETY: as in `pack`.
        unsafe {
            let limit = _mm256_set1_ps(limit_sq);
            let zero = _mm256_setzero_ps();
            let (point_x, point_y) = (_mm256_set1_ps(point.x), _mm256_set1_ps(point.y));
            while place < length {
                let load = |column: &[f32]| _mm256_loadu_ps(column.as_ptr().add(first + place));
                let (mut x, mut y) = (
                    _mm256_sub_ps(load(bodies.left), point_x),
                    _mm256_sub_ps(load(bodies.bottom), point_y),
                );
                if SIZED {
                    x = _mm256_max_ps(x, _mm256_sub_ps(point_x, load(bodies.right)));
                    x = _mm256_max_ps(x, zero);
                    y = _mm256_max_ps(y, _mm256_sub_ps(point_y, load(bodies.top)));
                    y = _mm256_max_ps(y, zero);
                }
                let distance_sq = _mm256_add_ps(_mm256_mul_ps(x, x), _mm256_mul_ps(y, y));
                let near = _mm256_cmp_ps::<_CMP_LE_OQ>(distance_sq, limit);
                let set = set_of(near, length - place);
                let lanes = lanes(&IN_ORDER, set);
                let ids = _mm256_loadu_si256(bodies.ids.as_ptr().add(first + place).cast());
                let ids = _mm256_permutevar8x32_epi32(ids, lanes);
                _mm256_storeu_si256(free.as_mut_ptr().add(count).cast(), ids);
                if FAR {
                    let distance_sq = _mm256_permutevar8x32_ps(distance_sq, lanes);
                    _mm256_storeu_ps(distances_sq.as_mut_ptr().add(count), distance_sq);
                }
                count += set.count_ones() as usize;
                place += LANES;
            }
        }
        count
    }

    #[inline(always)]
    fn gather<const SIZED: bool>(
        self,
        free: Copies<'_>,
        area: Aabb,
        reach_sq: f32,
        bodies: Bodies<'_>,
        run: Range<usize>,
    ) -> usize {
        let length = run.len();
        assert!(
            fits(&run, bodies.ids.len()) && fits(&(0..length), free.ids.len()),
            "padded columns, and room for all"
        );
        let first = run.start;
        let mut count = 0;
        let mut place = 0;
        // SAFETY: as in `pack`; all columns of `free` are as long as its ids.
        unsafe {
            let limit = _mm256_set1_ps(reach_sq);
            let zero = _mm256_setzero_ps();
            let (min_x, min_y) = (_mm256_set1_ps(area.min.x), _mm256_set1_ps(area.min.y));
            let (max_x, max_y) = (_mm256_set1_ps(area.max.x), _mm256_set1_ps(area.max.y));
            while place < length {
                let load = |column: &[f32]| _mm256_loadu_ps(column.as_ptr().add(first + place));
                let (left, bottom) = (load(bodies.left), load(bodies.bottom));
                let (right, top) = if SIZED {
                    (load(bodies.right), load(bodies.top))
                } else {
                    (left, bottom)
                };
                let x = _mm256_max_ps(_mm256_sub_ps(min_x, right), _mm256_sub_ps(left, max_x));
                let y = _mm256_max_ps(_mm256_sub_ps(min_y, top), _mm256_sub_ps(bottom, max_y));
                let (x, y) = (_mm256_max_ps(x, zero), _mm256_max_ps(y, zero));
                let gap_sq = _mm256_add_ps(_mm256_mul_ps(x, x), _mm256_mul_ps(y, y));
                let near = _mm256_cmp_ps::<_CMP_LE_OQ>(gap_sq, limit);
                let set = set_of(near, length - place);
                let lanes = lanes(&IN_ORDER, set);
                let store = |column: &mut [f32], numbers| {
                    let numbers = _mm256_permutevar8x32_ps(numbers, lanes);
                    _mm256_storeu_ps(column.as_mut_ptr().add(count), numbers);
                };
                store(free.left, left);
                store(free.bottom, bottom);
                if SIZED {
                    store(free.right, right);
                    store(free.top, top);
                }
                let ids = _mm256_loadu_si256(bodies.ids.as_ptr().add(first + place).cast());
                let ids = _mm256_permutevar8x32_epi32(ids, lanes);
                _mm256_storeu_si256(free.ids.as_mut_ptr().add(count).cast(), ids);
                count += set.count_ones() as usize;
                place += LANES;
            }
        }
        count
    }

    #[inline(always)]
    fn enclose<const SIZED: bool>(self, bodies: Bodies<'_>, run: Range<usize>) -> Aabb {
        let length = run.len();
        assert!(fits(&run, bodies.ids.len()), "padded columns");
        let first = run.start;
        let mut place = 0;
        // SAFETY: as in `pack`.
        unsafe {
            let infinity = _mm256_set1_ps(f32::INFINITY);
            let none = _mm256_set1_ps(f32::NEG_INFINITY);
            let (mut min_x, mut min_y, mut max_x, mut max_y) = (infinity, infinity, none, none);
            let order = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
            while place < length {
                let left_over = _mm256_set1_epi32((length - place).min(LANES) as i32);
                let inside = _mm256_castsi256_ps(_mm256_cmpgt_epi32(left_over, order));
                let load = |column: &[f32], other: __m256| {
                    let numbers = _mm256_loadu_ps(column.as_ptr().add(first + place));
                    _mm256_blendv_ps(other, numbers, inside)
                };
                min_x = _mm256_min_ps(min_x, load(bodies.left, infinity));
                min_y = _mm256_min_ps(min_y, load(bodies.bottom, infinity));
                max_x = _mm256_max_ps(max_x, load(bodies.right, none));
                max_y = _mm256_max_ps(max_y, load(bodies.top, none));
                place += LANES;
            }
            Aabb::new(
                Vec2::new(least(min_x), least(min_y)),
                Vec2::new(greatest(max_x), greatest(max_y)),
            )
        }
    }

    #[inline(always)]
    fn met_and_inside(self, boxes: &Boxes, area: Aabb) -> (u32, u32) {
        // SAFETY: a value of `Avx2` is a proof of the instructions, and each column is as long as a register of four.
        unsafe {
            let [left, bottom, right, top] = [&boxes.left, &boxes.bottom, &boxes.right, &boxes.top]
                .map(|column| _mm_loadu_ps(column.as_ptr()));
            let [min_x, min_y, max_x, max_y] =
                [area.min.x, area.min.y, area.max.x, area.max.y].map(|border| _mm_set1_ps(border));
            let all = |x: [__m128; 2], y: [__m128; 2]| {
                let (x, y) = (_mm_and_ps(x[0], x[1]), _mm_and_ps(y[0], y[1]));
                _mm_movemask_ps(_mm_and_ps(x, y)) as u32
            };
            let met = all(
                [_mm_cmple_ps(left, max_x), _mm_cmple_ps(min_x, right)],
                [_mm_cmple_ps(bottom, max_y), _mm_cmple_ps(min_y, top)],
            );
            let inside = all(
                [_mm_cmple_ps(min_x, left), _mm_cmple_ps(right, max_x)],
                [_mm_cmple_ps(min_y, bottom), _mm_cmple_ps(top, max_y)],
            );
            (met, inside)
        }
    }

    #[inline(always)]
    fn near_and_within(self, boxes: &Boxes, point: Vec2, limit_sq: f32) -> (u32, u32) {
        // SAFETY: as in `met_and_inside`.
        unsafe {
            let [left, bottom, right, top] = [&boxes.left, &boxes.bottom, &boxes.right, &boxes.top]
                .map(|column| _mm_loadu_ps(column.as_ptr()));
            let (x, y) = (_mm_set1_ps(point.x), _mm_set1_ps(point.y));
            let far_x = (_mm_sub_ps(left, x), _mm_sub_ps(x, right));
            let far_y = (_mm_sub_ps(bottom, y), _mm_sub_ps(y, top));
            let in_reach = |x, y| {
                let distance_sq = _mm_add_ps(_mm_mul_ps(x, x), _mm_mul_ps(y, y));
                _mm_movemask_ps(_mm_cmple_ps(distance_sq, _mm_set1_ps(limit_sq))) as u32
            };
            let zero = _mm_setzero_ps();
            let near = in_reach(
                _mm_max_ps(_mm_max_ps(far_x.0, far_x.1), zero),
                _mm_max_ps(_mm_max_ps(far_y.0, far_y.1), zero),
            );
            // The lesser of two ways out of the box is to the last bit the greater of two ways to its borders, negated.
            let within = in_reach(_mm_min_ps(far_x.0, far_x.1), _mm_min_ps(far_y.0, far_y.1));
            (near, within)
        }
    }

    #[inline(always)]
    fn differing(self, words: &[u32; FOUR], word: u32) -> u32 {
        // SAFETY: as in `met_and_inside`.
        unsafe {
            let words = _mm_loadu_si128(words.as_ptr().cast());
            let same = _mm_cmpeq_epi32(words, _mm_set1_epi32(word as i32));
            !_mm_movemask_ps(_mm_castsi128_ps(same)) as u32 & 0b1111
        }
    }

    #[inline(always)]
    fn overlapping_eight<const SIZED: bool>(self, bodies: Eight<'_>, area: Aabb3) -> u32 {
        // SAFETY: a value of `Avx2` is a proof of the instructions, and each column is as long as a register.
        unsafe {
            let mut all = _mm256_castsi256_ps(_mm256_set1_epi32(-1));
            for axis in 0..3 {
                let low = _mm256_loadu_ps(bodies.low[axis].as_ptr());
                let high = if SIZED {
                    _mm256_loadu_ps(bodies.high[axis].as_ptr())
                } else {
                    low
                };
                let (min, max) = (
                    _mm256_set1_ps(area.min[axis]),
                    _mm256_set1_ps(area.max[axis]),
                );
                let begins = _mm256_cmp_ps::<_CMP_LE_OQ>(low, max);
                let ends = _mm256_cmp_ps::<_CMP_LE_OQ>(min, high);
                all = _mm256_and_ps(all, _mm256_and_ps(begins, ends));
            }
            _mm256_movemask_ps(all) as u32
        }
    }

    #[inline(always)]
    fn near_eight<const SIZED: bool>(
        self,
        bodies: Eight<'_>,
        body: Aabb3,
        reach_sq: f32,
    ) -> (u32, [f32; PADDING]) {
        let mut distances_sq = [0.0; PADDING];
        // SAFETY: as in `overlapping_eight`.
        let set = unsafe {
            let mut sum = _mm256_setzero_ps();
            for axis in 0..3 {
                let high = _mm256_loadu_ps(bodies.high[axis].as_ptr());
                let mut gap = _mm256_sub_ps(_mm256_set1_ps(body.min[axis]), high);
                if SIZED {
                    let low = _mm256_loadu_ps(bodies.low[axis].as_ptr());
                    let behind = _mm256_sub_ps(low, _mm256_set1_ps(body.max[axis]));
                    gap = _mm256_max_ps(_mm256_max_ps(behind, gap), _mm256_setzero_ps());
                }
                sum = _mm256_add_ps(sum, _mm256_mul_ps(gap, gap));
            }
            _mm256_storeu_ps(distances_sq.as_mut_ptr(), sum);
            let near = _mm256_cmp_ps::<_CMP_LE_OQ>(sum, _mm256_set1_ps(reach_sq));
            _mm256_movemask_ps(near) as u32
        };
        (set, distances_sq)
    }

    #[inline(always)]
    fn pack_eight(self, free: &mut [UnitId], ids: &[UnitId; PADDING], set: u32) -> usize {
        assert!(free.len() >= LANES, "room for all");
        // SAFETY: as in `overlapping_eight`; there is room for a register.
        unsafe {
            let ids = _mm256_loadu_si256(ids.as_ptr().cast());
            let ids = _mm256_permutevar8x32_epi32(ids, lanes(&IN_ORDER, set));
            _mm256_storeu_si256(free.as_mut_ptr().cast(), ids);
        }
        set.count_ones() as usize
    }

    #[inline(always)]
    fn pair_eight(
        self,
        free: &mut [Pair],
        unit: UnitId,
        ids: &[UnitId; PADDING],
        set: u32,
    ) -> usize {
        assert!(free.len() >= LANES, "room for all");
        // SAFETY: as in `overlapping_eight`; there is room for eight pairs, which are two registers.
        unsafe {
            let own = _mm256_set1_epi32(unit as i32);
            let ids = _mm256_loadu_si256(ids.as_ptr().cast());
            let ids = _mm256_permutevar8x32_epi32(ids, lanes(&INTERLEAVED, set));
            let (low, high) = (_mm256_min_epu32(own, ids), _mm256_max_epu32(own, ids));
            let to = free.as_mut_ptr().cast::<__m256i>();
            _mm256_storeu_si256(to, _mm256_unpacklo_epi32(low, high));
            _mm256_storeu_si256(to.add(1), _mm256_unpackhi_epi32(low, high));
        }
        set.count_ones() as usize
    }

    #[inline(always)]
    fn keep_least(self, least: &mut [i64; LEAST], more: &[i64]) {
        // SAFETY: a value of `Avx2` is a proof of the instructions.
        unsafe { least::keep_least(least, more) }
    }

    #[inline(always)]
    fn eight_small(self, numbers: &[f32], count: usize) -> [f32; LEAST] {
        // SAFETY: a value of `Avx2` is a proof of the instructions.
        unsafe { least::eight_small(numbers, count) }
    }

    #[inline(always)]
    fn cut(
        self,
        ids: &mut [UnitId],
        distances_sq: &mut [f32],
        count: usize,
        limit_sq: f32,
    ) -> usize {
        let all = 0..count;
        assert!(
            fits(&all, ids.len()) && fits(&all, distances_sq.len()),
            "padded columns"
        );
        let (mut kept, mut place) = (0, 0);
        // SAFETY: a value of `Avx2` is a proof of the instructions, and LANES values can be read from each place at which LANES
        // of them begin. At most `place` have been kept before LANES are written for `place`, so nothing is written behind what
        // has been read.
        unsafe {
            let limit = _mm256_set1_ps(limit_sq);
            while place < count {
                let distance_sq = _mm256_loadu_ps(distances_sq.as_ptr().add(place));
                let id = _mm256_loadu_si256(ids.as_ptr().add(place).cast());
                let near = _mm256_cmp_ps::<_CMP_LE_OQ>(distance_sq, limit);
                let set = set_of(near, count - place);
                let lanes = lanes(&IN_ORDER, set);
                let id = _mm256_permutevar8x32_epi32(id, lanes);
                _mm256_storeu_si256(ids.as_mut_ptr().add(kept).cast(), id);
                let distance_sq = _mm256_permutevar8x32_ps(distance_sq, lanes);
                _mm256_storeu_ps(distances_sq.as_mut_ptr().add(kept), distance_sq);
                kept += set.count_ones() as usize;
                place += LANES;
            }
        }
        kept
    }

    #[inline(always)]
    fn ranks(self, keys: &[i64; FEW], count: usize) -> [u64; FEW] {
        // SAFETY: a value of `Avx2` is a proof of the instructions.
        unsafe { least::ranks(keys, count) }
    }

    #[inline(always)]
    fn at_most(self, keys: &[i32], run: Range<usize>, limits: [i32; LIMITS]) -> [u32; LIMITS] {
        // SAFETY: a value of `Avx2` is a proof of the instructions.
        unsafe { halves::at_most(keys, run, limits) }
    }

    #[inline(always)]
    fn extents(self, units: Keyed<'_>, run: Range<usize>) -> [[i32; 2]; 2] {
        // SAFETY: a value of `Avx2` is a proof of the instructions.
        unsafe { halves::extents(units, run) }
    }

    #[inline(always)]
    fn split(
        self,
        from: Keyed<'_>,
        run: Range<usize>,
        axis: usize,
        at: i32,
        to: KeyedMut<'_>,
        places: [usize; 2],
    ) {
        // SAFETY: a value of `Avx2` is a proof of the instructions.
        unsafe { halves::split(from, run, axis, at, to, places) }
    }

    #[inline(always)]
    fn find_ways<const LEVELS: usize>(
        self,
        items: &[[i32; 3]],
        words: &[i32; WAYS],
        ways: &mut [u8],
    ) {
        // SAFETY: a value of `Avx2` is a proof of the instructions.
        unsafe { halves::find_ways::<LEVELS>(items, words, ways) }
    }

    #[inline(always)]
    fn sort_out(
        self,
        lengths: &[u32],
        few: u32,
        short: &mut [u8],
        long: &mut [u8],
    ) -> (usize, usize) {
        let (mut short_count, mut long_count) = (0, 0);
        // The same place in each byte.
        let mut places = 0_u64;
        for eight in lengths.as_chunks::<LANES>().0 {
            // SAFETY: a value of `Avx2` is a proof of the instructions, and there are LANES lengths.
            let (some, more) = unsafe {
                let eight = _mm256_loadu_si256(eight.as_ptr().cast());
                let is_some = _mm256_cmpgt_epi32(eight, _mm256_setzero_si256());
                let is_more = _mm256_cmpgt_epi32(eight, _mm256_set1_epi32(few as i32));
                (
                    _mm256_movemask_ps(_mm256_castsi256_ps(is_some)) as u8,
                    _mm256_movemask_ps(_mm256_castsi256_ps(is_more)) as u8,
                )
            };
            let write = |to: &mut [u8], count: &mut usize, set: u8| {
                // No byte overflows: there are at most 256 places.
                let lanes = u64::from_le_bytes(IN_ORDER[usize::from(set)]);
                to[*count..][..LANES].copy_from_slice(&(places + lanes).to_le_bytes());
                *count += set.count_ones() as usize;
            };
            write(short, &mut short_count, some & !more);
            write(long, &mut long_count, more);
            places = places.wrapping_add(LANES as u64 * u64::from_ne_bytes([1; LANES]));
        }
        (short_count, long_count)
    }

    #[inline(always)]
    fn fetch<T>(self, items: &[T]) {
        let first = items.as_ptr().cast::<i8>();
        // From the line in which the first one begins, which is known where each begins with one.
        let before = if align_of::<T>() < LINE {
            first.addr() % LINE
        } else {
            0
        };
        let line = first.wrapping_sub(before);
        for at in (0..before + size_of_val(items)).step_by(LINE) {
            // SAFETY: a prefetch reads nothing, whatever the address is.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(line.wrapping_add(at)) };
        }
    }
}
