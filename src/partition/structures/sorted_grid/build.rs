//! Sorting the bodies of a layer by row and by column, and laying them out.

use super::columns::{Bounds, LANES};
use super::layer::{Cell, Cells, Layer, Row, Stretch};
use crate::geometry::Vec2;
use crate::partition::toolkit::simd::{self, Kernel, Task};
use crate::partition::{Bodies, UnitId};
use std::ops::Range;

/// A stretch may have this many columns for each of its units before the table of starts is cut into several.
const COLUMNS_PER_UNIT: u64 = 8;

/// Columns that any table of starts may have, be they occupied or not.
const FREE_COLUMNS: u64 = 16;

/// In a row that is cut, a stretch goes on to the next unit if it is at most so many columns away: beyond, a new stretch
/// takes less room than the table entries up to there.
const GAP: i64 = 4;

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
    /// The cell of each unit, where all are sorted by cell at once.
    pub(super) cells: Vec<u32>,
}

impl Sorter {
    /// The bytes on the heap.
    pub fn byte_count(&self) -> usize {
        (self.records.capacity() + self.spare.capacity()) * size_of::<Record>()
            + (self.counts.capacity() + self.cells.capacity()) * size_of::<u32>()
            + self.keys.capacity() * size_of::<u64>()
    }

    /// Lays the units in `records` by the number of their row, those of one row in the order in which they came.
    ///
    /// One pass of counting where the rows from the lowest to the highest are not many more than the units, else a
    /// radix sort: one unit that strayed ten thousand kilometres costs a second pass and not a table as long.
    fn sort_by_row(
        &mut self,
        cell: Cell,
        count: usize,
        low: i32,
        high: i32,
        units: impl Iterator<Item = Record> + Clone,
    ) {
        let bits = u32::BITS - high.abs_diff(low).leading_zeros();
        let fits = (1_u64 << bits) <= (4 * count as u64).max(1 << DIGIT_BITS);
        let digit_bits = if fits { bits } else { DIGIT_BITS };
        self.records.resize(count, Record::default());
        let offset = |record: &Record| (cell.number(record.center.y).wrapping_sub(low)) as u32;
        let mask = ((1_u64 << digit_bits) - 1) as u32;
        scatter(units, &mut self.records, &mut self.counts, mask, |record| {
            offset(record) & mask
        });
        let mut shift = digit_bits;
        while shift < bits {
            std::mem::swap(&mut self.records, &mut self.spare);
            self.records.resize(count, Record::default());
            let source = self.spare.iter().copied();
            scatter(
                source,
                &mut self.records,
                &mut self.counts,
                mask,
                |record| offset(record) >> shift & mask,
            );
            shift += DIGIT_BITS;
        }
    }
}

/// One pass of a counting sort: lays `source` in `target` by a digit of at most `last`, equal digits in their order.
fn scatter(
    source: impl Iterator<Item = Record> + Clone,
    target: &mut [Record],
    counts: &mut Vec<u32>,
    last: u32,
    digit: impl Fn(&Record) -> u32,
) {
    counts.clear();
    counts.resize(last as usize + 1, 0);
    for record in source.clone() {
        counts[digit(&record) as usize] += 1;
    }
    let mut next = 0;
    for count in counts.iter_mut() {
        next += std::mem::replace(count, next);
    }
    for record in source {
        let place = &mut counts[digit(&record) as usize];
        target[*place as usize] = record;
        *place += 1;
    }
}

/// A block may have this many cells for each of its units, and be sorted by cell in one go.
const CELLS_PER_UNIT: u64 = 4;

/// Cells that any block may have, be they occupied or not.
const FREE_CELLS: u64 = 1024;

/// So many units are laid to their places at once, wherever these are, and in the order of their ids: all places are in the cache of a
/// processor.
pub(super) const CACHED: usize = 1 << 17;

/// So many units are numbered in one loop, which has no branch.
const LOT: usize = 64;

/// A layer about to be built, with whatever kernel there is.
struct Laying<'l, 'b, I: Iterator<Item = Placed> + Clone> {
    layer: &'l mut Layer,
    bodies: Bodies<'b>,
    units: I,
    sorter: &'l mut Sorter,
}

/// A unit and where it is.
pub(super) type Placed = (UnitId, Vec2);

impl<I: Iterator<Item = Placed> + Clone> Task for Laying<'_, '_, I> {
    #[inline(always)]
    fn run<K: Kernel>(self, _kernel: K) {
        let Self {
            layer,
            bodies,
            units,
            sorter,
        } = self;
        if bodies.are_sized() {
            layer.lay::<true>(bodies, units, sorter);
        } else {
            layer.lay::<false>(bodies, units, sorter);
        }
    }
}

impl Layer {
    /// Forgets everything and lays out `units`.
    pub fn build(
        &mut self,
        bodies: Bodies<'_>,
        units: impl Iterator<Item = Placed> + Clone,
        cell_size: f32,
        sorter: &mut Sorter,
    ) {
        self.forget(cell_size);
        simd::dispatch(Laying {
            layer: self,
            bodies,
            units,
            sorter,
        });
        self.close_table();
    }

    /// Forgets everything and lays out units of which it is known where they are, on so many threads.
    pub fn build_on(
        &mut self,
        threads: usize,
        bodies: Bodies<'_>,
        (units, centers): (&[UnitId], &[Vec2]),
        cell_size: f32,
        sorter: &mut Sorter,
    ) {
        if threads > 1 && units.len() > CACHED {
            self.forget(cell_size);
            let laid = if bodies.are_sized() {
                self.lay_together::<true>(bodies, (units, centers), sorter, threads)
            } else {
                self.lay_together::<false>(bodies, (units, centers), sorter, threads)
            };
            if laid {
                return self.close_table();
            }
        }
        let placed = units.iter().copied().zip(centers.iter().copied());
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
        units: impl Iterator<Item = Placed> + Clone,
        sorter: &mut Sorter,
    ) {
        let (mut count, mut x, mut y) = (0, Bounds::NONE, Bounds::NONE);
        let mut lots = units.clone();
        loop {
            let (mut xs, mut ys) = ([0.0; LANES], [0.0; LANES]);
            let mut taken = 0;
            for (unit, center) in lots.by_ref().take(LANES) {
                (xs[taken], ys[taken]) = (center.x, center.y);
                taken += 1;
                if SIZED {
                    self.half_extent = self.half_extent.max(bodies.half_extent(unit));
                }
            }
            count += taken;
            if taken < LANES {
                if taken > 0 {
                    let (first_x, first_y) = (xs[0], ys[0]);
                    xs[taken..].fill(first_x);
                    ys[taken..].fill(first_y);
                    x.take(&xs, &xs);
                    y.take(&ys, &ys);
                }
                break;
            }
            x.take(&xs, &xs);
            y.take(&ys, &ys);
        }
        self.count = count;
        self.bodies.resize(count, SIZED);
        if count == 0 {
            return;
        }
        if let Some(cells) = self.block_of(count, x, y) {
            self.extent = cells;
            self.lay_block::<SIZED>(bodies, units, sorter);
        } else {
            let cell = self.cell();
            let records = units.map(|(unit, center)| Record {
                center,
                unit,
                column: cell.number(center.x),
            });
            let number = |(low, high)| (cell.number(low), cell.number(high));
            let (bottom, top) = number(y.least_and_greatest());
            sorter.sort_by_row(cell, count, bottom, top, records);
            self.lay_rows::<SIZED>(bodies, sorter);
        }
    }

    /// The block of cells around units that go so far along the axes, if it has few cells for so many units.
    #[inline(always)]
    pub(super) fn block_of(&self, count: usize, x: Bounds, y: Bounds) -> Option<Cells> {
        let number = |(low, high)| (self.number(low), self.number(high));
        let (left, right) = number(x.least_and_greatest());
        let (bottom, top) = number(y.least_and_greatest());
        // One entry more for each row, behind its last cell.
        let width = u64::from(right.abs_diff(left)) + 2;
        let height = u64::from(top.abs_diff(bottom)) + 1;
        let most = (count as u64 * CELLS_PER_UNIT).max(FREE_CELLS);
        (height <= most && width * height <= most).then_some(Cells {
            left,
            right,
            bottom,
            top,
        })
    }

    /// Lays out the units of a block that has few cells for each of them: the counts of a counting sort become the table of
    /// starts.
    #[inline(always)]
    fn lay_block<const SIZED: bool>(
        &mut self,
        bodies: Bodies<'_>,
        units: impl Iterator<Item = Placed> + Clone,
        sorter: &mut Sorter,
    ) {
        let (width, height) = (self.extent.width(), self.extent.height());
        self.starts.resize((width * height) as usize + 1, 0);
        let neighbors = self.number_units(units.clone(), &mut sorter.cells, width);
        if self.count <= CACHED || neighbors * 2 > self.count {
            self.lay_at_once::<SIZED>(bodies, units, &sorter.cells);
        } else {
            self.lay_by_row::<SIZED>(bodies, units, sorter, width);
        }
        self.list_rows::<SIZED>(width, height);
    }

    /// Notes in which cell each unit is, many at a time, and says how many are at most a row away from the one before.
    #[inline(always)]
    fn number_units(
        &self,
        mut units: impl Iterator<Item = Placed>,
        cells: &mut Vec<u32>,
        width: u32,
    ) -> usize {
        let cell = self.cell();
        let (left, bottom) = (self.extent.left, self.extent.bottom);
        cells.clear();
        cells.reserve(self.count);
        let (mut before, mut neighbors) = (0, 0);
        loop {
            let (mut xs, mut ys, mut numbers) = ([0.0; LOT], [0.0; LOT], [0; LOT]);
            let mut taken = 0;
            for (_, center) in units.by_ref().take(LOT) {
                (xs[taken], ys[taken]) = (center.x, center.y);
                taken += 1;
            }
            for ((number, x), y) in numbers.iter_mut().zip(&xs).zip(&ys) {
                let column = cell.number(*x).wrapping_sub(left) as u32;
                let row = cell.number(*y).wrapping_sub(bottom) as u32;
                *number = row.wrapping_mul(width).wrapping_add(column);
            }
            for &number in &numbers[..taken] {
                neighbors += usize::from(number.abs_diff(before) <= width);
                before = number;
            }
            cells.extend_from_slice(&numbers[..taken]);
            if taken < LOT {
                return neighbors;
            }
        }
    }

    /// Writes each unit straight to its place: the fewest passes, and quick where places that follow each other are near each
    /// other or all are in the cache.
    #[inline(always)]
    fn lay_at_once<const SIZED: bool>(
        &mut self,
        bodies: Bodies<'_>,
        units: impl Iterator<Item = Placed>,
        cells: &[u32],
    ) {
        // Counts lie one behind, so that when each is counted up by laying its units, each entry has become a start.
        for &number in cells {
            self.starts[number as usize + 1] += 1;
        }
        let mut next = 0;
        for count in &mut self.starts[1..] {
            next += std::mem::replace(count, next);
        }
        for ((unit, center), &number) in units.zip(cells) {
            let place = &mut self.starts[number as usize + 1];
            let at = *place as usize;
            *place += 1;
            self.bodies.set::<SIZED>(at, bodies, center, unit);
        }
    }

    /// Sorts the units by row first, then each row, which is in the cache, by column.
    #[inline(always)]
    fn lay_by_row<const SIZED: bool>(
        &mut self,
        bodies: Bodies<'_>,
        units: impl Iterator<Item = Placed>,
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
        for ((unit, center), &number) in units.zip(cells.iter()) {
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

    /// Lists the rows of a block in which somebody is, and in each row the columns from the first to the last unit.
    #[inline(always)]
    pub(super) fn list_rows<const SIZED: bool>(&mut self, width: u32, height: u32) {
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
            let run = begin as usize..end as usize;
            let (low, high) = self.bodies.heights::<SIZED>(run);
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

    /// Lays out the records, which are sorted by row.
    fn lay_rows<const SIZED: bool>(&mut self, bodies: Bodies<'_>, sorter: &mut Sorter) {
        let cell = self.cell();
        let mut begin = 0;
        while begin < sorter.records.len() {
            let index = cell.number(sorter.records[begin].center.y);
            let (mut end, mut first, mut last) = (begin, i32::MAX, i32::MIN);
            while let Some(record) = sorter.records.get(end)
                && cell.number(record.center.y) == index
            {
                (end, first) = (end + 1, first.min(record.column));
                last = last.max(record.column);
            }
            self.extent = self.extent.join(Cells {
                left: first,
                right: last,
                bottom: index,
                top: index,
            });
            let first_stretch = self.stretches.len() as u32;
            let width = u64::from(last.abs_diff(first)) + 1;
            if width <= (end - begin) as u64 * COLUMNS_PER_UNIT + FREE_COLUMNS {
                self.lay_narrow_row::<SIZED>(bodies, &sorter.records, begin..end, first, last);
            } else {
                let Sorter { records, keys, .. } = sorter;
                self.lay_wide_row::<SIZED>(bodies, records, begin..end, keys);
            }
            let (low, high) = self.bodies.heights::<SIZED>(begin..end);
            self.rows.push(Row {
                index,
                first_stretch,
                first_unit: begin as u32,
                end: end as u32,
                room: end as u32,
                low,
                high,
            });
            begin = end;
        }
    }

    /// Sorts a row by counting: its table of starts is the array of counts.
    fn lay_narrow_row<const SIZED: bool>(
        &mut self,
        bodies: Bodies<'_>,
        records: &[Record],
        row: Range<usize>,
        first: i32,
        last: i32,
    ) {
        let offset = self.starts.len();
        let width = last.abs_diff(first) as usize + 1;
        self.stretches.push(Stretch {
            first,
            last,
            offset: offset as u32,
        });
        self.starts.resize(offset + width + 1, 0);
        let starts = &mut self.starts[offset..];
        let column = |record: &Record| record.column.wrapping_sub(first) as usize;
        for record in &records[row.clone()] {
            starts[column(record)] += 1;
        }
        let mut end = row.start as u32;
        for start in starts.iter_mut() {
            end += *start;
            *start = end;
        }
        // Backwards, so that each table entry ends on the place of its first unit and equal columns keep their order.
        let mut laid = self.bodies.row(row.clone());
        for record in records[row.clone()].iter().rev() {
            let place = &mut starts[column(record)];
            *place -= 1;
            laid.set::<SIZED>(
                *place as usize - row.start,
                bodies,
                record.center,
                record.unit,
            );
        }
    }

    /// Sorts a row that has far more columns than units, and begins a new stretch behind each gap.
    fn lay_wide_row<const SIZED: bool>(
        &mut self,
        bodies: Bodies<'_>,
        records: &[Record],
        row: Range<usize>,
        keys: &mut Vec<u64>,
    ) {
        // Flipping the sign bit orders signed numbers as unsigned ones.
        let unsigned = |column: i32| column as u32 ^ 1 << 31;
        keys.clear();
        keys.extend(
            row.clone()
                .map(|place| u64::from(unsigned(records[place].column)) << 32 | place as u64),
        );
        keys.sort_unstable();
        let mut open: Option<Stretch> = None;
        for (place, key) in row.clone().zip(keys.iter()) {
            let record = records[*key as u32 as usize];
            let mut laid = self.bodies.row(place..place + 1);
            laid.set::<SIZED>(0, bodies, record.center, record.unit);
            let column = record.column;
            open = match open {
                Some(stretch) if i64::from(column) - i64::from(stretch.last) <= GAP => {
                    // Empty columns in between, and this one, begin where the unit is.
                    let more = column.abs_diff(stretch.last) as usize;
                    self.starts.resize(self.starts.len() + more, place as u32);
                    Some(Stretch {
                        last: column,
                        ..stretch
                    })
                }
                before => {
                    self.close(before, place);
                    let offset = self.starts.len() as u32;
                    self.starts.push(place as u32);
                    Some(Stretch {
                        first: column,
                        last: column,
                        offset,
                    })
                }
            };
        }
        self.close(open, row.end);
    }

    /// Writes down a stretch whose last unit is before `end`.
    fn close(&mut self, stretch: Option<Stretch>, end: usize) {
        if let Some(stretch) = stretch {
            self.starts.push(end as u32);
            self.stretches.push(stretch);
        }
    }
}
