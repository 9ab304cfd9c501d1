//! A trace tells what was counted: its events add up, its results are those of brute force, and each event has a reason of its
//! own.

#[path = "common/probes.rs"]
mod probes;

use probes::{counting, heard};
use skirmish::battle::Battle;
use skirmish::built_in;
use skirmish::geometry::{Aabb, Segment, Vec2};
use skirmish::measure::simulate;
use skirmish::partition::{
    AnyFigure, AnyPartition, Bodies, Corridor, Kind, NearestQuery, Pair, Polygon, RegionQuery,
    Sector, UnitId,
};
use skirmish::probe::{Cancel, Counter, Event, Probe, Trace};
use skirmish::scene::{Scene, StructureChoice, file};
use skirmish::story::{Answer, Ground, MOST_PAIRS, Operation, Story};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::Path;

/// Scenes that ship, with fewer units: the events of all pairs are the square of them.
const SCENES: &[(&str, u32)] = &[
    ("skirmish", 300),
    ("corner", 300),
    ("cross", 250),
    ("mixed-sizes", 250),
    ("one-spot", 90),
    ("figures/merges", 300),
];

/// How many events are kept: all.
const ALL: usize = usize::MAX;

/// A story that nobody ends before its end.
fn told(
    operation: &Operation,
    index: &mut AnyPartition,
    ground: &mut Ground,
    reach: f32,
    cap: usize,
) -> Story {
    Story::of(operation, index, ground, reach, cap, &Cancel::default()).expect("nobody ends it")
}

fn scene(name: &str, units: u32) -> Scene {
    let path = format!("{}/scenes/{name}.ron", env!("CARGO_MANIFEST_DIR"));
    let mut scene = file::read(Path::new(&path)).expect("a scene that ships");
    scene.scale_units(units);
    scene
}

/// Every structure, and those again that do something else with other knobs.
fn choices() -> Vec<StructureChoice> {
    let mut choices: Vec<StructureChoice> = Kind::ALL
        .iter()
        .map(|kind| StructureChoice::new(*kind))
        .collect();
    for (key, knob, value) in [
        ("linked-grid", "neighbourhood", "full"),
        ("linked-grid", "cell_size", "2"),
        ("battle-line", "sort", "insertion"),
        ("quadtree", "capacity", "2"),
        ("rect-quadtree", "looseness", "2"),
        ("rect-quadtree", "tight", "on"),
        ("kd-tree", "leaf_size", "2"),
        ("bvh", "update", "incremental"),
        ("morton-tree", "bucket", "1"),
        ("sweep-and-prune", "axes", "both"),
        ("hierarchical-grid", "level_ratio", "4"),
    ] {
        let mut choice = StructureChoice::new(Kind::from_key(key).expect("a structure"));
        choice.set(knob, value).expect("a knob");
        choices.push(choice);
    }
    choices
}

/// A structure that has followed a battle, and the battle's units.
struct Moment {
    index: AnyPartition,
    ground: Ground,
    reach: f32,
    field: Aabb,
}

impl Moment {
    fn of(scene: &Scene, choice: &StructureChoice, ticks: u64) -> Self {
        let mut scene = scene.clone();
        scene.structure = choice.clone();
        let mut battle = Battle::new(&scene);
        let mut index = simulate::index_for(&scene, &battle);
        for _ in 0..ticks {
            battle.step(&index, 1, &mut (), &mut ());
            index.apply(battle.bodies(), battle.changes(), &mut ());
        }
        Self {
            index,
            ground: Ground::of(battle.bodies()),
            reach: battle.pair_reach(),
            field: scene.field,
        }
    }

    /// Tells an operation of this moment, which stays as it is.
    fn tell(&self, operation: &Operation) -> Story {
        let (mut index, mut ground) = (self.index.clone(), self.ground.clone());
        told(operation, &mut index, &mut ground, self.reach, ALL)
    }
}

/// A bit of everything that can be asked here.
fn operations(moment: &Moment) -> Vec<Operation> {
    let bodies = moment.ground.bodies();
    let ids: Vec<UnitId> = bodies.ids().collect();
    let (first, last) = (ids[0], ids[ids.len() - 1]);
    let (here, there) = (bodies.center(first), bodies.center(last));
    let (middle, size) = (moment.field.center(), moment.field.size());
    let far = moment.field.max + Vec2::new(1_234.5, 77.0);
    vec![
        Operation::Radius {
            center: middle,
            radius: size.x / 8.0,
        },
        Operation::Radius {
            center: here,
            radius: 0.0,
        },
        Operation::Radius {
            center: there,
            radius: 7.3,
        },
        Operation::Radius {
            center: far,
            radius: 20.0,
        },
        Operation::Range(Aabb::around(middle, size / 4.0)),
        Operation::Range(Aabb::around(here, Vec2::new(9.0, 5.0))),
        Operation::Range(Aabb::around(far, Vec2::ONE)),
        Operation::Range(moment.field),
        Operation::Nearest {
            point: middle,
            count: 1,
        },
        Operation::Nearest {
            point: here,
            count: 8,
        },
        Operation::Nearest {
            point: far,
            count: 3,
        },
        Operation::Nearest {
            point: there,
            count: 5_000,
        },
        Operation::Segment {
            from: moment.field.min,
            to: moment.field.max,
        },
        Operation::Segment {
            from: here,
            to: there,
        },
        Operation::Within(AnyFigure::Sector(Sector::new(
            middle,
            30.0,
            60.0,
            size.x / 3.0,
        ))),
        Operation::Within(AnyFigure::Sector(Sector::new(here, -135.0, 300.0, 25.0))),
        Operation::Within(AnyFigure::Sector(Sector::new(there, 180.0, 360.0, 0.0))),
        Operation::Within(AnyFigure::Sector(Sector::new(far, 0.0, 5.0, 30.0))),
        Operation::Within(AnyFigure::Polygon(Polygon::new(&[
            moment.field.min,
            Vec2::new(moment.field.max.x, moment.field.min.y),
            middle,
            moment.field.max,
            Vec2::new(moment.field.min.x, moment.field.max.y),
        ]))),
        Operation::Within(AnyFigure::Polygon(Polygon::new(&[here, there, far]))),
        Operation::Within(AnyFigure::Polygon(Polygon::new(&[here, here, here]))),
        Operation::Within(AnyFigure::Corridor(Corridor::new(
            6.0,
            &[moment.field.min, middle, here, there],
        ))),
        Operation::Within(AnyFigure::Corridor(Corridor::new(
            0.0,
            &[there, here, here],
        ))),
        Operation::Within(AnyFigure::Corridor(Corridor::new(40.0, &[middle, middle]))),
        Operation::Near {
            unit: first,
            reach: 0.0,
        },
        Operation::Near {
            unit: first,
            reach: 12.5,
        },
        Operation::Near {
            unit: last,
            reach: size.x / 4.0,
        },
        Operation::Pairs { reach: None },
        Operation::Pairs { reach: Some(0.0) },
        Operation::Pairs { reach: Some(4.5) },
        Operation::Insert { at: here },
        Operation::Insert { at: middle },
        Operation::Insert { at: far },
        Operation::Remove { unit: first },
        Operation::Remove { unit: last },
        Operation::Move {
            unit: first,
            to: here + Vec2::new(0.01, 0.0),
        },
        Operation::Move {
            unit: first,
            to: there,
        },
        Operation::Move {
            unit: last,
            to: middle,
        },
        Operation::Move {
            unit: last,
            to: far,
        },
        Operation::Rebuild,
    ]
}

/// What is right, by looking at everybody.
fn by_brute_force(operation: &Operation, bodies: Bodies<'_>, reach: f32) -> Answer {
    let those = |holds: &dyn Fn(Aabb) -> bool| {
        Answer::Units(
            bodies
                .ids()
                .filter(|unit| holds(bodies.aabb(*unit)))
                .collect(),
        )
    };
    match *operation {
        Operation::Radius { center, radius } => {
            those(&|body| body.distance_sq(center) <= radius * radius)
        }
        Operation::Range(area) => those(&|body| body.overlaps(area)),
        Operation::Segment { from, to } => {
            let segment = Segment {
                from,
                to,
                half_width: 0.0,
            };
            those(&|body| segment.meets(body))
        }
        Operation::Within(ref figure) => those(&|body| figure.figure().holds(body)),
        Operation::Near { unit, reach } => {
            let own = bodies.aabb(unit);
            let near = |other: &UnitId| bodies.aabb(*other).gap_sq(own) <= reach * reach;
            let others = bodies.ids().filter(|other| *other != unit);
            Answer::Units(others.filter(near).collect())
        }
        Operation::Nearest { point, count } => {
            let mut all: Vec<(f32, UnitId)> = bodies
                .ids()
                .map(|unit| (bodies.aabb(unit).distance_sq(point), unit))
                .collect();
            all.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            let mut units: Vec<UnitId> = all.iter().take(count).map(|it| it.1).collect();
            units.sort_unstable();
            Answer::Units(units)
        }
        Operation::Pairs { reach: own } => {
            let reach = own.unwrap_or(reach);
            let ids: Vec<UnitId> = bodies.ids().collect();
            let mut pairs: Vec<Pair> = Vec::new();
            for (place, &a) in ids.iter().enumerate() {
                for &b in &ids[place + 1..] {
                    if bodies.aabb(a).gap_sq(bodies.aabb(b)) <= reach * reach {
                        pairs.push((a, b));
                    }
                }
            }
            Answer::Pairs(pairs)
        }
        _ => Answer::Units(Vec::new()),
    }
}

/// A sentence without its numbers.
fn without_numbers(sentence: &str) -> String {
    let mut text = String::new();
    for c in sentence.chars() {
        let is_digit = c.is_ascii_digit() || (c == '.' && text.ends_with('#'));
        match is_digit {
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
            let told = format!("{what}, event {number} ({kind}): {reason:?}");
            assert!(
                reason.contains(|c: char| c.is_ascii_digit()),
                "no number: {told}"
            );
            assert!(
                reason.ends_with('.') && !reason.contains(".."),
                "no sentence: {told}"
            );
            assert!(
                !reason.contains("NaN") && !reason.contains("inf "),
                "no number: {told}"
            );
            assert!(!reason.contains("  "), "a gap: {told}");
            // What is said where nothing is known.
            assert!(
                !reason.starts_with("Event ") && !reason.contains("does not have it"),
                "{told}"
            );
            let words = without_numbers(reason);
            let other = *self.0.entry(words).or_insert(kind);
            assert_eq!(other, kind, "{told}");
            // What is not in the picture is empty, and is said to be.
            let is_seen = step.region.is_some() == step.place.is_some();
            assert!(is_seen || reason.contains("nobody in it"), "{told}");
        }
    }
}

/// That what is known of regions is so: nobody is found in what is left out, and all of what is taken.
fn check_counts(story: &Story, what: &str) {
    for (number, step) in story.steps.iter().enumerate() {
        if let Event::Accept(_) = step.event {
            let place = story.place(step).expect("a region");
            let rest = &story.steps[number + 1..];
            let accepted = rest
                .iter()
                .take_while(|step| matches!(step.event, Event::Accept(_)));
            // Cells of a run are accepted one after the other before their units are given.
            if accepted.count() > 0
                || matches!(
                    number
                        .checked_sub(1)
                        .map(|before| story.steps[before].event),
                    Some(Event::Accept(_))
                )
            {
                continue;
            }
            let hits = rest
                .iter()
                .take_while(|step| matches!(step.event, Event::Hit(_)));
            assert!(
                hits.count() as u64 >= place.below,
                "{what}, event {number}: {}",
                step.reason
            );
        }
    }
}

/// Everything that can be asked of one scene under one structure after so many ticks.
fn check_scene(name: &str, scene: &Scene, choice: &StructureChoice, ticks: u64, words: &mut Words) {
    let moment = Moment::of(scene, choice, ticks);
    for operation in operations(&moment) {
        let what = format!(
            "{name}, tick {ticks}, {} {:?}, {operation}",
            choice.kind.info().key,
            choice.knobs
        );
        let story = moment.tell(&operation);
        let mut events = Counter::default();
        for step in &story.steps {
            events.on(step.event);
        }
        let (mut index, mut ground) = (moment.index.clone(), moment.ground.clone());
        let mut counting = counting();
        let answer = operation.perform(&mut index, &mut ground, moment.reach, &mut counting);
        assert_eq!(events, story.counters, "{what}");
        assert_eq!(story.counters, counting.probe, "{what}");
        assert_eq!(story.left_out, 0, "{what}");
        let right = by_brute_force(&operation, ground.bodies(), moment.reach);
        assert_eq!(story.answer, right, "{what}");
        assert_eq!(answer, right, "{what}");
        index.validate(ground.bodies()).expect(&what);
        words.check(&story, &what);
        check_counts(&story, &what);
        // A list that knows no places has nothing to do when somebody moves.
        let is_idle =
            choice.kind.info().key == "all-pairs" && matches!(operation, Operation::Move { .. });
        let is_edit = operation.is_edit() || operation == Operation::Rebuild;
        assert_eq!(is_edit && story.steps.is_empty(), is_idle, "{what}");
    }
}

#[test]
fn events_add_up_and_results_are_right_and_each_event_has_its_own_reason() {
    let mut words = Words::default();
    for &(name, units) in SCENES {
        let scene = scene(name, units);
        for choice in choices() {
            for ticks in [0, 40] {
                check_scene(name, &scene, &choice, ticks, &mut words);
            }
        }
    }
    for (words, kind) in &words.0 {
        println!("{kind}: {words}");
    }
}

/// With `SKIRMISH_TRACE_UNITS` with as many units as that says, else with few: the events of all pairs are their square.
#[test]
fn in_every_scene_that_ships_events_add_up_and_results_are_right() {
    let limit = std::env::var("SKIRMISH_TRACE_UNITS");
    let limit: u32 = limit.map_or(70, |units| units.parse().expect("a number of units"));
    let mut words = Words::default();
    let mut count = 0;
    for path in built_in::scenes() {
        let mut scene = file::read(&path).expect("a scene that ships");
        if scene.unit_count() == 0 || scene.volume.is_some() {
            // A world, whose decisions are told in a test of their own, or a volume, whose structures are others.
            continue;
        }
        if scene.unit_count() > u64::from(limit) {
            scene.scale_units(limit);
        }
        for choice in choices() {
            check_scene(&path.display().to_string(), &scene, &choice, 12, &mut words);
        }
        count += 1;
    }
    assert!(count > 20, "scenes are missing: {count}");
}

/// A crowd comes to one corner unit by unit and goes again: so leaves split and merge.
#[test]
fn splits_and_merges_have_their_reasons() {
    let scene = scene("figures/merges", 120);
    let mut words = Words::default();
    for choice in choices() {
        let Moment {
            mut index,
            mut ground,
            reach,
            field,
        } = Moment::of(&scene, &choice, 0);
        let (mut splits, mut merges) = (0, 0);
        let mut counted = counting();
        let mut others = ground.clone();
        let mut twin = index.clone();
        let mut play = |operation: Operation| {
            let what = format!("{} {:?}, {operation}", choice.kind.info().key, choice.knobs);
            let story = told(&operation, &mut index, &mut ground, reach, ALL);
            operation.perform(&mut twin, &mut others, reach, &mut counted);
            words.check(&story, &what);
            index.validate(ground.bodies()).expect(&what);
            splits += story.counters.splits;
            merges += story.counters.merges;
        };
        let corner = field.max - Vec2::splat(9.0);
        let first = others_count(&scene);
        for unit in 0..70_u32 {
            let step = Vec2::new((unit % 9) as f32, (unit / 9) as f32) * 0.9;
            play(Operation::Insert { at: corner + step });
        }
        for unit in 0..70 {
            let to = field.min + Vec2::new((unit % 7) as f32, (unit / 7) as f32);
            if unit % 3 == 0 {
                play(Operation::Move {
                    unit: first + unit,
                    to,
                });
            } else {
                play(Operation::Remove { unit: first + unit });
            }
        }
        let counted = counted.probe;
        assert_eq!((splits, merges), (counted.splits, counted.merges));
    }
    for (words, kind) in &words.0 {
        println!("{kind}: {words}");
    }
    for kind in [
        "split", "merge", "refit", "relinked", "climb", "descent", "rebuild",
    ] {
        assert!(
            words.0.values().any(|it| *it == kind),
            "nothing was told of {kind}"
        );
    }
}

/// How many rows a scene has at its start.
fn others_count(scene: &Scene) -> UnitId {
    Battle::new(scene).bodies().slot_count() as UnitId
}

#[test]
fn beyond_its_cap_a_trace_says_what_it_left_out_and_counts_all_the_same() {
    let scene = scene("corner", 300);
    let choice = StructureChoice::new(Kind::from_key("quadtree").expect("a structure"));
    let moment = Moment::of(&scene, &choice, 0);
    let operation = Operation::Pairs { reach: None };
    let whole = moment.tell(&operation);
    let (mut index, mut ground) = (moment.index.clone(), moment.ground.clone());
    let cut = told(&operation, &mut index, &mut ground, moment.reach, 25);
    assert_eq!(cut.steps.len(), 25);
    assert_eq!(cut.left_out, whole.steps.len() as u64 - 25);
    assert_eq!((cut.counters, &cut.answer), (whole.counters, &whole.answer));
}

/// What a tree leaves out, or takes whole, lies right below a node that was entered, and nothing is come to twice.
#[test]
fn whatever_is_left_out_lies_below_a_node_that_was_entered() {
    let centers: Vec<Vec2> = (0..900_u32)
        .map(|unit| {
            let mixed = unit.wrapping_mul(2_654_435_761);
            Vec2::new((mixed >> 20) as f32, (mixed & 0xfff) as f32) * 0.05
        })
        .collect();
    let bodies = Bodies::points(&centers);
    for &kind in Kind::ALL {
        let mut index = AnyPartition::new(kind, Aabb::new(Vec2::ZERO, Vec2::splat(210.0)));
        index.rebuild(bodies, &mut ());
        let mut parents = HashMap::new();
        let everything = RegionQuery {
            area: Aabb::EVERYTHING,
            min_size: 0.0,
        };
        index.regions(everything, &mut |region| {
            parents.insert(region.id, region.parent);
        });
        // Cells and strips have nothing above them.
        if parents.values().all(Option::is_none) {
            continue;
        }
        // A shelf of the Morton tree shows what is a few levels below its node, and no node between is entered; a node of the k-d
        // tree makes four cuts at once, and does not enter each.
        let looks_through = matches!(kind, Kind::MortonTree | Kind::KdTree);
        let traces: Vec<Trace> = (0..40)
            .flat_map(|step| {
                let point = Vec2::new(5.3 * step as f32, 207.0 - 4.9 * step as f32);
                let query = NearestQuery {
                    point,
                    count: 3,
                    within: f32::INFINITY,
                };
                let nearest = heard(ALL, |probe| {
                    index.nearest(bodies, query, |_| true, probe, &mut Vec::new());
                });
                let near = heard(ALL, |probe| {
                    index.radius(bodies, point, 12.0, probe, |_| {});
                });
                [nearest, near]
            })
            .collect();
        let parent_of = |region: &u32| parents.get(region).copied().flatten();
        let key = kind.info().key;
        for trace in &traces {
            let (mut entered, mut met) = (HashSet::new(), HashSet::new());
            for event in trace.events() {
                let (Event::Visit(region) | Event::Prune(region) | Event::Accept(region)) = *event
                else {
                    continue;
                };
                let Some(parent) = parent_of(&region) else {
                    entered.insert(region);
                    continue;
                };
                assert!(met.insert(region), "{key}: {region} is met twice");
                let mut above = Some(parent);
                while looks_through && above.is_some_and(|above| !met.contains(&above)) {
                    above = above.and_then(|above| parent_of(&above));
                }
                // The root is entered and has nothing above it, so it is never met.
                let is_entered = above.is_none_or(|above| entered.contains(&above));
                assert!(is_entered, "{key}: {region} below {parent}");
                if matches!(event, Event::Visit(_)) {
                    entered.insert(region);
                }
            }
        }
    }
}

#[test]
fn a_crowd_has_more_pairs_than_are_listed_and_all_of_them_are_counted() {
    // All on one point: as many pairs as there are.
    let centers = vec![Vec2::splat(5.0); 4_600];
    let bodies = Bodies::points(&centers);
    let field = Aabb::new(Vec2::ZERO, Vec2::splat(10.0));
    let mut index = AnyPartition::new(Kind::ALL[0], field);
    index.rebuild(bodies, &mut ());
    let mut ground = Ground::of(bodies);
    let operation = Operation::Pairs { reach: Some(1.0) };
    let story = told(&operation, &mut index, &mut ground, 1.0, 10);
    let Answer::Pairs(pairs) = &story.answer else {
        panic!("pairs were asked for")
    };
    assert_eq!(story.counters.hits, 4_600 * 4_599 / 2);
    assert_eq!(pairs.len(), MOST_PAIRS);
    assert!(pairs.is_sorted());
}
