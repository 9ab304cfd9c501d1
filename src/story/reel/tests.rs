//! What is shown at each moment of a story.

use super::*;
use crate::geometry::{Aabb, Vec2};
use crate::partition::{AnyPartition, Bodies, Kind};
use crate::probe::Cancel;
use crate::story::tests::edits::seven;
use crate::story::{Ground, Operation, Stage, Stay};

fn reels() -> Vec<Reel> {
    reels_of_pairs_within(2.0)
}

fn reels_of_pairs_within(reach: f32) -> Vec<Reel> {
    let centers: Vec<Vec2> = (0..300)
        .map(|at| Vec2::new((at * 37 % 101) as f32, (at * 53 % 97) as f32))
        .collect();
    let bodies = Bodies::points(&centers);
    let field = Aabb::new(Vec2::ZERO, Vec2::splat(101.0));
    let mut reels = Vec::new();
    for kind in Kind::ALL {
        let mut index = AnyPartition::new(*kind, field);
        index.rebuild(bodies, &mut ());
        let cancel = Cancel::default();
        let stage = Stage::new(index, Ground::of(bodies), reach, &cancel).expect("not cancelled");
        for text in [
            "radius 40,40,20",
            "nearest 10,10,5",
            "pairs",
            "insert 3,3",
            "move 7,90,90",
        ] {
            let operation = Operation::read(text).expect("an operation");
            let story = stage.tell(&operation, 5_000, &cancel);
            reels.push(Reel::new(story.expect("not cancelled")));
        }
    }
    reels
}

#[test]
fn every_moment_is_what_one_comes_to_step_by_step() {
    for reel in reels() {
        let steps = &reel.story().steps;
        let mut of_place: HashMap<usize, &Step> = HashMap::new();
        let mut of_unit: HashMap<UnitId, &Step> = HashMap::new();
        let mut counts: HashMap<&str, usize> = HashMap::new();
        let mut stood: HashMap<UnitId, Standing> = HashMap::new();
        let mut look = |at: usize| {
            if let Some(step) = reel.now(at) {
                *counts.entry(step.kind()).or_default() += 1;
                if let Some(place) = step.place {
                    of_place.insert(reel.story().identities[place].thing, step);
                }
                match step.event {
                    Event::Test(a) | Event::Hit(a) => {
                        of_unit.insert(a, step);
                    }
                    Event::TestPair(a, b) | Event::HitPair(a, b) => {
                        of_unit.insert(a, step);
                        of_unit.insert(b, step);
                    }
                    // Who change places in an order are named as well.
                    Event::Work(_) => {
                        if let Concerned::Two(a, b) = step.units {
                            of_unit.insert(a, step);
                            of_unit.insert(b, step);
                        }
                    }
                    _ => {}
                }
            }
            if let Some(step) = reel.now(at) {
                let is_nearest = !reel.story().stays.is_empty();
                let next = |event| steps.get(at).is_some_and(|step| step.event == event);
                let is_hit_of_burst = |unit| {
                    let behind = steps[at..].iter().map(|step| step.event);
                    let mut burst = behind.take_while(|event| {
                        matches!(event, Event::Test(_) | Event::Hit(_) | Event::Work(_))
                    });
                    !is_nearest && burst.any(|event| event == Event::Hit(unit))
                };
                let (units, found) = match step.event {
                    Event::Test(a) => (vec![a], is_hit_of_burst(a)),
                    Event::Hit(a) => (vec![a], true),
                    Event::TestPair(a, b) => (vec![a, b], next(Event::HitPair(a, b))),
                    Event::HitPair(a, b) => (vec![a, b], true),
                    _ => (Vec::new(), false),
                };
                for unit in units {
                    let stands = stood.entry(unit).or_insert(Standing::Tested);
                    if found {
                        *stands = Standing::Found;
                    }
                }
            }
            // All of it at a few moments, and what has just changed at each of them.
            if at.is_multiple_of(97) || at == steps.len() {
                for place in 0..reel.story().places.len() {
                    let thing = reel.story().identities[place].thing;
                    let told = of_place.get(&thing).copied();
                    // What was left out for somebody else holds no longer.
                    let is_bygone = told.is_some_and(|told| reel.is_bygone(told, at));
                    assert!(is_bygone || reel.place_at(place, at) == told);
                }
                for unit in 0..302 {
                    assert_eq!(reel.unit_at(unit, at), of_unit.get(&unit).copied());
                    let mut stays = reel.story().stays.iter();
                    let is_near = |it: &Stay| {
                        it.unit == unit && it.from <= at && it.until.is_none_or(|end| at < end)
                    };
                    let stands = match stood.get(&unit).copied() {
                        Some(Standing::Tested) if stays.any(is_near) => Standing::Nearest,
                        Some(other) => other,
                        // Of whoever is never looked at.
                        None => match reel.standing(unit, at) {
                            Standing::LeftOut => Standing::LeftOut,
                            _ => Standing::NotYet,
                        },
                    };
                    assert_eq!(reel.standing(unit, at), stands);
                    let is_open = reel.has_ended(at) && stands == Standing::NotYet;
                    assert!(!is_open, "{unit} at the end");
                }
                for track in reel.tracks() {
                    let count = counts.get(track.kind).copied().unwrap_or_default();
                    assert_eq!(track.count(at), count);
                }
            }
        };
        for at in 0..=steps.len() {
            look(at);
        }
        let whole: usize = reel.tracks().iter().map(Track::whole).sum();
        assert_eq!(whole, steps.len());
        assert!(reel.now(steps.len() + 1).is_none());
    }
}

#[test]
fn what_a_search_has_not_found_is_counted_as_none() {
    let centers: Vec<Vec2> = (0..40).map(|at| Vec2::new(at as f32, 1.0)).collect();
    let bodies = Bodies::points(&centers);
    let cancel = Cancel::default();
    for (operation, kind) in [
        ("pairs 0.5", Some("hit pair")),
        ("radius 20.5,1,0.25", Some("hit")),
        ("insert 3,3", None),
        ("rebuild", None),
    ] {
        let field = Aabb::new(Vec2::ZERO, Vec2::splat(40.0));
        let mut index = AnyPartition::new(Kind::Quadtree, field);
        index.rebuild(bodies, &mut ());
        let stage = Stage::new(index, Ground::of(bodies), 2.0, &cancel).expect("not cancelled");
        let operation = Operation::read(operation).expect("an operation");
        let story = stage.tell(&operation, 5_000, &cancel);
        let reel = Reel::new(story.expect("not cancelled"));
        let none = reel.tracks().iter().filter(|track| track.whole() == 0);
        let none: Vec<&str> = none.map(|track| track.kind).collect();
        assert_eq!(none, Vec::from_iter(kind), "{operation}");
        let row = reel.tracks().iter().find(|track| track.whole() == 0);
        assert_eq!(row.and_then(|row| row.next(0)), None);
        // Of a structure as it stands nothing is said.
        assert!(Reel::new(stage.still()).tracks().is_empty());
    }
}

#[test]
fn the_unit_whose_surroundings_are_searched_is_not_among_those_found() {
    let centers: Vec<Vec2> = (0..40).map(|at| Vec2::new(at as f32, 1.0)).collect();
    let bodies = Bodies::points(&centers);
    for kind in Kind::ALL {
        let mut index = AnyPartition::new(*kind, Aabb::new(Vec2::ZERO, Vec2::splat(40.0)));
        index.rebuild(bodies, &mut ());
        let cancel = Cancel::default();
        let stage = Stage::new(index, Ground::of(bodies), 2.0, &cancel).expect("not cancelled");
        let operation = Operation::read("near 20,2.5").expect("an operation");
        let story = stage.tell(&operation, 5_000, &cancel);
        let reel = Reel::new(story.expect("not cancelled"));
        let end = reel.len();
        let hits = reel.tracks().iter().find(|track| track.kind == "hit");
        assert_eq!(hits.map(Track::whole), Some(4), "{kind:?}");
        for at in 0..=end {
            assert_ne!(reel.standing(20, at), Standing::Found, "{kind:?}, {at}");
        }
        assert_eq!(reel.standing(18, end), Standing::Found, "{kind:?}");
    }
}

#[test]
fn who_is_never_looked_at_is_left_out_at_the_last() {
    let (mut before_the_end, mut searches) = (0, 0);
    for reel in reels() {
        let story = reel.story();
        let end = reel.len();
        let is_search = story.after.is_none() && story.left_out == 0;
        assert_eq!(reel.has_ended(end), is_search && end > 0);
        assert!(!reel.has_ended(end.saturating_sub(1)));
        searches += usize::from(reel.has_ended(end));
        let is_left = |unit: &UnitId, at| reel.standing(*unit, at) == Standing::LeftOut;
        let left: Vec<UnitId> = (0..300).filter(|unit| is_left(unit, end)).collect();
        assert!(reel.has_ended(end) || left.is_empty());
        if let Some(never) = reel.never_looked_at() {
            assert_eq!(never, left.len() as u64);
        }
        for unit in left {
            assert!(reel.steps_of_unit(unit).is_empty());
            assert!(!is_left(&unit, 0));
            before_the_end += usize::from(is_left(&unit, end - 1));
            // Who has a turn is so from then on, and not before.
            let Some(home) = story.before.home(unit).map(|home| home.region) else {
                continue;
            };
            let is_its_turn = |step: &Step| {
                let turn = step.turn.map(|turn| story.places[turn].region);
                step.in_turn == InTurn::Begins && turn == Some(home)
            };
            if let Some(turn) = story.steps.iter().position(is_its_turn) {
                assert!(is_left(&unit, turn + 1), "{unit} at {turn}");
            }
        }
    }
    assert!(searches > 12 && before_the_end > 100, "{before_the_end}");
}

#[test]
fn a_search_that_prunes_nothing_in_a_grid_knows_to_whom_it_never_comes() {
    // Four in each cell.
    let centers: Vec<Vec2> = (0..400)
        .map(|at| Vec2::new((at % 20) as f32, (at / 20) as f32) * 5.0 + 2.5)
        .collect();
    let bodies = Bodies::points(&centers);
    let never = Cancel::default();
    for key in ["linked-grid", "sorted-grid"] {
        let field = Aabb::new(Vec2::ZERO, Vec2::splat(100.0));
        let mut index = AnyPartition::new(Kind::from_key(key).expect("a grid"), field);
        index.set_knob_text("cell_size", "10").expect("a knob");
        index.rebuild(bodies, &mut ());
        let stage = Stage::new(index, Ground::of(bodies), 2.0, &never).expect("not cancelled");
        // Inside of a cell, over nine of which the disc meets every one, and over all.
        for (text, is_all) in [
            ("radius 45,45,3", false),
            ("radius 45,45,12", false),
            ("range -5,-5,120,120", true),
        ] {
            let operation = Operation::read(text).expect("an operation");
            let story = stage.tell(&operation, 5_000, &never);
            let reel = Reel::new(story.expect("not cancelled"));
            let (story, what) = (reel.story(), format!("{key}, {text}"));
            let is_pruned = |step: &Step| matches!(step.event, Event::Prune(_));
            assert!(!story.steps.iter().any(is_pruned), "{what}");
            let named: HashSet<RegionId> = story.steps.iter().filter_map(|it| it.region).collect();
            let others = story.before.places().iter();
            let others = others.filter(|it| !it.units().is_empty() && !named.contains(&it.region));
            let others: Vec<&Place> = others.collect();
            let units = others.iter().flat_map(|place| place.units());
            let units: HashSet<UnitId> = units.copied().collect();
            if is_all {
                assert!(units.is_empty(), "{what}");
                assert_eq!(reel.never_come_to(), None, "{what}");
                continue;
            }
            let (cells, many) = reel.never_come_to().expect("it goes straight to cells");
            assert!(cells > 10, "{what}: {cells}");
            assert_eq!(cells, others.len() as u64, "{what}");
            assert_eq!(many, units.len() as u64, "{what}");
            let rest = reel.never_looked_at().expect("all are in the grid");
            assert!(many <= rest, "{what}: {many} of {rest}");
        }
    }
}

#[test]
fn where_a_telling_is_cut_nobody_is_said_to_be_no_pair_whose_hit_is_not_told() {
    let centers: Vec<Vec2> = (0..12).map(|at| Vec2::new(at as f32, 1.0)).collect();
    let bodies = Bodies::points(&centers);
    let never = Cancel::default();
    let mut index = AnyPartition::new(Kind::AllPairs, Aabb::new(Vec2::ZERO, Vec2::splat(12.0)));
    index.rebuild(bodies, &mut ());
    let stage = Stage::new(index, Ground::of(bodies), 2.0, &never).expect("not cancelled");
    let operation = Operation::read("pairs 2").expect("an operation");
    let tell = |cap: usize| Reel::new(stage.tell(&operation, cap, &never).expect("not cancelled"));
    let whole = tell(5_000);
    let (mut unknown, mut far) = (0, 0);
    for cap in 1..=whole.len() {
        let reel = tell(cap);
        assert_eq!(reel.len(), cap);
        for at in 1..=cap {
            let Some(Concerned::Two(a, b)) = reel.now(at).map(|step| step.units) else {
                continue;
            };
            let known = reel.is_pair_at((a, b), at);
            let is_pair = a.abs_diff(b) <= 2;
            assert!(known.is_none_or(|known| known == is_pair), "{a}, {b}");
            assert!(known.is_some() || at == cap && cap < whole.len());
            unknown += usize::from(known.is_none());
            far += usize::from(known == Some(false));
        }
    }
    assert!(unknown > 0 && far > 0, "{unknown} {far}");
}

#[test]
fn a_few_of_the_longest_sentences_are_known_the_longest_first() {
    for reel in reels() {
        let length = |step: &Step| step.reason.chars().count();
        let longest: Vec<&Step> = reel.longest().collect();
        assert!(longest.is_sorted_by(|a, b| length(a) >= length(b)));
        let of_all: HashSet<&str> = reel.story().steps.iter().map(|it| &*it.reason).collect();
        let known: HashSet<&str> = longest.iter().map(|it| &*it.reason).collect();
        assert_eq!(known.len(), longest.len(), "none is there twice");
        assert_eq!(known.len(), of_all.len().min(8));
        let least = longest.last().map_or(0, |step| length(step));
        let longer = |it: &&&str| it.chars().count() > least && !known.contains(**it);
        assert_eq!(of_all.iter().find(longer), None);
    }
}

#[test]
fn a_region_is_yet_to_split_until_its_last_split_has_been_told() {
    let centers: Vec<Vec2> = (0..300)
        .map(|at| Vec2::new((at * 37 % 101) as f32, (at * 53 % 97) as f32))
        .collect();
    let bodies = Bodies::points(&centers);
    let never = Cancel::default();
    let (mut yet, mut done) = (0, 0);
    for kind in [Kind::Quadtree, Kind::KdTree, Kind::MortonTree] {
        let mut index = AnyPartition::new(kind, Aabb::new(Vec2::ZERO, Vec2::splat(101.0)));
        index.rebuild(bodies, &mut ());
        let stage = Stage::new(index, Ground::of(bodies), 2.0, &never).expect("not cancelled");
        let story = stage.tell(&Operation::Rebuild, 5_000, &never);
        let reel = Reel::new(story.expect("not cancelled"));
        let story = reel.story();
        for at in 0..=reel.len() {
            let later: HashSet<RegionId> = story.steps[at..]
                .iter()
                .filter(|step| matches!(step.event, Event::Split(_)) && story.is_after(at))
                .filter_map(|step| step.region)
                .collect();
            assert_eq!(reel.has_yet_to_split(at), !later.is_empty());
            for place in &story.places {
                let is_later = later.contains(&place.region);
                assert_eq!(reel.is_yet_to_split(place.region, at), is_later);
                yet += usize::from(is_later);
                done += usize::from(!is_later);
            }
        }
    }
    assert!(yet > 0 && done > 0, "{yet} {done}");
}

#[test]
fn what_is_done_in_each_place_is_all_that_follows_a_region_and_all_of_its_turn() {
    for reel in &reels() {
        let steps = &reel.story().steps;
        let mut places: Vec<usize> = reel.story().identities.iter().map(|it| it.thing).collect();
        places.sort_unstable();
        places.dedup();
        let places = places.into_iter();
        let own_turn = |place| {
            let is_own = move |step: &Step| {
                let turn = step.turn;
                turn.is_some_and(|turn| reel.is_same_thing(turn, place))
            };
            let own = (0..).zip(steps).filter(move |(_, step)| is_own(step));
            own.map(|(at, _)| at)
        };
        let within = |place| {
            let within = reel.steps_within(place);
            assert!(own_turn(place).all(|it: u32| within.binary_search(&it).is_ok()));
            within
        };
        let mut seen: Vec<u32> = places.flat_map(within).collect();
        seen.sort_unstable();
        // What is of the turn of one and happens in another one is of both.
        seen.dedup();
        let first = steps.iter().position(|step| step.place.is_some());
        let known = |at: &u32| {
            let before = &steps[..=*at as usize];
            let named = before.iter().rev().find(|step| step.region.is_some());
            let is_named = named.is_some_and(|step| step.place.is_some());
            is_named || steps[*at as usize].turn.is_some()
        };
        let all = first.map_or(0, |first| first as u32)..steps.len() as u32;
        assert_eq!(seen, all.filter(known).collect::<Vec<_>>());
    }
}

/// Nine units in nine cells of 10 m, each next to its neighbours, and what a search for pairs does with half of the neighbourhood or all of it.
fn nine(neighbourhood: &str) -> Reel {
    let rows = [8.0, 15.0, 22.0];
    let centers = rows.map(|y| rows.map(|x| Vec2::new(x, y))).concat();
    let bodies = Bodies::points(&centers);
    let kind = Kind::from_key("linked-grid").expect("a structure");
    let mut index = AnyPartition::new(kind, Aabb::new(Vec2::ZERO, Vec2::splat(30.0)));
    for (knob, value) in [("cell_size", "10"), ("neighbourhood", neighbourhood)] {
        index.set_knob_text(knob, value).expect("a knob");
    }
    index.rebuild(bodies, &mut ());
    let cancel = Cancel::default();
    let stage = Stage::new(index, Ground::of(bodies), 10.0, &cancel).expect("not cancelled");
    let pairs = Operation::Pairs { reach: None };
    let story = stage.tell(&pairs, 5_000, &cancel);
    Reel::new(story.expect("not cancelled"))
}

#[test]
fn the_steps_of_a_cell_are_its_own_turn_and_those_who_look_at_it() {
    let reel = nine("half");
    let places = &reel.story().places;
    let middle = places.iter().position(|place| place.name() == "cell 1, 1");
    let middle = middle.expect("the cell");
    let mut tests = [Vec::new(), Vec::new()];
    for step in reel.steps_within(middle) {
        let another = reel.turn_of_another(step as usize, middle);
        if let Event::TestPair(a, b) = reel.story().steps[step as usize].event {
            tests[usize::from(another.is_some())].push((a, b));
        }
    }
    assert_eq!(tests[0], [(4, 5), (4, 6), (4, 7), (4, 8)]);
    assert_eq!(tests[1], [(0, 4), (1, 4), (2, 4), (3, 4)]);
}

#[test]
fn tests_in_a_grid_are_within_a_cell_or_across_a_border() {
    let counts = |reel: &Reel| -> Vec<usize> { reel.borders().iter().map(Track::whole).collect() };
    assert_eq!(counts(&nine("half")), [0, 20]);
    assert_eq!(counts(&nine("full")), [0, 40]);
    for reel in reels_of_pairs_within(12.0) {
        let tests = reel.tracks().iter().find(|track| track.kind == "test pair");
        let [within, across] = counts(&reel)[..] else {
            assert!(reel.borders().is_empty());
            continue;
        };
        assert_eq!(Some(within + across), tests.map(Track::whole));
    }
}

#[test]
fn as_many_units_are_tested_as_have_been_and_none_that_is_found_without() {
    for reel in reels() {
        for at in 0..=reel.len() {
            let is_tested = |it: &&Firsts| (it.tested as usize) < at;
            let count = reel.firsts.iter().filter(is_tested).count();
            assert_eq!(reel.tested_by(at), count, "{at}");
        }
    }
}

#[test]
fn going_to_the_next_of_a_row_comes_round() {
    for reel in reels().into_iter().take(3) {
        for (unit, _) in reel.concerned(reel.len()) {
            let row = reel.steps_of_unit(unit);
            let mut at = 0;
            for step in row {
                at = reel.next_of(row, at).expect("there is one");
                assert_eq!(at, *step as usize + 1);
            }
            assert_eq!(reel.next_of(row, at), Some(row[0] as usize + 1));
        }
        assert_eq!(reel.next_of(&[], 3), None);
    }
}

/// Seven units in a quadtree of two to a leaf, told pair by pair up to so far: the search comes back to the turns of leaves of which it has
/// left others out between.
fn three_splits() -> Reel {
    let centers = seven();
    let bodies = Bodies::points(&centers);
    let field = Aabb::new(Vec2::ZERO, Vec2::splat(64.0));
    let mut index = AnyPartition::new(Kind::Quadtree, field);
    index.set_knob_text("capacity", "2").expect("a knob");
    index.rebuild(bodies, &mut ());
    let cancel = Cancel::default();
    let stage = Stage::new(index, Ground::of(bodies), 2.0, &cancel).expect("not cancelled");
    let pairs = Operation::read("pairs 12.3").expect("an operation");
    Reel::new(stage.tell(&pairs, 1_000, &cancel).expect("not cancelled"))
}

#[test]
fn it_is_known_how_many_steps_of_a_kind_begin_a_turn() {
    let mut with_turns = 0;
    for reel in reels() {
        for track in reel.tracks() {
            let steps = track.up_to(usize::MAX).iter();
            let steps = steps.map(|at| &reel.story().steps[*at as usize]);
            let begin = steps.filter(|step| step.word() == "turn of");
            assert_eq!(track.turns, begin.count(), "{}", track.kind);
            with_turns += usize::from(track.turns > 0);
        }
    }
    assert!(with_turns > 0);
}

#[test]
fn at_the_end_a_unit_has_all_its_pairs() {
    for reel in reels() {
        let Answer::Pairs(found) = &reel.story().answer else {
            continue;
        };
        if reel.story().left_out > 0 {
            continue;
        }
        for unit in 0..300 {
            let of_unit = |pair: &Pair| match *pair {
                (a, b) if a == unit => Some(b),
                (a, b) if b == unit => Some(a),
                _ => None,
            };
            let mut others: Vec<UnitId> = found.iter().filter_map(of_unit).collect();
            others.sort_unstable();
            let mut partners = reel.partners(unit, reel.len()).to_vec();
            partners.sort_unstable();
            assert_eq!(partners, others, "{unit}");
            assert!(reel.partners(unit, 0).is_empty());
        }
    }
}

#[test]
fn a_pair_is_one_from_the_test_on_that_finds_it_as_its_units_are_found() {
    let mut found_by_test = 0;
    for reel in reels_of_pairs_within(6.0) {
        for (at, step) in reel.story().steps.iter().enumerate() {
            let Event::HitPair(a, b) = step.event else {
                continue;
            };
            let before = at.checked_sub(1).map(|at| reel.story().steps[at].event);
            let is_tested = before == Some(Event::TestPair(a, b));
            for (one, other) in [(a, b), (b, a)] {
                let has = |at: usize| reel.partners(one, at).contains(&other);
                assert!(has(at + 1), "step {at}");
                if is_tested {
                    // Behind the step of the test the one of the pair is still to come.
                    assert!(has(at) && !has(at - 1), "step {at}");
                    assert_eq!(reel.standing(one, at), Standing::Found, "step {at}");
                    found_by_test += 1;
                }
            }
        }
    }
    assert!(found_by_test > 0);
}

#[test]
fn it_is_the_turn_of_whom_the_sentence_of_a_step_names() {
    let (mut named, mut behind) = (0, 0);
    for reel in reels().into_iter().chain([three_splits()]) {
        let story = reel.story();
        let (mut of_reel, mut apart) = (0, 0);
        for (at, step) in (1..).zip(&story.steps) {
            let Some(turn) = reel.turn_at(at).filter(|turn| step.place != Some(*turn)) else {
                continue;
            };
            let name = story.places[turn].name();
            let begin = format!("{} looks at it", crate::story::words::capital(&name));
            let names = match step.event {
                Event::TestPair(..) => step.reason.contains(&format!("in the turn of {name}:")),
                Event::HitPair(..) => reel.turn_at(at - 1) == Some(turn),
                _ if step.reason.contains(" looks at it") => step.reason.starts_with(&begin),
                // It names nobody.
                _ => continue,
            };
            assert!(names, "step {at}, {name}: {}", step.reason);
            of_reel += 1;
            apart += usize::from(step.in_turn == InTurn::Apart);
        }
        named += usize::from(of_reel > 0);
        behind += usize::from(apart > 0);
    }
    assert!(
        named > 5,
        "{named} kinds have turns of which it is said whose they are"
    );
    assert!(behind > 0, "some search comes back to earlier turns");
}

#[test]
fn a_step_is_of_the_turn_that_has_begun_last_only_until_another_one_looks() {
    let reel = three_splits();
    let steps = &reel.story().steps;
    let mut run = None;
    for step in steps.iter().filter(|step| step.turn.is_some()) {
        match step.in_turn {
            InTurn::Begins => run = step.turn,
            InTurn::Within => assert_eq!(step.turn, run),
            InTurn::Apart => {
                assert_ne!(step.turn, run);
                run = None;
            }
        }
    }
}
