//! A pin: what one moment cost, kept beside the present to compare with.

use super::followed::AnyIndex;
use super::lane::Lane;
use super::ledger::Times;
use super::{Refusal, Session};
use crate::scene::StructureChoice;
use crate::structure::{AnyKind, StructureKind};
use serde::{Deserialize, Serialize};

/// The most moments that are pinned at a time.
pub const PIN_LIMIT: usize = 8;

/// What one moment cost under one structure.
#[derive(Clone, Debug, PartialEq)]
pub struct Pin {
    /// The tick since the beginning.
    pub tick: u64,
    /// Its fingerprint when it was reached, or the last one before it: another one at that tick is another future.
    pub hash: u64,
    /// How many units stood.
    pub units: u64,
    /// The structure and its knobs.
    pub choice: StructureChoice<StructureKind>,
    /// Units and pairs compared by the queries.
    pub tests: u64,
    /// Regions entered by them.
    pub visits: u64,
    /// Pairs found.
    pub pairs: u64,
    /// The bytes that the index took.
    pub bytes: u64,
    /// Whether it was measured on a tick that stands: its upkeep is then its build.
    pub at_rest: bool,
    /// Microseconds of upkeep; `None` where nobody had a clock.
    pub update_us: Option<f32>,
    /// Microseconds of queries.
    pub query_us: Option<f32>,
}

impl Pin {
    /// The present moment of a lane.
    pub(super) fn of<I: AnyIndex>(
        (tick, hash): (u64, u64),
        units: u64,
        lane: &Lane<I>,
        times: Times,
    ) -> Self {
        let known = |time: f32| time.is_finite().then_some(time);
        Self {
            tick,
            hash,
            units,
            choice: lane.choice().of_either(),
            tests: lane.cost.query.tests,
            visits: lane.cost.query.visits,
            pairs: lane.cost.pairs,
            bytes: lane.byte_count() as u64,
            at_rest: lane.cost.at_rest,
            update_us: known(times.update_us),
            query_us: known(times.query_us),
        }
    }
}

impl Session {
    /// Moments that somebody wants to compare with.
    pub fn pins(&self) -> &[Pin] {
        &self.pins
    }

    /// Pins the present moment as it stands under a lane, with how long its tick took.
    pub fn pin(&mut self, lane: usize, times: Times) -> Result<(), Refusal> {
        let count = self.lane_count();
        if lane >= count {
            return Err(Refusal::because(format_args!(
                "there is no lane {lane}; the lanes are 0 to {}",
                count - 1
            )));
        }
        if self.pins.len() == PIN_LIMIT {
            return Err(Refusal::because(format_args!(
                "at most {PIN_LIMIT} moments are pinned; take one away first"
            )));
        }
        // That of when the tick was reached: what was edited on it since then did not make another tick of it.
        let at = (self.tick, self.timeline.future_of(self.tick));
        let units = self.alive();
        let pin = match self.lanes3.get(lane) {
            Some(lane) => Pin::of(at, units, lane, times),
            None => Pin::of(at, units, &self.lanes[lane], times),
        };
        self.pins.push(pin);
        Ok(())
    }

    /// Whether what was pinned lies in what is known of time: an edit in the past may have cut its future.
    pub fn knows(&self, pin: &Pin) -> bool {
        let is_reached = (self.timeline.hashes().len() as u64) > pin.tick;
        is_reached && self.timeline.future_of(pin.tick) == pin.hash
    }

    /// Takes a pin away.
    pub fn unpin(&mut self, place: usize) {
        if place < self.pins.len() {
            self.pins.remove(place);
        }
    }
}

/// By how many per cent a value differs from the one that was pinned; `None` where that is no number.
pub fn difference(now: f64, pinned: f64) -> Option<f64> {
    if now == pinned {
        return Some(0.0);
    }
    let percent = (now - pinned) / pinned * 100.0;
    percent.is_finite().then_some(percent)
}

/// A pin as a recording has it.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Written {
    tick: u64,
    hash: String,
    units: u64,
    structure: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    knobs: Vec<(String, String)>,
    tests: u64,
    visits: u64,
    pairs: u64,
    bytes: u64,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    at_rest: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    update_us: Option<f32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    query_us: Option<f32>,
}

impl From<&Pin> for Written {
    fn from(pin: &Pin) -> Self {
        let info = pin.choice.kind.info();
        let knobs = pin.choice.knobs.iter();
        Self {
            tick: pin.tick,
            hash: format!("{:016x}", pin.hash),
            units: pin.units,
            structure: info.key.to_owned(),
            knobs: knobs
                .map(|(knob, value)| {
                    let knob = &info.knobs[*knob];
                    (knob.key.to_owned(), knob.format(*value))
                })
                .collect(),
            tests: pin.tests,
            visits: pin.visits,
            pairs: pin.pairs,
            bytes: pin.bytes,
            at_rest: pin.at_rest,
            update_us: pin.update_us,
            query_us: pin.query_us,
        }
    }
}

impl TryFrom<Written> for Pin {
    type Error = String;

    fn try_from(written: Written) -> Result<Self, String> {
        let kind = StructureKind::from_key(&written.structure).ok_or_else(|| {
            let all = StructureKind::ALL.iter();
            let keys: Vec<_> = all.map(|kind| kind.info().key).collect();
            let found = &written.structure;
            format!(
                "the structure must be one of {} (found {found})",
                keys.join(", ")
            )
        })?;
        let mut choice = StructureChoice::new(kind);
        for (knob, value) in &written.knobs {
            choice.set(knob, value).map_err(|error| error.to_string())?;
        }
        for time in [written.update_us, written.query_us].into_iter().flatten() {
            if !(0.0..=1.0e15).contains(&time) {
                return Err(format!("a time must be at least 0 (found {time})"));
            }
        }
        let hash = u64::from_str_radix(&written.hash, 16).map_err(|_| {
            let found = &written.hash;
            format!("a fingerprint must be hexadecimal (found {found})")
        })?;
        Ok(Self {
            tick: written.tick,
            hash,
            units: written.units,
            choice,
            tests: written.tests,
            visits: written.visits,
            pairs: written.pairs,
            bytes: written.bytes,
            at_rest: written.at_rest,
            update_us: written.update_us,
            query_us: written.query_us,
        })
    }
}
