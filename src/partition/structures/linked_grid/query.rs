//! Who is in a rectangle, in a disc, nearest to a point, on a line.

use super::LinkedGrid;
use crate::geometry::{Aabb, Segment, Vec2};
use crate::partition::toolkit::rounding::{ROUNDING, UNDERFLOW, widened};
use crate::partition::{Best, NearestQuery, Neighbor, UnitId};
use crate::probe::{Event, Probe};

impl LinkedGrid {
    pub(super) fn visit_range<P: Probe>(
        &self,
        area: Aabb,
        probe: &mut P,
        mut visit: impl FnMut(UnitId),
    ) {
        let (columns, rows) = self.cells_around(area);
        let holds = |body: Aabb| body.overlaps(area);
        for row in rows {
            let first = row * self.columns.count();
            self.for_occupied(first + columns.start(), first + columns.end(), |cell| {
                // Whoever has the centre inside overlaps the rectangle, whatever the size.
                if area.contains_box(self.cell_box(cell - first, row)) {
                    probe.on(Event::Accept(cell));
                    self.accept_chain(cell, probe, &mut visit);
                } else {
                    probe.on(Event::Visit(cell));
                    self.scan_chain(cell, probe, holds, &mut visit);
                }
            });
        }
        self.scan_chain(self.oversize_chain(), probe, holds, &mut visit);
    }

    pub(super) fn visit_radius<P: Probe>(
        &self,
        center: Vec2,
        radius: f32,
        probe: &mut P,
        mut visit: impl FnMut(UnitId),
    ) {
        let radius_sq = radius * radius;
        let (columns, rows) = self.cells_around(Aabb::around(center, Vec2::splat(widened(radius))));
        let holds = |body: Aabb| body.distance_sq(center) <= radius_sq;
        for row in rows {
            let first = row * self.columns.count();
            self.for_occupied(first + columns.start(), first + columns.end(), |cell| {
                if holds(self.reach_box(cell - first, row)) {
                    probe.on(Event::Visit(cell));
                    self.scan_chain(cell, probe, holds, &mut visit);
                } else {
                    probe.on(Event::Prune(cell));
                }
            });
        }
        self.scan_chain(self.oversize_chain(), probe, holds, &mut visit);
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
            let band = Aabb::new(
                Vec2::new(f32::NEG_INFINITY, low),
                Vec2::new(f32::INFINITY, high),
            );
            band.grown(self.regular).distance_sq(point)
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
        for neighbor in out.iter() {
            probe.on(Event::Hit(neighbor.unit));
        }
    }

    pub(super) fn visit_segment<P: Probe>(
        &self,
        segment: Segment,
        probe: &mut P,
        mut visit: impl FnMut(UnitId),
    ) {
        let holds = |body: Aabb| segment.meets(body);
        // The slab test rounds along the whole way, so a far end blurs the near one too.
        let ends = segment.from.abs() + segment.to.abs();
        let slack = ends.max_element() * ROUNDING + UNDERFLOW;
        let (_, rows) = self.cells_around(segment.aabb().grown(Vec2::splat(slack)));
        for row in rows {
            let (low, high) = self.rows.span(row);
            let Some((left, right)) = self.crossing(segment, slack, low, high) else {
                continue;
            };
            let first = row * self.columns.count();
            let columns = self.columns.columns(left, right);
            self.for_occupied(first + columns.start(), first + columns.end(), |cell| {
                if holds(self.reach_box(cell - first, row)) {
                    probe.on(Event::Visit(cell));
                    self.scan_chain(cell, probe, holds, &mut visit);
                } else {
                    probe.on(Event::Prune(cell));
                }
            });
        }
        self.scan_chain(self.oversize_chain(), probe, holds, &mut visit);
    }

    /// From where to where along x the centre of a regular unit must be to meet the segment between the rows' borders
    /// `low` and `high`, give or take `slack`.
    fn crossing(&self, segment: Segment, slack: f32, low: f32, high: f32) -> Option<(f32, f32)> {
        let (from, to) = (segment.from.as_dvec2(), segment.to.as_dvec2());
        let way = to - from;
        let size = self.regular.as_dvec2() + f64::from(segment.half_width);
        let grow = size * (1.0 + f64::from(ROUNDING)) + f64::from(slack);
        let (low, high) = (f64::from(low) - grow.y, f64::from(high) + grow.y);
        let (mut begin, mut end) = (0.0_f64, 1.0_f64);
        if way.y == 0.0 {
            if from.y < low || from.y > high {
                return None;
            }
        } else {
            let (a, b) = ((low - from.y) / way.y, (high - from.y) / way.y);
            begin = begin.max(a.min(b));
            end = end.min(a.max(b));
            if begin > end {
                return None;
            }
        }
        let (a, b) = (from.x + way.x * begin, from.x + way.x * end);
        Some(((a.min(b) - grow.x) as f32, (a.max(b) + grow.x) as f32))
    }

    /// Tests every unit of a chain and visits those for which `holds` does.
    #[inline]
    fn scan_chain<P: Probe>(
        &self,
        chain: u32,
        probe: &mut P,
        holds: impl Fn(Aabb) -> bool,
        visit: &mut impl FnMut(UnitId),
    ) {
        let (mut tests, mut hits) = (0, 0);
        for (unit, link) in self.chain(chain) {
            tests += 1;
            if P::DETAILED {
                probe.on(Event::Test(unit));
            }
            if holds(self.body(unit, link)) {
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
