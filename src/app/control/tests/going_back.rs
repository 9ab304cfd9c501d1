//! Back to a scene that was left: by undo alone, never from the middle of another one, and looked at as it was.

use super::*;
use crate::app::commands::{Command, Layer};
use crate::app::state::Tool;

/// A battle at rest, in which a click only looks.
fn looking() -> Window {
    let mut window = Window::open(BATTLE);
    window.app.set_mode(RunMode::Paused);
    window.app.brush.tool = Tool::Look;
    window.frame(&[]);
    window
}

#[test]
fn undo_and_redo_stay_in_a_scene_whose_edits_lie_ahead() {
    let mut window = looking();
    let wait = |window: &mut Window| {
        for _ in 0..6 {
            window.frame(&[]);
        }
    };
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    window.app.open(folder.join("scenes/corner.ron"));
    wait(&mut window);
    window.app.set_mode(RunMode::Paused);
    for _ in 0..3 {
        window.app.run(Command::Step);
        wait(&mut window);
    }
    window.app.set_reach(2.0);
    wait(&mut window);
    window.app.run(Command::Undo);
    wait(&mut window);
    let end = window.app.place.end;
    assert!(end >= 3);
    window.app.seek(1);
    wait(&mut window);
    for command in [Command::Undo, Command::Redo] {
        assert!(
            window
                .app
                .may(command)
                .is_err_and(|why| why.contains("lies after it"))
        );
        window.app.run(command);
        wait(&mut window);
        assert_eq!(window.app.title(), "corner.ron");
        assert_eq!((window.app.place.tick, window.app.place.end), (1, end));
    }
    assert_eq!(window.app.undo_names, [None, None]);
    window.app.run(Command::GoToEnd);
    wait(&mut window);
    assert_eq!(window.app.undo_names[0].as_deref(), Some("open scene"));
    assert_eq!(window.app.undo_names[1].as_deref(), Some("set reach"));
    window.app.run(Command::Undo);
    wait(&mut window);
    assert_eq!(window.app.title(), "skirmish.ron");
}

#[test]
fn an_edit_in_the_scene_before_loses_no_later_one_with_changes_that_no_file_has() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = looking();
    let wait = |window: &mut Window| {
        for _ in 0..6 {
            window.frame(&[]);
        }
    };
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    window.app.open(root.join("scenes/corner.ron"));
    wait(&mut window);
    window.app.set_mode(RunMode::Paused);
    window.app.set_reach(2.0);
    wait(&mut window);
    window.app.save(folder.path().join("mine.ron"));
    window.wait("the file", |window| window.app.title() == "mine.ron");
    // What is taken back here is in the file: the scene differs from it, and has nothing to undo.
    for title in ["mine.ron", "skirmish.ron"] {
        window.app.run(Command::Undo);
        wait(&mut window);
        assert_eq!(window.app.title(), title);
    }
    let notice = window.notice();
    assert!(notice.contains("opens mine.ron again"), "{notice}");
    window.app.set_reach(3.0);
    wait(&mut window);
    let names = |window: &Window| window.app.undo_names.clone();
    assert_eq!(names(&window), [Some("set reach".to_owned()), None]);
    for title in ["skirmish.ron", "mine.ron"] {
        window.app.run(Command::Undo);
        wait(&mut window);
        assert_eq!(window.app.title(), title);
    }
    assert!(window.app.is_unsaved());
    assert_eq!(names(&window)[1].as_deref(), Some("open scene"));
    window.app.run(Command::Redo);
    wait(&mut window);
    assert_eq!(window.app.title(), "skirmish.ron");
}

#[test]
fn redo_stays_in_a_scene_whose_edits_lie_ahead_though_a_later_scene_waits() {
    let mut window = looking();
    let wait = |window: &mut Window| {
        for _ in 0..6 {
            window.frame(&[]);
        }
    };
    for _ in 0..3 {
        window.app.run(Command::Step);
        wait(&mut window);
    }
    window.app.set_reach(2.0);
    wait(&mut window);
    let end = window.app.place.end;
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    window.app.open(folder.join("scenes/corner.ron"));
    wait(&mut window);
    window.app.set_mode(RunMode::Paused);
    window.app.run(Command::Undo);
    wait(&mut window);
    assert_eq!(window.app.title(), "skirmish.ron");
    assert_eq!(window.app.undo_names[1].as_deref(), Some("open scene"));
    window.app.seek(1);
    wait(&mut window);
    assert!(window.app.place.has_edits_ahead);
    assert_eq!(window.app.undo_names[1], None);
    assert!(window.app.may(Command::Redo).is_err());
    window.app.run(Command::Redo);
    wait(&mut window);
    assert_eq!(window.app.title(), "skirmish.ron");
    assert_eq!((window.app.place.tick, window.app.place.end), (1, end));
    window.app.run(Command::GoToEnd);
    wait(&mut window);
    window.app.run(Command::Redo);
    wait(&mut window);
    assert_eq!(window.app.title(), "corner.ron");
}

#[test]
fn a_scene_that_was_left_is_looked_at_as_it_was_by_whoever_goes_back() {
    let mut window = looking();
    let wait = |window: &mut Window| {
        for _ in 0..6 {
            window.frame(&[]);
        }
    };
    let looks = |window: &Window| {
        let app = &window.app;
        let shown = app.layers.shows(Layer::Nodes);
        (app.camera.center, app.camera.zoom, app.view, shown)
    };
    let whole = looks(&window);
    for command in [
        Command::ZoomIn,
        Command::ZoomIn,
        Command::Pan(1, 0),
        Command::Layer(Layer::Nodes),
    ] {
        window.app.run(command);
    }
    wait(&mut window);
    let first = looks(&window);
    assert!(first != whole);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    window.app.open(folder.join("scenes/corner.ron"));
    wait(&mut window);
    assert_eq!(window.app.title(), "corner.ron");
    assert!(looks(&window) != first);
    window.app.run(Command::ZoomOut);
    wait(&mut window);
    let second = looks(&window);
    for (command, is_as) in [
        (Command::Undo, first),
        (Command::Redo, second),
        (Command::Undo, first),
    ] {
        window.app.run(command);
        wait(&mut window);
        assert_eq!(looks(&window), is_as);
    }
    // What is opened anew is looked at as it says.
    window.app.open(folder.join("scenes/corner.ron"));
    wait(&mut window);
    assert!(looks(&window) != second);
}

#[test]
fn whoever_goes_back_to_a_table_that_was_left_finds_two_panes() {
    let mut window = looking();
    let wait = |window: &mut Window| {
        for _ in 0..6 {
            window.frame(&[]);
        }
    };
    window.app.run(Command::Rank);
    wait(&mut window);
    assert!(window.app.all_structures && window.app.lanes.len() == 1);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    window.app.open(folder.join("scenes/corner.ron"));
    wait(&mut window);
    assert_eq!(window.app.title(), "corner.ron");
    window.app.run(Command::Undo);
    let are_two = |it: &Window| it.app.title() == "skirmish.ron" && it.app.lanes.len() == 2;
    window.wait("two panes", are_two);
    assert!(window.app.view == View::Compare && !window.app.all_structures);
    // The way on stays open.
    window.app.run(Command::Redo);
    wait(&mut window);
    assert_eq!(window.app.title(), "corner.ron");
}

#[test]
fn what_is_saved_in_the_past_is_said_to_lack_what_came_later() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = looking();
    let wait = |window: &mut Window| {
        for _ in 0..6 {
            window.frame(&[]);
        }
    };
    for _ in 0..2 {
        window.app.run(Command::Step);
        wait(&mut window);
    }
    window.app.set_reach(2.0);
    wait(&mut window);
    window.app.seek(1);
    wait(&mut window);
    assert!(window.app.place.has_edits_ahead && window.app.place.has_scene_ahead);
    window.app.save(folder.path().join("mine.ron"));
    window.wait("the file", |window| window.app.title() == "mine.ron");
    let notice = window.notice();
    assert!(notice.contains("as of tick 1:"), "{notice}");
    assert!(
        notice.contains("what was changed after it, where any of that is left, is not in it"),
        "{notice}"
    );
}

#[test]
fn time_and_the_brush_are_as_they_were_left_by_undo_and_by_redo_of_an_opening() {
    let mut window = looking();
    let wait = |window: &mut Window| {
        for _ in 0..6 {
            window.frame(&[]);
        }
    };
    let set = |window: &mut Window, mode, brush: (f32, Option<(f32, f32)>)| {
        window.app.set_mode(mode);
        (window.app.brush.radius, window.app.brush.width) = brush;
        wait(window);
    };
    let left = |window: &Window| {
        let brush = &window.app.brush;
        (window.app.mode, (brush.radius, brush.width))
    };
    let first = (RunMode::Paused, (31.0, Some((2.0, 5.0))));
    let second = (RunMode::Running, (17.0, None));
    set(&mut window, first.0, first.1);
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    window.app.open(root.join("scenes/corner.ron"));
    wait(&mut window);
    assert_eq!(window.app.title(), "corner.ron");
    set(&mut window, second.0, second.1);
    for (command, title, is_as) in [
        (Command::Undo, "skirmish.ron", first),
        (Command::Redo, "corner.ron", second),
        (Command::Undo, "skirmish.ron", first),
    ] {
        window.app.run(command);
        wait(&mut window);
        assert_eq!(window.app.title(), title);
        assert_eq!(left(&window), is_as, "{title}");
    }
    // Time goes on in a scene that was left so, though the one after it stands.
    set(&mut window, second.0, second.1);
    window.app.open(root.join("scenes/corner.ron"));
    wait(&mut window);
    set(&mut window, first.0, first.1);
    window.app.run(Command::Undo);
    wait(&mut window);
    assert_eq!(window.app.title(), "skirmish.ron");
    assert_eq!(left(&window), second);
}

#[test]
fn undo_goes_back_one_scene_at_a_time_through_those_that_were_only_looked_at() {
    let mut window = looking();
    let wait = |window: &mut Window| {
        for _ in 0..6 {
            window.frame(&[]);
        }
    };
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let names = ["corner.ron", "charge.ron", "corner.ron", "charge.ron"];
    let all = [names, names, names].concat();
    let mut titles = vec!["skirmish.ron"];
    for name in all {
        window.app.open(root.join("scenes").join(name));
        wait(&mut window);
        assert_eq!(window.app.title(), name);
        titles.push(name);
    }
    titles.pop();
    for title in titles.into_iter().rev() {
        window.app.run(Command::Undo);
        wait(&mut window);
        assert_eq!(window.app.title(), title);
        assert!(window.notice().starts_with("Back to"));
        assert!(!window.notice().contains("not kept"));
    }
}

#[test]
fn a_line_parts_the_run_of_now_from_those_before_the_scene_began_anew() {
    // The curve is of the tests, of which this one has the same in every tick.
    let mut window = Window::open(&BATTLE.replace("quadtree", "all-pairs"));
    let lines = |window: &Window| -> Vec<f32> {
        let way = window.place("timeline");
        let of = |clipped: &egui::epaint::ClippedShape| match &clipped.shape {
            egui::Shape::LineSegment { points, stroke } => {
                let is_it = stroke.color == Palette::DARK.text_third
                    && points[0].x == points[1].x
                    && way.contains(points[0]);
                is_it.then_some(points[0].x)
            }
            _ => None,
        };
        window.drawn.iter().filter_map(of).collect()
    };
    for _ in 0..30 {
        window.frame(&[]);
    }
    assert!(window.app.place.curve.iter().any(|tests| *tests > 0.0));
    assert!(lines(&window).is_empty());
    let restarted = window.app.place.tick;
    window.app.run(Command::Restart);
    for _ in 0..30 {
        window.frame(&[]);
    }
    let way = window.place("timeline");
    let found = lines(&window);
    let [line] = found[..] else {
        panic!("one line: {found:?}")
    };
    let part = restarted as f32 / window.app.place.end as f32;
    let expected = way.left() + way.width() * part;
    assert!((line - expected).abs() < 20.0, "{line} {expected}");
    // Whoever goes back into that run has the line where the later one begins.
    window.app.set_mode(RunMode::Paused);
    window.app.seek(restarted / 2);
    for _ in 0..6 {
        window.frame(&[]);
    }
    assert_eq!(lines(&window), [line]);
}
