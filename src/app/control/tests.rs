//! What mouse and keys do to a window that is laid out as a real one and drawn by nobody.

use super::*;
use crate::app::gallery::Gallery;
use crate::app::input::egui_key_of;
use crate::app::palette::Palette;
use crate::app::state::{HelpPage, RunMode, Start};
use crate::app::watch::InFile;
use crate::app::{glossary, pages, panels, theme, toasts, widgets};
use egui_macroquad::egui::{self, CentralPanel, Event, RawInput, Rect};
use skirmish::scene::file;
use skirmish::session::file::Recording;
use skirmish::session::{MarkKind, Session};
use skirmish::story::Operation;
use std::path::Path;

mod editing;
mod going_back;
mod in_panels;
mod in_rows;
mod in_space;
mod keeping_mine;
mod kept;
mod late;
mod low_panes;
mod marked;
mod menus;
mod narrow;
mod objects;
mod of_inspector;
mod of_table;
mod over_field;
mod pinned;
mod saving;
mod scenes_page;
mod undoing;
mod usual;

/// A row of objects and a character that stands at their left end; two small armies that nobody sees in Streaming.
const WORLD: &str = r#"(
    version: 1,
    name: "Row",
    field: ((0, 0), (1000, 600)),
    structure: (kind: "linked-grid"),
    armies: [(side: Blue, count: 20, formation: Ranks((20, 100), (80, 200)), order: Hold)],
    character: (position: (500, 300), speed: 50),
    world: (
        need_factor: 1, need_min: 20, need_max: 40, lead: 20, margin: 20,
        objects: [Object((500, 200), (10, 10), "stone.png"), Object((1040, 300), (10, 10), "stone.png")],
    ),
)"#;

/// A structure whose knobs have limits.
const BATTLE: &str = r#"(
    version: 1,
    name: "Calm",
    field: ((0, 0), (480, 300)),
    structure: (kind: "quadtree"),
    armies: [(side: Blue, count: 20, formation: Ranks((20, 100), (80, 200)), order: Hold)],
)"#;

/// A window without a picture.
struct Window {
    app: App,
    views: Views,
    control: Control,
    ctx: Context,
    gallery: Gallery,
    size: Vec2,
    /// Whether a dialog is open, or a question: they are not drawn here.
    asks: bool,
    /// What egui is told in the next frame beside what keys and pointer do.
    asked: Vec<Event>,
    /// What egui gave back last.
    output: egui::PlatformOutput,
    /// What was drawn last.
    drawn: Vec<egui::epaint::ClippedShape>,
}

impl Window {
    fn open(scene: &str) -> Self {
        Self::open_with(scene, true)
    }

    /// With a clock, unless two runs are to look alike.
    fn open_with(scene: &str, fixed: bool) -> Self {
        let scene = file::parse(scene.as_bytes(), "test.ron").expect("a scene");
        let (session, _) = Session::new(scene, Path::new(""));
        let start = Start {
            session,
            path: None,
            in_file: InFile::default(),
            is_recording: false,
            fixed,
            scripted: false,
        };
        let screen = Rect::from_min_max(pos2(280.0, 32.0), pos2(960.0, 500.0));
        let ctx = Context::default();
        theme::apply(&ctx, &Palette::DARK);
        let mut window = Self {
            app: App::new(start, screen).expect("a window"),
            views: Views::new(),
            control: Control::default(),
            ctx,
            gallery: Gallery::default(),
            size: vec2(1280.0, 800.0),
            asks: false,
            asked: Vec::new(),
            output: egui::PlatformOutput::default(),
            drawn: Vec::new(),
        };
        // The first frames settle the layout.
        for _ in 0..3 {
            window.frame(&[]);
        }
        window
    }

    /// A frame with these events: the window's order of things, without the drawing.
    fn frame(&mut self, events: &[InputEvent]) {
        self.control
            .handle(&mut self.app, &mut self.views, &self.ctx, events, false);
        let ask = self.app.plain_ask(false);
        let view = self.views.of(self.app.view);
        let ask = view.ask(&self.app, ask);
        self.app.exchange(ask);
        view.answered(&mut self.app);
        self.draw(events);
    }

    /// The part of a frame that lays out what is known.
    fn draw(&mut self, events: &[InputEvent]) {
        let input = RawInput {
            screen_rect: Some(Rect::from_min_size(Pos2::ZERO, self.size)),
            events: events
                .iter()
                .filter_map(told)
                .chain(self.asked.drain(..))
                .collect(),
            ..RawInput::default()
        };
        let (app, views) = (&mut self.app, &mut self.views);
        let gallery = &mut self.gallery;
        let asks = self.asks || app.pages.are_open();
        let output = self.ctx.run(input, |ctx| {
            widgets::clear_covers(ctx);
            let field = panels::show(ctx, app, &Palette::DARK, views);
            let screen = views.of(app.view).screen(app, field);
            app.resize(screen);
            app.pictured = views.of(app.view).pictured(app);
            CentralPanel::default()
                .frame(egui::Frame::NONE)
                .show(ctx, |ui| {
                    widgets::field(ui, &Palette::DARK, screen, &app.told_field());
                    views.of(app.view).overlay(ui, app, &Palette::DARK);
                    panels::draw_handles(ctx, &Palette::DARK);
                    toasts::show(ui, app, &Palette::DARK, (field, asks));
                });
            pages::show(ctx, app, &Palette::DARK, (field, asks));
            gallery.show(ctx, app, &Palette::DARK);
        });
        self.output = output.platform_output;
        self.drawn = output.shapes;
    }

    /// The places of these words, and what cuts them.
    fn words(&self, words: &str) -> Vec<(Rect, Rect)> {
        let of = |clipped: &egui::epaint::ClippedShape| match &clipped.shape {
            egui::Shape::Text(text) if text.galley.text() == words => {
                Some((text.visual_bounding_rect(), clipped.clip_rect))
            }
            _ => None,
        };
        self.drawn.iter().filter_map(of).collect()
    }

    /// Shows frames until this is so, which it becomes as soon as another thread is done.
    fn wait(&mut self, what: &str, is_so: impl Fn(&Self) -> bool) {
        for _ in 0..2000 {
            self.frame(&[]);
            if is_so(self) {
                return;
            }
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        panic!("{what} never comes");
    }

    fn key(&mut self, key: KeyCode) {
        let modifiers = Modifiers::default();
        let down = InputEvent::KeyDown {
            key,
            modifiers,
            repeat: false,
        };
        self.frame(&[down]);
        self.frame(&[InputEvent::KeyUp { key }]);
    }

    /// Types: digits and what stands between them press a key beside what they write, and letters only write.
    fn type_text(&mut self, text: &str) {
        for character in text.chars() {
            let key = match character {
                '0' => Some(KeyCode::Key0),
                '1' => Some(KeyCode::Key1),
                '2' => Some(KeyCode::Key2),
                '3' => Some(KeyCode::Key3),
                '4' => Some(KeyCode::Key4),
                '-' => Some(KeyCode::Minus),
                '=' => Some(KeyCode::Equal),
                '.' => Some(KeyCode::Period),
                _ => None,
            };
            let down = key.map(|key| InputEvent::KeyDown {
                key,
                modifiers: Modifiers::default(),
                repeat: false,
            });
            let up = key.map(|key| InputEvent::KeyUp { key });
            let events = [down, Some(InputEvent::Text(character)), up];
            let events: Vec<InputEvent> = events.into_iter().flatten().collect();
            self.frame(&events);
        }
    }

    fn move_to(&mut self, at: Pos2) {
        let position = geometry::Vec2::new(at.x, at.y);
        self.frame(&[InputEvent::PointerMoved {
            position,
            any_button_down: false,
        }]);
    }

    fn press(&mut self, button: MouseButton, at: Pos2) {
        self.move_to(at);
        // Nobody presses in the very frame in which egui tries how large a tooltip becomes: it lies anywhere for that one.
        self.frame(&[]);
        let position = geometry::Vec2::new(at.x, at.y);
        let modifiers = Modifiers::default();
        self.frame(&[InputEvent::Pressed {
            button,
            position,
            modifiers,
        }]);
    }

    fn release(&mut self, button: MouseButton, at: Pos2) {
        let position = geometry::Vec2::new(at.x, at.y);
        self.frame(&[InputEvent::Released { button, position }]);
    }

    fn click(&mut self, at: Pos2) {
        self.press(MouseButton::Left, at);
        self.release(MouseButton::Left, at);
    }

    fn click_on(&mut self, widget: &str) {
        self.click(self.place(widget).center());
    }

    fn place(&self, widget: &str) -> Rect {
        widgets::places(&self.ctx)[widget]
    }

    fn character(&self) -> geometry::Vec2 {
        self.app.stream.as_ref().expect("a world").character()
    }

    fn follow(&mut self) {
        self.app.stream.as_mut().expect("a world").camera_follows = true;
        self.frame(&[]);
    }

    fn is_following(&self) -> bool {
        self.app.stream.as_ref().expect("a world").camera_follows
    }

    fn structure(&self) -> &'static str {
        self.app.lane().structure.info().key
    }

    fn notice(&self) -> &str {
        self.app.notice.as_ref().map_or("", |notice| &notice.text)
    }
}

/// What egui is told of an event.
fn told(event: &InputEvent) -> Option<Event> {
    let pos = |position: geometry::Vec2| pos2(position.x, position.y);
    let button = |button, position, pressed| Event::PointerButton {
        pos: pos(position),
        button: match button {
            MouseButton::Left => egui::PointerButton::Primary,
            MouseButton::Right => egui::PointerButton::Secondary,
            _ => egui::PointerButton::Middle,
        },
        pressed,
        modifiers: egui::Modifiers::default(),
    };
    let key = |key, pressed, held: Modifiers| {
        let key = egui_key_of(key)?;
        Some(Event::Key {
            key,
            physical_key: None,
            pressed,
            repeat: false,
            modifiers: egui::Modifiers {
                alt: held.alt,
                ctrl: held.ctrl,
                shift: held.shift,
                command: held.ctrl,
                ..egui::Modifiers::default()
            },
        })
    };
    match *event {
        InputEvent::KeyDown {
            key: code,
            modifiers,
            ..
        } => key(code, true, modifiers),
        InputEvent::KeyUp { key: code } => key(code, false, Modifiers::default()),
        InputEvent::Text(character) => Some(Event::Text(character.to_string())),
        InputEvent::PointerMoved { position, .. } => Some(Event::PointerMoved(pos(position))),
        InputEvent::Pressed {
            button: which,
            position,
            ..
        } => Some(button(which, position, true)),
        InputEvent::Released {
            button: which,
            position,
        } => Some(button(which, position, false)),
        InputEvent::Wheel { .. } | InputEvent::Cancelled => None,
    }
}

fn assert_near(found: geometry::Vec2, expected: geometry::Vec2, what: &str) {
    assert!(
        found.distance(expected) < 0.01,
        "{what}: found {found}, expected {expected}"
    );
}

#[test]
fn a_character_that_is_dragged_stays_under_the_hand_while_the_camera_follows_it() {
    let mut window = Window::open(WORLD);
    window.follow();
    let from = window.app.camera.to_screen(window.character());
    let (camera, hand) = (window.app.camera, from + vec2(60.0, 20.0));
    window.press(MouseButton::Left, from);
    for step in 1..=30 {
        window.move_to(from + (hand - from) * (step as f32 / 30.0));
        // A hand is never quite still.
        window.move_to(hand);
        window.frame(&[]);
        assert_eq!(window.app.camera, camera, "the picture stands");
    }
    assert_near(window.character(), camera.to_world(hand), "the character");
    window.release(MouseButton::Left, hand);
    let put = window.character();
    for _ in 0..60 {
        window.frame(&[]);
    }
    assert_near(window.character(), put, "nobody moves it any more");
    assert_near(
        window.app.camera.center,
        put,
        "the camera has come after it",
    );
    assert!(window.is_following());
}

#[test]
fn no_hand_takes_the_character_out_of_the_world() {
    let mut window = Window::open(WORLD);
    for follows in [false, true] {
        window.app.frame_all();
        if follows {
            window.follow();
        }
        let from = window.app.camera.to_screen(window.character());
        window.press(MouseButton::Left, from);
        for _ in 0..5 {
            for at in [pos2(5000.0, -4000.0), pos2(5001.0, -4000.0)] {
                window.move_to(at);
                window.frame(&[]);
            }
        }
        // The world goes on to the right as far as its last object.
        let corner = geometry::Vec2::new(1050.0, 0.0);
        assert_near(window.character(), corner, "the character");
        window.release(MouseButton::Left, pos2(5000.0, -4000.0));
        window.frame(&[]);
    }
}

#[test]
fn zooming_leaves_the_character_that_is_held_under_the_hand() {
    let mut window = Window::open(WORLD);
    let from = window.app.camera.to_screen(window.character());
    let hand = from + vec2(40.0, 0.0);
    window.press(MouseButton::Left, from);
    window.move_to(hand);
    window.app.run(Command::ZoomIn);
    window.frame(&[]);
    window.frame(&[]);
    window.frame(&[]);
    let there = window.app.camera.to_screen(window.character());
    assert!((there - hand).length() < 0.1, "{there:?} {hand:?}");
}

#[test]
fn home_shows_the_whole_field_although_the_camera_follows() {
    let mut window = Window::open(WORLD);
    window.app.frame_all();
    let whole = window.app.camera;
    window.app.camera.zoom_at(pos2(500.0, 200.0), 30.0);
    window.follow();
    window.key(KeyCode::Home);
    window.frame(&[]);
    assert_eq!(window.app.camera, whole);
    assert!(!window.is_following(), "the camera would be gone at once");
}

#[test]
fn a_camera_that_follows_is_as_high_as_the_scene_says_whatever_comes_to_cover_the_field() {
    let posed = WORLD.replace(
        "character:",
        "camera: (center: (400, 300), height: 200), character:",
    );
    let [mut window, mut still] = [(); 2].map(|()| Window::open(&posed));
    window.follow();
    assert_ne!(window.app.camera.center, still.app.camera.center);
    for covered in [150.0, 0.0] {
        let (before, center) = (window.app.camera.zoom, window.app.camera.center);
        window.app.cover(covered);
        still.app.cover(covered);
        assert_ne!(window.app.camera.zoom, before);
        assert_eq!(window.app.camera.zoom, still.app.camera.zoom);
        assert_eq!(window.app.camera.center, center);
    }
    // What somebody has zoomed in stays so.
    let middle = window.app.camera.screen.center();
    window.app.camera.zoom_at(middle, 2.0);
    let zoom = window.app.camera.zoom;
    window.app.cover(150.0);
    assert_eq!(window.app.camera.zoom, zoom);
}

#[test]
fn a_recording_shows_the_scene_as_it_was_looked_at() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("ride.ron");
    for follows in [true, false] {
        let mut window = Window::open_with(WORLD, false);
        if follows {
            window.follow();
        }
        let looks = window.app.looks_to_record();
        let written = window.app.worker.write_recording(&path, looks);
        written.expect("a recording");
        let recording = Recording::read(&path).expect("a recording");
        assert_eq!(recording.scene.view.follow, follows);
    }
}

#[test]
fn who_pans_is_not_taken_back_to_the_character() {
    let mut window = Window::open(WORLD);
    window.follow();
    let before = window.app.camera.center;
    let at = window.app.camera.screen.center() + vec2(100.0, 50.0);
    window.press(MouseButton::Middle, at);
    window.move_to(at + vec2(50.0, 0.0));
    window.release(MouseButton::Middle, at + vec2(50.0, 0.0));
    window.frame(&[]);
    let moved = 50.0 / window.app.camera.zoom;
    let expected = before - geometry::Vec2::new(moved, 0.0);
    assert_near(window.app.camera.center, expected, "the camera");
}

#[test]
fn escape_deselects_what_is_seen() {
    let mut window = Window::open(WORLD);
    window.app.selection = Some(3).into();
    let at = geometry::Vec2::new(500.0, 200.0);
    window.click(window.app.camera.to_screen(at));
    let selected = |window: &Window| window.app.stream.as_ref().expect("a world").selection.one();
    assert_eq!(selected(&window), Some(0));
    window.app.notice = None;
    window.key(KeyCode::Escape);
    assert_eq!(selected(&window), None);
    assert_eq!(window.app.selection.one(), Some(3), "nobody sees this unit");
    window.app.run(Command::View(View::Battle));
    window.key(KeyCode::Escape);
    assert_eq!(window.app.selection.one(), None);
}

#[test]
fn escape_lets_go_at_every_press_and_ends_only_a_tick_that_is_seen_to_take_long() {
    let mut window = Window::open(BATTLE);
    window.app.set_mode(RunMode::Running);
    for is_long in [false, true] {
        for press in 0..4 {
            window.app.notice = None;
            window.app.selection = Some(3).into();
            window.app.worker.pretend_tick(is_long);
            window.app.run(Command::Escape);
            assert!(window.app.selection.is_empty(), "{press}, {is_long}");
            assert!(!window.app.worker.is_ending(), "{press}, {is_long}");
            window.frame(&[]);
            assert_eq!(window.app.mode, RunMode::Running);
        }
        // With nothing to let go.
        window.app.worker.pretend_tick(is_long);
        window.app.run(Command::Escape);
        assert_eq!(window.app.worker.is_ending(), is_long);
        window.frame(&[]);
    }
}

#[test]
fn who_steps_through_it_from_compare_comes_back_there() {
    let mut window = Window::open(WORLD);
    window.app.run(Command::View(View::Compare));
    window.frame(&[]);
    for _ in 0..2 {
        window.key(KeyCode::F7);
        assert_eq!(window.app.view, View::Battle);
        assert!(window.app.is_stepping());
        window.app.notice = None;
        window.key(KeyCode::Escape);
        assert_eq!(window.app.view, View::Compare);
    }
    // Who went elsewhere meanwhile stays there.
    window.key(KeyCode::F7);
    window.app.run(Command::View(View::Streaming));
    window.app.run(Command::View(View::Battle));
    window.app.notice = None;
    window.key(KeyCode::Escape);
    assert_eq!(window.app.view, View::Battle);
}

#[test]
fn time_goes_on_after_steps_that_stopped_it_and_stays_where_somebody_else_stopped_it() {
    let mut window = Window::open(BATTLE);
    let leave = |window: &mut Window| {
        window.app.notice = None;
        window.key(KeyCode::Escape);
        assert!(!window.app.is_stepping());
        window.app.mode
    };
    for first in [RunMode::Running, RunMode::Paused] {
        window.app.set_mode(first);
        window.key(KeyCode::F7);
        assert_eq!(window.app.mode, RunMode::Paused);
        assert_eq!(leave(&mut window), first);
    }
    // Who goes elsewhere in time meanwhile wants to look there.
    window.app.set_mode(RunMode::Running);
    window.key(KeyCode::F7);
    window.app.seek(0);
    assert_eq!(leave(&mut window), RunMode::Paused);
}

#[test]
fn keys_change_nothing_of_a_battle_that_is_not_shown() {
    let mut window = Window::open(WORLD);
    assert_eq!(window.app.view, View::Streaming);
    window.app.selection = Some(3).into();
    for key in [KeyCode::Key3, KeyCode::RightBracket] {
        window.app.notice = None;
        window.key(key);
        assert_eq!(window.structure(), "linked-grid");
        assert_eq!(window.app.alive(), 20);
        assert!(window.notice().contains("Streaming"), "{key:?}");
    }
    for view in [View::Battle, View::Compare] {
        window.app.run(Command::View(view));
        // Nor do those of the layers of Streaming, where that is not shown.
        let layers = window.app.layers;
        for key in [KeyCode::O, KeyCode::P, KeyCode::E] {
            window.app.notice = None;
            window.key(key);
            assert_eq!(window.app.layers, layers, "{key:?}");
            assert!(window.notice().contains("of Streaming"), "{key:?}");
        }
        window.key(KeyCode::Key1);
        assert_eq!(window.structure(), "all-pairs");
        window.key(KeyCode::Key3);
        assert_eq!(window.structure(), "linked-grid");
    }
}

#[test]
fn what_is_typed_into_a_field_is_no_key_of_the_battle() {
    type Opened = (&'static str, fn(&mut App));
    let open: [Opened; 5] = [
        ("list of commands", |app| app.run(Command::Palette)),
        ("scenes in pictures", |app| app.run(Command::Gallery)),
        ("words", |app| {
            app.pages.help = Some(HelpPage::Words(String::new()));
        }),
        ("name and caption", |app| app.run(Command::Describe)),
        ("name of a path", |app| {
            let stream = app.stream.as_mut().expect("a world");
            let name = stream.paths()[0].name.clone();
            stream.renaming = Some((name.clone(), name));
        }),
    ];
    let way = r#"speed: 50, paths: [(name: "way", points: [(0, 0), (90, 0)])]"#;
    let world = WORLD.replace("speed: 50", way);
    assert_ne!(world, WORLD);
    for (name, open) in open {
        let mut window = Window::open(&world);
        assert_eq!(window.app.view, View::Streaming);
        open(&mut window.app);
        window.frame(&[]);
        window.frame(&[]);
        window.type_text("1-3");
        assert_eq!(window.notice(), "", "{name}");
        assert_eq!(window.structure(), "linked-grid", "{name}");
        let typed = format!(
            "{:?} {:?}",
            window.app.pages,
            window.app.stream.as_ref().map(|stream| &stream.renaming)
        );
        assert!(typed.contains("1-3"), "{name}: {typed}");
    }
}

#[test]
fn the_list_of_late_loads_goes_on_to_older_ones_and_back() {
    let way = r#"speed: 90, paths: [(name: "way", points: [(0, 300), (1000, 300)])]"#;
    let objects: String = (1..20)
        .map(|place| format!(r#"Object(({}, 300), (4, 4), "stone.png"), "#, place * 50))
        .collect();
    let world = WORLD.replace("speed: 50", way).replace(
        "objects: [",
        &format!("disk: (latency_ms: 5000), objects: [{objects}"),
    );
    let mut window = Window::open(&world);
    window.size = vec2(1920.0, 1600.0);
    let late = |window: &Window| {
        let marks = window.app.place.marks.iter();
        marks
            .filter(|mark| mark.kind == MarkKind::Late)
            .map(|mark| mark.tick)
            .collect::<Vec<_>>()
    };
    for _ in 0..1200 {
        if late(&window).len() >= 10 {
            break;
        }
        window.frame(&[]);
    }
    let all = late(&window);
    assert!(all.len() >= 10, "{all:?}");
    window.key(KeyCode::Space);
    assert_eq!(window.app.mode, RunMode::Paused);
    let is_there = |window: &Window, name: &str| widgets::places(&window.ctx).contains_key(name);
    let skipped = |window: &Window| window.app.stream.as_ref().map(|it| it.late_list.skipped);
    assert!(!is_there(&window, "late.before"));
    window.click_on("late.behind");
    window.frame(&[]);
    assert_eq!(skipped(&window), Some(6));
    window.click_on("late.0");
    window.frame(&[]);
    let all = late(&window);
    assert_eq!(window.app.place.tick, all[all.len() - 7], "{all:?}");
    // Until that tick there are fewer, and the list ends at the oldest of them.
    assert!(is_there(&window, "late.before"));
    window.click_on("late.before");
    window.frame(&[]);
    assert!(skipped(&window) < Some(6));
}

/// The capacity of the quadtree.
fn capacity(window: &Window) -> f64 {
    let structure = &window.app.lane().structure;
    let knobs = structure.info().knobs;
    let place = knobs.iter().position(|knob| knob.key == "capacity");
    structure.knob(place.expect("the knob"))
}

#[test]
fn a_value_that_is_cut_at_its_limit_says_so() {
    let mut window = Window::open(BATTLE);
    window.click_on("knob.capacity.value");
    window.type_text("4000");
    window.key(KeyCode::Enter);
    window.frame(&[]);
    assert!(
        window.notice().contains("4000 became"),
        "{:?}",
        window.notice()
    );
    window.app.notice = None;
    window.click_on("knob.capacity.value");
    window.type_text("12");
    window.key(KeyCode::Enter);
    window.frame(&[]);
    assert_eq!((capacity(&window), window.notice()), (12.0, ""));
}

#[test]
fn digits_at_a_value_are_the_value_and_no_structure() {
    let mut window = Window::open(BATTLE);
    // Typed at once, in the very frames in which the field opens; on the name beside the value as well.
    let line = window.place("knob.capacity.value");
    for at in [line.center(), line.center() - vec2(90.0, 0.0)] {
        window.click(at);
        window.type_text("11");
        window.key(KeyCode::Enter);
        window.frame(&[]);
        assert_eq!((capacity(&window), window.structure()), (11.0, "quadtree"));
        // From then on the keys are the window's.
        window.key(KeyCode::Space);
        assert_eq!(window.app.mode, RunMode::Paused);
        window.key(KeyCode::Space);
        assert_eq!(window.app.mode, RunMode::Running);
        window.type_text("3");
        assert_eq!(window.structure(), "linked-grid");
        window.app.run(Command::Undo);
        window.wait("the quadtree", |it| it.structure() == "quadtree");
        window.frame(&[]);
        window.click(at);
        window.type_text("22");
        window.key(KeyCode::Escape);
        assert_eq!(capacity(&window), 11.0, "given up");
    }
}

#[test]
fn who_has_typed_a_value_and_then_walks_goes_on_from_there() {
    let mut window = Window::open(BATTLE);
    window.click_on("knob.capacity.value");
    window.type_text("11");
    window.key(KeyCode::Enter);
    window.frame(&[]);
    assert_eq!(window.ctx.memory(|memory| memory.focused()), None);
    let line = window.place("knob.capacity.value");
    window.key(KeyCode::Tab);
    window.frame(&[]);
    let focused = window.ctx.memory(|memory| memory.focused());
    let response = focused.and_then(|id| window.ctx.read_response(id));
    let at = response.expect("something").rect.center();
    assert!((at - line.center()).length() < 200.0, "{at} is far off");
}

#[test]
fn escape_in_a_value_ends_nothing_else() {
    let mut window = Window::open(BATTLE);
    window.app.selection = Some(3).into();
    window.click_on("knob.capacity.value");
    window.frame(&[]);
    window.key(KeyCode::Escape);
    assert_eq!(window.app.selection.one(), Some(3));
    window.key(KeyCode::Escape);
    assert_eq!(window.app.selection.one(), None);
}

#[test]
fn every_number_of_every_panel_has_its_word_in_the_glossary() {
    glossary::missed::take();
    let mut window = Window::open_with(WORLD, false);
    window.app.set_mode(RunMode::Running);
    let until = |window: &mut Window, done: &dyn Fn(&App) -> bool, what: &str| {
        let begin = std::time::Instant::now();
        while !done(&window.app) {
            assert!(begin.elapsed().as_secs() < 20, "never: {what}");
            window.frame(&[]);
            std::thread::sleep(std::time::Duration::from_millis(2));
        }
        // What has come is drawn, too.
        (0..3).for_each(|_| window.frame(&[]));
    };
    let middle = window.app.camera.screen.center();
    window.move_to(middle);
    for kind in skirmish::partition::Kind::ALL {
        window.app.choose_structure(*kind);
        let is_there = |app: &App| {
            let lane = app.lane();
            lane.structure.kind == *kind && lane.is_measured && !lane.frame.memory.is_empty()
        };
        until(&mut window, &is_there, kind.info().name);
    }
    window.app.run(Command::Pin);
    window.app.run(Command::View(View::Compare));
    until(&mut window, &|app| app.lanes.len() == 2, "two lanes");
    window.app.all_structures = true;
    until(&mut window, &|app| !app.survey.is_empty(), "a table");
    window.app.run(Command::View(View::Streaming));
    until(&mut window, &|app| app.stream.is_some(), "a world");
    window.app.run(Command::LookInto);
    let is_told = |app: &App| app.stepping.as_ref().is_some_and(|it| it.reel().is_some());
    until(&mut window, &is_told, "steps");
    window.app.run(Command::Help);
    window.frame(&[]);
    window.app.run(Command::Help);
    window.app.run(Command::Words);
    window.frame(&[]);
    let missed = glossary::missed::take();
    assert!(missed.is_empty(), "{missed:?}");
}

#[test]
fn control_with_plus_minus_and_nought_scales_the_interface_and_nothing_else() {
    let mut window = Window::open(BATTLE);
    let (zoom, kind) = (window.app.camera.zoom, window.app.lane().structure.kind);
    let modifiers = Modifiers {
        ctrl: true,
        ..Modifiers::default()
    };
    for help in [false, true] {
        if help {
            window.app.run(Command::Help);
        }
        for (key, scale) in [
            (KeyCode::Equal, 1.1),
            (KeyCode::KpAdd, 1.25),
            (KeyCode::Minus, 1.1),
            (KeyCode::Key0, 1.0),
        ] {
            window.frame(&[InputEvent::KeyDown {
                key,
                modifiers,
                repeat: false,
            }]);
            window.frame(&[InputEvent::KeyUp { key }]);
            assert_eq!(window.app.settings.scale, scale, "{key:?}");
        }
    }
    assert_eq!(window.app.camera.zoom, zoom);
    assert_eq!(window.app.lane().structure.kind, kind);
}

#[test]
fn every_page_is_drawn_and_escape_closes_it() {
    let mut window = Window::open(BATTLE);
    for command in [Command::Settings, Command::ExportField] {
        window.app.run(command);
        window.frame(&[]);
        assert!(window.app.pages.are_open(), "{command:?}");
        window.key(KeyCode::Escape);
        assert!(!window.app.pages.are_open(), "{command:?}");
    }
}
mod by_keys;
#[cfg(feature = "accessibility")]
mod controls;
