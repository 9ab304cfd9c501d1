//! Parting a crowd until no part is larger than a leaf: [dealing](super::dealing) the units out many ways at a time, halving what is left
//! exactly, and packing the cuts into nodes.

use super::Rule;
use super::dealing::{Dealing, Dealt, Item, LEVELS};
use super::nodes::Cut;
use crate::geometry::{Aabb, Vec2};
use crate::partition::toolkit::boxes::WIDTH;
use crate::partition::toolkit::halves::{Extent, Halver, Subset, coordinate_of, keys_of};
use crate::partition::toolkit::simd::{self, Kernel, Task};
use crate::partition::toolkit::threads::{front_mut, threads_for};
use crate::partition::{Bodies, UnitId};
use rayon::prelude::*;

/// A crowd is dealt out by the medians of a sample into parts of so many thirds of leaves, and these are halved at their own
/// medians.
const PART: usize = 4;

/// A node of fewer children than this is not worth a look.
const FEW: usize = WIDTH / 4;

/// Before the others are given to several threads, a crowd is parted until there are so many crowds for each.
const JOBS: usize = 8;

/// A crowd that would be dealt out in fewer levels is small: it is halved at once until only leaves are left.
const FEWEST: u32 = 3;

#[inline(always)]
fn item(unit: UnitId, middle: Vec2) -> Item {
    let [x, y] = keys_of(middle);
    [x, y, unit as i32]
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

/// A stretch of one of the two rows of items. In one that became a leaf there are no items but three columns: the keys along x, those
/// along y, the numbers of the units.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    pub begin: u32,
    pub end: u32,
    pub row: u8,
}

impl Run {
    /// The columns of a run that became a leaf.
    #[inline(always)]
    pub fn columns(self, rows: &[Vec<Item>; 2]) -> [&[i32]; 3] {
        let items = &rows[usize::from(self.row)][self.begin as usize..self.end as usize];
        let (x, rest) = items.as_flattened().split_at(items.len());
        let (y, units) = rest.split_at(items.len());
        [x, y, units]
    }
}

/// A crowd that is to be parted.
#[derive(Clone, Copy, Debug)]
struct Job {
    run: Run,
    depth: u32,
    above: Above,
}

/// A part of a small crowd, which is halved apart from the others.
#[derive(Clone, Copy, Debug)]
struct Small {
    crowd: Subset,
    extent: Extent,
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
    halver: Halver,
    /// Parts of a small crowd that are to be halved.
    parts: Vec<Small>,
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

    /// Hangs a branch where it belongs, or says that it is the top.
    #[inline(always)]
    fn hang(&mut self, above: Above, branch: Branch) -> Option<Branch> {
        match above {
            Above::Nothing => return Some(branch),
            Above::Cut(cut, side) => self.drafts[cut as usize].sides[side] = branch,
            Above::Before(cut, side) => self.hung.push((cut, side, branch)),
        }
        None
    }

    #[inline(always)]
    fn draft(&mut self, axis: usize, at: f32) -> u32 {
        self.drafts.push(Draft {
            cut: Cut { axis, at },
            sides: [Branch::Run(0); 2],
            width: 0,
            is_first: false,
        });
        self.drafts.len() as u32 - 1
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
            + self.halver.byte_count()
            + self.parts.capacity() * size_of::<Small>()
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
            items.extend(ids.map(|unit| item(unit, bodies.aabb(unit).center())));
        } else if bodies.alive.is_empty() {
            let centers = (0..).zip(bodies.centers);
            items.extend(centers.map(|(unit, center)| item(unit, *center)));
        } else {
            let ids = bodies.ids();
            items.extend(ids.map(|unit| item(unit, bodies.center(unit))));
        }
        let count = items.len();
        self.rows[1].resize(count, [0; 3]);
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

    /// In how many levels a crowd of so many would be dealt out.
    fn levels_of(&self, count: usize) -> u32 {
        (count * 3 / (PART * self.leaf_size)).max(1).ilog2()
    }

    /// Does jobs, the largest first, until there are enough for so many threads or all are small, and says what is at the top.
    fn part_for(&mut self, threads: usize) -> Branch {
        let mut top = None;
        while self.plan.jobs.len() < threads * JOBS {
            let jobs = self.plan.jobs.iter().enumerate();
            let Some((largest, job)) = jobs.max_by_key(|(_, job)| job.len()) else {
                break;
            };
            // A small one is halved to its leaves at once, which is for the threads to do.
            if self.levels_of(job.len()) < FEWEST {
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

    /// Parts a crowd once, or wholly if it is small. Says what is at the top, if this is everybody.
    fn part(&mut self, job: Job) -> Option<Branch> {
        let levels = self.levels_of(job.len());
        if levels < FEWEST {
            let mut top = None;
            simd::dispatch(Finishing {
                parter: self,
                job,
                top: &mut top,
            });
            return top;
        }
        let first = self.plan.drafts.len() as u32;
        let is_dealt = self.may_sample
            && match levels {
                FEWEST => self.deal::<3>(job),
                4 => self.deal::<4>(job),
                5 => self.deal::<5>(job),
                _ => self.deal::<LEVELS>(job),
            };
        if !is_dealt {
            self.halve(job);
        }
        self.plan.hang(job.above, Branch::Cut(first))
    }

    /// Halves a small crowd until no part is larger than a leaf. Says what is at the top, if this is everybody.
    #[inline(always)]
    fn finish<K: Kernel>(&mut self, kernel: K, job: Job) -> Option<Branch> {
        let (leaf_size, rule) = (self.leaf_size, self.rule);
        let Run { begin, end, row } = job.run;
        let places = begin as usize - self.first..end as usize - self.first;
        let items = &mut self.rows[usize::from(row)][places];
        let Plan { halver, parts, .. } = &mut *self.plan;
        let units = items.iter().map(|&[x, y, unit]| ([x, y], unit as UnitId));
        let crowd = halver.take_in(units, items.len().div_ceil(leaf_size));
        parts.clear();
        parts.push(Small {
            crowd,
            extent: halver.extent(kernel, crowd),
            depth: job.depth,
            above: job.above,
        });
        let (mut rest, mut place, mut top) = (items, begin, None);
        while let Some(part) = self.plan.parts.pop() {
            let Small {
                crowd,
                extent,
                depth,
                above,
            } = part;
            let pieces = crowd.count.div_ceil(leaf_size);
            if pieces <= 1 {
                let (keys, units) = self.plan.halver.columns(crowd);
                let leaf = front_mut(&mut rest, crowd.count).as_flattened_mut();
                let (x, leaf) = leaf.split_at_mut(crowd.count);
                let (y, leaf) = leaf.split_at_mut(crowd.count);
                x.copy_from_slice(keys[0]);
                y.copy_from_slice(keys[1]);
                for (to, unit) in leaf.iter_mut().zip(units) {
                    *to = *unit as i32;
                }
                let end = place + crowd.count as u32;
                let run = self.plan.runs.len() as u32;
                self.plan.runs.push(Run {
                    begin: place,
                    end,
                    row,
                });
                place = end;
                top = top.or(self.plan.hang(above, Branch::Run(run)));
                continue;
            }
            let axis = rule.axis(depth, || extent.size());
            let ends = (extent.low[axis], extent.high[axis]);
            let first = pieces.div_ceil(2);
            let middle = crowd.count * first / pieces;
            let halver = &mut self.plan.halver;
            let halves = halver.halve(kernel, crowd, axis, ends, middle, first);
            let extents = halver.extents(kernel, halves);
            let [greatest, least] = [extents[0].high[axis], extents[1].low[axis]];
            // Rounding keeps order: half of the rounded sum lies between the two.
            let at = (coordinate_of(greatest) + coordinate_of(least)) * 0.5;
            let cut = self.plan.draft(axis, at);
            top = top.or(self.plan.hang(above, Branch::Cut(cut)));
            for (side, (crowd, extent)) in halves.into_iter().zip(extents).enumerate() {
                self.plan.parts.push(Small {
                    crowd,
                    extent,
                    depth: depth + 1,
                    above: Above::Cut(cut, side),
                });
            }
        }
        top
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
            halve_by(items, middle, |item| item[0])
        } else {
            halve_by(items, middle, |item| item[1])
        };
        let cut = self.plan.draft(axis, at);
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
        let (depth, rule) = (job.depth, self.rule);
        let Plan { sample, halver, .. } = &mut *self.plan;
        let ways = &mut self.ways[places];
        let dealing = Dealing { from, to, ways };
        let Some(Dealt { keys, axes, counts }) =
            dealing.deal::<LEVELS>(sample, halver, depth, rule)
        else {
            return false;
        };
        let used = 1 << LEVELS;
        // The cuts, each before those below it.
        let drafted = self.plan.drafts.len() as u32;
        for at in 1..used {
            let cut = self
                .plan
                .draft(usize::from(axes[at]), coordinate_of(keys[at]));
            if at > 1 {
                let above = drafted + at as u32 / 2 - 1;
                self.plan.drafts[above as usize].sides[at % 2] = Branch::Cut(cut);
            }
        }
        let mut end = begin;
        for (way, count) in counts.into_iter().enumerate().take(used) {
            let begin = end;
            end += count;
            self.plan.jobs.push(Job {
                run: Run {
                    begin,
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

/// A small crowd about to be halved, with whatever kernel there is.
struct Finishing<'p, 'b> {
    parter: &'p mut Parter<'b>,
    job: Job,
    top: &'p mut Option<Branch>,
}

impl Task for Finishing<'_, '_> {
    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) {
        *self.top = self.parter.finish(kernel, self.job);
    }
}

/// How wide and how high the box around the items is.
fn spread(items: &[Item]) -> Vec2 {
    let (mut low, mut high) = ([i32::MAX; 2], [i32::MIN; 2]);
    for item in items {
        for axis in 0..2 {
            low[axis] = low[axis].min(item[axis]);
            high[axis] = high[axis].max(item[axis]);
        }
    }
    Extent { low, high }.size()
}

/// Brings the `middle` items with the least coordinate to the front, and returns a place between the two sides.
fn halve_by(items: &mut [Item], middle: usize, key: impl Fn(&Item) -> i32) -> f32 {
    let (below, least, _) = items.select_nth_unstable_by_key(middle, &key);
    let least = coordinate_of(key(least));
    let greatest = below.iter().map(&key).max().map_or(least, coordinate_of);
    // Rounding keeps order: half of the rounded sum lies between the two.
    (greatest + least) * 0.5
}
