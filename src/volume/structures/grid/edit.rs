//! Building, adding, moving, removing.

use super::tiles::{cell_at, inner_of, key_of, tile_of};
use super::{Cell, FREE, Grid3, LARGE, List, NONE};
use crate::partition::{AUTO, Change, Course, KnobField, Outgrown, UnitId};
use crate::probe::{Event, Probe, Work};
use crate::volume::{Aabb3, Bodies3, Vec3};

/// A cell of more units is looked through once after all changes, and not for each of them who was on the border of its box.
const CROWD: u32 = 256;

impl Grid3 {
    /// Forgets everything and builds the grid over the units alive.
    pub(super) fn build<P: Probe>(&mut self, bodies: Bodies3<'_>, probe: &mut P) {
        probe.on(Event::Work(Work::Rebuild));
        self.cell_size.choose(self.field, bodies);
        self.side = self.cell_size.in_effect() as f32;
        self.inverse = 1.0 / self.side;
        self.cells.clear();
        self.cells.push(Cell {
            bounds: Aabb3::EMPTY,
            list: List::EMPTY,
            tile: NONE,
            inner: 0,
        });
        (self.free, self.free_count) = (NONE, 0);
        self.tiles.clear();
        self.blocks.reset(bodies.are_sized());
        self.slots.clear();
        self.slots.resize(bodies.slot_count(), NONE);
        (self.reach, self.extent) = (Vec3::ZERO, 0);
        // In the order of their cells, so that neighbours lie near each other.
        let mut room = std::mem::take(&mut self.room);
        room.clear();
        for unit in bodies.ids() {
            let cell = cell_at(bodies.aabb(unit).center(), self.inverse);
            let key = key_of(tile_of(cell)) << 6 | inner_of(cell) as u64;
            room.push((key, unit));
        }
        room.sort_unstable();
        for &(_, unit) in &room {
            self.insert(unit, bodies.aabb(unit));
        }
        room.clear();
        self.room = room;
        self.large_at_first = self.cells[LARGE as usize].list.load;
    }

    /// Makes room for new rows.
    pub(super) fn look_at(&mut self, bodies: Bodies3<'_>, changes: &[Change]) -> Course {
        if changes.is_empty() {
            return Course::Done;
        }
        if bodies.are_sized() != self.blocks.is_sized() {
            // Points have become bodies, or bodies points.
            return Course::Rebuild;
        }
        if bodies.slot_count() > self.slots.len() {
            self.slots.resize(bodies.slot_count(), NONE);
        }
        Course::OneByOne
    }

    /// Computes the boxes of crowded cells anew from whose border somebody has gone, and notices where the cells have become too small
    /// for the bodies: those held apart are tested with each other, each with all.
    pub(super) fn look_back<P: Probe>(&mut self, probe: &mut P) -> Result<(), Outgrown> {
        if !self.room.is_empty() {
            let mut room = std::mem::take(&mut self.room);
            room.sort_unstable();
            room.dedup_by_key(|(cell, _)| *cell);
            for &(cell, _) in &room {
                let here = &mut self.cells[cell as usize];
                if here.inner != FREE {
                    probe.on(Event::Refit(cell as u32));
                    here.bounds = self.blocks.bounds_within(here.list, here.bounds);
                }
            }
            room.clear();
            self.room = room;
        }
        let large = self.cells[LARGE as usize].list.load;
        let is_left = self.cell_size.get() == AUTO;
        // So many that their pairs are about as many as there are units.
        let most = || 2.0 * (self.slots.len() as f32).sqrt() + 16.0;
        if is_left && large > 2 * self.large_at_first && large as f32 > most() {
            return Err(Outgrown);
        }
        Ok(())
    }

    /// Whether a body is held apart.
    #[inline]
    pub(super) fn is_large(&self, body: Aabb3) -> bool {
        body.half_extent().max_element() > self.side
    }

    /// Whether a body belongs to a cell.
    #[inline]
    pub(super) fn is_home(&self, cell: u32, body: Aabb3) -> bool {
        if self.is_large(body) || cell == LARGE {
            return cell == LARGE && self.is_large(body);
        }
        let here = &self.cells[cell as usize];
        let place = cell_at(body.center(), self.inverse);
        let tile = &self.tiles.all[here.tile as usize];
        tile.place == tile_of(place) && here.inner as usize == inner_of(place)
    }

    /// The cell to which a body belongs, made if there is none.
    fn home(&mut self, body: Aabb3) -> u32 {
        if self.is_large(body) {
            return LARGE;
        }
        let place = cell_at(body.center(), self.inverse);
        self.reach = self.reach.max(body.half_extent());
        self.extent = self.extent.max(place.abs().max_element());
        let tile = self.tiles.find_or_make(tile_of(place));
        let inner = inner_of(place);
        let found = self.tiles.all[tile as usize].cells[inner];
        if found != NONE {
            return found;
        }
        let made = Cell {
            bounds: Aabb3::EMPTY,
            list: List::EMPTY,
            tile,
            inner: inner as u32,
        };
        let cell = if self.free == NONE {
            self.cells.push(made);
            self.cells.len() as u32 - 1
        } else {
            let cell = self.free;
            self.free = std::mem::replace(&mut self.cells[cell as usize], made).tile;
            self.free_count -= 1;
            cell
        };
        let tile = &mut self.tiles.all[tile as usize];
        tile.cells[inner] = cell;
        tile.count += 1;
        cell
    }

    /// Puts a unit into the cell to which it belongs.
    pub(super) fn insert(&mut self, unit: UnitId, body: Aabb3) {
        debug_assert_eq!(
            self.slots[unit as usize], NONE,
            "unit {unit} was added twice"
        );
        let cell = self.home(body);
        let here = &mut self.cells[cell as usize];
        here.bounds = here.bounds.join(body);
        self.slots[unit as usize] = self.blocks.push(&mut here.list, cell, unit, body);
    }

    /// Writes a unit where it is, or puts it into the cell in which it is now.
    #[inline]
    pub(super) fn update<P: Probe>(&mut self, unit: UnitId, body: Aabb3, probe: &mut P) {
        let slot = self.slots[unit as usize];
        let cell = self.blocks.owner(slot);
        if !self.is_home(cell, body) {
            probe.on(Event::Work(Work::MoveRelink));
            self.take(unit, probe);
            self.insert(unit, body);
            return;
        }
        probe.on(Event::Work(Work::MoveInPlace));
        if cell != LARGE {
            self.reach = self.reach.max(body.half_extent());
        }
        let old = self.blocks.body(slot);
        self.blocks.write(slot, body);
        self.shrink(cell, old, probe);
        let bounds = &mut self.cells[cell as usize].bounds;
        *bounds = bounds.join(body);
    }

    /// Takes a unit out of its cell, and the cell out of its tile where nobody is left.
    pub(super) fn take<P: Probe>(&mut self, unit: UnitId, probe: &mut P) {
        let slot = std::mem::replace(&mut self.slots[unit as usize], NONE);
        debug_assert_ne!(slot, NONE, "unit {unit} was removed twice");
        let cell = self.blocks.owner(slot);
        let old = self.blocks.body(slot);
        let list = &mut self.cells[cell as usize].list;
        if let Some(moved) = self.blocks.remove(list, slot) {
            self.slots[moved as usize] = slot;
        }
        if cell == LARGE || list.load > 0 {
            self.shrink(cell, old, probe);
            return;
        }
        let Cell { tile, inner, .. } = self.cells[cell as usize];
        let here = &mut self.tiles.all[tile as usize];
        here.cells[inner as usize] = NONE;
        here.count -= 1;
        if here.count == 0 {
            self.tiles.give_back(tile);
        }
        let gone = &mut self.cells[cell as usize];
        (gone.tile, gone.inner) = (self.free, FREE);
        self.free = cell;
        self.free_count += 1;
    }

    /// Computes the union of a cell's boxes anew, if a box that is there no more was on its border. For a crowd that is put off.
    fn shrink<P: Probe>(&mut self, cell: u32, old: Aabb3, probe: &mut P) {
        let here = &mut self.cells[cell as usize];
        let is_inside =
            old.min.cmpgt(here.bounds.min).all() && old.max.cmplt(here.bounds.max).all();
        if is_inside {
            return;
        }
        if here.list.load <= CROWD {
            probe.on(Event::Refit(cell));
            here.bounds = self.blocks.bounds(here.list);
            return;
        }
        let noted = self.room.last().map(|(last, _)| *last);
        if noted != Some(cell.into()) {
            self.room.push((cell.into(), 0));
        }
    }
}
