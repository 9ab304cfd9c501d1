//! The uniform grid of sorted runs: the one for mass movement.

use crate::geometry::{Aabb, Vec2};
use crate::partition::knob::settings;
use crate::partition::toolkit::fit::{Fitted, Throng};
use crate::partition::toolkit::scratch::Scratch;
use crate::partition::{
    AUTO, Bodies, Change, Course, Fact, Info, Knob, KnobRange, Mark, MarkQuery, NearestQuery,
    Neighbor, Outgrown, Pair, Part, Partition, Placement, Region, RegionId, RegionQuery, Search,
    Setting, UnitId, Violation,
};
use crate::probe::{Event, Probe, Work};
use build::{Alive, Crowd, Sorter};
use edit::Home;
use layer::Layer;

mod build;
mod coherence;
mod columns;
mod edit;
mod layer;
mod pairs;
mod picture;
mod query;
mod together;
mod validate;

#[cfg(test)]
mod damage;
#[cfg(test)]
mod tests;

/// A uniform grid whose cells are runs of one sorted array, built anew whenever much moves.
///
/// # Algorithm
///
/// 1. A position's row is `floor(y / cell)`, its column `floor(x / cell)`; the grid has no borders, so nobody is outside.
/// 2. Build: a counting sort of the units by cell, whose counts become the table of starts. Positions are copied along, in
///    columns of their own for x, y and id. A cell is then a run of places, and neighbouring cells of a row are *one* longer
///    run: a kernel that is told two places reads the units of three cells without a jump. Many units without an order are
///    sorted by row first, so that each row fits the cache. Where a few strayed far, each row has as many cells as it needs; a row
///    of far more columns than units is cut, and a world of few units far apart is sorted row by row and column by column.
/// 3. Only occupied rows are kept, and in each row a table of starts for the stretches of columns where somebody is. Memory
///    is bounded by the number of units, however wide the field and however empty the land between the crowds.
/// 4. A query takes the occupied rows that it overlaps and in each row the run of its columns, and tests eight units at a time.
///    Columns and rows that lie strictly inside a rectangle are accepted without a test where many units are in them.
/// 5. The nearest: a block of cells around the point, the wider the fewer are in the nine cells there, then as much of the
///    surroundings as the farthest of those found leaves open; where there are too few, a block twice as wide, and so on.
/// 6. Pairs: each unit is tested with those that come after it in its own row's run and with the runs of the rows above, as
///    far as its own reach goes to the left and to the right: half of the neighbourhood, so that each pair is met once.
///    Hits are packed without branches. Of many shares of a search each has a strip of whole rows, where these come out even, so
///    that strips that are not neighbours have no unit in common.
/// 7. Bodies with a size are keyed by their centre and queries grow by the largest half extent. So that one giant does not
///    make every query large, each size class has a grid of its own with cells four times as large as the class before.
///
/// 8. Where few of many change, they are moved past those between their old and their new place in the row, or to the end of the row,
///    which for that has some room behind it: as few as √n of n units that are spread evenly.
/// 9. Where nearly all of them move, the last order is a good beginning: a crowd too large for a cache is sorted from there, and with
///    a *skin* it stays filed as it is until somebody has strayed that far. Until then a step writes where everybody is, and a query
///    looks in as many more cells as the farthest stray asks for.
///
/// Build O(n) and so fast that mass movement is a build; a single move O(√n) in one piece of memory; a query O(rows · log + k);
/// pairs O(n) at a given density. Points take one grid, boxes one for each class of sizes ([`Placement::Center`]).
///
/// Reference: S. Green, "Particle Simulation using CUDA" (2008), sorted cells; M. Teschner et al., "Optimized Spatial
/// Hashing for Collision Detection of Deformable Objects" (2003).
///
/// # Example
///
/// ```
/// use skirmish::geometry::{Aabb, Vec2};
/// use skirmish::partition::{Bodies, Partition};
/// use skirmish::partition::structures::sorted_grid::SortedGrid;
///
/// // Particles that push each other apart: built anew each frame, then all pairs at once.
/// let mut particles: Vec<Vec2> = (0..1000).map(|i| Vec2::new(i as f32 * 0.5, (i % 7) as f32)).collect();
/// let mut index = SortedGrid::new(Aabb::new(Vec2::ZERO, Vec2::new(500.0, 7.0)));
/// index.expect(1.2);
/// for _frame in 0..2 {
///     let mut push = vec![Vec2::ZERO; particles.len()];
///     index.rebuild(Bodies::points(&particles), &mut ());
///     index.pairs(Bodies::points(&particles), 1.2, &mut (), |pairs| {
///         for &(a, b) in pairs {
///             let away = (particles[b as usize] - particles[a as usize]).normalize_or_zero();
///             push[a as usize] -= away;
///             push[b as usize] += away;
///         }
///     });
///     for (particle, push) in particles.iter_mut().zip(push) {
///         *particle += 0.1 * push;
///     }
/// }
/// assert!(particles[0].y < 0.0);
/// ```
#[derive(Clone, Debug)]
pub struct SortedGrid {
    /// What the knob says, in metres.
    cell_size: Fitted,
    /// One grid for each size class, the smallest bodies first; a class without bodies is empty.
    layers: Vec<Layer>,
    /// Row of a unit → its size class; none in a world of points.
    classes: Option<Vec<u8>>,
    /// The knob `skin`: how far units may stray from where they are filed, in cells.
    skin: f64,
    /// On how many threads it is built and follows.
    threads: usize,
    /// The units of one class, while its grid is built.
    members: Scratch<Vec<UnitId>>,
    /// The units in the order in which they are to be sorted. Between a step and the sort that it asks for a layer's ids may lie here, and
    /// its columns are not equally long.
    order: Scratch<Vec<UnitId>>,
    /// Where they are, in that order; empty where nobody asks for that twice.
    centers: Scratch<Vec<Vec2>>,
    sorter: Scratch<Sorter>,
    /// How many rows there were when it was built.
    slots: usize,
    /// Row of a unit → its cell, as long as layers are [loose](Layer::is_loose).
    homes: Vec<Home>,
    /// How many units single edits may still pass by before it is quicker to build.
    patience: usize,
}

/// How many size classes there may be: with cells from half a metre on, bodies as large as coordinates may be fit the last.
const CLASS_LIMIT: usize = 18;

/// By how much the cells of a class are larger than those of the class before.
const CLASS_RATIO: f32 = 4.0;

/// The class of a unit that is not alive.
const NO_CLASS: u8 = u8::MAX;

/// The least and the greatest cell size that may be set, in metres.
const CELL_LIMITS: (f64, f64) = (0.5, 1000.0);

/// What it is at `auto` while there is nobody whom it could fit.
const USUAL_CELL: f64 = 16.0;

/// What it is at `auto`: a few reaches wide where the crowd is dense, so that few cells have to be looked at, and where it is
/// thin wide enough for several units. By sweeps over scenes of both kinds; twice as much or half of it costs a tenth.
fn fitting_cell(throng: Throng) -> f32 {
    let cell = throng.side(2.0, 2.5);
    // Up to about seventy units in a cell cost less than a second class of sizes does, which each query looks through as well.
    let is_one_class_cheap = throng.widest < 2.0 * cell || throng.widest < 8.0 * throng.spacing;
    if cell < throng.widest && is_one_class_cheap {
        // A little wider, and all bodies lie in one class; with what rounding takes away again.
        1.06 * throng.widest
    } else {
        cell
    }
}

const KNOBS: &[Knob] = &[
    Knob {
        key: "cell_size",
        name: "cell size",
        help: "The side of a cell. Small cells test fewer units and cost more rows; bodies wider than a cell lie in a grid of their own with cells four times as wide, so that 0.5 and 2 may come to the same. Auto fits it to the reach, the bodies and how close they stand.",
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
        key: "skin",
        name: "skin",
        help: "How far units may stray from the cell in which they are filed before all are sorted anew. Until then a step only writes where they are, and every query looks that much farther; the answers are the same.",
        unit: "cells",
        range: KnobRange::Number {
            min: 0.0,
            max: 1.0,
            whole: false,
            logarithmic: false,
        },
        default: 0.0,
        picture_only: false,
        acts_on_update: true,
        idle_with: &[],
    },
];

/// The index of the knob `skin`.
const SKIN: usize = 1;

impl SortedGrid {
    /// The layers in which somebody is, each with the number that its regions begin with.
    fn occupied_layers(&self) -> impl Iterator<Item = (RegionId, &Layer)> {
        self.layers
            .iter()
            .scan(0, |next: &mut RegionId, layer| {
                let first = *next;
                *next += layer.starts.len() as RegionId;
                Some((first, layer))
            })
            .filter(|(_, layer)| !layer.is_empty())
    }

    /// The number of units.
    fn len(&self) -> usize {
        self.layers.iter().map(Layer::len).sum()
    }

    /// The size class of a body: its cells are at least as wide as it is.
    fn class_of(&self, half_extent: f32) -> u8 {
        let mut limit = self.cell_size.value() as f32 * 0.5;
        let mut class = 0;
        while half_extent > limit && usize::from(class) < CLASS_LIMIT - 1 {
            limit *= CLASS_RATIO;
            class += 1;
        }
        class
    }

    /// Above which half extent a body belongs to a class, and up to which; see [`SortedGrid::class_of`].
    fn class_limits(&self, class: usize) -> (f32, f32) {
        let mut limits = (-1.0, self.cell_size.value() as f32 * 0.5);
        for _ in 0..class {
            limits = (limits.1, limits.1 * CLASS_RATIO);
        }
        if class == CLASS_LIMIT - 1 {
            limits.1 = f32::INFINITY;
        }
        limits
    }

    /// Forgets everything and indexes the units alive: in the order of their ids, or in the one that lies in `order` where that has
    /// been [remembered](Self::remember).
    fn build(&mut self, bodies: Bodies<'_>, is_ordered: bool) {
        self.slots = bodies.slot_count();
        self.cell_size.choose(bodies, CELL_LIMITS, fitting_cell);
        if bodies.are_sized() {
            if !is_ordered {
                self.order.clear();
                self.order.extend(bodies.ids());
            }
            return self.build_classes(bodies, is_ordered);
        }
        self.classes = None;
        self.layers.truncate(1);
        let cell_size = self.cell_size.value() as f32;
        if is_ordered {
            let order = std::mem::take(&mut self.order);
            self.build_gathered(0, bodies, (&order, true), cell_size);
            self.order = order;
        } else if bodies.alive.is_empty() {
            let all = 0..bodies.slot_count() as UnitId;
            self.build_points(bodies, (all, bodies.centers), cell_size);
        } else {
            self.build_points(bodies, Alive(bodies), cell_size);
        }
    }

    /// Builds the one layer of a world of points.
    fn build_points(&mut self, bodies: Bodies<'_>, crowd: impl Crowd, cell_size: f32) {
        self.make_layer(0);
        self.layers[0].build(bodies, crowd, cell_size, &mut self.sorter);
    }

    /// Builds one grid for each size class, of the units that are in `order`, which may be that of the cells.
    fn build_classes(&mut self, bodies: Bodies<'_>, is_ordered: bool) {
        let mut classes = self.classes.take().unwrap_or_default();
        classes.clear();
        classes.extend((0..bodies.slot_count() as UnitId).map(|unit| {
            if bodies.is_alive(unit) {
                self.class_of(bodies.half_extent(unit).max_element())
            } else {
                NO_CLASS
            }
        }));
        let mut members = std::mem::take(&mut self.members);
        let last = classes.iter().filter(|class| **class != NO_CLASS).max();
        let last = last.copied().unwrap_or(0);
        self.layers.truncate(usize::from(last) + 1);
        let mut cell_size = self.cell_size.value() as f32;
        for class in 0..=last {
            let order = self.order.iter().copied();
            members.clear();
            members.extend(order.filter(|unit| classes[*unit as usize] == class));
            let class = usize::from(class);
            self.build_gathered(class, bodies, (&members, is_ordered), cell_size);
            cell_size *= CLASS_RATIO;
        }
        (self.classes, self.members) = (Some(classes), members);
    }

    /// Builds a layer of units in any order, or in that of the cells in which they were: where they are is gathered, for every pass of the
    /// sort.
    fn build_gathered(
        &mut self,
        class: usize,
        bodies: Bodies<'_>,
        (units, is_ordered): (&[UnitId], bool),
        cell_size: f32,
    ) {
        let mut centers = std::mem::take(&mut self.centers);
        self.make_layer(class);
        let placed = (units, is_ordered, &mut *centers);
        let (layer, sorter) = (&mut self.layers[class], &mut self.sorter);
        layer.build_on(self.threads, bodies, placed, cell_size, sorter);
        self.centers = centers;
    }

    /// Sees to it that there is this layer or the one before it.
    fn make_layer(&mut self, class: usize) {
        if class == self.layers.len() {
            self.layers.push(Layer::new());
        }
    }
}

impl Partition for SortedGrid {
    const INFO: Info = Info {
        key: "sorted-grid",
        name: "sorted grid",
        tagline: "runs of a counting sort",
        placement: Placement::Center,
        what: "Units sorted by cell, positions and all, so that a cell is a run of one array and three neighbouring cells are one longer run. Where much moves, a step sorts anew, which is cheaper than mending links; where little moves, a unit is moved past those of its row.",
        cost: "build O(n), about as dear as reading and writing each unit three times · move: past those of its row, O(√n), or a build for all · pairs O(n) at a given density",
        wins: "nearly everybody moves nearly every step; many pairs, rectangles and nearest neighbours where one cell size fits; fields of any size with empty land",
        loses: "a cell size far off the reach; rows of very many units, through which single moves have to pass",
        source: "Green, Particle Simulation using CUDA (2008); Teschner et al., Optimized Spatial Hashing (2003)",
        told: 6,
        told_of_sizes: 1,
        knobs: KNOBS,
    };

    const SETTINGS: &'static [Setting<Self>] = settings![cell_size, skin];

    fn new(_field: Aabb) -> Self {
        Self {
            cell_size: Fitted::new(USUAL_CELL),
            layers: Vec::new(),
            classes: None,
            skin: KNOBS[SKIN].default,
            threads: 1,
            members: Scratch::default(),
            order: Scratch::default(),
            centers: Scratch::default(),
            sorter: Scratch::default(),
            slots: 0,
            homes: Vec::new(),
            patience: 0,
        }
    }

    fn use_threads(&mut self, threads: usize) {
        self.threads = threads.max(1);
    }

    fn rebuild<P: Probe>(&mut self, bodies: Bodies<'_>, probe: &mut P) {
        probe.on(Event::Work(Work::Rebuild));
        self.build(bodies, false);
    }

    fn prepare<P: Probe>(
        &mut self,
        bodies: Bodies<'_>,
        changes: &[Change],
        probe: &mut P,
    ) -> Course {
        if self.cell_size.is_outgrown(bodies) {
            return Course::Rebuild;
        }
        self.look_at(bodies, changes, probe)
    }

    fn add<P: Probe>(
        &mut self,
        bodies: Bodies<'_>,
        unit: UnitId,
        _probe: &mut P,
    ) -> Result<(), Outgrown> {
        self.insert(bodies, unit)
    }

    fn relocate<P: Probe>(
        &mut self,
        bodies: Bodies<'_>,
        unit: UnitId,
        probe: &mut P,
    ) -> Result<(), Outgrown> {
        self.update(bodies, unit, probe)
    }

    fn remove<P: Probe>(&mut self, unit: UnitId, _probe: &mut P) -> Result<(), Outgrown> {
        self.delete(unit)
    }

    fn search<S: Search, P: Probe>(
        &self,
        _bodies: Bodies<'_>,
        search: &S,
        probe: &mut P,
        visit: impl FnMut(UnitId),
    ) {
        self.search_runs(search, probe, visit);
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
        self.emit_pairs(reach, part, probe, batch);
    }

    fn shares_lie_apart(&self, reach: f32, count: u32) -> bool {
        let mut layers = self.occupied_layers().map(|(_, layer)| layer);
        // Whoever looks at larger bodies may do so from anywhere.
        match (layers.next(), layers.next()) {
            (Some(layer), None) => layer.strips_lie_apart(reach, count),
            _ => false,
        }
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
        let sum = |of: fn(&Layer) -> usize| self.layers.iter().map(of).sum();
        say(
            "bodies in cell order",
            sum(|layer| {
                let it = &layer.bodies;
                [&it.left, &it.bottom, &it.right, &it.top]
                    .iter()
                    .map(|column| column.capacity() * size_of::<f32>())
                    .sum::<usize>()
                    + it.ids.capacity() * size_of::<UnitId>()
            }),
        );
        say(
            "starts of cells",
            sum(|layer| layer.starts.capacity() * size_of::<u32>()),
        );
        say(
            "rows and stretches",
            sum(|layer| {
                layer.rows.capacity() * size_of::<layer::Row>()
                    + layer.stretches.capacity() * size_of::<layer::Stretch>()
            }) + self.layers.capacity() * size_of::<Layer>(),
        );
        say(
            "room for sorting",
            self.sorter.byte_count()
                + (self.members.capacity() + self.order.capacity()) * size_of::<UnitId>()
                + self.centers.capacity() * size_of::<Vec2>(),
        );
        let classes = self.classes.as_ref().map_or(0, Vec::capacity);
        say(
            "cells and classes of units",
            self.homes.capacity() * size_of::<Home>() + classes,
        );
    }
}
