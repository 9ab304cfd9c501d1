//! What is said of figures, and of how much of it there is room for.

use super::super::layout::VERDICT;
use super::*;
use egui_macroquad::egui::vec2;
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
        // Memory comes from the past of what runs.
        (vec![0], "costs 14× less time".to_owned()),
        (vec![1], "tests 1.8× fewer pairs".to_owned()),
    ];
    assert_eq!(said(&shown), expected);
    let words = why(&shown);
    assert!(words.starts_with("sorted grid is named by update + query:"));
    assert!(words.contains("more tests") && words.contains("shorter query"));
    // Nor is it a reason.
    assert!(!words.contains("memory"), "{words}");
    shown.lanes[1] = grid.clone();
    assert_eq!(
        said(&shown),
        [(vec![], "both take about as long (within 15 %)".to_owned())]
    );
    assert_eq!(why(&shown), "", "nobody is named");
    // Where the third is set like the first, which is the quickest of all is chance.
    let of = |kind, us| Figures::example(kind, 100, Some((0.0, us)), 100);
    let mut three = Shown::default();
    three.lanes = vec![
        of(Kind::SortedGrid, 100.0),
        of(Kind::MortonTree, 130.0),
        of(Kind::SortedGrid, 140.0),
    ];
    assert!(three.leader(&TIME).is_some());
    assert_eq!(said(&three), [(vec![], CHANCE.to_owned())]);
    assert_eq!(why(&three), "");
    for lane in &mut shown.lanes {
        lane.times = None;
    }
    assert!(claims(&shown).is_empty());
}

#[test]
fn at_rest_the_verdict_says_of_times_what_the_race_does_of_two_lanes_and_of_three() {
    let lane = |kind, build, query, bytes| {
        let mut lane = Figures::example(kind, 100, Some((build, query)), bytes);
        lane.at_rest = true;
        lane
    };
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
    // A build that chooses what another one is told is not the same work.
    assert_eq!(shown.who_chooses(), "");
    shown.lanes[1].chooses = true;
    assert!(shown.who_chooses().contains("the build of linked grid,"));
    let timed = shown.lanes.clone();
    shown.lanes.iter_mut().for_each(|lane| lane.times = None);
    assert_eq!(shown.who_chooses(), "", "no build is shown");
    shown.lanes = timed;
    shown.lanes.iter_mut().for_each(|lane| lane.chooses = true);
    assert_eq!(shown.who_chooses(), "", "all of them do");
    // Where nobody leads in the race, nobody is said to; those who lead together are.
    shown.lanes[0].doubtful_from = [None, Some(400.0)];
    shown.lanes[2].times = Some((21.0, 2_000.0));
    assert_eq!(
        said(&shown),
        [
            "are built about as fast (within 15 %), 1.9× faster than the next",
            "costs 5.0× less memory than the next"
        ]
    );
}

#[test]
fn at_rest_those_are_named_together_who_lead_by_a_time_as_far_as_that_is_known() {
    let lane = |kind, build, query| {
        let mut lane = Figures::example(kind, 100, Some((build, query)), 500);
        lane.at_rest = true;
        lane
    };
    let mut shown = Shown::default();
    shown.at_rest = true;
    shown.lanes = vec![
        lane(Kind::KdTree, 100.0, 100.0),
        lane(Kind::LinkedGrid, 110.0, 90.0),
        lane(Kind::Bvh, 300.0, 270.0),
    ];
    let said = |shown: &Shown| -> Vec<(Vec<usize>, String)> {
        let claims = claims(shown).into_iter();
        claims.map(|it| (it.lanes.clone(), it.words)).collect()
    };
    let words = |verb: &str, near: &str, times: &str| {
        format!("{verb} about as fast (within {near}), {times}× faster than the next")
    };
    let [answer, built] = ["answer", "are built"];
    let both = format!(
        "{} and {}",
        words(answer, "15 %", "2.7"),
        words(built, "15 %", "2.7")
    );
    // The same lanes are named once, whichever of them is the first.
    assert_eq!(said(&shown), [(vec![1, 0], both)]);
    let few = |build: [f32; 3]| {
        let mut few = Shown::default();
        few.at_rest = true;
        few.lanes = shown.lanes.clone();
        for (lane, build) in few.lanes.iter_mut().zip(build) {
            lane.times = Some((build, 100.0));
        }
        few
    };
    // Of a few units half as much again is less than a look at the clock takes.
    let near = [(vec![0, 1], words(built, "3 \u{b5}s", "2.5"))];
    assert_eq!(said(&few([5.0, 7.9, 20.0])), near);
    // Of all of them nothing is said.
    assert!(said(&few([20.0, 21.0, 22.0])).is_empty());
    // Nor where the next one is set like one of them, or may be as quick as they are.
    let mut alike = few([20.0, 21.0, 40.0]);
    assert_eq!(said(&alike).len(), 1);
    alike.lanes[2].kind = alike.lanes[0].kind;
    assert!(said(&alike).is_empty());
    let mut doubtful = few([20.0, 21.0, 40.0]);
    doubtful.lanes[2].doubtful_from = [Some(15.0), None];
    assert!(said(&doubtful).is_empty());
    doubtful.lanes[2].doubtful_from = [None; 2];
    doubtful.lanes[1].doubtful_from = [Some(15.0), None];
    assert!(said(&doubtful).is_empty());
}

#[test]
fn each_clause_has_its_verb_and_regions_are_spoken_of_where_the_lead_is_clear() {
    let lane = |kind, tests, visits, bytes| {
        let mut lane = Figures::example(kind, tests, Some((20.0, 100.0)), bytes);
        lane.counted = Some([tests, visits, 1]);
        lane.at_rest = true;
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
        "take about as long (within 15 %), 3.0× less time than the next"
    );
    assert_eq!(all.len(), 1, "of memory nothing is said while it runs");
    // Twice the same one is not told apart by chance, nor do both take as long by what was read.
    shown.lanes[1] = lane(Kind::Bvh, 310.0, 250);
    assert_eq!(claims(&shown)[0].words, CHANCE);
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
        "take about as long (within 3 \u{b5}s), 20× less time than the next"
    );
    // What is set alike is named together, and not said to be alike where it was read far apart.
    let twice = said(&[(tree, 100.0), (tree, 180.0), (grid, 900.0)]);
    assert_eq!(
        twice,
        "cost 5.0× less time than the next, their own order may be chance"
    );
    assert_eq!(said(&[(tree, 100.0), (tree, 180.0)]), CHANCE);
    // The next one is near to the slowest of them, and not to the first.
    let chain = said(&[(tree, 100.0), (grid, 112.0), (Kind::Bvh, 120.0)]);
    assert_eq!(
        chain,
        "take about as long (within 15 %), less time than the next"
    );
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
        "BVH, k-d tree and sorted grid take about as long (within 15 %), 2.9× less time than the next"
    );
}

#[test]
fn a_verdict_without_room_leaves_out_whole_clauses() {
    let grid = Figures::example(Kind::SortedGrid, 23_720, Some((21.0, 88.0)), 657);
    let mut tree = Figures::example(Kind::MortonTree, 13_152, Some((171.0, 1394.0)), 2023);
    tree.counted = Some([13_152, 2, 1]);
    let mut shown = Shown::default();
    shown.lanes = vec![grid, tree];
    let all = claims(&shown);
    let said = |clauses| -> String {
        let words = told(&shown, &all, clauses);
        let words: Vec<&str> = words.iter().map(|(words, _)| words.as_str()).collect();
        words.join(" ")
    };
    // What is left out is seen to be.
    assert_eq!(said(1), "sorted grid costs 14× less time \u{2026}");
    assert_eq!(
        said(2),
        "sorted grid costs 14× less time and visits 2.0× fewer regions \u{2026}"
    );
    assert_eq!(
        said(3),
        "sorted grid costs 14× less time and visits 2.0× fewer regions; Morton tree tests 1.8× fewer pairs"
    );
    assert_eq!(said(9), said(3));
}

#[test]
fn the_table_names_its_own_winner_and_the_lanes_follow_where_there_is_room() {
    let grid = Figures::example(Kind::SortedGrid, 23_720, Some((21.0, 88.0)), 657);
    let mut tree = Figures::example(Kind::MortonTree, 13_152, Some((171.0, 1394.0)), 2023);
    tree.counted = Some([13_152, 2, 1]);
    let mut shown = Shown::default();
    shown.lanes = vec![grid, tree];
    shown.tick = 62;
    let all = claims(&shown);
    let table = Said {
        caption: "quickest at update and query:",
        clauses: vec!["k-d tree".to_owned(), "BVH about as quick".to_owned()],
        between: "; ",
        ..Said::default()
    };
    let said = |clauses| -> Vec<String> {
        let variants = with_table(&table, &shown, &all, clauses).into_iter();
        let words =
            |all: Vec<Words>| -> Vec<String> { all.into_iter().map(|(words, _)| words).collect() };
        variants.map(|all| words(all).join(" ")).collect()
    };
    let whole = "quickest at update and query: k-d tree; BVH about as quick";
    let lanes = "\u{b7} the lanes, as they run: sorted grid costs 14× less time";
    assert_eq!(
        said(2),
        [
            format!("{whole} {lanes} and visits 2.0× fewer regions \u{2026}"),
            format!("{whole} {lanes} \u{2026}"),
            format!("{whole} \u{2026}"),
            "quickest at update and query: k-d tree \u{2026}".to_owned(),
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
    assert_eq!(said(&shown), CHANCE);
    // Who lies between two of whom nobody knows is named with them.
    shown.lanes.push(lane(Kind::KdTree, 135.0));
    shown.lanes[2].middle = Some([[0.0, 0.0], [134.0, 136.0], [134.0, 136.0]]);
    shown.lanes.push(lane(Kind::Bvh, 900.0));
    shown.lanes[1].middle = Some([[0.0, 0.0], [120.0, 150.0], [120.0, 150.0]]);
    let all = claims(&shown);
    assert_eq!(all[0].lanes, [0, 2, 1]);
    assert_eq!(
        all[0].words,
        "cost 6.4\u{d7} less time than the next, their own order may be chance"
    );
    shown.lanes[0].doubtful_from = [None, Some(60.0)];
    assert_eq!(said(&shown), SOME_DOUBTFUL);
}

/// A lane as it runs: its upkeep and queries, and between which times the middle half of its ticks lies.
fn run(kind: Kind, (update, query): (f32, f32), [from, to]: [f64; 2]) -> Figures {
    let mut lane = Figures::example(kind, 100, Some((update, query)), 100);
    lane.middle = Some([[0.0, 0.0], [0.0, 0.0], [from, to]]);
    lane
}

/// What is said of the times of some lanes, and of how many of them it is.
fn said_of(lanes: Vec<Figures>) -> (usize, String) {
    let mut shown = Shown::default();
    shown.lanes = lanes;
    let first = claims(&shown).swap_remove(0);
    (first.lanes.len(), first.words)
}

#[test]
fn times_far_apart_are_never_said_to_be_alike_however_their_ticks_scatter() {
    // 308, 303, 421 and 1,140 microseconds, of which the last ones scatter down to the first.
    let four = said_of(vec![
        run(Kind::Bvh, (48.2, 260.0), [290.0, 1_200.0]),
        run(Kind::KdTree, (47.2, 256.0), [280.0, 900.0]),
        run(Kind::SweepAndPrune, (191.0, 229.0), [400.0, 1_500.0]),
        run(Kind::HierarchicalGrid, (89.4, 1_050.0), [800.0, 4_000.0]),
    ]);
    assert_eq!(four, (0, CHANCE.to_owned()));
    // Queries of 269 and 244 microseconds, and of 2.02 and 3.38 milliseconds, which are doubtful.
    let mut doubtful = [
        run(Kind::LinkedGrid, (54.1, 2_020.0), [430.0, 5_000.0]),
        run(Kind::HierarchicalGrid, (92.8, 3_380.0), [1_200.0, 8_000.0]),
    ];
    doubtful[0].doubtful_from = [None, Some(800.0)];
    doubtful[1].doubtful_from = [None, Some(1_100.0)];
    let [linked, hierarchical] = doubtful;
    let four = said_of(vec![
        run(Kind::Bvh, (54.2, 269.0), [300.0, 900.0]),
        linked,
        run(Kind::SweepAndPrune, (210.0, 244.0), [420.0, 1_300.0]),
        hierarchical,
    ]);
    assert_eq!(four, (0, SOME_DOUBTFUL.to_owned()));
    // 588 against 898 microseconds.
    let two = said_of(vec![
        run(Kind::MortonTree, (273.0, 315.0), [560.0, 1_100.0]),
        run(Kind::LinkedGrid, (54.7, 843.0), [870.0, 2_000.0]),
    ]);
    assert_eq!(two, (0, CHANCE.to_owned()));
}

#[test]
fn who_is_named_takes_so_many_times_less_than_the_next_even_as_the_slowest_of_them() {
    // 302, 312 and 464 microseconds against 1.36 milliseconds.
    let all = |second: [f64; 2]| {
        said_of(vec![
            run(Kind::Bvh, (65.1, 247.0), [300.0, 480.0]),
            run(Kind::KdTree, (62.6, 240.0), second),
            run(Kind::SweepAndPrune, (256.0, 207.0), [455.0, 700.0]),
            run(Kind::HierarchicalGrid, (88.7, 1_270.0), [1_340.0, 1_900.0]),
        ])
    };
    assert_eq!(
        all([290.0, 330.0]),
        (
            3,
            "cost 2.9\u{d7} less time than the next, their own order may be chance".to_owned()
        )
    );
    // One whose ticks reach into those of all others leaves nothing to say.
    assert_eq!(all([290.0, 1_500.0]), (0, CHANCE.to_owned()));
}

#[test]
fn the_range_of_a_tick_holds_the_time_that_is_shown_of_it() {
    // The sum of two medians may lie beside the middle half of the sums.
    let mut shown = Shown::default();
    shown.lanes = vec![
        run(Kind::Bvh, (100.0, 100.0), [210.0, 300.0]),
        run(Kind::KdTree, (100.0, 140.0), [150.0, 205.0]),
    ];
    assert!(shown.overlap(&TIME, 0, 1));
}

#[test]
fn what_is_said_of_the_lanes_has_a_line_of_its_own_where_the_table_leaves_none() {
    let line = Rect::from_min_size(pos2(0.0, 0.0), vec2(700.0, VERDICT));
    assert!(has_two_lines(line) && !has_two_lines(line.with_max_y(30.0)));
    let table = Said {
        caption: "quickest at update and query:",
        clauses: vec!["k-d tree".to_owned(), "BVH about as quick".to_owned()],
        between: "; ",
        ..Said::default()
    };
    let all = of_table(&table);
    assert!(!all.is_empty() && !all.iter().any(|all| says_both(all)));
    let grid = Figures::example(Kind::SortedGrid, 100, Some((21.0, 88.0)), 657);
    let tree = Figures::example(Kind::MortonTree, 100, Some((171.0, 1394.0)), 2023);
    let mut shown = Shown::default();
    shown.lanes = vec![grid, tree];
    let claims = claims(&shown);
    assert!(says_both(&with_table(&table, &shown, &claims, 1)[0]));
    assert!(
        !of_lanes(true, &shown, &claims, 1)
            .iter()
            .any(|all| says_both(all))
    );
}

#[test]
fn times_are_said_to_scatter_where_they_are_marked_so() {
    // Whether update is doubtful, and whether queries are.
    let lane = |kind, [update, query]: [bool; 2]| {
        let mut lane = Figures::example(kind, 100, Some((5.0, 300.0)), 100);
        lane.doubtful_from = [Some(2.0).filter(|_| update), Some(40.0).filter(|_| query)];
        lane
    };
    let said = |[first, second]: [[bool; 2]; 2]| {
        let lanes = vec![lane(Kind::Bvh, first), lane(Kind::KdTree, second)];
        for (lane, [_, is_marked]) in lanes.iter().zip([first, second]) {
            assert_eq!(TIME.doubtful_from(lane).is_some(), is_marked);
        }
        said_of(lanes).1
    };
    let (none, of_query, both) = ([false; 2], [false, true], [true; 2]);
    assert_eq!(said([both, both]), ALL_DOUBTFUL);
    // Of these an update stands there without a mark.
    assert_eq!(said([of_query, of_query]), SOME_DOUBTFUL);
    assert_eq!(said([both, of_query]), SOME_DOUBTFUL);
    assert_eq!(said([of_query, none]), SOME_DOUBTFUL);
    assert_eq!(said([none, of_query]), SOME_DOUBTFUL);
    assert_eq!(said([none, none]), "both take about as long (within 15 %)");
}
