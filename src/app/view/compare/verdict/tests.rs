//! What is said of figures, and of how much of it there is room for.

use super::super::figures::Figures;
use super::*;
use skirmish::partition::Kind;

#[test]
fn the_verdict_names_who_leads_at_what_and_nobody_where_all_are_alike() {
    let grid = Figures::example(Kind::SortedGrid, 23_720, Some((21.0, 88.0)), 657);
    let tree = Figures::example(Kind::MortonTree, 13_152, Some((171.0, 1394.0)), 2023);
    let mut shown = Shown::default();
    shown.lanes = vec![grid.clone(), tree];
    let said = |shown: &Shown| -> Vec<(Vec<usize>, String)> {
        let claims = claims(shown).into_iter();
        claims
            .map(|claim| (claim.lanes.clone(), claim.clauses(9).0))
            .collect()
    };
    let expected = [
        (
            vec![0],
            "costs 14× less time and 3.1× less memory".to_owned(),
        ),
        (vec![1], "tests 1.8× fewer pairs".to_owned()),
    ];
    assert_eq!(said(&shown), expected);
    shown.lanes[1] = grid.clone();
    assert_eq!(
        said(&shown),
        [(vec![], "both take about as long (within 15 %)".to_owned())]
    );
    for lane in &mut shown.lanes {
        lane.times = None;
    }
    assert!(claims(&shown).is_empty());
}

#[test]
fn at_rest_the_verdict_says_of_times_what_the_race_does_of_two_lanes_and_of_three() {
    let lane = |kind, build, query, bytes| Figures::example(kind, 100, Some((build, query)), bytes);
    let mut shown = Shown::default();
    shown.lanes = vec![
        lane(Kind::KdTree, 40.0, 1000.0, 500),
        lane(Kind::LinkedGrid, 20.0, 590.0, 100),
    ];
    shown.at_rest = true;
    let said = |shown: &Shown| -> Vec<String> {
        let claims = claims(shown).into_iter();
        claims.map(|claim| claim.clauses(9).0).collect()
    };
    let two = "answers 1.7× faster and is built 2.0× faster and costs 5.0× less memory";
    assert_eq!(said(&shown), [two]);
    shown.lanes.push(lane(Kind::Bvh, 60.0, 2_000.0, 900));
    assert_eq!(said(&shown), [format!("{two} than the next")]);
    // Where nobody leads in the race, nobody is said to.
    shown.lanes[0].doubtful_from = [None, Some(400.0)];
    shown.lanes[2].times = Some((21.0, 2_000.0));
    assert_eq!(said(&shown), ["costs 5.0× less memory than the next"]);
}

#[test]
fn each_clause_has_its_verb_and_regions_are_spoken_of_where_the_lead_is_clear() {
    let lane = |kind, tests, visits, bytes| {
        let mut lane = Figures::example(kind, tests, Some((20.0, 100.0)), bytes);
        lane.counted = Some([tests, visits, 1]);
        lane
    };
    let mut shown = Shown::default();
    shown.lanes = vec![
        lane(Kind::Bvh, 100, 100, 100),
        lane(Kind::LinkedGrid, 200, 140, 520),
    ];
    shown.at_rest = true;
    let said = "costs 5.2× less memory and tests 2.0× fewer pairs";
    assert_eq!(claims(&shown)[0].clauses(9).0, said);
    shown.lanes[1] = lane(Kind::LinkedGrid, 200, 300, 520);
    let all = claims(&shown);
    assert_eq!(
        all[0].clauses(9).0,
        format!("{said} and visits 3.0× fewer regions")
    );
    assert_eq!(all[0].clauses(2).0, said);
}

#[test]
fn beside_a_table_lanes_run_only_where_they_do() {
    let mut shown = Shown::default();
    assert_eq!(of_whom(&shown), "the lanes, at rest:");
    shown.tick = 62;
    assert_eq!(of_whom(&shown), "the lanes, as they run:");
    shown.at_rest = true;
    assert_eq!(of_whom(&shown), "the lanes, at rest:");
}

#[test]
fn time_is_spoken_of_first_by_whoever_is_about_as_quick_and_not_before_it_is_known() {
    let lane = |kind, us, bytes| Figures::example(kind, 100, Some((0.0, us)), bytes);
    let mut shown = Shown::default();
    shown.lanes = vec![
        lane(Kind::KdTree, 104.0, 500),
        lane(Kind::LinkedGrid, 310.0, 100),
        lane(Kind::Bvh, 100.0, 250),
    ];
    let all = claims(&shown);
    assert_eq!(all[0].lanes, [2, 0]);
    assert_eq!(
        all[0].words,
        "take about as long (within 15 %), 3.1× less time than the next"
    );
    assert_eq!(all[1].lanes, [1]);
    assert_eq!(all[1].clauses(9).0, "costs 2.5× less memory than the next");
    // Twice the same one is not told apart by chance.
    shown.lanes[1] = lane(Kind::Bvh, 310.0, 250);
    assert_eq!(claims(&shown)[0].words, "all take about as long");
    shown.lanes[0].are_times_new = true;
    let all = claims(&shown);
    assert_eq!(all[0].words, "times are being measured");
}

#[test]
fn how_near_times_are_to_each_other_is_said_as_it_is() {
    let lane = |kind, us| Figures::example(kind, 100, Some((0.0, us)), 100);
    let said = |all: &[(Kind, f32)]| {
        let mut shown = Shown::default();
        shown.lanes = all.iter().map(|(kind, us)| lane(*kind, *us)).collect();
        claims(&shown).swap_remove(0).words
    };
    let (tree, grid) = (Kind::KdTree, Kind::LinkedGrid);
    // Of a few units three times as much is less than a look at the clock takes.
    let few = said(&[(tree, 1.0), (grid, 3.0)]);
    assert_eq!(few, "both take about as long (within 3 \u{b5}s)");
    let many = said(&[(tree, 100.0), (grid, 114.0)]);
    assert_eq!(many, "both take about as long (within 15 %)");
    let few = said(&[(tree, 1.0), (grid, 3.0), (Kind::Bvh, 60.0)]);
    assert_eq!(
        few,
        "take about as long (within 3 \u{b5}s), 60× less time than the next"
    );
    // What is set alike is alike, however far off it was read.
    let twice = said(&[(tree, 100.0), (tree, 180.0), (grid, 900.0)]);
    assert_eq!(twice, "take about as long, 9.0× less time than the next");
}

#[test]
fn three_that_are_about_as_quick_are_named_in_a_row() {
    let lane = |kind, us| Figures::example(kind, 100, Some((0.0, us)), 100);
    let mut shown = Shown::default();
    shown.lanes = vec![
        lane(Kind::KdTree, 104.0),
        lane(Kind::LinkedGrid, 310.0),
        lane(Kind::Bvh, 100.0),
        lane(Kind::SortedGrid, 108.0),
    ];
    let words = told(&shown, &claims(&shown), 1);
    let words: Vec<&str> = words.iter().map(|(words, _)| words.as_str()).collect();
    assert_eq!(
        words.join(" "),
        "BVH, k-d tree and sorted grid take about as long (within 15 %), 3.1× less time than the next"
    );
}

#[test]
fn a_verdict_without_room_leaves_out_whole_clauses() {
    let grid = Figures::example(Kind::SortedGrid, 23_720, Some((21.0, 88.0)), 657);
    let tree = Figures::example(Kind::MortonTree, 13_152, Some((171.0, 1394.0)), 2023);
    let mut shown = Shown::default();
    shown.lanes = vec![grid, tree];
    let all = claims(&shown);
    let said = |clauses| -> String {
        let words = told(&shown, &all, clauses);
        let words: Vec<&str> = words.iter().map(|(words, _)| words.as_str()).collect();
        words.join(" ")
    };
    assert_eq!(said(1), "sorted grid costs 14× less time");
    assert_eq!(
        said(2),
        "sorted grid costs 14× less time and 3.1× less memory"
    );
    assert_eq!(
        said(3),
        "sorted grid costs 14× less time and 3.1× less memory; Morton tree tests 1.8× fewer pairs"
    );
    assert_eq!(said(9), said(3));
}

#[test]
fn the_table_names_its_own_winner_and_the_lanes_follow_where_there_is_room() {
    let grid = Figures::example(Kind::SortedGrid, 23_720, Some((21.0, 88.0)), 657);
    let tree = Figures::example(Kind::MortonTree, 13_152, Some((171.0, 1394.0)), 2023);
    let mut shown = Shown::default();
    shown.lanes = vec![grid, tree];
    shown.tick = 62;
    let all = claims(&shown);
    let table = Said {
        caption: "quickest here:",
        clauses: vec!["k-d tree".to_owned(), "BVH about as quick".to_owned()],
        between: "; ",
        names: None,
    };
    let said = |clauses| -> Vec<String> {
        let variants = with_table(&table, &shown, &all, clauses).into_iter();
        let words =
            |all: Vec<Words>| -> Vec<String> { all.into_iter().map(|(words, _)| words).collect() };
        variants.map(|all| words(all).join(" ")).collect()
    };
    let whole = "quickest here: k-d tree; BVH about as quick";
    let lanes = "\u{b7} the lanes, as they run: sorted grid costs 14× less time";
    assert_eq!(
        said(2),
        [
            format!("{whole} {lanes} and 3.1× less memory"),
            format!("{whole} {lanes}"),
            whole.to_owned(),
            "quickest here: k-d tree".to_owned(),
        ]
    );
    assert_eq!(said(0).len(), 2, "one lane alone is compared with nobody");
    // Who is as quick is named as long as there is room, and that comes before the lanes.
    let table = Said {
        names: Some("BVH, octree and grid about as quick".to_owned()),
        ..table.clone()
    };
    let named = with_table(&table, &shown, &all, 1);
    let words: Vec<&str> = named.iter().map(|all| all[1].0.as_str()).collect();
    let [long, short] = [
        "k-d tree; BVH, octree and grid about as quick",
        "k-d tree; BVH about as quick",
    ];
    assert_eq!(words, [long, long, short, short, "k-d tree"]);
}

#[test]
fn nobody_is_quickest_by_times_that_lie_far_apart_or_whose_ticks_take_about_as_long() {
    let lane = |kind, us: f32| {
        let mut lane = Figures::example(kind, 100, Some((0.0, us)), 100);
        let [from, to] = [0.9, 1.1].map(|part| f64::from(us) * part);
        lane.middle = Some([[0.0, 0.0], [from, to], [from, to]]);
        lane
    };
    let said = |shown: &Shown| claims(shown).swap_remove(0).words;
    let mut shown = Shown::default();
    shown.lanes = vec![
        lane(Kind::HierarchicalGrid, 100.0),
        lane(Kind::LinkedGrid, 140.0),
    ];
    assert_eq!(said(&shown), "costs 1.4\u{d7} less time");
    shown.lanes[0].middle = Some([[0.0, 0.0], [80.0, 130.0], [80.0, 130.0]]);
    assert_eq!(said(&shown), "both take about as long");
    // Who lies between two that are alike is named with them.
    shown.lanes.push(lane(Kind::KdTree, 135.0));
    shown.lanes[2].middle = Some([[0.0, 0.0], [134.0, 136.0], [134.0, 136.0]]);
    shown.lanes.push(lane(Kind::Bvh, 900.0));
    shown.lanes[1].middle = Some([[0.0, 0.0], [120.0, 150.0], [120.0, 150.0]]);
    let all = claims(&shown);
    assert_eq!(all[0].lanes, [0, 2, 1]);
    assert_eq!(
        all[0].words,
        "take about as long, 9.0\u{d7} less time than the next"
    );
    shown.lanes[0].doubtful_from = [None, Some(60.0)];
    assert_eq!(
        said(&shown),
        "times lie too far apart to tell who is quickest"
    );
}
