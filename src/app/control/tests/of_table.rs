//! The table of Compare: what a click on a row does, what is kept of it, and that it is measured again.

use super::*;
use crate::app::commands::{Command, View};
use crate::app::widgets::with_commas;
use crate::app::worker::{Outcome, Rows, SurveyRow};
use skirmish::measure::questions::{Asked, MOST_NEAREST};
use skirmish::partition::Kind;
use skirmish::scene::limits::MAX_RECTANGLES;
use skirmish::session::Action;
use skirmish::structure::StructureKind;

/// A window on Compare with two lanes, a quadtree and a linked grid, and time that stands.
fn pair() -> Window {
    let lanes = r#"structure: (kind: "quadtree"), lanes: [(kind: "linked-grid")]"#;
    let text = BATTLE.replace(r#"structure: (kind: "quadtree")"#, lanes);
    let mut window = Window::open(&text);
    window.size = vec2(1440.0, 900.0);
    window.app.set_mode(RunMode::Paused);
    window.app.run(Command::Rank);
    window.wait("a table", |it| !it.app.survey.is_empty());
    window
}

fn kinds(window: &Window) -> Vec<StructureKind> {
    let lanes = window.app.lanes.iter();
    lanes.map(|lane| lane.structure.kind).collect()
}

#[test]
fn a_click_on_a_row_that_is_in_another_pane_swaps_the_panes_and_one_undo_takes_it_back() {
    let mut window = pair();
    let [quadtree, linked, bvh] =
        [Kind::Quadtree, Kind::LinkedGrid, Kind::Bvh].map(StructureKind::from);
    assert_eq!(kinds(&window), [quadtree, linked]);
    window.click_on("table.row.linked-grid");
    window.wait("the swap", |it| kinds(it) == [linked, quadtree]);
    assert_eq!(
        window.notice(),
        "This row was in the second pane, so that and the first pane have changed places."
    );
    window.app.run(Command::Undo);
    window.wait("what was", |it| kinds(it) == [quadtree, linked]);
    window.app.notice = None;
    // One that is in no pane comes into the first one.
    window.click_on("table.row.bvh");
    window.wait("another one", |it| kinds(it) == [bvh, linked]);
    assert_eq!(window.notice(), "", "no pane has gone elsewhere");
}

#[test]
fn a_row_of_a_structure_comes_into_the_pane_that_is_chosen() {
    let mut window = pair();
    let [quadtree, linked, bvh] =
        [Kind::Quadtree, Kind::LinkedGrid, Kind::Bvh].map(StructureKind::from);
    window.click_on("table.lane.2");
    (0..3).for_each(|_| window.frame(&[]));
    assert_eq!(window.app.swept_lane(), 1);
    window.wait("a row", |it| {
        widgets::places(&it.ctx).contains_key("table.row.bvh")
    });
    window.click_on("table.row.bvh");
    window.wait("another one", |it| kinds(it) == [quadtree, bvh]);
    // One that is in the other pane changes places with it.
    window.app.choose_lane(0, Kind::LinkedGrid);
    window.wait("a linked grid", |it| kinds(it) == [linked, bvh]);
    window.frame(&[]);
    window.click_on("table.row.linked-grid");
    window.wait("the swap", |it| kinds(it) == [bvh, linked]);
}

#[test]
fn a_row_stands_in_the_order_of_structures_while_it_is_set_otherwise_under_the_pointer() {
    let mut window = Window::open_with(BATTLE, false);
    window.size = vec2(1440.0, 900.0);
    window.app.set_mode(RunMode::Paused);
    window.app.run(Command::Rank);
    let is_whole = |window: &Window| rows(window).len() == Kind::ALL.len();
    window.wait("all rows", is_whole);
    let plain = rows(&window);
    let row = window.place("table.row.quadtree");
    window.move_to(row.center());
    window.frame(&[]);
    window.app.set_knob(0, 2.0);
    window.app.end_stroke();
    window.wait("the row as it is set", |it| {
        let quadtree = StructureKind::from(Kind::Quadtree);
        let mut rows = it.app.survey.iter();
        rows.any(|row| row.choice.kind == quadtree && row.choice.value(0) == 2.0)
    });
    (0..3).for_each(|_| window.frame(&[]));
    assert_eq!(rows(&window), plain);
}

#[test]
fn the_arrow_of_the_order_is_pale_while_rows_that_would_change_places_keep_them() {
    let mut window = pair();
    let is_whole = |window: &Window| rows(window).len() == Kind::ALL.len();
    window.wait("all rows", is_whole);
    window.click_on("table.memory");
    window.move_to(pos2(640.0, 10.0));
    window.frame(&[]);
    let by_memory = rows(&window);
    let has_arrow = |window: &Window, ink| {
        let is_arrow = |shape: &egui::epaint::ClippedShape| match &shape.shape {
            egui::Shape::Path(path) => path.points.len() == 3 && path.fill == ink,
            _ => false,
        };
        window.drawn.iter().any(is_arrow)
    };
    let (full, pale) = (
        Palette::DARK.accent,
        crate::app::palette::faded(Palette::DARK.accent, 0.35),
    );
    assert!(has_arrow(&window, full) && !has_arrow(&window, pale));
    window.move_to(window.place(&by_memory[0]).center());
    window.frame(&[]);
    assert!(has_arrow(&window, full) && !has_arrow(&window, pale));
    for row in &mut window.app.survey {
        if let Outcome::Measured(row) = &mut row.outcome {
            row.bytes = (1 << 30) - row.bytes;
        }
    }
    window.draw(&[]);
    assert_eq!(rows(&window), by_memory);
    assert!(has_arrow(&window, pale) && !has_arrow(&window, full));
    window.move_to(pos2(640.0, 10.0));
    window.frame(&[]);
    assert!(has_arrow(&window, full) && !has_arrow(&window, pale));
}

#[test]
fn a_click_on_a_value_that_another_pane_has_swaps_the_panes() {
    let mut window = pair();
    window.app.choose_lane(1, Kind::Quadtree);
    let capacity = |window: &Window| -> Vec<f64> {
        let lanes = window.app.lanes.iter();
        lanes.map(|lane| lane.structure.knob(0)).collect()
    };
    window.app.set_lane_knob(1, 0, 2.0);
    let one = capacity(&window)[0];
    window.app.survey(Some(0));
    window.wait("the values", |it| {
        widgets::places(&it.ctx).contains_key("table.value.2")
            && it.app.lanes[1].structure.effects.first() == Some(&2.0)
    });
    window.click_on("table.value.2");
    window.wait("the swap", |it| {
        it.app.lanes[0].structure.effects.first() == Some(&2.0)
    });
    assert_eq!(capacity(&window), [2.0, one]);
}

#[test]
fn the_values_of_a_setting_are_tried_in_any_lane_and_a_click_sets_it_there() {
    let mut window = pair();
    window.app.survey(Some(0));
    window.wait("the values of the first lane", |it| {
        widgets::places(&it.ctx).contains_key("table.value.2")
    });
    let capacity = window.app.lanes[0].structure.knob(0);
    let chooser = window.place("table.lane");
    window.click_on("table.lane.2");
    let linked = StructureKind::from(Kind::LinkedGrid);
    let is_of_second = |it: &Window| {
        let mut rows = it.app.survey_rows().peekable();
        rows.peek().is_some() && rows.all(|row| row.choice.kind == linked)
    };
    window.wait("the values of the second lane", is_of_second);
    // Its own click does not take it from under the pointer.
    assert_eq!(window.place("table.lane"), chooser);
    let knob = match window.app.surveys() {
        Some(Rows::Values { lane: 1, knob }) => knob,
        other => panic!("{other:?}"),
    };
    let now = window.app.lanes[1].structure.knob(knob);
    let of = window.app.lanes[1].structure.info().knobs[knob];
    let other = |row: &&SurveyRow| {
        let value = row.choice.value(knob);
        value != now && !of.is_auto(value)
    };
    let value = window.app.survey_rows().find(other);
    let value = value.expect("another value").choice.value(knob);
    assert_eq!(window.app.set_swept_value(knob, value), None);
    window.wait("the value in the second lane", |it| {
        it.app.lanes[1].structure.knob(knob) == value
    });
    assert_eq!(window.app.lanes[0].structure.knob(0), capacity);
    assert_eq!(kinds(&window), [Kind::Quadtree.into(), linked]);
    // Back to the first one, whose settings are there again.
    window.click_on("table.lane.1");
    window.wait("the first lane", |it| {
        matches!(it.app.surveys(), Some(Rows::Values { lane: 0, .. }))
    });
}

#[test]
fn whose_settings_are_offered_is_said_also_where_no_other_pane_has_any() {
    let mut window = pair();
    window.app.choose_lane(1, Kind::AllPairs);
    window.app.survey(Some(0));
    window.wait("one pane with settings", |it| {
        !it.app.may_sweep_lane(1) && widgets::places(&it.ctx).contains_key("table.value.2")
    });
    window.frame(&[]);
    window.click_on("table.lane.2");
    (0..3).for_each(|_| window.frame(&[]));
    let rows = Rows::Values { lane: 0, knob: 0 };
    assert_eq!(window.app.surveys(), Some(rows), "there is no other one");
}

#[test]
fn lanes_without_settings_are_passed_over_and_a_lane_of_the_same_structure_offers_the_same_setting()
{
    let mut window = pair();
    window.app.add_lane(Kind::AllPairs.into());
    window.wait("a third lane", |it| it.app.lanes.len() == 3);
    window.app.survey(Some(1));
    let may = |window: &Window| [0, 1, 2].map(|lane| window.app.may_sweep_lane(lane));
    assert_eq!(may(&window), [true, true, false], "not the third");
    window.app.sweep_lane(1);
    assert_eq!(may(&window), [true, true, false]);
    // Two of one structure.
    window.app.choose_lane(1, Kind::Quadtree);
    window.app.sweep_lane(0);
    window.app.survey(Some(1));
    window.app.sweep_lane(1);
    let of_second = Rows::Values { lane: 1, knob: 1 };
    assert_eq!(window.app.surveys(), Some(of_second));
    // What was tried before in a structure that comes again is not shown by that.
    window.app.choose_lane(0, Kind::LinkedGrid);
    window.app.sweep_lane(0);
    window.app.choose_lane(0, Kind::Quadtree);
    assert_eq!(window.app.surveys(), Some(Rows::Structures));
    window.app.choose_lane(1, Kind::LinkedGrid);
    window.app.sweep_lane(1);
    assert_eq!(window.app.surveys(), Some(Rows::Structures));
}

#[test]
fn which_setting_is_best_is_asked_of_the_first_lane_where_that_alone_is_seen() {
    let mut window = pair();
    window.app.sweep_lane(1);
    window.app.run(Command::View(View::Battle));
    window.app.run(Command::Sweep);
    assert_eq!(window.app.swept_lane(), 0);
    // In Compare of the one that was chosen.
    window.app.sweep_lane(1);
    window.app.run(Command::Sweep);
    assert_eq!(window.app.swept_lane(), 1);
}

#[test]
fn a_value_that_was_set_by_hand_keeps_its_row_when_another_one_is_set() {
    let mut window = pair();
    for value in [23.0, 27.0] {
        window.app.set_knob(0, value);
        window.app.end_stroke();
    }
    window.app.set_knob(0, 8.0);
    window.app.end_stroke();
    window.app.survey(Some(0));
    let is_there = |window: &Window, value: f64| {
        let rows = &window.app.survey;
        rows.iter().any(|row| row.choice.value(0) == value)
    };
    window.wait("both values", |it| is_there(it, 23.0) && is_there(it, 27.0));
}

#[test]
fn what_is_copied_as_rust_is_of_the_pane_that_is_chosen_above_the_table_and_named() {
    let mut window = pair();
    window.click_on("table.lane.2");
    window.app.run(Command::CopyRust);
    // What is told is what lies in the clipboard.
    let copied = |window: &mut Window| window.app.files.copied.take().expect("a text");
    let text = copied(&mut window);
    assert!(text.contains("Kind::LinkedGrid"), "{text}");
    let said = window.notice();
    assert!(said.starts_with("linked grid, cell size "), "{said}");
    assert!(said.contains(", of the second pane, is in"), "{said}");
    window.app.show_panes();
    window.app.run(Command::CopyRust);
    let text = copied(&mut window);
    assert!(text.contains("Kind::Quadtree"), "{text}");
    let said = window.notice();
    assert!(said.starts_with("quadtree, "), "{said}");
    assert!(said.contains("of the first pane"), "{said}");
    window.app.run(Command::View(View::Battle));
    window.app.run(Command::CopyRust);
    assert!(!window.notice().contains("pane"), "{}", window.notice());
}

#[test]
fn a_table_that_fills_has_rows_as_high_as_when_it_is_full() {
    // As it is read, row by row.
    let mut window = Window::open_with(BATTLE, false);
    window.size = vec2(1440.0, 900.0);
    window.app.set_mode(RunMode::Paused);
    window.app.run(Command::Rank);
    window.app.survey(Some(0));
    let height = |window: &Window| {
        let places = widgets::places(&window.ctx);
        let mut rows = places
            .iter()
            .filter(|(name, _)| name.starts_with("table.value."));
        rows.next().map(|(_, rect)| rect.height())
    };
    let mut heights: Vec<f32> = Vec::new();
    let begin = std::time::Instant::now();
    let is_read = |window: &Window| {
        let mut rows = window.app.survey_rows();
        rows.next().is_some() && rows.all(SurveyRow::is_read)
    };
    while heights.is_empty() || !is_read(&window) {
        assert!(begin.elapsed().as_secs() < 60, "{:?}", window.app.survey);
        window.frame(&[]);
        heights.extend(height(&window));
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    let first = heights[0];
    let is_same = |height: &f32| (height - first).abs() < 0.1;
    assert!(heights.iter().all(is_same), "{heights:?}");
}

/// The rows from above.
fn rows(window: &Window) -> Vec<String> {
    let places = widgets::places(&window.ctx);
    let mut rows: Vec<(f32, String)> = places
        .iter()
        .filter(|(name, _)| name.starts_with("table.row."))
        .map(|(name, rect)| (rect.top(), name.clone()))
        .collect();
    rows.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    rows.into_iter().map(|(_, name)| name).collect()
}

#[test]
fn the_order_of_a_table_is_kept_while_one_is_elsewhere() {
    let mut window = pair();
    let is_whole = |window: &Window| {
        window.app.survey.len() == Kind::ALL.len() && rows(window).len() == Kind::ALL.len()
    };
    window.wait("all rows", is_whole);
    let plain = rows(&window);
    window.click_on("table.memory");
    window.move_to(pos2(640.0, 10.0));
    window.frame(&[]);
    let by_memory = rows(&window);
    assert_ne!(by_memory, plain);
    // By the panes, by the values of a setting, and by another structure in the first pane.
    window.app.all_structures = false;
    (0..3).for_each(|_| window.frame(&[]));
    window.app.survey(Some(0));
    (0..3).for_each(|_| window.frame(&[]));
    window.app.choose_structure(Kind::KdTree);
    window.app.all_structures = false;
    (0..3).for_each(|_| window.frame(&[]));
    window.app.run(Command::Rank);
    window.wait("all rows again", is_whole);
    assert_eq!(rows(&window), by_memory);
}

#[test]
fn a_table_in_a_large_interface_has_all_columns_and_asks_for_what_the_last_ones_are_of() {
    let mut window = Window::open_with(BATTLE, false);
    for (width, is_whole) in [(960.0, true), (900.0, false)] {
        window.size = vec2(width, 600.0);
        window.app.set_mode(RunMode::Paused);
        window.app.run(Command::Rank);
        window.wait("a table", |it| !it.app.survey.is_empty());
        widgets::forget_places(&window.ctx);
        (0..3).for_each(|_| window.frame(&[]));
        let places = widgets::places(&window.ctx);
        assert!(places.contains_key("table.rectangle"), "{width}");
        assert_eq!(places.contains_key("table.nearest"), is_whole, "{width}");
        let fields = ["rectangle", "nearest"].map(|name| window.words(name).len());
        // The name of a column, and that of a field.
        assert_eq!(fields, [2, 1 + usize::from(is_whole)], "{width}");
    }
}

#[test]
fn a_table_in_the_largest_interface_asks_for_what_one_sets_and_shows_what_is_answered() {
    let mut window = Window::open_with(BATTLE, false);
    // A window of 1,440 by 900 pixels at 200 %.
    window.size = vec2(720.0, 450.0);
    window.app.set_mode(RunMode::Paused);
    window.app.run(Command::Rank);
    window.wait("a table", |it| {
        it.app
            .survey
            .iter()
            .any(|row| matches!(row.outcome, Outcome::Measured(_)))
    });
    let shown = |window: &mut Window| {
        widgets::forget_places(&window.ctx);
        (0..3).for_each(|_| window.frame(&[]));
        let places = widgets::places(&window.ctx);
        let table = places["table"];
        for field in [
            "table.side.value",
            "table.height.value",
            "table.count.value",
        ] {
            assert!(table.contains_rect(places[field]), "{field}: {places:?}");
        }
        ["tests", "nearest"].map(|key| places.contains_key(&format!("table.{key}")))
    };
    assert_eq!(shown(&mut window), [true, false]);
    window.click_on("table.columns");
    assert_eq!(shown(&mut window), [false, true]);
    window.click_on("table.columns");
    assert_eq!(shown(&mut window), [true, false]);
    window.click_on("table.count.value");
    window.type_text("3");
    window.key(KeyCode::Enter);
    (0..3).for_each(|_| window.frame(&[]));
    assert_eq!(window.app.questions.nearest, 3);
    assert_eq!(shown(&mut window), [false, true]);
    // A rectangle is a square until its height is set, and again where that is its width. Here it is 20 m wide until it is set: to type
    // that again would change nothing.
    let mut set = |field: &str, value: &str| {
        window.click_on(field);
        window.type_text(value);
        window.key(KeyCode::Enter);
        (0..3).for_each(|_| window.frame(&[]));
        let asked = window.app.questions;
        (asked.rectangle, asked.height)
    };
    assert_eq!(set("table.side.value", "24"), (Some(24.0), None));
    assert_eq!(set("table.height.value", "4"), (Some(24.0), Some(4.0)));
    assert_eq!(set("table.height.value", "24"), (Some(24.0), None));
    // Left to the program again it says so, and is held as it is by another click.
    window.click_on("table.side.auto");
    (0..3).for_each(|_| window.frame(&[]));
    assert_eq!(window.app.questions.rectangle, None);
    window.click_on("table.side.auto");
    assert!(window.app.questions.rectangle.is_some());
}

#[test]
fn counters_say_which_knobs_a_lane_was_left_to_choose() {
    let mut window = Window::open(BATTLE);
    let grid = Action::Structure("linked-grid".to_owned());
    window.app.act(grid);
    window.wait("the grid", |window| window.structure() == "linked-grid");
    let lane = |window: &Window| crate::app::export::counters_json(&window.app)["lanes"][0].clone();
    let chosen = lane(&window);
    assert!(chosen["auto"]["cell_size"].is_number(), "{chosen}");
    assert_eq!(chosen["auto"]["cell_size"], chosen["knobs"]["cell_size"]);
    assert!(chosen["auto"].get("neighbourhood").is_none(), "{chosen}");
    let set = Action::Set("cell_size".to_owned(), "7".to_owned());
    window.app.act(set);
    let is_set = |window: &Window| lane(window)["knobs"]["cell_size"] == 7.0;
    window.wait("the cells", is_set);
    assert!(lane(&window)["auto"].get("cell_size").is_none());
}

#[test]
fn what_a_table_asks_is_saved_with_the_scene_and_asked_again_when_that_is_opened() {
    let mut window = pair();
    let said = |window: &Window| {
        let view = window.app.scene_to_save().view;
        (view.rectangle, view.nearest)
    };
    let rectangles = |window: &Window| window.app.scene_to_save().view.rectangles_a_tick;
    assert_eq!(said(&window), (None, None), "untouched");
    assert_eq!(rectangles(&window), None, "untouched");
    window.app.questions = Asked {
        rectangle: Some(12.5),
        height: Some(4.0),
        nearest: 3,
    };
    window.app.reckon_with(40);
    let saved = window.app.scene_to_save();
    assert_eq!(said(&window), (Some(12.5), Some(3)));
    assert_eq!(saved.view.rectangle_height, Some(4.0));
    let mut again = Window::open(&file::format(&saved));
    assert_eq!(again.app.questions, window.app.questions);
    assert_eq!(again.app.rectangles(), 40);
    assert_eq!(again.app.scene_to_save().view, saved.view);
    again.app.questions = Asked::default();
    assert_eq!(said(&again), (None, None), "as it usually is");
    again.app.reckon_with(0);
    assert_eq!(rectangles(&again), None, "with none");
    // What is asked of one scene is not asked of the next.
    window.app.questions.nearest = 5;
    let other = Window::open(BATTLE);
    assert_eq!(other.app.questions, Asked::default());
    assert_eq!(other.app.rectangles(), 0);
}

#[test]
fn the_greatest_of_each_question_of_a_table_is_shown_whole() {
    let mut window = Window::open_with(BATTLE, false);
    window.size = vec2(1440.0, 900.0);
    window.app.set_mode(RunMode::Paused);
    window.app.run(Command::Rank);
    window.app.questions = Asked {
        rectangle: Some(99_999.0),
        height: Some(100_000.0),
        nearest: MOST_NEAREST,
    };
    window.app.reckon_with(MAX_RECTANGLES);
    window.wait("a table", |it| !it.app.survey.is_empty());
    (0..3).for_each(|_| window.frame(&[]));
    let [nearest, rectangles] = [MOST_NEAREST as u64, MAX_RECTANGLES.into()].map(with_commas);
    for words in ["100000", "99999", &rectangles, &nearest] {
        let is_whole = |clipped: &egui::epaint::ClippedShape| match &clipped.shape {
            egui::Shape::Text(text) => text.galley.text() == words && !text.galley.elided,
            _ => false,
        };
        assert!(window.drawn.iter().any(is_whole), "{words}");
    }
}

#[test]
fn rectangles_a_tick_are_set_by_their_name_in_a_window_too_low_for_them_as_well() {
    let mut window = Window::open_with(BATTLE, false);
    window.app.set_mode(RunMode::Paused);
    window.app.run(Command::Rank);
    window.wait("a table", |it| !it.app.survey.is_empty());
    let ctrl = Modifiers {
        ctrl: true,
        ..Modifiers::default()
    };
    for (size, has_room) in [(vec2(1440.0, 900.0), true), (vec2(1000.0, 300.0), false)] {
        window.size = size;
        (0..3).for_each(|_| window.frame(&[]));
        widgets::forget_places(&window.ctx);
        (0..3).for_each(|_| window.frame(&[]));
        let places = widgets::places(&window.ctx);
        assert_eq!(
            places.contains_key("table.rate.value"),
            has_room,
            "{size:?}"
        );
        for number in [40, 0] {
            window.key_with(KeyCode::P, ctrl);
            // Who is asked which values are shown answers a frame later.
            window.frame(&[]);
            for character in format!("rectangles a tick {number}").chars() {
                window.frame(&[InputEvent::Text(character)]);
            }
            window.key(KeyCode::Enter);
            (0..3).for_each(|_| window.frame(&[]));
            assert_eq!(window.app.pages.palette, None, "{size:?}");
            assert_eq!(window.app.rectangles(), number, "{size:?}");
        }
    }
}

#[test]
fn a_tick_that_is_reckoned_with_rectangles_is_summed_and_named_so_at_once() {
    let mut window = Window::open_with(BATTLE, false);
    window.size = vec2(1440.0, 900.0);
    window.app.set_mode(RunMode::Paused);
    window.app.run(Command::Rank);
    let all = window.app.lane().structure.kind.siblings().len();
    let rows = |window: &Window| -> Vec<SurveyRow> {
        let rows = window.app.survey_rows();
        let is_measured = |row: &&SurveyRow| matches!(row.outcome, Outcome::Measured(_));
        rows.filter(is_measured).cloned().collect()
    };
    window.wait("all rows", |window| rows(window).len() == all);
    let said = |window: &Window, begin: &str| {
        let of = |clipped: &egui::epaint::ClippedShape| match &clipped.shape {
            egui::Shape::Text(text) => text.galley.text().starts_with(begin),
            _ => false,
        };
        window.drawn.iter().any(of)
    };
    // Of all its captions none has these words where there are none.
    let is_said_with = |window: &Window| {
        said(window, "quickest at update, query and rectangles")
            || said(window, "quickest so far at update, query and rectangles")
    };
    for rectangles in [0, 200, 0] {
        let before: Vec<usize> = rows(&window).iter().map(|row| row.readings).collect();
        window.app.reckon_with(rectangles);
        window.frame(&[]);
        assert_eq!(is_said_with(&window), rectangles > 0, "{rectangles}");
        let is_named = window.drawn.iter().any(|clipped| match &clipped.shape {
            egui::Shape::Text(text) => {
                let words = text.galley.text();
                words.contains("a whole tick has 200 rectangles \u{b7} ")
            }
            _ => false,
        });
        assert_eq!(is_named, rectangles > 0, "below the table");
        assert_eq!(
            window.words("whole tick").len(),
            usize::from(rectangles > 0)
        );
        // Nothing is measured anew for it, and what has come since is reckoned so as well.
        let now = rows(&window);
        let mut both = now.iter().map(|row| row.readings).zip(before);
        assert!(both.all(|(now, before)| now >= before));
        (0..3).for_each(|_| window.frame(&[]));
        assert!(rows(&window).iter().all(|row| row.rectangles == rectangles));
    }
}

#[test]
fn after_a_swap_its_undo_and_its_redo_the_table_and_what_is_copied_are_of_the_same_pane() {
    let mut window = pair();
    let [quadtree, linked] = [Kind::Quadtree, Kind::LinkedGrid].map(StructureKind::from);
    let agree = |window: &mut Window, first: StructureKind| {
        let app = &mut window.app;
        // The table is of the pane that is chosen, and the row of its structure is the one that is in it.
        assert_eq!(app.swept_structure().kind, first);
        let row = app.rows_of(first).next().map(|row| row.choice.clone());
        if let Some(row) = row {
            assert_eq!(app.pane_of_row(&row), Some(app.swept_lane()));
        }
        app.run(Command::CopyRust);
        let text = app.files.copied.take().expect("a text");
        let is_linked = text.contains("Kind::LinkedGrid");
        assert_eq!(is_linked, first == linked, "{text}");
    };
    agree(&mut window, quadtree);
    window.click_on("table.row.linked-grid");
    window.wait("the swap", |it| kinds(it) == [linked, quadtree]);
    agree(&mut window, linked);
    window.app.run(Command::Undo);
    window.wait("what was", |it| kinds(it) == [quadtree, linked]);
    agree(&mut window, quadtree);
    window.app.run(Command::Redo);
    window.wait("the swap again", |it| kinds(it) == [linked, quadtree]);
    agree(&mut window, linked);
    // A table of the values of a setting is of the structure that has it: in the frame in which another one comes into the pane, none of its
    // rows is taken for one of all structures.
    window.app.survey(Some(0));
    window.wait("values", |it| it.app.survey_rows().next().is_some());
    window.app.run(Command::Undo);
    for _ in 0..200 {
        window.frame(&[]);
        let rows = window.app.survey_rows();
        let of_linked = rows.filter(|row| row.choice.kind == linked).count();
        if window.app.surveys() == Some(Rows::Structures) {
            assert!(of_linked <= 1, "{of_linked}");
        }
    }
    assert_eq!(window.app.surveys(), Some(Rows::Structures));
    agree(&mut window, quadtree);
}

/// What is lit as the best in the rows of the table.
fn lit(window: &Window) -> Vec<String> {
    let places = widgets::places(&window.ctx);
    let rows = places
        .iter()
        .filter(|(name, _)| name.starts_with("table.row."));
    let rows: Vec<Rect> = rows.map(|(_, rect)| *rect).collect();
    let of = |clipped: &egui::epaint::ClippedShape| match &clipped.shape {
        egui::Shape::Text(text) => {
            let color = text.galley.job.sections.first()?.format.color;
            let at = text.visual_bounding_rect().center();
            let is_in_a_row = rows.iter().any(|row| row.contains(at));
            let is_lit = is_in_a_row && color == Palette::DARK.accent;
            is_lit.then(|| text.galley.text().to_owned())
        }
        _ => None,
    };
    window.drawn.iter().filter_map(of).collect()
}

#[test]
fn a_table_is_measured_again_where_one_is_shown_and_says_why_not_elsewhere() {
    let mut window = Window::open_with(BATTLE, false);
    window.size = vec2(1440.0, 900.0);
    window.app.set_mode(RunMode::Paused);
    let refusal = window.app.may(Command::MeasureAgain);
    assert!(refusal.is_err_and(|why| why.contains("All structures")));
    window.app.run(Command::Rank);
    let is_read = |window: &Window| {
        let rows = &window.app.survey;
        rows.len() == Kind::ALL.len() && rows.iter().all(|row| row.is_read() && !row.is_of_before)
    };
    let is_of_before = |window: &Window| window.app.survey.iter().any(|row| row.is_of_before);
    let begin = std::time::Instant::now();
    while !is_read(&window) {
        assert!(begin.elapsed().as_secs() < 60, "{:?}", window.app.survey);
        window.frame(&[]);
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    assert_eq!(window.app.may(Command::MeasureAgain), Ok(()));
    assert!(!lit(&window).is_empty(), "one of them is the smallest");
    window.click_on("table.again");
    window.wait("that it begins anew", is_of_before);
    assert_eq!(
        window.app.survey.len(),
        Kind::ALL.len(),
        "rows stand until they are replaced"
    );
    while !is_read(&window) {
        assert!(begin.elapsed().as_secs() < 60, "{:?}", window.app.survey);
        window.frame(&[]);
        // While rows of before stand beside those of now, nobody knows which one is the best.
        if is_of_before(&window) {
            assert_eq!(lit(&window), [""; 0]);
        }
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
}

#[test]
fn the_words_of_a_narrow_table_stand_beside_each_other_also_of_four_panes() {
    let mut window = pair();
    for kind in [Kind::MortonTree, Kind::RectQuadtree] {
        window.app.add_lane(kind.into());
    }
    window.wait("four lanes", |it| it.app.lanes.len() == 4);
    for lane in [0, 3] {
        window.app.sweep_lane(lane);
        window.app.survey(Some(0));
        let mut had_into = false;
        for width in [400.0, 480.0, 560.0, 640.0, 1440.0] {
            window.size = vec2(width, 900.0);
            (0..3).for_each(|_| window.frame(&[]));
            widgets::forget_places(&window.ctx);
            (0..3).for_each(|_| window.frame(&[]));
            let places = widgets::places(&window.ctx);
            let of = |prefix: &str| -> Vec<Rect> {
                let all = places.iter();
                let all = all.filter(|(name, _)| name.starts_with(prefix));
                all.map(|(_, rect)| *rect).collect()
            };
            let (cells, numbers) = (of("table.rows."), of("table.lane."));
            assert!(cells.len() > 1 && numbers.len() == 4, "{width}: {places:?}");
            let table = places["table"];
            for (at, cell) in cells.iter().enumerate() {
                assert!(table.contains_rect(*cell), "{width}: {cell:?}");
                let mut others = cells[at + 1..].iter().chain(&numbers);
                let is_on_another = others.any(|other| other.intersects(cell.shrink(0.5)));
                assert!(!is_on_another, "{width}: {cell:?}");
            }
            let is_within = |words: Rect| {
                let cell = cells.iter().find(|cell| cell.contains(words.center()));
                cell.is_none_or(|cell| {
                    words.left() >= cell.left() - 1.0 && words.right() <= cell.right() + 1.0
                })
            };
            for clipped in &window.drawn {
                if let egui::Shape::Text(text) = &clipped.shape {
                    let words = text.galley.text();
                    assert!(is_within(text.visual_bounding_rect()), "{width}: {words}");
                }
            }
            // What stands before the numbers gives its room to the words, whichever pane is chosen.
            let has_into = !window.words("into pane").is_empty();
            assert!(has_into || !had_into, "pane {lane}: {width}");
            assert!(has_into || width < 1440.0, "pane {lane}");
            had_into = has_into;
        }
    }
}

#[test]
fn the_words_below_a_table_are_whole_where_it_is_wide_and_end_within_it_everywhere() {
    let mut window = pair();
    for (width, is_whole) in [(1280.0, true), (1000.0, false), (640.0, false)] {
        window.size = vec2(width, 800.0);
        for knob in [None, Some(0)] {
            window.app.survey(knob);
            window.wait("rows", |it| !it.app.survey.is_empty());
            widgets::forget_places(&window.ctx);
            (0..3).for_each(|_| window.frame(&[]));
            let table = window.place("table");
            let of = |clipped: &egui::epaint::ClippedShape| match &clipped.shape {
                egui::Shape::Text(text) if text.galley.text().contains("each built anew") => {
                    Some((text.visual_bounding_rect(), text.galley.text().to_owned()))
                }
                _ => None,
            };
            let mut all = window.drawn.iter().filter_map(of);
            let (rect, words) = all.next().expect("words below the table");
            assert!(table.contains_rect(rect), "{width}: {rect:?}");
            let is_cut = words.contains('\u{2026}');
            assert!(!(is_whole && is_cut), "{width}: {words}");
        }
    }
}

#[test]
fn the_chooser_of_the_pane_stands_before_the_words_in_a_smaller_window_too() {
    let mut window = pair();
    window.size = vec2(1000.0, 700.0);
    window.app.choose_lane(0, Kind::MortonTree);
    window.app.survey(Some(0));
    window.wait("the chooser", |it| {
        widgets::places(&it.ctx).contains_key("table.lane")
    });
    (0..3).for_each(|_| window.frame(&[]));
    let chooser = window.place("table.lane");
    window.app.sweep_lane(1);
    (0..3).for_each(|_| window.frame(&[]));
    assert_eq!(window.place("table.lane"), chooser);
}

#[test]
fn in_a_narrow_table_what_stands_behind_the_words_has_room_and_is_not_cut_to_nothing() {
    let mut window = pair();
    window.size = vec2(640.0, 600.0);
    window.app.choose_lane(0, Kind::SortedGrid);
    let grid = StructureKind::from(Kind::SortedGrid);
    window.wait("a grid", |it| it.app.lane().structure.kind == grid);
    for knob in [None, Some(0)] {
        window.app.survey(knob);
        window.wait("rows", |it| !it.app.survey.is_empty());
        widgets::forget_places(&window.ctx);
        (0..3).for_each(|_| window.frame(&[]));
        let (table, again) = (window.place("table"), window.place("table.again"));
        assert!(table.contains_rect(again), "{knob:?}: {again:?}");
        let said = window.words("settings of sorted grid");
        assert_eq!(said.len(), usize::from(knob.is_some()), "{knob:?}");
    }
}

#[test]
fn the_panes_have_a_second_structure_however_one_comes_to_them_and_the_table_adds_none() {
    let mut window = Window::open(BATTLE);
    window.size = vec2(1440.0, 900.0);
    window.app.set_mode(RunMode::Paused);
    window.app.run(Command::Rank);
    window.wait("a table", |it| !it.app.survey.is_empty());
    window.app.run(Command::View(View::Battle));
    window.app.run(Command::View(View::Compare));
    (0..5).for_each(|_| window.frame(&[]));
    assert_eq!(window.app.lanes.len(), 1);
    window.app.run_by_key(Command::Escape);
    assert!(!window.app.all_structures);
    window.wait("the other structure", |it| it.app.lanes.len() == 2);
}
