//! How far units stand from each other, as far as a few of them tell.

use crate::partition::{AnyPartition, Bodies, NearestQuery, Neighbor, UnitId};

/// How far units stand from each other, with the room for finding that out.
#[derive(Debug, Default)]
pub struct Spacing {
    neighbors: Vec<Neighbor>,
    apart: Vec<f32>,
}

impl Spacing {
    /// Of so many units it is looked up.
    const ASKED: usize = 256;
    /// Where a search looks at everybody, no more than so many are looked at in all ...
    const MOST_LOOKED_AT: usize = 2_000_000;
    /// ... and of fewer units than this it is not looked up at all.
    const LEAST_ASKED: usize = 3;

    /// How far units are from the nearest other one as a rule, in metres; infinity where nobody has another one. The nearest is the one whose
    /// box is nearest; how far that is goes from centre to centre. `None` where it would take long.
    pub fn find(&mut self, index: &AnyPartition, bodies: Bodies<'_>) -> Option<f32> {
        let rows = bodies.slot_count();
        let most = match index.kind().tests_every_pair() {
            true => Self::MOST_LOOKED_AT / rows.max(1),
            false => Self::ASKED,
        };
        if most < Self::LEAST_ASKED {
            return None;
        }
        self.apart.clear();
        let standing = everywhere(rows).filter(|unit| bodies.is_alive(*unit));
        for unit in standing.take(most.min(Self::ASKED)) {
            let from = bodies.center(unit);
            let query = NearestQuery {
                point: from,
                count: 1,
                within: f32::INFINITY,
            };
            let filter = &mut |other| other != unit;
            index.nearest(bodies, query, filter, &mut (), &mut self.neighbors);
            let nearest = self.neighbors.first();
            self.apart
                .extend(nearest.map(|it| bodies.center(it.unit).distance(from)));
        }
        self.apart.sort_unstable_by(f32::total_cmp);
        let middle = self.apart.get(self.apart.len() / 2);
        Some(middle.copied().unwrap_or(f32::INFINITY))
    }
}

/// Each of so many rows once, in an order in which the first few come from everywhere, and always the same ones: what is found of those
/// changes no faster than they do, and where few stand it goes on until it has met them.
fn everywhere(rows: usize) -> impl Iterator<Item = UnitId> {
    /// Steps of this part of a circle leave the most even gaps, the golden section.
    const PART: f64 = 0.618_034;
    let least = ((rows as f64 * PART) as usize).max(1);
    // A step without a common divisor meets every row.
    let step = (least..=least + rows).find(|step| common_divisor(*step, rows) == 1);
    let step = step.unwrap_or(1) as u64;
    (0..rows as u64).map(move |number| (number * step % rows as u64) as UnitId)
}

fn common_divisor(a: usize, b: usize) -> usize {
    if b == 0 { a } else { common_divisor(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::{Aabb, Vec2};
    use crate::partition::Kind;

    #[test]
    fn how_far_units_stand_apart_is_the_same_under_every_structure_and_of_one_alone_there_is_no_telling()
     {
        let ranks =
            (0..400).map(|unit| Vec2::new((unit % 20) as f32 * 5.0, (unit / 20) as f32 * 4.0));
        let centers: Vec<Vec2> = ranks.collect();
        let mut spacing = Spacing::default();
        for &kind in Kind::ALL {
            let mut find = |centers: &[Vec2]| {
                let bodies = Bodies::points(centers);
                let mut index = AnyPartition::new(kind, Aabb::new(Vec2::ZERO, Vec2::splat(100.0)));
                index.rebuild(bodies, &mut ());
                spacing.find(&index, bodies)
            };
            assert_eq!(find(&centers), Some(4.0), "{kind:?}");
            assert_eq!(find(&centers[..1]), Some(f32::INFINITY), "{kind:?}");
            assert_eq!(find(&[]), Some(f32::INFINITY), "{kind:?}");
        }
    }

    #[test]
    fn of_few_who_are_left_of_many_each_is_asked_how_far_the_nearest_stands() {
        // Ten of a thousand, the first of all, three metres from each other; none of the dead is near.
        let place = |row: usize| Vec2::new(row as f32 * 3.0, if row < 10 { 0.0 } else { 0.5 });
        let centers: Vec<Vec2> = (0..1_000).map(place).collect();
        let alive: Vec<bool> = (0..1_000).map(|row| row < 10).collect();
        let bodies = Bodies {
            alive: &alive,
            ..Bodies::points(&centers)
        };
        let mut spacing = Spacing::default();
        for &kind in Kind::ALL {
            let mut index = AnyPartition::new(kind, Aabb::new(Vec2::ZERO, Vec2::splat(100.0)));
            index.rebuild(bodies, &mut ());
            assert_eq!(spacing.find(&index, bodies), Some(3.0), "{kind:?}");
            assert_eq!(spacing.apart.len(), 10, "{kind:?}");
        }
    }

    #[test]
    fn rows_come_once_each_and_the_first_few_from_everywhere() {
        for rows in [0, 1, 2, 3, 10, 144, 1_000, 4_099] {
            let mut all: Vec<UnitId> = everywhere(rows).collect();
            all.sort_unstable();
            assert!(all.into_iter().eq(0..rows as UnitId), "{rows}");
        }
        let mut eighths = [0; 8];
        let rows = 1_000_000;
        let some = everywhere(rows).take(64);
        some.for_each(|row| eighths[row as usize * 8 / rows] += 1);
        assert!(
            eighths.iter().all(|count| (6..=10).contains(count)),
            "{eighths:?}"
        );
    }

    #[test]
    fn nobody_is_asked_by_looking_at_everybody_where_many_stand() {
        let centers = vec![Vec2::ZERO; 700_000];
        let bodies = Bodies::points(&centers);
        let field = Aabb::new(Vec2::ZERO, Vec2::splat(100.0));
        let mut kinds = Kind::ALL.iter().filter(|kind| kind.tests_every_pair());
        let plain = AnyPartition::new(*kinds.next().expect("all pairs"), field);
        assert_eq!(Spacing::default().find(&plain, bodies), None);
    }
}
