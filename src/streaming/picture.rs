//! Everything that a view of streaming draws and its panels print, as plain data.
//!
//! Whoever runs a [`Tour`] fills a [`TourPicture`] for whoever shows it, in buffers that are reused; what never changes (objects,
//! files, paths) is shared. Its methods are named as those of the tour and of [`super::Streaming`].

use super::tour::{residents, smallest_at};
use super::{
    Bound, Clock, Decisions, Failure, Figures, FrameTests, LateAsk, Lateness, Loader, Looked,
    Mover, Pending, QueueEntry, Rectangles, Remedy, Renumberings, Reread, Settings, State,
    Statistics, Tour, Transition, WorldObject,
};
use crate::geometry::{Aabb, Vec2};
use crate::partition::{Region, RegionQuery, Role, Shape};
use crate::scene::Path as Way;
use std::path::Path;
use std::sync::Arc;

/// What a picture is asked for beside what every picture has.
#[derive(Clone, Debug, PartialEq)]
pub struct TourAsk {
    /// What is seen of the world; only the nodes of the trees go by it.
    pub view: Aabb,
    /// Nodes smaller than this are left out, in metres.
    pub smallest: f32,
    /// Where the cursor is: the picture says who is there.
    pub cursor: Option<Vec2>,
    /// Whose story is told.
    pub selection: Option<u32>,
    /// How late it will come, where that is known because time has been gone back in.
    pub future: Option<Lateness>,
    /// From when the seconds are counted that are told.
    pub clock: Clock,
    /// How many entries of the queue are wanted.
    pub queue: usize,
    /// How many failures are wanted.
    pub failures: usize,
    /// Whether the nodes of both trees are wanted.
    pub regions: bool,
    /// Who of those that came to be late in the last tick is wanted, which looks at all that is on its way.
    pub late: LateAsk,
    /// Whether those are wanted who came to be needed and are on their way still, which looks at all that is on its way.
    pub pending: bool,
    /// Whether the depth of the trees is to be measured, which visits every node. Else the picture keeps that of the same trees.
    pub refresh: bool,
}

impl Default for TourAsk {
    fn default() -> Self {
        Self {
            view: Aabb::EVERYTHING,
            smallest: 0.0,
            cursor: None,
            selection: None,
            future: None,
            clock: Clock::Start,
            queue: 6,
            failures: 6,
            regions: false,
            late: LateAsk::Nobody,
            pending: false,
            refresh: true,
        }
    }
}

/// A node of a tree.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TreeBox {
    /// Its box: a union, or an intersection, which is an inverted interval when it is empty.
    pub area: Aabb,
    /// Its distance from the root.
    pub depth: u16,
    /// Whose leaf it is; `None` of an inner node.
    pub object: Option<u32>,
}

/// The story of one object.
#[derive(Clone, Debug, PartialEq)]
pub struct ObjectPicture {
    /// Which.
    pub object: u32,
    /// What is known of it before it is loaded.
    pub metadata: WorldObject,
    /// Its state.
    pub state: State,
    /// Its rectangles.
    pub rectangles: Rectangles,
    /// Why it is, or is not, loaded, in sentences.
    pub why: Vec<String>,
    /// Which of them says when it was needed, by its place among them, and that moment in the seconds of its world; `None` where none does.
    pub needed: Option<(usize, f64)>,
    /// What is said to be, or to have been, enough, and the place of the sentence that says so.
    pub enough: Vec<(usize, Remedy)>,
    /// What happened to it, oldest first.
    pub history: Vec<Transition>,
    /// What went wrong lately.
    pub failure: Option<Failure>,
}

/// A tour as it is at one tick.
#[derive(Clone, Debug)]
pub struct TourPicture {
    objects: Arc<[WorldObject]>,
    assets: Arc<[Arc<Path>]>,
    paths: Arc<[Arc<Way>]>,
    states: Vec<State>,
    counts: [u32; State::ALL.len()],
    /// Of those that are being loaded, by number.
    progress: Vec<(u32, f32)>,
    settings: Settings,
    statistics: Statistics,
    tests: FrameTests,
    figures: Figures,
    reread: Reread,
    bound: Bound,
    is_as_decided: bool,
    held_bytes: u64,
    enough_bytes: Option<u64>,
    missing: u32,
    queue: Vec<QueueEntry>,
    queue_length: usize,
    failures: Vec<(u32, Failure)>,
    failure_count: usize,
    decisions: Decisions,
    resident_bytes: u64,
    requests_in_flight: u32,
    tree_bytes: usize,
    tree_depths: (u32, u32),
    character: Vec2,
    velocity: Vec2,
    way: Aabb,
    trail: Vec<Vec2>,
    mover: Mover,
    speed: f32,
    is_recording: bool,
    recorded: Vec<Vec2>,
    ticks: u64,
    now: f64,
    clock: Clock,
    hash: u64,
    looked: Looked,
    load_regions: Vec<TreeBox>,
    unload_regions: Vec<TreeBox>,
    hovered: Option<ObjectPicture>,
    selected: Option<ObjectPicture>,
    late: Option<Vec<u32>>,
    pending: Vec<Pending>,
    has_pending: bool,
    renumberings: Renumberings,
}

impl Default for TourPicture {
    fn default() -> Self {
        Self {
            objects: Arc::new([]),
            assets: Arc::new([]),
            paths: Arc::new([]),
            states: Vec::new(),
            counts: [0; State::ALL.len()],
            progress: Vec::new(),
            settings: Settings::default(),
            statistics: Statistics::default(),
            tests: FrameTests::default(),
            figures: Figures::default(),
            reread: Reread::default(),
            bound: Bound::default(),
            is_as_decided: true,
            held_bytes: 0,
            enough_bytes: None,
            missing: 0,
            queue: Vec::new(),
            queue_length: 0,
            failures: Vec::new(),
            failure_count: 0,
            decisions: Decisions::default(),
            resident_bytes: 0,
            requests_in_flight: 0,
            tree_bytes: 0,
            tree_depths: (0, 0),
            character: Vec2::ZERO,
            velocity: Vec2::ZERO,
            way: Aabb::new(Vec2::ZERO, Vec2::ZERO),
            trail: Vec::new(),
            mover: Mover::Nobody,
            speed: 0.0,
            is_recording: false,
            recorded: Vec::new(),
            ticks: 0,
            now: 0.0,
            clock: Clock::Start,
            hash: 0,
            looked: Looked::default(),
            load_regions: Vec::new(),
            unload_regions: Vec::new(),
            hovered: None,
            selected: None,
            late: None,
            pending: Vec::new(),
            has_pending: false,
            renumberings: Renumberings::default(),
        }
    }
}

impl<L: Loader> Tour<L> {
    /// Fills in what is shown.
    pub fn picture(&self, ask: &TourAsk, into: &mut TourPicture) {
        let streaming = &self.streaming;
        let is_other = !Arc::ptr_eq(&into.objects, streaming.shared_objects());
        if is_other {
            // Another world: what is not refreshed each time is not this one's.
            *into = TourPicture {
                objects: streaming.shared_objects().clone(),
                assets: streaming.assets().clone(),
                ..TourPicture::default()
            };
        }
        // How deep a tree was says nothing of one that has come in its place.
        let has_other_trees = is_other || into.settings.index != streaming.settings().index;
        if ask.refresh || has_other_trees {
            into.tree_depths = streaming.tree_depths();
        }
        into.tree_bytes = streaming.tree_byte_count();
        into.renumberings = streaming.renumberings().clone();
        into.paths.clone_from(&self.character.paths);
        into.states.clear();
        into.states.extend_from_slice(streaming.states());
        into.counts = streaming.counts();
        into.progress.clear();
        into.progress.extend(streaming.loading());
        into.progress.sort_unstable_by_key(|(object, _)| *object);
        into.settings = *streaming.settings();
        into.statistics.copy_from(streaming.statistics());
        into.tests = streaming.tests();
        into.figures = *self.figures();
        into.reread = self.reread();
        into.bound = streaming.bound();
        into.is_as_decided = streaming.is_as_decided();
        into.held_bytes = streaming.held_bytes();
        // It goes through the whole queue; of the same tick it is known, and of no other one.
        let is_same = (into.ticks, into.hash) == (self.ticks(), self.hash());
        let is_known = is_same && !ask.refresh && streaming.is_bound_by_memory();
        let is_enough = |known: &u64| is_known && *known > streaming.settings().memory_cap;
        let known = into.enough_bytes.filter(is_enough);
        into.enough_bytes = known.or_else(|| streaming.enough_while_bound());
        into.missing = streaming.missing_at(self.character().position());
        into.queue.clear();
        into.queue
            .extend(streaming.queue().iter().take(ask.queue).copied());
        // As long as nothing happens it is the same.
        let is_known = is_same && !ask.refresh && into.has_pending;
        if !ask.pending {
            into.pending.clear();
        } else if !is_known {
            streaming.pending_needs(&mut into.pending);
        }
        into.has_pending = ask.pending;
        into.queue_length = streaming.queue().len();
        into.failures.clear();
        let failures = streaming.failures().take(ask.failures);
        into.failures
            .extend(failures.map(|(object, failure)| (object, failure.clone())));
        into.failure_count = streaming.failures().count();
        into.decisions.clone_from(streaming.decisions());
        into.resident_bytes = streaming.resident_bytes();
        into.requests_in_flight = streaming.requests_in_flight();
        into.character = self.character().position();
        into.velocity = self.character().velocity();
        into.way = streaming.way();
        into.trail.clear();
        into.trail.extend_from_slice(self.character().trail());
        into.mover = self.character().mover();
        into.speed = self.character().speed();
        into.is_recording = self.character().is_recording();
        into.recorded.clear();
        into.recorded.extend(self.character().recorded_way());
        into.ticks = self.ticks();
        (into.now, into.clock) = (self.now(), ask.clock);
        into.hash = self.hash();
        into.looked.copy_from(&self.looked);
        self.gather_regions(ask, into);
        let hovered = ask.cursor.and_then(|cursor| self.object_at(cursor));
        into.hovered =
            hovered.and_then(|object| self.story(object, (ask.clock, None), into.enough_bytes));
        into.late = match &ask.late {
            LateAsk::Nobody => None,
            LateAsk::All => Some(self.late_objects(None)),
            // A mark that stands for neighbours has names of other ticks as well.
            LateAsk::Meant(sought) => {
                let meant = Some(self.late_objects(Some(sought)));
                let meant = meant.filter(|meant| !meant.is_empty());
                meant.or_else(|| Some(self.late_objects(None)))
            }
        };
        let selected = ask.selection;
        into.selected = selected.and_then(|object| {
            self.story(object, (ask.clock, ask.future.as_ref()), into.enough_bytes)
        });
    }

    /// The story of one object, by the seconds of this tour; `None` where there is no such object.
    pub fn object_picture(&self, object: u32) -> Option<ObjectPicture> {
        let enough = self.streaming.enough_while_bound();
        self.story(object, (Clock::Start, None), enough)
    }

    fn story(
        &self,
        object: u32,
        (clock, future): (Clock, Option<&Lateness>),
        enough: Option<u64>,
    ) -> Option<ObjectPicture> {
        let streaming = &self.streaming;
        let metadata = *streaming.objects().get(object as usize)?;
        let failure = streaming.failure(object).cloned();
        let why = streaming.why_knowing(object, clock, future, enough);
        Some(ObjectPicture {
            object,
            metadata,
            state: streaming.states()[object as usize],
            rectangles: streaming.rectangles(object),
            why: why.sentences,
            needed: why.needed,
            enough: why.enough,
            history: streaming.history(object).copied().collect(),
            failure,
        })
    }

    fn gather_regions(&self, ask: &TourAsk, into: &mut TourPicture) {
        into.load_regions.clear();
        into.unload_regions.clear();
        if !ask.regions {
            return;
        }
        let query = RegionQuery {
            area: ask.view,
            min_size: ask.smallest,
        };
        let streaming = &self.streaming;
        let (load, unload) = (&mut into.load_regions, &mut into.unload_regions);
        streaming.load_regions(query, &mut |region| {
            load.extend(tree_box(&region, |id| streaming.load_leaf(id)));
        });
        streaming.unload_regions(query, &mut |region| {
            unload.extend(tree_box(&region, |id| streaming.unload_leaf(id)));
        });
    }
}

fn tree_box(region: &Region<'_>, leaf: impl Fn(u32) -> Option<u32>) -> Option<TreeBox> {
    let Shape::Rect(area) = region.shape else {
        return None;
    };
    Some(TreeBox {
        area,
        depth: region.depth,
        object: if region.role == Role::Leaf {
            leaf(region.id)
        } else {
            None
        },
    })
}

/// The world.
impl TourPicture {
    /// The objects, by number.
    pub fn objects(&self) -> &[WorldObject] {
        &self.objects
    }

    /// How objects were given other numbers so far.
    pub fn renumberings(&self) -> &Renumberings {
        &self.renumberings
    }

    /// The file of an asset.
    pub fn asset(&self, asset: u32) -> Option<&Path> {
        self.assets.get(asset as usize).map(|path| &**path)
    }

    /// The box of an object, which must exist.
    pub fn body(&self, object: u32) -> Aabb {
        self.objects[object as usize].aabb()
    }

    /// The smallest object at this point.
    pub fn object_at(&self, point: Vec2) -> Option<u32> {
        smallest_at(&self.objects, point)
    }

    /// The state of each object, by number.
    pub fn states(&self) -> &[State] {
        &self.states
    }

    /// How many objects are in each state, in the order of [`State::ALL`].
    pub fn counts(&self) -> [u32; State::ALL.len()] {
        self.counts
    }

    /// The objects that are there, by number.
    pub fn resident_ids(&self) -> Vec<u32> {
        residents(&self.states)
    }

    /// How far `object` has come: 0 while nothing of it is read, 1 once it is decoded.
    pub fn progress(&self, object: u32) -> f32 {
        match self.states.get(object as usize) {
            Some(State::Loading) => self
                .progress
                .binary_search_by_key(&object, |(object, _)| *object)
                .map_or(0.0, |place| self.progress[place].1),
            Some(State::Decoded | State::Resident | State::Unloading) => 1.0,
            _ => 0.0,
        }
    }

    /// The rectangles of `object`, which must exist.
    pub fn rectangles(&self, object: u32) -> Rectangles {
        Rectangles::of(&self.objects[object as usize], &self.settings)
    }

    /// The settings in force.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// What happened so far, in figures.
    pub fn statistics(&self) -> &Statistics {
        &self.statistics
    }

    /// The rectangle tests of the last tick.
    pub fn tests(&self) -> FrameTests {
        self.tests
    }

    /// What the last tick came to.
    pub fn figures(&self) -> &Figures {
        &self.figures
    }

    /// What going over known time again took of the disk.
    pub fn reread(&self) -> Reread {
        self.reread
    }

    /// Which budgets were used up in the last tick.
    pub fn bound(&self) -> Bound {
        self.bound
    }

    /// Whether neither settings nor objects were changed since the last tick: else what that found is not so any more.
    pub fn is_as_decided(&self) -> bool {
        self.is_as_decided
    }

    /// The most urgent of what waits to be loaded, as many as were asked for.
    pub fn queue(&self) -> &[QueueEntry] {
        &self.queue
    }

    /// How many wait to be loaded.
    pub fn queue_length(&self) -> usize {
        self.queue_length
    }

    /// Objects that could not be loaded lately, by number, as many as were asked for.
    pub fn failures(&self) -> &[(u32, Failure)] {
        &self.failures
    }

    /// How many could not be loaded lately.
    pub fn failure_count(&self) -> usize {
        self.failure_count
    }

    /// What the last tick decided.
    pub fn decisions(&self) -> &Decisions {
        &self.decisions
    }

    /// The bytes of all that is there or on its way.
    pub fn held_bytes(&self) -> u64 {
        self.held_bytes
    }

    /// A memory cap that would be enough for all that is there and asked for; known while the one in force keeps the queue waiting.
    pub fn enough_bytes(&self) -> Option<u64> {
        self.enough_bytes
    }

    /// How many bytes the files have that are being read, on average; `None` while none is.
    pub fn mean_bytes_in_flight(&self) -> Option<f64> {
        let objects = self.progress.iter();
        let files = objects.filter_map(|(object, _)| self.objects.get(*object as usize));
        let sum: f64 = files.map(|it| it.bytes as f64).sum();
        let count = self.progress.len();
        (count > 0).then(|| sum / count as f64)
    }

    /// The bytes of all that is there.
    pub fn resident_bytes(&self) -> u64 {
        self.resident_bytes
    }

    /// Requests that the loader has not answered yet.
    pub fn requests_in_flight(&self) -> u32 {
        self.requests_in_flight
    }

    /// Objects that the character needs where it is, as the world stands, and that are neither there nor have failed.
    pub fn missing_count(&self) -> u32 {
        self.missing
    }

    /// The bytes of the trees.
    pub fn tree_byte_count(&self) -> usize {
        self.tree_bytes
    }

    /// The steps from root to deepest leaf of the load and of the unload tree, when they were measured last.
    pub fn tree_depths(&self) -> (u32, u32) {
        self.tree_depths
    }

    /// What the last tick looked at in order to decide.
    pub fn looked(&self) -> &Looked {
        &self.looked
    }

    /// The nodes of the load tree in view, parents first; none unless they were asked for.
    pub fn load_regions(&self) -> &[TreeBox] {
        &self.load_regions
    }

    /// The nodes of the unload tree in view, parents first; none unless they were asked for.
    pub fn unload_regions(&self) -> &[TreeBox] {
        &self.unload_regions
    }

    /// Who is under the cursor.
    pub fn hovered(&self) -> Option<&ObjectPicture> {
        self.hovered.as_ref()
    }

    /// Those who came to be late in the last tick and were asked for, by ascending number.
    pub fn late(&self) -> &[u32] {
        self.late.as_deref().unwrap_or_default()
    }

    /// Those who came to be needed and are on their way still, by ascending number; nobody where they were not asked for.
    pub fn pending_needs(&self) -> &[Pending] {
        &self.pending
    }

    /// Whether these were asked for.
    pub fn has_pending_needs(&self) -> bool {
        self.has_pending
    }

    /// Who is selected.
    pub fn selected(&self) -> Option<&ObjectPicture> {
        self.selected.as_ref()
    }
}

/// The character.
impl TourPicture {
    /// Where it is.
    pub fn character(&self) -> Vec2 {
        self.character
    }

    /// Where it goes, in m/s.
    pub fn velocity(&self) -> Vec2 {
        self.velocity
    }

    /// Where it will be in so many seconds if it goes on as it does.
    pub fn predicted(&self, seconds: f32) -> Vec2 {
        self.character + self.velocity * seconds
    }

    /// The box of the way that it is about to go.
    pub fn way(&self) -> Aabb {
        self.way
    }

    /// Where it was, oldest first.
    pub fn trail(&self) -> &[Vec2] {
        &self.trail
    }

    /// The paths that it can go.
    pub fn paths(&self) -> &[Arc<Way>] {
        &self.paths
    }

    /// Who moves it.
    pub fn mover(&self) -> Mover {
        self.mover
    }

    /// Whether a hand has it.
    pub fn is_grabbed(&self) -> bool {
        self.mover == Mover::Mouse
    }

    /// How fast it goes along a path and by keys, in m/s.
    pub fn speed(&self) -> f32 {
        self.speed
    }

    /// Whether its way is being recorded.
    pub fn is_recording(&self) -> bool {
        self.is_recording
    }

    /// Where it went since the recording began, in a few points; none while nothing is recorded.
    pub fn recorded_way(&self) -> &[Vec2] {
        &self.recorded
    }

    /// Ticks since the start.
    pub fn ticks(&self) -> u64 {
        self.ticks
    }

    /// Seconds since the start.
    pub fn now(&self) -> f64 {
        self.now
    }

    /// From when these are counted.
    pub fn clock(&self) -> Clock {
        self.clock
    }

    /// The fingerprint of everything until the last tick.
    pub fn hash(&self) -> u64 {
        self.hash
    }
}

#[cfg(test)]
mod tests;
