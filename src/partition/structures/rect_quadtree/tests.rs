//! The tree as a whole: every knob against all pairs, straddlers, splits, merges, and bodies far outside.

use super::*;
use crate::partition::trial::{CROWDS, Crowd, FIELD, Trial, stands_trial};
use crate::partition::{MarkRole, Shape};
use crate::probe::{Counter, Work};

/// A tree of unit squares around these centres.
fn squares(centers: &[Vec2]) -> Vec<Vec2> {
    vec![Vec2::splat(0.5); centers.len()]
}

fn bodies<'a>(centers: &'a [Vec2], half_extents: &'a [Vec2]) -> Bodies<'a> {
    Bodies {
        centers,
        half_extents,
        alive: &[],
    }
}

fn built(bodies: Bodies<'_>, knobs: &[(usize, f64)]) -> RectQuadtree {
    let mut tree = RectQuadtree::new(FIELD);
    for (index, value) in knobs {
        tree.set_knob(*index, *value);
    }
    tree.rebuild(bodies, &mut ());
    tree.validate(bodies).expect("a tree fresh from a build");
    tree
}

/// How many units the root holds itself.
fn straddlers(tree: &RectQuadtree) -> u32 {
    tree.pool.records[ROOT as usize].own
}

#[test]
fn every_looseness_capacity_and_depth_answers_like_all_pairs() {
    for looseness in ["1", "1.3", "2"] {
        for (capacity, max_depth) in [("1", "16"), ("4", "12"), ("16", "2")] {
            stands_trial::<RectQuadtree>(&[
                ("looseness", looseness),
                ("capacity", capacity),
                ("max_depth", max_depth),
            ]);
        }
    }
}

#[test]
fn tight_boxes_answer_like_all_pairs() {
    for looseness in ["1", "1.5", "2"] {
        for (capacity, max_depth) in [("1", "16"), ("4", "12"), ("64", "2")] {
            stands_trial::<RectQuadtree>(&[
                ("tight", "on"),
                ("looseness", looseness),
                ("capacity", capacity),
                ("max_depth", max_depth),
            ]);
        }
    }
}

/// Whether the box of each leaf ends with the bodies in it.
fn leaves_are_tight(tree: &RectQuadtree) -> bool {
    (1..tree.pool.nodes.len() as u32)
        .filter(|node| tree.pool.records[*node as usize].depth != pool::FREE)
        .filter(|node| tree.pool.nodes[*node as usize].is_leaf())
        .all(|node| tree.tested_bounds(node) == tree.around_own(node))
}

#[test]
fn the_boxes_of_leaves_stay_tight_whoever_comes_moves_and_goes() {
    for (looseness, crowd, is_sized) in [
        (1.0, Crowd::Even, true),
        (1.5, Crowd::Corner, true),
        (1.0, Crowd::Line, false),
    ] {
        let mut trial = Trial::new(crowd, 500, is_sized);
        let knobs = [(CAPACITY, 8.0), (LOOSENESS, looseness), (TIGHT, 1.0)];
        let mut tree = built(trial.bodies(), &knobs);
        assert!(leaves_are_tight(&tree));
        while trial.bodies().count() > 0 {
            for turn in 0..2 {
                let changes = match turn {
                    0 => trial.step(3),
                    _ => trial.fall(9),
                };
                tree.apply(trial.bodies(), &changes, &mut ());
                tree.validate(trial.bodies())
                    .expect("a tree that was edited");
                assert!(leaves_are_tight(&tree));
            }
        }
    }
}

#[test]
fn a_tight_box_that_leaves_out_a_body_or_the_cell_is_noticed() {
    let trial = Trial::new(Crowd::Even, 500, true);
    let tree = built(trial.bodies(), &[(CAPACITY, 8.0), (TIGHT, 1.0)]);
    let leaf = (1..tree.pool.nodes.len() as u32)
        .filter(|node| tree.pool.nodes[*node as usize].is_leaf())
        .find(|node| !tree.around_own(*node).is_empty())
        .expect("a leaf with bodies");
    let bounds = tree.tested_bounds(leaf);
    let within = Aabb::new(bounds.min + (bounds.max - bounds.min) * 0.25, bounds.max);
    for wrong in [within, bounds.grown(Vec2::splat(1.0e3))] {
        let mut damaged = tree.clone();
        damaged.pool.set_bounds(leaf, wrong);
        assert!(damaged.validate(trial.bodies()).is_err(), "{wrong:?}");
    }
}

#[test]
fn a_box_that_leaves_out_one_below_is_noticed() {
    let trial = Trial::new(Crowd::Even, 500, false);
    let mut tree = built(trial.bodies(), &[(CAPACITY, 8.0), (TIGHT, 1.0)]);
    let inner = (1..tree.pool.nodes.len() as u32)
        .find(|node| !tree.pool.nodes[*node as usize].is_leaf())
        .expect("an inner node");
    tree.pool.set_bounds(inner, Aabb::EMPTY);
    let violation = tree.validate(trial.bodies()).expect_err("a wrong box");
    assert_eq!(violation.region, Some(inner));
}

#[test]
fn a_crowded_leaf_is_tight_again_once_it_has_thinned_out() {
    // The last one stands apart in the same leaf, and leaves while that is too full to look for its box anew.
    let mut centers = vec![Vec2::splat(30.0); 300];
    centers.push(Vec2::splat(40.0));
    let mut alive = vec![true; centers.len()];
    let knobs = [(DEEPEST, 1.0), (TIGHT, 1.0)];
    let mut tree = built(Bodies::points(&centers), &knobs);
    for gone in (100..=300).rev() {
        alive[gone] = false;
        let bodies = Bodies {
            alive: &alive,
            ..Bodies::points(&centers)
        };
        tree.apply(bodies, &[Change::Remove(gone as UnitId)], &mut ());
        tree.validate(bodies).expect("a leaf that was thinned out");
    }
    assert!(leaves_are_tight(&tree));
    // Of two that have gone far away all is built anew.
    for unit in [0, 1] {
        centers[unit] = Vec2::new(3.0e6, -2.0e6);
        let bodies = Bodies {
            alive: &alive,
            ..Bodies::points(&centers)
        };
        tree.apply(bodies, &[Change::Move(unit as UnitId)], &mut ());
        tree.validate(bodies).expect("a larger root");
    }
    assert!(leaves_are_tight(&tree));
}

#[test]
fn a_query_enters_fewer_nodes_where_boxes_are_tight() {
    let trial = Trial::new(Crowd::Even, 500, true);
    let [loose, tight] = [0.0, 1.0].map(|tight| {
        let tree = built(trial.bodies(), &[(CAPACITY, 8.0), (TIGHT, tight)]);
        let mut counter = Counter::default();
        let area = Aabb::around(FIELD.center(), Vec2::splat(10.0));
        tree.range(trial.bodies(), area, &mut counter, |_| {});
        counter
    });
    assert_eq!(tight.hits, loose.hits);
    assert!(tight.visits < loose.visits, "{tight:?} against {loose:?}");
    assert!(tight.tests < loose.tests, "{tight:?} against {loose:?}");
}

#[test]
fn a_range_across_a_line_finds_the_straddler_above_and_the_bodies_of_both_sides() {
    // One on the line in the middle, four on each side of it, and a query over the line.
    let centers = [
        (50.0, 20.0),
        (48.0, 20.0),
        (52.0, 20.0),
        (20.0, 20.0),
        (80.0, 20.0),
        (20.0, 80.0),
        (80.0, 80.0),
    ]
    .map(|(x, y)| Vec2::new(x, y));
    let sizes = squares(&centers);
    let bodies = bodies(&centers, &sizes);
    let tree = built(bodies, &[(CAPACITY, 1.0), (LOOSENESS, 1.0)]);
    assert_eq!(straddlers(&tree), 1);
    let mut found = Vec::new();
    let area = Aabb::new(Vec2::new(47.0, 19.0), Vec2::new(53.0, 21.0));
    let mut counter = Counter::default();
    tree.range(bodies, area, &mut counter, |unit| found.push(unit));
    found.sort_unstable();
    assert_eq!(found, [0, 1, 2]);
    let mut marked = Vec::new();
    let query = MarkQuery {
        area: FIELD,
        min_size: 0.0,
        cursor: None,
        reach: 0.0,
    };
    tree.marks(bodies, query, &mut |mark| {
        let is_straddler = mark.shape == Shape::Rect(bodies.aabb(0));
        marked.push((mark.role, is_straddler));
    });
    assert_eq!(marked, [(MarkRole::Special, true)]);
}

#[test]
fn a_pebble_on_the_roots_line_sinks_in_a_loose_tree() {
    let mut centers: Vec<_> = (0..100)
        .map(|step| Vec2::new(50.0, 0.5 + step as f32))
        .collect();
    centers.extend((0..100).map(|step| Vec2::new(20.0, 0.5 + step as f32)));
    let sizes = squares(&centers);
    let bodies = bodies(&centers, &sizes);
    let small = Aabb::new(Vec2::new(49.0, 3.0), Vec2::new(51.0, 4.0));
    let [classic, loose] = [1.0, 2.0].map(|looseness| {
        let tree = built(bodies, &[(CAPACITY, 4.0), (LOOSENESS, looseness)]);
        let mut counter = Counter::default();
        tree.range(bodies, small, &mut counter, |_| {});
        assert_eq!(counter.hits, 3);
        (straddlers(&tree), counter.tests)
    });
    assert_eq!(classic.0, 100);
    assert_eq!(loose.0, 0);
    assert!(loose.1 * 4 < classic.1, "{loose:?} against {classic:?}");
}

#[test]
fn a_point_never_straddles() {
    for crowd in CROWDS {
        let trial = Trial::new(crowd, 500, false);
        let tree = built(trial.bodies(), &[(CAPACITY, 1.0)]);
        for (node, record) in tree.pool.nodes.iter().zip(&tree.pool.records) {
            assert!(node.is_leaf() || record.own == 0, "{crowd:?}: {record:?}");
        }
    }
}

#[test]
fn a_crowd_on_one_spot_stops_splitting_at_the_deepest_level() {
    let centers = vec![Vec2::splat(30.0); 1000];
    let tree = built(Bodies::points(&centers), &[(DEEPEST, 5.0)]);
    assert_eq!(tree.pool.nodes.len(), 1 + 4 * 5);
}

#[test]
fn a_tree_that_is_emptied_takes_its_children_back() {
    for looseness in [1.0, 2.0] {
        let mut trial = Trial::new(Crowd::Even, 500, true);
        let mut tree = built(trial.bodies(), &[(CAPACITY, 4.0), (LOOSENESS, looseness)]);
        assert!(tree.pool.nodes.len() > 100);
        let mut counter = Counter::default();
        while trial.bodies().count() > 0 {
            let fallen = trial.fall(9);
            tree.apply(trial.bodies(), &fallen, &mut counter);
            tree.validate(trial.bodies()).expect("a thinned tree");
        }
        assert!(counter.merges > 25);
        assert!(tree.pool.nodes[ROOT as usize].is_empty());
        assert_eq!(
            tree.pool.free_node_count as usize,
            tree.pool.nodes.len() - 1
        );
    }
}

#[test]
fn a_body_far_outside_doubles_the_root_once_and_crowds_there_sort_as_well_as_here() {
    let mut centers: Vec<_> = (0..200)
        .map(|step| Vec2::new(step as f32 % 20.0, (step / 20) as f32))
        .collect();
    let mut tree = built(Bodies::points(&centers), &[]);
    let near = tree.pool.nodes.len();
    centers[7] = Vec2::new(-1.0e7, 3.0e6);
    let mut counter = Counter::default();
    tree.apply(Bodies::points(&centers), &[Change::Move(7)], &mut counter);
    tree.validate(Bodies::points(&centers)).expect("a tree");
    assert_eq!(counter.of(Work::Rebuild), 1);
    assert_eq!(tree.doublings, 17);
    // As deep below the field as before, and the levels above on top.
    assert!(tree.pool.nodes.len() <= near + 4 * 17);
    centers[7].x += 1.0e6;
    tree.apply(Bodies::points(&centers), &[Change::Move(7)], &mut counter);
    assert_eq!(counter.of(Work::Rebuild), 1);
}

#[test]
fn a_body_larger_than_the_field_is_held_by_the_root_and_found() {
    let centers = [Vec2::splat(50.0), Vec2::splat(5.0)];
    let sizes = [Vec2::splat(500.0), Vec2::ONE];
    let bodies = bodies(&centers, &sizes);
    let tree = built(bodies, &[(CAPACITY, 1.0)]);
    let mut found = Vec::new();
    let corner = Vec2::splat(-449.0);
    tree.range(bodies, Aabb::new(corner, corner), &mut (), |unit| {
        found.push(unit);
    });
    assert_eq!((found, tree.doublings), (vec![0], 0));
}
