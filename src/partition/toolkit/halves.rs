//! Halving small crowds, in columns that the nearest cache holds, without a branch for each unit.

use super::simd::{Kernel, Keyed, KeyedMut, LIMITS, PADDING};
use crate::geometry::Vec2;
use crate::partition::UnitId;
use std::cmp::Ordering;

/// A number in the order of coordinates, for it is quicker to compare.
#[inline(always)]
pub fn key_of(coordinate: f32) -> i32 {
    let bits = coordinate.to_bits() as i32;
    bits ^ ((bits >> 31) as u32 >> 1) as i32
}

/// The coordinate of a number.
#[inline(always)]
pub fn coordinate_of(key: i32) -> f32 {
    f32::from_bits((key ^ ((key >> 31) as u32 >> 1) as i32) as u32)
}

/// The keys of a place.
#[inline(always)]
pub fn keys_of(place: Vec2) -> [i32; 2] {
    [key_of(place.x), key_of(place.y)]
}

/// The keys between which some units are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    pub low: [i32; 2],
    pub high: [i32; 2],
}

impl Extent {
    /// How wide and how high it is.
    #[inline(always)]
    pub fn size(self) -> Vec2 {
        let corner = |keys: [i32; 2]| Vec2::new(coordinate_of(keys[0]), coordinate_of(keys[1]));
        corner(self.high) - corner(self.low)
    }
}

/// Some of the units that were taken in, which lie together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Subset {
    /// The place of the first one.
    begin: usize,
    pub count: usize,
    /// In which of two rows they are.
    row: usize,
}

/// Room for a crowd while it is halved again and again, kept from one crowd to the next: two rows of columns, between which units
/// go to and fro.
///
/// Invariant: a crowd that is to be halved into so many pieces has room for [`PADDING`] more a piece, so that eight may be written
/// where one belongs.
#[derive(Clone, Debug, Default)]
pub struct Halver {
    rows: [Columns; 2],
}

#[derive(Clone, Debug, Default)]
struct Columns {
    keys: [Vec<i32>; 2],
    ids: Vec<UnitId>,
}

impl Columns {
    fn resize(&mut self, count: usize) {
        for column in &mut self.keys {
            column.resize(count, 0);
        }
        self.ids.resize(count, 0);
    }

    #[inline(always)]
    fn all(&self) -> Keyed<'_> {
        Keyed::new([&self.keys[0], &self.keys[1]], &self.ids)
    }

    #[inline(always)]
    fn all_mut(&mut self) -> KeyedMut<'_> {
        let [x, y] = &mut self.keys;
        KeyedMut::new([x, y], &mut self.ids)
    }
}

/// What separates the two sides of a subset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Border {
    /// Exactly those of the first side have at most this key.
    At(i32),
    /// Some with this key are on the first side, and others are not.
    Through(i32),
}

impl Halver {
    /// Forgets who there was and takes in others, with their keys, who are to be parted into so many pieces at most.
    #[inline(always)]
    pub fn take_in(
        &mut self,
        units: impl ExactSizeIterator<Item = ([i32; 2], UnitId)>,
        pieces: usize,
    ) -> Subset {
        let count = units.len();
        let room = count + (pieces + 1) * PADDING;
        for row in &mut self.rows {
            if row.ids.len() < room {
                row.resize(room);
            }
        }
        let Columns { keys: [x, y], ids } = &mut self.rows[0];
        let places = x.iter_mut().zip(y).zip(ids);
        for (((x, y), id), (keys, unit)) in places.zip(units) {
            (*x, *y, *id) = (keys[0], keys[1], unit);
        }
        Subset {
            begin: 0,
            count,
            row: 0,
        }
    }

    /// Between which keys a subset is; of one in which nobody is the low ones are the greater ones.
    #[inline(always)]
    pub fn extent<K: Kernel>(&self, kernel: K, subset: Subset) -> Extent {
        let Subset { begin, count, row } = subset;
        let [low, high] = kernel.extents(self.rows[row].all(), begin..begin + count);
        Extent { low, high }
    }

    /// The [extents](Self::extent) of both sides. They are not mapped: who calls is no part of a task any more where that is not inlined.
    #[inline(always)]
    pub fn extents<K: Kernel>(&self, kernel: K, sides: [Subset; 2]) -> [Extent; 2] {
        let [first, second] = sides;
        [self.extent(kernel, first), self.extent(kernel, second)]
    }

    /// Parts a subset by the keys along one axis: the least `middle`, which are some but not all, come to the first side. Of those
    /// with the same key the first ones come there too. The first side is to be parted into so many `pieces` at most.
    /// `low` and `high` are keys between which all are.
    #[inline(always)]
    pub fn halve<K: Kernel>(
        &mut self,
        kernel: K,
        subset: Subset,
        axis: usize,
        (low, high): (i32, i32),
        middle: usize,
        pieces: usize,
    ) -> [Subset; 2] {
        let Subset { begin, count, row } = subset;
        let [first, second] = &mut self.rows;
        let (from, to) = if row == 0 {
            (first.all(), second.all_mut())
        } else {
            (second.all(), first.all_mut())
        };
        let column = from.keys(axis);
        let places = [begin, begin + middle + pieces * PADDING];
        match border(kernel, column, begin, count, middle, (low, high)) {
            Border::At(at) => {
                kernel.split(from, begin..begin + count, axis, at, to, places);
            }
            Border::Through(at) => {
                let below = column[begin..][..count].iter().filter(|key| **key < at);
                to.deal(
                    from,
                    begin..begin + count,
                    axis,
                    at,
                    middle - below.count(),
                    places,
                );
            }
        }
        [(places[0], middle), (places[1], count - middle)].map(|(begin, count)| Subset {
            begin,
            count,
            row: 1 - row,
        })
    }

    /// The keys and the numbers of a subset.
    #[inline(always)]
    pub fn columns(&self, subset: Subset) -> ([&[i32]; 2], &[UnitId]) {
        let columns = &self.rows[subset.row];
        let places = subset.begin..subset.begin + subset.count;
        let keys = columns
            .keys
            .each_ref()
            .map(|column| &column[places.clone()]);
        (keys, &columns.ids[places])
    }

    pub fn byte_count(&self) -> usize {
        let columns = self.rows.iter().flat_map(|row| &row.keys);
        let keys = columns.map(Vec::capacity).sum::<usize>() * size_of::<i32>();
        let ids = self.rows.iter().map(|row| row.ids.capacity());
        keys + ids.sum::<usize>() * size_of::<UnitId>()
    }
}

/// How far beside the place at which the border is thought to be it is looked for, in standard deviations.
const ASIDE: [f32; LIMITS] = [-1.2, -0.35, 0.35, 1.2];

/// So often it is looked for where it would be if keys were spread evenly. A crowd that hides it longer stands on lines, or far apart.
const GUESSES: usize = 8;

/// Keys between which the border is.
#[derive(Clone, Copy)]
struct Bracket {
    /// Fewer than `middle` have at most this key.
    below: i32,
    /// How many these are.
    known: usize,
    /// More have at most this key.
    most: i32,
    /// How many those are.
    enough: usize,
}

/// Finds what separates the least `middle` of a run of keys from the others. All are from `low` to `high`.
///
/// No key is moved: those below some limits are counted, and the next limits lie between the two that are nearest to the middle, as if
/// the keys between them were spread evenly. What a few guesses have not found is [counted out](count_out).
#[inline(always)]
fn border<K: Kernel>(
    kernel: K,
    keys: &[i32],
    begin: usize,
    count: usize,
    middle: usize,
    (low, high): (i32, i32),
) -> Border {
    let mut bracket = Bracket {
        below: low.saturating_sub(1),
        known: 0,
        most: high,
        enough: count,
    };
    for _ in 0..GUESSES {
        let Bracket {
            below,
            known,
            most,
            enough,
        } = bracket;
        let (from, to) = (coordinate_of(below), coordinate_of(most));
        if most.abs_diff(below) <= 1 || !(to - from).is_finite() {
            break;
        }
        let (wanted, all) = ((middle - known) as f32, (enough - known) as f32);
        let share = wanted / all;
        let deviation = (share * (1.0 - share) / all).sqrt();
        let limits = ASIDE.map(|aside| {
            let at = key_of(from + (to - from) * (share + aside * deviation));
            at.max(below).min(most)
        });
        let counts = kernel.at_most(keys, begin..begin + count, limits);
        for (limit, at_most) in limits.into_iter().zip(counts) {
            let at_most = at_most as usize;
            if at_most == middle {
                return Border::At(limit);
            }
            if at_most > middle {
                (bracket.most, bracket.enough) = (limit, at_most);
                break;
            }
            (bracket.below, bracket.known) = (limit, at_most);
        }
    }
    count_out(&keys[begin..][..count], middle, bracket)
}

/// Keys in a bracket are counted by so many of their bits at a time.
const DIGIT_BITS: u32 = 8;

/// Finds what separates the least `middle` of keys, of whom it is known between which it is, by counting how many have which leading
/// bits: in as many passes as there are digits in a key, whatever the keys are.
#[cold]
#[inline(never)]
fn count_out(keys: &[i32], middle: usize, bracket: Bracket) -> Border {
    let Bracket {
        mut below,
        mut known,
        mut most,
        ..
    } = bracket;
    loop {
        let between = most.abs_diff(below);
        if between <= 1 {
            return Border::Through(most);
        }
        let bits = u32::BITS - (between - 1).leading_zeros();
        let shift = bits.saturating_sub(DIGIT_BITS);
        let mut counts = [0_usize; 1 << DIGIT_BITS];
        for key in keys {
            // From 0 on behind the lower end; who is outside is beyond the bracket, for no difference is that large.
            let offset = key.wrapping_sub(below).wrapping_sub(1) as u32;
            counts[(offset >> shift).min((1 << DIGIT_BITS) - 1) as usize] +=
                usize::from(offset < between);
        }
        let first = below;
        for (digit, count) in (0_u32..).zip(counts) {
            let end = ((u64::from(digit) + 1) << shift).min(u64::from(between)) as u32;
            let end = first.wrapping_add(end as i32);
            match (known + count).cmp(&middle) {
                Ordering::Less => (below, known) = (end, known + count),
                Ordering::Equal => return Border::At(end),
                Ordering::Greater => {
                    most = end;
                    break;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::Stream;
    use crate::partition::toolkit::simd::{Plain, Task, dispatch};

    #[test]
    fn order_of_numbers_is_order_of_coordinates() {
        let coordinates = [f32::NEG_INFINITY, -2.0, -1.0e-30, 0.0, 1.0e-30, 3.0, 4.0e9];
        assert!(coordinates.map(key_of).is_sorted());
        assert_eq!(coordinates.map(key_of).map(coordinate_of), coordinates);
    }

    /// Halves a crowd until no piece is larger than `size`.
    struct Halving<'a> {
        places: &'a [Vec2],
        size: usize,
        found: &'a mut Vec<Vec<UnitId>>,
    }

    impl Task for Halving<'_> {
        fn run<K: Kernel>(self, kernel: K) {
            let Self {
                places,
                size,
                found,
            } = self;
            let mut halver = Halver::default();
            let units = places.iter().enumerate();
            let units = units.map(|(unit, place)| (keys_of(*place), unit as UnitId));
            let all = halver.take_in(units, places.len().div_ceil(size));
            let mut waiting = vec![all];
            while let Some(crowd) = waiting.pop() {
                let count = crowd.count;
                let pieces = count.div_ceil(size);
                let (keys, ids) = halver.columns(crowd);
                for (place, unit) in ids.iter().enumerate() {
                    let own = keys.map(|column| column[place]);
                    assert_eq!(own, keys_of(places[*unit as usize]));
                }
                if pieces <= 1 {
                    found.push(ids.to_vec());
                    continue;
                }
                let extent = halver.extent(kernel, crowd);
                let least = keys.map(|column| column.iter().copied().min());
                let greatest = keys.map(|column| column.iter().copied().max());
                assert_eq!(extent.low.map(Some), least);
                assert_eq!(extent.high.map(Some), greatest);
                let axis = usize::from(extent.size().y > extent.size().x);
                let ends = (extent.low[axis], extent.high[axis]);
                let middle = count * pieces.div_ceil(2) / pieces;
                let mut expected = keys[axis].to_vec();
                let halves = halver.halve(kernel, crowd, axis, ends, middle, pieces.div_ceil(2));
                expected.sort_unstable();
                let (first, second) = expected.split_at(middle);
                for (half, expected) in halves.into_iter().zip([first, second]) {
                    let mut keys = halver.columns(half).0[axis].to_vec();
                    keys.sort_unstable();
                    assert_eq!(keys, expected);
                }
                waiting.extend(halves);
            }
        }
    }

    #[test]
    fn crowds_of_any_kind_are_halved_exactly_and_in_one_way() {
        let mut stream = Stream::new(9);
        let mut place = |kind: usize| match kind {
            0 => Vec2::new(stream.between(-3.0, 40.0), stream.between(7.0, 50.0)),
            // Many on one line, some of them on one spot.
            1 => Vec2::new(stream.below(3) as f32, stream.below(9) as f32 - 4.0),
            2 => Vec2::ZERO,
            // Ever closer to one spot, ever farther from it, and as far as can be.
            3 => Vec2::splat(2.0_f32.powi(stream.below(250) as i32 - 125)),
            4 => Vec2::new(stream.between(-1.0, 1.0), 1.0) * 3.0e38,
            // Of some so far apart that no difference is a number, most on a few lines.
            5 => Vec2::new(
                [-3.0e38, 1.0, 1.0_f32.next_up(), 3.0e38][stream.below(4) as usize],
                stream.below(2) as f32,
            ),
            _ => Vec2::new(
                [f32::NAN, f32::INFINITY, -0.0][stream.below(3) as usize],
                1.0,
            ),
        };
        for round in 0..if cfg!(miri) { 24 } else { 600 } {
            let count = 1 + round * 7 % 550;
            let places: Vec<Vec2> = (0..count).map(|_| place(round % 7)).collect();
            let halve = |found| Halving {
                places: &places,
                size: 1 + round % 33,
                found,
            };
            let (mut best, mut plain) = (Vec::new(), Vec::new());
            dispatch(halve(&mut best));
            halve(&mut plain).run(Plain);
            assert_eq!(best, plain);
            let mut units: Vec<_> = best.into_iter().flatten().collect();
            units.sort_unstable();
            assert!(units.into_iter().eq(0..count as UnitId));
        }
    }
}
