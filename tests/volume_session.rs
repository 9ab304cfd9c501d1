//! Sessions of the third dimension: what is done, taken back, gone back to and recorded, and what is refused.

use skirmish::probe::Cancel;
use skirmish::scene::{Flock, Scene, StructureChoice3, file};
use skirmish::session::file::Recording;
use skirmish::session::{
    Action, Beginning, BodySize, MotionWord, Order, Refusal, Session, Shape3, SideWord, Spread,
    Strewn, Times, Units,
};
use skirmish::volume::Kind3;
use std::path::Path;

/// The scene of this name with so many units.
fn scene(name: &str, units: u32) -> Scene {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
    let mut scene = file::read(&path).unwrap_or_else(|error| panic!("{error}"));
    scene.scale_units(units);
    scene
}

/// A dogfight that two structures follow.
fn dogfight(units: u32) -> Session {
    Session::new(scene("scenes/dogfight.ron", units), Path::new("scenes")).0
}

fn run(session: &mut Session, ticks: u64) {
    for _ in 0..ticks {
        let passed = session.tick(&Cancel::default(), &mut ());
        passed.expect("nobody cancels it");
    }
}

fn try_to(session: &mut Session, action: Action) -> Result<(), Refusal> {
    session.apply(action, false, &Cancel::default()).map(|_| ())
}

#[track_caller]
fn act(session: &mut Session, action: Action) {
    let words = format!("{action:?}");
    try_to(session, action).unwrap_or_else(|refusal| panic!("{words}: {refusal}"));
}

#[track_caller]
fn go_to(session: &mut Session, tick: u64) {
    let came = session.seek(tick, &Cancel::default(), &mut ());
    came.expect("a tick that is known");
}

/// What undo has to bring back.
fn state(session: &Session) -> (u64, Scene, Vec<StructureChoice3>, bool) {
    (
        session.hash(),
        Scene::clone(session.scene()),
        session.lanes3().iter().map(|lane| lane.choice()).collect(),
        session.is_unsaved(),
    )
}

/// Asserts that every index holds what the flight says.
#[track_caller]
fn assert_whole(session: &Session) {
    let flight = session.flight().expect("a flight");
    for lane in session.lanes3() {
        assert_eq!(lane.difference, None);
        let found = lane.index().validate(flight.bodies());
        assert!(found.is_ok(), "{:?}: {found:?}", lane.kind());
    }
}

fn knob(key: &str, value: &str) -> Vec<(String, String)> {
    vec![(key.to_owned(), value.to_owned())]
}

/// One of every kind of edit.
fn edits() -> Vec<Action> {
    let set = |key: &str, value: &str| Action::Set(key.to_owned(), value.to_owned());
    let structure = |key: &str| Action::Structure(key.to_owned());
    vec![
        Action::Spawn3(SideWord::Blue, (400.0, 250.0, 120.0), 30.0, 40),
        Action::Erase3((600.0, 250.0, 150.0), 90.0),
        Action::Motion(SideWord::Orange, MotionWord::Flee),
        Action::Reach(2.5),
        set("capacity", "3"),
        structure("morton-3d"),
        Action::Remove(vec![0, 1, 2, 3, 2]),
        Action::Spawn3(SideWord::Orange, (-50.0, 20.0, -5.0), 0.0, 7),
        Action::Move3(vec![
            (10, (5.0, 6.0, 70.0)),
            (11, (7.0, 8.0, 9.0)),
            (10, (9.0, 9.0, 99.0)),
        ]),
        Action::Motion(SideWord::Blue, MotionWord::Orbit),
        Action::Shift3(Units::new((20..60).collect()), (3.0, -2.0, 5.0)),
        Action::Size(Units::new((40..70).collect()), 2.5),
        Action::Copy3(Units::new((30..90).collect()), (5.0, 5.0, 5.0)),
        Action::Paste3(
            "(version: 1, flocks: [(side: Blue, formation: Explicit([(1, 2, 3), (3, 4, 5)]), \
             sized: [(1, (2, 3, 4))])])"
                .to_owned(),
            (60.0, 60.0, 90.0),
        ),
        Action::Strew3(
            SideWord::Blue,
            (100.0, 100.0, 60.0),
            Strewn {
                shape: Shape3::Shell,
                spread: Spread::Normal,
                radius: 12.0,
                count: 25,
                seed: 9,
                size: Some(BodySize::Between(0.5, 2.0)),
            },
        ),
        Action::Units(321),
        structure("octree"),
        set("looseness", "2"),
        Action::Defaults,
        Action::Restart,
        Action::SwapSides,
        Action::Begin(Beginning {
            bodies: Some(BodySize::Between(0.5, 3.0)),
            seed: Some(77),
            ..Beginning::default()
        }),
        Action::AddLane("octree".to_owned(), knob("capacity", "4")),
        Action::SetLane(1, "all-pairs-3d".to_owned(), Vec::new()),
        Action::DropLane(1),
    ]
}

#[test]
fn every_edit_is_taken_back_and_done_again() {
    let mut session = dogfight(300);
    run(&mut session, 40);
    let mut states = vec![state(&session)];
    for action in edits() {
        let name = format!("{action:?}");
        // Where no time has passed since the last start, another one brings nothing new.
        let is_new = action != Action::Restart;
        act(&mut session, action);
        assert_whole(&session);
        let now = state(&session);
        assert_eq!(Some(&now) != states.last(), is_new, "{name}");
        states.push(now);
    }
    for round in 0..2 {
        for expected in states.iter().rev().skip(1) {
            let name = session.undo_name(false);
            act(&mut session, Action::Undo);
            assert_eq!(state(&session), *expected, "undo {name:?}, round {round}");
            assert_whole(&session);
        }
        assert!(!session.is_unsaved(), "all is undone");
        for expected in &states[1..] {
            let name = session.undo_name(true);
            act(&mut session, Action::Redo);
            assert_eq!(state(&session), *expected, "redo {name:?}, round {round}");
            assert_whole(&session);
        }
    }
}

/// Whether an edit finds everything at the beginning as it would make it.
fn is_nothing_at_first(action: &Action) -> bool {
    *action == Action::Defaults || *action == Action::Structure("octree".to_owned())
}

#[test]
fn an_edit_that_was_taken_back_leaves_the_flight_as_if_nobody_had_done_it() {
    let mut plain = dogfight(300);
    run(&mut plain, 100);
    for action in edits() {
        let mut session = dogfight(300);
        run(&mut session, 40);
        let name = format!("{action:?}");
        if is_nothing_at_first(&action) {
            continue;
        }
        act(&mut session, action);
        act(&mut session, Action::Undo);
        run(&mut session, 60);
        assert_eq!(session.hash(), plain.hash(), "{name}");
        assert_whole(&session);
    }
}

#[test]
fn edits_undone_after_ticks_leave_time_alone_and_indices_whole() {
    for action in edits() {
        let mut session = dogfight(200);
        if is_nothing_at_first(&action) {
            continue;
        }
        run(&mut session, 20);
        act(&mut session, action);
        run(&mut session, 20);
        act(&mut session, Action::Undo);
        assert_eq!(session.tick_count(), 40);
        run(&mut session, 20);
        act(&mut session, Action::Redo);
        run(&mut session, 20);
        assert_whole(&session);
    }
}

#[test]
fn every_tick_is_reached_again_whatever_was_done() {
    let mut session = dogfight(200);
    let mut hashes = vec![session.hash()];
    for action in edits() {
        run(&mut session, 7);
        hashes.push(session.hash());
        act(&mut session, action);
    }
    run(&mut session, 7);
    let (end, last) = (session.tick_count(), session.hash());
    for _ in 0..2 {
        for (place, hash) in hashes.iter().enumerate().rev().step_by(3) {
            // What was done at that tick is done there again: before it, one tick earlier, nothing was.
            let tick = 7 * place as u64;
            go_to(&mut session, tick);
            let recorded = session.timeline().hashes()[tick as usize];
            assert_eq!(recorded, *hash, "tick {tick}");
            assert_whole(&session);
        }
        go_to(&mut session, end);
        assert_eq!(session.hash(), last);
        assert_eq!(session.timeline().diverged_at(), None);
    }
}

#[test]
fn a_recording_that_was_saved_does_not_come_out_differently() {
    let mut session = dogfight(200);
    for action in edits() {
        run(&mut session, 5);
        act(&mut session, action);
    }
    act(&mut session, Action::Undo);
    act(&mut session, Action::Redo);
    run(&mut session, 5);
    let times = Times {
        update_us: 1.5,
        query_us: 20.0,
        step_us: 30.25,
    };
    session.pin(0, times).expect("there is such a lane");
    let text = session.recording().format();
    let recording = Recording::parse(text.as_bytes(), "volume.ron").expect("its own text");
    assert_eq!(recording, session.recording());
    assert_eq!(recording.format(), text);
    let report =
        skirmish::measure::replay::run(recording, None, &mut |_| {}).expect("nothing is refused");
    assert_eq!(report.diverged_at, None);
    assert_eq!(
        (report.ticks, report.hash),
        (session.tick_count(), session.hash())
    );
    // One fingerprint that is another one is named by its tick.
    let mut changed = session.recording();
    changed.hashes[17] ^= 1;
    let report =
        skirmish::measure::replay::run(changed, None, &mut |_| {}).expect("nothing is refused");
    assert_eq!(report.diverged_at, Some(17));
}

#[test]
fn a_restart_keeps_what_was_edited() {
    let mut session = dogfight(200);
    let begins = session.alive();
    act(
        &mut session,
        Action::Spawn3(SideWord::Blue, (400.0, 250.0, 120.0), 20.0, 30),
    );
    act(&mut session, Action::Remove((0..12).collect()));
    act(
        &mut session,
        Action::Motion(SideWord::Blue, MotionWord::Hold),
    );
    run(&mut session, 30);
    act(&mut session, Action::Restart);
    let alone = Session::new(Scene::clone(session.scene()), Path::new("scenes")).0;
    assert_eq!(session.alive(), begins + 30 - 12);
    assert_eq!(session.hash(), alone.hash());
    let flocks = &session.scene().volume.as_ref().expect("a volume").flocks;
    assert!(flocks.iter().any(|flock: &Flock| flock.count == 30));
}

#[test]
fn a_number_of_units_and_the_sides_are_the_scene_s() {
    let mut session = dogfight(200);
    let counts = |session: &Session| {
        use skirmish::scene::Side::{Blue, Orange};
        let flight = session.flight().expect("a flight");
        [Blue, Orange].map(|side| flight.count(side))
    };
    act(&mut session, Action::Remove((0..20).collect()));
    assert_eq!(counts(&session), [80, 100]);
    act(&mut session, Action::SwapSides);
    assert_eq!(counts(&session), [100, 80]);
    act(&mut session, Action::Units(0));
    assert_eq!(counts(&session), [0, 0]);
    run(&mut session, 3);
    act(&mut session, Action::Units(1_000));
    assert_eq!(session.alive(), 1_000);
    run(&mut session, 3);
    assert_whole(&session);
}

#[test]
fn every_structure_may_lead_and_follow_and_all_answer_alike() {
    let mut session = Session::new(scene("scenes/swarm.ron", 300), Path::new("scenes")).0;
    let mut alone = Session::new(scene("scenes/swarm.ron", 300), Path::new("scenes")).0;
    for kind in Kind3::ALL.iter().skip(1) {
        let key = kind.info().key.to_owned();
        act(&mut session, Action::AddLane(key, Vec::new()));
    }
    for kind in Kind3::ALL {
        let key = kind.info().key.to_owned();
        act(&mut session, Action::Structure(key));
        run(&mut session, 15);
        run(&mut alone, 15);
        assert_eq!(session.hash(), alone.hash(), "{kind:?}");
        assert_whole(&session);
        for (place, lane) in session.lanes3().iter().enumerate() {
            assert!(lane.is_measured && !lane.cost.at_rest, "lane {place}");
            assert_eq!(lane.cost.pairs, session.lanes3()[0].cost.pairs);
        }
    }
}

#[test]
fn threads_change_nothing() {
    let hash_on = |threads: usize| {
        let mut session = dogfight(300);
        session.set_threads(threads);
        run(&mut session, 60);
        session.hash()
    };
    assert_eq!(hash_on(1), hash_on(2));
    assert_eq!(hash_on(1), hash_on(3));
}

#[test]
fn what_is_for_a_plane_is_refused_in_space_and_changes_nothing() {
    let mut session = dogfight(100);
    run(&mut session, 5);
    let before = state(&session);
    let plane = "that is for scenes on a plane, and this one has a volume";
    let keys = "the structure must be one of all-pairs-3d, grid-3d, octree, morton-3d (found";
    for (action, part) in [
        (
            Action::Spawn(SideWord::Blue, (1.0, 1.0), 2.0, 3),
            "Spawn is for scenes on a plane, and this one has a volume: Spawn3 is meant",
        ),
        (
            Action::Erase((1.0, 1.0), 900.0),
            "Erase is for scenes on a plane, and this one has a volume: Erase3 is meant",
        ),
        (
            Action::Move(vec![(0, (1.0, 1.0))]),
            "Move is for scenes on a plane, and this one has a volume: Move3 is meant",
        ),
        (
            Action::Shift(Units::default(), (1.0, 1.0)),
            "Shift is for scenes on a plane, and this one has a volume: Shift3 is meant",
        ),
        (
            Action::Order(SideWord::Blue, Order::Charge),
            "Order is for scenes on a plane, and this one has a volume: Motion is meant",
        ),
        (Action::Teleport((1.0, 1.0)), plane),
        (Action::Walk(1.0, 0.0), plane),
        (Action::RecordPath, plane),
        (Action::Tune("lead".into(), "6".into()), plane),
        (Action::Structure("quadtree".into()), keys),
        (Action::AddLane("bvh".into(), Vec::new()), keys),
        (Action::SetLane(0, "".into(), Vec::new()), keys),
        (
            Action::SetLane(9, "octree".into(), Vec::new()),
            "there is no lane 9",
        ),
        (Action::DropLane(0), "the first lane stays"),
        (Action::DropLane(7), "there is no lane 7"),
        (
            Action::Set("cell_size".into(), "2".into()),
            "octree has no knob 'cell_size'",
        ),
        (
            Action::Set("capacity".into(), "-1".into()),
            "capacity must be",
        ),
        (
            Action::Reach(f32::NAN),
            "the reach must be from 0 to 100 (found NaN)",
        ),
        (
            Action::KeepApart(0.0),
            "that is for scenes on a plane, and this one has a volume",
        ),
        (
            Action::Spawn3(SideWord::Blue, (f32::NAN, 0.0, 0.0), 1.0, 3),
            "coordinates must be numbers up to",
        ),
        (
            Action::Spawn3(SideWord::Blue, (0.0, 0.0, 0.0), -1.0, 3),
            "a radius must be from 0",
        ),
        (
            Action::Spawn3(SideWord::Blue, (1.0e9, 0.0, 0.0), 1.0e9, 3),
            "a position must be finite and at most",
        ),
        (
            Action::Spawn3(SideWord::Blue, (0.0, 0.0, 0.0), 1.0, u32::MAX),
            "at most 2000000 units are placed at once",
        ),
        (
            Action::Spawn3(SideWord::Blue, (0.0, 0.0, 0.0), 1.0, 2_000_000),
            "a flight holds at most 2000000 units (100 present, 2000000 more asked for)",
        ),
        (
            Action::Erase3((0.0, f32::INFINITY, 0.0), 3.0),
            "coordinates must be numbers up to",
        ),
        (
            Action::Move3(vec![(0, (0.0, 0.0, 0.0)), (1, (0.0, 0.0, 1.0e10))]),
            "coordinates must be numbers up to",
        ),
        (Action::Units(u32::MAX), "the units must be at most 2000000"),
        (Action::Undo, "There is nothing to undo."),
        (Action::Redo, "There is nothing to redo."),
    ] {
        let words = format!("{action:?}");
        let refused = try_to(&mut session, action).expect_err(&words).to_string();
        assert!(refused.contains(part), "{words}: {refused}");
        assert!(!refused.contains('\n'), "{words}: {refused}");
        assert_eq!(state(&session), before, "{words}");
    }
    assert_whole(&session);
}

#[test]
fn what_is_for_space_is_refused_on_a_plane() {
    let mut scene = file::built_in();
    scene.scale_units(50);
    let mut session = Session::new(scene, Path::new("")).0;
    let before = session.hash();
    for action in [
        Action::Motion(SideWord::Blue, MotionWord::Flock),
        Action::Spawn3(SideWord::Blue, (1.0, 1.0, 1.0), 2.0, 3),
        Action::Erase3((1.0, 1.0, 1.0), 900.0),
        Action::Move3(vec![(0, (1.0, 1.0, 1.0))]),
        Action::Shift3(Units::default(), (1.0, 1.0, 1.0)),
    ] {
        let words = format!("{action:?}");
        let refused = try_to(&mut session, action).expect_err(&words).to_string();
        assert!(
            refused.contains("which have a volume"),
            "{words}: {refused}"
        );
    }
    let refused = try_to(&mut session, Action::Structure("octree".into()));
    let refused = refused.expect_err("a structure of space").to_string();
    assert!(
        refused.contains("the structure must be one of all-pairs, "),
        "{refused}"
    );
    assert_eq!(session.hash(), before);
    assert!(session.flight().is_none() && session.lanes3().is_empty());
}

#[test]
fn a_tick_and_an_edit_that_are_cancelled_change_nothing() {
    let mut session = dogfight(300);
    run(&mut session, 10);
    let before = (state(&session), session.tick_count());
    let cancel = Cancel::default();
    cancel.cancel();
    assert!(session.tick(&cancel, &mut ()).is_err());
    for action in [
        Action::Structure("grid-3d".into()),
        Action::Restart,
        Action::Units(900),
    ] {
        assert_eq!(
            session.apply(action, false, &cancel).map(|_| ()),
            Err(Refusal::Abandoned(skirmish::probe::Abandoned))
        );
    }
    assert_eq!((state(&session), session.tick_count()), before);
    run(&mut session, 10);
    let mut plain = dogfight(300);
    run(&mut plain, 20);
    assert_eq!(session.hash(), plain.hash());
}
