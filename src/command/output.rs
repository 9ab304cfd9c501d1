//! What a command answers: data on stdout, and nothing else there.

use super::failure::Failure;
use serde_json::Value;
use skirmish::files::{self, SaveError};
use std::io::{self, Write};
use std::path::Path;

/// Writes `data` to stdout. A reader that stops listening is no failure.
pub fn print(data: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    match out.write_all(data.as_bytes()).and_then(|()| out.flush()) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        Err(error) => Err(Failure::Run(format!(
            "the output could not be written: {}",
            error.kind()
        ))),
    }
}

/// Writes `data` into a file, or to stdout where none is named. What a file does not take goes to stdout, so that it is not lost.
pub fn put(path: Option<&Path>, data: &str) -> Result<(), Failure> {
    let Some(path) = path else {
        return print(data);
    };
    match files::put(path, data.as_bytes()) {
        // It is there as a whole, though the disk did not confirm it.
        Ok(()) | Err(SaveError::Unconfirmed(_)) => Ok(()),
        Err(SaveError::NotSaved(reason)) => {
            print(data)?;
            let shown = path.display();
            Err(Failure::Run(format!(
                "{shown}: not saved, and printed instead: {reason}"
            )))
        }
    }
}

/// Writes a JSON value to stdout, laid out for people.
pub fn print_json(value: &Value) -> Result<(), Failure> {
    print(&format!("{value:#}\n"))
}
