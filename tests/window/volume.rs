//! The third dimension by real clicks: the eye, the slice, the structures, units that come and go, and the query.

use super::harness::{Program, Report, with_display};
use super::{Scenes, await_saved};
use skirmish::partition::Kind;
use skirmish::scene;
use skirmish::volume::Kind3;
use std::fs;
use std::path::PathBuf;
use std::time::Duration;

/// A crowd that holds around the middle of a cube, and one unit by itself in front of it.
const CUBE: &str = r#"(
    version: 1,
    name: "Cube",
    field: ((0, 0), (200, 200)),
    seed: 7,
    structure: (kind: "octree", knobs: {"capacity": 8}),
    volume: (
        heights: (0, 200),
        reach: 10,
        flocks: [
            (side: Blue, count: 300, formation: Ball(center: (100, 100, 100), radius: 30), motion: Hold),
            (side: Orange, count: 100, formation: Ball(center: (150, 150, 150), radius: 20), motion: Hold),
        ],
    ),
)
"#;

fn cube(scenes: &Scenes) -> PathBuf {
    let path = scenes.path("cube.ron");
    fs::write(&path, CUBE).expect("a scene is written");
    path
}

/// Opens the cube, lets `user` act on the window, whose layout it is given, and returns the report before and after.
fn act_on_cube(
    arguments: &[&str],
    user: impl FnOnce(&Program, &Report),
) -> Option<(Report, Report)> {
    let mut reports = None;
    with_display(|display| {
        let scenes = Scenes::new();
        let scene = cube(&scenes);
        let before = display.layout(&scene, arguments);
        let program = display.open(&scene, arguments);
        user(&program, &before);
        reports = Some((before, program.close()));
    });
    reports
}

#[test]
fn a_drag_turns_the_eye_and_the_right_button_moves_it_and_home_frames_all() {
    let reports = act_on_cube(&[], |program, layout| {
        let at = layout.middle("field");
        program.drag(
            1,
            &[at, (at.0 + 40.0, at.1 + 10.0), (at.0 + 100.0, at.1 + 30.0)],
        );
    });
    let Some((before, after)) = reports else {
        return;
    };
    assert_eq!(before.text("/view"), "volume");
    assert_ne!(
        before.number("/space/azimuth"),
        after.number("/space/azimuth")
    );
    assert_ne!(
        before.number("/space/elevation"),
        after.number("/space/elevation")
    );
    assert_eq!(before.get("/space/pivot"), after.get("/space/pivot"));
    assert_eq!(before.number("/units"), after.number("/units"));

    let reports = act_on_cube(&[], |program, layout| {
        let at = layout.middle("field");
        program.drag(
            3,
            &[at, (at.0 + 40.0, at.1 + 10.0), (at.0 + 100.0, at.1 + 30.0)],
        );
    });
    let Some((before, after)) = reports else {
        return;
    };
    assert_eq!(
        before.number("/space/azimuth"),
        after.number("/space/azimuth")
    );
    assert_ne!(before.get("/space/pivot"), after.get("/space/pivot"));

    let reports = act_on_cube(&[], |program, layout| {
        let at = layout.middle("field");
        program.wheel(at, 4);
        program.drag(3, &[at, (at.0 + 60.0, at.1 + 10.0)]);
        program.key("Home");
    });
    let Some((before, after)) = reports else {
        return;
    };
    assert_eq!(before.get("/space/pivot"), after.get("/space/pivot"));
    assert_eq!(
        before.number("/space/distance"),
        after.number("/space/distance")
    );
}

#[test]
fn the_wheel_comes_nearer_to_what_is_under_the_pointer() {
    let reports = act_on_cube(&[], |program, layout| {
        let (x, y) = layout.middle("field");
        program.wheel((x + 80.0, y - 40.0), 3);
    });
    let Some((before, after)) = reports else {
        return;
    };
    assert!(after.number("/space/distance") < 0.8 * before.number("/space/distance"));
    assert_ne!(before.get("/space/pivot"), after.get("/space/pivot"));
}

#[test]
fn the_slice_is_switched_on_by_a_click_and_moved_by_its_handle() {
    let reports = act_on_cube(&[], |program, layout| {
        program.click(layout.middle("slice.y"));
    });
    let Some((before, after)) = reports else {
        return;
    };
    assert!(before.get("/space/slice").is_null());
    assert_eq!(after.number("/space/slice/axis"), 1.0);
    assert_eq!(after.number("/space/slice/at"), 100.0);
    let handle = after.middle("slice.handle");
    let reports = act_on_cube(&[], |program, layout| {
        program.click(layout.middle("slice.y"));
        program.wait(Duration::from_millis(300));
        program.drag(
            1,
            &[
                handle,
                (handle.0 + 30.0, handle.1 - 20.0),
                (handle.0 + 60.0, handle.1 - 40.0),
            ],
        );
    });
    let Some((_, moved)) = reports else { return };
    assert_ne!(moved.number("/space/slice/at"), 100.0);
    assert_eq!(
        before.number("/space/azimuth"),
        moved.number("/space/azimuth")
    );
}

#[test]
fn structures_are_switched_while_it_runs_and_nothing_else_changes() {
    let reports = act_on_cube(&[], |program, layout| {
        for kind in Kind3::ALL {
            program.click(layout.middle(&format!("structure.{}", kind.info().key)));
            program.wait(Duration::from_millis(120));
        }
        program.key("2");
        program.wait(Duration::from_millis(300));
    });
    let Some((before, after)) = reports else {
        return;
    };
    assert_eq!(before.text("/structure"), "octree");
    assert_eq!(after.text("/structure"), Kind3::ALL[1].info().key);
    assert_eq!(before.number("/alive"), after.number("/alive"));
    assert_eq!(after.count("/lanes"), 1);
    assert!(after.get("/lanes/0/difference").is_null());
}

#[test]
fn a_click_places_units_where_it_points_and_undo_takes_them_back() {
    with_display(|display| {
        let scenes = Scenes::new();
        let scene = cube(&scenes);
        let layout = display.layout(&scene, &[]);
        let program = display.open(&scene, &[]);
        program.click(layout.middle("field"));
        program.key("ctrl+s");
        let placed = await_saved(&scene, "units were placed", |it| it.unit_count() > 400);
        let Some(volume) = &placed.volume else {
            panic!("the volume is gone");
        };
        // It pointed at the crowd in the middle: the units are around one of it, and not on the ground.
        let scene::Formation3::Explicit(places) = &volume.flocks.last().expect("a flock").formation
        else {
            panic!("what was placed is not written one by one");
        };
        let middle = skirmish::volume::Vec3::splat(100.0);
        assert!(places.iter().all(|place| place.distance(middle) < 80.0));
        program.key("ctrl+z");
        program.key("ctrl+s");
        await_saved(&scene, "they are gone", |it| it.unit_count() == 400);
        program.close();
    });
}

#[test]
fn a_click_is_where_it_was_however_quickly_the_pointer_comes_and_goes() {
    with_display(|display| {
        let scenes = Scenes::new();
        let scene = cube(&scenes);
        let layout = display.layout(&scene, &[]);
        let program = display.open(&scene, &[]);
        let (left, top) = layout.at("field", (0.0, 0.0));
        let away = (left + 60.0, top + 120.0);
        for _ in 0..3 {
            program.move_to(away);
            program.wait(Duration::from_millis(300));
            program.dart(layout.middle("field"));
            program.move_to(away);
        }
        program.wait(Duration::from_millis(300));
        program.key("ctrl+s");
        let placed = await_saved(&scene, "units were placed three times", |it| {
            it.unit_count() == 400 + 3 * 12
        });
        let flocks = placed.volume.expect("a volume").flocks;
        let middle = skirmish::volume::Vec3::splat(100.0);
        let mut count = 0;
        for flock in &flocks {
            if let scene::Formation3::Explicit(places) = &flock.formation {
                assert!(places.iter().all(|place| place.distance(middle) < 80.0));
                count += places.len();
            }
        }
        assert_eq!(count, 36);
        program.close();
    });
}

#[test]
fn the_depths_of_boxes_are_dragged_by_two_ends() {
    with_display(|display| {
        let scenes = Scenes::new();
        let scene = cube(&scenes);
        // High enough that nothing of the panel has to be scrolled to.
        let open = || display.open_sized(&scene, (1920, 1080), &[]);
        let before = open().close();
        let program = open();
        let (to, y) = before.middle("depths.to");
        program.drag(1, &[(to, y), (to - 40.0, y), (to - 90.0, y)]);
        let (from, _) = before.middle("depths.from");
        program.drag(1, &[(from, y), (from + 20.0, y), (from + 40.0, y)]);
        let between = |report: &Report| {
            let end = |end: &str| report.number(&format!("/space/depths/{end}"));
            (end("0"), end("1"))
        };
        assert_eq!(between(&before), (0.0, 12.0));
        let (first, last) = between(&program.close());
        assert!(
            0.0 < first && first < last && last < 12.0,
            "{first} to {last}"
        );
        // The lower end never passes the upper one.
        let program = open();
        program.drag(1, &[(to, y), (to - 40.0, y), (to - 90.0, y)]);
        program.drag(1, &[(from, y), (to - 60.0, y), (to - 10.0, y)]);
        let (first, last) = between(&program.close());
        assert!(first == last && last < 12.0, "{first} to {last}");
    });
}

#[test]
fn a_query_under_the_pointer_finds_the_same_under_every_structure() {
    let mut found = Vec::new();
    for kind in Kind3::ALL {
        let key = kind.info().key;
        let reports = act_on_cube(&["--structure", key], |program, layout| {
            program.move_to(layout.middle("field"));
            program.wait(Duration::from_millis(400));
        });
        let Some((_, after)) = reports else { return };
        assert!(after.count("/lanes/0/hits") > 0, "{key}");
        found.push((
            after.get("/lanes/0/hits").clone(),
            after.get("/lanes/0/hovered").clone(),
        ));
    }
    assert!(found.iter().all(|it| *it == found[0]));
}

#[test]
fn a_motion_is_told_by_a_click_and_they_fly() {
    let reports = act_on_cube(&[], |program, layout| {
        program.click(layout.middle("order.blue.drift"));
        program.wait(Duration::from_millis(600));
    });
    let Some((before, after)) = reports else {
        return;
    };
    assert_eq!(before.text("/space/motions/0"), "hold");
    assert_eq!(after.text("/space/motions/0"), "drift");
    assert_eq!(after.text("/undo"), "order blue to drift");
}

#[test]
fn other_views_show_the_scenes_that_they_are_for_or_say_that_it_is_a_plane() {
    let reports = act_on_cube(&[], |program, _| {
        program.key("F4");
        program.wait(Duration::from_millis(200));
    });
    let Some((_, after)) = reports else { return };
    assert_eq!(after.text("/view"), "volume");
    assert_eq!(after.get("/gallery"), true);
    let reports = act_on_cube(&[], |program, _| {
        program.key("F2");
        program.wait(Duration::from_millis(200));
    });
    let Some((_, after)) = reports else { return };
    assert_eq!(after.text("/view"), "volume");
    assert!(
        after.text("/notice").contains("in space"),
        "{}",
        after.text("/notice")
    );
    with_display(|display| {
        let scenes = Scenes::new();
        let program = display.open(scenes.calm(), &[]);
        program.key("F5");
        program.wait(Duration::from_millis(200));
        let after = program.close();
        assert_eq!(after.text("/view"), "battle");
        assert_eq!(after.text("/structure"), Kind::LinkedGrid.info().key);
        // Those that lie in space are shown, to be opened.
        assert_eq!(after.get("/gallery"), true);
        let program = display.open(scenes.calm(), &[]);
        program.key("F5");
        program.wait(Duration::from_millis(400));
        program.type_text("swarm");
        program.wait(Duration::from_millis(400));
        program.key("Return");
        program.wait(Duration::from_millis(900));
        assert_eq!(program.close().text("/view"), "volume");
    });
}

#[test]
fn every_structure_of_space_is_measured_in_a_table() {
    with_display(|display| {
        let scenes = Scenes::new();
        let scene = cube(&scenes);
        let compare = |acts: &dyn Fn(&Program)| {
            let program = display.open(&scene, &[]);
            program.key("F3");
            program.wait(Duration::from_millis(400));
            acts(&program);
            program.close()
        };
        let all = compare(&|_| {}).middle("compare.all");
        let table = compare(&|program| {
            program.click(all);
            program.wait(Duration::from_millis(900));
        });
        assert_eq!(table.count("/survey"), Kind3::ALL.len());
        for (row, kind) in Kind3::ALL.iter().enumerate() {
            assert_eq!(table.text(&format!("/survey/{row}")), kind.info().key);
        }
        let row = table.middle("table.row.morton-3d");
        let chosen = compare(&|program| {
            program.click(all);
            program.wait(Duration::from_millis(900));
            program.click(row);
            program.wait(Duration::from_millis(400));
            // And back to the panes, by the button with the other word.
            program.click(all);
            program.wait(Duration::from_millis(300));
        });
        assert_eq!(chosen.text("/structure"), "morton-3d");
        assert_eq!(chosen.count("/survey"), 0);
    });
}
