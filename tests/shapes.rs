//! Areas of every shape, compared with another way of telling who is in them: angles, crossings and distances in `f64`, which a
//! school book would use. Only where something lies within a hair of a border may they differ.
//!
//! That each structure finds those whom a figure holds is compared here for crowds that nothing else has, and after edits by
//! the conformance suite.

#[macro_use]
#[path = "common/one_of.rs"]
mod one_of;

use proptest::prelude::*;
use skirmish::geometry::{Aabb, Vec2};
use skirmish::partition::{
    AnyPartition, Around, Bodies, COORDINATE_LIMIT, Corridor, Figure, Kind, Polygon, Sector, UnitId,
};

/// A place in double precision.
type Place = (f64, f64);

/// What is asked, as numbers alone.
#[derive(Clone, Debug)]
enum Question {
    Sector(Vec2, f32, f32, f32),
    Polygon(Vec<Vec2>),
    Path(f32, Vec<Vec2>),
    Around(Aabb, f32),
}

fn place(at: Vec2) -> Place {
    (at.x.into(), at.y.into())
}

fn less(a: Place, b: Place) -> Place {
    (a.0 - b.0, a.1 - b.1)
}

fn between(a: Place, b: Place, share: f64) -> Place {
    (a.0 + (b.0 - a.0) * share, a.1 + (b.1 - a.1) * share)
}

/// How far a place is from a box, and below zero how far inside it is.
fn from_box(area: Aabb, at: Place) -> f64 {
    let ((left, bottom), (right, top)) = (place(area.min), place(area.max));
    let (x, y) = (
        (left - at.0).max(at.0 - right),
        (bottom - at.1).max(at.1 - top),
    );
    if x <= 0.0 && y <= 0.0 {
        x.max(y)
    } else {
        x.max(0.0).hypot(y.max(0.0))
    }
}

/// How far a line is from a box: the distance first falls on the way and then rises, so thirds are cut off.
fn line_from_box(area: Aabb, from: Place, to: Place) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    let far = |share| from_box(area, between(from, to, share)).max(0.0);
    for _ in 0..160 {
        let (a, b) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
        if far(a) <= far(b) {
            high = b;
        } else {
            low = a;
        }
    }
    far(low).min(far(high)).min(far(0.0)).min(far(1.0))
}

/// How far a place is from a line.
fn from_line(at: Place, from: Place, to: Place) -> f64 {
    line_from_box(
        Aabb::new(Vec2::ZERO, Vec2::ZERO),
        less(from, at),
        less(to, at),
    )
}

/// A direction in radians, from x towards y.
fn heading((x, y): Place) -> f64 {
    y.atan2(x)
}

/// The angle between two directions, without a sign.
fn apart(a: f64, b: f64) -> f64 {
    let turn = (a - b).rem_euclid(std::f64::consts::TAU);
    turn.min(std::f64::consts::TAU - turn)
}

impl Question {
    fn figure(&self) -> Box<dyn Figure> {
        match self {
            Self::Sector(center, direction, angle, radius) => {
                Box::new(Sector::new(*center, *direction, *angle, *radius))
            }
            Self::Polygon(corners) => Box::new(Polygon::new(corners)),
            Self::Path(half_width, corners) => Box::new(Corridor::new(*half_width, corners)),
            Self::Around(body, reach) => Box::new(Around::new(*body, *reach)),
        }
    }

    /// Its lines, from where to where.
    fn lines(&self) -> Vec<(Place, Place)> {
        let chain = |corners: &[Vec2]| -> Vec<(Place, Place)> {
            let ends = corners.windows(2);
            ends.map(|ends| (place(ends[0]), place(ends[1]))).collect()
        };
        match self {
            Self::Sector(center, direction, angle, radius) => [-0.5, 0.5]
                .into_iter()
                .map(|half| {
                    let turn = f64::from(*direction) + f64::from(*angle) * half;
                    let (y, x) = turn.to_radians().sin_cos();
                    let (from, far) = (place(*center), f64::from(*radius));
                    (from, (from.0 + x * far, from.1 + y * far))
                })
                .collect(),
            Self::Polygon(corners) => {
                let mut lines = chain(corners);
                lines.extend(corners.last().map(|last| (place(*last), place(corners[0]))));
                lines
            }
            Self::Path(_, corners) => chain(corners),
            Self::Around(body, _) => vec![(place(body.min), place(body.max))],
        }
    }

    /// Whether a ray from a place to the right crosses a polygon an odd number of times.
    fn is_enclosed(lines: &[(Place, Place)], at: Place) -> bool {
        let (mut odd, up) = (false, |end: Place| end.1 > at.1);
        for &(from, to) in lines {
            if up(from) != up(to) {
                let share = (at.1 - from.1) / (to.1 - from.1);
                odd ^= between(from, to, share).0 > at.0;
            }
        }
        odd
    }

    /// How deep inside a place is, in metres; not above zero outside.
    fn depth(&self, at: Place) -> f64 {
        let nearest_line = || {
            let lines = self.lines();
            let far = lines.iter().map(|(from, to)| from_line(at, *from, *to));
            far.fold(f64::INFINITY, f64::min)
        };
        match self {
            Self::Sector(center, direction, angle, radius) => {
                let seen = less(at, place(*center));
                let far = seen.0.hypot(seen.1);
                let half = f64::from(*angle).to_radians() * 0.5;
                let rest = half - apart(heading(seen), f64::from(*direction).to_radians());
                let arc = f64::from(*radius) - far;
                if *angle >= 360.0 {
                    arc
                } else if rest > 0.0 {
                    arc.min(nearest_line())
                } else {
                    0.0
                }
            }
            Self::Polygon(_) if Self::is_enclosed(&self.lines(), at) => nearest_line(),
            Self::Polygon(_) => 0.0,
            Self::Path(half_width, _) => f64::from(*half_width) - nearest_line(),
            Self::Around(body, reach) => f64::from(*reach) - from_box(*body, at).max(0.0),
        }
    }

    /// How far a box is beside it, in metres; not above zero where they meet.
    fn gap(&self, area: Aabb) -> f64 {
        let lines = self.lines();
        let far = lines
            .iter()
            .map(|(from, to)| line_from_box(area, *from, *to))
            .fold(f64::INFINITY, f64::min);
        let corner = place(area.min);
        match self {
            Self::Sector(center, direction, angle, radius) => {
                let (x, y) = place(*center);
                let ((left, bottom), (right, top)) = (place(area.min), place(area.max));
                let near = (x.clamp(left, right) - x, y.clamp(bottom, top) - y);
                let arc = near.0.hypot(near.1) - f64::from(*radius);
                let half = f64::from(*angle).to_radians() * 0.5;
                if *angle >= 360.0 {
                    arc
                } else if near == (0.0, 0.0) {
                    0.0
                } else if apart(heading(near), f64::from(*direction).to_radians()) <= half {
                    far.min(arc)
                } else {
                    far
                }
            }
            Self::Polygon(_) if Self::is_enclosed(&lines, corner) => 0.0,
            Self::Polygon(_) => far,
            Self::Path(half_width, _) => far - f64::from(*half_width),
            Self::Around(body, reach) => {
                let half = (
                    (place(body.max).0 - place(body.min).0) * 0.5,
                    (place(body.max).1 - place(body.min).1) * 0.5,
                );
                let middle = between(place(body.min), place(body.max), 0.5);
                let ((left, bottom), (right, top)) = (place(area.min), place(area.max));
                let x = (left - middle.0 - half.0)
                    .max(middle.0 - half.0 - right)
                    .max(0.0);
                let y = (bottom - middle.1 - half.1)
                    .max(middle.1 - half.1 - top)
                    .max(0.0);
                x.hypot(y) - f64::from(*reach)
            }
        }
    }

    /// The greatest coordinate in play.
    fn scale(&self, body: Aabb) -> f64 {
        let mut scale = from_box(body, (0.0, 0.0)).abs();
        for at in [body.min, body.max].map(place) {
            scale = scale.max(at.0.abs()).max(at.1.abs());
        }
        for (from, to) in self.lines() {
            for at in [from, to] {
                scale = scale.max(at.0.abs()).max(at.1.abs());
            }
        }
        match self {
            Self::Sector(.., reach) | Self::Path(reach, _) | Self::Around(_, reach) => {
                scale + f64::from(*reach)
            }
            Self::Polygon(_) => scale,
        }
    }

    /// Whether a body is found for certain, or for certain not; nothing where that hangs on a hair.
    fn verdict(&self, body: Aabb) -> Option<bool> {
        // Differences of places in `f32` are rounded for what is around a box.
        let part = if matches!(self, Self::Around(..)) {
            1.0e-6
        } else {
            1.0e-11
        };
        let hair = self.scale(body) * part + 1.0e-25;
        let gap = self.gap(body);
        if gap > hair {
            return Some(false);
        }
        // Somewhere in the body is deep inside, or somewhere on a line is deep in the body.
        let (min, max) = (place(body.min), place(body.max));
        let in_body = (0..25).map(|step| {
            let (x, y) = (f64::from(step % 5) * 0.25, f64::from(step / 5) * 0.25);
            (between(min, max, x).0, between(min, max, y).1)
        });
        let is_deep = in_body.into_iter().any(|at| self.depth(at) > hair);
        let is_crossed = || {
            let lines = self.lines();
            lines.iter().any(|(from, to)| {
                (0..=32)
                    .any(|step| from_box(body, between(*from, *to, f64::from(step) / 32.0)) < -hair)
            })
        };
        (is_deep || is_crossed()).then_some(true)
    }
}

/// Coordinates on each other, next to each other, and at the end of the world.
fn coordinate() -> BoxedStrategy<f32> {
    one_of![
        8 => (-6_i8..7).prop_map(f32::from),
        4 => -8.0_f32..8.0,
        1 => (-6_i8..7).prop_map(|it| f32::from(it).next_down()),
        1 => one_of![
            Just(COORDINATE_LIMIT),
            Just(-COORDINATE_LIMIT),
            Just(1.0e-30_f32),
            -COORDINATE_LIMIT..COORDINATE_LIMIT,
        ],
    ]
    .boxed()
}

fn spot() -> BoxedStrategy<Vec2> {
    (coordinate(), coordinate())
        .prop_map(|(x, y)| Vec2::new(x, y))
        .boxed()
}

fn reach() -> BoxedStrategy<f32> {
    one_of![
        1 => Just(0.0_f32),
        1 => (1_u8..6).prop_map(f32::from),
        1 => one_of![Just(1.0e-20_f32), Just(1.0e9), Just(4.0e9)],
        4 => 0.0_f32..6.0,
    ]
    .boxed()
}

fn corners(fewest: usize) -> BoxedStrategy<Vec<Vec2>> {
    one_of![
        2 => prop::collection::vec(spot(), fewest..8),
        // All on one line, some of them several times.
        1 => (spot(), spot(), prop::collection::vec(-2_i8..3, fewest..6)).prop_map(
            |(from, way, steps)| steps.iter().map(|step| from + way * f32::from(*step)).collect()
        ),
    ]
    .boxed()
}

fn question() -> BoxedStrategy<Question> {
    let direction = one_of![
        (-8_i16..9).prop_map(|it| f32::from(it) * 45.0),
        -360.0_f32..360.0
    ];
    let angle = one_of![
        (1_i16..9).prop_map(|it| f32::from(it) * 45.0),
        0.1_f32..=360.0,
        Just(1.0e-12_f32),
    ];
    one_of![
        (spot(), direction, angle, reach()).prop_map(|(center, direction, angle, radius)| {
            Question::Sector(center, direction, angle, radius)
        }),
        corners(3).prop_map(Question::Polygon),
        (reach(), corners(2)).prop_map(|(width, corners)| Question::Path(width, corners)),
        (spot(), spot(), reach())
            .prop_map(|(a, b, reach)| Question::Around(Aabb::of_points([a, b]), reach)),
    ]
    .boxed()
}

/// Centres and half extents; no half extents where all are points.
type Crowd = (Vec<Vec2>, Vec<Vec2>);

fn crowd() -> BoxedStrategy<Crowd> {
    let side = || {
        one_of![
            3 => Just(0.0_f32),
            4 => 0.0_f32..3.0,
            1 => Just(1.0),
            1 => 0.0_f32..40.0,
        ]
    };
    let body = (spot(), side(), side()).prop_map(|(at, x, y)| (at, Vec2::new(x, y)));
    let count = one_of![Just(0_usize), Just(1), Just(2), 3_usize..40];
    (count, any::<bool>())
        .prop_flat_map(move |(count, sized)| {
            prop::collection::vec(body.clone(), count).prop_map(move |bodies| {
                let (centers, sizes): Crowd = bodies.into_iter().unzip();
                (centers, if sized { sizes } else { Vec::new() })
            })
        })
        .boxed()
}

/// A case is drawn by the same numbers each time.
fn config(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        failure_persistence: None,
        rng_seed: proptest::test_runner::RngSeed::Fixed(5),
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config(6_000))]

    #[test]
    fn whom_a_figure_holds_is_told_by_angles_crossings_and_distances_too(
        question in question(),
        (at, half) in (spot(), spot()).boxed(),
        corner in 0_usize..12,
    ) {
        let figure = question.figure();
        // Near a corner of the figure more often than not.
        let lines = question.lines();
        let (x, y) = lines[corner % lines.len()].0;
        let near = Vec2::new(x as f32, y as f32) + at * 0.25;
        for center in [at, near] {
            for half in [Vec2::ZERO, half.abs().min(Vec2::splat(9.0))] {
                let body = Aabb::around(center, half);
                if let Some(verdict) = question.verdict(body) {
                    prop_assert_eq!(figure.holds(body), verdict, "{:?}", body);
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(config(1_500))]

    #[test]
    fn every_structure_finds_whom_a_figure_holds(
        (centers, half_extents) in crowd(),
        questions in prop::collection::vec(question(), 1..4),
        reach in reach(),
    ) {
        let bodies = Bodies { centers: &centers, half_extents: &half_extents, alive: &[] };
        let field = Aabb::new(Vec2::splat(-8.0), Vec2::splat(8.0));
        for &kind in Kind::ALL {
            let mut index = AnyPartition::new(kind, field);
            index.rebuild(bodies, &mut ());
            for question in &questions {
                let figure = question.figure();
                let mut found: Vec<UnitId> = Vec::new();
                index.within(bodies, &*figure, &mut (), |unit| found.push(unit));
                found.sort_unstable();
                let held = bodies.ids().filter(|unit| figure.holds(bodies.aabb(*unit)));
                prop_assert_eq!(&found, &held.collect::<Vec<_>>(), "{:?}: {:?}", kind, question);
                for unit in bodies.ids() {
                    if let Some(verdict) = question.verdict(bodies.aabb(unit)) {
                        prop_assert_eq!(found.binary_search(&unit).is_ok(), verdict, "{}", unit);
                    }
                }
            }
            for unit in bodies.ids().take(3) {
                let (mut found, mut paired) = (Vec::new(), Vec::new());
                index.near(bodies, unit, reach, &mut (), |other| found.push(other));
                index.pairs(bodies, reach, &mut (), |batch| {
                    let of_it = batch.iter().filter(|(a, b)| *a == unit || *b == unit);
                    paired.extend(of_it.map(|(a, b)| if *a == unit { *b } else { *a }));
                });
                found.sort_unstable();
                paired.sort_unstable();
                prop_assert_eq!(found, paired, "{:?}: {} around unit {}", kind, reach, unit);
            }
        }
    }
}

#[test]
fn a_hair_is_seldom_what_decides() {
    use proptest::strategy::ValueTree;
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let (mut sure, mut held) = (0, 0);
    for _ in 0..1_000 {
        let question = question()
            .new_tree(&mut runner)
            .expect("a question")
            .current();
        let at = spot().new_tree(&mut runner).expect("a place").current();
        let verdict = question.verdict(Aabb::around(at, Vec2::splat(0.75)));
        sure += u32::from(verdict.is_some());
        held += u32::from(verdict == Some(true));
    }
    assert!(sure > 900, "{sure} of 1000");
    assert!((100..900).contains(&held), "{held} of 1000");
}

#[test]
fn each_figure_has_a_word_of_its_own() {
    let corners = [Vec2::ZERO, Vec2::X, Vec2::Y];
    let figures: [&dyn Figure; 4] = [
        &Sector::new(Vec2::ZERO, 0.0, 90.0, 1.0),
        &Polygon::new(&corners),
        &Corridor::new(1.0, &corners),
        &Around::new(Aabb::new(Vec2::ZERO, Vec2::ONE), 1.0),
    ];
    let names: std::collections::BTreeSet<&str> = figures.iter().map(|it| it.name()).collect();
    assert_eq!(names.len(), figures.len());
}
