//! How much work the structures save, in counts that are the same on every machine.

use rand::{Rng, SeedableRng};
use skirmish::geometry::{Aabb, Vec2};
use skirmish::partition::{AnyPartition, Bodies, Change, Kind};
use skirmish::probe::{Counter, Work};

/// Units spread evenly over a square field with 9 m² for each.
fn spread(count: usize) -> (Aabb, Vec<Vec2>) {
    let side = (count as f32 * 9.0).sqrt();
    let mut rng = rand_pcg::Pcg64Mcg::seed_from_u64(7);
    let centers = (0..count)
        .map(|_| Vec2::new(rng.random_range(0.0..side), rng.random_range(0.0..side)))
        .collect();
    (Aabb::new(Vec2::ZERO, Vec2::splat(side)), centers)
}

fn pairs_counted(kind: Kind, field: Aabb, centers: &[Vec2], reach: f32) -> Counter {
    let bodies = Bodies::points(centers);
    let mut index = AnyPartition::new(kind, field);
    index.rebuild(bodies, &mut ());
    let mut counter = Counter::default();
    index.pairs(bodies, reach, &mut counter, |_| {});
    counter
}

#[test]
fn a_grid_and_a_tree_test_a_hundred_times_fewer_pairs_than_the_double_loop() {
    let (field, centers) = spread(20_000);
    let all = (centers.len() * (centers.len() - 1) / 2) as u64;
    for key in ["linked-grid", "quadtree"] {
        let Some(kind) = Kind::from_key(key) else {
            continue;
        };
        let counter = pairs_counted(kind, field, &centers, 2.0);
        assert!(counter.hits > 10_000);
        assert!(counter.tests * 100 <= all, "{key}: {}", counter.tests);
    }
}

#[test]
fn a_step_within_a_cell_relinks_nothing() {
    let (field, mut centers) = spread(1_000);
    let mut index = AnyPartition::new(Kind::LinkedGrid, field);
    index.rebuild(Bodies::points(&centers), &mut ());
    for center in &mut centers {
        *center += Vec2::splat(0.01);
    }
    let changes: Vec<_> = (0..1_000).map(Change::Move).collect();
    let mut counter = Counter::default();
    index.apply(Bodies::points(&centers), &changes, &mut counter);
    let (kept, relinked) = (counter.of(Work::MoveInPlace), counter.of(Work::MoveRelink));
    assert_eq!(kept + relinked, 1_000);
    assert!(relinked < 10, "{relinked}");
}

#[test]
fn one_giant_does_not_make_the_grid_look_at_every_cell() {
    let (field, centers) = spread(2_000);
    let mut half_extents = vec![Vec2::splat(0.3); centers.len()];
    half_extents[77] = field.half_extent();
    let bodies = Bodies {
        centers: &centers,
        half_extents: &half_extents,
        alive: &[],
    };
    let mut index = AnyPartition::new(Kind::LinkedGrid, field);
    index.rebuild(bodies, &mut ());
    let mut counter = Counter::default();
    index.pairs(bodies, 1.0, &mut counter, |_| {});
    assert!(counter.hits >= 1_999, "the giant touches everybody");
    assert!(counter.tests < 40_000, "{}", counter.tests);
}

#[test]
fn a_crowd_outside_of_the_field_does_not_share_one_cell() {
    let (field, mut centers) = spread(2_000);
    for center in &mut centers {
        *center += field.size() * 1.5;
    }
    let outside = pairs_counted(Kind::LinkedGrid, field, &centers, 2.0);
    assert!(outside.tests * 10 < 2_000 * 1_999 / 2, "{}", outside.tests);
}
