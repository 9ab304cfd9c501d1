//! Structures beside each other: how many may follow, that they answer alike, in which order they do, and what is kept of them.

use super::tests::{act, cancel, choices, run, skirmish, state};
use super::*;
use crate::battle::{Difference, PairFault};
use crate::partition::{Bodies, Change, Kind};
use crate::scene::{StructureChoice, file as scene_file};

#[test]
fn one_lane_too_many_is_refused_and_lanes_are_kept_in_the_scene() {
    let mut session = skirmish(60);
    for cell_size in ["6", "12", "24"] {
        let knobs = vec![("cell_size".to_owned(), cell_size.to_owned())];
        act(
            &mut session,
            Action::AddLane("linked-grid".to_owned(), knobs),
        );
    }
    let before = state(&session);
    let refusal = session
        .apply(
            Action::AddLane("bvh".to_owned(), Vec::new()),
            false,
            &cancel(),
        )
        .unwrap_err();
    assert_eq!(refusal.to_string(), "at most 4 lanes follow a battle");
    assert_eq!(state(&session), before);
    // A structure that would keep the others waiting for ever is no lane of many units.
    let mut many = skirmish(100_001);
    let every_pair = Action::AddLane("all-pairs".to_owned(), Vec::new());
    let refusal = many.apply(every_pair, false, &cancel()).unwrap_err();
    assert!(
        refusal
            .to_string()
            .contains("at most 100000 units (found 100001)"),
        "{refusal}"
    );
    assert_eq!(many.lanes().len(), 1);
    let every_pair = Action::AddLane("all-pairs".to_owned(), Vec::new());
    act(&mut session, Action::DropLane(1));
    act(&mut session, every_pair);
    let refusal = session
        .apply(Action::Units(200_000), false, &cancel())
        .unwrap_err();
    assert!(refusal.to_string().contains("(found 200000)"), "{refusal}");
    act(&mut session, Action::Undo);
    act(&mut session, Action::Undo);
    let scene = Scene::clone(session.scene());
    assert_eq!(scene.lanes.len(), 3);
    let text = scene_file::format(&scene);
    let read = scene_file::parse(text.as_bytes(), "lanes").unwrap();
    assert_eq!(read, scene);
    let again = Session::new(read, Path::new("scenes")).0;
    assert_eq!(choices(&again), choices(&session));
}

#[test]
fn lanes_answer_alike_and_a_wrong_answer_is_caught_in_its_tick() {
    let mut scene = scene_file::built_in();
    scene.scale_units(400);
    scene.lanes = Kind::ALL
        .iter()
        .copied()
        .map(StructureChoice::new)
        .collect();
    let mut session = Session::new(scene, Path::new("")).0;
    run(&mut session, 400);
    for lane in session.lanes() {
        assert_eq!(lane.difference, None, "{:?}", lane.kind());
    }
    let pairs: Vec<u64> = session.lanes().iter().map(|lane| lane.cost.pairs).collect();
    assert!(pairs.iter().all(|count| *count == pairs[0] && *count > 0));
    let alone = {
        let mut session = skirmish(400);
        run(&mut session, 400);
        session.hash()
    };
    assert_eq!(session.hash(), alone, "more lanes change nothing");

    // A structure that has lost a unit misses its pairs.
    let lane = 3;
    let mut found = Vec::new();
    let reach = session.battle.pair_reach();
    let bodies = session.battle.bodies();
    session.lanes[0]
        .index()
        .pairs(bodies, reach, &mut (), |batch| {
            found.extend_from_slice(batch)
        });
    let pair = *found.iter().min().unwrap();
    let alive: Vec<bool> = (0..bodies.slot_count() as UnitId)
        .map(|unit| unit != pair.0 && bodies.is_alive(unit))
        .collect();
    let centers = bodies.centers.to_vec();
    let without = Bodies {
        centers: &centers,
        half_extents: &[],
        alive: &alive,
    };
    session.lanes[lane]
        .index_mut()
        .apply(without, &[Change::Remove(pair.0)], &mut ());
    let tick = session.battle.tick();
    let word = cancel();
    session.decide(&word, &mut ()).unwrap();
    let difference = session.lanes()[lane].difference.unwrap();
    match difference {
        Difference::Pair {
            pair: missed,
            fault,
            ..
        } => {
            assert_eq!(fault, PairFault::Missed);
            assert!(missed.0 == pair.0 || missed.1 == pair.0);
        }
        Difference::Lookup { expected, .. } => assert_eq!(expected, Some(pair.0)),
    }
    assert!(difference.to_string().contains(&format!("tick {tick}")));
    let others = session.lanes().iter().enumerate();
    for (place, other) in others.filter(|(place, _)| *place != lane) {
        assert_eq!(other.difference, None, "lane {place}");
    }
}

#[test]
fn other_structures_alone_and_knobs_of_any_of_them_are_told_apart_from_work() {
    let structure = |kind: Kind| Action::Structure(kind.info().key.to_owned());
    let lane = |kind: Kind| Action::AddLane(kind.info().key.to_owned(), Vec::new());
    let set = |value: &str| Action::Set("capacity".to_owned(), value.to_owned());
    let mut scene = scene_file::built_in();
    scene.structure = StructureChoice::new(Kind::Quadtree);
    scene.structure.set("capacity", "7").unwrap();
    let after = |acts: &[Action]| {
        let (mut session, _) = Session::new(scene.clone(), Path::new("scenes"));
        for action in acts {
            act(&mut session, action.clone());
        }
        session.unsaved()
    };
    let [tree, grid] = [Kind::Quadtree, Kind::SortedGrid].map(structure);
    for acts in [
        &[grid.clone()][..],
        &[lane(Kind::Bvh)],
        &[lane(Kind::Bvh), lane(Kind::LinkedGrid), Action::DropLane(1)],
        &[set("9"), Action::Undo, grid.clone()],
    ] {
        assert_eq!(after(acts), Unsaved::Structures, "{acts:?}");
    }
    for acts in [
        &[set("9")][..],
        &[Action::Defaults],
        &[set("9"), grid.clone()],
        &[
            grid.clone(),
            Action::Set("cell_size".to_owned(), "30".to_owned()),
        ],
    ] {
        assert_eq!(after(acts), Unsaved::Settings, "{acts:?}");
    }
    for acts in [
        &[set("9"), Action::Reach(1.5)][..],
        &[grid.clone(), Action::Reach(1.5)],
        &[
            lane(Kind::Bvh),
            Action::Describe("Mine".to_owned(), String::new()),
        ],
    ] {
        assert_eq!(after(acts), Unsaved::Work, "{acts:?}");
    }
    for acts in [
        &[][..],
        &[grid.clone(), tree],
        &[grid.clone(), Action::Undo],
    ] {
        assert_eq!(after(acts), Unsaved::Nothing, "{acts:?}");
    }
    // A knob that is set as another lane has it is set all the same, also where that structure was left since.
    let mut beside = StructureChoice::new(Kind::Quadtree);
    beside.set("capacity", "9").unwrap();
    scene.lanes = vec![beside];
    let after = |acts: &[Action]| {
        let (mut session, _) = Session::new(scene.clone(), Path::new("scenes"));
        for action in acts {
            act(&mut session, action.clone());
        }
        session.unsaved()
    };
    assert_eq!(after(&[set("9")]), Unsaved::Settings);
    assert_eq!(after(&[set("11"), grid.clone()]), Unsaved::Settings);
    assert_eq!(after(&[grid]), Unsaved::Structures);
}

#[test]
fn knobs_that_a_scene_does_not_keep_are_known() {
    let mut session = skirmish(200);
    let to = |key: &str| Action::Structure(key.to_owned());
    act(&mut session, to("kd-tree"));
    act(&mut session, to("bvh"));
    assert!(session.set_aside().is_empty());
    act(&mut session, to("kd-tree"));
    let knob = Action::Set("leaf_size".to_owned(), "2".to_owned());
    act(&mut session, knob);
    assert!(session.set_aside().is_empty());
    act(&mut session, to("bvh"));
    assert_eq!(session.set_aside(), [StructureKind::Plane(Kind::KdTree)]);
    act(&mut session, Action::Beside("kd-tree".to_owned()));
    assert!(session.set_aside().is_empty());
}

#[test]
fn each_lane_comes_first_as_often_and_after_every_other_one() {
    for count in 1..=4_usize {
        let mut firsts = vec![0; count];
        let mut follows = vec![vec![0; count]; count];
        for tick in 0..24 {
            let order: Vec<usize> = in_turn(count, tick).collect();
            let mut sorted = order.clone();
            sorted.sort_unstable();
            assert_eq!(sorted, (0..count).collect::<Vec<_>>());
            firsts[order[0]] += 1;
            for pair in order.windows(2) {
                follows[pair[0]][pair[1]] += 1;
            }
        }
        assert!(firsts.iter().all(|first| *first == 24 / count), "{count}");
        for (one, row) in follows.iter().enumerate() {
            for (other, times) in row.iter().enumerate() {
                let pairs = count * (count - 1);
                let expected = if one == other {
                    0
                } else {
                    24 * (count - 1) / pairs
                };
                assert_eq!(*times, expected, "{count}: {one} {other}");
            }
        }
    }
    assert_eq!(in_turn(0, 7).count(), 0);
}
