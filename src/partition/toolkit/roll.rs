//! Who is in an index: every unit alive, once, and nobody else.

use crate::partition::{Bodies, RegionId, UnitId, Violation};

/// The units that a check has met so far.
#[derive(Debug)]
pub struct Roll<'a> {
    bodies: Bodies<'a>,
    /// Row of a unit → whether it was met.
    met: Vec<bool>,
    count: usize,
}

impl<'a> Roll<'a> {
    /// Nobody yet of these.
    pub fn new(bodies: Bodies<'a>) -> Self {
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
    use crate::geometry::Vec2;

    #[test]
    fn each_unit_alive_is_met_once_and_nobody_else() {
        let bodies = Bodies {
            alive: &[true, false, true],
            ..Bodies::points(&[Vec2::ZERO; 3])
        };
        let mut roll = Roll::new(bodies);
        assert!(roll.meet(0, None).is_ok());
        assert!(roll.meet(0, None).is_err(), "twice");
        assert!(roll.meet(1, None).is_err(), "not alive");
        assert!(roll.meet(7, None).is_err(), "no row");
        assert!(roll.meet(2, None).is_ok());
        assert!(roll.close(2).is_ok());
        let mut roll = Roll::new(bodies);
        assert!(roll.meet(0, None).is_ok());
        assert!(roll.close(2).is_err(), "one is missing");
    }
}
