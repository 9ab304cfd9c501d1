//! Where a sweep along an order ends, and why whoever comes behind is never looked at: said with the last that happens in it.

use super::words::{count, metres, units_are};
use crate::partition::UnitId;
use crate::probe::{Event, SweepEnd, Trace};

/// Where the sweeps of one search end, in their order.
#[derive(Debug)]
pub struct Sweeps<'a> {
    ends: &'a [(usize, SweepEnd)],
    /// Whether there may be more of them than were kept.
    is_cut: bool,
}

impl<'a> Sweeps<'a> {
    /// Those of a trace.
    pub fn of(trace: &'a Trace) -> Self {
        Self {
            ends: trace.ends(),
            is_cut: trace.may_lack_ends(),
        }
    }

    /// What is said behind the sentence of the event of this number, of the sweeps that end right behind it. A search sweeps for what it
    /// `asks` about, else each unit does for itself.
    pub fn behind(&mut self, (event, at): (Event, usize), asks: Option<&str>) -> String {
        let mut said = String::new();
        // Who comes to nobody at all: the first of them is told, and how many more there are.
        let (mut idle, mut is_first) = (0, true);
        while let Some(((before, end), rest)) = self.ends.split_first()
            && *before == at + 1
        {
            self.ends = rest;
            let begin = match end.unit {
                Some(unit) if is_first && is_of(event, unit) => {
                    format!("The sweep of unit {unit} ends here")
                }
                Some(unit) => {
                    idle += 1;
                    if idle > 1 {
                        continue;
                    }
                    format!("The sweep of unit {unit} comes to nobody")
                }
                None => "The sweep ends here".to_owned(),
            };
            is_first = false;
            let of = match end.unit {
                Some(unit) => format!("the reach of unit {unit}"),
                // As far as it goes along the axis, wherever it ends.
                None => format!("all of the {}", asks.unwrap_or("search")),
            };
            said += &format!(" {begin}: {}", why(*end, &of));
        }
        if idle > 1 {
            // Whoever stands last in an order has nobody to end a sweep, and is none of these.
            let least = match self.is_cut && self.ends.is_empty() {
                true => "At least ",
                false => "",
            };
            let more = count(idle - 1, "more sweep");
            said += &match idle {
                2 => format!(
                    " {least}{more} ends before its first test, at a unit that begins beyond its reach."
                ),
                _ => format!(
                    " {least}{more} end before their first test, each at a unit that begins beyond its reach."
                ),
            };
        }
        said
    }
}

/// Whether two are compared of whom one is this unit.
fn is_of(event: Event, unit: UnitId) -> bool {
    match event {
        Event::TestPair(a, b) | Event::HitPair(a, b) => a == unit || b == unit,
        _ => false,
    }
}

/// Why a sweep ends, and what becomes of whoever comes behind.
fn why(end: SweepEnd, of: &str) -> String {
    let (other, beyond) = (end.other, metres(f64::from(end.beyond)));
    let axis = if end.axis == 0 { "x" } else { "y" };
    let begins = format!("begins {beyond} beyond {of} along {axis}");
    match end.behind {
        Some(0) => {
            format!("unit {other}, the last in the order, {begins}, and is not tested.")
        }
        Some(behind) => format!(
            "unit {other}, next in the order, {begins}, and nobody behind it begins earlier: {} not tested.",
            units_are(behind as u64 + 1)
        ),
        None => format!(
            "unit {other}, next in the order, {begins}, and nobody behind it begins earlier: whoever is left is not tested."
        ),
    }
}
