//! What is compared of the present and of a pinned moment, for the column in the panel and for the report.

use super::state::App;
use super::widgets::{bytes, with_commas};
use skirmish::session::{Cost, Pin, pin_difference};

/// A figure of the present beside the pinned one.
pub struct Row {
    /// What it is.
    pub name: &'static str,
    /// The present one; `None` where it is not known.
    pub now: Option<f64>,
    /// The pinned one.
    pub pinned: Option<f64>,
    /// How it is written.
    pub write: fn(f64) -> String,
}

impl Row {
    /// By how many per cent the present differs.
    pub fn difference(&self) -> Option<f64> {
        pin_difference(self.now?, self.pinned?)
    }
}

/// What is compared, of the present and of a pin.
pub fn rows(app: &App, pin: &Pin) -> [Row; 7] {
    let lane = app.lane();
    let cost = Some(&lane.shown_cost).filter(|_| lane.is_measured);
    let whole = |value: f64| with_commas(value as u64);
    let memory = |value: f64| {
        let (value, unit) = bytes(value as u64);
        format!("{value} {unit}")
    };
    // All times in one unit, so that they are compared at a glance.
    let micros = |value: f64| {
        let digits = with_commas(value.round() as u64);
        format!("{digits} µs")
    };
    let row = |name, now: Option<f64>, pinned: Option<f64>, write| Row {
        name,
        now,
        pinned,
        write,
    };
    let counted = |of: fn(&Cost) -> u64| cost.map(|cost| of(cost) as f64);
    [
        row(
            "tests",
            counted(|it| it.query.tests),
            Some(pin.tests as f64),
            whole,
        ),
        row(
            "visited",
            counted(|it| it.query.visits),
            Some(pin.visits as f64),
            whole,
        ),
        row(
            "pairs",
            counted(|it| it.pairs),
            Some(pin.pairs as f64),
            whole,
        ),
        row(
            "update",
            lane.times.map(|times| f64::from(times.update_us)),
            pin.update_us.map(f64::from),
            micros,
        ),
        row(
            "query",
            lane.times.map(|times| f64::from(times.query_us)),
            pin.query_us.map(f64::from),
            micros,
        ),
        row(
            "memory",
            Some(lane.structure.bytes as f64),
            Some(pin.bytes as f64),
            memory,
        ),
        row(
            "units",
            Some(app.alive() as f64),
            Some(pin.units as f64),
            whole,
        ),
    ]
}
