//! Sentences that are put together, or begin otherwise than on a command line.

use skirmish::session::Crowding;

/// A sentence, and another one behind it.
pub fn and(sentence: String, more: Option<&str>) -> String {
    match more {
        Some(more) => format!("{}. {more}", sentence.trim_end_matches('.')),
        None => sentence,
    }
}

/// What stands behind the name of a file or of the program on a command line, as it begins a sentence.
pub fn begun(words: &str) -> String {
    let mut letters = words.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).collect()
}

/// That a tick takes long, in a sentence.
pub fn warned(crowding: &Crowding) -> String {
    format!("{}.", begun(&crowding.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use skirmish::session::Why;

    #[test]
    fn what_has_no_stop_on_a_command_line_has_one_here_and_another_sentence_behind_it() {
        let crowding = Crowding {
            pairs: 20_000_000_000,
            units: 200_000,
            at: vec![80.0, 50.0],
            why: Why::OneSpot,
        };
        let said = warned(&crowding);
        assert!(said.starts_with("Warning: a tick finds "), "{said}");
        assert!(said.ends_with("(80, 50); spread them."), "{said}");
        assert_eq!(
            and("It is so".to_owned(), Some(&said)),
            format!("It is so. {said}")
        );
        assert_eq!(and("It is so.".to_owned(), None), "It is so.");
    }
}
