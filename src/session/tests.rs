//! Sessions in small: what is done, taken back, gone back to and recorded.

use super::action::{Order as OrderWord, Side as SideWord};
use super::*;
use crate::geometry::Vec2;
use crate::partition::{AUTO, Kind};
use crate::scene::{StructureChoice, file as scene_file};
use crate::streaming::Mover;

pub(super) fn cancel() -> Cancel {
    Cancel::default()
}

pub(super) fn skirmish(units: u32) -> Session {
    let mut scene = scene_file::built_in();
    scene.scale_units(units);
    Session::new(scene, Path::new("scenes")).0
}

pub(super) fn run(session: &mut Session, ticks: u64) {
    for _ in 0..ticks {
        session.tick(&cancel(), &mut ()).unwrap();
    }
}

pub(super) fn act(session: &mut Session, action: Action) {
    session.apply(action, false, &cancel()).unwrap();
}

/// The structures of all lanes.
pub(super) fn choices(session: &Session) -> Vec<StructureChoice> {
    session.lanes().iter().map(Lane::choice).collect()
}

/// Where the character is, what moves it, and how fast.
pub(super) fn character(session: &Session) -> (Vec2, Mover, f32) {
    let character = session.world().unwrap().character();
    (character.position(), character.mover(), character.speed())
}

/// The paths that it may go.
pub(super) fn paths(session: &Session) -> Vec<String> {
    let paths = session.world().unwrap().character().paths().iter();
    paths.map(|path| path.name.clone()).collect()
}

/// What undo has to bring back: everything but time and the way there.
pub(super) fn state(session: &Session) -> (u64, Scene, bool, Vec<StructureChoice>, u64) {
    (
        session.battle.hash(),
        Scene::clone(session.scene()),
        session.is_unsaved(),
        choices(session),
        session.tick_count(),
    )
}

#[test]
fn any_tick_is_reached_again_and_the_future_is_kept_until_it_is_changed() {
    let mut session = skirmish(200);
    let mut hashes = vec![session.hash()];
    for tick in 0..150 {
        if tick == 60 {
            act(
                &mut session,
                Action::Spawn(SideWord::Orange, (90.0, 90.0), 8.0, 25),
            );
        }
        if tick == 90 {
            act(&mut session, Action::Structure("bvh".to_owned()));
        }
        if tick == 100 {
            act(&mut session, Action::Undo);
        }
        if tick == 120 {
            act(&mut session, Action::Restart);
        }
        run(&mut session, 1);
        hashes.push(session.hash());
    }
    for target in [149, 3, 61, 60, 120, 121, 0, 97, 150] {
        session.seek(target, &cancel(), &mut ()).unwrap();
        assert_eq!(session.tick_count(), target);
        // Where something was done at this very tick, it has been done.
        if ![60, 120].contains(&target) {
            assert_eq!(session.hash(), hashes[target as usize], "tick {target}");
        }
        assert_eq!(session.timeline().diverged_at(), None);
        assert_eq!(session.timeline().end(), 150);
        session.lanes()[0]
            .index()
            .validate(session.battle.bodies())
            .unwrap();
    }
    // Ticks go on along what is known.
    session.seek(40, &cancel(), &mut ()).unwrap();
    run(&mut session, 50);
    assert_eq!(session.hash(), hashes[90]);
    // An edit in the past makes another future.
    session.seek(50, &cancel(), &mut ()).unwrap();
    act(&mut session, Action::Order(SideWord::Blue, OrderWord::Hold));
    assert_eq!(session.timeline().end(), 50);
    run(&mut session, 30);
    assert_ne!(session.hash(), hashes[80]);
}

#[test]
fn a_seek_that_is_cancelled_stays_where_it_was() {
    let mut session = skirmish(200);
    session.timeline_mut().set_budget(0);
    run(&mut session, 80);
    let before = state(&session);
    let word = cancel();
    let mut journey = session.set_out(40).unwrap();
    word.cancel();
    let result = session.arrive(&journey, &word, &mut ());
    assert_eq!(result, Err(Refusal::Abandoned(Abandoned)));
    // On the way it may head for another tick, and still turn back to where it was at first.
    session.head_for(&mut journey, 60).unwrap();
    word.reset();
    session.arrive(&journey, &word, &mut ()).unwrap();
    assert_eq!(session.hash(), session.timeline().hashes()[60]);
    session.turn_back(&journey);
    assert_eq!(state(&session), before);
    let refusal = session.seek(81, &cancel(), &mut ()).unwrap_err();
    assert_eq!(
        refusal.to_string(),
        "tick 81 lies beyond the last tick that is known, 80"
    );
    assert_eq!(state(&session), before);
    run(&mut session, 5);
    assert_eq!(session.timeline().diverged_at(), None);
}

#[test]
fn keyframes_stay_under_their_budget() {
    let mut session = skirmish(500);
    let budget = 400_000;
    session.timeline_mut().set_budget(budget);
    for _ in 0..20 {
        run(&mut session, 50);
        assert!(session.timeline().byte_count() <= budget);
    }
    let (count, distance) = session.timeline().keyframes();
    assert!(count >= 2 && distance > 32, "{count}, {distance}");
    session.timeline_mut().set_budget(0);
    run(&mut session, 2_048);
    assert_eq!(session.timeline().keyframes().0, 0);
    let hash = session.timeline().hashes()[33];
    session.seek(33, &cancel(), &mut ()).unwrap();
    assert_eq!(session.hash(), hash, "without a keyframe it is run again");
}

#[test]
fn a_tick_that_is_cancelled_changes_nothing() {
    let mut session = skirmish(400);
    run(&mut session, 10);
    let before = state(&session);
    let word = cancel();
    word.cancel();
    let result = session.tick(&word, &mut ());
    assert_eq!(result, Err(Refusal::Abandoned(Abandoned)));
    assert_eq!(state(&session), before);
    let structure = session.apply(Action::Structure("kd-tree".to_owned()), false, &word);
    assert_eq!(structure, Err(Refusal::Abandoned(Abandoned)));
    let units = session.apply(Action::Units(5_000), false, &word);
    assert_eq!(units, Err(Refusal::Abandoned(Abandoned)));
    assert_eq!(state(&session), before);
    word.reset();
    session.tick(&word, &mut ()).unwrap();
}

#[test]
fn a_recording_that_was_changed_by_hand_names_the_tick() {
    let mut session = skirmish(150);
    run(&mut session, 20);
    act(
        &mut session,
        Action::Spawn(SideWord::Blue, (100.0, 50.0), 5.0, 10),
    );
    run(&mut session, 30);
    let recording = session.recording();
    let text = recording.format();
    let read = file::Recording::parse(text.as_bytes(), "r").unwrap();
    assert_eq!(read, recording);
    let report = crate::measure::replay::run(read, None, &mut |_| {}).unwrap();
    assert_eq!((report.ticks, report.actions), (50, 1));
    assert_eq!((report.diverged_at, report.hash), (None, session.hash()));
    let by_hand = text.replace("5.0,10)", "5.0,11)");
    assert_ne!(by_hand, text);
    let changed = file::Recording::parse(by_hand.as_bytes(), "r").unwrap();
    let report = crate::measure::replay::run(changed, None, &mut |_| {}).unwrap();
    assert_eq!(report.diverged_at, Some(21));
    // What a recording does while it plays is nobody's change; what is done to it is.
    let (mut playing, _) = Session::of_recording(recording.clone()).unwrap();
    run(&mut playing, 40);
    assert!(!playing.is_unsaved());
    act(&mut playing, Action::Reach(3.0));
    assert!(playing.is_unsaved());
    let until = crate::measure::replay::run(recording, Some(10), &mut |_| {}).unwrap();
    assert_eq!((until.ticks, until.diverged_at), (10, None));
}

#[test]
fn a_knob_is_to_be_saved_and_one_that_was_turned_back_is_not() {
    // A file may name a knob that is at its default; the session keeps those alone that are not.
    for knobs in ["", "{\"capacity\": 16}", "{\"capacity\": 12}"] {
        let text = format!(
            "(version: 1, name: \"\", field: ((0, 0), (9, 9)), structure: (kind: \"quadtree\"{}), armies: [(side: Blue, formation: Explicit([(1, 2)]))])",
            match knobs {
                "" => String::new(),
                knobs => format!(", knobs: {knobs}"),
            }
        );
        let scene = scene_file::parse(text.as_bytes(), "knobs").unwrap();
        let mut session = Session::new(scene, Path::new("scenes")).0;
        let was = session.scene().structure.value(0);
        let set = |value: &str| Action::Set("capacity".to_owned(), value.to_owned());
        act(&mut session, set("20"));
        assert!(session.is_unsaved(), "{knobs}");
        act(&mut session, set(&was.to_string()));
        assert!(!session.is_unsaved(), "{knobs}");
    }
}

#[test]
fn a_name_and_a_caption_are_one_line_each() {
    let mut session = skirmish(10);
    for (name, caption, what) in [
        (
            "a\nb",
            "",
            "the name of a scene must have at most 100 characters",
        ),
        (
            "",
            "a\tb",
            "the caption of a scene must have at most 1000 characters",
        ),
        (
            &"x".repeat(101),
            "",
            "the name of a scene must have at most 100",
        ),
        (
            "",
            &"x".repeat(1_001),
            "the caption of a scene must have at most 1000",
        ),
    ] {
        let action = Action::Describe(name.to_owned(), caption.to_owned());
        let refusal = session.apply(action, false, &cancel()).unwrap_err();
        assert!(refusal.to_string().contains(what), "{refusal}");
    }
    assert!(!session.is_unsaved());
    act(&mut session, Action::Describe(String::new(), String::new()));
    assert_eq!(session.scene().name, "");
}

#[test]
fn worlds_are_recorded_and_gone_back_to() {
    let path = Path::new("scenes/open-world.ron");
    let scene = scene_file::read(path).unwrap();
    let (mut session, complaint) = Session::new(scene, Path::new("scenes"));
    assert_eq!(complaint, None);
    let mut hashes = vec![session.hash()];
    for tick in 0..240 {
        match tick {
            30 => act(
                &mut session,
                Action::Tune("lead".to_owned(), "90".to_owned()),
            ),
            50 => act(&mut session, Action::Teleport((300.0, -200.0))),
            80 => act(&mut session, Action::Lead((310.0, -190.0))),
            90 => act(&mut session, Action::Lead((350.0, -150.0))),
            100 => act(&mut session, Action::LetGo),
            110 => act(&mut session, Action::Walk(1.0, 0.0)),
            140 => act(&mut session, Action::Walk(0.0, 0.0)),
            150 => act(
                &mut session,
                Action::Tune("memory_cap".to_owned(), "400000".to_owned()),
            ),
            170 => act(&mut session, Action::Restart),
            200 => act(&mut session, Action::Undo),
            _ => {}
        }
        run(&mut session, 1);
        hashes.push(session.hash());
    }
    for target in [239, 31, 160, 75, 199, 205, 240] {
        session.seek(target, &cancel(), &mut ()).unwrap();
        assert_eq!(session.timeline().diverged_at(), None, "tick {target}");
        assert_eq!(session.hash(), hashes[target as usize], "tick {target}");
    }
    let report = crate::measure::replay::run(session.recording(), None, &mut |_| {}).unwrap();
    assert_eq!((report.diverged_at, report.hash), (None, session.hash()));
}

#[test]
fn edits_of_a_world_are_taken_back_and_a_restart_keeps_its_settings() {
    let path = Path::new("scenes/open-world.ron");
    let scene = scene_file::read(path).unwrap();
    let way = scene.character.as_ref().unwrap().paths[1].name.clone();
    let (mut session, _) = Session::new(scene, Path::new("scenes"));
    run(&mut session, 30);
    let state = |session: &Session| {
        let world = session.world().unwrap();
        let settings = *world.settings();
        (
            Scene::clone(session.scene()),
            session.is_unsaved(),
            settings,
            character(session),
            paths(session),
            session.tick_count(),
        )
    };
    let mut states = vec![state(&session)];
    let tune = |key: &str, value: &str| Action::Tune(key.to_owned(), value.to_owned());
    for action in [
        tune("lead", "95"),
        tune("mbps", "3.5"),
        tune("index", "dual"),
        Action::Teleport((120.0, -40.0)),
        tune("memory_cap", "300000"),
        Action::Speed(33.0),
        Action::Follow(way),
        Action::Stand,
        Action::TuneDefaults,
        tune("predict_seconds", "1.5"),
        Action::Spawn(SideWord::Blue, (0.0, 0.0), 5.0, 9),
        Action::Restart,
        tune("requests_in_flight", "3"),
    ] {
        let is_restart = action == Action::Restart;
        let before = session.world().unwrap().settings().to_owned();
        act(&mut session, action);
        if is_restart {
            assert_eq!(*session.world().unwrap().settings(), before);
        }
        states.push(state(&session));
    }
    act(&mut session, Action::RecordPath);
    run(&mut session, 3);
    act(&mut session, Action::KeepPath);
    assert!(state(&session).4.len() > states[0].4.len());
    act(&mut session, Action::Undo);
    assert_eq!(state(&session).4, states[0].4);
    act(&mut session, Action::Redo);
    assert!(state(&session).4.len() > states[0].4.len());
    act(&mut session, Action::Undo);
    let ticks = session.tick_count();
    // The character has gone on while its way was recorded: from here only what does not move is compared.
    for expected in states[..states.len() - 1].iter().rev() {
        act(&mut session, Action::Undo);
        let now = state(&session);
        assert_eq!(
            (&now.0, now.1, now.2),
            (&expected.0, expected.1, expected.2)
        );
        assert_eq!((now.3.1, now.3.2), (expected.3.1, expected.3.2));
    }
    assert_eq!(session.tick_count(), ticks);
    assert!(!session.is_unsaved());
    assert_eq!(session.undo_name(false), None);
    for expected in &states[1..] {
        act(&mut session, Action::Redo);
        let now = state(&session);
        assert_eq!(
            (&now.0, now.1, now.2),
            (&expected.0, expected.1, expected.2)
        );
    }
    let report = crate::measure::replay::run(session.recording(), None, &mut |_| {}).unwrap();
    assert_eq!((report.diverged_at, report.hash), (None, session.hash()));
}

#[test]
fn what_is_refused_says_why_and_changes_nothing() {
    let mut session = skirmish(50);
    let before = state(&session);
    for (action, words) in [
        (Action::Structure("octopus".to_owned()), "must be one of"),
        (
            Action::Set("cell_size".to_owned(), "7".to_owned()),
            "has no knob 'cell_size'",
        ),
        (
            Action::Set("capacity".to_owned(), "many".to_owned()),
            "must be",
        ),
        (Action::Teleport((0.0, 0.0)), "no world"),
        (Action::Undo, "nothing to undo"),
        (Action::Redo, "nothing to redo"),
        (Action::DropLane(0), "the first lane stays"),
        (Action::DropLane(9), "there is no lane 9"),
        (
            Action::Spawn(SideWord::Blue, (f32::NAN, 0.0), 1.0, 1),
            "coordinates must be",
        ),
        (
            Action::Spawn(SideWord::Blue, (0.0, 0.0), 1.0, u32::MAX),
            "at most 2000000 units are placed at once",
        ),
        (
            Action::Spawn(SideWord::Blue, (0.0, 0.0), 1.0, 2_000_000),
            "a battle holds at most",
        ),
        (Action::Reach(f32::NAN), "the reach must be"),
        (
            Action::KeepApart(-1.0),
            "how far units keep apart must be from 0 to 100 (found -1)",
        ),
        (
            Action::Order(SideWord::Blue, OrderWord::March(1.0, f32::NAN)),
            "coordinates must be",
        ),
        (
            Action::Order(SideWord::Blue, OrderWord::March(0.0, 0.0)),
            "other than (0, 0)",
        ),
        (Action::Units(u32::MAX), "must be at most"),
    ] {
        let refusal = session.apply(action, false, &cancel()).unwrap_err();
        assert!(refusal.to_string().contains(words), "{refusal}");
    }
    assert_eq!(state(&session), before);
    assert!(session.timeline().acts().is_empty());
}

#[test]
fn a_recording_with_a_mistake_is_one_sentence_with_place_and_tick() {
    let mut session = skirmish(20);
    act(&mut session, Action::Reach(2.0));
    run(&mut session, 2);
    let text = session.recording().format();
    for (from, to, words) in [
        (
            "version: 1",
            "version: 7",
            ":2:14: version must be 1 (found 7)",
        ),
        (
            "Reach(2.0)",
            "Reach(-2.0)",
            "tick 0: the reach must be from 0",
        ),
        ("Reach(2.0)", "Dance", "there is no Dance"),
        ("(at:0,act:", "(at:0,more:3,act:", "r:"),
        (
            "    acts: [",
            "    acts: [(at:9,act:Restart),",
            "in the order of their ticks",
        ),
        (
            "    hashes: [",
            "    hashes: [\"beef-steak\",",
            "must be hexadecimal",
        ),
        ("    scene: (", "    scenery: (", "field scene is missing"),
        ("field: ((0.0, 0.0)", "field: ((0.0, NaN)", "r:"),
    ] {
        let changed = text.replacen(from, to, 1);
        assert_ne!(changed, text, "{from}");
        let error = file::Recording::parse(changed.as_bytes(), "r").unwrap_err();
        let sentence = error.to_string();
        assert!(sentence.contains(words), "{sentence}");
        assert!(!sentence.contains('\n'), "{sentence}");
    }
    for length in (0..text.len()).step_by(97) {
        assert!(file::Recording::parse(&text.as_bytes()[..length], "r").is_err());
    }
    // What only running it can show is refused with its tick.
    let refused = text.replacen("Reach(2.0)", "Structure(\"octopus\")", 1);
    let recording = file::Recording::parse(refused.as_bytes(), "r").unwrap();
    let error = crate::measure::replay::run(recording, None, &mut |_| {}).unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("tick 0, action 1: the structure must be one of")
    );
}

#[test]
fn a_refusal_is_one_line_whatever_it_quotes() {
    let mut session = skirmish(10);
    let long = "\n".repeat(20_000);
    for action in [
        Action::Structure(long.clone()),
        Action::Set("cell_size".to_owned(), format!("x{long}x")),
        Action::Set(long.clone(), "1".to_owned()),
        Action::AddLane("bvh".to_owned(), vec![(long, String::new())]),
    ] {
        let refusal = session.apply(action, false, &cancel()).unwrap_err();
        let sentence = refusal.to_string();
        assert!(!sentence.contains('\n'));
        assert!(sentence.len() < 3_000, "{} bytes", sentence.len());
    }
}

#[test]
fn what_is_left_to_a_structure_follows_the_crowd_and_the_reach_until_it_is_set() {
    let mut session = skirmish(400);
    let set = |session: &mut Session, value: &str| {
        act(
            session,
            Action::Set("cell_size".to_owned(), value.to_owned()),
        );
    };
    let cell = |session: &Session| {
        let index = session.lanes()[0].index();
        (index.knob(0), index.knob_in_effect(0))
    };
    act(&mut session, Action::Structure("linked-grid".to_owned()));
    let (knob, chosen) = cell(&session);
    assert_eq!(knob, AUTO);
    assert!((4.0..100.0).contains(&chosen), "{chosen}");
    assert_eq!(session.lanes()[0].index().chosen(), [(0, chosen)]);
    assert_eq!(session.lanes()[0].choice().knobs, []);

    set(&mut session, "5");
    assert_eq!(cell(&session), (5.0, 5.0));
    assert_eq!(session.lanes()[0].index().chosen(), []);
    set(&mut session, "auto");
    assert_eq!(cell(&session), (AUTO, chosen));
    act(&mut session, Action::Undo);
    assert_eq!(cell(&session), (5.0, 5.0));
    act(&mut session, Action::Redo);
    assert_eq!(cell(&session), (AUTO, chosen));

    // A reach ten times as long wants wider cells, at once.
    act(&mut session, Action::Reach(10.0));
    let (_, wider) = cell(&session);
    assert!(wider > 2.0 * chosen, "{wider} and {chosen}");
    let bodies = session.battle().bodies();
    assert_eq!(session.lanes()[0].index().validate(bodies), Ok(()));
    act(&mut session, Action::Undo);
    assert_eq!(cell(&session), (AUTO, chosen));
    // So does a crowd that has grown manifold on one spot: narrower ones.
    act(
        &mut session,
        Action::Spawn(SideWord::Blue, (100.0, 100.0), 2.0, 1_000),
    );
    let (_, narrower) = cell(&session);
    assert!(narrower < chosen, "{narrower} and {chosen}");

    // What a scene says, it says again; what it does not say stays unsaid.
    set(&mut session, "auto");
    let text = scene_file::format(session.scene());
    assert!(!text.contains("cell_size"), "{text}");
    let said = text.replace(
        "kind: \"linked-grid\"",
        "kind: \"linked-grid\", knobs: {\"cell_size\": \"auto\"}",
    );
    let scene = scene_file::parse(said.as_bytes(), "auto").expect("a scene");
    assert_eq!(scene.structure.knobs, [(0, AUTO)]);
    let again = scene_file::format(&scene);
    assert!(again.contains("\"cell_size\": \"auto\""), "{again}");
}

#[test]
fn a_world_has_the_disk_that_its_scene_names_and_the_usual_one_otherwise() {
    let scene = |disk: &str| {
        let text = format!(
            "(version: 1, field: ((0, 0), (90, 90)), structure: (kind: \"quadtree\"), \
             character: (position: (5, 5)), world: ({disk} objects: []))"
        );
        scene_file::parse(text.as_bytes(), "disk.ron").expect("a scene")
    };
    let disk_of = |scene: Scene| {
        let (session, complaint) = Session::new(scene, Path::new("scenes"));
        assert_eq!(complaint, None);
        let settings = *session.world().expect("a world").settings();
        (settings.mbps, settings.latency_ms)
    };
    let usual = (USUAL_DISK.mbps, USUAL_DISK.latency_ms);
    assert_eq!(disk_of(scene("")), usual);
    let own = "disk: (mbps: 0.025, latency_ms: 40),";
    assert_eq!(disk_of(scene(own)), (0.025, 40.0));
}

#[test]
fn a_disk_that_was_set_is_named_by_the_scene_as_usual_as_it_may_be() {
    let scene = scene_file::read(Path::new("scenes/open-world.ron")).unwrap();
    let mut scene = Scene::clone(&scene);
    scene.world.as_mut().expect("a world").disk = None;
    let (mut session, _) = Session::new(scene.clone(), Path::new("scenes"));
    let disk = |session: &Session| session.scene().world.as_ref().and_then(|it| it.disk);
    let tune = |key: &str, value: &str| Action::Tune(key.to_owned(), value.to_owned());
    act(&mut session, tune("lead", "95"));
    assert_eq!(disk(&session), None, "nobody has set it");
    act(&mut session, tune("mbps", "0.05"));
    act(&mut session, tune("mbps", &USUAL_DISK.mbps.to_string()));
    assert_eq!(disk(&session), Some(USUAL_DISK));
    act(&mut session, tune("margin", "150"));
    assert_eq!(disk(&session), Some(USUAL_DISK));
    assert!(session.is_tuned());
    act(&mut session, Action::TuneDefaults);
    assert_eq!(session.scene().world, scene.world);
    assert!(!session.is_tuned(), "there is nothing more to set back");
    act(&mut session, Action::Undo);
    assert_eq!(disk(&session), Some(USUAL_DISK));
    assert!(session.is_tuned());
    // A disk that is named although it is the usual one is one that somebody has set.
    let (mut session, _) = Session::new(scene.clone(), Path::new("scenes"));
    assert!(!session.is_tuned());
    act(&mut session, tune("mbps", &USUAL_DISK.mbps.to_string()));
    assert!(session.is_tuned());
}

#[test]
fn ticks_from_before_a_save_that_says_how_it_is_looked_at_are_saved_as_well() {
    let mut session = skirmish(300);
    act(&mut session, Action::Reach(1.5));
    run(&mut session, 40);
    let mut saved = Scene::clone(session.scene());
    saved.view.tree = true;
    session.note_saved(Arc::new(saved));
    run(&mut session, 40);
    assert!(!session.is_unsaved());
    for tick in [35, 80] {
        session.seek(tick, &cancel(), &mut ()).unwrap();
        assert!(!session.is_unsaved(), "tick {tick}");
    }
}

#[test]
fn a_name_that_a_file_gives_is_there_from_the_beginning_and_no_edit() {
    let blank = Scene::blank(StructureChoice::new(Kind::Quadtree));
    let (mut session, _) = Session::new(blank, Path::new(""));
    let place = Action::Spawn(SideWord::Blue, (100.0, 100.0), 20.0, 12);
    act(&mut session, place.clone());
    run(&mut session, 40);
    act(&mut session, place);
    let mut saved = Scene::clone(session.scene());
    saved.name = "Duel".to_owned();
    let version = session.version();
    session.note_named(&saved.name);
    assert!(session.version() == version, "it is the same session still");
    session.note_saved(Arc::new(saved));
    assert!(!session.is_unsaved());
    assert_eq!(session.undo_name(false).as_deref(), Some("place 12 blue"));
    // Whatever is taken back or gone back to has it, and is unsaved for what differs alone.
    act(&mut session, Action::Undo);
    assert_eq!(
        (&*session.scene().name, session.is_unsaved()),
        ("Duel", true)
    );
    act(&mut session, Action::Redo);
    assert_eq!(
        (&*session.scene().name, session.is_unsaved()),
        ("Duel", false)
    );
    for tick in [0, 39, 40] {
        session.seek(tick, &cancel(), &mut ()).unwrap();
        let found = (&*session.scene().name, session.is_unsaved());
        // The file has what was done up to there.
        assert_eq!(found, ("Duel", false), "tick {tick}");
    }
    assert_eq!(session.recording().scene.name, "Duel");
    // What somebody calls it stays.
    let name = Action::Describe("Mine".to_owned(), String::new());
    act(&mut session, name);
    session.note_named("Other");
    assert_eq!(session.scene().name, "Mine");
}
