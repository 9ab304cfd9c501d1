//! What is said of small crowds, word by word.

pub(in crate::story) mod edits;
mod pairs;

use super::*;
use crate::geometry::Vec2;
use crate::partition::{Bodies, Kind};

const FIELD: Aabb = Aabb::new(Vec2::ZERO, Vec2::splat(64.0));

/// A structure with some knobs set, built over these points.
fn built(key: &str, knobs: &[(&str, &str)], centers: &[Vec2]) -> (AnyPartition, Ground) {
    let bodies = Bodies::points(centers);
    let mut index = AnyPartition::new(Kind::from_key(key).expect("a structure"), FIELD);
    for (knob, value) in knobs {
        index.set_knob_text(knob, value).expect("a knob");
    }
    index.rebuild(bodies, &mut ());
    (index, Ground::of(bodies))
}

/// The story of an operation.
fn story(index: &mut AnyPartition, ground: &mut Ground, operation: &str) -> Story {
    let operation = Operation::read(operation).expect("an operation");
    operation
        .check(ground.bodies())
        .expect("one that can be done");
    let story = Story::of(
        &operation,
        index,
        ground,
        1.5,
        usize::MAX,
        &Cancel::default(),
    );
    story.expect("not cancelled")
}

/// What is told of an operation, a line an event.
fn told(index: &mut AnyPartition, ground: &mut Ground, operation: &str) -> Vec<String> {
    let story = story(index, ground, operation);
    story
        .steps
        .iter()
        .map(|step| format!("{}: {}", step.kind(), step.reason))
        .collect()
}

/// Three units to the left below, one in each other quarter.
fn six() -> Vec<Vec2> {
    [
        (5.0, 5.0),
        (6.0, 5.0),
        (5.0, 7.0),
        (50.0, 10.0),
        (10.0, 50.0),
        (60.0, 60.0),
    ]
    .map(Vec2::from)
    .to_vec()
}

#[test]
fn a_search_says_how_far_beside_it_a_quarter_ends() {
    let (mut index, mut ground) = built("quadtree", &[("capacity", "4")], &six());
    let lines = told(&mut index, &mut ground, "radius 5,5,1.5");
    assert_eq!(
        lines,
        [
            "visit: Its box meets the disc: what is below it, 6 units in all, is visited.",
            "prune: Its box begins 38.2 m from the middle of the disc, farther than the radius of 1.5 m: its 1 unit is never tested. All parts of node 0 are held against the disc before any of them is entered, from the highest number to the lowest: so those that are left out come first.",
            "prune: Its box begins 27 m from the middle of the disc, farther than the radius of 1.5 m: its 1 unit is never tested.",
            "prune: Its box begins 27 m from the middle of the disc, farther than the radius of 1.5 m: its 1 unit is never tested.",
            "visit: Its box meets the disc: its 3 units are tested one by one. It is the only part of node 0 that is entered.",
            "test: Unit 0 is tested: 0 m away, within 1.5 m.",
            "hit: Unit 0 is 0 m away, within 1.5 m: found.",
            "test: Unit 1 is tested: 1 m away, within 1.5 m.",
            "hit: Unit 1 is 1 m away, within 1.5 m: found.",
            "test: Unit 2 is tested: 2 m away, 0.5 m too far.",
        ]
    );
    let lines = told(&mut index, &mut ground, "range 0,0,40,40");
    let line = "accept: Its box lies inside the rectangle: its 3 units are taken without a test.";
    assert!(lines.contains(&line.to_owned()), "{lines:#?}");
}

#[test]
fn a_search_says_in_which_order_it_goes_through_the_quarters_of_a_node() {
    let centers = [
        (8.0, 56.0),
        (40.0, 40.0),
        (50.0, 12.0),
        (56.0, 56.0),
        (44.0, 50.0),
        (46.0, 34.0),
        (34.0, 46.0),
    ]
    .map(Vec2::from);
    let (mut index, mut ground) = built("quadtree", &[("capacity", "2")], &centers);
    let lines = told(&mut index, &mut ground, "range 26.5,40.5,33,47");
    let end = " All parts of node 0 are held against the rectangle before any of them is entered, from the highest number to the lowest: so those that are left out come first.";
    assert!(
        lines[1].starts_with("prune") && lines[1].ends_with(end),
        "{lines:#?}"
    );
    let end = " 2 parts of node 0 are entered, from the lowest number to the highest: it is the first of them.";
    assert!(
        lines[3].starts_with("visit") && lines[3].ends_with(end),
        "{lines:#?}"
    );
    // It is said once.
    let said = lines.iter().filter(|line| line.contains(" part"));
    assert_eq!(said.count(), 2, "{lines:#?}");
    let lines = told(&mut index, &mut ground, "rebuild");
    let line = "rebuild: It is asked for: all 7 units are filed anew, into 7 leaves with units, beside 3 empty.";
    assert!(lines[0].starts_with(line), "{lines:#?}");
}

#[test]
fn a_search_that_is_cut_says_of_the_quarters_of_a_node_nothing_but_what_the_whole_one_does() {
    let centers = [
        (8.0, 56.0),
        (40.0, 40.0),
        (50.0, 12.0),
        (56.0, 56.0),
        (44.0, 50.0),
        (46.0, 34.0),
        (34.0, 46.0),
    ]
    .map(Vec2::from);
    let never = Cancel::default();
    let (index, ground) = built("quadtree", &[("capacity", "2")], &centers);
    let stage = Stage::new(index, ground, 2.0, &never).expect("not cancelled");
    let mut told = [false; 2];
    for search in [
        "range 26.5,40.5,33,47",
        "range 26.5,26.5,60,60",
        "radius 5,5,9",
    ] {
        let operation = Operation::read(search).expect("an operation");
        let tell = |cap| stage.tell(&operation, cap, &never).expect("not cancelled");
        let whole = tell(usize::MAX);
        for cap in 1..=whole.steps.len() {
            let cut = tell(cap);
            assert_eq!(cut.steps.len(), cap);
            for (step, uncut) in cut.steps.iter().zip(&whole.steps) {
                let of_parts = |sentence: &&str| sentence.contains("part");
                for sentence in step.reason.split_inclusive(". ").filter(of_parts) {
                    let sentence = sentence.trim_end();
                    assert!(
                        uncut.reason.contains(sentence),
                        "{search}, {cap}: {sentence}"
                    );
                }
                told[usize::from(cut.left_out > 0)] |= step.reason.contains(" entered");
            }
        }
    }
    // It is told of a whole one, and of one that is cut once all parts of the node have come up.
    assert_eq!(told, [true; 2]);
}

#[test]
fn of_tests_that_lie_behind_a_cut_nothing_is_said_before_it() {
    let (mut index, mut ground) = built("quadtree", &[("capacity", "4")], &six());
    let mut reason = |operation: &str, cap: usize| {
        let operation = Operation::read(operation).expect("an operation");
        let never = Cancel::default();
        let cut = Story::of(&operation, &mut index, &mut ground, 1.5, cap, &never);
        cut.expect("not cancelled")
            .steps
            .pop()
            .expect("a step")
            .reason
    };
    let open = "Its box meets the disc: how many of its 3 units are tested lies behind the cut.";
    let said = reason("radius 5,5,1.5", 5);
    assert!(said.starts_with(open), "{said}");
    let alone = "Its box meets the disc: whether its 1 unit is tested lies behind the cut.";
    let said = reason("radius 60,60,1.5", 5);
    assert!(said.starts_with(alone), "{said}");
    // All are tested before this cut, and what is left out is one hit alone.
    let never = Cancel::default();
    let operation = Operation::read("radius 60,60,1.5").expect("an operation");
    let cut = Story::of(&operation, &mut index, &mut ground, 1.5, 6, &never);
    let cut = cut.expect("not cancelled");
    assert_eq!(cut.left_out, 1);
    assert!(
        cut.steps[4].reason.contains("its 1 unit is tested."),
        "{:?}",
        cut.steps[4]
    );
}

#[test]
fn an_empty_quarter_inside_a_disc_is_left_out_as_it_is_empty() {
    let (mut index, mut ground) = built("quadtree", &[("capacity", "2")], &six()[..4]);
    let lines = told(&mut index, &mut ground, "radius 32,32,20");
    let line = "prune: Its box comes to the disc, but it holds 0 units: it is left out.";
    assert!(lines.iter().any(|it| it.starts_with(line)), "{lines:#?}");
}

#[test]
fn a_search_that_tests_units_in_a_node_above_them_says_why() {
    let (mut index, mut ground) = built("morton-tree", &[("bucket", "1")], &six());
    let most = index.kind().side_by_side().expect("it has shelves");
    let lines = told(&mut index, &mut ground, "radius 5,5,1.5");
    let why = format!(
        "meets the disc: what is below it, 6 units in all, is tested one by one, for a node keeps, side by side, up to {most} boxes of what is some levels below it."
    );
    assert!(
        lines[0].starts_with("visit: ") && lines[0].contains(&why),
        "{lines:#?}"
    );
    // In leaves of several units nobody is tested before his leaf is entered.
    let (mut index, mut ground) = built("morton-tree", &[("bucket", "2")], &six());
    let lines = told(&mut index, &mut ground, "radius 5,5,1.5");
    assert!(
        lines[0].contains("6 units in all, is visited."),
        "{lines:#?}"
    );
}

#[test]
fn a_search_of_a_morton_tree_says_with_which_bits_addresses_begin() {
    // One in each cell of a table of 4 by 4.
    let cells = (0..16_u8).map(|cell| (f32::from(cell % 4), f32::from(cell / 4)));
    let centers: Vec<Vec2> = cells
        .map(|(x, y)| Vec2::new(x, y) * 8.0 + Vec2::splat(4.0))
        .collect();
    let knobs = [("cell_size", "8"), ("bucket", "1")];
    let (mut index, mut ground) = built("morton-tree", &knobs, &centers);
    let lines = told(&mut index, &mut ground, "nearest 12,12,1");
    let said = |kind: &str, end: &str| {
        let mut lines = lines.iter();
        lines.any(|line| line.starts_with(kind) && line.ends_with(end))
    };
    // The first bit differs below the root.
    assert!(
        lines[0].ends_with(" The addresses below it begin with different bits."),
        "{lines:#?}"
    );
    // Whoever is tested and found has one of its own.
    for kind in ["test: ", "hit: "] {
        assert!(said(kind, " Its address is 0011."), "{lines:#?}");
    }
    assert!(
        said("visit", " All addresses below it begin with 00."),
        "{lines:#?}"
    );
    assert!(said("visit", " Its address is 0011."), "{lines:#?}");
    assert!(
        said("prune", " All addresses below it begin with 1."),
        "{lines:#?}"
    );
}

#[test]
fn a_leaf_that_is_all_of_its_tree_says_so() {
    for (key, knob) in [("quadtree", "capacity"), ("morton-tree", "bucket")] {
        let (mut index, mut ground) = built(key, &[(knob, "16")], &six());
        let end = " The tree has no other node: a leaf may hold 16.";
        for operation in ["radius 5,5,1.5", "nearest 5,5,2"] {
            let lines = told(&mut index, &mut ground, operation);
            let visits = lines.iter().filter(|line| line.starts_with("visit"));
            let visits: Vec<&String> = visits.collect();
            assert!(
                visits.len() == 1 && visits[0].ends_with(end),
                "{key}: {lines:#?}"
            );
        }
        // Also where it is left out, or taken whole.
        for operation in ["radius 200,200,1", "radius 32,32,200", "range 0,0,64,64"] {
            let lines = told(&mut index, &mut ground, operation);
            let is_of_region = |line: &&String| {
                let kinds = ["visit", "prune", "accept"];
                kinds.into_iter().any(|kind| line.starts_with(kind))
            };
            let of_region: Vec<&String> = lines.iter().filter(is_of_region).collect();
            let all_say_so = of_region.iter().all(|line| line.ends_with(end));
            assert!(!of_region.is_empty() && all_say_so, "{key}: {lines:#?}");
        }
    }
    // Those who stay above the leaves do not count: more are in this one than a leaf may hold.
    let centers = [Vec2::splat(32.0); 3];
    let bodies = Bodies {
        half_extents: &[Vec2::ONE; 3],
        ..Bodies::points(&centers)
    };
    let mut index = AnyPartition::new(Kind::RectQuadtree, FIELD);
    for (knob, value) in [("capacity", "1"), ("looseness", "1")] {
        index.set_knob_text(knob, value).expect("a knob");
    }
    index.rebuild(bodies, &mut ());
    let lines = told(&mut index, &mut Ground::of(bodies), "range 30,30,34,34");
    let end = " The tree has no other node: it is this leaf alone.";
    assert!(lines[0].ends_with(end), "{lines:#?}");
}

#[test]
fn a_node_with_units_of_its_own_says_how_many_more_are_below_it() {
    let centers = [
        (32.0, 32.0),
        (22.0, 25.0),
        (42.0, 25.0),
        (22.0, 39.0),
        (42.0, 39.0),
    ]
    .map(Vec2::from);
    let bodies = Bodies {
        half_extents: &[Vec2::ONE; 5],
        ..Bodies::points(&centers)
    };
    let mut index = AnyPartition::new(Kind::RectQuadtree, FIELD);
    for (knob, value) in [("capacity", "1"), ("looseness", "1")] {
        index.set_knob_text(knob, value).expect("a knob");
    }
    index.rebuild(bodies, &mut ());
    let lines = told(&mut index, &mut Ground::of(bodies), "range 30,30,34,34");
    assert_eq!(
        lines[0],
        "visit: Its box meets the rectangle: its own 1 unit is tested, and what is below it, 4 more units, is visited."
    );
}

#[test]
fn where_boxes_are_tight_a_search_and_a_move_are_told_by_them() {
    let centers = [(10.0, 10.0), (22.0, 25.0), (50.0, 10.0), (50.0, 50.0)].map(Vec2::from);
    let bodies = Bodies::points(&centers);
    let knobs = [("capacity", "1"), ("tight", "on")];
    let (mut index, mut ground) = built("rect-quadtree", &knobs, &centers);
    assert_eq!(ground.bodies().count(), bodies.count());
    let lines = told(&mut index, &mut ground, "range 12,12,20,20");
    let by_box = "prune: Its box comes to the rectangle, but the box around whom it holds is 2.83 m away from the rectangle: its 1 unit is never tested.";
    assert!(lines.iter().any(|line| line == by_box), "{lines:#?}");
    let lines = told(&mut index, &mut ground, "move 0,11,10");
    let end = " its copy is rewritten, and the box around whom it holds.";
    assert!(lines[0].ends_with(end), "{lines:#?}");
    // All the way up.
    let lines = told(&mut index, &mut ground, "move 0,9,9");
    let end = " its copy is rewritten, and the boxes above follow.";
    assert!(lines[0].ends_with(end), "{lines:#?}");
    let boxes = lines.iter().filter(|line| line.starts_with("refit: "));
    assert_eq!(boxes.count(), 2, "{lines:#?}");
    // Into a quarter in which nobody was, and out of it again.
    for (to, said) in [
        (
            "10,50",
            "refit: It held nobody before the edit: its box is now ",
        ),
        ("9,9", " Nobody is left in it: its box of "),
    ] {
        let lines = told(&mut index, &mut ground, &format!("move 0,{to}"));
        assert!(lines.iter().any(|line| line.contains(said)), "{lines:#?}");
    }
}

#[test]
fn a_body_that_only_reaches_into_a_rectangle_is_not_said_to_be_in_it() {
    let centers = [(20.0, 20.0), (40.0, 20.0)].map(Vec2::from);
    let bodies = Bodies {
        half_extents: &[Vec2::splat(6.0); 2],
        ..Bodies::points(&centers)
    };
    let mut index = AnyPartition::new(Kind::AllPairs, FIELD);
    index.rebuild(bodies, &mut ());
    let lines = told(&mut index, &mut Ground::of(bodies), "range 10,10,25,25");
    for line in [
        "hit: Unit 0 at (20, 20) is in the rectangle: found.",
        "hit: Unit 1 is at (40, 20), and its body, 12 m wide, reaches into the rectangle: found.",
    ] {
        assert!(lines.contains(&line.to_owned()), "{line}\n{lines:#?}");
    }
}

#[test]
fn the_nearest_are_told_with_who_was_found_so_far() {
    let (mut index, mut ground) = built("quadtree", &[("capacity", "4")], &six());
    let lines = told(&mut index, &mut ground, "nearest 5,5,2");
    for line in [
        "visit: The point lies in its box, and 0 of 2 are found so far: its 3 units are tested one by one.",
        "test: Unit 1 is tested: 1 m away, number 2 of the 2 nearest so far, and 2 are wanted.",
        "test: Unit 2 is tested: 2 m away, no nearer than the last of the 2 so far, unit 1 at 1 m.",
        "prune: Its box begins 27 m away, farther than the last of the 2 so far, unit 1 at 1 m: its 1 unit is left out.",
        "hit: Unit 1 is number 2 of the nearest, 1 m away: found.",
    ] {
        assert!(lines.contains(&line.to_owned()), "{line}\n{lines:#?}");
    }
}

#[test]
fn a_search_for_the_nearest_knows_how_far_it_still_looks_at_every_step() {
    for kind in Kind::ALL {
        let key = kind.info().key;
        let (mut index, mut ground) = crowd(key, 200, 3);
        let told = story(&mut index, &mut ground, "nearest 20,30,4");
        let Answer::Units(found) = &told.answer else {
            panic!("{key}: units are found");
        };
        let away = |unit: &UnitId| {
            let body = ground.bodies().aabb(*unit);
            f64::from(body.distance_sq(Vec2::new(20.0, 30.0))).sqrt()
        };
        let farthest = found.iter().map(away).fold(0.0, f64::max);
        assert_eq!(told.reach(0), None, "{key}");
        let last = told.reach(told.steps.len()).expect("four were found");
        assert!((last - farthest).abs() < 1.0e-3, "{key}: {last} {farthest}");
        let reaches = told.reaches.iter().map(|(_, reach)| *reach);
        assert!(reaches.clone().is_sorted_by(|a, b| a > b), "{key}");
        let (first, _) = told.reaches[0];
        assert!(told.reach(first - 1).is_none() && told.reach(first).is_some());
        // Who is near so far is who is nearest of those that were looked at by then, and in the end who is found.
        let reel = Reel::new(told.clone());
        for at in 0..=told.steps.len() {
            let mut looked_at = Vec::new();
            for step in &told.steps[..at] {
                if let Event::Test(unit) = step.event
                    && !looked_at.contains(&unit)
                {
                    looked_at.push(unit);
                }
            }
            let square = |unit: &UnitId| {
                let body = ground.bodies().aabb(*unit);
                (body.distance_sq(Vec2::new(20.0, 30.0)), *unit)
            };
            looked_at.sort_by(|a, b| square(a).partial_cmp(&square(b)).expect("numbers"));
            looked_at.truncate(4);
            looked_at.sort_unstable();
            let near = (0..200).filter(|unit| match reel.standing(*unit, at) {
                Standing::Nearest => true,
                Standing::Found => looked_at.contains(unit),
                _ => false,
            });
            assert_eq!(
                near.collect::<Vec<_>>(),
                looked_at,
                "{key} after {at} steps"
            );
            assert_eq!(reel.nearest_so_far(at), looked_at.len(), "{key}, {at}");
        }
    }
    let (mut index, mut ground) = built("quadtree", &[], &six());
    let few = story(&mut index, &mut ground, "nearest 20,30,9");
    assert_eq!(few.reach(few.steps.len()), None);
}

/// How often it is told that levels between are passed over: once at the most, where some lie below a node that is among the steps before.
fn says_levels(told: &Story) -> usize {
    let is_said = |step: &Step| step.reason.contains("The levels between are passed over");
    let mut count = 0;
    for (at, step) in told
        .steps
        .iter()
        .enumerate()
        .filter(|(_, step)| is_said(step))
    {
        let is_entered = |region: RegionId| {
            let mut steps = told.steps[..at].iter();
            steps.any(|step| step.event == Event::Visit(region))
        };
        let place = told.place(step).expect("a region");
        let above = place.parent.expect("a node above it");
        assert!(!is_entered(above));
        let higher = |region: &RegionId| told.before.place(*region)?.parent;
        let mut higher = std::iter::successors(Some(above), higher);
        assert!(higher.any(is_entered), "{}", step.reason);
        count += 1;
    }
    assert!(count <= 1, "{count}");
    count
}

#[test]
fn a_search_of_a_tree_of_cuts_tells_its_way_down_and_whom_it_never_looks_at() {
    let (mut index, mut ground) = crowd("kd-tree", 4_000, 3);
    let (mut ended_early, mut passed) = (0, 0);
    for place in 0..40_u8 {
        let at = Vec2::new(f32::from(place % 8), f32::from(place / 8)) * 7.0 + Vec2::splat(6.0);
        let told = story(
            &mut index,
            &mut ground,
            &format!("nearest {},{},2", at.x, at.y),
        );
        let way = &told.steps[0].reason;
        assert!(
            way.contains(
                "The way down to it took a comparison with each cut alone: the point lies "
            ),
            "{way}"
        );
        // No node above it is among the steps before it, and the first of them says why.
        assert!(way.contains("from here the search goes up."), "{way}");
        assert!(
            !told.steps[1..]
                .iter()
                .any(|step| step.reason.contains("The way down to it"))
        );
        passed += says_levels(&told);
        let is_root = |step: &&Step| {
            let place = step.place.and_then(|place| told.places.get(place));
            matches!(step.event, Event::Visit(_))
                && place.is_some_and(|place| place.parent.is_none())
        };
        let is_entered = told.steps.iter().any(|step| is_root(&step));
        let ends = told
            .steps
            .iter()
            .filter(|step| step.reason.contains("The search ends here"));
        assert_eq!(ends.count(), usize::from(!is_entered), "{at}");
        ended_early += usize::from(!is_entered);
    }
    assert!(ended_early > 5 && passed > 5, "{ended_early}, {passed}");
    // Between a root and its two leaves there are none.
    let (mut index, mut ground) = built("kd-tree", &[("leaf_size", "3")], &six()[..4]);
    let two_leaves = story(&mut index, &mut ground, "nearest 8,8,4");
    let leaves = two_leaves.before.places().iter();
    assert_eq!(leaves.filter(|place| place.parent.is_some()).count(), 2);
    assert!(two_leaves.steps[0].reason.contains("The way down to it"));
    assert_eq!(says_levels(&two_leaves), 0);
    for kind in Kind::ALL.iter().filter(|kind| **kind != Kind::KdTree) {
        let (mut index, mut ground) = crowd(kind.info().key, 400, 3);
        let told = told(&mut index, &mut ground, "nearest 20,30,4");
        assert!(
            !told
                .iter()
                .any(|line| line.contains("The search ends here")
                    || line.contains("The way down to it")),
            "{kind:?}"
        );
    }
}

#[test]
fn a_leaf_says_when_it_is_too_full_and_when_it_has_its_parts_back() {
    let (mut index, mut ground) = built("quadtree", &[("capacity", "5")], &six()[..5]);
    let lines = told(&mut index, &mut ground, "insert 60,60");
    assert_eq!(
        lines,
        [
            "added: Unit 5 at (60, 60) arrives in leaf 0, which held 5 units, as many as a leaf may.",
            "split: 6 units are more than the 5 that a leaf may hold: it is split in four, and unit 5 lies in leaf 4 now.",
        ]
    );
    let lines = told(&mut index, &mut ground, "move 5,60.5,60");
    assert_eq!(lines.len(), 1, "{lines:#?}");
    assert!(
        lines[0]
            .starts_with("moved in place: Unit 5, 0.5 m from where it was, still lies in leaf "),
        "{lines:#?}"
    );
    let lines = told(&mut index, &mut ground, "move 5,6,6");
    let parts = [
        "climb: Step 1 up: the box of leaf ",
        " does not hold (6, 6), which is ",
    ];
    assert!(
        lines
            .iter()
            .any(|line| parts.iter().all(|part| line.contains(part))),
        "{lines:#?}"
    );
    let part = "Step 1 of 1 down, to leaf ";
    assert!(lines.iter().any(|line| line.contains(part)), "{lines:#?}");
    for unit in 0..4 {
        let lines = told(&mut index, &mut ground, &format!("remove {unit}"));
        let merges = lines
            .iter()
            .filter(|line| line.starts_with("merge"))
            .count();
        assert_eq!(merges, usize::from(unit == 3), "{lines:#?}");
        if unit == 3 {
            assert_eq!(
                lines,
                [
                    "removed: Unit 3 at (50, 10) is taken out of leaf 2, which held 1 unit: the leaf is gone after the edit.",
                    "merge: Node 0 had 3 units below it, and 2 are left; parts are joined once no more than 2 are in them, half of the 5 that a leaf may hold, rounded down: it takes its parts back."
                ]
            );
        }
    }
}

#[test]
fn whoever_is_taken_out_of_a_leaf_is_not_counted_in_it_any_more() {
    let mut before_the_edit = 0;
    for key in ["quadtree", "kd-tree"] {
        for unit in 0..24 {
            let (mut index, mut ground) = crowd(key, 24, 0);
            let story = story(&mut index, &mut ground, &format!("remove {unit}"));
            let is_removal = |step: &&Step| step.event == Event::Work(Work::Remove);
            let Some(step) = story.steps.iter().find(is_removal) else {
                continue;
            };
            let (Some(place), Some(then)) = (story.place(step), story.place_then(step)) else {
                continue;
            };
            // Where the leaf is joined next it is shown as it was before.
            let is_before = story.before.home(unit) == Some(place);
            before_the_edit += usize::from(is_before);
            assert_eq!(
                then.below + u64::from(is_before),
                place.below,
                "{key}, {unit}"
            );
        }
    }
    assert!(before_the_edit > 0);
}

#[test]
fn a_step_down_names_the_leaf_that_is_split_in_the_end() {
    let (mut index, mut ground) = built("quadtree", &[("capacity", "5")], &six());
    for at in ["4,4", "4,28", "28,4", "28,28"] {
        told(&mut index, &mut ground, &format!("insert {at}"));
    }
    let mut split = None;
    for at in ["5,6", "6,6", "7,6"] {
        let lines = told(&mut index, &mut ground, &format!("insert {at}"));
        if lines.iter().any(|line| line.starts_with("split")) {
            split = Some(lines);
            break;
        }
    }
    let lines = split.expect("nine units in a quarter of which five may be");
    let mut steps = lines.iter().filter(|line| line.starts_with("descent"));
    let down = steps.next_back();
    assert!(
        down.is_some_and(|line| line.contains(" down, to leaf ")),
        "{lines:#?}"
    );
}

#[test]
fn whoever_is_in_a_region_is_known_where_units_are_tested_region_by_region() {
    let centers: Vec<Vec2> = (0..400_u32)
        .map(|unit| Vec2::new((unit * 37 % 64) as f32, (unit * 53 % 61) as f32))
        .collect();
    for kind in Kind::ALL {
        let (index, ground) = built(kind.info().key, &[], &centers);
        let atlas = Atlas::of(&index, ground.bodies(), &Cancel::default()).expect("not cancelled");
        let roots = atlas.places().iter().filter(|place| place.parent.is_none());
        let below: u64 = roots.map(|place| place.below).sum();
        if !atlas.places().is_empty() {
            assert_eq!(below, 400, "{kind:?}");
        }
        for place in atlas.places() {
            assert!(
                place.tight.is_some() || place.below == 1,
                "{kind:?}: {place:?}"
            );
            if let (Some(tight), Some(bounds)) =
                (place.tight, place.edge().map(|(_, bounds)| bounds))
            {
                let is_inside =
                    tight.is_empty() || bounds.grown(Vec2::splat(1.0e-3)).contains_box(tight);
                assert!(is_inside, "{kind:?}: {place:?}");
            }
        }
    }
}

/// One unit is told of twice where it stands in two strips, and a picture may lack nothing that is told of.
#[test]
fn every_region_that_is_told_of_is_in_the_picture() {
    for kind in Kind::ALL {
        let (mut index, mut ground) = built(kind.info().key, &[], &six());
        for operation in [
            "radius 30,30,20",
            "nearest 30,30,2",
            "pairs 9",
            "insert 5,6",
            "move 0,60,5",
            "remove 1",
        ] {
            for line in told(&mut index, &mut ground, operation) {
                assert!(
                    !line.contains("does not have it") && !line.contains("Event "),
                    "{kind:?}, {operation}: {line}"
                );
            }
        }
    }
}

/// A crowd that is the same every time, and small leaves, so that edits change the tree.
fn crowd(key: &str, count: u32, turn: u32) -> (AnyPartition, Ground) {
    let centers: Vec<Vec2> = (0..count)
        .map(|unit| {
            let mixed = (unit + 1 + 1000 * turn).wrapping_mul(2_654_435_761);
            Vec2::new((mixed >> 20) as f32, (mixed >> 6 & 0xfff) as f32) / 64.0
        })
        .collect();
    let knobs: &[(&str, &str)] = match key {
        "quadtree" | "rect-quadtree" => &[("capacity", "2")],
        "kd-tree" | "bsp-tree" => &[("leaf_size", "2")],
        "bvh" => &[("leaf_size", "2"), ("update", "incremental")],
        "morton-tree" => &[("bucket", "2")],
        _ => &[],
    };
    built(key, knobs, &centers)
}

/// A number that an edit uses again must not bring the box, the units or the depth of another region with it.
#[test]
fn a_step_of_an_edit_is_told_by_the_regions_of_one_moment() {
    for kind in Kind::ALL {
        let key = kind.info().key;
        let mut told = 0;
        for turn in 0..6 {
            let (mut index, mut ground) = crowd(key, 24, turn);
            for round in 0..40_u32 {
                let mixed = (round + 100 * turn + 7).wrapping_mul(2_246_822_519);
                let at = Vec2::new((mixed >> 21) as f32, (mixed >> 9 & 0x7ff) as f32) / 32.0;
                let unit = mixed % 24;
                let operation = match round % 8 {
                    0 => Operation::Insert { at },
                    1 if ground.bodies().is_alive(24 + round / 8) => Operation::Remove {
                        unit: 24 + round / 8,
                    },
                    _ => Operation::Move { unit, to: at },
                };
                let story = Story::of(
                    &operation,
                    &mut index,
                    &mut ground,
                    1.5,
                    usize::MAX,
                    &Cancel::default(),
                );
                let story = story.expect("not cancelled");
                for (number, step) in story.steps.iter().enumerate() {
                    let Some(place) = story.place(step) else {
                        continue;
                    };
                    told += 1;
                    let shown = story.atlas(number + 1).place(place.region);
                    let line = format!("{key}, {operation}, {number}: {step:?}");
                    assert!(
                        shown.is_none_or(|shown| shown == place),
                        "{line}\n{shown:#?}\n{place:#?}"
                    );
                    assert_eq!(step.region, Some(place.region), "{line}");
                    if matches!(step.event, Event::Merge(_)) {
                        let many = place.below.to_string();
                        assert!(step.reason.contains(&many) || many == "0", "{line}");
                    }
                }
            }
        }
        assert!(told > 0 || *kind == Kind::AllPairs || Atlas::default().places().is_empty());
    }
}

#[test]
fn who_moves_into_a_full_leaf_arrives_there_before_that_is_split() {
    let (mut index, mut ground) = built("quadtree", &[("capacity", "3")], &six());
    let lines = told(&mut index, &mut ground, "move 3,28,28");
    let split = lines.iter().position(|line| line.starts_with("split"));
    let split = split.expect("four units in a quarter of which three may be");
    assert!(
        lines[split - 1]
            .ends_with(", and goes to leaf 1, which held 3 units, as many as a leaf may."),
        "{lines:#?}"
    );
    let line = "split: 4 units are more than the 3 that a leaf may hold: it is split in four, and unit 3 lies in leaf ";
    assert!(lines[split].starts_with(line), "{lines:#?}");
}

#[test]
fn a_node_of_the_kd_tree_whose_number_is_used_again_is_told_with_its_own_units() {
    let mut merges = 0;
    for unit in 0..30 {
        let (mut index, mut ground) = crowd("kd-tree", 30, 0);
        for line in told(&mut index, &mut ground, &format!("remove {unit}")) {
            if let Some(line) = line.strip_prefix("merge: Node ") {
                assert!(
                    line.contains(" had 2 units below it, and 1 is left; parts are joined once no more than 1 is in them, half of the 2 that a leaf may hold: its parts become one, leaf "),
                    "{line}"
                );
                merges += 1;
            }
        }
    }
    assert!(merges > 10, "{merges}");
}

/// A crowd of bodies of many sizes, some of them across every line.
fn sized_crowd(key: &str) -> (AnyPartition, Ground) {
    let (_, ground) = crowd("all-pairs", 300, 0);
    let centers: Vec<Vec2> = (0..300).map(|unit| ground.bodies().center(unit)).collect();
    let sizes: Vec<Vec2> = (0..300)
        .map(|unit| Vec2::splat((unit % 13) as f32 / 4.0))
        .collect();
    let bodies = Bodies {
        half_extents: &sizes,
        ..Bodies::points(&centers)
    };
    let mut index = AnyPartition::new(Kind::from_key(key).expect("a structure"), FIELD);
    index.rebuild(bodies, &mut ());
    (index, Ground::of(bodies))
}

/// What a rebuild is told as, and how many inner regions and leaves there are afterwards.
fn rebuilt(key: &str) -> (Story, usize, usize) {
    let (mut index, mut ground) = sized_crowd(key);
    let story = Story::of(
        &Operation::Rebuild,
        &mut index,
        &mut ground,
        1.5,
        usize::MAX,
        &Cancel::default(),
    );
    let story = story.expect("not cancelled");
    let places = story.atlas(story.steps.len()).places();
    let inner = places.iter().filter(|place| place.is_inner()).count();
    let leaves = places.len() - inner;
    (story, inner, leaves)
}

#[test]
fn a_tree_that_is_built_from_below_is_told_box_by_box() {
    let (story, inner, leaves) = rebuilt("bvh");
    let boxes = &story.steps[1..];
    assert!(inner >= 3 && boxes.len() == inner + leaves, "{boxes:#?}");
    for (number, step) in boxes.iter().enumerate() {
        let place = story.place(step).expect("a box");
        assert_eq!(place.is_inner(), number >= leaves, "{step:?}");
        assert!(matches!(step.event, Event::Refit(_)), "{step:?}");
        assert!(step.reason.contains(&words::units(place.below)), "{step:?}");
        // What is below it was there before.
        let told = &boxes[..number];
        let is_told = |part: &RegionId| told.iter().any(|it| it.region == Some(*part));
        assert!(place.parts.iter().all(is_told), "{step:?}");
    }
    let last = boxes.last().expect("a root");
    assert!(last.reason.starts_with("The root: "), "{last:?}");
}

#[test]
fn trees_that_are_built_from_above_are_told_split_by_split() {
    for key in [
        "morton-tree",
        "rect-quadtree",
        "quadtree",
        "kd-tree",
        "bsp-tree",
    ] {
        let (story, inner, _) = rebuilt(key);
        let splits = &story.steps[1..];
        assert!(inner >= 3 && splits.len() == inner, "{key}: {splits:#?}");
        for (number, step) in splits.iter().enumerate() {
            assert!(matches!(step.event, Event::Split(_)), "{step:?}");
            let above = story.place(step).expect("a node").parent;
            let told = &splits[..number];
            let is_told = |above| told.iter().any(|it| it.region == Some(above));
            assert!(above.is_none_or(is_told), "{key}: {step:?}");
        }
        let part = match key {
            "morton-tree" => " of their addresses, the highest in which they differ, ",
            "rect-quadtree" => " across a line between the parts and stay",
            _ => "more than the ",
        };
        let line = splits.iter().find(|step| step.reason.contains(part));
        assert!(line.is_some(), "{key}: {splits:#?}");
    }
}

#[test]
fn who_counts_a_build_hears_of_as_many_nodes_and_boxes_as_are_told() {
    for key in ["bvh", "morton-tree", "rect-quadtree"] {
        let (story, ..) = rebuilt(key);
        let (mut index, ground) = sized_crowd(key);
        let mut counter = Counter::default();
        index.rebuild(ground.bodies(), &mut counter);
        assert_eq!(counter, story.counters, "{key}");
        assert!(counter.splits + counter.refits > 0, "{key}");
    }
}

#[test]
fn a_leaf_whose_box_grows_with_who_stays_in_it_says_so() {
    let (mut index, mut ground) = built("bvh", &[("leaf_size", "4")], &six());
    let lines = told(&mut index, &mut ground, "move 0,1,1");
    assert!(
        lines[0].starts_with("moved in place: Unit 0, 5.66 m from where it was, stays in leaf "),
        "{lines:#?}"
    );
    assert!(
        lines[0].contains(", whose box grows to hold it: "),
        "{lines:#?}"
    );
    for part in [
        " after it, and the boxes above follow. With update set to refit a unit that moves stays in its leaf, and boxes alone change. All boxes together cost ",
        " times as much as right after the last build: if that is more than 1.2 times when it is looked at next, all are built anew.",
    ] {
        assert!(lines[0].contains(part), "{lines:#?}");
    }
    let (mut index, mut ground) = built("bvh", &[("update", "incremental")], &six());
    let lines = told(&mut index, &mut ground, "move 0,4,4");
    assert!(!lines[0].contains("set to refit"), "{lines:#?}");
}

#[test]
fn a_build_that_leaves_room_in_leaves_says_how_much() {
    let (mut index, mut ground) = built("kd-tree", &[("leaf_size", "2")], &six());
    let lines = told(&mut index, &mut ground, "rebuild");
    let part = "A leaf may hold 2, but a build fills none with more than 1, four fifths at most, so that there is room for who comes: 2 units are parted in two at ";
    assert!(lines.iter().any(|line| line.contains(part)), "{lines:#?}");
}

/// A leaf that a unit leaves has not been removed itself.
#[test]
fn what_a_unit_does_in_a_region_is_not_said_of_the_region() {
    let mut words = HashMap::new();
    for kind in Kind::ALL {
        for text in ["insert 20,6", "remove 3", "move 5,60,5"] {
            let (mut index, mut ground) = crowd(kind.info().key, 24, 0);
            let story = story(&mut index, &mut ground, text);
            for step in story.steps.iter().filter(|step| step.region.is_some()) {
                words.insert(step.kind(), step.word());
            }
        }
    }
    for (kind, word) in [
        ("added", "unit into"),
        ("removed", "unit out of"),
        ("relinked", "unit moves to"),
        ("climb", "up from"),
        ("descent", "down to"),
    ] {
        assert_eq!(words.get(kind), Some(&word), "{words:?}");
    }
}

/// A unit comes or moves far away in every tree: what is told of the way, and where in it it is told that the unit was put elsewhere.
#[test]
fn a_way_up_and_down_names_its_nodes_and_comes_before_what_is_done_at_its_end() {
    let is_way = |step: &&Step| matches!(step.event, Event::Climb(_) | Event::Descend(_));
    for kind in Kind::ALL {
        let key = kind.info().key;
        let (mut steps, mut moves) = (0, 0);
        for unit in 0..24 {
            for text in [format!("insert {unit},6"), format!("move {unit},60,5")] {
                let (mut index, mut ground) = crowd(key, 24, 0);
                let operation = Operation::read(&text).expect("an operation");
                let story = Story::of(
                    &operation,
                    &mut index,
                    &mut ground,
                    1.5,
                    usize::MAX,
                    &Cancel::default(),
                );
                let story = story.expect("not cancelled");
                for step in story.steps.iter().filter(is_way) {
                    let line = format!("{key}, {text}: {step:?}");
                    let place = story.place(step).unwrap_or_else(|| panic!("{line}"));
                    let name = place.name();
                    assert!(step.reason.contains(&name), "{line}");
                    steps += 1;
                }
                let ends = story.steps.iter().rposition(|step| is_way(&step));
                let mut all = story.steps.iter();
                let relinked = all.position(|step| step.event == Event::Work(Work::MoveRelink));
                if let (Some(ends), Some(relinked)) = (ends, relinked) {
                    assert!(ends < relinked, "{key}, {text}: {:#?}", story.steps);
                    moves += 1;
                }
            }
        }
        let is_tree = key.contains("tree") || key == "bvh";
        assert!(
            !is_tree || steps > 20 && moves > 5,
            "{key}: {steps} {moves}"
        );
    }
}

#[test]
fn who_is_taken_out_before_its_new_place_is_looked_for_is_said_to_be() {
    let (mut index, mut ground) = crowd("bsp-tree", 24, 0);
    let lines = told(&mut index, &mut ground, "move 0,60,5");
    assert!(
        lines[0].starts_with(
            "refit: Unit 0 belongs elsewhere, and is taken out of leaf 20. Its box is computed again: "
        ),
        "{lines:#?}"
    );
    let said = lines.iter().filter(|line| line.contains("is taken out of"));
    assert_eq!(said.count(), 1, "{lines:#?}");
    // The leaf to which the way leads, though all around it is parted anew in the end.
    let down = "descent: Step 4 of 4 down, to leaf 12, in search of the place for (60, 5).";
    let at = lines.iter().position(|line| line == down);
    let next = at.map(|at| lines[at + 1].as_str());
    let to = "relinked: Unit 0, 54.6 m from where it was, does not belong to leaf 20 any more: it is at (60, 5) now, and goes to leaf 12";
    assert!(next.is_some_and(|it| it.starts_with(to)), "{lines:#?}");
}

#[test]
fn of_two_who_change_places_in_an_order_it_is_said_who_they_are() {
    let mut stream = crate::chance::Stream::new(3);
    let mut number = || stream.between(1.0, 63.0);
    let centers: Vec<Vec2> = (0..200).map(|_| Vec2::new(number(), number())).collect();
    for key in ["sweep-and-prune", "battle-line"] {
        let mut swaps = 0;
        for unit in 0..20 {
            let (mut index, mut ground) = built(key, &[], &centers);
            let to = (centers[unit as usize] + Vec2::splat(2.0)).min(Vec2::splat(63.0));
            let line = format!("move {unit},{},{}", to.x, to.y);
            let story = story(&mut index, &mut ground, &line);
            // Whatever is sorted anew is sorted by its keys alone.
            if story.counters.of(Work::Rebuild) > 0 {
                continue;
            }
            for step in &story.steps {
                if step.event != Event::Work(Work::Swap) {
                    continue;
                }
                swaps += 1;
                let Concerned::Two(a, b) = step.units else {
                    panic!("{key}: {}", step.reason);
                };
                let named = format!("unit {a} and unit {b}, number ");
                assert!(step.reason.contains(&named), "{key}: {}", step.reason);
                assert!([a, b].contains(&unit), "{key}, {unit}: {}", step.reason);
            }
        }
        assert!(swaps > 0, "{key}");
    }
}
