//! Values that more than one command reads.

/// A whole number from `least` to `greatest`.
pub fn whole(text: &str, least: u64, greatest: u64) -> Result<u64, String> {
    text.parse()
        .ok()
        .filter(|number| (least..=greatest).contains(number))
        .ok_or_else(|| format!("it must be a whole number from {least} to {greatest}"))
}

/// A number from `least` to `greatest`, which NaN is not.
pub fn number(text: &str, least: f32, greatest: f32) -> Result<f32, String> {
    text.parse()
        .ok()
        .filter(|number| (least..=greatest).contains(number))
        .ok_or_else(|| format!("it must be a number from {least} to {greatest}"))
}

/// What starts chance: any whole number of 64 bits.
pub fn seed(text: &str) -> Result<u64, String> {
    whole(text, 0, u64::MAX)
}
