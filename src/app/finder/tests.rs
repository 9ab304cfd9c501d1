//! Everything is found by its name.

use super::*;
use crate::app::state::Start;
use crate::app::watch::InFile;
use egui_macroquad::egui::{Rect, pos2};
use skirmish::partition::Kind;
use skirmish::session::Session;
use skirmish::structure::AnyKind;
use skirmish::structure::StructureKind;
use std::path::Path;

const SPACE: &str = "scenes/swarm.ron";
const WORLD: &str = "scenes/open-world.ron";
const BATTLE: &str = "scenes/skirmish.ron";

fn app(path: &str) -> App {
    let whole = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    let scene = skirmish::scene::file::read(&whole).expect("a scene");
    let (session, _) = Session::new(scene, whole.parent().expect("a folder"));
    let start = Start {
        session,
        path: Some(whole),
        in_file: InFile::default(),
        is_recording: false,
        fixed: true,
        scripted: false,
    };
    let screen = Rect::from_min_max(pos2(280.0, 32.0), pos2(960.0, 500.0));
    let mut app = App::new(start, screen).expect("a window");
    app.serve_library();
    app
}

fn titles<'a>(items: &'a [Item], typed: &str) -> Vec<&'a str> {
    let found = found(items, typed, &[]);
    found
        .iter()
        .map(|it| items[it.item].title.as_str())
        .collect()
}

#[test]
fn in_which_order_is_loaded_and_what_the_run_before_came_to_is_found_by_what_one_would_type() {
    let app = app(WORLD);
    let items = items(&app, &[]);
    for (typed, title) in [
        ("order", "queue by time to need"),
        ("queue", "queue by time to need"),
        ("loading order", "queue by time to need"),
        ("run before", "the run before"),
        ("previous run", "the run before"),
    ] {
        let found = titles(&items, typed);
        let first = &found[..found.len().min(4)];
        assert!(first.contains(&title), "'{typed}': {first:?}");
    }
}

#[test]
fn every_command_is_found_first_by_its_name() {
    for path in [BATTLE, SPACE, WORLD] {
        let app = app(path);
        let items = items(&app, &[]);
        for row in table() {
            let Some(title) = app.title_of(row) else {
                continue;
            };
            for typed in [title.clone(), title.to_lowercase(), format!(" {title} ")] {
                let first = &found(&items, &typed, &[])[0];
                let target = &items[first.item].target;
                assert_eq!(*target, Target::Command(row.command), "'{typed}' in {path}");
            }
        }
    }
}

#[test]
fn a_tick_is_the_first_that_is_found_by_its_number_and_none_beyond_the_last() {
    let mut app = app(WORLD);
    app.place.end = 70_000;
    let found_first = |app: &App, typed: &str| {
        let mut items = items(app, &[]);
        items.extend(tick_item(app, typed));
        let first = &found(&items, typed, &[])[0];
        items.swap_remove(first.item)
    };
    for typed in ["tick 64772", "go to tick 64772", "go to 64,772"] {
        let item = found_first(&app, typed);
        assert_eq!(item.target, Target::Tick(64_772), "{typed}");
        assert_eq!(item.title, "Go to tick 64,772");
    }
    let beyond = found_first(&app, "tick 70001");
    assert_eq!(beyond.target, Target::Tick(70_000));
    assert!(beyond.help.contains("70,001 is not known yet"));
}

#[test]
fn every_scene_figure_value_and_word_is_found_by_its_name() {
    let app = app(BATTLE);
    let value = Value {
        id: "knob.capacity".to_owned(),
        name: "capacity".to_owned(),
        section: "knobs".to_owned(),
        help: "How many units a leaf may hold.".to_owned(),
        unit: Some("units".to_owned()),
    };
    let items = items(&app, &[value]);
    assert!(items.iter().filter(|it| it.kind == "figure").count() >= 10);
    for item in &items {
        let first = titles(&items, &item.title);
        let lowered = item.title.to_lowercase();
        // What can be done and is called so as well comes before a word.
        let is_called = |it: &Item| it.refusal.is_none() && it.also.contains(&lowered.as_str());
        let is_word = matches!(item.target, Target::Word(_));
        let goes_before = items.iter().any(|it| rank(it) < 4 && is_called(it));
        let place = usize::from(is_word && goes_before);
        assert_eq!(
            first[place].to_lowercase(),
            lowered,
            "{} {}",
            item.kind,
            item.title
        );
        let among = first.iter().take(12).any(|title| **title == item.title);
        assert!(among, "{} {}", item.kind, item.title);
    }
    // A figure says what it explains.
    let half = items.iter().find(|it| it.title == "Half of the neighbours");
    let half = half.expect("a figure that ships");
    assert!(
        half.help.contains("\nNine units in nine cells"),
        "{}",
        half.help
    );
    let found = &found(&items, "capacity", &[])[0];
    assert_eq!(items[found.item].kind, "value");
    // It says what the word for the knob would say, which is there where no panel shows the value.
    let kinds = |items: &[Item]| -> Vec<&'static str> {
        let called = items.iter().filter(|it| it.title == "capacity");
        called.map(|it| it.kind).collect()
    };
    assert_eq!(kinds(&items), ["value"]);
    assert_eq!(kinds(&super::items(&app, &[])), ["knob"]);
}

#[test]
fn a_few_letters_are_enough_and_are_marked() {
    let app = app(BATTLE);
    let items = items(&app, &[]);
    for (typed, title) in [
        ("qtree", "quadtree"),
        ("stpbk", "One step back"),
        ("ops", "Open scene\u{2026}"),
        ("saveas", "Save as\u{2026}"),
    ] {
        let found = found(&items, typed, &[]);
        let at = found.iter().position(|it| items[it.item].title == title);
        let at = at.unwrap_or_else(|| panic!("'{typed}' finds no {title}"));
        assert!(at < 3, "'{typed}' finds {title} at {at}");
        assert_eq!(found[at].letters.len(), typed.len(), "{typed}");
        let letters: Vec<char> = title.to_lowercase().chars().collect();
        let marked: String = found[at]
            .letters
            .iter()
            .map(|it| letters[*it as usize])
            .collect();
        assert_eq!(marked, typed);
    }
    assert!(found(&items, "xqzw", &[]).is_empty());
}

#[test]
fn who_is_a_pair_is_found_by_words_for_touching() {
    let app = app(BATTLE);
    let of = |value: CommonValue| Value {
        id: value.slider().id.to_owned(),
        name: value.slider().name.to_owned(),
        section: "armies".to_owned(),
        help: value.slider().help.to_owned(),
        unit: None,
    };
    let values = [
        CommonValue::Units,
        CommonValue::Reach,
        CommonValue::KeepApart,
    ]
    .map(of);
    let items = items(&app, &values);
    for typed in ["overlap", "touch", "Touching", "collision"] {
        let first = titles(&items, typed);
        for name in ["reach", "keep apart"] {
            assert!(
                first.iter().take(4).any(|title| *title == name),
                "'{typed}': {first:?}"
            );
        }
        assert_ne!(first[0], "units");
    }
}

#[test]
fn what_was_chosen_lately_stands_first_while_nothing_is_typed() {
    let app = app(BATTLE);
    let items = items(&app, &[]);
    let mut recent = Vec::new();
    for title in ["Restart", "quadtree", "Restart"] {
        remember(&mut recent, title);
    }
    let found = found(&items, " ", &recent);
    let first: Vec<_> = found
        .iter()
        .take(2)
        .map(|it| items[it.item].title.as_str())
        .collect();
    assert_eq!(first, ["Restart", "quadtree"]);
    assert!(
        found.iter().all(|it| items[it.item].kind != "word"),
        "too many to be offered"
    );
    for number in 0..20 {
        remember(&mut recent, &number.to_string());
    }
    assert_eq!(recent.len(), 8);
}

#[test]
fn what_means_nothing_at_present_says_why() {
    let mut window = app(WORLD);
    window.view = View::Streaming;
    let items = items(&window, &[]);
    let of = |title: &str| items.iter().find(|it| it.title == title).expect("an item");
    assert!(
        of("quadtree")
            .refusal
            .is_some_and(|why| why.contains("Battle (F2)"))
    );
    assert!(of("Undo").refusal.is_some());
    assert!(of("Run or pause").refusal.is_none());
    let refusals = items.iter().filter_map(|it| it.refusal);
    for why in refusals {
        assert!(why.ends_with('.'), "{why}");
    }
}

#[test]
fn what_has_a_whole_word_comes_before_what_has_its_letters_though_it_means_nothing_at_present() {
    let mut window = app(WORLD);
    window.view = View::Streaming;
    let items = items(&window, &[]);
    let first = |typed: &str| &items[found(&items, typed, &[])[0].item];
    let future = first("future");
    assert_eq!(future.target, Target::Command(Command::OtherFuture));
    assert!(future.refusal.is_some());
    // So it does while the word is being typed.
    assert_eq!(first("futur").target, future.target);
    // The beginning of a word that something has which can be done now is no sign that it was meant.
    for typed in ["to", "go"] {
        assert!(first(typed).refusal.is_none(), "{typed}");
        let found = found(&items, typed, &[]);
        let of_all = found.iter().map(|it| &items[it.item]);
        let usable = of_all.clone().rposition(|it| it.refusal.is_none());
        let refused = of_all.clone().position(|it| it.refusal.is_some());
        assert!(
            refused.is_none_or(|refused| Some(refused) > usable),
            "{typed}"
        );
    }
    // Of those that have the word, what does something comes first.
    let scene = found(&items, "scene", &[]);
    let of_word = scene.iter().map(|it| &items[it.item]);
    let mut of_word = of_word.filter(|it| has_all(&it.title, &["scene".to_owned()]));
    assert!(of_word.next().is_some_and(|it| it.refusal.is_none()));
    assert!(has_all("Go to tick\u{2026}", &["tick".to_owned()]));
    assert!(!has_all("Four structures in space", &["future".to_owned()]));
}

#[test]
fn an_object_is_found_by_its_number_and_by_its_name_the_nearest_first() {
    let mut window = app(WORLD);
    window.view = View::Streaming;
    let mut views = crate::app::view::Views::new();
    for _ in 0..3 {
        let ask = window.plain_ask(false);
        let ask = views.of(window.view).ask(&window, ask);
        window.exchange(ask);
    }
    let stream = window.stream.as_ref().expect("a world");
    let name = |object: u32| {
        let asset = stream.objects()[object as usize].asset;
        let path = stream.asset(asset).expect("a file");
        path.file_stem()
            .expect("a name")
            .to_string_lossy()
            .into_owned()
    };
    let of_642 = name(642);
    let all = (0..stream.objects().len() as u32)
        .filter(|object| name(*object) == of_642)
        .count();
    assert!(all > 12);
    for typed in ["642", "Object 642", &format!("{of_642} 642")] {
        let items = object_items(&window, &objects(&window, typed));
        assert_eq!(items.len(), 1, "{typed}");
        assert_eq!(items[0].target, Target::Object(642));
        assert!(!found(&items, typed, &[]).is_empty(), "{typed}");
    }
    let named = object_items(&window, &objects(&window, &of_642.to_uppercase()));
    assert_eq!(named.len(), 12);
    let here = stream.character();
    let metres = |item: &Item| match item.target {
        Target::Object(object) => stream.objects()[object as usize].center.distance(here),
        _ => panic!("{item:?}"),
    };
    assert!(named.is_sorted_by(|a, b| metres(a) <= metres(b)));
    let more = with_commas(all as u64 - 12);
    assert_eq!(named[11].keys, format!("and {more} more"));
    for typed in ["", " ", "object", "nothing of this name", "99999999"] {
        assert_eq!(
            objects(&window, typed),
            FoundObjects::default(),
            "{typed:?}"
        );
    }
    // Who chooses one sees it.
    window.show_object(642);
    let stream = window.stream.as_ref().expect("a world");
    assert_eq!(stream.selection.one(), Some(642));
    let shown = window.camera.rect_to_screen(stream.body(642));
    assert!(window.camera.screen.contains_rect(shown), "{shown:?}");
    assert!(shown.width().max(shown.height()) >= 23.0, "{shown:?}");
    window.view = View::Battle;
    assert_eq!(objects(&window, "642"), FoundObjects::default());
}

#[test]
fn what_is_best_is_asked_of_the_tables_by_any_word_for_it() {
    let app = app(BATTLE);
    let items = items(&app, &[]);
    for typed in ["best", "tune", "fastest", "Best"] {
        let mut first = titles(&items, typed);
        first.truncate(2);
        first.sort_unstable();
        let tables = [
            "Which is fastest? All in a table",
            "Which setting is best? All in a table",
        ];
        assert_eq!(first, tables, "{typed}");
    }
}

#[test]
fn which_value_is_best_is_asked_of_the_table_of_a_setting() {
    for path in [BATTLE, SPACE] {
        let app = app(path);
        let items = items(&app, &[]);
        for typed in [
            "best setting",
            "best cell size",
            "best capacity",
            "best leaf size",
            "best value",
            "tune",
            "optimize",
        ] {
            let first = titles(&items, typed).first().copied();
            let table = "Which setting is best? All in a table";
            assert_eq!(first, Some(table), "'{typed}' in {path}");
        }
        for typed in [
            "best structure",
            "all structures",
            "all struct",
            "compare all",
        ] {
            let first = titles(&items, typed).first().copied();
            assert_eq!(first, Some("Which is fastest? All in a table"), "{typed}");
        }
    }
}

#[test]
fn knobs_of_structures_that_are_not_shown_are_found_by_their_names() {
    let app = app(BATTLE);
    let items = items(&app, &[]);
    for typed in ["leaf size", "looseness"] {
        let first = &items[found(&items, typed, &[])[0].item];
        assert_eq!((first.title.as_str(), first.kind), (typed, "knob"));
    }
}

#[test]
fn every_question_of_the_plane_is_found_by_its_name_and_none_where_no_plane_is() {
    let battle = items(&app(BATTLE), &[]);
    for tool in Probed::ASK.into_iter().chain(Probed::EDIT) {
        let typed = format!("step through {}", tool.name());
        // "near" begins "nearest" as well.
        let first = found(&battle, &typed, &[]).into_iter().take(2);
        let mut first = first.map(|found| &battle[found.item].target);
        assert!(first.any(|it| *it == Target::Probe(tool)), "{typed}");
    }
    assert!(titles(&battle, "nearest").contains(&"Step through: nearest"));
    for path in [SPACE, WORLD] {
        let items = items(&app(path), &[]);
        let is_question = |item: &Item| matches!(item.target, Target::Probe(_));
        assert!(!items.iter().any(is_question), "{path}");
    }
}

#[test]
fn a_number_behind_a_name_sets_what_is_called_so() {
    let app = app(BATTLE);
    let value = |name: &str, unit: Option<&str>| Value {
        id: name.to_owned(),
        name: name.to_owned(),
        section: "disk and budgets".to_owned(),
        help: String::new(),
        unit: unit.map(str::to_owned),
    };
    let values = [
        value("cell size", Some("m")),
        value("reach", Some("m")),
        value("throughput", Some("MB/s")),
        value("units", Some("")),
        value("memory cap", Some("MB")),
        value("need grows by", Some("× size")),
        value("need max", Some("m")),
        value("order", None),
    ];
    let first = |typed: &str| {
        let mut items = items(&app, &values);
        items.extend(number_items(&values, typed));
        let found = found(&items, typed, &[]);
        let item = found.first().map(|it| items[it.item].clone());
        match item.map(|it| it.target) {
            Some(Target::Number(id, number)) => Some((id, number)),
            _ => None,
        }
    };
    let set = |id: &str, number: &str| Some((id.to_owned(), number.to_owned()));
    assert_eq!(first("reach 30"), set("reach", "30"));
    assert_eq!(first("reach : 30"), set("reach", "30"));
    assert_eq!(first("Reach 30 m"), set("reach", "30"));
    assert_eq!(first("throughput 3 MB/s"), set("throughput", "3"));
    assert_eq!(first("cell 12.5"), set("cell size", "12.5"));
    assert_eq!(first("5,000 units"), set("units", "5,000"));
    // By a part of its name, by all of it, and by that with the caption above it.
    assert_eq!(first("cap 0.2"), set("memory cap", "0.2"));
    assert_eq!(first("memory cap 0.2"), set("memory cap", "0.2"));
    assert_eq!(first("disk throughput 20"), set("throughput", "20"));
    // With its unit, or another one of that kind, however they are written.
    assert_eq!(first("memory cap 200MB"), set("memory cap", "200"));
    assert_eq!(first("memory cap 1 gb"), set("memory cap", "1 GB"));
    assert_eq!(first("throughput 500 kB/s"), set("throughput", "500 kB/s"));
    assert_eq!(first("need grows by 2 × size"), set("need grows by", "2"));
    // As files and command lines have it.
    for typed in [
        "need max 200",
        "need_max 200",
        "need-max 200",
        "NEED_MAX: 200 m",
        "200 need-max",
    ] {
        assert_eq!(first(typed), set("need max", "200"), "{typed}");
    }
    assert_eq!(first("cell-size 25"), set("cell size", "25"));
    assert_eq!(first("memory_cap 1 gb"), set("memory cap", "1 GB"));
    assert_eq!(first("reach -3"), set("reach", "-3"));
    for typed in [
        "30",
        ": 30",
        ", 30",
        "30 :",
        "order 3",
        "reach",
        "reach 30 apples",
        "reach 30 mb",
        "disk 20",
        "reach nan",
        "apples 3",
        // What stands in one with a number is a unit, and begins no name.
        "3d",
        "3re",
        "memory 200cap",
    ] {
        assert_eq!(first(typed), None, "{typed}");
    }
}

#[test]
fn an_underscore_or_a_dash_is_the_space_of_a_name() {
    for (text, with_spaces) in [
        ("need_max", "need max"),
        ("need-max", "need max"),
        ("need-", "need "),
        ("k-d tree", "k d tree"),
        // Signs and numbers stay what they are.
        ("need-max -3", "need max -3"),
        ("1e-5", "1e-5"),
        ("3-4", "3-4"),
        ("-", "-"),
        ("_", "_"),
    ] {
        assert_eq!(spaced(text), with_spaces, "{text}");
    }
    let app = app(BATTLE);
    let items = items(&app, &[]);
    for (typed, name) in [
        ("leaf_size", "leaf size"),
        ("leaf-size", "leaf size"),
        ("Cell_Size", "cell size"),
        ("cell-", "cell size"),
        ("K-D Tree", "k-d tree"),
        ("k_d_tree", "k-d tree"),
    ] {
        let titles = titles(&items, typed);
        let is_it = |title: &&str| title.to_lowercase().contains(name);
        assert!(titles.iter().any(is_it), "'{typed}' finds {titles:?}");
    }
    let first = |typed: &str| titles(&items, typed)[0];
    assert_eq!(first("leaf_size"), first("leaf size"));
}

#[test]
fn no_scene_is_found_by_a_number_that_is_not_in_its_name() {
    let app = app(BATTLE);
    let items = items(&app, &[]);
    let cross = items.iter().find(|it| it.title.starts_with("A cross"));
    let cross = cross.expect("a scene that ships");
    let has = |typed: &str| titles(&items, typed).contains(&cross.title.as_str());
    assert!(has("cross every line"));
    // What it says of itself begins with how many units it has.
    let topic = cross.help.lines().next().unwrap_or_default();
    let (_, count) = topic.split_once(" \u{b7} ").expect("a number");
    let digits = count.trim_end_matches(" units");
    assert_ne!(digits, count);
    for typed in [count, &format!("units {digits}"), "cross 7", "units 00"] {
        assert!(!has(typed), "{typed}");
    }
}

#[test]
fn a_number_behind_the_name_of_a_knob_sets_it_in_each_lane_that_has_it() {
    let mut app = app(BATTLE);
    let grid = StructureKind::from(Kind::LinkedGrid);
    app.choose_structure(Kind::Quadtree);
    for kind in [grid, Kind::SortedGrid.into()] {
        app.add_lane(kind);
    }
    while app.lanes.len() < 3 {
        let ask = app.plain_ask(true);
        app.exchange(ask);
    }
    let said = |app: &App, typed: &str| -> Vec<String> {
        let mut items = items(app, &[]);
        let plain = items.len();
        items.extend(lane_items(app, typed));
        let found = found(&items, typed, &[]).into_iter();
        let of_lanes = found.filter(|it| it.item >= plain);
        of_lanes.map(|it| items[it.item].title.clone()).collect()
    };
    assert_eq!(said(&app, "cell size 25"), [""; 0], "a panel shows it");
    app.view = View::Compare;
    let [linked, sorted] = [
        "cell size 25 m, lane 2 linked grid",
        "cell size 25 m, lane 3 sorted grid",
    ];
    for typed in ["cell size 25", "Cell size: 25 m", "25 m cell size"] {
        assert_eq!(said(&app, typed), [linked, sorted], "{typed}");
    }
    for typed in ["cell size 25 lane 2", "lane 2 cell size 25", linked] {
        assert_eq!(said(&app, typed), [linked], "{typed}");
    }
    assert_eq!(said(&app, "sorted cell size 25"), [sorted]);
    assert_eq!(said(&app, "capacity 5").len(), 1);
    for typed in ["cell size", "25", "lane 2 25", "neighbourhood 1", "order 3"] {
        assert_eq!(said(&app, typed), [""; 0], "{typed}");
    }
    let first = &lane_items(&app, "cell size 25")[0];
    let knob = grid.info().knob_index("cell_size").expect("a cell size");
    assert_eq!(first.target, Target::Knob(1, knob, "25".to_owned()));
}

#[test]
fn every_value_of_a_knob_that_is_a_choice_is_found_by_its_name_and_sets_it() {
    let mut app = app(BATTLE);
    let kinds = StructureKind::ALL.iter().copied();
    for kind in kinds.filter(|it| !it.is_of_space()) {
        app.choose_structure(kind);
        let items = items(&app, &[]);
        for (at, knob) in kind.info().knobs.iter().enumerate() {
            if matches!(knob.range, KnobRange::Number { .. }) {
                continue;
            }
            for value in knob.range.spread() {
                let typed = format!("{} {}", knob.name, knob.format(value));
                let first = &items[found(&items, &typed, &[])[0].item];
                assert_eq!(first.target, Target::Choice(0, at, value), "{typed}");
                assert_eq!(first.on, Some(value == knob.default), "{typed}");
            }
        }
    }
    // Of several lanes it is said of which.
    app.choose_structure(Kind::LinkedGrid);
    app.add_lane(Kind::BattleLine.into());
    while app.lanes.len() < 2 {
        let ask = app.plain_ask(true);
        app.exchange(ask);
    }
    app.view = View::Compare;
    let both = items(&app, &[]);
    assert_eq!(
        titles(&both, "neighbourhood full")[0],
        "neighbourhood full, lane 1 linked grid"
    );
    assert!(titles(&both, "axis x")[0].ends_with(", lane 2 battle line"));
    // Without anything typed they are not in the way, but for the one that was chosen lately.
    let is_one = |it: &Found| matches!(both[it.item].target, Target::Choice(..));
    let untyped = |recent: &[String]| found(&both, "", recent).into_iter().filter(is_one).count();
    assert_eq!(untyped(&[]), 0);
    let title = titles(&both, "axis x")[0].to_owned();
    assert_eq!(untyped(&[title]), 1);
    // A world has no such knobs.
    app.view = View::Streaming;
    let is_choice = |item: &Item| matches!(item.target, Target::Choice(..));
    assert!(!items(&app, &[]).iter().any(is_choice));
}

#[test]
fn paths_and_indices_of_a_world_are_found_by_their_names() {
    let mut app = app(WORLD);
    while app.stream.as_ref().is_none_or(|it| it.paths().is_empty()) {
        let ask = app.plain_ask(true);
        app.exchange(ask);
    }
    let items = items(&app, &[]);
    let path = app
        .scene
        .character
        .as_ref()
        .map(|it| it.paths[1].name.clone());
    let path = path.expect("a path");
    let first = &found(&items, &path, &[])[0];
    assert_eq!(items[first.item].target, Target::Follow(Some(path)));
    for (typed, expected) in [
        ("stand", Target::Follow(None)),
        ("dual", Target::Index(Index::Dual)),
        ("brute force", Target::Index(Index::BruteForce)),
    ] {
        let first = &found(&items, typed, &[])[0];
        assert_eq!(items[first.item].target, expected, "{typed}");
    }
}

#[test]
fn the_page_of_the_scene_is_found_by_what_stands_on_it() {
    for path in [BATTLE, SPACE] {
        let items = items(&app(path), &[]);
        for typed in [
            "hit points",
            "pareto",
            "sizes",
            "edit the scene",
            "army",
            "seed",
        ] {
            let found = found(&items, typed, &[]);
            let mut found = found.iter().map(|it| &items[it.item].target);
            let place = found.position(|it| *it == Target::Command(Command::Describe));
            // What is called so itself may come first.
            assert!(place.is_some_and(|it| it < 4), "'{typed}' in {path}");
        }
        // The word says what they are; the page sets them.
        let found = titles(&items, "hit points");
        assert_eq!(found[1], "hit points", "{path}");
        assert!(found[0].starts_with("Name, field"), "{path}: {found:?}");
    }
}

#[test]
fn whether_the_camera_follows_and_each_word_is_listed_once() {
    let mut app = app(WORLD);
    app.view = View::Streaming;
    app.stream = Some(crate::app::stream::Stream::looking(false));
    let listed = items(&app, &[]);
    for typed in ["camera follows", "camera free", "camera is free"] {
        let first = &found(&listed, typed, &[])[0];
        assert_eq!(listed[first.item].target, Target::CameraFollows, "{typed}");
    }
    let mut words = std::collections::BTreeSet::new();
    for item in &listed {
        if let Target::Word(word) = item.target {
            assert!(words.insert(word), "{word} twice");
        }
    }
    assert!(words.contains("late loads"));
}
