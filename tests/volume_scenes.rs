//! Scenes of the third dimension: the way to their text and back, what is wrong in one, whom their flocks are made of, and the
//! ground below.

use proptest::prelude::*;
use skirmish::geometry::{Aabb, Vec2};
use skirmish::partition::{AUTO, COORDINATE_LIMIT, Kind, KnobRange};
use skirmish::scene::{
    Flock, Formation3, Hills, Motion, Muster, Orbit, Scene, Side, Size, StructureChoice,
    StructureChoice3, View, ViewKind, Volume, file, generate, limits,
};
use skirmish::volume::{Aabb3, Kind3, Vec3};
use std::path::Path;

/// A scene with a volume that is fine, with `extra` on its fifth line and `inner` on its sixth, within the volume.
fn scene_with(extra: &str, inner: &str) -> String {
    format!(
        "(\n    version: 1,\n    field: ((0, 0), (100, 50)),\n    structure: (kind: \"octree\"),\n{extra}\nvolume: (heights: (0, 40), {inner}),\n)\n"
    )
}

/// A scene with one flock, with `rest` behind its side.
fn flock_with(rest: &str) -> String {
    scene_with("", &format!("flocks: [(side: Blue, {rest})]"))
}

fn parsed(text: impl AsRef<[u8]>) -> Scene {
    file::parse(text.as_ref(), "x.ron").unwrap_or_else(|error| panic!("{error}"))
}

#[track_caller]
fn assert_sentence(text: impl AsRef<[u8]>, expected: &str) {
    let error = file::parse(text.as_ref(), "x.ron").expect_err("the scene is bad");
    assert_eq!(error.to_string(), expected);
}

fn shipped(name: &str) -> Scene {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes");
    file::read(&folder.join(name)).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn what_is_left_out_is_as_it_is_by_default() {
    let scene = parsed(scene_with("", ""));
    let volume = scene.volume.expect("a volume");
    assert_eq!(volume, Volume::new((0.0, 40.0), Vec::new()));
    assert_eq!(scene.structure, StructureChoice::new(Kind::ALL[0]));
    let scene = parsed(flock_with("count: 3, formation: Spot(1, 2, 3)"));
    let flock = Flock::new(Side::Blue, 3, Formation3::Spot(Vec3::new(1.0, 2.0, 3.0)));
    assert_eq!(scene.volume.expect("a volume").flocks, [flock]);
    assert_eq!(
        scene.armies.len() + scene.lanes.len(),
        0,
        "a volume has flocks and lanes of its own"
    );
}

#[test]
fn everything_that_may_be_said_is_kept() {
    let lanes = "lanes: [(kind: \"grid-3d\"), (kind: \"octree\", knobs: {\"capacity\": 4})], reach_scale: 2, view: (show: \"volume\", paused: true),";
    let inner = "hills: (height: 10, spacing: 25), reach: 3, camera: (pivot: (1, 2, 3), distance: 90, azimuth: -31, elevation: 21.5), \
         flocks: [(side: Orange, formation: Explicit([(1, 2, 3), (4, 5, 6), (7, 8, 9)]), motion: Flee, speed: 1.5, sight: 7, hit_points: 3, size: Fixed(1, 2, 3), without: [1]), \
         (side: Blue, count: 9, formation: Spot(1, 2, 3), moved: [(2, (4, 5, 6)), (7, (1, 2, -3))])]";
    let scene = parsed(scene_with(lanes, inner));
    assert_eq!(scene.reach_scale, 2.0);
    assert_eq!(scene.view.show, Some(ViewKind::Volume));
    assert!(scene.view.paused);
    assert_eq!(scene.unit_count(), 11);
    let mut capacity = StructureChoice3::new(Kind3::Octree);
    capacity.set("capacity", "4").expect("a knob of the octree");
    let positions = [1.0, 4.0, 7.0].map(|x| Vec3::new(x, x + 1.0, x + 2.0));
    let flock = Flock {
        motion: Motion::Flee,
        speed: 1.5,
        sight: 7.0,
        hit_points: 3,
        size: Size::Fixed(Vec3::new(1.0, 2.0, 3.0)),
        without: vec![1],
        ..Flock::new(Side::Orange, 3, Formation3::Explicit(positions.to_vec()))
    };
    let moved = Flock {
        moved: vec![
            (2, Vec3::new(4.0, 5.0, 6.0)),
            (7, Vec3::new(1.0, 2.0, -3.0)),
        ],
        ..Flock::new(Side::Blue, 9, Formation3::Spot(Vec3::new(1.0, 2.0, 3.0)))
    };
    let recruits = generate::flock(&scene, 1).positions;
    assert_eq!(recruits[7], moved.moved[1].1);
    assert_eq!(recruits[6], Vec3::new(1.0, 2.0, 3.0));
    let volume = Volume {
        hills: Some(Hills {
            height: 10.0,
            spacing: 25.0,
        }),
        reach: 3.0,
        lanes: vec![StructureChoice::new(Kind3::Grid), capacity],
        camera: Some(Orbit {
            pivot: Vec3::new(1.0, 2.0, 3.0),
            distance: 90.0,
            azimuth: -31.0,
            elevation: 21.5,
        }),
        ..Volume::new((0.0, 40.0), vec![flock, moved])
    };
    assert_eq!(scene.volume, Some(volume));
    assert_eq!(parsed(file::format(&scene)), scene);
}

#[test]
fn the_example_in_the_documentation_is_a_scene() {
    let readme = include_str!("../scenes/README.md");
    let about = readme.split("### The volume").nth(1).expect("a chapter");
    let example = about
        .split("```ron\n")
        .nth(1)
        .and_then(|rest| rest.split("```").next());
    let scene = parsed(example.expect("an example"));
    assert_eq!(scene.unit_count(), 2_540);
    let volume = scene.volume.expect("a volume");
    assert_eq!(volume.lanes, [StructureChoice::new(Kind3::Grid)]);
    // Every word of the format is in the chapter.
    let bad = |inner: &str| {
        let error = file::parse(scene_with("", inner).as_bytes(), "x.ron");
        error.expect_err("an unknown word").to_string()
    };
    for inner in [
        "nothing: 1",
        "hills: (nothing: 1)",
        "camera: (nothing: 1)",
        "flocks: [(nothing: 1)]",
        "flocks: [(side: Blue, count: 1, formation: Nothing)]",
        "flocks: [(side: Blue, motion: Nothing)]",
        "flocks: [(side: Blue, size: Nothing)]",
    ] {
        let sentence = bad(inner);
        let words = sentence
            .rsplit_once(" are ")
            .or(sentence.rsplit_once(" of "));
        for word in words.expect("a list").1.split(", ") {
            assert!(about.contains(word), "{word} is not documented");
        }
    }
}

#[test]
fn what_a_volume_leaves_no_room_for_is_named_with_what_is_right_instead() {
    for (extra, expected) in [
        (
            "armies: [(side: Blue, count: 1, formation: Spot(1, 2))],",
            "x.ron:5:9: armies must be left out of a scene with a volume, whose units are its flocks",
        ),
        (
            "world: (),",
            "x.ron:5:8: world must be left out of a scene with a volume, for objects stream on a plane alone",
        ),
        (
            "character: (position: (1, 2)),",
            "x.ron:5:12: character must be left out of a scene with a volume, for nothing streams around anybody there",
        ),
        (
            "camera: (center: (1, 2), height: 3),",
            "x.ron:5:9: camera must be left out of a scene with a volume, which has a camera of its own within volume",
        ),
        (
            "keep_apart: 0,",
            "x.ron:5:13: keep_apart must be left out of a scene with a volume, whose units push each other within a part of their reach",
        ),
        (
            "view: (layers: {\"objects\": false}),",
            "x.ron:5:16: a scene with a volume has no layer objects",
        ),
        (
            "view: (boxes: []),",
            "x.ron:5:15: boxes must be left out of the view of a scene with a volume, which says show, layers, slice, depths, rectangle, rectangle_height, rectangles_a_tick, nearest, brush_radius, brush_width, pace and paused alone",
        ),
        (
            "view: (paused: true, labels: Numbers),",
            "x.ron:5:30: labels must be left out of the view of a scene with a volume, which says show, layers, slice, depths, rectangle, rectangle_height, rectangles_a_tick, nearest, brush_radius, brush_width, pace and paused alone",
        ),
        (
            "view: (query: \"pairs\"),",
            "x.ron:5:15: query must be left out of the view of a scene with a volume, which says show, layers, slice, depths, rectangle, rectangle_height, rectangles_a_tick, nearest, brush_radius, brush_width, pace and paused alone",
        ),
        (
            "view: (beside: \"basic-quadtree\"),",
            "x.ron:5:16: beside must be left out of the view of a scene with a volume, which says show, layers, slice, depths, rectangle, rectangle_height, rectangles_a_tick, nearest, brush_radius, brush_width, pace and paused alone",
        ),
        (
            "view: (slice: (\"w\", 3)),",
            "x.ron:5:16: the axis of slice must be one of x, y, z (found \"w\")",
        ),
        (
            "view: (slice: (\"z\", inf)),",
            "x.ron:5:21: slice must be at most 1000000000 m from the origin (found inf)",
        ),
        (
            "view: (depths: (3, 2)),",
            "x.ron:5:16: depths must be the first and the last of the depths from 0 to 12, in ascending order (found (3, 2))",
        ),
        (
            "view: (depths: (0, 13)),",
            "x.ron:5:16: depths must be the first and the last of the depths from 0 to 12, in ascending order (found (0, 13))",
        ),
        (
            "view: (nearest: 0),",
            "x.ron:5:17: nearest must be a whole number from 1 to 4096 (found 0)",
        ),
        (
            "view: (tree: true),",
            "x.ron:5:14: tree must be left out of the view of a scene with a volume, which says show, layers, slice, depths, rectangle, rectangle_height, rectangles_a_tick, nearest, brush_radius, brush_width, pace and paused alone",
        ),
        (
            "view: (show: \"battle\"),",
            "x.ron:5:14: show must be \"volume\" or left out in a scene with a volume (found \"battle\")",
        ),
    ] {
        assert_sentence(scene_with(extra, ""), expected);
    }
}

#[test]
fn a_structure_of_the_other_dimension_is_named_with_those_that_fit() {
    let keys = |keys: Vec<&str>| keys.join(", ");
    let plane = keys(Kind::ALL.iter().map(|it| it.info().key).collect());
    let space = keys(Kind3::ALL.iter().map(|it| it.info().key).collect());
    let of_plane = scene_with("", "").replace("octree", "quadtree");
    assert_sentence(
        of_plane,
        &format!(
            "x.ron:4:23: quadtree is for a scene without a volume; with one there are {space}"
        ),
    );
    assert_sentence(
        scene_with("lanes: [(kind: \"grid-3d\"), (kind: \"bvh\")],", ""),
        &format!("x.ron:5:35: bvh is for a scene without a volume; with one there are {space}"),
    );
    assert_sentence(
        scene_with("", "").replace("octree", "octagon"),
        &format!("x.ron:4:23: kind must be one of {space} (found \"octagon\")"),
    );
    assert_sentence(
        "(version: 1, field: ((0, 0), (1, 1)), structure: (kind: \"octree\"))",
        &format!("x.ron:1:57: octree is for a scene with a volume; without one there are {plane}"),
    );
    assert_sentence(
        scene_with("", "").replace("\"octree\"", "\"octree\", knobs: {\"wings\": 2}"),
        "x.ron:4:50: octree has no knob 'wings'; it has capacity, max_depth, looseness",
    );
}

#[test]
fn a_volume_is_turned_away_with_the_place_of_what_is_wrong_in_it() {
    for (inner, expected) in [
        (
            "colour: 3",
            "x.ron:6:28: there is no field colour in Volume; the fields are heights, hills, reach, camera, flocks",
        ),
        (
            "hills: (height: 0, spacing: 20)",
            "x.ron:6:44: height must be greater than 0 (found 0)",
        ),
        (
            "hills: (height: 40.5, spacing: 20)",
            "x.ron:6:44: height must be at most how high the scene is, 40 (found 40.5)",
        ),
        (
            "hills: (height: NaN, spacing: 20)",
            "x.ron:6:44: height must be greater than 0 and at most 1000000000 (found NaN)",
        ),
        (
            "hills: (height: 10, spacing: -1)",
            "x.ron:6:57: spacing must be greater than 0 (found -1)",
        ),
        (
            "hills: (height: 10, spacing: 0.0999)",
            "x.ron:6:57: spacing must be at least 0.1, a thousandth of the field's longer side (found 0.0999)",
        ),
        (
            "hills: (height: 10)",
            "x.ron:6:46: field spacing is missing in Hills",
        ),
        (
            "reach: -0.5",
            "x.ron:6:35: reach must be from 0 to 1000000000 (found -0.5)",
        ),
        (
            "camera: (pivot: (0, 0, 2e9), distance: 1, azimuth: 0, elevation: 0)",
            "x.ron:6:51: z of pivot must be from -1000000000 to 1000000000 (found 2e9)",
        ),
        (
            "camera: (pivot: (0, 0, 0), distance: 0, azimuth: 0, elevation: 0)",
            "x.ron:6:65: distance must be greater than 0 (found 0)",
        ),
        (
            "camera: (pivot: (0, 0, 0), distance: 1, azimuth: inf, elevation: 0)",
            "x.ron:6:77: azimuth must be from -360 to 360 degrees (found inf)",
        ),
        (
            "camera: (pivot: (0, 0, 0), distance: 1, azimuth: 0, elevation: 90.1)",
            "x.ron:6:91: elevation must be from -90 to 90 degrees (found 90.1)",
        ),
        ("flocks: 3", "x.ron:6:36: expected '[' (found 3)"),
    ] {
        assert_sentence(scene_with("", inner), expected);
    }
    for (heights, expected) in [
        (
            "(40, 40)",
            "x.ron:6:19: heights must be a lower one followed by a greater one (found (40, 40))",
        ),
        (
            "(0, NaN)",
            "x.ron:6:23: the upper height must be from -1000000000 to 1000000000 (found NaN)",
        ),
        (
            "(-1e10, 0)",
            "x.ron:6:20: the lower height must be from -1000000000 to 1000000000 (found -1e10)",
        ),
    ] {
        assert_sentence(scene_with("", "").replace("(0, 40)", heights), expected);
    }
    assert_sentence(
        scene_with("", "").replace("heights: (0, 40), ", ""),
        "x.ron:6:10: field heights is missing in Volume",
    );
}

#[test]
fn a_flock_is_turned_away_with_the_place_of_what_is_wrong_in_it() {
    let spot = |rest: &str| format!("count: 4, formation: Spot(1, 2, 3), {rest}");
    for (rest, expected) in [
        (
            "formation: Spot(1, 2, 3)".to_owned(),
            "x.ron:6:37: count is missing",
        ),
        (
            "count: 2000001, formation: Spot(1, 2, 3)".to_owned(),
            "x.ron:6:57: count must be a whole number from 0 to 2000000 (found 2000001)",
        ),
        (
            "count: 3, formation: Explicit([(1, 2, 3)])".to_owned(),
            "x.ron:6:57: count must be the number of positions, 1, or left out (found 3)",
        ),
        (
            "formation: Explicit([(1, 2, 3), (1, NaN, 3)])".to_owned(),
            "x.ron:6:86: y of the point must be from -1000000000 to 1000000000 (found NaN)",
        ),
        (
            "count: 1, formation: Ring(1, 2)".to_owned(),
            "x.ron:6:71: there is no Ring in Formation; expected one of Uniform, Ball, Disc, Clusters, Spot, Explicit",
        ),
        (
            "count: 1, formation: Spot(1, 2)".to_owned(),
            "x.ron:6:80: expected tuple variant Formation::Spot with 3 elements",
        ),
        (
            "count: 1, formation: Uniform((0, 0, 5), (9, 9, 4))".to_owned(),
            "x.ron:6:71: the box must be a lower corner followed by an upper corner (found Uniform((0, 0, 5), (9, 9, 4)))",
        ),
        (
            "count: 1, formation: Ball(center: (0, 0, 9e8), radius: 2e8)".to_owned(),
            "x.ron:6:105: units would stand farther than 1000000000 m from the origin",
        ),
        (
            "count: 1, formation: Ball(center: (0, 0, 0), radius: -1)".to_owned(),
            "x.ron:6:103: radius must be from 0 to 1000000000 (found -1)",
        ),
        (
            "count: 1, formation: Disc(center: (9e8, 0, 0), radius: 2e8, thickness: 1)".to_owned(),
            "x.ron:6:105: units would stand farther than 1000000000 m from the origin",
        ),
        (
            "count: 1, formation: Disc(center: (0, 0, 9e8), radius: 2e8, thickness: 3e8)"
                .to_owned(),
            "x.ron:6:121: units would stand farther than 1000000000 m from the origin",
        ),
        (
            "count: 1, formation: Clusters(area: ((0, 0, 0), (1, 1, 1)), count: 0, spread: 1)"
                .to_owned(),
            "x.ron:6:117: count must be a whole number from 1 to 2000000 (found 0)",
        ),
        (
            "count: 1, formation: Clusters(area: ((0, 0, -9e8), (1, 1, 1)), count: 1, spread: 2e7)"
                .to_owned(),
            "x.ron:6:131: units would stand farther than 1000000000 m from the origin",
        ),
        (
            spot("motion: Charge"),
            "x.ron:6:94: there is no Charge in Motion; expected one of Hold, Drift, Flock, Chase, Flee, Orbit",
        ),
        (
            spot("speed: 100001"),
            "x.ron:6:93: speed must be from 0 to 100000 (found 100001)",
        ),
        (
            spot("sight: -1"),
            "x.ron:6:93: sight must be from 0 to 1000000000 (found -1)",
        ),
        (
            spot("hit_points: 0"),
            "x.ron:6:98: hit_points must be a whole number from 1 to 65535 (found 0)",
        ),
        (
            spot("size: Fixed(1, 1, -2)"),
            "x.ron:6:104: the half extent must be from 0 to 1000000000 (found -2)",
        ),
        (
            spot("size: Between(2, 1)"),
            "x.ron:6:103: the greatest half extent must be at least the least, 2 (found 1)",
        ),
        (
            spot("size: Pareto(min: 1, max: 2, exponent: 0)"),
            "x.ron:6:125: exponent must be greater than 0 (found 0)",
        ),
        (
            spot("without: [4]"),
            "x.ron:6:96: without must be whole numbers from 0 and below the flock's count, 4 (found 4)",
        ),
        (
            spot("without: [2, 2]"),
            "x.ron:6:99: without must be in ascending order (found 2 after 2)",
        ),
        (
            spot("moved: [(4, (1, 2, 3))]"),
            "x.ron:6:94: moved must be whole numbers from 0 and below the flock's count, 4, each with a place (found (4, (1, 2, 3)))",
        ),
        (
            spot("moved: [(2, (1, 1, 1)), (2, (1, 1, 1))]"),
            "x.ron:6:110: moved must be in ascending order (found 2 after 2)",
        ),
        (
            spot("moved: [(2, (1, 2e10, 1))]"),
            "x.ron:6:102: y of a place must be from -1000000000 to 1000000000 (found 2e10)",
        ),
        (
            "formation: Explicit([(1, 2, 3)]), moved: [(0, (1, 2, 3))]".to_owned(),
            "x.ron:6:91: moved is for units that a formation places; an Explicit one has each of their places already",
        ),
        (
            spot("reach: 2"),
            "x.ron:6:86: there is no field reach in Flock; the fields are side, count, formation, motion, speed, sight, hit_points, size, without, moved, sized",
        ),
    ] {
        assert_sentence(flock_with(&rest), expected);
    }
}

#[test]
fn flocks_and_lanes_keep_their_limits() {
    let flock = "(side: Blue, count: 1500000, formation: Spot(1, 2, 3))";
    assert_sentence(
        scene_with("", &format!("flocks: [{flock}, {flock}]")),
        "x.ron:6:113: all flocks together must have at most 2000000 units (found 3000000 up to here)",
    );
    let many = vec!["(side: Blue, count: 0, formation: Spot(1, 2, 3))"; limits::MAX_ARMIES + 1];
    let error = file::parse(
        scene_with("", &format!("flocks: [{}]", many.join(", "))).as_bytes(),
        "x.ron",
    );
    let error = error.expect_err("too many flocks").to_string();
    assert!(
        error.ends_with("the list has more than 1000 items"),
        "{error}"
    );
    let lanes = "lanes: [(kind: \"octree\"), (kind: \"all-pairs-3d\")],";
    assert_sentence(
        scene_with(lanes, &format!("flocks: [{flock}]")),
        "x.ron:5:27: a lane that tests every pair follows at most 100000 units (found 1500000)",
    );
    let fewer = flock.replace("1500000", "100000");
    parsed(scene_with(lanes, &format!("flocks: [{fewer}]")));
}

/// A scene whose volume has this formation for each of `count` units.
fn scene_of(count: u32, formation: Formation3, size: Size<Vec3>) -> Scene {
    let mut scene = parsed(scene_with("seed: 5,", ""));
    let flock = Flock {
        size,
        ..Flock::new(Side::Blue, count, formation)
    };
    scene.volume = Some(Volume::new((0.0, 40.0), vec![flock]));
    scene
}

#[test]
fn every_formation_has_exactly_its_count_and_is_seeded() {
    let area = Aabb3::new(Vec3::new(-5.0, 0.0, 2.0), Vec3::new(5.0, 9.0, 4.0));
    let center = Vec3::new(3.0, 4.0, 5.0);
    for formation in [
        Formation3::Uniform(area),
        Formation3::Ball {
            center,
            radius: 6.0,
        },
        Formation3::Disc {
            center,
            radius: 6.0,
            thickness: 2.0,
        },
        Formation3::Clusters {
            area,
            count: 4,
            spread: 2.0,
        },
        Formation3::Spot(center),
    ] {
        for count in [0, 1, 2, 7, 500] {
            let scene = scene_of(count, formation.clone(), Size::Between(0.5, 1.0));
            let recruits = generate::flock(&scene, 0);
            assert_eq!(recruits.positions.len(), count as usize, "{formation:?}");
            assert_eq!(recruits.half_extents.len(), count as usize);
            assert!(recruits.half_extents.iter().all(|half_extent| {
                let range = 0.5..=1.0;
                half_extent.x == half_extent.y
                    && half_extent.x == half_extent.z
                    && range.contains(&half_extent.x)
            }));
            assert_eq!(generate::flock(&scene, 0), recruits);
            let mut points = scene.clone();
            points.volume.as_mut().expect("a volume").flocks[0].size = Size::Point;
            let points = generate::flock(&points, 0);
            assert_eq!(points.positions, recruits.positions, "sizes move nobody");
            assert!(points.half_extents.is_empty());
        }
    }
    let scene = scene_of(1, Formation3::Spot(center), Size::Point);
    assert_eq!(generate::flock(&scene, 1), generate::Recruits3::default());
}

#[test]
fn units_are_inside_their_formation() {
    let center = Vec3::new(3.0, 4.0, 5.0);
    let positions = |formation: Formation3| {
        let scene = scene_of(4_000, formation, Size::Point);
        generate::flock(&scene, 0).positions
    };
    let area = Aabb3::new(Vec3::new(-5.0, 0.0, 2.0), Vec3::new(5.0, 9.0, 4.0));
    let uniform = positions(Formation3::Uniform(area));
    assert!(uniform.iter().all(|at| area.contains(*at)));
    let ball = positions(Formation3::Ball {
        center,
        radius: 10.0,
    });
    let far = |at: &Vec3| at.distance(center);
    assert!(ball.iter().all(|at| far(at) <= 10.001));
    // An even ball has an eighth of its units within half of its radius.
    let inner = ball.iter().filter(|at| far(at) < 5.0).count();
    assert!((400..600).contains(&inner), "{inner} of 4,000");
    let disc = positions(Formation3::Disc {
        center,
        radius: 10.0,
        thickness: 4.0,
    });
    let across = |at: &Vec3| (*at - center).truncate().length();
    for at in &disc {
        let thickness = 4.0 * (1.0 - across(at) / 10.0);
        assert!((at.z - center.z).abs() <= thickness * 0.5 + 0.001, "{at}");
    }
    // Half as far out is a quarter of the area, and has three quarters of the units.
    let inner = disc.iter().filter(|at| across(at) < 5.0).count();
    assert!((2_850..3_150).contains(&inner), "{inner} of 4,000");
    let clusters = positions(Formation3::Clusters {
        area,
        count: 2,
        spread: 0.0,
    });
    let first = clusters.iter().filter(|at| **at == clusters[0]).count();
    assert_eq!(first, 4_000 * 2 / 3, "Zipf's law");
    // A blob that is wider than there is room for is folded back into the field, the middles' box included.
    let field = scene_of(0, Formation3::Spot(center), Size::Point).field3();
    let room = field.join(area);
    let clusters = positions(Formation3::Clusters {
        area,
        count: 2,
        spread: 9.0,
    });
    assert!(clusters.iter().all(|at| room.contains(*at)));
    assert!(clusters.iter().any(|at| !area.contains(*at)));
}

#[test]
fn explicit_units_are_where_they_are_said_to_be_and_the_erased_are_not_there() {
    let scene = parsed(flock_with(
        "formation: Explicit([(1, 2, 3), (4, 5, 6), (7, 8, 9)]), without: [1], size: Between(1, 2)",
    ));
    let recruits = generate::flock(&scene, 0);
    let expected = [Vec3::new(1.0, 2.0, 3.0), Vec3::new(7.0, 8.0, 9.0)];
    assert_eq!(recruits.positions, expected);
    assert_eq!(recruits.half_extents.len(), 2);
}

#[test]
fn level_ground_is_as_low_as_the_scene_is() {
    let ground = generate::ground(&parsed(scene_with("", "").replace("(0, 40)", "(-7, 40)")));
    for (x, y) in [(0.0, 0.0), (1e9, -1e9), (f32::NAN, f32::INFINITY)] {
        assert_eq!(ground.height(x, y), -7.0);
    }
    assert_eq!(generate::ground(&file::built_in()).height(3.0, 4.0), 0.0);
}

#[test]
fn the_ground_is_bounded_everywhere_and_differs_by_the_seed() {
    let text = scene_with("", "hills: (height: 30, spacing: 20)").replace("(0, 40)", "(-5, 40)");
    let scene = parsed(text);
    let ground = generate::ground(&scene);
    let (mut lowest, mut highest) = (f32::MAX, f32::MIN);
    for step in 0..40_000 {
        let (x, y) = ((step % 200) as f32 * 1.7, (step / 200) as f32 * 1.3);
        let height = ground.height(x - 100.0, y - 50.0);
        lowest = lowest.min(height);
        highest = highest.max(height);
    }
    assert!(
        lowest >= -5.0 && highest <= 25.0,
        "from {lowest} to {highest}"
    );
    // It makes use of what it is given.
    assert!(lowest < 0.0 && highest > 20.0, "from {lowest} to {highest}");
    let odd = [
        0.0,
        -0.0,
        1e9,
        -1e9,
        3e38,
        f32::INFINITY,
        f32::NEG_INFINITY,
        f32::NAN,
    ];
    for (x, y) in odd.iter().flat_map(|x| odd.map(|y| (*x, y))) {
        let height = ground.height(x, y);
        assert!((-5.0..=25.0).contains(&height), "{height} at {x}, {y}");
        assert_eq!(height.to_bits(), ground.height(x, y).to_bits());
    }
    let other = generate::ground(&Scene { seed: 1, ..scene });
    assert_ne!(other.height(3.0, 4.0), ground.height(3.0, 4.0));
}

#[test]
fn the_ground_is_the_same_on_every_machine() {
    let scene = parsed(scene_with("seed: 3,", "hills: (height: 30, spacing: 20)"));
    let ground = generate::ground(&scene);
    let heights = [(0.0, 0.0), (12.5, -7.25), (1234.5, 8.0)].map(|(x, y)| ground.height(x, y));
    assert_eq!(heights.map(f32::to_bits), GROUND_BITS, "{heights:?}");
}

/// What the test above found when it was written.
const GROUND_BITS: [u32; 3] = [1_099_412_203, 1_085_155_370, 1_097_912_528];

fn number() -> impl Strategy<Value = f32> {
    prop_oneof![
        -1000.0_f32..1000.0,
        -COORDINATE_LIMIT..=COORDINATE_LIMIT,
        Just(-0.0),
        Just(COORDINATE_LIMIT),
        Just(f32::MIN_POSITIVE),
        Just(1.0e-45),
    ]
}

fn length() -> impl Strategy<Value = f32> {
    number().prop_map(|number| number.abs() / 32.0)
}

fn positive() -> impl Strategy<Value = f32> {
    (1.0e-3_f32..1000.0).prop_union(1.0e-30_f32..1.0e-20)
}

fn point() -> impl Strategy<Value = Vec3> {
    (number(), number(), number()).prop_map(|(x, y, z)| Vec3::new(x, y, z) / 2.0)
}

fn area() -> impl Strategy<Value = Aabb3> {
    (point(), point()).prop_map(|(a, b)| Aabb3::new(a.min(b), a.max(b)))
}

fn size() -> impl Strategy<Value = Size<Vec3>> {
    prop_oneof![
        Just(Size::Point),
        (length(), length(), length()).prop_map(|(x, y, z)| Size::Fixed(Vec3::new(x, y, z))),
        (length(), length()).prop_map(|(a, b)| Size::Between(a.min(b), a.max(b))),
        (positive(), positive(), positive()).prop_map(|(a, b, exponent)| Size::Pareto {
            min: a.min(b),
            max: a.max(b),
            exponent
        }),
    ]
}

fn formation() -> impl Strategy<Value = Formation3> {
    prop_oneof![
        area().prop_map(Formation3::Uniform),
        (point(), length()).prop_map(|(center, radius)| Formation3::Ball { center, radius }),
        (point(), length(), length()).prop_map(|(center, radius, thickness)| {
            Formation3::Disc {
                center,
                radius,
                thickness,
            }
        }),
        (area(), 1..50_u32, length()).prop_map(|(area, count, spread)| Formation3::Clusters {
            area,
            count,
            spread
        }),
        point().prop_map(Formation3::Spot),
        prop::collection::vec(point(), 0..4).prop_map(Formation3::Explicit),
    ]
}

fn flock() -> impl Strategy<Value = Flock> {
    (
        (any::<bool>(), 0..1000_u32, formation(), size()),
        prop::sample::select(&Motion::ALL[..]),
        (0.0_f32..100.0, length(), 1..=u16::MAX),
        (prop::collection::vec(0..1000_u32, 0..4), point()),
        (
            prop::collection::vec(0..1000_u32, 0..4),
            (length(), length(), length()).prop_map(Vec3::from),
        ),
    )
        .prop_map(
            |(
                (blue, count, formation, size),
                motion,
                (speed, sight, hit_points),
                (erased, at),
                (sized, half),
            )| {
                let side = if blue { Side::Blue } else { Side::Orange };
                let count = match &formation {
                    Formation3::Explicit(positions) => positions.len() as u32,
                    _ => count,
                };
                let mut flock = Flock {
                    motion,
                    speed,
                    sight,
                    hit_points,
                    size,
                    ..Flock::new(side, count, formation)
                };
                flock.erase(&erased);
                let moved: Vec<_> = erased.iter().map(|number| (*number, at)).collect();
                flock.put(&moved);
                let sized: Vec<_> = sized.iter().map(|number| (*number, half)).collect();
                flock.give_sizes(&sized);
                flock
            },
        )
}

fn structure() -> impl Strategy<Value = StructureChoice3> {
    (
        prop::sample::select(Kind3::ALL),
        prop::collection::vec(0.0_f64..1.0, 8),
    )
        .prop_map(|(kind, shares)| {
            let mut choice = StructureChoice::new(kind);
            for (index, (knob, share)) in kind.info().knobs.iter().zip(shares).enumerate() {
                let value = match knob.range {
                    _ if knob.may_be_auto() && share < 0.2 => AUTO,
                    KnobRange::Number {
                        min, max, whole, ..
                    } => {
                        let value: f64 = min + (max - min) * share;
                        if whole { value.round() } else { value }
                    }
                    KnobRange::Choice(words) => (words.len() as f64 * share).floor(),
                    KnobRange::Switch => share.round(),
                };
                // Some knobs stay at their defaults.
                if share < 0.7 {
                    choice.knobs.push((index, value));
                }
            }
            choice
        })
}

fn volume() -> impl Strategy<Value = Volume> {
    let heights = (-1000.0_f32..1000.0, 1.0_f32..1000.0).prop_map(|(low, size)| (low, low + size));
    let orbit = (point(), positive(), -360.0_f32..=360.0, -90.0_f32..=90.0).prop_map(
        |(pivot, distance, azimuth, elevation)| Orbit {
            pivot,
            distance,
            azimuth,
            elevation,
        },
    );
    (
        heights,
        prop::option::of((0.01_f32..0.9, 1.0_f32..2_000.0)),
        prop_oneof![Just(8.0), length()],
        prop::option::of(orbit),
        prop::collection::vec(flock(), 0..4),
        structure(),
        prop::collection::vec(structure(), 0..limits::MAX_LANES),
    )
        .prop_map(
            |((low, high), hills, reach, camera, flocks, structure, lanes)| Volume {
                heights: (low, high),
                hills: hills.map(|(share, spacing)| Hills {
                    height: (high - low) * share,
                    spacing,
                }),
                reach,
                flocks,
                structure,
                lanes,
                camera,
            },
        )
}

fn scene() -> impl Strategy<Value = Scene> {
    let name = || prop::string::string_regex("[ -~\u{e4}\u{20ac}\u{1f600}]{0,20}").unwrap();
    let field = (-1000.0_f32..1000.0, -1000.0_f32..1000.0, 1.0_f32..1000.0);
    let reach_scale = prop_oneof![Just(1.0), 0.0..=limits::MAX_REACH_SCALE];
    (
        (name(), name(), field, any::<u64>(), reach_scale),
        volume(),
        prop::option::of(Just(ViewKind::Volume)),
        any::<bool>(),
    )
        .prop_map(
            |((name, caption, (x, y, side), seed, reach_scale), volume, show, paused)| Scene {
                name,
                caption,
                field: Aabb::new(Vec2::new(x, y), Vec2::new(x + side, y + side)),
                seed,
                reach_scale,
                keep_apart: Scene::KEEP_APART,
                armies: Vec::new(),
                world: None,
                volume: Some(volume),
                structure: StructureChoice::new(Kind::ALL[0]),
                lanes: Vec::new(),
                camera: None,
                view: View {
                    show,
                    paused,
                    slice: paused.then_some((2, 12.5)),
                    depths: paused.then_some((1, 9)),
                    rectangle: paused.then_some(7.5),
                    rectangle_height: show.and(Some(2.5)),
                    rectangles_a_tick: paused.then_some(40),
                    nearest: paused.then_some(12),
                    brush_radius: paused.then_some(31.5),
                    brush_width: show.and(Some((0.0, 4.5))),
                    ..View::default()
                },
                character: None,
            },
        )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn a_scene_survives_its_own_text(scene in scene()) {
        let text = file::format(&scene);
        let read_back = file::parse(text.as_bytes(), "x.ron");
        prop_assert_eq!(read_back.as_ref(), Ok(&scene));
        prop_assert_eq!(file::format(&read_back.unwrap()), text);
    }

    #[test]
    fn whoever_is_there_is_within_the_limits_and_moved_by_nobody_erased(scene in scene()) {
        let mut whole = scene.clone();
        for flock in &mut whole.volume.as_mut().unwrap().flocks {
            flock.without.clear();
        }
        let mut present = 0;
        for (index, flock) in scene.volume.as_ref().unwrap().flocks.iter().enumerate() {
            let (all, left) = (generate::flock(&whole, index), generate::flock(&scene, index));
            prop_assert_eq!(all.positions.len(), flock.count as usize);
            let is_legal = |at: &Vec3| at.abs().max_element() <= COORDINATE_LIMIT;
            prop_assert!(all.positions.iter().all(is_legal));
            let numbers: Vec<u32> = flock.present().collect();
            prop_assert_eq!(left.positions.len(), numbers.len());
            present += numbers.len() as u64;
            for (place, &number) in numbers.iter().enumerate() {
                let number = number as usize;
                prop_assert_eq!(left.positions[place], all.positions[number]);
                prop_assert_eq!(left.half_extents.get(place), all.half_extents.get(number));
            }
        }
        prop_assert_eq!(scene.unit_count(), present);
    }

    #[test]
    fn the_ground_has_no_step(
        (seed, height, spacing) in (any::<u64>(), 1.0_f32..200.0, 1.0_f32..500.0),
        (x, y) in (-2_000.0_f32..2_000.0, -2_000.0_f32..2_000.0),
        (dx, dy) in (-1.0_f32..1.0, -1.0_f32..1.0),
    ) {
        let mut scene = shipped("dogfight.ron");
        scene.seed = seed;
        scene.volume.as_mut().unwrap().hills = Some(Hills { height, spacing });
        let ground = generate::ground(&scene);
        let (dx, dy) = (dx * spacing * 0.1, dy * spacing * 0.1);
        let (here, there) = (ground.height(x, y), ground.height(x + dx, y + dy));
        // What the ground says of itself: along each axis at most three times the height over the spacing.
        let steepest = 3.0 * height / spacing;
        let most = steepest * (dx.abs() + dy.abs()) + height * 1.0e-3;
        prop_assert!((here - there).abs() <= most, "{here} and {there}");
    }

    #[test]
    fn no_damage_to_a_scene_brings_the_reader_down(
        scene in scene(),
        edits in prop::collection::vec((any::<prop::sample::Index>(), prop::sample::select(&b"()[]{},:\"'\\/*-.0a\n\xff"[..])), 1..4),
    ) {
        let mut bytes = file::format(&scene).into_bytes();
        for (place, byte) in edits {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        if let Err(error) = file::parse(&bytes, "x.ron") {
            let sentence = error.to_string();
            prop_assert!(sentence.starts_with("x.ron:"));
            prop_assert!(!sentence.contains('\n'));
        }
    }
}
