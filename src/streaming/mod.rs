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
//! A [`Tour`] does all of that, a tick at a time, around a character whom it moves: what a window, a replay and a headless run
//! have in common. It can be kept and gone on from ([`Tour::keep`]), and fills in what a view shows ([`TourPicture`]).
//!
//! Its objects can be edited while it streams ([`ObjectsEdit`]).
//!
//! What a decision looks at, and why, can be told event by event ([`Tour::hear_next_decision`]).
//!
//! Sources: goldpotion, "Quadtree for Seamless Loading" (2011). The lead, the budgets and the order by time to need are ours.
//!
//! Invariant: the clock is never read but by the [`ThreadLoader`]; `now` is given. With a [`SimulatedLoader`], and with real files
//! through a [`PacedLoader`], a run is exactly repeatable.
//!
//! Invariant: files are read by the [`loader`](ThreadLoader) and written by [`new_world`] alone.
//!
//! Invariant: the trees decide exactly as [`decisions_by_brute_force`].
//!
//! Invariant: when [`Streaming::is_settled`], whatever the character's load rectangles say is resident or failed, and
//! whatever is resident is within its unload rectangle. An object that was queued ends resident, cancelled or failed, and a
//! failed one is asked for again as long as it is wanted.

use crate::geometry::{Aabb, Vec2};
use history::History;
use holding::Holding;
use memory::Arriving;
use scheduler::Allowance;
use states::Record;
use std::collections::{BTreeMap, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use track::Track;
use trees::Trees;
use uploads::Decoded;

pub mod assets;
mod character;
mod clock;
mod disk;
mod dual_tree;
mod edit;
mod fit;
mod history;
mod holding;
mod index;
mod inspect;
mod keep;
mod late;
mod lateness;
mod load_tree;
mod loader;
mod looked;
mod memory;
pub mod new_world;
mod paced;
mod picture;
mod picture_size;
mod pictures;
mod radix;
mod rectangles;
mod remedy;
mod renumbering;
mod reread;
mod scheduler;
mod seen;
mod settings;
mod shelf;
mod simulated;
mod start;
mod states;
mod statistics;
mod telling;
pub mod textures;
mod tour;
mod track;
mod traveller;
mod trees;
mod unload_tree;
mod update;
mod uploads;
mod validate;
mod why;
mod world;

pub use character::{Character, Mover};
pub use clock::Clock;
pub use edit::{Newcomer, ObjectsEdit};
pub use fit::pictures_beyond_the_cap;
pub use history::{Reason, Transition};
pub use index::Index;
pub use inspect::{Amounts, ObjectView, TreesView};
pub use keep::Resumable;
pub use late::{LateAsk, Latecomers, Pending, called, is_meant};
pub use lateness::{Lateness, span};
pub use loader::{
    Completion, FILE_BYTE_LIMIT, Image, LoadError, Loader, Outcome, PICTURE_SIDE_LIMIT, Request,
    ThreadLoader, Throttle, Ticket, byte_sizes, load_picture, load_picture_below, picture_sizes,
};
pub use looked::{Looked, LookedBox};
pub use paced::{PacedLoader, PacedPromises};
pub use picture::{ObjectPicture, TourAsk, TourPicture, TreeBox};
pub use picture_size::{PictureSize, SHOWN_SIDE};
pub use pictures::{MOST_PICTURES, TextureJob};
pub use rectangles::{CutAhead, NeedReach, Rectangles, way_ahead};
pub use remedy::Remedy;
pub use renumbering::Renumberings;
pub use reread::REREAD_BUDGET;
pub use scheduler::{Bound, QueueEntry, Urgency};
pub use settings::Settings;
pub use simulated::SimulatedLoader;
pub use states::{Failure, State};
pub use statistics::{FrameTests, Reread, Samples, Statistics};
pub use telling::{HeardDecision, Tree};
pub use tour::{Figures, Kept, Tour, USUAL_DISK};
pub use traveller::{TELEPORT_METRES, Traveller, recorded, sketch};
pub use trees::{Decisions, decisions_by_brute_force};
pub use uploads::Upload;
pub use why::EVENTS_TOLD;
pub use world::WorldObject;

/// A request that the loader has not answered yet.
#[derive(Clone, Debug)]
struct Flight {
    ticket: Ticket,
    whose: Whose,
    bytes: u64,
    /// Whether nobody waits for it any more. It takes its place among the requests until the loader is done with it.
    cancelled: bool,
}

/// For whom a request was made.
#[derive(Clone, Copy, Debug)]
enum Whose {
    /// For the object that has this number now.
    Object(u32),
    /// For one that was taken out of the world since, so that nobody waits for it.
    Nobody {
        /// The asset whose picture it holds until it is answered.
        picture: u32,
        /// What it takes beside that.
        own_bytes: u64,
    },
}

impl Flight {
    /// The object that waits for it.
    fn waiting(&self) -> Option<u32> {
        match self.whose {
            Whose::Object(object) if !self.cancelled => Some(object),
            _ => None,
        }
    }
}

/// The objects of a world, their states, and whoever decides about them.
#[derive(Debug)]
pub struct Streaming<L: Loader> {
    objects: Arc<[WorldObject]>,
    /// Those with which it began, which all that is kept of it shares.
    first_objects: Arc<[WorldObject]>,
    assets: Arc<[Arc<Path>]>,
    settings: Settings,
    /// Those of the last update.
    decided_with: Settings,
    /// Whether objects were edited since then.
    is_edited: bool,
    loader: L,

    now: f64,
    position: Vec2,
    velocity: Vec2,
    way: Aabb,

    states: Vec<State>,
    records: Vec<Record>,
    /// What the generations of tickets are counted from. Grows when objects get other numbers, so that no ticket names two requests.
    first_generation: u32,
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
    /// By object: how often its picture was refused after it was taken to be there.
    refusals: BTreeMap<u32, u32>,

    allowance: Allowance,
    bound: Bound,
    /// Reused by every update.
    completions: Vec<Completion>,
    /// Reused whenever it is noted how large a memory cap would have done.
    arriving: Vec<Arriving>,
    /// Who has which picture, and what that takes.
    holding: Holding,
    /// What all that is there takes beside its pictures.
    resident_bytes: u64,
    /// Of those the bytes of what waits for its release.
    unloading_bytes: u64,
    tests: FrameTests,
    statistics: Statistics,
    history: History,
    /// Where the character was lately, and how busy the disk.
    track: Track,
    /// By object: how late it came, as long as it has not been asked for anew.
    lateness: BTreeMap<u32, Lateness>,
    /// Those of them who came since the last update.
    came_late: Vec<u32>,
    /// How objects were given other numbers.
    renumberings: Renumberings,
    /// Of every change of state so far.
    fingerprint: u64,
}

impl<L: Loader> Streaming<L> {
    /// A world in which nothing is loaded yet. `assets` are the files that [`WorldObject::asset`] counts.
    pub fn new(
        objects: impl Into<Arc<[WorldObject]>>,
        assets: impl IntoIterator<Item = PathBuf>,
        settings: Settings,
        mut loader: L,
    ) -> Self {
        let objects: Arc<[WorldObject]> = objects.into();
        let settings = settings.in_range();
        let states = vec![State::Unloaded; objects.len()];
        let mut counts = [0; State::ALL.len()];
        counts[State::Unloaded as usize] = objects.len() as u32;
        loader.set_throttle(throttle(&settings));
        let assets: Arc<[Arc<Path>]> = assets.into_iter().map(Arc::from).collect();
        Self {
            trees: Trees::new(trees::World {
                objects: &objects,
                states: &states,
                settings: &settings,
            }),
            records: vec![Record::NEW; objects.len()],
            first_generation: 0,
            first_objects: objects.clone(),
            objects,
            holding: Holding::new(assets.len()),
            assets,
            settings,
            decided_with: settings,
            is_edited: false,
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
            refusals: BTreeMap::new(),
            allowance: Allowance::default(),
            bound: Bound::default(),
            completions: Vec::new(),
            arriving: Vec::new(),
            resident_bytes: 0,
            unloading_bytes: 0,
            tests: FrameTests {
                index: settings.index,
                ..FrameTests::default()
            },
            statistics: Statistics::default(),
            history: History::default(),
            track: Track::default(),
            lateness: BTreeMap::new(),
            came_late: Vec::new(),
            renumberings: Renumberings::default(),
            fingerprint: 0,
        }
    }

    /// The same with the size of each picture, by asset, and, by object, whether it takes no more memory than its picture: an
    /// object of which nobody has said how many bytes it takes. To be said before the first update.
    pub fn with_pictures(
        mut self,
        sizes: Vec<PictureSize>,
        are_pictures: impl Into<Arc<[bool]>>,
    ) -> Self {
        self.holding = Holding::new(self.assets.len()).knowing(sizes, are_pictures.into());
        self
    }

    /// The same with the character here before the first update, for who asks how far away things are.
    fn seen_from(mut self, position: Vec2) -> Self {
        self.position = position;
        // Nobody has gone anywhere yet.
        self.way = Aabb::new(position, position);
        self
    }

    /// Takes over how large the pictures of a world of the same files were when it was opened.
    fn inherit_pictures(&mut self, other: &Self) {
        if self.assets == other.assets {
            self.holding.inherit(&other.holding);
        }
    }

    /// Changes the settings. Where the rectangles or the index change, the trees are built anew; states change with the next update.
    pub fn set_settings(&mut self, settings: Settings) {
        let settings = settings.in_range();
        let before = std::mem::replace(&mut self.settings, settings);
        self.loader.set_throttle(throttle(&settings));
        if self.has_trees_of_others(&before) {
            self.trees = Trees::new(self.world());
        }
    }

    /// Whether the trees are others than with these settings.
    fn has_trees_of_others(&self, before: &Settings) -> bool {
        self.settings.index != before.index || !self.settings.has_rectangles_of(before)
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
    pub(crate) fn loader(&self) -> &L {
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
}

fn throttle(settings: &Settings) -> Throttle {
    Throttle {
        mbps: settings.mbps,
        latency_ms: settings.latency_ms,
    }
}
