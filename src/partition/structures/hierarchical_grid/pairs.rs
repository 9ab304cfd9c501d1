//! Everybody within reach of each other.

use super::blocks::{Block, Blocks, Cells, bits};
use super::{BLOCK_CELLS, HierarchicalGrid, LEVEL_LIMIT};
use crate::geometry::{Aabb, Vec2};
use crate::partition::toolkit::group::{Group, GroupSearch, InGroups, OneByOne};
use crate::partition::toolkit::rounding::widened;
use crate::partition::toolkit::shares::hands;
use crate::partition::toolkit::simd::Kernel;
use crate::partition::{Pair, Part, UnitId};
use crate::probe::{Event, Probe};

impl HierarchicalGrid {
    /// The units of a cell with their boxes.
    #[inline(always)]
    fn chain_bodies(&self, head: u32) -> OneByOne<impl Iterator<Item = (UnitId, Aabb)> + Clone> {
        OneByOne(
            self.chain(head)
                .map(|(unit, link)| (unit, self.body(unit, link))),
        )
    }
}

impl InGroups for HierarchicalGrid {
    fn is_sized(&self) -> bool {
        !self.half_extents.is_empty()
    }

    /// Each pair of one level is met in the cell that comes first, row by row, when it looks at the cells after it; a pair of
    /// two levels in the cell of the finer one.
    ///
    /// Rows of blocks are dealt to the shares like cards, so that a crowd in one corner is not one share's alone.
    #[inline(always)]
    fn walk<const SIZED: bool, K: Kernel, P: Probe, F: FnMut(&[Pair])>(
        &self,
        reach: f32,
        part: Part,
        search: GroupSearch<'_, SIZED, K, P, F>,
    ) {
        let mut walk = PairWalk {
            grid: self,
            reach,
            around: Around::NOTHING,
            lookers: Group::NOBODY,
            search,
        };
        let mut looked_around = None;
        for row in hands(part, 0..8 * self.blocks.all().len(), 1).flatten() {
            let index = row as u32 / 8;
            let block = self.blocks.get(index);
            let occupied = block.mask & 0xff << (row % 8 * 8);
            if occupied == 0 {
                continue;
            }
            if looked_around != Some(index) {
                walk.around.look(self, block, reach);
                looked_around = Some(index);
            }
            for bit in bits(occupied) {
                walk.all_of(index, bit);
            }
        }
        walk.search.finish();
    }
}

/// A pair search on its way through the cells.
struct PairWalk<'a, 'p, const SIZED: bool, K: Kernel, P: Probe, F: FnMut(&[Pair])> {
    grid: &'a HierarchicalGrid,
    reach: f32,
    /// What is around the block at hand.
    around: Around,
    /// Units of one cell.
    lookers: Group,
    search: GroupSearch<'p, SIZED, K, P, F>,
}

impl<const SIZED: bool, K: Kernel, P: Probe, F: FnMut(&[Pair])> PairWalk<'_, '_, SIZED, K, P, F> {
    /// Tests the units of a cell with each other, with those of the cells after it on its level, and of all cells on coarser levels.
    #[inline(always)]
    fn all_of(&mut self, index: u32, bit: u32) {
        let grid = self.grid;
        let (home, looker) = (grid.blocks.get(index).cell(bit), Blocks::id(index, bit));
        self.search.tell(Event::Visit(looker));
        let mut chain = grid.chain_bodies(grid.blocks.head(index, bit));
        while self.search.within_next(&mut self.lookers, &mut chain) {
            let around = self.search.bounds_of(&self.lookers);
            let area = around.grown(Vec2::splat(widened(self.reach)));
            // The cells that have looked at this one before, and itself; those in rows below are not looked for.
            let behind = Cells {
                level: home.level,
                first: [i32::MIN, home.row],
                last: [home.column, home.row],
            };
            for (level, blocks) in self.around.levels() {
                let mut cells = grid.cells_touching(level, area);
                let is_own = level == home.level;
                if is_own {
                    cells.first[1] = home.row;
                }
                let sought = match blocks {
                    Some(_) => None,
                    None => Some(grid.blocks.within(cells)),
                };
                let listed = blocks.unwrap_or_default().iter().copied();
                for index in listed.chain(sought.into_iter().flatten()) {
                    let block = grid.blocks.get(index);
                    let mut mask = block.mask & cells.mask_in(block);
                    if is_own {
                        mask &= !behind.mask_in(block);
                    }
                    for bit in bits(mask) {
                        let cell = Blocks::id(index, bit);
                        let area = grid.reach_box(grid.one_cell(block, bit));
                        if self.search.gather_of(&self.lookers, area) {
                            self.search.tell_for(looker, Event::Visit(cell));
                            let chain = grid.chain_bodies(grid.blocks.head(index, bit));
                            self.search.meet(chain);
                        } else {
                            self.search.tell_for(looker, Event::Prune(cell));
                        }
                    }
                }
            }
            if self.lookers.room() > 0 {
                return;
            }
        }
    }
}

/// The blocks that the cells of one block may have to look at, on its own level and all coarser ones: found once for all of
/// its cells. Most levels have nobody near, and are not looked at again.
struct Around {
    /// The levels with somebody near, each with the place in `blocks` where its blocks end, or [`Around::WIDE`].
    levels: [(u32, u32); LEVEL_LIMIT],
    level_count: usize,
    blocks: [u32; Self::LENGTH],
}

impl Around {
    /// Room for four blocks on each of a dozen levels.
    const LENGTH: usize = BLOCK_CELLS as usize;

    /// In place of the end of a level whose blocks are too many to be written down.
    const WIDE: u32 = u32::MAX;

    const NOTHING: Self = Self {
        levels: [(0, 0); LEVEL_LIMIT],
        level_count: 0,
        blocks: [0; Self::LENGTH],
    };

    /// Finds the blocks within reach of the bodies of a block.
    fn look(&mut self, grid: &HierarchicalGrid, home: &Block, reach: f32) {
        self.level_count = 0;
        let mut filled = 0;
        let area = grid
            .reach_box(home.cells())
            .grown(Vec2::splat(widened(reach)));
        for level in grid
            .occupied_levels()
            .skip_while(|level| *level < home.level)
        {
            let mut cells = grid.cells_touching(level, area);
            if level == home.level {
                cells.first[1] = home.cell(0).row;
            }
            let begin = filled;
            let mut found = 0;
            grid.blocks.for_blocks(cells, |index, _| {
                if filled < Self::LENGTH {
                    self.blocks[filled] = index;
                    filled += 1;
                }
                found += 1;
            });
            if found > 0 {
                let fits = begin + found == filled;
                filled = if fits { filled } else { begin };
                let end = if fits { filled as u32 } else { Self::WIDE };
                self.levels[self.level_count] = (level, end);
                self.level_count += 1;
            }
        }
    }

    /// The levels with somebody near, each with its blocks; without them where they are too many.
    #[inline]
    fn levels(&self) -> impl Iterator<Item = (u32, Option<&[u32]>)> {
        let mut begin = 0;
        self.levels[..self.level_count]
            .iter()
            .map(move |(level, end)| {
                if *end == Self::WIDE {
                    return (*level, None);
                }
                let first = std::mem::replace(&mut begin, *end as usize);
                (*level, Some(&self.blocks[first..*end as usize]))
            })
    }
}
