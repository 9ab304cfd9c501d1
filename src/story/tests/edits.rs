//! What is said of edits whose nodes are made, given up or made anew.

use super::*;

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
        lines[split].ends_with(": that of before is gone."),
        "{lines:#?}"
    );
    let said = lines.iter().filter(|line| is_new(line));
    assert_eq!(said.count(), 1, "{lines:#?}");
    assert_eq!(
        lines[split + 1],
        "refit: Its box is computed for the first time: 1.7 × 3.2 m from (12, 24.8) on.",
        "{lines:#?}"
    );
}

/// The units of the figure with the splits of a quadtree.
fn seven() -> Vec<Vec2> {
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
    let down = lines.iter().find(|line| line.starts_with("descents"));
    let down = down.expect("a step down");
    assert!(
        down.starts_with("descents: Step 1 of 1 down, to leaf "),
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
