//! Everybody within reach of each other.

use super::LinkedGrid;
use crate::geometry::{Aabb, Vec2};
use crate::partition::toolkit::chunk::{Chunk, PairSearch};
use crate::partition::toolkit::rounding::widened;
use crate::partition::toolkit::shares::hands;
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
        let mut search = PairSearch::<SIZED, P, _>::new(reach, probe, batch);
        let (mut chunk, mut near) = (Chunk::EMPTY, Chunk::EMPTY);
        let oversize = self.oversize_chain();
        for word in hands(part, 0..self.occupied.len(), 1).flatten() {
            let mut bits = self.occupied[word];
            while bits != 0 {
                let cell = word as u32 * 64 + bits.trailing_zeros();
                bits &= bits - 1;
                search.tell(Event::Visit(cell));
                search.within(self.chain_bodies(cell), &mut chunk, |search, chunk| {
                    self.pair_with_neighbours(cell, chunk, &mut near, reach, search);
                    if self.looks_back {
                        self.meet_again(cell, chunk, &mut near, reach, search);
                    }
                    search.between(chunk, self.chain_bodies(oversize));
                });
            }
        }
        if part.index == 0 {
            search.within(self.chain_bodies(oversize), &mut chunk, |_, _| {});
        }
        search.finish();
    }

    /// Tests a chunk of a cell's units with the units of the cells after it. `near` is room to work in.
    fn pair_with_neighbours<const SIZED: bool, P: Probe, F: FnMut(&[Pair])>(
        &self,
        home: u32,
        chunk: &Chunk,
        near: &mut Chunk,
        reach: f32,
        search: &mut PairSearch<'_, SIZED, P, F>,
    ) {
        let width = self.columns.count();
        let (columns, rows) = self.cells_around(chunk.bounds().grown(Vec2::splat(widened(reach))));
        for row in home / width..=*rows.end() {
            let first = row * width;
            let begin = (first + columns.start()).max(home + 1);
            let end = first + columns.end();
            if begin > end {
                continue;
            }
            self.for_occupied(begin, end, |cell| {
                let area = self.reach_box(cell - first, row);
                near.gather_near(&mut chunk.bodies(), area, search.reach_sq());
                if near.is_empty() {
                    search.tell_for(home, Event::Prune(cell));
                } else {
                    search.tell_for(home, Event::Visit(cell));
                    search.between(near, self.chain_bodies(cell));
                }
            });
        }
    }

    /// Tests a chunk of a cell's units with the units of the cells before it, which have looked at this cell already:
    /// what the second half of a full neighbourhood costs, and brings. `near` is room to work in.
    #[cold]
    fn meet_again<const SIZED: bool, P: Probe, F: FnMut(&[Pair])>(
        &self,
        home: u32,
        chunk: &Chunk,
        near: &mut Chunk,
        reach: f32,
        search: &mut PairSearch<'_, SIZED, P, F>,
    ) {
        let width = self.columns.count();
        let (columns, rows) = self.cells_around(chunk.bounds().grown(Vec2::splat(widened(reach))));
        for row in *rows.start()..=home / width {
            let first = row * width;
            let begin = first + columns.start();
            // Nobody comes before the very first cell.
            let Some(end) = home
                .checked_sub(1)
                .map(|last| last.min(first + columns.end()))
            else {
                return;
            };
            if begin > end {
                continue;
            }
            self.for_occupied(begin, end, |cell| {
                let area = self.reach_box(cell - first, row);
                near.gather_near(&mut chunk.bodies(), area, search.reach_sq());
                if near.is_empty() {
                    search.tell_for(home, Event::Prune(cell));
                } else {
                    search.tell_for(home, Event::Visit(cell));
                    search.between_again(near, self.chain_bodies(cell));
                }
            });
        }
    }

    /// The units of a chain with their boxes.
    #[inline]
    fn chain_bodies(&self, chain: u32) -> impl Iterator<Item = (UnitId, Aabb)> + Clone {
        self.chain(chain)
            .map(|(unit, link)| (unit, self.body(unit, link)))
    }
}
