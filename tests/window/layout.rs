//! How the window is parted: panels that are resized, collapsed and drawn out, places that do not jump, and texts that are read whole
//! in every view, at every size and scale.

use super::CALM;
use super::harness::{Display, Report, with_display};
use std::ffi::OsStr;
use std::fs;
use std::path::Path;

/// Every size that the window is made for, in pixels.
const SIZES: [&str; 5] = ["640x480", "1000x700", "1280x800", "1440x900", "1920x1080"];

/// What is shown one after the other: every view, its panels and its pages.
fn tour(folder: &Path, light: bool) -> String {
    let scenes = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes");
    let open = |scene: &str| format!("Open({:?}), Wait(12),", scenes.join(scene));
    let figure = |scene: &str| format!("Open({:?}), Wait(8),", scenes.join("figures").join(scene));
    let mut script = format!("[Light({light}),");
    script += &open("skirmish.ron");
    script += "Cursor((150.0, 100.0)), Wait(8), Hold(true), NoCursor, Wait(6), Hold(false), \
               Pause, StepThrough(\"radius 150,100,20\"), Wait(8), StepTo(12), Wait(6), \
               StepThrough(\"insert 150,100\"), Wait(8), Run,";
    script += &open("skirmish.ron");
    script += "Drawers(true, false), Wait(6), Drawers(false, true), Wait(6), Drawers(false, false), \
               Tree(true), Wait(8), Tree(false), Compare, Wait(12), Cursor((150.0, 100.0)), Wait(6), NoCursor, \
               AllStructures(true), Wait(12), Sweep(\"capacity\"), Wait(12), AllStructures(false), Battle,";
    script += "Arrange((collapsed: [\"scene\", \"structure\", \"knobs\", \"cost\", \"inspector\"])), Wait(6), \
               Arrange((left: Some(248.0), right: Some(272.0), plots: Some(96.0))), Wait(6), \
               Arrange((left: Some(420.0), right: Some(480.0), plots: Some(300.0), inspector: Some(0.7))), Wait(6), Arrange(()),";
    script += &open("open-world.ron");
    script += "Wait(20), Drawers(true, false), Wait(6), Drawers(false, true), Wait(6), Drawers(false, false),";
    script += &open("swarm.ron");
    script += "Slice(\"y\", 200.0), Cursor3((240.0, 200.0, 130.0)), Wait(6), NoCursor, \
               Drawers(false, true), Wait(6), Drawers(true, false), Wait(6), Drawers(false, false), \
               Pause, StepThrough(\"sphere 240,200,120,40\"), Wait(8), StepTo(12), Wait(6), \
               Drawers(false, true), Wait(6), Drawers(false, false), Run, Compare, Wait(8),";
    script += &open("corner.ron");
    for name in [
        "unload-intersection.ron",
        "address-merges.ron",
        "missed-results.ron",
        "battlefield.ron",
    ] {
        script += &figure(name);
    }
    script += &open("mixed-sizes.ron");
    script += "Help(true), Wait(5), Help(false), Words(true), Wait(5), Words(false), Gallery(true), Wait(5), Gallery(false), \
               Call(\"Settings\"), Wait(5), Call(\"Settings\"), \
               Call(\"Name, field and bodies\"), Wait(5), Call(\"Name, field and bodies\"), \
               Call(\"Picture of the field\"), Wait(5), Call(\"Picture of the field\"), \
               Call(\"All commands\"), Wait(5), Call(\"All commands\"),";
    script += "]";
    let file = folder.join("tour.ron");
    fs::write(&file, script).expect("a script is written");
    file.to_string_lossy().into_owned()
}

/// Plays the tour in windows of all sizes, in both themes by turns, and says which texts could not be read.
fn unreadable(display: &Display, first: bool) -> Vec<String> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let report = folder.path().join("r.json");
    let mut all = Vec::new();
    for (number, size) in SIZES.into_iter().enumerate() {
        // How wide a text is does not depend on its colour: each size is seen in one theme here, and in the other at scale two.
        let script = tour(folder.path(), first ^ (number % 2 == 0));
        let mut arguments = ["--size", size, "--script", &script, "--report"]
            .map(OsStr::new)
            .to_vec();
        arguments.push(report.as_os_str());
        let ended = display.run(&arguments);
        assert!(ended.status.success(), "{size}: {}", ended.stderr);
        let report = Report::read(&report);
        let texts = report
            .get("/unreadable")
            .as_array()
            .expect("a list")
            .clone();
        all.extend(texts.iter().map(|text| format!("{size}: {text}")));
    }
    all
}

#[test]
fn no_text_is_wider_than_its_place_nor_runs_into_another() {
    with_display(|display| {
        let texts = unreadable(display, false);
        assert!(texts.is_empty(), "{texts:#?}");
    });
}

#[test]
fn no_text_is_wider_than_its_place_on_a_display_of_scale_two() {
    with_display(|_| {
        let display = Display::of_scale(2);
        let texts = unreadable(&display, true);
        assert!(texts.is_empty(), "{texts:#?}");
    });
}

/// A scene in which nothing happens, in a folder of its own.
fn calm() -> (tempfile::TempDir, std::path::PathBuf) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let scene = folder.path().join("calm.ron");
    fs::write(&scene, CALM).expect("a scene is written");
    (folder, scene)
}

#[test]
fn a_section_collapses_by_a_click_on_its_caption() {
    with_display(|display| {
        let (_folder, scene) = calm();
        let before = display.layout(&scene, &[]);
        let program = display.open(&scene, &[]);
        program.click(before.at("section.structure", (0.2, 0.5)));
        program.click(before.at("section.inspector", (0.2, 0.5)));
        let after = program.close();
        let collapsed = after.get("/layout/collapsed").to_string();
        assert_eq!(collapsed, "[\"inspector\",\"structure\"]");
        // What stood below the list has come up, and the figures have the room of the inspector.
        let top = |report: &Report, name: &str| report.at(name, (0.0, 0.0)).1;
        assert!(top(&after, "section.knobs") < top(&before, "section.knobs") - 100.0);
        assert!(top(&after, "section.inspector") > top(&before, "section.inspector") + 100.0);
    });
}

#[test]
fn panels_are_resized_by_their_edges_and_go_back_by_two_clicks() {
    with_display(|display| {
        let (_folder, scene) = calm();
        let before = display.layout(&scene, &[]);
        let program = display.open(&scene, &[]);
        let drag = |edge: &str, by: (f32, f32)| {
            let from = before.at(&format!("edge.{edge}"), (0.5, 0.3));
            let to = (from.0 + by.0, from.1 + by.1);
            program.drag(1, &[from, (from.0 + by.0 / 2.0, from.1 + by.1 / 2.0), to]);
        };
        drag("left", (60.0, 0.0));
        drag("right", (-40.0, 0.0));
        drag("plots", (0.0, -50.0));
        let after = program.close();
        for (name, size) in [("left", 332.0), ("right", 344.0), ("plots", 186.0)] {
            let found = after.number(&format!("/layout/{name}"));
            assert!((found - size).abs() < 8.0, "{name}: {found}");
        }
        // Nobody was placed on the field beside the edges.
        assert_eq!(after.number("/alive"), 80.0);
        let program = display.open(&scene, &[]);
        drag_and_back(&program, before.middle("edge.left"));
        let back = program.close();
        assert!(back.get("/layout/left").is_null());
        // Never so far that the field has no room.
        let program = display.open(&scene, &[]);
        let from = before.middle("edge.left");
        program.drag(1, &[from, (700.0, from.1), (1100.0, from.1)]);
        let far = program.close();
        let field = far.at("field", (1.0, 0.0)).0 - far.at("field", (0.0, 0.0)).0;
        assert!(field >= 340.0, "{field}");
    });
}

fn drag_and_back(program: &super::Program<'_>, from: (f32, f32)) {
    let to = (from.0 + 70.0, from.1);
    program.drag(1, &[from, (from.0 + 30.0, from.1), to]);
    program.double_click(to);
}

#[test]
fn nothing_jumps_when_the_cursor_enters_the_field() {
    with_display(|display| {
        for (name, size, inside) in [
            ("skirmish", "1280x800", "Cursor((150.0, 100.0))"),
            ("skirmish", "1440x900", "Cursor((150.0, 100.0))"),
            ("swarm", "1440x900", "Cursor3((240.0, 200.0, 120.0))"),
        ] {
            let scenes = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes");
            let scene = scenes.join(format!("{name}.ron"));
            let folder = tempfile::tempdir().expect("a temporary folder");
            let places = |steps: &str| {
                let (script, report) = (folder.path().join("s.ron"), folder.path().join("r.json"));
                let script_text = format!("[Pause, NoCursor, Wait(12), {steps} Wait(12)]");
                fs::write(&script, script_text).expect("a script is written");
                let mut all = vec![scene.as_os_str()];
                all.extend(["--size", size, "--script"].map(OsStr::new));
                all.extend([
                    script.as_os_str(),
                    OsStr::new("--report"),
                    report.as_os_str(),
                ]);
                let ended = display.run(&all);
                assert!(ended.status.success(), "{}", ended.stderr);
                let report = Report::read(&report);
                let names = [
                    "section.query under the brush",
                    "section.inspector",
                    "section.brush",
                    "field",
                ];
                names.map(|name| report.get("/widgets")[name].clone())
            };
            let outside = places("");
            assert_eq!(outside, places(&format!("{inside},")), "{name} {size}");
            assert_eq!(outside, places(&format!("{inside}, Hold(true), NoCursor,")));
        }
    });
}

#[test]
fn what_is_pinned_is_read_while_the_cursor_is_elsewhere() {
    with_display(|display| {
        let (_folder, scene) = calm();
        let layout = display.layout(&scene, &[]);
        let program = display.open(&scene, &[]);
        let middle = layout.middle("field");
        program.move_to(middle);
        program.hold_key("shift");
        program.click(middle);
        program.release_key("shift");
        program.move_to((middle.0, layout.middle("section.brush").1));
        assert!(program.close().get("/held").as_bool() == Some(true));
        let program = display.open(&scene, &[]);
        program.hold_key("shift");
        program.click(middle);
        program.release_key("shift");
        program.key("Escape");
        let after = program.close();
        assert!(after.get("/held").as_bool() == Some(false));
        assert_eq!(after.number("/alive"), 80.0);
    });
}

#[test]
fn panels_without_room_are_drawers_with_a_handle() {
    with_display(|display| {
        let (_folder, scene) = calm();
        let folder = tempfile::tempdir().expect("a temporary folder");
        let report = folder.path().join("r.json");
        let layout = |size: &str| {
            let mut all = vec![scene.as_os_str()];
            all.extend(["--size", size, "--frames", "5", "--report"].map(OsStr::new));
            all.push(report.as_os_str());
            assert!(display.run(&all).status.success());
            Report::read(&report)
        };
        // Room for both, for one, for none.
        assert!(
            layout("1000x700")
                .get("/widgets")
                .get("drawer.right")
                .is_none()
        );
        let one = layout("900x700");
        assert!(one.get("/widgets").get("drawer.left").is_none());
        let program = display.open_sized(&scene, (900, 700), &[]);
        program.click(one.middle("drawer.right"));
        let open = program.close();
        assert_eq!(open.get("/drawers").to_string(), "[false,true]");
        open.middle("section.inspector");
        // A click in the drawer is no click on the field; the handle closes it.
        let program = display.open_sized(&scene, (900, 700), &[]);
        program.click(one.middle("drawer.right"));
        program.click(open.middle("drawer.1.open"));
        program.click(open.middle("drawer.right"));
        let closed = program.close();
        assert_eq!(closed.get("/drawers").to_string(), "[false,false]");
        assert_eq!(closed.number("/alive"), 80.0);
        let small = layout("640x480");
        small.middle("drawer.left");
        let field = small.at("field", (1.0, 1.0)).0 - small.at("field", (0.0, 0.0)).0;
        assert!(field > 600.0, "the field has all of the window: {field}");
    });
}
