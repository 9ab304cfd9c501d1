//! What is drawn and said of the grid: cells, runs, the half neighbourhood, facts, quality.

use super::SortedGrid;
use super::layer::Layer;
use crate::geometry::{Aabb, Vec2};
use crate::partition::{
    Fact, Mark, MarkQuery, MarkRole, Region, RegionId, RegionQuery, Role, Shape,
};

/// At most so many stretches are drawn as lines: more would be a solid area.
const LINE_LIMIT: usize = 1 << 12;

/// How many units of a cell are named before the rest is only counted.
const NAMED_UNITS: usize = 12;

impl SortedGrid {
    /// Gives the cells in which somebody is.
    pub(super) fn draw_regions(&self, query: RegionQuery, visit: &mut dyn FnMut(Region<'_>)) {
        for (depth, (region, layer)) in self.occupied_layers().enumerate() {
            if layer.cell_size < query.min_size {
                continue;
            }
            layer.for_cells(query.area, |row, column, entry| {
                let shape = layer.cell_box(i64::from(column), i64::from(layer.rows[row].index));
                // The border of the field's last cell may be rounded to beyond the cell.
                let drawn = shape.size().max_element() >= query.min_size;
                if drawn && shape.overlaps(query.area) {
                    visit(Region {
                        id: region + entry,
                        shape: Shape::Rect(shape),
                        depth: depth as u16,
                        load: layer.starts[entry as usize + 1] - layer.starts[entry as usize],
                        capacity: 0,
                        role: Role::Cell,
                        parent: None,
                    });
                }
            });
        }
    }

    /// The runs of each row as lines, and for the cursor the runs that a unit in its cell is tested with.
    pub(super) fn draw_marks(&self, query: MarkQuery, visit: &mut dyn FnMut(Mark<'_>)) {
        let mut lines = 0;
        for (_, layer) in self.occupied_layers() {
            if layer.cell_size < query.min_size {
                continue;
            }
            for row in layer.rows_touching(query.area.min.y, query.area.max.y) {
                let index = i64::from(layer.rows[row].index);
                let y = layer.cell_box(0, index).center().y;
                for stretch in &layer.stretches[layer.stretches_of(row)] {
                    let ends = [stretch.first, stretch.last]
                        .map(|column| layer.cell_box(i64::from(column), index).center().x);
                    if ends[0] <= query.area.max.x
                        && query.area.min.x <= ends[1]
                        && lines < LINE_LIMIT
                    {
                        lines += 1;
                        visit(Mark {
                            role: MarkRole::Guide,
                            shape: Shape::Line(Vec2::new(ends[0], y), Vec2::new(ends[1], y)),
                            label: "".into(),
                        });
                    }
                }
            }
        }
        if let (Some(cursor), Some((_, layer))) = (query.cursor, self.occupied_layers().next()) {
            explain(layer, cursor, query, visit);
        }
    }

    pub(super) fn say_facts(&self, region: RegionId, say: &mut dyn FnMut(Fact)) {
        let found = self
            .occupied_layers()
            .enumerate()
            .take_while(|(_, (first, _))| *first <= region)
            .last();
        let Some((class, (first, layer))) = found else {
            return;
        };
        let entry = region - first;
        let Some((row, stretch)) = layer.cell_at(entry) else {
            return;
        };
        let units =
            layer.starts[entry as usize] as usize..layer.starts[entry as usize + 1] as usize;
        say(Fact::new(
            "column, row",
            format!("{}, {}", stretch.column(entry), layer.rows[row].index),
            "",
        ));
        if !layer.bodies.right.is_empty() {
            say(Fact::new("size class", class, ""));
        }
        say(Fact::new("units", units.len(), ""));
        if !units.is_empty() {
            say(Fact::new(
                "places in the array",
                format!("{} to {}", units.start, units.end - 1),
                "",
            ));
            let ids = &layer.bodies.ids[units];
            let mut names: Vec<_> = ids.iter().take(NAMED_UNITS).map(u32::to_string).collect();
            if ids.len() > NAMED_UNITS {
                names.push("…".to_owned());
            }
            say(Fact::new("run", names.join(", "), ""));
        }
    }

    pub(super) fn say_quality(&self, say: &mut dyn FnMut(Fact)) {
        let (mut occupied, mut largest, mut entries) = (0_u64, 0, 0_u64);
        for (_, layer) in self.occupied_layers() {
            for stretch in &layer.stretches {
                let run = stretch.run(stretch.first, stretch.last);
                let starts = &layer.starts[run.begin as usize..=run.end as usize];
                entries += starts.len() as u64 - 1;
                for pair in starts.windows(2) {
                    occupied += u64::from(pair[0] < pair[1]);
                    largest = largest.max(pair[1] - pair[0]);
                }
            }
        }
        let sum = |of: fn(&Layer) -> usize| -> usize {
            self.occupied_layers().map(|(_, layer)| of(layer)).sum()
        };
        let count = self.len();
        say(Fact::new(
            "cell size",
            format!("{:.2}", self.cell_size.value()),
            "m",
        ));
        let is_other =
            |(_, layer): (RegionId, &Layer)| f64::from(layer.cell_size) != self.cell_size.value();
        if self.classes.is_some() && self.occupied_layers().any(is_other) {
            let hundredths = |size: f32| (f64::from(size) * 100.0).round() / 100.0;
            let sizes = self
                .occupied_layers()
                .map(|(_, it)| hundredths(it.cell_size));
            let cells: Vec<String> = sizes.map(|size| size.to_string()).collect();
            say(Fact::new(Fact::CELLS, cells.join(" and "), "m"));
        }
        say(Fact::new(
            "occupied rows",
            sum(|it| {
                let rows = it.listed_rows().iter();
                rows.filter(|row| row.first_unit < row.end).count()
            }),
            "",
        ));
        say(Fact::new("stretches", sum(|it| it.stretches.len()), ""));
        say(Fact::new("occupied cells", occupied, ""));
        say(Fact::new("empty cells kept", entries - occupied, ""));
        say(Fact::new(
            "mean load",
            format!("{:.1}", count as f64 / occupied.max(1) as f64),
            "units",
        ));
        say(Fact::new("greatest load", largest, "units"));
        for (_, layer) in self.occupied_layers() {
            if !layer.bodies.right.is_empty() {
                say(Fact::new(
                    "size class",
                    format!(
                        "{} units in cells of {:.2} m, queries grow by {:.2} m",
                        layer.len(),
                        layer.cell_size,
                        layer.half_extent.max_element()
                    ),
                    "",
                ));
            }
        }
    }
}

/// The cell under the cursor and the runs around it: those to the right and above are visited, those to the left and below
/// have already visited it. A run of three cells is one box, for it is read in one go.
fn explain(layer: &Layer, cursor: Vec2, query: MarkQuery, visit: &mut dyn FnMut(Mark<'_>)) {
    let (column, row) = (
        i64::from(layer.number(cursor.x)),
        i64::from(layer.number(cursor.y)),
    );
    let run = |first: i64, last: i64, row: i64| {
        layer.cell_box(first, row).join(layer.cell_box(last, row))
    };
    let rings = i64::from(query.rings(
        layer.cell_size,
        layer.half_extent.max_element() + layer.drift,
    ));
    let (left, right) = (column - rings, column + rings);
    let below = (row - rings..row).map(|row| (MarkRole::Skipped, run(left, right, row), ""));
    let above = (row + 1..=row + rings).map(|other| {
        let words = match other - row {
            1 => "one run of the row above",
            _ => "and of this one",
        };
        (MarkRole::Scanned, run(left, right, other), words)
    });
    let own = [
        (MarkRole::Skipped, run(left, column - 1, row), ""),
        (
            MarkRole::Scanned,
            run(column + 1, right, row),
            "rest of the run",
        ),
    ];
    let home = (MarkRole::Home, run(column, column, row), "home");
    let all = below.chain(own).chain(above).chain([home]);
    for (role, shape, label) in all {
        if shape.overlaps(query.area) && shape.size().max_element() >= query.min_size {
            visit(Mark {
                role,
                shape: Shape::Rect(shape),
                label: label.into(),
            });
        }
    }
}

impl Layer {
    /// Calls `visit` with row, column and table entry of each occupied cell whose nominal box touches `area`, or nearly.
    fn for_cells(&self, area: Aabb, mut visit: impl FnMut(usize, i32, u32)) {
        // A border belongs to the cell above it, and rounding may draw it a little off: one cell more on each side.
        let (first, last) = (
            self.number(area.min.x).saturating_sub(1),
            self.number(area.max.x).saturating_add(1),
        );
        let (low, high) = (
            self.number(area.min.y).saturating_sub(1),
            self.number(area.max.y).saturating_add(1),
        );
        let begin = self.listed_rows().partition_point(|row| row.index < low);
        for row in begin..self.listed_rows().len() {
            if self.rows[row].index > high {
                return;
            }
            for stretch in &self.stretches[self.stretches_of(row)] {
                if stretch.last < first || last < stretch.first {
                    continue;
                }
                let run = stretch.run(first, last);
                for entry in run.begin..run.end {
                    if self.starts[entry as usize] < self.starts[entry as usize + 1] {
                        visit(row, stretch.column(entry), entry);
                    }
                }
            }
        }
    }
}
