//! Every scene that ships is the same battle under every structure and on any number of threads.

use skirmish::battle::Battle;
use skirmish::measure::simulate::{self, Options};
use skirmish::partition::Kind;
use skirmish::scene::{Scene, StructureChoice, file};
use std::path::{Path, PathBuf};

/// So many units all pairs can bear in a test.
const ALL_PAIRS_LIMIT: u64 = 25_000;

/// Every scene on a plane below `scenes/`, with its file.
fn scenes() -> Vec<(PathBuf, Scene)> {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes")];
    let mut paths = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("the scenes ship with the program") {
            let path = entry.expect("a readable folder").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|end| end == "ron") {
                paths.push(path);
            }
        }
    }
    paths.sort();
    assert!(!paths.is_empty());
    let read = |path: PathBuf| {
        let scene = file::read(&path).unwrap_or_else(|error| panic!("{error}"));
        (path, scene)
    };
    let scenes = paths.into_iter().map(read);
    scenes.filter(|(_, scene)| scene.volume.is_none()).collect()
}

fn under(kind: Kind, scene: &Scene) -> Scene {
    Scene {
        structure: StructureChoice {
            kind,
            knobs: Vec::new(),
        },
        ..scene.clone()
    }
}

/// The scene with at most about `limit` units: every army keeps its share, and at least one unit.
fn thinned(scene: &Scene, limit: u64) -> Scene {
    let mut thin = scene.clone();
    let count = scene.unit_count().max(1);
    for army in &mut thin.armies {
        let share = (u64::from(army.count) * limit.min(count)).div_ceil(count);
        army.count = share as u32;
    }
    thin
}

/// Asserts that the scene's battle comes out the same whatever carries it.
fn assert_same_battle(path: &Path, scene: &Scene, ticks: u64) {
    let mut expected = None;
    for &kind in Kind::ALL {
        if kind == Kind::AllPairs && scene.unit_count() > ALL_PAIRS_LIMIT {
            continue;
        }
        for threads in [1, 2] {
            let report = simulate::run(
                &under(kind, scene),
                &Options { ticks, threads },
                &mut |_| {},
            );
            let found = (report.hash, report.pairs, report.lookups, report.alive);
            assert_eq!(
                *expected.get_or_insert(found),
                found,
                "{} under {kind:?} on {threads} threads",
                path.display()
            );
        }
    }
}

#[test]
fn every_scene_is_the_same_battle_under_every_structure() {
    for (path, scene) in scenes() {
        assert_same_battle(&path, &thinned(&scene, 800), 150);
    }
}

#[test]
fn every_scene_begins_the_same_at_its_full_size() {
    for (path, scene) in scenes() {
        let ticks = (20_000 / scene.unit_count().max(1)).clamp(1, 20);
        assert_same_battle(&path, &scene, ticks);
    }
}

#[test]
fn every_scene_has_as_many_units_as_it_says() {
    for (path, scene) in scenes() {
        let battle = Battle::new(&scene);
        assert_eq!(
            battle.bodies().count() as u64,
            scene.unit_count(),
            "{}",
            path.display()
        );
        for position in battle.positions() {
            assert!(position.is_finite(), "{}", path.display());
        }
    }
}

#[test]
fn a_report_has_what_the_command_line_promises() {
    let scene = thinned(&file::built_in(), 100);
    let options = Options {
        ticks: 3,
        threads: 1,
    };
    let report = simulate::run(&scene, &options, &mut |_| {});
    let json = report.to_json();
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
        assert!(json.get(key).is_some(), "{key}");
    }
    assert_eq!(json["ticks"], 3);
    assert_eq!(json["hash"], format!("{:016x}", report.hash));
    assert!(report.to_string().contains(scene.structure.kind.info().key));
}
