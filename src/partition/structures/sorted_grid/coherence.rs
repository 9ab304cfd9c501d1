//! Mass movement: what a step can keep of the step before.
//!
//! Where nearly everybody moves, and nobody moves far, yesterday's order is nearly today's. It is used in two ways. With a
//! [skin](SortedGrid), the cells are left as they are for some steps: only where everybody is is written anew, and how far anybody
//! may have strayed by then is added to what every query looks at. And where a crowd is too large for a cache, a sort takes the units in
//! the order of the last one, so that what it writes side by side belongs side by side.
//!
//! Invariant: what a layer says of its [drift](Layer::drift) is never less than how far anybody has strayed along either axis.

use super::build::CACHED;
use super::columns::{Bounds, LANES, RowColumns};
use super::layer::{Layer, Row};
use super::{NO_CLASS, SortedGrid};
use crate::geometry::Vec2;
use crate::partition::toolkit::rounding::{ROUNDING, widened};
use crate::partition::toolkit::simd::{self, Kernel, Task};
use crate::partition::toolkit::threads::{each_in_turn, shares_for, threads_for};
use crate::partition::{Bodies, Change, Course, UnitId};
use crate::probe::{Event, Probe, Work};
use rayon::prelude::*;
use std::ops::Range;

/// So many units are written in one loop.
const LOT: usize = 64;

/// After a step that went too far for the skin, so much of its length is still expected of the next one: a crowd that has slowed
/// down is noticed a few steps later.
const FADING: f32 = 0.75;

impl SortedGrid {
    /// Makes a mass of changes at once, unless it is quickest to build as for the first time.
    pub(super) fn follow<P: Probe>(
        &mut self,
        bodies: Bodies<'_>,
        changes: &[Change],
        probe: &mut P,
    ) -> Course {
        let is_worth_it = self.skin > 0.0 || self.len() > CACHED;
        if !is_worth_it || bodies.slot_count() != self.slots {
            return Course::Rebuild;
        }
        let (added, removed) = self.added_and_removed(changes);
        if added > 0 {
            return Course::Rebuild;
        }
        if self.stays_filed(bodies, changes, removed > 0) {
            probe.works(Work::Remove, removed);
            probe.works(Work::MoveInPlace, changes.len() as u64 - removed);
            return Course::Done;
        }
        if self.len() <= CACHED {
            return Course::Rebuild;
        }
        probe.on(Event::Work(Work::Rebuild));
        self.remember(bodies, removed > 0);
        self.build(bodies, true);
        Course::Done
    }

    /// How many of some changes add a unit, and how many remove one.
    fn added_and_removed(&self, changes: &[Change]) -> (u64, u64) {
        // Counted in one pass and without a branch: they may be a million.
        let count = |changes: &[Change]| {
            let (mut added, mut removed) = (0, 0);
            for change in changes {
                added += u64::from(matches!(change, Change::Add(_)));
                removed += u64::from(matches!(change, Change::Remove(_)));
            }
            (added, removed)
        };
        let threads = threads_for(changes.len(), self.threads);
        if threads == 1 {
            return count(changes);
        }
        let pieces = changes.par_chunks(changes.len().div_ceil(threads));
        let join = |a: (u64, u64), b: (u64, u64)| (a.0 + b.0, a.1 + b.1);
        pieces.map(count).reduce(|| (0, 0), join)
    }

    /// Writes down who is alive, in the order of the cells in which they are filed.
    fn remember(&mut self, bodies: Bodies<'_>, some_fell: bool) {
        if let [layer] = &mut self.layers[..]
            && !layer.is_loose
            && !some_fell
        {
            // The layer gets the other ids anew.
            std::mem::swap(&mut *self.order, &mut layer.bodies.ids);
            self.order.truncate(layer.count);
            return;
        }
        self.order.clear();
        for layer in &self.layers {
            for row in 0..layer.listed_rows().len() {
                let ids = &layer.bodies.ids[layer.units_of(row)];
                if bodies.alive.is_empty() {
                    self.order.extend_from_slice(ids);
                } else {
                    let alive = ids.iter().filter(|unit| bodies.alive[**unit as usize]);
                    self.order.extend(alive);
                }
            }
        }
    }

    /// Leaves everybody in the cell in which they are filed, and writes where they are now; false where somebody has strayed too far
    /// for that, or has another size class by now. Then the columns are not to be relied on, but for whose they are.
    fn stays_filed(&mut self, bodies: Bodies<'_>, changes: &[Change], some_fell: bool) -> bool {
        let cell_size = self.cell_size.value() as f32;
        let skin = self.skin as f32 * cell_size;
        let is_near = |layer: &Layer| layer.drift + layer.pace <= skin;
        if self.layers.iter().any(|layer| layer.is_loose) || self.skin == 0.0 {
            return false;
        }
        if !self.layers.iter().all(is_near) {
            for layer in &mut self.layers {
                layer.pace *= FADING;
            }
            return false;
        }
        if some_fell {
            for layer in &mut self.layers {
                layer.close_up(bodies);
            }
            if let Some(classes) = &mut self.classes {
                for change in changes {
                    if let Change::Remove(unit) = change {
                        classes[*unit as usize] = NO_CLASS;
                    }
                }
            }
        }
        for class in 0..self.layers.len() {
            let sizes = self.class_limits(class);
            let layer = &mut self.layers[class];
            if !layer.is_empty() && !layer.rewrite(bodies, skin, sizes, self.threads) {
                return false;
            }
        }
        true
    }
}

/// Rows of a layer that follow each other, to be written anew, and what comes of it.
struct Rewritten<'l> {
    rows: &'l mut [Row],
    columns: RowColumns<'l>,
    /// How far the one went that went farthest, along either axis.
    step: f32,
    /// How far from the origin any of them is along y, where they are bodies.
    farthest: f32,
    half_extent: Vec2,
    /// Whether all of them may stay in their cells.
    may_stay: bool,
}

/// Some rows about to be written anew, with whatever kernel there is.
struct Rewriting<'r, 'l, 'b> {
    part: &'r mut Rewritten<'l>,
    bodies: Bodies<'b>,
    /// How far anybody may go.
    most: f32,
    /// Above which half extent a body belongs to the layer, and up to which.
    sizes: (f32, f32),
}

impl Task for Rewriting<'_, '_, '_> {
    #[inline(always)]
    fn run<K: Kernel>(self, _kernel: K) {
        let Self {
            part,
            bodies,
            most,
            sizes,
        } = self;
        if bodies.are_sized() {
            part.write::<true>(bodies, most, sizes);
        } else {
            part.write::<false>(bodies, most, sizes);
        }
    }
}

impl Layer {
    /// Lets go of whoever is not alive any more: the others close up, and stay in their cells.
    fn close_up(&mut self, bodies: Bodies<'_>) {
        let mut free = 0;
        for row in 0..self.listed_rows().len() {
            let begin = free;
            for stretch in self.stretches_of(row) {
                let entries = self.stretches[stretch].entries();
                let mut place = self.starts[entries.start] as usize;
                self.starts[entries.start] = free as u32;
                for entry in entries.start + 1..entries.end {
                    let end = self.starts[entry] as usize;
                    while place < end {
                        self.bodies.copy(place, free);
                        free += usize::from(bodies.is_alive(self.bodies.ids[place]));
                        place += 1;
                    }
                    self.starts[entry] = free as u32;
                }
            }
            let here = &mut self.rows[row];
            (here.first_unit, here.end, here.room) = (begin as u32, free as u32, free as u32);
        }
        let mark = self.rows.len() - 1;
        let last = &mut self.rows[mark];
        (last.first_unit, last.end, last.room) = (free as u32, free as u32, free as u32);
        self.count = free;
        let is_sized = !self.bodies.right.is_empty();
        self.bodies.resize(free, is_sized);
    }

    /// Writes where everybody is now; false where somebody has strayed farther than the skin, or is not of the layer's sizes.
    fn rewrite(
        &mut self,
        bodies: Bodies<'_>,
        skin: f32,
        sizes: (f32, f32),
        threads: usize,
    ) -> bool {
        let count = self.listed_rows().len();
        // How far x goes is known by the cells, and has to be where rows are borrowed by then.
        let columns = self.border(i64::from(self.extent.left)).abs();
        let columns = columns.max(self.border(i64::from(self.extent.right) + 1).abs());
        let shares = shares_for(self.count, threads_for(self.count, threads));
        let ends = (1..=shares).map(|share| self.end_of_share(share, shares));
        let ends: Vec<usize> = ends.collect();
        let places = ends.iter().map(|end| self.rows[*end].first_unit as usize);
        let places: Vec<usize> = places.collect();
        let mut rows = &mut self.rows[..count];
        let mut begin = 0;
        let parts = ends.into_iter().zip(self.bodies.parts(places.into_iter()));
        let mut parts: Vec<Rewritten<'_>> = parts
            .map(|(end, columns)| {
                let (these, others) = std::mem::take(&mut rows).split_at_mut(end - begin);
                (rows, begin) = (others, end);
                Rewritten {
                    rows: these,
                    columns,
                    step: 0.0,
                    farthest: 0.0,
                    half_extent: Vec2::ZERO,
                    may_stay: true,
                }
            })
            .collect();
        let most = skin - self.drift;
        let write = |part: &mut Rewritten<'_>| {
            simd::dispatch(Rewriting {
                part,
                bodies,
                most,
                sizes,
            });
        };
        if let [part] = &mut parts[..] {
            write(part);
        } else {
            each_in_turn(&mut parts, threads, write);
        }
        let (mut step, mut farthest, mut half_extent) = (0.0_f32, columns, Vec2::ZERO);
        let mut may_stay = true;
        for part in &parts {
            step = step.max(part.step);
            farthest = farthest.max(part.farthest);
            half_extent = half_extent.max(part.half_extent);
            may_stay &= part.may_stay;
        }
        self.pace = step;
        if !may_stay {
            return false;
        }
        if bodies.are_sized() {
            self.half_extent = half_extent;
            // The middle of a body follows its borders, but for their rounding.
            step += (farthest + skin + half_extent.max_element()) * ROUNDING;
        }
        self.drift = widened(self.drift + step);
        self.drift <= skin
    }
}

impl Rewritten<'_> {
    #[inline(always)]
    fn write<const SIZED: bool>(&mut self, bodies: Bodies<'_>, most: f32, sizes: (f32, f32)) {
        let first = self.rows.first().map_or(0, |row| row.first_unit);
        for row in 0..self.rows.len() {
            let Row {
                first_unit, end, ..
            } = self.rows[row];
            let places = (first_unit - first) as usize..(end - first) as usize;
            let mut heights = Bounds::NONE;
            for begin in places.clone().step_by(LOT) {
                let lot = begin..places.end.min(begin + LOT);
                let moved = if SIZED {
                    let ids = &self.columns.ids[lot.clone()];
                    for half in ids.iter().map(|unit| bodies.half_extent(*unit)) {
                        self.half_extent = self.half_extent.max(half);
                        let size = half.max_element();
                        self.may_stay &= sizes.0 < size && size <= sizes.1;
                    }
                    if !self.may_stay {
                        return;
                    }
                    self.write_bodies(bodies, lot, &mut heights)
                } else {
                    self.write_points(bodies, lot, &mut heights)
                };
                self.step = self.step.max(moved);
            }
            self.may_stay &= self.step <= most;
            if !self.may_stay {
                return;
            }
            let (low, high) = heights.least_and_greatest();
            if SIZED && low <= high {
                self.farthest = self.farthest.max(low.abs()).max(high.abs());
            }
            (self.rows[row].low, self.rows[row].high) = (low, high);
        }
    }

    /// Writes where the units of some places are, which are points, and says how far the one went that went farthest along an axis.
    #[inline(always)]
    fn write_points(&mut self, bodies: Bodies<'_>, lot: Range<usize>, heights: &mut Bounds) -> f32 {
        let count = lot.len();
        let (mut xs, mut ys) = ([0.0; LOT], [0.0; LOT]);
        let ids = &self.columns.ids[lot.clone()];
        for ((x, y), unit) in xs.iter_mut().zip(&mut ys).zip(ids) {
            let center = bodies.center(*unit);
            (*x, *y) = (center.x, center.y);
        }
        let moved = write(&mut self.columns.left[lot.clone()], &xs[..count]);
        let moved = moved.max(write(&mut self.columns.bottom[lot], &ys[..count]));
        heights.take_run(&ys[..count], &ys[..count]);
        moved
    }

    /// The same of bodies: how far the border went that went farthest.
    #[inline(always)]
    fn write_bodies(&mut self, bodies: Bodies<'_>, lot: Range<usize>, heights: &mut Bounds) -> f32 {
        let mut moved = 0.0_f32;
        for place in lot.clone() {
            let unit: UnitId = self.columns.ids[place];
            let (before, now) = (self.columns.body(place), bodies.aabb(unit));
            let (low, high) = (now.min - before.min, now.max - before.max);
            moved = moved.max(low.abs().max(high.abs()).max_element());
            self.columns
                .set::<true>(place, bodies, bodies.center(unit), unit);
        }
        heights.take_run(&self.columns.bottom[lot.clone()], &self.columns.top[lot]);
        moved
    }
}

/// Writes numbers into a column, and says by how much the one changed that changed most.
#[inline(always)]
fn write(column: &mut [f32], numbers: &[f32]) -> f32 {
    let mut most = [0.0_f32; LANES];
    let (columns, rest) = column.as_chunks_mut::<LANES>();
    let (chunks, last) = numbers.as_chunks::<LANES>();
    for (column, chunk) in columns.iter_mut().zip(chunks) {
        for lane in 0..LANES {
            let step = (chunk[lane] - column[lane]).abs();
            // An instruction, where the maximum of the standard library is several.
            most[lane] = if step > most[lane] { step } else { most[lane] };
            column[lane] = chunk[lane];
        }
    }
    for (place, number) in rest.iter_mut().zip(last) {
        most[0] = most[0].max((number - *place).abs());
        *place = *number;
    }
    most.into_iter().fold(0.0, f32::max)
}
