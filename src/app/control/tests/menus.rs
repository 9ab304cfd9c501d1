//! What is chosen in the menus, by the mouse and by keys.

use super::*;
use crate::app::commands::Menu;
use crate::app::state::StopKind;
use skirmish::partition::Kind;

impl Window {
    fn open_menu(&mut self, menu: &str) {
        self.click_on(&format!("menu.{menu}"));
        // It is as wide as its lines from the second frame on.
        (0..3).for_each(|_| self.frame(&[]));
        assert!(self.app.menu_open, "{menu}");
    }

    fn stop_list_is_open(&self) -> bool {
        let list = egui::Id::new("stop list");
        self.ctx.memory(|memory| memory.is_popup_open(list))
    }
}

/// Whether a menu with this entry is open, once it has settled.
fn shows(window: &mut Window, entry: &str) -> bool {
    (0..3).for_each(|_| window.frame(&[]));
    widgets::forget_places(&window.ctx);
    window.frame(&[]);
    widgets::places(&window.ctx).contains_key(&format!("entry.{entry}"))
}

#[test]
fn the_list_of_what_time_stops_for_stays_open_that_was_chosen_in_the_menu() {
    for (text, view) in [
        (WORLD, View::Streaming),
        (WORLD, View::Battle),
        (BATTLE, View::Battle),
        (BATTLE, View::Compare),
    ] {
        let mut window = Window::open(text);
        window.size = vec2(1280.0, 1400.0);
        window.app.run(Command::View(view));
        window.frame(&[]);
        window.open_menu("Run");
        window.click_on("entry.Stop when\u{2026}");
        (0..3).for_each(|_| window.frame(&[]));
        assert!(window.stop_list_is_open(), "{view:?}");
        assert!(widgets::places(&window.ctx).contains_key("stop.elapsed"));
        // And its own button closes it.
        window.click_on("stops");
        (0..2).for_each(|_| window.frame(&[]));
        assert!(!window.stop_list_is_open(), "{view:?}");
    }
}

#[test]
fn arrows_walk_an_open_menu_return_chooses_and_nothing_behind_it_moves() {
    let mut window = Window::open(BATTLE);
    window.size = vec2(1280.0, 1400.0);
    (0..2).for_each(|_| window.frame(&[]));
    let camera = window.app.camera;
    let alive = window.app.alive();
    window.open_menu("Run");
    for _ in 0..10 {
        window.key(KeyCode::Down);
    }
    for key in [KeyCode::Left, KeyCode::Right, KeyCode::Space, KeyCode::Key1] {
        let mode = window.app.mode;
        window.key(key);
        assert_eq!(window.app.mode, mode, "{key:?}");
    }
    assert_eq!(window.app.camera, camera);
    assert_eq!(window.structure(), "quadtree");
    // The first entry is what Space does.
    window.key(KeyCode::Home);
    let mode = window.app.mode;
    window.key(KeyCode::Enter);
    (0..2).for_each(|_| window.frame(&[]));
    assert_ne!(window.app.mode, mode);
    assert!(!window.app.menu_open);
    assert!(!field_has_keys(&window.ctx));
    assert_eq!(window.app.alive(), alive);
    // With none lit Return chooses nothing, and Escape closes it.
    window.open_menu("Run");
    let mode = window.app.mode;
    window.key(KeyCode::Enter);
    assert_eq!((window.app.mode, window.app.menu_open), (mode, true));
    window.key(KeyCode::Escape);
    window.frame(&[]);
    assert!(!window.app.menu_open && !field_has_keys(&window.ctx));
    window.key(KeyCode::Down);
    assert_ne!(
        window.app.camera, camera,
        "the arrows are the window's again"
    );
}

#[test]
fn arrows_open_what_leads_further_walk_it_and_close_it() {
    let mut window = Window::open(BATTLE);
    window.size = vec2(1280.0, 1400.0);
    let scene = concat!(env!("CARGO_MANIFEST_DIR"), "/scenes/clusters.ron");
    let missing = concat!(env!("CARGO_MANIFEST_DIR"), "/scenes/nowhere.ron");
    window.app.settings.recent = [scene, missing].map(str::to_owned).into();
    (0..2).for_each(|_| window.frame(&[]));
    let camera = window.app.camera;
    window.open_menu("File");
    let shows = |window: &mut Window| {
        widgets::forget_places(&window.ctx);
        window.frame(&[]);
        widgets::places(&window.ctx).contains_key("recent.clear")
    };
    for walked in 0.. {
        assert!(walked < 60, "no entry led to the recent scenes");
        window.key(KeyCode::Home);
        (0..walked).for_each(|_| window.key(KeyCode::Down));
        window.key(KeyCode::Right);
        if shows(&mut window) {
            break;
        }
        // From an entry that leads nowhere it leads to the menu beside, and from there back.
        window.key(KeyCode::Left);
    }
    window.key(KeyCode::Left);
    assert!(!shows(&mut window) && window.app.menu_open);
    window.key(KeyCode::Right);
    assert!(shows(&mut window));
    // Where there is no file any more nothing is opened, and it is walked all the same.
    window.wait("what is missing", |it| {
        it.app.files.why_not(missing).is_some()
    });
    window.key(KeyCode::Down);
    window.key(KeyCode::Enter);
    (0..2).for_each(|_| window.frame(&[]));
    assert!(shows(&mut window) && window.app.menu_open);
    assert_eq!(window.app.picked, None);
    // Behind it stands what forgets both.
    window.key(KeyCode::Down);
    window.key(KeyCode::Enter);
    (0..2).for_each(|_| window.frame(&[]));
    assert!(window.app.settings.recent.is_empty() && !window.app.menu_open);
    assert_eq!(window.app.camera, camera);
}

#[test]
fn keys_open_the_bar_and_go_from_menu_to_menu_although_the_pointer_lies_on_one() {
    let mut window = Window::open(BATTLE);
    window.size = vec2(1280.0, 1400.0);
    (0..2).for_each(|_| window.frame(&[]));
    window.move_to(window.place("menu.View").center());
    window.key(KeyCode::F10);
    assert!(shows(&mut window, "New scene"));
    window.key(KeyCode::Right);
    assert!(shows(&mut window, "Undo") && !shows(&mut window, "New scene"));
    window.key(KeyCode::Left);
    window.key(KeyCode::Left);
    assert!(shows(&mut window, "Help") && !shows(&mut window, "Undo"));
    window.key(KeyCode::F10);
    assert!(!shows(&mut window, "Help") && !window.app.menu_open);
}

#[test]
fn tab_lets_go_of_the_entry_that_is_lit_so_that_return_presses_one_thing() {
    let mut window = Window::open(BATTLE);
    window.size = vec2(1280.0, 1400.0);
    (0..2).for_each(|_| window.frame(&[]));
    window.open_menu("Run");
    let first_is_lit = |window: &Window| {
        let mut keys = window.app.menu_keys;
        keys.begin_frame();
        keys.begin(Menu::Run);
        keys.entry().0
    };
    window.key(KeyCode::Home);
    assert!(first_is_lit(&window));
    window.key(KeyCode::Tab);
    assert!(!first_is_lit(&window));
}

#[test]
fn a_key_that_opens_the_bar_takes_the_keyboard_from_the_control_that_was_walked_to() {
    for by_name in [false, true] {
        let mut window = Window::open(BATTLE);
        window.size = vec2(1280.0, 1400.0);
        (0..2).for_each(|_| window.frame(&[]));
        window.key(KeyCode::Tab);
        let focused = |window: &Window| window.ctx.memory(|memory| memory.focused());
        assert!(focused(&window).is_some());
        match by_name {
            true => window.app.run(Command::MenuBar),
            false => window.key(KeyCode::F10),
        }
        (0..2).for_each(|_| window.frame(&[]));
        assert!(window.app.menu_open && focused(&window).is_none());
        // The first entry is pressed, and nothing beside it.
        window.key(KeyCode::Right);
        window.key(KeyCode::Right);
        window.key(KeyCode::End);
        assert_eq!(focused(&window), None);
        window.key(KeyCode::Enter);
        (0..2).for_each(|_| window.frame(&[]));
        assert!(!window.app.menu_open);
    }
}

#[test]
fn who_holds_the_key_of_the_bar_opens_it_and_a_pointer_that_moves_meanwhile_closes_nothing() {
    let mut window = Window::open(BATTLE);
    window.size = vec2(1280.0, 1400.0);
    (0..2).for_each(|_| window.frame(&[]));
    let down = |repeat: bool| InputEvent::KeyDown {
        key: KeyCode::F10,
        modifiers: Modifiers::default(),
        repeat,
    };
    let moved = InputEvent::PointerMoved {
        position: geometry::Vec2::new(700.0, 700.0),
        any_button_down: false,
    };
    window.frame(&[down(false), moved]);
    for _ in 0..3 {
        window.frame(&[down(true)]);
        assert!(window.app.menu_open);
    }
    window.frame(&[down(false)]);
    window.frame(&[]);
    assert!(!window.app.menu_open);
}

#[test]
fn the_key_of_the_bar_opens_no_menu_over_a_list() {
    let mut window = Window::open(BATTLE);
    window.size = vec2(1280.0, 1400.0);
    (0..2).for_each(|_| window.frame(&[]));
    window.click_on("stops");
    (0..2).for_each(|_| window.frame(&[]));
    window.key(KeyCode::F10);
    (0..2).for_each(|_| window.frame(&[]));
    assert!(window.stop_list_is_open());
    assert!(!window.app.menu_keys.is_open());
}

#[test]
fn keys_walk_the_menus_of_a_narrow_window_one_at_a_time_in_the_place_of_their_names() {
    let mut window = Window::open(BATTLE);
    window.size = vec2(480.0, 480.0);
    (0..2).for_each(|_| window.frame(&[]));
    window.key(KeyCode::F10);
    assert!(shows(&mut window, "New scene"));
    window.key(KeyCode::Right);
    assert!(shows(&mut window, "Undo") && !shows(&mut window, "New scene"));
    window.key(KeyCode::F10);
    assert!(!shows(&mut window, "Undo") && !window.app.menu_open);
    // The mouse finds the names there; the key closes them, and whatever is open of them.
    for over in [None, Some("menu.Edit")] {
        window.click_on("menu");
        (0..3).for_each(|_| window.frame(&[]));
        if let Some(name) = over {
            window.move_to(window.place(name).center());
            assert!(shows(&mut window, "Undo"));
        }
        assert!(window.app.menu_open, "{over:?}");
        window.key(KeyCode::F10);
        (0..3).for_each(|_| window.frame(&[]));
        assert!(!window.app.menu_open, "{over:?}");
    }
    // What is lit is chosen.
    window.key(KeyCode::F10);
    let places = Menu::BAR.iter().position(|menu| *menu == Menu::Run);
    (0..places.expect("a menu")).for_each(|_| window.key(KeyCode::Right));
    window.key(KeyCode::Home);
    let mode = window.app.mode;
    window.key(KeyCode::Enter);
    (0..2).for_each(|_| window.frame(&[]));
    assert_ne!(window.app.mode, mode);
    assert!(!window.app.menu_open);
}

#[test]
fn nothing_behind_the_one_menu_of_a_narrow_window_does_anything_by_a_key() {
    let mut window = Window::open(BATTLE);
    window.size = vec2(480.0, 480.0);
    (0..2).for_each(|_| window.frame(&[]));
    window.click_on("menu");
    (0..3).for_each(|_| window.frame(&[]));
    assert!(window.app.menu_open);
    let mode = window.app.mode;
    for key in [KeyCode::Space, KeyCode::Right, KeyCode::Key1, KeyCode::Down] {
        window.key(key);
        assert_eq!((window.app.mode, window.app.menu_open), (mode, true));
    }
    assert_eq!(window.structure(), "quadtree");
}

#[test]
fn a_tick_that_cannot_be_typed_for_lack_of_room_says_so() {
    for width in [1280.0, 480.0, 400.0, 360.0, 340.0] {
        let mut window = Window::open(BATTLE);
        window.size = vec2(width, 480.0);
        (0..3).for_each(|_| window.frame(&[]));
        let places = widgets::places(&window.ctx);
        let (is_there, has_figure) = (
            places.contains_key("stops"),
            places.contains_key("tick.value"),
        );
        window.app.notice = None;
        widgets::want_value(&window.ctx, "tick", widgets::Wanted::Keys);
        (0..2).for_each(|_| window.frame(&[]));
        let says_so = window
            .notice()
            .starts_with("There is no room here to type a tick:");
        assert_eq!(says_so, is_there && !has_figure, "{width}");
    }
}

#[test]
fn an_empty_field_says_how_it_is_seen_again() {
    let words = "The field is out of sight: Home shows all of it.";
    for text in [BATTLE, WORLD] {
        let mut window = Window::open(text);
        assert!(window.words(words).is_empty());
        window.app.pan(9000.0, 0.0);
        window.frame(&[]);
        assert_eq!(window.words(words).len(), 1);
        window.key(KeyCode::Home);
        window.frame(&[]);
        assert!(window.words(words).is_empty());
    }
    // While one steps, Home goes to the first step.
    let mut window = Window::open(BATTLE);
    window.app.run(Command::LookInto);
    window.wait("steps", |it| it.app.has_steps());
    window.app.pan(9000.0, 0.0);
    (0..2).for_each(|_| window.frame(&[]));
    assert!(window.words(words).is_empty());
}

#[test]
fn what_time_cannot_stop_for_as_long_as_nobody_is_selected_is_pale_and_says_why() {
    let mut window = Window::open(WORLD);
    window.size = vec2(1280.0, 1400.0);
    window.frame(&[]);
    window.click_on("stops");
    (0..2).for_each(|_| window.frame(&[]));
    let ink = |window: &Window| {
        let words = "the selected object is late";
        let mut shapes = window.drawn.iter().filter_map(|it| match &it.shape {
            egui::Shape::Text(text) if text.galley.text() == words => {
                Some(text.override_text_color.unwrap_or(text.fallback_color))
            }
            _ => None,
        });
        shapes.next().expect("its row")
    };
    assert_eq!(ink(&window), Palette::DARK.text_third);
    let why = "Select an object in Streaming first, and one alone: click on it.";
    assert_eq!(window.app.why_no_stop(StopKind::LateSelected), Some(why));
    window.click_on("stop.late-selected");
    assert_eq!(window.notice(), why);
    let stream = window.app.stream.as_mut().expect("a world");
    stream.selection.set(Some(0));
    (0..2).for_each(|_| window.frame(&[]));
    assert_eq!(ink(&window), Palette::DARK.text_second);
    window.click_on("stop.late-selected");
    assert!(window.app.stopping.is_on(StopKind::LateSelected));
}

#[test]
fn the_tables_of_structures_are_of_no_use_where_the_battle_is_not_seen() {
    let mut window = Window::open(WORLD);
    window.app.run(Command::View(View::Streaming));
    window.frame(&[]);
    for command in [Command::Rank, Command::Sweep, Command::NextStructure] {
        let refused = window.app.may(command);
        assert!(refused.is_err_and(|why| why.contains("Battle (F2)")));
    }
    window.app.run(Command::View(View::Battle));
    window.frame(&[]);
    for command in [Command::Rank, Command::Sweep] {
        assert_eq!(window.app.may(command), Ok(()));
    }
}

#[test]
fn nothing_is_edited_by_a_key_behind_an_open_list_or_menu() {
    let mut window = Window::open(BATTLE);
    window.app.set_mode(RunMode::Paused);
    window.app.choose_structure(Kind::Bvh);
    window.wait("it is there", |it| it.app.undo_names[0].is_some());
    window.app.run(Command::View(View::Compare));
    (0..3).for_each(|_| window.frame(&[]));
    for opener in ["lane.add", "menu.Edit"] {
        let undone = |it: &Window| it.app.undo_names[1].is_some();
        window.click_on(opener);
        (0..3).for_each(|_| window.frame(&[]));
        assert!(window.app.menu_open, "{opener}");
        window.key_by(KeyCode::Z, true, false);
        window.key(KeyCode::Key1);
        (0..6).for_each(|_| window.frame(&[]));
        assert!(window.app.menu_open && !undone(&window), "{opener}");
        assert_eq!(window.structure(), "bvh");
        window.key(KeyCode::Escape);
        (0..3).for_each(|_| window.frame(&[]));
        assert!(!window.app.menu_open, "{opener}");
    }
    window.key_by(KeyCode::Z, true, false);
    window.wait("it is undone", |it| it.app.undo_names[1].is_some());
}

#[test]
fn what_is_set_in_the_knobs_of_a_lane_is_undone_while_they_are_open() {
    let mut window = Window::open(BATTLE);
    window.app.set_mode(RunMode::Paused);
    window.app.run(Command::View(View::Compare));
    (0..3).for_each(|_| window.frame(&[]));
    let before = capacity(&window);
    let knobs = window.app.lane().structure.info().knobs.iter();
    let place = knobs.map(|knob| knob.key).position(|key| key == "capacity");
    window.click_on("lane.0.knobs");
    (0..3).for_each(|_| window.frame(&[]));
    assert!(window.app.menu_open && window.app.menu_sets);
    let place = place.expect("the knob");
    window.app.set_lane_knob(0, place, before + 3.0);
    window.wait("it is set", |it| it.app.undo_names[0].is_some());
    for (shift, value) in [(false, before), (true, before + 3.0)] {
        window.key_by(KeyCode::Z, true, shift);
        window.wait("it is turned", |it| capacity(it) == value);
        assert!(window.app.menu_open, "it stays open");
    }
    // Nothing else is done behind it.
    window.key(KeyCode::Key1);
    (0..6).for_each(|_| window.frame(&[]));
    assert_eq!(window.structure(), "quadtree");
}
