//! The scenes that ship, and the way from a scene to its text and back.

use proptest::prelude::*;
use skirmish::geometry::{Aabb, Vec2};
use skirmish::partition::{AUTO, COORDINATE_LIMIT, Kind, KnobRange};
use skirmish::scene::{
    Army, Budgets, Camera, Character, Disk, Formation, Labels, Muster, ObjectGroup, Order, Path,
    PathKind, Scatter, Scene, Side, Size, SourceRule, StructureChoice, View, ViewBox, ViewKind,
    ViewLayer, World, WorldIndex, file, generate, limits,
};
use skirmish::streaming::assets;
use std::path::PathBuf;

/// Every scene file below `scenes/`.
fn shipped() -> Vec<PathBuf> {
    let mut folders = vec![PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("scenes")];
    let mut scenes = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "ron") {
                scenes.push(path);
            }
        }
    }
    scenes.sort();
    scenes
}

#[test]
fn every_shipped_scene_is_valid_and_in_canonical_form() {
    let scenes = shipped();
    assert!(scenes.len() >= 10);
    for path in scenes {
        let text = std::fs::read_to_string(&path).unwrap();
        let scene = file::read(&path).unwrap();
        assert!(
            file::format(&scene) == text,
            "{} is not canonical",
            path.display()
        );
        assert_eq!(file::parse(text.as_bytes(), "again").unwrap(), scene);
        assert!(!scene.name.is_empty() && !scene.caption.is_empty());
        assert_eq!(assets::check(&scene, path.parent().unwrap()), []);
    }
}

#[test]
fn shipped_scenes_have_the_size_that_they_are_known_for() {
    let scene = |name: &str| {
        let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("scenes");
        file::read(&folder.join(name)).unwrap()
    };
    assert_eq!(file::built_in(), scene("skirmish.ron"));
    for (name, units) in [
        ("skirmish.ron", 2_000),
        ("charge.ron", 20_000),
        ("one-spot.ron", 500),
        ("address-table.ron", 16),
        ("million.ron", 1_000_000),
        ("swarm.ron", 5_000),
        ("dogfight.ron", 1_200),
        ("galaxy.ron", 100_000),
        ("volume-one-spot.ron", 2_000),
        ("volume-mixed-sizes.ron", 3_000),
        ("volume-lanes.ron", 2_100),
    ] {
        assert_eq!(scene(name).unit_count(), units, "{name}");
    }
    assert_eq!(scene("open-world-100k.ron").object_count(), 100_000);
    let world = scene("open-world.ron");
    assert!(world.object_count() >= 2_000);
    let size = world.field.size();
    assert!(size.x >= 3_200.0 && size.y >= 2_400.0);
    let paths: Vec<String> = world
        .character
        .unwrap()
        .paths
        .into_iter()
        .map(|path| path.name)
        .collect();
    assert_eq!(paths, ["walk", "ride", "loop"]);
}

#[test]
fn the_example_in_the_documentation_is_a_scene() {
    let readme = include_str!("../scenes/README.md");
    let example = readme
        .split("```ron\n")
        .nth(1)
        .and_then(|rest| rest.split("```").next())
        .unwrap();
    // The example is about the format; the structure that it names is checked where it is registered.
    let example = match Kind::from_key("linked-grid") {
        Some(_) => example.to_owned(),
        None => example.replace(
            "\"linked-grid\", knobs: {\"cell_size\": 12}",
            "\"all-pairs\"",
        ),
    };
    let scene = file::parse(example.as_bytes(), "README.md").unwrap();
    assert_eq!(scene.unit_count(), 200);
    assert_eq!(scene.armies[1].speed, 6.5);
}

#[test]
fn defaults_options_and_comments_may_be_written_or_left_out() {
    let short = "(version: 1, field: ((0, 0), (10, 10)), structure: (kind: \"all-pairs\"))";
    let long = "\u{feff}#![enable(implicit_some)]\r\n// A comment.\r\nScene(version: 1.0, field: ((0, -0.0), (10, 1e1)), /* and /* another */ */ \
                structure: Structure(kind: \"all-pairs\", knobs: {}), seed: 0, name: \"\", camera: None, armies: [],)";
    assert_eq!(
        file::parse(short.as_bytes(), "short").unwrap(),
        file::parse(long.as_bytes(), "long").unwrap()
    );
    let with_camera = short.replace(
        "structure",
        "camera: Some((center: (1, 2), height: 3)), structure",
    );
    assert!(
        file::parse(with_camera.as_bytes(), "camera")
            .unwrap()
            .camera
            .is_some()
    );
}

#[test]
fn what_was_changed_while_a_scene_ran_has_its_place_in_the_text() {
    let mut scene = file::built_in();
    let mut world = World::new(Vec::new());
    scene.reach_scale = 2.5;
    scene.keep_apart = 0.0;
    scene.armies[0].erase(&[7, 3]);
    world.predict_seconds = Some(1.5);
    world.index = WorldIndex::Dual;
    world.disk = Some(Disk {
        mbps: 10.0,
        latency_ms: 0.0,
    });
    world.budgets.memory_cap = 20_000_000;
    scene.world = Some(world);
    let text = file::format(&scene);
    let squeezed: String = text.split_whitespace().collect();
    for part in [
        "reach_scale:2.5,",
        "keep_apart:0.0,",
        "without:[3,7,],",
        "predict_seconds:1.5,",
        "index:\"dual\",",
        "disk:(mbps:10.0,),",
        "memory_cap:20000000,",
    ] {
        assert!(squeezed.contains(part), "{part} in {text}");
    }
    assert_eq!(file::parse(text.as_bytes(), "x.ron").unwrap(), scene);
}

#[test]
fn a_disk_may_be_named_in_part_or_without_limits() {
    let disk = |text: &str| {
        let text = format!(
            "(version: 1, field: ((0, 0), (10, 10)), structure: (kind: \"all-pairs\"), world: ({text}))"
        );
        let world = file::parse(text.as_bytes(), "x.ron").unwrap().world;
        world.expect("a world").disk
    };
    let of = |mbps, latency_ms| Some(Disk { mbps, latency_ms });
    assert_eq!(disk(""), None);
    assert_eq!(disk("disk: ()"), of(0.0, 0.0));
    assert_eq!(disk("disk: (latency_ms: 8)"), of(0.0, 8.0));
    assert_eq!(disk("disk: (mbps: 0.5, latency_ms: 8)"), of(0.5, 8.0));
}

#[test]
fn erased_units_are_numbered_and_not_there() {
    let text = "(version: 1, field: ((0, 0), (10, 10)), structure: (kind: \"all-pairs\"), armies: [\
                (side: Blue, formation: Explicit([(1, 2), (3, 4), (5, 6)]), without: [1])])";
    let scene = file::parse(text.as_bytes(), "x.ron").unwrap();
    assert_eq!((scene.armies[0].count, scene.unit_count()), (3, 2));
    let places = generate::army(&scene, 0).positions;
    assert_eq!(places, [Vec2::new(1.0, 2.0), Vec2::new(5.0, 6.0)]);
}

#[test]
fn saving_replaces_a_file_as_a_whole_and_leaves_nothing_beside_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("saved.ron");
    let mut scene = file::built_in();
    file::write(&path, &scene).unwrap();
    assert_eq!(file::read(&path).unwrap(), scene);
    scene.name = "Another".to_owned();
    file::write(&path, &scene).unwrap();
    assert_eq!(file::read(&path).unwrap(), scene);
    let names: Vec<_> = std::fs::read_dir(folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    assert_eq!(names, ["saved.ron"]);
}

#[cfg(unix)]
#[test]
fn saving_through_a_symbolic_link_keeps_the_link() {
    let folder = tempfile::tempdir().unwrap();
    let (target, link) = (folder.path().join("a.ron"), folder.path().join("b.ron"));
    std::fs::write(&target, "old").unwrap();
    std::os::unix::fs::symlink(&target, &link).unwrap();
    file::write(&link, &file::built_in()).unwrap();
    assert!(link.is_symlink());
    assert_eq!(file::read(&target).unwrap(), file::built_in());
}

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

fn point() -> impl Strategy<Value = Vec2> {
    (number(), number()).prop_map(|(x, y)| Vec2::new(x, y) / 2.0)
}

fn area() -> impl Strategy<Value = Aabb> {
    (point(), point()).prop_map(|(a, b)| Aabb::new(a.min(b), a.max(b)))
}

fn size() -> impl Strategy<Value = Size> {
    prop_oneof![
        Just(Size::Point),
        (length(), length()).prop_map(|(x, y)| Size::Fixed(Vec2::new(x, y))),
        (length(), length()).prop_map(|(a, b)| Size::Between(a.min(b), a.max(b))),
        (positive(), positive(), positive()).prop_map(|(a, b, exponent)| Size::Pareto {
            min: a.min(b),
            max: a.max(b),
            exponent
        }),
    ]
}

fn formation() -> impl Strategy<Value = Formation> {
    prop_oneof![
        area().prop_map(Formation::Uniform),
        area().prop_map(Formation::Ranks),
        area().prop_map(Formation::Cross),
        (point(), length(), length()).prop_map(|(center, a, b)| Formation::Ring {
            center,
            inner: a.min(b),
            outer: a.max(b)
        }),
        (area(), 1..50_u32, length()).prop_map(|(area, count, spread)| Formation::Clusters {
            area,
            count,
            spread
        }),
        (point(), point()).prop_map(|(from, to)| Formation::Line { from, to }),
        point().prop_map(Formation::Spot),
        prop::collection::vec(point(), 0..4).prop_map(Formation::Explicit),
    ]
}

fn army() -> impl Strategy<Value = Army> {
    let order = prop_oneof![
        Just(Order::Hold),
        Just(Order::Charge),
        Just(Order::Brawl),
        point()
            .prop_filter("a direction", |direction| *direction != Vec2::ZERO)
            .prop_map(Order::March),
    ];
    (
        (prop::bool::ANY, 0..1000_u32, formation(), order, size()),
        (0.0_f32..100.0, length(), length(), 1..=u16::MAX),
        prop::collection::vec(0..1000_u32, 0..4),
        prop::collection::vec((0..1000_u32, (length(), length())), 0..4),
    )
        .prop_map(
            |(
                (blue, count, formation, order, size),
                (speed, reach, sight, hit_points),
                erased,
                sized,
            )| {
                let side = if blue { Side::Blue } else { Side::Orange };
                let count = match &formation {
                    Formation::Explicit(positions) => positions.len() as u32,
                    _ => count,
                };
                let mut army = Army {
                    order,
                    speed,
                    reach,
                    sight,
                    hit_points,
                    size,
                    ..Army::new(side, count, formation)
                };
                army.erase(&erased);
                let half_extent = |(number, half): (u32, (f32, f32))| (number, Vec2::from(half));
                let sized: Vec<_> = sized.into_iter().map(half_extent).collect();
                army.give_sizes(&sized);
                army
            },
        )
}

fn name() -> impl Strategy<Value = String> {
    prop::string::string_regex("[ -~\u{e4}\u{20ac}\u{1f600}]{0,20}").unwrap()
}

fn asset() -> impl Strategy<Value = String> {
    prop::string::string_regex("[a-z\u{e4}\"]{1,5}/[a-z ]{1,5}\\.png").unwrap()
}

fn world() -> impl Strategy<Value = World> {
    let group = prop_oneof![
        (point(), length(), length(), asset()).prop_map(|(center, x, y, asset)| {
            ObjectGroup::Object {
                center,
                half_extent: Vec2::new(x, y),
                asset,
            }
        }),
        (
            0..1000_u32,
            area(),
            size(),
            prop::collection::vec(asset(), 1..3),
            prop::option::of((0..1_000_u64, 1_000..=limits::MAX_OBJECT_BYTES)),
            prop::collection::btree_set(0..1000_u32, 0..4),
            prop::collection::btree_map(0..1000_u32, point(), 0..4),
            prop::collection::btree_map(0..1000_u32, (length(), length()), 0..4),
        )
            .prop_map(
                |(count, area, size, assets, bytes, without, moved, sized)| {
                    let mut scatter = Scatter {
                        bytes,
                        ..Scatter::new(count, area, size, assets)
                    };
                    scatter.erase(&without.into_iter().collect::<Vec<_>>());
                    scatter.put(&moved.into_iter().collect::<Vec<_>>());
                    let sized = sized.into_iter().map(|(it, (x, y))| (it, Vec2::new(x, y)));
                    scatter.give_sizes(&sized.collect::<Vec<_>>());
                    ObjectGroup::Scatter(scatter)
                }
            ),
    ];
    let budgets = (1..1_000_u32, 1..=limits::MAX_BUDGET, 1..10_u32).prop_map(
        |(requests_in_flight, memory_cap, uploads_per_update)| Budgets {
            requests_in_flight,
            memory_cap,
            uploads_per_update,
            ..Budgets::default()
        },
    );
    let rate = prop_oneof![Just(0.0), 0.0..=limits::MAX_DISK_RATE];
    let disk = (rate.clone(), rate).prop_map(|(mbps, latency_ms)| Disk { mbps, latency_ms });
    (
        prop::collection::vec(group, 0..4),
        (length(), length(), 0.0_f32..100.0, positive(), positive()),
        prop_oneof![Just(Budgets::default()), budgets],
        (
            prop::option::of(0.0..=limits::MAX_PREDICT_SECONDS),
            prop::sample::select(&WorldIndex::ALL[..]),
            prop::option::of(disk),
        ),
    )
        .prop_map(
            |(
                objects,
                (a, b, need_factor, lead, margin),
                budgets,
                (predict_seconds, index, disk),
            )| World {
                predict_seconds,
                index,
                disk,
                budgets,
                objects,
                need_factor,
                need_min: a.min(b),
                need_max: a.max(b),
                lead,
                margin,
            },
        )
}

fn structure() -> impl Strategy<Value = StructureChoice> {
    (
        prop::sample::select(Kind::ALL),
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

fn view() -> impl Strategy<Value = View> {
    let labels = prop_oneof![
        Just(Labels::Numbers),
        prop::collection::vec(name(), 0..4).prop_map(Labels::Names),
    ];
    let query = prop::sample::select(&["range 8, 8,12,12", " pairs", "nearest 1,2,3"][..]);
    (
        prop::collection::vec(prop::option::of(any::<bool>()), ViewLayer::ALL.len()),
        prop::option::of(prop::sample::subsequence(&ViewBox::ALL[..], 0..=5)),
        prop::option::of(labels),
        prop::option::of(query.prop_map(str::to_owned)),
        prop::option::of(Just(ViewKind::Battle)),
        prop::option::of(Just(SourceRule::BasicQuadtree)),
        any::<(bool, bool)>(),
        prop::option::of(0.0625_f32..16.0),
        prop::option::of(positive()),
        prop::option::of(1..=limits::MAX_NEAREST),
        prop::option::of(0..=limits::MAX_RECTANGLES),
    )
        .prop_map(
            |(
                layers,
                boxes,
                labels,
                query,
                show,
                beside,
                (paused, tree),
                pace,
                rectangle,
                nearest,
                rectangles_a_tick,
            )| View {
                show,
                layers: ViewLayer::ALL
                    .into_iter()
                    .zip(layers)
                    .filter_map(|(layer, is_shown)| Some((layer, is_shown?)))
                    .collect(),
                boxes,
                labels,
                query,
                beside,
                paused,
                pace,
                tree,
                rectangle,
                rectangles_a_tick,
                nearest,
                ..View::default()
            },
        )
}

fn scene() -> impl Strategy<Value = Scene> {
    let kind = prop_oneof![
        Just(PathKind::Walk),
        (1.0e-3_f32..3_600.0).prop_map(PathKind::Jump),
        Just(PathKind::Recorded),
    ];
    // Up to the limit of a velocity, which is a thousand times that of a coordinate.
    let velocity = (number(), number()).prop_map(|(x, y)| Vec2::new(x, y) * 1_000.0);
    let steps = prop::collection::vec((point(), velocity), 1..4);
    let path = (name(), kind, steps, any::<bool>());
    let character = (point(), positive(), prop::collection::vec(path, 0..3)).prop_map(
        |(position, speed, paths)| Character {
            speed,
            paths: paths
                .into_iter()
                .enumerate()
                .map(|(index, (name, kind, steps, says_how_fast))| Path {
                    name: format!("{index}{name}"),
                    kind,
                    points: steps.iter().map(|step| step.0).collect(),
                    velocities: if says_how_fast && kind == PathKind::Recorded {
                        steps.iter().skip(1).map(|step| step.1).collect()
                    } else {
                        Vec::new()
                    },
                })
                .collect(),
            ..Character::new(position)
        },
    );
    let camera = (point(), positive()).prop_map(|(center, height)| Camera { center, height });
    let reach_scale = prop_oneof![Just(1.0), 0.0..=limits::MAX_REACH_SCALE];
    let keep_apart = prop_oneof![Just(Scene::KEEP_APART), 0.0..=limits::MAX_KEEP_APART];
    (
        view(),
        (
            name(),
            name(),
            area(),
            any::<u64>(),
            (reach_scale, keep_apart),
            structure(),
            prop::collection::vec(structure(), 0..limits::MAX_LANES),
        ),
        prop::collection::vec(army(), 0..4),
        prop::option::of(world()),
        prop::option::of(camera),
        prop::option::of(character),
    )
        .prop_map(
            |(
                view,
                (name, caption, field, seed, (reach_scale, keep_apart), structure, lanes),
                armies,
                world,
                camera,
                character,
            )| Scene {
                view,
                name,
                caption,
                field: Aabb::new(field.min, (field.min + field.size()).max(field.min + 1.0e3)),
                seed,
                reach_scale,
                keep_apart,
                armies,
                world,
                volume: None,
                structure,
                lanes,
                camera,
                character,
            },
        )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn a_scene_survives_its_own_text(scene in scene()) {
        let text = file::format(&scene);
        let read_back = file::parse(text.as_bytes(), "x.ron");
        prop_assert_eq!(read_back.as_ref(), Ok(&scene));
        prop_assert_eq!(file::format(&read_back.unwrap()), text);
        for path in scene.character.iter().flat_map(|character| &character.paths) {
            let text = file::format_path(path);
            let read_back = file::parse_path(text.as_bytes(), "x.ron");
            prop_assert_eq!(read_back.as_ref(), Ok(path));
        }
    }

    #[test]
    fn whoever_is_erased_moves_nobody_else(scene in scene()) {
        let mut whole = scene.clone();
        for army in &mut whole.armies {
            army.without.clear();
        }
        let bits = |v: Vec2| (v.x.to_bits(), v.y.to_bits());
        let mut present = 0;
        for (index, army) in scene.armies.iter().enumerate() {
            let (all, left) = (generate::army(&whole, index), generate::army(&scene, index));
            prop_assert_eq!(all.positions.len(), army.count as usize);
            let numbers: Vec<u32> = army.present().collect();
            prop_assert_eq!(left.positions.len(), numbers.len());
            present += numbers.len() as u64;
            for (place, &number) in numbers.iter().enumerate() {
                let number = number as usize;
                prop_assert_eq!(army.number_at(place), Some(number as u32));
                prop_assert_eq!(bits(left.positions[place]), bits(all.positions[number]));
                let sizes = (left.half_extents.get(place), all.half_extents.get(number));
                prop_assert_eq!(sizes.0.copied().map(bits), sizes.1.copied().map(bits));
            }
        }
        prop_assert_eq!(scene.unit_count(), present);
    }

    #[test]
    fn no_text_at_all_brings_the_reader_down(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = file::parse(&bytes, "x.ron");
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
