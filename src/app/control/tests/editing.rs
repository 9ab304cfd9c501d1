//! Many units at once, the brush, and numbers by the arrow keys.

use super::*;
use crate::app::commands::{Command, Layer};
use crate::app::settings::Hint;
use crate::app::state::Tool;
use skirmish::partition::Kind;
use skirmish::scene::{ViewKind, ViewLayer};
use skirmish::session::{Action, Shape, SideWord, Spread};

/// The window with time standing still and the tool Look.
pub(super) fn looking() -> Window {
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
    pub(super) fn places(&self) -> Vec<geometry::Vec2> {
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
