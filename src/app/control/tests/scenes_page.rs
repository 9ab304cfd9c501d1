//! The page of the scene: its name, its field, its bodies.

use super::editing::looking;
use super::*;
use crate::app::commands::Command;
use skirmish::session::{Action, BodySize};

#[test]
fn a_scene_gets_another_name_and_undo_takes_it_back() {
    let mut window = looking();
    let before = window.app.scene.name.clone();
    window.app.run(Command::Describe);
    for _ in 0..3 {
        window.frame(&[]);
    }
    let end = window.place("describe.name").right_center() - vec2(8.0, 0.0);
    window.click(end);
    window.type_text("-12");
    window.key(KeyCode::Enter);
    for _ in 0..3 {
        window.frame(&[]);
    }
    assert_eq!(window.app.scene.name, format!("{before}-12"));
    assert!(window.app.pages.describe.is_none());
    window.app.run(Command::Undo);
    for _ in 0..3 {
        window.frame(&[]);
    }
    assert_eq!(window.app.scene.name, before);
    // What is typed and given up changes nothing.
    window.app.run(Command::Describe);
    window.frame(&[]);
    window.frame(&[]);
    window.type_text("3");
    window.key(KeyCode::Escape);
    window.frame(&[]);
    assert!(window.app.pages.describe.is_none());
    assert_eq!(window.app.scene.name, before);
}

#[test]
fn the_scenes_page_has_a_button_that_closes_it() {
    let mut window = looking();
    window.size = vec2(1440.0, 900.0);
    window.frame(&[]);
    window.frame(&[]);
    window.click_on("bodies");
    for _ in 0..3 {
        window.frame(&[]);
    }
    let (close, name) = (
        window.place("describe.close"),
        window.place("describe.name"),
    );
    // What is typed ends a margin before the frame around it.
    let aside = close.right() - name.right();
    assert!(
        (0.0..8.0).contains(&aside),
        "in a line with the fields: {close} {name}"
    );
    assert!(close.bottom() < name.top());
    window.click_on("describe.close");
    window.frame(&[]);
    assert!(window.app.pages.describe.is_none());
}

#[test]
fn the_scenes_page_does_not_scroll_in_a_window_that_has_room_for_it() {
    let mut window = looking();
    window.size = vec2(1440.0, 1000.0);
    window.frame(&[]);
    window.frame(&[]);
    window.click_on("bodies");
    let heights = [1000.0, 760.0].map(|height| {
        window.size = vec2(1440.0, height);
        for _ in 0..4 {
            window.frame(&[]);
        }
        let (head, foot) = (window.place("describe.close"), window.place("describe.set"));
        assert!(foot.bottom() < height - 16.0, "{height}: {foot}");
        foot.bottom() - head.top()
    });
    assert!((heights[0] - heights[1]).abs() < 1.0, "{heights:?}");
}

#[test]
fn the_scenes_page_scrolls_to_no_room_in_which_nothing_stands_and_ends_above_the_status() {
    let mut window = looking();
    window.size = vec2(1000.0, 700.0);
    window.frame(&[]);
    window.app.run(Command::Describe);
    (0..6).for_each(|_| window.frame(&[]));
    let tops = |window: &Window| {
        ["describe.name", "describe.bodies.points"].map(|name| window.place(name).top())
    };
    let before = tops(&window);
    let foot = window.place("describe.set").bottom();
    let status = window.size.y - theme::layout::STATUS;
    // The page goes on below its buttons as far as beside them.
    assert!(foot + 20.0 <= status, "{foot}");
    // Points have no law below them, and all that there is stands in sight.
    let scroll = |window: &mut Window| {
        window.move_to(window.place("describe.name").center());
        window.asked.push(Event::MouseWheel {
            unit: egui::MouseWheelUnit::Point,
            delta: vec2(0.0, -400.0),
            modifiers: egui::Modifiers::default(),
        });
        (0..6).for_each(|_| window.frame(&[]));
    };
    scroll(&mut window);
    assert_eq!(tops(&window), before);
    // In a window that is too low for that it scrolls.
    window.size = vec2(1000.0, 480.0);
    (0..6).for_each(|_| window.frame(&[]));
    let before = tops(&window);
    scroll(&mut window);
    assert!(tops(&window)[0] < before[0]);
}

#[test]
fn bodies_and_field_are_set_on_the_scenes_page_and_undo_takes_them_back() {
    let mut window = looking();
    let before = window.app.scene.field.size();
    // The default size, at which the row is in sight.
    window.size = vec2(1440.0, 900.0);
    window.frame(&[]);
    window.frame(&[]);
    window.click_on("bodies");
    for _ in 0..3 {
        window.frame(&[]);
    }
    assert!(
        window.app.pages.describe.is_some(),
        "the row opens the page"
    );
    window.click_on("describe.bodies.between");
    let end = window.place("describe.width").right_center() - vec2(6.0, 0.0);
    window.click(end);
    window.type_text("4000");
    window.frame(&[]);
    window.click_on("describe.set");
    for _ in 0..4 {
        window.frame(&[]);
    }
    let bodies = |window: &Window| BodySize::of(&window.app.scene);
    assert_eq!(bodies(&window), Some(BodySize::Between(0.5, 8.0)));
    let wide = geometry::Vec2::new(4000.0, before.y);
    assert_eq!(window.app.scene.field.size(), wide);
    assert!(window.app.battle.bodies().are_sized());
    // All of the larger field is shown.
    let screen = window.app.camera.screen;
    let right = window.at(wide.x, 0.0);
    assert!(
        screen.expand(1.0).contains(right),
        "{right:?} of {screen:?}"
    );
    window.app.run(Command::Undo);
    for _ in 0..4 {
        window.frame(&[]);
    }
    assert_eq!(bodies(&window), Some(BodySize::Point));
    assert_eq!(window.app.scene.field.size(), before);
}

#[test]
fn nothing_of_the_scenes_page_moves_whatever_is_chosen_on_it_and_its_buttons_are_in_sight() {
    for (scene, is_plane) in [(BATTLE, true), (in_space::SPACE, false)] {
        let mut window = Window::open(scene);
        window.app.set_mode(RunMode::Paused);
        let mut uncut = None;
        for (width, height) in [
            (1440.0, 1000.0),
            (1280.0, 720.0),
            (1440.0, 620.0),
            (640.0, 480.0),
            (320.0, 240.0),
        ] {
            window.size = vec2(width, height);
            window.app.run(Command::Describe);
            (0..6).for_each(|_| window.frame(&[]));
            let tops = |window: &Window| {
                let names = ["describe.set", "describe.cancel", "describe.bodies.points"];
                let of_plane = ["describe.places.clusters", "describe.keep_apart"];
                let of_plane = of_plane.into_iter().filter(|_| is_plane);
                let all = names.into_iter().chain(of_plane);
                all.map(|name| window.place(name).top()).collect::<Vec<_>>()
            };
            let before = tops(&window);
            for (picked, bodies) in [(1, 1), (1, 2), (2, 0), (0, 0), (0, 3), (2, 3)] {
                let page = window.app.pages.describe.as_mut().expect("the page");
                page.choose_bodies(bodies);
                if is_plane {
                    page.places = picked;
                    page.keep_apart = bodies.to_string();
                }
                (0..4).for_each(|_| window.frame(&[]));
                let now = tops(&window);
                assert_eq!(now, before, "{width} by {height}: {picked} {bodies}");
            }
            let screen = Rect::from_min_size(Pos2::ZERO, window.size);
            for name in ["describe.set", "describe.cancel"] {
                let button = window.place(name);
                assert!(
                    screen.contains_rect(button),
                    "{width} by {height}: {button:?}"
                );
            }
            // As far down as where there is room enough: nothing is cut there.
            let below = window.place("describe.set").top();
            let below = below - window.place("describe.exponent").bottom();
            let uncut = *uncut.get_or_insert(below);
            if height >= 720.0 {
                assert!((below - uncut).abs() < 0.5, "{height}: {below} {uncut}");
            }
            window.key(KeyCode::Escape);
            window.frame(&[]);
            assert!(window.app.pages.describe.is_none());
        }
    }
}

#[test]
fn the_caret_stands_behind_the_scenes_name_whatever_name_it_was_in_before() {
    let mut window = looking();
    window.app.run(Command::Describe);
    (0..3).for_each(|_| window.frame(&[]));
    window.key(KeyCode::Escape);
    window.frame(&[]);
    let name = "Much longer than it was".to_owned();
    window
        .app
        .act(Action::Describe(name.clone(), String::new()));
    window.wait("the name", |window| window.app.scene.name == name);
    window.app.run(Command::Describe);
    (0..3).for_each(|_| window.frame(&[]));
    window.type_text("3");
    let page = window.app.pages.describe.as_ref().expect("the page");
    assert_eq!(page.name, name + "3");
}
