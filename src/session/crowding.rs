//! Whether a tick will find more pairs than anybody waits for, known before one is asked for.
//!
//! # Algorithm
//!
//! 1. So few units that all pairs of them are no more than [`MOST_PAIRS`] are not looked at.
//! 2. All others are counted in cells as wide as the reach and a mean body: `n` units in one are about `n` (`n` - 1) / 2 pairs.
//!
//! Invariant: who stands beside the border of a cell counts with nobody beyond it, so there are rather more pairs than it says, and nobody is
//! warned in vain. Its work is one sort of the units.

use crate::battle::Battle;
use crate::flight::Flight;
use crate::scene::Scene;
use crate::story::words::with_commas;
use std::fmt;

/// A tick with more pairs than these takes so long that it is said beforehand.
pub const MOST_PAIRS: u64 = 10_000_000_000;

/// A cell is no narrower than this, in metres: who is that close stands on one spot.
const LEAST_CELL: f64 = 1.0e-3;

/// Units that stand too dense for a tick that anybody waits for.
#[derive(Clone, Debug, PartialEq)]
pub struct Crowding {
    /// How many pairs a tick will find, or more.
    pub pairs: u64,
    /// How many units stand where most do,
    pub units: u64,
    /// and the middle of that place, in metres.
    pub at: Vec<f64>,
    /// How far pairs are looked for, in metres.
    pub reach: f32,
}

impl Crowding {
    /// Of a scene as it begins; `None` where they do not stand so dense.
    pub fn of_scene(scene: &Scene) -> Option<Self> {
        // Without anybody being placed.
        if pairs_among(scene.unit_count()) <= MOST_PAIRS {
            return None;
        }
        match &scene.volume {
            Some(_) => Self::of_flight(&Flight::new(scene)),
            None => Self::of_battle(&Battle::new(scene)),
        }
    }

    /// Of a battle as it stands.
    pub fn of_battle(battle: &Battle) -> Option<Self> {
        let bodies = battle.bodies();
        let units = || {
            let ids = bodies.ids();
            ids.map(|it| [bodies.center(it), bodies.half_extent(it)].map(|it| it.to_array()))
        };
        crowding(units, battle.pair_reach())
    }

    /// Of a flight as it stands.
    pub fn of_flight(flight: &Flight) -> Option<Self> {
        let bodies = flight.bodies();
        let units = || {
            let ids = bodies.ids();
            ids.map(|it| [bodies.center(it), bodies.half_extent(it)].map(|it| it.to_array()))
        };
        crowding(units, flight.pair_reach())
    }
}

impl fmt::Display for Crowding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at: Vec<String> = self.at.iter().map(|at| format!("{at:.0}")).collect();
        let (at, units, pairs) = (
            at.join(", "),
            with_commas(self.units),
            with_commas(self.pairs),
        );
        let [stand, right] = match self.reach > 0.0 {
            true => [
                format!("within one reach, {} m,", self.reach),
                "spread them, or give them a smaller reach".to_owned(),
            ],
            false => ["on one spot".to_owned(), "spread them".to_owned()],
        };
        write!(
            f,
            "a tick finds {pairs} pairs or more and takes long: {units} units stand {stand} around ({at}); {right}"
        )
    }
}

/// How many pairs so many units make.
fn pairs_among(units: u64) -> u64 {
    units * units.saturating_sub(1) / 2
}

/// Counts units, each a middle and half a size, where there are enough of them.
fn crowding<const N: usize, I: Iterator<Item = [[f32; N]; 2]>>(
    units: impl Fn() -> I,
    reach: f32,
) -> Option<Crowding> {
    let (mut count, mut widths) = (0_u64, 0.0);
    for [_, half] in units() {
        count += 1;
        let sum: f64 = half.iter().map(|half| 2.0 * f64::from(*half)).sum();
        widths += sum / N as f64;
    }
    if pairs_among(count) <= MOST_PAIRS {
        return None;
    }
    let side = (f64::from(reach) + widths / count as f64).max(LEAST_CELL);
    // What lies farther out than any cell has a number for is in the last one.
    let cell = |[center, _]: [[f32; N]; 2]| center.map(|at| (f64::from(at) / side).floor() as i64);
    let mut cells: Vec<[i64; N]> = units().map(cell).collect();
    cells.sort_unstable();
    let together = || cells.chunk_by(|one, other| one == other);
    let pairs = together().map(|cell| pairs_among(cell.len() as u64)).sum();
    let most = together().max_by_key(|cell| cell.len())?;
    let middle = |at: &i64| (*at as f64 + 0.5) * side;
    (pairs > MOST_PAIRS).then(|| Crowding {
        pairs,
        units: most.len() as u64,
        at: most[0].iter().map(middle).collect(),
        reach,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const MANY: u32 = 200_000;

    #[test]
    fn many_on_one_spot_are_said_with_how_many_where_and_what_would_be_right() {
        let units = || (0..MANY).map(|_| [[41.0_f32, 7.0], [0.0; 2]]);
        let found = crowding(units, 10.0).expect("they stand dense");
        assert_eq!((found.pairs, found.units), (19_999_900_000, 200_000));
        assert_eq!(
            found.to_string(),
            "a tick finds 19,999,900,000 pairs or more and takes long: 200,000 units stand within one reach, 10 m, around (45, 5); spread them, or give them a smaller reach"
        );
        let touching = crowding(units, 0.0).expect("they stand on one spot");
        assert!(
            touching
                .to_string()
                .ends_with(" around (41, 7); spread them")
        );
    }

    #[test]
    fn a_corner_of_space_counts_as_one_of_the_plane_does() {
        let units = || (0..MANY).map(|it| [[(it % 7) as f32, 1.0, 2.0], [0.5; 3]]);
        assert!(crowding(units, 10.0).is_some_and(|it| it.pairs > MOST_PAIRS && it.at.len() == 3));
    }

    #[test]
    fn few_and_those_who_stand_apart_are_no_crowd() {
        let few = || (0..1000).map(|_| [[0.0_f32; 2]; 2]);
        assert_eq!(crowding(few, 10.0), None);
        let apart = || (0..MANY).map(|it| [[(it % 500) as f32, (it / 500) as f32], [0.0; 2]]);
        assert_eq!(crowding(apart, 10.0), None);
        assert_eq!(crowding(std::iter::empty::<[[f32; 2]; 2]>, 10.0), None);
    }
}
