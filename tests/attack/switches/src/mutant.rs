//! What cargo-mutants lists.

use crate::Outcome;
use serde_json::Value;
use std::path::Path;

/// A place in a file: line and column from 1, columns in characters.
pub type Place = (usize, usize);

/// What is known of a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// It has its switch.
    Switched,
    /// The compiler refuses it.
    Unviable,
    /// It cannot be behind a switch.
    Alone,
}

/// A change to one place of the source.
#[derive(Clone, Debug)]
pub struct Mutant {
    /// The number of its switch, from 1.
    pub id: usize,
    /// As cargo-mutants words it.
    pub name: String,
    /// The file, from the root of the crate.
    pub file: String,
    /// What kind of change it is.
    pub genre: String,
    /// What is replaced.
    pub span: (Place, Place),
    /// By what.
    pub replacement: String,
    /// What became of it.
    pub state: State,
}

/// Reads `cargo mutants --list --json`.
pub fn read(path: &Path) -> Outcome<Vec<Mutant>> {
    let text =
        std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let list: Value = serde_json::from_str(&text).map_err(|error| format!("the list: {error}"))?;
    let list = list.as_array().ok_or("the list is no array")?;
    let parse = |(index, value): (usize, &Value)| -> Option<Mutant> {
        let place = |end: &str| -> Option<Place> {
            let place = &value["span"][end];
            Some((
                place["line"].as_u64()? as usize,
                place["column"].as_u64()? as usize,
            ))
        };
        Some(Mutant {
            id: index + 1,
            name: value["name"].as_str()?.to_owned(),
            file: value["file"].as_str()?.to_owned(),
            genre: value["genre"].as_str()?.to_owned(),
            span: (place("start")?, place("end")?),
            replacement: value["replacement"].as_str()?.to_owned(),
            state: State::Switched,
        })
    };
    let mutants: Option<Vec<_>> = list.iter().enumerate().map(parse).collect();
    mutants.ok_or_else(|| "the list has another form than that of cargo-mutants 27".to_owned())
}
