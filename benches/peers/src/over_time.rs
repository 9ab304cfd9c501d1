//! A crowd that walks on: each step everybody moves, the grid is brought up to date, all pairs are given.
//!
//! Ours alone, on one thread and on several, by the clock on the wall: a step that others wait for is as long as its slowest
//! thread. The crowd is numbered strip by strip, as a battle of many units is: what lies side by side on the plane lies so in
//! memory.

use crate::options::Options;
use crate::run::median;
use crate::tally::{Light, Strong, Sum, Tally};
use crate::work::Question;
use crate::world::{Scene, World, word};
use skirmish::geometry::Vec2;
use skirmish::partition::structures::sorted_grid::SortedGrid;
use skirmish::partition::{Bodies, Change, Part, Partition};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::thread::scope;
use std::time::Instant;

/// So many steps are looked at, at the least.
const STEPS: usize = 18;

/// And so many until the fastest have gone so far, in metres, along an axis: who walks slowly is sorted anew seldom, and that is part of
/// what a step takes.
const WAY: f32 = 1.2;

/// But never more than so many.
const MOST_STEPS: usize = 120;

/// How high a strip is in which the crowd is numbered.
const STRIP: f32 = 2.0;

/// Into so many shares the pairs are dealt for each thread.
const SHARES_A_THREAD: usize = 8;

/// What a grid is set to.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Setting {
    /// In reaches; 0 is `auto`.
    cell: f64,
    /// In cells.
    skin: f64,
}

impl Setting {
    fn words(self) -> String {
        let cell = match self.cell {
            0.0 => "cells auto".to_owned(),
            reaches => format!("cells of {reaches} reaches"),
        };
        match self.skin {
            0.0 => format!("{cell}, sorted anew each step"),
            skin => format!("{cell}, skin {skin}"),
        }
    }
}

/// A crowd of its own for each variant, so that all make the same steps.
struct Walk<'w> {
    world: &'w World,
    centers: Vec<Vec2>,
    grid: SortedGrid,
    changes: Vec<Change>,
    threads: usize,
}

impl<'w> Walk<'w> {
    fn new(world: &'w World, setting: Setting, threads: usize) -> Self {
        let mut grid = SortedGrid::new(world.field);
        let mut set = |key: &str, value: f64| {
            let knob = SortedGrid::INFO.knob_index(key);
            grid.set_knob(knob.expect("a knob of the sorted grid"), value);
        };
        if setting.cell > 0.0 {
            // Slack for rounding, or a pair may be two cells apart.
            set("cell_size", setting.cell * f64::from(world.reach) * 1.0005);
        }
        set("skin", setting.skin);
        grid.use_threads(threads);
        grid.expect(world.reach);
        let centers = world.centers.clone();
        grid.rebuild(Bodies::points(&centers), &mut ());
        Self {
            world,
            centers,
            grid,
            changes: (0..world.scene.units as u32).map(Change::Move).collect(),
            threads,
        }
    }

    /// One step. Gives how many milliseconds it took, and the pairs.
    fn step(&mut self) -> (f64, Sum) {
        let begin = Instant::now();
        let share = self.centers.len().div_ceil(self.threads).max(1);
        let velocities = self.world.velocities.chunks(share);
        let go = |(centers, velocities): (&mut [Vec2], &[Vec2])| {
            for (center, velocity) in centers.iter_mut().zip(velocities) {
                *center += *velocity;
            }
        };
        let mut shares = self.centers.chunks_mut(share).zip(velocities);
        let own = shares.next();
        scope(|scope| {
            for share in shares {
                scope.spawn(move || go(share));
            }
            own.map(go);
        });
        let bodies = Bodies::points(&self.centers);
        self.grid.apply(bodies, &self.changes, &mut ());
        let pairs = self.pairs::<Light>();
        (begin.elapsed().as_secs_f64() * 1e3, pairs)
    }

    fn pairs<T: Tally>(&self) -> Sum {
        let bodies = Bodies::points(&self.centers);
        let count = (self.threads * SHARES_A_THREAD) as u32;
        let next = AtomicU32::new(0);
        let work = || {
            let mut tally = T::default();
            loop {
                let index = next.fetch_add(1, Relaxed);
                if index >= count {
                    return tally.sum();
                }
                let part = Part { index, count };
                let reach = self.world.reach;
                self.grid
                    .pairs_part(bodies, reach, part, &mut (), |batch| tally.pairs(batch));
            }
        };
        let mut sum = Sum::default();
        scope(|scope| {
            let others: Vec<_> = (1..self.threads).map(|_| scope.spawn(work)).collect();
            sum += work();
            for other in others {
                sum += other.join().expect("nobody panics");
            }
        });
        sum
    }
}

/// What the steps of one round took, and what they found.
struct Course {
    milliseconds: Vec<f64>,
    found: Vec<Sum>,
}

fn course(world: &World, setting: Setting, threads: usize, steps: usize) -> Course {
    let mut walk = Walk::new(world, setting, threads);
    // The first one grows tables.
    walk.step();
    let (milliseconds, found) = (0..steps).map(|_| walk.step()).unzip();
    Course {
        milliseconds,
        found,
    }
}

/// How many steps are looked at.
fn steps_at(speed: f32) -> usize {
    // Who stands never gets there.
    ((WAY / speed).ceil() as usize).clamp(STEPS, MOST_STEPS)
}

/// Whether the pairs after all steps are those of the plain reference.
fn is_right(world: &mut World, setting: Setting, threads: usize, steps: usize) -> bool {
    let mut walk = Walk::new(world, setting, threads);
    for _ in 0..=steps {
        walk.step();
    }
    let (centers, found) = (walk.centers.clone(), walk.pairs::<Strong>());
    let at_first = std::mem::replace(&mut world.centers, centers);
    let right = crate::contest::Crowd::answer::<Strong>(world, Question::Pairs);
    world.centers = at_first;
    found == right
}

/// The quickest setting with or without a skin, on so many threads.
fn quickest(world: &World, has_skin: bool, threads: usize, steps: usize) -> Setting {
    let skins: &[f64] = if has_skin { &[0.25, 0.5, 1.0] } else { &[0.0] };
    let settings = [0.0, 1.0, 1.5, 2.0, 3.0]
        .into_iter()
        .flat_map(|cell| skins.iter().map(move |skin| Setting { cell, skin: *skin }));
    let mean = |setting| {
        let course = course(world, setting, threads, steps);
        course.milliseconds.iter().sum::<f64>() / steps as f64
    };
    settings
        .map(|setting| (mean(setting), setting))
        .min_by(|a, b| a.0.total_cmp(&b.0))
        .map_or(
            Setting {
                cell: 0.0,
                skin: 0.0,
            },
            |it| it.1,
        )
}

/// Measures all crowds that were asked for, and prints a table.
pub fn measure(options: &Options) {
    println!(
        "a step and all its pairs, ms on the wall; mean and worst of the steps, each the median of {} rounds",
        options.care().rounds
    );
    for scene in options.scenes() {
        let mut speeds = vec![options.speed, 0.02];
        speeds.dedup();
        for speed in speeds {
            let mut world = World::new(scene, speed);
            world.number_by_strips(STRIP);
            one_crowd(options, &mut world, speed);
        }
    }
}

fn one_crowd(options: &Options, world: &mut World, speed: f32) {
    let Scene {
        distribution,
        units,
        ..
    } = world.scene;
    let steps = steps_at(speed);
    let crowd = word(distribution);
    println!("\n{crowd} · {units} units · speed {speed} · {steps} steps");
    let mut variants = Vec::new();
    for threads in [1, 2] {
        for has_skin in [false, true] {
            let setting = quickest(world, has_skin, threads, steps);
            if !is_right(world, setting, threads, steps) {
                println!("  {threads} threads, {}: wrong answer", setting.words());
                continue;
            }
            variants.push((threads, setting, Vec::new()));
        }
    }
    for round in 0..options.care().rounds {
        // Each time another one begins.
        for turn in 0..variants.len() {
            let which = (turn + round) % variants.len();
            let (threads, setting, courses) = &mut variants[which];
            courses.push(course(world, *setting, *threads, steps));
        }
    }
    let first = variants.first().map(|it| it.2[0].found.clone());
    for (threads, setting, courses) in &variants {
        let of_step = |step: usize| {
            let mut times: Vec<f64> = courses.iter().map(|it| it.milliseconds[step]).collect();
            times.sort_by(f64::total_cmp);
            median(&times)
        };
        let times: Vec<f64> = (0..steps).map(of_step).collect();
        let mean = times.iter().sum::<f64>() / steps as f64;
        let worst = times.iter().copied().fold(0.0, f64::max);
        let differs = courses.iter().any(|it| Some(&it.found) != first.as_ref());
        println!(
            "  {threads} thread{}  mean {mean:6.2}  worst {worst:6.2}  {}{}",
            if *threads == 1 { " " } else { "s" },
            setting.words(),
            if differs { "  WRONG" } else { "" },
        );
    }
}
