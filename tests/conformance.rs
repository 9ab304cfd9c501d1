//! Every structure of the registry answers exactly as brute force does, whatever was done to it before.
//!
//! Scripts of edits and queries are made up by proptest and played on all structures at once. After each edit every
//! structure is validated; each query is asked under `()`, by who counts and by who keeps every event, which must agree on what was
//! found and on how much was tested. A structure that joins the registry is covered without a change here.
//!
//! The seed is fixed, so a run repeats. Three environment variables make it longer, other or narrower:
//!
//! - `SKIRMISH_CONFORMANCE_CASES=1000000`: how many scripts in all (10,500 when it is not set);
//! - `SKIRMISH_CONFORMANCE_SEED=7`: another stream of scripts;
//! - `SKIRMISH_CONFORMANCE_STRUCTURE=quadtree`: this structure alone.

mod common;

use common::number_from_environment;
use common::probes::{counting, listening};
use common::script::{Ask, Ground, Op, Script, scripts};
use common::world::World;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner};
use skirmish::geometry::{Aabb, Segment, Vec2};
use skirmish::partition::{
    AnyPartition, Bodies, Change, Corridor, Figure, Kind, Knob, KnobRange, NearestQuery, Neighbor,
    Pair, Part, Placement, Polygon, RegionQuery, Sector, Shape, UnitId,
};
use skirmish::probe::{Counter, Trace};
use std::collections::HashSet;

type Checked = Result<(), TestCaseError>;

/// The structures to look at.
fn kinds() -> Vec<Kind> {
    match std::env::var("SKIRMISH_CONFORMANCE_STRUCTURE") {
        Ok(key) => vec![Kind::from_key(&key).expect("a structure of that key")],
        Err(_) => Kind::ALL.to_vec(),
    }
}

/// Asks one query under every probe, checks that the probes agree with each other and with the number of results, and
/// gives the results, brought into order, with the sums.
macro_rules! under_every_probe {
    ($what:expr, $probe:ident => $ask:expr) => {{
        let found = {
            let $probe = &mut ();
            $ask
        };
        let mut counting = counting();
        let counted = {
            let $probe = &mut counting;
            $ask
        };
        let counter = counting.probe;
        let mut heard = (Trace::with_cap(usize::MAX), Counter::default());
        let traced = {
            let $probe = &mut listening(&mut heard);
            $ask
        };
        let (trace, told) = heard;
        prop_assert_eq!(&found, &counted, "{}: under () and counted", $what);
        prop_assert_eq!(&found, &traced, "{}: under () and traced", $what);
        let mut summed = Counter::default();
        for event in trace.events() {
            skirmish::probe::Probe::on(&mut summed, *event);
        }
        prop_assert_eq!(counter, summed, "{}: sums and events", $what);
        prop_assert_eq!(counter, told, "{}: sums of both", $what);
        prop_assert_eq!(
            counter.hits,
            found.len() as u64,
            "{}: hits and results",
            $what
        );
        (found, counter)
    }};
}

/// A structure under test, with words that say which.
struct Subject {
    index: AnyPartition,
}

impl Subject {
    fn new(kind: Kind, field: Aabb) -> Self {
        Self {
            index: AnyPartition::new(kind, field),
        }
    }

    fn key(&self) -> &'static str {
        self.index.info().key
    }

    fn validate(&self, bodies: Bodies<'_>, after: &dyn std::fmt::Debug) -> Checked {
        self.index.validate(bodies).map_err(|violation| {
            TestCaseError::fail(format!("{} after {after:?}: {violation}", self.key()))
        })
    }

    fn range(&self, world: &World, area: Aabb, expected: &[UnitId]) -> Checked {
        let (found, _) = under_every_probe!(self.key(), probe => {
            let mut found = Vec::new();
            self.index.range(world.bodies(), area, probe, |unit| found.push(unit));
            found.sort_unstable();
            found
        });
        prop_assert_eq!(found, expected, "{}: range {:?}", self.key(), area);
        Ok(())
    }

    fn radius(&self, world: &World, center: Vec2, radius: f32, expected: &[UnitId]) -> Checked {
        let (found, _) = under_every_probe!(self.key(), probe => {
            let mut found = Vec::new();
            self.index
                .radius(world.bodies(), center, radius, probe, |unit| found.push(unit));
            found.sort_unstable();
            found
        });
        prop_assert_eq!(
            found,
            expected,
            "{}: radius {} of {:?}",
            self.key(),
            radius,
            center
        );
        Ok(())
    }

    fn segment(&self, world: &World, segment: Segment, expected: &[UnitId]) -> Checked {
        let (found, _) = under_every_probe!(self.key(), probe => {
            let mut found = Vec::new();
            self.index
                .segment(world.bodies(), segment, probe, |unit| found.push(unit));
            found.sort_unstable();
            found
        });
        prop_assert_eq!(found, expected, "{}: {:?}", self.key(), segment);
        Ok(())
    }

    fn within(&self, world: &World, figure: &dyn Figure, expected: &[UnitId]) -> Checked {
        let (found, _) = under_every_probe!(self.key(), probe => {
            let mut found = Vec::new();
            self.index
                .within(world.bodies(), figure, probe, |unit| found.push(unit));
            found.sort_unstable();
            found
        });
        prop_assert_eq!(found, expected, "{}: {:?}", self.key(), figure);
        Ok(())
    }

    /// The search comes upon the unit itself as well, who is no result.
    fn near(&self, world: &World, unit: UnitId, reach: f32, expected: &[UnitId]) -> Checked {
        let mut found = Vec::new();
        let mut counting = counting();
        self.index
            .near(world.bodies(), unit, reach, &mut counting, |other| {
                found.push(other);
            });
        found.sort_unstable();
        prop_assert_eq!(
            &found,
            expected,
            "{}: {} around unit {}",
            self.key(),
            reach,
            unit
        );
        let is_asked = world.bodies().is_alive(unit) && reach >= 0.0;
        prop_assert_eq!(
            counting.probe.hits,
            found.len() as u64 + u64::from(is_asked)
        );
        Ok(())
    }

    fn nearest(
        &self,
        world: &World,
        query: NearestQuery,
        filter: &dyn Fn(UnitId) -> bool,
        expected: &[Neighbor],
    ) -> Checked {
        let (found, _) = under_every_probe!(self.key(), probe => {
            // What is left over from an earlier query must not show.
            let mut found = vec![Neighbor { unit: 77, distance_sq: -1.0 }; 2];
            self.index
                .nearest(world.bodies(), query, filter, probe, &mut found);
            found
        });
        prop_assert_eq!(found, expected, "{}: {:?}", self.key(), query);
        Ok(())
    }

    fn pairs(&self, world: &World, reach: f32, expected: &[Pair]) -> Checked {
        let (found, whole) = under_every_probe!(self.key(), probe => {
            let mut found = Vec::new();
            self.index
                .pairs(world.bodies(), reach, probe, |batch| found.extend_from_slice(batch));
            found.sort_unstable();
            found
        });
        prop_assert!(
            found == expected,
            "{}: pairs within {}: missed {:?}, made up {:?}, {} found, {} expected",
            self.key(),
            reach,
            difference(expected, &found),
            difference(&found, expected),
            found.len(),
            expected.len()
        );
        for count in [2, 3, 7] {
            let mut shared = Vec::new();
            let mut counting = counting();
            for index in 0..count {
                self.index.pairs_part(
                    world.bodies(),
                    reach,
                    Part { index, count },
                    &mut counting,
                    |batch| shared.extend_from_slice(batch),
                );
            }
            let sum = counting.probe;
            shared.sort_unstable();
            prop_assert!(
                shared == expected,
                "{}: {} shares of pairs within {}: missed {:?}, made up {:?}, {} found, {} expected",
                self.key(),
                count,
                reach,
                difference(expected, &shared),
                difference(&shared, expected),
                shared.len(),
                expected.len()
            );
            prop_assert_eq!(
                (sum.tests, sum.hits),
                (whole.tests, whole.hits),
                "{}: tests and hits of {} shares within {}",
                self.key(),
                count,
                reach
            );
        }
        Ok(())
    }

    /// Looks at regions, marks, facts, quality and memory as the window does.
    fn look(&self, world: &World, point: Vec2, min_size: f32, made_up: u32) -> Checked {
        let bodies = world.bodies();
        let mut ids = Vec::new();
        let at_point = RegionQuery {
            area: Aabb::new(point, point),
            min_size,
        };
        let everything = RegionQuery {
            area: Aabb::EVERYTHING,
            min_size: 0.0,
        };
        for query in [at_point, everything] {
            let mut known = HashSet::new();
            let mut load = 0;
            let mut wrong = None;
            let mut are_boxes = true;
            self.index.regions(query, &mut |region| {
                ids.push(region.id);
                load += u64::from(region.load);
                let (bounds, is_box) = match region.shape {
                    Shape::Rect(area) => (area, true),
                    Shape::Convex(corners) => (Aabb::of_points(corners.iter().copied()), false),
                    Shape::Line(a, b) => (Aabb::of_points([a, b]), false),
                };
                are_boxes &= is_box;
                let size = bounds.size();
                if !known.insert(region.id) {
                    wrong = Some(format!("region {} came twice", region.id));
                } else if region.parent.is_some_and(|parent| !known.contains(&parent)) {
                    wrong = Some(format!("{region:?} came before its parent"));
                } else if is_box && !bounds.overlaps(query.area) {
                    wrong = Some(format!("{region:?} is outside {query:?}"));
                } else if size.x.max(size.y) < query.min_size {
                    wrong = Some(format!("{region:?} is too small for {query:?}"));
                }
            });
            if let Some(wrong) = wrong {
                return Err(TestCaseError::fail(format!("{}: {wrong}", self.key())));
            }
            if query == everything && !known.is_empty() {
                let count = bodies.count() as u64;
                let exact = are_boxes && self.index.info().placement != Placement::Replicate;
                prop_assert!(
                    load == count || (load > count && !exact),
                    "{}: the regions hold {} units of {}",
                    self.key(),
                    load,
                    count
                );
            }
        }
        ids.extend([made_up, 0, u32::MAX, made_up % 64]);
        ids.sort_unstable();
        ids.dedup();
        for id in ids {
            self.index.facts(bodies, id, &mut |fact| {
                assert!(!fact.name.is_empty(), "a fact without a name");
            });
        }
        self.index
            .quality(&mut |fact| assert!(!fact.name.is_empty()));
        for cursor in [None, Some(point)] {
            let query = skirmish::partition::MarkQuery {
                area: Aabb::around(point, Vec2::splat(100.0)),
                min_size,
                cursor,
                reach: min_size,
            };
            self.index.marks(bodies, query, &mut |_| {});
        }
        let mut bytes = 0;
        self.index.memory(&mut |_, part| bytes += part);
        prop_assert_eq!(bytes, self.index.byte_count(), "{}: bytes", self.key());
        Ok(())
    }
}

/// Up to four of what is in `a` and not in `b`; both are sorted.
fn difference(a: &[Pair], b: &[Pair]) -> Vec<Pair> {
    a.iter()
        .filter(|pair| b.binary_search(pair).is_err())
        .take(4)
        .copied()
        .collect()
}

/// The value at this fraction of what a knob takes.
fn knob_value(knob: &Knob, fraction: f64) -> f64 {
    let value = match knob.range {
        KnobRange::Number {
            min,
            max,
            whole,
            logarithmic,
        } => {
            let value = if logarithmic {
                min * (max / min).powf(fraction)
            } else {
                min + (max - min) * fraction
            };
            let value = if whole { value.round() } else { value };
            value.clamp(min, max)
        }
        KnobRange::Choice(words) => (fraction * (words.len() - 1) as f64).round(),
        KnobRange::Switch => fraction.round(),
    };
    assert!(knob.accepts(value), "{}: {value}", knob.key);
    value
}

/// Plays a script on all the structures at once, so that brute force is asked only once.
fn play(script: &Script) -> Checked {
    let field = script.field;
    let mut world = World::new(script.sized);
    for (spot, half_extent) in &script.start {
        let center = spot.resolve(&world, field);
        world.add(center, *half_extent);
    }
    let mut subjects: Vec<_> = kinds()
        .into_iter()
        .map(|kind| Subject::new(kind, field))
        .collect();
    // Half of the scripts build a structure in one go, the other half unit by unit.
    let at_once = script.start.len().is_multiple_of(2);
    for subject in &mut subjects {
        if at_once {
            subject.index.rebuild(world.bodies(), &mut ());
        } else {
            let changes: Vec<_> = world.bodies().ids().map(Change::Add).collect();
            subject.index.apply(world.bodies(), &changes, &mut ());
        }
        subject.validate(world.bodies(), &"the start")?;
    }
    for (op, next) in script.ops.iter().zip(script.asks.iter().cycle()) {
        step(op, field, &mut world, &mut subjects)?;
        if matches!(
            op,
            Op::Batch(_) | Op::MoveAll(..) | Op::Rebuild | Op::Knob(..)
        ) {
            ask(next, field, &world, &subjects, false)?;
        }
    }
    Ok(())
}

/// Asks all structures about a figure, under every probe or under none.
fn ask(ask: &Ask, field: Aabb, world: &World, subjects: &[Subject], probed: bool) -> Checked {
    if let Ask::Near(who, reach) = ask {
        let alive: Vec<UnitId> = world.bodies().ids().collect();
        if alive.is_empty() {
            return Ok(());
        }
        let unit = alive[*who as usize % alive.len()];
        let own = world.bodies().aabb(unit);
        let mut expected = world.units_where(|body| body.gap_sq(own) <= reach * reach);
        expected.retain(|other| *other != unit);
        for subject in subjects {
            subject.near(world, unit, *reach, &expected)?;
        }
    }
    let Some(figure) = ask.figure(world, field) else {
        return Ok(());
    };
    let figure = &*figure;
    let expected = world.units_where(|body| figure.holds(body));
    for subject in subjects {
        if probed {
            subject.within(world, figure, &expected)?;
        } else {
            let mut found = Vec::new();
            let visit = |unit| found.push(unit);
            subject.index.within(world.bodies(), figure, &mut (), visit);
            found.sort_unstable();
            prop_assert_eq!(&found, &expected, "{}: {:?}", subject.key(), figure);
        }
    }
    Ok(())
}

fn step(op: &Op, field: Aabb, world: &mut World, subjects: &mut [Subject]) -> Checked {
    let mut changes = Vec::new();
    match op {
        Op::Batch(edits) => {
            for edit in edits {
                edit.perform(world, field, &mut changes);
            }
        }
        Op::MoveAll(by, spread) => {
            for unit in world.bodies().ids().collect::<Vec<_>>() {
                let turn = (unit % 5) as f32 - 2.0;
                world.centers[unit as usize] += *by + Vec2::new(turn, -turn) * *spread;
                changes.push(Change::Move(unit));
            }
        }
        _ => {}
    }
    let world = &*world;
    match op {
        Op::Batch(_) | Op::MoveAll(..) => {
            for subject in subjects {
                subject.index.apply(world.bodies(), &changes, &mut ());
                subject.validate(world.bodies(), &changes)?;
            }
        }
        Op::Rebuild => {
            for subject in subjects {
                subject.index.rebuild(world.bodies(), &mut ());
                subject.validate(world.bodies(), op)?;
            }
        }
        Op::Knob(index, fraction) => {
            for subject in subjects {
                let knobs = subject.index.info().knobs;
                if knobs.is_empty() {
                    continue;
                }
                let index = *index as usize % knobs.len();
                let value = knob_value(&knobs[index], *fraction);
                subject.index.set_knob(index, value);
                prop_assert_eq!(
                    subject.index.knob(index),
                    value,
                    "{}: knob {}",
                    subject.key(),
                    knobs[index].key
                );
                if !knobs[index].picture_only {
                    subject.index.rebuild(world.bodies(), &mut ());
                }
                subject.validate(world.bodies(), op)?;
            }
        }
        Op::Range(a, b) => {
            let area = Aabb::of_points([a.resolve(world, field), b.resolve(world, field)]);
            let expected = world.range(area);
            for subject in subjects {
                subject.range(world, area, &expected)?;
            }
        }
        Op::Radius(spot, radius) => {
            let center = spot.resolve(world, field);
            let expected = world.radius(center, *radius);
            for subject in subjects {
                subject.radius(world, center, *radius, &expected)?;
            }
        }
        Op::Nearest(spot, count, within, skip) => {
            let query = NearestQuery {
                point: spot.resolve(world, field),
                count: *count,
                within: *within,
            };
            let filter = |unit: UnitId| *skip == 0 || !unit.is_multiple_of(skip + 1);
            let expected = world.nearest(query, filter);
            for subject in subjects {
                subject.nearest(world, query, &filter, &expected)?;
            }
        }
        Op::Segment(from, to, half_width) => {
            let segment = Segment {
                from: from.resolve(world, field),
                to: to.resolve(world, field),
                half_width: *half_width,
            };
            let expected = world.segment(segment);
            for subject in subjects {
                subject.segment(world, segment, &expected)?;
            }
        }
        Op::Pairs(reach) => {
            let expected = world.pairs(*reach);
            for subject in subjects {
                subject.pairs(world, *reach, &expected)?;
            }
        }
        Op::Within(question) => ask(question, field, world, subjects, true)?,
        Op::Look(spot, min_size, made_up) => {
            let point = spot.resolve(world, field);
            for subject in subjects {
                subject.look(world, point, *min_size, *made_up)?;
            }
        }
    }
    Ok(())
}

/// Plays `share` of 10,500 scripts, or of as many as the environment asks for.
fn play_many(share: u64, strategy: impl Strategy<Value = Script>) {
    const USUAL: u64 = 10_500;
    let total = number_from_environment("SKIRMISH_CONFORMANCE_CASES").unwrap_or(USUAL);
    let cases = (total.saturating_mul(share) / USUAL).clamp(1, u64::from(u32::MAX)) as u32;
    let mut seed = [0x5c; 32];
    let stream = number_from_environment("SKIRMISH_CONFORMANCE_SEED").unwrap_or(0);
    seed[..8].copy_from_slice(&stream.to_le_bytes());
    let config = Config {
        cases,
        failure_persistence: None,
        max_shrink_iters: 20_000,
        ..Config::default()
    };
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &seed);
    let mut runner = TestRunner::new_with_rng(config, rng);
    if let Err(failure) = runner.run(&strategy, |script| play(&script)) {
        panic!("{failure}");
    }
}

/// Everybody, in one crowd at the middle and a few far away: points, or bodies of mixed sizes.
fn crowd(sized: bool) -> World {
    let mut world = World::new(sized);
    for place in 0..60 {
        let (x, y) = ((place % 8) as f32 * 10.0, (place / 8) as f32 * 10.0);
        // Every fifth stands where another one does.
        let shift = if place % 5 == 0 { 10.0 } else { 0.0 };
        let far = if place > 56 { 1.0e6 } else { 1.0 };
        let size = Vec2::new((place % 3) as f32, (place % 2) as f32);
        world.add(Vec2::new(x + shift, y) * far, size);
    }
    world
}

/// Limits of which none is a distance.
const NO_LIMITS: [f32; 6] = [-1.0e-30, -0.5, -10.0, -1.0e30, f32::NEG_INFINITY, f32::NAN];

#[test]
fn a_limit_below_zero_or_that_is_no_number_finds_nothing() {
    let field = Aabb::new(Vec2::ZERO, Vec2::splat(80.0));
    let here = Vec2::splat(20.0);
    let no_places = [Vec2::new(f32::NAN, 20.0), Vec2::new(20.0, f32::INFINITY)];
    for sized in [false, true] {
        let world = crowd(sized);
        for kind in kinds() {
            let mut subject = Subject::new(kind, field);
            subject.index.rebuild(world.bodies(), &mut ());
            let disc = |center, radius| subject.radius(&world, center, radius, &[]);
            let way = |from, to, half_width| {
                let segment = Segment {
                    from,
                    to,
                    half_width,
                };
                subject.segment(&world, segment, &[])
            };
            let nearest = |point, within| {
                let query = NearestQuery {
                    point,
                    count: 5,
                    within,
                };
                subject.nearest(&world, query, &|_| true, &[])
            };
            let there = Vec2::new(70.0, 20.0);
            let mut checked = Vec::new();
            for limit in NO_LIMITS {
                let sight = Sector::new(here, 0.0, 90.0, limit);
                checked.push(subject.within(&world, &sight, &[]));
                let path = Corridor::new(limit, &[here, there]);
                checked.push(subject.within(&world, &path, &[]));
                checked.push(subject.near(&world, 0, limit, &[]));
                checked.push(subject.pairs(&world, limit, &[]));
                checked.push(disc(here, limit));
                checked.push(way(here, there, limit));
                checked.push(nearest(here, limit));
            }
            for place in no_places {
                for figure in [
                    &Sector::new(place, 0.0, 360.0, 30.0) as &dyn Figure,
                    &Sector::new(here, place.y, place.x, 30.0),
                    &Polygon::new(&[here, there, place]),
                    &Corridor::new(30.0, &[here, place]),
                ] {
                    checked.push(subject.within(&world, figure, &[]));
                }
                checked.push(subject.near(&world, 10_000, 30.0, &[]));
                checked.push(disc(place, 30.0));
                checked.push(disc(place, f32::INFINITY));
                checked.push(way(here, place, 30.0));
                checked.push(way(place, here, f32::INFINITY));
                checked.push(nearest(place, f32::INFINITY));
            }
            for (min, max) in [
                (there, here),
                (Vec2::NAN, there),
                (here, Vec2::new(70.0, f32::NAN)),
                (Vec2::new(0.0, 30.0), Vec2::new(80.0, 29.0)),
            ] {
                checked.push(subject.range(&world, Aabb { min, max }, &[]));
            }
            for result in checked {
                result.unwrap_or_else(|failure| panic!("sized {sized}: {failure}"));
            }
        }
    }
}

#[test]
fn zero_is_touching_whatever_its_sign_and_infinity_is_everybody() {
    let field = Aabb::new(Vec2::ZERO, Vec2::splat(80.0));
    let here = Vec2::splat(20.0);
    for sized in [false, true] {
        let world = crowd(sized);
        let everybody: Vec<UnitId> = world.bodies().ids().collect();
        let (touching, all) = (world.pairs(0.0), world.pairs(f32::INFINITY));
        assert!(!touching.is_empty() && all.len() == 60 * 59 / 2);
        let on_it = world.radius(here, 0.0);
        assert!(!on_it.is_empty());
        for kind in kinds() {
            let mut subject = Subject::new(kind, field);
            subject.index.rebuild(world.bodies(), &mut ());
            let mut checked = Vec::new();
            for zero in [0.0, -0.0] {
                checked.push(subject.pairs(&world, zero, &touching));
                checked.push(subject.radius(&world, here, zero, &on_it));
                let segment = Segment {
                    from: here,
                    to: here,
                    half_width: zero,
                };
                checked.push(subject.segment(&world, segment, &on_it));
            }
            for far in [1.0e10, 1.0e30, f32::INFINITY] {
                checked.push(subject.pairs(&world, far, &all));
                checked.push(subject.radius(&world, here, far, &everybody));
                let all_around = Sector::new(here, 0.0, 360.0, far);
                checked.push(subject.within(&world, &all_around, &everybody));
                let path = Corridor::new(far, &[here, here]);
                checked.push(subject.within(&world, &path, &everybody));
                checked.push(subject.near(&world, 0, far, &everybody[1..]));
            }
            let segment = Segment {
                from: here,
                to: here,
                half_width: f32::INFINITY,
            };
            checked.push(subject.segment(&world, segment, &everybody));
            checked.push(subject.range(&world, Aabb::EVERYTHING, &everybody));
            for result in checked {
                result.unwrap_or_else(|failure| panic!("sized {sized}: {failure}"));
            }
        }
    }
}

#[test]
fn bodies_are_found_at_whatever_size_they_are_made() {
    /// One unit in so many is made so wide and half as high, halves of both.
    const SIZES: [(usize, f32); 7] = [
        (5, 3.0),
        (1, 20.0),
        (1, 0.5),
        (3, 0.0),
        (2, 8.0),
        (1, 0.25),
        (1, 30.0),
    ];
    let field = Aabb::new(Vec2::ZERO, Vec2::splat(80.0));
    let here = Vec2::splat(20.0);
    for kind in kinds() {
        let mut world = crowd(false);
        // Many on one spot, whom no tree can part.
        for _ in 0..100 {
            world.add(here, Vec2::ZERO);
        }
        let mut subject = Subject::new(kind, field);
        subject.index.rebuild(world.bodies(), &mut ());
        let mut tell = |world: &World, units: &[UnitId]| {
            let changes: Vec<Change> = units.iter().copied().map(Change::Move).collect();
            subject.index.apply(world.bodies(), &changes, &mut ());
            subject.validate(world.bodies(), &changes).unwrap();
            let area = Aabb::of_points([here, here * 1.5]);
            subject.range(world, area, &world.range(area)).unwrap();
            let disc = world.radius(here, 7.0);
            subject.radius(world, here, 7.0, &disc).unwrap();
            subject.pairs(world, 2.0, &world.pairs(2.0)).unwrap();
        };
        for _ in 0..2 {
            for (one_in, half) in SIZES {
                world.half_extents.resize(world.centers.len(), Vec2::ZERO);
                let units = (0..world.centers.len()).step_by(one_in);
                let units: Vec<UnitId> = units.map(|row| row as UnitId).collect();
                for unit in &units {
                    world.half_extents[*unit as usize] = Vec2::new(half, 0.5 * half);
                }
                tell(&world, &units);
            }
            // Points again: those who were bodies are told of, or some of them.
            world.half_extents.clear();
            tell(&world, &[7, 100]);
        }
    }
}

#[test]
fn points_on_the_field() {
    play_many(2_500, scripts(Ground::Field, false, 16, 10));
}

#[test]
fn points_on_borders_lines_and_each_other() {
    play_many(2_000, scripts(Ground::Borders, false, 14, 10));
}

#[test]
fn points_outside_and_far_away() {
    play_many(2_000, scripts(Ground::Outside, false, 12, 10));
}

#[test]
fn bodies_on_the_field() {
    play_many(1_500, scripts(Ground::Field, true, 16, 10));
}

#[test]
fn bodies_on_borders_lines_and_each_other() {
    play_many(1_000, scripts(Ground::Borders, true, 14, 10));
}

#[test]
fn bodies_outside_and_far_away() {
    play_many(1_000, scripts(Ground::Outside, true, 12, 10));
}

#[test]
fn crowds_that_make_trees_deep() {
    play_many(500, scripts(Ground::Field, false, 120, 8));
}
