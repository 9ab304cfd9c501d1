//! The uniform grid of linked lists: what games reach for first.

use crate::geometry::{Aabb, Vec2};
use crate::partition::knob::settings;
use crate::partition::toolkit::fit::{Fitted, Throng, cube_root};
use crate::partition::toolkit::group::emit_in_groups;
use crate::partition::toolkit::rounding::ROUNDING;
use crate::partition::{
    AUTO, Bodies, Change, Course, Fact, Info, Knob, KnobRange, Mark, MarkQuery, NearestQuery,
    Neighbor, Outgrown, Pair, Part, Partition, Placement, Region, RegionId, RegionQuery, Search,
    Setting, UnitId, Violation,
};
use crate::probe::{Event, Probe, Work};
use axis::Axis;

mod axis;
mod pairs;
mod picture;
mod query;
mod validate;

#[cfg(test)]
mod damage;
#[cfg(test)]
mod tests;

/// A uniform grid whose cells are linked lists threaded through the units: cell lists.
///
/// # Algorithm
///
/// 1. Cut the field into square cells. A position's column is `floor((x - field.x) / cell)`, its row likewise. Outside of
///    the field columns and rows become ever wider, four to an octave of distance, so that every position has a cell and a
///    crowd that leaves the field is still spread over several.
/// 2. Each cell has the index of its first unit; each unit has the indices of the units before and after it in its cell
///    and a copy of its position. To add, remove or move a unit is to mend three links; a move within a cell mends none.
/// 3. A query visits the cells that it overlaps, grown by the largest half extent that cells may hold. One bit a cell says
///    whether anybody is there, so 64 empty cells are skipped at once.
/// 4. Pairs: each cell tests its own units against each other and against the units of those cells within reach that come
///    *after* it in row-major order: half of its neighbours, so that each pair is met once. If the reach is longer than a
///    cell, these are more rings of neighbours. Units too far from the other cell's border are left out beforehand. As a
///    knob, a cell looks at the cells before it too, which shows what half of the neighbours save: the pairs across
///    borders are tested twice, and each that is in reach would strike twice.
/// 5. Bodies that are wider than a cell and larger than almost all others, of which there are at most about √n, hang in a chain of their own that
///    every query scans: otherwise one giant would make every query look at every cell.
///
/// Build O(n + cells), add, remove and move O(1), a query O(cells and units around it), pairs O(n) at a given density.
/// Points and boxes: keyed by the centre.
///
/// Reference: R. Nystrom, *Game Programming Patterns* (2014), "Spatial Partition"; the cell lists of B. Quentrec and
/// C. Brot, "New method for searching for neighbors in molecular dynamics computations" (1973).
///
/// # Example
///
/// ```
/// use skirmish::geometry::{Aabb, Vec2};
/// use skirmish::partition::{Bodies, Change, Partition};
/// use skirmish::partition::structures::linked_grid::LinkedGrid;
///
/// // A herd where all walk each frame, and each asks whom it is about to bump into.
/// let mut herd: Vec<Vec2> = (0..100).map(|i| Vec2::new((i % 10) as f32, (i / 10) as f32)).collect();
/// let mut index = LinkedGrid::new(Aabb::new(Vec2::ZERO, Vec2::splat(100.0)));
/// index.rebuild(Bodies::points(&herd), &mut ());
/// for sheep in &mut herd {
///     *sheep += Vec2::new(0.5, 0.25);
/// }
/// let moves: Vec<Change> = (0..100).map(Change::Move).collect();
/// let bodies = Bodies::points(&herd);
/// index.apply(bodies, &moves, &mut ());
/// let mut close = 0;
/// index.near(bodies, 55, 1.0, &mut (), |_| close += 1);
/// assert_eq!(close, 4);
/// ```
#[derive(Clone, Debug)]
pub struct LinkedGrid {
    field: Aabb,
    /// What the knob says, in metres.
    cell_size: Fitted,
    /// What the cells are, in metres: larger than the knob says where that would be too many cells.
    effective_cell_size: f64,
    columns: Axis,
    rows: Axis,
    /// Cell → the first unit in it, or [`NONE`]. The last chain belongs to no cell: it holds the oversize units.
    heads: Vec<u32>,
    /// One bit a cell: whether anybody is in it.
    occupied: Vec<u64>,
    /// Row of a unit → its links.
    links: Vec<Link>,
    /// Row of a unit → a copy of its half extent; empty in a world of points.
    half_extents: Vec<Vec2>,
    /// The largest half extent of a unit in a cell; whoever is larger, along either axis, is oversize. Queries grow by it.
    regular: Vec2,
    /// How many units are in the index.
    count: u32,
    /// How many of them are oversize.
    oversize_count: u32,
    /// The knob `neighbourhood`: whether a cell also looks at the cells before it, which have looked at it already.
    looks_back: bool,
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

/// No unit.
const NONE: u32 = u32::MAX;

/// The `previous` of a row that is not in use.
const UNLINKED: u32 = u32::MAX - 1;

/// Fills a list anew. It keeps no more room in store than it had: what a grid takes would otherwise tell which cells it had before, since
/// lists that grow double.
fn filled<T: Clone>(list: &mut Vec<T>, count: usize, value: T) {
    list.clear();
    list.reserve_exact(count);
    list.resize(count, value);
}

/// The most cells that a grid may have: 16 MiB of heads. A smaller cell size than that allows is not obeyed.
const CELL_LIMIT: u64 = 4 << 20;

/// The least and the greatest cell size that may be set, in metres.
const CELL_LIMITS: (f64, f64) = (0.5, 1000.0);

/// What it is at `auto` while there is nobody whom it could fit.
const USUAL_CELL: f64 = 16.0;

/// As many tests take as long as going through a cell, by sweeps over mixed sizes.
const CELL_WORK: f32 = 10.7;

/// What is more times as wide as the body in the middle is a giant among few.
const GIANT: f32 = 24.0;

/// What it is at `auto`: a few reaches wide where the crowd is dense, so that few cells have to be looked at, and where it is
/// thin wide enough for several units. By sweeps over scenes of both kinds; twice as much or half of it costs a tenth.
fn fitting_cell(throng: Throng) -> f32 {
    // Everyone looks as far around as the widest body may reach: `across` a square of this side. Of cells with the side c there are
    // (across / c + 1)² in it, and (across + c)² / spacing² units are tested: the sum of what both cost is least at this cube.
    // A giant alone is no reason: cells know how far who is in them reaches, and are left out by that.
    let across = throng.widest.min(GIANT * throng.width) + 2.0 * throng.reach;
    let least_work = cube_root(f64::from(
        CELL_WORK * across * throng.spacing * throng.spacing,
    ));
    throng.side(3.0, 3.0).max(least_work as f32)
}

const KNOBS: &[Knob] = &[
    Knob {
        key: "cell_size",
        name: "cell size",
        help: "The side of a cell. Small cells test fewer units and cost more cells; auto fits it to the reach, the bodies and how close they stand.",
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
        key: "neighbourhood",
        name: "neighbourhood",
        help: "Whether a cell looks at half of its neighbours or at all of them. With all, everybody across a border is tested twice; who is found again is counted as a double attack and not given again.",
        unit: "",
        range: KnobRange::Choice(&["half", "full"]),
        default: 0.0,
        picture_only: false,
        acts_on_update: false,
        idle_with: &[],
    },
];

/// So many units may be oversize in any crowd.
const LEAST_ALLOWANCE: u32 = 4;

impl LinkedGrid {
    /// The chain of a unit: its cell's, or that of the oversize.
    #[inline]
    fn chain_of(&self, position: Vec2, half_extent: Vec2) -> u32 {
        if half_extent.cmple(self.regular).all() {
            self.rows.column(position.y) * self.columns.count() + self.columns.column(position.x)
        } else {
            self.oversize_chain()
        }
    }

    /// The chain from which a unit goes and the one to which it comes.
    ///
    /// The columns of both places are reckoned side by side, and most of the time both places are in the field.
    #[inline(always)]
    fn chains_of_move(&self, from: (Vec2, Vec2), to: (Vec2, Vec2)) -> [u32; 2] {
        let are_regular = from.1.max(to.1).cmple(self.regular).all();
        if are_regular
            && let Some([old, new]) = Axis::inner_columns(&self.columns, &self.rows, [from.0, to.0])
        {
            let count = self.columns.count();
            return [old.1 * count + old.0, new.1 * count + new.0];
        }
        [self.chain_of(from.0, from.1), self.chain_of(to.0, to.1)]
    }

    /// The number of cells, and the index of the chain behind theirs.
    #[inline]
    fn oversize_chain(&self) -> u32 {
        self.heads.len() as u32 - 1
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

    /// The box that holds the centres of all units of a cell.
    #[inline]
    fn cell_box(&self, column: u32, row: u32) -> Aabb {
        let (left, right) = self.columns.span(column);
        let (bottom, top) = self.rows.span(row);
        Aabb::new(Vec2::new(left, bottom), Vec2::new(right, top))
    }

    /// The box that holds the bodies of all units of a cell.
    #[inline]
    fn reach_box(&self, column: u32, row: u32) -> Aabb {
        self.cell_box(column, row).grown(self.regular)
    }

    /// The columns and rows in which a regular unit must be to touch `area`.
    ///
    /// A body's border is its rounded centre plus or minus half extent, so the way back from border to centre needs the
    /// slack of a few roundings; that costs a cell at times and never a unit.
    #[inline]
    fn cells_around(
        &self,
        area: Aabb,
    ) -> (std::ops::RangeInclusive<u32>, std::ops::RangeInclusive<u32>) {
        let slack = |corner: Vec2| (corner.abs() + self.regular) * ROUNDING;
        let min = area.min - self.regular - slack(area.min);
        let max = area.max + self.regular + slack(area.max);
        (
            self.columns.columns(min.x, max.x),
            self.rows.columns(min.y, max.y),
        )
    }

    /// Calls `visit` with each cell from `from` to `to`, both included, in which somebody is.
    #[inline]
    fn for_occupied(&self, from: u32, to: u32, mut visit: impl FnMut(u32)) {
        let mut next = self.next_occupied(from, to);
        while let Some(cell) = next {
            visit(cell);
            next = self.next_occupied_behind(cell, to);
        }
    }

    /// The first cell behind one and up to `to`, itself included, in which somebody is.
    #[inline(always)]
    fn next_occupied_behind(&self, cell: u32, to: u32) -> Option<u32> {
        if cell < to {
            self.next_occupied(cell + 1, to)
        } else {
            None
        }
    }

    /// The first cell from `from` to `to`, both included, in which somebody is.
    #[inline]
    fn next_occupied(&self, from: u32, to: u32) -> Option<u32> {
        let (mut word, last) = (from / 64, to / 64);
        let mut bits = self.occupied[word as usize] & (u64::MAX << (from % 64));
        loop {
            if bits != 0 {
                let cell = word * 64 + bits.trailing_zeros();
                return (cell <= to).then_some(cell);
            }
            if word == last {
                return None;
            }
            word += 1;
            bits = self.occupied[word as usize];
        }
    }

    /// The last cell from `to` back to `from`, both included, in which somebody is.
    #[inline]
    fn previous_occupied(&self, from: u32, to: u32) -> Option<u32> {
        let (mut word, first) = (to / 64, from / 64);
        let mut bits = self.occupied[word as usize] & (u64::MAX >> (63 - to % 64));
        loop {
            if bits != 0 {
                let cell = word * 64 + 63 - bits.leading_zeros();
                return (cell >= from).then_some(cell);
            }
            if word == first {
                return None;
            }
            word -= 1;
            bits = self.occupied[word as usize];
        }
    }

    /// The units of a chain with their links.
    #[inline]
    fn chain(&self, chain: u32) -> Chain<'_> {
        Chain {
            links: &self.links,
            next: self.heads[chain as usize],
        }
    }

    /// Puts a unit at the front of a chain.
    #[inline]
    fn link(&mut self, unit: UnitId, position: Vec2, chain: u32) {
        let first = std::mem::replace(&mut self.heads[chain as usize], unit);
        self.links[unit as usize] = Link {
            position,
            previous: NONE,
            next: first,
        };
        if first != NONE {
            self.links[first as usize].previous = unit;
        } else if chain != self.oversize_chain() {
            self.occupied[chain as usize / 64] |= 1 << (chain % 64);
        }
        self.oversize_count += u32::from(chain == self.oversize_chain());
    }

    /// Takes a unit out of its chain.
    #[inline]
    fn unlink(&mut self, unit: UnitId, chain: u32) {
        let link = self.links[unit as usize];
        if link.next != NONE {
            self.links[link.next as usize].previous = link.previous;
        }
        if link.previous != NONE {
            self.links[link.previous as usize].next = link.next;
        } else {
            self.heads[chain as usize] = link.next;
            if link.next == NONE && chain != self.oversize_chain() {
                self.occupied[chain as usize / 64] &= !(1 << (chain % 64));
            }
        }
        self.oversize_count -= u32::from(chain == self.oversize_chain());
    }

    /// Writes down the size of a unit, in a world of sized bodies.
    #[inline]
    fn copy_half_extent(&mut self, unit: UnitId, half_extent: Vec2) {
        if !self.half_extents.is_empty() {
            self.half_extents[unit as usize] = half_extent;
        }
    }

    fn insert(&mut self, bodies: Bodies<'_>, unit: UnitId) {
        let (position, half_extent) = (bodies.center(unit), bodies.half_extent(unit));
        debug_assert_eq!(
            self.links[unit as usize].previous, UNLINKED,
            "unit {unit} was added twice"
        );
        self.copy_half_extent(unit, half_extent);
        self.link(unit, position, self.chain_of(position, half_extent));
        self.count += 1;
    }

    /// How many units may be oversize when the index is built: with √n of them, scanning them costs a query about what
    /// its cells cost.
    fn oversize_allowance(count: u32) -> u32 {
        count.isqrt() / 2 + LEAST_ALLOWANCE
    }

    /// The largest half extents once the oversize are set apart. Nobody is who is not wider than a cell: to grow a query by
    /// half a cell costs less than a chain of its own.
    fn regular_half_extent(&self, bodies: Bodies<'_>) -> Vec2 {
        if !bodies.are_sized() {
            return Vec2::ZERO;
        }
        let mut sizes: Vec<f32> = bodies
            .ids()
            .map(|unit| bodies.half_extent(unit).max_element())
            .collect();
        let largest = sizes.iter().copied().fold(0.0, f32::max);
        let allowance = Self::oversize_allowance(sizes.len() as u32) as usize;
        let limit = match sizes.len().checked_sub(allowance + 1) {
            Some(place) => *sizes.select_nth_unstable_by(place, f32::total_cmp).1,
            None => 0.0,
        };
        let half_cell = (self.effective_cell_size / 2.0) as f32;
        Vec2::splat(limit.max(half_cell).min(largest))
    }
}

/// A walk along one chain.
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

impl Partition for LinkedGrid {
    const INFO: Info = Info {
        key: "linked-grid",
        name: "linked grid",
        tagline: "cell lists, O(1) add and move",
        placement: Placement::Center,
        what: "Square cells, each a linked list threaded through the units that stand in it. A move mends three links, and a unit looks for company in its own cell and the neighbours, of which half are enough.",
        cost: "build O(n + cells) · move O(1) · pairs O(n) at a given density",
        wins: "units of like size, spread over the field, moving all the time; many single edits",
        loses: "everybody in one cell; a cell size that fits only part of the units; crowds far outside of the field",
        source: "Nystrom, Game Programming Patterns (2014), Spatial Partition; Quentrec and Brot (1973)",
        told: 8,
        told_of_sizes: 0,
        knobs: KNOBS,
    };

    const SETTINGS: &'static [Setting<Self>] = settings![cell_size, looks_back];

    fn new(field: Aabb) -> Self {
        let mut grid = Self {
            field,
            cell_size: Fitted::new(USUAL_CELL),
            effective_cell_size: 0.0,
            columns: Axis::new(0.0, 0.0, 1.0),
            rows: Axis::new(0.0, 0.0, 1.0),
            heads: Vec::new(),
            occupied: Vec::new(),
            links: Vec::new(),
            half_extents: Vec::new(),
            regular: Vec2::ZERO,
            count: 0,
            oversize_count: 0,
            looks_back: false,
        };
        grid.rebuild(Bodies::points(&[]), &mut ());
        grid
    }

    fn rebuild<P: Probe>(&mut self, bodies: Bodies<'_>, probe: &mut P) {
        probe.on(Event::Work(Work::Rebuild));
        let (min, max) = (self.field.min, self.field.max);
        self.cell_size.choose(bodies, CELL_LIMITS, fitting_cell);
        let mut size = self.cell_size.value();
        while Axis::count_for(min.x, max.x, size) * Axis::count_for(min.y, max.y, size) > CELL_LIMIT
        {
            size *= 1.0625;
        }
        if size != self.effective_cell_size {
            self.effective_cell_size = size;
            self.columns = Axis::new(min.x, max.x, size as f32);
            self.rows = Axis::new(min.y, max.y, size as f32);
        }
        let cell_count = self.columns.count() as usize * self.rows.count() as usize;
        filled(&mut self.heads, cell_count + 1, NONE);
        filled(&mut self.occupied, cell_count.div_ceil(64), 0);
        filled(&mut self.links, bodies.slot_count(), Link::UNUSED);
        self.half_extents.clear();
        self.half_extents.extend_from_slice(bodies.half_extents);
        self.regular = self.regular_half_extent(bodies);
        (self.count, self.oversize_count) = (0, 0);
        // Backwards, because the last to be linked is the first of its chain: chains begin in the order of ids.
        for unit in (0..bodies.slot_count() as UnitId).rev() {
            if bodies.is_alive(unit) {
                self.insert(bodies, unit);
            }
        }
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
        let (position, half_extent) = (bodies.center(unit), bodies.half_extent(unit));
        let was = (self.links[unit as usize].position, self.half_extent(unit));
        let [old, new] = self.chains_of_move(was, (position, half_extent));
        self.copy_half_extent(unit, half_extent);
        if old == new {
            self.links[unit as usize].position = position;
            probe.on(Event::Work(Work::MoveInPlace));
        } else {
            self.unlink(unit, old);
            self.link(unit, position, new);
            probe.on(Event::Work(Work::MoveRelink));
        }
        Ok(())
    }

    fn remove<P: Probe>(&mut self, unit: UnitId, _probe: &mut P) -> Result<(), Outgrown> {
        let position = self.links[unit as usize].position;
        debug_assert_ne!(
            self.links[unit as usize].previous, UNLINKED,
            "unit {unit} was removed twice"
        );
        self.unlink(unit, self.chain_of(position, self.half_extent(unit)));
        self.links[unit as usize].previous = UNLINKED;
        self.count -= 1;
        Ok(())
    }

    fn settle<P: Probe>(
        &mut self,
        _bodies: Bodies<'_>,
        _changes: &[Change],
        _probe: &mut P,
    ) -> Result<(), Outgrown> {
        // Everybody has grown, or the first sized units have come: it is time to say anew what is oversize.
        // Where there are few of them no root has to be drawn to see that they are few enough.
        if self.oversize_count > 4 * LEAST_ALLOWANCE
            && self.oversize_count > 4 * Self::oversize_allowance(self.count)
        {
            Err(Outgrown)
        } else {
            Ok(())
        }
    }

    fn search<S: Search, P: Probe>(
        &self,
        _bodies: Bodies<'_>,
        search: &S,
        probe: &mut P,
        visit: impl FnMut(UnitId),
    ) {
        self.search_cells(search, probe, visit);
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

    fn marks(&self, _bodies: Bodies<'_>, query: MarkQuery, visit: &mut dyn FnMut(Mark<'_>)) {
        self.draw_marks(query, visit);
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
        say("cell heads", self.heads.capacity() * size_of::<u32>());
        say("occupied bits", self.occupied.capacity() * size_of::<u64>());
        say("links", self.links.capacity() * size_of::<Link>());
        say(
            "half extents",
            self.half_extents.capacity() * size_of::<Vec2>(),
        );
        say("edges", self.columns.byte_count() + self.rows.byte_count());
    }
}

impl Link {
    /// The link of a row that is not in use.
    const UNUSED: Self = Self {
        position: Vec2::ZERO,
        previous: UNLINKED,
        next: NONE,
    };
}
