//! Which units, or objects of the world, an action is about, where they may be very many.

use crate::partition::UnitId;
use crate::scene::limits;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;

/// Units, or objects, by ascending number, each once. Written as ranges, `"0-36,40"`, so that an action on very many is short; copies share them.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Units(Arc<[UnitId]>);

impl Units {
    /// These units, in whatever order they are given.
    pub fn new(mut units: Vec<UnitId>) -> Self {
        if !units.is_sorted_by(|a, b| a < b) {
            units.sort_unstable();
            units.dedup();
        }
        Self(units.into())
    }

    /// The units, by ascending id.
    pub fn ids(&self) -> &[UnitId] {
        &self.0
    }
}

impl fmt::Display for Units {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let runs = self.0.chunk_by(|a, b| a + 1 == *b);
        for (place, run) in runs.enumerate() {
            let comma = if place == 0 { "" } else { "," };
            let (first, last) = (run[0], run[run.len() - 1]);
            if first == last {
                write!(out, "{comma}{first}")?;
            } else {
                write!(out, "{comma}{first}-{last}")?;
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Units {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "\"{self}\"")
    }
}

impl From<Units> for String {
    fn from(units: Units) -> Self {
        units.to_string()
    }
}

impl TryFrom<String> for Units {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let wrong = |found: &str| {
            let found: String = found.chars().take(40).collect();
            format!(
                "units and objects are named by ranges of numbers in ascending order, as in 0-36,40 (found {found})"
            )
        };
        let number = |text: &str| text.parse::<UnitId>().map_err(|_| wrong(text));
        let mut units: Vec<UnitId> = Vec::new();
        for run in text.split(',').filter(|_| !text.is_empty()) {
            let (first, last) = run.split_once('-').unwrap_or((run, run));
            let (first, last) = (number(first)?, number(last)?);
            if first > last || units.last().is_some_and(|before| *before >= first) {
                return Err(wrong(run));
            }
            // Before memory is taken for them.
            let count = units.len() as u64 + u64::from(last - first) + 1;
            if count > limits::MAX_UNITS.into() {
                return Err(format!(
                    "at most {} units or objects are meant at once (found {count})",
                    limits::MAX_UNITS
                ));
            }
            units.extend(first..=last);
        }
        Ok(Self(units.into()))
    }
}
