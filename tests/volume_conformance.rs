//! Every structure of the third dimension answers exactly as brute force does, whatever was done to it before.
//!
//! Scripts of edits and queries are made up by proptest and played on all structures at once. After each edit every
//! structure is validated; each query is asked under `()`, by who counts and by who keeps every event, which must agree on what was
//! found and on how much was tested. A structure that joins the registry is covered without a change here.
//!
//! The seed is fixed, so a run repeats. Three environment variables make it longer, other or narrower:
//!
//! - `SKIRMISH_CONFORMANCE_CASES=1000000`: how many scripts in all (10,500 when it is not set);
//! - `SKIRMISH_CONFORMANCE_SEED=7`: another stream of scripts;
//! - `SKIRMISH_CONFORMANCE_STRUCTURE=octree`: this structure alone.

#[path = "common/probes.rs"]
mod probes;
mod volume;

use probes::{counting, listening};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner};
use skirmish::partition::{Change, Knob, KnobRange, Neighbor, Pair, UnitId};
use skirmish::probe::{Counter, Probe, Trace};
use skirmish::volume::{
    Aabb3, AnyPartition3, Bodies3, Kind3, NearestQuery3, RegionQuery3, Segment3, Vec3,
};
use std::collections::HashSet;
use volume::script::{Ground, Op, Script, scripts};
use volume::world::World;

type Checked = Result<(), TestCaseError>;

/// The value of an environment variable that holds a number, if it is set and is one.
fn number_from_environment(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.trim().parse().ok()
}

/// The structures to look at.
fn kinds() -> Vec<Kind3> {
    match std::env::var("SKIRMISH_CONFORMANCE_STRUCTURE") {
        Ok(key) => vec![Kind3::from_key(&key).expect("a structure of that key")],
        Err(_) => Kind3::ALL.to_vec(),
    }
}

/// Asks one query under every probe, checks that the probes agree with each other and with the number of results, and
/// gives the results, brought into order.
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
            summed.on(*event);
        }
        prop_assert_eq!(counter, summed, "{}: sums and events", $what);
        prop_assert_eq!(counter, told, "{}: sums of both", $what);
        prop_assert_eq!(
            counter.hits,
            found.len() as u64,
            "{}: hits and results",
            $what
        );
        found
    }};
}

/// A structure under test, with words that say which.
struct Subject {
    index: AnyPartition3,
}

impl Subject {
    fn new(kind: Kind3, field: Aabb3) -> Self {
        Self {
            index: AnyPartition3::new(kind, field),
        }
    }

    fn key(&self) -> &'static str {
        self.index.info().key
    }

    fn validate(&self, bodies: Bodies3<'_>, after: &dyn std::fmt::Debug) -> Checked {
        self.index.validate(bodies).map_err(|violation| {
            TestCaseError::fail(format!("{} after {after:?}: {violation}", self.key()))
        })
    }

    fn range(&self, world: &World, area: Aabb3, expected: &[UnitId]) -> Checked {
        let found = under_every_probe!(self.key(), probe => {
            let mut found = Vec::new();
            self.index.range(world.bodies(), area, probe, |unit| found.push(unit));
            found.sort_unstable();
            found
        });
        prop_assert_eq!(found, expected, "{}: range {:?}", self.key(), area);
        Ok(())
    }

    fn sphere(&self, world: &World, center: Vec3, radius: f32, expected: &[UnitId]) -> Checked {
        let found = under_every_probe!(self.key(), probe => {
            let mut found = Vec::new();
            self.index
                .sphere(world.bodies(), center, radius, probe, |unit| found.push(unit));
            found.sort_unstable();
            found
        });
        prop_assert_eq!(
            found,
            expected,
            "{}: {} m around {:?}",
            self.key(),
            radius,
            center
        );
        Ok(())
    }

    fn segment(&self, world: &World, segment: Segment3, expected: &[UnitId]) -> Checked {
        let found = under_every_probe!(self.key(), probe => {
            let mut found = Vec::new();
            self.index
                .segment(world.bodies(), segment, probe, |unit| found.push(unit));
            found.sort_unstable();
            found
        });
        prop_assert_eq!(found, expected, "{}: {:?}", self.key(), segment);
        Ok(())
    }

    fn nearest(
        &self,
        world: &World,
        query: NearestQuery3,
        filter: &dyn Fn(UnitId) -> bool,
        expected: &[Neighbor],
    ) -> Checked {
        let found = under_every_probe!(self.key(), probe => {
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
        let found = under_every_probe!(self.key(), probe => {
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
        Ok(())
    }

    /// Looks at regions, facts, quality and memory as a window does.
    fn look(&self, world: &World, point: Vec3, min_size: f32, made_up: u32) -> Checked {
        let bodies = world.bodies();
        let mut ids = Vec::new();
        let at_point = RegionQuery3 {
            area: Aabb3::new(point, point),
            min_size,
        };
        for query in [at_point, RegionQuery3::ALL] {
            let mut known = HashSet::new();
            let mut load = 0;
            let mut wrong = None;
            self.index.regions(query, &mut |region| {
                ids.push(region.id);
                load += region.load as usize;
                if !known.insert(region.id) {
                    wrong = Some(format!("region {} came twice", region.id));
                } else if region.parent.is_some_and(|parent| !known.contains(&parent)) {
                    wrong = Some(format!("{region:?} came before its parent"));
                } else if !region.bounds.overlaps(query.area) {
                    wrong = Some(format!("{region:?} is outside {query:?}"));
                } else if region.bounds.size().max_element() < query.min_size {
                    wrong = Some(format!("{region:?} is too small for {query:?}"));
                }
            });
            if let Some(wrong) = wrong {
                return Err(TestCaseError::fail(format!("{}: {wrong}", self.key())));
            }
            if query == RegionQuery3::ALL && !known.is_empty() {
                prop_assert_eq!(load, bodies.count(), "{}: loads", self.key());
            }
        }
        ids.extend([made_up, 0, u32::MAX, made_up % 64]);
        for id in ids {
            self.index.facts(bodies, id, &mut |fact| {
                assert!(!fact.name.is_empty(), "a fact without a name");
            });
        }
        self.index.quality(&mut |fact| {
            assert!(!fact.value.is_empty(), "{} says nothing", fact.name);
        });
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
        subject.index.expect(script.reach);
        let knobs = subject.index.info().knobs.iter().enumerate();
        for ((index, knob), fraction) in knobs.zip(&script.knobs) {
            if let Some(fraction) = fraction {
                subject.index.set_knob(index, knob_value(knob, *fraction));
            }
        }
        subject
            .index
            .rebuild(World::new(script.sized).bodies(), &mut ());
        if at_once {
            subject.index.rebuild(world.bodies(), &mut ());
        } else {
            let changes: Vec<_> = world.bodies().ids().map(Change::Add).collect();
            subject.index.apply(world.bodies(), &changes, &mut ());
        }
        subject.validate(world.bodies(), &"the start")?;
    }
    for op in &script.ops {
        step(op, field, &mut world, &mut subjects)?;
        if matches!(
            op,
            Op::Batch(_) | Op::MoveAll(..) | Op::Rebuild | Op::Knob(..)
        ) {
            let expected = world.pairs(script.reach);
            for subject in &subjects {
                subject.pairs(&world, script.reach, &expected)?;
            }
        }
    }
    Ok(())
}

fn step(op: &Op, field: Aabb3, world: &mut World, subjects: &mut [Subject]) -> Checked {
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
                let spread = Vec3::new(turn, -turn, 0.5 * turn) * *spread;
                world.centers[unit as usize] += *by + spread;
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
                let kept = subject.index.knob(index);
                prop_assert_eq!(kept, value, "{}: {}", subject.key(), knobs[index].key);
                if !knobs[index].picture_only {
                    subject.index.rebuild(world.bodies(), &mut ());
                }
                subject.validate(world.bodies(), op)?;
            }
        }
        Op::Range(a, b) => {
            let area = Aabb3::of_points([a.resolve(world, field), b.resolve(world, field)]);
            let expected = world.range(area);
            for subject in subjects {
                subject.range(world, area, &expected)?;
            }
        }
        Op::Sphere(spot, radius) => {
            let center = spot.resolve(world, field);
            let expected = world.sphere(center, *radius);
            for subject in subjects {
                subject.sphere(world, center, *radius, &expected)?;
            }
        }
        Op::Nearest(spot, count, within, skip) => {
            let query = NearestQuery3 {
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
            let segment = Segment3 {
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
    let mut seed = [0x3d; 32];
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
        let at = Vec3::new(
            (place % 4) as f32,
            (place / 4 % 4) as f32,
            (place / 16) as f32,
        );
        // Every fifth stands where another one does.
        let shift = if place % 5 == 0 { 10.0 } else { 0.0 };
        let far = if place > 56 { 1.0e6 } else { 1.0 };
        let size = Vec3::new((place % 3) as f32, (place % 2) as f32, (place % 4) as f32);
        world.add((at * 10.0 + Vec3::X * shift) * far, size);
    }
    world
}

/// Limits of which none is a distance.
const NO_LIMITS: [f32; 6] = [-1.0e-30, -0.5, -10.0, -1.0e30, f32::NEG_INFINITY, f32::NAN];

#[test]
fn a_limit_below_zero_or_that_is_no_number_finds_nothing() {
    let field = Aabb3::new(Vec3::ZERO, Vec3::splat(40.0));
    let here = Vec3::splat(20.0);
    let there = Vec3::new(30.0, 20.0, 20.0);
    let no_places = [
        Vec3::new(f32::NAN, 20.0, 20.0),
        Vec3::new(20.0, f32::INFINITY, 20.0),
        Vec3::new(20.0, 20.0, f32::NEG_INFINITY),
    ];
    for sized in [false, true] {
        let world = crowd(sized);
        for kind in kinds() {
            let mut subject = Subject::new(kind, field);
            subject.index.rebuild(world.bodies(), &mut ());
            let way = |from, to, half_width| {
                let segment = Segment3 {
                    from,
                    to,
                    half_width,
                };
                subject.segment(&world, segment, &[])
            };
            let nearest = |point, within| {
                let query = NearestQuery3 {
                    point,
                    count: 5,
                    within,
                };
                subject.nearest(&world, query, &|_| true, &[])
            };
            let mut checked = Vec::new();
            for limit in NO_LIMITS {
                checked.push(subject.pairs(&world, limit, &[]));
                checked.push(subject.sphere(&world, here, limit, &[]));
                checked.push(way(here, there, limit));
                checked.push(nearest(here, limit));
            }
            for place in no_places {
                checked.push(subject.sphere(&world, place, 30.0, &[]));
                checked.push(subject.sphere(&world, place, f32::INFINITY, &[]));
                checked.push(way(here, place, 30.0));
                checked.push(way(place, here, f32::INFINITY));
                checked.push(nearest(place, f32::INFINITY));
            }
            for (min, max) in [
                (there, here),
                (Vec3::NAN, there),
                (here, Vec3::new(70.0, 70.0, f32::NAN)),
                (Vec3::new(0.0, 0.0, 30.0), Vec3::new(80.0, 80.0, 29.0)),
            ] {
                checked.push(subject.range(&world, Aabb3 { min, max }, &[]));
            }
            for result in checked {
                result.unwrap_or_else(|failure| panic!("sized {sized}: {failure}"));
            }
        }
    }
}

#[test]
fn zero_is_touching_whatever_its_sign_and_infinity_is_everybody() {
    let field = Aabb3::new(Vec3::ZERO, Vec3::splat(40.0));
    let here = Vec3::splat(20.0);
    for sized in [false, true] {
        let world = crowd(sized);
        let everybody: Vec<UnitId> = world.bodies().ids().collect();
        let (touching, all) = (world.pairs(0.0), world.pairs(f32::INFINITY));
        assert!(!touching.is_empty() && all.len() == 60 * 59 / 2);
        let on_it = world.sphere(here, 0.0);
        assert!(!on_it.is_empty());
        for kind in kinds() {
            let mut subject = Subject::new(kind, field);
            subject.index.rebuild(world.bodies(), &mut ());
            let mut checked = Vec::new();
            let spot = |half_width| Segment3 {
                from: here,
                to: here,
                half_width,
            };
            for zero in [0.0, -0.0] {
                checked.push(subject.pairs(&world, zero, &touching));
                checked.push(subject.sphere(&world, here, zero, &on_it));
                checked.push(subject.segment(&world, spot(zero), &on_it));
            }
            for far in [1.0e10, 1.0e30, f32::INFINITY] {
                checked.push(subject.pairs(&world, far, &all));
                checked.push(subject.sphere(&world, here, far, &everybody));
            }
            checked.push(subject.segment(&world, spot(f32::INFINITY), &everybody));
            checked.push(subject.range(&world, Aabb3::EVERYTHING, &everybody));
            for result in checked {
                result.unwrap_or_else(|failure| panic!("sized {sized}: {failure}"));
            }
        }
    }
}

#[test]
fn points_that_become_bodies_and_points_again_are_found() {
    let field = Aabb3::new(Vec3::ZERO, Vec3::splat(40.0));
    for kind in kinds() {
        let mut subject = Subject::new(kind, field);
        subject.index.rebuild(crowd(false).bodies(), &mut ());
        for sized in [true, false] {
            let world = crowd(sized);
            let changes: Vec<_> = world.bodies().ids().map(Change::Move).collect();
            subject.index.apply(world.bodies(), &changes, &mut ());
            subject.validate(world.bodies(), &sized).unwrap();
            let expected = world.pairs(9.0);
            subject.pairs(&world, 9.0, &expected).unwrap();
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
    let field = Aabb3::new(Vec3::ZERO, Vec3::splat(40.0));
    let here = Vec3::splat(20.0);
    for kind in kinds() {
        let mut world = crowd(false);
        // Many on one spot, whom no tree can part.
        for _ in 0..300 {
            world.add(here, Vec3::ZERO);
        }
        let mut subject = Subject::new(kind, field);
        subject.index.rebuild(world.bodies(), &mut ());
        let mut tell = |world: &World, units: &[UnitId]| {
            let changes: Vec<Change> = units.iter().copied().map(Change::Move).collect();
            subject.index.apply(world.bodies(), &changes, &mut ());
            subject.validate(world.bodies(), &changes).unwrap();
            let area = Aabb3::of_points([here, here * 1.5]);
            subject.range(world, area, &world.range(area)).unwrap();
            let disc = world.sphere(here, 7.0);
            subject.sphere(world, here, 7.0, &disc).unwrap();
            subject.pairs(world, 2.0, &world.pairs(2.0)).unwrap();
        };
        for _ in 0..2 {
            for (one_in, half) in SIZES {
                world.half_extents.resize(world.centers.len(), Vec3::ZERO);
                let units = (0..world.centers.len()).step_by(one_in);
                let units: Vec<UnitId> = units.map(|row| row as UnitId).collect();
                for unit in &units {
                    world.half_extents[*unit as usize] = Vec3::new(half, 0.5 * half, half);
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
    play_many(2_500, scripts(Ground::Field, false, 40, 10));
}

#[test]
fn points_on_borders_planes_lines_and_each_other() {
    play_many(2_000, scripts(Ground::Borders, false, 30, 10));
}

#[test]
fn points_outside_and_far_away() {
    play_many(2_000, scripts(Ground::Outside, false, 20, 10));
}

#[test]
fn bodies_on_the_field() {
    play_many(2_000, scripts(Ground::Field, true, 30, 10));
}

#[test]
fn bodies_on_borders_planes_lines_and_each_other() {
    play_many(1_000, scripts(Ground::Borders, true, 24, 10));
}

#[test]
fn bodies_outside_and_far_away() {
    play_many(1_000, scripts(Ground::Outside, true, 20, 10));
}
