//! Everybody within reach of each other.

use super::blocks::{Block, Blocks, Cell, Cells, bits};
use super::{BLOCK_CELLS, HierarchicalGrid, LEVEL_LIMIT};
use crate::geometry::{Aabb, Vec2};
use crate::partition::toolkit::chunk::{Chunk, PairSearch};
use crate::partition::toolkit::rounding::widened;
use crate::partition::toolkit::shares::hands;
use crate::partition::{Pair, Part, RegionId, UnitId};
use crate::probe::{Event, Probe};

impl HierarchicalGrid {
    /// Each pair of one level is met in the cell that comes first, row by row, when it looks at the cells after it; a pair of
    /// two levels in the cell of the finer one.
    ///
    /// Rows of blocks are dealt to the shares like cards, so that a crowd in one corner is not one share's alone.
    pub(super) fn emit_pairs<const SIZED: bool, P: Probe>(
        &self,
        reach: f32,
        part: Part,
        probe: &mut P,
        batch: impl FnMut(&[Pair]),
    ) {
        let mut search = PairSearch::<SIZED, P, _>::new(reach, probe, batch);
        let (mut chunk, mut near) = (Chunk::EMPTY, Chunk::EMPTY);
        let mut around = Around::NOTHING;
        let mut looked_around = None;
        for row in hands(part, 0..8 * self.blocks.all().len(), 1).flatten() {
            let index = row as u32 / 8;
            let block = self.blocks.get(index);
            let occupied = block.mask & 0xff << (row % 8 * 8);
            if occupied == 0 {
                continue;
            }
            if looked_around != Some(index) {
                around.look(self, block, reach);
                looked_around = Some(index);
            }
            for bit in bits(occupied) {
                search.tell(Event::Visit(Blocks::id(index, bit)));
                let bodies = self.chain_bodies(self.blocks.head(index, bit));
                search.within(bodies, &mut chunk, |search, chunk| {
                    self.pair_with_others(
                        (block.cell(bit), Blocks::id(index, bit)),
                        chunk,
                        &around,
                        &mut near,
                        reach,
                        search,
                    );
                });
            }
        }
        search.finish();
    }

    /// Tests a chunk of a cell's units with those of the cells after it on its level, and of all cells on coarser levels.
    /// `near` is room to work in.
    fn pair_with_others<const SIZED: bool, P: Probe, F: FnMut(&[Pair])>(
        &self,
        (home, looker): (Cell, RegionId),
        chunk: &Chunk,
        around: &Around,
        near: &mut Chunk,
        reach: f32,
        search: &mut PairSearch<'_, SIZED, P, F>,
    ) {
        let area = chunk.bounds().grown(Vec2::splat(widened(reach)));
        // The cells that have looked at this one before, and itself; those in rows below are not looked for.
        let behind = Cells {
            level: home.level,
            first: [i32::MIN, home.row],
            last: [home.column, home.row],
        };
        for (level, blocks) in around.levels() {
            let mut cells = self.cells_touching(level, area);
            let is_own = level == home.level;
            if is_own {
                cells.first[1] = home.row;
            }
            let mut look = |index: u32, mut mask: u64| {
                let block = self.blocks.get(index);
                if is_own {
                    mask &= !behind.mask_in(block);
                }
                for bit in bits(mask) {
                    let cell = Blocks::id(index, bit);
                    let area = self.reach_box(self.one_cell(block, bit));
                    near.gather_near(&mut chunk.bodies(), area, search.reach_sq());
                    if near.is_empty() {
                        search.tell_for(looker, Event::Prune(cell));
                    } else {
                        search.tell_for(looker, Event::Visit(cell));
                        search.between(near, self.chain_bodies(self.blocks.head(index, bit)));
                    }
                }
            };
            match blocks {
                Some(blocks) => {
                    for &index in blocks {
                        let block = self.blocks.get(index);
                        look(index, block.mask & cells.mask_in(block));
                    }
                }
                None => self.blocks.for_blocks(cells, look),
            }
        }
    }

    /// The units of a cell with their boxes.
    #[inline]
    fn chain_bodies(&self, head: u32) -> impl Iterator<Item = (UnitId, Aabb)> + Clone {
        self.chain(head)
            .map(|(unit, link)| (unit, self.body(unit, link)))
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
