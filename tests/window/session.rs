//! What happens, seen through the window: long work that is ended, edits that are taken back by name, time that is gone back,
//! recordings that play.

use super::harness::{Program, Report, with_display};
use super::{CALM, Scenes, act_on_calm, calm_layout};
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// A battle that nobody has the patience for: all pairs of a million units.
const ENDLESS: &[&str] = &["--structure", "all-pairs", "--units", "1000000"];

/// Runs `skirmish replay`, and gives what it prints and its exit code.
fn replay(recording: &Path, more: &[&str]) -> (serde_json::Value, Option<i32>, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_skirmish"))
        .arg("replay")
        .arg(recording)
        .arg("--json")
        .args(more)
        .output()
        .expect("the program runs");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let json = serde_json::from_slice(&output.stdout).unwrap_or_default();
    (json, output.status.code(), said)
}

#[test]
fn a_tick_without_end_is_cancelled_by_escape_and_the_window_answers_meanwhile() {
    with_display(|display| {
        let scenes = Scenes::new();
        let layout = display.layout(scenes.calm(), &[]);
        let program = display.open(scenes.calm(), ENDLESS);
        program.wait(Duration::from_secs(4));
        // It zooms and pans while the tick goes on.
        program.wheel(layout.middle("field"), 3);
        program.key("ctrl+b");
        program.key("ctrl+b");
        let asked = Instant::now();
        program.key("Escape");
        program.wait(Duration::from_secs(1));
        let report = program.close();
        // A single tick takes minutes: who waited for it would still be waiting.
        assert!(asked.elapsed() < Duration::from_secs(60));
        assert_eq!(report.number("/tick"), 0.0);
        assert_eq!(report.text("/mode"), "paused");
        assert!(
            report.text("/notice").contains("was cancelled"),
            "{}",
            report.text("/notice")
        );
        assert!(report.number("/camera/height") < 0.9 * layout.number("/camera/height"));
    });
}

#[test]
fn control_q_leaves_in_the_middle_of_a_tick_without_end() {
    with_display(|display| {
        let scenes = Scenes::new();
        let program = display.open(scenes.calm(), ENDLESS);
        program.wait(Duration::from_secs(4));
        let asked = Instant::now();
        let report = program.close();
        assert!(asked.elapsed() < Duration::from_secs(60));
        assert_eq!(report.number("/tick"), 0.0);
    });
}

#[test]
fn undo_says_what_it_takes_back_and_covers_structure_and_knobs() {
    with_display(|display| {
        let placed = |program: &Program, layout: &Report| program.click(layout.middle("field"));
        let (_, report) = act_on_calm(display, placed);
        assert_eq!(report.text("/undo"), "place 12 blue");
        let (before, report) = act_on_calm(display, |program, layout| {
            placed(program, layout);
            program.key("9");
            program.key("ctrl+z");
        });
        assert_eq!(report.text("/structure"), before.text("/structure"));
        assert_eq!(report.text("/undo"), "place 12 blue");
        assert_eq!(report.text("/redo"), "choose BVH");
        let (_, report) = act_on_calm(display, |program, layout| {
            placed(program, layout);
            program.key("9");
            program.key("ctrl+z");
            program.key("ctrl+z");
        });
        assert_eq!(report.number("/alive"), 80.0);
        assert_eq!(report.get("/dirty"), &serde_json::Value::Bool(false));
    });
}

#[test]
fn a_knob_is_left_to_the_structure_held_and_left_again_by_its_word() {
    with_display(|display| {
        let auto = "knob.cell_size.auto";
        let to_grid = |program: &Program| {
            program.key("3");
            program.wait(Duration::from_millis(400));
        };
        let (_, chosen) = act_on_calm(display, |program, _| to_grid(program));
        assert_eq!(chosen.text("/auto/0"), "cell_size");
        let cell = chosen.number("/knobs/cell_size");
        assert!((0.5..1_000.0).contains(&cell), "{cell}");
        // The word holds what was chosen.
        let (_, held) = act_on_calm(display, |program, _| {
            to_grid(program);
            program.click(chosen.middle(auto));
            program.wait(Duration::from_millis(400));
        });
        assert_eq!(held.get("/auto"), &serde_json::json!([]));
        assert_eq!(held.number("/knobs/cell_size"), cell);
        assert_eq!(held.text("/undo"), "set cell size");
        // The track sets another value, and the word lets go of it.
        let (_, left) = act_on_calm(display, |program, _| {
            to_grid(program);
            let track = "knob.cell_size";
            program.drag(1, &[chosen.middle(track), chosen.at(track, (0.9, 0.5))]);
            program.wait(Duration::from_millis(400));
            program.click(chosen.middle(auto));
            program.wait(Duration::from_millis(400));
        });
        assert_eq!(left.text("/auto/0"), "cell_size");
        assert_eq!(left.number("/knobs/cell_size"), cell);
    });
}

#[test]
fn undo_turns_no_time_back_and_a_restart_brings_no_erased_unit_back() {
    with_display(|display| {
        let (_, report) = act_on_calm(display, |program, layout| {
            program.click(layout.middle("field"));
            program.wait(Duration::from_millis(600));
            program.key("ctrl+z");
        });
        assert_eq!(report.number("/alive"), 80.0);
        assert!(report.number("/tick") > 20.0);
        let (_, report) = act_on_calm(display, |program, layout| {
            program.click(layout.middle("brush.erase"));
            program.click(window_of(layout, (50.0, 150.0)));
            program.key("r");
            program.wait(Duration::from_millis(300));
        });
        let left = report.number("/alive");
        assert!(left < 80.0, "{left}");
        assert_eq!(report.number("/units"), left);
    });
}

/// Where a point of the world lies in the window.
fn window_of(layout: &Report, point: (f64, f64)) -> (f32, f32) {
    super::window_at(layout, point)
}

#[test]
fn a_press_on_the_timeline_goes_back() {
    with_display(|display| {
        let (_, report) = act_on_calm(display, |program, layout| {
            program.wait(Duration::from_millis(1500));
            program.click(layout.at("timeline", (0.02, 0.5)));
            program.wait(Duration::from_millis(300));
        });
        let (tick, end) = (report.number("/session_tick"), report.number("/end"));
        assert!(end > 60.0 && tick < end / 4.0, "{tick} of {end}");
        assert_eq!(report.text("/mode"), "paused");
    });
}

#[test]
fn what_is_recorded_in_the_window_replays_there_and_without_a_window() {
    with_display(|display| {
        let scenes = Scenes::new();
        let folder = tempfile::tempdir().expect("a temporary folder");
        let recording = folder.path().join("r.ron");
        let file = recording.to_string_lossy().into_owned();
        let layout = calm_layout(display);
        let program = display.open(scenes.calm(), &["--record", &file]);
        program.click(layout.middle("field"));
        program.key("5");
        program.wait(Duration::from_millis(500));
        program.key("9");
        program.wait(Duration::from_millis(700));
        program.key("space");
        let report = program.close();
        let (replayed, code, said) = replay(&recording, &[]);
        assert_eq!(code, Some(0), "{said}");
        assert_eq!(replayed["diverged_at"], serde_json::Value::Null);
        assert_eq!(replayed["actions"], 3);
        assert_eq!(replayed["hash"], report.text("/hash"));
        // In the window, tick by tick.
        let ticks = replayed["ticks"].as_u64().expect("a number of ticks");
        assert!(ticks > 30, "{ticks}");
        let written = folder.path().join("report.json");
        let frames = ticks.to_string();
        let arguments = [recording.as_os_str(), "--frames".as_ref(), frames.as_ref()];
        let report_to = ["--report".as_ref(), written.as_os_str()];
        let ended = display.run(&[&arguments[..], &report_to[..]].concat());
        assert!(ended.status.success(), "{}", ended.stderr);
        let shown = Report::read(&written);
        assert_eq!(shown.number("/session_tick"), ticks as f64);
        assert_eq!(shown.text("/hash"), report.text("/hash"));
        assert_eq!(shown.text("/structure"), "bvh");
        // Changed by hand, it names the tick.
        let text = fs::read_to_string(&recording).expect("a recording");
        let changed = text.replacen(",12)", ",13)", 1);
        assert_ne!(changed, text);
        fs::write(&recording, changed).expect("a recording is written");
        let (replayed, code, _) = replay(&recording, &[]);
        assert_eq!(code, Some(1));
        let diverged = replayed["diverged_at"].as_u64().expect("a tick");
        assert!(diverged >= 1 && diverged < ticks, "{diverged} of {ticks}");
    });
}

#[test]
fn a_recording_that_plays_is_unsaved_by_nobody_and_no_scene_is_saved_over_it() {
    with_display(|display| {
        let scenes = Scenes::new();
        let folder = tempfile::tempdir().expect("a temporary folder");
        let recording = folder.path().join("r.ron");
        let file = recording.to_string_lossy().into_owned();
        let program = display.open(scenes.calm(), &["--record", &file]);
        program.click(calm_layout(display).middle("field"));
        program.wait(Duration::from_millis(400));
        program.close();
        let before = fs::read_to_string(&recording).expect("a recording");
        let program = display.open(&recording, &[]);
        // It takes as long as what was recorded, from the start of the window on.
        program.wait(Duration::from_millis(3000));
        program.key("ctrl+s");
        program.key("Escape");
        let report = program.close();
        assert_eq!(report.get("/dirty"), &serde_json::Value::Bool(false));
        assert_eq!(report.number("/alive"), 92.0);
        let after = fs::read_to_string(&recording).expect("a recording");
        assert_eq!(after, before);
    });
}

#[test]
fn a_recording_that_is_wrong_is_one_sentence() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("wrong.ron");
    let scene = CALM.replace("version: 1,", "");
    for (text, words) in [
        (
            format!("(version: 1, scene: {CALM}, acts: [(at: 3, act: Dance)])"),
            "there is no Dance",
        ),
        (
            format!("(version: 2, scene: {CALM})"),
            "version must be 1 (found 2)",
        ),
        (
            format!("(version: 1, scene: {scene})"),
            "field version is missing",
        ),
        (
            "(version: 1, acts: [])".to_owned(),
            "field scene is missing",
        ),
        (format!("(version: 1, scene: {CALM}"), "wrong.ron:"),
        (
            format!("(version: 1, scene: {CALM}, acts: [(at: 3, act: Structure(\"octopus\"))])"),
            "tick 3, action 1: the structure must be one of",
        ),
    ] {
        fs::write(&path, text).expect("a recording is written");
        let (_, code, said) = replay(&path, &[]);
        assert_eq!(code, Some(2), "{said}");
        assert_eq!(said.lines().count(), 1, "{said}");
        assert!(said.contains(words), "{said}");
    }
}
