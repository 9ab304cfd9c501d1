//! The objects of a world that streams, edited by hand: clicked, boxed, dragged, deleted, copied, added, undone and saved.

use super::harness::{Program, Report, with_display};
use super::{OPENING, Scenes, await_saved, window_at};
use skirmish::geometry::Vec2;
use skirmish::scene::{self, Muster, ObjectGroup, Scene, generate};
use std::fs;
use std::path::Path;
use std::time::Duration;

/// Where the objects of a scene are.
fn places(scene: &Scene) -> Vec<Vec2> {
    let objects = generate::objects(scene).objects;
    objects.iter().map(|object| object.center).collect()
}

/// Saves, and waits until the file has so many objects.
fn saved(program: &Program, path: &Path, count: u64) -> Scene {
    program.wait(Duration::from_millis(300));
    program.key("ctrl+s");
    await_saved(path, "objects", |scene| scene.object_count() == count)
}

fn shift_click(program: &Program, at: (f32, f32)) {
    program.hold_key("shift");
    program.click(at);
    program.release_key("shift");
}

fn near(a: Vec2, b: Vec2) -> bool {
    (a - b).length() < 3.0
}

#[test]
fn objects_are_boxed_dragged_deleted_brought_back_copied_and_saved() {
    with_display(|display| {
        let scenes = Scenes::new();
        let path = scenes.path("world.ron");
        let layout = display.layout(&path, &[]);
        let at = |x: f64, y: f64| window_at(&layout, (x, y));
        let program = display.open(&path, &[]);
        // The three at the right end, by a box, which then are dragged down together by one of them.
        program.drag(1, &[at(780.0, 250.0), at(840.0, 300.0), at(890.0, 350.0)]);
        program.drag(1, &[at(830.0, 300.0), at(830.0, 350.0), at(830.0, 400.0)]);
        program.wait(Duration::from_millis(300));
        program.key("ctrl+s");
        let moved = await_saved(&path, "moved objects", |scene| places(scene)[3].y > 350.0);
        let now = places(&moved);
        assert_eq!(now[..3], [100.0, 150.0, 500.0].map(|x| Vec2::new(x, 300.0)));
        for (place, x) in now[3..].iter().zip([800.0, 830.0, 860.0]) {
            assert!(near(*place, Vec2::new(x, 400.0)), "{now:?}");
        }

        program.key("Delete");
        assert_eq!(places(&saved(&program, &path, 3)), now[..3]);
        program.key("ctrl+z");
        assert_eq!(places(&saved(&program, &path, 6)), now);

        // One by a click, one more by Shift: copies stand beside them, and are selected in their place.
        program.click(at(500.0, 300.0));
        shift_click(&program, at(150.0, 300.0));
        program.key("ctrl+d");
        let doubled = places(&saved(&program, &path, 8));
        let way = doubled[6] - now[1];
        assert!(way.x > 0.0 && way.x == way.y && near(doubled[7] - now[2], way));
        program.key("ctrl+x");
        program.wait(OPENING);
        assert_eq!(places(&saved(&program, &path, 6)), now);
        program.move_to(at(600.0, 500.0));
        program.key("ctrl+v");
        let pasted = places(&saved(&program, &path, 8));
        let middle = (pasted[6] + pasted[7]) / 2.0;
        assert!(near(middle, Vec2::new(600.0, 500.0)), "{pasted:?}");
        let report = program.close();
        assert_eq!(report.number("/selected_objects"), 2.0);
        assert_eq!(report.text("/undo"), "paste 2 objects");

        // Opened again, the world is the same.
        let program = display.open(&path, &[]);
        program.key("ctrl+a");
        program.wait(Duration::from_millis(300));
        let report = program.close();
        assert_eq!(report.number("/objects"), 8.0);
        assert_eq!(report.number("/selected_objects"), 8.0);
        let again = scene::file::read(&path).expect("the scene that was saved");
        assert_eq!(places(&again), pasted);
    });
}

#[test]
fn escape_and_the_character_are_left_what_is_theirs() {
    with_display(|display| {
        let scenes = Scenes::new();
        let path = scenes.path("world.ron");
        let layout = display.layout(&path, &[]);
        let at = |x: f64, y: f64| window_at(&layout, (x, y));
        let program = display.open(&path, &[]);
        // The character stands on an object that is selected: the drag is its own.
        program.key("ctrl+a");
        program.drag(1, &[at(100.0, 300.0), at(100.0, 250.0), at(100.0, 200.0)]);
        program.wait(Duration::from_millis(300));
        program.key("Escape");
        program.key("Escape");
        program.wait(Duration::from_millis(300));
        program.key("Delete");
        program.wait(Duration::from_millis(300));
        let report = program.close();
        assert_eq!(report.number("/selected_objects"), 0.0);
        assert_eq!(report.number("/objects"), 6.0);
        assert!(report.number("/character/y") < 230.0);
        assert!(report.text("/notice").starts_with("No object is selected"));
    });
}

/// The report of the open world, whose file is in a folder of the test's.
fn open_world(display: &super::Display) -> (tempfile::TempDir, std::path::PathBuf, Report) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("open-world.ron");
    fs::copy("scenes/open-world.ron", &path).expect("a scene that ships");
    let layout = display.layout(&path, &[]);
    (folder, path, layout)
}

#[test]
fn of_thousands_of_objects_a_file_says_which_few_were_edited() {
    with_display(|display| {
        let (folder, path, layout) = open_world(display);
        let before = scene::file::read(&path).expect("the open world");
        let program = display.open(&path, &[]);
        program.key("space");
        let field = |x: f32, y: f32| layout.at("field", (x, y));
        // Houses and trees, and the character amid them.
        program.drag(1, &[field(0.42, 0.33), field(0.6, 0.5), field(0.9, 0.8)]);
        program.wait(Duration::from_millis(500));
        program.key("Delete");
        program.wait(Duration::from_millis(500));
        program.key("ctrl+shift+s");
        program.wait(OPENING);
        program.key("ctrl+a");
        program.type_text("edited.ron");
        program.key("Return");
        let edited = folder.path().join("edited.ron");
        let fewer = await_saved(&edited, "another world", |_| true);
        let gone = before.object_count() - fewer.object_count();
        assert!((1..2_000).contains(&gone), "{gone}");
        let numbers: usize = scatters(&fewer).map(|it| it.without.len()).sum();
        let single = |scene: &Scene| scene.object_count() - present(scene);
        assert_eq!(numbers as u64 + single(&before) - single(&fewer), gone);

        program.key("ctrl+z");
        let again = saved(&program, &edited, before.object_count());
        assert_eq!(places(&again), places(&before));
        program.key("ctrl+y");
        saved(&program, &edited, fewer.object_count());
        program.close();
        let own = fs::read_to_string(&path).expect("the file that was opened");
        let shipped = fs::read_to_string("scenes/open-world.ron").expect("the scene that ships");
        assert_eq!(own, shipped);
        let program = display.open(&edited, &[]);
        let report = program.close();
        assert_eq!(report.number("/objects"), fewer.object_count() as f64);
    });
}

/// How many scattered objects are there.
fn present(scene: &Scene) -> u64 {
    scatters(scene)
        .map(|it| u64::from(it.present_count()))
        .sum()
}

fn scatters(scene: &Scene) -> impl Iterator<Item = &scene::Scatter> {
    let groups = scene.world.iter().flat_map(|world| &world.objects);
    groups.filter_map(|group| match group {
        ObjectGroup::Scatter(scatter) => Some(scatter),
        ObjectGroup::Object { .. } => None,
    })
}

#[test]
fn an_object_is_added_in_the_middle_of_the_view_with_the_picture_that_was_chosen() {
    with_display(|display| {
        let scenes = Scenes::new();
        let path = scenes.path("world.ron");
        let layout = display.layout(&path, &[]);
        let program = display.open(&path, &[]);
        program.key("ctrl+p");
        program.wait(OPENING);
        program.type_text("add an object");
        program.key("Return");
        let added = saved(&program, &path, 7);
        let last = places(&added)[6];
        let middle = layout.point("/camera");
        // Beside who stands in the very middle.
        let away = last - Vec2::new(middle.0 as f32, middle.1 as f32);
        assert!(away.length() < 60.0, "{last}");
        let report = program.close();
        assert_eq!(report.number("/selected_objects"), 1.0);
        assert_eq!(report.text("/undo"), "place an object");
    });
}
