//! Distances in `f64`, to say how far something is from an area. Nobody is found by them.

use crate::geometry::Aabb;
use glam::DVec2;

/// How far two boxes are apart; 0 where they touch.
pub fn gap(a: Aabb, b: Aabb) -> f64 {
    let axis = |a_min: f32, a_max: f32, b_min: f32, b_max: f32| {
        (f64::from(a_min) - f64::from(b_max))
            .max(f64::from(b_min) - f64::from(a_max))
            .max(0.0)
    };
    let x = axis(a.min.x, a.max.x, b.min.x, b.max.x);
    let y = axis(a.min.y, a.max.y, b.min.y, b.max.y);
    x.hypot(y)
}

/// The four corners of a box.
pub fn corners(bounds: Aabb) -> [DVec2; 4] {
    let (low, high) = (bounds.min.as_dvec2(), bounds.max.as_dvec2());
    [
        low,
        high,
        DVec2::new(low.x, high.y),
        DVec2::new(high.x, low.y),
    ]
}

/// How far a box is from a place; 0 where it holds it.
fn from_place(bounds: Aabb, place: DVec2) -> f64 {
    let (low, high) = (bounds.min.as_dvec2(), bounds.max.as_dvec2());
    (low - place).max(place - high).max(DVec2::ZERO).length()
}

/// How far a place is from the way between two others.
pub fn from_way(place: DVec2, from: DVec2, to: DVec2) -> f64 {
    let way = to - from;
    let length_sq = way.length_squared();
    let along = if length_sq > 0.0 {
        ((place - from).dot(way) / length_sq).clamp(0.0, 1.0)
    } else {
        0.0
    };
    place.distance(from + way * along)
}

/// How far a box is from a way without thickness that it does not meet: nearest at an end of the way or at a corner of the box.
pub fn beside_way(bounds: Aabb, from: DVec2, to: DVec2) -> f64 {
    let corners = corners(bounds).map(|corner| from_way(corner, from, to));
    let ends = [from_place(bounds, from), from_place(bounds, to)];
    corners
        .into_iter()
        .chain(ends)
        .fold(f64::INFINITY, f64::min)
}
