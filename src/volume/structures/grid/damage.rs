//! Damage to a grid, which its check has to notice.

use super::*;
use crate::partition::damage::Damage;
use crate::volume::trial::{Crowd, Patient};

/// A cell in a tile with more than one unit.
fn cell(grid: &Grid3) -> usize {
    let cells = grid.cells.iter().enumerate().skip(1);
    let mut full = cells.filter(|(_, cell)| cell.inner != FREE && cell.list.load > 1);
    full.next().expect("a cell").0
}

/// The slot of somebody in it.
fn slot(grid: &Grid3) -> u32 {
    grid.cells[cell(grid)].list.head * 8
}

const DAMAGES: &[Damage<Grid3>] = &[
    ("a cell counts one more", |grid| {
        let cell = cell(grid);
        grid.cells[cell].list.load += 1;
    }),
    ("a cell has lost its units", |grid| {
        let cell = cell(grid);
        grid.cells[cell].list = List::EMPTY;
    }),
    ("a box that is too small", |grid| {
        let cell = cell(grid);
        grid.cells[cell].bounds.max.z -= 1.0;
    }),
    ("a box that is too large", |grid| {
        let cell = cell(grid);
        grid.cells[cell].bounds.max.z += 1.0;
    }),
    ("a cell of another tile", |grid| {
        let cell = cell(grid);
        grid.cells[cell].tile += 1;
    }),
    ("a cell at another place", |grid| {
        let cell = cell(grid);
        grid.cells[cell].inner ^= 1;
    }),
    ("a tile that counts one more", |grid| {
        let tile = grid.cells[cell(grid)].tile;
        grid.tiles.all[tile as usize].count += 1;
    }),
    ("a tile that is somewhere else", |grid| {
        let tile = grid.cells[cell(grid)].tile;
        grid.tiles.all[tile as usize].place.y += 1;
    }),
    ("a tile that names no cell", |grid| {
        let tile = grid.cells[cell(grid)].tile;
        let cells = &mut grid.tiles.all[tile as usize].cells;
        let place = cells.iter().position(|cell| *cell != NONE);
        cells[place.expect("a cell")] = u32::MAX - 1;
    }),
    ("a tile that is not found any more", |grid| {
        let tile = grid.cells[cell(grid)].tile;
        grid.tiles.give_back(tile);
    }),
    ("a free tile twice", |grid| {
        let free = grid.tiles.free[0];
        grid.tiles.free.push(free);
    }),
    ("a free tile that is lost", |grid| {
        grid.tiles.free.pop();
    }),
    ("a reach that is too short", |grid| {
        grid.reach = Vec3::splat(-1.0);
    }),
    ("an extent that is too small", |grid| grid.extent = 0),
    ("cells of another size", |grid| grid.inverse *= 1.5),
    ("free cells that are lost", |grid| grid.free = NONE),
    ("a free cell in a circle", |grid| {
        let first = grid.free as usize;
        grid.cells[first].tile = first as u32;
    }),
    ("a free cell that is said to be used", |grid| {
        let first = grid.free as usize;
        grid.cells[first].inner = 3;
    }),
    ("a slot that leads elsewhere", |grid| {
        let unit = grid.blocks.unit(slot(grid));
        grid.slots[unit as usize] += 1;
    }),
    ("a slot too many", |grid| {
        let row = grid.slots.iter().position(|slot| *slot == NONE);
        grid.slots[row.expect("a row that is not in use")] = 0;
    }),
    ("a copy that is elsewhere", |grid| {
        let slot = slot(grid);
        grid.blocks.harm_copy(slot);
    }),
    ("a unit there twice", |grid| {
        let slot = slot(grid);
        grid.blocks.harm_unit(slot, grid.blocks.unit(slot + 1));
    }),
    ("a block that is another's", |grid| {
        let slot = slot(grid);
        grid.blocks.harm_owner(slot, 0);
    }),
    ("a block that is too short", |grid| {
        let slot = slot(grid);
        grid.blocks.harm_length(slot);
    }),
    ("blocks without an end", |grid| {
        let slot = slot(grid);
        grid.blocks.harm_chain(slot);
    }),
    ("a free block too many", |grid| grid.blocks.harm_free()),
];

#[test]
fn damage_is_noticed() {
    for sized in [false, true] {
        let knobs = [("cell_size", "13")];
        let patient = Patient::<Grid3>::aged(Crowd::Corner, sized, &knobs);
        assert!(patient.index.free_count > 0 && !patient.index.tiles.free.is_empty());
        patient.notices(DAMAGES);
    }
}
