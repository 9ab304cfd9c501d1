//! What the k-d tree promises beyond what every structure does.

use super::*;
use crate::chance::Stream;
use crate::partition::trial::{FIELD, stands_trial};
use crate::probe::{Counter, Work};

#[test]
fn every_split_rule_and_update_answers_like_all_pairs() {
    for split in ["longest_side", "alternate"] {
        for update in ["partial", "rebuild"] {
            stands_trial::<KdTree>(&[("leaf_size", "3"), ("split", split), ("update", update)]);
        }
    }
    stands_trial::<KdTree>(&[("leaf_size", "1")]);
    stands_trial::<KdTree>(&[("leaf_size", "64")]);
}

#[test]
fn the_nearest_are_found_in_leaves_that_are_full_to_the_brim() {
    let mut stream = Stream::new(8);
    let mut coordinate = || stream.below(4000) as f32 * 0.01;
    let centers: Vec<_> = (0..3000)
        .map(|_| Vec2::new(coordinate(), coordinate()))
        .collect();
    let sizes = vec![Vec2::new(0.1, 0.2); 3000];
    for half_extents in [&[][..], &sizes] {
        let mut alive = vec![false; 3000];
        let mut tree = KdTree::new(FIELD);
        tree.set_knob(LEAF_SIZE, 64.0);
        let (mut found, mut fullest) = (Vec::new(), 0);
        // A build leaves room in each leaf, and who comes one by one fills it.
        for unit in 0..3000 {
            alive[unit as usize] = true;
            let bodies = Bodies {
                centers: &centers,
                half_extents,
                alive: &alive,
            };
            tree.apply(bodies, &[Change::Add(unit)], &mut ());
            if unit < 1500 || unit % 5 != 0 {
                continue;
            }
            fullest = fullest.max(tree.leaves.fills.iter().copied().max().unwrap_or(0));
            let point = centers[(unit as usize * 7) % 3000];
            for count in 1..=9 {
                let query = NearestQuery {
                    point,
                    count,
                    within: f32::INFINITY,
                };
                tree.nearest(bodies, query, |_| true, &mut (), &mut found);
                let mut expected: Vec<Neighbor> = bodies
                    .ids()
                    .map(|unit| Neighbor {
                        unit,
                        distance_sq: bodies.aabb(unit).distance_sq(point),
                    })
                    .collect();
                let order = |a: &Neighbor, b: &Neighbor| {
                    a.distance_sq
                        .total_cmp(&b.distance_sq)
                        .then(a.unit.cmp(&b.unit))
                };
                expected.select_nth_unstable_by(count, order);
                expected.truncate(count);
                expected.sort_by(order);
                assert_eq!(found, expected, "{query:?}");
            }
        }
        assert_eq!(fullest, 64);
    }
}

/// How deep the deepest leaf is, in cuts.
fn height(tree: &KdTree) -> u16 {
    let mut height = 0;
    let everywhere = RegionQuery {
        area: Aabb::EVERYTHING,
        min_size: 0.0,
    };
    tree.regions(everywhere, &mut |region| height = height.max(region.depth));
    height
}

#[test]
fn a_tree_that_is_built_is_low_even_on_one_spot_and_on_a_line() {
    let mut stream = Stream::new(5);
    for shape in 0..3 {
        let mut place = |_| match shape {
            0 => Vec2::ONE,
            1 => Vec2::new(stream.below(5000) as f32, 3.0),
            _ => Vec2::new(stream.below(100) as f32, stream.below(100) as f32),
        };
        // So many that a sample decides on most cuts.
        let centers: Vec<_> = (0..20_000).map(&mut place).collect();
        let bodies = Bodies::points(&centers);
        let mut tree = KdTree::new(FIELD);
        tree.set_knob(LEAF_SIZE, 6.0);
        tree.rebuild(bodies, &mut ());
        tree.validate(bodies).expect("a tree");
        // Five thousand leaves are thirteen levels of halves.
        assert!((13..=17).contains(&height(&tree)), "{}", height(&tree));
        assert!(tree.built_height <= 6, "{}", tree.built_height);
    }
}

#[test]
fn a_crowd_that_comes_to_one_spot_one_by_one_is_halved_like_any_other() {
    let centers = vec![Vec2::new(7.0, 3.0); 2000];
    let alive = |count: usize| -> Vec<bool> { (0..2000).map(|unit| unit < count).collect() };
    let mut tree = KdTree::new(FIELD);
    tree.set_knob(LEAF_SIZE, 4.0);
    for count in 1..=2000 {
        let alive = alive(count);
        let bodies = Bodies {
            alive: &alive,
            ..Bodies::points(&centers)
        };
        let unit = count as UnitId - 1;
        tree.apply(bodies, &[Change::Add(unit)], &mut ());
        if count % 97 == 0 || count < 40 {
            tree.validate(bodies).expect("a tree");
        }
    }
    assert!(height(&tree) < 20, "{}", height(&tree));
    for count in (0..2000).rev() {
        let alive = alive(count);
        let bodies = Bodies {
            alive: &alive,
            ..Bodies::points(&centers)
        };
        tree.apply(bodies, &[Change::Remove(count as UnitId)], &mut ());
        if count % 97 == 0 || count < 40 {
            tree.validate(bodies).expect("a tree");
        }
    }
    assert_eq!((tree.count, tree.nodes.len()), (0, 0));
}

#[test]
fn units_that_hop_about_one_by_one_are_followed_without_a_build() {
    let mut stream = Stream::new(3);
    let mut centers: Vec<_> = (0..3000)
        .map(|_| Vec2::new(stream.below(1000) as f32, stream.below(1000) as f32))
        .collect();
    let mut tree = KdTree::new(FIELD);
    tree.set_knob(LEAF_SIZE, 4.0);
    tree.rebuild(Bodies::points(&centers), &mut ());
    let mut counter = Counter::default();
    for step in 0..1400 {
        let unit = stream.below(3000) as UnitId;
        // Into one corner first, so that leaves and then nodes overflow there and are left empty elsewhere.
        let span = if step < 700 { 40 } else { 1000 };
        centers[unit as usize] = Vec2::new(stream.below(span) as f32, stream.below(span) as f32);
        tree.apply(
            Bodies::points(&centers),
            &[Change::Move(unit)],
            &mut counter,
        );
        if step % 50 == 0 {
            tree.validate(Bodies::points(&centers)).expect("a tree");
        }
    }
    tree.validate(Bodies::points(&centers)).expect("a tree");
    assert_eq!(counter.of(Work::Rebuild), 0);
    assert!(counter.splits > 50 && counter.merges > 10);
    for _ in 0..200 {
        let unit = stream.below(3000) as UnitId;
        centers[unit as usize] = Vec2::new(stream.below(1000) as f32, stream.below(1000) as f32);
        tree.apply(
            Bodies::points(&centers),
            &[Change::Move(unit)],
            &mut counter,
        );
    }
    assert_eq!(counter.of(Work::Rebuild), 1, "half of all crossed a cut");
    assert!(tree.edits < 200);
}

#[test]
fn a_step_within_a_cell_is_written_in_place_and_one_over_a_cut_goes_no_farther_than_needed() {
    let centers: Vec<_> = (0..16).map(|x| Vec2::new(x as f32 * 4.0, 0.0)).collect();
    let mut tree = KdTree::new(FIELD);
    tree.set_knob(LEAF_SIZE, 3.0);
    tree.rebuild(Bodies::points(&centers), &mut ());
    // Cuts at 30, 14 and 46, then 6, 22, 38 and 54. Unit 3 stands at 12.
    let mut moved = centers.clone();
    for (x, place) in [
        (13.9, Work::MoveInPlace),
        (14.1, Work::MoveRelink),
        (31.0, Work::MoveRelink),
    ] {
        moved[3].x = x;
        let mut counter = Counter::default();
        tree.apply(Bodies::points(&moved), &[Change::Move(3)], &mut counter);
        tree.validate(Bodies::points(&moved)).expect("a tree");
        assert_eq!(
            (counter.splits, counter.of(place), counter.of(Work::Rebuild)),
            (0, 1, 0)
        );
    }
}

#[test]
fn the_first_cut_is_across_the_longer_side_and_across_x_where_both_are_as_long() {
    for (width, height, first) in [
        (40.0, 40.0, "x = 30.00"),
        (42.0, 40.0, "x = 31.00"),
        (40.0, 42.0, "y = 31.00"),
    ] {
        let corner = |x: f32, y: f32| Vec2::new(10.0 + width * x, 10.0 + height * y);
        let centers = [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0)];
        let centers = centers.map(|(x, y)| corner(x, y));
        let mut tree = KdTree::new(FIELD);
        tree.set_knob(LEAF_SIZE, 3.0);
        tree.rebuild(Bodies::points(&centers), &mut ());
        let root = tree.root_cell().expect("a tree");
        let (cut, _) = tree.parts(root).expect("an inner node");
        assert_eq!(cut.text(), first);
    }
}

#[test]
fn a_mass_of_moves_is_followed_without_a_build_while_few_cross_a_cut() {
    let mut stream = Stream::new(8);
    let mut centers: Vec<_> = (0..5000)
        .map(|_| Vec2::new(stream.below(1000) as f32, stream.below(1000) as f32))
        .collect();
    let changes: Vec<_> = (0..5000).map(Change::Move).collect();
    let mut tree = KdTree::new(FIELD);
    tree.rebuild(Bodies::points(&centers), &mut ());
    let mut counter = Counter::default();
    for center in &mut centers {
        *center += Vec2::new(stream.below(3) as f32, stream.below(3) as f32);
    }
    tree.apply(Bodies::points(&centers), &changes, &mut counter);
    tree.validate(Bodies::points(&centers)).expect("a tree");
    let (stayed, left) = (counter.of(Work::MoveInPlace), counter.of(Work::MoveRelink));
    assert_eq!((stayed + left, counter.of(Work::Rebuild)), (5000, 0));
    assert!(stayed > left && left > 0);
}
