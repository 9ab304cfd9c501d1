//! The program as its users call it: exit codes, what goes to stdout, what goes to stderr.

use skirmish::partition::Info;
use skirmish::probe::Cancel;
use skirmish::scene::file as scene_file;
use skirmish::session::Session;
use skirmish::structure::{AnyKind, StructureKind};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn skirmish(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_skirmish"))
        .args(arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .stdin(Stdio::null())
        .output()
        .expect("the program starts")
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("the program writes UTF-8")
}

/// What a run said that went well.
#[track_caller]
fn stdout_of(arguments: &[&str]) -> String {
    let output = skirmish(arguments);
    assert_eq!(text(&output.stderr), "", "{arguments:?}");
    assert_eq!(output.status.code(), Some(0), "{arguments:?}");
    text(&output.stdout).to_owned()
}

/// Asserts that a run ends with `code`, says nothing on stdout and one line on stderr, and gives that line.
#[track_caller]
fn one_line_of(arguments: &[&str], code: i32) -> String {
    let output = skirmish(arguments);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {said}");
    assert_eq!(text(&output.stdout), "", "{arguments:?}");
    assert_eq!(said.matches('\n').count(), 1, "{arguments:?}: {said:?}");
    let line = said.trim_end();
    assert!(!line.contains('\u{1b}'), "{line:?} has no colours");
    line.strip_prefix("skirmish: ")
        .unwrap_or_else(|| panic!("{line:?} begins with the program's name"))
        .to_owned()
}

fn scratch(name: &str, contents: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, contents).unwrap();
    (folder, path)
}

const SMALL: &str =
    "// Mine.\n(version: 1, field: ((0, 0), (10, 10)), structure: (kind: \"all-pairs\"))";

#[test]
fn a_wrong_command_line_is_one_line_and_code_2() {
    for (arguments, part) in [
        (&["--unitz", "3"][..], "'--unitz'"),
        (&["--units", "-3"], "'-3'"),
        (&["--units", "many"], "whole number from 0 to 2000000"),
        (
            &["--units", "99999999999"],
            "whole number from 0 to 2000000",
        ),
        (&["--seed", "1.5"], "whole number from 0 to"),
        (&["--structure", "octagon"], "it must be one of all-pairs"),
        (&["--set", "cell_size"], "such as cell_size=12"),
        (
            &["--structure", "all-pairs", "--set", "x=1"],
            "has no knob 'x'",
        ),
        (&["--size", "wide"], "such as 1280x800"),
        (&["--screenshot", "a.png"], "--frames"),
        (&["simulate", "--ticks", "-1"], "'-1'"),
        (&["simulate", "--ticks", "1e9"], "whole number"),
        (&["simulate", "--threads", "0"], "whole number from 1"),
        (&["simulate", "a.ron", "b.ron"], "'b.ron'"),
        (&["structures", "--yaml"], "'--yaml'"),
        (&["check"], "<SCENE>"),
        (&["simulat"], "no such command"),
        (&["scenes/no such scene.ron"], "there is no such file"),
        (&["simulate", "scenes"], "it is a folder, not a scene file"),
    ] {
        let line = one_line_of(arguments, 2);
        assert!(line.contains(part), "{arguments:?}: {line}");
    }
}

#[test]
fn help_and_version_are_data() {
    assert!(stdout_of(&["--help"]).contains("Usage: skirmish"));
    assert!(stdout_of(&["help", "simulate"]).contains("--ticks"));
    let version = stdout_of(&["--version"]);
    assert_eq!(
        version.trim_end(),
        concat!("skirmish ", env!("CARGO_PKG_VERSION"))
    );
}

#[test]
fn structures_are_listed_with_their_knobs() {
    let list: serde_json::Value =
        serde_json::from_str(&stdout_of(&["structures", "--json"])).unwrap();
    let rows = list.as_array().unwrap();
    let kinds = StructureKind::ALL;
    assert_eq!(rows.len(), kinds.len());
    let plain = stdout_of(&["structures"]);
    let line = |wanted: &str| plain.lines().position(|line| line == wanted);
    let key_of = |info: &Info| {
        let begins = format!("{:<16} {}", info.key, info.name);
        plain.lines().position(|line| line.starts_with(&begins))
    };
    let (plane, space) = (line("on a plane"), line("in space"));
    assert!(plane < space && plane == Some(0));
    for kind in kinds {
        assert_eq!(key_of(kind.info()) > space, kind.is_of_space());
    }
    for (row, kind) in rows.iter().zip(kinds) {
        let info = kind.info();
        assert_eq!(row["key"], info.key);
        assert_eq!(row["name"], info.name);
        assert_eq!(row["space"], kind.is_of_space());
        assert_eq!(row["knobs"].as_array().unwrap().len(), info.knobs.len());
        assert!(plain.contains(info.key));
        for knob in info.knobs {
            assert!(plain.contains(&format!("{}=", knob.key)));
        }
    }
}

#[test]
fn stream_is_exact_and_a_recorded_path_replays_it() {
    let scene = "scenes/open-world.ron";
    let run = |more: &[&str]| stdout_of(&[&["stream", scene, "--json"], more].concat());
    let parsed = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let recording = folder.path().join("recorded.ron");
    let recording = recording.to_str().unwrap();
    let ride = ["--path", "ride", "--speed", "30", "--seconds", "20"];
    let first = run(&[&ride[..], &["--record", recording]].concat());
    assert_eq!(run(&ride), first);
    let first = parsed(&first);
    for key in [
        "objects",
        "frames",
        "needed",
        "late",
        "late_ms_p99",
        "time_to_visible_ms_p50",
        "time_to_visible_ms_p99",
        "load_tests_p50",
        "load_tests_p99",
        "unload_tests_p50",
        "unload_tests_p99",
        "brute_force_tests",
        "loaded_bytes",
        "wasted_bytes",
        "cancelled",
        "peak_resident_bytes",
    ] {
        assert!(first[key].is_number(), "{key}");
    }
    assert_eq!(first["frames"], 1_200);
    assert_eq!(first["matches_brute_force"], true);
    assert_eq!(first["failed"], 0);
    assert!(first["needed"].as_u64() > Some(10));

    let mut replayed = parsed(&run(&["--path", recording, "--speed", "30"]));
    assert_eq!(replayed["frames"], 1_200);
    replayed["path"] = first["path"].clone();
    assert_eq!(replayed, first);
    let options = ["--path", recording, "--speed", "30", "--seconds", "1"];
    let plain = stdout_of(&[&["stream", scene], &options[..]].concat());
    assert!(plain.contains(" as recorded, 1.0 s (60 frames)"), "{plain}");

    let plain = stdout_of(&["stream", scene, "--seconds", "1"]);
    assert!(plain.starts_with("Open world: 4272 objects, walk at 12 m/s for 1.0 s"));
    assert!(plain.contains("the same as by brute force in 60 frames"));
}

#[test]
fn a_path_that_cannot_be_recorded_is_refused_before_the_run_or_told_after_its_report() {
    let ride = ["stream", "scenes/open-world.ron", "--path", "ride"];
    let said = one_line_of(
        &[&ride[..], &["--seconds", "1800", "--record", "r.ron"]].concat(),
        2,
    );
    assert!(said.contains("100000 points and not 108001"), "{said}");
    let more = ["--seconds", "1", "--record", "Cargo.toml/r.ron", "--json"];
    let output = skirmish(&[&ride[..], &more].concat());
    assert_eq!(output.status.code(), Some(1));
    let report: serde_json::Value = serde_json::from_str(text(&output.stdout)).unwrap();
    assert_eq!(report["frames"], 60);
    assert!(text(&output.stderr).contains("Cargo.toml/r.ron"));
}

#[test]
fn as_many_units_as_are_asked_for_or_none() {
    let (_folder, scene) = scratch(
        "new.ron",
        r#"(version:1, field:((0,0),(9,9)), structure:(kind:"quadtree"), armies:[(side:Blue,formation:Explicit([])),(side:Orange,formation:Explicit([]))])"#,
    );
    let scene = scene.to_str().unwrap();
    for command in ["simulate", "bench", "compare"] {
        let said = one_line_of(&[command, scene, "--units", "1000"], 2);
        assert!(said.contains("--units 1000"), "{said}");
    }
    stdout_of(&["simulate", scene, "--units", "0", "--ticks", "1"]);
}

#[test]
fn stream_takes_the_disk_and_the_path_of_the_scene_unless_it_is_told_otherwise() {
    let folder = tempfile::tempdir().unwrap();
    let scene = folder.path().join("disk.ron");
    let report = |disk: &str, options: &[&str]| {
        let text = format!(
            r#"(version: 1, name: "disk", field: ((0, 0), (90, 90)), seed: 1, structure: (kind: "quadtree"),
            character: (position: (1, 1), paths: [(name: "a", points: [(1, 1)]), (name: "b", points: [(2, 2)])], follow: "b"),
            world: ({disk}objects: [Object((1, 1), (1, 1), "a.png")]))"#
        );
        std::fs::write(&scene, text).unwrap();
        let scene = scene.to_str().unwrap();
        let all = ["stream", scene, "--json", "--seconds", "0.1"];
        let report = stdout_of(&[&all[..], options].concat());
        let report: serde_json::Value = serde_json::from_str(&report).unwrap();
        let figure = |key: &str| report[key].as_f64().unwrap();
        assert!(options.contains(&"--path") || report["path"] == "b");
        (figure("mbps"), figure("latency_ms"))
    };
    let own = "disk: (mbps: 0.25, latency_ms: 3), ";
    assert_eq!(report("", &[]), (50.0, 8.0));
    assert_eq!(report(own, &[]), (0.25, 3.0));
    assert_eq!(report(own, &["--mbps", "7"]), (7.0, 3.0));
    assert_eq!(report(own, &["--latency-ms", "70"]), (0.25, 70.0));
    assert_eq!(report(own, &["--path", "a"]), (0.25, 3.0));
}

#[test]
fn stream_says_which_disk_stands_in_for_one_that_the_scene_does_not_name() {
    let folder = tempfile::tempdir().unwrap();
    let scene = folder.path().join("disk.ron");
    let report = |disk: &str, options: &[&str]| {
        let text = format!(
            r#"(version: 1, name: "disk", field: ((0, 0), (90, 90)), seed: 1, structure: (kind: "quadtree"),
            character: (position: (1, 1), paths: [(name: "a", points: [(1, 1)])]),
            world: ({disk}objects: [Object((1, 1), (1, 1), "a.png")]))"#
        );
        std::fs::write(&scene, text).unwrap();
        let all = ["stream", scene.to_str().unwrap(), "--seconds", "0.1"];
        stdout_of(&[&all[..], options].concat())
    };
    let said = |options: &[&str]| {
        let report = report("", options);
        let line = report.lines().find(|line| line.starts_with("  disk "));
        line.map(|line| line["  disk".len()..].trim().to_owned())
    };
    // The latency is the same there.
    let words = "the scene names none: read at 50 MB/s; the window begins with 0.5 MB/s";
    assert_eq!(said(&[]).as_deref(), Some(words));
    assert_eq!(said(&["--latency-ms", "3"]).as_deref(), Some(words));
    assert_eq!(said(&["--mbps", "3"]), None);
    assert_eq!(said(&["--latency-ms", "3", "--mbps", "3"]), None);
    // A scene that names one needs no word of it, and a program that reads the report gets none.
    let own = report("disk: (mbps: 0.25, latency_ms: 3), ", &[]);
    assert!(!own.contains("the scene names none"), "{own}");
    let json = report("", &["--json"]);
    assert!(serde_json::from_str::<serde_json::Value>(&json).is_ok());
}

#[test]
fn world_writes_a_world_that_streams_and_overwrites_none() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("new");
    let out = out.to_str().unwrap();
    let made = skirmish(&["world", "--objects", "300", "--out", out, "--seed", "5"]);
    assert_eq!(made.status.code(), Some(0));
    assert!(text(&made.stderr).ends_with("16 of 16 pictures\n"));
    let scene = text(&made.stdout).trim_end();
    assert!(stdout_of(&["check", scene]).contains("300 objects"));
    let report = stdout_of(&["stream", scene, "--seconds", "2", "--json"]);
    let report: serde_json::Value = serde_json::from_str(&report).unwrap();
    assert_eq!(report["objects"], 300);
    assert_eq!(report["failed"], 0);
    assert!(report["peak_resident_bytes"].as_u64() > Some(10_000));
    let line = one_line_of(&["world", "--objects", "300", "--out", out], 2);
    assert!(line.contains("the folder is not empty"), "{line}");
}

#[test]
fn check_warns_of_pictures_that_the_memory_cap_has_no_room_for() {
    let folder = tempfile::tempdir().unwrap();
    let picture = image::RgbaImage::from_pixel(600, 600, image::Rgba([9, 90, 9, 255]));
    picture.save(folder.path().join("large.png")).unwrap();
    let scene = folder.path().join("small.ron");
    let write = |cap: u64| {
        let text = format!(
            r#"(version: 1, name: "small", field: ((0.0, 0.0), (9.0, 9.0)), seed: 1, structure: (kind: "quadtree"),
            world: (budgets: (memory_cap: {cap}), objects: [Object((1.0, 1.0), (1.0, 1.0), "large.png")]))"#
        );
        std::fs::write(&scene, text).unwrap();
        skirmish(&["check", scene.to_str().unwrap()])
    };
    let warned = write(1_000_000);
    assert_eq!(warned.status.code(), Some(0));
    let line = text(&warned.stderr);
    assert!(
        line.contains("warning: ") && line.contains("large.png: a picture of 600 × 600 pixels")
    );
    assert_eq!(line.lines().count(), 1);
    assert!(text(&warned.stdout).contains("fine"));
    let fits = write(10_000_000);
    assert_eq!((fits.status.code(), text(&fits.stderr)), (Some(0), ""));
}

#[test]
fn stream_says_of_nothing_that_it_is_less_than_nothing() {
    let scene = "scenes/open-world.ron";
    let minus = ["--mbps", "-0", "--latency-ms", "-0", "--seconds", "0.1"];
    let said = stdout_of(&[&["stream", scene, "--json"], &minus[..]].concat());
    let report: serde_json::Value = serde_json::from_str(&said).unwrap();
    for key in ["mbps", "latency_ms"] {
        let value = report[key].as_f64().unwrap();
        assert!(value == 0.0 && value.is_sign_positive(), "{said}");
    }
}

#[test]
fn stream_turns_bad_input_away() {
    let scene = "scenes/open-world.ron";
    for (arguments, part) in [
        (
            &["stream", "scenes/charge.ron"][..],
            "has no world to stream",
        ),
        (
            &["stream", scene, "--path", "sail"],
            "only the paths walk, ride, loop",
        ),
        (
            &["stream", scene, "--path", "scenes/charge.ron"],
            "scenes/charge.ron:2:5: there is no field version in Path",
        ),
        (&["stream", scene, "--speed", "0"], "from 0.001 to 100000"),
        (&["stream", scene, "--mbps", "NaN"], "from 0 to 1000000"),
    ] {
        let line = one_line_of(arguments, 2);
        assert!(line.contains(part), "{arguments:?}: {line}");
    }
}

#[test]
fn simulate_prints_one_object_and_the_overrides_act() {
    let run = |more: &[&str]| -> serde_json::Value {
        let mut arguments = vec!["simulate", "--ticks", "3", "--json"];
        arguments.extend(more);
        serde_json::from_str(&stdout_of(&arguments)).unwrap()
    };
    let report = run(&["scenes/one-spot.ron", "--structure", "all-pairs"]);
    for key in [
        "scene",
        "structure",
        "ticks",
        "units",
        "hash",
        "pairs",
        "tests",
        "update_us_p50",
        "query_us_p50",
        "bytes",
    ] {
        assert!(!report[key].is_null(), "{key}");
    }
    assert_eq!(report["structure"], "all-pairs");
    assert_eq!(report["ticks"], 3);
    assert_eq!(report["units"], 500);
    let hash = report["hash"].as_str().unwrap();
    assert!(hash.len() == 16 && hash.bytes().all(|byte| byte.is_ascii_hexdigit()));
    assert_eq!(run(&["scenes/one-spot.ron"])["hash"], hash);
    assert_ne!(run(&["scenes/one-spot.ron", "--seed", "77"])["hash"], hash);
    assert_eq!(run(&["scenes/one-spot.ron", "--units", "30"])["units"], 30);
    assert_eq!(run(&["--units", "100"])["scene"], "Skirmish");
    assert!(stdout_of(&["simulate", "--units", "50", "--ticks", "2"]).contains("hash"));
}

#[test]
fn trace_prints_every_event_with_its_reason() {
    let run = |more: &[&str]| -> serde_json::Value {
        let scene = ["trace", "scenes/figures/merges.ron", "--json"];
        serde_json::from_str(&stdout_of(&[&scene[..], more].concat())).unwrap()
    };
    let report = run(&["--op", "radius 40,60,12", "--tick", "20"]);
    assert_eq!(report["scene"], "Splits before them, merges behind them");
    assert_eq!(report["structure"], "quadtree");
    assert_eq!(report["tick"], 20);
    assert_eq!(report["op"], "radius 40,60,12");
    assert_eq!(report["left_out"], 0);
    assert!(report["knobs"].is_object() && report["auto"].is_object());
    let events = report["events"].as_array().unwrap();
    let of_kind = |kind: &str| events.iter().filter(|event| event["kind"] == kind).count();
    for (kind, sum) in [
        ("visit", "visits"),
        ("prune", "prunes"),
        ("test", "tests"),
        ("hit", "hits"),
    ] {
        assert_eq!(report["counters"][sum], of_kind(kind), "{kind}");
    }
    for event in events {
        let keys: Vec<&str> = event
            .as_object()
            .unwrap()
            .keys()
            .map(String::as_str)
            .collect();
        assert_eq!(keys, ["box", "kind", "reason", "region", "units"]);
        assert!(event["reason"].as_str().unwrap().ends_with('.'));
        if event["region"].is_null() {
            assert!(event["box"].is_null() && event["units"].is_array());
        } else {
            assert_eq!(event["box"].as_array().unwrap().len(), 4);
            assert!(event["units"].is_number());
        }
    }
    let hits = report["hits"].as_array().unwrap();
    assert_eq!(hits.len(), of_kind("hit"));
    assert!(hits.is_sorted_by_key(|unit| unit.as_u64()));

    let pairs = run(&["--op", "pairs 12", "--cap", "10"]);
    assert_eq!(pairs["events"].as_array().unwrap().len(), 10);
    assert!(pairs["left_out"].as_u64() > Some(10));
    assert_eq!(pairs["hits"][0].as_array().unwrap().len(), 2);
    let set = ["--set", "capacity=4", "--op", "rebuild"];
    let built = run(&[&["--structure", "rect-quadtree"], &set[..]].concat());
    assert_eq!(built["knobs"]["capacity"], 4);
    assert_eq!(built["events"][0]["kind"], "rebuild");

    let plain = ["trace", "figures/merges", "--op", "pairs", "--cap", "10"];
    let plain = stdout_of(&plain);
    let first = "Splits before them, merges behind them, tick 0: pairs under quadtree\n 1  visit";
    assert!(plain.starts_with(first), "{plain}");
    assert!(plain.contains("events more than the 10 that are kept"));
    assert!(plain.contains("\n  hits  ") && plain.contains("\n  sums  "));
    let one = stdout_of(&["trace", "figures/merges", "--op", "pairs", "--cap", "1"]);
    assert!(
        one.contains("events more than the one that is kept (--cap N keeps more)"),
        "{one}"
    );
}

#[test]
fn trace_tells_what_a_world_decides() {
    let run = |more: &[&str]| -> serde_json::Value {
        let scene = ["trace", "figures/load-union", "--op", "decide", "--json"];
        serde_json::from_str(&stdout_of(&[&scene[..], more].concat())).unwrap()
    };
    let quiet = run(&[]);
    assert_eq!(quiet["op"], "decide");
    assert_eq!(
        (&quiet["tick"], &quiet["structure"]),
        (&0.into(), &"two-trees".into())
    );
    assert_eq!(
        (&quiet["path"], &quiet["objects"]),
        (&"walk".into(), &2.into())
    );
    // Outside of the union one comparison says it all.
    let events = quiet["events"].as_array().unwrap();
    assert_eq!(events.len(), 1);
    assert_eq!(
        (&events[0]["kind"], &events[0]["tree"]),
        (&"prune".into(), &"load".into())
    );
    assert_eq!(events[0]["units"], 2);
    assert_eq!(
        quiet["hits"],
        serde_json::json!({ "load": [], "unload": [] })
    );
    assert_eq!(run(&["--path", "walk"]), quiet);
    let all = run(&["--index", "brute-force", "--tick", "2"]);
    assert_eq!(all["structure"], "brute-force");
    assert_eq!(all["counters"]["tests"], 2);
    for event in all["events"].as_array().unwrap() {
        assert_eq!(event["kind"], "test");
        assert_eq!(event["box"].as_array().unwrap().len(), 4);
        assert_eq!(event["units"].as_array().unwrap().len(), 1);
    }
    // Twice the same, and cut where it is said to be.
    assert_eq!(run(&["--tick", "30"]), run(&["--tick", "30"]));
    let cut = run(&["--index", "brute-force", "--cap", "1"]);
    assert_eq!(
        (&cut["left_out"], cut["events"].as_array().unwrap().len()),
        (&1.into(), 1)
    );
    let plain = stdout_of(&["trace", "figures/load-union", "--op", "decide"]);
    let first = "Load rectangles A and B and their union, tick 0: decide under two-trees\n1  prune      load node";
    assert!(plain.starts_with(first), "{plain}");
    assert!(
        plain.contains("\n  load       none\n  unload     none\n"),
        "{plain}"
    );

    for (arguments, part) in [
        (
            &["figures/merges", "--op", "decide"][..],
            "has no world that streams",
        ),
        (&["--op", "decide"], "'Skirmish' has no world that streams"),
        (
            &["open-world", "--op", "decide 3"],
            "it must be 'decide', with no value behind it (found '3')",
        ),
        (
            &["open-world", "--op", "decides"],
            "'rebuild', 'decide' (found 'decides')",
        ),
        (
            &["open-world", "--op", "pairs", "--index", "dual"],
            "--index goes with --op decide",
        ),
        (
            &["open-world", "--op", "pairs", "--path", "ride"],
            "--path goes with --op decide",
        ),
        (
            &["open-world", "--op", "decide", "--path", "nowhere"],
            "there is no such file, and Open world has only the paths",
        ),
        (
            &["open-world", "--op", "decide", "--structure", "bvh"],
            "--index is the one to set",
        ),
        (
            &["open-world", "--op", "decide", "--index", "bvh"],
            "it must be one of two-trees, dual",
        ),
    ] {
        let line = one_line_of(&[&["trace"], arguments].concat(), 2);
        assert!(line.contains(part), "{arguments:?}: {line}");
    }
}

#[test]
fn trace_turns_bad_input_away() {
    let scene = "scenes/figures/merges.ron";
    let empty = "(version: 1, field: ((0, 0), (10, 10)), structure: (kind: \"quadtree\"))";
    let (_folder, empty) = scratch("empty.ron", empty);
    let empty = empty.to_str().unwrap();
    for (scene, operation, part) in [
        (scene, "find 1,2", "it must be one of 'radius x,y,r'"),
        (
            scene,
            "radius 1,2",
            "it must be 'radius x,y,r', with 3 values",
        ),
        (scene, "radius 1,2,NaN", "r must be a number from 0 to"),
        (scene, "range 1,2,-3,4", "w must be a number from 0 to"),
        (scene, "nearest 1,2,0", "k must be a whole number from 1 to"),
        (
            scene,
            "segment 0,0,1e10,0",
            "the second x must be a number from -1000000000 to",
        ),
        (
            scene,
            "move 1,inf,0",
            "x must be a number from -1000000000 to",
        ),
        (
            scene,
            "remove 300",
            "there is no unit 300; it must be one of the 300 alive",
        ),
        (scene, "pairs -1", "REACH must be a number from 0 to"),
        (empty, "nearest 1,2,3", "there is no unit on this field"),
    ] {
        let line = one_line_of(&["trace", scene, "--op", operation], 2);
        assert!(line.contains(part), "{operation}: {line}");
    }
    assert!(one_line_of(&["trace", scene], 2).contains("--op"));
    let cap = ["trace", scene, "--op", "pairs", "--cap", "0"];
    assert!(one_line_of(&cap, 2).contains("whole number from 1 to"));
    assert!(stdout_of(&["trace", empty, "--op", "insert 1,2"]).contains("sums"));
}

#[test]
fn check_names_every_bad_scene_and_every_bad_picture() {
    let fine = stdout_of(&["check", "scenes/skirmish.ron", "scenes/open-world.ron"]);
    assert_eq!(fine.lines().count(), 2);
    assert!(fine.lines().all(|line| line.contains(": fine (")));

    let text_of_bad = SMALL.replace("(10, 10)", "(NaN, 10)");
    let (_folder, bad) = scratch("bad.ron", &text_of_bad);
    let bad = bad.to_str().unwrap();
    assert_eq!(
        one_line_of(&["check", bad], 2),
        format!("{bad}:2:31: x of field must be from -1000000000 to 1000000000 (found NaN)")
    );
    let both = skirmish(&["check", bad, "scenes/skirmish.ron"]);
    assert_eq!(both.status.code(), Some(2));
    assert_eq!(text(&both.stdout).lines().count(), 1);

    let world = "world: (objects: [Object((1, 1), (1, 1), \"none.png\"), Object((1, 1), (1, 1), \"text.png\"), Object((1, 1), (1, 1), \"cut.png\")])";
    let (folder, scene) = scratch(
        "world.ron",
        &SMALL.replace("structure:", &format!("{world}, structure:")),
    );
    std::fs::write(folder.path().join("text.png"), "no picture").unwrap();
    let picture = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/assets/tree-1.png");
    let picture = std::fs::read(picture).unwrap();
    std::fs::write(folder.path().join("cut.png"), &picture[..picture.len() / 2]).unwrap();
    let output = skirmish(&["check", scene.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(text(&output.stdout), "");
    let said: Vec<&str> = text(&output.stderr).lines().collect();
    assert_eq!(said.len(), 3, "{said:?}");
    for (line, (picture, part)) in said.iter().zip([
        ("cut.png", "this is not a PNG picture that can be read"),
        ("none.png", "there is no such file"),
        ("text.png", "this is not a PNG picture that can be read"),
    ]) {
        assert!(line.contains("world.ron: "), "{line}");
        assert!(line.contains(&format!("{picture}: {part}")), "{line}");
    }
}

#[test]
fn format_rewrites_once_and_keeps_comments_from_being_lost() {
    let (_folder, path) = scratch("small.ron", SMALL);
    let path = path.to_str().unwrap();
    let listed = skirmish(&["format", "--check", path]);
    assert_eq!(listed.status.code(), Some(1));
    assert_eq!(text(&listed.stdout), format!("{path}\n"));
    assert_eq!(
        one_line_of(&["format", path], 2),
        format!("{path}:1:1: formatting would lose this comment (allow it by --drop-comments)")
    );
    assert_eq!(std::fs::read_to_string(path).unwrap(), SMALL);
    assert_eq!(
        stdout_of(&["format", "--drop-comments", path]),
        format!("{path}\n")
    );
    assert_eq!(stdout_of(&["format", path]), "");
    assert_eq!(stdout_of(&["format", "--check", path]), "");
    assert_eq!(
        std::fs::read_to_string(path).unwrap(),
        "(\n    version: 1,\n    field: ((0.0, 0.0), (10.0, 10.0)),\n    structure: (\n        kind: \"all-pairs\",\n    ),\n)\n"
    );
}

#[test]
fn format_leaves_a_read_only_file_alone_and_fails_with_1() {
    let (_folder, path) = scratch("small.ron", SMALL);
    let mut permissions = std::fs::metadata(&path).unwrap().permissions();
    permissions.set_readonly(true);
    std::fs::set_permissions(&path, permissions).unwrap();
    let name = path.to_str().unwrap();
    assert_eq!(
        one_line_of(&["format", "--drop-comments", name], 1),
        format!("{name}: not saved: it is read-only")
    );
    assert_eq!(std::fs::read_to_string(&path).unwrap(), SMALL);
}

/// The first line on stderr of a run that is ended then.
fn first_line_of(arguments: &[&str]) -> String {
    let mut child = Command::new(env!("CARGO_BIN_EXE_skirmish"))
        .args(arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut line = String::new();
    let stderr = child.stderr.take().expect("a pipe");
    let read = BufReader::new(stderr).read_line(&mut line);
    child.kill().expect("it can be ended");
    child.wait().expect("it has ended");
    read.expect("a line");
    line
}

#[test]
fn a_tick_that_takes_long_is_warned_of_before_the_first_one_and_where_there_is_none_nothing_is_said()
 {
    let many = ["--units", "200000"];
    let scene = "scenes/one-spot.ron";
    let none = stdout_of(&[&["simulate", scene, "--ticks", "0"][..], &many].concat());
    assert!(none.contains("200000 units"), "{none}");
    let lanes = ["--structures", "quadtree"];
    stdout_of(&[&["compare", scene, "--ticks", "0"][..], &lanes, &many].concat());
    let warning = "skirmish: warning: a tick finds 19,999,900,000 pairs or more and takes long: 200,000 units stand on one spot around (80, 50); spread them\n";
    for arguments in [
        [&["simulate", scene][..], &many].concat(),
        [&["compare", scene][..], &lanes, &many].concat(),
        [&["bench", scene][..], &lanes, &many].concat(),
    ] {
        assert_eq!(first_line_of(&arguments), warning, "{arguments:?}");
    }
    // A tick of few, and then many more of them from the beginning.
    let few = scene_file::read(Path::new(scene)).expect("a scene that ships");
    let mut session = Session::new(few, Path::new("")).0;
    let ticked = session.tick(&Cancel::default(), &mut ());
    ticked.expect("nobody cancels it");
    let mut recording = session.recording();
    recording.scene.scale_units(200_000);
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("recorded.ron");
    recording.write(&path).expect("it is written");
    let name = path.to_str().expect("a name");
    assert_eq!(first_line_of(&["replay", name]), warning);
}

#[test]
fn a_reader_that_stops_listening_is_no_failure() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_skirmish"))
        .args(["structures", "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(text(&output.stderr), "");
    assert_eq!(output.status.code(), Some(0));
}

#[cfg(target_os = "linux")]
#[test]
fn output_that_cannot_be_written_is_a_failed_run() {
    let full = std::fs::File::options()
        .write(true)
        .open("/dev/full")
        .unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_skirmish"))
        .arg("structures")
        .stdout(full)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(text(&output.stderr).lines().count(), 1);
}

#[cfg(not(feature = "app"))]
#[test]
fn a_build_without_a_window_says_so_in_one_line() {
    assert!(one_line_of(&[], 1).contains("this build has no window"));
    assert!(one_line_of(&["scenes/charge.ron"], 1).contains("this build has no window"));
}
