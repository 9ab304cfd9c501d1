//! Touching is meeting, to the last bit: bodies a hair beside the borders of cells, asked for by what just touches them.
//!
//! A body's border is its centre plus its half extent, rounded; the way back from the border to the centre, by which grids and
//! sorted lines look for it, misses by a rounding or two. Every structure has to allow for that wherever it looks, and brute
//! force, which only ever looks at borders, says who should be found.

use skirmish::geometry::{Aabb, Segment, Vec2};
use skirmish::partition::{AnyPartition, Bodies, Change, Kind, NearestQuery, UnitId};

const FIELD: Aabb = Aabb::new(Vec2::splat(-64.0), Vec2::splat(64.0));

/// Sides of cells, so that the borders between them are where units stand.
const CELL: f32 = 4.0;

/// Units on borders between cells and a hair beside them, of sizes that are not a sum of a few powers of two.
fn crowd(shift: f32, sized: bool) -> (Vec<Vec2>, Vec<Vec2>) {
    let on = |number: usize| {
        let border = (number % 9) as f32 * CELL - 16.0 + shift;
        match number % 7 {
            0 => border,
            1 => border.next_down(),
            2 => border.next_up(),
            3 => border - 1e-9,
            4 => border - 1e-5 * (1.0 + number as f32),
            5 => border + 1e-5 * (1.0 + number as f32),
            _ => border - CELL * 0.37,
        }
    };
    let size = |number: usize| [0.0, 0.3, 1.7, 2.0, 0.1, 1.999_999, 7.9][number % 7];
    (0..150)
        .map(|unit| {
            let center = Vec2::new(on(unit * 5 + unit / 9), on(unit * 11 + unit / 31));
            (center, Vec2::new(size(unit * 3), size(unit * 5 + 1)))
        })
        .map(|(center, half_extent)| (center, if sized { half_extent } else { Vec2::ZERO }))
        .unzip()
}

/// All structures over the same units, all pairs first.
fn structures(bodies: Bodies<'_>) -> Vec<(String, AnyPartition)> {
    let mut all = Vec::new();
    for &kind in Kind::ALL {
        for side in [None, Some(CELL)] {
            let mut index = AnyPartition::new(kind, FIELD);
            let mut name = kind.info().key.to_owned();
            if let Some(side) = side {
                let knobs = ["cell_size", "strip_height"];
                let Some(knob) = knobs.iter().find(|key| kind.info().knob_index(key).is_ok())
                else {
                    continue;
                };
                index.set_knob_text(knob, &side.to_string()).unwrap();
                name += &format!(" with {knob} {side}");
            }
            index.rebuild(bodies, &mut ());
            all.push((name, index));
        }
    }
    assert_eq!(all[0].1.kind(), Kind::AllPairs);
    all
}

/// Asks all structures one question, which they have to answer as all pairs does.
fn agree<T: PartialEq + std::fmt::Debug>(
    structures: &[(String, AnyPartition)],
    question: &dyn std::fmt::Debug,
    ask: impl Fn(&AnyPartition) -> T,
) -> T {
    let truth = ask(&structures[0].1);
    for (name, index) in &structures[1..] {
        assert_eq!(ask(index), truth, "{name}, asked for {question:?}");
    }
    truth
}

fn sorted(ask: impl FnOnce(&mut dyn FnMut(UnitId))) -> Vec<UnitId> {
    let mut found = Vec::new();
    ask(&mut |unit| found.push(unit));
    found.sort_unstable();
    found
}

/// Rectangles, lines, discs and nearest that touch one unit from each side, or miss it by the least that there is.
fn try_around(bodies: Bodies<'_>, structures: &[(String, AnyPartition)], unit: UnitId) {
    let body = bodies.aabb(unit);
    let away = 1.3;
    for side in 0..4 {
        // From a border of the body to a point beside it, and along the border.
        let (border, out, along) = match side {
            0 => (Vec2::new(body.max.x, body.center().y), Vec2::X, Vec2::Y),
            1 => (Vec2::new(body.min.x, body.center().y), -Vec2::X, Vec2::Y),
            2 => (Vec2::new(body.center().x, body.max.y), Vec2::Y, Vec2::X),
            _ => (Vec2::new(body.center().x, body.min.y), -Vec2::Y, Vec2::X),
        };
        let hair = Vec2::new(
            if out.x > 0.0 {
                border.x.next_up()
            } else {
                border.x.next_down()
            },
            if out.y > 0.0 {
                border.y.next_up()
            } else {
                border.y.next_down()
            },
        ) * out.abs()
            + border * along;
        for from in [border, hair] {
            for thickness in [0.0, away] {
                let area = Aabb::of_points([from, from + out * thickness]);
                let found = agree(structures, &area, |index| {
                    sorted(|found| index.range(bodies, area, &mut (), found))
                });
                assert_eq!(found.contains(&unit), from == border, "{area:?}");
            }
            // Along the border, and at an angle that meets the body in no more than a corner.
            for way in [along, along + out * 0.7, along - out * 0.3] {
                let corner = from + along * body.half_extent();
                for half_width in [0.0, 0.25] {
                    let line = Segment {
                        from: corner - way * 3.0,
                        to: corner + way * 3.0,
                        half_width,
                    };
                    agree(structures, &line, |index| {
                        sorted(|found| index.segment(bodies, line, &mut (), found))
                    });
                }
            }
        }
        let point = border + out * away;
        let gap = body.distance_sq(point).sqrt();
        for within in [gap.next_down(), gap, gap.next_up()] {
            let disc = (point, within);
            agree(structures, &disc, |index| {
                sorted(|found| index.radius(bodies, point, within, &mut (), found))
            });
            for count in [1, 4] {
                let query = NearestQuery {
                    point,
                    count,
                    within,
                };
                agree(structures, &query, |index| {
                    let mut found = Vec::new();
                    index.nearest(bodies, query, |_| true, &mut (), &mut found);
                    found
                });
            }
        }
    }
}

/// Pairs that are exactly as far apart as is asked for.
fn try_pairs(bodies: Bodies<'_>, structures: &[(String, AnyPartition)]) {
    for unit in 0..20 {
        let (a, b) = (bodies.aabb(unit), bodies.aabb(unit * 7 + 1));
        let gap = (a.min - b.max).max(b.min - a.max).max(Vec2::ZERO).length();
        for reach in [gap.next_down(), gap, gap.next_up()] {
            agree(structures, &reach, |index| {
                let mut found = Vec::new();
                index.pairs(bodies, reach, &mut (), |batch| {
                    found.extend_from_slice(batch)
                });
                found.sort_unstable();
                found
            });
        }
    }
}

#[test]
fn points_that_become_bodies_are_found_with_their_sizes_and_the_other_way_round() {
    let (centers, half_extents) = crowd(0.0, true);
    let alive = vec![true; centers.len()];
    let points = Bodies {
        centers: &centers,
        half_extents: &[],
        alive: &alive,
    };
    let sized = Bodies {
        half_extents: &half_extents,
        ..points
    };
    let moves: Vec<Change> = (0..centers.len() as UnitId).map(Change::Move).collect();
    let few = &moves[..1];
    for (before, after, moves) in [
        (points, sized, moves.as_slice()),
        (sized, points, &moves),
        (points, sized, few),
        (sized, points, few),
    ] {
        let mut structures = structures(before);
        for (name, index) in &mut structures {
            index.apply(after, moves, &mut ());
            let validated = index.validate(after);
            assert_eq!(validated, Ok(()), "{name}");
        }
        for unit in (0..centers.len() as UnitId).step_by(13) {
            try_around(after, &structures, unit);
        }
        try_pairs(after, &structures);
    }
}

fn try_where(shift: f32) {
    for sized in [false, true] {
        let (centers, half_extents) = crowd(shift, sized);
        let alive = vec![true; centers.len()];
        let bodies = Bodies {
            centers: &centers,
            half_extents: if sized { &half_extents } else { &[] },
            alive: &alive,
        };
        let structures = structures(bodies);
        for unit in 0..centers.len() as UnitId {
            try_around(bodies, &structures, unit);
        }
        try_pairs(bodies, &structures);
    }
}

#[test]
fn who_is_touched_is_found_around_the_origin() {
    try_where(0.0);
}

#[test]
fn who_is_touched_is_found_away_from_the_origin() {
    for shift in [40.0, -1_000.0, 30_000.0] {
        try_where(shift);
    }
}
