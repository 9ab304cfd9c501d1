//! What a command answers: data on stdout, and nothing else there.

use super::failure::Failure;
use serde_json::Value;
use std::io::{self, Write};

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

/// Writes a JSON value to stdout, laid out for people.
pub fn print_json(value: &Value) -> Result<(), Failure> {
    print(&format!("{value:#}\n"))
}
