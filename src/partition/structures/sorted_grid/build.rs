//! Sorting the bodies of a layer by row and by column, and laying them out.

use super::columns::{Bounds, Spread};
use super::layer::{Cell, Cells, Layer, Row, Stretch};
use crate::geometry::Vec2;
use crate::partition::toolkit::simd::{self, Kernel, Task};
use crate::partition::{Bodies, UnitId};
use rows::{Span, ToEntry};

mod rows;

/// How many bits of a row's number one pass of the radix sort looks at where the rows are too many for a single pass.
const DIGIT_BITS: u32 = 11;

/// A unit on its way through the sort.
#[derive(Clone, Copy, Debug, Default)]
struct Record {
    center: Vec2,
    unit: UnitId,
    /// Its column.
    column: i32,
}

const _: () = assert!(size_of::<Record>() == 16);

/// Room for sorting, kept from one build to the next and shared by the layers.
#[derive(Debug, Default)]
pub(super) struct Sorter {
    records: Vec<Record>,
    /// The other side of a sort in several passes.
    spare: Vec<Record>,
    counts: Vec<u32>,
    /// Column and place of the units of a row that is too wide to be counted.
    keys: Vec<u64>,
    /// The rows of a crowd in which they are not equally long.
    pub(super) spans: Vec<Span>,
    to_entries: Vec<ToEntry>,
    /// The entry of each unit's cell in the table of starts, where all are sorted by cell at once; in a row that is to be cut all have
    /// the same. Where they are laid out together, their cells' rows and columns.
    pub(super) cells: Vec<u32>,
}

impl Sorter {
    /// The bytes on the heap.
    pub fn byte_count(&self) -> usize {
        (self.records.capacity() + self.spare.capacity()) * size_of::<Record>()
            + (self.counts.capacity() + self.cells.capacity()) * size_of::<u32>()
            + self.keys.capacity() * size_of::<u64>()
            + self.spans.capacity() * size_of::<Span>()
            + self.to_entries.capacity() * size_of::<ToEntry>()
    }

    /// Lays the units in `records` by the number of their row, those of one row in the order in which they came.
    ///
    /// One pass of counting where the rows from the lowest to the highest are not many more than the units, else a
    /// radix sort: one unit that strayed ten thousand kilometres costs a second pass and not a table as long.
    #[inline(always)]
    fn sort_by_row(
        &mut self,
        cell: Cell,
        count: usize,
        (low, high): (i32, i32),
        crowd: &impl Crowd,
    ) {
        let bits = u32::BITS - high.abs_diff(low).leading_zeros();
        let fits = (1_u64 << bits) <= (4 * count as u64).max(1 << DIGIT_BITS);
        let digit_bits = if fits { bits } else { DIGIT_BITS };
        let mask = ((1_u64 << digit_bits) - 1) as u32;
        let offset = |y: f32| cell.number(y).wrapping_sub(low) as u32;
        // Numbered twice, for a table of numbers would be memory for this alone.
        let digit_of = |center: Vec2| offset(center.y) & mask;
        self.records.resize(count, Record::default());
        let digits = crowd.placed().map(|(_, center)| digit_of(center));
        begin_places(&mut self.counts, mask, digits);
        for (unit, center) in crowd.placed() {
            let place = &mut self.counts[digit_of(center) as usize];
            self.records[*place as usize] = Record {
                center,
                unit,
                column: cell.number(center.x),
            };
            *place += 1;
        }
        let mut shift = digit_bits;
        while shift < bits {
            std::mem::swap(&mut self.records, &mut self.spare);
            self.records.resize(count, Record::default());
            let digits = self.spare.iter();
            let digits = digits.map(|record| offset(record.center.y) >> shift & mask);
            begin_places(&mut self.counts, mask, digits.clone());
            for (record, digit) in self.spare.iter().zip(digits) {
                let place = &mut self.counts[digit as usize];
                self.records[*place as usize] = *record;
                *place += 1;
            }
            shift += DIGIT_BITS;
        }
    }
}

/// Counts digits, of which `last` is the greatest there may be, and says of each where the first with it belongs.
#[inline(always)]
fn begin_places(counts: &mut Vec<u32>, last: u32, digits: impl Iterator<Item = u32>) {
    counts.clear();
    counts.resize(last as usize + 1, 0);
    for digit in digits {
        counts[digit as usize] += 1;
    }
    let mut next = 0;
    for count in counts {
        next += std::mem::replace(count, next);
    }
}

/// A block may have this many cells for each of its units, and be sorted by cell in one go.
const CELLS_PER_UNIT: u64 = 4;

/// Cells that any block may have, be they occupied or not, and rows that any crowd may have that is laid out in one pass.
const FREE_CELLS: u64 = 1024;

impl Cells {
    /// Whether they are few for so many units.
    #[inline(always)]
    pub(super) fn is_block_of(self, count: usize) -> bool {
        // One entry more for each row, behind its last cell.
        let width = u64::from(self.right.abs_diff(self.left)) + 2;
        let height = u64::from(self.top.abs_diff(self.bottom)) + 1;
        let most = (count as u64 * CELLS_PER_UNIT).max(FREE_CELLS);
        height <= most && width * height <= most
    }
}

/// So many units are laid to their places at once, wherever these are, and in the order of their ids: all places are in the cache of a
/// processor.
pub(super) const CACHED: usize = 1 << 17;

/// So many units are numbered in one loop, which has no branch, before another looks at their numbers.
const LOT: usize = 64;

/// A unit and where it is.
type Placed = (UnitId, Vec2);

/// Units to be laid out, in the order in which they come.
pub(super) trait Crowd {
    /// The units, and where they are.
    fn placed(&self) -> impl Iterator<Item = Placed>;

    /// Gives the places alone, many at a time, in parts of which each but the last is a multiple of [`LOT`].
    fn give_places(&self, take: impl FnMut(&[Vec2]));
}

/// Units of which it is known where each of them is.
impl<I: Iterator<Item = UnitId> + Clone> Crowd for (I, &[Vec2]) {
    #[inline(always)]
    fn placed(&self) -> impl Iterator<Item = Placed> {
        self.0.clone().zip(self.1.iter().copied())
    }

    #[inline(always)]
    fn give_places(&self, mut take: impl FnMut(&[Vec2])) {
        take(self.1);
    }
}

/// The units alive of a world some rows of which are not in use. Their places are passed on by the lot, for to gather them all would
/// take memory for as long as there is a grid.
pub(super) struct Alive<'b>(pub Bodies<'b>);

impl Crowd for Alive<'_> {
    #[inline(always)]
    fn placed(&self) -> impl Iterator<Item = Placed> {
        let rows = (0..).zip(self.0.centers.iter().copied());
        let rows = rows.zip(self.0.alive);
        rows.filter_map(|(row, is_alive)| is_alive.then_some(row))
    }

    #[inline(always)]
    fn give_places(&self, mut take: impl FnMut(&[Vec2])) {
        let mut lot = [Vec2::ZERO; LOT];
        let mut count = 0;
        for (_, center) in self.placed() {
            lot[count] = center;
            count += 1;
            if count == LOT {
                take(&lot);
                count = 0;
            }
        }
        take(&lot[..count]);
    }
}

/// A layer about to be built, with whatever kernel there is.
struct Laying<'l, 'b, C: Crowd> {
    layer: &'l mut Layer,
    bodies: Bodies<'b>,
    crowd: C,
    sorter: &'l mut Sorter,
}

impl<C: Crowd> Task for Laying<'_, '_, C> {
    #[inline(always)]
    fn run<K: Kernel>(self, _kernel: K) {
        let Self {
            layer,
            bodies,
            crowd,
            sorter,
        } = self;
        if bodies.are_sized() {
            layer.lay::<true>(bodies, &crowd, sorter);
        } else {
            layer.lay::<false>(bodies, &crowd, sorter);
        }
    }
}

impl Layer {
    /// Forgets everything and lays out a crowd.
    pub fn build(
        &mut self,
        bodies: Bodies<'_>,
        crowd: impl Crowd,
        cell_size: f32,
        sorter: &mut Sorter,
    ) {
        self.forget(cell_size);
        simd::dispatch(Laying {
            layer: self,
            bodies,
            crowd,
            sorter,
        });
        self.close_table();
    }

    /// Forgets everything and lays out units, in that of the cells in which they were or in another order, on so many threads: where they
    /// are is gathered in `centers`, if need be.
    pub fn build_on(
        &mut self,
        threads: usize,
        bodies: Bodies<'_>,
        (units, is_ordered, centers): (&[UnitId], bool, &mut Vec<Vec2>),
        cell_size: f32,
        sorter: &mut Sorter,
    ) {
        // In cells of another size they say nothing of where these are.
        let is_as_before = self.cell_size == cell_size;
        let was = if is_as_before {
            self.extent
        } else {
            Cells::NONE
        };
        centers.clear();
        // On one thread another sort is quicker where they come in no order, and who were in no block are not likely to be in one.
        if units.len() > CACHED && (threads > 1 || is_ordered && was.is_some()) {
            // Counted anew by those who lay out units.
            let starts = std::mem::take(&mut self.starts);
            self.forget(cell_size);
            self.starts = starts;
            let placed = (units, &mut *centers);
            let laid = if bodies.are_sized() {
                self.lay_together::<true>(bodies, placed, was, sorter, threads)
            } else {
                self.lay_together::<false>(bodies, placed, was, sorter, threads)
            };
            if laid {
                return self.close_table();
            }
        }
        if centers.is_empty() {
            centers.extend(units.iter().map(|unit| bodies.center(*unit)));
        }
        let placed = (units.iter().copied(), &centers[..]);
        self.build(bodies, placed, cell_size, sorter);
    }

    fn forget(&mut self, cell_size: f32) {
        (self.cell_size, self.inverse) = (cell_size, 1.0 / cell_size);
        self.half_extent = Vec2::ZERO;
        self.drift = 0.0;
        self.rows.clear();
        self.stretches.clear();
        self.starts.clear();
        self.is_loose = false;
        self.extent = Cells::NONE;
    }

    /// Marks where the last row ends.
    fn close_table(&mut self) {
        self.rows
            .push(Row::end(self.stretches.len() as u32, self.count as u32));
        self.built_entries = self.starts.len();
    }

    #[inline(always)]
    fn lay<const SIZED: bool>(
        &mut self,
        bodies: Bodies<'_>,
        crowd: &impl Crowd,
        sorter: &mut Sorter,
    ) {
        let (mut count, mut spread) = (0, Spread::NONE);
        crowd.give_places(|centers| {
            count += centers.len();
            spread.take(centers);
        });
        self.count = count;
        self.bodies.resize(count, SIZED);
        if count == 0 {
            return;
        }
        if SIZED {
            let halves = crowd.placed().map(|(unit, _)| bodies.half_extent(unit));
            self.half_extent = halves.fold(Vec2::ZERO, Vec2::max);
        }
        let (x, y) = spread.axes();
        if let Some(cells) = self.block_of(count, x, y) {
            self.extent = cells;
            self.lay_block::<SIZED>(bodies, crowd, sorter);
        } else {
            let cell = self.cell();
            let number = |(low, high)| (cell.number(low), cell.number(high));
            let rows = number(y.least_and_greatest());
            if !self.lay_spans::<SIZED>(bodies, crowd, sorter, rows) {
                sorter.sort_by_row(cell, count, rows, crowd);
                self.lay_rows::<SIZED>(bodies, sorter);
            }
        }
    }

    /// The block of cells around units that go so far along the axes, if it has few cells for so many units.
    #[inline(always)]
    pub(super) fn block_of(&self, count: usize, x: Bounds, y: Bounds) -> Option<Cells> {
        let number = |(low, high)| (self.number(low), self.number(high));
        let (left, right) = number(x.least_and_greatest());
        let (bottom, top) = number(y.least_and_greatest());
        let cells = Cells {
            left,
            right,
            bottom,
            top,
        };
        cells.is_block_of(count).then_some(cells)
    }

    /// Lays out the units of a block that has few cells for each of them: the counts of a counting sort become the table of
    /// starts.
    #[inline(always)]
    fn lay_block<const SIZED: bool>(
        &mut self,
        bodies: Bodies<'_>,
        crowd: &impl Crowd,
        sorter: &mut Sorter,
    ) {
        let (width, height) = (self.extent.width(), self.extent.height());
        self.starts.resize((width * height) as usize + 1, 0);
        let neighbors = self.number_units(crowd, &mut sorter.cells, width);
        let are_in_order = neighbors * 2 > self.count;
        if are_in_order || self.count <= CACHED {
            self.lay_at_once::<SIZED>(bodies, crowd, &sorter.cells, are_in_order);
        } else {
            self.lay_by_row::<SIZED>(bodies, crowd, sorter, width);
        }
        self.list_rows::<SIZED>(width, height, &[]);
    }

    /// Notes in which cell each unit is, many at a time, and says how many are at most a row away from the one before.
    #[inline(always)]
    fn number_units(&self, crowd: &impl Crowd, cells: &mut Vec<u32>, width: u32) -> usize {
        let cell = self.cell();
        let (left, bottom) = (self.extent.left, self.extent.bottom);
        cells.resize(self.count, 0);
        let mut lots = cells.chunks_mut(LOT);
        let (mut before, mut neighbors) = (0, 0);
        crowd.give_places(|centers| {
            // The places first: at their end no lot of numbers is taken.
            for (centers, numbers) in centers.chunks(LOT).zip(&mut lots) {
                for (number, center) in numbers.iter_mut().zip(centers) {
                    let column = cell.number(center.x).wrapping_sub(left) as u32;
                    let row = cell.number(center.y).wrapping_sub(bottom) as u32;
                    *number = row.wrapping_mul(width).wrapping_add(column);
                }
                for &number in numbers.iter() {
                    neighbors += usize::from(number.abs_diff(before) <= width);
                    before = number;
                }
            }
        });
        neighbors
    }

    /// Sorts all units by cell in one pass, which is quick where places that follow each other are near each other or all are in the
    /// cache. Where units come in any order their ids alone are dealt out, and their bodies are fetched behind: a processor fetches
    /// from many places at once, and writes to one after the other.
    #[inline(always)]
    fn lay_at_once<const SIZED: bool>(
        &mut self,
        bodies: Bodies<'_>,
        crowd: &impl Crowd,
        cells: &[u32],
        are_in_order: bool,
    ) {
        // Counts lie one behind, so that when each is counted up by laying its units, each entry has become a start.
        let starts = &mut self.starts[1..];
        for &number in cells {
            starts[number as usize] += 1;
        }
        let mut next = 0;
        for count in &mut *starts {
            next += std::mem::replace(count, next);
        }
        let mut laid = self.bodies.row(0..cells.len());
        let mut place_of = |number: u32| {
            let place = &mut starts[number as usize];
            *place += 1;
            *place as usize - 1
        };
        if are_in_order {
            for ((unit, center), &number) in crowd.placed().zip(cells) {
                laid.set::<SIZED>(place_of(number), bodies, center, unit);
            }
        } else {
            for ((unit, _), &number) in crowd.placed().zip(cells) {
                laid.ids[place_of(number)] = unit;
            }
            laid.fetch::<SIZED>(bodies);
        }
    }

    /// Sorts the units by row first, then each row, which is in the cache, by column.
    #[inline(always)]
    fn lay_by_row<const SIZED: bool>(
        &mut self,
        bodies: Bodies<'_>,
        crowd: &impl Crowd,
        sorter: &mut Sorter,
        width: u32,
    ) {
        let Sorter {
            records,
            counts,
            cells,
            ..
        } = sorter;
        let height = (self.starts.len() - 1) / width as usize;
        counts.clear();
        counts.resize(height + 1, 0);
        // Dividing costs more than all the rest; the product with the inverse is off by one at times.
        let inverse = 1.0 / f64::from(width);
        let row_of = |number: u32| ((f64::from(number) + 0.5) * inverse) as u32;
        for number in cells.iter_mut() {
            let row = row_of(*number);
            counts[row as usize + 1] += 1;
        }
        let mut next = 0;
        for count in &mut counts[1..] {
            next += std::mem::replace(count, next);
        }
        records.resize(self.count, Record::default());
        for ((unit, center), &number) in crowd.placed().zip(cells.iter()) {
            let place = &mut counts[row_of(number) as usize + 1];
            records[*place as usize] = Record {
                center,
                unit,
                column: number as i32,
            };
            *place += 1;
        }
        for row in 0..height {
            let run = counts[row] as usize..counts[row + 1] as usize;
            let records = &records[run.clone()];
            let offset = row * width as usize;
            let starts = &mut self.starts[offset..][..width as usize + 1];
            for record in records {
                starts[record.column as usize - offset + 1] += 1;
            }
            let mut next = run.start as u32;
            starts[0] = next;
            for count in &mut starts[1..] {
                next += std::mem::replace(count, next);
            }
            for record in records {
                let place = &mut starts[record.column as usize - offset + 1];
                let at = *place as usize;
                *place += 1;
                self.bodies
                    .set::<SIZED>(at, bodies, record.center, record.unit);
            }
        }
    }

    /// Lists the rows of a block in which somebody is, and in each row the columns from the first to the last unit. How far the bodies of
    /// each row of the block go along y may be known.
    #[inline(always)]
    pub(super) fn list_rows<const SIZED: bool>(
        &mut self,
        width: u32,
        height: u32,
        known: &[(f32, f32)],
    ) {
        let (left, bottom) = (self.extent.left, self.extent.bottom);
        for row in 0..height {
            let offset = row * width;
            let entries = &self.starts[offset as usize..][..width as usize];
            let (begin, end) = (entries[0], entries[width as usize - 1]);
            if begin == end {
                continue;
            }
            // The columns before the first unit and behind the last are left out.
            let first = entries.iter().take_while(|start| **start == begin).count() as u32 - 1;
            let last = width
                - 1
                - entries
                    .iter()
                    .rev()
                    .take_while(|start| **start == end)
                    .count() as u32;
            let first_stretch = self.stretches.len() as u32;
            self.stretches.push(Stretch {
                first: left.wrapping_add(first as i32),
                last: left.wrapping_add(last as i32),
                offset: offset + first,
            });
            let (low, high) = match known.get(row as usize) {
                Some(heights) => *heights,
                None => self.bodies.heights::<SIZED>(begin as usize..end as usize),
            };
            self.rows.push(Row {
                index: bottom.wrapping_add(row as i32),
                first_stretch,
                first_unit: begin,
                end,
                room: end,
                low,
                high,
            });
        }
    }
}
