//! Edits: each is taken back and done again, whatever came before it and after it.

use super::action::{Order as OrderWord, Side as SideWord};
use super::tests::{act, cancel, character, choices, paths, run, skirmish, state};
use super::*;
use crate::geometry::Vec2;
use crate::scene::file as scene_file;

/// One of every kind of edit of a battle.
fn edits() -> Vec<Action> {
    vec![
        Action::Spawn(SideWord::Blue, (100.0, 100.0), 12.0, 40),
        Action::Erase((240.0, 150.0), 60.0),
        Action::Order(SideWord::Orange, OrderWord::Brawl),
        Action::Reach(2.5),
        Action::KeepApart(0.5),
        Action::Structure("morton-tree".to_owned()),
        Action::Set("cell_size".to_owned(), "3".to_owned()),
        Action::Remove(vec![0, 1, 2, 3]),
        Action::Spawn(SideWord::Orange, (-50.0, 20.0), 3.0, 7),
        Action::Move(vec![(10, (5.0, 6.0)), (11, (7.0, 8.0))]),
        Action::Shift(Units::new((20..60).collect()), (3.0, -2.0)),
        Action::Size(Units::new((40..70).collect()), 2.5),
        Action::Copy(Units::new((30..90).collect()), (5.0, 5.0)),
        Action::Paste(
            "(version: 1, units: [(side: Orange, formation: Explicit([(1, 2), (3, 4)]), speed: 9, \
             sized: [(1, (2, 3))])])"
                .to_owned(),
            (60.0, 60.0),
        ),
        Action::Strew(
            SideWord::Blue,
            (80.0, 90.0),
            Strewn {
                shape: Shape::Square,
                spread: Spread::Normal,
                radius: 6.0,
                count: 15,
                seed: 3,
                size: Some(BodySize::Between(0.5, 2.0)),
            },
        ),
        Action::Units(321),
        Action::Structure("linked-grid".to_owned()),
        Action::Set("cell_size".to_owned(), "7.5".to_owned()),
        Action::Defaults,
        Action::Restart,
        Action::SwapSides,
        Action::Begin(Beginning {
            hit_points: Some(250),
            units: Some(480),
            field: Some((900.0, 200.0)),
            bodies: Some(BodySize::Pareto(0.5, 4.0, 1.5)),
            seed: Some(77),
            title: Some(("Wide".to_owned(), "A pass.".to_owned())),
            reach: Some(4.0),
            keep_apart: Some(1.5),
            sight: Some(30.0),
            speed: Some(2.5),
            places: Some(Places::Clusters(3, 8.0)),
        }),
        Action::AddLane(
            "morton-tree".to_owned(),
            vec![("cell_size".to_owned(), "4".to_owned())],
        ),
        Action::SetLane(1, "quadtree".to_owned(), Vec::new()),
        Action::DropLane(1),
        Action::Describe("The pass".to_owned(), "Two bands meet.".to_owned()),
    ]
}

#[test]
fn every_edit_is_taken_back_and_done_again() {
    let mut session = skirmish(300);
    run(&mut session, 40);
    let mut states = vec![state(&session)];
    for action in edits() {
        act(&mut session, action);
        states.push(state(&session));
    }
    let last = states.len() - 1;
    for round in 0..2 {
        for place in (0..last).rev() {
            let name = session.undo_name(false);
            act(&mut session, Action::Undo);
            assert_eq!(
                state(&session),
                states[place],
                "undo {name:?}, round {round}"
            );
        }
        assert!(!session.is_unsaved(), "all is undone");
        for expected in &states[1..] {
            let name = session.undo_name(true);
            act(&mut session, Action::Redo);
            assert_eq!(state(&session), *expected, "redo {name:?}, round {round}");
        }
    }
    for lane in session.lanes() {
        lane.index().validate(session.battle.bodies()).unwrap();
    }
}

/// One of every kind of edit of a world.
fn world_edits() -> Vec<Action> {
    let tune = |key: &str, value: &str| Action::Tune(key.to_owned(), value.to_owned());
    vec![
        tune("lead", "95"),
        tune("margin", "12.5"),
        tune("mbps", "3.5"),
        tune("index", "dual"),
        tune("index", "two-trees"),
        tune("memory_cap", "300000"),
        tune("uploads_per_update", "2"),
        Action::TuneDefaults,
        Action::Teleport((120.0, -40.0)),
        Action::Speed(33.0),
        Action::Follow("ride".to_owned()),
        Action::RecordPath,
        Action::KeepPath,
        Action::Straighten("recorded 1".to_owned()),
        Action::RenamePath("ride".to_owned(), "gallop".to_owned()),
        Action::Stand,
        Action::DropPath("gallop".to_owned()),
        Action::PlacePoint("trot".to_owned(), 0, (10.0, 20.0)),
        Action::PlacePoint("trot".to_owned(), u32::MAX, (60.0, -20.0)),
        Action::Follow("trot".to_owned()),
        Action::MovePoint("trot".to_owned(), 1, (80.0, -20.0)),
        Action::DropPoint("trot".to_owned(), 0),
    ]
}

#[test]
fn who_was_led_by_the_hand_goes_back_and_who_walked_stops() {
    let scene = scene_file::read(Path::new("scenes/open-world.ron")).unwrap();
    let (mut session, _) = Session::new(scene, Path::new("scenes"));
    act(&mut session, Action::Stand);
    let from = session.world().unwrap().character().position();
    for x in 0..5 {
        act(&mut session, Action::Lead((100.0 * x as f32, 50.0)));
        run(&mut session, 2);
    }
    act(&mut session, Action::LetGo);
    assert_eq!(
        session.undo_name(false).as_deref(),
        Some("lead the character")
    );
    act(&mut session, Action::Undo);
    assert_eq!(session.world().unwrap().character().position(), from);
    act(&mut session, Action::Redo);
    assert_eq!(
        session.world().unwrap().character().position(),
        Vec2::new(400.0, 50.0)
    );
    act(&mut session, Action::Walk(1.0, 0.0));
    run(&mut session, 10);
    let walked = session.world().unwrap().character().position();
    act(&mut session, Action::Undo);
    run(&mut session, 10);
    assert_eq!(
        session.world().unwrap().character().position(),
        walked,
        "time is not turned back"
    );
}

#[test]
fn taps_of_the_arrow_keys_that_go_on_with_each_other_are_one_edit() {
    let scene = scene_file::read(Path::new("scenes/open-world.ron")).unwrap();
    let (mut session, _) = Session::new(scene, Path::new("scenes"));
    act(&mut session, Action::Follow("ride".to_owned()));
    let undone = |session: &Session| session.redo_count();
    let follows = |session: &Session| session.world().unwrap().character().mover();
    let path = follows(&session);
    let cancel = Cancel::default();
    for tap in 0..6 {
        for (way, more) in [(1.0, tap > 0), (0.0, true)] {
            session
                .apply(Action::Walk(way, 0.0), more, &cancel)
                .unwrap();
        }
    }
    assert_eq!(session.undo_name(false).as_deref(), Some("walk"));
    assert_ne!(follows(&session), path);
    act(&mut session, Action::Undo);
    assert_eq!((follows(&session), undone(&session)), (path, 1));
    // One that goes on with none is an edit of its own.
    for way in [1.0, 0.0, -1.0] {
        act(&mut session, Action::Walk(way, 0.0));
    }
    act(&mut session, Action::Undo);
    assert_ne!(follows(&session), path);
    act(&mut session, Action::Undo);
    assert_eq!(follows(&session), path);
}

#[test]
fn a_tap_behind_another_edit_is_one_of_its_own_and_its_undo_leaves_that_edit() {
    let scene = scene_file::read(Path::new("scenes/open-world.ron")).unwrap();
    let (mut session, _) = Session::new(scene, Path::new("scenes"));
    let cancel = Cancel::default();
    let tap = |session: &mut Session, way: f32, more: bool| {
        for (way, more) in [(way, more), (0.0, true)] {
            session
                .apply(Action::Walk(way, 0.0), more, &cancel)
                .unwrap();
        }
    };
    run(&mut session, 10);
    tap(&mut session, 1.0, false);
    act(&mut session, Action::RemoveObjects(Units::new(vec![0])));
    tap(&mut session, -1.0, true);
    assert_eq!(session.undo_name(false).as_deref(), Some("walk"));
    let more: Vec<bool> = session
        .timeline()
        .acts()
        .iter()
        .map(|act| act.more)
        .collect();
    assert_eq!(more, [false, true, false, false, true]);
    act(&mut session, Action::Undo);
    run(&mut session, 5);
    session.seek(5, &cancel, &mut ()).unwrap();
    assert!(session.unsaved_ahead() == Unsaved::Work);
}

#[test]
fn a_stroke_that_goes_on_behind_another_edit_is_one_of_its_own_and_what_was_done_before_it_is_still_missed()
 {
    let mut session = skirmish(300);
    run(&mut session, 10);
    let cancel = Cancel::default();
    let place = |x: f32| Action::Spawn(SideWord::Blue, (x, 100.0), 12.0, 40);
    act(&mut session, place(150.0));
    session.apply(place(160.0), true, &cancel).unwrap();
    let name = session.undo_name(false);
    act(&mut session, Action::Structure("kd-tree".to_owned()));
    assert_ne!(session.undo_name(false), name);
    for x in [170.0, 180.0] {
        session.apply(place(x), true, &cancel).unwrap();
    }
    let more: Vec<bool> = session
        .timeline()
        .acts()
        .iter()
        .map(|act| act.more)
        .collect();
    assert_eq!(more, [false, true, false, false, true]);
    // The rest of the stroke, and the structure: its beginning stays.
    act(&mut session, Action::Undo);
    act(&mut session, Action::Undo);
    assert_eq!(session.undo_name(false), name);
    run(&mut session, 5);
    session.seek(5, &cancel, &mut ()).unwrap();
    assert!(session.unsaved_ahead() == Unsaved::Work);
    session.seek(15, &cancel, &mut ()).unwrap();
    act(&mut session, Action::Undo);
    assert_eq!(session.undo_name(false), None);
    run(&mut session, 5);
    session.seek(5, &cancel, &mut ()).unwrap();
    assert!(session.unsaved_ahead() == Unsaved::Nothing);
}

#[test]
fn a_stroke_of_the_eraser_that_meets_nobody_in_between_leaves_one_mark_which_undo_takes_away() {
    let mut session = skirmish(30);
    run(&mut session, 3);
    for x in [0.0, 40.0, 80.0] {
        act(
            &mut session,
            Action::Spawn(SideWord::Blue, (x, -500.0), 1.0, 1),
        );
    }
    run(&mut session, 1);
    let marks = |session: &Session| session.timeline().marks().list().len();
    let (before, count) = (marks(&session), session.alive());
    // Once more than units stand, between them and on them.
    for place in 0..9 {
        let dab = Action::Erase((place as f32 * 10.0, -500.0), 4.0);
        session.apply(dab, place > 0, &cancel()).unwrap();
    }
    assert_eq!(session.undo_name(false).as_deref(), Some("erase 3 units"));
    assert_eq!((marks(&session), session.alive()), (before + 1, count - 3));
    act(&mut session, Action::Undo);
    assert_eq!((marks(&session), session.alive()), (before, count));
}

#[test]
fn edits_of_lanes_are_named_by_what_was_done() {
    let mut session = skirmish(30);
    let set = |place: usize, key: &str, knobs: Vec<(String, String)>| {
        Action::SetLane(place, key.to_owned(), knobs)
    };
    let capacity = vec![("capacity".to_owned(), "4".to_owned())];
    for (action, name) in [
        (
            Action::AddLane("kd-tree".to_owned(), Vec::new()),
            "add k-d tree",
        ),
        (set(1, "quadtree", Vec::new()), "choose quadtree"),
        (set(1, "quadtree", capacity), "set knobs of quadtree"),
        (Action::DropLane(1), "drop quadtree"),
    ] {
        act(&mut session, action);
        assert_eq!(session.undo_name(false).as_deref(), Some(name));
    }
}

#[test]
fn knobs_of_another_lane_have_a_mark_beside_that_of_a_switch() {
    let set = |place: usize, key: &str, knob: Option<&str>| {
        let knobs = knob.map(|it| (it.to_owned(), "32".to_owned()));
        Action::SetLane(place, key.to_owned(), knobs.into_iter().collect())
    };
    for (further, marks_of_both) in [
        (set(1, "quadtree", Some("capacity")), 1),
        (set(2, "kd-tree", Some("leaf_size")), 2),
    ] {
        let mut session = skirmish(30);
        for _ in 0..2 {
            let add = Action::AddLane("kd-tree".to_owned(), Vec::new());
            act(&mut session, add);
        }
        let before = session.timeline().marks().list().len();
        for (action, more) in [(set(1, "quadtree", None), false), (further, true)] {
            session.apply(action, more, &cancel()).unwrap();
        }
        let marks = &session.timeline().marks().list()[before..];
        assert_eq!(marks.len(), marks_of_both, "{marks:?}");
        let is_switch = |mark: &Mark| matches!(mark.kind, MarkKind::Switch { lane: 1, .. });
        assert!(is_switch(&marks[0]) && !marks[1..].iter().any(is_switch));
    }
}

#[test]
fn lanes_that_change_places_are_a_swap_and_who_chooses_and_sets_has_chosen() {
    let set = |place: usize, key: &str, knobs: &[(&str, &str)]| {
        let knobs = knobs.iter().map(|it| (it.0.to_owned(), it.1.to_owned()));
        Action::SetLane(place, key.to_owned(), knobs.collect())
    };
    let mut session = skirmish(30);
    let add = |key: &str| Action::AddLane(key.to_owned(), Vec::new());
    for key in ["kd-tree", "bvh"] {
        act(&mut session, add(key));
    }
    let first = session.lanes()[0].kind().info().key;
    // As each lane comes, whatever the scene says of its knobs.
    act(&mut session, set(0, first, &[]));
    let keys = |session: &Session| -> Vec<&str> {
        let lanes = session.lanes().iter();
        lanes.map(|lane| lane.kind().info().key).collect()
    };
    // The first one with another, in either order, and two behind it.
    for (halves, after) in [
        ([(0, "kd-tree"), (1, first)], ["kd-tree", first, "bvh"]),
        ([(1, "kd-tree"), (0, first)], [first, "kd-tree", "bvh"]),
        ([(2, "kd-tree"), (1, "bvh")], [first, "bvh", "kd-tree"]),
    ] {
        for ((place, key), more) in halves.into_iter().zip([false, true]) {
            session
                .apply(set(place, key, &[]), more, &cancel())
                .unwrap();
        }
        assert_eq!(keys(&session), after);
        assert_eq!(session.undo_name(false).as_deref(), Some("swap lanes"));
    }
    // What one more lane is given in the same stroke is no part of a swap.
    session
        .apply(set(0, "linked-grid", &[]), true, &cancel())
        .unwrap();
    assert_eq!(session.undo_name(false).as_deref(), Some("set lanes"));
    act(&mut session, Action::Undo);
    assert_eq!(keys(&session), [first, "kd-tree", "bvh"]);
    // Of one structure that is set otherwise as well.
    let ways = [[("capacity", "4")], [("capacity", "9")]];
    act(&mut session, set(1, "quadtree", &ways[0]));
    act(&mut session, set(2, "quadtree", &ways[1]));
    session
        .apply(set(1, "quadtree", &ways[1]), false, &cancel())
        .unwrap();
    session
        .apply(set(2, "quadtree", &ways[0]), true, &cancel())
        .unwrap();
    assert_eq!(session.undo_name(false).as_deref(), Some("swap lanes"));
    act(&mut session, set(1, "kd-tree", &[]));
    session
        .apply(set(1, "quadtree", &[]), false, &cancel())
        .unwrap();
    session
        .apply(set(1, "quadtree", &ways[0]), true, &cancel())
        .unwrap();
    assert_eq!(session.undo_name(false).as_deref(), Some("choose quadtree"));
}

#[test]
fn another_knob_of_a_lane_under_the_mouse_is_one_edit_also_where_its_structure_was_another_one() {
    let mut session = skirmish(300);
    act(
        &mut session,
        Action::AddLane("quadtree".to_owned(), Vec::new()),
    );
    let set = |key: &str| Action::SetLane(1, key.to_owned(), Vec::new());
    act(&mut session, set("kd-tree"));
    // Undo has both as one, and so has the count of what stands.
    let cancel = Cancel::default();
    session.apply(set("bvh"), true, &cancel).unwrap();
    let acts = session.timeline().acts();
    assert!(acts.last().is_some_and(|act| act.more));
}

#[test]
fn random_sequences_of_every_kind_of_action_are_undone_and_redone() {
    let path = Path::new("scenes/open-world.ron");
    let scene = scene_file::read(path).unwrap();
    let all: Vec<Action> = edits().into_iter().chain(world_edits()).collect();
    for seed in 0..6_u64 {
        let (mut session, _) = Session::new(scene.clone(), Path::new("scenes"));
        run(&mut session, 10 + seed * 7);
        let whole = |session: &Session| {
            let world = session.world().unwrap();
            (
                state(session),
                *world.settings(),
                character(session),
                paths(session),
            )
        };
        let mut states = vec![whole(&session)];
        let mut names = Vec::new();
        for turn in 0..60 {
            let chance = chance::mix(seed << 32 | turn);
            let action = all[chance as usize % all.len()].clone();
            // What the present structure does not have is refused, and what is so already is no edit.
            let before = whole(&session);
            let name = session.undo.next(false).cloned();
            if session.apply(action.clone(), false, &cancel()).is_err() {
                assert_eq!(whole(&session), before, "{action:?}");
            }
            let is_new = match (&name, session.undo.next(false)) {
                (Some(old), Some(new)) => !Arc::ptr_eq(old, new),
                (None, new) => new.is_some(),
                (Some(_), None) => true,
            };
            if is_new {
                states.push(whole(&session));
                names.push(format!("{action:?}"));
            } else {
                assert_eq!(whole(&session), before, "{action:?}");
            }
        }
        assert!(names.len() > 25, "{names:?}");
        for _ in 0..2 {
            for (expected, name) in states.iter().zip(&names).rev() {
                act(&mut session, Action::Undo);
                assert_eq!(whole(&session), *expected, "undo {name}, seed {seed}");
            }
            assert_eq!(session.undo_name(false), None);
            assert!(!session.is_unsaved());
            for (expected, name) in states[1..].iter().zip(&names) {
                act(&mut session, Action::Redo);
                assert_eq!(whole(&session), *expected, "redo {name}, seed {seed}");
            }
        }
        for lane in session.lanes() {
            assert_eq!(lane.index().validate(session.battle.bodies()), Ok(()));
        }
        run(&mut session, 5);
        let report = crate::measure::replay::run(session.recording(), None, &mut |_| {}).unwrap();
        assert_eq!((report.diverged_at, report.hash), (None, session.hash()));
    }
}

#[test]
fn edits_undone_after_ticks_leave_time_alone_and_indices_whole() {
    let mut session = skirmish(300);
    let mut seed = 7_u64;
    for round in 0..120_u64 {
        seed = chance::mix(seed.wrapping_add(round));
        let all = edits();
        let action = match seed % 5 {
            0 if session.undo_name(false).is_some() => Action::Undo,
            1 if session.undo_name(true).is_some() => Action::Redo,
            _ => all[(seed >> 8) as usize % all.len()].clone(),
        };
        let before = session.tick_count();
        // A knob that the present structure does not have, or a lane that is not there, is refused and changes nothing.
        let kept = state(&session);
        if session.apply(action.clone(), false, &cancel()).is_err() {
            assert_eq!(state(&session), kept, "{action:?}");
        }
        assert_eq!(session.tick_count(), before);
        run(&mut session, seed % 4);
        for lane in session.lanes() {
            assert_eq!(lane.difference, None, "{action:?}");
            assert_eq!(
                lane.index().validate(session.battle.bodies()),
                Ok(()),
                "round {round}, {action:?}, {:?}",
                lane.kind()
            );
        }
    }
    // And all of it replays, tick by tick.
    let report = crate::measure::replay::run(session.recording(), None, &mut |_| {}).unwrap();
    assert_eq!(report.diverged_at, None);
    assert_eq!(report.hash, session.hash());
}

#[test]
fn a_restart_keeps_what_was_edited() {
    let mut session = skirmish(400);
    act(&mut session, Action::Reach(3.0));
    act(&mut session, Action::KeepApart(0.5));
    act(&mut session, Action::Erase((0.0, 0.0), 10_000.0));
    act(
        &mut session,
        Action::Spawn(SideWord::Blue, (50.0, 50.0), 9.0, 30),
    );
    act(&mut session, Action::Erase((50.0, 50.0), 4.0));
    let standing = session.alive();
    assert!(standing < 30);
    run(&mut session, 3);
    act(&mut session, Action::Restart);
    assert_eq!(session.alive(), standing);
    assert_eq!(session.battle.reach_scale(), 3.0);
    assert_eq!(session.battle.keep_apart(), 0.5);
    // And so does the file.
    let text = scene_file::format(session.scene());
    let read = scene_file::parse(text.as_bytes(), "edited").unwrap();
    assert_eq!(read, **session.scene());
    assert_eq!(Battle::new(&read).hash(), session.battle.hash());
}

#[test]
fn a_stroke_is_one_edit() {
    let mut session = skirmish(100);
    let before = state(&session);
    for (place, more) in [(0.0, false), (30.0, true), (60.0, true)] {
        let dab = Action::Spawn(SideWord::Blue, (place, 10.0), 3.0, 12);
        session.apply(dab, more, &cancel()).unwrap();
        run(&mut session, 1);
    }
    assert_eq!(session.undo_name(false).as_deref(), Some("place 36 blue"));
    assert_eq!(session.alive(), 136);
    act(&mut session, Action::Undo);
    assert_eq!(session.alive(), 100);
    assert_eq!(session.undo_name(false), None);
    assert_eq!(Scene::clone(session.scene()), before.1);
    for value in ["5", "6", "7"] {
        let set = Action::Set("capacity".to_owned(), value.to_owned());
        session.apply(set, value != "5", &cancel()).unwrap();
    }
    act(&mut session, Action::Undo);
    assert_eq!(choices(&session), before.3);
    for (metres, more) in [(1.5, false), (0.5, true), (-0.0, true)] {
        let set = Action::KeepApart(metres);
        session.apply(set, more, &cancel()).unwrap();
    }
    let kept = |session: &Session| [session.battle.keep_apart(), session.scene().keep_apart];
    assert_eq!(kept(&session).map(f32::to_bits), [0; 2], "a plain zero");
    act(&mut session, Action::Undo);
    assert_eq!(kept(&session), [Scene::KEEP_APART; 2]);
    assert_eq!(session.undo_name(false), None);
}

#[test]
fn a_stroke_that_begins_where_nobody_is_is_no_part_of_the_stroke_before_it() {
    let mut session = skirmish(300);
    let erase = |session: &mut Session, at: Vec2, more: bool| {
        let erase = Action::Erase(at.into(), 12.0);
        session.apply(erase, more, &cancel()).unwrap();
        session.alive()
    };
    let nowhere = Vec2::new(-400.0, -400.0);
    let [first, last] = [0, 299].map(|unit: usize| session.battle.positions()[unit]);
    assert!(first.distance(last) > 24.0);
    assert_eq!(erase(&mut session, nowhere, false), 300);
    let once = erase(&mut session, first, true);
    assert!(once < 300);
    assert_eq!(erase(&mut session, nowhere, false), once);
    let twice = erase(&mut session, last, true);
    assert!(twice < once);
    for standing in [once, 300] {
        act(&mut session, Action::Undo);
        assert_eq!(session.alive(), standing);
    }
    // What is undone in the middle of a stroke is not taken up again by the rest of it.
    assert_eq!(erase(&mut session, first, false), once);
    let less = erase(&mut session, last, false);
    act(&mut session, Action::Undo);
    assert_eq!(erase(&mut session, last, true), less);
    act(&mut session, Action::Undo);
    assert_eq!(session.alive(), once);
}
