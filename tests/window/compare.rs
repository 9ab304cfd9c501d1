//! Several structures over one battle: lanes that come, change and go by real clicks, and what is pointed at in every pane.

use super::harness::{Display, Program, Report, with_display};
use super::{Scenes, window_at};
use serde_json::Value;
use std::fs;
use std::path::PathBuf;
use std::time::Duration;

/// One unit that stands by itself, some that stand together, and two structures that follow them.
const PAIR: &str = r#"(
    version: 1,
    name: "Pair",
    field: ((0, 0), (480, 300)),
    seed: 7,
    structure: (kind: "linked-grid"),
    lanes: [(kind: "quadtree")],
    armies: [
        (side: Blue, count: 1, formation: Explicit([(100, 150)]), order: Hold),
        (side: Orange, count: 40, formation: Ranks((380, 100), (440, 200)), order: Hold),
    ],
)
"#;

/// The scene in a folder of its own.
fn pair(scenes: &Scenes) -> PathBuf {
    let path = scenes.path("pair.ron");
    fs::write(&path, PAIR).expect("a scene is written");
    path
}

/// Opens the scene, lets `user` act on the window, whose layout it is given, and returns what it holds then.
fn act_on_pair(display: &Display, user: impl FnOnce(&Program, &Report)) -> Report {
    let scenes = Scenes::new();
    let scene = pair(&scenes);
    let layout = display.layout(&scene, &[]);
    let program = display.open(&scene, &[]);
    user(&program, &layout);
    program.close()
}

/// Something of every lane.
fn of_lanes<'a>(report: &'a Report, what: &str) -> Vec<&'a Value> {
    let lanes = 0..report.count("/lanes");
    lanes
        .map(|lane| report.get(&format!("/lanes/{lane}/{what}")))
        .collect()
}

fn structures(report: &Report) -> Vec<&str> {
    let names = of_lanes(report, "structure").into_iter();
    names.filter_map(Value::as_str).collect()
}

/// Where a point of the world lies in the window, in the pane of a lane.
fn in_pane(report: &Report, lane: usize, point: (f64, f64)) -> (f32, f32) {
    let at = window_at(report, point);
    let from = report.at("field", (0.0, 0.0));
    let to = report.at(&format!("lane.{lane}.pane"), (0.0, 0.0));
    (at.0 - from.0 + to.0, at.1 - from.1 + to.1)
}

#[test]
fn a_scene_with_lanes_is_compared_and_any_other_gets_a_second_one() {
    with_display(|display| {
        let report = act_on_pair(display, |_, _| {});
        assert_eq!(report.text("/view"), "compare");
        assert_eq!(structures(&report), ["linked-grid", "quadtree"]);

        let scenes = Scenes::new();
        let program = display.open(scenes.calm(), &[]);
        program.key("F3");
        program.wait(Duration::from_millis(300));
        let report = program.close();
        assert_eq!(report.text("/view"), "compare");
        let found = structures(&report);
        assert_eq!(found.len(), 2);
        assert_ne!(found[0], found[1]);
    });
}

#[test]
fn lanes_come_change_and_go_by_clicks_while_the_battle_runs() {
    with_display(|display| {
        let (add, list) = ("lane.add", "lane.1.structure");
        // The button opens the list of those that may come.
        let opened = act_on_pair(display, |program, layout| program.click(layout.middle(add)));
        assert_eq!(opened.count("/lanes"), 2);
        let report = act_on_pair(display, |program, layout| {
            program.click(layout.middle(add));
            program.click(opened.middle("lane.add.kd-tree"));
            program.wait(Duration::from_millis(300));
        });
        assert_eq!(structures(&report), ["linked-grid", "quadtree", "kd-tree"]);
        assert_eq!(report.text("/mode"), "running");
        assert!(report.number("/tick") > 10.0);

        // Four are the most: the button does nothing then.
        let full = act_on_pair(display, |program, layout| {
            for _ in 0..5 {
                program.click(layout.middle(add));
                program.click(opened.middle("lane.add.bvh"));
            }
            program.wait(Duration::from_millis(300));
        });
        assert_eq!(full.count("/lanes"), 4);
        assert_eq!(full.get("/notice"), &Value::Null);

        // Where the rows of an open list lie, a window that is closed with it says.
        let opened = act_on_pair(display, |program, layout| {
            program.click(layout.middle(list));
        });
        let changed = act_on_pair(display, |program, layout| {
            program.click(layout.middle(list));
            program.click(opened.middle("lane.1.structure.bvh"));
            program.wait(Duration::from_millis(300));
        });
        assert_eq!(structures(&changed), ["linked-grid", "bvh"]);
        assert_eq!(changed.number("/alive"), 41.0);

        let opened = act_on_pair(display, |program, layout| {
            program.click(layout.middle("lane.1.knobs"));
        });
        let turned = act_on_pair(display, |program, layout| {
            program.click(layout.middle("lane.1.knobs"));
            let slider = "lane.1.knob.capacity";
            program.drag(1, &[opened.middle(slider), opened.at(slider, (0.9, 0.5))]);
            program.wait(Duration::from_millis(300));
        });
        let capacity = "/lanes/1/knobs/capacity";
        assert!(turned.number(capacity) > opened.number(capacity));
        assert_eq!(turned.number("/alive"), 41.0);

        let dropped = act_on_pair(display, |program, layout| {
            program.click(layout.middle("lane.1.drop"));
            program.wait(Duration::from_millis(300));
        });
        assert_eq!(structures(&dropped), ["linked-grid"]);
        let swapped = act_on_pair(display, |program, layout| {
            program.click(layout.middle("lane.swap"));
            program.wait(Duration::from_millis(300));
        });
        assert_eq!(structures(&swapped), ["quadtree", "linked-grid"]);
    });
}

#[test]
fn what_is_pointed_at_in_one_pane_is_lit_in_all() {
    with_display(|display| {
        for pane in [0, 1] {
            let report = act_on_pair(display, |program, layout| {
                program.move_to(in_pane(layout, pane, (410.0, 150.0)));
                program.wait(Duration::from_millis(400));
            });
            let hits = of_lanes(&report, "hits");
            assert!(
                !hits[0].as_array().expect("a list").is_empty(),
                "{report:?}"
            );
            assert_eq!(hits[0], hits[1]);
            let hovered = of_lanes(&report, "hovered");
            assert!(hovered[0].is_u64(), "nobody is lit: {report:?}");
            assert_eq!(hovered[0], hovered[1]);
        }
    });
}

#[test]
fn a_unit_that_is_dragged_is_elsewhere_in_every_pane() {
    with_display(|display| {
        let away = (200.0, 60.0);
        let drag = |program: &Program, layout: &Report| {
            let way = [(100.0, 150.0), (120.0, 120.0), (160.0, 90.0), away];
            program.drag(1, &way.map(|point| in_pane(layout, 1, point)));
            program.wait(Duration::from_millis(400));
        };
        // What was moved is a change to the scene: saved, nobody is asked about it.
        let save = |program: &Program| {
            program.key("ctrl+s");
            program.wait(Duration::from_millis(400));
        };
        let with_look = act_on_pair(display, |program, layout| {
            program.click(layout.middle("brush.look"));
            // With Look who is selected goes with the hand; from others a box is drawn.
            program.click(in_pane(layout, 1, (100.0, 150.0)));
            drag(program, layout);
            save(program);
        });
        let with_shift = act_on_pair(display, |program, layout| {
            program.hold_key("shift");
            drag(program, layout);
            program.release_key("shift");
            save(program);
        });
        for report in [with_look, with_shift] {
            // The pointer is where the unit was let go: both structures find it there.
            let hovered = of_lanes(&report, "hovered");
            assert_eq!(hovered, [0, 0], "{report:?}");
            assert_eq!(report.number("/selection"), 0.0);
            assert_eq!(report.number("/alive"), 41.0);
            assert_eq!(report.text("/undo"), "move 1 unit");
            assert_eq!(
                of_lanes(&report, "difference"),
                [&Value::Null, &Value::Null]
            );
        }
        let taken_back = act_on_pair(display, |program, layout| {
            program.click(layout.middle("brush.look"));
            drag(program, layout);
            program.key("ctrl+z");
            program.move_to(in_pane(layout, 1, (100.0, 150.0)));
            program.wait(Duration::from_millis(400));
        });
        assert_eq!(of_lanes(&taken_back, "hovered"), [0, 0]);
        assert_eq!(taken_back.get("/undo"), &Value::Null);
    });
}

#[test]
fn the_wheel_and_a_drag_move_all_panes_from_any_of_them() {
    with_display(|display| {
        let spot = (300.0, 200.0);
        let mut cameras = Vec::new();
        for pane in [0, 1] {
            let report = act_on_pair(display, |program, layout| {
                program.wheel(in_pane(layout, pane, spot), 3);
                let from = in_pane(layout, pane, (200.0, 150.0));
                program.drag(2, &[from, (from.0 + 60.0, from.1 + 20.0)]);
            });
            cameras.push((report.point("/camera"), report.number("/camera/height")));
        }
        let ((first, height), (second, other)) = (cameras[0], cameras[1]);
        assert!((height - other).abs() < 0.01 * height);
        let apart = (first.0 - second.0).hypot(first.1 - second.1);
        assert!(apart < 0.02 * height, "{cameras:?}");
    });
}
