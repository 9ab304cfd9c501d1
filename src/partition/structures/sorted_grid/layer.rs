//! One grid over units of about the same size: the order of the units and the tables that find a cell in it.

use super::columns::Columns;
use crate::geometry::{Aabb, Vec2};
use crate::partition::toolkit::rounding::{ROUNDING, widened};
use crate::partition::toolkit::simd;
use std::ops::Range;

/// The units of one size class in the order of their cells, row by row.
///
/// Only what is occupied is written down: rows in which somebody is, and in each row the stretches of columns in which
/// somebody is. Single edits may leave some of them empty until the next build. A field as wide as numbers go, with two crowds at its ends, takes no more memory than the crowds.
#[derive(Clone, Debug)]
pub(super) struct Layer {
    /// The side of a cell, in metres.
    pub cell_size: f32,
    /// Cells per metre.
    pub inverse: f32,
    /// The largest half extent in this layer, along either axis: queries grow by it.
    pub half_extent: Vec2,
    /// How far from where it was filed anybody may be by now, along either axis, in metres: queries grow by that as well. 0 where
    /// everybody is in the cell in which they are filed.
    pub drift: f32,
    /// By how much the drift grew in the last step in which that was looked at.
    pub pace: f32,
    /// The occupied rows from the lowest to the highest, and behind them one that only says where the last one ends.
    pub rows: Vec<Row>,
    /// The stretches of all rows, in the order of the units.
    pub stretches: Vec<Stretch>,
    /// For each stretch the place of the first unit of each column, and the place behind the last one. Some entries are no stretch's.
    pub starts: Vec<u32>,
    /// Whether rows have room for units to come, each with its own; as it is built, one begins where the one before ends.
    pub is_loose: bool,
    /// How many entries the table of starts had as it was built.
    pub built_entries: usize,
    /// The block of cells in which everybody is.
    pub extent: Cells,
    /// The number of units.
    pub count: usize,
    /// The bodies in the order of their cells, in columns.
    pub bodies: Columns,
}

/// A row in which somebody is, or was until an edit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    /// Its number: 0 begins at the origin of the world.
    pub index: i32,
    /// Its first stretch.
    pub first_stretch: u32,
    /// The place of its first unit.
    pub first_unit: u32,
    /// The place behind its last unit.
    pub end: u32,
    /// The place behind its room: units may come until there without another row having to make way.
    pub room: u32,
    /// The lowest border of any body in it, or lower where bodies have left.
    pub low: f32,
    /// The highest border of any body in it, or higher.
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
            drift: 0.0,
            pace: 0.0,
            rows: vec![Row::end(0, 0)],
            stretches: Vec::new(),
            starts: Vec::new(),
            is_loose: false,
            built_entries: 0,
            extent: Cells::NONE,
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
    pub fn listed_rows(&self) -> &[Row] {
        &self.rows[..self.rows.len() - 1]
    }

    /// The places of the units of a row.
    #[inline]
    pub fn units_of(&self, row: usize) -> Range<usize> {
        self.rows[row].first_unit as usize..self.rows[row].end as usize
    }

    /// Behind which row the first `share` of `count` shares of the rows end, each of which has about as many units as any other. Only
    /// where no row has room.
    pub fn end_of_share(&self, share: usize, count: usize) -> usize {
        let rows = self.listed_rows();
        if share == count {
            return rows.len();
        }
        let wanted = (self.count as u64 * share as u64 / count as u64) as u32;
        rows.partition_point(|row| row.first_unit < wanted)
    }

    /// The places of a row's stretches.
    #[inline]
    pub fn stretches_of(&self, row: usize) -> Range<usize> {
        self.rows[row].first_stretch as usize..self.rows[row + 1].first_stretch as usize
    }

    /// How far beyond a query somebody may be filed who is in it, along either axis.
    #[inline(always)]
    fn margin(&self) -> Vec2 {
        self.half_extent + Vec2::splat(self.drift)
    }

    /// From where to where the centre of a unit must have been filed for its body to touch a box between `low` and `high` along an
    /// axis; `margin` is how far it may be filed beyond, along that axis.
    ///
    /// A body's border is its rounded centre plus or minus half extent, so the way back from border to centre needs the
    /// slack of a few roundings; that costs a cell at times and never a unit.
    #[inline(always)]
    fn centers_touching(low: f32, high: f32, margin: f32) -> (f32, f32) {
        (
            low - margin - (low.abs() + margin) * ROUNDING,
            high + margin + (high.abs() + margin) * ROUNDING,
        )
    }

    /// The cells in which a unit may be filed whose centre is there.
    pub fn homes(&self, center: Vec2) -> Cells {
        let (min, max) = (self.inset(center, -1.0), self.inset(center, 1.0));
        Cells {
            left: self.number(min.x),
            right: self.number(max.x),
            bottom: self.number(min.y),
            top: self.number(max.y),
        }
    }

    /// A corner of a box, so far inside it that whoever is filed in a cell beyond it is in the box.
    #[inline(always)]
    pub fn inset(&self, corner: Vec2, direction: f32) -> Vec2 {
        if self.drift == 0.0 {
            return corner;
        }
        let rounding = (corner.abs() + Vec2::splat(self.drift)) * ROUNDING;
        corner + (Vec2::splat(self.drift) + rounding) * direction
    }

    /// The places of the rows in which the centre of a unit must lie for its body to touch a box between `low` and `high`.
    #[inline(always)]
    pub fn rows_touching(&self, low: f32, high: f32) -> Range<usize> {
        let (low, high) = Self::centers_touching(low, high, self.margin().y);
        self.rows_from_to(self.number(low), self.number(high))
    }

    /// The places of the rows whose numbers are from `low` to `high`.
    #[inline(always)]
    pub fn rows_from_to(&self, low: i32, high: i32) -> Range<usize> {
        let begin = self.row_from(low);
        let more = self.listed_rows()[begin..]
            .iter()
            .take_while(|row| row.index <= high)
            .count();
        begin..begin + more
    }

    /// The place of the first row whose number is at least `index`.
    #[inline(always)]
    pub fn row_from(&self, index: i32) -> usize {
        let rows = self.listed_rows();
        // Where all rows are occupied up to here, it lies as many places behind the first as its number is greater.
        let guess =
            rows.first()
                .map_or(0, |first| index.saturating_sub(first.index).max(0)) as usize;
        match rows.get(guess) {
            Some(row) if row.index == index => guess,
            _ => rows.partition_point(|row| row.index < index),
        }
    }

    /// The columns in which the centre of a unit must lie for its body to touch a box between `low` and `high`.
    #[inline(always)]
    pub fn columns_touching(&self, low: f32, high: f32) -> (i32, i32) {
        let (low, high) = Self::centers_touching(low, high, self.margin().x);
        (self.number(low), self.number(high))
    }

    /// Says which units are in the nine cells around a cell, its own among them. What is said is not looked at by a kernel.
    #[inline(always)]
    pub fn runs_around(&self, (column, row): (i32, i32), mut say: impl FnMut(Range<usize>)) {
        let (first, last) = (column.saturating_sub(1), column.saturating_add(1));
        for place in self.rows_from_to(row.saturating_sub(1), row.saturating_add(1)) {
            for stretch in self.stretches_touching(place, first, last) {
                say(self.units(stretch.run(first, last)));
            }
        }
    }

    /// The cells in which the centre of a unit must lie for its body to be at most the root of `distance_sq` away.
    #[inline(always)]
    pub fn cells_within(&self, point: Vec2, distance_sq: f32) -> Cells {
        let reach = widened(distance_sq.sqrt());
        let (left, right) = self.columns_touching(point.x - reach, point.x + reach);
        let (low, high) = Self::centers_touching(point.y - reach, point.y + reach, self.margin().y);
        Cells {
            left,
            right,
            bottom: self.number(low),
            top: self.number(high),
        }
    }

    /// The stretches of `row` that have columns from `first` to `last`.
    ///
    /// No closure is called with them: what a kernel does in it would not be compiled for the kernel's instructions.
    #[inline(always)]
    pub fn stretches_touching(&self, row: usize, first: i32, last: i32) -> &[Stretch] {
        let stretches = &self.stretches[self.stretches_of(row)];
        // Most rows are a single stretch, which needs no search.
        if let [only] = stretches {
            let touches = only.first <= last && first <= only.last;
            return &stretches[..usize::from(touches)];
        }
        let begin = stretches.partition_point(|stretch| stretch.last < first);
        let more = stretches[begin..]
            .iter()
            .take_while(|stretch| stretch.first <= last)
            .count();
        &stretches[begin..begin + more]
    }

    /// The places of the units of a run.
    #[inline(always)]
    pub fn units(&self, run: Run) -> Range<usize> {
        self.starts[run.begin as usize] as usize..self.starts[run.end as usize] as usize
    }

    /// The entry of the cell in which the unit at a place of a row is filed.
    pub fn entry_of(&self, row: usize, place: usize) -> u32 {
        let is_before = |start: &u32| *start as usize <= place;
        let mut stretches = self.stretches_of(row).map(|it| self.stretches[it]);
        let within = stretches.find_map(|stretch| {
            let starts = stretch.starts(self);
            let entry = starts.partition_point(is_before);
            (0 < entry && entry < starts.len()).then(|| stretch.offset + entry as u32 - 1)
        });
        within.unwrap_or_default()
    }

    /// How many cells of a run are occupied. Most runs are short, and how short is a coin toss: four cells are looked at without
    /// a branch, of which those behind the run count as empty.
    #[inline(always)]
    pub fn occupied_count(&self, run: Run) -> u64 {
        const AT_ONCE: u32 = 4;
        let starts = |entry: u32| self.starts[entry.min(run.end) as usize];
        let is_occupied = |entry: u32| u64::from(starts(entry) < starts(entry + 1));
        let at_once: u64 = (run.begin..run.begin + AT_ONCE).map(is_occupied).sum();
        let others = run.begin + AT_ONCE..run.end;
        at_once + others.map(is_occupied).sum::<u64>()
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
        // Stretches of rows that were cut, and those that came after the build, have their entries behind all others, wherever they lie.
        let has = |stretch: &Stretch| {
            let from = entry.wrapping_sub(stretch.offset);
            from <= stretch.last.abs_diff(stretch.first)
        };
        let place = self.stretches.iter().position(has)?;
        let stretch = self.stretches[place];
        let row = self
            .listed_rows()
            .partition_point(|row| row.first_stretch as usize <= place)
            .checked_sub(1)?;
        Some((row, stretch))
    }

    /// The lower border of a row or column, but for rounding.
    #[inline]
    pub fn border(&self, number: i64) -> f32 {
        (number as f64 * f64::from(self.cell_size)) as f32
    }

    /// The nominal box of a cell.
    pub fn cell_box(&self, column: i64, row: i64) -> Aabb {
        Aabb::new(
            Vec2::new(self.border(column), self.border(row)),
            Vec2::new(self.border(column + 1), self.border(row + 1)),
        )
    }
}

/// A block of cells, by the numbers of its outermost columns and rows, which belong to it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cells {
    pub left: i32,
    pub right: i32,
    pub bottom: i32,
    pub top: i32,
}

impl Cells {
    /// How many entries the table of starts of a row has: one for each column and one more, behind the last.
    #[inline(always)]
    pub fn width(self) -> u32 {
        self.right.abs_diff(self.left) + 2
    }

    /// How many rows there are.
    #[inline(always)]
    pub fn height(self) -> u32 {
        self.top.abs_diff(self.bottom) + 1
    }

    /// Whether there is a cell in it.
    pub fn is_some(self) -> bool {
        self.left <= self.right && self.bottom <= self.top
    }

    /// A cell in the middle, if there is one.
    pub fn middle(self) -> Option<(i32, i32)> {
        let middle = |low: i32, high: i32| ((i64::from(low) + i64::from(high)) / 2) as i32;
        self.is_some().then(|| {
            let column = middle(self.left, self.right);
            (column, middle(self.bottom, self.top))
        })
    }

    /// No cell at all.
    pub const NONE: Self = Self {
        left: i32::MAX,
        right: i32::MIN,
        bottom: i32::MAX,
        top: i32::MIN,
    };

    /// The block that goes so many cells from one to each side.
    #[inline(always)]
    pub fn around((column, row): (i32, i32), half: i32) -> Self {
        Self {
            left: column.saturating_sub(half),
            right: column.saturating_add(half),
            bottom: row.saturating_sub(half),
            top: row.saturating_add(half),
        }
    }

    /// The block that is about twice as wide and high, in whose middle this one is.
    #[inline(always)]
    pub fn doubled(self) -> Self {
        let more =
            |low: i32, high: i32| (high.abs_diff(low) / 2).min(i32::MAX as u32 / 2) as i32 + 1;
        let (x, y) = (more(self.left, self.right), more(self.bottom, self.top));
        Self {
            left: self.left.saturating_sub(x),
            right: self.right.saturating_add(x),
            bottom: self.bottom.saturating_sub(y),
            top: self.top.saturating_add(y),
        }
    }

    /// The smallest block that has the cells of both.
    #[inline(always)]
    pub fn join(self, other: Self) -> Self {
        Self {
            left: self.left.min(other.left),
            right: self.right.max(other.right),
            bottom: self.bottom.min(other.bottom),
            top: self.top.max(other.top),
        }
    }

    /// How many cells a cell is away from it along the axis along which it is farther: 0 inside.
    #[inline]
    pub fn distance(self, (column, row): (i32, i32)) -> i32 {
        let along = |low: i32, high: i32, number: i32| {
            low.saturating_sub(number)
                .max(number.saturating_sub(high))
                .max(0)
        };
        along(self.left, self.right, column).max(along(self.bottom, self.top, row))
    }

    /// Whether it has all cells of the other.
    #[inline(always)]
    pub fn contain(self, other: Self) -> bool {
        self.left <= other.left
            && other.right <= self.right
            && self.bottom <= other.bottom
            && other.top <= self.top
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

impl Run {
    /// The part of it before another run that is a part of it.
    #[inline(always)]
    pub fn before(self, part: Self) -> Self {
        Self {
            begin: self.begin,
            end: part.begin,
        }
    }

    /// The part of it behind another run that is a part of it.
    #[inline(always)]
    pub fn behind(self, part: Self) -> Self {
        Self {
            begin: part.end,
            end: self.end,
        }
    }
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

    /// The cells of the columns between `left` and `right`, without these two, if it has any.
    #[inline(always)]
    pub fn run_between(self, left: i32, right: i32) -> Option<Run> {
        // Whoever is at the least number of all may have been anywhere below it.
        let first = left.saturating_add(1).max(self.first);
        let last = right.saturating_sub(1).min(self.last);
        (first <= last).then(|| self.run(first, last))
    }

    /// The entry of the first of its columns from `first` on, counted from its own first; the one behind its last if all are
    /// before.
    #[inline(always)]
    pub fn entry_from(self, first: i32) -> u32 {
        (first.clamp(self.first, self.last.saturating_add(1))).wrapping_sub(self.first) as u32
    }

    /// The entry behind the last of its columns up to `last`, counted from its own first; its first if all are behind.
    #[inline(always)]
    pub fn entry_behind(self, last: i32) -> u32 {
        let end = last.saturating_add(1);
        (end.clamp(self.first, self.last.saturating_add(1))).wrapping_sub(self.first) as u32
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
            end: first_unit,
            room: first_unit,
            low: f32::INFINITY,
            high: f32::NEG_INFINITY,
        }
    }
}
