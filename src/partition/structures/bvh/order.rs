//! The order of the leaves: along a Hilbert curve from group to group, by halves within a group.

use super::levels::WIDTH;
use crate::geometry::Vec2;
use crate::partition::toolkit::halves::{Extent, Halver, Subset, keys_of};
use crate::partition::toolkit::simd::Kernel;
use crate::partition::toolkit::sort::{alive, number_together, rows_of, sort_together};
use crate::partition::toolkit::threads::threads_for;
use crate::partition::{Bodies, UnitId};
use rayon::prelude::*;
use std::ops::Range;

/// A coordinate of a cell of the curve has so many bits.
const AXIS_BITS: u32 = 11;

/// The curve is followed so many bits of each axis at a time.
const STEP_BITS: u32 = 4;

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

/// For each way in which the curve can lie and the next [`STEP_BITS`] bits of x and y: as many bits of the place along the
/// curve, and above them how it lies there.
static STEPS: [[u16; 1 << (2 * STEP_BITS)]; 4] = steps();

/// One way the curve lies is turned into any other by exchanging the axes (bit 0) and by looking from the other end of both
/// (bit 1).
const fn steps() -> [[u16; 1 << (2 * STEP_BITS)]; 4] {
    let mut table = [[0; 1 << (2 * STEP_BITS)]; 4];
    let mut from = 0;
    while from < 4 {
        let mut cell = 0;
        while cell < 1 << (2 * STEP_BITS) {
            let (mut way, mut place) = (from, 0);
            let mut bit = STEP_BITS;
            while bit > 0 {
                bit -= 1;
                let (mut x, mut y) = (cell >> (STEP_BITS + bit) & 1, cell >> bit & 1);
                if way & 2 != 0 {
                    (x, y) = (1 - x, 1 - y);
                }
                if way & 1 != 0 {
                    (x, y) = (y, x);
                }
                place = place << 2 | (3 * x) ^ y;
                if y == 0 {
                    way ^= x << 1 | 1;
                }
            }
            table[from][cell] = (way << (2 * STEP_BITS) | place) as u16;
            cell += 1;
        }
        from += 1;
    }
    table
}

/// The place of a cell along the curve.
#[inline(always)]
fn place(x: u32, y: u32) -> u32 {
    const STEP: u32 = (1 << STEP_BITS) - 1;
    // The lowest bit of three steps is left over.
    let (x, y) = (x << 1, y << 1);
    let (mut way, mut place) = (0, 0);
    for shift in [2 * STEP_BITS, STEP_BITS, 0] {
        let cell = (x >> shift & STEP) << STEP_BITS | y >> shift & STEP;
        let step = u32::from(STEPS[way as usize][cell as usize]);
        place = place << (2 * STEP_BITS) | step & ((1 << (2 * STEP_BITS)) - 1);
        way = step >> (2 * STEP_BITS);
    }
    place >> 2
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

/// The lowest and the highest coordinates.
#[inline(always)]
fn extent(centers: impl Iterator<Item = Vec2>) -> (Vec2, Vec2) {
    let (mut low, mut high) = (Vec2::INFINITY, Vec2::NEG_INFINITY);
    for center in centers {
        // Positions are numbers, and each is one instruction where those of the standard library are five.
        low.x = if center.x < low.x { center.x } else { low.x };
        low.y = if center.y < low.y { center.y } else { low.y };
        high.x = if center.x > high.x { center.x } else { high.x };
        high.y = if center.y > high.y { center.y } else { high.y };
    }
    (low, high)
}

/// The records of units along the curve that fills a square from `low` on.
#[inline(always)]
fn record(unit: UnitId, center: Vec2, low: Vec2, scale: f32) -> Record {
    // What is no number, because the scale overflows, becomes the first cell.
    let cell = |offset: f32| ((offset * scale) as i32).clamp(0, (1 << AXIS_BITS) - 1) as u32;
    let place = place(cell(center.x - low.x), cell(center.y - low.y));
    u64::from(place) << u32::BITS | u64::from(unit)
}

impl Sorter {
    /// Sorts the units alive along the curve, on so many threads; those of a crowded cell along a curve of their own.
    pub fn sort(&mut self, bodies: Bodies<'_>, leaf_size: usize, threads: usize) {
        let threads = threads_for(bodies.slot_count(), threads);
        if threads > 1 {
            self.sort_together(bodies, threads);
        } else {
            let (low, high) = extent(bodies.ids().map(|unit| bodies.center(unit)));
            let scale = CELLS / (high - low).max_element();
            self.records.clear();
            let records = bodies
                .ids()
                .map(|unit| record(unit, bodies.center(unit), low, scale));
            self.records.extend(records);
            sort(&mut self.records, &mut self.spare);
        }
        self.cut(bodies, 0..self.records.len(), CROWDED * leaf_size, CUTS);
    }

    /// The units alive in their order along the curve. A place on it and a unit together are one number, and no two are the same: so
    /// the order is one, however it is come by.
    fn sort_together(&mut self, bodies: Bodies<'_>, threads: usize) {
        let ends = rows_of(bodies, threads).into_par_iter();
        let ends = ends.map(|rows| extent(alive(bodies, &rows).map(|unit| bodies.center(unit))));
        let (low, high) = ends.reduce(
            || (Vec2::INFINITY, Vec2::NEG_INFINITY),
            |a, b| (a.0.min(b.0), a.1.max(b.1)),
        );
        let scale = CELLS / (high - low).max_element();
        number_together(bodies, &mut self.records, threads, |unit| {
            record(unit, bodies.center(unit), low, scale)
        });
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
            let centers = self.records[run.clone()].iter();
            let (low, high) = extent(centers.map(|record| bodies.center(unit_of(*record))));
            let size = (high - low).max_element();
            if size <= 0.0 {
                continue;
            }
            for record in &mut self.records[run.clone()] {
                let unit = unit_of(*record);
                *record = self::record(unit, bodies.center(unit), low, CELLS / size);
            }
            sort(&mut self.records[run.clone()], &mut self.spare);
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
                cells[place(x, y) as usize] = (x as i32, y as i32);
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
}
