//! Numbers that somebody gave, and their limits.

/// Says in one sentence that a number is not within its limits, where it is not.
pub(super) fn number(what: &str, value: f32, least: f32, most: f32) -> Result<(), String> {
    if (least..=most).contains(&value) {
        Ok(())
    } else {
        Err(format!(
            "{what} must be from {least} to {most} (found {value})"
        ))
    }
}
