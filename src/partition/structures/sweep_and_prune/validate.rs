//! Whether strips and lists are in order.

use super::lists::Lists;
use super::strips::Strips;
use crate::geometry::{Aabb, Vec2};
use crate::partition::toolkit::roll::Roll;
use crate::partition::toolkit::turn::turned_box;
use crate::partition::{Bodies, Pair, RegionId, UnitId, Violation};

impl Strips {
    pub(super) fn check(&self, bodies: Bodies<'_>) -> Result<(), Violation> {
        let mut roll = Roll::new(bodies);
        let mut entry_count = 0;
        for (number, strip) in self.strips.iter().enumerate() {
            let region = number as RegionId;
            let mut members = strip.units().to_vec();
            members.sort_unstable();
            let alive = |unit: &UnitId| bodies.is_alive(*unit);
            Violation::unless(
                members.iter().all(alive) && members.is_sorted_by(|a, b| a < b),
                region,
                || "units that are alive, each once".to_owned(),
                || format!("{members:?}"),
            )?;
            let mut before = f32::NEG_INFINITY;
            for &unit in strip.units() {
                let left = turned_box(self.layout.axis, bodies.aabb(unit)).min.x;
                Violation::unless(
                    before <= left,
                    region,
                    || format!("unit {unit} not left of {before}"),
                    || left.to_string(),
                )?;
                let (believed, home) = (self.believed_home(unit), self.true_home(bodies, unit));
                Violation::unless(
                    believed == Some(home) && home.strips().contains(&number),
                    region,
                    || format!("unit {unit} in strip {number}"),
                    || format!("{believed:?} believed, {home:?} by the truth"),
                )?;
                if usize::from(home.first) == number {
                    roll.meet(unit, region)?;
                }
                before = left;
            }
            let anew = self.filled_anew(bodies, number);
            Violation::unless(
                *strip == anew,
                region,
                || format!("columns {anew:?}"),
                || format!("{strip:?}"),
            )?;
            entry_count += strip.len();
        }
        let (units, entries) = self.booked();
        Violation::unless(
            entries == entry_count && entry_count == self.entry_count(),
            None,
            || format!("{entries} entries of all strips"),
            || format!("{entry_count} found, {} in the books", self.entry_count()),
        )?;
        roll.close(units)
    }
}

impl Lists {
    pub(super) fn check(&self, bodies: Bodies<'_>) -> Result<(), Violation> {
        let count = bodies.count();
        let (mut widths, mut bounds) = (Vec2::ZERO, Aabb::EMPTY);
        let mut roll = Roll::new(bodies);
        let present = (0..).zip(&self.present).filter(|(_, present)| **present);
        for (unit, _) in present {
            roll.meet(unit, None)?;
            let copy = self.boxes.get(unit as usize).copied();
            let body = bodies.aabb(unit);
            bounds = bounds.join(body);
            widths = widths.max(body.max - body.grown(Vec2::splat(self.margin)).min);
            Violation::unless(
                copy == Some(body),
                None,
                || format!("unit {unit} at {body:?}"),
                || format!("{copy:?}"),
            )?;
        }
        roll.close(self.ends[0].len() / 2)?;
        Violation::unless(
            self.bounds == bounds && self.widths == widths,
            None,
            || format!("units within {bounds:?}, up to {widths} wide"),
            || format!("units within {:?}, up to {} wide", self.bounds, self.widths),
        )?;
        for (axis, list) in self.ends.iter().enumerate() {
            let region = axis as RegionId;
            // 0: not met yet, 1: begun, 2: ended.
            let mut state = vec![0_u8; bodies.slot_count()];
            for (place, end) in list.iter().enumerate() {
                let unit = end.unit();
                Violation::unless(
                    bodies.is_alive(unit) && state[unit as usize] == u8::from(!end.is_begin()),
                    region,
                    || "a beginning and then an end for each unit alive".to_owned(),
                    || format!("{end:?}"),
                )?;
                state[unit as usize] += 1;
                let value = self.value_of(axis, *end, bodies.aabb(unit));
                let in_order = place == 0 || !end.is_before(list[place - 1]);
                Violation::unless(
                    end.value == value && in_order,
                    region,
                    || format!("unit {unit} at {value}, in order"),
                    || format!("{end:?} at place {place}"),
                )?;
            }
            Violation::unless(
                list.len() == 2 * count,
                region,
                || format!("{count} beginnings and ends"),
                || format!("{} endpoints", list.len()),
            )?;
        }
        if self.keeps_overlaps {
            let mut pairs = self.overlaps.pairs().to_vec();
            pairs.sort_unstable();
            let is_known = |unit: UnitId| (unit as usize) < self.boxes.len();
            let overlaps =
                |pair: &&Pair| is_known(pair.0) && is_known(pair.1) && self.overlap(**pair);
            let stray = pairs.iter().find(|pair| !overlaps(pair));
            let expected = self.overlaps_anew();
            Violation::unless(
                stray.is_none()
                    && pairs.len() == expected
                    && pairs.is_sorted_by(|a, b| a < b)
                    && pairs.iter().all(|pair| self.overlaps.contains(*pair)),
                None,
                || format!("{expected} overlapping pairs, each once"),
                || format!("{} pairs, of them not overlapping {stray:?}", pairs.len()),
            )?;
        }
        Ok(())
    }
}
