//! Many units at once in space: moved, copied, pasted and strewn, taken back, done again, recorded, and refused where that cannot be.

use super::action::Side as SideWord;
use super::tests::{act, cancel, run, skirmish};
use super::*;
use crate::partition::COORDINATE_LIMIT;
use crate::scene::{Flock, file as scene_file};
use crate::volume::{Kind3, Region3, RegionQuery3, Vec3};

/// Bodies whose sizes are drawn, and points that are given one by one.
const CROWD: &str = r#"(
    version: 1,
    seed: 3,
    field: ((0, 0), (200, 200)),
    structure: (kind: "octree"),
    lanes: [(kind: "grid-3d")],
    volume: (
        heights: (0, 100),
        reach: 5,
        flocks: [
            (side: Blue, count: 30, formation: Ball(center: (60, 60, 50), radius: 20), size: Between(0.5, 2)),
            (side: Orange, formation: Explicit([(150, 150, 20), (150, 160, 30), (160, 150, 40), (160, 160, 50)]), motion: Hold),
        ],
    ),
)"#;

fn crowd() -> Session {
    let scene = scene_file::parse(CROWD.as_bytes(), "crowd").unwrap();
    Session::new(scene, Path::new("")).0
}

fn swarm(units: u32) -> Session {
    let mut scene = scene_file::read(Path::new("scenes/swarm.ron")).unwrap();
    scene.scale_units(units);
    Session::new(scene, Path::new("scenes")).0
}

fn units(ids: impl IntoIterator<Item = UnitId>) -> Units {
    Units::new(ids.into_iter().collect())
}

fn flight(session: &Session) -> &Flight {
    session.flight().unwrap()
}

fn places(session: &Session, ids: &[UnitId]) -> Vec<Vec3> {
    let bodies = flight(session).bodies();
    ids.iter().map(|unit| bodies.center(*unit)).collect()
}

fn flocks(session: &Session) -> &[Flock] {
    &session.scene().volume.as_ref().unwrap().flocks
}

fn reopened(session: &Session) -> Session {
    let text = scene_file::format(session.scene());
    let read = scene_file::parse(text.as_bytes(), "saved").unwrap();
    assert_eq!(read, **session.scene());
    Session::new(read, Path::new("")).0
}

#[track_caller]
fn assert_whole(session: &Session) {
    for lane in session.lanes3() {
        lane.index().validate(flight(session).bodies()).unwrap();
    }
}

fn refused(session: &mut Session, action: Action) -> String {
    let before = (session.hash(), Scene::clone(session.scene()));
    let said = session.apply(action, false, &cancel()).unwrap_err();
    let after = (session.hash(), Scene::clone(session.scene()));
    assert_eq!(before, after, "what is refused has changed nothing");
    said.to_string()
}

#[test]
fn many_move_as_one_and_the_scene_starts_with_them_there() {
    let mut session = crowd();
    run(&mut session, 20);
    let ids: Vec<UnitId> = (25..34).collect();
    let before = places(&session, &ids);
    let hash = session.hash();
    let way = Vec3::new(10.0, -4.0, 6.0);
    act(
        &mut session,
        Action::Shift3(units(ids.clone()), (10.0, -4.0, 6.0)),
    );
    let moved: Vec<Vec3> = before.iter().map(|at| *at + way).collect();
    assert_eq!(places(&session, &ids), moved);
    assert_eq!(session.undo_name(false).as_deref(), Some("move 9 units"));
    assert!(session.is_unsaved());
    assert_whole(&session);
    act(&mut session, Action::Undo);
    assert_eq!((session.hash(), session.is_unsaved()), (hash, false));
    act(&mut session, Action::Redo);
    assert_eq!(places(&session, &ids), moved);
    assert_eq!(
        (
            flocks(&session)[0].moved.len(),
            flocks(&session)[1].moved.len()
        ),
        (5, 0),
        "who is given one by one has the place itself"
    );
    act(&mut session, Action::Restart);
    assert_eq!(places(&session, &ids), moved, "it starts with them there");
    assert_eq!(
        places(&reopened(&session), &ids),
        moved,
        "and so does its file"
    );
    assert_eq!(reopened(&session).hash(), session.hash());
    assert_whole(&session);
}

#[test]
fn who_was_moved_is_so_whoever_is_erased_and_nobody_when_there_are_others() {
    let mut session = crowd();
    act(&mut session, Action::Remove(vec![2, 3, 28]));
    act(
        &mut session,
        Action::Shift3(units([4, 29]), (1.0, 2.0, 3.0)),
    );
    let at = places(&session, &[4, 29]);
    act(&mut session, Action::Restart);
    // Three were erased: numbers in the flock stay, rows of the flight move up.
    assert_eq!(places(&session, &[2, 26]), at);
    act(&mut session, Action::Shift3(units([2]), (1.0, 0.0, 0.0)));
    assert_eq!(flocks(&session)[0].moved.len(), 2, "each is named once");
    act(&mut session, Action::Units(20));
    assert!(flocks(&session).iter().all(|flock| flock.moved.is_empty()));
}

#[test]
fn a_row_of_nudges_is_one_edit_and_keeps_no_more_than_one() {
    let mut session = swarm(2_000);
    let hash = session.hash();
    for turn in 0..50 {
        let nudge = Action::Shift3(units(0..1_000), (1.0, 0.0, 0.0));
        session.apply(nudge, turn > 0, &cancel()).unwrap();
    }
    let bytes = session.undo.byte_count();
    assert_eq!(
        session.undo_name(false).as_deref(),
        Some("move 1,000 units")
    );
    act(&mut session, Action::Undo);
    assert_eq!(session.hash(), hash);
    assert_eq!(session.undo_name(false), None);
    act(&mut session, Action::Redo);
    let mut once = swarm(2_000);
    act(&mut once, Action::Shift3(units(0..1_000), (50.0, 0.0, 0.0)));
    assert!(bytes < 2 * once.undo.byte_count(), "{bytes} bytes");
}

#[test]
fn copies_keep_sides_places_and_properties() {
    let mut session = crowd();
    run(&mut session, 5);
    let ids: Vec<UnitId> = (20..34).collect();
    let way = Vec3::new(30.0, 5.0, 9.0);
    act(
        &mut session,
        Action::Copy3(units(ids.clone()), (30.0, 5.0, 9.0)),
    );
    assert_eq!(
        session.undo_name(false).as_deref(),
        Some("duplicate 14 units")
    );
    let copies = session.placed_last();
    assert_eq!(copies.len(), 14);
    let bodies = flight(&session).bodies();
    for unit in &ids {
        let at = bodies.center(*unit) + way;
        let copy = copies.iter().find(|it| bodies.center(**it) == at);
        let copy = *copy.expect("there is a copy of each");
        let sides = flight(&session).sides();
        assert_eq!(sides[copy as usize], sides[*unit as usize]);
        assert_eq!(bodies.half_extent(copy), bodies.half_extent(*unit));
        assert_eq!(
            flight(&session).motion_of(copy),
            flight(&session).motion_of(*unit)
        );
    }
    assert_whole(&session);
    let count = session.alive();
    act(&mut session, Action::Undo);
    assert_eq!(session.alive(), count - 14);
    act(&mut session, Action::Redo);
    assert_eq!(reopened(&session).alive(), count);
    act(&mut session, Action::Restart);
    assert_eq!(session.alive(), count);
}

#[test]
fn what_is_copied_as_text_is_pasted_in_another_scene() {
    let from = crowd();
    let text = copied(flight(&from), &(0..34).collect::<Vec<_>>()).unwrap();
    assert!(text.starts_with("(version:1,flocks:["), "{text}");
    let mut to = swarm(100);
    act(&mut to, Action::Paste3(text, (240.0, 150.0, 80.0)));
    assert_eq!(to.undo_name(false).as_deref(), Some("paste 34 units"));
    let all = places(&to, &to.placed_last());
    let (low, high) = all.iter().fold(
        (Vec3::splat(f32::MAX), Vec3::splat(f32::MIN)),
        |(low, high), at| (low.min(*at), high.max(*at)),
    );
    assert!((low + high).abs_diff_eq(Vec3::new(480.0, 300.0, 160.0), 0.01));
    assert_eq!(reopened(&to).alive(), 134);
    act(&mut to, Action::Undo);
    assert_eq!(to.alive(), 100);
    // Who was erased in a text is not among them.
    let erased = "(version:1,flocks:[(side:Blue,formation:Explicit([(1,2,3),(3,4,5),(5,6,7)]),without:[1])])";
    act(&mut to, Action::Paste3(erased.to_owned(), (0.0, 0.0, 0.0)));
    assert_eq!(
        places(&to, &to.placed_last()),
        [Vec3::splat(-2.0), Vec3::splat(2.0)]
    );
}

#[test]
fn units_of_the_other_dimension_are_refused_by_name() {
    let (mut space, mut plane) = (crowd(), skirmish(50));
    let of_space = copied(flight(&space), &[0, 33]).unwrap();
    let of_plane = copied(plane.battle(), &[0, 1]).unwrap();
    assert_eq!(
        refused(&mut space, Action::Paste3(of_plane, (1.0, 1.0, 1.0))),
        "The clipboard holds units that are on a plane; those of this scene are in space."
    );
    assert_eq!(
        refused(&mut plane, Action::Paste(of_space, (1.0, 1.0))),
        "The clipboard holds units that are in space; those of this scene are on a plane."
    );
    for (plane_word, action) in [
        ("Shift", Action::Shift(units([0]), (1.0, 1.0))),
        ("Copy", Action::Copy(units([0]), (1.0, 1.0))),
        ("Paste", Action::Paste(String::new(), (1.0, 1.0))),
    ] {
        let said = refused(&mut space, action);
        let expected = format!(
            "{plane_word} is for scenes on a plane, and this one has a volume: {plane_word}3 is meant"
        );
        assert_eq!(said, expected);
    }
    let shape = Strewn {
        shape: Shape3::Cube,
        spread: Spread::Even,
        radius: 1.0,
        count: 2,
        seed: 0,
        size: None,
    };
    let at = (1.0, 1.0, 1.0);
    for (word, action) in [
        ("Shift", Action::Shift3(units([0]), at)),
        ("Copy", Action::Copy3(units([0]), at)),
        ("Paste", Action::Paste3(String::new(), at)),
        ("Strew", Action::Strew3(SideWord::Blue, at, shape)),
    ] {
        let said = refused(&mut plane, action);
        let expected = format!(
            "{word}3 is for scenes of the third dimension, which have a volume: {word} is meant"
        );
        assert_eq!(said, expected);
    }
}

#[test]
fn a_clipboard_of_anything_else_is_one_sentence() {
    let mut session = crowd();
    let deep = "(".repeat(500);
    let many = "(side: Blue, formation: Explicit([(0,0,0)])),".repeat(1_001);
    let many = format!("(version: 1, flocks: [{many}])");
    for hostile in [
        "",
        "hello",
        "\u{0}\u{1b}[2J\u{202e}",
        "(version: 2, flocks: [])",
        "(version: 1, flocks: [])",
        "(version: 1, flocks: [(side: Green, formation: Spot(0, 0, 0))])",
        "(version: 1, flocks: [(side: Blue, count: 5, formation: Spot(0, 0, 0))])",
        "(version: 1, flocks: [(side: Blue, formation: Explicit([(NaN, 0, 0)]))])",
        "(version: 1, flocks: [(side: Blue, formation: Explicit([(0, 0, 1e30)]))])",
        "(version: 1, flocks: [(side: Blue, formation: Explicit([(1, 0)]))])",
        "(version: 1, flocks: [(side: Blue, formation: Explicit([(1, 0, 0)]), moved: [(0, (1, 1, 1))])])",
        "(version: 1, flocks: [(side: Blue, formation: Explicit([(1, 0, 0)]), without: [0])])",
        CROWD,
        &deep,
        &many,
    ] {
        let action = Action::Paste3(hostile.to_owned(), (0.0, 0.0, 0.0));
        let said = refused(&mut session, action);
        assert!(
            said.contains("lipboard holds no units"),
            "{hostile}: {said}"
        );
        assert!(said.chars().all(|c| !c.is_control()), "{said}");
    }
}

#[test]
fn nobody_is_moved_or_placed_outside_of_what_there_is() {
    let mut session = crowd();
    for nobody in [units([]), units([4_000_000_000]), units([34, 35])] {
        act(
            &mut session,
            Action::Shift3(nobody.clone(), (1.0, 1.0, 1.0)),
        );
        act(&mut session, Action::Copy3(nobody, (1.0, 1.0, 1.0)));
    }
    assert_eq!(session.undo_name(false), None, "nothing was done");
    let far = COORDINATE_LIMIT;
    let text = copied(flight(&session), &[0, 1]).unwrap();
    for action in [
        Action::Shift3(units(0..34), (0.0, 0.0, far)),
        Action::Copy3(units(0..34), (far, 0.0, 0.0)),
        Action::Shift3(units(0..34), (0.0, f32::NAN, 0.0)),
        Action::Copy3(units(0..34), (f32::INFINITY, 0.0, 0.0)),
        Action::Paste3(text, (0.0, 0.0, 2.0e9)),
    ] {
        let said = refused(&mut session, action.clone());
        assert!(!said.is_empty(), "{action:?}");
    }
    act(&mut session, Action::Remove(vec![3, 4]));
    act(
        &mut session,
        Action::Shift3(units([2, 3, 4]), (1.0, 1.0, 1.0)),
    );
    assert_eq!(session.undo_name(false).as_deref(), Some("move 1 unit"));
    assert_eq!(
        copied(flight(&session), &[3, 4]).unwrap(),
        "(version:1,flocks:[])"
    );
}

#[test]
fn a_hundred_thousand_move_and_are_copied() {
    let mut session = swarm(100_000);
    let all = units(flight(&session).bodies().ids());
    let hash = session.hash();
    act(&mut session, Action::Shift3(all.clone(), (3.0, 0.0, 1.0)));
    act(&mut session, Action::Copy3(all.clone(), (0.0, 5.0, 0.0)));
    let text = copied(flight(&session), all.ids()).unwrap();
    act(&mut session, Action::Paste3(text, (0.0, 0.0, 0.0)));
    assert_eq!(session.alive(), 300_000);
    for _ in 0..3 {
        act(&mut session, Action::Undo);
    }
    assert_eq!(session.hash(), hash);
}

#[test]
fn a_recording_of_all_of_it_plays_hash_for_hash() {
    let mut session = crowd();
    act(&mut session, Action::Shift3(units(0..20), (4.0, 4.0, 4.0)));
    run(&mut session, 3);
    act(&mut session, Action::Copy3(units(5..15), (9.0, 9.0, 9.0)));
    let text = copied(flight(&session), &[0, 31]).unwrap();
    run(&mut session, 3);
    act(&mut session, Action::Paste3(text, (77.0, 88.0, 20.0)));
    for shape in Shape3::ALL {
        for spread in Spread::ALL {
            let strewn = Strewn {
                shape,
                spread,
                radius: 14.0,
                count: 33,
                seed: 77,
                size: None,
            };
            let action = Action::Strew3(SideWord::Orange, (90.0, 90.0, 50.0), strewn);
            act(&mut session, action);
            run(&mut session, 1);
        }
    }
    act(&mut session, Action::Undo);
    act(&mut session, Action::Restart);
    run(&mut session, 5);
    let end = session.tick_count();
    let text = session.recording().format();
    let recording = file::Recording::parse(text.as_bytes(), "again").unwrap();
    let (mut again, _) = Session::of_recording(recording).unwrap();
    run(&mut again, end);
    assert_eq!(again.hash(), session.hash());
    assert_eq!(again.timeline().diverged_at(), None);
    assert_eq!(again.scene(), session.scene());
}

#[test]
fn every_shape_is_filled_and_never_left() {
    for shape in Shape3::ALL {
        for spread in Spread::ALL {
            for count in [0, 1, 2, 3, 7, 100, 5_000] {
                let strewn = Strewn {
                    shape,
                    spread,
                    radius: 10.0,
                    count,
                    seed: 5,
                    size: None,
                };
                let center = Vec3::new(3.0, -2.0, 8.0);
                let places = strewn.places(center);
                assert_eq!(places.len(), count as usize, "{strewn:?}");
                assert_eq!(places, strewn.places(center), "the same again");
                let inside = |at: &Vec3| {
                    let off = *at - center;
                    match shape {
                        Shape3::Ball => off.length() <= 10.001,
                        Shape3::Shell => count == 1 || (off.length() - 10.0).abs() < 0.001,
                        Shape3::Cube => off.abs().max_element() <= 10.001,
                        Shape3::Disc => off.z == 0.0 && off.length() <= 10.001,
                        Shape3::Line => off.truncate().length() == 0.0 && off.z.abs() <= 10.001,
                    }
                };
                assert!(places.iter().all(inside), "{strewn:?}");
                let chance = matches!(spread, Spread::Random | Spread::Normal);
                let other = Strewn { seed: 6, ..strewn }.places(center);
                assert_eq!(other != places, chance && count > 1, "{strewn:?}");
                let mut distinct: Vec<_> = places
                    .iter()
                    .map(|at| at.to_array().map(f32::to_bits))
                    .collect();
                distinct.sort_unstable();
                distinct.dedup();
                // On a line two of very many may draw the same number.
                let apart = distinct.len() + distinct.len() / 1_000;
                assert!(apart >= places.len(), "{strewn:?}: they stand apart");
            }
        }
    }
    let too_many = Strewn {
        shape: Shape3::Ball,
        spread: Spread::Lattice,
        radius: 1.0,
        count: u32::MAX,
        seed: 0,
        size: None,
    };
    for strewn in [
        too_many,
        Strewn {
            radius: f32::NAN,
            count: 1,
            ..too_many
        },
        Strewn {
            radius: -1.0,
            count: 1,
            ..too_many
        },
    ] {
        let action = Action::Strew3(SideWord::Blue, (0.0, 0.0, 0.0), strewn);
        assert!(action.check().is_err());
    }
}

#[test]
fn whoever_was_placed_in_space_has_its_size_after_a_restart_and_in_the_file() {
    let bodies = |session: &Session| {
        let bodies = flight(session).bodies();
        let row = |unit: UnitId| {
            let (at, half) = (bodies.center(unit), bodies.half_extent(unit));
            [at.x, at.y, at.z, half.x, half.y, half.z].map(f32::to_bits)
        };
        let mut rows: Vec<_> = bodies.ids().map(row).collect();
        rows.sort_unstable();
        rows
    };
    let mut session = crowd();
    let spawn = |at, count| Action::Spawn3(SideWord::Blue, at, 20.0, count);
    act(&mut session, spawn((100.0, 40.0, 50.0), 25));
    act(&mut session, spawn((100.0, 90.0, 50.0), 31));
    act(&mut session, Action::Copy3(units(0..70), (30.0, 0.0, 20.0)));
    act(&mut session, spawn((60.0, 140.0, 50.0), 7));
    let placed = bodies(&session);
    assert_eq!(bodies(&reopened(&session)), placed);
    act(&mut session, Action::Restart);
    assert_eq!(bodies(&session), placed);
}

#[test]
fn who_is_taken_back_leaves_every_structure_as_it_was() {
    for kind in Kind3::ALL {
        let mut session = crowd();
        act(&mut session, Action::Structure(kind.info().key.to_owned()));
        let regions = |session: &Session| {
            let mut all = Vec::new();
            let index = session.lanes3()[0].index();
            index.regions(RegionQuery3::ALL, &mut |region| {
                let Region3 {
                    bounds,
                    depth,
                    load,
                    ..
                } = region;
                all.push(format!("{depth}: {load} in {bounds:?}"));
            });
            all.sort();
            all
        };
        let before = (regions(&session), session.hash());
        let text = copied(flight(&session), &(0..34).collect::<Vec<_>>()).unwrap();
        act(
            &mut session,
            Action::Spawn3(SideWord::Blue, (60.0, 60.0, 50.0), 20.0, 80),
        );
        act(&mut session, Action::Paste3(text, (500.0, 500.0, 300.0)));
        let who = |session: &Session| {
            let ids: Vec<UnitId> = flight(session).bodies().ids().collect();
            (ids, session.hash())
        };
        let done = who(&session);
        assert_eq!(done.0.len(), 148);
        let take_back = |session: &mut Session| {
            for _ in 0..2 {
                act(session, Action::Undo);
            }
            assert_eq!(session.alive(), 34);
            assert_whole(session);
        };
        let do_again = |session: &mut Session| {
            for _ in 0..2 {
                act(session, Action::Redo);
            }
            assert_whole(session);
        };
        take_back(&mut session);
        let now = (regions(&session), session.hash());
        assert_eq!(now, before, "{}", kind.info().key);
        assert_eq!(flight(&session).bodies().slot_count(), 34);
        do_again(&mut session);
        assert_eq!(who(&session), done, "{}", kind.info().key);
        // Once time has passed the rows stay, and everybody comes back into its own.
        run(&mut session, 7);
        let later = who(&session);
        take_back(&mut session);
        assert_eq!(flight(&session).bodies().slot_count(), 148);
        do_again(&mut session);
        assert_eq!(who(&session), later, "{}", kind.info().key);
    }
}
