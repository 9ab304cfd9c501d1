//! The uniform grid.

use crate::partition::{
    AUTO, Change, Course, Fact, Info, Knob, KnobRange, Neighbor, Outgrown, Pair, Placement,
    RegionId, Setting, UnitId, Violation,
};
use crate::probe::Probe;
use crate::volume::toolkit::blocks::{Blocks, List, NONE};
use crate::volume::toolkit::lists;
use crate::volume::toolkit::setting::settings;
use crate::volume::{
    Aabb3, Bodies3, NearestQuery3, Partition3, Region3, RegionQuery3, Search3, Vec3,
};
use side::Side;
use tiles::Tiles;

mod edit;
mod pairs;
mod picture;
mod query;
mod side;
mod tiles;
mod validate;

#[cfg(test)]
mod damage;
#[cfg(test)]
mod tests;

/// A uniform grid without an edge: cells exist where somebody is.
///
/// # Algorithm
///
/// 1. A unit belongs to the cell in which its middle lies: `floor(middle / side)` along each axis, never cut off towards zero.
///    Far away coordinates end in the last cell of 2²⁰ to each side; answers come from boxes, so nothing is lost there.
/// 2. Cells lie in *tiles* of 4 × 4 × 4, found by a hash of their place; whoever looks at a neighbour asks the tiles around once
///    and not the hash again. A tile without a unit is given back.
/// 3. A cell knows the union of its units' boxes. A query goes through the cells that the largest body allows for, and prunes by
///    that union; a box that holds it takes all of a cell untested.
/// 4. A body that is wider than two cells is held apart, with the others of its kind, and tested by every query: one giant does
///    not make everybody look farther. Where so many have become as large that these are no exceptions, and the side of a cell is left
///    to the grid, it is built anew.
/// 5. Pairs: each cell with itself and with half of the cells around it, as many rings as the reach needs; where that is more than a
///    tile, tiles with tiles.
/// 6. A unit that moves within its cell is written where it is; else it is unlinked and put into the other cell.
///
/// Build O(n log n), for units are laid down in the order of their cells; add, move, remove O(1); pairs O(n) at a given density,
/// and the larger bodies against everybody. Points and boxes: by their middles ([`Placement::Center`]).
///
/// Reference: R. Nystrom, *Game Programming Patterns* (2014), "Spatial Partition"; M. Teschner et al., "Optimized Spatial Hashing
/// for Collision Detection of Deformable Objects" (2003); C. Ericson, *Real-Time Collision Detection* (2005), chapter 7.
///
/// # Example
///
/// ```
/// use skirmish::volume::{Aabb3, Bodies3, Partition3, Vec3};
/// use skirmish::volume::structures::grid::Grid3;
///
/// // A school of fish: each steers towards the middle of its neighbours.
/// let fish: Vec<Vec3> = (0..512)
///     .map(|i| Vec3::new((i % 8) as f32, (i / 8 % 8) as f32, (i / 64) as f32))
///     .collect();
/// let bodies = Bodies3::points(&fish);
/// let mut index = Grid3::new(Aabb3::new(Vec3::ZERO, Vec3::splat(8.0)));
/// index.expect(1.0);
/// index.rebuild(bodies, &mut ());
/// let mut neighbors = vec![0; fish.len()];
/// let mut middle = vec![Vec3::ZERO; fish.len()];
/// index.pairs(bodies, 1.0, &mut (), |pairs| {
///     for &(a, b) in pairs {
///         let (a, b) = (a as usize, b as usize);
///         middle[a] += fish[b];
///         middle[b] += fish[a];
///         neighbors[a] += 1;
///         neighbors[b] += 1;
///     }
/// });
/// assert_eq!(neighbors[0], 3);
/// assert_eq!(middle[0] / 3.0, Vec3::splat(1.0 / 3.0));
/// ```
#[derive(Clone, Debug)]
pub struct Grid3 {
    field: Aabb3,
    /// The knob `cell_size`.
    cell_size: Side,
    /// The side of a cell in metres, as it was when the grid was built.
    side: f32,
    /// Cells per metre.
    inverse: f32,
    /// Cells in use and free ones. The first is that of the bodies wider than two cells.
    cells: Vec<Cell>,
    /// The first free cell, whose `tile` names the next one; [`NONE`] for none.
    free: u32,
    free_count: u32,
    tiles: Tiles,
    blocks: Blocks,
    /// Row of a unit → its slot in the blocks; [`NONE`] for rows that are not in use.
    slots: Vec<u32>,
    /// How far a body in a cell reaches beyond its middle at the most. It only grows until the next build.
    reach: Vec3,
    /// How many cells from the origin there have been units. It only grows until the next build.
    extent: i32,
    /// How many bodies were held apart when the grid was built.
    large_at_first: u32,
    /// Room in which a build brings units into the order of their cells. While changes are made, the cells whose boxes are looked at
    /// after all of them.
    room: Vec<(u64, UnitId)>,
}

/// Some units.
#[derive(Clone, Copy, Debug)]
struct Cell {
    /// The union of their boxes.
    bounds: Aabb3,
    list: List,
    /// The tile; [`NONE`] for that of the large bodies. Of a free cell, the next free one.
    tile: u32,
    /// The place in the tile; [`FREE`] for a free cell.
    inner: u32,
}

const _: () = assert!(size_of::<Cell>() == 40);

/// The cell of bodies that are wider than two cells.
const LARGE: u32 = 0;

/// The place in a tile of a cell that is not in use.
const FREE: u32 = u32::MAX;

const KNOBS: &[Knob] = &[Knob {
    key: "cell_size",
    name: "cell size",
    help: "The side of a cell. Small cells test fewer pairs, until the reach spans several of them; bodies wider than two cells are tested by everybody.",
    unit: "m",
    range: KnobRange::Number {
        min: 0.05,
        max: 10_000.0,
        whole: false,
        logarithmic: true,
    },
    default: AUTO,
    picture_only: false,
    acts_on_update: false,
    idle_with: &[],
}];

impl Partition3 for Grid3 {
    const INFO: Info = Info {
        key: "grid-3d",
        name: "grid, 3-D",
        tagline: "cells where somebody is",
        placement: Placement::Center,
        what: "Space cut into equal cells, of which only those exist that hold somebody. Each looks at itself and at half of its neighbours; far outside the field there is a cell as well.",
        cost: "build O(n log n) · move O(1) · pairs O(n) at a given density",
        wins: "even crowds of bodies of one size that all move",
        loses: "a crowd in one cell; bodies of mixed sizes; long ways through empty space",
        source: "Nystrom, Game Programming Patterns (2014); Teschner et al. (2003); Ericson (2005)",
        told: 6,
        told_of_sizes: 0,
        knobs: KNOBS,
    };

    const SETTINGS: &'static [Setting<Self>] = settings![cell_size];

    fn new(field: Aabb3) -> Self {
        let mut grid = Self {
            field,
            cell_size: Side::default(),
            side: 1.0,
            inverse: 1.0,
            cells: Vec::new(),
            free: NONE,
            free_count: 0,
            tiles: Tiles::default(),
            blocks: Blocks::new(false),
            slots: Vec::new(),
            reach: Vec3::ZERO,
            extent: 0,
            large_at_first: 0,
            room: Vec::new(),
        };
        grid.build(Bodies3::points(&[]), &mut ());
        grid
    }

    fn rebuild<P: Probe>(&mut self, bodies: Bodies3<'_>, probe: &mut P) {
        self.build(bodies, probe);
    }

    fn prepare<P: Probe>(
        &mut self,
        bodies: Bodies3<'_>,
        changes: &[Change],
        _probe: &mut P,
    ) -> Course {
        self.look_at(bodies, changes)
    }

    fn settle<P: Probe>(
        &mut self,
        _bodies: Bodies3<'_>,
        _changes: &[Change],
        probe: &mut P,
    ) -> Result<(), Outgrown> {
        self.look_back(probe)
    }

    fn add<P: Probe>(
        &mut self,
        bodies: Bodies3<'_>,
        unit: UnitId,
        _probe: &mut P,
    ) -> Result<(), Outgrown> {
        self.insert(unit, bodies.aabb(unit));
        Ok(())
    }

    #[inline]
    fn relocate<P: Probe>(
        &mut self,
        bodies: Bodies3<'_>,
        unit: UnitId,
        probe: &mut P,
    ) -> Result<(), Outgrown> {
        self.update(unit, bodies.aabb(unit), probe);
        Ok(())
    }

    fn remove<P: Probe>(&mut self, unit: UnitId, probe: &mut P) -> Result<(), Outgrown> {
        self.take(unit, probe);
        Ok(())
    }

    fn search<S: Search3, P: Probe>(
        &self,
        _bodies: Bodies3<'_>,
        search: &S,
        probe: &mut P,
        visit: impl FnMut(UnitId),
    ) {
        lists::sift(self, search, probe, visit);
    }

    fn seek_nearest<P: Probe>(
        &self,
        _bodies: Bodies3<'_>,
        query: NearestQuery3,
        filter: impl FnMut(UnitId) -> bool,
        probe: &mut P,
        out: &mut Vec<Neighbor>,
    ) {
        lists::find_nearest(self, query, filter, probe, out);
    }

    fn seek_pairs<P: Probe>(
        &self,
        _bodies: Bodies3<'_>,
        reach: f32,
        probe: &mut P,
        batch: impl FnMut(&[Pair]),
    ) {
        lists::seek_pairs(self, reach, probe, batch);
    }

    fn regions(&self, query: RegionQuery3, visit: &mut dyn FnMut(Region3)) {
        self.draw_regions(query, visit);
    }

    fn facts(&self, _bodies: Bodies3<'_>, region: RegionId, say: &mut dyn FnMut(Fact)) {
        self.say_facts(region, say);
    }

    fn quality(&self, say: &mut dyn FnMut(Fact)) {
        self.say_quality(say);
    }

    fn validate(&self, bodies: Bodies3<'_>) -> Result<(), Violation> {
        self.check(bodies)
    }

    fn memory(&self, say: &mut dyn FnMut(&'static str, usize)) {
        say("cells", self.cells.capacity() * size_of::<Cell>());
        self.tiles.memory(say);
        self.blocks.memory(say);
        say("slots", self.slots.capacity() * size_of::<u32>());
        let room = self.room.capacity() * size_of::<(u64, UnitId)>();
        say("room for building", room);
    }
}
