//! A tick that is called by its number.

use super::{Item, Target};
use crate::app::state::App;
use crate::app::widgets::with_commas;

/// The tick whose number was typed: "tick 64772", "go to tick 64,772" or "go to 64772". Beyond the last one that is known it is that one.
pub fn tick_item(app: &App, typed: &str) -> Option<Item> {
    let asked = asked(typed)?;
    let end = app.place.end;
    let tick = asked.min(end);
    let to = with_commas(tick);
    Some(Item {
        title: format!("Go to tick {to}"),
        kind: "tick",
        keys: String::new(),
        help: match asked > end {
            true => format!(
                "Tick {} is not known yet: time goes to the last one that is, {to}, and stops there.",
                with_commas(asked)
            ),
            false => "Time goes to this tick and stops there; nothing is changed.".to_owned(),
        },
        also: &[],
        target: Target::Tick(tick),
        on: None,
        refusal: None,
    })
}

/// Its number, where nothing else was typed.
fn asked(typed: &str) -> Option<u64> {
    let lowered = typed.to_lowercase();
    let words: Vec<&str> = lowered.split_whitespace().collect();
    let number = match words[..] {
        ["tick", number] | ["go", "to", number] | ["go", "to", "tick", number] => number,
        _ => return None,
    };
    let is_number = number.starts_with(|it: char| it.is_ascii_digit());
    is_number.then(|| number.replace(',', "").parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::asked;

    #[test]
    fn a_tick_is_asked_for_by_its_number_and_by_nothing_else() {
        for typed in ["tick 64772", " Go to tick 64,772 ", "go to 64772"] {
            assert_eq!(asked(typed), Some(64_772), "{typed}");
        }
        for typed in [
            "64772",
            "tick",
            "tick five",
            "uploads a tick 5",
            "tick -5",
            "tick 5 ms",
            "go to start",
        ] {
            assert_eq!(asked(typed), None, "{typed}");
        }
    }
}
