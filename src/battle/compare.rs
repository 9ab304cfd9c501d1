//! Two indices that are asked the same must answer alike. Where they do not, the first answer that differs is named.

use super::{Battle, Decision, NOBODY};
use crate::partition::{AnyPartition, Pair, UnitId};
use std::collections::HashSet;
use std::fmt;

/// Where the answers of two indices to the same questions part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Difference {
    /// A unit looked for the nearest enemy and was told of another one.
    Lookup {
        /// When.
        tick: u64,
        /// Who looked.
        unit: UnitId,
        /// Who is the nearest enemy.
        expected: Option<UnitId>,
        /// Who was named.
        found: Option<UnitId>,
    },
    /// A pair was found by one of them only, or twice.
    Pair {
        /// When.
        tick: u64,
        /// The pair.
        pair: Pair,
        /// What is wrong with it.
        fault: PairFault,
    },
}

/// What is wrong with a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PairFault {
    /// It is within reach and was not found.
    Missed,
    /// It was found and is not within reach.
    OutOfReach,
    /// It was found more than once.
    Twice,
}

impl Difference {
    /// When.
    pub fn tick(&self) -> u64 {
        match *self {
            Self::Lookup { tick, .. } | Self::Pair { tick, .. } => tick,
        }
    }

    /// A unit that it is about.
    pub fn unit(&self) -> Option<UnitId> {
        match *self {
            Self::Lookup { unit, .. } => Some(unit),
            Self::Pair { pair, .. } => Some(pair.0),
        }
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |unit: &Option<UnitId>| match unit {
            Some(unit) => format!("unit {unit}"),
            None => "nobody".to_owned(),
        };
        match self {
            Self::Lookup {
                tick,
                unit,
                expected,
                found,
            } => write!(
                out,
                "tick {tick}: unit {unit} should have found {}, and found {}",
                name(expected),
                name(found)
            ),
            Self::Pair {
                tick,
                pair: (a, b),
                fault,
            } => {
                let fault = match fault {
                    PairFault::Missed => "was missed",
                    PairFault::OutOfReach => "was found out of reach",
                    PairFault::Twice => "was found twice",
                };
                write!(out, "tick {tick}: the pair {a}, {b} {fault}")
            }
        }
    }
}

impl Battle {
    /// Compares what was decided under two indices at this very tick, both with [`Decision::compares`]. Where they differ, names
    /// the first unit that found another enemy, or else the first pair that only one of them found.
    pub fn compare(
        &self,
        (right, right_index): (&Decision, &AnyPartition),
        (other, other_index): (&Decision, &AnyPartition),
    ) -> Option<Difference> {
        let tick = self.tick;
        let targets = right.decided.targets.iter().zip(&other.decided.targets);
        let differs = targets.enumerate().find(|(_, (a, b))| a != b);
        if let Some((unit, (&expected, &found))) = differs {
            let someone = |unit| (unit != NOBODY).then_some(unit);
            return Some(Difference::Lookup {
                tick,
                unit: unit as UnitId,
                expected: someone(expected),
                found: someone(found),
            });
        }
        if (right.pairs, right.digest) == (other.pairs, other.digest) {
            return None;
        }
        let pairs_of = |index: &AnyPartition| {
            let mut all = Vec::new();
            let reach = self.pair_reach();
            index.pairs(self.bodies(), reach, &mut (), |batch| {
                all.extend_from_slice(batch)
            });
            all
        };
        first_fault(pairs_of(right_index), pairs_of(other_index))
            .map(|(pair, fault)| Difference::Pair { tick, pair, fault })
    }
}

/// The first pair with which something is wrong among those that were found, when these are to be found.
pub(crate) fn first_fault(
    mut expected: Vec<Pair>,
    mut found: Vec<Pair>,
) -> Option<(Pair, PairFault)> {
    expected.sort_unstable();
    found.sort_unstable();
    let known: HashSet<Pair> = expected.iter().copied().collect();
    let seen: HashSet<Pair> = found.iter().copied().collect();
    let twice = found
        .windows(2)
        .find(|two| two[0] == two[1])
        .map(|two| two[0]);
    let missed = expected.iter().copied().find(|pair| !seen.contains(pair));
    let wrong = found.iter().copied().find(|pair| !known.contains(pair));
    let first = [
        missed.map(|pair| (pair, PairFault::Missed)),
        wrong.map(|pair| (pair, PairFault::OutOfReach)),
        twice.map(|pair| (pair, PairFault::Twice)),
    ];
    first.into_iter().flatten().min_by_key(|(pair, _)| *pair)
}
