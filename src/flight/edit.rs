//! Edits: who enters, leaves, is moved or is told something between two steps, and how that is taken back.
//!
//! An [`Edit3`] is a receipt. [`Flight::revert`] takes back what the edit meant and gives the receipt of that, so that undo and
//! redo are one operation; where steps have passed, time is not turned back. Rows that nobody has are nothing to a flight, so that
//! where nothing else has happened since, it is afterwards what it was before.

use super::{Flight, Template3, UNIT_LIMIT};
use crate::chance::{self, Stream};
use crate::partition::{COORDINATE_LIMIT, Change, UnitId};
use crate::scene::{Motion, Side, generate};
use crate::volume::{Aabb3, Vec3};

/// Why no unit was spawned or moved.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SpawnError3 {
    /// There would be too many.
    #[error("a flight holds at most {limit} units ({present} present, {asked} more asked for)")]
    Full {
        /// The most that there may be.
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
        position: Vec3,
    },
    /// A size is not a number, below zero or too large.
    #[error(
        "unit {unit}: half of a size must be from 0 to {COORDINATE_LIMIT} m along each axis (found {half_extent})"
    )]
    HalfExtent {
        /// Which of the units, from 0.
        unit: usize,
        /// Half of its size.
        half_extent: Vec3,
    },
}

/// The receipt of an edit: what takes it back.
#[derive(Clone, Debug)]
pub struct Edit3 {
    undo: Undo,
    units: Vec<UnitId>,
}

#[derive(Clone, Debug)]
enum Undo {
    /// These units go, and while it is still this tick the rows that were added for them: before there were so many.
    Remove { row_count: usize, tick: u64 },
    /// These come back as they were.
    BringBack(Vec<Row>),
    /// They go back to where they were.
    Place(Vec<Vec3>),
    /// They are as large as they were.
    Size(Vec<Vec3>),
    /// Every squadron of a side moves as it did: the motion that was last given, and that of each squadron.
    Move(Side, Motion, Vec<Motion>),
    /// Every reach is multiplied by this again.
    Reach(f32),
}

/// New units that have everything but their places in common.
#[derive(Clone, Copy, Debug)]
pub struct Group3<'a> {
    /// Whose they are.
    pub side: Side,
    /// What they are.
    pub template: Template3,
    /// Where each of them enters.
    pub positions: &'a [Vec3],
    /// Half of the width, depth and height of each of them; where these are not as many they are drawn from the template's law.
    pub half_extents: &'a [Vec3],
}

/// Everything that is known of one unit.
#[derive(Clone, Copy, Debug)]
struct Row {
    position: Vec3,
    velocity: Vec3,
    half_extent: Option<Vec3>,
    side: Side,
    template: Template3,
    /// Index into the squadrons of then.
    squadron: u32,
    hit_points: u16,
    target: UnitId,
}

impl Edit3 {
    /// Takes a later move of the same units, or a later size of theirs, into this one: what they were before is known. Whether it was
    /// that.
    pub fn absorb(&self, later: &Self) -> bool {
        match (&self.undo, &later.undo) {
            (Undo::Place(_), Undo::Place(_)) => self.units == later.units,
            // Some of them may have fallen since.
            (Undo::Size(_), Undo::Size(_)) => {
                let mut own = self.units.iter();
                let mut others = later.units.iter();
                others.all(|unit| own.any(|other| other == unit))
            }
            _ => false,
        }
    }

    /// The units that came; none where it was about others.
    pub fn entered(&self) -> &[UnitId] {
        match self.undo {
            Undo::Remove { .. } => &self.units,
            _ => &[],
        }
    }

    /// The units that came, went, were moved or were given a size.
    pub fn units(&self) -> &[UnitId] {
        &self.units
    }

    /// The bytes that the receipt takes on the heap.
    pub fn byte_count(&self) -> usize {
        let rest = match &self.undo {
            Undo::BringBack(rows) => size_of_val(rows.as_slice()),
            Undo::Place(all) | Undo::Size(all) => size_of_val(all.as_slice()),
            Undo::Move(_, _, motions) => size_of_val(motions.as_slice()),
            Undo::Remove { .. } | Undo::Reach(_) => 0,
        };
        rest + size_of_val(self.units.as_slice())
    }
}

impl Flight {
    /// Puts a new unit at each of `positions`. All of them enter, or none. Free rows are used first, the lowest before the
    /// others; the receipt names the rows in the order of `positions`.
    pub fn spawn(
        &mut self,
        side: Side,
        template: &Template3,
        positions: &[Vec3],
    ) -> Result<Edit3, SpawnError3> {
        self.muster(&[Group3 {
            side,
            template: *template,
            positions,
            half_extents: &[],
        }])
    }

    /// Lets new units of several kinds enter, as [`Flight::spawn`] does with those of one: all of them enter, or none. The receipt
    /// names the rows in the order of the groups.
    pub fn muster(&mut self, groups: &[Group3<'_>]) -> Result<Edit3, SpawnError3> {
        let present = self.positions.len() - self.free.len();
        let asked: usize = groups.iter().map(|group| group.positions.len()).sum();
        if asked > UNIT_LIMIT - present {
            return Err(SpawnError3::Full {
                limit: UNIT_LIMIT,
                present,
                asked,
            });
        }
        let all = groups.iter().flat_map(|group| group.positions);
        for (unit, position) in all.enumerate() {
            check_position(unit, *position)?;
        }
        for (unit, half_extent) in groups
            .iter()
            .flat_map(|group| group.half_extents)
            .enumerate()
        {
            check_half_extent(unit, *half_extent)?;
        }
        let mut sizes = Stream::new(chance::hash(self.seed, self.tick, present as u64));
        self.changes.clear();
        let row_count = self.positions.len();
        let mut units = Vec::with_capacity(asked);
        for group in groups {
            let count = group.positions.len();
            let half_extents = match group.half_extents {
                given if given.len() == count => given.to_vec(),
                _ => generate::half_extents3(group.template.size, count, &mut sizes),
            };
            let squadron = self.enlist(group.side, &group.template);
            for (place, &position) in group.positions.iter().enumerate() {
                let unit = self.enter(squadron, position, half_extents.get(place).copied());
                self.changes.push(Change::Add(unit));
                units.push(unit);
            }
        }
        Ok(Edit3 {
            undo: Undo::Remove {
                row_count,
                tick: self.tick,
            },
            units,
        })
    }

    /// Takes units off the field. Whoever is not alive is passed over.
    pub fn remove(&mut self, units: &[UnitId]) -> Edit3 {
        let mut leaving: Vec<UnitId> = units.to_vec();
        leaving.retain(|unit| self.is_alive(*unit));
        leaving.sort_unstable();
        leaving.dedup();
        let rows = leaving.iter().map(|unit| self.row(*unit)).collect();
        self.changes.clear();
        self.changes
            .extend(leaving.iter().copied().map(Change::Remove));
        self.leave(&leaving);
        Edit3 {
            undo: Undo::BringBack(rows),
            units: leaving,
        }
    }

    /// Puts units elsewhere, each to the position beside it. Whoever is not alive is passed over; all are moved, or none.
    pub fn place(&mut self, moves: &[(UnitId, Vec3)]) -> Result<Edit3, SpawnError3> {
        for (unit, (_, position)) in moves.iter().enumerate() {
            check_position(unit, *position)?;
        }
        self.changes.clear();
        let (mut units, mut before) = (Vec::new(), Vec::new());
        for &(unit, position) in moves {
            if self.is_alive(unit) {
                let place = &mut self.positions[unit as usize];
                units.push(unit);
                before.push(std::mem::replace(place, position));
                self.changes.push(Change::Move(unit));
            }
        }
        // Of a unit that is named twice the first place is where it was: what is taken back last counts.
        units.reverse();
        before.reverse();
        Ok(Edit3 {
            undo: Undo::Place(before),
            units,
        })
    }

    /// Gives units the size beside each: half of its width, depth and height. Whoever is not alive is passed over; all are given theirs,
    /// or none.
    pub fn set_sizes(&mut self, sizes: &[(UnitId, Vec3)]) -> Result<Edit3, SpawnError3> {
        for (unit, (_, half_extent)) in sizes.iter().enumerate() {
            check_half_extent(unit, *half_extent)?;
        }
        Ok(self.resize_bodies(sizes.iter().copied()))
    }

    fn resize_bodies(&mut self, sizes: impl Iterator<Item = (UnitId, Vec3)>) -> Edit3 {
        self.changes.clear();
        let (mut units, mut before) = (Vec::new(), Vec::new());
        for (unit, half_extent) in sizes {
            if self.is_alive(unit) {
                if self.half_extents.is_empty() {
                    self.half_extents.resize(self.positions.len(), Vec3::ZERO);
                }
                let size = &mut self.half_extents[unit as usize];
                units.push(unit);
                before.push(std::mem::replace(size, half_extent));
                self.changes.push(Change::Move(unit));
            }
        }
        // As with places: of a unit that is named twice the first size is what it was.
        units.reverse();
        before.reverse();
        Edit3 {
            undo: Undo::Size(before),
            units,
        }
    }

    /// Lets every unit of `side` move in another way.
    pub fn set_motion(&mut self, side: Side, motion: Motion) -> Edit3 {
        let before = self.squadrons.iter().map(|it| it.template.motion).collect();
        let last = std::mem::replace(&mut self.motions[side as usize], motion);
        for squadron in self.squadrons.iter_mut().filter(|it| it.side == side) {
            squadron.template.motion = motion;
        }
        self.changes.clear();
        Edit3 {
            undo: Undo::Move(side, last, before),
            units: Vec::new(),
        }
    }

    /// Multiplies every reach by `scale`, held between 0 and 100; what is no number changes nothing.
    pub fn set_reach_scale(&mut self, scale: f32) -> Edit3 {
        let before = self.reach_scale;
        self.changes.clear();
        if !scale.is_nan() {
            self.reach_scale = Self::clamp_scale(scale);
        }
        Edit3 {
            undo: Undo::Reach(before),
            units: Vec::new(),
        }
    }

    /// Takes an edit back, and gives the receipt by which that is taken back in turn.
    pub fn revert(&mut self, edit: &Edit3) -> Edit3 {
        match &edit.undo {
            Undo::Remove { row_count, tick } => {
                let inverse = self.remove(&edit.units);
                // Later on every index would be built anew for it, and count otherwise than where the rows stay.
                if *tick == self.tick {
                    self.forget_rows(*row_count, &inverse.units);
                }
                self.forget_sizes();
                inverse
            }
            Undo::BringBack(rows) => self.bring_back(&edit.units, rows),
            Undo::Place(before) => {
                let moves: Vec<_> = edit.units.iter().copied().zip(before.clone()).collect();
                // They were all taken in before.
                self.place(&moves).unwrap_or(Edit3 {
                    undo: Undo::Place(Vec::new()),
                    units: Vec::new(),
                })
            }
            Undo::Size(before) => {
                let sizes = edit.units.iter().copied().zip(before.iter().copied());
                let inverse = self.resize_bodies(sizes);
                self.forget_sizes();
                inverse
            }
            Undo::Move(side, last, motions) => {
                let inverse = self.set_motion(*side, *last);
                for (squadron, motion) in self.squadrons.iter_mut().zip(motions) {
                    if squadron.side == *side {
                        squadron.template.motion = *motion;
                    }
                }
                inverse
            }
            Undo::Reach(scale) => self.set_reach_scale(*scale),
        }
    }

    /// Takes the rows from `row_count` on away where all of them were those of `left`, as if they had never been: an index is then built
    /// as it was before they came. Who comes back has the same rows again.
    fn forget_rows(&mut self, row_count: usize, left: &[UnitId]) {
        let added = left.iter().filter(|unit| **unit as usize >= row_count);
        let end = row_count + added.count();
        // Where one of them was taken off in the meantime, whoever comes back would have the row of another.
        if row_count == end || end != self.positions.len() {
            return;
        }
        self.positions.truncate(row_count);
        self.velocities.truncate(row_count);
        self.half_extents.truncate(row_count);
        self.sides.truncate(row_count);
        self.hit_points.truncate(row_count);
        self.alive.truncate(row_count);
        self.squadron_ids.truncate(row_count);
        self.targets.truncate(row_count);
        self.free.retain(|unit| (*unit as usize) < row_count);
    }

    /// Where nobody who is left has a size, they are points, as they were before somebody was given one.
    fn forget_sizes(&mut self) {
        // Where nobody was told, indices would not hear of it.
        if self.half_extents.is_empty() || self.changes.is_empty() {
            return;
        }
        let bodies = self.bodies();
        if bodies
            .ids()
            .all(|unit| bodies.half_extent(unit) == Vec3::ZERO)
        {
            self.half_extents.clear();
        }
    }

    /// Lets units that went come back as they stood, into their own rows where nobody else has them.
    fn bring_back(&mut self, units: &[UnitId], rows: &[Row]) -> Edit3 {
        self.changes.clear();
        let mut back = Vec::with_capacity(units.len());
        let first_new = self.positions.len();
        let mut taken = vec![false; first_new];
        let room = UNIT_LIMIT - (first_new - self.free.len());
        for (&unit, row) in units.iter().zip(rows).take(room) {
            let own = unit as usize;
            let place = if own < first_new && !self.alive[own] {
                taken[own] = true;
                unit
            } else {
                self.add_row();
                self.positions.len() as UnitId - 1
            };
            self.set_row(place, row);
            self.changes.push(Change::Add(place));
            back.push(place);
        }
        self.free
            .retain(|unit| !taken.get(*unit as usize).copied().unwrap_or(false));
        Edit3 {
            undo: Undo::Remove {
                row_count: first_new,
                tick: self.tick,
            },
            units: back,
        }
    }

    fn row(&self, unit: UnitId) -> Row {
        let row = unit as usize;
        Row {
            position: self.positions[row],
            velocity: self.velocities[row],
            half_extent: self.half_extents.get(row).copied(),
            side: self.sides[row],
            template: self.squadrons[self.squadron_ids[row] as usize].template,
            squadron: self.squadron_ids[row],
            hit_points: self.hit_points[row],
            target: self.targets[row],
        }
    }

    /// Makes a row that nobody has that of a unit.
    fn set_row(&mut self, unit: UnitId, row: &Row) {
        // Into its own, as long as that is what it was: another may be like it only because both were told the same.
        let own = self.squadrons.get(row.squadron as usize);
        let is_own = own.is_some_and(|it| (it.side, it.template) == (row.side, row.template));
        let squadron = if is_own {
            row.squadron
        } else {
            self.enlist(row.side, &row.template)
        };
        let place = unit as usize;
        if row.half_extent.is_some() && self.half_extents.is_empty() {
            self.half_extents.resize(self.positions.len(), Vec3::ZERO);
        }
        if let Some(size) = self.half_extents.get_mut(place) {
            *size = row.half_extent.unwrap_or(Vec3::ZERO);
        }
        self.positions[place] = row.position;
        self.velocities[place] = row.velocity;
        self.sides[place] = row.side;
        self.hit_points[place] = row.hit_points;
        self.alive[place] = true;
        self.squadron_ids[place] = squadron;
        // Who has gone since is looked for anew, as by whoever stayed.
        self.targets[place] = row.target;
        self.counts[row.side as usize] += 1;
    }
}

fn check_half_extent(unit: usize, half_extent: Vec3) -> Result<(), SpawnError3> {
    let limit = Vec3::splat(COORDINATE_LIMIT);
    if Aabb3::new(Vec3::ZERO, limit).contains(half_extent) {
        Ok(())
    } else {
        Err(SpawnError3::HalfExtent { unit, half_extent })
    }
}

fn check_position(unit: usize, position: Vec3) -> Result<(), SpawnError3> {
    let limit = Vec3::splat(COORDINATE_LIMIT);
    if Aabb3::new(-limit, limit).contains(position) {
        Ok(())
    } else {
        Err(SpawnError3::Position { unit, position })
    }
}
