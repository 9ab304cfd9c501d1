use crate::probe::Cancel;
use crate::scene::Scene;
use crate::scene::file::built_in;
use crate::session::tests::{act, run, skirmish};
use crate::session::{Action, AheadKept, MarkKind, Session, SideWord, Unsaved};
use std::path::Path;
use std::sync::Arc;

fn place(x: f32) -> Action {
    Action::Spawn(SideWord::Blue, (x, 100.0), 12.0, 40)
}

fn seek(session: &mut Session, tick: u64) {
    session.seek(tick, &Cancel::default(), &mut ()).unwrap();
}

fn turn(session: &mut Session) {
    session
        .turn_to_other_future(&Cancel::default(), &mut ())
        .unwrap();
}

#[test]
fn a_future_that_an_edit_has_ended_comes_back_as_it_was_and_the_present_one_stays_aside() {
    let mut session = skirmish(300);
    assert!(
        session
            .turn_to_other_future(&Cancel::default(), &mut ())
            .is_err()
    );
    run(&mut session, 50);
    act(&mut session, place(150.0));
    run(&mut session, 70);
    let (first, marks) = (session.hash(), session.timeline().marks().list().len());
    seek(&mut session, 40);
    assert_eq!(session.other_future(), None);
    act(&mut session, place(300.0));
    assert_eq!(session.other_future(), Some((40, 120)));
    run(&mut session, 90);
    let second = session.hash();
    // Both come out as they did, as often as one turns.
    for (end, hash) in [(120, first), (130, second), (120, first)] {
        turn(&mut session);
        assert_eq!(session.tick_count(), 40);
        assert_eq!(session.timeline().end(), end);
        seek(&mut session, end);
        assert_eq!(session.hash(), hash);
        assert_eq!(session.timeline().diverged_at(), None);
    }
    assert_eq!(session.timeline().marks().list().len(), marks);
}

#[test]
fn redo_names_the_edit_that_the_other_future_has() {
    let mut session = skirmish(300);
    run(&mut session, 50);
    let redo = |session: &mut Session| {
        let refused = session.apply(Action::Redo, false, &Cancel::default());
        refused.expect_err("nothing to redo").to_string()
    };
    assert_eq!(redo(&mut session), "There is nothing to redo.");
    seek(&mut session, 40);
    act(&mut session, Action::Reach(3.0));
    // Undo brings back what was known after the tick, and the edit goes aside with what it has begun.
    assert!(session.brings_future_back(false));
    turn(&mut session);
    assert_eq!(session.edit_of_other_future(), Some("set reach"));
    assert_eq!(
        redo(&mut session),
        "There is nothing to redo. The other future has: set reach. 'Other future' in the menu Run turns to it."
    );
    turn(&mut session);
    assert_eq!(session.edit_of_other_future(), None);
}

#[test]
fn redo_names_no_edit_that_was_taken_back_and_one_reason_alone() {
    let mut session = skirmish(300);
    run(&mut session, 40);
    act(&mut session, Action::Reach(3.0));
    run(&mut session, 5);
    act(&mut session, Action::Undo);
    run(&mut session, 5);
    act(&mut session, place(150.0));
    run(&mut session, 10);
    seek(&mut session, 30);
    act(&mut session, Action::Reach(2.0));
    let redo = |session: &mut Session| {
        let refused = session.apply(Action::Redo, false, &Cancel::default());
        refused.expect_err("nothing to redo").to_string()
    };
    let stands = session.edit_of_other_future().expect("an edit").to_owned();
    assert!(stands.starts_with("place "), "{stands}");
    assert_eq!(
        redo(&mut session),
        format!(
            "There is nothing to redo. The other future has: {stands}. 'Other future' in the menu Run turns to it."
        )
    );
    // Where something lies ahead as well, the way there is the nearer one.
    run(&mut session, 10);
    act(&mut session, Action::Reach(4.0));
    run(&mut session, 10);
    seek(&mut session, 35);
    assert!(session.has_edits_ahead() && session.edit_of_other_future().is_some());
    assert_eq!(
        redo(&mut session),
        "There is nothing to redo at this tick: what was changed lies after it."
    );
}

#[test]
fn the_other_future_has_no_edit_that_was_taken_back_whatever_marks_that_left() {
    let first_of_strokes = |before: Vec<Action>, since: Vec<(Action, bool)>| {
        let mut session = skirmish(300);
        for action in before {
            act(&mut session, action);
        }
        run(&mut session, 10);
        for (action, more) in since {
            if !more {
                run(&mut session, 10);
            }
            let done = session.apply(action, more, &Cancel::default());
            done.expect("it can be done");
        }
        run(&mut session, 10);
        seek(&mut session, 5);
        act(&mut session, Action::Reach(2.0));
        session.edit_of_other_future().map(str::to_owned)
    };
    let first_of = |before: Vec<Action>, since: Vec<Action>| {
        first_of_strokes(before, since.into_iter().map(|it| (it, false)).collect())
    };
    let choose = |key: &str| Action::Structure(key.to_owned());
    // Two lanes that change places leave a mark each, and what takes that back leaves one.
    let pair = || {
        let second = Action::AddLane("bvh".to_owned(), Vec::new());
        vec![choose("kd-tree"), second]
    };
    let half = |place, key: &str| Action::SetLane(place, key.to_owned(), Vec::new());
    let swap = || vec![(half(0, "bvh"), false), (half(1, "kd-tree"), true)];
    assert!(first_of_strokes(pair(), swap()).is_some());
    let back = swap().into_iter().chain([(Action::Undo, false)]);
    assert_eq!(first_of_strokes(pair(), back.collect()), None);
    // What is taken back there was done in the past of both.
    let chosen = || vec![choose("kd-tree")];
    assert_eq!(first_of(chosen(), vec![Action::Undo]), None);
    assert_eq!(first_of(chosen(), vec![Action::Undo, Action::Redo]), None);
    let back = |more: Option<Action>| {
        let all = [choose("kd-tree"), Action::Undo].into_iter().chain(more);
        first_of(Vec::new(), all.collect())
    };
    assert_eq!(back(None), None);
    let again = "choose k-d tree";
    assert_eq!(back(Some(Action::Redo)).as_deref(), Some(again));
    assert!(back(Some(place(150.0))).is_some_and(|it| it.starts_with("place ")));
}

#[test]
fn what_somebody_has_made_in_the_other_future_is_known_until_a_file_has_it() {
    let (work, nothing) = (Unsaved::Work, Unsaved::Nothing);
    let forked = |acts: Vec<Action>, saves: bool| {
        let mut session = skirmish(300);
        run(&mut session, 50);
        for action in acts {
            act(&mut session, action);
        }
        if saves {
            let scene = Arc::clone(session.scene());
            session.note_saved(scene);
        }
        run(&mut session, 20);
        seek(&mut session, 40);
        assert!(session.other_future_unsaved() == Unsaved::Nothing);
        act(&mut session, Action::Structure("quadtree".to_owned()));
        session
    };
    let structure_of = |key: &str| Action::Structure(key.to_owned());
    let structure = structure_of("kd-tree");
    let nowhere = Action::Erase((-9000.0, -9000.0), 1.0);
    for (acts, left) in [
        (vec![place(150.0)], work),
        (vec![structure.clone()], nothing),
        (vec![place(150.0), Action::Undo], nothing),
        (vec![place(150.0), Action::Undo, Action::Redo], work),
        (vec![structure, place(150.0)], work),
        // What hits nobody is no edit, and undo takes none of it back.
        (vec![nowhere.clone()], nothing),
        (vec![place(150.0), nowhere, Action::Undo], nothing),
    ] {
        assert_eq!(forked(acts, false).other_future_unsaved(), left);
    }
    // What was undone in the file and is done again since no file has; what is again as it was there the file has.
    for (before, since, left) in [
        (vec![place(150.0), Action::Undo], vec![Action::Redo], work),
        (
            vec![place(150.0)],
            vec![Action::Undo, Action::Redo],
            nothing,
        ),
    ] {
        let mut session = skirmish(300);
        run(&mut session, 50);
        for action in before {
            act(&mut session, action);
        }
        let scene = Arc::clone(session.scene());
        session.note_saved(scene);
        for action in since {
            act(&mut session, action);
        }
        run(&mut session, 20);
        seek(&mut session, 40);
        act(&mut session, Action::Structure("quadtree".to_owned()));
        assert_eq!(session.other_future_unsaved(), left);
    }
    // As a recording it is there with all that was done in it.
    let session = forked(vec![place(150.0)], false);
    let recording = session.other_future_recording().unwrap();
    assert!(recording.acts.iter().any(|it| it.act == place(150.0)));
    let (mut again, _) = Session::of_recording(recording).unwrap();
    let end = session.other_future().unwrap().1;
    seek(&mut again, end);
    assert_eq!(again.timeline().diverged_at(), None);
    let session = forked(vec![structure_of("kd-tree")], false);
    assert_eq!(session.other_future_recording(), None);
    // It lies in the file until that is written anew.
    let mut session = forked(vec![place(150.0)], true);
    assert!(session.other_future_unsaved() == Unsaved::Nothing);
    turn(&mut session);
    assert!(session.other_future_unsaved() == Unsaved::Nothing);
    turn(&mut session);
    // Another file takes nothing away.
    let scene = Arc::clone(session.scene());
    session.note_saved_elsewhere(Arc::clone(&scene));
    assert!(session.other_future_unsaved() == Unsaved::Nothing && !session.is_unsaved());
    session.note_saved(scene);
    assert!(session.other_future_unsaved() == Unsaved::Work);
    // Whoever has turned to it has it, and can save it.
    turn(&mut session);
    assert!(session.other_future_unsaved() == Unsaved::Nothing);
}

#[test]
fn a_file_that_was_written_in_one_future_has_nothing_of_the_other_one_but_its_past() {
    let mut session = slow_ride();
    run(&mut session, 5);
    act(&mut session, latency("1"));
    run(&mut session, 45);
    seek(&mut session, 10);
    act(&mut session, latency("30"));
    run(&mut session, 20);
    let scene = Arc::clone(session.scene());
    session.note_saved(scene);
    seek(&mut session, 7);
    assert!(!session.is_unsaved());
    // As many actions have been done there as both have in common, and the file has another value.
    turn(&mut session);
    assert_eq!(session.unsaved(), Unsaved::Settings);
    seek(&mut session, 30);
    assert_eq!(session.unsaved(), Unsaved::Settings);
    seek(&mut session, 4);
    assert!(!session.is_unsaved());
    // So it is where this one is saved. The other one has parted by an action of its own: before that both are one.
    seek(&mut session, 50);
    act(&mut session, latency("2"));
    run(&mut session, 5);
    let scene = Arc::clone(session.scene());
    session.note_saved(scene);
    turn(&mut session);
    assert_eq!(session.unsaved(), Unsaved::Settings);
    seek(&mut session, 7);
    assert!(!session.is_unsaved());
}

#[test]
fn a_future_with_a_setting_that_no_file_has_is_kept_beside_a_scene_that_is_as_in_its_file_again() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/open-world.ron");
    let scene = crate::scene::file::read(&path).unwrap();
    let requests = |count: u32| Action::Tune("requests_in_flight".to_owned(), count.to_string());
    let of_file = scene.world.as_ref().unwrap().budgets.requests_in_flight;
    let (mut session, _) = Session::new(scene, path.parent().unwrap());
    act(&mut session, requests(1));
    run(&mut session, 30);
    seek(&mut session, 0);
    act(&mut session, requests(of_file));
    run(&mut session, 5);
    assert!(!session.is_unsaved() && !session.is_worth_keeping());
    assert_eq!(session.other_future_unsaved(), Unsaved::Settings);
    assert!(session.other_future_recording().is_some());
    // What is set in one future alone lies in no file either, ahead of who goes back in it or aside.
    run(&mut session, 5);
    act(&mut session, requests(2));
    run(&mut session, 5);
    seek(&mut session, 5);
    assert!(!session.is_unsaved());
    assert_eq!(session.unsaved_ahead(), Unsaved::Settings);
    act(&mut session, Action::Structure("quadtree".to_owned()));
    assert_eq!(session.other_future_unsaved(), Unsaved::Settings);
    // Who has only looked at another structure has set nothing.
    turn(&mut session);
    assert_eq!(session.other_future_unsaved(), Unsaved::Nothing);
}

/// What is lost with the other future, asked for in both ways.
fn aside(session: &Session) -> Unsaved {
    let lost = session.other_future_unsaved();
    let mut kept = AheadKept::default();
    assert_eq!(session.other_future_unsaved_kept(&mut kept), lost);
    assert_eq!(session.other_future_unsaved_kept(&mut kept), lost);
    lost
}

fn save(session: &mut Session) {
    session.note_saved(Arc::clone(session.scene()));
}

#[test]
fn the_past_of_both_futures_is_lost_where_the_present_one_has_it_no_more_and_nowhere_else() {
    let quadtree = || Action::Structure("quadtree".to_owned());
    let forked = |since: Action| {
        let mut session = skirmish(300);
        run(&mut session, 5);
        act(&mut session, place(150.0));
        run(&mut session, 45);
        seek(&mut session, 20);
        act(&mut session, since);
        run(&mut session, 5);
        session
    };
    // Also where it lies ahead of who has gone back before it.
    let mut session = forked(quadtree());
    for tick in [25, 2] {
        seek(&mut session, tick);
        assert_eq!(aside(&session), Unsaved::Nothing);
    }
    assert_eq!(session.unsaved_ahead(), Unsaved::Work);
    // Where it was undone the other one alone has it, whatever else is made in its place, and saved.
    let mut session = forked(Action::Undo);
    assert!(!session.is_worth_keeping());
    assert_eq!(aside(&session), Unsaved::Work);
    act(&mut session, place(300.0));
    assert_eq!(aside(&session), Unsaved::Work);
    save(&mut session);
    assert_eq!(aside(&session), Unsaved::Work);
    act(&mut session, Action::Undo);
    act(&mut session, Action::Redo);
    assert_eq!(aside(&session), Unsaved::Work);
    // What is undone of the present one alone takes nothing of it.
    let mut session = forked(place(300.0));
    act(&mut session, Action::Undo);
    assert_eq!(aside(&session), Unsaved::Nothing);
    save(&mut session);
    assert_eq!(aside(&session), Unsaved::Nothing);
}

#[test]
fn a_future_in_which_nobody_has_done_anything_is_no_work() {
    for action in [
        Action::Units(5000),
        Action::SwapSides,
        Action::Erase((150.0, 100.0), 9000.0),
    ] {
        let mut session = skirmish(300);
        run(&mut session, 30);
        seek(&mut session, 0);
        act(&mut session, action);
        assert_eq!(aside(&session), Unsaved::Nothing);
        save(&mut session);
        assert!(session.other_future().is_some());
        assert_eq!(aside(&session), Unsaved::Nothing);
    }
}

#[test]
fn the_past_that_a_recording_has_is_not_lost_with_a_future_until_its_file_has_something_else() {
    let mut session = skirmish(300);
    run(&mut session, 5);
    act(&mut session, place(150.0));
    run(&mut session, 45);
    let (mut session, _) = Session::of_recording(session.recording()).unwrap();
    seek(&mut session, 50);
    seek(&mut session, 20);
    act(&mut session, Action::Undo);
    assert_eq!(aside(&session), Unsaved::Nothing);
    save(&mut session);
    assert_eq!(aside(&session), Unsaved::Work);
}

#[test]
fn a_name_that_a_file_gives_is_also_that_of_the_past_of_both_futures() {
    let mut scene = built_in();
    scene.scale_units(300);
    scene.name = Scene::NEW.to_owned();
    let (mut session, _) = Session::new(scene, Path::new(""));
    session.note_unsaved();
    act(&mut session, place(150.0));
    run(&mut session, 30);
    seek(&mut session, 10);
    act(&mut session, place(300.0));
    act(&mut session, Action::Undo);
    session.note_named("mine");
    save(&mut session);
    assert_eq!(session.scene().name, "mine");
    assert!(!session.is_unsaved());
    assert_eq!(aside(&session), Unsaved::Nothing);
}

#[test]
fn a_value_in_whose_place_another_one_is_set_is_lost_with_the_other_future() {
    let tune = |knob: &str, value: &str| Action::Tune(knob.to_owned(), value.to_owned());
    let requests = |value: &str| tune("requests_in_flight", value);
    let forked = |since: Vec<Action>| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/open-world.ron");
        let scene = crate::scene::file::read(&path).unwrap();
        let (mut session, _) = Session::new(scene, path.parent().unwrap());
        act(&mut session, requests("1"));
        run(&mut session, 30);
        seek(&mut session, 10);
        for action in since {
            act(&mut session, action);
        }
        run(&mut session, 5);
        session
    };
    let describe = || Action::Describe("mine".to_owned(), String::new());
    for (since, left) in [
        (vec![requests("2")], Unsaved::Settings),
        // The scene is worth more than before, and the value is in it no more.
        (vec![requests("2"), describe()], Unsaved::Settings),
        (vec![Action::TuneDefaults], Unsaved::Settings),
        (vec![tune("latency_ms", "7")], Unsaved::Nothing),
        (vec![describe()], Unsaved::Nothing),
        (vec![requests("2"), Action::Undo], Unsaved::Nothing),
        (vec![Action::Undo], Unsaved::Settings),
    ] {
        let mut session = forked(since);
        assert_eq!(aside(&session), left);
        save(&mut session);
        assert_eq!(aside(&session), left);
    }
}

#[test]
fn what_is_taken_away_in_the_present_future_the_other_one_has_alone() {
    let lane = |capacity: &str| {
        let knobs = vec![("capacity".to_owned(), capacity.to_owned())];
        Action::SetLane(1, "quadtree".to_owned(), knobs)
    };
    let beside = Action::AddLane("quadtree".to_owned(), Vec::new());
    for (before, since, left) in [
        (
            vec![place(150.0)],
            // What is made besides is worth as much, and is something else.
            vec![Action::Erase((150.0, 100.0), 60.0), place(300.0)],
            Unsaved::Work,
        ),
        (
            vec![beside.clone(), lane("3")],
            vec![Action::DropLane(1)],
            Unsaved::Settings,
        ),
        (
            vec![beside.clone(), lane("3")],
            vec![lane("5")],
            Unsaved::Settings,
        ),
        (vec![place(150.0)], vec![place(300.0)], Unsaved::Nothing),
    ] {
        let mut session = skirmish(300);
        before
            .into_iter()
            .for_each(|action| act(&mut session, action));
        run(&mut session, 30);
        seek(&mut session, 10);
        since
            .into_iter()
            .for_each(|action| act(&mut session, action));
        assert_eq!(aside(&session), left);
    }
}

#[test]
fn what_is_set_in_the_present_future_is_nothing_that_the_other_one_has() {
    let quadtree = || Action::Structure("quadtree".to_owned());
    let mut session = skirmish(300);
    act(&mut session, quadtree());
    run(&mut session, 30);
    seek(&mut session, 10);
    act(
        &mut session,
        Action::Set("capacity".to_owned(), "3".to_owned()),
    );
    act(&mut session, Action::Undo);
    assert_eq!(aside(&session), Unsaved::Nothing);
}

#[test]
fn late_loads_since_a_change_in_the_past_are_counted_beside_those_of_the_other_future() {
    let mut session = slow_ride();
    run(&mut session, 800);
    assert_eq!(session.late_in_both(), None);
    let [slow, slow_early] = [800, 260].map(|until| late(&session, 200, until));
    seek(&mut session, 200);
    act(&mut session, latency("1"));
    // Nothing has passed yet.
    assert_eq!(session.late_in_both(), None);
    run(&mut session, 60);
    let both = session.late_in_both().unwrap();
    assert_eq!((both.after, both.until), (200, 260));
    assert_eq!(both.here.objects, late(&session, 200, 260));
    assert_eq!(both.other.objects, slow_early);
    // Beyond the end of the other one nothing is compared.
    run(&mut session, 700);
    let both = session.late_in_both().unwrap();
    let quick = late(&session, 200, 800);
    assert_eq!((both.after, both.until), (200, 800));
    assert_eq!((both.here.objects, both.other.objects), (quick, slow));
    assert!(quick < slow, "{quick} and {slow}");
    // Where somebody stands is no matter, and who turns to the other one has both the other way about.
    seek(&mut session, 230);
    assert_eq!(session.late_in_both(), Some(both));
    turn(&mut session);
    let turned = session.late_in_both().unwrap();
    assert_eq!((turned.here, turned.other), (both.other, both.here));
    // A world that begins anew is another ride.
    act(&mut session, Action::Restart);
    run(&mut session, 5);
    assert_eq!(session.late_in_both(), None);
}

/// Objects that were late after the first of two ticks and up to the other one, in the future that is shown.
fn late(session: &Session, after: u64, until: u64) -> u64 {
    let marks = session.timeline().marks().list().iter();
    let late = marks.filter(|mark| mark.kind == MarkKind::Late);
    let late = late.filter(|mark| mark.tick > after && mark.tick <= until);
    late.map(|mark| u64::from(mark.count)).sum()
}

/// A ride over a disk on which objects come late.
fn slow_ride() -> Session {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/open-world.ron");
    let scene = crate::scene::file::read(&path).unwrap();
    let (mut session, _) = Session::new(scene, path.parent().unwrap());
    act(&mut session, latency("2000"));
    act(&mut session, Action::Speed(150.0));
    act(&mut session, Action::Follow("ride".to_owned()));
    session
}

fn latency(value: &str) -> Action {
    Action::Tune("latency_ms".to_owned(), value.to_owned())
}

#[test]
fn late_loads_of_both_futures_are_counted_up_to_a_restart_in_either_of_them() {
    let mut session = slow_ride();
    run(&mut session, 300);
    act(&mut session, Action::Restart);
    run(&mut session, 200);
    let slow = late(&session, 200, 300);
    seek(&mut session, 200);
    act(&mut session, latency("1"));
    run(&mut session, 250);
    let quick = late(&session, 200, 300);
    let both = session.late_in_both().unwrap();
    assert_eq!((both.after, both.until), (200, 300));
    assert_eq!((both.here.objects, both.other.objects), (quick, slow));
    // Wherever somebody stands, before the restart and after it, in its future and in the other one.
    let mut kept = crate::session::LateKept::default();
    assert_eq!(session.late_in_both_kept(&mut kept), Some(both));
    // What is counted is of the run before the restart alone, wherever that is in force.
    assert!(both.is_of_world(session.world_made()));
    seek(&mut session, 250);
    assert_eq!(session.late_in_both_kept(&mut kept), Some(both));
    turn(&mut session);
    seek(&mut session, 500);
    assert_eq!(session.world_made(), 300);
    assert!(!both.is_of_world(session.world_made()));
    for tick in [200, 250, 500] {
        seek(&mut session, tick);
        let turned = session.late_in_both().unwrap();
        assert_eq!((turned.after, turned.until), (200, 300));
        assert_eq!((turned.here, turned.other), (both.other, both.here));
        assert_eq!(session.late_in_both_kept(&mut kept), Some(turned));
    }
    // One that is taken back is another world as well.
    seek(&mut session, 400);
    act(&mut session, latency("1000"));
    run(&mut session, 50);
    let both = session.late_in_both_kept(&mut kept).unwrap();
    assert_eq!((both.after, both.until), (400, 450));
    while session.world_made() > 0 {
        act(&mut session, Action::Undo);
    }
    run(&mut session, 20);
    let both = session.late_in_both_kept(&mut kept).unwrap();
    assert_eq!((both.after, both.until), (400, 450));
    assert_eq!(session.late_in_both(), Some(both));
}

#[test]
fn sides_that_change_places_begin_the_world_anew_as_a_restart_does() {
    let mut session = slow_ride();
    run(&mut session, 250);
    act(&mut session, Action::SwapSides);
    assert_eq!(session.world_made(), 250);
    run(&mut session, 50);
    seek(&mut session, 200);
    act(&mut session, latency("1"));
    run(&mut session, 100);
    let both = session.late_in_both().unwrap();
    assert_eq!((both.after, both.until), (200, 250));
    assert_eq!(both.here.objects, late(&session, 200, 250));
}

#[test]
fn a_restart_that_both_futures_have_is_no_matter_also_at_the_tick_at_which_they_part() {
    let mut session = slow_ride();
    run(&mut session, 100);
    act(&mut session, Action::Restart);
    run(&mut session, 300);
    let slow = late(&session, 100, 250);
    seek(&mut session, 100);
    assert_eq!(session.world_made(), 100);
    act(&mut session, latency("1"));
    run(&mut session, 150);
    let quick = late(&session, 100, 250);
    let both = session.late_in_both().unwrap();
    assert_eq!((both.after, both.until), (100, 250));
    assert_eq!((both.here.objects, both.other.objects), (quick, slow));
}

#[test]
fn what_takes_back_the_end_of_a_future_is_known_to_bring_it_back() {
    let by = |session: &Session| [false, true].map(|redo| session.brings_future_back(redo));
    let mut session = skirmish(300);
    run(&mut session, 50);
    seek(&mut session, 20);
    act(&mut session, place(150.0));
    assert_eq!(by(&session), [true, false]);
    // A stroke of the brush is one edit.
    session
        .apply(place(160.0), true, &Cancel::default())
        .unwrap();
    assert_eq!(by(&session), [true, false]);
    assert!(!session.undo_leaves_future_aside());
    run(&mut session, 3);
    assert!(by(&session) == [false, false] && session.undo_leaves_future_aside());
    act(&mut session, place(170.0));
    assert!(by(&session) == [false, false] && !session.undo_leaves_future_aside());
    // Whoever takes something older back there has begun another future by that: doing it again is the way back, and undo goes on
    // to what is older still.
    let mut session = skirmish(300);
    act(&mut session, place(150.0));
    act(&mut session, place(170.0));
    run(&mut session, 50);
    // A later edit of the future that is put aside is none of what was done here.
    act(&mut session, place(190.0));
    run(&mut session, 5);
    let first = session.hash();
    seek(&mut session, 20);
    act(&mut session, Action::Undo);
    assert_eq!(by(&session), [false, true]);
    turn(&mut session);
    assert_eq!(by(&session), [false, false]);
    seek(&mut session, 55);
    assert_eq!(session.hash(), first);
    seek(&mut session, 20);
    act(&mut session, Action::Undo);
    act(&mut session, Action::Undo);
    assert_eq!(by(&session), [false, false]);
    // A future that came back is not ended by what is done at its end.
    let mut session = skirmish(300);
    run(&mut session, 50);
    seek(&mut session, 20);
    act(&mut session, place(150.0));
    turn(&mut session);
    seek(&mut session, 50);
    act(&mut session, place(170.0));
    assert!(by(&session) == [false, false] && !session.undo_leaves_future_aside());
}

#[test]
fn a_future_comes_back_when_all_that_was_done_where_it_ended_is_taken_back() {
    let by = |session: &Session| [false, true].map(|redo| session.brings_future_back(redo));
    let mut session = skirmish(300);
    act(&mut session, place(120.0));
    act(&mut session, place(130.0));
    run(&mut session, 50);
    let first = session.hash();
    seek(&mut session, 20);
    for x in [150.0, 170.0] {
        act(&mut session, place(x));
    }
    assert!(by(&session) == [false, false] && session.leads_to_future());
    act(&mut session, Action::Undo);
    assert_eq!(by(&session), [true, false]);
    act(&mut session, Action::Redo);
    assert!(by(&session) == [false, false] && session.leads_to_future());
    act(&mut session, Action::Undo);
    // What hits nobody is no edit.
    act(&mut session, Action::Erase((-9000.0, -9000.0), 1.0));
    assert_eq!(by(&session), [true, false]);
    turn(&mut session);
    seek(&mut session, 50);
    assert_eq!(session.hash(), first);
    // What was undone there is done again as often.
    seek(&mut session, 20);
    act(&mut session, Action::Undo);
    act(&mut session, Action::Undo);
    assert!(by(&session) == [false, false] && session.leads_to_future());
    act(&mut session, Action::Redo);
    assert_eq!(by(&session), [false, true]);
    // Another edit in the place of one that was there before is none that leads back.
    act(&mut session, place(150.0));
    assert!(by(&session) == [false, false] && !session.leads_to_future());
    // Where time has gone on, the first undo would put that future in the other one's place.
    turn(&mut session);
    seek(&mut session, 30);
    for x in [150.0, 170.0] {
        act(&mut session, place(x));
    }
    assert!(session.leads_to_future());
    run(&mut session, 3);
    assert!(!session.leads_to_future() && !session.undo_leaves_future_aside());
    seek(&mut session, 30);
    assert!(by(&session) == [false, false] && !session.leads_to_future());
    seek(&mut session, 33);
    act(&mut session, Action::Undo);
    assert!(session.undo_leaves_future_aside());
    // What is done again in the past is an edit there.
    let mut session = skirmish(300);
    for action in [place(150.0), place(170.0), Action::Undo, Action::Undo] {
        act(&mut session, action);
    }
    run(&mut session, 50);
    seek(&mut session, 20);
    act(&mut session, Action::Redo);
    assert_eq!(by(&session), [true, false]);
    act(&mut session, Action::Redo);
    assert!(by(&session) == [false, false] && session.leads_to_future());
    act(&mut session, Action::Undo);
    assert_eq!(by(&session), [true, false]);
}

#[test]
fn who_looks_at_a_structure_beside_it_in_the_past_ends_no_future() {
    let mut session = skirmish(300);
    run(&mut session, 50);
    act(&mut session, place(150.0));
    run(&mut session, 70);
    let (first, marks) = (session.hash(), session.timeline().marks().list().clone());
    seek(&mut session, 60);
    act(&mut session, place(300.0));
    run(&mut session, 90);
    let second = session.hash();
    assert_eq!(session.other_future(), Some((60, 120)));
    // In the past of both.
    seek(&mut session, 20);
    act(&mut session, Action::Beside("bvh".to_owned()));
    assert_eq!((session.lane_count(), session.timeline().end()), (2, 150));
    assert_eq!(session.other_future(), Some((60, 120)));
    assert_eq!(session.timeline().ledger().row(21).len(), 0);
    for (end, hash) in [(150, second), (120, first), (150, second)] {
        seek(&mut session, end);
        assert_eq!(session.hash(), hash);
        assert_eq!(session.lane_count(), 2);
        assert_eq!(session.timeline().diverged_at(), None);
        assert_eq!(session.timeline().ledger().row(21).len(), 2);
        turn(&mut session);
        assert_eq!(session.tick_count(), 60);
    }
    assert_eq!(session.timeline().marks().list().len(), marks.len());
    // Who goes back before that and looks again has looked since then, and has two lanes, not three.
    seek(&mut session, 10);
    assert_eq!(session.lane_count(), 1);
    act(&mut session, Action::Beside("kd-tree".to_owned()));
    assert_eq!((session.lane_count(), session.timeline().end()), (2, 120));
    assert_eq!(session.other_future(), Some((60, 150)));
    for (end, hash) in [(120, first), (150, second), (120, first)] {
        seek(&mut session, end);
        assert_eq!((session.hash(), session.lane_count()), (hash, 2));
        assert_eq!(session.timeline().diverged_at(), None);
        turn(&mut session);
        assert_eq!(session.tick_count(), 60);
    }
    turn(&mut session);
    assert_eq!(session.timeline().marks().list().len(), marks.len());
    // Nor does a look take away that undo brings a future back.
    seek(&mut session, 30);
    act(&mut session, place(200.0));
    assert!(session.brings_future_back(false));
    act(&mut session, Action::Beside("bvh".to_owned()));
    assert!(session.brings_future_back(false));
    turn(&mut session);
    // What comes minds who follows: then it is as with any other edit.
    seek(&mut session, 120);
    act(&mut session, Action::DropLane(1));
    run(&mut session, 5);
    seek(&mut session, 110);
    act(&mut session, Action::Beside("kd-tree".to_owned()));
    assert_eq!((session.lane_count(), session.timeline().end()), (3, 110));
}

#[test]
fn who_gives_up_on_the_way_to_the_other_future_is_where_they_were() {
    let mut session = skirmish(300);
    session.timeline_mut().set_budget(0);
    run(&mut session, 50);
    seek(&mut session, 30);
    act(&mut session, place(150.0));
    run(&mut session, 5);
    let (hash, other) = (session.hash(), session.other_future());
    let cancel = Cancel::default();
    cancel.cancel();
    assert!(session.turn_to_other_future(&cancel, &mut ()).is_err());
    assert_eq!((session.hash(), session.tick_count()), (hash, 35));
    assert_eq!(session.other_future(), other);
    turn(&mut session);
    assert_eq!((session.tick_count(), session.timeline().end()), (30, 50));
}
