//! Who is in an index: every unit alive, once, and nobody else, each with the box that it has.

use crate::partition::{RegionId, UnitId, Violation};
use crate::volume::{Aabb3, Bodies3};

/// The units that a check has met so far.
#[derive(Debug)]
pub struct Roll<'a> {
    bodies: Bodies3<'a>,
    /// Row of a unit → whether it was met.
    met: Vec<bool>,
    count: usize,
}

impl<'a> Roll<'a> {
    /// Nobody yet of these.
    pub fn new(bodies: Bodies3<'a>) -> Self {
        Self {
            bodies,
            met: vec![false; bodies.slot_count()],
            count: 0,
        }
    }

    /// Meets a unit in a region: it must be alive and not have been met before.
    pub fn meet(
        &mut self,
        unit: UnitId,
        region: impl Into<Option<RegionId>>,
    ) -> Result<(), Violation> {
        let is_new =
            self.bodies.is_alive(unit) && !std::mem::replace(&mut self.met[unit as usize], true);
        self.count += usize::from(is_new);
        Violation::unless(
            is_new,
            region,
            || "units that are alive, each once".to_owned(),
            || format!("unit {unit}"),
        )
    }

    /// Meets a unit of whose box the structure keeps a copy.
    pub fn meet_at(
        &mut self,
        unit: UnitId,
        copy: Aabb3,
        region: impl Into<Option<RegionId>> + Copy,
    ) -> Result<(), Violation> {
        self.meet(unit, region)?;
        let truth = self.bodies.aabb(unit);
        Violation::unless(
            copy == truth,
            region,
            || format!("unit {unit} at {truth:?}"),
            || format!("{copy:?}"),
        )
    }

    /// Everybody must have been met, and as many must be in the structure's own books.
    pub fn close(self, booked: usize) -> Result<(), Violation> {
        let count = self.bodies.count();
        Violation::unless(
            self.count == count && booked == count,
            None,
            || format!("{count} units"),
            || format!("{} met, {booked} in the books", self.count),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::volume::Vec3;

    #[test]
    fn each_unit_alive_is_met_once_where_it_is_and_nobody_else() {
        let bodies = Bodies3 {
            alive: &[true, false, true],
            ..Bodies3::points(&[Vec3::ZERO; 3])
        };
        let mut roll = Roll::new(bodies);
        assert!(roll.meet(0, None).is_ok());
        assert!(roll.meet(0, None).is_err(), "twice");
        assert!(roll.meet(1, None).is_err(), "not alive");
        assert!(roll.meet(7, None).is_err(), "no row");
        let elsewhere = Aabb3::point(Vec3::ONE);
        assert!(roll.meet_at(2, elsewhere, None).is_err(), "elsewhere");
        let mut roll = Roll::new(bodies);
        assert!(roll.meet_at(0, bodies.aabb(0), None).is_ok());
        assert!(roll.close(2).is_err(), "one is missing");
    }
}
