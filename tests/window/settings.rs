//! What is chosen for good, and the files around the scene: kept over a restart, set aside where it is broken, read again when the
//! disk has something else.

use super::harness::{Display, Program, Report, with_display};
use super::{CALM, OPENING, Scenes, await_saved, calm_layout};
use skirmish::scene;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tempfile::TempDir;

const SIZE: (u32, u32) = (1280, 800);

/// Ends a program as a session of the desktop does, and gives what it reported and its home.
fn end(program: Program<'_>) -> (Report, TempDir) {
    let (ended, home) = program.signal("-TERM");
    assert!(ended.status.success(), "{}", ended.stderr);
    (Report::read(&home.path().join("report.json")), home)
}

/// A home with the calm scene in it.
fn home() -> (TempDir, PathBuf) {
    let home = tempfile::tempdir().expect("a temporary folder");
    let scene = home.path().join("calm.ron");
    fs::write(&scene, CALM).expect("a file");
    (home, scene)
}

fn open<'a>(display: &'a Display, home: TempDir, scene: &Path) -> Program<'a> {
    display.open_at(home, scene, SIZE, &[])
}

fn settings_file(home: &Path) -> PathBuf {
    home.join("config/skirmish/settings.ron")
}

#[test]
fn theme_and_scale_are_kept_over_a_restart_and_zoom_has_other_keys() {
    with_display(|display| {
        let (home, scene) = home();
        let program = open(display, home, &scene);
        let dark = program.picture();
        program.key("F9");
        program.key("ctrl+equal");
        program.key("ctrl+equal");
        program.key("ctrl+minus");
        let file = settings_file(program.folder.path());
        program.until("they are written", || {
            fs::read_to_string(&file).is_ok_and(|text| text.contains("Light"))
        });
        let (report, home) = end(program);
        assert_eq!(report.text("/settings/theme"), "light");
        assert!((report.number("/settings/scale") - 1.1).abs() < 1e-3);
        let height = report.number("/camera/height");

        let program = open(display, home, &scene);
        let light = program.picture();
        assert!(light.get_pixel(640, 400)[0] > 200 && dark.get_pixel(640, 400)[0] < 60);
        program.key("ctrl+0");
        let (report, home) = end(program);
        assert_eq!(report.text("/settings/theme"), "light");
        assert_eq!(report.number("/settings/scale"), 1.0);
        // The camera frames the whole field at every scale.
        assert!(report.number("/camera/height") < 1.5 * height);

        // Where frames are counted nobody's choices are part of the picture.
        let written = home.path().join("counted.json");
        let arguments = ["--frames", "3", "--report"].map(std::ffi::OsStr::new);
        let ended = display.run_at(
            home.path(),
            &[&[scene.as_os_str()], &arguments[..], &[written.as_os_str()]].concat(),
        );
        assert!(ended.status.success(), "{}", ended.stderr);
        assert_eq!(Report::read(&written).text("/settings/theme"), "dark");
    });
}

#[test]
fn a_broken_settings_file_is_set_aside_with_a_notice() {
    with_display(|display| {
        let (home, scene) = home();
        let file = settings_file(home.path());
        fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
        fs::write(&file, "(version: 1, theme: ").expect("a file");
        let (report, home) = end(open(display, home, &scene));
        let notice = report.text("/notice");
        assert!(notice.contains("settings.broken-1.ron"), "{notice}");
        assert_eq!(report.text("/settings/theme"), "dark");
        let aside = file.with_file_name("settings.broken-1.ron");
        assert_eq!(
            fs::read_to_string(aside).expect("it is there"),
            "(version: 1, theme: "
        );
        drop(home);
    });
}

#[test]
fn the_title_says_which_file_it_is_and_whether_it_is_saved() {
    with_display(|display| {
        let (home, scene) = home();
        let program = open(display, home, &scene);
        let title = || program.title();
        program.until("the title is the file's", || {
            title() == "calm.ron \u{2014} Skirmish"
        });
        program.click(calm_layout(display).at("field", (0.5, 0.6)));
        program.until("it is not saved", || {
            title() == "\u{2022} calm.ron \u{2014} Skirmish"
        });
        program.key("ctrl+s");
        program.until("it is saved", || title() == "calm.ron \u{2014} Skirmish");
    });
}

/// Another program writes the calm scene with fewer units.
fn write_fewer(scene: &Path) {
    let fewer = CALM.replacen("count: 40", "count: 10", 1);
    let new = scene.with_file_name("new");
    fs::write(&new, fewer).expect("a file");
    fs::rename(new, scene).expect("it takes its place");
}

/// How long it takes to be told of the disk, at most: two looks, a second each, and a little.
const TOLD: Duration = Duration::from_millis(3_500);

#[test]
fn a_scene_that_another_program_changed_is_read_again_where_that_is_wanted() {
    with_display(|display| {
        let (at_home, scene) = home();
        let program = open(display, at_home, &scene);
        write_fewer(&scene);
        program.wait(TOLD);
        let (asked, _home) = end(program);
        assert_eq!(asked.text("/on_disk"), "changed");
        assert_eq!(asked.number("/units"), 80.0);

        for (answer, units) in [("disk.reload", 50.0), ("disk.keep mine", 80.0)] {
            let (at_home, scene) = home();
            let program = open(display, at_home, &scene);
            write_fewer(&scene);
            program.wait(TOLD);
            program.click(asked.middle(answer));
            program.wait(Duration::from_millis(600));
            let (report, _home) = end(program);
            assert_eq!(report.number("/units"), units, "{answer}");
            assert!(report.get("/on_disk").is_null());
        }

        // Saving asks before it replaces what another program has written.
        let asks = |answer: Option<(f32, f32)>| {
            let (at_home, scene) = home();
            let program = open(display, at_home, &scene);
            write_fewer(&scene);
            program.wait(TOLD);
            program.key("ctrl+s");
            program.wait(OPENING);
            if let Some(at) = answer {
                program.click(at);
                await_saved(&scene, "replaced", |it| it.unit_count() == 80);
            }
            let (report, _home) = end(program);
            let units = scene::file::read(&scene).map(|it| it.unit_count());
            (report, units.expect("a scene"))
        };
        let (question, units) = asks(None);
        assert_eq!(units, 50);
        let (_, units) = asks(Some(question.middle("overwriting.replace")));
        assert_eq!(units, 80);

        let (at_home, scene) = home();
        let program = open(display, at_home, &scene);
        fs::remove_file(&scene).expect("it goes");
        program.wait(TOLD);
        let (report, _home) = end(program);
        assert_eq!(report.text("/on_disk"), "gone");
        assert_eq!(report.number("/units"), 80.0);
    });
}

#[test]
fn a_recent_scene_is_opened_again_by_the_menu() {
    with_display(|display| {
        let (at_home, scene) = home();
        let (_, at_home) = end(open(display, at_home, &scene));
        let other = Scenes::new().calm();
        let file = calm_layout(display).middle("menu.File");
        // Where the entries are is learned by opening them.
        let program = open(display, at_home, Path::new("charge"));
        program.click(file);
        let (menu, at_home) = end(program);
        let program = open(display, at_home, Path::new("charge"));
        program.click(file);
        program.click(menu.middle("entry.Recent scenes"));
        program.wait(Duration::from_millis(600));
        let (listed, at_home) = end(program);
        let program = open(display, at_home, Path::new("charge"));
        program.click(file);
        program.click(menu.middle("entry.Recent scenes"));
        program.wait(Duration::from_millis(600));
        program.click(listed.middle("recent.0"));
        program.wait(Duration::from_millis(800));
        let (report, at_home) = end(program);
        assert_eq!(report.text("/scene"), scene.display().to_string());
        // What is not there any more cannot be chosen.
        fs::remove_file(&scene).expect("it goes");
        let program = open(display, at_home, Path::new("charge"));
        program.click(file);
        program.click(menu.middle("entry.Recent scenes"));
        program.wait(Duration::from_millis(900));
        program.click(listed.middle("recent.0"));
        let (report, _home) = end(program);
        assert_eq!(report.text("/name"), "Charge");
        drop(other);
    });
}

#[test]
fn plots_are_exported_by_the_menu_as_a_table() {
    with_display(|display| {
        let (at_home, scene) = home();
        let file = calm_layout(display).middle("menu.File");
        let program = open(display, at_home, &scene);
        program.click(file);
        let (menu, at_home) = end(program);
        let program = open(display, at_home, &scene);
        program.click(file);
        program.click(menu.middle("entry.Export"));
        let (listed, at_home) = end(program);
        let program = open(display, at_home, &scene);
        program.wait(Duration::from_millis(500));
        program.click(file);
        program.click(menu.middle("entry.Export"));
        program.click(listed.middle("entry.Plots as CSV\u{2026}"));
        program.wait(OPENING);
        program.key("Return");
        let table = scene.with_file_name("calm-plots.csv");
        program.until("the table is there", || table.exists());
        let text = fs::read_to_string(&table).expect("a table");
        assert!(
            text.starts_with("tick,lane,structure,knobs,tests"),
            "{text}"
        );
        assert!(text.lines().count() > 10, "{text}");
        assert!(text.contains(",linked-grid,"), "{text}");
    });
}

#[test]
fn a_hint_is_shown_once_and_closed_for_good() {
    with_display(|display| {
        let (at_home, scene) = home();
        fs::remove_file(settings_file(at_home.path())).ok();
        let program = display.open_new(at_home, &scene, SIZE);
        program.wait(Duration::from_millis(400));
        let (report, at_home) = end(program);
        assert_eq!(report.number("/settings/hints_seen"), 0.0);
        let close = report.middle("hint.close");
        let program = display.open_new(at_home, &scene, SIZE);
        program.click(close);
        let (report, at_home) = end(program);
        assert_eq!(report.number("/settings/hints_seen"), 1.0);
        // The next one comes; it goes when what it speaks of is done.
        let program = display.open_new(at_home, &scene, SIZE);
        program.wait(Duration::from_millis(400));
        program.key("9");
        program.wait(Duration::from_millis(400));
        let (report, _home) = end(program);
        assert!(report.number("/settings/hints_seen") >= 2.0);
    });
}
