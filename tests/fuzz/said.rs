//! What holds of every sentence that turns an input away.

/// A sentence is one line, says something and moves no cursor.
#[track_caller]
pub fn assert_sentence(sentence: &str) {
    assert!(!sentence.trim().is_empty(), "a sentence says something");
    assert!(
        !sentence.chars().any(char::is_control),
        "{sentence:?} is one line"
    );
    assert!(sentence.len() < 4_000, "{} bytes is a page", sentence.len());
}

/// Line and column, both from 1, lie within the text or right behind its end.
#[track_caller]
pub fn assert_place(text: &[u8], line: usize, column: usize) {
    let text = String::from_utf8_lossy(text);
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let found = line
        .checked_sub(1)
        .and_then(|line| text.split('\n').nth(line));
    let Some(found) = found else {
        panic!("line {line} is not in the text");
    };
    assert!(
        (1..=found.chars().count() + 1).contains(&column),
        "column {column} is not in line {line}"
    );
}
