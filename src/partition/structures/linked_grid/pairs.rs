//! Everybody within reach of each other.

use super::LinkedGrid;
use crate::geometry::{Aabb, Vec2};
use crate::partition::toolkit::group::{Group, GroupSearch, InGroups, OneByOne};
use crate::partition::toolkit::rounding::widened;
use crate::partition::toolkit::shares::hands;
use crate::partition::toolkit::simd::Kernel;
use crate::partition::{Pair, Part, UnitId};
use crate::probe::{Event, Probe};
use std::ops::RangeInclusive;

impl LinkedGrid {
    /// The units of a chain with their boxes.
    #[inline(always)]
    fn chain_bodies(&self, chain: u32) -> OneByOne<impl Iterator<Item = (UnitId, Aabb)> + Clone> {
        OneByOne(
            self.chain(chain)
                .map(|(unit, link)| (unit, self.body(unit, link))),
        )
    }
}

impl InGroups for LinkedGrid {
    fn is_sized(&self) -> bool {
        !self.half_extents.is_empty()
    }

    /// Each pair is met where the cell that comes first in row-major order looks at the other; within a cell where the
    /// unit that comes later in the chain does. The oversize chain comes after all cells.
    ///
    /// With the full neighbourhood the cell that comes later looks back at the other, and whom it finds it finds again.
    ///
    /// Cells are dealt to the shares 64 at a time, so that a crowd in one corner is not one share's alone.
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
            lookers: Group::NOBODY,
            search,
        };
        for word in hands(part, 0..self.occupied.len(), 1).flatten() {
            let mut bits = self.occupied[word];
            while bits != 0 {
                let cell = word as u32 * 64 + bits.trailing_zeros();
                bits &= bits - 1;
                walk.search.tell(Event::Visit(cell));
                walk.all_of(cell);
            }
        }
        if part.index == 0 {
            let oversize = self.chain_bodies(self.oversize_chain());
            walk.search.within(oversize);
        }
        walk.search.finish();
    }
}

/// A pair search on its way through the cells.
struct PairWalk<'a, 'p, const SIZED: bool, K: Kernel, P: Probe, F: FnMut(&[Pair])> {
    grid: &'a LinkedGrid,
    reach: f32,
    /// Units of one cell.
    lookers: Group,
    search: GroupSearch<'p, SIZED, K, P, F>,
}

impl<const SIZED: bool, K: Kernel, P: Probe, F: FnMut(&[Pair])> PairWalk<'_, '_, SIZED, K, P, F> {
    /// Tests the units of a cell with each other, with those of the cells after it, and with those that are too large for a cell.
    #[inline(always)]
    fn all_of(&mut self, cell: u32) {
        let grid = self.grid;
        let mut chain = grid.chain_bodies(cell);
        while self.search.within_next(&mut self.lookers, &mut chain) {
            let around = self.search.bounds_of(&self.lookers);
            let area = around.grown(Vec2::splat(widened(self.reach)));
            self.look_at_neighbours(cell, area);
            if grid.looks_back {
                self.look_back(cell, area);
            }
            if grid.oversize_count > 0 {
                let oversize = grid.chain_bodies(grid.oversize_chain());
                self.search.meet_all(&self.lookers, oversize);
            }
            if self.lookers.room() > 0 {
                return;
            }
        }
    }

    /// Tests those of a cell who look with the units of the cells after it that touch an area.
    #[inline(always)]
    fn look_at_neighbours(&mut self, home: u32, area: Aabb) {
        let width = self.grid.columns.count();
        let (columns, rows) = self.grid.cells_around(area);
        for row in home / width..=*rows.end() {
            let first = row * width;
            let begin = (first + columns.start()).max(home + 1);
            self.look_along::<false>(home, row, begin..=first + columns.end());
        }
    }

    /// Tests those of a cell who look with the units of the cells before it, which have looked at this cell already:
    /// what the second half of a full neighbourhood costs, and brings.
    #[inline(always)]
    fn look_back(&mut self, home: u32, area: Aabb) {
        // Nobody comes before the very first cell.
        let Some(last) = home.checked_sub(1) else {
            return;
        };
        let width = self.grid.columns.count();
        let (columns, rows) = self.grid.cells_around(area);
        for row in *rows.start()..=home / width {
            let first = row * width;
            let end = last.min(first + columns.end());
            self.look_along::<true>(home, row, first + columns.start()..=end);
        }
    }

    /// Tests those of a cell who look with the units of some cells of a row, `AGAIN` where those have looked at this cell already.
    #[inline(always)]
    fn look_along<const AGAIN: bool>(&mut self, home: u32, row: u32, cells: RangeInclusive<u32>) {
        if cells.is_empty() {
            return;
        }
        let (grid, end) = (self.grid, *cells.end());
        let mut next = grid.next_occupied(*cells.start(), end);
        while let Some(cell) = next {
            if self.is_near(home, cell, row) {
                let chain = grid.chain_bodies(cell);
                if AGAIN {
                    self.search.meet_again(chain);
                } else {
                    self.search.meet(chain);
                }
            }
            next = grid.next_occupied_behind(cell, end);
        }
    }

    /// Gathers those of a cell who look and are in reach of another one. Says whether there are any, and tells of it.
    #[inline(always)]
    fn is_near(&mut self, home: u32, cell: u32, row: u32) -> bool {
        let column = cell - row * self.grid.columns.count();
        let area = self.grid.reach_box(column, row);
        let is_near = self.search.gather_of(&self.lookers, area);
        let event = if is_near {
            Event::Visit(cell)
        } else {
            Event::Prune(cell)
        };
        self.search.tell_for(home, event);
        is_near
    }
}
