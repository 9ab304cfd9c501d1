//! Makes a text of another one: by its bytes, or by its words, which keeps most of it in the shape that readers look at last.

use super::choices::Dice;
use std::ops::Range;

/// The longest text that is made, as a rule and once in a while.
const USUAL_LENGTH: usize = 64 << 10;
const LONG_LENGTH: usize = 1 << 20;

/// Numbers at and beyond the limits of formats and of number types, and such as make lengths vanish.
const NUMBERS: &[&str] = &[
    "0",
    "-0.0",
    "1",
    "-1",
    "2",
    "0.5",
    "1e-45",
    "1e-38",
    "1e-11",
    "-1e-11",
    "1e-5",
    "0.1",
    "16777216",
    "16777217",
    "1e9",
    "-1e9",
    "1000000001",
    "1e10",
    "1e19",
    "3.4e38",
    "-3.4e38",
    "1e39",
    "1e400",
    "-1e400",
    "NaN",
    "inf",
    "-inf",
    "100000",
    "2000000",
    "2000001",
    "65536",
    "2147483647",
    "-2147483648",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "18446744073709551615",
    "18446744073709551616",
    "340282366920938463463374607431768211456",
    "99999999999999999999999999999999999999999",
    "0x10",
    "0b1",
    "0o7",
    "1_000",
    "1.",
    ".5",
    "+1",
    "--1",
    "1e",
    "0x",
    "3600",
    "3601",
    "64",
    "67108864",
    "67108865",
    "1125899906842624",
    "0.016666668",
    "1.0000001",
];

/// Words that stand for something else in RON, or for nothing.
const WORDS: &[&str] = &[
    "None",
    "Some(1)",
    "Some",
    "true",
    "false",
    "()",
    "[]",
    "{}",
    "(())",
    "[[]]",
    "'a'",
    "b\"x\"",
    "r#\"x\"#",
    "\"\"",
    "\"x\"",
    "\"\\u{0}\"",
    "\"\\n\"",
    "\"\\\"\"",
    "\"\\u{202e}\"",
    "\"\\x41\"",
    "\"\\q\"",
    "\"..\"",
    "\"../x.png\"",
    "\"/etc/passwd\"",
    "\"a/./b\"",
    "\"a\\\\b\"",
    "\"con.png\"",
    "\"é\u{301}\u{fe0f}\"",
    "/*",
    "*/",
    "//",
    "/* x */",
    "#![enable(implicit_some)]",
    "#![enable(unwrap_newtypes)]",
    "#![enable(",
    ",",
    ":",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "\"",
    "'",
    "\\",
    "#",
    "unknown",
    "r#type",
    "_",
    "-",
    "+",
    ".",
    "\u{feff}",
    "\u{a0}",
    "\u{2028}",
    "\r\n",
    "\r",
    "\t",
    "\0",
];

/// An input made from one text of the corpus, at times with pieces of another one.
pub fn text(dice: &mut Dice, corpus: &[Vec<u8>]) -> Vec<u8> {
    let base = dice.pick(corpus);
    let other = dice.pick(corpus);
    let most = if dice.once_in(200) {
        LONG_LENGTH
    } else {
        USUAL_LENGTH
    };
    let mut made = match dice.below(10) {
        0 => bytes(dice, base, other),
        1 => {
            let words = words(dice, base, other, most);
            bytes(dice, &words, other)
        }
        _ => words(dice, base, other, most),
    };
    made.truncate(most);
    made
}

/// A few bytes other than they were.
pub fn bytes(dice: &mut Dice, base: &[u8], other: &[u8]) -> Vec<u8> {
    let mut made = base.to_vec();
    for _ in 0..few(dice) {
        let at = dice.below(made.len() + 1);
        let range = stretch(dice, made.len());
        match dice.below(9) {
            0 if at < made.len() => made[at] ^= 1 << dice.below(8),
            1 if at < made.len() => made[at] = dice.byte(),
            2 => made.insert(at, dice.byte()),
            3 => drop(made.drain(range)),
            4 => {
                let piece = made[range].to_vec();
                made.splice(at..at, piece);
            }
            5 => made.truncate(at),
            6 => {
                let piece = other[stretch(dice, other.len())].to_vec();
                made.splice(range, piece);
            }
            7 => {
                let piece = dice.pick(WORDS).as_bytes().to_vec();
                made.splice(at..at, piece);
            }
            _ => {
                let piece = dice.pick(NUMBERS).as_bytes().to_vec();
                made.splice(at..at, piece);
            }
        }
    }
    made
}

/// A command line, one argument a line, other than it was.
pub fn lines(dice: &mut Dice, corpus: &[Vec<u8>]) -> Vec<u8> {
    let lines_of = |text: &[u8]| -> Vec<Vec<u8>> {
        let lines = text.split(|byte| *byte == b'\n').map(<[u8]>::to_vec);
        lines.filter(|line| !line.is_empty()).collect()
    };
    let mut lines = lines_of(dice.pick::<Vec<u8>>(corpus));
    for _ in 0..few(dice) {
        let other = lines_of(dice.pick::<Vec<u8>>(corpus));
        let at = dice.below(lines.len());
        match dice.below(8) {
            0 if !lines.is_empty() => drop(lines.remove(at)),
            1 if !lines.is_empty() => lines.insert(at, lines[at].clone()),
            2 if !lines.is_empty() => lines[at] = bytes(dice, &lines[at], b"--x=1"),
            3 if !lines.is_empty() => lines[at] = dice.pick(NUMBERS).as_bytes().to_vec(),
            4 => lines.insert(at, dice.pick(WORDS).as_bytes().to_vec()),
            5 => lines.insert(at, dice.pick(NUMBERS).as_bytes().to_vec()),
            6 => lines.truncate(at),
            _ if !other.is_empty() => lines.insert(at, dice.pick(&other).clone()),
            _ => {}
        }
    }
    lines.join(&b'\n')
}

/// Mostly one, now and then several.
fn few(dice: &mut Dice) -> usize {
    let mut count = 1;
    while count < 8 && dice.once_in(3) {
        count += 1;
    }
    count
}

fn stretch(dice: &mut Dice, length: usize) -> Range<usize> {
    let start = dice.below(length + 1);
    let most = if dice.once_in(4) { length } else { 40 };
    start..(start + dice.below(most + 1)).min(length)
}

type Token = Vec<u8>;

/// White space and comments, texts in quotes, names and numbers, and every other character on its own.
fn tokens_of(text: &[u8]) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let [first, ..] = rest {
        let is_word = |c: &u8| c.is_ascii_alphanumeric() || b"_+-.".contains(c);
        let run = |is_in: &dyn Fn(&u8) -> bool| rest.iter().take_while(|c| is_in(c)).count();
        let length = match first {
            b'"' => {
                let mut end = 1;
                while end < rest.len() && rest[end] != b'"' {
                    end += if rest[end] == b'\\' { 2 } else { 1 };
                }
                (end + 1).min(rest.len())
            }
            b'/' if rest.get(1) == Some(&b'/') => run(&|c| *c != b'\n'),
            c if c.is_ascii_whitespace() => run(&u8::is_ascii_whitespace),
            c if is_word(c) => run(&is_word),
            _ => 1,
        };
        let (token, after) = rest.split_at(length);
        tokens.push(token.to_vec());
        rest = after;
    }
    tokens
}

/// The words that are neither white space nor a comment.
fn solid(tokens: &[Token]) -> Vec<usize> {
    let is_solid = |token: &Token| !token[0].is_ascii_whitespace() && !token.starts_with(b"//");
    let places = 0..tokens.len();
    places.filter(|place| is_solid(&tokens[*place])).collect()
}

fn is_number(token: &[u8]) -> bool {
    token.iter().any(u8::is_ascii_digit)
        && (token[0].is_ascii_digit() || b"+-.".contains(&token[0]))
}

/// The item around a word: from the bracket or comma before it to the bracket or comma behind it, all that is in brackets
/// between included.
fn item(tokens: &[Token], at: usize) -> Range<usize> {
    let is_in = |token: &Token, marks: &[u8]| token.len() == 1 && marks.contains(&token[0]);
    let mut depth = 0_usize;
    let mut start = at;
    while start > 0 {
        let token = &tokens[start - 1];
        match depth {
            0 if is_in(token, b"([{,") => break,
            _ if is_in(token, b")]}") => depth += 1,
            _ if is_in(token, b"([{") => depth -= 1,
            _ => {}
        }
        start -= 1;
    }
    depth = 0;
    let mut end = at;
    while end < tokens.len() {
        let token = &tokens[end];
        match depth {
            0 if is_in(token, b")]},") && end > at => break,
            _ if is_in(token, b"([{") => depth += 1,
            _ if is_in(token, b")]}") => depth = depth.saturating_sub(1),
            _ => {}
        }
        end += 1;
    }
    start..end
}

/// A word of the same kind as this one: another one of the text, or one at a limit.
fn like(dice: &mut Dice, tokens: &[Token], other: &[Token], token: &[u8]) -> Token {
    if is_number(token) {
        return match dice.below(4) {
            0 => near(dice, token),
            1 => {
                let found = tokens.iter().chain(other);
                let numbers: Vec<_> = found.filter(|token| is_number(token)).collect();
                numbers[dice.below(numbers.len())].clone()
            }
            _ => dice.pick(NUMBERS).as_bytes().to_vec(),
        };
    }
    let kind = |token: &[u8]| {
        (
            token[0] == b'"',
            token[0].is_ascii_uppercase(),
            token[0].is_ascii_lowercase(),
        )
    };
    let alike: Vec<_> = tokens
        .iter()
        .chain(other)
        .filter(|other| kind(other) == kind(token) && !other[0].is_ascii_whitespace())
        .collect();
    if alike.is_empty() || dice.once_in(4) {
        dice.pick(WORDS).as_bytes().to_vec()
    } else {
        alike[dice.below(alike.len())].clone()
    }
}

/// A number near this one, or its opposite, or some powers of ten away.
fn near(dice: &mut Dice, token: &[u8]) -> Token {
    let text = String::from_utf8_lossy(token);
    let Ok(value) = text.parse::<f64>() else {
        return token.to_vec();
    };
    let single = value as f32;
    match dice.below(6) {
        0 => format!("{}", value + 1.0),
        1 => format!("{}", value - 1.0),
        2 => format!("{}", -value),
        3 => format!("{}", single.next_up()),
        4 => format!("{}", single.next_down()),
        _ => format!("{text}e{}", dice.below(80) as i32 - 40),
    }
    .into_bytes()
}

/// A few words other than they were: taken away, doubled, swapped, nested, from another text, at a limit.
fn words(dice: &mut Dice, base: &[u8], other: &[u8], most: usize) -> Vec<u8> {
    let mut tokens = tokens_of(base);
    let other = tokens_of(other);
    for _ in 0..few(dice) {
        let places = solid(&tokens);
        if places.is_empty() {
            break;
        }
        let at = *dice.pick(&places);
        let around = item(&tokens, at);
        match dice.below(20) {
            0 => drop(tokens.remove(at)),
            1 => tokens.insert(at, tokens[at].clone()),
            2 => {
                let with = *dice.pick(&places);
                tokens.swap(at, with);
            }
            3 => drop(tokens.drain(around)),
            4 => {
                // Once in a while so many that a limit is met.
                let length: usize = tokens[around.clone()].iter().map(Vec::len).sum();
                let times = match dice.below(12) {
                    0 => most / (length + 1),
                    1 => 1_001,
                    _ => 1 + dice.below(5),
                };
                let times = times.min(most / (length + 1));
                let mut piece = tokens[around.clone()].to_vec();
                piece.push(b",".to_vec());
                let many = (0..times)
                    .flat_map(|_| piece.iter().cloned())
                    .collect::<Vec<_>>();
                tokens.splice(around.start..around.start, many);
            }
            5 => {
                // Two items change places; the later one is moved first, so that the other one's place stays.
                let with = item(&tokens, *dice.pick(&places));
                if around.end <= with.start || with.end <= around.start {
                    let (first, last) = if around.start < with.start {
                        (around, with)
                    } else {
                        (with, around)
                    };
                    let later: Vec<_> = tokens[last.clone()].to_vec();
                    let earlier: Vec<_> = tokens.splice(first.clone(), []).collect();
                    let moved = last.start - earlier.len()..last.end - earlier.len();
                    tokens.splice(moved, earlier);
                    tokens.splice(first.start..first.start, later);
                }
            }
            6 | 7 => {
                let places = solid(&other);
                if !places.is_empty() {
                    let piece = other[item(&other, *dice.pick(&places))].to_vec();
                    tokens.splice(around, piece);
                }
            }
            8 => {
                let (open, close) = *dice.pick(&[(b'(', b')'), (b'[', b']'), (b'{', b'}')]);
                let times = if dice.once_in(8) { dice.below(300) } else { 1 };
                tokens.splice(around.end..around.end, vec![vec![close]; times]);
                tokens.splice(around.start..around.start, vec![vec![open]; times]);
            }
            9 => tokens.insert(at, dice.pick(WORDS).as_bytes().to_vec()),
            10 => {
                // A text that is long, or in which each character counts.
                let count = *dice.pick(&[0, 1, 99, 100, 101, 250, 251, 1_000, 1_001, 20_000]);
                let letter = *dice.pick(&["a", "é", "/", "\\n", "\u{1f600}", " ", "."]);
                tokens[at] = format!("\"{}\"", letter.repeat(count)).into_bytes();
            }
            11..14 => {
                let numbers: Vec<_> = places
                    .iter()
                    .filter(|at| is_number(&tokens[**at]))
                    .collect();
                if !numbers.is_empty() {
                    let at = **dice.pick(&numbers);
                    tokens[at] = like(dice, &tokens, &other, &tokens[at]);
                }
            }
            _ => tokens[at] = like(dice, &tokens, &other, &tokens[at]),
        }
    }
    tokens.concat()
}
