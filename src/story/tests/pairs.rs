//! What is said of searches for pairs, and of whose turn it is in them.

use super::*;
use crate::partition::Role;
use std::collections::HashSet;

#[test]
fn half_of_the_neighbours_need_not_look_back() {
    let centers = [(4.0, 4.0), (4.5, 4.0), (8.5, 4.0), (20.0, 4.0)].map(Vec2::from);
    let (mut index, mut ground) = built("linked-grid", &[("cell_size", "8")], &centers);
    let lines = told(&mut index, &mut ground, "pairs 4.2");
    let is_there = |part: &str| lines.iter().any(|line| line.contains(part));
    assert!(
        is_there(
            "It is this cell's turn: its 2 units are compared with each other (1 test, 1 in reach), and look at the neighbours that have not looked at them yet (2 tests, 1 in reach)."
        ),
        "{lines:#?}"
    );
    assert!(
        is_there(
            "Cell 0, 0 looks at the 1 unit in here, who need not look back: 2 tests, 1 in reach."
        ),
        "{lines:#?}"
    );
    assert!(
        is_there("hit pair: Units 1 and 2 are 4 m apart, within 4.2 m: a pair."),
        "{lines:#?}"
    );
    assert!(
        is_there(
            "test pair: Units 0 and 2 are compared in the turn of cell 0, 0: 4.5 m apart, 0.3 m too far."
        ),
        "{lines:#?}"
    );
}

#[test]
fn a_step_names_the_cell_whose_turn_it_is_while_another_one_is_looked_at() {
    let centers = [(4.0, 4.0), (8.5, 4.0)].map(Vec2::from);
    let (mut index, mut ground) = built("linked-grid", &[("cell_size", "8")], &centers);
    let story = story(&mut index, &mut ground, "pairs 5");
    let [home, neighbour, pair, ..] = &story.steps[..] else {
        panic!("{:#?}", story.steps)
    };
    assert!(home.place.is_some() && neighbour.place.is_some());
    assert_eq!(home.turn, home.place);
    assert_ne!(neighbour.place, home.place);
    assert_eq!(neighbour.turn, home.place);
    assert_eq!((pair.kind(), pair.turn), ("test pair", home.place));
}

#[test]
fn a_cell_whose_turn_it_is_says_so_and_is_no_neighbour_of_its_own() {
    let centers = [(4.0, 4.0), (8.5, 4.0)].map(Vec2::from);
    let turn = "It is this cell's turn: its 1 unit looks at the neighbours that have not looked at it yet (1 test, 1 in reach).";
    let (mut index, mut ground) = built("linked-grid", &[("cell_size", "8")], &centers);
    let lines = told(&mut index, &mut ground, "pairs 5");
    assert!(lines[0].ends_with(turn), "{lines:#?}");
    assert!(
        lines[1].contains("looks at the 1 unit in here, who need not look back: 1 test"),
        "{lines:#?}"
    );
    // Who is looked at in vain, once or by all of a run, has no turn of its own there.
    let apart = [(4.0, 4.0), (9.0, 6.0), (7.0, 10.0)].map(Vec2::from);
    let row = [(4.0, 4.0), (2.0, 9.0), (4.0, 9.0), (9.0, 9.0)].map(Vec2::from);
    for (key, centers, reach) in [
        ("linked-grid", &apart[..], "pairs 5"),
        ("linked-grid", &row, "pairs 6"),
        ("sorted-grid", &row, "pairs 6"),
        ("sorted-grid", &apart, "pairs 5"),
    ] {
        let (mut index, mut ground) = built(key, &[("cell_size", "8")], centers);
        let lines = told(&mut index, &mut ground, reach);
        let story = story(&mut index, &mut ground, reach);
        let turns = story.steps.iter();
        let turns = turns.filter(|step| step.reason.contains("this cell's turn"));
        let regions: Vec<_> = turns.map(|step| step.region).collect();
        let mut once = regions.clone();
        once.sort_unstable();
        once.dedup();
        assert_eq!(regions, once, "{key}: {lines:#?}");
        let first = lines.iter().find(|line| line.contains("visit"));
        assert!(
            first.is_some_and(|line| !line.contains("look back")),
            "{key}: {lines:#?}"
        );
    }
    let knobs = [("cell_size", "8"), ("neighbourhood", "full")];
    let (mut index, mut ground) = built("linked-grid", &knobs, &centers);
    let lines = told(&mut index, &mut ground, "pairs 5");
    let turns = lines
        .iter()
        .filter(|line| line.contains("this cell's turn"));
    let turns: Vec<&str> = turns.map(|line| line.as_str()).collect();
    assert_eq!(
        turns,
        [
            "visit: It is this cell's turn: its 1 unit looks at all neighbours (1 test, 1 in reach).",
            "visit: It is this cell's turn: its 1 unit looks at all neighbours, also at those that have looked at it (1 test, 1 in reach). Cell 0, 0 has looked at it already.",
        ],
        "{lines:#?}"
    );
    let again = lines
        .iter()
        .filter(|line| line.starts_with("double attack: "));
    let again: Vec<&str> = again.map(|line| line.as_str()).collect();
    let end = " apart, have met before, in the turn of cell 0, 0: this meeting is thrown away, or they would attack twice.";
    assert!(
        matches!(again[..], [one] if one.ends_with(end)),
        "{lines:#?}"
    );
}

/// The nine units of the figure of half of the neighbours, in nine cells of 10 m.
fn nine() -> Vec<Vec2> {
    let rows = [8.0, 15.0, 22.0];
    let units = rows.map(|y| rows.map(|x| Vec2::new(x, y)));
    units.into_iter().flatten().collect()
}

#[test]
fn a_turn_says_who_has_looked_there_already() {
    let (mut index, mut ground) = built("linked-grid", &[("cell_size", "10")], &nine());
    let lines = told(&mut index, &mut ground, "pairs 10");
    let turns = lines
        .iter()
        .filter(|line| line.contains("this cell's turn"));
    let already = turns.map(|line| {
        let (_, behind) = line.split_once("in reach).").unwrap_or_default();
        // No line ends within a name.
        assert_eq!(
            behind.matches('(').count(),
            behind.matches('\u{a0}').count(),
            "{line}"
        );
        behind.trim_start().replace('\u{a0}', " ")
    });
    assert_eq!(
        already.collect::<Vec<_>>(),
        [
            "",
            "Cell 0, 0 has looked at it already.",
            "Cell 1, 0 has looked at it already.",
            "Cells (0, 0) and (1, 0) have looked at it already.",
            "Cells (0, 0), (1, 0), (2, 0) and (0, 1) have looked at it already.",
            "Cells (1, 0), (2, 0) and (1, 1) have looked at it already.",
            "Cells (0, 1) and (1, 1) have looked at it already.",
            "Cells (0, 1), (1, 1), (2, 1) and (0, 2) have looked at it already.",
            "",
        ],
        "{lines:#?}"
    );
    let last = "It is this cell's turn: its 1 unit is compared with nobody, for whoever is near it has been compared with it already. Cells (1,\u{a0}1), (2,\u{a0}1) and (1,\u{a0}2) have looked at it already.";
    assert!(lines[lines.len() - 1].ends_with(last), "{lines:#?}");
}

#[test]
fn a_leaf_to_which_a_quadtree_comes_back_names_all_partners_in_its_turn() {
    let (mut index, mut ground) = built("quadtree", &[("capacity", "1")], &nine());
    let lines = told(&mut index, &mut ground, "pairs 10");
    let turns = lines
        .iter()
        .filter(|line| line.contains("this leaf's turn"));
    assert_eq!(turns.count(), 9, "{lines:#?}");
    let partners = |line: &String| line.contains("looks at it, and its 1 unit is compared with");
    assert!(lines.iter().any(partners), "{lines:#?}");
}

/// The leaves that a sentence names between two parts of it, or how many it says that they are.
fn leaves_in(sentence: &str, from: &str, to: &str) -> Option<(Vec<RegionId>, usize)> {
    let (_, behind) = sentence.split_once(from)?;
    let (words, _) = behind.split_once(to)?;
    let numbers = words.split(|c: char| !c.is_ascii_digit());
    let numbers: Vec<RegionId> = numbers.filter_map(|it| it.parse().ok()).collect();
    if words.ends_with("leaves") {
        return Some((Vec::new(), numbers[0] as usize));
    }
    let count = numbers.len();
    Some((numbers, count))
}

/// Of each leaf the leaves of whose units one is compared with one of its own: those that have their turn later are named in its turn, and
/// those that had theirs before are said to have looked at it. Together they are all.
#[test]
fn a_turn_names_whom_its_units_are_compared_with_in_all_of_the_search() {
    let mut turns_told = 0;
    for kind in Kind::ALL {
        let key = kind.info().key;
        let scenes = [(9, "pairs 10"), (60, "pairs 6"), (400, "pairs 2.5")];
        for (count, operation) in scenes {
            let (mut index, mut ground) = match count {
                9 => built(key, &[], &nine()),
                _ => crowd(key, count, 1),
            };
            for (knob, value) in [("capacity", "1"), ("leaf_size", "1")] {
                // Only some have it.
                let _ = index.set_knob_text(knob, value);
            }
            index.rebuild(ground.bodies(), &mut ());
            let story = story(&mut index, &mut ground, operation);
            let leaf = |unit| story.before.home(unit).map(|it| it.region);
            let begins = |region: RegionId| {
                let mut steps = story.steps.iter();
                steps.position(|it| it.in_turn == InTurn::Begins && it.region == Some(region))
            };
            let mut met: Vec<(RegionId, RegionId)> = Vec::new();
            for step in &story.steps {
                if let Event::TestPair(a, b) = step.event
                    && let (Some(a), Some(b)) = (leaf(a), leaf(b))
                    && a != b
                {
                    met.extend([(a, b), (b, a)]);
                }
            }
            met.sort_unstable();
            met.dedup();
            for (at, step) in story.steps.iter().enumerate() {
                let Some(place) = story.place(step).filter(|it| it.role == Role::Leaf) else {
                    continue;
                };
                let line = format!(
                    "{key}, {count}, step {at}: {} {}",
                    place.name(),
                    step.reason
                );
                let is_turn = step.reason.contains("It is this leaf's turn");
                assert_eq!(is_turn, step.in_turn == InTurn::Begins, "{line}");
                if !is_turn {
                    continue;
                }
                turns_told += 1;
                let partners = met.iter().filter(|(own, _)| *own == place.region);
                let partners = partners.map(|(_, other)| *other);
                let begins = |other: &RegionId| begins(*other).expect("a turn of its own");
                let (later, before): (Vec<_>, Vec<_>) =
                    partners.partition(|other| begins(other) > at);
                let held = leaves_in(&step.reason, " with units of ", " (").unwrap_or_default();
                let mut sentences = step.reason.split(". ");
                let before_in = sentences.find(|it| it.contains("looked at it already"));
                let before_in = format!(" {}", before_in.unwrap_or_default());
                let looked = leaves_in(&before_in, " ", " ha");
                let looked = looked.unwrap_or_default();
                for (said, is) in [(held, later), (looked, before)] {
                    let (mut names, many) = said;
                    names.sort_unstable();
                    assert_eq!(many, is.len(), "{line}\n{is:?}");
                    assert!(names.is_empty() || names == is, "{line}\n{is:?}");
                }
            }
        }
    }
    assert!(turns_told > 300, "{turns_told}");
}

#[test]
fn a_cell_says_who_is_too_far_to_be_compared() {
    let centers = [(4.0, 4.0), (10.0, 4.0), (15.0, 4.0)].map(Vec2::from);
    let (mut index, mut ground) = built("linked-grid", &[("cell_size", "8")], &centers);
    let lines = told(&mut index, &mut ground, "pairs 7");
    let line = "visit: Cell 0, 0 looks at the 2 units in here, who need not look back: 1 test, 1 in reach. 1 of them is more than 7 m from the box around whoever looks, and not compared.";
    assert!(lines.contains(&line.to_owned()), "{lines:#?}");
    let centers = [(1.0, 4.0), (4.0, 4.0), (10.0, 4.0)].map(Vec2::from);
    let (mut index, mut ground) = built("linked-grid", &[("cell_size", "8")], &centers);
    let lines = told(&mut index, &mut ground, "pairs 6");
    let line = "visit: 1 of the 2 units of cell 0, 0 looks at the 1 unit in here, who need not look back: 1 test, 1 in reach.";
    assert!(lines.contains(&line.to_owned()), "{lines:#?}");
    let centers = [(1.0, 1.0), (9.0, 7.0)].map(Vec2::from);
    let (mut index, mut ground) = built("linked-grid", &[("cell_size", "8")], &centers);
    let lines = told(&mut index, &mut ground, "pairs 7.5");
    let line = "visit: Cell 0, 0 comes to this cell, but nobody is compared: its 1 unit is more than 7.5 m from the box around whoever looks, and need not look back.";
    assert!(lines.contains(&line.to_owned()), "{lines:#?}");
}

#[test]
fn comparisons_belong_to_the_turn_that_has_begun_last() {
    for key in ["linked-grid", "kd-tree", "bvh"] {
        let (mut index, mut ground) = crowd(key, 120, 2);
        let story = story(&mut index, &mut ground, "pairs 5");
        let mut turn = None;
        for step in &story.steps {
            if step.in_turn == InTurn::Begins {
                assert_eq!(step.turn, step.place, "{key}: {step:?}");
                assert_eq!((step.word(), step.kind()), ("turn of", "visit"));
                turn = step.turn;
            }
            let is_test = matches!(step.event, Event::TestPair(..) | Event::HitPair(..));
            if is_test {
                assert_eq!((step.turn, step.in_turn), (turn, InTurn::Within), "{key}");
            }
        }
        assert!(turn.is_some(), "{key}");
    }
}

#[test]
fn cells_are_called_by_column_and_row() {
    for (key, name) in [
        ("linked-grid", "cell 1, 0"),
        ("sorted-grid", "cell 1, 0"),
        ("hierarchical-grid", "cell 1, 0 of level 0"),
        ("quadtree", "leaf 0"),
    ] {
        let knobs: &[(&str, &str)] = match key {
            "quadtree" => &[],
            _ => &[("cell_size", "8")],
        };
        let (index, ground) = built(key, knobs, &[Vec2::new(9.0, 4.0), Vec2::new(9.5, 4.0)]);
        let atlas = Atlas::of(&index, ground.bodies(), &Cancel::default()).expect("not cancelled");
        assert_eq!(atlas.home(0).expect("a region").name(), name, "{key}");
    }
}

/// Small crowds in every structure, with small leaves and cells, and what is told of a search for pairs in each.
fn searches() -> Vec<(String, Story)> {
    let mut searches = Vec::new();
    for kind in Kind::ALL {
        let key = kind.info().key;
        for (count, operation) in [
            (9, "pairs 10"),
            (13, "pairs 6"),
            (60, "pairs 6"),
            (400, "pairs 2.5"),
        ] {
            for capacity in ["1", "2", "5"] {
                let (mut index, mut ground) = match count {
                    9 => built(key, &[], &nine()),
                    _ => crowd(key, count, 1),
                };
                for knob in ["capacity", "leaf_size", "bucket", "cell_size"] {
                    // Only some have it.
                    let _ = index.set_knob_text(knob, capacity);
                }
                index.rebuild(ground.bodies(), &mut ());
                let story = story(&mut index, &mut ground, operation);
                searches.push((format!("{key} of {capacity}, {count}, {operation}"), story));
            }
        }
    }
    searches
}

/// The units of two regions, in them and below them, that are no farther apart than this.
fn within(story: &Story, bodies: &[Vec2], (a, b): (&Place, &Place), reach: f32) -> usize {
    let units = |place: &Place| story.before.units_below(place);
    let others = units(b);
    let near = |unit: &UnitId| {
        let away =
            |other: &&UnitId| bodies[*unit as usize].distance(bodies[**other as usize]) <= reach;
        others.iter().filter(away).count()
    };
    units(a).iter().map(near).sum()
}

#[test]
fn a_visit_in_which_nobody_is_compared_is_told_of_whoever_looks_then() {
    let centers = [
        (3.65, 3.35),
        (6.56, 7.0),
        (10.0, 4.96),
        (10.0, 9.985),
        (15.3, 14.3),
        (25.5, 7.0),
        (35.0, 25.2),
    ];
    let centers = centers.map(Vec2::from);
    let bodies = Bodies::points(&centers);
    let field = Aabb::new(Vec2::ZERO, Vec2::new(40.0, 30.0));
    let mut index = AnyPartition::new(Kind::Quadtree, field);
    index.set_knob_text("capacity", "1").expect("a knob");
    index.rebuild(bodies, &mut ());
    let story = story(&mut index, &mut Ground::of(bodies), "pairs 10");
    let mut in_vain = 0;
    for (at, step) in story.steps.iter().enumerate() {
        let (Some(turn), Some(place)) = (step.turn, step.place) else {
            continue;
        };
        let is_leaf = story.places[place].role == Role::Leaf;
        let next = story.steps.get(at + 1).map(|step| step.event);
        if !matches!(step.event, Event::Visit(_)) || !is_leaf || turn == place {
            continue;
        }
        let (line, looker) = (format!("{step:?}"), &story.places[turn]);
        assert!(
            step.reason
                .starts_with(&format!("Leaf {} looks at it, and ", looker.region)),
            "{line}"
        );
        let is_compared = matches!(next, Some(Event::TestPair(..)));
        assert_eq!(
            !step.reason.contains("nobody is compared"),
            is_compared,
            "{line}"
        );
        in_vain += usize::from(!is_compared);
    }
    assert!(in_vain > 0, "{story:#?}");
}

/// What a visit says of comparisons is what is compared behind it, of the two regions that it names.
#[test]
fn a_visit_tells_of_its_own_comparisons_and_names_whoever_looks() {
    let mut told = 0;
    for (name, story) in searches() {
        let steps = &story.steps;
        let home = |unit| story.before.home(unit).map(|home| home.region);
        // There tests of several leaves that are looked at come together.
        let is_gathered = ["kd-tree", "bvh", "morton", "sorted"].iter();
        let is_gathered = is_gathered.clone().any(|key| name.starts_with(key));
        for (at, step) in steps.iter().enumerate() {
            let Some(place) = story.place(step).filter(|it| it.load > 0) else {
                continue;
            };
            let is_visit = matches!(step.event, Event::Visit(_));
            let is_one = matches!(place.role, Role::Leaf | Role::Cell);
            if !is_visit || !is_one {
                continue;
            }
            let line = format!("{name}, step {}: {} {}", at + 1, place.name(), step.reason);
            let turn = step.turn.unwrap_or_else(|| panic!("{line}"));
            let looker = &story.places[turn];
            let is_own = [
                "It is this ",
                "It looks at its own",
                "Its turn goes on",
                "Its ",
            ];
            let is_own = looker.region == place.region
                && is_own.iter().any(|it| step.reason.starts_with(it));
            let names = step.reason.to_lowercase().contains(&looker.name());
            assert!(is_own || names, "{line}\n{looker:?}");
            let Some((_, behind)) = step.reason.split_once("looks at it, and ") else {
                continue;
            };
            let behind_it = steps[at + 1..].iter().map(|step| step.event);
            let is_visit = |event: &Event| matches!(event, Event::Visit(_));
            let tests = behind_it
                .skip_while(|event| is_gathered && is_visit(event))
                .take_while(|event| !matches!(event, Event::Visit(_) | Event::Prune(_)));
            let ends = |event: Event| match event {
                Event::TestPair(a, b) => Some((home(a)?, home(b)?)),
                _ => None,
            };
            let (own, other) = (place.region, looker.region);
            let is_of =
                |ends: &(RegionId, RegionId)| *ends == (own, other) || *ends == (other, own);
            let is = tests.filter_map(ends).filter(is_of).count();
            let said = match behind.starts_with("nobody is compared") {
                true => Some(0),
                false => behind
                    .split_once(": ")
                    .and_then(|(_, many)| many.split(' ').next()?.parse().ok()),
            };
            assert_eq!(said, Some(is), "{line}");
            told += 1;
        }
    }
    assert!(told > 1000, "{told}");
}

/// Whoever is left out is so for the region that is named, and with it for all that is below both.
#[test]
fn a_region_is_left_out_for_the_one_that_is_said_to_look_at_it() {
    let mut told = 0;
    let (_, ground) = crowd("quadtree", 400, 1);
    let centers: Vec<Vec2> = (0..400).map(|unit| ground.bodies().center(unit)).collect();
    for (name, story) in searches() {
        let centers: &[Vec2] = if name.contains(", 9,") {
            &nine()
        } else {
            &centers
        };
        let reach = name.rsplit(' ').next().and_then(|it| it.parse().ok());
        let reach: f32 = reach.expect("a reach");
        let mut before: Vec<(&Place, &Place)> = Vec::new();
        for (at, step) in story.steps.iter().enumerate() {
            let Some(place) = story.place(step) else {
                continue;
            };
            if !matches!(step.event, Event::Prune(_)) {
                continue;
            }
            let line = format!("{name}, step {}: {} {}", at + 1, place.name(), step.reason);
            let turn = step.turn.unwrap_or_else(|| panic!("{line}"));
            let looker = &story.places[turn];
            let begin = format!("{} looks at it, and ", words::capital(&looker.name()));
            assert!(step.reason.starts_with(&begin), "{line}");
            // Cells look with those of their units that are near, and so do nodes that have units of their own.
            let is_whole = matches!(looker.role, Role::Inner | Role::Leaf) && looker.load == 0
                || looker.role == Role::Leaf;
            if is_whole {
                assert_eq!(within(&story, centers, (place, looker), reach), 0, "{line}");
                let is_said = |(looked, left): &&(&Place, &Place)| {
                    story.before.is_above(looked.region, looker.region)
                        && story.before.is_above(left.region, place.region)
                };
                assert!(before.iter().find(is_said).is_none(), "{line}");
                before.push((looker, place));
            }
            told += 1;
        }
    }
    assert!(told > 1000, "{told}");
}

/// What is left out is so for whoever looked: nothing is hatched that is looked into, or of which somebody is compared, at that very step.
#[test]
fn nobody_is_looked_at_in_a_region_that_is_shown_as_left_out() {
    let mut left_out = 0;
    for (name, story) in searches() {
        let reel = Reel::new(story);
        let story = reel.story();
        for at in 1..=reel.len() {
            let step = &story.steps[at - 1];
            let here: Vec<RegionId> = match step.event {
                Event::Visit(region) => vec![region],
                Event::TestPair(a, b) => {
                    let homes = [a, b].into_iter().filter_map(|it| story.before.home(it));
                    homes.map(|home| home.region).collect()
                }
                _ => continue,
            };
            for place in here.iter().flat_map(|region| story.before.upwards(*region)) {
                let Some(number) = reel.place_of(place.region, at) else {
                    continue;
                };
                let last = reel.place_at(number, at);
                let is_left_out = |step: &Step| matches!(step.event, Event::Prune(_));
                assert!(
                    !last.is_some_and(is_left_out),
                    "{name}, step {at}: {step:?}\n{last:?}"
                );
            }
            left_out += (0..story.places.len())
                .filter_map(|number| reel.place_at(number, at))
                .filter(|step| matches!(step.event, Event::Prune(_)))
                .take(1)
                .count();
        }
    }
    assert!(left_out > 1000, "{left_out}");
}

/// Two units in the leaf that is lowest at the left, one right behind its border.
fn eight() -> (AnyPartition, Ground) {
    let centers = [
        (18.0, 8.75),
        (8.5, 10.6),
        (9.5, 15.0),
        (32.5, 3.25),
        (20.0, 10.0),
        (17.0, 20.5),
        (22.0, 11.0),
        (21.0, 21.5),
    ];
    let centers = centers.map(Vec2::from);
    let bodies = Bodies::points(&centers);
    let field = Aabb::new(Vec2::ZERO, Vec2::new(40.0, 30.0));
    let mut index = AnyPartition::new(Kind::Quadtree, field);
    index.set_knob_text("capacity", "2").expect("a knob");
    index.rebuild(bodies, &mut ());
    (index, Ground::of(bodies))
}

/// The quadtree comes to the fuller one of two leaves: where that has its turn, it is the other one that something happens to.
#[test]
fn of_a_turn_that_goes_on_the_leaf_is_shown_that_is_looked_at() {
    let mut going_on = 0;
    let (mut index, mut ground) = eight();
    let own = (
        "eight".to_owned(),
        story(&mut index, &mut ground, "pairs 6"),
    );
    for (name, story) in searches().into_iter().chain([own]) {
        for step in &story.steps {
            let Some(turn) = story.going_on(step) else {
                continue;
            };
            let line = format!("{name}: {step:?}");
            let place = story.place(step).expect("a leaf");
            assert_eq!(step.event, Event::Visit(turn.region), "{line}");
            assert_eq!(step.region, Some(place.region), "{line}");
            assert_ne!(place.region, turn.region, "{line}");
            let word = format!("turn of {} goes on with", turn.name());
            assert_eq!(
                (story.word(step).as_ref(), step.kind()),
                (word.as_str(), "visit")
            );
            let begin = format!("{} looks at it, and ", words::capital(&turn.name()));
            assert!(step.reason.starts_with(&begin), "{line}");
            going_on += 1;
        }
    }
    assert!(going_on > 10, "{going_on}");
}

/// What is left out, or looked into, for another one than at the step before says for whom.
#[test]
fn whoever_looks_is_named_where_it_is_another_one_than_before() {
    let (mut index, mut ground) = eight();
    let story = story(&mut index, &mut ground, "pairs 6");
    let mut named = 0;
    for (at, step) in story.steps.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|at| story.steps[at].turn);
        match story.looks_at(at) {
            Some(looks) => {
                assert_eq!(step.turn.map(|turn| &story.places[turn]), Some(looks));
                assert!(matches!(step.event, Event::Visit(_) | Event::Prune(_)));
                named += 1;
            }
            None if matches!(step.event, Event::Prune(_)) => assert_eq!(before, step.turn),
            None => {}
        }
    }
    assert!(named > 0, "{:#?}", story.steps);
}

#[test]
fn a_turn_says_which_neighbours_are_not_looked_at() {
    // The second cell of the row has nobody within reach of the third.
    let centers = [(9.0, 5.0), (11.0, 5.0), (28.0, 5.0), (12.0, 12.0)].map(Vec2::from);
    let (mut index, mut ground) = built("linked-grid", &[("cell_size", "10")], &centers);
    let lines = told(&mut index, &mut ground, "pairs 6");
    let line = " Cell 2, 0 is not looked at: nobody of this cell is within 6 m of it.";
    let turns = lines.iter().filter(|line| line.contains("cell's turn"));
    let said: Vec<bool> = turns.map(|it| it.contains(line)).collect();
    // The third cell is too far from the first to be one of its neighbours.
    assert_eq!(said, [false, true, false, false], "{lines:#?}");
    // Whatever is said to be left out has no event in that turn.
    for (name, story) in searches() {
        for step in &story.steps {
            let Some((before, _)) = step.reason.split_once(" not looked at: ") else {
                continue;
            };
            let sentence = before.rsplit(". ").next().unwrap_or_default();
            let of_turn = story.steps.iter().filter(|it| it.turn == step.turn);
            for place in of_turn.filter_map(|it| story.place(it)) {
                let called = place.called().replace(' ', "\u{a0}");
                let is_named = sentence.contains(&format!("({called})"))
                    || sentence == format!("Cell {} is", place.called());
                assert!(!is_named, "{name}: {step:?} {}", place.name());
            }
        }
    }
}

/// Nothing in the events says why a leaf of a k-d tree looks at no more leaves than it does: boxes do.
#[test]
fn a_turn_says_why_the_leaves_that_are_left_out_are() {
    let mut told = 0;
    for (name, story) in searches() {
        let reach = name.rsplit(' ').next().and_then(|it| it.parse().ok());
        let reach: f32 = reach.expect("a reach");
        for step in &story.steps {
            let Some(place) = story.place(step).filter(|it| it.role == Role::Leaf) else {
                continue;
            };
            let Some((_, sentence)) = step.reason.split_once(" The other ") else {
                continue;
            };
            let many = sentence.split(' ').next().and_then(|it| it.parse().ok());
            // It is said by the box by which it is decided.
            let is_around =
                sentence.contains("whom they hold") || sentence.contains("whom it holds");
            assert_eq!(is_around, place.reach_box.is_none(), "{name}: {step:?}");
            let box_of = |place: &Place| place.reach_box.or(place.tight);
            let own = box_of(place).expect("a box");
            let is_far = |other: &&Place| {
                let gap = box_of(other).map(|other| other.gap_sq(own).sqrt());
                other.role == Role::Leaf && gap.is_some_and(|gap| gap > reach)
            };
            let far = story.before.places().iter().filter(is_far).count();
            assert!(many.unwrap_or(1) <= far, "{name}: {step:?}");
            told += 1;
        }
    }
    assert!(told > 100, "{told}");
}

/// A quadtree decides by the boxes of its nodes, and where those of two leaves are near by whom the emptier one holds.
#[test]
fn every_two_leaves_of_a_quadtree_meet_or_one_is_left_out_by_the_box_that_is_compared() {
    let (mut far, mut near) = (0, 0);
    let is_one = |name: &str| name.starts_with("quadtree") && !name.contains(", 400,");
    for (name, story) in searches().into_iter().filter(|(name, _)| is_one(name)) {
        let reach = name.rsplit(' ').next().and_then(|it| it.parse().ok());
        let reach: f32 = reach.expect("a reach");
        let mut told: HashSet<(RegionId, RegionId)> = HashSet::new();
        for step in &story.steps {
            let is_of_region = matches!(step.event, Event::Visit(_) | Event::Prune(_));
            let (true, Some(turn), Some(place)) = (is_of_region, step.turn, story.place(step))
            else {
                continue;
            };
            let looker = &story.places[turn];
            told.extend([(looker.region, place.region), (place.region, looker.region)]);
            if !matches!(step.event, Event::Prune(_)) {
                continue;
            }
            let said = match place.bounds.gap_sq(looker.bounds) > reach * reach {
                true => {
                    far += 1;
                    format!(
                        " m from the box of {}, more than {reach} m: ",
                        looker.name()
                    )
                }
                false => {
                    near += 1;
                    format!(", the nearest of {}, is ", looker.name())
                }
            };
            assert!(step.reason.contains(&said), "{name}: {said} {step:?}");
        }
        let is_leaf = |place: &&Place| place.role == Role::Leaf && place.load > 0;
        let leaves: Vec<&Place> = story.before.places().iter().filter(is_leaf).collect();
        let above = |place: &Place| story.before.upwards(place.region).map(|it| it.region);
        for (at, a) in leaves.iter().enumerate() {
            for b in &leaves[at + 1..] {
                let is_told = |(x, y): (RegionId, RegionId)| x != y && told.contains(&(x, y));
                let is_told = above(a).any(|x| above(b).any(|y| is_told((x, y))));
                assert!(is_told, "{name}: {} and {}", a.name(), b.name());
            }
        }
    }
    assert!(far > 100 && near > 10, "{far} {near}");
}

/// Whoever is left out by the way between slanting cuts may be near the box of the other room.
#[test]
fn nobody_near_a_box_is_told_of_only_where_boxes_decide() {
    let mut told = 0;
    for (name, story) in searches() {
        for step in &story.steps {
            if step.reason.contains(" left out, for nobody of ") {
                let has_box = story.place(step).is_some_and(|it| it.reach_box.is_some());
                assert!(has_box, "{name}: {step:?}");
                told += 1;
            }
        }
    }
    assert!(told > 0);
}

#[test]
fn the_boxes_of_a_quadtree_are_told_with_room_for_its_bodies() {
    let centers = [(4.0, 4.0), (12.0, 4.0), (60.0, 60.0)].map(Vec2::from);
    let bodies = Bodies {
        half_extents: &[Vec2::ONE; 3],
        ..Bodies::points(&centers)
    };
    let mut index = AnyPartition::new(Kind::Quadtree, FIELD);
    index.set_knob_text("capacity", "1").expect("a knob");
    index.rebuild(bodies, &mut ());
    let lines = told(&mut index, &mut Ground::of(bodies), "pairs 6");
    // From (16, 16) to (32, 32), less a metre on either side.
    let is_said = |line: &String| {
        line.contains("its box is 19.8 m from the box of node ")
            && line.contains(", each with room for its bodies, more than 6 m: ")
    };
    assert!(lines.iter().any(is_said), "{lines:#?}");
}

/// What is never looked at is no event: who ends a sweep is told with the last that happens in it.
#[test]
fn a_sweep_says_with_whom_it_ends_and_how_many_it_never_looks_at() {
    let centers = [(2.0, 10.0), (3.0, 10.0), (10.0, 10.0), (20.0, 10.0)].map(Vec2::from);
    let knobs = [("axes", "x"), ("strip_height", "64")];
    let (mut index, mut ground) = built("sweep-and-prune", &knobs, &centers);
    let lines = told(&mut index, &mut ground, "pairs 1.5");
    let hit = "hit pair: Units 0 and 1 are 1 m apart, within 1.5 m: a pair. The sweep of unit 0 ends here: unit 2, next in the order, begins 6.5 m beyond the reach of unit 0 along x, and nobody behind it begins earlier: 2 units are not tested. The sweep of unit 1 comes to nobody: unit 2, next in the order, begins 5.5 m beyond the reach of unit 1 along x, and nobody behind it begins earlier: 2 units are not tested. 1 more sweep ends before its first test, at a unit that begins beyond its reach.";
    assert!(lines.contains(&hit.to_owned()), "{lines:#?}");
    let lines = told(&mut index, &mut ground, "range 0,8,5,4");
    let end = "The sweep ends here: unit 2, next in the order, begins 5 m beyond all of the rectangle along x, and nobody behind it begins earlier: 2 units are not tested.";
    let said = lines.iter().filter(|line| line.ends_with(end));
    assert_eq!(said.count(), 1, "{lines:#?}");
    let lines = told(&mut index, &mut ground, "range 0,8,12,4");
    let last = "The sweep ends here: unit 3, the last in the order, begins 8 m beyond all of the rectangle along x, and is not tested.";
    assert!(lines.iter().any(|line| line.ends_with(last)), "{lines:#?}");
    // A segment may begin where it goes farthest along the axis.
    let lines = told(&mut index, &mut ground, "segment 5,10,0,10");
    let end = end.replace("rectangle", "segment");
    assert!(lines.iter().any(|line| line.ends_with(&end)), "{lines:#?}");
    // Along both axes a reach longer than that of the pairs that are kept is swept.
    let (mut index, mut ground) = built("sweep-and-prune", &[("axes", "both")], &centers);
    let lines = told(&mut index, &mut ground, "pairs 3");
    let end = "The sweep of unit 0 ends here: unit 2, next in the order, begins 5 m beyond the reach of unit 0 along x, and nobody behind it begins earlier: whoever is left is not tested.";
    assert!(lines.iter().any(|line| line.contains(end)), "{lines:#?}");
    // Nobody is left behind whoever begins last.
    let (mut index, mut ground) = built("sweep-and-prune", &[("axes", "both")], &centers[..3]);
    let lines = told(&mut index, &mut ground, "pairs 3");
    let end = "The sweep of unit 0 ends here: unit 2, the last in the order, begins 5 m beyond the reach of unit 0 along x, and is not tested.";
    assert!(lines.iter().any(|line| line.contains(end)), "{lines:#?}");
}

#[test]
fn a_sweep_along_y_says_so() {
    let centers = [(10.0, 2.0), (10.0, 3.0), (10.0, 10.0), (10.0, 20.0)].map(Vec2::from);
    for (axes, left) in [("y", "2 units are"), ("both", "whoever is left is")] {
        let knobs = [("axes", axes), ("strip_height", "64")];
        let (mut index, mut ground) = built("sweep-and-prune", &knobs, &centers);
        let lines = told(&mut index, &mut ground, "range 8,0,4,5");
        let end = format!(
            "unit 2, next in the order, begins 5 m beyond all of the rectangle along y, and nobody behind it begins earlier: {left} not tested."
        );
        assert!(lines.iter().any(|line| line.ends_with(&end)), "{lines:#?}");
        let lines = told(&mut index, &mut ground, "pairs 3");
        let end = "begins 5 m beyond the reach of unit 0 along y,";
        assert!(lines.iter().any(|line| line.contains(end)), "{lines:#?}");
    }
}

/// Whoever comes to the end of an order has left nobody out.
#[test]
fn a_sweep_that_nobody_ends_says_nothing_of_it() {
    let centers = [(2.0, 10.0), (3.0, 10.0), (10.0, 10.0), (20.0, 10.0)].map(Vec2::from);
    for axes in ["x", "both"] {
        let knobs = [("axes", axes), ("strip_height", "64")];
        let (mut index, mut ground) = built("sweep-and-prune", &knobs, &centers);
        for operation in ["pairs 30", "range 0,8,25,4", "segment 0,10,30,10"] {
            let lines = told(&mut index, &mut ground, operation);
            let says = |line: &String| line.contains("sweep of") || line.contains("ends here");
            assert!(!lines.iter().any(says), "{axes} {operation}: {lines:#?}");
        }
        // Of two at one place the one is all that the other comes to.
        let (mut index, mut ground) = built("sweep-and-prune", &knobs, &[centers[0]; 2]);
        let lines = told(&mut index, &mut ground, "pairs 0");
        let says = |line: &String| line.contains("sweep of");
        assert!(!lines.iter().any(says), "{axes}: {lines:#?}");
    }
}

#[test]
fn who_stands_in_two_strips_ends_sweeps_in_both() {
    let centers = [(4.0, 8.0), (6.0, 7.0), (30.0, 8.0)].map(Vec2::from);
    let bodies = Bodies {
        half_extents: &[Vec2::ONE; 3],
        ..Bodies::points(&centers)
    };
    let mut index = AnyPartition::new(Kind::SweepAndPrune, FIELD);
    for (knob, value) in [("axes", "x"), ("strip_height", "8")] {
        index.set_knob_text(knob, value).expect("a knob");
    }
    index.rebuild(bodies, &mut ());
    let lines = told(&mut index, &mut Ground::of(bodies), "range 2,6,4,4");
    let end = "The sweep ends here: unit 2, the last in the order, begins 23 m beyond all of the rectangle along x, and is not tested.";
    let said = lines.iter().filter(|line| line.ends_with(end));
    assert_eq!(said.count(), 2, "{lines:#?}");
}
