//! The program copied alone into an empty folder: its window lists and opens every scene, figure and world. (Without a window:
//! `tests/built_in.rs`.)

use super::harness::{Display, Report, with_display};
use skirmish::{built_in, scene};
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use tempfile::TempDir;

/// The names of all scenes, as the list has them.
fn names() -> Vec<String> {
    let paths = built_in::scenes();
    let names = paths.iter().map(|path| built_in::shown(path));
    names
        .map(|name| name.trim_end_matches(".ron").to_owned())
        .collect()
}

/// Plays a script with the copied program, and gives its report.
fn play(display: &Display, script: &str) -> Report {
    let folder = TempDir::new().expect("a temporary folder");
    let (path, report) = (
        folder.path().join("script.ron"),
        folder.path().join("report.json"),
    );
    fs::write(&path, script).expect("a script");
    let arguments = [
        OsStr::new("--size"),
        OsStr::new("1280x800"),
        OsStr::new("--script"),
        path.as_os_str(),
        OsStr::new("--report"),
        report.as_os_str(),
    ];
    let ended = display.run_copy(&arguments);
    assert!(ended.status.success(), "{script}: {}", ended.stderr);
    Report::read(&report)
}

#[test]
fn a_window_alone_in_an_empty_folder_opens_every_scene() {
    with_display(|display| {
        for path in built_in::scenes() {
            let name = built_in::shown(&path).into_owned();
            let name = name.trim_end_matches(".ron");
            let scene = scene::file::read(&path).expect("a scene");
            // A world takes a while to load, and is drawn faster from near by; a million units take theirs.
            let (disk, frames) = match scene.world {
                Some(_) => ("Camera((0, 0), 300), Disk(50), ", 150),
                None => ("", 2),
            };
            // What cannot be opened ends the script with a sentence.
            let report = play(display, &format!("[Open({name:?}), {disk}Wait({frames})]"));
            assert_eq!(report.text("/scene"), format!("{name}.ron"));
            assert!(report.get("/notice").is_null(), "{name}: {report:?}");
            if report.text("/view") == "streaming" {
                // In some figures nothing is near at first: that is what they show.
                assert!(
                    report.count("/residents") > 0 || name.starts_with("figures/"),
                    "{name} has loaded no picture"
                );
                let failed = report.get("/states").as_array().and_then(|all| all.last());
                assert_eq!(failed.and_then(|count| count.as_u64()), Some(0), "{name}");
            }
        }
    });
}

#[test]
fn the_list_of_scenes_has_all_of_them_where_there_is_no_file() {
    with_display(|display| {
        let layout = display.layout("cross", &[]);
        let program = display.open("cross", &[]);
        program.click(layout.middle("scene"));
        let listed = program.close();
        let widgets = listed.get("/widgets").as_object().expect("the widgets");
        let rows: BTreeSet<String> = widgets
            .keys()
            .filter_map(|name| name.strip_prefix("scene."))
            .map(str::to_owned)
            .collect();
        assert_eq!(rows, names().into_iter().collect());

        let program = display.open("cross", &[]);
        program.click(layout.middle("scene"));
        program.click(listed.middle("scene.address-table"));
        program.wait(std::time::Duration::from_millis(500));
        // Saving what is built in asks for a name.
        program.key("ctrl+s");
        program.wait(std::time::Duration::from_millis(500));
        program.key("ctrl+a");
        program.type_text("mine");
        program.key("Return");
        let saved = program.folder.path().join("mine.ron");
        super::await_saved(&saved, "the scene with its ending", |_| true);
        let report = program.close();
        assert!(report.text("/scene").ends_with("/mine.ron"));
        assert!(report.text("/notice").contains("mine.ron"), "the true name");
    });
}

#[test]
fn the_examples_of_the_window_open_it() {
    with_display(|display| {
        let help = display.run(&[OsStr::new("--help")]).stdout;
        let examples = help.split("Examples:\n").nth(1).expect("examples");
        let words = examples
            .lines()
            .filter_map(|line| line.strip_prefix("  skirmish"))
            .map(|line| line.split_whitespace().collect::<Vec<_>>());
        let mut opened = 0;
        // Those of the commands are run by tests/help.rs.
        for mut words in words.filter(|words| words.first() != Some(&"compare")) {
            if !words.contains(&"--frames") {
                words.extend(["--frames", "2"]);
            }
            let words: Vec<&OsStr> = words.into_iter().map(OsStr::new).collect();
            let ended = display.run(&words);
            assert!(ended.status.success(), "{words:?}: {}", ended.stderr);
            opened += 1;
        }
        assert!(opened > 2);
    });
}

#[test]
fn the_window_carries_its_picture() {
    with_display(|display| {
        let program = display.open("cross", &[]);
        let ask = "xprop -id \"$(xdotool search --class skirmish | tail -n 1)\" _NET_WM_ICON";
        let told = std::process::Command::new("sh")
            .args(["-c", ask])
            .env("DISPLAY", display.name())
            .output()
            .expect("a shell");
        let words = String::from_utf8_lossy(&told.stdout).into_owned();
        let says_no = String::from_utf8_lossy(&told.stderr).into_owned();
        drop(program);
        if says_no.contains("xprop: not found")
            && std::env::var_os("SKIRMISH_REQUIRE_WINDOW").is_none_or(|value| value != "1")
        {
            return;
        }
        for side in [16, 32, 64] {
            let size = format!("Icon ({side} x {side})");
            assert!(words.contains(&size), "{size}: {words:.200} {says_no}");
        }
    });
}
