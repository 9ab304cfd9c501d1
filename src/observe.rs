//! Everything that the view draws and the panels print, as plain data.
//!
//! The window asks once a frame what it will show; this module asks the structure, under probes, and keeps the answers in
//! buffers that are reused. The view never talks to a structure, so it cannot know one.

use crate::geometry::{Aabb, Vec2};
use crate::partition::{
    AnyPartition, Bodies, COORDINATE_LIMIT, Fact, Mark, MarkQuery, MarkRole, NearestQuery,
    Neighbor, Placement, Region, RegionId, RegionQuery, Role, Shape, UnitId,
};
use crate::probe::{Cancel, Counter, Event, Listening, Trace};
use crate::volume::AnyPartition3;

pub mod space;
mod spacing;

pub use spacing::Spacing;

/// The outline of a region, owned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Outline {
    /// A box.
    Rect(Aabb),
    /// A convex polygon: a stretch of [`Regions::corners`].
    Convex {
        /// The index of the first corner.
        start: u32,
        /// How many corners there are.
        count: u32,
    },
    /// A line from point to point.
    Line(Vec2, Vec2),
}

/// A region as it is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RegionView {
    /// The id that the probe's events name.
    pub id: RegionId,
    /// Where it is.
    pub outline: Outline,
    /// Its distance from the root.
    pub depth: u16,
    /// How many units it holds itself.
    pub load: u32,
    /// How many it may hold; 0 where there is no such number.
    pub capacity: u32,
    /// What it is to its structure.
    pub role: Role,
    /// The region above it.
    pub parent: Option<RegionId>,
}

/// Regions and the corners of those that are polygons.
#[derive(Clone, Debug, Default)]
pub struct Regions {
    /// In the order in which the structure gave them: parents before children.
    pub list: Vec<RegionView>,
    /// The corners of all polygons.
    pub corners: Vec<Vec2>,
}

impl Regions {
    /// Forgets all regions and keeps the memory.
    pub fn clear(&mut self) {
        self.list.clear();
        self.corners.clear();
    }

    /// Takes one more region.
    pub fn push(&mut self, region: Region<'_>) {
        let outline = self.own(region.shape);
        let Region {
            id,
            shape: _,
            depth,
            load,
            capacity,
            role,
            parent,
        } = region;
        self.list.push(RegionView {
            id,
            outline,
            depth,
            load,
            capacity,
            role,
            parent,
        });
    }

    fn own(&mut self, shape: Shape<'_>) -> Outline {
        match shape {
            Shape::Rect(area) => Outline::Rect(area),
            Shape::Line(from, to) => Outline::Line(from, to),
            Shape::Convex(corners) => {
                let start = self.corners.len() as u32;
                self.corners.extend_from_slice(corners);
                Outline::Convex {
                    start,
                    count: corners.len() as u32,
                }
            }
        }
    }

    /// The corners of a polygon.
    pub fn polygon(&self, start: u32, count: u32) -> &[Vec2] {
        &self.corners[start as usize..(start + count) as usize]
    }
}

/// A piece of a structure's teaching picture, owned.
#[derive(Clone, Debug, PartialEq)]
pub struct MarkView {
    /// What it means.
    pub role: MarkRole,
    /// Where it is; polygons lie in [`Frame::mark_corners`].
    pub outline: Outline,
    /// A few words beside it.
    pub label: String,
}

/// A query that was asked for the sake of seeing it, with all that it did.
#[derive(Clone, Debug)]
pub struct QueryView {
    /// The middle of the disc, or of the square.
    pub center: Vec2,
    /// Its radius, or half its side, in metres.
    pub radius: f32,
    /// Whether it is a square.
    pub is_square: bool,
    /// The sums.
    pub counter: Counter,
    /// The nodes or cells that were entered.
    pub visited: Vec<RegionId>,
    /// Those that were left out.
    pub pruned: Vec<RegionId>,
    /// The units that were tested, hits included; a unit tested twice stands here twice.
    pub tested: Vec<UnitId>,
    /// The units found.
    pub hits: Vec<UnitId>,
    /// Events beyond the trace's cap, which are counted but not listed.
    pub dropped: u64,
}

/// What the numbers of a tree's histogram are.
const LEAVES_BY_DEPTH: &str = "leaves by depth";

/// How many regions stand at each depth, or hold each number of units.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Histogram {
    /// What the index of `counts` means.
    pub axis: &'static str,
    /// The counts.
    pub counts: Vec<u32>,
    /// Whether the last entry also holds all beyond it.
    pub is_open: bool,
    /// How many numbers lie in one entry, less one: 0 where each has its own.
    wider: u32,
}

impl Histogram {
    /// How many numbers lie in one entry, a power of two.
    pub fn step(&self) -> usize {
        self.wider as usize + 1
    }

    /// How deep the leaves of a tree reach, as far as they are counted: one around a single unit is drawn nowhere, and is there.
    pub fn deepest_leaf(&self) -> usize {
        match self.axis == LEAVES_BY_DEPTH {
            true => self.counts.len().saturating_sub(1),
            false => 0,
        }
    }

    /// Another one of this number, of which there may be any: entries become wider where there would be too many of them.
    fn note(&mut self, value: usize) {
        while value / self.step() >= HISTOGRAM_COLUMNS {
            self.wider = 2 * self.wider + 1;
            let pairs = self.counts.chunks(2).map(|two| two.iter().sum());
            self.counts = pairs.collect();
        }
        let column = value / self.step();
        if self.counts.len() <= column {
            self.counts.resize(column + 1, 0);
        }
        self.counts[column] += 1;
    }
}

/// What the window wants to know.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ask {
    /// What of the field is in view.
    pub view: Aabb,
    /// How many metres a pixel is.
    pub metres_per_pixel: f32,
    /// Where the cursor points, when it is over the field.
    pub cursor: Option<Vec2>,
    /// The radius of the query under the cursor, in metres; `None` asks none.
    pub query_radius: Option<f32>,
    /// Whether that asks a square, whose sides are twice as long, and not a disc.
    pub query_is_square: bool,
    /// How far apart pairs are asked for, in metres.
    pub reach: f32,
    /// Whether the regions in view are wanted.
    pub regions: bool,
    /// Whether what takes long to gather (memory, quality, histogram) is wanted anew.
    pub refresh: bool,
}

/// One frame's observations of a structure.
#[derive(Debug)]
pub struct Frame {
    /// The regions in view that are large enough to be drawn.
    pub regions: Regions,
    /// How wide a cell is, in metres, where cells in view are so small that they are not drawn: all of them, or those of the finest level.
    pub too_small: Option<f32>,
    /// The teaching picture.
    pub marks: Vec<MarkView>,
    /// The corners of polygons among the marks.
    pub mark_corners: Regions,
    /// The query under the cursor.
    pub query: Option<QueryView>,
    /// The regions under the cursor, from the root down.
    pub path: Vec<RegionView>,
    /// What the structure says of the last of them.
    pub facts: Vec<Fact>,
    /// The unit nearest to the cursor, within a few pixels.
    pub unit: Option<UnitId>,
    /// Bytes by part of the structure.
    pub memory: Vec<(&'static str, usize)>,
    /// How well the structure is built.
    pub quality: Vec<Fact>,
    /// Leaves by depth or cells by load.
    pub histogram: Histogram,
    ear: Ear,
    neighbors: Vec<Neighbor>,
    spare: Option<QueryView>,
}

/// Regions narrower than this, in pixels, are not drawn; their load is left to the nearest region above them.
const REGION_PIXELS: f32 = 3.0;
/// The knob of the structures that have cells.
const CELL_SIZE: &str = "cell_size";
/// A unit is under the cursor within this many pixels.
pub const PICK_PIXELS: f32 = 10.0;
/// Enough for every event of a query that fits on a screen; beyond it the trace says how many it dropped.
const TRACE_CAP: usize = 200_000;
/// The histogram's columns at most.
const HISTOGRAM_COLUMNS: usize = 17;

/// Hears a query under the cursor, in memory that is used again.
#[derive(Clone, Debug)]
struct Ear {
    heard: (Trace, Counter),
    /// Nobody says it.
    never: Cancel,
}

impl Ear {
    fn new() -> Self {
        Self {
            heard: (Trace::with_cap(TRACE_CAP), Counter::default()),
            never: Cancel::default(),
        }
    }

    /// A listener that has heard nothing yet.
    fn listen(&mut self) -> Listening<'_> {
        self.heard.0.clear();
        self.heard.1 = Counter::default();
        Listening::new(&mut self.heard, &self.never)
    }
}

impl Default for Frame {
    fn default() -> Self {
        Self {
            regions: Regions::default(),
            too_small: None,
            marks: Vec::new(),
            mark_corners: Regions::default(),
            query: None,
            path: Vec::new(),
            facts: Vec::new(),
            unit: None,
            memory: Vec::new(),
            quality: Vec::new(),
            histogram: Histogram::default(),
            ear: Ear::new(),
            neighbors: Vec::new(),
            spare: None,
        }
    }
}

impl Frame {
    /// Asks the structure everything that `ask` wants.
    pub fn observe(&mut self, index: &AnyPartition, bodies: Bodies<'_>, ask: &Ask) {
        self.regions.clear();
        self.too_small = None;
        if ask.regions {
            let query = RegionQuery {
                area: ask.view,
                min_size: REGION_PIXELS * ask.metres_per_pixel,
            };
            index.regions(query, &mut |region| self.regions.push(region));
            if may_leave_out_cells(index, &self.regions.list) {
                let cell = self.cell_in_view(index, bodies, ask.view);
                self.too_small = cell.filter(|width| *width < query.min_size);
            }
        }
        self.marks.clear();
        self.mark_corners.clear();
        let query = MarkQuery {
            area: ask.view,
            min_size: REGION_PIXELS * ask.metres_per_pixel,
            cursor: ask.cursor,
            reach: ask.reach,
        };
        index.marks(bodies, query, &mut |Mark { role, shape, label }| {
            let outline = self.mark_corners.own(shape);
            self.marks.push(MarkView {
                role,
                outline,
                label: label.into_owned(),
            });
        });
        self.look_under_cursor(index, bodies, ask);
        if ask.refresh {
            self.memory.clear();
            index.memory(&mut |part, bytes| self.memory.push((part, bytes)));
            self.quality.clear();
            index.quality(&mut |fact| self.quality.push(fact));
            self.histogram = histogram(index);
        }
    }

    /// Gathers what takes long of a structure in space: memory, quality and histogram, which know no dimension.
    pub fn observe_details(&mut self, index: &AnyPartition3) {
        self.memory.clear();
        index.memory(&mut |part, bytes| self.memory.push((part, bytes)));
        self.quality.clear();
        index.quality(&mut |fact| self.quality.push(fact));
        self.histogram = space::histogram(index);
    }

    /// Forgets what was observed and keeps the memory.
    pub fn clear(&mut self) {
        self.regions.clear();
        self.too_small = None;
        self.marks.clear();
        self.mark_corners.clear();
        self.path.clear();
        self.facts.clear();
        self.unit = None;
        self.spare = self.query.take().or(self.spare.take());
    }

    /// Takes over what takes long to gather from another frame.
    pub fn take_details(&mut self, other: &Self) {
        self.memory.clone_from(&other.memory);
        self.quality.clone_from(&other.quality);
        self.histogram.clone_from(&other.histogram);
    }

    fn look_under_cursor(&mut self, index: &AnyPartition, bodies: Bodies<'_>, ask: &Ask) {
        self.path.clear();
        self.facts.clear();
        self.unit = None;
        self.spare = self.query.take().or(self.spare.take());
        let Some(cursor) = ask.cursor else { return };

        let within = PICK_PIXELS * ask.metres_per_pixel;
        let nearest = NearestQuery {
            point: cursor,
            count: 1,
            within,
        };
        self.find_nearest(index, bodies, nearest, &mut |_| true);
        self.unit = self.neighbors.first().map(|neighbor| neighbor.unit);

        self.path = path_at(index, cursor);
        // The box around a single point is under no cursor: who is pointed at is in its leaf all the same.
        if let Some(unit) = self.unit
            && !self.path.last().is_some_and(is_end)
        {
            let own = path_of(index, bodies, unit);
            if !own.is_empty() {
                self.path = own;
            }
        }
        if self.unit.is_none()
            && let Some(own) = self.path_of_lit(index, bodies, cursor)
        {
            self.path = own;
        }
        if let Some(last) = self.path.last() {
            index.facts(bodies, last.id, &mut |fact| self.facts.push(fact));
        }

        if let Some(radius) = ask.query_radius {
            let around = (cursor, radius, ask.query_is_square);
            self.query = Some(self.ask_around(index, bodies, around));
        }
    }

    /// The regions down to the one of the cell that is lit under the cursor, where boxes lie tightly around units and none under the cursor lies
    /// wholly in that cell: it is larger than the box of who is in it, and what is said beside it is said of the same one. None where nobody is
    /// in such a cell.
    fn path_of_lit(
        &mut self,
        index: &AnyPartition,
        bodies: Bodies<'_>,
        cursor: Vec2,
    ) -> Option<Vec<RegionView>> {
        if !matches!(index.info().placement, Placement::Tight) {
            return None;
        }
        let lit = self.marks.iter().find_map(|mark| match mark.outline {
            Outline::Rect(cell) if mark.role == MarkRole::Home => Some(cell),
            _ => None,
        });
        let lit = lit.filter(|cell| cell.contains(cursor))?;
        // A region within a cell that holds many says more of this place than the leaf of whoever is nearest to it.
        let is_told = self.path.last().is_some_and(|last| match last.outline {
            Outline::Rect(area) => is_end(last) || lit.contains_box(area),
            Outline::Convex { .. } | Outline::Line(..) => true,
        });
        if is_told {
            return None;
        }
        let nearest = NearestQuery {
            point: cursor,
            count: 1,
            within: lit.size().length(),
        };
        self.find_nearest(index, bodies, nearest, &mut |unit| {
            lit.contains(bodies.center(unit))
        });
        let unit = self.neighbors.first()?.unit;
        Some(path_of(index, bodies, unit)).filter(|path| !path.is_empty())
    }

    /// Asks for the nearest. Each kind of filter is a copy of every traversal.
    fn find_nearest(
        &mut self,
        index: &AnyPartition,
        bodies: Bodies<'_>,
        query: NearestQuery,
        filter: &mut dyn FnMut(UnitId) -> bool,
    ) {
        index.nearest(bodies, query, filter, &mut (), &mut self.neighbors);
    }

    /// How wide the least cell is in which somebody in view is, in metres, of some who are near its middle; nothing where nobody is there.
    fn cell_in_view(
        &mut self,
        index: &AnyPartition,
        bodies: Bodies<'_>,
        view: Aabb,
    ) -> Option<f32> {
        /// One of these is small enough to be in a cell.
        const SOME: usize = 16;
        let nearest = NearestQuery {
            point: view.center(),
            count: SOME,
            within: view.size().length(),
        };
        self.find_nearest(index, bodies, nearest, &mut |unit| {
            view.contains(bodies.center(unit))
        });
        let mut width: Option<f32> = None;
        for neighbor in &self.neighbors {
            let at = bodies.center(neighbor.unit);
            let spot = RegionQuery {
                area: Aabb::new(at, at),
                min_size: 0.0,
            };
            index.regions(spot, &mut |region| {
                if let (Role::Cell, Shape::Rect(cell)) = (region.role, region.shape) {
                    let own = said_size(index, cell);
                    width = Some(width.map_or(own, |width| width.min(own)));
                }
            });
        }
        width
    }

    /// Asks for the units in a disc, or in a square, and keeps all that the structure did for it.
    fn ask_around(
        &mut self,
        index: &AnyPartition,
        bodies: Bodies<'_>,
        (center, radius, is_square): (Vec2, f32, bool),
    ) -> QueryView {
        let mut view = self.spare.take().unwrap_or_else(|| QueryView {
            center,
            radius,
            is_square,
            counter: Counter::default(),
            visited: Vec::new(),
            pruned: Vec::new(),
            tested: Vec::new(),
            hits: Vec::new(),
            dropped: 0,
        });
        view.visited.clear();
        view.pruned.clear();
        view.tested.clear();
        view.hits.clear();
        let hit: &mut dyn FnMut(UnitId) = &mut |unit| view.hits.push(unit);
        if is_square {
            let half = Vec2::splat(radius);
            let area = Aabb::new(center - half, center + half);
            index.range(bodies, area, &mut self.ear.listen(), hit);
        } else {
            index.radius(bodies, center, radius, &mut self.ear.listen(), hit);
        }
        let (trace, counter) = &self.ear.heard;
        (view.center, view.radius, view.counter) = (center, radius, *counter);
        view.is_square = is_square;
        view.dropped = trace.dropped();
        for event in trace.events() {
            match *event {
                Event::Visit(region) | Event::Accept(region) => view.visited.push(region),
                Event::Prune(region) => view.pruned.push(region),
                Event::Test(unit) => view.tested.push(unit),
                _ => {}
            }
        }
        view
    }
}

/// By which knob a structure is told how large its cells are, if it has any.
fn cell_knob(index: &AnyPartition) -> Option<usize> {
    let mut knobs = index.info().knobs.iter();
    knobs.position(|knob| knob.key == CELL_SIZE)
}

/// How wide a cell is: as the structure says, where its borders are that far apart but for their rounding, which far from the origin is
/// more than what is said of a width.
fn said_size(index: &AnyPartition, cell: Aabb) -> f32 {
    let own = cell.size().max_element();
    let farthest = cell.min.abs().max(cell.max.abs()).max_element();
    let said = cell_knob(index).map(|knob| index.knob_in_effect(knob) as f32);
    let is_so = |said: &f32| (said - own).abs() <= 4.0 * f32::EPSILON * farthest;
    said.filter(is_so).unwrap_or(own)
}

/// Whether a structure may have cells that are not among the regions in view that are drawn: it has cells, and none is there of the finest
/// level. Those around the field, which are endless, and the list of the oversize are no such cells.
fn may_leave_out_cells(index: &AnyPartition, drawn: &[RegionView]) -> bool {
    cell_knob(index).is_some()
        && drawn
            .iter()
            .all(|region| match (region.role, region.outline) {
                (Role::Oversize, _) => true,
                (Role::Cell, Outline::Rect(cell)) => {
                    let is_endless = cell.half_perimeter() > COORDINATE_LIMIT;
                    is_endless || region.depth > 0
                }
                _ => false,
            })
}

/// The regions at a place, from the root down to the deepest. Nodes may overlap: of those as deep the smaller one counts.
fn path_at(index: &AnyPartition, place: Vec2) -> Vec<RegionView> {
    let under = regions_at(index, place);
    path_to(&under, deepest(under.iter()))
}

/// The regions from the root down to the one that a unit is in; none where the boxes do not tell which one that is.
fn path_of(index: &AnyPartition, bodies: Bodies<'_>, unit: UnitId) -> Vec<RegionView> {
    let under = regions_at(index, bodies.center(unit));
    let ends = under.iter().filter(|region| is_end(region));
    // Its middle may be in the box of others, too: its own holds its body whole.
    let goes_by_bodies = matches!(
        index.info().placement,
        Placement::Tight | Placement::Straddle
    );
    if !goes_by_bodies {
        return path_to(&under, deepest(ends));
    }
    let body = bodies.aabb(unit);
    let holds = |region: &&RegionView| match region.outline {
        Outline::Rect(area) => area.contains_box(body),
        Outline::Convex { .. } | Outline::Line(..) => true,
    };
    let holding = ends.filter(holds);
    let is_its_box = |region: &&RegionView| region.outline == Outline::Rect(body);
    let own = only(holding.clone()).or_else(|| only(holding.filter(is_its_box)));
    path_to(&under, own)
}

/// The one that there is; nothing of several.
fn only<'r>(mut regions: impl Iterator<Item = &'r RegionView>) -> Option<&'r RegionView> {
    regions.next().filter(|_| regions.next().is_none())
}

/// Whether nothing is below a region.
fn is_end(region: &RegionView) -> bool {
    region.role != Role::Inner
}

/// The regions that a place lies in, parents before children.
fn regions_at(index: &AnyPartition, place: Vec2) -> Vec<RegionView> {
    let mut under = Regions::default();
    let spot = RegionQuery {
        area: Aabb::new(place, place),
        min_size: 0.0,
    };
    index.regions(spot, &mut |region| under.push(region));
    under.list
}

/// The deepest of some regions, of those as deep the smallest.
fn deepest<'r>(regions: impl Iterator<Item = &'r RegionView>) -> Option<&'r RegionView> {
    let extent = |region: &RegionView| match region.outline {
        Outline::Rect(area) => area.half_perimeter(),
        _ => 0.0,
    };
    regions.max_by(|a, b| a.depth.cmp(&b.depth).then(extent(b).total_cmp(&extent(a))))
}

/// The regions from the root down to one of those at a place.
fn path_to(under: &[RegionView], end: Option<&RegionView>) -> Vec<RegionView> {
    let mut path = Vec::new();
    let mut next = end.copied();
    while let Some(region) = next {
        path.push(region);
        next = region
            .parent
            .and_then(|parent| under.iter().find(|other| other.id == parent))
            .copied();
    }
    path.reverse();
    path
}

/// Counts leaves by depth; for a grid, cells by load.
pub fn histogram(index: &AnyPartition) -> Histogram {
    let all = Aabb::new(
        Vec2::splat(-COORDINATE_LIMIT),
        Vec2::splat(COORDINATE_LIMIT),
    );
    let query = RegionQuery {
        area: all,
        min_size: 0.0,
    };
    ask_histogram(index.byte_count(), |say| {
        index.regions(query, &mut |region| {
            say(region.role, region.depth, region.load);
        });
    })
}

/// A histogram of the regions that `each` says: their role, depth and load.
fn ask_histogram(bytes: usize, each: impl FnOnce(&mut dyn FnMut(Role, u16, u32))) -> Histogram {
    // A structure this large is not walked as a whole for a picture: that would be felt as a hitch.
    const MOST_BYTES: usize = 16 << 20;
    let mut histogram = Histogram::default();
    if bytes > MOST_BYTES {
        return histogram;
    }
    each(&mut |role, depth, load| {
        let value = match role {
            Role::Inner | Role::Oversize => return,
            Role::Leaf => {
                histogram.axis = LEAVES_BY_DEPTH;
                let last = HISTOGRAM_COLUMNS - 1;
                histogram.is_open |= usize::from(depth) > last;
                usize::from(depth).min(last)
            }
            Role::Cell | Role::Slot => {
                histogram.axis = "cells by load";
                load as usize
            }
        };
        histogram.note(value);
    });
    histogram
}

/// Visits the units in view through the structure itself, and says what that took.
pub fn cull(
    index: &AnyPartition,
    bodies: Bodies<'_>,
    view: Aabb,
    visible: &mut Vec<UnitId>,
) -> Counter {
    visible.clear();
    let mut counter = Counter::default();
    index.range(bodies, view, &mut counter, |unit| visible.push(unit));
    counter
}

#[cfg(test)]
mod tests;
