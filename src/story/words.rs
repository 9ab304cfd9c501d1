//! Numbers and counts as a sentence says them.

use crate::geometry::Vec2;
use crate::partition::{Pair, UnitId};

/// A number with as many digits as tell something: two behind the point below ten, one below a thousand, and of what is
/// small the first two that are not 0.
pub fn number(value: f64) -> String {
    let size = value.abs();
    let digits = if size == 0.0 || size >= 1_000.0 {
        0
    } else if size >= 10.0 {
        1
    } else if size >= 0.1 {
        2
    } else {
        // Below the least number that an `f32` may differ by, more digits say nothing.
        (1.0 - size.log10().floor()).min(12.0) as usize
    };
    let text = format!("{value:.digits$}");
    if (10_000.0..1.0e15).contains(&size) {
        let sign = if value < 0.0 { "-" } else { "" };
        return format!("{sign}{}", with_commas(size.round() as u64));
    }
    let text = if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.')
    } else {
        &text
    };
    if text == "-0" {
        "0".to_owned()
    } else {
        text.to_owned()
    }
}

/// A length.
pub fn metres(value: f64) -> String {
    format!("{} m", number(value))
}

/// A place.
pub fn place(at: Vec2) -> String {
    format!("({}, {})", number(at.x.into()), number(at.y.into()))
}

/// The size of something, as width and height.
pub fn size(of: Vec2) -> String {
    format!("{} × {} m", number(of.x.into()), number(of.y.into()))
}

/// The beginning of a sentence.
pub fn capital(words: &str) -> String {
    let mut rest = words.chars();
    let first = rest.next().into_iter().flat_map(char::to_uppercase);
    first.chain(rest).collect()
}

/// A count, with commas between its thousands, as everywhere in the window.
pub fn with_commas(many: u64) -> String {
    let digits = many.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number of bytes in the unit that suits it.
pub fn bytes(many: u64) -> String {
    if many < 1_000 {
        return count(many, "byte");
    }
    let mut value = many as f64 / 1.0e3;
    let mut units = ["kB", "MB", "GB"].into_iter();
    let mut unit = units.next().unwrap_or_default();
    for larger in units {
        // What would be rounded to a thousand is one of the next.
        if value >= 999.5 {
            (value, unit) = (value / 1.0e3, larger);
        }
    }
    format!("{} {unit}", number(value))
}

/// The same rounded up to as many digits as are shown: what is enough is never said to be less.
pub fn bytes_enough(many: u64) -> String {
    bytes(rounded_up(many))
}

/// So many bytes, rounded up to as many digits as are shown.
pub fn rounded_up(many: u64) -> u64 {
    let beyond = many.checked_ilog10().unwrap_or(0).saturating_sub(2);
    let step = 10_u64.pow(beyond);
    many.div_ceil(step).saturating_mul(step)
}

/// So many of something.
pub fn count(many: u64, one: &str) -> String {
    if many == 1 {
        format!("1 {one}")
    } else {
        format!("{} {one}s", with_commas(many))
    }
}

/// So many units.
pub fn units(many: u64) -> String {
    count(many, "unit")
}

/// So many units, with the verb behind them.
pub fn units_are(many: u64) -> String {
    format!("{} {}", units(many), are(many))
}

/// The verb for so many.
pub fn are(many: u64) -> &'static str {
    if many == 1 { "is" } else { "are" }
}

/// Of a region that nobody is in, whether it is left out or looked into.
pub fn nobody_in_it() -> &'static str {
    "It holds 0 units."
}

/// That a region to which a search comes is left out all the same, behind what it comes to.
pub fn empty_and_left_out() -> &'static str {
    ", but it holds 0 units: it is left out."
}

/// What is seen of a unit that a search for the nearest tests: how far away it is, and of so many that are wanted and so many who
/// are the nearest so far which one it is, by its number from 1; who is none of them any more for it, if they were as many as are wanted.
pub fn ranked(
    (unit, away): (UnitId, f64),
    rank: usize,
    (so_far, wanted): (usize, usize),
    pushed_out: Option<UnitId>,
) -> String {
    let begin = format!(
        "Unit {unit} is tested: {} away, number {rank} of the {so_far} nearest so far",
        metres(away)
    );
    match pushed_out {
        Some(other) => format!("{begin}, and unit {other} is none of them any more."),
        None => format!("{begin}, and {wanted} {} wanted.", are(wanted as u64)),
    }
}

/// The last of those who are the nearest so far, once they are as many as are wanted.
pub fn last_so_far(wanted: usize, (away, unit): (f64, UnitId)) -> String {
    let away = metres(away);
    match wanted {
        1 => format!("the nearest so far, unit {unit} at {away}"),
        _ => format!("the last of the {wanted} so far, unit {unit} at {away}"),
    }
}

/// That two are compared, in whose turn where that is known, and what is seen.
pub fn compared(pair: Pair, turn: Option<&str>, apart: f64, reach: f64, is_pair: bool) -> String {
    let (a, b) = pair;
    let turn = turn.map_or_else(String::new, |turn| format!(" in the turn of {turn}"));
    let seen = match is_pair {
        true => format!("within {}", metres(reach)),
        false => format!("{} too far", metres(apart - reach)),
    };
    format!(
        "Units {a} and {b} are compared{turn}: {} apart, {seen}.",
        metres(apart)
    )
}

/// That two are a result.
pub fn found((a, b): Pair, apart: f64, reach: f64) -> String {
    format!(
        "Units {a} and {b} are {} apart, within {}: a pair.",
        metres(apart),
        metres(reach)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_are_enough_are_rounded_up() {
        for (many, text) in [
            (0, "0 bytes"),
            (999, "999 bytes"),
            (65_536, "65.6 kB"),
            (600_000, "600 kB"),
            (999_501, "1 MB"),
            (412_300_001, "413 MB"),
        ] {
            assert_eq!(bytes_enough(many), text);
        }
    }

    #[test]
    fn a_number_has_the_digits_that_tell_something() {
        for (value, text) in [
            (0.0, "0"),
            (-0.0, "0"),
            (20.0, "20"),
            (23.14, "23.1"),
            (0.7, "0.7"),
            (1_234.5, "1234"),
            (0.000_123_4, "0.00012"),
            (-3.25, "-3.25"),
            (9_999.0, "9999"),
            (-31_415.9, "-31,416"),
        ] {
            assert_eq!(number(value), text);
        }
        assert_eq!(units_are(1), "1 unit is");
        assert_eq!(units_are(8), "8 units are");
        assert_eq!(units(9_999), "9,999 units");
        for (many, text) in [
            (1, "1 byte"),
            (999, "999 bytes"),
            (176_400, "176.4 kB"),
            (999_700, "1 MB"),
            (2_000_000, "2 MB"),
            (64_000_000_000, "64 GB"),
        ] {
            assert_eq!(bytes(many), text);
        }
        assert_eq!(units(1_234_567), "1,234,567 units");
    }
}
