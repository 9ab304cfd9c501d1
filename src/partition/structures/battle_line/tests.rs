//! What the line promises beyond right answers: what its sorts cost, and that none of them runs away.

use super::*;
use crate::chance::Stream;
use crate::geometry::Vec2;
use crate::partition::{MarkRole, Shape};
use crate::probe::Counter;

/// The index of the knob `sort`.
const SORT: usize = 1;

const FIELD: Aabb = Aabb::new(Vec2::ZERO, Vec2::splat(1000.0));

fn spread(count: usize) -> Vec<Vec2> {
    let mut stream = Stream::new(7);
    (0..count)
        .map(|_| Vec2::new(stream.between(0.0, 1000.0), stream.between(0.0, 1000.0)))
        .collect()
}

fn line(sort: &str, centers: &[Vec2]) -> (BattleLine, Counter) {
    let mut line = BattleLine::new(FIELD);
    line.set_knob(SORT, KNOBS[SORT].parse(sort).expect("a way to sort"));
    let mut counter = Counter::default();
    line.rebuild(Bodies::points(centers), &mut counter);
    assert_eq!(line.validate(Bodies::points(centers)), Ok(()));
    (line, counter)
}

/// Moves everybody a little and gives the work that it took.
fn step(line: &mut BattleLine, centers: &mut [Vec2], by: f32) -> Counter {
    let mut stream = Stream::new(8);
    for center in centers.iter_mut() {
        center.x += stream.between(-by, by);
    }
    let changes: Vec<_> = (0..centers.len() as UnitId).map(Change::Move).collect();
    let mut counter = Counter::default();
    line.apply(Bodies::points(centers), &changes, &mut counter);
    assert_eq!(line.validate(Bodies::points(centers)), Ok(()));
    counter
}

#[test]
fn a_pigeonhole_sort_is_linear_in_the_units() {
    let work = |count: usize| {
        let counter = line("pigeonhole", &spread(count)).1;
        (counter.of(Work::Compare) + counter.of(Work::Swap)) as f64 / count as f64
    };
    for count in [1_000, 10_000, 100_000, 1_000_000] {
        let work = work(count);
        assert!(work < 1.2, "{work} comparisons and swaps a unit of {count}");
    }
}

#[test]
fn a_comparison_sort_is_not() {
    let work = |count: usize| {
        let counter = line("comparison", &spread(count)).1;
        counter.of(Work::Compare) as f64 / count as f64
    };
    assert!(work(100_000) > work(1_000) * 1.5);
}

#[test]
fn insertion_is_cheap_while_hardly_anybody_changes_places() {
    let mut centers = spread(2_000);
    let (mut line, _) = line("insertion", &centers);
    let small = step(&mut line, &mut centers, 0.25);
    assert!(small.of(Work::Swap) < 2_000, "{}", small.of(Work::Swap));
    assert!(small.of(Work::Compare) < 2 * 2_000);
    let large = step(&mut line, &mut centers, 500.0);
    assert!(large.of(Work::Swap) > 10 * small.of(Work::Swap));
    assert!(
        large.of(Work::Swap) < (SWAPS_LIMIT * 2_000) as u64,
        "it gives up in the end"
    );
}

/// Swaps a unit after which insertion has surely given up: one unit may still go all the way down.
const SWAPS_LIMIT: usize = sort::SWAPS_PER_UNIT + 2;

#[test]
fn a_search_halves_the_line() {
    let centers = spread(100_000);
    let (line, _) = line("pigeonhole", &centers);
    let mut counter = Counter::default();
    let spot = Aabb::new(Vec2::splat(500.0), Vec2::splat(500.0));
    line.range(Bodies::points(&centers), spot, &mut counter, |_| {});
    assert!(counter.of(Work::Compare) <= 17);
    assert!(counter.tests <= 2);
}

#[test]
fn the_line_runs_where_the_units_are_spread() {
    let along_y: Vec<_> = (0..100)
        .map(|unit| Vec2::new((unit % 3) as f32, unit as f32))
        .collect();
    let (mut line, _) = line("pigeonhole", &along_y);
    assert_eq!(line.axis, 1);
    let keys: Vec<_> = line.entries.iter().map(|entry| entry.key).collect();
    assert_eq!(keys, (0..100).map(|unit| unit as f32).collect::<Vec<_>>());
    // The army wheels about, and the line with it.
    let along_x: Vec<_> = along_y.iter().map(|center| turned(1, *center)).collect();
    let changes: Vec<_> = (0..100).map(Change::Move).collect();
    line.apply(Bodies::points(&along_x), &changes, &mut ());
    assert_eq!(line.axis, 0);
    assert_eq!(line.validate(Bodies::points(&along_x)), Ok(()));
}

#[test]
fn the_picture_narrows_to_the_cursor_as_the_search_does() {
    let centers: Vec<_> = (0..15)
        .map(|unit| Vec2::new(unit as f32 * 10.0, 5.0))
        .collect();
    let (line, _) = line("pigeonhole", &centers);
    let mut probes = Vec::new();
    let query = MarkQuery {
        area: FIELD,
        min_size: 0.0,
        cursor: Some(Vec2::new(101.0, 5.0)),
        reach: 0.0,
    };
    line.marks(Bodies::points(&centers), query, &mut |mark| {
        if let (MarkRole::Scanned, Shape::Line(from, _)) = (mark.role, mark.shape) {
            probes.push((from.x, mark.label.into_owned()));
        }
    });
    let expected = [(70.0, 1), (110.0, 2), (90.0, 3), (100.0, 4)];
    assert_eq!(
        probes,
        expected.map(|(x, step)| (x, format!("search {step}")))
    );
}

#[test]
fn a_million_units_on_one_spot_or_one_line_are_sorted() {
    for sort in ["comparison", "insertion", "pigeonhole"] {
        for way in [
            Vec2::ZERO,
            Vec2::new(0.01, 0.0),
            Vec2::new(0.0, 0.01),
            Vec2::new(3.0, 3.0),
        ] {
            let mut centers: Vec<_> = (0..1_000_000).map(|unit| way * unit as f32).collect();
            centers[1] = Vec2::splat(1.0e7);
            line(sort, &centers);
        }
    }
}

#[test]
fn every_unit_in_view_has_a_tick_or_none_has() {
    let ticks = |count: usize| {
        let centers: Vec<_> = (0..count)
            .map(|x| Vec2::new(x as f32 * 0.25, 1.0))
            .collect();
        let mut ticks = 0;
        let query = MarkQuery {
            area: FIELD,
            min_size: 0.0,
            cursor: None,
            reach: 0.0,
        };
        line("comparison", &centers)
            .0
            .marks(Bodies::points(&centers), query, &mut |mark| {
                if let Shape::Line(from, to) = mark.shape {
                    ticks += usize::from(from.x == to.x);
                }
            });
        ticks
    };
    assert_eq!(ticks(picture::TICK_LIMIT), picture::TICK_LIMIT);
    assert_eq!(ticks(picture::TICK_LIMIT + 1), 0);
}

#[test]
fn the_line_turns_only_for_a_crowd_that_is_a_quarter_wider_the_other_way() {
    for (ratio, axis) in [(0.5, 0), (1.2, 0), (1.3, 1), (4.0, 1)] {
        let centers: Vec<_> = (0..400)
            .map(|unit| Vec2::new((unit % 20) as f32, (unit / 20) as f32 * ratio))
            .collect();
        let (line, _) = line("pigeonhole", &centers);
        assert_eq!(line.axis, axis, "{ratio} times as high as wide");
    }
}

fn world<'a>(centers: &'a [Vec2], half_extents: &'a [Vec2], alive: &'a [bool]) -> Bodies<'a> {
    Bodies {
        centers,
        half_extents,
        alive,
    }
}

#[test]
fn single_edits_pass_those_between_and_sort_nothing() {
    for is_sized in [false, true] {
        let mut stream = Stream::new(9);
        let mut centers = spread(1_000);
        // Crowds on one coordinate, and a zero with a sign.
        for unit in 0..100 {
            centers[unit].x = [7.0, 0.0, -0.0][unit % 3];
        }
        let half_extents = vec![Vec2::ONE; if is_sized { 1_000 } else { 0 }];
        let mut alive = vec![true; 1_000];
        let mut line = BattleLine::new(FIELD);
        let mut counter = Counter::default();
        line.rebuild(world(&centers, &half_extents, &alive), &mut ());
        for turn in 0..2_000 {
            let unit = stream.below(1_000);
            let place = unit as usize;
            let change = if !alive[place] {
                alive[place] = true;
                Change::Add(unit as UnitId)
            } else if turn % 5 == 0 {
                alive[place] = false;
                Change::Remove(unit as UnitId)
            } else {
                centers[place].x = match turn % 3 {
                    0 => 7.0,
                    1 => centers[place].x + stream.between(-3.0, 3.0),
                    _ => stream.between(0.0, 900.0),
                };
                Change::Move(unit as UnitId)
            };
            let bodies = world(&centers, &half_extents, &alive);
            line.apply(bodies, &[change], &mut counter);
            assert_eq!(line.validate(bodies), Ok(()), "after {change:?}");
        }
        assert_eq!(counter.of(Work::Rebuild), 0, "sized: {is_sized}");
        assert_eq!(counter.of(Work::Compare), 0, "nothing was sorted");
        assert!(counter.of(Work::Swap) > 0 && counter.of(Work::MoveInPlace) > 0);
    }
}

#[test]
fn a_few_who_go_far_turn_the_line() {
    let mut centers: Vec<_> = (0..400)
        .map(|unit| Vec2::new(unit as f32, (unit % 3) as f32))
        .collect();
    let (mut line, _) = line("pigeonhole", &centers);
    assert_eq!(line.axis, 0);
    for unit in 0..6 {
        centers[unit].y = 2.0e3 * (unit as f32 - 2.5);
        let change = Change::Move(unit as UnitId);
        line.apply(Bodies::points(&centers), &[change], &mut ());
        assert_eq!(line.validate(Bodies::points(&centers)), Ok(()));
    }
    assert_eq!(line.axis, 1);
}

#[test]
fn edits_of_a_crowd_abreast_take_no_longer_than_sorting() {
    let mut centers = vec![Vec2::ZERO; 200_000];
    let (mut line, _) = line("pigeonhole", &centers);
    let moves: Vec<_> = (0..3_000).map(|unit| Change::Move(unit * 60)).collect();
    for change in &moves {
        if let Change::Move(unit) = change {
            centers[*unit as usize].x = 1.0;
        }
    }
    let mut counter = Counter::default();
    line.apply(Bodies::points(&centers), &moves, &mut counter);
    assert_eq!(line.validate(Bodies::points(&centers)), Ok(()));
    assert_eq!(counter.of(Work::Rebuild), 1, "patience has an end");
}

#[test]
fn who_has_gone_no_longer_says_along_which_axis_the_line_runs() {
    // Most stand along y, and then nobody does.
    let centers: Vec<_> = (0..400)
        .map(|unit| match unit % 4 {
            0 => Vec2::new(unit as f32, 0.0),
            _ => Vec2::new(200.0, 3.0 * unit as f32),
        })
        .collect();
    let (mut line, _) = line("pigeonhole", &centers);
    assert_eq!(line.axis, 1);
    let mut alive = vec![true; centers.len()];
    for unit in (0..centers.len()).filter(|unit| unit % 4 != 0) {
        alive[unit] = false;
        let bodies = Bodies {
            alive: &alive,
            ..Bodies::points(&centers)
        };
        line.apply(bodies, &[Change::Remove(unit as UnitId)], &mut ());
        assert_eq!(line.validate(bodies), Ok(()));
    }
    assert_eq!(line.axis, 0);
}
