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

/// What is compared, of the present and of a pin. A build is no update: where only one of both was measured at rest, each has a row of its
/// own.
pub fn rows(app: &App, pin: &Pin) -> Vec<Row> {
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
    let upkeep = upkeep(
        (lane.cost.at_rest, lane.times.map(|times| times.update_us)),
        (pin.at_rest, pin.update_us),
    );
    let upkeep = upkeep.map(|(name, now, pinned)| row(name, now, pinned, micros));
    let mut rows = vec![
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
    ];
    rows.extend(upkeep);
    rows.extend([
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
    ]);
    rows
}

/// The rows of upkeep, of the present and of a pin: whether each was measured at rest, and its time.
fn upkeep(
    (rests, now): (bool, Option<f32>),
    (pin_rests, pinned): (bool, Option<f32>),
) -> impl Iterator<Item = (&'static str, Option<f64>, Option<f64>)> {
    let of = move |name, at_rest| {
        let now = now.filter(|_| rests == at_rest).map(f64::from);
        let pinned = pinned.filter(|_| pin_rests == at_rest).map(f64::from);
        let is_of_either = rests == at_rest || pin_rests == at_rest;
        is_of_either.then_some((name, now, pinned))
    };
    [of("build", true), of("update", false)]
        .into_iter()
        .flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_build_is_compared_with_no_update() {
        let (build, update) = (Some(473.0), Some(138.0));
        let rows = |now, pinned| upkeep(now, pinned).collect::<Vec<_>>();
        let of = |value: Option<f32>| value.map(f64::from);
        assert_eq!(
            rows((false, update), (true, build)),
            [("build", None, of(build)), ("update", of(update), None)]
        );
        assert_eq!(
            rows((true, build), (true, build)),
            [("build", of(build), of(build))]
        );
        assert_eq!(
            rows((false, update), (false, None)),
            [("update", of(update), None)]
        );
    }
}
