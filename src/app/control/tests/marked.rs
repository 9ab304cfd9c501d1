//! What a structure says of itself over the field, and what the marks of its steps mean.

use super::*;
use crate::app::commands::{Command, Layer};
use skirmish::partition::Kind;
use skirmish::story::Standing;

#[test]
fn the_list_of_the_oversize_says_how_many_are_in_it_and_fills_nothing() {
    let giants = "(side: Orange, formation: Explicit([(200, 150), (300, 150)]), order: Hold, size: Fixed(90, 90))";
    let scene = BATTLE
        .replace(
            r#"(kind: "quadtree")"#,
            r#"(kind: "linked-grid", knobs: {"cell_size": 20})"#,
        )
        .replace("count: 20", "count: 200")
        .replace(
            "order: Hold)],",
            &format!("order: Hold, size: Fixed(0.7, 0.7)), {giants}],"),
        );
    let mut window = Window::open(&scene);
    window.app.set_mode(RunMode::Paused);
    window.wait("its words", |window| !window.words("2 oversize").is_empty());
    let regions = &window.app.lane().frame.regions.list;
    let lists = regions.iter().filter(|region| !region.role.shows_load());
    assert_eq!(lists.map(|list| list.load).sum::<u32>(), 2);
    assert_eq!(window.words("2 oversize").len(), 1);
    // Without the lines of the structure there is nothing of which they are said.
    window.app.layers.toggle(Layer::Nodes);
    window.frame(&[]);
    assert!(window.words("2 oversize").is_empty());
}

#[test]
fn cells_that_are_too_small_to_be_drawn_are_said_to_be_until_one_zooms_in() {
    let scene = BATTLE.replace(
        r#"(kind: "quadtree")"#,
        r#"(kind: "linked-grid", knobs: {"cell_size": 1})"#,
    );
    let mut window = Window::open(&scene);
    window.app.set_mode(RunMode::Paused);
    let (cells, words) = ("cells of 1 m", "too small to draw here: zoom in");
    window.wait("its words", |window| !window.words(words).is_empty());
    assert_eq!(window.words(cells).len(), 1);
    let middle = window.app.camera.screen.center();
    window.app.camera.zoom_at(middle, 8.0);
    window.app.framed = false;
    window.wait("the cells", |window| {
        !window.app.lane().frame.regions.list.is_empty()
    });
    window.frame(&[]);
    assert!(window.words(words).is_empty());
}

#[test]
fn beside_the_field_no_pane_of_compare_says_that_nobody_is_in_reach() {
    let lanes = r#"lanes: [(kind: "sweep-and-prune")], armies:"#;
    let mut window = Window::open(&BATTLE.replace("armies:", lanes));
    window.app.set_mode(RunMode::Paused);
    window.app.run(Command::View(View::Compare));
    window.wait("two lanes", |window| window.app.lanes.len() == 2);
    let look_at = |window: &mut Window, x: f32, y: f32| {
        let at = geometry::Vec2::new(x, y);
        window.move_to(window.app.camera.to_screen(at));
        for _ in 0..4 {
            window.frame(&[]);
        }
        let lanes = window.app.lanes.iter();
        let queries = lanes.filter_map(|lane| lane.frame.query.as_ref());
        let hits: Vec<u64> = queries.map(|query| query.counter.hits).collect();
        assert_eq!(hits.len(), 2, "{x}, {y}: both are asked");
        assert_eq!(hits[0], hits[1]);
        (
            hits[0],
            window.words(&format!("{} in reach", hits[0])).len(),
        )
    };
    window.app.brush.radius = 30.0;
    let (hits, said) = look_at(&mut window, 50.0, 150.0);
    assert!(hits > 0 && said > 0, "{hits} are found, {said} say so");
    window.app.brush.radius = 3.0;
    let (hits, said) = look_at(&mut window, 240.0, -5.0);
    let cursor = window.app.cursor.expect("it is over the pane");
    assert!(!window.app.scene.field.contains(cursor));
    assert_eq!((hits, said), (0, 0));
}

#[test]
fn at_the_end_of_a_search_nobody_is_yet_to_be_come_to() {
    let scene = BATTLE.replace(
        r#"(kind: "quadtree")"#,
        r#"(kind: "quadtree", knobs: {"capacity": 2})"#,
    );
    let mut window = Window::open(&scene);
    window.size = vec2(1440.0, 900.0);
    window.app.set_mode(RunMode::Paused);
    window.app.run(Command::LookInto);
    let center = window.app.battle.positions()[0];
    let disc = Operation::Radius {
        center,
        radius: 1.0,
    };
    window.app.set_operation(disc.clone());
    window.wait("a telling", |window| {
        let stepping = window.app.stepping.as_ref();
        stepping.is_some_and(|it| !it.is_waiting() && it.operation() == Some(&disc))
    });
    let units = window.app.battle.positions().len() as u32;
    for (at_end, said, unsaid) in [(true, "left out", "not yet"), (false, "not yet", "")] {
        let stepping = window.app.stepping.as_mut().expect("steps");
        let at = if at_end { stepping.len() } else { 1 };
        stepping.go_to(at);
        let reel = stepping.reel().expect("a reel");
        let is_open = |unit| reel.standing(unit, at) == Standing::NotYet;
        assert_eq!((0..units).any(is_open), !at_end);
        window.frame(&[]);
        window.frame(&[]);
        assert_eq!(window.words(said).len(), 1, "{said}");
        assert!(unsaid.is_empty() || window.words(unsaid).is_empty());
    }
}

#[test]
fn a_rectangle_that_is_looked_into_says_how_many_it_found_and_has_a_width_and_a_height() {
    let mut window = Window::open(BATTLE);
    window.size = vec2(1440.0, 900.0);
    window.app.set_mode(RunMode::Paused);
    window.app.run(Command::LookInto);
    let told = |window: &mut Window, area: &Operation| {
        window.wait("a telling", |window| {
            let stepping = window.app.stepping.as_ref();
            stepping.is_some_and(|it| !it.is_waiting() && it.operation() == Some(area))
        });
        (0..3).for_each(|_| window.frame(&[]));
        let stepping = window.app.stepping.as_ref().expect("steps");
        let story = stepping.reel().expect("a reel").story();
        let skirmish::story::Answer::Units(found) = &story.answer else {
            panic!("units are asked for");
        };
        let words = format!("{} found, {} tested", found.len(), story.counters.tests);
        assert_eq!(window.words(&words).len(), 1, "{words}");
        found.len()
    };
    let area = Operation::read("range 60,100,30,110").expect("a rectangle");
    window.app.set_operation(area.clone());
    let some = told(&mut window, &area);
    assert!(some > 0 && some < 20, "{some}");
    // Width and height are numbers of their own, around the same middle.
    for (field, typed, becomes) in [
        ("step.measure.value", "40", "range 55,100,40,110"),
        ("step.height.value", "20", "range 55,145,40,20"),
    ] {
        window.click_on(field);
        window.type_text(typed);
        window.key(KeyCode::Enter);
        let area = Operation::read(becomes).expect("a rectangle");
        told(&mut window, &area);
    }
    let half = window.app.stepping.as_ref().map(|it| it.half);
    assert_eq!(half, Some(geometry::Vec2::new(20.0, 10.0)));
}

#[test]
fn a_size_in_the_row_of_the_edits_says_of_which_question_it_is() {
    use crate::app::state::Probed;
    let mut window = Window::open(BATTLE);
    window.size = vec2(1440.0, 900.0);
    window.app.set_mode(RunMode::Paused);
    window.app.run(Command::LookInto);
    for tool in [Probed::Disc, Probed::Rectangle, Probed::Nearest] {
        window.app.choose_probed(tool);
        (0..4).for_each(|_| window.frame(&[]));
        for other in [Probed::Disc, Probed::Rectangle, Probed::Nearest] {
            let times = if other == tool { 2 } else { 1 };
            let name = other.name();
            assert_eq!(window.words(name).len(), times, "{tool:?}: {name}");
        }
    }
}

#[test]
fn where_the_sliders_of_a_rectangle_have_no_room_its_width_and_height_are_numbers() {
    let mut window = Window::open(BATTLE);
    window.app.set_mode(RunMode::Paused);
    window.app.run(Command::LookInto);
    let area = Operation::read("range 60,100,32,110").expect("a rectangle");
    window.app.set_operation(area);
    let (mut numbers, mut tracks) = (0, 0);
    for width in (480..=1440).step_by(20) {
        window.size = vec2(width as f32, 900.0);
        widgets::forget_places(&window.ctx);
        (0..3).for_each(|_| window.frame(&[]));
        let places = widgets::places(&window.ctx);
        let of = |name: &str| places.get(name).copied();
        let sides = ["step.measure.value", "step.height.value"].map(of);
        assert_eq!(sides[0].is_some(), sides[1].is_some(), "{width}");
        if let [Some(left), Some(right)] = sides {
            assert!(left.right() < right.left(), "{width}: {left:?} {right:?}");
            match of("step.measure") {
                Some(_) => tracks += 1,
                None => numbers += 1,
            }
        }
    }
    assert!(numbers > 0 && tracks > 0, "{numbers} {tracks}");
}

#[test]
fn a_rectangle_in_steps_begins_with_what_the_table_asks_and_what_is_set_there_is_kept() {
    use crate::app::state::Probed;
    let scene = BATTLE.replace(
        r#"structure: (kind: "quadtree"),"#,
        r#"structure: (kind: "quadtree"), view: (rectangle: 40, rectangle_height: 10),"#,
    );
    let mut window = Window::open(&scene);
    window.size = vec2(1440.0, 900.0);
    window.app.set_mode(RunMode::Paused);
    window.app.run(Command::LookInto);
    window.app.choose_probed(Probed::Rectangle);
    (0..3).for_each(|_| window.frame(&[]));
    let half = |window: &Window| window.app.stepping.as_ref().map(|it| it.half);
    assert_eq!(half(&window), Some(geometry::Vec2::new(20.0, 5.0)));
    window.click_on("step.height.value");
    window.type_text("30");
    window.key(KeyCode::Enter);
    (0..3).for_each(|_| window.frame(&[]));
    window.app.run(Command::LookInto);
    assert!(window.app.stepping.is_none());
    window.app.run(Command::LookInto);
    assert_eq!(half(&window), Some(geometry::Vec2::new(20.0, 15.0)));
    // Who is near a unit is asked as far as each tick asks, until that is set.
    let near = window.app.stepping.as_ref().map(|it| it.near);
    assert_eq!(near, Some(None));
}

#[test]
fn what_is_asked_has_its_numbers_in_every_window_that_has_tools_and_by_name_in_a_lower_one() {
    use crate::app::state::Probed;
    let ctrl = Modifiers {
        shift: false,
        ctrl: true,
        alt: false,
        logo: false,
    };
    // The last one is one of 1,000 by 700 pixels at 200 %.
    for (width, height) in [
        (640.0, 480.0),
        (1000.0, 700.0),
        (720.0, 450.0),
        (500.0, 350.0),
    ] {
        let has_tools = height >= 400.0;
        let mut window = Window::open(BATTLE);
        window.size = vec2(width, height);
        window.app.set_mode(RunMode::Paused);
        window.app.run(Command::LookInto);
        window.app.choose_probed(Probed::Pairs);
        let fields = |window: &mut Window| {
            widgets::forget_places(&window.ctx);
            (0..4).for_each(|_| window.frame(&[]));
            let places = widgets::places(&window.ctx);
            let names = ["step.measure.value", "step.height.value"];
            for name in names.iter().filter(|name| places.contains_key(**name)) {
                let steps = places["step.on"];
                assert!(places[*name].bottom() <= steps.top(), "{width}: {name}");
            }
            names.map(|name| places.contains_key(name))
        };
        assert_eq!(fields(&mut window), [has_tools, false], "{width}");
        window.app.choose_probed(Probed::Rectangle);
        assert_eq!(fields(&mut window), [has_tools; 2], "{width}");
        // By their names as well.
        for (typed, size) in [
            ("height 10", [None, Some(10.0)]),
            ("width 40", [Some(40.0), Some(10.0)]),
        ] {
            window.key_with(KeyCode::P, ctrl);
            window.frame(&[]);
            window.type_text(typed);
            window.frame(&[]);
            window.key(KeyCode::Enter);
            (0..8).for_each(|_| window.frame(&[]));
            let asked = window.app.stepping.as_ref().and_then(|it| it.operation());
            let Some(Operation::Range(area)) = asked else {
                panic!("a rectangle: {asked:?}");
            };
            let found = area.size().to_array();
            for (found, size) in found.into_iter().zip(size) {
                let near = size.is_none_or(|size: f32| (found - size).abs() < 0.01);
                assert!(near, "{width}, {typed}: {found}");
            }
        }
    }
}

#[test]
fn a_rectangle_is_as_large_as_it_was_where_its_tool_is_taken_again() {
    use crate::app::state::Probed;
    let mut window = Window::open(BATTLE);
    window.size = vec2(1440.0, 900.0);
    window.app.set_mode(RunMode::Paused);
    window.app.run(Command::LookInto);
    let area = Operation::read("range 60,100,32,110").expect("a rectangle");
    let asked = |window: &Window| {
        let stepping = window.app.stepping.as_ref().expect("steps");
        stepping.operation().cloned()
    };
    window.app.set_operation(area.clone());
    window.app.choose_probed(Probed::Rectangle);
    assert_eq!(asked(&window), Some(area.clone()));
    window.app.choose_probed(Probed::Disc);
    assert_ne!(asked(&window), Some(area.clone()));
    window.app.choose_probed(Probed::Rectangle);
    assert_eq!(asked(&window), Some(area));
}

#[test]
fn what_was_set_of_pairs_and_of_a_cone_is_kept_while_something_else_is_asked() {
    use crate::app::state::Probed;
    let mut window = Window::open(BATTLE);
    window.size = vec2(1440.0, 900.0);
    window.app.set_mode(RunMode::Paused);
    window.app.run(Command::LookInto);
    let asked = |window: &Window| {
        let stepping = window.app.stepping.as_ref().expect("steps");
        stepping.operation().cloned()
    };
    let pairs = Operation::Pairs { reach: Some(60.0) };
    window.app.choose_probed(Probed::Pairs);
    assert_eq!(asked(&window), Some(Operation::Pairs { reach: None }));
    window.app.set_operation(pairs.clone());
    window.app.choose_probed(Probed::Nearest);
    window.app.choose_probed(Probed::Pairs);
    assert_eq!(asked(&window), Some(pairs.clone()));
    // After a way out of the steps as well.
    window.app.choose_probed(Probed::Disc);
    window.app.run(Command::LookInto);
    window.app.run(Command::LookInto);
    window.app.choose_probed(Probed::Pairs);
    assert_eq!(asked(&window), Some(pairs));
    // Taken twice, it asks as each tick does.
    window.app.choose_probed(Probed::Pairs);
    assert_eq!(asked(&window), Some(Operation::Pairs { reach: None }));
    let cone = |window: &Window| match asked(window) {
        Some(Operation::Within(figure)) => figure.numbers()[2..].to_vec(),
        other => panic!("a cone: {other:?}"),
    };
    window.app.choose_probed(Probed::Sector);
    assert_eq!(cone(&window)[..2], [0.0, 60.0]);
    let set = Operation::read("sector 60,100,45,30,25").expect("a cone");
    window.app.set_operation(set);
    window.app.choose_probed(Probed::Pairs);
    window.app.choose_probed(Probed::Sector);
    assert_eq!(cone(&window), [45.0, 30.0, 25.0]);
}

#[test]
fn who_is_in_the_rectangle_that_a_scene_asks_about_is_counted_and_known() {
    let view = "view: (query: \"range 0,0,60,300\", paused: true), armies:";
    let mut window = Window::open(&BATTLE.replace("armies:", view));
    window.size = vec2(1440.0, 900.0);
    window.wait("an answer", |window| !window.app.asked_found().is_empty());
    window.frame(&[]);
    let area = window.app.asked_area().expect("a rectangle");
    let bodies = window.app.battle.bodies();
    let inside = bodies
        .ids()
        .filter(|unit| bodies.aabb(*unit).overlaps(area));
    let inside: Vec<u32> = inside.collect();
    assert_eq!(window.app.asked_found(), inside);
    let counts = window.app.asked_counts().expect("it is told");
    assert_eq!(counts.1, inside.len() as u64);
    assert_eq!(window.words("found in the rectangle").len(), 1);
}

#[test]
fn who_is_marked_in_the_rectangle_of_a_scene_stands_in_it_in_every_picture() {
    let view = "view: (query: \"range 0,0,60,300\"), armies:";
    let scene = BATTLE.replace("order: Hold", "order: March(1, 0)");
    let mut window = Window::open(&scene.replace("armies:", view));
    window.size = vec2(1440.0, 900.0);
    window.wait("an answer", |window| !window.app.asked_found().is_empty());
    let inside = |app: &App| {
        let (bodies, area) = (app.battle.bodies(), app.asked_area().expect("a rectangle"));
        let inside = bodies
            .ids()
            .filter(|unit| bodies.aabb(*unit).overlaps(area));
        inside.collect::<Vec<u32>>()
    };
    window.app.set_mode(RunMode::Running);
    for _ in 0..20 {
        window.frame(&[]);
        assert_eq!(window.app.asked_found(), inside(&window.app));
    }
    // Nor is anything left of that where something was looked into in between.
    window.app.set_mode(RunMode::Paused);
    window.app.run(Command::LookInto);
    (0..3).for_each(|_| window.frame(&[]));
    window.app.run(Command::LookInto);
    window.app.run(Command::Step);
    for _ in 0..5 {
        window.frame(&[]);
        assert_eq!(window.app.asked_found(), inside(&window.app));
    }
}

#[test]
fn where_too_many_stand_for_the_rule_of_a_source_who_is_counted_is_marked_as_well() {
    let view =
        "view: (query: \"range 0,0,60,300\", beside: \"basic-quadtree\", paused: true), armies:";
    let said = |count: &str| {
        let scene = BATTLE.replace("count: 20", count);
        let mut window = Window::open(&scene.replace("armies:", view));
        window.size = vec2(1440.0, 900.0);
        window.wait("an answer", |window| !window.app.asked_found().is_empty());
        window.frame(&[]);
        ["in the red rectangle", "found in the rectangle"].map(|words| window.words(words).len())
    };
    assert_eq!(said("count: 20"), [1, 0]);
    assert_eq!(said("count: 1100"), [0, 1]);
}

#[test]
fn pairs_are_asked_within_the_reach_of_the_battle_until_another_is_set_and_at_none_touch() {
    let mut window = Window::open(BATTLE);
    window.size = vec2(1440.0, 900.0);
    window.app.set_mode(RunMode::Paused);
    window.app.run(Command::LookInto);
    window.app.choose_probed(crate::app::state::Probed::Pairs);
    (0..3).for_each(|_| window.frame(&[]));
    let mut set = |typed: &str| {
        window.click_on("step.measure.value");
        window.type_text(typed);
        window.key(KeyCode::Enter);
        (0..3).for_each(|_| window.frame(&[]));
        let stepping = window.app.stepping.as_ref().expect("steps");
        let asked = stepping.operation().map(Operation::to_string);
        (asked, window.words("in touch").len())
    };
    assert_eq!(set("30"), (Some("pairs 30".to_owned()), 0));
    assert_eq!(set("0"), (Some("pairs 0".to_owned()), 1));
    assert_eq!(set("2"), (Some("pairs 2".to_owned()), 0));
}

/// Two switches near to each other at the beginning of the way.
fn two_switches() -> Window {
    let mut window = Window::open(BATTLE);
    let tick = |window: &Window| window.app.place.tick;
    for (from, key) in [(3, "bvh"), (12, "kd-tree")] {
        window.wait("a tick", |it| tick(it) >= from);
        let kind = Kind::from_key(key).expect("a structure");
        window.app.choose_structure(kind);
    }
    window.wait("both marks", |it| it.app.place.marks.len() == 2);
    window
}

#[test]
fn words_of_marks_stand_on_the_way_of_time_alone_and_a_press_on_them_leads_to_their_mark() {
    let mut window = two_switches();
    window.app.set_mode(RunMode::Paused);
    for _ in 0..10 {
        window.frame(&[]);
    }
    let way = window.place("timeline");
    let row = way.with_min_x(0.0);
    let all = texts(&window, row, "→");
    // Left of it the buttons of time are.
    assert!(
        all.iter().all(|words| words.left() >= way.left()),
        "{all:?} {way:?}"
    );
    let words = all[0];
    window.move_to(words.center());
    for _ in 0..60 {
        window.frame(&[]);
    }
    // Whichever tick it is, it is said, and a press leads there.
    let said = window
        .drawn
        .iter()
        .find_map(|clipped| match &clipped.shape {
            egui::Shape::Text(text) => {
                let words = text.galley.text().strip_prefix("Tick ")?;
                words.split([',', ':']).next()?.parse().ok()
            }
            _ => None,
        });
    let tick: u64 = said.expect("what happened there");
    assert_ne!(window.app.place.tick, tick);
    window.click(words.center());
    window.wait("its tick", |it| it.app.place.tick == tick);
}

#[test]
fn a_low_window_has_words_beside_its_marks_and_the_line_of_now_begins_below_them() {
    let mut window = two_switches();
    window.size = vec2(1280.0, 600.0);
    for _ in 0..6 {
        window.frame(&[]);
    }
    let panel = window.place("timeline");
    assert!(panel.height() < 60.0, "{panel:?}");
    let words: Vec<Rect> = texts(&window, panel, "→");
    assert!(!words.is_empty());
    let lines = window
        .drawn
        .iter()
        .filter_map(|clipped| match &clipped.shape {
            egui::Shape::Rect(it) if it.fill == Palette::DARK.mark && it.rect.width() < 3.0 => {
                Some(it.rect)
            }
            _ => None,
        });
    let mut lines = lines.filter(|line| panel.expand(1.0).contains(line.center()));
    let line = lines.next().expect("the line of now");
    for words in words {
        assert!(line.top() > words.center().y + 4.0, "{line:?} {words:?}");
    }
}

/// Where words with this in them are drawn within a part of the window.
fn texts(window: &Window, part: Rect, words: &str) -> Vec<Rect> {
    let of = |clipped: &egui::epaint::ClippedShape| match &clipped.shape {
        egui::Shape::Text(text) if text.galley.text().contains(words) => {
            Some(text.visual_bounding_rect())
        }
        _ => None,
    };
    let found = window.drawn.iter().filter_map(of);
    found.filter(|rect| part.contains(rect.center())).collect()
}
