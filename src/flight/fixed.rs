//! Fixed point: what pairs contribute is summed in whole numbers, so that the order in which pairs are found is nothing.

use super::UNIT_LIMIT;
use crate::volume::Vec3;

/// How many units of fixed point are a metre, or one: what pairs contribute is summed in these, so that the sum does not depend
/// on their order.
const SCALE: f32 = 1024.0;

/// The farthest that a pair may contribute along an axis, in metres: so that a million of them cannot overflow.
const FARTHEST: f32 = (1_u64 << 30) as f32;
const _: () = assert!(
    FARTHEST as i64 * SCALE as i64 * (UNIT_LIMIT as i64) < i64::MAX,
    "a sum of neighbours overflows"
);

/// A vector in fixed point.
#[inline]
pub(super) fn fixed(way: Vec3) -> [i64; 3] {
    let far = Vec3::splat(FARTHEST);
    let scaled = way.clamp(-far, far) * SCALE;
    [scaled.x as i64, scaled.y as i64, scaled.z as i64]
}

/// Adds a part to a sum, or takes it away.
#[inline]
pub(super) fn add(sum: &mut [i64; 3], part: [i64; 3], sign: i64) {
    for (sum, part) in sum.iter_mut().zip(part) {
        *sum += part * sign;
    }
}

/// A sum in fixed point as numbers again.
pub(super) fn floating(sum: [i64; 3]) -> Vec3 {
    Vec3::new(sum[0] as f32, sum[1] as f32, sum[2] as f32) / SCALE
}
