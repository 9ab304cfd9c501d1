//! What becomes of a scene whose file holds another one by now, or none: what no file has is asked for.

use super::saving::{opened, save, shown};
use super::*;
use crate::app::commands::Command;
use crate::app::dialogs::{Dialogs, leaving};
use crate::app::state::SaveLook;
use crate::app::watch::{Became, InFile};
use crate::app::worker::Message;
use std::path::PathBuf;

/// Whether the window would close without a word.
fn closes(window: &Window) -> bool {
    Dialogs::default().quit(&window.app)
}

/// Waits until it is known that the file holds something else.
fn await_another(window: &mut Window) {
    window.wait("what the file holds", |window| {
        window.app.files.in_file == InFile::Another
    });
}

/// Whether the question is asked that has this button.
fn is_asked(dialogs: &mut Dialogs, window: &mut Window, button: &str) -> bool {
    let ctx = Context::default();
    let _ = ctx.run(RawInput::default(), |ctx| {
        dialogs.show(ctx, &mut window.app, &Palette::DARK);
    });
    widgets::places(&ctx).contains_key(button)
}

/// Waits until all that was said has been heard.
fn settle(window: &mut Window) {
    let posted = window.app.worker.posted();
    window.wait("the answer", |window| window.app.has_heeded(posted));
}

#[test]
fn what_is_kept_beside_another_version_is_asked_for_until_it_is_saved() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("mine.ron");
    let mut window = opened(&path, BATTLE.as_bytes());
    assert!(closes(&window));
    std::fs::write(&path, BATTLE.replace("count: 20", "count: 21")).expect("a scene");
    window.app.say("Something else.");
    window.app.keep_mine();
    // Before the session has heard of it as well.
    assert!(!closes(&window));
    settle(&mut window);
    assert!(window.app.is_unsaved() && !closes(&window));
    assert_eq!(window.notice(), "Something else.");
    await_another(&mut window);
    assert!(window.app.is_unsaved() && !closes(&window));
    let said = crate::app::versions::to_replace(&window.app);
    assert!(said.contains("yours, which no file holds"), "{said}");
    assert!(save(&mut window, &path));
    window.wait("the mark to go", |window| !window.app.is_unsaved());
    assert!(closes(&window));
    assert_eq!(file::read(&path).expect("a scene").unit_count(), 20);
}

#[test]
fn a_file_that_holds_the_same_scene_in_other_bytes_takes_nothing_away() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("mine.ron");
    let mut window = opened(&path, BATTLE.as_bytes());
    std::fs::write(&path, format!("{BATTLE}\n\n")).expect("a scene");
    window.app.keep_mine();
    assert!(!closes(&window), "it is not known yet");
    window.wait("the mark to go", |window| !window.app.is_unsaved());
    assert!(closes(&window));
    assert_eq!(window.app.files.in_file, InFile::Same);
}

#[test]
fn what_its_file_is_gone_for_is_asked_for_while_that_is_said_and_once_it_was_closed() {
    for became in [Became::Gone, Became::NoFile, Became::Unreadable] {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("mine.ron");
        let mut window = opened(&path, BATTLE.as_bytes());
        std::fs::remove_file(&path).expect("it goes");
        window.app.files.on_disk = Some(became);
        (0..3).for_each(|_| window.frame(&[]));
        // What merely cannot be read may be there as it was.
        let may_be_there = became == Became::Unreadable;
        assert_eq!(closes(&window), may_be_there, "{became:?} is said");
        window.click_on("disk.close");
        window.app.files.on_disk = None;
        assert!(!closes(&window), "{became:?} has just been closed");
        settle(&mut window);
        assert!(window.app.is_unsaved() && !closes(&window), "{became:?}");
        // To write it again is all that it takes.
        assert!(save(&mut window, &path));
        window.wait("the mark to go", |window| !window.app.is_unsaved());
        assert!(closes(&window), "{became:?} was saved");
    }
}

#[test]
fn a_scene_whose_file_is_gone_is_unsaved_at_once_and_until_the_file_is_back_as_it_was() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("mine.ron");
    let mut window = opened(&path, BATTLE.as_bytes());
    let version = window.app.files.version;
    std::fs::remove_file(&path).expect("it goes");
    window.app.note_found(Some(Became::Gone), version);
    window.wait("the mark", |window| window.app.dirty);
    await_another(&mut window);
    // It is told of as before, and once is enough.
    let posted = window.app.worker.posted();
    window.app.note_found(Some(Became::Gone), version);
    assert!(window.app.files.is_gone() && window.app.worker.posted() == posted);
    std::fs::write(&path, BATTLE).expect("a scene");
    window.app.note_found(None, version);
    window.wait("the mark to go", |window| !window.app.is_unsaved());
    assert_eq!(window.app.files.in_file, InFile::Same);
    assert!(closes(&window));
}

#[test]
fn who_opens_a_file_anew_that_came_back_otherwise_is_not_asked_of_a_scene_without_changes() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("mine.ron");
    let mut window = opened(&path, BATTLE.as_bytes());
    let version = window.app.files.version;
    std::fs::remove_file(&path).expect("it goes");
    window.app.note_found(Some(Became::Gone), version);
    window.wait("the mark", |window| window.app.dirty);
    settle(&mut window);
    std::fs::write(&path, BATTLE.replace("count: 20", "count: 21")).expect("a scene");
    window.app.note_found(Some(Became::Changed), version);
    assert!(window.app.would_be_missed());
    assert!(!window.app.would_be_missed_for(&path));
}

#[test]
fn who_leaves_a_scene_whose_file_is_gone_for_another_one_finds_it_unsaved_by_undo() {
    let folder = tempfile::tempdir().expect("a folder");
    let [path, other] = ["mine.ron", "other.ron"].map(|name| folder.path().join(name));
    std::fs::write(&other, WORLD).expect("a scene");
    let mut window = opened(&path, BATTLE.as_bytes());
    std::fs::remove_file(&path).expect("it goes");
    window.app.files.on_disk = Some(Became::Gone);
    let mut dialogs = Dialogs::default();
    dialogs.open_path(&mut window.app, other.clone());
    shown(&mut dialogs, &mut window.app);
    assert!(dialogs.are_open(), "it is asked first");
    assert!(window.app.is_in_no_file());
    window.app.open(other.clone());
    window.wait("the other scene", |window| {
        window.app.file() == Some(&*other) && !window.app.is_unsaved()
    });
    window.app.run(Command::Undo);
    window.wait("the scene before", |window| {
        window.app.file() == Some(&*path) && window.app.is_unsaved()
    });
}

#[test]
fn other_versions_of_the_file_to_which_undo_leads_are_in_no_file_either() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("mine.ron");
    let mut window = opened(&path, BATTLE.as_bytes());
    let first = window.app.session();
    window.app.open(path.clone());
    window.wait("the file again", |it| it.app.session() != first);
    std::fs::write(&path, BATTLE.replace("count: 20", "count: 21")).expect("a scene");
    window.app.keep_mine();
    await_another(&mut window);
    window.app.run(Command::Undo);
    window.wait("the version before", |it| {
        it.notice()
            .contains("Its file holds another version by now.")
    });
    settle(&mut window);
    assert!(window.app.is_unsaved());
    assert_eq!(window.app.files.in_file, InFile::Another);
}

#[test]
fn a_scene_that_has_come_meanwhile_is_not_the_one_that_was_to_be_kept_and_undo_leads_to_that() {
    let folder = tempfile::tempdir().expect("a folder");
    let [path, other] = ["mine.ron", "other.ron"].map(|name| folder.path().join(name));
    std::fs::write(&other, WORLD).expect("a scene");
    let mut window = opened(&path, BATTLE.as_bytes());
    std::fs::write(&path, BATTLE.replace("count: 20", "count: 21")).expect("a scene");
    window.app.open(other.clone());
    window.app.keep_mine();
    settle(&mut window);
    window.wait("the other scene", |window| {
        window.app.file() == Some(&*other)
    });
    settle(&mut window);
    assert!(!window.app.is_unsaved());
    assert!(matches!(window.app.files.in_file, InFile::Read(..)));
    assert!(!closes(&window), "the other one is missed");
    window.app.run(Command::Undo);
    window.wait("the scene that was kept", |window| {
        window.app.file() == Some(&*path) && window.app.is_unsaved()
    });
    await_another(&mut window);
    assert!(window.app.is_unsaved());
}

/// Goes back to the first of two scenes of which the second one, which no file has any more, was kept.
fn back_from_what_was_kept(folder: &Path) -> (Window, [PathBuf; 2]) {
    let [first, second] = ["first.ron", "second.ron"].map(|name| folder.join(name));
    std::fs::write(&second, WORLD).expect("a scene");
    let mut window = opened(&first, BATTLE.as_bytes());
    window.app.open(second.clone());
    window.wait("the second scene", |window| {
        window.app.file() == Some(&*second) && window.app.undo_names[0].is_some()
    });
    std::fs::remove_file(&second).expect("it goes");
    window.app.files.on_disk = Some(Became::Gone);
    // Nobody has closed the notice.
    window.app.run(Command::Undo);
    window.wait("the first scene", |window| {
        window.app.file() == Some(&*first) && window.app.left_work.is_some()
    });
    (window, [first, second])
}

#[test]
fn quitting_asks_of_what_undo_has_left_behind_and_leads_back_to_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let (mut window, [_, second]) = back_from_what_was_kept(folder.path());
    assert!(!window.app.is_unsaved());
    let left = window.app.left_work.clone().expect("what was left");
    assert_eq!((&*left.name, left.others), ("second.ron", 0));
    let mut dialogs = Dialogs::default();
    assert!(!dialogs.quit(&window.app));
    shown(&mut dialogs, &mut window.app);
    assert!(dialogs.are_open() && !dialogs.take_leave());
    assert!(dialogs.quit(&window.app), "asking again is an answer");
    window.app.go_to_left_work();
    window.wait("the scene that was left", |window| {
        window.app.file() == Some(&*second) && window.app.is_unsaved()
    });
    window.wait("its answer", |window| window.app.left_work.is_none());
    assert!(save(&mut window, &second));
    window.wait("the mark to go", |window| !window.app.is_unsaved());
    assert!(closes(&window));
}

#[test]
fn a_question_of_what_was_left_becomes_one_of_the_scene_whose_file_goes_meanwhile() {
    let folder = tempfile::tempdir().expect("a folder");
    let (mut window, _) = back_from_what_was_kept(folder.path());
    let mut dialogs = Dialogs::default();
    assert!(!dialogs.quit(&window.app));
    for (became, question) in [(None, "quit.cancel"), (Some(Became::Gone), "leave.cancel")] {
        window.app.files.on_disk = became;
        assert!(is_asked(&mut dialogs, &mut window, question), "{question}");
    }
}

#[test]
fn quitting_asks_of_the_other_future_where_that_has_what_no_file_has() {
    let mut window = Window::open(BATTLE);
    assert!(closes(&window));
    window.app.other_work = true;
    let mut dialogs = Dialogs::default();
    assert!(!dialogs.quit(&window.app));
    assert!(is_asked(&mut dialogs, &mut window, "other-future.cancel"));
    assert!(dialogs.quit(&window.app), "asking again is an answer");
}

#[test]
fn who_stands_before_what_the_file_has_leaves_unasked_and_is_told_what_save_would_leave_out() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("mine.ron");
    let mut window = opened(&path, BATTLE.as_bytes());
    window.app.set_mode(RunMode::Paused);
    settle(&mut window);
    for reach in [2.0, 3.0] {
        let tick = window.app.place.tick + 1;
        window.app.run(Command::Step);
        window.wait("a tick", |it| it.app.place.tick == tick);
        window.app.end_stroke();
        window.app.set_reach(reach);
        settle(&mut window);
    }
    let end = window.app.place.tick;
    assert!(window.app.is_unsaved());
    window.app.save(path.clone());
    window.wait("the mark to go", |window| !window.app.is_unsaved());
    window.app.end_stroke();
    window.app.seek(end - 1);
    settle(&mut window);
    window.wait("the tick before", |it| {
        it.app.place.tick == end - 1 && !it.app.place.is_on_way
    });
    assert!(!window.app.is_unsaved() && closes(&window));
    // Where a question comes, it says that Save is of this tick.
    let words = leaving::of_past(&window.app);
    assert!(
        words.contains(&format!("as of tick {}", end - 1)),
        "{words}"
    );
    window.app.seek(end);
    settle(&mut window);
    window.wait("the last tick", |it| {
        it.app.place.tick == end && !it.app.place.is_on_way
    });
    assert_eq!(leaving::of_past(&window.app), "");
}

#[test]
fn quitting_before_an_edit_that_no_file_has_asks_of_it_and_leads_to_it() {
    let mut window = Window::open(BATTLE);
    window.app.set_mode(RunMode::Paused);
    settle(&mut window);
    let step = |window: &mut Window| {
        let tick = window.app.place.tick + 1;
        window.app.run(Command::Step);
        window.wait("a tick", |it| it.app.place.tick == tick);
        settle(window);
    };
    let go_to = |window: &mut Window, tick: u64| {
        // No button is held since the last time.
        window.app.end_stroke();
        window.app.seek(tick);
        settle(window);
        window.wait("that tick", |it| {
            it.app.place.tick == tick && !it.app.place.is_on_way
        });
    };
    (0..2).for_each(|_| step(&mut window));
    let before = window.app.place.tick - 1;
    window.app.set_reach(2.0);
    window.wait("an edit", |window| window.app.dirty);
    step(&mut window);
    assert!(window.app.is_unsaved() && !window.app.work_ahead);
    go_to(&mut window, before);
    // The scene of this tick is as its file has it; its name bears the mark all the same, for what comes after it is in no file.
    assert!(!window.app.is_unsaved() && window.app.work_ahead);
    let is_mark = |shape: &egui::Shape| match shape {
        egui::Shape::Circle(it) => it.fill == Palette::DARK.warning && it.center.y < 40.0,
        _ => false,
    };
    assert!(window.app.bears_mark() && !window.app.dirty);
    assert!(window.drawn.iter().any(|it| is_mark(&it.shape)));
    let mut dialogs = Dialogs::default();
    assert!(!dialogs.quit(&window.app));
    assert!(is_asked(&mut dialogs, &mut window, "ahead.cancel"));
    // A tick that was on its way comes while that is asked: what lay ahead is here, and goes with the window no less.
    let end = window.app.place.end;
    go_to(&mut window, end);
    assert!(window.app.is_unsaved() && !window.app.has_work_aside());
    assert!(is_asked(&mut dialogs, &mut window, "leave.cancel"));
    assert!(!dialogs.take_leave() && dialogs.are_open());
    assert!(dialogs.quit(&window.app), "asking again is an answer");
    go_to(&mut window, before);
    // An edit here puts it aside. At the fork it lies ahead, and what was made here is in the other future.
    window.app.set_reach(3.0);
    window.wait("another future", |it| it.app.place.other_future.is_some());
    step(&mut window);
    window.app.run(Command::OtherFuture);
    window.wait("the tick of before", |it| {
        (it.app.place.tick, it.app.place.end) == (before + 1, before + 2)
    });
    settle(&mut window);
    go_to(&mut window, before);
    window.wait("the fork", |it| {
        it.app.place.tick == before && !it.app.dirty && it.app.work_ahead
    });
    assert!(!window.app.is_unsaved() && window.app.other_work);
    let mut dialogs = Dialogs::default();
    assert!(!dialogs.quit(&window.app));
    assert!(is_asked(&mut dialogs, &mut window, "ahead.cancel"));
    let end = window.app.place.end;
    go_to(&mut window, end);
    assert!(window.app.is_unsaved() && !window.app.work_ahead);
    // It is asked of the other future beside the scene, and not of that alone.
    assert!(window.app.other_work);
    assert!(is_asked(&mut dialogs, &mut window, "leave.cancel"));
    assert!(!dialogs.take_leave());
}

#[test]
fn what_may_not_be_read_any_more_is_replaced_by_nobody_who_was_not_asked() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("mine.ron");
    let mut window = opened(&path, BATTLE.as_bytes());
    window.app.files.on_disk = Some(Became::Unreadable);
    let mut dialogs = Dialogs::default();
    dialogs.save(&mut window.app, path);
    window.app.files.save_look = SaveLook::Done;
    for button in ["overwriting.replace", "overwriting.cancel"] {
        assert!(is_asked(&mut dialogs, &mut window, button), "{button}");
    }
    assert!(!is_asked(&mut dialogs, &mut window, "overwriting.reload"));
    let said = crate::app::versions::to_replace(&window.app);
    assert!(said.contains("Replace writes yours, "), "{said}");
}

#[test]
fn who_quits_behind_a_save_is_asked_once_of_what_was_left() {
    let folder = tempfile::tempdir().expect("a folder");
    let (mut window, [first, _]) = back_from_what_was_kept(folder.path());
    let mut dialogs = Dialogs::default();
    dialogs.save(&mut window.app, first);
    assert!(!dialogs.quit(&window.app) && !dialogs.are_open());
    window.app.files.save_look = SaveLook::Done;
    let mut frames = 0..4000;
    while !dialogs.are_open() {
        window.frame(&[]);
        shown(&mut dialogs, &mut window.app);
        assert!(!dialogs.take_leave(), "it leaves without a word");
        std::thread::sleep(std::time::Duration::from_millis(1));
        assert!(frames.next().is_some(), "it is never asked");
    }
    assert!(dialogs.quit(&window.app));
}

#[test]
fn a_reload_leaves_changes_behind_that_quitting_asks_of_and_nothing_where_there_were_none() {
    for is_changed in [false, true] {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("mine.ron");
        let mut window = opened(&path, BATTLE.as_bytes());
        if is_changed {
            window.app.set_reach(2.0);
            window.wait("an edit", |window| window.app.dirty);
        }
        std::fs::write(&path, BATTLE.replace("count: 20", "count: 21")).expect("a scene");
        window.app.files.on_disk = Some(Became::Changed);
        let first = window.app.session();
        window.app.reload();
        window.wait("the file again", |window| {
            window.app.session() != first && window.app.alive() == 21 && !window.app.is_unsaved()
        });
        settle(&mut window);
        assert_eq!(closes(&window), !is_changed);
    }
}

#[test]
fn quitting_asks_of_nothing_that_somebody_wanted_not_to_be_saved_before() {
    for is_given_up in [false, true] {
        let folder = tempfile::tempdir().expect("a folder");
        let [path, other] = ["mine.ron", "other.ron"].map(|name| folder.path().join(name));
        std::fs::write(&other, WORLD).expect("a scene");
        let mut window = opened(&path, BATTLE.as_bytes());
        window.app.set_reach(2.0);
        window.wait("an edit", |window| window.app.dirty);
        if is_given_up {
            window.app.worker.post(Message::GiveUp);
        }
        window.app.open(other.clone());
        window.wait("the other scene", |window| {
            window.app.file() == Some(&*other)
        });
        settle(&mut window);
        assert_eq!(closes(&window), is_given_up);
        // Whoever goes back to it and leaves it otherwise has not been asked again.
        window.app.run(Command::Undo);
        window.wait("the scene again", |window| {
            window.app.file() == Some(&*path)
        });
        window.app.run(Command::Redo);
        window.wait("the other scene again", |window| {
            window.app.file() == Some(&*other)
        });
        settle(&mut window);
        assert!(!closes(&window));
    }
}

#[test]
fn a_change_that_nobody_has_answered_is_asked_for_unless_it_is_answered_by_a_reload() {
    let folder = tempfile::tempdir().expect("a folder");
    let [path, other] = ["mine.ron", "other.ron"].map(|name| folder.path().join(name));
    std::fs::write(&other, WORLD).expect("a scene");
    let mut window = opened(&path, BATTLE.as_bytes());
    std::fs::write(&path, BATTLE.replace("count: 20", "count: 21")).expect("a scene");
    window.app.files.on_disk = Some(Became::Changed);
    assert!(!closes(&window) && window.app.is_in_no_file());
    for (opens, is_asked) in [(&other, true), (&path, false)] {
        let mut dialogs = Dialogs::default();
        dialogs.open_path(&mut window.app, opens.clone());
        assert_eq!(dialogs.are_open(), is_asked);
    }
}

#[test]
fn to_keep_what_is_here_is_no_act_behind_a_save() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("mine.ron");
    let mut window = opened(&path, BATTLE.as_bytes());
    let number = window.app.save(path);
    window.app.keep_mine();
    assert!(window.app.is_unsaved());
    let worker = &window.app.worker;
    assert!(worker.has_kept_after(number) && !worker.has_acts_after(number));
}

#[test]
fn a_recording_is_among_the_recent_ones_though_a_save_has_ended_while_it_was_opened() {
    let folder = tempfile::tempdir().expect("a folder");
    let [path, recording] = ["mine.ron", "mine.rec.ron"].map(|name| folder.path().join(name));
    let mut window = opened(&path, BATTLE.as_bytes());
    let written = window.app.worker.write_recording(&recording, None);
    written.expect("a recording");
    window.app.save(path.clone());
    window.app.open(recording.clone());
    // What has been saved is heard of before what has been opened, or behind it.
    window.wait("the recording", |window| {
        window.app.title() == "mine.rec.ron"
    });
    let recent = window.app.settings.recent.first().expect("a recent one");
    assert!(recent.ends_with("mine.rec.ron"), "{recent}");
}
