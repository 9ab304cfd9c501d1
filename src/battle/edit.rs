//! Edits: who enters, leaves, is moved or is told something between two steps, and how that is taken back.
//!
//! An [`Edit`] is a receipt. [`Battle::revert`] takes the edit back and gives the receipt of that, so that undo and redo are one
//! operation. Where nothing else has happened since, the battle is afterwards equal to what it was before, to the last bit.
//! Where steps have passed, time is not turned back: who was placed and still stands goes, who was erased stands again as it
//! stood then, an order is what it was.
//!
//! Invariant: an edit leaves in [`Battle::changes`] what every index has to be told.

use super::{
    Battle, SpawnError, Squad, Template, UNIT_LIMIT, check_bodies, check_half_extent,
    check_position, check_template,
};
use crate::chance::{self, Stream};
use crate::geometry::Vec2;
use crate::partition::{Change, UnitId};
use crate::scene::{Order, Side, generate, limits};
use std::mem::{size_of, size_of_val, swap};

/// The receipt of an edit.
#[derive(Clone, Debug)]
pub struct Edit {
    intent: Intent,
    /// The touched rows as they were before; `None` for rows that did not exist.
    rows: Vec<(UnitId, Option<Row>)>,
    /// The squads of those rows, so that somebody can come back whose squad is no more.
    kinds: Vec<(Side, Template)>,
    /// All the rest as it was before.
    rest: Rest,
    /// The battle's revision right after the edit: while it is the same, nothing has happened since.
    revision: u64,
}

/// What an edit meant, for when its rows alone cannot simply be put back.
#[derive(Clone, Debug, PartialEq)]
enum Intent {
    /// These units came.
    Entered(Vec<UnitId>),
    /// These units went.
    Left(Vec<UnitId>),
    /// These units were put elsewhere.
    Moved(Vec<UnitId>),
    /// These units were made larger or smaller.
    Sized(Vec<UnitId>),
    /// A side was given an order.
    Ordered(Side),
    /// Every reach was multiplied by another number.
    Reach,
    /// Units were told to keep another distance.
    KeepApart,
}

/// Everything that is known of one unit.
#[derive(Clone, Copy, Debug)]
struct Row {
    position: Vec2,
    velocity: Vec2,
    half_extent: Option<Vec2>,
    side: Side,
    hit_points: u16,
    alive: bool,
    squad: u32,
    target: UnitId,
    look_delay: u8,
    strike_delay: u8,
}

/// What an edit may change besides rows.
#[derive(Clone, Debug)]
struct Rest {
    row_count: usize,
    sized: bool,
    free: Vec<UnitId>,
    squads: Vec<Squad>,
    orders: [Order; 2],
    counts: [u32; 2],
    reach_scale: f32,
    keep_apart: f32,
    spawn_calls: u64,
    revision: u64,
}

/// New units that have everything but their places in common.
#[derive(Clone, Copy, Debug)]
pub struct Group<'a> {
    /// Whose they are.
    pub side: Side,
    /// What they are.
    pub template: Template,
    /// Where each of them enters.
    pub positions: &'a [Vec2],
    /// Half of the width and height of each of them; where these are not as many they are drawn from the template's law.
    pub half_extents: &'a [Vec2],
}

impl Edit {
    /// The units that came; none where it was about others.
    pub fn entered(&self) -> &[UnitId] {
        match &self.intent {
            Intent::Entered(units) => units,
            _ => &[],
        }
    }

    /// Takes a later move of the same units into this one, if nothing else has happened in between, or a later size of theirs, whatever
    /// has: how large they were is known. Whether it was that.
    pub fn absorb(&mut self, later: &Self) -> bool {
        let follows = self.revision == later.rest.revision;
        let is_same = match (&self.intent, &later.intent) {
            (Intent::Moved(own), Intent::Moved(other)) => follows && own == other,
            // Some of them may have fallen since.
            (Intent::Sized(own), Intent::Sized(other)) => is_within(other, own),
            _ => false,
        };
        // Otherwise steps have passed since the first of them, and what they did stays.
        if is_same && follows {
            self.revision = later.revision;
        }
        is_same
    }

    /// The units that came, went, were moved or were given a size.
    pub fn units(&self) -> &[UnitId] {
        match &self.intent {
            Intent::Entered(units)
            | Intent::Left(units)
            | Intent::Moved(units)
            | Intent::Sized(units) => units,
            Intent::Ordered(_) | Intent::Reach | Intent::KeepApart => &[],
        }
    }

    /// The bytes that the receipt takes on the heap.
    pub fn byte_count(&self) -> usize {
        self.rows.capacity() * size_of::<(UnitId, Option<Row>)>()
            + self.kinds.capacity() * size_of::<(Side, Template)>()
            + self.rest.free.capacity() * size_of::<UnitId>()
            + self.rest.squads.capacity() * size_of::<Squad>()
            + size_of_val(self.units())
    }
}

/// Whether the units of a list are all in another one, in the same order.
fn is_within(some: &[UnitId], all: &[UnitId]) -> bool {
    let mut all = all.iter();
    some.iter().all(|unit| all.any(|other| other == unit))
}

/// How far apart units can be told to keep, held between 0, which has no sign, and 100; nothing of what is no number.
pub(super) fn held_apart(metres: f32) -> Option<f32> {
    (!metres.is_nan()).then(|| metres.clamp(0.0, limits::MAX_KEEP_APART) + 0.0)
}

impl Battle {
    /// Puts a new unit at each of `positions`. All of them enter, or none.
    ///
    /// Rows that are not alive are reused first, the one that was freed last before the others. The receipt names the rows in
    /// the order of `positions`.
    pub fn spawn(
        &mut self,
        side: Side,
        template: &Template,
        positions: &[Vec2],
    ) -> Result<Edit, SpawnError> {
        self.muster(&[Group {
            side,
            template: *template,
            positions,
            half_extents: &[],
        }])
    }

    /// Puts new units of several kinds onto the field, as [`Battle::spawn`] does with those of one: all of them enter, or none. The
    /// receipt names the rows in the order of the groups.
    pub fn muster(&mut self, groups: &[Group<'_>]) -> Result<Edit, SpawnError> {
        let present = self.positions.len() - self.free.len();
        let asked: usize = groups.iter().map(|group| group.positions.len()).sum();
        if asked > UNIT_LIMIT - present {
            return Err(SpawnError::Full {
                limit: UNIT_LIMIT,
                present,
                asked,
            });
        }
        let mut sizes = Stream::new(chance::hash(self.seed, self.tick, self.spawn_calls));
        let mut half_extents = Vec::with_capacity(groups.len());
        for group in groups {
            check_template(&group.template)?;
            let count = group.positions.len();
            let of_group = match group.half_extents {
                given if given.len() == count => given.to_vec(),
                _ => generate::half_extents(group.template.size, count, &mut sizes),
            };
            check_bodies(group.positions, &of_group)?;
            half_extents.push(of_group);
        }

        let reused = self.free.len().min(asked);
        let first = self.positions.len() as UnitId;
        let rows = self.free.iter().rev().take(reused).copied();
        let rows: Vec<UnitId> = rows
            .chain(first..first + (asked - reused) as UnitId)
            .collect();
        let mut edit = self.begin(Intent::Entered(rows.clone()), rows);
        self.spawn_calls += 1;
        self.changes.clear();
        for (group, half_extents) in groups.iter().zip(&half_extents) {
            let squad = self.enlist(group.side, &group.template);
            for (place, &position) in group.positions.iter().enumerate() {
                let unit = self.enter(squad, position, half_extents.get(place).copied());
                self.changes.push(Change::Add(unit));
            }
        }
        edit.revision = self.revision;
        Ok(edit)
    }

    /// Takes units off the field. Whoever is not alive is passed over.
    pub fn remove(&mut self, units: &[UnitId]) -> Edit {
        let mut leaving: Vec<UnitId> = Vec::with_capacity(units.len());
        let mut seen = std::collections::HashSet::with_capacity(units.len());
        for &unit in units {
            if self.is_alive(unit) && seen.insert(unit) {
                leaving.push(unit);
            }
        }
        let edit = self.begin(Intent::Left(leaving.clone()), leaving.clone());
        self.changes.clear();
        for unit in leaving {
            self.leave(unit);
            self.changes.push(Change::Remove(unit));
        }
        edit
    }

    /// Puts units elsewhere, each to the position beside it. Whoever is not alive is passed over; all are moved, or none.
    pub fn place(&mut self, moves: &[(UnitId, Vec2)]) -> Result<Edit, SpawnError> {
        for (unit, (_, position)) in moves.iter().enumerate() {
            check_position(unit, *position)?;
        }
        let moving: Vec<(UnitId, Vec2)> = moves
            .iter()
            .copied()
            .filter(|(unit, _)| self.is_alive(*unit))
            .collect();
        let units: Vec<UnitId> = moving.iter().map(|(unit, _)| *unit).collect();
        let edit = self.begin(Intent::Moved(units.clone()), units);
        self.changes.clear();
        for (unit, position) in moving {
            self.positions[unit as usize] = position;
            self.changes.push(Change::Move(unit));
        }
        Ok(edit)
    }

    /// Gives units the size beside each: half of its width and height. Whoever is not alive is passed over; all are given theirs, or
    /// none.
    pub fn set_sizes(&mut self, sizes: &[(UnitId, Vec2)]) -> Result<Edit, SpawnError> {
        for (unit, (_, half_extent)) in sizes.iter().enumerate() {
            check_half_extent(unit, *half_extent)?;
        }
        let sizes: Vec<(UnitId, Vec2)> = sizes
            .iter()
            .copied()
            .filter(|(unit, _)| self.is_alive(*unit))
            .collect();
        Ok(self.resize_bodies(&sizes))
    }

    /// Gives units that are alive these sizes.
    fn resize_bodies(&mut self, sizes: &[(UnitId, Vec2)]) -> Edit {
        let units: Vec<UnitId> = sizes.iter().map(|(unit, _)| *unit).collect();
        let edit = self.begin(Intent::Sized(units.clone()), units);
        self.changes.clear();
        if !sizes.is_empty() {
            self.half_extents.resize(self.positions.len(), Vec2::ZERO);
        }
        for (unit, half_extent) in sizes {
            self.half_extents[*unit as usize] = *half_extent;
            self.changes.push(Change::Move(*unit));
        }
        edit
    }

    /// Gives every unit of `side` a new order.
    pub fn set_order(&mut self, side: Side, order: Order) -> Edit {
        let edit = self.begin(Intent::Ordered(side), Vec::new());
        self.changes.clear();
        self.orders[side as usize] = order;
        for squad in self.squads.iter_mut().filter(|squad| squad.side == side) {
            squad.set_order(order);
        }
        edit
    }

    /// Multiplies every reach by `scale`, held between 0 and 100; what is no number changes nothing.
    pub fn set_reach_scale(&mut self, scale: f32) -> Edit {
        let edit = self.begin(Intent::Reach, Vec::new());
        self.changes.clear();
        if !scale.is_nan() {
            self.reach_scale = scale.clamp(0.0, limits::MAX_REACH_SCALE);
        }
        edit
    }

    /// Lets units try to keep so many metres apart, held between 0 and 100; what is no number changes nothing.
    pub fn set_keep_apart(&mut self, metres: f32) -> Edit {
        let edit = self.begin(Intent::KeepApart, Vec::new());
        self.changes.clear();
        if let Some(metres) = held_apart(metres) {
            self.keep_apart = metres;
        }
        edit
    }

    /// Takes an edit back, and gives the receipt by which that is taken back in turn.
    pub fn revert(&mut self, edit: &Edit) -> Edit {
        if self.revision == edit.revision {
            self.put_back(edit)
        } else {
            self.undo_meaning(edit)
        }
    }

    /// Takes down how everything is before an edit, and counts it.
    fn begin(&mut self, intent: Intent, rows: Vec<UnitId>) -> Edit {
        let rest = self.rest();
        let mut kinds = Vec::with_capacity(rows.len());
        let rows: Vec<_> = rows
            .into_iter()
            .map(|unit| {
                let row = self.row(unit);
                if let (Intent::Left(_), Some(row)) = (&intent, &row) {
                    let squad = &self.squads[row.squad as usize];
                    kinds.push((squad.side, squad.template));
                }
                (unit, row)
            })
            .collect();
        self.revise();
        Edit {
            intent,
            rows,
            kinds,
            rest,
            revision: self.revision,
        }
    }

    /// Makes the battle exactly what it was before the edit: nothing has happened since.
    fn put_back(&mut self, edit: &Edit) -> Edit {
        let was_alive: Vec<bool> = edit
            .rows
            .iter()
            .map(|(unit, _)| self.is_alive(*unit))
            .collect();
        let intent = match &edit.intent {
            Intent::Entered(units) => Intent::Left(units.clone()),
            Intent::Left(units) => Intent::Entered(units.clone()),
            other => other.clone(),
        };
        let units = edit.rows.iter().map(|(unit, _)| *unit).collect();
        let mut inverse = self.begin(intent, units);
        let rest = &edit.rest;
        self.resize(rest.row_count, rest.sized);
        self.changes.clear();
        for ((unit, row), was_alive) in edit.rows.iter().zip(was_alive) {
            let is_alive = row.is_some_and(|row| row.alive);
            if let Some(row) = row {
                self.set_row(*unit, row);
            }
            match (was_alive, is_alive) {
                (true, true) => self.changes.push(Change::Move(*unit)),
                (true, false) => self.changes.push(Change::Remove(*unit)),
                (false, true) => self.changes.push(Change::Add(*unit)),
                (false, false) => {}
            }
        }
        let Rest {
            free,
            squads,
            orders,
            counts,
            reach_scale,
            keep_apart,
            spawn_calls,
            revision,
            ..
        } = rest.clone();
        (self.free, self.squads, self.orders, self.counts) = (free, squads, orders, counts);
        (self.reach_scale, self.keep_apart) = (reach_scale, keep_apart);
        self.spawn_calls = spawn_calls;
        // As if the edit had never been: what was done before it can be taken back exactly, too.
        self.revision = revision;
        inverse.revision = revision;
        inverse
    }

    /// Takes back what an edit meant, now that time has passed.
    fn undo_meaning(&mut self, edit: &Edit) -> Edit {
        match &edit.intent {
            Intent::Entered(units) => {
                let inverse = self.remove(units);
                self.forget_sizes();
                inverse
            }
            Intent::Left(_) => self.bring_back(edit),
            Intent::Moved(_) => {
                let moves: Vec<(UnitId, Vec2)> = edit
                    .rows
                    .iter()
                    .filter_map(|(unit, row)| Some((*unit, row.as_ref()?.position)))
                    .filter(|(unit, _)| self.is_alive(*unit))
                    .collect();
                let units: Vec<UnitId> = moves.iter().map(|(unit, _)| *unit).collect();
                let inverse = self.begin(Intent::Moved(units.clone()), units);
                self.changes.clear();
                for (unit, position) in moves {
                    self.positions[unit as usize] = position;
                    self.changes.push(Change::Move(unit));
                }
                inverse
            }
            Intent::Sized(_) => {
                let sizes: Vec<(UnitId, Vec2)> = edit
                    .rows
                    .iter()
                    .filter(|(unit, _)| self.is_alive(*unit))
                    .filter_map(|(unit, row)| {
                        Some((*unit, row.as_ref()?.half_extent.unwrap_or_default()))
                    })
                    .collect();
                let inverse = self.resize_bodies(&sizes);
                self.forget_sizes();
                inverse
            }
            Intent::Ordered(side) => {
                let inverse = self.begin(Intent::Ordered(*side), Vec::new());
                self.changes.clear();
                self.orders[*side as usize] = edit.rest.orders[*side as usize];
                let before = edit.rest.squads.iter();
                for (squad, before) in self.squads.iter_mut().zip(before) {
                    if squad.side == *side && before.side == *side {
                        squad.template.order = before.template.order;
                        squad.heading = before.heading;
                    }
                }
                inverse
            }
            Intent::Reach => self.set_reach_scale(edit.rest.reach_scale),
            Intent::KeepApart => self.set_keep_apart(edit.rest.keep_apart),
        }
    }

    /// Where nobody who is left has a size, they are points, as they were before somebody was given one.
    fn forget_sizes(&mut self) {
        // Where nobody was told, indices would not hear of it.
        if self.half_extents.is_empty() || self.changes.told().is_empty() {
            return;
        }
        let bodies = self.bodies();
        if bodies
            .ids()
            .all(|unit| bodies.half_extent(unit) == Vec2::ZERO)
        {
            self.half_extents.clear();
        }
    }

    /// Lets units that went come back as they stood, into their own rows where nobody else has them.
    fn bring_back(&mut self, edit: &Edit) -> Edit {
        let first = self.positions.len() as UnitId;
        let mut next = first;
        let rows: Vec<UnitId> = edit
            .rows
            .iter()
            .map(|(unit, _)| {
                if *unit < first && !self.is_alive(*unit) {
                    *unit
                } else {
                    next += 1;
                    next - 1
                }
            })
            .collect();
        let inverse = self.begin(Intent::Entered(rows.clone()), rows.clone());
        let taken: std::collections::HashSet<UnitId> = rows.iter().copied().collect();
        self.free.retain(|unit| !taken.contains(unit));
        let sized = !self.half_extents.is_empty() || edit.rest.sized;
        self.resize(next as usize, sized);
        self.changes.clear();
        for ((unit, (_, row)), (side, template)) in rows.iter().zip(&edit.rows).zip(&edit.kinds) {
            let Some(row) = row else { continue };
            let squad = self.enlist(*side, template);
            self.set_row(*unit, &Row { squad, ..*row });
            self.squads[squad as usize].count += 1;
            self.counts[*side as usize] += 1;
            self.changes.push(Change::Add(*unit));
        }
        inverse
    }

    fn is_alive(&self, unit: UnitId) -> bool {
        self.alive.get(unit as usize).copied().unwrap_or(false)
    }

    fn rest(&self) -> Rest {
        Rest {
            row_count: self.positions.len(),
            sized: !self.half_extents.is_empty(),
            free: self.free.clone(),
            squads: self.squads.clone(),
            orders: self.orders,
            counts: self.counts,
            reach_scale: self.reach_scale,
            keep_apart: self.keep_apart,
            spawn_calls: self.spawn_calls,
            revision: self.revision,
        }
    }

    fn row(&self, unit: UnitId) -> Option<Row> {
        let row = unit as usize;
        Some(Row {
            position: *self.positions.get(row)?,
            velocity: self.velocities[row],
            half_extent: self.half_extents.get(row).copied(),
            side: self.sides[row],
            hit_points: self.hit_points[row],
            alive: self.alive[row],
            squad: self.squad_ids[row],
            target: self.targets[row],
            look_delay: self.look_delays[row],
            strike_delay: self.strike_delays[row],
        })
    }

    fn set_row(&mut self, unit: UnitId, row: &Row) {
        let place = unit as usize;
        self.positions[place] = row.position;
        self.velocities[place] = row.velocity;
        if let Some(column) = self.half_extents.get_mut(place) {
            *column = row.half_extent.unwrap_or(Vec2::ZERO);
        }
        self.sides[place] = row.side;
        self.hit_points[place] = row.hit_points;
        self.alive[place] = row.alive;
        self.squad_ids[place] = row.squad;
        self.targets[place] = row.target;
        self.look_delays[place] = row.look_delay;
        self.strike_delays[place] = row.strike_delay;
    }

    /// Makes every column `count` rows long; new rows are nobody's.
    fn resize(&mut self, count: usize, sized: bool) {
        self.positions.resize(count, Vec2::ZERO);
        self.velocities.resize(count, Vec2::ZERO);
        self.sides.resize(count, Side::Blue);
        self.hit_points.resize(count, 0);
        self.alive.resize(count, false);
        self.squad_ids.resize(count, 0);
        self.targets.resize(count, super::NOBODY);
        self.look_delays.resize(count, 0);
        self.strike_delays.resize(count, 0);
        let mut half_extents = Vec::new();
        swap(&mut half_extents, &mut self.half_extents);
        if sized {
            half_extents.resize(count, Vec2::ZERO);
            self.half_extents = half_extents;
        }
    }
}
