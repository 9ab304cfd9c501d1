//! Who is in a box, in a ball, on a line, nearest to a point.

use super::pairs::offset_of;
use super::tiles::{CELLS, LIMIT, SPAN, Tile, Tiles, cell_at, cell_in, inner_of, tile_of};
use super::{Grid3, LARGE, NONE};
use crate::partition::toolkit::simd::Kernel;
use crate::partition::{Pair, UnitId};
use crate::probe::{Event, Probe};
use crate::volume::toolkit::blocks::Blocks;
use crate::volume::toolkit::lists::{Lists, Nearest3, Sieve3};
use crate::volume::toolkit::pairs::PairSearch;
use crate::volume::toolkit::rounding::ROUNDING;
use crate::volume::{Aabb3, Search3};
use glam::IVec3;

impl Grid3 {
    /// A box that holds all bodies of a tile. Where a place is rounded to is known to a fraction of a cell, so half a cell is
    /// allowed for; the last tiles hold whatever is beyond them.
    #[inline]
    pub(super) fn tile_box(&self, place: IVec3) -> Aabb3 {
        let side = self.side * SPAN as f32;
        let low = place.as_vec3() * side;
        let grow = self.reach + self.side * 0.5;
        let mut bounds = Aabb3::new(low, low + side).grown(grow);
        for axis in 0..3 {
            if place[axis] == -LIMIT / SPAN {
                bounds.min[axis] = f32::NEG_INFINITY;
            }
            if place[axis] == LIMIT / SPAN - 1 {
                bounds.max[axis] = f32::INFINITY;
            }
        }
        bounds
    }

    /// Every tile in use at a place from `first` to `last`.
    #[inline]
    pub(super) fn tiles_in(&self, first: IVec3, last: IVec3) -> TilesIn<'_> {
        let size = (last - first + 1).as_dvec3();
        let is_none = first.cmpgt(last).any();
        TilesIn {
            tiles: &self.tiles,
            first,
            last,
            place: first,
            // Where there are fewer tiles than places, the tiles are asked where they are.
            asks_tiles: is_none || size.element_product() > self.tiles.all.len() as f64,
            asked: 0,
        }
    }
}

/// Every tile in use at a place from one to another. It calls nobody, for whoever it called would not be compiled for the
/// kernel.
pub(super) struct TilesIn<'a> {
    tiles: &'a Tiles,
    first: IVec3,
    last: IVec3,
    /// The next place.
    place: IVec3,
    /// Whether the tiles are asked for their places, and not the places for their tiles.
    asks_tiles: bool,
    /// How many tiles were asked.
    asked: u32,
}

impl<'a> Iterator for TilesIn<'a> {
    type Item = (u32, &'a Tile);

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        let all = &self.tiles.all;
        if self.asks_tiles {
            loop {
                let (index, tile) = (self.asked, all.get(self.asked as usize)?);
                self.asked += 1;
                let place = tile.place;
                let is_in = place.cmpge(self.first).all() && place.cmple(self.last).all();
                if tile.count > 0 && is_in {
                    return Some((index, tile));
                }
            }
        }
        while self.place.z <= self.last.z {
            let index = self.tiles.find(self.place);
            self.place.x += 1;
            if self.place.x > self.last.x {
                self.place.x = self.first.x;
                self.place.y += 1;
                if self.place.y > self.last.y {
                    self.place.y = self.first.y;
                    self.place.z += 1;
                }
            }
            if index != NONE {
                return Some((index, &all[index as usize]));
            }
        }
        None
    }
}

impl Lists for Grid3 {
    fn blocks(&self) -> &Blocks {
        &self.blocks
    }

    #[inline(always)]
    fn lead<const SIZED: bool, K: Kernel, S: Search3, P: Probe, V: FnMut(UnitId)>(
        &self,
        sieve: &mut Sieve3<'_, SIZED, K, S, P, V>,
    ) {
        self.lead_to(LARGE, sieve);
        let search = sieve.search;
        let cover = search.cover();
        let rounding = cover.min.abs().max(cover.max.abs()) * ROUNDING;
        let cover = cover.grown(self.reach * (1.0 + ROUNDING) + rounding);
        let first = cell_at(cover.min, self.inverse);
        let last = cell_at(cover.max, self.inverse);
        for (_, tile) in self.tiles_in(tile_of(first), tile_of(last)) {
            if !search.holds(self.tile_box(tile.place)) {
                continue;
            }
            // The part of the tile in which the area is.
            let origin = tile.place * SPAN;
            let low = (first - origin).max(IVec3::ZERO);
            let high = (last - origin).min(IVec3::splat(SPAN - 1));
            for z in low.z..=high.z {
                for y in low.y..=high.y {
                    for x in low.x..=high.x {
                        let inner = (x + (y + z * SPAN) * SPAN) as usize;
                        let cell = tile.cells[inner];
                        if cell != NONE {
                            self.lead_to(cell, sieve);
                        }
                    }
                }
            }
        }
    }

    /// The cells around the point, for whoever is there leaves little to look for; then one shell of tiles after the other, until
    /// the next is too far.
    #[inline(always)]
    fn approach<K: Kernel, F: FnMut(UnitId) -> bool, P: Probe>(
        &self,
        nearest: &mut Nearest3<'_, K, F, P>,
    ) {
        self.approach_cell(LARGE, nearest);
        let home = cell_at(nearest.point, self.inverse);
        for place in 0..27 {
            // The one in the middle first.
            let at = home + offset_of((place + 13) % 27);
            let tile = self.tiles.find(tile_of(at));
            if tile != NONE {
                let cell = self.tiles.all[tile as usize].cells[inner_of(at)];
                if cell != NONE {
                    self.approach_cell(cell, nearest);
                }
            }
        }
        let center = tile_of(home);
        // Everybody of a tile so many shells away is at least this far less a tile from the point.
        let step = f64::from(self.side) * f64::from(SPAN);
        let slack = f64::from(self.reach.max_element() + self.side);
        for ring in 0..LIMIT {
            let gap = (f64::from(ring) - 1.0) * step - slack;
            if gap > 0.0 && gap * gap > f64::from(nearest.bound_sq()) {
                break;
            }
            let width = 2.0 * f64::from(ring) + 1.0;
            if width * width * width > self.tiles.all.len() as f64 {
                // All that are left.
                for tile in &self.tiles.all {
                    if tile.count > 0 && (tile.place - center).abs().max_element() >= ring {
                        self.approach_tile(tile, home, nearest);
                    }
                }
                break;
            }
            // Those `ring` tiles from the middle one, along the axis along which they are farthest.
            let is_border = |offset: i32| offset.abs() == ring;
            for z in -ring..=ring {
                for y in -ring..=ring {
                    let step = if is_border(z) || is_border(y) || ring == 0 {
                        1
                    } else {
                        2 * ring
                    };
                    for x in (-ring..=ring).step_by(step as usize) {
                        let tile = self.tiles.find(center + IVec3::new(x, y, z));
                        if tile != NONE {
                            self.approach_tile(&self.tiles.all[tile as usize], home, nearest);
                        }
                    }
                }
            }
        }
    }

    #[inline(always)]
    fn pair_up<const SIZED: bool, K: Kernel, P: Probe, F: FnMut(&[Pair])>(
        &self,
        reach: f32,
        search: &mut PairSearch<'_, SIZED, K, P, F>,
    ) {
        self.emit_pairs(reach, search);
    }
}

impl Grid3 {
    #[inline(always)]
    fn lead_to<const SIZED: bool, K: Kernel, S: Search3, P: Probe, V: FnMut(UnitId)>(
        &self,
        cell: u32,
        sieve: &mut Sieve3<'_, SIZED, K, S, P, V>,
    ) {
        let here = &self.cells[cell as usize];
        if here.list.load == 0 {
            return;
        }
        if sieve.search.swallows(here.bounds) {
            sieve.tell(Event::Accept(cell));
            sieve.accept(here.list);
        } else if sieve.search.holds(here.bounds) {
            sieve.tell(Event::Visit(cell));
            sieve.sift(here.list);
        } else {
            sieve.tell(Event::Prune(cell));
        }
    }

    /// All cells of a tile but those around `home`.
    #[inline(always)]
    fn approach_tile<K: Kernel, F: FnMut(UnitId) -> bool, P: Probe>(
        &self,
        tile: &Tile,
        home: IVec3,
        nearest: &mut Nearest3<'_, K, F, P>,
    ) {
        let bounds = self.tile_box(tile.place);
        if bounds.distance_sq(nearest.point) > nearest.bound_sq() {
            return;
        }
        for inner in 0..CELLS {
            let away = (cell_in(tile.place, inner) - home).abs();
            if tile.cells[inner] != NONE && away.max_element() > 1 {
                self.approach_cell(tile.cells[inner], nearest);
            }
        }
    }

    #[inline(always)]
    fn approach_cell<K: Kernel, F: FnMut(UnitId) -> bool, P: Probe>(
        &self,
        cell: u32,
        nearest: &mut Nearest3<'_, K, F, P>,
    ) {
        let here = &self.cells[cell as usize];
        if here.list.load == 0 {
            return;
        }
        if here.bounds.distance_sq(nearest.point) > nearest.bound_sq() {
            nearest.tell(Event::Prune(cell));
            return;
        }
        nearest.tell(Event::Visit(cell));
        nearest.offer(here.list);
    }
}
