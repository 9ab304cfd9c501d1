//! What is particular to the grid.

use super::*;
use crate::probe::{Counter, Work};
use crate::volume::trial::stands_trial;

fn built(side: f64, bodies: Bodies3<'_>) -> Grid3 {
    let mut grid = Grid3::new(Aabb3::new(Vec3::ZERO, Vec3::splat(64.0)));
    grid.set_knob(0, side);
    grid.rebuild(bodies, &mut ());
    grid.validate(bodies).unwrap();
    grid
}

#[test]
fn crowds_are_answered_for_as_all_pairs_does() {
    stands_trial::<Grid3>(&[]);
    stands_trial::<Grid3>(&[("cell_size", "0.5")]);
    stands_trial::<Grid3>(&[("cell_size", "7")]);
    stands_trial::<Grid3>(&[("cell_size", "100")]);
}

fn sized<'b>(centers: &'b [Vec3], half_extents: &'b [Vec3]) -> Bodies3<'b> {
    Bodies3 {
        half_extents,
        ..Bodies3::points(centers)
    }
}

#[test]
fn everybody_on_one_spot_shrinks_and_the_box_of_their_cell_with_them() {
    let centers = vec![Vec3::splat(5.0); 1_000];
    let mut halves = vec![Vec3::splat(2.0); 1_000];
    let mut grid = built(AUTO, sized(&centers, &halves));
    for (row, half) in halves.iter_mut().enumerate() {
        // All but one; every other one along two axes alone.
        if row != 700 {
            *half = Vec3::new(1.0, if row % 2 == 0 { 2.0 } else { 0.5 }, 1.0);
        }
    }
    let mut all: Vec<Change> = (0..1_000).map(Change::Move).collect();
    let bounds = |grid: &Grid3| {
        let cells = grid.cells.iter().filter(|cell| cell.list.load > 0);
        let joined = cells.fold(Aabb3::EMPTY, |joined, cell| joined.join(cell.bounds));
        joined.half_extent()
    };
    let mut counter = Counter::default();
    grid.apply(sized(&centers, &halves), &all, &mut counter);
    grid.validate(sized(&centers, &halves)).unwrap();
    assert_eq!(bounds(&grid), Vec3::splat(2.0));
    assert_eq!(counter.of(Work::MoveInPlace), 1_000);
    // Some grow meanwhile, or do both.
    halves[700] = Vec3::ZERO;
    halves[1..3].fill(Vec3::splat(1.5));
    grid.apply(sized(&centers, &halves), &all, &mut ());
    grid.validate(sized(&centers, &halves)).unwrap();
    // They shrink, and leave their cell in the same step.
    halves.fill(Vec3::splat(0.25));
    all.extend((0..1_000).map(Change::Remove));
    let nobody = Bodies3 {
        alive: &[false; 1_000],
        ..sized(&centers, &halves)
    };
    grid.apply(nobody, &all, &mut ());
    grid.validate(nobody).unwrap();
}

#[test]
fn a_crowd_in_one_cell_is_looked_through_once_when_all_of_it_walk_and_when_most_of_it_fall() {
    let mut centers = vec![Vec3::splat(5.0); 1_000];
    let halves = vec![Vec3::splat(2.0); 1_000];
    let mut grid = built(16.0, sized(&centers, &halves));
    let moves: Vec<Change> = (0..1_000).map(Change::Move).collect();
    for step in [Vec3::X, Vec3::new(-1.0, 2.0, 0.5)] {
        centers.iter_mut().for_each(|center| *center += step);
        let mut counter = Counter::default();
        grid.apply(sized(&centers, &halves), &moves, &mut counter);
        grid.validate(sized(&centers, &halves)).unwrap();
        assert_eq!(counter.refits, 1);
    }
    // One by one as well.
    for unit in 0..1_000 {
        centers[unit].y -= 1.0;
        let changes = [Change::Move(unit as UnitId)];
        grid.apply(sized(&centers, &halves), &changes, &mut ());
        grid.validate(sized(&centers, &halves)).unwrap();
    }
    let alive: Vec<bool> = (0..1_000).map(|row| row >= 700).collect();
    let left = Bodies3 {
        alive: &alive,
        ..sized(&centers, &halves)
    };
    let falls: Vec<Change> = (0..700).map(Change::Remove).collect();
    let mut counter = Counter::default();
    grid.apply(left, &falls, &mut counter);
    grid.validate(left).unwrap();
    assert_eq!(counter.refits, 1);
}

#[test]
fn bodies_that_outgrow_their_cells_are_given_others_where_that_is_left_to_the_grid() {
    let mut stream = crate::chance::Stream::new(8);
    let mut number = || stream.between(0.0, 64.0);
    let centers: Vec<Vec3> = (0..2_000)
        .map(|_| Vec3::new(number(), number(), number()))
        .collect();
    let all: Vec<Change> = (0..2_000).map(Change::Move).collect();
    let of = |half: f32| vec![Vec3::splat(half); 2_000];
    for (side, held_apart) in [(AUTO, 0), (1.0, 2_000)] {
        let mut grid = built(side, sized(&centers, &of(0.05)));
        for half in [0.1, 20.0] {
            let halves = of(half);
            grid.apply(sized(&centers, &halves), &all, &mut ());
            grid.validate(sized(&centers, &halves)).unwrap();
        }
        assert_eq!(grid.cells[LARGE as usize].list.load, held_apart);
        // A few giants are no reason.
        let mut halves = of(0.05);
        grid.rebuild(sized(&centers, &halves), &mut ());
        halves[..20].fill(Vec3::splat(30.0));
        grid.apply(sized(&centers, &halves), &all, &mut ());
        grid.validate(sized(&centers, &halves)).unwrap();
        assert_eq!(grid.cells[LARGE as usize].list.load, 20);
    }
}

#[test]
fn cells_on_both_sides_of_the_origin_are_not_one() {
    let centers = [Vec3::splat(0.5), Vec3::splat(-0.5)];
    let grid = built(1.0, Bodies3::points(&centers));
    let mut cells = Vec::new();
    grid.regions(RegionQuery3::ALL, &mut |region| cells.push(region.bounds));
    let unit_box = |low: f32| Aabb3::new(Vec3::splat(low), Vec3::splat(low + 1.0));
    assert_eq!(cells.len(), 2);
    assert!(cells.contains(&unit_box(0.0)) && cells.contains(&unit_box(-1.0)));
}

#[test]
fn a_unit_far_away_has_a_cell_and_costs_no_more_than_that() {
    let mut centers = vec![Vec3::splat(5.0); 3];
    let mut grid = built(1.0, Bodies3::points(&centers));
    let before = grid.byte_count();
    centers[0] = Vec3::new(-3.0e8, 7.0, 1.0e9);
    let mut counter = Counter::default();
    grid.apply(Bodies3::points(&centers), &[Change::Move(0)], &mut counter);
    grid.validate(Bodies3::points(&centers)).unwrap();
    assert_eq!(counter.of(Work::MoveRelink), 1);
    assert!(grid.byte_count() < before + 4_000);
    let mut found = Vec::new();
    grid.sphere(
        Bodies3::points(&centers),
        centers[0],
        1.0,
        &mut (),
        |unit| {
            found.push(unit);
        },
    );
    assert_eq!(found, [0]);
}

#[test]
fn a_giant_does_not_make_everybody_look_farther() {
    let mut stream = crate::chance::Stream::new(5);
    let mut number = || stream.between(0.0, 64.0);
    let centers: Vec<_> = (0..2_000)
        .map(|_| Vec3::new(number(), number(), number()))
        .collect();
    let mut half_extents = vec![Vec3::splat(0.25); centers.len()];
    let tests = |half_extents: &[Vec3]| {
        let bodies = Bodies3 {
            half_extents,
            ..Bodies3::points(&centers)
        };
        let grid = built(2.0, bodies);
        let mut counter = Counter::default();
        grid.pairs(bodies, 0.0, &mut counter, |_| {});
        counter.tests
    };
    let before = tests(&half_extents);
    half_extents[7] = Vec3::splat(30.0);
    assert!(tests(&half_extents) < before + 2_000);
}

#[test]
fn the_side_that_is_chosen_fits_what_is_expected() {
    let centers: Vec<_> = (0..1_000)
        .map(|unit| {
            Vec3::new(
                (unit % 10) as f32,
                (unit / 10 % 10) as f32,
                (unit / 100) as f32,
            )
        })
        .collect();
    let mut grid = Grid3::new(Aabb3::new(Vec3::ZERO, Vec3::splat(10.0)));
    grid.expect(3.0);
    assert_eq!(grid.knob(0), 0.0);
    grid.rebuild(Bodies3::points(&centers), &mut ());
    assert!((3.0..3.1).contains(&grid.knob_in_effect(0)));
    grid.expect(f32::INFINITY);
    grid.rebuild(Bodies3::points(&centers), &mut ());
    assert_eq!(grid.knob_in_effect(0), 10_000.0);
    grid.expect(f32::NAN);
    grid.rebuild(Bodies3::points(&centers), &mut ());
    assert!((1.0..2.0).contains(&grid.knob_in_effect(0)));
    // What is held is what it chooses, and it is left to it as before.
    grid.hold_knob(0, 5.0);
    grid.rebuild(Bodies3::points(&centers), &mut ());
    assert_eq!((grid.knob(0), grid.knob_in_effect(0)), (0.0, 5.0));
}
