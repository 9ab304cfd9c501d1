//! What the grid tells of itself: cells to draw, marks, facts and quality.

use super::axis::RIM;
use super::{LinkedGrid, NONE};
use crate::geometry::{Aabb, Vec2};
use crate::partition::{
    Fact, Mark, MarkQuery, MarkRole, Region, RegionId, RegionQuery, Role, Shape,
};

/// Empty cells are given for drawing only while no more cells than this are in view.
const EMPTY_CELL_LIMIT: u64 = 20_000;

/// How many units of a chain are named before the rest is only counted.
const NAMED_UNITS: usize = 12;

impl LinkedGrid {
    /// Gives the cells in which somebody is and, when there are not too many, the empty cells of the field, so that the
    /// grid can be seen. The oversize chain is one region around all of its bodies.
    pub(super) fn draw_regions(&self, query: RegionQuery, visit: &mut dyn FnMut(Region<'_>)) {
        let area = query.area;
        let (columns, rows) = (
            self.columns.columns(area.min.x, area.max.x),
            self.rows.columns(area.min.y, area.max.y),
        );
        let give_empty =
            columns.clone().count() as u64 * rows.clone().count() as u64 <= EMPTY_CELL_LIMIT;
        for row in rows {
            let first = row * self.columns.count();
            let mut give = |cell: u32| {
                let shape = self.drawn_box(cell - first, row);
                if shape.size().max_element() >= query.min_size {
                    visit(self.region(cell, shape, self.chain(cell).count() as u32));
                }
            };
            if give_empty {
                for column in columns.clone() {
                    if self.is_inner(column, row) || self.heads[(first + column) as usize] != NONE {
                        give(first + column);
                    }
                }
            } else {
                self.for_occupied(first + columns.start(), first + columns.end(), give);
            }
        }
        let bounds = self
            .chain(self.oversize_chain())
            .fold(Aabb::EMPTY, |sum, (unit, link)| {
                sum.join(self.body(unit, link))
            });
        if bounds.overlaps(area) && bounds.size().max_element() >= query.min_size {
            visit(self.region(self.oversize_chain(), bounds, self.oversize_count));
        }
    }

    fn region<'a>(&self, id: RegionId, shape: Aabb, load: u32) -> Region<'a> {
        Region {
            id,
            shape: Shape::Rect(shape),
            depth: 0,
            load,
            capacity: 0,
            role: match id == self.oversize_chain() {
                true => Role::Oversize,
                false => Role::Cell,
            },
            parent: None,
        }
    }

    /// The box of a cell, cut to what can be drawn.
    fn drawn_box(&self, column: u32, row: u32) -> Aabb {
        let (left, right) = self.columns.drawn_span(column);
        let (bottom, top) = self.rows.drawn_span(row);
        Aabb::new(Vec2::new(left, bottom), Vec2::new(right, top))
    }

    /// Whether a cell is one of the field, and not one of those around it.
    fn is_inner(&self, column: u32, row: u32) -> bool {
        self.columns.inner().contains(&column) && self.rows.inner().contains(&row)
    }

    /// The neighbourhood of the cell under the cursor: the cells that come after it are visited; those before it have
    /// already visited it, and are left out or, with the full neighbourhood, visited again.
    pub(super) fn draw_marks(&self, query: MarkQuery, visit: &mut dyn FnMut(Mark<'_>)) {
        let Some(cursor) = query.cursor else {
            return;
        };
        let (home_column, home_row) = (self.columns.column(cursor.x), self.rows.column(cursor.y));
        let is_empty_at = |column: u32, row: u32| {
            self.heads[(row * self.columns.count() + column) as usize] == NONE
        };
        // Beyond the field there is a cell only as long as somebody is in it.
        let is_there =
            |column: u32, row: u32| self.is_inner(column, row) || !is_empty_at(column, row);
        if !is_there(home_column, home_row) {
            return;
        }
        let regular = self.regular.max_element();
        let rings = query.rings(self.effective_cell_size as f32, regular);
        let around =
            |home: u32, count: u32| home.saturating_sub(rings)..=(home + rings).min(count - 1);
        for row in around(home_row, self.rows.count()) {
            for column in around(home_column, self.columns.count()) {
                let shape = self.drawn_box(column, row);
                if !shape.overlaps(query.area) || shape.size().max_element() < query.min_size {
                    continue;
                }
                let order = (row, column).cmp(&(home_row, home_column));
                if !is_there(column, row) {
                    continue;
                }
                let (role, label) = match order {
                    std::cmp::Ordering::Equal => (MarkRole::Home, "home"),
                    // A bit says that nobody is in it: nobody looks.
                    _ if is_empty_at(column, row) => (MarkRole::Skipped, "empty"),
                    std::cmp::Ordering::Less if self.looks_back => (MarkRole::Scanned, "again"),
                    std::cmp::Ordering::Less => (MarkRole::Skipped, "done before"),
                    std::cmp::Ordering::Greater => (MarkRole::Scanned, "to visit"),
                };
                visit(Mark {
                    role,
                    shape: Shape::Rect(shape),
                    label: label.into(),
                });
            }
        }
    }

    pub(super) fn say_facts(&self, region: RegionId, say: &mut dyn FnMut(Fact)) {
        if region > self.oversize_chain() {
            return;
        }
        if region == self.oversize_chain() {
            say(Fact::new("oversize units", self.oversize_count, ""));
        } else {
            let width = self.columns.count();
            let place = |index: u32| i64::from(index) - i64::from(RIM);
            let (column, row) = (region % width, region / width);
            say(Fact::new(
                "column, row",
                format!("{}, {}", place(column), place(row)),
                "",
            ));
            if !self.is_inner(column, row) {
                say(Fact::new("outside the field", "wider cells", ""));
            }
            let [after, around] = self.neighbour_counts(region);
            say(Fact::new("in half of the next eight", after, "units"));
            say(Fact::new("in all of the next eight", around, "units"));
        }
        let mut names: Vec<String> = self
            .chain(region)
            .take(NAMED_UNITS)
            .map(|(unit, _)| unit.to_string())
            .collect();
        if self.chain(region).nth(NAMED_UNITS).is_some() {
            names.push("…".to_owned());
        }
        if !names.is_empty() {
            say(Fact::new("chain", names.join(" → "), ""));
        }
    }

    /// How many units are in those of the eight neighbours of a cell that come after it, and in all of them.
    fn neighbour_counts(&self, home: u32) -> [usize; 2] {
        let width = self.columns.count();
        let (column, row) = (home % width, home / width);
        let (mut after, mut around) = (0, 0);
        for row in row.saturating_sub(1)..=(row + 1).min(self.rows.count() - 1) {
            for column in column.saturating_sub(1)..=(column + 1).min(width - 1) {
                let cell = row * width + column;
                let count = match cell {
                    _ if cell == home => 0,
                    _ => self.chain(cell).count(),
                };
                around += count;
                after += if cell > home { count } else { 0 };
            }
        }
        [after, around]
    }

    pub(super) fn say_quality(&self, say: &mut dyn FnMut(Fact)) {
        let (mut occupied, mut largest) = (0_u64, 0);
        self.for_occupied(0, self.oversize_chain() - 1, |cell| {
            occupied += 1;
            largest = largest.max(self.chain(cell).count());
        });
        let fields = self.columns.inner().len() as u64 * self.rows.inner().len() as u64;
        let regular = u64::from(self.count - self.oversize_count);
        say(Fact::new(
            "cell size",
            format!("{:.2}", self.effective_cell_size),
            "m",
        ));
        if self.effective_cell_size > self.cell_size.value() {
            say(Fact::new(
                "cell size asked for",
                format!(
                    "{:.2}, more cells than there may be",
                    self.cell_size.value()
                ),
                "m",
            ));
        }
        say(Fact::new("cells of the field", fields, ""));
        say(Fact::new("occupied cells", occupied, ""));
        say(Fact::new(
            "mean load",
            format!("{:.1}", regular as f64 / occupied.max(1) as f64),
            "units",
        ));
        say(Fact::new("greatest load", largest, "units"));
        if !self.half_extents.is_empty() {
            say(Fact::new(
                "queries grow by",
                format!("{:.2}", self.regular.max_element()),
                "m",
            ));
            say(Fact::new("oversize units", self.oversize_count, ""));
        }
    }
}
