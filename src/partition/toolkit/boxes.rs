//! Sixteen boxes side by side, and who of a crowd is near one.

use super::simd::{self, Kernel, PADDING};
use crate::geometry::{Aabb, Vec2};
use crate::partition::{Pair, UnitId};

/// So many children has a node.
pub const WIDTH: usize = 16;

/// The numbers of a node's children, by which a kernel names those that it finds.
static CHILDREN: [UnitId; WIDTH] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];

/// The boxes of the children of one node, in columns. Where there is no child, or nobody below it, the box is
/// [`Aabb::EMPTY`].
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub struct Boxes {
    left: [f32; WIDTH],
    bottom: [f32; WIDTH],
    right: [f32; WIDTH],
    top: [f32; WIDTH],
}

impl Boxes {
    /// No child at all.
    pub const EMPTY: Self = Self {
        left: [f32::INFINITY; WIDTH],
        bottom: [f32::INFINITY; WIDTH],
        right: [f32::NEG_INFINITY; WIDTH],
        top: [f32::NEG_INFINITY; WIDTH],
    };

    /// The boxes as bodies, named by [`CHILDREN`].
    #[inline(always)]
    pub fn for_kernel(&self) -> simd::Bodies<'_> {
        simd::Bodies::new(&self.left, &self.bottom, &self.right, &self.top, &CHILDREN)
    }

    /// The boxes as bodies with names of one's own.
    #[inline(always)]
    pub fn named<'a>(&'a self, names: &'a [UnitId; WIDTH]) -> simd::Bodies<'a> {
        simd::Bodies::new(&self.left, &self.bottom, &self.right, &self.top, names)
    }

    #[inline(always)]
    pub fn get(&self, child: usize) -> Aabb {
        Aabb::new(
            Vec2::new(self.left[child], self.bottom[child]),
            Vec2::new(self.right[child], self.top[child]),
        )
    }

    #[inline(always)]
    pub fn set(&mut self, child: usize, bounds: Aabb) {
        (self.left[child], self.bottom[child]) = (bounds.min.x, bounds.min.y);
        (self.right[child], self.top[child]) = (bounds.max.x, bounds.max.y);
    }

    /// The box around all of them.
    #[inline(always)]
    pub fn bounds<K: Kernel>(&self, kernel: K) -> Aabb {
        kernel.enclose::<true>(self.for_kernel(), 0..WIDTH)
    }
}

/// The children of a node that are near an area.
pub struct Near([Pair; WIDTH + PADDING]);

impl Near {
    /// Nobody yet.
    pub const NOBODY: Self = Self([(0, 0); WIDTH + PADDING]);

    /// Finds them, and says how many.
    #[inline(always)]
    pub fn find<K: Kernel>(
        &mut self,
        kernel: K,
        boxes: simd::Bodies<'_>,
        area: Aabb,
        reach_sq: f32,
    ) -> usize {
        // Paired with the child whose number is least, each is the greater one of its pair.
        kernel.pack::<true>(&mut self.0, 0, area, reach_sq, boxes, 0..WIDTH)
    }

    /// The number of the one at a place.
    #[inline(always)]
    pub fn child(&self, place: usize) -> usize {
        self.0[place].1 as usize
    }
}
