//! Programs that end without having been asked: killed, told to end, or without their display. What was not saved comes back.

use super::harness::{Display, Program, Report, with_display};
use super::{CALM, Scenes, calm_layout};
use skirmish::session::file::Recording;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

const SIZE: (u32, u32) = (1280, 800);

/// What is kept in a home, of one program.
fn kept(home: &Path) -> Option<Recording> {
    let file = kept_file(home)?;
    Some(Recording::read(&file).expect("what is kept can be read"))
}

fn kept_file(home: &Path) -> Option<PathBuf> {
    let file = home.join("config/skirmish/unsaved/1.ron");
    file.exists().then_some(file)
}

/// Opens the calm scene in a home of its own, where it lies as well.
fn open(display: &Display) -> Program<'_> {
    let home = tempfile::tempdir().expect("a temporary folder");
    let scene = home.path().join("calm.ron");
    fs::write(&scene, CALM).expect("a file");
    display.open_at(home, &scene, SIZE, &[])
}

/// Places units with a click beside the armies, and waits until they are kept.
fn work(program: &Program<'_>, layout: &Report) {
    program.click(layout.at("field", (0.5, 0.4)));
    program.until("work is kept", || {
        kept_file(program.folder.path()).is_some()
    });
}

/// No file of the folder was left behind by a write that did not end.
fn assert_tidy(home: &Path) {
    let names = fs::read_dir(home.join("config/skirmish/unsaved")).expect("the folder");
    for entry in names {
        let name = entry.expect("an entry").file_name();
        let name = name.to_string_lossy().into_owned();
        assert!(name == "1.lock" || name == "1.ron", "{name}");
    }
}

#[test]
fn work_that_was_not_saved_is_recovered_with_the_same_hash_after_a_kill() {
    with_display(|display| {
        let layout = calm_layout(display);
        let program = open(display);
        work(&program, layout);
        program.click(layout.at("field", (0.5, 0.6)));
        program.until("both edits are kept", || {
            kept(program.folder.path()).is_some_and(|kept| kept.acts.len() == 2)
        });
        // How it is looked at is kept with it, though it is no edit: twice as fast, and from nearer.
        program.key("m");
        program.key("Prior");
        program.until("the looks are kept", || {
            kept(program.folder.path()).is_some_and(|kept| {
                kept.scene.view.pace == Some(2.0) && kept.scene.camera.is_some()
            })
        });
        let (_, home) = program.signal("-KILL");
        let recording = kept(home.path()).expect("work is kept");
        assert_eq!(recording.acts.len(), 2);
        let height = recording.scene.camera.expect("it was moved").height;
        let (end, hash) = (
            recording.hashes.len() - 1,
            *recording.hashes.last().unwrap(),
        );
        let scene = home.path().join("calm.ron");
        let before = fs::read(&scene).expect("the scene");
        assert_eq!(before, CALM.as_bytes());

        // Another scene is opened now: what was left behind is offered all the same, as long as nobody has answered.
        let other = Scenes::new();
        let program = display.open_at(home, other.calm(), SIZE, &[]);
        let (ended, home) = program.signal("-TERM");
        assert!(ended.status.success(), "{}", ended.stderr);
        let asked = Report::read(&home.path().join("report.json"));
        let program = display.open_at(home, other.calm(), SIZE, &[]);
        program.click(asked.middle("recover.restore.0"));
        program.wait(Duration::from_secs(2));
        let report = program.close();
        assert_eq!(report.number("/tick") as usize, end);
        assert_eq!(report.text("/hash"), format!("{hash:016x}"));
        assert_eq!(report.text("/mode"), "paused");
        // The scene counts without the chips at the edge; a step nearer is a quarter.
        let seen = report.number("/camera/height") as f32 / height;
        assert!((1.0..1.15).contains(&seen), "{seen}");
        assert_eq!(*report.get("/dirty"), true);
        // What is saved now goes where it came from.
        assert_eq!(report.text("/scene"), scene.display().to_string());
    });
}

#[test]
fn the_other_future_is_kept_beside_the_present_one_also_where_the_program_is_killed() {
    with_display(|display| {
        let layout = calm_layout(display);
        let program = open(display);
        program.wait(Duration::from_millis(600));
        work(&program, layout);
        // Whatever the marks are, time stands before the edit then.
        for key in ["ctrl+Left", "ctrl+Left", "shift+period", "shift+period"] {
            program.key(key);
            program.wait(Duration::from_millis(200));
        }
        program.click(layout.at("field", (0.5, 0.6)));
        let edited = |home: &Path| {
            let folder = home.join("config/skirmish/unsaved");
            let both = ["1.ron", "2.ron"].map(|name| folder.join(name));
            if !both.iter().all(|file| file.exists()) {
                return None;
            }
            let both = both.map(|file| Recording::read(&file).expect("what is kept can be read"));
            Some(both.map(|it| it.acts.iter().map(|act| act.at).collect::<Vec<_>>()))
        };
        let are_kept = |both: [Vec<u64>; 2]| {
            let [here, other] = both;
            here.len() == 1 && other.len() == 1 && here[0] < other[0]
        };
        program.until("both futures are kept", || {
            edited(program.folder.path()).is_some_and(are_kept)
        });
        let (_, home) = program.signal("-KILL");
        assert!(edited(home.path()).is_some_and(are_kept));
    });
}

#[test]
fn work_on_a_scene_that_is_built_in_comes_back_as_well() {
    with_display(|display| {
        let layout = calm_layout(display);
        let home = tempfile::tempdir().expect("a temporary folder");
        let program = display.open_at(home, "open-world", SIZE, &[]);
        program.key("F2");
        work(&program, layout);
        let (_, home) = program.signal("-KILL");
        let recording = kept(home.path()).expect("work is kept");
        let end = recording.hashes.len() - 1;
        let program = display.open_at(home, "charge", SIZE, &[]);
        let (_, home) = program.signal("-TERM");
        let asked = Report::read(&home.path().join("report.json"));
        let program = display.open_at(home, "charge", SIZE, &[]);
        program.click(asked.middle("recover.restore.0"));
        program.wait(Duration::from_secs(3));
        let report = program.close();
        assert_eq!(report.number("/session_tick") as usize, end);
        assert_eq!(report.text("/name"), "Open world");
        // Its pictures are there too.
        assert!(report.count("/residents") > 0);
    });
}

#[test]
fn told_to_end_it_writes_its_report_and_keeps_what_is_unsaved() {
    with_display(|display| {
        let layout = calm_layout(display);
        for signal in ["-TERM", "-INT", "-HUP"] {
            let program = open(display);
            program.click(layout.at("field", (0.5, 0.4)));
            let (ended, home) = program.signal(signal);
            assert!(ended.status.success(), "{signal}: {}", ended.stderr);
            assert_eq!(ended.stderr, "");
            let report = Report::read(&home.path().join("report.json"));
            let recording = kept(home.path()).expect("work is kept");
            assert_eq!(recording.acts.len(), 1, "{signal}");
            assert_eq!(report.number("/tick") as usize, recording.hashes.len() - 1);
            assert_tidy(home.path());
        }
    });
}

#[test]
fn told_to_end_it_keeps_nothing_of_a_scene_of_which_nothing_was_to_be_saved() {
    with_display(|display| {
        let layout = calm_layout(display);
        let leave = |answer: Option<(f32, f32)>| {
            let program = open(display);
            program.click(layout.at("field", (0.5, 0.4)));
            program.key("ctrl+n");
            program.wait(Duration::from_secs(1));
            if let Some(at) = answer {
                program.click(at);
                program.wait(Duration::from_secs(2));
            }
            let (ended, home) = program.signal("-TERM");
            assert!(ended.status.success(), "{}", ended.stderr);
            (Report::read(&home.path().join("report.json")), home)
        };
        let (asked, _home) = leave(None);
        let (report, home) = leave(Some(asked.middle("leave.do not save")));
        assert_eq!(*report.get("/dirty"), false);
        assert!(kept_file(home.path()).is_none());
    });
}

#[test]
fn what_is_saved_or_given_up_is_not_offered_again() {
    with_display(|display| {
        let layout = calm_layout(display);
        // Saved: nothing is kept any more, a moment later.
        let program = open(display);
        work(&program, layout);
        program.key("ctrl+s");
        program.until("nothing is kept of what is saved", || {
            kept_file(program.folder.path()).is_none()
        });
        program.wait(Duration::from_secs(2));
        assert!(kept_file(program.folder.path()).is_none());
        let (_, home) = program.signal("-KILL");
        assert_tidy(home.path());
        // Given up: Ctrl+Q twice is an answer.
        let mut program = open(display);
        work(&program, layout);
        program.key("ctrl+q");
        program.key("ctrl+q");
        let (ended, home) = program.ended();
        assert!(ended.status.success(), "{}", ended.stderr);
        assert!(kept_file(home.path()).is_none());
        // Nothing was done: nothing is kept.
        let program = open(display);
        program.wait(Duration::from_secs(3));
        let (_, home) = program.signal("-KILL");
        assert!(!home.path().join("config/skirmish/unsaved").exists());
    });
}

#[test]
fn a_display_that_goes_away_is_one_line_and_unsaved_work_is_kept() {
    with_display(|shared| {
        let layout = calm_layout(shared);
        let display = Display::another();
        let home = {
            let mut program = open(&display);
            program.click(layout.at("field", (0.5, 0.4)));
            display.take_away();
            let (ended, home) = program.ended();
            assert_eq!(ended.status.code(), Some(1), "{}", ended.stderr);
            assert_eq!(ended.stderr.lines().count(), 1, "{}", ended.stderr);
            assert!(
                ended.stderr.contains("the display went away") && ended.stderr.contains("is kept"),
                "{}",
                ended.stderr
            );
            home
        };
        assert_eq!(kept(home.path()).expect("work is kept").acts.len(), 1);
    });
}

#[test]
fn a_display_without_graphics_is_one_line() {
    with_display(|_| {
        let display = Display::without_graphics();
        // The other way to OpenGL is closed too: its library cannot be loaded.
        let home = tempfile::tempdir().expect("a temporary folder");
        for name in ["libEGL.so", "libEGL.so.1"] {
            fs::write(home.path().join(name), "no library").expect("a file");
        }
        let ended = display.run_at(home.path(), &["--frames".as_ref(), "3".as_ref()]);
        assert_eq!(ended.status.code(), Some(1), "{}", ended.stderr);
        assert_eq!(ended.stderr.lines().count(), 1, "{}", ended.stderr);
        assert!(ended.stderr.contains("OpenGL"), "{}", ended.stderr);
    });
}

#[test]
fn the_only_client_of_a_display_opens_its_window() {
    with_display(|_| {
        let display = Display::that_resets();
        for _ in 0..2 {
            let ended = display.run(&["--frames".as_ref(), "3".as_ref()]);
            assert!(ended.status.success(), "{}", ended.stderr);
        }
    });
}
