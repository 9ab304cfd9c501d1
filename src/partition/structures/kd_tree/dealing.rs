//! Dealing a crowd out many ways at a time, by the cuts of a sample of it.

use super::Rule;
use crate::partition::UnitId;
use crate::partition::toolkit::halves::Halver;
use crate::partition::toolkit::simd::{self, Kernel, Task, WAYS};
use crate::partition::toolkit::stack::Stack;

/// So many levels of cuts, at most, are made of one sample.
pub(super) const LEVELS: usize = 6;

// So many ways, at most, a crowd is dealt out at a time.
const _: () = assert!(WAYS == 1 << LEVELS);

/// So many stretches of a crowd are dealt out beside each other: where neighbours go the same way, each waits for the one before it.
const STRETCHES: usize = 4;

/// So many units of a sample, on average, decide on one way: the sizes of the parts are off by a quarter.
const SAMPLES: usize = 16;

/// Of a crowd below this size, half as many decide: it would cost too much to halve a larger share of them.
const SMALL: usize = 1 << 14;

/// A part that is so many times larger than the mean is a sign of a sample that does not show the crowd: that is halved at
/// its own median instead.
const SKEW: usize = 3;

/// A unit while the crowd is parted: the keys of where the middle of its box is, and its number.
pub(super) type Item = [i32; 3];

/// A number that is another one for each unit, in no order of theirs.
#[inline(always)]
fn mixed(unit: UnitId) -> u32 {
    unit.wrapping_mul(0x9E37_79B9)
}

/// A number in the order of the coordinate, which is another one for each unit: so a crowd on one line is parted like any other.
#[inline(always)]
fn rank_of(key: i32, unit: UnitId) -> i64 {
    i64::from(key) << 32 | i64::from(mixed(unit))
}

#[inline(always)]
fn rank(item: &Item, axis: usize) -> i64 {
    rank_of(item[axis], item[2] as UnitId)
}

/// A crowd that is to be dealt out.
pub(super) struct Dealing<'d> {
    pub from: &'d [Item],
    /// As many places.
    pub to: &'d mut [Item],
    /// Room for the way of each.
    pub ways: &'d mut [u8],
}

/// How a crowd has been dealt out.
pub(super) struct Dealt {
    /// The key of each cut, as a heap: below `i` are `2 * i` and `2 * i + 1`.
    pub keys: [i32; WAYS],
    /// The axis of each cut.
    pub axes: [u8; WAYS],
    /// How many went each way.
    pub counts: [u32; WAYS],
}

impl Dealing<'_> {
    /// Deals them out, if that goes well. A crowd has so many cuts above it.
    pub fn deal<const LEVELS: usize>(
        self,
        sample: &mut Vec<Item>,
        halver: &mut Halver,
        depth: u32,
        rule: Rule,
    ) -> Option<Dealt> {
        let Self { from, to, ways } = self;
        let used = 1 << LEVELS;
        if from.len() < used * SAMPLES {
            return None;
        }
        let mut splitters = [Splitter::default(); WAYS];
        let mut choose = |splitters: &mut [Splitter; WAYS], are_ranked| {
            simd::dispatch(Choosing::<LEVELS> {
                items: from,
                sample,
                halver,
                splitters,
                depth,
                rule,
                are_ranked,
            });
        };
        choose(&mut splitters, false);
        // Most crowds are parted well by their coordinates alone. Who stands on one line with many others is not: there the
        // units are told apart as well.
        let mut keys = splitters.map(|splitter| splitter.word);
        simd::dispatch(FindingWays::<LEVELS> {
            items: from,
            words: &keys,
            ways,
        });
        let mut counts = count(ways);
        if !are_even(&counts, used, from.len()) {
            choose(&mut splitters, true);
            keys = splitters.map(|splitter| (splitter.at >> 32) as i32);
            rank_ways::<LEVELS>(from, ways, &splitters);
            counts = count(ways);
            if !are_even(&counts, used, from.len()) {
                return None;
            }
        }
        deal(from, ways, &counts, to);
        Some(Dealt {
            keys,
            axes: splitters.map(|splitter| splitter.axis as u8),
            counts: std::array::from_fn(|way| going(&counts, way)),
        })
    }
}

/// A cut of the sample.
#[derive(Clone, Copy, Default)]
struct Splitter {
    /// Whoever has a greater [`rank`] is on the second side.
    at: i64,
    axis: u32,
    /// The coordinate of `at`, or the one next to it, so that the lowest bit is the axis: one number says all that there is to ask.
    word: i32,
}

impl Splitter {
    fn new(at: i64, axis: usize) -> Self {
        Self {
            at,
            axis: axis as u32,
            word: (at >> 32) as i32 & !1 | axis as i32,
        }
    }
}

/// Items about to find their ways by the words of the splitters, with whatever kernel there is.
struct FindingWays<'a, const LEVELS: usize> {
    items: &'a [Item],
    words: &'a [i32; WAYS],
    ways: &'a mut [u8],
}

impl<const LEVELS: usize> Task for FindingWays<'_, LEVELS> {
    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) {
        kernel.find_ways::<LEVELS>(self.items, self.words, self.ways);
    }
}

/// Finds which way each item goes by its rank.
fn rank_ways<const LEVELS: usize>(items: &[Item], ways: &mut [u8], splitters: &[Splitter; WAYS]) {
    for (item, way) in items.iter().zip(ways) {
        let mut at = 1;
        for _ in 0..LEVELS {
            let splitter = splitters[at % WAYS];
            at = 2 * at + usize::from(rank(item, splitter.axis as usize) > splitter.at);
        }
        *way = (at % (1 << LEVELS)) as u8;
    }
}

/// How many of each stretch go each way.
fn count(ways: &[u8]) -> [[u32; WAYS]; STRETCHES] {
    let mut counts = [[0; WAYS]; STRETCHES];
    let (stretches, rest) = stretches(ways);
    for place in 0..stretches[0].len() {
        for (counts, ways) in counts.iter_mut().zip(stretches) {
            counts[usize::from(ways[place]) % WAYS] += 1;
        }
    }
    for way in rest {
        counts[STRETCHES - 1][usize::from(*way) % WAYS] += 1;
    }
    counts
}

/// Stretches that are all as long, and what is left, which belongs to the last one.
#[inline(always)]
fn stretches<T>(items: &[T]) -> ([&[T]; STRETCHES], &[T]) {
    let length = items.len() / STRETCHES;
    let stretch = |number: usize| &items[number * length..][..length];
    (std::array::from_fn(stretch), &items[STRETCHES * length..])
}

/// Deals items out, those of each way together and in their order.
fn deal(items: &[Item], ways: &[u8], counts: &[[u32; WAYS]; STRETCHES], to: &mut [Item]) {
    let mut next = [[0_u32; WAYS]; STRETCHES];
    let mut sum = 0;
    for way in 0..WAYS {
        for (next, counts) in next.iter_mut().zip(counts) {
            next[way] = sum;
            sum += counts[way];
        }
    }
    let (ways, rest_ways) = stretches(ways);
    let (items, rest) = stretches(items);
    let mut put = |next: &mut [u32; WAYS], item: &Item, way: u8| {
        let place = &mut next[usize::from(way) % WAYS];
        to[*place as usize] = *item;
        *place += 1;
    };
    for place in 0..items[0].len() {
        for ((next, items), ways) in next.iter_mut().zip(items).zip(ways) {
            put(next, &items[place], ways[place]);
        }
    }
    for (item, way) in rest.iter().zip(rest_ways) {
        put(&mut next[STRETCHES - 1], item, *way);
    }
}

/// How many go a way.
fn going(counts: &[[u32; WAYS]; STRETCHES], way: usize) -> u32 {
    counts.iter().map(|counts| counts[way]).sum()
}

/// Whether none of so many ways takes far more or far fewer items than the mean.
fn are_even(counts: &[[u32; WAYS]; STRETCHES], ways: usize, items: usize) -> bool {
    let mean = items / ways;
    let even = mean / 8 + 1..=mean * SKEW;
    (0..ways).all(|way| even.contains(&(going(counts, way) as usize)))
}

/// A sample about to be parted, with whatever kernel there is: its cuts are a heap, below `i` are `2 * i` and `2 * i + 1`.
struct Choosing<'p, const LEVELS: usize> {
    items: &'p [Item],
    sample: &'p mut Vec<Item>,
    halver: &'p mut Halver,
    splitters: &'p mut [Splitter; WAYS],
    depth: u32,
    rule: Rule,
    /// Whether those of the same coordinate are told apart.
    are_ranked: bool,
}

impl<const LEVELS: usize> Task for Choosing<'_, LEVELS> {
    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) {
        let Self {
            items,
            sample,
            halver,
            splitters,
            depth,
            rule,
            are_ranked,
        } = self;
        take_sample::<LEVELS>(items, sample);
        if are_ranked {
            // Of those of the same coordinate the first ones come to the first side.
            sample.sort_unstable_by_key(|item| mixed(item[2] as UnitId));
        }
        let units = sample.iter().map(|&[x, y, unit]| ([x, y], unit as UnitId));
        let crowd = halver.take_in(units, 1 << LEVELS);
        let top = (crowd, halver.extent(kernel, crowd), 1_usize);
        let mut stack = Stack::<_, { super::dealing::LEVELS + 1 }>::new();
        stack.push(top);
        while let Some((crowd, extent, at)) = stack.pop() {
            let level = at.ilog2();
            let axis = rule.axis(depth + level, || extent.size());
            let ends = (extent.low[axis], extent.high[axis]);
            let pieces = 1 << (LEVELS as u32 - 1 - level);
            let halves = halver.halve(kernel, crowd, axis, ends, crowd.count / 2, pieces);
            let extents = halver.extents(kernel, halves);
            let key = extents[0].high[axis];
            let unit = if are_ranked {
                let (keys, units) = halver.columns(halves[0]);
                let last = keys[axis].iter().rposition(|other| *other == key);
                last.map_or(0, |last| units[last])
            } else {
                0
            };
            splitters[at % WAYS] = Splitter::new(rank_of(key, unit), axis);
            if pieces > 1 {
                stack.push((halves[1], extents[1], 2 * at + 1));
                stack.push((halves[0], extents[0], 2 * at));
            }
        }
    }
}

/// Takes a sample, of as many for each way.
fn take_sample<const LEVELS: usize>(items: &[Item], sample: &mut Vec<Item>) {
    let samples = if items.len() < SMALL {
        SAMPLES / 2
    } else {
        SAMPLES
    };
    let count = samples.min((items.len() / 4) >> LEVELS) << LEVELS;
    // Together the stretches are everybody, for the last of them may all stand in one place.
    let begin = |stretch: usize| stretch * items.len() / count;
    sample.clear();
    let mut chance = 0x2545_F491_u32;
    sample.extend((0..count).map(|place| {
        // Anywhere in its stretch: units that stand in ranks may be as many apart as a stretch is long.
        chance = chance.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
        let stretch = &items[begin(place)..begin(place + 1)];
        stretch[(chance >> 8) as usize % stretch.len()]
    }));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::Stream;
    use crate::partition::toolkit::simd::Plain;

    fn goes_the_same_way<const LEVELS: usize>(stream: &mut Stream) {
        let mut words = [0; WAYS];
        let mut number = |below| stream.below(below) as i32;
        words.fill_with(|| number(40) - 20);
        let items: Vec<Item> = (0..number(90))
            .map(|unit| [number(40) - 20, number(40) - 20, unit])
            .collect();
        let (mut best, mut plain) = (vec![77; items.len()], vec![7; items.len()]);
        let finding = |ways| FindingWays::<LEVELS> {
            items: &items,
            words: &words,
            ways,
        };
        simd::dispatch(finding(&mut best));
        finding(&mut plain).run(Plain);
        assert_eq!(best, plain);
        for (item, way) in items.iter().zip(best) {
            let mut at = 1;
            while at < 1 << LEVELS {
                let word = words[at];
                at = 2 * at + usize::from(item[(word & 1) as usize] > word);
            }
            assert_eq!(usize::from(way), at - (1 << LEVELS));
        }
    }

    #[test]
    fn both_kernels_find_the_ways_that_the_words_say() {
        let mut stream = Stream::new(8);
        for _ in 0..if cfg!(miri) { 4 } else { 300 } {
            goes_the_same_way::<3>(&mut stream);
            goes_the_same_way::<4>(&mut stream);
            goes_the_same_way::<5>(&mut stream);
            goes_the_same_way::<6>(&mut stream);
        }
    }

    #[test]
    fn items_are_dealt_out_in_their_order_however_many_there_are() {
        let mut stream = Stream::new(4);
        for count in [0, 1, 3, 4, 5, 1_003] {
            let items: Vec<Item> = (0..count).map(|unit| [0, 0, unit]).collect();
            let ways: Vec<u8> = items.iter().map(|_| stream.below(64) as u8).collect();
            let counts = super::count(&ways);
            let mut dealt = vec![[7; 3]; items.len()];
            deal(&items, &ways, &counts, &mut dealt);
            let mut expected = items.clone();
            expected.sort_by_key(|item| ways[item[2] as usize]);
            assert_eq!(dealt, expected);
            for way in 0..WAYS {
                let those = ways.iter().filter(|own| usize::from(**own) == way);
                assert_eq!(going(&counts, way) as usize, those.count());
            }
        }
    }

    #[test]
    fn a_sample_is_taken_of_everybody() {
        let items: Vec<Item> = (0..2_284).map(|unit| [0, 0, unit]).collect();
        let mut sample = Vec::new();
        take_sample::<6>(&items, &mut sample);
        assert_eq!(sample.len(), WAYS * SAMPLES / 2);
        let steps = sample.windows(2).map(|pair| pair[1][2] - pair[0][2]);
        assert!(steps.clone().all(|step| (1..10).contains(&step)));
        assert!(sample[0][2] < 5 && sample[sample.len() - 1][2] >= 2_279);
    }
}
