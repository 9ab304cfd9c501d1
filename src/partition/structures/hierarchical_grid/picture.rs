//! What is drawn and said of the grid: cells level by level, the cells that a body looks at, facts, quality.

use super::blocks::{Blocks, Cells, bits};
use super::{BLOCK_CELLS, HierarchicalGrid};
use crate::geometry::{Aabb, Vec2};
use crate::partition::{
    Bodies, Fact, Mark, MarkQuery, MarkRole, NearestQuery, Region, RegionId, RegionQuery, Role,
    Shape,
};

/// How many units of a cell are named before the rest is only counted.
const NAMED_UNITS: usize = 12;

/// At most so many cells of a level are marked: a body that is far larger than the cells would fill the view with them.
const MARKED_CELLS: u64 = 400;

impl HierarchicalGrid {
    /// Gives the cells in which somebody is, the finest first; a region's depth is its level.
    pub(super) fn draw_regions(&self, query: RegionQuery, visit: &mut dyn FnMut(Region<'_>)) {
        for level in self.occupied_levels() {
            if self.cell_size(level) < query.min_size {
                continue;
            }
            // A border belongs to the cell above it, and rounding may draw it a little off: one cell more on each side.
            let cells = Cells {
                level,
                first: query
                    .area
                    .min
                    .to_array()
                    .map(|it| self.number(level, it).saturating_sub(1)),
                last: query
                    .area
                    .max
                    .to_array()
                    .map(|it| self.number(level, it).saturating_add(1)),
            };
            self.blocks.for_blocks(cells, |index, mask| {
                let block = self.blocks.get(index);
                for bit in bits(mask) {
                    let shape = self.nominal_box(self.one_cell(block, bit));
                    let drawn = shape.size().max_element() >= query.min_size;
                    if drawn && shape.overlaps(query.area) {
                        visit(Region {
                            id: Blocks::id(index, bit),
                            shape: Shape::Rect(shape),
                            depth: level as u16,
                            load: self.chain(self.blocks.head(index, bit)).count() as u32,
                            capacity: 0,
                            role: Role::Cell,
                            parent: None,
                        });
                    }
                }
            });
        }
    }

    /// What the body nearest to the cursor looks at: its own cell, the cells after it on its level, and on every coarser level
    /// the cells within its reach. Finer levels are not marked: who is on them looks for this body.
    pub(super) fn draw_marks(
        &self,
        bodies: Bodies<'_>,
        query: MarkQuery,
        visit: &mut dyn FnMut(Mark<'_>),
    ) {
        let Some(cursor) = query.cursor else {
            return;
        };
        let mut found = Vec::new();
        let nearest = NearestQuery {
            point: cursor,
            count: 1,
            within: f32::INFINITY,
        };
        self.find_nearest(nearest, |_| true, &mut (), &mut found);
        let Some(unit) = found.first().map(|neighbor| neighbor.unit) else {
            return;
        };
        let body = bodies.aabb(unit);
        let home = self.home_of(bodies.center(unit), bodies.half_extent(unit));
        // Of who is far away it would be a picture of somewhere else.
        let own = Cells {
            level: home.level,
            first: [home.column, home.row],
            last: [home.column, home.row],
        };
        let near = self.nominal_box(own);
        if !near.grown(near.size()).contains(cursor) {
            return;
        }
        let mut mark = |role, shape: Aabb, label: String| {
            if shape.overlaps(query.area) && shape.size().max_element() >= query.min_size {
                visit(Mark {
                    role,
                    shape: Shape::Rect(shape),
                    label: label.into(),
                });
            }
        };
        let looked = body.grown(Vec2::splat(query.reach));
        for level in self.occupied_levels().filter(|level| *level >= home.level) {
            let cells = self.cells_touching(level, looked);
            let side = |axis: usize| {
                (i64::from(cells.last[axis]) - i64::from(cells.first[axis]) + 1).max(0) as u64
            };
            if level > home.level {
                let label = format!("level {level}: larger bodies");
                mark(MarkRole::Guide, self.nominal_box(cells), label);
            }
            if side(0).saturating_mul(side(1)) > MARKED_CELLS {
                continue;
            }
            for row in cells.first[1]..=cells.last[1] {
                for column in cells.first[0]..=cells.last[0] {
                    let place = [column, row];
                    let (role, label) = match (row, column).cmp(&(home.row, home.column)) {
                        _ if level > home.level => (MarkRole::Scanned, String::new()),
                        std::cmp::Ordering::Less => (MarkRole::Skipped, String::new()),
                        std::cmp::Ordering::Equal => {
                            (MarkRole::Home, format!("home, level {level}"))
                        }
                        std::cmp::Ordering::Greater => (MarkRole::Scanned, String::new()),
                    };
                    let cell = Cells {
                        level,
                        first: place,
                        last: place,
                    };
                    mark(role, self.nominal_box(cell), label);
                }
            }
        }
        mark(MarkRole::Special, body, format!("unit {unit}"));
    }

    pub(super) fn say_facts(&self, region: RegionId, say: &mut dyn FnMut(Fact)) {
        let Some(head) = self.head_of(region) else {
            return;
        };
        let cell = self
            .blocks
            .get(region / BLOCK_CELLS)
            .cell(region % BLOCK_CELLS);
        say(Fact::new("level", cell.level, ""));
        say(Fact::new(
            "column, row",
            format!("{}, {}", cell.column, cell.row),
            "",
        ));
        let size = self.cell_size(cell.level);
        say(Fact::new("cell size", format!("{size:.2}"), "m"));
        let mut units = self.chain(head).map(|(unit, _)| unit.to_string());
        let mut names: Vec<_> = units.by_ref().take(NAMED_UNITS).collect();
        let more = units.count();
        say(Fact::new("units", names.len() + more, ""));
        if more > 0 {
            names.push("…".to_owned());
        }
        say(Fact::new("chain", names.join(" → "), ""));
    }

    pub(super) fn say_quality(&self, say: &mut dyn FnMut(Fact)) {
        let (mut occupied, mut largest) = ([0_u32; super::LEVEL_LIMIT], 0);
        for (index, block) in self.blocks.all().iter().enumerate() {
            occupied[block.level as usize] += block.mask.count_ones();
            for bit in bits(block.mask) {
                let load = self.chain(self.blocks.head(index as u32, bit)).count();
                largest = largest.max(load);
            }
        }
        let cells: u32 = occupied.iter().sum();
        let levels = self.occupied.count_ones();
        say(Fact::new(
            "finest cell",
            format!("{:.2}", self.cell_size.value()),
            "m",
        ));
        say(Fact::new("levels in use", levels, ""));
        say(Fact::new("occupied cells", cells, ""));
        say(Fact::new("blocks of 64 cells", self.blocks.used(), ""));
        say(Fact::new(
            "mean load",
            format!("{:.1}", f64::from(self.count) / f64::from(cells.max(1))),
            "units",
        ));
        say(Fact::new("greatest load", largest, "units"));
        for level in self.occupied_levels() {
            let here = self.levels[level as usize];
            // As much as a line of a panel holds.
            let words = format!(
                "{level}: {} in {} × {}",
                here.count,
                occupied[level as usize],
                self.cell_size(level),
            );
            say(Fact::new("units in cells", words, "m"));
        }
    }
}
