//! Laying out a crowd whose rows are not equally long: each has a table of starts of its own, or several.

use super::super::layer::{Cell, Cells, Layer, Row, Stretch};
use super::{CACHED, Crowd, FREE_CELLS, LOT, Record, Sorter};
use crate::geometry::Vec2;
use crate::partition::Bodies;
use std::ops::Range;

/// A stretch may have this many columns for each of its units before the table of starts is cut into several.
const COLUMNS_PER_UNIT: u64 = 8;

/// Columns that any table of starts may have, be they occupied or not.
const FREE_COLUMNS: u64 = 16;

/// In a row that is cut, a stretch goes on to the next unit if it is at most so many columns away: beyond, a new stretch
/// takes less room than the table entries up to there.
const GAP: i64 = 4;

// So a row that is cut has two stretches or more.
const _: () = assert!((GAP as u64) < COLUMNS_PER_UNIT);

/// A row on its way to be laid out.
#[derive(Clone, Copy, Debug)]
pub(in crate::partition::structures::sorted_grid) struct Span {
    /// The first column in which somebody is.
    first: i32,
    /// The last one.
    last: i32,
    /// How many units are in it.
    count: u32,
}

/// From a column of a row to its entry in the table of starts.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ToEntry {
    /// What to add to the column, of which overflow is left aside.
    shift: u32,
    /// Which bits of it count: none in a row that is to be cut, all of whose units have one entry.
    mask: u32,
}

impl ToEntry {
    #[inline(always)]
    fn of(self, column: i32) -> u32 {
        (column as u32 & self.mask).wrapping_add(self.shift)
    }
}

impl Span {
    const EMPTY: Self = Self {
        first: i32::MAX,
        last: i32::MIN,
        count: 0,
    };

    /// How many columns there are from the first to the last.
    #[inline(always)]
    fn width(self) -> u64 {
        u64::from(self.last.abs_diff(self.first)) + 1
    }

    /// Whether it has far more columns than units.
    #[inline(always)]
    fn is_wide(self) -> bool {
        self.count > 0 && self.width() > u64::from(self.count) * COLUMNS_PER_UNIT + FREE_COLUMNS
    }
}

impl Layer {
    /// Lays out a crowd in one pass, as that of a block of cells, but with as many cells in each row as it needs. Says whether it
    /// has. It has not, and nothing is laid out, where rows are more than units, where most units are in rows that are to be cut,
    /// and where too many to be laid to their places at once do not come row by row or are in one row.
    ///
    /// Rows that are cut have entries behind those of all others then, and not in between: which cell has which number is another.
    #[inline(always)]
    pub(super) fn lay_spans<const SIZED: bool>(
        &mut self,
        bodies: Bodies<'_>,
        crowd: &impl Crowd,
        sorter: &mut Sorter,
        (bottom, top): (i32, i32),
    ) -> bool {
        let height = u64::from(top.abs_diff(bottom)) + 1;
        if height > (self.count as u64).max(FREE_CELLS) {
            return false;
        }
        let are_in_order = self.are_in_order(crowd);
        if !are_in_order && self.count > CACHED {
            return false;
        }
        self.measure_spans(crowd, &mut sorter.spans, bottom, height as usize);
        let spans = sorter.spans.iter();
        let in_wide_rows = spans.clone().filter(|span| span.is_wide());
        let in_wide_rows: usize = in_wide_rows.map(|span| span.count as usize).sum();
        let longest = spans.map(|span| span.count as usize).max().unwrap_or(0);
        if in_wide_rows * 2 > self.count || longest > CACHED {
            return false;
        }
        let mut next = 0_u32;
        sorter.to_entries.clear();
        sorter.to_entries.extend(sorter.spans.iter().map(|span| {
            let offset = next;
            if span.is_wide() {
                // What it is cut into has entries behind all others.
                next += 1;
                return ToEntry {
                    shift: offset,
                    mask: 0,
                };
            }
            if span.count > 0 {
                // One entry more, behind the last column.
                next += span.width() as u32 + 1;
            }
            ToEntry {
                shift: offset.wrapping_sub(span.first as u32),
                mask: u32::MAX,
            }
        }));
        self.starts.resize(next as usize + 1, 0);
        self.number_units_of(crowd, &mut sorter.cells, &sorter.to_entries, bottom);
        self.lay_at_once::<SIZED>(bodies, crowd, &sorter.cells, are_in_order);
        self.list_spans::<SIZED>(bodies, sorter, bottom);
        true
    }

    /// Whether most units are at most a row away from the one before.
    #[inline(always)]
    fn are_in_order(&self, crowd: &impl Crowd) -> bool {
        let cell = self.cell();
        let (mut before, mut neighbors) = (0_i32, 0);
        crowd.give_places(|centers| {
            for center in centers {
                let row = cell.number(center.y);
                neighbors += usize::from(row.abs_diff(before) <= 1);
                before = row;
            }
        });
        neighbors * 2 > self.count
    }

    /// Says of each row from which column to which it goes and how many units are in it.
    #[inline(always)]
    fn measure_spans(&self, crowd: &impl Crowd, spans: &mut Vec<Span>, bottom: i32, height: usize) {
        let cell = self.cell();
        spans.clear();
        spans.resize(height, Span::EMPTY);
        let (mut rows, mut columns) = ([0_u32; LOT], [0_i32; LOT]);
        crowd.give_places(|centers| {
            for centers in centers.chunks(LOT) {
                number(centers, cell, bottom, &mut rows, &mut columns);
                for (&row, &column) in rows.iter().zip(&columns).take(centers.len()) {
                    let span = &mut spans[row as usize];
                    span.first = span.first.min(column);
                    span.last = span.last.max(column);
                    span.count += 1;
                }
            }
        });
    }

    /// Notes to which entry of the table of starts each unit belongs.
    #[inline(always)]
    fn number_units_of(
        &self,
        crowd: &impl Crowd,
        cells: &mut Vec<u32>,
        to_entries: &[ToEntry],
        bottom: i32,
    ) {
        let cell = self.cell();
        cells.resize(self.count, 0);
        let mut lots = cells.chunks_mut(LOT);
        let mut columns = [0_i32; LOT];
        crowd.give_places(|centers| {
            // The places first: at their end no lot of numbers is taken.
            for (centers, numbers) in centers.chunks(LOT).zip(&mut lots) {
                number(centers, cell, bottom, numbers, &mut columns);
                for (number, column) in numbers.iter_mut().zip(&columns) {
                    *number = to_entries[*number as usize].of(*column);
                }
            }
        });
    }

    /// Lists the rows in which somebody is, and cuts those that have far more columns than units.
    #[inline(always)]
    fn list_spans<const SIZED: bool>(
        &mut self,
        bodies: Bodies<'_>,
        sorter: &mut Sorter,
        bottom: i32,
    ) {
        let cell = self.cell();
        let mut begin = 0;
        for (row, (span, to_entry)) in sorter.spans.iter().zip(&sorter.to_entries).enumerate() {
            if span.count == 0 {
                continue;
            }
            let index = bottom.wrapping_add(row as i32);
            let first_stretch = self.stretches.len() as u32;
            let units = begin..begin + span.count as usize;
            begin = units.end;
            if span.is_wide() {
                let records = &mut sorter.records;
                records.clear();
                records.extend(self.bodies.ids[units.clone()].iter().map(|&unit| {
                    let center = bodies.center(unit);
                    Record {
                        center,
                        unit,
                        column: cell.number(center.x),
                    }
                }));
                self.lay_wide_row::<SIZED>(bodies, records, units.start, &mut sorter.keys);
            } else {
                self.stretches.push(Stretch {
                    first: span.first,
                    last: span.last,
                    offset: to_entry.of(span.first),
                });
            }
            self.list_row::<SIZED>(index, *span, first_stretch, units);
        }
    }

    /// Writes down a row whose units and stretches are laid out.
    #[inline(always)]
    fn list_row<const SIZED: bool>(
        &mut self,
        index: i32,
        span: Span,
        first_stretch: u32,
        units: Range<usize>,
    ) {
        self.extent = self.extent.join(Cells {
            left: span.first,
            right: span.last,
            bottom: index,
            top: index,
        });
        let (low, high) = self.bodies.heights::<SIZED>(units.clone());
        let (first_unit, end) = (units.start as u32, units.end as u32);
        self.rows.push(Row {
            index,
            first_stretch,
            first_unit,
            end,
            room: end,
            low,
            high,
        });
    }

    /// Lays out the records, which are sorted by row.
    pub(super) fn lay_rows<const SIZED: bool>(&mut self, bodies: Bodies<'_>, sorter: &mut Sorter) {
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
            let span = Span {
                first,
                last,
                count: (end - begin) as u32,
            };
            let Sorter { records, keys, .. } = sorter;
            let records = &records[begin..end];
            if span.is_wide() {
                self.lay_wide_row::<SIZED>(bodies, records, begin, keys);
            } else {
                self.lay_narrow_row::<SIZED>(bodies, records, begin, span);
            }
            self.list_row::<SIZED>(index, span, first_stretch, begin..end);
            begin = end;
        }
    }

    /// Sorts a row by counting: its table of starts is the array of counts.
    fn lay_narrow_row<const SIZED: bool>(
        &mut self,
        bodies: Bodies<'_>,
        records: &[Record],
        begin: usize,
        span: Span,
    ) {
        let Span { first, last, .. } = span;
        let offset = self.starts.len();
        self.stretches.push(Stretch {
            first,
            last,
            offset: offset as u32,
        });
        self.starts.resize(offset + span.width() as usize + 1, 0);
        let starts = &mut self.starts[offset..];
        let column = |record: &Record| record.column.wrapping_sub(first) as usize;
        for record in records {
            starts[column(record)] += 1;
        }
        let mut end = begin as u32;
        for start in starts.iter_mut() {
            end += *start;
            *start = end;
        }
        // Backwards, so that each table entry ends on the place of its first unit and equal columns keep their order.
        let mut laid = self.bodies.row(begin..begin + records.len());
        for record in records.iter().rev() {
            let place = &mut starts[column(record)];
            *place -= 1;
            let at = *place as usize - begin;
            laid.set::<SIZED>(at, bodies, record.center, record.unit);
        }
    }

    /// Sorts a row that has far more columns than units, and begins a new stretch behind each gap.
    fn lay_wide_row<const SIZED: bool>(
        &mut self,
        bodies: Bodies<'_>,
        records: &[Record],
        begin: usize,
        keys: &mut Vec<u64>,
    ) {
        // Flipping the sign bit orders signed numbers as unsigned ones.
        let unsigned = |column: i32| column as u32 ^ 1 << 31;
        let numbered = (0..).zip(records);
        keys.clear();
        keys.extend(numbered.map(|(it, record)| u64::from(unsigned(record.column)) << 32 | it));
        keys.sort_unstable();
        let mut open: Option<Stretch> = None;
        for (place, key) in (begin..).zip(keys.iter()) {
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
        self.close(open, begin + records.len());
    }

    /// Writes down a stretch whose last unit is before `end`.
    fn close(&mut self, stretch: Option<Stretch>, end: usize) {
        if let Some(stretch) = stretch {
            self.starts.push(end as u32);
            self.stretches.push(stretch);
        }
    }
}

/// Says of each of a lot of places how many rows above `bottom` it is, and in which column.
#[inline(always)]
fn number(centers: &[Vec2], cell: Cell, bottom: i32, rows: &mut [u32], columns: &mut [i32]) {
    for ((row, column), center) in rows.iter_mut().zip(columns).zip(centers) {
        *row = cell.number(center.y).wrapping_sub(bottom) as u32;
        *column = cell.number(center.x);
    }
}
