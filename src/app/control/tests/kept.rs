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

#[test]
fn the_brush_stays_as_it_was_set_when_the_file_is_read_again_or_the_field_is_another() {
    let folder = tempfile::tempdir().expect("a folder");
    let [path, other] = ["mine.ron", "other.ron"].map(|name| folder.path().join(name));
    std::fs::write(&path, BATTLE).expect("a scene");
    std::fs::write(&other, WORLD).expect("a scene");
    let mut window = Window::open(BATTLE);
    let settle = |window: &mut Window| {
        for _ in 0..6 {
            window.frame(&[]);
        }
    };
    window.app.open(path.clone());
    settle(&mut window);
    assert_eq!(window.app.file(), Some(&*path));
    window.app.brush.radius = 31.0;
    window.app.brush.width = Some((2.0, 5.0));
    let kept = |window: &Window| (window.app.brush.radius, window.app.brush.width);
    let session = window.app.session();
    window.app.reload();
    settle(&mut window);
    assert!(window.app.session() > session, "it was read again");
    assert_eq!(kept(&window), (31.0, Some((2.0, 5.0))));
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
    let (radius, width) = kept(&window);
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
    let settle = |window: &mut Window| {
        for _ in 0..6 {
            window.frame(&[]);
        }
    };
    let said = |window: &Window| {
        let view = window.app.scene_to_save().view;
        (view.brush_radius, view.brush_width)
    };
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
