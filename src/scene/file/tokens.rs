//! Where things are in RON text: a scanner that checks brackets, and a search for the place of a field.
//!
//! serde hands over values without their places. So that a value that is well written but wrong can still be reported
//! at its line and column, its path (`armies[1].speed`) is looked up in the text, after the fact and only on error.
//!
//! Invariant: nothing here recurses, so that no nesting overflows the stack, and everything takes time linear in the
//! text.

use crate::scene::limits::MAX_NESTING;
use std::ops::Range;

/// What a stretch of the text is. White space is no token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Token {
    /// `(`, `[` or `{`.
    Open(u8),
    /// `)`, `]` or `}`.
    Close(u8),
    Comma,
    Colon,
    /// A line or block comment.
    Comment,
    /// A number, a name, a string, a character, or a run of whatever else.
    Atom,
}

/// Something that is wrong with the text itself, and where.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Flaw {
    /// The byte offset.
    pub offset: usize,
    /// The sentence.
    pub message: String,
}

struct Tokens<'a> {
    text: &'a str,
    offset: usize,
}

impl<'a> Tokens<'a> {
    fn new(text: &'a str) -> Self {
        Self { text, offset: 0 }
    }

    fn at(text: &'a str, offset: usize) -> Self {
        Self { text, offset }
    }

    /// The next token that is no comment, as one `None` at the end and at a flaw, which [`check`] has reported before.
    fn next_value_token(&mut self) -> Option<(Token, Range<usize>)> {
        loop {
            match self.next() {
                Some(Ok((Token::Comment, _))) => {}
                Some(Ok(token)) => return Some(token),
                Some(Err(_)) | None => return None,
            }
        }
    }

    /// Where the string ends that begins after the quote at `open`, or the flaw.
    fn string_end(&self, open: usize) -> Result<usize, Flaw> {
        let bytes = self.text.as_bytes();
        let mut end = open + 1;
        while end < bytes.len() {
            match bytes[end] {
                b'"' => return Ok(end + 1),
                b'\\' => end += 2,
                _ => end += 1,
            }
        }
        Err(self.unclosed(open, "string"))
    }

    /// Where the raw string ends whose hashes begin at `hashes`; `None` when it is no raw string.
    fn raw_string_end(&self, hashes: usize) -> Option<Result<usize, Flaw>> {
        let rest = &self.text[hashes..];
        let count = rest.bytes().take_while(|byte| *byte == b'#').count();
        if !rest[count..].starts_with('"') {
            return None;
        }
        let close = format!("\"{}", &rest[..count]);
        let body = hashes + count + 1;
        Some(match self.text[body..].find(&close) {
            Some(length) => Ok(body + length + close.len()),
            None => Err(self.unclosed(hashes, "string")),
        })
    }

    fn block_comment_end(&self, open: usize) -> Result<usize, Flaw> {
        let bytes = self.text.as_bytes();
        let (mut end, mut depth) = (open + 2, 1_usize);
        while depth > 0 {
            match bytes.get(end..end + 2) {
                Some(b"/*") => (end, depth) = (end + 2, depth + 1),
                Some(b"*/") => (end, depth) = (end + 2, depth - 1),
                Some(_) => end += 1,
                None => return Err(self.unclosed(open, "comment")),
            }
        }
        Ok(end)
    }

    fn unclosed(&self, open: usize, what: &str) -> Flaw {
        let (line, column) = line_and_column(self.text, open);
        Flaw {
            offset: self.text.len(),
            message: format!(
                "the text ends within the {what} that begins at line {line}, column {column}"
            ),
        }
    }

    fn token_from(&self, start: usize) -> Result<(Token, usize), Flaw> {
        let bytes = self.text.as_bytes();
        let one = |token| Ok((token, start + 1));
        match bytes[start] {
            open @ (b'(' | b'[' | b'{') => one(Token::Open(open)),
            close @ (b')' | b']' | b'}') => one(Token::Close(close)),
            b',' => one(Token::Comma),
            b':' => one(Token::Colon),
            b'"' => Ok((Token::Atom, self.string_end(start)?)),
            b'\'' => Ok((Token::Atom, character_end(bytes, start))),
            b'/' if bytes.get(start + 1) == Some(&b'/') => {
                let line = &self.text[start..];
                let length = line.find('\n').unwrap_or(line.len());
                Ok((Token::Comment, start + length))
            }
            b'/' if bytes.get(start + 1) == Some(&b'*') => {
                Ok((Token::Comment, self.block_comment_end(start)?))
            }
            first => {
                // r"..", r#".."#, b"..", br"..": the letters belong to the string.
                let quote = match (first, bytes.get(start + 1)) {
                    (b'b', Some(b'r')) => Some(start + 2),
                    (b'r', _) => Some(start + 1),
                    _ => None,
                };
                if let Some(end) = quote.and_then(|hashes| self.raw_string_end(hashes)) {
                    return Ok((Token::Atom, end?));
                }
                let length = self.text[start..]
                    .find(|c: char| {
                        c.is_whitespace()
                            || matches!(
                                c,
                                '(' | ')' | '[' | ']' | '{' | '}' | ',' | ':' | '"' | '\'' | '/'
                            )
                    })
                    .unwrap_or(self.text.len() - start);
                // A lone slash is the one delimiter that begins nothing; it is an atom of its own.
                Ok((Token::Atom, start + length.max(1)))
            }
        }
    }
}

impl Iterator for Tokens<'_> {
    type Item = Result<(Token, Range<usize>), Flaw>;

    fn next(&mut self) -> Option<Self::Item> {
        let rest = &self.text[self.offset..];
        let start = self.offset + rest.find(|c: char| !c.is_whitespace())?;
        match self.token_from(start) {
            Ok((token, end)) => {
                // An escape at the very end may point beyond it.
                self.offset = end.min(self.text.len());
                Some(Ok((token, start..self.offset)))
            }
            Err(flaw) => {
                self.offset = self.text.len();
                Some(Err(flaw))
            }
        }
    }
}

/// Where the character literal ends that begins at `start`. One that is never closed is left for the reader to reject.
fn character_end(bytes: &[u8], start: usize) -> usize {
    let escaped = bytes.get(start + 1) == Some(&b'\\');
    let body = start + 1 + if escaped { 2 } else { 0 };
    // The longest literal is '\u{10ffff}'.
    (body..bytes.len().min(body + 12))
        .find(|at| bytes[*at] == b'\'')
        .map_or(start + 1, |quote| quote + 1)
}

/// Checks what has to hold before the text is handed to a recursive reader: brackets match and are not nested too deep,
/// strings and comments end.
pub(super) fn check(text: &str) -> Result<(), Flaw> {
    let mut open: Vec<(u8, usize)> = Vec::new();
    for token in Tokens::new(text) {
        match token? {
            (Token::Open(bracket), range) => {
                if open.len() == MAX_NESTING {
                    return Err(Flaw {
                        offset: range.start,
                        message: format!("brackets are nested more than {MAX_NESTING} deep"),
                    });
                }
                open.push((bracket, range.start));
            }
            (Token::Close(bracket), range) => match open.pop() {
                Some((opened, _)) if closing(opened) == bracket => {}
                Some((opened, offset)) => {
                    let (line, column) = line_and_column(text, offset);
                    return Err(Flaw {
                        offset: range.start,
                        message: format!(
                            "expected '{}' to close the '{}' of line {line}, column {column} (found '{}')",
                            char::from(closing(opened)),
                            char::from(opened),
                            char::from(bracket),
                        ),
                    });
                }
                None => {
                    return Err(Flaw {
                        offset: range.start,
                        message: format!("'{}' closes nothing", char::from(bracket)),
                    });
                }
            },
            _ => {}
        }
    }
    match open.pop() {
        None => Ok(()),
        Some((opened, offset)) => {
            let (line, column) = line_and_column(text, offset);
            Err(Flaw {
                offset: text.len(),
                message: format!(
                    "the text ends before the '{}' of line {line}, column {column} is closed",
                    char::from(opened)
                ),
            })
        }
    }
}

const fn closing(open: u8) -> u8 {
    match open {
        b'(' => b')',
        b'[' => b']',
        _ => b'}',
    }
}

/// One step on the way to a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step<'a> {
    /// The field of a struct or the key of a map.
    Field(&'a str),
    /// The item of a list or tuple.
    Item(usize),
}

/// The way to a value, as a list from the value up to the root; it lives on the stack of the conversion that follows it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place<'a> {
    parent: Option<&'a Place<'a>>,
    step: Option<Step<'a>>,
}

impl<'a> Place<'a> {
    pub(super) const ROOT: Place<'static> = Place {
        parent: None,
        step: None,
    };

    pub(super) fn field(&'a self, name: &'a str) -> Place<'a> {
        Place {
            parent: Some(self),
            step: Some(Step::Field(name)),
        }
    }

    pub(super) fn item(&'a self, index: usize) -> Place<'a> {
        Place {
            parent: Some(self),
            step: Some(Step::Item(index)),
        }
    }

    /// The steps from the root.
    fn steps(&self) -> Vec<Step<'a>> {
        let mut steps = Vec::new();
        let mut place = Some(self);
        while let Some(Place { parent, step }) = place {
            steps.extend(*step);
            place = *parent;
        }
        steps.reverse();
        steps
    }
}

/// Finds the value at `place`, or as much of the way to it as the text has: the value of a field that is left out is
/// the struct that lacks it.
pub(super) fn locate(text: &str, place: &Place<'_>) -> Range<usize> {
    let mut start = skip_attributes(text);
    for step in place.steps() {
        match enter(text, start, step) {
            Some(inside) => start = inside,
            None => break,
        }
    }
    value_range(text, start)
}

/// Finds the value at `place` if the text has it.
pub(super) fn find(text: &str, place: &Place<'_>) -> Option<Range<usize>> {
    let start = skip_attributes(text);
    let place = place
        .steps()
        .into_iter()
        .try_fold(start, |start, step| enter(text, start, step))?;
    Some(value_range(text, place))
}

/// The first comment.
pub(super) fn first_comment(text: &str) -> Option<usize> {
    Tokens::new(text).find_map(|token| match token {
        Ok((Token::Comment, range)) => Some(range.start),
        _ => None,
    })
}

/// Where the document's value begins, after any `#![...]`.
fn skip_attributes(text: &str) -> usize {
    let mut start = 0;
    loop {
        let mut tokens = Tokens::at(text, start);
        match tokens.next_value_token() {
            Some((Token::Atom, range)) if text[range.clone()].starts_with('#') => {
                start = value_range(text, range.start).end;
            }
            Some((_, range)) => return range.start,
            None => return text.len(),
        }
    }
}

/// Where the part `step` of the value that begins at `start` begins.
fn enter(text: &str, mut start: usize, step: Step<'_>) -> Option<usize> {
    loop {
        let mut tokens = Tokens::at(text, start);
        let (mut token, mut range) = tokens.next_value_token()?;
        // A struct or a variant may carry its name: `Ring(center: ...)`.
        let mut name = "";
        if token == Token::Atom {
            name = &text[range];
            (token, range) = tokens.next_value_token()?;
        }
        let Token::Open(_) = token else { return None };
        if name != "Some" {
            return enter_inside(text, range.end, step);
        }
        // `Some(x)` and `x` mean the same here.
        start = enter_inside(text, range.end, Step::Item(0))?;
    }
}

/// The same, `start` being just behind the opening bracket.
fn enter_inside(text: &str, start: usize, step: Step<'_>) -> Option<usize> {
    let mut tokens = Tokens::at(text, start);
    let mut depth = 0_usize;
    let mut index = 0;
    // The first token of the current entry, while nothing but it was seen: perhaps a key.
    let mut key: Option<Range<usize>> = None;
    let mut entry_begins = true;
    while let Some((token, range)) = tokens.next_value_token() {
        if depth == 0 {
            let ends = matches!(token, Token::Close(_) | Token::Comma);
            if entry_begins && !ends {
                if step == Step::Item(index) {
                    return Some(range.start);
                }
                key = (token == Token::Atom).then(|| range.clone());
                entry_begins = false;
            } else if token == Token::Colon
                && let Some(name) = key.take()
                && let Step::Field(field) = step
                && text[name].trim_matches('"') == field
            {
                return Some(range.end);
            }
        }
        match token {
            Token::Open(_) => depth += 1,
            Token::Close(_) if depth == 0 => return None,
            Token::Close(_) => depth -= 1,
            Token::Comma if depth == 0 => {
                index += 1;
                entry_begins = true;
            }
            _ => {}
        }
    }
    None
}

/// The whole value that begins at or after `start`: an atom, a bracket with all inside, or a bracket with its name.
fn value_range(text: &str, start: usize) -> Range<usize> {
    let mut tokens = Tokens::at(text, start);
    let mut value: Option<Range<usize>> = None;
    let mut depth = 0_usize;
    while let Some((token, range)) = tokens.next_value_token() {
        let is_name_followed_by_other = value.is_some() && depth == 0;
        match token {
            Token::Open(_) => depth += 1,
            Token::Close(_) if depth > 0 => depth -= 1,
            Token::Close(_) | Token::Comma if depth == 0 => break,
            _ if is_name_followed_by_other => break,
            _ => {}
        }
        let begin = value.map_or(range.start, |value| value.start);
        value = Some(begin..range.end);
        if depth == 0 && token != Token::Atom {
            break;
        }
    }
    value.unwrap_or(start..start)
}

/// The line and the column of a byte offset, both from 1; columns count characters.
pub(super) fn line_and_column(text: &str, offset: usize) -> (usize, usize) {
    let before = &text.as_bytes()[..offset.min(text.len())];
    let line_start = before
        .iter()
        .rposition(|byte| *byte == b'\n')
        .map_or(0, |newline| newline + 1);
    let line = 1 + before.iter().filter(|byte| **byte == b'\n').count();
    // Every byte but a continuation byte begins a character.
    let column = 1 + before[line_start..]
        .iter()
        .filter(|byte| **byte & 0xC0 != 0x80)
        .count();
    (line, column)
}

/// The byte offset of a line and a column as [`line_and_column`] counts them; the end where there is no such place.
pub(super) fn offset_of(text: &str, line: usize, column: usize) -> usize {
    let mut start = 0;
    for _ in 1..line {
        match text[start..].find('\n') {
            Some(length) => start += length + 1,
            None => return text.len(),
        }
    }
    text[start..]
        .char_indices()
        .nth(column.saturating_sub(1))
        .map_or(text.len(), |(length, _)| start + length)
}

/// Where the atom or bracket at or after `offset` is; empty at the end.
pub(super) fn token_at(text: &str, offset: usize) -> Range<usize> {
    Tokens::at(text, offset)
        .next_value_token()
        .map_or(text.len()..text.len(), |(_, range)| range)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r##"#![enable(implicit_some)]
// A comment with ( and " in it.
Scene(
    name: "a \" ( b", /* [ /* nested */ { */
    armies: [(speed: 1), Army(formation: Ring(center: (1, 2), inner: -3,), speed: 'x')],
    world: Some((lead: 4)),
    knobs: {"cell_size": 12},
    raw: r#"a " ( b"#,
)
"##;

    fn found(steps: &[Step<'_>]) -> &'static str {
        fn follow(place: &Place<'_>, steps: &[Step<'_>]) -> Range<usize> {
            match steps {
                [] => locate(TEXT, place),
                [Step::Field(name), rest @ ..] => follow(&place.field(name), rest),
                [Step::Item(index), rest @ ..] => follow(&place.item(*index), rest),
            }
        }
        &TEXT[follow(&Place::ROOT, steps)]
    }

    #[test]
    fn a_field_is_found_through_names_lists_options_and_comments() {
        use Step::{Field, Item};
        assert_eq!(check(TEXT), Ok(()));
        assert_eq!(found(&[Field("name")]), r#""a \" ( b""#);
        assert_eq!(
            found(&[
                Field("armies"),
                Item(1),
                Field("formation"),
                Field("center"),
                Item(1)
            ]),
            "2"
        );
        assert_eq!(
            found(&[Field("armies"), Item(1), Field("formation"), Field("inner")]),
            "-3"
        );
        assert_eq!(found(&[Field("armies"), Item(1), Field("speed")]), "'x'");
        assert_eq!(found(&[Field("world"), Field("lead")]), "4");
        assert_eq!(found(&[Field("knobs"), Field("cell_size")]), "12");
        assert_eq!(found(&[Field("raw")]), r##"r#"a " ( b"#"##);
        assert_eq!(
            found(&[Field("armies"), Item(0), Field("missing")]),
            "(speed: 1)"
        );
    }

    #[test]
    fn brackets_strings_and_comments_have_to_end() {
        let sentence = |text: &str| check(text).unwrap_err().message;
        assert_eq!(
            sentence("(a: [1, 2"),
            "the text ends before the '[' of line 1, column 5 is closed"
        );
        assert_eq!(
            sentence("(\n [)"),
            "expected ']' to close the '[' of line 2, column 2 (found ')')"
        );
        assert_eq!(sentence("())"), "')' closes nothing");
        assert_eq!(
            sentence("(\"a\\"),
            "the text ends within the string that begins at line 1, column 2"
        );
        assert_eq!(
            sentence("/* /* */"),
            "the text ends within the comment that begins at line 1, column 1"
        );
        assert!(sentence(&"(".repeat(100_000)).contains("nested more than"));
        assert!(check(&"/*".repeat(100_000)).is_err());
    }

    #[test]
    fn offsets_and_columns_agree_for_wide_characters() {
        let text = "a\n\u{e4}\u{20ac}x\n";
        for (offset, _) in text.char_indices() {
            let (line, column) = line_and_column(text, offset);
            assert_eq!(offset_of(text, line, column), offset);
        }
        assert_eq!(line_and_column(text, text.find('x').unwrap()), (2, 3));
        assert_eq!(offset_of(text, 9, 1), text.len());
    }
}
