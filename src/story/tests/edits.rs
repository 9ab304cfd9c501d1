//! What is said of edits whose nodes are made, given up or made anew.

use super::*;
use crate::partition::Joining;

/// The units of the scene with the address table: one in each cell of a table of 4 by 4.
fn table() -> Vec<Vec2> {
    let blue = [(4, 4), (20, 4), (12, 12), (28, 12)].into_iter().chain([
        (4, 20),
        (20, 20),
        (12, 28),
        (28, 28),
    ]);
    let orange = [(12, 4), (28, 4), (4, 12), (20, 12)].into_iter().chain([
        (12, 20),
        (28, 20),
        (4, 28),
        (20, 28),
    ]);
    blue.chain(orange)
        .map(|(x, y)| Vec2::new(x as f32, y as f32))
        .collect()
}

/// A Morton tree with a leaf for each unit.
fn single(centers: &[Vec2]) -> (AnyPartition, Ground) {
    let knobs = [("cell_size", "8"), ("bucket", "1")];
    built("morton-tree", &knobs, centers)
}

#[test]
fn whoever_has_a_leaf_alone_is_known_to_be_in_it_however_deep_that_is() {
    let mut centers = table();
    // Three more on one spot, and one at a zero of the other sign.
    centers.extend([Vec2::new(12.0, 28.0); 3]);
    centers.push(Vec2::new(-0.0, 9.0));
    let (index, ground) = single(&centers);
    let bodies = ground.bodies();
    let atlas = Atlas::of(&index, bodies, &Cancel::default()).expect("not cancelled");
    for unit in bodies.ids() {
        let home = atlas.home(unit).expect("a leaf");
        assert_eq!(home.units(), [unit]);
        let mut is_said = false;
        index.facts(bodies, home.region, &mut |fact| {
            is_said |= fact.name == "unit" && fact.value == unit.to_string();
        });
        assert!(is_said, "unit {unit} is not in {}", home.name());
    }
}

#[test]
fn a_node_of_two_units_that_loses_one_has_one_left() {
    for (operation, leaves) in [
        ("remove 12", "is taken out of leaf "),
        (
            "move 0,13.7,24.8",
            "Unit 0 belongs elsewhere, and is taken out of leaf ",
        ),
    ] {
        let (mut index, mut ground) = single(&table());
        let lines = told(&mut index, &mut ground, operation);
        let merges: Vec<&String> = lines
            .iter()
            .filter(|line| line.starts_with("merge"))
            .collect();
        assert_eq!(merges.len(), 1, "{lines:#?}");
        let line = " had 2 units below it, and 1 is left: its parts become one, leaf ";
        assert!(merges[0].contains(line), "{lines:#?}");
        assert!(lines[0].contains(leaves), "{lines:#?}");
    }
}

#[test]
fn a_node_with_the_number_of_one_that_is_gone_is_said_to_be_new() {
    let (mut index, mut ground) = single(&table());
    let lines = told(&mut index, &mut ground, "move 0,13.7,24.8");
    let split = lines.iter().position(|line| line.starts_with("split"));
    let split = split.expect("two units in one cell");
    let is_new = |line: &String| line.contains(" It is a new node ");
    assert!(is_new(&lines[split]), "{lines:#?}");
    assert!(
        lines[split].contains(": that of before is gone. All addresses in it are "),
        "{lines:#?}"
    );
    let said = lines.iter().filter(|line| is_new(line));
    assert_eq!(said.count(), 1, "{lines:#?}");
    let refit = "refit: Its box is computed for the first time: 1.7 × 3.2 m from (12, 24.8) on. All addresses in it are ";
    assert!(lines[split + 1].starts_with(refit), "{lines:#?}");
}

/// The units of the figure with the splits of a quadtree.
pub(in crate::story) fn seven() -> Vec<Vec2> {
    [
        (8.0, 56.0),
        (40.0, 40.0),
        (50.0, 12.0),
        (56.0, 56.0),
        (44.0, 50.0),
        (46.0, 34.0),
        (34.0, 46.0),
    ]
    .map(Vec2::from)
    .to_vec()
}

#[test]
fn what_is_below_a_node_that_is_parted_anew_is_new_whatever_its_number() {
    let (mut index, mut ground) = built("bsp-tree", &[("leaf_size", "1")], &seven());
    let story = story(&mut index, &mut ground, "insert 27.1,21.4");
    let reasons: Vec<&str> = story.steps.iter().map(|it| it.reason.as_str()).collect();
    let is_split = |step: &&Step| matches!(step.event, Event::Split(_));
    let splits: Vec<&Step> = story.steps.iter().filter(is_split).collect();
    assert_eq!(splits.len(), 3, "{reasons:#?}");
    let parted = "So many have come, gone or crossed a line that its halves are none any more: its 4 units are parted in two anew.";
    assert_eq!(splits[0].reason, parted);
    for (number, step) in splits.iter().enumerate().skip(1) {
        let why = "2 units are more than the 1 that a leaf may hold: it is split in two, 1 and 1";
        assert!(step.reason.starts_with(why), "{reasons:#?}");
        let is_said_before = splits[..number].iter().any(|it| it.region == step.region);
        assert!(!is_said_before, "{reasons:#?}");
        // Its number was that of another node, or nobody's.
        let was = story.before.place(step.region.expect("a node"));
        let is_new = step.reason.contains(" It is a new node ");
        assert_eq!(is_new, was.is_some(), "{reasons:#?}");
    }
    // While the boxes are computed it still holds whom it held, and the new one.
    let node = splits[0].region.expect("a node");
    let box_then = format!(
        "Its box is computed again: 4 × 22 m from (46, 12) on before the edit, 22.9 × 22 m from (27.1, 12) on until all of node {node} is parted anew."
    );
    assert!(reasons.contains(&box_then.as_str()), "{reasons:#?}");
    // A leaf for one cannot have held another one before.
    let last = story.steps.last().expect("a step");
    assert_eq!(last.event, Event::Work(Work::Add));
    assert!(!last.reason.contains("which held 1 unit"), "{reasons:#?}");
    assert!(
        last.reason
            .ends_with(": 1 is in it now of the 1 that it may hold."),
        "{reasons:#?}"
    );
}

#[test]
fn a_step_down_past_several_cuts_says_which() {
    let centers = [
        (3.0, 5.0),
        (6.0, 2.0),
        (9.0, 12.0),
        (14.0, 7.0),
        (20.0, 26.0),
        (26.0, 16.0),
        (40.0, 22.0),
        (52.0, 50.0),
    ]
    .map(Vec2::from);
    let knobs = [("leaf_size", "1"), ("split", "alternate")];
    let (mut index, mut ground) = built("kd-tree", &knobs, &centers);
    let lines = told(&mut index, &mut ground, "insert 20,20");
    let down = lines.iter().find(|line| line.starts_with("descent"));
    let down = down.expect("a step down");
    assert!(
        down.starts_with("descent: Step 1 of 1 down, to leaf "),
        "{lines:#?}"
    );
    assert!(
        down.contains(", 3 levels at once, in search of "),
        "{lines:#?}"
    );
    let cuts = " It took a comparison with each of 3 cuts: the place lies right of x = 17 m, above y = 24 m, left of x = 33 m.";
    assert!(down.ends_with(cuts), "{lines:#?}");
}

#[test]
fn a_node_of_a_morton_tree_that_is_made_says_in_which_bit_addresses_part() {
    let parted = |operation: &str, how: &str| {
        let (mut index, mut ground) = single(&table());
        let lines = told(&mut index, &mut ground, operation);
        let is_said = |line: &String| line.starts_with("split") && line.contains(how);
        assert!(lines.iter().any(is_said), "{operation}: {lines:#?}");
    };
    parted(
        "insert 13,13",
        " parted in two by their numbers, for they are in one cell.",
    );
    parted(
        "insert 44,44",
        " parted in two at bit 5 (x) of their addresses, the highest in which they differ.",
    );
}

/// Who moves, comes or goes, where to, and with how many.
#[test]
fn an_edit_of_a_grid_says_where_who_is_and_how_many_are_with_it() {
    let centers = [(4.0, 4.0), (6.0, 4.0), (12.0, 4.0)].map(Vec2::from);
    let knobs = [("cell_size", "8")];
    let (mut index, mut ground) = built("linked-grid", &knobs, &centers);
    for (operation, line) in [
        (
            "move 0,5,4",
            "moved in place: Unit 0, 1 m from where it was, still lies in cell 0, 0, at (5, 4): only its copy is rewritten.",
        ),
        (
            "move 0,10,4",
            "relinked: Unit 0, 5 m from where it was, does not belong to cell 0, 0 any more: it is at (10, 4) now, and goes to cell 1, 0, which held 1 unit: 2 are in it now.",
        ),
        (
            "rebuild",
            "rebuild: It is asked for: all 3 units are filed anew, into 2 cells.",
        ),
    ] {
        let lines = told(&mut index, &mut ground, operation);
        assert_eq!(lines, [line], "{operation}");
    }
    let (mut index, mut ground) = built("sorted-grid", &knobs, &centers);
    let lines = told(&mut index, &mut ground, "remove 1");
    let line = "rebuild: The whole structure is built anew for unit 1, with all 2 units: it cannot";
    let is_said = |it: &String| it.starts_with(line);
    assert!(lines.iter().any(is_said), "{lines:#?}");
}

/// Each step of an edit that is about a node or a unit says the bits by which it is filed.
#[test]
fn an_edit_of_a_morton_tree_says_the_addresses_of_units_and_of_nodes() {
    let (mut index, mut ground) = single(&table());
    for (operation, kind, end) in [
        // Of a table of 4 by 4 cells the one in the third column of the second row: x = 10, y = 01.
        (
            "insert 20.5,12.5",
            "added: ",
            " The address of unit 16 is 1001.",
        ),
        (
            "move 16,20.6,12.5",
            "moved in place: ",
            " The address of unit 16 stays 1001.",
        ),
        (
            "move 16,28.5,28.5",
            "relinked: ",
            " The address of unit 16 was 1001, and is 1111 now.",
        ),
        ("remove 16", "removed: ", " The address of unit 16 is 1111."),
    ] {
        let lines = told(&mut index, &mut ground, operation);
        let is_said = |line: &String| line.starts_with(kind) && line.ends_with(end);
        assert!(lines.iter().any(is_said), "{operation}: {lines:#?}");
        for line in lines.iter().filter(|line| line.starts_with("refit")) {
            assert!(line.contains("address"), "{operation}: {line}");
        }
    }
    let lines = told(&mut index, &mut ground, "rebuild");
    for line in lines.iter().filter(|line| line.starts_with("split")) {
        assert!(
            line.contains(" All addresses below it begin with ")
                || line.ends_with(" The addresses below it begin with different bits."),
            "{line}"
        );
    }
}

#[test]
fn what_a_node_takes_back_is_gone_with_the_step_that_says_so() {
    let centers = [(5.0, 5.0), (50.0, 10.0), (10.0, 50.0)].map(Vec2::from);
    for key in ["quadtree", "rect-quadtree"] {
        let (mut index, mut ground) = built(key, &[("capacity", "2")], &centers);
        told(&mut index, &mut ground, "remove 1");
        let reel = Reel::new(story(&mut index, &mut ground, "remove 2"));
        let steps = &reel.story().steps;
        let merge = steps.iter().position(|it| it.kind() == "merge");
        let merge = merge.expect("a merge");
        let [quarter, node] = [&steps[merge - 1], &steps[merge]].map(|step| step.place);
        let (quarter, node) = (quarter.expect("a leaf"), node.expect("a node"));
        assert_ne!(quarter, node, "{key}");
        assert!(!reel.is_gone(quarter, merge), "{key}");
        assert!(reel.is_gone(quarter, merge + 1), "{key}");
        assert!(!reel.is_gone(node, merge + 1), "{key}");
    }
}

/// The last of an edit by which a leaf has lost somebody says why nothing is joined.
#[test]
fn a_leaf_that_loses_a_unit_says_why_its_node_joins_nothing() {
    let centers = [(5.0, 5.0), (50.0, 10.0), (10.0, 50.0)].map(Vec2::from);
    for key in ["quadtree", "rect-quadtree"] {
        let (mut index, mut ground) = built(key, &[("capacity", "2")], &centers);
        let lines = told(&mut index, &mut ground, "remove 1");
        let last = lines.last().expect("a step");
        let why = " Nothing is joined: 2 units are left in the 4 parts of node 0, and parts are joined once no more than 1 is in them, half of the 2 that a leaf may hold.";
        assert!(last.ends_with(why), "{key}: {lines:#?}");
        let lines = told(&mut index, &mut ground, "remove 2");
        let is_joined = lines.iter().any(|line| line.starts_with("merge"));
        let is_said = lines.iter().any(|line| line.contains("Nothing is joined"));
        assert!(is_joined && !is_said, "{key}: {lines:#?}");
    }
    for key in ["quadtree", "rect-quadtree"] {
        // All that is left would not fit into one leaf.
        let four = [(5.0, 5.0), (50.0, 10.0), (10.0, 50.0), (50.0, 50.0)].map(Vec2::from);
        let (mut index, mut ground) = built(key, &[("capacity", "2")], &four);
        let lines = told(&mut index, &mut ground, "remove 3");
        let why = " Nothing is joined: 3 units are left in the 4 parts of node 0, and parts are joined once no more than 1 is in them, half of the 2 that a leaf may hold.";
        let last = lines.last().expect("a step");
        assert!(last.ends_with(why), "{key}: {lines:#?}");
        // One of the others is a node itself.
        let crowded = [(2.0, 2.0), (12.0, 2.0), (2.0, 12.0), (50.0, 50.0)].map(Vec2::from);
        let (mut index, mut ground) = built(key, &[("capacity", "2")], &crowded);
        let lines = told(&mut index, &mut ground, "remove 3");
        let why = " Nothing is joined: 3 units are left in the 4 parts of node 0, 1 of which is split, and parts are joined once no more than 1 is in them, half of the 2 that a leaf may hold.";
        let last = lines.last().expect("a step");
        assert!(last.ends_with(why), "{key}: {lines:#?}");
        let (mut index, mut ground) = built(key, &[], &crowded);
        let lines = told(&mut index, &mut ground, "remove 3");
        let why = " Nothing is joined: leaf 0 is all that there is of the tree.";
        let last = lines.last().expect("a step");
        assert!(last.ends_with(why), "{key}: {lines:#?}");
    }
    // Nobody is lost by a leaf that joins nothing without saying why.
    for key in ["quadtree", "rect-quadtree"] {
        let mut said = 0;
        for unit in 0..24_u32 {
            let (mut index, mut ground) = crowd(key, 24, 0);
            let story = story(&mut index, &mut ground, &format!("remove {unit}"));
            let home = story.before.home(unit).expect("a region");
            let is_joined = story.steps.iter().any(|it| it.kind() == "merge");
            let is_said = story
                .steps
                .iter()
                .any(|it| it.reason.contains("Nothing is joined"));
            if home.role == crate::partition::Role::Leaf {
                assert_ne!(is_joined, is_said, "{key}: {:#?}", story.steps);
                said += usize::from(is_said);
            }
        }
        assert!(said > 0, "{key}");
    }
    // Where leaves are joined by another rule nothing is said of this one.
    let never = |kind: &&Kind| kind.joining() == Joining::Never;
    for kind in Kind::ALL.iter().filter(never) {
        for unit in 0..9 {
            let (mut index, mut ground) = crowd(kind.info().key, 9, 0);
            let lines = told(&mut index, &mut ground, &format!("remove {unit}"));
            let is_said = lines.iter().any(|line| line.contains("Nothing is joined"));
            assert!(!is_said, "{kind:?}: {lines:#?}");
        }
    }
}

/// Of a leaf of the k-d tree it is said as well, by its own rule.
#[test]
fn a_leaf_of_the_kd_tree_that_loses_a_unit_says_why_it_is_not_joined() {
    for leaf_size in ["1", "2", "8"] {
        let mut said = 0;
        for unit in 0..24_u32 {
            let (mut index, mut ground) = crowd("kd-tree", 24, 0);
            index.set_knob_text("leaf_size", leaf_size).expect("a knob");
            index.rebuild(ground.bodies(), &mut ());
            let lines = told(&mut index, &mut ground, &format!("remove {unit}"));
            let is_joined = lines.iter().any(|line| line.starts_with("merge"));
            let is_said = lines.iter().any(|line| line.contains("Nothing is joined"));
            assert!(!is_joined || !is_said, "{leaf_size}: {lines:#?}");
            said += usize::from(is_said);
        }
        assert!(said > 0, "{leaf_size}");
    }
}

/// How many are in a region is said as of the step that names it, by one rule.
#[test]
fn whoever_has_gone_is_counted_no_more_and_whoever_has_come_is() {
    for (key, knob) in [("kd-tree", "leaf_size"), ("quadtree", "capacity")] {
        for most in ["1", "2"] {
            let (mut index, mut ground) = crowd(key, 24, 0);
            index.set_knob_text(knob, most).expect("a knob");
            index.rebuild(ground.bodies(), &mut ());
            for turn in 0..12_u32 {
                let at = ground.bodies().center(turn) + Vec2::splat(0.5);
                let operation = match turn % 2 {
                    0 => format!("remove {turn}"),
                    _ => format!("insert {},{}", at.x, at.y),
                };
                let (comes, all) = (turn % 2, ground.bodies().count() as u64);
                let story = story(&mut index, &mut ground, &operation);
                if story.steps.iter().any(|it| it.kind() == "rebuild") {
                    continue;
                }
                let is_done = |it: &Step| matches!(it.event, Event::Work(Work::Add | Work::Remove));
                let done = story.steps.iter().position(is_done).expect("an edit");
                for (number, step) in story.steps.iter().enumerate().skip(done) {
                    let (Some(place), Some(then)) = (story.place(step), story.place_then(step))
                    else {
                        continue;
                    };
                    // Of the root it is known how many they are.
                    if place.parent.is_none() && story.before.whole().is_some() {
                        let is = all + u64::from(comes) - u64::from(1 - comes);
                        assert_eq!(then.below, is, "{key}, {operation}, {number}");
                    }
                }
                let (step, split) = (&story.steps[done], story.steps.get(done + 1));
                let then = story.place_then(step).map(|it| it.below);
                if comes == 1 && split.is_some_and(|it| it.kind() == "split") {
                    let limit: u64 = most.parse().expect("a number");
                    assert_eq!(then, Some(limit + 1), "{key}, {operation}");
                }
            }
        }
    }
}

#[test]
fn with_one_unit_in_a_leaf_parts_are_joined_by_the_same_rule() {
    let centers = [(5.0, 5.0), (50.0, 10.0), (10.0, 50.0)].map(Vec2::from);
    let (mut index, mut ground) = built("quadtree", &[("capacity", "1")], &centers);
    let why = |left: &str| {
        format!(
            " Nothing is joined: {left} left in the 4 parts of node 0, and parts are joined once no more than 0 are in them, half of the 1 that a leaf may hold, rounded down."
        )
    };
    for (operation, left) in [("remove 1", "2 units are"), ("remove 2", "1 unit is")] {
        let lines = told(&mut index, &mut ground, operation);
        let last = lines.last().expect("a step");
        assert!(last.ends_with(&why(left)), "{lines:#?}");
    }
}

#[test]
fn a_leaf_that_has_another_name_once_it_is_split_says_so() {
    let mut renamed = 0;
    for unit in 0..30_u32 {
        let (mut index, mut ground) = crowd("kd-tree", 30, 0);
        index.set_knob_text("leaf_size", "1").expect("a knob");
        index.rebuild(ground.bodies(), &mut ());
        let at = ground.bodies().center(unit) + Vec2::splat(0.5);
        let line = format!("insert {},{}", at.x, at.y);
        let story = story(&mut index, &mut ground, &line);
        let into = story
            .steps
            .iter()
            .find(|it| it.event == Event::Work(Work::Add));
        let split = story
            .steps
            .iter()
            .find(|it| it.reason.contains(" What was leaf "));
        let (Some(into), Some(split)) = (into, split) else {
            continue;
        };
        let [leaf, node] = [into, split].map(|it| story.place(it).expect("a region").name());
        let said = format!(" What was {leaf} is {node} now");
        assert!(split.reason.contains(&said) && leaf != node, "{split:?}");
        renamed += 1;
    }
    assert!(renamed > 5, "{renamed}");
}

/// Whoever comes is merged into an order from the end on, once the order of the others has been gone through.
#[test]
fn of_two_who_are_compared_it_is_said_who_comes_first_and_why_they_are() {
    let centers = [8.0, 16.0, 24.0, 40.0, 48.0].map(|x| Vec2::new(x, 20.0));
    let knobs = [("axes", "x"), ("strip_height", "64")];
    let (mut index, mut ground) = built("sweep-and-prune", &knobs, &centers);
    let lines = told(&mut index, &mut ground, "insert 30,20");
    let others = "Unit 1 is compared with unit 0, number 1 in the order: it does not come before it, and stays behind it. Neither is unit 5: the whole order is gone through, each with the one before it, to see whether it holds.";
    let passes = "Unit 5 is compared with unit 3, number 4 in the order: it comes before it, and goes past it.";
    let stays = "Unit 5 is compared with unit 2, number 3 in the order: it does not come before it, and stays behind it.";
    for line in [others, passes, stays] {
        let line = format!("comparison: {line}");
        assert!(lines.contains(&line), "{line}\n{lines:#?}");
    }
    let (mut index, mut ground) = built("sweep-and-prune", &knobs, &centers);
    let lines = told(&mut index, &mut ground, "insert 2,20");
    let first = "comparison: Unit 5 is compared with unit 0, number 1 in the order: it comes before it, and goes past it.";
    assert!(lines.contains(&first.to_owned()), "{lines:#?}");
}

#[test]
fn the_nearest_part_is_said_to_come_first_where_that_is_always_so() {
    for (key, is_said) in [("quadtree", true), ("kd-tree", false)] {
        let (mut index, mut ground) = crowd(key, 200, 3);
        let lines = told(&mut index, &mut ground, "nearest 20,30,4");
        let says = |line: &String| line.contains("the nearest part first");
        assert_eq!(lines.iter().any(says), is_said, "{key}: {lines:#?}");
    }
}

#[test]
fn whoever_is_taken_out_is_not_among_those_that_a_region_holds_itself_at_any_later_step() {
    let mut seen = 0;
    for key in ["quadtree", "rect-quadtree", "kd-tree"] {
        for unit in 0..24 {
            let (mut index, mut ground) = crowd(key, 24, 0);
            let story = story(&mut index, &mut ground, &format!("remove {unit}"));
            let is_removal = |step: &Step| step.event == Event::Work(Work::Remove);
            let Some(done) = story.steps.iter().position(is_removal) else {
                continue;
            };
            // Where all is built anew, what is told after that is of the regions of then.
            if story.steps.iter().any(|it| it.kind() == "rebuild") {
                continue;
            }
            for step in &story.steps[done..] {
                let (Some(place), Some(then)) = (story.place(step), story.place_then(step)) else {
                    continue;
                };
                if story.before.home(unit) == Some(place) {
                    seen += 1;
                    assert_eq!(then.load + 1, place.load, "{key}, {unit}");
                    assert_eq!(then.below + 1, place.below, "{key}, {unit}");
                }
            }
        }
    }
    assert!(seen > 0);
}

#[test]
fn a_leaf_beside_a_split_part_says_that_and_not_how_many_are_left() {
    for leaf_size in ["1", "2", "4"] {
        for unit in 0..24 {
            let (mut index, mut ground) = crowd("kd-tree", 24, 0);
            index.set_knob_text("leaf_size", leaf_size).expect("a knob");
            index.rebuild(ground.bodies(), &mut ());
            for line in told(&mut index, &mut ground, &format!("remove {unit}")) {
                let is_counted = line.contains("Nothing is joined") && line.contains("of which");
                assert!(!is_counted, "{line}");
            }
        }
    }
}

#[test]
fn the_region_of_a_step_is_shown_with_as_many_in_it_as_the_step_says() {
    let mut seen = 0;
    for (key, operation) in [
        ("quadtree", "insert 30,30"),
        ("kd-tree", "remove 7"),
        ("kd-tree", "remove 12"),
        ("rect-quadtree", "remove 3"),
        ("quadtree", "move 5,3,60"),
    ] {
        let (mut index, mut ground) = crowd(key, 24, 0);
        let story = story(&mut index, &mut ground, operation);
        for (number, step) in story.steps.iter().enumerate() {
            let at = number + 1;
            let place = step.region.and_then(|it| story.atlas(at).place(it));
            let (Some(place), Some(then)) = (place, story.place_then(step)) else {
                continue;
            };
            let shown = story.shown_then(place, at);
            assert_eq!(shown.below, then.below, "{key}, {operation}, {step:?}");
            assert_eq!(shown.load, then.load, "{key}, {operation}, {step:?}");
            seen += usize::from(then.below != place.below);
            // Of a region that the step does not name it says nothing.
            for other in story.atlas(at).places() {
                let is_it = other.region == place.region;
                assert!(is_it || *story.shown_then(other, at) == *other);
            }
        }
    }
    assert!(seen > 0);
}

#[test]
fn a_build_says_why_more_are_on_the_one_side_of_a_cut() {
    for (leaf_size, count, said) in [
        (
            "3",
            6,
            "4 and 2, for 2 leaves on the one side and 1 on the other, about as full each.",
        ),
        ("3", 8, "4 and 4."),
        ("1", 3, "2 and 1."),
    ] {
        let centers = (0..count).map(|unit| Vec2::new(4.0 + 7.0 * unit as f32, 20.0));
        let centers: Vec<Vec2> = centers.collect();
        let (mut index, mut ground) = built("kd-tree", &[("leaf_size", leaf_size)], &centers);
        let lines = told(&mut index, &mut ground, "rebuild");
        let mut splits = lines.iter().filter(|line| line.starts_with("split"));
        assert!(splits.any(|line| line.ends_with(said)), "{lines:#?}");
    }
}

#[test]
fn one_unit_that_is_swept_is_not_many() {
    let mut ones = 0;
    for key in ["battle-line", "sweep-and-prune"] {
        for count in [3, 6, 24, 100] {
            for pairs in ["pairs 1", "pairs 3", "pairs 10"] {
                let (mut index, mut ground) = crowd(key, count, 0);
                for line in told(&mut index, &mut ground, pairs) {
                    assert!(!line.contains("its 1 unit is gone through"), "{line}");
                    ones += usize::from(line.contains("its 1 unit is compared with those behind"));
                }
            }
        }
    }
    assert!(ones > 0);
}
