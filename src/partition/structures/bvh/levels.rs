//! The boxes of leaves and nodes, level by level.

use crate::geometry::Aabb;
use crate::partition::RegionId;
use crate::partition::toolkit::boxes::Boxes;
pub(super) use crate::partition::toolkit::boxes::WIDTH;
use crate::partition::toolkit::simd::Kernel;

/// There are never more levels: sixteen to the power of eight leaves are more than there are units.
pub(super) const LEVEL_LIMIT: usize = 9;

/// Levels take so many bits of a region's number.
const LEVEL_BITS: u32 = 4;

/// The number of the region that is a node or, on level 0, a leaf.
#[inline]
pub(super) const fn region(level: usize, index: usize) -> RegionId {
    (index << LEVEL_BITS | level) as RegionId
}

/// The level and the index of a region.
pub(super) const fn of_region(region: RegionId) -> (usize, usize) {
    let level = region & ((1 << LEVEL_BITS) - 1);
    (level as usize, (region >> LEVEL_BITS) as usize)
}

/// Half of a box's perimeter, by which it costs; nothing where nobody is in it.
#[inline(always)]
pub(super) fn weight(bounds: Aabb) -> f64 {
    if bounds.is_empty() {
        0.0
    } else {
        f64::from(bounds.half_perimeter())
    }
}

/// The boxes of one level; those of sixteen that follow each other are together, for they are the children of one node.
#[derive(Clone, Debug, Default)]
pub(super) struct Level {
    pub boxes: Vec<Boxes>,
    /// How many nodes or leaves there are, those in which nobody is included.
    pub count: usize,
}

impl Level {
    /// The boxes of the children of a node of the level above.
    #[inline(always)]
    pub fn children(&self, parent: usize) -> &Boxes {
        &self.boxes[parent]
    }

    #[inline(always)]
    pub fn get(&self, index: usize) -> Aabb {
        self.boxes[index / WIDTH].get(index % WIDTH)
    }

    #[inline(always)]
    pub fn set(&mut self, index: usize, bounds: Aabb) {
        self.boxes[index / WIDTH].set(index % WIDTH, bounds);
    }

    /// Makes it `count` boxes and keeps those that there are.
    fn resize(&mut self, count: usize) {
        self.boxes.resize(count.div_ceil(WIDTH), Boxes::EMPTY);
        self.count = count;
    }

    fn byte_count(&self) -> usize {
        self.boxes.capacity() * size_of::<Boxes>()
    }
}

/// All levels: on the lowest the leaves, on the next the groups of up to sixteen leaves, and so on up to the root, which is
/// alone on its level. What is above what follows from where it is: the children of node i are those from 16 · i on.
#[derive(Clone, Debug, Default)]
pub(super) struct Levels {
    pub levels: Vec<Level>,
    /// Levels that are not in use; their memory is.
    spare: Vec<Level>,
}

impl Levels {
    /// Forgets everything.
    pub fn clear(&mut self) {
        self.spare.extend(self.levels.drain(..).rev());
    }

    /// Forgets everything and makes room for so many groups.
    pub fn reset(&mut self, groups: usize) {
        self.clear();
        if groups > 0 {
            self.resize(groups);
        }
    }

    /// Makes it `groups` groups and keeps those that there are. The boxes of what is new are empty, and those above it are to
    /// be computed.
    pub fn resize(&mut self, groups: usize) {
        let mut count = groups * WIDTH;
        for level in 0.. {
            if level == self.levels.len() {
                let mut new = self.spare.pop().unwrap_or_default();
                new.resize(0);
                self.levels.push(new);
            }
            self.levels[level].resize(count);
            if count == 1 {
                break;
            }
            count = count.div_ceil(WIDTH);
        }
    }

    /// How many groups there are.
    #[inline]
    pub fn group_count(&self) -> usize {
        self.levels.get(1).map_or(0, |level| level.count)
    }

    /// How many nodes there are, the root among them.
    pub fn node_count(&self) -> usize {
        self.levels.iter().skip(1).map(|level| level.count).sum()
    }

    /// The level of the root.
    #[inline(always)]
    pub fn top(&self) -> usize {
        self.levels.len().saturating_sub(1)
    }

    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.levels.is_empty()
    }

    #[inline(always)]
    pub fn level(&self, level: usize) -> &Level {
        &self.levels[level]
    }

    #[inline(always)]
    pub fn level_mut(&mut self, level: usize) -> &mut Level {
        &mut self.levels[level]
    }

    /// The boxes of the leaves, those of a group together; none where there is nobody.
    pub fn leaf_boxes_mut(&mut self) -> Option<&mut [Boxes]> {
        self.levels.first_mut().map(|level| &mut level.boxes[..])
    }

    /// The box of everybody.
    pub fn root(&self) -> Aabb {
        match self.levels.last() {
            Some(root) => root.get(0),
            None => Aabb::EMPTY,
        }
    }

    /// Computes the box of a node from those of its children.
    #[inline(always)]
    pub fn join<K: Kernel>(&mut self, kernel: K, level: usize, index: usize) -> Aabb {
        let bounds = self.levels[level - 1].children(index).bounds(kernel);
        self.levels[level].set(index, bounds);
        bounds
    }

    /// Computes the boxes of all nodes from those of the leaves.
    #[inline(always)]
    pub fn join_all<K: Kernel>(&mut self, kernel: K) {
        for level in 1..self.levels.len() {
            for index in 0..self.levels[level].count {
                self.join(kernel, level, index);
            }
        }
    }

    /// The sum of half perimeters, each as often as it has children, weighted by what `units` says of a leaf.
    pub fn cost(&self, fills: &[u8]) -> f64 {
        let mut cost = 0.0;
        for (leaf, &fill) in fills.iter().enumerate() {
            if fill > 0 {
                cost += weight(self.levels[0].get(leaf)) * f64::from(fill);
            }
        }
        for level in self.levels.iter().skip(1) {
            for index in 0..level.count {
                cost += weight(level.get(index)) * WIDTH as f64;
            }
        }
        cost
    }

    pub fn byte_count(&self) -> usize {
        let levels = self.levels.iter().chain(&self.spare);
        levels.map(Level::byte_count).sum::<usize>()
            + (self.levels.capacity() + self.spare.capacity()) * size_of::<Level>()
    }
}
