//! Who is in a rectangle, in a disc, nearest to a point, on a line.

use super::LinkedGrid;
use crate::geometry::{Aabb, Vec2};
use crate::partition::{Best, NearestQuery, Neighbor, Search, UnitId};
use crate::probe::{Event, Probe};

impl LinkedGrid {
    /// Visits the units that `search` holds, row by row.
    pub(super) fn search_cells<S: Search, P: Probe>(
        &self,
        search: &S,
        probe: &mut P,
        mut visit: impl FnMut(UnitId),
    ) {
        let core = search.core();
        let (all_columns, rows) = self.cells_around(search.bounds());
        for row in rows {
            let mut columns = all_columns.clone();
            if S::IS_THIN {
                let (low, high) = self.rows.span(row);
                let Some((left, right)) = search.across(band(low, high), self.regular, 0.0) else {
                    continue;
                };
                columns = self.columns.columns(left, right);
            }
            let first = row * self.columns.count();
            self.for_occupied(first + columns.start(), first + columns.end(), |cell| {
                if core.is_some_and(|core| core.contains_box(self.cell_box(cell - first, row))) {
                    probe.on(Event::Accept(cell));
                    self.accept_chain(cell, probe, &mut visit);
                } else if core.is_some() || search.holds(self.reach_box(cell - first, row)) {
                    probe.on(Event::Visit(cell));
                    self.scan_chain(cell, search, probe, &mut visit);
                } else {
                    probe.on(Event::Prune(cell));
                }
            });
        }
        self.scan_chain(self.oversize_chain(), search, probe, &mut visit);
    }

    /// Goes from row to row, the nearer first, and in a row from the point outwards, until what is left is farther than
    /// the last of those found. Empty cells cost a bit each, so that a lonely unit is found across an empty field.
    pub(super) fn find_nearest<P: Probe>(
        &self,
        query: NearestQuery,
        mut filter: impl FnMut(UnitId) -> bool,
        probe: &mut P,
        out: &mut Vec<Neighbor>,
    ) {
        let point = query.point;
        let mut best = Best::new(out, query.count, query.within);
        let mut scan = |chain: u32, best: &mut Best<'_>, probe: &mut P| {
            let mut tests = 0;
            for (unit, link) in self.chain(chain) {
                tests += 1;
                if P::DETAILED {
                    probe.on(Event::Test(unit));
                }
                let distance_sq = self.body(unit, link).distance_sq(point);
                if best.wants(unit, distance_sq) && filter(unit) {
                    best.offer(unit, distance_sq);
                }
            }
            if !P::DETAILED {
                probe.tests(tests);
            }
        };
        scan(self.oversize_chain(), &mut best, probe);

        let (home_column, home_row) = (self.columns.column(point.x), self.rows.column(point.y));
        let distance_sq = |column: u32, row: u32| self.reach_box(column, row).distance_sq(point);
        let row_distance_sq = |row: u32| {
            let (low, high) = self.rows.span(row);
            band(low, high).grown(self.regular).distance_sq(point)
        };
        let mut scan_row = |row: u32, best: &mut Best<'_>, probe: &mut P| {
            let first = row * self.columns.count();
            let last = first + self.columns.count() - 1;
            let home = first + home_column;
            let mut left = self.previous_occupied(first, home);
            let mut right = (home < last)
                .then(|| self.next_occupied(home + 1, last))
                .flatten();
            loop {
                let far = f32::INFINITY;
                let left_sq = left.map_or(far, |cell| distance_sq(cell - first, row));
                let right_sq = right.map_or(far, |cell| distance_sq(cell - first, row));
                let (cell, cell_sq) = match (left, right) {
                    (Some(cell), _) if left_sq <= right_sq => {
                        left = (cell > first)
                            .then(|| self.previous_occupied(first, cell - 1))
                            .flatten();
                        (cell, left_sq)
                    }
                    (_, Some(cell)) => {
                        right = (cell < last)
                            .then(|| self.next_occupied(cell + 1, last))
                            .flatten();
                        (cell, right_sq)
                    }
                    _ => return,
                };
                if cell_sq > best.bound_sq() {
                    probe.on(Event::Prune(cell));
                    return;
                }
                probe.on(Event::Visit(cell));
                scan(cell, best, probe);
            }
        };
        let mut below = Some(home_row);
        let mut above = (home_row + 1 < self.rows.count()).then_some(home_row + 1);
        loop {
            let below_sq = below.map_or(f32::INFINITY, row_distance_sq);
            let above_sq = above.map_or(f32::INFINITY, row_distance_sq);
            let (row, row_sq) = match (below, above) {
                (Some(row), _) if below_sq <= above_sq => {
                    below = row.checked_sub(1);
                    (row, below_sq)
                }
                (_, Some(row)) => {
                    above = (row + 1 < self.rows.count()).then_some(row + 1);
                    (row, above_sq)
                }
                _ => break,
            };
            if row_sq > best.bound_sq() {
                break;
            }
            scan_row(row, &mut best, probe);
        }
        best.finish(probe);
    }

    /// Tests every unit of a chain and visits those that the search holds.
    #[inline]
    fn scan_chain<P: Probe>(
        &self,
        chain: u32,
        search: &impl Search,
        probe: &mut P,
        visit: &mut impl FnMut(UnitId),
    ) {
        let (mut tests, mut hits) = (0, 0);
        for (unit, link) in self.chain(chain) {
            tests += 1;
            if P::DETAILED {
                probe.on(Event::Test(unit));
            }
            if search.holds(self.body(unit, link)) {
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

    /// Visits every unit of a chain without a test.
    #[inline]
    fn accept_chain<P: Probe>(&self, chain: u32, probe: &mut P, visit: &mut impl FnMut(UnitId)) {
        let mut hits = 0;
        for (unit, _) in self.chain(chain) {
            hits += 1;
            if P::DETAILED {
                probe.on(Event::Hit(unit));
            }
            visit(unit);
        }
        if !P::DETAILED {
            probe.hits(hits);
        }
    }
}

/// What lies between two heights.
#[inline]
fn band(low: f32, high: f32) -> Aabb {
    Aabb::new(
        Vec2::new(f32::NEG_INFINITY, low),
        Vec2::new(f32::INFINITY, high),
    )
}
