//! Which of some numbers are the least.

use super::{LANES, LEAST, PADDING, Two, fits, load};
use std::arch::aarch64::*;

/// `Kernel::eight_small`.
#[inline(always)]
pub(super) fn eight_small(numbers: &[f32], count: usize) -> [f32; LEAST] {
    assert!(fits(&(0..count), numbers.len()), "padded numbers");
    let mut eight = [0.0; LEAST];
    // SAFETY: the processor has NEON; eight values can be read from each place at which eight of them begin, and two registers are
    // as long as `eight`.
    unsafe {
        let infinity = vdupq_n_f32(f32::INFINITY);
        let order = vld1q_u32([0, 1, 2, 3].as_ptr());
        // The least of each lane, and the least but for that one.
        let (mut first, mut second) = ([infinity; 2], [infinity; 2]);
        let mut place = 0;
        while place < count {
            let left_over = (count - place).min(PADDING) as u32;
            for half in 0..2 {
                let number = load(numbers, place + half * LANES);
                let lane = vaddq_u32(order, vdupq_n_u32((half * LANES) as u32));
                let inside = vcltq_u32(lane, vdupq_n_u32(left_over));
                let number = vbslq_f32(inside, number, infinity);
                second[half] = vminnmq_f32(second[half], vmaxnmq_f32(first[half], number));
                first[half] = vminnmq_f32(first[half], number);
            }
            place += PADDING;
        }
        // Each column of the four registers is put in order: two of each two are already. What was a column is then a row.
        let (least, third) = exchanged(first[0], first[1]);
        let (other, greatest) = exchanged(second[0], second[1]);
        let (other, third) = exchanged(other, third);
        let [a, b, c, d] = turned([least, other, third, greatest]);
        // Of two sorted eights, one of them backwards, the lesser ones at each place are the least of both, and a row that
        // rises and falls.
        let ([low, high], [other_low, other_high]) = (merged(a, b), merged(c, d));
        let low = vminnmq_f32(low, backwards(other_high));
        let high = vminnmq_f32(high, backwards(other_low));
        let (low, high) = exchanged(low, high);
        vst1q_f32(eight.as_mut_ptr(), risen(low));
        vst1q_f32(eight.as_mut_ptr().add(LANES), risen(high));
    }
    eight
}

/// Of each two numbers of the same lane the lesser one, and the greater one.
#[inline(always)]
fn exchanged(a: float32x4_t, b: float32x4_t) -> (float32x4_t, float32x4_t) {
    // SAFETY: the processor has NEON.
    unsafe { (vminnmq_f32(a, b), vmaxnmq_f32(a, b)) }
}

/// Columns as rows.
#[inline(always)]
fn turned(rows: [float32x4_t; LANES]) -> [float32x4_t; LANES] {
    let [a, b, c, d] = rows;
    // SAFETY: the processor has NEON.
    unsafe {
        let [ab, other_ab] =
            [vtrn1q_f32(a, b), vtrn2q_f32(a, b)].map(|it| vreinterpretq_f64_f32(it));
        let [cd, other_cd] =
            [vtrn1q_f32(c, d), vtrn2q_f32(c, d)].map(|it| vreinterpretq_f64_f32(it));
        [
            vtrn1q_f64(ab, cd),
            vtrn1q_f64(other_ab, other_cd),
            vtrn2q_f64(ab, cd),
            vtrn2q_f64(other_ab, other_cd),
        ]
        .map(|it| vreinterpretq_f32_f64(it))
    }
}

/// The last one first.
#[inline(always)]
fn backwards(numbers: float32x4_t) -> float32x4_t {
    // SAFETY: the processor has NEON.
    unsafe {
        let pairs = vrev64q_f32(numbers);
        vextq_f32::<2>(pairs, pairs)
    }
}

/// Of two sorted fours all eight, sorted.
#[inline(always)]
fn merged(a: float32x4_t, b: float32x4_t) -> Two<float32x4_t> {
    let (low, high) = exchanged(a, backwards(b));
    [risen(low), risen(high)]
}

/// A row of four that rises and falls, or falls and rises, sorted.
#[inline(always)]
fn risen(numbers: float32x4_t) -> float32x4_t {
    // SAFETY: the processor has NEON.
    unsafe {
        let (low, high) = exchanged(numbers, vextq_f32::<2>(numbers, numbers));
        let halves = vcombine_f32(vget_low_f32(low), vget_low_f32(high));
        let (low, high) = exchanged(halves, vrev64q_f32(halves));
        vtrn1q_f32(low, high)
    }
}
