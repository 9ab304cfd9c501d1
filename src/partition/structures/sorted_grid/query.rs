//! Who is in a rectangle, in a disc, nearest to a point, on a line.

use super::SortedGrid;
use super::layer::{Cells, Layer, Run};
use crate::geometry::Vec2;
use crate::partition::toolkit::rounding::{ROUNDING, widened};
use crate::partition::toolkit::sieve::Sieve;
use crate::partition::toolkit::simd::{self, Kernel, Task};
use crate::partition::{Best, NearestQuery, Neighbor, RegionId, Search, UnitId};
use crate::probe::{Event, Probe};

/// Cells that lie inside a rectangle are taken without a test where at least so many units are in those of a row: for
/// fewer, one run that is tested from end to end is quicker than three.
const TAKEN_WHOLE: usize = 32;

/// The nine cells around a point are looked at as they are where at most so many times as many units are in them as are
/// asked for: a narrower block would save less than it costs to find that it is too narrow.
const ROOMY: usize = 9;

/// The squared half width of the first block, in cells, where nine cells have as many as are asked for: the circle that has as
/// many has 9 ÷ π, and a little more for chance.
const HALF_WIDTH_SQ: f32 = 3.25;

/// So many units of a row, at most, are asked for before a search comes to them: more come by themselves, for they lie in a row.
const ASKED_FOR: usize = 64;

impl SortedGrid {
    /// Visits the units that `search` holds: in each row the run of the columns that it reaches.
    pub(super) fn search_runs<P: Probe>(
        &self,
        search: &impl Search,
        probe: &mut P,
        visit: impl FnMut(UnitId),
    ) {
        simd::dispatch(Sifting {
            grid: self,
            search,
            probe,
            visit,
        });
    }

    /// Looks at a block of cells around the point, then at what more of a block around the farthest of those found may be
    /// nearer; where the block has too few, at one twice as wide, again and again.
    pub(super) fn find_nearest<P: Probe>(
        &self,
        query: NearestQuery,
        filter: impl FnMut(UnitId) -> bool,
        probe: &mut P,
        out: &mut Vec<Neighbor>,
    ) {
        simd::dispatch(Approach {
            grid: self,
            query,
            filter,
            probe,
            out,
        });
    }
}

/// A search about to begin, with whatever kernel there is.
struct Sifting<'g, 'p, S: Search, P: Probe, V: FnMut(UnitId)> {
    grid: &'g SortedGrid,
    search: &'g S,
    probe: &'p mut P,
    visit: V,
}

impl<S: Search, P: Probe, V: FnMut(UnitId)> Task for Sifting<'_, '_, S, P, V> {
    const DETAILED: bool = P::DETAILED;

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) {
        let Self {
            grid,
            search,
            probe,
            visit,
        } = self;
        let mut sieve = Sieve::new(kernel, search, visit);
        for (region, layer) in grid.occupied_layers() {
            let scan = Scan { layer, region };
            if layer.bodies.right.is_empty() {
                scan.sift::<false, _, _, _, _>(search, &mut sieve, probe);
            } else {
                scan.sift::<true, _, _, _, _>(search, &mut sieve, probe);
            }
        }
        sieve.finish();
    }
}

/// A search for the nearest about to begin, with whatever kernel there is.
struct Approach<'g, 'p, 'o, F: FnMut(UnitId) -> bool, P: Probe> {
    grid: &'g SortedGrid,
    query: NearestQuery,
    filter: F,
    probe: &'p mut P,
    out: &'o mut Vec<Neighbor>,
}

/// A search for the nearest under way.
struct Approaching<'p, 'o, F: FnMut(UnitId) -> bool, P: Probe> {
    point: Vec2,
    count: usize,
    filter: F,
    probe: &'p mut P,
    best: Best<'o>,
}

impl<F: FnMut(UnitId) -> bool, P: Probe> Task for Approach<'_, '_, '_, F, P> {
    const DETAILED: bool = P::DETAILED;

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) {
        // What is large is made here, so that it is not carried here.
        let mut approaching = Approaching {
            point: self.query.point,
            count: self.query.count,
            filter: self.filter,
            probe: self.probe,
            best: Best::new(self.out, self.query.count, self.query.within),
        };
        for (region, layer) in self.grid.occupied_layers() {
            let scan = Scan { layer, region };
            if layer.bodies.right.is_empty() {
                approaching.approach::<K, false>(kernel, &scan);
            } else {
                approaching.approach::<K, true>(kernel, &scan);
            }
        }
        approaching.best.conclude(kernel, approaching.probe);
    }
}

impl<F: FnMut(UnitId) -> bool, P: Probe> Approaching<'_, '_, F, P> {
    /// Looks at one layer, block by block.
    #[inline(always)]
    fn approach<K: Kernel, const SIZED: bool>(&mut self, kernel: K, scan: &Scan<'_>) {
        let layer = scan.layer;
        let point = self.point;
        let home = (layer.number(point.x), layer.number(point.y));
        let mut seen = Cells::NONE;
        let mut cells = if self.best.is_full() {
            layer.cells_within(point, self.best.bound_sq())
        } else {
            self.first_block::<K, SIZED>(kernel, layer, home)
        };
        loop {
            self.look::<K, SIZED>(kernel, scan, cells, seen);
            self.best.settle(kernel);
            seen = seen.join(cells);
            let near = layer.cells_within(point, self.best.bound_sq());
            if seen.contain(near) || seen.contain(layer.extent) {
                break;
            }
            // Until there are enough, blocks hold each other; the last one may lie askew and is the last.
            cells = if self.best.is_full() {
                near
            } else {
                cells.doubled()
            };
        }
    }

    /// A block of cells that is likely to have as many as are asked for, and few more: as far around the point as it takes, if
    /// they stand everywhere as densely as in the nine cells around it.
    #[inline(always)]
    fn first_block<K: Kernel, const SIZED: bool>(
        &self,
        kernel: K,
        layer: &Layer,
        home: (i32, i32),
    ) -> Cells {
        let distance = layer.extent.distance(home);
        let around = Cells::around(home, distance.saturating_add(1));
        let is_far = layer.bodies.are_far();
        let mut count = 0;
        layer.runs_around(home, |units| {
            count += units.len();
            if is_far {
                // Those of three rows come at once then, and while the first block is thought about.
                let some = units.start..units.end.min(units.start + ASKED_FOR);
                layer.bodies.ask_for::<SIZED, K>(kernel, some);
            }
        });
        if (self.count..=ROOMY * self.count).contains(&count) {
            return around;
        }
        if count == 0 {
            // Whoever is outside begins with as much as it takes to reach somebody.
            return if distance > 0 {
                around
            } else {
                around.doubled()
            };
        }
        let wanted = self.count as f32 / count as f32;
        let half = layer.cell_size * (HALF_WIDTH_SQ * wanted).sqrt();
        let number = |coordinate: f32| layer.number(coordinate);
        Cells {
            left: number(self.point.x - half),
            right: number(self.point.x + half),
            bottom: number(self.point.y - half),
            top: number(self.point.y + half),
        }
    }

    /// Offers whoever is in `cells` and not in those `seen`.
    #[inline(always)]
    fn look<K: Kernel, const SIZED: bool>(
        &mut self,
        kernel: K,
        scan: &Scan<'_>,
        cells: Cells,
        seen: Cells,
    ) {
        let layer = scan.layer;
        for row in layer.rows_from_to(cells.bottom, cells.top) {
            let index = layer.rows[row].index;
            let is_seen = seen.bottom <= index && index <= seen.top;
            if is_seen && seen.left <= cells.left && cells.right <= seen.right {
                continue;
            }
            let (mut left, mut right) = (cells.left, cells.right);
            let bound_sq = self.best.bound_sq();
            if bound_sq < f32::INFINITY {
                let row_sq = layer.band(row).distance_sq(self.point);
                if row_sq > bound_sq {
                    continue;
                }
                // Half the chord of the disc where it is nearest to the row, wider than what is rounded in squares may hide.
                let reach = widened(bound_sq.sqrt());
                let half = widened((reach * reach - row_sq).max(0.0).sqrt()).min(reach);
                let (first, last) =
                    layer.columns_touching(self.point.x - half, self.point.x + half);
                (left, right) = (left.max(first), right.min(last));
            }
            if is_seen {
                let before = right.min(seen.left.saturating_sub(1));
                self.look_at_run::<K, SIZED>(kernel, scan, row, left, before);
                let behind = left.max(seen.right.saturating_add(1));
                self.look_at_run::<K, SIZED>(kernel, scan, row, behind, right);
            } else {
                self.look_at_run::<K, SIZED>(kernel, scan, row, left, right);
            }
        }
    }

    #[inline(always)]
    fn look_at_run<K: Kernel, const SIZED: bool>(
        &mut self,
        kernel: K,
        scan: &Scan<'_>,
        row: usize,
        first: i32,
        last: i32,
    ) {
        if first > last {
            return;
        }
        let layer = scan.layer;
        for stretch in layer.stretches_touching(row, first, last) {
            let run = stretch.run(first, last);
            scan.tell(run, self.probe, Event::Visit);
            self.best.offer_run::<SIZED, K, P>(
                kernel,
                layer.bodies.for_kernel(),
                layer.units(run),
                self.point,
                &mut self.filter,
                self.probe,
            );
        }
    }
}

/// A look at the runs of one layer.
struct Scan<'a> {
    layer: &'a Layer,
    /// The number with which the layer's regions begin.
    region: RegionId,
}

impl Scan<'_> {
    /// Tells of each cell of a run in which somebody is.
    #[inline(always)]
    fn tell<P: Probe>(&self, run: Run, probe: &mut P, event: fn(RegionId) -> Event) {
        if P::HEARS {
            for entry in run.begin..run.end {
                let starts = &self.layer.starts[entry as usize..];
                if starts[0] < starts[1] {
                    probe.on(event(self.region + entry));
                }
            }
        }
    }

    /// Finds the units of the layer that a search holds.
    #[inline(always)]
    fn sift<const SIZED: bool, K: Kernel, S: Search, V: FnMut(UnitId), P: Probe>(
        &self,
        search: &S,
        sieve: &mut Sieve<'_, K, S, V>,
        probe: &mut P,
    ) {
        let layer = self.layer;
        let bounds = search.bounds();
        // Numbers never decrease with the coordinate: a centre in a column between those of the two borders lies
        // between the borders, and whoever has the centre inside overlaps the rectangle, whatever the size.
        let inside = search.core().map(|core| {
            let number = |corner: Vec2| (layer.number(corner.x), layer.number(corner.y));
            let columns = layer.columns_touching(core.min.x, core.max.x);
            let (min, max) = (layer.inset(core.min, 1.0), layer.inset(core.max, -1.0));
            (number(min), number(max), columns)
        });
        let columns = layer.bodies.for_kernel();
        for row in layer.rows_touching(bounds.min.y, bounds.max.y) {
            let (first, last) = if let Some((_, _, columns)) = inside {
                // A rectangle is as wide in each row.
                columns
            } else {
                let band = layer.band(row);
                let rounding = band.min.y.abs().max(band.max.y.abs()) * ROUNDING;
                let Some((left, right)) = search.across(band, Vec2::ZERO, rounding) else {
                    continue;
                };
                layer.columns_touching(left, right)
            };
            let index = layer.rows[row].index;
            for stretch in layer.stretches_touching(row, first, last) {
                let run = stretch.run(first, last);
                if let Some(((left, bottom), (right, top), _)) = inside
                    && bottom < index
                    && index < top
                    && let Some(core) = stretch.run_between(left, right)
                    && layer.units(core).len() >= TAKEN_WHOLE
                {
                    let (before, behind) = (run.before(core), run.behind(core));
                    self.tell(before, probe, Event::Visit);
                    sieve.test::<SIZED, P>(columns, layer.units(before), probe);
                    self.tell(core, probe, Event::Accept);
                    sieve.accept(columns.ids(layer.units(core)), probe);
                    self.tell(behind, probe, Event::Visit);
                    sieve.test::<SIZED, P>(columns, layer.units(behind), probe);
                } else {
                    self.tell(run, probe, Event::Visit);
                    sieve.test::<SIZED, P>(columns, layer.units(run), probe);
                }
            }
        }
    }
}
