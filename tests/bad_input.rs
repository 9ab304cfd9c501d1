//! Every bad scene gets one sentence that says where it is wrong and how; none brings the program down.

use skirmish::partition::{Kind, KnobRange};
use skirmish::scene::{ViewBox, ViewKind, ViewLayer, file, limits};
use skirmish::session::file::Recording;
use std::path::Path;

/// A scene that is fine, with `extra` on its fifth line.
fn scene_with(extra: &str) -> String {
    format!(
        "(\n    version: 1,\n    field: ((0, 0), (10, 10)),\n    structure: (kind: \"all-pairs\"),\n{extra}\n)\n"
    )
}

/// A scene with one army, with `rest` behind its side.
fn army_with(rest: &str) -> String {
    scene_with(&format!("armies: [(side: Blue, {rest})],"))
}

fn sentence(text: impl AsRef<[u8]>) -> String {
    let sentence = file::parse(text.as_ref(), "x.ron")
        .expect_err("the scene is bad")
        .to_string();
    assert!(!sentence.contains('\n'), "{sentence:?} is one line");
    sentence
}

#[track_caller]
fn assert_sentence(text: impl AsRef<[u8]>, expected: &str) {
    assert_eq!(sentence(text), expected);
}

#[test]
fn the_scene_that_the_others_are_made_from_is_fine() {
    file::parse(scene_with("").as_bytes(), "x.ron").unwrap();
    file::parse(
        army_with("count: 1, formation: Spot(1, 2)").as_bytes(),
        "x.ron",
    )
    .unwrap();
}

#[test]
fn every_prefix_of_a_scene_is_an_error_in_one_line() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes");
    for name in ["skirmish.ron", "cross.ron", "dogfight.ron"] {
        let text = std::fs::read_to_string(folder.join(name)).unwrap();
        let whole = text.trim_end().len();
        for length in 0..whole {
            assert!(sentence(&text.as_bytes()[..length]).starts_with("x.ron:"));
        }
        for length in whole..=text.len() {
            file::parse(&text.as_bytes()[..length], "x.ron").unwrap();
        }
    }
    // A longer one, with objects and paths, at every hundredth length.
    let text = std::fs::read(folder.join("open-world.ron")).unwrap();
    for length in (0..text.len() - 2).step_by(101) {
        sentence(&text[..length]);
    }
}

#[test]
fn an_unfinished_text_says_what_is_open() {
    assert_sentence("", "x.ron:1:1: expected '(' (found the end of the text)");
    assert_sentence(
        "(\n  field: ((0, 0),\n",
        "x.ron:3:1: the text ends before the '(' of line 2, column 10 is closed",
    );
    assert_sentence(
        "(name: \"abc",
        "x.ron:1:12: the text ends within the string that begins at line 1, column 8",
    );
    assert_sentence(
        "( /* x",
        "x.ron:1:7: the text ends within the comment that begins at line 1, column 3",
    );
    assert_sentence(
        "(field: [1)",
        "x.ron:1:11: expected ']' to close the '[' of line 1, column 9 (found ')')",
    );
    assert_sentence(
        scene_with("") + "x",
        "x.ron:7:1: the text must end after the scene (found x)",
    );
}

#[test]
fn another_version_is_named_before_its_unknown_fields() {
    assert_sentence(
        "(version: 7, novelty: [1, 2])",
        "x.ron:1:11: version must be 1 (found 7)",
    );
    assert_sentence(
        "(novelty: (version: 1), version: 2)",
        "x.ron:1:34: version must be 1 (found 2)",
    );
    assert_sentence(
        "(field: ((0, 0), (1, 1)), structure: (kind: \"all-pairs\"))",
        "x.ron:1:57: field version is missing in Scene",
    );
    assert_sentence(
        scene_with("").replace("version: 1", "version: \"1\""),
        "x.ron:2:15: expected a whole number but found the string \"1\"",
    );
}

#[test]
fn what_is_unknown_is_named_with_what_is_known() {
    assert_sentence(
        scene_with("    colour: 3,"),
        "x.ron:5:5: there is no field colour in Scene; the fields are version, name, caption, field, seed, reach_scale, keep_apart, structure, lanes, camera, view, armies, character, world, volume",
    );
    assert_sentence(
        army_with("count: 1, formation: Heap(1, 2)"),
        "x.ron:5:44: there is no Heap in Formation; expected one of Uniform, Ranks, Ring, Clusters, Line, Spot, Cross, Explicit",
    );
    assert_sentence(
        army_with("count: 1, formation: Ring(centre: (1, 2), outer: 3)"),
        "x.ron:5:49: there is no field centre in Ring; the fields are center, inner, outer",
    );
    assert_sentence(
        scene_with("seed: 1, seed: 2,"),
        "x.ron:5:10: field seed is given twice in Scene",
    );
    let keys: Vec<&str> = Kind::ALL.iter().map(|kind| kind.info().key).collect();
    assert_sentence(
        scene_with("").replace("all-pairs", "octagon"),
        &format!(
            "x.ron:4:23: kind must be one of {} (found \"octagon\")",
            keys.join(", ")
        ),
    );
}

#[test]
fn lanes_are_structures_and_at_most_three() {
    let lanes = |text: &str| scene_with(&format!("lanes: {text},"));
    file::parse(lanes("[]").as_bytes(), "x.ron").unwrap();
    let three = "[(kind: \"bvh\"), (kind: \"bvh\", knobs: {\"update\": \"rebuild\"}), (kind: \"quadtree\")]";
    let scene = file::parse(lanes(three).as_bytes(), "x.ron").unwrap();
    assert_eq!(scene.lanes.len() + 1, limits::MAX_LANES);
    let four = three.replacen('[', "[(kind: \"kd-tree\"), ", 1);
    let keys: Vec<&str> = Kind::ALL.iter().map(|kind| kind.info().key).collect();
    let unknown = format!(
        "x.ron:5:37: kind must be one of {} (found \"octagon\")",
        keys.join(", ")
    );
    for (text, expected) in [
        (four.as_str(), "x.ron:5:106: the list has more than 3 items"),
        (
            "[(kind: \"all-pairs\"), (kind: \"octagon\")]",
            unknown.as_str(),
        ),
        (
            "[(kind: \"bvh\", knobs: {\"looseness\": 2})]",
            "x.ron:5:44: bvh has no knob 'looseness'; it has leaf_size, update, rebuild_at",
        ),
        (
            "[(kind: \"quadtree\", knobs: {\"capacity\": 0})]",
            "x.ron:5:48: capacity must be a whole number from 1 to 128 (found 0)",
        ),
        (
            "[(kind: \"morton-tree\", knobs: {\"rounding\": \"round\"})]",
            "x.ron:5:51: rounding must be one of floor, truncate (found round)",
        ),
        (
            "[(kind: \"quadtree\", knobs: {\"capacity\": 4, \"capacity\": 8})]",
            "x.ron:5:35: capacity is set twice",
        ),
        (
            "[\"quadtree\"]",
            "x.ron:5:9: expected '(' (found \"quadtree\")",
        ),
        ("[()]", "x.ron:5:10: field kind is missing in Structure"),
        (
            "[(kind: 3)]",
            "x.ron:5:16: expected a text in quotes (found 3)",
        ),
        (
            "[(kind: \"bvh\", colour: 3)]",
            "x.ron:5:23: there is no field colour in Structure; the fields are kind, knobs",
        ),
        ("(kind: \"bvh\")", "x.ron:5:8: expected '[' (found '(')"),
        ("\"bvh\"", "x.ron:5:8: expected '[' (found \"bvh\")"),
        ("2", "x.ron:5:8: expected '[' (found 2)"),
    ] {
        assert_sentence(lanes(text), expected);
    }
}

#[test]
fn a_view_names_what_there_is_and_asks_what_can_be_asked() {
    let view = |text: &str| scene_with(&format!("view: {text},"));
    let full = "(show: \"battle\", layers: {\"tests\": true, \"nodes\": false}, boxes: [\"union\", \"load\"], \
                labels: Names([\"A\", \"B\"]), query: \" range 8,8 , 12,12\", beside: \"basic-quadtree\", paused: true)";
    let scene = file::parse(view(full).as_bytes(), "x.ron").unwrap();
    let found = &scene.view;
    assert_eq!(found.show, Some(ViewKind::Battle));
    assert_eq!(
        found.layers,
        [(ViewLayer::Nodes, false), (ViewLayer::Tests, true)]
    );
    assert_eq!(
        found.boxes.as_deref(),
        Some(&[ViewBox::Load, ViewBox::Union][..])
    );
    assert_eq!(found.query.as_deref(), Some(" range 8,8 , 12,12"));
    assert!(found.paused && found.beside.is_some());
    let text = file::format(&scene);
    assert!(text.contains("\" range 8,8 , 12,12\""), "{text}");
    assert_eq!(file::parse(text.as_bytes(), "x.ron").unwrap(), scene);
    let open = file::parse(view("()").as_bytes(), "x.ron").unwrap();
    assert!(open.view.is_open() && !file::format(&open).contains("view"));
    let most: Vec<String> = (0..=limits::MAX_LABELS)
        .map(|n| format!("\"{n}\""))
        .collect();
    for (text, expected) in [
        (
            "(show: \"picture\")",
            "x.ron:5:14: show must be one of battle, compare, streaming, volume (found \"picture\")",
        ),
        (
            "(show: \"volume\")",
            "x.ron:5:14: a scene that shows a volume must have one",
        ),
        (
            "(show: \"streaming\")",
            "x.ron:5:14: a scene that shows streaming must have a world",
        ),
        (
            "(layers: {\"units\": true, \"leaves\": true})",
            "x.ron:5:42: there is no layer leaves; the layers are units, nodes, load, query, tests, objects, rectangles, path, all-rectangles, unions, intersections",
        ),
        (
            "(layers: {\"load\": true, \"load\": false})",
            "x.ron:5:16: load is set twice",
        ),
        (
            "(layers: {\"load\": 1})",
            "x.ron:5:25: expected true or false (found 1)",
        ),
        (
            "(layers: [\"load\"])",
            "x.ron:5:16: expected '{' (found '[')",
        ),
        (
            "(boxes: [\"need\", \"cell\"])",
            "x.ron:5:24: boxes must be one of need, load, unload, union, intersection (found \"cell\")",
        ),
        (
            "(boxes: [\"need\", \"need\"])",
            "x.ron:5:24: need is named twice",
        ),
        (
            "(labels: Names([\"A\", \"a name that has too many letters\"]))",
            "x.ron:5:28: a label must be at most 20 characters without line breaks (found \"a name that has too many letters\")",
        ),
        (
            "(labels: Letters)",
            "x.ron:5:16: there is no Letters in Labels; expected one of Numbers, Names",
        ),
        (
            "(query: \"range 8,8,12\")",
            "x.ron:5:15: query is no operation: it must be 'range x,y,w,h', with 4 values with commas between them (found 3)",
        ),
        (
            "(query: \"radius 1,NaN,3\")",
            "x.ron:5:15: query is no operation: it must be 'radius x,y,r'; y must be a number from -1000000000 to 1000000000 (found 'NaN')",
        ),
        (
            "(query: \"range\\n1,1,1,1\")",
            "x.ron:5:15: query must be at most 200 characters without line breaks (found \"range\\n1,1,1,1\")",
        ),
        (
            "(beside: \"nystrom\")",
            "x.ron:5:16: beside must be one of basic-quadtree (found \"nystrom\")",
        ),
        (
            "(pace: 17)",
            "x.ron:5:14: pace must be from 0.0625 to 16 (found 17)",
        ),
        (
            "(pace: NaN)",
            "x.ron:5:14: pace must be from 0.0625 to 16 (found NaN)",
        ),
        (
            "(follow: true)",
            "x.ron:5:16: a camera that follows the character must have a world",
        ),
        (
            "(slice: (\"x\", 3))",
            "x.ron:5:15: slice is for the view of a scene with a volume",
        ),
        (
            "(depths: (0, 3))",
            "x.ron:5:16: depths is for the view of a scene with a volume",
        ),
        (
            "(rectangle: 0)",
            "x.ron:5:19: rectangle must be greater than 0 (found 0)",
        ),
        (
            "(rectangle: inf)",
            "x.ron:5:19: rectangle must be greater than 0 and at most 1000000000 (found inf)",
        ),
        (
            "(rectangle_height: -1)",
            "x.ron:5:26: rectangle_height must be greater than 0 (found -1)",
        ),
        (
            "(rectangles_a_tick: 1000001)",
            "x.ron:5:27: rectangles_a_tick must be a whole number from 0 to 1000000 (found 1000001)",
        ),
        (
            "(rectangles_a_tick: -1)",
            "x.ron:5:27: rectangles_a_tick must be a whole number from 0 to 1000000 (found -1)",
        ),
        (
            "(nearest: 4097)",
            "x.ron:5:17: nearest must be a whole number from 1 to 4096 (found 4097)",
        ),
        (
            "(nearest: 2.5)",
            "x.ron:5:17: nearest must be a whole number from 1 to 4096 (found 2.5)",
        ),
        (
            "(brush_radius: 501)",
            "x.ron:5:22: brush_radius must be from 0.5 to 500 (found 501)",
        ),
        (
            "(brush_width: (3, 2))",
            "x.ron:5:21: brush_width must be the least and the greatest, from 0 to 1000 (found (3, 2))",
        ),
        (
            "(stopped: true)",
            "x.ron:5:8: there is no field stopped in View; the fields are show, layers, boxes, labels, query, beside, paused, pace, tree, follow, slice, depths, rectangle, rectangle_height, rectangles_a_tick, nearest, brush_radius, brush_width",
        ),
    ] {
        assert_sentence(view(text), expected);
    }
    let text = view(&format!("(labels: Names([{}]))", most.join(", ")));
    let error = sentence(text);
    assert!(
        error.ends_with("the list has more than 200 items"),
        "{error}"
    );
}

#[test]
fn numbers_that_are_none_are_named_as_they_were_written() {
    let speed =
        |value: &str| army_with(&format!("count: 1, formation: Spot(1, 2), speed: {value}"));
    for bad in [
        "-4", "NaN", "inf", "-inf", "1e400", "-1e400", "1e39", "100001",
    ] {
        assert_sentence(
            speed(bad),
            &format!("x.ron:5:63: speed must be from 0 to 100000 (found {bad})"),
        );
    }
    assert_sentence(
        speed("\"fast\""),
        "x.ron:5:63: expected a number (found \"fast\")",
    );
    let field = |corner: &str| scene_with("").replace("(10, 10)", corner);
    for bad in ["NaN", "inf", "1e400", "1000000100"] {
        assert_sentence(
            field(&format!("(10, {bad})")),
            &format!("x.ron:3:26: y of field must be from -1000000000 to 1000000000 (found {bad})"),
        );
    }
    assert_sentence(
        field("(10, 0)"),
        "x.ron:3:12: field must be wider and higher than 0 (found ((0, 0), (10, 0)))",
    );
    assert_sentence(
        field("(-1, 10)"),
        "x.ron:3:12: field must be a lower corner followed by an upper corner (found ((0, 0), (-1, 10)))",
    );
    for bad in ["-1", "0.5", "18446744073709551616", "NaN"] {
        assert_sentence(
            scene_with(&format!("seed: {bad},")),
            &format!(
                "x.ron:5:7: seed must be a whole number from 0 to 18446744073709551615 (found {bad})"
            ),
        );
    }
}

#[test]
fn absurd_counts_are_turned_away() {
    for bad in [
        "-3",
        "2.5",
        "2000001",
        "1e400",
        "99999999999999999999999999",
    ] {
        assert_sentence(
            army_with(&format!("count: {bad}, formation: Spot(1, 2)")),
            &format!("x.ron:5:30: count must be a whole number from 0 to 2000000 (found {bad})"),
        );
    }
    assert_sentence(
        scene_with(
            "armies: [(side: Blue, count: 1500000, formation: Spot(1, 2)),\n(side: Orange, count: 500001, formation: Spot(1, 2))],",
        ),
        "x.ron:6:23: all armies together must have at most 2000000 units (found 2000001 up to here)",
    );
    assert_sentence(
        scene_with(
            "world: (objects: [Scatter(count: 2000001, area: ((0, 0), (1, 1)), size: Point, assets: [\"a.png\"])]),",
        ),
        "x.ron:5:34: count must be a whole number from 0 to 2000000 (found 2000001)",
    );
    let scatter =
        "Scatter(count: 1000001, area: ((0, 0), (1, 1)), size: Point, assets: [\"a.png\"])";
    assert_sentence(
        scene_with(&format!("world: (objects: [{scatter},\n{scatter}]),")),
        "x.ron:6:1: a world must have at most 2000000 objects (found 2000002 up to here)",
    );
    let many = "(side: Blue, count: 0, formation: Spot(1, 2)),".repeat(1001);
    let said = sentence(scene_with(&format!("armies: [{many}],")));
    assert!(
        said.ends_with(": the list has more than 1000 items"),
        "{said}"
    );
    assert_sentence(
        army_with("count: 1, formation: Spot(1, 2), hit_points: 0"),
        "x.ron:5:68: hit_points must be a whole number from 1 to 65535 (found 0)",
    );
    assert_sentence(
        army_with("formation: Spot(1, 2)"),
        "x.ron:5:10: count is missing",
    );
    assert_sentence(
        army_with("count: 3, formation: Explicit([(1, 2), (3, 4)])"),
        "x.ron:5:30: count must be the number of positions, 2, or left out (found 3)",
    );
}

#[test]
fn formations_sizes_and_orders_are_checked() {
    for (rest, expected) in [
        (
            "count: 1, formation: Ranks((5, 5), (1, 9))",
            "x.ron:5:44: the box must be a lower corner followed by an upper corner (found Ranks((5, 5), (1, 9)))",
        ),
        (
            "count: 1, formation: Ring(center: (0, 0), inner: 5, outer: 3)",
            "x.ron:5:72: inner must be at most outer, 3 (found 5)",
        ),
        (
            "count: 1, formation: Ring(center: (1e9, 0), outer: 1e3)",
            "x.ron:5:74: units would stand farther than 1000000000 m from the origin",
        ),
        (
            "count: 1, formation: Clusters(area: ((0, 0), (1, 1)), count: 0, spread: 3)",
            "x.ron:5:84: count must be a whole number from 1 to 2000000 (found 0)",
        ),
        (
            "count: 1, formation: Spot(1, 2), order: March(0, 0)",
            "x.ron:5:63: the direction of March must be other than (0, 0) (found March(0, 0))",
        ),
        (
            "count: 1, formation: Spot(1, 2), size: Pareto(min: 0, max: 3, exponent: 1)",
            "x.ron:5:74: min must be greater than 0 (found 0)",
        ),
        (
            "count: 1, formation: Spot(1, 2), size: Between(3, 1)",
            "x.ron:5:73: the greatest half extent must be at least the least, 3 (found 1)",
        ),
        (
            "formation: Explicit([(1, 2), (3, 2e9)])",
            "x.ron:5:56: y of the point must be from -1000000000 to 1000000000 (found 2e9)",
        ),
    ] {
        assert_sentence(army_with(rest), expected);
    }
}

#[test]
fn the_world_and_the_character_are_checked() {
    for (extra, expected) in [
        (
            "world: (lead: 0),",
            "x.ron:5:15: lead must be greater than 0 (found 0)",
        ),
        (
            "world: (margin: -1),",
            "x.ron:5:17: margin must be greater than 0 (found -1)",
        ),
        (
            "world: (need_min: 500),",
            "x.ron:5:19: need_min must be at most need_max, 400 (found 500)",
        ),
        (
            "world: (objects: [Object((1, 2), (3, -4), \"a.png\")]),",
            "x.ron:5:38: the half extent must be from 0 to 1000000000 (found -4)",
        ),
        (
            "world: (objects: [Scatter(count: 1, area: ((0, 0), (1, 1)), size: Point, assets: [])]),",
            "x.ron:5:82: assets must be at least one picture (found [])",
        ),
        (
            "camera: (center: (0, 0), height: 0),",
            "x.ron:5:34: height must be greater than 0 (found 0)",
        ),
        (
            "character: (position: (0, 0), speed: NaN),",
            "x.ron:5:38: speed must be greater than 0 and at most 100000 (found NaN)",
        ),
        (
            "character: (position: (0, 0), paths: [(name: \"a\", points: [])]),",
            "x.ron:5:59: points must be at least one point (found [])",
        ),
        (
            "character: (position: (0, 0), paths: [(name: \"a\", kind: Jump(0), points: [(0, 0)])]),",
            "x.ron:5:57: the stay must be greater than 0 (found Jump(0))",
        ),
        (
            "character: (position: (0, 0), paths: [(name: \"a\", kind: Recorded, points: [(0, 0), (1, 1)], velocities: [(1, 1), (2, 2)])]),",
            "x.ron:5:105: velocities must be one for each point after the first of a recorded path (found [(1, 1), (2, 2)])",
        ),
        (
            "character: (position: (0, 0), paths: [(name: \"a\", kind: Recorded, points: [(0, 0)], velocities: [(1, 1)])]),",
            "x.ron:5:97: velocities must be one for each point after the first of a recorded path (found [(1, 1)])",
        ),
        (
            "character: (position: (0, 0), paths: [(name: \"a\", points: [(0, 0), (1, 1)], velocities: [(1, 2)])]),",
            "x.ron:5:89: velocities must be one for each point after the first of a recorded path (found [(1, 2)])",
        ),
        (
            "character: (position: (0, 0), paths: [(name: \"a\", kind: Recorded, points: [(0, 0), (1, 1)], velocities: [(1, inf)])]),",
            "x.ron:5:110: y of the velocity must be from -1000000000000 to 1000000000000 (found inf)",
        ),
        (
            "character: (position: (0, 0), paths: [(name: \"a\", kind: Recorded, points: [(0, 0), (1, 1)], velocities: [(-1.1e12, 0)])]),",
            "x.ron:5:107: x of the velocity must be from -1000000000000 to 1000000000000 (found -1.1e12)",
        ),
        (
            "character: (position: (0, 0), paths: [(name: \"a\", points: [(0, 0)]), (name: \"a\", points: [(0, 0)])]),",
            "x.ron:5:77: name must be unique among the paths (found \"a\")",
        ),
        (
            "character: (position: (0, 0), paths: [(name: \"a\", points: [(0, 0)])], follow: \"b\"),",
            "x.ron:5:79: follow must be the name of one of the paths, or empty for a character that stands (found \"b\")",
        ),
    ] {
        assert_sentence(scene_with(extra), expected);
    }
}

#[test]
fn a_picture_lies_below_the_folder_of_its_scene() {
    for bad in [
        "",
        "/etc/passwd",
        "../a.png",
        "a/../../b.png",
        "a//b.png",
        "./a.png",
        "a/",
        "C:/a.png",
        "a\\\\b.png",
        "a\\n.png",
        &"a".repeat(251),
    ] {
        let text = scene_with(&format!(
            "world: (objects: [Object((1, 2), (3, 4), \"{bad}\")]),"
        ));
        let sentence = sentence(text);
        assert!(
            sentence.starts_with("x.ron:5:42: a picture must be a path below the scene's folder"),
            "{sentence}"
        );
    }
}

#[test]
fn budgets_and_bytes_are_checked() {
    let scatter = |bytes: &str| {
        scene_with(&format!(
            "world: (objects: [Scatter(count: 1, area: ((0, 0), (1, 1)), size: Point, assets: [\"a.png\"], bytes: {bytes})]),"
        ))
    };
    file::parse(scatter("(0, 67108864)").as_bytes(), "x.ron").unwrap();
    for bad in ["(2, 1)", "(-1, 1)", "(1, 67108865)", "(1, 1.5)"] {
        let sentence = sentence(scatter(bad));
        let expected = format!(
            "bytes must be a least and a greatest whole number from 0 to 67108864 (found {bad})"
        );
        assert!(sentence.ends_with(&expected), "{sentence}");
    }
    let budgets = |text: &str| scene_with(&format!("world: (budgets: ({text})),"));
    file::parse(
        budgets("memory_cap: 1, requests_in_flight: 1").as_bytes(),
        "x.ron",
    )
    .unwrap();
    assert_sentence(
        budgets("memory_cap: 0"),
        "x.ron:5:31: memory_cap must be a whole number from 1 to 1125899906842624 (found 0)",
    );
    assert_sentence(
        budgets("requests_in_flight: 5000000000"),
        "x.ron:5:39: requests_in_flight must be a whole number from 1 to 4294967295 (found 5000000000)",
    );
    assert_sentence(
        budgets("uploads: 3"),
        "x.ron:5:19: there is no field uploads in Budgets; the fields are requests_in_flight, bytes_in_flight, uploads_per_update, upload_bytes_per_update, unloads_per_update, memory_cap",
    );
}

#[test]
fn erased_units_are_numbers_of_the_army_in_ascending_order() {
    let without = |list: &str| {
        army_with(&format!(
            "count: 10, formation: Spot(1, 2),\n        without: {list}"
        ))
    };
    for fine in [
        "[]",
        "[0]",
        "[9,]",
        "[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]",
        "[1.0, 2e0]",
    ] {
        file::parse(without(fine).as_bytes(), "x.ron").unwrap();
    }
    assert_sentence(
        without("[2, 7, 4]"),
        "x.ron:6:25: without must be in ascending order (found 4 after 7)",
    );
    assert_sentence(
        without("[2, 7, 7]"),
        "x.ron:6:25: without must be in ascending order (found 7 after 7)",
    );
    for bad in ["10", "-1", "0.5", "4294967296", "1e400", "NaN"] {
        assert_sentence(
            without(&format!("[2, {bad}]")),
            &format!(
                "x.ron:6:22: without must be whole numbers from 0 and below the army's count, 10 (found {bad})"
            ),
        );
    }
    assert_sentence(
        army_with("formation: Explicit([(1, 2), (3, 4)]), without: [2]"),
        "x.ron:5:72: without must be whole numbers from 0 and below the army's count, 2 (found 2)",
    );
    assert_sentence(
        army_with("count: 0, formation: Spot(1, 2), without: [0]"),
        "x.ron:5:66: without must be whole numbers from 0 and below the army's count, 0 (found 0)",
    );
    assert_sentence(without("3"), "x.ron:6:18: expected '[' (found 3)");
    // The limit of units is one of those that are generated, whether or not they are there.
    assert_sentence(
        scene_with(
            "armies: [(side: Blue, count: 2000000, formation: Spot(1, 2), without: [0]),\n(side: Orange, count: 1, formation: Spot(1, 2))],",
        ),
        "x.ron:6:23: all armies together must have at most 2000000 units (found 2000001 up to here)",
    );
}

#[test]
fn what_streaming_was_set_to_is_checked() {
    for (extra, expected) in [
        (
            "reach_scale: -1,",
            "x.ron:5:14: reach_scale must be from 0 to 100 (found -1)",
        ),
        (
            "reach_scale: 101,",
            "x.ron:5:14: reach_scale must be from 0 to 100 (found 101)",
        ),
        (
            "reach_scale: NaN,",
            "x.ron:5:14: reach_scale must be from 0 to 100 (found NaN)",
        ),
        (
            "keep_apart: -0.5,",
            "x.ron:5:13: keep_apart must be from 0 to 100 (found -0.5)",
        ),
        (
            "keep_apart: 101,",
            "x.ron:5:13: keep_apart must be from 0 to 100 (found 101)",
        ),
        (
            "keep_apart: NaN,",
            "x.ron:5:13: keep_apart must be from 0 to 100 (found NaN)",
        ),
        (
            "world: (predict_seconds: -0.5),",
            "x.ron:5:26: predict_seconds must be from 0 to 3600 (found -0.5)",
        ),
        (
            "world: (index: \"octree\"),",
            "x.ron:5:16: index must be one of two-trees, dual, whole-unload-tree, brute-force (found \"octree\")",
        ),
        (
            "world: (disk: (mbps: -4)),",
            "x.ron:5:22: mbps must be from 0 to 1000000 (found -4)",
        ),
        (
            "world: (disk: (mbps: 1, latency_ms: inf)),",
            "x.ron:5:37: latency_ms must be from 0 to 1000000 (found inf)",
        ),
        (
            "world: (disk: (rate: 1)),",
            "x.ron:5:16: there is no field rate in Disk; the fields are mbps, latency_ms",
        ),
    ] {
        assert_sentence(scene_with(extra), expected);
    }
}

#[test]
fn scattered_objects_are_left_out_and_moved_by_numbers_in_ascending_order() {
    let scatter = |more: &str| {
        scene_with(&format!(
            "world: (objects: [Scatter(count: 9, area: ((0, 0), (1, 1)), size: Point, assets: [\"a.png\"], {more})]),"
        ))
    };
    for fine in [
        "without: [0, 8], moved: []",
        "moved: [(0, (1, 2)), (8, (-3, 4))]",
        "without: [3], moved: [(3, (1, 2))], bytes: (1, 2)",
    ] {
        file::parse(scatter(fine).as_bytes(), "x.ron").unwrap();
    }
    for (wrong, sentence) in [
        (
            "without: [4, 2]",
            "without must be in ascending order (found 2 after 4)",
        ),
        (
            "without: [9]",
            "without must be whole numbers from 0 and below the scatter's count, 9 (found 9)",
        ),
        (
            "moved: [(4, (0, 0)), (4, (1, 1))]",
            "moved must be in ascending order (found 4 after 4)",
        ),
        (
            "moved: [(-1, (0, 0))]",
            "moved must be whole numbers from 0 and below the scatter's count, 9, each with a place (found (-1, (0, 0)))",
        ),
        (
            "moved: [(1, (0, NaN))]",
            "y of a place must be from -1000000000 to 1000000000 (found NaN)",
        ),
        (
            "sized: [(9, (1, 1))]",
            "sized must be whole numbers from 0 and below the scatter's count, 9, each with a size (found (9, (1, 1)))",
        ),
        (
            "sized: [(1, (1, -2))]",
            "the half extent must be from 0 to 1000000000 (found -2)",
        ),
    ] {
        let said = file::parse(scatter(wrong).as_bytes(), "x.ron")
            .unwrap_err()
            .to_string();
        let place = said
            .strip_suffix(sentence)
            .unwrap_or_else(|| panic!("{said}"));
        assert!(place.starts_with("x.ron:5:"), "{said}");
    }
    // Those that are generated count, whether or not they are there.
    let all = "world: (objects: [Scatter(count: 2000000, area: ((0, 0), (1, 1)), size: Point, assets: [\"a.png\"], without: [0]), Object((0, 0), (1, 1), \"a.png\")]),";
    let said = file::parse(scene_with(all).as_bytes(), "x.ron")
        .unwrap_err()
        .to_string();
    assert!(
        said.ends_with("a world must have at most 2000000 objects (found 2000001 up to here)"),
        "{said}"
    );
}

#[test]
fn names_and_captions_fit_on_a_line() {
    assert_sentence(
        scene_with("name: \"a\\nb\","),
        "x.ron:5:7: name must be at most 100 characters without line breaks (found \"a\\nb\")",
    );
    assert!(
        sentence(scene_with(&format!("name: \"{}\",", "a".repeat(101)))).contains("at most 100")
    );
    assert!(
        sentence(scene_with(&format!("caption: \"{}\",", "a ".repeat(501))))
            .contains("at most 1000 characters")
    );
    // What a message quotes moves no cursor.
    assert!(sentence(scene_with("name: \"\u{1b}[2J\",")).contains("\\u{1b}[2J"));
}

#[test]
fn every_knob_turns_away_what_is_out_of_its_range() {
    for kind in Kind::ALL {
        let info = kind.info();
        let knobs = |knobs: &str| {
            scene_with("").replace(
                "kind: \"all-pairs\"",
                &format!("kind: \"{}\", knobs: {{{knobs}}}", info.key),
            )
        };
        let unknown = sentence(knobs("\"no_such_knob\": 1"));
        assert!(unknown.contains("has no knob 'no_such_knob'"), "{unknown}");
        for knob in info.knobs {
            let bad = match knob.range {
                KnobRange::Number { .. } => {
                    &["-1e30", "NaN", "1e400", "\"many\"", "[1]", "true"][..]
                }
                _ => &["7", "\"no such word\"", "NaN"],
            };
            for bad in bad {
                let sentence = sentence(knobs(&format!("\"{}\": {bad}", knob.key)));
                assert!(
                    sentence.contains(&format!("{} must be", knob.key))
                        || sentence.contains("expected"),
                    "{sentence}"
                );
            }
            if knob.key == "cell_size" {
                for bad in ["0", "-4"] {
                    let sentence = sentence(knobs(&format!("\"cell_size\": {bad}")));
                    assert!(sentence.contains("cell_size must be"), "{sentence}");
                    assert!(sentence.ends_with(&format!("(found {bad})")), "{sentence}");
                }
            }
            let fine = match knob.range {
                KnobRange::Number { .. } if !knob.may_be_auto() => knob.format(knob.default),
                _ => format!("\"{}\"", knob.format(knob.default)),
            };
            let twice = format!("\"{0}\": {fine}, \"{0}\": {fine}", knob.key);
            assert!(sentence(knobs(&twice)).ends_with(&format!("{} is set twice", knob.key)));
        }
    }
}

#[test]
fn deep_nesting_is_a_sentence_and_no_overflow() {
    const DEEP: usize = 100_000;
    for bracket in ["(", "[", "{", "Some(", "(a:", "[(", "{\"a\":"] {
        let sentence = sentence(bracket.repeat(DEEP));
        assert!(
            sentence.contains("brackets are nested more than 64 deep"),
            "{sentence}"
        );
    }
    let closed = format!("{}{}", "[".repeat(DEEP), "]".repeat(DEEP));
    let knob = format!("kind: \"all-pairs\", knobs: {{\"a\": {closed}}}");
    assert!(sentence(scene_with("").replace("kind: \"all-pairs\"", &knob)).contains("nested"));
    assert!(sentence("/*".repeat(DEEP)).contains("within the comment"));
    // As deep as is allowed, the reader behind the check has to cope as well.
    let allowed = format!("{}{}", "[".repeat(61), "]".repeat(61));
    let knob = format!("kind: \"all-pairs\", knobs: {{\"a\": {allowed}}}");
    sentence(scene_with("").replace("kind: \"all-pairs\"", &knob));
}

#[test]
fn what_is_not_utf8_is_named_with_its_place() {
    let mut bytes = scene_with("name: \"\u{e4}?\",").into_bytes();
    let place = bytes.iter().position(|byte| *byte == b'?').unwrap();
    bytes[place] = 0xff;
    assert_sentence(&bytes, "x.ron:5:9: the text is not UTF-8 (found byte 0xff)");
    assert_sentence(
        [0xff, 0xfe, b'(', 0],
        "x.ron:1:1: the text is not UTF-8 (found byte 0xff)",
    );
    // A byte order mark is no column.
    assert_sentence(
        [0xef, 0xbb, 0xbf, b'(', 0xba],
        "x.ron:1:2: the text is not UTF-8 (found byte 0xba)",
    );
}

#[test]
fn a_file_that_cannot_be_read_is_a_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let said = |path: &Path| {
        let sentence = file::read(path).unwrap_err().to_string();
        sentence.replace(&folder.path().display().to_string(), "FOLDER")
    };
    assert_eq!(
        said(&folder.path().join("none.ron")),
        "FOLDER/none.ron: there is no such file"
    );
    assert_eq!(
        said(folder.path()),
        "FOLDER: it is a folder, not a scene file"
    );
    let long = folder.path().join("long.ron");
    // A file with a hole: its length is there, its bytes are not.
    std::fs::File::create(&long)
        .unwrap()
        .set_len(limits::MAX_FILE_BYTES + 1)
        .unwrap();
    assert_eq!(
        said(&long),
        "FOLDER/long.ron: the file is longer than 128 MiB"
    );
    assert!(said(&folder.path().join("a\nb.ron")).contains("a\\nb.ron: there is no such file"));
}

#[test]
fn saving_where_it_cannot_be_is_a_sentence_and_leaves_the_old_file() {
    let folder = tempfile::tempdir().unwrap();
    let scene = file::built_in();
    let said = |path: &Path| {
        let sentence = file::write(path, &scene).unwrap_err().to_string();
        assert!(!sentence.contains('\n'));
        sentence.replace(&folder.path().display().to_string(), "FOLDER")
    };
    assert_eq!(said(folder.path()), "FOLDER: not saved: it is a folder");
    assert_eq!(
        said(&folder.path().join("none/a.ron")),
        "FOLDER/none/a.ron: not saved: there is no such folder"
    );
    #[cfg(target_os = "linux")]
    assert_eq!(
        said(Path::new("/proc/a.ron")),
        "/proc/a.ron: not saved: no file can be made in that folder"
    );
    let locked = folder.path().join("locked.ron");
    std::fs::write(&locked, "old").unwrap();
    let mut permissions = std::fs::metadata(&locked).unwrap().permissions();
    permissions.set_readonly(true);
    std::fs::set_permissions(&locked, permissions).unwrap();
    assert_eq!(
        said(&locked),
        "FOLDER/locked.ron: not saved: it is read-only"
    );
    assert_eq!(std::fs::read_to_string(&locked).unwrap(), "old");
    #[cfg(target_os = "linux")]
    assert!(said(Path::new("/proc/a.ron")).starts_with("/proc/a.ron: not saved: "));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn a_scene_that_would_not_read_back_is_not_saved() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.ron");
    let mut scene = file::built_in();
    scene.armies[0].speed = f32::NAN;
    let sentence = file::write(&path, &scene).unwrap_err().to_string();
    assert!(
        sentence.ends_with("not saved: speed must be from 0 to 100000 (found NaN)"),
        "{sentence}"
    );
    assert!(!path.exists());
}

#[test]
fn a_message_quotes_no_page() {
    let name = "a".repeat(20_000);
    let sentence = sentence(scene_with("").replace(
        "kind: \"all-pairs\"",
        &format!("kind: \"bvh\", knobs: {{\"{name}\": 1}}"),
    ));
    assert!(sentence.len() < 1_000, "{} bytes", sentence.len());
    assert!(
        sentence.starts_with("x.ron:4:20042: bvh has no knob 'aaa"),
        "{sentence}"
    );
    assert!(
        sentence.ends_with("aaa'; it has leaf_size, update, rebuild_at"),
        "{sentence}"
    );
}

#[test]
fn letters_of_several_bytes_move_no_place_in_a_recording() {
    let scene = |name: &str| {
        format!(
            "(version: 1, name: \"{name}\", field: ((0, 0), (1, 1)), structure: (kind: \"kd-tree\"))"
        )
    };
    for (text, mark, said) in [
        (
            "(version: 1, folder: \"\u{e9}\u{e9}\u{e9}\", scene: (version: 7))".to_owned(),
            '7',
            "version must be 1 (found 7)",
        ),
        (
            format!(
                "(version: 1, scene: {}, Colour: 1)",
                scene("\u{e9}\u{e9}\u{e9}")
            ),
            'C',
            "there is no field Colour in Written",
        ),
        // White space that has three bytes.
        (
            format!("(version: 1, scene: \u{2028}{}, Colour: 1)", scene("")),
            'C',
            "there is no field Colour in Written",
        ),
    ] {
        let error = Recording::parse(text.as_bytes(), "x.ron")
            .expect_err("it is bad")
            .to_string();
        let column = text.chars().position(|c| c == mark).unwrap() + 1;
        let expected = format!("x.ron:1:{column}: {said}");
        assert!(error.starts_with(&expected), "{error}, not {expected}");
    }
}
