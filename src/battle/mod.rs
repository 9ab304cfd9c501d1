//! The battle: the truth about every unit, and the fixed step that moves it.
//!
//! Units are rows of columns; a [`UnitId`] is the index of a row. A row whose unit fell or was removed stays, not alive,
//! until a later unit takes it. In a large battle rows are in the order of places, and a unit's name, by which chance goes, is
//! not its row. Everything a unit learns of others it learns through an index. The battle only reads it, and
//! says after each step and each edit in [`Battle::changes`] what whoever keeps an index has to tell it.
//!
//! Invariant: the same scene and the same commands at the same ticks give the same [`Battle::hash`] under every structure,
//! knob, number of threads and build profile. Therefore
//!
//! - a unit's decision reads only what was true when the tick began, and writes only its own row;
//! - what pairs contribute is summed in integers or is a minimum, so the order in which pairs are found is nothing;
//! - chance is a hash of (seed, unit, tick), never a shared stream;
//! - only operations that IEEE 754 defines to the last bit are used.
//!
//! Invariant: every position is finite and within [`COORDINATE_LIMIT`]. What enters is checked, what moves is clamped.

use crate::geometry::{Aabb, Vec2};
use crate::partition::{AnyPartition, Bodies, COORDINATE_LIMIT, Change, UnitId};
use crate::probe::Fork;
use crate::scene::limits::MAX_UNITS;
use crate::scene::{Army, Order, Scene, Side, Size, generate};
use changes::Changes;
use fingerprint::Fingerprint;
use names::Names;

mod changes;
mod compare;
mod edit;
mod fingerprint;
mod melee;
mod names;
mod ranks;
mod step;
#[cfg(test)]
mod tests;
mod will;

pub(crate) use compare::first_fault;
pub use compare::{Difference, PairFault};
pub use edit::{Edit, Group};
pub use fingerprint::PartialHash;
pub use step::Decision;

/// How long one step is, in seconds, as units move by it.
const STEP_SECONDS: f32 = crate::tick::STEP_SECONDS as f32;

/// The most units that a battle holds, as many as a scene may have. Beyond it the fixed-point sums of a unit's neighbours
/// could overflow.
const UNIT_LIMIT: usize = MAX_UNITS as usize;

/// "No unit", in columns that name one.
const NOBODY: UnitId = UnitId::MAX;

/// The parts of a step, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Phase {
    /// Units look around and choose where to go.
    Think,
    /// Who is near whom?
    Pairs,
    /// Strikes, pushes and movement.
    Integrate,
    /// The index learns what has changed.
    Update,
}

impl Phase {
    /// All of them, in their order.
    pub const ALL: [Self; 4] = [Self::Think, Self::Pairs, Self::Integrate, Self::Update];
}

/// Whoever wants to know how long each phase takes. The battle itself has no clock.
pub trait Stopwatch {
    /// Called at the end of each phase; the first one began with the step.
    fn lap(&mut self, phase: Phase);
}

/// Measures nothing.
impl Stopwatch for () {
    fn lap(&mut self, _: Phase) {}
}

/// What happened in one step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StepSummary {
    /// How many pairs were within [`Battle::pair_reach`].
    pub pairs: u64,
    /// How many units looked for the nearest enemy.
    pub lookups: u32,
    /// How many units fell.
    pub fallen: u32,
    /// [`Battle::hash`] after the step as far as it was taken on the way, if the [`Decision`] was told to: of all rows where one thread
    /// did all, of the first thread's where there were several. [`Battle::finish_hash`] takes the rest.
    pub hash: Option<PartialHash>,
}

/// What a unit is, apart from its side and its place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Template {
    /// What it tries to do.
    pub order: Order,
    /// Top speed, in m/s; at least 0.
    pub speed: f32,
    /// How far it strikes, from edge to edge, in metres; at least 0.
    pub reach: f32,
    /// How far it sees an enemy, in metres; at least 0.
    pub sight: f32,
    /// Hit points at the start; at least 1.
    pub hit_points: u16,
    /// How large it is.
    pub size: Size,
}

impl From<&Army> for Template {
    fn from(army: &Army) -> Self {
        Self {
            order: army.order,
            speed: army.speed,
            reach: army.reach,
            sight: army.sight,
            hit_points: army.hit_points,
            size: army.size,
        }
    }
}

/// Why no unit was spawned.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SpawnError {
    /// There would be too many.
    #[error("a battle holds at most {limit} units ({present} present, {asked} more asked for)")]
    Full {
        /// [`MAX_UNITS`].
        limit: usize,
        /// How many are alive.
        present: usize,
        /// How many were to come.
        asked: usize,
    },
    /// A position is not a number or too far out.
    #[error(
        "unit {unit}: a position must be finite and at most {COORDINATE_LIMIT} m from the origin (found {position})"
    )]
    Position {
        /// Which of the positions, from 0.
        unit: usize,
        /// The position.
        position: Vec2,
    },
    /// A size is not a number, negative or too large.
    #[error(
        "unit {unit}: a half extent must be finite, at least 0 and at most {COORDINATE_LIMIT} m (found {half_extent})"
    )]
    HalfExtent {
        /// Which of the positions it belongs to, from 0.
        unit: usize,
        /// The half extent.
        half_extent: Vec2,
    },
    /// A number of the template is not one that it may be.
    #[error("{what} must be from {least} to {most} (found {found})")]
    Template {
        /// Which number.
        what: &'static str,
        /// The least that it may be.
        least: f32,
        /// The most that it may be.
        most: f32,
        /// What it is.
        found: f32,
    },
}

/// Units that have everything but their rows in common.
#[derive(Clone, Debug)]
struct Squad {
    side: Side,
    template: Template,
    /// Where a squad that marches goes; of length 1, or 0 when it stands.
    heading: Vec2,
    /// How many of it are alive.
    count: u32,
}

impl Squad {
    fn new(side: Side, template: Template) -> Self {
        let mut squad = Self {
            side,
            template,
            heading: Vec2::ZERO,
            count: 0,
        };
        squad.set_order(template.order);
        squad
    }

    fn set_order(&mut self, order: Order) {
        self.template.order = order;
        self.heading = match order {
            Order::March(direction) => heading(direction),
            Order::Hold | Order::Charge | Order::Brawl => Vec2::ZERO,
        };
    }
}

/// `direction` at length 1; zero when it has no direction. Computed wide, so that no square overflows or vanishes.
fn heading(direction: Vec2) -> Vec2 {
    let (x, y) = (f64::from(direction.x), f64::from(direction.y));
    let length = (x * x + y * y).sqrt();
    if length > 0.0 && length.is_finite() {
        Vec2::new((x / length) as f32, (y / length) as f32)
    } else {
        Vec2::ZERO
    }
}

/// Two armies, and the truth about each of their units.
#[derive(Clone, Debug)]
pub struct Battle {
    seed: u64,
    field: Aabb,
    tick: u64,

    /// The columns: one entry a row.
    positions: Vec<Vec2>,
    velocities: Vec<Vec2>,
    /// Empty as long as all units are points.
    half_extents: Vec<Vec2>,
    sides: Vec<Side>,
    hit_points: Vec<u16>,
    alive: Vec<bool>,
    /// Index into `squads`.
    squad_ids: Vec<u32>,
    /// The enemy that the unit remembers, or [`NOBODY`].
    targets: Vec<UnitId>,
    /// Ticks until the unit looks around again.
    look_delays: Vec<u8>,
    /// Ticks until the unit can strike again.
    strike_delays: Vec<u8>,

    /// What the units in these rows are called.
    names: Names,
    /// Rows that are not alive; the last one is taken first.
    free: Vec<UnitId>,
    squads: Vec<Squad>,
    /// The order last given to each side.
    orders: [Order; 2],
    /// How many of each side are alive.
    counts: [u32; 2],
    reach_scale: f32,
    /// How far apart units try to keep, from edge to edge, in metres.
    keep_apart: f32,
    /// How many calls have spawned units: each draws sizes from a stream of its own.
    spawn_calls: u64,
    /// Another number after each step and each edit; an edit that is taken back takes back the number, too.
    revision: u64,
    /// The largest revision that there has been.
    last_revision: u64,
    /// What the last step or edit changed.
    changes: Changes,
    scratch: Decision,
}

impl Battle {
    /// The battle as it starts. The index has yet to be [rebuilt](AnyPartition::rebuild) over its [`Battle::bodies`].
    ///
    /// A scene's limits keep it below [`MAX_UNITS`]; units beyond it are left out.
    pub fn new(scene: &Scene) -> Self {
        Self::mustered(scene, names::LEAST)
    }

    /// The battle as it starts, with its units strip by strip where they are at `least` so many.
    fn mustered(scene: &Scene, least: usize) -> Self {
        let order_of = |side| {
            let army = scene.armies.iter().find(|army| army.side == side);
            army.map_or(Order::Hold, |army| army.order)
        };
        let mut battle = Self {
            seed: scene.seed,
            field: scene.field,
            tick: 0,
            positions: Vec::new(),
            velocities: Vec::new(),
            half_extents: Vec::new(),
            sides: Vec::new(),
            hit_points: Vec::new(),
            alive: Vec::new(),
            squad_ids: Vec::new(),
            targets: Vec::new(),
            look_delays: Vec::new(),
            strike_delays: Vec::new(),
            names: Names::default(),
            free: Vec::new(),
            squads: Vec::new(),
            orders: [order_of(Side::Blue), order_of(Side::Orange)],
            counts: [0; 2],
            reach_scale: scene.reach_scale,
            keep_apart: edit::held_apart(scene.keep_apart).unwrap_or(Scene::KEEP_APART),
            spawn_calls: 0,
            revision: 0,
            last_revision: 0,
            changes: Changes::default(),
            scratch: Decision::default(),
        };
        let (mut places, mut recruits) = (Vec::new(), Vec::new());
        for (index, army) in scene.armies.iter().enumerate() {
            let mut army_of = generate::army(scene, index);
            army_of.positions.truncate(UNIT_LIMIT - places.len());
            battle.squads.push(Squad::new(army.side, army.into()));
            let half_extents = &army_of.half_extents;
            recruits.extend((0..army_of.positions.len()).map(|unit| {
                let half_extent = half_extents.get(unit).copied();
                (index as u32, half_extent)
            }));
            places.append(&mut army_of.positions);
        }
        if places.len() >= least {
            // As many of the last army as there was room for.
            let mut left = places.len();
            battle.names = Names::in_strips((0..scene.armies.len()).map(|index| {
                let mut homes = generate::homes(scene, index);
                homes.truncate(left);
                left -= homes.len();
                homes
            }));
        }
        for row in 0..places.len() as UnitId {
            let name = battle.names.of(row) as usize;
            let (squad, half_extent) = recruits[name];
            battle.enter(squad, places[name], half_extent);
        }
        battle
    }

    /// What is known of the units that the armies were mustered with, in the order in which they were, by row.
    pub(crate) fn by_row<T: Copy>(&self, of_units: Vec<T>) -> Vec<T> {
        match self.names.column() {
            [] => of_units,
            names => names.iter().map(|name| of_units[*name as usize]).collect(),
        }
    }

    /// The units as an index sees them.
    pub fn bodies(&self) -> Bodies<'_> {
        Bodies {
            centers: &self.positions,
            half_extents: &self.half_extents,
            // Nobody has to look up who is alive while everybody is.
            alive: if self.free.is_empty() {
                &[]
            } else {
                &self.alive
            },
        }
    }

    /// Lets [a step](crate::tick::STEP_SECONDS) pass on at most `threads` threads; their number changes nothing but the time
    /// it takes.
    ///
    /// `index` must be up to date; it is only read, and whoever keeps one tells it the [`Battle::changes`] afterwards.
    /// `query` hears what it was asked: the enemies looked for and the pairs.
    ///
    /// The step decides beside the truth and commits at its end. A `query` that unwinds, as [`Patient`] does when it is told
    /// to, leaves the battle as it was before the step.
    ///
    /// [`Patient`]: crate::probe::Patient
    pub fn step<Q: Fork>(
        &mut self,
        index: &AnyPartition,
        threads: usize,
        query: &mut Q,
        watch: &mut impl Stopwatch,
    ) -> StepSummary {
        let mut decision = std::mem::take(&mut self.scratch);
        self.decide(&mut decision, index, threads, query, watch);
        let summary = self.commit(&mut decision);
        self.scratch = decision;
        watch.lap(Phase::Integrate);
        summary
    }

    /// What the last step or edit changed, for every index that follows the battle; empty before the first, and in a copy.
    pub fn changes(&self) -> &[Change] {
        self.changes.told()
    }

    /// Counts a step or an edit.
    fn revise(&mut self) {
        self.last_revision += 1;
        self.revision = self.last_revision;
    }

    /// Makes `other` the same, in the memory that it has: what is shown of a battle is copied sixty times a second.
    pub fn mirror(&self, other: &mut Self) {
        other.seed = self.seed;
        other.field = self.field;
        other.tick = self.tick;
        other.positions.clone_from(&self.positions);
        other.velocities.clone_from(&self.velocities);
        other.half_extents.clone_from(&self.half_extents);
        other.sides.clone_from(&self.sides);
        other.hit_points.clone_from(&self.hit_points);
        other.alive.clone_from(&self.alive);
        other.squad_ids.clone_from(&self.squad_ids);
        other.targets.clone_from(&self.targets);
        other.look_delays.clone_from(&self.look_delays);
        other.strike_delays.clone_from(&self.strike_delays);
        other.names.clone_from(&self.names);
        other.free.clone_from(&self.free);
        other.squads.clone_from(&self.squads);
        other.orders = self.orders;
        other.counts = self.counts;
        other.reach_scale = self.reach_scale;
        other.keep_apart = self.keep_apart;
        other.spawn_calls = self.spawn_calls;
        other.revision = self.revision;
        other.last_revision = self.last_revision;
        other.changes.clear();
    }

    /// The bytes that the battle takes on the heap, what steps work with apart.
    pub fn byte_count(&self) -> usize {
        let rows = self.positions.capacity();
        let row = 2 * size_of::<Vec2>()
            + size_of::<Side>()
            + size_of::<u16>()
            + size_of::<bool>()
            + size_of::<u32>()
            + size_of::<UnitId>()
            + 2 * size_of::<u8>();
        rows * row
            + self.half_extents.capacity() * size_of::<Vec2>()
            + self.free.capacity() * size_of::<UnitId>()
            + self.squads.capacity() * size_of::<Squad>()
            + self.changes.byte_count()
    }

    /// How many steps have passed.
    pub fn tick(&self) -> u64 {
        self.tick
    }

    /// A fingerprint of the tick and of every row: alive, position, velocity and hit points, to the last bit.
    pub fn hash(&self) -> u64 {
        self.finish_hash(PartialHash {
            fingerprint: Fingerprint::new(self.tick, self.positions.len()),
            rows: 0,
        })
    }

    /// [`Battle::hash`], where some of it was taken on the way of the step that has just been made.
    pub fn finish_hash(&self, begun: PartialHash) -> u64 {
        /// So many rows are read before any of them is taken: they lie far apart, and are fetched at the same time.
        const LOT: usize = 64;
        let mut fingerprint = begun.fingerprint;
        let mut lot = [(0, false, Vec2::ZERO, Vec2::ZERO); LOT];
        let mut names = begun.rows..self.positions.len();
        while !names.is_empty() {
            let count = names.len().min(LOT);
            for (entry, name) in lot[..count].iter_mut().zip(&mut names) {
                let row = self.names.row_of(name as UnitId) as usize;
                *entry = (
                    self.hit_points[row],
                    self.alive[row],
                    self.positions[row],
                    self.velocities[row],
                );
            }
            for &(hit_points, is_alive, position, velocity) in &lot[..count] {
                fingerprint.take(hit_points, is_alive, position, velocity);
            }
        }
        fingerprint.finish()
    }

    /// Where each unit is, in metres. Like every column, it has rows that are not [alive](Battle::alive).
    pub fn positions(&self) -> &[Vec2] {
        &self.positions
    }

    /// How each unit moves by itself, in m/s, pushes apart.
    pub fn velocities(&self) -> &[Vec2] {
        &self.velocities
    }

    /// Half of each unit's width and height, in metres; empty when all are points.
    pub fn half_extents(&self) -> &[Vec2] {
        &self.half_extents
    }

    /// Whose each unit is.
    pub fn sides(&self) -> &[Side] {
        &self.sides
    }

    /// Whether each row is in use.
    pub fn alive(&self) -> &[bool] {
        &self.alive
    }

    /// How much each unit can still take; 0 in rows that are not in use.
    pub fn hit_points(&self) -> &[u16] {
        &self.hit_points
    }

    /// How many units of `side` are alive.
    pub fn count(&self, side: Side) -> u32 {
        self.counts[side as usize]
    }

    /// The enemy at whom the unit runs or whom it last fought, if it has one and that one still stands.
    pub fn target(&self, unit: UnitId) -> Option<UnitId> {
        let target = *self.targets.get(unit as usize)?;
        let stands = self.alive.get(target as usize).copied().unwrap_or(false);
        (stands && self.sides[target as usize] != self.sides[unit as usize]).then_some(target)
    }

    /// What the unit is, with its present order. `None` for a row that does not exist.
    pub fn template(&self, unit: UnitId) -> Option<&Template> {
        let squad = *self.squad_ids.get(unit as usize)?;
        Some(&self.squads[squad as usize].template)
    }

    /// Which units are of one kind with this one: they share this number. `None` for a row that does not exist.
    pub(crate) fn squad_of(&self, unit: UnitId) -> Option<u32> {
        self.squad_ids.get(unit as usize).copied()
    }

    /// Where units are mostly.
    pub fn field(&self) -> Aabb {
        self.field
    }

    /// How far apart two units may be to be found as a pair: the longest reach of anyone alive, and at least
    /// as far as units [keep apart](Battle::keep_apart), in metres.
    pub fn pair_reach(&self) -> f32 {
        let squads = self.squads.iter().filter(|squad| squad.count > 0);
        squads
            .map(|squad| self.scaled_reach(squad))
            .fold(self.keep_apart, f32::max)
    }

    /// By what every reach is multiplied.
    pub fn reach_scale(&self) -> f32 {
        self.reach_scale
    }

    /// How far apart units try to keep, from edge to edge, in metres. At 0 they may touch.
    pub fn keep_apart(&self) -> f32 {
        self.keep_apart
    }

    /// The order last given to `side`; at the start, that of its first army.
    pub fn order(&self, side: Side) -> Order {
        self.orders[side as usize]
    }

    fn scaled_reach(&self, squad: &Squad) -> f32 {
        (squad.template.reach * self.reach_scale).min(COORDINATE_LIMIT)
    }

    /// The squad for new units of this kind.
    fn enlist(&mut self, side: Side, template: &Template) -> u32 {
        // A squad that marches turns around as one, so that newcomers elsewhere would turn it at the wrong place.
        let marches = matches!(template.order, Order::March(_));
        let same = |squad: &Squad| !marches && squad.side == side && squad.template == *template;
        let known = self.squads.iter().position(same);
        let place = known.or_else(|| self.squads.iter().position(|squad| squad.count == 0));
        match (known, place) {
            (Some(known), _) => known as u32,
            (None, Some(unused)) => {
                self.squads[unused] = Squad::new(side, *template);
                unused as u32
            }
            (None, None) => {
                self.squads.push(Squad::new(side, *template));
                (self.squads.len() - 1) as u32
            }
        }
    }

    /// Puts a unit into a free row, or into a new one.
    fn enter(&mut self, squad_id: u32, position: Vec2, half_extent: Option<Vec2>) -> UnitId {
        let squad = &mut self.squads[squad_id as usize];
        squad.count += 1;
        self.counts[squad.side as usize] += 1;
        let (side, hit_points) = (squad.side, squad.template.hit_points);
        let unit = self.free.pop().unwrap_or_else(|| {
            self.positions.push(Vec2::ZERO);
            self.velocities.push(Vec2::ZERO);
            self.sides.push(side);
            self.hit_points.push(0);
            self.alive.push(false);
            self.squad_ids.push(0);
            self.targets.push(NOBODY);
            self.look_delays.push(0);
            self.strike_delays.push(0);
            if !self.half_extents.is_empty() {
                self.half_extents.push(Vec2::ZERO);
            }
            (self.positions.len() - 1) as UnitId
        });
        let row = unit as usize;
        self.positions[row] = position;
        self.velocities[row] = Vec2::ZERO;
        self.sides[row] = side;
        self.hit_points[row] = hit_points;
        self.alive[row] = true;
        self.squad_ids[row] = squad_id;
        self.targets[row] = NOBODY;
        // Neighbours look around and strike at different ticks, so that no tick has all the work.
        let name = self.names.of(unit);
        self.look_delays[row] = (name % u32::from(step::FIRST_LOOK_TICKS)) as u8;
        self.strike_delays[row] = (name % u32::from(ranks::STRIKE_TICKS)) as u8;
        if half_extent.is_some() && self.half_extents.is_empty() {
            self.half_extents.resize(self.positions.len(), Vec2::ZERO);
        }
        if let Some(column) = self.half_extents.get_mut(row) {
            *column = half_extent.unwrap_or(Vec2::ZERO);
        }
        unit
    }

    /// Takes a unit that is alive out of its row.
    fn leave(&mut self, unit: UnitId) {
        let row = unit as usize;
        self.alive[row] = false;
        self.hit_points[row] = 0;
        self.velocities[row] = Vec2::ZERO;
        self.strike_off(unit);
    }

    /// Takes a unit that is not alive any more off the lists.
    fn strike_off(&mut self, unit: UnitId) {
        let row = unit as usize;
        self.free.push(unit);
        self.squads[self.squad_ids[row] as usize].count -= 1;
        self.counts[self.sides[row] as usize] -= 1;
    }
}

fn check_template(template: &Template) -> Result<(), SpawnError> {
    let hit_points = f32::from(template.hit_points);
    for (what, found, least, most) in [
        ("speed", template.speed, 0.0, COORDINATE_LIMIT),
        ("reach", template.reach, 0.0, COORDINATE_LIMIT),
        ("sight", template.sight, 0.0, COORDINATE_LIMIT),
        ("hit_points", hit_points, 1.0, f32::from(u16::MAX)),
    ] {
        if !(least..=most).contains(&found) {
            return Err(SpawnError::Template {
                what,
                least,
                most,
                found,
            });
        }
    }
    Ok(())
}

fn check_bodies(positions: &[Vec2], half_extents: &[Vec2]) -> Result<(), SpawnError> {
    for (unit, position) in positions.iter().enumerate() {
        check_position(unit, *position)?;
    }
    let mut sizes = half_extents.iter().enumerate();
    sizes.try_for_each(|(unit, half_extent)| check_half_extent(unit, *half_extent))
}

fn check_half_extent(unit: usize, half_extent: Vec2) -> Result<(), SpawnError> {
    let limit = Vec2::splat(COORDINATE_LIMIT);
    if Aabb::new(Vec2::ZERO, limit).contains(half_extent) {
        Ok(())
    } else {
        Err(SpawnError::HalfExtent { unit, half_extent })
    }
}

fn check_position(unit: usize, position: Vec2) -> Result<(), SpawnError> {
    let limit = Vec2::splat(COORDINATE_LIMIT);
    if Aabb::new(-limit, limit).contains(position) {
        Ok(())
    } else {
        Err(SpawnError::Position { unit, position })
    }
}
