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
