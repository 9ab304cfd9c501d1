//! Who is in a rectangle, in a disc, nearest to a point, on a line.

use super::SortedGrid;
use super::layer::{Layer, Run};
use crate::geometry::Vec2;
use crate::partition::toolkit::rounding::ROUNDING;
use crate::partition::{Best, NearestQuery, Neighbor, RegionId, Search, UnitId};
use crate::probe::{Event, Probe};

impl SortedGrid {
    /// Visits the units that `search` holds: in each row the run of the columns that it reaches.
    pub(super) fn search_runs<P: Probe>(
        &self,
        search: &impl Search,
        probe: &mut P,
        mut visit: impl FnMut(UnitId),
    ) {
        let bounds = search.bounds();
        for (region, layer) in self.occupied_layers() {
            let scan = Scan { layer, region };
            // Numbers never decrease with the coordinate: a centre in a column between those of the two borders lies
            // between the borders, and whoever has the centre inside overlaps the rectangle, whatever the size.
            let inside = search.core().map(|core| {
                let number = |corner: Vec2| (layer.number(corner.x), layer.number(corner.y));
                let columns = layer.columns_touching(core.min.x, core.max.x);
                (number(core.min), number(core.max), columns)
            });
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
                match inside {
                    Some(((left, bottom), (right, top), _))
                        if bottom < index && index < top && left < right.saturating_sub(1) =>
                    {
                        layer.for_runs(row, first, left, |run| {
                            scan.test(run, search, probe, &mut visit);
                        });
                        layer.for_runs(row, left + 1, right - 1, |run| {
                            scan.accept(run, probe, &mut visit);
                        });
                        layer.for_runs(row, right, last, |run| {
                            scan.test(run, search, probe, &mut visit);
                        });
                    }
                    _ => layer.for_runs(row, first, last, |run| {
                        scan.test(run, search, probe, &mut visit);
                    }),
                }
            }
        }
    }

    /// Goes from row to row, the nearer first, and in a row from the point outwards, until what is left is farther than
    /// the last of those found.
    pub(super) fn find_nearest<P: Probe>(
        &self,
        query: NearestQuery,
        mut filter: impl FnMut(UnitId) -> bool,
        probe: &mut P,
        out: &mut Vec<Neighbor>,
    ) {
        let point = query.point;
        let mut best = Best::new(out, query.count, query.within);
        for (region, layer) in self.occupied_layers() {
            let scan = Scan { layer, region };
            let home = layer.number(point.y);
            let mut above = layer
                .occupied_rows()
                .partition_point(|row| row.index < home);
            let mut below = above;
            let rows = layer.occupied_rows().len();
            // By the nominal row, which grows from row to row. The true band of a row may reach past that of the next one
            // where bodies have a size, so it only says whether to enter.
            let distance_sq = |row: usize| layer.row_distance_sq(row, point.y);
            let far = f32::INFINITY;
            let mut above_sq = if above < rows {
                distance_sq(above)
            } else {
                far
            };
            let mut below_sq = if below > 0 {
                distance_sq(below - 1)
            } else {
                far
            };
            while above < rows || below > 0 {
                let (row, least_sq);
                if above < rows && (above_sq <= below_sq || below == 0) {
                    (row, least_sq) = (above, above_sq);
                    above += 1;
                    above_sq = if above < rows {
                        distance_sq(above)
                    } else {
                        far
                    };
                } else {
                    below -= 1;
                    (row, least_sq) = (below, below_sq);
                    below_sq = if below > 0 {
                        distance_sq(below - 1)
                    } else {
                        far
                    };
                }
                if least_sq > best.bound_sq() {
                    break;
                }
                let row_sq = layer.band(row).distance_sq(point);
                if row_sq <= best.bound_sq() {
                    let best = &mut best;
                    if layer.bodies.right.is_empty() {
                        scan.nearest_in_row::<false, P>(
                            row,
                            row_sq,
                            point,
                            &mut filter,
                            probe,
                            best,
                        );
                    } else {
                        scan.nearest_in_row::<true, P>(
                            row,
                            row_sq,
                            point,
                            &mut filter,
                            probe,
                            best,
                        );
                    }
                }
            }
        }
        for neighbor in out.iter() {
            probe.on(Event::Hit(neighbor.unit));
        }
    }
}

impl Layer {
    /// The least squared distance along y that any body of a row may have.
    #[inline]
    fn row_distance_sq(&self, row: usize, y: f32) -> f32 {
        let index = i64::from(self.rows[row].index);
        let gap = (self.border_below(index) - y).max(y - self.border_above(index));
        least_sq(gap, y, self.half_extent.y)
    }
}

/// The least square of a distance that is `gap` from a point at `coordinate` to the border of a row or column, in which
/// bodies may reach `half_extent` beyond the border.
#[inline]
fn least_sq(gap: f32, coordinate: f32, half_extent: f32) -> f32 {
    let gap = (gap - half_extent - (coordinate.abs() + half_extent) * ROUNDING).max(0.0);
    gap * gap * (1.0 - ROUNDING)
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

    /// Tests every unit of a run and visits those that the search holds.
    #[inline]
    fn test<P: Probe>(
        &self,
        run: Run,
        search: &impl Search,
        probe: &mut P,
        visit: &mut impl FnMut(UnitId),
    ) {
        self.tell(run, probe, Event::Visit);
        if self.layer.bodies.right.is_empty() {
            self.test_bodies::<false, P>(run, search, probe, visit);
        } else {
            self.test_bodies::<true, P>(run, search, probe, visit);
        }
    }

    #[inline]
    fn test_bodies<const SIZED: bool, P: Probe>(
        &self,
        run: Run,
        search: &impl Search,
        probe: &mut P,
        visit: &mut impl FnMut(UnitId),
    ) {
        let units = self.layer.units(run);
        let tests = units.len() as u64;
        let mut hits = 0;
        for place in units {
            let unit = self.layer.bodies.ids[place];
            if P::DETAILED {
                probe.on(Event::Test(unit));
            }
            if search.holds(self.layer.body::<SIZED>(place)) {
                hits += 1;
                if P::DETAILED {
                    probe.on(Event::Hit(unit));
                }
                visit(unit);
            }
        }
        if !P::DETAILED {
            probe.tests(tests);
            probe.hits(hits);
        }
    }

    /// Visits every unit of a run without a test.
    #[inline]
    fn accept<P: Probe>(&self, run: Run, probe: &mut P, visit: &mut impl FnMut(UnitId)) {
        self.tell(run, probe, Event::Accept);
        let ids = &self.layer.bodies.ids[self.layer.units(run)];
        for &unit in ids {
            if P::DETAILED {
                probe.on(Event::Hit(unit));
            }
            visit(unit);
        }
        if !P::DETAILED {
            probe.hits(ids.len() as u64);
        }
    }

    /// Offers the units of a row, cell by cell from the point outwards, first to the right and then to the left.
    fn nearest_in_row<const SIZED: bool, P: Probe>(
        &self,
        row: usize,
        row_sq: f32,
        point: Vec2,
        filter: &mut impl FnMut(UnitId) -> bool,
        probe: &mut P,
        best: &mut Best<'_>,
    ) {
        let layer = self.layer;
        let (begin, end) = (layer.stretches_of(row).start, layer.stretches_of(row).end);
        let home = layer.number(point.x);
        // Rounded twice like the distance of a body, from two numbers that are no greater.
        let far_sq = |gap: f32| least_sq(gap, point.x, layer.half_extent.x) + row_sq;
        let mut scan = |entry: u32, best: &mut Best<'_>, probe: &mut P| {
            let units = layer.units(Run {
                begin: entry,
                end: entry + 1,
            });
            if units.is_empty() {
                return;
            }
            probe.on(Event::Visit(self.region + entry));
            let tests = units.len() as u64;
            for place in units {
                let unit = layer.bodies.ids[place];
                if P::DETAILED {
                    probe.on(Event::Test(unit));
                }
                let distance_sq = layer.body::<SIZED>(place).distance_sq(point);
                if best.wants(unit, distance_sq) && filter(unit) {
                    best.offer(unit, distance_sq);
                }
            }
            if !P::DETAILED {
                probe.tests(tests);
            }
        };
        // The first stretch that ends at the point's column or to the right of it.
        let middle =
            begin + layer.stretches[begin..end].partition_point(|stretch| stretch.last < home);
        'right: for stretch in &layer.stretches[middle..end] {
            let run = stretch.run(stretch.first.max(home), stretch.last);
            for entry in run.begin..run.end {
                let column = i64::from(stretch.column(entry));
                if far_sq(layer.border_below(column) - point.x) > best.bound_sq() {
                    break 'right;
                }
                scan(entry, best, probe);
            }
        }
        let split = (middle + 1).min(end);
        'left: for stretch in layer.stretches[begin..split].iter().rev() {
            if stretch.first >= home {
                continue;
            }
            let run = stretch.run(stretch.first, stretch.last.min(home - 1));
            for entry in (run.begin..run.end).rev() {
                let column = i64::from(stretch.column(entry));
                if far_sq(point.x - layer.border_above(column)) > best.bound_sq() {
                    break 'left;
                }
                scan(entry, best, probe);
            }
        }
    }
}
