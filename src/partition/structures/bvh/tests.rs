//! The tree as a whole: every policy against all pairs, what edits cost and leave behind, and crowds made to spoil it.

use super::levels::{WIDTH, region};
use super::*;
use crate::geometry::Vec2;
use crate::partition::trial::{Crowd, FIELD, Trial, stands_trial};
use crate::probe::{Counter, Event, Trace, Work};
use std::collections::BTreeSet;

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
fn an_edit_of_a_few_who_go_far_is_as_good_as_a_build_and_so_is_its_undo() {
    let trial = Trial::new(Crowd::Even, 5000, true);
    let before: Vec<_> = trial.bodies().centers.to_vec();
    // In all parts of the field, and fewer than the share at which the cost is summed up anyway.
    let moved: Vec<usize> = (0..5000).step_by(13).collect();
    let changes: Vec<_> = moved
        .iter()
        .map(|unit| Change::Move(*unit as u32))
        .collect();
    let mut after = before.clone();
    for unit in moved {
        after[unit] = FIELD.max - before[unit];
    }
    for update in [Update::Refit, Update::Incremental] {
        let mut tree = built(trial.bodies(), update);
        for centers in [&after, &before, &after, &before] {
            let bodies = Bodies {
                centers,
                ..trial.bodies()
            };
            tree.apply(bodies, &changes, &mut ());
            tree.validate(bodies).expect("a tree after an edit");
            assert!(tree.cost_ratio() <= tree.rebuild_at);
            if update == Update::Refit {
                // All of them together are more than it bears: it was built.
                let fresh = built(bodies, update).relative_cost();
                let cost = tree.relative_cost();
                assert!(cost <= tree.rebuild_at * fresh, "{cost} against {fresh}");
            }
        }
    }
}

#[test]
fn what_edits_add_to_the_cost_is_what_the_whole_sum_says() {
    for update in [Update::Refit, Update::Incremental] {
        let mut trial = Trial::new(Crowd::Even, 2000, true);
        let mut tree = built(trial.bodies(), update);
        let mut counter = Counter::default();
        let mut agree = |tree: &mut Bvh, trial: &Trial, changes: &[Change]| {
            for change in changes {
                if tree.make(trial.bodies(), *change, &mut counter).is_err() {
                    // It holds some of the changes, and not what comes after them.
                    return tree.rebuild(trial.bodies(), &mut ());
                }
            }
            let (kept, whole) = (tree.cost, tree.levels.cost(&tree.leaves.fills));
            let off = (kept - whole).abs();
            assert!(off <= 1.0e-6 * whole + 1.0e-6, "{kept} against {whole}");
        };
        for _ in 0..20 {
            let changes = trial.step(5);
            agree(&mut tree, &trial, &changes);
            let changes = trial.turn_over(9);
            agree(&mut tree, &trial, &changes);
        }
        for _ in 0..40 {
            let changes = trial.fall(20);
            agree(&mut tree, &trial, &changes);
        }
        assert!(counter.splits > 0 && counter.merges > 0);
    }
    // And of one that no build has made.
    let trial = Trial::new(Crowd::Corner, 3000, false);
    let tree = grown(trial.bodies());
    let (kept, whole) = (tree.cost, tree.levels.cost(&tree.leaves.fills));
    assert!(
        (kept - whole).abs() <= 1.0e-6 * whole,
        "{kept} against {whole}"
    );
}

fn within_a_millimetre(count: usize) -> Vec<Vec2> {
    let mut number = 0;
    let mut coordinate = || {
        number = number * 75 % 65_537 + 74;
        number as f32 * 1.5e-8
    };
    let place = |_| Vec2::new(coordinate(), coordinate());
    (0..count).map(place).collect()
}

#[test]
fn a_whole_sum_of_many_boxes_that_was_made_while_one_was_far_away_is_rounded_once_a_box() {
    let mut centers = within_a_millimetre(20_000);
    let home = std::mem::replace(&mut centers[7], Vec2::splat(1.0e9));
    let mut tree = Bvh::new(FIELD);
    tree.leaf_size = 1;
    tree.rebuild(Bodies::points(&centers), &mut ());
    centers[7] = home;
    let bodies = Bodies::points(&centers);
    let mut counter = Counter::default();
    tree.apply(bodies, &[Change::Move(7)], &mut counter);
    assert_eq!(counter.of(Work::Rebuild), 0);
    tree.validate(bodies)
        .expect("a tree whose cost is near the sum");
}

#[test]
fn who_goes_to_the_end_of_the_world_and_comes_back_leaves_the_cost_in_order() {
    // A crowd within a millimetre costs less than what is rounded of the way.
    let mut centers = within_a_millimetre(2_000);
    let home = centers[7];
    let mut tree = built(Bodies::points(&centers), Update::Refit);
    for place in [Vec2::splat(1.0e9), home, Vec2::splat(-1.0e9), home] {
        centers[7] = place;
        let bodies = Bodies::points(&centers);
        tree.apply(bodies, &[Change::Move(7)], &mut ());
        tree.validate(bodies)
            .expect("a tree whose cost is near the sum");
    }
}

#[test]
fn a_crowd_that_was_built_on_one_spot_is_built_anew_once_it_has_scattered() {
    let trial = Trial::new(Crowd::Even, 2000, false);
    let spot = vec![Vec2::splat(50.0); 2000];
    let halves = vec![Vec2::splat(0.5); 2000];
    for half_extents in [&[][..], &halves] {
        let together = Bodies {
            half_extents,
            ..Bodies::points(&spot)
        };
        let apart = Bodies {
            half_extents,
            ..trial.bodies()
        };
        let mut tree = built(together, Update::Refit);
        let all: Vec<_> = (0..2000).map(Change::Move).collect();
        let mut counter = Counter::default();
        tree.apply(together, &all, &mut counter);
        assert_eq!(counter.of(Work::Rebuild), 0);
        tree.apply(apart, &all, &mut counter);
        assert_eq!(counter.of(Work::Rebuild), 1);
        let fresh = built(apart, Update::Refit).relative_cost();
        assert_eq!(tree.relative_cost(), fresh);
    }
}

#[test]
fn a_crowd_that_was_added_on_one_spot_is_built_anew_once_it_has_scattered() {
    let trial = Trial::new(Crowd::Even, 600, false);
    let spot = vec![Vec2::splat(50.0); 600];
    let halves = vec![Vec2::splat(0.5); 600];
    let [adds, moves, removes] =
        [Change::Add, Change::Move, Change::Remove].map(|of| (0..600).map(of).collect::<Vec<_>>());
    for half_extents in [&[][..], &halves] {
        let together = Bodies {
            half_extents,
            ..Bodies::points(&spot)
        };
        let apart = Bodies {
            half_extents,
            ..trial.bodies()
        };
        let gone = Bodies {
            alive: &[false; 600],
            ..together
        };
        // To a scene with nobody, and to one of which all were taken out.
        for had_been_there in [false, true] {
            let mut tree = built(Bodies::points(&[]), Update::Refit);
            tree.apply(together, &adds, &mut ());
            if had_been_there {
                tree.apply(gone, &removes, &mut ());
                tree.validate(gone).expect("a tree of nobody");
                tree.apply(together, &adds, &mut ());
            }
            let mut counter = Counter::default();
            tree.apply(together, &moves, &mut counter);
            assert_eq!(counter.of(Work::Rebuild), 0);
            tree.apply(apart, &moves, &mut counter);
            assert_eq!(counter.of(Work::Rebuild), 1);
            let fresh = built(apart, Update::Refit).relative_cost();
            assert_eq!(tree.relative_cost(), fresh);
        }
    }
}

#[test]
fn one_who_goes_far_and_comes_back_makes_no_build_of_everybody() {
    let trial = Trial::new(Crowd::Even, 2000, false);
    let mut centers: Vec<_> = trial.bodies().centers.to_vec();
    let home = centers[7];
    let mut tree = built(trial.bodies(), Update::Refit);
    let all: Vec<_> = (0..2000).map(Change::Move).collect();
    let mut counter = Counter::default();
    for tick in 0..50 {
        centers[7] = match tick % 2 {
            0 => FIELD.max * 20.0,
            _ => home,
        };
        let bodies = Bodies::points(&centers);
        tree.apply(bodies, &all, &mut counter);
        tree.validate(bodies)
            .expect("a tree that one unit stretches");
    }
    assert_eq!(counter.of(Work::Rebuild), 0);
}

#[test]
fn an_edit_of_one_looks_at_no_more_than_its_own_boxes() {
    let trial = Trial::new(Crowd::Even, 2000, false);
    let mut tree = built(trial.bodies(), Update::Refit);
    let mut centers: Vec<_> = trial.bodies().centers.to_vec();
    for unit in 1..100_u32 {
        centers[unit as usize].x += 0.01;
        tree.apply(Bodies::points(&centers), &[Change::Move(unit)], &mut ());
        // Where the sum is made, they are counted anew.
        assert_eq!(tree.changes, unit as usize);
    }
}

#[test]
fn a_crowd_on_one_spot_stays_low() {
    let centers = vec![Vec2::splat(50.0); 3000];
    let bodies = Bodies::points(&centers);
    for tree in [built(bodies, Update::Refit), grown(bodies)] {
        assert!(tree.levels.top() <= 3);
    }
}

#[test]
fn units_each_twice_as_far_as_the_last_make_a_low_tree_whose_leaves_keep_neighbours_together() {
    let centers: Vec<_> = (0..280)
        .map(|step| Vec2::new(1.0e-32 * 1.4_f32.powi(step), 0.0))
        .collect();
    let bodies = Bodies::points(&centers);
    for mut tree in [built(bodies, Update::Incremental), grown(bodies)] {
        assert!(tree.levels.top() <= 3);
        tree.leaf_size = 1;
        tree.rebuild(bodies, &mut ());
        tree.validate(bodies).expect("a tree of single units");
        assert!(tree.levels.top() <= 3);
    }
    // All but the last few are in one cell of the curve, and in one of the next curve, and so on. Behind these, coordinates
    // are infinite.
    let tree = built(Bodies::points(&centers[..260]), Update::Refit);
    let leaves = tree.leaves.fills.len();
    let ranges: Vec<_> = (0..leaves)
        .map(|leaf| tree.levels.level(0).get(leaf))
        .filter(|bounds| !bounds.is_empty())
        .collect();
    for (place, bounds) in ranges.iter().enumerate() {
        for other in &ranges[place + 1..] {
            assert!(!bounds.overlaps(*other), "{bounds:?} {other:?}");
        }
    }
}

#[test]
fn strays_far_away_do_not_spoil_the_order_of_the_others() {
    let trial = Trial::new(Crowd::Even, 5000, false);
    let alone = built(trial.bodies(), Update::Refit);
    let mut centers: Vec<_> = trial.bodies().centers.to_vec();
    centers.extend([Vec2::splat(1.0e8), Vec2::splat(-1.0e8)]);
    let strayed = built(Bodies::points(&centers), Update::Refit);
    let leaf_cost = |tree: &Bvh| -> f32 {
        let leaves = 0..tree.leaves.fills.len();
        let sizes = leaves.map(|leaf| tree.levels.level(0).get(leaf).half_perimeter());
        // But for those of the strays themselves.
        sizes.filter(|size| (0.0..1.0e6).contains(size)).sum()
    };
    let (alone, strayed) = (leaf_cost(&alone), leaf_cost(&strayed));
    assert!(strayed < alone * 1.2, "{strayed} against {alone}");
}

#[test]
fn a_full_group_is_split_and_a_tree_with_many_new_groups_is_built_anew() {
    let trial = Trial::new(Crowd::Even, 4000, false);
    let mut tree = built(trial.bodies(), Update::Incremental);
    tree.rebuild_at = f64::INFINITY;
    let built_groups = tree.levels.group_count();
    let mut centers: Vec<_> = trial.bodies().centers.to_vec();
    let mut counter = Counter::default();
    let mut most = 0;
    for unit in 4000..12_000 {
        // All in one corner.
        centers.push(Vec2::new(unit as f32 % 97.0, unit as f32 % 89.0) * 0.01);
        tree.apply(Bodies::points(&centers), &[Change::Add(unit)], &mut counter);
        most = most.max(tree.levels.group_count());
        if unit % 500 == 0 {
            tree.validate(Bodies::points(&centers))
                .expect("a filled-up tree");
        }
    }
    assert!(most > built_groups && counter.splits > 0);
    let rebuilds = counter.of(Work::Rebuild);
    assert!(
        (1..=8).contains(&rebuilds),
        "{rebuilds} rebuilds in 8000 additions"
    );
}

#[test]
fn two_groups_of_units_told_in_turn_come_to_leaves_of_their_own() {
    let spots = [0.0, 90.0, 1.0, 91.0, 2.0, 92.0, 3.0, 93.0];
    let centers: Vec<_> = spots.iter().map(|x| Vec2::new(*x, 0.0)).collect();
    let mut tree = Bvh::new(FIELD);
    tree.leaf_size = 4;
    tree.update = Update::Incremental;
    let changes: Vec<_> = (0..8).map(Change::Add).collect();
    tree.apply(Bodies::points(&centers), &changes, &mut ());
    tree.validate(Bodies::points(&centers))
        .expect("a tree of two leaves or more");
    for leaf in 0..WIDTH {
        let bounds = tree.levels.level(0).get(leaf);
        assert!(bounds.is_empty() || bounds.size().x <= 3.0, "{bounds:?}");
    }
}

#[test]
fn who_moves_far_is_taken_to_where_it_belongs_and_boxes_stay_small() {
    let mut trial = Trial::new(Crowd::Even, 2000, true);
    let mut tree = built(trial.bodies(), Update::Incremental);
    tree.rebuild_at = 1.5;
    let mut counter = Counter::default();
    for _ in 0..60 {
        let changes = trial.step(3);
        tree.apply(trial.bodies(), &changes, &mut counter);
        tree.validate(trial.bodies())
            .expect("a tree in which units moved");
        assert!(tree.cost_ratio() < 2.0);
    }
    assert!(counter.of(Work::MoveRelink) > 0 && counter.of(Work::MoveInPlace) > 0);
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
    assert!(tree.levels.is_empty());
    tree.validate(trial.bodies()).expect("an empty tree");
}

#[test]
fn who_moves_a_little_stays_in_its_leaf_and_who_would_stretch_it_does_not() {
    let spots = [0.0, 1.0, 2.0, 3.0, 90.0, 91.0, 92.0, 93.0];
    let moved = |to: f32| {
        let mut centers = spots.map(|x| Vec2::new(x, 0.0));
        let mut tree = Bvh::new(FIELD);
        (tree.leaf_size, tree.update) = (4, Update::Incremental);
        tree.rebuild_at = f64::INFINITY;
        tree.rebuild(Bodies::points(&centers), &mut ());
        centers[3].x = to;
        let (bodies, mut counter) = (Bodies::points(&centers), Counter::default());
        tree.apply(bodies, &[Change::Move(3)], &mut counter);
        tree.validate(bodies).expect("a tree in which a unit moved");
        [Work::MoveInPlace, Work::MoveRelink].map(|work| counter.of(work))
    };
    // Its leaf is three metres wide and may grow by half of that.
    assert_eq!(moved(2.5), [1, 0]);
    assert_eq!(moved(4.5), [1, 0]);
    assert_eq!(moved(4.6), [0, 1]);
    assert_eq!(moved(89.5), [0, 1]);
}

#[test]
fn each_child_of_a_node_that_is_entered_is_told_of_once() {
    let trial = Trial::new(Crowd::Even, 5000, true);
    let tree = built(trial.bodies(), Update::Refit);
    let mut trace = Trace::with_cap(1 << 20);
    let spot = Vec2::splat(70.0);
    tree.radius(trial.bodies(), spot, 5.0, &mut trace, |_| {});
    let mut told = BTreeSet::new();
    let mut expected = BTreeSet::from([region(tree.levels.top(), 0)]);
    let mut pruned = 0;
    for event in trace.events() {
        let (Event::Visit(id) | Event::Prune(id) | Event::Accept(id)) = *event else {
            continue;
        };
        assert!(told.insert(id), "{:?}", levels::of_region(id));
        pruned += u32::from(matches!(event, Event::Prune(_)));
        let (level, index) = levels::of_region(id);
        if matches!(event, Event::Visit(_)) && level > 0 {
            let children = tree.levels.level(level - 1);
            let children = (index * WIDTH..(index + 1) * WIDTH)
                .filter(|child| !children.get(*child).is_empty());
            expected.extend(children.map(|child| region(level - 1, child)));
        }
    }
    assert!(pruned > 20);
    assert_eq!(told, expected);
}

#[test]
fn a_region_says_its_level_and_its_index() {
    assert_eq!(levels::of_region(region(3, 700)), (3, 700));
}
