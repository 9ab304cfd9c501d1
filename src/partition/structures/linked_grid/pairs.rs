//! Everybody within reach of each other.

use super::LinkedGrid;
use crate::geometry::{Aabb, Vec2};
use crate::partition::toolkit::group::{Group, GroupSearch, OneByOne};
use crate::partition::toolkit::rounding::widened;
use crate::partition::toolkit::shares::hands;
use crate::partition::toolkit::simd::{self, Kernel, Task};
use crate::partition::{Pair, Part, UnitId};
use crate::probe::{Event, Probe};

impl LinkedGrid {
    /// Each pair is met where the cell that comes first in row-major order looks at the other; within a cell where the
    /// unit that comes later in the chain does. The oversize chain comes after all cells.
    ///
    /// With the full neighbourhood the cell that comes later looks back at the other, and whom it finds it finds again.
    ///
    /// Cells are dealt to the shares 64 at a time, so that a crowd in one corner is not one share's alone.
    pub(super) fn emit_pairs<const SIZED: bool, P: Probe>(
        &self,
        reach: f32,
        part: Part,
        probe: &mut P,
        batch: impl FnMut(&[Pair]),
    ) {
        simd::dispatch(Emission::<SIZED, P, _> {
            grid: self,
            reach,
            part,
            probe,
            batch,
        });
    }

    /// The units of a chain with their boxes.
    #[inline(always)]
    fn chain_bodies(&self, chain: u32) -> OneByOne<impl Iterator<Item = (UnitId, Aabb)> + Clone> {
        OneByOne(
            self.chain(chain)
                .map(|(unit, link)| (unit, self.body(unit, link))),
        )
    }
}

/// A pair search about to begin, with whatever kernel there is.
struct Emission<'g, 'p, const SIZED: bool, P: Probe, F: FnMut(&[Pair])> {
    grid: &'g LinkedGrid,
    reach: f32,
    part: Part,
    probe: &'p mut P,
    batch: F,
}

impl<const SIZED: bool, P: Probe, F: FnMut(&[Pair])> Task for Emission<'_, '_, SIZED, P, F> {
    const DETAILED: bool = P::DETAILED;

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) {
        let Self {
            grid, reach, part, ..
        } = self;
        let mut walk = PairWalk {
            grid,
            reach,
            lookers: Group::NOBODY,
            search: GroupSearch::<SIZED, K, P, _>::new(kernel, reach, self.probe, self.batch),
        };
        for word in hands(part, 0..grid.occupied.len(), 1).flatten() {
            let mut bits = grid.occupied[word];
            while bits != 0 {
                let cell = word as u32 * 64 + bits.trailing_zeros();
                bits &= bits - 1;
                walk.search.tell(Event::Visit(cell));
                walk.all_of(cell);
            }
        }
        if part.index == 0 {
            let oversize = grid.chain_bodies(grid.oversize_chain());
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
        let grid = self.grid;
        let width = grid.columns.count();
        let (columns, rows) = grid.cells_around(area);
        for row in home / width..=*rows.end() {
            let first = row * width;
            let begin = (first + columns.start()).max(home + 1);
            let end = first + columns.end();
            if begin > end {
                continue;
            }
            let mut next = grid.next_occupied(begin, end);
            while let Some(cell) = next {
                if self.is_near(home, cell, row) {
                    self.search.meet(grid.chain_bodies(cell));
                }
                next = grid.next_occupied_behind(cell, end);
            }
        }
    }

    /// Tests those of a cell who look with the units of the cells before it, which have looked at this cell already:
    /// what the second half of a full neighbourhood costs, and brings.
    #[inline(always)]
    fn look_back(&mut self, home: u32, area: Aabb) {
        let grid = self.grid;
        let width = grid.columns.count();
        let (columns, rows) = grid.cells_around(area);
        for row in *rows.start()..=home / width {
            let first = row * width;
            let begin = first + columns.start();
            // Nobody comes before the very first cell.
            let Some(last) = home.checked_sub(1) else {
                return;
            };
            let end = last.min(first + columns.end());
            if begin > end {
                continue;
            }
            let mut next = grid.next_occupied(begin, end);
            while let Some(cell) = next {
                if self.is_near(home, cell, row) {
                    self.search.meet_again(grid.chain_bodies(cell));
                }
                next = grid.next_occupied_behind(cell, end);
            }
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
