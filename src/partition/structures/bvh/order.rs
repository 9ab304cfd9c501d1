//! The order of the leaves: along a Hilbert curve from group to group, by halves within a group.

use super::levels::WIDTH;
use crate::geometry::Vec2;
use crate::partition::toolkit::halves::{Extent, Halver, Subset, keys_of};
use crate::partition::toolkit::simd::{self, Kernel, Task};
use crate::partition::toolkit::sort::{number_together, sort_together};
use crate::partition::toolkit::threads::threads_for;
use crate::partition::{Bodies, UnitId};
use rayon::prelude::*;
use std::ops::Range;

/// A coordinate of a cell of the curve has so many bits.
const AXIS_BITS: u32 = 11;

/// One pass of the radix sort looks at so many bits.
const DIGIT_BITS: u32 = AXIS_BITS;

/// Cells along each axis.
const CELLS: f32 = (1 << AXIS_BITS) as f32;

/// Fewer units than this are sorted by comparing.
const FEW: usize = 1024;

/// A cell with more units than so many leaves hold is cut into cells of its own.
const CROWDED: usize = 4;

/// As often at most are crowded cells cut: each time by a factor of [`CELLS`], so this is as fine as an `f32` is.
const CUTS: u32 = 12;

/// So many units are numbered side by side.
const LOT: usize = 64;

/// The place of a cell along the curve.
///
/// One way in which the curve lies is turned into any other by exchanging the axes and by looking from the other end of both. Bit by bit,
/// from the highest on: a quarter's place on the curve is known from which half of the first axis it is in, and whether it is in
/// the same half of both, which neither changes. There is no branch in it and no table, so that it is done for many cells at once.
#[inline(always)]
fn place(x: u16, y: u16) -> u32 {
    // Only the lowest bits of these count.
    let (mut exchanged, mut turned) = (0, 0);
    let apart = x ^ y;
    let mut halves = 0;
    for bit in (0..AXIS_BITS).rev() {
        let unequal = apart >> bit;
        let half = (x >> bit ^ turned ^ unequal & exchanged) & 1;
        halves = halves << 1 | half;
        turned ^= half & unequal;
        exchanged ^= half ^ unequal ^ 1;
    }
    spread(halves) << 1 | spread(apart)
}

/// The bits of a number, each with a gap behind it.
#[inline(always)]
fn spread(bits: u16) -> u32 {
    let bits = u32::from(bits);
    let bits = (bits | bits << 8) & 0x00FF_00FF;
    let bits = (bits | bits << 4) & 0x0F0F_0F0F;
    let bits = (bits | bits << 2) & 0x3333_3333;
    (bits | bits << 1) & 0x5555_5555
}

/// A place along the curve above a unit's number.
pub(super) type Record = u64;

/// Who a record is of.
#[inline(always)]
fn unit_of(record: Record) -> UnitId {
    record as UnitId
}

/// Room for sorting, kept from one build to the next.
#[derive(Debug, Default)]
pub(super) struct Sorter {
    /// The units in their order.
    pub records: Vec<Record>,
    spare: Vec<Record>,
    /// For each thread where it divides groups.
    pub dividers: Vec<Divider>,
}

/// Room for dividing a group into its leaves, kept from one to the next.
#[derive(Clone, Debug, Default)]
pub(super) struct Divider {
    halver: Halver,
    /// What is left of the group, the next of it last.
    runs: Vec<Run>,
}

/// Some units of a group, and between which coordinates they are.
#[derive(Clone, Copy, Debug)]
struct Run {
    crowd: Subset,
    extent: Extent,
}

/// Looking from where to where units are, with whatever instructions there are.
struct Spanning<'r, 'b> {
    records: &'r [Record],
    bodies: Bodies<'b>,
    bounds: &'r mut (Vec2, Vec2),
}

impl Task for Spanning<'_, '_> {
    #[inline(always)]
    fn run<K: Kernel>(self, _kernel: K) {
        const LANES: usize = 8;
        let mut lows = [[f32::INFINITY; LANES]; 2];
        let mut highs = [[f32::NEG_INFINITY; LANES]; 2];
        for records in self.records.chunks(LANES) {
            let mut centers = [self.bodies.center(unit_of(records[0])); LANES];
            for (center, record) in centers.iter_mut().zip(records) {
                *center = self.bodies.center(unit_of(*record));
            }
            for (lane, center) in centers.iter().enumerate() {
                for (axis, value) in [(0, center.x), (1, center.y)] {
                    // Positions are numbers, and each is one instruction where those of the standard library are five.
                    let (low, high) = (&mut lows[axis][lane], &mut highs[axis][lane]);
                    *low = if value < *low { value } else { *low };
                    *high = if value > *high { value } else { *high };
                }
            }
        }
        let low = lows.map(|low| low.into_iter().fold(f32::INFINITY, f32::min));
        let high = highs.map(|high| high.into_iter().fold(f32::NEG_INFINITY, f32::max));
        *self.bounds = (Vec2::from_array(low), Vec2::from_array(high));
    }
}

/// The lowest and the highest coordinates of the units of some records.
fn extent(records: &[Record], bodies: Bodies<'_>) -> (Vec2, Vec2) {
    let mut bounds = (Vec2::INFINITY, Vec2::NEG_INFINITY);
    simd::dispatch(Spanning {
        records,
        bodies,
        bounds: &mut bounds,
    });
    bounds
}

/// Numbering units along the curve that fills a square from `low` on, with whatever instructions there are.
struct Numbering<'r, 'b> {
    records: &'r mut [Record],
    bodies: Bodies<'b>,
    low: Vec2,
    /// Cells per metre.
    scale: f32,
}

impl Task for Numbering<'_, '_> {
    #[inline(always)]
    fn run<K: Kernel>(self, _kernel: K) {
        const LAST: f32 = ((1 << AXIS_BITS) - 1) as f32;
        let cell_of = |offset: f32| {
            let at = offset * self.scale;
            // What is no number, because the scale overflows, becomes the first cell.
            let at = if at > 0.0 { at } else { 0.0 };
            (if at < LAST { at } else { LAST }) as i32 as u16
        };
        let (mut offsets, mut cells, mut places) = ([[0.0; LOT]; 2], [[0; LOT]; 2], [0; LOT]);
        for records in self.records.chunks_mut(LOT) {
            let [xs, ys] = &mut offsets;
            for ((record, x), y) in records.iter().zip(&mut *xs).zip(&mut *ys) {
                let center = self.bodies.center(unit_of(*record));
                (*x, *y) = (center.x - self.low.x, center.y - self.low.y);
            }
            for (cells, offsets) in cells.iter_mut().zip(&offsets) {
                for (cell, offset) in cells.iter_mut().zip(offsets) {
                    *cell = cell_of(*offset);
                }
            }
            let [xs, ys] = &cells;
            for ((place, x), y) in places.iter_mut().zip(xs).zip(ys) {
                *place = self::place(*x, *y);
            }
            for (record, place) in records.iter_mut().zip(&places) {
                *record = u64::from(*place) << u32::BITS | u64::from(unit_of(*record));
            }
        }
    }
}

/// Numbers the units of some records along the curve that fills the square from `low` to `high`.
fn number(records: &mut [Record], bodies: Bodies<'_>, low: Vec2, high: Vec2) {
    simd::dispatch(Numbering {
        records,
        bodies,
        low,
        scale: CELLS / (high - low).max_element(),
    });
}

impl Sorter {
    /// Sorts the units alive along the curve, on so many threads; those of a crowded cell along a curve of their own.
    pub fn sort(&mut self, bodies: Bodies<'_>, leaf_size: usize, threads: usize) {
        let threads = threads_for(bodies.slot_count(), threads);
        if threads > 1 {
            self.sort_together(bodies, threads);
        } else {
            self.records.clear();
            self.records.extend(bodies.ids().map(Record::from));
            let (low, high) = extent(&self.records, bodies);
            number(&mut self.records, bodies, low, high);
            sort(&mut self.records, &mut self.spare);
        }
        self.cut(bodies, 0..self.records.len(), CROWDED * leaf_size, CUTS);
    }

    /// The units alive in their order along the curve. A place on it and a unit together are one number, and no two are the same: so
    /// the order is one, however it is come by.
    fn sort_together(&mut self, bodies: Bodies<'_>, threads: usize) {
        number_together(bodies, &mut self.records, threads, Record::from);
        let piece = self.records.len().div_ceil(threads).max(1);
        let ends = self.records.par_chunks(piece);
        let (low, high) = ends.map(|records| extent(records, bodies)).reduce(
            || (Vec2::INFINITY, Vec2::NEG_INFINITY),
            |a, b| (a.0.min(b.0), a.1.max(b.1)),
        );
        let pieces = self.records.par_chunks_mut(piece);
        pieces.for_each(|records| number(records, bodies, low, high));
        sort_together(&mut self.records, &mut self.spare, threads, sort_within);
    }

    /// Sorts each run of records in one cell anew.
    fn cut(&mut self, bodies: Bodies<'_>, part: Range<usize>, crowded: usize, cuts: u32) {
        let key = |record: Record| record >> u32::BITS;
        let mut begin = part.start;
        // A run that is as long has the same key at both ends of any stretch of this length.
        while begin + crowded < part.end {
            let own = key(self.records[begin]);
            if key(self.records[begin + crowded]) != own {
                // Some key begins between; the first of them is the next that can begin a run.
                begin += 1 + self.records[begin + 1..part.end]
                    .iter()
                    .take_while(|record| key(**record) == own)
                    .count();
                continue;
            }
            let length = self.records[begin..part.end].partition_point(|other| key(*other) == own);
            let run = begin..begin + length;
            begin = run.end;
            let records = &mut self.records[run.clone()];
            let (low, high) = extent(records, bodies);
            if (high - low).max_element() <= 0.0 {
                continue;
            }
            number(records, bodies, low, high);
            sort(records, &mut self.spare);
            if cuts > 0 {
                self.cut(bodies, run, crowded, cuts - 1);
            }
        }
    }

    pub fn byte_count(&self) -> usize {
        (self.records.capacity() + self.spare.capacity()) * size_of::<Record>()
            + self.dividers.capacity() * size_of::<Divider>()
            + self.dividers.iter().map(Divider::byte_count).sum::<usize>()
    }
}

impl Divider {
    /// Takes in the units of a group, which are to be divided into leaves.
    #[inline(always)]
    pub fn take_in<K: Kernel>(
        &mut self,
        kernel: K,
        bodies: Bodies<'_>,
        group: &[Record],
        leaf_size: usize,
    ) {
        let units = group.iter().map(|record| {
            let unit = unit_of(*record);
            (keys_of(bodies.center(unit)), unit)
        });
        let crowd = self.halver.take_in(units, group.len().div_ceil(leaf_size));
        self.runs.clear();
        self.runs.push(Run {
            crowd,
            extent: self.halver.extent(kernel, crowd),
        });
    }

    /// The keys and the units of the next leaf: a part is halved across its longer side, so that all leaves are full but the last, and
    /// then both halves are.
    #[inline(always)]
    pub fn next_leaf<K: Kernel>(
        &mut self,
        kernel: K,
        leaf_size: usize,
    ) -> Option<([&[i32]; 2], &[UnitId])> {
        while let Some(Run { crowd, extent }) = self.runs.pop() {
            let leaves = crowd.count.div_ceil(leaf_size) / 2;
            if leaves == 0 {
                return Some(self.halver.columns(crowd));
            }
            let size = extent.size();
            let axis = usize::from(size.y > size.x);
            let ends = (extent.low[axis], extent.high[axis]);
            let half = leaves * leaf_size;
            let [first, second] = self.halver.halve(kernel, crowd, axis, ends, half, leaves);
            let border = self.halver.extent(kernel, second).low[axis];
            let (mut before, mut behind) = (extent, extent);
            (before.high[axis], behind.low[axis]) = (border, border);
            for (crowd, extent) in [(second, behind), (first, before)] {
                self.runs.push(Run { crowd, extent });
            }
        }
        None
    }

    fn byte_count(&self) -> usize {
        self.halver.byte_count() + self.runs.capacity() * size_of::<Run>()
    }
}

/// One of the two digits of a record's key, the lower one first.
#[inline(always)]
fn digit(record: Record, pass: u32) -> usize {
    (record >> (u32::BITS + pass * DIGIT_BITS)) as usize & ((1 << DIGIT_BITS) - 1)
}

/// Sorts records by their keys.
fn sort(records: &mut [Record], spare: &mut Vec<Record>) {
    if spare.len() < records.len() && records.len() >= FEW {
        spare.resize(records.len(), 0);
    }
    let room = spare.len().min(records.len());
    sort_within(records, &mut spare[..room]);
}

/// Sorts records by their keys: two passes from the lower digit to the higher, by way of as much room, which fewer than [`FEW`] need not
/// have.
fn sort_within(records: &mut [Record], room: &mut [Record]) {
    if records.len() < FEW {
        records.sort_unstable();
        return;
    }
    let mut counts = [[0_u32; 1 << DIGIT_BITS]; 2];
    for &record in records.iter() {
        counts[0][digit(record, 0)] += 1;
        counts[1][digit(record, 1)] += 1;
    }
    for counts in &mut counts {
        let mut next = 0;
        for count in counts {
            next += std::mem::replace(count, next);
        }
    }
    let [low, high] = &mut counts;
    for &record in records.iter() {
        let place = &mut low[digit(record, 0)];
        room[*place as usize] = record;
        *place += 1;
    }
    for &record in room.iter() {
        let place = &mut high[digit(record, 1)];
        records[*place as usize] = record;
        *place += 1;
    }
}

/// A group has so many leaves when it is built: the others are room for those who come.
pub(super) const BUILT_WIDTH: usize = WIDTH - 2;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_curve_goes_from_cell_to_neighbouring_cell() {
        // The first cells of a curve of a quarter of the bits, all of them.
        let mut cells = vec![(0, 0); 1 << (2 * 5)];
        for x in 0..32 {
            for y in 0..32 {
                cells[place(x, y) as usize] = (i32::from(x), i32::from(y));
            }
        }
        for pair in cells.windows(2) {
            let ((x, y), (next_x, next_y)) = (pair[0], pair[1]);
            assert_eq!((next_x - x).abs() + (next_y - y).abs(), 1, "{pair:?}");
        }
        let last = (1 << AXIS_BITS) - 1;
        assert_eq!(place(0, 0), 0);
        assert_eq!(place(last, 0), (1 << (2 * AXIS_BITS)) - 1);
    }

    #[test]
    fn a_sort_by_digits_is_a_sort() {
        let mut stream = crate::chance::Stream::new(2);
        for count in [0, 1, 5, FEW, 3 * FEW] {
            let mut records: Vec<Record> = (0..count as u64)
                .map(|unit| stream.below(1 << (2 * DIGIT_BITS)) << u32::BITS | unit)
                .collect();
            let mut expected = records.clone();
            expected.sort_unstable();
            sort(&mut records, &mut Vec::new());
            assert_eq!(records, expected);
        }
    }

    #[test]
    fn everybody_is_numbered_by_the_own_place_wherever_lots_end() {
        let mut stream = crate::chance::Stream::new(5);
        for count in [
            0,
            1,
            LOT - 1,
            LOT,
            LOT + 1,
            2 * LOT - 1,
            2 * LOT,
            2 * LOT + 1,
        ] {
            let mut coordinate = || stream.between(-30.0, 70.0);
            let centers: Vec<_> = (0..count)
                .map(|_| Vec2::new(coordinate(), coordinate()))
                .collect();
            for alive in [Vec::new(), (0..count).map(|unit| unit % 3 != 1).collect()] {
                let bodies = Bodies {
                    alive: &alive,
                    ..Bodies::points(&centers)
                };
                let all = || bodies.ids().map(|unit| bodies.center(unit));
                let (low, high) = (
                    all().fold(Vec2::INFINITY, Vec2::min),
                    all().fold(Vec2::NEG_INFINITY, Vec2::max),
                );
                let scale = CELLS / (high - low).max_element();
                let cell = |offset: f32| ((offset * scale) as i32).clamp(0, 2047) as u16;
                let expected = bodies.ids().map(|unit| {
                    let at = bodies.center(unit) - low;
                    u64::from(place(cell(at.x), cell(at.y))) << u32::BITS | u64::from(unit)
                });
                let mut expected: Vec<Record> = expected.collect();
                expected.sort_unstable();
                let mut sorter = Sorter::default();
                // No cell is crowded.
                sorter.sort(bodies, LOT, 1);
                assert_eq!(sorter.records, expected);
            }
        }
    }
}
