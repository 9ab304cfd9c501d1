//! Many units at once: moved, copied, pasted and strewn, taken back, done again, recorded, and refused where that cannot be.

use super::action::Side as SideWord;
use super::tests::{act, cancel, run, skirmish};
use super::*;
use crate::geometry::Vec2;
use crate::partition::{COORDINATE_LIMIT, Kind};
use crate::scene::{Army, Formation, Size, StructureChoice, file as scene_file};

fn units(ids: impl IntoIterator<Item = UnitId>) -> Units {
    Units::new(ids.into_iter().collect())
}

fn places(session: &Session, ids: &[UnitId]) -> Vec<Vec2> {
    let positions = session.battle().positions();
    ids.iter().map(|unit| positions[*unit as usize]).collect()
}

fn refused(session: &mut Session, action: Action) -> String {
    let before = (session.battle.hash(), Scene::clone(session.scene()));
    let said = session.apply(action, false, &cancel()).unwrap_err();
    let after = (session.battle.hash(), Scene::clone(session.scene()));
    assert_eq!(before, after, "what is refused has changed nothing");
    said.to_string()
}

/// A scene of bodies whose sizes are drawn, and of points.
fn mixed() -> Session {
    let mut scene = Scene::blank(StructureChoice::new(Kind::Quadtree));
    let area = crate::geometry::Aabb::new(Vec2::new(20.0, 20.0), Vec2::new(200.0, 200.0));
    let mut bodies = Army::new(SideWord::Blue.into(), 30, Formation::Uniform(area));
    bodies.size = Size::Between(0.5, 2.0);
    let riders = Army::new(SideWord::Orange.into(), 12, Formation::Ranks(area));
    scene.armies = vec![bodies, riders];
    Session::new(scene, Path::new("")).0
}

#[test]
fn units_are_written_as_ranges_and_read_back() {
    for (ids, text) in [
        (vec![], ""),
        (vec![5], "5"),
        (vec![3, 1, 2, 9, 9], "1-3,9"),
        (vec![0, 1, 4, 5, 6, 40], "0-1,4-6,40"),
    ] {
        let units = Units::new(ids);
        assert_eq!(units.to_string(), text);
        assert_eq!(Units::try_from(text.to_owned()), Ok(units));
    }
    for wrong in [
        ",",
        "1,",
        "3-1",
        "1-3,2",
        "1,1",
        "x",
        "-4",
        "1--2",
        "4294967296",
        " 1",
    ] {
        assert!(Units::try_from(wrong.to_owned()).is_err(), "{wrong}");
    }
    let many = Units::try_from("0-4294967295".to_owned()).unwrap_err();
    assert!(many.starts_with("at most 2000000 units"), "{many}");
    let text = ron::to_string(&Action::Shift(
        Units::new((0..100_000).collect()),
        (1.0, 2.0),
    ));
    assert_eq!(text.unwrap(), "Shift(\"0-99999\",(1.0,2.0))");
}

#[test]
fn many_move_as_one_and_the_scene_starts_with_them_there() {
    let mut session = skirmish(2_000);
    run(&mut session, 20);
    let ids: Vec<UnitId> = (0..37).collect();
    let before = places(&session, &ids);
    let hash = session.battle.hash();
    act(
        &mut session,
        Action::Shift(units(ids.clone()), (10.0, -4.0)),
    );
    let way = Vec2::new(10.0, -4.0);
    let moved: Vec<Vec2> = before.iter().map(|at| *at + way).collect();
    assert_eq!(places(&session, &ids), moved);
    assert_eq!(session.undo_name(false).as_deref(), Some("move 37 units"));
    assert!(session.is_unsaved());
    act(&mut session, Action::Undo);
    assert_eq!((session.battle.hash(), session.is_unsaved()), (hash, false));
    act(&mut session, Action::Redo);
    assert_eq!(places(&session, &ids), moved);
    act(&mut session, Action::Restart);
    assert_eq!(places(&session, &ids), moved, "it starts with them there");
    let text = scene_file::format(session.scene());
    let read = scene_file::parse(text.as_bytes(), "moved").unwrap();
    assert_eq!(read, **session.scene());
    let (again, _) = Session::new(read, Path::new(""));
    assert_eq!(places(&again, &ids), moved, "and so does its file");
    for lane in session.lanes() {
        lane.index().validate(session.battle.bodies()).unwrap();
    }
}

#[test]
fn in_a_large_battle_the_moved_the_erased_and_the_placed_are_those_that_the_scene_knows() {
    // So many that their rows are not in the order of the armies.
    const MANY: u32 = 150_000;
    let mut scene = Scene::blank(StructureChoice::new(Kind::SortedGrid));
    let area = crate::geometry::Aabb::new(Vec2::ZERO, Vec2::new(900.0, 600.0));
    let sides = [SideWord::Blue, SideWord::Orange];
    let army = |side: SideWord| Army::new(side.into(), MANY / 2, Formation::Uniform(area));
    scene.armies = sides.map(army).to_vec();
    let blue = crate::scene::generate::army(&scene, 0).positions;
    let mut session = Session::new(scene, Path::new("")).0;
    let start = session.battle().positions().to_vec();
    assert_ne!(start[..100], blue[..100]);
    let sides = session.battle().sides().to_vec();
    act(
        &mut session,
        Action::Spawn(SideWord::Orange, (5.0, 5.0), 3.0, 3),
    );
    // From one end of the field to the other, so that they would lie in other rows.
    let ids: Vec<UnitId> = (0..5).chain([MANY]).collect();
    act(
        &mut session,
        Action::Shift(units(ids.clone()), (0.0, 500.0)),
    );
    let mut expected = session.battle().positions().to_vec();
    assert_eq!(expected[0], start[0] + Vec2::new(0.0, 500.0));
    act(&mut session, Action::Restart);
    assert_eq!(session.battle().positions(), expected);
    assert_eq!(session.battle().sides()[..sides.len()], sides);
    let gone = [7, MANY + 1];
    act(&mut session, Action::Remove(gone.to_vec()));
    act(&mut session, Action::Restart);
    let sorted = |mut places: Vec<Vec2>| {
        places.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
        places
    };
    for row in gone.iter().rev() {
        expected.remove(*row as usize);
    }
    let now = session.battle().positions().to_vec();
    assert!(sorted(now) == sorted(expected), "all but those two");
}

#[test]
fn a_row_of_nudges_is_one_edit_and_keeps_no_more_than_one() {
    let mut session = skirmish(2_000);
    let hash = session.battle.hash();
    for turn in 0..50 {
        let nudge = Action::Shift(units(0..1_000), (1.0, 0.0));
        session.apply(nudge, turn > 0, &cancel()).unwrap();
    }
    let bytes = session.undo.byte_count();
    assert_eq!(
        session.undo_name(false).as_deref(),
        Some("move 1,000 units")
    );
    act(&mut session, Action::Undo);
    assert_eq!(session.battle.hash(), hash);
    assert_eq!(session.undo_name(false), None);
    act(&mut session, Action::Redo);
    let mut once = skirmish(2_000);
    act(&mut once, Action::Shift(units(0..1_000), (50.0, 0.0)));
    assert!(bytes < 2 * once.undo.byte_count(), "{bytes} bytes");
}

#[test]
fn copies_keep_sides_places_and_properties() {
    let mut session = mixed();
    run(&mut session, 5);
    let ids: Vec<UnitId> = (20..42).collect();
    act(
        &mut session,
        Action::Copy(units(ids.clone()), (100.0, 50.0)),
    );
    assert_eq!(
        session.undo_name(false).as_deref(),
        Some("duplicate 22 units")
    );
    let copies = session.placed_last();
    assert_eq!(copies.len(), 22);
    let battle = session.battle();
    // Armies come one after the other, so that copies are in the order of what was copied here.
    for unit in &ids {
        let at = battle.positions()[*unit as usize] + Vec2::new(100.0, 50.0);
        let copy = copies
            .iter()
            .find(|it| battle.positions()[**it as usize] == at);
        let copy = *copy.expect("there is a copy of each") as usize;
        let unit = *unit as usize;
        assert_eq!(battle.sides()[copy], battle.sides()[unit]);
        assert_eq!(battle.half_extents()[copy], battle.half_extents()[unit]);
    }
    let count = battle.bodies().ids().count();
    act(&mut session, Action::Undo);
    assert_eq!(session.battle().bodies().ids().count(), count - 22);
    act(&mut session, Action::Redo);
    act(&mut session, Action::Restart);
    assert_eq!(session.battle().bodies().ids().count(), count);
}

#[test]
fn whoever_was_placed_has_its_size_after_a_restart_and_in_the_file() {
    let bodies = |session: &Session| {
        let battle = session.battle();
        let row = |unit: UnitId| {
            let row = unit as usize;
            let (at, half) = (battle.positions()[row], battle.half_extents()[row]);
            [at.x, at.y, half.x, half.y].map(f32::to_bits)
        };
        let mut rows: Vec<_> = battle.bodies().ids().map(row).collect();
        rows.sort_unstable();
        rows
    };
    let mut session = mixed();
    let spawn = |at: (f32, f32), count| Action::Spawn(SideWord::Blue, at, 40.0, count);
    act(&mut session, spawn((300.0, 100.0), 50));
    act(&mut session, spawn((330.0, 120.0), 70));
    // Copies of more sizes than a scene has armies for: each is of the size of whom it was copied from.
    act(&mut session, Action::Copy(units(0..160), (5.0, 60.0)));
    act(&mut session, Action::Erase((300.0, 100.0), 15.0));
    act(&mut session, spawn((200.0, 210.0), 20));
    let placed = bodies(&session);
    let text = scene_file::format(session.scene());
    act(&mut session, Action::Restart);
    assert_eq!(bodies(&session), placed);
    let scene = scene_file::parse(text.as_bytes(), "placed").unwrap();
    assert_eq!(bodies(&Session::new(scene, Path::new("")).0), placed);
}

#[test]
fn what_is_copied_as_text_is_pasted_in_another_scene() {
    let from = mixed();
    let text = copied(from.battle(), &(0..42).collect::<Vec<_>>()).unwrap();
    // Who was erased in a text is not among them.
    let erased =
        "(version:1,units:[(side:Blue,formation:Explicit([(1,2),(3,4),(5,6)]),without:[1])])";
    let mut some = skirmish(10);
    act(&mut some, Action::Paste(erased.to_owned(), (0.0, 0.0)));
    assert_eq!(
        places(&some, &some.placed_last()),
        [Vec2::new(-2.0, -2.0), Vec2::new(2.0, 2.0)]
    );
    let mut to = skirmish(100);
    act(&mut to, Action::Paste(text.clone(), (240.0, 150.0)));
    assert_eq!(to.undo_name(false).as_deref(), Some("paste 42 units"));
    let pasted = to.placed_last();
    let all = places(&to, &pasted);
    let (low, high) = all.iter().fold(
        (Vec2::splat(f32::MAX), Vec2::splat(f32::MIN)),
        |(low, high), at| (low.min(*at), high.max(*at)),
    );
    assert!((low + high).abs_diff_eq(Vec2::new(480.0, 300.0), 0.01));
    let text = scene_file::format(to.scene());
    assert_eq!(
        scene_file::parse(text.as_bytes(), "pasted").unwrap(),
        **to.scene()
    );
    act(&mut to, Action::Undo);
    assert_eq!(to.battle().bodies().ids().count(), 100);
}

#[test]
fn a_clipboard_of_anything_else_is_one_sentence() {
    let mut session = skirmish(50);
    let deep = "(".repeat(500);
    let many = "(side: Blue, formation: Explicit([(0,0)])),".repeat(1_001);
    let many = format!("(version: 1, units: [{many}])");
    for hostile in [
        "",
        " \n\t ",
        "hello",
        "\u{0}\u{1b}[2J\u{202e}",
        "(version: 2, units: [])",
        "(version: 1, units: [])",
        "(version: 1, units: [(side: Green, formation: Spot(0, 0))])",
        "(version: 1, units: [(side: Blue, count: 5, formation: Spot(0, 0))])",
        "(version: 1, units: [(side: Blue, formation: Explicit([(NaN, 0)]))])",
        "(version: 1, units: [(side: Blue, formation: Explicit([(inf, 0)]))])",
        "(version: 1, units: [(side: Blue, formation: Explicit([(1e30, 0)]))])",
        "(version: 1, units: [(side: Blue, count: 9, formation: Explicit([(1, 0)]))])",
        "(version: 1, units: [(side: Blue, formation: Explicit([(1, 0)]), speed: -1)])",
        "(version: 1, units: [(side: Blue, formation: Explicit([(1, 0)]), moved: [(0, (1, 1))])])",
        "(version: 1, units: [(side: Blue, formation: Explicit([(1, 0)]), without: [0])])",
        scene_file::BUILT_IN,
        &deep,
        &many,
    ] {
        let said = refused(&mut session, Action::Paste(hostile.to_owned(), (0.0, 0.0)));
        assert!(
            said.contains("lipboard holds no units"),
            "{hostile}: {said}"
        );
        assert!(
            !said.contains('\n') && said.chars().all(|c| !c.is_control()),
            "{said}"
        );
    }
    let text = copied(session.battle(), &[0, 1]).unwrap();
    for at in [(f32::NAN, 0.0), (f32::INFINITY, 0.0), (2.0e9, 0.0)] {
        refused(&mut session, Action::Paste(text.clone(), at));
    }
}

#[test]
fn nobody_one_and_those_who_fell_are_no_trouble() {
    let mut session = skirmish(50);
    let acts = session.timeline().acts().len();
    for nobody in [units([]), units([4_000_000_000]), units([50, 51])] {
        act(&mut session, Action::Shift(nobody.clone(), (1.0, 1.0)));
        act(&mut session, Action::Copy(nobody, (1.0, 1.0)));
    }
    assert_eq!(session.undo_name(false), None, "nothing was done");
    assert_eq!(session.timeline().acts().len(), acts + 6);
    act(&mut session, Action::Remove(vec![3, 4]));
    act(&mut session, Action::Shift(units([2, 3, 4]), (1.0, 1.0)));
    assert_eq!(session.undo_name(false).as_deref(), Some("move 1 unit"));
    assert_eq!(
        copied(session.battle(), &[3, 4]).unwrap(),
        "(version:1,units:[])"
    );
    act(&mut session, Action::Copy(units([3, 4, 5]), (1.0, 1.0)));
    assert_eq!(
        session.undo_name(false).as_deref(),
        Some("duplicate 1 unit")
    );
}

#[test]
fn a_hundred_thousand_move_and_are_copied_and_no_more_as_text() {
    let mut session = skirmish(100_000);
    let all = units(session.battle().bodies().ids());
    assert_eq!(all.ids().len(), 100_000);
    let hash = session.battle.hash();
    act(&mut session, Action::Shift(all.clone(), (3.0, 0.0)));
    act(&mut session, Action::Copy(all.clone(), (0.0, 5.0)));
    assert_eq!(session.battle().bodies().ids().count(), 200_000);
    let text = copied(session.battle(), all.ids()).unwrap();
    act(&mut session, Action::Paste(text, (0.0, 0.0)));
    assert_eq!(session.battle().bodies().ids().count(), 300_000);
    for _ in 0..3 {
        act(&mut session, Action::Undo);
    }
    assert_eq!(session.battle.hash(), hash);
    let too_many: Vec<UnitId> = (0..=COPY_LIMIT as u32).collect();
    let said = copied(session.battle(), &too_many).unwrap_err();
    assert!(said.starts_with("At most 100000 units"), "{said}");
}

#[test]
fn nobody_is_moved_or_placed_outside_of_what_there_is() {
    let mut session = skirmish(50);
    let far = COORDINATE_LIMIT;
    for action in [
        Action::Shift(units(0..50), (far, 0.0)),
        Action::Copy(units(0..50), (0.0, far)),
        Action::Shift(units(0..50), (f32::NAN, 0.0)),
        Action::Copy(units(0..50), (f32::INFINITY, 0.0)),
        Action::Shift(units(0..50), (COORDINATE_LIMIT * 2.0, 0.0)),
    ] {
        let said = refused(&mut session, action.clone());
        assert!(!said.is_empty(), "{action:?}");
    }
    act(&mut session, Action::Shift(units([0]), (far / 2.0, 0.0)));
}

#[test]
fn a_recording_of_all_of_it_plays_hash_for_hash() {
    let mut session = mixed();
    let strewn = |shape, spread| Strewn {
        shape,
        spread,
        radius: 14.0,
        count: 33,
        seed: 77,
        size: None,
    };
    act(&mut session, Action::Shift(units(0..20), (4.0, 4.0)));
    run(&mut session, 3);
    act(&mut session, Action::Copy(units(5..15), (9.0, 9.0)));
    let text = copied(session.battle(), &[0, 40]).unwrap();
    run(&mut session, 3);
    act(&mut session, Action::Paste(text, (77.0, 88.0)));
    for shape in Shape::ALL {
        for spread in Spread::ALL {
            let action = Action::Strew(SideWord::Orange, (90.0, 90.0), strewn(shape, spread));
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
    assert_eq!(again.battle.hash(), session.battle.hash());
    assert_eq!(again.timeline().diverged_at(), None);
    assert_eq!(again.scene(), session.scene());
}

#[test]
fn every_shape_is_filled_and_never_left() {
    for shape in Shape::ALL {
        for spread in Spread::ALL {
            for count in [0, 1, 2, 7, 100, 5_000] {
                let strewn = Strewn {
                    shape,
                    spread,
                    radius: 10.0,
                    count,
                    seed: 5,
                    size: None,
                };
                let center = Vec2::new(3.0, -2.0);
                let places = strewn.places(center);
                assert_eq!(places.len(), count as usize, "{strewn:?}");
                assert_eq!(places, strewn.places(center), "the same again");
                let inside = |at: &Vec2| {
                    let off = *at - center;
                    match shape {
                        Shape::Disc => off.length() <= 10.001,
                        Shape::Square => off.abs().max_element() <= 10.001,
                        Shape::Line => off.x == 0.0 && off.y.abs() <= 10.001,
                    }
                };
                assert!(places.iter().all(inside), "{strewn:?}");
                let chance = matches!(spread, Spread::Random | Spread::Normal);
                let other = Strewn { seed: 6, ..strewn }.places(center);
                assert_eq!(other != places, chance && count > 1, "{strewn:?}");
            }
        }
    }
    let too_many = Strewn {
        shape: Shape::Disc,
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
        assert!(
            Action::Strew(SideWord::Blue, (0.0, 0.0), strewn)
                .check()
                .is_err()
        );
    }
}

#[test]
fn a_new_scene_is_filled_by_hand_and_saved() {
    let scene = Scene::blank(StructureChoice::new(Kind::LinkedGrid));
    let text = scene_file::format(&scene);
    assert_eq!(scene_file::parse(text.as_bytes(), "new").unwrap(), scene);
    let (mut session, complaint) = Session::new(scene, Path::new(""));
    assert_eq!((complaint, session.is_unsaved()), (None, false));
    act(
        &mut session,
        Action::Spawn(SideWord::Orange, (300.0, 100.0), 9.0, 20),
    );
    act(
        &mut session,
        Action::Spawn(SideWord::Blue, (100.0, 100.0), 9.0, 10),
    );
    act(
        &mut session,
        Action::Spawn(SideWord::Blue, (50.0, 100.0), 9.0, 1),
    );
    let scene = session.scene();
    let counts: Vec<u32> = scene.armies.iter().map(|army| army.count).collect();
    assert_eq!(
        counts[..2],
        [10, 20],
        "those who waited got their units: {counts:?}"
    );
    assert!(session.is_unsaved());
    let order = |side: SideWord| session.battle().order(side.into());
    assert_eq!(order(SideWord::Blue), crate::scene::Order::Charge);
    act(&mut session, Action::Restart);
    assert_eq!(session.battle().bodies().ids().count(), 31);
}

#[test]
fn the_path_that_was_chosen_is_the_one_that_is_gone_when_the_scene_is_opened_again() {
    use crate::streaming::Mover;
    let scene = scene_file::read(Path::new("scenes/open-world.ron")).unwrap();
    let as_it_was = scene_file::format(&scene);
    assert!(!as_it_was.contains("follow"));
    let (mut session, _) = Session::new(scene, Path::new("scenes"));
    let names: Vec<String> = {
        let paths = session.world().unwrap().character().paths().iter();
        paths.map(|path| path.name.clone()).collect()
    };
    let reopened = |session: &Session| {
        let text = scene_file::format(session.scene());
        let scene = scene_file::parse(text.as_bytes(), "paths").unwrap();
        assert_eq!(scene, **session.scene(), "{text}");
        let (session, _) = Session::new(scene, Path::new("scenes"));
        session.world().unwrap().character().mover()
    };
    session.note_saved(Arc::clone(session.scene()));
    // What is gone anyhow is nothing new.
    act(&mut session, Action::Follow(names[0].clone()));
    assert!(!session.is_unsaved());
    act(&mut session, Action::Follow(names[1].clone()));
    assert!(session.is_unsaved());
    assert_eq!(reopened(&session), Mover::Path(1));
    act(&mut session, Action::Restart);
    assert_eq!(session.world().unwrap().character().mover(), Mover::Path(1));
    act(&mut session, Action::Undo);
    act(
        &mut session,
        Action::RenamePath(names[1].clone(), "b".into()),
    );
    assert_eq!(reopened(&session), Mover::Path(1));
    act(&mut session, Action::DropPath(names[0].clone()));
    assert_eq!(reopened(&session), Mover::Path(0));
    act(&mut session, Action::DropPath("b".to_owned()));
    assert_eq!(reopened(&session), Mover::Nobody);
    for _ in 0..4 {
        act(&mut session, Action::Undo);
    }
    assert_eq!(scene_file::format(session.scene()), as_it_was);
    assert!(!session.is_unsaved());
    act(&mut session, Action::Stand);
    assert_eq!(reopened(&session), Mover::Nobody);
    act(&mut session, Action::Follow(names[0].clone()));
    assert_eq!(reopened(&session), Mover::Path(0));
    assert!(!session.is_unsaved(), "as it was");
}

#[test]
fn paths_are_called_otherwise_and_deleted() {
    let scene = scene_file::read(Path::new("scenes/open-world.ron")).unwrap();
    let (mut session, _) = Session::new(scene, Path::new("scenes"));
    let names = |session: &Session| -> Vec<String> {
        let paths = session.world().unwrap().character().paths().iter();
        paths.map(|path| path.name.clone()).collect()
    };
    let before = names(&session);
    act(&mut session, Action::Follow(before[1].clone()));
    run(&mut session, 30);
    let going = session.world().unwrap().character().position();
    act(
        &mut session,
        Action::RenamePath(before[1].clone(), "the long way".to_owned()),
    );
    act(&mut session, Action::DropPath(before[0].clone()));
    let now = names(&session);
    assert_eq!(now.len(), before.len() - 1);
    assert_eq!(now[0], "the long way");
    assert_eq!(
        session.world().unwrap().character().mover(),
        crate::streaming::Mover::Path(0)
    );
    run(&mut session, 1);
    assert_ne!(
        session.world().unwrap().character().position(),
        going,
        "it goes on"
    );
    assert_eq!(
        session.undo_name(false).unwrap(),
        format!("delete path {}", before[0])
    );
    act(&mut session, Action::DropPath("the long way".to_owned()));
    assert_eq!(
        session.world().unwrap().character().mover(),
        crate::streaming::Mover::Nobody
    );
    for _ in 0..3 {
        act(&mut session, Action::Undo);
    }
    assert_eq!(names(&session), before);
    for name in ["", "two\nlines", &"x".repeat(101), &before[2]] {
        let action = Action::RenamePath(before[0].clone(), name.to_owned());
        assert!(session.apply(action, false, &cancel()).is_err(), "{name:?}");
    }
    let nowhere = Action::DropPath("nowhere".to_owned());
    assert!(session.apply(nowhere, false, &cancel()).is_err());
    assert_eq!(names(&session), before);
    let scene = scene_file::format(session.scene());
    assert_eq!(
        scene_file::parse(scene.as_bytes(), "paths").unwrap(),
        **session.scene()
    );
}

#[test]
fn a_number_of_units_on_an_empty_field_is_two_armies_that_face_each_other() {
    let blank = Scene::blank(StructureChoice::new(Kind::Quadtree));
    let mut session = Session::new(blank, Path::new("scenes")).0;
    act(&mut session, Action::Units(5_001));
    let counts: Vec<u32> = session.scene().armies.iter().map(|it| it.count).collect();
    assert_eq!(counts, [2_501, 2_500]);
    assert_eq!(session.battle().positions().len(), 5_001);
    // More of them are shares of these, and none of them is an empty field again.
    act(&mut session, Action::Units(10));
    act(&mut session, Action::Units(0));
    act(&mut session, Action::Units(4));
    let counts: Vec<u32> = session.scene().armies.iter().map(|it| it.count).collect();
    assert_eq!(counts, [2, 2]);
    while session.undo_name(false).is_some() {
        act(&mut session, Action::Undo);
    }
    assert_eq!(session.scene().unit_count(), 0);
}
