//! Damage to a hierarchical grid, which its check has to notice.

use super::*;
use crate::partition::damage::{Damage, Patient};
use crate::partition::trial::Crowd;

/// A unit that is as wanted.
fn find(grid: &HierarchicalGrid, wanted: impl Fn(&Link, Vec2) -> bool) -> UnitId {
    let mut units = 0..grid.links.len() as UnitId;
    let is_it = |unit: &UnitId| {
        let link = &grid.links[*unit as usize];
        link.previous != UNLINKED && wanted(link, grid.half_extent(*unit))
    };
    units.find(is_it).expect("such a unit")
}

fn second_of_a_cell(grid: &HierarchicalGrid) -> UnitId {
    find(grid, |link, _| link.previous != NONE)
}

/// A block in use.
fn block(grid: &HierarchicalGrid) -> usize {
    let mut blocks = grid.blocks.blocks.iter();
    blocks.position(|block| block.mask != 0).expect("a block")
}

/// Two slots of the table in which there are blocks.
fn two_slots(grid: &HierarchicalGrid) -> [usize; 2] {
    let table = grid.blocks.table.iter().enumerate();
    let mut named = table.filter(|(_, index)| **index != NONE);
    let (first, _) = named.next().expect("a block");
    let (last, _) = named.next_back().expect("another block");
    [first, last]
}

/// A level on which nobody is.
const EMPTY_LEVEL: usize = LEVEL_LIMIT - 1;

const DAMAGES: &[Damage<HierarchicalGrid>] = &[
    ("the count of units", |grid| grid.count += 1),
    ("a block's place in the list of its level", |grid| {
        let block = block(grid);
        grid.blocks.blocks[block].order = 1_000_000;
    }),
    ("a block of no level", |grid| {
        let block = block(grid);
        grid.blocks.blocks[block].level = 1_000_000;
    }),
    ("two blocks in each other's slot of the table", |grid| {
        let [a, b] = two_slots(grid);
        grid.blocks.table.swap(a, b);
    }),
    ("a slot of the table without its block", |grid| {
        let [first, _] = two_slots(grid);
        grid.blocks.table[first] = NONE;
    }),
    ("a block that is in the table twice", |grid| {
        let [first, _] = two_slots(grid);
        let mut table = grid.blocks.table.iter();
        let free = table.position(|index| *index == NONE).expect("a slot");
        grid.blocks.table[free] = grid.blocks.table[first];
    }),
    ("a block in the list of another level", |grid| {
        grid.blocks.levels[EMPTY_LEVEL].push(0);
    }),
    ("a free block that is not listed", |grid| {
        let free = grid.blocks.free.pop().expect("a free block") as usize;
        // Another takes its part in the count.
        let other = block(grid) as u32;
        assert_eq!(grid.blocks.blocks[free].mask, 0);
        grid.blocks.free.push(other);
    }),
    ("a free block that is listed twice", |grid| {
        let first = grid.blocks.free[0];
        grid.blocks.free.push(first);
    }),
    ("a list of free blocks with none", |grid| {
        grid.blocks.free[0] = 1_000_000;
    }),
    ("a free block too few", |grid| {
        _ = grid.blocks.free.pop();
    }),
    ("a cell whose first unit is another's", |grid| {
        let unit = second_of_a_cell(grid);
        let block = block(grid);
        let bit = grid.blocks.blocks[block].mask.trailing_zeros();
        grid.blocks.heads[block][bit as usize] = unit;
    }),
    ("a cell that is a ring", |grid| {
        let unit = second_of_a_cell(grid) as usize;
        grid.links[unit].next = grid.links[unit].previous;
    }),
    ("a link back to somebody else", |grid| {
        let unit = second_of_a_cell(grid) as usize;
        grid.links[unit].previous = NONE;
    }),
    ("a link on to nobody", |grid| {
        let unit = find(grid, |link, _| link.next == NONE) as usize;
        grid.links[unit].next = 1_000_000;
    }),
    ("a cell with a bit and without anybody", |grid| {
        let block = block(grid);
        let bit = (!grid.blocks.blocks[block].mask).trailing_zeros();
        grid.blocks.blocks[block].mask |= 1 << bit;
        grid.blocks.heads[block][bit as usize] = NONE;
    }),
    ("a cell with somebody and without a bit", |grid| {
        let crowded = grid.blocks.blocks.iter_mut();
        let mut crowded = crowded.filter(|block| block.mask.count_ones() > 1);
        let block = crowded.next().expect("a block with two cells");
        block.mask &= block.mask - 1;
    }),
    ("a link of a unit that is not there", |grid| {
        let mut links = grid.links.iter_mut();
        let unused = links.find(|link| link.previous == UNLINKED);
        unused.expect("a row not in use").previous = NONE;
    }),
    ("a position that is copied wrongly", |grid| {
        let unit = second_of_a_cell(grid) as usize;
        grid.links[unit].position.x += 0.01;
    }),
    ("a size that is copied wrongly", |grid| {
        let unit = second_of_a_cell(grid) as usize;
        grid.half_extents[unit].x += 0.01;
    }),
    ("a unit in a cell that is too coarse for it", |grid| {
        let unit = find(grid, |_, half_extent| grid.level_of(half_extent) == 0);
        let (position, half_extent) = (grid.links[unit as usize].position, grid.half_extent(unit));
        let large = find(grid, |_, half_extent| grid.level_of(half_extent) > 0);
        let level = grid.level_of(grid.half_extent(large));
        let home = grid.home_of(position, half_extent);
        grid.unlink(unit, home);
        let cell = blocks::Cell {
            level,
            column: grid.number(level, position.x),
            row: grid.number(level, position.y),
        };
        grid.link(unit, position, half_extent, cell);
    }),
    ("cells that are smaller than it is reckoned with", |grid| {
        grid.set_knob(0, 1.0);
    }),
    ("what is the largest on a level", |grid| {
        let large = find(grid, |_, half_extent| grid.level_of(half_extent) > 0);
        let level = grid.level_of(grid.half_extent(large));
        grid.levels[level as usize].half_extent = Vec2::ZERO;
    }),
    ("the count of a level", |grid| grid.levels[0].count += 1),
    ("a level with units and without a bit", |grid| {
        grid.occupied &= !1;
    }),
    ("a level without units and with a bit", |grid| {
        grid.occupied |= 1 << EMPTY_LEVEL;
    }),
    ("a bit of no level", |grid| {
        grid.occupied |= 1 << LEVEL_LIMIT
    }),
    ("an empty level that says how large its units are", |grid| {
        grid.levels[EMPTY_LEVEL].half_extent.x = 1.0;
    }),
];

#[test]
fn every_damage_is_noticed() {
    let knobs = [("cell_size", "2")];
    let mut patient = Patient::new(Crowd::Even, 400, true, &knobs).aged();
    patient.follow(|trial| trial.fall(150));
    patient.notices(DAMAGES);
}
