//! What becomes of a scene whose file holds another one by now, or none: what no file has is asked for.

use super::saving::{opened, save, shown};
use super::*;
use crate::app::commands::Command;
use crate::app::dialogs::Dialogs;
use crate::app::watch::{Became, InFile};

/// Whether the window would close without a word.
fn closes(window: &Window) -> bool {
    Dialogs::default().quit(&window.app)
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
    settle(&mut window);
    assert!(!window.app.is_unsaved() && closes(&window));
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
        assert!(!closes(&window), "{became:?} is said");
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
    settle(&mut window);
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
fn a_scene_that_has_come_meanwhile_is_not_the_one_that_was_to_be_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let [path, other] = ["mine.ron", "other.ron"].map(|name| folder.path().join(name));
    std::fs::write(&other, WORLD).expect("a scene");
    let mut window = opened(&path, BATTLE.as_bytes());
    window.app.open(other.clone());
    window.app.keep_mine();
    settle(&mut window);
    window.wait("the other scene", |window| {
        window.app.file() == Some(&*other)
    });
    settle(&mut window);
    assert!(!window.app.is_unsaved());
    assert_eq!(window.app.files.in_file, InFile::Same);
}

#[test]
fn a_recording_is_among_the_recent_ones_though_a_save_has_ended_while_it_was_opened() {
    let folder = tempfile::tempdir().expect("a folder");
    let [path, recording] = ["mine.ron", "mine.rec.ron"].map(|name| folder.path().join(name));
    let mut window = opened(&path, BATTLE.as_bytes());
    let written = window.app.worker.write_recording(&recording);
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
