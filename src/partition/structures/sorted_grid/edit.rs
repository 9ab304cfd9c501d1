//! Single edits: a few units that come, go or move among many that stand.
//!
//! A build leaves no room: each row begins where the one before ends. The first single edit after one loosens the rows, so that each
//! has some room at its end. From then on an edit moves what lies between the unit's place and the end of its row, or between its
//! old and its new place in the row, and nobody else: as many units as a row has at the most, in one piece. A row that is full goes
//! to the end of all places and finds more room there. Runs have no holes, so that no query learns of any of this.
//!
//! Where that would take longer than a build, the grid is built: for a mass of changes, for rows as long as the world, for land that
//! the build never saw.

use super::layer::{Cells, Layer, Row, Stretch};
use super::{CLASS_RATIO, NO_CLASS, SortedGrid};
use crate::geometry::Vec2;
use crate::partition::toolkit::simd::PADDING;
use crate::partition::{Bodies, Change, Course, Outgrown, UnitId};
use crate::probe::{Event, Probe, Work};
use std::ops::Range;

/// One unit of so many may change before a build is quicker than single edits.
const CHANGING: usize = 8;
/// The same for rows that have to be loosened first.
const CHANGING_AT_FIRST: usize = 16;
/// A row gets room for one unit more for so many that it has.
const ROOM_PER_UNIT: usize = 4;
/// And for so many more.
const FREE_ROOM: usize = 4;
/// So many units may be passed by for each that there is, before a build is quicker.
const PATIENCE: usize = 4;
/// And so many more.
const FREE_PATIENCE: usize = 1 << 12;
/// A stretch is made longer by a unit at most so many columns away, and beyond that begins a new one.
const NEAR: u32 = 8;
/// So many empty columns go with a new one on each side.
const MARGIN: i32 = 2;

/// The cell of a unit, by the numbers of its column and row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Home {
    column: i32,
    row: i32,
}

impl Home {
    /// Whether it is one of these cells.
    pub(super) fn is_in(self, cells: Cells) -> bool {
        cells.distance((self.column, self.row)) == 0
    }
}

/// Where a unit is kept.
#[derive(Clone, Copy, Debug)]
struct Address {
    row: usize,
    stretch: usize,
    /// The entry of its cell in the table of starts.
    entry: usize,
    place: usize,
}

impl SortedGrid {
    /// Whether the changes are few enough to be made one by one, and gets ready for that; many of them are made at once.
    pub(super) fn look_at<P: Probe>(
        &mut self,
        bodies: Bodies<'_>,
        changes: &[Change],
        probe: &mut P,
    ) -> Course {
        if changes.is_empty() {
            return Course::Done;
        }
        let count = self.len();
        let is_loose = self.layers.iter().any(|layer| layer.is_loose);
        let share = if is_loose {
            CHANGING
        } else {
            CHANGING_AT_FIRST
        };
        let is_sized = self.classes.is_some();
        if bodies.are_sized() != is_sized {
            return Course::Rebuild;
        }
        if changes.len() > count / share {
            return self.follow(bodies, changes, probe);
        }
        let slots = bodies.slot_count().max(self.slots);
        if !is_loose {
            self.homes.clear();
            self.homes.resize(slots, Home::default());
            for layer in &mut self.layers {
                layer.loosen(&mut self.homes);
            }
        }
        self.homes
            .resize(slots.max(self.homes.len()), Home::default());
        if let Some(classes) = &mut self.classes {
            classes.resize(slots.max(classes.len()), NO_CLASS);
        }
        self.patience = count * PATIENCE + FREE_PATIENCE;
        Course::OneByOne
    }

    /// Takes in a unit.
    pub(super) fn insert(&mut self, bodies: Bodies<'_>, unit: UnitId) -> Result<(), Outgrown> {
        let class = self.class_now(bodies, unit);
        self.make_class(class, bodies.are_sized());
        let layer = &mut self.layers[usize::from(class)];
        let home = layer.home_of(bodies.center(unit));
        layer.put_in(bodies, unit, home, &mut self.patience)?;
        self.homes[unit as usize] = home;
        if let Some(classes) = &mut self.classes {
            classes[unit as usize] = class;
        }
        Ok(())
    }

    /// Lets go of a unit.
    pub(super) fn delete(&mut self, unit: UnitId) -> Result<(), Outgrown> {
        let class = usize::from(self.class_before(unit));
        let home = *self.homes.get(unit as usize).ok_or(Outgrown)?;
        let layer = self.layers.get_mut(class).ok_or(Outgrown)?;
        let address = layer.find(unit, home, &mut self.patience)?;
        layer.take_out(address, &mut self.patience)
    }

    /// Brings a unit to where it is now.
    pub(super) fn update<P: Probe>(
        &mut self,
        bodies: Bodies<'_>,
        unit: UnitId,
        probe: &mut P,
    ) -> Result<(), Outgrown> {
        let class = self.class_now(bodies, unit);
        if class != self.class_before(unit) {
            probe.on(Event::Work(Work::MoveRelink));
            self.delete(unit)?;
            return self.insert(bodies, unit);
        }
        let home = self.homes.get_mut(unit as usize).ok_or(Outgrown)?;
        let layer = self.layers.get_mut(usize::from(class)).ok_or(Outgrown)?;
        let address = layer.find(unit, *home, &mut self.patience)?;
        let to = layer.home_of(bodies.center(unit));
        if to == *home {
            probe.on(Event::Work(Work::MoveInPlace));
            layer.write(bodies, unit, address.row, address.place);
            return Ok(());
        }
        probe.on(Event::Work(Work::MoveRelink));
        let from = std::mem::replace(home, to);
        if to.row == from.row && layer.shift_along(bodies, unit, address, to, &mut self.patience)? {
            return Ok(());
        }
        layer.take_out(address, &mut self.patience)?;
        layer.put_in(bodies, unit, to, &mut self.patience)
    }

    /// The size class that a unit belongs to.
    fn class_now(&self, bodies: Bodies<'_>, unit: UnitId) -> u8 {
        if bodies.are_sized() {
            self.class_of(bodies.half_extent(unit).max_element())
        } else {
            0
        }
    }

    /// The size class in which a unit is.
    fn class_before(&self, unit: UnitId) -> u8 {
        let class = |classes: &Vec<u8>| classes.get(unit as usize).copied();
        self.classes
            .as_ref()
            .map_or(0, |classes| class(classes).unwrap_or(NO_CLASS))
    }

    /// Sees to it that there is a layer for a class.
    fn make_class(&mut self, class: u8, is_sized: bool) {
        while self.layers.len() <= usize::from(class) {
            let steps = self.layers.len() as i32;
            let cell_size = self.cell_size.value() as f32 * CLASS_RATIO.powi(steps);
            self.layers.push(Layer::loose(cell_size, is_sized));
        }
    }
}

/// Takes `effort` from what may still be spent.
#[inline(always)]
fn spend(patience: &mut usize, effort: usize) -> Result<(), Outgrown> {
    *patience = patience.checked_sub(effort).ok_or(Outgrown)?;
    Ok(())
}

impl Layer {
    /// A layer without units, ready for the first.
    fn loose(cell_size: f32, is_sized: bool) -> Self {
        let mut layer = Self::new();
        (layer.cell_size, layer.inverse) = (cell_size, 1.0 / cell_size);
        layer.is_loose = true;
        layer.bodies.resize(0, is_sized);
        layer
    }

    fn is_sized(&self) -> bool {
        !self.bodies.right.is_empty()
    }

    #[inline(always)]
    pub(super) fn home_of(&self, center: Vec2) -> Home {
        Home {
            column: self.number(center.x),
            row: self.number(center.y),
        }
    }

    /// Gives each row room, and writes down the cell of each unit.
    fn loosen(&mut self, homes: &mut [Home]) {
        self.is_loose = true;
        let is_sized = self.is_sized();
        let room_of = |units: &Range<usize>| units.len() + units.len() / ROOM_PER_UNIT + FREE_ROOM;
        let rows = 0..self.listed_rows().len();
        let room = rows.clone().map(|row| room_of(&self.units_of(row))).sum();
        let tight = std::mem::take(&mut self.bodies);
        self.bodies.resize(room, is_sized);
        let mut next = 0;
        for row in rows {
            let units = self.units_of(row);
            let index = self.rows[row].index;
            for stretch in &self.stretches[self.stretches_of(row)] {
                let columns = stretch.first..=stretch.last;
                let starts = stretch.entries();
                for (column, entry) in columns.zip(starts.clone()) {
                    let cell = self.starts[entry] as usize..self.starts[entry + 1] as usize;
                    for &unit in &tight.ids[cell] {
                        homes[unit as usize] = Home { column, row: index };
                    }
                }
                for start in &mut self.starts[starts] {
                    *start = (*start as usize - units.start + next) as u32;
                }
            }
            let copy = |to: &mut [f32], from: &[f32]| {
                if !from.is_empty() {
                    to[next..][..units.len()].copy_from_slice(&from[units.clone()]);
                }
            };
            copy(&mut self.bodies.left, &tight.left);
            copy(&mut self.bodies.bottom, &tight.bottom);
            copy(&mut self.bodies.right, &tight.right);
            copy(&mut self.bodies.top, &tight.top);
            self.bodies.ids[next..][..units.len()].copy_from_slice(&tight.ids[units.clone()]);
            let here = &mut self.rows[row];
            here.first_unit = next as u32;
            here.end = (next + units.len()) as u32;
            next += room_of(&units);
            here.room = next as u32;
        }
    }

    /// Where a unit is that was told to be in a cell.
    #[inline]
    fn find(&self, unit: UnitId, home: Home, patience: &mut usize) -> Result<Address, Outgrown> {
        let row = self.row_from(home.row);
        let stretches = self.stretches_of_row(row, home.row).ok_or(Outgrown)?;
        let stretch = self.stretch_from(stretches, home.column);
        let kept = self.stretches.get(stretch).ok_or(Outgrown)?;
        if home.column < kept.first || kept.last < home.column {
            return Err(Outgrown);
        }
        let entry = kept.entry(home.column);
        let run = self.starts[entry] as usize..self.starts[entry + 1] as usize;
        let ids = &self.bodies.ids[run.clone()];
        let place = ids.iter().position(|id| *id == unit).ok_or(Outgrown)?;
        spend(patience, place / 4)?;
        Ok(Address {
            row,
            stretch,
            entry,
            place: run.start + place,
        })
    }

    /// The stretches of a row, if it is there.
    #[inline]
    fn stretches_of_row(&self, row: usize, index: i32) -> Option<Range<usize>> {
        let is_there = row < self.listed_rows().len() && self.rows[row].index == index;
        is_there.then(|| self.stretches_of(row))
    }

    /// The first of a row's stretches that does not end before a column, or the one behind its last.
    #[inline]
    fn stretch_from(&self, stretches: Range<usize>, column: i32) -> usize {
        let ends_before = |stretch: &Stretch| stretch.last < column;
        stretches.start + self.stretches[stretches].partition_point(ends_before)
    }

    /// Writes the body of a unit to a place, and makes the bounds hold it.
    #[inline]
    fn write(&mut self, bodies: Bodies<'_>, unit: UnitId, row: usize, place: usize) {
        let center = bodies.center(unit);
        if self.is_sized() {
            self.bodies.set::<true>(place, bodies, center, unit);
            self.half_extent = self.half_extent.max(bodies.half_extent(unit));
        } else {
            self.bodies.set::<false>(place, bodies, center, unit);
        }
        let body = self.body_at(place);
        let row = &mut self.rows[row];
        row.low = row.low.min(body.min.y);
        row.high = row.high.max(body.max.y);
    }

    /// Moves the bodies at some places to as many others.
    #[inline]
    fn shift(&mut self, from: Range<usize>, to: usize) {
        let columns = &mut self.bodies;
        columns.left.copy_within(from.clone(), to);
        columns.bottom.copy_within(from.clone(), to);
        if !columns.right.is_empty() {
            columns.right.copy_within(from.clone(), to);
            columns.top.copy_within(from.clone(), to);
        }
        columns.ids.copy_within(from, to);
    }

    /// Brings a unit to another column of its stretch, past those in between. False where that column is not of the stretch.
    fn shift_along(
        &mut self,
        bodies: Bodies<'_>,
        unit: UnitId,
        from: Address,
        to: Home,
        patience: &mut usize,
    ) -> Result<bool, Outgrown> {
        let stretch = self.stretches[from.stretch];
        if to.column < stretch.first || stretch.last < to.column {
            return Ok(false);
        }
        let entry = stretch.entry(to.column);
        // It becomes the last of its new cell.
        let behind = self.starts[entry + 1] as usize;
        let place = if entry > from.entry {
            self.shift(from.place + 1..behind, from.place);
            for start in &mut self.starts[from.entry + 1..=entry] {
                *start -= 1;
            }
            behind - 1
        } else {
            self.shift(behind..from.place, behind + 1);
            for start in &mut self.starts[entry + 1..=from.entry] {
                *start += 1;
            }
            behind
        };
        self.write(bodies, unit, from.row, place);
        self.widen(to);
        spend(
            patience,
            place.abs_diff(from.place) + entry.abs_diff(from.entry),
        )?;
        Ok(true)
    }

    /// Lets those behind a unit in its row close up.
    fn take_out(&mut self, address: Address, patience: &mut usize) -> Result<(), Outgrown> {
        let Address { row, place, .. } = address;
        let end = self.rows[row].end as usize;
        self.shift(place + 1..end, place);
        self.rows[row].end -= 1;
        self.count -= 1;
        let passed = self.for_starts_behind(address, |start| *start -= 1);
        spend(patience, end - place + passed)
    }

    /// Puts a unit behind the others of its cell, and lets those behind it in its row make way.
    fn put_in(
        &mut self,
        bodies: Bodies<'_>,
        unit: UnitId,
        home: Home,
        patience: &mut usize,
    ) -> Result<(), Outgrown> {
        let (row, stretch) = self.make_cell(home, patience)?;
        if self.rows[row].end == self.rows[row].room {
            self.move_out(row, patience)?;
        }
        let entry = self.stretches[stretch].entry(home.column);
        let place = self.starts[entry + 1] as usize;
        let end = self.rows[row].end as usize;
        self.shift(place..end, place + 1);
        self.rows[row].end += 1;
        self.count += 1;
        let address = Address {
            row,
            stretch,
            entry,
            place,
        };
        let passed = self.for_starts_behind(address, |start| *start += 1);
        self.write(bodies, unit, row, place);
        self.widen(home);
        spend(patience, end - place + passed)
    }

    /// Does something to each start of the row behind a cell, and says how many there are.
    #[inline]
    fn for_starts_behind(&mut self, address: Address, change: impl Fn(&mut u32)) -> usize {
        let stretch = self.stretches[address.stretch].entries();
        let own = &mut self.starts[address.entry + 1..stretch.end];
        own.iter_mut().for_each(&change);
        let mut passed = own.len();
        let others = address.stretch + 1..self.stretches_of(address.row).end;
        for stretch in &self.stretches[others] {
            let starts = &mut self.starts[stretch.entries()];
            starts.iter_mut().for_each(&change);
            passed += starts.len();
        }
        passed
    }

    /// Makes the bounds hold a cell.
    #[inline]
    fn widen(&mut self, home: Home) {
        let extent = &mut self.extent;
        extent.left = extent.left.min(home.column);
        extent.right = extent.right.max(home.column);
        extent.bottom = extent.bottom.min(home.row);
        extent.top = extent.top.max(home.row);
    }

    /// Moves a row behind all others, where it has room for more.
    fn move_out(&mut self, row: usize, patience: &mut usize) -> Result<(), Outgrown> {
        let units = self.units_of(row);
        let (first, room) = (self.room(), 2 * units.len() + 2 * FREE_ROOM);
        // What rows have left behind is never more than what they took with them since.
        spend(patience, room)?;
        if first + room > 4 * self.count + FREE_PATIENCE {
            return Err(Outgrown);
        }
        self.bodies.resize(first + room, self.is_sized());
        self.shift(units.clone(), first);
        for stretch in self.stretches_of(row) {
            let entries = self.stretches[stretch].entries();
            for start in &mut self.starts[entries] {
                *start = (*start as usize - units.start + first) as u32;
            }
        }
        let here = &mut self.rows[row];
        here.first_unit = first as u32;
        here.end = (first + units.len()) as u32;
        here.room = (first + room) as u32;
        Ok(())
    }

    /// How many places there are.
    fn room(&self) -> usize {
        self.bodies.ids.len() - PADDING
    }

    /// The row and the stretch of a cell, which are made where there are none.
    fn make_cell(&mut self, home: Home, patience: &mut usize) -> Result<(usize, usize), Outgrown> {
        let row = self.row_from(home.row);
        if self.stretches_of_row(row, home.row).is_none() {
            spend(patience, self.rows.len() - row)?;
            let first_stretch = self.rows[row].first_stretch;
            let mut new = Row::end(first_stretch, self.room() as u32);
            new.index = home.row;
            self.rows.insert(row, new);
        }
        let stretches = self.stretches_of(row);
        let place = self.stretch_from(stretches.clone(), home.column);
        if place < stretches.end && self.stretches[place].first <= home.column {
            return Ok((row, place));
        }
        Ok((row, self.make_column(row, place, home.column, patience)?))
    }

    /// Makes a column that comes in a row before the stretch at `place`, and says in which stretch it is then.
    fn make_column(
        &mut self,
        row: usize,
        place: usize,
        column: i32,
        patience: &mut usize,
    ) -> Result<usize, Outgrown> {
        let stretches = self.stretches_of(row);
        let before = (place > stretches.start).then(|| self.stretches[place - 1]);
        let behind = (place < stretches.end).then(|| self.stretches[place]);
        // There is a column between the two that is of neither.
        let least = before.map_or(i32::MIN, |before| before.last + 1);
        let most = behind.map_or(i32::MAX - 1, |behind| behind.first - 1);
        // A stretch that goes on growing grows by more each time.
        let ahead = |stretch: &Stretch| (stretch.entries().len() / 8) as i32 + MARGIN;
        let near = |other: &Option<Stretch>, distance: fn(&Stretch, i32) -> u32| {
            other.filter(|other| distance(other, column) <= NEAR)
        };
        let first_entry = self.starts.len();
        let old = near(&before, |it, column| column.abs_diff(it.last));
        if let Some(old) = old {
            let last = column.saturating_add(ahead(&old)).min(most);
            let end = self.starts[old.entries().end - 1];
            self.starts.extend_from_within(old.entries());
            let more = last.abs_diff(old.last) as usize;
            self.starts.resize(self.starts.len() + more, end);
            let kept = &mut self.stretches[place - 1];
            (kept.last, kept.offset) = (last, first_entry as u32);
            self.check_tables_length(first_entry, patience)?;
            return Ok(place - 1);
        }
        let old = near(&behind, |it, column| it.first.abs_diff(column));
        if let Some(old) = old {
            let first = column.saturating_sub(ahead(&old)).max(least);
            let begin = self.starts[old.entries().start];
            let more = old.first.abs_diff(first) as usize;
            self.starts.resize(first_entry + more, begin);
            self.starts.extend_from_within(old.entries());
            let kept = &mut self.stretches[place];
            (kept.first, kept.offset) = (first, first_entry as u32);
            self.check_tables_length(first_entry, patience)?;
            return Ok(place);
        }
        let start = match &before {
            Some(before) => self.starts[before.entries().end - 1],
            None => self.rows[row].first_unit,
        };
        let new = Stretch {
            first: column.saturating_sub(MARGIN).max(least),
            last: column.saturating_add(MARGIN).min(most),
            offset: first_entry as u32,
        };
        self.starts.resize(new.entries().end, start);
        self.stretches.insert(place, new);
        for row in &mut self.rows[row + 1..] {
            row.first_stretch += 1;
        }
        spend(
            patience,
            self.stretches.len() - place + self.rows.len() - row,
        )?;
        self.check_tables_length(first_entry, patience)?;
        Ok(place)
    }

    /// Sees to it that tables which were made longer are not made longer for ever.
    fn check_tables_length(&self, before: usize, patience: &mut usize) -> Result<(), Outgrown> {
        spend(patience, self.starts.len() - before)?;
        if self.starts.len() > 2 * self.built_entries + self.count + FREE_PATIENCE {
            return Err(Outgrown);
        }
        Ok(())
    }
}

impl Stretch {
    /// The entry of one of its columns in the table of starts.
    #[inline(always)]
    fn entry(&self, column: i32) -> usize {
        self.offset as usize + column.abs_diff(self.first) as usize
    }

    /// All of its entries, with the one behind its last column.
    #[inline(always)]
    pub(super) fn entries(&self) -> Range<usize> {
        let width = self.last.abs_diff(self.first) as usize + 1;
        self.offset as usize..self.offset as usize + width + 1
    }
}
