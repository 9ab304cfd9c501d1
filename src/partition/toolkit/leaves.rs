//! The units of a tree, leaf by leaf, where each leaf has room of its own.

use super::column::Column;
use super::halves::coordinate_of;
use super::simd::{self, Kernel, PADDING};
use super::threads::front_mut;
use crate::geometry::{Aabb, Vec2};
use crate::partition::{Bodies, UnitId};

/// No leaf of a tree of cuts is set to hold more units than this.
pub const LEAF_LIMIT: usize = 64;

/// The units of all leaves: each leaf has its own short columns side by side, so that one look at it touches as few cache
/// lines as can be.
#[derive(Clone, Debug, Default)]
pub struct Leaves {
    /// A leaf's columns are so long: a power of two, and no less than what a kernel takes at once.
    stride: usize,
    /// Of each leaf the left borders, the bottoms and, where units have sizes, the right borders and the tops.
    borders: Column<f32>,
    /// Who is in each slot.
    ids: Column<UnitId>,
    /// How many slots of each leaf are in use, from the first on.
    pub fills: Vec<u8>,
    /// Whether units have sizes.
    pub are_sized: bool,
}

impl Leaves {
    /// Forgets everything and makes leaves hold up to `leaf_size` units. What is in the columns stays until it is written over, so that
    /// they need not be cleared where there are as many leaves again.
    pub fn suit(&mut self, leaf_size: u32, are_sized: bool) {
        // So that the leaf of a slot is found without a division.
        self.stride = (leaf_size as usize).next_power_of_two().max(PADDING);
        self.are_sized = are_sized;
        self.fills.clear();
        // Leaves that came one by one may have moved the columns.
        self.borders.find_first();
        self.ids.find_first();
    }

    /// Forgets everything and makes it `count` leaves of up to `leaf_size` units, with nobody in them.
    pub fn reset(&mut self, count: usize, leaf_size: u32, are_sized: bool) {
        self.suit(leaf_size, are_sized);
        self.borders.align(count * self.width());
        self.ids.align(count * self.stride);
        self.fills.resize(count, 0);
    }

    /// Makes it `count` leaves and keeps those that there are.
    pub fn resize(&mut self, count: usize) {
        self.borders.resize(count * self.width());
        self.ids.resize(count * self.stride);
        self.fills.resize(count, 0);
    }

    /// How many borders a leaf has.
    #[inline(always)]
    fn width(&self) -> usize {
        self.stride * if self.are_sized { 4 } else { 2 }
    }

    /// For how many leaves there is room.
    pub fn capacity(&self) -> usize {
        let borders = self.borders.capacity() / self.width();
        borders
            .min(self.ids.capacity() / self.stride)
            .min(self.fills.capacity())
    }

    /// Makes room for so many leaves.
    pub fn reserve(&mut self, count: usize) {
        self.borders.reserve_exact(count * self.width());
        self.ids.reserve_exact(count * self.stride);
        self.fills
            .reserve_exact(count.saturating_sub(self.fills.len()));
    }

    /// How many units are in a leaf.
    #[inline(always)]
    pub fn fill(&self, leaf: usize) -> usize {
        usize::from(self.fills[leaf])
    }

    /// The slot at a place of a leaf.
    #[inline(always)]
    pub fn slot(&self, leaf: usize, place: usize) -> u32 {
        (leaf * self.stride + place) as u32
    }

    /// The leaf of a slot and the place in it.
    #[inline(always)]
    pub fn of_slot(&self, slot: u32) -> (usize, usize) {
        let slot = slot as usize;
        let shift = self.stride.trailing_zeros();
        (slot >> shift, slot & (self.stride - 1))
    }

    /// The columns of a leaf.
    #[inline(always)]
    pub fn columns<const SIZED: bool>(&self, leaf: usize) -> simd::Bodies<'_> {
        columns::<SIZED>(self.stride, self.borders.all(), self.ids.all(), leaf)
    }

    /// Asks for what is in leaves that are to be read soon, not for the room behind it: of what comes from memory each line costs.
    /// Some may be none. Not to be inlined: where leaves are few, this would be in the way.
    #[inline(never)]
    pub fn fetch<K: Kernel>(&self, kernel: K, leaves: impl Iterator<Item = usize>) {
        let (width, stride) = (self.width(), self.stride);
        for leaf in leaves {
            let Some(fill) = self.fills.get(leaf) else {
                continue;
            };
            let fill = usize::from(*fill);
            for first in (leaf * width..(leaf + 1) * width).step_by(stride) {
                self.borders.fetch(kernel, first..first + fill);
            }
            let first = leaf * stride;
            self.ids.fetch(kernel, first..first + fill);
        }
    }

    /// Whether they are worth to be asked for.
    #[inline(always)]
    pub fn are_far(&self) -> bool {
        self.borders.are_far()
    }

    /// Who is in a leaf.
    #[inline(always)]
    pub fn ids(&self, leaf: usize) -> &[UnitId] {
        &self.ids.all()[leaf * self.stride..][..self.fill(leaf)]
    }

    /// The box at a place of a leaf.
    #[inline]
    pub fn body(&self, leaf: usize, place: usize) -> Aabb {
        let borders = &self.borders.all()[leaf * self.width() + place..];
        let min = Vec2::new(borders[0], borders[self.stride]);
        let max = if self.are_sized {
            Vec2::new(borders[2 * self.stride], borders[3 * self.stride])
        } else {
            min
        };
        Aabb::new(min, max)
    }

    #[inline]
    pub fn set_body(&mut self, leaf: usize, place: usize, body: Aabb) {
        let (stride, first) = (self.stride, leaf * self.width() + place);
        let borders = &mut self.borders.all_mut()[first..];
        (borders[0], borders[stride]) = (body.min.x, body.min.y);
        if self.are_sized {
            (borders[2 * stride], borders[3 * stride]) = (body.max.x, body.max.y);
        }
    }

    /// Puts a unit in a place of a leaf, whether somebody is there or not.
    #[inline]
    pub fn set(&mut self, leaf: usize, place: usize, unit: UnitId, body: Aabb) {
        self.ids.all_mut()[leaf * self.stride + place] = unit;
        self.set_body(leaf, place, body);
    }

    /// All leaves, to be written.
    #[inline(always)]
    pub fn part(&mut self) -> Part<'_> {
        Part {
            first: 0,
            stride: self.stride,
            are_sized: self.are_sized,
            borders: self.borders.all_mut(),
            ids: self.ids.all_mut(),
            fills: &mut self.fills,
        }
    }

    /// The box around everybody of a leaf.
    #[inline(always)]
    pub fn bounds<K: Kernel>(&self, kernel: K, leaf: usize) -> Aabb {
        let run = 0..self.fill(leaf);
        if self.are_sized {
            kernel.enclose::<true>(self.columns::<true>(leaf), run)
        } else {
            kernel.enclose::<false>(self.columns::<false>(leaf), run)
        }
    }

    pub fn byte_count(&self) -> usize {
        self.borders.byte_count() + self.ids.byte_count() + self.fills.capacity()
    }
}

/// The columns of a leaf.
#[inline(always)]
fn columns<'l, const SIZED: bool>(
    stride: usize,
    borders: &'l [f32],
    ids: &'l [UnitId],
    leaf: usize,
) -> simd::Bodies<'l> {
    let ids = &ids[leaf * stride..(leaf + 1) * stride];
    if SIZED {
        let borders = &borders[leaf * stride * 4..][..stride * 4];
        let (low, high) = borders.split_at(stride * 2);
        let ((left, bottom), (right, top)) = (low.split_at(stride), high.split_at(stride));
        simd::Bodies::new(left, bottom, right, top, ids)
    } else {
        let borders = &borders[leaf * stride * 2..][..stride * 2];
        let (left, bottom) = borders.split_at(stride);
        simd::Bodies::new(left, bottom, &[], &[], ids)
    }
}

/// Leaves that follow each other, to be written by whoever has them: each of several threads has its own.
#[derive(Debug)]
pub struct Part<'l> {
    /// The number of the first of them; what is done to a leaf here is told its number from that one on.
    first: usize,
    stride: usize,
    are_sized: bool,
    borders: &'l mut [f32],
    ids: &'l mut [UnitId],
    fills: &'l mut [u8],
}

impl Part<'_> {
    /// Takes the first `count` leaves, or all that there are.
    pub fn split_off(&mut self, count: usize) -> Self {
        let count = count.min(self.fills.len());
        let first = self.first;
        self.first += count;
        let width = self.stride * if self.are_sized { 4 } else { 2 };
        Self {
            first,
            stride: self.stride,
            are_sized: self.are_sized,
            borders: front_mut(&mut self.borders, count * width),
            ids: front_mut(&mut self.ids, count * self.stride),
            fills: front_mut(&mut self.fills, count),
        }
    }

    /// How many leaves there are.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.fills.len()
    }

    /// For how many units a leaf has room.
    pub fn room(&self) -> usize {
        self.stride
    }

    /// The number of the first leaf among all of the tree.
    #[inline(always)]
    pub fn first(&self) -> usize {
        self.first
    }

    /// Makes these the units of a leaf, whose borders are to be written.
    #[inline(always)]
    pub fn fill_with(&mut self, leaf: usize, units: impl ExactSizeIterator<Item = UnitId>) {
        self.fills[leaf] = units.len() as u8;
        for (slot, unit) in self.ids[leaf * self.stride..].iter_mut().zip(units) {
            *slot = unit;
        }
    }

    /// Writes where everybody of a leaf is.
    #[inline(always)]
    pub fn write<const SIZED: bool>(&mut self, bodies: Bodies<'_>, leaf: usize) {
        let (stride, fill) = (self.stride, usize::from(self.fills[leaf]));
        let ids = &self.ids[leaf * stride..][..fill];
        if SIZED {
            let borders = &mut self.borders[leaf * stride * 4..][..stride * 4];
            let (low, high) = borders.split_at_mut(stride * 2);
            let (left, bottom) = low.split_at_mut(stride);
            let (right, top) = high.split_at_mut(stride);
            let low = left.iter_mut().zip(bottom);
            let high = right.iter_mut().zip(top);
            for ((&unit, (left, bottom)), (right, top)) in ids.iter().zip(low).zip(high) {
                let body = bodies.aabb(unit);
                (*left, *bottom) = (body.min.x, body.min.y);
                (*right, *top) = (body.max.x, body.max.y);
            }
        } else {
            let borders = &mut self.borders[leaf * stride * 2..][..stride * 2];
            let (left, bottom) = borders.split_at_mut(stride);
            for ((&unit, left), bottom) in ids.iter().zip(left).zip(bottom) {
                let center = bodies.center(unit);
                (*left, *bottom) = (center.x, center.y);
            }
        }
    }

    /// Writes where everybody of a leaf is, who are points with these keys.
    #[inline(always)]
    pub fn write_points(&mut self, leaf: usize, keys: [&[i32]; 2]) {
        let (left, bottom) = self.borders[leaf * self.stride * 2..].split_at_mut(self.stride);
        for (column, keys) in [left, bottom].into_iter().zip(keys) {
            for (coordinate, key) in column.iter_mut().zip(keys) {
                *coordinate = coordinate_of(*key);
            }
        }
    }

    /// The box around everybody of a leaf.
    #[inline(always)]
    pub fn bounds<const SIZED: bool, K: Kernel>(&self, kernel: K, leaf: usize) -> Aabb {
        let run = 0..usize::from(self.fills[leaf]);
        let columns = columns::<SIZED>(self.stride, self.borders, self.ids, leaf);
        kernel.enclose::<SIZED>(columns, run)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_room_for_as_many_leaves_as_the_shortest_column_has() {
        let mut leaves = Leaves::default();
        leaves.reset(100, 16, false);
        leaves.reserve(100);
        let points = leaves.capacity();
        assert!((100..200).contains(&points), "{points}");
        // Bodies have twice as many borders.
        leaves.reset(10, 16, true);
        let bodies = leaves.capacity();
        assert!(bodies >= 10 && bodies <= points / 2 + 1, "{bodies}");
        leaves.reserve(100);
        assert!(leaves.capacity() >= 100);
    }
}
