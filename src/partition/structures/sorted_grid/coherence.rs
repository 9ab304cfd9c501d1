//! Mass movement: what a step can keep of the step before.
//!
//! Where nearly everybody moves, and nobody moves far, yesterday's order is nearly today's. It is used in two ways. With a
//! [skin](SortedGrid), the cells are left as they are for some steps: only where everybody is is written anew, and how far anybody
//! may have strayed by then is added to what every query looks at. And where a crowd is too large for a cache, a sort takes the units in
//! the order of the last one, so that what it writes side by side belongs side by side.
//!
//! Invariant: what a layer says of its [drift](Layer::drift) is never less than how far anybody has strayed along either axis.

use super::columns::{Bounds, LANES};
use super::layer::Layer;
use super::{NO_CLASS, SortedGrid};
use crate::geometry::{Aabb, Vec2};
use crate::partition::toolkit::rounding::{ROUNDING, widened};
use crate::partition::toolkit::simd::{self, Kernel, Task};
use crate::partition::{Bodies, Change, Course, UnitId};
use crate::probe::{Event, Probe, Work};
use std::ops::Range;

/// So many units are written in one loop.
const LOT: usize = 64;

/// After a step that went too far for the skin, so much of its length is still expected of the next one: a crowd that has slowed
/// down is noticed a few steps later.
const FADING: f32 = 0.75;

/// In a smaller crowd the sort is as quick in the order of ids: everything is in the cache of a processor.
const CACHED: usize = 1 << 17;

impl SortedGrid {
    /// Makes a mass of changes at once, unless it is quickest to build as for the first time.
    pub(super) fn follow<P: Probe>(
        &mut self,
        bodies: Bodies<'_>,
        changes: &[Change],
        probe: &mut P,
    ) -> Course {
        let is_known = |change: &Change| !matches!(change, Change::Add(_));
        let is_worth_it = self.skin > 0.0 || self.len() > CACHED;
        if !is_worth_it || bodies.slot_count() != self.slots || !changes.iter().all(is_known) {
            return Course::Rebuild;
        }
        if self.stays_filed(bodies, changes) {
            if P::HEARS {
                for change in changes {
                    probe.on(Event::Work(match change {
                        Change::Remove(_) => Work::Remove,
                        _ => Work::MoveInPlace,
                    }));
                }
            }
            return Course::Done;
        }
        if self.len() <= CACHED {
            return Course::Rebuild;
        }
        probe.on(Event::Work(Work::Rebuild));
        self.remember(bodies);
        self.build(bodies, true);
        Course::Done
    }

    /// Writes down who is alive, in the order of the cells in which they are filed.
    fn remember(&mut self, bodies: Bodies<'_>) {
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
    fn stays_filed(&mut self, bodies: Bodies<'_>, changes: &[Change]) -> bool {
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
        if changes.iter().any(|it| matches!(it, Change::Remove(_))) {
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
            // The first class holds whoever is smaller than its cells, the last whoever is larger than all.
            let sizes = self.class_limits(class);
            let layer = &mut self.layers[class];
            let mut is_done = false;
            simd::dispatch(Rewriting {
                layer,
                bodies,
                skin,
                sizes,
                is_done: &mut is_done,
            });
            if !is_done {
                return false;
            }
        }
        true
    }
}

/// A layer about to be written anew, with whatever kernel there is.
struct Rewriting<'l, 'b> {
    layer: &'l mut Layer,
    bodies: Bodies<'b>,
    skin: f32,
    /// Above which half extent a body belongs to the layer, and up to which.
    sizes: (f32, f32),
    is_done: &'l mut bool,
}

impl Task for Rewriting<'_, '_> {
    #[inline(always)]
    fn run<K: Kernel>(self, _kernel: K) {
        let Self {
            layer,
            bodies,
            skin,
            sizes,
            is_done,
        } = self;
        *is_done = if bodies.are_sized() {
            layer.rewrite::<true>(bodies, skin, sizes)
        } else {
            layer.rewrite::<false>(bodies, skin, sizes)
        };
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
    #[inline(always)]
    fn rewrite<const SIZED: bool>(
        &mut self,
        bodies: Bodies<'_>,
        skin: f32,
        sizes: (f32, f32),
    ) -> bool {
        let (mut step, mut farthest) = (0.0_f32, 0.0_f32);
        let mut half_extent = Vec2::ZERO;
        for row in 0..self.listed_rows().len() {
            let places = self.units_of(row);
            let mut heights = Bounds::NONE;
            for begin in places.clone().step_by(LOT) {
                let lot = begin..places.end.min(begin + LOT);
                let moved = if SIZED {
                    let ids = &self.bodies.ids[lot.clone()];
                    for half in ids.iter().map(|unit| bodies.half_extent(*unit)) {
                        half_extent = half_extent.max(half);
                        let size = half.max_element();
                        if !(sizes.0 < size && size <= sizes.1) {
                            return false;
                        }
                    }
                    self.rewrite_bodies(bodies, lot, &mut heights)
                } else {
                    self.rewrite_points(bodies, lot, &mut heights)
                };
                step = step.max(moved);
            }
            let (low, high) = heights.least_and_greatest();
            if SIZED && low <= high {
                farthest = farthest.max(low.abs()).max(high.abs());
            }
            if self.drift + step > skin {
                self.pace = step;
                return false;
            }
            (self.rows[row].low, self.rows[row].high) = (low, high);
        }
        if SIZED {
            self.half_extent = half_extent;
            // The middle of a body follows its borders, but for their rounding.
            let columns = self.border(i64::from(self.extent.left)).abs();
            let columns = columns.max(self.border(i64::from(self.extent.right) + 1).abs());
            step += (farthest.max(columns) + skin + half_extent.max_element()) * ROUNDING;
        }
        self.pace = step;
        self.drift = widened(self.drift + step);
        self.drift <= skin
    }

    /// Writes where the units of some places are, which are points, and says how far the one went that went farthest along an axis.
    #[inline(always)]
    fn rewrite_points(
        &mut self,
        bodies: Bodies<'_>,
        lot: Range<usize>,
        heights: &mut Bounds,
    ) -> f32 {
        let count = lot.len();
        let (mut xs, mut ys) = ([0.0; LOT], [0.0; LOT]);
        let ids = &self.bodies.ids[lot.clone()];
        for ((x, y), unit) in xs.iter_mut().zip(&mut ys).zip(ids) {
            let center = bodies.center(*unit);
            (*x, *y) = (center.x, center.y);
        }
        let left = &mut self.bodies.left[lot.clone()];
        let moved = write(left, &xs[..count]);
        let bottom = &mut self.bodies.bottom[lot];
        let moved = moved.max(write(bottom, &ys[..count]));
        heights.take_run(&ys[..count], &ys[..count]);
        moved
    }

    /// The same of bodies: how far the border went that went farthest.
    #[inline(always)]
    fn rewrite_bodies(
        &mut self,
        bodies: Bodies<'_>,
        lot: Range<usize>,
        heights: &mut Bounds,
    ) -> f32 {
        let mut moved = 0.0_f32;
        for place in lot.clone() {
            let unit: UnitId = self.bodies.ids[place];
            let (before, now) = (self.body::<true>(place), bodies.aabb(unit));
            let step = Aabb::new(now.min - before.min, now.max - before.max);
            moved = moved.max(step.min.abs().max(step.max.abs()).max_element());
            self.bodies
                .set::<true>(place, bodies, bodies.center(unit), unit);
        }
        heights.take_run(&self.bodies.bottom[lot.clone()], &self.bodies.top[lot]);
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
