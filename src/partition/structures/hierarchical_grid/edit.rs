//! Units come, move and go: each edit mends the links of one or two cells.

use super::blocks::Cell;
use super::{
    CELL_LIMITS, HierarchicalGrid, LEVEL_LIMIT, Level, Link, NONE, UNLINKED, fitting_cell,
};
use crate::geometry::Vec2;
use crate::partition::toolkit::simd;
use crate::partition::{Bodies, UnitId};
use crate::probe::{Event, Probe, Work};

impl HierarchicalGrid {
    pub(super) fn build<P: Probe>(&mut self, bodies: Bodies<'_>, probe: &mut P) {
        probe.on(Event::Work(Work::Rebuild));
        self.cell_size.choose(bodies, CELL_LIMITS, fitting_cell);
        let cell_size = self.cell_size.value();
        self.inverse = 1.0 / cell_size as f32;
        self.finest_limit = (cell_size * self.body_ratio * 0.5) as f32;
        self.blocks.clear();
        self.levels.fill(Level::EMPTY);
        (self.occupied, self.count) = (0, 0);
        self.links.clear();
        self.links.resize(bodies.slot_count(), Link::UNUSED);
        self.half_extents.clear();
        self.half_extents.extend_from_slice(bodies.half_extents);
        // Backwards, because the last to be linked is the first of its cell: cells begin in the order of ids.
        for unit in (0..bodies.slot_count() as UnitId).rev() {
            if bodies.is_alive(unit) {
                self.insert(bodies, unit);
            }
        }
    }

    /// Takes in a unit that it does not hold.
    pub(super) fn insert(&mut self, bodies: Bodies<'_>, unit: UnitId) {
        let (position, half_extent) = (bodies.center(unit), bodies.half_extent(unit));
        debug_assert_eq!(
            self.links[unit as usize].previous, UNLINKED,
            "unit {unit} was added twice"
        );
        self.copy_half_extent(unit, half_extent);
        self.link(
            unit,
            position,
            half_extent,
            self.home_of(position, half_extent),
        );
        self.count += 1;
    }

    /// Lets go of a unit that it holds.
    pub(super) fn let_go(&mut self, unit: UnitId) {
        let position = self.links[unit as usize].position;
        debug_assert_ne!(
            self.links[unit as usize].previous, UNLINKED,
            "unit {unit} was removed twice"
        );
        self.unlink(unit, self.home_of(position, self.half_extent(unit)));
        self.links[unit as usize].previous = UNLINKED;
        self.count -= 1;
    }

    /// Brings a unit that it holds to the cell and the level where it belongs by now.
    #[inline]
    pub(super) fn bring<P: Probe>(&mut self, bodies: Bodies<'_>, unit: UnitId, probe: &mut P) {
        let (position, half_extent) = (bodies.center(unit), bodies.half_extent(unit));
        let old = self.home_of(self.links[unit as usize].position, self.half_extent(unit));
        let new = self.home_of(position, half_extent);
        self.copy_half_extent(unit, half_extent);
        if old == new {
            self.links[unit as usize].position = position;
            self.levels[new.level as usize].reach_to(half_extent);
            probe.on(Event::Work(Work::MoveInPlace));
        } else {
            self.unlink(unit, old);
            self.link(unit, position, half_extent, new);
            probe.on(Event::Work(Work::MoveRelink));
        }
    }

    /// Puts a unit at the front of a cell.
    #[inline]
    pub(super) fn link(&mut self, unit: UnitId, position: Vec2, half_extent: Vec2, cell: Cell) {
        let next = self.blocks.push(cell, unit);
        if let Some(next) = next {
            self.links[next as usize].previous = unit;
        }
        self.links[unit as usize] = Link {
            position,
            previous: NONE,
            next: next.unwrap_or(NONE),
        };
        let level = &mut self.levels[cell.level as usize];
        level.count += 1;
        level.reach_to(half_extent);
        self.occupied |= 1 << cell.level;
    }

    /// Takes a unit out of its cell.
    #[inline]
    pub(super) fn unlink(&mut self, unit: UnitId, cell: Cell) {
        let link = self.links[unit as usize];
        if link.next != NONE {
            self.links[link.next as usize].previous = link.previous;
        }
        if link.previous != NONE {
            self.links[link.previous as usize].next = link.next;
        } else {
            self.blocks.replace_head(cell, link.next);
        }
        let level = &mut self.levels[cell.level as usize];
        level.count -= 1;
        if level.count == 0 {
            *level = Level::EMPTY;
            self.occupied &= !(1 << cell.level);
        }
    }

    /// Writes down the size of a unit, in a world of sized bodies.
    #[inline]
    fn copy_half_extent(&mut self, unit: UnitId, half_extent: Vec2) {
        if !self.half_extents.is_empty() {
            self.half_extents[unit as usize] = half_extent;
        }
    }

    /// The cell in which a body belongs.
    #[inline]
    pub(super) fn home_of(&self, position: Vec2, half_extent: Vec2) -> Cell {
        let level = self.level_of(half_extent);
        Cell {
            level,
            column: self.number(level, position.x),
            row: self.number(level, position.y),
        }
    }

    /// The finest level whose cells are wide enough for a body.
    #[inline]
    pub(super) fn level_of(&self, half_extent: Vec2) -> u32 {
        let longer = half_extent.max_element();
        if longer <= self.finest_limit {
            return 0;
        }
        // The least power of two that is not below the ratio, read from the number's exponent.
        let ratio = (longer / self.finest_limit).to_bits();
        let has_fraction = ratio & ((1 << (f32::MANTISSA_DIGITS - 1)) - 1) != 0;
        let power = (ratio >> (f32::MANTISSA_DIGITS - 1)) - 127 + u32::from(has_fraction);
        power
            .next_multiple_of(self.level_ratio + 1)
            .min(LEVEL_LIMIT as u32 - 1)
    }

    /// The column or row of a coordinate: the floor of its multiple of the cell's side.
    ///
    /// It never decreases with the coordinate, in `f32` and not just on paper, and every coordinate has one. Halving a number
    /// that a coordinate has on one level gives exactly the number that it has on the next, so cells lie within cells.
    #[inline]
    pub(super) fn number(&self, level: u32, coordinate: f32) -> i32 {
        simd::floor(coordinate * self.inverse) >> level.min(31)
    }
}
