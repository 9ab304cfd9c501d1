//! The telling of a decision says what the trees did: its events add up, it decides as brute force and as the next tick do, and
//! each event has a reason of its own that is so.

use skirmish::geometry::{Aabb, Vec2};
use skirmish::measure::decide;
use skirmish::probe::{Cancel, Counter, Event, Probe};
use skirmish::scene::{Scene, file};
use skirmish::story::{Answer, Atlas, Place, Reel, Standing, Story};
use skirmish::streaming::{
    Decisions, HeardDecision, Index, Rectangles, Settings, SimulatedLoader, Streaming, Tour, Tree,
    decisions_by_brute_force,
};
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

/// How many events are kept: all.
const ALL: usize = usize::MAX;

/// Every scene that ships with a world, and the folder of its pictures.
fn worlds() -> Vec<(PathBuf, Scene)> {
    let scenes = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes");
    let mut found = Vec::new();
    for folder in [scenes.clone(), scenes.join("figures")] {
        let mut files: Vec<PathBuf> = std::fs::read_dir(&folder)
            .expect("a folder that ships")
            .map(|entry| entry.expect("an entry").path())
            .filter(|path| path.extension().is_some_and(|it| it == "ron"))
            .collect();
        files.sort();
        for path in files {
            let scene = file::read(&path).expect("a scene that ships");
            if scene.world.is_some() {
                found.push((folder.clone(), scene));
            }
        }
    }
    assert!(found.len() >= 5, "worlds are missing");
    found
}

/// An open world, and the folder of its pictures.
fn open_world() -> (PathBuf, Scene) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes");
    let scene = file::read(&folder.join("open-world.ron")).expect("a scene that ships");
    (folder, scene)
}

fn tour(scene: &Scene, folder: &Path) -> Tour<SimulatedLoader> {
    let world = scene.world.as_ref().expect("a world");
    let settings = Settings {
        mbps: 50.0,
        latency_ms: 8.0,
        ..Settings::of_world(world)
    };
    Tour::with_loader(scene, folder, settings, |_| SimulatedLoader::default())
}

fn set_index(tour: &mut Tour<SimulatedLoader>, index: Index) {
    let settings = Settings {
        index,
        ..*tour.settings()
    };
    tour.set_settings(settings);
}

/// A sentence without its numbers.
fn without_numbers(sentence: &str) -> String {
    let mut text = String::new();
    for c in sentence.chars() {
        match c.is_ascii_digit() || (c == '.' && text.ends_with('#')) {
            true if !text.ends_with('#') => text.push('#'),
            true => {}
            false => text.push(c),
        }
    }
    text
}

/// The words that are used, and for which kind of event.
#[derive(Default)]
struct Words(BTreeMap<String, &'static str>);

impl Words {
    fn check(&mut self, story: &Story, what: &str) {
        for (number, step) in story.steps.iter().enumerate() {
            let (reason, kind) = (&step.reason, step.kind());
            let told = || format!("{what}, event {number} ({kind}): {reason:?}");
            let has_number = reason.contains(|c: char| c.is_ascii_digit());
            assert!(has_number, "no number: {}", told());
            let is_sentence = reason.ends_with('.') && !reason.contains("..");
            assert!(is_sentence && !reason.contains("  "), "{}", told());
            assert!(
                !reason.contains("NaN") && !reason.contains("inf "),
                "{}",
                told()
            );
            assert!(!reason.starts_with("Event "), "{}", told());
            // What is not in the picture is empty, and is said to be.
            let is_seen = step.region.is_some() == step.place.is_some();
            assert!(is_seen || reason.contains("nobody in it"), "{}", told());
            let words = without_numbers(reason);
            let other = *self.0.entry(words).or_insert(kind);
            assert_eq!(other, kind, "{}", told());
        }
    }
}

/// Everybody in a region and below it.
fn below<'a>(atlas: &'a Atlas, place: &'a Place) -> Vec<u32> {
    let mut all = place.units().to_vec();
    for part in place.parts() {
        all.extend(below(atlas, atlas.place(*part).expect("a part")));
    }
    all
}

/// That what each step says of its box is so, by the rectangles themselves.
fn check_truth(
    story: &Story,
    streaming: &Streaming<SimulatedLoader>,
    at: (Vec2, Aabb),
    what: &str,
) {
    let (position, way) = at;
    let own =
        |object: u32| Rectangles::of(&streaming.objects()[object as usize], streaming.settings());
    let wanted = |object: u32| streaming.states()[object as usize].is_wanted();
    let is_whole = streaming.settings().index == Index::WholeUnloadTree;
    for step in &story.steps {
        let told = || format!("{what}: {step:?}");
        let place = story.place(step);
        let tree = step.region.map(|region| Tree::of(region).0);
        match step.event {
            Event::Visit(_) | Event::Prune(_) => {
                let Some(place) = place else {
                    // Of a dual tree, with nobody to ask for.
                    assert_eq!(streaming.settings().index, Index::Dual, "{}", told());
                    continue;
                };
                // Walking the whole tree below each node would be the square of it.
                if place.below > 300 {
                    continue;
                }
                let all = below(&story.before, place);
                assert_eq!(all.len() as u64, place.below, "{}", told());
                let is_pruned = matches!(step.event, Event::Prune(_));
                let boxes = all.iter().map(|object| own(*object));
                if tree == Some(Tree::Load) {
                    assert!(all.iter().all(|object| !wanted(*object)), "{}", told());
                    let union = boxes.fold(Aabb::EMPTY, |sum, own| sum.join(own.load));
                    assert_eq!(union, place.bounds, "{}", told());
                    assert_eq!(is_pruned, !union.overlaps(way), "{}", told());
                } else {
                    assert!(
                        is_whole || all.iter().all(|object| wanted(*object)),
                        "{}",
                        told()
                    );
                    let meet = boxes.fold(Aabb::EVERYTHING, |sum, own| sum.meet(own.unload));
                    assert_eq!(meet, place.bounds, "{}", told());
                    assert_eq!(is_pruned, meet.contains(position), "{}", told());
                    assert_eq!(
                        meet.is_empty(),
                        step.reason.contains("is empty"),
                        "{}",
                        told()
                    );
                }
            }
            Event::Test(object) | Event::Hit(object) => {
                let Some(place) = place else {
                    assert_eq!(streaming.settings().index, Index::Dual, "{}", told());
                    continue;
                };
                let rectangles = own(object);
                let (area, is_found) = match tree {
                    Some(Tree::Load) => (rectangles.load, rectangles.load.overlaps(way)),
                    _ => (rectangles.unload, !rectangles.unload.contains(position)),
                };
                assert_eq!(place.bounds, area, "{}", told());
                if matches!(step.event, Event::Hit(_)) {
                    assert!(is_found, "{}", told());
                }
                let is_decided = step.reason.contains("it is to be");
                let Answer::Sides { load, unload } = &story.answer else {
                    panic!("{}", told());
                };
                if is_decided {
                    let side = if tree == Some(Tree::Load) {
                        load
                    } else {
                        unload
                    };
                    assert!(side.binary_search(&object).is_ok(), "{}", told());
                }
            }
            other => panic!("{what}: {other:?}"),
        }
    }
}

/// That a length that is said is the one that there is.
fn check_lengths(story: &Story, at: (Vec2, Aabb), what: &str) {
    let (position, way) = at;
    let gap = |a: Aabb, b: Aabb| {
        let axis = |low: f32, high: f32| f64::from(low) - f64::from(high);
        let x = axis(a.min.x, b.max.x).max(axis(b.min.x, a.max.x)).max(0.0);
        let y = axis(a.min.y, b.max.y).max(axis(b.min.y, a.max.y)).max(0.0);
        x.hypot(y)
    };
    let here = Aabb::new(position, position);
    let length = |text: &str, before: &str| -> Option<f64> {
        let rest = &text[text.find(before)? + before.len()..];
        rest.split(' ').next()?.parse().ok()
    };
    for step in &story.steps {
        let Some(area) = story.bounds(step) else {
            continue;
        };
        let from_side = (position - area.min).min(area.max - position).min_element();
        let to = if step.reason.contains("short of the way ahead") {
            way
        } else {
            here
        };
        let said = [
            (
                length(&step.reason, "holds the character, "),
                f64::from(from_side),
            ),
            (length(&step.reason, " begins "), gap(area, here)),
            (length(&step.reason, " ends "), gap(area, to)),
        ];
        for (said, right) in said {
            if let Some(said) = said {
                let is_near = (said - right).abs() <= 0.06 + right.abs() * 0.01;
                assert!(is_near, "{what}: {} and not {right}", step.reason);
            }
        }
    }
}

/// That every moment of it is what one comes to step by step, there and back.
fn check_reel(story: Story, what: &str) {
    let reel = Reel::new(story);
    let steps = reel.story().steps.clone();
    let mut moments = vec![HashMap::new()];
    for (at, step) in steps.iter().enumerate() {
        let mut stood: HashMap<u32, Standing> = moments[moments.len() - 1].clone();
        match step.event {
            Event::Test(object) => {
                // Whom a test has found is found, though that is said behind all tests of one look.
                let mut look = steps[at + 1..].iter().map_while(|step| match step.event {
                    Event::Test(_) | Event::Hit(_) | Event::Work(_) => Some(step.event),
                    _ => None,
                });
                if look.any(|event| event == Event::Hit(object)) {
                    stood.insert(object, Standing::Found);
                }
                stood.entry(object).or_insert(Standing::Tested);
            }
            Event::Hit(object) => {
                stood.insert(object, Standing::Found);
            }
            _ => {}
        }
        moments.push(stood);
    }
    let there = 0..=steps.len();
    for at in there.clone().chain(there.rev()) {
        assert_eq!(reel.now(at), at.checked_sub(1).map(|last| &steps[last]));
        let stood: HashMap<u32, Standing> = reel.concerned(at).collect();
        assert_eq!(stood, moments[at], "{what}, moment {at}");
        let sum: usize = reel.tracks().iter().map(|track| track.count(at)).sum();
        assert_eq!(sum, at, "{what}");
        if let Some(place) = reel.now(at).and_then(|step| step.place) {
            assert_eq!(reel.place_at(place, at), reel.now(at), "{what}");
        }
    }
}

fn decided(story: &Story) -> Decisions {
    let Answer::Sides { load, unload } = &story.answer else {
        panic!("no decision: {:?}", story.answer);
    };
    Decisions {
        load: load.clone(),
        unload: unload.clone(),
    }
}

/// Tells what was heard, and compares it with everything that is known otherwise.
fn check(
    tour: &Tour<SimulatedLoader>,
    heard: HeardDecision,
    words: &mut Words,
    what: &str,
) -> Story {
    let streaming = tour.streaming();
    let at = (heard.position(), heard.way());
    let right = decisions_by_brute_force(
        streaming.objects(),
        streaming.states(),
        streaming.settings(),
        at.0,
        at.1,
    );
    assert_eq!(heard.decisions(), &right, "{what}");
    let story = heard.tell(&Cancel::default()).expect("nobody ends it");
    assert_eq!(decided(&story), right, "{what}");
    let mut events = Counter::default();
    for step in &story.steps {
        events.on(step.event);
    }
    if story.left_out == 0 {
        assert_eq!(events, story.counters, "{what}");
    }
    words.check(&story, what);
    check_truth(&story, streaming, at, what);
    check_lengths(&story, at, what);
    story
}

/// How many boxes of each tree were looked at.
fn boxes(story: &Story, tree: Tree) -> u64 {
    let of_tree = story.steps.iter().filter(|step| {
        let is_box = !matches!(step.event, Event::Hit(_));
        is_box && step.region.is_some_and(|region| Tree::of(region).0 == tree)
    });
    of_tree.count() as u64
}

#[test]
fn events_add_up_and_decisions_are_those_of_brute_force_and_of_the_next_tick() {
    let mut words = Words::default();
    let (mut loads, mut unloads) = (0, 0);
    for (folder, scene) in worlds() {
        let mut tour = tour(&scene, &folder);
        let is_large = tour.streaming().objects().len() > 20_000;
        // A tree over all objects and none at all look at everything.
        let cap = if is_large { 6_000 } else { ALL };
        let looked_at: &[u64] = match is_large {
            true => &[0, 75],
            false => &[0, 1, 2, 60, 171, 399],
        };
        for tick in 0..=looked_at[looked_at.len() - 1] {
            if !looked_at.contains(&tick) {
                tour.tick();
                continue;
            }
            let mut next = None;
            for index in Index::ALL {
                let what = format!("{}, tick {tick}, {}", scene.name, index.key());
                set_index(&mut tour, index);
                let cancel = Cancel::default();
                let heard = tour.hear_next_decision(cap, &cancel).expect("it is heard");
                let story = check(&tour, heard, &mut words, &what);
                let decisions = decided(&story);
                let tests = [Tree::Load, Tree::Unload].map(|tree| boxes(&story, tree));
                // The first is the one by which the tick decides below.
                let first = next.get_or_insert((decisions.clone(), tests));
                assert_eq!(first.0, decisions, "{what}");
                if story.steps.len() < 400 {
                    check_reel(story, &what);
                }

                // Here and now, under the probes that everybody may bring.
                if tick == 0 || is_large {
                    continue;
                }
                let streaming = tour.streaming();
                let (mut load, mut unload) = (Counter::default(), Counter::default());
                let mut decisions = Decisions::default();
                streaming
                    .trees()
                    .decide(&mut load, &mut unload, &mut decisions);
                let heard = streaming
                    .hear_decision(
                        tour.character().position(),
                        tour.character().velocity(),
                        0,
                        &cancel,
                    )
                    .expect("it is heard");
                assert_eq!(heard.decisions(), &decisions, "{what}");
                assert_eq!(heard.way(), streaming.way(), "{what}");
                let story = heard.tell(&cancel).expect("it is told");
                load.add(&unload);
                assert_eq!(story.counters, load, "{what}");
            }
            set_index(&mut tour, Index::ALL[0]);
            tour.tick();
            let (decisions, tests) = next.expect("each moment is heard");
            loads += decisions.load.len();
            unloads += decisions.unload.len();
            let streaming = tour.streaming();
            assert_eq!(streaming.decisions(), &decisions, "{}", scene.name);
            let counted = streaming.tests();
            assert_eq!([counted.load, counted.unload], tests, "{}", scene.name);
        }
    }
    assert!(loads > 100, "{loads} and {unloads}");
    for (words, kind) in &words.0 {
        println!("{kind}: {words}");
    }
}

/// Somebody who is taken about finds everything: standing and running, far away and where much is left behind.
#[test]
fn wherever_the_character_is_put_the_sentences_are_so() {
    let mut words = Words::default();
    for (folder, scene) in worlds() {
        let mut tour = tour(&scene, &folder);
        if tour.streaming().objects().len() > 20_000 {
            continue;
        }
        for _ in 0..90 {
            tour.tick();
        }
        let (low, size) = (scene.field.min, scene.field.size());
        // Where there are many objects, a few places meet all that there is.
        let last: u32 = if tour.streaming().objects().len() > 1_000 {
            1
        } else {
            13
        };
        for index in Index::ALL {
            set_index(&mut tour, index);
            for step in 0..last + 1 {
                let share = Vec2::new((step * 37 % 101) as f32, (step * 53 % 97) as f32) * 0.01;
                let at = if step == last {
                    scene.field.max + Vec2::new(5_000.0, 7.5)
                } else {
                    low + size * share
                };
                for velocity in [
                    Vec2::ZERO,
                    Vec2::new(30.0, -11.0),
                    Vec2::new(-1.0e9, 0.25),
                    Vec2::new(f32::NAN, f32::INFINITY),
                ] {
                    let what = format!("{}, {} at {at}, {velocity}", scene.name, index.key());
                    let heard = tour
                        .streaming()
                        .hear_decision(at, velocity, ALL, &Cancel::default())
                        .expect("it is heard");
                    check(&tour, heard, &mut words, &what);
                }
            }
        }
    }
    for (words, kind) in &words.0 {
        println!("{kind}: {words}");
    }
    // Each thing that a tree can do was done.
    for part in [
        "its two parts are looked at",
        "none of them is looked at",
        "objects stay, and none is looked at",
        "so does each of them",
        "is empty, for two of them",
        "it is to be loaded",
        "it is to be unloaded",
        "so it stays",
        "asked for already",
        "is asked for.",
        "already, and nothing follows",
        "and the way ahead meets it",
    ] {
        assert!(
            words.0.keys().any(|told| told.contains(part)),
            "nothing was told as '{part}'"
        );
    }
}

#[test]
fn beyond_its_cap_it_says_what_it_left_out_and_decides_all_the_same() {
    let (folder, scene) = &open_world();
    let tour = tour(scene, folder);
    let cancel = Cancel::default();
    let tell = |cap| {
        let heard = tour.hear_next_decision(cap, &cancel).expect("it is heard");
        heard.tell(&cancel).expect("it is told")
    };
    let (whole, cut) = (tell(ALL), tell(3));
    assert!(whole.steps.len() > 10);
    assert_eq!(cut.steps, whole.steps[..3]);
    assert_eq!(cut.left_out, whole.steps.len() as u64 - 3);
    assert_eq!((cut.counters, &cut.answer), (whole.counters, &whole.answer));
    cancel.cancel();
    assert!(tour.hear_next_decision(ALL, &cancel).is_err());
}

/// The ids of both trees are apart, and lead back to what they are.
#[test]
fn a_region_belongs_to_one_of_the_trees() {
    let (folder, scene) = &open_world();
    let mut tour = tour(scene, folder);
    for _ in 0..60 {
        tour.tick();
    }
    for index in Index::ALL {
        set_index(&mut tour, index);
        let cancel = Cancel::default();
        let heard = tour.hear_next_decision(ALL, &cancel).expect("it is heard");
        let story = heard.tell(&cancel).expect("it is told");
        let mut sides = [0, 0];
        for place in story.before.places() {
            let (tree, own) = Tree::of(place.region);
            assert_eq!(tree.region(own), place.region);
            assert_eq!(story.before.place(place.region), Some(place));
            if let Some(parent) = place.parent {
                assert_eq!(Tree::of(parent).0, tree);
                assert!(story.before.place(parent).is_some());
            }
            sides[usize::from(tree == Tree::Unload)] += place.units().len();
        }
        let states = tour.streaming().states();
        let wanted = states.iter().filter(|state| state.is_wanted()).count();
        let in_unload_tree = match index {
            Index::WholeUnloadTree => states.len(),
            _ => wanted,
        };
        assert_eq!(sides, [states.len() - wanted, in_unload_tree], "{index:?}");
        assert!(wanted > 0, "nobody came");
    }
}

#[test]
fn a_run_without_a_window_tells_the_same_as_the_world_itself() {
    for (folder, scene) in worlds() {
        let world = scene.world.as_ref().expect("a world");
        if scene.name.contains("100") {
            continue;
        }
        for tick in [0, 40] {
            let options = decide::Options {
                tick,
                path: None,
                settings: Settings::of_world(world),
                cap: ALL,
            };
            let report = decide::run(&scene, &folder, &options, &Cancel::default());
            let report = report.expect("nobody ends it");
            assert_eq!(report.tick, tick);
            let json = report.to_json();
            let events = json["events"].as_array().expect("a list");
            assert_eq!(events.len(), report.story.steps.len());
            for event in events {
                let has_box = event["box"].is_array();
                assert!(has_box || event["reason"].as_str().is_some(), "{event}");
            }
            assert!(json["hits"]["load"].is_array() && json["hits"]["unload"].is_array());
            let text = report.to_string();
            assert!(
                text.contains("\n  load  ") && text.contains("\n  unload  "),
                "{text}"
            );
        }
    }
    // The character goes along the path that is asked for, and else along its own.
    let (folder, scene) = open_world();
    let character = scene.character.as_ref().expect("a character");
    let own = &character.paths[character.followed().unwrap_or(0)];
    let mut others = character.paths.iter().filter(|path| path.name != own.name);
    let other = others.next().expect("another path");
    let along = |path| {
        let options = decide::Options {
            tick: 3,
            path,
            settings: Settings::of_world(scene.world.as_ref().expect("a world")),
            cap: ALL,
        };
        let report = decide::run(&scene, &folder, &options, &Cancel::default());
        let report = report.expect("nobody ends it");
        (report.path, report.character)
    };
    let (name, place) = along(None);
    assert_eq!(name.as_ref(), Some(&own.name));
    assert_eq!(along(Some(own.clone())), (name, place));
    let (name, elsewhere) = along(Some(other.clone()));
    assert_eq!(name.as_ref(), Some(&other.name));
    assert_ne!(elsewhere, place);
    // Nothing streams where nothing is.
    let nothing = decide::run(
        &file::built_in(),
        Path::new(""),
        &decide::Options {
            tick: 3,
            path: None,
            settings: Settings::default(),
            cap: ALL,
        },
        &Cancel::default(),
    );
    let nothing = nothing.expect("nobody ends it");
    assert!(nothing.story.steps.is_empty() && nothing.objects == 0);
}
