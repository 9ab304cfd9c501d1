//! What is true of this structure alone.

use super::*;
use crate::geometry::Vec2;
use crate::partition::toolkit::box_tree::Link;
use crate::partition::trial::{CROWDS, FIELD, Trial, stands_trial};
use crate::partition::{Change, Role, Shape};
use crate::probe::{Counter, Work};

#[test]
fn every_leaf_size_and_update_answers_like_all_pairs() {
    for update in ["partial", "rebuild"] {
        stands_trial::<BspTree>(&[("leaf_size", "3"), ("update", update)]);
    }
    stands_trial::<BspTree>(&[("leaf_size", "1")]);
    stands_trial::<BspTree>(&[("leaf_size", "64")]);
}

#[test]
fn the_first_line_lies_across_the_crowds_longest_way() {
    let centers: Vec<_> = (0..100)
        .map(|step| Vec2::new(30.0 + 0.3 * step as f32, 20.0 + 0.4 * step as f32))
        .collect();
    let mut tree = BspTree::new(FIELD);
    tree.rebuild(Bodies::points(&centers), &mut ());
    let normal = tree.median.cuts[0].normal;
    assert!((normal - Vec2::new(0.6, 0.8)).length() < 1e-3, "{normal}");
    let spot = [Vec2::ONE; 100];
    tree.rebuild(Bodies::points(&spot), &mut ());
    assert_eq!(tree.median.cuts[0].normal, Vec2::X);
    assert_eq!(tree.median.tree.census().height, 3);
}

#[test]
fn a_line_turns_away_what_the_box_behind_it_would_let_in() {
    // Two slanting ranks, whose boxes are nearly the same.
    let centers: Vec<_> = (0..64)
        .map(|place| {
            let step = (place / 2) as f32;
            Vec2::new(step, step) + Vec2::new(-40.0, 40.0) * (place % 2) as f32
        })
        .collect();
    let bodies = Bodies::points(&centers);
    let mut tree = BspTree::new(FIELD);
    tree.rebuild(bodies, &mut ());
    let mut counter = Counter::default();
    let between = Vec2::new(-5.0, 35.0);
    tree.radius(bodies, between, 10.0, &mut counter, |_| {});
    assert_eq!(counter.tests, 0);
    // No pair stretches over the strip between the ranks, and no two leaves across it are compared.
    let cut = tree.median.cuts[0];
    assert!(cut.low - cut.high > 50.0);
}

#[test]
fn rooms_hold_their_units_and_cover_their_parents() {
    for crowd in CROWDS {
        let trial = Trial::new(crowd, 300, false);
        let mut tree = BspTree::new(FIELD);
        tree.rebuild(trial.bodies(), &mut ());
        let area = |corners: &[Vec2]| {
            let origin = corners[0];
            let ends = corners.iter().zip(&corners[1..]);
            ends.map(|(a, b)| f64::from((*a - origin).perp_dot(*b - origin)) * 0.5)
                .sum::<f64>()
        };
        let (mut whole, mut leaves) = (0.0, 0.0);
        let everything = RegionQuery {
            area: Aabb::EVERYTHING,
            min_size: 0.0,
        };
        tree.regions(everything, &mut |region| {
            let Shape::Convex(corners) = region.shape else {
                panic!("a room that is no polygon: {region:?}");
            };
            assert!(corners.len() >= 3);
            if region.parent.is_none() {
                whole = area(corners);
            }
            if region.role == Role::Leaf {
                leaves += area(corners);
                let (stretch, bounds) = tree
                    .median
                    .find(Link::of_region(region.id))
                    .expect("a leaf of the picture");
                assert_eq!(stretch.count, region.load);
                let room = Aabb::of_points(corners.iter().copied());
                let slack = bounds.min.abs().max(bounds.max.abs()).max_element() * 1e-6;
                assert!(
                    room.grown(Vec2::splat(slack)).contains_box(bounds),
                    "{room:?} around {bounds:?}"
                );
            }
        });
        assert!((leaves / whole - 1.0).abs() < 1e-3, "{leaves} of {whole}");
    }
}

#[test]
fn only_a_change_builds_the_tree_that_is_built_at_every_change() {
    let centers: Vec<_> = (0..100).map(|step| Vec2::splat(step as f32)).collect();
    let bodies = Bodies::points(&centers);
    let update = BspTree::INFO.knob_index("update").expect("a knob");
    let rebuild = BspTree::INFO.knobs[update]
        .parse("rebuild")
        .expect("a word");
    for (update_by, changes, builds) in [
        (rebuild, &[Change::Move(3)][..], 1),
        (rebuild, &[], 0),
        (0.0, &[Change::Move(3)], 0),
    ] {
        let mut tree = BspTree::new(FIELD);
        tree.set_knob(update, update_by);
        tree.rebuild(bodies, &mut ());
        let mut counter = Counter::default();
        tree.apply(bodies, changes, &mut counter);
        assert_eq!(counter.of(Work::Rebuild), builds, "{update_by} {changes:?}");
    }
}
