//! What is said of worlds that one can reckon through by hand.

use super::Tree;
use crate::geometry::Vec2;
use crate::probe::Cancel;
use crate::story::{Answer, Diagram, Reel, Story};
use crate::streaming::{Index, Settings, SimulatedLoader, Streaming, WorldObject};

/// Points at these places on a line, with load rectangles that reach 10 m and unload rectangles that reach 20 m. Those at the
/// character at 0 are asked for.
fn world(places: &[f32], index: Index) -> Streaming<SimulatedLoader> {
    let objects: Vec<WorldObject> = places
        .iter()
        .map(|x| WorldObject {
            center: Vec2::new(*x, 0.0),
            half_extent: Vec2::ZERO,
            bytes: 10,
            asset: 0,
        })
        .collect();
    let settings = Settings {
        need_factor: 0.0,
        need_min: 4.0,
        need_max: 4.0,
        lead: 6.0,
        margin: 10.0,
        predict_seconds: 1.0,
        index,
        ..Settings::default()
    };
    let mut streaming = Streaming::new(
        objects,
        ["a.png".into()],
        settings,
        SimulatedLoader::default(),
    );
    streaming.update(0.0, Vec2::ZERO, Vec2::ZERO);
    streaming
}

fn told(streaming: &Streaming<SimulatedLoader>, x: f32, speed: f32) -> Story {
    let cancel = Cancel::default();
    let (at, velocity) = (Vec2::new(x, 0.0), Vec2::new(speed, 0.0));
    let heard = streaming.hear_decision(at, velocity, usize::MAX, &cancel);
    heard
        .and_then(|heard| heard.tell(&cancel))
        .expect("nobody ends it")
}

fn lines(story: &Story) -> Vec<String> {
    let steps = story.steps.iter();
    steps
        .map(|step| {
            let tree = step.region.map_or("", |region| Tree::of(region).0.name());
            format!("{tree} {}: {}", step.kind(), step.reason)
        })
        .collect()
}

#[test]
fn two_trees_say_what_one_comparison_saves() {
    let streaming = world(&[-8.0, 8.0, 60.0, 68.0], Index::TwoTrees);
    assert_eq!(
        lines(&told(&streaming, 2.0, 0.0)),
        [
            "load prune: The union of 2 load rectangles ends 48 m short of the character: none of them is looked at.",
            "unload prune: The intersection of 2 unload rectangles holds the character, 10 m from its border: all 2 objects stay, and none is looked at.",
        ]
    );
    // The way ahead goes by no more than half of the margin.
    let story = told(&streaming, 46.0, 300.0);
    assert_eq!(
        lines(&story),
        [
            "load visit: The union of 2 load rectangles begins 4 m from the character, and the way ahead meets it: its two parts are looked at.",
            "load test: a 2 is looked at: its load rectangle begins 4 m from the character, and the way ahead meets it.",
            "load hit: The load rectangle of a 2 begins 4 m from the character, and the way ahead meets it: it is to be loaded.",
            "load test: a 3 is looked at: its load rectangle ends 7 m short of the way ahead, so it is not asked for.",
            "unload visit: The intersection of 2 unload rectangles ends 34 m short of the character: its two parts are looked at.",
            "unload test: a 0 is looked at: its unload rectangle ends 34 m short of the character.",
            "unload hit: The unload rectangle of a 0 ends 34 m short of the character: it is to be unloaded.",
            "unload test: a 1 is looked at: its unload rectangle ends 18 m short of the character.",
            "unload hit: The unload rectangle of a 1 ends 18 m short of the character: it is to be unloaded.",
        ]
    );
    let decided = Answer::Sides {
        load: vec![2],
        unload: vec![0, 1],
    };
    assert_eq!(story.answer, decided);
}

#[test]
fn objects_without_a_tree_stand_in_a_row_and_are_none_however_few_they_are() {
    for places in [&[8.0][..], &[-8.0, 8.0]] {
        let story = told(&world(places, Index::BruteForce), 2.0, 0.0);
        let reel = Reel::new(story);
        let diagram = Diagram::of(&reel.story().before, &reel, false);
        assert_eq!(diagram.nodes.len(), places.len());
        assert!(diagram.is_flat, "{places:?}");
    }
}

#[test]
fn a_dual_tree_says_where_there_is_nobody_to_ask_for() {
    let streaming = world(&[-8.0, 8.0, 60.0, 68.0], Index::Dual);
    assert_eq!(
        lines(&told(&streaming, 64.0, 0.0)),
        [
            "load visit: The union of 2 load rectangles holds the character, 10 m from its border: its two parts are looked at.",
            "load prune: Node 2 is left out in the search for what to load: there is nobody in it, for all 2 objects below it are asked for already.",
            "load visit: The union of 2 load rectangles holds the character, 10 m from its border: its two parts are looked at.",
            "load test: a 2 is looked at: its load rectangle holds the character, 6 m from its border.",
            "load hit: The load rectangle of a 2 holds the character, 6 m from its border: it is to be loaded.",
            "load test: a 3 is looked at: its load rectangle holds the character, 6 m from its border.",
            "load hit: The load rectangle of a 3 holds the character, 6 m from its border: it is to be loaded.",
            "unload visit: The intersection of 2 unload rectangles ends 52 m short of the character: its two parts are looked at.",
            "unload visit: The intersection of 2 unload rectangles ends 52 m short of the character: its two parts are looked at.",
            "unload test: a 0 is looked at: its unload rectangle ends 52 m short of the character.",
            "unload hit: The unload rectangle of a 0 ends 52 m short of the character: it is to be unloaded.",
            "unload test: a 1 is looked at: its unload rectangle ends 36 m short of the character.",
            "unload hit: The unload rectangle of a 1 ends 36 m short of the character: it is to be unloaded.",
            "unload prune: Node 6 is left out in the search for what to unload: there is nobody in it, for none of the 2 objects below it is asked for.",
        ]
    );
}

#[test]
fn a_leaf_of_a_dual_tree_has_an_object_for_one_question_alone() {
    let streaming = world(&[0.0, 60.0], Index::Dual);
    let lines = lines(&told(&streaming, 55.0, 0.0));
    for line in [
        "load test: a 0 is looked at, but there is nobody in its leaf to be loaded: its state is loading already.",
        "unload test: a 1 is looked at, but there is nobody in its leaf to be unloaded: its state is unloaded.",
        "unload visit: The intersection of 1 unload rectangle ends 35 m short of the character: its two parts are looked at.",
    ] {
        assert!(lines.iter().any(|told| told == line), "{lines:#?}");
    }
}

#[test]
fn an_intersection_over_all_is_empty_and_finds_what_is_not_there() {
    let streaming = world(&[0.0, 90.0], Index::WholeUnloadTree);
    assert_eq!(
        lines(&told(&streaming, 1.5, 0.0)),
        [
            "load test: a 1 is looked at: its load rectangle ends 78.5 m short of the character, so it is not asked for.",
            "unload visit: The intersection of 2 unload rectangles is empty, for two of them are 50 m apart along x: its two parts are looked at.",
            "unload test: a 0 is looked at: its unload rectangle holds the character, 18.5 m from its border, so it stays.",
            "unload test: a 1 is looked at: its unload rectangle ends 68.5 m short of the character.",
            "unload hit: The unload rectangle of a 1 ends 68.5 m short of the character: it is unloaded already, and nothing follows.",
        ]
    );
    let streaming = world(&[0.0, 90.0], Index::BruteForce);
    assert_eq!(
        lines(&told(&streaming, 25.0, 0.0)),
        [
            "unload test: a 0 is looked at: its unload rectangle ends 5 m short of the character, so it is to be unloaded.",
            "load test: a 1 is looked at: its load rectangle ends 55 m short of the character, so it is not asked for.",
        ]
    );
}

/// Nothing that a caller may say ends in anything but a story.
#[test]
fn a_world_without_objects_and_a_place_that_is_none_are_told_too() {
    let empty = world(&[], Index::Dual);
    let story = told(&empty, f32::NAN, f32::INFINITY);
    assert!(story.steps.is_empty());
    let story = told(&world(&[0.0], Index::TwoTrees), f32::NAN, f32::NAN);
    assert_eq!(
        lines(&story),
        [
            "unload test: a 0 is looked at: its unload rectangle holds the character, 20 m from its border, so it stays."
        ]
    );
}
