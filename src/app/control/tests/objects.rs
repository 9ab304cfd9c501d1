//! Objects of a world that streams: selected, carried, and edited by the commands that units are edited by.

use super::*;
use crate::app::commands::Command;
use crate::app::commands::View;
use crate::app::state::{Pointed, StopKind};
use skirmish::session::Action;

/// Objects in a row below a character, none of which it needs.
const ROW: &str = r#"(
    version: 1,
    name: "Row",
    field: ((0, 0), (1000, 600)),
    structure: (kind: "linked-grid"),
    character: (position: (500, 100), speed: 50),
    world: (
        need_factor: 1, need_min: 20, need_max: 40, lead: 20, margin: 20,
        objects: [
            Object((200, 400), (10, 10), "stone.png"),
            Object((400, 400), (10, 10), "stone.png"),
            Object((600, 400), (10, 10), "tree.png"),
        ],
    ),
)"#;

impl Window {
    fn row() -> Self {
        let mut window = Self::open(ROW);
        window.app.set_mode(RunMode::Paused);
        window.frame(&[]);
        window
    }

    pub(super) fn stream(&self) -> &crate::app::stream::Stream {
        self.app.stream.as_ref().expect("a world")
    }

    pub(super) fn selected(&self) -> &[u32] {
        self.stream().selection.units()
    }

    /// Where the objects are.
    fn objects(&self) -> Vec<(f32, f32)> {
        let objects = self.stream().objects().iter();
        objects.map(|object| object.center.round().into()).collect()
    }
}

#[test]
fn a_box_selects_objects_and_a_drag_on_one_of_them_moves_all_of_them() {
    let mut window = Window::row();
    window.drag(window.at(150.0, 350.0), window.at(450.0, 450.0), false);
    assert_eq!(window.selected(), [0, 1]);
    assert_eq!((window.app.boxed, window.app.carried), (None, None));
    let words = window.app.selected_words();
    assert_eq!(words.as_deref(), Some("2 objects selected"));
    window.drag(window.at(400.0, 400.0), window.at(420.0, 500.0), false);
    assert_eq!(
        window.objects(),
        [(220.0, 500.0), (420.0, 500.0), (600.0, 400.0)]
    );
    assert_eq!(window.selected(), [0, 1], "they stay selected");
    // Who is not selected is not moved: the drag draws a box.
    window.drag(window.at(600.0, 400.0), window.at(650.0, 440.0), false);
    assert_eq!(window.objects()[2], (600.0, 400.0));
    // With Shift one comes to the others, and goes again.
    window.click(window.at(220.0, 500.0));
    assert_eq!(window.selected(), [0]);
    window.drag(window.at(550.0, 350.0), window.at(650.0, 450.0), true);
    assert_eq!(window.selected(), [0, 2]);
    window.key_by(KeyCode::Z, true, false);
    assert_eq!(window.objects()[..2], [(200.0, 400.0), (400.0, 400.0)]);
    window.app.notice = None;
    window.key(KeyCode::Escape);
    assert!(window.selected().is_empty());
}

#[test]
fn place_and_size_of_an_object_are_numbers_and_what_a_hand_sets_of_them_is_one_edit() {
    use crate::app::widgets::known_values;
    let mut window = Window::row();
    window.click(window.at(600.0, 400.0));
    for _ in 0..10 {
        known_values(&window.ctx);
        window.frame(&[]);
    }
    let values = known_values(&window.ctx);
    for id in ["object.x", "object.y", "object.width", "object.height"] {
        assert!(values.iter().any(|value| value.id == id), "{id}");
    }
    // Its need rectangle: a size of 20 m, and 20 m at each side.
    assert!(!window.words("60.0 × 60.0").is_empty());
    let before = *window.stream().objects().get(2).expect("the third one");
    let to = geometry::Vec2::new(610.0, 420.0);
    for half in [20.0, 30.0] {
        let half = geometry::Vec2::new(half, 15.0);
        window.app.shape_object(2, to, half);
        window.frame(&[]);
    }
    window.app.end_stroke();
    let wanted = (to, geometry::Vec2::new(30.0, 15.0));
    window.wait("its new shape", |window| {
        let after = window.stream().objects().get(2);
        after.is_some_and(|after| (after.center, after.half_extent) == wanted)
    });
    (0..10).for_each(|_| window.frame(&[]));
    // Its size alone would have it reach 30 m now.
    assert!(!window.words("120.0 × 90.0").is_empty());
    window.key_by(KeyCode::Z, true, false);
    window.wait("its old shape", |window| {
        window.stream().objects().get(2) == Some(&before)
    });
}

#[test]
fn an_object_whose_slider_is_held_at_its_end_stays_there() {
    let mut window = Window::row();
    window.size = vec2(1440.0, 1000.0);
    (0..3).for_each(|_| window.frame(&[]));
    window.click(window.at(600.0, 400.0));
    (0..30).for_each(|_| window.frame(&[]));
    let line = window.place("object.x");
    window.press(MouseButton::Left, pos2(line.right(), line.center().y));
    let x = |window: &Window| window.stream().objects().get(2).map(|it| it.center.x);
    window.wait("the end of the field", |window| x(window) == Some(1000.0));
    for _ in 0..20 {
        window.frame(&[]);
        std::thread::sleep(std::time::Duration::from_millis(1));
        assert_eq!(x(&window), Some(1000.0));
    }
}

#[test]
fn an_object_is_called_by_its_picture_and_its_number_wherever_it_is_named() {
    let mut window = Window::row();
    window.click(window.at(600.0, 400.0));
    (0..3).for_each(|_| window.frame(&[]));
    assert_eq!(window.stream().called(2), "tree 2");
    assert!(!window.words("tree 2").is_empty(), "its card");
    let found = crate::app::finder::objects(&window.app, "tree");
    let items = crate::app::finder::object_items(&window.app, &found);
    assert_eq!(items[0].title, "tree 2");
    // The world may be another one by now.
    assert_eq!(window.stream().called(9), "object 9");
}

#[test]
fn who_is_carried_is_put_down_nowhere_when_the_drag_is_cancelled() {
    let mut window = Window::row();
    let before = window.objects();
    window.key_by(KeyCode::A, true, false);
    window.press(MouseButton::Left, window.at(400.0, 400.0));
    window.move_to(window.at(450.0, 480.0));
    assert!(window.app.carried.is_some());
    window.app.notice = None;
    window.key(KeyCode::Escape);
    window.release(MouseButton::Left, window.at(450.0, 480.0));
    window.frame(&[]);
    assert_eq!(window.objects(), before);
    assert_eq!(window.app.carried, None);
}

#[test]
fn the_character_is_taken_where_it_is_whatever_is_selected() {
    let mut window = Window::row();
    window.key_by(KeyCode::A, true, false);
    window.app.set_mode(RunMode::Running);
    window.drag(window.at(500.0, 100.0), window.at(500.0, 250.0), false);
    assert_eq!(window.app.carried, None);
    assert!(window.character().y > 200.0);
    assert_eq!(window.objects()[0], (200.0, 400.0));
    assert_eq!(window.selected(), [0, 1, 2]);
}

#[test]
fn commands_are_about_objects_in_streaming_and_say_why_where_none_is_selected() {
    let mut window = Window::row();
    for command in [
        Command::Copy,
        Command::Cut,
        Command::Duplicate,
        Command::DeleteSelection,
    ] {
        let why = window.app.may(command).expect_err("nothing is selected");
        assert!(why.starts_with("No object is selected"), "{why}");
    }
    window.app.notice = None;
    window.key(KeyCode::Delete);
    assert!(window.notice().starts_with("No object is selected"));

    window.click(window.at(400.0, 400.0));
    window.key_by(KeyCode::D, true, false);
    window.frame(&[]);
    assert_eq!(window.selected(), [3], "the copy is selected");
    let text = window.app.copy_selection().expect("a text");
    window.app.cursor = Some(geometry::Vec2::new(700.0, 500.0));
    window.app.paste(&text);
    window.frame(&[]);
    window.frame(&[]);
    assert_eq!(
        (window.selected(), window.objects()[4]),
        (&[4][..], (700.0, 500.0))
    );
    window.key(KeyCode::Delete);
    window.frame(&[]);
    assert_eq!((window.selected().len(), window.objects().len()), (0, 4));
    window.app.notice = None;
    window.app.paste("what is this?");
    window.frame(&[]);
    let said = window.notice();
    assert!(
        said.starts_with("The clipboard holds no objects of Skirmish"),
        "{said}"
    );
}

#[test]
fn an_object_is_added_with_the_chosen_picture_as_large_as_others_that_show_it() {
    let mut window = Window::row();
    assert_eq!(window.app.picture_names(), ["stone.png", "tree.png"]);
    let picture = Some("tree.png".to_owned());
    window.app.stream.as_mut().expect("a world").picture = picture;
    window.app.cursor = Some(geometry::Vec2::new(300.0, 500.0));
    window.app.run(Command::AddObject);
    assert!(window.notice().contains("in the list 'new object'"));
    window.frame(&[]);
    window.frame(&[]);
    assert_eq!(window.objects()[3], (300.0, 500.0));
    let [.., like, added] = window.stream().objects() else {
        panic!("two objects");
    };
    assert_eq!(
        (added.asset, added.half_extent),
        (like.asset, like.half_extent)
    );
    assert_eq!(window.selected(), [3]);
    // Where there is no world, it says so.
    let mut window = Window::open(BATTLE);
    assert!(window.app.may(Command::AddObject).is_err());
    window.app.run(Command::AddObject);
    assert!(window.notice().starts_with("This scene has no world"));
}

#[test]
fn the_name_of_the_intersection_keeps_off_the_character_and_whoever_is_selected() {
    const WORDS: &str = "B: inside, all stay";
    // A stone right below the character, where the name would stand, and another one: of one alone there is no box.
    let scene = WORLD.replace("(500, 200), (10, 10)", "(540, 330), (60, 10)");
    let scene = scene.replace("(1040, 300), (10, 10)", "(510, 280), (10, 10)");
    let scene = scene.replace("need_min: 20, need_max: 40", "need_min: 40, need_max: 40");
    let mut window = Window::open(&scene);
    window.app.run(Command::View(View::Streaming));
    window.app.set_mode(RunMode::Running);
    window.wait("the stone", |window| !window.words(WORDS).is_empty());
    window.app.set_mode(RunMode::Paused);
    let mut seen = 0;
    for zoom in [1.0, 2.0, 4.0] {
        window.app.camera.zoom = zoom;
        window.app.framed = false;
        let stream = window.app.stream.as_mut().expect("a world");
        stream.selection.set(Some(0));
        (0..3).for_each(|_| window.frame(&[]));
        let stream = window.app.stream.as_ref().expect("a world");
        let camera = window.app.camera;
        let body = camera.rect_to_screen(stream.body(0));
        let character = camera.to_screen(stream.character());
        for (ink, _) in window.words(WORDS) {
            assert!(!ink.intersects(body), "{zoom}: {ink:?} {body:?}");
            assert!(ink.distance_to_pos(character) > 12.0, "{zoom}: {ink:?}");
            seen += 1;
        }
    }
    assert!(seen > 0);
}

#[test]
fn who_comes_from_a_world_to_a_battle_elsewhere_sees_it_and_comes_back_to_where_the_camera_stood() {
    let army = r#"armies: [(side: Blue, count: 3, formation: Line((940, 580), (980, 580)))],
    camera: (center: (500, 100), height: 120),
    character"#;
    let mut window = Window::open(&ROW.replacen("character", army, 1));
    window.app.set_mode(RunMode::Paused);
    window.app.run(Command::View(View::Streaming));
    window.frame(&[]);
    let stood = window.app.camera;
    for view in [View::Battle, View::Compare] {
        window.app.run(Command::View(view));
        (0..3).for_each(|_| window.frame(&[]));
        let bodies = window.app.battle.bodies();
        let seen = window.app.camera.view();
        assert!(bodies.ids().all(|unit| seen.contains(bodies.center(unit))));
        window.app.run(Command::View(View::Streaming));
        (0..3).for_each(|_| window.frame(&[]));
        assert_eq!(window.app.camera, stood);
    }
    // Who sees somebody, or has moved the camera since, is left where he is.
    window.app.camera.center = (960.0, 560.0).into();
    let stood = window.app.camera;
    window.app.run(Command::View(View::Battle));
    (0..3).for_each(|_| window.frame(&[]));
    assert_eq!(window.app.camera.zoom, stood.zoom);
}

#[test]
fn a_teleport_keeps_what_is_selected_and_one_click_on_nothing_does_not() {
    let mut window = Window::row();
    window.drag(window.at(150.0, 350.0), window.at(450.0, 450.0), false);
    assert_eq!(window.selected(), [0, 1]);
    let there = window.at(900.0, 500.0);
    window.click(there);
    assert!(window.selected().is_empty());
    window.click(there);
    // On a busy machine the two may have come too far apart for a double click: then once more.
    while window.selected().is_empty() {
        window.drag(window.at(150.0, 350.0), window.at(450.0, 450.0), false);
        std::thread::sleep(std::time::Duration::from_millis(450));
        (0..2).for_each(|_| window.click(there));
    }
    assert_eq!(window.selected(), [0, 1]);
    window.wait("the character there", |window| {
        window
            .character()
            .distance(geometry::Vec2::new(900.0, 500.0))
            < 1.0
    });
    // That was the end of a double click.
    std::thread::sleep(std::time::Duration::from_millis(450));
    window.click(window.at(800.0, 300.0));
    assert!(window.selected().is_empty());
}

#[test]
fn a_moment_is_not_pinned_where_nobody_would_see_it() {
    let mut window = Window::open(WORLD);
    window.app.set_mode(RunMode::Paused);
    window.frame(&[]);
    assert_eq!(window.app.view, View::Streaming);
    window.key(KeyCode::I);
    (0..4).for_each(|_| window.frame(&[]));
    assert!(window.app.pins.is_empty());
    assert!(!window.notice().is_empty());
    window.app.run(Command::View(View::Battle));
    window.key(KeyCode::I);
    window.wait("a pin", |window| !window.app.pins.is_empty());
}

#[test]
fn all_rectangles_are_drawn_also_in_a_scene_that_is_about_the_boxes_of_the_trees() {
    use crate::app::commands::Layer;
    use crate::app::palette::faded;
    let boxes = r#"view: (boxes: ["union", "intersection"]), character:"#;
    let mut window = Window::open(&ROW.replace("character:", boxes));
    window.app.set_mode(RunMode::Paused);
    window.frame(&[]);
    let colors = [Palette::DARK.warning, Palette::DARK.second].map(|color| faded(color, 0.12));
    let count = |window: &Window| {
        let is_of_all = |clipped: &&egui::epaint::ClippedShape| match &clipped.shape {
            egui::Shape::Rect(rect) => colors.contains(&rect.stroke.color),
            _ => false,
        };
        window.drawn.iter().filter(is_of_all).count()
    };
    let before = count(&window);
    assert!(!window.app.layers.shows(Layer::AllRectangles));
    window.app.run(Command::Layer(Layer::AllRectangles));
    window.frame(&[]);
    assert_eq!(count(&window), before + 3);
}

#[test]
fn a_decision_names_objects_and_boxes_as_the_window_does_and_says_where_no_step_is() {
    let mut window = Window::row();
    window.app.run(Command::LookInto);
    window.wait("the steps", |window| window.app.has_steps());
    let written = |window: &Window| {
        let text = |clipped: &egui::epaint::ClippedShape| match &clipped.shape {
            egui::Shape::Text(text) => Some(text.galley.text().to_owned()),
            _ => None,
        };
        window.drawn.iter().filter_map(text).collect::<Vec<_>>()
    };
    window.move_to(window.at(600.0, 400.0));
    (0..3).for_each(|_| window.frame(&[]));
    let words = written(&window);
    assert!(
        words.iter().any(|it| it.starts_with("tree 2 ")),
        "{words:?}"
    );
    let is_raw = |words: &String| {
        let mut numbers = words.split(|it: char| !it.is_ascii_digit());
        numbers.any(|number| number.parse().is_ok_and(|it: u64| it >= 1 << 31))
    };
    assert!(!words.iter().any(is_raw), "{words:?}");
    let focus = |window: &Window| {
        let stepping = window.app.stepping.as_ref().expect("steps");
        stepping.focus_words(window.app.stream.as_ref())
    };
    window.app.focus_steps(Some(Pointed::Unit(2)));
    let of = focus(&window).expect("its steps, or those of a box");
    assert!(
        ["tree 2", "load ", "unload "]
            .iter()
            .any(|it| of.contains(it)),
        "{of}"
    );
    // On nothing it is said, and what was chosen stays so.
    window.app.focus_steps(None);
    assert_eq!(window.notice(), "There is no object: point at one.");
    assert_eq!(focus(&window), Some(of));
}

#[test]
fn a_node_of_a_decision_that_is_pointed_at_stays_so_while_the_field_answers() {
    let mut window = Window::row();
    window.app.run(Command::LookInto);
    window.wait("the tree", |it| {
        widgets::places(&it.ctx).contains_key("step.tree")
    });
    let tree = window.place("step.tree");
    let mut found = 0;
    for part in 0..40 {
        let at = tree.center_top() + vec2(0.0, tree.height() * part as f32 / 40.0);
        window.move_to(at);
        (0..2).for_each(|_| window.frame(&[]));
        let pointed = |window: &Window| window.app.stepping.as_ref().and_then(|it| it.pointed);
        let before = pointed(&window);
        window.views.of(window.app.view).answered(&mut window.app);
        assert_eq!(pointed(&window), before);
        found += usize::from(matches!(before, Some(Pointed::Region(_))));
    }
    assert!(found > 0, "no node of the tree");
}

#[test]
fn a_path_is_drawn_by_clicks_and_edited_by_drags() {
    let mut window = Window::row();
    let drawn = |window: &Window| -> Vec<(f32, f32)> {
        let paths = window.stream().paths();
        let path = paths.iter().find(|path| path.name == "path 1");
        path.map_or(Vec::new(), |path| {
            path.points.iter().map(|it| it.round().into()).collect()
        })
    };
    window.click_on("draw");
    assert!(window.app.draws_path());
    let ends = |window: &mut Window| {
        (0..5).for_each(|_| window.frame(&[]));
        window.place("draw").top() - window.place("mover.stand").top()
    };
    let end = ends(&mut window);
    // On the character, on an object and twice in a row: while a path is drawn a click is a point and nothing else.
    let corners = [
        (500.0, 100.0),
        (600.0, 400.0),
        (620.0, 200.0),
        (700.0, 200.0),
    ];
    for (x, y) in corners {
        window.click(window.at(x, y));
    }
    assert_eq!(drawn(&window), corners);
    assert_eq!(ends(&mut window), end, "what ends it stays where it is");
    assert!(window.selected().is_empty());
    assert_eq!(window.character(), geometry::Vec2::new(500.0, 100.0));
    window.drag(window.at(600.0, 400.0), window.at(600.0, 300.0), false);
    // From the line between the last two, and from the way back.
    window.drag(window.at(660.0, 200.0), window.at(660.0, 150.0), false);
    window.drag(window.at(600.0, 150.0), window.at(600.0, 50.0), false);
    let edited = [
        (500.0, 100.0),
        (600.0, 300.0),
        (620.0, 200.0),
        (660.0, 150.0),
        (700.0, 200.0),
        (600.0, 50.0),
    ];
    assert_eq!(drawn(&window), edited);
    // A drag that is given up moves nothing.
    window.press(MouseButton::Left, window.at(620.0, 200.0));
    window.move_to(window.at(300.0, 300.0));
    window.key(KeyCode::Escape);
    window.release(MouseButton::Left, window.at(300.0, 300.0));
    assert_eq!(drawn(&window), edited);
    assert!(window.app.draws_path());
    window.click(window.at(660.0, 150.0));
    window.key(KeyCode::Delete);
    window.frame(&[]);
    assert_eq!(drawn(&window).len(), 5);
    assert!(!drawn(&window).contains(&(660.0, 150.0)));
    window.key_by(KeyCode::Z, true, false);
    assert_eq!(drawn(&window), edited);
    window.key(KeyCode::Escape);
    assert!(!window.app.draws_path());
    window.click(window.at(600.0, 400.0));
    assert_eq!(window.selected(), [2], "a click is a click again");
    assert_eq!(drawn(&window), edited);
    // The next one is another path; the button in a row edits that of the row.
    window.app.run(Command::DrawPath);
    window.click(window.at(100.0, 100.0));
    assert_eq!(window.stream().paths().len(), 2);
    window.app.run(Command::DrawPath);
    assert!(!window.app.draws_path());
    // The panel comes to rest without the words that stood there while the path was drawn.
    for _ in 0..60 {
        window.frame(&[]);
    }
    let row = window.place("mover.path 1");
    window.move_to(row.center());
    window.frame(&[]);
    window.click_on("path.points.path 1");
    window.key(KeyCode::Backspace);
    window.frame(&[]);
    assert_eq!(drawn(&window), edited[..5]);
}

#[test]
fn all_that_is_said_while_a_path_is_drawn_is_off_the_fade_of_its_panel() {
    let hint = "Click: a point at its end, or on its line. Drag: moves a point. Ctrl+click or Delete takes one out. Esc ends it.";
    for size in [(1280.0, 800.0), (1280.0, 640.0)] {
        let mut window = Window::row();
        window.size = size.into();
        window.app.run(Command::DrawPath);
        // At first there is less to say.
        (0..40).for_each(|_| window.frame(&[]));
        assert!(window.words(hint).is_empty());
        window.click(window.at(500.0, 200.0));
        (0..40).for_each(|_| window.frame(&[]));
        let (at, cut) = window.words(hint)[0];
        assert!(
            cut.top() < at.top() && at.bottom() + widgets::FADE <= cut.bottom(),
            "{size:?}: {at:?} in {cut:?}"
        );
    }
}

#[test]
fn the_key_of_the_tree_says_in_streaming_where_its_trees_are() {
    let mut window = Window::row();
    window.key(KeyCode::F8);
    assert!(window.app.diagram.is_none());
    assert!(window.notice().contains("F7"), "{}", window.notice());
    let menu = window.app.may(Command::Tree).expect_err("no tree");
    assert_eq!(window.notice(), menu);
}

#[test]
fn the_number_at_which_time_stops_is_typed_and_ticks_its_row() {
    let mut window = Window::row();
    window.click_on("stops");
    (0..3).for_each(|_| window.frame(&[]));
    window.click_on("stop.elapsed.limit.value");
    // Not before there is one.
    window.frame(&[]);
    assert!(!window.app.stopping.is_on(StopKind::Elapsed));
    for digit in "250".chars() {
        window.frame(&[InputEvent::Text(digit)]);
    }
    window.key(KeyCode::Enter);
    window.frame(&[]);
    assert_eq!(window.app.stopping.elapsed, 250);
    assert!(window.app.stopping.is_on(StopKind::Elapsed));
}

#[test]
fn what_time_was_to_stop_for_stays_when_its_file_is_read_anew_and_goes_with_another_scene() {
    let folder = tempfile::tempdir().expect("a folder");
    let [one, other] = ["one.ron", "other.ron"].map(|name| folder.path().join(name));
    let mut window = Window::row();
    for path in [&one, &other] {
        std::fs::write(path, WORLD).expect("a scene");
    }
    let frames = |window: &mut Window, count: u32| (0..count).for_each(|_| window.frame(&[]));
    window.app.open(one);
    frames(&mut window, 6);
    window.app.stopping.elapsed = 40;
    window.app.set_stop(StopKind::Elapsed, true);
    window.app.set_mode(RunMode::Running);
    window.app.reload();
    frames(&mut window, 60);
    assert!(window.app.stopping.is_on(StopKind::Elapsed));
    assert_eq!(
        (window.app.mode, window.app.place.tick),
        (RunMode::Paused, 40)
    );
    window.app.open(other);
    frames(&mut window, 6);
    assert_eq!(window.app.stopping.count(), 0);
    assert!(window.notice().starts_with("Time stops for nothing"));
    window.app.set_mode(RunMode::Running);
    frames(&mut window, 60);
    assert_eq!(window.app.mode, RunMode::Running);
    assert!(window.app.place.tick > 40);
    // The number is where it was.
    assert_eq!(window.app.stopping.elapsed, 40);
    // What is said of the way back does not take the place of that.
    window.app.set_stop(StopKind::Split, true);
    window.app.run(Command::Undo);
    frames(&mut window, 6);
    assert_eq!(window.app.stopping.count(), 0);
    let notice = window.notice();
    assert!(notice.starts_with("Back to one.ron"), "{notice}");
    assert!(
        notice.contains("as it was. Time stops for nothing"),
        "{notice}"
    );
}

#[test]
fn a_file_that_is_spelled_in_another_way_is_the_same_scene() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("one.ron");
    std::fs::write(&path, WORLD).expect("a scene");
    std::fs::create_dir(folder.path().join("below")).expect("a folder");
    let mut window = Window::row();
    let frames = |window: &mut Window| (0..6).for_each(|_| window.frame(&[]));
    window.app.open(path);
    frames(&mut window);
    window.app.set_stop(StopKind::Split, true);
    window.app.open(folder.path().join("below/../one.ron"));
    frames(&mut window);
    assert!(window.app.stopping.is_on(StopKind::Split));
}

#[test]
fn where_time_stopped_goes_with_a_reload_and_a_watched_unit_does_where_the_file_has_others() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("one.ron");
    std::fs::write(&path, WORLD).expect("a scene");
    let mut window = Window::row();
    let frames = |window: &mut Window, count: u32| (0..count).for_each(|_| window.frame(&[]));
    window.app.open(path.clone());
    frames(&mut window, 6);
    window.app.selection.set(Some(3));
    window.app.stopping.elapsed = 20;
    window.app.set_stop(StopKind::Leaves, true);
    window.app.set_stop(StopKind::Elapsed, true);
    window.app.set_mode(RunMode::Running);
    frames(&mut window, 60);
    assert!(window.app.stopping.at.is_some());
    window.app.reload();
    frames(&mut window, 6);
    assert!(window.app.stopping.at.is_none());
    assert_eq!(window.app.stopping.unit, Some(3));
    assert!(window.app.stopping.is_on(StopKind::Leaves));
    let more = WORLD.replace("count: 20", "count: 21");
    std::fs::write(&path, more).expect("a scene");
    window.app.reload();
    frames(&mut window, 6);
    assert_eq!(window.app.stopping.unit, None);
    assert!(!window.app.stopping.is_on(StopKind::Leaves));
    assert!(window.app.stopping.is_on(StopKind::Elapsed));
    let notice = window.notice();
    assert!(
        notice.starts_with("Time stops for the unit that was watched no more"),
        "{notice}"
    );
}

#[test]
fn the_run_before_is_there_again_when_undo_takes_back_a_reload() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("row.ron");
    std::fs::write(&path, ROW).expect("a scene");
    let mut window = Window::row();
    let frames = |window: &mut Window| (0..20).for_each(|_| window.frame(&[]));
    let before = |window: &Window| {
        let made = window.app.place.world_made;
        window.stream().runs.before(made)
    };
    window.app.open(path);
    window.app.set_mode(RunMode::Running);
    frames(&mut window);
    window.app.run(Command::Restart);
    frames(&mut window);
    let run = before(&window);
    assert!(run.is_some());
    window.app.reload();
    frames(&mut window);
    assert_eq!(before(&window), None, "this one has none before it");
    window.app.run(Command::Undo);
    frames(&mut window);
    assert_eq!(before(&window), run);
    // Both have one name, and are told apart.
    let said = window.notice();
    assert_eq!(
        said,
        "Back to row.ron as it was open before. Redo (Ctrl+Shift+Z) opens the other version again."
    );
}

#[test]
fn a_scene_can_be_read_again_once_it_has_a_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("row.ron");
    std::fs::write(&path, ROW).expect("a scene");
    let mut window = Window::row();
    assert!(window.app.may(Command::Reload).is_err());
    window.app.open(path);
    (0..3).for_each(|_| window.frame(&[]));
    assert_eq!(window.app.may(Command::Reload), Ok(()));
    // The dialogs carry it out, which ask before changes are lost.
    window.app.run(Command::Reload);
    assert_eq!(window.app.requests, [Command::Reload]);
}

#[test]
fn the_run_before_is_there_however_often_a_scene_without_a_world_is_opened_and_left() {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, flat) = (
        folder.path().join("row.ron"),
        folder.path().join("flat.ron"),
    );
    std::fs::write(&path, ROW).expect("a scene");
    let no_world = r#"(version: 1, name: "Flat", field: ((0, 0), (1000, 600)), structure: (kind: "linked-grid"))"#;
    std::fs::write(&flat, no_world).expect("a scene");
    let mut window = Window::row();
    let frames = |window: &mut Window| (0..20).for_each(|_| window.frame(&[]));
    window.app.open(path);
    window.app.set_mode(RunMode::Running);
    frames(&mut window);
    window.app.run(Command::Restart);
    frames(&mut window);
    let before = |window: &Window| {
        let made = window.app.place.world_made;
        window.stream().runs.before(made)
    };
    let run = before(&window);
    assert!(run.is_some());
    window.app.open(flat);
    frames(&mut window);
    for _ in 0..2 {
        assert!(window.app.stream.is_none());
        window.app.run(Command::Undo);
        frames(&mut window);
        assert_eq!(before(&window), run);
        window.app.run(Command::Redo);
        frames(&mut window);
    }
}

#[test]
fn an_object_that_is_clicked_stays_pinned_wherever_the_cursor_is_until_it_is_let_go() {
    let mut window = Window::row();
    let let_go = |window: &Window| widgets::places(&window.ctx).contains_key("why.let_go");
    assert!(!let_go(&window));
    // By the word at its caption, by Escape, and by a click on nothing.
    for way in 0..3 {
        window.click(window.at(200.0, 400.0));
        assert_eq!(window.selected(), [0]);
        window.move_to(window.at(600.0, 400.0));
        (0..3).for_each(|_| window.frame(&[]));
        assert!(let_go(&window));
        assert_eq!(window.stream().selected().map(|it| it.object), Some(0));
        // Two clicks at one place would be a double one.
        std::thread::sleep(std::time::Duration::from_millis(450));
        match way {
            0 => window.click_on("why.let_go"),
            1 => {
                window.app.notice = None;
                window.key(KeyCode::Escape);
            }
            _ => window.click(window.at(800.0, 250.0)),
        }
        widgets::forget_places(&window.ctx);
        window.frame(&[]);
        assert!(window.selected().is_empty() && !let_go(&window), "{way}");
    }
}

#[test]
fn an_object_that_comes_back_by_undo_is_said_to_be_read_anew() {
    let mut window = Window::row();
    let frames = |window: &mut Window| (0..6).for_each(|_| window.frame(&[]));
    window.click(window.at(400.0, 400.0));
    assert_eq!(window.selected(), [1]);
    window.app.run(Command::DeleteSelection);
    frames(&mut window);
    window.app.run(Command::Undo);
    frames(&mut window);
    assert_eq!(window.objects().len(), 3);
    let notice = window.notice();
    assert!(
        notice.starts_with("The object is back, and not loaded"),
        "{notice}"
    );
    assert_eq!(window.selected(), [1], "as it was before");
    window.app.run(Command::Redo);
    frames(&mut window);
    assert_eq!(window.notice(), "");
}

#[test]
fn an_object_that_comes_back_with_a_future_is_selected_and_nobody_else_where_redo_follows_at_once()
{
    let mut window = Window::row();
    let frames = |window: &mut Window| (0..6).for_each(|_| window.frame(&[]));
    for _ in 0..10 {
        window.app.run(Command::Step);
        window.frame(&[]);
    }
    frames(&mut window);
    let end = window.app.place.end;
    window.app.seek(4);
    frames(&mut window);
    window.click(window.at(400.0, 400.0));
    assert_eq!(window.selected(), [1]);
    window.app.run(Command::DeleteSelection);
    frames(&mut window);
    assert_eq!((window.objects().len(), window.app.place.end), (2, 4));
    window.app.run(Command::Undo);
    frames(&mut window);
    assert_eq!((window.objects().len(), window.app.place.end), (3, end));
    assert_eq!(window.selected(), [1]);
    // Both are heeded before anything is shown: the one that has its number now is another one.
    window.app.seek(end);
    frames(&mut window);
    if let Some(stream) = &mut window.app.stream {
        stream.selection.replace([1]);
    }
    window.app.run(Command::DeleteSelection);
    frames(&mut window);
    assert_eq!((window.objects().len(), window.selected().len()), (2, 0));
    window.app.act(Action::Undo);
    window.app.act(Action::Redo);
    frames(&mut window);
    assert_eq!(window.objects().len(), 2);
    assert!(window.selected().is_empty());
}

#[test]
fn of_what_is_watched_only_that_goes_of_which_the_file_has_others() {
    let another = "objects: [Object((300, 200), (10, 10), \"stone.png\"), ";
    for (kind, from, to) in [
        ("unit", "count: 20", "count: 21"),
        ("object", "objects: [", another),
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("one.ron");
        std::fs::write(&path, WORLD).expect("a scene");
        let mut window = Window::row();
        let frames = |window: &mut Window| (0..6).for_each(|_| window.frame(&[]));
        window.app.open(path.clone());
        frames(&mut window);
        window.app.selection.set(Some(3));
        let stream = window.app.stream.as_mut().expect("a world");
        stream.selection.set(Some(1));
        for stop in [StopKind::Leaves, StopKind::LateSelected] {
            window.app.set_stop(stop, true);
        }
        assert_eq!(window.app.stopping.object, Some((1, 0)));
        frames(&mut window);
        std::fs::write(&path, WORLD.replace(from, to)).expect("a scene");
        window.app.reload();
        frames(&mut window);
        let is_on = |stop| window.app.stopping.is_on(stop);
        assert_eq!(is_on(StopKind::Leaves), kind != "unit");
        assert_eq!(is_on(StopKind::LateSelected), kind != "object");
        // Whoever is watched still is there, and has a name.
        let object = window.app.stopping.object;
        assert_eq!(object, (kind != "object").then_some((1, 0)));
        assert_eq!(
            is_on(StopKind::LateSelected),
            window.app.watched_object().is_some()
        );
        let notice = window.notice();
        let words = format!("Time stops for the {kind} that was watched no more");
        assert!(notice.starts_with(&words), "{notice}");
    }
}

#[test]
fn time_stops_for_the_selected_object_and_streaming_lists_nothing_of_the_battle() {
    let mut window = Window::row();
    window.app.set_stop(StopKind::LateSelected, true);
    assert!(!window.app.stopping.is_on(StopKind::LateSelected));
    assert!(window.notice().starts_with("Select an object"));
    window.click(window.at(400.0, 400.0));
    window.app.set_stop(StopKind::LateSelected, true);
    assert_eq!(window.app.stopping.object, Some((1, 0)));
    let name = window.stream().called(1);
    assert_eq!(window.app.watched_object(), Some(name));
    window.click_on("stops");
    (0..3).for_each(|_| window.frame(&[]));
    let places = widgets::places(&window.ctx);
    for (row, is_listed) in [
        ("stop.late", true),
        ("stop.late-selected", true),
        ("stop.elapsed", true),
        ("stop.split", false),
        ("stop.leaves", false),
    ] {
        assert_eq!(places.contains_key(row), is_listed, "{row}");
    }
}
