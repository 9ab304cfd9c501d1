//! What stays as it was when a file is read again or the field becomes another one, and what a scene is called then.

use super::*;
use crate::app::dialogs::first_title;
use skirmish::built_in;
use skirmish::geometry::Vec2;
use skirmish::session::{Action, Beginning, BodySize};

fn begin(window: &mut Window, beginning: Beginning) {
    window.app.act(Action::Begin(beginning));
    for _ in 0..6 {
        window.frame(&[]);
    }
}

fn of_size(width: f32, height: f32) -> Beginning {
    Beginning {
        field: Some((width, height)),
        ..Beginning::default()
    }
}

/// A window in which this file is open, which says this by its `view`.
fn of_file(path: &Path, view: &str) -> Window {
    write(path, view);
    let mut window = Window::open(BATTLE);
    window.app.open(path.to_path_buf());
    settle(&mut window);
    assert_eq!(window.app.file(), Some(path));
    window
}

/// Another program writes the file.
fn write(path: &Path, view: &str) {
    let scene = BATTLE.replace("version: 1,", &format!("version: 1, view: ({view}),"));
    std::fs::write(path, scene).expect("a scene");
}

fn settle(window: &mut Window) {
    for _ in 0..6 {
        window.frame(&[]);
    }
}

/// Reads the file again.
fn reload(window: &mut Window) {
    let session = window.app.session();
    window.app.reload();
    window.wait("the file", |window| window.app.session() > session);
    settle(window);
}

/// Saves the scene to its file, and gives what that says of the brush then.
fn save(window: &mut Window, path: &Path) -> Brush {
    assert!(saving::save(window, path));
    settle(window);
    let view = file::read(path).expect("a scene").view;
    (view.brush_radius, view.brush_width)
}

/// Its radius and the width of what it places, where somebody has said them.
type Brush = (Option<f32>, Option<(f32, f32)>);

/// What Save would write of the brush.
fn said(window: &Window) -> Brush {
    let view = window.app.scene_to_save().view;
    (view.brush_radius, view.brush_width)
}

/// The brush that is shown.
fn shown(window: &Window) -> (f32, Option<(f32, f32)>) {
    (window.app.brush.radius, window.app.brush.width)
}

#[test]
fn the_brush_stays_as_it_was_set_when_the_file_is_read_again_or_the_field_is_another() {
    let folder = tempfile::tempdir().expect("a folder");
    let [path, other] = ["mine.ron", "other.ron"].map(|name| folder.path().join(name));
    std::fs::write(&path, BATTLE).expect("a scene");
    std::fs::write(&other, WORLD).expect("a scene");
    let mut window = Window::open(BATTLE);
    window.app.open(path.clone());
    settle(&mut window);
    assert_eq!(window.app.file(), Some(&*path));
    window.app.brush.radius = 31.0;
    window.app.brush.width = Some((2.0, 5.0));
    let session = window.app.session();
    window.app.reload();
    settle(&mut window);
    assert!(window.app.session() > session, "it was read again");
    assert_eq!(shown(&window), (31.0, Some((2.0, 5.0))));
    begin(&mut window, of_size(960.0, 600.0));
    assert_eq!(window.app.scene.field.size(), Vec2::new(960.0, 600.0));
    assert_eq!(window.app.brush.radius, 31.0);
    // Read again it has the field of its file, into which it fits.
    window.app.reload();
    settle(&mut window);
    assert_eq!(window.app.scene.field.size(), Vec2::new(480.0, 300.0));
    assert_eq!(window.app.brush.radius, 31.0);
    // It does not into this one.
    begin(&mut window, of_size(200.0, 40.0));
    assert_eq!(window.app.brush.radius, 20.0);
    // Another scene has one that suits it.
    window.app.brush.radius = 31.0;
    window.app.open(other.clone());
    settle(&mut window);
    assert_eq!(window.app.file(), Some(&*other));
    let (radius, width) = shown(&window);
    assert!(radius != 31.0 && width.is_none());
}

#[test]
fn a_field_of_another_size_is_shown_with_room_for_bodies_that_are_pushed_to_its_border() {
    /// Half as wide as all bodies are.
    const HALF: f32 = 20.0;
    let mut window = Window::open(BATTLE);
    window.app.set_mode(RunMode::Paused);
    // Wherever one looks before.
    window.app.pan(400.0, 300.0);
    begin(
        &mut window,
        Beginning {
            bodies: Some(BodySize::Alike(HALF)),
            ..of_size(960.0, 600.0)
        },
    );
    let (camera, field) = (window.app.camera, window.app.scene.field);
    assert_eq!(field.size(), Vec2::new(960.0, 600.0));
    let all = camera.rect_to_screen(field.grown(Vec2::splat(HALF)));
    assert!(
        camera.screen.expand(1.0).contains_rect(all),
        "{all:?} of {:?}",
        camera.screen
    );
    window.app.frame_all();
    assert!(window.app.camera.zoom > camera.zoom, "the field alone");
}

#[test]
fn a_scene_that_ships_is_saved_by_the_name_that_it_was_given() {
    let shipped = built_in::scenes();
    let shipped = shipped
        .iter()
        .find(|path| path.ends_with("mixed-sizes.ron"));
    let mut window = Window::open(BATTLE);
    window.app.open(shipped.expect("it is built in").clone());
    for _ in 0..6 {
        window.frame(&[]);
    }
    assert_eq!(first_title(&window.app), "mixed-sizes.ron");
    let caption = window.app.scene.caption.clone();
    let describe = Action::Describe("My game: one!".to_owned(), caption);
    window.app.act(describe);
    for _ in 0..4 {
        window.frame(&[]);
    }
    assert_eq!(first_title(&window.app), "my-game-one.ron");
    // A file of one's own keeps its name.
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("mine.ron");
    std::fs::write(&path, BATTLE).expect("a scene");
    window.app.open(path);
    for _ in 0..6 {
        window.frame(&[]);
    }
    assert_eq!(first_title(&window.app), "mine.ron");
}

#[test]
fn radius_and_width_of_the_brush_are_saved_once_they_are_set_and_come_back_with_the_scene() {
    let folder = tempfile::tempdir().expect("a folder");
    let [path, other] = ["mine.ron", "other.ron"].map(|name| folder.path().join(name));
    std::fs::write(&path, BATTLE).expect("a scene");
    std::fs::write(&other, WORLD).expect("a scene");
    let mut window = Window::open(BATTLE);
    window.app.open(path.clone());
    settle(&mut window);
    // Nobody has set anything.
    assert_eq!(said(&window), (None, None));
    window.app.brush.radius = 31.0;
    window.app.brush.width = Some((2.0, 5.0));
    let set = (Some(31.0), Some((2.0, 5.0)));
    assert_eq!(said(&window), set);
    // Whoever reads the file again has it still, and has it saved all the same.
    window.app.reload();
    settle(&mut window);
    assert_eq!(said(&window), set);
    window.app.save(path.clone());
    let is_there = |window: &Window| {
        let read = file::read(&path);
        let view = read.map(|scene| scene.view).unwrap_or_default();
        !window.app.is_unsaved() && view.brush_radius == Some(31.0)
    };
    window.wait("the file", is_there);
    assert_eq!(said(&window), set);
    // A brush that does not go on to another scene is that of this one when it is opened anew.
    window.app.open(other);
    settle(&mut window);
    assert_ne!(window.app.brush.radius, 31.0);
    assert_eq!(said(&window), (None, None));
    window.app.open(path.clone());
    settle(&mut window);
    let brush = window.app.brush;
    assert_eq!((Some(brush.radius), brush.width), set);
    assert_eq!(said(&window), set);
    // What is let go is not in it any more.
    window.app.brush.width = None;
    assert_eq!(said(&window), (Some(31.0), None));
}

#[test]
fn what_nobody_has_set_of_the_brush_is_that_of_the_file_which_is_read_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("mine.ron");
    let mut window = of_file(&path, "");
    let usual = shown(&window);
    // The file gains both.
    write(&path, "brush_radius: 80, brush_width: (1, 4)");
    reload(&mut window);
    assert_eq!(shown(&window), (80.0, Some((1.0, 4.0))));
    let both = (Some(80.0), Some((1.0, 4.0)));
    assert_eq!(said(&window), both);
    assert_eq!(save(&mut window, &path), both);
    // What has been saved is the file's, and goes with it.
    window.app.brush.radius = 31.0;
    assert_eq!(save(&mut window, &path), (Some(31.0), Some((1.0, 4.0))));
    write(&path, "");
    reload(&mut window);
    assert_eq!(shown(&window), usual);
    assert_eq!(said(&window), (None, None));
}

#[test]
fn radius_and_width_of_the_brush_stay_each_for_itself_where_the_file_is_read_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("mine.ron");
    // Of both the radius alone is set, and the file gains a width.
    let mut window = of_file(&path, "");
    window.app.brush.radius = 31.0;
    write(&path, "brush_width: (2, 5)");
    reload(&mut window);
    let both = (Some(31.0), Some((2.0, 5.0)));
    assert_eq!(shown(&window), (31.0, both.1));
    assert_eq!(said(&window), both);
    assert_eq!(save(&mut window, &path), both);
    // The width alone, and the file gains a radius.
    let mut window = of_file(&path, "");
    window.app.brush.width = Some((2.0, 5.0));
    write(&path, "brush_radius: 31");
    reload(&mut window);
    assert_eq!(shown(&window), (31.0, both.1));
    assert_eq!(said(&window), both);
    // What is set stays whatever the file says of it, and is saved in its place.
    window.app.brush.radius = 40.0;
    write(&path, "brush_radius: 80, brush_width: (1, 4)");
    reload(&mut window);
    let own = (Some(40.0), both.1);
    assert_eq!(shown(&window), (40.0, both.1));
    assert_eq!(save(&mut window, &path), own);
}

#[test]
fn a_radius_of_the_file_that_does_not_fit_into_another_field_is_saved_as_it_fits() {
    let folder = tempfile::tempdir().expect("a folder");
    let [path, other] = ["mine.ron", "other.ron"].map(|name| folder.path().join(name));
    let mut window = of_file(&path, "brush_radius: 31");
    begin(&mut window, of_size(200.0, 40.0));
    assert_eq!(window.app.brush.radius, 20.0);
    assert_eq!(save(&mut window, &path), (Some(20.0), None));
    // So it is when the scene is opened anew.
    std::fs::write(&other, WORLD).expect("a scene");
    for opened in [other, path.clone()] {
        window.app.open(opened);
        settle(&mut window);
    }
    assert_eq!(window.app.file(), Some(&*path));
    assert_eq!(window.app.brush.radius, 20.0);
    // One that nobody has set or written stays out of the file.
    let mut window = of_file(&path, "");
    let usual = window.app.brush.radius;
    begin(&mut window, of_size(200.0, 20.0));
    assert!(window.app.brush.radius < usual, "{usual}");
    assert_eq!(said(&window), (None, None));
}

#[test]
fn a_radius_that_a_smaller_field_has_narrowed_is_as_wide_again_once_that_is_undone() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("mine.ron");
    let undo = |window: &mut Window| {
        window.app.run(Command::Undo);
        window.wait("the field", |it| it.app.scene.field.size().y > 20.0);
        settle(window);
    };
    for view in ["brush_radius: 31", ""] {
        let mut window = of_file(&path, view);
        let (whole, saved) = (window.app.brush.radius, said(&window));
        begin(&mut window, of_size(200.0, 20.0));
        assert_eq!(window.app.brush.radius, 10.0, "{view}");
        undo(&mut window);
        assert_eq!(window.app.brush.radius, whole, "{view}");
        assert_eq!(said(&window), saved, "{view}");
        // What somebody sets in the smaller one stays.
        begin(&mut window, of_size(200.0, 20.0));
        window.app.brush.radius = 4.0;
        undo(&mut window);
        assert_eq!(window.app.brush.radius, 4.0, "{view}");
    }
    // That it was saved in between as it was narrowed makes no other one of it.
    let mut window = of_file(&path, "brush_radius: 31");
    begin(&mut window, of_size(200.0, 20.0));
    assert_eq!(save(&mut window, &path), (Some(10.0), None));
    undo(&mut window);
    assert_eq!(window.app.brush.radius, 31.0);
    assert_eq!(said(&window), (Some(31.0), None));
}

#[test]
fn what_is_set_of_the_brush_is_fitted_to_the_field_of_its_file_and_what_that_says_is_not() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("mine.ron");
    let make_smaller = || {
        let text = std::fs::read_to_string(&path).expect("a scene");
        let text = text.replace("(480, 300)", "(200, 210)");
        std::fs::write(&path, text).expect("a scene");
    };
    for (view, radius) in [("", 100.0), ("brush_radius: 120", 120.0)] {
        let mut window = of_file(&path, view);
        window.app.brush.radius = 120.0;
        make_smaller();
        reload(&mut window);
        assert_eq!(window.app.scene.field.size(), Vec2::new(200.0, 210.0));
        assert_eq!(window.app.brush.radius, radius, "{view}");
        assert_eq!(said(&window), (Some(radius), None), "{view}");
    }
}
