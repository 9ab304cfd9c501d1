//! What each figure is, and that none holds less in a larger box.

use super::*;
use crate::partition::toolkit::search::{Search, project_box};
use crate::partition::toolkit::turn::turned_box;
use proptest::prelude::*;

/// A box of these borders.
fn boxed(left: f32, bottom: f32, right: f32, top: f32) -> Aabb {
    Aabb::new(Vec2::new(left, bottom), Vec2::new(right, top))
}

fn spot(x: f32, y: f32) -> Aabb {
    boxed(x, y, x, y)
}

fn path(half_width: f32, corners: &[(f32, f32)]) -> Corridor {
    Corridor::new(half_width, &places(corners))
}

fn polygon(corners: &[(f32, f32)]) -> Polygon {
    Polygon::new(&places(corners))
}

fn places(corners: &[(f32, f32)]) -> Vec<Vec2> {
    corners.iter().map(|&(x, y)| Vec2::new(x, y)).collect()
}

#[test]
fn a_sector_holds_its_centre_its_edges_and_its_arc() {
    let sight = Sector::new(Vec2::new(10.0, 10.0), 0.0, 90.0, 5.0);
    for (x, y) in [
        (10.0, 10.0),
        (15.0, 10.0),
        (13.0, 13.0),
        (12.0, 8.0),
        (14.0, 13.0),
    ] {
        assert!(sight.holds(spot(x, y)), "({x}, {y})");
    }
    for (x, y) in [
        (9.9, 10.0),
        (15.001, 10.0),
        (12.0, 12.001),
        (10.0, 11.0),
        (14.0, 13.01),
    ] {
        assert!(!sight.holds(spot(x, y)), "({x}, {y})");
    }
    // Across an edge far from the nearest corner, around the whole of it, and beside it.
    assert!(sight.holds(boxed(11.0, 11.0, 11.0, 20.0)));
    assert!(sight.holds(boxed(0.0, 0.0, 100.0, 100.0)));
    assert!(!sight.holds(boxed(9.0, 11.5, 11.0, 20.0)));
    assert!(sight.swallows(boxed(12.0, 9.0, 14.0, 11.0)));
    assert!(!sight.swallows(boxed(10.5, 9.0, 14.0, 11.0)));
    assert_eq!(sight.gap(spot(20.0, 10.0)), 5.0);
    assert_eq!(sight.gap(spot(6.0, 7.0)), 5.0);
}

#[test]
fn a_sector_opens_as_far_as_it_says() {
    let looking = |direction, angle| Sector::new(Vec2::ZERO, direction, angle, 2.0);
    let (ahead, behind, aside) = (spot(0.0, 1.0), spot(0.0, -1.0), spot(1.0, 0.0));
    for direction in [90.0, -270.0, 90.0 + 3_600.0] {
        assert!(looking(direction, 1.0e-30).holds(ahead), "{direction}");
        assert!(!looking(direction, 1.0e-30).holds(behind), "{direction}");
        assert!(!looking(direction, 179.9).holds(aside), "{direction}");
        assert!(looking(direction, 180.0).holds(aside), "{direction}");
        assert!(!looking(direction, 359.9).holds(behind), "{direction}");
        assert!(looking(direction, 359.9).holds(spot(-1.0, -1.0)));
        assert!(looking(direction, 360.0).holds(behind), "{direction}");
    }
    assert!(looking(90.0, 300.0).swallows(boxed(0.1, -0.1, 1.0, 1.0)));
    assert!(looking(0.0, 360.0).swallows(boxed(-1.0, -1.0, 1.0, 1.0)));
    let point = Sector::new(Vec2::ONE, 30.0, 10.0, 0.0);
    assert!(point.holds(spot(1.0, 1.0)) && point.holds(boxed(0.0, 0.0, 1.0, 1.0)));
    assert!(!point.holds(spot(1.0, 1.0_f32.next_up())));
}

/// Where an edge and the arc meet, a place is in by the one and a box around it by the other.
#[test]
fn an_edge_ends_no_sooner_than_the_arc() {
    let (mut side, mut tries) = (1.0_f32, 0);
    for _ in 0..1_000_000 {
        side = side.next_up();
        let far = f64::from(side) * std::f64::consts::SQRT_2;
        let radius = far as f32;
        let beyond = f64::from(radius) / far - 1.0;
        if !(0.0..1.0e-12).contains(&beyond) {
            continue;
        }
        let sight = Sector::new(Vec2::ZERO, 0.0, 90.0, radius);
        if sight.holds(spot(side, side)) {
            tries += 1;
            let beside = boxed(side - 1.0, side, side, side + 1.0);
            assert!(sight.holds(beside), "{side}");
        }
    }
    assert!(tries > 3, "{tries}");
}

/// Numbers are 64 m apart there: the body's border is half of that farther away than its centre and size say.
#[test]
fn a_body_whose_border_was_rounded_into_an_area_is_across_it() {
    let (center, half) = (Vec2::new(0.0, 1.0e9), Vec2::splat(33.0));
    let body = Aabb::around(center, half);
    let top = body.max.y;
    assert!(f64::from(top) > 1.0e9 + 33.0);
    let area = polygon(&[(0.0, top), (9.0, top), (5.0, top * 1.1)]);
    assert!(area.holds(body));
    let row = Aabb::new(
        Vec2::new(f32::NEG_INFINITY, center.y),
        Vec2::new(f32::INFINITY, center.y),
    );
    let search = Within::new(&area).expect("an area");
    let (left, right) = search.across(row, half, 0.0).expect("it is there");
    assert!(left <= 0.0 && 0.0 <= right);
}

#[test]
fn a_polygon_is_hollow_where_it_lies_on_itself_twice() {
    let notched = polygon(&[(0.0, 0.0), (8.0, 0.0), (8.0, 8.0), (4.0, 2.0), (0.0, 8.0)]);
    assert!(notched.holds(spot(4.0, 2.0)) && notched.holds(spot(1.0, 5.0)));
    assert!(!notched.holds(spot(4.0, 2.1)) && !notched.holds(boxed(3.5, 4.5, 4.5, 9.0)));
    assert!(notched.holds(boxed(-1.0, 4.0, 9.0, 4.0)));
    assert!(notched.swallows(boxed(1.0, 1.0, 7.0, 1.5)));
    assert!(!notched.swallows(boxed(1.0, 1.0, 7.0, 3.0)));
    assert_eq!(notched.gap(spot(11.0, 12.0)), 5.0);
    // A star of five lines: its middle is outside, and each of its points inside.
    let star = polygon(&[
        (0.0, 10.0),
        (6.0, -8.0),
        (-10.0, 3.0),
        (10.0, 3.0),
        (-6.0, -8.0),
    ]);
    assert!(!star.holds(boxed(-1.0, -1.0, 1.0, 1.0)));
    assert!(star.holds(spot(0.0, 8.0)) && star.holds(spot(5.0, -6.5)));
    // Two lines on each other, and a single place.
    let line = polygon(&[(0.0, 0.0), (6.0, 2.0), (0.0, 0.0)]);
    assert!(line.holds(spot(3.0, 1.0)) && !line.holds(spot(3.0, 1.0_f32.next_up())));
    let dot = polygon(&[(3.0, 3.0); 3]);
    assert!(dot.holds(spot(3.0, 3.0)) && !dot.holds(spot(3.0, 3.1)));
}

#[test]
fn a_corridor_is_round_at_its_bends_and_ends() {
    let way = path(1.0, &[(0.0, 0.0), (10.0, 0.0), (10.0, 10.0)]);
    for (x, y) in [
        (-1.0, 0.0),
        (5.0, 1.0),
        (5.0, -1.0),
        (11.0, 5.0),
        (10.6, -0.79),
    ] {
        assert!(way.holds(spot(x, y)), "({x}, {y})");
    }
    for (x, y) in [
        (-0.8, 0.7),
        (5.0, 1.01),
        (10.8, -0.8),
        (8.9, 1.1),
        (10.0, 11.1),
    ] {
        assert!(!way.holds(spot(x, y)), "({x}, {y})");
    }
    assert!(way.swallows(boxed(1.0, -0.5, 9.0, 0.5)) && !way.swallows(boxed(1.0, -0.5, 9.0, 1.5)));
    assert_eq!(way.gap(spot(5.0, 4.0)), 3.0);
    let thin = path(0.0, &[(0.0, 0.0), (0.0, 0.0), (3.0, 9.0)]);
    assert!(thin.holds(spot(1.0, 3.0)) && !thin.holds(spot(1.0, 3.0_f32.next_down())));
    let still = path(5.0, &[(0.0, 0.0), (0.0, 0.0)]);
    assert!(still.holds(spot(3.0, 4.0)) && !still.holds(spot(3.1, 4.0)));
}

#[test]
fn around_a_box_is_as_far_as_the_gap_of_pairs() {
    let body = boxed(0.0, 0.0, 4.0, 2.0);
    let around = Around::new(body, 5.0);
    assert!(around.holds(spot(7.0, 6.0)) && !around.holds(spot(7.1, 6.0)));
    assert!(around.holds(boxed(9.0, 1.0, 12.0, 1.0)) && around.holds(spot(1.0, 1.0)));
    assert!(around.swallows(boxed(-3.0, -4.0, 7.0, 6.0)));
    assert!(!around.swallows(boxed(-3.1, -4.0, 7.0, 6.0)));
    assert_eq!(around.gap(spot(10.0, 10.0)), 5.0);
}

#[test]
fn what_is_no_area_holds_nobody() {
    let (nan, endless) = (f32::NAN, f32::INFINITY);
    let here = Vec2::ONE;
    let square = places(&[(0.0, 0.0), (2.0, 0.0), (2.0, 2.0), (0.0, 2.0)]);
    let with = |place: Vec2| {
        let mut corners = square.clone();
        corners[2] = place;
        corners
    };
    let figures: Vec<Box<dyn Figure>> = vec![
        Box::new(Sector::new(here, 0.0, 90.0, -1.0)),
        Box::new(Sector::new(here, 0.0, 90.0, nan)),
        Box::new(Sector::new(here, 0.0, 0.0, 1.0)),
        Box::new(Sector::new(here, 0.0, 361.0, 1.0)),
        Box::new(Sector::new(here, nan, 90.0, 1.0)),
        Box::new(Sector::new(here, endless, 90.0, 1.0)),
        Box::new(Sector::new(Vec2::new(nan, 1.0), 0.0, 90.0, 1.0)),
        Box::new(Polygon::new(&[])),
        Box::new(Polygon::new(&square[..2])),
        Box::new(Polygon::new(&[here; MOST_CORNERS + 1])),
        Box::new(Polygon::new(&with(Vec2::new(nan, 0.0)))),
        Box::new(Polygon::new(&with(Vec2::new(endless, 0.0)))),
        Box::new(Corridor::new(-1.0e-30, &square)),
        Box::new(Corridor::new(nan, &square)),
        Box::new(Corridor::new(1.0, &square[..1])),
        Box::new(Corridor::new(1.0, &[here; MOST_CORNERS + 1])),
        Box::new(Corridor::new(1.0, &with(Vec2::new(0.0, nan)))),
        Box::new(Around::new(spot(1.0, 1.0), -0.5)),
        Box::new(Around::new(spot(1.0, 1.0), nan)),
        Box::new(Around::new(Aabb::EMPTY, 1.0)),
        Box::new(Around::new(spot(nan, 1.0), 1.0)),
    ];
    for figure in figures {
        assert!(figure.bounds().is_empty(), "{figure:?}");
        assert!(Within::new(&*figure).is_none(), "{figure:?}");
        for body in [spot(1.0, 1.0), Aabb::EVERYTHING, Aabb::EMPTY] {
            assert!(!figure.holds(body) && !figure.swallows(body), "{figure:?}");
        }
    }
}

#[test]
fn as_far_as_anybody_is_there_is_no_limit() {
    let far = spot(2.0e9, -2.0e9);
    for reach in [1.0e20, f32::MAX, f32::INFINITY] {
        let figures: [&dyn Figure; 3] = [
            &Sector::new(Vec2::ZERO, -45.0, 10.0, reach),
            &path(reach, &[(0.0, 0.0), (1.0, 1.0)]),
            &Around::new(spot(0.0, 0.0), reach),
        ];
        for figure in figures {
            assert!(figure.holds(far), "{figure:?}");
            assert!(figure.bounds().min.is_finite() && figure.bounds().max.is_finite());
        }
        assert!(!Sector::new(Vec2::ZERO, 45.0, 10.0, reach).holds(far));
    }
}

#[test]
fn a_figure_is_made_again_from_its_numbers() {
    for (key, numbers) in [
        ("sector", vec![1.0, -2.5, 30.0, 60.0, 7.0]),
        ("polygon", vec![0.0, 0.0, 3.0, 0.5, 1.0, 9.0]),
        ("path", vec![0.75, 0.0, 0.0, 3.0, 0.5]),
    ] {
        let figure = AnyFigure::from_numbers(key, &numbers).expect("a figure");
        assert_eq!(figure.numbers(), numbers);
        assert_eq!(figure.form().key, key);
        assert!(!figure.figure().bounds().is_empty());
        // Fewer numbers are no figure, and no panic.
        for count in 0..4 {
            let few = AnyFigure::from_numbers(key, &numbers[..count]).expect("a figure");
            assert!(few.figure().bounds().is_empty(), "{key} of {count}");
        }
    }
    assert_eq!(AnyFigure::from_numbers("circle", &[]), None);
    for form in AnyFigure::FORMS {
        let (word, values) = form.text.split_once(' ').expect("values");
        assert_eq!(word, form.key);
        let names: Vec<&str> = values.split(',').collect();
        for (number, name) in form.numbers.iter().zip(&names) {
            assert_eq!(number.name, *name);
        }
        let fewest = form.corners.map_or(0, |(fewest, _)| 2 * fewest);
        let rest = &names[form.numbers.len()..];
        assert_eq!(rest.len(), fewest + usize::from(fewest > 0));
    }
}

/// Coordinates that lie on each other, next to each other and far away from each other.
fn coordinate() -> impl Strategy<Value = f32> {
    prop_oneof![
        6 => (-6_i8..7).prop_map(f32::from),
        3 => -8.0_f32..8.0,
        1 => (-6_i8..7).prop_map(|it| f32::from(it).next_up()),
        1 => prop_oneof![Just(1.0e9_f32), Just(-1.0e9), Just(1.0e-30), Just(9.999e8)],
    ]
}

fn place() -> impl Strategy<Value = Vec2> {
    (coordinate(), coordinate()).prop_map(|(x, y)| Vec2::new(x, y))
}

fn reach() -> impl Strategy<Value = f32> {
    prop_oneof![
        Just(0.0_f32),
        Just(1.0),
        Just(1.0e-20),
        Just(1.0e9),
        0.0_f32..6.0
    ]
}

fn corners(fewest: usize) -> impl Strategy<Value = Vec<Vec2>> {
    prop_oneof![
        prop::collection::vec(place(), fewest..7),
        // All on one line.
        (place(), place(), prop::collection::vec(-3_i8..4, fewest..6)).prop_map(
            |(from, way, steps)| {
                let on_it = |step: i8| from + way * f32::from(step);
                steps.into_iter().map(on_it).collect()
            }
        ),
    ]
}

fn figure() -> BoxedStrategy<Box<dyn Figure>> {
    let direction = prop_oneof![
        (-8_i16..9).prop_map(|it| f32::from(it) * 45.0),
        -400.0_f32..400.0
    ];
    let angle = prop_oneof![
        (1_i16..9).prop_map(|it| f32::from(it) * 45.0),
        0.001_f32..=360.0,
        Just(1.0e-30),
        Just(360.0_f32.next_down()),
        Just(180.0_f32.next_up()),
        Just(180.0_f32.next_down()),
    ];
    prop_oneof![
        (place(), direction, angle, reach()).prop_map(|(center, direction, angle, radius)| {
            Box::new(Sector::new(center, direction, angle, radius)) as Box<dyn Figure>
        }),
        corners(3).prop_map(|corners| Box::new(Polygon::new(&corners)) as Box<dyn Figure>),
        (reach(), corners(2)).prop_map(|(half_width, corners)| {
            Box::new(Corridor::new(half_width, &corners)) as Box<dyn Figure>
        }),
        (place(), place(), reach()).prop_map(|(a, b, reach)| {
            Box::new(Around::new(Aabb::of_points([a, b]), reach)) as Box<dyn Figure>
        }),
    ]
    .boxed()
}

/// A figure and a body, near a corner of the figure more often than not: a place, a line or a box.
fn figure_and_body() -> BoxedStrategy<(Box<dyn Figure>, Aabb)> {
    let side = || prop_oneof![Just(0.0_f32), Just(1.0), 0.0_f32..4.0];
    (figure(), place(), side(), side(), 0_usize..9)
        .prop_map(|(figure, at, width, height, corner)| {
            let corners = figure.outline().corners;
            let center = match corner.checked_sub(1) {
                Some(corner) => corners[corner % corners.len()].as_vec2() + at * 0.25,
                None => at,
            };
            let body = Aabb::around(center, Vec2::new(width, height));
            (figure, body)
        })
        .boxed()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 20_000, failure_persistence: None, ..ProptestConfig::default() })]

    /// What trees and grids rely on.
    #[test]
    fn a_larger_box_is_held_and_found_wherever_a_smaller_one_is(
        (figure, body) in figure_and_body(),
        grow in (place(), place()).boxed(),
        turn in 0.0_f32..std::f32::consts::TAU,
        (axis, share) in (0_usize..2, 0.0_f32..=1.0),
    ) {
        let figure = &*figure;
        let search = Within::new(figure).expect("an area").turned(axis);
        let body = turned_box(axis, body);
        let larger = Aabb::new(body.min - grow.0.abs(), body.max + grow.1.abs());
        if search.swallows(larger) {
            prop_assert!(search.holds(body), "{:?} of {:?}", body, larger);
            let inside = Aabb::new(larger.min, larger.min.lerp(larger.max, share).clamp(larger.min, larger.max));
            prop_assert!(search.holds(inside), "{:?} of {:?}", inside, larger);
            for place in [larger.min, larger.max, inside.max] {
                prop_assert!(search.holds(Aabb::new(place, place)));
            }
        }
        if !search.holds(body) {
            return Ok(());
        }
        prop_assert!(search.holds(larger), "{:?} in {:?}", body, larger);
        let endless = Aabb::new(Vec2::new(f32::NEG_INFINITY, body.min.y), Vec2::new(body.max.x, f32::INFINITY));
        prop_assert!(search.holds(endless) && search.holds(Aabb::EVERYTHING));
        prop_assert!(body.overlaps(search.bounds()) && body.overlaps(search.cover()));
        // The directions of axes are those of grids, all others those of lines across a crowd.
        for normal in [Vec2::X, Vec2::Y, Vec2::from_angle(turn), Vec2::new(-0.6, 0.8)] {
            let ((low, high), (least, most)) = (search.along(normal), project_box(normal, body));
            prop_assert!(low <= most && least <= high, "{:?} along {}", body, normal);
        }
        // The band of its centre, and the band of its borders.
        let (center, half) = (body.center(), body.half_extent());
        let level = |low: f32, high: f32| Aabb::new(Vec2::new(f32::NEG_INFINITY, low), Vec2::new(f32::INFINITY, high));
        let (left, right) = search.across(level(center.y, center.y), half, 0.0).expect("it is there");
        prop_assert!(left <= center.x && center.x <= right, "{} from {} to {}", center.x, left, right);
        let (left, right) = search.across(level(body.min.y, body.max.y), Vec2::ZERO, 0.0).expect("it is there");
        prop_assert!(left <= body.max.x && body.min.x <= right);
        let (left, right) = search.across(level(f32::NEG_INFINITY, f32::INFINITY), half, 0.0).expect("it is there");
        prop_assert!(left <= center.x && center.x <= right);
    }

    #[test]
    fn beside_an_area_there_is_a_gap_and_in_it_is_none(
        (figure, body) in figure_and_body(),
    ) {
        let gap = figure.gap(body);
        prop_assert!(gap >= 0.0 && gap.is_finite(), "{}", gap);
        if figure.holds(body) {
            prop_assert_eq!(gap, 0.0);
        } else {
            // Grown by the gap, and a little for what is rounded, it touches.
            let scale = body.min.abs().max(body.max.abs()).max_element().max(1.0);
            let scale = scale.max(figure.bounds().max.abs().max(figure.bounds().min.abs()).max_element());
            let far = gap as f32 * 1.000_01 + scale * 1.0e-6;
            prop_assert!(figure.holds(body.grown(Vec2::splat(far))), "{}", gap);
        }
    }
}
