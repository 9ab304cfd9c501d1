//! Objects that came late: how they are found, what is said of them, and who is selected by that.

use super::*;
use crate::app::commands::Command;
use crate::app::commands::View;
use crate::app::state::StopKind;
use crate::app::widgets::with_commas;
use skirmish::session::{Action, LateInBoth, LateSum, Mark, Units};
use skirmish::streaming::Remedy;
use std::sync::Arc;

#[test]
fn why_an_object_came_late_is_read_without_scrolling_and_takes_no_room_before() {
    let scene = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/open-world.ron");
    let text = std::fs::read_to_string(scene).expect("a scene");
    let mut window = Window::open(&text);
    window.size = vec2(1440.0, 900.0);
    let late = |window: &Window| {
        let marks = window.app.place.marks.iter();
        let late = marks.filter(|mark| mark.kind == MarkKind::Late);
        late.map(|mark| mark.tick).next_back()
    };
    while late(&window).is_none_or(|_| window.app.place.tick < 120) {
        window.frame(&[]);
    }
    window.app.set_mode(RunMode::Paused);
    window.frame(&[]);
    // Until somebody asks, the figures have the room: the states of objects and the list of late loads.
    let why = |window: &Window| window.place("section.why is it (not) loaded?").top();
    let low = why(&window);
    assert!(window.place("state.failed").bottom() < low);
    let row = window.place("late.0");
    assert!(row.bottom() < low);
    // The key to the colours of the field stays above an answer.
    let choose = |window: &mut Window, object| {
        let stream = window.app.stream.as_mut().expect("a world");
        stream.selection.set(object);
        for _ in 0..30 {
            window.frame(&[]);
        }
    };
    choose(&mut window, Some(0));
    assert!(why(&window) < low - 200.0);
    // How much there is to read is said of who is not there, too.
    let story = window.stream().selected().expect("an answer");
    let (size, unit) = widgets::bytes(story.metadata.bytes);
    let is_told = !window.words(&format!("{size} {unit}")).is_empty();
    assert_eq!(is_told, story.metadata.bytes > 0, "{size} {unit}");
    assert!(window.place("state.failed").bottom() < why(&window));
    choose(&mut window, None);
    window.click_on("late.0");
    for _ in 0..30 {
        window.frame(&[]);
    }
    let object = window.stream().selection.one().expect("who was late");
    assert!(why(&window) < low - 200.0);
    assert!(window.place("late.0").bottom() < why(&window));
    // Once it has come all is said of it, in a window with room for that and for four rows of the list.
    window.size = vec2(1440.0, 1020.0);
    window.app.seek(window.app.place.end);
    for _ in 0..30 {
        window.frame(&[]);
    }
    let story = window.stream().selected().expect("an answer");
    assert_eq!(story.object, object);
    assert!(story.why.iter().any(|it| it.starts_with("Enough for it")));
    let panel = window.place("timeline").top();
    let bottom = window.place("why.answer").bottom();
    assert!(
        bottom < panel - 20.0,
        "{bottom} of {panel}: {:?}",
        story.why
    );
}

#[test]
fn a_list_of_late_loads_that_is_folded_takes_nothing_from_the_answer_below_it() {
    let scene = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/open-world.ron");
    let text = std::fs::read_to_string(scene).expect("a scene");
    let mut window = Window::open(&text);
    // So low that rows, and the field above them, take from the answer.
    window.size = vec2(1440.0, 800.0);
    let came_late = |window: &Window| {
        let mut marks = window.app.place.marks.iter().rev();
        let mark = marks.find(|mark| mark.kind == MarkKind::Late && !mark.came.is_empty())?;
        Some(mark.came[0].lateness.needed_as())
    };
    while came_late(&window).is_none() {
        window.frame(&[]);
    }
    window.app.set_mode(RunMode::Paused);
    window.frame(&[]);
    let object = came_late(&window);
    let edge = |window: &mut Window, sought: &str| {
        let stream = window.app.stream.as_mut().expect("a world");
        stream.selection.set(object);
        stream.late_list.sought = sought.to_owned();
        (0..30).for_each(|_| window.frame(&[]));
        window.place("section.why is it (not) loaded?").top()
    };
    let collapsed = &mut window.app.settings.layout.collapsed;
    collapsed.insert("late loads".to_owned());
    let folded = edge(&mut window, "");
    // What is sought has a field, which is folded as well.
    assert_eq!(edge(&mut window, "a"), folded);
    // So are the rows, the buttons that lead to others, and what is said of both futures: it takes no more than a list of nobody.
    edge(&mut window, "");
    let mut marks = window.app.place.marks.iter();
    let mark = marks.find(|mark| mark.kind == MarkKind::Late);
    let many = vec![mark.expect("who was late").clone(); 30];
    let both = LateInBoth {
        after: 0,
        until: window.app.place.tick,
        here: LateSum::default(),
        other: LateSum::default(),
    };
    // By what is laid out alone: another answer would bring its own list.
    let edge_of = |window: &mut Window, marks: &[Mark], both: Option<LateInBoth>| {
        window.app.place.marks = Arc::new(marks.to_vec());
        window.app.place.late_in_both = both;
        (0..30).for_each(|_| window.draw(&[]));
        window.place("section.why is it (not) loaded?").top()
    };
    let nobody = edge_of(&mut window, &[], None);
    assert_eq!(edge_of(&mut window, &many, None), nobody);
    assert_eq!(edge_of(&mut window, &many, Some(both)), nobody);
    let collapsed = &mut window.app.settings.layout.collapsed;
    collapsed.remove("late loads");
    assert!(edge_of(&mut window, &many, Some(both)) > nobody);
}

#[test]
fn what_is_said_to_be_enough_is_set_with_a_click_taken_back_by_one_undo_and_not_offered_again() {
    let scene = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/open-world.ron");
    let text = std::fs::read_to_string(scene).expect("a scene");
    let mut window = Window::open(&text);
    // So high that the whole answer is in sight below the rows.
    window.size = vec2(1440.0, 1400.0);
    let is_late = |window: &Window| {
        let mut marks = window.app.place.marks.iter();
        marks.any(|mark| mark.kind == MarkKind::Late && !mark.came.is_empty())
    };
    while !is_late(&window) || window.app.place.tick < 120 {
        window.frame(&[]);
    }
    window.app.set_mode(RunMode::Paused);
    window.frame(&[]);
    let marks = window.app.place.marks.iter();
    let came = marks.flat_map(|mark| mark.came.iter());
    let objects: Vec<u32> = came.map(|it| it.lateness.needed_as()).collect();
    // One whose lateness a value of a knob would have been enough for.
    let mut offered = None;
    for object in objects {
        let stream = window.app.stream.as_mut().expect("a world");
        stream.selection.set(Some(object));
        (0..30).for_each(|_| window.frame(&[]));
        let story = window.stream().selected().expect("an answer");
        let settings = window.stream().settings();
        let mut all = story.enough.iter();
        let new = all.find_map(|(_, it)| Some((*it, it.applied_to(settings)?)));
        if new.is_some() {
            offered = new;
            break;
        }
    }
    let (remedy, new) = offered.expect("something is enough for one of them");
    let id = match remedy {
        Remedy::Cap(_) => "why.enough.cap",
        Remedy::Lead(_) => "why.enough.lead",
        Remedy::Margin(_) => "why.enough.margin",
        Remedy::Disk(_) => "why.enough.disk",
    };
    let before = *window.stream().settings();
    assert!(!window.words(&remedy.words()).is_empty());
    window.click_on(id);
    window.wait("the setting", |it| *it.stream().settings() == new);
    window.wait("no button any more", |it| {
        it.words(&remedy.words()).is_empty()
    });
    window.app.run(Command::Undo);
    window.wait("one undo", |it| *it.stream().settings() == before);
}

#[test]
fn all_settings_of_streaming_are_set_back_at_once_and_by_one_undo_again_as_they_were() {
    let mut window = Window::open(WORLD);
    window.app.set_mode(RunMode::Paused);
    window.frame(&[]);
    let command = Command::StreamDefaults;
    assert!(window.app.may(command).is_err(), "nothing differs yet");
    let opened = *window.stream().settings();
    let mut other = opened;
    other.lead += 3.0;
    other.memory_cap += 1_000_000;
    let stream = window.app.stream.as_mut().expect("a world");
    stream.set_settings(&other);
    window.wait("both settings", |it| *it.stream().settings() == other);
    window.wait("that they differ", |it| it.app.may(command).is_ok());
    window.app.run(command);
    window.wait("all of them back", |it| *it.stream().settings() == opened);
    window.wait("that nothing differs", |it| it.app.may(command).is_err());
    window.app.run(Command::Undo);
    window.wait("one undo", |it| *it.stream().settings() == other);
}

#[test]
fn who_was_late_is_brought_into_the_picture_and_a_camera_that_shows_them_stays() {
    let scene = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/open-world.ron");
    let text = std::fs::read_to_string(scene).expect("a scene");
    let mut window = Window::open(&text);
    window.size = vec2(1440.0, 900.0);
    let is_late = |window: &Window| {
        let mut marks = window.app.place.marks.iter();
        marks.any(|mark| mark.kind == MarkKind::Late)
    };
    while !is_late(&window) || window.app.place.tick < 120 {
        window.frame(&[]);
    }
    window.app.set_mode(RunMode::Paused);
    window.app.stream.as_mut().expect("a world").camera_follows = false;
    window.app.camera.center = geometry::Vec2::new(400.0, 2000.0);
    window.app.camera.zoom = 1.0;
    let go = |window: &mut Window| {
        window.frame(&[]);
        window.click_on("late.0");
        for _ in 0..60 {
            window.frame(&[]);
        }
        window.stream().selection.one().expect("who was late")
    };
    let object = go(&mut window);
    let screen = window.app.camera.screen;
    let seen = |window: &Window, object: u32| {
        let camera = window.app.camera;
        let body = window.stream().body(object);
        screen.contains_rect(camera.rect_to_screen(body))
    };
    assert!(seen(&window, object));
    let character = window.app.camera.to_screen(window.character());
    assert!(screen.contains(character), "{character:?}");
    assert!(!window.app.is_gliding());
    // Who is seen is not moved, and a camera that goes with the character goes on with that.
    let camera = window.app.camera;
    window.app.seek(window.app.place.end);
    assert_eq!(go(&mut window), object);
    assert_eq!(window.app.camera, camera);
    window.follow();
    go(&mut window);
    assert!(window.is_following() && seen(&window, object));
    // As near as this not both have room: the camera goes as far away as they take, with the rectangle in which the object is needed.
    let near = screen.width() / 20.0;
    window.app.camera.zoom = near;
    window.app.stream.as_mut().expect("a world").camera_follows = false;
    window.app.camera.center = geometry::Vec2::new(400.0, 2000.0);
    go(&mut window);
    let camera = window.app.camera;
    let need = camera.rect_to_screen(window.stream().need_of(object));
    assert!(camera.zoom < near && screen.contains_rect(need), "{need:?}");
    assert!(screen.contains(camera.to_screen(window.character())));
    assert!(seen(&window, object) && !window.app.is_gliding());
    let middle = window.stream().body(object).center();
    // The middle is that of what the caption leaves.
    let off = window.app.camera.to_screen(middle) - screen.center();
    assert!(
        off.x.abs() < 40.0 && (-100.0..40.0).contains(&off.y),
        "{off:?}"
    );
    // Whoever moves the camera meanwhile has it.
    window.app.camera.center = geometry::Vec2::new(400.0, 2000.0);
    window.frame(&[]);
    window.click_on("late.0");
    while !window.app.is_gliding() {
        window.frame(&[]);
    }
    window.app.pan(30.0, 0.0);
    let camera = window.app.camera;
    window.frame(&[]);
    assert_eq!(window.app.camera, camera);
    assert!(!window.app.is_gliding());
}

#[test]
fn who_is_pinned_stays_so_along_the_marks_and_a_camera_that_is_set_free_says_so() {
    let scene = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/open-world.ron");
    let text = std::fs::read_to_string(scene).expect("a scene");
    let mut window = Window::open(&text);
    window.size = vec2(1440.0, 900.0);
    let late = |window: &Window| {
        let marks = window.app.place.marks.iter();
        marks.filter(|mark| mark.kind == MarkKind::Late).count()
    };
    while late(&window) < 2 || window.app.place.tick < 120 {
        window.frame(&[]);
    }
    window.app.set_mode(RunMode::Paused);
    window.frame(&[]);
    let back = |window: &mut Window| {
        window.app.run(Command::PreviousMark);
        (0..60).for_each(|_| window.frame(&[]));
        window.stream().selection.units().to_vec()
    };
    let select = |window: &mut Window, object| {
        let stream = window.app.stream.as_mut().expect("a world");
        stream.selection.set(object);
    };
    select(&mut window, Some(0));
    while window.app.place.tick > 0 && window.app.place.tick > window.app.place.marks[0].tick {
        assert_eq!(back(&mut window), [0]);
    }
    // Of nobody who is pinned those who were late are selected, and at the next mark those of that.
    window.app.seek(window.app.place.end);
    (0..60).for_each(|_| window.frame(&[]));
    select(&mut window, None);
    let mut seen = Vec::new();
    while window.app.place.tick > window.app.place.marks[0].tick {
        let selected = back(&mut window);
        let tick = window.app.place.tick;
        let mut marks = window.app.place.marks.iter();
        if marks.any(|mark| mark.tick == tick && mark.kind == MarkKind::Late) {
            assert_eq!(window.stream().of_mark, selected);
            seen.push(selected);
        }
    }
    assert!(
        seen.len() > 1 && seen.iter().all(|it| !it.is_empty()),
        "{seen:?}"
    );
    // The camera goes with the character, and lets it go for one that is too far away.
    window.follow();
    window.app.show_object(0);
    assert!(!window.is_following());
    let notice = window.notice();
    assert!(notice.starts_with("The camera stands free"), "{notice}");
}

#[test]
fn late_loads_are_found_by_name_and_number_and_a_click_selects_those_who_are_meant() {
    let scene = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/open-world.ron");
    let text = std::fs::read_to_string(scene).expect("a scene");
    let mut window = Window::open(&text);
    window.size = vec2(1440.0, 1800.0);
    let late = |window: &Window| -> Vec<Mark> {
        let marks = window.app.place.marks.iter();
        let late = marks.filter(|mark| mark.kind == MarkKind::Late);
        late.cloned().collect()
    };
    // More than are listed at once, and of more than one name at once somewhere.
    let is_mixed = |mark: &Mark| mark.who.names().count() > 1;
    window.app.act(Action::Speed(150.0));
    window.app.act(Action::Follow("ride".to_owned()));
    window.app.set_mode(RunMode::Running);
    for _ in 0..2400 {
        if late(&window).len() >= 10 && late(&window).iter().any(is_mixed) {
            break;
        }
        window.frame(&[]);
    }
    window.app.set_mode(RunMode::Paused);
    window.frame(&[]);
    let all = late(&window);
    for mark in &all {
        let named: u32 = mark.who.names().map(|(_, count)| count).sum();
        assert_eq!(named, mark.count, "{mark:?}");
    }
    // The second name, whom a click on the whole list would not select.
    let mixed = all.iter().rfind(|mark| is_mixed(mark)).expect("one");
    let (name, count) = mixed.who.names().nth(1).expect("a second name");
    let of_name = |mark: &&Mark| mark.who.names().any(|(other, _)| other.contains(name));
    let meant: Vec<&Mark> = all.iter().filter(of_name).collect();
    window.click_on("late.find");
    for letter in name.to_uppercase().chars() {
        window.frame(&[InputEvent::Text(letter)]);
    }
    window.frame(&[]);
    assert_eq!(window.app.view, View::Streaming, "letters are no keys here");
    let newer = meant.iter().rev().position(|mark| mark.tick == mixed.tick);
    let row = newer.expect("it is listed");
    let of_second = |(other, object): (&str, u32)| (other == name).then_some(object);
    let seconds: Vec<u32> = mixed.who.known().filter_map(of_second).collect();
    let words = match count {
        1 => format!("{name} {}", seconds[0]),
        more => format!("{name} {} + {}", seconds[0], more - 1),
    };
    assert!(!window.words(&words).is_empty(), "{words}");
    if meant.len() < all.len() {
        let note = format!("at {} of {} ticks", meant.len(), all.len());
        assert!(!window.words(&note).is_empty(), "{note}");
    }
    window.click_on(&format!("late.{row}"));
    for _ in 0..30 {
        window.frame(&[]);
    }
    assert_eq!(window.app.place.tick, mixed.tick);
    // Who goes on through the list has the same list: the row is where it was.
    window.app.seek(window.app.place.end);
    window.click_on(&format!("late.{row}"));
    for _ in 0..30 {
        window.frame(&[]);
    }
    window.click_on(&format!("late.{row}"));
    for _ in 0..30 {
        window.frame(&[]);
    }
    assert_eq!(window.app.place.tick, mixed.tick);
    assert_eq!(window.selected(), seconds);
    // Of several each is named, and a click on one has its story told.
    if let [_, one, ..] = seconds[..] {
        window.click_on(&format!("why.of.{one}"));
        (0..30).for_each(|_| window.frame(&[]));
        assert_eq!(window.selected(), [one]);
        assert!(widgets::places(&window.ctx).contains_key("why.answer"));
    }
    // One is meant by a number, and selected alone; without words all are.
    let type_anew = |window: &mut Window, words: &str| {
        let stream = window.app.stream.as_mut().expect("a world");
        stream.late_list.sought.clear();
        window.click_on("late.find");
        for letter in words.chars() {
            window.frame(&[InputEvent::Text(letter)]);
        }
        (0..3).for_each(|_| window.frame(&[]));
    };
    let go = |window: &mut Window, row: usize| {
        window.click_on(&format!("late.{row}"));
        (0..30).for_each(|_| window.frame(&[]));
        assert_eq!(window.app.place.tick, mixed.tick);
    };
    let (_, last) = mixed.who.known().last().expect("one");
    let is_meant = |mark: &&Mark| mark.who.count_meant(&last.to_string()) > 0;
    let after = all.iter().rev().take_while(|mark| mark.tick != mixed.tick);
    type_anew(&mut window, &last.to_string());
    go(&mut window, after.clone().filter(is_meant).count());
    assert_eq!(window.selected(), [last]);
    type_anew(&mut window, "");
    if let place @ ..6 = after.count() {
        go(&mut window, place);
        let known: Vec<u32> = mixed.who.known().map(|(_, object)| object).collect();
        assert_eq!(window.selected(), known);
    }
    // Who is not there is said not to be.
    type_anew(&mut window, "xyz");
    assert!(
        !window
            .words("No late load is known to have such a name or number.")
            .is_empty()
    );
}

#[test]
fn late_loads_keep_rows_in_sight_beside_an_answer_and_a_row_says_all_who_were_late() {
    let scene = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/open-world.ron");
    let text = std::fs::read_to_string(scene).expect("a scene");
    let mut window = Window::open(&text);
    let late = |window: &Window| -> Vec<Mark> {
        let marks = window.app.place.marks.iter();
        let late = marks.filter(|mark| mark.kind == MarkKind::Late);
        late.cloned().collect()
    };
    for (key, value) in [("mbps", "0.1"), ("latency_ms", "200")] {
        let tune = Action::Tune(key.to_owned(), value.to_owned());
        window.app.act(tune);
    }
    window.app.act(Action::Speed(100.0));
    window.app.act(Action::Follow("ride".to_owned()));
    window.app.set_mode(RunMode::Running);
    for _ in 0..2400 {
        if late(&window).len() > 6 {
            break;
        }
        window.frame(&[]);
    }
    window.app.set_mode(RunMode::Paused);
    let stream = window.app.stream.as_mut().expect("a world");
    stream.selection.set(Some(0));
    for (width, height) in [(1280.0, 800.0), (1440.0, 900.0), (1920.0, 1080.0)] {
        window.size = vec2(width, height);
        (0..30).for_each(|_| window.frame(&[]));
        let why = window.place("section.why is it (not) loaded?").top();
        assert!(window.place("late.find").top() > window.place("state.failed").bottom());
        // In a low window fewer rows stand, so that the first figure below them is in sight.
        let row = if height < 850.0 { "late.1" } else { "late.3" };
        let last = window.place(row);
        assert!(
            last.bottom() - 6.0 + widgets::FADE <= why,
            "{height}: {last:?} {why}"
        );
        let figure = window.place("section.pop-in").bottom();
        assert!(figure + widgets::FADE <= why, "{height}: {figure} {why}");
        let stream = window.app.stream.as_mut().expect("a world");
        let queued = stream.queue().first().expect("somebody waits").object;
        for object in [0, queued] {
            let stream = window.stream();
            let asset = stream.objects()[object as usize].asset;
            let file = stream.asset(asset).expect("its picture");
            let stem = file.file_stem().and_then(|it| it.to_str()).expect("a name");
            let name = format!("{stem} {object}");
            assert!(!window.words(&name).is_empty(), "{name}");
        }
    }
    // Who is asked about, and how to let it go, stays above an answer that is scrolled.
    window.size = vec2(1280.0, 620.0);
    (0..30).for_each(|_| window.frame(&[]));
    let let_go = window.place("why.let_go");
    let answer = window.place("why.answer");
    window.move_to(let_go.center() + vec2(0.0, 80.0));
    window.asked.push(Event::MouseWheel {
        unit: egui::MouseWheelUnit::Point,
        delta: vec2(0.0, -60.0),
        modifiers: egui::Modifiers::default(),
    });
    (0..30).for_each(|_| window.frame(&[]));
    assert!(window.place("why.answer").top() < answer.top());
    assert_eq!(window.place("why.let_go"), let_go);
    window.size = vec2(1920.0, 1080.0);
    (0..30).for_each(|_| window.frame(&[]));
    let row = window.place("late.1");
    let lit = |window: &Window| {
        let is_lit = |clipped: &egui::epaint::ClippedShape| match &clipped.shape {
            egui::Shape::Rect(it) => {
                it.fill == Palette::DARK.hover
                    && it.rect.contains_rect(row)
                    && it.rect.height() < 30.0
            }
            _ => false,
        };
        window.drawn.iter().any(is_lit)
    };
    assert!(!lit(&window));
    let mark = &late(&window)[late(&window).len() - 2];
    let who = mark.who.known();
    // By how much as well, of those who have come by now; who has not is missing by now.
    let late_by = |object: u32| {
        let came = mark.came.iter().find(|it| it.object == object)?;
        let late = &came.lateness;
        let (words, missing) = (late.words(), late.missing_words());
        Some(match (late.has_come(), late.is_given_up()) {
            (true, _) if late.is_late_alone() => format!("{words} late"),
            (true, _) => format!("{words} late, and missing for {missing} while it was needed"),
            (_, true) => format!("missing for {missing} while it was needed, and given up"),
            _ => format!("missing for {missing}"),
        })
    };
    let who: Vec<String> = who
        .map(|(name, object)| match late_by(object) {
            Some(late) => format!("{name} {object} ({late}"),
            None => format!("{name} {object}"),
        })
        .collect();
    let selects = if mark.count == 1 { "it" } else { "them all" };
    let head = format!(
        "Needed at tick {} ({:.2} s), and not there: ",
        with_commas(mark.tick),
        mark.tick as f64 / 60.0,
    );
    let foot = format!(".\nA click goes there and selects {selects}.");
    let help = |window: &Window| {
        window
            .drawn
            .iter()
            .find_map(|clipped| match &clipped.shape {
                egui::Shape::Text(text) => {
                    let words = text
                        .galley
                        .text()
                        .strip_prefix(&head)?
                        .strip_suffix(&foot)?;
                    let all: Vec<&str> = words.split("; ").collect();
                    assert_eq!(all.len(), who.len(), "{words}");
                    for (said, who) in all.iter().zip(&who) {
                        let rest = said.strip_prefix(who.as_str());
                        let rest = rest.unwrap_or_else(|| panic!("{said} {who}"));
                        let is_missing = rest.starts_with(" (") && rest.contains("by now");
                        assert!(rest.is_empty() || who.contains('(') || is_missing, "{said}");
                    }
                    assert!(words.contains("by now"), "{words}");
                    Some(text.visual_bounding_rect())
                }
                _ => None,
            })
    };
    assert!(help(&window).is_none());
    window.move_to(row.center());
    (0..120).for_each(|_| window.frame(&[]));
    assert!(lit(&window));
    let help = help(&window).expect("who was late");
    assert!(!help.intersects(row), "it hides no row: {help:?} {row:?}");
}

#[test]
fn time_stands_within_a_drag_that_one_goes_back_to_and_who_was_late_there_is_selected() {
    let slow = WORLD.replace("objects: [", "disk: (latency_ms: 5000), objects: [");
    // With a clock: without one no time passes around a hand while it stands.
    let mut window = Window::open_with(&slow, false);
    window.app.set_mode(RunMode::Paused);
    let start = geometry::Vec2::new(500.0, 300.0);
    window.wait("the world", |window| window.character() == start);
    let place = |window: &Window, y: f32| {
        let at = geometry::Vec2::new(500.0, y);
        window.app.camera.to_screen(at)
    };
    let at = place(&window, 300.0);
    window.press(MouseButton::Left, at);
    // To where the stone is asked for, and on to where it is needed.
    for y in [235.0, 215.0] {
        let at = place(&window, y);
        window.move_to(at);
        let then = window.app.place.tick + 20;
        window.wait("time around the hand", |window| {
            window.app.place.tick >= then
        });
    }
    let at = place(&window, 215.0);
    window.release(MouseButton::Left, at);
    window.wait("that it is let go", |window| !window.stream().is_grabbed());
    let is_late = |mark: &&Mark| mark.kind == MarkKind::Late;
    let late = window.app.place.marks.iter().find(is_late);
    let late = late.expect("who was late").tick;
    assert!(late + 5 < window.app.place.end, "within the drag");
    let stays = |window: &mut Window, tick: u64| {
        window.wait("that tick", |window| window.app.place.tick == tick);
        for _ in 0..100 {
            window.frame(&[]);
            std::thread::sleep(std::time::Duration::from_millis(2));
        }
        let stands = (window.app.place.tick, window.app.mode);
        assert_eq!(stands, (tick, RunMode::Paused));
        // In that moment a hand has it, but none of now.
        assert!(window.stream().is_grabbed() && !window.app.is_dragging());
    };
    window.app.go_to_late(late, "");
    stays(&mut window, late);
    assert_eq!(window.selected(), [0]);
    // The counters that are exported say who was late, when, and what decided it.
    let counters = crate::app::export::counters_json(&window.app);
    let [hash, of_battle] = [window.app.hash(), window.app.battle_hash()];
    assert_ne!(hash, of_battle, "a world is part of it");
    assert_eq!(counters["hash"], format!("{hash:016x}"));
    assert_eq!(counters["battle_hash"], format!("{of_battle:016x}"));
    let told = &counters["streaming"]["late"][0];
    assert_eq!(told["tick"], late);
    assert_eq!(told["objects"][0]["object"], 0);
    // Of who has come it is said how late that was, and why; of others what is known.
    for key in [
        "late_seconds",
        "missing_seconds",
        "needed_at",
        "came_at",
        "outcome",
        "why",
    ] {
        assert!(told["objects"][0].get(key).is_some(), "{key}");
    }
    // Of which run it was, where the object stands and how large it is; and the same as a table.
    assert_eq!(told["is_of_this_run"], true);
    let body = window.stream().objects()[0];
    let [x, y] = body.center.to_array().map(f64::from);
    let center = &told["objects"][0]["center_m"];
    assert_eq!((&center[0], &center[1]), (&x.into(), &y.into()));
    let table = crate::app::export::late_csv(&window.app);
    let mut lines = table.lines();
    let begins = "tick,run_began_at_tick,run_last_tick,is_of_this_run,seconds_since_tick_0,seconds_since_restart,";
    assert!(
        lines
            .next()
            .is_some_and(|line| line.starts_with(begins) && line.contains(",needed_at_tick,"))
    );
    let begins = format!("{late},0,{},true,", window.app.place.end);
    assert!(
        lines.next().is_some_and(|line| line.starts_with(&begins)),
        "{table}"
    );
    assert_eq!(counters["streaming"]["settings"]["latency_ms"], 5000.0);
    assert_eq!(counters["streaming"]["settings"]["index"], "two-trees");
    let states = &counters["streaming"]["state_counts"];
    let sum: u64 = states.as_object().map_or(0, |states| {
        states.values().filter_map(serde_json::Value::as_u64).sum()
    });
    assert_eq!(sum, window.stream().objects().len() as u64);
    // ... and from what the scene was made.
    assert_eq!(counters["seed"], window.app.scene.seed);
    assert_eq!(counters["reach_scale"], window.app.scene.reach_scale);
    assert!(
        counters["reach_m"]
            .as_f64()
            .is_some_and(|reach| reach > 0.0)
    );
    window.app.run(Command::StepBack);
    stays(&mut window, late - 1);
    // A hand that takes it there has time pass around it, as at the end.
    let at = window.app.camera.to_screen(window.character());
    window.press(MouseButton::Left, at);
    window.move_to(at + vec2(30.0, 0.0));
    window.wait("another future", |window| {
        window.app.place.other_future.is_some() && window.app.place.tick > late + 3
    });
    window.release(MouseButton::Left, at + vec2(30.0, 0.0));
}

#[test]
fn whoever_turns_a_knob_in_the_past_reads_whether_fewer_came_late_since() {
    let scene = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/open-world.ron");
    let text = std::fs::read_to_string(scene).expect("a scene");
    let mut window = Window::open(&text);
    window.size = vec2(1440.0, 900.0);
    let is_late = |window: &Window| {
        let mut marks = window.app.place.marks.iter();
        marks.any(|mark| mark.kind == MarkKind::Late)
    };
    while !is_late(&window) || window.app.place.tick < 120 {
        window.frame(&[]);
    }
    window.app.set_mode(RunMode::Paused);
    window.frame(&[]);
    assert_eq!(window.app.place.late_in_both, None);
    window.app.seek(20);
    window.wait("the past", |it| it.app.place.tick == 20);
    let stream = window.app.stream.as_mut().expect("a world");
    let mut settings = *stream.settings();
    settings.latency_ms += 400.0;
    stream.set_settings(&settings);
    window.wait("another future", |it| it.app.place.other_future.is_some());
    window.app.set_mode(RunMode::Running);
    window.wait("what comes of it", |it| it.app.place.tick > 40);
    window.app.set_mode(RunMode::Paused);
    (0..5).for_each(|_| window.frame(&[]));
    let both = window.app.place.late_in_both.expect("two futures");
    assert_eq!(both.after, 20);
    assert!(both.until >= 40 && both.until <= window.app.place.end);
    let counters = crate::app::export::counters_json(&window.app);
    let told = &counters["streaming"]["late_in_both_futures"];
    assert_eq!(told["first_tick"], 21);
    assert_eq!(told["last_tick"], both.until);
    assert_eq!(told["this_future"]["objects"], both.here.objects);
    assert_eq!(told["other_future"]["objects"], both.other.objects);
    let line = crate::app::late::compared(&both);
    assert_eq!(window.words(&line).len(), 1, "{line}");
    let line = window.place("late.compared");
    assert!(line.top() > window.place("section.late loads").top());
}

#[test]
fn time_that_stops_for_a_late_object_selects_it_and_calls_it_by_its_name() {
    let scene = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/open-world.ron");
    let text = std::fs::read_to_string(scene).expect("a scene");
    let mut window = Window::open(&text);
    window.app.set_stop(StopKind::Late, true);
    for _ in 0..600 {
        window.frame(&[]);
        if window.app.stopping.at.is_some() {
            break;
        }
    }
    assert_eq!(window.app.mode, RunMode::Paused);
    let stopped = window.app.stopping.at.clone().expect("somebody is late");
    let object = stopped.object.expect("an object");
    assert_eq!(window.selected(), [object]);
    let name = window.stream().called(object);
    assert!(stopped.words.contains(&name), "{}", stopped.words);
    // The bar says why for as long as time stands there, and not for as long as the message.
    let says_so = |window: &mut Window| {
        window.app.notice = None;
        (0..2).for_each(|_| window.frame(&[]));
        window.drawn.iter().any(|it| match &it.shape {
            egui::Shape::Text(text) => text.galley.text().contains("Stopped: Tick"),
            _ => false,
        })
    };
    window.size = vec2(1440.0, 900.0);
    assert!(says_so(&mut window));
    window.app.seek(stopped.tick - 1);
    window.wait("the tick before", |it| it.app.place.tick < stopped.tick);
    assert!(!says_so(&mut window));
}

#[test]
fn clicks_on_what_is_told_of_an_object_go_to_its_tick_and_of_a_decision_to_the_one_before() {
    use skirmish::streaming::EVENTS_TOLD;
    use skirmish::tick::STEP_SECONDS;
    let scene = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/open-world.ron");
    let text = std::fs::read_to_string(scene).expect("a scene");
    let mut window = Window::open(&text);
    // So high that the whole answer is in sight below the rows.
    window.size = vec2(1440.0, 1200.0);
    let is_late = |window: &Window| {
        let mut marks = window.app.place.marks.iter();
        marks.any(|mark| mark.kind == MarkKind::Late)
    };
    while !is_late(&window) || window.app.place.tick < 120 {
        window.frame(&[]);
    }
    window.app.set_mode(RunMode::Paused);
    window.frame(&[]);
    window.click_on("late.0");
    (0..30).for_each(|_| window.frame(&[]));
    window.app.seek(window.app.place.end);
    window.wait("the end", |it| it.app.place.tick == it.app.place.end);
    (0..30).for_each(|_| window.frame(&[]));
    let end = window.app.place.tick;
    // When it was needed.
    let story = window.stream().selected().expect("an answer");
    let (_, needed) = story.needed.expect("it was late");
    let ago = ((window.stream().now() - needed) / STEP_SECONDS).round() as u64;
    window.click_on("why.needed");
    window.wait("that tick", |it| it.app.place.tick == end - ago);
    window.app.seek(end);
    window.wait("the end", |it| it.app.place.tick == end);
    (0..30).for_each(|_| window.frame(&[]));
    let story = window.stream().selected().expect("an answer");
    let mut told = story.history.iter().rev().take(EVENTS_TOLD).enumerate();
    let decision = told.find(|(_, event)| event.reason.is_of_trees());
    let (number, at) = decision.map(|(number, it)| (number, it.at)).expect("one");
    let ago = ((window.stream().now() - at) / STEP_SECONDS).round() as u64;
    window.app.notice = None;
    window.click_on(&format!("why.event.{number}"));
    window.wait("the tick before", |it| it.app.place.tick == end - ago - 1);
    let notice = window.notice();
    assert!(
        notice.starts_with("This is the tick before that"),
        "{notice}"
    );
    // It has not come about yet.
    window.wait("the story until then", |it| {
        let story = it.stream().selected();
        story.is_some_and(|story| story.history.iter().all(|event| event.at < at))
    });
}

#[test]
fn a_journey_to_a_decision_that_was_given_up_is_forgotten() {
    let mut window = Window::open(WORLD);
    window.app.set_mode(RunMode::Paused);
    window.frame(&[]);
    let stream = window.app.stream.as_mut().expect("a world");
    stream.before_decision = Some(window.app.place.tick + 3);
    (0..2).for_each(|_| window.frame(&[]));
    assert_eq!(window.stream().before_decision, None);
    window.app.set_mode(RunMode::Running);
    (0..6).for_each(|_| window.frame(&[]));
    assert!(!window.notice().starts_with("This is the tick before"));
}

#[test]
fn where_time_stopped_is_said_no_more_where_another_future_has_come_in_its_place() {
    let mut window = Window::open(WORLD);
    window.size = vec2(1440.0, 900.0);
    window.app.stopping.elapsed = 20;
    window.app.set_stop(StopKind::Elapsed, true);
    window.app.set_mode(RunMode::Running);
    window.wait("it stops", |it| it.app.stopping.at.is_some());
    window.app.set_stop(StopKind::Elapsed, false);
    let at = window.app.stopping.at.as_ref().map_or(0, |it| it.tick);
    window.app.run(Command::Step);
    window.wait("a tick more", |it| it.app.place.end == at + 1);
    // In the past it is said beside that.
    window.app.seek(at);
    window.wait("where it stopped", |it| it.app.place.tick == at);
    let says_so = |window: &mut Window| {
        window.app.notice = None;
        (0..2).for_each(|_| window.frame(&[]));
        window.drawn.iter().any(|it| match &it.shape {
            egui::Shape::Text(text) => {
                let words = text.galley.text();
                words.contains("In the past, tick ") && words.contains(" \u{b7} Stopped: ")
            }
            _ => false,
        })
    };
    assert!(says_so(&mut window));
    window.app.seek(at - 5);
    window.wait("before it", |it| it.app.place.tick == at - 5);
    assert!(!says_so(&mut window));
    window.app.act(Action::RemoveObjects(Units::new(vec![0])));
    window.wait("another future", |it| it.app.place.end == at - 5);
    assert!(window.app.stopping.at.is_none());
}
