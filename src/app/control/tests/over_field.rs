//! What lies over the field: within it, off what it is about, and not on its border.

use super::*;
use crate::app::commands::Command;
use crate::app::state::Probed;

fn settle(window: &mut Window) {
    for _ in 0..4 {
        window.frame(&[]);
    }
}

/// The steps of a search among many, in a window of 1,000 by 700 points.
fn stepping() -> Window {
    stepping_through("radius 60,150,28")
}

/// The same of another question, which takes more than a few steps.
fn stepping_through(asked: &str) -> Window {
    let mut window = Window::open(&BATTLE.replace("count: 20", "count: 400"));
    window.size = vec2(1000.0, 700.0);
    window.app.set_mode(RunMode::Paused);
    window.app.run(Command::LookInto);
    let asked = Operation::read(asked).expect("an operation");
    window.app.set_operation(asked.clone());
    window.wait("a telling", |it| {
        let stepping = it.app.stepping.as_ref();
        let stepping = stepping.filter(|it| it.operation() == Some(&asked) && !it.is_waiting());
        stepping.is_some_and(|it| it.shown().is_some_and(|reel| reel.len() > 12))
    });
    settle(&mut window);
    window
}

#[test]
fn what_is_said_of_a_step_lies_inside_the_field_or_off_it_and_on_nobody() {
    let mut window = stepping();
    // As a scale of 200 % makes of larger windows, and low ones, in which the field leaves room beside it.
    for size in [
        vec2(1000.0, 700.0),
        vec2(640.0, 480.0),
        vec2(800.0, 400.0),
        vec2(1280.0, 800.0),
    ] {
        window.size = size;
        settle(&mut window);
        let mut said = [0; 2];
        for step in 1..12 {
            if let Some(stepping) = &mut window.app.stepping {
                stepping.go_to(step);
            }
            widgets::forget_places(&window.ctx);
            settle(&mut window);
            let places = widgets::places(&window.ctx);
            let field = window
                .app
                .camera
                .rect_to_screen(window.app.scene.field)
                .intersect(window.app.camera.screen);
            for (id, said) in ["step.tag", "step.found"].into_iter().zip(&mut said) {
                let Some(words) = places.get(id).copied() else {
                    continue;
                };
                let is_clear = || {
                    let bodies = window.app.battle.bodies();
                    let mut units = bodies.ids().map(|unit| bodies.center(unit));
                    let around = words.expand(5.0);
                    let is_on = |at| around.contains(window.app.camera.to_screen(at));
                    !words.intersects(field.expand(7.5)) && !units.any(is_on)
                };
                assert!(
                    field.contains_rect(words) || is_clear(),
                    "{size}, {step}, {id}: {words:?} {field:?}"
                );
                *said += 1;
            }
        }
        let [tags, chips] = said;
        assert!(tags > 1 && chips > 3, "{size}: {tags} tags, {chips} chips");
    }
}

#[test]
fn a_row_of_cells_and_a_tree_have_a_tag_of_the_one_that_has_its_turn_where_two_are_compared() {
    let mut with_number = 0;
    for (key, knob) in [
        ("linked-grid", r#""cell_size": 20"#),
        ("quadtree", r#""capacity": 4"#),
        ("kd-tree", r#""leaf_size": 4"#),
    ] {
        let structure = format!(r#"kind: "{key}", knobs: {{{knob}}}"#);
        let mut window = Window::open(&BATTLE.replace(r#"kind: "quadtree""#, &structure));
        window.app.set_mode(RunMode::Paused);
        window.app.run(Command::LookInto);
        let asked = Operation::read("pairs 20").expect("an operation");
        window.app.set_operation(asked.clone());
        window.wait("a telling", |it| {
            let stepping = it.app.stepping.as_ref();
            let stepping = stepping.filter(|it| it.operation() == Some(&asked) && !it.is_waiting());
            stepping.is_some_and(|it| it.shown().is_some_and(|reel| reel.len() > 12))
        });
        window.size = vec2(1440.0, 900.0);
        let mut compared = 0;
        for step in 1..60 {
            let stepping = window.app.stepping.as_mut().expect("steps");
            stepping.go_to(step);
            let reel = stepping.reel().expect("a story");
            let turn = reel.turn_at(stepping.at());
            let has_none = stepping.now().is_some_and(|now| now.region.is_none());
            let Some(turn) = turn.filter(|_| has_none) else {
                continue;
            };
            let is_row = key == "linked-grid";
            let name = |place: &skirmish::story::Place| match is_row {
                true => format!("{} {} · ", place.noun(), place.called()),
                false => format!("{} · ", place.called()),
            };
            let place = &reel.story().places[turn];
            // And of the node in which one looks, which is another one.
            let places = stepping.atlas().expect("a picture").places().iter();
            let mut others = places.filter(|it| it.region != place.region && it.parts().is_empty());
            let other = others.next_back().expect("another one");
            let names = [name(place), name(other)];
            stepping.picked = Some(other.region);
            settle(&mut window);
            // With the row above it.
            let tree = window.place("step.tree");
            let tree = tree.with_min_y(tree.top() - 26.0);
            let tag = |name: &String| {
                let mut drawn = window.drawn.iter();
                drawn.find_map(|clipped| match &clipped.shape {
                    egui::Shape::Text(text) => {
                        let rect = text.visual_bounding_rect();
                        // With how many it holds, or where that has no room, alone.
                        let text = text.galley.text();
                        let is_it =
                            text.starts_with(name) || Some(text) == name.strip_suffix(" · ");
                        let is_it = is_it && tree.contains(rect.center());
                        is_it.then_some((rect, text.starts_with(name)))
                    }
                    _ => None,
                })
            };
            let tags = names.each_ref().map(tag);
            let [Some((turn, one)), Some((other, two))] = tags else {
                panic!("{key}, {step}: {names:?} {tags:?}");
            };
            assert!(!turn.intersects(other), "{key}, {step}: {names:?} {tags:?}");
            compared += 1;
            with_number += usize::from(one) + usize::from(two);
        }
        assert!(compared > 0, "{key}");
    }
    // A name is alone where it must.
    assert!(with_number > 0);
}

#[test]
fn the_legend_of_steps_is_a_little_off_the_field() {
    let window = stepping();
    let field = window.app.camera.rect_to_screen(window.app.scene.field);
    let legend = window.place("step.legend");
    assert!(legend.top() >= field.bottom() + 3.0, "{legend:?} {field:?}");
}

#[test]
fn the_caption_of_a_lesson_and_the_legend_of_its_steps_never_lie_on_each_other() {
    let scenes = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/figures");
    let path = scenes.join("half-neighbourhood.ron");
    let text = std::fs::read_to_string(path).expect("a scene");
    let mut window = Window::open(&text);
    window.app.set_mode(RunMode::Paused);
    window.app.run(Command::View(View::Battle));
    window.app.run(Command::LookInto);
    window.wait("the steps", |it| it.app.has_steps());
    let (mut both, mut one) = (0, 0);
    // As at a scale of 175 % in a window of 1,280 by 800, and lower and higher.
    for height in (417_u16..=800).step_by(20) {
        window.size = vec2(731.0, f32::from(height));
        settle(&mut window);
        widgets::forget_places(&window.ctx);
        settle(&mut window);
        let places = widgets::places(&window.ctx);
        let legend = places.get("step.legend").copied();
        let caption = places.get("caption").copied();
        if let (Some(legend), Some(caption)) = (legend, caption) {
            assert!(
                !legend.intersects(caption),
                "{height}: {legend:?} {caption:?}"
            );
            both += 1;
        } else {
            one += usize::from(legend.or(caption).is_some());
        }
    }
    assert!(both > 0 && one > 0, "{both} {one}");
}

#[test]
fn a_figure_that_names_the_key_of_the_steps_has_a_switch_for_them_where_no_chip_over_the_panes_has_one()
 {
    let scenes = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/figures");
    let open = |name: &str| {
        let text = std::fs::read_to_string(scenes.join(name)).expect("a scene");
        let mut window = Window::open(&text);
        window.size = vec2(1440.0, 900.0);
        window.app.set_mode(RunMode::Paused);
        window.app.run(Command::View(View::Compare));
        settle(&mut window);
        settle(&mut window);
        window
    };
    let mut window = open("half-neighbourhood.ron");
    let (caption, switch) = (window.place("caption"), window.place("caption.steps"));
    assert!(caption.contains_rect(switch), "{caption:?} {switch:?}");
    assert!(!switch.intersects(window.place("caption.close")));
    // The name stands before it, and here whole.
    let name_before = |window: &Window, caption: Rect, switch: Rect| {
        let name = |clipped: &egui::epaint::ClippedShape| match &clipped.shape {
            egui::Shape::Text(text) if text.galley.text() == window.app.scene.name => {
                let rect = text.visual_bounding_rect();
                let is_there = caption.contains_rect(rect) && rect.right() <= switch.left();
                is_there.then_some(!text.galley.elided)
            }
            _ => None,
        };
        window.drawn.iter().find_map(name)
    };
    assert_eq!(name_before(&window, caption, switch), Some(true));
    window.click_on("caption.steps");
    window.wait("the steps", |it| it.app.has_steps());
    assert!(window.app.is_stepping());
    // In a smaller window as well, and where the title stands alone.
    let mut window = open("half-neighbourhood.ron");
    let (mut with_words, mut alone) = (0, 0);
    for height in (400_u16..=800).step_by(40) {
        for width in [900.0, 1100.0] {
            window.size = vec2(width, f32::from(height));
            settle(&mut window);
            widgets::forget_places(&window.ctx);
            settle(&mut window);
            let places = widgets::places(&window.ctx);
            let Some(caption) = places.get("caption").copied() else {
                continue;
            };
            // Of one line, that of the name.
            let count = match caption.height() < 40.0 {
                true => &mut alone,
                false => &mut with_words,
            };
            *count += 1;
            let switch = places.get("caption.steps").copied();
            let switch = switch.expect("the switch");
            assert!(caption.contains_rect(switch), "{caption:?} {switch:?}");
            assert!(!switch.intersects(window.place("caption.close")));
            let name = name_before(&window, caption, switch);
            assert!(name.is_some(), "{width} {height}");
        }
    }
    assert!(with_words > 0 && alone > 0, "{with_words} {alone}");
    // Who says nothing of them has none.
    let window = open("double-attack.ron");
    assert!(!widgets::places(&window.ctx).contains_key("caption.steps"));
}

#[test]
fn how_many_were_found_lies_on_no_unit_with_a_name_where_there_is_room_beside() {
    let path = "scenes/figures/quadtree-splits.ron";
    let scene = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    let text = std::fs::read_to_string(scene).expect("a scene");
    let mut window = Window::open(&text);
    window.size = vec2(1440.0, 900.0);
    window.app.set_mode(RunMode::Paused);
    window.app.run(Command::LookInto);
    let asked = Operation::read("range 26.4,40.6,32.8,47").expect("an operation");
    window.app.set_operation(asked);
    window.wait("a telling", |window| {
        let stepping = window.app.stepping.as_ref();
        stepping.is_some_and(|it| it.shown().is_some() && !it.is_waiting())
    });
    let steps = window.app.stepping.as_ref().map_or(0, |it| it.len());
    assert!(steps > 10, "{steps}");
    for at in 0..=steps {
        window.app.stepping.as_mut().expect("steps").go_to(at);
        (0..2).for_each(|_| window.frame(&[]));
        let found = window.place("step.found");
        for name in widgets::words_there(&window.ctx) {
            assert!(!found.intersects(name), "{at}: {found:?} {name:?}");
        }
    }
}

#[test]
fn the_field_does_not_jump_from_one_step_to_the_next_nor_with_the_first_answer() {
    let scenes = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/figures");
    let text = std::fs::read_to_string(scenes.join("quadtree-or-kd-tree.ron")).expect("a scene");
    let mut window = Window::open(&text);
    window.app.set_mode(RunMode::Paused);
    window.app.run(Command::View(View::Battle));
    window.app.run(Command::LookInto);
    for (first, asked) in [
        (None, "nearest 12,12,1"),
        (Some(Probed::Remove), "remove 1"),
    ] {
        for width in (700_u16..=1300).step_by(100) {
            window.size = vec2(f32::from(width), 700.0);
            let mut seen = Vec::new();
            if let Some(tool) = first {
                window.app.choose_probed(tool);
                settle(&mut window);
                seen.push(window.app.camera.zoom);
            }
            let operation = Operation::read(asked).expect("an operation");
            window.app.set_operation(operation.clone());
            window.wait("a telling", |it| {
                let stepping = it.app.stepping.as_ref();
                let stepping = stepping.filter(|it| it.operation() == Some(&operation));
                stepping.is_some_and(|it| !it.is_waiting() && it.shown().is_some())
            });
            let count = window.app.stepping.as_ref().map_or(0, |it| it.len());
            for at in [0, count.saturating_sub(1), count] {
                if let Some(stepping) = &mut window.app.stepping {
                    stepping.go_to(at);
                }
                settle(&mut window);
                seen.push(window.app.camera.zoom);
            }
            let first = seen[0];
            assert!(seen.iter().all(|zoom| *zoom == first), "{width}: {seen:?}");
        }
    }
}

#[test]
fn whoever_clicks_on_a_sum_again_and_again_meets_the_same() {
    for (height, asked) in [
        (1000.0, "nearest 60,150,8"),
        (800.0, "nearest 60,150,8"),
        (700.0, "radius 60,150,28"),
        (700.0, "pairs 3"),
    ] {
        let mut window = stepping_through(asked);
        window.size = vec2(1280.0, height);
        if let Some(stepping) = &mut window.app.stepping {
            stepping.go_to(0);
        }
        settle(&mut window);
        let first = window.place("step.next.visit");
        let before = window.app.stepping.as_ref().map(|it| it.at());
        for _ in 0..8 {
            window.click(first.center());
            window.frame(&[]);
            assert_eq!(window.place("step.next.visit"), first, "{height}: {asked}");
        }
        let after = window.app.stepping.as_ref().map(|it| it.at());
        assert_ne!(before, after, "{height}: {asked}");
    }
}

impl Window {
    /// Goes to a step. Gives whether its sentence is longer than its room, and where that begins.
    pub(super) fn sentence_at(&mut self, step: usize) -> Option<(bool, f32)> {
        let stepping = self.app.stepping.as_mut().expect("steps");
        stepping.go_to(step);
        let reason = stepping.now().expect("a step").reason.clone();
        self.frame(&[]);
        self.sentence(&reason)
    }

    /// The same of the sentence that is shown.
    fn sentence(&self, reason: &str) -> Option<(bool, f32)> {
        let places = self.words(&widgets::measures_together(reason));
        // In the right panel.
        let places = places.into_iter();
        let (words, clip) = places.max_by(|a, b| a.0.left().total_cmp(&b.0.left()))?;
        let is_cut = words.top() < clip.top() - 0.5 || words.bottom() > clip.bottom() + 0.5;
        Some((is_cut, words.top()))
    }
}

#[test]
fn a_sentence_that_is_longer_than_its_room_scrolls_and_begins_anew_at_each_step() {
    let mut window = stepping_through("radius 60,150,28");
    let stepping = window.app.stepping.as_ref().expect("steps");
    // Behind the last one more is said.
    let last = (stepping.len() - 1).min(60);
    let wheel = |window: &mut Window| {
        window.asked.push(Event::MouseWheel {
            unit: egui::MouseWheelUnit::Point,
            delta: vec2(0.0, -3.0),
            modifiers: egui::Modifiers::default(),
        });
        settle(window);
    };
    let mut tried = 0;
    for height in (460_u16..=800).rev().step_by(20) {
        window.size = vec2(1280.0, f32::from(height));
        settle(&mut window);
        let cut: Vec<Option<bool>> = (1..=last)
            .map(|step| window.sentence_at(step).map(|it| it.0))
            .collect();
        // One that scrolls, before one that does not.
        let found = cut
            .windows(2)
            .position(|it| it == [Some(true), Some(false)]);
        let Some(step) = found.map(|before| before + 1) else {
            continue;
        };
        let (_, first) = window.sentence_at(step).expect("a sentence");
        let stepping = window.app.stepping.as_ref().expect("steps");
        let reason = stepping.now().expect("a step").reason.clone();
        let title = window.place("section.so far, and at the end");
        window.move_to(pos2(title.center().x, first + 6.0));
        settle(&mut window);
        wheel(&mut window);
        let (_, scrolled) = window.sentence(&reason).expect("it is there");
        assert!(scrolled < first - 2.0, "{height}: {reason}");
        // As long as the step is shown it stays so, and after another one it begins anew.
        settle(&mut window);
        assert_eq!(window.sentence(&reason).map(|it| it.1), Some(scrolled));
        window.sentence_at(step + 1);
        settle(&mut window);
        let again = window.sentence_at(step).map(|it| it.1);
        assert_eq!(again, Some(first), "{height}: {reason}");
        tried += 1;
        break;
    }
    assert!(tried > 0, "in no window one scrolls and the next does not");
}

#[test]
fn in_a_window_of_700_points_four_lines_of_a_step_and_all_sums_are_in_sight() {
    let mut window = stepping_through("radius 60,150,28");
    window.size = vec2(1280.0, 700.0);
    let stepping = window.app.stepping.as_ref().expect("steps");
    let last = (stepping.len() - 1).min(60);
    let mut longest = 0;
    for step in 1..=last {
        let found = window.sentence_at(step);
        let stepping = window.app.stepping.as_ref().expect("steps");
        let reason = widgets::measures_together(&stepping.now().expect("a step").reason);
        let lines = window
            .drawn
            .iter()
            .filter_map(|clipped| match &clipped.shape {
                egui::Shape::Text(text) if text.galley.text() == reason => {
                    Some(text.galley.rows.len())
                }
                _ => None,
            });
        let lines = lines.max().unwrap_or(0);
        let (is_cut, _) = found.expect("a sentence");
        assert!(!is_cut || lines > 4, "{lines} lines: {reason}");
        longest = longest.max(lines);
        // Whatever is summed up stands above the events.
        let events = window.place("section.events").top();
        let places = widgets::places(&window.ctx);
        let sums = places.iter().filter(|(id, _)| id.starts_with("step.next."));
        assert!(sums.clone().count() > 2);
        for (id, rect) in sums {
            assert!(rect.bottom() <= events, "{id}: {rect:?}, {events}");
        }
    }
    assert!(longest > 2, "{longest} lines at the most");
}

#[test]
fn a_number_and_its_unit_stand_on_one_line_also_below_the_field() {
    let mut window = stepping();
    window.size = vec2(640.0, 480.0);
    let stepping = window.app.stepping.as_mut().expect("steps");
    let steps = &stepping.reel().expect("a reel").story().steps;
    let measured = (1..).zip(steps).find_map(|(at, step)| {
        let whole = widgets::measures_together(&step.reason);
        (whole != step.reason).then_some((at, whole))
    });
    let (at, reason) = measured.expect("a sentence with a measure");
    stepping.go_to(at);
    settle(&mut window);
    let is_said = |clipped: &egui::epaint::ClippedShape| match &clipped.shape {
        egui::Shape::Text(text) => text.galley.text().ends_with(&reason),
        _ => false,
    };
    assert!(window.drawn.iter().any(is_said), "{reason}");
}

#[test]
fn two_who_are_compared_are_named_on_the_field() {
    use skirmish::story::Concerned;
    let mut window = stepping_through("pairs 3");
    let stepping = window.app.stepping.as_mut().expect("steps");
    let story = stepping.reel().expect("a reel").story();
    let met = (1..).zip(&story.steps).find_map(|(at, step)| {
        let Concerned::Two(a, b) = step.units else {
            return None;
        };
        Some((at, format!("{} and {}", story.called(a), story.called(b))))
    });
    let (at, who) = met.expect("two who are compared");
    stepping.go_to(at);
    widgets::forget_places(&window.ctx);
    settle(&mut window);
    let tag = window.place("step.tag");
    let said = window
        .drawn
        .iter()
        .find_map(|clipped| match &clipped.shape {
            egui::Shape::Text(text) if text.galley.text().starts_with(&who) => {
                Some(text.visual_bounding_rect())
            }
            _ => None,
        });
    let said = said.expect("they are named");
    assert!(tag.expand(1.0).contains_rect(said), "{tag:?} {said:?}");
}

#[test]
fn what_is_asked_at_first_is_in_sight_also_where_nobody_stands() {
    let mut window = Window::open(BATTLE);
    window.app.set_mode(RunMode::Paused);
    (0..3).for_each(|_| window.frame(&[]));
    let field = window.app.scene.field;
    let bodies = window.app.battle.bodies();
    let free = |at: geometry::Vec2| {
        let away = bodies.ids().map(|unit| bodies.center(unit).distance(at));
        away.fold(f32::INFINITY, f32::min)
    };
    let places = (1..400_u16).map(|it| {
        let part = geometry::Vec2::new(f32::from(it % 20), f32::from(it / 20)) / 20.0;
        field.min + part * field.size()
    });
    let lonely = places.max_by(|a, b| free(*a).total_cmp(&free(*b)));
    let lonely = lonely.expect("a place");
    let screen = window.app.camera.screen.size();
    let zoom = screen.x.max(screen.y) / free(lonely);
    window.app.framed = false;
    (window.app.camera.center, window.app.camera.zoom) = (lonely, zoom);
    window.app.cursor = None;
    window.app.run(Command::LookInto);
    let asked = window.app.stepping.as_ref().and_then(|it| it.operation());
    let Some(Operation::Radius { center, radius }) = asked else {
        panic!("{asked:?}");
    };
    let at = window.app.camera.to_screen(*center);
    assert!(window.app.free_field().contains(at), "{center}");
    assert!(*radius > 0.0);
}

#[test]
fn the_pointer_stays_at_its_pixel_where_the_interface_becomes_larger() {
    let mut window = Window::open(BATTLE);
    let at = window.app.camera.screen.center() + vec2(60.0, 40.0);
    window.move_to(at);
    settle(&mut window);
    let pixels = window.size;
    for scale in [1.25, 0.8, 1.0] {
        window.ctx.set_pixels_per_point(scale);
        window.size = pixels / scale;
        settle(&mut window);
        let there = (at.to_vec2() / scale).to_pos2();
        let seen = window
            .app
            .cursor
            .map(|cursor| window.app.camera.to_screen(cursor));
        let off = seen.map(|seen| (seen - there).length());
        assert!(
            off.is_some_and(|off| off < 0.1),
            "{scale}: {seen:?}, {there:?}"
        );
    }
}
