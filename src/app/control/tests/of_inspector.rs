//! What the inspector shows of who is under the cursor or selected, and what room it takes.

use super::*;

#[test]
fn who_has_no_regions_has_a_card_of_one_line_for_them_and_leaves_the_room_to_the_figures() {
    let mut window = Window::open(BATTLE);
    window.size = vec2(1440.0, 900.0);
    let mut tops = Vec::new();
    for key in ["all-pairs", "quadtree"] {
        let mut all = window.app.lane().structure.kind().siblings().into_iter();
        let kind = all.find(|kind| kind.info().key == key);
        window.app.choose_structure(kind.expect("a structure"));
        for _ in 0..6 {
            window.frame(&[]);
        }
        let mut tops_of = [0.0; 2];
        // Whatever is under the cursor, it stays where it is.
        for (top, at) in tops_of.iter_mut().zip([(50.0, 150.0), (400.0, 280.0)]) {
            let at = window.at(at.0, at.1);
            window.move_to(at);
            for _ in 0..3 {
                window.frame(&[]);
            }
            *top = window.place("section.inspector").top();
        }
        assert_eq!(tops_of[0], tops_of[1], "{key}");
        let said = window.words("no regions: all are asked").len();
        assert_eq!(said, usize::from(key == "all-pairs"));
        tops.push(tops_of[0]);
    }
    assert!(tops[0] > tops[1] + 50.0, "{tops:?}");
}

#[test]
fn who_is_selected_is_in_sight_under_every_structure_and_stays_when_something_is_pointed_at() {
    for (width, height) in [(1280.0, 800.0), (1440.0, 900.0), (1920.0, 1080.0)] {
        let mut window = Window::open(BATTLE);
        window.size = vec2(width, height);
        window.app.set_mode(RunMode::Paused);
        // On the panel, and not on the field.
        let panel = |window: &Window, words: &str| {
            let edge = window.place("edge.right").center().x;
            let places = window.words(words).into_iter();
            let on_panel = places.filter(|(ink, _)| ink.left() > edge);
            on_panel.collect::<Vec<_>>()
        };
        for kind in window.app.lane().structure.kind().siblings() {
            window.app.choose_structure(kind);
            let key = kind.info().key;
            // What a region needs is kept free from then on.
            window.move_to(window.at(50.0, 150.0));
            (0..4).for_each(|_| window.frame(&[]));
            window.move_to(pos2(width / 2.0, 10.0));
            window.key_by(KeyCode::A, true, false);
            (0..4).for_each(|_| window.frame(&[]));
            let card = panel(&window, "20 units");
            assert_eq!(card.len(), 1, "{key}");
            for words in ["20 units", "orange"] {
                let is_seen = |(ink, clip): &(Rect, Rect)| clip.contains_rect(ink.expand(2.0));
                let places = panel(&window, words);
                assert!(places.iter().any(is_seen), "{key}: {words} {places:?}");
            }
            window.move_to(window.at(50.0, 150.0));
            (0..4).for_each(|_| window.frame(&[]));
            assert_eq!(panel(&window, "20 units"), card, "{key}");
            window.app.selection.clear();
        }
    }
}

#[test]
fn the_card_of_a_unit_is_whole_and_keeps_its_place_whatever_is_pointed_at() {
    for size in [vec2(1280.0, 800.0), vec2(1920.0, 1080.0)] {
        let mut window = Window::open(BATTLE);
        window.size = size;
        window.app.set_mode(RunMode::Paused);
        for kind in window.app.lane().structure.kind().siblings() {
            window.app.choose_structure(kind);
            let key = kind.info().key;
            let mut places = Vec::new();
            let on_field = [(50.0, 150.0), (400.0, 280.0), (240.0, 20.0)];
            let on_field = on_field.map(|(x, y)| window.at(x, y));
            for at in on_field.into_iter().chain([pos2(size.x / 2.0, 10.0)]) {
                window.move_to(at);
                (0..4).for_each(|_| window.frame(&[]));
                let edge = window.place("edge.right").center().x;
                let rows = ["position", "speed", "hit points"].map(|words| {
                    let mut of = window.words(words).into_iter();
                    of.find(|(ink, _)| ink.left() > edge)
                });
                let top = window.place("section.inspector").top();
                for row in rows {
                    let (ink, clip) = row.unwrap_or_else(|| panic!("{size} {key}: a row"));
                    assert!(clip.contains_rect(ink), "{size} {key}: {ink} {clip}");
                }
                places.push((top, rows.map(|row| row.map(|(ink, _)| ink.top()))));
            }
            let is_still = places.windows(2).all(|pair| pair[0] == pair[1]);
            assert!(is_still, "{size} {key}: {places:?}");
        }
    }
}

#[test]
fn in_a_low_panel_the_region_is_in_sight_and_neither_card_moves_whatever_is_pointed_at() {
    let mut has_region_first = false;
    for (scene, size) in [
        (BATTLE, vec2(1280.0, 720.0)),
        (BATTLE, vec2(1000.0, 700.0)),
        (in_space::SPACE, vec2(1280.0, 800.0)),
    ] {
        let mut window = Window::open(scene);
        window.size = size;
        window.app.set_mode(RunMode::Paused);
        (0..3).for_each(|_| window.frame(&[]));
        for kind in window.app.lane().structure.kind().siblings() {
            if kind.tests_every_pair() {
                continue;
            }
            window.app.choose_structure(kind);
            let what = format!("{size} {}", kind.info().key);
            let field = window.app.free_field();
            let on_field = [(0.5, 0.5), (0.3, 0.4), (0.2, 0.5), (0.75, 0.5)];
            let on_field = on_field.map(|(x, y)| field.lerp_inside(vec2(x, y)));
            let mut places = Vec::new();
            for at in on_field.into_iter().chain([pos2(size.x / 2.0, 10.0)]) {
                window.move_to(at);
                (0..4).for_each(|_| window.frame(&[]));
                let caption = window.place("section.inspector");
                let rows = ["load", "held here", "hit points"].map(|words| {
                    let of = window.words(words).into_iter();
                    let mut of = of.filter(|(ink, _)| ink.left() > caption.left() - 1.0);
                    of.find(|(ink, _)| ink.top() > caption.top())
                });
                let [load, held, unit] = rows;
                let (load, clip) = load.or(held).unwrap_or_else(|| panic!("{what}: a load"));
                let (unit, _) = unit.unwrap_or_else(|| panic!("{what}: a unit"));
                assert!(clip.contains_rect(load), "{what}: {load} {clip}");
                has_region_first |= load.top() < unit.top();
                let card = |of: Rect| {
                    let mut all = window.drawn.iter().filter_map(|it| match &it.shape {
                        egui::Shape::Rect(it) if it.fill == Palette::DARK.raised => Some(it.rect),
                        _ => None,
                    });
                    all.find(|it| it.height() > 30.0 && it.contains(of.center()))
                };
                // However few rows are told of a region, the cards are no further apart than others.
                if load.top() < unit.top()
                    && let (Some(first), Some(second)) = (card(load), card(unit))
                {
                    let gap = second.top() - first.bottom();
                    assert!((4.0..14.0).contains(&gap), "{what}: {gap}");
                }
                // Words differ in where their ink begins.
                let tops = [caption.top(), load.center().y, unit.center().y];
                places.push(tops);
            }
            let is_still = |pair: &[[f32; 3]]| {
                let mut both = pair[0].iter().zip(pair[1]);
                both.all(|(a, b)| (a - b).abs() < 3.0)
            };
            assert!(places.windows(2).all(is_still), "{what}: {places:?}");
        }
    }
    assert!(has_region_first, "none was low");
}

#[test]
fn no_room_below_the_inspector_stands_empty_while_the_figures_above_it_are_cut() {
    let mut window = Window::open(BATTLE);
    window.size = vec2(1440.0, 900.0);
    window.app.set_mode(RunMode::Paused);
    for kind in window.app.lane().structure.kind().siblings() {
        // The latter says as much of each leaf.
        if !["all-pairs", "kd-tree"].contains(&kind.info().key) {
            continue;
        }
        window.app.choose_structure(kind);
        window.move_to(window.at(50.0, 150.0));
        (0..6).for_each(|_| window.frame(&[]));
        let foot = window.place("edge.left").bottom();
        let edge = window.place("edge.right").center().x;
        let last = match kind.tests_every_pair() {
            true => "no regions: all are asked",
            false => "tight box",
        };
        let rows = window.words(last).into_iter();
        let rows = rows.filter(|(ink, _)| ink.left() > edge);
        let last = rows.map(|(ink, _)| ink.bottom()).fold(0.0, f32::max);
        let empty = foot - last;
        assert!(empty < 36.0, "{:?}: {empty}", kind.info().key);
    }
}

#[test]
fn who_is_selected_has_room_for_the_size_that_no_slider_says() {
    for (size, is_said) in [("Fixed(2, 1)", true), ("Fixed(2, 2)", false)] {
        let scene = BATTLE.replace("quadtree", "kd-tree");
        let scene = scene.replace("order: Hold", &format!("size: {size}, order: Hold"));
        let mut window = Window::open(&scene);
        window.size = vec2(1440.0, 1200.0);
        window.app.set_mode(RunMode::Paused);
        window.move_to(window.at(50.0, 150.0));
        let empty = [None, Some(0)].map(|unit| {
            window.app.selection.set(unit);
            (0..6).for_each(|_| window.frame(&[]));
            let edge = window.place("edge.right").center().x;
            let on_panel = |words: &str| {
                let places = window.words(words).into_iter().map(|(ink, _)| ink);
                let on_panel = places.filter(|ink| ink.left() > edge);
                on_panel.collect::<Vec<_>>()
            };
            if unit.is_some() {
                let said = ["4.0 × 2.0", "4.0 × 4.0"].map(|words| on_panel(words).len());
                assert_eq!(said, [usize::from(is_said), 0], "{size}");
            }
            let last = on_panel("tight box").into_iter().map(|ink| ink.bottom());
            let last = last.fold(0.0, f32::max);
            assert!(last > 0.0, "{size} {unit:?}: a leaf");
            window.place("edge.left").bottom() - last
        });
        // A slider is about as high as it is reckoned.
        assert!((empty[0] - empty[1]).abs() < 8.0, "{size}: {empty:?}");
    }
}

#[test]
fn a_node_says_that_those_below_it_are_not_among_those_that_it_holds() {
    let mut window = Window::open(&BATTLE.replace("quadtree", "bvh"));
    window.app.set_mode(RunMode::Paused);
    let mut seen = [false; 2];
    for place in 0..200 {
        let (x, y) = (20 + place % 13 * 5, 100 + place / 13 * 7);
        window.move_to(window.at(x as f32, y as f32));
        (0..2).for_each(|_| window.frame(&[]));
        let Some(region) = window.app.lane().frame.path.last() else {
            continue;
        };
        let is_inner = region.role == skirmish::partition::Role::Inner;
        seen[usize::from(is_inner)] = true;
        for (words, expected) in [("load", !is_inner), ("held here", is_inner)] {
            assert_eq!(
                !window.words(words).is_empty(),
                expected,
                "{x}, {y}: {words}"
            );
        }
    }
    assert_eq!(seen, [true; 2], "a leaf and a node");
}
