//! The window under real clicks and keys: what it holds afterwards, by its own report.
//!
//! Each test opens the program in a virtual display, does what a user would do, closes the window with Ctrl+Q and reads
//! `--report`. Where widgets are is learned from a first short run, for the layout depends on nothing but the scene and
//! the size. What the window holds in between is seen in the scene that Ctrl+S saves.

#![cfg(feature = "app")]

#[cfg(all(feature = "accessibility", target_os = "linux"))]
#[path = "window/access.rs"]
mod access;
#[path = "window/alone.rs"]
mod alone;
#[path = "window/caption.rs"]
mod caption;
#[path = "window/compare.rs"]
mod compare;
#[path = "window/gallery.rs"]
mod gallery;
#[path = "window/harness.rs"]
mod harness;
#[path = "window/idle.rs"]
mod idle;
#[path = "window/layout.rs"]
mod layout;
#[path = "window/life.rs"]
mod life;
#[path = "window/objects.rs"]
mod objects;
#[path = "window/past.rs"]
mod past;
#[path = "window/session.rs"]
mod session;
#[path = "window/settings.rs"]
mod settings;
#[path = "window/soak.rs"]
mod soak;
#[path = "window/stepping.rs"]
mod stepping;
#[path = "window/stops.rs"]
mod stops;
#[path = "window/unsaved.rs"]
mod unsaved;
#[path = "window/views.rs"]
mod views;
#[path = "window/volume.rs"]
mod volume;
#[path = "window/volume_units.rs"]
mod volume_units;

use harness::{Display, Program, Report, run_in, run_without_display, with_display};
use image::RgbImage;
use skirmish::partition::Kind;
use skirmish::scene::{self, Scene};
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Two small armies that stand far apart and do nothing, with free ground between them.
const CALM: &str = r#"(
    version: 1,
    name: "Calm",
    field: ((0, 0), (480, 300)),
    seed: 7,
    structure: (kind: "linked-grid"),
    armies: [
        (side: Blue, count: 40, formation: Ranks((20, 100), (80, 200)), order: Hold),
        (side: Orange, count: 40, formation: Ranks((400, 100), (460, 200)), order: Hold),
    ],
)
"#;

/// A row of objects along the x axis, of which the character at its left end needs the first few.
const WORLD: &str = r#"(
    version: 1,
    name: "Row",
    field: ((0, 0), (1000, 600)),
    structure: (kind: "linked-grid"),
    character: (position: (100, 300), speed: 50),
    world: (
        need_factor: 1, need_min: 20, need_max: 40, lead: 20, margin: 20,
        objects: [
            Object((100, 300), (10, 10), "stone.png"),
            Object((150, 300), (10, 10), "stone.png"),
            Object((500, 300), (10, 10), "stone.png"),
            Object((800, 300), (10, 10), "stone.png"),
            Object((830, 300), (10, 10), "stone.png"),
            Object((860, 300), (10, 10), "stone.png"),
        ],
    ),
)
"#;

/// How long a dialog takes to come, at most.
const OPENING: Duration = Duration::from_millis(500);

/// A folder with scenes of its own, so that a test may save them.
struct Scenes {
    folder: TempDir,
}

impl Scenes {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        for (name, text) in [
            ("calm.ron", CALM),
            ("world.ron", WORLD),
            ("broken.ron", "(version: 1,"),
        ] {
            fs::write(folder.path().join(name), text).expect("a scene is written");
        }
        let stone = RgbImage::from_pixel(16, 16, image::Rgb([90, 90, 100]));
        stone
            .save(folder.path().join("stone.png"))
            .expect("a picture is written");
        Self { folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn calm(&self) -> PathBuf {
        self.path("calm.ron")
    }
}

/// What a window with the calm scene shows before anybody touches it; the same in every folder.
fn calm_layout(display: &Display) -> &'static Report {
    static LAYOUT: OnceLock<Report> = OnceLock::new();
    LAYOUT.get_or_init(|| display.layout(Scenes::new().calm(), &[]))
}

/// Opens the calm scene, lets `user` act on the window, whose layout it is given, and returns the report before and after.
fn act_on_calm(
    display: &Display,
    user: impl FnOnce(&Program, &Report),
) -> (&'static Report, Report) {
    let scenes = Scenes::new();
    let before = calm_layout(display);
    let program = display.open(scenes.calm(), &[]);
    user(&program, before);
    (before, program.close())
}

/// Waits until `is_so` of the scene in a file that the window saves.
fn await_saved(path: &Path, what: &str, is_so: impl Fn(&Scene) -> bool) -> Scene {
    let start = Instant::now();
    loop {
        let scene = scene::file::read(path);
        match scene {
            Ok(scene) if is_so(&scene) => return scene,
            other => assert!(
                start.elapsed() < Duration::from_secs(10),
                "{what}: {other:?}"
            ),
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Where a point of the window lies in the world, by the camera of a report.
fn world_at(report: &Report, (x, y): (f32, f32)) -> (f64, f64) {
    let (left, top) = report.at("field", (0.0, 0.0));
    let (right, bottom) = report.at("field", (1.0, 1.0));
    let scale = report.number("/camera/height") / f64::from(bottom - top);
    let center = report.point("/camera");
    (
        center.0 + f64::from(x - (left + right) / 2.0) * scale,
        center.1 + f64::from(y - (top + bottom) / 2.0) * scale,
    )
}

/// Where a point of the world lies in the window.
fn window_at(report: &Report, (x, y): (f64, f64)) -> (f32, f32) {
    let (left, top) = report.at("field", (0.0, 0.0));
    let (right, bottom) = report.at("field", (1.0, 1.0));
    let scale = f64::from(bottom - top) / report.number("/camera/height");
    let center = report.point("/camera");
    (
        ((x - center.0) * scale) as f32 + (left + right) / 2.0,
        ((y - center.1) * scale) as f32 + (top + bottom) / 2.0,
    )
}

fn assert_near(found: (f64, f64), expected: (f64, f64), tolerance: f64, what: &str) {
    let distance = (found.0 - expected.0).hypot(found.1 - expected.1);
    assert!(
        distance <= tolerance,
        "{what}: found {found:?}, expected {expected:?}"
    );
}

#[test]
fn a_click_on_the_field_places_units() {
    with_display(|display| {
        let (before, after) = act_on_calm(display, |program, layout| {
            program.click(layout.middle("field"))
        });
        assert_eq!(before.number("/units"), 80.0);
        assert!(after.number("/units") > 80.0);
    });
}

#[test]
fn a_click_on_a_chip_places_nobody_under_it() {
    with_display(|display| {
        let (before, after) = act_on_calm(display, |program, layout| {
            program.click(layout.middle("chip.scale"))
        });
        assert_eq!(before.number("/units"), after.number("/units"));
    });
}

#[test]
fn a_value_can_be_typed_and_types_no_command() {
    with_display(|display| {
        let (before, after) = act_on_calm(display, |program, layout| {
            program.click(layout.middle("units.value"));
            program.key("ctrl+a");
            program.type_text("123");
            program.key("Return");
        });
        assert_eq!(after.number("/units"), 123.0);
        assert_eq!(before.text("/structure"), after.text("/structure"));
    });
}

#[test]
fn a_drag_on_the_field_places_more_units_than_a_click() {
    with_display(|display| {
        let (_, click) = act_on_calm(display, |program, layout| {
            program.click(layout.middle("field"))
        });
        let (_, drag) = act_on_calm(display, |program, layout| {
            let way = [(0.5, 0.15), (0.5, 0.5), (0.5, 0.85)].map(|place| layout.at("field", place));
            program.drag(1, &way);
        });
        assert!(drag.number("/units") > click.number("/units"));
    });
}

#[test]
fn a_press_on_a_panel_places_no_units_even_when_it_is_dragged_onto_the_field() {
    with_display(|display| {
        let (_, after) = act_on_calm(display, |program, layout| {
            let field = layout.at("field", (0.0, 0.0));
            let middle = layout.middle("field");
            let knob = layout.middle("knob.cell_size");
            program.click((field.0 / 2.0, middle.1));
            program.drag(
                1,
                &[(field.0 / 2.0, 790.0), (field.0 + 60.0, middle.1), middle],
            );
            program.drag(1, &[knob, (field.0 + 60.0, middle.1), middle]);
            program.click(layout.middle("menu.File"));
            program.key("Escape");
        });
        assert_eq!(after.number("/units"), 80.0);
    });
}

#[test]
fn each_digit_chooses_a_structure_and_the_battle_goes_on() {
    with_display(|display| {
        let keys = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "0", "minus"];
        let scenes = Scenes::new();
        let program = display.open(scenes.calm(), &[]);
        for (kind, key) in Kind::ALL.iter().zip(keys) {
            program.key(key);
            program.key("ctrl+s");
            await_saved(&scenes.calm(), key, |scene| scene.structure.kind == *kind);
        }
        program.key("1");
        program.key("bracketright");
        let after = program.close();
        assert_eq!(
            after.text("/structure"),
            Kind::ALL[1 % Kind::ALL.len()].info().key
        );
        // Two pauses of a user a structure, at less than half of sixty ticks a second.
        assert!(
            after.number("/tick") > (5 * Kind::ALL.len()) as f64,
            "the battle stood still: {after:?}"
        );
        assert_eq!(after.text("/mode"), "running");
    });
}

#[test]
fn a_structure_is_chosen_by_a_click_too() {
    with_display(|display| {
        for kind in Kind::ALL {
            let key = kind.info().key;
            let (_, after) = act_on_calm(display, |program, layout| {
                program.click(layout.middle(&format!("structure.{key}")));
            });
            assert_eq!(after.text("/structure"), key);
        }
    });
}

#[test]
fn the_cell_size_follows_its_slider() {
    with_display(|display| {
        let drag_to = |place: f32| {
            let (before, after) = act_on_calm(display, |program, layout| {
                let from = layout.middle("knob.cell_size");
                program.drag(1, &[from, layout.at("knob.cell_size", (place, 0.5))]);
            });
            (
                before.number("/knobs/cell_size"),
                after.number("/knobs/cell_size"),
            )
        };
        let (default, small) = drag_to(0.1);
        let (_, large) = drag_to(0.9);
        assert!(small < large, "{small} {large}");
        assert!(
            small != default && large != default,
            "{small} {default} {large}"
        );
    });
}

#[test]
fn the_number_of_units_follows_its_slider() {
    with_display(|display| {
        let drag_to = |place: f32| {
            let (_, after) = act_on_calm(display, |program, layout| {
                program.drag(
                    1,
                    &[layout.middle("units"), layout.at("units", (place, 0.5))],
                );
            });
            after.number("/units")
        };
        let (few, many) = (drag_to(0.2), drag_to(0.5));
        assert!(few < many && many != 80.0, "{few} {many}");
    });
}

#[test]
fn the_wheel_zooms_at_the_cursor() {
    with_display(|display| {
        let at = |layout: &Report| layout.at("field", (0.3, 0.7));
        let (before, near) = act_on_calm(display, |program, layout| program.wheel(at(layout), 3));
        assert!(near.number("/camera/height") < 0.9 * before.number("/camera/height"));
        let tolerance = near.number("/camera/height") / 100.0;
        let under_cursor = world_at(before, at(before));
        assert_near(
            world_at(&near, at(&near)),
            under_cursor,
            tolerance,
            "under the cursor",
        );

        let (_, far) = act_on_calm(display, |program, layout| program.wheel(at(layout), -3));
        assert!(far.number("/camera/height") > 1.1 * before.number("/camera/height"));
    });
}

#[test]
fn a_middle_and_a_right_drag_pan() {
    with_display(|display| {
        for button in [2, 3] {
            let (before, after) = act_on_calm(display, |program, layout| {
                let way =
                    [(0.5, 0.5), (0.6, 0.6), (0.7, 0.6)].map(|place| layout.at("field", place));
                program.drag(button, &way);
            });
            assert_eq!(
                after.number("/camera/height"),
                before.number("/camera/height")
            );
            // The world's point that was grabbed is under the pointer still.
            let grabbed = world_at(before, before.at("field", (0.5, 0.5)));
            let released = world_at(&after, after.at("field", (0.7, 0.6)));
            assert_near(
                released,
                grabbed,
                before.number("/camera/height") / 100.0,
                "the grabbed point",
            );
            assert_eq!(after.number("/units"), 80.0);
        }
    });
}

#[test]
fn home_shows_all_of_the_field_again() {
    with_display(|display| {
        let (before, after) = act_on_calm(display, |program, layout| {
            program.wheel(layout.at("field", (0.2, 0.2)), 4);
            let way = [(0.5, 0.5), (0.7, 0.6)].map(|place| layout.at("field", place));
            program.drag(2, &way);
            program.key("Home");
        });
        assert_eq!(
            after.number("/camera/height"),
            before.number("/camera/height")
        );
        assert_eq!(after.point("/camera"), before.point("/camera"));
    });
}

#[test]
fn space_pauses_and_a_period_steps() {
    with_display(|display| {
        let (_, after) = act_on_calm(display, |program, layout| {
            program.move_to(layout.middle("field"));
            program.key("space");
            program.key("r");
            for _ in 0..3 {
                program.key("period");
            }
            program.wait(Duration::from_millis(500));
        });
        assert_eq!(after.text("/mode"), "paused");
        assert_eq!(after.number("/tick"), 3.0);
    });
}

#[test]
fn undo_takes_placed_units_back_and_redo_places_them_again() {
    with_display(|display| {
        let (_, undone) = act_on_calm(display, |program, layout| {
            program.click(layout.middle("field"));
            program.key("ctrl+z");
        });
        assert_eq!(undone.number("/units"), 80.0);
        let (_, redone) = act_on_calm(display, |program, layout| {
            program.click(layout.middle("field"));
            program.key("ctrl+z");
            program.key("ctrl+shift+z");
        });
        assert!(redone.number("/units") > 80.0);
    });
}

#[test]
fn brackets_go_through_the_structures_and_around_the_ends() {
    with_display(|display| {
        let (before, after) = act_on_calm(display, |program, _| {
            for _ in Kind::ALL {
                program.key("bracketright");
            }
            program.key("bracketleft");
            program.key("bracketright");
        });
        assert_eq!(after.text("/structure"), before.text("/structure"));
    });
}

#[test]
fn shift_and_a_click_select_a_unit_and_delete_removes_it() {
    with_display(|display| {
        // The first blue unit stands alone in the upper left corner of its ranks.
        let shift_click = |program: &Program, layout: &Report| {
            program.key("space");
            program.key("r");
            program.hold_key("shift");
            program.click(window_at(layout, (30.0, 105.0)));
            program.release_key("shift");
        };
        let (_, selected) = act_on_calm(display, shift_click);
        assert_eq!(
            selected.number("/alive"),
            80.0,
            "Shift+click places nothing"
        );
        assert!(selected.number("/selection") < 40.0);
        let (_, deleted) = act_on_calm(display, |program, layout| {
            shift_click(program, layout);
            program.key("Delete");
        });
        assert_eq!(deleted.number("/alive"), 79.0);
    });
}

#[test]
fn escape_ends_a_drag() {
    with_display(|display| {
        let (before, after) = act_on_calm(display, |program, layout| {
            program.move_to(layout.middle("field"));
            program.press(2);
            program.key("Escape");
            program.move_to(layout.at("field", (0.8, 0.8)));
            program.release(2);
        });
        assert_eq!(after.point("/camera"), before.point("/camera"));
    });
}

#[test]
fn what_is_typed_into_the_command_palette_is_no_command() {
    with_display(|display| {
        let (before, after) = act_on_calm(display, |program, _| {
            program.key("ctrl+p");
            program.wait(OPENING);
            program.type_text("1 r");
            program.key("Escape");
        });
        assert_eq!(after.text("/structure"), before.text("/structure"));
        assert_eq!(after.text("/mode"), "running");
        assert!(
            after.number("/tick") > 30.0,
            "the battle was not started again"
        );
    });
}

#[test]
fn the_command_palette_carries_out_what_it_finds() {
    with_display(|display| {
        let (_, after) = act_on_calm(display, |program, _| {
            program.key("ctrl+p");
            program.wait(OPENING);
            program.type_text("morton");
            program.key("Return");
        });
        assert_eq!(after.text("/structure"), "morton-tree");
    });
}

#[test]
fn control_b_hides_the_panels_and_brings_them_back_and_the_keys_go_on() {
    with_display(|display| {
        let (before, hidden) = act_on_calm(display, |program, _| program.key("ctrl+b"));
        let width =
            |report: &Report| report.at("field", (1.0, 0.0)).0 - report.at("field", (0.0, 0.0)).0;
        assert!(width(&hidden) > width(before) + 200.0);
        let (_, shown) = act_on_calm(display, |program, _| {
            program.key("ctrl+b");
            program.key("ctrl+b");
            program.key("space");
            program.key("3");
        });
        assert_eq!(width(&shown), width(before));
        assert_eq!(shown.text("/mode"), "paused");
        assert_eq!(shown.text("/structure"), Kind::ALL[2].info().key);
    });
}

#[test]
fn a_click_on_a_control_leaves_the_keys_to_the_window() {
    with_display(|display| {
        let (_, after) = act_on_calm(display, |program, layout| {
            program.click(layout.middle("units"));
            program.key("space");
            program.key("r");
            program.key("period");
            // Over the slider an arrow would set it.
            program.move_to(layout.middle("field"));
            program.key("Right");
        });
        assert_eq!(after.text("/mode"), "paused");
        assert_eq!(after.number("/tick"), 1.0);
    });
}

#[test]
fn the_wheel_over_a_panel_leaves_the_field_alone() {
    with_display(|display| {
        let (before, after) = act_on_calm(display, |program, layout| {
            let field = layout.at("field", (0.0, 0.5));
            program.wheel((field.0 / 2.0, field.1), -2);
            program.wheel(layout.middle("menu.File"), 2);
        });
        assert_eq!(
            after.number("/camera/height"),
            before.number("/camera/height")
        );
    });
}

#[test]
fn the_help_page_has_the_clicks_while_it_is_open() {
    with_display(|display| {
        let (_, after) = act_on_calm(display, |program, layout| {
            program.key("F1");
            program.wait(OPENING);
            program.click(layout.middle("field"));
            program.key("F1");
        });
        assert_eq!(after.number("/units"), 80.0);
    });
}

#[test]
fn a_menu_s_row_does_what_its_key_does() {
    with_display(|display| {
        let (_, after) = act_on_calm(display, |program, layout| {
            program.click(layout.middle("menu.Run"));
            program.wait(OPENING);
            // The first row of a menu lies just below its word.
            let (x, y) = layout.at("menu.Run", (0.5, 1.0));
            program.click((x, y + 18.0));
        });
        assert_eq!(after.text("/mode"), "paused");
    });
}

#[test]
fn f12_saves_a_picture_of_the_window() {
    with_display(|display| {
        let scenes = Scenes::new();
        let program = display.open(scenes.calm(), &[]);
        program.key("F12");
        let file = program.folder.path().join("skirmish-calm-1.png");
        let start = Instant::now();
        let picture = loop {
            match image::open(&file) {
                Ok(picture) => break picture,
                Err(error) => assert!(start.elapsed() < Duration::from_secs(10), "{error}"),
            }
            std::thread::sleep(Duration::from_millis(50));
        };
        assert_eq!((picture.width(), picture.height()), (1280, 800));
        assert!(shows_what_is_seen(&program, &picture.into_rgb8()));
        program.close();
    });
}

#[test]
fn a_picture_of_the_window_is_exported_by_the_menu() {
    with_display(|display| {
        let scenes = Scenes::new();
        let program = display.open(scenes.calm(), &[]);
        program.key("space");
        program.key("ctrl+p");
        program.type_text("picture of the window");
        program.wait(OPENING);
        program.key("Return");
        program.wait(OPENING);
        program.key("Return");
        let file = scenes.calm().with_file_name("calm.png");
        program.until("the picture is there", || image::open(&file).is_ok());
        let picture = image::open(&file).expect("a picture").into_rgb8();
        assert!(shows_what_is_seen(&program, &picture));
        program.close();
    });
}

/// Whether a picture of the window shows what its screen shows, but for what moves meanwhile.
fn shows_what_is_seen(program: &Program<'_>, picture: &RgbImage) -> bool {
    let seen = program.picture();
    assert_eq!(seen.dimensions(), picture.dimensions());
    let pixels = seen.pixels().zip(picture.pixels());
    let alike = pixels.filter(|(seen, taken)| seen == taken).count();
    let ink = picture.pixels().filter(|it| it.0.iter().any(|it| *it > 90));
    alike * 10 > 9 * (seen.width() * seen.height()) as usize && ink.count() > 2_000
}

#[test]
fn the_window_lives_through_any_size() {
    with_display(|display| {
        let (_, after) = act_on_calm(display, |program, _| {
            for size in [(700, 500), (300, 200), (1, 1), (1900, 1000), (1280, 800)] {
                program.resize(size);
            }
            program.key("Home");
        });
        let (left, top) = after.at("field", (0.0, 0.0));
        let (right, bottom) = after.at("field", (1.0, 1.0));
        assert!(right - left > 400.0 && bottom - top > 300.0, "{after:?}");
    });
}

#[test]
fn control_s_saves_to_the_scene_s_own_file() {
    with_display(|display| {
        let scenes = Scenes::new();
        let layout = calm_layout(display);
        let program = display.open(scenes.calm(), &[]);
        program.click(layout.middle("field"));
        program.key("ctrl+s");
        let saved = await_saved(&scenes.calm(), "placed units", |scene| {
            scene.unit_count() > 80
        });
        let after = program.close();
        assert_eq!(saved.unit_count() as f64, after.number("/units"));
    });
}

#[test]
fn save_as_writes_another_file_and_a_shortcut_in_its_name_types_no_letter() {
    with_display(|display| {
        let scenes = Scenes::new();
        let layout = calm_layout(display);
        let program = display.open(scenes.calm(), &[]);
        program.click(layout.middle("field"));
        program.key("ctrl+shift+s");
        program.wait(OPENING);
        // The name of the scene's own file is in the field; a whole chord within one frame replaces it.
        program.key("ctrl+a");
        program.type_text("renamed.ron");
        program.key("Return");
        let saved = await_saved(
            &scenes.path("renamed.ron"),
            "saved under another name",
            |_| true,
        );
        assert!(saved.unit_count() > 80);
        let own = scene::file::read(&scenes.calm()).expect("the scene's own file");
        assert_eq!(own.unit_count(), 80, "the file that was open is as it was");
        assert!(program.close().text("/scene").ends_with("/renamed.ron"));
    });
}

#[test]
fn a_scene_opens_through_the_dialog() {
    with_display(|display| {
        let scenes = Scenes::new();
        let program = display.open(scenes.calm(), &[]);
        open_by_dialog(&program, "world");
        let after = program.close();
        assert!(after.text("/scene").ends_with("/world.ron"), "{after:?}");
        assert_eq!(after.text("/name"), "Row");
    });
}

#[test]
fn a_scene_that_cannot_be_read_leaves_a_notice_and_the_open_one_goes_on() {
    with_display(|display| {
        let scenes = Scenes::new();
        let program = display.open(scenes.calm(), &[]);
        open_by_dialog(&program, "broken");
        program.wait(Duration::from_secs(1));
        let after = program.close();
        assert!(after.text("/notice").contains("broken.ron:1:"), "{after:?}");
        assert!(after.text("/scene").ends_with("/calm.ron"));
        assert_eq!(after.number("/units"), 80.0);
        assert!(after.number("/tick") > 60.0);
    });
}

/// Opens a scene of the open one's folder as a user does by keys: what is typed into the dialog searches, and Enter opens what
/// is selected.
fn open_by_dialog(program: &Program, name: &str) {
    program.key("ctrl+o");
    program.wait(OPENING);
    program.type_text(name);
    program.key("Down");
    program.key("Return");
    program.wait(OPENING);
}

#[test]
fn a_drag_that_is_released_outside_the_window_ends() {
    with_display(|display| {
        let scenes = Scenes::new();
        let layout = calm_layout(display);
        let program = display.open(scenes.calm(), &[]);
        program.move_to(layout.middle("field"));
        program.press(1);
        program.move_to((1600.0, 950.0));
        program.release(1);
        program.move_to(layout.at("field", (0.5, 0.9)));
        program.key("ctrl+s");
        let placed = await_saved(&scenes.calm(), "placed units", |scene| {
            scene.unit_count() > 80
        });
        for place in [(0.4, 0.1), (0.6, 0.2), (0.5, 0.3)] {
            program.move_to(layout.at("field", place));
        }
        assert_eq!(program.close().number("/units"), placed.unit_count() as f64);
    });
}

#[test]
fn a_drag_that_leaves_the_window_and_comes_back_goes_on() {
    with_display(|display| {
        let (before, after) = act_on_calm(display, |program, layout| {
            program.move_to(layout.middle("field"));
            program.press(2);
            program.move_to((1600.0, 950.0));
            program.move_to(layout.at("field", (0.3, 0.5)));
            program.move_to(layout.at("field", (0.25, 0.5)));
            program.release(2);
        });
        let grabbed = world_at(before, before.at("field", (0.5, 0.5)));
        let released = world_at(&after, after.at("field", (0.25, 0.5)));
        assert_near(
            released,
            grabbed,
            before.number("/camera/height") / 100.0,
            "the grabbed point",
        );
    });
}

/// Switches a scene with a world to its streaming view, and returns what the window then shows.
fn streaming_layout(display: &Display, scene: &Path) -> Report {
    let program = show_streaming(display, scene);
    program.wait(Duration::from_secs(1));
    program.close()
}

fn show_streaming<'a>(display: &'a Display, scene: &Path) -> Program<'a> {
    let layout = display.layout(scene, &[]);
    let program = display.open(scene, &[]);
    program.click(layout.middle("view.streaming"));
    program
}

#[test]
fn dragging_the_character_changes_what_is_resident() {
    with_display(|display| {
        let scenes = Scenes::new();
        let scene = scenes.path("world.ron");
        let before = streaming_layout(display, &scene);
        assert_eq!(
            before.count("/residents"),
            2,
            "near the left end there are two objects"
        );
        let program = show_streaming(display, &scene);
        let way = [100.0, 300.0, 600.0, 830.0].map(|x| window_at(&before, (x, 300.0)));
        program.drag(1, &way);
        program.wait(Duration::from_secs(1));
        let after = program.close();
        assert_near(
            after.point("/character"),
            (830.0, 300.0),
            10.0,
            "the character",
        );
        assert_eq!(
            after.count("/residents"),
            3,
            "near the right end there are three objects"
        );
    });
}

#[test]
fn a_double_click_teleports_the_character() {
    with_display(|display| {
        let scenes = Scenes::new();
        let scene = scenes.path("world.ron");
        let before = streaming_layout(display, &scene);
        let program = show_streaming(display, &scene);
        program.double_click(window_at(&before, (500.0, 300.0)));
        program.wait(Duration::from_secs(1));
        let after = program.close();
        assert_near(
            after.point("/character"),
            (500.0, 300.0),
            10.0,
            "the character",
        );
        assert_eq!(after.count("/residents"), 1);
    });
}

#[test]
fn the_figures_of_streaming_can_be_started_anew() {
    with_display(|display| {
        let scenes = Scenes::new();
        let scene = scenes.path("world.ron");
        let layout = streaming_layout(display, &scene);
        let program = show_streaming(display, &scene);
        program.wait(Duration::from_millis(500));
        // The frame's time has a row that a counted run leaves out: one of the two places is the button.
        let (x, y) = layout.middle("stream.reset");
        program.click((x, y));
        program.click((x, y + 20.0));
        program.wait(Duration::from_millis(500));
        assert_eq!(program.close().number("/streaming/late"), 0.0);
    });
}

#[test]
fn the_arrow_keys_walk_the_character() {
    with_display(|display| {
        let scenes = Scenes::new();
        let scene = scenes.path("world.ron");
        let before = streaming_layout(display, &scene);
        let program = show_streaming(display, &scene);
        program.hold_key("Right");
        program.wait(Duration::from_millis(800));
        program.release_key("Right");
        program.wait(Duration::from_millis(300));
        let after = program.close();
        assert!(after.point("/character").0 > before.point("/character").0 + 1.0);
    });
}

#[test]
fn control_q_closes_the_window_with_exit_code_0() {
    // `close` asserts the exit code.
    with_display(|display| {
        let (_, after) = act_on_calm(display, |_, _| {});
        assert!(after.text("/scene").ends_with("calm.ron"));
    });
}

#[test]
fn without_a_display_the_window_says_so_in_one_line() {
    for display in [None, Some(":99999")] {
        let ended = run_without_display(display);
        assert_eq!(ended.status.code(), Some(1), "{}", ended.stderr);
        assert_eq!(ended.stderr.lines().count(), 1, "{}", ended.stderr);
        assert!(ended.stderr.contains("display"), "{}", ended.stderr);
        assert_eq!(ended.stdout, "");
    }
}

#[test]
fn without_its_system_libraries_the_window_says_so_in_one_line() {
    with_display(|display| {
        for libraries in [
            &["libX11.so.6"][..],
            &["libXi.so.6"],
            &["libGL.so.1"],
            &[
                "libX11.so.6",
                "libxkbcommon.so.0",
                "libXi.so.6",
                "libGL.so.1",
            ],
        ] {
            // A library that cannot be loaded stands before the real one.
            let folder = tempfile::tempdir().expect("a temporary folder");
            for library in libraries {
                let general = library.trim_end_matches(|c: char| c != 'o');
                for name in [library, general] {
                    fs::write(folder.path().join(name), "no library").expect("a file");
                }
            }
            let environment = [
                ("DISPLAY", OsStr::new(display.name())),
                ("LD_LIBRARY_PATH", folder.path().as_os_str()),
            ];
            let ended = run_in(&environment, &["--frames".as_ref(), "3".as_ref()]);
            assert_eq!(
                ended.status.code(),
                Some(1),
                "{libraries:?}: {}",
                ended.stderr
            );
            assert_eq!(ended.stderr.lines().count(), 1, "{}", ended.stderr);
            // All that is missing is named at once, and nothing that is there.
            for name in [
                "libX11.so.6",
                "libxkbcommon.so.0",
                "libXi.so.6",
                "libGL.so.1",
            ] {
                let is_missing = libraries.contains(&name);
                assert_eq!(ended.stderr.contains(name), is_missing, "{}", ended.stderr);
            }
            assert!(ended.stderr.contains("apt install"), "{}", ended.stderr);
        }
    });
}

#[test]
fn a_script_that_is_wrong_is_one_line_and_opens_no_window() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let script = folder.path().join("script.ron");
    for (text, expected) in [
        ("[Wait(3), Fly]", "script.ron:1:"),
        ("[Structure(\"octopus\")]", "must be one of all-pairs"),
        ("[Brush(NaN)]", "greater than 0"),
        ("[Wait(3)", "script.ron:1:"),
    ] {
        fs::write(&script, text).expect("a file");
        let ended = run_in(&[], &["--script".as_ref(), script.as_os_str()]);
        assert_eq!(ended.status.code(), Some(2), "{}", ended.stderr);
        assert_eq!(ended.stderr.lines().count(), 1, "{}", ended.stderr);
        assert!(ended.stderr.contains(expected), "{}", ended.stderr);
    }
    let ended = run_in(&[], &["--script".as_ref(), "nowhere.ron".as_ref()]);
    assert_eq!(ended.status.code(), Some(2), "{}", ended.stderr);
}

#[test]
fn a_script_plays_to_its_end_and_leaves_its_pictures() {
    with_display(|display| {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let (script, picture) = (
            folder.path().join("script.ron"),
            folder.path().join("picture.png"),
        );
        let text = format!(
            "[Structure(\"linked-grid\"), Set(\"cell_size\", \"20\"), Place(Blue, (100.0, 100.0)), Wait(5), Screenshot({:?})]",
            picture.display().to_string()
        );
        fs::write(&script, text).expect("a file");
        let ended = display.run(&[
            "--size".as_ref(),
            "1280x800".as_ref(),
            "--script".as_ref(),
            script.as_os_str(),
        ]);
        assert!(ended.status.success(), "{}", ended.stderr);
        let picture = image::open(picture).expect("a PNG");
        assert_eq!((picture.width(), picture.height()), (1280, 800));
    });
}

/// Runs a scene for some frames at that size and returns the picture that it leaves.
fn picture_of(display: &Display, scene: &Path, size: &str, frames: &str) -> Vec<u8> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("picture.png");
    let ended = display.run(&[
        scene.as_os_str(),
        OsStr::new("--size"),
        OsStr::new(size),
        OsStr::new("--frames"),
        OsStr::new(frames),
        OsStr::new("--screenshot"),
        file.as_os_str(),
    ]);
    assert!(ended.status.success(), "{}", ended.stderr);
    fs::read(&file).expect("a picture")
}

#[test]
fn frames_end_by_themselves_and_leave_a_picture_of_the_right_size() {
    with_display(|display| {
        let scenes = Scenes::new();
        for (size, width, height) in [("1280x800", 1280, 800), ("1920x1080", 1920, 1080)] {
            let picture = image::load_from_memory(&picture_of(display, &scenes.calm(), size, "10"))
                .expect("a PNG");
            assert_eq!((picture.width(), picture.height()), (width, height));
        }
    });
}

#[test]
fn two_runs_of_the_same_frames_leave_the_same_picture() {
    with_display(|display| {
        let scene = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/skirmish.ron");
        let pictures = [(); 2].map(|()| picture_of(display, &scene, "1280x800", "60"));
        assert!(pictures[0] == pictures[1], "the pictures differ");
    });
}
