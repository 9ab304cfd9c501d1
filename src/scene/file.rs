//! Scene files: reading, checking, writing.
//!
//! A scene is one RON value, described field by field in `scenes/README.md`. What is read passes four gates, each of
//! which names file, line and column of what it turns away:
//!
//! 1. the file is no longer than [`limits::MAX_FILE_BYTES`] and is UTF-8;
//! 2. brackets match and are nested no deeper than [`limits::MAX_NESTING`], strings end, and the version is ours;
//! 3. it has the shape of a scene: every field is known, every list within its limit (`written`);
//! 4. every value keeps the promises of [`Scene`] (`convert`).
//!
//! Invariant: the serde types of scenes live in `file/written.rs`, in the folder beside it, and nowhere else.
//!
//! Invariant: a file is replaced as a whole or not at all.

use super::{Scene, limits};
use crate::files::{self, ReadError};
use std::path::Path;

pub(crate) mod around;
mod convert;
pub(crate) mod memory;
mod tokens;
mod written;

/// The scene that opens when none is named, as text.
pub const BUILT_IN: &str = include_str!("../../scenes/skirmish.ron");

/// The name under which messages speak of [`BUILT_IN`].
pub const BUILT_IN_NAME: &str = "skirmish.ron (built in)";

/// Why a scene was not read or not written, in one sentence on one line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SceneError {
    /// Something in the text is wrong.
    #[error("{name}:{line}:{column}: {message}")]
    Text {
        /// The file, or what the text is called.
        name: String,
        /// The line, from 1.
        line: usize,
        /// The column in characters, from 1.
        column: usize,
        /// The sentence.
        message: String,
    },
    /// The file as a whole could not be read or written.
    #[error("{name}: {message}")]
    File {
        /// The file.
        name: String,
        /// The sentence.
        message: String,
    },
    /// The file is saved as a whole; whether it outlives a failure of power now, the disk does not say.
    #[error("{name}: {message}")]
    Unconfirmed {
        /// The file.
        name: String,
        /// The sentence.
        message: String,
    },
}

impl SceneError {
    /// Whether the file is saved all the same, as a whole, and only the disk does not confirm it.
    pub fn is_saved(&self) -> bool {
        matches!(self, Self::Unconfirmed { .. })
    }

    fn of_file(path: &Path, message: impl Into<String>) -> Self {
        Self::File {
            name: printable(&path.display().to_string()),
            message: message.into(),
        }
    }

    fn of_text(name: &str, text: &str, flaw: tokens::Flaw) -> Self {
        let (line, column) = tokens::line_and_column(text, flaw.offset);
        Self::Text {
            name: printable(name),
            line,
            column,
            message: one_line(&flaw.message),
        }
    }
}

/// The scene that opens when none is named.
pub fn built_in() -> Scene {
    parse(BUILT_IN.as_bytes(), BUILT_IN_NAME).expect("a test reads the scene that is built in")
}

/// Reads the scene file at `path`.
pub fn read(path: &Path) -> Result<Scene, SceneError> {
    parse(&read_bytes(path)?, &path.display().to_string())
}

/// Reads the bytes of the scene file at `path`, as far as the limit allows.
pub fn read_bytes(path: &Path) -> Result<Vec<u8>, SceneError> {
    files::read(path, limits::MAX_FILE_BYTES)
        .map_err(|error| SceneError::of_file(path, reading_failed(&error)))
}

/// Reads a scene from its text; `name` is what messages call it.
pub fn parse(bytes: &[u8], name: &str) -> Result<Scene, SceneError> {
    let text = text_of(bytes, name)?;
    parse_text(text).map_err(|flaw| SceneError::of_text(name, text, flaw))
}

/// The text that `bytes` are.
fn text_of<'a>(bytes: &'a [u8], name: &str) -> Result<&'a str, SceneError> {
    // Some editors mark UTF-8 with a byte order mark, and count no column for it.
    let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
    std::str::from_utf8(bytes).map_err(|error| {
        let (valid, rest) = bytes.split_at(error.valid_up_to());
        let valid = String::from_utf8_lossy(valid);
        let message = format!(
            "the text is not UTF-8 (found byte 0x{:02x})",
            rest.first().copied().unwrap_or_default()
        );
        let offset = valid.len();
        SceneError::of_text(name, &valid, tokens::Flaw { offset, message })
    })
}

fn parse_text(text: &str) -> Result<Scene, tokens::Flaw> {
    tokens::check(text)?;
    check_version(text)?;
    let scene = options()
        .from_str(text)
        .map_err(|error| shape_flaw(text, &error))?;
    convert::to_scene(text, scene)
}

/// The name under which messages speak of units without a scene.
const CLIPBOARD: &str = "clipboard";

/// Reads units without a scene from their text, as [`format_units`] writes it: `(version: 1, units: [...])`, where each item is an
/// army whose formation is explicit.
pub fn parse_units(text: &str) -> Result<Vec<super::Army>, SceneError> {
    parse_crowd(text, convert::to_units)
}

/// The same of units in space, as [`format_flocks`] writes it: `(version: 1, flocks: [...])`.
pub fn parse_flocks(text: &str) -> Result<Vec<super::Flock>, SceneError> {
    parse_crowd(text, convert::to_flocks)
}

fn parse_crowd<T: serde::de::DeserializeOwned, G>(
    text: &str,
    convert: fn(&str, T) -> Result<Vec<G>, tokens::Flaw>,
) -> Result<Vec<G>, SceneError> {
    let parse = || {
        tokens::check(text)?;
        check_version(text)?;
        let units = options()
            .from_str(text)
            .map_err(|error| shape_flaw(text, &error))?;
        convert(text, units)
    };
    parse().map_err(|flaw| SceneError::of_text(CLIPBOARD, text, flaw))
}

/// The text of units without a scene, which [`parse_units`] reads back.
pub fn format_units(armies: &[super::Army]) -> String {
    format_crowd(&convert::from_units(armies))
}

/// The text of units in space without a scene, which [`parse_flocks`] reads back.
pub fn format_flocks(flocks: &[super::Flock]) -> String {
    format_crowd(&convert::from_flocks(flocks))
}

fn format_crowd(written: &impl serde::Serialize) -> String {
    options()
        .to_string(written)
        .expect("structs, numbers and strings all have a form in RON")
}

/// Whether a text fits on one line of a panel or terminal, where at most `limit` characters are expected.
fn fits_a_line(text: &str, limit: usize) -> bool {
    let is_short = text.chars().take(limit + 1).count() <= limit;
    is_short && !text.chars().any(char::is_control)
}

/// Whether a scene may be called so and say this of itself; both may be empty.
pub fn check_title(name: &str, caption: &str) -> Result<(), String> {
    for (what, text, limit) in [
        ("name", name, limits::MAX_NAME_CHARS),
        ("caption", caption, limits::MAX_CAPTION_CHARS),
    ] {
        if !fits_a_line(text, limit) {
            return Err(format!(
                "the {what} of a scene must have at most {limit} characters without line breaks (found {})",
                excerpt(text)
            ));
        }
    }
    Ok(())
}

/// Reads objects without a scene from their text, as [`format_objects`] writes it: `(version: 1, objects: [...])`, where each item
/// is what stands among the objects of a world.
pub fn parse_objects(text: &str) -> Result<Vec<super::ObjectGroup>, SceneError> {
    parse_objects_text(text).map_err(|flaw| SceneError::of_text("clipboard", text, flaw))
}

fn parse_objects_text(text: &str) -> Result<Vec<super::ObjectGroup>, tokens::Flaw> {
    tokens::check(text)?;
    check_version(text)?;
    let objects = options()
        .from_str(text)
        .map_err(|error| shape_flaw(text, &error))?;
    convert::to_objects(text, objects)
}

/// The text of objects without a scene, which [`parse_objects`] reads back.
pub fn format_objects(groups: &[super::ObjectGroup]) -> String {
    options()
        .to_string(&convert::from_objects(groups))
        .expect("structs, numbers and strings all have a form in RON")
}

/// Whether a path may be called so.
pub fn check_path_name(name: &str) -> Result<(), String> {
    if !name.is_empty() && fits_a_line(name, limits::MAX_NAME_CHARS) {
        return Ok(());
    }
    Err(format!(
        "the name of a path must have 1 to {} characters without line breaks (found {})",
        limits::MAX_NAME_CHARS,
        excerpt(name)
    ))
}

/// Whether a picture may have this path.
pub fn check_asset(path: &str) -> Result<(), String> {
    if convert::is_asset(path) {
        return Ok(());
    }
    Err(format!(
        "a picture must be {} (found {})",
        convert::asset_words(),
        excerpt(path)
    ))
}

/// Reads a path from a file of its own: what stands in a scene between the brackets of one path, and nothing else.
pub fn read_path(path: &Path) -> Result<super::Path, SceneError> {
    parse_path(&read_bytes(path)?, &path.display().to_string())
}

/// Reads a path from its text; `name` is what messages call it.
pub fn parse_path(bytes: &[u8], name: &str) -> Result<super::Path, SceneError> {
    let text = text_of(bytes, name)?;
    parse_path_text(text).map_err(|flaw| SceneError::of_text(name, text, flaw))
}

fn parse_path_text(text: &str) -> Result<super::Path, tokens::Flaw> {
    tokens::check(text)?;
    let path = options()
        .from_str(text)
        .map_err(|error| shape_flaw(text, &error))?;
    convert::to_path(text, path)
}

/// Another version may have other fields, so its number is looked at before them.
fn check_version(text: &str) -> Result<(), tokens::Flaw> {
    let place = tokens::Place::ROOT;
    let place = place.field("version");
    let Some(range) = tokens::find(text, &place) else {
        return Ok(());
    };
    let found = &text[range.clone()];
    match found.parse::<f64>() {
        Ok(version) if version != f64::from(limits::VERSION) => Err(tokens::Flaw {
            offset: range.start,
            message: format!(
                "version must be {} (found {})",
                limits::VERSION,
                excerpt(found)
            ),
        }),
        _ => Ok(()),
    }
}

fn options() -> ron::Options {
    // `camera: (...)` rather than `camera: Some((...))`. The recursion limit stays; gate 2 is below it.
    ron::Options::default().with_default_extension(ron::extensions::Extensions::IMPLICIT_SOME)
}

/// Says in our words what ron says about the shape of a text.
fn shape_flaw(text: &str, error: &ron::error::SpannedError) -> tokens::Flaw {
    use ron::Error;
    let at = |position: ron::error::Position| {
        tokens::offset_of(text, position.line, position.col).min(text.len())
    };
    let (start, end) = (at(error.span.start), at(error.span.end));
    let found = |offset: usize| match &text[tokens::token_at(text, offset)] {
        "" => "found the end of the text".to_owned(),
        mark if mark.len() == 1 && mark.starts_with(|c: char| c.is_ascii_punctuation()) => {
            format!("found '{mark}'")
        }
        token => format!("found {}", excerpt(token)),
    };
    let list = |names: &[&str]| names.join(", ");
    let of = |outer: &Option<String>| match outer {
        Some(outer) => format!(" in {outer}"),
        None => String::new(),
    };
    let (offset, message) = match &error.code {
        Error::Eof => (text.len(), "the text ends too early".to_owned()),
        Error::NoSuchStructField {
            expected,
            found,
            outer,
        } => (
            start,
            format!(
                "there is no field {}{}; the fields are {}",
                excerpt(found),
                of(outer),
                list(expected)
            ),
        ),
        Error::NoSuchEnumVariant {
            expected,
            found,
            outer,
        } => (
            start,
            format!(
                "there is no {}{}; expected one of {}",
                excerpt(found),
                of(outer),
                list(expected)
            ),
        ),
        Error::MissingStructField { field, outer } => {
            (start, format!("field {field} is missing{}", of(outer)))
        }
        Error::DuplicateStructField { field, outer } => {
            (start, format!("field {field} is given twice{}", of(outer)))
        }
        Error::InvalidValueForType { expected, found } => {
            (start, format!("expected {expected} but found {found}"))
        }
        Error::Message(message) => (start, message.clone()),
        Error::TrailingCharacters => (
            tokens::token_at(text, start).start,
            format!("the text must end after the scene ({})", found(start)),
        ),
        Error::ExpectedDifferentLength { expected, .. } => (end, format!("expected {expected}")),
        // ron reports the rest where it stopped: at what it could not read.
        other => {
            let said = match other {
                Error::ExpectedFloat => "expected a number".to_owned(),
                Error::ExpectedInteger => "expected a whole number".to_owned(),
                Error::ExpectedBoolean => "expected true or false".to_owned(),
                Error::ExpectedString => "expected a text in quotes".to_owned(),
                Error::ExpectedIdentifier => "expected the name of a field or variant".to_owned(),
                Error::ExpectedComma => "expected ','".to_owned(),
                Error::ExpectedArray => "expected '['".to_owned(),
                Error::ExpectedMap => "expected '{'".to_owned(),
                Error::ExpectedMapColon => "expected ':'".to_owned(),
                Error::ExpectedStructLike | Error::ExpectedNamedStructLike(_) => {
                    "expected '('".to_owned()
                }
                Error::ExpectedStructLikeEnd => "expected ')'".to_owned(),
                // Lower case, to follow a colon.
                other => {
                    let said = other.to_string();
                    let mut letters = said.chars();
                    let first: String = letters
                        .next()
                        .into_iter()
                        .flat_map(char::to_lowercase)
                        .collect();
                    first + letters.as_str()
                }
            };
            (end, format!("{said} ({})", found(end)))
        }
    };
    tokens::Flaw { offset, message }
}

/// The canonical text of `scene`, which [`parse`] reads back as the same scene.
pub fn format(scene: &Scene) -> String {
    canonical(&convert::from_scene(scene))
}

/// The canonical text of `path` alone, which [`parse_path`] reads back as the same path.
pub fn format_path(path: &super::Path) -> String {
    canonical(&convert::from_path(path))
}

fn canonical(written: &impl serde::Serialize) -> String {
    let layout = ron::ser::PrettyConfig::new().new_line("\n");
    let mut text = options()
        .to_string_pretty(written, layout)
        .expect("structs, numbers and strings all have a form in RON");
    text.push('\n');
    text
}

/// Where the first comment in the text of a scene stands, as line and column. Comments are not part of a scene, so that
/// writing it drops them.
pub fn first_comment(text: &str) -> Option<(usize, usize)> {
    tokens::first_comment(text).map(|offset| tokens::line_and_column(text, offset))
}

/// Writes `scene` to `path` in canonical form, as a whole or not at all.
///
/// The text takes the place of the old file only when it has reached the disk and was read back: [`files::save`] says how.
pub fn write(path: &Path, scene: &Scene) -> Result<(), SceneError> {
    write_checked(path, &format(scene), |text| Ok(parse_text(text)? == *scene))
}

/// Writes `way` to a file of its own, as a whole or not at all, as [`write()`] does.
pub fn write_path(path: &Path, way: &super::Path) -> Result<(), SceneError> {
    let reads_back = |text: &str| Ok(parse_path_text(text)? == *way);
    write_checked(path, &format_path(way), reads_back)
}

fn write_checked(
    path: &Path,
    text: &str,
    reads_back: impl Fn(&str) -> Result<bool, tokens::Flaw>,
) -> Result<(), SceneError> {
    if text.len() as u64 > limits::MAX_FILE_BYTES {
        let limit = limits::MAX_FILE_BYTES >> 20;
        let message = format!("not saved: it takes more than {limit} MiB as text");
        return Err(SceneError::of_file(path, message));
    }
    match reads_back(text) {
        Ok(true) => {}
        Ok(false) => {
            let message = "not saved: it would not read back the same";
            return Err(SceneError::of_file(path, message));
        }
        Err(flaw) => {
            let message = format!("not saved: {}", flaw.message);
            return Err(SceneError::of_file(path, message));
        }
    }
    files::save(path, text.as_bytes()).map_err(|error| {
        let message = error.to_string();
        match error {
            files::SaveError::NotSaved(_) => SceneError::of_file(path, message),
            files::SaveError::Unconfirmed(_) => SceneError::Unconfirmed {
                name: printable(&path.display().to_string()),
                message,
            },
        }
    })
}

fn reading_failed(error: &ReadError) -> String {
    match error {
        ReadError::Folder => "it is a folder, not a scene file".to_owned(),
        ReadError::NotAFile => "it is not a regular file".to_owned(),
        ReadError::TooLong => {
            let limit = limits::MAX_FILE_BYTES >> 20;
            format!("the file is longer than {limit} MiB")
        }
        ReadError::Missing | ReadError::Denied => error.to_string(),
        ReadError::Outside | ReadError::NoMemory | ReadError::System(_) => {
            format!("it cannot be read: {error}")
        }
    }
}

/// What a message quotes of a text: its beginning, on one line.
fn excerpt(text: &str) -> String {
    const MAX_CHARS: usize = 40;
    let mut quoted = String::new();
    // White space only separates words; the words of a very long value are not all looked at.
    for word in text.split_whitespace().take(MAX_CHARS) {
        if !quoted.is_empty() {
            quoted.push(' ');
        }
        quoted.extend(word.chars().take(MAX_CHARS + 1));
        if quoted.chars().count() > MAX_CHARS {
            quoted = quoted.chars().take(MAX_CHARS - 1).collect();
            quoted.push('\u{2026}');
            break;
        }
    }
    quoted
}

/// A message as one sentence on one line, whatever it quotes.
pub(crate) fn one_line(message: &str) -> String {
    sentence_of(&printable(message))
}

/// The message, without the middle where it quotes so much that it were no sentence any more.
fn sentence_of(message: &str) -> String {
    const MAX_CHARS: usize = 1_000;
    const KEPT_CHARS: usize = 450;
    let count = message.chars().count();
    if count <= MAX_CHARS {
        return message.to_owned();
    }
    let mut kept: String = message.chars().take(KEPT_CHARS).collect();
    kept.push_str(" \u{2026} ");
    kept.extend(message.chars().skip(count - KEPT_CHARS));
    kept
}

/// The text with every control character escaped, so that a message stays one line and moves no cursor.
fn printable(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control() {
            safe.extend(c.escape_default());
        } else {
            safe.push(c);
        }
    }
    safe
}
