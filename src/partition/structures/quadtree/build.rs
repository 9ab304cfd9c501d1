//! Building the whole tree from the top.

use super::pool::{BLOCK, Block, NONE, Node, place_of, slot_of};
use super::{LEVEL_LIMIT, Quadtree, ROOT};
use crate::geometry::{Aabb, Vec2};
use crate::partition::toolkit::simd::{self, Kernel, Task};
use crate::partition::{Bodies, UnitId};
use crate::probe::{Event, Probe, Work};
use std::ops::Range;

/// A unit on its way to its leaf.
#[derive(Clone, Copy, Debug)]
#[repr(align(16))]
struct Entry {
    /// The cell in which it is, see [`Lattice::key`].
    key: u32,
    unit: UnitId,
    position: Vec2,
}

impl Entry {
    const NOBODY: Self = Self {
        key: 0,
        unit: 0,
        position: Vec2::ZERO,
    };
}

/// Units that are dealt out together from a node on.
#[derive(Clone, Copy, Debug)]
struct Heap {
    node: u32,
    /// Where they lie.
    begin: u32,
    count: u32,
    grain: Grain,
    /// How many levels they are dealt out at once where they are many.
    levels: u16,
    /// Whether neighbours among them are neighbours in space: many are dealt out at once, for what is near in their row is near in
    /// their leaves.
    is_coherent: bool,
}

/// Units that are dealt out.
struct Crowd<Entries, Named, Known> {
    /// All of them, by ascending id.
    entries: Entries,
    /// What a unit is called until it is fetched, by how many came before it and by its id.
    named: Named,
    /// Who is called so, and where that is.
    known: Known,
}

/// How far a key leads below a node.
#[derive(Clone, Copy, Debug)]
struct Grain {
    /// So many of its levels lead to the node.
    used: u32,
    /// So many can be trusted.
    known: u32,
}

/// Where units lie on their way to their leaves. It is kept for its memory, and most of what is in it is of no use.
#[derive(Debug, Default)]
pub(super) struct Room {
    /// Row of a unit → its key.
    keys: Vec<u32>,
    /// Those who were dealt out once.
    entries: Vec<Entry>,
    /// As many as the largest heap has.
    spare: Vec<Entry>,
    /// What is kept of the cells of a lattice while a heap is dealt out: first how many units are before each, and then where the
    /// next unit of each goes: a slot, or a place of the next row and [`HEAP`].
    targets: Vec<u32>,
    heaps: Vec<Heap>,
}

impl Room {
    /// The bytes that it takes on the heap.
    pub fn byte_count(&self) -> usize {
        (self.entries.capacity() + self.spare.capacity()) * size_of::<Entry>()
            + (self.keys.capacity() + self.targets.capacity()) * size_of::<u32>()
            + self.heaps.capacity() * size_of::<Heap>()
    }
}

/// So many units, at most, are dealt out to their leaves at once: they and their leaves hardly leave the processor's own cache.
const FEW_UNITS: u32 = 1 << 17;
/// More than those are dealt out to heaps, so many levels at once: few heaps take turns so seldom that memory keeps up.
const LEVELS: u16 = 2;
/// So many levels where nearly all of them were in one cell, for it seems that they are on one spot.
const LEVELS_TO_A_SPOT: u16 = 6;
/// Where more than one unit in so many is in a cell that is to be cut again, cells are made smaller.
const CROWDED: u32 = 4;
/// So many levels lead from the top to the finest cell of a lattice: they fill a key.
const KEY_LEVELS: u32 = 16;
/// What is added to a place among the heaps, to tell it from a slot: no memory holds so many blocks that a slot has this bit.
const HEAP: u32 = 1 << 31;

/// The cells some levels below a node.
///
/// A product tells in which cell a position lies, but for positions within a rounding of a cut: the few that it puts on the wrong
/// side are found when they come to their leaf.
#[derive(Clone, Copy)]
struct Lattice {
    corner: Vec2,
    /// Widths and heights of the whole per metre.
    scale: Vec2,
    /// So many levels are told apart by its keys.
    levels: u32,
}

impl Lattice {
    /// The lattice below a node with these bounds; `None` where it is so small that numbers hardly tell its quarters apart.
    fn new(bounds: Aabb) -> Option<Self> {
        let size = bounds.max - bounds.min;
        let farthest = bounds.min.abs().max(bounds.max.abs());
        let is_fine = |levels: u32| {
            let cell = size / (1_u32 << levels) as f32;
            cell.cmpge(farthest * (64.0 * f32::EPSILON)).all()
        };
        let levels = (1..=KEY_LEVELS).rev().find(|levels| is_fine(*levels))?;
        let scale = size.recip();
        (size.is_finite() && scale.is_finite()).then_some(Self {
            corner: bounds.min,
            scale,
            levels,
        })
    }

    /// The way to the cell of a position, two bits a level from the highest ones on: on each level its [quarter](Node::quarter).
    /// Who was put on the wrong side of a cut above lies outside, and is taken for the nearest cell.
    #[inline(always)]
    fn key(&self, position: Vec2) -> u32 {
        let x = spread(part_of(position.x, self.corner.x, self.scale.x));
        let y = spread(part_of(position.y, self.corner.y, self.scale.y));
        x | y << 1
    }
}

/// How far a coordinate lies between two borders, as sixteen bits.
#[inline(always)]
fn part_of(coordinate: f32, from: f32, scale: f32) -> u32 {
    /// The last number before 1 whose sum with 1 is not rounded.
    const LAST: f32 = 1.0 - f32::EPSILON;
    let part = (coordinate - from) * scale;
    // Written so that each is one instruction, and no number at all is 0.
    let part = if part > 0.0 { part } else { 0.0 };
    let part = if part < LAST { part } else { LAST };
    // From 1 to 2 the bits of a number are those of the part.
    (1.0 + part).to_bits() >> 7 & 0xFFFF
}

/// The sixteen bits of a number, each with a gap behind it.
#[inline(always)]
fn spread(bits: u32) -> u32 {
    let bits = (bits | bits << 8) & 0x00FF_00FF;
    let bits = (bits | bits << 4) & 0x0F0F_0F0F;
    let bits = (bits | bits << 2) & 0x3333_3333;
    (bits | bits << 1) & 0x5555_5555
}

/// Looking at positions with whatever instructions there are.
struct Keying<'a> {
    lattice: Lattice,
    centers: &'a [Vec2],
    keys: &'a mut [u32],
}

impl Task for Keying<'_> {
    #[inline(always)]
    fn run<K: Kernel>(self, _kernel: K) {
        for (key, center) in self.keys.iter_mut().zip(self.centers) {
            *key = self.lattice.key(*center);
        }
    }
}

/// Looking for the outermost positions with whatever instructions there are, and giving all of them keys of a lattice that is likely
/// to be theirs, while they are near.
struct Bounding<'a> {
    likely: Option<Lattice>,
    centers: &'a [Vec2],
    keys: &'a mut [u32],
    bounds: &'a mut Aabb,
}

impl Task for Bounding<'_> {
    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) {
        const LANES: usize = 8;
        /// So many positions are near.
        const NEAR: usize = 256 * LANES;
        let mut lows = [f32::INFINITY; 2 * LANES];
        let mut highs = [f32::NEG_INFINITY; 2 * LANES];
        for (near, keys) in self.centers.chunks(NEAR).zip(self.keys.chunks_mut(NEAR)) {
            let mut chunks = near.chunks_exact(LANES);
            for centers in &mut chunks {
                for (lane, center) in centers.iter().enumerate() {
                    for (axis, value) in [(0, center.x), (1, center.y)] {
                        let (low, high) = (&mut lows[2 * lane + axis], &mut highs[2 * lane + axis]);
                        *low = if value < *low { value } else { *low };
                        *high = if value > *high { value } else { *high };
                    }
                }
            }
            *self.bounds = self
                .bounds
                .join(Aabb::of_points(chunks.remainder().iter().copied()));
            if let Some(lattice) = self.likely {
                let centers = near;
                Keying {
                    lattice,
                    centers,
                    keys,
                }
                .run(kernel);
            }
        }
        for lane in 0..LANES {
            let lane = 2 * lane;
            self.bounds.min = self.bounds.min.min(Vec2::new(lows[lane], lows[lane + 1]));
            self.bounds.max = self.bounds.max.max(Vec2::new(highs[lane], highs[lane + 1]));
        }
    }
}

/// Looking at the units of new blocks with whatever instructions there are.
struct LookingThrough<'a, Known> {
    tree: &'a mut Quadtree,
    first_block: u32,
    known: Known,
    bodies: Bodies<'a>,
}

impl<Known: Fn(u32) -> (UnitId, Vec2)> Task for LookingThrough<'_, Known> {
    #[inline(always)]
    fn run<K: Kernel>(self, _kernel: K) {
        self.tree
            .look_through(self.first_block, self.known, self.bodies);
    }
}

/// Whether neighbours in a row are mostly neighbours in space, and others are not: some are asked.
fn are_coherent(keys: &[u32]) -> bool {
    /// So many are asked, at most.
    const ASKED: usize = 256;
    /// Neighbours have so many levels in common, as those of whom there are thousands in a cell.
    const LEVELS: u32 = 6;
    let are_near = |a: u32, b: u32| (a ^ b) >> (2 * (KEY_LEVELS - LEVELS)) == 0;
    let (mut asked, mut neighbors, mut strangers) = (0, 0, 0);
    let step = keys.len().div_ceil(ASKED).max(1);
    for (at, two) in keys.windows(2).enumerate().step_by(step) {
        asked += 1;
        neighbors += usize::from(are_near(two[0], two[1]));
        strangers += usize::from(are_near(two[0], keys[(at + keys.len() / 2) % keys.len()]));
    }
    2 * neighbors > asked && 2 * strangers < asked
}

/// The key of a position where there is no lattice: its quarter, and nothing behind it.
#[inline]
fn quarter_key(cut: Vec2, position: Vec2) -> u32 {
    Node::quarter(cut, position) << 30
}

impl Quadtree {
    /// Builds the tree from the top: units are dealt out to the cells some levels below a node at once, as a counting sort does,
    /// and how many there are of each says which of the nodes between there are. Whose leaf is found goes to it straight, and the
    /// others to heaps which are dealt out in turn.
    pub(super) fn build<P: Probe>(&mut self, bodies: Bodies<'_>, probe: &mut P) {
        probe.on(Event::Work(Work::Rebuild));
        let mut room = std::mem::take(&mut *self.room);
        room.keys.resize(bodies.slot_count(), 0);
        let mut bounds = Aabb::EMPTY;
        // The root is likely to be that of last time.
        let mut likely = None;
        if bodies.alive.is_empty() {
            likely = self.pool.nodes.first().map(|root| root.bounds);
            simd::dispatch(Bounding {
                likely: likely.and_then(Lattice::new),
                centers: bodies.centers,
                keys: &mut room.keys,
                bounds: &mut bounds,
            });
        } else {
            bounds = Aabb::of_points(bodies.ids().map(|unit| bodies.center(unit)));
        }
        let root = self.grown_root(bounds);
        let are_keyed = likely == Some(root);
        self.depth_cap =
            (u32::from(self.doublings) + self.max_depth).min(LEVEL_LIMIT as u32 - 1) as u8;
        self.pool.reset(root, bodies.are_sized());
        self.depth_counts = [0; LEVEL_LIMIT];
        self.depth_counts[0] = 1;
        self.slots.resize(bodies.slot_count(), NONE);
        self.are_slots_known = false;
        self.found.leavers.clear();
        self.shrinking.clear();
        self.deal_all(bodies, &mut room, are_keyed, probe);
        *self.room = room;
        if self.pool.is_sized() {
            // Children lie behind their parents in a tree that was just built, so backwards is bottom up.
            for node in (1..self.pool.nodes.len()).rev() {
                let parent = self.pool.nodes[node].parent as usize;
                self.pool.reaches[parent] = self.pool.reaches[parent].max(self.pool.reaches[node]);
            }
        }
        let strays = std::mem::take(&mut self.found.leavers);
        for unit in &strays {
            let found = self.update(bodies, *unit, &mut ());
            debug_assert_eq!(found, Ok(()), "the root holds everybody");
        }
        // Crowds that they were put in on the way.
        self.shrink_put_off();
        self.found.leavers = strays;
    }

    /// The field, doubled towards `bounds` until it holds them.
    fn grown_root(&mut self, bounds: Aabb) -> Aabb {
        let mut root = self.home();
        self.doublings = 0;
        while !bounds.is_empty()
            && !root.contains_box(bounds)
            && usize::from(self.doublings) < LEVEL_LIMIT / 2
        {
            let size = root.size();
            // The old root stays one of the four quarters of the new one.
            for axis in 0..2 {
                if bounds.min[axis] < root.min[axis] {
                    root.min[axis] -= size[axis];
                } else {
                    root.max[axis] += size[axis];
                }
            }
            self.doublings += 1;
        }
        // Beyond every limit of coordinates there is no use in halving; such units are held all the same.
        if bounds.is_empty() {
            root
        } else {
            root.join(bounds)
        }
    }

    /// Fills the root with everybody, whose keys may be those of its lattice yet.
    fn deal_all<P: Probe>(
        &mut self,
        bodies: Bodies<'_>,
        room: &mut Room,
        are_keyed: bool,
        probe: &mut P,
    ) {
        let Room {
            keys,
            entries,
            spare,
            targets,
            heaps,
        } = room;
        let root = self.pool.nodes[ROOT as usize];
        let known = if let Some(lattice) = Lattice::new(root.bounds) {
            if !are_keyed {
                simd::dispatch(Keying {
                    lattice,
                    centers: bodies.centers,
                    keys,
                });
            }
            lattice.levels
        } else {
            for (key, center) in keys.iter_mut().zip(bodies.centers) {
                *key = quarter_key(root.cut(), *center);
            }
            1
        };
        let all = bodies.ids().map(|unit| Entry {
            key: keys[unit as usize],
            unit,
            position: bodies.center(unit),
        });
        let count = if bodies.alive.is_empty() {
            bodies.slot_count()
        } else {
            bodies.count()
        };
        self.count = count as u32;
        entries.resize(count, Entry::NOBODY);
        let whole = Heap {
            node: ROOT,
            begin: 0,
            count: count as u32,
            grain: Grain { used: 0, known },
            levels: LEVELS,
            is_coherent: are_coherent(keys),
        };
        heaps.clear();
        let all = Crowd {
            entries: all,
            named: |_, unit| unit,
            known: |unit| (unit, bodies.center(unit)),
        };
        self.sow(whole, all, entries, targets, heaps, bodies, probe);
        let largest = heaps.iter().map(|heap| heap.count).max().unwrap_or(0);
        if spare.len() < largest as usize {
            spare.resize(largest as usize, Entry::NOBODY);
        }
        self.deal(0, entries, spare, targets, heaps, bodies, probe);
    }

    /// Deals out the heaps from one on, which lie in `from`. `spare` is as long as the longest of them.
    #[allow(
        clippy::too_many_arguments,
        reason = "the parts of one room, each borrowed on its own"
    )]
    fn deal<P: Probe>(
        &mut self,
        first: usize,
        from: &mut [Entry],
        spare: &mut [Entry],
        targets: &mut Vec<u32>,
        heaps: &mut Vec<Heap>,
        bodies: Bodies<'_>,
        probe: &mut P,
    ) {
        let end = heaps.len();
        for place in first..end {
            let mut heap = heaps[place];
            let entries = &mut from[heap.begin as usize..][..heap.count as usize];
            if heap.grain.used == heap.grain.known {
                heap.grain = self.key_anew(heap.node, entries);
            }
            let lying = &*entries;
            // They are fetched from where they lie, which is near.
            let all = Crowd {
                entries: lying.iter().copied(),
                named: |place, _| place,
                known: |place| (lying[place as usize].unit, lying[place as usize].position),
            };
            self.sow(heap, all, spare, targets, heaps, bodies, probe);
            self.deal(end, spare, entries, targets, heaps, bodies, probe);
            heaps.truncate(end);
        }
    }

    /// Gives units the keys of a lattice that begins at their node.
    fn key_anew(&self, node: u32, entries: &mut [Entry]) -> Grain {
        let node = &self.pool.nodes[node as usize];
        let known = if let Some(lattice) = Lattice::new(node.bounds) {
            for entry in entries {
                entry.key = lattice.key(entry.position);
            }
            lattice.levels
        } else {
            for entry in entries {
                entry.key = quarter_key(node.cut(), entry.position);
            }
            1
        };
        Grain { used: 0, known }
    }

    /// Makes the nodes below a node which its units fill, puts the units whose leaves are among them there, and leaves those of
    /// other cells in heaps in `to`, which are told at the end of `heaps`.
    #[allow(
        clippy::too_many_arguments,
        reason = "the parts of one room, each borrowed on its own"
    )]
    fn sow<P: Probe>(
        &mut self,
        whole: Heap,
        all: Crowd<
            impl Iterator<Item = Entry> + Clone,
            impl Fn(u32, UnitId) -> u32,
            impl Fn(u32) -> (UnitId, Vec2),
        >,
        to: &mut [Entry],
        targets: &mut Vec<u32>,
        heaps: &mut Vec<Heap>,
        bodies: Bodies<'_>,
        probe: &mut P,
    ) {
        let Heap {
            node, count, grain, ..
        } = whole;
        let entries = all.entries;
        let depth = self.pool.nodes[node as usize].depth;
        let most = (grain.known - grain.used).min(u32::from(self.depth_cap - depth));
        let is_few = count <= FEW_UNITS || whole.is_coherent;
        // As many levels as an even crowd has above its leaves, and no more than there may be.
        let mut levels = if is_few {
            (count / self.capacity).max(1).ilog2() / 2 + 1
        } else {
            u32::from(whole.levels)
        };
        let cell_of = loop {
            levels = levels.min(most);
            let shift = 2 * (KEY_LEVELS - grain.used - levels);
            let mask = (1 << (2 * levels)) - 1;
            // A root which may not be cut at all has one cell, and its keys are shifted by all of their bits.
            let cell_of = move |entry: &Entry| (u64::from(entry.key) >> shift) as usize & mask;
            targets.clear();
            targets.resize(mask + 2, 0);
            for entry in entries.clone() {
                targets[cell_of(&entry) + 1] += 1;
            }
            // Where many are in cells that are leaves yet, deeper cells are less to do than one more deal for each.
            let crowded = targets.iter().filter(|load| **load > self.capacity);
            let is_deep = levels == most || count >> (2 * levels) < 2;
            if !is_few || is_deep || crowded.sum::<u32>() * CROWDED < count {
                break cell_of;
            }
            levels += 1;
        };
        let cells = targets.len() - 1;
        let mut sum = 0;
        for target in &mut *targets {
            sum += *target;
            *target = sum;
        }
        let first_block = self.pool.block_count();
        let mut plan = Plan {
            targets,
            heaps,
            used: grain.used + levels,
            known: grain.known,
            count,
            begin: 0,
        };
        self.raise(node, depth, 0..cells, &mut plan, probe);
        if self.pool.is_far() {
            for block in &self.pool.blocks[first_block as usize..self.pool.block_count() as usize] {
                simd::ask_for(&block.ids);
            }
        }
        for (index, entry) in (0..).zip(entries) {
            let target = &mut targets[cell_of(&entry)];
            let place = *target;
            *target += 1;
            if place < HEAP {
                // A name alone: who it is, and where, is fetched behind. A processor fetches from many places at once, and writes to
                // one after the other.
                let (block, lane) = place_of(place);
                self.pool.blocks[block].ids[lane] = (all.named)(index, entry.unit);
            } else {
                to[(place - HEAP) as usize] = entry;
            }
        }
        simd::dispatch(LookingThrough {
            tree: self,
            first_block,
            known: all.known,
            bodies,
        });
    }

    /// Makes the nodes from a new one down to the cells, where `plan` is told where each unit goes.
    fn raise<P: Probe>(
        &mut self,
        node: u32,
        depth: u8,
        cells: Range<usize>,
        plan: &mut Plan<'_>,
        probe: &mut P,
    ) {
        let begin = plan.targets[cells.start];
        let count = plan.targets[cells.end] - begin;
        if count <= self.capacity || depth >= self.depth_cap {
            if count > 0 {
                // Blocks of a leaf follow each other, and so do their slots.
                let slot = slot_of(self.pool.add_blocks(node, count), 0);
                for target in &mut plan.targets[cells] {
                    *target = *target - begin + slot;
                }
            }
        } else if cells.len() == 1 {
            plan.targets[cells.start] = plan.begin | HEAP;
            plan.heaps.push(Heap {
                node,
                begin: plan.begin,
                count,
                grain: Grain {
                    used: plan.used,
                    known: plan.known,
                },
                levels: if count > plan.count - plan.count / 8 {
                    LEVELS_TO_A_SPOT
                } else {
                    LEVELS
                },
                is_coherent: false,
            });
            plan.begin += count;
        } else {
            let first = self.make_children(node, probe);
            let quarter = cells.len() / 4;
            for (child, begin) in (first..first + 4).zip(cells.step_by(quarter)) {
                self.raise(child, depth + 1, begin..begin + quarter, plan, probe);
            }
        }
    }

    /// Fetches the units of new blocks, of whom there are names alone, and looks at them: notes who is in the wrong leaf, and writes down
    /// sizes.
    #[inline(always)]
    fn look_through(
        &mut self,
        first_block: u32,
        known: impl Fn(u32) -> (UnitId, Vec2),
        bodies: Bodies<'_>,
    ) {
        let end = self.pool.nodes[ROOT as usize].bounds.max;
        for block in first_block as usize..self.pool.block_count() as usize {
            let owner = self.pool.owners[block];
            let mut bounds = self.pool.nodes[owner.leaf as usize].bounds;
            // On the far border of the root nobody else is.
            bounds.max = Vec2::select(bounds.max.cmpeq(end), Vec2::INFINITY, bounds.max);
            let columns = &mut self.pool.blocks[block];
            let length = owner.length as usize;
            for lane in 0..length.min(BLOCK) {
                let (unit, position) = known(columns.ids[lane]);
                columns.ids[lane] = unit;
                (columns.xs[lane], columns.ys[lane]) = (position.x, position.y);
            }
            let columns = &self.pool.blocks[block];
            if !owns_all(bounds, columns, length) {
                for lane in 0..length {
                    if !Self::owns(bounds, columns.position(lane)) {
                        let unit = columns.ids[lane];
                        // By this it is found when it moves on, and whoever moves before has its own written.
                        self.slots[unit as usize] = slot_of(block as u32, lane);
                        self.found.leavers.push(unit);
                    }
                }
            }
            if self.pool.is_sized() {
                let mut reach = self.pool.reaches[owner.leaf as usize];
                for (lane, unit) in columns.ids[..length].iter().enumerate() {
                    let half_extent = bodies.half_extent(*unit);
                    self.pool.half_extents[block][lane] = half_extent;
                    reach = reach.max(half_extent);
                }
                self.pool.reaches[owner.leaf as usize] = reach;
            }
        }
    }
}

/// Whether a cell owns all of the first units of a block. There is no branch in it, so that a register's width is asked at once.
#[inline(always)]
fn owns_all(bounds: Aabb, columns: &Block, length: usize) -> bool {
    let Aabb { min, max } = bounds;
    let mut inside = 0;
    for lane in 0..BLOCK {
        let (x, y) = (columns.xs[lane], columns.ys[lane]);
        let is_in = (x >= min.x) & (x < max.x) & (y >= min.y) & (y < max.y);
        inside += u32::from(is_in | (lane >= length));
    }
    inside == BLOCK as u32
}

/// What becomes of the cells of a lattice.
struct Plan<'a> {
    targets: &'a mut [u32],
    heaps: &'a mut Vec<Heap>,
    /// The grain of new heaps.
    used: u32,
    known: u32,
    /// How many units are dealt out.
    count: u32,
    /// Where the next heap begins.
    begin: u32,
}

#[cfg(test)]
mod tests {
    use super::super::CAPACITY;
    use super::*;
    use crate::partition::Partition;

    #[test]
    fn a_lattice_finds_the_cell_that_halving_finds_or_its_neighbour() {
        let bounds = [
            Aabb::new(Vec2::ZERO, Vec2::new(4000.0, 3000.0)),
            Aabb::new(Vec2::new(-7.3, 1.0e3), Vec2::new(11.9, 1.0e3 + 33.3)),
            Aabb::new(Vec2::splat(-1.0e9), Vec2::new(1.0e9, 0.7e9)),
            Aabb::new(Vec2::splat(1.0e-30), Vec2::splat(1.0e-28)),
        ];
        for bounds in bounds {
            let lattice = Lattice::new(bounds).expect("wide enough");
            let size = bounds.size();
            assert_eq!(lattice.key(bounds.min - size), 0);
            assert_eq!(lattice.key(bounds.max + size), u32::MAX);
            for levels in 1..=lattice.levels {
                for step in 0..2000_u32 {
                    let part = |prime: u32| (step * prime % 4097) as f32 / 4096.0;
                    let way = Vec2::new(part(1237), part(2741)) * size;
                    let position = (bounds.min + way).clamp(bounds.min, bounds.max);
                    let mut cell = Node::leaf(bounds, NONE, 0);
                    for level in 0..levels {
                        let quarter = lattice.key(position) >> (30 - 2 * level) & 3;
                        cell = Node::leaf(cell.quarter_bounds(quarter), NONE, 0);
                    }
                    // A few roundings, and a cell is at least 64 of them wide.
                    let slack = cell.bounds.size() * 0.05;
                    assert!(
                        cell.bounds.grown(slack).contains(position),
                        "{position} in {bounds:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn who_stands_on_a_cut_or_a_rounding_beside_it_ends_in_the_right_leaf() {
        let field = Aabb::new(Vec2::new(-7.3, 1.0e3), Vec2::new(11.9, 1.0e3 + 33.3));
        let mut tree = Quadtree::new(field);
        tree.set_knob(CAPACITY, 1.0);
        let mut cells = vec![Node::leaf(field, NONE, 0)];
        let mut centers = vec![field.max];
        for _ in 0..4 {
            let quarters = |cell: &Node| [0, 1, 2, 3].map(|it| cell.quarter_bounds(it));
            let all: Vec<Aabb> = cells.iter().flat_map(quarters).collect();
            cells = all.into_iter().map(|it| Node::leaf(it, NONE, 0)).collect();
        }
        for cell in &cells {
            let Vec2 { x, y } = cell.bounds.min;
            for x in [x.next_down(), x, x.next_up()] {
                for y in [y.next_down(), y, y.next_up()] {
                    centers.push(Vec2::new(x, y).clamp(field.min, field.max));
                }
            }
        }
        let bodies = Bodies::points(&centers);
        tree.rebuild(bodies, &mut ());
        tree.validate(bodies).unwrap();
        tree.know_slots();
        tree.validate(bodies).unwrap();
        assert!(
            !tree.found.leavers.is_empty(),
            "nobody was on the wrong side"
        );
    }

    /// A crowd of which every second unit is on one spot, in a row that is not all in use.
    fn crowd(bounds: Aabb, count: u32) -> (Vec<Vec2>, Vec<bool>) {
        let part = |number: u32| (number % 8191) as f32 / 8190.0;
        let centers = (0..count).map(|unit| {
            let way = Vec2::new(part(unit * 1237), part(unit / 3 * 2741));
            let way = if unit % 2 == 0 { Vec2::splat(0.3) } else { way };
            (bounds.min + way * bounds.size()).clamp(bounds.min, bounds.max)
        });
        (
            centers.collect(),
            (0..count).map(|unit| unit % 7 != 3).collect(),
        )
    }

    #[test]
    fn a_crowd_too_large_for_one_deal_is_dealt_out_in_heaps() {
        let field = Aabb::new(Vec2::ZERO, Vec2::new(400.0, 300.0));
        let (centers, alive) = crowd(field, 3 * FEW_UNITS);
        let mut tree = Quadtree::new(field);
        // The second build finds the memory of a larger one.
        for count in [centers.len(), FEW_UNITS as usize + 1] {
            for alive in [&[], &alive[..count]] {
                let bodies = Bodies {
                    alive,
                    ..Bodies::points(&centers[..count])
                };
                tree.rebuild(bodies, &mut ());
                tree.validate(bodies).unwrap();
                tree.know_slots();
                tree.validate(bodies).unwrap();
            }
        }
    }

    #[test]
    fn a_large_crowd_whose_neighbours_are_near_is_the_same_tree_whatever_stood_there_before() {
        let field = Aabb::new(Vec2::ZERO, Vec2::new(400.0, 300.0));
        let count = 2 * FEW_UNITS;
        let along = |unit: u32| {
            let (row, column) = (unit / 512, unit % 512);
            Vec2::new(column as f32 * 0.78, row as f32 * 0.58)
        };
        let centers: Vec<Vec2> = (0..count).map(along).collect();
        let bodies = Bodies::points(&centers);
        let mut tree = Quadtree::new(field);
        tree.rebuild(bodies, &mut ());
        assert!(are_coherent(&tree.room.keys));
        // A crowd that is dense for its field, in no order.
        let dense: Vec<u32> = tree.room.keys.iter().map(|key| key >> 14).collect();
        assert!(!are_coherent(&dense));
        tree.know_slots();
        tree.validate(bodies).unwrap();
        // The root that is guessed is that of a crowd which stood elsewhere.
        let far = [Vec2::splat(-5000.0), Vec2::splat(5000.0)];
        let mut again = Quadtree::new(field);
        again.rebuild(Bodies::points(&far), &mut ());
        again.rebuild(bodies, &mut ());
        again.validate(bodies).unwrap();
        assert_eq!(again.room.keys, tree.room.keys);
        assert_eq!(again.pool.nodes.len(), tree.pool.nodes.len());
        assert_eq!(again.found.leavers, tree.found.leavers);
    }

    #[test]
    fn keys_that_are_used_up_are_made_anew_from_where_they_lead() {
        let corner = Vec2::new(1.0e6, -1.0e6);
        let field = Aabb::new(corner, corner + 4000.0);
        let (centers, _) = crowd(field, 30_000);
        let mut tree = Quadtree::new(field);
        tree.set_knob(CAPACITY, 1.0);
        tree.set_knob(CAPACITY + 1, 16.0);
        let bodies = Bodies::points(&centers);
        tree.rebuild(bodies, &mut ());
        tree.validate(bodies).unwrap();
        let known = Lattice::new(field).expect("wide enough").levels;
        assert!(
            tree.depth_counts[known as usize + 1] > 0,
            "nothing below {known} levels"
        );
    }

    #[test]
    fn a_lattice_too_fine_for_its_numbers_is_none() {
        let spot = Aabb::new(Vec2::splat(1.0e6), Vec2::splat(1.0e6 + 2.0));
        assert!(Lattice::new(spot).is_none());
        assert!(Lattice::new(Aabb::new(Vec2::ZERO, Vec2::ZERO)).is_none());
        assert!(Lattice::new(Aabb::new(Vec2::splat(f32::MIN), Vec2::splat(f32::MAX))).is_none());
        let small = Aabb::new(Vec2::splat(1.0e6), Vec2::splat(1.0e6 + 1000.0));
        assert!(Lattice::new(small).is_some_and(|lattice| lattice.levels < KEY_LEVELS));
    }
}
