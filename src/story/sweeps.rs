//! Where a sweep along an order ends, and why whoever comes behind is never looked at: said with the last that happens in it.

use super::words::{metres, units_are};
use crate::partition::UnitId;
use crate::probe::{Event, SweepEnd};

/// Where the sweeps of one search end, in their order.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sweeps<'a>(pub &'a [(usize, SweepEnd)]);

impl Sweeps<'_> {
    /// What is said behind the sentence of the event of this number, of the sweeps that end right behind it. A search sweeps for what it
    /// `asks` about, else each unit does for itself.
    pub fn behind(&mut self, (event, at): (Event, usize), asks: &str) -> String {
        let mut said = String::new();
        // Who is compared with nobody at all: the first of them is told, and of how many more it is so.
        let (mut idle, mut is_first) = (0, true);
        while let Some(((before, end), rest)) = self.0.split_first()
            && *before <= at + 1
        {
            self.0 = rest;
            // It could be of an event that is not told.
            if *before != at + 1 {
                continue;
            }
            let begin = match end.unit {
                Some(unit) if is_first && is_of(event, unit) => {
                    format!("The sweep of unit {unit} ends here")
                }
                Some(unit) => {
                    idle += 1;
                    if idle > 1 {
                        continue;
                    }
                    format!("Unit {unit} is compared with nobody here")
                }
                None => "The sweep ends here".to_owned(),
            };
            is_first = false;
            let of = match end.unit {
                Some(unit) => format!("reach of unit {unit}"),
                None => asks.to_owned(),
            };
            said += &format!(" {begin}: {}", why(*end, &of));
        }
        if idle > 1 {
            said += &format!(" So it is with {} more.", idle - 1);
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
    match end.behind {
        Some(0) => format!(
            "unit {other}, the last in the order, begins {beyond} beyond the end of the {of}, and is not looked at."
        ),
        Some(behind) => format!(
            "unit {other}, next in the order, begins {beyond} beyond the end of the {of}, and nobody behind it begins earlier: {} not looked at.",
            units_are(behind as u64 + 1)
        ),
        None => format!(
            "unit {other}, next in the order, begins {beyond} beyond the end of the {of}, and nobody behind it begins earlier: whoever is left is not looked at."
        ),
    }
}
