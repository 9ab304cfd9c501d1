//! The shape of an operation on the field: where its handles are, and what it becomes when one is dragged.

use crate::app::state::Probed;
use skirmish::geometry::{Aabb, Vec2};
use skirmish::partition::{AnyFigure, COORDINATE_LIMIT, Corridor, Polygon, Sector};
use skirmish::story::Operation;

/// The points by which an operation can be dragged, in metres of the world; the first one moves all of it.
pub fn handles(operation: &Operation) -> Vec<Vec2> {
    match *operation {
        Operation::Radius { center, radius } => vec![center, center + Vec2::new(radius, 0.0)],
        Operation::Range(area) => vec![
            area.center(),
            area.min,
            area.max,
            Vec2::new(area.min.x, area.max.y),
            Vec2::new(area.max.x, area.min.y),
        ],
        Operation::Nearest { point, .. } => vec![point],
        Operation::Segment { from, to } => vec![(from + to) / 2.0, from, to],
        Operation::Insert { at } => vec![at],
        Operation::Move { to, .. } => vec![to],
        Operation::Within(ref figure) => of_figure(figure),
        _ => Vec::new(),
    }
}

/// A sector as it is written: the middle, the way and the opening in degrees, and the radius.
fn sector(figure: &AnyFigure) -> Option<(Vec2, f32, f32, f32)> {
    match (figure, figure.numbers().as_slice()) {
        (AnyFigure::Sector(_), &[x, y, direction, angle, radius]) => {
            Some((Vec2::new(x, y), direction, angle, radius))
        }
        _ => None,
    }
}

/// The half width of a path, 0 for a polygon, and the corners.
fn corners_of(figure: &AnyFigure) -> (f32, Vec<Vec2>) {
    let numbers = figure.numbers();
    let (width, rest) = match figure {
        AnyFigure::Corridor(_) => (numbers[0], &numbers[1..]),
        _ => (0.0, &numbers[..]),
    };
    let pairs = rest.chunks_exact(2);
    (
        width,
        pairs.map(|pair| Vec2::new(pair[0], pair[1])).collect(),
    )
}

/// The point at this angle, in degrees, and distance.
fn polar(center: Vec2, degrees: f32, radius: f32) -> Vec2 {
    center + Vec2::from_angle(degrees.to_radians()) * radius
}

/// The middle of some corners.
fn middle(corners: &[Vec2]) -> Vec2 {
    Aabb::of_points(corners.iter().copied()).center()
}

/// The border of a sector, from its middle along the arc; nothing for another figure.
pub fn border_of(figure: &AnyFigure) -> Option<Vec<Vec2>> {
    /// Between two points of the arc, in degrees.
    const FINE: f32 = 3.0;
    let (center, direction, angle, radius) = sector(figure)?;
    let steps = (angle / FINE).ceil().max(1.0);
    let from = direction - angle / 2.0;
    let arc =
        (0..=steps as u32).map(|step| polar(center, from + angle * step as f32 / steps, radius));
    let mut border: Vec<Vec2> = arc.collect();
    if angle < 360.0 {
        border.push(center);
    }
    Some(border)
}

fn of_figure(figure: &AnyFigure) -> Vec<Vec2> {
    if let Some((center, direction, angle, radius)) = sector(figure) {
        return vec![
            center,
            polar(center, direction, radius),
            polar(center, direction + angle / 2.0, radius),
        ];
    }
    let (_, corners) = corners_of(figure);
    let mut handles = vec![middle(&corners)];
    handles.extend(corners);
    handles
}

/// A place that an operation can name.
pub fn within_limits(at: Vec2) -> Vec2 {
    let limit = Vec2::splat(COORDINATE_LIMIT);
    at.clamp(-limit, limit)
}

/// A figure when its handle of this number is at `to`.
fn figure_dragged(figure: &AnyFigure, handle: usize, to: Vec2) -> AnyFigure {
    if let Some((center, direction, angle, radius)) = sector(figure) {
        let way = to - center;
        let degrees = way.y.atan2(way.x).to_degrees();
        return AnyFigure::Sector(match handle {
            0 => Sector::new(to, direction, angle, radius),
            1 => Sector::new(center, degrees, angle, way.length()),
            _ => {
                let opening = 2.0 * (degrees - direction).rem_euclid(360.0);
                let opening = if opening > 360.0 {
                    720.0 - opening
                } else {
                    opening
                };
                Sector::new(center, direction, opening.clamp(1.0, 360.0), radius)
            }
        });
    }
    let (width, mut corners) = corners_of(figure);
    if handle == 0 {
        let way = to - middle(&corners);
        for corner in &mut corners {
            *corner = within_limits(*corner + way);
        }
    } else if let Some(corner) = corners.get_mut(handle - 1) {
        *corner = to;
    }
    match figure {
        AnyFigure::Corridor(_) => AnyFigure::Corridor(Corridor::new(width, &corners)),
        _ => AnyFigure::Polygon(Polygon::new(&corners)),
    }
}

/// The operation when its handle of this number is at `to`.
pub fn dragged(operation: &Operation, handle: usize, to: Vec2) -> Operation {
    let to = within_limits(to);
    match *operation {
        Operation::Radius { radius, .. } if handle == 0 => Operation::Radius { center: to, radius },
        Operation::Radius { center, .. } => Operation::Radius {
            center,
            radius: center.distance(to),
        },
        Operation::Range(area) => {
            let corners = handles(operation);
            // The corner across stays where it is.
            let across = match handle {
                0 => {
                    let half = area.size() / 2.0;
                    return Operation::Range(Aabb::new(
                        within_limits(to - half),
                        within_limits(to + half),
                    ));
                }
                1 => corners[2],
                2 => corners[1],
                3 => corners[4],
                _ => corners[3],
            };
            Operation::Range(Aabb::of_points([across, to]))
        }
        Operation::Nearest { count, .. } => Operation::Nearest { point: to, count },
        Operation::Segment { from, to: end } => match handle {
            0 => {
                let half = (end - from) / 2.0;
                Operation::Segment {
                    from: within_limits(to - half),
                    to: within_limits(to + half),
                }
            }
            1 => Operation::Segment { from: to, to: end },
            _ => Operation::Segment { from, to },
        },
        Operation::Insert { .. } => Operation::Insert { at: to },
        Operation::Move { unit, .. } => Operation::Move { unit, to },
        Operation::Within(ref figure) => Operation::Within(figure_dragged(figure, handle, to)),
        _ => operation.clone(),
    }
}

/// How large things are that are made by a click, and how many are looked for.
#[derive(Clone, Copy, Debug)]
pub struct Sizes {
    /// The radius of a disc, in metres.
    pub radius: f32,
    /// Half the width and half the height of a rectangle, in metres.
    pub half: Vec2,
    /// How far to each side of a path somebody is found, in metres.
    pub reach: f32,
    /// How many of the nearest.
    pub count: usize,
}

/// What a drag along a `trail`, which has a point at least, makes with a tool, if it makes anything.
pub fn drawn(tool: Probed, trail: &[Vec2], sizes: Sizes) -> Option<Operation> {
    let (&from, &to) = (trail.first()?, trail.last()?);
    let (from, to) = (within_limits(from), within_limits(to));
    let trail = || {
        trail
            .iter()
            .map(|at| within_limits(*at))
            .collect::<Vec<_>>()
    };
    Some(match tool {
        Probed::Disc => Operation::Radius {
            center: from,
            radius: from.distance(to),
        },
        Probed::Rectangle => Operation::Range(Aabb::of_points([from, to])),
        Probed::Segment => Operation::Segment { from, to },
        Probed::Nearest => Operation::Nearest {
            point: to,
            count: sizes.count,
        },
        Probed::Insert => Operation::Insert { at: to },
        Probed::Sector => {
            let way = to - from;
            let degrees = way.y.atan2(way.x).to_degrees();
            let sector = Sector::new(from, degrees, 60.0, way.length());
            Operation::Within(AnyFigure::Sector(sector))
        }
        Probed::Polygon => {
            let corners = trail();
            if corners.len() < 3 {
                return None;
            }
            Operation::Within(AnyFigure::Polygon(Polygon::new(&corners)))
        }
        Probed::Path => {
            let corners = trail();
            if corners.len() < 2 {
                return None;
            }
            Operation::Within(AnyFigure::Corridor(Corridor::new(sizes.reach, &corners)))
        }
        Probed::Near | Probed::Pairs | Probed::Remove | Probed::Move | Probed::Rebuild => {
            return None;
        }
    })
}

/// What a click makes with a tool, if it makes anything.
pub fn clicked(tool: Probed, at: Vec2, sizes: Sizes) -> Option<Operation> {
    let at = within_limits(at);
    let Sizes { radius, half, .. } = sizes;
    Some(match tool {
        Probed::Disc => Operation::Radius { center: at, radius },
        Probed::Rectangle => Operation::Range(Aabb::around(at, half)),
        Probed::Sector => Operation::Within(AnyFigure::Sector(Sector::new(at, 0.0, 60.0, radius))),
        Probed::Polygon => {
            let corners = [-90.0, -18.0, 54.0, 126.0, 198.0];
            let corners = corners.map(|degrees| within_limits(polar(at, degrees, radius)));
            Operation::Within(AnyFigure::Polygon(Polygon::new(&corners)))
        }
        Probed::Segment | Probed::Path => return None,
        _ => return drawn(tool, &[at], sizes),
    })
}

/// How far somebody is found from the line of an operation, in metres: the half width of a path, the reach of a unit.
pub fn with_reach(operation: &Operation, reach: f32) -> Operation {
    match operation {
        Operation::Near { unit, .. } => Operation::Near { unit: *unit, reach },
        Operation::Within(figure @ AnyFigure::Corridor(_)) => {
            let (_, corners) = corners_of(figure);
            Operation::Within(AnyFigure::Corridor(Corridor::new(reach, &corners)))
        }
        Operation::Within(figure @ AnyFigure::Sector(_)) => match sector(figure) {
            Some((center, direction, angle, _)) => {
                let sector = Sector::new(center, direction, angle, reach);
                Operation::Within(AnyFigure::Sector(sector))
            }
            None => operation.clone(),
        },
        _ => operation.clone(),
    }
}

/// The width and the height of a rectangle, in metres; of another operation nothing.
pub fn size_of(operation: &Operation) -> Option<Vec2> {
    match operation {
        Operation::Range(area) => Some(area.size()),
        _ => None,
    }
}

/// A rectangle of another width and height, in metres, around the same middle; another operation as it is.
pub fn with_size(operation: &Operation, size: Vec2) -> Operation {
    match operation {
        Operation::Range(area) => {
            let (middle, half) = (area.center(), size / 2.0);
            let [min, max] = [middle - half, middle + half].map(within_limits);
            Operation::Range(Aabb::new(min, max))
        }
        _ => operation.clone(),
    }
}

/// The name and the value of what [`with_reach`] changes, where there is such a thing.
pub fn reach_of(operation: &Operation) -> Option<(&'static str, f32)> {
    match operation {
        Operation::Near { reach, .. } => Some(("reach", *reach)),
        Operation::Within(figure @ AnyFigure::Corridor(_)) => {
            Some(("half width", corners_of(figure).0))
        }
        Operation::Within(figure) => sector(figure).map(|(.., radius)| ("radius", radius)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_handle_that_is_dragged_is_where_it_was_dragged_to() {
        for text in [
            "radius 10,10,5",
            "range 10,10,8,6",
            "nearest 1,2,3",
            "segment 1,2,7,8",
            "insert 4,4",
            "move 3,4,4",
            "sector 1,2,30,60,9",
            "polygon 0,0,9,0,5,8",
            "path 2,0,0,9,0,5,8",
        ] {
            let operation = Operation::read(text).expect("an operation");
            for handle in 0..handles(&operation).len() {
                let to = Vec2::new(40.0, 50.0);
                let new = dragged(&operation, handle, to);
                let mut places = handles(&new).into_iter();
                // The third handle of a sector turns its edge, and keeps its radius.
                let turns = text.starts_with("sector") && handle == 2;
                let near = turns || places.any(|at| at.distance(to) < 1.0e-3 || new_edge(&new, to));
                assert!(near, "{text}, handle {handle}: {new}");
            }
        }
    }

    /// Whether a place lies on the edge of a disc.
    fn new_edge(operation: &Operation, at: Vec2) -> bool {
        matches!(*operation, Operation::Radius { center, radius } if (center.distance(at) - radius).abs() < 1.0e-3)
    }

    #[test]
    fn a_click_makes_a_rectangle_as_wide_and_as_high_as_the_last_one() {
        let sizes = Sizes {
            radius: 5.0,
            half: Vec2::new(20.0, 3.0),
            reach: 2.0,
            count: 8,
        };
        let made = clicked(Probed::Rectangle, Vec2::new(100.0, 50.0), sizes);
        assert_eq!(made, Operation::read("range 80,47,40,6").ok());
        // Its numbers are set, and its middle stays where it is.
        let made = made.expect("a rectangle");
        let new = with_size(&made, Vec2::new(10.0, 60.0));
        assert_eq!(Some(new), Operation::read("range 95,20,10,60").ok());
        assert_eq!(size_of(&made), Some(Vec2::new(40.0, 6.0)));
    }

    #[test]
    fn what_is_drawn_far_outside_is_an_operation_all_the_same() {
        let far = Vec2::splat(f32::MAX);
        for tool in Probed::ASK.into_iter().chain(Probed::EDIT) {
            let sizes = Sizes {
                radius: 5.0,
                half: Vec2::new(5.0, 3.0),
                reach: 2.0,
                count: 8,
            };
            let trail = [-far, Vec2::ZERO, far];
            for operation in [drawn(tool, &trail, sizes), clicked(tool, far, sizes)] {
                let Some(operation) = operation else { continue };
                let text = operation.to_string();
                let read = Operation::read(&text).expect(&text);
                assert_eq!(read.to_string(), text);
            }
        }
    }
}
