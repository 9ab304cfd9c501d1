//! Whether the grid is in order.

use super::{LinkedGrid, NONE, UNLINKED};
use crate::partition::toolkit::roll::Roll;
use crate::partition::{Bodies, UnitId, Violation};

impl LinkedGrid {
    pub(super) fn check(&self, bodies: Bodies<'_>) -> Result<(), Violation> {
        let count = bodies.count();
        Violation::unless(
            self.count as usize == count,
            None,
            || format!("{count} units"),
            || format!("{} units", self.count),
        )?;
        let (mut roll, mut linked) = (Roll::new(bodies), 0);
        for chain in 0..=self.oversize_chain() {
            let (mut previous, mut next) = (NONE, self.heads[chain as usize]);
            let in_chain = linked;
            for (unit, link) in self.chain(chain) {
                linked += 1;
                // A chain that is a ring meets somebody again.
                roll.meet(unit, chain)?;
                self.check_unit(chain, unit, previous)?;
                Violation::unless(
                    link.position == bodies.center(unit)
                        && self.half_extent(unit) == bodies.half_extent(unit),
                    chain,
                    || format!("unit {unit} at {:?}", bodies.aabb(unit)),
                    || format!("a copy at {:?}", self.body(unit, link)),
                )?;
                (previous, next) = (unit, link.next);
            }
            Violation::unless(
                next == NONE,
                chain,
                || format!("nobody behind unit {previous}"),
                || format!("unit {next}"),
            )?;
            if chain == self.oversize_chain() {
                let found = linked - in_chain;
                Violation::unless(
                    found == self.oversize_count as usize,
                    chain,
                    || format!("{} oversize units", self.oversize_count),
                    || found.to_string(),
                )?;
            } else {
                let bit = self.occupied[chain as usize / 64] >> (chain % 64) & 1 == 1;
                Violation::unless(
                    bit == (linked > in_chain),
                    chain,
                    || format!("{} units", linked - in_chain),
                    || format!("a bit that says {bit}"),
                )?;
            }
        }
        let used = self
            .links
            .iter()
            .filter(|link| link.previous != UNLINKED)
            .count();
        roll.close(used)
    }

    fn check_unit(&self, chain: u32, unit: UnitId, previous: u32) -> Result<(), Violation> {
        let link = &self.links[unit as usize];
        Violation::unless(
            link.previous == previous,
            chain,
            || format!("unit {previous} before unit {unit}"),
            || format!("unit {}", link.previous),
        )?;
        let home = self.chain_of(link.position, self.half_extent(unit));
        Violation::unless(
            home == chain,
            chain,
            || format!("unit {unit} in cell {home}"),
            || format!("it in cell {chain}"),
        )?;
        if chain < self.oversize_chain() {
            let width = self.columns.count();
            let area = self.cell_box(chain % width, chain / width);
            Violation::unless(
                area.contains(link.position),
                chain,
                || format!("unit {unit} within {area:?}"),
                || format!("{}", link.position),
            )?;
        }
        Ok(())
    }
}
