//! Golden values: what battles, streamed worlds and the work of every structure came to when they were last looked at.
//!
//! The other tests compare the program with itself: one structure with another, one thread with two, the trees with brute
//! force. What changes everywhere at once passes all of those, and is caught here. The values stand in `tests/golden/`, one a
//! line, as `what it is of = what it came to`.
//!
//! `SKIRMISH_GOLDEN=write cargo test --test golden` writes the files anew. That is allowed only in a commit that changes a
//! value on purpose, that has looked at which lines became different, and that says in its message why they had to. A commit
//! that moves code, splits files or makes something faster changes none of them.

#[path = "golden/answers.rs"]
mod answers;
#[path = "golden/portrait.rs"]
mod portrait;
#[path = "common/probes.rs"]
mod probes;
#[path = "golden/tours.rs"]
mod tours;

use answers::{answers, edits, variants};
use portrait::{Print, portrait};
use probes::counting;
use skirmish::battle::Battle;
use skirmish::measure::{simulate, stream};
use skirmish::partition::{AnyPartition, Bodies, Kind};
use skirmish::probe::{Counter, Work};
use skirmish::scene::{Scene, StructureChoice, file};
use skirmish::streaming::Settings;
use skirmish::volume::Kind3;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// The steps after which a battle is looked at: one second, and four.
const BATTLE_TICKS: [u64; 2] = [60, 240];

/// The same for a scene with so many units that a step takes a second in a test.
const LARGE_BATTLE_TICKS: [u64; 2] = [1, 3];

/// A scene with more units than this is a large one.
const LARGE_BATTLE: u64 = 100_000;

/// And a flight with more units than this.
const LARGE_FLIGHT: u64 = 20_000;

/// So many units in space all pairs can bear in a test.
const ALL_PAIRS_LIMIT: u64 = 5_000;

/// The updates after which a streamed world is looked at: ten seconds, and sixty.
const STREAM_TICKS: [u64; 2] = [600, 3_600];

/// The steps whose work is counted.
const WORK_TICKS: u64 = 60;

/// The scenes whose work is counted, small enough for all pairs: a plain battle, everyone in a corner, everyone on the borders
/// between cells, boxes of many sizes, everyone on one spot, and a block that makes trees split and merge.
const WORK_SCENES: [&str; 6] = [
    "skirmish.ron",
    "corner.ron",
    "cross.ron",
    "mixed-sizes.ron",
    "one-spot.ron",
    "figures/merges.ron",
];

/// The steps after which a structure is drawn, and has to tell about itself.
const PICTURE_TICKS: u64 = 20;

/// The steps after which a structure whose knobs are turned is asked.
const KNOB_TICKS: u64 = 12;

/// The scenes in which every knob is turned: boxes of many sizes, a crowd of points, and a block that makes trees split and
/// merge.
const KNOB_SCENES: [&str; 3] = ["mixed-sizes.ron", "corner.ron", "figures/merges.ron"];

/// What came out, by what it is of.
type Values = Vec<(String, String)>;

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

fn scene(name: &str) -> Scene {
    file::read(&folder("scenes").join(name)).unwrap_or_else(|error| panic!("{error}"))
}

/// Every scene that ships, by its name below `scenes/`.
fn all_scenes() -> Vec<(String, Scene)> {
    let mut names = Vec::new();
    for below in ["", "figures/"] {
        let entries = std::fs::read_dir(folder("scenes").join(below))
            .expect("the scenes ship with the program");
        for entry in entries {
            let name = entry.expect("a readable folder").file_name();
            let name = name.to_str().expect("a name in UTF-8");
            if name.ends_with(".ron") {
                names.push(format!("{below}{name}"));
            }
        }
    }
    // The scenes before the figures, and each by its name.
    names.sort_by_key(|name| (name.contains('/'), name.clone()));
    names
        .into_iter()
        .map(|name| (name.clone(), scene(&name)))
        .collect()
}

/// Every scene on a plane that ships.
fn scenes() -> Vec<(String, Scene)> {
    let mut scenes = all_scenes();
    scenes.retain(|(_, scene)| scene.volume.is_none());
    scenes
}

/// The steps after which what happens in the scene is looked at.
fn ticks_of(scene: &Scene) -> [u64; 2] {
    let largest = match scene.volume {
        // Whoever circles a galaxy has many neighbours.
        Some(_) => LARGE_FLIGHT,
        None => LARGE_BATTLE,
    };
    match scene.unit_count() > largest {
        true => LARGE_BATTLE_TICKS,
        false => BATTLE_TICKS,
    }
}

/// The scene under this structure: with the knobs of the scene where it is the scene's own, with the defaults where it is not.
fn under(kind: Kind, scene: &Scene) -> Scene {
    let mut scene = scene.clone();
    if scene.structure.kind != kind {
        scene.structure = StructureChoice::new(kind);
    }
    scene
}

/// The only place here that runs a battle.
fn battle(scene: &Scene, ticks: u64) -> simulate::Report {
    simulate::run(scene, &simulate::Options { ticks, threads: 1 }, &mut |_| {})
}

/// What a counter counted, except what never happened.
fn counts(counter: &Counter) -> String {
    let sums = [
        ("visits", counter.visits),
        ("prunes", counter.prunes),
        ("accepts", counter.accepts),
        ("tests", counter.tests),
        ("hits", counter.hits),
        ("splits", counter.splits),
        ("merges", counter.merges),
        ("refits", counter.refits),
    ];
    let work = Work::ALL.map(|work| (work.name(), counter.of(work)));
    let happened: Vec<_> = sums
        .into_iter()
        .chain(work)
        .filter(|(_, count)| *count > 0)
        .map(|(name, count)| format!("{name} {count}"))
        .collect();
    match happened.is_empty() {
        true => "nothing".to_owned(),
        false => happened.join(", "),
    }
}

/// Compares what was found with the file in `tests/golden/`, or writes the file where that is asked for.
fn compare(name: &str, about: &str, found: &Values) {
    let path = folder("tests/golden").join(name);
    if std::env::var("SKIRMISH_GOLDEN").is_ok_and(|value| value == "write") {
        let mut text = String::new();
        for line in about.lines() {
            let _ = writeln!(text, "# {line}");
        }
        for (of, value) in found {
            let _ = writeln!(text, "{of} = {value}");
        }
        std::fs::write(&path, text).expect("a folder that can be written to");
        return;
    }
    let text = std::fs::read_to_string(&path).unwrap_or_default();
    let mut expected: BTreeMap<&str, &str> = text
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split_once(" = "))
        .collect();
    let mut faults = String::new();
    for (of, value) in found {
        let _ = match expected.remove(of.as_str()) {
            Some(golden) if golden == value => continue,
            Some(golden) => writeln!(faults, "{of}: expected {golden}, found {value}"),
            None => writeln!(
                faults,
                "{of}: found {value}, and there is no golden value; add it by SKIRMISH_GOLDEN=write cargo test --test golden, \
                 see that git shows no other line of {name} as changed, and commit it with what is new"
            ),
        };
    }
    for (of, golden) in expected {
        let _ = writeln!(
            faults,
            "{of}: expected {golden}, found nothing of that name any more"
        );
    }
    assert!(
        faults.is_empty(),
        "tests/golden/{name} is not what came out:\n{faults}"
    );
}

#[test]
fn every_scene_that_ships_is_the_battle_that_it_was() {
    let mut found = Vec::new();
    for (name, scene) in scenes() {
        let structure = scene.structure.kind.info().key;
        for tick in ticks_of(&scene) {
            let hash = battle(&scene, tick).hash;
            found.push((
                format!("{name} under {structure} at tick {tick}"),
                format!("{hash:016x}"),
            ));
        }
    }
    let about = format!(
        "The hash of each battle, under the scene's own structure, after {BATTLE_TICKS:?} ticks; after {LARGE_BATTLE_TICKS:?}\n\
         where there are more than {LARGE_BATTLE} units. See tests/golden.rs for when these lines may change."
    );
    compare("battles.txt", &about, &found);
}

#[test]
fn however_far_apart_units_keep_a_battle_of_bodies_is_what_it_was() {
    let mut found = Vec::new();
    let mut scene = scene("mixed-sizes.ron");
    let structure = scene.structure.kind.info().key;
    for keep_apart in [0.0, 30.0] {
        scene.keep_apart = keep_apart;
        for tick in BATTLE_TICKS {
            let hash = battle(&scene, tick).hash;
            found.push((
                format!("mixed-sizes.ron, {keep_apart} m apart, under {structure} at tick {tick}"),
                format!("{hash:016x}"),
            ));
        }
    }
    let about = format!(
        "The hash of a battle of bodies that keep nearer or farther apart than usual, after {BATTLE_TICKS:?} ticks. See tests/golden.rs for\n\
         when these lines may change."
    );
    compare("apart.txt", &about, &found);
}

#[test]
fn every_scene_of_space_that_ships_is_the_flight_that_it_was() {
    let mut found = Vec::new();
    for (name, mut scene) in all_scenes() {
        let Some(volume) = scene.volume.clone() else {
            continue;
        };
        let [early, late] = ticks_of(&scene);
        // Early under every structure and on two threads, which must all come to the same; late under the scene's own alone.
        let mut hashes = Vec::new();
        for &kind in Kind3::ALL {
            if kind.tests_every_pair() && scene.unit_count() > ALL_PAIRS_LIMIT {
                continue;
            }
            if let Some(volume) = &mut scene.volume {
                volume.structure = StructureChoice::new(kind);
            }
            for threads in [1, 2] {
                let options = simulate::Options {
                    ticks: early,
                    threads,
                };
                let hash = simulate::run(&scene, &options, &mut |_| {}).hash;
                hashes.push((hash, kind, threads));
            }
        }
        let (first, ..) = hashes[0];
        assert!(
            hashes.iter().all(|(hash, ..)| *hash == first),
            "{name} at tick {early}: {hashes:x?}"
        );
        scene.volume = Some(volume);
        let last = battle(&scene, late).hash;
        for (tick, hash) in [(early, first), (late, last)] {
            found.push((format!("{name} at tick {tick}"), format!("{hash:016x}")));
        }
    }
    assert!(!found.is_empty());
    let about = format!(
        "The hash of each flight, the same under every structure and on one thread and two, after {BATTLE_TICKS:?} ticks; after\n         {LARGE_BATTLE_TICKS:?} where there are more than {LARGE_FLIGHT} units. See tests/golden.rs for when these lines may change."
    );
    compare("flights.txt", &about, &found);
}

#[test]
fn every_world_that_ships_streams_as_it_did() {
    let mut found = Vec::new();
    for (name, scene) in scenes() {
        let Some(world) = &scene.world else {
            continue;
        };
        let character = scene.character.as_ref();
        let character = character.expect("a world that ships has a character in it");
        assert!(
            !character.paths.is_empty(),
            "{name} has no path to go along"
        );
        for path in &character.paths {
            for tick in STREAM_TICKS {
                let options = stream::Options {
                    path: path.clone(),
                    speed: character.speed,
                    seconds: Some(tick as f64 / 60.0),
                    settings: Settings {
                        mbps: 50.0,
                        latency_ms: 8.0,
                        ..Settings::of_world(world)
                    },
                    record: false,
                };
                let files = folder("scenes").join(&name);
                let files = files.parent().expect("a file in a folder");
                let report = stream::run(&scene, files, &options);
                assert_eq!(report.frames, tick);
                assert!(report.matches_brute_force, "{name}");
                found.push((
                    format!(
                        "{name} along {} under {} at tick {tick}",
                        path.name, report.index
                    ),
                    format!("{:016x}", report.hash),
                ));
            }
        }
    }
    let about = format!(
        "The hash of all decisions of each world along each of its paths, from a disk of 50 MB/s and 8 ms, after {STREAM_TICKS:?}\n\
         updates. See tests/golden.rs for when these lines may change."
    );
    compare("streams.txt", &about, &found);
}

#[test]
fn a_world_shows_and_tells_what_it_did_whatever_its_settings_are() {
    let about = "The fingerprint of all that a tour through the open world shows and tells, with each setting turned, while everything is done\n\
         that people do; and the last hash of its decisions. See tests/golden.rs for when these lines may change.";
    compare("tours.txt", about, &tours::tours());
}

#[test]
fn every_structure_works_as_much_as_it_did() {
    let mut found = Vec::new();
    for name in WORK_SCENES {
        let scene = scene(name);
        for &kind in Kind::ALL {
            let report = battle(&under(kind, &scene), WORK_TICKS);
            for (side, counter) in [("update", &report.update), ("query", &report.query)] {
                found.push((
                    format!(
                        "{name} under {} at tick {WORK_TICKS}, {side}",
                        report.structure
                    ),
                    counts(counter),
                ));
            }
        }
    }
    let about = format!(
        "What each structure counted in the first {WORK_TICKS} ticks: in its upkeep, and in its answers. What never happened is left out.\n\
         See tests/golden.rs for when these lines may change, and for how a new structure gets its own."
    );
    compare("work.txt", &about, &found);
}

#[test]
fn every_structure_shows_and_tells_what_it_did() {
    let mut found = Vec::new();
    for name in WORK_SCENES {
        let scene = scene(name);
        for &kind in Kind::ALL {
            let scene = under(kind, &scene);
            let mut battle = Battle::new(&scene);
            let mut index = simulate::index_for(&scene, &battle);
            for _ in 0..PICTURE_TICKS {
                battle.step(&index, 1, &mut (), &mut ());
                index.apply(battle.bodies(), battle.changes(), &mut ());
            }
            for (of, value) in portrait(battle.bodies(), &index) {
                let key = kind.info().key;
                found.push((
                    format!("{name} under {key} at tick {PICTURE_TICKS}, {of}"),
                    value,
                ));
            }
        }
    }
    let about = format!(
        "What each structure shows and tells of itself after {PICTURE_TICKS} ticks: how many regions and marks, and a fingerprint of what they say;\n\
         the facts of all regions as a fingerprint, those of three in words; its quality; the bytes of its parts.\n\
         See tests/golden.rs for when these lines may change."
    );
    compare("pictures.txt", &about, &found);
}

#[test]
fn every_structure_shows_tells_and_answers_as_it_did_whatever_its_knobs_are() {
    let mut found = Vec::new();
    for name in KNOB_SCENES {
        let scene = scene(name);
        for &kind in Kind::ALL {
            for (knobs, choice) in variants(kind) {
                let of = format!("{name} under {knobs}");
                let scene = Scene {
                    structure: choice,
                    ..scene.clone()
                };
                let mut battle = Battle::new(&scene);
                let mut index = simulate::index_for(&scene, &battle);
                let mut update = counting();
                for _ in 0..KNOB_TICKS {
                    battle.step(&index, 1, &mut (), &mut ());
                    index.apply(battle.bodies(), battle.changes(), &mut update);
                }
                let mut build = counting();
                index.rebuild(battle.bodies(), &mut build);
                found.push((format!("{of}, build"), counts(&build.probe)));
                found.push((format!("{of}, update"), counts(&update.probe)));
                for (what, counter) in answers(&battle, &index) {
                    found.push((format!("{of}, {what}"), counts(&counter)));
                }
                let mut shown = Print::EMPTY;
                let mut show = |index: &AnyPartition, bodies: Bodies<'_>| {
                    for (what, value) in portrait(bodies, index) {
                        shown.add(&format!("{what} {value}"));
                    }
                };
                show(&index, battle.bodies());
                for (what, counter) in edits(battle.bodies(), &mut index, &mut show) {
                    found.push((format!("{of}, {what}"), counts(&counter)));
                }
                found.push((format!("{of}, pictures"), format!("{:016x}", shown.0)));
            }
        }
    }
    let about = format!(
        "Every structure with each of its knobs turned, after {KNOB_TICKS} ticks: what it counted in its upkeep, in answers to questions of\n\
         many sizes, and when units leave, come back and jump; and a fingerprint of all that it shows and tells, before and after.\n\
         See tests/golden.rs for when these lines may change."
    );
    compare("knobs.txt", &about, &found);
}
