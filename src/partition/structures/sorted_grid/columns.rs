//! The bodies of a layer in columns.

use crate::geometry::{Aabb, Vec2};
use crate::partition::toolkit::simd::{self, Kernel, PADDING};
use crate::partition::{Bodies, UnitId};
use std::ops::Range;

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

impl Columns {
    /// The columns as a kernel takes them.
    #[inline(always)]
    pub fn for_kernel(&self) -> simd::Bodies<'_> {
        simd::Bodies::new(&self.left, &self.bottom, &self.right, &self.top, &self.ids)
    }

    /// Whether they are worth to be [asked for](Columns::ask_for).
    #[inline(always)]
    pub fn are_far(&self) -> bool {
        let borders = [&self.left, &self.bottom, &self.right, &self.top];
        let count: usize = borders.iter().map(|border| border.len()).sum();
        simd::are_far(count * size_of::<f32>() + size_of_val(&*self.ids))
    }

    /// Asks for the bodies at these places, which are to be read soon.
    #[inline(always)]
    pub fn ask_for<const SIZED: bool, K: Kernel>(&self, kernel: K, places: Range<usize>) {
        kernel.fetch(&self.left[places.clone()]);
        kernel.fetch(&self.bottom[places.clone()]);
        if SIZED {
            kernel.fetch(&self.right[places.clone()]);
            kernel.fetch(&self.top[places.clone()]);
        }
        kernel.fetch(&self.ids[places]);
    }

    pub fn resize(&mut self, count: usize, sized: bool) {
        let count = count + PADDING;
        let upper = if sized { count } else { 0 };
        self.left.resize(count, 0.0);
        self.bottom.resize(count, 0.0);
        self.right.resize(upper, 0.0);
        self.top.resize(upper, 0.0);
        self.ids.resize(count, 0);
    }

    /// Writes the body of a unit to its place.
    #[inline(always)]
    pub fn set<const SIZED: bool>(
        &mut self,
        place: usize,
        bodies: Bodies<'_>,
        center: Vec2,
        unit: UnitId,
    ) {
        let mut lower = center;
        if SIZED {
            let body = Aabb::around(center, bodies.half_extent(unit));
            (self.right[place], self.top[place]) = (body.max.x, body.max.y);
            lower = body.min;
        }
        (self.left[place], self.bottom[place]) = (lower.x, lower.y);
        self.ids[place] = unit;
    }

    /// Copies the body at one place to another.
    #[inline(always)]
    pub fn copy(&mut self, from: usize, to: usize) {
        self.left[to] = self.left[from];
        self.bottom[to] = self.bottom[from];
        if !self.right.is_empty() {
            (self.right[to], self.top[to]) = (self.right[from], self.top[from]);
        }
        self.ids[to] = self.ids[from];
    }

    /// The lowest and the highest border of the bodies of a run.
    #[inline(always)]
    pub fn heights<const SIZED: bool>(&self, run: Range<usize>) -> (f32, f32) {
        let bottom = &self.bottom[run.clone()];
        let top = if SIZED { &self.top[run] } else { bottom };
        let mut heights = Bounds::NONE;
        heights.take_run(bottom, top);
        heights.least_and_greatest()
    }

    /// The columns of places that follow each other: each part ends where it is said to, the first begins at 0.
    pub fn parts(&mut self, ends: impl Iterator<Item = usize>) -> Vec<RowColumns<'_>> {
        let mut rest = self.row(0..self.ids.len());
        let mut begin = 0;
        ends.map(|end| {
            let part = rest.split_off(end - begin);
            begin = end;
            part
        })
        .collect()
    }

    /// The columns of one row, to be filled.
    pub fn row(&mut self, row: Range<usize>) -> RowColumns<'_> {
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

/// The columns of one row, or of some that follow each other.
pub(super) struct RowColumns<'a> {
    pub left: &'a mut [f32],
    pub bottom: &'a mut [f32],
    pub right: &'a mut [f32],
    pub top: &'a mut [f32],
    pub ids: &'a mut [UnitId],
}

impl<'a> RowColumns<'a> {
    /// Takes the first `count` places.
    fn split_off(&mut self, count: usize) -> RowColumns<'a> {
        let (left, bottom) = (front(&mut self.left, count), front(&mut self.bottom, count));
        RowColumns {
            left,
            bottom,
            right: front(&mut self.right, count),
            top: front(&mut self.top, count),
            ids: front(&mut self.ids, count),
        }
    }

    /// The box of the body at a place.
    #[inline(always)]
    pub fn body(&self, place: usize) -> Aabb {
        let min = Vec2::new(self.left[place], self.bottom[place]);
        Aabb::new(min, Vec2::new(self.right[place], self.top[place]))
    }

    /// Fills the other columns with the bodies of those whose ids are there.
    #[inline(always)]
    pub fn fetch<const SIZED: bool>(&mut self, bodies: Bodies<'_>) {
        if SIZED {
            for place in 0..self.ids.len() {
                let unit = self.ids[place];
                self.set::<SIZED>(place, bodies, bodies.center(unit), unit);
            }
        } else {
            let lower = self.left.iter_mut().zip(&mut *self.bottom);
            for ((left, bottom), &unit) in lower.zip(&*self.ids) {
                let center = bodies.center(unit);
                (*left, *bottom) = (center.x, center.y);
            }
        }
    }

    /// Writes the body of a unit to its place in the row.
    #[inline(always)]
    pub fn set<const SIZED: bool>(
        &mut self,
        place: usize,
        bodies: Bodies<'_>,
        center: Vec2,
        unit: UnitId,
    ) {
        let mut lower = center;
        if SIZED {
            let body = Aabb::around(center, bodies.half_extent(unit));
            (self.right[place], self.top[place]) = (body.max.x, body.max.y);
            lower = body.min;
        }
        (self.left[place], self.bottom[place]) = (lower.x, lower.y);
        self.ids[place] = unit;
    }
}

/// From where to where places go along both axes: the coordinates side by side, as they lie in memory, for to part them costs more than
/// to compare them.
pub(super) struct Spread(Bounds);

impl Spread {
    pub const NONE: Self = Self(Bounds::NONE);

    /// Takes in places.
    #[inline(always)]
    pub fn take(&mut self, centers: &[Vec2]) {
        let mut take = |quad: &[Vec2; LANES / 2]| {
            let lanes = std::array::from_fn(|lane| quad[lane / 2][lane % 2]);
            self.0.take(&lanes, &lanes);
        };
        let (quads, rest) = centers.as_chunks();
        quads.iter().for_each(&mut take);
        for center in rest {
            take(&[*center; LANES / 2]);
        }
    }

    /// From where to where they go along each axis.
    #[inline(always)]
    pub fn axes(&self) -> (Bounds, Bounds) {
        (self.0.every_other(0), self.0.every_other(1))
    }
}

/// Takes the first of a column, or all of one that is shorter.
fn front<'a, T>(column: &mut &'a mut [T], count: usize) -> &'a mut [T] {
    let all = std::mem::take(column);
    let (front, rest) = all.split_at_mut(count.min(all.len()));
    *column = rest;
    front
}

/// The least and the greatest of many numbers, as many at a time as a processor likes.
#[derive(Clone, Copy)]
pub(super) struct Bounds {
    low: [f32; LANES],
    high: [f32; LANES],
}

pub(super) const LANES: usize = 8;

impl Bounds {
    pub const NONE: Self = Self {
        low: [f32::INFINITY; LANES],
        high: [f32::NEG_INFINITY; LANES],
    };

    /// Takes in numbers, all of which are numbers: these are instructions where the minimum of the standard library is five.
    #[inline(always)]
    pub fn take(&mut self, low: &[f32; LANES], high: &[f32; LANES]) {
        for lane in 0..LANES {
            let (least, greatest) = (self.low[lane], self.high[lane]);
            self.low[lane] = if low[lane] < least { low[lane] } else { least };
            self.high[lane] = if high[lane] > greatest {
                high[lane]
            } else {
                greatest
            };
        }
    }

    /// Those of every other lane from `first` on, which is 0 or 1, each twice.
    #[inline(always)]
    fn every_other(self, first: usize) -> Self {
        let of = |lanes: [f32; LANES]| std::array::from_fn(|lane| lanes[(lane & !1) + first]);
        Self {
            low: of(self.low),
            high: of(self.high),
        }
    }

    /// Takes in the borders of the bodies of a run.
    #[inline(always)]
    pub fn take_run(&mut self, low: &[f32], high: &[f32]) {
        let (lows, low) = low.as_chunks::<LANES>();
        let (highs, high) = high.as_chunks::<LANES>();
        for (low, high) in lows.iter().zip(highs) {
            self.take(low, high);
        }
        for (low, high) in low.iter().zip(high) {
            self.take(&[*low; LANES], &[*high; LANES]);
        }
    }

    #[inline(always)]
    pub fn least_and_greatest(&self) -> (f32, f32) {
        (
            self.low.iter().copied().fold(f32::INFINITY, f32::min),
            self.high.iter().copied().fold(f32::NEG_INFINITY, f32::max),
        )
    }
}
