//! Objects of a world that streams: moved, copied, taken away, pasted and placed, taken back, done again, recorded, saved, and
//! refused where that cannot be.

use super::objects::copied;
use super::tests::{act, cancel, run};
use super::*;
use crate::geometry::Vec2;
use crate::partition::COORDINATE_LIMIT;
use crate::scene::{file as scene_file, generate};
use crate::streaming::{State, WorldObject};

/// Two single objects around thirty scattered ones, twenty of them with bytes of their own, and a character that walks.
const WORLD: &str = r#"(
    version: 1,
    field: ((0, 0), (400, 400)),
    seed: 7,
    structure: (kind: "quadtree"),
    character: (position: (200, 200), speed: 40, paths: [(name: "way", points: [(200, 200), (380, 200)])]),
    world: (need_min: 30, need_max: 60, lead: 30, margin: 20, objects: [
        Object((200, 210), (3, 2), "assets/house-1.png"),
        Scatter(count: 20, area: ((100, 100), (300, 300)), size: Between(2, 6),
            assets: ["assets/rock-1.png", "assets/tree-1.png"], bytes: (2000, 9000)),
        Scatter(count: 10, area: ((100, 100), (300, 300)), size: Fixed(2, 2), assets: ["assets/pine-1.png"]),
        Object((350, 200), (3, 2), "assets/house-2.png"),
    ]),
)"#;

fn opened(text: &str) -> Session {
    let scene = scene_file::parse(text.as_bytes(), "world").unwrap();
    let (session, complaint) = Session::new(scene, Path::new("scenes"));
    assert_eq!(complaint, None);
    session
}

fn objects(session: &Session) -> Vec<WorldObject> {
    session.world().unwrap().streaming().objects().to_vec()
}

fn these(ids: &[u32]) -> Units {
    Units::new(ids.to_vec())
}

fn refused(session: &mut Session, action: Action) -> String {
    let before = (session.hash(), objects(session), session.scene().clone());
    let said = session.apply(action, false, &cancel()).unwrap_err();
    let after = (session.hash(), objects(session), session.scene().clone());
    assert!(before == after, "what is refused has changed nothing");
    said.to_string()
}

/// The world is in order, and the scene, written, read and opened again, has the same objects.
fn check(session: &Session) {
    let world = session.world().unwrap().streaming();
    world.validate().unwrap();
    let text = scene_file::format(session.scene());
    let again = opened(&text);
    assert_eq!(again.scene(), session.scene());
    let made = generate::objects(session.scene());
    assert_eq!(made.objects.len() as u64, session.scene().object_count());
    let reopened = again.world().unwrap().streaming();
    assert_eq!(world.objects().len(), reopened.objects().len());
    for (number, (live, read)) in (0..).zip(world.objects().iter().zip(reopened.objects())) {
        assert_eq!(
            (live.center, live.half_extent),
            (read.center, read.half_extent)
        );
        assert_eq!(live.bytes, read.bytes, "object {number}");
        assert_eq!(world.said_bytes(number), reopened.said_bytes(number));
        let asset = |session: &Session, asset: u32| {
            session.world().unwrap().streaming().assets()[asset as usize].clone()
        };
        assert_eq!(asset(session, live.asset), asset(&again, read.asset));
    }
}

#[test]
fn objects_are_moved_in_the_world_and_in_the_scene_and_back_again() {
    let mut session = opened(WORLD);
    run(&mut session, 90);
    let (before, scene) = (objects(&session), session.scene().clone());
    let states = session.world().unwrap().streaming().states().to_vec();
    assert!(states.contains(&State::Resident));
    act(
        &mut session,
        Action::MoveObjects(these(&[0, 4, 7, 25, 99]), (5.0, -2.5)),
    );
    let moved = objects(&session);
    for (number, (from, to)) in before.iter().zip(&moved).enumerate() {
        let goes = [0, 4, 7, 25].contains(&number);
        let way = Vec2::new(5.0, -2.5) * f32::from(u8::from(goes));
        assert_eq!(to.center, from.center + way);
    }
    assert_eq!(session.world().unwrap().streaming().states(), states);
    assert_eq!(session.undo_name(false).as_deref(), Some("move 4 objects"));
    check(&session);
    run(&mut session, 5);
    act(&mut session, Action::Undo);
    assert!(objects(&session) == before && *session.scene() == scene);
    act(&mut session, Action::Redo);
    assert!(objects(&session) == moved);
    check(&session);
}

#[test]
fn an_object_is_given_place_and_size_by_numbers_and_a_drag_is_one_edit() {
    let mut session = opened(WORLD);
    run(&mut session, 90);
    let (before, scene) = (objects(&session), session.scene().clone());
    let cancel = cancel();
    // One that is written by itself, and one of those that are scattered.
    for object in [0, 9] {
        for (more, width) in [(false, 3.0), (true, 4.0), (true, 5.0)] {
            let action = Action::ShapeObject(object, (240.0, 210.0), (width, 2.0));
            session.apply(action, more, &cancel).unwrap();
        }
        let after = objects(&session);
        let mut expected = before.clone();
        expected[object as usize].center = Vec2::new(240.0, 210.0);
        expected[object as usize].half_extent = Vec2::new(5.0, 2.0);
        assert!(after == expected);
        assert_eq!(
            session.undo_name(false).as_deref(),
            Some("set place and size of an object")
        );
        check(&session);
        run(&mut session, 3);
        act(&mut session, Action::Undo);
        assert!(objects(&session) == before && *session.scene() == scene);
        act(&mut session, Action::Redo);
        assert!(objects(&session) == expected);
        act(&mut session, Action::Undo);
    }
    // Another object begins an edit of its own, also within a stroke.
    for object in [1, 2] {
        let action = Action::ShapeObject(object, (0.0, 0.0), (1.0, 1.0));
        session.apply(action, true, &cancel).unwrap();
    }
    act(&mut session, Action::Undo);
    act(&mut session, Action::Undo);
    assert!(objects(&session) == before && *session.scene() == scene);
    // What is as it was is no edit, and who does not exist is passed over.
    let own = before[3];
    let same = Action::ShapeObject(3, own.center.into(), own.half_extent.into());
    let name = session.undo_name(false);
    for action in [same, Action::ShapeObject(9_999, (0.0, 0.0), (1.0, 1.0))] {
        act(&mut session, action);
        assert_eq!(session.undo_name(false), name);
    }
    for half in [(-1.0, 1.0), (1.0, f32::NAN)] {
        let said = refused(&mut session, Action::ShapeObject(0, (0.0, 0.0), half));
        assert!(said.starts_with("half a "), "{said}");
    }
}

#[test]
fn moving_one_of_many_scattered_writes_one() {
    let mut session = opened(WORLD);
    let lines = |session: &Session| scene_file::format(session.scene()).lines().count();
    let before = lines(&session);
    act(&mut session, Action::MoveObjects(these(&[9]), (1.0, 0.0)));
    assert!(lines(&session) <= before + 8);
    act(&mut session, Action::RemoveObjects(these(&[9])));
    act(&mut session, Action::Undo);
    act(&mut session, Action::Undo);
    assert_eq!(lines(&session), before);
}

#[test]
fn objects_are_taken_away_whatever_state_they_are_in_and_come_back() {
    let mut session = opened(WORLD);
    act(
        &mut session,
        Action::Tune("mbps".to_owned(), "0.05".to_owned()),
    );
    let mut seen = Vec::new();
    for round in 0..12 {
        run(&mut session, 7);
        let before = objects(&session);
        let scene = session.scene().clone();
        let world = session.world().unwrap().streaming();
        seen.extend_from_slice(world.states());
        let gone: Vec<u32> = (0..before.len() as u32)
            .filter(|it| it % 3 == round % 3)
            .collect();
        act(&mut session, Action::RemoveObjects(these(&gone)));
        let left = objects(&session);
        assert_eq!(left.len() + gone.len(), before.len());
        assert!(left.iter().all(|object| before.contains(object)));
        check(&session);
        run(&mut session, 3);
        act(&mut session, Action::Undo);
        assert!(objects(&session) == before && *session.scene() == scene);
        let world = session.world().unwrap().streaming();
        for object in &gone {
            assert_eq!(world.states()[*object as usize], State::Unloaded);
        }
        check(&session);
    }
    for state in [
        State::Unloaded,
        State::Queued,
        State::Loading,
        State::Resident,
    ] {
        assert!(seen.contains(&state), "{state:?}");
    }
}

#[test]
fn copies_are_what_they_are_copies_of_and_stand_where_they_were_placed() {
    let mut session = opened(WORLD);
    run(&mut session, 30);
    let before = objects(&session);
    let chosen = [0, 3, 12, 24];
    act(
        &mut session,
        Action::CopyObjects(these(&chosen), (10.0, 20.0)),
    );
    let after = objects(&session);
    assert_eq!(after[..before.len()], before);
    for (copy, of) in after[before.len()..].iter().zip(chosen) {
        let mut expected = before[of as usize];
        expected.center += Vec2::new(10.0, 20.0);
        assert_eq!(*copy, expected);
    }
    let placed: Vec<u32> = (before.len() as u32..after.len() as u32).collect();
    assert_eq!(session.objects_placed_last(), placed);
    assert_eq!(
        session.undo_name(false).as_deref(),
        Some("duplicate 4 objects")
    );
    check(&session);
    run(&mut session, 30);
    act(&mut session, Action::RemoveObjects(these(&[0, 32, 34])));
    check(&session);
    act(&mut session, Action::Undo);
    act(&mut session, Action::Undo);
    assert!(objects(&session) == before);
    assert!(session.objects_placed_last().is_empty());
    check(&session);
}

#[test]
fn what_is_copied_as_text_is_pasted_around_a_point_in_this_world_and_in_another() {
    let session = opened(WORLD);
    let text = copied(session.scene(), &[0, 31, 500]).unwrap();
    let mut other = opened(
        r#"(version: 1, field: ((0, 0), (50, 50)), structure: (kind: "quadtree"), character: (position: (5, 5)), world: (objects: []))"#,
    );
    act(&mut other, Action::PasteObjects(text.clone(), (20.0, 30.0)));
    let places: Vec<Vec2> = objects(&other).iter().map(|it| it.center).collect();
    // They stood at (200, 210) and (350, 200).
    assert_eq!(places, [Vec2::new(-55.0, 35.0), Vec2::new(95.0, 25.0)]);
    assert!(other.world().unwrap().streaming().said_bytes(0).is_none());
    check(&other);
    run(&mut other, 240);
    let states = other.world().unwrap().streaming().states();
    assert!(states.contains(&State::Resident), "{states:?}");
    check(&other);

    let mut session = session;
    let weighed = copied(session.scene(), &[5]).unwrap();
    act(&mut session, Action::PasteObjects(weighed, (0.0, 0.0)));
    let all = objects(&session);
    assert_eq!(
        (all[32].bytes, all[32].half_extent),
        (all[5].bytes, all[5].half_extent)
    );
    check(&session);
    for wrong in [
        "",
        "what is this?",
        "(version: 1, units: [])",
        "(version: 1, objects: [])",
    ] {
        let said = refused(
            &mut session,
            Action::PasteObjects(wrong.to_owned(), (0.0, 0.0)),
        );
        let is_said = said.starts_with("The clipboard holds no objects of Skirmish (");
        assert!(is_said && said.lines().count() == 1, "{said}");
    }
    let far = (COORDINATE_LIMIT, 0.0);
    let said = refused(&mut session, Action::PasteObjects(text, far));
    assert!(said.starts_with("objects stand at most"), "{said}");
}

#[test]
fn an_object_is_placed_with_its_picture_and_a_picture_lies_below_the_scene() {
    let mut session = opened(WORLD);
    act(&mut session, Action::Stand);
    let asset = "assets/pond-1.png".to_owned();
    let place = Action::PlaceObject(asset.clone(), (210.0, 190.0), (4.0, 3.0));
    act(&mut session, place.clone());
    assert_eq!(session.undo_name(false).as_deref(), Some("place an object"));
    check(&session);
    run(&mut session, 240);
    let streaming = session.world().unwrap().streaming();
    assert_eq!(streaming.states()[32], State::Resident);
    // A file that the world had not named has the bytes that it has on the disk.
    let file = std::fs::metadata("scenes/assets/pond-1.png").unwrap().len();
    assert_eq!(streaming.objects()[32].bytes, file);
    act(&mut session, Action::Undo);
    act(&mut session, Action::Redo);
    run(&mut session, 60);
    check(&session);
    for wrong in ["", "../x.png", "/etc/x.png", "a\\b.png"] {
        let action = Action::PlaceObject(wrong.to_owned(), (0.0, 0.0), (1.0, 1.0));
        let said = refused(&mut session, action);
        assert!(said.starts_with("a picture must be a path below"), "{said}");
    }
    for half in [(-1.0, 1.0), (1.0, f32::NAN)] {
        let said = refused(
            &mut session,
            Action::PlaceObject(asset.clone(), (0.0, 0.0), half),
        );
        assert!(said.starts_with("half a "), "{said}");
    }
}

#[test]
fn what_cannot_be_done_to_objects_is_said_and_changes_nothing() {
    let mut session = opened(WORLD);
    let far = (COORDINATE_LIMIT, 0.0);
    let said = refused(&mut session, Action::MoveObjects(these(&[0]), far));
    assert!(said.starts_with("objects stand at most"), "{said}");
    let said = refused(&mut session, Action::CopyObjects(these(&[0, 1]), far));
    assert!(said.starts_with("objects stand at most"), "{said}");
    let many = "(version: 1, objects: [Scatter(count: 1999999, area: ((0, 0), (1, 1)), size: Point, assets: [\"a.png\"])])";
    let said = refused(
        &mut session,
        Action::PasteObjects(many.to_owned(), (0.0, 0.0)),
    );
    assert_eq!(
        said,
        "a world has at most 2000000 objects, and with these it would have 2000031"
    );
    // Of nobody nothing is done, and there is nothing to be taken back.
    for nothing in [
        Action::MoveObjects(these(&[77]), (1.0, 1.0)),
        Action::MoveObjects(these(&[1]), (0.0, 0.0)),
        Action::CopyObjects(these(&[77]), (1.0, 1.0)),
        Action::RemoveObjects(these(&[])),
    ] {
        act(&mut session, nothing);
        assert_eq!(session.undo_name(false), None);
    }
    let blank = "(version: 1, field: ((0, 0), (50, 50)), structure: (kind: \"quadtree\"))";
    let scene = scene_file::parse(blank.as_bytes(), "blank").unwrap();
    let mut session = Session::new(scene, Path::new("")).0;
    for action in [
        Action::MoveObjects(these(&[0]), (1.0, 1.0)),
        Action::RemoveObjects(these(&[0])),
        Action::CopyObjects(these(&[0]), (1.0, 1.0)),
        Action::PlaceObject("a.png".to_owned(), (0.0, 0.0), (1.0, 1.0)),
    ] {
        let said = session.apply(action, false, &cancel()).unwrap_err();
        assert_eq!(said.to_string(), "this scene has no world that streams");
    }
}

#[test]
fn going_back_past_edits_of_objects_and_on_again_gives_the_same_hashes() {
    let mut session = opened(WORLD);
    act(
        &mut session,
        Action::Tune("mbps".to_owned(), "0.05".to_owned()),
    );
    act(&mut session, Action::Follow("way".to_owned()));
    let text = copied(session.scene(), &[1, 2]).unwrap();
    let mut hashes = vec![session.hash()];
    for tick in 0..300_u32 {
        match tick {
            20 => act(&mut session, Action::RemoveObjects(these(&[0, 5, 6, 20]))),
            40 => act(
                &mut session,
                Action::MoveObjects(these(&[1, 2, 3]), (30.0, 0.0)),
            ),
            60 => act(
                &mut session,
                Action::CopyObjects(these(&[7, 8, 27]), (15.0, 9.0)),
            ),
            70 => act(&mut session, Action::Undo),
            90 => act(&mut session, Action::Undo),
            110 => act(
                &mut session,
                Action::PasteObjects(text.clone(), (260.0, 200.0)),
            ),
            130 => act(&mut session, Action::Restart),
            150 => act(&mut session, Action::RemoveObjects(these(&[3]))),
            170 => act(&mut session, Action::Undo),
            171 => act(&mut session, Action::Undo),
            172 => act(&mut session, Action::Undo),
            173 => act(&mut session, Action::Redo),
            200 => act(
                &mut session,
                Action::PlaceObject("assets/pond-1.png".to_owned(), (280.0, 200.0), (9.0, 9.0)),
            ),
            _ => {}
        }
        run(&mut session, 1);
        hashes.push(session.hash());
    }
    let last = objects(&session);
    for to in [5, 100, 19, 65, 299, 160, 120, 0, 175, 300] {
        session.seek(to, &cancel(), &mut ()).unwrap();
        assert_eq!(session.hash(), hashes[to as usize], "tick {to}");
        session.world().unwrap().streaming().validate().unwrap();
    }
    assert!(objects(&session) == last);
    check(&session);

    let recording = session.recording();
    let text = recording.format();
    let read = file::Recording::parse(text.as_bytes(), "recording").unwrap();
    let read = file::Recording {
        folder: Path::new("scenes").to_owned(),
        ..read
    };
    let (mut replayed, _) = Session::of_recording(read).unwrap();
    run(&mut replayed, 300);
    assert_eq!(replayed.timeline().diverged_at(), None);
    assert_eq!(replayed.hash(), hashes[300]);
    assert!(objects(&replayed) == last);
}

#[test]
fn the_boxes_of_both_trees_are_there_after_an_edit_while_time_stands() {
    let mut session = opened(WORLD);
    run(&mut session, 60);
    let boxes = |session: &Session| {
        let looked = session.world().unwrap().looked();
        let of_nodes = |list: &[crate::streaming::LookedBox]| {
            list.iter().filter(|it| it.object.is_none()).count()
        };
        (of_nodes(&looked.load), of_nodes(&looked.unload))
    };
    let edits = [
        Action::MoveObjects(these(&[0]), (4.0, 4.0)),
        Action::RemoveObjects(these(&[3])),
        Action::PlaceObject("assets/rock-1.png".to_owned(), (220.0, 190.0), (3.0, 3.0)),
    ];
    for edit in edits {
        act(&mut session, edit);
        let (load, unload) = boxes(&session);
        assert!(load > 0 && unload > 0, "{load} and {unload}");
        check(&session);
    }
    // Other rectangles have other boxes at once, as those that are drawn around the objects.
    let before = session.world().unwrap().looked().clone();
    act(
        &mut session,
        Action::Tune("margin".to_owned(), "60".to_owned()),
    );
    let (load, unload) = boxes(&session);
    assert!(load > 0 && unload > 0, "{load} and {unload}");
    assert!(*session.world().unwrap().looked() != before);
    check(&session);
}

#[test]
fn an_object_is_known_by_its_number_of_then_beyond_a_restart_and_by_none_that_is_still_to_come() {
    let mut session = opened(WORLD);
    let known = |session: &Session, object, numbering| {
        let streaming = session.world().unwrap().streaming();
        let now = streaming.renumberings().now_of_known(object, numbering)?;
        Some((now, streaming.objects()[now as usize].center))
    };
    let center = objects(&session)[8].center;
    assert_eq!(known(&session, 8, 0), Some((8, center)));
    run(&mut session, 3);
    act(&mut session, Action::RemoveObjects(these(&[0])));
    run(&mut session, 2);
    assert_eq!(known(&session, 7, 1), Some((7, center)));
    act(&mut session, Action::Restart);
    run(&mut session, 2);
    for (object, numbering) in [(8, 0), (7, 1)] {
        assert_eq!(known(&session, object, numbering), Some((7, center)));
    }
    // There it is not known yet which object that will be.
    session.seek(1, &cancel(), &mut ()).unwrap();
    assert_eq!(known(&session, 7, 1), None);
    assert_eq!(known(&session, 8, 0), Some((8, center)));
    session.seek(7, &cancel(), &mut ()).unwrap();
    assert_eq!(known(&session, 7, 1), Some((7, center)));
    act(&mut session, Action::Undo);
    assert_eq!(known(&session, 7, 1), Some((7, center)));
}
