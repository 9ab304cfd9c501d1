//! How far rounding may lead astray in three dimensions.

/// A few units in the last place of an `f32`: more than the roundings between a body's middle and a query's border add
/// up to.
pub const ROUNDING: f32 = 1.0 / (1 << 20) as f32;

/// A length whose square is still above zero in `f32`, with room to spare.
pub const UNDERFLOW: f32 = 1.0e-20;

/// A distance that is certain to hold everybody whom the squared comparison finds: squares of tiny distances underflow to
/// 0 and pass where the distances themselves would not.
#[inline]
pub fn widened(distance: f32) -> f32 {
    distance * (1.0 + ROUNDING) + UNDERFLOW
}
