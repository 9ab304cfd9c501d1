//! Who is in a box, in a ball, on a line, nearest to a point.

use super::tiles::{CELLS, LIMIT, SPAN, Tile, cell_at, tile_of};
use super::{Grid3, LARGE, NONE};
use crate::partition::{Best, Neighbor, UnitId};
use crate::probe::{Event, Probe};
use crate::volume::toolkit::rounding::ROUNDING;
use crate::volume::{Aabb3, NearestQuery3, Search3, Vec3};
use glam::IVec3;

impl Grid3 {
    /// A box that holds all bodies of a tile. Where a place is rounded to is known to a fraction of a cell, so half a cell is
    /// allowed for; the last tiles hold whatever is beyond them.
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

    /// Calls `each` with every tile in use at a place from `first` to `last`.
    pub(super) fn tiles_in(&self, first: IVec3, last: IVec3, mut each: impl FnMut(u32, &Tile)) {
        let size = (last - first + 1).as_dvec3();
        // Where there are fewer tiles than places, the tiles are asked where they are.
        if size.element_product() > self.tiles.all.len() as f64 {
            for (index, tile) in (0..).zip(&self.tiles.all) {
                let is_in = tile.place.cmpge(first).all() && tile.place.cmple(last).all();
                if tile.count > 0 && is_in {
                    each(index, tile);
                }
            }
            return;
        }
        for z in first.z..=last.z {
            for y in first.y..=last.y {
                for x in first.x..=last.x {
                    let index = self.tiles.find(IVec3::new(x, y, z));
                    if index != NONE {
                        each(index, &self.tiles.all[index as usize]);
                    }
                }
            }
        }
    }

    /// Visits the units that `search` holds.
    pub(super) fn sift<S: Search3, P: Probe>(
        &self,
        search: &S,
        probe: &mut P,
        mut visit: impl FnMut(UnitId),
    ) {
        self.sift_cell(LARGE, search, probe, &mut visit);
        let cover = search.cover();
        let rounding = cover.min.abs().max(cover.max.abs()) * ROUNDING;
        let cover = cover.grown(self.reach * (1.0 + ROUNDING) + rounding);
        let first = cell_at(cover.min, self.inverse);
        let last = cell_at(cover.max, self.inverse);
        self.tiles_in(tile_of(first), tile_of(last), |_, tile| {
            if !search.holds(self.tile_box(tile.place)) {
                return;
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
                            self.sift_cell(cell, search, probe, &mut visit);
                        }
                    }
                }
            }
        });
    }

    fn sift_cell<S: Search3, P: Probe>(
        &self,
        cell: u32,
        search: &S,
        probe: &mut P,
        visit: &mut impl FnMut(UnitId),
    ) {
        let here = &self.cells[cell as usize];
        if here.list.load == 0 {
            return;
        }
        if search.swallows(here.bounds) {
            probe.on(Event::Accept(cell));
            self.blocks.accept(here.list, probe, visit);
        } else if search.holds(here.bounds) {
            probe.on(Event::Visit(cell));
            self.blocks.sift(here.list, search, probe, visit);
        } else {
            probe.on(Event::Prune(cell));
        }
    }

    /// Fills `out` with the nearest units: one shell of tiles around the point after the other, until the next is too far.
    pub(super) fn find_nearest<P: Probe>(
        &self,
        query: NearestQuery3,
        filter: impl FnMut(UnitId) -> bool,
        probe: &mut P,
        out: &mut Vec<Neighbor>,
    ) {
        let mut approach = Approach {
            grid: self,
            point: query.point,
            filter,
            probe,
            best: Best::new(out, query.count, query.within),
        };
        approach.cell(LARGE);
        let center = tile_of(cell_at(query.point, self.inverse));
        // Everybody of a tile so many shells away is at least this far less a tile from the point.
        let step = f64::from(self.side) * f64::from(SPAN);
        let slack = f64::from(self.reach.max_element() + self.side);
        for ring in 0..LIMIT {
            let gap = (f64::from(ring) - 1.0) * step - slack;
            if gap > 0.0 && gap * gap > f64::from(approach.best.bound_sq()) {
                break;
            }
            let width = 2.0 * f64::from(ring) + 1.0;
            if width * width * width > self.tiles.all.len() as f64 {
                approach.rest(center, ring);
                break;
            }
            approach.shell(center, ring);
        }
        let Approach { best, probe, .. } = approach;
        best.finish(probe);
    }
}

/// A search for the nearest on its way.
struct Approach<'g, 'p, 'b, F: FnMut(UnitId) -> bool, P: Probe> {
    grid: &'g Grid3,
    point: Vec3,
    filter: F,
    probe: &'p mut P,
    best: Best<'b>,
}

impl<F: FnMut(UnitId) -> bool, P: Probe> Approach<'_, '_, '_, F, P> {
    /// The tiles `ring` tiles from the middle one, along the axis along which they are farthest.
    fn shell(&mut self, center: IVec3, ring: i32) {
        let is_border = |offset: i32| offset.abs() == ring;
        for z in -ring..=ring {
            for y in -ring..=ring {
                let step = if is_border(z) || is_border(y) || ring == 0 {
                    1
                } else {
                    2 * ring
                };
                for x in (-ring..=ring).step_by(step as usize) {
                    let tile = self.grid.tiles.find(center + IVec3::new(x, y, z));
                    if tile != NONE {
                        self.tile(&self.grid.tiles.all[tile as usize]);
                    }
                }
            }
        }
    }

    /// All tiles at least `ring` tiles from the middle one.
    fn rest(&mut self, center: IVec3, ring: i32) {
        for tile in &self.grid.tiles.all {
            if tile.count > 0 && (tile.place - center).abs().max_element() >= ring {
                self.tile(tile);
            }
        }
    }

    fn tile(&mut self, tile: &Tile) {
        let bounds = self.grid.tile_box(tile.place);
        if bounds.distance_sq(self.point) > self.best.bound_sq() {
            return;
        }
        for inner in 0..CELLS {
            if tile.cells[inner] != NONE {
                self.cell(tile.cells[inner]);
            }
        }
    }

    fn cell(&mut self, cell: u32) {
        let here = &self.grid.cells[cell as usize];
        if here.list.load == 0 {
            return;
        }
        if here.bounds.distance_sq(self.point) > self.best.bound_sq() {
            self.probe.on(Event::Prune(cell));
            return;
        }
        self.probe.on(Event::Visit(cell));
        self.grid.blocks.offer(
            here.list,
            self.point,
            &mut self.best,
            &mut self.filter,
            self.probe,
        );
    }
}
