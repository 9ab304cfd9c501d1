//! Sorting a large crowd on several threads.
//!
//! First every thread numbers the cells of some of the units and counts how many of them are in each row. Then the rows are dealt out,
//! to each thread with about as many units as to any other, and each goes through the numbers of all units and lays out those of its own
//! rows. No two threads write to the same place, and the units of a cell come in the same order as on one thread, so the grid is the same
//! to the last bit.

use super::build::Sorter;
use super::columns::{Bounds, RowColumns, Spread};
use super::layer::{Cell, Cells, Layer};
use crate::geometry::Vec2;
use crate::partition::{Bodies, UnitId};
use rayon::prelude::*;

/// The rows of one thread.
struct Share<'l> {
    /// The numbers of their cells.
    cells: std::ops::Range<u32>,
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
        let piece = units.len().div_ceil(threads).max(1);
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
        let counts = sorter
            .cells
            .par_chunks_mut(piece)
            .zip(centers.par_chunks(piece))
            .map(|(numbers, centers)| number(numbers, centers, cell, extent))
            .reduce(Vec::new, |a, b| match (a.len(), b.len()) {
                (0, _) => b,
                (_, 0) => a,
                _ => a.into_iter().zip(b).map(|(a, b)| a + b).collect(),
            });
        let numbers = &sorter.cells[..];
        let mut shares = self.shares(&counts, threads);
        shares
            .par_iter_mut()
            .for_each(|share| share.lay::<SIZED>(bodies, units, centers, numbers));
        self.list_rows::<SIZED>(width, height);
        true
    }

    /// Deals out rows with so many units each to so many threads.
    fn shares(&mut self, counts: &[u32], threads: usize) -> Vec<Share<'_>> {
        let width = self.extent.width();
        let total: u64 = counts.iter().map(|count| u64::from(*count)).sum();
        let (mut rows, mut ends, mut places) = (0, Vec::new(), Vec::new());
        let mut place = 0;
        for share in 1..=threads as u64 {
            let wanted = total * share / threads as u64;
            while rows < counts.len() && (place < wanted || share == threads as u64) {
                place += u64::from(counts[rows]);
                rows += 1;
            }
            ends.push(rows as u32);
            places.push(place as usize);
        }
        let columns = self.bodies.parts(places.iter().copied());
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
                (first_row, first) = (end, place as u32);
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
        units: &[UnitId],
        centers: &[Vec2],
        numbers: &[u32],
    ) {
        let first_cell = self.cells.start;
        for number in numbers {
            // What is before the first cell becomes a number beyond all entries.
            if let Some(count) = self
                .starts
                .get_mut(number.wrapping_sub(first_cell) as usize)
            {
                *count += 1;
            }
        }
        let mut next = self.first;
        for count in &mut *self.starts {
            next += std::mem::replace(count, next);
        }
        for ((unit, center), number) in units.iter().zip(centers).zip(numbers) {
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

/// Writes down in which cell of the block each place is, and says how many are in each row.
fn number(numbers: &mut [u32], centers: &[Vec2], cell: Cell, block: Cells) -> Vec<u32> {
    let mut counts = vec![0; block.height() as usize];
    let width = block.width();
    for (number, center) in numbers.iter_mut().zip(centers) {
        let column = cell.number(center.x).wrapping_sub(block.left) as u32;
        let row = cell.number(center.y).wrapping_sub(block.bottom) as u32;
        *number = row.wrapping_mul(width).wrapping_add(column);
        counts[row as usize] += 1;
    }
    counts
}
