use super::*;
use crate::app::unsaved::left_behind;
use skirmish::probe::Cancel;
use skirmish::scene::file::built_in;
use skirmish::session::Action;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::channel;

fn keeper(folder: &Path) -> Keeper {
    let mut keeper = Keeper::new(false);
    keeper.folder = Some(folder.to_owned());
    keeper
}

fn fresh() -> Session {
    Session::new(built_in(), Path::new("")).0
}

fn act(session: &mut Session, action: Action) {
    session.apply(action, false, &Cancel::default()).unwrap();
}

/// A scene with work that no file has.
fn work() -> Session {
    let mut session = fresh();
    act(&mut session, Action::Reach(2.0));
    session
}

fn named(name: &str) -> Of {
    Of {
        path: None,
        name: Some(name.to_owned()),
    }
}

fn beside<'s>(session: &'s Session, name: &str, is_future: bool) -> Beside<'s> {
    Beside {
        session,
        is_future,
        of: named(name),
    }
}

fn other(session: &Session) -> Vec<Beside<'_>> {
    vec![beside(session, "other", true)]
}

/// Looks once more, after something was said. Whether anything was written.
fn look(keeper: &mut Keeper, session: &Session, all: Vec<Beside<'_>>) -> bool {
    keeper.rest = Duration::ZERO;
    keeper.look_beside();
    keeper.tend(session, || named("here"), || all);
    let writes = keeper.writing.is_some();
    keeper.await_writer(GOODBYE);
    writes
}

fn files(folder: &Path) -> Vec<u32> {
    let is_there = |number: &u32| folder.join(format!("{number}.ron")).exists();
    (1..20).filter(is_there).collect()
}

/// What cannot be kept, wherever there is a place: a path that is none has no note.
fn unkept(session: &Session) -> Vec<Beside<'_>> {
    let mut it = beside(session, "unkept", false);
    it.of.path = Some(PathBuf::new());
    vec![it]
}

/// What was done in what lies at this place.
fn acts(folder: &Path, number: u32) -> Vec<Action> {
    let recording = Recording::read(&folder.join(format!("{number}.ron"))).unwrap();
    recording.acts.into_iter().map(|it| it.act).collect()
}

fn tick(session: &mut Session) {
    session.tick(&Cancel::default(), &mut ()).unwrap();
}

/// Leaves a future with work aside by another edit before that.
fn end_future(session: &mut Session) {
    let at = session.tick_count() + 1;
    (0..2).for_each(|_| tick(session));
    act(session, Action::Reach(3.0));
    tick(session);
    session.seek(at, &Cancel::default(), &mut ()).unwrap();
    act(session, Action::Reach(4.0));
}

fn left(folder: &Path) -> Vec<String> {
    let mut all: Vec<String> = left_behind(folder).iter().map(|it| it.title()).collect();
    all.sort();
    all
}

#[test]
fn a_scene_that_is_left_is_kept_beside_the_one_that_is_open_before_its_place_is_given_up() {
    let folder = tempfile::tempdir().unwrap();
    let mut keeper = keeper(folder.path());
    let (first, next) = (work(), fresh());
    assert!(look(&mut keeper, &first, Vec::new()));
    assert_eq!(files(folder.path()), [1]);
    assert!(!look(&mut keeper, &first, Vec::new()));
    // It is left for one of which nothing is to be kept.
    let left_first = || vec![beside(&first, "first", false)];
    assert!(look(&mut keeper, &next, left_first()));
    assert_eq!(files(folder.path()), [1, 2]);
    assert!(!look(&mut keeper, &next, left_first()));
    assert_eq!(files(folder.path()), [2]);
    // What has not changed is not written again, whatever is done elsewhere.
    assert!(!look(&mut keeper, &next, left_first()));
    assert!(look(&mut keeper, &work(), left_first()));
    assert!(!look(&mut keeper, &next, left_first()));
    assert_eq!(files(folder.path()), [2]);
    // Undo goes back to it: it is kept as what is open, and then not beside that.
    assert!(look(&mut keeper, &first, Vec::new()));
    assert_eq!(files(folder.path()), [1, 2]);
    assert!(!look(&mut keeper, &first, Vec::new()));
    assert_eq!(files(folder.path()), [1]);
    drop(keeper);
    assert_eq!(left(folder.path()), ["here"]);
}

#[test]
fn another_future_is_written_once_and_anew_where_another_one_takes_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let mut keeper = keeper(folder.path());
    let mut session = work();
    end_future(&mut session);
    assert!(session.other_future_unsaved() == Unsaved::Work);
    assert!(look(&mut keeper, &session, other(&session)));
    assert_eq!(files(folder.path()).len(), 2);
    assert_eq!(keeper.beside.len(), 1);
    let version = session.other_future_version();
    tick(&mut session);
    act(&mut session, Action::Reach(5.0));
    assert!(version == session.other_future_version());
    let file = keeper.beside[0].0.file();
    let written = || fs::metadata(&file).unwrap().modified().unwrap();
    let before = written();
    // What is open is written, and that alone.
    assert!(look(&mut keeper, &session, other(&session)));
    assert_eq!((written(), files(folder.path()).len()), (before, 2));
    end_future(&mut session);
    assert!(version != session.other_future_version());
    assert!(look(&mut keeper, &session, other(&session)));
    look(&mut keeper, &session, other(&session));
    assert_eq!(files(folder.path()).len(), 2);
    drop(keeper);
    assert_eq!(left(folder.path()), ["here", "other"]);
}

#[test]
fn what_could_not_be_kept_beside_stays_where_it_lay_and_what_is_open_goes_on_elsewhere() {
    // The scene that comes has work at once, or only later.
    for mut next in [work(), fresh()] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path();
        let mut keeper = keeper(path);
        let first = work();
        assert!(look(&mut keeper, &first, Vec::new()));
        look(&mut keeper, &next, unkept(&first));
        for reach in [5.0, 6.0, 7.0] {
            act(&mut next, Action::Reach(reach));
            look(&mut keeper, &next, unkept(&first));
            // It has one other place, and not one an edit.
            assert_eq!(files(path), [1, 2]);
            assert_eq!(acts(path, 1), [Action::Reach(2.0)]);
            assert!(acts(path, 2).contains(&Action::Reach(reach)));
        }
        // Nobody would miss it any more.
        look(&mut keeper, &next, Vec::new());
        look(&mut keeper, &next, Vec::new());
        assert_eq!(files(path), [2]);
    }
}

#[test]
fn what_could_not_be_kept_stays_until_it_is_tried_again_also_where_the_present_is_saved() {
    for is_saved in [false, true] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path();
        let mut keeper = keeper(path);
        let (first, mut next) = (work(), work());
        act(&mut next, Action::Reach(5.0));
        look(&mut keeper, &first, Vec::new());
        // Nothing can lie in the next place.
        let nowhere = path.join("2.lock");
        fs::create_dir(&nowhere).unwrap();
        let left_first = || vec![beside(&first, "first", false)];
        look(&mut keeper, &next, left_first());
        if is_saved {
            next.note_saved(Arc::clone(next.scene()));
            keeper.saved(&next);
            look(&mut keeper, &next, left_first());
        }
        assert_eq!(files(path), [1]);
        assert_eq!(acts(path, 1), [Action::Reach(2.0)]);
        assert!(!keeper.is_through());
        fs::remove_dir(&nowhere).unwrap();
        // Nobody says anything.
        let wait = |keeper: &mut Keeper| {
            keeper.rest = Duration::ZERO;
            keeper.tend(&next, || named("here"), left_first);
            keeper.await_writer(GOODBYE);
        };
        wait(&mut keeper);
        assert_eq!(files(path), [1], "it was tried a moment ago");
        keeper.failed_at -= OF_TIME;
        keeper.kept_at -= OF_TIME;
        (0..3).for_each(|_| wait(&mut keeper));
        assert!(keeper.is_through());
        drop(keeper);
        let names = if is_saved {
            vec!["first"]
        } else {
            vec!["first", "here"]
        };
        assert_eq!(left(path), names);
    }
}

#[test]
fn it_goes_on_looking_where_the_first_place_cannot_be_had_yet() {
    let folder = tempfile::tempdir().unwrap();
    let nowhere = folder.path().join("1.lock");
    fs::create_dir(&nowhere).unwrap();
    let mut keeper = keeper(folder.path());
    let session = work();
    keeper.look_beside();
    let wait = |keeper: &mut Keeper| {
        keeper.rest = Duration::ZERO;
        let sentence = keeper.tend(&session, || named("here"), Vec::new);
        keeper.await_writer(GOODBYE);
        (sentence.is_some(), keeper.is_through())
    };
    assert_eq!(wait(&mut keeper), (true, false));
    // It is said once, and tried again after a while.
    assert_eq!(keeper.rest, OF_TIME);
    assert_eq!(wait(&mut keeper), (false, false));
    fs::remove_dir(&nowhere).unwrap();
    // Nobody says anything.
    assert_eq!(wait(&mut keeper), (false, false));
    assert_eq!(wait(&mut keeper), (false, true));
    drop(keeper);
    assert_eq!(left(folder.path()), ["here"]);
    // Without a folder there is nothing to wait for.
    let mut keeper = Keeper::new(false);
    keeper.look_beside();
    assert_eq!(wait(&mut keeper), (true, true));
}

#[test]
fn work_that_is_brought_back_and_saved_at_once_is_not_offered_again() {
    for is_still_open in [true, false] {
        let folder = tempfile::tempdir().unwrap();
        let (mut session, mut other) = (work(), work());
        let mut first = keeper(folder.path());
        look(&mut first, &session, Vec::new());
        drop(first);
        let slot = left_behind(folder.path()).remove(0).slot;
        let mut keeper = keeper(folder.path());
        keeper.go_on_with(slot, &session);
        if is_still_open {
            session.note_saved(Arc::clone(session.scene()));
            keeper.saved(&session);
        } else {
            // It is left at once, and what is saved is another one: it stays until it lies beside that.
            other.note_saved(Arc::clone(other.scene()));
            keeper.saved(&other);
            assert_eq!(files(folder.path()), [1]);
            let left_it = || vec![beside(&session, "it", false)];
            look(&mut keeper, &other, left_it());
            assert_eq!(files(folder.path()), [1, 2]);
            look(&mut keeper, &other, left_it());
        }
        drop(keeper);
        let names = left(folder.path());
        assert_eq!(names.len(), usize::from(!is_still_open));
    }
}

#[test]
fn what_has_no_place_is_said_once() {
    let folder = tempfile::tempdir().unwrap();
    let mut keeper = keeper(folder.path());
    let session = work();
    let mut tell = |count: usize| {
        let names = (0..count).map(|number| number.to_string());
        let all: Vec<Beside<'_>> = names.map(|name| beside(&session, &name, false)).collect();
        keeper.rest = Duration::ZERO;
        keeper.look_beside();
        let sentence = keeper.tend(&session, || named("here"), || all);
        keeper.await_writer(GOODBYE);
        sentence.is_some_and(|sentence| sentence.contains(&MOST_BESIDE.to_string()))
    };
    let most = MOST_BESIDE;
    let counts = [most, most + 1, most + 2, most, most + 1];
    assert_eq!(counts.map(&mut tell), [false, true, false, false, true]);
}

#[test]
fn a_place_that_went_with_its_thread_is_another_programs_to_clear() {
    let folder = tempfile::tempdir().unwrap();
    let mut keeper = keeper(folder.path());
    let session = work();
    look(&mut keeper, &session, Vec::new());
    // As where the thread that writes ends by a fault.
    keeper.slot = None;
    keeper.writing = Some(Writing {
        writer: std::thread::spawn(|| -> Written { std::panic::resume_unwind(Box::new(())) }),
        own: keeper.kept.clone(),
        beside: Vec::new(),
    });
    assert!(keeper.await_writer(GOODBYE).is_some());
    let others = left_behind(folder.path());
    assert_eq!(others.len(), 1);
    // What is open has another place.
    assert!(look(&mut keeper, &session, Vec::new()));
    assert_eq!(files(folder.path()), [1, 2]);
    keeper.forget();
    assert_eq!(files(folder.path()), [1]);
}

#[test]
fn what_went_wrong_before_something_was_saved_is_said_with_the_next_look() {
    let folder = tempfile::tempdir().unwrap();
    let mut keeper = keeper(folder.path());
    let mut session = work();
    keeper.writing = Some(Writing {
        writer: std::thread::spawn(|| -> Written { std::panic::resume_unwind(Box::new(())) }),
        own: None,
        beside: Vec::new(),
    });
    session.note_saved(Arc::clone(session.scene()));
    keeper.saved(&session);
    keeper.rest = Duration::ZERO;
    let sentence = keeper.tend(&session, || named("here"), Vec::new);
    assert!(sentence.is_some() && keeper.is_through());
}

#[test]
fn how_the_scene_is_looked_at_is_waited_for_until_it_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let mut keeper = keeper(folder.path());
    let session = work();
    look(&mut keeper, &session, Vec::new());
    keeper.note_looks(None);
    // It was kept a moment ago.
    assert!(!look(&mut keeper, &session, Vec::new()));
    assert!(!keeper.is_through());
    keeper.kept_at -= OF_TIME;
    assert!(look(&mut keeper, &session, Vec::new()));
    assert!(!look(&mut keeper, &session, Vec::new()));
    assert!(keeper.is_through());
}

#[test]
fn what_need_not_be_kept_any_more_goes_though_every_look_has_something_to_write() {
    let folder = tempfile::tempdir().unwrap();
    let mut keeper = keeper(folder.path());
    let (first, mut session) = (work(), work());
    for number in 0..10_u8 {
        act(&mut session, Action::Reach(f32::from(number + 3)));
        let name = number.to_string();
        assert!(look(
            &mut keeper,
            &session,
            vec![beside(&first, &name, false)]
        ));
        // One is open, one lies beside it, and one did so until now.
        assert!(files(folder.path()).len() <= 3, "{number}");
    }
}

#[test]
fn another_future_that_came_a_moment_ago_is_not_lost_by_saving_the_present_one() {
    let folder = tempfile::tempdir().unwrap();
    let mut keeper = keeper(folder.path());
    let mut session = work();
    look(&mut keeper, &session, Vec::new());
    end_future(&mut session);
    session.note_saved(Arc::clone(session.scene()));
    keeper.saved(&session);
    assert_eq!(files(folder.path()), [1]);
    look(&mut keeper, &session, other(&session));
    look(&mut keeper, &session, other(&session));
    drop(keeper);
    assert_eq!(left(folder.path()), ["other"]);
}

#[test]
fn nothing_is_left_to_be_done_only_once_what_was_said_is_looked_at_and_written() {
    let folder = tempfile::tempdir().unwrap();
    let mut keeper = keeper(folder.path());
    let session = work();
    assert!(keeper.is_through());
    keeper.look_beside();
    let look = |keeper: &mut Keeper| {
        keeper.tend(&session, || named("here"), Vec::new);
    };
    // The disk is slow: the next look has yet to come.
    keeper.rest = Duration::from_secs(3600);
    look(&mut keeper);
    assert!(!keeper.is_through());
    keeper.rest = Duration::ZERO;
    look(&mut keeper);
    assert!(!keeper.is_through());
    keeper.await_writer(GOODBYE);
    keeper.rest = Duration::ZERO;
    look(&mut keeper);
    assert!(keeper.is_through());
}

#[test]
fn who_ends_is_told_whether_all_is_kept_a_part_of_it_or_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let (work, fresh) = (work(), fresh());
    let own = |session| Some((session, named("here")));
    let others = |count: usize| -> Vec<Beside<'_>> {
        let names = (0..count).map(|number| number.to_string());
        names.map(|name| beside(&work, &name, false)).collect()
    };
    let mut keeper = keeper(folder.path());
    assert_eq!(keeper.keep(own(&fresh), Vec::new()), Keeping::Nothing);
    // Nothing of what is open is to be kept, and what lies beside it is.
    assert_eq!(keeper.keep(own(&fresh), others(2)), Keeping::All);
    assert_eq!(keeper.keep(own(&work), others(2)), Keeping::All);
    assert_eq!(files(folder.path()).len(), 3);
    let most = MOST_BESIDE;
    assert_eq!(keeper.keep(own(&work), others(most)), Keeping::All);
    assert_eq!(keeper.keep(own(&work), others(most + 1)), Keeping::Part);
    keeper.forget();
    assert!(files(folder.path()).is_empty());
    // Where nothing more can be written, what was kept stays.
    assert_eq!(keeper.keep(None, others(1)), Keeping::All);
    let kept = files(folder.path());
    let nowhere = folder.path().join("1.lock");
    keeper.folder = Some(nowhere);
    assert_eq!(keeper.keep(None, others(2)), Keeping::Part);
    assert_eq!(files(folder.path()), kept);
    let mut keeper = Keeper::new(true);
    assert_eq!(keeper.keep(own(&work), others(1)), Keeping::Nothing);
}

#[test]
fn what_is_given_up_goes_though_the_disk_has_not_confirmed_it_yet() {
    let folder = tempfile::tempdir().unwrap();
    let session = fresh();
    let kept = Kept::of(&session, Of::default(), 0);
    let mut slot = Slot::take(folder.path()).unwrap();
    let file = slot.file();
    slot.keep(&session.recording(), &Of::default()).unwrap();
    // It has its name, and the writer waits for the disk.
    let (confirm, confirmed) = channel::<()>();
    let writer = std::thread::spawn(move || {
        let _ = confirmed.recv();
        Written {
            own: Some((slot, Ok(()))),
            beside: Vec::new(),
            old: Vec::new(),
            took: Duration::ZERO,
        }
    });
    let mut keeper = keeper(folder.path());
    keeper.file = Some(file.clone());
    keeper.writing = Some(Writing {
        writer,
        own: Some(kept),
        beside: Vec::new(),
    });
    keeper.forget_own(Duration::from_millis(5));
    assert!(!file.exists());
    // What the writer may have written since goes as well, once it has ended.
    fs::write(&file, "").unwrap();
    confirm.send(()).unwrap();
    keeper.forget();
    assert!(!file.exists());
    assert!(keeper.slot.is_some() && keeper.writing.is_none());
}
