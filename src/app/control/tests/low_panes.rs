//! What is left of the pictures in low panes, and what is said there.

use super::*;
use crate::app::commands::Command;

/// A window of 1,440 by 900 pixels at 150 %, in points.
const LARGE_INTERFACE: Vec2 = vec2(960.0, 600.0);

fn settle(window: &mut Window) {
    for _ in 0..4 {
        window.frame(&[]);
    }
}

/// Four lanes in Compare at rest, in a window of this size.
fn four_lanes(scene: &str, size: Vec2) -> Window {
    let lanes = r#"lanes: [(kind: "bvh"), (kind: "linked-grid"), (kind: "kd-tree")], armies:"#;
    let mut window = Window::open(&scene.replace("armies:", lanes));
    window.app.set_mode(RunMode::Paused);
    window.app.run(Command::View(View::Compare));
    window.wait("four lanes", |window| window.app.lanes.len() == 4);
    window.size = size;
    settle(&mut window);
    window
}

#[test]
fn a_caption_takes_next_to_nothing_from_the_fields_of_four_low_panes() {
    const CAPTION: &str = "Some stand in ranks, and a structure knows who is near whom.";
    let said = BATTLE.replace("armies:", &format!("caption: {CAPTION:?}, armies:"));
    let long = said.replace("Calm", "A long day of very many and of very large ones");
    for (scene, count) in [(&said, 20), (&long, 20), (&said, 200), (&long, 200)] {
        let scene = scene.replace("count: 20", &format!("count: {count}"));
        let mut window = four_lanes(&scene, LARGE_INTERFACE);
        window.app.run(Command::FrameAll);
        settle(&mut window);
        let camera = window.app.camera;
        let field = camera.rect_to_screen(window.app.scene.field);
        // The panes are about a hundred points high.
        assert!(field.width() >= 120.0, "{count}: {field:?}");
        let caption = window.place("caption");
        assert_eq!(window.words("read").len(), 1, "{count}");
        for at in 0..4 {
            let pane = window.place(&format!("lane.{at}.pane"));
            let field = field.translate(pane.min - camera.screen.min);
            assert!(pane.contains_rect(field), "{count}: {pane:?} {field:?}");
            assert!(!caption.intersects(field), "{count}: {caption:?} {field:?}");
        }
        // Whoever asks for its words has them over the pictures, which stay where they are.
        window.click(caption.min + vec2(24.0, 16.0));
        settle(&mut window);
        let open = window.place("caption");
        assert!(
            open.height() > caption.height(),
            "{count}: {open:?} {caption:?}"
        );
        assert_eq!(window.app.camera, camera, "{count}");
        window.click(open.min + vec2(24.0, 16.0));
        settle(&mut window);
        assert_eq!(window.place("caption"), caption, "{count}");
        assert_eq!(window.app.camera, camera, "{count}");
    }
}

#[test]
fn the_title_of_a_caption_is_as_wide_as_its_name_where_there_is_room() {
    const NAME: &str = "Four structures in space";
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/volume-lanes.ron");
    let scene = std::fs::read_to_string(path).expect("a scene");
    let mut window = Window::open(&scene);
    window.app.set_mode(RunMode::Paused);
    window.wait("four lanes", |window| window.app.lanes.len() == 4);
    for size in [vec2(1440.0, 900.0), vec2(1920.0, 1080.0)] {
        window.size = size;
        settle(&mut window);
        let caption = window.place("caption");
        let is_name = |clipped: &&egui::epaint::ClippedShape| match &clipped.shape {
            egui::Shape::Text(text) => {
                caption.contains(text.pos) && text.galley.text() == NAME && !text.galley.elided
            }
            _ => false,
        };
        assert_eq!(window.drawn.iter().filter(is_name).count(), 1, "{size}");
    }
}

#[test]
fn the_race_stands_in_the_place_of_the_panes_where_there_is_no_room_for_both() {
    // A window of 1,440 by 900 pixels at 200 %.
    let size = vec2(720.0, 450.0);
    let mut window = four_lanes(BATTLE, size);
    let has = |window: &mut Window, name: &str| {
        widgets::forget_places(&window.ctx);
        settle(window);
        widgets::places(&window.ctx).contains_key(name)
    };
    assert!(has(&mut window, "lane.0.pane") && !has(&mut window, "compare.race.tests"));
    window.click_on("compare.race");
    for key in ["tests", "visited", "update", "query", "memory"] {
        let name = format!("compare.race.{key}");
        assert!(has(&mut window, &name), "{name}");
        let row = window.place(&name);
        assert!(Rect::from_min_size(Pos2::ZERO, size).contains_rect(row));
    }
    assert!(has(&mut window, "compare.plot") && !has(&mut window, "lane.0.pane"));
    // By its button, by Escape, and by a window that has room for both.
    window.click_on("compare.race");
    assert!(has(&mut window, "lane.0.pane"));
    window.click_on("compare.race");
    window.app.notice = None;
    window.app.run(Command::Escape);
    assert!(has(&mut window, "lane.0.pane"));
    window.click_on("compare.race");
    window.size = LARGE_INTERFACE;
    for name in ["lane.0.pane", "compare.race.tests"] {
        assert!(has(&mut window, name), "{name}");
    }
    assert!(!has(&mut window, "compare.race"));
}

/// The words on the window that end so, with where they stand.
fn words_ending(window: &Window, end: &str) -> Vec<Rect> {
    let of = |clipped: &egui::epaint::ClippedShape| match &clipped.shape {
        egui::Shape::Text(text) if text.galley.text().ends_with(end) => {
            Some(text.visual_bounding_rect())
        }
        _ => None,
    };
    window.drawn.iter().filter_map(of).collect()
}

#[test]
fn what_a_query_found_is_one_short_line_beside_the_field_where_panes_are_small() {
    let mut window = four_lanes(BATTLE, vec2(1280.0, 800.0));
    window.app.run(Command::FrameAll);
    settle(&mut window);
    let seen = |window: &Window| {
        let unit = window.app.battle.positions()[0];
        window.app.camera.to_screen(unit)
    };
    window.move_to(seen(&window));
    let found = |window: &Window| words_ending(window, " in reach");
    window.wait("what four queries found", |it| found(it).len() == 4);
    settle(&mut window);
    let (camera, all) = (window.app.camera, found(&window));
    let field = camera.rect_to_screen(window.app.scene.field);
    for at in 0..4 {
        let pane = window.place(&format!("lane.{at}.pane"));
        let field = field.translate(pane.min - camera.screen.min);
        let own: Vec<_> = all.iter().filter(|it| pane.contains_rect(**it)).collect();
        let [words] = own[..] else {
            panic!("{at}: {own:?}");
        };
        assert!(!words.intersects(field), "{at}: {words:?} {field:?}");
    }
    assert!(words_ending(&window, " tested, too far").is_empty());
    // Of how many is said in all of them or in none.
    let of_tested = |clipped: &&egui::epaint::ClippedShape| match &clipped.shape {
        egui::Shape::Text(text) => {
            let tested = text.galley.text().strip_prefix("of ");
            tested.is_some_and(|it| it.replace(',', "").parse::<u64>().is_ok())
        }
        _ => false,
    };
    let said = |window: &Window| window.drawn.iter().filter(of_tested).count();
    let here = said(&window);
    assert!([0, 4].contains(&here), "{here}");
    // As panes become larger they come to say it.
    let mut has_said = here == 4;
    for size in [
        vec2(1440.0, 900.0),
        vec2(1600.0, 900.0),
        vec2(1760.0, 990.0),
    ] {
        window.size = size;
        window.app.run(Command::FrameAll);
        settle(&mut window);
        window.move_to(seen(&window));
        settle(&mut window);
        let here = said(&window);
        assert!([0, 4].contains(&here), "{size}: {here}");
        has_said |= here == 4;
    }
    assert!(has_said, "no pane says of how many");
    // Where there is room all of it is said.
    window.app.run(Command::View(View::Battle));
    settle(&mut window);
    window.move_to(seen(&window));
    window.wait("all of it", |it| {
        !words_ending(it, " tested, too far").is_empty()
    });
}

#[test]
fn what_the_boxes_mean_that_are_drawn_in_panes_stands_in_their_legends() {
    const SKIPPED: &str = "need not be visited";
    let mut window = four_lanes(BATTLE, vec2(1920.0, 1080.0));
    window.move_to(pos2(2.0, 2.0));
    settle(&mut window);
    assert!(window.words(SKIPPED).is_empty(), "nothing is pointed at");
    let unit = window.app.battle.positions()[0];
    window.move_to(window.app.camera.to_screen(unit));
    window.wait("the boxes of a BVH that nobody enters", |it| {
        !it.words(SKIPPED).is_empty()
    });
    let bvh = window.place("lane.1.pane");
    let words = window.words(SKIPPED);
    assert!(words.iter().any(|(rect, _)| bvh.contains_rect(*rect)));
}

#[test]
fn a_caption_that_is_read_stays_within_its_own_lane() {
    let words = "Some stand in ranks, and a structure knows who is near whom. ".repeat(6);
    let said = format!("caption: {:?}, armies:", words.trim_end());
    let scene = BATTLE.replace("armies:", &said);
    // A window of 1,280 by 800 pixels at 150 %, one of 1,440 by 900 pixels at that, and the least.
    for size in [vec2(853.0, 533.0), LARGE_INTERFACE, vec2(640.0, 480.0)] {
        let mut window = four_lanes(&scene, size);
        let title = window.place("caption");
        window.click(title.min + vec2(24.0, 16.0));
        settle(&mut window);
        let open = window.place("caption");
        assert!(open.height() > title.height(), "{size}: {open:?}");
        let panes = (0..4).map(|at| window.place(&format!("lane.{at}.pane")));
        let own = panes.filter(|pane| pane.intersects(open)).count();
        assert_eq!(own, 1, "{size}: {open:?}");
        let tools = window.place("chip.tools");
        assert!(!open.intersects(tools), "{size}: {open:?} {tools:?}");
        // What has no room scrolls.
        let (first, seen) = window.words(words.trim_end())[0];
        assert!(open.contains_rect(seen.intersect(first)), "{size}");
    }
}

#[test]
fn a_lesson_in_panes_with_room_says_its_words_at_once_and_reading_others_moves_no_camera() {
    let figure =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/figures/quadtree-or-kd-tree.ron");
    let scene = std::fs::read_to_string(figure).expect("a scene");
    let lesson = |size: Vec2| {
        let mut window = Window::open(&scene);
        window.app.set_mode(RunMode::Paused);
        window.app.run(Command::View(View::Compare));
        window.wait("two lanes", |window| window.app.lanes.len() == 2);
        window.size = size;
        settle(&mut window);
        window
    };
    let window = lesson(vec2(1280.0, 800.0));
    let pane = window.place("lane.0.pane");
    assert!(pane.height() > 300.0, "{pane:?}");
    assert!(window.words("read").is_empty());
    assert_eq!(window.words(&window.app.scene.caption).len(), 1);
    // In lower ones they are asked for.
    let mut window = lesson(vec2(1000.0, 580.0));
    let (camera, title) = (window.app.camera, window.place("caption"));
    assert_eq!(window.words("read").len(), 1);
    window.click(title.min + vec2(24.0, 16.0));
    settle(&mut window);
    let open = window.place("caption");
    assert!(open.height() > title.height(), "{open:?} {title:?}");
    assert_eq!(window.app.camera, camera);
}

#[test]
fn in_high_panes_too_a_crowd_lies_under_no_legend() {
    let lanes = r#"lanes: [(kind: "bvh")], camera: (center: (240, 150), height: 330), armies:"#;
    let scene = BATTLE.replace("count: 20", "count: 200");
    let mut window = Window::open(&scene.replace("armies:", lanes));
    window.app.set_mode(RunMode::Paused);
    window.app.run(Command::View(View::Compare));
    window.wait("two lanes", |window| window.app.lanes.len() == 2);
    for size in [vec2(1280.0, 800.0), vec2(1440.0, 900.0)] {
        window.size = size;
        settle(&mut window);
        for is_framed in [false, true] {
            if is_framed {
                window.app.run(Command::FrameAll);
                settle(&mut window);
            }
            let camera = window.app.camera;
            let field = camera.rect_to_screen(window.app.scene.field);
            for at in 0..2 {
                let pane = window.place(&format!("lane.{at}.pane"));
                let field = field.translate(pane.min - camera.screen.min);
                assert!(pane.contains_rect(field), "{size}: {pane:?} {field:?}");
                let corner = Rect::from_min_size(pane.min, vec2(200.0, 44.0));
                assert!(!corner.intersects(field), "{size}: {field:?}");
                let part = field.height() / pane.height();
                assert!(part > 0.5, "{size}: {part}");
            }
        }
    }
}

#[test]
fn a_picture_of_the_field_shows_every_pane_as_the_window_does() {
    use crate::app::portrait::Laid;
    let mut window = four_lanes(BATTLE, vec2(1280.0, 800.0));
    window.app.run(Command::FrameAll);
    settle(&mut window);
    for is_moved in [false, true] {
        if is_moved {
            window.app.run(Command::ZoomOut);
            settle(&mut window);
        }
        let panes: Vec<Rect> = (0..4)
            .map(|at| window.place(&format!("lane.{at}.pane")))
            .collect();
        let (seen, whole) = (window.app.camera, window.app.pictured);
        assert_eq!(whole, panes[0].size() * 2.0 + Vec2::splat(1.0));
        let part = |camera: crate::app::camera::Camera, field| {
            let field = camera.rect_to_screen(field);
            (field.width() / camera.screen.width()).max(field.height() / camera.screen.height())
        };
        let as_seen = (whole.x as u32, whole.y as u32);
        for (size, is_as_seen) in [(as_seen, true), ((1920, 1080), false), ((400, 1200), false)] {
            let (app, views) = (&mut window.app, &mut window.views);
            let laid = Laid::out(app, views.of(View::Compare), size);
            let (camera, field) = (app.camera, app.scene.field);
            let last = camera.screen.size() * 2.0 * laid.scale;
            assert!(
                last.x <= size.0 as f32 && last.x > 0.98 * size.0 as f32,
                "{size:?}"
            );
            // As much of the pane is the field, whatever its shape.
            let off = part(camera, field) - part(seen, field);
            assert!(off.abs() < 0.01, "{size:?}: {off}");
            if is_as_seen {
                assert_eq!((camera.zoom, laid.scale), (seen.zoom, 1.0));
                assert_eq!(camera.screen.size(), seen.screen.size());
            }
            laid.put_back(app);
            settle(&mut window);
            assert_eq!(window.app.camera, seen, "{size:?}");
        }
    }
    // What an answer has set while the view was laid out for a picture stays.
    let (app, views) = (&mut window.app, &mut window.views);
    let laid = Laid::out(app, views.of(View::Compare), (1920, 1080));
    app.camera.center.x += 50.0;
    let there = app.camera.center;
    laid.put_back(app);
    assert_eq!(window.app.camera.center, there);
}

#[test]
fn a_picture_of_space_shows_in_every_pane_what_an_eye_sees_that_was_moved() {
    use crate::app::eye::{Eye, corners};
    use crate::app::portrait::Laid;
    let lanes =
        r#"lanes: [(kind: "grid-3d"), (kind: "morton-3d"), (kind: "all-pairs-3d")], volume:"#;
    let scene = in_space::SPACE.replace("volume:", lanes);
    let mut window = four_lanes(&scene, vec2(1280.0, 800.0));
    settle(&mut window);
    // How much of its pane the field takes, about the middle.
    let part = |eye: &Eye, field| {
        let places = corners(field).map(|corner| eye.project(corner).expect("it is seen").0);
        let parts = places.map(|at| {
            let off = (at - eye.middle()).abs() / eye.screen.size();
            off.max_elem()
        });
        parts.into_iter().fold(0.0, f32::max)
    };
    for zoom in [1.0, 0.5, 1.5] {
        window.app.run(Command::FrameAll);
        settle(&mut window);
        window.app.move_eye(|eye| {
            eye.orbit(vec2(40.0, 10.0));
            let middle = eye.middle();
            eye.zoom_at(middle, zoom);
        });
        settle(&mut window);
        let (seen, field) = (
            window.app.space.eye.expect("an eye"),
            window.app.scene.field3(),
        );
        for size in [(1920, 1080), (400, 1200), (2000, 500)] {
            let (app, views) = (&mut window.app, &mut window.views);
            let laid = Laid::out(app, views.of(View::Compare), size);
            let eye = app.space.eye.expect("an eye");
            // Nearer to it the field is foreshortened more.
            let (before, now) = (part(&seen, field), part(&eye, field));
            assert!(
                now > 0.75 * before.min(0.5) && now < 1.1 * before.max(0.45),
                "{zoom} {size:?}: {before} {now}"
            );
            laid.put_back(app);
            settle(&mut window);
            assert_eq!(window.app.space.eye, Some(seen), "{zoom} {size:?}");
        }
    }
}

#[test]
fn no_picture_of_the_field_is_offered_where_something_else_is_shown_instead_of_it() {
    let mut window = four_lanes(BATTLE, vec2(1280.0, 800.0));
    assert!(window.app.may(Command::ExportField).is_ok());
    for is_table in [true, false] {
        window.app.all_structures = is_table;
        window.app.race_alone = !is_table;
        assert!(window.app.may(Command::ExportField).is_err());
    }
    // Elsewhere the field is in sight.
    window.app.run(Command::View(View::Battle));
    assert!(window.app.may(Command::ExportField).is_ok());
}
