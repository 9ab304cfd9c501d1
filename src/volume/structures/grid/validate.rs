//! The grid's own check: tiles, cells, membership and copies.

use super::{FREE, Grid3, LARGE, NONE};
use crate::partition::Violation;
use crate::volume::Bodies3;
use crate::volume::toolkit::roll::Roll;

impl Grid3 {
    pub(super) fn check(&self, bodies: Bodies3<'_>) -> Result<(), Violation> {
        let mut roll = Roll::new(bodies);
        let mut blocks = self.check_cell(LARGE, &mut roll)?;
        let (mut cells, mut tiles) = (1, 0);
        for (index, tile) in (0..).zip(&self.tiles.all) {
            if tile.count == 0 {
                continue;
            }
            tiles += 1;
            let mut count = 0;
            for (inner, &cell) in (0..).zip(&tile.cells) {
                if cell == NONE {
                    continue;
                }
                let found = self.cells.get(cell as usize);
                let names = found.map(|it| (it.tile, it.inner));
                let is_held = found.is_some_and(|it| it.list.load > 0);
                Violation::unless(
                    names == Some((index, inner)) && cell != LARGE && is_held,
                    cell,
                    || format!("a cell with units at place {inner} of tile {index}"),
                    || format!("{found:?}"),
                )?;
                blocks += self.check_cell(cell, &mut roll)?;
                count += 1;
            }
            cells += count;
            let known = self.tiles.find(tile.place);
            Violation::unless(
                count == tile.count as usize && known == index,
                None,
                || format!("tile {index} at {} with {} cells", tile.place, tile.count),
                || format!("tile {known} there, {count} cells"),
            )?;
        }
        self.check_free(cells, tiles)?;
        self.blocks.check_free(blocks)?;
        let booked = self.slots.iter().filter(|slot| **slot != NONE).count();
        roll.close(booked)
    }

    /// Checks what is in a cell, and says how many blocks that takes.
    fn check_cell(&self, cell: u32, roll: &mut Roll<'_>) -> Result<usize, Violation> {
        let here = self.cells[cell as usize];
        let blocks = self
            .blocks
            .check(here.list, cell, cell, |slot, unit, copy| {
                roll.meet_at(unit, copy, cell)?;
                let booked = self.slots.get(unit as usize).copied();
                Violation::unless(
                    booked == Some(slot),
                    cell,
                    || format!("unit {unit} at slot {slot}"),
                    || format!("{booked:?}"),
                )?;
                let is_allowed = cell == LARGE || copy.half_extent().cmple(self.reach).all();
                Violation::unless(
                    self.is_home(cell, copy) && is_allowed,
                    cell,
                    || format!("units that belong here and reach at most {}", self.reach),
                    || format!("unit {unit} at {copy:?}"),
                )
            })?;
        let bounds = self.blocks.bounds(here.list);
        Violation::unless(
            bounds == here.bounds,
            cell,
            || format!("a box {bounds:?}"),
            || format!("{:?}", here.bounds),
        )?;
        let place = self.tiles.all.get(here.tile as usize).map(|it| it.place);
        let farthest = place.map_or(0, |place| {
            let at = super::tiles::cell_in(place, here.inner as usize);
            at.abs().max_element()
        });
        Violation::unless(
            farthest <= self.extent,
            cell,
            || format!("a place at most {} cells from the origin", self.extent),
            || format!("{farthest}"),
        )?;
        Ok(blocks)
    }

    /// All cells and tiles that are not in use are free, and in the list of what is free.
    fn check_free(&self, cells: usize, tiles: usize) -> Result<(), Violation> {
        let (mut cell, mut listed) = (self.free, 0);
        while let Some(free) = self.cells.get(cell as usize)
            && free.inner == FREE
            && listed <= self.cells.len()
        {
            listed += 1;
            cell = free.tile;
        }
        Violation::unless(
            cell == NONE
                && listed == self.free_count as usize
                && cells + listed == self.cells.len(),
            None,
            || format!("{} cells in use or free", self.cells.len()),
            || format!("{cells} in use, {listed} of {}", self.free_count),
        )?;
        let mut free = self.tiles.free.clone();
        free.sort_unstable();
        free.dedup();
        let is_bare = |index: &u32| {
            let tile = self.tiles.all.get(*index as usize);
            tile.is_some_and(|tile| tile.count == 0)
        };
        Violation::unless(
            free.len() == self.tiles.free.len()
                && free.iter().all(is_bare)
                && tiles + free.len() == self.tiles.all.len()
                && self.tiles.known() == tiles,
            None,
            || format!("{} tiles in use or free", self.tiles.all.len()),
            || {
                let known = self.tiles.known();
                format!("{tiles} in use, {known} known, {} free", free.len())
            },
        )
    }
}
