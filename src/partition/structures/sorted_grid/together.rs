//! Sorting a large crowd that comes in yesterday's order, or on several threads.
//!
//! First every thread gathers where some of the units are, numbers their cells, and notes of each lot of them in which rows they are: all
//! in one pass, for of a million units each pass more is memory that is gone through once more. For the same reason it is not written down
//! where they are if that can be read once more as quickly: where who lies side by side on the plane lies so in memory. The rows are then
//! dealt out, to each thread with about as many units as to any other, as far as a sample of them shows: to count all of them row by row
//! would take longer than to number them, for of units in yesterday's order each would wait for the one before it. Each thread goes through
//! the lots in which somebody may be of its own rows, counts and lays those out: units that come in yesterday's order are looked at by one
//! thread, or two. No two threads write to the same place, and the units of a cell come in the same order as on one thread, so the grid is
//! the same to the last bit.

use super::build::{CACHED, Sorter};
use super::columns::{Bounds, RowColumns};
use super::layer::{Cell, Cells, Layer};
use crate::geometry::Vec2;
use crate::partition::toolkit::simd::{self, Kernel, Task};
use crate::partition::toolkit::threads::front_mut;
use crate::partition::{Bodies, UnitId};
use rayon::prelude::*;
use std::ops::Range;

/// So many units are a lot.
const LOT: usize = 1 << 12;

/// So many units are numbered in one loop, right behind the loop that gathers them.
const FEW: usize = 64;

/// One of so many units is in the sample. No power of two, for units may come in an order that is even.
const SAMPLED: usize = 13;

/// So many parts of a crowd are looked at to see whether who lies side by side on the plane lies so in memory ...
const WINDOWS: usize = 16;
/// ... each of so many units, ...
const WINDOW: usize = 1 << 10;
/// ... which does so where they are among so many in memory: as many as a near cache holds.
const NEAR: u32 = 1 << 15;

/// A cell's row and column in one number, both counted from those of a corner that is far below and to the left of all units.
#[derive(Clone, Copy)]
struct Corner {
    column: i32,
    row: i32,
}

impl Corner {
    /// Rows and columns that far away from a cell have numbers.
    const HALF: i32 = 1 << 15;

    /// The corner around whose middle is this cell.
    fn of(cell: (i32, i32)) -> Self {
        Self {
            column: cell.0.wrapping_sub(Self::HALF),
            row: cell.1.wrapping_sub(Self::HALF),
        }
    }

    #[inline(always)]
    fn pack(self, column: i32, row: i32) -> u32 {
        let (column, row) = (
            column.wrapping_sub(self.column) as u32,
            row.wrapping_sub(self.row) as u32,
        );
        row << 16 | column & 0xffff
    }

    /// Whether all cells of a block have numbers of their own.
    fn has_numbers_for(self, block: Cells) -> bool {
        let fits = |low: i32, high: i32, corner: i32| {
            let from_corner = |number: i32| i64::from(number) - i64::from(corner);
            0 <= from_corner(low) && from_corner(high) < 2 * i64::from(Self::HALF)
        };
        fits(block.left, block.right, self.column) && fits(block.bottom, block.top, self.row)
    }
}

/// From packed cells to the entries of a block's table of starts, less `first`.
#[derive(Clone, Copy)]
struct ToEntry {
    width: u32,
    /// What the corner of the block comes to, and what is taken away besides.
    less: u32,
}

impl ToEntry {
    fn new(block: Cells, corner: Corner) -> Self {
        let width = block.width();
        let (column, row) = (
            block.left.wrapping_sub(corner.column) as u32,
            block.bottom.wrapping_sub(corner.row) as u32,
        );
        Self {
            width,
            less: row.wrapping_mul(width).wrapping_add(column),
        }
    }

    fn from(self, first: u32) -> Self {
        Self {
            less: self.less.wrapping_add(first),
            ..self
        }
    }

    /// A number beyond all entries for what is before the first one.
    #[inline(always)]
    fn of(self, packed: u32) -> u32 {
        (packed >> 16)
            .wrapping_mul(self.width)
            .wrapping_add(packed & 0xffff)
            .wrapping_sub(self.less)
    }
}

/// What was found of some lots of units.
struct Found {
    /// The cells in which each lot is.
    lots: Vec<Cells>,
    half_extent: Vec2,
}

/// The rows of one thread.
struct Share<'l> {
    /// The rows, counted from the lowest of the block.
    rows: Range<u32>,
    /// The entries of the table of starts behind each of their cells.
    starts: &'l mut [u32],
    columns: RowColumns<'l>,
    /// The place of the first unit.
    first: u32,
    /// From where to where the bodies of each row go along y.
    heights: Vec<(f32, f32)>,
}

/// All that shares lay out.
#[derive(Clone, Copy)]
struct Gathered<'g> {
    bodies: Bodies<'g>,
    units: &'g [UnitId],
    /// Where the units are; empty where that is read of the bodies once more.
    centers: &'g [Vec2],
    /// The packed cells.
    cells: &'g [u32],
    lots: &'g [Cells],
    to_entry: ToEntry,
    bottom: i32,
}

impl Layer {
    /// Gathers where units are, in `centers` if need be, and lays them out on so many threads. Gives whether it has: not where their cells
    /// are no [block](Layer::block_of), nor, on one thread, where units come in no order. Where they were they are not far from.
    pub(super) fn lay_together<const SIZED: bool>(
        &mut self,
        bodies: Bodies<'_>,
        (units, centers): (&[UnitId], &mut Vec<Vec2>),
        was: Cells,
        sorter: &mut Sorter,
        threads: usize,
    ) -> bool {
        let cell = self.cell();
        let corner = Corner::of(was.middle().unwrap_or_else(|| {
            let center = bodies.center(units[0]);
            (cell.number(center.x), cell.number(center.y))
        }));
        // Of whole lots, so that the lots of the pieces are those of all units.
        let piece = units.len().div_ceil(threads).next_multiple_of(LOT);
        sorter.cells.resize(units.len(), 0);
        let is_kept = !are_near_in_memory(units);
        centers.resize(if is_kept { units.len() } else { 0 }, Vec2::ZERO);
        let gather = |((units, centers), cells): ((&[UnitId], &mut [Vec2]), &mut [u32])| {
            let mut found = Found {
                lots: Vec::with_capacity(units.len().div_ceil(LOT)),
                half_extent: Vec2::ZERO,
            };
            simd::dispatch(Gathering::<SIZED> {
                bodies,
                units,
                centers,
                cells,
                cell,
                corner,
                found: &mut found,
            });
            found
        };
        let found: Vec<Found> = if threads > 1 {
            let mut kept = &mut centers[..];
            let pieces = units.chunks(piece).map(|units| {
                let count = if is_kept { units.len() } else { 0 };
                (units, front_mut(&mut kept, count))
            });
            let pieces: Vec<_> = pieces.zip(sorter.cells.chunks_mut(piece)).collect();
            // In the order of the pieces.
            pieces.into_par_iter().map(gather).collect()
        } else {
            vec![gather(((units, &mut centers[..]), &mut sorter.cells[..]))]
        };
        let lots: Vec<Cells> = found.iter().flat_map(|it| &it.lots).copied().collect();
        let extent = lots.iter().copied().fold(Cells::NONE, Cells::join);
        if !corner.has_numbers_for(extent) || !extent.is_block_of(units.len()) {
            return false;
        }
        if threads == 1 && !are_near(&lots, extent, units.len()) {
            return false;
        }
        let half_extents = found.iter().map(|it| it.half_extent);
        self.half_extent = half_extents.fold(Vec2::ZERO, Vec2::max);
        (self.extent, self.count) = (extent, units.len());
        self.bodies.resize(units.len(), SIZED);
        let (width, height) = (extent.width(), extent.height());
        self.starts.resize((width * height) as usize + 1, 0);
        let gathered = Gathered {
            bodies,
            units,
            centers,
            cells: &sorter.cells,
            lots: &lots,
            to_entry: ToEntry::new(extent, corner),
            bottom: extent.bottom,
        };
        let ends = gathered.ends_of_shares((extent, corner), threads);
        let mut starts = &mut self.starts[..];
        starts[0] = 0;
        starts = &mut starts[1..];
        let mut first_row = 0;
        let mut counted: Vec<(Range<u32>, &mut [u32], u32)> = Vec::with_capacity(ends.len());
        for end in ends {
            let entries = ((end - first_row) * width) as usize;
            let (these, others) = std::mem::take(&mut starts).split_at_mut(entries);
            starts = others;
            counted.push((first_row..end, these, 0));
            first_row = end;
        }
        let count = |(rows, starts, total): &mut (Range<u32>, &mut [u32], u32)| {
            *total = gathered.count(rows.clone(), starts);
        };
        if threads > 1 {
            counted.par_iter_mut().for_each(count);
        } else {
            counted.iter_mut().for_each(count);
        }
        let mut end = 0;
        let ends = counted.iter().map(|(.., total)| {
            end += *total as usize;
            end
        });
        let columns = self.bodies.parts(ends);
        let mut first = 0;
        let shares = counted.into_iter().zip(columns);
        let mut shares: Vec<Share<'_>> = shares
            .map(|((rows, starts, total), columns)| {
                let share = Share {
                    rows,
                    starts,
                    columns,
                    first,
                    heights: Vec::new(),
                };
                first += total;
                share
            })
            .collect();
        let lay = |share: &mut Share<'_>| {
            simd::dispatch(LayingShare::<SIZED> { share, gathered });
        };
        if threads > 1 {
            shares.par_iter_mut().for_each(lay);
        } else {
            shares.iter_mut().for_each(lay);
        }
        let heights: Vec<Vec<(f32, f32)>> = shares.into_iter().map(|it| it.heights).collect();
        self.list_rows::<SIZED>(width, height, &heights.concat());
        true
    }
}

/// Whether of most units that follow each other in an order it can be read again where they are without waiting for memory.
fn are_near_in_memory(units: &[UnitId]) -> bool {
    let windows = units.chunks(units.len().div_ceil(WINDOWS).max(1));
    let is_near = |window: &&[UnitId]| {
        let window = &window[..window.len().min(WINDOW)];
        let least = window
            .iter()
            .fold(UnitId::MAX, |least, unit| least.min(*unit));
        let greatest = window.iter().fold(0, |greatest, unit| greatest.max(*unit));
        greatest.saturating_sub(least) < NEAR
    };
    let count = windows.len();
    4 * windows.filter(is_near).count() >= 3 * count
}

/// Whether most lots of a crowd lie in so few rows that all places to which they go are in the cache of a processor.
fn are_near(lots: &[Cells], extent: Cells, count: usize) -> bool {
    let most = CACHED as u64 * u64::from(extent.height()) / count as u64;
    // Of units that lie in fewer rows most lots are of one, and some reach into its neighbours.
    let most = most.max(3);
    let near = lots.iter().filter(|lot| u64::from(lot.height()) <= most);
    2 * near.count() > lots.len()
}

impl Gathered<'_> {
    /// The lots in which somebody may be who is in some rows.
    fn lots_of(&self, rows: Range<u32>) -> impl Iterator<Item = Range<usize>> {
        let (bottom, count) = (self.bottom, self.units.len());
        let lots = self.lots.iter().enumerate();
        let own = lots.filter(move |(_, lot)| {
            lot.bottom.abs_diff(bottom) < rows.end && rows.start <= lot.top.abs_diff(bottom)
        });
        own.map(move |(lot, _)| lot * LOT..count.min((lot + 1) * LOT))
    }

    /// Counts the units of each cell of some rows, and all of them together.
    fn count(&self, rows: Range<u32>, counts: &mut [u32]) -> u32 {
        let to_entry = self.to_entry.from(rows.start * self.to_entry.width);
        counts.fill(0);
        let mut total = 0;
        for lot in self.lots_of(rows) {
            for packed in &self.cells[lot] {
                if let Some(count) = counts.get_mut(to_entry.of(*packed) as usize) {
                    *count += 1;
                    total += 1;
                }
            }
        }
        total
    }

    /// Before which row each of so many shares ends, so that each has about as many units as any other: by a sample of them.
    fn ends_of_shares(&self, (extent, corner): (Cells, Corner), threads: usize) -> Vec<u32> {
        let height = extent.height();
        if threads == 1 {
            return vec![height];
        }
        let bottom = extent.bottom.wrapping_sub(corner.row) as u32;
        let mut counts = vec![0_u32; height as usize];
        let sample = || self.cells.iter().step_by(SAMPLED);
        for packed in sample() {
            counts[((packed >> 16) - bottom) as usize] += 1;
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
}

/// The units of a share about to be laid out, with whatever kernel there is.
struct LayingShare<'s, 'l, 'g, const SIZED: bool> {
    share: &'s mut Share<'l>,
    gathered: Gathered<'g>,
}

impl<const SIZED: bool> Task for LayingShare<'_, '_, '_, SIZED> {
    #[inline(always)]
    fn run<K: Kernel>(self, _kernel: K) {
        self.share.lay::<SIZED>(self.gathered);
    }
}

impl Share<'_> {
    /// The place of the next unit of an entry, if that is one of its own.
    #[inline(always)]
    fn place_of(&mut self, entry: u32) -> Option<usize> {
        let place = self.starts.get_mut(entry as usize)?;
        *place += 1;
        Some((*place - 1 - self.first) as usize)
    }

    /// Lays out those of the units that are in its cells, which are counted.
    #[inline(always)]
    fn lay<const SIZED: bool>(&mut self, gathered: Gathered<'_>) {
        let (width, bodies) = (gathered.to_entry.width, gathered.bodies);
        let to_entry = gathered.to_entry.from(self.rows.start * width);
        let mut next = self.first;
        for count in &mut *self.starts {
            next += std::mem::replace(count, next);
        }
        for lot in gathered.lots_of(self.rows.clone()) {
            let units = gathered.units[lot.clone()]
                .iter()
                .zip(&gathered.cells[lot.clone()]);
            if gathered.centers.is_empty() {
                for (unit, packed) in units {
                    if let Some(at) = self.place_of(to_entry.of(*packed)) {
                        let center = bodies.center(*unit);
                        self.columns.set::<SIZED>(at, bodies, center, *unit);
                    }
                }
            } else {
                for ((unit, packed), center) in units.zip(&gathered.centers[lot]) {
                    if let Some(at) = self.place_of(to_entry.of(*packed)) {
                        self.columns.set::<SIZED>(at, bodies, *center, *unit);
                    }
                }
            }
        }
        // Behind its last cell a row has an entry more.
        let mut begin = 0;
        self.heights.reserve_exact(self.rows.len());
        for row in self.starts.chunks_exact(width as usize) {
            let end = (row[width as usize - 1] - self.first) as usize;
            let bottom = &self.columns.bottom[begin..end];
            let top = if SIZED {
                &self.columns.top[begin..end]
            } else {
                bottom
            };
            let mut heights = Bounds::NONE;
            heights.take_run(bottom, top);
            self.heights.push(heights.least_and_greatest());
            begin = end;
        }
    }
}

/// Some units about to be gathered and numbered, with whatever kernel there is.
struct Gathering<'g, const SIZED: bool> {
    bodies: Bodies<'g>,
    units: &'g [UnitId],
    /// For where they are; empty where nobody asks for that again.
    centers: &'g mut [Vec2],
    cells: &'g mut [u32],
    cell: Cell,
    corner: Corner,
    found: &'g mut Found,
}

impl<const SIZED: bool> Task for Gathering<'_, SIZED> {
    #[inline(always)]
    fn run<K: Kernel>(self, _kernel: K) {
        let Self {
            bodies,
            cell,
            corner,
            found,
            ..
        } = self;
        let mut kept = self.centers;
        let is_kept = !kept.is_empty();
        let mut few = [Vec2::ZERO; FEW];
        for (units, cells) in self.units.chunks(LOT).zip(self.cells.chunks_mut(LOT)) {
            let mut lot = Cells::NONE;
            for (units, cells) in units.chunks(FEW).zip(cells.chunks_mut(FEW)) {
                let centers = if is_kept {
                    front_mut(&mut kept, units.len())
                } else {
                    &mut few[..units.len()]
                };
                for (center, unit) in centers.iter_mut().zip(units) {
                    *center = bodies.center(*unit);
                    if SIZED {
                        let half_extent = bodies.half_extent(*unit);
                        found.half_extent = found.half_extent.max(half_extent);
                    }
                }
                for (packed, center) in cells.iter_mut().zip(&*centers) {
                    let (column, row) = (cell.number(center.x), cell.number(center.y));
                    *packed = corner.pack(column, row);
                    lot.left = lot.left.min(column);
                    lot.right = lot.right.max(column);
                    lot.bottom = lot.bottom.min(row);
                    lot.top = lot.top.max(row);
                }
            }
            found.lots.push(lot);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_have_numbers_of_their_own_as_far_as_half_a_word_goes() {
        let block = |left, right| Cells {
            left,
            right,
            bottom: -7,
            top: 3,
        };
        let corner = Corner::of((100, -3));
        let (least, greatest) = (100 - (1 << 15), 100 + (1 << 15) - 1);
        assert!(corner.has_numbers_for(block(least, greatest)));
        assert!(!corner.has_numbers_for(block(least - 1, greatest)));
        assert!(!corner.has_numbers_for(block(least, greatest + 1)));
        assert!(!corner.has_numbers_for(block(i32::MIN, i32::MAX)));
        // No two cells of a block have one number, also where the corner's own has wrapped around.
        for at in [i32::MIN, i32::MAX] {
            let all = Cells::around((at, at), 0).join(Cells::around((!at, !at), 0));
            assert!(!Corner::of((at, at)).has_numbers_for(all));
        }
        let block = block(least, greatest);
        let to_entry = ToEntry::new(block, corner);
        let of = |column, row| to_entry.of(corner.pack(column, row));
        assert_eq!(of(least, -7), 0);
        assert_eq!(of(greatest, -7), 65_535);
        assert_eq!(of(least, -6), block.width());
        let first = to_entry.from(block.width());
        assert!(first.of(corner.pack(greatest, -7)) > u32::MAX / 2);
        assert_eq!(first.of(corner.pack(least + 2, -6)), 2);
    }
}
