//! Streaming without a window: a character goes along a path through a scene's world, and every figure of it is exact.
//!
//! Invariant: the clock is simulated, a sixtieth of a second an update, and so is the disk. No file is read but for its size, so
//! the same scene, path and options give the same report on every machine.

use crate::chance;
use crate::geometry::Vec2;
use crate::scene::{Path, PathKind, Scene};
use crate::story::words::bytes;
use crate::streaming::{Mover, Settings, SimulatedLoader, State, Tour, Traveller};
use crate::tick::STEP_SECONDS;
use serde_json::json;
use std::fmt;

/// How a world is streamed.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// Where the character goes.
    pub path: Path,
    /// How fast it goes where the path is to be walked, in m/s.
    pub speed: f32,
    /// For how long, in seconds; `None` for once along the path, but no longer than [`LONGEST_SECONDS`].
    pub seconds: Option<f64>,
    /// Rectangles, budgets and the speed of the disk.
    pub settings: Settings,
    /// Whether to keep where the character was and where it went at each step.
    pub record: bool,
}

/// How long a run without a given time may take, in seconds of its own clock.
pub const LONGEST_SECONDS: f64 = 3_600.0;

/// A world of up to this many objects compares its decisions with brute force at every update, a larger one at every tenth.
const CHECKED_EVERY_FRAME: usize = 10_000;

/// What came of it. Sums, percentiles and the hash are of the way alone; what is loaded before the character sets off counts
/// only as [`Report::start_ms`].
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// The scene's name.
    pub scene: String,
    /// The path's name.
    pub path: String,
    /// Whether that is gone along as it was recorded, whatever the speed.
    pub is_recorded: bool,
    /// Objects in the world.
    pub objects: usize,
    /// The key of the structure that decided.
    pub index: &'static str,
    /// Updates on the way.
    pub frames: u64,
    /// The character's speed, in m/s.
    pub speed: f32,
    /// The disk's speed, in 10⁶ bytes a second; 0 for no limit.
    pub mbps: f32,
    /// The disk's latency, in milliseconds.
    pub latency_ms: f32,
    /// How long the character stood at the start until everything was there, in milliseconds.
    pub start_ms: f64,
    /// How often it was teleported.
    pub jumps: u64,
    /// The longest time from a teleport until everything that is needed there was there, in milliseconds.
    pub jump_ready_ms_max: f64,
    /// Objects that came to be needed.
    pub needed: u64,
    /// Of those the ones that were not there, although the character came by their load rectangle.
    pub late: u64,
    /// The most objects that were needed and not there at once.
    pub missing_max: u32,
    /// From being needed to being there, of the late ones, in milliseconds; 0 when there is none.
    pub late_ms_p50: f32,
    /// The same, within which 99 of 100 keep.
    pub late_ms_p99: f32,
    /// From being asked for to being there, in milliseconds; 0 when nothing was loaded.
    pub time_to_visible_ms_p50: f32,
    /// The same, within which 99 of 100 keep.
    pub time_to_visible_ms_p99: f32,
    /// Rectangle tests of an update that found what to load: the median, and what 99 of 100 keep within.
    pub load_tests: [u64; 2],
    /// Rectangle tests of an update that found what to unload.
    pub unload_tests: [u64; 2],
    /// Rectangle tests of an update, both together.
    pub tests: [u64; 2],
    /// Rectangle tests of an update by brute force.
    pub brute_force_tests: u64,
    /// Rectangle tests of an update for priorities and figures, which no tree can save: see `FrameTests::need`.
    pub need_tests_p99: u64,
    /// Loads that ended with a picture.
    pub loaded: u64,
    /// Bytes read.
    pub loaded_bytes: u64,
    /// Of those the ones read for nothing.
    pub wasted_bytes: u64,
    /// Loads given up on their way.
    pub cancelled: u64,
    /// Loads that failed.
    pub failed: u64,
    /// Objects that had to go because of the memory cap.
    pub evicted: u64,
    /// Updates in which the memory cap kept something waiting.
    pub memory_bound_frames: u64,
    /// Objects released.
    pub released: u64,
    /// The most bytes that were there at once.
    pub peak_resident_bytes: u64,
    /// The most bytes that were there and on their way at once, which the memory cap is about.
    pub peak_held_bytes: u64,
    /// The memory cap.
    pub memory_cap: u64,
    /// The bytes of the trees.
    pub tree_bytes: usize,
    /// Updates whose decisions were compared with brute force.
    pub checked_frames: u64,
    /// Whether all of those were the same.
    pub matches_brute_force: bool,
    /// The fingerprint of everything that was decided, update by update, and of the states at the end.
    pub hash: u64,
    /// Where the character was, in metres, and where it went, in m/s, at each step, if that was asked for:
    /// [`recorded`](crate::streaming::recorded) makes a path of it.
    pub recording: Vec<(Vec2, Vec2)>,
}

/// Streams the scene's world, whose pictures are named relative to `folder`, around a character on its way.
pub fn run(scene: &Scene, folder: &std::path::Path, options: &Options) -> Report {
    let mut tour = opened(scene, folder, options.settings);
    set_off(&mut tour, &options.path, options.speed);
    let start_ms = tour.now() * 1.0e3;
    let mut run = Run::new(tour);
    run.go(options);
    run.report(scene, options, start_ms)
}

/// The scene's world on a simulated disk, which knows of the pictures only how large their files are.
pub(super) fn opened(
    scene: &Scene,
    folder: &std::path::Path,
    settings: Settings,
) -> Tour<SimulatedLoader> {
    let mut tour = Tour::with_loader(scene, folder, settings, |sizes| {
        let mut loader = SimulatedLoader::default();
        for (asset, _) in (0..).zip(sizes).filter(|(_, size)| **size == 0) {
            loader.set_missing(asset, true);
        }
        loader
    });
    tour.set_watched(false);
    tour
}

/// Lets the character stand at the start of a path until everything around it is there, as behind the curtain of a game that
/// starts, and sends it off.
pub(super) fn set_off(tour: &mut Tour<SimulatedLoader>, path: &Path, speed: f32) {
    tour.character_mut().set_speed(speed);
    let place = tour.character_mut().add_path(path.clone());
    tour.character_mut()
        .teleport(path.points.first().copied().unwrap_or_default());
    loop {
        tour.tick();
        if tour.streaming().is_ready() {
            break;
        }
    }
    tour.reset_statistics();
    tour.character_mut().follow(Mover::Path(place));
}

/// A character on its way, and what is noted of it.
struct Run {
    tour: Tour<SimulatedLoader>,
    /// Tests to load, to unload and for priorities, an update each.
    tests: Vec<[u64; 3]>,
    hash: u64,
    frames: u64,
    checked_frames: u64,
    missing_max: u32,
    jumps: u64,
    /// When the last teleport was, while not everything is there since.
    jumped_at: Option<f64>,
    jump_ready_ms_max: f64,
    recording: Vec<(Vec2, Vec2)>,
}

impl Run {
    fn new(tour: Tour<SimulatedLoader>) -> Self {
        Self {
            tour,
            tests: Vec::new(),
            hash: 0,
            frames: 0,
            checked_frames: 0,
            missing_max: 0,
            jumps: 0,
            jumped_at: None,
            jump_ready_ms_max: 0.0,
            recording: Vec::new(),
        }
    }

    fn go(&mut self, options: &Options) {
        let seconds = options.seconds.unwrap_or(LONGEST_SECONDS);
        let most = (seconds / STEP_SECONDS).round() as u64;
        let every = if self.tour.streaming().objects().len() <= CHECKED_EVERY_FRAME {
            1
        } else {
            10
        };
        if options.record {
            self.record();
        }
        while self.frames < most && (options.seconds.is_some() || !self.has_arrived()) {
            let is_checked = self.frames.is_multiple_of(every);
            self.tour.check_decisions(is_checked);
            self.checked_frames += u64::from(is_checked);
            self.tour.tick();
            if self
                .tour
                .character()
                .traveller()
                .is_some_and(Traveller::has_jumped)
            {
                self.jumps += 1;
                self.jumped_at = Some(self.tour.now());
            }
            self.note();
            self.frames += 1;
            if options.record {
                self.record();
            }
        }
    }

    fn record(&mut self) {
        let character = self.tour.character();
        let step = (character.position(), character.velocity());
        self.recording.push(step);
    }

    fn has_arrived(&self) -> bool {
        self.tour
            .character()
            .traveller()
            .is_none_or(Traveller::has_arrived)
    }

    fn note(&mut self) {
        let streaming = self.tour.streaming();
        let tests = streaming.tests();
        self.tests.push([tests.load, tests.unload, tests.need]);
        let decisions = streaming.decisions();
        for (side, objects) in [(0, &decisions.load), (1, &decisions.unload)] {
            self.hash = chance::hash(self.hash, side, objects.len() as u64);
            for object in objects {
                self.hash = chance::hash(self.hash, side, u64::from(*object));
            }
        }
        let missing = self.tour.figures().missing;
        self.missing_max = self.missing_max.max(missing);
        if missing == 0
            && let Some(jumped_at) = self.jumped_at.take()
        {
            let ready = (self.tour.now() - jumped_at) * 1.0e3;
            self.jump_ready_ms_max = self.jump_ready_ms_max.max(ready);
        }
    }

    fn report(mut self, scene: &Scene, options: &Options, start_ms: f64) -> Report {
        let streaming = self.tour.streaming();
        for (object, state) in (0..).zip(streaming.states()) {
            if *state != State::Unloaded {
                self.hash = chance::hash(self.hash, object, *state as u64);
            }
        }
        // What is not there by the end took at least as long as that.
        if let Some(jumped_at) = self.jumped_at {
            let waited = (self.tour.now() - jumped_at) * 1.0e3;
            self.jump_ready_ms_max = self.jump_ready_ms_max.max(waited);
        }
        let of = |tests: &dyn Fn(&[u64; 3]) -> u64| {
            let mut values: Vec<u64> = self.tests.iter().map(tests).collect();
            values.sort_unstable();
            [0.5, 0.99].map(|share| quantile(&values, share))
        };
        let sums = streaming.statistics();
        let [visible_p50, visible_p99] =
            [0.5, 0.99].map(|share| sums.time_to_visible_ms.percentile(share).unwrap_or(0.0));
        let [late_p50, late_p99] =
            [0.5, 0.99].map(|share| sums.lateness_ms.percentile(share).unwrap_or(0.0));
        Report {
            scene: scene.name.clone(),
            path: options.path.name.clone(),
            is_recorded: options.path.kind == PathKind::Recorded,
            objects: streaming.objects().len(),
            index: options.settings.index.key(),
            frames: self.frames,
            speed: options.speed,
            mbps: options.settings.mbps,
            latency_ms: options.settings.latency_ms,
            start_ms,
            jumps: self.jumps,
            jump_ready_ms_max: self.jump_ready_ms_max,
            needed: sums.needed,
            late: sums.late_loads,
            missing_max: self.missing_max,
            late_ms_p50: late_p50,
            late_ms_p99: late_p99,
            time_to_visible_ms_p50: visible_p50,
            time_to_visible_ms_p99: visible_p99,
            load_tests: of(&|tests| tests[0]),
            unload_tests: of(&|tests| tests[1]),
            tests: of(&|tests| tests[0] + tests[1]),
            brute_force_tests: streaming.objects().len() as u64,
            need_tests_p99: of(&|tests| tests[2])[1],
            loaded: sums.loaded,
            loaded_bytes: sums.loaded_bytes,
            wasted_bytes: sums.wasted_bytes,
            cancelled: sums.cancelled,
            failed: sums.failed,
            evicted: sums.evicted,
            memory_bound_frames: sums.memory_bound_updates,
            peak_held_bytes: sums.peak_held_bytes,
            memory_cap: options.settings.memory_cap,
            released: sums.released,
            peak_resident_bytes: sums.peak_resident_bytes,
            tree_bytes: streaming.tree_byte_count(),
            checked_frames: self.checked_frames,
            matches_brute_force: sums.mismatches == 0,
            hash: self.hash,
            recording: self.recording,
        }
    }
}

/// The least of the sorted `values` that at least this share of them does not exceed; 0 when there is none.
fn quantile(values: &[u64], share: f64) -> u64 {
    let rank = (values.len() as f64 * share).ceil() as usize;
    values.get(rank.max(1) - 1).copied().unwrap_or(0)
}

/// A thousandth of a millisecond is finer than a simulated frame deserves.
fn thousandths(value: f64) -> f64 {
    // What is rounded to nothing is nothing, and not less: the sum with 0 is never the negative one.
    (value * 1.0e3).round() / 1.0e3 + 0.0
}

/// A speed or a rate as it was typed, without the digits that an `f32` has beyond its own.
fn as_typed(value: f32) -> f64 {
    value.to_string().parse().unwrap_or(f64::from(value)) + 0.0
}

impl Report {
    /// One object, its keys as the fields, the hash in 16 hex digits.
    pub fn to_json(&self) -> serde_json::Value {
        json!({
            "scene": self.scene,
            "path": self.path,
            "objects": self.objects,
            "index": self.index,
            "frames": self.frames,
            "speed": as_typed(self.speed),
            "mbps": as_typed(self.mbps),
            "latency_ms": as_typed(self.latency_ms),
            "start_ms": thousandths(self.start_ms),
            "jumps": self.jumps,
            "jump_ready_ms_max": thousandths(self.jump_ready_ms_max),
            "needed": self.needed,
            "late": self.late,
            "missing_max": self.missing_max,
            "late_ms_p50": thousandths(self.late_ms_p50.into()),
            "late_ms_p99": thousandths(self.late_ms_p99.into()),
            "time_to_visible_ms_p50": thousandths(self.time_to_visible_ms_p50.into()),
            "time_to_visible_ms_p99": thousandths(self.time_to_visible_ms_p99.into()),
            "load_tests_p50": self.load_tests[0],
            "load_tests_p99": self.load_tests[1],
            "unload_tests_p50": self.unload_tests[0],
            "unload_tests_p99": self.unload_tests[1],
            "tests_p50": self.tests[0],
            "tests_p99": self.tests[1],
            "brute_force_tests": self.brute_force_tests,
            "need_tests_p99": self.need_tests_p99,
            "loaded": self.loaded,
            "loaded_bytes": self.loaded_bytes,
            "wasted_bytes": self.wasted_bytes,
            "cancelled": self.cancelled,
            "failed": self.failed,
            "evicted": self.evicted,
            "memory_bound_frames": self.memory_bound_frames,
            "released": self.released,
            "peak_resident_bytes": self.peak_resident_bytes,
            "peak_held_bytes": self.peak_held_bytes,
            "memory_cap": self.memory_cap,
            "tree_bytes": self.tree_bytes,
            "checked_frames": self.checked_frames,
            "matches_brute_force": self.matches_brute_force,
            "hash": format!("{:016x}", self.hash),
        })
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{}: {} objects, {} {} {:.1} s ({} frames), disk {} with {} ms",
            self.scene,
            self.objects,
            self.path,
            // What was recorded has its own time.
            if self.is_recorded {
                "as recorded,".to_owned()
            } else {
                format!("at {} m/s for", self.speed)
            },
            self.frames as f64 * STEP_SECONDS,
            self.frames,
            if self.mbps > 0.0 {
                format!("{} MB/s", self.mbps)
            } else {
                "without limit".to_owned()
            },
            self.latency_ms
        )?;
        writeln!(
            f,
            "  needed     {}, of them {} late (half within {:.0} ms, 99 of 100 within {:.0}), at most {} missing at once",
            self.needed, self.late, self.late_ms_p50, self.late_ms_p99, self.missing_max
        )?;
        writeln!(
            f,
            "  visible    half within {:.0} ms of being asked for, 99 of 100 within {:.0}; the start took {:.0} ms, for which the character waits (in the window it does not)",
            self.time_to_visible_ms_p50, self.time_to_visible_ms_p99, self.start_ms
        )?;
        if self.jumps > 0 {
            writeln!(
                f,
                "  teleports  {}, everything needed there within {:.0} ms",
                self.jumps, self.jump_ready_ms_max
            )?;
        }
        writeln!(
            f,
            "  a frame    {} tests (99 of 100 within {}; load {}, unload {}), brute force {}",
            self.tests[0],
            self.tests[1],
            self.load_tests[1],
            self.unload_tests[1],
            self.brute_force_tests
        )?;
        writeln!(
            f,
            "  read       {} in {} loads, of them {} for nothing; {} cancelled, {} failed, {} released",
            bytes(self.loaded_bytes),
            self.loaded,
            bytes(self.wasted_bytes),
            self.cancelled,
            self.failed,
            self.released
        )?;
        writeln!(
            f,
            "  memory     at most {} resident, {} with what was on its way, of {}; {} evicted, {} frames short; index {} with {}",
            bytes(self.peak_resident_bytes),
            bytes(self.peak_held_bytes),
            bytes(self.memory_cap),
            self.evicted,
            self.memory_bound_frames,
            self.index,
            bytes(self.tree_bytes as u64)
        )?;
        write!(
            f,
            "  decisions  {:016x}, {} brute force in {} frames",
            self.hash,
            if self.matches_brute_force {
                "the same as by"
            } else {
                "NOT the same as by"
            },
            self.checked_frames
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::file;
    use std::path::PathBuf;

    #[test]
    fn a_small_memory_cap_is_told_with_the_digits_that_it_has() {
        let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("scenes");
        let scene = file::read(&folder.join("open-world.ron")).expect("a scene");
        let character = scene.character.as_ref().expect("a character");
        let world = scene.world.as_ref().expect("a world");
        let options = Options {
            path: character.paths[0].clone(),
            speed: 20.0,
            seconds: Some(0.5),
            settings: Settings {
                memory_cap: 450_000,
                ..Settings::of_world_on(world, crate::streaming::USUAL_DISK)
            },
            record: false,
        };
        let report = run(&scene, &folder, &options);
        let said = report.to_string();
        assert!(said.contains(" of 450 kB; "), "{said}");
        assert!(!said.contains("with 0.0 MB"), "{said}");
        assert_eq!(report.to_json()["memory_cap"], 450_000);
    }
}
