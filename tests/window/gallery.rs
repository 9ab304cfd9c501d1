//! The scenes in pictures: found by typing, walked through with the arrows, opened by a click or Enter.

use super::harness::{Display, Program, Report, with_display};
use std::path::Path;
use std::time::Duration;

/// Another scene is read and built by then.
const OPENING: Duration = Duration::from_millis(900);

/// A scene of the user's own.
const MINE: &str = r#"(
    version: 1,
    name: "Two of mine",
    field: ((0, 0), (200, 120)),
    structure: (kind: "quadtree"),
    armies: [(side: Blue, formation: Explicit([(30, 30), (150, 90)]), order: Hold)],
)
"#;

fn press(program: &Program<'_>, key: &str) {
    program.key(key);
    program.wait(OPENING);
}

/// The program with the page open and this typed into it.
fn search<'a>(display: &'a Display, scene: &Path, words: &str) -> Program<'a> {
    let program = display.open(scene, &[]);
    press(&program, "ctrl+g");
    program.type_text(words);
    program.wait(OPENING);
    program
}

/// Where a card lies, once the page is open and this was typed.
fn found(display: &Display, words: &str) -> Report {
    let report = search(display, Path::new("figures/merges"), words).close();
    assert_eq!(report.get("/gallery"), true);
    report
}

#[test]
fn the_page_of_the_scenes_finds_by_typing_and_opens_by_a_click() {
    with_display(|display| {
        let page = found(display, "union load rectangles");
        let card = page.middle("gallery.figures/load-union");
        let program = search(
            display,
            Path::new("figures/merges"),
            "union load rectangles",
        );
        program.click(card);
        program.wait(OPENING);
        let opened = program.close();
        assert_eq!(opened.text("/scene"), "figures/load-union.ron");
        assert_eq!(opened.get("/gallery"), false);
    });
}

#[test]
fn the_page_is_walked_with_the_arrows_and_closed_by_escape() {
    with_display(|display| {
        let program = display.open("figures/merges", &[]);
        press(&program, "ctrl+g");
        program.key("Right");
        program.key("Down");
        program.key("Up");
        press(&program, "Return");
        // The second of all scenes.
        assert_eq!(program.close().text("/scene"), "charge.ron");

        let program = display.open("figures/merges", &[]);
        press(&program, "ctrl+g");
        press(&program, "Escape");
        let closed = program.close();
        assert_eq!(closed.get("/gallery"), false);
        assert_eq!(closed.text("/scene"), "figures/merges.ron");

        // What was typed is no key of the window's.
        let program = search(display, Path::new("figures/merges"), "no such scene 1");
        press(&program, "Return");
        let nothing = program.close();
        assert_eq!(nothing.get("/gallery"), true);
        assert_eq!(nothing.text("/structure"), "quadtree");
    });
}

#[test]
fn the_users_own_scenes_are_on_the_page_too() {
    with_display(|display| {
        let folder = tempfile::tempdir().expect("a folder");
        let other = folder.path().join("other.ron");
        std::fs::write(folder.path().join("mine.ron"), MINE).expect("a file");
        std::fs::write(&other, MINE.replace("Two of mine", "Another")).expect("a file");
        let program = search(display, &other, "two mine quadtree");
        press(&program, "Return");
        assert_eq!(program.close().text("/name"), "Two of mine");
    });
}

#[test]
fn the_streaming_tab_of_a_scene_without_a_world_shows_those_that_have_one() {
    with_display(|display| {
        let program = display.open("figures/merges", &[]);
        press(&program, "F4");
        program.type_text("late definition");
        press(&program, "Return");
        let opened = program.close();
        assert_eq!(opened.text("/scene"), "figures/late-by-definition.ron");
        assert_eq!(opened.text("/view"), "streaming");
    });
}

#[test]
fn a_scene_that_was_opened_and_one_that_was_saved_while_it_stands_have_pictures() {
    with_display(|display| {
        let folder = tempfile::tempdir().expect("a folder");
        let mine = folder.path().join("mine.ron");
        std::fs::write(&mine, MINE).expect("a file");
        let program = display.open(&mine, &[]);
        let album = program.folder.path().join("cache/skirmish/scenes");
        let pictures = || {
            let entries = std::fs::read_dir(&album).into_iter().flatten();
            entries.filter_map(Result::ok).map(|entry| entry.path())
        };
        program.until("the opened scene has a picture", || pictures().count() == 1);
        let first = pictures().next().expect("a picture");
        // Another structure is another scene, once it is saved, though nothing moves.
        press(&program, "space");
        press(&program, "1");
        press(&program, "ctrl+s");
        program.until("the saved scene has one too", || pictures().count() == 2);
        let picture = image::open(&first).expect("a picture").into_rgb8();
        assert_eq!(picture.dimensions(), (480, 300));
        let ground = *picture.get_pixel(2, 2);
        let drawn = picture.pixels().filter(|pixel| **pixel != ground).count();
        assert!(drawn > 200, "{drawn} pixels are drawn");
    });
}
