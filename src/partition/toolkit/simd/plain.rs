//! The kernel that every machine has.

use super::{
    Bodies, Boxes, Copies, Eight, FEW, FOUR, Kernel, Keyed, KeyedMut, LEAST, LIMITS, Looker,
    Onward, PADDING, WAYS,
};
use crate::geometry::{Aabb, Vec2};
use crate::geometry3::Aabb3;
use crate::partition::{Pair, UnitId};
use std::ops::Range;

/// One at a time.
#[derive(Clone, Copy)]
pub struct Plain;

impl Kernel for Plain {
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
        let mut count = 0;
        let begin = run.start;
        let ids = &others.ids[run.clone()];
        let (left, bottom) = (&others.left[run.clone()], &others.bottom[run]);
        let free = &mut free[..ids.len() + 1];
        for (place, &id) in ids.iter().enumerate() {
            let hit = if SIZED {
                let x = (body.min.x - others.right[begin + place])
                    .max(left[place] - body.max.x)
                    .max(0.0);
                let y = (body.min.y - others.top[begin + place])
                    .max(bottom[place] - body.max.y)
                    .max(0.0);
                x * x + y * y <= reach_sq
            } else {
                // The gap of two boxes without size, to the last bit.
                let (x, y) = (body.min.x - left[place], body.min.y - bottom[place]);
                x * x + y * y <= reach_sq
            };
            free[count] = (unit.min(id), unit.max(id));
            count += usize::from(hit);
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
        let mut count = 0;
        for (place, &end) in (first..).zip(ends) {
            let (free, run) = (&mut free[count..], place + 1..end as usize);
            if !run.is_empty() {
                let (unit, body) = (bodies.ids[place], bodies.body::<SIZED>(place));
                count += self.pack::<SIZED>(free, unit, body, reach_sq, bodies, run);
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
        let Looker { unit, body, .. } = looker;
        let (mut hits, mut tests) = (0, 0);
        let lefts = others.left[first..].iter();
        let rows = lefts.zip(&others.bottom[first..]).zip(&others.top[first..]);
        for (((&left, &bottom), &top), &id) in rows.zip(&others.ids[first..]) {
            // Room is looked for as often as the wide kernel does, so that both stop at the same place.
            let is_full = tests % PADDING == 0 && hits + PADDING > free.len();
            let is_over = !is_full && left > looker.limit;
            if is_full || is_over {
                return Onward {
                    hits,
                    tests,
                    is_over,
                };
            }
            let hit = if SIZED {
                // Who begins later does not end before.
                let x = (left - body.max.x).max(0.0);
                let y = (body.min.y - top).max(bottom - body.max.y).max(0.0);
                x * x + y * y <= looker.reach_sq
            } else {
                let (x, y) = (body.min.x - left, body.min.y - bottom);
                x * x + y * y <= looker.reach_sq
            };
            free[hits] = (unit.min(id), unit.max(id));
            hits += usize::from(hit);
            tests += 1;
        }
        Onward {
            hits,
            tests,
            is_over: true,
        }
    }

    #[inline(always)]
    fn beyond(self, ats: &[f32; 16], axes: u16, place: Vec2) -> u32 {
        let mut beyond = 0;
        for (cut, at) in ats.iter().enumerate() {
            let coordinate = [place.x, place.y][usize::from(axes >> cut & 1)];
            beyond |= u32::from(coordinate > *at) << cut;
        }
        beyond
    }

    #[inline(always)]
    fn overlapping<const SIZED: bool>(
        self,
        free: &mut [UnitId],
        area: Aabb,
        bodies: Bodies<'_>,
        run: Range<usize>,
    ) -> usize {
        let mut count = 0;
        let begin = run.start;
        let ids = &bodies.ids[run.clone()];
        let (left, bottom) = (&bodies.left[run.clone()], &bodies.bottom[run]);
        let free = &mut free[..ids.len() + 1];
        for (place, &id) in ids.iter().enumerate() {
            let (right, top) = if SIZED {
                (bodies.right[begin + place], bodies.top[begin + place])
            } else {
                (left[place], bottom[place])
            };
            let hit = (left[place] <= area.max.x)
                & (area.min.x <= right)
                & (bottom[place] <= area.max.y)
                & (area.min.y <= top);
            free[count] = id;
            count += usize::from(hit);
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
        let mut count = 0;
        let begin = run.start;
        let ids = &bodies.ids[run.clone()];
        let (left, bottom) = (&bodies.left[run.clone()], &bodies.bottom[run]);
        let free = &mut free[..ids.len() + 1];
        let distances_sq = &mut distances_sq[..if FAR { ids.len() + 1 } else { 0 }];
        for (place, &id) in ids.iter().enumerate() {
            let (x, y) = if SIZED {
                (
                    (left[place] - point.x)
                        .max(point.x - bodies.right[begin + place])
                        .max(0.0),
                    (bottom[place] - point.y)
                        .max(point.y - bodies.top[begin + place])
                        .max(0.0),
                )
            } else {
                (left[place] - point.x, bottom[place] - point.y)
            };
            let distance_sq = x * x + y * y;
            free[count] = id;
            if FAR {
                distances_sq[count] = distance_sq;
            }
            count += usize::from(distance_sq <= limit_sq);
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
        let mut count = 0;
        for place in run {
            let body = bodies.body::<SIZED>(place);
            (free.left[count], free.bottom[count]) = (body.min.x, body.min.y);
            if SIZED {
                (free.right[count], free.top[count]) = (body.max.x, body.max.y);
            }
            free.ids[count] = bodies.ids[place];
            count += usize::from(body.gap_sq(area) <= reach_sq);
        }
        count
    }

    #[inline(always)]
    fn enclose<const SIZED: bool>(self, bodies: Bodies<'_>, run: Range<usize>) -> Aabb {
        let mut sum = Aabb::EMPTY;
        for place in run {
            sum = sum.join(bodies.body::<SIZED>(place));
        }
        sum
    }

    #[inline(always)]
    fn met_and_inside(self, boxes: &Boxes, area: Aabb) -> (u32, u32) {
        let (mut met, mut inside) = (0, 0);
        for at in 0..FOUR {
            let bounds = boxes.get(at);
            met |= u32::from(bounds.overlaps(area)) << at;
            inside |= u32::from(area.contains_box(bounds)) << at;
        }
        (met, inside)
    }

    #[inline(always)]
    fn near_and_within(self, boxes: &Boxes, point: Vec2, limit_sq: f32) -> (u32, u32) {
        let (mut near, mut within) = (0, 0);
        for at in 0..FOUR {
            let bounds = boxes.get(at);
            near |= u32::from(bounds.distance_sq(point) <= limit_sq) << at;
            let farthest = (bounds.max - point).max(point - bounds.min);
            within |= u32::from(farthest.length_squared() <= limit_sq) << at;
        }
        (near, within)
    }

    #[inline(always)]
    fn differing(self, words: &[u32; FOUR], word: u32) -> u32 {
        let bits = words.iter().enumerate();
        bits.fold(0, |set, (at, it)| set | u32::from(*it != word) << at)
    }

    #[inline(always)]
    fn overlapping_eight<const SIZED: bool>(self, bodies: Eight<'_>, area: Aabb3) -> u32 {
        let mut inside = [true; PADDING];
        for axis in 0..3 {
            let (low, high) = (&bodies.low[axis], &bodies.high[axis]);
            let (min, max) = (area.min[axis], area.max[axis]);
            for lane in 0..PADDING {
                inside[lane] &= (low[lane] <= max) & (min <= high[lane]);
            }
        }
        let bits = inside.iter().enumerate();
        bits.fold(0, |set, (lane, is_in)| set | u32::from(*is_in) << lane)
    }

    #[inline(always)]
    fn near_eight<const SIZED: bool>(
        self,
        bodies: Eight<'_>,
        body: Aabb3,
        reach_sq: f32,
    ) -> (u32, [f32; PADDING]) {
        let mut sums = [0.0; PADDING];
        for axis in 0..3 {
            let (min, max) = (body.min[axis], body.max[axis]);
            let (low, high) = (&bodies.low[axis], &bodies.high[axis]);
            for lane in 0..PADDING {
                let before = min - high[lane];
                // The gap of two points is the way between them, squared the same.
                let gap = if SIZED {
                    let behind = low[lane] - max;
                    // Comparisons, unlike `f32::max`, are one instruction for all lanes.
                    let gap = if behind > before { behind } else { before };
                    if gap > 0.0 { gap } else { 0.0 }
                } else {
                    before
                };
                sums[lane] += gap * gap;
            }
        }
        let bits = sums.iter().enumerate();
        let set = bits.fold(0, |set, (lane, sum)| {
            set | u32::from(*sum <= reach_sq) << lane
        });
        (set, sums)
    }

    #[inline(always)]
    fn pack_eight(self, free: &mut [UnitId], ids: &[UnitId; PADDING], set: u32) -> usize {
        let (free, mut left, mut count) = (&mut free[..PADDING], set, 0);
        while left != 0 && count < PADDING {
            free[count] = ids[left.trailing_zeros() as usize % PADDING];
            count += 1;
            left &= left - 1;
        }
        count
    }

    #[inline(always)]
    fn pair_eight(
        self,
        free: &mut [Pair],
        unit: UnitId,
        ids: &[UnitId; PADDING],
        set: u32,
    ) -> usize {
        let (free, mut left, mut count) = (&mut free[..PADDING], set, 0);
        while left != 0 && count < PADDING {
            let id = ids[left.trailing_zeros() as usize % PADDING];
            free[count] = (unit.min(id), unit.max(id));
            count += 1;
            left &= left - 1;
        }
        count
    }

    #[inline(always)]
    fn keep_least(self, least: &mut [i64; LEAST], more: &[i64]) {
        for &number in more {
            // Whoever is greater moves on by one place.
            for place in (1..LEAST).rev() {
                least[place] = least[place].min(least[place - 1].max(number));
            }
            least[0] = least[0].min(number);
        }
    }

    #[inline(always)]
    fn eight_small(self, numbers: &[f32], count: usize) -> [f32; LEAST] {
        // The two least of each lane, as the wide kernel has them.
        let mut small = [[f32::INFINITY; PADDING]; 2];
        for (place, &number) in numbers[..count].iter().enumerate() {
            let lane = place % PADDING;
            small[1][lane] = small[1][lane].min(small[0][lane].max(number));
            small[0][lane] = small[0][lane].min(number);
        }
        let mut least = [f32::INFINITY; LEAST];
        for number in small.into_iter().flatten() {
            for place in (1..LEAST).rev() {
                least[place] = least[place].min(least[place - 1].max(number));
            }
            least[0] = least[0].min(number);
        }
        least
    }

    #[inline(always)]
    fn cut(
        self,
        ids: &mut [UnitId],
        distances_sq: &mut [f32],
        count: usize,
        limit_sq: f32,
    ) -> usize {
        let mut kept = 0;
        for place in 0..count {
            let (id, distance_sq) = (ids[place], distances_sq[place]);
            (ids[kept], distances_sq[kept]) = (id, distance_sq);
            kept += usize::from(distance_sq <= limit_sq);
        }
        kept
    }

    #[inline(always)]
    fn ranks(self, keys: &[i64; FEW], count: usize) -> [u64; FEW] {
        let mut ranks = [0; FEW];
        for place in 0..count {
            for other in 0..place {
                let is_less = keys[other] < keys[place];
                ranks[place] += u64::from(is_less);
                ranks[other] += u64::from(!is_less);
            }
        }
        ranks
    }

    #[inline(always)]
    fn at_most(self, keys: &[i32], run: Range<usize>, limits: [i32; LIMITS]) -> [u32; LIMITS] {
        let mut counts = [0; LIMITS];
        for &key in &keys[run] {
            for (count, limit) in counts.iter_mut().zip(limits) {
                *count += u32::from(key <= limit);
            }
        }
        counts
    }

    #[inline(always)]
    fn extents(self, units: Keyed<'_>, run: Range<usize>) -> [[i32; 2]; 2] {
        let (mut low, mut high) = ([i32::MAX; 2], [i32::MIN; 2]);
        for axis in 0..2 {
            for &key in &units.keys[axis][run.clone()] {
                low[axis] = low[axis].min(key);
                high[axis] = high[axis].max(key);
            }
        }
        [low, high]
    }

    #[inline(always)]
    fn split(
        self,
        from: Keyed<'_>,
        run: Range<usize>,
        axis: usize,
        at: i32,
        to: KeyedMut<'_>,
        mut places: [usize; 2],
    ) {
        for place in run {
            let side = usize::from(from.keys[axis][place] > at);
            to.keys[0][places[side]] = from.keys[0][place];
            to.keys[1][places[side]] = from.keys[1][place];
            to.ids[places[side]] = from.ids[place];
            places[side] += 1;
        }
    }

    #[inline(always)]
    fn find_ways<const LEVELS: usize>(
        self,
        items: &[[i32; 3]],
        words: &[i32; WAYS],
        ways: &mut [u8],
    ) {
        find_ways::<LEVELS>(items, words, ways);
    }

    #[inline(always)]
    fn sort_out(
        self,
        lengths: &[u32],
        few: u32,
        short: &mut [u8],
        long: &mut [u8],
    ) -> (usize, usize) {
        let (mut short_count, mut long_count) = (0, 0);
        // Both without a branch: in a thin crowd it is a coin toss.
        for (place, &length) in lengths.iter().enumerate() {
            short[short_count] = place as u8;
            short_count += usize::from(0 < length && length <= few);
            long[long_count] = place as u8;
            long_count += usize::from(length > few);
        }
        (short_count, long_count)
    }

    #[inline(always)]
    fn fetch<T>(self, _items: &[T]) {}
}

/// `Kernel::find_ways`.
#[inline(always)]
pub(super) fn find_ways<const LEVELS: usize>(
    items: &[[i32; 3]],
    words: &[i32; WAYS],
    ways: &mut [u8],
) {
    for (item, way) in items.iter().zip(ways) {
        let mut at = 1;
        for _ in 0..LEVELS {
            let word = words[at % WAYS];
            let key = if word & 1 == 0 { item[0] } else { item[1] };
            at = 2 * at + usize::from(key > word);
        }
        *way = (at % (1 << LEVELS)) as u8;
    }
}

#[cfg(test)]
mod tests {
    use super::super::PADDING;
    use super::*;
    use crate::chance::Stream;

    /// The limit of distances, squared.
    const LIMIT_SQ: f32 = 4.0;

    /// Asks all questions about a run of bodies, and compares the answers with those that the boxes themselves give.
    fn answers_as_boxes_do<const SIZED: bool>(
        bodies: Bodies<'_>,
        run: Range<usize>,
        area: Aabb,
    ) -> usize {
        let room = run.len() + PADDING;
        let near = |limit: &dyn Fn(Aabb) -> bool| -> Vec<usize> {
            let is_near = |place: &usize| limit(bodies.body::<SIZED>(*place));
            run.clone().filter(is_near).collect()
        };
        let ids_of = |places: &[usize]| -> Vec<UnitId> {
            places.iter().map(|place| bodies.ids[*place]).collect()
        };

        let within_reach = near(&|body| body.gap_sq(area) <= LIMIT_SQ);
        let mut pairs = vec![(7, 7); room];
        let count = Plain.pack::<SIZED>(&mut pairs, 20, area, LIMIT_SQ, bodies, run.clone());
        let expected = ids_of(&within_reach);
        let expected: Vec<Pair> = expected
            .iter()
            .map(|id| (*id.min(&20), *id.max(&20)))
            .collect();
        // Points are asked about by points.
        if SIZED || area.size() == Vec2::ZERO {
            assert_eq!(pairs[..count], expected);
        }

        let mut ids = vec![7; room];
        let count = Plain.overlapping::<SIZED>(&mut ids, area, bodies, run.clone());
        assert_eq!(ids[..count], ids_of(&near(&|body| body.overlaps(area))));

        let mut far = vec![7.0; room];
        let point = area.min;
        let count =
            Plain.within::<SIZED, true>(&mut ids, &mut far, point, LIMIT_SQ, bodies, run.clone());
        let expected = near(&|body| body.distance_sq(point) <= LIMIT_SQ);
        assert_eq!(ids[..count], ids_of(&expected));
        for (far, place) in far[..count].iter().zip(expected) {
            assert_eq!(*far, bodies.body::<SIZED>(place).distance_sq(point));
        }

        let mut columns = [(); 4].map(|()| vec![7.0; room]);
        let [left, bottom, right, top] = &mut columns;
        let free = Copies::new(left, bottom, right, top, &mut ids);
        let count = Plain.gather::<SIZED>(free, area, LIMIT_SQ, bodies, run.clone());
        assert_eq!(ids[..count], ids_of(&within_reach));
        for (copy, place) in within_reach.iter().enumerate() {
            let body = bodies.body::<SIZED>(*place);
            let copied = columns.each_ref().map(|column| column[copy]);
            assert_eq!(copied[..2], body.min.to_array());
            assert!(!SIZED || copied[2..] == body.max.to_array());
        }

        let whole = |sum: Aabb, place| sum.join(bodies.body::<SIZED>(place));
        let enclosed = run.clone().fold(Aabb::EMPTY, whole);
        assert_eq!(Plain.enclose::<SIZED>(bodies, run), enclosed);
        count
    }

    #[test]
    fn the_plain_kernel_answers_as_the_boxes_themselves_do() {
        let mut stream = Stream::new(6);
        let mut hits = 0;
        for _ in 0..300 {
            let length = stream.below(30) as usize;
            let mut column = |most: u64| -> Vec<f32> {
                (0..length + PADDING)
                    .map(|_| stream.below(most) as f32 * 0.25)
                    .collect()
            };
            let (left, bottom) = (column(48), column(48));
            let upper = |lower: &[f32], sizes: Vec<f32>| -> Vec<f32> {
                lower
                    .iter()
                    .zip(sizes)
                    .map(|(lower, size)| lower + size)
                    .collect()
            };
            let (right, top) = (upper(&left, column(9)), upper(&bottom, column(9)));
            let ids: Vec<UnitId> = (0..(length + PADDING) as UnitId).collect();
            let begin = stream.below(length as u64 + 1) as usize;
            let corner = Vec2::new(stream.below(48) as f32, stream.below(48) as f32) * 0.25;
            let areas =
                [Vec2::ZERO, Vec2::new(2.0, 3.0)].map(|size| Aabb::new(corner, corner + size));
            for area in areas {
                let bodies = Bodies::new(&left, &bottom, &right, &top, &ids);
                hits += answers_as_boxes_do::<true>(bodies, begin..length, area);
                let points = Bodies::new(&left, &bottom, &[], &[], &ids);
                hits += answers_as_boxes_do::<false>(points, begin..length, area);
            }
        }
        assert!(hits > 1_000, "{hits}");
    }
}
