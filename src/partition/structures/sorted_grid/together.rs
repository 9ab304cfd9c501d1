//! Sorting a large crowd on several threads.
//!
//! First every thread numbers the cells of some of the units, and notes of each lot of them from which cell to which they go. Then the
//! rows are dealt out, to each thread with about as many units as to any other, as far as a sample of them shows: to count all of them
//! row by row would take longer than to number them, for of units in yesterday's order each would wait for the one before it. Each thread
//! goes through the lots in which somebody may be of its own rows and lays those out: units that come in yesterday's order are looked at
//! by one thread, or two. No two threads write to the same place, and the units of a cell come in the same order as on one thread, so the grid is
//! the same to the last bit.

use super::build::Sorter;
use super::columns::{Bounds, RowColumns, Spread};
use super::layer::{Cell, Cells, Layer};
use crate::geometry::Vec2;
use crate::partition::toolkit::simd::{self, Kernel, Task};
use crate::partition::{Bodies, UnitId};
use rayon::prelude::*;
use std::ops::{Range, RangeInclusive};

/// So many units are a lot.
const LOT: usize = 1 << 12;

/// One of so many units is in the sample. No power of two, for units may come in an order that is even.
const SAMPLED: usize = 13;

/// From which cell to which the units of a lot go.
type Reach = RangeInclusive<u32>;

/// The rows of one thread.
struct Share<'l> {
    /// The numbers of their cells.
    cells: Range<u32>,
    /// The entries of the table of starts behind each of those cells.
    starts: &'l mut [u32],
    columns: RowColumns<'l>,
    /// The place of the first unit.
    first: u32,
}

impl Layer {
    /// Lays out units that are at these places on so many threads; false where their cells are no [block](Layer::block_of).
    pub(super) fn lay_together<const SIZED: bool>(
        &mut self,
        bodies: Bodies<'_>,
        (units, centers): (&[UnitId], &[Vec2]),
        sorter: &mut Sorter,
        threads: usize,
    ) -> bool {
        // Of whole lots, so that the lots of the pieces are those of all units.
        let piece = units.len().div_ceil(threads).next_multiple_of(LOT);
        let (x, y, half_extent) = centers
            .par_chunks(piece)
            .zip(units.par_chunks(piece))
            .map(|(centers, units)| {
                let halves = units.iter().map(|unit| bodies.half_extent(*unit));
                let half_extent = if SIZED {
                    halves.fold(Vec2::ZERO, Vec2::max)
                } else {
                    Vec2::ZERO
                };
                let mut spread = Spread::NONE;
                spread.take(centers);
                let (x, y) = spread.axes();
                (x, y, half_extent)
            })
            .reduce(
                || (Bounds::NONE, Bounds::NONE, Vec2::ZERO),
                |a, b| (a.0.join(b.0), a.1.join(b.1), a.2.max(b.2)),
            );
        let Some(extent) = self.block_of(units.len(), x, y) else {
            return false;
        };
        (self.half_extent, self.extent, self.count) = (half_extent, extent, units.len());
        self.bodies.resize(units.len(), SIZED);
        let (width, height) = (extent.width(), extent.height());
        self.starts.resize((width * height) as usize + 1, 0);
        let cell = self.cell();
        sorter.cells.resize(units.len(), 0);
        let numbered = sorter
            .cells
            .par_chunks_mut(piece)
            .zip(centers.par_chunks(piece))
            .map(|(numbers, centers)| {
                let mut reaches = Vec::with_capacity(piece / LOT);
                simd::dispatch(Numbering {
                    numbers,
                    centers,
                    cell,
                    block: extent,
                    reaches: &mut reaches,
                });
                reaches
            });
        // In the order of the pieces.
        let reaches: Vec<Vec<Reach>> = numbered.collect();
        let reaches = reaches.concat();
        let numbers = &sorter.cells[..];
        let ends = ends_of_shares(numbers, (width, height), threads);
        let places = ends.par_iter().map(|end| {
            let end = end * width;
            numbers.iter().map(|number| u32::from(*number < end)).sum()
        });
        let places: Vec<u32> = places.collect();
        let mut shares = self.shares(ends, places);
        shares
            .par_iter_mut()
            .for_each(|share| share.lay::<SIZED>(bodies, (units, centers), numbers, &reaches));
        self.list_rows::<SIZED>(width, height);
        true
    }

    /// The shares that end before these rows and, of the units in their order, before these places.
    fn shares(&mut self, ends: Vec<u32>, places: Vec<u32>) -> Vec<Share<'_>> {
        let width = self.extent.width();
        let columns = self
            .bodies
            .parts(places.iter().map(|place| *place as usize));
        let mut starts = &mut self.starts[1..];
        let (mut first_row, mut first) = (0, 0);
        let dealt = ends.into_iter().zip(places).zip(columns);
        dealt
            .map(|((end, place), columns)| {
                let entries = (end - first_row) * width;
                let (these, others) = std::mem::take(&mut starts).split_at_mut(entries as usize);
                starts = others;
                let share = Share {
                    cells: first_row * width..end * width,
                    starts: these,
                    columns,
                    first,
                };
                (first_row, first) = (end, place);
                share
            })
            .collect()
    }
}

impl Share<'_> {
    /// Lays out those of the units that are in its cells.
    fn lay<const SIZED: bool>(
        &mut self,
        bodies: Bodies<'_>,
        (units, centers): (&[UnitId], &[Vec2]),
        numbers: &[u32],
        reaches: &[Reach],
    ) {
        let first_cell = self.cells.start;
        let cells = self.cells.clone();
        let lots = || {
            let lots = reaches.iter().enumerate();
            let own = lots.filter(|(_, it)| *it.start() < cells.end && cells.start <= *it.end());
            own.map(|(lot, _)| lot * LOT..numbers.len().min((lot + 1) * LOT))
        };
        for lot in lots() {
            for number in &numbers[lot] {
                // What is before the first cell becomes a number beyond all entries.
                if let Some(count) = self
                    .starts
                    .get_mut(number.wrapping_sub(first_cell) as usize)
                {
                    *count += 1;
                }
            }
        }
        let mut next = self.first;
        for count in &mut *self.starts {
            next += std::mem::replace(count, next);
        }
        for lot in lots() {
            let placed = units[lot.clone()].iter().zip(&centers[lot.clone()]);
            for ((unit, center), number) in placed.zip(&numbers[lot]) {
                if let Some(place) = self
                    .starts
                    .get_mut(number.wrapping_sub(first_cell) as usize)
                {
                    let at = (*place - self.first) as usize;
                    *place += 1;
                    self.columns.set::<SIZED>(at, bodies, *center, *unit);
                }
            }
        }
    }
}

/// Before which row each of so many shares ends, so that each has about as many units as any other: by a sample of them.
fn ends_of_shares(numbers: &[u32], (width, height): (u32, u32), threads: usize) -> Vec<u32> {
    let mut counts = vec![0_u32; height as usize];
    let sample = || numbers.iter().step_by(SAMPLED);
    for number in sample() {
        counts[(number / width) as usize] += 1;
    }
    let total = sample().len() as u64;
    let (mut row, mut before) = (0, 0);
    let ends = (1..=threads as u64).map(|share| {
        let wanted = total * share / threads as u64;
        while row < height && (before < wanted || share == threads as u64) {
            before += u64::from(counts[row as usize]);
            row += 1;
        }
        row
    });
    ends.collect()
}

/// Some units about to be numbered, with whatever kernel there is.
struct Numbering<'n> {
    /// In which cell of the block each of them is.
    numbers: &'n mut [u32],
    centers: &'n [Vec2],
    cell: Cell,
    block: Cells,
    reaches: &'n mut Vec<Reach>,
}

impl Task for Numbering<'_> {
    #[inline(always)]
    fn run<K: Kernel>(self, _kernel: K) {
        let Self { cell, block, .. } = self;
        let width = block.width();
        let lots = self.numbers.chunks_mut(LOT);
        for (numbers, centers) in lots.zip(self.centers.chunks(LOT)) {
            let (mut least, mut greatest) = (u32::MAX, 0);
            for (number, center) in numbers.iter_mut().zip(centers) {
                let column = cell.number(center.x).wrapping_sub(block.left) as u32;
                let row = cell.number(center.y).wrapping_sub(block.bottom) as u32;
                *number = row.wrapping_mul(width).wrapping_add(column);
                (least, greatest) = (least.min(*number), greatest.max(*number));
            }
            self.reaches.push(least..=greatest);
        }
    }
}
