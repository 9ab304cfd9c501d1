//! The open world of 100,000 objects keeps what it is there to show: nothing late, few tests, decisions as by brute force.

use skirmish::measure::stream::{self, Options, Report};
use skirmish::scene::{ObjectGroup, Scene, file};
use skirmish::streaming::{Index, Settings, recorded};
use std::path::PathBuf;

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("scenes")
}

fn scene() -> Scene {
    file::read(&folder().join("open-world-100k.ron")).unwrap()
}

fn options(scene: &Scene, path: &str, speed: f32, mbps: f32, seconds: f64) -> Options {
    let paths = &scene.character.as_ref().unwrap().paths;
    Options {
        path: paths.iter().find(|one| one.name == path).unwrap().clone(),
        speed,
        seconds: Some(seconds),
        settings: Settings {
            mbps,
            latency_ms: 8.0,
            ..Settings::of_world(scene.world.as_ref().unwrap())
        },
        record: false,
    }
}

fn run(scene: &Scene, options: &Options) -> Report {
    let report = stream::run(scene, &folder(), options);
    println!("{report}");
    assert!(report.matches_brute_force);
    assert!(report.checked_frames * 10 >= report.frames);
    assert_eq!(report.failed, 0);
    report
}

/// Who goes where is kept apart, so that the paths are walked on all cores.
fn nothing_is_late_on(path: &str) {
    let scene = scene();
    for (speed, mbps, seconds) in [(6.0, 50.0, 40.0), (30.0, 50.0, 40.0), (120.0, 200.0, 40.0)] {
        let report = run(&scene, &options(&scene, path, speed, mbps, seconds));
        assert_eq!(report.objects, 100_000);
        assert!(report.needed > 50);
        assert_eq!(report.late, 0, "{path} at {speed} m/s");
        // Limits that hold at 6 and at 60 m/s.
        assert!(report.tests[1] <= if speed <= 6.0 { 300 } else { 450 });
        assert_eq!(report.brute_force_tests, 100_000);
        if speed == 6.0 {
            assert_eq!(report.unload_tests[0], 1, "a quiet frame takes one test");
        }
        assert!(report.tree_bytes <= 16 << 20);
        assert!(report.peak_held_bytes <= report.memory_cap);
    }
}

#[test]
fn nothing_is_late_on_the_walk() {
    nothing_is_late_on("walk");
}

#[test]
fn nothing_is_late_on_the_ride() {
    nothing_is_late_on("ride");
}

#[test]
fn nothing_is_late_on_the_flight() {
    nothing_is_late_on("fly");
}

#[test]
fn what_is_needed_is_there_soon_after_a_teleport() {
    let scene = scene();
    let report = run(&scene, &options(&scene, "teleport-tour", 6.0, 200.0, 24.0));
    assert!(report.jumps >= 7 && report.missing_max > 10);
    assert!(report.jump_ready_ms_max <= 1_000.0);
}

#[test]
fn borders_and_oscillation_decide_as_brute_force_does() {
    let scene = scene();
    let border = run(&scene, &options(&scene, "border-walk", 30.0, 50.0, 30.0));
    assert_eq!(border.late, 0);
    let swing = run(&scene, &options(&scene, "oscillate", 6.0, 50.0, 30.0));
    assert_eq!(
        (swing.wasted_bytes, swing.released),
        (0, 0),
        "within the margin"
    );
}

#[test]
fn every_index_gives_the_same_report_but_for_its_own_cost() {
    let scene = scene();
    let of = |index| {
        let mut options = options(&scene, "ride", 60.0, 20.0, 5.0);
        options.settings.index = index;
        run(&scene, &options)
    };
    let two = of(Index::TwoTrees);
    for index in [Index::Dual, Index::WholeUnloadTree, Index::BruteForce] {
        let other = of(index);
        assert_eq!(other.hash, two.hash);
        assert_eq!(other.loaded_bytes, two.loaded_bytes);
        match index {
            Index::Dual => {
                assert!(other.tests[1] <= 450);
                assert!(other.tree_bytes <= 16 << 20);
            }
            Index::WholeUnloadTree => assert!(other.tests[0] > 150_000),
            _ => assert_eq!(other.tests[0], 100_000),
        }
    }
}

#[test]
fn an_overloaded_disk_makes_late_what_is_needed_least_soon() {
    let scene = scene();
    let late = [30.0, 60.0, 120.0].map(|speed| {
        let report = run(&scene, &options(&scene, "ride", speed, 10.0, 20.0));
        report.late as f64 / report.needed as f64
    });
    assert_eq!(late[0], 0.0);
    assert!(late[1] <= 0.05, "{late:?}");
    assert!(late[2] > late[1], "{late:?}");
}

#[test]
fn a_memory_cap_holds_on_the_way() {
    let scene = scene();
    let mut options = options(&scene, "ride", 30.0, 50.0, 30.0);
    options.settings.memory_cap = 20_000_000;
    let report = run(&scene, &options);
    assert!(report.evicted > 0 && report.memory_bound_frames > 0);
    assert!(report.peak_held_bytes <= 20_000_000);
    // What is left out is not what is needed.
    assert!(report.late * 50 <= report.needed);
}

#[test]
fn a_recorded_path_that_is_saved_in_the_scene_replays_to_the_same_decisions() {
    let mut scene = scene();
    for path in ["ride", "teleport-tour"] {
        let mut options = options(&scene, path, 60.0, 50.0, 12.0);
        options.record = true;
        let first = run(&scene, &options);
        let character = scene.character.as_mut().unwrap();
        let way = recorded("recorded".to_owned(), &first.recording);
        // Along a path they follow from the positions.
        assert!(way.velocities.is_empty());
        character.paths.push(way);
        let text = file::format(&scene);
        let saved = file::parse(text.as_bytes(), "saved.ron").unwrap();
        let replay = Options {
            path: saved
                .character
                .as_ref()
                .unwrap()
                .paths
                .last()
                .unwrap()
                .clone(),
            seconds: None,
            ..options
        };
        let second = run(&saved, &replay);
        assert_eq!(second.hash, first.hash);
        assert!(second.is_recorded && !first.is_recorded);
        assert_eq!(
            Report {
                path: first.path.clone(),
                is_recorded: false,
                ..second
            },
            first
        );
        scene.character.as_mut().unwrap().paths.pop();
    }
}

#[test]
fn a_million_objects_stream_as_well() {
    let mut scene = scene();
    for group in &mut scene.world.as_mut().unwrap().objects {
        if let ObjectGroup::Scatter(scatter) = group {
            scatter.count *= 10;
            scatter.area.min *= 10.0_f32.sqrt();
            scatter.area.max *= 10.0_f32.sqrt();
        }
    }
    let report = run(&scene, &options(&scene, "ride", 60.0, 50.0, 3.0));
    assert_eq!(report.objects, 1_000_000);
    assert_eq!(report.late, 0);
    assert!(report.tests[1] <= 450);
    assert!(report.tree_bytes <= 160 << 20);
}
