//! Which of some numbers are the least.

use super::{FEW, LANES, LEAST, fits};
use std::arch::x86_64::*;

/// `Kernel::keep_least`.
///
/// # Safety
///
/// The processor has AVX2.
#[inline(always)]
pub(super) unsafe fn keep_least(least: &mut [i64; LEAST], more: &[i64]) {
    // SAFETY: said above; two registers of four are as long as `least`.
    unsafe {
        let greater = |a, b| _mm256_blendv_epi8(b, a, _mm256_cmpgt_epi64(a, b));
        let smaller = |a, b| _mm256_blendv_epi8(a, b, _mm256_cmpgt_epi64(a, b));
        let at = least.as_mut_ptr().cast::<__m256i>();
        let (mut low, mut high) = (_mm256_loadu_si256(at), _mm256_loadu_si256(at.add(1)));
        let none = _mm256_set1_epi64x(i64::MIN);
        for &number in more {
            // Each place takes the greater of the number and of what was before it, unless it has less than that.
            let number = _mm256_set1_epi64x(number);
            let before_low = _mm256_permute4x64_epi64::<0b10_01_00_00>(low);
            let before_low = _mm256_blend_epi32::<0b0000_0011>(before_low, none);
            let before_high = _mm256_permute4x64_epi64::<0b10_01_00_00>(high);
            let last_low = _mm256_permute4x64_epi64::<0b11_11_11_11>(low);
            let before_high = _mm256_blend_epi32::<0b0000_0011>(before_high, last_low);
            low = smaller(low, greater(before_low, number));
            high = smaller(high, greater(before_high, number));
        }
        _mm256_storeu_si256(at, low);
        _mm256_storeu_si256(at.add(1), high);
    }
}

/// `Kernel::eight_small`.
///
/// # Safety
///
/// The processor has AVX2.
#[inline(always)]
pub(super) unsafe fn eight_small(numbers: &[f32], count: usize) -> [f32; LEAST] {
    assert!(fits(&(0..count), numbers.len()), "padded numbers");
    let mut eight = [0.0; LEAST];
    // SAFETY: said above; LANES values can be read from each place at which LANES of
    // them begin, and a register is as long as `eight`.
    unsafe {
        let infinity = _mm256_set1_ps(f32::INFINITY);
        let order = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
        // The least of each lane, and the least but for that one.
        let (mut first, mut second) = (infinity, infinity);
        let mut place = 0;
        while place < count {
            let number = _mm256_loadu_ps(numbers.as_ptr().add(place));
            let left_over = _mm256_set1_epi32((count - place).min(LANES) as i32);
            let inside = _mm256_castsi256_ps(_mm256_cmpgt_epi32(left_over, order));
            let number = _mm256_blendv_ps(infinity, number, inside);
            second = _mm256_min_ps(second, _mm256_max_ps(first, number));
            first = _mm256_min_ps(first, number);
            place += LANES;
        }
        let (first, second) = (sorted(first), sorted(second));
        // Of two sorted halves, one of them backwards, the lesser ones at each place are the least of both, and a row that
        // rises and falls, which three exchanges sort.
        let backwards = _mm256_setr_epi32(7, 6, 5, 4, 3, 2, 1, 0);
        let second = _mm256_permutevar8x32_ps(second, backwards);
        let mut least = _mm256_min_ps(first, second);
        let others = _mm256_permute2f128_ps::<1>(least, least);
        least = exchanged::<0b1111_0000>(least, others);
        least = exchanged::<0b1100_1100>(least, _mm256_permute_ps::<0b01_00_11_10>(least));
        least = exchanged::<0b1010_1010>(least, _mm256_permute_ps::<0b10_11_00_01>(least));
        _mm256_storeu_ps(eight.as_mut_ptr(), least);
    }
    eight
}

/// `Kernel::ranks`.
///
/// # Safety
///
/// The processor has AVX2.
#[inline(always)]
pub(super) unsafe fn ranks(keys: &[i64; FEW], count: usize) -> [u64; FEW] {
    let mut ranks = [0; FEW];
    let count = count.min(FEW);
    // SAFETY: said above; four registers of four are as long as `keys` and `ranks`.
    unsafe {
        let from = keys.as_ptr().cast::<__m256i>();
        let to = ranks.as_mut_ptr().cast::<__m256i>();
        let mut at = 0;
        while LANES / 2 * at < count {
            let low = _mm256_loadu_si256(from.add(at));
            let high = _mm256_loadu_si256(from.add(at + 1));
            let (mut below_low, mut below_high) = (_mm256_setzero_si256(), _mm256_setzero_si256());
            for &key in &keys[..count] {
                let key = _mm256_set1_epi64x(key);
                below_low = _mm256_sub_epi64(below_low, _mm256_cmpgt_epi64(low, key));
                below_high = _mm256_sub_epi64(below_high, _mm256_cmpgt_epi64(high, key));
            }
            _mm256_storeu_si256(to.add(at), below_low);
            _mm256_storeu_si256(to.add(at + 1), below_high);
            at += 2;
        }
    }
    ranks
}

/// Of each two numbers of the same place the lesser one, and the greater one where the bit of the place is set.
///
/// # Safety
///
/// The processor has AVX2.
#[inline(always)]
unsafe fn exchanged<const GREATER: i32>(numbers: __m256, others: __m256) -> __m256 {
    // SAFETY: said above.
    unsafe {
        _mm256_blend_ps::<GREATER>(
            _mm256_min_ps(numbers, others),
            _mm256_max_ps(numbers, others),
        )
    }
}

/// Eight numbers, the least first.
///
/// # Safety
///
/// The processor has AVX2.
#[inline(always)]
unsafe fn sorted(numbers: __m256) -> __m256 {
    // SAFETY: said above.
    unsafe {
        // A bitonic network: pairs, fours, all eight. Each step exchanges what is in the wrong order with the place that is so
        // many further, or as many before.
        let mut it = numbers;
        it = exchanged::<0b1010_1010>(it, _mm256_permute_ps::<0b10_11_00_01>(it));
        it = exchanged::<0b1100_1100>(it, _mm256_permute_ps::<0b00_01_10_11>(it));
        it = exchanged::<0b1010_1010>(it, _mm256_permute_ps::<0b10_11_00_01>(it));
        let backwards = _mm256_permute2f128_ps::<1>(it, it);
        let backwards = _mm256_permute_ps::<0b00_01_10_11>(backwards);
        it = exchanged::<0b1111_0000>(it, backwards);
        it = exchanged::<0b1100_1100>(it, _mm256_permute_ps::<0b01_00_11_10>(it));
        exchanged::<0b1010_1010>(it, _mm256_permute_ps::<0b10_11_00_01>(it))
    }
}
