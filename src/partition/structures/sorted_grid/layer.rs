//! One grid over units of about the same size: the order of the units and the tables that find a cell in it.

use crate::geometry::{Aabb, Vec2};
use crate::partition::toolkit::rounding::ROUNDING;
use crate::partition::toolkit::simd::{self, PADDING};
use crate::partition::{Bodies, UnitId};
use std::ops::Range;

/// The units of one size class in the order of their cells, row by row.
///
/// Only what is occupied is written down: rows in which somebody is, and in each row the stretches of columns in which
/// somebody is. A field as wide as numbers go, with two crowds at its ends, takes no more memory than the crowds.
#[derive(Clone, Debug)]
pub(super) struct Layer {
    /// The side of a cell, in metres.
    pub cell_size: f32,
    /// Cells per metre.
    inverse: f32,
    /// The largest half extent in this layer, along either axis: queries grow by it.
    pub half_extent: Vec2,
    /// The occupied rows from the lowest to the highest, and behind them one that only says where the last one ends.
    pub rows: Vec<Row>,
    /// The stretches of all rows, in the order of the units.
    pub stretches: Vec<Stretch>,
    /// For each stretch the place of the first unit of each column, and the place behind the last one.
    pub starts: Vec<u32>,
    /// The number of units.
    count: usize,
    /// The bodies in the order of their cells, in columns.
    pub bodies: Columns,
}

/// The bodies in columns: a kernel reads a run of each from beginning to end, and a little beyond. Each is therefore
/// [`PADDING`] longer than what is in it.
#[derive(Clone, Debug, Default)]
pub(super) struct Columns {
    /// The left border of each body; where a point is.
    pub left: Vec<f32>,
    /// The lower border.
    pub bottom: Vec<f32>,
    /// The right border; empty in a world of points.
    pub right: Vec<f32>,
    /// The upper border; empty in a world of points.
    pub top: Vec<f32>,
    /// Whose body it is.
    pub ids: Vec<UnitId>,
}

/// A row in which somebody is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    /// Its number: 0 begins at the origin of the world.
    pub index: i32,
    /// Its first stretch.
    pub first_stretch: u32,
    /// The place of its first unit.
    pub first_unit: u32,
    /// The lowest border of any body in it.
    pub low: f32,
    /// The highest border of any body in it.
    pub high: f32,
}

/// Neighbouring columns of a row that share one table of starts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stretch {
    /// The first column.
    pub first: i32,
    /// The last column, which belongs to it.
    pub last: i32,
    /// Where its table begins in `starts`.
    pub offset: u32,
}

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

/// The map from coordinate to cell.
#[derive(Clone, Copy, Debug)]
struct Cell {
    inverse: f32,
}

impl Cell {
    /// The number of the row or column in which a coordinate lies: the floor of its multiple of the cell's side.
    ///
    /// It never decreases with the coordinate, in `f32` and not just on paper, and every coordinate has one.
    #[inline(always)]
    fn number(self, coordinate: f32) -> i32 {
        simd::floor(coordinate * self.inverse)
    }
}

impl Layer {
    /// A layer without units.
    pub fn new() -> Self {
        Self {
            cell_size: 1.0,
            inverse: 1.0,
            half_extent: Vec2::ZERO,
            rows: vec![Row::end(0, 0)],
            stretches: Vec::new(),
            starts: Vec::new(),
            count: 0,
            bodies: Columns::default(),
        }
    }

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

    #[inline(always)]
    fn cell(&self) -> Cell {
        Cell {
            inverse: self.inverse,
        }
    }

    /// The number of the row or column of a coordinate.
    #[inline(always)]
    pub fn number(&self, coordinate: f32) -> i32 {
        self.cell().number(coordinate)
    }

    /// The number of units.
    #[inline]
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether nobody is in it.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The rows without the end mark.
    #[inline]
    pub fn occupied_rows(&self) -> &[Row] {
        &self.rows[..self.rows.len() - 1]
    }

    /// The places of the units of a row.
    #[inline]
    pub fn units_of(&self, row: usize) -> Range<usize> {
        self.rows[row].first_unit as usize..self.rows[row + 1].first_unit as usize
    }

    /// The places of a row's stretches.
    #[inline]
    pub fn stretches_of(&self, row: usize) -> Range<usize> {
        self.rows[row].first_stretch as usize..self.rows[row + 1].first_stretch as usize
    }

    /// From where to where the centre of a unit must lie for its body to touch a box between `low` and `high` along an
    /// axis; `half_extent` is the largest along it.
    ///
    /// A body's border is its rounded centre plus or minus half extent, so the way back from border to centre needs the
    /// slack of a few roundings; that costs a cell at times and never a unit.
    #[inline(always)]
    pub fn centers_touching(low: f32, high: f32, half_extent: f32) -> (f32, f32) {
        (
            low - half_extent - (low.abs() + half_extent) * ROUNDING,
            high + half_extent + (high.abs() + half_extent) * ROUNDING,
        )
    }

    /// The places of the rows in which the centre of a unit must lie for its body to touch a box between `low` and `high`.
    #[inline]
    pub fn rows_touching(&self, low: f32, high: f32) -> Range<usize> {
        let (low, high) = Self::centers_touching(low, high, self.half_extent.y);
        let (low, high) = (self.number(low), self.number(high));
        let rows = self.occupied_rows();
        let begin = rows.partition_point(|row| row.index < low);
        let more = rows[begin..]
            .iter()
            .take_while(|row| row.index <= high)
            .count();
        begin..begin + more
    }

    /// The columns in which the centre of a unit must lie for its body to touch a box between `low` and `high`.
    #[inline(always)]
    pub fn columns_touching(&self, low: f32, high: f32) -> (i32, i32) {
        let (low, high) = Self::centers_touching(low, high, self.half_extent.x);
        (self.number(low), self.number(high))
    }

    /// Calls `visit` with each stretch of `row` that has columns from `first` to `last`, and with those columns.
    #[inline]
    pub fn for_runs(&self, row: usize, first: i32, last: i32, mut visit: impl FnMut(Run)) {
        let places = self.stretches_of(row);
        let stretches = &self.stretches[places];
        // Most rows are a single stretch, which needs no search.
        let begin = if stretches.len() > 1 {
            stretches.partition_point(|stretch| stretch.last < first)
        } else {
            0
        };
        for stretch in &stretches[begin..] {
            if stretch.first > last {
                break;
            }
            if stretch.last >= first {
                visit(stretch.run(first, last));
            }
        }
    }

    /// The places of the units of a run.
    #[inline(always)]
    pub fn units(&self, run: Run) -> Range<usize> {
        self.starts[run.begin as usize] as usize..self.starts[run.end as usize] as usize
    }

    /// The box of the unit at a place: the same numbers that [`Bodies::aabb`] gives.
    #[inline(always)]
    pub fn body<const SIZED: bool>(&self, place: usize) -> Aabb {
        let columns = &self.bodies;
        let min = Vec2::new(columns.left[place], columns.bottom[place]);
        Aabb::new(
            min,
            if SIZED {
                Vec2::new(columns.right[place], columns.top[place])
            } else {
                min
            },
        )
    }

    /// [`Layer::body`] where speed is no matter.
    pub fn body_at(&self, place: usize) -> Aabb {
        if self.bodies.right.is_empty() {
            self.body::<false>(place)
        } else {
            self.body::<true>(place)
        }
    }

    /// The band from the lowest to the highest border of any body of a row.
    #[inline(always)]
    pub fn band(&self, row: usize) -> Aabb {
        Aabb::new(
            Vec2::new(f32::NEG_INFINITY, self.rows[row].low),
            Vec2::new(f32::INFINITY, self.rows[row].high),
        )
    }

    /// The row and the stretch of which `entry` of the table of starts is a cell.
    pub fn cell_at(&self, entry: u32) -> Option<(usize, Stretch)> {
        let place = self
            .stretches
            .partition_point(|stretch| stretch.offset <= entry)
            .checked_sub(1)?;
        let stretch = self.stretches[place];
        let row = self
            .occupied_rows()
            .partition_point(|row| row.first_stretch as usize <= place)
            .checked_sub(1)?;
        (entry - stretch.offset <= stretch.last.abs_diff(stretch.first)).then_some((row, stretch))
    }

    /// The lower border of a row or column, but for rounding.
    #[inline]
    pub fn border(&self, number: i64) -> f32 {
        (number as f64 * f64::from(self.cell_size)) as f32
    }

    /// The lower border of a row or column, moved down by more than rounding can be: whoever is in it is above.
    #[inline]
    pub fn border_below(&self, number: i64) -> f32 {
        let border = self.border(number);
        border - (border.abs() + self.cell_size) * ROUNDING
    }

    /// The upper border of a row or column, moved up by more than rounding can be: whoever is in it is below.
    #[inline]
    pub fn border_above(&self, number: i64) -> f32 {
        let border = self.border(number + 1);
        border + (border.abs() + self.cell_size) * ROUNDING
    }

    /// The nominal box of a cell.
    pub fn cell_box(&self, column: i64, row: i64) -> Aabb {
        Aabb::new(
            Vec2::new(self.border(column), self.border(row)),
            Vec2::new(self.border(column + 1), self.border(row + 1)),
        )
    }
}

/// Neighbouring cells, as a range of the table of starts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    /// The first cell.
    pub begin: u32,
    /// The cell behind the last.
    pub end: u32,
}

impl Stretch {
    /// The cells from column `first` to column `last`, as far as the stretch has them; it must have one.
    #[inline(always)]
    pub fn run(self, first: i32, last: i32) -> Run {
        let entry = |column: i32| self.offset + column.wrapping_sub(self.first) as u32;
        Run {
            begin: entry(first.max(self.first)),
            end: entry(last.min(self.last)) + 1,
        }
    }

    /// The first entry of the column `first` and the one behind the column `last`, counted from the stretch's own first and
    /// moved into it.
    #[inline(always)]
    pub fn entries(self, first: i32, last: i32) -> (usize, usize) {
        let width = self.last.wrapping_sub(self.first) + 1;
        let first = first.saturating_sub(self.first).clamp(0, width);
        let end = last.saturating_sub(self.first).clamp(-1, width - 1) + 1;
        (first as usize, end as usize)
    }

    /// The stretch's part of the table of starts.
    #[inline(always)]
    pub fn starts(self, layer: &Layer) -> &[u32] {
        let width = self.last.abs_diff(self.first) as usize + 1;
        &layer.starts[self.offset as usize..][..width + 1]
    }

    /// The column of an entry of the table.
    pub fn column(self, entry: u32) -> i32 {
        self.first.wrapping_add((entry - self.offset) as i32)
    }
}

impl Row {
    /// The mark behind the last row.
    fn end(first_stretch: u32, first_unit: u32) -> Self {
        Self {
            index: i32::MAX,
            first_stretch,
            first_unit,
            low: f32::INFINITY,
            high: f32::NEG_INFINITY,
        }
    }
}

impl Columns {
    /// The columns as a kernel takes them.
    #[inline(always)]
    pub fn for_kernel(&self) -> simd::Bodies<'_> {
        simd::Bodies::new(&self.left, &self.bottom, &self.right, &self.top, &self.ids)
    }

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
