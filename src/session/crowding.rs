//! Whether a tick will find more pairs than anybody waits for, known before one is asked for.
//!
//! # Algorithm
//!
//! 1. So few units that all pairs of them are no more than [`MOST_PAIRS`] are not looked at.
//! 2. A cell is so narrow that any two in it are a pair: the reach by the root of the number of axes, and the width of the narrowest body;
//!    without either a cell is one point.
//! 3. Cells share a few counters. Where these would be no more than [`MOST_PAIRS`] though all of a counter were pairs, no cells are.
//! 4. Else units are sorted by their cells, and `n` of them in one are `n` (`n` - 1) / 2 pairs.
//!
//! Invariant: who stands beside the border of a cell counts with nobody beyond it, so there are at least as many pairs as it says, but for
//! how the last digit of a distance is rounded. Only where the counters reach that limit is there memory for every one, also where cells
//! do not then.

use crate::battle::Battle;
use crate::chance::mix;
use crate::flight::Flight;
use crate::story::words::with_commas;
use std::fmt;

/// A tick with more pairs than these takes so long that it is said beforehand.
pub const MOST_PAIRS: u64 = 10_000_000_000;

/// So many counters fit into a near cache, and of two million units that stand evenly there are about a hundred for each.
const COUNTERS: usize = 1 << 14;

/// Units that stand too dense for a tick that anybody waits for.
#[derive(Clone, Debug, PartialEq)]
pub struct Crowding {
    /// How many pairs a tick will find, or more.
    pub pairs: u64,
    /// How many units stand where most do,
    pub units: u64,
    /// and where one of them does, in metres.
    pub at: Vec<f32>,
    /// Why these are pairs.
    pub why: Why,
}

/// What makes pairs of those who stand together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Why {
    /// They stand on one spot: no shorter distance parts them.
    OneSpot,
    /// They reach so far, in metres.
    Reach(f32),
    /// They keep apart so far, in metres, whatever their reach.
    KeepApart(f32),
    /// Their bodies touch, and nobody reaches farther.
    Touch,
}

impl Crowding {
    /// Of a battle as it stands; `None` where they do not stand so dense.
    pub fn of_battle(battle: &Battle) -> Option<Self> {
        let bodies = battle.bodies();
        let units = || {
            let ids = bodies.ids();
            ids.map(|it| [bodies.center(it), bodies.half_extent(it)].map(|it| it.to_array()))
        };
        crowding(units, (battle.pair_reach(), battle.keep_apart()))
    }

    /// The same of a flight.
    pub fn of_flight(flight: &Flight) -> Option<Self> {
        let bodies = flight.bodies();
        let units = || {
            let ids = bodies.ids();
            ids.map(|it| [bodies.center(it), bodies.half_extent(it)].map(|it| it.to_array()))
        };
        // In space none keep apart whatever their reach.
        crowding(units, (flight.pair_reach(), 0.0))
    }
}

/// A warning, as it stands behind a name on a command line.
impl fmt::Display for Crowding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Zero has two signs.
        let whole = |at: &f32| format!("{}", at.round() + 0.0);
        let at: Vec<String> = self.at.iter().map(whole).collect();
        let (at, units, pairs) = (
            at.join(", "),
            with_commas(self.units),
            with_commas(self.pairs),
        );
        let [stand, right] = match self.why {
            Why::OneSpot => ["on one spot".to_owned(), "spread them".to_owned()],
            Why::Reach(reach) => [
                format!("within one reach, {reach} m,"),
                "spread them, or give them a smaller reach".to_owned(),
            ],
            Why::Touch => [
                "so that they touch".to_owned(),
                "spread them, or make them smaller".to_owned(),
            ],
            Why::KeepApart(apart) => [
                format!("within the {apart} m that all keep apart,"),
                "spread them, or have them keep apart less".to_owned(),
            ],
        };
        write!(
            f,
            "warning: a tick finds {pairs} pairs or more and takes long: {units} units stand {stand} around ({at}); {right}"
        )
    }
}

/// How many pairs so many units make.
fn pairs_among(units: u64) -> u64 {
    units * units.saturating_sub(1) / 2
}

/// Counts units, each a middle and half a size, where there are enough of them. Pairs are looked for as far as `reach`, which is no less than
/// they keep `apart`.
fn crowding<const N: usize, I: Iterator<Item = [[f32; N]; 2]>>(
    units: impl Fn() -> I,
    (reach, apart): (f32, f32),
) -> Option<Crowding> {
    let (mut count, mut narrowest) = (0, f32::INFINITY);
    for [_, half] in units() {
        count += 1;
        narrowest = half.into_iter().fold(narrowest, f32::min);
    }
    if pairs_among(count) <= MOST_PAIRS {
        return None;
    }
    let side = f64::from(reach) / (N as f64).sqrt() + 2.0 * f64::from(narrowest);
    // Zero has two signs.
    let along = |at: f32| match side > 0.0 {
        true => (f64::from(at) / side).floor() as i64,
        false => i64::from((at + 0.0).to_bits()),
    };
    let cell = |[center, _]: [[f32; N]; 2]| center.map(along);
    let mut counters = vec![0_u32; COUNTERS];
    for unit in units() {
        let place = cell(unit)
            .into_iter()
            .fold(0, |sum, at| mix(sum ^ at as u64));
        counters[place as usize % COUNTERS] += 1;
    }
    let most: u64 = counters.iter().map(|it| pairs_among(u64::from(*it))).sum();
    if most <= MOST_PAIRS {
        return None;
    }
    let mut cells: Vec<[i64; N]> = units().map(cell).collect();
    cells.sort_unstable();
    let together = || cells.chunk_by(|one, other| one == other);
    let pairs: u64 = together().map(|cell| pairs_among(cell.len() as u64)).sum();
    if pairs <= MOST_PAIRS {
        return None;
    }
    let most = together().max_by_key(|cell| cell.len())?;
    let mut there = units().filter(|unit| cell(*unit) == most[0]);
    let [at, _] = there.next()?;
    let why = match there.all(|[center, _]| center == at) {
        true => Why::OneSpot,
        false if reach <= 0.0 => Why::Touch,
        false if reach <= apart => Why::KeepApart(apart),
        false => Why::Reach(reach),
    };
    Some(Crowding {
        pairs,
        units: most.len() as u64,
        at: at.to_vec(),
        why,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::probe::Cancel;
    use crate::scene::file;
    use crate::session::{Action, Session};
    use std::path::Path;

    const MANY: u32 = 200_000;

    #[test]
    fn many_within_a_reach_are_said_with_how_many_where_and_what_would_be_right() {
        let units =
            |half| (0..MANY).map(move |it| [[42.0 + (it % 2) as f32 * 0.25, 7.0], [half; 2]]);
        let found = |half, reach, apart| {
            crowding(|| units(half), (reach, apart)).expect("they stand dense")
        };
        let reach = found(0.0, 10.0, 2.0);
        assert_eq!((reach.pairs, reach.units), (19_999_900_000, 200_000));
        assert_eq!(
            reach.to_string(),
            "warning: a tick finds 19,999,900,000 pairs or more and takes long: 200,000 units stand within one reach, 10 m, around (42, 7); spread them, or give them a smaller reach"
        );
        for (half, reach, end) in [
            // Nobody has a reach, and all keep 2 m apart.
            (
                0.0,
                2.0,
                " units stand within the 2 m that all keep apart, around (42, 7); spread them, or have them keep apart less",
            ),
            (
                1.0,
                0.0,
                " units stand so that they touch around (42, 7); spread them, or make them smaller",
            ),
        ] {
            let said = found(half, reach, reach).to_string();
            assert!(said.ends_with(end), "{said}");
        }
    }

    #[test]
    fn of_those_on_one_spot_it_is_said_that_no_distance_helps() {
        for reach in [0.0, 10.0] {
            let units = || (0..MANY).map(|_| [[-41.0_f32, 7.0], [0.0; 2]]);
            let found = crowding(units, (reach, 0.0)).expect("they stand dense");
            let said = found.to_string();
            let end = " units stand on one spot around (-41, 7); spread them";
            assert!(said.ends_with(end), "{said}");
        }
    }

    #[test]
    fn it_says_no_more_pairs_than_there_are() {
        // A giant for each of many points, and places that are farther apart than the reach.
        let half = |it: u32| if it.is_multiple_of(2) { 50.0 } else { 0.0 };
        let far = || (0..MANY).map(|it| [[(it % 2) as f32 * 9.0, 0.0], [half(it / 2); 2]]);
        let found = crowding(far, (8.0, 0.0));
        assert_eq!(found, None, "each half of them has about half as many");
        // The corners of a cell are no farther apart than the reach.
        for side in [0.5, 0.7, 0.71, 1.0] {
            let corners = || {
                (0..MANY).map(move |it| {
                    [
                        [side * (it % 2) as f32, side * (it / 2 % 2) as f32],
                        [0.0; 2],
                    ]
                })
            };
            let found = crowding(corners, (1.0, 0.0));
            assert_eq!(found.is_some(), side < 0.5_f32.sqrt(), "{side}");
        }
        // Who has no reach is paired with nobody who is beside him, however near.
        let near = || (0..MANY).map(|it| [[1.0e-7 * (it % 4) as f32, 0.0], [0.0; 2]]);
        assert_eq!(crowding(near, (0.0, 0.0)), None);
    }

    #[test]
    fn a_corner_of_space_counts_as_one_of_the_plane_does() {
        let units = || (0..MANY).map(|it| [[(it % 7) as f32, 1.0, 2.0], [0.5; 3]]);
        let found = crowding(units, (20.0, 0.0));
        assert!(found.is_some_and(|it| it.pairs > MOST_PAIRS && it.at.len() == 3));
    }

    #[test]
    fn few_and_those_who_stand_apart_are_no_crowd() {
        let reach = (10.0, 0.0);
        let few = || (0..1000).map(|_| [[0.0_f32; 2]; 2]);
        assert_eq!(crowding(few, reach), None);
        let apart = || (0..MANY).map(|it| [[(it % 500) as f32, (it / 500) as f32], [0.0; 2]]);
        assert_eq!(crowding(apart, reach), None);
        assert_eq!(crowding(std::iter::empty::<[[f32; 2]; 2]>, reach), None);
    }

    #[test]
    fn a_session_is_asked_on_the_plane_and_in_space_and_again_when_other_armies_begin() {
        for name in ["scenes/one-spot.ron", "scenes/volume-one-spot.ron"] {
            let mut scene = file::read(Path::new(name)).expect("a scene that ships");
            assert_eq!(
                Session::new(scene.clone(), Path::new("")).0.crowding(),
                None
            );
            scene.scale_units(150_000);
            let (mut session, complaint) = Session::new(scene, Path::new(""));
            assert_eq!(complaint, None);
            let found = session.crowding().expect("they stand dense");
            assert_eq!((found.units, found.why), (150_000, Why::OneSpot), "{name}");
            let mut armies = session.armies();
            for (action, is_dense) in [(Action::Units(1_000), false), (Action::Undo, true)] {
                let done = session.apply(action, false, &Cancel::default());
                done.expect("it can be done");
                assert_eq!(session.crowding().is_some(), is_dense, "{name}");
                assert_ne!(session.armies(), armies);
                armies = session.armies();
            }
        }
    }
}
