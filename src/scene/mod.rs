//! A scene: validated plain data from which a battle and a world are made.
//!
//! A [`Scene`] is what the user edits and saves. It keeps generators as generators, so that it writes back as it was read;
//! `generate` turns them into units and objects.
//!
//! Invariant: a `Scene` is valid. Whoever makes one from outside data goes through `file`, which checks every limit
//! before memory is taken and names file, line and column of what is wrong.

use crate::geometry::{Aabb, Vec2};
use crate::partition::{AnyPartition, Kind, KnobError};
use crate::structure::{AnyKind, StructureKind};
use crate::volume::{Aabb3, AnyPartition3, Vec3};

mod added;
pub mod file;
pub mod generate;
pub mod limits;
mod muster;
mod objects;
mod view;
mod volume;

pub use added::Spot;
pub use muster::Muster;
pub use view::{Labels, SourceRule, View, ViewBox, ViewKind, ViewLayer};
pub use volume::{Flock, Formation3, Hills, Motion, Orbit, StructureChoice3, Volume};

/// A battlefield, who stands on it, the world around it, and the structure chosen for it.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// The title.
    pub name: String,
    /// One or two sentences that say what to look at; empty for none.
    pub caption: String,
    /// The bounds of the field, in metres. Units may leave it.
    pub field: Aabb,
    /// Seeds every generator and the battle's own chance.
    pub seed: u64,
    /// By what every reach is multiplied, from 0 to [`limits::MAX_REACH_SCALE`]; 1 leaves it.
    pub reach_scale: f32,
    /// How far apart the units of its armies try to keep, from edge to edge, in metres, from 0 to [`limits::MAX_KEEP_APART`]. At 0 they may
    /// touch, and no pair is looked for beyond their reach. Of a volume it means nothing.
    pub keep_apart: f32,
    /// The armies, in the order in which their units are numbered.
    pub armies: Vec<Army>,
    /// The world that streams around the character; `None` for a battle alone.
    pub world: Option<World>,
    /// What makes it a scene of the third dimension, with its own flocks and structures: then there are no armies, no world and no
    /// character, and [`Scene::structure`] and [`Scene::lanes`] mean nothing.
    pub volume: Option<Volume>,
    /// The structure and its knobs.
    pub structure: StructureChoice,
    /// The structures that follow the same battle beside it, in order; a file names at most [`limits::MAX_LANES`] - 1.
    pub lanes: Vec<StructureChoice>,
    /// What the window shows at first; `None` frames the whole field.
    pub camera: Option<Camera>,
    /// How it is looked at.
    pub view: View,
    /// Around whom the world streams.
    pub character: Option<Character>,
}

impl Scene {
    /// Whether another scene is the same, however both are looked at: through which camera, and with what shown.
    pub fn is_but_for_looks(&self, other: &Self) -> bool {
        self.has_same_structures(other) && self.is_but_for_structures(other)
    }

    /// Whether both are followed by the same structures with the same values.
    pub fn has_same_structures(&self, other: &Self) -> bool {
        let is_same_volume = match (&self.volume, &other.volume) {
            (Some(own), Some(others)) => own.has_same_structures(others),
            (own, others) => own.is_none() && others.is_none(),
        };
        self.structure.is_like(&other.structure)
            && are_alike(&self.lanes, &other.lanes)
            && is_same_volume
    }

    /// Whether another scene is the same, whichever structures follow either of them, and however both are looked at.
    pub fn is_but_for_structures(&self, other: &Self) -> bool {
        self.streams_as(other) && self.is_but_for_settings(other)
    }

    /// Whether the worlds of both are set to stream alike, and their characters to go alike.
    pub fn is_set_as(&self, other: &Self) -> bool {
        self.streams_as(other) && self.character == other.character
    }

    fn streams_as(&self, other: &Self) -> bool {
        match (&self.world, &other.world) {
            (Some(own), Some(others)) => own.has_same_settings(others),
            (own, others) => own.is_none() && others.is_none(),
        }
    }

    /// The same, and however the worlds of both are set to stream: who and what is in it is where it was.
    pub fn is_but_for_settings(&self, other: &Self) -> bool {
        let Self {
            name,
            caption,
            field,
            seed,
            reach_scale,
            keep_apart,
            armies,
            world,
            volume,
            structure: _,
            lanes: _,
            camera: _,
            view: _,
            character,
        } = self;
        let is_same_volume = match (volume, &other.volume) {
            (Some(own), Some(others)) => own.is_but_for_structures(others),
            (own, others) => own.is_none() && others.is_none(),
        };
        (name, caption, field, seed) == (&other.name, &other.caption, &other.field, &other.seed)
            && (reach_scale, keep_apart) == (&other.reach_scale, &other.keep_apart)
            && armies == &other.armies
            && objects_of(world) == objects_of(&other.world)
            && character == &other.character
            && is_same_volume
    }
}

/// What streams in a world, where there is one.
fn objects_of(world: &Option<World>) -> Option<&[ObjectGroup]> {
    world.as_ref().map(|world| world.objects.as_slice())
}

/// A structure and the knobs that differ from their defaults, as indices into [`crate::partition::Info::knobs`].
#[derive(Clone, Debug, PartialEq)]
pub struct StructureChoice<K = Kind> {
    /// Which structure.
    pub kind: K,
    /// Index and value of each knob that is set, by ascending index.
    pub knobs: Vec<(usize, f64)>,
}

/// A structure of either dimension and its knobs.
pub type AnyChoice = StructureChoice<StructureKind>;

/// Whose unit it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Side {
    /// Starts on the left and faces right.
    Blue,
    /// Starts on the right and faces left.
    Orange,
}

impl Side {
    /// The other one.
    pub const fn enemy(self) -> Self {
        match self {
            Self::Blue => Self::Orange,
            Self::Orange => Self::Blue,
        }
    }
}

/// What a unit tries to do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Order {
    /// Stand, and strike who comes within reach.
    Hold,
    /// Run at the nearest enemy within sight, else straight at the enemy's line.
    Charge,
    /// Wander at random, and strike who comes within reach.
    Brawl,
    /// March in step in this direction (any length but zero), and turn around at the field's border.
    March(Vec2),
}

/// A number of units that have everything but their place in common.
#[derive(Clone, Debug, PartialEq)]
pub struct Army {
    /// Whose they are.
    pub side: Side,
    /// How many; for [`Formation::Explicit`] the number of positions.
    pub count: u32,
    /// Where they stand at the start.
    pub formation: Formation,
    /// What they try to do.
    pub order: Order,
    /// Top speed, in m/s; at least 0.
    pub speed: f32,
    /// How far they strike, from the edge of one unit to the edge of the other, in metres; at least 0.
    pub reach: f32,
    /// How far they see an enemy, in metres; at least 0.
    pub sight: f32,
    /// Hit points at the start; at least 1.
    pub hit_points: u16,
    /// How large they are.
    pub size: Size,
    /// The numbers of the units that were erased, from 0, in ascending order and each below `count`. They are generated
    /// and then left out, so that nobody else changes place or size.
    pub without: Vec<u32>,
    /// The units that stand elsewhere than their formation puts them, by number, in ascending order and each below `count`.
    /// Who has an [`Formation::Explicit`] place is moved there.
    pub moved: Vec<(u32, Vec2)>,
    /// The units that are of another size than `size` says, by number, in ascending order and each below `count`: half of the width and
    /// height of each.
    pub sized: Vec<(u32, Vec2)>,
}

/// Where the units of an army stand at the start. All lengths in metres.
#[derive(Clone, Debug, PartialEq)]
pub enum Formation {
    /// Evenly at random in a box.
    Uniform(Aabb),
    /// In ranks and files that fill the box as squarely as they can, with a jitter of a tenth of the spacing.
    Ranks(Aabb),
    /// Evenly at random in a ring; `inner` 0 is a disc.
    Ring {
        /// The middle.
        center: Vec2,
        /// The inner radius.
        inner: f32,
        /// The outer radius.
        outer: f32,
    },
    /// In blobs with a normal spread, whose middles are at random in the box and whose sizes follow Zipf's law. What of a blob would lie
    /// beside the field and the box is folded back at the border.
    Clusters {
        /// Where the middles may be.
        area: Aabb,
        /// How many blobs; at least 1.
        count: u32,
        /// The standard deviation of a blob.
        spread: f32,
    },
    /// Along a straight line, evenly spaced.
    Line {
        /// The first unit.
        from: Vec2,
        /// The last unit.
        to: Vec2,
    },
    /// All on one point.
    Spot(Vec2),
    /// Half of them on the horizontal and half on the vertical centre line of the box: on every split of a quadtree.
    Cross(Aabb),
    /// Exactly here.
    Explicit(Vec<Vec2>),
}

/// How large a body is, as half of its width and height in metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Size<V = Vec2> {
    /// No size.
    Point,
    /// All the same.
    Fixed(V),
    /// Squares or cubes, evenly between the two.
    Between(f32, f32),
    /// Squares or cubes whose half extent follows a Pareto law with this exponent, from the first to at most the second: many small,
    /// few very large.
    Pareto {
        /// The least half extent, greater than 0.
        min: f32,
        /// The greatest.
        max: f32,
        /// The exponent, greater than 0; the smaller, the heavier the tail.
        exponent: f32,
    },
}

/// The objects that stream, and the rectangles by which they do.
#[derive(Clone, Debug, PartialEq)]
pub struct World {
    /// The objects, in the order in which they are numbered.
    pub objects: Vec<ObjectGroup>,
    /// An object is needed within this many times its half extent of its edge.
    pub need_factor: f32,
    /// ... but at least within this distance, in metres,
    pub need_min: f32,
    /// ... and at most within this one, in metres.
    pub need_max: f32,
    /// How far the load rectangle reaches beyond the need rectangle, in metres; greater than 0.
    pub lead: f32,
    /// How far the unload rectangle reaches beyond the load rectangle, in metres; greater than 0.
    pub margin: f32,
    /// How far ahead the character's way is looked at, in seconds, from 0 to [`limits::MAX_PREDICT_SECONDS`]; `None` for as
    /// far as the program does by itself.
    pub predict_seconds: Option<f32>,
    /// How it is decided what to load and what to unload.
    pub index: WorldIndex,
    /// The disk that is simulated; `None` for the one that the program takes by itself, which a window and a measurement
    /// choose differently.
    pub disk: Option<Disk>,
    /// What streaming may use at most.
    pub budgets: Budgets,
}

/// By which structure it is decided what to load and what to unload. All of them decide the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WorldIndex {
    /// A load tree over what is absent and an unload tree over the rest.
    #[default]
    TwoTrees,
    /// One tree over all objects.
    Dual,
    /// A load tree over what is absent and an unload tree over all objects.
    WholeUnloadTree,
    /// No tree: every object is looked at.
    BruteForce,
}

/// A disk that is simulated, so that it can be slower than the one that there is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Disk {
    /// How many megabytes (10⁶ bytes) it reads in a second, from 0 to [`limits::MAX_DISK_RATE`]; 0 for no limit.
    pub mbps: f32,
    /// How long it waits before it reads a file, in milliseconds, from 0 to [`limits::MAX_DISK_RATE`].
    pub latency_ms: f32,
}

/// What streaming may use at most, in flight, in an update and in all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budgets {
    /// Requests that the loader has at once; at least 1.
    pub requests_in_flight: u32,
    /// Bytes that are asked for and not yet uploaded. One request is always allowed, however large.
    pub bytes_in_flight: u64,
    /// Pictures that are uploaded in an update; at least 1.
    pub uploads_per_update: u32,
    /// Bytes of pixels that are uploaded in an update. One picture is always allowed, however large.
    pub upload_bytes_per_update: u64,
    /// Pictures that are released in an update; at least 1.
    pub unloads_per_update: u32,
    /// Bytes of all that is there or on its way, together; at least 1.
    pub memory_cap: u64,
}

impl Default for Budgets {
    fn default() -> Self {
        Self {
            requests_in_flight: 8,
            bytes_in_flight: 32 << 20,
            uploads_per_update: 8,
            upload_bytes_per_update: 8 << 20,
            unloads_per_update: 16,
            memory_cap: 512 << 20,
        }
    }
}

/// Some objects of the world.
#[derive(Clone, Debug, PartialEq)]
pub enum ObjectGroup {
    /// One object, exactly here.
    Object {
        /// Its middle.
        center: Vec2,
        /// Half of its width and height.
        half_extent: Vec2,
        /// Its picture: a path relative to the scene's folder, with forward slashes.
        asset: String,
    },
    /// Many objects, made from the scene's seed.
    Scatter(Scatter),
}

/// Many objects of the world, made from the scene's seed.
#[derive(Clone, Debug, PartialEq)]
pub struct Scatter {
    /// How many, those that were taken away included.
    pub count: u32,
    /// Where their middles may be.
    pub area: Aabb,
    /// How large they are.
    pub size: Size,
    /// Their pictures, dealt at random: paths relative to the scene's folder.
    pub assets: Vec<String>,
    /// How many bytes each of them is said to take, evenly at random from the first to the second, in the place of what its
    /// picture's file has; `None` for that.
    pub bytes: Option<(u64, u64)>,
    /// The numbers of those that were taken away, from 0, in ascending order and each below `count`. They are generated and then
    /// left out, so that no other changes place, size or picture.
    pub without: Vec<u32>,
    /// Those that stand elsewhere than chance has put them, by number, in ascending order and each below `count`.
    pub moved: Vec<(u32, Vec2)>,
    /// Those that are of another size than chance has made them, by number, in ascending order and each below `count`: half of width and
    /// height.
    pub sized: Vec<(u32, Vec2)>,
}

/// What the window shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// The point in the middle of the view, in metres.
    pub center: Vec2,
    /// How many metres the view is high; greater than 0.
    pub height: f32,
}

/// The character around whom the world streams.
#[derive(Clone, Debug, PartialEq)]
pub struct Character {
    /// Where it stands at the start.
    pub position: Vec2,
    /// How fast it goes along a path, in m/s; greater than 0.
    pub speed: f32,
    /// Ways that it can go.
    pub paths: Vec<Path>,
    /// Which of them it goes at the start.
    pub follow: Follow,
}

/// Which way a character goes at the start.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Follow {
    /// The first of its paths, where it has any.
    #[default]
    First,
    /// The path of this name, which is one of its paths.
    Path(String),
    /// None: it stands.
    Nobody,
}

/// A way that a character can go.
#[derive(Clone, Debug, PartialEq)]
pub struct Path {
    /// What it is called; unique within the scene.
    pub name: String,
    /// What its points mean.
    pub kind: PathKind,
    /// Its points, in metres; at least one.
    pub points: Vec<Vec2>,
    /// Of a recorded path: how the character moved when it was at each point after the first, in m/s. Empty where that is the
    /// way from the point before, which a teleport interrupts.
    pub velocities: Vec<Vec2>,
}

/// What the points of a path mean.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum PathKind {
    /// Corners, joined by straight lines that are gone at the character's speed.
    #[default]
    Walk,
    /// Places to be at, one after the other and with nothing in between, this many seconds (greater than 0) at each.
    Jump(f32),
    /// Where the character was at each sixtieth of a second, so that a replay is exactly what was recorded; where its velocity
    /// does not follow from that, the path has [`Path::velocities`].
    Recorded,
}

impl Scene {
    /// What a scene is called to which nobody has given a name yet.
    pub const NEW: &str = "New scene";

    /// How far apart units try to keep where a scene does not say, in metres.
    pub const KEEP_APART: f32 = 2.0;

    /// An empty field of usual size, with two sides of which nobody is there yet; time stands still at first.
    pub fn blank(structure: StructureChoice) -> Self {
        let nobody = |side| Army::new(side, 0, Formation::Explicit(Vec::new()));
        Self {
            name: Self::NEW.to_owned(),
            caption: String::new(),
            field: Aabb::new(Vec2::ZERO, Vec2::new(480.0, 300.0)),
            seed: 1,
            reach_scale: 1.0,
            keep_apart: Self::KEEP_APART,
            armies: vec![nobody(Side::Blue), nobody(Side::Orange)],
            world: None,
            volume: None,
            structure,
            lanes: Vec::new(),
            camera: None,
            view: View {
                paused: true,
                ..View::default()
            },
            character: None,
        }
    }

    /// The bounds of what a scene of the third dimension fills; those of a field without height otherwise.
    pub fn field3(&self) -> Aabb3 {
        let (low, high) = self.volume.as_ref().map_or((0.0, 0.0), |it| it.heights);
        Aabb3::new(
            Vec3::new(self.field.min.x, self.field.min.y, low),
            Vec3::new(self.field.max.x, self.field.max.y, high),
        )
    }

    /// Which structure indexes what is in it: that of its volume, where it has one.
    pub fn structure_kind(&self) -> StructureKind {
        match &self.volume {
            Some(volume) => volume.structure.kind.into(),
            None => self.structure.kind.into(),
        }
    }

    /// The structure of its own dimension, with its knobs.
    pub fn own_choice(&self) -> AnyChoice {
        match &self.volume {
            Some(volume) => volume.structure.clone().of_either(),
            None => self.structure.clone().of_either(),
        }
    }

    /// The structures that follow beside it, of its own dimension.
    pub fn lane_choices(&self) -> Vec<AnyChoice> {
        match &self.volume {
            Some(volume) => volume
                .lanes
                .iter()
                .cloned()
                .map(|it| it.of_either())
                .collect(),
            None => self
                .lanes
                .iter()
                .cloned()
                .map(|it| it.of_either())
                .collect(),
        }
    }

    /// Whether a structure is of its own dimension; the error names those that are.
    pub fn check_structure(&self, kind: StructureKind) -> Result<(), WrongDimension> {
        let own = self.structure_kind();
        if own.is_of_space() == kind.is_of_space() {
            return Ok(());
        }
        Err(WrongDimension { kind, own })
    }

    /// Lets it be answered by the first of `choices` and followed by the others, in the place of its own structures. Where there
    /// is none of them, or one is of another dimension, nothing changes.
    pub fn set_choices(&mut self, choices: &[AnyChoice]) -> Result<(), WrongDimension> {
        for choice in choices {
            self.check_structure(choice.kind)?;
        }
        // All of them are of this dimension, so that none is left out.
        match &mut self.volume {
            Some(volume) => lead(choices, &mut volume.structure, &mut volume.lanes),
            None => lead(choices, &mut self.structure, &mut self.lanes),
        }
        Ok(())
    }

    /// The objects of the world together, without those that were taken away.
    pub fn object_count(&self) -> u64 {
        let count = |group: &ObjectGroup| match group {
            ObjectGroup::Object { .. } => 1,
            ObjectGroup::Scatter(scatter) => u64::from(scatter.present_count()),
        };
        self.world
            .iter()
            .flat_map(|world| &world.objects)
            .map(count)
            .sum()
    }
}

/// Puts `choices` into the places of a scene's own structure and lanes.
fn lead<K: AnyKind>(
    choices: &[AnyChoice],
    first: &mut StructureChoice<K>,
    lanes: &mut Vec<StructureChoice<K>>,
) {
    let mut choices = choices.iter().filter_map(StructureChoice::within);
    if let Some(choice) = choices.next() {
        *first = choice;
        *lanes = choices.collect();
    }
}

/// A structure that cannot carry a scene, as it is of another dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}: it must be one of {} for this scene", .kind.info().key, keys(.own.siblings()))]
pub struct WrongDimension {
    /// The structure.
    pub kind: StructureKind,
    /// One that could.
    pub own: StructureKind,
}

/// The keys of structures, as a sentence names them.
fn keys(kinds: Vec<StructureKind>) -> String {
    let keys: Vec<&str> = kinds.into_iter().map(|kind| kind.info().key).collect();
    keys.join(", ")
}

impl<K> StructureChoice<K> {
    /// The structure with every knob at its default.
    pub const fn new(kind: K) -> Self {
        Self {
            kind,
            knobs: Vec::new(),
        }
    }
}

impl<K: AnyKind> StructureChoice<K> {
    /// The same as one of either dimension.
    pub fn of_either(self) -> StructureChoice<StructureKind> {
        StructureChoice {
            kind: self.kind.into(),
            knobs: self.knobs,
        }
    }

    /// Sets the knob called `key` from text, as scenes and the command line write it.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), KnobError> {
        let index = self.kind.info().knob_index(key)?;
        let value = self.kind.info().knobs[index].parse(value)?;
        self.put(index, value);
        Ok(())
    }

    /// Sets a knob by its index, to a value that it takes.
    pub fn put(&mut self, knob: usize, value: f64) {
        match self.knobs.binary_search_by_key(&knob, |(index, _)| *index) {
            Ok(place) => self.knobs[place].1 = value,
            Err(place) => self.knobs.insert(place, (knob, value)),
        }
    }

    /// The value of a knob: what it is set to, or its default. Of a knob that there is not, 0.
    pub fn value(&self, knob: usize) -> f64 {
        let set = self.knobs.iter().find(|(index, _)| *index == knob);
        let default = || self.kind.info().knobs.get(knob).map(|knob| knob.default);
        set.map(|(_, value)| *value)
            .or_else(default)
            .unwrap_or_default()
    }
}

impl<K: AnyKind> StructureChoice<K> {
    /// Whether another one is the same structure with the same values: a knob that was set to its default is one that was not set.
    pub fn is_like(&self, other: &Self) -> bool {
        let mut knobs = 0..self.kind.info().knobs.len();
        self.kind == other.kind && knobs.all(|it| self.value(it) == other.value(it))
    }
}

/// Whether each of these is like its counterpart.
fn are_alike<K: AnyKind>(some: &[StructureChoice<K>], others: &[StructureChoice<K>]) -> bool {
    let mut pairs = some.iter().zip(others);
    some.len() == others.len() && pairs.all(|(one, other)| one.is_like(other))
}

impl AnyChoice {
    /// The same as one of a dimension, if it is of that.
    pub fn within<K: AnyKind>(&self) -> Option<StructureChoice<K>> {
        Some(StructureChoice {
            kind: K::from_either(self.kind)?,
            knobs: self.knobs.clone(),
        })
    }
}

impl StructureChoice {
    /// An empty index of this structure with its knobs set, for units that are mostly within `field` and of which pairs will be
    /// asked for up to `reach`.
    pub fn index(&self, field: Aabb, reach: f32) -> AnyPartition {
        let mut index = AnyPartition::new(self.kind, field);
        for &(knob, value) in &self.knobs {
            index.set_knob(knob, value);
        }
        index.expect(reach);
        index
    }
}

impl StructureChoice3 {
    /// The same, for units in space.
    pub fn index(&self, field: Aabb3, reach: f32) -> AnyPartition3 {
        let mut index = AnyPartition3::new(self.kind, field);
        for &(knob, value) in &self.knobs {
            index.set_knob(knob, value);
        }
        index.expect(reach);
        index
    }
}

impl Army {
    /// An army with the defaults of the format: it charges at 5 m/s, strikes 2 m and sees 60 m far, and each of its
    /// units is a point with 100 hit points.
    pub fn new(side: Side, count: u32, formation: Formation) -> Self {
        let mut army = Self {
            side,
            count,
            formation,
            order: Order::Charge,
            speed: 5.0,
            reach: 2.0,
            sight: 60.0,
            hit_points: 100,
            size: Size::Point,
            without: Vec::new(),
            moved: Vec::new(),
            sized: Vec::new(),
        };
        army.fit_positions();
        army
    }
}

impl Flock {
    /// A flock with the defaults of the format: it keeps together at 12 m/s, sees 120 m far, and each of its units is a point
    /// with 100 hit points.
    pub fn new(side: Side, count: u32, formation: Formation3) -> Self {
        let mut flock = Self {
            side,
            count,
            formation,
            motion: Motion::Flock,
            speed: 12.0,
            sight: 120.0,
            hit_points: 100,
            size: Size::Point,
            without: Vec::new(),
            moved: Vec::new(),
            sized: Vec::new(),
        };
        flock.fit_positions();
        flock
    }
}

impl World {
    /// Whether another world streams by the same rectangles, disk and budgets, whatever its objects are.
    fn has_same_settings(&self, other: &Self) -> bool {
        let Self {
            objects: _,
            need_factor,
            need_min,
            need_max,
            lead,
            margin,
            predict_seconds,
            index,
            disk,
            budgets,
        } = self;
        (need_factor, need_min, need_max) == (&other.need_factor, &other.need_min, &other.need_max)
            && (lead, margin) == (&other.lead, &other.margin)
            && (predict_seconds, index) == (&other.predict_seconds, &other.index)
            && (disk, budgets) == (&other.disk, &other.budgets)
    }

    /// A world with the rectangles of the format's defaults.
    pub fn new(objects: Vec<ObjectGroup>) -> Self {
        Self {
            objects,
            need_factor: 6.0,
            need_min: 40.0,
            need_max: 400.0,
            lead: 60.0,
            margin: 30.0,
            predict_seconds: None,
            index: WorldIndex::default(),
            disk: None,
            budgets: Budgets::default(),
        }
    }
}

impl Scatter {
    /// Objects of which none was taken away, moved or given a size, with as many bytes as their pictures' files have.
    pub fn new(count: u32, area: Aabb, size: Size, assets: Vec<String>) -> Self {
        Self {
            count,
            area,
            size,
            assets,
            bytes: None,
            without: Vec::new(),
            moved: Vec::new(),
            sized: Vec::new(),
        }
    }
}

impl WorldIndex {
    /// All of them, the default first.
    pub const ALL: [Self; 4] = [
        Self::TwoTrees,
        Self::Dual,
        Self::WholeUnloadTree,
        Self::BruteForce,
    ];

    /// What a scene calls it.
    pub const fn key(self) -> &'static str {
        match self {
            Self::TwoTrees => "two-trees",
            Self::Dual => "dual",
            Self::WholeUnloadTree => "whole-unload-tree",
            Self::BruteForce => "brute-force",
        }
    }

    /// The one with this [`WorldIndex::key`].
    pub fn from_key(key: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|index| index.key() == key)
    }
}

impl Character {
    /// A character who stands at `position`, walks at 6 m/s and knows no path.
    pub const fn new(position: Vec2) -> Self {
        Self {
            position,
            speed: 6.0,
            paths: Vec::new(),
            follow: Follow::First,
        }
    }

    /// The place among its paths of the one that it goes at the start; `None` where it stands.
    pub fn followed(&self) -> Option<usize> {
        match &self.follow {
            Follow::First => (!self.paths.is_empty()).then_some(0),
            Follow::Path(name) => self.paths.iter().position(|path| path.name == *name),
            Follow::Nobody => None,
        }
    }

    /// Lets it go the path at this place at the start, or stand. A choice that comes to the same is left as it is.
    pub fn set_followed(&mut self, path: Option<usize>) {
        let is_there = |name: &String| self.paths.iter().any(|path| path.name == *name);
        let is_known = !matches!(&self.follow, Follow::Path(name) if !is_there(name));
        if is_known && self.followed() == path {
            return;
        }
        self.follow = match path {
            Some(0) => Follow::First,
            Some(path) => match self.paths.get(path) {
                Some(path) => Follow::Path(path.name.clone()),
                None => return,
            },
            None => Follow::Nobody,
        };
    }
}
