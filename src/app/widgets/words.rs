//! Numbers in words: with commas, and in the unit that suits them.

use std::borrow::Cow;

/// From where to where, in hundredths.
pub fn from_to(from: f32, to: f32) -> String {
    let plain = |value: f32| {
        let words = format!("{value:.2}");
        // What rounds to nothing has no sign.
        match words.strip_prefix('-') {
            Some("0.00") => "0.00".to_owned(),
            _ => words,
        }
    };
    format!("{} to {}", plain(from), plain(to))
}

/// A whole number with commas between thousands.
pub fn with_commas(value: u64) -> String {
    let mut text = String::new();
    push_parted(&mut text, &value.to_string());
    text
}

/// Writes the digits of a whole number with commas between thousands.
fn push_parted(text: &mut String, digits: &str) {
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
}

/// What is said of a structure as it is read here: each number in it with commas between thousands, anything else as it is.
pub fn parted(value: &str) -> Cow<'_, str> {
    // Where commas part numbers from each other, one more in a number would be read as one of those.
    let mut commas = value.match_indices(", ");
    let is_list = commas.any(|(at, _)| value[..at].ends_with(|it: char| it.is_ascii_digit()));
    if is_list || !value.bytes().any(|byte| byte.is_ascii_digit()) {
        return value.into();
    }
    let mut text = String::with_capacity(value.len() + 2);
    let mut rest = value;
    while let Some(from) = rest.find(|it: char| it.is_ascii_digit()) {
        let (before, digits) = rest.split_at(from);
        let end = digits.find(|it: char| !it.is_ascii_digit());
        let (digits, behind) = digits.split_at(end.unwrap_or(digits.len()));
        text.push_str(before);
        // What stands behind a point, or in a word, is no whole number.
        let is_part = |it: char| it == '.' || it.is_alphanumeric();
        match before.ends_with(is_part) {
            true => text.push_str(digits),
            false => push_parted(&mut text, digits),
        }
        rest = behind;
    }
    text.push_str(rest);
    text.into()
}

/// Under these names structures say which units they hold, by the numbers of these, and the bits of addresses.
const OF_NAMES: [&str; 8] = [
    "run",
    "chain",
    "in their order",
    "unit",
    "address",
    "mask",
    "child 0",
    "child 1",
];

/// The same of what a structure says of a region under a name. The bits of an address, one digit each, stay as they are, and so do the
/// numbers by which units are called.
pub fn parted_of<'a>(name: &str, value: &'a str) -> Cow<'a, str> {
    match OF_NAMES.contains(&name) {
        true => value.into(),
        false => parted(value),
    }
}

/// A number with two digits behind its point, and commas between thousands.
pub fn hundredths(value: f64) -> String {
    let text = format!("{value:.2}");
    match text.split_once('.') {
        Some((whole, rest)) => format!("{}.{rest}", parted(whole)),
        None => text,
    }
}

/// A whole number that fits a row: with commas, and in thousand millions where it is longer than that.
pub fn count(value: u64) -> String {
    if value < 1_000_000_000 {
        with_commas(value)
    } else {
        format!("{} bn", with_commas((value + 500_000_000) / 1_000_000_000))
    }
}

/// Three figures of a number below a thousand, for people: more of them are not read, and say nothing of a time or a size.
fn three_figures(value: f64) -> String {
    match value {
        v if v >= 99.95 => format!("{v:.0}"),
        v if v >= 9.995 => format!("{v:.1}"),
        v => format!("{v:.2}"),
    }
}

/// A number in the largest of these units, each a thousand of the one before, of which it is at least one.
fn in_units(value: f64, units: &[&'static str]) -> (String, &'static str) {
    let mut value = value;
    let mut place = 0;
    // What would be rounded to a thousand is one of the next.
    while value >= 999.5 && place + 1 < units.len() {
        value /= 1000.0;
        place += 1;
    }
    (three_figures(value), units[place])
}

/// A number of bytes and its unit, for people; [`exact_bytes`] is for who wants all of it.
pub fn bytes(value: u64) -> (String, &'static str) {
    if value < 1000 {
        return (value.to_string(), "B");
    }
    in_units(value as f64 / 1000.0, &["kB", "MB", "GB"])
}

/// A number of bytes, exactly.
pub fn exact_bytes(value: u64) -> String {
    format!("{} B", with_commas(value))
}

/// A number of microseconds and its unit, for people.
pub fn duration(micros: f64) -> (String, &'static str) {
    in_units(micros.max(0.0), &["µs", "ms", "s"])
}

/// A length in as few figures as tell it, without its unit.
pub fn metres(length: f32) -> String {
    let text = format!("{length:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A number of things where nobody counts them, for people: 12.4k, 3.1M.
pub fn about(value: u64) -> String {
    if value < 1000 {
        return value.to_string();
    }
    let (text, unit) = in_units(value as f64 / 1000.0, &["k", "M", "bn"]);
    let text = if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.')
    } else {
        &text
    };
    format!("{text}{unit}")
}

/// The same words, in which no line ends between a number and its unit, or what it counts.
pub fn measures_together(words: &str) -> String {
    const UNITS: [&str; 13] = [
        "m", "km", "m/s", "s", "ms", "%", "B", "kB", "MB", "GB", "kB/s", "MB/s", "µs",
    ];
    const COUNTED: [&str; 12] = [
        "unit", "units", "object", "objects", "pair", "pairs", "node", "nodes", "cell", "cells",
        "tick", "ticks",
    ];
    let mut together = String::with_capacity(words.len());
    for (place, word) in words.split(' ').enumerate() {
        let bare = word.trim_end_matches([',', '.', ':', ';']);
        let is_number = |it: char| it.is_ascii_digit();
        let is_unit = UNITS.contains(&bare) || COUNTED.contains(&bare) || bare == "×";
        let is_measure = is_unit && together.ends_with(is_number)
            || together.ends_with('×') && word.starts_with(is_number);
        if place > 0 {
            together.push(if is_measure { '\u{a0}' } else { ' ' });
        }
        together.push_str(word);
    }
    together
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_and_its_unit_stand_on_one_line() {
        let said = measures_together("It begins 19.4 m from unit 3 m, 12 of 40.  In 3 s.");
        let told = "It begins 19.4\u{a0}m from unit 3\u{a0}m, 12 of 40.  In 3\u{a0}s.";
        assert_eq!(said, told);
        assert_eq!(measures_together("m 1 x"), "m 1 x");
        let said = measures_together("its 23 units are left out, 1.55 s of it, 65.5 kB, 3 units.");
        let told = "its 23\u{a0}units are left out, 1.55\u{a0}s of it, 65.5\u{a0}kB, 3\u{a0}units.";
        assert_eq!(said, told);
        let said = measures_together("a box of 18.7 × 30.7 m");
        assert_eq!(said, "a box of 18.7\u{a0}×\u{a0}30.7\u{a0}m");
    }

    #[test]
    fn bits_are_no_thousands_and_hundredths_have_them() {
        assert_eq!(parted_of("units", "2000"), "2,000");
        assert_eq!(parted_of("units", "1000"), "1,000");
        assert_eq!(parted_of("address", "1001 0110"), "1001 0110");
        // Whoever is called unit 4999 is so where he is the only one.
        assert_eq!(parted_of("run", "4999"), "4999");
        assert_eq!(parted_of("chain", "4999"), "4999");
        assert_eq!(hundredths(2580.666), "2,580.67");
        assert_eq!(hundredths(3.0), "3.00");
    }

    #[test]
    fn thousands_are_parted() {
        assert_eq!(with_commas(0), "0");
        assert_eq!(with_commas(999), "999");
        assert_eq!(with_commas(7_233_306), "7,233,306");
        for (plain, read) in [
            ("20217", "20,217"),
            ("1827.3125", "1,827.3125"),
            ("0: 1976 in 237 × 15", "0: 1,976 in 237 × 15"),
            ("1222 to 1400", "1,222 to 1,400"),
            ("-12345 of +1234", "-12,345 of +1,234"),
        ] {
            assert_eq!(parted(plain), read);
        }
        for other in [
            "5.3 of 16",
            "0.1827",
            "SHA1234",
            "no ① number",
            "",
            "(1024, 2000)",
            "4998, 4999, and 1200 more",
        ] {
            assert_eq!(parted(other), other);
        }
    }

    #[test]
    fn numbers_for_people_have_three_figures_and_a_unit() {
        let said = |(text, unit): (String, &str)| format!("{text} {unit}");
        for (value, words) in [
            (0, "0 B"),
            (999, "999 B"),
            (1_000, "1.00 kB"),
            (18_234_112, "18.2 MB"),
            (999_600, "1.00 MB"),
            (123_456, "123 kB"),
            (5_000_000_000_000, "5000 GB"),
        ] {
            assert_eq!(said(bytes(value)), words);
        }
        for (value, words) in [
            (0.0, "0.00 µs"),
            (3.2, "3.20 µs"),
            (41.26, "41.3 µs"),
            (999.4, "999 µs"),
            (999.9, "1.00 ms"),
            (16_600.0, "16.6 ms"),
            (2_500_000.0, "2.50 s"),
            (f64::NAN, "0.00 µs"),
        ] {
            assert_eq!(said(duration(value)), words);
        }
        for (value, words) in [
            (0, "0"),
            (999, "999"),
            (12_400, "12.4k"),
            (12_000, "12k"),
            (1_000_000, "1M"),
            (100_000, "100k"),
            (3_141_592, "3.14M"),
        ] {
            assert_eq!(about(value), words);
        }
        assert_eq!(exact_bytes(18_234_112), "18,234,112 B");
    }
}
