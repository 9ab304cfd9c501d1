//! `skirmish bench`: it counts what `simulate` counts, what it prints can be read by a program, and bad input is one sentence.
//!
//! `SKIRMISH_BENCH=full cargo test --release --test bench` also runs it over every scene that ships, at its defaults.

use serde_json::Value;
use skirmish::measure::bench::{self, Options};
use skirmish::measure::questions::Asked;
use skirmish::measure::{compare, simulate};
use skirmish::partition::Kind;
use skirmish::scene::{AnyChoice, Scene, StructureChoice, file};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// More time than a test will ever take, so that nothing is left out.
const ENOUGH: f64 = 3_600.0;

fn options(ticks: u64) -> Options {
    Options {
        ticks,
        warm_up: Options::usual_warm_up(ticks),
        threads: 1,
        seconds: ENOUGH,
        asked: Asked::default(),
    }
}

fn scene(name: &str, units: u32) -> Scene {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
    let mut scene = file::read(&path).unwrap_or_else(|error| panic!("{error}"));
    if units > 0 {
        scene.scale_units(units);
    }
    scene
}

/// What `simulate` says of the scene under a structure, without the times and without how it was asked.
fn simulated(scene: &Scene, choice: &AnyChoice, ticks: u64, threads: usize) -> Value {
    let mut scene = scene.clone();
    let own = std::slice::from_ref(choice);
    scene
        .set_choices(own)
        .expect("a structure of its dimension");
    let report = simulate::run(&scene, &simulate::Options { ticks, threads }, &mut |_| {});
    let mut report = report.to_json();
    let object = report.as_object_mut().expect("an object");
    object.retain(|key, _| {
        !key.contains("_us")
            && !["scene", "structure", "ticks", "threads", "units"].contains(&&**key)
    });
    report
}

/// Asserts that every row has counted what `simulate` counts, and was timed.
#[track_caller]
fn assert_as_simulated(name: &str, scene: &Scene, choices: &[AnyChoice], options: &Options) {
    let report = bench::run(scene, choices, options, &mut |_| {}, &mut |_| {});
    assert_eq!(report.units, scene.unit_count(), "{name}");
    assert!(report.agrees(), "{name}");
    let rows = report.to_json()["rows"].clone();
    let rows = rows.as_array().expect("rows");
    assert_eq!(rows.len(), choices.len(), "{name}");
    for (row, choice) in rows.iter().zip(choices) {
        let which = format!("{name} under {}: {row}", compare::label(choice));
        assert!(row["skipped"].is_null(), "{which}");
        let expected = simulated(scene, choice, options.ticks, options.threads);
        for (key, value) in expected.as_object().expect("an object") {
            assert_eq!(row[key], *value, "{key} of {which}");
        }
        assert!(row["timed_ticks"].as_u64() > Some(0), "{which}");
    }
}

fn all(scene: &Scene) -> Vec<AnyChoice> {
    let all = scene.structure_kind().siblings().into_iter();
    all.map(StructureChoice::new).collect()
}

#[test]
fn every_structure_counts_what_simulate_counts() {
    for (name, units, ticks) in [
        ("scenes/skirmish.ron", 300, 70),
        ("scenes/mixed-sizes.ron", 200, 30),
        ("scenes/one-spot.ron", 60, 30),
        ("scenes/figures/double-attack.ron", 0, 5),
        ("scenes/open-world.ron", 100, 5),
        ("scenes/swarm.ron", 400, 20),
        ("scenes/dogfight.ron", 200, 40),
        ("scenes/volume-mixed-sizes.ron", 150, 20),
        ("scenes/volume-one-spot.ron", 60, 30),
    ] {
        let scene = scene(name, units);
        assert_as_simulated(name, &scene, &all(&scene), &options(ticks));
    }
}

#[test]
fn knobs_and_threads_count_what_simulate_counts() {
    let mut choices = Vec::new();
    for (kind, knob, values) in [
        (Kind::LinkedGrid, "cell_size", &["1", "4", "30"][..]),
        (Kind::LinkedGrid, "neighbourhood", &["full"]),
        (Kind::Quadtree, "capacity", &["1", "128"]),
        (Kind::Bvh, "update", &["rebuild"]),
    ] {
        for value in values {
            let mut choice = StructureChoice::new(kind);
            choice.set(knob, value).expect("a knob");
            choices.push(choice.of_either());
        }
    }
    let scene = scene("scenes/skirmish.ron", 200);
    for threads in [1, 3] {
        let options = Options {
            threads,
            ..options(12)
        };
        assert_as_simulated("knobs", &scene, &choices, &options);
    }
}

#[test]
fn a_scene_without_units_costs_nothing_and_says_so() {
    let mut scene = scene("scenes/skirmish.ron", 0);
    scene.armies.clear();
    let report = bench::run(&scene, &all(&scene), &options(8), &mut |_| {}, &mut |_| {});
    assert_eq!((report.units, report.agrees()), (0, true));
    assert!(report.to_string().contains("the scene has no units"));
    for row in report.to_json()["rows"].as_array().expect("rows") {
        assert_eq!(row["tests"], 0);
        assert_eq!(
            (&row["rectangle_us"], &row["nearest_found"]),
            (&0.0.into(), &0.0.into())
        );
    }
}

#[test]
fn single_questions_are_asked_of_every_structure_and_counted_the_same_whatever_the_time() {
    for (name, units, words) in [
        ("scenes/skirmish.ron", 300, "a square of 5 m ("),
        ("scenes/dogfight.ron", 200, "a cube of 5 m ("),
    ] {
        let scene = scene(name, units);
        let asked = Asked {
            rectangle: Some(5.0),
            height: None,
            nearest: 3,
        };
        let counted = |seconds, ticks| {
            let options = Options {
                seconds,
                asked,
                ..options(ticks)
            };
            let report = bench::run(&scene, &all(&scene), &options, &mut |_| {}, &mut |_| {});
            assert!(report.agrees(), "{name}");
            let told = report.to_string();
            assert!(
                told.contains(words) && told.contains("the 3 nearest"),
                "{told}"
            );
            let json = report.to_json();
            assert_eq!(
                (&json["rectangle_m"], &json["nearest_k"]),
                (&5.0.into(), &3.into())
            );
            assert_eq!(json["rectangle_height_m"], 5.0);
            let rows = json["rows"].as_array().expect("rows").clone();
            let keys = ["tests", "visits", "found"];
            let figures = |row: &Value| {
                let of = |question: &str| keys.map(|key| row[format!("{question}_{key}")].clone());
                [of("rectangle"), of("nearest")]
            };
            rows.iter().map(figures).collect::<Vec<_>>()
        };
        let rows = counted(ENOUGH, 8);
        assert_eq!(rows, counted(ENOUGH / 2.0, 3), "{name}");
        for [rectangle, nearest] in &rows {
            assert_eq!(nearest[2], 3.0, "{name}: as many as were asked for");
            assert_eq!(rectangle[2], rows[0][0][2], "{name}: all find the same");
        }
    }
}

#[test]
fn whoever_answers_a_question_otherwise_is_named() {
    let scene = scene("scenes/skirmish.ron", 100);
    let mut report = bench::run(
        &scene,
        &all(&scene)[..2],
        &options(2),
        &mut |_| {},
        &mut |_| {},
    );
    assert!(report.agrees());
    let cost = report.rows[1].outcome.as_mut().expect("it was measured");
    cost.wrong_answer = Some("the 8 nearest to unit 7".to_owned());
    assert!(!report.agrees());
    let told = report.to_string();
    assert!(
        told.contains("\n  battle-line differs: it answers the 8 nearest to unit 7 otherwise\n"),
        "{told}"
    );
    let json = report.to_json();
    assert_eq!(json["rows"][0]["agrees"], true);
    assert_eq!(json["rows"][1]["agrees"], false);
    assert_eq!(json["rows"][1]["wrong_answer"], "the 8 nearest to unit 7");
    assert!(report.to_csv().contains("the 8 nearest to unit 7"));
}

#[test]
fn what_does_not_fit_into_the_time_is_left_out_and_says_why() {
    let scene = scene("scenes/skirmish.ron", 2_000);
    let grid = StructureChoice::new(Kind::SortedGrid);
    let slow = StructureChoice::new(Kind::AllPairs);
    let many = Options {
        ticks: 1_000_000,
        seconds: 0.5,
        ..options(8)
    };
    let mut stages = Vec::new();
    let report = bench::run(
        &scene,
        &[slow, grid].map(StructureChoice::of_either),
        &many,
        &mut |_| {},
        &mut |progress| {
            stages.push(progress.stage.to_owned());
        },
    );
    assert_eq!(report.measured().count(), 0);
    assert!(stages.contains(&"trying".to_owned()));
    assert!(report.to_string().ends_with("nothing was measured"));
    for row in report.to_json()["rows"].as_array().expect("rows") {
        let reason = row["skipped"].as_str().expect("a reason");
        assert!(reason.contains("s"), "{reason}");
        assert!(row.get("tests").is_none());
    }
}

fn skirmish(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_skirmish"))
        .arg("bench")
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

#[test]
fn bad_input_is_one_sentence_and_code_2() {
    let many = format!("cell_size={}", ["2"; 1_001].join(","));
    for (arguments, part) in [
        (
            &["--ticks", "0"][..],
            "it must be a whole number from 1 to 1000000",
        ),
        (&["--ticks", "many"], "whole number from 1"),
        (
            &["--ticks", "5", "--warm-up", "5"],
            "--warm-up 5: it must be less than the 5 of --ticks",
        ),
        (&["--threads", "0"], "whole number from 1 to 64"),
        (&["--units", "100,many"], "a whole number from 0"),
        (&["--units", ""], "a whole number from 0"),
        (&["--seconds", "0"], "a number from 0.1 to 86400"),
        (&["--rectangle", "0"], "a number from 0.001 to 1000000000"),
        (&["--rectangle", "-3"], "a number from 0.001 to 1000000000"),
        (&["--rectangle", "nan"], "a number from 0.001 to 1000000000"),
        (
            &["--rectangle", "1e10"],
            "a number from 0.001 to 1000000000",
        ),
        (&["--rectangle", "inf"], "a number from 0.001 to 1000000000"),
        (
            &["--rectangle", "wide"],
            "a number from 0.001 to 1000000000",
        ),
        (
            &["--rectangle-height", "0"],
            "a number from 0.001 to 1000000000",
        ),
        (&["--nearest", "0"], "a whole number from 1 to 4096"),
        (&["--nearest", "-1"], "a whole number from 1 to 4096"),
        (&["--nearest", "4097"], "a whole number from 1 to 4096"),
        (&["--nearest", "2.5"], "a whole number from 1 to 4096"),
        (
            &["--structures", "quadtree,octagon"],
            "'octagon' is no structure; it must be one of all-pairs",
        ),
        (
            &["--structure", ""],
            "it must be structures with commas between them",
        ),
        (
            &["--set", "cell_size"],
            "it must be a knob, '=' and values with commas between them, such as cell_size=1,2,4",
        ),
        (&["--set", "cell_size=1,,2"], "such as cell_size=1,2,4"),
        (
            &["--set", "sides=3"],
            "--set sides=3: no structure has a knob 'sides'",
        ),
        (
            &["--structures", "all-pairs", "--knob", "cell_size=2"],
            "--set cell_size=2: all-pairs has no knob 'cell_size'; it has none",
        ),
        (
            &["--structures", "linked-grid", "--set", "cell_size=1,many"],
            "--set cell_size=1,many: of linked-grid cell_size must be auto or a number from 0.5 to 1000 (found many)",
        ),
        (
            &[
                "--structures",
                "linked-grid,quadtree",
                "--set",
                "neighbourhood=full",
            ],
            "--set neighbourhood=full: quadtree has no knob 'neighbourhood'; it has capacity",
        ),
        (
            &["--structures", "linked-grid", "--set", &many],
            "makes more than 1000 rows",
        ),
        (&["--json", "--csv"], "cannot be used with"),
        (&["scenes/no such scene.ron"], "there is no such file"),
        (&["a.ron", "b.ron"], "'b.ron'"),
    ] {
        let output = skirmish(arguments);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert_eq!(text(&output.stdout), "", "{arguments:?}");
        assert_eq!(said.matches('\n').count(), 1, "{arguments:?}: {said:?}");
        assert!(said.starts_with("skirmish: "), "{said}");
        assert!(said.contains(part), "{arguments:?}: {said}");
    }
}

/// The cells of a line of CSV, quotes taken away.
fn cells(line: &str) -> Vec<String> {
    let mut cells = vec![String::new()];
    let (mut is_quoted, mut chars) = (false, line.chars().peekable());
    while let Some(c) = chars.next() {
        match c {
            '"' if is_quoted && chars.peek() == Some(&'"') => {
                chars.next();
                cells.last_mut().expect("a cell").push('"');
            }
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => cells.push(String::new()),
            c => cells.last_mut().expect("a cell").push(c),
        }
    }
    assert!(!is_quoted, "{line}");
    cells
}

#[test]
fn it_prints_a_table_one_object_or_csv() {
    let grid = ["--structures", "linked-grid", "--knob", "cell_size=2,4"];
    let both = ["--units", "300", "--ticks", "25", "--warm-up", "5"];
    let arguments = [&grid[..], &["--set", "neighbourhood=half,full"], &both].concat();
    let table = stdout_of(&arguments);
    assert!(
        table.starts_with(
            "Skirmish: 300 units, 25 ticks of which the first 5 are not timed, on 1 thread\n"
        ),
        "{table}"
    );
    assert!(table.contains("linked-grid:cell_size=4:neighbourhood=full"));
    assert!(table.contains("  update ms  update p99  queries ms  queries p99  "));
    let last = table.lines().last().unwrap_or_default();
    assert!(last.starts_with("  quickest: "), "{table}");
    // Whoever it names first has the least, of which two may be the same when they are rounded.
    let best = table.lines().filter(|line| line.contains("  1.00  "));
    let best: Vec<&str> = best
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    let first = last.trim_start().trim_start_matches("quickest: ");
    let first = first.split([' ', ';']).next().unwrap_or_default();
    assert!(
        best.contains(&first) || last.contains("none, all are about as quick"),
        "{table}"
    );

    let report: Value =
        serde_json::from_str(&stdout_of(&[&arguments[..], &["--json"]].concat())).expect("JSON");
    assert_eq!(report["scene"], "Skirmish");
    assert_eq!(
        (&report["units"], &report["ticks"]),
        (&300.into(), &25.into())
    );
    assert_eq!(report["warm_up_ticks"], 5);
    assert!(report["memcpy"][0]["gb_per_s"].as_f64() > Some(0.0));
    let rows = report["rows"].as_array().expect("rows");
    assert_eq!(rows.len(), 4);
    for row in rows {
        for key in [
            "build_median_ms",
            "update_median_ms",
            "update_p99_ms",
            "update_least_ms",
            "queries_median_ms",
            "pairs_median_ms",
            "lookups_p99_ms",
            "step_least_ms",
            "rectangle_us",
            "rectangle_found",
            "nearest_us",
            "nearest_tests",
            "bytes_a_unit",
            "touched_bytes_a_unit_and_tick",
            "memcpy_share",
        ] {
            assert!(row[key].as_f64() > Some(0.0), "{key}: {row}");
        }
        assert_eq!(row["agrees"], true);
        // Every knob with the value that was in use, whether it was set, chosen or the default.
        let in_use = row["in_use"].as_object().expect("knobs");
        for knob in Kind::LinkedGrid.info().knobs {
            let value = &in_use[knob.key];
            let own = [&row["knobs"][knob.key], &row["auto"][knob.key]];
            let is_as_told = |own: &&Value| own.is_null() || **own == "auto" || *own == value;
            let is_own = own.iter().all(is_as_told);
            assert!(*value != "auto" && is_own, "{}: {row}", knob.key);
        }
        assert_eq!(in_use.len(), Kind::LinkedGrid.info().knobs.len());
        assert!(row["wrong_answer"].is_null());
        let parts = row["memory_bytes"].as_object().expect("parts");
        let sum: u64 = parts.values().filter_map(Value::as_u64).sum();
        assert_eq!(row["bytes"], sum);
        assert!(table.contains(row["hash"].as_str().expect("a hash")));
    }

    let csv = stdout_of(&[&arguments[..], &["--csv"]].concat());
    let lines: Vec<&str> = csv
        .strip_suffix("\r\n")
        .expect("an end")
        .split("\r\n")
        .collect();
    assert_eq!(lines.len(), 5);
    let headings = cells(lines[0]);
    for (line, row) in lines[1..].iter().zip(rows) {
        let cells = cells(line);
        assert_eq!(cells.len(), headings.len());
        let cell = |heading: &str| {
            let place = headings.iter().position(|found| found == heading);
            cells[place.unwrap_or_else(|| panic!("no {heading}"))].as_str()
        };
        assert_eq!(cell("scene"), "Skirmish");
        assert_eq!(cell("structure"), "linked-grid");
        assert!(cell("knobs").starts_with("cell_size="));
        assert_eq!(cell("skipped"), "");
        assert_eq!(cell("tests"), row["tests"].to_string());
        assert_eq!(cell("query_visits"), row["query"]["visits"].to_string());
        assert_eq!(cell("alive_blue"), row["alive"]["blue"].to_string());
        assert_eq!(cell("update_swaps"), "0");
        assert!(cell("update_median_ms").parse::<f64>().is_ok());
        assert!(cell("rectangle_us").parse::<f64>().is_ok());
        assert_eq!(cell("nearest_tests"), row["nearest_tests"].to_string());
        assert_eq!(cell("nearest_k"), "8");
        assert_eq!(cell("rectangle_height_m"), cell("rectangle_m"), "a square");
    }
}

#[test]
fn several_numbers_of_units_are_measured_one_after_the_other_and_written_into_a_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let into = |name: &str| {
        folder
            .path()
            .join(name)
            .to_str()
            .expect("a name")
            .to_owned()
    };
    let both = ["--units", "200,300", "--ticks", "6", "--structures", "bvh"];
    let written = |form: &str, name: &str| {
        let file = into(name);
        let arguments = [&both[..], &[form, "--out", &file]].concat();
        assert_eq!(stdout_of(&arguments), "", "all of it is in the file");
        std::fs::read_to_string(file).expect("it was written")
    };
    let list: Value = serde_json::from_str(&written("--json", "bench.json")).expect("JSON");
    let units: Vec<_> = list.as_array().expect("a list").iter().collect();
    assert_eq!(units.len(), 2);
    assert_eq!(
        (&units[0]["units"], &units[1]["units"]),
        (&200.into(), &300.into())
    );
    let csv = written("--csv", "bench.csv");
    let lines: Vec<&str> = csv.split_terminator("\r\n").collect();
    assert_eq!(lines.len(), 3, "one line of headings");
    assert_eq!(cells(lines[0])[1], "units");
    assert_eq!((&*cells(lines[1])[1], &*cells(lines[2])[1]), ("200", "300"));
    let table = stdout_of(&both);
    assert!(
        table.contains("300 units, 6 ticks") && table.contains("\n\nSkirmish: 300"),
        "{table}"
    );

    let nowhere = into("no such folder/bench.json");
    let output = skirmish(&[&both[..], &["--out", &nowhere]].concat());
    assert_eq!(output.status.code(), Some(1));
    let said = text(&output.stderr);
    assert!(
        said.contains("bench.json: not saved, and printed instead: "),
        "{said}"
    );
    assert!(
        text(&output.stdout).contains("300 units"),
        "nothing is lost"
    );
    assert_eq!(said.matches('\n').count(), 1, "{said:?}");
}

#[test]
fn a_value_that_one_structure_does_not_take_is_left_out_of_it_alone_in_one_line() {
    let output = skirmish(&[
        "--structures",
        "kd-tree,bvh",
        "--set",
        "leaf_size=32,48",
        "--units",
        "100,200",
        "--ticks",
        "6",
        "--csv",
    ]);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(
        text(&output.stderr),
        "skirmish: --set leaf_size=32,48: left out of bvh, whose leaf_size must be a whole number from 1 to 32: 48\n",
        "once, of however many crowds"
    );
    let lines = text(&output.stdout).matches("\r\n").count();
    assert_eq!(lines, 1 + 2 * 3);
}

#[test]
fn csv_of_what_was_left_out_has_as_many_cells() {
    let output = skirmish(&[
        "--ticks",
        "1000000",
        "--seconds",
        "0.3",
        "--csv",
        "--structures",
        "all",
    ]);
    assert_eq!(output.status.code(), Some(1));
    let said = text(&output.stderr);
    assert!(
        said.starts_with("skirmish: nothing was measured in 0.3"),
        "{said}"
    );
    let csv = text(&output.stdout);
    let lines: Vec<&str> = csv
        .strip_suffix("\r\n")
        .expect("an end")
        .split("\r\n")
        .collect();
    assert_eq!(lines.len(), 1 + Kind::ALL.len());
    let count = cells(lines[0]).len();
    assert!(lines.iter().all(|line| cells(line).len() == count));
}

#[test]
fn every_scene_that_ships_is_done_within_a_minute() {
    if !std::env::var("SKIRMISH_BENCH").is_ok_and(|word| word == "full") {
        println!("only with SKIRMISH_BENCH=full, and in a release build");
        return;
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes");
    for below in [folder.clone(), folder.join("figures")] {
        for entry in std::fs::read_dir(below).expect("the scenes ship with the program") {
            let path = entry.expect("a readable folder").path();
            if path.extension().is_none_or(|end| end != "ron") {
                continue;
            }
            let begun = Instant::now();
            let output = skirmish(&[path.to_str().expect("a name"), "--json"]);
            let took = begun.elapsed();
            assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
            let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
            let rows = report["rows"].as_array().expect("rows");
            let done = rows.iter().filter(|row| row["skipped"].is_null());
            println!(
                "{:5.1} s, {} of {} structures: {}",
                took.as_secs_f64(),
                done.count(),
                rows.len(),
                path.display()
            );
            assert!(took < Duration::from_secs(60), "{}", path.display());
        }
    }
}
