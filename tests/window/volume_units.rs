//! Many units at once in space, by real clicks: a box, a drag together, copies, keys, and what the file says of it.

use super::harness::{Program, Report, with_display};
use super::{Scenes, await_saved};
use skirmish::scene::{self, Scene};
use skirmish::volume::Vec3;
use std::fs;
use std::path::PathBuf;
use std::time::Duration;

/// Nine who stand in a square that faces the eye, and a crowd apart.
const SQUARE: &str = r#"(
    version: 1,
    name: "Square",
    field: ((0, 0), (200, 200)),
    structure: (kind: "octree"),
    volume: (
        heights: (0, 200),
        reach: 4,
        camera: (pivot: (100, 100, 100), distance: 400, azimuth: 0, elevation: 0),
        flocks: [
            (side: Blue, motion: Hold, formation: Explicit([
                (50, 100, 90), (60, 100, 90), (70, 100, 90), (50, 100, 100), (60, 100, 100), (70, 100, 100),
                (50, 100, 110), (60, 100, 110), (70, 100, 110),
            ])),
            (side: Orange, motion: Hold, count: 30, formation: Ball(center: (150, 100, 100), radius: 10)),
        ],
    ),
)
"#;

/// Where a place in the plane of the square is on the screen, by the layout of the window.
fn at(layout: &Report, x: f32, z: f32) -> (f32, f32) {
    let ((left, top), (right, bottom)) = (
        layout.at("field", (0.0, 0.0)),
        layout.at("field", (1.0, 1.0)),
    );
    // The eye sees 35 degrees from above to below, from 400 m.
    let scale = (bottom - top) / 2.0 / 17.5_f32.to_radians().tan() / 400.0;
    (
        (left + right) / 2.0 + (x - 100.0) * scale,
        (top + bottom) / 2.0 - (z - 100.0) * scale,
    )
}

/// Drags with Shift held.
fn shift_drag(program: &Program, points: &[(f32, f32)]) {
    program.hold_key("shift");
    program.drag(1, points);
    program.release_key("shift");
}

fn flocks(scene: &Scene) -> &[scene::Flock] {
    &scene.volume.as_ref().expect("a volume").flocks
}

/// Where those of the first flock are, who are given one by one.
fn places(scene: &Scene) -> &[Vec3] {
    match &flocks(scene)[0].formation {
        scene::Formation3::Explicit(places) => places,
        other => panic!("{other:?}"),
    }
}

/// Whether the nine are where the scene had them at first, moved by a way.
fn are_moved(scene: &Scene, way: Vec3) -> bool {
    let first = scene::file::parse(SQUARE.as_bytes(), "square").expect("a scene");
    let pairs = places(scene).iter().zip(places(&first));
    pairs
        .into_iter()
        .all(|(now, before)| now.distance(*before + way) < 1.0)
}

#[test]
fn who_is_in_a_box_is_moved_duplicated_copied_deleted_and_saved() {
    with_display(|display| {
        let scenes = Scenes::new();
        let file: PathBuf = scenes.path("square.ron");
        fs::write(&file, SQUARE).expect("a scene is written");
        let layout = display.layout(&file, &[]);
        let program = display.open(&file, &[]);
        let at = |x, z| at(&layout, x, z);
        let saved = |what: &str, is_so: &dyn Fn(&Scene) -> bool| {
            program.key("ctrl+s");
            await_saved(&file, what, is_so)
        };

        // A box around the nine, and all of them by one of them.
        program.click(layout.middle("brush.look"));
        shift_drag(
            &program,
            &[at(44.0, 116.0), at(60.0, 100.0), at(76.0, 84.0)],
        );
        program.drag(1, &[at(60.0, 100.0), at(70.0, 110.0), at(100.0, 120.0)]);
        let way = Vec3::new(40.0, 0.0, 20.0);
        let moved = saved("the nine have moved", &|it| are_moved(it, way));
        assert!(flocks(&moved)[1].moved.is_empty(), "and nobody else");
        program.key("ctrl+z");
        saved("they are back", &|it| are_moved(it, Vec3::ZERO));
        program.key("ctrl+y");
        saved("and there again", &|it| are_moved(it, way));

        // By keys, one edit.
        program.key("Right");
        program.key("shift+Up");
        let nudged = way + Vec3::new(1.0, 0.0, 10.0);
        saved("nudged", &|it| are_moved(it, nudged));
        program.key("ctrl+z");
        saved("the keys are undone", &|it| are_moved(it, way));

        // Twice, three times, and the last ones go again.
        program.key("ctrl+d");
        saved("duplicated", &|it| it.unit_count() == 48);
        program.key("ctrl+c");
        program.move_to(at(100.0, 160.0));
        program.wait(Duration::from_millis(300));
        program.key("ctrl+v");
        saved("pasted", &|it| it.unit_count() == 57);
        program.key("Delete");
        saved("the pasted are deleted", &|it| it.unit_count() == 48);

        // The crowd that a formation places, with Shift from nobody: its own places are kept as moved.
        program.key("Escape");
        shift_drag(
            &program,
            &[at(136.0, 114.0), at(150.0, 100.0), at(164.0, 86.0)],
        );
        program.key("shift+Left");
        let crowd = saved("the crowd has moved", &|it| flocks(it)[1].moved.len() == 30);
        let first = scene::file::parse(SQUARE.as_bytes(), "square").expect("a scene");
        let before = scene::generate::flock(&first, 1).positions;
        let after = scene::generate::flock(&crowd, 1).positions;
        let left = Vec3::new(-10.0, 0.0, 0.0);
        assert!(
            after
                .iter()
                .zip(&before)
                .all(|(now, it)| now.distance(*it + left) < 0.01)
        );

        // Saved under another name, it is the same.
        program.key("ctrl+shift+s");
        program.wait(Duration::from_millis(700));
        program.key("ctrl+a");
        program.type_text("mine.ron");
        program.key("Return");
        await_saved(&scenes.path("mine.ron"), "saved as mine", |it| *it == crowd);
        program.close();
    });
}

#[test]
fn squadrons_in_a_box_are_deleted_and_come_back() {
    with_display(|display| {
        let scenes = Scenes::new();
        let file = scenes.path("dogfight.ron");
        fs::copy("scenes/dogfight.ron", &file).expect("a scene is copied");
        let whole = scene::file::read(&file).expect("a scene").unit_count();
        let layout = display.layout(&file, &[]);
        let selected = |acts: &dyn Fn(&Program)| {
            let program = display.open(&file, &[]);
            program.key("space");
            program.wait(Duration::from_millis(300));
            let left = layout.at("field", (0.02, 0.15));
            let middle = layout.at("field", (0.3, 0.5));
            shift_drag(&program, &[left, middle, layout.at("field", (0.5, 0.9))]);
            acts(&program);
            program.close()
        };
        let report = selected(&|_| {});
        let count = report.number("/selected") as u64;
        assert!(0 < count && count < whole, "{count} of {whole}");
        selected(&|program| {
            program.key("Delete");
            program.key("ctrl+s");
            let left = await_saved(&file, "some are gone", |it| it.unit_count() < whole);
            assert!(left.unit_count() > 0);
            program.key("ctrl+z");
            program.key("ctrl+s");
            await_saved(&file, "all are back", |it| it.unit_count() == whole);
        });
    });
}
