//! An operation is stepped through in the window: by keys, by clicks, on and back, and every moment looks the same however one
//! has come to it.

use super::harness::{Display, Report, with_display};
use skirmish::built_in;
use skirmish::partition::Kind;
use skirmish::scene::{Scene, file};
use skirmish::volume::Kind3;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A telling is told and shown by then.
const TOLD: Duration = Duration::from_millis(400);

/// Where everything is while an operation is looked into.
fn layout(display: &Display, scene: &str) -> Report {
    let script = "[Pause, Wait(2), StepThrough(\"radius 240,150,20\"), Wait(4)]";
    display.play(scene, script)
}

#[test]
fn keys_go_from_step_to_step_and_escape_leaves() {
    with_display(|display| {
        let program = display.open("skirmish", &[]);
        let at = layout(display, "skirmish");
        program.key("F7");
        program.move_to(at.at("field", (0.98, 0.5)));
        program.wait(TOLD);
        program.key("Home");
        for _ in 0..4 {
            program.key("period");
        }
        program.key("shift+period");
        program.wait(TOLD);
        let report = program.close();
        assert_eq!(report.number("/stepping/at"), 3.0);
        assert!(report.number("/stepping/steps") > 10.0);
        assert_eq!(report.text("/mode"), "paused");
        let reason = report.text("/stepping/reason");
        assert!(reason.chars().any(|it| it.is_ascii_digit()), "{reason}");

        let program = display.open("skirmish", &[]);
        program.key("F7");
        program.wait(TOLD);
        program.key("Escape");
        program.wait(TOLD);
        assert!(program.close().get("/stepping").is_null());
    });
}

#[test]
fn a_drag_draws_what_is_asked_for_and_changes_nobody() {
    with_display(|display| {
        let at = layout(display, "skirmish");
        let program = display.open("skirmish", &[]);
        program.key("F7");
        program.wait(TOLD);
        program.click(at.middle("step.rectangle"));
        let (from, to) = (at.at("field", (0.3, 0.3)), at.at("field", (0.6, 0.6)));
        program.drag(1, &[from, ((from.0 + to.0) / 2.0, from.1), to]);
        program.wait(TOLD);
        let report = program.close();
        let operation = report.text("/stepping/operation");
        assert!(operation.starts_with("range "), "{operation}");
        assert_eq!(report.text("/stepping/told"), operation);
        assert_eq!(report.number("/alive"), 2000.0);
        assert_eq!(report.get("/dirty"), false);
        assert!(report.number("/stepping/steps") > 10.0);
    });
}

#[test]
fn buttons_the_way_and_the_tree_lead_to_their_steps() {
    with_display(|display| {
        let at = layout(display, "skirmish");
        let steps = at.number("/stepping/steps");
        let step = |click: &dyn Fn(&super::harness::Program<'_>)| {
            let program = display.open("skirmish", &[]);
            program.key("space");
            program.key("F7");
            program.wait(TOLD);
            click(&program);
            program.wait(TOLD);
            program.close()
        };
        let first = step(&|program| program.click(at.middle("step.first")));
        assert_eq!(first.number("/stepping/at"), 0.0);
        let way = step(&|program| program.click(at.at("step.way", (0.5, 0.5))));
        let part = way.number("/stepping/at") / way.number("/stepping/steps");
        assert!((0.4..0.6).contains(&part), "{part} of {steps}");
        let last = step(&|program| {
            program.click(at.middle("step.first"));
            program.click(at.middle("step.last"));
            program.click(at.middle("step.back"));
        });
        assert_eq!(
            last.number("/stepping/at"),
            last.number("/stepping/steps") - 1.0
        );
        let events = step(&|program| {
            program.click(at.middle("step.first"));
            program.click(at.at("step.events", (0.5, 0.02)));
        });
        assert_eq!(events.number("/stepping/at"), 1.0);
    });
}

#[test]
fn playing_ends_at_the_last_step_and_time_that_passes_ends_the_steps() {
    with_display(|display| {
        let program = display.open("figures/quadtree-splits", &[]);
        program.key("F7");
        program.wait(TOLD);
        for _ in 0..8 {
            program.key("m");
        }
        program.key("space");
        program.wait(Duration::from_millis(1500));
        let report = program.close();
        assert_eq!(
            report.number("/stepping/at"),
            report.number("/stepping/steps")
        );

        // Another structure is told anew at the same moment.
        let program = display.open("skirmish", &[]);
        program.key("F7");
        program.wait(TOLD);
        program.key("8");
        program.wait(TOLD);
        program.wait(TOLD);
        let report = program.close();
        assert_eq!(report.text("/structure"), "bsp-tree");
        assert_eq!(report.get("/stepping/is_present"), true);
    });
}

/// For each operation the pictures of the end, the start, the middle, the end, the middle and the start.
fn pictures(
    display: &Display,
    scene: &str,
    structure: &str,
    operations: &[String],
) -> Vec<Vec<Vec<u8>>> {
    /// After how many steps they are taken, in this order.
    const AT: [u32; 6] = [1_000_000_000, 0, 7, 1_000_000_000, 7, 0];
    let folder = tempfile::tempdir().expect("a temporary folder");
    let picture = |operation: usize, at: usize| {
        let name = format!("{operation}-{at}.png");
        folder.path().join(name)
    };
    let mut script = format!("[Pause, Wait(2), Structure({structure:?}), Wait(2),");
    for (number, operation) in operations.iter().enumerate() {
        script += &format!("StepThrough({operation:?}), Wait(2),");
        for (place, at) in AT.iter().enumerate() {
            let path = picture(number, place);
            script += &format!("StepTo({at}), Wait(2), Screenshot({path:?}),");
        }
    }
    display.play(scene, &format!("{script}]"));
    let of = |number: usize| {
        let all = 0..AT.len();
        all.map(|place| fs::read(picture(number, place)).expect("a picture"))
            .collect()
    };
    (0..operations.len()).map(of).collect()
}

/// Of each operation the pictures of a step are the same, however one has come to it. Gives of how many operations they are all
/// alike: those without a step, as where nobody is near, or all pairs are told of a move.
fn check_pictures(display: &Display, scene: &str, key: &str, operations: &[String]) -> usize {
    let all = pictures(display, scene, key, operations);
    for (operation, pictures) in operations.iter().zip(&all) {
        let what = format!("{scene}, {key}, {operation}");
        assert!(pictures[0] == pictures[3], "{what}: the end");
        assert!(pictures[1] == pictures[5], "{what}: the start");
        assert!(pictures[2] == pictures[4], "{what}: on the way");
    }
    all.iter().filter(|it| it[0] == it[1]).count()
}

#[test]
fn stepping_to_the_end_and_back_and_to_the_end_gives_the_same_pictures() {
    with_display(|display| {
        let operations = ["radius 40,40,15", "pairs 10", "insert 30,30"].map(String::from);
        for kind in Kind::ALL {
            let key = kind.info().key;
            let idle = check_pictures(display, "figures/quadtree-splits", key, &operations);
            assert_eq!(idle, 0, "{key}");
        }
    });
}

/// Every operation, around the middle of a scene's field.
fn operations_in(scene: &Scene) -> Vec<String> {
    if scene.volume.is_some() {
        return operations_in_space(scene);
    }
    let (middle, size) = (scene.field.center(), scene.field.size());
    let (x, y) = (middle.x, middle.y);
    let reach = size.min_element() / 8.0;
    let (left, top) = (x - reach, y - reach);
    let (right, bottom) = (x + reach * 1.5, y + reach);
    // Whoever comes first in an army may have fallen in the first tick.
    let count = scene.unit_count();
    let (one, other) = (count / 3, (count / 3 + 1).min(count - 1));
    vec![
        format!("radius {x},{y},{reach}"),
        format!("range {left},{top},{reach},{reach}"),
        format!("nearest {x},{y},3"),
        format!("segment {left},{top},{right},{bottom}"),
        format!("pairs {}", size.min_element() / 100.0),
        format!("insert {x},{top}"),
        format!("remove {one}"),
        format!("move {other},{right},{bottom}"),
        "rebuild".to_owned(),
    ]
}

/// The same in space.
fn operations_in_space(scene: &Scene) -> Vec<String> {
    let (middle, size) = (scene.field3().center(), scene.field3().size());
    let (x, y, z) = (middle.x, middle.y, middle.z);
    let reach = size.min_element() / 5.0;
    let (left, front, low) = (x - reach, y - reach, z - reach);
    let (right, back) = (x + reach, y + reach);
    let count = scene.unit_count();
    let (one, other) = (count / 3, (count / 3 + 1).min(count - 1));
    vec![
        format!("sphere {x},{y},{z},{reach}"),
        format!("box {left},{front},{low},{reach},{reach},{reach}"),
        format!("nearest {x},{y},{z},3"),
        format!("segment {left},{front},{low},{right},{back},{z}"),
        format!("pairs {}", size.min_element() / 50.0),
        format!("insert {x},{front},{z}"),
        format!("remove {one}"),
        format!("move {other},{right},{back},{z}"),
        "rebuild".to_owned(),
    ]
}

/// The structures that a scene can have.
fn structures_of(scene: &Scene) -> Vec<&'static str> {
    match scene.volume {
        Some(_) => Kind3::ALL.iter().map(|kind| kind.info().key).collect(),
        None => Kind::ALL.iter().map(|kind| kind.info().key).collect(),
    }
}

/// With `SKIRMISH_STEP_PICTURES=all` every operation under every structure in every scene of up to 20,000 units; else every
/// operation and every structure in some scene, and in every scene some of them.
#[test]
fn in_every_scene_that_ships_there_and_back_gives_the_same_pictures() {
    with_display(|display| {
        let is_all = std::env::var("SKIRMISH_STEP_PICTURES").is_ok_and(|it| it == "all");
        let (mut turn, mut count, mut idle) = (0, 0, 0);
        for path in built_in::scenes() {
            let scene = file::read(&path).expect("a scene that ships");
            if scene.unit_count() == 0 || scene.unit_count() > 20_000 {
                continue;
            }
            let (operations, keys) = (operations_in(&scene), structures_of(&scene));
            // By its name, as one would type it: the first part of the path says that it is built in.
            let name: PathBuf = path.iter().skip(1).collect();
            let name = name.display().to_string();
            if is_all {
                for key in keys {
                    count += operations.len();
                    idle += check_pictures(display, &name, key, &operations);
                }
            } else {
                let key = keys[turn % keys.len()];
                let some = [0, 4].map(|on| operations[(turn + on) % operations.len()].clone());
                count += some.len();
                idle += check_pictures(display, &name, key, &some);
            }
            turn += 1;
        }
        println!("{count} operations, {idle} of them without a step");
        assert!(turn > 15, "scenes are missing: {turn}");
        assert!(
            idle * 5 < count,
            "{idle} of {count} operations have no steps"
        );
    });
}

#[test]
fn what_cannot_be_done_is_said_on_the_field() {
    with_display(|display| {
        let script = "[Pause, Wait(2), StepThrough(\"remove 99999\"), Wait(4)]";
        let report = display.play("skirmish", script);
        let said = report.text("/stepping/refusal");
        assert!(said.contains("there is no unit 99999"), "{said}");
        // A script that asks for no operation at all is refused before the window opens.
        let folder = tempfile::tempdir().expect("a temporary folder");
        let file: &Path = &folder.path().join("s.ron");
        fs::write(file, "[StepThrough(\"fly 1,2\")]").expect("a script is written");
        let ended = display.run(&[OsStr::new("--script"), file.as_os_str()]);
        assert_eq!(ended.status.code(), Some(2));
        assert!(
            ended.stderr.contains("step 1: it must be one of"),
            "{}",
            ended.stderr
        );
    });
}

#[test]
fn a_shape_of_no_size_and_one_of_a_million_metres_are_told() {
    with_display(|display| {
        for operation in [
            "radius 240,150,0",
            "radius 240,150,1000000",
            "range -1000000,-1000000,2000000,2000000",
            "nearest 100000000,0,3",
            "segment 5,5,5,5",
        ] {
            let script = format!("[Pause, Wait(2), StepThrough({operation:?}), Wait(4)]");
            let report = display.play("skirmish", &script);
            assert_eq!(report.text("/stepping/told"), operation);
        }
    });
}

#[test]
fn a_click_in_the_tree_goes_through_the_steps_of_that_node_alone() {
    with_display(|display| {
        let at = layout(display, "skirmish");
        let program = display.open("skirmish", &[]);
        program.key("F7");
        program.wait(TOLD);
        program.key("Home");
        // The root is as wide as the whole tree, and is told of first.
        let (x, y) = at.at("step.tree", (0.5, 0.0));
        program.click((x, y + 4.0));
        program.wait(TOLD);
        program.key("End");
        program.key("shift+period");
        program.key("shift+period");
        program.wait(TOLD);
        let report = program.close();
        assert_eq!(report.text("/stepping/focus"), "node 0");
        assert!(report.number("/stepping/at") <= 1.0);

        let program = display.open("skirmish", &[]);
        program.key("F7");
        program.wait(TOLD);
        program.click((x, y + 4.0));
        program.wait(TOLD);
        program.key("Escape");
        program.wait(TOLD);
        let report = program.close();
        assert!(report.get("/stepping/focus").is_null());
        assert!(!report.get("/stepping").is_null());
    });
}

#[test]
fn in_streaming_the_next_decision_is_stepped_through() {
    with_display(|display| {
        for scene in [
            "figures/load-union",
            "figures/unload-intersection",
            "open-world",
        ] {
            let script = "[Wait(60), Pause, StepThrough(\"decide\"), Wait(4), StepTo(1), Wait(2)]";
            let report = display.play(scene, script);
            assert_eq!(report.text("/stepping/told"), "decide", "{scene}");
            assert_eq!(report.text("/view"), "streaming");
            assert_eq!(report.number("/stepping/at"), 1.0);
            let reason = report.text("/stepping/reason");
            assert!(reason.chars().any(|it| it.is_ascii_digit()), "{reason}");
        }
        // By its key, and left by another.
        let program = display.open("figures/load-union", &[]);
        program.key("F7");
        program.wait(TOLD);
        program.key("Home");
        // The arrows, which walk the character otherwise, go from step to step.
        for key in ["Right", "Left", "Right"] {
            program.key(key);
        }
        program.wait(TOLD);
        let report = program.close();
        assert_eq!(report.get("/dirty"), false);
        assert_eq!(report.text("/stepping/operation"), "decide");
        assert_eq!(report.number("/stepping/at"), 1.0);
        assert_eq!(report.text("/mode"), "paused");
    });
}

#[test]
fn the_tree_stands_beside_a_battle_that_goes_on_and_a_click_in_it_marks_a_node() {
    with_display(|display| {
        let at = display.play("skirmish", "[Pause, Wait(2), Tree(true), Wait(4)]");
        let (x, y) = at.at("step.tree", (0.5, 0.0));
        let program = display.open("skirmish", &[]);
        program.key("F8");
        program.wait(TOLD);
        program.click((x, y + 4.0));
        program.wait(TOLD);
        let report = program.close();
        // The root is as wide as the whole tree.
        assert_eq!(report.number("/tree/picked"), 0.0);
        assert!(report.number("/tree/nodes") > 100.0);
        assert!(report.number("/tree/tick") <= report.number("/tick"));
        assert_eq!(report.text("/mode"), "running");

        let program = display.open("skirmish", &[]);
        program.key("F8");
        program.wait(TOLD);
        program.key("F8");
        program.wait(TOLD);
        let report = program.close();
        assert!(report.get("/tree").is_null());
    });
}

#[test]
fn what_is_pointed_at_on_the_field_is_pointed_at_in_the_tree() {
    with_display(|display| {
        for kind in Kind::ALL {
            let key = kind.info().key;
            let script = format!(
                "[Structure({key:?}), Tree(true), Run, Wait(20), Pause, Wait(4), Cursor((160, 150)), Wait(4)]"
            );
            let report = display.play("skirmish", &script);
            assert_eq!(report.get("/tree/is_present"), true, "{key}");
            assert_eq!(report.get("/tree/tick"), report.get("/tick"), "{key}");
            assert!(!report.get("/tree/pointed").is_null(), "{key}");
        }
    });
}
