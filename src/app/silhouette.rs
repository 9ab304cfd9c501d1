//! What is seen of a volume from outside, as one figure on the screen, and what lies on it.

use super::eye::{Eye, corners};
use egui_macroquad::egui::{Pos2, Rect, Vec2, vec2};
use skirmish::volume::Aabb3;

/// The corners of what can be seen of some points from outside: their convex hull, in its order around.
pub fn hull(mut points: Vec<Pos2>) -> Vec<Pos2> {
    points.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    let turns = |a: Pos2, b: Pos2, c: Pos2| {
        let (one, two) = (b - a, c - b);
        one.x * two.y - one.y * two.x
    };
    let half = |points: &mut dyn Iterator<Item = Pos2>| {
        let mut chain: Vec<Pos2> = Vec::new();
        for point in points {
            while let [.., a, b] = chain[..]
                && turns(a, b, point) <= 0.0
            {
                chain.pop();
            }
            chain.push(point);
        }
        chain.pop();
        chain
    };
    let mut all = half(&mut points.iter().copied());
    all.extend(half(&mut points.iter().rev().copied()));
    all
}

/// What is seen of a volume from outside: a convex figure.
pub fn silhouette(eye: &Eye, field: Aabb3) -> Vec<Pos2> {
    let lens = eye.lens();
    let places = corners(field).into_iter();
    let seen = places.filter_map(|corner| Some(lens.project(corner)?.0));
    hull(seen.collect())
}

/// Whether a rectangle lies on what is seen of a volume.
pub fn is_on_volume(eye: &Eye, field: Aabb3, rect: Rect) -> bool {
    reaches_into(&silhouette(eye, field), rect)
}

/// Whether a rectangle reaches into a convex figure: whether no side of either parts them.
pub fn reaches_into(figure: &[Pos2], rect: Rect) -> bool {
    let is_parted_by = |axis: Vec2, from: &mut dyn Iterator<Item = Pos2>, other: &[Pos2]| {
        let least = from
            .map(|at| at.to_vec2().dot(axis))
            .fold(f32::INFINITY, f32::min);
        other.iter().all(|at| at.to_vec2().dot(axis) <= least)
    };
    let square = [
        rect.left_top(),
        rect.right_top(),
        rect.right_bottom(),
        rect.left_bottom(),
    ];
    let sides = figure.iter().zip(figure.iter().cycle().skip(1));
    // Inward of each side, as the hull goes around.
    let mut inward = sides.map(|(a, b)| vec2(a.y - b.y, b.x - a.x));
    let is_parted = inward.any(|axis| is_parted_by(axis, &mut figure.iter().copied(), &square));
    let bounds = Rect::from_points(figure);
    !is_parted && figure.len() > 2 && bounds.intersects(rect)
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui_macroquad::egui::pos2;

    #[test]
    fn what_lies_beside_a_corner_of_the_bounds_is_not_in_a_figure() {
        let inside = pos2(50.0, 60.0);
        let corners = [(50.0, 0.0), (100.0, 50.0), (50.0, 100.0), (0.0, 50.0)];
        let mut points = corners.map(|(x, y)| pos2(x, y)).to_vec();
        points.push(inside);
        let figure = hull(points);
        assert_eq!(figure.len(), 4);
        let at = |x: f32, y: f32| Rect::from_min_size(pos2(x, y), vec2(20.0, 10.0));
        // Beside a corner of its bounds, and not in it; and in it.
        assert!(!reaches_into(&figure, at(0.0, 0.0)));
        assert!(!reaches_into(&figure, at(80.0, 85.0)));
        assert!(reaches_into(&figure, at(40.0, 50.0)));
        assert!(reaches_into(&figure, at(90.0, 45.0)));
    }
}
