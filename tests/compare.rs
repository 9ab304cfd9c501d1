//! Several structures side by side cost what each of them costs alone, and bad input of `skirmish compare` is one sentence.
//!
//! `SKIRMISH_COMPARE=full cargo test --test compare` compares over a second of battle, all pairs everywhere among them; it
//! takes minutes.

use skirmish::measure::{compare, simulate};
use skirmish::partition::Kind;
use skirmish::scene::{AnyChoice, Scene, StructureChoice, file};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// Scenes with more units than this are not compared here.
const MOST_UNITS: u64 = 20_000;

/// So many units all pairs can bear in a test.
const ALL_PAIRS_LIMIT: u64 = 3_000;

/// Every scene that ships with at most [`MOST_UNITS`], with its file.
fn scenes() -> Vec<(PathBuf, Scene)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes");
    let mut scenes = Vec::new();
    for below in [folder.clone(), folder.join("figures")] {
        for entry in std::fs::read_dir(below).expect("the scenes ship with the program") {
            let path = entry.expect("a readable folder").path();
            if path.extension().is_some_and(|end| end == "ron") {
                let scene = file::read(&path).unwrap_or_else(|error| panic!("{error}"));
                scenes.push((path, scene));
            }
        }
    }
    scenes.retain(|(_, scene)| scene.unit_count() <= MOST_UNITS);
    scenes.sort_by(|(a, _), (b, _)| a.cmp(b));
    assert!(scenes.len() > 20);
    scenes
}

/// What a structure answered and counted: the pairs, the tests, the visits and the bytes.
type Counts = (u64, u64, u64, usize);

fn alone(scene: &Scene, choice: &AnyChoice, ticks: u64) -> (u64, Counts) {
    let mut scene = scene.clone();
    let own = std::slice::from_ref(choice);
    scene
        .set_choices(own)
        .expect("a structure of its dimension");
    let report = simulate::run(
        &scene,
        &simulate::Options { ticks, threads: 1 },
        &mut |_| {},
    );
    let counts = (
        report.pairs,
        report.tests,
        report.query.visits,
        report.bytes,
    );
    (report.hash, counts)
}

/// Asserts that `choices` side by side do what each of them does alone.
#[track_caller]
fn assert_as_alone(name: &str, scene: &Scene, choices: &[AnyChoice], ticks: u64) {
    let report =
        compare::run(scene, choices, ticks, &mut |_| {}).expect("nothing is done to be refused");
    assert_eq!(report.rows.len(), choices.len());
    assert_eq!(report.units, scene.unit_count(), "{name}");
    for (row, choice) in report.rows.iter().zip(choices) {
        let which = format!("{name} under {}", compare::label(choice));
        assert_eq!(row.difference, None, "{which}");
        let together = (row.pairs, row.tests, row.visits, row.bytes);
        assert_eq!(
            (report.hash, together),
            alone(scene, choice, ticks),
            "{which}"
        );
    }
}

#[test]
fn side_by_side_every_structure_does_what_it_does_alone() {
    let full = std::env::var("SKIRMISH_COMPARE").is_ok_and(|word| word == "full");
    for (path, scene) in scenes() {
        let units = scene.unit_count();
        // A scene's own structure comes with the scene's knobs.
        let mut own = scene.clone();
        own.set_choices(&[scene.own_choice()]).expect("its own");
        let mut choices = compare::usual(&own);
        if units > ALL_PAIRS_LIMIT && !full {
            choices.retain(|choice| !choice.kind.tests_every_pair());
        }
        let ticks = match units {
            _ if full => 60,
            0..500 => 30,
            500..5_000 => 6,
            _ => 2,
        };
        let name = path.display().to_string();
        assert_as_alone(&name, &scene, &choices, ticks);
        if full {
            println!("{name}: {} structures, {ticks} ticks", choices.len());
        }
    }
}

#[test]
fn one_structure_with_several_knobs_is_as_many_rows() {
    let mut scene = file::built_in();
    scene.scale_units(500);
    let with = |knobs: &[(&str, &str)]| {
        let mut choice = StructureChoice::new(Kind::LinkedGrid);
        for (key, value) in knobs {
            choice.set(key, value).expect("a knob of the grid");
        }
        choice.of_either()
    };
    let choices = [
        with(&[]),
        with(&[("cell_size", "2")]),
        with(&[("cell_size", "2"), ("neighbourhood", "full")]),
        with(&[]),
    ];
    assert_as_alone("built in", &scene, &choices, 40);
}

#[test]
fn a_world_around_the_battle_and_lanes_of_the_scene_change_nothing() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/open-world.ron");
    let mut scene = file::read(&path).unwrap_or_else(|error| panic!("{error}"));
    assert!(scene.world.is_some());
    scene.lanes = vec![StructureChoice::new(Kind::LinkedGrid); 3];
    let choices = [StructureChoice::new(Kind::Quadtree.into())];
    assert_as_alone("open world", &scene, &choices, 5);
    let report = compare::run(&scene, &[], 0, &mut |_| {}).expect("nothing is done to be refused");
    assert_eq!(report.rows.len(), 4);
    assert_eq!(report.rows[0].choice, scene.own_choice());
    assert_eq!(report.rows[0].query_us_p50, 0.0);
}

fn skirmish(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_skirmish"))
        .arg("compare")
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
    let seventeen = ["quadtree"; 17].join(",");
    for (arguments, part) in [
        (
            &["--structures", "quadtree,octagon"][..],
            "'octagon' is no structure; it must be one of all-pairs, battle-line",
        ),
        (
            &["--structures", ""],
            "it must be structures with commas between them, such as linked-grid",
        ),
        (
            &["--structures", "quadtree,,bvh"],
            "it must be structures with commas between them",
        ),
        (
            &["--structures", "quadtree:sides=3"],
            "in 'quadtree:sides=3' quadtree has no knob 'sides'; it has capacity",
        ),
        (
            &["--structures", "linked-grid:cell_size=0"],
            "cell_size must be auto or a number from 0.5 to 1000 (found 0)",
        ),
        (
            &["--structures", "linked-grid:cell_size=NaN"],
            "cell_size must be auto or a number from 0.5 to 1000 (found NaN)",
        ),
        (
            &["--structures", "linked-grid:cell_size=2:"],
            "a knob, '=' and a value, such as cell_size=2 (found '' in",
        ),
        (
            &["--structures", "linked-grid:neighbourhood"],
            "(found 'neighbourhood' in 'linked-grid:neighbourhood')",
        ),
        (
            &["--structures", &seventeen],
            "at most 16 structures (found 17)",
        ),
        (&["--ticks", "many"], "whole number from 0 to 1000000"),
        (&["--structure", "quadtree"], "'--structure'"),
        (&["--units", "-3"], "'-3'"),
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

#[test]
fn it_prints_one_object_or_a_table() {
    let list = "linked-grid,quadtree,linked-grid:cell_size=2:neighbourhood=full";
    let arguments = ["--structures", list, "--ticks", "20", "--units", "300"];
    let parsed = |more: &[&str]| -> serde_json::Value {
        serde_json::from_str(&stdout_of(&[&arguments[..], more].concat())).expect("JSON")
    };
    let report = parsed(&["--json"]);
    assert_eq!(report["scene"], "Skirmish");
    assert_eq!(report["ticks"], 20);
    assert_eq!(report["units"], 300);
    let rows = report["rows"].as_array().expect("rows");
    assert_eq!(rows.len(), 3);
    let mut scene = file::built_in();
    scene.scale_units(300);
    let (hash, (pairs, tests, visits, _)) =
        alone(&scene, &StructureChoice::new(Kind::LinkedGrid.into()), 20);
    assert_eq!(rows[0]["structure"], "linked-grid");
    assert_eq!(rows[0]["tests"], tests);
    assert_eq!(rows[0]["visits"], visits);
    assert_eq!(rows[1]["knobs"], serde_json::json!({}));
    assert_eq!(
        rows[2]["knobs"],
        serde_json::json!({ "cell_size": 2.0, "neighbourhood": "full" })
    );
    for row in rows {
        assert_eq!(row["hash"], format!("{hash:016x}"));
        assert_eq!(row["agrees"], true);
        assert_eq!(row["pairs"], pairs);
        for key in ["update_us_p50", "query_us_p50", "bytes"] {
            assert!(row[key].as_f64() > Some(0.0), "{key}");
        }
        assert!(row.get("difference").is_none());
    }
    let other = parsed(&["--json", "--seed", "77"]);
    assert_ne!(other["rows"][0]["hash"], rows[0]["hash"]);

    let table = stdout_of(&arguments);
    assert!(table.starts_with("Skirmish: 300 units, 20 ticks, 3 structures on one battle\n"));
    assert!(table.contains("linked-grid:cell_size=2:neighbourhood=full"));
    assert!(table.contains(&format!("hash  {hash:016x}")));
    let plain = stdout_of(&["scenes/one-spot.ron", "--ticks", "1"]);
    for kind in Kind::ALL {
        assert!(plain.contains(kind.info().key), "{plain}");
    }
}
