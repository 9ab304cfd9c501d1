//! The window without a mouse.

use super::*;
use crate::app::commands::{Command, VIEWS, table};
use crate::app::state::Stepping;
use crate::app::worker::LaneView;
use skirmish::partition::Kind;

impl Window {
    /// A key with Shift, or with Control.
    pub(super) fn key_with(&mut self, key: KeyCode, modifiers: Modifiers) {
        let repeat = false;
        self.frame(&[InputEvent::KeyDown {
            key,
            modifiers,
            repeat,
        }]);
        self.frame(&[InputEvent::KeyUp { key }]);
    }

    /// Goes on by Tab until a control of this place has the line around it.
    fn walk_to(&mut self, widget: &str) {
        let place = self.place(widget);
        for _ in 0..200 {
            self.key(KeyCode::Tab);
            let focused = self.ctx.memory(|memory| memory.focused());
            let rect = focused
                .and_then(|id| self.ctx.read_response(id))
                .map(|it| it.rect);
            if rect.is_some_and(|rect| rect.contains(place.center()) && rect.width() < 400.0) {
                return;
            }
        }
        panic!("Tab never comes to {widget}");
    }
}

const SHIFT: Modifiers = Modifiers {
    shift: true,
    ctrl: false,
    alt: false,
    logo: false,
};
const CTRL: Modifiers = Modifiers {
    shift: false,
    ctrl: true,
    alt: false,
    logo: false,
};

#[test]
fn tab_walks_to_a_structure_and_space_chooses_it_and_pauses_nothing() {
    let mut window = Window::open(BATTLE);
    window.walk_to("structure.linked-grid");
    let mode = window.app.mode;
    window.key(KeyCode::Space);
    assert_eq!(window.structure(), "linked-grid");
    assert_eq!(window.app.mode, mode);
    // Escape ends the walk: Space is the window's again.
    window.key(KeyCode::Escape);
    window.key(KeyCode::Space);
    assert_ne!(window.app.mode, mode);
}

#[test]
fn who_clicks_has_ended_the_walk() {
    let mut window = Window::open(BATTLE);
    window.walk_to("structure.linked-grid");
    window.click(window.app.camera.screen.center());
    let mode = window.app.mode;
    window.key(KeyCode::Space);
    assert_ne!(window.app.mode, mode);
    assert_eq!(window.structure(), "quadtree");
}

#[test]
fn a_knob_is_turned_by_arrows_and_its_value_typed_without_a_mouse() {
    let mut window = Window::open(BATTLE);
    window.walk_to("knob.capacity");
    let before = capacity(&window);
    window.key(KeyCode::Right);
    window.frame(&[]);
    assert!(capacity(&window) > before);
    window.key(KeyCode::Tab);
    window.type_text("12");
    window.key(KeyCode::Enter);
    window.frame(&[]);
    assert_eq!(capacity(&window), 12.0);
}

#[test]
fn to_select_all_and_to_go_by_words_is_the_text_field_s_own_and_selects_no_unit() {
    let mut window = Window::open(BATTLE);
    window.app.set_mode(RunMode::Paused);
    let chord = |window: &mut Window, key| {
        window.frame(&[InputEvent::KeyDown {
            key,
            modifiers: CTRL,
            repeat: false,
        }]);
        window.frame(&[InputEvent::KeyUp { key }]);
    };
    window.click_on("knob.capacity.value");
    window.frame(&[]);
    assert!(focused_text(&window.ctx));
    let tick = window.app.place.tick;
    for key in [KeyCode::A, KeyCode::Left, KeyCode::Right] {
        chord(&mut window, key);
    }
    assert!(window.app.selection.is_empty() && focused_text(&window.ctx));
    assert!(window.app.place.tick == tick && window.app.notice.is_none());
    // On a value that one has walked to it opens the field.
    window.key(KeyCode::Escape);
    window.walk_to("knob.capacity");
    window.key(KeyCode::Tab);
    window.frame(&[]);
    assert!(!focused_text(&window.ctx));
    chord(&mut window, KeyCode::A);
    window.frame(&[]);
    assert!(window.app.selection.is_empty() && focused_text(&window.ctx));
}

#[test]
fn tab_goes_on_from_a_value_that_was_typed_or_given_up_unless_it_is_gone() {
    // What is drawn and has the keyboard.
    let focused = |window: &Window| {
        let id = window.ctx.memory(|memory| memory.focused())?;
        Some(window.ctx.read_response(id)?.id)
    };
    let ended_by = |key: KeyCode| {
        let mut window = Window::open(BATTLE);
        window.app.set_mode(RunMode::Paused);
        window.click_on("knob.capacity.value");
        window.frame(&[]);
        assert!(focused_text(&window.ctx));
        window.key(key);
        window.frame(&[]);
        assert_eq!(focused(&window), None);
        window
    };
    let next = |mut window: Window| {
        window.key(KeyCode::Tab);
        focused(&window)
    };
    let from_value = next(ended_by(KeyCode::Enter));
    assert!(from_value.is_some());
    assert_eq!(next(ended_by(KeyCode::Escape)), from_value);
    // Of another structure there is no such value: the first Tab leads to the first control.
    let mut window = ended_by(KeyCode::Enter);
    window.app.run(Command::Structure(0));
    window.wait("another structure", |it| {
        it.app.lane().structure.kind == Kind::ALL[0]
    });
    widgets::forget_places(&window.ctx);
    (0..2).for_each(|_| window.frame(&[]));
    assert!(!widgets::places(&window.ctx).contains_key("knob.capacity.value"));
    assert!(next(window).is_some());
}

#[test]
fn what_is_typed_on_the_page_of_the_figures_comes_in_place_of_the_word_that_stands_there() {
    let mut window = Window::open(BATTLE);
    window.app.run(Command::Figures);
    (0..4).for_each(|_| window.frame(&[]));
    let typed = |window: &Window| {
        let page = window.app.pages.gallery.as_ref();
        page.map(|page| page.typed.clone())
    };
    assert_eq!(typed(&window).as_deref(), Some("figure"));
    window.type_text("half");
    (0..2).for_each(|_| window.frame(&[]));
    assert_eq!(typed(&window).as_deref(), Some("half"));
}

#[test]
fn the_key_that_opens_a_page_from_the_list_of_commands_presses_nothing_on_it() {
    let mut window = Window::open(BATTLE);
    let title = window.app.title();
    for (typed, is_open) in [
        ("lesson", |window: &Window| {
            window.app.pages.gallery.is_some()
        }),
        ("name, field", |window: &Window| {
            window.app.pages.describe.is_some()
        }),
    ] as [(&str, fn(&Window) -> bool); 2]
    {
        window.app.run(Command::Palette);
        window.frame(&[]);
        window.type_text(typed);
        window.key(KeyCode::Enter);
        for _ in 0..4 {
            window.frame(&[]);
        }
        assert!(is_open(&window), "{typed}");
        window.app.pages.close_topmost();
        window.frame(&[]);
        assert!(!is_open(&window) && window.app.title() == title);
    }
}

#[test]
fn the_value_of_a_choice_that_is_called_by_its_name_is_set_in_the_lane_that_is_meant() {
    let mut window = Window::open(BATTLE);
    window.app.choose_structure(Kind::LinkedGrid);
    window.app.run(Command::View(View::Compare));
    window.wait("two lanes", |it| it.app.lanes.len() == 2);
    window.app.choose_lane(1, Kind::LinkedGrid);
    let knob = Kind::LinkedGrid.info().knobs.iter();
    let place = knob.clone().position(|knob| knob.name == "neighbourhood");
    let place = place.expect("a knob that is a choice");
    let values = |window: &Window| -> Vec<f64> {
        let lanes = window.app.lanes.iter();
        lanes.map(|lane| lane.structure.knob(place)).collect()
    };
    window.wait("two alike", |it| {
        let is_it = |lane: &LaneView| lane.structure.info().key == "linked-grid";
        it.app.lanes.len() == 2 && it.app.lanes.iter().all(is_it)
    });
    let first = values(&window)[0];
    let knob = &Kind::LinkedGrid.info().knobs[place];
    let other = knob.range.spread().into_iter().find(|it| *it != first);
    let other = other.expect("another value");
    let word = knob.format(other);
    for (typed, expected) in [
        (format!("neighbourhood {word} lane 2"), vec![first, other]),
        (format!("neighbourhood {word} lane 1"), vec![other; 2]),
    ] {
        window.app.run(Command::Palette);
        window.frame(&[]);
        window.type_text(&typed);
        window.key(KeyCode::Enter);
        window.wait(&typed, |window| values(window) == expected);
    }
}

#[test]
fn arrows_go_from_step_to_step_although_the_pointer_rests_on_a_knob() {
    let mut window = Window::open(BATTLE);
    window.app.set_mode(RunMode::Paused);
    window.app.run(Command::LookInto);
    window.wait("a telling", |it| {
        let stepping = it.app.stepping.as_ref();
        stepping.is_some_and(|it| it.shown().is_some_and(|reel| reel.len() > 3))
    });
    let at = |window: &Window| window.app.stepping.as_ref().map(Stepping::at);
    let before = capacity(&window);
    window.move_to(window.place("knob.capacity").center());
    window.frame(&[]);
    window.key(KeyCode::Home);
    window.key(KeyCode::Right);
    window.key(KeyCode::Right);
    assert_eq!(at(&window), Some(2));
    window.key(KeyCode::Left);
    window.frame(&[]);
    assert_eq!(at(&window), Some(1));
    assert_eq!(capacity(&window), before, "nothing is edited by the way");
    // Who walks to the knob turns it.
    window.walk_to("knob.capacity");
    window.key(KeyCode::Right);
    window.frame(&[]);
    assert!(capacity(&window) > before);
    assert_eq!(at(&window), Some(1));
    // Whoever has set it by the pointer goes on with the steps.
    window.click(window.place("knob.capacity").center());
    window.frame(&[]);
    let before = capacity(&window);
    window.key(KeyCode::Right);
    window.frame(&[]);
    assert_eq!(
        capacity(&window),
        before,
        "a knob that was pressed keeps no arrows"
    );
}

#[test]
fn return_leaves_the_arrows_to_the_steps_and_the_menu_gives_them_a_cursor() {
    let mut window = Window::open(BATTLE);
    window.app.run(Command::LookInto);
    window.wait("a telling", |it| {
        let stepping = it.app.stepping.as_ref();
        stepping.is_some_and(|it| it.shown().is_some_and(|reel| reel.len() > 3))
    });
    window.key(KeyCode::Home);
    let at = |window: &Window| window.app.stepping.as_ref().map(Stepping::at);
    let before = at(&window);
    window.key(KeyCode::Enter);
    assert!(!field_has_keys(&window.ctx));
    assert!(
        window
            .notice()
            .starts_with("The arrows go from step to step")
    );
    window.key(KeyCode::Right);
    assert_eq!(at(&window), before.map(|it| it + 1));
    // What somebody has walked to is pressed all the same.
    window.app.notice = None;
    window.key(KeyCode::Tab);
    window.key(KeyCode::Enter);
    assert!(!window.notice().starts_with("The arrows"));
    // It is the window that heeds the entry of the menu.
    window.app.run(Command::FieldCursor);
    assert_eq!(window.app.requests.last(), Some(&Command::FieldCursor));
}

#[test]
fn a_pointer_that_rests_on_a_slider_turns_it_by_no_arrow() {
    let mut window = Window::open(WORLD);
    let throughput = |window: &Window| window.app.stream.as_ref().map(|it| it.settings().mbps);
    let before = throughput(&window);
    assert!(before.is_some());
    window.move_to(window.place("mbps").center());
    window.key(KeyCode::Right);
    window.frame(&[]);
    assert_eq!(throughput(&window), before);
    // Whoever has pressed it turns it, until the pointer leaves it.
    window.click(window.place("mbps").center());
    window.frame(&[]);
    let before = throughput(&window);
    window.key(KeyCode::Right);
    window.frame(&[]);
    assert!(throughput(&window) > before);
    window.move_to(window.app.camera.screen.center());
    window.frame(&[]);
    window.move_to(window.place("mbps").center());
    window.frame(&[]);
    let before = throughput(&window);
    window.key(KeyCode::Right);
    window.frame(&[]);
    assert_eq!(throughput(&window), before);
}

#[test]
fn the_field_is_played_without_a_mouse() {
    let mut window = Window::open(BATTLE);
    window.key(KeyCode::Space);
    window.key(KeyCode::Enter);
    assert!(field_has_keys(&window.ctx));
    window.key(KeyCode::Right);
    let before = window.app.cursor.expect("a cursor on the field");
    window.key(KeyCode::Right);
    window.key_with(KeyCode::Down, SHIFT);
    let zoom = window.app.camera.zoom;
    let moved = window.app.cursor.expect("a cursor on the field") - before;
    assert_near(moved, geometry::Vec2::new(8.0, 40.0) / zoom, "the cursor");
    let count = window.app.alive();
    window.key(KeyCode::Enter);
    window.frame(&[]);
    window.frame(&[]);
    assert!(window.app.alive() > count, "Enter places what a click does");
    window.key_with(KeyCode::Enter, SHIFT);
    window.frame(&[]);
    assert!(window.app.selection.one().is_some(), "Shift+Enter selects");
    // The same as with a mouse: taken hold of, moved, let go.
    let unit = window.app.selection.one().expect("a unit");
    let stood = window.app.battle.positions()[unit as usize];
    let hold = Modifiers {
        shift: true,
        ..CTRL
    };
    window.key_with(KeyCode::Enter, hold);
    for _ in 0..4 {
        window.key(KeyCode::Right);
    }
    window.key(KeyCode::Enter);
    window.frame(&[]);
    window.frame(&[]);
    let stands = window.app.battle.positions()[unit as usize];
    assert!(stands.x > stood.x + 10.0 / zoom, "{stood} {stands}");
    // A page has the keys, and gives them back.
    window.key(KeyCode::Escape);
    assert!(!field_has_keys(&window.ctx));
}

#[test]
fn the_character_is_put_elsewhere_without_a_mouse() {
    let mut window = Window::open(WORLD);
    window.key(KeyCode::Enter);
    let at = window.app.camera.to_screen(window.character());
    let from = window.app.camera.screen.center();
    let steps = ((at - from) / 8.0).round();
    for _ in 0..steps.x.abs() as u32 {
        window.key(if steps.x > 0.0 {
            KeyCode::Right
        } else {
            KeyCode::Left
        });
    }
    for _ in 0..steps.y.abs() as u32 {
        window.key(if steps.y > 0.0 {
            KeyCode::Down
        } else {
            KeyCode::Up
        });
    }
    let before = window.character();
    window.key_with(KeyCode::Enter, CTRL);
    for _ in 0..5 {
        window.key(KeyCode::Right);
    }
    window.key(KeyCode::Enter);
    window.frame(&[]);
    assert!(window.character().x > before.x + 20.0 / window.app.camera.zoom);
}

#[test]
fn the_list_of_commands_keeps_its_place_and_is_used_by_keys_alone() {
    let mut window = Window::open(BATTLE);
    window.key_with(KeyCode::P, CTRL);
    window.frame(&[]);
    let place = window.place("palette.text");
    for character in "ligr".chars() {
        window.frame(&[InputEvent::Text(character)]);
        assert_eq!(window.place("palette.text"), place);
    }
    let page = window.app.pages.palette.clone().expect("it is open");
    assert_eq!((page.typed.as_str(), page.chosen), ("ligr", 0));
    window.key(KeyCode::Enter);
    window.frame(&[]);
    assert_eq!(window.structure(), "linked-grid");
    assert_eq!(window.app.pages.palette, None);
    assert_eq!(window.app.pages.recent, ["linked grid"]);
    // A value is called by its name and then typed.
    window.app.run(Command::Structure(4));
    window.frame(&[]);
    window.key_with(KeyCode::P, CTRL);
    for character in "capacity".chars() {
        window.frame(&[InputEvent::Text(character)]);
    }
    window.key(KeyCode::Enter);
    window.frame(&[]);
    window.type_text("21");
    window.key(KeyCode::Enter);
    window.frame(&[]);
    assert_eq!(capacity(&window), 21.0);
}

#[test]
fn a_tick_that_is_called_by_its_number_is_gone_to_and_nothing_is_changed() {
    let mut window = Window::open(WORLD);
    window.wait("some ticks", |it| it.app.place.end > 12);
    let settings = *window.stream().settings();
    window.key_with(KeyCode::P, CTRL);
    for character in "tick 5".chars() {
        window.frame(&[InputEvent::Text(character)]);
    }
    window.key(KeyCode::Enter);
    window.wait("the tick", |it| it.app.place.tick == 5);
    assert_eq!(window.app.mode, RunMode::Paused);
    assert!(window.app.place.end > 12);
    assert_eq!(*window.stream().settings(), settings);
}

#[test]
fn the_figure_of_the_tick_is_typed_and_time_goes_there() {
    let mut window = Window::open(WORLD);
    window.wait("some ticks", |it| it.app.place.end > 12);
    window.app.set_mode(RunMode::Paused);
    window.wait("that it stands", |it| !it.app.awaits_answer());
    window.click_on("tick.value");
    window.frame(&[]);
    window.type_text("3");
    window.key(KeyCode::Enter);
    window.wait("the tick", |it| it.app.place.tick == 3);
    assert!(window.app.place.end > 12);
    // Beyond the last one that is known it is that one, which is said.
    let end = window.app.place.end;
    window.click_on("tick.value");
    window.frame(&[]);
    window.type_text("40000");
    window.key(KeyCode::Enter);
    window.wait("the last tick", |it| it.app.place.tick == end);
    assert!(window.notice().contains("40000 became"));
    // It is found by what it does, without a number as well.
    window.app.notice = None;
    window.key(KeyCode::Escape);
    window.key_with(KeyCode::P, CTRL);
    for character in "go to tick".chars() {
        window.frame(&[InputEvent::Text(character)]);
    }
    window.key(KeyCode::Enter);
    (0..3).for_each(|_| window.frame(&[]));
    window.type_text("2");
    window.key(KeyCode::Enter);
    window.wait("that tick", |it| it.app.place.tick == 2);
}

#[test]
fn a_number_that_is_called_by_the_name_of_a_knob_sets_it_in_the_lane_that_was_chosen() {
    let lanes = r#"structure: (kind: "linked-grid"), lanes: [(kind: "sorted-grid")]"#;
    let mut window = Window::open(&BATTLE.replace(r#"structure: (kind: "quadtree")"#, lanes));
    window.app.run(Command::View(View::Compare));
    let cells = |window: &Window| -> Vec<f64> {
        let lanes = window.app.lanes.iter();
        lanes.map(|lane| lane.structure.knob(0)).collect()
    };
    window.wait("both lanes", |it| it.app.lanes.len() == 2);
    let before = cells(&window);
    let call = |window: &mut Window, typed: &str| {
        window.key_with(KeyCode::P, CTRL);
        for character in typed.chars() {
            window.frame(&[InputEvent::Text(character)]);
        }
    };
    call(&mut window, "cell size 24");
    window.key(KeyCode::Down);
    window.key(KeyCode::Enter);
    window.wait("the second lane", |it| cells(it) == [before[0], 24.0]);
    assert_eq!(window.app.pages.palette, None);
    call(&mut window, "lane 1 cell size 5000");
    window.key(KeyCode::Enter);
    window.wait("the first one", |it| cells(it) == [1000.0, 24.0]);
}

#[test]
fn a_number_that_is_called_by_the_name_of_a_value_sets_it_in_every_view_of_a_battle() {
    use crate::app::common_values::CommonValue;
    let call = |window: &mut Window, typed: &str| {
        window.key_with(KeyCode::P, CTRL);
        // Who is asked which values are shown answers a frame later.
        window.frame(&[]);
        for character in typed.chars() {
            window.frame(&[InputEvent::Text(character)]);
        }
        window.key(KeyCode::Enter);
        assert_eq!(window.app.pages.palette, None, "{typed}");
        window.app.end_stroke();
    };
    let mut window = Window::open(BATTLE);
    let mut number = 2.0;
    // In Compare before and after the list was used where a panel shows them all, and where that is hidden.
    for (view, panels) in [
        (View::Compare, true),
        (View::Battle, true),
        (View::Compare, true),
        (View::Battle, false),
    ] {
        window.app.run(Command::View(view));
        window.app.panels = panels;
        window.frame(&[]);
        number += 1.0;
        // The table is not open here.
        let mut values = CommonValue::ALL.to_vec();
        values.retain(|value| value.is_there(&window.app));
        assert_eq!(values.len(), CommonValue::ALL.len() - 1);
        for value in values {
            let what = value.slider();
            call(&mut window, &format!("{} {number}", what.name));
            let told = format!("{} in {}", what.name, view.row().name);
            window.wait(&told, |window| value.of(&window.app) == number);
            assert_eq!(window.app.panels, panels, "{told}");
            assert!(window.app.view == view, "{told}");
        }
        window.app.set_unit_count(20);
        window.wait("20 units", |window| window.app.alive() == 20);
    }
    // A knob of the one structure is set where its panel is hidden too.
    call(&mut window, "capacity 17");
    window.wait("the knob", |window| capacity(window) == 17.0);
}

#[test]
fn a_long_sentence_about_what_is_lit_is_read_to_its_end() {
    let mut window = Window::open(BATTLE);
    window.key_with(KeyCode::P, CTRL);
    window.frame(&[]);
    let height = |window: &Window| window.place("palette.text").top();
    let before = height(&window);
    for character in "reach 3".chars() {
        window.frame(&[InputEvent::Text(character)]);
    }
    let texts = window
        .drawn
        .iter()
        .filter_map(|clipped| match &clipped.shape {
            egui::Shape::Text(text) => Some((text, clipped.clip_rect)),
            _ => None,
        });
    let mut feet = texts.filter(|(text, _)| text.galley.text().starts_with("Sets it. How far"));
    let (foot, clip) = feet.next().expect("a sentence at the foot");
    assert!(foot.galley.text().ends_with("whatever their reach."));
    assert!(foot.galley.rows.len() > 1 && !foot.galley.elided);
    assert!(clip.contains_rect(foot.visual_bounding_rect()));
    assert_eq!(height(&window), before);
}

#[test]
fn every_value_that_is_known_is_of_a_control_that_is_there() {
    use crate::app::widgets::{Wanted, known_values, take_wanted, want_value};
    for (scene, views) in [
        (BATTLE, &[View::Battle, View::Compare][..]),
        (WORLD, &[View::Streaming, View::Battle, View::Compare]),
        (in_space::SPACE, &[View::Volume, View::Compare]),
    ] {
        let mut window = Window::open(scene);
        for view in views {
            window.app.run(Command::View(*view));
            for _ in 0..3 {
                known_values(&window.ctx);
                window.frame(&[]);
            }
            let values = known_values(&window.ctx);
            let name = view.row().name;
            assert!(!values.is_empty() || *view == View::Compare, "{name}");
            for value in values {
                want_value(&window.ctx, &value.id, Wanted::Keys);
                window.frame(&[]);
                let left = take_wanted(&window.ctx, &value.id);
                assert_eq!(left, None, "{} in {name}", value.id);
            }
        }
    }
}

#[test]
fn every_setting_of_streaming_takes_a_number_by_its_name_and_by_that_with_its_caption() {
    use crate::app::finder::{Target, number_items};
    use crate::app::widgets::known_values;
    let mut window = Window::open(WORLD);
    window.app.run(Command::View(View::Streaming));
    for _ in 0..3 {
        known_values(&window.ctx);
        window.frame(&[]);
    }
    let values = known_values(&window.ctx);
    let settings = [
        ("need_factor", "need grows by"),
        ("need_min", "need min"),
        ("need_max", "need max"),
        ("lead", "lead"),
        ("margin", "margin"),
        ("predict", "predict ahead"),
        ("mbps", "throughput"),
        ("latency", "latency"),
        ("requests", "requests"),
        ("uploads", "uploads a tick"),
        ("unloads", "releases a tick"),
        ("memory_cap", "memory cap"),
        ("speed", "speed on a path"),
    ];
    for (id, name) in settings {
        let value = values.iter().find(|it| it.id == id);
        assert_eq!(value.map(|it| it.name.as_str()), Some(name), "{id}");
    }
    // And whatever else has a number there, by the brush.
    let with_number = values
        .iter()
        .filter_map(|it| Some((it, it.unit.as_deref()?)));
    for (value, unit) in with_number {
        let unit = unit.split(',').next().unwrap_or_default();
        let (name, section) = (&value.name, &value.section);
        for typed in [
            format!("{name} 7"),
            format!("7 {name}"),
            format!("{name} 7 {unit}"),
            format!("{} 7{unit}", name.to_uppercase()),
            format!("{section} {name} 7 {unit}"),
        ] {
            let items = number_items(&values, &typed);
            let target = Target::Number(value.id.clone(), "7".to_owned());
            assert!(items.iter().any(|it| it.target == target), "{typed}");
        }
    }
    // What is chosen so is set.
    window.key_with(KeyCode::P, CTRL);
    window.frame(&[]);
    window.type_text("memory cap 0.2");
    window.frame(&[]);
    window.key(KeyCode::Enter);
    for _ in 0..8 {
        window.frame(&[]);
    }
    assert_eq!(window.stream().settings().memory_cap, 200_000);
}

#[test]
fn one_row_is_lit_by_keys_and_pointer_alike() {
    let mut window = Window::open(BATTLE);
    window.key_with(KeyCode::P, CTRL);
    window.frame(&[]);
    let lit = |window: &Window| window.app.pages.palette.as_ref().map(|page| page.chosen);
    window.key(KeyCode::Down);
    window.key(KeyCode::Down);
    assert_eq!(lit(&window), Some(2));
    window.move_to(window.place("palette.7").center());
    window.move_to(window.place("palette.5").center());
    window.frame(&[]);
    assert_eq!(lit(&window), Some(5));
    // A pointer that lies there takes nothing from the keys.
    window.key(KeyCode::Up);
    window.frame(&[]);
    assert_eq!(lit(&window), Some(4));
    window.key(KeyCode::End);
    assert!(lit(&window) > Some(40));
    window.key(KeyCode::Home);
    assert_eq!(lit(&window), Some(0));
    // What means nothing at present stays where it is and says why.
    window.frame(&[InputEvent::Text('u')]);
    for character in "ndo".chars() {
        window.frame(&[InputEvent::Text(character)]);
    }
    window.key(KeyCode::Enter);
    assert!(window.app.pages.palette.is_some());
    window.key(KeyCode::Escape);
    assert!(window.app.pages.palette.is_none());
}

#[test]
fn no_key_of_a_view_or_of_a_control_means_a_command_of_another_kind() {
    // What every control needs is no command's.
    for row in table() {
        for shortcut in row.shortcuts.iter().filter(|it| !it.ctrl) {
            assert_ne!(shortcut.key, KeyCode::Tab, "{}", row.title);
            let arrows = [KeyCode::Left, KeyCode::Right, KeyCode::Up, KeyCode::Down];
            if arrows.contains(&shortcut.key) {
                assert!(matches!(row.command, Command::Pan(..)), "{}", row.title);
            }
            if shortcut.key == KeyCode::Enter {
                assert_eq!(row.command, Command::FieldCursor);
            }
        }
    }
    // A view's own keys take the place of those that pan, and of no other.
    let mut window = Window::open(WORLD);
    for row in VIEWS {
        window.app.view = row.view;
        let shortcuts = table().iter().flat_map(|row| &row.shortcuts);
        let mut keys: Vec<KeyCode> = shortcuts.map(|shortcut| shortcut.key).collect();
        keys.extend([KeyCode::Tab, KeyCode::Backspace, KeyCode::Insert]);
        for key in keys {
            if !window.views.of(row.view).key_down(&mut window.app, key) {
                continue;
            }
            let command = commands::of_key(key, false, false);
            let is_free = command.is_none_or(|command| matches!(command, Command::Pan(..)));
            assert!(is_free, "{key:?} in {}", row.name);
        }
        window.views.of(row.view).cancel(&mut window.app);
    }
}

#[test]
fn a_key_is_known_to_open_a_field_where_one_has_the_keyboard_behind_it() {
    for row in table().iter().filter(|row| !row.shortcuts.is_empty()) {
        let mut window = Window::open(BATTLE);
        window.app.run(row.command);
        // Dialogs are asked for here and not drawn.
        if !window.app.requests.is_empty() {
            continue;
        }
        (0..2).for_each(|_| window.frame(&[]));
        let is_open = focused_text(&window.ctx);
        assert_eq!(row.command.opens_field(), is_open, "{}", row.title);
    }
}

#[test]
fn pages_are_read_to_their_end_by_keys_alone() {
    let texts = |window: &Window| {
        let text = |clipped: &egui::epaint::ClippedShape| match &clipped.shape {
            egui::Shape::Text(text) => Some((text.galley.text().to_owned(), text.pos.round())),
            _ => None,
        };
        let all = window.drawn.iter().filter_map(text);
        all.map(|(text, at)| format!("{text} {at:?}"))
            .collect::<Vec<_>>()
    };
    let press = |window: &mut Window, key| {
        window.key(key);
        (0..2).for_each(|_| window.frame(&[]));
    };
    for page in [Command::Help, Command::Settings] {
        let mut window = Window::open(BATTLE);
        window.app.set_mode(RunMode::Paused);
        window.size = vec2(1000.0, 420.0);
        window.app.run(page);
        (0..3).for_each(|_| window.frame(&[]));
        let first = texts(&window);
        press(&mut window, KeyCode::PageDown);
        let second = texts(&window);
        assert_ne!(second, first, "{page:?}");
        press(&mut window, KeyCode::Home);
        assert_eq!(texts(&window), first, "{page:?}");
        press(&mut window, KeyCode::Down);
        assert_ne!(texts(&window), first, "{page:?}");
        press(&mut window, KeyCode::Up);
        assert_eq!(texts(&window), first, "{page:?}");
        press(&mut window, KeyCode::End);
        let last = texts(&window);
        press(&mut window, KeyCode::PageDown);
        assert_eq!(texts(&window), last, "{page:?}");
    }
}

#[test]
fn who_comes_to_the_words_by_keys_types_at_once() {
    let typed = |window: &Window| match &window.app.pages.help {
        Some(HelpPage::Words(typed)) => typed.clone(),
        other => panic!("{other:?}"),
    };
    let mut window = Window::open(BATTLE);
    window.app.run(Command::Help);
    (0..3).for_each(|_| window.frame(&[]));
    let chosen = |window: &Window| matches!(window.app.pages.help, Some(HelpPage::Words(_)));
    for _ in 0..6 {
        window.key(KeyCode::Tab);
        window.key(KeyCode::Enter);
        if chosen(&window) {
            break;
        }
    }
    assert!(chosen(&window), "Tab and Enter lead to the words");
    window.type_text("11");
    assert_eq!(typed(&window), "11");
    // The line scrolls what is found, and keeps what was typed.
    window.key(KeyCode::PageDown);
    window.key(KeyCode::Down);
    assert_eq!(typed(&window), "11");
}

#[test]
fn letters_and_digits_go_to_the_list_of_scenes_as_long_as_that_is_open() {
    let mut window = Window::open(BATTLE);
    window.click_on("scene");
    (0..3).for_each(|_| window.frame(&[]));
    let before = window.structure();
    // Nothing is sought, so Enter opens nothing; but the line has lost the keyboard by it.
    window.key(KeyCode::Enter);
    window.frame(&[]);
    for key in [KeyCode::Key1, KeyCode::Key2] {
        window.key(key);
        assert!(window.app.menu_open);
        assert_eq!(window.structure(), before);
    }
    window.key(KeyCode::Escape);
    (0..3).for_each(|_| window.frame(&[]));
    assert!(!window.app.menu_open);
    window.key(KeyCode::Key1);
    assert_ne!(window.structure(), before);
}

#[test]
fn return_opens_the_scene_that_is_called_just_as_was_typed_or_the_one_to_which_the_arrows_move() {
    for (keys, name) in [
        (&[][..], "open-world"),
        (&[KeyCode::Up], "open-world-100k"),
        (&[KeyCode::Up, KeyCode::Down], "open-world"),
    ] {
        let mut window = Window::open(BATTLE);
        window.app.serve_library();
        window.click_on("scene");
        let all = &window.app.library.listing().entries;
        assert!(all.iter().any(|entry| entry.name == "open-world"));
        (0..3).for_each(|_| window.frame(&[]));
        window.type_text("open-world");
        keys.iter().for_each(|key| window.key(*key));
        window.key(KeyCode::Enter);
        window.frame(&[]);
        let picked = window.app.picked.as_deref().and_then(Path::file_stem);
        assert_eq!(picked, Some(name.as_ref()), "{keys:?}");
    }
}

#[test]
fn the_key_of_the_tree_says_while_something_is_stepped_through_how_one_comes_to_it() {
    let ways = [
        // How high the window is, whether it shows its panels, and whether time runs.
        (800.0, true, false),
        (620.0, true, false),
        (800.0, false, false),
        (800.0, true, true),
    ];
    let ways = ways.into_iter().flat_map(|way| [(false, way), (true, way)]);
    for (was_shown, (height, panels, runs)) in ways {
        let mut window = Window::open(BATTLE);
        window.size.y = height;
        window.app.set_mode(RunMode::Paused);
        window.app.show_tree(was_shown);
        window.app.run(Command::LookInto);
        let is_told = |it: &Window| {
            let stepping = it.app.stepping.as_ref();
            stepping.is_some_and(|it| it.shown().is_some())
        };
        window.wait("a telling", is_told);
        window.app.panels = panels;
        if runs {
            window.app.set_mode(RunMode::Running);
            window.wait("a later moment", |it| !is_told(it));
        }
        window.frame(&[]);
        window.key(KeyCode::F8);
        let said = window.notice().to_owned();
        assert!(said.contains("F7 leaves the steps"), "{said}");
        // Of what is in sight it is not said where it would be, and of what is not the same as in the menu.
        let is_seen = height >= 640.0 && panels && !runs;
        assert_eq!(
            said.contains(" in sight goes with the steps"),
            is_seen,
            "{said}"
        );
        let menu = window.app.may(Command::Tree).expect_err("it has no switch");
        assert_eq!(said == menu, !is_seen, "{said}");
        assert_eq!(said.contains("then F8 shows it"), !was_shown, "{said}");
        assert_eq!(window.app.diagram.is_some(), was_shown);
        window.key(KeyCode::F7);
        window.frame(&[]);
        assert!(!window.app.is_stepping());
        assert_eq!(window.app.diagram.is_some(), was_shown);
    }
}

#[test]
fn the_keyboard_stays_on_a_sum_whether_the_sentence_above_it_scrolls_or_not() {
    const SUM: &str = "step.next.visit";
    let mut window = Window::open(&BATTLE.replace("count: 20", "count: 400"));
    window.app.set_mode(RunMode::Paused);
    window.app.run(Command::LookInto);
    let asked = Operation::read("radius 60,150,28").expect("an operation");
    window.app.set_operation(asked.clone());
    window.wait("a telling", |it| {
        let stepping = it.app.stepping.as_ref();
        let stepping = stepping.filter(|it| it.operation() == Some(&asked) && !it.is_waiting());
        stepping.is_some_and(|it| it.shown().is_some_and(|reel| reel.len() > 12))
    });
    let at = |window: &Window| window.app.stepping.as_ref().map_or(0, Stepping::at);
    let last = window.app.stepping.as_ref().map_or(0, Stepping::len) - 1;
    // Where the line of the keyboard is.
    let focused = |window: &Window| {
        let id = window.ctx.memory(|memory| memory.focused())?;
        Some(window.ctx.read_response(id)?.rect)
    };
    let mut both = 0;
    for height in (460_u16..=800).rev().step_by(20) {
        window.size = vec2(1280.0, f32::from(height));
        window.sentence_at(1);
        (0..4).for_each(|_| window.frame(&[]));
        let is_on_it = |window: &Window| {
            let sum = window.place(SUM).center();
            focused(window).is_some_and(|it| it.contains(sum) && it.height() < 30.0)
        };
        for _ in 0..200 {
            if is_on_it(&window) {
                break;
            }
            window.key(KeyCode::Tab);
        }
        assert!(is_on_it(&window), "{height}: Tab never comes to it");
        let mut kinds = [None; 2];
        for step in 1..=last.min(60) {
            if let Some((is_cut, _)) = window.sentence_at(step) {
                kinds[usize::from(is_cut)] = Some(step);
            }
            assert!(
                is_on_it(&window),
                "{height}, {step}: {:?}",
                focused(&window)
            );
        }
        let [Some(whole), Some(cut)] = kinds else {
            continue;
        };
        // A press counts at either.
        for step in [whole, cut] {
            window.sentence_at(step);
            window.key(KeyCode::Enter);
            window.frame(&[]);
            assert_ne!(at(&window), step, "{height}");
            assert!(is_on_it(&window), "{height}, {step}");
        }
        both += 1;
        break;
    }
    assert!(
        both > 0,
        "in no window some sentences scroll and others do not"
    );
}
