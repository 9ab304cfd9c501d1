//! Damage to a linked grid, which its check has to notice.

use super::*;
use crate::partition::damage::{Damage, Patient};
use crate::partition::trial::Crowd;

/// A unit in a cell that is as wanted.
fn find(grid: &LinkedGrid, wanted: impl Fn(&Link) -> bool) -> usize {
    let mut units = 0..grid.links.len();
    let is_it = |unit: &usize| {
        let link = &grid.links[*unit];
        let is_regular = chain_of(grid, *unit) != grid.oversize_chain();
        link.previous != UNLINKED && is_regular && wanted(link)
    };
    units.find(is_it).expect("such a unit")
}

fn chain_of(grid: &LinkedGrid, unit: usize) -> u32 {
    grid.chain_of(grid.links[unit].position, grid.half_extent(unit as UnitId))
}

fn second_of_a_cell(grid: &LinkedGrid) -> usize {
    find(grid, |link| link.previous != NONE)
}

/// A cell without anybody.
fn empty_cell(grid: &LinkedGrid) -> usize {
    let mut heads = grid.heads.iter();
    heads.position(|head| *head == NONE).expect("an empty cell")
}

/// Takes a unit to another chain.
fn carry(grid: &mut LinkedGrid, unit: usize, chain: u32) {
    let from = chain_of(grid, unit);
    grid.unlink(unit as UnitId, from);
    grid.link(unit as UnitId, grid.links[unit].position, chain);
}

const DAMAGES: &[Damage<LinkedGrid>] = &[
    ("the count of units", |grid| grid.count += 1),
    ("a cell that is a ring", |grid| {
        let unit = second_of_a_cell(grid);
        grid.links[unit].next = grid.links[unit].previous;
    }),
    ("a link back to somebody else", |grid| {
        let unit = second_of_a_cell(grid);
        grid.links[unit].previous = NONE;
    }),
    ("a link on to nobody", |grid| {
        let unit = find(grid, |link| link.next == NONE);
        grid.links[unit].next = 1_000_000;
    }),
    ("an empty cell that leads to nobody", |grid| {
        let cell = empty_cell(grid);
        grid.heads[cell] = 1_000_000;
    }),
    ("a cell whose first unit is another's", |grid| {
        let (cell, unit) = (empty_cell(grid), second_of_a_cell(grid));
        grid.heads[cell] = unit as UnitId;
    }),
    ("a unit that is lost", |grid| {
        let unit = second_of_a_cell(grid);
        let cell = chain_of(grid, unit);
        grid.unlink(unit as UnitId, cell);
    }),
    ("a link of a unit that is not there", |grid| {
        let mut links = grid.links.iter_mut();
        let unused = links.find(|link| link.previous == UNLINKED);
        unused.expect("a row not in use").previous = NONE;
    }),
    ("a position that is copied wrongly", |grid| {
        let unit = second_of_a_cell(grid);
        grid.links[unit].position.x += 0.001;
    }),
    ("a size that is copied wrongly", |grid| {
        let unit = second_of_a_cell(grid);
        grid.half_extents[unit] = Vec2::ZERO;
    }),
    ("the count of the oversize", |grid| {
        grid.oversize_count += 1;
    }),
    ("a regular unit among the oversize", |grid| {
        let unit = second_of_a_cell(grid);
        carry(grid, unit, grid.oversize_chain());
    }),
    ("a cell with somebody and without a bit", |grid| {
        let cell = chain_of(grid, second_of_a_cell(grid)) as usize;
        grid.occupied[cell / 64] &= !(1 << (cell % 64));
    }),
    ("a cell with a bit and without anybody", |grid| {
        let cell = empty_cell(grid);
        grid.occupied[cell / 64] |= 1 << (cell % 64);
    }),
    ("a unit in the cell next to its own", |grid| {
        let unit = second_of_a_cell(grid);
        carry(grid, unit, chain_of(grid, unit) + 1);
    }),
    ("a border between cells", |grid| {
        let unit = second_of_a_cell(grid);
        let x = grid.links[unit].position.x;
        let column = grid.columns.column(x) as usize;
        grid.columns.edges[column] = x + 0.001;
    }),
];

/// Damages to a grid over units that stand on its lines.
const DAMAGES_ON_A_BORDER: &[Damage<LinkedGrid>] =
    &[("a unit on the wrong side of its cell's border", |grid| {
        let unit = second_of_a_cell(grid);
        carry(grid, unit, chain_of(grid, unit) - 1);
    })];

#[test]
fn every_damage_is_noticed() {
    let knobs = [("cell_size", "5")];
    let patient = Patient::new(Crowd::Even, 400, true, &knobs).aged();
    patient.notices(DAMAGES);
    let patient = Patient::new(Crowd::Lattice, 400, false, &knobs);
    patient.notices(DAMAGES_ON_A_BORDER);
}
