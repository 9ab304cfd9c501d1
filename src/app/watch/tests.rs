//! What becomes of a file, and who is told of it.

use super::*;
use std::time::Instant;

/// Waits until what stands on the disk is taken as known.
fn armed(watch: &Watch) {
    let begun = Instant::now();
    while lock(&watch.found).turn != watch.turn {
        assert!(begun.elapsed() < Duration::from_secs(60), "nobody watches");
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn until(watch: &Watch, wanted: Option<Became>) {
    let begun = Instant::now();
    while watch.found() != wanted {
        assert!(
            begun.elapsed() < Duration::from_secs(60),
            "{:?} instead of {wanted:?}",
            watch.found()
        );
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn what_becomes_of_a_file_is_told_once_and_a_touch_is_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("scene.ron");
    fs::write(&path, "one").unwrap();
    let mut watch = Watch::default();
    let (woken, wakes) = channel();
    watch.begin(Some(path.clone()), InFile::Same, move || {
        let _ = woken.send(());
    });
    armed(&watch);
    // The same again, at another time.
    fs::write(&path, "one").unwrap();
    std::thread::sleep(3 * LOOK);
    assert_eq!(watch.found(), None);
    assert!(wakes.try_recv().is_err());

    // Replaced by another program, as editors do.
    fs::write(folder.path().join("new"), "two, by another").unwrap();
    fs::rename(folder.path().join("new"), &path).unwrap();
    until(&watch, Some(Became::Changed));
    assert!(wakes.recv_timeout(Duration::from_secs(60)).is_ok());
    watch.hear();
    assert_eq!(watch.found(), None);
    // Changed again it is another change.
    fs::write(&path, "three, and longer").unwrap();
    until(&watch, Some(Became::Changed));
    watch.hear();

    // Somebody kept what was open; the file goes then.
    fs::remove_file(&path).unwrap();
    until(&watch, Some(Became::Gone));
    fs::create_dir(&path).unwrap();
    until(&watch, Some(Became::NoFile));
    fs::remove_dir(&path).unwrap();
    // As it was when it was opened.
    fs::write(&path, "one").unwrap();
    until(&watch, None);
}

#[test]
fn who_asks_for_a_look_at_once_learns_of_a_change_that_was_found_but_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("scene.ron");
    fs::write(&path, "one").unwrap();
    let mut watch = Watch::default();
    let look = |watch: &mut Watch| {
        watch.look();
        let begun = Instant::now();
        while !watch.has_looked() {
            assert!(begun.elapsed() < Duration::from_secs(60), "nobody looks");
            std::thread::sleep(Duration::from_millis(1));
        }
        watch.found()
    };
    // Where nothing is watched nobody is waited for.
    assert_eq!(look(&mut watch), None);
    watch.begin(Some(path.clone()), InFile::Same, || {});
    assert_eq!(look(&mut watch), None);
    fs::write(&path, "another").unwrap();
    assert_eq!(look(&mut watch), Some(Became::Changed));
    // Who has heard that is not told again.
    watch.hear();
    assert_eq!(look(&mut watch), None);
    // What this program writes is no change by another one.
    fs::write(&path, "by this program").unwrap();
    watch.note_written(path.clone());
    assert_eq!(look(&mut watch), None);
    watch.begin(Some(path), InFile::Same, || {});
    assert_eq!(look(&mut watch), None);
}

#[test]
fn a_thread_that_is_no_more_is_not_waited_for_and_another_one_watches_what_comes_next() {
    let (orders, inbox) = channel();
    drop(inbox);
    let mut watch = Watch {
        orders: Some(orders),
        ..Watch::default()
    };
    watch.look();
    assert!(watch.has_looked());
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("scene.ron");
    fs::write(&path, "one").unwrap();
    watch.begin(Some(path.clone()), InFile::Same, || {});
    armed(&watch);
    fs::write(&path, "two, by another").unwrap();
    until(&watch, Some(Became::Changed));
}

#[test]
fn what_was_found_behind_what_is_heard_is_told_all_the_same() {
    let mut watch = Watch::default();
    let find = |watch: &Watch| {
        let mut told = lock(&watch.found);
        told.became = Some(Became::Changed);
        told.number += 1;
    };
    find(&watch);
    assert_eq!(watch.found(), Some(Became::Changed));
    find(&watch);
    watch.hear();
    assert_eq!(watch.found(), Some(Became::Changed));
    watch.hear();
    assert_eq!(watch.found(), None);
}

#[cfg(unix)]
#[test]
fn a_device_in_its_place_is_not_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("scene.ron");
    fs::write(&path, "one").unwrap();
    let known = Stand::of(&path, None);
    for target in ["/dev/zero", "/dev/null"] {
        fs::remove_file(&path).unwrap();
        std::os::unix::fs::symlink(target, &path).unwrap();
        let now = Stand::of(&path, Some(&known));
        assert_eq!(now.differs_from(&known), Some(Became::NoFile), "{target}");
    }
}

#[cfg(unix)]
#[test]
fn who_is_about_to_save_is_told_at_once_of_a_file_that_may_not_be_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("scene.ron");
    fs::write(&path, "one").unwrap();
    let mut watcher = Watcher::default();
    watcher.begin(Some(path.clone()), InFile::Same, 1);
    fs::remove_file(&path).unwrap();
    assert_eq!(watcher.look(true), None);
    // Whoever may read everything cannot read a link to itself.
    std::os::unix::fs::symlink(&path, &path).unwrap();
    assert_eq!(watcher.look(true), Some((1, Some(Became::Unreadable))));
}

#[test]
fn a_save_begins_a_new_turn_and_takes_back_what_was_found() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("scene.ron");
    fs::write(&path, "one").unwrap();
    let mut watch = Watch::default();
    watch.begin(Some(path.clone()), InFile::Same, || {});
    armed(&watch);
    fs::write(&path, "two, by another").unwrap();
    until(&watch, Some(Became::Changed));
    watch.begin(Some(path), InFile::Same, || {});
    assert_eq!(watch.found(), None);
    armed(&watch);
    std::thread::sleep(3 * LOOK);
    assert_eq!(watch.found(), None);
    watch.begin(None, InFile::Same, || {});
    assert_eq!(watch.found(), None);
}

#[test]
fn what_another_program_writes_between_the_reading_of_a_file_and_the_first_look_is_news() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("scene.ron");
    fs::write(&path, "one").unwrap();
    let mut watcher = Watcher::default();
    let read = InFile::read(b"one");
    watcher.begin(Some(path.clone()), read, 1);
    assert_eq!(watcher.look(true), None);
    // It is the version that was read here.
    watcher.begin(Some(path.clone()), InFile::Another, 2);
    assert_eq!(watcher.look(true), Some((2, Some(Became::Changed))));
    assert!(watcher.version.is_known && !watcher.version.is_ours);
    fs::write(&path, "two").unwrap();
    watcher.begin(Some(path.clone()), read, 3);
    assert_eq!(watcher.look(true), Some((3, Some(Became::Changed))));
    assert!(!watcher.version.is_known);
    // Of a long file nobody knows more than that it is there.
    let long = vec![0; LONGEST as usize + 1];
    assert_eq!(InFile::read(&long), InFile::Same);
}

#[test]
fn who_goes_back_beyond_a_reload_and_on_again_is_told_of_no_other_program() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("scene.ron");
    fs::write(&path, "one").unwrap();
    let mut watcher = Watcher::default();
    watcher.begin(Some(path.clone()), InFile::Same, 1);
    fs::write(&path, "by another program").unwrap();
    assert_eq!(watcher.look(true), Some((1, Some(Became::Changed))));
    watcher.begin(Some(path.clone()), InFile::Same, 2);
    assert_eq!(watcher.look(true), None);
    watcher.begin(Some(path.clone()), InFile::Another, 3);
    assert_eq!(watcher.look(true), Some((3, Some(Became::Changed))));
    watcher.begin(Some(path.clone()), InFile::AsBefore, 4);
    assert_eq!(watcher.look(true), None);
    // What becomes of it while the one before the reload is here is told of the one that was read.
    watcher.begin(Some(path.clone()), InFile::Another, 5);
    fs::write(&path, "again").unwrap();
    watcher.begin(Some(path), InFile::AsBefore, 6);
    assert_eq!(watcher.look(true), Some((6, Some(Became::Changed))));
}

#[test]
fn a_version_that_was_read_or_written_here_is_no_news_to_who_goes_back_before_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("scene.ron");
    fs::write(&path, "one").unwrap();
    let mut watcher = Watcher::default();
    watcher.begin(Some(path.clone()), InFile::Same, 1);
    fs::write(&path, "by another program").unwrap();
    assert_eq!(watcher.look(true), Some((1, Some(Became::Changed))));
    let known = |watcher: &Watcher| (watcher.version.is_known, watcher.version.is_ours);
    assert_eq!(known(&watcher), (false, false));
    assert!(watcher.version.written.is_some());
    // Read, and undone: who saves over it is asked still.
    watcher.begin(Some(path.clone()), InFile::Same, 2);
    watcher.begin(Some(path.clone()), InFile::Another, 3);
    assert_eq!(watcher.look(true), Some((3, Some(Became::Changed))));
    assert_eq!(known(&watcher), (true, false));
    // Another version is news.
    fs::write(&path, "by another program again").unwrap();
    assert_eq!(watcher.look(true), Some((3, Some(Became::Changed))));
    assert_eq!(known(&watcher), (false, false));
    // What was saved here is known, and whose it is.
    fs::write(&path, "saved").unwrap();
    watcher.note_written(&path);
    watcher.begin(Some(path.clone()), InFile::Same, 4);
    watcher.begin(Some(path), InFile::Another, 5);
    assert_eq!(watcher.look(true), Some((5, Some(Became::Changed))));
    assert_eq!(known(&watcher), (true, true));
}

#[test]
fn who_keeps_what_is_here_is_not_asked_again_of_that_version_after_undo_and_redo() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("scene.ron");
    let other = folder.path().join("other.ron");
    fs::write(&path, "one").unwrap();
    fs::write(&other, "other").unwrap();
    let mut watcher = Watcher::default();
    watcher.begin(Some(other.clone()), InFile::Same, 1);
    watcher.begin(Some(path.clone()), InFile::Same, 2);
    fs::write(&path, "by another program").unwrap();
    assert_eq!(watcher.look(true), Some((2, Some(Became::Changed))));
    watcher.keep();
    // It is taken back once, and then there is nothing to tell.
    assert_eq!(watcher.look(true), Some((2, None)));
    assert_eq!(watcher.look(true), None);
    // Undo leads to another scene, and redo back.
    watcher.begin(Some(other), InFile::AsBefore, 3);
    assert_eq!(watcher.look(true), None);
    watcher.begin(Some(path.clone()), InFile::AsBefore, 4);
    assert_eq!(watcher.look(true), None);
    // Of another version one hears, and of this one no more.
    fs::write(&path, "and by a third program").unwrap();
    assert_eq!(watcher.look(true), Some((4, Some(Became::Changed))));
    fs::write(&path, "by another program").unwrap();
    assert_eq!(watcher.look(true), Some((4, None)));
    // Whoever reads it has answered otherwise: before it is written over somebody is asked.
    watcher.begin(Some(path.clone()), InFile::Same, 5);
    watcher.begin(Some(path), InFile::Another, 6);
    assert_eq!(watcher.look(true), Some((6, Some(Became::Changed))));
    assert!(watcher.version.is_known);
}

#[test]
fn what_is_kept_stays_so_for_who_watches_from_another_thread() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("scene.ron");
    fs::write(&path, "one").unwrap();
    let mut watch = Watch::default();
    watch.begin(Some(path.clone()), InFile::Same, || {});
    armed(&watch);
    fs::write(&path, "two, by another").unwrap();
    until(&watch, Some(Became::Changed));
    watch.hear();
    watch.begin(None, InFile::AsBefore, || {});
    watch.begin(Some(path.clone()), InFile::AsBefore, || {});
    armed(&watch);
    std::thread::sleep(3 * LOOK);
    assert_eq!(watch.found(), None);
    fs::write(&path, "three").unwrap();
    until(&watch, Some(Became::Changed));
    assert!(!watch.version().is_known);
}

#[test]
fn who_comes_back_to_a_scene_is_told_what_became_of_its_file_meanwhile() {
    let folder = tempfile::tempdir().unwrap();
    let (one, other) = (
        folder.path().join("one.ron"),
        folder.path().join("other.ron"),
    );
    fs::write(&one, "one").unwrap();
    fs::write(&other, "other").unwrap();
    let mut watch = Watch::default();
    for path in [&one, &other] {
        watch.begin(Some(path.clone()), InFile::Same, || {});
        armed(&watch);
    }
    fs::write(&one, "by another program").unwrap();
    watch.begin(Some(one.clone()), InFile::AsBefore, || {});
    until(&watch, Some(Became::Changed));
    // Of a scene whose file another one of this program has, nothing needs to change.
    watch.begin(Some(other.clone()), InFile::Another, || {});
    until(&watch, Some(Became::Changed));
    // What this program has written is no change by another one, wherever it is by then.
    watch.begin(Some(one.clone()), InFile::Same, || {});
    armed(&watch);
    fs::write(&one, "by this program").unwrap();
    watch.note_written(one.clone());
    watch.begin(Some(other), InFile::Same, || {});
    watch.begin(Some(one.clone()), InFile::AsBefore, || {});
    armed(&watch);
    std::thread::sleep(3 * LOOK);
    assert_eq!(watch.found(), None);
    // Read again, it is what is open.
    watch.begin(Some(one), InFile::Same, || {});
    armed(&watch);
    std::thread::sleep(3 * LOOK);
    assert_eq!(watch.found(), None);
}
