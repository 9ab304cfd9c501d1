//! Numbers in words: with commas, and in the unit that suits them.

use std::borrow::Cow;

/// A whole number with commas between thousands.
pub fn with_commas(value: u64) -> String {
    let digits = value.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// What is said of a structure as it is read here: a whole number with commas, anything else as it is.
pub fn parted(value: &str) -> Cow<'_, str> {
    let is_whole = value.bytes().all(|byte| byte.is_ascii_digit());
    match value.parse() {
        Ok(number) if is_whole => with_commas(number).into(),
        _ => value.into(),
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

/// A number of bytes and its unit.
pub fn bytes(value: u64) -> (String, &'static str) {
    match value {
        0..1024 => (value.to_string(), "B"),
        1024..1_048_576 => (format!("{:.1}", value as f64 / 1024.0), "KiB"),
        1_048_576..1_073_741_824 => (format!("{:.1}", value as f64 / 1_048_576.0), "MiB"),
        _ => (format!("{:.2}", value as f64 / 1_073_741_824.0), "GiB"),
    }
}

/// A number of microseconds and its unit.
pub fn duration(micros: f64) -> (String, &'static str) {
    if micros < 10_000.0 {
        (with_commas(micros.round() as u64), "µs")
    } else {
        (format!("{:.1}", micros / 1000.0), "ms")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_parted() {
        assert_eq!(with_commas(0), "0");
        assert_eq!(with_commas(999), "999");
        assert_eq!(with_commas(7_233_306), "7,233,306");
        assert_eq!(parted("20217"), "20,217");
        for other in [
            "5.3 of 16",
            "1827.3",
            "+1234",
            "",
            "99999999999999999999999",
        ] {
            assert_eq!(parted(other), other);
        }
    }
}
