//! `flat_spatial`: a grid with a list in every cell.
//!
//! A move is not seen before the grid has been maintained, which looks through all cells. In the work `move` that is done
//! once, after all moves of a turn: the grid is made to be used so, but it is not what the others do.

use crate::contest::{Contestant, Entry, family};
use crate::tally::Tally;
use crate::work::{Question, Work};
use crate::world::World;
use flat_spatial::Grid;
use flat_spatial::grid::GridHandle;
use skirmish::geometry::Vec2;

struct FlatSpatial {
    cell: i32,
    grid: Grid<u32, [f32; 2]>,
    handles: Vec<GridHandle>,
}

impl FlatSpatial {
    fn new(cell: i32) -> Self {
        Self {
            cell,
            grid: Grid::new(cell),
            handles: Vec::new(),
        }
    }
}

impl Contestant for FlatSpatial {
    fn build(&mut self, world: &World) {
        self.grid = Grid::new(self.cell);
        self.handles.clear();
        for (unit, center) in (0..).zip(&world.centers) {
            self.handles.push(self.grid.insert(center.to_array(), unit));
        }
    }

    fn discard(&mut self) {
        self.grid = Grid::new(self.cell);
    }

    fn update(&mut self, world: &World) {
        for (handle, center) in self.handles.iter().zip(&world.centers) {
            self.grid.set_position(*handle, center.to_array());
        }
        self.grid.maintain();
    }

    fn relocate(&mut self, world: &World, unit: u32, _from: Vec2) {
        let to = world.centers[unit as usize].to_array();
        self.grid.set_position(self.handles[unit as usize], to);
    }

    fn settle(&mut self, _world: &World) {
        self.grid.maintain();
    }

    fn pairs<T: Tally>(&mut self, world: &World, tally: &mut T) {
        let around = Vec2::splat(world.reach * 1.0005);
        let reach_sq = world.reach * world.reach;
        for (unit, center) in (0..).zip(&world.centers) {
            let (low, high) = ((*center - around).to_array(), (*center + around).to_array());
            self.grid.query_visitor(low, high, |(handle, place)| {
                let (x, y) = (place[0] - center.x, place[1] - center.y);
                if x * x + y * y <= reach_sq
                    && let Some((_, other)) = self.grid.get(handle)
                    && unit < *other
                {
                    tally.pair(unit, *other);
                }
            });
        }
    }

    fn rectangles<T: Tally>(&mut self, world: &World, tally: &mut T) {
        for (index, area) in world.rectangles.iter().enumerate() {
            tally.query(index);
            let (low, high) = (area.min.to_array(), area.max.to_array());
            self.grid.query_aabb_visitor(low, high, |(handle, _)| {
                if let Some((_, unit)) = self.grid.get(handle) {
                    tally.unit(*unit);
                }
            });
        }
    }
}

/// Enters it for points, with several sizes of cells.
pub fn enter(world: &World, work: Work, entries: &mut Vec<Entry>) {
    if world.is_sized() || work == Work::Nearest {
        return;
    }
    let plain = Entry::peer("flat_spatial", family::GRID, Question::Rectangles, |_| {
        FlatSpatial::new(2)
    });
    entries.push(
        plain
            .or("cells of 4", |_| FlatSpatial::new(4))
            .or("cells of 8", |_| FlatSpatial::new(8)),
    );
}
