//! Every structure notices when it is not true to its units any more. The conformance suite believes what `validate` says of a
//! structure, so it has to be shown that `validate` can say something else than yes.

use rand::{Rng, SeedableRng};
use skirmish::geometry::{Aabb, Vec2};
use skirmish::partition::{AnyPartition, Bodies, Kind};

/// So many units that every tree has nodes: 28 times eleven, of which the sixth is dead.
const COUNT: usize = 308;

const SIDE: f32 = 120.0;

/// The columns of some units, and a structure that is in order for them.
#[derive(Clone)]
struct Columns {
    centers: Vec<Vec2>,
    half_extents: Vec<Vec2>,
    alive: Vec<bool>,
}

impl Columns {
    fn new(sized: bool) -> Self {
        let mut random = rand_pcg::Pcg64Mcg::seed_from_u64(19);
        let mut place = |greatest: f32| {
            Vec2::new(
                random.random_range(0.0..greatest),
                random.random_range(0.0..greatest),
            )
        };
        Self {
            centers: (0..COUNT).map(|_| place(SIDE)).collect(),
            half_extents: (0..COUNT).filter(|_| sized).map(|_| place(1.5)).collect(),
            alive: (0..COUNT).map(|row| row % 11 != 5).collect(),
        }
    }

    fn bodies(&self) -> Bodies<'_> {
        Bodies {
            centers: &self.centers,
            half_extents: &self.half_extents,
            alive: &self.alive,
        }
    }
}

/// Builds each structure over units, changes these behind its back, and asks whether it is in order.
fn untold(sized: bool, is_meant: impl Fn(Kind) -> bool, change: impl Fn(&mut Columns, usize)) {
    for &kind in Kind::ALL.iter().filter(|kind| is_meant(**kind)) {
        let columns = Columns::new(sized);
        let field = Aabb::new(Vec2::ZERO, Vec2::splat(SIDE));
        let mut index = AnyPartition::new(kind, field);
        index.rebuild(columns.bodies(), &mut ());
        index.validate(columns.bodies()).unwrap();
        for unit in (0..COUNT).filter(|unit| columns.alive[*unit]).step_by(17) {
            let mut changed = columns.clone();
            change(&mut changed, unit);
            let violation = index.validate(changed.bodies());
            let words = violation
                .expect_err(&format!(
                    "{kind:?} takes everything as right for unit {unit}"
                ))
                .to_string();
            assert!(!words.is_empty(), "{kind:?}");
        }
    }
}

/// All pairs knows who is there, and nothing of where.
fn knows_places(kind: Kind) -> bool {
    kind != Kind::AllPairs
}

#[test]
fn a_unit_that_went_to_the_other_side_is_missed() {
    for sized in [false, true] {
        untold(sized, knows_places, |columns, unit| {
            columns.centers[unit] = Vec2::splat(SIDE) - columns.centers[unit];
        });
    }
}

#[test]
fn a_unit_that_fell_is_noticed() {
    for sized in [false, true] {
        untold(sized, |_| true, |columns, unit| columns.alive[unit] = false);
    }
}

#[test]
fn a_unit_that_came_is_noticed() {
    for sized in [false, true] {
        untold(
            sized,
            |_| true,
            |columns, unit| columns.alive[unit / 11 * 11 + 5] = true,
        );
    }
}

#[test]
fn a_unit_that_grew_over_the_field_is_noticed() {
    untold(true, knows_places, |columns, unit| {
        columns.half_extents[unit] = Vec2::splat(SIDE);
    });
}

#[test]
fn a_unit_that_is_there_twice_is_noticed() {
    // Another unit takes a unit's place: what was there is missed, and what is there is one too many.
    untold(
        false,
        |_| true,
        |columns, unit| {
            columns.alive[unit] = false;
            columns.alive[unit / 11 * 11 + 5] = true;
            columns.centers[unit / 11 * 11 + 5] = columns.centers[unit];
        },
    );
}
