//! The hierarchical grid: one uniform grid a size class.

use crate::geometry::{Aabb, Vec2};
use crate::partition::knob::settings;
use crate::partition::toolkit::fit::{Fitted, Throng};
use crate::partition::toolkit::group::emit_in_groups;
use crate::partition::toolkit::rounding::ROUNDING;
use crate::partition::{
    AUTO, Bodies, Change, Course, Fact, Info, Knob, KnobRange, Mark, MarkQuery, NearestQuery,
    Neighbor, Outgrown, Pair, Part, Partition, Placement, Region, RegionId, RegionQuery, Search,
    Setting, UnitId, Violation,
};
use crate::probe::Probe;
use blocks::{BLOCK_CELLS, Blocks, Cells, LEVEL_LIMIT, NONE};

mod blocks;
mod edit;
mod pairs;
mod picture;
mod query;
mod validate;

#[cfg(test)]
mod damage;
#[cfg(test)]
mod tests;

/// A stack of uniform grids, each with cells twice as wide as the one below; a body lies in the finest whose cells are wide
/// enough for it.
///
/// # Algorithm
///
/// 1. Level 0 has the finest cells, and cells double from level to level. A body's level is the least whose cells hold it: its
///    width is at most a set share of the cell's. Its cell there is the one that holds its centre, `floor(x / cell)` by
///    `floor(y / cell)`; the grids have no borders, so nobody is outside.
/// 2. A cell is a list threaded through its units, as in the linked grid: to add, remove or move a unit is to mend three links,
///    and a unit that grows or shrinks changes its level in the same way.
/// 3. Cells stand in blocks of 8 × 8, found by hashing level, column and row. Only blocks in which somebody is are kept, with one
///    bit a cell that says where: memory is bounded by the number of units, however wide the field.
/// 4. A mask of levels says which have anybody. A query goes through those alone, and on each grows by the largest half extent
///    that lies there: a giant makes only its own level's queries large, and there the cells are few.
/// 5. Pairs: each cell tests its own units against each other, against the cells within reach that come after it on its level,
///    which is half of the neighbourhood, and against all cells within reach on the coarser levels. The smaller of two bodies
///    thus looks for the larger, and each pair is met once. Which blocks are near is looked up once for all cells of a block.
/// 6. The nearest are looked for in the cells around the point on every level first, then level by level in rings of blocks; a
///    level whose blocks are fewer than the look-ups is gone through by its list.
///
/// Build O(n); add, remove and move O(1); a query O(occupied levels · cells and units around it); pairs O(n · levels) at a given
/// density. Points all lie in level 0, which is then a uniform grid without borders. Boxes are keyed by their centre
/// ([`Placement::Center`]), and their level says by how much a query has to grow.
///
/// Reference: C. Ericson, *Real-Time Collision Detection* (2005), section 7.2.1, "Hierarchical grids".
///
/// # Example
///
/// ```
/// use skirmish::geometry::{Aabb, Vec2};
/// use skirmish::partition::{Bodies, Partition};
/// use skirmish::partition::structures::hierarchical_grid::HierarchicalGrid;
///
/// // An explosion among mice, tanks and one airship: sizes of every kind in one index.
/// let centers = [Vec2::new(5.0, 5.0), Vec2::new(9.0, 5.0), Vec2::new(40.0, 5.0)];
/// let sizes = [Vec2::splat(0.05), Vec2::new(2.0, 4.0), Vec2::new(30.0, 10.0)];
/// let bodies = Bodies { centers: &centers, half_extents: &sizes, alive: &[] };
/// let mut index = HierarchicalGrid::new(Aabb::new(Vec2::ZERO, Vec2::splat(100.0)));
/// index.rebuild(bodies, &mut ());
/// let mut hurt = Vec::new();
/// index.radius(bodies, Vec2::new(11.5, 5.0), 2.0, &mut (), |who| hurt.push(who));
/// hurt.sort();
/// assert_eq!(hurt, [1, 2]);
/// ```
#[derive(Clone, Debug)]
pub struct HierarchicalGrid {
    /// The knob: the side of a cell of level 0, in metres.
    cell_size: Fitted,
    /// The knob: how wide a body may be, at the most, in widths of the cells of its level.
    body_ratio: f64,
    /// The knob: how often cells double from one level in use to the next, less one.
    level_ratio: u32,
    /// Cells of level 0 per metre.
    inverse: f32,
    /// The largest half extent of a body in level 0; it doubles with each level.
    finest_limit: f32,
    blocks: Blocks,
    /// What lies on each level.
    levels: [Level; LEVEL_LIMIT],
    /// One bit a level: whether anybody is on it.
    occupied: u64,
    /// Row of a unit → its links.
    links: Vec<Link>,
    /// Row of a unit → a copy of its half extent; empty in a world of points.
    half_extents: Vec<Vec2>,
    /// How many units are in the index.
    count: u32,
}

/// What lies on a level.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Level {
    /// The number of units.
    count: u32,
    /// The largest half extent along either axis since the level was empty: queries grow by it.
    half_extent: Vec2,
}

impl Level {
    const EMPTY: Self = Self {
        count: 0,
        half_extent: Vec2::ZERO,
    };

    /// Takes notice of a body's size.
    #[inline]
    fn reach_to(&mut self, half_extent: Vec2) {
        self.half_extent = self.half_extent.max(half_extent);
    }
}

/// One unit's place in its cell, with the position that put it there.
#[derive(Clone, Copy, Debug)]
struct Link {
    position: Vec2,
    /// The unit before it in its cell; [`NONE`] for the first, [`UNLINKED`] for a row that is not in use.
    previous: u32,
    /// The unit after it in its cell, or [`NONE`].
    next: u32,
}

// A move touches the unit's own link and those of its neighbours: four links share a cache line.
const _: () = assert!(size_of::<Link>() == 16);

/// The `previous` of a row that is not in use.
const UNLINKED: u32 = u32::MAX - 1;

impl Link {
    /// The link of a row that is not in use.
    const UNUSED: Self = Self {
        position: Vec2::ZERO,
        previous: UNLINKED,
        next: NONE,
    };
}

/// The index of the knob `body_ratio`.
const BODY_RATIO: usize = 1;

/// The least and the greatest cell size that may be set, in metres.
const CELL_LIMITS: (f64, f64) = (0.5, 1000.0);

/// What it is at `auto` while there is nobody whom it could fit.
const USUAL_CELL: f64 = 16.0;

/// What it is at `auto`: a few reaches wide where the crowd is dense, so that few cells have to be looked at, and where it is
/// thin wide enough for several units. By sweeps over scenes of both kinds; twice as much or half of it costs a tenth.
fn fitting_cell(throng: Throng) -> f32 {
    throng.side(3.0, 3.0)
}

const KNOBS: &[Knob] = &[
    Knob {
        key: "cell_size",
        name: "finest cell",
        help: "The side of a cell of the finest level. Small cells test fewer units and cost more cells; points all lie on this level. Cells too small for any body stay empty, so that 0.5 and 1 may come to the same; where every body fits them, one level is in use, which works as a single grid. Auto fits it to the reach, the bodies and how close they stand: mostly a few reaches wide.",
        unit: "m",
        range: KnobRange::Number {
            min: CELL_LIMITS.0,
            max: CELL_LIMITS.1,
            whole: false,
            logarithmic: true,
        },
        default: AUTO,
        picture_only: false,
        acts_on_update: false,
        idle_with: &[],
    },
    Knob {
        key: "body_ratio",
        name: "body to cell",
        help: "How wide a body may be, in widths of its cell, before it goes to the next level. Less puts bodies into wider and fuller cells; more makes queries grow by more cells.",
        unit: "",
        range: KnobRange::Number {
            min: 0.25,
            max: 4.0,
            whole: false,
            logarithmic: true,
        },
        default: 1.0,
        picture_only: false,
        acts_on_update: false,
        idle_with: &[],
    },
    Knob {
        key: "level_ratio",
        name: "level to level",
        help: "How much wider the cells of a level are than those of the level below. Fewer levels are looked through faster, and hold bodies of more different sizes.",
        unit: "",
        range: KnobRange::Choice(&["2", "4", "8"]),
        default: 0.0,
        picture_only: false,
        acts_on_update: false,
        idle_with: &[],
    },
];

impl HierarchicalGrid {
    /// The levels in which somebody is, from the finest.
    #[inline]
    fn occupied_levels(&self) -> impl Iterator<Item = u32> + use<> {
        blocks::bits(self.occupied)
    }

    /// The side of a cell of a level, in metres.
    #[inline]
    fn cell_size(&self, level: u32) -> f32 {
        // A product with a power of two is exact.
        self.cell_size.value() as f32 * (1_u64 << level) as f32
    }

    /// The copied half extent of a unit.
    #[inline]
    fn half_extent(&self, unit: UnitId) -> Vec2 {
        if self.half_extents.is_empty() {
            Vec2::ZERO
        } else {
            self.half_extents[unit as usize]
        }
    }

    /// The box of a unit, from the copies: the same numbers that [`Bodies::aabb`] gives.
    #[inline]
    fn body(&self, unit: UnitId, link: &Link) -> Aabb {
        if self.half_extents.is_empty() {
            Aabb::new(link.position, link.position)
        } else {
            Aabb::around(link.position, self.half_extents[unit as usize])
        }
    }

    /// The units from the first of a cell on, with their links.
    #[inline]
    fn chain(&self, head: u32) -> Chain<'_> {
        Chain {
            links: &self.links,
            next: head,
        }
    }

    /// The cells of a level in which the centre of a unit must lie for its body to touch `area`.
    ///
    /// A body's border is its rounded centre plus or minus half extent, so the way back from border to centre needs the slack
    /// of a few roundings; that costs a cell at times and never a unit.
    #[inline]
    fn cells_touching(&self, level: u32, area: Aabb) -> Cells {
        let half_extent = self.levels[level as usize].half_extent;
        let slack = |corner: Vec2| half_extent + (corner.abs() + half_extent) * ROUNDING;
        let (min, max) = (area.min - slack(area.min), area.max + slack(area.max));
        Cells {
            level,
            first: [self.number(level, min.x), self.number(level, min.y)],
            last: [self.number(level, max.x), self.number(level, max.y)],
        }
    }

    /// The box that holds the centres of all units of these cells, rounded outwards.
    #[inline]
    fn cell_box(&self, cells: Cells) -> Aabb {
        let width = self.cell_size(cells.level);
        // In single precision, which the slack has room for: this is asked once for every cell that is looked at.
        let border = |number: i32| number as f32 * width;
        let [left, bottom] = cells.first.map(border);
        let [right, top] = cells.last.map(border);
        let (min, max) = (Vec2::new(left, bottom), Vec2::new(right, top) + width);
        let slack = |corner: Vec2| (corner.abs() + width) * ROUNDING;
        Aabb::new(min - slack(min), max + slack(max))
    }

    /// The box that holds the bodies of all units of these cells.
    #[inline]
    fn reach_box(&self, cells: Cells) -> Aabb {
        self.cell_box(cells)
            .grown(self.levels[cells.level as usize].half_extent)
    }

    /// The box of these cells as it is on paper.
    #[inline]
    fn nominal_box(&self, cells: Cells) -> Aabb {
        let width = f64::from(self.cell_size(cells.level));
        let border = |number: i64| (number as f64 * width) as f32;
        let [left, bottom] = cells.first.map(|number| border(i64::from(number)));
        let [right, top] = cells.last.map(|number| border(i64::from(number) + 1));
        Aabb::new(Vec2::new(left, bottom), Vec2::new(right, top))
    }

    /// The first unit of the cell that regions and events name by this number, if it is in use and somebody is in it.
    fn head_of(&self, cell: RegionId) -> Option<u32> {
        let (block, bit) = (cell / BLOCK_CELLS, cell % BLOCK_CELLS);
        let mask = self.blocks.all().get(block as usize)?.mask;
        (mask >> bit & 1 == 1).then(|| self.blocks.head(block, bit))
    }
}

/// A walk along one cell.
#[derive(Clone)]
struct Chain<'a> {
    links: &'a [Link],
    next: u32,
}

impl<'a> Iterator for Chain<'a> {
    type Item = (UnitId, &'a Link);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let unit = self.next;
        // Only NONE is no row, so this one comparison serves as the bounds check too.
        let link = self.links.get(unit as usize)?;
        self.next = link.next;
        Some((unit, link))
    }
}

impl Partition for HierarchicalGrid {
    const INFO: Info = Info {
        key: "hierarchical-grid",
        name: "hierarchical grid",
        tagline: "one grid a size class",
        placement: Placement::Center,
        what: "Grids on top of each other, cells doubling from level to level. A body lies on the level whose cells fit its size, so small bodies have small cells and a giant troubles nobody but those whom it touches.",
        cost: "build O(n) · move O(1) · pairs O(n · levels in use) at a given density",
        wins: "bodies of very different sizes, moving all the time; fields of any size with empty land",
        loses: "points and bodies of one size, where a single grid is the same with less to look up; many sizes with few bodies each",
        source: "Ericson, Real-Time Collision Detection (2005), Hierarchical grids",
        told: 7,
        told_of_sizes: 0,
        knobs: KNOBS,
    };

    const SETTINGS: &'static [Setting<Self>] = settings![cell_size, body_ratio, level_ratio];

    fn new(_field: Aabb) -> Self {
        let mut grid = Self {
            cell_size: Fitted::new(USUAL_CELL),
            body_ratio: KNOBS[BODY_RATIO].default,
            level_ratio: 0,
            inverse: 1.0,
            finest_limit: 1.0,
            blocks: Blocks::new(),
            levels: [Level::EMPTY; LEVEL_LIMIT],
            occupied: 0,
            links: Vec::new(),
            half_extents: Vec::new(),
            count: 0,
        };
        grid.build(Bodies::points(&[]), &mut ());
        grid
    }

    fn rebuild<P: Probe>(&mut self, bodies: Bodies<'_>, probe: &mut P) {
        self.build(bodies, probe);
    }

    fn prepare<P: Probe>(
        &mut self,
        bodies: Bodies<'_>,
        _changes: &[Change],
        _probe: &mut P,
    ) -> Course {
        let is_other =
            bodies.are_sized() == self.half_extents.is_empty() && bodies.slot_count() > 0;
        if is_other || self.cell_size.is_outgrown(bodies) {
            // Points have become bodies, or bodies points, or the cells fit no more.
            return Course::Rebuild;
        }
        if bodies.slot_count() > self.links.len() {
            self.links.resize(bodies.slot_count(), Link::UNUSED);
            if bodies.are_sized() {
                self.half_extents.resize(bodies.slot_count(), Vec2::ZERO);
            }
        }
        Course::OneByOne
    }

    fn add<P: Probe>(
        &mut self,
        bodies: Bodies<'_>,
        unit: UnitId,
        _probe: &mut P,
    ) -> Result<(), Outgrown> {
        self.insert(bodies, unit);
        Ok(())
    }

    #[inline]
    fn relocate<P: Probe>(
        &mut self,
        bodies: Bodies<'_>,
        unit: UnitId,
        probe: &mut P,
    ) -> Result<(), Outgrown> {
        self.bring(bodies, unit, probe);
        Ok(())
    }

    fn remove<P: Probe>(&mut self, unit: UnitId, _probe: &mut P) -> Result<(), Outgrown> {
        self.let_go(unit);
        Ok(())
    }

    fn search<S: Search, P: Probe>(
        &self,
        _bodies: Bodies<'_>,
        search: &S,
        probe: &mut P,
        visit: impl FnMut(UnitId),
    ) {
        self.search_levels(search, probe, visit);
    }

    fn seek_nearest<P: Probe>(
        &self,
        _bodies: Bodies<'_>,
        query: NearestQuery,
        filter: impl FnMut(UnitId) -> bool,
        probe: &mut P,
        out: &mut Vec<Neighbor>,
    ) {
        self.find_nearest(query, filter, probe, out);
    }

    fn seek_pairs<P: Probe>(
        &self,
        _bodies: Bodies<'_>,
        reach: f32,
        part: Part,
        probe: &mut P,
        batch: impl FnMut(&[Pair]),
    ) {
        emit_in_groups(self, (reach, part), probe, batch);
    }

    fn regions(&self, query: RegionQuery, visit: &mut dyn FnMut(Region<'_>)) {
        self.draw_regions(query, visit);
    }

    fn marks(&self, bodies: Bodies<'_>, query: MarkQuery, visit: &mut dyn FnMut(Mark<'_>)) {
        self.draw_marks(bodies, query, visit);
    }

    fn facts(&self, _bodies: Bodies<'_>, region: RegionId, say: &mut dyn FnMut(Fact)) {
        self.say_facts(region, say);
    }

    fn quality(&self, say: &mut dyn FnMut(Fact)) {
        self.say_quality(say);
    }

    fn validate(&self, bodies: Bodies<'_>) -> Result<(), Violation> {
        self.check(bodies)
    }

    fn memory(&self, say: &mut dyn FnMut(&'static str, usize)) {
        self.blocks.memory(say);
        say("links", self.links.capacity() * size_of::<Link>());
        say(
            "half extents",
            self.half_extents.capacity() * size_of::<Vec2>(),
        );
    }
}
