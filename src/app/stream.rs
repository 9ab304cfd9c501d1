//! The world around the character, as the window runs it: who moves the character, and which loader brings the pictures.

use super::history::Series;
use skirmish::geometry::{Aabb, Vec2};
use skirmish::probe::{Event, Trace};
use skirmish::scene::{Path as Way, PathKind, Scene, generate, limits};
use skirmish::streaming::{
    Completion, Decisions, Loader, Request, Settings, State, Streaming, ThreadLoader, Throttle,
    Ticket, Traveller, WorldObject, byte_sizes,
};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// How many threads read and decode: one reads while the other decodes.
const THREADS: usize = 2;
/// Enough for every box that an update looks at.
const TRACE_CAP: usize = 4096;
/// How many corners of the way gone are kept.
const TRAIL: usize = 512;

/// Who moves the character.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Mover {
    /// Nobody.
    Nobody,
    /// The mouse.
    Mouse,
    /// The arrow keys, in this direction.
    Keys(Vec2),
    /// The scene's path at this place.
    Path(usize),
}

/// A world, its character, and the streaming between them.
pub struct Stream {
    streaming: Streaming<WindowLoader>,
    world: u64,
    fixed: bool,
    paths: Vec<Way>,
    /// Who moves the character.
    pub mover: Mover,
    /// How fast it goes along a path, in m/s.
    pub speed: f32,
    /// Whether the camera goes with the character.
    pub camera_follows: bool,
    /// The object that was clicked.
    pub selection: Option<u32>,
    /// Rectangle tests of the load tree, an update each.
    pub load_tests: Series,
    /// Rectangle tests of the unload tree.
    pub unload_tests: Series,
    /// Rectangle tests of both.
    pub tests: Series,
    /// What brute force would have tested.
    pub brute_force: Series,
    /// Megabytes read a second.
    pub read: Series,
    /// Late loads since the start.
    pub late: Series,
    /// Objects that are needed and not there.
    pub missing: Series,
    /// Objects that wait to be asked for.
    pub queued: Series,
    /// Bytes that are there or on their way.
    pub held: Series,
    /// Bytes read for nothing since the start.
    pub wasted: Series,
    /// Objects given up on their way since the start.
    pub cancelled: Series,
    /// The boxes of the load tree that the last update entered.
    pub entered: HashSet<u32>,
    /// The boxes of the unload tree that the last update looked at.
    pub looked_at: HashSet<u32>,
    /// Where the character was, oldest first.
    pub trail: Vec<Vec2>,
    character: Vec2,
    velocity: Vec2,
    target: Vec2,
    now: f64,
    /// Who goes along the path.
    traveller: Option<Traveller>,
    /// Where the character was at each tick since the recording began.
    recording: Option<Vec<Vec2>>,
    bytes_before: u64,
    traces: (Trace, Trace),
    seen: Decisions,
}

impl Stream {
    /// The world of a scene whose file is in `folder`; `None` when it has none.
    pub fn of_scene(scene: &Scene, folder: &Path, fixed: bool) -> Result<Option<Self>, String> {
        /// Tells one world from the next.
        static WORLDS: AtomicU64 = AtomicU64::new(0);
        let Some(world) = &scene.world else {
            return Ok(None);
        };
        let made = generate::objects(scene);
        let files: Vec<PathBuf> = made.assets.iter().map(|asset| folder.join(asset)).collect();
        // Only the sizes of the files are read at the start. What is missing is found out when it is wanted.
        let objects = WorldObject::all_of(&made, &byte_sizes(&files));
        let loader = ThreadLoader::new(THREADS)
            .map_err(|error| format!("no thread could be started: {error}"))?;
        let loader = if fixed {
            WindowLoader::Paced(Paced::new(loader))
        } else {
            WindowLoader::Threads(loader)
        };
        // A disk slow enough that one can see what happens.
        let settings = Settings {
            mbps: 0.5,
            latency_ms: 8.0,
            ..Settings::of_world(world)
        };
        let character = scene.character.as_ref();
        let position = character.map_or(scene.field.center(), |character| character.position);
        let paths = character
            .map(|character| character.paths.clone())
            .unwrap_or_default();
        let mut stream = Self {
            streaming: Streaming::new(objects, files, settings, loader),
            world: WORLDS.fetch_add(1, Ordering::Relaxed),
            fixed,
            mover: Mover::Nobody,
            speed: character.map_or(6.0, |character| character.speed),
            paths,
            camera_follows: false,
            selection: None,
            load_tests: Series::default(),
            unload_tests: Series::default(),
            tests: Series::default(),
            brute_force: Series::default(),
            read: Series::default(),
            late: Series::default(),
            missing: Series::default(),
            queued: Series::default(),
            held: Series::default(),
            wasted: Series::default(),
            cancelled: Series::default(),
            entered: HashSet::new(),
            looked_at: HashSet::new(),
            trail: vec![position],
            character: position,
            velocity: Vec2::ZERO,
            target: position,
            now: 0.0,
            traveller: None,
            recording: None,
            bytes_before: 0,
            traces: (Trace::with_cap(TRACE_CAP), Trace::with_cap(TRACE_CAP)),
            seen: Decisions::default(),
        };
        // Somebody who goes shows more than somebody who stands.
        if !stream.paths.is_empty() {
            stream.follow(Mover::Path(0));
        }
        Ok(Some(stream))
    }

    /// Names this world apart from every other that the program opened.
    pub fn world(&self) -> u64 {
        self.world
    }

    /// Whether two runs are to give the same pictures.
    pub fn is_fixed(&self) -> bool {
        self.fixed
    }

    /// The objects and their states.
    pub fn streaming(&self) -> &Streaming<WindowLoader> {
        &self.streaming
    }

    /// The same, for uploads and settings.
    pub fn streaming_mut(&mut self) -> &mut Streaming<WindowLoader> {
        &mut self.streaming
    }

    /// Where the character is.
    pub fn character(&self) -> Vec2 {
        self.character
    }

    /// Where it goes, in m/s.
    pub fn velocity(&self) -> Vec2 {
        self.velocity
    }

    /// The seconds since the world was opened.
    pub fn now(&self) -> f64 {
        self.now
    }

    /// The ways that the character can go.
    pub fn paths(&self) -> &[Way] {
        &self.paths
    }

    /// The objects that are there, by number.
    pub fn resident_ids(&self) -> Vec<u32> {
        let states = self.streaming.states().iter().enumerate();
        states
            .filter(|(_, state)| **state == State::Resident)
            .map(|(object, _)| object as u32)
            .collect()
    }

    /// The character is taken by the mouse.
    pub fn grab(&mut self) {
        self.mover = Mover::Mouse;
        self.target = self.character;
    }

    /// Whether the mouse has it.
    pub fn is_grabbed(&self) -> bool {
        self.mover == Mover::Mouse
    }

    /// The mouse moves it here.
    pub fn drag_to(&mut self, point: Vec2) {
        self.target = within_limits(point);
    }

    /// The mouse lets it go.
    pub fn let_go(&mut self) {
        if self.mover == Mover::Mouse {
            self.mover = Mover::Nobody;
        }
    }

    /// The character is here from now on.
    pub fn teleport(&mut self, point: Vec2) {
        self.mover = Mover::Nobody;
        self.character = within_limits(point);
        self.target = self.character;
        self.velocity = Vec2::ZERO;
        self.trail.clear();
        self.trail.push(self.character);
    }

    /// Sends the character along a path, from its beginning, or lets it stand.
    pub fn follow(&mut self, mover: Mover) {
        self.mover = mover;
        self.traveller = match mover {
            Mover::Path(path) => self
                .paths
                .get(path)
                .map(|path| Traveller::new(path.clone(), self.speed)),
            Mover::Nobody | Mover::Mouse | Mover::Keys(_) => None,
        };
        if self.traveller.is_none() {
            self.mover = Mover::Nobody;
        }
    }

    /// The arrow keys that are down point this way; zero when none is.
    pub fn walk_by_keys(&mut self, way: Vec2) {
        if way != Vec2::ZERO {
            self.mover = Mover::Keys(way);
            self.traveller = None;
        } else if matches!(self.mover, Mover::Keys(_)) {
            self.mover = Mover::Nobody;
        }
    }

    /// Whether the way of the character is being recorded.
    pub fn is_recording(&self) -> bool {
        self.recording.is_some()
    }

    /// Begins to record the way of the character.
    pub fn record(&mut self) {
        self.recording = Some(vec![self.character]);
    }

    /// Ends the recording; the path that it made is among the paths from now on.
    pub fn stop_recording(&mut self) -> Option<Way> {
        let points = self.recording.take()?;
        let name = (1..)
            .map(|number| format!("recorded {number}"))
            .find(|name| self.paths.iter().all(|path| path.name != *name))?;
        let path = Way {
            name,
            kind: PathKind::Recorded,
            points,
        };
        self.paths.push(path.clone());
        Some(path)
    }

    /// The smallest object at this point.
    pub fn object_at(&self, point: Vec2) -> Option<u32> {
        let objects = self.streaming.objects().iter().enumerate();
        objects
            .filter(|(_, object)| object.aabb().contains(point))
            .min_by(|(_, a), (_, b)| a.aabb().area().total_cmp(&b.aabb().area()))
            .map(|(object, _)| object as u32)
    }

    /// Selects the smallest object at this point, or none.
    pub fn select_at(&mut self, point: Vec2) {
        self.selection = self.object_at(point);
    }

    /// Lets time pass.
    pub fn tick(&mut self, seconds: f64) {
        if seconds <= 0.0 {
            return;
        }
        self.now += seconds;
        self.move_character(seconds as f32);
        let (load, unload) = &mut self.traces;
        load.clear();
        unload.clear();
        self.streaming
            .update(self.now, self.character, self.velocity);
        // The same search once more, for the eye alone: what it would look at if it were asked again.
        self.streaming.decide_probed(load, unload, &mut self.seen);
        fn looked_at(trace: &Trace, into: &mut HashSet<u32>) {
            into.clear();
            into.extend(trace.events().iter().filter_map(|event| match event {
                Event::Visit(region) | Event::Accept(region) | Event::Prune(region) => {
                    Some(*region)
                }
                _ => None,
            }));
        }
        looked_at(&self.traces.0, &mut self.entered);
        looked_at(&self.traces.1, &mut self.looked_at);
        let tests = self.streaming.tests();
        self.load_tests.push(tests.load as f32);
        self.unload_tests.push(tests.unload as f32);
        self.tests.push((tests.load + tests.unload) as f32);
        self.brute_force.push(tests.brute_force as f32);
        let statistics = self.streaming.statistics();
        self.late.push(statistics.late_loads as f32);
        self.wasted.push(statistics.wasted_bytes as f32);
        self.cancelled.push(statistics.cancelled as f32);
        self.missing.push(self.streaming.missing_count() as f32);
        self.queued.push(self.streaming.queue().len() as f32);
        self.held.push(self.streaming.held_bytes() as f32);
        let bytes = statistics.loaded_bytes;
        // Where the figures were started anew, all of them are new.
        let fresh = bytes.checked_sub(self.bytes_before).unwrap_or(bytes);
        self.read.push((fresh as f64 / 1.0e6 / seconds) as f32);
        self.bytes_before = bytes;
    }

    fn move_character(&mut self, seconds: f32) {
        let before = self.character;
        match self.mover {
            Mover::Nobody => self.velocity = Vec2::ZERO,
            Mover::Keys(way) => {
                self.velocity = way.normalize_or_zero() * self.speed;
                self.character = within_limits(before + self.velocity * seconds);
            }
            Mover::Mouse => {
                self.character = self.target;
                // A hand is unsteady: its speed is that of the last tenth of a second or so.
                self.velocity += ((self.character - before) / seconds - self.velocity) * 0.2;
            }
            Mover::Path(_) => {
                if let Some(traveller) = &mut self.traveller {
                    traveller.set_speed(self.speed);
                    traveller.step();
                    (self.character, self.velocity) = (traveller.position(), traveller.velocity());
                    if traveller.has_jumped() {
                        self.trail.clear();
                    }
                }
            }
        }
        if let Some(recording) = &mut self.recording
            && recording.len() < limits::MAX_PATH_POINTS
        {
            recording.push(self.character);
        }
        let far_enough = self
            .trail
            .last()
            .is_none_or(|last| last.distance(self.character) > self.speed * 0.25);
        if far_enough {
            if self.trail.len() == TRAIL {
                self.trail.remove(0);
            }
            self.trail.push(self.character);
        }
    }

    /// Where the character will be in the next seconds if it goes on as it does.
    pub fn predicted(&self, seconds: f32) -> Vec2 {
        self.character + self.velocity * seconds
    }

    /// The box of a region of the world, for culling.
    pub fn body(&self, object: u32) -> Aabb {
        self.streaming.objects()[object as usize].aabb()
    }
}

fn within_limits(point: Vec2) -> Vec2 {
    let limit = Vec2::splat(skirmish::partition::COORDINATE_LIMIT);
    point.clamp(-limit, limit)
}

/// The loader of the window: threads alone, or threads whose answers are told at fixed moments of the simulated time.
#[derive(Debug)]
pub enum WindowLoader {
    /// Answers are told when they are there.
    Threads(ThreadLoader),
    /// Answers are told when a disk of the throttle's speed would have them.
    Paced(Paced),
}

/// Real files, real threads, and answers at moments that do not depend on how fast this machine is.
#[derive(Debug)]
pub struct Paced {
    threads: ThreadLoader,
    throttle: Throttle,
    /// When each request in flight is due, in the order in which they were started.
    due: Vec<(Ticket, f64)>,
    /// When the simulated disk is free again.
    free_at: f64,
    /// Answers that are there before they are due.
    early: Vec<Completion>,
}

impl Paced {
    fn new(threads: ThreadLoader) -> Self {
        Self {
            threads,
            throttle: Throttle::default(),
            due: Vec::new(),
            free_at: 0.0,
            early: Vec::new(),
        }
    }
}

impl Loader for WindowLoader {
    fn start(&mut self, request: Request, now: f64) -> bool {
        match self {
            Self::Threads(threads) => threads.start(request, now),
            Self::Paced(paced) => {
                let (ticket, bytes) = (request.ticket, request.bytes);
                let taken = paced.threads.start(request, now);
                if taken {
                    paced.free_at = paced.free_at.max(now) + paced.throttle.transfer_seconds(bytes);
                    paced
                        .due
                        .push((ticket, paced.free_at + paced.throttle.latency_seconds()));
                }
                taken
            }
        }
    }

    fn cancel(&mut self, ticket: Ticket) {
        match self {
            Self::Threads(threads) => threads.cancel(ticket),
            // The file is read to its end, so that whether the cancellation came in time is not left to chance.
            Self::Paced(_) => {}
        }
    }

    fn poll(&mut self, now: f64, completions: &mut Vec<Completion>) {
        match self {
            Self::Threads(threads) => threads.poll(now, completions),
            Self::Paced(paced) => {
                while let Some(&(ticket, _)) = paced.due.first().filter(|(_, due)| *due <= now) {
                    if let Some(place) = paced.early.iter().position(|early| early.ticket == ticket)
                    {
                        completions.push(paced.early.swap_remove(place));
                        paced.due.remove(0);
                    } else {
                        std::thread::sleep(Duration::from_micros(200));
                        paced.threads.poll(now, &mut paced.early);
                    }
                }
            }
        }
    }

    fn progress(&self, ticket: Ticket) -> f32 {
        match self {
            Self::Threads(threads) => threads.progress(ticket),
            Self::Paced(_) => 0.5,
        }
    }

    fn set_throttle(&mut self, throttle: Throttle) {
        match self {
            Self::Threads(threads) => threads.set_throttle(throttle),
            Self::Paced(paced) => paced.throttle = throttle,
        }
    }
}
