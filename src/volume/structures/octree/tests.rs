//! What is particular to the octree.

use super::*;
use crate::probe::{Counter, Work};
use crate::volume::trial::stands_trial;

const FIELD: Aabb3 = Aabb3::new(Vec3::ZERO, Vec3::splat(128.0));

fn built(bodies: Bodies3<'_>, capacity: f64, looseness: f64) -> Octree {
    let mut tree = Octree::new(FIELD);
    tree.set_knob(CAPACITY, capacity);
    tree.set_knob(LOOSENESS, looseness);
    tree.rebuild(bodies, &mut ());
    tree.validate(bodies).unwrap();
    tree
}

fn moved(tree: &mut Octree, centers: &[Vec3], unit: UnitId) -> Counter {
    let mut counter = Counter::default();
    let bodies = Bodies3::points(centers);
    tree.apply(bodies, &[Change::Move(unit)], &mut counter);
    tree.validate(bodies).unwrap();
    counter
}

#[test]
fn crowds_are_answered_for_as_all_pairs_does() {
    stands_trial::<Octree>(&[]);
    stands_trial::<Octree>(&[("capacity", "1"), ("looseness", "1")]);
    stands_trial::<Octree>(&[("capacity", "4"), ("looseness", "2"), ("max_depth", "3")]);
}

#[test]
fn a_thousand_units_on_one_spot_end_in_one_leaf_at_the_deepest_level() {
    let centers = vec![Vec3::splat(3.0); 1_000];
    let tree = built(Bodies3::points(&centers), 4.0, 1.0);
    let fullest = tree.nodes.iter().map(|node| node.list.load).max();
    assert_eq!(fullest, Some(1_000));
    assert_eq!(tree.nodes.len(), 1 + 8 * usize::from(tree.depth_cap));
}

#[test]
fn a_step_to_and_fro_over_a_border_does_not_split_and_merge() {
    // Five units in one octant, of which one steps out and in again.
    let mut centers: Vec<_> = (0..5)
        .map(|place| Vec3::new(60.0, 10.0 + 10.0 * place as f32, 5.0))
        .collect();
    let mut tree = built(Bodies3::points(&centers), 4.0, 1.0);
    for x in [70.0, 60.0, 70.0, 60.0] {
        centers[0].x = x;
        let work = moved(&mut tree, &centers, 0);
        assert_eq!((work.of(Work::MoveRelink), work.merges), (1, 0));
    }
}

#[test]
fn a_crowd_splits_and_what_is_left_of_it_merges() {
    let centers: Vec<_> = (0..8)
        .map(|place| Vec3::new(20.0 + 12.0 * place as f32, 64.0, 64.0))
        .collect();
    let mut tree = built(Bodies3::points(&[]), 4.0, 1.0);
    let mut alive = vec![false; 8];
    let mut counter = Counter::default();
    let mut change = |tree: &mut Octree, alive: &[bool], change: Change| {
        let bodies = Bodies3 {
            alive,
            ..Bodies3::points(&centers)
        };
        tree.apply(bodies, &[change], &mut counter);
        tree.validate(bodies).unwrap();
        (counter.splits, counter.merges)
    };
    let mut sums = (0, 0);
    for unit in 0..8 {
        alive[unit] = true;
        sums = change(&mut tree, &alive, Change::Add(unit as UnitId));
    }
    assert!(sums.0 > 0 && sums.1 == 0);
    for unit in 0..6 {
        alive[unit] = false;
        sums = change(&mut tree, &alive, Change::Remove(unit as UnitId));
    }
    assert_eq!(sums.0, sums.1, "back to the root alone");
    assert_eq!(tree.free_count as usize * 8 + 1, tree.nodes.len());
}

#[test]
fn a_pebble_on_a_plane_stays_in_the_root_unless_cells_are_loose() {
    let mut centers = vec![Vec3::splat(64.0)];
    centers.extend((0..32).map(|place| Vec3::new(60.0, 61.0, place as f32)));
    let half_extents = vec![Vec3::splat(0.25); centers.len()];
    let bodies = Bodies3 {
        half_extents: &half_extents,
        ..Bodies3::points(&centers)
    };
    for (looseness, is_in_root) in [(1.0, true), (2.0, false)] {
        let tree = built(bodies, 4.0, looseness);
        let is_held = tree.blocks.owner(tree.slots[0]) == ROOT;
        assert_eq!(is_held, is_in_root, "looseness {looseness}");
    }
}

#[test]
fn a_unit_far_away_leaves_the_smallest_cells_as_small_as_they_were() {
    let mut centers: Vec<_> = (0..64).map(|place| Vec3::splat(place as f32)).collect();
    let mut tree = built(Bodies3::points(&centers), 1.0, 1.0);
    let smallest = |tree: &Octree| {
        let sides = tree.records.iter().map(|record| record.cell.size().x);
        sides.fold(f32::INFINITY, f32::min)
    };
    let before = smallest(&tree);
    centers[63] = Vec3::new(-1.0e8, 3.0e7, 5.0);
    moved(&mut tree, &centers, 63);
    assert_eq!(smallest(&tree), before);
    assert!(tree.doublings >= 20);
}

#[test]
fn empty_space_is_not_entered() {
    let mut centers = vec![Vec3::splat(1.0); 40];
    centers.push(Vec3::splat(127.0));
    let tree = built(Bodies3::points(&centers), 4.0, 1.0);
    let mut counter = Counter::default();
    let area = Aabb3::new(Vec3::new(70.0, 1.0, 1.0), Vec3::new(110.0, 50.0, 50.0));
    tree.range(Bodies3::points(&centers), area, &mut counter, |_| {});
    assert_eq!((counter.tests, counter.hits), (0, 0));
    assert_eq!(counter.visits, 1, "the root");
    assert_eq!(counter.prunes, 8, "its octants, also those that are empty");
}
