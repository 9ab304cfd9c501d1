//! The units, bucket by bucket.

use super::{ABSENT, MAX_BUCKET, NO_BUCKET, NO_NODE, NO_SHELF};
use crate::geometry::{Aabb, Vec2};
use crate::partition::UnitId;
use crate::partition::toolkit::column::Column;
use crate::partition::toolkit::simd::{self, Kernel, PADDING, Task};

/// Bits of a place that tell where in its bucket a unit is.
const PLACE_BITS: u32 = MAX_BUCKET.ilog2();

/// The leaves of the tree: each has its own short columns side by side, so that one look at it touches as few cache lines as
/// can be, and a kernel takes eight of its units at once.
///
/// No column holds -0, so that equal boxes are equal bit for bit and a union does not depend on the order of its parts.
#[derive(Clone, Debug)]
pub(super) struct Buckets {
    /// A bucket's columns are so long: a whole number of times what a kernel takes at once.
    stride: usize,
    /// Of each bucket the left borders, the bottoms and, where units have sizes, the right borders and the tops.
    borders: Column<f32>,
    /// Who is in each slot.
    ids: Column<UnitId>,
    heads: Vec<Head>,
    /// The first free bucket, [`NO_BUCKET`] for none.
    pub free: u32,
    /// Whether units have sizes.
    pub are_sized: bool,
}

/// What a move needs of a bucket besides its units. Its box is in the node above it.
#[derive(Clone, Copy, Debug)]
struct Head {
    /// The node above it, [`NO_NODE`] for the root, [`ABSENT`] for a free bucket.
    parent: u32,
    /// How many slots are in use, from the first on; of a free bucket, the next free one.
    fill: u32,
    /// Where its box is on a shelf; [`NO_SHELF`] for the root and a free bucket.
    shelf_place: u32,
}

impl Head {
    /// An empty bucket that hangs nowhere.
    const NEW: Self = Self {
        parent: NO_NODE,
        fill: 0,
        shelf_place: NO_SHELF,
    };
}

/// The number of a place in a bucket, which is kept for each unit.
#[inline(always)]
pub(super) const fn place(bucket: u32, at: usize) -> u32 {
    bucket << PLACE_BITS | at as u32
}

/// The bucket of a place and where in it that is.
#[inline(always)]
pub(super) const fn of_place(place: u32) -> (u32, usize) {
    (
        place >> PLACE_BITS,
        (place & ((1 << PLACE_BITS) - 1)) as usize,
    )
}

impl Buckets {
    /// No buckets.
    pub const fn new() -> Self {
        Self {
            stride: PADDING,
            borders: Column::new(),
            ids: Column::new(),
            heads: Vec::new(),
            free: NO_BUCKET,
            are_sized: false,
        }
    }

    /// Forgets everything; from now on buckets have room for `room` units.
    pub fn reset(&mut self, room: u32, are_sized: bool) {
        self.stride = (room as usize).next_multiple_of(PADDING);
        self.are_sized = are_sized;
        self.borders.align(0);
        self.ids.align(0);
        self.heads.clear();
        self.free = NO_BUCKET;
    }

    /// Asks for memory for so many buckets in all.
    pub fn reserve(&mut self, count: usize) {
        let more = count.saturating_sub(self.heads.len());
        self.heads.reserve(more);
        self.ids.reserve(count * self.stride);
        self.borders.reserve(count * self.width());
    }

    /// How many buckets there are, in use and free.
    pub fn len(&self) -> usize {
        self.heads.len()
    }

    /// An empty bucket: a free one, or a new one. Its parent is to be set.
    pub fn take(&mut self) -> u32 {
        if let Some(head) = self.heads.get_mut(self.free as usize) {
            let bucket = std::mem::replace(&mut self.free, head.fill);
            *head = Head::NEW;
            return bucket;
        }
        self.heads.push(Head::NEW);
        let count = self.heads.len();
        self.ids.resize(count * self.stride);
        self.borders.resize(count * self.width());
        count as u32 - 1
    }

    /// Puts a bucket on the free list.
    pub fn give_back(&mut self, bucket: u32) {
        self.heads[bucket as usize] = Head {
            parent: ABSENT,
            fill: std::mem::replace(&mut self.free, bucket),
            shelf_place: NO_SHELF,
        };
    }

    /// The buckets on the free list, as far as it is one: at most as many as there are.
    pub fn free_list(&self) -> impl Iterator<Item = u32> {
        let mut next = self.free;
        std::iter::from_fn(move || {
            let head = self.heads.get(next as usize)?;
            Some(std::mem::replace(&mut next, head.fill))
        })
        .take(self.heads.len() + 1)
    }

    #[inline(always)]
    pub fn is_free(&self, bucket: u32) -> bool {
        self.heads[bucket as usize].parent == ABSENT
    }

    #[inline(always)]
    pub fn parent(&self, bucket: u32) -> u32 {
        self.heads[bucket as usize].parent
    }

    #[inline(always)]
    pub fn set_parent(&mut self, bucket: u32, parent: u32) {
        self.heads[bucket as usize].parent = parent;
    }

    /// Where the box of a bucket is on a shelf.
    #[inline(always)]
    pub fn shelf_place(&self, bucket: u32) -> u32 {
        self.heads[bucket as usize].shelf_place
    }

    pub fn set_shelf_place(&mut self, bucket: u32, place: u32) {
        self.heads[bucket as usize].shelf_place = place;
    }

    /// How many units are in a bucket.
    #[inline(always)]
    pub fn fill(&self, bucket: u32) -> usize {
        self.heads[bucket as usize].fill as usize
    }

    #[inline(always)]
    pub fn set_fill(&mut self, bucket: u32, fill: usize) {
        self.heads[bucket as usize].fill = fill as u32;
    }

    /// How many borders a bucket has.
    #[inline(always)]
    fn width(&self) -> usize {
        self.stride * if self.are_sized { 4 } else { 2 }
    }

    /// The columns of a bucket.
    #[inline(always)]
    pub fn columns<const SIZED: bool>(&self, bucket: u32) -> simd::Bodies<'_> {
        let (stride, bucket) = (self.stride, bucket as usize);
        let ids = &self.ids.all()[bucket * stride..][..stride];
        if SIZED {
            let borders = &self.borders.all()[bucket * stride * 4..][..stride * 4];
            let (low, high) = borders.split_at(stride * 2);
            let ((left, bottom), (right, top)) = (low.split_at(stride), high.split_at(stride));
            simd::Bodies::new(left, bottom, right, top, ids)
        } else {
            let borders = &self.borders.all()[bucket * stride * 2..][..stride * 2];
            let (left, bottom) = borders.split_at(stride);
            simd::Bodies::new(left, bottom, &[], &[], ids)
        }
    }

    /// Whether they are worth to be asked for.
    #[inline(always)]
    pub fn are_far(&self) -> bool {
        self.borders.are_far()
    }

    /// Asks for buckets that are to be read soon. Some may be none. Not to be inlined: where they are few, this would be in the way.
    #[inline(never)]
    pub fn fetch<K: Kernel>(&self, kernel: K, buckets: impl Iterator<Item = u32>) {
        let (width, stride) = (self.width(), self.stride);
        for bucket in buckets {
            let bucket = bucket as usize;
            if let Some(head) = self.heads.get(bucket..=bucket) {
                kernel.fetch(head);
                self.borders
                    .fetch(kernel, bucket * width..(bucket + 1) * width);
                self.ids
                    .fetch(kernel, bucket * stride..(bucket + 1) * stride);
            }
        }
    }

    /// Who is in a bucket.
    #[inline(always)]
    pub fn ids(&self, bucket: u32) -> &[UnitId] {
        &self.ids.all()[bucket as usize * self.stride..][..self.fill(bucket)]
    }

    /// The box at a place of a bucket.
    #[inline(always)]
    pub fn body(&self, bucket: u32, at: usize) -> Aabb {
        let borders = &self.borders.all()[bucket as usize * self.width()..][..self.width()];
        let min = Vec2::new(borders[at], borders[self.stride + at]);
        let max = if self.are_sized {
            Vec2::new(borders[2 * self.stride + at], borders[3 * self.stride + at])
        } else {
            min
        };
        Aabb::new(min, max)
    }

    #[inline(always)]
    pub fn set_body(&mut self, bucket: u32, at: usize, body: Aabb) {
        let (stride, width) = (self.stride, self.width());
        let borders = &mut self.borders.all_mut()[bucket as usize * width..][..width];
        (borders[at], borders[stride + at]) = (body.min.x, body.min.y);
        if self.are_sized {
            (borders[2 * stride + at], borders[3 * stride + at]) = (body.max.x, body.max.y);
        }
    }

    /// Puts a unit in a place of a bucket, whether somebody is there or not.
    #[inline(always)]
    pub fn set(&mut self, bucket: u32, at: usize, unit: UnitId, body: Aabb) {
        self.ids.all_mut()[bucket as usize * self.stride + at] = unit;
        self.set_body(bucket, at, body);
    }

    /// The box around everybody in a bucket; [`Aabb::EMPTY`] where nobody is.
    #[inline(always)]
    pub fn bounds<K: Kernel>(&self, kernel: K, bucket: u32) -> Aabb {
        let run = 0..self.fill(bucket);
        if self.are_sized {
            kernel.enclose::<true>(self.columns::<true>(bucket), run)
        } else {
            kernel.enclose::<false>(self.columns::<false>(bucket), run)
        }
    }

    /// [`Buckets::bounds`] where no kernel is at hand.
    pub fn enclosed(&self, bucket: u32) -> Aabb {
        let mut found = Aabb::EMPTY;
        simd::dispatch(Enclosure {
            buckets: self,
            bucket,
            found: &mut found,
        });
        found
    }

    /// The bytes on the heap.
    pub fn byte_count(&self) -> usize {
        self.borders.byte_count()
            + self.ids.byte_count()
            + self.heads.capacity() * size_of::<Head>()
    }
}

/// The box around a bucket about to be computed, with whatever kernel there is.
struct Enclosure<'b, 'f> {
    buckets: &'b Buckets,
    bucket: u32,
    found: &'f mut Aabb,
}

impl Task for Enclosure<'_, '_> {
    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) {
        *self.found = self.buckets.bounds(kernel, self.bucket);
    }
}
