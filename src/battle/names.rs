//! In which row each unit of a large battle begins.
//!
//! Who meets whom is asked of neighbours, and in what order units are mustered says nothing of where they stand: in a crowd that is larger
//! than the caches, two who meet lie far apart in memory, and a step mostly waits for it. So the units of each army get their rows strip by
//! strip across the field. They wander off in time, slowly, and an army that runs runs together.
//!
//! Invariant: a unit's name is its number in the order in which the armies are mustered. Chance, strikes and the fingerprint go by names,
//! so that a battle in which nobody charges is the same to the last bit in whichever rows it is fought. Who charges asks the index, where
//! of two foes who are as near the lower row comes first.

use crate::geometry::Vec2;
use crate::partition::UnitId;
use std::sync::Arc;

/// Fewer units than this lie in the caches in any order.
pub(super) const LEAST: usize = 1 << 17;
/// How high a strip is, in sides of the square that a unit has to itself.
const STRIP: f64 = 2.0;

/// The names of a battle's units by their rows. Whoever came later is named as its row is.
#[derive(Clone, Debug, Default)]
pub(super) struct Names(Option<Arc<Order>>);

/// Both ways between rows and names.
#[derive(Debug)]
struct Order {
    /// By row.
    names: Vec<UnitId>,
    /// By name.
    rows: Vec<UnitId>,
}

impl Names {
    /// Those of armies whose units have these homes: army by army, and of each strip by strip.
    pub(super) fn in_strips(armies: impl Iterator<Item = Vec<Vec2>>) -> Self {
        let mut names = Vec::new();
        for homes in armies {
            line_up(&homes, &mut names);
        }
        let mut rows = vec![0; names.len()];
        for (row, name) in (0..).zip(&names) {
            rows[*name as usize] = row;
        }
        Self(Some(Arc::new(Order { names, rows })))
    }

    /// Whether both are of the same units.
    pub(super) fn are(&self, others: &Self) -> bool {
        match (&self.0, &others.0) {
            (Some(these), Some(those)) => Arc::ptr_eq(these, those),
            (these, those) => these.is_none() && those.is_none(),
        }
    }

    /// The names by row, as far as they differ from those.
    #[inline]
    pub(super) fn column(&self) -> &[UnitId] {
        self.0.as_ref().map_or(&[], |order| &order.names)
    }

    /// What the unit in a row is called.
    #[inline]
    pub(super) fn of(&self, row: UnitId) -> UnitId {
        named(self.column(), row)
    }

    /// In which row the unit of this name is.
    #[inline]
    pub(super) fn row_of(&self, name: UnitId) -> UnitId {
        let rows = self.0.as_ref().map_or(&[][..], |order| &order.rows);
        named(rows, name)
    }
}

/// Names the units of an army, the first of which is called as many as there are `names`: strip by strip, and those behind whose homes are
/// infinite.
fn line_up(homes: &[Vec2], names: &mut Vec<UnitId>) {
    let none = (Vec2::INFINITY, Vec2::NEG_INFINITY);
    let settled = homes.iter().filter(|home| home.is_finite());
    let count = settled.clone().count().max(1);
    let (min, max) = settled.fold(none, |(min, max), home| (min.min(*home), max.max(*home)));
    let (width, height) = (f64::from(max.x - min.x), f64::from(max.y - min.y));
    let side = (width * height / count as f64).sqrt();
    // All in one strip where they stand side by side, and by what is no number.
    let strips = if side > 0.0 {
        1.0 / (STRIP * side)
    } else {
        0.0
    };
    let key_of = |home: &Vec2| {
        if !home.is_finite() {
            return u64::MAX;
        }
        let strip = (f64::from(home.y - min.y) * strips) as u32;
        // Not negative, so that the bits order as the numbers do.
        let along = (home.x - min.x).abs().to_bits();
        u64::from(strip) << 32 | u64::from(along)
    };
    let first = names.len() as UnitId;
    let mut keys: Vec<(u64, UnitId)> = homes.iter().map(key_of).zip(first..).collect();
    keys.sort_unstable();
    names.extend(keys.into_iter().map(|(_, name)| name));
}

/// The entry at a place of a column, or the place itself behind its end.
#[inline(always)]
pub(super) fn named(column: &[UnitId], place: UnitId) -> UnitId {
    column.get(place as usize).copied().unwrap_or(place)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names<const N: usize>(armies: [&[(f32, f32)]; N]) -> Vec<UnitId> {
        let homes = |army: &[(f32, f32)]| army.iter().copied().map(Vec2::from).collect();
        let names = Names::in_strips(armies.into_iter().map(homes));
        for row in 0..names.column().len() as UnitId {
            assert_eq!(names.row_of(names.of(row)), row);
        }
        let later = names.column().len() as UnitId;
        assert_eq!((names.of(later), names.row_of(later)), (later, later));
        names.column().to_vec()
    }

    #[test]
    fn armies_follow_each_other_and_their_strips_are_passed_from_left_to_right() {
        let army = [(9.0, 0.0), (0.0, 9.0), (1.0, 0.5), (8.0, 9.0), (5.0, 0.25)];
        assert_eq!(names([&army]), [2, 4, 0, 1, 3]);
        let others = [(3.0, 0.0), (2.0, 0.0)];
        assert_eq!(names([&army, &[], &others]), [2, 4, 0, 1, 3, 6, 5]);
    }

    #[test]
    fn units_on_one_spot_and_in_one_line_keep_their_order() {
        for spot in [(0.0, 0.0), (-3.5, -3.5)] {
            assert_eq!(names([&[spot; 4]]), [0, 1, 2, 3]);
        }
        assert_eq!(names([&[(0.0, 7.0), (1.0, 7.0), (2.0, 7.0)]]), [0, 1, 2]);
        assert!(names([]).is_empty());
    }

    #[test]
    fn whose_home_is_nowhere_comes_last() {
        let nowhere = (f32::INFINITY, f32::INFINITY);
        let army = [nowhere, (1.0, 1.0), nowhere, (0.0, 0.0)];
        assert_eq!(names([&army]), [3, 1, 0, 2]);
        assert_eq!(names([&[nowhere; 3]]), [0, 1, 2]);
    }
}
