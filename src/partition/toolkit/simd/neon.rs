//! The kernel of two times four lanes, for 64-bit ARM.
//!
//! What is asked most has a form of its own here; everything else is what the plain kernel does.

use super::{
    Bodies, Boxes, Copies, Eight, FEW, FOUR, Kernel, Keyed, KeyedMut, LEAST, LIMITS, Looker,
    Onward, PADDING, Plain, WAYS, fits,
};
use crate::geometry::{Aabb, Vec2};
use crate::geometry3::Aabb3;
use crate::partition::{Pair, UnitId};
use std::arch::aarch64::*;
use std::ops::Range;

mod least;
#[cfg(test)]
mod tests;

/// Eight at a time, in two registers of four. Every processor that this is compiled for has NEON: there is nothing to find out.
#[derive(Clone, Copy)]
pub struct Neon;

/// So many are in one register.
const LANES: usize = 4;
const _: () = assert!(2 * LANES == PADDING, "two registers hold eight");

/// What is asked of eight, or what they are: the first four and the others.
type Two<T> = [T; 2];

/// For each set of lanes, one bit a lane, where the bytes of a register come from: the lanes of the set one after the other.
static IN_ORDER: [[u8; 16]; 1 << LANES] = byte_table();

const fn byte_table() -> [[u8; 16]; 1 << LANES] {
    let mut table = [[0; 16]; 1 << LANES];
    let mut set = 0;
    while set < table.len() {
        let (mut lane, mut to) = (0, 0);
        while lane < LANES {
            let mut byte = 0;
            while set >> lane & 1 == 1 && byte < 4 {
                table[set][to] = (4 * lane + byte) as u8;
                byte += 1;
                to += 1;
            }
            lane += 1;
        }
        set += 1;
    }
    table
}

/// For each set of lanes how many they are: to count bits takes this processor a way through another register and back.
static SIZES: [u8; 1 << LANES] = sizes();

const fn sizes() -> [u8; 1 << LANES] {
    let mut sizes = [0; 1 << LANES];
    let mut set = 0;
    while set < sizes.len() {
        sizes[set] = set.count_ones() as u8;
        set += 1;
    }
    sizes
}

/// How the lanes of a set come to the front.
struct Packing {
    /// Where the bytes of either four come from.
    bytes: Two<uint8x16_t>,
    /// How many of the first four are in the set: the others come behind them.
    first: usize,
    /// How many are in the set.
    count: usize,
}

impl Packing {
    #[inline(always)]
    fn of(set: u32) -> Self {
        let [low, high] = [set, set >> LANES].map(|set| set as usize % (1 << LANES));
        let [first, second] = [low, high].map(|set| usize::from(SIZES[set]));
        Self {
            // SAFETY: the processor has NEON, and a row of the table is a register long.
            bytes: [low, high].map(|set| unsafe { vld1q_u8(IN_ORDER[set].as_ptr()) }),
            first,
            count: first + second,
        }
    }

    /// Of each four those in the set, at its front.
    #[inline(always)]
    fn pack(&self, eight: Two<uint32x4_t>) -> Two<uint32x4_t> {
        let [low, high] = eight;
        // SAFETY: the processor has NEON.
        let pack = |four, bytes| unsafe {
            vreinterpretq_u32_u8(vqtbl1q_u8(vreinterpretq_u8_u32(four), bytes))
        };
        [pack(low, self.bytes[0]), pack(high, self.bytes[1])]
    }

    /// Writes those in the set, and behind them anything.
    ///
    /// # Safety
    ///
    /// There is room for eight.
    #[inline(always)]
    unsafe fn write(&self, eight: Two<uint32x4_t>, to: *mut u32) {
        let [low, high] = self.pack(eight);
        // SAFETY: the processor has NEON, there is room for eight, and at most four are in front of the other four.
        unsafe {
            vst1q_u32(to, low);
            vst1q_u32(to.add(self.first), high);
        }
    }

    /// The same with numbers.
    ///
    /// # Safety
    ///
    /// There is room for eight.
    #[inline(always)]
    unsafe fn write_numbers(&self, eight: Two<float32x4_t>, to: *mut f32) {
        // SAFETY: the processor has NEON, and the room is said above.
        unsafe { self.write(eight.map(|four| vreinterpretq_u32_f32(four)), to.cast()) };
    }

    /// Writes the pairs of those who are packed already, and behind them anything.
    ///
    /// # Safety
    ///
    /// There is room for eight.
    #[inline(always)]
    unsafe fn write_pairs(&self, one: Two<uint32x4_t>, two: Two<uint32x4_t>, to: *mut Pair) {
        for (half, to) in [to, to.wrapping_add(self.first)].into_iter().enumerate() {
            // SAFETY: as in `write`; four pairs are two registers.
            unsafe {
                let low = vminq_u32(one[half], two[half]);
                let high = vmaxq_u32(one[half], two[half]);
                let to = to.cast::<u32>();
                vst1q_u32(to, vzip1q_u32(low, high));
                vst1q_u32(to.add(LANES), vzip2q_u32(low, high));
            }
        }
    }
}

/// One bit for each of eight lanes: whether it is found.
#[inline(always)]
fn bits(found: Two<uint32x4_t>) -> u32 {
    const BITS: [u16; PADDING] = [1, 2, 4, 8, 16, 32, 64, 128];
    // SAFETY: the processor has NEON, and the bits are a register long.
    unsafe {
        let [low, high] = found.map(|four| vreinterpretq_u16_u32(four));
        // Half of a lane says as much as all of it.
        let eight = vandq_u16(vuzp1q_u16(low, high), vld1q_u16(BITS.as_ptr()));
        u32::from(vaddvq_u16(eight))
    }
}

/// The bit of each of four lanes.
const LANE_BITS: [u32; LANES] = [1, 2, 4, 8];

/// One bit for each of four lanes: whether it is found.
#[inline(always)]
fn bits_of_four(found: uint32x4_t) -> u32 {
    // SAFETY: the processor has NEON, and the bits are a register long.
    unsafe { vaddvq_u32(vandq_u32(found, vld1q_u32(LANE_BITS.as_ptr()))) }
}

/// The lanes of `found` that are at the front of what is left of a run.
#[inline(always)]
fn set_of(found: Two<uint32x4_t>, left_over: usize) -> u32 {
    bits(found) & !(u32::MAX << left_over.min(PADDING))
}

/// The greatest of three, as [`f32::max`] has it.
#[inline(always)]
fn greatest(a: float32x4_t, b: float32x4_t, c: float32x4_t) -> float32x4_t {
    // SAFETY: the processor has NEON.
    unsafe { vmaxnmq_f32(vmaxnmq_f32(a, b), c) }
}

/// How long ways along both axes are together, squared.
#[inline(always)]
fn squared(x: float32x4_t, y: float32x4_t) -> float32x4_t {
    // SAFETY: the processor has NEON.
    unsafe { vaddq_f32(vmulq_f32(x, x), vmulq_f32(y, y)) }
}

/// The corners of a box, in every lane.
#[derive(Clone, Copy)]
struct Spread {
    min: Two<float32x4_t>,
    max: Two<float32x4_t>,
}

impl Spread {
    #[inline(always)]
    fn new(bounds: Aabb) -> Self {
        // SAFETY: the processor has NEON.
        let spread = |corner: Vec2| corner.to_array().map(|it| unsafe { vdupq_n_f32(it) });
        Self {
            min: spread(bounds.min),
            max: spread(bounds.max),
        }
    }
}

/// Four numbers of a column from a place on.
///
/// # Safety
///
/// They are there.
#[inline(always)]
unsafe fn load(column: &[f32], place: usize) -> float32x4_t {
    // SAFETY: the processor has NEON, and the rest is said above.
    unsafe { vld1q_f32(column.as_ptr().add(place)) }
}

/// Eight ids of a column from a place on.
///
/// # Safety
///
/// They are there.
#[inline(always)]
unsafe fn load_ids(column: &[UnitId], place: usize) -> Two<uint32x4_t> {
    // SAFETY: the processor has NEON, and the rest is said above.
    unsafe {
        let from = column.as_ptr().add(place);
        [vld1q_u32(from), vld1q_u32(from.add(LANES))]
    }
}

/// The gaps between a body, which may be another one in each lane, and four others from a place on, squared.
///
/// # Safety
///
/// They are there.
#[inline(always)]
unsafe fn gaps_sq<const SIZED: bool>(
    body: Spread,
    others: Bodies<'_>,
    place: usize,
) -> float32x4_t {
    // SAFETY: the processor has NEON, and the rest is said above.
    unsafe {
        let (left, bottom) = (load(others.left, place), load(others.bottom, place));
        if !SIZED {
            return squared(vsubq_f32(body.min[0], left), vsubq_f32(body.min[1], bottom));
        }
        let (right, top) = (load(others.right, place), load(others.top, place));
        let zero = vdupq_n_f32(0.0);
        squared(
            greatest(
                vsubq_f32(body.min[0], right),
                vsubq_f32(left, body.max[0]),
                zero,
            ),
            greatest(
                vsubq_f32(body.min[1], top),
                vsubq_f32(bottom, body.max[1]),
                zero,
            ),
        )
    }
}

impl Kernel for Neon {
    #[inline(always)]
    fn pack<const SIZED: bool>(
        self,
        free: &mut [Pair],
        unit: UnitId,
        body: Aabb,
        reach_sq: f32,
        others: Bodies<'_>,
        run: Range<usize>,
    ) -> usize {
        let length = run.len();
        assert!(
            fits(&run, others.ids.len()) && fits(&(0..length), free.len()),
            "padded columns, and room for all"
        );
        let (mut count, mut place) = (0, 0);
        let body = Spread::new(body);
        // SAFETY: the processor has NEON. All columns are as long as `ids`, so eight values can be read from each place at which
        // eight of the run begin; at most `place` pairs have been written before the eight pairs written for `place`, so they
        // fit `free`.
        unsafe {
            let (limit, own) = (vdupq_n_f32(reach_sq), vdupq_n_u32(unit));
            while place < length {
                let at = run.start + place;
                let near =
                    [at, at + LANES].map(|at| vcleq_f32(gaps_sq::<SIZED>(body, others, at), limit));
                let packing = Packing::of(set_of(near, length - place));
                let other = packing.pack(load_ids(others.ids, at));
                packing.write_pairs([own; 2], other, free.as_mut_ptr().add(count));
                count += packing.count;
                place += PADDING;
            }
        }
        count
    }

    #[inline(always)]
    fn pack_abreast<const SIZED: bool>(
        self,
        free: &mut [Pair],
        reach_sq: f32,
        bodies: Bodies<'_>,
        first: usize,
        ends: &[u32; PADDING],
    ) -> usize {
        let length = bodies.ids.len();
        assert!(
            PADDING <= length && first <= length - PADDING && i32::try_from(length).is_ok(),
            "padded columns, whose places are numbers with a sign"
        );
        // First come those of all with the next one, then with the one behind that, and so on, as in the kernel for AVX2.
        let (mut count, mut other) = (0, first + 1);
        // SAFETY: the processor has NEON. All columns are as long as `ids`, and eight values are read from no place but `first`,
        // where they are there, and such as are asked about; so is the room for eight pairs.
        unsafe {
            let limit = vdupq_n_f32(reach_sq);
            let own = load_ids(bodies.ids, first);
            let of = |at| Spread {
                min: [load(bodies.left, at), load(bodies.bottom, at)],
                max: [load(bodies.right, at), load(bodies.top, at)],
            };
            let body = [of(first), of(first + LANES)];
            // How far the end of each is ahead of where it is tested next.
            let next = vaddq_s32(vld1q_s32([0, 1, 2, 3].as_ptr()), vdupq_n_s32(other as i32));
            let ends = ends.as_ptr().cast::<i32>();
            let mut ahead = [
                vsubq_s32(vld1q_s32(ends), next),
                vsubq_s32(
                    vld1q_s32(ends.add(LANES)),
                    vaddq_s32(next, vdupq_n_s32(LANES as i32)),
                ),
            ];
            loop {
                let some = ahead.map(|four| vcgtzq_s32(four));
                if vmaxvq_u32(vorrq_u32(some[0], some[1])) == 0 {
                    break;
                }
                assert!(
                    other <= length - PADDING && PADDING <= free.len() - count,
                    "padded columns, and room for all"
                );
                let near = [0, 1].map(|half| {
                    let at = other + half * LANES;
                    let gaps_sq = gaps_sq::<SIZED>(body[half], bodies, at);
                    vandq_u32(vcleq_f32(gaps_sq, limit), some[half])
                });
                let packing = Packing::of(bits(near));
                let one = packing.pack(own);
                let two = packing.pack(load_ids(bodies.ids, other));
                packing.write_pairs(one, two, free.as_mut_ptr().add(count));
                count += packing.count;
                other += 1;
                ahead = ahead.map(|four| vsubq_s32(four, vdupq_n_s32(1)));
            }
        }
        count
    }

    #[inline(always)]
    fn pack_onward<const SIZED: bool>(
        self,
        free: &mut [Pair],
        looker: Looker,
        others: Bodies<'_>,
        first: usize,
    ) -> Onward {
        let length = others.ids.len();
        let (mut hits, mut tests, mut place) = (0, 0, first);
        let mut is_over = false;
        let body = Spread::new(looker.body);
        // SAFETY: the processor has NEON. All columns are as long as `ids`, and both what is read and what is written are only
        // touched where there are eight of them.
        unsafe {
            let (limit, reach_sq) = (vdupq_n_f32(looker.limit), vdupq_n_f32(looker.reach_sq));
            let own = vdupq_n_u32(looker.unit);
            let zero = vdupq_n_f32(0.0);
            while !is_over && hits + PADDING <= free.len() {
                if place > length || length - place < PADDING {
                    is_over = true;
                    break;
                }
                let left = [place, place + LANES].map(|at| load(others.left, at));
                let near = [0, 1].map(|half| {
                    let (left, at) = (left[half], place + half * LANES);
                    let bottom = load(others.bottom, at);
                    let gaps_sq = if SIZED {
                        // Who begins later does not end before.
                        let x = vmaxnmq_f32(vsubq_f32(left, body.max[0]), zero);
                        let before = vsubq_f32(body.min[1], load(others.top, at));
                        squared(x, greatest(before, vsubq_f32(bottom, body.max[1]), zero))
                    } else {
                        squared(vsubq_f32(body.min[0], left), vsubq_f32(body.min[1], bottom))
                    };
                    vcleq_f32(gaps_sq, reach_sq)
                });
                let ahead = bits(left.map(|left| vcleq_f32(left, limit)));
                let packing = Packing::of(bits(near) & ahead);
                let other = packing.pack(load_ids(others.ids, place));
                packing.write_pairs([own; 2], other, free.as_mut_ptr().add(hits));
                hits += packing.count;
                // They begin in order: who begins beyond the limit is behind all others.
                tests += ahead.trailing_ones() as usize;
                is_over = ahead != (1 << PADDING) - 1;
                place += PADDING;
            }
        }
        Onward {
            hits,
            tests,
            is_over,
        }
    }

    #[inline(always)]
    fn beyond(self, ats: &[f32; 16], axes: u16, place: Vec2) -> u32 {
        // SAFETY: the processor has NEON, and there are four registers of cuts.
        unsafe {
            let lanes = vld1q_u32(LANE_BITS.as_ptr());
            let (x, y) = (vdupq_n_f32(place.x), vdupq_n_f32(place.y));
            let of = |at: usize| {
                let is_across_y = vtstq_u32(vdupq_n_u32(u32::from(axes >> at)), lanes);
                vcgtq_f32(vbslq_f32(is_across_y, y, x), load(ats, at))
            };
            bits([of(0), of(LANES)]) | bits([of(2 * LANES), of(3 * LANES)]) << PADDING
        }
    }

    #[inline(always)]
    fn overlapping<const SIZED: bool>(
        self,
        free: &mut [UnitId],
        area: Aabb,
        bodies: Bodies<'_>,
        run: Range<usize>,
    ) -> usize {
        let length = run.len();
        assert!(
            fits(&run, bodies.ids.len()) && fits(&(0..length), free.len()),
            "padded columns, and room for all"
        );
        let (mut count, mut place) = (0, 0);
        let area = Spread::new(area);
        // SAFETY: as in `pack`.
        unsafe {
            while place < length {
                let at = run.start + place;
                let met = [at, at + LANES].map(|at| {
                    let (left, bottom) = (load(bodies.left, at), load(bodies.bottom, at));
                    let (right, top) = if SIZED {
                        (load(bodies.right, at), load(bodies.top, at))
                    } else {
                        (left, bottom)
                    };
                    let x = vandq_u32(vcleq_f32(left, area.max[0]), vcleq_f32(area.min[0], right));
                    let y = vandq_u32(vcleq_f32(bottom, area.max[1]), vcleq_f32(area.min[1], top));
                    vandq_u32(x, y)
                });
                let packing = Packing::of(set_of(met, length - place));
                packing.write(load_ids(bodies.ids, at), free.as_mut_ptr().add(count));
                count += packing.count;
                place += PADDING;
            }
        }
        count
    }

    #[inline(always)]
    fn within<const SIZED: bool, const FAR: bool>(
        self,
        free: &mut [UnitId],
        distances_sq: &mut [f32],
        point: Vec2,
        limit_sq: f32,
        bodies: Bodies<'_>,
        run: Range<usize>,
    ) -> usize {
        let length = run.len();
        assert!(
            fits(&run, bodies.ids.len())
                && fits(&(0..length), free.len())
                && (!FAR || fits(&(0..length), distances_sq.len())),
            "padded columns, and room for all"
        );
        let (mut count, mut place) = (0, 0);
        let point = Spread::new(Aabb::new(point, point));
        // SAFETY: as in `pack`.
        unsafe {
            let limit = vdupq_n_f32(limit_sq);
            while place < length {
                let at = run.start + place;
                // From a body to a point it is as far as from the point to the body, to the last bit.
                let far = [at, at + LANES].map(|at| gaps_sq::<SIZED>(point, bodies, at));
                let near = far.map(|far| vcleq_f32(far, limit));
                let packing = Packing::of(set_of(near, length - place));
                packing.write(load_ids(bodies.ids, at), free.as_mut_ptr().add(count));
                if FAR {
                    packing.write_numbers(far, distances_sq.as_mut_ptr().add(count));
                }
                count += packing.count;
                place += PADDING;
            }
        }
        count
    }

    #[inline(always)]
    fn gather<const SIZED: bool>(
        self,
        free: Copies<'_>,
        area: Aabb,
        reach_sq: f32,
        bodies: Bodies<'_>,
        run: Range<usize>,
    ) -> usize {
        let length = run.len();
        assert!(
            fits(&run, bodies.ids.len()) && fits(&(0..length), free.ids.len()),
            "padded columns, and room for all"
        );
        let (mut count, mut place) = (0, 0);
        let area = Spread::new(area);
        // SAFETY: as in `pack`; all columns of `free` are as long as its ids.
        unsafe {
            let (limit, zero) = (vdupq_n_f32(reach_sq), vdupq_n_f32(0.0));
            while place < length {
                let at = run.start + place;
                let both = |column: &[f32]| [load(column, at), load(column, at + LANES)];
                let (left, bottom) = (both(bodies.left), both(bodies.bottom));
                let (right, top) = if SIZED {
                    (both(bodies.right), both(bodies.top))
                } else {
                    (left, bottom)
                };
                let near = [0, 1].map(|half| {
                    let x = greatest(
                        vsubq_f32(area.min[0], right[half]),
                        vsubq_f32(left[half], area.max[0]),
                        zero,
                    );
                    let y = greatest(
                        vsubq_f32(area.min[1], top[half]),
                        vsubq_f32(bottom[half], area.max[1]),
                        zero,
                    );
                    vcleq_f32(squared(x, y), limit)
                });
                let packing = Packing::of(set_of(near, length - place));
                packing.write_numbers(left, free.left.as_mut_ptr().add(count));
                packing.write_numbers(bottom, free.bottom.as_mut_ptr().add(count));
                if SIZED {
                    packing.write_numbers(right, free.right.as_mut_ptr().add(count));
                    packing.write_numbers(top, free.top.as_mut_ptr().add(count));
                }
                packing.write(load_ids(bodies.ids, at), free.ids.as_mut_ptr().add(count));
                count += packing.count;
                place += PADDING;
            }
        }
        count
    }

    #[inline(always)]
    fn enclose<const SIZED: bool>(self, bodies: Bodies<'_>, run: Range<usize>) -> Aabb {
        Plain.enclose::<SIZED>(bodies, run)
    }

    #[inline(always)]
    fn met_and_inside(self, boxes: &Boxes, area: Aabb) -> (u32, u32) {
        let area = Spread::new(area);
        // SAFETY: the processor has NEON, and each column is as long as a register.
        unsafe {
            let [left, bottom, right, top] = [&boxes.left, &boxes.bottom, &boxes.right, &boxes.top]
                .map(|column| load(column, 0));
            let all = |x: Two<uint32x4_t>, y: Two<uint32x4_t>| {
                let (x, y) = (vandq_u32(x[0], x[1]), vandq_u32(y[0], y[1]));
                bits_of_four(vandq_u32(x, y))
            };
            let met = all(
                [vcleq_f32(left, area.max[0]), vcleq_f32(area.min[0], right)],
                [vcleq_f32(bottom, area.max[1]), vcleq_f32(area.min[1], top)],
            );
            let inside = all(
                [vcleq_f32(area.min[0], left), vcleq_f32(right, area.max[0])],
                [vcleq_f32(area.min[1], bottom), vcleq_f32(top, area.max[1])],
            );
            (met, inside)
        }
    }

    #[inline(always)]
    fn near_and_within(self, boxes: &Boxes, point: Vec2, limit_sq: f32) -> (u32, u32) {
        // SAFETY: as in `met_and_inside`.
        unsafe {
            let [left, bottom, right, top] = [&boxes.left, &boxes.bottom, &boxes.right, &boxes.top]
                .map(|column| load(column, 0));
            let (x, y) = (vdupq_n_f32(point.x), vdupq_n_f32(point.y));
            let zero = vdupq_n_f32(0.0);
            let in_reach = |x, y| bits_of_four(vcleq_f32(squared(x, y), vdupq_n_f32(limit_sq)));
            let near = in_reach(
                greatest(vsubq_f32(left, x), vsubq_f32(x, right), zero),
                greatest(vsubq_f32(bottom, y), vsubq_f32(y, top), zero),
            );
            // As the greater corner of two is told: by a comparison.
            let farthest = |a, b| vbslq_f32(vcgtq_f32(a, b), a, b);
            let within = in_reach(
                farthest(vsubq_f32(right, x), vsubq_f32(x, left)),
                farthest(vsubq_f32(top, y), vsubq_f32(y, bottom)),
            );
            (near, within)
        }
    }

    #[inline(always)]
    fn differing(self, words: &[u32; FOUR], word: u32) -> u32 {
        // SAFETY: as in `met_and_inside`.
        unsafe {
            let same = vceqq_u32(vld1q_u32(words.as_ptr()), vdupq_n_u32(word));
            bits_of_four(vmvnq_u32(same))
        }
    }

    #[inline(always)]
    fn overlapping_eight<const SIZED: bool>(self, bodies: Eight<'_>, area: Aabb3) -> u32 {
        // SAFETY: the processor has NEON, and each column is as long as two registers.
        let inside = [0, LANES].map(|at| unsafe {
            let mut all = vdupq_n_u32(u32::MAX);
            for axis in 0..3 {
                let low = load(&bodies.low[axis], at);
                let high = if SIZED {
                    load(&bodies.high[axis], at)
                } else {
                    low
                };
                let begins = vcleq_f32(low, vdupq_n_f32(area.max[axis]));
                let ends = vcleq_f32(vdupq_n_f32(area.min[axis]), high);
                all = vandq_u32(all, vandq_u32(begins, ends));
            }
            all
        });
        bits(inside)
    }

    #[inline(always)]
    fn near_eight<const SIZED: bool>(
        self,
        bodies: Eight<'_>,
        body: Aabb3,
        reach_sq: f32,
    ) -> (u32, [f32; PADDING]) {
        let mut distances_sq = [0.0; PADDING];
        // SAFETY: as in `overlapping_eight`; there is room for two registers.
        let near = [0, LANES].map(|at| unsafe {
            let mut sum = vdupq_n_f32(0.0);
            for axis in 0..3 {
                let high = load(&bodies.high[axis], at);
                let mut gap = vsubq_f32(vdupq_n_f32(body.min[axis]), high);
                if SIZED {
                    let low = load(&bodies.low[axis], at);
                    let behind = vsubq_f32(low, vdupq_n_f32(body.max[axis]));
                    // Comparisons, as in the plain kernel: no other maximum takes what is no number for what they do.
                    gap = vbslq_f32(vcgtq_f32(behind, gap), behind, gap);
                    gap = vbslq_f32(vcgtzq_f32(gap), gap, vdupq_n_f32(0.0));
                }
                sum = vaddq_f32(sum, vmulq_f32(gap, gap));
            }
            vst1q_f32(distances_sq.as_mut_ptr().add(at), sum);
            vcleq_f32(sum, vdupq_n_f32(reach_sq))
        });
        (bits(near), distances_sq)
    }

    #[inline(always)]
    fn pack_eight(self, free: &mut [UnitId], ids: &[UnitId; PADDING], set: u32) -> usize {
        assert!(free.len() >= PADDING, "room for all");
        let packing = Packing::of(set);
        // SAFETY: there are eight ids, and room for as many.
        unsafe { packing.write(load_ids(ids, 0), free.as_mut_ptr()) };
        packing.count
    }

    #[inline(always)]
    fn pair_eight(
        self,
        free: &mut [Pair],
        unit: UnitId,
        ids: &[UnitId; PADDING],
        set: u32,
    ) -> usize {
        assert!(free.len() >= PADDING, "room for all");
        let packing = Packing::of(set);
        // SAFETY: the processor has NEON; there are eight ids, and room for as many pairs.
        unsafe {
            let other = packing.pack(load_ids(ids, 0));
            packing.write_pairs([vdupq_n_u32(unit); 2], other, free.as_mut_ptr());
        }
        packing.count
    }

    #[inline(always)]
    fn keep_least(self, least: &mut [i64; LEAST], more: &[i64]) {
        // Two lanes a register would save a quarter of the instructions, and make each number wait longer for the one before.
        Plain.keep_least(least, more);
    }

    #[inline(always)]
    fn eight_small(self, numbers: &[f32], count: usize) -> [f32; LEAST] {
        least::eight_small(numbers, count)
    }

    #[inline(always)]
    fn cut(
        self,
        ids: &mut [UnitId],
        distances_sq: &mut [f32],
        count: usize,
        limit_sq: f32,
    ) -> usize {
        let all = 0..count;
        assert!(
            fits(&all, ids.len()) && fits(&all, distances_sq.len()),
            "padded columns"
        );
        let (mut kept, mut place) = (0, 0);
        // SAFETY: the processor has NEON, and eight values can be read from each place at which eight of them begin. At most
        // `place` have been kept before eight are written for `place`, so nothing is written behind what has been read.
        unsafe {
            let limit = vdupq_n_f32(limit_sq);
            while place < count {
                let far = [place, place + LANES].map(|at| load(distances_sq, at));
                let near = far.map(|far| vcleq_f32(far, limit));
                let packing = Packing::of(set_of(near, count - place));
                let these = load_ids(ids, place);
                packing.write(these, ids.as_mut_ptr().add(kept));
                packing.write_numbers(far, distances_sq.as_mut_ptr().add(kept));
                kept += packing.count;
                place += PADDING;
            }
        }
        kept
    }

    #[inline(always)]
    fn ranks(self, keys: &[i64; FEW], count: usize) -> [u64; FEW] {
        Plain.ranks(keys, count)
    }

    #[inline(always)]
    fn at_most(self, keys: &[i32], run: Range<usize>, limits: [i32; LIMITS]) -> [u32; LIMITS] {
        Plain.at_most(keys, run, limits)
    }

    #[inline(always)]
    fn extents(self, units: Keyed<'_>, run: Range<usize>) -> [[i32; 2]; 2] {
        Plain.extents(units, run)
    }

    #[inline(always)]
    fn split(
        self,
        from: Keyed<'_>,
        run: Range<usize>,
        axis: usize,
        at: i32,
        to: KeyedMut<'_>,
        places: [usize; 2],
    ) {
        Plain.split(from, run, axis, at, to, places);
    }

    #[inline(always)]
    fn find_ways<const LEVELS: usize>(
        self,
        items: &[[i32; 3]],
        words: &[i32; WAYS],
        ways: &mut [u8],
    ) {
        Plain.find_ways::<LEVELS>(items, words, ways);
    }

    #[inline(always)]
    fn sort_out(
        self,
        lengths: &[u32],
        few: u32,
        short: &mut [u8],
        long: &mut [u8],
    ) -> (usize, usize) {
        Plain.sort_out(lengths, few, short, long)
    }

    #[inline(always)]
    fn fetch<T>(self, items: &[T]) {
        Plain.fetch(items);
    }
}
