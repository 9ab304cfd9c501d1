//! The commands without a window on scenes of the third dimension: they count what `simulate` counts, and what is not for such a
//! scene is one sentence.

use serde_json::Value;
use skirmish::partition::Kind;
use skirmish::probe::Cancel;
use skirmish::scene::file;
use skirmish::session::{Action, MotionWord, Session, SideWord};
use skirmish::volume::Kind3;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// The scenes of the third dimension that ship.
const SCENES: [&str; 6] = [
    "dogfight",
    "galaxy",
    "swarm",
    "volume-lanes",
    "volume-mixed-sizes",
    "volume-one-spot",
];

const SPACE: &str = "all-pairs-3d, grid-3d, octree, morton-3d";

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

#[track_caller]
fn json_of(arguments: &[&str]) -> Value {
    let text = stdout_of(&[arguments, &["--json"]].concat());
    serde_json::from_str(&text).expect("JSON")
}

#[test]
fn compare_and_bench_count_what_simulate_counts() {
    for scene in ["dogfight", "volume-mixed-sizes"] {
        let how = [scene, "--units", "200", "--ticks", "20", "--seed", "5"];
        let compared = json_of(
            &[
                &["compare"],
                &how[..],
                &["--structures", "octree,grid-3d,morton-3d,all-pairs-3d"],
            ]
            .concat(),
        );
        let benched = json_of(&[&["bench"], &how[..], &["--warm-up", "2"]].concat());
        let (compared, benched) = (&compared["rows"], &benched["rows"]);
        assert_eq!(compared.as_array().map(Vec::len), Some(Kind3::ALL.len()));
        assert_eq!(benched.as_array().map(Vec::len), Some(Kind3::ALL.len()));
        for kind in Kind3::ALL {
            let key = kind.info().key;
            let alone = json_of(&[&["simulate"], &how[..], &["--structure", key]].concat());
            let row_of = |rows: &Value| {
                let mut rows = rows.as_array().expect("rows").iter();
                rows.find(|row| row["structure"] == key).expect(key).clone()
            };
            let (compared, benched) = (row_of(compared), row_of(benched));
            for word in ["hash", "pairs", "tests", "bytes"] {
                assert_eq!(compared[word], alone[word], "{scene}, {key}: {word}");
                assert_eq!(benched[word], alone[word], "{scene}, {key}: {word}");
            }
            for word in ["alive", "lookups", "update", "query"] {
                assert_eq!(benched[word], alone[word], "{scene}, {key}: {word}");
            }
            assert_eq!(compared["visits"], alone["query"]["visits"]);
            assert_eq!(
                (&compared["agrees"], &benched["agrees"]),
                (&true.into(), &true.into())
            );
        }
    }
}

#[test]
fn without_names_it_is_the_scene_s_lanes_or_every_structure_of_space() {
    let keys = |scene: &str| -> Vec<String> {
        let report = json_of(&["compare", scene, "--units", "60", "--ticks", "2"]);
        let rows = report["rows"].as_array().expect("rows").iter();
        rows.map(|row| row["structure"].as_str().expect("a key").to_owned())
            .collect()
    };
    assert_eq!(keys("dogfight"), ["octree", "grid-3d"]);
    assert_eq!(keys("swarm").join(", "), SPACE);
    let table = stdout_of(&["compare", "volume-lanes", "--units", "50", "--ticks", "2"]);
    assert!(table.contains("4 structures on one battle") && table.contains("morton-3d"));
    let own = json_of(&[
        "compare",
        "volume-mixed-sizes",
        "--structures",
        "octree",
        "--units",
        "9",
        "--ticks",
        "1",
    ]);
    assert_eq!(
        own["rows"][0]["knobs"],
        serde_json::json!({ "looseness": 2.0 })
    );
}

#[test]
fn bench_sets_knobs_and_prints_a_table_and_csv() {
    let how = [
        "bench",
        "swarm",
        "--units",
        "80",
        "--ticks",
        "9",
        "--warm-up",
        "1",
    ];
    let knobs = ["--structures", "octree", "--set", "capacity=2,40"];
    let arguments = [&how[..], &knobs].concat();
    let table = stdout_of(&arguments);
    assert!(table.starts_with("The swarm: 80 units, 9 ticks"), "{table}");
    assert!(table.contains("octree:capacity=2") && table.contains("octree:capacity=40"));
    let report = json_of(&arguments);
    for row in report["rows"].as_array().expect("rows") {
        for key in [
            "build_median_ms",
            "queries_median_ms",
            "touched_bytes_a_unit_and_tick",
            "bytes_a_unit",
        ] {
            assert!(row[key].as_f64() > Some(0.0), "{key}: {row}");
        }
    }
    let csv = stdout_of(&[&how[..], &["--csv"]].concat());
    assert_eq!(csv.lines().count(), 1 + Kind3::ALL.len());
    // Of all structures, those that have the knob.
    let all = json_of(&[&how[..], &["--structures", "all", "--set", "capacity=2,40"]].concat());
    let has = |kind: &&Kind3| kind.info().knob_index("capacity").is_ok();
    let with = Kind3::ALL.iter().filter(has).count();
    assert_eq!(
        all["rows"].as_array().map(Vec::len),
        Some(Kind3::ALL.len() + with)
    );
}

#[test]
fn what_is_wrong_is_one_sentence_that_says_what_is_right() {
    let plane: Vec<&str> = Kind::ALL.iter().map(|kind| kind.info().key).collect();
    let plane = plane.join(", ");
    let for_space = |key: &str| format!("{key}: it must be one of {SPACE} for this scene");
    let for_plane = |key: &str| format!("{key}: it must be one of {plane} for this scene");
    let recording = "swarm.ron";
    for (arguments, part) in [
        (
            &["compare", "swarm", "--structures", "octree,quadtree"][..],
            &*for_space("--structures quadtree"),
        ),
        (
            &["compare", "skirmish", "--structures", "octree"],
            &for_plane("--structures octree"),
        ),
        (
            &["bench", "swarm", "--structures", "bvh:leaf_size=4"],
            &for_space("--structures bvh"),
        ),
        (
            &["bench", "skirmish", "--structures", "all,grid-3d"],
            &for_plane("--structures grid-3d"),
        ),
        (
            &["bench", "swarm", "--set", "neighbourhood=full"],
            "no structure has a knob 'neighbourhood'",
        ),
        (
            &[
                "bench",
                "swarm",
                "--structures",
                "octree",
                "--set",
                "capacity=many",
            ],
            "--set capacity=many: of octree capacity must be",
        ),
        (
            &[
                "bench",
                "swarm",
                "--structures",
                "all-pairs-3d",
                "--set",
                "capacity=4",
            ],
            "all-pairs-3d has no knob 'capacity'; it has none",
        ),
        (
            &["simulate", "swarm", "--structure", "quadtree"],
            &for_space("--structure quadtree"),
        ),
        (
            &["simulate", "skirmish", "--structure", "octree"],
            &for_plane("--structure octree"),
        ),
        (
            &["simulate", "swarm", "--set", "sides=2"],
            "octree has no knob 'sides'",
        ),
        (
            &["compare", "swarm", "--structures", "octree:wings=2"],
            "in 'octree:wings=2' octree has no knob 'wings'",
        ),
        (
            &["compare", "swarm", "--units", "2000001"],
            "whole number from 0 to 2000000",
        ),
        (
            &["trace", "swarm", "--op", "decide"],
            "--op 'decide': the scene 'The swarm' has no world that streams",
        ),
        (
            &["trace", "skirmish", "--op", "sphere 1,2,3,4"],
            "--op for the scene 'Skirmish': it must be one of 'radius x,y,r'",
        ),
        (
            &["trace", "swarm", "--op", "sphere 1,2,3"],
            "it must be 'sphere x,y,z,r' (found 3 values)",
        ),
        (
            &["trace", "swarm", "--op", "pairs 1,2"],
            "it must be 'pairs' or 'pairs REACH' (found 2 values)",
        ),
        (
            &["trace", "swarm", "--op", "remove 5000"],
            "--op 'remove 5000': unit 5000 is not alive",
        ),
        (
            &[
                "trace",
                "swarm",
                "--op",
                "radius 1,2,3",
                "--structure",
                "grid-3d",
            ],
            "--op for the scene 'The swarm': in space it must be one of sphere x,y,z,r",
        ),
        (
            &["stream", "swarm"],
            "swarm: nothing streams in a scene with a volume; `skirmish simulate` counts",
        ),
        (&["replay", "scenes/swarm.ron"], recording),
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
fn an_operation_in_space_is_told_alike_under_every_structure() {
    for (operation, kinds, finds) in [
        ("sphere 240,240,120,60", &["test", "hit"][..], true),
        ("box 100,200,80,100,100,60", &["test", "hit"], true),
        ("nearest 240,240,120,12", &["test", "hit"], true),
        ("segment 0,0,0,480,480,240", &["test", "hit"], false),
        // Tests of pairs are counted by the batch.
        ("pairs 6", &[], true),
    ] {
        let told: Vec<Value> = Kind3::ALL
            .iter()
            .map(|kind| {
                let key = kind.info().key;
                json_of(&[
                    "trace",
                    "swarm",
                    "--units",
                    "600",
                    "--tick",
                    "20",
                    "--structure",
                    key,
                    "--op",
                    operation,
                ])
            })
            .collect();
        let hits = |report: &Value| {
            let mut all: Vec<String> = report["hits"]
                .as_array()
                .expect("a list")
                .iter()
                .map(Value::to_string)
                .collect();
            all.sort_unstable();
            all
        };
        assert_eq!(!hits(&told[0]).is_empty(), finds, "{operation}");
        for report in &told {
            let which = format!("{operation} under {}", report["structure"]);
            assert_eq!(hits(report), hits(&told[0]), "{which}");
            let events = report["events"].as_array().expect("a list");
            for kind in kinds {
                let count = events.iter().filter(|it| it["kind"] == **kind).count() as u64;
                assert_eq!(report["counters"][format!("{kind}s")], count, "{which}");
            }
            let boxes: Vec<_> = events
                .iter()
                .filter_map(|event| event["box"].as_array())
                .collect();
            assert!(boxes.iter().all(|it| it.len() == 6), "{which}");
            // All pairs has none.
            assert_eq!(
                boxes.is_empty(),
                report["structure"] == "all-pairs-3d",
                "{which}"
            );
        }
    }
    let words = stdout_of(&[
        "trace",
        "swarm",
        "--units",
        "600",
        "--op",
        "insert 10,20,30",
    ]);
    assert!(
        words.starts_with("The swarm, tick 0: insert 10,20,30 under octree"),
        "{words}"
    );
    assert!(
        words.contains("Unit 600 has come, at (10, 20, 30)"),
        "{words}"
    );
}

#[test]
fn scenes_check_and_format_know_the_scenes_of_space() {
    let listed = stdout_of(&["scenes"]);
    for scene in SCENES {
        assert!(
            listed.lines().any(|line| line.starts_with(scene)),
            "{scene}"
        );
        let checked = stdout_of(&["check", scene]);
        assert!(
            checked.contains(": fine (") && checked.contains(" units, 0 objects, octree)"),
            "{checked}"
        );
        let path = format!("scenes/{scene}.ron");
        assert_eq!(stdout_of(&["format", "--check", &path]), "");
    }
    let rows = json_of(&["scenes"]);
    let row = rows
        .as_array()
        .expect("rows")
        .iter()
        .find(|row| row["scene"] == "galaxy");
    let row = row.expect("the galaxy");
    assert_eq!(
        (&row["units"], &row["structure"]),
        (&100_000.into(), &"octree".into())
    );

    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("small.ron");
    let name = path.to_str().expect("a name");
    let small = "(version: 1, field: ((0, 0), (10, 10)), structure: (kind: \"octree\"), volume: (heights: (0, 5)))";
    std::fs::write(&path, small).expect("a file");
    assert_eq!(stdout_of(&["format", name]), format!("{name}\n"));
    assert_eq!(stdout_of(&["format", name]), "");
    assert!(stdout_of(&["check", name]).contains("fine (0 units, 0 objects, octree)"));
    std::fs::write(&path, small.replace("(0, 5)", "(5, 0)")).expect("a file");
    let bad = skirmish(&["check", name]);
    assert_eq!(bad.status.code(), Some(2));
    assert_eq!(text(&bad.stderr).lines().count(), 1);
    assert!(
        text(&bad.stderr).contains("small.ron:1:"),
        "{}",
        text(&bad.stderr)
    );
    // Nobody in it is nobody counted.
    std::fs::write(&path, small).expect("a file");
    let nobody = json_of(&["compare", name, "--ticks", "3"]);
    assert_eq!(nobody["units"], 0);
    assert!(stdout_of(&["bench", name, "--ticks", "8"]).contains("the scene has no units"));
}

#[test]
fn a_recording_of_a_volume_is_replayed() {
    let mut scene = file::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/swarm.ron"))
        .expect("a scene that ships");
    scene.scale_units(120);
    let (mut session, _) = Session::new(scene, Path::new(""));
    let cancel = Cancel::default();
    for action in [
        Action::Spawn3(SideWord::Orange, (240.0, 240.0, 100.0), 20.0, 15),
        Action::Motion(SideWord::Blue, MotionWord::Flee),
        Action::Structure("grid-3d".to_owned()),
        Action::Undo,
    ] {
        session
            .apply(action, false, &cancel)
            .expect("it can be done");
        for _ in 0..10 {
            session.tick(&cancel, &mut ()).expect("a tick");
        }
    }
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("recorded.ron");
    session.recording().write(&path).expect("it is written");
    let name = path.to_str().expect("a name");
    let report = json_of(&["replay", name]);
    assert_eq!(
        (&report["ticks"], &report["actions"]),
        (&40.into(), &4.into())
    );
    assert_eq!(report["hash"], format!("{:016x}", session.hash()));
    assert!(report["diverged_at"].is_null());
    assert!(stdout_of(&["replay", name, "--until", "5"]).contains("diverged at  never"));
    let wrong = std::fs::read_to_string(&path)
        .expect("its text")
        .replace("\"grid-3d\"", "\"quadtree\"");
    std::fs::write(&path, wrong).expect("a file");
    let output = skirmish(&["replay", name]);
    assert_eq!(output.status.code(), Some(2));
    let said = text(&output.stderr);
    assert_eq!(said.lines().count(), 1);
    assert!(
        said.contains(&format!(
            "tick 20, action 3: the structure must be one of {SPACE}"
        )),
        "{said}"
    );
}
