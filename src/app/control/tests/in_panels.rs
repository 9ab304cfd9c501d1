//! What panels show, and where: paths, knobs, captions, sentences and labels, the race and the table.

use super::*;
use crate::app::commands::Command;
use crate::app::state::{Pointed, Probed, StopKind};
use crate::app::widgets::measures_together;
use skirmish::partition::Kind;

#[test]
fn who_records_is_told_what_to_do_and_a_recorded_path_has_its_own_time() {
    let way = r#"(name: "a", points: [(0, 0), (90, 0)])"#;
    let world = WORLD.replace("speed: 50", &format!("speed: 50, paths: [{way}]"));
    let mut window = Window::open(&world);
    window.size = vec2(1920.0, 1080.0);
    let wait = |window: &mut Window| {
        for _ in 0..10 {
            window.frame(&[]);
        }
    };
    let find = |window: &Window, name: &str| widgets::places(&window.ctx).contains_key(name);
    wait(&mut window);
    window.click_on("mover.a");
    wait(&mut window);
    assert!(!find(&window, "record.hint") && !find(&window, "speed.dimmed"));
    window.click_on("record");
    wait(&mut window);
    assert!(window.notice().starts_with("Recording: drag the character"));
    assert!(find(&window, "record.hint"));
    // What has been gone so far is seen, up to where the character is.
    let stream = window.app.stream.as_ref().expect("a world");
    let way = stream.recorded_way().to_vec();
    assert!(way.len() > 2 && way.last() == Some(&stream.character()));
    window.click_on("record");
    wait(&mut window);
    let stream = window.app.stream.as_ref().expect("a world");
    assert!(stream.recorded_way().is_empty());
    assert!(!stream.is_recording() && !stream.has_own_time());
    window.click_on("mover.recorded 1");
    wait(&mut window);
    assert!(find(&window, "speed.dimmed"));
    // Nobody sets there what changes nothing.
    let speed = window.app.stream.as_ref().expect("a world").speed();
    let track = window.place("speed");
    window.click(pos2(track.right() - 4.0, track.bottom() - 6.0));
    wait(&mut window);
    assert_eq!(window.app.stream.as_ref().expect("a world").speed(), speed);
    window.click_on("mover.a");
    wait(&mut window);
    window.click(pos2(track.right() - 4.0, track.bottom() - 6.0));
    wait(&mut window);
    assert!(window.app.stream.as_ref().expect("a world").speed() > speed);
}

#[test]
fn the_list_of_paths_shows_whole_rows_and_one_that_has_just_been_recorded() {
    let names = ["a", "b", "c", "d", "e", "f", "g"];
    let ways: String = names
        .iter()
        .map(|name| format!(r#"(name: "{name}", points: [(0, 0), (90, 0)]), "#))
        .collect();
    let world = WORLD.replace("speed: 50", &format!("speed: 50, paths: [{ways}]"));
    let mut window = Window::open(&world);
    window.size = vec2(1920.0, 1080.0);
    window.frame(&[]);
    window.frame(&[]);
    let record = window.place("record");
    let last = window.place("mover.g");
    let is_apart = |last: Rect| last.bottom() + 4.0 < record.top();
    assert!(is_apart(last) && record.width() < 0.6 * last.width());
    for (path, next) in names.iter().zip(&names[1..]) {
        let [path, next] = [path, next].map(|name| window.place(&format!("mover.{name}")));
        assert_eq!(path.bottom(), next.top());
    }
    for _ in 0..2 {
        window.click_on("record");
        for _ in 0..10 {
            window.frame(&[]);
        }
    }
    let paths = window.app.stream.as_ref().expect("a world").paths().len();
    assert_eq!(paths, names.len() + 1);
    let new = window.place("mover.recorded 1");
    let now = window.place("record");
    assert_eq!(
        (now.left_top(), now.height()),
        (record.left_top(), record.height()),
        "the list is as high as it was"
    );
    assert_eq!(new.bottom(), last.bottom());
    assert!(is_apart(new), "a button, and no path");
}

#[test]
fn all_knobs_and_the_orders_of_both_armies_are_in_sight_in_a_window_of_900_points_or_more() {
    let mut window = Window::open(BATTLE);
    let all = window.app.lane().structure.kind().siblings();
    let sizes = [
        (1440.0, 900.0),
        (1920.0, 1080.0),
        (1920.0, 1200.0),
        (1920.0, 1240.0),
    ];
    for (size, kind) in sizes
        .iter()
        .flat_map(|size| all.iter().map(move |kind| (*size, *kind)))
    {
        window.size = size.into();
        window.app.choose_structure(kind);
        for _ in 0..4 {
            window.frame(&[]);
        }
        let info = kind.info();
        assert_eq!(window.structure(), info.key);
        let armies = window.place("section.armies").top();
        let places = widgets::places(&window.ctx);
        let ends = |knob: &skirmish::partition::Knob| {
            let id = format!("knob.{}", knob.key);
            let of = places.iter().filter(|(name, _)| name.starts_with(&id));
            of.map(|(_, rect)| rect.bottom()).fold(0.0, f32::max)
        };
        let in_sight = info.knobs.iter().filter(|knob| ends(knob) < armies);
        assert_eq!(in_sight.count(), info.knobs.len(), "{} {size:?}", info.key);
        let orders = window.place("order.orange.charge").bottom();
        let brush = window.place("section.brush").top();
        assert!(orders < brush, "{} {size:?}", info.key);
    }
    // On a screen of that height, of which a title bar takes some.
    window.size = vec2(1440.0, 872.0);
    for _ in 0..4 {
        window.frame(&[]);
    }
    let orders = window.place("order.orange.charge").bottom();
    let brush = window.place("section.brush").top();
    assert!(orders < brush, "{orders} {brush}");
}

#[test]
fn how_far_units_keep_apart_is_set_beside_the_reach_and_at_0_the_reach_alone_counts() {
    let mut window = Window::open(BATTLE);
    for size in [vec2(1440.0, 900.0), vec2(1920.0, 1240.0)] {
        window.size = size;
        for _ in 0..4 {
            window.frame(&[]);
        }
        let [reach, apart] = ["reach", "keep_apart"].map(|name| window.place(name));
        let bodies = window.place("bodies");
        assert!(apart.top() > reach.bottom() && apart.top() < reach.bottom() + 40.0);
        assert!(!bodies.intersects(apart), "{bodies:?} {apart:?}");
        assert_eq!(window.app.pair_reach(), (2.0, true));
        // At the left end of its track.
        window.click(apart.left_center() - vec2(1.0, 0.0));
        window.wait("0 m", |it| it.app.battle.keep_apart() == 0.0);
        assert_eq!(window.app.pair_reach(), (2.0, false));
        let saved = file::format(&window.app.scene);
        assert!(saved.contains("keep_apart: 0"), "{saved}");
        window.app.end_stroke();
        window.app.run(Command::Undo);
        window.wait("2 m", |it| it.app.battle.keep_apart() == 2.0);
        let saved = file::format(&window.app.scene);
        assert!(!saved.contains("keep_apart"), "{saved}");
    }
}

#[test]
fn a_slider_is_nearer_to_its_own_name_than_to_that_of_the_next_row() {
    let mut window = Window::open(BATTLE);
    for size in [vec2(1440.0, 900.0), vec2(1920.0, 1240.0)] {
        window.size = size;
        for _ in 0..4 {
            window.frame(&[]);
        }
        let track = window.place("units").center().y;
        let [own, next] = ["units", "keep apart"].map(|name| {
            let words = window.words(name).into_iter();
            let rows = words.map(|(ink, _)| ink.center().y);
            let below = |y: &f32| (name == "units") == (*y < track);
            let near = rows.filter(below);
            let near = near.min_by(|a, b| (a - track).abs().total_cmp(&(b - track).abs()));
            near.expect(name)
        });
        assert!(next - track > track - own, "{size}: {own} {track} {next}");
    }
}

#[test]
fn bodies_of_several_sizes_are_said_whole_in_half_a_row() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/mixed-sizes.ron");
    let scene = std::fs::read_to_string(path).expect("a scene");
    let mut window = Window::open(&scene);
    window.app.set_mode(RunMode::Paused);
    window.size = vec2(1440.0, 900.0);
    for _ in 0..4 {
        window.frame(&[]);
    }
    let said = window.drawn.iter().filter(|clipped| match &clipped.shape {
        egui::Shape::Text(text) => text.galley.text().ends_with("1 to 32 m") && !text.galley.elided,
        _ => false,
    });
    assert_eq!(said.count(), 1);
}

#[test]
fn no_room_of_knobs_stands_empty_while_the_armies_below_them_are_cut() {
    let mut window = Window::open(BATTLE);
    for size in [
        vec2(1280.0, 800.0),
        vec2(1440.0, 900.0),
        vec2(1920.0, 1080.0),
        vec2(1920.0, 1400.0),
    ] {
        window.size = size;
        let mut all = window.app.lane().structure.kind().siblings().into_iter();
        // It has no knobs.
        let kind = all.find(|kind| kind.tests_every_pair());
        window.app.choose_structure(kind.expect("all pairs"));
        for _ in 0..6 {
            window.frame(&[]);
        }
        let last = window.place("order.orange.charge").bottom();
        let is_cut = last > window.place("section.brush").top();
        let knobs = window.place("section.knobs").bottom();
        let empty = window.place("section.armies").top() - knobs;
        // The line that says so, and what is below it.
        assert!(!is_cut || empty < 30.0, "{size}: {empty}");
        let none = window.words("This structure has none.");
        let [(ink, clip)] = none[..] else {
            panic!("{size}: {none:?}");
        };
        let armies = window.place("section.armies").top();
        assert!(
            ink.bottom() <= armies && clip.contains_rect(ink),
            "{size}: {ink} {armies}"
        );
    }
    // Where there is room for the knobs of every structure, the armies keep their place.
    let mut window = Window::open(BATTLE);
    window.size = vec2(1920.0, 1400.0);
    let mut places = Vec::new();
    for kind in window.app.lane().structure.kind().siblings() {
        window.app.choose_structure(kind);
        for _ in 0..6 {
            window.frame(&[]);
        }
        places.push(window.place("section.armies").top());
    }
    assert!(
        places.windows(2).all(|pair| pair[0] == pair[1]),
        "{places:?}"
    );
}

#[test]
fn the_triangle_of_a_caption_collapses_its_part_as_its_words_do() {
    let mut window = Window::open(BATTLE);
    for (name, panel) in [("scene", 0.0), ("knobs", 0.0), ("inspector", 1.0)] {
        // The triangle stands in the margin, half a dozen points from the edge of the panel.
        let edge = match panel {
            0.0 => 0.0,
            _ => window.place("edge.right").center().x,
        };
        for is_collapsed in [true, false] {
            let caption = window.place(&format!("section.{name}"));
            window.click(pos2(edge + 6.5, caption.center().y));
            for _ in 0..3 {
                window.frame(&[]);
            }
            let collapsed = &window.app.settings.layout.collapsed;
            assert_eq!(collapsed.contains(name), is_collapsed, "{name}");
        }
    }
}

#[test]
fn in_a_high_window_no_sentence_of_a_step_is_cut_and_the_sums_below_stand_still() {
    let mut highest: f32 = 0.0;
    for (kind, is_grid) in [
        (r#"kind: "kd-tree", knobs: {"leaf_size": 4}"#, false),
        (r#"kind: "sorted-grid", knobs: {"cell_size": 10}"#, true),
    ] {
        let scene = BATTLE.replace("kind: \"quadtree\"", kind);
        let mut window = Window::open(&scene.replace("count: 20", "count: 36"));
        window.size = vec2(1920.0, 1080.0);
        window.app.set_mode(RunMode::Paused);
        window.app.run(Command::LookInto);
        let asked = Operation::read("radius 60,120,20").expect("an operation");
        window.app.set_operation(asked);
        let reel_of = |window: &Window| {
            let stepping = window.app.stepping.as_ref()?;
            let reel = stepping.shown()?;
            Some(reel.len())
        };
        window.wait("a telling", |it| reel_of(it).is_some_and(|len| len > 4));
        window.key(KeyCode::Home);
        let mut below = None;
        for _ in 0..reel_of(&window).expect("steps") {
            window.key(KeyCode::Right);
            let stepping = window.app.stepping.as_ref().expect("steps");
            let is_over = stepping.is_over();
            let mut reason = stepping.now().expect("a step").reason.clone();
            if is_over {
                reason += &end_of_search(stepping.shown().expect("steps"), is_grid);
            }
            let places = window.words(&measures_together(&reason));
            assert!(!places.is_empty(), "{reason}");
            let sums = window.place("section.so far, and at the end").top();
            for (words, clip) in places {
                assert!(clip.expand(0.5).contains_rect(words), "{reason}");
                assert!(words.bottom() < sums, "{reason}");
                highest = highest.max(words.height());
            }
            // Also what is said at the end alone has had its room from the first step on.
            let first = *below.get_or_insert(sums);
            assert_eq!(sums, first, "it jumps: {reason}");
        }
    }
    assert!(
        highest > 70.0,
        "a sentence of more than three lines: {highest}"
    );
}

/// What is said behind the last sentence of a search: in a grid, that it goes straight to its cells.
fn end_of_search(reel: &skirmish::story::Reel, is_grid: bool) -> String {
    let rest = reel.never_looked_at().expect("all are in the structure");
    let others = reel.never_come_to();
    assert!(rest > 1);
    assert_eq!(others.is_some(), is_grid);
    let why = others.map_or_else(String::new, |(cells, units)| {
        assert!(cells > 1 && units == rest, "{cells} {units} {rest}");
        format!(": nothing is pruned, for the search never comes to the {cells} cells with them")
    });
    format!(" In all, {rest} units are left out without a look{why}.")
}

#[test]
fn a_disc_keeps_its_size_whatever_is_asked_between_and_after_a_way_out_of_the_steps() {
    let mut window = Window::open(BATTLE);
    window.app.set_mode(RunMode::Paused);
    window.app.run(Command::LookInto);
    let radius = |window: &Window| match window.app.stepping.as_ref()?.operation() {
        Some(Operation::Radius { radius, .. }) => Some(*radius),
        _ => None,
    };
    let first = radius(&window).expect("a disc");
    window.app.choose_probed(Probed::Nearest);
    assert_eq!(radius(&window), None);
    window.app.choose_probed(Probed::Disc);
    assert_eq!(radius(&window), Some(first));
    // What nobody has set is as large as the view makes it.
    window.app.run(Command::LookInto);
    window.app.camera.zoom /= 16.0;
    window.app.run(Command::LookInto);
    let larger = radius(&window).expect("a disc");
    assert!(larger > first);
    let set = Operation::read("radius 60,120,7.5").expect("an operation");
    window.app.set_operation(set);
    window.app.choose_probed(Probed::Pairs);
    window.app.run_by_key(Command::Escape);
    assert!(!window.app.is_stepping());
    window.app.run(Command::LookInto);
    window.app.choose_probed(Probed::Disc);
    assert_eq!(radius(&window), Some(7.5));
    window.app.run_by_key(Command::Escape);
    window.app.run(Command::LookInto);
    assert_eq!(radius(&window), Some(7.5));
}

#[test]
fn a_square_brush_steps_through_the_square_around_the_pointer() {
    let mut window = Window::open(BATTLE);
    window.app.set_mode(RunMode::Paused);
    window.app.brush.shape = skirmish::session::Shape::Square;
    window.app.brush.radius = 40.0;
    let area = |window: &Window| match window.app.stepping.as_ref()?.operation() {
        Some(Operation::Range(area)) => Some(*area),
        _ => None,
    };
    let look = |window: &mut Window, at: geometry::Vec2| {
        window.app.cursor = Some(at);
        window.app.run(Command::LookInto);
        let area = area(window).expect("a rectangle");
        assert!(area.center().distance(at) < 0.01, "{area:?}");
        area.size()
    };
    let first = look(&mut window, geometry::Vec2::new(60.0, 120.0));
    assert!((first.x - first.y).abs() < 0.01, "{first}");
    // Whoever comes back asks where the pointer is then, and as much as it asks there.
    window.app.run_by_key(Command::Escape);
    window.app.brush.radius *= 2.0;
    let second = look(&mut window, geometry::Vec2::new(200.0, 150.0));
    assert!(second.x > first.x, "{first} {second}");
    // A rectangle that was drawn is asked as it was, whatever the brush.
    let drawn = Operation::read("range 55,100,40,110").expect("an operation");
    window.app.set_operation(drawn.clone());
    window.app.run_by_key(Command::Escape);
    window.app.run(Command::LookInto);
    let stepping = window.app.stepping.as_ref().expect("steps");
    assert_eq!(stepping.operation(), Some(&drawn));
}

#[test]
fn a_first_question_is_in_sight_and_its_rectangle_is_as_large_as_the_next() {
    let scene = BATTLE.replace(
        r#"structure: (kind: "quadtree"),"#,
        r#"structure: (kind: "quadtree"), view: (rectangle: 40, rectangle_height: 10),"#,
    );
    let mut window = Window::open(&scene);
    window.app.set_mode(RunMode::Paused);
    window.app.brush.shape = skirmish::session::Shape::Square;
    let field = window.app.scene.field;
    // Nearer than the whole field, so that a part of that is out of sight, or below a drawer.
    window.app.framed = false;
    window.app.camera.zoom *= 4.0;
    for at in [
        field.min,
        field.max,
        field.max * 50.0,
        window.app.camera.center,
    ] {
        window.app.cursor = Some(at);
        window.app.run(Command::LookInto);
        let stepping = window.app.stepping.as_ref().expect("steps");
        let Some(Operation::Range(area)) = stepping.operation() else {
            panic!("a rectangle is asked");
        };
        let middle = window.app.camera.to_screen(area.center());
        assert!(window.app.free_field().contains(middle), "{at}: {area:?}");
        assert!(area.size().distance(geometry::Vec2::new(40.0, 10.0)) < 0.01);
        assert_eq!(stepping.half, geometry::Vec2::new(20.0, 5.0));
        window.app.run_by_key(Command::Escape);
        // Whoever comes back finds a rectangle that is no square as it was: here it is to be another first one.
        window.app.stepped = None;
    }
}

#[test]
fn steps_call_units_what_the_field_calls_them() {
    let path = "scenes/figures/quadtree-splits.ron";
    let scene = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    let text = std::fs::read_to_string(scene).expect("a scene");
    let mut window = Window::open(&text);
    window.app.set_mode(RunMode::Paused);
    window.app.run(Command::LookInto);
    let asked = Operation::read("radius 8,56,3").expect("an operation");
    window.app.set_operation(asked);
    let is_told = |window: &Window| {
        let stepping = window.app.stepping.as_ref();
        stepping.is_some_and(|it| it.shown().is_some() && !it.is_waiting())
    };
    window.wait("a telling", is_told);
    let stepping = window.app.stepping.as_ref().expect("steps");
    let story = stepping.reel().expect("a reel").story();
    let said: Vec<&str> = story.steps.iter().map(|it| it.reason.as_str()).collect();
    let said = said.join(" ");
    assert!(
        said.contains("Unit 1 is ") && !said.contains("nit 0"),
        "{said}"
    );
    window.frame(&[]);
    assert!(!window.words("hit unit 1").is_empty(), "a row of the list");
    assert!(window.words("hit unit 0").is_empty());
}

#[test]
fn equal_trees_beside_each_other_light_the_same_depths() {
    // Each leaf is a point, and drawn nowhere.
    let tree = r#"(kind: "morton-tree", knobs: {"bucket": 1})"#;
    let scene = BATTLE.replace(r#"(kind: "quadtree")"#, tree);
    let scene = scene.replace("armies:", &format!("lanes: [{tree}], armies:"));
    let mut window = Window::open_with(&scene, false);
    window.app.set_mode(RunMode::Paused);
    window.app.run(Command::View(View::Compare));
    window.wait("the leaves of both", |it| {
        let [first, second] = &it.app.lanes[..] else {
            return false;
        };
        let [first, second] = [first, second].map(|lane| &lane.frame.histogram);
        first.deepest_leaf() > 0 && first == second
    });
}

#[test]
fn leaves_of_every_lane_are_those_of_the_tick_to_which_one_steps_or_at_which_time_stops() {
    let tree = |capacity: u32| format!(r#"(kind: "quadtree", knobs: {{"capacity": {capacity}}})"#);
    let scene = BATTLE.replace(r#"(kind: "quadtree")"#, &tree(4));
    let scene = scene.replace("armies:", &format!("lanes: [{}], armies:", tree(8)));
    let scene = scene.replace("count: 20", "count: 300");
    let mut window = Window::open(&scene.replace("order: Hold", "order: Brawl"));
    window.app.set_mode(RunMode::Paused);
    window.app.run(Command::View(View::Compare));
    (0..3).for_each(|_| window.frame(&[]));
    let counted = |it: &Window| -> Vec<Vec<u32>> {
        let lanes = it.app.lanes.iter();
        lanes.map(|it| it.frame.histogram.counts.clone()).collect()
    };
    let before = counted(&window);
    assert_eq!(before.len(), 2);
    for _ in 0..90 {
        window.app.run(Command::Step);
        window.frame(&[]);
    }
    window.frame(&[]);
    let stepped = counted(&window);
    let gathered_anew = |window: &mut Window| {
        window.app.set_mode(RunMode::Paused);
        (0..3).for_each(|_| window.frame(&[]));
        counted(window)
    };
    assert_eq!(gathered_anew(&mut window), stepped);
    window.app.stopping.elapsed = 180;
    window.app.set_stop(StopKind::Elapsed, true);
    window.app.set_mode(RunMode::Running);
    window.wait("it stops", |it| it.app.stopping.at.is_some());
    window.frame(&[]);
    let stopped = counted(&window);
    assert_eq!(gathered_anew(&mut window), stopped);
    for lane in 0..2 {
        assert_ne!(before[lane], stepped[lane], "nobody has moved");
        assert_ne!(stepped[lane], stopped[lane], "nobody has moved");
    }
}

#[test]
fn each_cell_that_is_looked_at_again_says_so() {
    let path = "scenes/figures/half-neighbourhood.ron";
    let scene = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    let text = std::fs::read_to_string(scene).expect("a scene");
    let mut window = Window::open(&text);
    window.size = vec2(1440.0, 900.0);
    window.app.set_mode(RunMode::Paused);
    window.app.run(Command::View(View::Compare));
    window.wait("the other structure", |it| it.app.lanes.len() == 2);
    for at in [(15.0, 13.0), (12.0, 12.0), (18.0, 18.0), (11.0, 18.0)] {
        let at = window.app.camera.to_screen(at.into());
        window.move_to(at);
        for _ in 0..20 {
            window.frame(&[]);
            std::thread::sleep(std::time::Duration::from_millis(2));
        }
        // A cell has four neighbours before it and four after it, which both halves look at.
        assert_eq!(window.words("again").len(), 4, "{at}");
        assert_eq!(window.words("to visit").len(), 8, "{at}");
    }
}

#[test]
fn what_cells_say_in_panes_hides_none_of_the_few_who_stand_there() {
    let path = "scenes/figures/half-neighbourhood.ron";
    let scene = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    let text = std::fs::read_to_string(scene).expect("a scene");
    for size in [vec2(1440.0, 900.0), vec2(1280.0, 800.0)] {
        let mut window = Window::open(&text);
        window.size = size;
        window.app.set_mode(RunMode::Paused);
        window.app.run(Command::View(View::Compare));
        window.wait("the other structure", |it| it.app.lanes.len() == 2);
        // From cell to cell: where there was room in one says nothing of the next.
        for at in [(25.0, 25.0), (15.0, 25.0), (15.0, 13.0), (25.0, 13.0)] {
            let at = window.app.camera.to_screen(at.into());
            window.move_to(at);
            for _ in 0..20 {
                window.frame(&[]);
                std::thread::sleep(std::time::Duration::from_millis(2));
            }
            let camera = window.app.camera;
            let positions = window.app.battle.positions();
            let units: Vec<_> = positions.iter().map(|it| camera.to_screen(*it)).collect();
            let [first, second] = ["lane.0.pane", "lane.1.pane"].map(|it| window.place(it));
            let aside = second.min - first.min;
            let words = ["home", "to visit", "again", "done before"];
            let said = words.iter().flat_map(|it| window.words(it));
            for (rect, _) in said {
                let rect = rect.expand(4.0);
                let mut both = units.iter().flat_map(|at| [*at, *at + aside]);
                let hidden = both.find(|at| rect.contains(*at));
                assert_eq!(hidden, None, "{size} {at}: {rect}");
            }
        }
    }
}

#[test]
fn a_cell_that_has_its_turn_is_called_by_column_and_row_and_shows_who_looked_there() {
    let path = "scenes/figures/half-neighbourhood.ron";
    let scene = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    let text = std::fs::read_to_string(scene).expect("a scene");
    let mut window = Window::open(&text);
    window.size = vec2(1440.0, 900.0);
    window.app.set_mode(RunMode::Paused);
    window.app.run(Command::LookInto);
    window.app.set_operation(Operation::Pairs { reach: None });
    let is_told = |window: &Window| {
        let stepping = window.app.stepping.as_ref();
        let reel = stepping.and_then(|it| it.shown().filter(|_| !it.is_waiting()));
        reel.is_some_and(|reel| {
            reel.tracks()
                .iter()
                .any(|it| it.kind == "hit pair" && it.whole() > 0)
        })
    };
    window.wait("a telling", is_told);
    for (cell, looked) in [("cell 0, 0", 0), ("cell 1, 1", 4), ("cell 2, 2", 3)] {
        let stepping = window.app.stepping.as_mut().expect("steps");
        let story = stepping.reel().expect("a reel").story();
        let mut steps = story.steps.iter();
        let is_turn = |step: &skirmish::story::Step| {
            let place = story.place(step);
            step.word() == "turn of" && place.is_some_and(|place| place.name() == cell)
        };
        let at = steps.position(is_turn).expect("a turn");
        stepping.go_to(at + 1);
        window.frame(&[]);
        window.frame(&[]);
        let row = format!("turn of {cell} · 1 unit");
        assert_eq!(window.words(&row).len(), 1, "{cell}");
        assert_eq!(window.words("turn of").len(), 1, "{cell}");
        // And once in the legend.
        assert_eq!(window.words("done before").len(), looked + 1, "{cell}");
        for part in ["within cells", "across borders"] {
            assert_eq!(window.words(part).len(), 1, "{part}");
        }
        // Right below what they are parts of, and farther in.
        let [within, across] = ["within cells", "across borders"].map(|it| window.words(it)[0].0);
        let is_above = |(of, _): &(Rect, Rect)| {
            let in_by = within.left() - of.left();
            (4.0..12.0).contains(&in_by) && (within.center().y - of.center().y - 20.0).abs() < 4.0
        };
        assert!(window.words("test pair").iter().any(is_above), "{cell}");
        assert!((across.center().y - within.center().y - 20.0).abs() < 4.0);
    }
}

#[test]
fn what_the_table_says_of_a_tick_is_what_the_race_says_once_it_is_made() {
    let scene = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/compare.ron");
    let text = std::fs::read_to_string(scene).expect("a scene");
    let mut window = Window::open(&text);
    while window.app.place.tick < 30 {
        window.frame(&[]);
    }
    window.app.set_mode(RunMode::Paused);
    window.frame(&[]);
    window.app.survey(None);
    // The table's moment is what stands: what the next tick asks.
    let tick = window.app.place.tick;
    let pairs = |window: &Window| {
        let row = window.app.survey.iter().find(|row| row.tick == tick)?;
        match &row.outcome {
            crate::app::worker::Outcome::Measured(row) => Some(row.pairs),
            _ => None,
        }
    };
    while pairs(&window).is_none() {
        window.frame(&[]);
    }
    let told = pairs(&window).expect("a row");
    assert_ne!(
        window.app.lane().cost.pairs,
        told,
        "the race is of another tick"
    );
    window.app.run(Command::Step);
    while window.app.place.tick == tick {
        window.frame(&[]);
    }
    assert_eq!(window.app.place.tick, tick + 1);
    assert_eq!(window.app.lane().cost.pairs, told);
}

#[test]
fn the_table_is_ordered_by_what_one_single_question_costs() {
    let mut window = Window::open_with(BATTLE, false);
    window.size = vec2(1280.0, 800.0);
    window.app.run(Command::Rank);
    window.app.set_mode(RunMode::Paused);
    let all = window.app.lane().structure.kind.siblings().len();
    let begin = std::time::Instant::now();
    // At rest the last reading of the last row is the last of all.
    let is_done = |window: &Window| {
        let rows = &window.app.survey;
        rows.len() == all && rows.iter().all(|row| row.readings == 5)
    };
    while !is_done(&window) {
        assert!(begin.elapsed().as_secs() < 60, "{:?}", window.app.survey);
        window.frame(&[]);
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    for (which, heading) in ["table.rectangle", "table.nearest"].into_iter().enumerate() {
        let price = |window: &Window, key: &str| {
            let mut rows = window.app.survey.iter();
            let row = rows.find(|row| row.choice.kind.info().key == key);
            match &row.expect("a row of each").outcome {
                crate::app::worker::Outcome::Measured(row) => row.prices[which],
                other => panic!("{other:?}"),
            }
        };
        for is_backwards in [false, true] {
            window.click_on(heading);
            // What is pointed at keeps its place.
            window.move_to(pos2(640.0, 10.0));
            window.frame(&[]);
            let places = widgets::places(&window.ctx);
            let mut rows: Vec<(f32, f64)> = places
                .iter()
                .filter_map(|(name, rect)| {
                    let price = price(&window, name.strip_prefix("table.row.")?);
                    assert!(price.found >= 1.0, "{name} finds whom it is asked around");
                    Some((rect.top(), price.us))
                })
                .collect();
            assert_eq!(rows.len(), all);
            rows.sort_by(|(a, _), (b, _)| a.total_cmp(b));
            let mut costs: Vec<f64> = rows.into_iter().map(|(_, us)| us).collect();
            if is_backwards {
                costs.reverse();
            }
            assert!(costs.is_sorted() && costs[0] > 0.0, "{heading}: {costs:?}");
        }
    }
    // The same as a file: every column of a row that was measured is filled, but that which says why one was not.
    assert_eq!(window.app.may(Command::ExportTable), Ok(()));
    let rows = window.app.survey_rows_as_shown();
    let costs = rows.iter().filter_map(|row| match &row.outcome {
        crate::app::worker::Outcome::Measured(row) => Some(row.prices[1].us),
        _ => None,
    });
    let costs: Vec<f64> = costs.collect();
    let falls = costs.windows(2).all(|two| two[0] >= two[1]);
    assert!(costs.len() == all && falls, "as they are shown: {costs:?}");
    let csv = crate::app::export::table_csv(&window.app.scene.name, rows.into_iter());
    let mut lines = csv.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let head = lines.next().expect("a head");
    let rows: Vec<_> = lines.collect();
    assert_eq!(rows.len(), all);
    for row in rows {
        assert_eq!(row.len(), head.len());
        for (name, cell) in head.iter().zip(&row) {
            // What a structure has not to be set and what it has not chosen is not there.
            let may_be_empty = ["knobs", "auto", "not_measured"].contains(name);
            assert!(!cell.is_empty() || may_be_empty, "{name} of {row:?}");
        }
        let of = |name: &str| {
            let place = head.iter().position(|it| *it == name);
            row[place.expect("a column")]
        };
        assert_eq!((of("scene"), of("units")), ("Calm", "20"));
        let any = head.iter().filter(|name| name.ends_with("_doubtful"));
        let any = any.into_iter().any(|name| of(name) == "true");
        assert_eq!(of("doubtful"), any.to_string());
        let us = |name: &str| of(name).parse::<f64>().expect("a time");
        let off = us("update_query_us") - us("update_us") - us("query_us");
        assert!(off.abs() < 0.002, "{off}");
        for name in ["build_us", "update_query_us", "nearest_tests"] {
            let decimals = of(name).split_once('.').map_or(0, |(_, end)| end.len());
            assert!(decimals <= 3, "{name}: {}", of(name));
        }
        // Of a question that many were asked at once for, more is known than the clock tells.
        let told = of("rectangle_us").trim_start_matches(['0', '.']);
        let digits = told.chars().filter(char::is_ascii_digit).count();
        assert!(digits <= 4, "{}", of("rectangle_us"));
        // The one that the line below the table names: the next one.
        assert_eq!(of("tick"), (window.app.place.tick + 1).to_string());
        if of("structure") == "linked-grid" {
            let (knobs, chosen) = (of("knobs"), of("auto"));
            // Its value is among all others, and that it was chosen is said beside them.
            assert!(chosen.starts_with("cell_size="), "{chosen}");
            assert!(
                knobs.contains(chosen) && !chosen.contains("auto"),
                "{knobs}"
            );
        }
    }
    window.app.all_structures = false;
    assert!(window.app.may(Command::ExportTable).is_err());
}

/// All that is written in the window.
fn written(window: &Window) -> Vec<String> {
    let of = |clipped: &egui::epaint::ClippedShape| match &clipped.shape {
        egui::Shape::Text(text) => Some(text.galley.text().to_owned()),
        _ => None,
    };
    window.drawn.iter().filter_map(of).collect()
}

#[test]
fn the_table_names_its_quickest_row_and_marks_what_is_doubtful() {
    let mut window = Window::open_with(BATTLE, false);
    window.size = vec2(1440.0, 900.0);
    window.app.run(Command::Rank);
    window.app.set_mode(RunMode::Paused);
    let all = window.app.lane().structure.kind.siblings().len();
    let begin = std::time::Instant::now();
    let is_done = |window: &Window| {
        let rows = &window.app.survey;
        rows.len() == all && rows.iter().all(crate::app::worker::SurveyRow::is_read)
    };
    let (mut is_waiting, mut is_done_now) = (false, false);
    while !is_done_now {
        assert!(begin.elapsed().as_secs() < 60, "{:?}", window.app.survey);
        window.frame(&[]);
        let words = written(&window);
        is_waiting |= words
            .iter()
            .any(|it| it.starts_with("still being measured"));
        is_done_now = is_done(&window);
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    assert!(is_waiting, "it says so until all rows are there");
    // Of twenty units a tick takes so little that any other work of the machine shows: each time is marked if its own readings say so.
    for _ in 0..3 {
        window.frame(&[]);
        let words = written(&window);
        let said = words
            .iter()
            .any(|it| it.starts_with("quickest at update and query"));
        let rows = window.app.survey.iter();
        let doubts = rows.map(|row| {
            let each = (0..5).filter(|time| row.doubt(&[*time]).is_some());
            each.count() + usize::from(row.doubt(crate::app::worker::OF_TICK).is_some())
        });
        // The race below has marks of its own.
        let table = widgets::places(&window.ctx)["table"];
        let is_mark = |clipped: &&egui::epaint::ClippedShape| match &clipped.shape {
            egui::Shape::Text(text) => {
                let (words, at) = (text.galley.text(), text.visual_bounding_rect().center());
                words.starts_with('~') && !words.contains(' ') && table.contains(at)
            }
            _ => false,
        };
        let marked = window.drawn.iter().filter(is_mark);
        assert_eq!((said, marked.count()), (true, doubts.sum()), "{words:?}");
    }
}

#[test]
fn where_two_runs_must_look_alike_the_table_names_nobody_by_a_time() {
    let mut window = Window::open(BATTLE);
    window.size = vec2(1440.0, 900.0);
    window.app.run(Command::Rank);
    window.wait("a table", |it| !it.app.survey.is_empty());
    let words = written(&window);
    let is_of_time = |it: &String| it.starts_with("quickest") || it.starts_with('~');
    assert!(!words.iter().any(is_of_time), "{words:?}");
}

#[test]
fn two_lanes_that_are_set_alike_are_told_apart_by_their_places_and_lead_at_nothing() {
    let path = "scenes/figures/half-neighbourhood.ron";
    let scene = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    let text = std::fs::read_to_string(scene).expect("a scene");
    let mut window = Window::open(&text);
    window.size = vec2(1440.0, 900.0);
    window.app.set_mode(RunMode::Paused);
    window.app.run(Command::View(View::Compare));
    window.wait("the other structure", |it| it.app.lanes.len() == 2);
    let knobs = window.app.lane().structure.info().knobs;
    let knob = knobs.iter().position(|knob| knob.key == "neighbourhood");
    let knob = knob.expect("the knob");
    let full = window.app.lanes[1].structure.knob(knob);
    assert!(
        !window.words("half").is_empty(),
        "that in which they differ"
    );
    window.app.set_knob(knob, full);
    window.wait("the same", |it| it.app.lane().structure.knob(knob) == full);
    (0..3).for_each(|_| window.frame(&[]));
    let words = written(&window);
    let leads = ["is smaller", "tests fewer", "visits fewer"];
    assert!(
        !words.iter().any(|it| leads.contains(&it.as_str())),
        "{words:?}"
    );
    // The line in the plot is that of the other setting until a tick has been made with this one.
    let before = "half, before";
    assert!(words.iter().any(|it| it == before), "{words:?}");
    let tick = window.app.past.tick;
    window.app.run(Command::Step);
    window.wait("a tick", |it| it.app.past.tick > tick);
    (0..3).for_each(|_| window.frame(&[]));
    let words = written(&window);
    for pane in ["linked grid, first pane", "linked grid, second pane"] {
        assert!(words.iter().any(|it| it == pane), "{pane}: {words:?}");
    }
}

#[test]
fn a_moment_that_is_pinned_comes_into_sight_once() {
    for height in [700.0, 800.0, 900.0] {
        let mut window = Window::open(BATTLE);
        window.size = vec2(1280.0, height);
        window.app.run(Command::Pin);
        window.wait("the pin", |window| !window.app.pins.is_empty());
        (0..4).for_each(|_| window.frame(&[]));
        let last = window.place("pin.drop");
        let below = window.place("section.query under the brush");
        assert!(last.bottom() <= below.top(), "{height}: {last:?} {below:?}");
        // It was shown: who scrolls away from it is not brought back.
        assert!(!window.app.pin_is_new);
    }
}

#[test]
fn hints_and_messages_wait_until_nothing_is_asked() {
    let mut window = Window::open_with(BATTLE, false);
    let hint = "Click the field to place units.";
    assert!(!window.words(hint).is_empty(), "the first hint");
    let message = "It is so.";
    window.app.say(message);
    for (asks, shown) in [(false, message), (true, ""), (false, message)] {
        window.asks = asks;
        (0..3).for_each(|_| window.frame(&[]));
        let all = [hint, message].map(|words| !window.words(words).is_empty());
        assert_eq!(all, [false, shown == message], "{asks}");
    }
    window.app.notice = None;
    for asks in [true, false] {
        window.asks = asks;
        (0..3).for_each(|_| window.frame(&[]));
        assert_eq!(window.words(hint).is_empty(), asks);
    }
}

#[test]
fn the_tree_marks_the_region_that_the_inspector_is_about_and_steps_ask_of_the_unit() {
    let mut window = Window::open(BATTLE);
    window.app.set_mode(RunMode::Paused);
    window.app.run(Command::Tree);
    let mut beside_unit = None;
    for place in 0..200 {
        let (x, y) = (20 + place % 13 * 5, 100 + place / 13 * 7);
        window.move_to(window.at(x as f32, y as f32));
        (0..2).for_each(|_| window.frame(&[]));
        let frame = &window.app.lane().frame;
        let Some(region) = frame.path.last().map(|region| region.id) else {
            continue;
        };
        if frame.unit.is_some() {
            beside_unit = Some((x as f32, y as f32));
        }
        let diagram = window.app.diagram.as_ref().expect("the tree");
        assert_eq!(diagram.pointed, Some(Pointed::Region(region)), "{x} {y}");
    }
    let (x, y) = beside_unit.expect("a unit near the cursor");
    window.app.run(Command::LookInto);
    window.wait("the steps", |window| window.app.has_steps());
    window.move_to(window.at(x, y));
    (0..2).for_each(|_| window.frame(&[]));
    let stepping = window.app.stepping.as_ref().expect("steps");
    assert!(matches!(stepping.pointed, Some(Pointed::Unit(_))));
}

#[test]
fn a_structure_that_was_chosen_while_time_stands_has_no_line_of_its_own_yet() {
    let mut window = Window::open(BATTLE);
    let has_run = |window: &Window| {
        let (past, kind) = (&window.app.past.lanes[0], window.app.lane().structure.kind);
        past.since(kind) < past.tests.values().len()
    };
    for _ in 0..4 {
        window.app.run(Command::Step);
        window.frame(&[]);
    }
    window.wait("ticks", |window| window.app.past.tick >= 3);
    assert!(has_run(&window));
    let before = window.app.lane().structure.info().name;
    window.app.choose_structure(Kind::Bvh);
    window.wait("another structure", |window| window.structure() == "bvh");
    window.wait("its past", |window| !has_run(window));
    // The line that there is stays that of the structure before, at its end and under the cursor.
    window.size = vec2(1440.0, 900.0);
    window.app.run(Command::View(View::Compare));
    let plot = "compare.plot";
    window.wait("a plot", |window| {
        widgets::places(&window.ctx).iter().any(|it| it.0 == plot)
    });
    let places = widgets::places(&window.ctx);
    let (_, body) = places.iter().find(|it| it.0 == plot).expect("a plot");
    let end = (0..400)
        .map(|step| pos2(body.right() - step as f32, body.center().y))
        .find(|at| {
            window.move_to(*at);
            window.frame(&[]);
            written(&window).iter().any(|it| it.starts_with("tick "))
        });
    end.expect("values under the cursor");
    let words = written(&window);
    let said = format!("{before} ");
    let is_tag = |it: &&String| it.starts_with("tick ") && it.contains(&said);
    let tag = words.iter().find(is_tag).expect("the structure before");
    assert!(!tag.contains("BVH"), "{tag}");
    assert!(words.contains(&format!("{before}, before")), "{words:?}");
    assert!(!words.iter().any(|it| it.contains("not yet")), "{words:?}");
    window.app.run(Command::View(View::Battle));
    window.app.run(Command::Step);
    window.wait("a tick of its own", has_run);
}

#[test]
fn no_time_passes_while_a_page_lies_over_the_field() {
    // With a clock: without one each frame is a tick.
    let mut window = Window::open_with(BATTLE, false);
    window.app.set_mode(RunMode::Running);
    window.wait("a tick", |window| window.app.place.tick > 2);
    let cover = |window: &mut Window, is_covered| {
        let message = crate::app::worker::Message::Covered(is_covered);
        window.app.worker.post(message);
    };
    cover(&mut window, true);
    let posted = window.app.worker.posted();
    window.wait("that it is heeded", |window| window.app.has_heeded(posted));
    let tick = window.app.place.tick;
    for _ in 0..40 {
        window.frame(&[]);
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    assert_eq!(window.app.place.tick, tick);
    cover(&mut window, false);
    window.wait("the next tick", |window| window.app.place.tick > tick);
}

#[test]
fn the_plot_of_the_lanes_has_a_scale_of_ratios_that_is_chosen_and_taken_back() {
    let mut window = Window::open(BATTLE);
    window.size = vec2(1440.0, 900.0);
    window.app.run(Command::View(View::Compare));
    window.app.run(Command::Step);
    window.wait("a plot", |window| {
        let mut lanes = window.app.past.lanes.iter();
        lanes.any(|it| !it.tests.is_empty())
    });
    let mut is_of_ratios = |word: Option<&str>| {
        if let Some(word) = word {
            window.click_on(&format!("compare.scale.{word}"));
        }
        (0..2).for_each(|_| window.frame(&[]));
        written(&window).iter().any(|it| it.starts_with('\u{2264}'))
    };
    assert!(!is_of_ratios(None));
    assert!(is_of_ratios(Some("log")));
    assert!(!is_of_ratios(Some("linear")));
}
