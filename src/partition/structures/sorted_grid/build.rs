//! Sorting the bodies of a layer by row and by column, and laying them out.

use super::layer::{Cell, Columns, Layer, Row, Stretch};
use crate::geometry::{Aabb, Vec2};
use crate::partition::toolkit::simd::PADDING;
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
#[derive(Clone, Debug, Default)]
pub(super) struct Sorter {
    records: Vec<Record>,
    /// The other side of a sort in several passes.
    spare: Vec<Record>,
    counts: Vec<u32>,
    /// Column and place of the units of a row that is too wide to be counted.
    keys: Vec<u64>,
}

impl Sorter {
    /// The bytes on the heap.
    pub fn byte_count(&self) -> usize {
        (self.records.capacity() + self.spare.capacity()) * size_of::<Record>()
            + self.counts.capacity() * size_of::<u32>()
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

impl Layer {
    /// Forgets everything and lays out `units`.
    pub fn build(
        &mut self,
        bodies: Bodies<'_>,
        units: impl Iterator<Item = UnitId> + Clone,
        cell_size: f32,
        sorter: &mut Sorter,
    ) {
        (self.cell_size, self.inverse) = (cell_size, 1.0 / cell_size);
        self.half_extent = Vec2::ZERO;
        self.rows.clear();
        self.stretches.clear();
        self.starts.clear();
        let (mut count, mut low, mut high) = (0, f32::INFINITY, f32::NEG_INFINITY);
        for unit in units.clone() {
            let y = bodies.center(unit).y;
            count += 1;
            // Positions are numbers, and this is one instruction where the minimum of the standard library is five.
            low = if y < low { y } else { low };
            high = if y > high { y } else { high };
            if bodies.are_sized() {
                self.half_extent = self.half_extent.max(bodies.half_extent(unit));
            }
        }
        self.count = count;
        self.bodies.resize(count, bodies.are_sized());
        if count > 0 {
            let cell = self.cell();
            let records = units.map(|unit| {
                let center = bodies.center(unit);
                Record {
                    center,
                    unit,
                    column: cell.number(center.x),
                }
            });
            let (low, high) = (self.number(low), self.number(high));
            sorter.sort_by_row(self.cell(), count, low, high, records);
            if bodies.are_sized() {
                self.lay_rows::<true>(bodies, sorter);
            } else {
                self.lay_rows::<false>(bodies, sorter);
            }
        }
        self.rows
            .push(Row::end(self.stretches.len() as u32, count as u32));
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
            let first_stretch = self.stretches.len() as u32;
            let width = u64::from(last.abs_diff(first)) + 1;
            if width <= (end - begin) as u64 * COLUMNS_PER_UNIT + FREE_COLUMNS {
                self.lay_narrow_row::<SIZED>(bodies, &sorter.records, begin..end, first, last);
            } else {
                let Sorter { records, keys, .. } = sorter;
                self.lay_wide_row::<SIZED>(bodies, records, begin..end, keys);
            }
            let fold = |side: &[f32], start: f32, of: fn(f32, f32) -> f32| {
                side.iter().fold(start, |sum, value| of(sum, *value))
            };
            let upper = if SIZED {
                &self.bodies.top
            } else {
                &self.bodies.bottom
            };
            self.rows.push(Row {
                index,
                first_stretch,
                first_unit: begin as u32,
                low: fold(&self.bodies.bottom[begin..end], f32::INFINITY, f32::min),
                high: fold(&upper[begin..end], f32::NEG_INFINITY, f32::max),
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
            laid.set::<SIZED>(*place as usize - row.start, bodies, record);
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
            laid.set::<SIZED>(0, bodies, &record);
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

impl Columns {
    fn resize(&mut self, count: usize, sized: bool) {
        let count = count + PADDING;
        let upper = if sized { count } else { 0 };
        self.left.resize(count, 0.0);
        self.bottom.resize(count, 0.0);
        self.right.resize(upper, 0.0);
        self.top.resize(upper, 0.0);
        self.ids.resize(count, 0);
    }

    /// The columns of one row, to be filled.
    fn row(&mut self, row: Range<usize>) -> RowColumns<'_> {
        let upper = if self.right.is_empty() {
            0..0
        } else {
            row.clone()
        };
        RowColumns {
            left: &mut self.left[row.clone()],
            bottom: &mut self.bottom[row.clone()],
            right: &mut self.right[upper.clone()],
            top: &mut self.top[upper],
            ids: &mut self.ids[row],
        }
    }
}

/// The columns of one row.
struct RowColumns<'a> {
    left: &'a mut [f32],
    bottom: &'a mut [f32],
    right: &'a mut [f32],
    top: &'a mut [f32],
    ids: &'a mut [UnitId],
}

impl RowColumns<'_> {
    /// Writes the body of a unit to its place in the row.
    #[inline(always)]
    fn set<const SIZED: bool>(&mut self, place: usize, bodies: Bodies<'_>, record: &Record) {
        let mut lower = record.center;
        if SIZED {
            let body = Aabb::around(record.center, bodies.half_extent(record.unit));
            (self.right[place], self.top[place]) = (body.max.x, body.max.y);
            lower = body.min;
        }
        (self.left[place], self.bottom[place]) = (lower.x, lower.y);
        self.ids[place] = record.unit;
    }
}
