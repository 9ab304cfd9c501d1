//! Crowds that bring structures down: everybody on one spot, everybody on one line, everybody far away from the field.
//! No structure hangs, recurses without bound or loses anybody, and each is built in seconds.
//!
//! `SKIRMISH_HARD_CASES=1`, or a release build, takes a million units; else it is fewer, so that the suite stays quick. How
//! long each structure took is printed: `cargo test --release --test hard_cases -- --nocapture`.

#[path = "common/probes.rs"]
mod probes;

use probes::counting;
use skirmish::geometry::{Aabb, Segment, Vec2};
use skirmish::partition::{
    AnyPartition, Bodies, Change, Kind, NearestQuery, Part, RegionQuery, UnitId,
};
use std::time::Instant;

const FIELD: Aabb = Aabb::new(Vec2::ZERO, Vec2::splat(1_000.0));

fn unit_count() -> u32 {
    let asked = std::env::var("SKIRMISH_HARD_CASES").is_ok_and(|value| value != "0");
    if asked || !cfg!(debug_assertions) {
        1_000_000
    } else {
        50_000
    }
}

/// A crowd, and where it is.
struct Case {
    name: &'static str,
    centers: Vec<Vec2>,
    /// Units that are that many metres apart or less are few.
    reach: Option<f32>,
}

fn on_a_spot(at: Vec2, count: u32) -> Vec<Vec2> {
    vec![at; count as usize]
}

fn on_a_line(from: Vec2, step: Vec2, count: u32) -> Vec<Vec2> {
    (0..count).map(|unit| from + step * unit as f32).collect()
}

/// Asks, edits and asks again. Every answer is known: the crowd is regular.
fn stand(kind: Kind, case: &Case) {
    let key = kind.info().key;
    let name = case.name;
    let mut centers = case.centers.clone();
    let count = centers.len() as u32;
    let mut index = AnyPartition::new(kind, FIELD);
    let start = Instant::now();
    index.rebuild(Bodies::points(&centers), &mut ());
    let build = start.elapsed();
    index.validate(Bodies::points(&centers)).unwrap();
    let asked = Instant::now();
    assert_nobody_is_lost(&index, Bodies::points(&centers), name);
    assert_found(&index, Bodies::points(&centers), name);
    let asked = asked.elapsed();

    // Some leave the crowd, one by one and together, go home again, are taken out and put back.
    let edits = Instant::now();
    let moved: Vec<UnitId> = (0..count).step_by(count as usize / 50).collect();
    let (alone, together) = moved.split_at(5);
    let place = |unit: UnitId| Vec2::new(unit as f32 % 997.0, 500.0);
    for &unit in alone {
        centers[unit as usize] = place(unit);
        index.apply(Bodies::points(&centers), &[Change::Move(unit)], &mut ());
    }
    for &unit in together {
        centers[unit as usize] = place(unit);
    }
    let moves: Vec<Change> = together.iter().copied().map(Change::Move).collect();
    index.apply(Bodies::points(&centers), &moves, &mut ());
    index.validate(Bodies::points(&centers)).unwrap();
    assert_nobody_is_lost(&index, Bodies::points(&centers), name);
    let mut back = Vec::new();
    for &unit in &moved {
        centers[unit as usize] = case.centers[unit as usize];
        back.extend([Change::Move(unit), Change::Remove(unit), Change::Add(unit)]);
    }
    index.apply(Bodies::points(&centers), &back, &mut ());
    // Everybody takes a step at once.
    for center in &mut centers {
        *center += Vec2::new(2.0, 0.5);
    }
    let everybody: Vec<Change> = (0..count).map(Change::Move).collect();
    index.apply(Bodies::points(&centers), &everybody, &mut ());
    index.validate(Bodies::points(&centers)).unwrap();
    assert_nobody_is_lost(&index, Bodies::points(&centers), name);
    let edits = edits.elapsed();

    let pairs = Instant::now();
    if let Some(reach) = case.reach {
        assert_pairs(kind, &index, Bodies::points(&centers), reach, name);
    }
    println!(
        "{key:16} {name:24} built in {:8.1} ms, asked in {:8.1} ms, edited in {:8.1} ms, paired in {:8.1} ms, {} bytes a unit",
        build.as_secs_f64() * 1e3,
        asked.as_secs_f64() * 1e3,
        edits.as_secs_f64() * 1e3,
        pairs.elapsed().as_secs_f64() * 1e3,
        index.byte_count() / count as usize,
    );

    // Everybody leaves.
    let nobody = vec![false; centers.len()];
    let gone = Bodies {
        alive: &nobody,
        ..Bodies::points(&centers)
    };
    let removals: Vec<Change> = (0..count).map(Change::Remove).collect();
    index.apply(gone, &removals, &mut ());
    index.validate(gone).unwrap();
    let mut left = 0;
    index.range(gone, Aabb::EVERYTHING, &mut (), |_| left += 1);
    assert_eq!(left, 0, "{key}, {name}");
}

/// A rectangle around everything gives every unit once.
fn assert_nobody_is_lost(index: &AnyPartition, bodies: Bodies<'_>, name: &str) {
    let mut seen = vec![false; bodies.slot_count()];
    let bounds = Aabb::of_points(bodies.centers.iter().copied());
    index.range(bodies, bounds, &mut (), |unit| {
        let before = std::mem::replace(&mut seen[unit as usize], true);
        assert!(!before, "{}, {name}: {unit} twice", index.info().key);
    });
    let lost = seen.iter().position(|seen| !seen);
    assert_eq!(lost, None, "{}, {name}", index.info().key);
}

/// Single units are found where they are, by every kind of query.
fn assert_found(index: &AnyPartition, bodies: Bodies<'_>, name: &str) {
    let key = index.info().key;
    let mut counting = counting();
    for unit in (0..bodies.slot_count() as u32).step_by(bodies.slot_count() / 5) {
        let center = bodies.center(unit);
        let mut found = false;
        index.radius(bodies, center, 0.0, &mut counting, |other| {
            found |= other == unit
        });
        assert!(found, "{key}, {name}: {unit} in a disc");
        let segment = Segment {
            from: center - Vec2::new(50.0, 30.0),
            to: center + Vec2::new(50.0, 30.0),
            half_width: 1.0,
        };
        found = false;
        index.segment(bodies, segment, &mut counting, |other| {
            found |= other == unit
        });
        assert!(found, "{key}, {name}: {unit} on a segment");
        let mut nearest = Vec::new();
        let query = NearestQuery {
            point: center,
            count: 1,
            within: f32::INFINITY,
        };
        index.nearest(bodies, query, |_| true, &mut counting, &mut nearest);
        let first = bodies.centers.iter().position(|other| *other == center);
        assert_eq!(
            nearest.first().map(|neighbor| neighbor.unit as usize),
            first,
            "{key}, {name}: nearest to {unit}"
        );
    }
    let mut regions = 0_u64;
    let all = RegionQuery {
        area: Aabb::EVERYTHING,
        min_size: 0.0,
    };
    index.regions(all, &mut |_| regions += 1);
    index.quality(&mut |_| ());
    assert!(regions > 0 || index.kind() == Kind::AllPairs, "{key}");
}

/// Each unit of a line has its neighbours and nobody else.
fn assert_pairs(kind: Kind, index: &AnyPartition, bodies: Bodies<'_>, reach: f32, name: &str) {
    // The stated limit of all pairs: n²/2 tests. A thousandth of a share of them is enough to see that it goes on.
    let part = match kind {
        Kind::AllPairs => Part {
            index: 0,
            count: bodies.slot_count() as u32,
        },
        _ => Part::WHOLE,
    };
    let mut count = 0_usize;
    index.pairs_part(bodies, reach, part, &mut (), |batch| count += batch.len());
    if part == Part::WHOLE {
        assert_eq!(
            count,
            bodies.slot_count() - 1,
            "{}, {name}",
            index.info().key
        );
    }
}

fn try_on_every_structure(cases: &[Case]) {
    for case in cases {
        for &kind in Kind::ALL {
            stand(kind, case);
        }
    }
}

#[test]
fn everybody_on_one_spot() {
    let count = unit_count();
    let at = |name, x, y| Case {
        name,
        centers: on_a_spot(Vec2::new(x, y), count),
        reach: None,
    };
    try_on_every_structure(&[
        at("one spot", 333.3, 444.4),
        at("the field's corner", 1_000.0, 1_000.0),
    ]);
}

#[test]
fn everybody_on_one_line() {
    let count = unit_count();
    // A metre apart the line is a thousand times as long as the field is wide. There a strip or cell on the border may
    // hold nearly all units, and nobody has promised to find pairs in it quickly.
    let far = |name, step: Vec2| Case {
        name,
        centers: on_a_line(Vec2::new(4.0, 4.0), step, count),
        reach: None,
    };
    let near = |name, direction: Vec2| {
        let step = direction * (980.0 / count as f32);
        Case {
            reach: Some(step.length() * 1.25),
            ..far(name, step)
        }
    };
    try_on_every_structure(&[
        near("a line along x", Vec2::new(1.0, 0.0)),
        near("a line along y", Vec2::new(0.0, 1.0)),
        near("a slanting line", Vec2::new(1.0, 0.5)),
        far("a long line along x", Vec2::new(1.0, 0.0)),
        far("a long line along y", Vec2::new(0.0, 1.0)),
    ]);
}

#[test]
fn everybody_far_away_from_the_field() {
    let count = unit_count();
    let side = f64::from(count).sqrt() as u32;
    // At this distance, neighbouring numbers are one metre apart.
    let far = |unit: u32, from: Vec2| {
        from + Vec2::new((unit % side) as f32 * 2.0, (unit / side) as f32 * 2.0)
    };
    let one = Vec2::new(1.0e7, -1.0e7);
    let crowd = |name, place: &dyn Fn(u32) -> Vec2| Case {
        name,
        centers: (0..count).map(place).collect(),
        reach: None,
    };
    try_on_every_structure(&[
        crowd("a crowd 1e7 away", &|unit| far(unit, one)),
        crowd("halves 2e7 apart", &|unit| {
            far(unit, if unit % 2 == 0 { one } else { -one })
        }),
    ]);
}

#[test]
fn the_whole_plane_holds_everybody() {
    let centers = [
        Vec2::ZERO,
        Vec2::new(999.0, -5.0),
        Vec2::splat(1.0e9),
        Vec2::new(-1.0e9, 3.0),
    ];
    let bodies = Bodies::points(&centers);
    for kind in Kind::ALL {
        let mut index = AnyPartition::new(*kind, FIELD);
        index.rebuild(bodies, &mut ());
        let mut found: Vec<UnitId> = Vec::new();
        index.range(bodies, Aabb::EVERYTHING, &mut (), |unit| found.push(unit));
        found.sort_unstable();
        assert_eq!(found, [0, 1, 2, 3], "{}", kind.info().key);
    }
}
