//! What is measured again, and when.

use super::*;
use skirmish::battle::Battle;
use skirmish::partition::Kind;
use skirmish::scene::file;
use skirmish::session::Session;
use skirmish::structure::StructureKind;
use std::path::Path;

/// Lanes that are set so and have chosen nothing yet.
fn lanes_of(set: &[StructureChoice]) -> Vec<LaneChoice<Kind>> {
    let lane = |set: &StructureChoice| LaneChoice {
        set: set.clone(),
        chosen: Vec::new(),
    };
    set.iter().map(lane).collect()
}

/// The rows of a round over the built-in scene with 200 units.
fn round(lead: &StructureChoice, rows: Rows) -> Vec<SurveyRow> {
    round_of(&lanes_of(std::slice::from_ref(lead)), rows)
}

fn round_of(lanes: &[LaneChoice<Kind>], rows: Rows) -> Vec<SurveyRow> {
    let mut scene = file::built_in();
    scene.scale_units(200);
    let field = scene.field;
    let (session, _) = Session::new(scene, Path::new(""));
    let mut surveyor = Surveyor::default();
    let subject = Subject {
        rows,
        ..Subject::default()
    };
    surveyor.round(session.battle(), field, (lanes, subject), Moment::default());
    let mut all = Vec::new();
    surveyor.rows(&mut all);
    all
}

#[test]
fn a_setting_is_measured_with_auto_with_the_value_that_it_has_and_with_values_from_end_to_end() {
    let mut lead = StructureChoice::new(Kind::SortedGrid);
    lead.set("cell_size", "7.5").expect("a cell size");
    let rows = round(&lead, Rows::Values { lane: 0, knob: 0 });
    let values: Vec<f64> = rows.iter().map(|row| row.choice.value(0)).collect();
    assert_eq!(values[..3], [AUTO, 0.5, 1.0]);
    assert!(
        values.contains(&7.5) && values.ends_with(&[1000.0]),
        "{values:?}"
    );
    let mut tests = Vec::new();
    for row in &rows {
        let Outcome::Measured(row) = &row.outcome else {
            panic!("{row:?}");
        };
        assert_eq!(row.fault(), None);
        assert_eq!(row.chosen.is_empty(), row.choice.value(0) != AUTO);
        tests.push(row.tests);
    }
    assert!(tests.last() > tests.get(2), "{tests:?}");
}

#[test]
fn what_a_lane_has_chosen_is_what_its_row_is_measured_with_in_both_tables() {
    let lane = LaneChoice {
        set: StructureChoice::new(Kind::LinkedGrid),
        chosen: vec![(0, 50.0)],
    };
    let lanes = [lane];
    let all = round_of(&lanes, Rows::Structures);
    let values = round_of(&lanes, Rows::Values { lane: 0, knob: 0 });
    let measured = |row: &SurveyRow| match &row.outcome {
        Outcome::Measured(row) => (row.chosen.clone(), row.tests, row.bytes),
        outcome => panic!("{outcome:?}"),
    };
    let row = all.iter().find(|row| row.choice.kind == Kind::LinkedGrid);
    let (chosen, tests, bytes) = measured(row.expect("a row of each"));
    assert_eq!(chosen, [(0, 50.0)]);
    let with = |value: f64| values.iter().find(|row| row.choice.value(0) == value);
    let (chosen, ..) = measured(with(AUTO).expect("a row of auto"));
    assert_eq!(chosen, [(0, 50.0)]);
    // It does what one that is set to it does.
    let (.., set_tests, set_bytes) = measured(with(50.0).expect("a round value"));
    assert_eq!((tests, bytes), (set_tests, set_bytes));
}

#[test]
fn a_lane_that_chooses_anew_lets_the_table_be_read_anew() {
    let (mut surveyor, lanes, moment) = read_enough();
    let mut lanes = lanes_of(&lanes);
    let of = |surveyor: &mut Surveyor, lanes: &[LaneChoice<Kind>]| {
        let of = surveyor.begin::<Battle>(lanes, Subject::default(), moment, true);
        of.map(|of| of.choices.len())
    };
    assert_eq!(of(&mut surveyor, &lanes), None);
    lanes.push(LaneChoice {
        set: StructureChoice::new(Kind::LinkedGrid),
        chosen: vec![(0, 50.0)],
    });
    assert_eq!(of(&mut surveyor, &lanes), Some(Kind::ALL.len()));
}

#[test]
fn the_default_keeps_its_row_when_another_value_is_set() {
    for &kind in Kind::ALL {
        let knobs = StructureKind::from(kind).info().knobs;
        for (at, knob) in knobs.iter().enumerate() {
            let choices = |lead: &StructureChoice| {
                let rows = Rows::Values { lane: 0, knob: at };
                rows.choices(&lanes_of(std::slice::from_ref(lead)), &Own::default())
            };
            let plain = choices(&StructureChoice::new(kind));
            for set in &plain {
                assert_eq!(choices(set), plain, "{} of {kind:?}", knob.key);
            }
        }
    }
}

#[test]
fn the_values_of_all_lanes_of_a_structure_are_rows() {
    let lane = |value: &str| {
        let mut lane = StructureChoice::new(Kind::LinkedGrid);
        lane.set("cell_size", value).expect("a cell size");
        lane
    };
    let other = StructureChoice::new(Kind::Quadtree);
    let lanes = lanes_of(&[lane("20"), lane("auto"), lane("23"), other]);
    for own in 0..3 {
        let rows = Rows::Values { lane: own, knob: 0 };
        let choices = rows.choices(&lanes, &Own::default());
        let values: Vec<f64> = choices.iter().map(|choice| choice.value(0)).collect();
        for value in [AUTO, 20.0, 23.0] {
            let rows = values.iter().filter(|it| **it == value).count();
            assert_eq!(rows, 1, "{own}: {values:?}");
        }
        assert!(choices.iter().all(|it| it.kind == Kind::LinkedGrid));
    }
}

#[test]
fn a_value_that_was_set_before_keeps_its_row_when_another_one_is_set() {
    let mut lead = StructureChoice::new(Kind::SortedGrid);
    lead.set("cell_size", "7.5").expect("a cell size");
    let mut own = Own::default();
    (own[0], own[1]) = (Some(25.0), Some(7.5));
    let choices = Rows::Values { lane: 0, knob: 0 }.choices(&lanes_of(&[lead]), &own);
    let values: Vec<f64> = choices.iter().map(|choice| choice.value(0)).collect();
    for value in [AUTO, 7.5, 25.0] {
        let rows = values.iter().filter(|it| **it == value).count();
        assert_eq!(rows, 1, "{value}: {values:?}");
    }
    assert!(values.is_sorted());
}

/// A surveyor of the built-in scene with 60 units, every row of which has been read enough, and what lets it read again.
fn read_enough() -> (Surveyor, [StructureChoice; 1], Moment) {
    read_enough_of(Rows::Structures)
}

fn read_enough_of(rows: Rows) -> (Surveyor, [StructureChoice; 1], Moment) {
    let mut scene = file::built_in();
    scene.scale_units(60);
    let field = scene.field;
    let (session, _) = Session::new(scene, Path::new(""));
    let mut surveyor = Surveyor::default();
    let lanes = [StructureChoice::new(Kind::KdTree)];
    let moment = Moment::default();
    let subject = Subject {
        rows,
        ..Subject::default()
    };
    let of = (&lanes_of(&lanes)[..], subject);
    surveyor.round(session.battle(), field, of, moment);
    (surveyor, lanes, moment)
}

/// The places of the rows that would be read next.
fn next(
    surveyor: &mut Surveyor,
    lanes: &[StructureChoice],
    moment: Moment,
    rests: bool,
) -> Vec<usize> {
    let lanes = lanes_of(lanes);
    let of = surveyor.begin::<Battle>(&lanes, Subject::default(), moment, rests);
    of.map_or(Vec::new(), |of| {
        of.choices.iter().map(|(place, _)| *place).collect()
    })
}

#[test]
fn at_rest_all_rows_are_read_again_where_one_is_doubtful() {
    let (mut surveyor, lanes, moment) = read_enough();
    let all: Vec<usize> = (0..Kind::ALL.len()).collect();
    let mut again = |rests| next(&mut surveyor, &lanes, moment, rests);
    assert!(again(true).is_empty(), "all of them are read enough");
    assert_eq!(again(false), all, "time passes");
    lock(&surveyor.board).doubt_row(3);
    let mut again = |rests| next(&mut surveyor, &lanes, moment, rests);
    // It would be compared with what was read of the others before.
    assert_eq!(again(true), all);
    lock(&surveyor.board).rows[5]
        .as_mut()
        .expect("a row")
        .outcome = Outcome::TooLong;
    let mut again = |rests| next(&mut surveyor, &lanes, moment, rests);
    let but_one: Vec<usize> = all.iter().copied().filter(|place| *place != 5).collect();
    assert_eq!(again(true), but_one);
}

#[test]
fn every_round_of_the_same_rows_begins_one_row_farther_on() {
    let (mut surveyor, lanes, moment) = read_enough();
    let mut order = |lanes: &[StructureChoice]| -> Vec<usize> {
        let lanes = lanes_of(lanes);
        let of = surveyor.begin::<Battle>(&lanes, Subject::default(), moment, false);
        let of = of.expect("time passes");
        of.in_turn().map(|(place, _)| *place).collect()
    };
    let count = Kind::ALL.len();
    let from = |first: usize| -> Vec<usize> { (0..count).map(|at| (first + at) % count).collect() };
    // The first round has been.
    for turn in 1..=count + 1 {
        assert_eq!(order(&lanes), from(turn % count));
    }
    // Other rows begin with the first one.
    let mut other = lanes;
    other[0].set("leaf_size", "3").expect("a leaf size");
    assert_eq!([order(&other), order(&other)], [from(0), from(1)]);
}

#[test]
fn where_one_row_is_another_one_all_begin_anew_and_who_only_looks_changes_none() {
    let (mut surveyor, mut lanes, mut moment) = read_enough();
    let of_before = |surveyor: &Surveyor| -> usize {
        let board = lock(&surveyor.board);
        let rows = board.rows.iter().flatten();
        rows.filter(|row| row.is_of_before).count()
    };
    let all = Kind::ALL.len();
    // Another structure comes into the first pane, set as it was measured.
    lanes[0] = StructureChoice::new(Kind::Bvh);
    moment.changes += 1;
    assert!(next(&mut surveyor, &lanes, moment, true).is_empty());
    assert_eq!(of_before(&surveyor), 0);
    lanes[0].set("leaf_size", "3").expect("a leaf size");
    moment.changes += 1;
    assert_eq!(next(&mut surveyor, &lanes, moment, true).len(), all);
    assert_eq!(of_before(&surveyor), all);
    assert!(lock(&surveyor.board).has_no_readings());
}

#[test]
fn what_is_measured_again_stands_until_then_and_is_compared_with_nobody() {
    let (mut surveyor, lanes, moment) = read_enough();
    surveyor.again();
    assert_eq!(
        next(&mut surveyor, &lanes, moment, true).len(),
        Kind::ALL.len()
    );
    let mut rows = Vec::new();
    surveyor.rows(&mut rows);
    assert_eq!(rows.len(), Kind::ALL.len());
    assert!(rows.iter().all(|row| row.is_of_before));
}

#[test]
fn what_is_measured_again_stands_for_no_row_of_another_table_that_is_chosen_before_it_begins() {
    let values = Rows::Values { lane: 0, knob: 0 };
    let (mut surveyor, lanes, moment) = read_enough_of(values);
    surveyor.again();
    let mut rows = Vec::new();
    assert_eq!(surveyor.rows(&mut rows), values);
    assert!(!rows.is_empty(), "they stand until then");
    let all = Kind::ALL.len();
    assert_eq!(next(&mut surveyor, &lanes, moment, true).len(), all);
    assert_eq!(surveyor.rows(&mut rows), Rows::Structures);
    assert!(rows.is_empty(), "{rows:?}");
}

#[test]
fn rows_know_with_how_many_rectangles_a_tick_is_reckoned_and_nothing_is_asked_anew_for_it() {
    let (mut surveyor, lanes, moment) = read_enough();
    let rectangles = |surveyor: &Surveyor| {
        let mut rows = Vec::new();
        surveyor.rows(&mut rows);
        assert_eq!(rows.len(), Kind::ALL.len());
        let mut all: Vec<u32> = rows.iter().map(|row| row.rectangles).collect();
        all.dedup();
        assert!(rows.iter().all(|row| !row.is_of_before));
        all
    };
    assert_eq!(rectangles(&surveyor), [0]);
    surveyor.reckon_with(40);
    assert_eq!(rectangles(&surveyor), [40]);
    assert!(next(&mut surveyor, &lanes, moment, true).is_empty());
    // Another table is reckoned so from its first row on.
    surveyor.stop();
    let row = lock(&surveyor.board).take(
        (lanes[0].clone().of_either(), Vec::new()),
        moment.tick,
        Outcome::TooLong,
        true,
    );
    assert_eq!(row.rectangles, 40);
}

#[test]
fn rows_of_other_units_are_of_before_at_once_even_while_a_round_is_under_way() {
    let (mut surveyor, lanes, mut moment) = read_enough();
    let (sender, ends) = std::sync::mpsc::channel::<()>();
    surveyor.thread = Some(std::thread::spawn(move || {
        let _ = ends.recv();
    }));
    let heed = |surveyor: &mut Surveyor, moment| {
        surveyor.heed(moment);
        let board = lock(&surveyor.board);
        let rows = board.rows.iter().flatten();
        rows.filter(|row| row.is_of_before).count()
    };
    assert_eq!(heed(&mut surveyor, moment), 0);
    assert!(!surveyor.round.is_cancelled());
    moment.crowds += 1;
    assert_eq!(heed(&mut surveyor, moment), Kind::ALL.len());
    assert!(surveyor.round.is_cancelled() && surveyor.is_at_work());
    drop(sender);
    let begun = next(&mut surveyor, &lanes, moment, true);
    assert_eq!(begun.len(), Kind::ALL.len());
    assert!(!surveyor.round.is_cancelled());
}

#[test]
fn what_ended_something_before_a_row_does_not_end_the_row_and_the_end_of_a_round_does() {
    let mut scene = file::built_in();
    scene.scale_units(60);
    let field = scene.field;
    let (session, _) = Session::new(scene, Path::new(""));
    let lead = StructureChoice::new(Kind::KdTree);
    let never = Cancel::default();
    let battle = session.battle().clone();
    let asked = questions::Asked::default();
    let survey = Survey::new(battle, field, &lead, &asked, &never).expect("a survey");
    let of = Held::by(lead.clone(), &lanes_of(&[lead]), None);
    let ends = Ends {
        board: Arc::default(),
        row: Cancel::default(),
        round: Cancel::default(),
    };
    for is_warmed in [true, false] {
        ends.row.cancel();
        let outcome = outcome(&survey, &of, &ends, is_warmed);
        assert!(matches!(outcome, Outcome::Measured(_)), "{outcome:?}");
        assert!(lock(&ends.board).since.is_some());
    }
    ends.round.cancel();
    ends.row.cancel();
    let outcome = outcome(&survey, &of, &ends, true);
    assert!(matches!(outcome, Outcome::TooLong), "{outcome:?}");
}

#[test]
fn a_moment_that_is_measured_again_keeps_the_least_that_was_read_of_it() {
    let (mut surveyor, lanes, mut moment) = read_enough();
    let lead = (lanes[0].clone().of_either(), Vec::new());
    lock(&surveyor.board).read_in(&lead, 7.0);
    surveyor.again();
    next(&mut surveyor, &lanes, moment, true);
    assert_eq!(lock(&surveyor.board).read_in(&lead, 9.0), 7.0);
    // With another size held it is as good as another one.
    let held = (lead.0.clone(), vec![(0, 50.0)]);
    assert_eq!(lock(&surveyor.board).read_in(&held, 8.0), 8.0);
    surveyor.again();
    moment.tick += 1;
    next(&mut surveyor, &lanes, moment, true);
    assert_eq!(lock(&surveyor.board).read_in(&lead, 9.0), 9.0);
}

#[test]
fn other_questions_are_asked_of_all_rows_anew() {
    let (mut surveyor, lanes, moment) = read_enough();
    let questions = questions::Asked {
        rectangle: Some(120.0),
        height: None,
        nearest: 3,
    };
    let subject = Subject {
        questions,
        ..Subject::default()
    };
    let begun = surveyor.begin::<Battle>(&lanes_of(&lanes), subject, moment, true);
    let round = begun.expect("a round of other questions");
    assert_eq!(round.choices.len(), Kind::ALL.len());
    assert_eq!(round.questions, questions);
    let board = lock(&surveyor.board);
    assert!(board.has_no_readings());
    assert!(board.rows.iter().flatten().all(|row| row.is_of_before));
}

#[test]
fn lanes_of_one_structure_that_are_set_otherwise_have_a_row_each() {
    let of_size = |cell_size: &str| {
        let mut lane = StructureChoice::new(Kind::LinkedGrid);
        lane.set("cell_size", cell_size).expect("a cell size");
        lane
    };
    let lanes = [of_size("8"), of_size("16"), of_size("8")];
    let rows = Rows::Structures.choices(&lanes_of(&lanes), &Own::default());
    assert_eq!(rows.len(), Kind::ALL.len() + 1);
    let of_grid: Vec<_> = rows
        .iter()
        .filter(|row| row.kind == Kind::LinkedGrid)
        .collect();
    assert_eq!(of_grid, [&lanes[0], &lanes[1]]);
}

#[test]
fn all_structures_are_measured_with_lanes_as_they_are_set() {
    let mut lead = StructureChoice::new(Kind::KdTree);
    lead.set("leaf_size", "3").expect("a leaf size");
    let rows = round(&lead, Rows::Structures);
    let kinds: Vec<_> = rows.iter().map(|row| row.choice.kind).collect();
    let all: Vec<StructureKind> = Kind::ALL.iter().map(|kind| (*kind).into()).collect();
    assert_eq!(kinds, all);
    let set: Vec<_> = rows
        .iter()
        .filter(|row| !row.choice.knobs.is_empty())
        .collect();
    assert_eq!(set.len(), 1);
    assert_eq!(set[0].choice, lead.of_either());
}
