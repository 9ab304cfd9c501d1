//! Seamless loading: a world of objects that come and go around a character, before it needs them and after it has left.
//!
//! Only metadata ([`WorldObject`]) are read at the start. Each object has three nested [`Rectangles`]: within *need* it must
//! be there, within *load* it is asked for, and outside of *unload* it is given up. Every [`Streaming::update`] then:
//!
//! 1. takes what the [`Loader`] has done since,
//! 2. asks (in the default form; [`Index`] has others) the load tree (unions of load rectangles, over what is not wanted) what the character's way meets, and the unload
//!    tree (intersections of unload rectangles, over what is wanted) what it has left behind,
//! 3. queues the one and gives up the other, cancelling what is still on its way,
//! 4. orders the queue by time to need, and starts requests within the budgets.
//!
//! Between updates the caller uploads pictures ([`Streaming::next_upload`]) and releases them ([`Streaming::next_unload`]),
//! as many as the budgets of an update allow.
//!
//! Sources: goldpotion, "Quadtree for Seamless Loading" (2011). The lead, the budgets and the order by time to need are ours.
//!
//! Invariant: the clock is never read; `now` is given. With a [`SimulatedLoader`] a run is exactly repeatable.
//!
//! Invariant: files are read by the [`loader`](ThreadLoader) and written by [`new_world`] alone.
//!
//! Invariant: the trees decide exactly as [`decisions_by_brute_force`].
//!
//! Invariant: when [`Streaming::is_settled`], whatever the character's load rectangles say is resident or failed, and
//! whatever is resident is within its unload rectangle. An object that was queued ends resident, cancelled or failed, and a
//! failed one is asked for again as long as it is wanted.

use crate::geometry::{Aabb, Vec2};
use crate::partition::{Region, RegionId, RegionQuery};
use crate::probe::{Counter, Probe};
use crate::scene::generate;
use history::History;
use scheduler::Allowance;
use states::Record;
use std::collections::{BTreeMap, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use trees::Trees;

pub mod assets;
mod dual_tree;
mod history;
mod load_tree;
mod loader;
mod memory;
pub mod new_world;
mod radix;
mod rectangles;
mod scheduler;
mod settings;
mod simulated;
mod states;
mod statistics;
pub mod textures;
mod traveller;
mod trees;
mod unload_tree;
mod validate;
mod why;

pub use history::{Reason, Transition};
pub use loader::{
    Completion, FILE_BYTE_LIMIT, Image, LoadError, Loader, Outcome, PICTURE_SIDE_LIMIT, Request,
    ThreadLoader, Throttle, Ticket, byte_sizes, load_picture,
};
pub use rectangles::{Rectangles, way_ahead};
pub use scheduler::{Bound, QueueEntry, Urgency};
pub use settings::Settings;
pub use simulated::SimulatedLoader;
pub use states::{Failure, State};
pub use statistics::{FrameTests, Samples, Statistics};
pub use traveller::{STEP_SECONDS, TELEPORT_METRES, Traveller};
pub use trees::{Decisions, Index, decisions_by_brute_force};

/// What is known of an object before it is loaded.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WorldObject {
    /// Its middle, in metres; finite.
    pub center: Vec2,
    /// Half of its width and height, in metres; finite and at least 0.
    pub half_extent: Vec2,
    /// How many bytes its asset takes, for the budgets.
    pub bytes: u64,
    /// Its asset: an index into the assets of the world, which several objects may share.
    pub asset: u32,
}

impl WorldObject {
    /// The object's own box.
    pub fn aabb(&self) -> Aabb {
        Aabb::around(self.center, self.half_extent)
    }

    /// The objects that a scene's world was generated into, with the bytes that the scene says or else the `byte_sizes` of their
    /// assets.
    pub fn all_of(generated: &generate::WorldObjects, byte_sizes: &[u64]) -> Vec<Self> {
        let known = |object: &generate::WorldObject| Self {
            center: object.center,
            half_extent: object.half_extent,
            bytes: object.bytes.unwrap_or_else(|| {
                let size = byte_sizes.get(object.asset as usize);
                size.copied().unwrap_or_default()
            }),
            asset: object.asset,
        };
        generated.objects.iter().map(known).collect()
    }
}

/// A picture to be uploaded.
#[derive(Clone, Debug)]
pub struct Upload {
    /// Whose it is.
    pub object: u32,
    /// Its asset: objects with the same one have the same picture.
    pub asset: u32,
    /// The picture.
    pub image: Arc<Image>,
}

/// A request that the loader has not answered yet.
#[derive(Debug)]
struct Flight {
    ticket: Ticket,
    bytes: u64,
    /// Whether nobody waits for it any more. It takes its place among the requests until the loader is done with it.
    cancelled: bool,
}

/// An object whose picture waits for its upload.
#[derive(Debug)]
struct Decoded {
    object: u32,
    urgency: Urgency,
    /// The picture; `None` while the caller has it.
    image: Option<Arc<Image>>,
}

/// The objects of a world, their states, and whoever decides about them.
#[derive(Debug)]
pub struct Streaming<L: Loader> {
    objects: Vec<WorldObject>,
    assets: Vec<Arc<Path>>,
    settings: Settings,
    loader: L,

    now: f64,
    position: Vec2,
    velocity: Vec2,
    way: Aabb,

    states: Vec<State>,
    records: Vec<Record>,
    counts: [u32; State::ALL.len()],
    trees: Trees,
    decisions: Decisions,
    check_decisions: bool,

    // Each list names the objects in one state, and is brought up to date once an update.
    queue: Vec<QueueEntry>,
    flights: Vec<Flight>,
    decoded: Vec<Decoded>,
    failed: Vec<u32>,
    unloading: VecDeque<u32>,
    /// Resident objects, and some that were so in the last update.
    residents: Vec<u32>,
    /// Resident objects that the character has not needed yet.
    unneeded: Vec<u32>,
    /// By object: what went wrong. Kept while the object is away, so that coming back does not cut the wait short.
    failures: BTreeMap<u32, Failure>,

    allowance: Allowance,
    bound: Bound,
    /// Reused by every update.
    completions: Vec<Completion>,
    resident_bytes: u64,
    /// Of those the bytes of what waits for its release.
    unloading_bytes: u64,
    tests: FrameTests,
    statistics: Statistics,
    history: History,
}

impl<L: Loader> Streaming<L> {
    /// A world in which nothing is loaded yet. `assets` are the files that [`WorldObject::asset`] counts.
    pub fn new(
        objects: Vec<WorldObject>,
        assets: impl IntoIterator<Item = PathBuf>,
        settings: Settings,
        mut loader: L,
    ) -> Self {
        let settings = settings.in_range();
        let states = vec![State::Unloaded; objects.len()];
        let mut counts = [0; State::ALL.len()];
        counts[State::Unloaded as usize] = objects.len() as u32;
        loader.set_throttle(throttle(&settings));
        Self {
            trees: Trees::new(trees::World {
                objects: &objects,
                states: &states,
                settings: &settings,
            }),
            records: vec![Record::NEW; objects.len()],
            objects,
            assets: assets.into_iter().map(Arc::from).collect(),
            settings,
            loader,
            now: 0.0,
            position: Vec2::ZERO,
            velocity: Vec2::ZERO,
            way: Aabb::new(Vec2::ZERO, Vec2::ZERO),
            states,
            counts,
            decisions: Decisions::default(),
            check_decisions: false,
            queue: Vec::new(),
            flights: Vec::new(),
            decoded: Vec::new(),
            failed: Vec::new(),
            unloading: VecDeque::new(),
            residents: Vec::new(),
            unneeded: Vec::new(),
            failures: BTreeMap::new(),
            allowance: Allowance::default(),
            bound: Bound::default(),
            completions: Vec::new(),
            resident_bytes: 0,
            unloading_bytes: 0,
            tests: FrameTests::default(),
            statistics: Statistics::default(),
            history: History::default(),
        }
    }

    /// Changes the settings. Where the rectangles or the index change, the trees are built anew; states change with the next update.
    pub fn set_settings(&mut self, settings: Settings) {
        let settings = settings.in_range();
        let before = std::mem::replace(&mut self.settings, settings);
        self.loader.set_throttle(throttle(&settings));
        if settings.index != before.index || !settings.has_rectangles_of(&before) {
            self.trees = Trees::new(self.world());
        }
    }

    /// What the trees decide about.
    fn world(&self) -> trees::World<'_> {
        trees::World {
            objects: &self.objects,
            states: &self.states,
            settings: &self.settings,
        }
    }

    /// The settings in force, in range.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The loader.
    pub fn loader(&self) -> &L {
        &self.loader
    }

    /// The loader, for settings of its own.
    pub fn loader_mut(&mut self) -> &mut L {
        &mut self.loader
    }

    /// Whether every update also decides by brute force and counts in [`Statistics::mismatches`] when that differs.
    /// Costs a test an object.
    pub fn check_decisions(&mut self, check: bool) {
        self.check_decisions = check;
    }

    /// Brings everything up to date with a character at `position` that moves by `velocity`, in metres and m/s, at `now`
    /// seconds. A time before the last one counts as the last one, a position that is not finite as no move.
    pub fn update(&mut self, now: f64, position: Vec2, velocity: Vec2) {
        self.now = self.now.max(now);
        if position.is_finite() {
            self.position = position;
        }
        self.velocity = velocity;
        self.way = way_ahead(self.position, velocity, &self.settings);
        self.statistics.updates += 1;
        self.allowance = Allowance::of(&self.settings);
        self.bound = Bound::default();

        self.take_completions();
        self.decide();
        self.give_up_what_was_left();
        self.want_what_is_ahead();
        self.retry_failed();
        self.order_by_urgency();
        self.note_uses();
        self.make_room();
        self.start_requests();
        self.note_needs();
        let held = self.held_bytes();
        self.statistics.peak_held_bytes = self.statistics.peak_held_bytes.max(held);
        self.statistics.memory_bound_updates += u64::from(self.bound.memory);
    }

    /// The next picture to upload, the most urgent first; `None` when there is none or the budgets of this update are used
    /// up. The caller uploads it and says so by [`Streaming::uploaded`] or [`Streaming::upload_refused`].
    pub fn next_upload(&mut self) -> Option<Upload> {
        let next = self
            .decoded
            .iter_mut()
            .find(|decoded| decoded.image.is_some())?;
        let bytes = next
            .image
            .as_ref()
            .map_or(0, |image| image.rgba.len() as u64);
        if !self.allowance.take_upload(bytes) {
            self.bound.uploads = true;
            return None;
        }
        let object = next.object;
        self.records[object as usize].handed_out = true;
        Some(Upload {
            object,
            asset: self.objects[object as usize].asset,
            image: next.image.take()?,
        })
    }

    /// Says that the picture of `object` is where it can be seen. Without an upload under way this does nothing.
    pub fn uploaded(&mut self, object: u32) {
        if !self.take_back_upload(object) {
            return;
        }
        self.failures.remove(&object);
        let record = self.records[object as usize];
        self.statistics.loaded += 1;
        let since = |from: f64| ((self.now - from) * 1.0e3) as f32;
        self.statistics
            .time_to_visible_ms
            .note(since(record.queued_at));
        if record.needed_at.is_infinite() {
            self.unneeded.push(object);
        } else if !record.excused {
            self.statistics.lateness_ms.note(since(record.needed_at));
        }
        self.enter(object, State::Resident, Reason::Uploaded);
    }

    /// Says that the picture of `object` could not be taken, and why, in a sentence. The object fails, and is asked for
    /// again later. Without an upload under way this does nothing.
    pub fn upload_refused(&mut self, object: u32, sentence: &str) {
        if self.take_back_upload(object) {
            self.statistics.wasted_bytes += self.records[object as usize].bytes_read;
            self.fail(object, sentence.to_owned(), Reason::UploadRefused);
        }
    }

    /// The next object whose picture is to be released; `None` when there is none or the budget of this update is used up.
    /// The caller releases it and says so by [`Streaming::unloaded`].
    pub fn next_unload(&mut self) -> Option<u32> {
        if self.allowance.unloads == 0 {
            self.bound.unloads |= self.unloading_bytes > 0;
            return None;
        }
        while let Some(object) = self.unloading.pop_front() {
            let record = &mut self.records[object as usize];
            // One that came back in time is still in the list.
            if self.states[object as usize] == State::Unloading && !record.handed_out {
                record.handed_out = true;
                self.allowance.unloads -= 1;
                return Some(object);
            }
        }
        None
    }

    /// Says that the picture of `object` is released. Without a release under way this does nothing.
    pub fn unloaded(&mut self, object: u32) {
        let Some(record) = self.records.get_mut(object as usize) else {
            return;
        };
        if self.states[object as usize] != State::Unloading || !record.handed_out {
            return;
        }
        record.handed_out = false;
        self.statistics.released += 1;
        if record.needed_at.is_infinite() {
            self.statistics.wasted_bytes += record.bytes_read;
        }
        self.enter(object, State::Unloaded, Reason::Released);
    }

    /// The objects, by number.
    pub fn objects(&self) -> &[WorldObject] {
        &self.objects
    }

    /// The file of an asset.
    pub fn asset(&self, asset: u32) -> Option<&Path> {
        self.assets.get(asset as usize).map(|path| &**path)
    }

    /// The state of each object, by number.
    pub fn states(&self) -> &[State] {
        &self.states
    }

    /// How far `object` has come: 0 while nothing of it is read, 1 once it is decoded.
    pub fn progress(&self, object: u32) -> f32 {
        match self.states.get(object as usize) {
            Some(State::Loading) => self.loader.progress(self.ticket(object)),
            Some(State::Decoded | State::Resident | State::Unloading) => 1.0,
            _ => 0.0,
        }
    }

    /// How many objects are in each state, in the order of [`State::ALL`].
    pub fn counts(&self) -> [u32; State::ALL.len()] {
        self.counts
    }

    /// The rectangles of `object`, which must exist.
    pub fn rectangles(&self, object: u32) -> Rectangles {
        Rectangles::of(&self.objects[object as usize], &self.settings)
    }

    /// What waits to be loaded, the most urgent first.
    pub fn queue(&self) -> &[QueueEntry] {
        &self.queue
    }

    /// Where the character was in the last update.
    pub fn position(&self) -> Vec2 {
        self.position
    }

    /// The box of the way that the character was about to go in the last update.
    pub fn way(&self) -> Aabb {
        self.way
    }

    /// What the last update decided.
    pub fn decisions(&self) -> &Decisions {
        &self.decisions
    }

    /// Asks both trees what an update at the same place would decide now, and changes nothing. The probes hear each box
    /// that the load tree and the unload tree look at, by the ids of [`Streaming::load_regions`] and
    /// [`Streaming::unload_regions`]; it is the very query of an update.
    pub fn decide_probed<P: Probe, Q: Probe>(
        &self,
        load_probe: &mut P,
        unload_probe: &mut Q,
        decisions: &mut Decisions,
    ) {
        self.trees.decide(
            self.world(),
            self.position,
            self.way,
            load_probe,
            unload_probe,
            decisions,
        );
    }

    /// Which budgets were used up in the last update, so that something had to wait for the next.
    pub fn bound(&self) -> Bound {
        self.bound
    }

    /// The rectangle tests of the last update.
    pub fn tests(&self) -> FrameTests {
        self.tests
    }

    /// What happened so far, in figures.
    pub fn statistics(&self) -> &Statistics {
        &self.statistics
    }

    /// Starts the figures anew. What is on its way counts as queued now.
    pub fn reset_statistics(&mut self) {
        self.statistics = Statistics {
            queued: u64::from(self.pending_count()),
            peak_resident_bytes: self.resident_bytes,
            peak_held_bytes: self.held_bytes(),
            ..Statistics::default()
        };
    }

    /// The objects that could not be loaded lately, by number.
    pub fn failures(&self) -> impl Iterator<Item = (u32, &Failure)> {
        self.failures
            .iter()
            .map(|(object, failure)| (*object, failure))
    }

    /// The bytes of all objects that are resident or wait for their release, by their metadata.
    pub fn resident_bytes(&self) -> u64 {
        self.resident_bytes
    }

    /// Requests that the loader has not answered yet, cancelled ones included.
    pub fn requests_in_flight(&self) -> u32 {
        self.flights.len() as u32
    }

    /// Objects on their way that the character needs where it was in the last update. Looks at each that is on its way.
    pub fn missing_count(&self) -> u32 {
        let queued = self.queue.iter().map(|entry| entry.object);
        let decoded = self.decoded.iter().map(|decoded| decoded.object);
        let flights = self.flights.iter().filter(|flight| !flight.cancelled);
        queued
            .chain(decoded)
            .chain(flights.map(|flight| flight.ticket.object))
            .filter(|object| self.rectangles(*object).need.contains(self.position))
            .count() as u32
    }

    /// Bytes asked for and not uploaded yet, by the metadata.
    pub fn bytes_in_flight(&self) -> u64 {
        let decoded = self.decoded.iter().map(|decoded| decoded.object);
        let flights = self.flights.iter().map(|flight| flight.bytes);
        flights
            .chain(decoded.map(|object| self.objects[object as usize].bytes))
            .fold(0, u64::saturating_add)
    }

    /// Whether nothing is on its way, in or out.
    pub fn is_settled(&self) -> bool {
        self.flights.is_empty()
            && self.pending_count() == 0
            && self.counts[State::Unloading as usize] == 0
    }

    /// Visits the load tree's nodes in view, parents first. Each box is the union of those below it.
    pub fn load_regions(&self, query: RegionQuery, visit: &mut dyn FnMut(Region<'static>)) {
        self.trees.load_regions(query, visit);
    }

    /// Visits the unload tree's nodes in view, parents first. Each box is the intersection of those below it; an empty one
    /// comes as the inverted interval that it is ([`Aabb::is_empty`]), and its swapped corners bound the gap.
    pub fn unload_regions(&self, query: RegionQuery, visit: &mut dyn FnMut(Region<'static>)) {
        self.trees.unload_regions(query, visit);
    }

    /// The object whose leaf `region` of the load tree is.
    pub fn load_leaf(&self, region: RegionId) -> Option<u32> {
        self.trees.load_leaf(region)
    }

    /// The object whose leaf `region` of the unload tree is.
    pub fn unload_leaf(&self, region: RegionId) -> Option<u32> {
        self.trees.unload_leaf(region)
    }

    /// The steps from root to deepest leaf, of the load and of the unload tree. Visits every node.
    pub fn tree_depths(&self) -> (u32, u32) {
        self.trees.depths()
    }

    /// The bytes that both trees take on the heap.
    pub fn tree_byte_count(&self) -> usize {
        self.trees.byte_count()
    }

    /// What happened to `object` lately, oldest first.
    pub fn history(&self, object: u32) -> impl DoubleEndedIterator<Item = &Transition> {
        self.history.of(object)
    }
}

/// The steps of an update, in their order.
impl<L: Loader> Streaming<L> {
    fn take_completions(&mut self) {
        let mut completions = std::mem::take(&mut self.completions);
        self.loader.poll(self.now, &mut completions);
        for completion in completions.drain(..) {
            self.take_completion(completion);
        }
        self.completions = completions;
    }

    fn take_completion(&mut self, completion: Completion) {
        let ticket = completion.ticket;
        let Some(place) = self
            .flights
            .iter()
            .position(|flight| flight.ticket == ticket)
        else {
            return;
        };
        self.flights.swap_remove(place);
        self.statistics.loaded_bytes += completion.bytes;
        let object = ticket.object;
        let record = &mut self.records[object as usize];
        if record.generation != ticket.generation {
            // Too late: whatever it says is about a request that was cancelled.
            self.statistics.wasted_bytes += completion.bytes;
            self.statistics.dropped += u64::from(matches!(completion.outcome, Outcome::Loaded(_)));
            return;
        }
        match completion.outcome {
            Outcome::Loaded(image) => {
                record.bytes_read = completion.bytes;
                self.decoded.push(Decoded {
                    object,
                    urgency: self.urgency(object),
                    image: Some(image),
                });
                self.enter(object, State::Decoded, Reason::Arrived);
            }
            Outcome::Failed(error) => {
                self.statistics.wasted_bytes += completion.bytes;
                self.fail(object, error.to_string(), Reason::LoadFailed);
            }
            Outcome::Cancelled => {
                // The loader gave up what is still wanted. It keeps its place in the books.
                self.statistics.wasted_bytes += completion.bytes;
                self.push_to_queue(object);
                self.enter(object, State::Queued, Reason::GivenBack);
            }
        }
    }

    fn decide(&mut self) {
        let (mut load, mut unload) = (Counter::default(), Counter::default());
        let mut decisions = std::mem::take(&mut self.decisions);
        self.decide_probed(&mut load, &mut unload, &mut decisions);
        self.decisions = decisions;
        let boxes = |counter: Counter| counter.visits + counter.prunes + counter.tests;
        self.tests = FrameTests {
            load: boxes(load),
            unload: boxes(unload),
            brute_force: self.objects.len() as u64,
            need: 0,
            memory: 0,
        };
        if self.check_decisions {
            let truth = decisions_by_brute_force(
                &self.objects,
                &self.states,
                &self.settings,
                self.position,
                self.way,
            );
            self.statistics.mismatches += u64::from(truth != self.decisions);
        }
    }

    fn give_up_what_was_left(&mut self) {
        let unload = std::mem::take(&mut self.decisions.unload);
        for &object in &unload {
            let record = self.records[object as usize];
            let to = match self.states[object as usize] {
                // In the caller's hands; it is decided about again when it is back.
                State::Decoded if record.handed_out => continue,
                State::Resident => {
                    self.unloading.push_back(object);
                    State::Unloading
                }
                state => {
                    if state == State::Loading {
                        self.cancel_request(object);
                    } else if state == State::Decoded {
                        self.statistics.wasted_bytes += record.bytes_read;
                    }
                    self.statistics.cancelled += u64::from(state.is_pending());
                    State::Unloaded
                }
            };
            self.enter(object, to, Reason::UnloadLeft);
        }
        self.decisions.unload = unload;
    }

    fn want_what_is_ahead(&mut self) {
        let load = std::mem::take(&mut self.decisions.load);
        for &object in &load {
            let record = self.records[object as usize];
            if self.states[object as usize] == State::Unloading {
                // In the caller's hands, or evicted: it is decided about again when it is gone.
                if !record.handed_out && !record.evicted {
                    self.statistics.returned += 1;
                    if record.needed_at.is_infinite() {
                        self.unneeded.push(object);
                    }
                    self.enter(object, State::Resident, Reason::Returned);
                }
                continue;
            }
            let failure = self.failures.get(&object);
            if failure.is_some_and(|failure| failure.retry_at > self.now) {
                self.failed.push(object);
                self.enter(object, State::Failed, Reason::LoadEnteredTooSoon);
            } else {
                let sudden = self.rectangles(object).need.contains(self.position);
                self.statistics.sudden_loads += u64::from(sudden);
                let excused = sudden || failure.is_some();
                self.queue_up(object, excused, Reason::LoadEntered);
            }
        }
        self.decisions.load = load;
    }

    fn retry_failed(&mut self) {
        let mut failed = std::mem::take(&mut self.failed);
        failed.retain(|&object| {
            let waits = self.states[object as usize] == State::Failed
                && self
                    .failures
                    .get(&object)
                    .is_some_and(|failure| failure.retry_at > self.now);
            if !waits && self.states[object as usize] == State::Failed {
                self.queue_up(object, true, Reason::BackOffOver);
            }
            waits
        });
        self.failed = failed;
    }

    fn order_by_urgency(&mut self) {
        let mut queue = std::mem::take(&mut self.queue);
        queue.retain_mut(|entry| {
            entry.set_urgency(self.urgency(entry.object));
            self.states[entry.object as usize] == State::Queued
        });
        queue.sort_unstable_by(|a, b| a.urgency().compare(a.object, &b.urgency(), b.object));
        self.queue = queue;

        let mut decoded = std::mem::take(&mut self.decoded);
        decoded.retain_mut(|entry| {
            entry.urgency = self.urgency(entry.object);
            self.states[entry.object as usize] == State::Decoded
        });
        decoded.sort_unstable_by(|a, b| a.urgency.compare(a.object, &b.urgency, b.object));
        self.decoded = decoded;
    }

    fn start_requests(&mut self) {
        let mut bytes_in_flight = self.bytes_in_flight();
        let mut held = self.held_bytes();
        let mut started = 0;
        // Strictly in order: letting small requests pass would starve a large one.
        while let Some(entry) = self.queue.get(started) {
            let object = entry.object;
            let WorldObject { bytes, asset, .. } = self.objects[object as usize];
            let more = bytes_in_flight.saturating_add(bytes);
            if self.flights.len() >= self.settings.requests_in_flight as usize {
                self.bound.requests = true;
                break;
            }
            if bytes_in_flight > 0 && more > self.settings.bytes_in_flight {
                self.bound.bytes_in_flight = true;
                break;
            }
            if bytes > self.settings.memory_cap {
                let cap = self.settings.memory_cap;
                let sentence =
                    format!("object {object} takes {bytes} bytes, but the memory cap is {cap}");
                self.fail(object, sentence, Reason::LoadFailed);
                started += 1;
                continue;
            }
            // Where somebody has to go first, this is tried again when they are gone.
            if held.saturating_add(bytes) > self.settings.memory_cap {
                break;
            }
            let Some(path) = self.assets.get(asset as usize) else {
                let sentence = format!(
                    "object {object} has asset {asset}, but the world has only {} assets",
                    self.assets.len()
                );
                self.fail(object, sentence, Reason::LoadFailed);
                started += 1;
                continue;
            };
            let ticket = self.ticket(object);
            let request = Request {
                ticket,
                asset,
                path: path.clone(),
                bytes,
            };
            if !self.loader.start(request, self.now) {
                break;
            }
            self.flights.push(Flight {
                ticket,
                bytes,
                cancelled: false,
            });
            self.enter(object, State::Loading, Reason::Started);
            bytes_in_flight = more;
            held = held.saturating_add(bytes);
            started += 1;
        }
        self.queue.drain(..started);
    }

    /// Notes which objects are needed from now on, and counts those that are late.
    fn note_needs(&mut self) {
        let (mut late, mut needed, mut looks) = (0, 0, 0);
        let mut look = |object: u32| {
            looks += 1;
            let need = Rectangles::of(&self.objects[object as usize], &self.settings).need;
            let record = &mut self.records[object as usize];
            if record.needed_at.is_infinite() && need.contains(self.position) {
                record.needed_at = self.now;
                needed += 1;
                late += u64::from(!record.excused);
            }
        };
        self.queue.iter().for_each(|entry| look(entry.object));
        self.decoded.iter().for_each(|decoded| look(decoded.object));
        for flight in &self.flights {
            // A cancelled request is not the object's; if the object was asked for anew, it is in another list.
            if !flight.cancelled {
                look(flight.ticket.object);
            }
        }
        self.statistics.late_loads += late;

        let mut unneeded = std::mem::take(&mut self.unneeded);
        unneeded.retain(|&object| {
            if self.states[object as usize] != State::Resident {
                return false;
            }
            looks += 1;
            let is_needed = self.rectangles(object).need.contains(self.position);
            if is_needed {
                self.records[object as usize].needed_at = self.now;
                needed += 1;
            }
            !is_needed
        });
        self.statistics.needed += needed;
        self.unneeded = unneeded;
        self.tests.need = looks;
    }
}

/// The means of those steps.
impl<L: Loader> Streaming<L> {
    fn ticket(&self, object: u32) -> Ticket {
        Ticket {
            object,
            generation: self.records[object as usize].generation,
        }
    }

    fn urgency(&self, object: u32) -> Urgency {
        let body = self.objects[object as usize].aabb();
        let need = self.rectangles(object).need;
        Urgency::of(body, need, self.position, self.velocity)
    }

    fn pending_count(&self) -> u32 {
        [State::Queued, State::Loading, State::Decoded]
            .map(|state| self.counts[state as usize])
            .iter()
            .sum()
    }

    /// Changes a state, and everything that follows from states.
    fn enter(&mut self, object: u32, to: State, reason: Reason) {
        let from = std::mem::replace(&mut self.states[object as usize], to);
        self.counts[from as usize] -= 1;
        self.counts[to as usize] += 1;
        let metadata = &self.objects[object as usize];
        if from.is_wanted() != to.is_wanted() {
            self.trees
                .toggle(object, metadata, to.is_wanted(), &self.settings);
        }
        // What waits for its release still takes its place in memory.
        let is_held = |state| matches!(state, State::Resident | State::Unloading);
        match (is_held(from), is_held(to)) {
            (false, true) => {
                self.resident_bytes = self.resident_bytes.saturating_add(metadata.bytes)
            }
            (true, false) => {
                self.resident_bytes = self.resident_bytes.saturating_sub(metadata.bytes)
            }
            _ => {}
        }
        let bytes = metadata.bytes;
        if to == State::Unloading {
            self.unloading_bytes = self.unloading_bytes.saturating_add(bytes);
        } else if from == State::Unloading {
            self.unloading_bytes = self.unloading_bytes.saturating_sub(bytes);
            self.records[object as usize].evicted = false;
        }
        let record = &mut self.records[object as usize];
        if to == State::Resident {
            record.used_at = self.now;
            if !record.listed {
                record.listed = true;
                self.residents.push(object);
            }
        }
        self.statistics.peak_resident_bytes =
            self.statistics.peak_resident_bytes.max(self.resident_bytes);
        self.history.note(Transition {
            at: self.now,
            object,
            to,
            reason,
        });
    }

    fn cancel_request(&mut self, object: u32) {
        let ticket = self.ticket(object);
        self.loader.cancel(ticket);
        for flight in &mut self.flights {
            flight.cancelled |= flight.ticket == ticket;
        }
        let record = &mut self.records[object as usize];
        record.generation = record.generation.wrapping_add(1);
    }

    fn queue_up(&mut self, object: u32, excused: bool, reason: Reason) {
        let record = &mut self.records[object as usize];
        record.queued_at = self.now;
        record.needed_at = f64::INFINITY;
        record.bytes_read = 0;
        record.excused = excused;
        self.statistics.queued += 1;
        self.push_to_queue(object);
        self.enter(object, State::Queued, reason);
    }

    /// Adds `object` at the end of the queue, which is sorted later in the same update.
    fn push_to_queue(&mut self, object: u32) {
        let Urgency {
            time_to_need,
            distance_sq,
        } = self.urgency(object);
        self.queue.push(QueueEntry {
            object,
            time_to_need,
            distance_sq,
        });
    }

    fn fail(&mut self, object: u32, sentence: String, reason: Reason) {
        let attempts = self
            .failures
            .get(&object)
            .map_or(0, |failure| failure.attempts)
            .saturating_add(1);
        let retry_at = self.now + self.settings.back_off(attempts);
        self.failures.insert(
            object,
            Failure {
                sentence,
                attempts,
                retry_at,
            },
        );
        self.failed.push(object);
        self.statistics.failed += 1;
        self.enter(object, State::Failed, reason);
    }

    /// Takes an object that the caller is uploading off the list; false if there is no such.
    fn take_back_upload(&mut self, object: u32) -> bool {
        let place = self
            .decoded
            .iter()
            .position(|decoded| decoded.object == object && decoded.image.is_none());
        if let Some(place) = place {
            self.decoded.remove(place);
            self.records[object as usize].handed_out = false;
        }
        place.is_some()
    }
}

fn throttle(settings: &Settings) -> Throttle {
    Throttle {
        mbps: settings.mbps,
        latency_ms: settings.latency_ms,
    }
}
