//! Whether the grid is in order.

use super::blocks::{Blocks, bits};
use super::{HierarchicalGrid, LEVEL_LIMIT, Level, NONE, UNLINKED};
use crate::partition::toolkit::roll::Roll;
use crate::partition::{Bodies, RegionId, UnitId, Violation};

impl HierarchicalGrid {
    pub(super) fn check(&self, bodies: Bodies<'_>) -> Result<(), Violation> {
        let count = bodies.count();
        Violation::unless(
            self.count as usize == count,
            None,
            || format!("{count} units"),
            || format!("{} units", self.count),
        )?;
        self.check_blocks()?;
        let (mut roll, mut on_level) = (Roll::new(bodies), [0_u32; LEVEL_LIMIT]);
        for (index, block) in self.blocks.all().iter().enumerate() {
            for bit in bits(block.mask) {
                let cell = Blocks::id(index as u32, bit);
                let mut previous = NONE;
                let mut next = self.blocks.head(index as u32, bit);
                for (unit, link) in self.chain(next) {
                    // A cell whose list is a ring meets somebody again.
                    roll.meet(unit, cell)?;
                    on_level[block.level as usize] += 1;
                    Violation::unless(
                        link.previous == previous,
                        cell,
                        || format!("unit {previous} before unit {unit}"),
                        || format!("unit {}", link.previous),
                    )?;
                    self.check_unit(bodies, cell, unit)?;
                    (previous, next) = (unit, link.next);
                }
                Violation::unless(
                    previous != NONE && next == NONE,
                    cell,
                    || "somebody where the mask says so, and nobody behind the last".to_owned(),
                    || format!("unit {next} behind unit {previous}"),
                )?;
            }
        }
        self.check_levels(on_level)?;
        let used = self.links.iter();
        let used = used.filter(|link| link.previous != UNLINKED).count();
        roll.close(used)
    }

    /// Every block in use is found by its place, and nothing else is.
    fn check_blocks(&self) -> Result<(), Violation> {
        let mut used = 0;
        for (index, block) in self.blocks.all().iter().enumerate() {
            if block.mask != 0 {
                used += 1;
                Violation::unless(
                    self.blocks.knows(index as u32),
                    Blocks::id(index as u32, 0),
                    || format!("{block:?} in the table and in the list of its level"),
                    || "it in at most one of them".to_owned(),
                )?;
            }
        }
        let listed: usize = (0..LEVEL_LIMIT as u32)
            .map(|level| self.blocks.of_level(level).len())
            .sum();
        Violation::unless(
            used + self.blocks.idle() == self.blocks.all().len()
                && used == self.blocks.used()
                && used == listed
                && used == self.blocks.named(),
            None,
            || format!("{used} blocks in use, the others free"),
            || {
                let (table, idle) = (self.blocks.named(), self.blocks.idle());
                format!("{listed} in the lists, {table} in the table, {idle} free")
            },
        )
    }

    /// The copy of a unit is true, and it is in the cell where it belongs.
    fn check_unit(
        &self,
        bodies: Bodies<'_>,
        cell: RegionId,
        unit: UnitId,
    ) -> Result<(), Violation> {
        let link = &self.links[unit as usize];
        let (position, half_extent) = (bodies.center(unit), bodies.half_extent(unit));
        Violation::unless(
            link.position == position && self.half_extent(unit) == half_extent,
            cell,
            || format!("unit {unit} at {:?}", bodies.aabb(unit)),
            || format!("a copy at {:?}", self.body(unit, link)),
        )?;
        let (block, bit) = (cell / super::BLOCK_CELLS, cell % super::BLOCK_CELLS);
        let (home, here) = (
            self.home_of(position, half_extent),
            self.blocks.get(block).cell(bit),
        );
        Violation::unless(
            home == here,
            cell,
            || format!("unit {unit} in {home:?}"),
            || format!("{here:?}"),
        )?;
        let cells = self.one_cell(self.blocks.get(block), bit);
        let (area, level) = (self.cell_box(cells), self.levels[here.level as usize]);
        Violation::unless(
            area.contains(position) && half_extent.cmple(level.half_extent).all(),
            cell,
            || format!("unit {unit}'s centre in {area:?}, its size in {level:?}"),
            || format!("{position} and {half_extent}"),
        )
    }

    /// The levels count their units, and the mask says which have any.
    fn check_levels(&self, on_level: [u32; LEVEL_LIMIT]) -> Result<(), Violation> {
        for (number, (level, found)) in self.levels.iter().zip(on_level).enumerate() {
            let bit = self.occupied >> number & 1 == 1;
            Violation::unless(
                level.count == found && bit == (found > 0) && (bit || *level == Level::EMPTY),
                None,
                || format!("{found} units on level {number}"),
                || format!("{level:?} and a bit that says {bit}"),
            )?;
        }
        Violation::unless(
            self.occupied >> LEVEL_LIMIT == 0,
            None,
            || format!("bits of {LEVEL_LIMIT} levels"),
            || format!("{:b}", self.occupied),
        )
    }
}
