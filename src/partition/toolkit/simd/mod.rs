//! The kernels in three forms: plain, with 8 lanes where the processor has AVX2, and with twice 4 lanes on 64-bit ARM, which always
//! has NEON. The only `unsafe` of the core.
//!
//! One body, rectangle or disc, or eight bodies abreast, are tested with a run of bodies that lie in columns. Hits are packed by a
//! permutation from a table, so there is no branch on hit or miss: whether two units are in reach is a coin toss, and mispredicted
//! tosses are what pairs cost, and rectangles no less.
//!
//! Invariant: all forms do the same operations in the same precision (no fused multiply-add), so they find the same hits
//! to the last bit. A test compares the best one that the processor has with the plain one. The one for NEON has been tried under an
//! emulator alone: that it finds the same is known, and how quick it is on a real processor is not.

use crate::geometry::{Aabb, Vec2};
use crate::geometry3::Aabb3;
use crate::partition::{Pair, UnitId};
use std::mem::offset_of;
use std::ops::Range;

// Bytes of a register are moved as they lie where the lowest comes first.
#[cfg(all(
    target_arch = "aarch64",
    target_feature = "neon",
    target_endian = "little",
    not(skirmish_plain)
))]
mod neon;
mod plain;
#[cfg(test)]
mod tests;
#[cfg(all(target_arch = "x86_64", not(skirmish_plain)))]
mod wide;

pub use plain::Plain;

/// So many values behind the last may be read: columns are that much longer than what is in them, or what is read of them is
/// a whole number of times that long.
pub const PADDING: usize = 8;

// Pairs are written as they lie in memory.
const _: () = assert!(
    size_of::<Pair>() == 8 && offset_of!(Pair, 0) == 0 && offset_of!(Pair, 1) == 4,
    "a pair is two numbers, the first one first"
);

/// Whether a run can be read [`PADDING`] at a time from columns of this length.
#[allow(dead_code, reason = "the plain kernel reads no more than is asked for")]
#[inline(always)]
fn fits(run: &Range<usize>, length: usize) -> bool {
    // No sum overflows: slices are not that long.
    run.start <= length && run.len().next_multiple_of(PADDING) <= length - run.start
}

/// So many bytes come from memory at once.
pub const LINE: usize = 64;

/// Whether so many bytes are more than the near caches hold: if not, to [ask](Kernel::fetch) for some of them costs more than to wait.
#[inline(always)]
pub const fn are_far(bytes: usize) -> bool {
    bytes > 4 << 20
}

/// So many least numbers are kept at once.
pub const LEAST: usize = 8;

/// Of so many numbers the least are found exactly, whatever lanes they are in: two a lane.
pub const FEW: usize = 2 * PADDING;

/// So many siblings are looked at at once.
pub const FOUR: usize = 4;

/// So many limits are counted by at once.
pub const LIMITS: usize = 4;

/// So many ways, at most, units are dealt out at a time.
pub const WAYS: usize = 64;

/// Units in columns, with two keys each, which are in the order of the coordinates of their middles.
///
/// Invariant: the columns are all as long.
#[derive(Clone, Copy)]
pub struct Keyed<'a> {
    keys: [&'a [i32]; 2],
    ids: &'a [UnitId],
}

impl<'a> Keyed<'a> {
    /// Units in these columns.
    #[inline(always)]
    pub fn new(keys: [&'a [i32]; 2], ids: &'a [UnitId]) -> Self {
        let length = ids.len();
        let are_as_long = (keys[0].len() == length) & (keys[1].len() == length);
        assert!(are_as_long, "columns of one length");
        Self { keys, ids }
    }

    /// The keys along an axis.
    #[inline(always)]
    pub fn keys(&self, axis: usize) -> &'a [i32] {
        self.keys[axis]
    }
}

/// Where units with keys are written to.
///
/// Invariant: the columns are all as long.
pub struct KeyedMut<'a> {
    keys: [&'a mut [i32]; 2],
    ids: &'a mut [UnitId],
}

impl<'a> KeyedMut<'a> {
    /// Room in these columns.
    #[inline(always)]
    pub fn new(keys: [&'a mut [i32]; 2], ids: &'a mut [UnitId]) -> Self {
        let length = ids.len();
        let are_as_long = (keys[0].len() == length) & (keys[1].len() == length);
        assert!(are_as_long, "columns of one length");
        Self { keys, ids }
    }

    /// Writes those of a `run` whose key along `axis` is less than `at`, and the first so many whose key is the same, from the first
    /// of two `places` on, and the others from the second on, all in their order.
    pub fn deal(
        self,
        from: Keyed<'_>,
        run: Range<usize>,
        axis: usize,
        at: i32,
        mut first: usize,
        mut places: [usize; 2],
    ) {
        for place in run {
            let key = from.keys[axis][place];
            let is_first = (key < at) | ((key == at) & (first > 0));
            first -= usize::from(is_first & (key == at));
            let to = &mut places[usize::from(!is_first)];
            self.keys[0][*to] = from.keys[0][place];
            self.keys[1][*to] = from.keys[1][place];
            self.ids[*to] = from.ids[place];
            *to += 1;
        }
    }
}

/// Bodies in columns that are all as long, and long enough that a run can be read [`PADDING`] at a time from its beginning.
///
/// Invariant: the upper columns are as long as the others, or the lower ones once more where bodies are points.
#[derive(Clone, Copy)]
pub struct Bodies<'a> {
    left: &'a [f32],
    bottom: &'a [f32],
    right: &'a [f32],
    top: &'a [f32],
    ids: &'a [UnitId],
}

impl<'a> Bodies<'a> {
    /// Bodies in these columns; the upper ones are empty where bodies are points.
    #[inline(always)]
    pub fn new(
        left: &'a [f32],
        bottom: &'a [f32],
        right: &'a [f32],
        top: &'a [f32],
        ids: &'a [UnitId],
    ) -> Self {
        let (right, top) = if right.is_empty() {
            (left, bottom)
        } else {
            (right, top)
        };
        // By hand: an iterator is a call for each where little is optimized.
        let length = ids.len();
        let are_as_long = (left.len() == length) & (bottom.len() == length);
        let are_as_long = are_as_long & (right.len() == length) & (top.len() == length);
        assert!(are_as_long, "columns of one length");
        Self {
            left,
            bottom,
            right,
            top,
            ids,
        }
    }
}

impl Bodies<'_> {
    /// The box of the body at a place.
    #[inline(always)]
    pub fn body<const SIZED: bool>(&self, place: usize) -> Aabb {
        let min = Vec2::new(self.left[place], self.bottom[place]);
        Aabb::new(
            min,
            if SIZED {
                Vec2::new(self.right[place], self.top[place])
            } else {
                min
            },
        )
    }

    /// Whose bodies a run is.
    #[inline(always)]
    pub fn ids(&self, run: Range<usize>) -> &[UnitId] {
        &self.ids[run]
    }

    /// Where the bodies from a place on begin.
    pub fn lefts_from(&self, place: usize) -> &[f32] {
        &self.left[place..]
    }
}

/// Where bodies are copied to: columns that are all as long.
///
/// Invariant: the upper columns are as long as the others.
pub struct Copies<'a> {
    left: &'a mut [f32],
    bottom: &'a mut [f32],
    right: &'a mut [f32],
    top: &'a mut [f32],
    ids: &'a mut [UnitId],
}

impl<'a> Copies<'a> {
    /// Copies to these columns; the upper ones are not written where bodies are points.
    #[inline(always)]
    pub fn new(
        left: &'a mut [f32],
        bottom: &'a mut [f32],
        right: &'a mut [f32],
        top: &'a mut [f32],
        ids: &'a mut [UnitId],
    ) -> Self {
        // By hand: an iterator is a call for each where little is optimized.
        let length = ids.len();
        let are_as_long = (left.len() == length) & (bottom.len() == length);
        let are_as_long = are_as_long & (right.len() == length) & (top.len() == length);
        assert!(are_as_long, "columns of one length");
        Self {
            left,
            bottom,
            right,
            top,
            ids,
        }
    }
}

/// Eight bodies in space: a column an axis of their lower corners, and one of the upper ones, which are those once more where
/// bodies are points.
#[derive(Clone, Copy)]
pub struct Eight<'a> {
    pub low: &'a [[f32; PADDING]; 3],
    pub high: &'a [[f32; PADDING]; 3],
}

/// The boxes of four siblings, in columns.
#[derive(Clone, Copy, Debug)]
pub struct Boxes {
    left: [f32; FOUR],
    bottom: [f32; FOUR],
    right: [f32; FOUR],
    top: [f32; FOUR],
}

impl Boxes {
    /// Boxes without a size, all at the origin.
    pub const ZERO: Self = Self {
        left: [0.0; FOUR],
        bottom: [0.0; FOUR],
        right: [0.0; FOUR],
        top: [0.0; FOUR],
    };

    /// One of them.
    #[inline(always)]
    pub fn get(&self, at: usize) -> Aabb {
        let low = Vec2::new(self.left[at], self.bottom[at]);
        Aabb::new(low, Vec2::new(self.right[at], self.top[at]))
    }

    /// Writes one of them.
    #[inline]
    pub fn set(&mut self, at: usize, bounds: Aabb) {
        (self.left[at], self.bottom[at]) = (bounds.min.x, bounds.min.y);
        (self.right[at], self.top[at]) = (bounds.max.x, bounds.max.y);
    }
}

/// A body that looks for those within reach who begin where it does or later.
#[derive(Clone, Copy)]
pub struct Looker {
    pub unit: UnitId,
    pub body: Aabb,
    /// The reach, squared.
    pub reach_sq: f32,
    /// Beyond this nobody begins who is within reach; less than infinity.
    pub limit: f32,
}

/// What came of a look ahead.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Onward {
    /// How many pairs were found.
    pub hits: usize,
    /// How many others were tested.
    pub tests: usize,
    /// Whether all were tested, and not only as many as there was room for.
    pub is_over: bool,
}

/// A way to test one body, rectangle or disc, or eight bodies abreast, with a run of bodies.
pub trait Kernel: Copy {
    /// Writes the pairs of `unit` with those of a `run` of `others` that are at most the root of `reach_sq`
    /// away from its body, to the front of `free`, and says how many.
    ///
    /// `free` is at least [`PADDING`] longer than the run; what is behind the hits is overwritten with anything.
    fn pack<const SIZED: bool>(
        self,
        free: &mut [Pair],
        unit: UnitId,
        body: Aabb,
        reach_sq: f32,
        others: Bodies<'_>,
        run: Range<usize>,
    ) -> usize;

    /// Writes the pairs of [`PADDING`] bodies that follow each other, from place `first` on, with those behind each of them and before its
    /// own of `ends` that are at most the root of `reach_sq` away from it, to the front of `free`, in any order, and says how many.
    ///
    /// `free` has room for [`PADDING`] pairs for each test of the one that has most of them, and [`PADDING`] more; what is behind the hits
    /// is overwritten with anything.
    fn pack_abreast<const SIZED: bool>(
        self,
        free: &mut [Pair],
        reach_sq: f32,
        bodies: Bodies<'_>,
        first: usize,
        ends: &[u32; PADDING],
    ) -> usize;

    /// One bit for each of sixteen cuts: whether a place is beyond it. A cut is across y where its bit of `axes` is set, else across x.
    fn beyond(self, ats: &[f32; 16], axes: u16, place: Vec2) -> u32;

    /// Writes who of a `run` of `bodies` overlaps `area` to the front of `free`, in their order, and says how many.
    ///
    /// `free` is at least [`PADDING`] longer than the run; what is behind the hits is overwritten with anything.
    fn overlapping<const SIZED: bool>(
        self,
        free: &mut [UnitId],
        area: Aabb,
        bodies: Bodies<'_>,
        run: Range<usize>,
    ) -> usize;

    /// Writes the pairs of a looker with those of `others`, from place `first` on, that are within its reach, to the front of
    /// `free`. The others come in the order in which they begin, none of these begins before the looker, and behind the last
    /// one is infinity. Ends with the first that begins beyond the looker's limit, or where there is no room for [`PADDING`] more.
    fn pack_onward<const SIZED: bool>(
        self,
        free: &mut [Pair],
        looker: Looker,
        others: Bodies<'_>,
        first: usize,
    ) -> Onward;

    /// Writes who of a `run` of `bodies` is at most the root of `limit_sq` away from `point` to the front of `free`, and with
    /// `FAR` how far, squared, to the front of `distances_sq`, in their order, and says how many.
    ///
    /// Both are at least [`PADDING`] longer than the run; what is behind the hits is overwritten with anything.
    fn within<const SIZED: bool, const FAR: bool>(
        self,
        free: &mut [UnitId],
        distances_sq: &mut [f32],
        point: Vec2,
        limit_sq: f32,
        bodies: Bodies<'_>,
        run: Range<usize>,
    ) -> usize;

    /// Copies those of a `run` of `bodies` that are at most the root of `reach_sq` away from `area` to the front of `free`, in
    /// their order, and says how many.
    ///
    /// `free` is at least [`PADDING`] longer than the run; what is behind the copies is overwritten with anything.
    fn gather<const SIZED: bool>(
        self,
        free: Copies<'_>,
        area: Aabb,
        reach_sq: f32,
        bodies: Bodies<'_>,
        run: Range<usize>,
    ) -> usize;

    /// The box around a `run` of `bodies`; [`Aabb::EMPTY`] where it is empty.
    fn enclose<const SIZED: bool>(self, bodies: Bodies<'_>, run: Range<usize>) -> Aabb;

    /// Which of four boxes overlap `area`, and which lie inside it, a bit each.
    fn met_and_inside(self, boxes: &Boxes, area: Aabb) -> (u32, u32);

    /// Which of four boxes are at most the root of `limit_sq` away from `point`, and of which even the farthest corner is, a bit each.
    fn near_and_within(self, boxes: &Boxes, point: Vec2, limit_sq: f32) -> (u32, u32);

    /// Which of four words differ from `word`, a bit each.
    fn differing(self, words: &[u32; FOUR], word: u32) -> u32;

    /// Which of eight bodies in space overlap `area`, a bit each.
    fn overlapping_eight<const SIZED: bool>(self, bodies: Eight<'_>, area: Aabb3) -> u32;

    /// Which of eight bodies in space are at most the root of `reach_sq` away from `body`, a bit each, and how far they are,
    /// squared. Where bodies are points, so is this one.
    fn near_eight<const SIZED: bool>(
        self,
        bodies: Eight<'_>,
        body: Aabb3,
        reach_sq: f32,
    ) -> (u32, [f32; PADDING]);

    /// Writes those of `ids` whose bits are in `set` to the front of `free`, in their order, and says how many. What is behind
    /// them, [`PADDING`] from the front, is overwritten with anything.
    fn pack_eight(self, free: &mut [UnitId], ids: &[UnitId; PADDING], set: u32) -> usize;

    /// The same with pairs of `unit` and each of them.
    fn pair_eight(
        self,
        free: &mut [Pair],
        unit: UnitId,
        ids: &[UnitId; PADDING],
        set: u32,
    ) -> usize;

    /// Keeps the eight least of `least`, which are sorted, and of `more`, sorted.
    fn keep_least(self, least: &mut [i64; LEAST], more: &[i64]);

    /// Eight of the first `count` of `numbers`, which are not negative, sorted, and infinity where there are fewer: none of them is below the one that
    /// would stand there if they were the eight least, and of up to [`FEW`] they are.
    ///
    /// `numbers` are at least [`PADDING`] longer than `count`.
    fn eight_small(self, numbers: &[f32], count: usize) -> [f32; LEAST];

    /// Moves those of the first `count` whose distance is at most `limit_sq` to the front, in their order, and says how many.
    ///
    /// Both are at least [`PADDING`] longer than `count`; what is behind those that stay is overwritten with anything.
    fn cut(
        self,
        ids: &mut [UnitId],
        distances_sq: &mut [f32],
        count: usize,
        limit_sq: f32,
    ) -> usize;

    /// How many of the first `count` of `keys`, all of which differ, are less than each of them. What is behind `count` is
    /// [`i64::MAX`], and what is said of it means nothing.
    fn ranks(self, keys: &[i64; FEW], count: usize) -> [u64; FEW];

    /// How many of a `run` of `keys` are at most each of the limits, which may come in any order. The run can be read [`PADDING`] at a
    /// time from its beginning.
    fn at_most(self, keys: &[i32], run: Range<usize>, limits: [i32; LIMITS]) -> [u32; LIMITS];

    /// The least key of a `run` of `units` along each axis, and the greatest: [`i32::MAX`] and [`i32::MIN`] where it is empty. The run can
    /// be read [`PADDING`] at a time from its beginning.
    fn extents(self, units: Keyed<'_>, run: Range<usize>) -> [[i32; 2]; 2];

    /// Writes those of a `run` whose key along `axis` is at most `at` from the first of two `places` on, and the others from the
    /// second on, both in their order.
    ///
    /// The run can be read [`PADDING`] at a time from its beginning. Behind either side there is room for [`PADDING`] more, which are
    /// overwritten with anything: the second place is therefore at least that far behind the end of the first side, or the other way
    /// round.
    fn split(
        self,
        from: Keyed<'_>,
        run: Range<usize>,
        axis: usize,
        at: i32,
        to: KeyedMut<'_>,
        places: [usize; 2],
    );

    /// Finds which of 2 to the power of `LEVELS` ways each item goes, which is two keys and a number. On the way down from
    /// `words[1]`, behind `words[i]` come `words[2 * i]` for those whose key is at most the word, and the next one for the others. The
    /// lowest bit of a word says which key it is compared with, and belongs to the word all the same.
    ///
    /// There are at least as many `ways` as items, and no more levels than words are for: 2 to the power of `LEVELS` is at most
    /// [`WAYS`].
    fn find_ways<const LEVELS: usize>(
        self,
        items: &[[i32; 3]],
        words: &[i32; WAYS],
        ways: &mut [u8],
    );

    /// Writes the places of those of `lengths` that are from 1 to `few` to the front of `short`, and of those that are longer to the front
    /// of `long`, both in their order, and says how many. There are a whole number of times [`PADDING`] lengths, at most 256, all less than
    /// 2³¹, and at least as much room on both sides; what is behind the places is overwritten with anything.
    fn sort_out(
        self,
        lengths: &[u32],
        few: u32,
        short: &mut [u8],
        long: &mut [u8],
    ) -> (usize, usize);

    /// Asks for the cache lines of `items`, which are to be read soon: so that they come at once and not one after the other.
    /// Nothing depends on it.
    fn fetch<T>(self, items: &[T]);
}

/// Asks for the cache line in which an item begins, which is to be read soon. Nothing depends on it.
#[inline(always)]
pub fn ask_for<T>(item: &T) {
    #[cfg(all(target_arch = "x86_64", not(skirmish_plain)))]
    wide::ask_for(item);
    #[cfg(not(all(target_arch = "x86_64", not(skirmish_plain))))]
    let _ = item;
}

/// Some work that is done with whichever kernel is best. Everything in it that is to be quick has to be inlined into
/// [`Task::run`], because only then is it compiled for the kernel's instructions. So nothing that takes a kernel is called in a
/// closure that is handed on, to `map` for instance: in builds of many codegen units that is compiled apart, and each instruction of
/// the kernel becomes a call.
pub trait Task {
    /// Whether somebody hears of each step of it: then there is nothing that lanes could do at once.
    #[allow(
        dead_code,
        reason = "where there is no other kernel than the plain one nobody asks"
    )]
    const DETAILED: bool = false;

    fn run<K: Kernel>(self, kernel: K);
}

/// Does the work with the best kernel that this processor has. Builds with `--cfg skirmish_plain` have no other than the plain
/// one, so that its hashes can be compared (`tests/attack/hashes`).
pub fn dispatch<T: Task>(task: T) {
    #[cfg(all(target_arch = "x86_64", not(skirmish_plain)))]
    if !T::DETAILED
        && let Some(kernel) = wide::Avx2::detect()
    {
        return kernel.run(task);
    }
    #[cfg(all(
        target_arch = "aarch64",
        target_feature = "neon",
        target_endian = "little",
        not(skirmish_plain)
    ))]
    if !T::DETAILED {
        return task.run(neon::Neon);
    }
    task.run(Plain);
}

/// The greatest whole number not above `value`, as far as an `i32` goes. It never decreases with the value.
///
/// The floor of the standard library is a call on a plain x86-64, and its conversion to a whole number asks three times
/// whether there is one.
#[inline(always)]
pub fn floor(value: f32) -> i32 {
    /// The greatest `f32` below 2³¹.
    const LIMIT: f32 = 2_147_483_520.0;
    // What is no number becomes the lower limit; `clamp` would let it through.
    #[allow(clippy::manual_clamp)]
    let value = value.max(-LIMIT).min(LIMIT);
    // SAFETY: `value` is a number, and within what an `i32` holds.
    let towards_zero: i32 = unsafe { value.to_int_unchecked() };
    towards_zero - i32::from((towards_zero as f32) > value)
}
