//! What undo and redo take back and bring back, and what is said of it.

use super::editing::looking;
use super::*;
use crate::app::commands::Command;
use crate::app::state::Tool;
use skirmish::session::Action;

#[test]
fn what_was_undone_or_done_again_is_named_in_the_status_bar_until_something_else_is_done() {
    let mut window = looking();
    let says = |window: &Window, words: &str| {
        let begins = |clipped: &egui::epaint::ClippedShape| match &clipped.shape {
            egui::Shape::Text(text) => text.galley.text().starts_with(words),
            _ => false,
        };
        window.drawn.iter().any(begins)
    };
    window
        .app
        .act(Action::AddLane("kd-tree".to_owned(), Vec::new()));
    window.wait("the lane", |window| window.app.lanes.len() == 2);
    window.app.run(Command::Undo);
    window.wait("its end", |window| window.app.lanes.len() == 1);
    window.wait("words", |window| says(window, "Undone: add k-d tree"));
    window.app.run(Command::Redo);
    window.wait("words", |window| says(window, "Redone: add k-d tree"));
    window.app.act(Action::KeepApart(1.0));
    window.frame(&[]);
    assert!(!says(&window, "Redone"));
    let is_of_apart = |window: &Window| {
        let name = window.app.undo_names[0].as_deref();
        name.is_some_and(|it| it.contains("apart"))
    };
    window.wait("its name", is_of_apart);
    // Until the next one is done it is still said of the last, and whoever swaps lanes or goes elsewhere has done something else.
    let undone = |window: &mut Window| {
        // What it takes back is known as soon as the edit is.
        window.wait("an edit", |window| window.app.undo_names[0].is_some());
        window.app.run(Command::Undo);
        window.wait("words", |window| says(window, "Undone"));
    };
    undone(&mut window);
    window.app.run(Command::Redo);
    assert!(window.app.said_of_turn().is_some());
    window.wait("words", |window| says(window, "Redone"));
    window.app.swap_lanes(0, 1);
    assert!(window.app.said_of_turn().is_none());
    window.frame(&[]);
    undone(&mut window);
    window.app.seek(0);
    assert!(window.app.said_of_turn().is_none());
    window.wait("the start", |window| window.app.place.tick == 0);
    // Where frames are counted it goes with the next tick; in the past undo would bring the future back, and say that.
    window.app.run(Command::GoToEnd);
    window.wait("the end", |window| {
        window.app.place.tick == window.app.place.end
    });
    window.app.act(Action::KeepApart(2.5));
    window.wait("its name", is_of_apart);
    undone(&mut window);
    let tick = window.app.place.tick;
    window.app.run(Command::Step);
    window.wait("a tick", |window| window.app.place.tick > tick);
    assert!(window.app.said_of_turn().is_none());
}

#[test]
fn what_is_undone_in_the_past_is_named_and_comes_back_by_redo() {
    let mut window = Window::open(BATTLE);
    let wait = |window: &mut Window| {
        for _ in 0..4 {
            window.frame(&[]);
        }
    };
    window.app.set_mode(RunMode::Paused);
    window.app.brush.tool = Tool::Blue;
    window.click(window.at(50.0, 50.0));
    wait(&mut window);
    let first = window.app.undo_names[0].clone().expect("an edit");
    window.app.run(Command::NextStructure);
    wait(&mut window);
    let second = window.app.undo_names[0].clone().expect("another edit");
    window.app.set_mode(RunMode::Running);
    for _ in 0..30 {
        window.frame(&[]);
    }
    window.app.set_mode(RunMode::Paused);
    wait(&mut window);
    let end = window.app.place.end;
    window.app.seek(5);
    wait(&mut window);
    window.app.run(Command::Undo);
    wait(&mut window);
    assert_eq!((window.app.place.tick, window.app.place.end), (5, 5));
    let words = window.notice();
    assert!(words.starts_with(&format!("Undone: {second}. A new future")));
    assert!(words.contains("Redo brings them back"), "{words}");
    // Undo goes on to what was done before that.
    assert_eq!(window.app.undo_names[0].as_deref(), Some(&*first));
    window.app.run(Command::Redo);
    wait(&mut window);
    assert_eq!((window.app.place.tick, window.app.place.end), (5, end));
    window.app.run(Command::Undo);
    window.app.run(Command::Undo);
    wait(&mut window);
    assert_eq!((window.app.place.tick, window.app.place.end), (5, 5));
    assert_eq!(window.app.undo_names[1].as_deref(), Some(&*first));
    // Both are done again for it.
    for known in [5, end] {
        window.app.run(Command::Redo);
        wait(&mut window);
        assert_eq!((window.app.place.tick, window.app.place.end), (5, known));
    }
}

#[test]
fn what_an_edit_in_the_past_has_ended_comes_back_by_undo_or_by_name() {
    let mut window = Window::open(BATTLE);
    let wait = |window: &mut Window| {
        for _ in 0..4 {
            window.frame(&[]);
        }
    };
    window.app.set_mode(RunMode::Running);
    for _ in 0..30 {
        window.frame(&[]);
    }
    window.app.set_mode(RunMode::Paused);
    wait(&mut window);
    let end = window.app.place.end;
    assert!(end >= 20);
    assert!(window.app.may(Command::OtherFuture).is_err());
    window.app.seek(5);
    wait(&mut window);
    window.app.brush.tool = Tool::Blue;
    window.click(window.at(50.0, 50.0));
    wait(&mut window);
    assert_eq!((window.app.place.tick, window.app.place.end), (5, 5));
    window.app.run(Command::Undo);
    wait(&mut window);
    assert_eq!((window.app.place.tick, window.app.place.end), (5, end));
    window.app.run(Command::OtherFuture);
    wait(&mut window);
    assert_eq!(window.app.place.end, 5, "the other one was put aside");
    window.app.run(Command::OtherFuture);
    wait(&mut window);
    assert_eq!(window.app.place.end, end);
    // What is said of it is so at every moment: once time goes on undo takes back the edit alone.
    window.click(window.at(50.0, 50.0));
    wait(&mut window);
    assert_eq!((window.app.place.tick, window.app.place.end), (5, 5));
    assert!(window.notice().contains("Undo brings them back"));
    window.app.run(Command::Step);
    wait(&mut window);
    let words = window.notice();
    assert!(words.contains("'Other future' in the menu Run brings them back; undo does not."));
    window.app.run(Command::Undo);
    wait(&mut window);
    assert_eq!((window.app.place.tick, window.app.place.end), (6, 6));
    assert!(
        window
            .notice()
            .ends_with("stays aside; 'Other future' in the menu Run brings it back.")
    );
    // Whoever compares stays at the tick.
    window.app.run(Command::OtherFuture);
    wait(&mut window);
    assert_eq!((window.app.place.tick, window.app.place.end), (6, end));
    assert!(
        window
            .notice()
            .contains("is back, and time goes to tick 6;")
    );
    window.app.run(Command::OtherFuture);
    wait(&mut window);
    assert_eq!((window.app.place.tick, window.app.place.end), (6, 6));
    // Whoever looks at what was before the edit goes nowhere else either.
    window.app.seek(3);
    wait(&mut window);
    window.app.run(Command::OtherFuture);
    wait(&mut window);
    assert_eq!((window.app.place.tick, window.app.place.end), (3, end));
    let words = window.notice();
    assert!(words.contains("is back, and time goes to tick 3;"));
    window.app.seek(5);
    wait(&mut window);
    assert_eq!((window.app.place.tick, window.app.place.end), (5, end));
    // Of two edits there each is undone by itself, and the first one brings it back.
    for x in [50.0, 90.0] {
        window.click(window.at(x, 50.0));
        wait(&mut window);
        assert_eq!((window.app.place.tick, window.app.place.end), (5, 5));
        let words = window.notice();
        assert!(words.contains("Undo brings them back"), "{words}");
    }
    for known in [5, end] {
        window.app.run(Command::Undo);
        wait(&mut window);
        assert_eq!((window.app.place.tick, window.app.place.end), (5, known));
    }
}

#[test]
fn what_is_said_of_an_edit_goes_with_it() {
    let mut window = looking();
    let said = "The scene begins again.";
    let restart = |window: &mut Window| {
        while window.app.place.tick < 3 {
            window.app.run(Command::Step);
            window.frame(&[]);
        }
        window.app.run(Command::Restart);
        for _ in 0..5 {
            window.frame(&[]);
        }
        assert!(window.notice().starts_with(said), "{}", window.notice());
    };
    restart(&mut window);
    window.app.run(Command::Undo);
    for _ in 0..5 {
        window.frame(&[]);
    }
    assert_eq!(window.notice(), "");
    // Another edit is what undo takes back then.
    restart(&mut window);
    window.app.set_reach(2.0);
    for _ in 0..5 {
        window.frame(&[]);
    }
    assert_eq!(window.notice(), "");
    // A restart of what was restarted has a sentence of its own.
    restart(&mut window);
    restart(&mut window);
    window.app.run(Command::Undo);
    for _ in 0..5 {
        window.frame(&[]);
    }
    assert_eq!(window.notice(), "");
}

#[test]
fn an_undo_that_leaves_the_scene_says_so_and_what_leads_back() {
    let mut window = Window::open(BATTLE);
    let wait = |window: &mut Window| {
        for _ in 0..6 {
            window.frame(&[]);
        }
    };
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    window.app.open(folder.join("scenes/corner.ron"));
    wait(&mut window);
    assert_eq!(window.app.title(), "corner.ron");
    window.app.run(Command::Undo);
    wait(&mut window);
    assert_eq!(window.app.title(), "skirmish.ron");
    assert_eq!(
        window.notice(),
        "Back to skirmish.ron, which was open before. Redo (Ctrl+Shift+Z) opens corner.ron again, as it was."
    );
    window.app.run(Command::Redo);
    wait(&mut window);
    assert_eq!(window.app.title(), "corner.ron");
    assert_eq!(
        window.notice(),
        "corner.ron is open again. Undo (Ctrl+Z) goes back to skirmish.ron."
    );
}

#[test]
fn whoever_takes_a_deletion_back_has_those_selected_who_were() {
    let mut window = looking();
    window.app.selection.replace([3, 4, 11]);
    window.app.run(Command::DeleteSelection);
    window.wait("three are gone", |it| it.app.alive() == 17);
    assert!(window.app.selection.is_empty());
    window.app.run(Command::Undo);
    window.wait("all are back", |it| it.app.alive() == 20);
    assert_eq!(window.app.selection.units(), [3, 4, 11]);
    window.app.run(Command::Redo);
    window.wait("three are gone again", |it| it.app.alive() == 17);
    assert!(window.app.selection.is_empty());
    window.app.run(Command::Undo);
    window.wait("all are back again", |it| it.app.alive() == 20);
    assert_eq!(window.app.selection.units(), [3, 4, 11]);
    // Whom the brush has erased nobody had selected.
    window.app.selection.clear();
    let at = window.places()[0];
    window.app.act(Action::Erase(at.into(), 12.0));
    window.wait("some are gone", |it| it.app.alive() < 20);
    window.app.run(Command::Undo);
    window.wait("all are there", |it| it.app.alive() == 20);
    assert!(window.app.selection.is_empty());
}

#[test]
fn whom_undo_brings_back_is_selected_also_where_a_future_comes_back_or_time_has_gone_on() {
    let mut window = looking();
    let settle = |window: &mut Window| (0..4).for_each(|_| window.frame(&[]));
    let (known, past) = (30, 5);
    for _ in 0..known {
        window.app.run(Command::Step);
        window.frame(&[]);
    }
    settle(&mut window);
    let end = window.app.place.end;
    window.app.seek(past);
    settle(&mut window);
    let three = |it: &Window| [3, 4, 11].map(|unit| it.app.battle.positions()[unit]);
    let before = three(&window);
    // The deletion ends that future, and its undo brings it back.
    window.app.selection.replace([3, 4, 11]);
    window.app.run(Command::DeleteSelection);
    settle(&mut window);
    assert_eq!((window.app.alive(), window.app.place.end), (17, past));
    window.app.run(Command::Undo);
    settle(&mut window);
    assert_eq!((window.app.alive(), window.app.place.end), (20, end));
    assert_eq!(window.app.selection.units(), [3, 4, 11]);
    // Another undo that brings one back has deleted nobody.
    window.app.selection.clear();
    window.app.act(Action::Reach(2.0));
    settle(&mut window);
    assert_eq!(window.app.place.end, past);
    window.app.run(Command::Undo);
    settle(&mut window);
    assert_eq!(window.app.place.end, end);
    assert!(window.app.selection.is_empty());
    // Cut, and ticks in between: whoever comes back is selected, by whatever number.
    window.app.selection.replace([3, 4, 11]);
    assert!(window.app.copy_selection().is_some());
    window.app.run(Command::DeleteSelection);
    settle(&mut window);
    for _ in 0..3 {
        window.app.run(Command::Step);
        window.frame(&[]);
    }
    settle(&mut window);
    window.app.run(Command::Undo);
    settle(&mut window);
    assert_eq!((window.app.alive(), window.app.selection.len()), (20, 3));
    let mut back = window.app.selection.units().iter();
    let positions = window.app.battle.positions();
    assert!(back.all(|unit| {
        let at = positions[*unit as usize];
        before.iter().any(|it| it.distance(at) < 2.0)
    }));
}

#[test]
fn undo_goes_back_through_all_scenes_that_were_left_and_redo_on_again() {
    let mut window = Window::open(BATTLE);
    let wait = |window: &mut Window| {
        for _ in 0..6 {
            window.frame(&[]);
        }
    };
    window.app.begin_new();
    wait(&mut window);
    let titles = ["skirmish.ron", "new-scene.ron", "corner.ron", "cross.ron"];
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes");
    for title in &titles[2..] {
        window.app.open(folder.join(title));
        wait(&mut window);
    }
    let mut turn = |command: Command, title: &str| {
        window.app.run(command);
        wait(&mut window);
        assert_eq!(window.app.title(), title);
    };
    for title in titles.iter().rev().skip(1) {
        turn(Command::Undo, title);
    }
    turn(Command::Undo, titles[0]);
    for title in &titles[1..] {
        turn(Command::Redo, title);
    }
}

#[test]
fn redo_opens_the_scene_that_was_left_before_what_was_undone_before_that_was_opened() {
    let mut window = looking();
    let wait = |window: &mut Window| {
        for _ in 0..6 {
            window.frame(&[]);
        }
    };
    let turn = |window: &mut Window, command: Command, title: &str| {
        window.app.run(command);
        wait(window);
        assert_eq!(window.app.title(), title);
    };
    let (battle, other) = ("skirmish.ron", "corner.ron");
    let open = |window: &mut Window| {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
        window.app.open(folder.join("scenes/corner.ron"));
        wait(window);
        assert_eq!(window.app.title(), other);
    };
    let redo = |window: &Window| window.app.undo_names[1].clone().unwrap_or_default();
    window.app.run(Command::NextStructure);
    wait(&mut window);
    turn(&mut window, Command::Undo, battle);
    assert!(redo(&window).starts_with("choose"));
    open(&mut window);
    turn(&mut window, Command::Undo, battle);
    assert_eq!(redo(&window), "open scene");
    turn(&mut window, Command::Redo, other);
    // An edit ends that, as it ends all that could be done again.
    turn(&mut window, Command::Undo, battle);
    window.app.set_reach(2.0);
    wait(&mut window);
    assert_eq!(redo(&window), "");
    turn(&mut window, Command::Redo, battle);
    // What is undone after a scene was opened is done again first.
    open(&mut window);
    turn(&mut window, Command::Undo, battle);
    assert_eq!(redo(&window), "open scene");
    turn(&mut window, Command::Undo, battle);
    assert_eq!(redo(&window), "set reach");
    turn(&mut window, Command::Redo, battle);
    turn(&mut window, Command::Redo, other);
    // An undo that has ended a future is older as well.
    turn(&mut window, Command::Undo, battle);
    let at = window.app.place.tick + 2;
    window.app.set_mode(RunMode::Running);
    for _ in 0..20 {
        window.frame(&[]);
    }
    window.app.set_mode(RunMode::Paused);
    wait(&mut window);
    let end = window.app.place.end;
    window.app.seek(at);
    wait(&mut window);
    turn(&mut window, Command::Undo, battle);
    assert_eq!((window.app.place.tick, window.app.place.end), (at, at));
    open(&mut window);
    turn(&mut window, Command::Undo, battle);
    turn(&mut window, Command::Redo, other);
    turn(&mut window, Command::Undo, battle);
    turn(&mut window, Command::OtherFuture, battle);
    assert_eq!((window.app.place.tick, window.app.place.end), (at, end));
}

#[test]
fn what_became_of_a_typed_value_is_said_before_the_future_that_it_begins() {
    let mut window = Window::open(BATTLE);
    let sentences = ["One begins; undo.", "One begins."].map(str::to_owned);
    window.app.say_of_value("40 became 32.");
    let name = || "capacity".to_owned();
    window.app.say_of_future(sentences.clone(), name(), false);
    assert_eq!(window.notice(), "40 became 32. One begins; undo.");
    // Of the next one nothing was typed.
    window.app.say_of_future(sentences, name(), false);
    assert_eq!(window.notice(), "One begins; undo.");
}
