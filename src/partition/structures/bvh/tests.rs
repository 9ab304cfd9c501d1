//! The tree as a whole: every policy against all pairs, rotations, the cost, and crowds made to spoil it.

use super::*;
use crate::geometry::Vec2;
use crate::partition::toolkit::box_tree::{HEIGHT_LIMIT, NONE};
use crate::partition::trial::{Crowd, FIELD, Trial, stands_trial};
use crate::probe::{Counter, Work};

fn built(bodies: Bodies<'_>, update: Update) -> Bvh {
    let mut tree = Bvh::new(FIELD);
    tree.update = update;
    tree.rebuild(bodies, &mut ());
    tree.validate(bodies).expect("a tree fresh from a build");
    tree
}

/// The tree that single additions make, and no build.
fn grown(bodies: Bodies<'_>) -> Bvh {
    let mut tree = Bvh::new(FIELD);
    tree.update = Update::Incremental;
    tree.rebuild_at = f64::INFINITY;
    for unit in bodies.ids() {
        let so_far = Bodies {
            centers: &bodies.centers[..=unit as usize],
            ..bodies
        };
        tree.apply(so_far, &[Change::Add(unit)], &mut ());
    }
    tree.validate(bodies).expect("a tree grown unit by unit");
    tree
}

#[test]
fn every_policy_and_leaf_size_answers_like_all_pairs() {
    for update in ["refit", "incremental", "rebuild"] {
        for leaf_size in ["1", "3", "32"] {
            stands_trial::<Bvh>(&[
                ("leaf_size", leaf_size),
                ("update", update),
                ("rebuild_at", "10"),
            ]);
        }
    }
    stands_trial::<Bvh>(&[("leaf_size", "2"), ("rebuild_at", "1.1")]);
}

#[test]
fn a_tree_grown_unit_by_unit_is_less_than_twice_as_costly_as_one_built_whole() {
    for sized in [false, true] {
        let trial = Trial::new(Crowd::Even, 4000, sized);
        let whole = built(trial.bodies(), Update::Incremental).relative_cost();
        let by_unit = grown(trial.bodies()).relative_cost();
        assert!(by_unit < whole * 2.0, "{by_unit} against {whole}");
    }
}

#[test]
fn refitted_boxes_stretch_until_the_tree_is_built_anew() {
    let mut trial = Trial::new(Crowd::Even, 2000, false);
    let mut tree = built(trial.bodies(), Update::Refit);
    assert_eq!(tree.cost_ratio(), 1.0);
    let (mut counter, mut greatest) = (Counter::default(), 1.0_f64);
    for _ in 0..100 {
        let changes = trial.drift();
        tree.apply(trial.bodies(), &changes, &mut counter);
        greatest = greatest.max(tree.cost_ratio());
    }
    assert!(counter.of(Work::Rebuild) > 0);
    assert!(counter.of(Work::Rebuild) < 100);
    assert!((1.1..=tree.rebuild_at).contains(&greatest), "{greatest}");
}

#[test]
fn a_crowd_on_one_spot_stays_low() {
    let centers = vec![Vec2::splat(50.0); 3000];
    let bodies = Bodies::points(&centers);
    for tree in [built(bodies, Update::Refit), grown(bodies)] {
        assert!(tree.tree.census().height <= 12);
    }
}

#[test]
fn units_each_twice_as_far_as_the_last_do_not_make_a_tree_too_high() {
    let centers: Vec<_> = (0..280)
        .map(|step| Vec2::new(1.0e-32 * 1.4_f32.powi(step), 0.0))
        .collect();
    let bodies = Bodies::points(&centers);
    for mut tree in [built(bodies, Update::Incremental), grown(bodies)] {
        assert!(tree.tree.census().height as usize <= HEIGHT_LIMIT);
        tree.leaf_size = 1;
        tree.rebuild(bodies, &mut ());
        tree.validate(bodies).expect("a tree of single units");
    }
}

#[test]
fn a_rotation_brings_neighbours_together() {
    // Two of each of two groups are told in turn, so the first leaves mix both.
    let spots = [0.0, 90.0, 1.0, 91.0, 2.0, 92.0, 3.0, 93.0];
    let centers: Vec<_> = spots.iter().map(|x| Vec2::new(*x, 0.0)).collect();
    let mut tree = Bvh::new(FIELD);
    tree.leaf_size = 1;
    tree.update = Update::Incremental;
    let changes: Vec<_> = (0..8).map(Change::Add).collect();
    tree.apply(Bodies::points(&centers), &changes, &mut ());
    let [a, b] = tree.tree.below(tree.tree.root.link);
    assert_eq!((a.count, b.count), (4, 4));
    assert!(a.bounds.size().x <= 3.0 && b.bounds.size().x <= 3.0);
}

#[test]
fn thinned_leaves_merge_and_the_last_unit_leaves_nothing() {
    let mut trial = Trial::new(Crowd::Even, 500, true);
    let mut tree = built(trial.bodies(), Update::Incremental);
    let mut counter = Counter::default();
    while trial.bodies().count() > 0 {
        let gone = trial.fall(7);
        tree.apply(trial.bodies(), &gone, &mut counter);
        tree.validate(trial.bodies()).expect("a thinned tree");
    }
    assert!(counter.merges > 0);
    assert!(tree.tree.is_empty());
    tree.validate(trial.bodies()).expect("an empty tree");
}

#[test]
fn validate_names_the_damage() {
    let trial = Trial::new(Crowd::Even, 100, true);
    let damaged = |damage: &dyn Fn(&mut Bvh)| {
        let mut tree = built(trial.bodies(), Update::Refit);
        damage(&mut tree);
        tree.validate(trial.bodies()).is_err()
    };
    assert!(damaged(&|tree| tree.tree.nodes[1].branches[0]
        .bounds
        .max
        .x += 1.0));
    assert!(damaged(&|tree| tree.tree.nodes[1].parent = 5));
    assert!(damaged(&|tree| tree.tree.nodes[0].height += 1));
    assert!(damaged(&|tree| tree.tree.nodes[0].branches[1].count -= 1));
    assert!(damaged(&|tree| tree.tree.slots.ids.swap(0, 1)));
    assert!(damaged(&|tree| tree.tree.places[3] = NONE));
    assert!(damaged(&|tree| tree.owners[2] = 0));
    assert!(damaged(&|tree| tree.free_nodes.push(1)));
    assert!(damaged(&|tree| tree.tree.root.link = Link::NONE));
}
