//! What is particular to the Morton tree.

use super::*;
use crate::probe::{Counter, Work};
use crate::volume::Vec3;
use crate::volume::trial::stands_trial;

const FIELD: Aabb3 = Aabb3::new(Vec3::splat(-64.0), Vec3::splat(64.0));

fn built(bucket: f64, bodies: Bodies3<'_>) -> MortonTree3 {
    let mut tree = MortonTree3::new(FIELD);
    tree.set_knob(1, bucket);
    tree.rebuild(bodies, &mut ());
    tree.validate(bodies).unwrap();
    tree
}

/// How many nodes there are above the deepest bucket.
fn height(tree: &MortonTree3) -> u16 {
    let mut height = 0;
    tree.regions(RegionQuery3::ALL, &mut |region| {
        height = height.max(region.depth);
    });
    height
}

#[test]
fn crowds_are_answered_for_as_all_pairs_does() {
    stands_trial::<MortonTree3>(&[]);
    stands_trial::<MortonTree3>(&[("bucket", "1")]);
    stands_trial::<MortonTree3>(&[("bucket", "3"), ("cell_size", "20")]);
}

#[test]
fn n_leaves_of_one_unit_have_n_less_one_inner_nodes() {
    let centers: Vec<_> = (0..100)
        .map(|unit| Vec3::new((unit * 7 % 40) as f32, (unit % 13) as f32, unit as f32))
        .collect();
    let tree = built(1.0, Bodies3::points(&centers));
    assert_eq!(tree.nodes.len(), 199);
}

#[test]
fn a_thousand_units_on_one_spot_are_a_tree_and_not_a_chain() {
    let centers = vec![Vec3::splat(-7.0); 1_000];
    let tree = built(1.0, Bodies3::points(&centers));
    assert_eq!(height(&tree), 10);
}

#[test]
fn a_small_step_touches_a_few_nodes_and_one_over_the_origin_climbs() {
    let mut stream = crate::chance::Stream::new(11);
    let mut number = || stream.between(-64.0, 64.0);
    let mut centers: Vec<_> = (0..4_000)
        .map(|_| Vec3::new(number(), number(), number()))
        .collect();
    centers[0] = Vec3::new(-0.1, 20.25, 20.25);
    let mut tree = built(1.0, Bodies3::points(&centers));
    let mut step = |to: Vec3| {
        centers[0] = to;
        let mut counter = Counter::default();
        let bodies = Bodies3::points(&centers);
        tree.apply(bodies, &[Change::Move(0)], &mut counter);
        tree.validate(bodies).unwrap();
        counter
    };
    let within = step(Vec3::new(-0.2, 20.25, 20.25));
    assert_eq!(within.of(Work::MoveInPlace), 1);
    let over = step(Vec3::new(0.1, 20.25, 20.25));
    assert_eq!(over.of(Work::MoveRelink), 1);
    assert!(over.of(Work::Climb) >= 5 && over.of(Work::Climb) < 40);
}

#[test]
fn what_is_left_of_two_buckets_becomes_one() {
    let centers: Vec<_> = (0..9).map(|unit| Vec3::splat(unit as f32)).collect();
    let mut tree = built(8.0, Bodies3::points(&centers));
    assert_eq!(tree.nodes.len(), 3);
    let mut alive = vec![true; 9];
    let mut counter = Counter::default();
    for unit in 0..9 {
        alive[unit] = false;
        let bodies = Bodies3 {
            alive: &alive,
            ..Bodies3::points(&centers)
        };
        tree.apply(bodies, &[Change::Remove(unit as UnitId)], &mut counter);
        tree.validate(bodies).unwrap();
    }
    assert_eq!((tree.root, tree.free_count), (NONE, 3));
}
