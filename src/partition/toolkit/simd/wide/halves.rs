//! Parting crowds by their keys.

use super::{IN_ORDER, LANES, fits, lanes};
use crate::partition::toolkit::simd::plain;
use crate::partition::toolkit::simd::{Keyed, KeyedMut, LIMITS, WAYS};
use std::arch::x86_64::*;
use std::ops::Range;

/// The lanes of a register in which there is one of the `left_over` keys that are left of a run.
///
/// # Safety
///
/// The processor has AVX2.
#[inline(always)]
unsafe fn inside(left_over: usize) -> __m256i {
    // SAFETY: said above.
    unsafe {
        let order = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
        _mm256_cmpgt_epi32(_mm256_set1_epi32(left_over.min(LANES) as i32), order)
    }
}

/// `Kernel::at_most`.
///
/// # Safety
///
/// The processor has AVX2.
#[inline(always)]
pub(super) unsafe fn at_most(
    keys: &[i32],
    run: Range<usize>,
    limits: [i32; LIMITS],
) -> [u32; LIMITS] {
    assert!(fits(&run, keys.len()), "a padded column");
    let (first, length) = (run.start, run.len());
    let mut counts = [0_u32; LIMITS];
    // SAFETY: said above; LANES keys can be read from each place at which LANES of the run begin, and four counts are as long
    // as half a register.
    unsafe {
        let limits = limits.map(|limit| _mm256_set1_epi32(limit));
        let mut above = [_mm256_setzero_si256(); LIMITS];
        let whole = length / LANES * LANES;
        let mut place = 0;
        while place < whole {
            let key = _mm256_loadu_si256(keys.as_ptr().add(first + place).cast());
            for (above, limit) in above.iter_mut().zip(limits) {
                *above = _mm256_add_epi32(*above, _mm256_cmpgt_epi32(key, limit));
            }
            place += LANES;
        }
        if place < length {
            let key = _mm256_loadu_si256(keys.as_ptr().add(first + place).cast());
            let inside = inside(length - place);
            for (above, limit) in above.iter_mut().zip(limits) {
                let greater = _mm256_and_si256(_mm256_cmpgt_epi32(key, limit), inside);
                *above = _mm256_add_epi32(*above, greater);
            }
        }
        let low = _mm256_hadd_epi32(above[0], above[1]);
        let high = _mm256_hadd_epi32(above[2], above[3]);
        let both = _mm256_hadd_epi32(low, high);
        let above = _mm_add_epi32(
            _mm256_castsi256_si128(both),
            _mm256_extracti128_si256::<1>(both),
        );
        // Each that is above is counted as minus one.
        let counted = _mm_add_epi32(_mm_set1_epi32(length as i32), above);
        _mm_storeu_si128(counts.as_mut_ptr().cast(), counted);
    }
    counts
}

/// `Kernel::extents`.
///
/// # Safety
///
/// The processor has AVX2.
#[inline(always)]
pub(super) unsafe fn extents(units: Keyed<'_>, run: Range<usize>) -> [[i32; 2]; 2] {
    assert!(fits(&run, units.ids.len()), "padded columns");
    let (first, length) = (run.start, run.len());
    // SAFETY: said above; all columns are as long as `ids`, so LANES keys can be read from each place at which LANES of the run
    // begin.
    unsafe {
        let (most, none) = (_mm256_set1_epi32(i32::MAX), _mm256_set1_epi32(i32::MIN));
        let (mut low, mut high) = ([most; 2], [none; 2]);
        let whole = length / LANES * LANES;
        let mut place = 0;
        while place < whole {
            for axis in 0..2 {
                let key = _mm256_loadu_si256(units.keys[axis].as_ptr().add(first + place).cast());
                low[axis] = _mm256_min_epi32(low[axis], key);
                high[axis] = _mm256_max_epi32(high[axis], key);
            }
            place += LANES;
        }
        if place < length {
            let inside = inside(length - place);
            for axis in 0..2 {
                let key = _mm256_loadu_si256(units.keys[axis].as_ptr().add(first + place).cast());
                low[axis] = _mm256_min_epi32(low[axis], _mm256_blendv_epi8(most, key, inside));
                high[axis] = _mm256_max_epi32(high[axis], _mm256_blendv_epi8(none, key, inside));
            }
        }
        // Both axes of one end are in one register: the least of eight are found for both at once.
        let halves = |both: [__m256i; 2]| {
            (
                _mm256_permute2x128_si256::<0x20>(both[0], both[1]),
                _mm256_permute2x128_si256::<0x31>(both[0], both[1]),
            )
        };
        let (a, b) = halves(low);
        let mut least = _mm256_min_epi32(a, b);
        least = _mm256_min_epi32(least, _mm256_shuffle_epi32::<0b01_00_11_10>(least));
        least = _mm256_min_epi32(least, _mm256_shuffle_epi32::<0b10_11_00_01>(least));
        let (a, b) = halves(high);
        let mut greatest = _mm256_max_epi32(a, b);
        greatest = _mm256_max_epi32(greatest, _mm256_shuffle_epi32::<0b01_00_11_10>(greatest));
        greatest = _mm256_max_epi32(greatest, _mm256_shuffle_epi32::<0b10_11_00_01>(greatest));
        let ends = |both: __m256i| {
            [
                _mm256_extract_epi32::<0>(both),
                _mm256_extract_epi32::<4>(both),
            ]
        };
        [ends(least), ends(greatest)]
    }
}

/// `Kernel::split`.
///
/// # Safety
///
/// The processor has AVX2 and BMI2.
#[inline(always)]
pub(super) unsafe fn split(
    from: Keyed<'_>,
    run: Range<usize>,
    axis: usize,
    at: i32,
    to: KeyedMut<'_>,
    places: [usize; 2],
) {
    assert!(fits(&run, from.ids.len()), "padded columns");
    let (first, length) = (run.start, run.len());
    let room = to.ids.len();
    let [mut below, mut above] = places;
    let mut place = 0;
    // SAFETY: said above; all columns of `from` are as long as its ids, so LANES values can be read from each place at which
    // LANES of the run begin; all of `to` are as long as its ids, and LANES are only written where there is room for them.
    unsafe {
        let border = _mm256_set1_epi32(at);
        while place < length && room >= LANES && below.max(above) <= room - LANES {
            let load = |column: *const i32| _mm256_loadu_si256(column.add(first + place).cast());
            let keys = [load(from.keys[0].as_ptr()), load(from.keys[1].as_ptr())];
            let ids = load(from.ids.as_ptr().cast());
            let key = if axis == 0 { keys[0] } else { keys[1] };
            let greater = _mm256_castsi256_ps(_mm256_cmpgt_epi32(key, border));
            let greater = _mm256_movemask_ps(greater) as u32;
            let left_over = (length - place).min(LANES) as u32;
            for (to_place, set) in [(&mut below, !greater), (&mut above, greater)] {
                let set = _bzhi_u32(set, left_over);
                let lanes = lanes(&IN_ORDER, set);
                let store = |column: *mut i32, values| {
                    let values = _mm256_permutevar8x32_epi32(values, lanes);
                    _mm256_storeu_si256(column.add(*to_place).cast(), values);
                };
                store(to.keys[0].as_mut_ptr(), keys[0]);
                store(to.keys[1].as_mut_ptr(), keys[1]);
                store(to.ids.as_mut_ptr().cast(), ids);
                *to_place += set.count_ones() as usize;
            }
            place += LANES;
        }
    }
    assert!(place >= length, "room for all");
}

/// `Kernel::find_ways`.
///
/// # Safety
///
/// The processor has AVX2.
#[inline(always)]
pub(super) unsafe fn find_ways<const LEVELS: usize>(
    items: &[[i32; 3]],
    words: &[i32; WAYS],
    ways: &mut [u8],
) {
    let (eights, rest) = items.as_chunks::<LANES>();
    let (eight_ways, rest_ways) = ways.split_at_mut(items.len() - rest.len());
    // SAFETY: said above; eight items are three registers, eight ways are a quarter of one, and the words are as many as are
    // read.
    unsafe {
        let words: [__m256i; WAYS / LANES] =
            std::array::from_fn(|at| _mm256_loadu_si256(words.as_ptr().add(at * LANES).cast()));
        let bytes = _mm256_setr_epi8(
            0, 4, 8, 12, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 0, 4, 8, 12, -1, -1, -1,
            -1, -1, -1, -1, -1, -1, -1, -1, -1,
        );
        let order_x = _mm256_setr_epi32(0, 3, 6, 1, 4, 7, 2, 5);
        let order_y = _mm256_setr_epi32(1, 4, 7, 2, 5, 0, 3, 6);
        let last = _mm256_set1_epi32((1 << LEVELS) - 1);
        for (eight, ways) in eights.iter().zip(eight_ways.as_chunks_mut::<LANES>().0) {
            let at = eight.as_ptr().cast::<__m256i>();
            let (a, b, c) = (
                _mm256_loadu_si256(at),
                _mm256_loadu_si256(at.add(1)),
                _mm256_loadu_si256(at.add(2)),
            );
            // No two of one column are in the same lane of the three registers.
            let x = _mm256_blend_epi32::<0b1001_0010>(a, b);
            let x = _mm256_blend_epi32::<0b0010_0100>(x, c);
            let x = _mm256_permutevar8x32_epi32(x, order_x);
            let y = _mm256_blend_epi32::<0b0010_0100>(a, b);
            let y = _mm256_blend_epi32::<0b0100_1001>(y, c);
            let y = _mm256_permutevar8x32_epi32(y, order_y);
            let mut at = _mm256_set1_epi32(1);
            for level in 0..LEVELS {
                let pick = |row: usize| _mm256_permutevar8x32_epi32(words[row], at);
                // By the bit of the place in the heap that says in which of two rows it is.
                let blend = |bit: i32, low, high| {
                    let shift = _mm_cvtsi32_si128(31 - bit);
                    let mask = _mm256_sll_epi32(at, shift);
                    _mm256_castps_si256(_mm256_blendv_ps(
                        _mm256_castsi256_ps(low),
                        _mm256_castsi256_ps(high),
                        _mm256_castsi256_ps(mask),
                    ))
                };
                let word = match level {
                    0..3 => pick(0),
                    3 => pick(1),
                    4 => blend(3, pick(2), pick(3)),
                    _ => {
                        let low = blend(3, pick(4), pick(5));
                        let high = blend(3, pick(6), pick(7));
                        blend(4, low, high)
                    }
                };
                let key = _mm256_castps_si256(_mm256_blendv_ps(
                    _mm256_castsi256_ps(x),
                    _mm256_castsi256_ps(y),
                    _mm256_castsi256_ps(_mm256_slli_epi32::<31>(word)),
                ));
                let is_behind = _mm256_cmpgt_epi32(key, word);
                at = _mm256_sub_epi32(_mm256_add_epi32(at, at), is_behind);
            }
            let way = _mm256_shuffle_epi8(_mm256_and_si256(at, last), bytes);
            let way = _mm_unpacklo_epi32(
                _mm256_castsi256_si128(way),
                _mm256_extracti128_si256::<1>(way),
            );
            _mm_storel_epi64(ways.as_mut_ptr().cast(), way);
        }
    }
    plain::find_ways::<LEVELS>(rest, words, rest_ways);
}
