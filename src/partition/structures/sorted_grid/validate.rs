//! Whether the grid is in order.

use super::SortedGrid;
use super::layer::Layer;
use crate::geometry::Aabb;
use crate::partition::toolkit::roll::Roll;
use crate::partition::{Bodies, RegionId, Violation};

impl SortedGrid {
    pub(super) fn check(&self, bodies: Bodies<'_>) -> Result<(), Violation> {
        let mut roll = Roll::new(bodies);
        for (region, layer) in self.occupied_layers() {
            layer.check_tables(region)?;
            layer.check_units(bodies, region, &mut roll)?;
        }
        roll.close(self.len())
    }
}

impl Layer {
    /// Rows and columns rise, and the tables count every place once.
    fn check_tables(&self, region: RegionId) -> Result<(), Violation> {
        let (mut place, mut entry, mut stretches) = (0, 0, 0);
        for (row, here) in self.occupied_rows().iter().enumerate() {
            let next = &self.rows[row + 1];
            Violation::unless(
                here.index < next.index
                    && here.first_stretch as usize == stretches
                    && here.first_stretch < next.first_stretch
                    && here.first_unit as usize == place
                    && here.first_unit < next.first_unit,
                region + entry,
                || {
                    format!(
                        "row {} to begin at stretch {stretches}, unit {place}",
                        here.index
                    )
                },
                || format!("{here:?} before {next:?}"),
            )?;
            let mut before = None;
            for stretch in &self.stretches[self.stretches_of(row)] {
                let width = u64::from(stretch.last.abs_diff(stretch.first)) + 1;
                Violation::unless(
                    before < Some(stretch.first)
                        && stretch.first <= stretch.last
                        && stretch.offset >= entry
                        && u64::from(stretch.offset) + width < self.starts.len() as u64,
                    region + entry,
                    || format!("a stretch behind column {before:?} with entries from {entry} on"),
                    || format!("{stretch:?} with {} entries in all", self.starts.len()),
                )?;
                before = Some(stretch.last);
                // A block that is laid at once has entries for its empty cells, too.
                entry = stretch.offset;
                for cell in entry..=entry + width as u32 {
                    let start = self.starts[cell as usize] as usize;
                    Violation::unless(
                        place <= start && start <= self.len() && (cell > entry || start == place),
                        region + cell,
                        || format!("a start from {place} on"),
                        || start.to_string(),
                    )?;
                    place = start;
                }
                entry += width as u32 + 1;
            }
            stretches = next.first_stretch as usize;
            let bounds = self
                .units_of(row)
                .fold(Aabb::EMPTY, |sum, place| sum.join(self.body_at(place)));
            Violation::unless(
                (here.low, here.high) == (bounds.min.y, bounds.max.y),
                region + entry - 1,
                || {
                    format!(
                        "row {} from {} to {}",
                        here.index, bounds.min.y, bounds.max.y
                    )
                },
                || format!("{} to {}", here.low, here.high),
            )?;
        }
        Violation::unless(
            place == self.len() && entry as usize <= self.starts.len(),
            None,
            || format!("{} places, {} entries", self.len(), self.starts.len()),
            || format!("{place} places, {entry} entries"),
        )
    }

    /// Every unit is where it belongs, once, and its copy is true.
    fn check_units(
        &self,
        bodies: Bodies<'_>,
        region: RegionId,
        roll: &mut Roll<'_>,
    ) -> Result<(), Violation> {
        for (row, here) in self.occupied_rows().iter().enumerate() {
            for stretch in &self.stretches[self.stretches_of(row)] {
                let run = stretch.run(stretch.first, stretch.last);
                for entry in run.begin..run.end {
                    let places = self.starts[entry as usize] as usize
                        ..self.starts[entry as usize + 1] as usize;
                    for place in places {
                        let unit = self.bodies.ids[place];
                        let cell = region + entry;
                        roll.meet(unit, cell)?;
                        let (truth, copy) = (bodies.aabb(unit), self.body_at(place));
                        Violation::unless(
                            truth == copy && bodies.half_extent(unit).cmple(self.half_extent).all(),
                            cell,
                            || format!("unit {unit} at {truth:?}"),
                            || format!("{copy:?} in a layer of {}", self.half_extent),
                        )?;
                        let center = bodies.center(unit);
                        let home = (self.number(center.x), self.number(center.y));
                        Violation::unless(
                            home == (stretch.column(entry), here.index),
                            cell,
                            || format!("unit {unit} in column and row {home:?}"),
                            || format!("({}, {})", stretch.column(entry), here.index),
                        )?;
                    }
                }
            }
        }
        Ok(())
    }
}
