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
