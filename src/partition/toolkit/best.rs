//! The list of the nearest so far.

use super::simd::{Bodies, FEW, Kernel, LEAST, PADDING, Plain};
use crate::geometry::Vec2;
use crate::partition::{Neighbor, UnitId};
use crate::probe::{Event, Probe};
use std::ops::Range;

/// Where no more than so many are asked for, whoever may be among them is gathered, and cut by the bound every now and then;
/// more are kept in the caller's own list.
const GATHERED: usize = LEAST;

/// So many are gathered at most.
const ROOM: usize = 56;

const _: () = assert!(ROOM <= u64::BITS as usize, "one bit for each of them");

/// So many are new before the bound is drawn closer, where nobody says when.
const SOON: usize = PADDING;
const _: () = assert!(FEW + SOON + PADDING <= ROOM, "eight more may come");

/// No fewer are tested at once, but for the end of a run.
const PIECE: usize = 32;
const _: () = assert!(
    FEW + PIECE <= ROOM,
    "there is room for a piece once they are cut"
);

/// The nearest units found so far, sorted by (distance², id).
///
/// A few are gathered as they come, ids and distances in columns. Now and then the least distances give the bound, those
/// beyond it are cut away, and in the end the last ones are put in order: the fewer times something depends on what was found
/// just before, the more of it is done at once. Call [`Best::finish`] when nobody nearer is left.
///
/// In order each is one number: squared distances are not negative, so their bits are in the order of their values, and the id
/// below them decides where distances are equal.
pub struct Best<'a> {
    out: &'a mut Vec<Neighbor>,
    count: usize,
    /// Beyond this key nobody enters: the last of those kept, or the farthest that was asked for.
    limit: i64,
    bound_sq: f32,
    /// The first few of those who were offered one by one.
    few: [i64; LEAST],
    /// Those who are near enough, as far as is known.
    ids: [UnitId; ROOM + PADDING],
    distances_sq: [f32; ROOM + PADDING],
    gathered: usize,
    /// How many of them the bound knows of.
    settled: usize,
    /// Whether many were as far as the last of those kept, so that who enters is to be told by the id as well.
    is_crowded: bool,
}

/// The place of nobody.
const NOBODY: i64 = i64::MAX;

#[inline(always)]
fn key(unit: UnitId, distance_sq: f32) -> i64 {
    i64::from(distance_sq.to_bits()) << 32 | i64::from(unit)
}

#[inline(always)]
fn neighbor(key: i64) -> Neighbor {
    Neighbor {
        unit: key as UnitId,
        distance_sq: f32::from_bits((key >> 32) as u32),
    }
}

impl<'a> Best<'a> {
    /// Clears `out` and gathers at most `count` units at most `within` away, which is not negative.
    #[inline(always)]
    pub fn new(out: &'a mut Vec<Neighbor>, count: usize, within: f32) -> Self {
        out.clear();
        let (limit, bound_sq) = if count == 0 {
            (0, f32::NEG_INFINITY)
        } else {
            (key(UnitId::MAX, within * within), within * within)
        };
        Self {
            out,
            count,
            limit,
            bound_sq,
            few: [NOBODY; LEAST],
            ids: [0; ROOM + PADDING],
            distances_sq: [0.0; ROOM + PADDING],
            gathered: 0,
            settled: 0,
            is_crowded: false,
        }
    }

    /// The squared distance beyond which nothing can enter any more. A region exactly that far away may still hold a
    /// unit that wins by its smaller id, so only what is farther may be pruned.
    #[inline(always)]
    pub fn bound_sq(&self) -> f32 {
        self.bound_sq
    }

    /// Whether as many as were asked for are found: from now on whoever enters drives another one out.
    #[inline(always)]
    pub fn is_full(&self) -> bool {
        if self.count <= GATHERED {
            let is_full = self.count == 0 || self.few[self.count - 1] != NOBODY;
            is_full || self.settled >= self.count
        } else {
            self.out.len() == self.count
        }
    }

    /// Whether a unit at this distance would enter. Lets a caller skip a costly filter.
    #[inline(always)]
    pub fn wants(&self, unit: UnitId, distance_sq: f32) -> bool {
        key(unit, distance_sq) < self.limit
    }

    /// Takes the unit if it is near enough, and says whether it was.
    #[inline(always)]
    pub fn offer(&mut self, unit: UnitId, distance_sq: f32) -> bool {
        let key = key(unit, distance_sq);
        if key >= self.limit {
            return false;
        }
        if self.count <= GATHERED {
            Plain.keep_least(&mut self.few, &[key]);
            let last = self.few[self.count - 1];
            if last < self.limit {
                self.set_limit(last);
            }
        } else {
            self.offer_many(key);
        }
        true
    }

    fn offer_many(&mut self, key: i64) {
        if self.out.len() == self.count {
            self.out.pop();
        }
        let new = neighbor(key);
        let place = self
            .out
            .partition_point(|other| (other.distance_sq, other.unit) < (new.distance_sq, new.unit));
        self.out.insert(place, new);
        if self.out.len() == self.count {
            let last = self.out[self.count - 1];
            self.set_limit(self::key(last.unit, last.distance_sq));
        }
    }

    #[inline(always)]
    fn set_limit(&mut self, limit: i64) {
        self.limit = limit;
        self.bound_sq = f32::from_bits((limit >> 32) as u32);
    }

    /// Offers whoever of a run of bodies is near enough and passes the filter, and tells of each that is tested. They are
    /// found by [`Best::bound_sq`] and the others only after [`Best::settle`].
    #[inline(always)]
    pub(in crate::partition) fn offer_run<const SIZED: bool, K: Kernel, P: Probe>(
        &mut self,
        kernel: K,
        bodies: Bodies<'_>,
        run: Range<usize>,
        point: Vec2,
        filter: &mut impl FnMut(UnitId) -> bool,
        probe: &mut P,
    ) {
        if P::DETAILED {
            for &unit in bodies.ids(run.clone()) {
                probe.on(Event::Test(unit));
            }
        } else {
            probe.tests(run.len() as u64);
        }
        let mut begin = run.start;
        while begin < run.end {
            if self.gathered > ROOM - PIECE {
                self.settle(kernel);
            }
            let first = self.gathered;
            // So many eights at a time, so that what is read behind the last one of a piece is within the run's own columns: whoever
            // has but short ones has them that long.
            let room = (ROOM - first) / PADDING * PADDING;
            let end = run.end.min(begin + room);
            let count = kernel.within::<SIZED, true>(
                &mut self.ids[first..],
                &mut self.distances_sq[first..],
                point,
                self.bound_sq,
                bodies,
                begin..end,
            );
            self.sift(first, count, filter);
            if self.count > GATHERED {
                self.offer_gathered();
            }
            begin = end;
        }
    }

    /// Lets go of those of `count` new ones, from place `first` on, who do not pass the filter.
    #[inline(always)]
    fn sift(&mut self, first: usize, count: usize, filter: &mut impl FnMut(UnitId) -> bool) {
        let mut refused = 0_u64;
        if self.is_crowded {
            for place in first..first + count {
                let is_wanted = self.wants(self.ids[place], self.distances_sq[place]);
                refused |= u64::from(!is_wanted) << (place - first);
            }
        }
        // Where everybody passes, nothing is left of this loop.
        for (place, unit) in self.ids[first..first + count].iter().enumerate() {
            if refused >> place & 1 == 0 && !filter(*unit) {
                refused |= 1 << place;
            }
        }
        self.gathered = first + count;
        if refused != 0 {
            let mut kept = first;
            for place in first..first + count {
                self.ids[kept] = self.ids[place];
                self.distances_sq[kept] = self.distances_sq[place];
                kept += usize::from(refused >> (place - first) & 1 == 0);
            }
            self.gathered = kept;
        }
    }

    /// Takes over those who were gathered where more than a few are asked for.
    fn offer_gathered(&mut self) {
        for place in 0..self.gathered {
            self.offer(self.ids[place], self.distances_sq[place]);
        }
        self.gathered = 0;
    }

    /// Offers those of eight units whose bits are in `set` and who pass the filter. They are found by [`Best::bound_sq`] and the
    /// others once there are some of them, and by [`Best::finish`].
    #[inline(always)]
    pub(crate) fn offer_eight<K: Kernel>(
        &mut self,
        kernel: K,
        ids: &[UnitId; PADDING],
        distances_sq: &[f32; PADDING],
        set: u32,
        filter: &mut impl FnMut(UnitId) -> bool,
    ) {
        let mut left = set;
        while left != 0 {
            let lane = left.trailing_zeros() as usize % PADDING;
            left &= left - 1;
            let (unit, distance_sq) = (ids[lane], distances_sq[lane]);
            if !(self.wants(unit, distance_sq) && filter(unit)) {
            } else if self.count > GATHERED {
                self.offer(unit, distance_sq);
            } else {
                // Fewer than `SOON` are new before, and there are eight at the most.
                self.ids[self.gathered] = unit;
                self.distances_sq[self.gathered] = distance_sq;
                self.gathered += 1;
            }
        }
        if self.gathered >= self.settled + SOON {
            self.settle(kernel);
        }
    }

    /// Draws the bound closer by those who were gathered, and lets go of those beyond it.
    #[inline(always)]
    pub(in crate::partition) fn settle<K: Kernel>(&mut self, kernel: K) {
        if self.gathered == self.settled {
            return;
        }
        while self.gathered >= self.count {
            let count = self.gathered;
            let least = kernel.eight_small(&self.distances_sq, count);
            let bound_sq = least[self.count - 1];
            if bound_sq < self.bound_sq {
                self.set_limit(key(UnitId::MAX, bound_sq));
            }
            let (ids, distances_sq) = (&mut self.ids, &mut self.distances_sq);
            self.gathered = kernel.cut(ids, distances_sq, count, bound_sq);
            if count <= FEW || self.gathered == self.count {
                break;
            }
            if self.gathered > FEW {
                // Many are as far as that one.
                self.keep_few();
            }
        }
        self.settled = self.gathered;
    }

    /// Keeps no more than are asked for.
    #[inline(never)]
    fn keep_few(&mut self) {
        let mut least = [NOBODY; LEAST];
        for place in 0..self.gathered {
            let key = key(self.ids[place], self.distances_sq[place]);
            Plain.keep_least(&mut least, &[key]);
        }
        for (place, key) in least[..self.count].iter().enumerate() {
            let neighbor = neighbor(*key);
            self.ids[place] = neighbor.unit;
            self.distances_sq[place] = neighbor.distance_sq;
        }
        self.gathered = self.count;
        self.set_limit(self.limit.min(least[self.count - 1]));
        self.is_crowded = true;
    }

    /// Hands on those found, the nearest first, and tells of them.
    pub fn finish<P: Probe>(mut self, probe: &mut P) {
        self.conclude(Plain, probe);
    }

    /// [`Best::finish`] with a kernel, and without a move of what is large.
    #[inline(always)]
    pub(in crate::partition) fn conclude<K: Kernel, P: Probe>(&mut self, kernel: K, probe: &mut P) {
        if self.count <= GATHERED {
            if self.gathered > FEW {
                self.settle(kernel);
            }
            if self.gathered > FEW {
                self.keep_few();
            }
            self.put_in_order(kernel);
        }
        if P::DETAILED {
            for found in self.out.iter() {
                probe.on(Event::Hit(found.unit));
            }
        } else {
            probe.hits(self.out.len() as u64);
        }
    }

    /// Hands on the few who are left, the nearest first.
    #[inline(always)]
    fn put_in_order<K: Kernel>(&mut self, kernel: K) {
        let mut keys = [NOBODY; FEW];
        let gathered = self.ids[..self.gathered].iter().zip(&self.distances_sq);
        for (number, (&unit, &distance_sq)) in keys.iter_mut().zip(gathered) {
            *number = key(unit, distance_sq);
        }
        if self.few[0] != NOBODY {
            // Some were offered one by one.
            kernel.keep_least(&mut self.few, &keys[..self.gathered]);
            let found = self.few[..self.count].iter().copied();
            let found = found.take_while(|key| *key != NOBODY);
            self.out.extend(found.map(neighbor));
            return;
        }
        let ranks = kernel.ranks(&keys, self.gathered);
        let nobody = Neighbor {
            unit: 0,
            distance_sq: 0.0,
        };
        let mut sorted = [nobody; FEW];
        for (key, rank) in keys.iter().zip(ranks).take(self.gathered) {
            sorted[rank as usize % FEW] = neighbor(*key);
        }
        let found = self.gathered.min(self.count);
        self.out.extend_from_slice(&sorted[..found]);
    }
}

#[cfg(test)]
mod tests {
    use super::super::simd::{Task, dispatch};
    use super::*;

    #[test]
    fn the_best_are_sorted_by_distance_then_id() {
        let offers = [
            (7, 4.0),
            (3, 4.0),
            (9, 1.0),
            (1, 101.0),
            (2, 100.0),
            (5, 4.0),
        ];
        let mut out = Vec::new();
        let mut best = Best::new(&mut out, 3, 10.0);
        assert_eq!(best.bound_sq(), 100.0);
        for (unit, distance_sq) in offers {
            best.offer(unit, distance_sq);
        }
        assert!(best.is_full());
        assert_eq!(best.bound_sq(), 4.0);
        best.finish(&mut ());
        assert_eq!(out.iter().map(|n| n.unit).collect::<Vec<_>>(), [9, 3, 5]);
        let mut none = Best::new(&mut out, 0, 10.0);
        assert!(none.is_full() && !none.offer(1, 0.0));
        none.finish(&mut ());
        assert!(out.is_empty());
    }

    #[test]
    fn few_and_many_are_sorted_alike() {
        let mut stream = crate::chance::Stream::new(9);
        for count in 0..3 * LEAST {
            let offers: Vec<(UnitId, f32)> = (0..40)
                .map(|unit| (unit * 7 % 40, stream.below(9) as f32))
                .collect();
            let mut expected = offers.clone();
            expected.retain(|(_, distance_sq)| *distance_sq <= 5.0 * 5.0);
            expected.sort_by(|a, b| (a.1, a.0).partial_cmp(&(b.1, b.0)).unwrap());
            expected.truncate(count);
            let mut out = Vec::new();
            let mut best = Best::new(&mut out, count, 5.0);
            for (unit, distance_sq) in offers {
                assert_eq!(best.wants(unit, distance_sq), best.offer(unit, distance_sq));
            }
            best.finish(&mut ());
            let found: Vec<_> = out.iter().map(|n| (n.unit, n.distance_sq)).collect();
            assert_eq!(found, expected, "{count}");
        }
    }

    /// Offers runs of points, a few at a time.
    struct Runs<'a> {
        places: &'a [Vec2],
        count: usize,
        within: f32,
        stride: usize,
        out: &'a mut Vec<Neighbor>,
    }

    fn passes(unit: UnitId) -> bool {
        unit % 5 != 3
    }

    impl Task for Runs<'_> {
        #[inline(always)]
        fn run<K: Kernel>(self, kernel: K) {
            let padding = [0.0; PADDING];
            let column = |axis: usize| -> Vec<f32> {
                let numbers = self.places.iter().map(|place| place[axis]);
                numbers.chain(padding).collect()
            };
            let (left, bottom) = (column(0), column(1));
            // Ids that are in no order.
            let ids: Vec<UnitId> = (0..left.len() as UnitId)
                .map(|id| id * 7919 % 100_003)
                .collect();
            let mut best = Best::new(self.out, self.count, self.within);
            for (number, begin) in (0..self.places.len()).step_by(self.stride).enumerate() {
                let run = begin..self.places.len().min(begin + self.stride);
                let mut filter = passes;
                // Columns that are no longer than they have to be, as those of a leaf are.
                let own = begin..begin + run.len().next_multiple_of(PADDING);
                let columns = [&left[own.clone()], &bottom[own.clone()]];
                best.offer_run::<false, K, ()>(
                    kernel,
                    Bodies::new(columns[0], columns[1], &[], &[], &ids[own]),
                    0..run.len(),
                    Vec2::ONE,
                    &mut filter,
                    &mut (),
                );
                if number % 2 == 0 {
                    best.settle(kernel);
                }
                let enough = (0..run.end).filter(|place| {
                    let is_near = self.places[*place].distance_squared(Vec2::ONE)
                        <= self.within * self.within;
                    is_near && passes(ids[*place])
                });
                if best.is_full() {
                    assert!(enough.count() >= self.count);
                }
            }
            best.conclude(kernel, &mut ());
        }
    }

    #[test]
    fn the_nearest_of_runs_are_those_of_all_whatever_stands_on_one_spot() {
        let mut stream = crate::chance::Stream::new(14);
        for round in 0..if cfg!(miri) { 40 } else { 600 } {
            // From everybody in a place of his own to everybody on one of two spots.
            let spots = [1000, 12, 3, 2][round % 4];
            let length = stream.below(300) as usize;
            let places: Vec<Vec2> = (0..length)
                .map(|_| Vec2::new(stream.below(spots) as f32, stream.below(spots) as f32))
                .collect();
            let count = 1 + stream.below(12) as usize;
            let within = [f32::INFINITY, 2.0][round / 4 % 2];
            let stride = 1 + stream.below(100) as usize;
            let mut expected: Vec<(f32, UnitId)> = (0..length)
                .map(|place| {
                    let id = place as UnitId * 7919 % 100_003;
                    (places[place].distance_squared(Vec2::ONE), id)
                })
                .filter(|(distance_sq, id)| *distance_sq <= within * within && passes(*id))
                .collect();
            expected.sort_by(|a, b| a.partial_cmp(b).unwrap());
            expected.truncate(count);
            for plain in [false, true] {
                let mut out = Vec::new();
                let runs = Runs {
                    places: &places,
                    count,
                    within,
                    stride,
                    out: &mut out,
                };
                if plain {
                    runs.run(Plain);
                } else {
                    dispatch(runs);
                }
                let found: Vec<_> = out.iter().map(|it| (it.distance_sq, it.unit)).collect();
                assert_eq!(found, expected, "{count} of {length} on {spots}");
            }
        }
    }
}
