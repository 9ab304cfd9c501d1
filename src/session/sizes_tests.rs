//! Sizes by hand: set, placed, taken back, done again, started again, saved and opened again, and refused where they cannot be.

use super::action::Side as SideWord;
use super::tests::{act, cancel, run};
use super::*;
use crate::geometry::Vec2;
use crate::partition::Kind;
use crate::scene::generate::half_extents;
use crate::scene::{Army, Formation, Muster, Size, StructureChoice, file as scene_file};
use crate::volume::Vec3;

/// Bodies whose sizes are drawn, and points, in a structure that files bodies by their size and one that files points.
fn mixed() -> Session {
    let mut scene = Scene::blank(StructureChoice::new(Kind::HierarchicalGrid));
    let area = crate::geometry::Aabb::new(Vec2::new(20.0, 20.0), Vec2::new(200.0, 200.0));
    let mut bodies = Army::new(SideWord::Blue.into(), 30, Formation::Uniform(area));
    bodies.size = Size::Between(0.5, 2.0);
    let mut riders = Army::new(SideWord::Orange.into(), 12, Formation::Ranks(area));
    (bodies.hit_points, riders.hit_points) = (u16::MAX, u16::MAX);
    scene.armies = vec![bodies, riders];
    scene.lanes = vec![StructureChoice::new(Kind::Quadtree)];
    Session::new(scene, Path::new("")).0
}

/// Points alone.
fn points() -> Session {
    let mut scene = Scene::blank(StructureChoice::new(Kind::Bvh));
    let area = crate::geometry::Aabb::new(Vec2::new(20.0, 20.0), Vec2::new(200.0, 200.0));
    scene.armies = vec![Army::new(
        SideWord::Blue.into(),
        20,
        Formation::Uniform(area),
    )];
    Session::new(scene, Path::new("")).0
}

fn units(ids: impl IntoIterator<Item = UnitId>) -> Units {
    Units::new(ids.into_iter().collect())
}

fn halves(session: &Session) -> Vec<Vec2> {
    let bodies = session.battle().bodies();
    bodies.ids().map(|unit| bodies.half_extent(unit)).collect()
}

fn reopened(session: &Session) -> Session {
    let text = scene_file::format(session.scene());
    let read = scene_file::parse(text.as_bytes(), "saved").unwrap();
    assert_eq!(read, **session.scene());
    Session::new(read, Path::new("")).0
}

fn validated(session: &Session) {
    for lane in session.lanes() {
        lane.index().validate(session.battle().bodies()).unwrap();
    }
}

fn strewn(count: u32, size: Option<BodySize>) -> Strewn {
    Strewn {
        shape: Shape::Disc,
        spread: Spread::Even,
        radius: 10.0,
        count,
        seed: 4,
        size,
    }
}

#[test]
fn a_selection_is_given_a_size_that_undo_takes_back_and_a_restart_and_the_file_keep() {
    let mut session = mixed();
    run(&mut session, 10);
    let before = halves(&session);
    // Some of whom sizes are drawn, and points.
    let chosen = units([0, 3, 29, 30, 41]);
    act(&mut session, Action::Size(chosen.clone(), 4.0));
    let after = halves(&session);
    for (unit, (before, after)) in before.iter().zip(&after).enumerate() {
        let is_chosen = chosen.ids().contains(&(unit as UnitId));
        let expected = if is_chosen { Vec2::splat(4.0) } else { *before };
        assert_eq!(*after, expected, "unit {unit}");
    }
    let name = session.undo_name(false);
    assert_eq!(name.as_deref(), Some("set the size of 5 units"));
    assert!(session.is_unsaved());
    validated(&session);
    run(&mut session, 1);
    validated(&session);
    act(&mut session, Action::Undo);
    assert_eq!(halves(&session), before, "also where time has passed");
    validated(&session);
    act(&mut session, Action::Redo);
    assert_eq!(halves(&session), after);
    // Who has the size already is no edit.
    act(&mut session, Action::Size(units([3]), 4.0));
    let same = session.undo_name(false);
    assert_eq!(same.as_deref(), Some("set the size of 5 units"));
    act(&mut session, Action::Restart);
    assert_eq!(halves(&session), after, "it starts with them so");
    assert_eq!(
        halves(&reopened(&session)),
        after,
        "and from its file as well"
    );
    act(&mut session, Action::Undo);
    act(&mut session, Action::Undo);
    assert_eq!(halves(&session), before);
    assert!(session.scene().armies.iter().all(|it| it.sized.is_empty()));
}

#[test]
fn where_nothing_has_happened_since_undo_of_a_size_leaves_points_points() {
    let mut session = points();
    let hash = session.battle.hash();
    act(&mut session, Action::Size(units([2, 5]), 1.5));
    assert!(session.battle.bodies().are_sized());
    act(&mut session, Action::Undo);
    assert!(!session.battle.bodies().are_sized());
    assert_eq!((session.battle.hash(), session.is_unsaved()), (hash, false));
    validated(&session);
    // A drag is one edit.
    for (half, more) in [(1.0, false), (2.0, true), (3.0, true)] {
        let action = Action::Size(units([2, 5]), half);
        session.apply(action, more, &cancel()).unwrap();
    }
    assert_eq!(halves(&session)[5], Vec2::splat(3.0));
    act(&mut session, Action::Undo);
    assert!(!session.battle.bodies().are_sized());
    assert!(session.undo_name(false).is_none());
    act(&mut session, Action::Redo);
    assert_eq!(halves(&session)[5], Vec2::splat(3.0));
    validated(&session);
}

#[test]
fn points_are_points_again_where_the_only_bodies_are_taken_back() {
    let at = (300.0, 100.0);
    for action in [
        Action::Size(units([2, 5]), 1.5),
        Action::Strew(SideWord::Blue, at, strewn(4, Some(BodySize::Alike(2.0)))),
    ] {
        let mut session = points();
        act(&mut session, action);
        run(&mut session, 3);
        let sized = halves(&session);
        act(&mut session, Action::Undo);
        assert!(!session.battle.bodies().are_sized());
        validated(&session);
        act(&mut session, Action::Redo);
        assert_eq!(halves(&session), sized);
        validated(&session);
        run(&mut session, 1);
        validated(&session);
    }
    let mut scene = scene_file::read(Path::new("scenes/swarm.ron")).unwrap();
    scene.scale_units(40);
    for flock in scene.volume.iter_mut().flat_map(|it| &mut it.flocks) {
        flock.size = Size::Point;
    }
    let mut session = Session::new(scene, Path::new("scenes")).0;
    let are_sized = |session: &Session| session.flight().unwrap().bodies().are_sized();
    assert!(!are_sized(&session));
    act(&mut session, Action::Size(units([1, 7]), 3.0));
    run(&mut session, 2);
    assert!(are_sized(&session));
    act(&mut session, Action::Undo);
    assert!(!are_sized(&session));
    act(&mut session, Action::Redo);
    let flight = session.flight().unwrap();
    assert_eq!(flight.bodies().half_extent(7), Vec3::splat(3.0));
    for lane in session.lanes3() {
        lane.index().validate(flight.bodies()).unwrap();
    }
}

#[test]
fn a_drag_while_time_runs_is_one_edit_that_keeps_the_first_sizes_alone() {
    let mut session = mixed();
    let before = halves(&session);
    let mut bytes = Vec::new();
    for turn in 0..40_u16 {
        let action = Action::Size(units(0..42), 1.0 + f32::from(turn));
        session.apply(action, turn > 0, &cancel()).unwrap();
        run(&mut session, 1);
        bytes.push(session.undo.byte_count());
    }
    // Fewer where some have fallen meanwhile.
    let grows = bytes[1..].windows(2).any(|two| two[1] > two[0]);
    assert!(!grows, "no more for each step: {bytes:?}");
    let name = session.undo_name(false);
    assert_eq!(name.as_deref(), Some("set the size of 42 units"));
    act(&mut session, Action::Undo);
    assert_eq!(halves(&session), before);
    assert!(session.undo_name(false).is_none());
    validated(&session);
    act(&mut session, Action::Redo);
    assert!(
        halves(&session)
            .iter()
            .all(|half| *half == Vec2::splat(40.0))
    );
    validated(&session);
}

#[test]
fn bodies_are_placed_in_a_size_of_their_own_and_the_next_ones_as_the_scene_says() {
    let mut session = mixed();
    let at = (300.0, 100.0);
    let fixed = strewn(7, Some(BodySize::Alike(5.0)));
    act(&mut session, Action::Strew(SideWord::Orange, at, fixed));
    let drawn = strewn(9, Some(BodySize::Between(3.0, 6.0)));
    act(&mut session, Action::Strew(SideWord::Orange, at, drawn));
    act(&mut session, Action::Spawn(SideWord::Orange, at, 5.0, 3));
    let all = halves(&session);
    assert!(all[42..49].iter().all(|half| *half == Vec2::splat(5.0)));
    let mixed_ones = &all[49..58];
    assert!(
        mixed_ones
            .iter()
            .all(|half| (3.0..=6.0).contains(&half.x) && half.x == half.y)
    );
    assert!(mixed_ones.windows(2).any(|two| two[0] != two[1]));
    assert!(
        all[58..].iter().all(|half| *half == Vec2::ZERO),
        "as the scene says"
    );
    let widths = widths_of_placed(session.scene(), SideWord::Orange.into());
    assert_eq!(widths, (0.0, 0.0));
    let widths = widths_of_placed(session.scene(), SideWord::Blue.into());
    assert_eq!(widths, (1.0, 4.0));
    validated(&session);
    act(&mut session, Action::Restart);
    assert_eq!(halves(&session), all);
    assert_eq!(halves(&reopened(&session)), all);
    // The same numbers give the same sizes, and others others.
    let of = |seed| Strewn { seed, ..drawn }.sizes(7, 9, Vec2::splat, half_extents);
    assert_eq!(of(4), of(4));
    assert_ne!(of(4), of(5));
    assert_eq!(strewn(3, None).sizes(7, 3, Vec2::splat, half_extents), None);
}

#[test]
fn sizes_go_with_their_units_where_numbers_change_and_with_their_copies() {
    let mut session = points();
    let at = (300.0, 100.0);
    let large = strewn(4, Some(BodySize::Alike(5.0)));
    act(&mut session, Action::Strew(SideWord::Blue, at, large));
    act(&mut session, Action::Size(units([22]), 2.0));
    // Of the placed ones the first goes, and with it its number once the scene begins otherwise.
    act(&mut session, Action::Remove(vec![20]));
    act(&mut session, Action::Copy(units([21, 22]), (30.0, 30.0)));
    let mut before: Vec<f32> = halves(&session).iter().map(|half| half.x).collect();
    act(&mut session, Action::Restart);
    let mut after: Vec<f32> = halves(&session).iter().map(|half| half.x).collect();
    before.sort_by(f32::total_cmp);
    after.sort_by(f32::total_cmp);
    assert_eq!(before, after);
    assert_eq!(
        after.iter().filter(|half| **half > 0.0).count(),
        5,
        "three and two copies"
    );
    let places = Beginning {
        places: Some(Places::Random),
        ..Beginning::default()
    };
    act(&mut session, Action::Begin(places));
    let mut spread: Vec<f32> = halves(&session).iter().map(|half| half.x).collect();
    spread.sort_by(f32::total_cmp);
    assert_eq!(spread, after);
    assert_eq!(BodySize::of(session.scene()), None, "they differ");
    // Bodies of all units are those of all units.
    let bodies = Beginning {
        bodies: Some(BodySize::Point),
        ..Beginning::default()
    };
    act(&mut session, Action::Begin(bodies));
    assert!(halves(&session).iter().all(|half| *half == Vec2::ZERO));
    assert_eq!(BodySize::of(session.scene()), Some(BodySize::Point));
}

#[test]
fn copies_of_however_many_sizes_keep_them_and_the_next_ones_are_as_the_scene_says() {
    let mut session = points();
    let at = (300.0, 100.0);
    let drawn = strewn(600, Some(BodySize::Between(0.5, 2.5)));
    act(&mut session, Action::Strew(SideWord::Blue, at, drawn));
    let own = halves(&session)[20..].to_vec();
    let armies = session.scene().armies.len();
    for _ in 0..3 {
        act(&mut session, Action::Copy(units(20..620), (0.0, 40.0)));
    }
    let all = halves(&session);
    for copies in all[20..].chunks(600) {
        assert!(copies == own, "each is as large as who it was copied from");
    }
    assert_eq!(session.scene().armies.len(), armies, "they are of one army");
    act(&mut session, Action::Spawn(SideWord::Blue, at, 5.0, 3));
    let last = halves(&session).len() - 3;
    assert!(
        halves(&session)[last..]
            .iter()
            .all(|half| *half == Vec2::ZERO)
    );
    let all = halves(&session);
    act(&mut session, Action::Restart);
    assert!(halves(&session) == all, "also after a restart");
    validated(&session);

    let ids: Vec<UnitId> = (20..620).collect();
    let text = copied(session.battle(), &ids).unwrap();
    let mut other = points();
    act(&mut other, Action::Paste(text, (100.0, 100.0)));
    assert!(halves(&other)[20..] == own, "as a text as well");
    assert!(halves(&reopened(&other))[20..] == own);
    let widths = widths_of_placed(other.scene(), SideWord::Blue.into());
    assert_eq!(widths, (0.0, 0.0));
    validated(&other);
}

#[test]
fn sizes_that_no_body_has_are_refused_in_one_sentence() {
    let mut session = mixed();
    let before = (
        session.battle.hash(),
        Scene::clone(session.scene()),
        halves(&session),
    );
    let far = 2.0 * crate::partition::COORDINATE_LIMIT;
    let shape = |size| Action::Strew(SideWord::Blue, (9.0, 9.0), strewn(3, Some(size)));
    for action in [
        Action::Size(units([1, 2]), -1.0),
        Action::Size(units([1, 2]), f32::NAN),
        Action::Size(units([1, 2]), far),
        shape(BodySize::Alike(-0.5)),
        shape(BodySize::Between(3.0, 2.0)),
        shape(BodySize::Alike(far)),
    ] {
        let said = session.apply(action.clone(), false, &cancel()).unwrap_err();
        let said = said.to_string();
        assert!(said.contains("body must be"), "{action:?}: {said}");
        assert!(!said.contains('\n'));
    }
    // A text from elsewhere is taken no more at its word.
    for sized in [
        "(0, (-1, 1))",
        "(0, (NaN, 1))",
        "(3, (1, 1))",
        "(1, (1, 1)), (0, (1, 1))",
    ] {
        let text = format!(
            "(version: 1, units: [(side: Blue, formation: Explicit([(1, 2), (3, 4)]), sized: [{sized}])])"
        );
        let paste = Action::Paste(text, (60.0, 60.0));
        let said = session.apply(paste, false, &cancel()).unwrap_err();
        let said = said.to_string();
        assert!(said.contains("no units of Skirmish"), "{sized}: {said}");
        assert!(!said.contains('\n'));
    }
    // Nobody is no edit.
    act(&mut session, Action::Size(units([]), 1.0));
    act(&mut session, Action::Size(units([4_000]), 1.0));
    assert!(session.undo_name(false).is_none());
    let after = (
        session.battle.hash(),
        Scene::clone(session.scene()),
        halves(&session),
    );
    assert_eq!(before, after);
}

#[test]
fn a_file_says_who_is_of_another_size_and_a_wrong_number_in_it_is_refused() {
    let scene = |sized: &str| {
        format!(
            "(version: 1, name: \"sizes\", field: ((0, 0), (90, 90)), structure: (kind: \"quadtree\"), \
             armies: [(side: Blue, count: 4, formation: Spot(5, 5), size: Fixed(1, 2), without: [0], sized: [{sized}])])"
        )
    };
    let read = |sized: &str| scene_file::parse(scene(sized).as_bytes(), "sizes");
    let session = Session::new(read("(0, (9, 9)), (2, (3, 4))").unwrap(), Path::new(""));
    let expected = [(1.0, 2.0), (3.0, 4.0), (1.0, 2.0)].map(Vec2::from);
    assert_eq!(halves(&session.0), expected);
    for (sized, said) in [
        ("(4, (1, 1))", "below the army's count, 4"),
        (
            "(2, (1, 1)), (1, (1, 1))",
            "sized must be in ascending order",
        ),
        ("(2, (-1, 1))", "the half extent"),
    ] {
        let error = read(sized).unwrap_err().to_string();
        assert!(error.contains(said), "{error}");
    }
}

#[test]
fn in_space_as_on_a_plane() {
    let mut scene = scene_file::read(Path::new("scenes/swarm.ron")).unwrap();
    scene.scale_units(40);
    let mut session = Session::new(scene, Path::new("scenes")).0;
    let halves = |session: &Session| -> Vec<Vec3> {
        let flight = session.flight().unwrap();
        let bodies = flight.bodies();
        bodies.ids().map(|unit| bodies.half_extent(unit)).collect()
    };
    let before = halves(&session);
    act(&mut session, Action::Size(units([1, 7]), 3.0));
    assert_eq!(halves(&session)[7], Vec3::splat(3.0));
    let strewn = Strewn {
        shape: Shape3::Ball,
        spread: Spread::Even,
        radius: 10.0,
        count: 5,
        seed: 2,
        size: Some(BodySize::Between(1.0, 2.0)),
    };
    let at = (50.0, 50.0, 60.0);
    act(&mut session, Action::Strew3(SideWord::Blue, at, strewn));
    let after = halves(&session);
    assert_eq!(after.len(), 45);
    assert!(after[40..].iter().all(|half| (1.0..=2.0).contains(&half.x)));
    for lane in session.lanes3() {
        let flight = session.flight().unwrap();
        lane.index().validate(flight.bodies()).unwrap();
    }
    act(&mut session, Action::Restart);
    assert_eq!(halves(&session), after);
    assert_eq!(halves(&reopened(&session)), after);
    for _ in 0..3 {
        act(&mut session, Action::Undo);
    }
    assert_eq!(halves(&session), before);
}

#[test]
fn bodies_that_were_all_given_one_size_are_of_one_kind() {
    let mut session = points();
    let bodies = |session: &Session| BodySize::of(session.scene());
    let all: Vec<UnitId> = session.battle().bodies().ids().collect();
    act(&mut session, Action::Size(units(all[1..].to_vec()), 0.5));
    assert_eq!(bodies(&session), None, "one is a point");
    act(&mut session, Action::Size(units([all[0]]), 0.5));
    assert_eq!(bodies(&session), Some(BodySize::Alike(0.5)));
    act(&mut session, Action::Size(units([all[7]]), 2.0));
    assert_eq!(bodies(&session), None, "one is larger");
    // Who was erased says nothing of those who are left.
    let mut scene = (**session.scene()).clone();
    scene.armies[0].erase(&[7]);
    assert_eq!(BodySize::of(&scene), Some(BodySize::Alike(0.5)));
}
