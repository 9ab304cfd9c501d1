//! Small battles, each showing one behaviour.

use super::*;
use crate::measure::simulate::index_for;
use crate::partition::Kind;
use crate::probe::{Abandoned, Cancel, Counter, Listening, Patient, Probe, Trace};
use crate::scene::{Formation, StructureChoice, View};

const FIELD: Aabb = Aabb::new(Vec2::ZERO, Vec2::new(200.0, 100.0));

fn army(side: Side, order: Order, formation: Formation, count: u32) -> Army {
    Army {
        side,
        count,
        formation,
        order,
        speed: 6.0,
        reach: 1.5,
        sight: 40.0,
        hit_points: 40,
        size: Size::Point,
        without: Vec::new(),
        moved: Vec::new(),
        sized: Vec::new(),
    }
}

fn at(side: Side, order: Order, positions: &[(f32, f32)]) -> Army {
    let positions: Vec<Vec2> = positions.iter().map(|p| Vec2::from(*p)).collect();
    let count = positions.len() as u32;
    army(side, order, Formation::Explicit(positions), count)
}

fn scene(armies: Vec<Army>) -> Scene {
    Scene {
        name: "test".into(),
        caption: String::new(),
        field: FIELD,
        seed: 5,
        reach_scale: 1.0,
        keep_apart: Scene::KEEP_APART,
        armies,
        world: None,
        volume: None,
        structure: StructureChoice {
            kind: Kind::AllPairs,
            knobs: Vec::new(),
        },
        lanes: Vec::new(),
        camera: None,
        view: View::default(),
        character: None,
    }
}

/// Two armies that charge at each other, of points or of mixed sizes, some outside the field.
fn charge(size: Size) -> Scene {
    let left = Aabb::new(Vec2::new(-10.0, 20.0), Vec2::new(40.0, 80.0));
    let right = Aabb::new(Vec2::new(70.0, 20.0), Vec2::new(110.0, 80.0));
    let mut armies = vec![
        army(Side::Blue, Order::Charge, Formation::Ranks(left), 120),
        army(Side::Orange, Order::Charge, Formation::Uniform(right), 110),
        at(Side::Orange, Order::Brawl, &[(-300.0, 1e6), (55.0, 50.0)]),
        at(
            Side::Blue,
            Order::March(Vec2::new(0.0, -3.0)),
            &[(9.0, 9.0)],
        ),
    ];
    for army in &mut armies {
        army.size = size;
    }
    scene(armies)
}

/// Lets a step pass, and tells the index what it changed.
fn step<U: Probe, Q: Fork>(
    battle: &mut Battle,
    index: &mut AnyPartition,
    threads: usize,
    update: &mut U,
    query: &mut Q,
) -> StepSummary {
    let summary = battle.step(index, threads, query, &mut ());
    index.apply(battle.bodies(), battle.changes(), update);
    summary
}

/// Runs a battle and returns it with its index, which has been validated along the way.
fn run(scene: &Scene, ticks: u64, threads: usize) -> (Battle, AnyPartition) {
    let mut battle = Battle::new(scene);
    let mut index = index_for(scene, &battle);
    for tick in 0..ticks {
        step(&mut battle, &mut index, threads, &mut (), &mut ());
        if tick % 50 == 0 {
            assert_eq!(index.validate(battle.bodies()), Ok(()));
        }
    }
    assert_eq!(index.validate(battle.bodies()), Ok(()));
    (battle, index)
}

#[test]
fn every_structure_and_thread_count_gives_the_same_battle() {
    for size in [Size::Point, Size::Between(0.2, 1.5)] {
        let mut scene = charge(size);
        let expected = run(&scene, 400, 1).0;
        let standing = expected.count(Side::Blue) + expected.count(Side::Orange);
        assert!(standing < 200, "{standing} still stand");
        for &kind in Kind::ALL {
            scene.structure.kind = kind;
            for threads in [1, 2, 15] {
                let (battle, _) = run(&scene, 400, threads);
                assert_eq!(battle.hash(), expected.hash(), "{kind:?}, {threads}");
            }
        }
    }
}

/// Wanderers, marchers and some who stand, of whom many meet, many stand on one spot and some fall.
fn brawl(size: Size) -> Scene {
    let field = Formation::Uniform(Aabb::new(Vec2::ZERO, Vec2::splat(30.0)));
    let spot = [(15.0, 15.0); 9];
    let mut armies = vec![
        army(Side::Blue, Order::Brawl, field.clone(), 150),
        army(Side::Orange, Order::Brawl, field.clone(), 140),
        at(Side::Orange, Order::Hold, &spot),
        at(Side::Blue, Order::Hold, &spot),
        army(Side::Blue, Order::March(Vec2::new(2.0, -1.0)), field, 20),
    ];
    armies[0].hit_points = 15;
    for army in &mut armies {
        army.size = size;
    }
    scene(armies)
}

#[test]
fn in_whichever_rows_it_is_fought_the_battle_is_the_same() {
    for (size, kind) in [
        (Size::Point, Kind::SortedGrid),
        (Size::Between(0.2, 1.5), Kind::Quadtree),
    ] {
        let mut scene = brawl(size);
        scene.structure.kind = kind;
        for threads in [1, 3] {
            let mut in_order = Battle::new(&scene);
            let mut in_strips = Battle::mustered(&scene, 0);
            assert_ne!(in_order.positions(), in_strips.positions());
            let mut fallen = 0;
            let mut indices = [&in_order, &in_strips].map(|battle| index_for(&scene, battle));
            for tick in 0..200 {
                let mut summaries = [StepSummary::default(); 2];
                for ((battle, index), summary) in [&mut in_order, &mut in_strips]
                    .into_iter()
                    .zip(&mut indices)
                    .zip(&mut summaries)
                {
                    battle.scratch.hashes = true;
                    *summary = step(battle, index, threads, &mut (), &mut ());
                    let hash = summary.hash.take().map(|begun| battle.finish_hash(begun));
                    assert_eq!(hash, Some(battle.hash()), "tick {tick}, on the way");
                }
                assert_eq!(summaries[0], summaries[1], "tick {tick}");
                assert_eq!(in_order.hash(), in_strips.hash(), "tick {tick}");
                fallen += summaries[0].fallen;
            }
            assert!(fallen > 50, "{fallen} fell");
            for row in 0..in_order.positions().len() as UnitId {
                let name = in_strips.names.of(row);
                let target = in_strips.target(row).map(|row| in_strips.names.of(row));
                assert_eq!(target, in_order.target(name), "{name}'s target");
            }
        }
    }
}

#[test]
fn what_a_step_remembers_is_of_no_other_battle_and_of_no_other_time() {
    let scene = brawl(Size::Point);
    let in_order = Battle::new(&scene);
    let in_strips = Battle::mustered(&scene, 0);
    let mut again = in_strips.clone();
    let mut index = index_for(&scene, &again);
    for _ in 0..120 {
        step(&mut again, &mut index, 1, &mut (), &mut ());
    }
    let later = again.clone();
    // Of a battle of the same seed whose rows are of others, of another one later, and of this one before it goes back.
    let mut remembered = Decision::default();
    for (battle, ticks) in [
        (&in_order, 50),
        (&in_strips, 120),
        (&later, 99),
        (&in_strips, 120),
    ] {
        let mut battle = battle.clone();
        battle.scratch = remembered;
        let mut index = index_for(&scene, &battle);
        for _ in 0..ticks {
            step(&mut battle, &mut index, 1, &mut (), &mut ());
        }
        if ticks == 120 {
            assert_eq!(battle.hash(), again.hash());
        }
        remembered = std::mem::take(&mut battle.scratch);
    }
}

#[test]
fn a_wanderer_turns_when_it_would_without_a_memory_of_its_course() {
    let scene = brawl(Size::Point);
    for tick in [0, 77, u64::from(u32::MAX) - 100, (1 << 31) - 100] {
        let mut battles = [Battle::new(&scene), Battle::new(&scene)];
        let mut index = index_for(&scene, &battles[0]);
        for battle in &mut battles {
            battle.tick = tick;
        }
        for _ in 0..200 {
            let [remembers, forgets] = &mut battles;
            forgets.scratch = Decision::default();
            let mut still = index.clone();
            step(forgets, &mut still, 1, &mut (), &mut ());
            step(remembers, &mut index, 1, &mut (), &mut ());
            assert_eq!(remembers.hash(), forgets.hash(), "tick {}", forgets.tick());
        }
    }
}

#[test]
fn who_charges_in_strips_does_the_same_under_every_structure_and_thread_count() {
    let mut scene = charge(Size::Between(0.2, 1.5));
    let mut hashes = Vec::new();
    for &kind in Kind::ALL {
        scene.structure.kind = kind;
        for threads in [1, 3] {
            let mut battle = Battle::mustered(&scene, 0);
            let mut index = index_for(&scene, &battle);
            for _ in 0..150 {
                step(&mut battle, &mut index, threads, &mut (), &mut ());
            }
            hashes.push(battle.hash());
        }
    }
    assert!(hashes.iter().all(|hash| *hash == hashes[0]), "{hashes:x?}");
}

#[test]
fn the_fingerprint_of_a_battle_is_known() {
    // The same in every build profile and on every machine; changes only when the rules of the battle do.
    let (battle, _) = run(&charge(Size::Between(0.2, 1.5)), 200, 1);
    assert_eq!(format!("{:016x}", battle.hash()), "4f9a7e5f6e757147");
}

#[test]
fn a_probe_changes_nothing_and_hears_the_same_on_every_thread() {
    let scene = charge(Size::Point);
    let (mut heard, never) = (Vec::new(), Cancel::default());
    for threads in [1, 2, 3] {
        let mut battle = Battle::new(&scene);
        let mut index = index_for(&scene, &battle);
        let mut query = (Counter::default(), Trace::with_cap(100));
        let mut update = Patient::new(Counter::default(), &never);
        let mut hits = 0;
        for _ in 0..100 {
            let summary = step(&mut battle, &mut index, threads, &mut update, &mut query);
            hits += summary.pairs;
        }
        assert_eq!(battle.hash(), run(&scene, 100, 1).0.hash());
        assert!(query.0.hits >= hits && query.1.dropped() > 0);
        heard.push((query.0, hits));
    }
    assert_eq!(heard[0], heard[1]);
    assert_eq!(heard[0], heard[2]);
}

#[test]
fn a_charge_meets_and_units_fall_and_leave_the_index() {
    let scene = scene(vec![
        at(Side::Blue, Order::Charge, &[(10.0, 50.0), (10.0, 52.0)]),
        at(Side::Orange, Order::Charge, &[(60.0, 51.0)]),
    ]);
    let (battle, index) = run(&scene, 1200, 1);
    assert_eq!(battle.count(Side::Orange), 0);
    assert!(battle.count(Side::Blue) > 0);
    assert!(!battle.alive()[2]);
    let everywhere = Aabb::new(Vec2::splat(-1e6), Vec2::splat(1e6));
    index.range(battle.bodies(), everywhere, &mut (), |unit| {
        assert_ne!(unit, 2, "the fallen are in no query");
    });
}

#[test]
fn a_charge_beyond_sight_goes_straight_at_the_enemys_line() {
    let scene = scene(vec![
        at(Side::Blue, Order::Charge, &[(10.0, 20.0)]),
        at(Side::Orange, Order::Hold, &[(150.0, 80.0)]),
    ]);
    let (battle, _) = run(&scene, 60, 1);
    assert!(battle.positions()[0].x > 13.0);
    assert_eq!(battle.positions()[0].y, 20.0);
    // Arrived where the line should be, it goes on to whoever there is.
    let (battle, _) = run(&scene, 3000, 1);
    assert!(battle.count(Side::Blue) == 0 || battle.count(Side::Orange) == 0);
}

#[test]
fn where_friends_keep_far_apart_a_charge_is_at_the_enemys_line_no_sooner() {
    let mut scene = scene(vec![
        at(Side::Blue, Order::Charge, &[(10.0, 20.0)]),
        at(Side::Orange, Order::Hold, &[(55.0, 50.0)]),
    ]);
    for army in &mut scene.armies {
        army.sight = 10.0;
    }
    scene.keep_apart = 50.0;
    let (battle, _) = run(&scene, 60, 1);
    assert!(battle.positions()[0].x > 13.0);
    assert_eq!(battle.positions()[0].y, 20.0);
}

#[test]
fn a_charge_never_ends_with_both_sides_standing_about() {
    // The mean of the enemies is where none of them is.
    let mut scene = scene(vec![
        at(Side::Blue, Order::Charge, &[(100.0, 50.0); 3]),
        at(Side::Orange, Order::Hold, &[(100.0, 0.0), (100.0, 100.0)]),
    ]);
    for army in &mut scene.armies {
        army.sight = 5.0;
    }
    let (battle, _) = run(&scene, 4000, 1);
    assert!(battle.count(Side::Blue) == 0 || battle.count(Side::Orange) == 0);
}

#[test]
fn hold_stands_still_without_contact() {
    let scene = scene(vec![
        at(Side::Blue, Order::Hold, &[(10.0, 10.0), (10.0, 12.0)]),
        at(Side::Orange, Order::Hold, &[(13.0, 10.0)]),
    ]);
    let (battle, _) = run(&scene, 100, 1);
    assert_eq!(battle.positions(), Battle::new(&scene).positions());
    assert_eq!(battle.hit_points(), [40, 40, 40]);
}

#[test]
fn units_strike_only_within_their_own_reach() {
    let mut scene = scene(vec![
        at(Side::Blue, Order::Hold, &[(10.0, 10.0)]),
        at(Side::Orange, Order::Hold, &[(13.0, 10.0)]),
    ]);
    scene.armies[0].reach = 3.0;
    let (battle, _) = run(&scene, 100, 1);
    assert_eq!(battle.hit_points()[0], 40);
    assert!(battle.hit_points()[1] < 40);
    scene.armies[0].reach = 2.99;
    assert_eq!(run(&scene, 100, 1).0.hit_points(), [40, 40]);
}

#[test]
fn everyone_on_one_spot_spreads_and_does_not_explode() {
    let spot = Formation::Spot(Vec2::new(100.0, 50.0));
    let scene = scene(vec![army(Side::Blue, Order::Hold, spot, 500)]);
    let (battle, _) = run(&scene, 20, 1);
    let from_spot = |p: &Vec2| p.distance(Vec2::new(100.0, 50.0));
    assert!(battle.positions().iter().all(|p| from_spot(p) < 2.6));
    let (battle, index) = run(&scene, 1500, 2);
    assert!(battle.positions().iter().all(|p| from_spot(p) < 50.0));
    let mut close = 0;
    index.pairs(battle.bodies(), Scene::KEEP_APART * 0.5, &mut (), |batch| {
        close += batch.len();
    });
    assert!(
        close < 20,
        "{close} pairs are closer than half of what they want"
    );
}

#[test]
fn a_crowd_at_its_distance_comes_to_rest() {
    let spot = Formation::Spot(Vec2::new(100.0, 50.0));
    let scene = scene(vec![army(Side::Blue, Order::Hold, spot, 12)]);
    let (mut battle, mut index) = run(&scene, 1500, 1);
    let before = battle.positions().to_vec();
    let mut update = (Trace::with_cap(10), Counter::default());
    let never = Cancel::default();
    let listening = &mut Listening::new(&mut update, &never);
    step(&mut battle, &mut index, 1, listening, &mut ());
    assert_eq!(battle.positions(), before);
    assert!(
        update.0.events().is_empty(),
        "who rests is no work for the index"
    );
}

#[test]
fn marchers_keep_step_and_turn_around_at_the_border() {
    let east = Order::March(Vec2::new(2.0, 0.0));
    let scene = scene(vec![at(Side::Blue, east, &[(180.0, 50.0), (190.0, 50.0)])]);
    let (battle, _) = run(&scene, 60, 1);
    let [rear, front] = battle.positions() else {
        panic!("two units")
    };
    assert!(front.x > 195.0);
    assert_eq!(front.x - rear.x, 10.0);
    let (battle, _) = run(&scene, 200, 1);
    assert!(battle.velocities().iter().all(|v| v.x < -5.9));
    // Who starts outside comes in.
    let outside = Scene {
        armies: vec![at(Side::Blue, east, &[(-500.0, 50.0), (700.0, 50.0)])],
        ..scene
    };
    assert_eq!(run(&outside, 60, 1).0.velocities()[0].y, 0.0);
}

#[test]
fn wanderers_stay_in_the_field_or_come_back() {
    let scene = scene(vec![
        army(Side::Blue, Order::Brawl, Formation::Uniform(FIELD), 50),
        at(Side::Blue, Order::Brawl, &[(-30.0, -30.0)]),
    ]);
    let (battle, _) = run(&scene, 1500, 1);
    let inside = FIELD.grown(Vec2::splat(3.0));
    assert!(battle.positions().iter().all(|p| inside.contains(*p)));
    assert!(battle.velocities().iter().all(|v| v.length() > 0.1));
}

#[test]
fn the_last_metres_of_the_world_hold() {
    let rim = COORDINATE_LIMIT;
    let mut scene = scene(vec![
        at(
            Side::Blue,
            Order::March(Vec2::X),
            &[(rim, rim), (-rim, 0.0)],
        ),
        at(Side::Orange, Order::Charge, &[(rim, rim)]),
    ]);
    for army in &mut scene.armies {
        army.speed = 1e30;
        army.sight = f32::MAX;
    }
    let (battle, _) = run(&scene, 50, 1);
    let world = Aabb::new(Vec2::splat(-rim), Vec2::splat(rim));
    assert!(battle.positions().iter().all(|p| world.contains(*p)));
}

#[test]
fn nobody_and_a_single_one_fight_too() {
    assert_eq!(run(&scene(Vec::new()), 3, 2).0.tick(), 3);
    for order in [
        Order::Hold,
        Order::Charge,
        Order::Brawl,
        Order::March(Vec2::X),
    ] {
        for threads in [1, 3] {
            let (battle, _) = run(
                &scene(vec![at(Side::Blue, order, &[(3.0, 3.0)])]),
                30,
                threads,
            );
            assert_eq!(battle.count(Side::Blue), 1);
        }
    }
}

#[test]
fn spawned_units_enter_the_index_and_take_the_rows_of_the_fallen() {
    let scene = scene(vec![at(
        Side::Blue,
        Order::Hold,
        &[(1.0, 1.0), (5.0, 5.0), (9.0, 9.0)],
    )]);
    let (mut battle, mut index) = run(&scene, 1, 1);
    assert_eq!(battle.remove(&[1, 1, 77]).units(), [1]);
    index.apply(battle.bodies(), battle.changes(), &mut ());
    assert_eq!(index.validate(battle.bodies()), Ok(()));
    assert_eq!((battle.count(Side::Blue), battle.template(9)), (2, None));
    let template = Template {
        size: Size::Between(0.5, 1.0),
        ..Template::from(&scene.armies[0])
    };
    let places = [Vec2::new(20.0, 20.0), Vec2::new(-7.0, 1e5)];
    let edit = battle.spawn(Side::Orange, &template, &places);
    assert_eq!(edit.map(|edit| edit.units().to_vec()), Ok(vec![1, 3]));
    // The first bodies with a size.
    index.rebuild(battle.bodies(), &mut ());
    assert_eq!(index.validate(battle.bodies()), Ok(()));
    assert_eq!(battle.count(Side::Orange), 2);
    assert_eq!(battle.template(3), Some(&template));
    assert_eq!(battle.half_extents()[0], Vec2::ZERO);
    assert!(battle.half_extents()[3].x >= 0.5);
    step(&mut battle, &mut index, 1, &mut (), &mut ());
    assert_eq!(index.validate(battle.bodies()), Ok(()));
}

#[test]
fn commands_at_the_same_tick_give_the_same_battle() {
    let scene = charge(Size::Point);
    let mut hashes = Vec::new();
    for &kind in Kind::ALL {
        let scene = Scene {
            structure: StructureChoice {
                kind,
                knobs: Vec::new(),
            },
            ..scene.clone()
        };
        let (mut battle, mut index) = run(&scene, 150, 1);
        battle.remove(&(0..40).collect::<Vec<_>>());
        index.apply(battle.bodies(), battle.changes(), &mut ());
        let template = Template {
            size: Size::Between(0.1, 0.7),
            ..Template::from(&scene.armies[0])
        };
        let places: Vec<Vec2> = (0..60).map(|i| Vec2::new(50.0, i as f32)).collect();
        let spawned = battle.spawn(Side::Blue, &template, &places);
        assert!(spawned.is_ok());
        index.rebuild(battle.bodies(), &mut ());
        battle.set_order(Side::Orange, Order::Brawl);
        battle.set_reach_scale(2.0);
        for _ in 0..100 {
            step(&mut battle, &mut index, 2, &mut (), &mut ());
        }
        assert_eq!(index.validate(battle.bodies()), Ok(()));
        hashes.push(battle.hash());
    }
    assert!(hashes.iter().all(|hash| *hash == hashes[0]));
}

#[test]
fn orders_and_reach_can_change() {
    let scene = scene(vec![at(Side::Blue, Order::Charge, &[(3.0, 3.0)])]);
    let (mut battle, mut index) = run(&scene, 1, 1);
    assert_eq!(battle.order(Side::Blue), Order::Charge);
    assert_eq!(battle.order(Side::Orange), Order::Hold);
    battle.set_order(Side::Blue, Order::March(Vec2::new(0.0, 9.0)));
    for _ in 0..60 {
        step(&mut battle, &mut index, 1, &mut (), &mut ());
    }
    assert!((battle.velocities()[0] - Vec2::new(0.0, 6.0)).length() < 1e-3);
    // A direction that is none stands.
    battle.set_order(Side::Blue, Order::March(Vec2::NAN));
    for _ in 0..60 {
        step(&mut battle, &mut index, 1, &mut (), &mut ());
    }
    assert_eq!(battle.velocities()[0], Vec2::ZERO);
    assert_eq!(battle.pair_reach(), Scene::KEEP_APART);
    battle.set_reach_scale(4.0);
    assert_eq!(battle.pair_reach(), 6.0);
    battle.set_reach_scale(f32::NAN);
    assert_eq!(battle.pair_reach(), 6.0);
}

#[test]
fn what_may_not_enter_is_named_and_nothing_enters() {
    let scene = scene(vec![at(Side::Blue, Order::Hold, &[(3.0, 3.0)])]);
    let (mut battle, _) = run(&scene, 1, 1);
    let good = Template::from(&scene.armies[0]);
    let before = battle.hash();
    for position in [
        Vec2::new(f32::NAN, 0.0),
        Vec2::new(0.0, f32::INFINITY),
        Vec2::new(-2e9, 0.0),
    ] {
        let error = battle.spawn(Side::Blue, &good, &[Vec2::ONE, position]);
        assert!(matches!(error, Err(SpawnError::Position { unit: 1, .. })));
    }
    let bad = |change: fn(&mut Template)| {
        let mut template = good;
        change(&mut template);
        template
    };
    for template in [
        bad(|t| t.speed = -1.0),
        bad(|t| t.reach = f32::NAN),
        bad(|t| t.sight = f32::INFINITY),
        bad(|t| t.hit_points = 0),
    ] {
        let error = battle.spawn(Side::Blue, &template, &[Vec2::ONE]);
        assert!(
            matches!(error, Err(SpawnError::Template { .. })),
            "{error:?}"
        );
    }
    let template = bad(|t| t.size = Size::Fixed(Vec2::new(1.0, -1.0)));
    let error = battle.spawn(Side::Blue, &template, &[Vec2::ONE]);
    assert!(matches!(error, Err(SpawnError::HalfExtent { unit: 0, .. })));
    let crowd = vec![Vec2::ONE; UNIT_LIMIT];
    let error = battle.spawn(Side::Blue, &good, &crowd);
    assert_eq!(
        error.map(|_| ()).map_err(|e| e.to_string()),
        Err("a battle holds at most 2000000 units (1 present, 2000000 more asked for)".into())
    );
    assert_eq!(battle.hash(), before);
}

#[test]
fn a_large_body_is_pushed_from_its_edge() {
    let mut scene = scene(vec![
        at(Side::Blue, Order::Hold, &[(50.0, 50.0)]),
        at(Side::Blue, Order::Hold, &[(56.0, 50.0)]),
    ]);
    scene.armies[0].size = Size::Fixed(Vec2::splat(5.0));
    let (battle, _) = run(&scene, 600, 1);
    let gap = battle.positions()[1].x - battle.positions()[0].x - 5.0;
    assert!((gap - Scene::KEEP_APART).abs() < 0.02, "{gap}");
}

/// Two bodies of these half extents that hold, their middles so far apart along x, and how far apart units of theirs keep.
fn two_bodies([one, other]: [f32; 2], distance: f32, keep_apart: f32) -> Scene {
    let mut scene = scene(vec![
        at(Side::Blue, Order::Hold, &[(50.0, 50.0)]),
        at(Side::Blue, Order::Hold, &[(50.0 + distance, 50.0)]),
    ]);
    for (army, half) in scene.armies.iter_mut().zip([one, other]) {
        (army.size, army.reach) = (Size::Fixed(Vec2::splat(half)), 0.0);
    }
    scene.keep_apart = keep_apart;
    scene
}

#[test]
fn bodies_keep_as_far_apart_as_they_are_told_to() {
    for keep_apart in [0.0, 0.25, 1.0, 2.0, 7.5, 100.0] {
        for sizes in [[5.0, 1.0], [0.0, 0.0], [3.0, 3.0]] {
            // On one spot, on each other, and a little nearer than they should be.
            for distance in [0.0, 0.1, sizes[0] + sizes[1] + 0.5 * keep_apart] {
                let scene = two_bodies(sizes, distance, keep_apart);
                let (battle, _) = run(&scene, 3000, 1);
                assert_eq!(battle.pair_reach(), keep_apart);
                let bodies = battle.bodies();
                let gap = bodies.aabb(0).gap_sq(bodies.aabb(1)).sqrt();
                // Points that may touch may stand on one spot.
                let is_there = (gap - keep_apart).abs() < 0.02 + 0.002 * keep_apart
                    || (keep_apart == 0.0 && gap <= distance);
                assert!(is_there, "{keep_apart} {sizes:?} {distance}: {gap}");
                let way = battle.positions()[1] - battle.positions()[0];
                let overlap = (Vec2::splat(sizes[0] + sizes[1]) - way.abs()).min_element();
                assert!(overlap < 0.02, "{keep_apart} {sizes:?} {distance}: {way}");
            }
        }
    }
}

#[test]
fn where_units_may_touch_a_pair_is_who_touches_or_overlaps() {
    for (distance, is_pair) in [(6.0, true), (6.001, false), (5.9, true), (0.0, true)] {
        let scene = two_bodies([5.0, 1.0], distance, 0.0);
        for &kind in Kind::ALL {
            let scene = Scene {
                structure: StructureChoice::new(kind),
                ..scene.clone()
            };
            let mut battle = Battle::new(&scene);
            let mut index = index_for(&scene, &battle);
            let before = battle.positions().to_vec();
            let summary = step(&mut battle, &mut index, 1, &mut (), &mut ());
            assert_eq!(summary.pairs, u64::from(is_pair), "{kind:?} {distance}");
            // Who only touches is not pushed.
            let is_pushed = battle.positions() != before;
            assert_eq!(is_pushed, distance < 6.0, "{kind:?} {distance}");
        }
    }
    // With a reach, who is within it.
    let mut scene = two_bodies([5.0, 1.0], 7.5, 0.0);
    scene.armies[1].reach = 1.5;
    assert_eq!(Battle::new(&scene).pair_reach(), 1.5);
}

#[test]
fn however_far_apart_units_keep_every_structure_and_thread_count_gives_the_same_battle() {
    for (size, keep_apart) in [
        (Size::Point, 0.0),
        (Size::Between(0.2, 1.5), 0.0),
        (Size::Between(0.2, 4.0), 0.5),
        (Size::Between(0.2, 1.5), 30.0),
    ] {
        let mut scene = charge(size);
        scene.keep_apart = keep_apart;
        // Of both sides some stand on one spot.
        for side in [Side::Blue, Side::Orange] {
            let mut heap = at(side, Order::Brawl, &[(50.0, 50.0); 9]);
            heap.size = size;
            scene.armies.push(heap);
        }
        let expected = run(&scene, 200, 1).0;
        assert!(expected.positions().iter().all(|at| at.is_finite()));
        for &kind in Kind::ALL {
            scene.structure.kind = kind;
            for threads in [1, 3] {
                let (battle, _) = run(&scene, 200, threads);
                let hash = battle.hash();
                assert_eq!(hash, expected.hash(), "{keep_apart}, {kind:?}, {threads}");
            }
        }
    }
}

#[test]
fn how_far_units_keep_apart_is_held_within_its_limits_and_taken_back() {
    let mut scene = charge(Size::Point);
    let (mut battle, mut index) = run(&scene, 5, 1);
    for (told, kept) in [
        (-1.0, 0.0),
        (1.0e9, 100.0),
        (f32::NAN, 2.0),
        (-0.0, 0.0_f32),
    ] {
        scene.keep_apart = told;
        let begun = Battle::new(&scene).keep_apart();
        assert_eq!(begun.to_bits(), kept.to_bits(), "{told}");
    }
    for (told, kept) in [(-1.0, 0.0), (1.0e9, 100.0), (f32::NAN, 100.0), (0.5, 0.5)] {
        battle.set_keep_apart(told);
        assert_eq!(battle.keep_apart(), kept, "{told}");
    }
    assert_eq!(battle.pair_reach(), 1.5);
    let edit = battle.set_keep_apart(4.0);
    step(&mut battle, &mut index, 1, &mut (), &mut ());
    let redo = battle.revert(&edit);
    assert_eq!(battle.keep_apart(), 0.5);
    battle.revert(&redo);
    assert_eq!(battle.keep_apart(), 4.0);
}

/// Everything that a copy of a battle keeps, in words.
fn truth(battle: &Battle) -> String {
    let copy = Battle {
        changes: Changes::default(),
        last_revision: 0,
        ..battle.clone()
    };
    format!("{copy:?}")
}

#[test]
fn edits_without_a_step_between_are_taken_back_to_the_last_bit() {
    for size in [Size::Point, Size::Between(0.2, 1.5)] {
        let scene = charge(size);
        let (mut battle, _) = run(&scene, 200, 1);
        let template = Template {
            size: Size::Between(0.1, 0.7),
            ..Template::from(&scene.armies[0])
        };
        let places: Vec<Vec2> = (0..90).map(|i| Vec2::new(40.0, i as f32)).collect();
        let standing: Vec<UnitId> = battle.bodies().ids().collect();
        let mut states = vec![truth(&battle)];
        let mut receipts = Vec::new();
        for turn in 0..7 {
            let edit = match turn {
                0 => battle.spawn(Side::Orange, &template, &places),
                1 => Ok(battle.remove(&standing[3..40])),
                2 => Ok(battle.set_order(Side::Blue, Order::Brawl)),
                3 => battle.place(&[(standing[0], Vec2::splat(7.0))]),
                4 => Ok(battle.set_reach_scale(3.0)),
                5 => Ok(battle.set_keep_apart(0.5)),
                _ => battle.spawn(Side::Blue, &template, &places[..5]),
            };
            receipts.push(edit.unwrap());
            states.push(truth(&battle));
        }
        let mut again = Vec::new();
        for (edit, before) in receipts.iter().zip(&states).rev() {
            again.push(battle.revert(edit));
            assert_eq!(truth(&battle), *before);
        }
        for (edit, after) in again.iter().rev().zip(&states[1..]) {
            battle.revert(edit);
            assert_eq!(truth(&battle), *after);
        }
    }
}

#[test]
fn after_steps_an_edit_is_taken_back_and_time_is_not() {
    let scene = charge(Size::Point);
    let (mut battle, mut index) = run(&scene, 100, 1);
    let standing: Vec<UnitId> = battle.bodies().ids().collect();
    let before = battle.positions()[standing[5] as usize];
    let gone = battle.remove(&standing[5..9]);
    index.apply(battle.bodies(), battle.changes(), &mut ());
    let template = Template::from(&scene.armies[0]);
    let placed = battle
        .spawn(Side::Blue, &template, &[Vec2::splat(-50.0); 9])
        .unwrap();
    index.apply(battle.bodies(), battle.changes(), &mut ());
    for _ in 0..30 {
        step(&mut battle, &mut index, 1, &mut (), &mut ());
    }
    let (tick, count) = (battle.tick(), battle.bodies().count());
    let stood = placed
        .units()
        .iter()
        .filter(|unit| battle.bodies().is_alive(**unit))
        .count();
    let redo = battle.revert(&placed);
    index.apply(battle.bodies(), battle.changes(), &mut ());
    assert_eq!(battle.bodies().count(), count - stood);
    battle.revert(&gone);
    index.apply(battle.bodies(), battle.changes(), &mut ());
    assert_eq!(battle.bodies().count(), count - stood + 4);
    assert_eq!(battle.positions()[standing[5] as usize], before);
    battle.revert(&redo);
    index.apply(battle.bodies(), battle.changes(), &mut ());
    assert_eq!(battle.bodies().count(), count + 4);
    assert_eq!(battle.tick(), tick, "time is not turned back");
    assert_eq!(index.validate(battle.bodies()), Ok(()));
    step(&mut battle, &mut index, 1, &mut (), &mut ());
    assert_eq!(index.validate(battle.bodies()), Ok(()));
}

#[test]
fn a_step_that_is_abandoned_changes_nothing() {
    let scene = charge(Size::Point);
    let (mut battle, mut index) = run(&scene, 150, 1);
    let cancel = Cancel::default();
    let before = truth(&battle);
    cancel.cancel();
    for threads in [1, 2] {
        let mut query = Patient::new(Counter::default(), &cancel);
        let attempt = Cancel::attempt(|| battle.step(&index, threads, &mut query, &mut ()));
        assert_eq!(attempt, Err(Abandoned));
        assert_eq!(truth(&battle), before);
    }
    for _ in 0..50 {
        step(&mut battle, &mut index, 1, &mut (), &mut ());
    }
    assert_eq!(battle.hash(), run(&scene, 200, 1).0.hash());
}

#[test]
fn what_was_tested_for_the_nearest_enemies_is_told_apart_on_one_thread_and_on_several() {
    let scene = charge(Size::Point);
    let battle = Battle::new(&scene);
    let index = index_for(&scene, &battle);
    let units = battle.bodies().ids().count() as u64;
    let never = Cancel::default();
    for threads in [1, 3] {
        let mut decision = Decision::default();
        let mut query = Patient::new(Counter::default(), &never);
        battle.decide(&mut decision, &index, threads, &mut query, &mut ());
        // Without a structure each search looks at everybody, and the pairs are the double loop.
        assert!(decision.lookups > 0);
        assert_eq!(decision.lookup_tests, u64::from(decision.lookups) * units);
        let pairs = query.probe.tests - decision.lookup_tests;
        assert_eq!(pairs, units * (units - 1) / 2, "{threads} threads");
        // Who counts nothing has nothing to tell apart.
        battle.decide(&mut decision, &index, threads, &mut (), &mut ());
        assert_eq!(decision.lookup_tests, 0);
    }
}
