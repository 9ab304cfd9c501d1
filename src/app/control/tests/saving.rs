//! What a save keeps, where it goes, and when a scene is left without a question.

use super::*;
use crate::app::commands::{Command, Layer};
use crate::app::dialogs::Dialogs;
use crate::app::state::SaveLook;
use crate::app::watch::{Became, InFile};
use skirmish::built_in;
use skirmish::partition::Kind;
use skirmish::scene::ViewLayer;
use skirmish::session::{Action, Beginning, SideWord};
use skirmish::structure::StructureKind;
use std::path::PathBuf;

/// Saves to a file and waits for what becomes of that.
pub(super) fn save(window: &mut Window, path: &Path) -> bool {
    let number = window.app.save(path.to_path_buf());
    ended(window, number)
}

fn ended(window: &mut Window, number: u64) -> bool {
    let mut end = None;
    for _ in 0..2000 {
        window.frame(&[]);
        let ended = window.app.take_ended_saves();
        end = end.or(ended.into_iter().find(|(of, _)| *of == number));
        if let Some((_, is_saved)) = end {
            return is_saved;
        }
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    panic!("it is never saved");
}

#[test]
fn what_was_done_just_before_is_saved_too_and_what_is_done_behind_it_is_not() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("mine.ron");
    let kind_in = |path: &Path| file::read(path).expect("a scene").structure.kind;
    let mut window = Window::open_with(BATTLE, false);
    for (count, kind) in Kind::ALL.iter().copied().enumerate() {
        // No answer comes in between.
        window.app.choose_structure(kind);
        assert!(
            window.app.is_unsaved(),
            "the window would close without a word"
        );
        assert!(save(&mut window, &path));
        assert_eq!(kind_in(&path), kind, "after {count}");
        window.wait("the answer", |window| !window.app.is_unsaved());
    }
    // What is no edit and comes after it does not hide it.
    for (kind, mode) in [
        (Kind::ALL[0], RunMode::Paused),
        (Kind::ALL[1], RunMode::Running),
    ] {
        window.app.choose_structure(kind);
        let number = window.app.save(path.clone());
        window.app.set_mode(mode);
        assert!(ended(&mut window, number));
        assert_eq!(kind_in(&path), kind);
        window.wait("the answer", |window| !window.app.is_unsaved());
    }
    // What is done behind it, another moment of time too, stays and is not in the file.
    window.wait("some ticks", |window| window.app.place.tick > 20);
    window.app.choose_structure(Kind::ALL[2]);
    let number = window.app.save(path.clone());
    window.app.choose_structure(Kind::ALL[3]);
    assert!(ended(&mut window, number));
    assert_eq!(kind_in(&path), Kind::ALL[2]);
    window.wait("the answer", |window| {
        window.app.lanes[0].structure.kind() == Kind::ALL[3]
    });
    assert!(window.app.is_unsaved());
    window.app.choose_structure(Kind::ALL[4]);
    let number = window.app.save(path.clone());
    window.app.seek(0);
    assert!(ended(&mut window, number));
    assert_eq!(kind_in(&path), Kind::ALL[4]);
}

#[test]
fn a_save_between_two_seeks_is_of_the_tick_that_the_first_one_leads_to() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("mine.ron");
    // So many that what is gone over again takes a while.
    let crowd = BATTLE
        .replace("count: 20", "count: 6000")
        .replace("Hold", "Brawl");
    let mut window = Window::open_with(&crowd, false);
    let kind = window.app.lanes[0].structure.kind();
    window.wait("some ticks", |window| window.app.place.tick >= 62);
    window.app.set_mode(RunMode::Paused);
    window.app.choose_structure(Kind::SortedGrid);
    window.wait("another structure", |window| window.app.dirty);
    let end = window.app.place.end;
    window.app.seek(61);
    // It is on its way there from a keyframe, unless the machine is so quick that there is nothing to be seen of that.
    for _ in 0..500 {
        if window.app.worker.is_seeking() {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    let number = window.app.save(path.clone());
    window.app.seek(end);
    assert!(ended(&mut window, number));
    let saved = file::read(&path).expect("a scene");
    assert_eq!(StructureKind::from(saved.structure.kind), kind);
    // What was done at the last tick follows a frame behind it.
    let is_there = |window: &Window| window.app.lanes[0].structure.kind() == Kind::SortedGrid;
    window.wait("the second one", |window| {
        window.app.place.tick == end && is_there(window)
    });
}

/// What is in a scene that comes with the program.
fn shipped(name: &str) -> &'static [u8] {
    built_in::content_of(name).expect("a scene that ships")
}

/// A window with what it has opened from a file that holds this.
pub(super) fn opened(path: &Path, content: &[u8]) -> Window {
    std::fs::write(path, content).expect("a file");
    let mut window = Window::open_with(BATTLE, false);
    window.app.open(path.to_path_buf());
    window.wait("the scene", |window| {
        window.app.path.as_deref() == Some(path) && !window.app.is_unsaved()
    });
    window
}

#[test]
fn who_has_looked_at_another_structure_alone_leaves_without_a_question() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = Window::open_with(BATTLE, false);
    window.app.choose_structure(Kind::SortedGrid);
    window.wait("its answer", |window| window.app.dirty);
    assert!(!window.app.would_be_missed());
    assert!(window.app.bears_mark(), "it differs from its file");
    window.app.run(Command::Undo);
    window.wait("the scene as it was", |window| !window.app.is_unsaved());
    assert!(!window.app.bears_mark());
    // In a scene of one's own it is what one has chosen, whatever its file is called; in one that ships, wherever it lies, it is not.
    let [skirmish, merges] = ["skirmish.ron", "figures/merges.ron"].map(shipped);
    for (name, content, is_own) in [
        ("mine.ron", BATTLE.as_bytes(), true),
        ("mine.ron", merges, true),
        ("merges.ron", BATTLE.as_bytes(), true),
        ("merges.ron", skirmish, true),
        ("skirmish.ron", skirmish, false),
        ("merges.ron", merges, false),
    ] {
        let mut window = opened(&folder.path().join(name), content);
        window.app.choose_structure(Kind::SortedGrid);
        window.wait("its answer", |window| window.app.dirty);
        assert_eq!(window.app.would_be_missed(), is_own, "{name}");
        assert!(window.app.bears_mark(), "{name}");
    }
}

#[test]
fn who_has_turned_a_knob_of_a_lesson_leaves_without_a_question_and_who_has_edited_it_does_not() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("merges.ron");
    let turn_a_knob = |window: &mut Window| {
        window.app.set_knob(0, 3.0);
        window.wait("its answer", |window| window.app.dirty);
    };
    let mut window = opened(&path, BATTLE.as_bytes());
    turn_a_knob(&mut window);
    assert!(window.app.would_be_missed(), "a scene of one's own");
    let mut window = Window::open_with(BATTLE, false);
    window.app.begin_new();
    window.wait("the new scene", |window| {
        window.app.scene.name == "New scene"
    });
    turn_a_knob(&mut window);
    assert!(window.app.would_be_missed(), "a new one");

    let mut window = opened(&path, shipped("figures/merges.ron"));
    turn_a_knob(&mut window);
    assert!(!window.app.would_be_missed() && window.app.bears_mark());
    window.app.pan(40.0, 20.0);
    window.frame(&[]);
    assert!(
        !window.app.would_be_missed(),
        "to look elsewhere is no edit"
    );
    // To choose the scene that is open already would take the knobs back: that is asked for.
    let other = folder.path().join("other.ron");
    assert!(window.app.would_be_missed_for(&path) && !window.app.would_be_missed_for(&other));
    let mut dialogs = Dialogs::default();
    dialogs.open_path(&mut window.app, path.clone());
    shown(&mut dialogs, &mut window.app);
    assert!(dialogs.are_open() && window.app.is_unsaved());
    // It is undone like any edit.
    window.app.run(Command::Undo);
    window.wait("the scene as it was", |window| !window.app.is_unsaved());
    assert!(!window.app.would_be_missed_for(&path));
    let (before, at) = (window.app.alive(), (160.0, 80.0));
    window.app.act(Action::Spawn(SideWord::Blue, at, 12.0, 12));
    window.wait("units", |window| window.app.alive() == before + 12);
    assert!(window.app.would_be_missed());
}

#[test]
fn a_lesson_that_was_edited_and_saved_in_its_place_is_one_s_own_also_when_undo_comes_back_to_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let [path, other] = ["merges.ron", "sweep-and-prune.ron"].map(|it| folder.path().join(it));
    let mut window = opened(&path, shipped("figures/merges.ron"));
    window
        .app
        .act(Action::Spawn(SideWord::Blue, (160.0, 80.0), 12.0, 12));
    assert!(save(&mut window, &path));
    window.wait("the answer", |window| !window.app.is_unsaved());
    window.app.set_knob(0, 3.0);
    window.wait("its answer", |window| window.app.dirty);
    assert!(window.app.would_be_missed());
    // What is opened next is as it ships; behind it, undo finds this one as it was left.
    std::fs::write(&other, shipped("figures/sweep-and-prune.ron")).expect("a file");
    window.app.open(other.clone());
    window.wait("the other scene", |window| {
        window.app.file() == Some(&*other) && !window.app.is_unsaved()
    });
    assert!(!window.app.would_be_missed());
    window.app.run(Command::Undo);
    window.wait("the scene before", |window| {
        window.app.file() == Some(&*path) && window.app.would_be_missed()
    });
}

#[test]
fn who_has_set_how_the_world_of_a_lesson_streams_leaves_without_a_question() {
    let folder = tempfile::tempdir().expect("a folder");
    let lesson = shipped("figures/load-union.ron");
    for (name, content, is_own) in [
        ("load-union.ron", lesson, false),
        ("load-union.ron", WORLD.as_bytes(), true),
        ("mine.ron", lesson, true),
    ] {
        let mut window = opened(&folder.path().join(name), content);
        let lead = Action::Tune("lead".to_owned(), "35".to_owned());
        window.app.act(lead);
        window.wait("its answer", |window| window.app.dirty);
        assert_eq!(window.app.would_be_missed(), is_own, "{name}");
        assert!(window.app.bears_mark(), "{name}");
    }
}

#[test]
fn a_new_scene_is_called_as_its_file_and_one_that_has_a_name_keeps_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let [path, other] = ["my-fight.ron", "duel.ron"].map(|name| folder.path().join(name));
    let mut window = Window::open_with(BATTLE, false);
    window.app.begin_new();
    window.wait("the new scene", |window| {
        window.app.scene.name == "New scene"
    });
    let at = (240.0, 150.0);
    window.app.act(Action::Spawn(SideWord::Blue, at, 12.0, 12));
    assert!(save(&mut window, &path));
    assert_eq!(file::read(&path).expect("a scene").name, "My fight");
    window.wait("its name", |window| window.app.scene.name == "My fight");
    assert_eq!(window.app.title(), "my-fight.ron");
    assert!(!window.app.is_unsaved());
    window.app.run(Command::Undo);
    window.wait("an empty field", |window| window.app.alive() == 0);
    assert_eq!(window.app.scene.name, "My fight");
    // The file of another name is that of a scene that has one.
    assert!(save(&mut window, &other));
    assert_eq!(file::read(&other).expect("a scene").name, "My fight");
}

#[test]
fn a_new_scene_has_nothing_of_the_one_before() {
    let mut window = Window::open_with(BATTLE, false);
    window.app.choose_structure(Kind::LinkedGrid);
    window.app.set_knob(0, 3.0);
    window.app.run(Command::View(View::Compare));
    window.wait("two lanes", |window| window.app.lanes.len() == 2);
    window.app.begin_new();
    window.wait("the new scene", |window| {
        window.app.scene.name == "New scene"
    });
    // How the lanes stand is known a frame after the scene is.
    window.wait("its one lane", |window| window.app.lanes.len() == 1);
    let structure = &window.app.lane().structure;
    assert_eq!(structure.kind, Kind::Quadtree);
    let defaults = structure.info().knobs.iter().map(|knob| knob.default);
    assert_eq!(structure.knobs, defaults.collect::<Vec<f64>>());
    window.app.run(Command::Undo);
    window.wait("the scene before", |it| it.structure() == "linked-grid");
}

#[test]
fn the_arrows_of_the_caption_stay_while_a_scene_is_saved_under_another_name() {
    let folder = tempfile::tempdir().expect("a folder");
    let [path, other] = ["first.ron", "mine.ron"].map(|name| folder.path().join(name));
    let scene = BATTLE.replace("\"Calm\",", "\"Calm\", caption: \"Watch.\",");
    std::fs::write(&path, scene).expect("a scene");
    let mut window = Window::open_with(BATTLE, false);
    window.app.open(path.clone());
    let frame = |window: &mut Window| {
        std::thread::sleep(std::time::Duration::from_millis(1));
        window.app.serve_library();
        widgets::forget_places(&window.ctx);
        window.frame(&[]);
        let places = widgets::places(&window.ctx);
        ["caption.before", "caption.after"].map(|name| places.get(name).copied())
    };
    let is_listed = |window: &Window, path: &Path| {
        window.app.path.as_deref() == Some(path) && !window.app.library.is_looking(path)
    };
    let mut frames = 0..4000;
    while !is_listed(&window, &path) {
        frame(&mut window);
        assert!(frames.next().is_some(), "the list never comes");
    }
    let arrows = frame(&mut window);
    assert!(arrows.iter().all(Option::is_some));
    window.app.save(other.clone());
    while !is_listed(&window, &other) {
        assert_eq!(frame(&mut window), arrows, "{}", window.app.title());
        assert!(frames.next().is_some(), "the other list never comes");
    }
    assert_eq!(frame(&mut window), arrows);
}

/// Draws the dialogs.
pub(super) fn shown(dialogs: &mut Dialogs, app: &mut App) {
    let ctx = Context::default();
    let _ = ctx.run(RawInput::default(), |ctx| {
        dialogs.show(ctx, app, &Palette::DARK);
    });
}

#[test]
fn a_save_waits_for_a_look_at_its_file_and_asks_where_that_holds_something_else() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("mine.ron");
    let mut window = Window::open_with(BATTLE, false);
    assert!(save(&mut window, &path));
    let mut dialogs = Dialogs::default();
    for found in [Some(Became::Changed), None] {
        let number = window.app.worker.posted();
        dialogs.save(&mut window.app, path.clone());
        assert_eq!(window.app.files.save_look, SaveLook::Wanted);
        shown(&mut dialogs, &mut window.app);
        let is_written = |window: &Window| window.app.worker.posted() > number;
        assert!(!is_written(&window) && !dialogs.are_open());
        // What the look has found, as the desk takes it down.
        (window.app.files.save_look, window.app.files.on_disk) = (SaveLook::Done, found);
        shown(&mut dialogs, &mut window.app);
        assert_eq!(dialogs.are_open(), found.is_some());
        assert_eq!(is_written(&window), found.is_none());
        dialogs = Dialogs::default();
    }
    // While this program writes, what is found is its own.
    dialogs.save(&mut window.app, path);
    assert_eq!(window.app.files.save_look, SaveLook::Done);
}

#[test]
fn what_was_read_or_saved_here_is_no_news_and_a_save_over_it_asks_and_names_both_versions() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("mine.ron");
    let mut window = Window::open_with(BATTLE, false);
    assert!(save(&mut window, &path));
    window.wait("the answer", |window| !window.app.is_unsaved());
    window.app.files.on_disk = Some(Became::Changed);
    assert_eq!(window.app.files.news_of_disk(), Some(Became::Changed));
    window.app.files.version.is_known = true;
    assert_eq!(window.app.files.news_of_disk(), None);
    let mut dialogs = Dialogs::default();
    dialogs.save(&mut window.app, path);
    window.app.files.save_look = SaveLook::Done;
    shown(&mut dialogs, &mut window.app);
    assert!(dialogs.are_open());
    let said = crate::app::versions::to_replace(&window.app);
    assert!(
        said.starts_with(
            "There are two versions: yours, as it is open here, and the file as it was read here."
        ),
        "{said}"
    );
}

#[test]
fn who_goes_back_before_a_save_of_the_same_file_that_is_being_written_is_asked_before_he_replaces_it()
 {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("mine.ron");
    let mut window = opened(&path, BATTLE.as_bytes());
    window.app.set_mode(RunMode::Paused);
    let first = window.app.session();
    window.app.open(path.clone());
    window.wait("the file again", |it| it.app.session() != first);
    let at = (240.0, 150.0);
    window.app.act(Action::Spawn(SideWord::Blue, at, 12.0, 12));
    window.wait("units", |it| it.app.alive() == 32);
    let second = window.app.session();
    let number = window.app.save(path);
    // Beyond the edit, and beyond the opening.
    window.app.run(Command::Undo);
    window.app.run(Command::Undo);
    assert!(ended(&mut window, number));
    window.wait("the version before", |it| {
        it.app.session() != second && it.app.files.in_file == InFile::Another
    });
    assert_eq!(window.app.alive(), 20);
}

#[test]
fn who_goes_back_before_a_reload_is_told_that_the_file_holds_another_version() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("mine.ron");
    std::fs::write(&path, BATTLE).expect("a scene");
    let mut window = Window::open(BATTLE);
    let frames = |window: &mut Window| (0..6).for_each(|_| window.frame(&[]));
    window.app.open(path.clone());
    frames(&mut window);
    let more = BATTLE.replace("count: 20", "count: 21");
    std::fs::write(&path, more).expect("a scene");
    window.app.reload();
    frames(&mut window);
    window.app.run(Command::Undo);
    frames(&mut window);
    assert_eq!(
        window.notice(),
        "Back to mine.ron as it was open before. Its file holds another version by now. Redo (Ctrl+Shift+Z) opens the other version again."
    );
    // Nobody has changed anything, and no file holds it.
    let said = crate::app::versions::to_replace(&window.app);
    let words = "There are two versions: yours, which no file holds, and the file as";
    assert!(said.starts_with(words), "{said}");
    window.app.run(Command::Redo);
    frames(&mut window);
    assert_eq!(
        window.notice(),
        "The other version of mine.ron is open again. Undo (Ctrl+Z) goes back to the one before it."
    );
}

#[test]
fn a_save_does_not_wait_for_a_disk_that_does_not_answer() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("mine.ron");
    let mut window = Window::open_with(BATTLE, false);
    assert!(save(&mut window, &path));
    let mut dialogs = Dialogs::default();
    for found in [None, Some(Became::Changed)] {
        let number = window.app.worker.posted();
        dialogs.save(&mut window.app, path.clone());
        // What the last look has found that was over.
        (window.app.files.save_look, window.app.files.on_disk) = (SaveLook::UnderWay, found);
        let has_ended = |window: &Window, dialogs: &Dialogs| {
            window.app.worker.posted() > number || dialogs.are_open()
        };
        for _ in 0..12_000 {
            shown(&mut dialogs, &mut window.app);
            if has_ended(&window, &dialogs) {
                break;
            }
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        assert!(has_ended(&window, &dialogs), "it waits for ever");
        assert_eq!(dialogs.are_open(), found.is_some());
        if found.is_none() {
            let said = window.app.notice.as_ref().expect("a sentence");
            assert!(said.text.contains("takes its time"), "{}", said.text);
            let number = window.app.worker.posted();
            assert!(ended(&mut window, number));
        }
    }
}

#[test]
fn who_saves_and_leaves_at_once_leaves_once_it_is_saved() {
    let folder = tempfile::tempdir().expect("a folder");
    let [path, other] = ["mine.ron", "other.ron"].map(|name| folder.path().join(name));
    std::fs::write(&other, WORLD).expect("a scene");
    let kind_in = |path: &Path| file::read(path).expect("a scene").structure.kind;
    let mut window = Window::open_with(BATTLE, false);
    assert!(save(&mut window, &path));
    let mut dialogs = Dialogs::default();
    let frame = |window: &mut Window, dialogs: &mut Dialogs| {
        window.frame(&[]);
        shown(dialogs, &mut window.app);
        std::thread::sleep(std::time::Duration::from_millis(1));
    };
    // The window waits for the look, and for the file behind it, and does not ask.
    window.app.choose_structure(Kind::SortedGrid);
    dialogs.save(&mut window.app, path.clone());
    assert!(!dialogs.quit(&window.app) && !dialogs.are_open());
    window.app.files.save_look = SaveLook::UnderWay;
    shown(&mut dialogs, &mut window.app);
    assert!(!dialogs.take_leave() && !dialogs.are_open());
    window.app.files.save_look = SaveLook::Done;
    let mut frames = 0..4000;
    while !dialogs.take_leave() {
        frame(&mut window, &mut dialogs);
        assert!(frames.next().is_some(), "it never leaves");
    }
    assert_eq!(kind_in(&path), Kind::SortedGrid);
    window.wait("the answer", |window| !window.app.is_unsaved());
    // Where another program has written the file that is asked before.
    let mut dialogs = Dialogs::default();
    dialogs.save(&mut window.app, path.clone());
    assert!(!dialogs.quit(&window.app));
    (window.app.files.save_look, window.app.files.on_disk) =
        (SaveLook::Done, Some(Became::Changed));
    shown(&mut dialogs, &mut window.app);
    assert!(dialogs.are_open() && !dialogs.take_leave());
    window.app.files.on_disk = None;
    // Another scene comes behind it as well.
    let mut dialogs = Dialogs::default();
    window.app.choose_structure(Kind::Quadtree);
    dialogs.save(&mut window.app, path.clone());
    dialogs.open_path(&mut window.app, other.clone());
    assert!(!dialogs.are_open());
    window.app.files.save_look = SaveLook::Done;
    while window.app.file() != Some(&*other) {
        frame(&mut window, &mut dialogs);
        assert!(frames.next().is_some(), "the other one never comes");
    }
    assert_eq!(kind_in(&path), Kind::Quadtree);
    // Who ends the program does not wait.
    let number = window.app.worker.posted();
    dialogs.save(&mut window.app, other);
    dialogs.save_at_once(&mut window.app);
    assert!(window.app.worker.posted() > number);
}

#[test]
fn a_window_that_is_hidden_finishes_its_save_and_closes_behind_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("mine.ron");
    let mut window = Window::open_with(BATTLE, false);
    assert!(save(&mut window, &path));
    // What another program has written is not replaced unseen.
    let mut dialogs = Dialogs::default();
    let number = window.app.worker.posted();
    dialogs.save(&mut window.app, path.clone());
    window.app.files.on_disk = Some(Became::Changed);
    dialogs.go_on_unseen(&mut window.app);
    assert!(dialogs.are_open() && window.app.worker.posted() == number);
    window.app.files.on_disk = None;

    let mut dialogs = Dialogs::default();
    window.app.choose_structure(Kind::SortedGrid);
    dialogs.save(&mut window.app, path.clone());
    assert!(!dialogs.quit(&window.app));
    let mut frames = 0..4000;
    while !dialogs.take_leave() {
        // Nothing is drawn, and nobody is asked how things stand.
        window.app.hear_news();
        dialogs.go_on_unseen(&mut window.app);
        std::thread::sleep(std::time::Duration::from_millis(1));
        assert!(frames.next().is_some(), "it never leaves");
    }
    let saved = file::read(&path).expect("a scene");
    assert_eq!(saved.structure.kind, Kind::SortedGrid);
}

#[test]
fn a_save_whose_scene_goes_while_it_waits_is_given_up_in_a_sentence() {
    let folder = tempfile::tempdir().expect("a folder");
    let [path, other] = ["mine.ron", "other.ron"].map(|name| folder.path().join(name));
    std::fs::write(&other, WORLD).expect("a scene");
    let mut window = Window::open_with(BATTLE, false);
    assert!(save(&mut window, &path));
    let mut dialogs = Dialogs::default();
    window.app.choose_structure(Kind::SortedGrid);
    dialogs.save(&mut window.app, path.clone());
    window.app.open(other.clone());
    window.wait("the other scene", |window| {
        window.app.file() == Some(&*other)
    });
    window.app.files.save_look = SaveLook::Done;
    shown(&mut dialogs, &mut window.app);
    let said = window.app.notice.as_ref().expect("a sentence");
    assert!(
        said.failed && said.text.contains("mine.ron: not saved: another scene"),
        "{}",
        said.text
    );
    assert_eq!(
        file::read(&path).expect("a scene").structure.kind,
        Kind::Quadtree
    );
}

#[test]
fn a_scene_that_has_just_come_is_saved_though_a_save_of_the_one_before_it_waits() {
    let folder = tempfile::tempdir().expect("a folder");
    let [path, other] = ["mine.ron", "other.ron"].map(|name| folder.path().join(name));
    std::fs::write(&other, WORLD).expect("a scene");
    let mut window = Window::open_with(BATTLE, false);
    assert!(save(&mut window, &path));
    let mut dialogs = Dialogs::default();
    dialogs.save(&mut window.app, path);
    window.app.open(other.clone());
    window.wait("the other scene", |window| {
        window.app.file() == Some(&*other)
    });
    // In the frame in which it has come no dialog has been drawn yet.
    let number = window.app.worker.posted();
    dialogs.save(&mut window.app, other);
    let said = window.app.notice.as_ref().expect("a sentence");
    assert!(said.text.contains("mine.ron: not saved"), "{}", said.text);
    window.app.files.save_look = SaveLook::Done;
    shown(&mut dialogs, &mut window.app);
    assert!(window.app.worker.posted() > number);
}

#[test]
fn a_field_that_grows_right_before_a_save_is_saved_with_all_of_it_in_sight() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("mine.ron");
    let mut window = Window::open_with(BATTLE, false);
    let saved = |window: &mut Window| {
        assert!(save(window, &path));
        let scene = file::read(&path).expect("a scene");
        (scene.field.size().x, scene.camera.is_some())
    };
    // Where somebody looks is saved.
    window.app.pan(40.0, 20.0);
    assert_eq!(saved(&mut window), (480.0, true));
    window.wait("the answer", |window| !window.app.is_unsaved());
    // No answer comes in between.
    window.app.act(Action::Begin(Beginning {
        field: Some((960.0, 600.0)),
        ..Beginning::default()
    }));
    assert_eq!(saved(&mut window), (960.0, false));
    // It is what is in sight then, and so nothing is left to save.
    window.wait("the answer", |window| !window.app.is_unsaved());
    assert_eq!(saved(&mut window), (960.0, false));
}

#[test]
fn a_scene_never_goes_to_the_file_of_the_one_before_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let [path, other] = ["mine.ron", "other.ron"].map(|name| folder.path().join(name));
    std::fs::write(&other, WORLD).expect("a scene");
    let mut window = Window::open_with(BATTLE, false);
    // Saved before the other one is opened: written, and the other one keeps its own file.
    let number = window.app.save(path.clone());
    window.app.open(other.clone());
    assert!(ended(&mut window, number));
    window.wait("the other scene", |window| {
        window.app.title() == "other.ron"
    });
    assert_eq!(file::read(&path).expect("a scene").name, "Calm");
    assert_eq!(window.app.file(), Some(&*other));
    // Saved while the next one is on its way: refused, in a sentence.
    window.app.open(path.clone());
    let number = window.app.save(other.clone());
    assert!(!ended(&mut window, number));
    let said = window.app.notice.as_ref().expect("a sentence");
    assert!(
        said.text.contains("not saved: another scene"),
        "{}",
        said.text
    );
    assert_eq!(std::fs::read_to_string(&other).expect("a scene"), WORLD);
}

#[test]
fn of_two_saves_the_later_one_stays_and_what_was_switched_between_them_is_in_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("mine.ron");
    let mut window = Window::open_with(BATTLE, false);
    for (count, kind) in Kind::ALL.iter().copied().enumerate() {
        window.app.save(path.clone());
        window.app.choose_structure(kind);
        window.app.run(Command::Layer(Layer::Tests));
        assert!(save(&mut window, &path));
        let scene = file::read(&path).expect("a scene");
        let shown = count % 2 == 0;
        assert_eq!(scene.structure.kind, kind);
        assert!(scene.view.layers.contains(&(ViewLayer::Tests, shown)));
    }
    // Undo leads back to a scene that was saved while it was left: it is that file's.
    let other = folder.path().join("other.ron");
    std::fs::write(&other, WORLD).expect("a scene");
    let again = folder.path().join("again.ron");
    let number = window.app.save(again.clone());
    window.app.open(other);
    assert!(ended(&mut window, number));
    window.wait("the other scene", |window| {
        window.app.title() == "other.ron"
    });
    window.app.run(Command::Undo);
    window.wait("the scene before", |window| {
        window.app.file() == Some(&*again)
    });
    window.wait("its answer", |window| !window.app.is_unsaved());
}

#[test]
fn a_camera_that_was_moved_in_a_figure_opens_where_it_stood() {
    let folder = tempfile::tempdir().expect("a folder");
    let figures = folder.path().join("figures");
    std::fs::create_dir(&figures).expect("a folder");
    let path = figures.join("quadtree-splits.ron");
    let settled = |window: &mut Window| {
        for _ in 0..60 {
            window.frame(&[]);
        }
        window.app.camera
    };
    let mut window = opened(&path, shipped("figures/quadtree-splits.ron"));
    settled(&mut window);
    window.app.pan(40.0, 20.0);
    let before = settled(&mut window);
    assert!(save(&mut window, &path));
    let saved = std::fs::read(&path).expect("what was saved");
    let mut window = opened(&path, &saved);
    let after = settled(&mut window);
    assert_eq!(after.screen, before.screen);
    let is_near = (after.zoom / before.zoom - 1.0).abs() < 1.0e-3
        && (after.center - before.center).length() < 0.05;
    assert!(is_near, "{before:?} {after:?}");
}

#[test]
fn a_scene_with_changes_comes_back_by_undo_however_many_were_looked_at_since() {
    let mut window = Window::open_with(BATTLE, false);
    // How much each of them takes would depend on how long it ran.
    window.app.set_mode(RunMode::Paused);
    window.app.choose_structure(Kind::ALL[3]);
    let scenes = built_in::scenes();
    let is_figure = |path: &&PathBuf| path.iter().any(|part| part == "figures");
    let figures: Vec<&PathBuf> = scenes.iter().filter(is_figure).take(10).collect();
    assert_eq!(figures.len(), 10);
    for figure in figures {
        window.app.open(figure.clone());
        window.wait("the figure", |window| {
            window.app.path.as_ref() == Some(figure)
        });
    }
    // Back through those that were only looked at.
    let mut back = 0;
    while let Some(before) = window.app.path.clone() {
        assert!(back < 10, "it never comes");
        back += 1;
        window.app.run(Command::Undo);
        window.wait("the scene before", |window| {
            window.app.path.as_ref() != Some(&before)
        });
    }
    assert_eq!(back, 10, "the scene came too soon");
    window.wait("its structure", |window| {
        window.app.lanes[0].structure.kind() == Kind::ALL[3]
    });
    assert!(window.app.is_unsaved());
}
