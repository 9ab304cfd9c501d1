//! Building the whole tree from the top.

use super::{DOUBLING_LIMIT, LEVEL_LIMIT, NONE, Node, Octree, ROOT, Record};
use crate::partition::UnitId;
use crate::probe::{Event, Probe, Work};
use crate::volume::{Aabb3, Bodies3, Vec3};
use std::ops::Range;

/// A unit on its way to its leaf.
#[derive(Clone, Copy, Debug)]
struct Entry {
    /// The middle of its box.
    middle: Vec3,
    unit: UnitId,
}

/// Where units lie on their way to their leaves. It is kept for its memory.
#[derive(Debug, Default)]
pub(super) struct Room {
    entries: Vec<Entry>,
    dealt: Vec<Entry>,
    /// Entry → the group into which it is dealt.
    groups: Vec<u8>,
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
            + self.groups.capacity()
    }
}

/// The octants come first, and those who straddle last.
const STRADDLERS: usize = 8;

impl Octree {
    /// Forgets everything and builds the tree over the units alive.
    pub(super) fn build<P: Probe>(&mut self, bodies: Bodies3<'_>, probe: &mut P) {
        probe.on(Event::Work(Work::Rebuild));
        let mut room = std::mem::take(&mut self.room);
        room.entries.clear();
        let mut bounds = Aabb3::EMPTY;
        for unit in bodies.ids() {
            let middle = bodies.aabb(unit).center();
            bounds = bounds.join(Aabb3::point(middle));
            room.entries.push(Entry { middle, unit });
        }
        self.blocks.reset(bodies.are_sized());
        self.slots.clear();
        self.slots.resize(bodies.slot_count(), NONE);
        self.nodes.clear();
        self.records.clear();
        (self.free, self.free_count) = (NONE, 0);
        let cell = self.grown_root(bounds);
        let deepest = u32::from(self.doublings) + self.max_depth;
        self.depth_cap = deepest.min(LEVEL_LIMIT as u32 - 1) as u8;
        self.nodes.push(Node::leaf(Aabb3::EVERYTHING));
        self.records.push(Record {
            cell,
            parent: NONE,
            fitting: 0,
            depth: 0,
        });
        let count = room.entries.len();
        // What is there is of no use: it is written before it is read.
        room.dealt.clear();
        room.dealt.extend_from_slice(&room.entries);
        room.groups.resize(count, 0);
        self.deal(ROOT, &mut room, 0..count, bodies, probe);
        self.room = room;
    }

    /// The field, doubled towards `bounds` until it holds them.
    fn grown_root(&mut self, bounds: Aabb3) -> Aabb3 {
        let mut root = self.home();
        self.doublings = 0;
        while !bounds.is_empty() && !root.contains_box(bounds) && self.doublings < DOUBLING_LIMIT {
            let size = root.size();
            // The old root stays one of the eight octants of the new one.
            for axis in 0..3 {
                if bounds.min[axis] < root.min[axis] {
                    root.min[axis] -= size[axis];
                } else {
                    root.max[axis] += size[axis];
                }
            }
            self.doublings += 1;
        }
        root
    }

    /// Fills a new node with a range of the entries. The recursion goes no deeper than the tree.
    fn deal<P: Probe>(
        &mut self,
        node: u32,
        room: &mut Room,
        range: Range<usize>,
        bodies: Bodies3<'_>,
        probe: &mut P,
    ) {
        self.nodes[node as usize].total = range.len() as u32;
        let Record { cell, depth, .. } = self.records[node as usize];
        // Points inside of their cell fit whatever octant they are in.
        let all_fit = !self.blocks.is_sized() && node != ROOT;
        if range.len() <= self.capacity as usize || self.is_deepest(depth) {
            // Who fits is counted all the same, for later edits.
            for entry in &room.entries[range] {
                let body = bodies.aabb(entry.unit);
                let fits = all_fit || self.octant_for(node, body).is_some();
                self.records[node as usize].fitting += u32::from(fits);
                self.hold(node, entry.unit, body);
            }
            return;
        }
        let mut counts = [0_usize; STRADDLERS + 1];
        let cut = cell.center();
        for place in range.clone() {
            let entry = room.entries[place];
            let group = if all_fit {
                Self::octant(cut, entry.middle) as usize
            } else {
                let octant = self.octant_for(node, bodies.aabb(entry.unit));
                octant.map_or(STRADDLERS, |octant| octant as usize)
            };
            room.groups[place] = group as u8;
            counts[group] += 1;
        }
        let fitting = range.len() - counts[STRADDLERS];
        if fitting <= self.capacity as usize {
            self.records[node as usize].fitting = fitting as u32;
            for entry in &room.entries[range] {
                self.hold(node, entry.unit, bodies.aabb(entry.unit));
            }
            return;
        }
        let mut starts = [range.start; STRADDLERS + 1];
        for group in 1..=STRADDLERS {
            starts[group] = starts[group - 1] + counts[group - 1];
        }
        let mut ends = starts;
        for place in range.clone() {
            let end = &mut ends[usize::from(room.groups[place])];
            room.dealt[*end] = room.entries[place];
            *end += 1;
        }
        room.entries[range.clone()].copy_from_slice(&room.dealt[range.clone()]);
        for entry in &room.entries[starts[STRADDLERS]..range.end] {
            self.hold(node, entry.unit, bodies.aabb(entry.unit));
        }
        let first = self.make_children(node, probe);
        for octant in 0..STRADDLERS {
            let part = starts[octant]..starts[octant] + counts[octant];
            if !part.is_empty() {
                self.deal(first + octant as u32, room, part, bodies, probe);
            }
        }
    }

    /// Puts a unit that is counted already into the list of a node.
    #[inline]
    pub(super) fn hold(&mut self, node: u32, unit: UnitId, body: Aabb3) {
        let list = &mut self.nodes[node as usize].list;
        self.slots[unit as usize] = self.blocks.push(list, node, unit, body);
    }

    /// Puts eight empty leaves under a leaf and gives the first.
    pub(super) fn make_children<P: Probe>(&mut self, node: u32, probe: &mut P) -> u32 {
        probe.on(Event::Split(node));
        let record = self.records[node as usize];
        let bounds = self.nodes[node as usize].bounds;
        let mut first = self.free;
        if first == NONE {
            first = self.nodes.len() as u32;
            let end = self.nodes.len() + 8;
            self.nodes.resize(end, Node::leaf(bounds));
            self.records.resize(end, record);
        } else {
            self.free = self.nodes[first as usize].children;
            self.free_count -= 1;
        }
        for octant in 0..8 {
            let index = (first + octant) as usize;
            let cell = Self::octant_cell(record.cell, octant);
            self.nodes[index] = Node::leaf(self.octant_bounds(cell, bounds));
            self.records[index] = Record {
                cell,
                parent: node,
                fitting: 0,
                depth: record.depth + 1,
            };
        }
        self.nodes[node as usize].children = first;
        self.records[node as usize].fitting = 0;
        first
    }
}
