//! One grid over units of about the same size: the order of the units and the tables that find a cell in it.

use crate::geometry::{Aabb, Vec2};
use crate::partition::UnitId;
use crate::partition::toolkit::rounding::ROUNDING;
use crate::partition::toolkit::simd;
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
    pub inverse: f32,
    /// The largest half extent in this layer, along either axis: queries grow by it.
    pub half_extent: Vec2,
    /// The occupied rows from the lowest to the highest, and behind them one that only says where the last one ends.
    pub rows: Vec<Row>,
    /// The stretches of all rows, in the order of the units.
    pub stretches: Vec<Stretch>,
    /// For each stretch the place of the first unit of each column, and the place behind the last one.
    pub starts: Vec<u32>,
    /// The number of units.
    pub count: usize,
    /// The bodies in the order of their cells, in columns.
    pub bodies: Columns,
}

/// The bodies in columns: a kernel reads a run of each from beginning to end, and a little beyond. Each is therefore
/// [`simd::PADDING`] longer than what is in it.
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

/// The map from coordinate to cell.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cell {
    inverse: f32,
}

impl Cell {
    /// The number of the row or column in which a coordinate lies: the floor of its multiple of the cell's side.
    ///
    /// It never decreases with the coordinate, in `f32` and not just on paper, and every coordinate has one.
    #[inline(always)]
    pub fn number(self, coordinate: f32) -> i32 {
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

    #[inline(always)]
    pub fn cell(&self) -> Cell {
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

    /// The box of the unit at a place: the same numbers that [`Bodies::aabb`](crate::partition::Bodies::aabb) gives.
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
    pub fn end(first_stretch: u32, first_unit: u32) -> Self {
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
}
