//! Whether the grid is in order.

use super::SortedGrid;
use super::layer::{Layer, Stretch};
use crate::geometry::Aabb;
use crate::partition::toolkit::roll::Roll;
use crate::partition::toolkit::simd::PADDING;
use crate::partition::{Bodies, RegionId, Violation};

impl SortedGrid {
    pub(super) fn check(&self, bodies: Bodies<'_>) -> Result<(), Violation> {
        let mut roll = Roll::new(bodies);
        for (region, layer) in self.occupied_layers() {
            layer.check_tables(region)?;
            layer.check_units(bodies, region, &mut roll)?;
        }
        self.check_books(bodies)?;
        roll.close(self.len())
    }

    /// The class of each unit is the one to which it belongs, and so is its cell, as far as cells are written down.
    fn check_books(&self, bodies: Bodies<'_>) -> Result<(), Violation> {
        for unit in bodies.ids() {
            let (row, half_extent) = (unit as usize, bodies.half_extent(unit));
            let class = self.class_of(half_extent.max_element());
            let booked = self.classes.as_ref().map(|classes| classes.get(row));
            Violation::unless(
                booked.is_none_or(|booked| booked == Some(&class)),
                None,
                || format!("unit {unit} in class {class}"),
                || format!("{booked:?}"),
            )?;
            let class = booked.map_or(0, |_| usize::from(class));
            let layer = self.layers.get(class).filter(|layer| layer.is_loose);
            let homes = layer.map(|layer| layer.homes(bodies.center(unit)));
            let filed = self.homes.get(row).copied();
            Violation::unless(
                homes.is_none_or(|homes| filed.is_some_and(|filed| filed.is_in(homes))),
                None,
                || format!("unit {unit} filed in {homes:?}"),
                || format!("{filed:?}"),
            )?;
        }
        Ok(())
    }
}

impl Layer {
    /// Rows and columns rise, and the tables count every place once.
    fn check_tables(&self, region: RegionId) -> Result<(), Violation> {
        let columns = &self.bodies;
        let (length, upper) = (columns.ids.len(), columns.right.len());
        Violation::unless(
            columns.left.len() == length
                && columns.bottom.len() == length
                && columns.top.len() == upper
                && (upper == 0 || upper == length),
            region,
            || format!("columns of {length} places"),
            || {
                let (left, bottom, top) = (&columns.left, &columns.bottom, &columns.top);
                format!("{}, {}, {upper}, {}", left.len(), bottom.len(), top.len())
            },
        )?;
        let first_stretch = self.rows.first().map(|row| row.first_stretch as usize);
        let last_stretch = self.rows.last().map(|row| row.first_stretch as usize);
        Violation::unless(
            first_stretch == Some(0)
                && last_stretch == Some(self.stretches.len())
                && self
                    .rows
                    .is_sorted_by(|a, b| a.index < b.index && a.first_stretch < b.first_stretch),
            region,
            || format!("rows that rise, with {} stretches", self.stretches.len()),
            || format!("{:?}", self.rows),
        )?;
        let (mut end, mut entry, mut count) = (0, 0, 0);
        // Behind the entries of rows that are whole, and of those that are cut.
        let mut ends = [0, 0];
        for (row, here) in self.listed_rows().iter().enumerate() {
            let units = self.units_of(row);
            // As it is built a row begins where the one before ends, and nobody needs room.
            // Some may have fallen since then.
            let is_kept = here.first_unit < here.end || self.drift > 0.0;
            let is_tight = units.start == end && is_kept && here.end == here.room;
            Violation::unless(
                here.end <= here.room
                    && here.room as usize + PADDING <= length
                    && (self.is_loose || is_tight),
                region + entry,
                || format!("row {} with room behind place {end}", here.index),
                || format!("{here:?} of {length} places"),
            )?;
            end = units.end;
            let mut before = None;
            let mut place = units.start;
            let stretches = &self.stretches[self.stretches_of(row)];
            let is_cut = usize::from(stretches.len() > 1);
            for stretch in stretches {
                let width = u64::from(stretch.last.abs_diff(stretch.first)) + 1;
                Violation::unless(
                    before < Some(stretch.first)
                        && stretch.first <= stretch.last
                        && (self.is_loose || stretch.offset >= ends[is_cut])
                        && u64::from(stretch.offset) + width < self.starts.len() as u64,
                    region + entry,
                    || format!("a stretch behind column {before:?} with entries from {ends:?} on"),
                    || format!("{stretch:?} with {} entries in all", self.starts.len()),
                )?;
                before = Some(stretch.last);
                // A block that is laid at once has entries for its empty cells, too.
                entry = stretch.offset;
                for cell in entry..=entry + width as u32 {
                    let start = self.starts[cell as usize] as usize;
                    Violation::unless(
                        cell > entry || start == place,
                        region + cell,
                        || format!("a start at {place}"),
                        || start.to_string(),
                    )?;
                    place = start;
                }
                entry += width as u32 + 1;
                ends[is_cut] = entry;
            }
            count += units.len();
            let bounds = units.fold(Aabb::EMPTY, |sum, place| sum.join(self.body_at(place)));
            let is_bounded = if self.is_loose {
                here.low <= bounds.min.y && bounds.max.y <= here.high
            } else {
                (here.low, here.high) == (bounds.min.y, bounds.max.y)
            };
            Violation::unless(
                is_bounded && place == end,
                region + entry - 1,
                || {
                    format!(
                        "row {} from {} to {}, until place {end}",
                        here.index, bounds.min.y, bounds.max.y
                    )
                },
                || format!("{} to {}, until place {place}", here.low, here.high),
            )?;
        }
        Violation::unless(
            count == self.len(),
            None,
            || format!("{} places", self.len()),
            || format!("{count} places"),
        )?;
        self.check_rooms(region)
    }

    /// No two rows have a place in common, no two stretches an entry.
    fn check_rooms(&self, region: RegionId) -> Result<(), Violation> {
        let rows = self.listed_rows().iter();
        let mut rooms: Vec<_> = rows.map(|row| (row.first_unit, row.room)).collect();
        let stretches = self.stretches.iter();
        let end = |stretch: &Stretch| stretch.offset + stretch.last.abs_diff(stretch.first) + 2;
        let mut tables: Vec<_> = stretches.map(|it| (it.offset, end(it))).collect();
        for ranges in [&mut rooms, &mut tables] {
            ranges.sort_unstable();
            for pair in ranges.windows(2) {
                Violation::unless(
                    pair[0].1 <= pair[1].0,
                    region,
                    || format!("a range from {} on", pair[0].1),
                    || format!("one from {} to {}", pair[1].0, pair[1].1),
                )?;
            }
        }
        Ok(())
    }

    /// Every unit is where it belongs, once, and its copy is true.
    fn check_units(
        &self,
        bodies: Bodies<'_>,
        region: RegionId,
        roll: &mut Roll<'_>,
    ) -> Result<(), Violation> {
        for (row, here) in self.listed_rows().iter().enumerate() {
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
                        let (homes, filed) =
                            (self.homes(center), (stretch.column(entry), here.index));
                        Violation::unless(
                            homes.distance(filed) == 0 && self.extent.distance(filed) == 0,
                            cell,
                            || format!("unit {unit} in columns and rows {homes:?}"),
                            || format!("{filed:?} in {:?}", self.extent),
                        )?;
                    }
                }
            }
        }
        Ok(())
    }
}
