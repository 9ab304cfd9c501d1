//! Seamless loading as a whole: the trees against brute force along paths, the books, and real files on real threads.

use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;
use skirmish::geometry::{Aabb, Vec2};
use skirmish::scene::generate;
use skirmish::streaming::{
    Completion, Decisions, Image, Index, Loader, Outcome, PictureSize, Request, Settings,
    SimulatedLoader, State, Streaming, ThreadLoader, Throttle, Ticket, WorldObject, byte_sizes,
    decisions_by_brute_force, picture_sizes,
};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

const FRAME: f64 = 1.0 / 60.0;
const ASSETS: u32 = 16;

/// Objects of many sizes, some of them on one spot.
fn world(count: usize, half_side: f32, seed: u64) -> Vec<WorldObject> {
    let mut random = Pcg64Mcg::seed_from_u64(seed);
    (0..count)
        .map(|number| {
            // A Pareto law: many small ones, few large ones.
            let half_extent = (0.5 / (1.0 - random.random::<f32>()).sqrt()).min(40.0);
            let center = Vec2::new(
                random.random_range(-half_side..half_side),
                random.random_range(-half_side..half_side),
            );
            WorldObject {
                center: if number % 100 == 0 {
                    Vec2::new(50.0, 50.0)
                } else {
                    center
                },
                half_extent: Vec2::new(half_extent, half_extent * random.random_range(0.2..1.0)),
                bytes: random.random_range(2_000..60_000),
                asset: random.random_range(0..ASSETS),
            }
        })
        .collect()
}

fn assets() -> Vec<PathBuf> {
    (0..ASSETS)
        .map(|asset| PathBuf::from(format!("asset_{asset}.png")))
        .collect()
}

fn settings() -> Settings {
    Settings {
        need_factor: 3.0,
        need_min: 15.0,
        need_max: 80.0,
        lead: 20.0,
        margin: 10.0,
        mbps: 20.0,
        latency_ms: 8.0,
        ..Settings::default()
    }
}

/// Does what a window does between updates.
fn serve<L: Loader>(streaming: &mut Streaming<L>) {
    while let Some(upload) = streaming.next_upload() {
        streaming.uploaded(upload.object);
    }
    while let Some(object) = streaming.next_unload() {
        streaming.unloaded(object);
    }
}

/// A run in which every frame is checked.
struct Run<L: Loader> {
    streaming: Streaming<L>,
    now: f64,
    position: Vec2,
    frames: u64,
}

impl Run<SimulatedLoader> {
    fn simulated(objects: Vec<WorldObject>, settings: Settings) -> Self {
        Self::new(objects, assets(), settings, SimulatedLoader::default())
    }
}

impl<L: Loader> Run<L> {
    fn new(objects: Vec<WorldObject>, assets: Vec<PathBuf>, settings: Settings, loader: L) -> Self {
        let mut streaming = Streaming::new(objects, assets, settings, loader);
        streaming.check_decisions(true);
        Self {
            streaming,
            now: 0.0,
            position: Vec2::ZERO,
            frames: 0,
        }
    }

    fn frame(&mut self, position: Vec2, velocity: Vec2) {
        let depth = u64::from(self.streaming.trees().depths().1);
        self.now += FRAME;
        self.position = position;
        self.streaming.update(self.now, position, velocity);
        let found = self.streaming.decisions().unload.len() as u64;
        let tests = self.streaming.tests();
        if matches!(
            self.streaming.settings().index,
            Index::TwoTrees | Index::Dual
        ) {
            assert!(
                tests.unload <= 1 + 2 * found * depth,
                "{} unload tests for {found} unloads at depth {depth}",
                tests.unload
            );
        }
        assert_eq!(self.streaming.statistics().mismatches, 0);
        serve(&mut self.streaming);
        self.frames += 1;
        if self.frames.is_multiple_of(50) {
            self.streaming.validate().unwrap();
            self.check_missing();
        }
    }

    /// What is needed and on its way is missing, and nothing else.
    fn check_missing(&self) {
        let is_missing = |(object, state): &(u32, &State)| {
            matches!(state, State::Queued | State::Loading | State::Decoded)
                && self
                    .streaming
                    .object(*object)
                    .rectangles()
                    .need
                    .contains(self.position)
        };
        let missing = (0..).zip(self.streaming.states()).filter(is_missing);
        assert_eq!(self.streaming.amounts().missing as usize, missing.count());
        let is_on_its_way =
            self.streaming.amounts().requests_in_flight > 0 || self.count(State::Decoded) > 0;
        assert_eq!(self.streaming.amounts().bytes_in_flight > 0, is_on_its_way);
    }

    fn walk(&mut self, to: Vec2, speed: f32) {
        let way = to - self.position;
        let velocity = way.normalize_or_zero() * speed;
        let frames = (way.length() / speed / FRAME as f32).ceil() as u32;
        let from = self.position;
        for frame in 1..=frames {
            self.frame(from + way * (frame as f32 / frames as f32), velocity);
        }
    }

    /// Stands until nothing is on its way.
    fn settle(&mut self) {
        for _ in 0..100_000 {
            self.frame(self.position, Vec2::ZERO);
            if self.streaming.is_settled() {
                return self.check_settled();
            }
        }
        panic!("it never settles: {:?}", self.streaming.amounts().counts);
    }

    /// Inside load ⊆ resident ⊆ inside unload, but for what failed.
    fn check_settled(&self) {
        self.streaming.validate().unwrap();
        for (object, state) in (0..).zip(self.streaming.states()) {
            let rectangles = self.streaming.object(object).rectangles();
            if rectangles.load.contains(self.position) {
                assert!(
                    matches!(state, State::Resident | State::Failed),
                    "object {object} is {state:?}"
                );
            }
            if *state == State::Resident {
                assert!(rectangles.unload.contains(self.position), "object {object}");
            }
        }
        assert_eq!(self.streaming.amounts().requests_in_flight, 0);
        assert_eq!(self.streaming.amounts().bytes_in_flight, 0);
    }

    fn count(&self, state: State) -> u32 {
        self.streaming.amounts().counts[state as usize]
    }
}

#[test]
fn walking_and_riding_decide_as_brute_force_does() {
    let mut run = Run::simulated(world(5_000, 300.0, 1), settings());
    run.settle();
    assert!(run.count(State::Resident) > 20);
    for (to, speed) in [
        (Vec2::new(60.0, 20.0), 6.0),
        (Vec2::new(-300.0, 250.0), 30.0),
        (Vec2::new(900.0, -900.0), 120.0),
        (Vec2::new(2_000.0, -900.0), 120.0),
        (Vec2::new(-50.0, -60.0), 240.0),
    ] {
        run.walk(to, speed);
        run.settle();
    }
    let sums = run.streaming.statistics();
    assert!(sums.loaded > 500 && sums.released > 500);
    assert!(sums.loaded_bytes >= sums.wasted_bytes);
}

#[test]
fn walking_on_borders_decides_as_brute_force_does() {
    let mut run = Run::simulated(world(5_000, 1_000.0, 2), settings());
    for object in (0..5_000).step_by(250) {
        let rectangles = run.streaming.object(object).rectangles();
        for area in [rectangles.need, rectangles.load, rectangles.unload] {
            // Along a side, on it and one number to each side of it, then onto all corners.
            for step in 0..6 {
                let y = area.min.y + area.size().y * step as f32 / 5.0;
                for x in [area.max.x.next_down(), area.max.x, area.max.x.next_up()] {
                    run.frame(Vec2::new(x, y), Vec2::new(0.0, 5.0));
                }
            }
            for corner in [
                area.min,
                area.max,
                Vec2::new(area.min.x, area.max.y),
                Vec2::new(area.max.x, area.min.y),
            ] {
                run.frame(corner, Vec2::ZERO);
            }
        }
    }
    run.settle();
}

#[test]
fn teleporting_decides_as_brute_force_does_in_and_out_of_the_world() {
    let mut run = Run::simulated(world(5_000, 1_000.0, 3), settings());
    let mut random = Pcg64Mcg::seed_from_u64(3);
    for jump in 0..120 {
        let reach = [1_000.0, 1_500.0, 1.0e6, 1.0e9][jump % 4];
        let to = Vec2::new(
            random.random_range(-reach..reach),
            random.random_range(-reach..reach),
        );
        let velocity = Vec2::from_angle(jump as f32) * random.random_range(0.0..300.0);
        for _ in 0..random.random_range(1..12) {
            run.frame(to, velocity);
        }
    }
    run.settle();
    run.position = Vec2::new(50.0, 50.0);
    run.settle();
    assert!(run.count(State::Resident) > 50);
    assert!(run.streaming.statistics().cancelled > 50);
}

/// Swings around a point and checks that, once everything is there, nothing is loaded or released any more.
fn swing(reach: f32, look_ahead: bool) {
    let mut run = Run::simulated(world(5_000, 300.0, 4), settings());
    let at = |frame: u32| {
        let angle = frame as f32 * 0.05;
        let position = Vec2::new(120.0 + angle.sin() * reach, -80.0);
        let velocity = Vec2::new(angle.cos() * reach * 3.0, 0.0);
        (position, if look_ahead { velocity } else { Vec2::ZERO })
    };
    for frame in 0..800 {
        let (position, velocity) = at(frame);
        run.frame(position, velocity);
    }
    run.settle();
    let before = run.streaming.statistics().clone();
    for frame in 0..1_000 {
        let (position, velocity) = at(frame);
        run.frame(position, velocity);
        assert!(run.streaming.is_settled());
    }
    let after = run.streaming.statistics();
    assert_eq!(before.queued, after.queued);
    assert_eq!(before.released, after.released);
}

#[test]
fn oscillating_within_the_margin_changes_nothing() {
    swing(settings().margin * 0.49, false);
    // Looking ahead takes up to half of the margin.
    swing(settings().margin * 0.24, true);
}

#[test]
fn the_same_path_gives_the_same_run() {
    let run = || {
        let mut run = Run::simulated(world(2_000, 500.0, 5), settings());
        run.walk(Vec2::new(300.0, 100.0), 60.0);
        run.walk(Vec2::new(-300.0, 50.0), 200.0);
        let sums = run.streaming.statistics();
        let figures = [
            sums.loaded,
            sums.cancelled,
            sums.late_loads,
            sums.loaded_bytes,
            sums.wasted_bytes,
        ];
        (figures, run.streaming.states().to_vec())
    };
    assert_eq!(run(), run());
}

#[test]
fn every_index_decides_the_same() {
    let run = |index| {
        let settings = Settings {
            index,
            ..settings()
        };
        let mut run = Run::simulated(world(5_000, 500.0, 10), settings);
        let mut tests = 0;
        run.walk(Vec2::new(200.0, 100.0), 30.0);
        for to in [
            Vec2::new(-300.0, 50.0),
            Vec2::splat(1.0e6),
            Vec2::splat(50.0),
        ] {
            run.frame(to, Vec2::ZERO);
            run.walk(to + Vec2::new(60.0, 0.0), 20.0);
            tests += run.streaming.tests().unload;
        }
        run.settle();
        run.walk(Vec2::new(0.0, -100.0), 120.0);
        run.streaming.validate().unwrap();
        let sums = run.streaming.statistics();
        let figures = [
            sums.queued,
            sums.loaded,
            sums.cancelled,
            sums.released,
            sums.loaded_bytes,
            sums.wasted_bytes,
        ];
        (tests, figures, run.streaming.states().to_vec())
    };
    let two = run(Index::TwoTrees);
    let dual = run(Index::Dual);
    let whole = run(Index::WholeUnloadTree);
    let brute = run(Index::BruteForce);
    for other in [&dual, &whole, &brute] {
        assert_eq!((&two.1, &two.2), (&other.1, &other.2));
    }
    // What QuadTreeB over all objects is known for.
    assert!(whole.0 > 20 * two.0.max(dual.0));
}

#[test]
fn the_index_may_be_changed_on_the_way() {
    let mut run = Run::simulated(world(2_000, 300.0, 11), settings());
    for (round, index) in Index::ALL.into_iter().cycle().take(9).enumerate() {
        run.streaming.set_settings(Settings {
            index,
            ..settings()
        });
        run.streaming.validate().unwrap();
        run.walk(
            Vec2::from_angle(round as f32 * 2.4) * 200.0,
            if round % 2 == 0 { 40.0 } else { 200.0 },
        );
        run.streaming.validate().unwrap();
    }
    run.settle();
}

/// Objects of one weight, so that what fits is decided by need alone.
fn even_world(count: usize, half_side: f32, seed: u64) -> Vec<WorldObject> {
    let mut objects = world(count, half_side, seed);
    for object in &mut objects {
        object.bytes = 10_000;
    }
    objects
}

/// How far the character is from needing an object.
fn gap<L: Loader>(streaming: &Streaming<L>, object: u32) -> f32 {
    let need = streaming.object(object).rectangles().need;
    need.distance_sq(streaming.position()).sqrt()
}

#[test]
fn under_a_memory_cap_what_is_needed_most_is_there_and_nothing_thrashes() {
    let capped = Settings {
        memory_cap: 600_000,
        ..settings()
    };
    let mut run = Run::simulated(even_world(5_000, 300.0, 20), capped);
    let stand = |run: &mut Run<SimulatedLoader>, frames: u32| {
        for _ in 0..frames {
            run.frame(run.position, Vec2::ZERO);
            assert!(run.streaming.amounts().held_bytes <= capped.memory_cap);
        }
    };
    for (to, speed) in [
        (Vec2::new(100.0, 20.0), 6.0),
        (Vec2::new(-250.0, 150.0), 60.0),
        (Vec2::new(0.0, -50.0), 30.0),
    ] {
        run.walk(to, speed);
        stand(&mut run, 300);
        assert!(run.streaming.bound().memory);
        run.streaming.validate().unwrap();
        let in_state = |wanted: State| {
            (0..)
                .zip(run.streaming.states())
                .filter(move |(_, state)| **state == wanted)
                .map(|(object, _)| gap(&run.streaming, object))
        };
        assert_eq!(run.count(State::Resident), 60);
        let furthest = in_state(State::Resident).fold(0.0, f32::max);
        let nearest = in_state(State::Queued).fold(f32::INFINITY, f32::min);
        assert!(
            furthest <= nearest + capped.margin * 0.5,
            "{furthest} m from need while {nearest} m from need waits"
        );

        // Standing, and to and fro within a quarter of the margin: nobody comes, nobody goes.
        let here = run.position;
        let swing = |run: &mut Run<SimulatedLoader>| {
            for frame in 0..300 {
                let way = (frame as f32 * 0.2).sin() * capped.margin * 0.12;
                run.frame(here + Vec2::new(way, 0.0), Vec2::ZERO);
            }
            run.frame(here, Vec2::ZERO);
        };
        swing(&mut run);
        let before = run.streaming.statistics().clone();
        swing(&mut run);
        let after = run.streaming.statistics();
        assert_eq!(before.loaded, after.loaded);
        assert_eq!(before.evicted, after.evicted);
    }
    let sums = run.streaming.statistics();
    assert!(sums.evicted > 50 && sums.memory_bound_updates > 500);
    assert_eq!(sums.peak_held_bytes, capped.memory_cap);
    let queued = run.streaming.queue()[0].object;
    let why = run.streaming.object(queued).why().join("\n");
    assert!(why.contains("The memory cap of 600 kB"), "{why}");

    // With room again, everything is as it should be.
    run.streaming.set_settings(settings());
    run.settle();
    assert!(!run.streaming.bound().memory);
}

#[test]
fn what_is_uploaded_does_not_depend_on_how_often_the_caller_comes() {
    let few = Settings {
        uploads_per_update: 2,
        unloads_per_update: 1,
        mbps: 0.0,
        latency_ms: 0.0,
        ..settings()
    };
    let after = |looks_every: u32| {
        let loader = SimulatedLoader::default();
        let mut streaming = Streaming::new(even_world(5_000, 100.0, 20), assets(), few, loader);
        for update in 1..=320 {
            // There, and away from it all.
            let position = if update <= 160 { Vec2::ZERO } else { FAR };
            streaming.update(f64::from(update) * FRAME, position, Vec2::ZERO);
            if update % looks_every == 0 {
                serve(&mut streaming);
            }
        }
        let sums = streaming.statistics();
        (sums.loaded, sums.released)
    };
    let (loaded, released) = after(1);
    assert!(loaded > 200 && released > 150, "{loaded} and {released}");
    for looks_every in [2, 4, 16] {
        let other = after(looks_every);
        // The first update has nothing to upload yet.
        assert!(
            other.0.abs_diff(loaded) <= 2,
            "{other:?}, every {looks_every}"
        );
        assert!(
            other.1.abs_diff(released) <= 2,
            "{other:?}, every {looks_every}"
        );
    }
}

#[test]
fn only_what_is_outside_its_load_rectangle_goes_while_that_is_enough() {
    let wide = Settings {
        margin: 100.0,
        ..settings()
    };
    let mut free = Run::simulated(even_world(5_000, 300.0, 21), wide);
    free.walk(Vec2::new(200.0, 0.0), 30.0);
    let all = free.streaming.statistics().peak_held_bytes;
    let needed = |run: &Run<SimulatedLoader>| {
        let inside = |object: u32| {
            run.streaming
                .object(object)
                .rectangles()
                .load
                .contains(run.position)
        };
        (0..5_000).filter(|object| inside(*object)).count() as u64 * 10_000
    };
    let cap = needed(&free) * 3 / 2;
    assert!(cap < all * 2 / 3);
    let mut run = Run::simulated(
        even_world(5_000, 300.0, 21),
        Settings {
            memory_cap: cap,
            ..wide
        },
    );
    run.walk(Vec2::new(200.0, 0.0), 30.0);
    let (sums, free) = (run.streaming.statistics(), free.streaming.statistics());
    assert!(sums.evicted > 50, "{} evicted", sums.evicted);
    assert!(sums.peak_held_bytes <= cap);
    // Who was evicted had been left behind and is not asked for again.
    assert_eq!(
        (sums.late_loads, sums.queued),
        (free.late_loads, free.queued)
    );
    run.settle();
}

#[test]
fn a_lowered_cap_holds_and_what_is_larger_than_it_fails_with_its_sentence() {
    let mut objects = even_world(1_000, 60.0, 22);
    objects[0].center = Vec2::ZERO;
    objects[0].bytes = 150_000;
    let mut run = Run::simulated(objects, settings());
    run.settle();
    assert!(run.streaming.amounts().held_bytes > 1_000_000);
    run.streaming.set_settings(Settings {
        memory_cap: 100_000,
        ..settings()
    });
    for _ in 0..200 {
        run.frame(run.position, Vec2::ZERO);
    }
    assert!(run.streaming.amounts().held_bytes <= 100_000);
    assert_eq!(run.count(State::Resident), 10);
    let (object, failure) = run.streaming.failures().next().unwrap();
    assert_eq!(object, 0);
    let words = " 0 takes 150 kB, but the memory cap is 100 kB";
    assert!(failure.sentence.ends_with(words), "{}", failure.sentence);
    run.streaming.set_settings(settings());
    for _ in 0..600 {
        run.frame(run.position, Vec2::ZERO);
    }
    run.settle();
    assert_eq!(run.streaming.states()[0], State::Resident);
}

#[test]
fn on_a_slow_disk_loads_are_late_in_the_order_of_need() {
    let slow = Settings {
        mbps: 0.2,
        ..settings()
    };
    let mut run = Run::simulated(even_world(5_000, 300.0, 23), slow);
    run.position = Vec2::new(-300.0, -90.0);
    run.settle();
    for step in 0..600 {
        let started = run.streaming.amounts().requests_in_flight;
        run.frame(
            Vec2::new(step as f32 - 300.0, step as f32 * 0.3 - 90.0),
            Vec2::new(60.0, 18.0),
        );
        let queue = run.streaming.queue();
        assert!(queue.is_sorted_by(|a, b| a.time_to_need <= b.time_to_need));
        assert!(run.streaming.bound().requests || queue.is_empty());
        assert!(started <= slow.requests_in_flight);
    }
    let sums = run.streaming.statistics();
    assert!(sums.late_loads > 10);
    // What was given up on its way cost no more than what was in flight.
    assert!(sums.wasted_bytes < sums.loaded_bytes / 2);
    run.settle();
}

#[test]
fn a_lead_that_fits_the_speed_leaves_nothing_late() {
    let fast = Settings {
        mbps: 200.0,
        ..settings()
    };
    let mut run = Run::simulated(world(5_000, 1_000.0, 6), fast);
    run.settle();
    assert!(run.streaming.statistics().sudden_loads > 0);
    run.walk(Vec2::new(400.0, 300.0), 30.0);
    let sums = run.streaming.statistics();
    assert_eq!(sums.late_loads, 0);
    assert!(sums.time_to_visible_ms.percentile(0.99).unwrap() < 1_000.0);

    // On a disk that is far too slow, loads are late, each says so while it waits and when it is there, and nothing is lost.
    run.streaming.set_settings(Settings { mbps: 0.1, ..fast });
    let says = |run: &Run<SimulatedLoader>, state: State, words: [&str; 2]| {
        let states = run.streaming.states().iter().enumerate();
        let mut of_it = states.filter(|(_, it)| **it == state);
        of_it.any(|(object, _)| {
            let why = run.streaming.object(object as u32).why().join(" ");
            words.iter().all(|it| why.contains(it))
        })
    };
    let mut was_said = false;
    let (from, to) = (run.position, Vec2::new(-400.0, 300.0));
    for step in 1..=100 {
        run.walk(from + (to - from) * (step as f32 / 100.0), 60.0);
        was_said |= says(
            &run,
            State::Queued,
            [
                "late by now: needed at",
                "the disk was busy with what came before it. A quicker one or smaller files",
            ],
        );
    }
    assert!(was_said);
    assert!(run.streaming.statistics().late_loads > 0);
    run.streaming.set_settings(fast);
    run.settle();
    assert!(says(&run, State::Resident, ["late: needed at", "went by"]));
    assert!(says(
        &run,
        State::Resident,
        ["It came", "has not been needed yet"]
    ));
    let lateness = &run.streaming.statistics().lateness_ms;
    assert!(lateness.percentile(0.5).unwrap() > 0.0);
}

#[test]
fn changed_rectangles_take_effect() {
    let mut run = Run::simulated(world(5_000, 1_000.0, 7), settings());
    run.settle();
    let before = run.count(State::Resident);
    run.streaming.set_settings(Settings {
        lead: 60.0,
        ..settings()
    });
    run.settle();
    assert!(run.count(State::Resident) > before);
    run.streaming.set_settings(Settings {
        lead: 0.0,
        need_min: 1.0,
        need_max: 1.0,
        margin: 0.0,
        ..settings()
    });
    run.settle();
    assert!(run.count(State::Resident) < before);
}

#[test]
fn what_fails_comes_back_when_its_file_does() {
    let mut run = Run::simulated(world(5_000, 300.0, 8), settings());
    run.streaming.loader_mut().set_missing(3, true);
    run.settle();
    let failed = run.count(State::Failed);
    assert!(failed > 2);
    for (object, state) in run.streaming.objects().iter().zip(run.streaming.states()) {
        let is_missing = object.asset == 3;
        assert!(*state != State::Resident || !is_missing);
        assert!(*state != State::Failed || is_missing);
    }
    let (object, failure) = run.streaming.failures().next().unwrap();
    assert_eq!(failure.sentence, "asset_3.png: there is no such file");
    let why = run.streaming.object(object).why().join("\n");
    assert!(why.contains("there is no such file"), "{why}");

    // Away and back: the wait is not cut short.
    let attempts = run.streaming.statistics().failed;
    let here = run.position;
    for _ in 0..5 {
        run.frame(Vec2::splat(5_000.0), Vec2::ZERO);
        run.frame(here, Vec2::ZERO);
    }
    assert!(run.streaming.statistics().failed <= attempts + u64::from(failed));

    run.streaming.loader_mut().set_missing(3, false);
    for _ in 0..(10.0 / FRAME) as u32 {
        run.frame(here, Vec2::ZERO);
    }
    run.settle();
    assert_eq!(run.count(State::Failed), 0);
    assert_eq!(run.streaming.failures().count(), 0);
}

#[test]
fn an_object_without_an_asset_fails_with_its_sentence() {
    let mut objects = world(2, 1.0, 9);
    objects[0].center = Vec2::ZERO;
    objects[0].asset = 99;
    let mut run = Run::simulated(objects, settings());
    run.settle();
    assert_eq!(run.streaming.states(), [State::Failed, State::Resident]);
    let (_, failure) = run.streaming.failures().next().unwrap();
    assert_eq!(
        failure.sentence,
        "object 0 has asset 99, but the world has only 16 assets"
    );
}

/// Answers when it is told to, and never hears a cancellation.
#[derive(Default)]
struct StubbornLoader {
    taken: Vec<Ticket>,
    release: bool,
    /// Whether it gives up what it is asked for instead.
    gives_back: bool,
}

impl Loader for StubbornLoader {
    fn start(&mut self, request: Request, _: f64) -> bool {
        self.taken.push(request.ticket);
        true
    }
    fn cancel(&mut self, _: Ticket) {}
    fn poll(&mut self, _: f64, completions: &mut Vec<Completion>) {
        if self.release {
            completions.extend(self.taken.drain(..).map(|ticket| Completion {
                ticket,
                bytes: 10,
                outcome: if self.gives_back {
                    Outcome::Cancelled
                } else {
                    Outcome::Loaded(Arc::new(Image {
                        width: 1,
                        height: 1,
                        rgba: vec![0; 4],
                    }))
                },
            }));
        }
    }
    fn progress(&self, _: Ticket) -> f32 {
        0.0
    }
    fn set_throttle(&mut self, _: Throttle) {}
}

const FAR: Vec2 = Vec2::new(1_000.0, 0.0);

fn objects_of_assets(assets: std::ops::Range<u32>) -> Vec<WorldObject> {
    assets
        .map(|asset| WorldObject {
            center: Vec2::ZERO,
            half_extent: Vec2::ONE,
            bytes: 100,
            asset,
        })
        .collect()
}

#[test]
fn a_completion_that_comes_too_late_is_dropped() {
    let loader = StubbornLoader::default();
    let mut run = Run::new(objects_of_assets(0..1), assets(), settings(), loader);
    run.frame(Vec2::ZERO, Vec2::ZERO);
    assert_eq!(run.streaming.states(), [State::Loading]);
    run.frame(FAR, Vec2::ZERO);
    assert_eq!(run.streaming.states(), [State::Unloaded]);
    assert!(!run.streaming.is_settled());
    // Asked for again while the old request is still on its way.
    run.frame(Vec2::ZERO, Vec2::ZERO);
    assert_eq!(run.streaming.states(), [State::Loading]);
    assert_eq!(run.streaming.amounts().requests_in_flight, 2);
    run.streaming.validate().unwrap();
    run.streaming.loader_mut().release = true;
    run.frame(Vec2::ZERO, Vec2::ZERO);
    assert_eq!(run.streaming.states(), [State::Resident]);
    let sums = run.streaming.statistics();
    assert_eq!((sums.dropped, sums.cancelled, sums.loaded), (1, 1, 1));
    assert_eq!((sums.loaded_bytes, sums.wasted_bytes), (20, 10));
    run.check_settled();
}

#[test]
fn what_the_loader_gives_back_is_asked_for_again_and_what_it_read_was_for_nothing() {
    let loader = StubbornLoader {
        release: true,
        gives_back: true,
        ..StubbornLoader::default()
    };
    let mut run = Run::new(objects_of_assets(0..1), assets(), settings(), loader);
    run.frame(Vec2::ZERO, Vec2::ZERO);
    for count in 1..=3 {
        run.frame(Vec2::ZERO, Vec2::ZERO);
        assert_eq!(run.streaming.states(), [State::Loading]);
        let sums = run.streaming.statistics();
        assert_eq!(sums.loaded_bytes, 10 * count);
        assert_eq!(sums.wasted_bytes, 10 * count);
        run.streaming.validate().unwrap();
    }
    run.streaming.loader_mut().gives_back = false;
    run.frame(Vec2::ZERO, Vec2::ZERO);
    assert_eq!(run.streaming.states(), [State::Resident]);
    let sums = run.streaming.statistics();
    assert_eq!((sums.loaded_bytes, sums.wasted_bytes), (40, 30));
    assert_eq!(
        (sums.queued, sums.loaded, sums.cancelled, sums.failed),
        (1, 1, 0, 0)
    );
}

#[test]
fn what_is_there_takes_what_its_objects_are_said_to_and_each_picture_once() {
    // The first two show one picture of ten pixels by twenty and take no more than that, the third takes a hundred bytes.
    let mut objects = objects_of_assets(0..3);
    objects[1].asset = 0;
    let mut run = Run::simulated(objects, settings());
    let picture = PictureSize {
        width: 10,
        height: 20,
    };
    let are_pictures = [true, true, false].as_slice();
    run.streaming = run.streaming.with_pictures(vec![picture], are_pictures);
    run.settle();
    assert_eq!(run.count(State::Resident), 3);
    assert_eq!(run.streaming.amounts().resident_bytes, 4 * 10 * 20 + 100);
    let peak = |run: &Run<_>| run.streaming.statistics().peak_resident_bytes;
    assert_eq!(peak(&run), 900);
    run.streaming.reset_statistics();
    assert_eq!(peak(&run), 900, "that is there now");
    run.frame(FAR, Vec2::ZERO);
    run.settle();
    assert_eq!(run.streaming.amounts().resident_bytes, 0);
    assert_eq!(peak(&run), 900);
    run.streaming.reset_statistics();
    assert_eq!(peak(&run), 0);
}

#[test]
fn nobody_is_looked_at_for_who_was_used_last_below_half_of_the_memory_cap() {
    // Ten objects take a thousand bytes.
    for (memory_cap, looked_at) in [(2_001, 0), (2_000, 10)] {
        let settings = Settings {
            memory_cap,
            ..settings()
        };
        let mut run = Run::simulated(objects_of_assets(0..10), settings);
        run.settle();
        assert_eq!(run.streaming.amounts().held_bytes, 1_000);
        run.frame(Vec2::ZERO, Vec2::ZERO);
        assert_eq!(run.streaming.tests().memory, looked_at);
    }
}

#[test]
fn what_is_in_the_callers_hands_waits_for_it() {
    let loader = StubbornLoader {
        release: true,
        ..StubbornLoader::default()
    };
    let mut streaming = Streaming::new(objects_of_assets(0..1), assets(), settings(), loader);
    streaming.update(0.0, Vec2::ZERO, Vec2::ZERO);
    streaming.update(0.1, Vec2::ZERO, Vec2::ZERO);
    assert_eq!(streaming.next_upload().map(|upload| upload.object), Some(0));
    assert!(streaming.next_upload().is_none());
    // The character leaves amid the upload.
    streaming.update(0.2, FAR, Vec2::ZERO);
    assert_eq!(streaming.states(), [State::Decoded]);
    streaming.uploaded(0);
    assert_eq!(streaming.states(), [State::Resident]);
    streaming.update(0.3, FAR, Vec2::ZERO);
    assert_eq!(streaming.states(), [State::Unloading]);
    // It returns before the release: nothing has to be loaded.
    streaming.update(0.4, Vec2::ZERO, Vec2::ZERO);
    assert_eq!(streaming.states(), [State::Resident]);
    assert_eq!(streaming.next_unload(), None);
    // It returns amid the release.
    streaming.update(0.5, FAR, Vec2::ZERO);
    assert_eq!(streaming.next_unload(), Some(0));
    streaming.update(0.6, Vec2::ZERO, Vec2::ZERO);
    assert_eq!(streaming.states(), [State::Unloading]);
    streaming.validate().unwrap();
    streaming.unloaded(0);
    assert_eq!(streaming.states(), [State::Unloaded]);
    streaming.update(0.7, Vec2::ZERO, Vec2::ZERO);
    assert_eq!(streaming.states(), [State::Loading]);
    // Words out of turn change nothing.
    streaming.uploaded(0);
    streaming.unloaded(0);
    streaming.uploaded(7);
    streaming.unloaded(7);
    streaming.upload_refused(0, "");
    assert_eq!(streaming.states(), [State::Loading]);
    streaming.update(0.8, Vec2::ZERO, Vec2::ZERO);
    assert!(streaming.next_upload().is_some());
    streaming.upload_refused(0, "the atlas is full");
    assert_eq!(streaming.states(), [State::Failed]);
    assert!(
        streaming
            .object(0)
            .why()
            .join(" ")
            .contains("the atlas is full")
    );
    streaming.validate().unwrap();
}

#[test]
fn the_decision_that_is_traced_is_the_one_that_is_taken() {
    let mut run = Run::simulated(world(5_000, 1_000.0, 10), settings());
    run.settle();
    run.frame(Vec2::new(30.0, 10.0), Vec2::ZERO);
    assert_ne!(*run.streaming.decisions(), Decisions::default());
    let mut found = Decisions::default();
    run.streaming.trees().decide(&mut (), &mut (), &mut found);
    assert_eq!(found, Decisions::default(), "what was decided is done");
}

/// A folder with a small PNG file for each asset.
fn pictures() -> (tempfile::TempDir, Vec<PathBuf>) {
    let folder = tempfile::tempdir().unwrap();
    let paths: Vec<PathBuf> = assets()
        .into_iter()
        .map(|name| folder.path().join(name))
        .collect();
    for (asset, path) in (0..).zip(&paths) {
        let side = 8 + u32::from(asset);
        image::RgbaImage::from_pixel(side, side, image::Rgba([asset, 0, 0, 255]))
            .save(path)
            .unwrap();
    }
    (folder, paths)
}

/// Settings under which nothing is tried again before the test says so, so that a world with bad files comes to rest.
fn patient() -> Settings {
    Settings {
        retry_seconds: 1_000.0,
        retry_max_seconds: 1_000.0,
        ..settings()
    }
}

/// Stands until the threads are done, for at most half a minute.
fn settle_with_threads(run: &mut Run<ThreadLoader>) {
    for _ in 0..30_000 {
        run.frame(run.position, Vec2::ZERO);
        if run.streaming.is_settled() {
            return run.check_settled();
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    panic!("it never settles: {:?}", run.streaming.amounts().counts);
}

#[test]
fn real_threads_and_files_decide_as_brute_force_does() {
    let (_folder, paths) = pictures();
    let unthrottled = Settings {
        mbps: 0.0,
        latency_ms: 0.0,
        ..settings()
    };
    let loader = ThreadLoader::new(2).unwrap();
    let mut run = Run::new(world(5_000, 300.0, 11), paths, unthrottled, loader);
    settle_with_threads(&mut run);
    run.walk(Vec2::new(200.0, 100.0), 60.0);
    run.walk(Vec2::new(-100.0, 100.0), 300.0);
    settle_with_threads(&mut run);
    assert!(run.count(State::Resident) > 20);
    assert!(run.streaming.statistics().loaded_bytes > 0);
    run.position = Vec2::splat(1.0e6);
    settle_with_threads(&mut run);
    assert_eq!(run.count(State::Unloaded), 5_000);
    assert_eq!(run.streaming.amounts().resident_bytes, 0);
}

/// Goes away, and checks that nothing stays behind.
fn leave<L: Loader>(run: &mut Run<L>, mut settle: impl FnMut(&mut Run<L>)) {
    run.position = Vec2::splat(1.0e6);
    settle(run);
    let all = run.streaming.objects().len() as u32;
    assert_eq!(run.count(State::Unloaded), all);
    assert_eq!(run.streaming.amounts().resident_bytes, 0);
    assert_eq!(run.streaming.amounts().held_bytes, 0);
    assert_eq!(run.streaming.amounts().requests_in_flight, 0);
    assert!(run.streaming.queue().is_empty());
    let sums = run.streaming.statistics();
    assert_eq!(sums.queued, sums.loaded + sums.cancelled + sums.failed);
    assert_eq!(sums.loaded, sums.released);
}

#[test]
fn no_fault_of_files_and_disk_leaks_or_loses_anything() {
    let mut run = Run::simulated(
        world(5_000, 300.0, 30),
        Settings {
            retry_seconds: 0.1,
            retry_max_seconds: 0.4,
            memory_cap: 4_000_000,
            ..settings()
        },
    );
    let normal = *run.streaming.settings();
    let mut random = Pcg64Mcg::seed_from_u64(30);
    for leg in 0..40 {
        // Files go and come back, the disk stalls, memory gets short, and the character is anywhere.
        let asset = random.random_range(0..ASSETS);
        let missing = random.random_bool(0.5);
        run.streaming.loader_mut().set_missing(asset, missing);
        run.streaming.set_settings(Settings {
            mbps: [20.0, 0.05, 200.0][leg % 3],
            latency_ms: [8.0, 700.0, 0.0][leg % 3],
            memory_cap: [4_000_000, 500_000][leg / 3 % 2],
            ..normal
        });
        if leg % 7 == 6 {
            run.position = Vec2::new(
                random.random_range(-300.0..300.0),
                random.random_range(-300.0..300.0),
            );
        }
        let to = run.position + Vec2::from_angle(leg as f32) * 60.0;
        run.walk(to, if leg % 2 == 0 { 30.0 } else { 150.0 });
        run.streaming.validate().unwrap();
    }
    let sums = run.streaming.statistics();
    assert!(sums.failed > 10 && sums.cancelled > 10 && sums.evicted > 10);

    for asset in 0..ASSETS {
        run.streaming.loader_mut().set_missing(asset, false);
    }
    run.streaming.set_settings(Settings {
        memory_cap: 1 << 30,
        ..normal
    });
    run.position = Vec2::ZERO;
    for _ in 0..60 {
        run.frame(Vec2::ZERO, Vec2::ZERO);
    }
    run.settle();
    assert!(run.count(State::Resident) > 20);
    assert_eq!(run.count(State::Failed), 0);
    leave(&mut run, Run::settle);
}

#[test]
fn real_files_may_go_and_come_back_while_the_character_moves() {
    let (_folder, paths) = pictures();
    let whole: Vec<Vec<u8>> = paths
        .iter()
        .map(|path| std::fs::read(path).unwrap())
        .collect();
    let impatient = Settings {
        mbps: 0.5,
        latency_ms: 2.0,
        retry_seconds: 0.02,
        retry_max_seconds: 0.05,
        ..settings()
    };
    let loader = ThreadLoader::new(2).unwrap();
    let mut run = Run::new(world(5_000, 300.0, 31), paths.clone(), impatient, loader);
    for leg in 0..6 {
        for (number, (path, whole)) in paths.iter().zip(&whole).enumerate() {
            match (number + leg) % 4 {
                0 => std::fs::remove_file(path).unwrap_or_default(),
                1 => std::fs::write(path, &whole[..whole.len() / 2]).unwrap(),
                _ => std::fs::write(path, whole).unwrap(),
            }
        }
        let way = Vec2::from_angle(leg as f32 * 2.0) * 40.0;
        let from = run.position;
        for step in 1..=80 {
            run.frame(from + way * (step as f32 / 80.0), way * 0.75);
            std::thread::sleep(Duration::from_millis(1));
        }
    }
    assert!(run.streaming.statistics().failed > 0);
    assert!(run.streaming.statistics().loaded > 0);

    for (path, whole) in paths.iter().zip(&whole) {
        std::fs::write(path, whole).unwrap();
    }
    for _ in 0..30_000 {
        settle_with_threads(&mut run);
        if run.count(State::Failed) == 0 {
            break;
        }
    }
    assert_eq!(run.count(State::Failed), 0);
    assert!(run.count(State::Resident) > 20);
    leave(&mut run, settle_with_threads);
}

#[test]
fn a_scenes_objects_know_how_large_their_files_are() {
    let (_folder, mut paths) = pictures();
    paths[1] = PathBuf::from("nowhere.png");
    let sizes = byte_sizes(&paths[..2]);
    assert_eq!(sizes[0], std::fs::metadata(&paths[0]).unwrap().len());
    assert_eq!(sizes[1], 0);
    let object = |asset| generate::WorldObject {
        center: FAR,
        half_extent: Vec2::ONE,
        asset,
        bytes: None,
    };
    let declared = generate::WorldObject {
        bytes: Some(123_456),
        ..object(0)
    };
    let generated = generate::WorldObjects {
        objects: vec![object(0), object(1), declared],
        assets: Vec::new(),
    };
    let objects = WorldObject::all_of(&generated, &sizes);
    assert_eq!((objects[0].bytes, objects[1].bytes), (sizes[0], 0));
    assert_eq!(objects[2].bytes, 123_456);
    assert_eq!((objects[1].center, objects[1].asset), (FAR, 1));
}

#[test]
fn the_first_bytes_of_its_file_say_how_large_a_picture_is() {
    let (folder, mut paths) = pictures();
    paths.truncate(2);
    let head = |width: u32, height: u32| {
        let magic = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".as_slice();
        [magic, &width.to_be_bytes(), &height.to_be_bytes()].concat()
    };
    for (name, bytes) in [
        ("cut off behind its size", head(640, 480)),
        ("cut off amid its size", head(640, 480)[..23].to_vec()),
        ("as wide as may be", head(4_096, 1)),
        ("too wide", head(4_097, 1)),
        ("too high", head(1, 4_097)),
        ("no picture", b"four score and seven years ago".to_vec()),
    ] {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        paths.push(path);
    }
    paths.push(folder.path().join("nowhere.png"));
    let sizes = picture_sizes(&paths);
    let sizes: Vec<_> = sizes.iter().map(|size| (size.width, size.height)).collect();
    let unknown = (0, 0);
    assert_eq!(
        sizes,
        [
            (8, 8),
            (9, 9),
            (640, 480),
            unknown,
            (4_096, 1),
            unknown,
            unknown,
            unknown,
            unknown
        ]
    );
}

#[test]
fn a_picture_arrives_with_the_pixels_of_its_file() {
    let (_folder, paths) = pictures();
    let loader = ThreadLoader::new(1).unwrap();
    let mut streaming = Streaming::new(objects_of_assets(5..6), paths, settings(), loader);
    let upload = (0..10_000)
        .find_map(|_| {
            streaming.update(0.0, Vec2::ZERO, Vec2::ZERO);
            std::thread::sleep(Duration::from_millis(1));
            streaming.next_upload()
        })
        .unwrap();
    assert_eq!((upload.object, upload.asset), (0, 5));
    assert_eq!((upload.image.width, upload.image.height), (13, 13));
    assert_eq!(upload.image.rgba, [5, 0, 0, 255].repeat(13 * 13));
}

#[test]
fn each_bad_file_gets_its_sentence_and_the_rest_goes_on() {
    let (_folder, paths) = pictures();
    let whole = std::fs::read(&paths[2]).unwrap();
    std::fs::remove_file(&paths[0]).unwrap();
    std::fs::write(&paths[1], "no picture at all").unwrap();
    std::fs::write(&paths[2], &whole[..whole.len() / 2]).unwrap();
    std::fs::write(&paths[3], "").unwrap();
    std::fs::remove_file(&paths[4]).unwrap();
    std::fs::create_dir(&paths[4]).unwrap();
    let mut run = Run::new(
        objects_of_assets(0..6),
        paths.clone(),
        patient(),
        ThreadLoader::new(2).unwrap(),
    );
    settle_with_threads(&mut run);
    assert_eq!(run.count(State::Failed), 5);
    assert_eq!(run.streaming.states()[5], State::Resident);
    let words = [
        "there is no such file",
        "this is not a PNG picture",
        "this is not a PNG picture",
        "this is not a PNG picture",
        "this is not a regular file",
    ];
    for ((object, failure), words) in run.streaming.failures().zip(words) {
        let path = paths[object as usize].display().to_string();
        assert!(failure.sentence.starts_with(&path), "{}", failure.sentence);
        assert!(failure.sentence.contains(words), "{}", failure.sentence);
        assert!(!failure.sentence.contains('\n'), "{}", failure.sentence);
    }

    // The files come back, and so do the objects.
    std::fs::remove_dir(&paths[4]).unwrap();
    for path in &paths[..5] {
        std::fs::write(path, &whole).unwrap();
    }
    run.now += 1_000.0;
    settle_with_threads(&mut run);
    assert_eq!(run.count(State::Resident), 6);
}

#[test]
fn a_file_cut_at_any_length_fails_and_nothing_else_happens() {
    let (_folder, paths) = pictures();
    let whole = std::fs::read(&paths[0]).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let cut: Vec<PathBuf> = (0..whole.len() as u32)
        .map(|length| folder.path().join(format!("{length}.png")))
        .collect();
    for (length, path) in cut.iter().enumerate() {
        std::fs::write(path, &whole[..length]).unwrap();
    }
    let mut run = Run::new(
        objects_of_assets(0..cut.len() as u32),
        cut,
        patient(),
        ThreadLoader::new(2).unwrap(),
    );
    settle_with_threads(&mut run);
    assert!(run.count(State::Failed) as usize > whole.len() / 2);
    let ended = run.count(State::Failed) + run.count(State::Resident);
    assert_eq!(ended as usize, whole.len());
}

#[test]
fn a_slow_loader_ends_at_once_when_it_is_dropped() {
    let (_folder, paths) = pictures();
    let slow = Settings {
        latency_ms: 3.0e6,
        ..settings()
    };
    let loader = ThreadLoader::new(3).unwrap();
    let mut streaming = Streaming::new(objects_of_assets(0..5), paths, slow, loader);
    streaming.update(0.0, Vec2::ZERO, Vec2::ZERO);
    assert_eq!(streaming.amounts().counts[State::Loading as usize], 5);
    let start = Instant::now();
    drop(streaming);
    assert!(start.elapsed() < Duration::from_secs(20));
}

#[test]
fn a_hundred_thousand_objects_take_few_tests_a_frame() {
    for index in [Index::TwoTrees, Index::Dual] {
        count_tests(index);
    }
}

fn count_tests(index: Index) {
    // As dense as one object on 10 × 10 m, with rectangles that hold hundreds.
    let objects = world(100_000, 1_580.0, 12);
    let count = objects.len() as u64;
    let fast = Settings {
        mbps: 200.0,
        index,
        ..Settings::default()
    };
    let mut streaming = Streaming::new(objects, assets(), fast, SimulatedLoader::default());
    println!("{}: {} bytes", index.key(), streaming.trees().byte_count());
    // At the beginning nothing is there to be unloaded: what there is is the tree by which objects are loaded.
    assert!((1 << 20..=16 << 20).contains(&streaming.trees().byte_count()));
    let bounds = Aabb::around(Vec2::ZERO, Vec2::splat(1_500.0));
    let mut now = 0.0;
    for speed in [6.0_f32, 60.0] {
        let mut samples = Vec::new();
        let mut position = Vec2::new(-500.0, 300.0);
        let mut velocity = Vec2::new(0.8, 0.6) * speed;
        for frame in 0..2_000 {
            now += FRAME;
            position += velocity * FRAME as f32;
            if !bounds.contains(position) {
                velocity = -velocity;
            }
            streaming.update(now, position, velocity);
            serve(&mut streaming);
            let tests = streaming.tests();
            if frame >= 200 {
                let both = tests.load + tests.unload;
                samples.push([both, tests.load, tests.unload, tests.need]);
            }
            if frame % 100 == 0 {
                check_against_brute_force(&streaming);
            }
        }
        let at = |column: usize, share: f64| {
            let mut values: Vec<u64> = samples.iter().map(|sample| sample[column]).collect();
            values.sort_unstable();
            values[((values.len() - 1) as f64 * share) as usize]
        };
        println!(
            "{speed} m/s: tests p50 {} p99 {} (load {}, unload {}; need {}), {} resident, {} late",
            at(0, 0.5),
            at(0, 0.99),
            at(1, 0.99),
            at(2, 0.99),
            at(3, 0.99),
            streaming.amounts().counts[State::Resident as usize],
            streaming.statistics().late_loads,
        );
        assert!(at(0, 0.99) * 50 < count);
    }
    streaming.validate().unwrap();
}

fn check_against_brute_force<L: Loader>(streaming: &Streaming<L>) {
    let mut found = Decisions::default();
    streaming.trees().decide(&mut (), &mut (), &mut found);
    let truth = decisions_by_brute_force(
        streaming.objects(),
        streaming.states(),
        streaming.settings(),
        streaming.position(),
        streaming.way(),
    );
    assert_eq!(found, truth);
}

#[test]
fn who_is_there_goes_only_for_whom_it_is_more_than_half_a_margin_further_from_being_needed() {
    // Room for one of two; the margin is ten metres.
    let mut objects = objects_of_assets(0..2);
    objects[1].center = Vec2::new(30.0, 0.0);
    let room_for_one = Settings {
        memory_cap: 100,
        ..settings()
    };
    let mut run = Run::simulated(objects, room_for_one);
    let mut stand = |x: f32| {
        for _ in 0..60 {
            run.frame(Vec2::new(x, 0.0), Vec2::ZERO);
        }
        let gaps = [0, 1].map(|object| gap(&run.streaming, object));
        (gaps, run.streaming.states().to_vec())
    };
    let before = vec![State::Resident, State::Unloaded];
    assert_eq!(stand(-10.0), ([0.0, 24.0], before));
    let tie = vec![State::Resident, State::Queued];
    assert_eq!(stand(21.0), ([5.0, 0.0], tie));
    let after = vec![State::Queued, State::Resident];
    assert_eq!(stand(22.0), ([6.0, 0.0], after));
    assert_eq!(run.streaming.statistics().evicted, 1);
}

#[test]
fn a_picture_refused_after_the_figures_began_anew_was_queued_and_has_failed() {
    let mut run = Run::simulated(objects_of_assets(0..1), settings());
    run.settle();
    run.streaming.reset_statistics();
    run.streaming.upload_refused(0, "the atlas is full");
    assert_eq!(run.streaming.states(), [State::Failed]);
    let sums = run.streaming.statistics();
    assert_eq!((sums.queued, sums.loaded, sums.failed), (1, 0, 1));
    run.streaming.validate().unwrap();
}

#[test]
fn who_is_on_its_way_says_when_it_may_be_needed() {
    let loader = StubbornLoader::default();
    let mut run = Run::new(objects_of_assets(0..1), assets(), settings(), loader);
    let mut priority = |x: f32| {
        run.frame(Vec2::new(x, 0.0), Vec2::new(-5.0, 0.0));
        let why = run.streaming.object(0).why();
        let is_priority = |sentence: &&String| sentence.starts_with("It is on its way");
        why.iter().find(is_priority).cloned()
    };
    // The need rectangle ends at 16 metres.
    let soon = "It is on its way: it may be needed in 2.0 s, at the 5.0 m/s at which the character comes nearer.";
    let now = "It is on its way: it is needed now.";
    assert_eq!(priority(26.0).as_deref(), Some(soon));
    assert_eq!(priority(16.0).as_deref(), Some(now));
}
