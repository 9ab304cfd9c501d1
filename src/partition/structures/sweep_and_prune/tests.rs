//! What sweep and prune promises beyond right answers: few swaps, a set that follows them, and no step that runs away.

use super::*;
use crate::chance::Stream;
use crate::geometry::Vec2;
use crate::partition::{MarkRole, Role, Shape};
use crate::probe::Counter;

/// The index of the knob `axes`.
const AXES: usize = 0;

/// That of the knob `strip_height`.
const STRIP_HEIGHT: usize = 1;

const FIELD: Aabb = Aabb::new(Vec2::ZERO, Vec2::splat(140.0));

/// Two units on each square metre or so.
fn spread(count: usize) -> Vec<Vec2> {
    let mut stream = Stream::new(7);
    (0..count)
        .map(|_| Vec2::new(stream.between(0.0, 140.0), stream.between(0.0, 140.0)))
        .collect()
}

fn index(axes: &str, bodies: Bodies<'_>) -> SweepAndPrune {
    let mut index = SweepAndPrune::new(FIELD);
    index.set_knob(AXES, KNOBS[AXES].parse(axes).expect("axes"));
    index.rebuild(bodies, &mut ());
    assert_eq!(index.validate(bodies), Ok(()));
    index
}

fn lists(index: &SweepAndPrune) -> &Lists {
    match &index.order {
        Order::Lists(lists) => lists,
        Order::Strips(_) => panic!("both axes were asked for"),
    }
}

fn pairs(index: &SweepAndPrune, bodies: Bodies<'_>, reach: f32) -> (Counter, Vec<Pair>) {
    let (mut counter, mut found) = (Counter::default(), Vec::new());
    index.pairs(bodies, reach, &mut counter, |batch| {
        found.extend_from_slice(batch);
    });
    found.sort_unstable();
    (counter, found)
}

/// Moves everybody a little and gives the work that it took.
fn step(index: &mut SweepAndPrune, centers: &mut [Vec2], by: f32) -> Counter {
    let mut stream = Stream::new(8);
    for center in centers.iter_mut() {
        *center += Vec2::new(stream.between(-by, by), stream.between(-by, by));
    }
    let changes: Vec<_> = (0..centers.len() as UnitId).map(Change::Move).collect();
    let mut counter = Counter::default();
    index.apply(Bodies::points(centers), &changes, &mut counter);
    assert_eq!(index.validate(Bodies::points(centers)), Ok(()));
    counter
}

#[test]
fn a_small_step_swaps_little_and_a_large_one_more() {
    for axes in ["x", "y"] {
        let mut centers = spread(20_000);
        let mut index = index(axes, Bodies::points(&centers));
        let small = step(&mut index, &mut centers, 0.05);
        assert!(small.of(Work::Swap) < 20_000, "{}", small.of(Work::Swap));
        let large = step(&mut index, &mut centers, 0.5);
        assert!(large.of(Work::Swap) > 4 * small.of(Work::Swap));
        assert_eq!(small.of(Work::Rebuild) + large.of(Work::Rebuild), 0);
    }
}

#[test]
fn the_set_follows_the_swaps() {
    let mut centers = spread(3_000);
    let mut index = index("both", Bodies::points(&centers));
    for _ in 0..5 {
        let work = step(&mut index, &mut centers, 0.1);
        assert!(work.of(Work::Swap) > 0);
        assert!(lists(&index).keeps_overlaps);
        let bodies = Bodies::points(&centers);
        let kept = lists(&index).overlaps.pairs().len() as u64;
        let (counter, found) = pairs(&index, bodies, 2.0);
        // Nothing is searched for: each pair of the set is looked at once.
        assert_eq!(counter.tests, kept);
        assert!(counter.hits * 3 > kept * 2);
        let (longer, more) = pairs(&index, bodies, 2.1);
        assert!(longer.tests > counter.tests);
        assert!(more.len() > found.len());
    }
}

#[test]
fn one_unit_that_moves_swaps_with_those_on_its_way_alone() {
    let mut centers = spread(3_000);
    let mut index = index("both", Bodies::points(&centers));
    centers[77].x += 1.0;
    let mut counter = Counter::default();
    index.apply(Bodies::points(&centers), &[Change::Move(77)], &mut counter);
    // Twenty-one units stand in a metre's width, each with two endpoints, and two of its own pass them.
    assert!(counter.of(Work::Swap) < 200, "{}", counter.of(Work::Swap));
    assert_eq!(index.validate(Bodies::points(&centers)), Ok(()));
}

#[test]
fn a_crowd_that_overlaps_all_over_is_not_kept_but_found() {
    let centers = vec![Vec2::splat(50.0); 200];
    let bodies = Bodies::points(&centers);
    let mut index = index("both", bodies);
    assert!(!lists(&index).keeps_overlaps);
    assert_eq!(pairs(&index, bodies, 0.0).1.len(), 200 * 199 / 2);
    // When they have spread out and all is built anew, the set is back.
    let centers = spread(200);
    index.rebuild(Bodies::points(&centers), &mut ());
    assert!(lists(&index).keeps_overlaps);
}

#[test]
fn strips_save_what_a_single_list_tests() {
    let centers = spread(20_000);
    let bodies = Bodies::points(&centers);
    let strips = index("x", bodies);
    let mut single = SweepAndPrune::new(FIELD);
    single.set_knob(STRIP_HEIGHT, 100_000.0);
    single.rebuild(bodies, &mut ());
    let (few, found) = pairs(&strips, bodies, 1.0);
    let (many, same) = pairs(&single, bodies, 1.0);
    assert_eq!(found, same);
    assert!(few.tests * 10 < many.tests, "{} {}", few.tests, many.tests);
    // A strip and the one above it, as far as a reach to both sides.
    assert!(few.tests < 20_000 * 12, "{}", few.tests);
}

#[test]
fn a_giant_is_kept_apart() {
    let centers = spread(5_000);
    let mut half_extents = vec![Vec2::splat(0.2); centers.len()];
    half_extents[7] = Vec2::splat(70.0);
    let bodies = Bodies {
        centers: &centers,
        half_extents: &half_extents,
        alive: &[],
    };
    let index = index("x", bodies);
    let mut counter = Counter::default();
    index.radius(bodies, centers[100], 1.0, &mut counter, |_| {});
    assert!(counter.tests < 100, "{}", counter.tests);
    // It is in a list over all strips, which is no strip of the picture.
    let everything = RegionQuery {
        area: Aabb::EVERYTHING,
        min_size: 0.0,
    };
    let mut lists = Vec::new();
    index.regions(everything, &mut |region| {
        if !region.role.shows_load() {
            lists.push((region.role, region.load));
        }
    });
    assert_eq!(lists, [(Role::Oversize, 1)]);
}

#[test]
fn the_cursor_shows_who_is_abreast_of_it() {
    let centers: Vec<_> = (0..10)
        .map(|unit| Vec2::new(unit as f32 * 2.0, 1.0))
        .collect();
    let half_extents = vec![Vec2::new(2.5, 0.5); 10];
    let bodies = Bodies {
        centers: &centers,
        half_extents: &half_extents,
        alive: &[],
    };
    let mut index = index("x", bodies);
    index.set_knob(STRIP_HEIGHT, 1000.0);
    index.rebuild(bodies, &mut ());
    let shown = |reach: f32| {
        let (mut abreast, mut span, mut said) = (Vec::new(), None, String::new());
        let query = MarkQuery {
            area: FIELD,
            min_size: 0.0,
            cursor: Some(Vec2::new(9.0, 1.0)),
            reach,
        };
        index.marks(bodies, query, &mut |mark| match (mark.role, mark.shape) {
            (MarkRole::Scanned, Shape::Line(from, to)) => abreast.push((from.x, to.x)),
            (MarkRole::Scanned, Shape::Rect(area)) => span = Some((area.min.x, area.max.x)),
            (MarkRole::Home, _) => said = mark.label.into_owned(),
            _ => {}
        });
        (abreast, span, said)
    };
    let (abreast, span, said) = shown(0.0);
    assert_eq!(abreast, [(5.5, 10.5), (7.5, 12.5)]);
    assert_eq!(span, Some((9.0, 9.0)));
    assert_eq!(said, "6 of 10 begun, 2 abreast");
    let (abreast, span, said) = shown(1.0);
    assert_eq!(abreast, [(3.5, 8.5), (5.5, 10.5), (7.5, 12.5), (9.5, 14.5)]);
    assert_eq!(span, Some((8.0, 10.0)));
    assert_eq!(said, "6 of 10 begun, 4 abreast");
}

/// The lines of the picture without a cursor.
fn lines(index: &SweepAndPrune, bodies: Bodies<'_>, area: Aabb, min_size: f32) -> Vec<[Vec2; 2]> {
    let mut lines = Vec::new();
    let query = MarkQuery {
        area,
        min_size,
        cursor: None,
        reach: 1.0,
    };
    index.marks(bodies, query, &mut |mark| match mark.shape {
        Shape::Line(from, to) if mark.role == MarkRole::Guide => lines.push([from, to]),
        _ => panic!("{mark:?}"),
    });
    lines
}

#[test]
fn each_body_has_its_ticks_and_its_interval_in_its_strip() {
    let centers = [
        Vec2::new(20.0, 5.0),
        Vec2::new(21.0, 5.0),
        Vec2::new(90.0, 15.0),
    ];
    let half_extents = [Vec2::new(2.0, 3.0); 3];
    for axis in ["x", "y"] {
        let turn = |at: Vec2| turned(usize::from(axis == "y"), at);
        let (centers, half_extents) = (centers.map(turn), half_extents.map(turn));
        let bodies = Bodies {
            centers: &centers,
            half_extents: &half_extents,
            alive: &[],
        };
        let mut index = index(axis, bodies);
        index.set_knob(STRIP_HEIGHT, 10.0);
        index.rebuild(bodies, &mut ());
        // Upwards where a body begins, downwards where it ends, and from the one to the other.
        let (mut ticks, mut intervals) = (Vec::new(), Vec::new());
        for [from, to] in lines(&index, bodies, FIELD, 1.0) {
            let ([from, to], strip) = ([turn(from), turn(to)], (turn(from).y / 10.0) as u32);
            if from.x == to.x {
                ticks.push((strip, from.x, to.y > from.y));
            } else {
                intervals.push((strip, from.x, to.x));
            }
        }
        let expected = [
            (0, 18.0, true),
            (0, 22.0, false),
            (0, 19.0, true),
            (0, 23.0, false),
            (1, 88.0, true),
            (1, 92.0, false),
        ];
        assert_eq!(ticks, expected, "{axis}");
        let expected = [(0, 18.0, 22.0), (0, 19.0, 23.0), (1, 88.0, 92.0)];
        assert_eq!(intervals, expected, "{axis}");
        // Of what is out of view there is nothing, nor of what is too small to be seen.
        let upper = Aabb::new(Vec2::splat(11.0), Vec2::splat(140.0));
        assert_eq!(lines(&index, bodies, upper, 1.0).len(), 3);
        assert_eq!(lines(&index, bodies, FIELD, 3.0).len(), 0);
    }
}

#[test]
fn a_point_has_one_tick_and_a_crowd_too_large_for_them_has_none() {
    let centers = spread(3_000);
    let bodies = Bodies::points(&centers);
    let mut index = index("x", bodies);
    index.set_knob(STRIP_HEIGHT, 20.0);
    index.rebuild(bodies, &mut ());
    assert_eq!(lines(&index, bodies, FIELD, 1.0).len(), 0);
    let corner = Aabb::new(Vec2::ZERO, Vec2::splat(70.0));
    // The fourth strip ends at 80 m.
    let is_there = |at: &&Vec2| at.x <= 70.0 && at.y < 80.0;
    let expected = centers.iter().filter(is_there).count();
    let ticks = lines(&index, bodies, corner, 1.0);
    assert_eq!(ticks.len(), expected);
    assert!(ticks.iter().all(|[from, to]| from.x == to.x));
}

#[test]
fn a_million_units_on_one_spot_or_one_line_are_sorted() {
    for axes in ["x", "y", "both"] {
        for way in [Vec2::ZERO, Vec2::new(0.0, 0.01)] {
            let mut centers: Vec<_> = (0..1_000_000).map(|unit| way * unit as f32).collect();
            centers[1] = Vec2::splat(1.0e7);
            let bodies = Bodies::points(&centers);
            let mut index = SweepAndPrune::new(FIELD);
            index.set_knob(AXES, KNOBS[AXES].parse(axes).expect("axes"));
            index.rebuild(bodies, &mut ());
            let mut found = 0;
            let area = Aabb::around(centers[1], Vec2::splat(0.1));
            index.range(bodies, area, &mut (), |_| found += 1);
            assert_eq!(found, 1);
        }
    }
}

#[test]
fn the_picture_has_a_stroke_for_each_endpoint_and_each_pair_that_overlaps() {
    let centers = [20.0, 21.0, 90.0].map(Vec2::splat);
    let half_extents = [Vec2::new(2.0, 3.0); 3];
    let bodies = Bodies {
        centers: &centers,
        half_extents: &half_extents,
        alive: &[],
    };
    let mut index = index("both", bodies);
    index.set_knob(KEPT_REACH, 0.0);
    index.rebuild(bodies, &mut ());
    let strokes = |area: Aabb| {
        let (mut along, mut overlaps) = ([Vec::new(), Vec::new()], 0);
        let query = MarkQuery {
            area,
            min_size: 0.0,
            cursor: None,
            reach: 0.0,
        };
        index.marks(bodies, query, &mut |mark| {
            let Shape::Line(from, to) = mark.shape else {
                panic!("{mark:?}");
            };
            match mark.role {
                // Upwards where a body begins, downwards where it ends.
                MarkRole::Guide if from.x == to.x => along[0].push((from.x, to.y > from.y)),
                MarkRole::Guide => along[1].push((from.y, to.x > from.x)),
                _ => overlaps += 1,
            }
        });
        (along, overlaps)
    };
    let ends = |half: f32| {
        let [a, b, c] = [20.0, 21.0, 90.0];
        let begins = [a, b, c].map(|center| (center - half, true));
        let ends = [a, b, c].map(|center| (center + half, false));
        [begins[0], begins[1], ends[0], ends[1], begins[2], ends[2]].to_vec()
    };
    let (along_x, along_y) = (ends(2.0), ends(3.0));
    let expected = ([along_x.clone(), along_y.clone()], 1);
    assert_eq!(strokes(FIELD), expected);
    let expected = ([along_x[4..].to_vec(), along_y[4..].to_vec()], 0);
    let corner = Aabb::new(Vec2::splat(60.0), Vec2::splat(140.0));
    assert_eq!(strokes(corner), expected);
}

#[test]
fn strips_higher_than_was_asked_for_say_so_beyond_a_thousandth() {
    // So many strips at most: each is a metre high.
    let field = Aabb::new(Vec2::ZERO, Vec2::splat(4096.0));
    let centers = [Vec2::ONE];
    for (asked, is_said) in [(1.0, false), (1.0 / 1.001, false), (0.99, true)] {
        let mut index = SweepAndPrune::new(field);
        index.set_knob(STRIP_HEIGHT, asked);
        index.rebuild(Bodies::points(&centers), &mut ());
        let mut facts = Vec::new();
        index.quality(&mut |fact| facts.push((fact.name, fact.value)));
        assert!(
            facts.contains(&("strip height", "1.00".to_owned())),
            "{facts:?}"
        );
        let said = facts.iter().any(|fact| fact.0 == "strip height asked for");
        assert_eq!(said, is_said, "{facts:?}");
    }
}

#[test]
fn each_part_of_the_lists_says_what_it_takes() {
    let centers = spread(400);
    let index = index("both", Bodies::points(&centers));
    let mut parts = std::collections::BTreeMap::new();
    index.memory(&mut |part, bytes| {
        parts.insert(part, bytes);
    });
    // Two ends of each body on two axes; a box a body; a mark a body; a pair of those within reach and its place in the table.
    let overlaps = lists(&index).overlaps.pairs().len();
    assert!(overlaps > 10);
    for (part, least) in [
        ("endpoints", 400 * 2 * 2 * 8),
        ("bodies", 400 * 16),
        ("marks of presence", 400),
        ("overlapping pairs", overlaps * (8 + 4)),
    ] {
        let bytes = parts.get(part).copied().unwrap_or_default();
        assert!(
            (least..=8 * least).contains(&bytes),
            "{part}: {bytes} for {least}"
        );
    }
}

#[test]
fn a_border_between_strips_belongs_to_the_strip_above_it() {
    let centers = spread(2_000);
    let bodies = Bodies::points(&centers);
    let index = index("x", bodies);
    let Order::Strips(strips) = &index.order else {
        panic!("one axis was asked for");
    };
    // How many bodies the strip has whose sweep is explained at a height.
    let length_at = |y: f32| {
        let mut labels = Vec::new();
        let query = MarkQuery {
            area: Aabb::EVERYTHING,
            min_size: 0.0,
            cursor: Some(Vec2::new(70.0, y)),
            reach: 0.0,
        };
        index.marks(bodies, query, &mut |mark| {
            if mark.role == MarkRole::Home && mark.label.contains("begun") {
                labels.push(mark.label.into_owned());
            }
        });
        assert_eq!(labels.len(), 1, "at {y}");
        labels.remove(0)
    };
    let mut told_apart = 0;
    for number in 0..5 {
        let border = strips.borders(number).1;
        assert_eq!(length_at(border), length_at(border.next_up()));
        told_apart += u32::from(length_at(border) != length_at(border.next_down()));
    }
    assert!(told_apart > 3, "{told_apart} of 5");
}
