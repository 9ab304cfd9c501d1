//! The plain kernel and the best one that this processor has do the same.

use super::*;
use crate::chance::Stream;
use crate::geometry3::Vec3;
use crate::partition::toolkit::search::{Disc, Search};

/// A random coordinate on a lattice of quarters, so that many distances are exactly the reach.
fn coordinate(stream: &mut Stream) -> f32 {
    stream.below(48) as f32 * 0.25
}

/// What is asked of a run.
#[derive(Clone, Copy)]
enum Ask {
    Pairs,
    Overlapping,
    Within,
}

/// The limit of distances, squared.
const LIMIT_SQ: f32 = 1.0;

struct Run<'a> {
    ask: Ask,
    others: Bodies<'a>,
    places: Range<usize>,
    body: Aabb,
    found: &'a mut Vec<(Pair, f32)>,
}

impl Run<'_> {
    fn answer<K: Kernel, const SIZED: bool>(self, kernel: K) {
        let (others, places) = (self.others, self.places);
        let room = places.len() + PADDING;
        let (mut pairs, mut ids, mut distances) =
            (vec![(7, 7); room], vec![7; room], vec![7.0; room]);
        match self.ask {
            Ask::Pairs => {
                let count =
                    kernel.pack::<SIZED>(&mut pairs, 50, self.body, LIMIT_SQ, others, places);
                self.found
                    .extend(pairs[..count].iter().map(|pair| (*pair, 0.0)));
            }
            Ask::Overlapping => {
                let count = kernel.overlapping::<SIZED>(&mut ids, self.body, others, places);
                self.found
                    .extend(ids[..count].iter().map(|id| ((*id, 0), 0.0)));
            }
            Ask::Within => {
                let point = self.body.max;
                let count = kernel.within::<SIZED, true>(
                    &mut ids,
                    &mut distances,
                    point,
                    LIMIT_SQ,
                    others,
                    places,
                );
                let found = ids[..count].iter().zip(&distances[..count]);
                self.found.extend(found.map(|(id, far)| ((*id, 0), *far)));
            }
        }
    }
}

/// A task for both sizes.
struct Sized<'a>(Run<'a>, bool);

impl Task for Sized<'_> {
    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) {
        if self.1 {
            self.0.answer::<K, true>(kernel);
        } else {
            self.0.answer::<K, false>(kernel);
        }
    }
}

#[test]
fn a_floor_is_that_of_the_standard_library_as_far_as_there_is_one() {
    let mut values = vec![
        0.0_f32,
        -0.0,
        0.5,
        -0.5,
        1.0,
        -1.0,
        16_777_217.0,
        2.0e9,
        -2.0e9,
    ];
    let mut stream = Stream::new(4);
    values.extend((0..10_000).map(|_| stream.between(-3.0e4, 3.0e4)));
    for value in values {
        assert_eq!(floor(value), value.floor() as i32, "{value}");
    }
    assert!(floor(f32::INFINITY) > 2_147_483_000);
    assert!(floor(f32::NEG_INFINITY) < -2_147_483_000);
    assert_eq!(floor(f32::NAN), floor(f32::NEG_INFINITY));
}

#[test]
fn the_wide_kernel_finds_what_the_plain_one_finds_in_the_same_order() {
    let mut stream = Stream::new(3);
    // Miri runs some hundred times slower than the machine.
    let rounds = if cfg!(miri) { 200 } else { 4_000 };
    for round in 0..rounds {
        let sized = round % 2 == 1;
        let length = stream.below(40) as usize;
        let begin = stream.below(length as u64 + 1) as usize;
        let end = begin + stream.below((length - begin) as u64 + 1) as usize;
        let mut column = || -> Vec<f32> {
            (0..length + PADDING)
                .map(|_| coordinate(&mut stream))
                .collect()
        };
        let (left, bottom) = (column(), column());
        let (mut right, mut top) = (column(), column());
        for place in 0..right.len() {
            right[place] = left[place] + right[place] * 0.125;
            top[place] = bottom[place] + top[place] * 0.125;
        }
        let ids: Vec<UnitId> = (0..(length + PADDING) as u32).map(|id| id * 3).collect();
        let corner = Vec2::new(coordinate(&mut stream), coordinate(&mut stream));
        let size = if sized { Vec2::splat(0.5) } else { Vec2::ZERO };
        let others = if sized {
            Bodies::new(&left, &bottom, &right, &top, &ids)
        } else {
            Bodies::new(&left, &bottom, &[], &[], &ids)
        };
        let body = Aabb::new(corner, corner + size);
        for ask in [Ask::Pairs, Ask::Overlapping, Ask::Within] {
            let (mut best, mut plain) = (Vec::new(), Vec::new());
            let run = |found| {
                let places = begin..end;
                let run = Run {
                    ask,
                    others,
                    places,
                    body,
                    found,
                };
                Sized(run, sized)
            };
            dispatch(run(&mut best));
            run(&mut plain).run(Plain);
            assert_eq!(best, plain);
            let expected: Vec<(Pair, f32)> = (begin..end)
                .filter_map(|place| {
                    let other = if sized {
                        others.body::<true>(place)
                    } else {
                        others.body::<false>(place)
                    };
                    let id = ids[place];
                    let far = other.distance_sq(body.max);
                    match ask {
                        Ask::Pairs => (body.gap_sq(other) <= LIMIT_SQ)
                            .then_some(((id.min(50), id.max(50)), 0.0)),
                        Ask::Overlapping => body.overlaps(other).then_some(((id, 0), 0.0)),
                        Ask::Within => (far <= LIMIT_SQ).then_some(((id, 0), far)),
                    }
                })
                .collect();
            assert_eq!(plain, expected);
        }
    }
}

/// Bodies that follow each other, each with those behind it and before its own end.
struct Abreast<'a> {
    bodies: Bodies<'a>,
    sized: bool,
    first: usize,
    ends: [u32; PADDING],
    found: &'a mut Vec<Pair>,
}

impl Task for Abreast<'_> {
    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) {
        let Self {
            bodies,
            first,
            ends,
            ..
        } = self;
        let lanes = ends.iter().zip(first + 1..);
        let most = lanes.map(|(end, behind)| (*end as usize).saturating_sub(behind));
        let most = most.max().unwrap_or(0);
        let mut free = vec![(7, 7); PADDING * (most + 1)];
        let count = if self.sized {
            kernel.pack_abreast::<true>(&mut free, LIMIT_SQ, bodies, first, &ends)
        } else {
            kernel.pack_abreast::<false>(&mut free, LIMIT_SQ, bodies, first, &ends)
        };
        self.found.extend_from_slice(&free[..count]);
    }
}

#[test]
fn those_who_are_tested_abreast_find_what_each_would_find_alone() {
    let mut stream = Stream::new(5);
    for round in 0..if cfg!(miri) { 100 } else { 3_000 } {
        let sized = round % 2 == 1;
        let length = 1 + stream.below(30) as usize;
        let mut column = |scale: f32| -> Vec<f32> {
            (0..length + PADDING)
                .map(|_| coordinate(&mut stream) * scale)
                .collect()
        };
        // Some stand on a few spots, so that nearly all of a run are hits.
        let scale = [1.0, 0.1][round / 2 % 2];
        let (left, bottom) = (column(scale), column(scale));
        let (mut right, mut top) = (column(0.125), column(0.125));
        for place in 0..right.len() {
            right[place] += left[place];
            top[place] += bottom[place];
        }
        let ids: Vec<UnitId> = (0..(length + PADDING) as u32)
            .map(|id| id * 7 % 41)
            .collect();
        let bodies = if sized {
            Bodies::new(&left, &bottom, &right, &top, &ids)
        } else {
            Bodies::new(&left, &bottom, &[], &[], &ids)
        };
        let first = stream.below(length as u64) as usize;
        let mut ends = [0; PADDING];
        for (place, end) in (first..length).zip(&mut ends) {
            // Of some it lies before whoever would be the first behind them.
            *end = (place as u64 + stream.below((length - place + 1) as u64)) as u32;
        }
        let (mut best, mut plain) = (Vec::new(), Vec::new());
        let of = |found| Abreast {
            bodies,
            sized,
            first,
            ends,
            found,
        };
        dispatch(of(&mut best));
        of(&mut plain).run(Plain);
        let mut expected = Vec::new();
        for (place, end) in (first..).zip(ends) {
            for other in place + 1..end as usize {
                let is_near = if sized {
                    bodies
                        .body::<true>(place)
                        .gap_sq(bodies.body::<true>(other))
                        <= LIMIT_SQ
                } else {
                    bodies
                        .body::<false>(place)
                        .gap_sq(bodies.body::<false>(other))
                        <= LIMIT_SQ
                };
                let (a, b) = (ids[place], ids[other]);
                expected.extend(is_near.then_some((a.min(b), a.max(b))));
            }
        }
        for found in [&mut best, &mut plain, &mut expected] {
            found.sort();
        }
        assert_eq!((&best, &plain), (&expected, &expected));
    }
}

/// Keeps the least of some numbers with a kernel.
struct Keep<'a>(&'a [i64], &'a mut [i64; LEAST]);

impl Task for Keep<'_> {
    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) {
        let (once, again) = self.0.split_at(self.0.len() / 2);
        kernel.keep_least(self.1, once);
        kernel.keep_least(self.1, again);
    }
}

#[test]
fn both_kernels_keep_the_least_numbers_sorted() {
    let mut stream = Stream::new(8);
    for length in 0..60 {
        let numbers: Vec<i64> = (0..length)
            .map(|_| (stream.below(1 << 40) as i64) << stream.below(23) as i64)
            .collect();
        let (mut best, mut plain) = ([i64::MAX; LEAST], [i64::MAX; LEAST]);
        dispatch(Keep(&numbers, &mut best));
        Keep(&numbers, &mut plain).run(Plain);
        let mut expected = numbers;
        expected.extend([i64::MAX; LEAST]);
        expected.sort();
        assert_eq!(
            (best.as_slice(), plain.as_slice()),
            (&expected[..LEAST], &expected[..LEAST])
        );
    }
}

/// Copies those of a run that are near an area, and keeps their columns.
struct Gathering<'a> {
    others: Bodies<'a>,
    places: Range<usize>,
    area: Aabb,
    sized: bool,
    found: &'a mut Vec<(UnitId, [f32; 4])>,
}

impl Gathering<'_> {
    fn answer<K: Kernel, const SIZED: bool>(self, kernel: K) {
        let room = self.places.len() + PADDING;
        let mut columns = [(); 4].map(|()| vec![7.0; room]);
        let mut ids = vec![7; room];
        let [left, bottom, right, top] = &mut columns;
        let free = Copies::new(left, bottom, right, top, &mut ids);
        let count = kernel.gather::<SIZED>(free, self.area, LIMIT_SQ, self.others, self.places);
        self.found.extend((0..count).map(|place| {
            let [left, bottom, right, top] = columns.each_ref().map(|column| column[place]);
            // The upper columns of points are not written.
            let upper = if SIZED { [right, top] } else { [left, bottom] };
            (ids[place], [left, bottom, upper[0], upper[1]])
        }));
    }
}

impl Task for Gathering<'_> {
    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) {
        if self.sized {
            self.answer::<K, true>(kernel);
        } else {
            self.answer::<K, false>(kernel);
        }
    }
}

#[test]
fn both_kernels_copy_those_who_are_near_in_their_order() {
    let mut stream = Stream::new(5);
    let rounds = if cfg!(miri) { 100 } else { 1_000 };
    let mut copied = 0;
    for round in 0..rounds {
        let sized = round % 2 == 1;
        let length = stream.below(40) as usize;
        let begin = stream.below(length as u64 + 1) as usize;
        let end = begin + stream.below((length - begin) as u64 + 1) as usize;
        let mut column = || -> Vec<f32> {
            (0..length + PADDING)
                .map(|_| coordinate(&mut stream))
                .collect()
        };
        let (left, bottom) = (column(), column());
        let right: Vec<f32> = left.iter().map(|left| left + 0.5).collect();
        let top: Vec<f32> = bottom.iter().map(|bottom| bottom + 0.25).collect();
        let ids: Vec<UnitId> = (0..(length + PADDING) as u32).map(|id| id * 3).collect();
        let others = if sized {
            Bodies::new(&left, &bottom, &right, &top, &ids)
        } else {
            Bodies::new(&left, &bottom, &[], &[], &ids)
        };
        let corner = Vec2::new(coordinate(&mut stream), coordinate(&mut stream));
        let area = Aabb::new(corner, corner + Vec2::splat(2.0));
        let (mut best, mut plain) = (Vec::new(), Vec::new());
        let gathering = |found| Gathering {
            others,
            places: begin..end,
            area,
            sized,
            found,
        };
        dispatch(gathering(&mut best));
        gathering(&mut plain).run(Plain);
        let expected: Vec<_> = (begin..end)
            .filter_map(|place| {
                let body = if sized {
                    others.body::<true>(place)
                } else {
                    others.body::<false>(place)
                };
                let columns = [body.min.x, body.min.y, body.max.x, body.max.y];
                (body.gap_sq(area) <= LIMIT_SQ).then_some((ids[place], columns))
            })
            .collect();
        assert_eq!(plain, expected);
        assert_eq!(best, expected);
        copied += expected.len();
    }
    assert!(copied > rounds / 10, "{copied}");
}

/// What is asked of four boxes and of four words.
struct AskFour<'a> {
    boxes: &'a Boxes,
    area: Aabb,
    words: [u32; FOUR],
    found: &'a mut [u32; 5],
}

impl Task for AskFour<'_> {
    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) {
        let (met, inside) = kernel.met_and_inside(self.boxes, self.area);
        let (near, within) = kernel.near_and_within(self.boxes, self.area.min, LIMIT_SQ);
        let differing = kernel.differing(&self.words, self.words[0]);
        *self.found = [met, inside, near, within, differing];
    }
}

#[test]
fn both_kernels_find_of_four_boxes_what_the_predicates_say() {
    let mut stream = Stream::new(7);
    let mut seen = [0; 5];
    for _ in 0..if cfg!(miri) { 100 } else { 4_000 } {
        let mut place = || Vec2::new(coordinate(&mut stream), coordinate(&mut stream)) * 0.25;
        let all: [Aabb; FOUR] =
            std::array::from_fn(|at| Aabb::around(place(), Vec2::splat(0.25 * at as f32)));
        let (a, b) = (place(), place());
        let area = Aabb::new(a.min(b), a.max(b));
        let mut boxes = Boxes::ZERO;
        for (at, bounds) in all.into_iter().enumerate() {
            boxes.set(at, bounds);
            assert_eq!(boxes.get(at), bounds);
        }
        let words = std::array::from_fn(|_| stream.below(2) as u32 * u32::MAX);
        let ask = |found| AskFour {
            boxes: &boxes,
            area,
            words,
            found,
        };
        let (mut best, mut plain) = ([0; 5], [0; 5]);
        dispatch(ask(&mut best));
        ask(&mut plain).run(Plain);
        let bits = |is_in: &dyn Fn(usize) -> bool| {
            (0..FOUR).fold(0, |set, at| set | u32::from(is_in(at)) << at)
        };
        let disc = Disc::new(area.min, LIMIT_SQ.sqrt());
        let expected = [
            bits(&|at| all[at].overlaps(area)),
            bits(&|at| area.contains_box(all[at])),
            bits(&|at| disc.holds(all[at])),
            bits(&|at| disc.swallows(all[at])),
            bits(&|at| words[at] != words[0]),
        ];
        assert_eq!((best, plain), (expected, expected));
        for (seen, set) in seen.iter_mut().zip(expected) {
            *seen |= set;
        }
    }
    assert!(seen.iter().all(|set| *set != 0), "{seen:?}");
}

/// What is asked of eight bodies in space, and what came of it.
struct AskEight<'a> {
    bodies: Eight<'a>,
    is_sized: bool,
    body: Aabb3,
    ids: &'a [UnitId; PADDING],
    /// Whose bits are set where results are packed.
    set: u32,
    found: &'a mut EightFound,
}

#[derive(Debug, Default, PartialEq)]
struct EightFound {
    overlapping: u32,
    near: u32,
    distances_sq: [f32; PADDING],
    packed: Vec<UnitId>,
    pairs: Vec<Pair>,
}

impl AskEight<'_> {
    fn answer<K: Kernel, const SIZED: bool>(self, kernel: K) {
        let (near, distances_sq) = kernel.near_eight::<SIZED>(self.bodies, self.body, LIMIT_SQ);
        let (mut packed, mut pairs) = (vec![7; PADDING], vec![(7, 7); PADDING]);
        let count = kernel.pack_eight(&mut packed, self.ids, self.set);
        packed.truncate(count);
        let count = kernel.pair_eight(&mut pairs, 12, self.ids, self.set);
        pairs.truncate(count);
        *self.found = EightFound {
            overlapping: kernel.overlapping_eight::<SIZED>(self.bodies, self.body),
            near,
            distances_sq,
            packed,
            pairs,
        };
    }
}

impl Task for AskEight<'_> {
    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) {
        if self.is_sized {
            self.answer::<K, true>(kernel);
        } else {
            self.answer::<K, false>(kernel);
        }
    }
}

#[test]
fn both_kernels_find_of_eight_bodies_in_space_what_the_predicates_say() {
    let mut stream = Stream::new(5);
    for round in 0..if cfg!(miri) { 100 } else { 2_000 } {
        let is_sized = round % 2 == 1;
        let mut place =
            || Vec3::from_array(std::array::from_fn(|_| coordinate(&mut stream) * 0.25));
        let size = if is_sized { 0.25 } else { 0.0 };
        let boxes: [Aabb3; PADDING] =
            std::array::from_fn(|lane| Aabb3::around(place(), Vec3::splat(size * lane as f32)));
        let body = Aabb3::around(place(), Vec3::splat(size));
        let column = |corner: fn(&Aabb3) -> Vec3| -> [[f32; PADDING]; 3] {
            std::array::from_fn(|axis| boxes.map(|it| corner(&it)[axis]))
        };
        let (low, high) = (column(|it| it.min), column(|it| it.max));
        let ids = std::array::from_fn(|lane| 3 * lane as u32);
        let set = stream.below(256) as u32;
        let ask = |found| AskEight {
            bodies: Eight {
                low: &low,
                high: &high,
            },
            is_sized,
            body,
            ids: &ids,
            set,
            found,
        };
        let (mut best, mut plain) = (EightFound::default(), EightFound::default());
        dispatch(ask(&mut best));
        ask(&mut plain).run(Plain);
        assert_eq!(best, plain);
        let bits = |is_in: &dyn Fn(Aabb3) -> bool| {
            let lanes = boxes.iter().enumerate();
            lanes.fold(0, |set, (lane, it)| set | u32::from(is_in(*it)) << lane)
        };
        let members = || (0..PADDING).filter(|lane| set >> lane & 1 == 1);
        let expected = EightFound {
            overlapping: bits(&|it| it.overlaps(body)),
            near: bits(&|it| it.gap_sq(body) <= LIMIT_SQ),
            distances_sq: boxes.map(|it| it.gap_sq(body)),
            packed: members().map(|lane| ids[lane]).collect(),
            pairs: members()
                .map(|lane| (ids[lane].min(12), ids[lane].max(12)))
                .collect(),
        };
        assert_eq!(plain, expected);
    }
}

/// The small ones of some numbers, which of them are at most so large, and how they stand to each other.
struct Sorting<'a> {
    /// With padding.
    numbers: &'a [f32],
    count: usize,
    limit: f32,
    keys: &'a [i64; FEW],
    found: &'a mut SortingFound,
}

#[derive(Debug, Default, PartialEq)]
struct SortingFound {
    small: [f32; LEAST],
    cut: Vec<(UnitId, f32)>,
    ranks: Vec<u64>,
}

impl Task for Sorting<'_> {
    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) {
        let mut numbers = self.numbers.to_vec();
        let mut ids: Vec<UnitId> = (0..numbers.len() as UnitId).collect();
        let small = kernel.eight_small(&numbers, self.count);
        let kept = kernel.cut(&mut ids, &mut numbers, self.count, self.limit);
        let count = self.count.min(FEW);
        *self.found = SortingFound {
            small,
            cut: ids.into_iter().zip(numbers).take(kept).collect(),
            ranks: kernel.ranks(self.keys, count)[..count].to_vec(),
        };
    }
}

#[test]
fn both_kernels_find_the_small_numbers_cut_the_others_and_rank_those_left() {
    let mut stream = Stream::new(11);
    for round in 0..if cfg!(miri) { 60 } else { 2_000 } {
        let count = round % 60;
        // What is behind them is less than all of them.
        let numbers: Vec<f32> = (0..count)
            .map(|_| 0.25 * (1 + stream.below(90)) as f32)
            .chain([0.0; PADDING])
            .collect();
        let limit = 0.25 * stream.below(90) as f32;
        let mut keys = [i64::MAX; FEW];
        for (place, key) in keys.iter_mut().take(count).enumerate() {
            *key = (stream.below(5) as i64) << 32 | place as i64;
        }
        let sorting = |found| Sorting {
            numbers: &numbers,
            count,
            limit,
            keys: &keys,
            found,
        };
        let (mut best, mut plain) = (SortingFound::default(), SortingFound::default());
        dispatch(sorting(&mut best));
        sorting(&mut plain).run(Plain);
        assert_eq!(best, plain);

        let mut sorted = numbers[..count].to_vec();
        sorted.sort_by(f32::total_cmp);
        sorted.resize(sorted.len().max(LEAST), f32::INFINITY);
        for (small, least) in plain.small.iter().zip(&sorted) {
            assert!(if count <= FEW {
                small == least
            } else {
                small >= least
            });
        }
        assert!(plain.small.is_sorted());
        let near = (0..count).filter(|place| numbers[*place] <= limit);
        let near: Vec<_> = near
            .map(|place| (place as UnitId, numbers[place]))
            .collect();
        assert_eq!(plain.cut, near);
        for (place, rank) in plain.ranks.iter().enumerate() {
            let below = keys.iter().filter(|key| **key < keys[place]).count();
            assert_eq!(*rank, below as u64);
        }
    }
}

/// A look ahead until it is over, with as much room as there is, again and again.
struct LookAhead<'a> {
    looker: Looker,
    others: Bodies<'a>,
    sized: bool,
    first: usize,
    room: usize,
    found: &'a mut (Vec<Pair>, Vec<Onward>),
}

impl Task for LookAhead<'_> {
    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) {
        let mut place = self.first;
        loop {
            let mut free = vec![(7, 7); self.room];
            let (looker, others) = (self.looker, self.others);
            let onward = if self.sized {
                kernel.pack_onward::<true>(&mut free, looker, others, place)
            } else {
                kernel.pack_onward::<false>(&mut free, looker, others, place)
            };
            self.found.0.extend_from_slice(&free[..onward.hits]);
            self.found.1.push(onward);
            if onward.is_over {
                return;
            }
            place += onward.tests;
        }
    }
}

#[test]
fn both_kernels_look_ahead_as_far_as_the_limit_and_stop_where_room_ends() {
    let mut stream = Stream::new(12);
    let mut stops = 0;
    for round in 0..if cfg!(miri) { 100 } else { 3_000 } {
        let sized = round % 2 == 1;
        let length = stream.below(60) as usize;
        let mut left: Vec<f32> = (0..length)
            .map(|_| 0.25 * coordinate(&mut stream))
            .collect();
        left.sort_by(f32::total_cmp);
        left.resize(length + PADDING, f32::INFINITY);
        let mut column = || -> Vec<f32> {
            let numbers = (0..length).map(|_| 0.25 * coordinate(&mut stream));
            numbers.chain([0.0; PADDING]).collect()
        };
        let (bottom, sizes) = (column(), column());
        let upper = |lower: &[f32]| -> Vec<f32> {
            lower
                .iter()
                .zip(&sizes)
                .map(|(lower, size)| lower + 0.25 * size)
                .collect()
        };
        let (right, top) = (upper(&left), upper(&bottom));
        let ids: Vec<UnitId> = (0..(length + PADDING) as u32).map(|id| id * 3).collect();
        let others = if sized {
            Bodies::new(&left, &bottom, &right, &top, &ids)
        } else {
            Bodies::new(&left, &bottom, &[], &[], &ids)
        };
        let first = stream.below(length as u64 + 1) as usize;
        let corner = Vec2::new(left[first].min(9.0), 0.25 * coordinate(&mut stream));
        let size = if sized { Vec2::splat(0.5) } else { Vec2::ZERO };
        let body = Aabb::new(corner, corner + size);
        // The reach is one metre, and what may be reached a little more.
        let looker = Looker {
            unit: 50,
            body,
            reach_sq: LIMIT_SQ,
            limit: body.max.x + 1.25,
        };
        let room = PADDING + stream.below(20) as usize;
        let look = |found| LookAhead {
            looker,
            others,
            sized,
            first,
            room,
            found,
        };
        let (mut best, mut plain) = Default::default();
        dispatch(look(&mut best));
        look(&mut plain).run(Plain);
        assert_eq!(best, plain);
        let ahead: Vec<usize> = (first..length)
            .filter(|place| left[*place] <= looker.limit)
            .collect();
        let is_near = |place: &usize| {
            let other = if sized {
                others.body::<true>(*place)
            } else {
                others.body::<false>(*place)
            };
            body.gap_sq(other) <= LIMIT_SQ
        };
        let near = ahead.iter().filter(|place| is_near(place));
        let expected: Vec<Pair> = near
            .map(|place| (ids[*place].min(50), ids[*place].max(50)))
            .collect();
        assert_eq!(plain.0, expected);
        let tests: usize = plain.1.iter().map(|onward| onward.tests).sum();
        assert_eq!(tests, ahead.len());
        stops += plain.1.len() - 1;
    }
    assert!(cfg!(miri) || stops > 100, "{stops}");
}

/// Beyond which of sixteen cuts a place is.
struct Beyond<'a> {
    ats: &'a [f32; 16],
    axes: u16,
    place: Vec2,
    found: &'a mut u32,
}

impl Task for Beyond<'_> {
    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) {
        *self.found = kernel.beyond(self.ats, self.axes, self.place);
    }
}

#[test]
fn all_kernels_say_alike_beyond_which_cuts_a_place_is() {
    let mut stream = Stream::new(3);
    for _ in 0..500 {
        let ats: [f32; 16] = std::array::from_fn(|_| stream.below(9) as f32);
        let axes = stream.below(1 << 16) as u16;
        let place = Vec2::new(stream.below(9) as f32, stream.below(9) as f32);
        let ask = |found| Beyond {
            ats: &ats,
            axes,
            place,
            found,
        };
        let (mut best, mut plain) = (0, 0);
        dispatch(ask(&mut best));
        ask(&mut plain).run(Plain);
        for (cut, at) in ats.iter().enumerate() {
            let coordinate = place[usize::from(axes >> cut & 1)];
            assert_eq!(plain >> cut & 1 == 1, coordinate > *at);
        }
        assert_eq!(best, plain);
    }
}

/// Which of these runs are short, and which are long.
struct SortOut<'a> {
    lengths: &'a [u32],
    few: u32,
    found: &'a mut [Vec<u8>; 2],
}

impl Task for SortOut<'_> {
    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) {
        let (mut short, mut long) = ([77; 256], [77; 256]);
        let room = self.lengths.len();
        let (shorts, longs) = kernel.sort_out(
            self.lengths,
            self.few,
            &mut short[..room],
            &mut long[..room],
        );
        *self.found = [short[..shorts].to_vec(), long[..longs].to_vec()];
    }
}

#[test]
fn all_kernels_sort_runs_out_alike_by_their_lengths() {
    let mut stream = Stream::new(8);
    for round in 0..if cfg!(miri) { 30 } else { 500 } {
        // From none to as many as have room, and in some rounds all of one kind.
        let count = PADDING * (round % 33);
        let (few, most) = [(8, 20), (0, 3), (8, 1), (0, i32::MAX as u64)][round % 4];
        let lengths: Vec<u32> = (0..count).map(|_| stream.below(most) as u32).collect();
        let ask = |found| SortOut {
            lengths: &lengths,
            few,
            found,
        };
        let (mut best, mut plain) = Default::default();
        dispatch(ask(&mut best));
        ask(&mut plain).run(Plain);
        let those = |is_one: &dyn Fn(u32) -> bool| -> Vec<u8> {
            let places = (0..count).filter(|place| is_one(lengths[*place]));
            places.map(|place| place as u8).collect()
        };
        let short = those(&|length| 0 < length && length <= few);
        assert_eq!(plain, [short, those(&|length| length > few)]);
        assert_eq!(best, plain);
    }
}
