//! Building the whole tree from the top.

use super::pool::{BLOCK, NONE, Node, slot_of};
use super::{LEVEL_LIMIT, Quadtree, ROOT};
use crate::geometry::{Aabb, Vec2};
use crate::partition::{Bodies, UnitId};
use crate::probe::{Event, Probe, Work};
use std::ops::Range;

/// A unit on its way to its leaf.
#[derive(Clone, Copy, Debug)]
struct Entry {
    position: Vec2,
    unit: UnitId,
}

/// Where units lie on their way to their leaves. It is kept for its memory.
#[derive(Debug, Default)]
pub(super) struct Room {
    entries: Vec<Entry>,
    dealt: Vec<Entry>,
    keys: Vec<u16>,
}

/// A copy of a tree builds in memory of its own.
impl Clone for Room {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl Room {
    /// The bytes that it takes on the heap.
    pub fn byte_count(&self) -> usize {
        (self.entries.capacity() + self.dealt.capacity()) * size_of::<Entry>()
            + self.keys.capacity() * size_of::<u16>()
    }
}

/// So many levels are dealt out at once at the most: what says where sixteen thousand heaps begin fits a near cache.
const LEVELS_AT_ONCE: u32 = 7;
/// So many are dealt out first where there are more than that, so that the ends of all heaps stay near.
const LEVELS_FIRST: u32 = 5;
/// What says where the heaps of so many levels begin needs no memory of its own.
const FEW_LEVELS: u32 = 3;

/// The cells some levels below a node.
///
/// A product tells in which cell a position lies, but for positions within a rounding of a cut: the few that it puts on the wrong
/// side are found when they come to their leaf.
struct Lattice {
    corner: Vec2,
    /// Cells per metre.
    scale: Vec2,
    last: Vec2,
}

impl Lattice {
    /// The lattice so many levels below a node with these bounds; `None` where cells are so small that numbers hardly tell them
    /// apart.
    fn new(bounds: Aabb, levels: u32) -> Option<Self> {
        let side = (1 << levels) as f32;
        let size = bounds.max - bounds.min;
        let farthest = bounds.min.abs().max(bounds.max.abs());
        let is_fine = (size / side).cmpge(farthest * (64.0 * f32::EPSILON)).all();
        let scale = side / size;
        (is_fine && size.is_finite() && scale.is_finite()).then_some(Self {
            corner: bounds.min,
            scale,
            last: Vec2::splat(side - 1.0),
        })
    }

    /// The cell of a position, in the order in which the tree has them: on each level its [quarter](Node::quarter). Who was put on
    /// the wrong side of a cut above lies outside, and is taken for the nearest cell.
    #[inline(always)]
    fn key(&self, position: Vec2) -> u16 {
        let near = (position - self.corner) * self.scale;
        let near = near.clamp(Vec2::ZERO, self.last);
        // The bits of both, each with a gap behind it.
        let both = near.x as i32 as u64 | (near.y as i32 as u64) << 32;
        let both = (both | both << 4) & 0x0000_0F0F_0000_0F0F;
        let both = (both | both << 2) & 0x0000_3333_0000_3333;
        let both = (both | both << 1) & 0x0000_5555_0000_5555;
        (both | both >> 31) as u16
    }
}

/// Units in the order of the cells of a lattice.
struct Heaps<'a> {
    /// Cell → its first unit, and where the last cell ends.
    starts: &'a [u32],
    entries: &'a mut [Entry],
    /// As long as `entries`; what it holds is of no use.
    spare: &'a mut [Entry],
    keys: &'a mut [u16],
}

impl Quadtree {
    /// Builds the tree from the top: a node deals its units out to the cells some levels below at once, as a counting sort does,
    /// and how many there are of each says which of the nodes between there are.
    pub(super) fn build<P: Probe>(&mut self, bodies: Bodies<'_>, probe: &mut P) {
        probe.on(Event::Work(Work::Rebuild));
        let mut room = std::mem::take(&mut self.room);
        room.entries.clear();
        room.entries.extend(bodies.ids().map(|unit| Entry {
            position: bodies.center(unit),
            unit,
        }));
        let count = room.entries.len();
        let bounds = Aabb::of_points(room.entries.iter().map(|entry| entry.position));
        let root = self.grown_root(bounds);
        self.depth_cap =
            (u32::from(self.doublings) + self.max_depth).min(LEVEL_LIMIT as u32 - 1) as u8;
        self.pool.reset(root, bodies.are_sized());
        self.depth_counts = [0; LEVEL_LIMIT];
        self.depth_counts[0] = 1;
        self.count = count as u32;
        self.slots.clear();
        self.slots.resize(bodies.slot_count(), NONE);
        self.leavers.clear();
        let nothing = Entry {
            position: Vec2::ZERO,
            unit: 0,
        };
        room.dealt.resize(count, nothing);
        room.keys.resize(count, 0);
        let (entries, dealt) = (&mut room.entries[..], &mut room.dealt[..]);
        self.deal(ROOT, entries, dealt, &mut room.keys, bodies, probe);
        self.room = room;
        if self.pool.is_sized() {
            // Children lie behind their parents in a tree that was just built, so backwards is bottom up.
            for node in (1..self.pool.nodes.len()).rev() {
                let parent = self.pool.nodes[node].parent as usize;
                self.pool.reaches[parent] = self.pool.reaches[parent].max(self.pool.reaches[node]);
            }
        }
        let strays = std::mem::take(&mut self.leavers);
        for unit in &strays {
            let found = self.update(bodies, *unit, &mut ());
            debug_assert_eq!(found, Ok(()), "the root holds everybody");
        }
        self.leavers = strays;
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

    /// Whether a new node with so many units is a leaf.
    #[inline]
    fn is_enough(&self, node: u32, count: usize) -> bool {
        count <= self.capacity as usize || self.pool.nodes[node as usize].depth >= self.depth_cap
    }

    /// Fills a new node with `entries`. `spare` and `keys` are as long; what all three hold afterwards is of no use.
    fn deal<P: Probe>(
        &mut self,
        node: u32,
        entries: &mut [Entry],
        spare: &mut [Entry],
        keys: &mut [u16],
        bodies: Bodies<'_>,
        probe: &mut P,
    ) {
        if self.is_enough(node, entries.len()) {
            return self.fill(node, entries, bodies);
        }
        let Node { bounds, depth, .. } = self.pool.nodes[node as usize];
        // As many levels as an even crowd has above its leaves, and no more than there may be.
        let full_leaves = entries.len() as u32 / self.capacity;
        let levels = full_leaves.max(1).ilog2() / 2 + 1;
        let levels = if levels > LEVELS_AT_ONCE {
            LEVELS_FIRST
        } else {
            levels
        };
        let levels = levels.min(u32::from(self.depth_cap - depth));
        let (levels, lattice) =
            Lattice::new(bounds, levels).map_or((1, None), |lattice| (levels, Some(lattice)));
        let cells = 1 << (2 * levels);
        let (mut few, mut many);
        let starts: &mut [u32] = if levels > FEW_LEVELS {
            many = vec![0; cells + 1];
            &mut many
        } else {
            few = [0; (1 << (2 * FEW_LEVELS)) + 1];
            &mut few[..=cells]
        };
        if let Some(lattice) = lattice {
            for (key, entry) in keys.iter_mut().zip(&*entries) {
                *key = lattice.key(entry.position);
            }
        } else {
            let cut = self.pool.nodes[node as usize].cut();
            for (key, entry) in keys.iter_mut().zip(&*entries) {
                *key = Node::quarter(cut, entry.position) as u16;
            }
        }
        for key in &*keys {
            starts[usize::from(*key) + 1] += 1;
        }
        let mut sum = 0;
        for start in &mut *starts {
            sum += *start;
            *start = sum;
        }
        for (key, entry) in keys.iter().zip(&*entries) {
            let place = &mut starts[usize::from(*key)];
            spare[*place as usize] = *entry;
            *place += 1;
        }
        // Each start is where its cell ends by now, which is where the next one begins.
        starts.copy_within(0..starts.len() - 1, 1);
        starts[0] = 0;
        let mut heaps = Heaps {
            starts,
            entries: spare,
            spare: entries,
            keys,
        };
        let cells = 0..1 << (2 * levels);
        self.raise(node, cells, &mut heaps, bodies, probe);
    }

    /// Fills a new node with the units of some cells of a lattice.
    fn raise<P: Probe>(
        &mut self,
        node: u32,
        cells: Range<usize>,
        heaps: &mut Heaps<'_>,
        bodies: Bodies<'_>,
        probe: &mut P,
    ) {
        let units = heaps.starts[cells.start] as usize..heaps.starts[cells.end] as usize;
        if self.is_enough(node, units.len()) {
            return self.fill(node, &heaps.entries[units], bodies);
        }
        if cells.len() == 1 {
            let entries = &mut heaps.entries[units.clone()];
            let (spare, keys) = (&mut heaps.spare[units.clone()], &mut heaps.keys[units]);
            return self.deal(node, entries, spare, keys, bodies, probe);
        }
        let first = self.make_children(node, probe);
        let quarter = cells.len() / 4;
        for (child, begin) in (first..first + 4).zip(cells.step_by(quarter)) {
            self.raise(child, begin..begin + quarter, heaps, bodies, probe);
        }
    }

    /// Puts units into a new leaf, and notes whose it is not.
    fn fill(&mut self, leaf: u32, entries: &[Entry], bodies: Bodies<'_>) {
        let bounds = self.pool.nodes[leaf as usize].bounds;
        for entries in entries.chunks(BLOCK) {
            let block = self.pool.add_block(leaf, entries.len());
            let columns = &mut self.pool.blocks[block as usize];
            for (lane, entry) in entries.iter().enumerate() {
                columns.ids[lane] = entry.unit;
                (columns.xs[lane], columns.ys[lane]) = (entry.position.x, entry.position.y);
                self.slots[entry.unit as usize] = slot_of(block, lane);
                if !Self::owns(bounds, entry.position) {
                    self.leavers.push(entry.unit);
                }
            }
            if self.pool.is_sized() {
                let mut reach = self.pool.reaches[leaf as usize];
                for (lane, entry) in entries.iter().enumerate() {
                    let half_extent = bodies.half_extent(entry.unit);
                    self.pool.half_extents[block as usize][lane] = half_extent;
                    reach = reach.max(half_extent);
                }
                self.pool.reaches[leaf as usize] = reach;
            }
        }
    }
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
            for levels in 1..=LEVELS_AT_ONCE {
                let lattice = Lattice::new(bounds, levels).expect("wide enough");
                let size = bounds.size();
                for outside in [bounds.min - size, bounds.max + size] {
                    assert!(u32::from(lattice.key(outside)) < 1 << (2 * levels));
                }
                for step in 0..2000_u32 {
                    let part = |prime: u32| (step * prime % 4097) as f32 / 4096.0;
                    let way = Vec2::new(part(1237), part(2741)) * size;
                    let position = (bounds.min + way).clamp(bounds.min, bounds.max);
                    let mut cell = Node::leaf(bounds, NONE, 0);
                    for level in (0..levels).rev() {
                        let quarter = lattice.key(position) >> (2 * level) & 3;
                        cell = Node::leaf(cell.quarter_bounds(u32::from(quarter)), NONE, 0);
                    }
                    let slack = cell.bounds.size() * 0.01;
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
        assert!(!tree.leavers.is_empty(), "nobody was on the wrong side");
    }

    #[test]
    fn a_lattice_too_fine_for_its_numbers_is_none() {
        let spot = Aabb::new(Vec2::splat(1.0e6), Vec2::splat(1.0e6 + 2.0));
        assert!(Lattice::new(spot, 5).is_none());
        assert!(Lattice::new(Aabb::new(Vec2::ZERO, Vec2::ZERO), 1).is_none());
        assert!(Lattice::new(Aabb::new(Vec2::splat(f32::MIN), Vec2::splat(f32::MAX)), 3).is_none());
    }
}
