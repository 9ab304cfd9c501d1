//! Signs that are right down to the last bit.
//!
//! A tree prunes a node with the very predicate that it applies to a body, so a box must be held wherever a box inside it is.
//! An area's inside and its border are told apart by different tests, and only where each of them is right do they agree.

use glam::DVec2;
use std::cmp::Ordering;

/// On which side of the way from one place to another a third one lies: [`Ordering::Greater`] on the left, where y grows to
/// the left of x, and [`Ordering::Equal`] on the line itself, or anywhere where the two are one.
///
/// All coordinates have to be those of an `f32`: then each product of two is exact in `f64`.
pub fn side(from: DVec2, to: DVec2, place: DVec2) -> Ordering {
    /// Three roundings of 2⁻⁵³ each, and a little: what the plain difference of products is off by at most, as a part of both
    /// (J. R. Shewchuk, "Adaptive Precision Floating-Point Arithmetic", 1997).
    const OFF: f64 = 3.330_669_073_875_472e-16;
    let (way, on) = (to - from, place - from);
    let (left, right) = (way.x * on.y, way.y * on.x);
    let plain = left - right;
    if plain.abs() > OFF * (left.abs() + right.abs()) {
        return sign(plain);
    }
    sign_of_sum([
        from.x * to.y,
        -(from.y * to.x),
        to.x * place.y,
        -(to.y * place.x),
        place.x * from.y,
        -(place.y * from.x),
    ])
}

/// The sign of the cross product of two directions, whatever their coordinates.
pub fn turn(a: DVec2, b: DVec2) -> Ordering {
    compare_products((a.x, b.y), (a.y, b.x))
}

/// The sign of the dot product of two directions.
pub fn agreement(a: DVec2, b: DVec2) -> Ordering {
    compare_products((a.x, b.x), (-a.y, b.y))
}

/// Whether a way between two places meets a box; what `side` says of a corner of the box is where it lies beside the way.
///
/// Two convex things are apart where a line parts them that is parallel to a side of either.
pub fn meets(
    (from, to): (DVec2, DVec2),
    (low, high): (DVec2, DVec2),
    side: impl Fn(DVec2) -> Ordering,
) -> bool {
    if from.min(to).cmpgt(high).any() || from.max(to).cmplt(low).any() {
        return false;
    }
    // The two corners that are farthest to either side.
    let rises = (from.x <= to.x) == (from.y <= to.y);
    let (a, b) = if rises {
        (DVec2::new(low.x, high.y), DVec2::new(high.x, low.y))
    } else {
        (low, high)
    };
    let a = side(a);
    a == Ordering::Equal || a != side(b)
}

fn sign(value: f64) -> Ordering {
    value.partial_cmp(&0.0).unwrap_or(Ordering::Equal)
}

/// Which of two products is greater. Rounding keeps order, so only where both round to the same number their rests decide.
fn compare_products(a: (f64, f64), b: (f64, f64)) -> Ordering {
    let (first, second) = (a.0 * a.1, b.0 * b.1);
    let order = sign_of_difference(first, second);
    if order != Ordering::Equal {
        return order;
    }
    // What a fused product leaves is exact.
    sign_of_difference(a.0.mul_add(a.1, -first), b.0.mul_add(b.1, -second))
}

fn sign_of_difference(a: f64, b: f64) -> Ordering {
    a.partial_cmp(&b).unwrap_or(Ordering::Equal)
}

/// The sign of a sum that is not rounded: it is kept in parts that do not overlap, the least first, so the last that is not 0
/// outweighs all before it.
fn sign_of_sum(terms: [f64; 6]) -> Ordering {
    let mut parts = [0.0; 6];
    for (count, term) in terms.into_iter().enumerate() {
        let mut carry = term;
        for part in &mut parts[..count] {
            let sum = carry + *part;
            let back = sum - carry;
            // What the sum was rounded by.
            let rest = (carry - (sum - back)) + (*part - back);
            (*part, carry) = (rest, sum);
        }
        parts[count] = carry;
    }
    let last = parts.into_iter().rev().find(|part| *part != 0.0);
    last.map_or(Ordering::Equal, sign)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Whole numbers times a power of two, so that `i128` knows the answer.
    fn coordinate() -> impl Strategy<Value = i32> {
        prop_oneof![-3_i32..4, -0x00ff_ffff..0x0100_0000, Just(0x00ff_fffe)]
    }

    proptest! {
        #[test]
        fn a_side_is_that_of_whole_numbers(
            from in (coordinate(), coordinate()),
            way in (coordinate(), coordinate()),
            steps in -3_i32..4,
            off in (-1_i32..2, -1_i32..2),
            scale in -60_i32..20,
        ) {
            let whole = |x: i64, y: i64| (i128::from(x), i128::from(y));
            let small = |value: i32| i64::from(value) / 8;
            let (ax, ay) = (small(from.0), small(from.1));
            let (bx, by) = (ax + small(way.0), ay + small(way.1));
            let px = ax + small(way.0) * i64::from(steps) + i64::from(off.0);
            let py = ay + small(way.1) * i64::from(steps) + i64::from(off.1);
            let (a, b, p) = (whole(ax, ay), whole(bx, by), whole(px, py));
            let truth = ((b.0 - a.0) * (p.1 - a.1)).cmp(&((b.1 - a.1) * (p.0 - a.0)));
            let factor = f64::from(scale).exp2();
            let place = |(x, y): (i64, i64)| DVec2::new(x as f64, y as f64) * factor;
            let found = side(place((ax, ay)), place((bx, by)), place((px, py)));
            prop_assert_eq!(found, truth);
            let cross = turn(place((bx - ax, by - ay)), place((px - ax, py - ay)));
            prop_assert_eq!(cross, truth);
        }

        #[test]
        fn a_product_is_compared_beyond_its_last_bit(x in 1.0_f64..2.0, y in 1.0_f64..2.0) {
            let more = DVec2::new(x.next_up(), y);
            prop_assert_eq!(turn(DVec2::new(x, y), more), Ordering::Less);
            prop_assert_eq!(turn(more, DVec2::new(x, y)), Ordering::Greater);
            prop_assert_eq!(turn(more, more), Ordering::Equal);
            prop_assert_eq!(agreement(DVec2::new(x, y), DVec2::new(-y, x)), Ordering::Equal);
            prop_assert_eq!(agreement(more, DVec2::new(y, -x)), Ordering::Greater);
        }
    }

    #[test]
    fn coordinates_far_apart_in_size_hide_no_side() {
        let at = |x: f32, y: f32| DVec2::new(x.into(), y.into());
        let (from, to) = (at(-1.0e9, -1.0e9), at(1.0e9, 1.0e9));
        assert_eq!(side(from, to, at(0.0, 1.0e-40)), Ordering::Greater);
        assert_eq!(side(from, to, at(1.0e-40, 0.0)), Ordering::Less);
        assert_eq!(side(from, to, at(1.0e-40, 1.0e-40)), Ordering::Equal);
    }
}
