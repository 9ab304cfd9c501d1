//! What the grid tells of itself: cells to draw, facts and quality.

use super::tiles::cell_in;
use super::{Cell, FREE, Grid3, LARGE};
use crate::partition::{Fact, RegionId, Role};
use crate::volume::{Aabb3, Region3, RegionQuery3};

impl Grid3 {
    /// The cell as it is cut out of space; of the large bodies, the box around them.
    fn outline(&self, cell: u32) -> Aabb3 {
        let here = &self.cells[cell as usize];
        if cell == LARGE {
            return here.bounds;
        }
        let place = self.tiles.all[here.tile as usize].place;
        let low = cell_in(place, here.inner as usize).as_vec3() * self.side;
        Aabb3::new(low, low + self.side)
    }

    fn is_used(&self, cell: u32) -> bool {
        let here = self.cells.get(cell as usize);
        here.is_some_and(|here| here.inner != FREE && here.list.load > 0)
    }

    pub(super) fn draw_regions(&self, query: RegionQuery3, visit: &mut dyn FnMut(Region3)) {
        for cell in (0..self.cells.len() as u32).filter(|cell| self.is_used(*cell)) {
            let bounds = self.outline(cell);
            if query.wants(bounds) {
                visit(Region3 {
                    id: cell,
                    bounds,
                    depth: 0,
                    load: self.cells[cell as usize].list.load,
                    capacity: 0,
                    role: Role::Cell,
                    parent: None,
                });
            }
        }
    }

    pub(super) fn say_facts(&self, region: RegionId, say: &mut dyn FnMut(Fact)) {
        if !self.is_used(region) {
            return;
        }
        let Cell {
            bounds,
            tile,
            inner,
            ..
        } = self.cells[region as usize];
        if region == LARGE {
            say(Fact::new("held apart", "bodies wider than two cells", ""));
        } else {
            let place = cell_in(self.tiles.all[tile as usize].place, inner as usize);
            let place = format!("{}, {}, {}", place.x, place.y, place.z);
            say(Fact::new("column, row, layer", place, ""));
        }
        let size = bounds.size();
        let size = format!("{:.2} × {:.2} × {:.2}", size.x, size.y, size.z);
        say(Fact::new("box around its units", size, "m"));
    }

    pub(super) fn say_quality(&self, say: &mut dyn FnMut(Fact)) {
        let used = || (1..self.cells.len() as u32).filter(|cell| self.is_used(*cell));
        let loads = || used().map(|cell| self.cells[cell as usize].list.load);
        let (count, sum) = (loads().count(), loads().sum::<u32>());
        let mean = f64::from(sum) / count.max(1) as f64;
        let tiles = self.tiles.all.len() - self.tiles.free.len();
        let (blocks, free) = self.blocks.counts();
        let in_use = 100.0 * (blocks - free) as f64 / blocks.max(1) as f64;
        say(Fact::new(
            "side of a cell",
            format!("{:.2}", self.side),
            "m",
        ));
        say(Fact::new("cells with units", count, ""));
        say(Fact::new("mean load", format!("{mean:.1}"), "units"));
        say(Fact::new(
            "fullest cell",
            loads().max().unwrap_or(0),
            "units",
        ));
        let large = self.cells[LARGE as usize].list.load;
        say(Fact::new("larger than a cell", large, "units"));
        say(Fact::new("tiles", tiles, ""));
        say(Fact::new("block pool in use", format!("{in_use:.0}"), "%"));
    }
}
