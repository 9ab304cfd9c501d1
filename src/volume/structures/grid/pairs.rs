//! Everybody within reach of each other: each cell with itself and with half of those around it.

use super::tiles::{CELLS, LIMIT, SPAN, Tile, cell_in, inner_of, tile_of};
use super::{Grid3, LARGE, NONE};
use crate::partition::Pair;
use crate::partition::toolkit::simd::Kernel;
use crate::probe::{Event, Probe};
use crate::volume::Aabb3;
use crate::volume::toolkit::pairs::PairSearch;
use crate::volume::toolkit::rounding::ROUNDING;
use glam::IVec3;

impl Grid3 {
    /// How many cells away along each axis somebody within `reach` may be.
    fn rings(&self, reach: f32) -> IVec3 {
        let apart = (self.reach * 2.0 + reach).as_dvec3() * f64::from(1.0 + ROUNDING);
        // A place is rounded to its cell, by the more the farther it is from the origin.
        let rounding = f64::from(self.extent) * f64::from(ROUNDING);
        let rings = (apart * f64::from(self.inverse) + rounding).ceil();
        // From the first cell to the last; beyond that it makes no difference.
        let most = glam::DVec3::splat(f64::from(2 * LIMIT));
        rings.min(most).as_ivec3()
    }

    #[inline(always)]
    pub(super) fn emit_pairs<const SIZED: bool, K: Kernel, P: Probe, F: FnMut(&[Pair])>(
        &self,
        reach: f32,
        search: &mut PairSearch<'_, SIZED, K, P, F>,
    ) {
        let mut walk = PairWalk { grid: self, search };
        let rings = self.rings(reach);
        walk.large();
        for (index, tile) in (0..).zip(&self.tiles.all) {
            if tile.count == 0 {
            } else if rings.max_element() <= SPAN {
                walk.around(tile, rings);
            } else {
                walk.far(index, tile, rings);
            }
        }
    }
}

/// A pair search on its way from tile to tile.
struct PairWalk<'w, 'a, const SIZED: bool, K: Kernel, P: Probe, F: FnMut(&[Pair])> {
    grid: &'w Grid3,
    search: &'w mut PairSearch<'a, SIZED, K, P, F>,
}

impl<const SIZED: bool, K: Kernel, P: Probe, F: FnMut(&[Pair])> PairWalk<'_, '_, SIZED, K, P, F> {
    /// Tests the large bodies with each other and with everybody.
    #[inline(always)]
    fn large(&mut self) {
        let grid = self.grid;
        let large = &grid.cells[LARGE as usize];
        if large.list.load == 0 {
            return;
        }
        self.search.tell(Event::Visit(LARGE));
        self.search.within(large.list);
        for tile in grid.tiles.all.iter().filter(|tile| tile.count > 0) {
            if !self.search.reaches(large.bounds, grid.tile_box(tile.place)) {
                continue;
            }
            for &cell in tile.cells.iter().filter(|cell| **cell != NONE) {
                self.cells(LARGE, cell);
            }
        }
    }

    /// Tests the units of a tile with each other and with those of the tiles around it, none of whom is farther than that.
    #[inline(always)]
    fn around(&mut self, tile: &Tile, rings: IVec3) {
        let grid = self.grid;
        // Those before it have come to it themselves.
        let mut near = [NONE; 27];
        for (place, near) in near.iter_mut().enumerate().skip(9) {
            *near = grid.tiles.find(tile.place + offset_of(place));
        }
        let IVec3 { x, y, z } = rings;
        for inner in 0..CELLS {
            let cell = tile.cells[inner];
            if cell == NONE {
                continue;
            }
            self.search.tell(Event::Visit(cell));
            self.search.within(grid.cells[cell as usize].list);
            let at = cell_in(IVec3::ZERO, inner);
            for dz in 0..=z {
                for dy in if dz == 0 { 0 } else { -y }..=y {
                    for dx in if dz == 0 && dy == 0 { 1 } else { -x }..=x {
                        let other = at + IVec3::new(dx, dy, dz);
                        let tile = near[place_of(tile_of(other))];
                        if tile == NONE {
                            continue;
                        }
                        let other = grid.tiles.all[tile as usize].cells[inner_of(other)];
                        if other != NONE {
                            self.cells(cell, other);
                        }
                    }
                }
            }
        }
    }

    /// Tests the units of a tile with each other and with those of all tiles behind it within so many cells.
    #[inline(always)]
    fn far(&mut self, index: u32, tile: &Tile, rings: IVec3) {
        let grid = self.grid;
        for inner in 0..CELLS {
            let cell = tile.cells[inner];
            if cell == NONE {
                continue;
            }
            self.search.tell(Event::Visit(cell));
            self.search.within(grid.cells[cell as usize].list);
            for &other in tile.cells[inner + 1..].iter().filter(|it| **it != NONE) {
                self.cells(cell, other);
            }
        }
        let bounds = self.union(tile);
        let around = rings / SPAN + 1;
        for (other, them) in grid.tiles_in(tile.place - around, tile.place + around) {
            // Each two tiles once.
            if other <= index || !self.search.reaches(bounds, self.union(them)) {
                continue;
            }
            let area = self.union(them);
            for &cell in tile.cells.iter().filter(|cell| **cell != NONE) {
                if !self.search.reaches(grid.cells[cell as usize].bounds, area) {
                    continue;
                }
                for &other in them.cells.iter().filter(|cell| **cell != NONE) {
                    self.cells(cell, other);
                }
            }
        }
    }

    /// The box around the units of a tile.
    #[inline(always)]
    fn union(&self, tile: &Tile) -> Aabb3 {
        let cells = tile.cells.iter().filter(|cell| **cell != NONE);
        let bounds = cells.map(|cell| self.grid.cells[*cell as usize].bounds);
        bounds.fold(Aabb3::EMPTY, Aabb3::join)
    }

    /// Tests the units of two cells.
    #[inline(always)]
    fn cells(&mut self, a: u32, b: u32) {
        let (cell_a, cell_b) = (&self.grid.cells[a as usize], &self.grid.cells[b as usize]);
        if !self.search.reaches(cell_a.bounds, cell_b.bounds) {
            self.search.tell_for(a, Event::Prune(b));
            return;
        }
        self.search.tell_for(a, Event::Visit(b));
        self.search.between(cell_a.list, cell_b.list, cell_b.bounds);
    }
}

/// The offset of a neighbour, 0 to 26.
pub(super) fn offset_of(place: usize) -> IVec3 {
    let place = place as i32;
    IVec3::new(place % 3, place / 3 % 3, place / 9) - 1
}

/// The place among the neighbours of an offset of at most one each way.
fn place_of(offset: IVec3) -> usize {
    let IVec3 { x, y, z } = offset + 1;
    (x + 3 * (y + 3 * z)) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::volume::Vec3;

    #[test]
    fn neighbours_are_numbered_there_and_back() {
        for place in 0..27 {
            assert_eq!(place_of(offset_of(place)), place);
        }
        assert_eq!(offset_of(13), IVec3::ZERO);
    }

    #[test]
    fn a_reach_of_a_cell_is_one_ring_and_a_little_more_is_two() {
        let mut grid = <Grid3 as crate::volume::Partition3>::new(Aabb3::point(Vec3::ZERO));
        (grid.side, grid.inverse, grid.extent) = (2.0, 0.5, 100);
        assert_eq!(grid.rings(0.0), IVec3::ONE, "rounding");
        assert_eq!(grid.rings(1.99), IVec3::ONE);
        assert_eq!(grid.rings(2.01), IVec3::splat(2));
        grid.reach = Vec3::new(0.0, 2.0, 0.0);
        assert_eq!(grid.rings(1.9), IVec3::new(1, 3, 1));
    }
}
