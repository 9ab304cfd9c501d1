//! Who is in a rectangle, in a disc, nearest to a point, on a line.

use super::blocks::{Block, Blocks, Cells, bits};
use super::{HierarchicalGrid, NONE};
use crate::geometry::{Aabb, Vec2};
use crate::partition::toolkit::rounding::ROUNDING;
use crate::partition::{Best, NearestQuery, Neighbor, Search, UnitId};
use crate::probe::{Event, Probe};

/// Cells in no more blocks than this are looked up one by one; more are halved first, and halves that hold nothing left out.
const FEW_BLOCKS: u64 = 16;

/// How many cells around the one of its point a search for the nearest looks at on each level before it goes farther on any.
const NEAR_CELLS: i32 = 2;

impl HierarchicalGrid {
    /// Visits the units that a search holds, level by level.
    pub(super) fn search_levels<S: Search, P: Probe>(
        &self,
        search: &S,
        probe: &mut P,
        mut visit: impl FnMut(UnitId),
    ) {
        let ((left, right), (bottom, top)) = (search.along(Vec2::X), search.along(Vec2::Y));
        let area = Aabb::new(
            Vec2::new(left as f32, bottom as f32),
            Vec2::new(right as f32, top as f32),
        );
        for level in self.occupied_levels() {
            self.search_cells(search, self.cells_touching(level, area), probe, &mut visit);
        }
    }

    /// Halves the cells until few blocks are left, at most some sixty times: a line across the world is not looked for in
    /// all of the box around it.
    fn search_cells<S: Search, P: Probe>(
        &self,
        search: &S,
        cells: Cells,
        probe: &mut P,
        visit: &mut impl FnMut(UnitId),
    ) {
        let blocks = cells.block_count();
        let all = self.blocks.of_level(cells.level).len() as u64;
        if blocks > FEW_BLOCKS && blocks <= all * 4 {
            for half in cells.halves() {
                if search.holds(self.reach_box(half)) {
                    self.search_cells(search, half, probe, visit);
                }
            }
            return;
        }
        self.blocks.for_blocks(cells, |block, mask| {
            self.search_block(search, block, mask, probe, visit);
        });
    }

    fn search_block<S: Search, P: Probe>(
        &self,
        search: &S,
        index: u32,
        mask: u64,
        probe: &mut P,
        visit: &mut impl FnMut(UnitId),
    ) {
        let block = self.blocks.get(index);
        if !search.holds(self.reach_box(block.cells())) {
            return;
        }
        for bit in bits(mask) {
            let (cell, head) = (Blocks::id(index, bit), self.blocks.head(index, bit));
            let centers = self.cell_box(self.one_cell(block, bit));
            // A centre is part of its body: whoever has it inside is found, whatever the size.
            if search.swallows(centers) {
                probe.on(Event::Accept(cell));
                self.accept(head, probe, visit);
            } else if search.holds(centers.grown(self.levels[block.level as usize].half_extent)) {
                probe.on(Event::Visit(cell));
                self.test(head, search, probe, visit);
            } else {
                probe.on(Event::Prune(cell));
            }
        }
    }

    /// Tests every unit of a cell and visits those that the search holds.
    #[inline]
    fn test<S: Search, P: Probe>(
        &self,
        head: u32,
        search: &S,
        probe: &mut P,
        visit: &mut impl FnMut(UnitId),
    ) {
        let (mut tests, mut hits) = (0, 0);
        for (unit, link) in self.chain(head) {
            tests += 1;
            if P::DETAILED {
                probe.on(Event::Test(unit));
            }
            if search.holds(self.body(unit, link)) {
                hits += 1;
                if P::DETAILED {
                    probe.on(Event::Hit(unit));
                }
                visit(unit);
            }
        }
        if !P::DETAILED {
            probe.tests(tests);
            probe.hits(hits);
        }
    }

    /// Visits every unit of a cell without a test.
    #[inline]
    fn accept<P: Probe>(&self, head: u32, probe: &mut P, visit: &mut impl FnMut(UnitId)) {
        let mut hits = 0;
        for (unit, _) in self.chain(head) {
            hits += 1;
            if P::DETAILED {
                probe.on(Event::Hit(unit));
            }
            visit(unit);
        }
        if !P::DETAILED {
            probe.hits(hits);
        }
    }

    /// First the cells around the point on every level, then level by level the blocks around it, ring by ring, until what is
    /// left is farther than the last of those found.
    pub(super) fn find_nearest<P: Probe>(
        &self,
        query: NearestQuery,
        filter: impl FnMut(UnitId) -> bool,
        probe: &mut P,
        out: &mut Vec<Neighbor>,
    ) {
        let mut nearest = Nearest {
            grid: self,
            point: query.point,
            filter,
            probe,
            best: Best::new(out, query.count, query.within),
            cells: Closest::new(),
        };
        for level in self.occupied_levels() {
            self.blocks
                .for_blocks(nearest.home_cells(level), |block, mask| {
                    nearest.gather(block, mask);
                });
            nearest.scan();
        }
        for level in self.occupied_levels() {
            nearest.rings(level);
        }
        nearest.best.finish(probe);
    }
}

/// A search for the nearest under way.
struct Nearest<'g, 'p, 'b, P: Probe, F: FnMut(UnitId) -> bool> {
    grid: &'g HierarchicalGrid,
    point: Vec2,
    filter: F,
    probe: &'p mut P,
    best: Best<'b>,
    /// Cells that wait to be looked at.
    cells: Closest,
}

impl<P: Probe, F: FnMut(UnitId) -> bool> Nearest<'_, '_, '_, P, F> {
    /// The cells that are looked at first.
    fn home_cells(&self, level: u32) -> Cells {
        let home = [self.point.x, self.point.y].map(|it| self.grid.number(level, it));
        Cells {
            level,
            first: home.map(|number| number.saturating_sub(NEAR_CELLS)),
            last: home.map(|number| number.saturating_add(NEAR_CELLS)),
        }
    }

    /// Looks at the blocks around the point, ring by ring. When that has cost as many look-ups as there are blocks, it is
    /// cheaper to go through the list of them.
    fn rings(&mut self, level: u32) {
        let grid = self.grid;
        let home = self.home_cells(level);
        let [columns, rows] =
            [self.point.x, self.point.y].map(|coordinate| grid.number(level, coordinate) >> 3);
        let blocks = grid.blocks.of_level(level).len();
        let mut looked_up = 0;
        for ring in 0_i32.. {
            let seen = match ring {
                0 => home,
                _ => Cells {
                    level,
                    first: [columns, rows].map(|it| (it - ring + 1).saturating_mul(8)),
                    last: [columns, rows].map(|it| (it + ring).saturating_mul(8) - 1),
                },
            };
            if self.outside_sq(seen) > self.best.bound_sq() {
                return;
            }
            looked_up += (8 * ring).max(1) as usize;
            if looked_up > blocks {
                return self.by_list(level, [columns, rows], ring);
            }
            for row in rows - ring..=rows + ring {
                // The lowest and highest rows are whole, of those in between only the ends are on the ring.
                let step = if (row - rows).abs() == ring {
                    1
                } else {
                    2 * ring
                };
                for column in (columns - ring..=columns + ring).step_by(step.max(1) as usize) {
                    if let Some(block) = grid.blocks.find(level, [column, row]) {
                        self.look_into(block, home);
                    }
                }
            }
        }
    }

    /// The least squared distance of anybody on a level who is outside of these cells, around the point.
    fn outside_sq(&self, cells: Cells) -> f32 {
        let width = f64::from(self.grid.cell_size(cells.level));
        let half_extent = self.grid.levels[cells.level as usize].half_extent;
        let mut gap = f64::INFINITY;
        for axis in 0..2 {
            let point = f64::from(self.point[axis]);
            let low = f64::from(cells.first[axis]) * width;
            let high = (f64::from(cells.last[axis]) + 1.0) * width;
            let size = f64::from(half_extent[axis]);
            let slack = (low.abs().max(high.abs()) + size) * (2.0 * f64::from(ROUNDING));
            gap = gap.min((point - low).min(high - point) - size - slack);
        }
        let gap = gap.max(0.0) as f32;
        gap * gap * (1.0 - ROUNDING)
    }

    /// Looks at the blocks that are at least `ring` blocks away from the home block, the nearest first, a few dozen in each
    /// pass over the list: a far crowd is found by going once over the blocks, and not by rings through empty land.
    fn by_list(&mut self, level: u32, home: [i32; 2], ring: i32) {
        let grid = self.grid;
        let cells = self.home_cells(level);
        let mut last = None;
        loop {
            let mut blocks = Closest::new();
            for &index in grid.blocks.of_level(level) {
                let block = grid.blocks.get(index);
                let away = block.place[0]
                    .abs_diff(home[0])
                    .max(block.place[1].abs_diff(home[1]));
                if away < ring as u32 {
                    continue;
                }
                let distance_sq = grid.reach_box(block.cells()).distance_sq(self.point);
                let entry = (distance_sq, index);
                if distance_sq <= self.best.bound_sq() && last < Some(entry) {
                    blocks.offer(entry);
                }
            }
            for &(distance_sq, index) in blocks.entries() {
                if distance_sq > self.best.bound_sq() {
                    return;
                }
                self.look_into(index, cells);
            }
            if blocks.entries().len() < Closest::LENGTH {
                return;
            }
            last = blocks.entries().last().copied();
        }
    }

    /// Looks at the cells of a block, but those that were looked at first.
    fn look_into(&mut self, index: u32, seen: Cells) {
        let block = self.grid.blocks.get(index);
        let mask = block.mask & !seen.mask_in(block);
        if mask != 0 {
            self.gather(index, mask);
            self.scan();
        }
    }

    /// Writes down which cells of a block may hold somebody near enough.
    fn gather(&mut self, index: u32, mask: u64) {
        let block = self.grid.blocks.get(index);
        for bit in bits(mask) {
            let area = self.grid.reach_box(self.grid.one_cell(block, bit));
            let entry = (area.distance_sq(self.point), Blocks::id(index, bit));
            if entry.0 <= self.best.bound_sq() {
                self.cells.offer(entry);
            } else {
                self.probe.on(Event::Prune(entry.1));
            }
        }
    }

    /// Looks at the cells that were written down, the nearest first.
    fn scan(&mut self) {
        let cells = std::mem::replace(&mut self.cells, Closest::new());
        for &(distance_sq, cell) in cells.entries() {
            if distance_sq > self.best.bound_sq() {
                self.probe.on(Event::Prune(cell));
                continue;
            }
            self.probe.on(Event::Visit(cell));
            let mut tests = 0;
            for (unit, link) in self.grid.chain(self.grid.head_of(cell).unwrap_or(NONE)) {
                tests += 1;
                if P::DETAILED {
                    self.probe.on(Event::Test(unit));
                }
                let distance_sq = self.grid.body(unit, link).distance_sq(self.point);
                if self.best.wants(unit, distance_sq) && (self.filter)(unit) {
                    self.best.offer(unit, distance_sq);
                }
            }
            if !P::DETAILED {
                self.probe.tests(tests);
            }
        }
    }
}

/// The nearest of the cells or blocks that were offered, in order.
struct Closest {
    entries: [(f32, u32); Self::LENGTH],
    count: usize,
}

impl Closest {
    /// As many as there are cells in a block.
    const LENGTH: usize = super::BLOCK_CELLS as usize;

    fn new() -> Self {
        Self {
            entries: [(0.0, 0); Self::LENGTH],
            count: 0,
        }
    }

    fn entries(&self) -> &[(f32, u32)] {
        &self.entries[..self.count]
    }

    /// Takes the entry; where there is no more room, the farthest is dropped.
    fn offer(&mut self, entry: (f32, u32)) {
        let mut place = self.count;
        if place == Self::LENGTH {
            if self.entries[place - 1] <= entry {
                return;
            }
            place -= 1;
        } else {
            self.count += 1;
        }
        while place > 0 && entry < self.entries[place - 1] {
            self.entries[place] = self.entries[place - 1];
            place -= 1;
        }
        self.entries[place] = entry;
    }
}

impl HierarchicalGrid {
    /// A single cell of a block.
    #[inline]
    pub(super) fn one_cell(&self, block: &Block, bit: u32) -> Cells {
        let cell = block.cell(bit);
        let place = [cell.column, cell.row];
        Cells {
            level: cell.level,
            first: place,
            last: place,
        }
    }
}
