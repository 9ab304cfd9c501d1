//! Many units at once, the brush, numbers by the arrow keys, and what undo takes back.

use super::*;
use crate::app::commands::{Command, Layer};
use crate::app::settings::Hint;
use crate::app::state::Tool;
use skirmish::partition::Kind;
use skirmish::scene::{ViewKind, ViewLayer};
use skirmish::session::{Action, BodySize, Shape, SideWord, Spread};

/// The window with time standing still and the tool Look.
fn looking() -> Window {
    let mut window = Window::open(BATTLE);
    window.app.set_mode(RunMode::Paused);
    window.app.brush.tool = Tool::Look;
    window.frame(&[]);
    window
}

impl Window {
    pub(super) fn at(&self, x: f32, y: f32) -> Pos2 {
        self.app.camera.to_screen(geometry::Vec2::new(x, y))
    }

    pub(super) fn key_by(&mut self, key: KeyCode, ctrl: bool, shift: bool) {
        let modifiers = Modifiers {
            ctrl,
            shift,
            ..Modifiers::default()
        };
        self.frame(&[InputEvent::KeyDown {
            key,
            modifiers,
            repeat: false,
        }]);
        self.frame(&[InputEvent::KeyUp { key }]);
    }

    pub(super) fn drag(&mut self, from: Pos2, to: Pos2, shift: bool) {
        self.move_to(from);
        let place = |at: Pos2| geometry::Vec2::new(at.x, at.y);
        let modifiers = Modifiers {
            shift,
            ..Modifiers::default()
        };
        let (button, position) = (MouseButton::Left, place(from));
        self.frame(&[InputEvent::Pressed {
            button,
            position,
            modifiers,
        }]);
        self.move_to(from + (to - from) / 2.0);
        self.move_to(to);
        let position = place(to);
        self.frame(&[InputEvent::Released { button, position }]);
        self.frame(&[]);
    }

    /// Where the units of the battle are.
    fn places(&self) -> Vec<geometry::Vec2> {
        let battle = &self.app.battle;
        let ids = battle.bodies().ids();
        ids.map(|unit| battle.positions()[unit as usize]).collect()
    }
}

#[test]
fn a_box_may_begin_on_somebody_and_moves_nobody() {
    let mut window = looking();
    let all = window.places();
    let (from, to) = (
        window.at(all[7].x, all[7].y),
        window.at(all[7].x + 60.0, all[7].y + 60.0),
    );
    window.drag(from, to, false);
    assert!(window.app.selection.contains(7));
    assert_eq!(window.places(), all);
    // Who is selected goes with the hand, alone as well.
    window.click(window.at(all[7].x, all[7].y));
    assert_eq!(window.app.selection.one(), Some(7));
    window.drag(from, to, false);
    window.wait("the unit to be moved", |it| it.places()[7] != all[7]);
}

#[test]
fn a_drag_on_empty_ground_selects_and_shift_takes_more() {
    let mut window = looking();
    let all = window.places();
    let left = all.iter().filter(|at| at.x <= 50.0).count();
    assert!((1..20).contains(&left));
    window.drag(window.at(5.0, 60.0), window.at(50.0, 250.0), false);
    assert_eq!(window.app.selection.len(), left);
    assert_eq!(window.app.boxed, None);
    window.drag(window.at(95.0, 250.0), window.at(50.0, 60.0), true);
    assert_eq!(window.app.selection.len(), 20, "those before stay");
    assert_eq!(
        window.app.selected_words().as_deref(),
        Some("20 units selected")
    );
    // A click beside everybody selects nobody; Ctrl+A all; Escape nobody.
    window.click(window.at(300.0, 150.0));
    assert!(window.app.selection.is_empty());
    window.key_by(KeyCode::A, true, false);
    assert_eq!(window.app.selection.len(), 20);
    window.app.notice = None;
    window.key(KeyCode::Escape);
    assert!(window.app.selection.is_empty());
    assert_eq!(window.places(), all, "nobody has moved");
}

#[test]
fn who_is_selected_moves_together_by_hand_and_by_keys() {
    let mut window = looking();
    let all = window.places();
    window.key_by(KeyCode::A, true, false);
    let from = window.at(all[7].x, all[7].y);
    window.drag(from, window.at(all[7].x + 100.0, all[7].y + 20.0), false);
    assert_eq!(window.app.carried, None);
    let by_hand = window.places();
    for (before, now) in all.iter().zip(&by_hand) {
        assert_near(*now - *before, geometry::Vec2::new(100.0, 20.0), "by hand");
    }
    let camera = window.app.camera.center;
    for (key, shift) in [(KeyCode::Left, false), (KeyCode::Up, true)] {
        window.key_by(key, false, shift);
    }
    assert_eq!(window.app.camera.center, camera, "the view stays");
    for (before, now) in by_hand.iter().zip(window.places()) {
        assert_near(now - *before, geometry::Vec2::new(-1.0, -10.0), "by keys");
    }
    window.key_by(KeyCode::Z, true, false);
    window.frame(&[]);
    assert_eq!(window.places(), by_hand, "both keys were one edit");
    window.key_by(KeyCode::Z, true, false);
    window.frame(&[]);
    assert_eq!(window.places(), all);
    // A click on one of many means that one; Shift leaves one out and takes it again.
    window.click(window.at(all[7].x, all[7].y));
    assert_eq!(window.app.selection.units(), [7]);
    let other = window.at(all[0].x, all[0].y);
    window.drag(other, other, true);
    assert_eq!(window.app.selection.units(), [0, 7]);
    window.drag(other, other, true);
    assert_eq!(window.app.selection.units(), [7]);
    // Without anybody selected the arrows move the view.
    window.app.selection.clear();
    window.key(KeyCode::Left);
    assert_ne!(window.app.camera.center, camera);
}

#[test]
fn copies_are_selected_and_deleted_together() {
    let mut window = looking();
    window.key_by(KeyCode::A, true, false);
    window.key_by(KeyCode::D, true, false);
    window.frame(&[]);
    assert_eq!(window.app.alive(), 40);
    assert_eq!(window.app.selection.len(), 20);
    assert!(window.app.selection.units().iter().all(|unit| *unit >= 20));
    let text = window.app.copy_selection().expect("a text");
    window.app.paste(&text);
    window.frame(&[]);
    window.frame(&[]);
    assert_eq!((window.app.alive(), window.app.selection.len()), (60, 20));
    window.key(KeyCode::Delete);
    window.frame(&[]);
    assert_eq!((window.app.alive(), window.app.selection.len()), (40, 0));
    window.app.paste("what is this?");
    window.frame(&[]);
    window.frame(&[]);
    let said = window.notice().to_owned();
    assert!(
        said.starts_with("The clipboard holds no units of Skirmish"),
        "{said}"
    );
    window.key_by(KeyCode::Z, true, false);
    window.frame(&[]);
    assert_eq!((window.app.alive(), window.app.selection.len()), (60, 20));
    // Those who are gone by the undo of what placed them are selected no more.
    window.key_by(KeyCode::A, true, false);
    window.frame(&[]);
    assert_eq!(window.app.selection.len(), 60);
    window.key_by(KeyCode::Z, true, false);
    window.frame(&[]);
    assert_eq!((window.app.alive(), window.app.selection.len()), (40, 40));
}

#[test]
fn the_brush_places_in_its_shape_and_spread() {
    let mut window = looking();
    window.app.run(Command::Escape);
    window.click_on("brush.blue");
    window.click_on("brush.shape.line");
    window.click_on("brush.spread.lattice");
    assert_eq!(window.app.brush.shape, Shape::Line);
    assert_eq!(window.app.brush.spread, Spread::Lattice);
    window.click(window.at(240.0, 150.0));
    window.frame(&[]);
    let placed = window.places().split_off(20);
    assert_eq!(placed.len(), 12);
    let middle = placed[0].x;
    assert!(placed.iter().all(|at| at.x == middle));
}

#[test]
fn what_was_switched_is_saved_and_nothing_else() {
    let mut window = looking();
    assert_eq!(window.app.scene_to_save(), *window.app.scene, "untouched");
    window.app.run(Command::Layer(Layer::Load));
    window.app.run(Command::Layer(Layer::Tests));
    window.app.run(Command::Faster);
    window.app.run(Command::Tree);
    let saved = window.app.scene_to_save();
    let expected = [(ViewLayer::Load, false), (ViewLayer::Tests, true)];
    assert_eq!(saved.view.layers, expected);
    assert_eq!((saved.view.pace, saved.view.tree), (Some(2.0), true));
    assert_eq!(saved.view.show, None);
    let text = file::format(&saved);
    assert_eq!(
        file::parse(text.as_bytes(), "saved").expect("a scene"),
        saved
    );
    let again = Window::open(&text);
    assert!(again.app.layers.shows(Layer::Tests) && !again.app.layers.shows(Layer::Load));
    assert!(again.app.diagram.is_some());
    assert_eq!(again.app.pace, 2.0);
    assert_eq!(
        again.app.scene_to_save(),
        saved,
        "opened and saved it is the same"
    );

    let mut world = Window::open(WORLD);
    assert_eq!(world.app.scene_to_save(), *world.app.scene, "untouched");
    world.app.run(Command::Layer(Layer::Unions));
    world.follow();
    world.app.run(Command::View(View::Battle));
    let saved = world.app.scene_to_save();
    assert_eq!(saved.view.show, Some(ViewKind::Battle));
    assert!(saved.view.follow);
    // How boxes are drawn is the scene's own word: a layer that was switched does not speak it.
    assert_eq!(saved.view.boxes, None);
    assert_eq!(saved.view.layers, [(ViewLayer::Unions, false)]);
    let text = file::format(&saved);
    assert_eq!(
        file::parse(text.as_bytes(), "saved").expect("a scene"),
        saved
    );
    let again = Window::open(&text);
    assert_eq!(again.app.layers, world.app.layers);
    assert_eq!(again.app.scene_to_save().view, saved.view);
}

#[test]
fn the_arrows_set_the_number_under_the_pointer() {
    let mut window = Window::open(BATTLE);
    let camera = window.app.camera.center;
    let before = window.app.brush.radius;
    let at = window.place("brush.radius").center();
    window.move_to(at);
    window.frame(&[]);
    window.key(KeyCode::Right);
    assert!(window.app.brush.radius > before);
    window.key(KeyCode::Down);
    window.key(KeyCode::Left);
    assert!(window.app.brush.radius < before);
    assert_eq!(window.app.camera.center, camera, "the view stays");
    window.move_to(window.at(240.0, 150.0));
    window.frame(&[]);
    window.key(KeyCode::Left);
    assert_ne!(window.app.camera.center, camera, "elsewhere it moves");
}

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
fn hints_are_followed_by_whoever_acts_and_not_by_what_time_brings() {
    let mut window = Window::open_with(BATTLE, false);
    window.app.set_mode(RunMode::Paused);
    let seen = |window: &Window| Hint::ALL.map(|hint| window.app.settings.has_seen(hint));
    let [place, structure, timeline] = [0, 1, 2].map(|hint| Hint::ALL[hint]);
    assert_eq!(
        [place, structure, timeline],
        [Hint::Place, Hint::Structure, Hint::Timeline]
    );
    window.frame(&[]);
    assert_eq!(seen(&window), [false; 3]);
    // What a script of actions brings about, and what undo takes back, nobody has chosen.
    let first = window.app.lane().structure.kind;
    let other = Kind::ALL.iter().find(|kind| first != **kind);
    let other = *other.expect("another one");
    window
        .app
        .act(Action::Structure(other.info().key.to_owned()));
    window.wait("it", |window| window.app.lane().structure.kind != first);
    window.app.run(Command::Undo);
    window.wait("it", |window| window.app.lane().structure.kind == first);
    window.app.seek(window.app.place.end);
    window.frame(&[]);
    assert_eq!(seen(&window), [false; 3]);
    window.app.choose_structure(other);
    assert_eq!(seen(&window), [false, true, false]);
    window.app.brush.tool = Tool::Blue;
    window.app.brush_at(geometry::Vec2::ZERO, true);
    assert_eq!(seen(&window), [true, true, false]);
    let tick = window.app.place.end;
    window.app.run(Command::Step);
    window.wait("a past", |window| window.app.place.end > tick);
    assert_eq!(seen(&window), [true, true, false]);
    window.app.end_stroke();
    window.app.seek(tick);
    assert_eq!(seen(&window), [true; 3]);
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
fn the_whole_field_is_shown_with_the_units_that_were_pushed_out_of_it() {
    let mut window = Window::open(BATTLE);
    window.app.set_mode(RunMode::Paused);
    window.app.run(Command::FrameAll);
    window.frame(&[]);
    let whole = window.app.camera;
    let field = window.app.scene.field;
    let out = geometry::Vec2::new(field.max.x + field.size().x / 4.0, field.center().y);
    let far = geometry::Vec2::new(field.min.x - 3.0 * field.size().x, field.center().y);
    for at in [out, far] {
        let place = Action::Spawn(SideWord::Blue, (at.x, at.y), 2.0, 3);
        window.app.act(place);
        for _ in 0..4 {
            window.frame(&[]);
        }
    }
    window.app.run(Command::FrameAll);
    window.frame(&[]);
    let camera = window.app.camera;
    assert!(camera.zoom < whole.zoom);
    for at in [field.min, field.max, out] {
        assert!(camera.screen.contains(camera.to_screen(at)), "{at:?}");
    }
    assert!(!camera.screen.contains(camera.to_screen(far)));
    window.app.run(Command::Undo);
    window.app.run(Command::Undo);
    for _ in 0..4 {
        window.frame(&[]);
    }
    window.app.run(Command::FrameAll);
    window.frame(&[]);
    assert_eq!(window.app.camera, whole);
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
fn a_click_on_a_button_that_is_off_leaves_the_keyboard_to_the_field_in_which_one_types() {
    let mut window = looking();
    let name = window.app.scene.name.clone();
    window.app.run(Command::Describe);
    for _ in 0..8 {
        window.frame(&[]);
    }
    let end = window.place("describe.width").right_center() - vec2(6.0, 0.0);
    window.click(end);
    // So wide is no field.
    window.type_text("000000000");
    window.frame(&[]);
    let page = |window: &Window| {
        let page = window.app.pages.describe.as_ref().expect("the page");
        (page.name.clone(), page.width.clone())
    };
    let (_, wide) = page(&window);
    window.click_on("describe.set");
    for _ in 0..3 {
        window.frame(&[]);
    }
    assert!(window.app.pages.describe.is_some(), "Apply is off");
    window.type_text("1");
    assert_eq!(page(&window), (name, wide + "1"));
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
fn who_first_places_units_outside_the_field_hears_that_they_are_kept() {
    let said = |window: &mut Window, x: f32| {
        window.app.notice = None;
        window.app.note_outside(geometry::Vec2::new(x, 100.0));
        !window.notice().is_empty()
    };
    let mut window = looking();
    window.app.brush.tool = Tool::Erase;
    assert!(!said(&mut window, -20.0), "nobody is placed");
    window.app.brush.tool = Tool::Blue;
    assert!(!said(&mut window, 20.0), "inside");
    assert!(said(&mut window, -20.0));
    assert!(!said(&mut window, 500.0), "once");
    // So does who pastes them there.
    let mut window = looking();
    window.key_by(KeyCode::A, true, false);
    let text = window.app.copy_selection().expect("a text");
    for (x, text, is_said) in [
        (100.0, text.as_str(), false),
        // Where nothing is placed it is not used up.
        (-500.0, "no units", false),
        (-500.0, text.as_str(), true),
    ] {
        window.app.notice = None;
        window.app.cursor = Some(geometry::Vec2::new(x, 100.0));
        window.app.paste(text);
        (0..2).for_each(|_| window.frame(&[]));
        let is_it = window
            .notice()
            .starts_with("Units outside the field are kept");
        assert_eq!(is_it, is_said, "{x} {}", window.notice());
    }
    // A press of the brush asks for it.
    let mut window = looking();
    window.app.brush.tool = Tool::Orange;
    window.app.camera.zoom *= 0.5;
    window.frame(&[]);
    let (at, before) = (window.at(-10.0, 100.0), window.app.alive());
    assert!(window.app.camera.screen.contains(at));
    window.click(at);
    window.wait("units", |window| window.app.alive() > before);
    assert!(
        window
            .notice()
            .starts_with("Units outside the field are kept")
    );
}

#[test]
fn who_is_selected_is_given_a_size_and_whoever_is_placed_the_brushs() {
    let mut window = looking();
    window.size = vec2(1440.0, 900.0);
    window.frame(&[]);
    let widths = |window: &Window| -> Vec<f32> {
        let bodies = window.app.battle.bodies();
        let width = |unit| 2.0 * bodies.half_extent(unit).x;
        bodies.ids().map(width).collect()
    };
    window.key_by(KeyCode::A, true, false);
    window.frame(&[]);
    window.click_on("selection.size.value");
    window.frame(&[]);
    window.type_text("3");
    window.key(KeyCode::Enter);
    window.wait("all of them", |it| widths(it) == [3.0; 20]);
    assert_eq!(window.app.selected_widths(), Some((3.0, 3.0)));
    assert_eq!(window.app.selection.len(), 20, "they stay selected");
    // Nothing is a width as well: they are points then.
    window.app.end_stroke();
    window.click_on("selection.size.value");
    window.frame(&[]);
    window.type_text("0");
    window.key(KeyCode::Enter);
    window.wait("points", |it| widths(it) == [0.0; 20]);
    window.app.run(Command::Undo);
    window.wait("undo of points", |it| widths(it) == [3.0; 20]);
    // One of them alone: they differ then.
    window.app.end_stroke();
    window.app.selection.set(Some(0));
    window.app.set_selected_width(8.0);
    window.app.end_stroke();
    window.wait("one of them", |it| widths(it)[0] == 8.0);
    window.app.selection.replace(0..20);
    assert_eq!(window.app.selected_widths(), Some((3.0, 8.0)));
    window.app.run(Command::Undo);
    window.wait("undo of one", |it| widths(it) == [3.0; 20]);
    window.app.run(Command::Undo);
    window.wait("undo of all", |it| widths(it) == [0.0; 20]);

    // The brush: as the scene says until a width is set.
    assert_eq!(window.app.placed_widths(), (0.0, 0.0));
    window.app.brush.width = Some((5.0, 5.0));
    window.app.brush.tool = Tool::Blue;
    window.app.brush.count = 4;
    window.app.brush_at(geometry::Vec2::new(240.0, 150.0), true);
    window.wait("four of a width", |it| widths(it)[20..] == [5.0; 4]);
    window.frame(&[]);
    window.click_on("brush.as_scene");
    assert_eq!(window.app.brush.width, None);
    window.app.brush_at(geometry::Vec2::new(240.0, 150.0), true);
    window.wait("four points", |it| widths(it).len() == 28);
    assert_eq!(widths(&window)[24..], [0.0; 4]);
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
