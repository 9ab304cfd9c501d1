//! Parting a crowd until no part is larger than a leaf: dealing the units out many ways at a time, halving what is left exactly, and
//! packing the cuts into nodes.

use super::Rule;
use super::nodes::Cut;
use crate::geometry::{Aabb, Vec2};
use crate::partition::toolkit::boxes::WIDTH;
use crate::partition::toolkit::threads::{front_mut, threads_for};
use crate::partition::{Bodies, UnitId};
use rayon::prelude::*;

/// A crowd is dealt out by the medians of a sample into parts of so many thirds of leaves, and these are halved at their own
/// medians.
const PART: usize = 4;

/// So many levels of cuts, at most, are made of one sample.
const LEVELS: usize = 6;

/// So many ways, at most, a crowd is dealt out at a time.
const WAYS: usize = 1 << LEVELS;

/// So many units of a sample, on average, decide on one way: the sizes of the parts are off by a quarter.
const SAMPLES: usize = 16;

/// Of a crowd below this size, half as many decide: it would cost too much to halve a larger share of them.
const SMALL: usize = 1 << 14;

/// A node of fewer children than this is not worth a look.
const FEW: usize = WIDTH / 4;

/// Before the others are given to several threads, a crowd is parted until there are so many crowds for each.
const JOBS: usize = 8;

/// A part that is so many times larger than the mean is a sign of a sample that does not show the crowd: that is halved at
/// its own median instead.
const SKEW: usize = 3;

/// A number in the order of coordinates, for it is quicker to compare.
#[inline(always)]
fn key_of(coordinate: f32) -> i32 {
    let bits = coordinate.to_bits() as i32;
    bits ^ ((bits >> 31) as u32 >> 1) as i32
}

/// The coordinate of a number.
#[inline(always)]
fn coordinate_of(key: i32) -> f32 {
    f32::from_bits((key ^ ((key >> 31) as u32 >> 1) as i32) as u32)
}

/// A unit while the crowd is parted.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Item {
    /// Where the middle of its box is.
    keys: [i32; 2],
    pub unit: UnitId,
}

impl Item {
    #[inline(always)]
    fn new(unit: UnitId, middle: Vec2) -> Self {
        Self {
            keys: [key_of(middle.x), key_of(middle.y)],
            unit,
        }
    }

    #[inline(always)]
    pub fn middle(self) -> Vec2 {
        Vec2::new(coordinate_of(self.keys[0]), coordinate_of(self.keys[1]))
    }

    /// Whether it is on the second side of a splitter with this [word](Splitter::word).
    #[inline(always)]
    fn is_behind(&self, word: i32) -> bool {
        let key = if word & 1 == 0 {
            self.keys[0]
        } else {
            self.keys[1]
        };
        key > word
    }

    /// A number in the order of the coordinate, which is another one for each unit: so a crowd on one line is parted like any
    /// other.
    #[inline(always)]
    fn rank(self, axis: usize) -> i64 {
        i64::from(self.keys[axis]) << 32 | i64::from(self.unit.wrapping_mul(0x9E37_79B9))
    }
}

/// What is on one side of a cut, before it has a place in the tree: a cut or a run of items.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Branch {
    Cut(u32),
    Run(u32),
}

/// A cut before it has a place in a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Draft {
    pub cut: Cut,
    pub sides: [Branch; 2],
    /// How many children the node has of which this is the first cut, as far as is known.
    width: u8,
    /// Whether it is the first cut of a node.
    pub is_first: bool,
}

/// A stretch of one of the two rows of items.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    pub begin: u32,
    pub end: u32,
    pub row: u8,
}

/// A crowd that is to be parted.
#[derive(Clone, Copy, Debug)]
struct Job {
    run: Run,
    depth: u32,
    above: Above,
}

/// What a crowd hangs on: a cut, and on which side of that it is.
#[derive(Clone, Copy, Debug)]
enum Above {
    /// It is everybody.
    Nothing,
    /// A cut that was drafted where the crowd is parted.
    Cut(u32, usize),
    /// A cut that was drafted before the crowd was given to a thread of its own.
    Before(u32, usize),
}

/// Room to build in, kept so that a rebuild does not have to ask for memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Builder {
    /// The units, and as many places to deal them out to.
    pub rows: [Vec<Item>; 2],
    /// The way that each item goes.
    ways: Vec<u8>,
    pub plan: Plan,
    /// What other threads have planned, before it is joined to the plan.
    others: Vec<Plan>,
    /// Nodes to be written: the first cut, the place in the node above, the cell.
    pub nodes: Vec<(Branch, u32, Aabb)>,
    /// The run of each leaf.
    pub planted: Vec<u32>,
}

/// How some crowd is parted.
#[derive(Clone, Debug, Default)]
pub(super) struct Plan {
    sample: Vec<Item>,
    pub drafts: Vec<Draft>,
    pub runs: Vec<Run>,
    jobs: Vec<Job>,
    /// What hangs on cuts that were drafted [before](Above::Before).
    hung: Vec<(u32, usize, Branch)>,
}

impl Plan {
    fn clear(&mut self) {
        self.drafts.clear();
        self.runs.clear();
        self.jobs.clear();
        self.hung.clear();
    }

    /// Joins what another thread has planned.
    fn join(&mut self, other: &Self) {
        let (drafts, runs) = (self.drafts.len() as u32, self.runs.len() as u32);
        let here = |branch| match branch {
            Branch::Cut(cut) => Branch::Cut(drafts + cut),
            Branch::Run(run) => Branch::Run(runs + run),
        };
        self.drafts.extend(other.drafts.iter().map(|draft| Draft {
            sides: draft.sides.map(here),
            ..*draft
        }));
        self.runs.extend_from_slice(&other.runs);
        for &(cut, side, branch) in &other.hung {
            self.drafts[cut as usize].sides[side] = here(branch);
        }
    }

    fn byte_count(&self) -> usize {
        self.sample.capacity() * size_of::<Item>()
            + self.drafts.capacity() * size_of::<Draft>()
            + self.runs.capacity() * size_of::<Run>()
            + self.jobs.capacity() * size_of::<Job>()
            + self.hung.capacity() * size_of::<(u32, usize, Branch)>()
    }
}

/// Units that follow each other in both rows, which one thread parts.
struct Parter<'b> {
    /// The place of the first of them in the rows.
    first: usize,
    rows: [&'b mut [Item]; 2],
    ways: &'b mut [u8],
    plan: &'b mut Plan,
    leaf_size: usize,
    rule: Rule,
    may_sample: bool,
}

impl Builder {
    pub fn byte_count(&self) -> usize {
        (self.rows[0].capacity() + self.rows[1].capacity()) * size_of::<Item>()
            + self.ways.capacity()
            + self.plan.byte_count()
            + self.others.capacity() * size_of::<Plan>()
            + self.others.iter().map(Plan::byte_count).sum::<usize>()
            + self.nodes.capacity() * size_of::<(Branch, u32, Aabb)>()
            + self.planted.capacity() * size_of::<u32>()
    }

    /// Takes in the units alive.
    pub fn take_in(&mut self, bodies: Bodies<'_>) {
        let items = &mut self.rows[0];
        items.clear();
        if bodies.are_sized() {
            let ids = bodies.ids();
            items.extend(ids.map(|unit| Item::new(unit, bodies.aabb(unit).center())));
        } else if bodies.alive.is_empty() {
            let centers = (0..).zip(bodies.centers);
            items.extend(centers.map(|(unit, center)| Item::new(unit, *center)));
        } else {
            let ids = bodies.ids();
            items.extend(ids.map(|unit| Item::new(unit, bodies.center(unit))));
        }
        let count = items.len();
        self.rows[1].resize(count, Item::default());
        self.ways.resize(count, 0);
    }

    /// Parts all units until no part is larger than a leaf is to be, on so many threads, and says what is at the top.
    pub fn part(
        &mut self,
        leaf_size: usize,
        rule: Rule,
        may_sample: bool,
        threads: usize,
    ) -> Branch {
        let Self {
            rows: [first, second],
            ways,
            plan,
            others,
            ..
        } = self;
        plan.clear();
        let everybody = Job {
            run: Run {
                begin: 0,
                end: first.len() as u32,
                row: 0,
            },
            depth: 0,
            above: Above::Nothing,
        };
        plan.jobs.push(everybody);
        let mut all = Parter {
            first: 0,
            rows: [first, second],
            ways,
            plan,
            leaf_size,
            rule,
            may_sample,
        };
        let threads = threads_for(all.ways.len(), threads);
        if threads == 1 {
            return all.part_all().unwrap_or(Branch::Run(0));
        }
        let top = all.part_for(threads);
        // By place, so that each thread has a stretch of the rows to itself.
        all.plan.jobs.sort_unstable_by_key(|job| job.run.begin);
        let jobs = std::mem::take(&mut all.plan.jobs);
        others.resize_with(threads, Plan::default);
        let units: usize = jobs.iter().map(Job::len).sum();
        let (mut waiting, mut given, mut first) = (&jobs[..], 0, 0);
        let Parter {
            rows: [mut row, mut spare],
            mut ways,
            plan,
            ..
        } = all;
        let mut shares = Vec::with_capacity(threads);
        for (share, plan) in (1..=threads).zip(&mut *others) {
            plan.clear();
            while let Some((job, rest)) = waiting.split_first()
                && (given < units * share / threads || share == threads)
            {
                given += job.len();
                plan.jobs.push(job.apart());
                waiting = rest;
            }
            let end = waiting
                .first()
                .map_or(first + ways.len(), |job| job.run.begin as usize);
            let length = end - first;
            shares.push(Parter {
                first,
                rows: [front_mut(&mut row, length), front_mut(&mut spare, length)],
                ways: front_mut(&mut ways, length),
                plan,
                leaf_size,
                rule,
                may_sample,
            });
            first = end;
        }
        shares.par_iter_mut().for_each(|share| {
            share.part_all();
        });
        plan.jobs = jobs;
        plan.jobs.clear();
        for other in others {
            plan.join(other);
        }
        top
    }

    /// Decides which cuts are together in one node: from below, as many as there is room for.
    ///
    /// Where two sides do not fit into one node, each becomes a node of its own, for then all leaves are as deep; but for one
    /// that has very few children, which stay.
    pub fn pack(&mut self, top: Branch) {
        let drafts = &mut self.plan.drafts;
        for index in (0..drafts.len()).rev() {
            let mut widths = drafts[index].sides.map(|side| match side {
                Branch::Cut(cut) => usize::from(drafts[cut as usize].width),
                Branch::Run(_) => 1,
            });
            if widths[0] + widths[1] > WIDTH {
                let sides = drafts[index].sides;
                let least = widths[0].max(widths[1]).min(FEW);
                for (side, width) in sides.into_iter().zip(&mut widths) {
                    if let Branch::Cut(cut) = side
                        && *width >= least
                    {
                        drafts[cut as usize].is_first = true;
                        *width = 1;
                    }
                }
            }
            drafts[index].width = (widths[0] + widths[1]) as u8;
        }
        if let Branch::Cut(cut) = top {
            drafts[cut as usize].is_first = true;
        }
    }
}

impl Job {
    fn len(&self) -> usize {
        (self.run.end - self.run.begin) as usize
    }

    /// The job for a thread of its own.
    fn apart(&self) -> Self {
        Self {
            above: match self.above {
                Above::Cut(cut, side) => Above::Before(cut, side),
                other => other,
            },
            ..*self
        }
    }
}

impl Parter<'_> {
    /// Does all jobs and says what is at the top, if that is among them.
    fn part_all(&mut self) -> Option<Branch> {
        let mut top = None;
        while let Some(job) = self.plan.jobs.pop() {
            let branch = self.part(job);
            top = top.or(branch);
        }
        top
    }

    /// Does jobs, the largest first, until there are enough for so many threads, and says what is at the top.
    fn part_for(&mut self, threads: usize) -> Branch {
        let mut top = None;
        while self.plan.jobs.len() < threads * JOBS {
            let jobs = self.plan.jobs.iter().enumerate();
            let Some((largest, job)) = jobs.max_by_key(|(_, job)| job.len()) else {
                break;
            };
            if job.len() <= self.leaf_size {
                break;
            }
            let job = self.plan.jobs.swap_remove(largest);
            let branch = self.part(job);
            top = top.or(branch);
        }
        // Whatever everybody is, it is the first.
        top.unwrap_or(Branch::Cut(0))
    }

    /// The items of a run.
    fn items(&mut self, run: Run) -> &mut [Item] {
        let places = run.begin as usize - self.first..run.end as usize - self.first;
        &mut self.rows[usize::from(run.row)][places]
    }

    /// Parts a crowd once, unless it is a leaf. Says what is at the top, if this is everybody.
    fn part(&mut self, job: Job) -> Option<Branch> {
        let count = job.len();
        let branch = if count <= self.leaf_size {
            self.plan.runs.push(job.run);
            Branch::Run(self.plan.runs.len() as u32 - 1)
        } else {
            let first = self.plan.drafts.len() as u32;
            let levels = if self.may_sample {
                (count * 3 / (PART * self.leaf_size)).max(1).ilog2()
            } else {
                0
            };
            let is_dealt = match levels {
                0..3 => false,
                3 => self.deal::<3>(job),
                4 => self.deal::<4>(job),
                5 => self.deal::<5>(job),
                _ => self.deal::<LEVELS>(job),
            };
            if !is_dealt {
                self.halve(job);
            }
            Branch::Cut(first)
        };
        match job.above {
            Above::Nothing => return Some(branch),
            Above::Cut(cut, side) => self.plan.drafts[cut as usize].sides[side] = branch,
            Above::Before(cut, side) => self.plan.hung.push((cut, side, branch)),
        }
        None
    }

    fn draft(&mut self, axis: usize, at: f32) -> u32 {
        self.plan.drafts.push(Draft {
            cut: Cut { axis, at },
            sides: [Branch::Run(0); 2],
            width: 0,
            is_first: false,
        });
        self.plan.drafts.len() as u32 - 1
    }

    /// Cuts a crowd at the median, so that each side is a whole number of leaves.
    fn halve(&mut self, job: Job) {
        let (leaf_size, rule) = (self.leaf_size, self.rule);
        let Run { begin, end, row } = job.run;
        let items = self.items(job.run);
        let leaves = items.len().div_ceil(leaf_size);
        let middle = items.len() * leaves.div_ceil(2) / leaves;
        let axis = rule.axis(job.depth, || spread(items));
        // Each with its own axis, so that nothing is asked at each comparison.
        let at = if axis == 0 {
            halve_by(items, middle, |item| item.keys[0])
        } else {
            halve_by(items, middle, |item| item.keys[1])
        };
        let cut = self.draft(axis, at);
        let middle = begin + middle as u32;
        for (side, (begin, end)) in [(begin, middle), (middle, end)].into_iter().enumerate() {
            self.plan.jobs.push(Job {
                run: Run { begin, end, row },
                depth: job.depth + 1,
                above: Above::Cut(cut, side),
            });
        }
    }

    /// Deals a crowd out by the medians of a sample, and says whether that went well. The cuts are drafted only then.
    fn deal<const LEVELS: usize>(&mut self, job: Job) -> bool {
        let Run { begin, end, row } = job.run;
        let places = begin as usize - self.first..end as usize - self.first;
        let [first, second] = &mut self.rows;
        let (from, to) = if row == 0 {
            (&first[places.clone()], &mut second[places.clone()])
        } else {
            (&second[places.clone()], &mut first[places.clone()])
        };
        let mut splitters = [Splitter::default(); WAYS];
        let used = 1 << LEVELS;
        if from.len() < used * SAMPLES {
            return false;
        }
        let sample = &mut self.plan.sample;
        choose::<LEVELS>(from, sample, &mut splitters, job.depth, self.rule);
        let ways = &mut self.ways[places];
        // Most crowds are parted well by their coordinates alone. Who stands on one line with many others is not: there the
        // units are told apart as well.
        let mut are_ranked = false;
        let words = splitters.map(|splitter| splitter.word);
        let mut counts =
            find_ways::<LEVELS>(from, ways, |item, at| item.is_behind(words[at % WAYS]));
        if !are_even(&counts[..used], from.len()) {
            are_ranked = true;
            counts = find_ways::<LEVELS>(from, ways, |item, at| {
                let splitter = splitters[at % WAYS];
                item.rank(splitter.axis as usize) > splitter.at
            });
            if !are_even(&counts[..used], from.len()) {
                return false;
            }
        }
        let mut next = [0_u32; WAYS];
        let mut sum = 0;
        for (next, count) in next.iter_mut().zip(counts) {
            *next = sum;
            sum += count;
        }
        for (item, way) in from.iter().zip(&*ways) {
            let place = &mut next[usize::from(*way) % WAYS];
            to[*place as usize] = *item;
            *place += 1;
        }
        // The cuts, each before those below it.
        let drafted = self.plan.drafts.len() as u32;
        for (at, splitter) in splitters[..used].iter().enumerate().skip(1) {
            let key = if are_ranked {
                (splitter.at >> 32) as i32
            } else {
                splitter.word
            };
            let cut = self.draft(splitter.axis as usize, coordinate_of(key));
            if at > 1 {
                let above = drafted + at as u32 / 2 - 1;
                self.plan.drafts[above as usize].sides[at % 2] = Branch::Cut(cut);
            }
        }
        for (way, end) in next.into_iter().enumerate().take(used) {
            let end = begin + end;
            self.plan.jobs.push(Job {
                run: Run {
                    begin: end - counts[way],
                    end,
                    row: 1 - row,
                },
                depth: job.depth + LEVELS as u32,
                above: Above::Cut(drafted + (used + way) as u32 / 2 - 1, way % 2),
            });
        }
        true
    }
}

/// A cut of the sample.
#[derive(Clone, Copy, Default)]
struct Splitter {
    /// Whoever has a greater [`Item::rank`] is on the second side.
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

/// Finds which way each item goes, and how many go each way. `is_behind` says whether an item is on the second side of a splitter.
#[inline(always)]
fn find_ways<const LEVELS: usize>(
    items: &[Item],
    ways: &mut [u8],
    is_behind: impl Fn(&Item, usize) -> bool,
) -> [u32; WAYS] {
    let used = 1 << LEVELS;
    let mut counts = [0; WAYS];
    for (item, way) in items.iter().zip(ways) {
        let mut at = 1;
        for _ in 0..LEVELS {
            at = 2 * at + usize::from(is_behind(item, at));
        }
        *way = (at % used) as u8;
        counts[at % used] += 1;
    }
    counts
}

/// Whether no way takes far more or far fewer items than the mean.
fn are_even(counts: &[u32], items: usize) -> bool {
    let mean = items / counts.len();
    counts
        .iter()
        .all(|count| (mean / 8 + 1..=mean * SKEW).contains(&(*count as usize)))
}

/// Chooses the cuts that part a sample into as many ways as there are, as a heap: below `i` are `2 * i` and `2 * i + 1`.
fn choose<const LEVELS: usize>(
    items: &[Item],
    sample: &mut Vec<Item>,
    splitters: &mut [Splitter; WAYS],
    depth: u32,
    rule: Rule,
) {
    let samples = if items.len() < SMALL {
        SAMPLES / 2
    } else {
        SAMPLES
    };
    let count = (samples << LEVELS).min(items.len() / 4);
    let stride = items.len() / count;
    sample.clear();
    let mut chance = 0x2545_F491_u32;
    sample.extend((0..count).map(|place| {
        // Anywhere in its stretch: units that stand in ranks may be as many apart as a stretch is long.
        chance = chance.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
        items[place * stride + (chance >> 8) as usize % stride]
    }));
    for level in 0..LEVELS {
        for way in 0..1 << level {
            let bound = |way: usize| (count * way) >> level;
            let part = &mut sample[bound(way)..bound(way + 1)];
            let middle = part.len() / 2;
            let axis = rule.axis(depth + level as u32, || spread(part));
            let (_, at, _) =
                part.select_nth_unstable_by_key(middle.saturating_sub(1), |item| item.rank(axis));
            splitters[(1 << level) + way] = Splitter::new(at.rank(axis), axis);
        }
    }
}

/// How wide and how high the box around the items is.
fn spread(items: &[Item]) -> Vec2 {
    let (mut low, mut high) = ([i32::MAX; 2], [i32::MIN; 2]);
    for item in items {
        for axis in 0..2 {
            low[axis] = low[axis].min(item.keys[axis]);
            high[axis] = high[axis].max(item.keys[axis]);
        }
    }
    let corner = |keys: [i32; 2]| Vec2::new(coordinate_of(keys[0]), coordinate_of(keys[1]));
    corner(high) - corner(low)
}

/// Brings the `middle` items with the least coordinate to the front, and returns a place between the two sides.
fn halve_by(items: &mut [Item], middle: usize, key: impl Fn(&Item) -> i32) -> f32 {
    let (below, least, _) = items.select_nth_unstable_by_key(middle, &key);
    let least = coordinate_of(key(least));
    let greatest = below.iter().map(&key).max().map_or(least, coordinate_of);
    // Rounding keeps order: half of the rounded sum lies between the two.
    (greatest + least) * 0.5
}
