//! What is left of words, chips and ways where there is little room for them.

use super::*;
use crate::app::commands::Command;
use crate::app::worker::Asked;
use skirmish::partition::Kind;
use skirmish::story::space::Operation3;

/// A ball of units in space.
const SPACE: &str = r#"(
    version: 1,
    name: "Cloud",
    field: ((0, 0), (200, 200)),
    structure: (kind: "octree"),
    volume: (
        heights: (0, 200),
        reach: 4,
        flocks: [(side: Blue, motion: Hold, count: 30, formation: Ball(center: (150, 100, 100), radius: 10))],
    ),
)"#;

/// Whether these words are drawn whole.
fn is_whole(window: &Window, words: &str) -> bool {
    window.drawn.iter().any(|clipped| match &clipped.shape {
        egui::Shape::Text(text) => text.galley.text() == words && !text.galley.elided,
        _ => false,
    })
}

fn settle(window: &mut Window) {
    for _ in 0..4 {
        window.frame(&[]);
    }
}

#[test]
fn every_structure_has_its_sign_before_its_name_and_moves_no_switch_in_a_window_of_640_by_480_points()
 {
    let mut window = Window::open(BATTLE);
    window.size = vec2(640.0, 480.0);
    window.app.set_mode(RunMode::Paused);
    settle(&mut window);
    let switches = window.place("layer.units");
    for kind in window.app.lane().structure.kind().siblings() {
        window.app.choose_structure(kind);
        settle(&mut window);
        let name = kind.info().name;
        assert!(is_whole(&window, name), "{name}");
        let edge = window.app.free_field().left() + theme::layout::CHIP;
        let words = window.words(name);
        let has_sign = words.iter().any(|(ink, _)| ink.left() >= edge + 30.0);
        assert!(has_sign, "{name}: {words:?}");
        assert_eq!(window.place("layer.units"), switches, "{name}");
    }
}

#[test]
fn the_name_of_a_scene_is_cut_in_a_narrow_bar_and_stays_there() {
    const NAME: &str = "three-great-rivers.ron";
    const LONG: &str = "three-great-rivers-and-their-springs.ron";
    let mut window = Window::open(BATTLE);
    // A window of 1,280 points at a scale of 100, 175 and 200 %.
    for (name, width, is_cut) in [
        (NAME, 1280.0, false),
        (NAME, 731.0, false),
        (LONG, 640.0, true),
    ] {
        window.app.name = Some(name.to_owned());
        // No tooltip of the name before is open.
        window.move_to(pos2(2.0, 240.0));
        window.size = vec2(width, 480.0);
        settle(&mut window);
        let named = |clipped: &&egui::epaint::ClippedShape| match &clipped.shape {
            egui::Shape::Text(text) => text.galley.text() == name && text.pos.y < 32.0,
            _ => false,
        };
        let named: Vec<_> = window.drawn.iter().filter(named).collect();
        let [named] = named[..] else {
            panic!("{width}: {} names", named.len());
        };
        assert_eq!(!is_whole(&window, name), is_cut, "{width}");
        let ink = named.shape.visual_bounding_rect();
        let (menu, views) = (window.place("menu.Help"), window.place("view.battle"));
        assert!(ink.left() > menu.right(), "{width}: {ink:?} {menu:?}");
        assert!(ink.right() < views.left(), "{width}: {ink:?} {views:?}");
        // The whole of it stands in its tooltip.
        window.move_to(ink.center());
        for _ in 0..60 {
            window.frame(&[]);
        }
        let wholes = window.words(name);
        assert!(wholes.len() > 1, "{width}: {wholes:?}");
    }
    window.app.name = Some("compare.ron".to_owned());
    settle(&mut window);
    assert!(is_whole(&window, "compare.ron"));
}

#[test]
fn the_views_stand_where_they_stand_whatever_is_open() {
    let mut window = Window::open(BATTLE);
    for width in [1280.0, 1000.0, 731.0] {
        window.size = vec2(width, 480.0);
        let mut at = |name: &str| {
            window.app.name = Some(name.to_owned());
            settle(&mut window);
            ["view.battle", "view.volume"].map(|view| window.place(view))
        };
        let short = at("few.ron");
        assert_eq!(
            at("three-great-rivers-and-their-springs.ron"),
            short,
            "{width}"
        );
    }
}

#[test]
fn the_key_that_stops_time_is_said_before_others() {
    for (name, scene, view) in [
        ("battle", BATTLE, View::Battle),
        ("panes", BATTLE, View::Compare),
        ("space", SPACE, View::Volume),
        ("panes of space", SPACE, View::Compare),
    ] {
        let mut window = Window::open(scene);
        window.app.run(Command::View(view));
        window.size = vec2(1000.0, 700.0);
        settle(&mut window);
        let said = ["pause", "run"].map(|word| window.words(word).len());
        assert_eq!(said.into_iter().sum::<usize>(), 1, "{name}");
    }
}

#[test]
fn counts_of_six_digits_and_more_are_read_whole_before_the_orders() {
    for (count, words) in [(123_456, "123,456"), (1_000_000, "1,000,000")] {
        // Far apart, and time stands still: only how many there are is looked at.
        let scene = BATTLE
            .replace("count: 20", &format!("count: {count}"))
            .replace(
                "Ranks((20, 100), (80, 200))",
                "Ranks((0, 0), (30000, 20000))",
            )
            .replace("(480, 300)", "(30000, 20000)")
            .replace("armies:", "view: (paused: true), armies:")
            .replace("quadtree", "linked-grid");
        let mut window = Window::open(&scene);
        window.size = vec2(1280.0, 800.0);
        let collapsed = ["structure", "scene", "knobs"].map(str::to_owned);
        window.app.settings.layout.collapsed = collapsed.into();
        settle(&mut window);
        let wholes = window.drawn.iter().filter(|clipped| match &clipped.shape {
            egui::Shape::Text(text) => text.galley.text() == words && !text.galley.elided,
            _ => false,
        });
        // As the number of units at the start, and as that of the blue side.
        assert_eq!(wholes.count(), 2, "{words}");
        let charge = window.place("order.blue.charge");
        let words = window.words("Charge");
        let needed = words.iter().map(|(ink, _)| ink.width());
        assert!(needed.fold(0.0, f32::max) < charge.width());
    }
}

#[test]
fn layers_and_what_is_looked_at_beside_the_field_have_room_in_a_window_of_1000_points() {
    let mut window = Window::open(BATTLE);
    window.size = vec2(1000.0, 700.0);
    settle(&mut window);
    let (looks, layers) = (window.place("look.into"), window.place("layer.units"));
    assert!(looks.right() < layers.left() && looks.center().y == layers.center().y);
    assert!(window.place("look.tree").right() < layers.left());
    for words in ["Step through", "Tree", "Units", "Tests"] {
        assert!(is_whole(&window, words), "{words}");
    }
    // There are more layers of a world: two have short names beside the switch.
    let mut window = Window::open(WORLD);
    window.size = vec2(1000.0, 700.0);
    settle(&mut window);
    let (looks, layers) = (window.place("look.into"), window.place("layer.path"));
    assert!(looks.right() < layers.left() && looks.center().y == layers.center().y);
    for words in ["need", "load", "unload"] {
        assert!(is_whole(&window, words), "{words} in the legend");
    }
}

#[test]
fn every_curve_of_a_plot_has_its_name_in_a_window_of_1000_points() {
    for (scene, names) in [
        (BATTLE, &["tested", "found"][..]),
        (WORLD, &["A + B", "B", "brute"]),
    ] {
        let mut window = Window::open(scene);
        window.size = vec2(1000.0, 700.0);
        settle(&mut window);
        for name in names {
            assert!(is_whole(&window, name), "{name}");
        }
    }
}

#[test]
fn the_way_of_the_steps_comes_before_the_buttons_to_its_ends() {
    for (width, has_ends) in [(1280.0, true), (1000.0, false)] {
        let mut window = Window::open(BATTLE);
        window.size = vec2(width, 700.0);
        let asked = Operation::read("radius 60,120,20").expect("an operation");
        window.app.look_into(Asked::Operation(asked));
        window.wait("the steps", |window| window.app.has_steps());
        settle(&mut window);
        let way = window.place("step.way");
        assert!(way.width() > 60.0, "{width}: {way:?}");
        assert!(window.place("step.on").right() < way.left());
        assert!(way.right() < window.place("step.slower").left());
        let found = widgets::places(&window.ctx).contains_key("step.first");
        assert_eq!(found, has_ends, "{width}");
    }
}

#[test]
fn the_legend_of_the_steps_has_a_word_for_each_mark_that_the_operation_leaves_and_for_no_other() {
    let cases = [
        (Kind::Bvh, "rebuild", &["merge, refit"][..], "split"),
        (Kind::Quadtree, "rebuild", &["split"], "merge, refit"),
        (
            Kind::Quadtree,
            "radius 60,120,40",
            &["visited"],
            "taken whole",
        ),
    ];
    for (kind, operation, there, not_there) in cases {
        let crowd = BATTLE.replace("count: 20", "count: 200");
        let mut window = Window::open(&crowd);
        window.size = vec2(1000.0, 700.0);
        window.app.choose_structure(kind);
        settle(&mut window);
        let asked = Operation::read(operation).expect("an operation");
        window.app.look_into(Asked::Operation(asked));
        window.wait("the steps", |window| window.app.has_steps());
        settle(&mut window);
        let legend = window.place("step.legend");
        let has = |words: &str| {
            let ink = window.words(words);
            ink.iter().any(|(ink, _)| legend.contains_rect(*ink))
        };
        for words in ["now", there[0]].iter().chain(there) {
            assert!(has(words), "{kind:?}: {words}");
        }
        assert!(!has(not_there), "{kind:?}: {not_there}");
    }
}

#[test]
fn the_gizmo_keeps_off_the_tools_of_the_steps_in_space() {
    for width in [1000.0, 1280.0, 1440.0] {
        let mut window = Window::open(SPACE);
        window.size = vec2(width, 700.0);
        settle(&mut window);
        let before = window.place("chip.gizmo");
        window.app.run(Command::LookInto);
        window.wait("the steps", |window| window.app.has_steps());
        settle(&mut window);
        widgets::forget_places(&window.ctx);
        settle(&mut window);
        let tools = window.place("step.rebuild");
        let gizmo = widgets::places(&window.ctx).get("chip.gizmo").copied();
        // It goes where the tools reach and the axes leave it no other place, and nowhere else.
        assert_eq!(gizmo, (width > 1000.0).then_some(before), "{width}");
        assert!(!gizmo.is_some_and(|it| it.intersects(tools)), "{width}");
    }
}

#[test]
fn what_has_its_place_over_the_field_stands_beside_an_open_drawer() {
    for (width, drawers) in [
        (900.0, [false, true]),
        (640.0, [false, true]),
        (640.0, [true, false]),
    ] {
        for scene in [BATTLE, WORLD, SPACE] {
            let mut window = Window::open(scene);
            window.app.run(Command::View(match scene {
                WORLD => View::Streaming,
                SPACE => View::Volume,
                _ => View::Battle,
            }));
            window.size = vec2(width, 700.0);
            settle(&mut window);
            // A camera that was moved by hand.
            window.app.pan(3.0, 0.0);
            let before = (window.app.camera, window.app.space.eye);
            window.app.drawers = drawers;
            settle(&mut window);
            let drawer = format!("drawer.{}.open", usize::from(drawers[1]));
            let drawer = window.place(&drawer);
            let mut over = widgets::fixed_places(&window.ctx);
            // Edges of panels that are dragged lie across those of the field.
            let field = window.app.camera.screen;
            over.retain(|rect| *rect != drawer && field.contains_rect(*rect));
            assert!(over.len() > 1, "{width}: {over:?}");
            for rect in over {
                let is_beside = !rect.shrink(0.5).intersects(drawer);
                assert!(is_beside, "{width}: {rect:?} {drawer:?}");
            }
            let after = (window.app.camera, window.app.space.eye);
            // In space that of the plane is not seen.
            if scene != SPACE {
                assert_eq!(after.0, before.0, "the picture stands");
            }
            let places = [before, after].map(|(_, eye)| eye.map(|eye| (eye.pivot, eye.distance)));
            assert_eq!(places[0], places[1], "the picture stands");
            // One that shows all of the field shows it beside the drawer, and again everywhere once that is closed.
            window.app.run(Command::FrameAll);
            settle(&mut window);
            let seen = match window.app.space.eye {
                Some(eye) => {
                    let corners = crate::app::eye::corners(window.app.scene.field3());
                    let places = corners.map(|corner| eye.project(corner).expect("in sight").0);
                    Rect::from_points(&places)
                }
                None => window.app.camera.rect_to_screen(window.app.scene.field),
            };
            let free = window.app.free_field();
            if free.width() >= 200.0 {
                assert!(
                    seen.left() >= free.left() - 1.0,
                    "{width}: {seen:?} {free:?}"
                );
                assert!(
                    seen.right() <= free.right() + 1.0,
                    "{width}: {seen:?} {free:?}"
                );
            }
            window.app.drawers = [false; 2];
            settle(&mut window);
            let middle = window
                .app
                .camera
                .rect_to_screen(window.app.scene.field)
                .center();
            if window.app.space.eye.is_none() {
                let field = window.app.camera.screen;
                assert!(
                    (middle.x - field.center().x).abs() < 1.0,
                    "{width}: {middle:?}"
                );
            }
        }
    }
}

#[test]
fn a_first_question_is_beside_a_drawer_that_lies_over_the_middle() {
    // In the second one hardly anything of the field is left.
    for width in [480.0, 400.0] {
        for scene in [BATTLE, SPACE] {
            let mut window = Window::open(scene);
            window.app.set_mode(RunMode::Paused);
            if scene == SPACE {
                window.app.run(Command::View(View::Volume));
            }
            window.size = vec2(width, 700.0);
            window.app.drawers = [true, false];
            settle(&mut window);
            assert!(window.app.drawers[0], "{width}: it is open");
            window.app.cursor = None;
            // Nearer than all of it, and moved by hand.
            let field = window.app.scene.field;
            window.app.framed = false;
            window.app.camera.zoom *= 4.0;
            window.app.camera.center = field.center();
            window.app.move_eye(|eye| {
                eye.distance *= 0.3;
                eye.pan(vec2(-150.0, 0.0));
            });
            let sight = window.app.uncovered(window.app.camera.screen);
            let (camera, eye) = (window.app.camera, window.app.space.eye);
            let middle = match eye {
                Some(eye) => eye.project(window.app.scene.field3().center()),
                None => Some((camera.to_screen(camera.center), 0.0)),
            };
            let is_over = middle.is_none_or(|(at, _)| !sight.contains(at));
            assert!(is_over, "{width}: {middle:?} {sight:?}");
            window.app.run(Command::LookInto);
            let asked = window.app.stepping.as_ref().map(|it| it.asked.clone());
            let at = match (asked, eye) {
                (Some(Asked::Operation(Operation::Radius { center, .. })), None) => {
                    camera.to_screen(center)
                }
                (Some(Asked::Space(Operation3::Sphere { center, .. })), Some(eye)) => {
                    eye.project(center).expect("before the eye").0
                }
                other => panic!("{other:?}"),
            };
            assert!(sight.contains(at), "{width}: {at:?} {sight:?}");
        }
    }
}

#[test]
fn the_gizmo_stands_beside_the_handle_of_a_drawer() {
    for (width, height) in [(640.0, 480.0), (500.0, 350.0), (900.0, 500.0)] {
        let mut window = Window::open(SPACE);
        window.size = vec2(width, height);
        settle(&mut window);
        for steps in [false, true] {
            if steps {
                window.app.run(Command::LookInto);
                window.wait("the steps", |window| window.app.has_steps());
                settle(&mut window);
            }
            let (gizmo, handle) = (window.place("chip.gizmo"), window.place("drawer.right"));
            assert!(!gizmo.intersects(handle), "{width}: {gizmo:?} {handle:?}");
        }
    }
}

#[test]
fn the_chip_of_the_slice_keeps_off_the_ball_and_within_the_margin() {
    for size in [vec2(640.0, 480.0), vec2(1280.0, 800.0)] {
        let mut window = Window::open(SPACE);
        window.app.set_mode(RunMode::Paused);
        window.size = size;
        settle(&mut window);
        window.app.set_slice(Some(1));
        window.app.move_slice(100.0);
        settle(&mut window);
        let field = window.app.camera.screen;
        let mut seen = 0;
        for step in 0..60_u8 {
            let (x, y) = (f32::from(step % 10), f32::from(step / 10));
            let at = field.lerp_inside(vec2(0.1 + 0.08 * x, 0.2 + 0.1 * y));
            window.move_to(at);
            settle(&mut window);
            let query = window.app.lane().frame3.query.as_ref();
            let (Some(query), Some(eye)) = (query, window.app.space.eye) else {
                continue;
            };
            let Some((middle, _)) = eye.project(query.center) else {
                continue;
            };
            let radius = query.radius / eye.metres_per_point_at_pivot();
            let chip = window.place("chip.slice");
            let gap = chip.distance_to_pos(middle) - 0.7 * radius;
            assert!(gap > 0.0, "{size}: {chip:?} {middle:?} {radius}");
            assert!(field.shrink(13.5).contains_rect(chip), "{chip:?}");
            seen += 1;
        }
        assert!(seen > 10, "{size}: {seen} queries");
    }
}

#[test]
fn a_low_window_has_no_tools_over_the_picture_of_space() {
    for (height, has_tools) in [(350.0, false), (480.0, true)] {
        let mut window = Window::open(SPACE);
        window.size = vec2(640.0, height);
        settle(&mut window);
        window.app.run(Command::LookInto);
        window.wait("the steps", |window| window.app.has_steps());
        settle(&mut window);
        assert_eq!(!window.words("Rebuild").is_empty(), has_tools, "{height}");
    }
}

#[test]
fn what_is_said_in_passing_keeps_off_the_fight() {
    // A dense crowd where it would stand first: below the chips in the middle.
    let scene = BATTLE.replace(
        "armies: [(side: Blue, count: 20, formation: Ranks((20, 100), (80, 200)), order: Hold)],",
        "armies: [(side: Blue, count: 400, formation: Ranks((150, 5), (330, 95)), order: Hold)],",
    );
    assert_ne!(scene, BATTLE);
    let mut window = Window::open(&scene);
    window.size = vec2(1280.0, 800.0);
    window.app.set_mode(RunMode::Paused);
    settle(&mut window);
    let camera = window.app.camera;
    let battle = &window.app.battle;
    let drawn: Vec<Pos2> = battle
        .positions()
        .iter()
        .map(|at| camera.to_screen(*at))
        .collect();
    assert!(drawn.len() >= 400);
    window.app.say("This was said. ".repeat(20));
    settle(&mut window);
    let toast = window.place("notice.toast");
    let covered = drawn.iter().filter(|at| toast.contains(**at)).count();
    assert_eq!(covered, 0, "{toast:?}");
    // It stays there as long as it says that.
    settle(&mut window);
    assert_eq!(window.place("notice.toast"), toast);
}

#[test]
fn what_is_said_over_a_table_stands_in_the_status_bar() {
    let mut window = Window::open(BATTLE);
    window.app.run(Command::View(View::Compare));
    window.app.all_structures = true;
    window.wait("the rows", |window| {
        widgets::places(&window.ctx).contains_key("table.row.bvh")
    });
    window.app.set_mode(RunMode::Paused);
    window.app.say("This was said.");
    settle(&mut window);
    let toast = window.place("notice.toast");
    assert!(toast.top() >= 800.0 - 24.0, "{toast:?}");
    assert!(is_whole(&window, "This was said."));
    // Where no bar is so low it stands in that of the transport.
    window.size = vec2(320.0, 240.0);
    settle(&mut window);
    let toast = window.place("notice.toast");
    assert!(toast.top() >= 240.0 - 46.0, "{toast:?}");
    assert!(Rect::from_min_size(Pos2::ZERO, window.size).contains_rect(toast));
    // A press on its words is none on the button under them.
    window
        .app
        .say("This was said, and in so many words that all of the bar is under them.");
    settle(&mut window);
    let (toast, step) = (window.place("notice.toast"), window.place("run.one step"));
    assert!(toast.contains_rect(step), "{toast:?} {step:?}");
    let before = window.app.place.tick;
    window.click(step.center());
    settle(&mut window);
    assert_eq!(window.app.place.tick, before);
    // Once it is gone, the same press is one.
    window.app.notice = None;
    settle(&mut window);
    window.click(step.center());
    window.wait("a tick", |window| window.app.place.tick > before);
}

#[test]
fn a_scene_is_seen_as_it_wants_to_be_in_panes_that_are_narrow_and_low() {
    let scene = BATTLE.replace(
        "armies:",
        "camera: (center: (240, 150), height: 360), lanes: [(kind: \"bvh\")], armies:",
    );
    let mut window = Window::open(&scene);
    window.app.run(Command::View(View::Compare));
    for size in [vec2(640.0, 480.0), vec2(960.0, 540.0), vec2(1440.0, 900.0)] {
        window.size = size;
        settle(&mut window);
        let camera = window.app.camera;
        let field = camera.rect_to_screen(window.app.scene.field);
        assert!(camera.screen.contains_rect(field), "{size}: {field:?}");
        let tools = window.place("chip.tools");
        assert!(!tools.intersects(field), "{size}: {tools:?} {field:?}");
    }
    // Four of them in low windows leave it most of what they have.
    for _ in 0..2 {
        let kind = window.app.lane().structure.kind();
        window.app.add_lane(kind);
    }
    window.wait("four lanes", |window| window.app.lanes.len() == 4);
    for size in [vec2(640.0, 320.0), vec2(640.0, 360.0), vec2(1000.0, 420.0)] {
        window.size = size;
        settle(&mut window);
        let camera = window.app.camera;
        let field = camera.rect_to_screen(window.app.scene.field);
        assert!(camera.screen.contains_rect(field), "{size}: {field:?}");
        let part = field.height() / camera.screen.height();
        assert!(part > 0.35, "{size}: {part}");
    }
}

#[test]
fn a_field_fills_its_pane_and_lies_under_nothing_where_four_panes_are_low() {
    let lanes = r#"lanes: [(kind: "bvh"), (kind: "linked-grid"), (kind: "kd-tree")], armies:"#;
    let mut window = Window::open(&BATTLE.replace("armies:", lanes));
    window.app.run(Command::View(View::Compare));
    window.wait("four lanes", |window| window.app.lanes.len() == 4);
    window.size = vec2(1440.0, 900.0);
    settle(&mut window);
    window.app.run(Command::FrameAll);
    settle(&mut window);
    let camera = window.app.camera;
    let field = camera.rect_to_screen(window.app.scene.field);
    let part = field.height() / camera.screen.height();
    assert!(part > 0.65, "{part}");
    for at in 0..4 {
        let pane = window.place(&format!("lane.{at}.pane"));
        let field = field.translate(pane.min - camera.screen.min);
        assert!(pane.contains_rect(field), "{pane:?} {field:?}");
        let places = widgets::places(&window.ctx);
        for name in ["chip.tools", "chip.scale"] {
            let lies_under = places.get(name).filter(|chip| chip.intersects(field));
            assert_eq!(lies_under, None, "{name} {field:?}");
        }
    }
}

#[test]
fn a_field_is_as_high_as_four_low_panes_let_it_be_in_a_large_interface() {
    let lanes = r#"lanes: [(kind: "bvh"), (kind: "linked-grid"), (kind: "kd-tree")], armies:"#;
    let plain = BATTLE.replace("armies:", lanes);
    let posed = plain.replace(
        "armies:",
        "camera: (center: (240, 150), height: 320), armies:",
    );
    // A window of 1,440 by 900 pixels at 125 % and at 150 %, and how much of the pane's height the field has at least.
    for (size, parts) in [
        (vec2(1152.0, 720.0), [0.85, 0.75]),
        (vec2(960.0, 600.0), [0.8, 0.7]),
    ] {
        for (scene, least) in [&plain, &posed].into_iter().zip(parts) {
            let mut window = Window::open(scene);
            window.app.run(Command::View(View::Compare));
            window.wait("four lanes", |window| window.app.lanes.len() == 4);
            window.size = size;
            settle(&mut window);
            let camera = window.app.camera;
            let field = camera.rect_to_screen(window.app.scene.field);
            let part = field.height() / camera.screen.height();
            assert!(part > least, "{size}: {part}");
            for at in 0..4 {
                let pane = window.place(&format!("lane.{at}.pane"));
                let field = field.translate(pane.min - camera.screen.min);
                assert!(pane.contains_rect(field), "{size}: {pane:?} {field:?}");
                let tools = window.place("chip.tools");
                assert!(!tools.intersects(field), "{size}: {tools:?} {field:?}");
            }
            // Back in Battle it is as large as a larger view lets it be.
            window.app.run(Command::View(View::Battle));
            settle(&mut window);
            let camera = window.app.camera;
            let field = camera.rect_to_screen(window.app.scene.field);
            let part = field.height() / camera.screen.height();
            assert!(part > 0.6, "{size}: {part}");
        }
    }
}

/// Two lanes of one structure, told apart by a setting, after a tick.
fn halves(width: f32) -> Window {
    let path = "scenes/figures/half-neighbourhood.ron";
    let scene = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    let text = std::fs::read_to_string(scene).expect("a scene");
    let mut window = Window::open(&text);
    window.size = vec2(width, 700.0);
    window.app.set_mode(RunMode::Paused);
    window.app.run(Command::View(View::Compare));
    window.wait("the other structure", |it| it.app.lanes.len() == 2);
    let tick = window.app.past.tick;
    window.app.run(Command::Step);
    window.wait("a tick", |it| it.app.past.tick > tick);
    settle(&mut window);
    window
}

#[test]
fn lines_of_one_structure_are_told_apart_at_their_ends_where_their_names_are_cut() {
    for (width, names) in [
        (800.0, ["half", "full"]),
        (1440.0, ["neighbourhood half", "neighbourhood full"]),
    ] {
        let window = halves(width);
        let plot = window.place("compare.plot");
        for name in names {
            let words = window.words(name);
            let is_there = words.iter().any(|(ink, _)| plot.contains(ink.center()));
            assert!(is_there, "{name} in a window of {width} points");
        }
    }
}

#[test]
fn the_names_of_two_lanes_are_whole_beside_their_lines_in_a_large_interface() {
    let lanes = r#"structure: (kind: "hierarchical-grid"), lanes: [(kind: "linked-grid")]"#;
    let mut window = Window::open(&BATTLE.replace(r#"structure: (kind: "quadtree")"#, lanes));
    // A window of 1,440 by 900 pixels at 150 %.
    window.size = vec2(960.0, 600.0);
    window.app.run(Command::View(View::Compare));
    window.wait("the other structure", |it| it.app.lanes.len() == 2);
    window.app.set_mode(RunMode::Paused);
    let tick = window.app.past.tick;
    window.app.run(Command::Step);
    window.wait("a tick", |it| it.app.past.tick > tick);
    settle(&mut window);
    let plot = window.place("compare.plot");
    for name in ["hierarchical grid", "linked grid"] {
        let words = window.words(name);
        let is_there = words.iter().any(|(ink, _)| plot.contains(ink.center()));
        assert!(is_there, "{name}");
    }
}

#[test]
fn what_the_plot_of_lanes_clips_is_never_said_over_the_words_that_choose() {
    for (width, beside_and_within) in [(1440.0, (1, 0)), (800.0, (0, 1))] {
        let mut window = halves(width);
        for lane in &mut window.app.past.lanes {
            let value = |at| if at % 40 == 0 { 900.0 } else { 20.0 };
            (0..80).for_each(|at| lane.tests.push(value(at)));
        }
        window.draw(&[]);
        let said = ["4 clipped, up to 900", "up to 900"].map(|words| window.words(words).len());
        assert_eq!((said[0], said[1]), beside_and_within, "{width}");
    }
}

#[test]
fn the_chip_of_commands_ends_where_what_lies_below_it_does() {
    let mut window = Window::open(BATTLE);
    window.app.set_mode(RunMode::Paused);
    window.size = vec2(1440.0, 900.0);
    (0..6).for_each(|_| window.frame(&[]));
    let chip = window.place("commands");
    assert_eq!(chip.right(), window.place("pace.faster").right());
}

/// A window of 640 × 480 points on a lesson, as it is seen once everything is there.
fn lesson(scene: &str, lanes: usize, view: View) -> Window {
    let mut window = Window::open(scene);
    window.size = vec2(640.0, 480.0);
    window.app.set_mode(RunMode::Paused);
    window.app.run(Command::View(view));
    window.wait("its structures", |it| it.app.lanes.len() == lanes);
    settle(&mut window);
    window
}

/// Clicks on the word that opens the caption, reads it, and closes it again by a click on its name.
fn read_caption(window: &mut Window) {
    let whole = Rect::from_min_size(Pos2::ZERO, window.size);
    let closed = window.place("caption");
    assert!(whole.contains_rect(closed), "{closed:?}");
    let caption = window.app.scene.caption.clone();
    assert!(!is_whole(window, &caption), "there is no room for it yet");
    let (read, _) = window.words("read")[0];
    assert!(closed.contains_rect(read), "{closed:?} {read:?}");
    window.click(read.center());
    settle(window);
    assert!(is_whole(window, &caption), "the whole caption");
    let open = window.place("caption");
    assert!(whole.contains_rect(open), "{open:?}");
    assert!(window.words("read").is_empty());
    window.click(open.min + vec2(24.0, 16.0));
    settle(window);
    assert_eq!(window.place("caption"), closed);
    assert_eq!(window.words("read").len(), 1);
}

#[test]
fn the_caption_of_a_lesson_is_read_in_a_window_of_640_by_480_points() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/figures");
    for (name, lanes, view) in [
        ("quadtree-splits", 1, View::Battle),
        ("sweep-and-prune", 1, View::Battle),
        ("unbalanced", 1, View::Battle),
        ("half-neighbourhood", 2, View::Compare),
        ("double-attack", 2, View::Compare),
        ("quadtree-or-kd-tree", 2, View::Compare),
        ("octree-octants", 1, View::Volume),
    ] {
        let path = folder.join(format!("{name}.ron"));
        let text = std::fs::read_to_string(path).expect("a scene");
        read_caption(&mut lesson(&text, lanes, view));
    }
}

#[test]
fn words_that_are_cut_tell_the_rest_under_the_cursor() {
    let caption = "Twenty stand in ranks, and a structure knows who is near whom. ".repeat(10);
    let caption = caption.trim_end();
    let said = format!("caption: {caption:?}, armies:");
    let mut window = Window::open(&BATTLE.replace("armies:", &said));
    window.app.set_mode(RunMode::Paused);
    window.size = vec2(1280.0, 1200.0);
    settle(&mut window);
    let rect = window.place("caption");
    assert!(rect.height() > 60.0, "more than its title: {rect:?}");
    assert!(!is_whole(&window, caption), "there are too many of them");
    window.move_to(rect.left_bottom() + vec2(60.0, -24.0));
    for _ in 0..60 {
        window.frame(&[]);
    }
    assert!(is_whole(&window, caption));
}

#[test]
fn a_caption_has_a_place_beside_the_tools_of_three_and_of_four_narrow_panes() {
    const LANES: [&str; 3] = ["bvh", "kd-tree", "linked-grid"];
    for count in [3, 4] {
        let lanes = LANES[..count - 1].iter();
        let lanes: String = lanes.map(|kind| format!("(kind: {kind:?}), ")).collect();
        let caption =
            "Twenty stand in ranks, and each of these structures knows who is near whom. "
                .repeat(3);
        let scene = BATTLE.replace(
            "armies:",
            &format!(
                "caption: {:?}, lanes: [{lanes}], armies:",
                caption.trim_end()
            ),
        );
        let mut window = lesson(&scene, count, View::Compare);
        let tools = window.place("chip.tools");
        assert!(!window.place("caption").intersects(tools), "{count} lanes");
        read_caption(&mut window);
        // Whoever reads it reads it above the tools.
        let (read, _) = window.words("read")[0];
        window.click(read.center());
        settle(&mut window);
        let (open, tools) = (window.place("caption"), window.place("chip.tools"));
        assert!(!open.intersects(tools), "{open:?} {tools:?}");
    }
}

#[test]
fn a_volume_in_a_pane_stands_above_what_lies_over_its_foot_in_the_same_frame() {
    let mut window = Window::open(SPACE);
    window.app.run(Command::View(View::Compare));
    settle(&mut window);
    let pane = window.app.camera.screen;
    let foot = Rect::from_min_max(
        pos2(0.0, pane.height() * 0.8),
        pos2(pane.width(), pane.height()),
    );
    assert!(window.app.cover_panes(vec![foot]));
    let eye = window.app.space.eye;
    assert!(!window.app.cover_panes(vec![foot]));
    window.app.resize(pane);
    assert_eq!(window.app.space.eye, eye);
}
